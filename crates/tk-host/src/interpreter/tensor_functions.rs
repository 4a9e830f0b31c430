//! Functions of tensors: `x.name(…)`, `torch.name(x, …)` and `torch.nn.functional.name(x, …)` are the same function here.

use super::args::need;
use super::{Args, Interpreter, convert};
use crate::exception::{Exception, Result};
use crate::tensor::compare::{self, Tolerance};
use crate::tensor::elementwise::{self, Operand, Operator};
use crate::tensor::index::Item;
use crate::tensor::rearrange::{flip, gather, repeat, scatter_add, triangle};
use crate::tensor::{Tensor, array::promote, check_work, from_torch_name, linear, number};
use crate::value::Value;
use tk_types::ScalarType::{self, *};

const UNARY: &[&str] = &[
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "sin",
    "cos",
    "tan",
    "tanh",
    "sigmoid",
    "erf",
    "silu",
    "softplus",
    "isnan",
    "isinf",
    "isfinite",
    "logical_not",
    "abs",
    "neg",
    "floor",
    "ceil",
    "round",
    "trunc",
    "sign",
    "square",
    "relu",
];

const BINARY: &[(&str, Operator)] = &[
    ("add", Operator::Add),
    ("sub", Operator::Sub),
    ("mul", Operator::Mul),
    ("div", Operator::Div),
    ("floor_divide", Operator::FloorDiv),
    ("remainder", Operator::Mod),
    ("pow", Operator::Pow),
    ("maximum", Operator::Maximum),
    ("minimum", Operator::Minimum),
    ("eq", Operator::Eq),
    ("ne", Operator::Ne),
    ("lt", Operator::Lt),
    ("le", Operator::Le),
    ("gt", Operator::Gt),
    ("ge", Operator::Ge),
    ("logical_and", Operator::LogicalAnd),
    ("logical_or", Operator::LogicalOr),
    ("bitwise_and", Operator::BitAnd),
    ("bitwise_or", Operator::BitOr),
    ("bitwise_xor", Operator::BitXor),
];

const OTHERS: &[&str] = &[
    "stride",
    "size",
    "numel",
    "dim",
    "element_size",
    "is_contiguous",
    "contiguous",
    "t",
    "transpose",
    "permute",
    "reshape",
    "view",
    "unsqueeze",
    "squeeze",
    "expand",
    "expand_as",
    "flatten",
    "to",
    "type",
    "float",
    "half",
    "double",
    "int",
    "long",
    "bool",
    "bfloat16",
    "item",
    "tolist",
    "clone",
    "detach",
    "cpu",
    "cuda",
    "numpy",
    "data_ptr",
    "sum",
    "mean",
    "prod",
    "max",
    "min",
    "amax",
    "amin",
    "argmax",
    "argmin",
    "var",
    "std",
    "norm",
    "any",
    "all",
    "cumsum",
    "cumprod",
    "logsumexp",
    "softmax",
    "log_softmax",
    "sort",
    "argsort",
    "topk",
    "matmul",
    "mm",
    "bmm",
    "dot",
    "fill_",
    "zero_",
    "copy_",
    "normal_",
    "uniform_",
    "clamp",
    "clip",
    "masked_fill",
    "masked_fill_",
    "tril",
    "triu",
    "gather",
    "scatter_add_",
    "index_select",
    "repeat",
    "flip",
    "is_floating_point",
    "requires_grad_",
    "storage_offset",
    "nonzero",
    "diff",
    "chunk",
    "split",
    "narrow",
    "select",
    "movedim",
    "gelu",
    "leaky_relu",
    "where",
    "unbind",
    "add_",
    "mul_",
    "sub_",
    "div_",
    "view_as",
    "reshape_as",
    "type_as",
    "is_cuda",
    "broadcast_to",
    "swapaxes",
    "ravel",
    "untyped_storage",
    "record_stream",
];

/// Whether tensors have this method.
pub(crate) fn is_method(name: &str) -> bool {
    UNARY.contains(&name) || OTHERS.contains(&name) || BINARY.iter().any(|(known, _)| *known == name)
}

/// All methods, for suggestions.
pub(crate) fn names() -> Vec<&'static str> {
    UNARY.iter().chain(OTHERS).copied().chain(BINARY.iter().map(|(name, _)| *name)).collect()
}

/// Arguments that only say where a tensor lives.
pub(crate) const PLACEMENT: &[&str] =
    &["device", "requires_grad", "pin_memory", "generator", "layout", "memory_format", "non_blocking", "copy", "out"];

impl<'a> Interpreter<'a, '_> {
    /// Calls a function of tensors; nothing when there is none with this name.
    pub(crate) fn tensor_function(&mut self, name: &str, mut args: Args<'a>) -> Result<Option<Value<'a>>> {
        args.ignore(PLACEMENT);
        if UNARY.contains(&name) {
            args.ignore(&["inplace"]);
            let tensor = convert::tensor(&args.one(name)?, "the argument")?;
            check_work(tensor.count())?;
            return Ok(elementwise::unary(name, &tensor).map(Value::Tensor));
        }
        if let Some((_, op)) = BINARY.iter().find(|(known, _)| *known == name) {
            let [a, b] = args.bind(name, ["input", "other"])?;
            let a = convert::need_operand(&need(a, name, "input")?, "input")?;
            let b = convert::need_operand(&need(b, name, "other")?, "other")?;
            return elementwise::binary(*op, &a, &b).map(|tensor| Some(Value::Tensor(tensor)));
        }
        let Some(Value::Tensor(tensor)) = args.positional.first().cloned() else {
            let input = args.take("input").filter(|_| is_method(name));
            let Some(input @ Value::Tensor(_)) = input else { return Ok(None) };
            args.positional.insert(0, input);
            return self.tensor_function(name, args);
        };
        let mut rest = args;
        rest.positional.remove(0);
        if let Some(value) = self.shape_function(&tensor, name, &mut rest)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.conversion(&tensor, name, &mut rest)? {
            return Ok(Some(value));
        }
        check_work(tensor.count())?;
        if let Some(value) = super::reductions::call(&tensor, name, &mut rest)? {
            return Ok(Some(value));
        }
        if let Some(value) = in_place(&tensor, name, &mut rest)? {
            return Ok(Some(value));
        }
        mathematics(&tensor, name, rest)
    }

    /// Sizes, strides and views.
    fn shape_function(&mut self, tensor: &Tensor, name: &str, args: &mut Args<'a>) -> Result<Option<Value<'a>>> {
        let int = |i: usize, default: i128| match args.positional.get(i) {
            Some(value) => convert::int(value, "a dimension"),
            None => Ok(default),
        };
        let named = |name: &str, i: usize| {
            args.named.iter().find(|(given, _)| &**given == name).map(|(_, value)| value).or(args.positional.get(i))
        };
        let result = match name {
            "stride" | "size" => {
                let list = if name == "size" { &tensor.shape } else { &tensor.strides };
                return Ok(Some(match named("dim", 0) {
                    Some(axis) if tensor.rank() > 0 => {
                        Value::Int(list[tensor.axis(convert::int(axis, "a dimension")?)?] as i128)
                    }
                    Some(_) => return Err(Exception::index("a tensor without dimensions has no sizes")),
                    None => Value::sizes(list),
                }));
            }
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
            "narrow" => {
                let (axis, start, length) = (tensor.axis(int(0, 0)?)?, int(1, 0)?, int(2, 0)?);
                let size = tensor.shape.get(axis).copied().unwrap_or(0) as i128;
                let start = if start < 0 { start.saturating_add(size) } else { start };
                if start < 0 || length < 0 || start.saturating_add(length) > size {
                    return Err(Exception::index(format!("`narrow` leaves dimension {axis} of size {size}")));
                }
                tensor.narrow(axis, start as usize, length as usize, 1)
            }
            "select" => tensor.select(tensor.axis(int(0, 0)?)?, int(1, 0)?)?,
            "unbind" => {
                let axis = tensor.axis(int(0, 0)?)?;
                let parts = (0..tensor.shape.get(axis).copied().unwrap_or(0) as i128)
                    .map(|i| tensor.select(axis, i).map(Value::Tensor));
                return Ok(Some(Value::tuple(parts.collect::<Result<_>>()?)));
            }
            "chunk" | "split" => return self.split(tensor, name, args).map(Some),
            _ => return Ok(None),
        };
        Ok(Some(Value::Tensor(result)))
    }

    fn split(&mut self, tensor: &Tensor, name: &str, args: &mut Args<'a>) -> Result<Value<'a>> {
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

    /// Other types, places and containers.
    fn conversion(&mut self, tensor: &Tensor, name: &str, args: &mut Args<'a>) -> Result<Option<Value<'a>>> {
        if args.positional.is_empty()
            && let Some(dtype) = from_torch_name(name)
        {
            return converted(tensor, dtype).map(|tensor| Some(Value::Tensor(tensor)));
        }
        Ok(Some(match name {
            "to" | "type" | "type_as" => {
                let given = args.take("dtype").into_iter().chain(args.positional.drain(..));
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
                Value::Tensor(tensor.clone())
            }
            "item" if tensor.count() == 1 => element(tensor),
            "item" => return Err(Exception::value(format!("item() needs one element, not {}", tensor.count()))),
            "tolist" => nested(tensor)?,
            _ => return Ok(None),
        }))
    }
}

fn converted(tensor: &Tensor, dtype: ScalarType) -> Result<Tensor> {
    if dtype != tensor.dtype {
        check_work(tensor.count())?;
    }
    Ok(tensor.to_dtype(dtype))
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

/// Methods that change the tensor: their names end in `_`.
fn in_place<'a>(tensor: &Tensor, name: &str, args: &mut Args<'a>) -> Result<Option<Value<'a>>> {
    let Some(base) = name.strip_suffix('_') else { return Ok(None) };
    let first = args.positional.first().cloned().unwrap_or(Value::Int(0));
    match base {
        "zero" | "fill" | "copy" => tensor.assign(&convert::need_operand(&first, "the value")?.tensor)?,
        "add" | "sub" | "mul" | "div" => {
            let op = BINARY.iter().find(|(known, _)| *known == base).map_or(Operator::Add, |(_, op)| *op);
            let result =
                elementwise::binary(op, &Operand::tensor(tensor.clone()), &convert::need_operand(&first, "other")?)?;
            tensor.assign(&result)?;
        }
        "masked_fill" => {
            let value = convert::need_operand(args.positional.get(1).unwrap_or(&Value::None), "value")?;
            let mask = convert::tensor(&first, "mask")?;
            tensor.assign(&elementwise::choose(&mask, &value, &Operand::tensor(tensor.clone()))?)?;
        }
        "scatter_add" => {
            let axis = tensor.axis(convert::int(&first, "dim")?)?;
            let index = convert::tensor(args.positional.get(1).unwrap_or(&Value::None), "index")?;
            let source = convert::tensor(args.positional.get(2).unwrap_or(&Value::None), "src")?;
            scatter_add(tensor, axis, &index, &source)?;
        }
        _ => return Ok(None),
    }
    Ok(Some(Value::Tensor(tensor.clone())))
}

/// Everything else with a tensor as its result.
fn mathematics<'a>(tensor: &Tensor, name: &str, args: Args<'a>) -> Result<Option<Value<'a>>> {
    let result = match name {
        "matmul" | "mm" | "bmm" | "dot" => linear::matmul(tensor, &convert::tensor(&args.one(name)?, "other")?)?,
        "gelu" => {
            let [approximate] = args.bind(name, ["approximate"])?;
            let tanh = matches!(&approximate, Some(Value::Str(text)) if &**text == "tanh");
            return Ok(elementwise::unary(if tanh { "gelu_tanh" } else { "gelu" }, tensor).map(Value::Tensor));
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
        "repeat" => repeat(tensor, &convert::spread(&args.positional, "a count")?)?,
        "flip" => {
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

/// The type that elements of several tensors share.
pub(crate) fn common_type(tensors: &[Tensor]) -> ScalarType {
    tensors.iter().map(|tensor| tensor.dtype).reduce(promote).unwrap_or(F32)
}
