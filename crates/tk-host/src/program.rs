//! What runs a file: `main`, tests and benchmarks of a module.

use crate::bench::BenchOutcome;
use crate::exception::{Exception, Result as Raised};
use crate::exchange::{HostArray, returned};
use crate::interpreter::{Args, Interpreter, Limits, suggestion};
use crate::launch::{BenchOptions, DeviceProperty, LaunchRequest, Launcher};
use crate::value::{Scope, Value};
use std::io::Write;
use tk_diag::{Diagnostic, HOST_ERROR, Result, SourceFile, USAGE};
use tk_grammar::ast::{Argument, ExprKind, FunctionDef, Module, ParamKind, StmtKind};
use tk_grammar::literal::{Assignment, Literal};
use tk_target::{DEFAULT_MULTIPROCESSORS, Target, WARP_SIZE};
use tk_types::CompileOptions;

/// Cases that one parametrized test may have.
const MAX_CASES: usize = 10_000;

/// A file whose host functions can be run.
pub struct HostProgram {
    /// The file, and those that it imports.
    modules: Vec<Module>,
    limits: Limits,
    options: CompileOptions,
}

/// The arrays of a run.
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    /// For parameters of `main`, or module-level names.
    pub given: Vec<(String, HostArray)>,
    /// How many of the tensors that `main` returns are wanted.
    pub wanted: usize,
}

/// What the caller gives a name.
enum Given<'g> {
    Literal(&'g Literal),
    Array(&'g HostArray),
}

impl Given<'_> {
    /// The option of the command line that gives it.
    fn option(&self) -> &'static str {
        match self {
            Given::Literal(_) => "-D",
            Given::Array(_) => "--load",
        }
    }
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    /// It returned.
    Passed,
    /// It called `pytest.skip`.
    Skipped,
}

/// The numbers that a benchmark returned.
fn figures(value: &Value<'_>) -> Vec<f64> {
    let figure = |value: &Value<'_>| match value {
        Value::Float(figure) => Some(*figure),
        Value::Int(figure) => Some(*figure as f64),
        _ => None,
    };
    match value {
        Value::Tuple(items) => items.iter().filter_map(figure).collect(),
        Value::List(items) => items.borrow().iter().filter_map(figure).collect(),
        value => figure(value).into_iter().collect(),
    }
}

/// The values of one case of a parametrized test, and its name in brackets.
struct Case<'a> {
    id: String,
    values: Vec<(&'a str, Value<'a>)>,
}

impl HostProgram {
    /// Takes a file as the grammar read it.
    pub fn new(module: Module) -> Self {
        let modules = (0..module.imports.parts.len()).map(|part| module.at_part(part)).collect();
        Self { modules, limits: Limits::default(), options: CompileOptions::default() }
    }

    /// Sets how much the program may do.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets what launches compile with unless they say otherwise.
    pub fn with_options(mut self, options: CompileOptions) -> Self {
        self.options = options;
        self
    }

    /// The file.
    pub fn module(&self) -> &Module {
        &self.modules[0]
    }

    /// Runs the module and its `main`; a file without `main` is run as a script (`__name__ == "__main__"`).
    /// `definitions` are the `-D name=value` of the command line: parameters of `main`, or module-level names.
    pub fn run_main(
        &self,
        definitions: &[Assignment],
        launcher: &mut dyn Launcher,
        output: &mut dyn Write,
    ) -> Result<()> {
        self.run_main_with(definitions, &Arrays::default(), launcher, output).map(|_| ())
    }

    /// The same with arrays for parameters of `main`, or module-level names. Gives as many of the tensors that `main` returns as are wanted.
    ///
    /// # Errors
    /// Those of the program; an array for a name that is not there; fewer tensors than are wanted, or one with elements that nothing wrote.
    pub fn run_main_with(
        &self,
        definitions: &[Assignment],
        arrays: &Arrays,
        launcher: &mut dyn Launcher,
        output: &mut dyn Write,
    ) -> Result<Vec<HostArray>> {
        let main = self.host_function("main");
        let is_script =
            self.module().body.iter().any(|stmt| matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Expr(_)));
        if main.is_none() && !is_script {
            let diagnostic =
                Diagnostic::error(USAGE, format!("`{}` has no function `main` to run", self.file().name()));
            return Err(diagnostic.help("write `def main():`, or compile a kernel with `tk compile`").boxed());
        }
        let mut results = Vec::new();
        self.with_interpreter(launcher, output, |this| {
            let params: Vec<&str> =
                main.map_or(Vec::new(), |main| main.params.iter().map(|param| param.name.text.as_str()).collect());
            let mut args = Args { span: main.map_or_else(Default::default, |main| main.name.span), ..Args::default() };
            let literals = definitions.iter().map(|Assignment { name, value }| (name, Given::Literal(value)));
            let mut seen: Vec<&str> = Vec::new();
            for (name, value) in literals.chain(arrays.given.iter().map(|(name, array)| (name, Given::Array(array)))) {
                let option = value.option();
                if seen.contains(&name.as_str()) {
                    return Err(Exception::new(
                        "ValueError",
                        USAGE,
                        format!("`{option} {name}=…`: `{name}` is given twice"),
                    ));
                }
                seen.push(name);
                let value = match value {
                    Given::Literal(value) => defined_value(this, value),
                    Given::Array(array) => Value::Tensor(array.tensor()?),
                };
                if params.contains(&name.as_str()) {
                    args.named.push((name.as_str().into(), value));
                } else if self.has_global(name) {
                    this.overrides.push((name.clone(), value));
                } else {
                    return Err(self.unknown_override(option, name, &params));
                }
            }
            match main {
                None => this.run_module("__main__"),
                Some(_) => {
                    this.run_module("__tk__")?;
                    let value = self.call_named(this, "main", args)?;
                    results = returned(&value, arrays.wanted)?;
                    Ok(())
                }
            }
        })?;
        match results.len() == arrays.wanted {
            true => Ok(results),
            false => {
                Err(Diagnostic::error(USAGE, "a script without `main` returns nothing that could be saved").boxed())
            }
        }
    }

    /// The tests: functions `test_*` without required parameters, and one entry per case of
    /// `@pytest.mark.parametrize`, as `test_name[case]`.
    pub fn tests(&self) -> Vec<String> {
        let mut names = Vec::new();
        for function in
            self.module().functions().filter(|function| function.name.text.starts_with("test_") && !function.is_jit())
        {
            match self.case_ids(function) {
                Ok(Some(ids)) => names.extend(ids.into_iter().map(|id| format!("{}[{id}]", function.name.text))),
                Ok(None) if requires_arguments(function) => {}
                // What is wrong with the cases is told when the test runs.
                _ => names.push(function.name.text.clone()),
            }
        }
        names
    }

    /// Runs one of [`Self::tests`]; the name of a parametrized test without a case runs all its cases.
    pub fn run_test(&self, name: &str, launcher: &mut dyn Launcher, output: &mut dyn Write) -> Result<TestOutcome> {
        let (function_name, id) = match name.split_once('[') {
            Some((function, id)) => (function, Some(id.strip_suffix(']').unwrap_or(id))),
            None => (name, None),
        };
        let function = self.host_function(function_name).ok_or_else(|| self.unknown_test(name))?;
        let result = self.run_raw(launcher, output, |this| {
            this.run_module("__tk__")?;
            let args = || Args { span: function.name.span, ..Args::default() };
            let Some(cases) = cases(this, function)? else {
                return self.call_named(this, function_name, args()).map(|_| ());
            };
            let chosen: Vec<Case<'_>> = cases.into_iter().filter(|case| id.is_none_or(|id| case.id == id)).collect();
            if chosen.is_empty() {
                return Err(Exception::new("ValueError", USAGE, format!("there is no test `{name}`")));
            }
            for case in chosen {
                let mut args = args();
                args.named.extend(case.values.into_iter().map(|(name, value)| (name.into(), value)));
                let result = self.call_named(this, function_name, args);
                result.map_err(|exception| match id {
                    None if exception.class != "Skipped" => exception.note(format!("in the case [{}]", case.id)),
                    _ => exception,
                })?;
            }
            Ok(())
        });
        match result {
            Ok(()) => Ok(TestOutcome::Passed),
            Err(exception) if exception.class == "Skipped" => Ok(TestOutcome::Skipped),
            Err(exception) => Err(exception.into_diagnostic(self.file())),
        }
    }

    /// The benchmarks: functions `bench_*`, and functions under `@triton.testing.perf_report`.
    pub fn benches(&self) -> Vec<String> {
        let is_bench = |function: &&FunctionDef| {
            !function.is_jit()
                && ((function.name.text.starts_with("bench_") && !requires_arguments(function)) || is_report(function))
        };
        self.module().functions().filter(is_bench).map(|function| function.name.text.clone()).collect()
    }

    /// Runs one of [`Self::benches`]: the figures are what it returned, the tables are those of its `perf_report`s, in order.
    pub fn run_bench(&self, name: &str, launcher: &mut dyn Launcher, output: &mut dyn Write) -> Result<BenchOutcome> {
        self.run_bench_with(name, &[], launcher, output)
    }

    /// Runs a host function as a benchmark, with `arguments` by name, written as for `-D`.
    pub fn run_bench_with(
        &self,
        name: &str,
        arguments: &[Assignment],
        launcher: &mut dyn Launcher,
        output: &mut dyn Write,
    ) -> Result<BenchOutcome> {
        let function = self.host_function(name).ok_or_else(|| self.unknown_test(name))?;
        let mut outcome = BenchOutcome::default();
        self.with_interpreter(launcher, output, |this| {
            this.run_module("__tk__")?;
            let mut args = Args { span: function.name.span, ..Args::default() };
            for Assignment { name, value } in arguments {
                args.named.push((name.as_str().into(), defined_value(this, value)));
            }
            let value = this.globals.get(name);
            match value {
                Some(Value::Object(report)) if report.class == "PerfReport" => {
                    this.run_report(&report, args).map(|_| ())?
                }
                _ => {
                    let result = self.call_named(this, name, args)?;
                    outcome.figures = figures(&result);
                }
            }
            outcome.tables = std::mem::take(&mut this.tables);
            Ok(())
        })?;
        Ok(outcome)
    }

    fn file(&self) -> &SourceFile {
        &self.module().file
    }

    fn host_function(&self, name: &str) -> Option<&FunctionDef> {
        self.module().function(name).filter(|function| !function.is_jit())
    }

    fn has_global(&self, name: &str) -> bool {
        self.module().body.iter().any(|stmt| match &stmt.kind {
            StmtKind::Assign { targets, .. } => {
                matches!(&targets[0].kind, ExprKind::Name(target) if target == name)
            }
            StmtKind::AnnAssign { target, value: Some(_), .. } => {
                matches!(&target.kind, ExprKind::Name(target) if target == name)
            }
            _ => false,
        })
    }

    fn with_interpreter<'a>(
        &'a self,
        launcher: &mut dyn Launcher,
        output: &mut dyn Write,
        f: impl FnOnce(&mut Interpreter<'a, '_>) -> Raised<()>,
    ) -> Result<()> {
        self.run_raw(launcher, output, f).map_err(|exception| exception.into_diagnostic(self.file()))
    }

    fn run_raw<'a>(
        &'a self,
        launcher: &mut dyn Launcher,
        output: &mut dyn Write,
        f: impl FnOnce(&mut Interpreter<'a, '_>) -> Raised<()>,
    ) -> Raised<()> {
        let mut interpreter = Interpreter::new(&self.modules, launcher, output, self.limits, self.options.clone());
        let mut result = f(&mut interpreter);
        if interpreter.has_launched
            && let Err(fault) = interpreter.launcher.finish()
        {
            // A kernel that failed explains whatever went wrong after it.
            result = Err(Exception::from_diagnostic(fault));
        }
        // Functions hold the scope that holds them; clearing the names breaks the circle and frees the tensors.
        let imported = std::mem::take(&mut interpreter.imported);
        let scopes = imported.values().map(|module| &module.scope).chain([&interpreter.globals]);
        let names: Vec<_> = scopes.map(|scope| std::mem::take(&mut *scope.names.borrow_mut())).collect();
        drop(names);
        result
    }

    fn call_named<'a>(&'a self, this: &mut Interpreter<'a, '_>, name: &str, args: Args<'a>) -> Raised<Value<'a>> {
        let value = this.globals.get(name);
        let value = value
            .ok_or_else(|| Exception::new("NameError", tk_diag::UNKNOWN_NAME, format!("`{name}` is not defined")))?;
        let mut result = this.call(&value, args);
        if let Err(exception) = &mut result {
            // The outermost entry would say that the program was called at its own name.
            exception.trace.pop();
        }
        result
    }

    fn case_ids(&self, function: &FunctionDef) -> std::result::Result<Option<Vec<String>>, ()> {
        if !function.decorators.iter().any(is_parametrize) {
            return Ok(None);
        }
        let mut ids = None;
        let mut launcher = NoDevice;
        let result = self.run_raw(&mut launcher, &mut std::io::sink(), |this| {
            this.run_module("__tk__")?;
            let Some(function) = self.host_function(&function.name.text) else { return Ok(()) };
            ids = cases(this, function)?.map(|cases| cases.into_iter().map(|case| case.id).collect());
            Ok(())
        });
        result.map(|()| ids).map_err(|_| ())
    }

    fn unknown_override(&self, option: &str, name: &str, params: &[&str]) -> Box<Exception> {
        let message = format!("`{option} {name}=…`: `main` has no parameter and the file no constant `{name}`");
        let exception = Exception::new("ValueError", USAGE, message);
        match suggestion(name, params.iter().copied()) {
            Some(help) => exception.help(help),
            None => exception.help(format!("the parameters of `main` are: {}", params.join(", "))),
        }
    }

    fn unknown_test(&self, name: &str) -> Box<Diagnostic> {
        let diagnostic = Diagnostic::error(USAGE, format!("`{}` has no function `{name}`", self.file().name()));
        let names: Vec<&str> = self.module().functions().map(|function| function.name.text.as_str()).collect();
        match suggestion(name, names) {
            Some(help) => diagnostic.help(help).boxed(),
            None => diagnostic.boxed(),
        }
    }
}

/// The device while the cases of tests are listed: it runs nothing.
struct NoDevice;

impl Launcher for NoDevice {
    fn launch(&mut self, _: &LaunchRequest<'_>) -> Result<()> {
        Err(Diagnostic::error(HOST_ERROR, "kernels cannot be launched while tests are listed").boxed())
    }

    fn bench(&mut self, _: &[LaunchRequest<'_>], _: &BenchOptions) -> Result<Vec<f64>> {
        Err(Diagnostic::error(HOST_ERROR, "kernels cannot be launched while tests are listed").boxed())
    }

    fn device_name(&self) -> String {
        "no device".to_string()
    }

    /// Files read properties of the device when they are loaded; the tests they list do not depend on the figures.
    fn property(&self, property: DeviceProperty) -> Option<i128> {
        let target = Target::default();
        Some(match property {
            DeviceProperty::Multiprocessors => i128::from(DEFAULT_MULTIPROCESSORS),
            DeviceProperty::MaxSharedMemory => i128::from(target.max_shared_bytes_per_cta()),
            DeviceProperty::MaxRegisters => i128::from(target.registers_per_sm()),
            DeviceProperty::WarpSize => i128::from(WARP_SIZE),
            DeviceProperty::ComputeCapability => i128::from(target.compute_capability().number()),
        })
    }
}

fn requires_arguments(function: &FunctionDef) -> bool {
    let optional = |kind: ParamKind| matches!(kind, ParamKind::VarArgs | ParamKind::KeywordArgs);
    function.params.iter().any(|param| param.default.is_none() && !optional(param.kind))
}

fn is_report(function: &FunctionDef) -> bool {
    function.decorators.iter().any(|decorator| {
        matches!(&decorator.kind, ExprKind::Call { func, .. }
        if func.dotted_name().is_some_and(|name| name.ends_with("perf_report")))
    })
}

fn is_parametrize(decorator: &tk_grammar::ast::Expr) -> bool {
    matches!(&decorator.kind, ExprKind::Call { func, .. }
        if func.dotted_name().is_some_and(|name| name.ends_with("mark.parametrize")))
}

/// The cases of a parametrized test: the product of its decorators, the innermost varying slowest, as in pytest.
fn cases<'a>(this: &mut Interpreter<'a, '_>, function: &'a FunctionDef) -> Raised<Option<Vec<Case<'a>>>> {
    let mut cases = vec![Case { id: String::new(), values: Vec::new() }];
    let mut found = false;
    for decorator in function.decorators.iter().rev().filter(|decorator| is_parametrize(decorator)) {
        let ExprKind::Call { args, .. } = &decorator.kind else { continue };
        let [Argument::Positional(names), Argument::Positional(values), ..] = args.as_slice() else {
            return Err(Exception::unsupported("parametrize needs names and values by position").at(decorator.span));
        };
        found = true;
        let globals = this.globals.clone();
        let names = parameter_names(this, function, names, &globals)?;
        let rows = this.eval(values, &globals)?;
        let rows = this.collect(&rows)?;
        let mut next = Vec::new();
        for case in &cases {
            for row in &rows {
                let row_values = match names.len() {
                    1 => vec![row.clone()],
                    _ => this.collect(row)?,
                };
                if row_values.len() != names.len() || next.len() >= MAX_CASES {
                    return Err(Exception::value("parametrize: each row needs one value per name").at(decorator.span));
                }
                let id: Vec<String> = row_values.iter().map(Value::display).collect();
                let id = if case.id.is_empty() { id.join("-") } else { format!("{}-{}", case.id, id.join("-")) };
                let values = case.values.iter().cloned().chain(names.iter().copied().zip(row_values)).collect();
                next.push(Case { id, values });
            }
        }
        cases = next;
    }
    Ok(found.then_some(cases))
}

/// The parameters that `"a, b"` or `["a", "b"]` names.
fn parameter_names<'a>(
    this: &mut Interpreter<'a, '_>,
    function: &'a FunctionDef,
    names: &'a tk_grammar::ast::Expr,
    scope: &std::rc::Rc<Scope<'a>>,
) -> Raised<Vec<&'a str>> {
    let texts: Vec<String> = match this.eval(names, scope)? {
        Value::Str(text) => {
            text.split(',').map(|name| name.trim().to_string()).filter(|name| !name.is_empty()).collect()
        }
        other => this.collect(&other)?.iter().map(Value::display).collect(),
    };
    let find = |text: &String| {
        let param = function.params.iter().find(|param| param.name.text == *text);
        param.map(|param| param.name.text.as_str()).ok_or_else(|| {
            Exception::value(format!("parametrize: `{}` has no parameter `{text}`", function.name.text)).at(names.span)
        })
    };
    texts.iter().map(find).collect()
}

/// The value of a definition: a name is a type of `torch`, or `true` or `false`, where it reads as one, else a string.
fn defined_value<'a>(this: &mut Interpreter<'a, '_>, value: &Literal) -> Value<'a> {
    match value {
        Literal::None => Value::None,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(value) => Value::Int(*value),
        Literal::Float(value) => Value::Float(*value),
        Literal::Str(text) => Value::str(text.as_str()),
        Literal::Name(name) if name == "true" => Value::Bool(true),
        Literal::Name(name) if name == "false" => Value::Bool(false),
        Literal::Name(name) => match this.path_member("torch", name.strip_prefix("torch.").unwrap_or(name)) {
            Ok(Value::Dtype(dtype)) => Value::Dtype(dtype),
            _ => Value::str(name.as_str()),
        },
        Literal::Tuple(items) => Value::tuple(items.iter().map(|item| defined_value(this, item)).collect()),
    }
}
