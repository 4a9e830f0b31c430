//! The tests of layouts, one program.

mod conversion;
mod laws;
mod random;
mod reduction;
mod reference;
mod scan;
