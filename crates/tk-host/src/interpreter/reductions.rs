//! Reductions, scans and sorting: the arguments that torch has for them, and their results.

use super::args::need;
use super::{Args, convert};
use crate::exception::{Exception, Result};
use crate::tensor::Tensor;
use crate::tensor::elementwise::{self, Operand, Operator};
use crate::tensor::rearrange::gather;
use crate::tensor::reduce::{self, Keep};
use crate::value::Value;

/// Reductions, scans and sorting.
pub(super) fn call<'a>(tensor: &Tensor, name: &str, args: &mut Args<'a>) -> Result<Option<Value<'a>>> {
    let reductions = [
        "sum",
        "mean",
        "prod",
        "amax",
        "amin",
        "logsumexp",
        "var",
        "std",
        "norm",
        "any",
        "all",
        "max",
        "min",
        "argmax",
        "argmin",
    ];
    if reductions.contains(&name) {
        return reduce_named(tensor, name, std::mem::take(args)).map(Some);
    }
    let axis_of = |axis: Option<Value<'a>>, default: i128| -> Result<usize> {
        tensor.axis(axis.map_or(Ok(default), |axis| convert::int(&axis, "dim"))?)
    };
    Ok(Some(match name {
        "softmax" | "log_softmax" => {
            args.ignore(&["_stacklevel"]);
            let [axis, dtype] = std::mem::take(args).bind(name, ["dim", "dtype"])?;
            let dtype = dtype.map_or(Ok(tensor.dtype), |dtype| convert::dtype(&dtype))?;
            let axis = axis_of(axis, -1)?;
            if dtype.is_int() {
                return Err(Exception::ty(format!("`{name}` needs a float tensor")));
            }
            Value::Tensor(if name == "softmax" {
                reduce::softmax(tensor, axis, dtype)?
            } else {
                reduce::log_softmax(tensor, axis, dtype)?
            })
        }
        "cumsum" | "cumprod" => {
            let [axis, dtype] = std::mem::take(args).bind(name, ["dim", "dtype"])?;
            let tensor =
                &dtype.map_or(Ok(tensor.clone()), |dtype| convert::dtype(&dtype).map(|d| tensor.to_dtype(d)))?;
            Value::Tensor(reduce::scan(tensor, axis_of(axis, -1)?, name == "cumprod")?)
        }
        "sort" | "argsort" => {
            args.ignore(&["stable"]);
            let [axis, descending] = std::mem::take(args).bind(name, ["dim", "descending"])?;
            let descending = descending.map_or(Ok(false), |flag| flag.truth())?;
            let axis = axis_of(axis, -1)?;
            let order = reduce::argsort(tensor, axis, descending)?;
            if name == "argsort" {
                Value::Tensor(order)
            } else {
                Value::tuple(vec![Value::Tensor(gather(tensor, axis, &order)?), Value::Tensor(order)])
            }
        }
        "topk" => {
            let [k, axis, largest] = std::mem::take(args).bind(name, ["k", "dim", "largest"])?;
            let k = convert::size(&need(k, name, "k")?, "k")?;
            let axis = axis_of(axis, -1)?;
            let largest = largest.map_or(Ok(true), |flag| flag.truth())?;
            if tensor.shape.get(axis).is_none_or(|size| k > *size) {
                return Err(Exception::value(format!("topk of {k} elements from fewer")));
            }
            let order = reduce::argsort(tensor, axis, largest)?.narrow(axis, 0, k, 1).copied();
            Value::tuple(vec![Value::Tensor(gather(tensor, axis, &order)?), Value::Tensor(order)])
        }
        _ => return Ok(None),
    }))
}

fn reduce_named<'a>(tensor: &Tensor, name: &str, mut args: Args<'a>) -> Result<Value<'a>> {
    let correction = match (args.take("correction"), args.take("unbiased")) {
        (Some(value), _) => convert::float(&value, "correction")?,
        (None, Some(value)) => f64::from(u8::from(value.truth()?)),
        _ => 1.0,
    };
    if name == "norm" {
        let first = if args.positional.is_empty() { None } else { Some(args.positional.remove(0)) };
        let is_usual = |p: &Value<'a>| match p {
            Value::Int(2) | Value::None => true,
            Value::Float(p) => *p == 2.0,
            Value::Str(p) => &**p == "fro",
            _ => false,
        };
        if let Some(p) = first.or(args.take("p")).filter(|p| !is_usual(p)) {
            return Err(Exception::unsupported(format!("`norm` with p={} is not here, only with p=2", p.display())));
        }
    }
    if let ("max" | "min", [other @ Value::Tensor(_)]) = (name, args.positional.as_slice()) {
        let op = if name == "max" { Operator::Maximum } else { Operator::Minimum };
        let other = convert::need_operand(other, "other")?;
        return elementwise::binary(op, &Operand::tensor(tensor.clone()), &other).map(Value::Tensor);
    }
    let dtype = args.take("dtype").map(|dtype| convert::dtype(&dtype)).transpose()?;
    let axis = args.take("axis");
    let [dim, keep] = args.bind(name, ["dim", "keepdim"])?;
    let dim = dim.or(axis).filter(|dim| !matches!(dim, Value::None));
    let keep = if keep.map_or(Ok(false), |keep| keep.truth())? { Keep::AsOne } else { Keep::Drop };
    let given = dim.map(|dim| convert::ints(&dim, "dim")).transpose()?;
    let axes = reduce::axes_of(tensor, given.as_deref())?;
    let tensor = dtype.map_or_else(|| tensor.clone(), |dtype| tensor.to_dtype(dtype));
    if matches!(name, "argmax" | "argmin") {
        return reduce::arg_extreme(&tensor, &axes, keep, name == "argmax").map(Value::Tensor);
    }
    let Some(result) = reduce::reduce(name, &tensor, &axes, keep, correction) else {
        return Err(Exception::unsupported(format!("`{name}` is not supported")));
    };
    let mut result = result?;
    if let Some(dtype) = dtype {
        result = result.to_dtype(dtype);
    }
    match (name, given) {
        ("max" | "min", Some(_)) => {
            let places = reduce::arg_extreme(&tensor, &axes, keep, name == "max")?;
            Ok(Value::tuple(vec![Value::Tensor(result), Value::Tensor(places)]))
        }
        _ => Ok(Value::Tensor(result)),
    }
}
