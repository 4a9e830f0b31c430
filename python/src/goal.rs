//! What a compilation is for: a target, and arguments as the compiler sees them.

use crate::device::{Place, simulated, target_of};
use crate::simulate;
use crate::value::Value;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tk::Target;
use tk_launch::LaunchValue;

/// Where a kernel is compiled for.
pub(crate) struct Goal<'g> {
    pub(crate) target: Target,
    pub(crate) is_simulated: bool,
    /// The device that it is loaded on and kept for; nothing where it is only compiled.
    pub(crate) place: Option<&'g Place>,
}

impl<'g> Goal<'g> {
    pub(crate) fn here(place: &'g Place) -> Self {
        Self { target: place.target(), is_simulated: place.ordinal.is_none(), place: Some(place) }
    }

    /// Only compiles, for a compute capability.
    pub(crate) fn elsewhere(py: Python<'_>, arch: u32) -> PyResult<Self> {
        Ok(Self { target: target_of(arch)?, is_simulated: simulated(py)?, place: None })
    }
}

/// The jit functions among the arguments, each once.
pub(crate) fn functions_of<'py>(values: &[Value<'py>]) -> Vec<Bound<'py, PyAny>> {
    picked(values, &|value| match value {
        Value::Function(object) => Some(object),
        _ => None,
    })
}

/// The objects of other classes among them, each once.
pub(crate) fn objects_of<'py>(values: &[Value<'py>]) -> Vec<Bound<'py, PyAny>> {
    picked(values, &|value| match value {
        Value::Object(object) => Some(object),
        _ => None,
    })
}

fn picked<'py>(
    values: &[Value<'py>],
    pick: &dyn for<'v> Fn(&'v Value<'py>) -> Option<&'v Bound<'py, PyAny>>,
) -> Vec<Bound<'py, PyAny>> {
    let mut found: Vec<Bound<'py, PyAny>> = Vec::new();
    for value in values {
        let inner = match value {
            Value::Tuple(items) | Value::Record(_, items) => picked(items, pick),
            other => pick(other).cloned().into_iter().collect(),
        };
        for object in inner {
            if found.iter().all(|known| !known.is(&object)) {
                found.push(object);
            }
        }
    }
    found
}

/// An argument as the compiler specialises for it.
pub(crate) fn launch_value<'py>(
    value: &Value<'py>,
    is_simulated: bool,
    name_of: &dyn Fn(&Bound<'py, PyAny>) -> Option<String>,
) -> PyResult<LaunchValue> {
    Ok(match value {
        Value::Tensor(tensor) => {
            let address = if is_simulated { simulate::address_in_storage(tensor)? } else { tensor.address };
            LaunchValue::Tensor { dtype: tensor.dtype, address }
        }
        Value::Descriptor(descriptor) => LaunchValue::Descriptor(descriptor.ty.clone()),
        Value::Constant(constant) => LaunchValue::Constant(constant.clone()),
        other => match other.constant(name_of) {
            Some(constant) => LaunchValue::Value(constant),
            None => return Err(PyTypeError::new_err("a constexpr takes numbers, strings, types and tuples of them")),
        },
    })
}
