//! Functions of `torch` that take several tensors, or give a tensor of another kind than they take.

use crate::exception::{Exception, Result};
use crate::interpreter::args::need;
use crate::interpreter::neural::{cross_entropy, normalise, refuse};
use crate::interpreter::tensor_functions::common_type;
use crate::interpreter::{Args, Interpreter, convert};
use crate::tensor::array::Array;
use crate::tensor::einsum::einsum;
use crate::tensor::elementwise::{self, Operand, Operator, from_vec};
use crate::tensor::{Tensor, check_work, checked_count, linear, number, show_shape};
use crate::value::Value;
use tk_types::ScalarType::*;

impl<'a> Interpreter<'a, '_> {
    /// Functions of several tensors.
    pub(super) fn joined(&mut self, name: &str, args: &mut Args<'a>) -> Result<Option<Tensor>> {
        let tensor = |value: Option<Value<'a>>, what: &str| convert::tensor(&need(value, name, what)?, what);
        Ok(Some(match name {
            "where" => {
                let [condition, a, b] = std::mem::take(args).bind(name, ["condition", "input", "other"])?;
                let a = convert::need_operand(&need(a, name, "input")?, "input")?;
                let b = convert::need_operand(&need(b, name, "other")?, "other")?;
                elementwise::choose(&tensor(condition, "condition")?, &a, &b)?
            }
            "cat" | "concat" | "stack" => {
                let [tensors, axis] = std::mem::take(args).bind(name, ["tensors", "dim"])?;
                let tensors = self.collect(&need(tensors, name, "tensors")?)?;
                let tensors =
                    tensors.iter().map(|value| convert::tensor(value, "an item")).collect::<Result<Vec<_>>>()?;
                let axis = axis.map_or(Ok(0), |axis| convert::int(&axis, "dim"))?;
                concatenate(tensors, axis, name == "stack")?
            }
            "einsum" => {
                args.only(name, &[])?;
                let mut operands = std::mem::take(args).positional.into_iter();
                let equation = convert::string(&need(operands.next(), name, "equation")?, "equation")?;
                let operands: Vec<Value<'a>> = match operands.as_slice() {
                    [list @ (Value::List(_) | Value::Tuple(_))] => self.collect(list)?,
                    many => many.to_vec(),
                };
                let tensors = operands.iter().map(|value| convert::tensor(value, "an operand"));
                einsum(&equation, &tensors.collect::<Result<Vec<_>>>()?)?
            }
            "outer" => {
                let [a, b] = std::mem::take(args).bind(name, ["input", "vec2"])?;
                let (a, b) = (tensor(a, "input")?.unsqueeze(1)?, tensor(b, "vec2")?.unsqueeze(0)?);
                elementwise::binary(Operator::Mul, &Operand::tensor(a), &Operand::tensor(b))?
            }
            "linear" => {
                let [input, weight, bias] = std::mem::take(args).bind(name, ["input", "weight", "bias"])?;
                let product = linear::matmul(&tensor(input, "input")?, &tensor(weight, "weight")?.transpose(-1, -2)?)?;
                add_bias(product, bias)?
            }
            "addmm" => {
                let [bias, a, b] = std::mem::take(args).bind(name, ["input", "mat1", "mat2"])?;
                add_bias(linear::matmul(&tensor(a, "mat1")?, &tensor(b, "mat2")?)?, bias)?
            }
            "layer_norm" | "rms_norm" => normalise(name, std::mem::take(args))?,
            "cross_entropy" => cross_entropy(std::mem::take(args))?,
            "mse_loss" => {
                let [a, b] = std::mem::take(args).bind(name, ["input", "target"])?;
                let (a, b) = (tensor(a, "input")?, tensor(b, "target")?);
                check_work(a.count().saturating_add(b.count()).saturating_mul(2))?;
                let (a, b) = (a.floats(), b.floats());
                let mean = (&a - &b).mapv(|x| x * x).mean().unwrap_or(f64::NAN);
                Array::Float(from_vec(&[], vec![mean])?).to_tensor(F32)
            }
            "histc" => {
                let [input, bins, low, high] = std::mem::take(args).bind(name, ["input", "bins", "min", "max"])?;
                histogram(&tensor(input, "input")?, bins, low, high)?
            }
            "bincount" => {
                let [input, weights, least] = std::mem::take(args).bind(name, ["input", "weights", "minlength"])?;
                refuse(name, "weights", weights)?;
                bincount(&tensor(input, "input")?, least.map_or(Ok(0), |least| convert::size(&least, "minlength"))?)?
            }
            _ => return Ok(None),
        }))
    }
}

fn add_bias(product: Tensor, bias: Option<Value<'_>>) -> Result<Tensor> {
    match bias {
        None | Some(Value::None) => Ok(product),
        Some(bias) => {
            elementwise::binary(Operator::Add, &Operand::tensor(product), &convert::need_operand(&bias, "bias")?)
        }
    }
}

fn concatenate(tensors: Vec<Tensor>, axis: i128, stack: bool) -> Result<Tensor> {
    let Some(first) = tensors.first() else { return Err(Exception::value("no tensors to join")) };
    let dtype = common_type(&tensors);
    let axis = crate::tensor::normal_axis(axis, first.rank() + usize::from(stack))?;
    let parts = match stack {
        true => tensors.iter().map(|tensor| tensor.unsqueeze(axis as i128)).collect::<Result<Vec<_>>>()?,
        false => tensors,
    };
    let mut shape = parts[0].shape.clone();
    if shape.is_empty() {
        return Err(Exception::shape("tensors without dimensions cannot be joined"));
    }
    let fits = |part: &Tensor| {
        part.rank() == shape.len() && (0..shape.len()).all(|other| other == axis || part.shape[other] == shape[other])
    };
    if let Some(wrong) = parts.iter().find(|part| !fits(part)) {
        let shapes = format!("{} and {}", show_shape(&shape), show_shape(&wrong.shape));
        return Err(Exception::shape(format!("tensors of shapes {shapes} cannot be joined along dimension {axis}")));
    }
    shape[axis] = parts.iter().map(|part| part.shape[axis]).sum();
    let result = Tensor::filled(dtype, shape, &vec![0; dtype.bytes() as usize])?;
    let mut start = 0;
    for part in &parts {
        result.narrow(axis, start, part.shape[axis], 1).assign(part)?;
        start += part.shape[axis];
    }
    Ok(result)
}

fn histogram<'a>(
    input: &Tensor,
    bins: Option<Value<'a>>,
    low: Option<Value<'a>>,
    high: Option<Value<'a>>,
) -> Result<Tensor> {
    let bins = bins.map_or(Ok(100), |bins| convert::size(&bins, "bins"))?;
    let bound = |value: Option<Value<'a>>| value.map_or(Ok(0.0), |value| convert::float(&value, "a bound"));
    let (mut low, mut high) = (bound(low)?, bound(high)?);
    check_work(input.count())?;
    let values = input.read(number::read_f64);
    if low == high {
        low = values.iter().copied().fold(f64::INFINITY, f64::min);
        high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    }
    if bins == 0 || checked_count(&[bins]).is_err() || low > high {
        return Err(Exception::value("`histc` needs bins, and min below max"));
    }
    let mut counts = vec![0.0; bins];
    let width = if high > low { (high - low) / bins as f64 } else { 1.0 };
    for value in values.into_iter().filter(|value| (low..=high).contains(value)) {
        counts[(((value - low) / width) as usize).min(bins - 1)] += 1.0;
    }
    Ok(Array::Float(from_vec(&[bins], counts)?).to_tensor(if input.dtype.is_float() { input.dtype } else { F32 }))
}

fn bincount(input: &Tensor, least: usize) -> Result<Tensor> {
    check_work(input.count())?;
    let values = input.read(number::read_i64);
    if input.dtype.is_float() || values.iter().any(|value| *value < 0) {
        return Err(Exception::value("`bincount` needs integers that are not negative"));
    }
    let count = values.iter().max().map_or(0, |max| *max as usize + 1).max(least);
    checked_count(&[count])?;
    let mut counts = vec![0i64; count];
    values.into_iter().for_each(|value| counts[value as usize] += 1);
    Ok(Array::Int(from_vec(&[count], counts)?).to_tensor(I64))
}
