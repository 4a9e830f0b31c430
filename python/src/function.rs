//! Jit functions and their launches.
//!
//! A launch binds its arguments to parameters, reads what each is, and makes a key of what the kernel depends on: the types, the facts of
//! numbers and addresses, the constants, the options and the device. A kernel that is known by its key is launched at once, on a GPU by the
//! short path of [`crate::warm`]. Otherwise the function is linked and specialised, and compiled where no earlier launch has made the same
//! kernel.

use crate::bind::{Arguments, Given, Keywords, Objects, Param};
use crate::call_unsafe::launcher;
use crate::compile::{Compiled, Form, Remarks, Root};
use crate::device::{Place, Spot, default_fp_fusion, has_launch_hooks, language, lines, texts};
use crate::entries::Entries;
use crate::error;
use crate::goal::{Goal, functions_of, launch_value, objects_of};
use crate::kernel::{self, CompiledKernel, types};
use crate::key::Key;
use crate::launch::launch;
use crate::link::{Running, Watched, passed_name};
use crate::options;
use crate::value::{Value, check_range, grid as read_grid, no_argument};
use crate::warm::{Plan, Reading};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use tk_diag::{Diagnostic, SourceFile, Style, render};
use tk_grammar::ast::FunctionDef;
use tk_import::Passed;
use tk_launch::{DeclaredParam, LaunchValue, ParamRole, Specialisation};
use tk_types::{ArgType, CompileOptions};

/// What is known of a function after its first launch.
#[derive(Default)]
struct State {
    root: Option<Linkage>,
    kernels: FxHashMap<Key, Arc<Compiled>>,
    /// The functions and objects whose addresses are in the keys, by these.
    kept: FxHashMap<usize, Py<PyAny>>,
    /// The same for launches of the short path.
    plans: FxHashMap<Box<[u64]>, Arc<Plan>>,
    /// The same kernels by GPU and by the name of what they were compiled for, which several keys may share.
    forms: FxHashMap<(Option<usize>, String), Arc<Compiled>>,
}

/// A function that is linked, without functions that launches pass.
#[derive(Clone)]
struct Linkage {
    root: Arc<Root>,
    /// The globals that it was linked with.
    watched: Arc<[Watched]>,
    /// [`texts`] at that time.
    texts: u64,
}

/// A `@tk.jit` function. `tk.runtime.jit.JITFunction` is its subclass in Python.
#[pyclass(subclass, frozen, module = "tk._native")]
pub(crate) struct Function {
    function: Py<PyAny>,
    params: Vec<Param>,
    /// Parameters of whose values launches assume nothing, or no multiple of 16.
    specialisation: Vec<Specialisation>,
    /// The types that annotations give to parameters, as objects of the program, not as text.
    annotations: Vec<Option<ArgType>>,
    debug: bool,
    build: String,
    /// Called with the arguments before each launch.
    pre_run_hooks: Py<PyList>,
    state: Mutex<State>,
}

/// A launch that is bound and read.
struct Call<'c, 'py> {
    entries: Entries<'py>,
    options: &'c CompileOptions,
    /// What is compiled on in place of the kernel's own text.
    code: Option<&'c SourceFile>,
}

#[pymethods]
impl Function {
    /// `params` are pairs of a name and a default, or a name alone; the lists have names and positions.
    #[new]
    #[pyo3(signature = (function, params, do_not_specialize, do_not_specialize_on_alignment, annotations, debug, build))]
    fn new(
        function: Bound<'_, PyAny>,
        params: Vec<Bound<'_, PyTuple>>,
        do_not_specialize: Vec<Bound<'_, PyAny>>,
        do_not_specialize_on_alignment: Vec<Bound<'_, PyAny>>,
        annotations: Vec<String>,
        debug: bool,
        build: String,
    ) -> PyResult<Self> {
        let params: Vec<Param> = params.iter().map(Param::new).collect::<PyResult<_>>()?;
        let listed = |list: &[Bound<'_, PyAny>], at: usize| {
            list.iter().any(|item| {
                item.extract::<usize>().is_ok_and(|index| index == at) || item.eq(&params[at].text).unwrap_or(false)
            })
        };
        let one = |at: usize| {
            if listed(&do_not_specialize, at) {
                Specialisation::Nothing
            } else if listed(&do_not_specialize_on_alignment, at) {
                Specialisation::NotAlignment
            } else {
                Specialisation::Full
            }
        };
        let specialisation = (0..params.len()).map(one).collect();
        let pre_run_hooks = PyList::empty(function.py()).unbind();
        Ok(Self {
            function: function.unbind(),
            params,
            specialisation,
            annotations: annotations.iter().map(|text| ArgType::parse(text)).collect(),
            debug,
            build,
            pre_run_hooks,
            state: Mutex::default(),
        })
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, grid: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        launcher(slf, grid)
    }

    /// Compiles for these arguments, and launches where there is a grid.
    #[pyo3(signature = (grid, *args, **kwargs))]
    fn start_(
        slf: &Bound<'_, Self>,
        grid: Option<&Bound<'_, PyAny>>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<Py<CompiledKernel>>> {
        Self::start(slf, grid, &Keywords::of(kwargs)?.after(args))
    }

    /// Compiles for types instead of arguments: `types` has the type of every parameter as a signature writes it, or `constexpr` and the
    /// value. For the current device the kernel is loaded and kept; for a compute capability `arch` it is only compiled, as it is where it is
    /// not to be `kept`.
    #[pyo3(signature = (types, options, arch=None, kept=true))]
    fn compile_for(
        slf: &Bound<'_, Self>,
        types: Vec<Bound<'_, PyTuple>>,
        options: &Bound<'_, PyDict>,
        arch: Option<u32>,
        kept: bool,
    ) -> PyResult<Option<Py<CompiledKernel>>> {
        let (py, this) = (slf.py(), slf.get());
        let root = this.root(py)?;
        let (mut read, mut code) = (this.options(), None);
        for (name, value) in options {
            let name = name.cast_into::<PyString>().map_err(PyErr::from)?;
            match name.to_str()? {
                options::CODE => code = options::code(&value)?,
                _ => options::read(&root.name, &name, &value, &mut read)?,
            }
        }
        options::check(py, &read)?;
        let mut args = Vec::with_capacity(types.len());
        for (param, given) in this.params.iter().zip(&types) {
            args.push(options::argument(&param.text, given)?);
        }
        let place = if arch.is_none() { Some(Place::current(py)?) } else { None };
        let goal = match (&place, arch) {
            (Some(place), _) => Goal::here(place),
            (None, arch) => Goal::elsewhere(py, arch.unwrap_or_default())?,
        };
        let options = CompileOptions { lines: lines(), ..read };
        let form = Form { root, args, options, target: goal.target, code };
        let compiled = match kept {
            true => Self::load(slf, form, &[], &goal, true)?.map(|(compiled, _)| compiled),
            false => {
                let build = || form.build(goal.is_simulated, &this.build);
                let (compiled, remarks) = py.detach(build).map_err(|faults| error::of_compilation(py, &faults))?;
                this.tell(py, &remarks)?;
                Some(Arc::new(compiled))
            }
        };
        compiled.map(|compiled| this.kernel(py, compiled)).transpose()
    }

    /// Compiles for these arguments and a compute capability, without a launch.
    #[pyo3(signature = (arch, *args, **kwargs))]
    fn warm_for(
        slf: &Bound<'_, Self>,
        arch: u32,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<Py<CompiledKernel>>> {
        let (py, this) = (slf.py(), slf.get());
        let root = this.root(py)?;
        let keywords = Keywords::of(kwargs)?;
        let mut given = Given::new(this.options());
        given.bind(py, &root.name, &this.params, &keywords.after(args))?;
        let entries = this.entries(py, &root, &given.objects)?;
        let call = Call { entries, options: &given.options, code: given.code.as_ref() };
        let compiled = Self::compile(slf, &call, &root, &Goal::elsewhere(py, arch)?, true)?;
        compiled.map(|(compiled, _)| this.kernel(py, compiled)).transpose()
    }

    /// Keeps a kernel of this function that was compiled apart, for the current device.
    fn adopt(&self, py: Python<'_>, kernel: &Bound<'_, CompiledKernel>) -> PyResult<()> {
        let (place, compiled) = (Place::current(py)?, kernel.get().compiled.clone());
        self.state().forms.entry((place.ordinal, compiled.hash.clone())).or_insert(compiled);
        Ok(())
    }

    /// The kernels that are kept: one for each set of arguments that is told apart, and those that no launch has asked for.
    fn kept(&self, py: Python<'_>) -> PyResult<Vec<Py<CompiledKernel>>> {
        let mut found: Vec<Arc<Compiled>> = Vec::new();
        {
            let state = self.state();
            found.extend(state.kernels.values().cloned());
            let is_new = |form: &&Arc<Compiled>| found.iter().all(|known| !Arc::ptr_eq(known, form));
            let rest: Vec<_> = state.forms.values().filter(is_new).cloned().collect();
            found.extend(rest);
        }
        found.into_iter().map(|compiled| self.kernel(py, compiled)).collect()
    }

    /// The global numbers and types that the kernel was compiled with: name, value and globals.
    fn constants_used<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let linkage = self.state().root.clone();
        let watched = linkage.iter().flat_map(|linkage| linkage.watched.iter());
        watched.filter_map(|one| one.constant(py).transpose()).collect()
    }

    /// The names of the parameters that are constants at compile time.
    fn constexprs(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let root = self.root(py)?;
        let is_constexpr = |param: &&DeclaredParam| param.role == ParamRole::Constexpr;
        Ok(root.declared.iter().filter(is_constexpr).map(|param| param.name.clone()).collect())
    }

    /// What is called with the arguments before each launch.
    #[getter]
    fn pre_run_hooks<'py>(&self, py: Python<'py>) -> Bound<'py, PyList> {
        self.pre_run_hooks.bind(py).clone()
    }

    /// Forgets what was compiled and linked.
    fn forget(&self) {
        self.replace(State::default());
    }

    /// A digest of the text of the kernel and of everything that it needs.
    fn source_digest(&self, py: Python<'_>) -> PyResult<String> {
        Ok(tk_launch::digest(&self.root(py)?.linked.module.file.whole()))
    }
}

impl Function {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Compiles for these arguments, and launches where there is a grid.
    pub(crate) fn start<'a, 'py>(
        slf: &'a Bound<'py, Self>,
        grid: Option<&Bound<'py, PyAny>>,
        args: &Arguments<'a, 'py>,
    ) -> PyResult<Option<Py<CompiledKernel>>> {
        let (py, this) = (slf.py(), slf.get());
        let root = this.root(py)?;
        let mut given = Given::new(this.options());
        given.bind(py, &root.name, &this.params, args)?;
        let (spot, mut reading) = (Spot::current(py)?, Reading::default());
        let is_short = match spot {
            Some(spot) if given.code.is_none() => reading.read(&given.objects, &given.options, &root, spot.ordinal)?,
            Some(_) | None => false,
        };
        let plan = match is_short {
            true => this.state().plans.get(reading.words.as_slice()).cloned(),
            false => None,
        };
        if let (None, Some(plan)) = (grid, &plan) {
            return Ok(Some(plan.kernel.clone_ref(py)));
        }
        if let (Some(grid), Some(spot), Some(plan)) = (grid, spot, &plan)
            && !has_launch_hooks()
        {
            this.call_pre_run_hooks(py, args)?;
            let axes = read_grid(grid, &|| this.by_name(py, &given.objects, args))?;
            reading.launch(py, plan, spot, axes)?;
            return Ok(Some(plan.kernel.clone_ref(py)));
        }
        let Some(compiled) = Self::long_start(slf, grid, args, &root, &given, spot)? else { return Ok(None) };
        let kernel = this.kernel(py, compiled.clone())?;
        if is_short && plan.is_none() {
            let plan = Plan { compiled, kernel: kernel.clone_ref(py) };
            this.state().plans.insert(reading.words.into_boxed_slice(), Arc::new(plan));
        }
        Ok(Some(kernel))
    }

    /// Puts another state in place of the one there is, whose objects go after the lock: they may be programs' own, with code for their end.
    fn replace(&self, state: State) {
        let before = std::mem::replace(&mut *self.state(), state);
        drop(before);
    }

    /// Keeps a kernel for launches with the same key.
    fn keep(&self, key: Key, entries: &Entries<'_>, compiled: &Arc<Compiled>) {
        let (functions, objects) = (functions_of(&entries.values), objects_of(&entries.values));
        let mut state = self.state();
        let kept = functions.into_iter().chain(objects).map(|object| (object.as_ptr() as usize, object.unbind()));
        state.kept.extend(kept);
        state.kernels.insert(key, compiled.clone());
    }

    fn kernel(&self, py: Python<'_>, compiled: Arc<Compiled>) -> PyResult<Py<CompiledKernel>> {
        Py::new(py, CompiledKernel::new(compiled, self.params.len()))
    }

    /// The options of a launch that says nothing of them.
    fn options(&self) -> CompileOptions {
        let (debug, fp_fusion, language) = (self.debug, default_fp_fusion(), language());
        CompileOptions { debug, fp_fusion, language, ..CompileOptions::default() }
    }

    /// A launch that the short path does not know, or is not for.
    fn long_start<'py>(
        slf: &Bound<'py, Self>,
        grid: Option<&Bound<'py, PyAny>>,
        args: &Arguments<'_, 'py>,
        root: &Arc<Root>,
        given: &Given<'_, 'py>,
        spot: Option<Spot>,
    ) -> PyResult<Option<Arc<Compiled>>> {
        let (py, this) = (slf.py(), slf.get());
        let place = Place::at(py, spot)?;
        let entries = this.entries(py, root, &given.objects)?;
        let call = Call { entries, options: &given.options, code: given.code.as_ref() };
        let key = Key::of(&call.entries, call.options, root, place.ordinal)?.with_code(call.code);
        let known = this.state().kernels.get(&key).cloned();
        let compiled = match known {
            Some(compiled) => compiled,
            None => {
                let made = Self::compile(slf, &call, root, &Goal::here(&place), grid.is_none())?;
                let Some((compiled, was_cached)) = made else { return Ok(None) };
                this.keep(key, &call.entries, &compiled);
                let kernel = CompiledKernel::new(compiled.clone(), this.params.len());
                py.import("tk._hooks")?.call_method1("compiled", (slf, kernel, was_cached, grid.is_none()))?;
                compiled
            }
        };
        if let Some(grid) = grid {
            this.call_pre_run_hooks(py, args)?;
            let by_name = || this.by_name(py, &given.objects, args);
            let axes = read_grid(grid, &by_name)?;
            let told = match has_launch_hooks() {
                true => Some((slf.as_any(), by_name()?)),
                false => None,
            };
            launch(py, &place, &compiled, axes, &call.entries.values, told)?;
        }
        Ok(Some(compiled))
    }

    fn call_pre_run_hooks<'py>(&self, py: Python<'py>, args: &Arguments<'_, 'py>) -> PyResult<()> {
        let hooks = self.pre_run_hooks.bind(py);
        if hooks.is_empty() {
            return Ok(());
        }
        let (args, kwargs) = args.objects(py)?;
        hooks.iter().try_for_each(|hook| hook.call(&args, Some(&kwargs)).map(|_| ()))
    }

    /// The arguments by name, as a grid function sees them.
    fn by_name<'py>(
        &self,
        py: Python<'py>,
        objects: &Objects<'_, 'py>,
        args: &Arguments<'_, 'py>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in &args.keywords {
            dict.set_item(name, value)?;
        }
        for (param, object) in self.params.iter().zip(objects) {
            dict.set_item(&param.name, object)?;
        }
        Ok(dict)
    }

    /// The arguments as the compiler sees them.
    fn entries<'py>(&self, py: Python<'py>, root: &Root, objects: &Objects<'_, 'py>) -> PyResult<Entries<'py>> {
        let mut entries = Entries::default();
        for (at, object) in objects.iter().enumerate() {
            let role = root.declared.get(at).map(|param| param.role).unwrap_or_default();
            let wrong = |error: PyErr| {
                let (param, kernel) = (&self.params[at].text, &root.name);
                PyTypeError::new_err(format!("argument `{param}` of `{kernel}`: {}", error.value(py)))
            };
            let value = Value::of(object).map_err(wrong)?;
            if let Value::Int(value) = &value
                && role != tk_launch::ParamRole::Constexpr
            {
                check_range(*value, &self.params[at].text)?;
            }
            if role != ParamRole::Constexpr
                && let Some(object) = objects_of(std::slice::from_ref(&value)).first()
            {
                return Err(wrong(no_argument(object)));
            }
            entries.add(at, value, role);
        }
        Ok(entries)
    }

    /// The function with all that it calls, read when it is launched for the first time.
    fn root(&self, py: Python<'_>) -> PyResult<Arc<Root>> {
        let known = self.state().root.clone();
        if let Some(linkage) = known
            && linkage.texts == texts()
        {
            let mut is_same = true;
            for one in linkage.watched.iter() {
                is_same &= one.is_same(py)?;
            }
            if is_same {
                return Ok(linkage.root);
            }
        }
        let texts = texts();
        let (root, watched) = self.link(py, Passed::default())?;
        let root = Arc::new(root);
        let linkage = Linkage { root: root.clone(), watched: watched.into(), texts };
        self.replace(State { root: Some(linkage), ..State::default() });
        Ok(root)
    }

    fn link<'py>(&self, py: Python<'py>, passed: Passed<Bound<'py, PyAny>>) -> PyResult<(Root, Vec<Watched>)> {
        let mut running = Running::new(py)?;
        let kernel = running.function(self.function.bind(py))?;
        let linked = tk_import::link_program(&mut running, kernel, passed);
        if let Some(failure) = running.failure {
            return Err(failure);
        }
        let linked = linked.map_err(|faults| error::exception(py, &faults))?;
        let Some(function) = linked.module.functions().next() else {
            return Err(PyTypeError::new_err("tk.jit takes a function that is defined with def"));
        };
        let (name, declared) = (function.name.text.clone(), self.declared(&linked.module, function));
        for (param, declared) in self.params.iter().zip(&declared) {
            if declared.role == ParamRole::Constexpr && declared.specialisation == Specialisation::Nothing {
                let message = format!("{} marked as constexpr and listed in do_not_specialize", param.text);
                let help = "Remove it from the list: kernels are compiled for each value of a constexpr.";
                let label = function.name.span;
                let error = Diagnostic::error(tk_diag::BAD_ARGUMENT, message).at(&linked.module.file, label, "");
                return Err(error::one(py, &error.help(help)));
            }
        }
        Ok((Root { linked, name, declared }, running.watched))
    }

    fn declared(&self, module: &tk_grammar::ast::Module, function: &FunctionDef) -> Vec<DeclaredParam> {
        let declared = tk::declared_params(module, function);
        let with = |(at, param): (usize, DeclaredParam)| DeclaredParam {
            specialisation: self.specialisation.get(at).copied().unwrap_or_default(),
            annotation: param.annotation.or_else(|| self.annotations.get(at)?.clone()),
            ..param
        };
        declared.into_iter().enumerate().map(with).collect()
    }

    /// Specialises and compiles. Launches that need the same kernel share it.
    fn compile<'py>(
        slf: &Bound<'py, Self>,
        call: &Call<'_, 'py>,
        root: &Arc<Root>,
        goal: &Goal<'_>,
        is_warmup: bool,
    ) -> PyResult<Option<(Arc<Compiled>, bool)>> {
        let (py, this) = (slf.py(), slf.get());
        let (passed, objects) = (functions_of(&call.entries.values), objects_of(&call.entries.values));
        let running = Running::new(py)?;
        let texts: Vec<_> = passed.iter().map(|object| running.function(object)).collect::<PyResult<_>>()?;
        let identities: Vec<u64> = texts.iter().map(|(excerpt, _)| excerpt.identity).collect();
        let root = match passed.is_empty() && objects.is_empty() {
            true => root.clone(),
            false => Arc::new(this.link(py, Passed { functions: texts, objects: running.objects(&objects)? })?.0),
        };
        let name_of = |object: &Bound<'py, PyAny>| {
            if let Some(at) = objects.iter().position(|known| known.is(object)) {
                return Some(passed_name(at));
            }
            let at = passed.iter().position(|known| known.is(object))?;
            let part = *root.linked.parts.get(&identities[at])?;
            let function = root.linked.module.at_part(part).functions().next()?.name.text.clone();
            Some(format!("{function}@{part}"))
        };
        let mut values = Vec::with_capacity(call.entries.values.len());
        for value in &call.entries.values {
            values.push(launch_value(value, goal.is_simulated, &name_of)?);
        }
        let declared: Vec<DeclaredParam> =
            call.entries.params.iter().map(|param| root.declared.get(*param).cloned().unwrap_or_default()).collect();
        let args = tk_launch::specialise(&values, &declared).map_err(|fault| error::one(py, &fault))?;
        let code = call.code.cloned();
        let options = CompileOptions { lines: lines(), ..call.options.clone() };
        let form = Form { root, args, options, target: goal.target, code };
        Self::load(slf, form, &values, goal, is_warmup)
    }

    /// Compiles and loads, and says whether that was done before. `values` are the arguments, where there are any. Nothing where a hook
    /// of the program takes the compilation over.
    fn load(
        slf: &Bound<'_, Self>,
        mut form: Form,
        values: &[LaunchValue],
        goal: &Goal<'_>,
        is_warmup: bool,
    ) -> PyResult<Option<(Arc<Compiled>, bool)>> {
        let (py, this) = (slf.py(), slf.get());
        let hash = py.detach(|| {
            if !values.is_empty() {
                form.notice_whole_blocks(values);
            }
            form.hash(&this.build)
        });
        let key = goal.place.map(|place| (place.ordinal, hash.clone()));
        let known = key.as_ref().and_then(|key| this.state().forms.get(key).cloned());
        let hooks = py.import("tk._hooks")?;
        if let (Some(known), Some(place)) = (known, goal.place) {
            // One that was compiled apart from launches is not on the device yet.
            bring(&hooks, &known, place, &hash)?;
            return Ok(Some((known, true)));
        }
        let told = (slf, &hash, types(py, &form)?, kernel::options(py, &form.options)?, is_warmup);
        let answer = hooks.call_method1("before_compilation", told)?;
        let (compiled, was_cached) = if let Ok(kernel) = answer.cast::<CompiledKernel>() {
            (kernel.get().compiled.clone(), true)
        } else if answer.is_truthy()? {
            return Ok(None);
        } else {
            let built = py.detach(|| form.build(goal.is_simulated, &this.build));
            let (compiled, remarks) = built.map_err(|faults| error::of_compilation(py, &faults))?;
            this.tell(py, &remarks)?;
            (Arc::new(compiled), remarks.was_cached)
        };
        hooks.call_method1("name", (slf, this.kernel(py, compiled.clone())?))?;
        if let (Some(place), Some(key)) = (goal.place, key) {
            bring(&hooks, &compiled, place, &hash)?;
            this.state().forms.insert(key, compiled.clone());
        }
        Ok(Some((compiled, was_cached)))
    }

    /// Prints what `static_print` printed, and passes warnings on.
    fn tell(&self, py: Python<'_>, remarks: &Remarks) -> PyResult<()> {
        if remarks.warnings.is_empty() && remarks.printed.is_empty() {
            return Ok(());
        }
        let module = py.import("tk._source")?;
        for line in &remarks.printed {
            module.call_method1("print_line", (line,))?;
        }
        for warning in &remarks.warnings {
            module.call_method1("warn", (render(warning, Style::Plain).trim_end(), warning.code.slug))?;
        }
        Ok(())
    }
}

/// Loads a kernel on a device where it is not yet, between the hooks of loads.
fn bring(hooks: &Bound<'_, PyModule>, compiled: &Compiled, place: &Place, hash: &str) -> PyResult<()> {
    if compiled.loaded.on(place.ordinal).is_some() {
        return Ok(());
    }
    hooks.call_method1("loading", (&compiled.image.entry, hash, true))?;
    let load = || compiled.load(&place.device, place.ordinal).map(|_| ());
    hooks.py().detach(load).map_err(|faults| error::exception(hooks.py(), &faults))?;
    hooks.call_method1("loading", (&compiled.image.entry, hash, false))?;
    Ok(())
}
