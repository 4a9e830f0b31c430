//! Values as what a builtin needs, with an error that says what came instead.

use crate::exception::{Exception, Result};
use crate::tensor::elementwise::Operand;
use crate::tensor::{Tensor, number};
use crate::value::{Value, range_length};
use tk_types::ScalarType;

/// An integer; a tensor of one integer counts.
pub(crate) fn int(value: &Value<'_>, what: &str) -> Result<i128> {
    match value {
        Value::Int(value) => Ok(*value),
        Value::Bool(value) => Ok(i128::from(*value)),
        Value::Tensor(tensor) if tensor.count() == 1 && tensor.dtype.is_int() => {
            let value = tensor.read(number::read_i64)[0];
            Ok(if tensor.dtype == ScalarType::U64 { i128::from(value as u64) } else { i128::from(value) })
        }
        other => Err(Exception::ty(format!("{what} must be an integer, not a {}", other.class()))),
    }
}

/// A size: an integer that is not negative.
pub(crate) fn size(value: &Value<'_>, what: &str) -> Result<usize> {
    let size = int(value, what)?;
    usize::try_from(size).map_err(|_| Exception::value(format!("{what} must not be negative, but is {size}")))
}

pub(crate) fn small_int(value: &Value<'_>, what: &str) -> Result<i64> {
    let wide = int(value, what)?;
    i64::try_from(wide).map_err(|_| Exception::overflow(format!("{what} does not fit 64 bits")))
}

pub(crate) fn float(value: &Value<'_>, what: &str) -> Result<f64> {
    match value {
        Value::Float(value) => Ok(*value),
        Value::Tensor(tensor) if tensor.count() == 1 => Ok(tensor.read(number::read_f64)[0]),
        Value::Int(_) | Value::Bool(_) => Ok(int(value, what)? as f64),
        other => Err(Exception::ty(format!("{what} must be a number, not a {}", other.class()))),
    }
}

pub(crate) fn string(value: &Value<'_>, what: &str) -> Result<std::rc::Rc<str>> {
    match value {
        Value::Str(text) => Ok(text.clone()),
        other => Err(Exception::ty(format!("{what} must be a string, not a {}", other.class()))),
    }
}

pub(crate) fn tensor(value: &Value<'_>, what: &str) -> Result<Tensor> {
    match value {
        Value::Tensor(tensor) => Ok(tensor.clone()),
        other => Err(Exception::ty(format!("{what} must be a tensor, not a {}", other.class()))),
    }
}

pub(crate) fn dtype(value: &Value<'_>) -> Result<ScalarType> {
    match value {
        Value::Dtype(dtype) => Ok(*dtype),
        Value::Path(path) => match &**path {
            "float" => Ok(ScalarType::F32),
            "int" => Ok(ScalarType::I64),
            "bool" => Ok(ScalarType::I1),
            _ => Err(Exception::ty(format!("`{path}` is not an element type"))),
        },
        other => {
            Err(Exception::ty(format!("an element type such as torch.float16 is needed, not a {}", other.class())))
        }
    }
}

/// A tensor or a number, as one side of an operator.
pub(crate) fn operand(value: &Value<'_>) -> Option<Operand> {
    Some(match value {
        Value::Tensor(tensor) => Operand::tensor(tensor.clone()),
        Value::Bool(value) => Operand::bool(*value),
        Value::Int(value) => match i64::try_from(*value) {
            Ok(value) => Operand::int(value),
            Err(_) => Operand::float(*value as f64),
        },
        Value::Float(value) => Operand::float(*value),
        _ => return None,
    })
}

pub(crate) fn need_operand(value: &Value<'_>, what: &str) -> Result<Operand> {
    operand(value).ok_or_else(|| Exception::ty(format!("{what} must be a tensor or a number, not a {}", value.class())))
}

/// The items of a sequence; a number stands for itself alone.
pub(crate) fn ints(value: &Value<'_>, what: &str) -> Result<Vec<i128>> {
    match value {
        Value::Tuple(items) => items.iter().map(|item| int(item, what)).collect(),
        Value::List(items) => items.borrow().iter().map(|item| int(item, what)).collect(),
        Value::Range(start, stop, step) => {
            let count = range_length(*start, *stop, *step).min(64);
            Ok((0..count).map(|i| start.saturating_add(i.saturating_mul(*step))).collect())
        }
        other => Ok(vec![int(other, what)?]),
    }
}

/// Sizes given as one sequence or as several integers.
pub(crate) fn spread(values: &[Value<'_>], what: &str) -> Result<Vec<i128>> {
    match values {
        [only @ (Value::Tuple(_) | Value::List(_))] => ints(only, what),
        many => many.iter().map(|value| int(value, what)).collect(),
    }
}

/// A shape given as one sequence or as several integers.
pub(crate) fn shape(values: &[Value<'_>]) -> Result<Vec<usize>> {
    let sizes = spread(values, "a size")?;
    let size = |size: &i128| {
        usize::try_from(*size).map_err(|_| Exception::value(format!("a size must not be negative, but is {size}")))
    };
    sizes.iter().map(size).collect()
}
