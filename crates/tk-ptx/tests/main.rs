//! The tests of PTX as a value, one program.

mod address_steps;
mod beside_loads;
mod errors;
mod held_registers;
mod in_flight;
mod liveness;
mod loads_first;
mod loads_once;
mod multiply_adds;
mod round_trip;
