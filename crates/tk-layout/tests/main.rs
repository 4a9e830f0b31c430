//! The tests of layouts, one program.

mod conversion;
mod gather;
mod laws;
mod random;
mod reduction;
mod reference;
mod scan;
