//! Matrix products of every kind: tt or ttg text → PTX → the simulator → compared with an exact reference. `ptxas`, where there is
//! one (on the path or named by `PTXAS`), has to accept the PTX too.

#[path = "../operations/assembler.rs"]
mod assembler;
mod fragments;
#[allow(dead_code, reason = "the other test binaries use the rest")]
#[path = "../run/harness.rs"]
mod harness;
mod loops;
mod number;
mod precision;
