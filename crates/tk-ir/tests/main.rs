//! The tests of IR, one program: it links MLIR.

mod errors;
mod ir;
mod round_trip;
mod speed;
