//! Functions of the `torch` module that make tensors or take several, and `torch.testing`.

use super::args::need;
use super::neural::{cross_entropy, normalise, refuse};
use super::tensor_functions::{PLACEMENT, common_type, comparison};
use super::{Args, Interpreter, builtins, convert};
use crate::exception::{Exception, Result};
use crate::tensor::array::Array;
use crate::tensor::compare::{self, CheckDtype, Tolerance};
use crate::tensor::elementwise::{self, Operand, Operator, from_vec};
use crate::tensor::{Tensor, check_work, checked_count, create, linear, number, show_shape};
use crate::value::Value;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tk_types::ScalarType::{self, *};

const FUNCTIONS: &[&str] = &[
    "randn",
    "rand",
    "randint",
    "randperm",
    "empty",
    "zeros",
    "ones",
    "full",
    "arange",
    "linspace",
    "eye",
    "tensor",
    "empty_like",
    "zeros_like",
    "ones_like",
    "full_like",
    "rand_like",
    "randn_like",
    "manual_seed",
    "allclose",
    "equal",
    "cat",
    "stack",
    "where",
    "histc",
    "bincount",
    "outer",
    "layer_norm",
    "cross_entropy",
    "linear",
    "addmm",
    "as_tensor",
    "empty_strided",
    "device",
    "no_grad",
    "concat",
    "mse_loss",
    "rms_norm",
    "broadcast_shapes",
    "isclose",
    "is_tensor",
];

/// The names of these functions, for suggestions.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().copied()
}

impl<'a> Interpreter<'a, '_> {
    /// Calls `torch.name`.
    pub(crate) fn torch(&mut self, path: &str, mut args: Args<'a>) -> Result<Value<'a>> {
        let name = ["nn.functional.", "special.", "linalg.", "Tensor."]
            .iter()
            .find_map(|part| path.strip_prefix(part))
            .unwrap_or(path);
        if let Some(rest) = path.strip_prefix("cuda.") {
            return self.cuda(rest, args);
        }
        match name {
            "testing.assert_close" | "testing.assert_allclose" => return assert_close(args),
            "manual_seed" => {
                let seed = convert::int(&args.one(name)?, "the seed")?;
                self.random = ChaCha8Rng::seed_from_u64(seed as u64);
                return Ok(Value::None);
            }
            "device" | "Generator" => return Ok(Value::Path("device".into())),
            "no_grad"
            | "inference_mode"
            | "set_grad_enabled"
            | "set_default_device"
            | "set_printoptions"
            | "set_float32_matmul_precision"
            | "use_deterministic_algorithms" => return Ok(Value::None),
            "set_default_dtype" => return Err(Exception::unsupported("the default type is float32")),
            "allclose" | "equal" => return comparison(name, args),
            "is_tensor" => return Ok(Value::Bool(matches!(args.one(name)?, Value::Tensor(_)))),
            "Size" => return Ok(Value::tuple(self.collect(&args.one(name)?)?)),
            _ => {}
        }
        args.ignore(PLACEMENT);
        if let Some(tensor) = self.creation(name, &mut args)? {
            return Ok(Value::Tensor(tensor));
        }
        if let Some(tensor) = self.joined(name, &mut args)? {
            return Ok(Value::Tensor(tensor));
        }
        if let Some(value) = self.tensor_function(name, args)? {
            return Ok(value);
        }
        Err(builtins::unknown(&format!("torch.{path}")))
    }

    fn cuda(&mut self, name: &str, args: Args<'a>) -> Result<Value<'a>> {
        match name {
            "is_available" => Ok(Value::Bool(true)),
            "current_device" => Ok(Value::Int(0)),
            "device_count" => Ok(Value::Int(1)),
            "get_device_name" => Ok(Value::str(self.launcher.device_name())),
            "get_device_properties" => {
                let fields = self.device_properties();
                Ok(Self::object("DeviceProperties", fields))
            }
            "get_device_capability" => {
                let capability = self.launcher.property(crate::launch::DeviceProperty::ComputeCapability);
                let capability =
                    capability.ok_or_else(|| Exception::unsupported("the device has no compute capability"))?;
                Ok(Value::tuple(vec![Value::Int(capability / 10), Value::Int(capability % 10)]))
            }
            "manual_seed" | "manual_seed_all" => self.torch("manual_seed", args),
            "synchronize"
            | "empty_cache"
            | "set_device"
            | "reset_peak_memory_stats"
            | "device"
            | "Stream"
            | "stream" => Ok(Value::None),
            "Event" => Ok(Self::object("Event", Vec::new())),
            _ => Err(builtins::unknown(&format!("torch.cuda.{name}"))),
        }
    }

    /// New tensors.
    fn creation(&mut self, name: &str, args: &mut Args<'a>) -> Result<Option<Tensor>> {
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
                let new = Tensor::filled(default, shape(&args.positional, size)?, &element)?;
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

    /// Functions of several tensors.
    fn joined(&mut self, name: &str, args: &mut Args<'a>) -> Result<Option<Tensor>> {
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
    let storage = Tensor::filled(dtype, vec![last.saturating_add(1)], &number::poison(dtype))?;
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

/// `torch.testing.assert_close`.
fn assert_close<'a>(mut args: Args<'a>) -> Result<Value<'a>> {
    args.ignore(&["check_device", "check_stride", "check_layout", "allow_subclasses", "msg"]);
    let name = "assert_close";
    let [actual, expected, relative, absolute, nan, check] =
        args.bind(name, ["actual", "expected", "rtol", "atol", "equal_nan", "check_dtype"])?;
    let side = |value: Option<Value<'a>>, what: &str| -> Result<Tensor> {
        Ok(convert::need_operand(&need(value, name, what)?, what)?.tensor)
    };
    let (actual, expected) = (side(actual, "actual")?, side(expected, "expected")?);
    let given = |value: Option<Value<'a>>| {
        value
            .filter(|value| !matches!(value, Value::None))
            .map(|value| convert::float(&value, "a tolerance"))
            .transpose()
    };
    let (a, b) = (compare::default_tolerance(actual.dtype), compare::default_tolerance(expected.dtype));
    let default = (a.0.max(b.0), a.1.max(b.1));
    let (relative, absolute) = match (given(relative)?, given(absolute)?) {
        (None, None) => default,
        (Some(relative), Some(absolute)) => (relative, absolute),
        // torch asks for both or neither; the one that is missing is 0 here, which is the stricter reading.
        (relative, absolute) => (relative.unwrap_or(0.0), absolute.unwrap_or(0.0)),
    };
    let truth = |value: Option<Value<'a>>, default: bool| value.map_or(Ok(default), |value| value.truth());
    let tolerance = Tolerance { relative, absolute, nan_equals_nan: truth(nan, false)? };
    let check = if truth(check, true)? { CheckDtype::Yes } else { CheckDtype::No };
    compare::assert_close(&actual, &expected, tolerance, check)?;
    Ok(Value::None)
}
