//! Memory and streams that Python objects own: read, written and named by their addresses.
#![allow(unsafe_code, reason = "an address says nothing of the memory behind it")]

use crate::exchange_unsafe::element;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};
use tk_launch::{DeviceAddress, Stream};
use tk_types::ScalarType;

/// A range of host memory that a Python object told of.
///
/// The object says address and length by a protocol that exists to hand out memory (`__array_interface__`, `data_ptr`), and the caller
/// of a launch holds a reference to it while the launch runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct HostRange {
    /// Of the first byte.
    pub(crate) address: usize,
    /// How many bytes there are.
    pub(crate) bytes: usize,
}

impl HostRange {
    /// The bytes.
    pub(crate) fn read(self) -> Vec<u8> {
        if self.bytes == 0 || self.address == 0 {
            return Vec::new();
        }
        // SAFETY: the owner of the memory said that so many bytes are there, and it lives while the launch does; they are copied at once.
        unsafe { std::slice::from_raw_parts(self.address as *const u8, self.bytes) }.to_vec()
    }

    /// Writes the bytes that differ; those that are equal may belong to read-only memory.
    pub(crate) fn write_changes(self, before: &[u8], after: &[u8]) {
        if self.address == 0 || before.len() != self.bytes || after.len() != self.bytes {
            return;
        }
        for (at, (old, new)) in before.iter().zip(after).enumerate() {
            if old != new {
                // SAFETY: `at` is below the length that the owner told, and the owner lives while the launch does. A kernel stores to
                // the tensors that it is given, so whoever passed one passed it to be written.
                unsafe { ((self.address + at) as *mut u8).write(*new) };
            }
        }
    }
}

/// The stream with the handle that the framework told.
pub(crate) fn stream(handle: usize) -> Stream {
    // SAFETY: the handle comes from torch, for the device that it was asked for, whose streams are those of the primary context and are
    // never destroyed; 0 is the default stream.
    unsafe { Stream::from_handle(handle) }
}

/// The address that a tensor on a GPU told.
pub(crate) fn device_address(address: u64) -> DeviceAddress {
    // SAFETY: whoever launches a kernel on a tensor keeps it until the kernel has run, as every framework whose tensors these are asks for,
    // and what the kernel does with it is the program's.
    unsafe { DeviceAddress::from_raw(address) }
}

/// A tensor as DLPack writes it down, which fixes these fields and their order.
#[repr(C)]
pub(crate) struct DlTensor {
    data: *mut c_void,
    pub(crate) device_type: i32,
    device_id: i32,
    rank: i32,
    pub(crate) code: u8,
    pub(crate) bits: u8,
    pub(crate) lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

impl DlTensor {
    /// What nothing was written to yet.
    pub(crate) fn empty() -> Self {
        Self {
            data: null_mut(),
            device_type: 0,
            device_id: 0,
            rank: 0,
            code: 0,
            bits: 0,
            lanes: 0,
            shape: null(),
            strides: null(),
            byte_offset: 0,
        }
    }

    /// Of the first element.
    pub(crate) fn address(&self) -> usize {
        (self.data as usize).wrapping_add(self.byte_offset as usize)
    }
}

/// What comes before the tensor in capsules that say their version.
#[repr(C)]
struct DlVersioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: *mut c_void,
    flags: u64,
    tensor: DlTensor,
}

/// What DLPack tells of a tensor.
pub(crate) struct Lent {
    /// From its first element to its last.
    pub(crate) range: HostRange,
    /// The element type; nothing for types that kernels do not have.
    pub(crate) element: Option<ScalarType>,
    /// Nobody may write to it.
    pub(crate) is_read_only: bool,
    /// The kind of memory, by DLPack's number.
    pub(crate) device: i32,
}

/// The flag of tensors that nobody may write to.
const READ_ONLY: u64 = 1;

/// Most dimensions of a tensor.
const MOST_DIMENSIONS: i32 = 64;

/// Reads a capsule that a `__dlpack__` returned. The capsule keeps the memory: whoever uses the range holds it.
pub(crate) fn lent(capsule: &Bound<'_, PyAny>) -> PyResult<Lent> {
    const PLAIN: &CStr = c"dltensor";
    const VERSIONED: &CStr = c"dltensor_versioned";
    let refuse = |message: &str| Err(PyValueError::new_err(format!("DLPack: {message}")));
    let capsule = capsule.cast::<PyCapsule>().map_err(PyErr::from)?;
    let is_versioned = capsule.is_valid_checked(Some(VERSIONED));
    let pointer = capsule.pointer_checked(Some(if is_versioned { VERSIONED } else { PLAIN }))?;
    // SAFETY: a capsule of this name points at this struct, and lives while `capsule` is borrowed; the major version says that the fields
    // after it are those of version 1.
    let (tensor, is_read_only): (&DlTensor, bool) = unsafe {
        if is_versioned {
            let versioned = pointer.cast::<DlVersioned>().as_ref();
            if versioned.major != 1 {
                return refuse(&format!("version {}.{} is unknown", versioned.major, versioned.minor));
            }
            (&versioned.tensor, versioned.flags & READ_ONLY != 0)
        } else {
            (pointer.cast::<DlTensor>().as_ref(), false)
        }
    };
    if !(0..=MOST_DIMENSIONS).contains(&tensor.rank) || tensor.lanes != 1 {
        return refuse("a tensor has 0 to 64 dimensions and elements of one lane");
    }
    let rank = tensor.rank as usize;
    let list = |pointer: *const i64| match pointer.is_null() || rank == 0 {
        true => None,
        // SAFETY: DLPack promises as many numbers as there are dimensions, where the list is there.
        false => Some(unsafe { std::slice::from_raw_parts(pointer, rank) }),
    };
    let Some(shape) = list(tensor.shape).or((rank == 0).then_some(&[])) else { return refuse("its shape is missing") };
    let (mut elements, mut inner) = (1_i64, 1_i64);
    for (at, size) in shape.iter().enumerate().rev() {
        let stride = list(tensor.strides).map_or(inner, |strides| strides[at]);
        if *size < 0 || stride < 0 {
            return refuse("a size or a stride is negative");
        }
        elements = elements.saturating_add((size - 1).max(0).saturating_mul(stride));
        inner = inner.saturating_mul(*size);
    }
    let count = if shape.contains(&0) { 0 } else { elements as usize };
    let element = element(tensor.code, tensor.bits, tensor.lanes);
    let address = tensor.address();
    let bytes = count.saturating_mul(usize::from(tensor.bits).div_ceil(8));
    Ok(Lent { range: HostRange { address, bytes }, element, is_read_only, device: tensor.device_type })
}
