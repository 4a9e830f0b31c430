//! The tests of the reader, one program.

mod annotations;
mod faults;
mod forms;
mod hostile;
mod literals;
mod reading;
