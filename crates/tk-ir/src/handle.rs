//! What all handles share: melior's handle with tk's context beside it, equal and hashed by address.
//!
//! melior's own handles lead back to MLIR's context only; the one of tk also holds the kinds, the caches and what MLIR said.

/// Defines a handle over one of melior's.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident over $melior:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'c> {
            pub(crate) melior: $melior,
            pub(crate) context: &'c crate::Context,
        }

        impl<'c> $name<'c> {
            pub(crate) fn new(melior: $melior, context: &'c crate::Context) -> Self {
                Self { melior, context }
            }

            /// The context this belongs to.
            pub fn context(self) -> &'c crate::Context {
                self.context
            }

            /// The address that identifies it.
            pub fn id(self) -> usize {
                self.melior.to_raw().ptr as usize
            }
        }

        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                self.id() == other.id()
            }
        }

        impl Eq for $name<'_> {}

        impl std::hash::Hash for $name<'_> {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.id().hash(state);
            }
        }
    };
}
pub(crate) use handle;
