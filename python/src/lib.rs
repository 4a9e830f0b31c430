//! The extension module of the Python package `tk`.
//!
//! `python/tk/` holds the surface that programs import; here is what each launch goes through: [`bind`] and [`value`] read arguments, [`warm`]
//! launches what is known already, [`function`]
//! finds what is compiled for them by a [`key`], [`link`] asks the running program for what a kernel needs, [`compile`] compiles without
//! the interpreter's lock, [`launch`] starts it on what [`device`] says. Python objects are seen in this crate and nowhere else.
//!
//! What threads share is behind locks of its own, so PyO3 declares that the module needs none of the interpreter's. The stable interface, by
//! which one module serves many Pythons, is not for those without that lock: the variable `PYO3_PYTHON` names the one to build for.

mod bind;
mod call_unsafe;
mod compile;
mod device;
mod entries;
mod error;
mod exchange_unsafe;
mod function;
mod goal;
mod hand_over;
mod kernel;
mod key;
mod launch;
mod link;
mod loaded;
mod measure;
mod memory_unsafe;
mod names;
mod options;
mod simulate;
mod unwritten;
mod value;
mod warm;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::device::{
        current_device, device_properties, is_simulator, set_default_fp_fusion, set_device, set_launch_hooks,
        set_portable, simulator_report, target, text_changed,
    };
    #[pymodule_export]
    use crate::function::Function;
    #[pymodule_export]
    use crate::kernel::CompiledKernel;
    #[pymodule_export]
    use crate::measure::{Copies, idle_gpus, times_of};
    #[pymodule_export]
    use crate::names::{build_name, language_functions, libdevice_functions, prototype};
    #[pymodule_export]
    use crate::unwritten::unwritten_word;
}
