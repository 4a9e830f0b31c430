//! Functions with a tensor as their result that are neither one element after the other nor reductions, and comparisons.

use crate::exception::Result;
use crate::interpreter::args::need;
use crate::interpreter::{Args, convert};
use crate::tensor::compare::{self, Tolerance};
use crate::tensor::elementwise::{self, Operand, Operator};
use crate::tensor::index::Item;
use crate::tensor::rearrange::{flip, gather, repeat, triangle};
use crate::tensor::{Tensor, linear};
use crate::value::Value;

/// Everything else with a tensor as its result.
pub(super) fn call<'a>(tensor: &Tensor, name: &str, mut args: Args<'a>) -> Result<Option<Value<'a>>> {
    let result = match name {
        "matmul" | "mm" | "bmm" | "dot" => linear::matmul(tensor, &convert::tensor(&args.one(name)?, "other")?)?,
        "gelu" => {
            let [approximate] = args.bind(name, ["approximate"])?;
            let tanh = matches!(&approximate, Some(Value::Str(text)) if &**text == "tanh");
            let function = if tanh { elementwise::GELU_TANH } else { elementwise::GELU };
            function.apply(tensor)
        }
        "leaky_relu" => {
            let [slope, _inplace] = args.bind(name, ["negative_slope", "inplace"])?;
            let slope = slope.map_or(Ok(0.01), |slope| convert::float(&slope, "negative_slope"))?;
            let scaled = elementwise::binary(Operator::Mul, &Operand::tensor(tensor.clone()), &Operand::float(slope))?;
            let positive = elementwise::binary(Operator::Ge, &Operand::tensor(tensor.clone()), &Operand::int(0))?;
            elementwise::choose(&positive, &Operand::tensor(tensor.clone()), &Operand::tensor(scaled))?
        }
        "clamp" | "clip" => {
            let [low, high] = args.bind(name, ["min", "max"])?;
            let mut result = tensor.clone();
            for (bound, op) in [(low, Operator::Maximum), (high, Operator::Minimum)] {
                if let Some(bound) = bound.filter(|bound| !matches!(bound, Value::None)) {
                    result =
                        elementwise::binary(op, &Operand::tensor(result), &convert::need_operand(&bound, "a bound")?)?;
                }
            }
            result
        }
        "masked_fill" => {
            let [mask, value] = args.bind(name, ["mask", "value"])?;
            let mask = convert::tensor(&need(mask, name, "mask")?, "mask")?;
            let value = convert::need_operand(&need(value, name, "value")?, "value")?;
            elementwise::choose(&mask, &value, &Operand::tensor(tensor.clone()))?.to_dtype(tensor.dtype)
        }
        "where" => {
            let [a, b] = args.bind(name, ["input", "other"])?;
            let a = convert::need_operand(&need(a, name, "input")?, "input")?;
            let b = convert::need_operand(&need(b, name, "other")?, "other")?;
            elementwise::choose(tensor, &a, &b)?
        }
        "tril" | "triu" => {
            let [diagonal] = args.bind(name, ["diagonal"])?;
            triangle(tensor, name == "tril", diagonal.map_or(Ok(0), |d| convert::int(&d, "diagonal"))?)?
        }
        "gather" => {
            let [axis, index] = args.bind(name, ["dim", "index"])?;
            let axis = tensor.axis(convert::int(&need(axis, name, "dim")?, "dim")?)?;
            gather(tensor, axis, &convert::tensor(&need(index, name, "index")?, "index")?)?
        }
        "index_select" => {
            let [axis, index] = args.bind(name, ["dim", "index"])?;
            let axis = tensor.axis(convert::int(&need(axis, name, "dim")?, "dim")?)?;
            let mut items = vec![Item::Slice(None, None, None); axis];
            items.push(Item::Tensor(convert::tensor(&need(index, name, "index")?, "index")?));
            tensor.get(&items)?
        }
        "repeat" => {
            let by_name = args.take("repeats");
            args.only(name, &[])?;
            args.positional.extend(by_name);
            repeat(tensor, &convert::spread(&args.positional, "a count")?)?
        }
        "flip" => {
            let by_name = args.take("dims");
            args.only(name, &[])?;
            args.positional.extend(by_name);
            let axes = convert::spread(&args.positional, "a dimension")?;
            flip(tensor, &axes)?
        }
        _ => return Ok(None),
    };
    Ok(Some(Value::Tensor(result)))
}

/// `allclose` and `equal` of two tensors.
pub(crate) fn comparison<'a>(name: &str, args: Args<'a>) -> Result<Value<'a>> {
    let [a, b, relative, absolute, nan] = args.bind(name, ["input", "other", "rtol", "atol", "equal_nan"])?;
    let a = convert::tensor(&need(a, name, "input")?, "input")?;
    let b = convert::tensor(&need(b, name, "other")?, "other")?;
    if name == "equal" {
        return compare::equal(&a, &b).map(Value::Bool);
    }
    let number = |value: Option<Value<'a>>, default: f64| {
        value.map_or(Ok(default), |value| convert::float(&value, "a tolerance"))
    };
    let tolerance = Tolerance {
        relative: number(relative, 1e-5)?,
        absolute: number(absolute, 1e-8)?,
        nan_equals_nan: nan.map_or(Ok(false), |nan| nan.truth())?,
    };
    compare::allclose(&a, &b, tolerance).map(Value::Bool)
}
