//! Launches on the simulator: the memory behind the arguments goes to the simulated GPU, and comes back when the kernel has run.
//!
//! A tensor is a view of some memory, and a kernel may reach all of it by the tensor's strides. So what travels is the storage; tensors
//! that share one share it there, too.

use crate::compile::Compiled;
use crate::memory_unsafe::HostRange;
use crate::value::{Tensor, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tk_diag::Diagnostic;
use tk_launch::{Arg, Buffer, Device, LaunchReport, TensorDescriptor};
use tk_types::{ConstValue, ScalarType};

/// The storages behind the arguments of a launch, disjoint and in the order of their addresses.
struct Storages(Vec<HostRange>);

/// Where a tensor is: the number of its storage, and its first byte there.
#[derive(Clone, Copy)]
struct At {
    storage: usize,
    offset: usize,
}

/// The tensor behind an argument.
fn tensor<'v, 'py>(value: &'v Value<'py>) -> Option<&'v Tensor<'py>> {
    match value {
        Value::Tensor(tensor) => Some(tensor),
        Value::Descriptor(descriptor) => Some(&descriptor.base),
        _ => None,
    }
}

impl Storages {
    fn of(values: &[Value<'_>]) -> PyResult<Self> {
        let mut ranges: Vec<HostRange> =
            values.iter().filter_map(tensor).map(Tensor::storage).collect::<PyResult<_>>()?;
        ranges.sort_by_key(|range| range.address);
        let mut merged: Vec<HostRange> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.address < last.address + last.bytes || range.address == last.address => {
                    last.bytes = last.bytes.max(range.address + range.bytes - last.address);
                }
                _ => merged.push(range),
            }
        }
        Ok(Self(merged))
    }

    fn at(&self, address: u64) -> At {
        let address = address as usize;
        let storage = self.0.partition_point(|range| range.address <= address).max(1) - 1;
        At { storage, offset: self.0.get(storage).map_or(0, |range| address.saturating_sub(range.address)) }
    }
}

/// The address that specialisation sees: on the simulated GPU every storage begins at a multiple of 256.
pub(crate) fn address_in_storage(tensor: &Tensor<'_>) -> PyResult<u64> {
    Ok(tensor.address.saturating_sub(tensor.storage()?.address as u64))
}

/// What one argument is while the interpreter's lock is free.
enum Passed {
    Buffer(At),
    Descriptor { at: At, element: ScalarType, shape: Vec<i64>, strides: Vec<i64> },
    Int(i128),
    Float(f64),
    Bool(bool),
    Null,
}

/// Runs a kernel to its end.
pub(crate) fn launch(
    py: Python<'_>,
    device: &Device,
    compiled: &Compiled,
    grid: [u32; 3],
    values: &[Value<'_>],
) -> PyResult<Result<LaunchReport, Box<Diagnostic>>> {
    if let Some(stranger) = values.iter().filter_map(tensor).find(|tensor| tensor.is_on_gpu) {
        let message = format!(
            "the simulator runs on tensors of the CPU, and this {} is on the GPU; make it with device=\"cpu\"",
            stranger.object.get_type().qualname()?
        );
        return Err(PyValueError::new_err(message));
    }
    let storages = Storages::of(values)?;
    let passed: Vec<Passed> = compiled.runtime.iter().map(|index| passed(&values[*index], &storages)).collect();
    let before: Vec<Vec<u8>> = storages.0.iter().map(|range| range.read()).collect();
    let run = || -> tk_diag::Result<(LaunchReport, Vec<Vec<u8>>)> {
        let buffers: Vec<Buffer> = before.iter().map(|bytes| device.upload(bytes)).collect::<Result<_, _>>()?;
        let args: Vec<Arg<'_>> = passed.iter().map(|one| one.arg(&buffers)).collect();
        let report = compiled.kernel.launch(grid, &args)?;
        let after = buffers.iter().map(|buffer| device.download(buffer)).collect::<Result<_, _>>()?;
        Ok((report, after))
    };
    Ok(py.detach(run).map(|(report, after)| {
        for ((range, before), after) in storages.0.iter().zip(&before).zip(&after) {
            range.write_changes(before, after);
        }
        report
    }))
}

fn passed(value: &Value<'_>, storages: &Storages) -> Passed {
    match value {
        Value::Tensor(tensor) => Passed::Buffer(storages.at(tensor.address)),
        Value::Descriptor(descriptor) => Passed::Descriptor {
            at: storages.at(descriptor.base.address),
            element: descriptor.ty.element,
            shape: descriptor.shape.clone(),
            strides: descriptor.strides.clone(),
        },
        Value::Int(value) | Value::Constant(ConstValue::Int(value)) => Passed::Int(*value),
        Value::Float(value) | Value::Constant(ConstValue::Float(value)) => Passed::Float(*value),
        Value::Bool(value) | Value::Constant(ConstValue::Bool(value)) => Passed::Bool(*value),
        Value::Constant(_) | Value::Function(_) | Value::Tuple(_) => Passed::Null,
    }
}

impl Passed {
    fn arg<'b>(&'b self, buffers: &'b [Buffer]) -> Arg<'b> {
        match self {
            Passed::Buffer(at) => Arg::Buffer(&buffers[at.storage], at.offset),
            Passed::Descriptor { at, element, shape, strides } => Arg::Descriptor(TensorDescriptor {
                buffer: &buffers[at.storage],
                offset: at.offset,
                element: *element,
                shape,
                strides,
            }),
            Passed::Int(value) => integer(*value),
            Passed::Float(value) => Arg::F64(*value),
            Passed::Bool(value) => Arg::Bool(*value),
            Passed::Null => Arg::Null,
        }
    }
}

/// An integer of 64 bits. The parameters of a compiled kernel have no signs, so one beyond those with a sign is passed by its bits.
pub(crate) fn integer<'a>(value: i128) -> Arg<'a> {
    match i64::try_from(value) {
        Ok(value) => Arg::I64(value),
        Err(_) => Arg::Scalar(ScalarType::I64, value as u64),
    }
}
