//! Atomics, mathematical functions, scans, histograms, gathers and inline PTX: ttg text → PTX → the simulator → compared with a
//! reference. `ptxas`, where there is one (on the path or named by `PTXAS`), has to accept the PTX too.

mod atomics;
mod exchange;
mod inline_assembly;
mod math;
mod scans;
mod text;
