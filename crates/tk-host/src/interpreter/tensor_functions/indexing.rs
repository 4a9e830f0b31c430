//! Functions that find, repeat, pad and add elements by their places, and new tensors of the kind of another.

use crate::exception::{Exception, Result};
use crate::interpreter::args::need;
use crate::interpreter::{Args, Interpreter, convert};
use crate::tensor::elementwise::{self, Operand, Operator};
use crate::tensor::index::Item;
use crate::tensor::rearrange::scatter_add;
use crate::tensor::{Tensor, check_work, checked_count, number};
use crate::value::Value;
use tk_types::ScalarType::I64;

impl<'a> Interpreter<'a, '_> {
    /// Functions of places; nothing when there is none with this name.
    pub(super) fn place_function(
        &mut self,
        tensor: &Tensor,
        name: &str,
        args: &mut Args<'a>,
    ) -> Result<Option<Value<'a>>> {
        Ok(Some(Value::Tensor(match name {
            "new_empty" | "new_zeros" | "new_ones" | "new_full" => {
                if args.named.iter().all(|(name, _)| &**name != "dtype") {
                    args.named.push(("dtype".into(), Value::Dtype(tensor.dtype)));
                }
                return self.torch(&name[4..], std::mem::take(args)).map(Some);
            }
            "new_tensor" => {
                args.named.push(("dtype".into(), Value::Dtype(tensor.dtype)));
                return self.torch("tensor", std::mem::take(args)).map(Some);
            }
            "nonzero" => {
                let [as_tuple] = std::mem::take(args).bind(name, ["as_tuple"])?;
                let columns = nonzero(tensor)?;
                if as_tuple.map_or(Ok(false), |flag| flag.truth())? {
                    return Ok(Some(Value::tuple(columns.into_iter().map(Value::Tensor).collect())));
                }
                let columns = Value::list(columns.into_iter().map(Value::Tensor).collect());
                let stacked = Args { positional: vec![columns, Value::Int(1)], ..Args::default() };
                return self.torch("stack", stacked).map(Some);
            }
            "where" if args.positional.is_empty() && args.named.is_empty() => {
                return Ok(Some(Value::tuple(nonzero(tensor)?.into_iter().map(Value::Tensor).collect())));
            }
            "masked_select" => {
                let mask = convert::tensor(&std::mem::take(args).one(name)?, "mask")?;
                let shape: Vec<i128> = tensor.shape.iter().map(|size| *size as i128).collect();
                tensor.get(&[Item::Tensor(mask.expand(&shape)?)])?
            }
            "repeat_interleave" => {
                let [repeats, axis, _] = std::mem::take(args).bind(name, ["repeats", "dim", "output_size"])?;
                let axis = axis.filter(|axis| !matches!(axis, Value::None));
                repeat_interleave(tensor, &need(repeats, name, "repeats")?, axis)?
            }
            "pad" => {
                let [pad, mode, value] = std::mem::take(args).bind(name, ["pad", "mode", "value"])?;
                let is_constant = mode.is_none_or(|mode| mode.display() == "constant");
                if !is_constant {
                    return Err(Exception::unsupported("`pad` has only the mode 'constant' here"));
                }
                let value = value.filter(|value| !matches!(value, Value::None)).unwrap_or(Value::Int(0));
                padded(tensor, &convert::ints(&need(pad, name, "pad")?, "pad")?, &value)?
            }
            "one_hot" => {
                let [classes] = std::mem::take(args).bind(name, ["num_classes"])?;
                one_hot(tensor, classes.map_or(Ok(-1), |classes| convert::int(&classes, "num_classes"))?)?
            }
            "index_add_" | "index_add" => {
                let [axis, index, source, alpha] =
                    std::mem::take(args).bind(name, ["dim", "index", "source", "alpha"])?;
                let axis = tensor.axis(convert::int(&need(axis, name, "dim")?, "dim")?)?;
                let index = convert::tensor(&need(index, name, "index")?, "index")?;
                let mut source = convert::tensor(&need(source, name, "source")?, "source")?;
                if let Some(alpha) = alpha {
                    let alpha = convert::need_operand(&alpha, "alpha")?;
                    source = elementwise::binary(Operator::Mul, &Operand::tensor(source), &alpha)?;
                }
                let target = if name == "index_add" { tensor.copied() } else { tensor.clone() };
                index_add(&target, axis, &index, &source)?;
                target
            }
            "index_copy_" => {
                let [axis, index, source] = std::mem::take(args).bind(name, ["dim", "index", "source"])?;
                let axis = tensor.axis(convert::int(&need(axis, name, "dim")?, "dim")?)?;
                let index = convert::tensor(&need(index, name, "index")?, "index")?;
                let mut items = vec![Item::Slice(None, None, None); axis];
                items.push(Item::Tensor(index));
                tensor.set(&items, &convert::tensor(&need(source, name, "source")?, "source")?)?;
                tensor.clone()
            }
            _ => return Ok(None),
        })))
    }
}

/// The indices of elements that are not 0: one tensor for each dimension.
fn nonzero(tensor: &Tensor) -> Result<Vec<Tensor>> {
    let values = tensor.read(number::read_f64);
    let found: Vec<usize> = (0..values.len()).filter(|at| values[*at] != 0.0).collect();
    let mut columns = Vec::with_capacity(tensor.rank());
    let mut inner: usize = tensor.shape.iter().product();
    for size in &tensor.shape {
        inner /= (*size).max(1);
        let bytes = found.iter().flat_map(|at| ((at / inner.max(1) % size) as i64).to_le_bytes()).collect();
        columns.push(Tensor::from_bytes(I64, vec![found.len()], bytes));
    }
    Ok(columns)
}

/// Each element, or each slice along a dimension, as often as `repeats` says.
fn repeat_interleave<'a>(tensor: &Tensor, repeats: &Value<'a>, axis: Option<Value<'a>>) -> Result<Tensor> {
    let (tensor, axis) = match axis {
        Some(axis) => (tensor.clone(), tensor.axis(convert::int(&axis, "dim")?)?),
        None => (tensor.flatten(0, -1)?, 0),
    };
    let length = tensor.shape.get(axis).copied().unwrap_or(1);
    let counts: Vec<usize> = match repeats {
        Value::Tensor(counts) if counts.count() == length => counts
            .read(number::read_i64)
            .into_iter()
            .map(|count| usize::try_from(count).map_err(|_| Exception::value("`repeats` is not negative")))
            .collect::<Result<_>>()?,
        Value::Tensor(counts) if counts.count() != 1 => {
            return Err(Exception::shape(format!("`repeats` needs {length} elements, not {}", counts.count())));
        }
        Value::Tensor(count) => vec![count.read(number::read_i64)[0].max(0) as usize; length],
        count => vec![convert::size(count, "repeats")?; length],
    };
    let total = counts.iter().try_fold(0usize, |sum, count| sum.checked_add(*count));
    let mut shape = tensor.shape.clone();
    if let Some(size) = shape.get_mut(axis) {
        *size = total.unwrap_or(usize::MAX);
    }
    let count = checked_count(&shape)?;
    check_work(count.saturating_mul(2))?;
    let places = counts.iter().enumerate().flat_map(|(at, count)| std::iter::repeat_n(at as i64, *count));
    let bytes: Vec<u8> = places.flat_map(i64::to_le_bytes).collect();
    let index = Tensor::from_bytes(I64, vec![bytes.len() / 8], bytes);
    let mut items = vec![Item::Slice(None, None, None); axis];
    items.push(Item::Tensor(index));
    tensor.get(&items)
}

/// `pad`: how many elements come before and behind, the last dimension first; negative numbers cut.
fn padded(tensor: &Tensor, pad: &[i128], value: &Value<'_>) -> Result<Tensor> {
    if !pad.len().is_multiple_of(2) || pad.len() / 2 > tensor.rank() {
        return Err(Exception::value("`pad` takes two numbers for each dimension, the last first"));
    }
    let mut inside = tensor.clone();
    let (mut shape, mut starts) = (tensor.shape.clone(), vec![0usize; tensor.rank()]);
    for (at, ends) in pad.chunks_exact(2).enumerate() {
        let axis = tensor.rank() - 1 - at;
        let size = tensor.shape[axis] as i128;
        let (cut, cut_end) = ((-ends[0]).max(0), (-ends[1]).max(0));
        let kept = size.saturating_sub(cut).saturating_sub(cut_end);
        let total = size.saturating_add(ends[0]).saturating_add(ends[1]);
        if kept < 0 || total < 0 {
            return Err(Exception::value("`pad` cuts more than there is"));
        }
        inside = inside.narrow(axis, cut as usize, kept as usize, 1);
        shape[axis] = usize::try_from(total).unwrap_or(usize::MAX);
        starts[axis] = usize::try_from(ends[0].max(0)).unwrap_or(usize::MAX);
    }
    checked_count(&shape)?;
    let result = Tensor::filled(tensor.dtype, shape, &vec![0; tensor.width()])?;
    result.assign(&convert::need_operand(value, "value")?.tensor)?;
    let mut middle = result.clone();
    for (axis, start) in starts.iter().enumerate() {
        middle = middle.narrow(axis, *start, inside.shape[axis], 1);
    }
    middle.assign(&inside)?;
    Ok(result)
}

fn one_hot(tensor: &Tensor, classes: i128) -> Result<Tensor> {
    if tensor.dtype.is_float() {
        return Err(Exception::ty("`one_hot` takes integers"));
    }
    let values = tensor.read(number::read_i64);
    let most = values.iter().max().copied().unwrap_or(-1);
    let classes = if classes < 0 { i128::from(most) + 1 } else { classes };
    if values.iter().any(|value| *value < 0 || i128::from(*value) >= classes) {
        return Err(Exception::value(format!("`one_hot` takes classes from 0 to {}", classes - 1)));
    }
    let mut shape = tensor.shape.clone();
    shape.push(usize::try_from(classes).unwrap_or(usize::MAX));
    let count = checked_count(&shape)?;
    let mut ones = vec![0u8; count * 8];
    for (row, value) in values.iter().enumerate() {
        ones[(row * classes as usize + *value as usize) * 8] = 1;
    }
    Ok(Tensor::from_bytes(I64, shape, ones))
}

/// Adds slices of `source` to the slices that `index` names.
fn index_add(tensor: &Tensor, axis: usize, index: &Tensor, source: &Tensor) -> Result<()> {
    if index.rank() != 1 || source.shape.get(axis) != index.shape.first() {
        return Err(Exception::shape("`index_add_` needs one index for each slice of the source"));
    }
    let mut index = index.clone();
    for _ in 0..axis {
        index = index.unsqueeze(0)?;
    }
    while index.rank() < source.rank() {
        index = index.unsqueeze(index.rank() as i128)?;
    }
    let sizes: Vec<i128> = source.shape.iter().map(|size| *size as i128).collect();
    scatter_add(tensor, axis, &index.expand(&sizes)?, source)
}
