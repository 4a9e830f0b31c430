//! Functions of the `torch` module: those that make tensors, those that join several, `torch.cuda` and `torch.testing`.

mod creation;
mod joining;
mod testing;

use super::tensor_functions::{PLACEMENT, comparison};
use super::{Args, Interpreter, builtins, convert};
use crate::exception::{Exception, Result};
use crate::tensor::array::broadcast_shape;
use crate::tensor::limits::{self, FloatLimits};
use crate::tensor::{Tensor, torch_name};
use crate::value::Value;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::rc::Rc;
use tk_types::ScalarType;

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
    "einsum",
    "finfo",
    "iinfo",
    "broadcast_tensors",
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
        if ["compiler.", "_dynamo.", "jit.", "library.", "amp.", "cuda.amp."].iter().any(|part| path.starts_with(part))
        {
            return Ok(machinery(path, args));
        }
        if let Some(rest) = path.strip_prefix("cuda.") {
            return self.cuda(rest, args);
        }
        if let Some(value) = switch(name, &args)? {
            return Ok(value);
        }
        match name {
            "testing.assert_close" | "testing.assert_allclose" => return testing::assert_close(args),
            "manual_seed" => {
                let seed = convert::int(&args.one(name)?, "the seed")?;
                self.random = ChaCha8Rng::seed_from_u64(seed as u64);
                return Ok(Value::None);
            }
            "device" | "Generator" => {
                args.only(name, &["type", "index", "device"])?;
                return Ok(Value::Path("device".into()));
            }
            "utils._triton.has_triton" | "utils._triton.has_triton_package" => return Ok(Value::Bool(true)),
            "get_default_dtype" => return Ok(Value::Dtype(ScalarType::F32)),
            "set_default_dtype" => return Err(Exception::unsupported("the default type is float32")),
            "allclose" | "equal" => return comparison(name, args),
            "is_tensor" => return Ok(Value::Bool(matches!(args.one(name)?, Value::Tensor(_)))),
            "finfo" => return self.finfo(args),
            "iinfo" => return self.iinfo(args),
            "broadcast_tensors" => return broadcast_tensors(args),
            "Size" => return Ok(Value::tuple(self.collect(&args.one(name)?)?)),
            _ => {}
        }
        args.ignore(PLACEMENT);
        if let Some(out) = args.take("out").filter(|out| !matches!(out, Value::None)) {
            let target = convert::tensor(&out, "out")?;
            let result = self.torch(path, args)?;
            target.assign(&convert::tensor(&result, "the result")?)?;
            return Ok(out);
        }
        // One argument: the places where it holds.
        if name == "where" && args.positional.len() == 1 && args.named.is_empty() {
            let value = self.tensor_function(name, args)?;
            return value.ok_or_else(|| Exception::ty("`where` needs a tensor"));
        }
        if let Some(tensor) = self.creation(name, &mut args)? {
            args.only(name, &[])?;
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

    /// `torch.finfo(dtype)`.
    fn finfo(&mut self, args: Args<'a>) -> Result<Value<'a>> {
        let [dtype] = args.bind("finfo", ["type"])?;
        let dtype = dtype.map_or(Ok(ScalarType::F32), |dtype| convert::dtype(&dtype))?;
        let FloatLimits { largest, epsilon, tiny } = limits::floats(dtype)
            .ok_or_else(|| Exception::ty(format!("torch.finfo takes a type of floats, not {}", torch_name(dtype))))?;
        let numbers =
            [("min", -largest), ("max", largest), ("eps", epsilon), ("tiny", tiny), ("smallest_normal", tiny)];
        let numbers = numbers.map(|(name, value)| (name.into(), Value::Float(value)));
        Ok(Self::object("finfo", numbers.into_iter().chain(about(dtype)).collect()))
    }

    /// `torch.iinfo(dtype)`.
    fn iinfo(&mut self, args: Args<'a>) -> Result<Value<'a>> {
        let dtype = convert::dtype(&args.one("iinfo")?)?;
        let (least, most) = limits::integers(dtype)
            .ok_or_else(|| Exception::ty(format!("torch.iinfo takes a type of integers, not {}", torch_name(dtype))))?;
        let numbers = [("min", least), ("max", most)].map(|(name, value)| (name.into(), Value::Int(value)));
        Ok(Self::object("iinfo", numbers.into_iter().chain(about(dtype)).collect()))
    }

    fn cuda(&mut self, name: &str, args: Args<'a>) -> Result<Value<'a>> {
        let allow = |names: &[&str]| args.only(&format!("torch.cuda.{name}"), names);
        match name {
            "is_available" => allow(&[]).map(|()| Value::Bool(true)),
            "current_device" => allow(&[]).map(|()| Value::Int(0)),
            "device_count" => allow(&[]).map(|()| Value::Int(1)),
            "get_device_name" => {
                allow(&["device"])?;
                Ok(Value::str(self.launcher.device_name()))
            }
            "get_device_properties" => {
                allow(&["device"])?;
                let fields = self.device_properties();
                Ok(Self::object("DeviceProperties", fields))
            }
            "get_device_capability" => {
                allow(&["device"])?;
                let capability = self.launcher.property(crate::launch::DeviceProperty::ComputeCapability);
                let capability =
                    capability.ok_or_else(|| Exception::unsupported("the device has no compute capability"))?;
                Ok(Value::tuple(vec![Value::Int(capability / 10), Value::Int(capability % 10)]))
            }
            "manual_seed" | "manual_seed_all" => self.torch("manual_seed", args),
            "synchronize" | "set_device" | "reset_peak_memory_stats" | "device" => {
                allow(&["device"]).map(|()| Value::None)
            }
            "device_of" => allow(&["obj"]).map(|()| Value::None),
            "empty_cache" => allow(&[]).map(|()| Value::None),
            "Stream" => allow(&["device", "priority"]).map(|()| Value::None),
            "stream" => allow(&["stream"]).map(|()| Value::None),
            "Event" => {
                allow(&["enable_timing", "blocking", "interprocess"])?;
                Ok(Self::object("Event", Vec::new()))
            }
            _ => Err(builtins::unknown(&format!("torch.cuda.{name}"))),
        }
    }
}

/// Functions that switch something on or off that does not exist here, and those that ask for it.
fn switch<'a>(name: &str, args: &Args<'a>) -> Result<Option<Value<'a>>> {
    let (names, value): (&[&str], Value<'a>) = match name {
        "no_grad" => (&[], Value::None),
        "inference_mode" | "set_grad_enabled" => (&["mode"], Value::None),
        "set_default_device" => (&["device"], Value::None),
        "set_printoptions" => {
            (&["precision", "threshold", "edgeitems", "linewidth", "profile", "sci_mode"], Value::None)
        }
        "set_float32_matmul_precision" => (&["precision"], Value::None),
        // Products of host code are those of fp32, whatever is set.
        "get_float32_matmul_precision" => (&[], Value::str("highest")),
        "use_deterministic_algorithms" => (&["mode", "warn_only"], Value::None),
        "is_autocast_enabled" => (&["device_type"], Value::Bool(false)),
        "are_deterministic_algorithms_enabled"
        | "is_grad_enabled"
        | "is_inference_mode_enabled"
        | "distributed.is_available"
        | "distributed.is_initialized" => (&[], Value::Bool(false)),
        _ => return Ok(None),
    };
    args.only(name, names)?;
    Ok(Some(value))
}

/// What `finfo` and `iinfo` say of the type itself.
fn about<'a>(dtype: ScalarType) -> [(Rc<str>, Value<'a>); 2] {
    [("bits".into(), Value::Int(i128::from(dtype.bits()))), ("dtype".into(), Value::str(torch_name(dtype)))]
}

fn broadcast_tensors<'a>(args: Args<'a>) -> Result<Value<'a>> {
    args.only("broadcast_tensors", &[])?;
    let tensors: Vec<Tensor> =
        args.positional.iter().map(|value| convert::tensor(value, "an argument")).collect::<Result<_>>()?;
    let shape = tensors.iter().try_fold(Vec::new(), |shape, tensor| broadcast_shape(&shape, &tensor.shape))?;
    let sizes: Vec<i128> = shape.iter().map(|size| *size as i128).collect();
    let expanded = tensors.iter().map(|tensor| tensor.expand(&sizes).map(Value::Tensor));
    Ok(Value::tuple(expanded.collect::<Result<_>>()?))
}

/// What compiles, traces or registers functions gives them back: there is nothing to compile them with.
fn machinery<'a>(path: &str, args: Args<'a>) -> Value<'a> {
    let is_function = |value: &Value<'a>| matches!(value, Value::Function(_) | Value::Partial(_) | Value::Kernel(_));
    match args.positional.into_iter().find(is_function) {
        Some(function) => function,
        None if path.contains(".is_") => Value::Bool(false),
        None => Value::Path(format!("torch.{path}").into()),
    }
}
