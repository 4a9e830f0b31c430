//! Runs the host functions of a .tk file: `main`, `test_*` and `bench_*` in Python's and torch's spelling.
//!
//! [`HostProgram`] runs files, [`Launcher`] is the interface to devices. Between them a tree-walking interpreter
//! (`interpreter/`) works on values (`value.rs`) and tensors (`tensor/`), whose mathematics is done in `f64` and rounded once,
//! so that it can serve as a reference. `torch.empty` gives poison: NaN, or the least integer, so that what a kernel did not
//! write is noticed.

mod bench;
mod buffer;
mod contiguity;
mod exception;
mod exchange;
mod format;
mod interpreter;
mod launch;
mod number;
mod program;
mod tensor;
mod unwritten;
mod value;

pub use bench::{BenchLine, BenchOutcome, BenchTable};
pub use buffer::{BufferRef, DeviceCopy, Newest, WeakBufferRef};
pub use contiguity::{ArgShape, stride_warnings};
pub use exchange::HostArray;
pub use interpreter::Limits;
pub use interpreter::builtins::function_names;
pub use launch::{
    BenchOptions, Candidate, DeviceProperty, LaunchArg, LaunchRequest, Launcher, Region, Settings, Timing, TuneRequest,
};
pub use program::{Arrays, HostProgram, TestOutcome};
