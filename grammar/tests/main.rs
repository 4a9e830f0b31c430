//! The tests of the reader, one program.

mod faults;
mod forms;
mod hostile;
mod reading;
