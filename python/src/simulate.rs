//! Launches on the simulator: the memory behind the arguments goes to the simulated GPU, and comes back when the kernel has run.
//!
//! A tensor is a view of some memory, and a kernel may reach all of it by the tensor's strides. So what travels is the storage; tensors
//! that share one share it there, too. Where a tensor holds addresses of other tensors, those travel along, and the addresses become those
//! of the simulated GPU.

use crate::compile::Compiled;
use crate::memory_unsafe::HostRange;
use crate::unwritten;
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
    fn of(values: &[Value<'_>], reached: &[HostRange]) -> PyResult<Self> {
        let mut ranges: Vec<HostRange> =
            values.iter().filter_map(tensor).map(Tensor::storage).collect::<PyResult<_>>()?;
        ranges.extend(reached);
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

    /// The first argument in a storage that nobody may write to through any of them.
    fn read_only(&self, values: &[Value<'_>], storage: usize) -> Option<usize> {
        let is_inside = |tensor: &&Tensor<'_>| self.at(tensor.address).storage == storage;
        let mut inside =
            values.iter().enumerate().filter_map(|(at, value)| Some((at, tensor(value).filter(is_inside)?)));
        let (first, _) = inside.clone().next()?;
        inside.all(|(_, tensor)| tensor.is_read_only).then_some(first)
    }

    fn at(&self, address: u64) -> At {
        let address = address as usize;
        let storage = self.0.partition_point(|range| range.address <= address).max(1) - 1;
        At { storage, offset: self.0.get(storage).map_or(0, |range| address.saturating_sub(range.address)) }
    }
}

impl Storages {
    /// Replaces the addresses in tables of pointers by those of the simulated GPU, and says where. An address of no storage stays, and
    /// whoever follows it is out of bounds.
    fn translate(&self, tables: &[HostRange], bytes: &mut [Vec<u8>], buffers: &[Buffer]) -> Vec<At> {
        let mut places = Vec::new();
        for table in tables {
            let At { storage, offset } = self.at(table.address as u64);
            let Some(words) = bytes.get_mut(storage).and_then(|bytes| bytes.get_mut(offset..offset + table.bytes))
            else {
                continue;
            };
            for (number, word) in words.chunks_exact_mut(WORD).enumerate() {
                let address = u64::from_le_bytes(word.try_into().unwrap_or_default());
                let at = self.at(address);
                let is_inside = self
                    .0
                    .get(at.storage)
                    .is_some_and(|range| range.address as u64 <= address && at.offset < range.bytes);
                if is_inside {
                    word.copy_from_slice(&(buffers[at.storage].address() + at.offset as u64).to_le_bytes());
                    places.push(At { storage, offset: offset + number * WORD });
                }
            }
        }
        places
    }
}

/// Makes words that held addresses and that the kernel has written differ in every byte, so that all of what it wrote is taken over: the
/// bytes that the program has there are those of its own address, not of the simulated one.
fn take_whole_words(places: &[At], before: &mut [Vec<u8>], after: &[Vec<u8>]) {
    for At { storage, offset } in places {
        let word = *offset..*offset + WORD;
        let (before, after) = (&mut before[*storage][word.clone()], &after[*storage][word]);
        if before != after {
            before.iter_mut().zip(after).for_each(|(before, after)| *before = !after);
        }
    }
}

/// Bytes of an address in memory.
const WORD: usize = 8;
/// Bytes of a table of pointers, at most.
const MOST_TABLE_BYTES: usize = 1 << 16;
/// Where the memory of programs is: other numbers are no addresses.
const ADDRESSES: std::ops::Range<u64> = 1 << 32..1 << 47;

/// What a kernel reaches through addresses that it reads from memory.
#[derive(Default)]
struct Reached {
    /// The storages of integers of 64 bits that hold nothing but addresses and zeros.
    pointers: Vec<HostRange>,
    /// The storages of the program's tensors that these addresses are in.
    ranges: Vec<HostRange>,
}

impl Reached {
    fn of(py: Python<'_>, values: &[Value<'_>]) -> PyResult<Self> {
        let mut reached = Self::default();
        let mut addresses = Vec::new();
        for tensor in values.iter().filter_map(tensor) {
            if !matches!(tensor.dtype, ScalarType::I64 | ScalarType::U64) {
                continue;
            }
            let range = tensor.storage()?;
            if range.bytes > MOST_TABLE_BYTES || reached.pointers.contains(&range) {
                continue;
            }
            let words: Vec<u64> = range
                .read()
                .chunks_exact(WORD)
                .map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()))
                .collect();
            if words.iter().all(|word| *word == 0 || ADDRESSES.contains(word)) && words.iter().any(|word| *word != 0) {
                addresses.extend(words);
                reached.pointers.push(range);
            }
        }
        if !addresses.is_empty() {
            let found: Vec<(usize, usize)> =
                py.import("tk._source")?.call_method1("storages_of", (addresses,))?.extract()?;
            reached.ranges = found.into_iter().map(|(address, bytes)| HostRange { address, bytes }).collect();
        }
        Ok(reached)
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
    let reached = Reached::of(py, values)?;
    let storages = Storages::of(values, &reached.ranges)?;
    let passed: Vec<Passed> = compiled.runtime.iter().map(|index| passed(&values[*index], &storages)).collect();
    let mut before: Vec<Vec<u8>> = storages.0.iter().map(|range| range.read()).collect();
    let run = || -> tk_diag::Result<(LaunchReport, Vec<Vec<u8>>)> {
        let buffers: Vec<Buffer> = before.iter().map(|bytes| device.allocate(bytes.len())).collect::<Result<_, _>>()?;
        let places = storages.translate(&reached.pointers, &mut before, &buffers);
        for ((buffer, bytes), range) in buffers.iter().zip(&before).zip(&storages.0) {
            device.write(buffer, 0, bytes)?;
            for unwritten in unwritten::ranges(range.address, bytes) {
                device.forget(buffer, unwritten)?;
            }
        }
        let args: Vec<Arg<'_>> = passed.iter().map(|one| one.arg(&buffers)).collect();
        let kernel = compiled.load(device, None).map_err(|mut faults| Box::new(faults.swap_remove(0)))?;
        let report = kernel.launch(grid, &args)?;
        let after = buffers.iter().map(|buffer| device.download(buffer)).collect::<Result<Vec<_>, _>>()?;
        take_whole_words(&places, &mut before, &after);
        Ok((report, after))
    };
    let (report, after) = match py.detach(run) {
        Ok(ran) => ran,
        Err(fault) => return Ok(Err(fault)),
    };
    let changed = |storage: &usize| before[*storage] != after[*storage];
    if let Some(at) = (0..before.len()).filter(changed).find_map(|storage| storages.read_only(values, storage)) {
        let name = &compiled.form.args[at].name;
        return Err(PyValueError::new_err(format!("the kernel writes to the memory of `{name}`, which is read-only")));
    }
    for ((range, before), after) in storages.0.iter().zip(&before).zip(&after) {
        range.write_changes(before, after);
    }
    Ok(Ok(report))
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
        Value::Constant(_) | Value::Function(_) | Value::Object(_) | Value::Tuple(_) | Value::Record(..) => {
            Passed::Null
        }
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

/// An integer of 64 bits, which has no sign where it needs all of them.
pub(crate) fn integer<'a>(value: i128) -> Arg<'a> {
    match i64::try_from(value) {
        Ok(value) => Arg::I64(value),
        Err(_) => Arg::Scalar(ScalarType::U64, value as u64),
    }
}
