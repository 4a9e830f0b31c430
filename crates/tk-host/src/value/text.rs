//! The text of values, as `str` and `repr` give it.

use super::{CONFIG, Value};
use crate::tensor::{print, torch_name};
use std::rc::Rc;

/// Containers inside containers that are printed, at most; deeper ones show as `...`.
const MAX_PRINT_DEPTH: usize = 50;
/// Text of one value beyond which its parts show as `...`: a list that holds another twice doubles with every level.
const MAX_PRINT_BYTES: usize = 1 << 24;

impl<'a> Value<'a> {
    /// As `str(value)` gives it.
    pub(crate) fn display(&self) -> String {
        match self {
            Value::Str(text) => text.to_string(),
            Value::Exception(exception) => exception.message.clone(),
            other => other.repr(),
        }
    }

    /// As `repr(value)` gives it.
    pub(crate) fn repr(&self) -> String {
        let mut out = String::new();
        self.write_repr(&mut out, 0);
        out
    }

    fn write_repr(&self, out: &mut String, depth: usize) {
        if depth > MAX_PRINT_DEPTH || out.len() > MAX_PRINT_BYTES {
            out.push_str("...");
            return;
        }
        match self {
            Value::Str(text) => out.push_str(&crate::format::quoted(text)),
            Value::Tuple(items) => {
                let last = if items.len() == 1 { ",)" } else { ")" };
                write_items(out, "(", last, items, depth);
            }
            Value::List(items) => write_items(out, "[", "]", &items.borrow(), depth),
            Value::Dict(dict) => {
                out.push('{');
                for (i, (key, value)) in dict.borrow().entries.iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    key.write_repr(out, depth + 1);
                    out.push_str(": ");
                    value.write_repr(out, depth + 1);
                }
                out.push('}');
            }
            Value::Set(set) if set.borrow().entries.is_empty() => out.push_str("set()"),
            Value::Set(set) => {
                let items: Vec<Value<'a>> = set.borrow().entries.iter().map(|(key, _)| key.clone()).collect();
                write_items(out, "{", "}", &items, depth);
            }
            Value::Object(config) if config.class == CONFIG => {
                // Triton prints configurations so: `BLOCK: 64, num_warps: 4, …`.
                let fields = config.fields.borrow();
                let fields = fields.iter().filter(|(name, _)| &**name != "pre_hook");
                for (i, (name, value)) in fields.flat_map(|(name, value)| spread(name, value)).enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    out.push_str(&name);
                    out.push_str(": ");
                    value.write_repr(out, depth + 1);
                }
            }
            Value::Object(object) => {
                out.push_str(object.class);
                out.push('(');
                for (i, (name, value)) in object.fields.borrow().iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    out.push_str(name);
                    out.push('=');
                    value.write_repr(out, depth + 1);
                }
                out.push(')');
            }
            simple => out.push_str(&simple.simple_repr()),
        }
    }

    /// The text of a value that holds no others.
    fn simple_repr(&self) -> String {
        match self {
            Value::None => "None".to_string(),
            Value::Ellipsis => "Ellipsis".to_string(),
            Value::Bool(true) => "True".to_string(),
            Value::Bool(false) => "False".to_string(),
            Value::Int(value) => value.to_string(),
            Value::Float(value) => crate::format::float(*value),
            Value::Range(start, stop, 1) => format!("range({start}, {stop})"),
            Value::Range(start, stop, step) => format!("range({start}, {stop}, {step})"),
            Value::Function(function) => format!("<function {}>", function.name),
            Value::Path(path) if path.contains('.') => format!("<{path}>"),
            Value::Path(path) => format!("<class '{}'>", path.trim_start_matches("class ")),
            Value::Dtype(dtype) => torch_name(*dtype).to_string(),
            Value::Tensor(tensor) => print::show(tensor),
            Value::Kernel(kernel) => format!("<kernel {}>", kernel.function.name.text),
            Value::Exception(exception) => {
                format!("{}({})", exception.class, crate::format::quoted(&exception.message))
            }
            other => format!("<{}>", other.class()),
        }
    }
}

fn write_items(out: &mut String, open: &str, close: &str, items: &[Value<'_>], depth: usize) {
    out.push_str(open);
    for (i, item) in items.iter().enumerate() {
        out.push_str(if i == 0 { "" } else { ", " });
        item.write_repr(out, depth + 1);
    }
    out.push_str(close);
}

/// A field of a configuration, or the items of its `kwargs`.
fn spread<'a>(name: &Rc<str>, value: &Value<'a>) -> Vec<(Rc<str>, Value<'a>)> {
    match value {
        Value::Dict(dict) => {
            dict.borrow().entries().iter().map(|(name, value)| (name.display().into(), value.clone())).collect()
        }
        _ => vec![(name.clone(), value.clone())],
    }
}
