//! The names of the language, for the modules that Python programs import, and those of kernels in files of IR.

use crate::device::{Place, target_of};
use crate::{error, options};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tk_driver::{FormRequest, Given};
use tk_types::CompileOptions;

/// The functions of `tl` that compile.
#[pyfunction]
pub(crate) fn language_functions() -> Vec<&'static str> {
    tk_check::supported_functions()
}

/// A name of this build of the compiler.
#[pyfunction]
pub(crate) fn build_name() -> &'static str {
    tk::build_name()
}

/// The name and the types of the parameters of the kernel in a file of IR or PTX, for a compute capability or the current device.
#[pyfunction]
#[pyo3(signature = (path, arch=None))]
pub(crate) fn prototype(py: Python<'_>, path: &Bound<'_, PyAny>, arch: Option<u32>) -> PyResult<(String, Vec<String>)> {
    let Some(source) = options::code(path)? else { return Err(PyTypeError::new_err("a path of a file is needed")) };
    let target = match arch {
        Some(arch) => target_of(arch)?,
        None => Place::current(py)?.target(),
    };
    let request = FormRequest { source: &source, given: Given::default(), options: CompileOptions::default(), target };
    let found = py.detach(|| tk_driver::prototype(&request)).map_err(|error| error::one(py, &error))?;
    Ok((found.name, found.params.iter().map(ToString::to_string).collect()))
}

/// The functions of `libdevice` that compile.
#[pyfunction]
pub(crate) fn libdevice_functions() -> Vec<&'static str> {
    tk_check::supported_libdevice()
}
