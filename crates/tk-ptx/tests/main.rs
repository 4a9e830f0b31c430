//! The tests of PTX as a value, one program.

mod errors;
mod liveness;
mod round_trip;
