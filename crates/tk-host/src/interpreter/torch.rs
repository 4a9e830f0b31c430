//! Functions of the `torch` module: those that make tensors, those that join several, `torch.cuda` and `torch.testing`.

mod creation;
mod joining;
mod limits;
mod testing;

use super::tensor_functions::{PLACEMENT, comparison};
use super::{Args, Interpreter, builtins, convert};
use crate::exception::{Exception, Result};
use crate::tensor::Tensor;
use crate::tensor::array::broadcast_shape;
use crate::value::Value;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

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
        if let Some(rest) = path.strip_prefix("cuda.") {
            return self.cuda(rest, args);
        }
        match name {
            "testing.assert_close" | "testing.assert_allclose" => return testing::assert_close(args),
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
            "finfo" => return limits::finfo(args),
            "iinfo" => return limits::iinfo(args),
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
}

fn broadcast_tensors<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let tensors: Vec<Tensor> =
        args.positional.iter().map(|value| convert::tensor(value, "an argument")).collect::<Result<_>>()?;
    let shape = tensors.iter().try_fold(Vec::new(), |shape, tensor| broadcast_shape(&shape, &tensor.shape))?;
    let sizes: Vec<i128> = shape.iter().map(|size| *size as i128).collect();
    let expanded = tensors.iter().map(|tensor| tensor.expand(&sizes).map(Value::Tensor));
    Ok(Value::tuple(expanded.collect::<Result<_>>()?))
}
