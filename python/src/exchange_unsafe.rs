//! Tensors by DLPack's table of C functions (`__dlpack_c_exchange_api__`): what a tensor is costs one call, and none of its attributes is
//! looked up. torch has the table from 2.10 on.
//!
//! The structs and their order are those of `dlpack.h`, version 1.
#![allow(unsafe_code, reason = "the functions are known by their addresses alone")]

use crate::memory_unsafe::DlTensor;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyType};
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;
use tk_types::ScalarType;

/// The attribute of a type that has the table, and the name of its capsule.
const ATTRIBUTE: &str = "__dlpack_c_exchange_api__";
const CAPSULE: &CStr = c"dlpack_exchange_api";

/// The version whose tables begin as [`Table`] says.
const MAJOR: u32 = 1;

/// Tables of older versions that a table may lead to.
const MOST_TABLES: usize = 8;

/// DLPack's numbers of memory on a GPU, and of memory that moves there.
const CUDA: i32 = 2;
const MANAGED: i32 = 13;

/// What every version of the table begins with.
#[repr(C)]
struct Header {
    major: u32,
    minor: u32,
    older: *const Header,
}

#[repr(C)]
struct Table {
    header: Header,
    allocate: *const c_void,
    export: *const c_void,
    import: *const c_void,
    describe: Option<unsafe extern "C" fn(object: *mut c_void, out: *mut DlTensor) -> i32>,
    stream: Option<unsafe extern "C" fn(device: i32, ordinal: i32, out: *mut *mut c_void) -> i32>,
}

/// The functions of a type's table.
#[derive(Clone, Copy)]
pub(crate) struct Exchange {
    describe: unsafe extern "C" fn(object: *mut c_void, out: *mut DlTensor) -> i32,
    stream: Option<unsafe extern "C" fn(device: i32, ordinal: i32, out: *mut *mut c_void) -> i32>,
}

/// What a tensor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Described {
    pub(crate) address: u64,
    pub(crate) dtype: ScalarType,
    pub(crate) is_on_gpu: bool,
}

impl Exchange {
    /// The functions for objects of this type. Nothing for types without a table, and for those that are below one that has it and say
    /// otherwise what their memory is.
    pub(crate) fn of(ty: &Bound<'_, PyType>) -> PyResult<Option<Self>> {
        for base in ty.mro().iter() {
            let own = base.getattr("__dict__")?;
            if own.contains(ATTRIBUTE)? {
                return Self::of_capsule(&own.get_item(ATTRIBUTE)?);
            }
            if own.contains("data_ptr")? || own.contains("__torch_dispatch__")? {
                break;
            }
        }
        Ok(None)
    }

    fn of_capsule(capsule: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let Ok(capsule) = capsule.cast::<PyCapsule>() else { return Ok(None) };
        if !capsule.is_valid_checked(Some(CAPSULE)) {
            return Ok(None);
        }
        let mut header: *const Header = capsule.pointer_checked(Some(CAPSULE))?.as_ptr().cast();
        for _ in 0..MOST_TABLES {
            // SAFETY: a capsule of this name points at a header, and so does every header, or at nothing.
            let Some(found) = (unsafe { header.as_ref() }) else { break };
            if found.major == MAJOR {
                // SAFETY: DLPack says that tables of this version begin with these fields, and that they live as long as the process.
                let table = unsafe { &*header.cast::<Table>() };
                return Ok(table.describe.map(|describe| Self { describe, stream: table.stream }));
            }
            header = found.older;
        }
        Ok(None)
    }

    /// What a tensor is; nothing where it cannot be said, and for element types that kernels do not have.
    pub(crate) fn describe(&self, object: &Bound<'_, PyAny>) -> Option<Described> {
        let mut tensor = DlTensor::empty();
        // SAFETY: the object is of the type that the table was found at, or of one below it, the thread is attached to the interpreter,
        // and `tensor` has room for what is written. Shape and strides, which only live as long as the object, are not looked at.
        let status = unsafe { (self.describe)(object.as_ptr().cast(), &mut tensor) };
        if status != 0 {
            // The attributes say what is wrong with it.
            drop(PyErr::take(object.py()));
            return None;
        }
        Some(Described {
            address: tensor.address() as u64,
            dtype: element(tensor.code, tensor.bits, tensor.lanes)?,
            is_on_gpu: matches!(tensor.device_type, CUDA | MANAGED),
        })
    }

    /// The stream on which the framework works now on a GPU; nothing where the table does not say.
    pub(crate) fn stream(&self, py: Python<'_>, ordinal: usize) -> Option<usize> {
        let mut stream = null_mut();
        // SAFETY: the thread is attached to the interpreter, and `stream` has room for the answer.
        let status = unsafe { (self.stream?)(CUDA, i32::try_from(ordinal).ok()?, &mut stream) };
        if status != 0 {
            drop(PyErr::take(py));
            return None;
        }
        Some(stream as usize)
    }
}

/// The element type with DLPack's code and bits.
pub(crate) fn element(code: u8, bits: u8, lanes: u16) -> Option<ScalarType> {
    if lanes != 1 {
        return None;
    }
    Some(match (code, bits) {
        (0, 8) => ScalarType::I8,
        (0, 16) => ScalarType::I16,
        (0, 32) => ScalarType::I32,
        (0, 64) => ScalarType::I64,
        (1, 8) => ScalarType::U8,
        (1, 16) => ScalarType::U16,
        (1, 32) => ScalarType::U32,
        (1, 64) => ScalarType::U64,
        (2, 16) => ScalarType::F16,
        (2, 32) => ScalarType::F32,
        (2, 64) => ScalarType::F64,
        (4, 16) => ScalarType::BF16,
        (6, 8) => ScalarType::I1,
        (10, 8) => ScalarType::F8E4M3,
        (11, 8) => ScalarType::F8E4M3B8,
        (12, 8) => ScalarType::F8E5M2,
        (13, 8) => ScalarType::F8E5M2B16,
        _ => return None,
    })
}
