//! The names of the language, for the modules that Python programs import.

use pyo3::prelude::*;

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

/// The functions of `libdevice` that compile.
#[pyfunction]
pub(crate) fn libdevice_functions() -> Vec<&'static str> {
    tk_check::supported_libdevice()
}
