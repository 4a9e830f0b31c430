//! The tests of PTX as a value, one program.

mod errors;
mod in_flight;
mod liveness;
mod loads_first;
mod round_trip;
