//! Python's builtins: a table of names and functions; every other path goes to its module's file.

mod attributes;
mod iteration;
mod numbers;

use super::{Args, Interpreter, modules, suggestion};
use crate::exception::{Exception, Result};
use crate::value::Value;
use std::rc::Rc;
use tk_diag::HOST_ERROR;

pub(crate) use numbers::{of_number, to_int};

/// A builtin function.
type Builtin = for<'a, 'o> fn(&mut Interpreter<'a, 'o>, Args<'a>) -> Result<Value<'a>>;

/// What else runs a program.
pub(crate) const PYTHON: &str = "the Python package of tk runs any program, with its packages: `python -m tk FILE`";

/// The functions that host code knows without an import.
const FUNCTIONS: &[(&str, Builtin)] = &[
    ("__import__", |_, args| super::imports::by_name("__import__", args)),
    ("abs", numbers::abs),
    ("all", iteration::all),
    ("any", iteration::any),
    ("bin", numbers::bin),
    ("bool", numbers::bool),
    ("callable", attributes::callable),
    ("chr", numbers::chr),
    ("complex", |_, _| Err(no_complex_numbers())),
    ("dict", iteration::dict),
    ("divmod", numbers::divmod),
    ("enumerate", iteration::enumerate),
    ("filter", iteration::filter),
    ("float", numbers::float),
    ("format", attributes::format),
    ("getattr", attributes::getattr),
    ("hasattr", attributes::hasattr),
    ("hash", |_, _| Err(unknown("hash"))),
    ("hex", numbers::hex),
    ("id", |_, _| Err(unknown("id"))),
    ("int", |_, args| to_int(args)),
    ("isinstance", attributes::isinstance),
    ("iter", iteration::list),
    ("len", iteration::len),
    ("list", iteration::list),
    ("map", iteration::map),
    ("max", |interpreter, args| iteration::extreme(interpreter, "max", args)),
    ("min", |interpreter, args| iteration::extreme(interpreter, "min", args)),
    ("next", |_, _| Err(unknown("next"))),
    ("object", |_, _| Err(unknown("object"))),
    ("ord", numbers::ord),
    ("pow", numbers::pow),
    ("print", print),
    ("range", iteration::range),
    ("repr", attributes::repr),
    ("reversed", iteration::reversed),
    ("round", numbers::round),
    ("set", iteration::set),
    ("slice", iteration::slice),
    ("sorted", iteration::sorted),
    ("str", attributes::str),
    ("sum", iteration::sum),
    ("super", |interpreter, args| interpreter.parent(args)),
    ("tuple", iteration::tuple),
    ("type", attributes::class),
    ("zip", iteration::zip),
];

const EXCEPTIONS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "MemoryError",
    "Exception",
    "ImportError",
    "IndexError",
    "KeyError",
    "LookupError",
    "NameError",
    "NotImplementedError",
    "OverflowError",
    "RuntimeError",
    "StopIteration",
    "TypeError",
    "ValueError",
    "ZeroDivisionError",
    "ModuleNotFoundError",
    "OSError",
];

/// The builtin with this name.
pub(crate) fn find(name: &str) -> Option<&'static str> {
    names().find(|known| *known == name)
}

/// The functions that host code can call: Python's, those of `torch`, and those of tensors.
pub fn function_names() -> Vec<&'static str> {
    let python = FUNCTIONS.iter().map(|(name, _)| *name);
    let python = python.filter(|name| !matches!(*name, "complex" | "hash" | "id" | "next" | "object"));
    python.chain(super::torch::names()).chain(super::tensor_functions::names()).collect()
}

/// All builtins, for suggestions.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name).chain(EXCEPTIONS.iter().copied())
}

impl<'a> Interpreter<'a, '_> {
    /// Calls a builtin or a function of a module.
    pub(crate) fn call_path(&mut self, path: &str, args: Args<'a>) -> Result<Value<'a>> {
        match path.split_once('.') {
            None if EXCEPTIONS.contains(&path) => {
                let message: Vec<String> = args.positional.iter().map(Value::display).collect();
                Ok(Value::Exception(Rc::new(*Exception::new(path, HOST_ERROR, message.join(", ")))))
            }
            None => match FUNCTIONS.iter().find(|(name, _)| *name == path) {
                Some((_, function)) => function(self, args),
                None => Err(unknown(path)),
            },
            Some(("math", name)) => super::math::call(name, args),
            Some(("importlib", "import_module")) => super::imports::by_name("importlib.import_module", args),
            Some(("functools", "partial")) => modules::partial(args),
            Some(("functools", "reduce")) => modules::reduce(self, args),
            Some(("itertools", name)) => modules::itertools(self, name, args),
            Some(("torch", name)) => self.torch(name, args),
            Some(("triton", name)) => self.triton(name, args),
            Some(("tl", name)) => self.triton(&format!("language.{name}"), args),
            Some(("pytest", name)) => modules::pytest(name, args),
            Some(("time", "time" | "perf_counter")) => {
                let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
                Ok(Value::Float(now.map(|time| time.as_secs_f64()).unwrap_or(0.0)))
            }
            Some(("random", "seed")) => Ok(Value::None),
            Some(("typing", "cast")) => args.positional.into_iter().nth(1).ok_or_else(|| unknown(path)),
            Some(("os", "environ.get" | "getenv")) => Ok(args.positional.into_iter().nth(1).unwrap_or(Value::None)),
            Some(_) => match self.package(path, &args)? {
                Some(value) => Ok(value),
                None => Err(unknown(path)),
            },
        }
    }
}

/// The error for a path that names nothing that tk has.
pub(crate) fn unknown(path: &str) -> Box<Exception> {
    let exception = Exception::unsupported(format!("`{path}` is not available in host code"));
    let last = path.rsplit('.').next().unwrap_or(path);
    let known = super::torch::names().chain(super::tensor_functions::names());
    match suggestion(last, known).filter(|_| path.starts_with("torch.")) {
        Some(help) => exception.help(help),
        None => exception.help(format!("docs/host.md lists what there is; {PYTHON}")),
    }
}

/// The error for `3j`, which is read as a call.
fn no_complex_numbers() -> Box<Exception> {
    Exception::unsupported("there are no complex numbers in host code").help(PYTHON)
}

fn print<'a>(interpreter: &mut Interpreter<'a, '_>, mut args: Args<'a>) -> Result<Value<'a>> {
    let separator = args.take("sep").map_or_else(|| " ".to_string(), |text| text.display());
    let end = args.take("end").map_or_else(|| "\n".to_string(), |text| text.display());
    args.ignore(&["flush", "file"]);
    if let Some((name, _)) = args.named.first() {
        return Err(Exception::argument(format!("`print` has no argument `{name}`")));
    }
    let texts: Vec<String> = args.positional.iter().map(Value::display).collect();
    // Nobody should read numbers of a kernel that failed.
    interpreter.check_device()?;
    let written = write!(interpreter.output, "{}{end}", texts.join(&separator));
    written.map_err(|error| Exception::new("OSError", tk_diag::FILE, format!("cannot print: {error}")))?;
    Ok(Value::None)
}
