//! The tests of the checker, one program.

mod around;
mod control_flow;
mod errors;
mod kernels;
mod limits;
mod random;
mod request;
mod special;
mod types;
