//! tk's IR: contexts, modules, operations, values, types, layouts, a builder and typed views. The only crate that names MLIR.
//!
//! Everything but [`Context`] and [`Module`] is a small copyable handle with the lifetime of its context. MLIR owns the IR, so
//! as in C++ a handle to something erased must not be used again; nothing else here is unsafe to call.
//!
//! Looking: [`Op::kind`] for what an operation is, the views in [`ops`] for its parts by name. Making: [`Builder`].
//! Changing: methods of [`Op`], [`Value`] and [`Block`]. Text: [`Module::parse`] and [`Module::print`].

mod builder;
mod encoding;
mod ffi;
mod guard;
mod kind;
pub mod ops;
mod types;
mod verify;
mod walk;

pub use builder::{AccessHints, Builder};
pub use ffi::{Attribute, Block, Context, Location, MemDesc, Module, Op, OpSpec, PrintOptions, Region, Type, Value};
pub use guard::MAX_NESTING;
pub use kind::OpKind;
pub use ops::{DESCRIPTOR, MAP_BASE, MAP_STRIDE, PADDING, PADDING_NAN, POSITIVE, RAGGED};
pub use types::{GLOBAL_MEMORY, TypeKind};
pub use walk::{WalkOrder, WalkResult};
