//! The tests of PTX as a value, one program.

mod errors;
mod in_flight;
mod liveness;
mod round_trip;
