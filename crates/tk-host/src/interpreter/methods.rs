//! Methods of strings, lists, dicts, sets and tuples.

mod strings;

use super::args::need;
use super::classes::CONTEXT;
use super::operators::{check_length, equal};
use super::parent::PARENT;
use super::{Args, Interpreter, convert};
use crate::exception::{Exception, Result};
use crate::value::{CONFIG, Sequence, Value};
use std::rc::Rc;
use tk_diag::HOST_ERROR;

/// Whether a value of this class has the method.
pub(crate) fn is_method(value: &Value<'_>, name: &str) -> bool {
    let known: &[&str] = match value {
        Value::Str(_) => &[
            "join",
            "split",
            "format",
            "upper",
            "lower",
            "strip",
            "lstrip",
            "rstrip",
            "startswith",
            "endswith",
            "replace",
            "ljust",
            "rjust",
            "center",
            "find",
            "count",
            "zfill",
            "title",
            "capitalize",
            "isdigit",
            "removeprefix",
            "removesuffix",
            "splitlines",
        ],
        Value::List(_) => {
            &["append", "extend", "insert", "pop", "remove", "clear", "index", "count", "sort", "reverse", "copy"]
        }
        Value::Dict(_) => &["get", "items", "keys", "values", "pop", "update", "setdefault", "clear", "copy"],
        Value::Set(_) => &["add", "discard", "copy", "union", "update"],
        Value::Tuple(_) => &["index", "count", "numel"],
        _ => &[],
    };
    known.contains(&name)
}

impl<'a> Interpreter<'a, '_> {
    pub(crate) fn call_method(&mut self, value: &Value<'a>, name: &str, args: Args<'a>) -> Result<Value<'a>> {
        match value {
            Value::Tensor(_) => {
                let mut args = args;
                args.positional.insert(0, value.clone());
                self.tensor_function(name, args)?
                    .ok_or_else(|| Exception::unsupported(format!("tensors have no `{name}` here")))
            }
            Value::Str(text) => self.string_method(text, name, args),
            Value::List(list) => {
                let list = list.clone();
                self.list_method(&list, name, args)
            }
            Value::Dict(_) | Value::Set(_) => self.dict_method(value, name, args),
            Value::Tuple(items) if name == "numel" => {
                Ok(Value::Int(items.iter().filter_map(|item| convert::int(item, "").ok()).product()))
            }
            Value::Tuple(items) => search(items, name, args),
            Value::Object(object) if object.class == "PerfReport" => self.run_report(object, args),
            Value::Object(config) if config.class == CONFIG => super::tuning::all_settings(config),
            Value::Object(context) if context.class == CONTEXT => Ok(self.context_method(context, name, args)),
            Value::Object(parent) if parent.class == PARENT => self.empty_init(parent, &args),
            Value::Object(_) => Ok(Value::Float(0.0)),
            Value::Class(class) => self.apply_class(class, args),
            other => Err(Exception::ty(format!("a {} has no method `{name}`", other.class()))),
        }
    }

    fn list_method(
        &mut self,
        list: &Rc<std::cell::RefCell<Sequence<'a>>>,
        name: &str,
        mut args: Args<'a>,
    ) -> Result<Value<'a>> {
        let out_of_range = |index: i128| Exception::index(format!("index {index} is out of range for the list"));
        match name {
            "append" => list.borrow_mut().push(args.one(name)?),
            "extend" => {
                let items = self.collect(&args.one(name)?)?;
                check_length(items.len() + list.borrow().len())?;
                list.borrow_mut().extend(items);
            }
            "insert" => {
                let [index, value] = args.bind(name, ["index", "object"])?;
                let length = list.borrow().len() as i128;
                let index = convert::int(&need(index, name, "index")?, "index")?;
                let place = (if index < 0 { index + length } else { index }).clamp(0, length) as usize;
                list.borrow_mut().insert(place, need(value, name, "object")?);
            }
            "pop" => {
                let [index] = args.bind(name, ["index"])?;
                let index = index.map_or(Ok(-1), |index| convert::int(&index, "index"))?;
                let length = list.borrow().len() as i128;
                let place = if index < 0 { index + length } else { index };
                if place < 0 || place >= length {
                    return Err(out_of_range(index));
                }
                return Ok(list.borrow_mut().remove(place as usize));
            }
            "remove" => {
                let item = args.one(name)?;
                let at = list.borrow().iter().position(|other| equal(other, &item));
                let at = at.ok_or_else(|| Exception::value(format!("{} is not in the list", item.repr())))?;
                list.borrow_mut().remove(at);
            }
            "clear" => list.borrow_mut().clear(),
            "reverse" => list.borrow_mut().reverse(),
            "copy" => return Ok(Value::list(list.borrow().to_vec())),
            "sort" => {
                let key = args.take("key");
                let reverse = args.take("reverse").map_or(Ok(false), |reverse| reverse.truth())?;
                let items = list.borrow().to_vec();
                let sorted = self.sort(items, key, reverse, args.span)?;
                **list.borrow_mut() = sorted;
            }
            _ => return search(&list.borrow(), name, args),
        }
        Ok(Value::None)
    }

    fn dict_method(&mut self, value: &Value<'a>, name: &str, args: Args<'a>) -> Result<Value<'a>> {
        let (Value::Dict(dict) | Value::Set(dict)) = value else { return Ok(Value::None) };
        let entries = || dict.borrow().entries().to_vec();
        Ok(match name {
            "items" => Value::list(entries().into_iter().map(|(key, value)| Value::tuple(vec![key, value])).collect()),
            "keys" => Value::list(entries().into_iter().map(|entry| entry.0).collect()),
            "values" => Value::list(entries().into_iter().map(|entry| entry.1).collect()),
            "copy" if matches!(value, Value::Set(_)) => {
                Value::Set(Rc::new(std::cell::RefCell::new(dict.borrow().clone())))
            }
            "copy" => Value::Dict(Rc::new(std::cell::RefCell::new(dict.borrow().clone()))),
            "clear" => {
                *dict.borrow_mut() = Default::default();
                Value::None
            }
            "add" => {
                dict.borrow_mut().insert(args.one(name)?, Value::None)?;
                Value::None
            }
            "discard" => {
                dict.borrow_mut().remove(&args.one(name)?.key()?);
                Value::None
            }
            "update" | "union" => {
                for other in args.positional {
                    let pairs = match &other {
                        Value::Dict(other) => other.borrow().entries().to_vec(),
                        other => self.collect(other)?.into_iter().map(|key| (key, Value::None)).collect(),
                    };
                    for (key, value) in pairs {
                        dict.borrow_mut().insert(key, value)?;
                    }
                }
                for (name, value) in args.named {
                    dict.borrow_mut().insert(Value::Str(name), value)?;
                }
                if name == "union" { value.clone() } else { Value::None }
            }
            _ => {
                let [key, default] = args.bind(name, ["key", "default"])?;
                let key = need(key, name, "key")?;
                let found = match name {
                    "pop" => dict.borrow_mut().remove(&key.key()?),
                    _ => dict.borrow().get(&key.key()?).cloned(),
                };
                match (found, name) {
                    (Some(value), _) => value,
                    (None, "pop") if default.is_none() => {
                        return Err(Exception::new(
                            "KeyError",
                            HOST_ERROR,
                            format!("the dict has no key {}", key.repr()),
                        ));
                    }
                    (None, "setdefault") => {
                        let default = default.unwrap_or(Value::None);
                        dict.borrow_mut().insert(key, default.clone())?;
                        default
                    }
                    (None, _) => default.unwrap_or(Value::None),
                }
            }
        })
    }
}

/// `index` and `count` of a sequence.
fn search<'a>(items: &[Value<'a>], name: &str, args: Args<'a>) -> Result<Value<'a>> {
    let item = args.one(name)?;
    if name == "count" {
        return Ok(Value::Int(items.iter().filter(|other| equal(other, &item)).count() as i128));
    }
    let at = items.iter().position(|other| equal(other, &item));
    at.map(|at| Value::Int(at as i128))
        .ok_or_else(|| Exception::value(format!("{} is not in the sequence", item.repr())))
}
