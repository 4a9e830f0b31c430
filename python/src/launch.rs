//! Launches of kernels that are loaded: on the caller's stream of a GPU, or on the simulator.

use crate::compile::Compiled;
use crate::device::{Place, has_launch_hooks, keep_report};
use crate::error;
use crate::hand_over;
use crate::kernel::CompiledKernel;
use crate::simulate;
use crate::value::{Tensor, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use tk_launch::{Arg, Buffer, Device, TensorDescriptor};
use tk_types::ConstValue;

/// Launches a kernel that is loaded, between the hooks of launches where there are any, which are told of the function and its arguments.
pub(crate) fn launch(
    py: Python<'_>,
    place: &Place,
    compiled: &Arc<Compiled>,
    grid: [u32; 3],
    values: &[Value<'_>],
    told: Option<(&Bound<'_, PyAny>, Bound<'_, PyDict>)>,
) -> PyResult<()> {
    if !has_launch_hooks() {
        return launch_now(py, place, compiled, grid, values);
    }
    let hooks = py.import("tk._hooks")?;
    let kernel = CompiledKernel::new(compiled.clone(), compiled.form.root.declared.len());
    let metadata = match told {
        Some((function, arguments)) => hooks.call_method1("launched", (kernel, grid, function, arguments))?,
        None => hooks.call_method1("launched", (kernel, grid))?,
    };
    hooks.call_method1("enter", (&metadata,))?;
    let launched = launch_now(py, place, compiled, grid, values);
    hooks.call_method1("exit", (&metadata,))?;
    launched
}

fn launch_now(
    py: Python<'_>,
    place: &Place,
    compiled: &Compiled,
    grid: [u32; 3],
    values: &[Value<'_>],
) -> PyResult<()> {
    let Some(stream) = place.stream else {
        let report =
            simulate::launch(py, &place.device, compiled, grid, values)?.map_err(|fault| error::one(py, &fault))?;
        if let Some(simulation) = report.simulation {
            keep_report(simulation.memory.to_string());
            let module = py.import("tk._source")?;
            for line in &simulation.printed {
                module.call_method1("print_line", (line,))?;
            }
        }
        return Ok(());
    };
    let bases = bases(&place.device, values, &|tensor| Ok(tensor.address))?;
    let args = device_args(compiled, values, &bases, &|tensor, name| own_address(tensor, name))?;
    let _held = hand_over::take_over(place, stream, values)?;
    let kernel = compiled.load(&place.device, place.ordinal).map_err(|faults| error::exception(py, &faults))?;
    kernel.launch_on(stream, grid, &args).map(|_| ()).map_err(|fault| error::one(py, &fault))
}

/// The address of a tensor that the GPU reaches. `name` is that of the argument.
fn own_address(tensor: &Tensor<'_>, name: &str) -> PyResult<u64> {
    // The driver maps pinned memory into the address space of the GPU.
    if tensor.is_on_gpu || tensor.address == 0 || tensor.is_pinned()? {
        return Ok(tensor.address);
    }
    let ty = tensor.object.get_type().qualname()?;
    let message = format!(
        "argument `{name}` is a {ty} on the CPU, and the kernel runs on the GPU; move it there, or set TK_DEVICE=sim"
    );
    Err(PyValueError::new_err(message))
}

/// The memory behind each descriptor, in the order of the arguments. `address` says where a tensor is for the device.
pub(crate) fn bases(
    device: &Device,
    values: &[Value<'_>],
    address: &dyn Fn(&Tensor<'_>) -> PyResult<u64>,
) -> PyResult<Vec<Buffer>> {
    let one = |value: &Value<'_>| match value {
        Value::Descriptor(descriptor) => Some(address(&descriptor.base).map(|at| device.borrow(at, usize::MAX))),
        _ => None,
    };
    values.iter().filter_map(one).collect()
}

/// What a GPU gets of the arguments of a launch. `address` says where a tensor is, which the argument with the name is.
pub(crate) fn device_args<'a>(
    compiled: &Compiled,
    values: &'a [Value<'_>],
    bases: &'a [Buffer],
    address: &dyn Fn(&Tensor<'_>, &str) -> PyResult<u64>,
) -> PyResult<Vec<Arg<'a>>> {
    let mut bases = bases.iter();
    let mut args: Vec<Arg<'_>> = Vec::with_capacity(compiled.runtime.len());
    for index in &compiled.runtime {
        args.push(match &values[*index] {
            Value::Tensor(tensor) => Arg::Address(address(tensor, &compiled.form.args[*index].name)?),
            Value::Descriptor(descriptor) => match bases.next() {
                Some(buffer) => Arg::Descriptor(TensorDescriptor {
                    buffer,
                    offset: 0,
                    element: descriptor.ty.element,
                    shape: &descriptor.shape,
                    strides: &descriptor.strides,
                }),
                None => Arg::Null,
            },
            Value::Int(value) | Value::Constant(ConstValue::Int(value)) => simulate::integer(*value),
            Value::Float(value) | Value::Constant(ConstValue::Float(value)) => Arg::F64(*value),
            Value::Bool(value) | Value::Constant(ConstValue::Bool(value)) => Arg::Bool(*value),
            Value::Constant(_) | Value::Function(_) | Value::Object(_) | Value::Tuple(_) | Value::Record(..) => {
                Arg::Null
            }
        });
    }
    Ok(args)
}
