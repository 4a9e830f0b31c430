//! Functions of `torch` that make tensors.

use crate::exception::{Exception, Result};
use crate::interpreter::args::need;
use crate::interpreter::{Args, Interpreter, convert};
use crate::tensor::array::Array;
use crate::tensor::elementwise::from_vec;
use crate::tensor::{Tensor, checked_count, create, number};
use crate::value::Value;
use tk_types::ScalarType::{self, *};

impl<'a> Interpreter<'a, '_> {
    /// New tensors.
    pub(super) fn creation(&mut self, name: &str, args: &mut Args<'a>) -> Result<Option<Tensor>> {
        let dtype = args
            .take("dtype")
            .filter(|dtype| !matches!(dtype, Value::None))
            .map(|dtype| convert::dtype(&dtype))
            .transpose()?;
        let restore = dtype;
        let default = dtype.unwrap_or(F32);
        let (base, like) = match name.strip_suffix("_like") {
            Some(base) => match args.positional.first() {
                Some(Value::Tensor(like)) => (base, Some(like.clone())),
                _ => return Err(Exception::ty(format!("`{name}` needs a tensor"))),
            },
            None => (name, None),
        };
        let shape = |values: &[Value<'a>], named: Option<Value<'a>>| match (&like, named) {
            (Some(like), _) => Ok(like.shape.clone()),
            (None, Some(size)) => convert::shape(&[size]),
            (None, None) => convert::shape(values),
        };
        let default = like.as_ref().filter(|_| dtype.is_none()).map_or(default, |like| like.dtype);
        let size = args.take("size");
        let result = match base {
            "zeros" => Tensor::filled(default, shape(&args.positional, size)?, &vec![0; default.bytes() as usize])?,
            "ones" => filled(default, shape(&args.positional, size)?, &Value::Int(1))?,
            "empty" => {
                let element = number::poison(default);
                let new = Tensor::filled(default, shape(&args.positional, size)?, &element)?.unwritten();
                // As in torch, the result of `empty_like` keeps the order of a dense tensor's axes in memory.
                match &like {
                    Some(like) if is_dense(like) => Tensor { strides: like.strides.clone(), ..new },
                    _ => new,
                }
            }
            "full" => {
                let [first, value] = std::mem::take(args).bind(name, ["size", "fill_value"])?;
                let value = need(value, name, "fill_value")?;
                let dtype = match (&like, dtype, &value) {
                    (None, None, Value::Int(_)) => I64,
                    (None, None, Value::Bool(_)) => I1,
                    _ => default,
                };
                let sizes: Vec<Value<'a>> = first.or(size).into_iter().collect();
                filled(dtype, shape(&sizes, None)?, &value)?
            }
            "randn" => create::randn(default, shape(&args.positional, size)?, &mut self.random)?,
            "rand" => create::rand(default, shape(&args.positional, size)?, &mut self.random)?,
            "randint" => return self.randint(&like, restore, size, std::mem::take(args)).map(Some),
            "randperm" => {
                let count = convert::size(&std::mem::take(args).one(name)?, "n")?;
                create::randperm(dtype.unwrap_or(I64), count, &mut self.random)?
            }
            "arange" => arange(dtype, std::mem::take(args))?,
            "linspace" => {
                let [start, end, steps] = std::mem::take(args).bind(name, ["start", "end", "steps"])?;
                let start = convert::float(&need(start, name, "start")?, "start")?;
                let end = convert::float(&need(end, name, "end")?, "end")?;
                create::linspace(default, start, end, convert::size(&need(steps, name, "steps")?, "steps")?)?
            }
            "eye" => {
                let [n, m] = std::mem::take(args).bind(name, ["n", "m"])?;
                let n = convert::size(&need(n, name, "n")?, "n")?;
                create::eye(default, n, m.map_or(Ok(n), |m| convert::size(&m, "m"))?)?
            }
            "tensor" | "as_tensor" => self.tensor_of(&std::mem::take(args).one(name)?, dtype)?,
            "empty_strided" => {
                let [size_argument, stride] = std::mem::take(args).bind(name, ["size", "stride"])?;
                let sizes: Vec<Value<'a>> = size_argument.or(size).into_iter().collect();
                empty_strided(default, convert::shape(&sizes)?, convert::shape(&[need(stride, name, "stride")?])?)?
            }
            _ => {
                // Not a creation: the arguments go on to the next group as they came.
                args.named.extend(restore.map(|dtype| ("dtype".into(), Value::Dtype(dtype))));
                args.named.extend(size.map(|size| ("size".into(), size)));
                return Ok(None);
            }
        };
        Ok(Some(result))
    }

    fn randint(
        &mut self,
        like: &Option<Tensor>,
        dtype: Option<ScalarType>,
        size: Option<Value<'a>>,
        mut args: Args<'a>,
    ) -> Result<Tensor> {
        if like.is_some() {
            args.positional.remove(0);
        }
        args.named.extend(size.map(|size| ("size".into(), size)));
        // `randint(high, size)` and `randint(low, high, size)`.
        let two = args.positional.len() == 2
            && args.named.iter().all(|(name, _)| &**name != "size" && &**name != "high")
            || args.positional.len() == 1 && args.named.iter().all(|(name, _)| &**name != "high");
        if two {
            args.positional.insert(0, Value::Int(0));
        }
        let [low, high, size] = args.bind("randint", ["low", "high", "size"])?;
        let low = low.map_or(Ok(0), |low| convert::small_int(&low, "low"))?;
        let high = convert::small_int(&need(high, "randint", "high")?, "high")?;
        let shape = match like {
            Some(like) => like.shape.clone(),
            None => convert::shape(&[need(size, "randint", "size")?])?,
        };
        let dtype = dtype.or(like.as_ref().map(|like| like.dtype)).unwrap_or(I64);
        create::randint(dtype, shape, (low, high), &mut self.random)
    }

    /// `torch.tensor(nested lists)`.
    fn tensor_of(&mut self, data: &Value<'a>, dtype: Option<ScalarType>) -> Result<Tensor> {
        if let Value::Tensor(tensor) = data {
            return Ok(tensor.to_dtype(dtype.unwrap_or(tensor.dtype)).copied());
        }
        let (mut shape, mut values) = (Vec::new(), Vec::new());
        self.flatten(data, 0, &mut shape, &mut values)?;
        let has = |test: fn(&Value<'a>) -> bool| values.iter().any(test);
        let dtype = dtype.unwrap_or(if has(|v| matches!(v, Value::Float(_))) || values.is_empty() {
            F32
        } else if has(|v| matches!(v, Value::Int(_))) {
            I64
        } else if let Some(Value::Tensor(tensor)) = values.first() {
            tensor.dtype
        } else {
            I1
        });
        let array = if dtype.is_float() {
            let values = values.iter().map(|value| convert::float(value, "an element")).collect::<Result<_>>()?;
            Array::Float(from_vec(&shape, values)?)
        } else {
            let element = |value: &Value<'a>| match value {
                Value::Float(value) => Ok(*value as i64),
                Value::Int(value) if dtype == U64 && *value >= 0 => Ok(*value as u64 as i64),
                other => convert::small_int(other, "an element"),
            };
            Array::Int(from_vec(&shape, values.iter().map(element).collect::<Result<_>>()?)?)
        };
        Ok(array.to_tensor(dtype))
    }

    fn flatten(
        &mut self,
        data: &Value<'a>,
        depth: usize,
        shape: &mut Vec<usize>,
        out: &mut Vec<Value<'a>>,
    ) -> Result<()> {
        let uneven = || Exception::value("the lists of a tensor must have the same lengths");
        let is_list = matches!(data, Value::List(_) | Value::Tuple(_) | Value::Range(..));
        if !is_list {
            out.push(data.clone());
            return if depth == shape.len() { Ok(()) } else { Err(uneven()) };
        }
        if depth > 16 {
            return Err(Exception::value("a tensor has at most 16 dimensions"));
        }
        let items = self.collect(data)?;
        match shape.get(depth) {
            None if out.is_empty() => shape.push(items.len()),
            Some(length) if *length == items.len() => {}
            _ => return Err(uneven()),
        }
        items.iter().try_for_each(|item| self.flatten(item, depth + 1, shape, out))
    }
}

/// Whether its elements fill one piece of memory, in whatever order of axes.
fn is_dense(tensor: &Tensor) -> bool {
    let mut axes: Vec<usize> = (0..tensor.rank()).collect();
    axes.sort_by_key(|axis| std::cmp::Reverse(tensor.strides[*axis]));
    let order: Vec<i128> = axes.iter().map(|axis| *axis as i128).collect();
    tensor.permute(&order).is_ok_and(|sorted| sorted.is_contiguous())
}

fn filled(dtype: ScalarType, shape: Vec<usize>, value: &Value<'_>) -> Result<Tensor> {
    let mut element = vec![0; dtype.bytes() as usize];
    match (dtype.is_float(), value) {
        (false, Value::Int(value)) if dtype == U64 => number::write_i64(dtype, *value as u64 as i64, &mut element),
        (false, Value::Int(_) | Value::Bool(_)) => {
            number::write_i64(dtype, convert::small_int(value, "the value")?, &mut element);
        }
        _ => number::write_f64(dtype, convert::float(value, "the value")?, &mut element),
    }
    Tensor::filled(dtype, shape, &element)
}

fn empty_strided(dtype: ScalarType, shape: Vec<usize>, strides: Vec<usize>) -> Result<Tensor> {
    if shape.len() != strides.len() {
        return Err(Exception::shape("`empty_strided` needs a stride for every size"));
    }
    checked_count(&shape)?;
    let extent = |(size, stride): (&usize, &usize)| size.saturating_sub(1).saturating_mul(*stride);
    let last = shape.iter().zip(&strides).map(extent).fold(0usize, usize::saturating_add);
    let storage = Tensor::filled(dtype, vec![last.saturating_add(1)], &number::poison(dtype))?.unwritten();
    Ok(Tensor { shape, strides, ..storage })
}

fn arange<'a>(dtype: Option<ScalarType>, args: Args<'a>) -> Result<Tensor> {
    let one_bound = args.positional.len() == 1 && args.named.iter().all(|(name, _)| &**name != "end");
    let mut args = args;
    if one_bound {
        args.positional.insert(0, Value::Int(0));
    }
    let [start, end, step] = args.bind("arange", ["start", "end", "step"])?;
    let (start, step) = (start.unwrap_or(Value::Int(0)), step.unwrap_or(Value::Int(1)));
    let end = need(end, "arange", "end")?;
    let parts = [&start, &end, &step];
    if parts.iter().any(|part| matches!(part, Value::Float(_))) {
        let [start, end, step] =
            [convert::float(&start, "start")?, convert::float(&end, "end")?, convert::float(&step, "step")?];
        return create::arange_floats(dtype.unwrap_or(F32), (start, end, step));
    }
    let [start, end, step] =
        [convert::small_int(&start, "start")?, convert::small_int(&end, "end")?, convert::small_int(&step, "step")?];
    create::arange_ints(dtype.unwrap_or(I64), (start, end, step))
}
