//! The types that stages share: element types, launch signatures, compile options and kernel images.
//!
//! Everything here is plain data without behavior that belongs to one stage; no LLVM, no GPU, no files.

mod argument;
mod constant;
mod facts;
mod image;
mod options;
mod scalar;
mod signature;

pub use argument::{ArgSpec, ArgType, Argument, DescriptorType};
pub use constant::{ConstValue, NamedConstant};
pub use facts::{Facts, MOST_MULTIPLE, USUAL_MULTIPLE};
pub use image::{ImageParam, KernelImage, ParamKind, ResourceUse, TENSOR_MAP_BYTES, TensorMapSpec};
pub use options::{CompileOptions, DotPolicy, IndexWidth, Residency, Sanitize};
pub use scalar::{ScalarKind, ScalarType};
pub use signature::{LiteralReader, parse_signature};
