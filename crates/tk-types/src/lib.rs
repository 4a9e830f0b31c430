//! The types that stages share: element types, launch signatures and compile options.
//!
//! Everything here is plain data without behavior that belongs to one stage; no LLVM, no GPU, no files.

mod argument;
mod brought;
mod constant;
mod facts;
mod options;
mod scalar;
mod signature;

pub use argument::{ArgSpec, ArgType, Argument, DescriptorType};
pub use brought::Brought;
pub use constant::{ConstValue, NamedConstant};
pub use facts::{Facts, MOST_MULTIPLE, USUAL_MULTIPLE};
pub use options::{CompileOptions, DotPolicy, IndexWidth, Language, Lines, Pairs, Residency, Sanitize};
pub use scalar::{ScalarKind, ScalarType};
pub use signature::{LiteralReader, parse_signature};
