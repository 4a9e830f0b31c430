//! Atomics, mathematical functions, scans, histograms, gathers and inline PTX: ttg text → PTX → the simulator → compared with a
//! reference. `ptxas`, where there is one (on the path or named by `PTXAS`), has to accept the PTX too.

mod assembler;
mod atomics;
mod exchange;
#[allow(dead_code, reason = "the other test binary uses the rest")]
#[path = "../run/harness.rs"]
mod harness;
mod inline_assembly;
mod math;
mod scans;
mod text;
