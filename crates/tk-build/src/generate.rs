//! What programs compile to use a bundle: a typed Rust module, and a C header with its source.

mod c_header;
mod c_source;
mod names;
mod rust_module;

pub(crate) use c_header::c_header;
pub(crate) use c_source::c_source;
pub(crate) use rust_module::rust_module;
