//! `kernel[grid]`: an object that is called by the convention of C functions, with an array of borrowed arguments, so that a launch makes
//! neither a tuple nor a dictionary of them.
#![allow(unsafe_code, reason = "the interpreter passes arrays of pointers")]

use crate::bind::Arguments;
use crate::function::Function;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::{Borrowed, ffi};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

/// What the interpreter is told of the function.
struct Definition(ffi::PyMethodDef);

// SAFETY: nothing ever writes to it, and the texts that it points to are constants.
unsafe impl Sync for Definition {}

static DEFINITION: Definition = Definition(ffi::PyMethodDef {
    ml_name: c"launch".as_ptr(),
    ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: launch },
    ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
    ml_doc: c"Launches the kernel with these arguments.".as_ptr(),
});

/// What launches a function on a grid.
pub(crate) fn launcher<'py>(function: &Bound<'py, Function>, grid: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = function.py();
    // SAFETY: both objects live; the definition is a constant that lives as long as the process, the interpreter only reads it, and the new
    // object keeps `both` alive, which every call of `launch` gets.
    unsafe {
        let both = Bound::from_owned_ptr_or_err(py, ffi::PyTuple_Pack(2, function.as_ptr(), grid.as_ptr()))?;
        let definition = (&raw const DEFINITION.0).cast_mut();
        Bound::from_owned_ptr_or_err(py, ffi::PyCFunction_NewEx(definition, both.as_ptr(), null_mut()))
    }
}

/// Called by the interpreter: `count` positional arguments stand in `args`, followed by those of the keywords in the tuple `names`.
unsafe extern "C" fn launch(
    both: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    let started = catch_unwind(AssertUnwindSafe(|| {
        Python::attach(|py| {
            // SAFETY: `both` is the tuple of `launcher`, whose first item is a function; the interpreter calls with as many pointers as it says,
            // to objects that its caller holds until the call returns.
            let launched = unsafe {
                let item = |at| Borrowed::from_ptr(py, ffi::PyTuple_GetItem(both, at));
                let (function, grid) = (item(0).cast_unchecked::<Function>(), item(1));
                Function::start(&function, Some(&grid), &arguments(py, args, count as usize, names))
            };
            match launched {
                Ok(Some(kernel)) => kernel.into_ptr(),
                Ok(None) => py.None().into_ptr(),
                Err(error) => {
                    error.restore(py);
                    null_mut()
                }
            }
        })
    }));
    started.unwrap_or_else(|_| {
        Python::attach(|py| PyRuntimeError::new_err("tk has a bug: a launch panicked").restore(py));
        null_mut()
    })
}

/// # Safety
/// There are `count` pointers at `args` and one more for each of the names in the tuple, all to objects that live as long as the answer; so
/// does the tuple, which may be missing.
unsafe fn arguments<'a, 'py>(
    py: Python<'py>,
    args: *const *mut ffi::PyObject,
    count: usize,
    names: *mut ffi::PyObject,
) -> Arguments<'a, 'py> {
    // SAFETY: the caller promises that there are so many.
    let object = |at: usize| unsafe { Borrowed::from_ptr(py, *args.add(at)) };
    let mut given = Arguments { positional: (0..count).map(object).collect(), ..Arguments::default() };
    if !names.is_null() {
        // SAFETY: it is a tuple of texts, says the interpreter's convention.
        unsafe {
            for at in 0..ffi::PyTuple_Size(names) {
                let name = Borrowed::from_ptr(py, ffi::PyTuple_GetItem(names, at)).cast_unchecked::<PyString>();
                given.keywords.push((name, object(count + at as usize)));
            }
        }
    }
    given
}
