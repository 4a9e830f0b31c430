//! Modules of Python that files import for reasons that have nothing to do with their kernels: enough of each that importing and
//! logging go on.

use super::args::need;
use super::{Args, Interpreter, convert};
use crate::exception::{Exception, Result};
use crate::value::{Dict, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// Packages that tk knows some of, and those of Python itself: `import` of them never fails.
const KNOWN: &str = "torch triton tl math functools itertools pytest typing typing_extensions collections dataclasses enum os sys \
    logging warnings time random re json inspect pathlib contextlib packaging abc copy operator string platform shutil subprocess \
    tempfile threading types importlib ctypes struct statistics textwrap traceback uuid weakref hashlib glob io pickle datetime \
    queue socket signal builtins __future__ argparse ast atexit base64 bisect concurrent csv decimal difflib fractions gc \
    getpass heapq itertools locale multiprocessing numbers pprint secrets shlex site sysconfig urllib zlib";

/// Whether the package of a module is one of Python's or of those that tk knows some of.
pub(super) fn is_known(module: &str) -> bool {
    let first = module.split('.').next().unwrap_or(module);
    first.is_empty() || KNOWN.split_whitespace().any(|known| known == first)
}

impl<'a> Interpreter<'a, '_> {
    /// Calls a function of one of these modules; nothing when it has no such function here.
    pub(super) fn package(&mut self, path: &str, args: &Args<'a>) -> Result<Option<Value<'a>>> {
        Ok(Some(match path {
            "logging.getLogger" => Value::Path("logging".into()),
            "threading.Lock"
            | "threading.RLock"
            | "contextlib.nullcontext"
            | "contextlib.suppress"
            | "contextlib.ExitStack" => Value::None,
            "packaging.version.parse" | "packaging.version.Version" => {
                let text = need(args.positional.first().cloned(), path, "version")?;
                version(&convert::string(&text, "version")?)?
            }
            "os.path.join" => {
                let parts: Vec<String> = args.positional.iter().map(Value::display).collect();
                Value::str(parts.join("/"))
            }
            "os.path.dirname" => {
                let path = need(args.positional.first().cloned(), path, "path")?.display();
                Value::str(path.rsplit_once('/').map_or("", |(folder, _)| folder))
            }
            "os.path.abspath" | "os.path.realpath" => need(args.positional.first().cloned(), path, "path")?,
            "inspect.signature" => parameters(&need(args.positional.first().cloned(), path, "a function")?)?,
            "typing.TypeVar" | "typing.NewType" => Value::Path("typing.Any".into()),
            "dataclasses.field" => {
                args.named.iter().find(|(name, _)| &**name == "default").map_or(Value::None, |(_, value)| value.clone())
            }
            _ if path.starts_with("logging.") || path.starts_with("warnings.") => Value::None,
            _ => return Ok(None),
        }))
    }
}

/// `inspect.signature(f)`: the names of its parameters.
fn parameters<'a>(function: &Value<'a>) -> Result<Value<'a>> {
    let names: Vec<&str> = match function {
        Value::Function(function) => function.params.iter().map(|param| param.name.text.as_str()).collect(),
        Value::Kernel(kernel) => kernel.function.params.iter().map(|param| param.name.text.as_str()).collect(),
        Value::Path(path) if &**path == "triton.autotune" => super::tuning::AUTOTUNE_ARGUMENTS.to_vec(),
        other => return Err(Exception::unsupported(format!("the signature of a {} is not known here", other.class()))),
    };
    let entries = names.into_iter().map(|name| (Value::str(name), Value::str(name)));
    let parameters = Value::Dict(Rc::new(RefCell::new(Dict::from_entries(entries)?)));
    Ok(Interpreter::object("Signature", vec![("parameters".into(), parameters)]))
}

/// `2.5.1+cu124` as a tuple that compares as versions do: its numbers.
fn version<'a>(text: &str) -> Result<Value<'a>> {
    let release = text.split(['+', '-']).next().unwrap_or(text);
    let number = |part: &str| part.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<i128>();
    let numbers: Vec<Value<'a>> = release.split('.').map_while(|part| number(part).ok()).map(Value::Int).collect();
    match numbers.is_empty() {
        true => Err(Exception::value(format!("`{text}` is not a version"))),
        false => Ok(Value::tuple(numbers)),
    }
}
