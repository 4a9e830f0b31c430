//! Tensors as other types, in other places and as numbers and lists.

use crate::exception::{Exception, Result};
use crate::interpreter::{Args, convert};
use crate::tensor::{Tensor, check_work, from_torch_name, number};
use crate::value::Value;
use tk_types::ScalarType::{self, *};

/// Other types, places and containers.
pub(super) fn call<'a>(tensor: &Tensor, name: &str, args: &mut Args<'a>) -> Result<Option<Value<'a>>> {
    if args.positional.is_empty()
        && let Some(dtype) = from_torch_name(name)
    {
        args.only(name, &[])?;
        return converted(tensor, dtype).map(|tensor| Some(Value::Tensor(tensor)));
    }
    Ok(Some(match name {
        "to" | "type" | "type_as" => {
            args.only(name, &["dtype", "other", "copy", "non_blocking", "memory_format"])?;
            let other = args.take("other");
            let given = args.take("dtype").into_iter().chain(other).chain(args.positional.drain(..));
            let target = given.into_iter().find_map(|value| match value {
                Value::Tensor(other) => Some(Ok(other.dtype)),
                Value::Str(_) | Value::Int(_) | Value::Bool(_) | Value::None => None,
                Value::Path(path) if !matches!(&*path, "float" | "int" | "bool") => None,
                other => Some(convert::dtype(&other)),
            });
            Value::Tensor(match target {
                Some(dtype) => converted(tensor, dtype?)?,
                None => tensor.clone(),
            })
        }
        "detach" | "cpu" | "cuda" | "numpy" | "requires_grad_" | "untyped_storage" | "record_stream" => {
            args.only(name, &["requires_grad", "non_blocking", "memory_format", "stream", "force"])?;
            Value::Tensor(tensor.clone())
        }
        "item" if tensor.count() == 1 => element(tensor),
        "item" => return Err(Exception::value(format!("item() needs one element, not {}", tensor.count()))),
        "tolist" => nested(tensor)?,
        _ => return Ok(None),
    }))
}

fn converted(tensor: &Tensor, dtype: ScalarType) -> Result<Tensor> {
    if dtype != tensor.dtype {
        check_work(tensor.count())?;
    }
    Ok(tensor.to_dtype(dtype))
}

/// The one element of a tensor.
fn element<'a>(tensor: &Tensor) -> Value<'a> {
    match tensor.dtype {
        I1 => Value::Bool(tensor.read(number::read_i64)[0] != 0),
        U64 => Value::Int(i128::from(tensor.read(number::read_i64)[0] as u64)),
        dtype if dtype.is_float() => Value::Float(tensor.read(number::read_f64)[0]),
        _ => Value::Int(i128::from(tensor.read(number::read_i64)[0])),
    }
}

fn nested<'a>(tensor: &Tensor) -> Result<Value<'a>> {
    if tensor.rank() == 0 {
        return Ok(element(tensor));
    }
    let parts = (0..tensor.shape[0] as i128).map(|i| nested(&tensor.select(0, i)?));
    Ok(Value::list(parts.collect::<Result<_>>()?))
}
