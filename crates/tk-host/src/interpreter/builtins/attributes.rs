//! Builtins that ask what a value is, and those that make text of it.

use super::super::args::need;
use super::super::instances::is_instance_of;
use super::super::operators::equal;
use super::super::{Args, Interpreter, convert};
use crate::exception::Result;
use crate::value::{TENSOR_DESCRIPTOR, Value};

/// Classes that derive from each other, at most.
const MAX_BASES: usize = 100;

pub(super) fn getattr<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let [object, attribute, default] = args.bind("getattr", ["object", "name", "default"])?;
    let attribute = convert::string(&need(attribute, "getattr", "name")?, "name")?;
    match (interpreter.attribute(&need(object, "getattr", "object")?, &attribute), default) {
        (Err(_), Some(default)) => Ok(default),
        (result, _) => result,
    }
}

pub(super) fn hasattr<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let [object, attribute] = args.bind("hasattr", ["object", "name"])?;
    let attribute = convert::string(&need(attribute, "hasattr", "name")?, "name")?;
    Ok(Value::Bool(interpreter.attribute(&need(object, "hasattr", "object")?, &attribute).is_ok()))
}

pub(super) fn isinstance<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let [value, class] = args.bind("isinstance", ["object", "class"])?;
    let (value, class) = (need(value, "isinstance", "object")?, need(class, "isinstance", "class")?);
    Ok(Value::Bool(is_instance(&value, &class)))
}

pub(super) fn callable<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let value = args.one("callable")?;
    let callable = matches!(value, Value::Function(_) | Value::Partial(_) | Value::Path(_) | Value::Method(_));
    Ok(Value::Bool(callable))
}

/// `type`.
pub(super) fn class<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    Ok(match args.one("type")? {
        Value::Exception(exception) => Value::Path(exception.class.as_str().into()),
        Value::Tensor(_) => Value::Path("torch.Tensor".into()),
        Value::Instance(instance) => Value::Class(instance.class.clone()),
        other => Value::Path(other.class().into()),
    })
}

pub(super) fn str<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let [value] = args.bind("str", ["object"])?;
    Ok(Value::str(value.map_or(String::new(), |value| value.display())))
}

pub(super) fn repr<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    Ok(Value::str(args.one("repr")?.repr()))
}

pub(super) fn format<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let [value, spec] = args.bind("format", ["value", "format_spec"])?;
    let spec = spec.map_or(String::new(), |spec| spec.display());
    Ok(Value::str(crate::format::apply(&need(value, "format", "value")?, &spec)?))
}

fn is_instance<'a>(value: &Value<'a>, class: &Value<'a>) -> bool {
    match class {
        Value::Tuple(classes) => classes.iter().any(|class| is_instance(value, class)),
        Value::Path(path) => match (&**path, value) {
            ("int", Value::Bool(_)) => true,
            ("torch.Tensor", Value::Tensor(_)) | ("torch.dtype", Value::Dtype(_)) | ("object", _) => true,
            ("torch.Size", Value::Tuple(_)) => true,
            (name, Value::Object(object)) if object.class == TENSOR_DESCRIPTOR => {
                name.rsplit('.').next() == Some(TENSOR_DESCRIPTOR)
            }
            (name, Value::Exception(exception)) => name == exception.class || name == "Exception",
            (name, value) => name == value.class(),
        },
        Value::Class(class) => match value {
            Value::Instance(instance) => is_instance_of(&instance.class, class, MAX_BASES),
            _ => false,
        },
        other => equal(value, other),
    }
}
