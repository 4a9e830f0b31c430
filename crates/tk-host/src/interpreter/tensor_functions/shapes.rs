//! Sizes, strides and views of tensors.

use crate::exception::{Exception, Result};
use crate::interpreter::args::need;
use crate::interpreter::{Args, Interpreter, convert};
use crate::tensor::Tensor;
use crate::value::Value;
use tk_types::ScalarType;

impl<'a> Interpreter<'a, '_> {
    /// Sizes, strides and views.
    pub(super) fn shape_function(
        &mut self,
        tensor: &Tensor,
        name: &str,
        args: &mut Args<'a>,
    ) -> Result<Option<Value<'a>>> {
        match name {
            "permute" => args.only(name, &["dims"])?,
            "reshape" => args.only(name, &["shape"])?,
            "view" | "expand" | "broadcast_to" => args.only(name, &["size"])?,
            "storage_offset" | "data_ptr" | "is_floating_point" => args.only(name, &[])?,
            // The others are bound by name, here or before.
            _ => {}
        }
        let int = |i: usize, default: i128| match args.positional.get(i) {
            Some(value) => convert::int(value, "a dimension"),
            None => Ok(default),
        };
        let named = |name: &str, i: usize| {
            args.named.iter().find(|(given, _)| &**given == name).map(|(_, value)| value).or(args.positional.get(i))
        };
        let result = match name {
            "stride" => return extent(tensor, &tensor.strides, named("dim", 0)).map(Some),
            "size" => return extent(tensor, &tensor.shape, named("dim", 0)).map(Some),
            "numel" => return Ok(Some(Value::Int(tensor.count() as i128))),
            "dim" => return Ok(Some(Value::Int(tensor.rank() as i128))),
            "element_size" => return Ok(Some(Value::Int(tensor.width() as i128))),
            "storage_offset" => return Ok(Some(Value::Int(tensor.offset as i128))),
            "data_ptr" => {
                let address = self.launcher.address(&tensor.buffer).map_err(Exception::from_diagnostic)?;
                return Ok(Some(Value::Int(i128::from(address) + (tensor.offset * tensor.width()) as i128)));
            }
            "is_contiguous" => return Ok(Some(Value::Bool(tensor.is_contiguous()))),
            "is_floating_point" => return Ok(Some(Value::Bool(tensor.dtype.is_float()))),
            "contiguous" if tensor.is_contiguous() => tensor.clone(),
            "contiguous" | "clone" => tensor.copied(),
            "t" if tensor.rank() < 2 => tensor.clone(),
            "t" if tensor.rank() > 2 => return Err(Exception::shape("`t` needs a tensor of at most 2 dimensions")),
            "t" => tensor.transpose(0, 1)?,
            "transpose" | "swapaxes" => {
                let axis = |name: &str, i: usize| match named(name, i) {
                    Some(value) => convert::int(value, "a dimension"),
                    None => Err(Exception::ty("`transpose` needs two dimensions")),
                };
                tensor.transpose(axis("dim0", 0)?, axis("dim1", 1)?)?
            }
            "permute" => tensor.permute(&spread(args, "dims")?)?,
            "reshape" => tensor.reshape(&spread(args, "shape")?)?,
            "view" if matches!(args.positional.first(), Some(Value::Dtype(_))) => {
                return reinterpret(tensor, convert::dtype(&args.positional[0])?).map(|view| Some(Value::Tensor(view)));
            }
            "view" => tensor.view_as(&spread(args, "size")?)?,
            "expand" | "broadcast_to" => tensor.expand(&spread(args, "size")?)?,
            "expand_as" | "view_as" | "reshape_as" => {
                let other = convert::tensor(args.positional.first().unwrap_or(&Value::None), "other")?;
                let sizes: Vec<i128> = other.shape.iter().map(|size| *size as i128).collect();
                if name == "expand_as" { tensor.expand(&sizes)? } else { tensor.reshape(&sizes)? }
            }
            "unsqueeze" => tensor.unsqueeze(match named("dim", 0) {
                Some(axis) => convert::int(axis, "a dimension")?,
                None => return Err(Exception::ty("`unsqueeze` needs a dimension")),
            })?,
            "squeeze" => tensor.squeeze(named("dim", 0).map(|axis| convert::int(axis, "a dimension")).transpose()?)?,
            "flatten" | "ravel" => tensor.flatten(int(0, 0)?, int(1, -1)?)?,
            "narrow" => narrow(tensor, tensor.axis(int(0, 0)?)?, int(1, 0)?, int(2, 0)?)?,
            "select" => tensor.select(tensor.axis(int(0, 0)?)?, int(1, 0)?)?,
            "unbind" => {
                let axis = tensor.axis(int(0, 0)?)?;
                let parts = (0..tensor.shape.get(axis).copied().unwrap_or(0) as i128)
                    .map(|i| tensor.select(axis, i).map(Value::Tensor));
                return Ok(Some(Value::tuple(parts.collect::<Result<_>>()?)));
            }
            "chunk" | "split" => return split(tensor, name, args).map(Some),
            _ => return Ok(None),
        };
        Ok(Some(Value::Tensor(result)))
    }
}

/// A size or stride of a tensor, or all of them where no dimension is given.
fn extent<'a>(tensor: &Tensor, list: &[usize], axis: Option<&Value<'a>>) -> Result<Value<'a>> {
    match axis {
        Some(axis) if tensor.rank() > 0 => {
            Ok(Value::Int(list[tensor.axis(convert::int(axis, "a dimension")?)?] as i128))
        }
        Some(_) => Err(Exception::index("a tensor without dimensions has no sizes")),
        None => Ok(Value::sizes(list)),
    }
}

/// `length` elements along `axis` from `start` on, which counts from the end where it is negative.
fn narrow(tensor: &Tensor, axis: usize, start: i128, length: i128) -> Result<Tensor> {
    let size = tensor.shape.get(axis).copied().unwrap_or(0) as i128;
    let start = if start < 0 { start.saturating_add(size) } else { start };
    if start < 0 || length < 0 || start.saturating_add(length) > size {
        return Err(Exception::index(format!("`narrow` leaves dimension {axis} of size {size}")));
    }
    Ok(tensor.narrow(axis, start as usize, length as usize, 1))
}

fn split<'a>(tensor: &Tensor, name: &str, args: &mut Args<'a>) -> Result<Value<'a>> {
    let [count, axis] = std::mem::take(args).bind(name, ["size", "dim"])?;
    let count = convert::size(&need(count, name, "size")?, "size")?.max(1);
    let axis = tensor.axis(axis.map_or(Ok(0), |axis| convert::int(&axis, "dim"))?)?;
    let length =
        *tensor.shape.get(axis).ok_or_else(|| Exception::shape("a tensor without dimensions cannot be split"))?;
    let piece = if name == "chunk" { length.div_ceil(count).max(1) } else { count };
    let starts = (0..length).step_by(piece);
    Ok(Value::tuple(
        starts.map(|start| Value::Tensor(tensor.narrow(axis, start, piece.min(length - start), 1))).collect(),
    ))
}

/// Sizes by position or by name.
fn spread<'a>(args: &mut Args<'a>, name: &str) -> Result<Vec<i128>> {
    match args.take(name) {
        Some(value) => convert::spread(&[value], "a size"),
        None => convert::spread(&args.positional, "a size"),
    }
}

/// `x.view(dtype)`: the same bytes as another type of the same width.
fn reinterpret(tensor: &Tensor, dtype: ScalarType) -> Result<Tensor> {
    if dtype.bytes() != tensor.dtype.bytes() {
        return Err(Exception::unsupported("view as a type of another width is not supported"));
    }
    Ok(Tensor { dtype, ..tensor.clone() })
}
