//! The tests of the reader, one program.

mod faults;
mod hostile;
mod reading;
