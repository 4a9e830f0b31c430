//! tk's IR: contexts, modules, operations, values, types, layouts, a builder and typed views. The only crate that names MLIR.
//!
//! Everything but [`Context`] and [`Module`] is a small copyable handle over melior's, with the lifetime of its context. MLIR owns
//! the IR, so as in C++ a handle to something erased must not be used again; nothing else here is unsafe to call.
//!
//! Looking: [`Op::kind`] for what an operation is, the views in [`ops`] for its parts by name. Making: [`Builder`].
//! Changing: methods of [`Op`], [`Value`] and [`Block`]. Text: [`Module::parse`] and [`Module::print`].

mod attribute;
pub mod attributes;
mod block;
mod builder;
mod context;
mod encoding;
mod ffi;
mod guard;
mod handle;
mod kind;
mod location;
mod module;
mod op;
pub mod ops;
pub mod program_divisions;
mod spec;
mod types;
mod value;
mod verify;
mod walk;

pub use attribute::Attribute;
pub use block::{Block, Region};
pub use builder::{AccessHints, Builder};
pub use context::Context;
pub use guard::{MAX_NESTING, check_nesting};
pub use kind::OpKind;
pub use location::Location;
pub use module::{Module, PrintOptions};
pub use op::Op;
pub use spec::OpSpec;
pub use types::{GLOBAL_MEMORY, MemDesc, Type, TypeKind};
pub use value::Value;
pub use walk::{WalkOrder, WalkResult};
