//! Jit functions and their launches.
//!
//! A launch binds its arguments to parameters, reads what each is, and makes a key of what the kernel depends on: the types, the facts of
//! numbers and addresses, the constants, the options and the device. A kernel that is known by its key is launched at once, on a GPU by the
//! short path of [`crate::warm`]. Otherwise the function is linked and specialised, and compiled where no earlier launch has made the same
//! kernel.

use crate::bind::{Given, Objects, Param, bind};
use crate::compile::{Compiled, Form, Remarks, Root};
use crate::device::{Place, Spot, has_launch_hooks};
use crate::entries::Entries;
use crate::error;
use crate::kernel::CompiledKernel;
use crate::key::Key;
use crate::launch::launch;
use crate::link::{Running, Sourced, Watched};
use crate::options;
use crate::simulate;
use crate::value::{Value, grid as read_grid};
use crate::warm::{Plan, Reading};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use tk_diag::{Diagnostic, Style, render};
use tk_grammar::ast::FunctionDef;
use tk_launch::{DeclaredParam, LaunchValue, ParamRole, Specialisation};
use tk_types::CompileOptions;

/// What is known of a function after its first launch.
#[derive(Default)]
struct State {
    /// Linked, without functions that launches pass, and the globals that it was linked with.
    root: Option<(Arc<Root>, Arc<[Watched]>)>,
    kernels: FxHashMap<Key, Arc<Compiled>>,
    /// The same for launches of the short path.
    plans: FxHashMap<Box<[u64]>, Arc<Plan>>,
    /// The same kernels by GPU and by what they were compiled for, which several keys may share.
    forms: FxHashMap<(Option<usize>, String), Arc<Compiled>>,
}

/// A `@tk.jit` function. `tk.runtime.jit.JITFunction` is its subclass in Python.
#[pyclass(subclass, frozen, module = "tk._native")]
pub(crate) struct Function {
    function: Py<PyAny>,
    params: Vec<Param>,
    /// Parameters of whose values launches assume nothing, or no multiple of 16.
    specialisation: Vec<Specialisation>,
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
}

/// `function[grid]`.
#[pyclass(frozen, module = "tk._native")]
pub(crate) struct BoundGrid {
    function: Py<Function>,
    grid: Py<PyAny>,
}

#[pymethods]
impl BoundGrid {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<CompiledKernel>> {
        Function::start(self.function.bind(py), Some(self.grid.bind(py)), args, kwargs)
    }
}

#[pymethods]
impl Function {
    /// `params` are pairs of a name and a default, or a name alone; the lists have names and positions.
    #[new]
    #[pyo3(signature = (function, params, do_not_specialize, do_not_specialize_on_alignment, debug, build))]
    fn new(
        function: Bound<'_, PyAny>,
        params: Vec<Bound<'_, PyTuple>>,
        do_not_specialize: Vec<Bound<'_, PyAny>>,
        do_not_specialize_on_alignment: Vec<Bound<'_, PyAny>>,
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
            debug,
            build,
            pre_run_hooks,
            state: Mutex::default(),
        })
    }

    fn __getitem__(slf: Bound<'_, Self>, grid: Py<PyAny>) -> BoundGrid {
        BoundGrid { function: slf.unbind(), grid }
    }

    /// Compiles for these arguments, and launches where there is a grid.
    #[pyo3(signature = (grid, *args, **kwargs))]
    fn start_(
        slf: &Bound<'_, Self>,
        grid: Option<&Bound<'_, PyAny>>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<CompiledKernel>> {
        Self::start(slf, grid, args, kwargs)
    }

    /// Compiles for types instead of arguments: `types` has the type of every parameter as a signature writes it, or `constexpr` and the
    /// value.
    fn compile_for(
        slf: &Bound<'_, Self>,
        types: Vec<Bound<'_, PyTuple>>,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Py<CompiledKernel>> {
        let (py, this) = (slf.py(), slf.get());
        let root = this.root(py)?;
        let mut read = CompileOptions { debug: this.debug, ..CompileOptions::default() };
        for (name, value) in options {
            options::read(&root.name, &name.cast_into::<PyString>().map_err(PyErr::from)?, &value, &mut read)?;
        }
        read.check().map_err(PyValueError::new_err)?;
        let mut args = Vec::with_capacity(types.len());
        for (param, given) in this.params.iter().zip(&types) {
            args.push(options::argument(&param.text, given)?);
        }
        let place = Place::current(py)?;
        let form = Form { root, args, options: read, target: place.target() };
        let (compiled, _) = this.load(py, form, &[], &place)?;
        Py::new(py, CompiledKernel { compiled, parameters: this.params.len() })
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
        *self.state() = State::default();
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

    fn start(
        slf: &Bound<'_, Self>,
        grid: Option<&Bound<'_, PyAny>>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<CompiledKernel>> {
        let (py, this) = (slf.py(), slf.get());
        let root = this.root(py)?;
        let options = CompileOptions { debug: this.debug, ..CompileOptions::default() };
        let given = bind(&root.name, &this.params, args, kwargs, options)?;
        let spot = Spot::current(py)?;
        let reading = match spot {
            Some(spot) => Reading::of(&given.objects, &given.options, &root, spot.ordinal)?,
            None => None,
        };
        let plan = reading.as_ref().and_then(|reading| this.state().plans.get(reading.words.as_slice()).cloned());
        if let (Some(grid), Some(spot), Some(reading), Some(plan)) = (grid, spot, &reading, &plan)
            && !has_launch_hooks()
        {
            this.call_pre_run_hooks(py, args, kwargs)?;
            let axes = read_grid(grid, &|| this.by_name(py, &given.objects, kwargs))?;
            reading.launch(py, plan, spot, axes)?;
            return Ok(plan.kernel.clone_ref(py));
        }
        let compiled = Self::long_start(slf, grid, args, kwargs, &root, &given, spot)?;
        let kernel = Py::new(py, CompiledKernel { compiled: compiled.clone(), parameters: this.params.len() })?;
        if let Some(reading) = reading.filter(|_| plan.is_none()) {
            let plan = Plan { compiled, kernel: kernel.clone_ref(py) };
            this.state().plans.insert(reading.words.into_boxed_slice(), Arc::new(plan));
        }
        Ok(kernel)
    }

    /// A launch that the short path does not know, or is not for.
    fn long_start<'py>(
        slf: &Bound<'py, Self>,
        grid: Option<&Bound<'py, PyAny>>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        root: &Arc<Root>,
        given: &Given<'py>,
        spot: Option<Spot>,
    ) -> PyResult<Arc<Compiled>> {
        let (py, this) = (slf.py(), slf.get());
        let place = Place::at(py, spot)?;
        let call = Call { entries: this.entries(py, root, &given.objects)?, options: &given.options };
        let key = Key::of(&call.entries, call.options, root, place.ordinal)?;
        let known = this.state().kernels.get(&key).cloned();
        let compiled = match known {
            Some(compiled) => compiled,
            None => {
                let (compiled, was_cached) = this.compile(py, &call, root, &place)?;
                this.state().kernels.insert(key, compiled.clone());
                let kernel = CompiledKernel { compiled: compiled.clone(), parameters: this.params.len() };
                py.import("tk._hooks")?.call_method1("compiled", (slf, kernel, was_cached, grid.is_none()))?;
                compiled
            }
        };
        if let Some(grid) = grid {
            this.call_pre_run_hooks(py, args, kwargs)?;
            let by_name = || this.by_name(py, &given.objects, kwargs);
            let axes = read_grid(grid, &by_name)?;
            let told = match has_launch_hooks() {
                true => Some((slf.as_any(), by_name()?)),
                false => None,
            };
            launch(py, &place, &compiled, axes, &call.entries.values, told)?;
        }
        Ok(compiled)
    }

    fn call_pre_run_hooks(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        for hook in self.pre_run_hooks.bind(py).iter() {
            hook.call(args, kwargs)?;
        }
        Ok(())
    }

    /// The arguments by name, as a grid function sees them.
    fn by_name<'py>(
        &self,
        py: Python<'py>,
        objects: &Objects<'py>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = match kwargs {
            Some(kwargs) => kwargs.copy()?,
            None => PyDict::new(py),
        };
        for (param, object) in self.params.iter().zip(objects) {
            dict.set_item(&param.name, object)?;
        }
        Ok(dict)
    }

    /// The arguments as the compiler sees them.
    fn entries<'py>(&self, py: Python<'py>, root: &Root, objects: &Objects<'py>) -> PyResult<Entries<'py>> {
        let mut entries = Entries::default();
        for (at, object) in objects.iter().enumerate() {
            let role = root.declared.get(at).map(|param| param.role).unwrap_or_default();
            let value = Value::of(object).map_err(|error| {
                PyTypeError::new_err(format!(
                    "argument `{}` of `{}`: {}",
                    self.params[at].text,
                    root.name,
                    error.value(py)
                ))
            })?;
            entries.add(at, value, role);
        }
        Ok(entries)
    }

    /// The function with all that it calls, read when it is launched for the first time.
    fn root(&self, py: Python<'_>) -> PyResult<Arc<Root>> {
        let known = self.state().root.clone();
        if let Some((root, watched)) = known {
            let mut is_same = true;
            for one in watched.iter() {
                is_same &= one.is_same(py)?;
            }
            if is_same {
                return Ok(root);
            }
        }
        let (root, watched) = self.link(py, Vec::new())?;
        let root = Arc::new(root);
        *self.state() = State { root: Some((root.clone(), watched.into())), ..State::default() };
        Ok(root)
    }

    fn link<'py>(&self, py: Python<'py>, passed: Vec<Sourced<'py>>) -> PyResult<(Root, Vec<Watched>)> {
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
        Ok((Root { linked, name, declared }, running.watched))
    }

    fn declared(&self, module: &tk_grammar::ast::Module, function: &FunctionDef) -> Vec<DeclaredParam> {
        let declared = tk::declared_params(module, function);
        let with = |(at, param): (usize, DeclaredParam)| DeclaredParam {
            specialisation: self.specialisation.get(at).copied().unwrap_or_default(),
            ..param
        };
        declared.into_iter().enumerate().map(with).collect()
    }

    /// Specialises and compiles. Launches that need the same kernel share it.
    fn compile<'py>(
        &self,
        py: Python<'py>,
        call: &Call<'_, 'py>,
        root: &Arc<Root>,
        place: &Place,
    ) -> PyResult<(Arc<Compiled>, bool)> {
        let passed = functions_of(&call.entries.values);
        let running = Running::new(py)?;
        let texts: Vec<Sourced<'py>> = passed.iter().map(|object| running.function(object)).collect::<PyResult<_>>()?;
        let identities: Vec<u64> = texts.iter().map(|(excerpt, _)| excerpt.identity).collect();
        let root = if passed.is_empty() { root.clone() } else { Arc::new(self.link(py, texts)?.0) };
        let name_of = |object: &Bound<'py, PyAny>| {
            let at = passed.iter().position(|known| known.is(object))?;
            let part = *root.linked.parts.get(&identities[at])?;
            let function = root.linked.module.at_part(part).functions().next()?.name.text.clone();
            Some(format!("{function}@{part}"))
        };
        let mut values = Vec::with_capacity(call.entries.values.len());
        for value in &call.entries.values {
            values.push(launch_value(value, place.ordinal.is_none(), &name_of)?);
        }
        let declared: Vec<DeclaredParam> =
            call.entries.params.iter().map(|param| root.declared.get(*param).cloned().unwrap_or_default()).collect();
        let args = tk_launch::specialise(&values, &declared).map_err(|fault| error::one(py, &fault))?;
        let form = Form { root, args, options: call.options.clone(), target: place.target() };
        self.load(py, form, &values, place)
    }

    /// Compiles and loads, and says whether that was done before. `values` are the arguments, where there are any.
    fn load(
        &self,
        py: Python<'_>,
        mut form: Form,
        values: &[LaunchValue],
        place: &Place,
    ) -> PyResult<(Arc<Compiled>, bool)> {
        let work = || -> Result<(Arc<Compiled>, Remarks), Vec<Diagnostic>> {
            if !values.is_empty() {
                form.notice_whole_blocks(values);
            }
            let key = (place.ordinal, form.key(&self.build));
            if let Some(known) = self.state().forms.get(&key) {
                return Ok((known.clone(), Remarks { was_cached: true, ..Remarks::default() }));
            }
            let (compiled, remarks) = form.load(&place.device, &key.1)?;
            let compiled = Arc::new(compiled);
            self.state().forms.insert(key, compiled.clone());
            Ok((compiled, remarks))
        };
        let (compiled, remarks) = py.detach(work).map_err(|faults| error::exception(py, &faults))?;
        self.tell(py, &remarks)?;
        Ok((compiled, remarks.was_cached))
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

/// The jit functions among the arguments, each once.
fn functions_of<'py>(values: &[Value<'py>]) -> Vec<Bound<'py, PyAny>> {
    let mut found: Vec<Bound<'py, PyAny>> = Vec::new();
    for value in values {
        let inner = match value {
            Value::Function(object) => vec![object.clone()],
            Value::Tuple(items) => functions_of(items),
            _ => Vec::new(),
        };
        for object in inner {
            if found.iter().all(|known| !known.is(&object)) {
                found.push(object);
            }
        }
    }
    found
}

fn launch_value<'py>(
    value: &Value<'py>,
    is_simulated: bool,
    name_of: &dyn Fn(&Bound<'py, PyAny>) -> Option<String>,
) -> PyResult<LaunchValue> {
    Ok(match value {
        Value::Tensor(tensor) => {
            let address = if is_simulated { simulate::address_in_storage(tensor)? } else { tensor.address };
            LaunchValue::Tensor { dtype: tensor.dtype, address }
        }
        Value::Descriptor(descriptor) => LaunchValue::Descriptor(descriptor.ty.clone()),
        Value::Constant(constant) => LaunchValue::Constant(constant.clone()),
        other => match other.constant(name_of) {
            Some(constant) => LaunchValue::Value(constant),
            None => return Err(PyTypeError::new_err("a constexpr takes numbers, strings, types and tuples of them")),
        },
    })
}
