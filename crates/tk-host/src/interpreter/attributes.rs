//! Attributes of values, and the constants of modules.

use super::classes::{CONTEXT, is_context_method};
use super::parent::PARENT;
use super::tuning::inner;
use super::{Interpreter, suggestion, tensor_functions};
use crate::exception::{Exception, Result};
use crate::launch::DeviceProperty;
use crate::tensor::{Tensor, from_torch_name, torch_name};
use crate::value::{CONFIG, Object, Value};
use std::cell::RefCell;
use std::rc::Rc;
use tk_diag::UNKNOWN_NAME;
use tk_types::ScalarType;

impl<'a> Interpreter<'a, '_> {
    pub(crate) fn attribute(&mut self, value: &Value<'a>, name: &str) -> Result<Value<'a>> {
        let found = match value {
            Value::Path(path) => return self.path_member(path, name),
            Value::Module(module) => return self.module_attribute(module, name),
            Value::Class(class) => return self.class_attribute(class, name),
            Value::Instance(instance) => return self.instance_attribute(instance, name),
            Value::Object(parent) if parent.class == PARENT => return self.parent_attribute(parent, name),
            Value::Tensor(tensor) => tensor_attribute(value, tensor, name)?,
            Value::Dtype(dtype) => dtype_attribute(*dtype, name),
            Value::Object(object) => match object.field(name) {
                Some(value) => Some(value),
                None if object.class == "PerfReport" && name == "run" => Some(method(value, name)),
                None if object.class == CONFIG && name == "all_kwargs" => Some(method(value, name)),
                None if object.class == "Event" => Some(method(value, name)),
                None if object.class == CONTEXT && is_context_method(name) => Some(method(value, name)),
                None => None,
            },
            Value::Exception(exception) if name == "args" => {
                Some(Value::tuple(vec![Value::str(exception.message.as_str())]))
            }
            Value::Function(function) if name == "__name__" => Some(Value::str(function.name)),
            Value::Kernel(kernel) => match name {
                "__name__" => Some(Value::str(kernel.function.name.text.as_str())),
                "fn" => Some(Value::Kernel(inner(kernel))),
                "best_config" => {
                    let best = kernel.tuning.as_ref().and_then(|tuning| tuning.best.borrow().clone());
                    let missing = || {
                        let message = format!("`{}` has no best_config yet", kernel.function.name.text);
                        let help = "it is known after the first launch of a kernel with @triton.autotune";
                        Exception::new("AttributeError", UNKNOWN_NAME, message).help(help)
                    };
                    Some(Value::Object(best.ok_or_else(missing)?))
                }
                "configs" => kernel
                    .tuning
                    .as_ref()
                    .map(|tuning| Value::list(tuning.configs.iter().cloned().map(Value::Object).collect())),
                "arg_names" => {
                    let names = kernel.function.params.iter().map(|param| Value::str(param.name.text.as_str()));
                    Some(Value::list(names.collect()))
                }
                _ => None,
            },
            // What `max(dim)` and `sort` return is a tuple here, with the names that torch gives its parts.
            Value::Tuple(items) if items.len() == 2 && matches!(name, "values" | "indices") => {
                Some(items[usize::from(name == "indices")].clone())
            }
            // Versions are tuples of numbers.
            Value::Tuple(items) if matches!(name, "major" | "minor" | "micro") => {
                let place = ["major", "minor", "micro"].iter().position(|known| *known == name).unwrap_or(0);
                items.get(place).filter(|item| matches!(item, Value::Int(_))).cloned()
            }
            Value::Str(_) | Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Tuple(_)
                if super::methods::is_method(value, name) =>
            {
                Some(method(value, name))
            }
            _ => None,
        };
        found.ok_or_else(|| {
            let message = format!("a {} has no attribute `{name}` here", value.class());
            let exception = Exception::new("AttributeError", UNKNOWN_NAME, message);
            let known = match value {
                Value::Tensor(_) => tensor_functions::names(),
                _ => Vec::new(),
            };
            match suggestion(name, known) {
                Some(help) => exception.help(help),
                // Torch's may have it.
                None if matches!(value, Value::Tensor(_)) => {
                    exception.help(format!("docs/host.md lists what there is; {}", super::builtins::PYTHON))
                }
                None => exception,
            }
        })
    }

    /// A member of a module: a constant, or the path of a function.
    pub(crate) fn path_member(&mut self, path: &str, name: &str) -> Result<Value<'a>> {
        let constant = match (path, name) {
            ("torch", _) if from_torch_name(name).is_some() => from_torch_name(name).map(Value::Dtype),
            ("triton.language" | "tl", _) if dtype_of_language(name).is_some() => {
                dtype_of_language(name).map(Value::Dtype)
            }
            ("math" | "torch", "pi") => Some(Value::Float(std::f64::consts::PI)),
            ("math" | "torch", "e") => Some(Value::Float(std::f64::consts::E)),
            ("math" | "torch", "inf") => Some(Value::Float(f64::INFINITY)),
            ("math" | "torch", "nan") => Some(Value::Float(f64::NAN)),
            ("math", "tau") => Some(Value::Float(std::f64::consts::TAU)),
            ("torch", "newaxis") => Some(Value::None),
            (_, "__name__") => Some(Value::str(path.trim_start_matches("class ").rsplit('.').next().unwrap_or(path))),
            ("device", "type") => Some(Value::str("cuda")),
            ("device", "index") => Some(Value::Int(0)),
            ("torch", "__version__") => Some(Value::str("2.9.0+tk")),
            ("triton", "__version__") => Some(Value::str("3.6.0")),
            ("torch.version", "hip") => Some(Value::None),
            ("torch.version", "cuda") => Some(Value::str("12.8")),
            ("sys", "version_info") => Some(Value::tuple([3, 12, 0].map(Value::Int).to_vec())),
            ("sys", "platform") => Some(Value::str("linux")),
            ("torch.backends.cuda.matmul" | "torch.backends.cudnn", "allow_tf32") => Some(Value::Bool(false)),
            ("sys", "argv") => Some(Value::list(vec![Value::str(self.module.file.name())])),
            _ => None,
        };
        Ok(constant.unwrap_or_else(|| Value::Path(format!("{path}.{name}").into())))
    }

    /// What `torch.cuda.get_device_properties` and `triton.runtime.driver.active.utils.get_device_properties` give.
    pub(crate) fn device_properties(&mut self) -> Vec<(Rc<str>, Value<'a>)> {
        let mut fields: Vec<(Rc<str>, Value<'a>)> = vec![("name".into(), Value::str(self.launcher.device_name()))];
        for (names, property) in [
            (["multi_processor_count", "multiprocessor_count"], DeviceProperty::Multiprocessors),
            (["shared_memory_per_block_optin", "max_shared_mem"], DeviceProperty::MaxSharedMemory),
            (["regs_per_multiprocessor", "max_num_regs"], DeviceProperty::MaxRegisters),
            (["warp_size", "warpSize"], DeviceProperty::WarpSize),
        ] {
            if let Some(value) = self.launcher.property(property) {
                fields.extend(names.map(|name| (Rc::from(name), Value::Int(value))));
            }
        }
        if let Some(capability) = self.launcher.property(DeviceProperty::ComputeCapability) {
            fields.push(("major".into(), Value::Int(capability / 10)));
            fields.push(("minor".into(), Value::Int(capability % 10)));
        }
        fields
    }

    pub(crate) fn object(class: &'static str, fields: Vec<(Rc<str>, Value<'a>)>) -> Value<'a> {
        Value::Object(Rc::new(Object { class, fields: RefCell::new(fields) }))
    }
}

/// An attribute or method of a tensor.
fn tensor_attribute<'a>(value: &Value<'a>, tensor: &Tensor, name: &str) -> Result<Option<Value<'a>>> {
    Ok(match name {
        "shape" => Some(Value::sizes(&tensor.shape)),
        "dtype" => Some(Value::Dtype(tensor.dtype)),
        "ndim" => Some(Value::Int(tensor.rank() as i128)),
        "device" => Some(Value::Path("device".into())),
        "T" | "mT" => Some(Value::Tensor(match tensor.rank() {
            0 | 1 => tensor.clone(),
            2 => tensor.transpose(0, 1)?,
            _ if name == "mT" => tensor.transpose(-1, -2)?,
            rank => tensor.permute(&(0..rank as i128).rev().collect::<Vec<_>>())?,
        })),
        "is_cuda" => Some(Value::Bool(true)),
        "requires_grad" => Some(Value::Bool(false)),
        "data" => Some(value.clone()),
        "grad" => Some(Value::None),
        "itemsize" => Some(Value::Int(tensor.width() as i128)),
        "nbytes" => Some(Value::Int((tensor.count() * tensor.width()) as i128)),
        _ if tensor_functions::is_method(name) => Some(method(value, name)),
        _ => None,
    })
}

fn method<'a>(value: &Value<'a>, name: &str) -> Value<'a> {
    Value::Method(Rc::new((value.clone(), name.into())))
}

fn dtype_attribute<'a>(dtype: ScalarType, name: &str) -> Option<Value<'a>> {
    Some(match name {
        "itemsize" => Value::Int(i128::from(dtype.bytes())),
        "is_floating_point" => Value::Bool(dtype.is_float()),
        "is_signed" => Value::Bool(dtype.is_float() || dtype.is_signed_int()),
        "primitive_bitwidth" => Value::Int(i128::from(dtype.bits())),
        "name" => Value::str(dtype.name()),
        "__name__" => Value::str(torch_name(dtype)),
        _ => return None,
    })
}

/// `tl.float16` and the like.
fn dtype_of_language(name: &str) -> Option<ScalarType> {
    ScalarType::all().find(|dtype| dtype.tl_name() == name)
}
