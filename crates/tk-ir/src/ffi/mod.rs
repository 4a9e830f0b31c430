//! The door to MLIR's C API: the handle types and every `unsafe` block of this crate.
//!
//! A handle is a raw MLIR pointer beside a reference to its context. MLIR owns the memory; the lifetime `'c` only promises
//! that the context is alive, so a handle to an erased operation, block or value must not be used again.
#![allow(unsafe_code, reason = "this folder is the door to MLIR's C API")]

mod attribute;
mod block;
mod context;
mod create;
mod location;
mod module;
mod op;
mod types;
mod value;

pub use attribute::Attribute;
pub use block::{Block, Region};
pub use context::Context;
pub use create::OpSpec;
pub use location::Location;
pub use module::{Module, PrintOptions};
pub use op::Op;
pub use types::{MemDesc, Type};
pub use value::Value;

use mlir_sys::MlirStringRef;
use std::ffi::c_void;

/// A reference to a context, kept as a pointer so that handles do not look as if they could change under a hash map.
#[derive(Clone, Copy)]
pub(crate) struct ContextRef<'c>(std::ptr::NonNull<Context>, std::marker::PhantomData<&'c ()>);

impl<'c> ContextRef<'c> {
    fn get(self) -> &'c Context {
        // SAFETY: it was made from a reference that lives for `'c`.
        unsafe { self.0.as_ref() }
    }
}

impl<'c> From<&'c Context> for ContextRef<'c> {
    fn from(context: &'c Context) -> Self {
        Self(context.into(), std::marker::PhantomData)
    }
}

impl std::ops::Deref for ContextRef<'_> {
    type Target = Context;

    fn deref(&self) -> &Context {
        self.get()
    }
}

/// Calls a function of the C API on handles.
macro_rules! mlir {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        #[allow(unused_unsafe, reason = "calls are nested in the arguments of calls")]
        // SAFETY: handles are made from pointers that MLIR returned and their context outlives them; callers do not use
        // handles of erased IR (documented at the folder); slices and strings live until the call returns.
        let returned = unsafe { mlir_sys::$function($($argument),*) };
        returned
    }};
}
pub(crate) use mlir;

/// Defines `Eq`, `Hash` and `Debug` of a handle by its pointer.
macro_rules! handle {
    ($name:ident, $raw:ty) => {
        impl<'c> $name<'c> {
            pub(super) fn new(raw: $raw, context: impl Into<ContextRef<'c>>) -> Self {
                Self { raw, context: context.into() }
            }

            #[allow(dead_code, reason = "not every handle can be null")]
            pub(super) fn some(raw: $raw, context: impl Into<ContextRef<'c>>) -> Option<Self> {
                (!raw.ptr.is_null()).then(|| Self::new(raw, context))
            }

            /// The context this belongs to.
            pub fn context(self) -> &'c Context {
                self.context.get()
            }

            /// The address that identifies it.
            pub fn id(self) -> usize {
                self.raw.ptr as usize
            }
        }

        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self.raw.ptr, other.raw.ptr)
            }
        }

        impl Eq for $name<'_> {}

        impl std::hash::Hash for $name<'_> {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                (self.raw.ptr as usize).hash(state);
            }
        }
    };
}
pub(crate) use handle;

/// A string for the C API; `text` must live until the call that receives it returns.
fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef { data: text.as_ptr().cast(), length: text.len() }
}

/// A string that MLIR keeps for as long as its context (or the thing `'a` stands for).
fn as_str<'a>(text: MlirStringRef) -> &'a str {
    if text.length == 0 {
        return "";
    }
    // SAFETY: MLIR gives a pointer to `length` bytes that it keeps as long as the attribute or identifier they belong to.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or(""),
    }
}

/// Collects what a printing function of the C API writes.
fn printed(print: impl FnOnce(mlir_sys::MlirStringCallback, *mut c_void)) -> String {
    unsafe extern "C" fn append(text: MlirStringRef, out: *mut c_void) {
        if text.length > 0 {
            // SAFETY: `out` is the vector below, alive and borrowed by nobody else; `text` is valid during the call.
            unsafe {
                let out = &mut *out.cast::<Vec<u8>>();
                out.extend_from_slice(std::slice::from_raw_parts(text.data.cast::<u8>(), text.length));
            }
        }
    }
    let mut out: Vec<u8> = Vec::new();
    print(Some(append), (&raw mut out).cast());
    String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
