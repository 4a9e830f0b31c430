//! A compiled kernel as data: code, parameters, and what it was compiled for. No LLVM, no GPU, no files.
//!
//! A [`KernelImage`] is one kernel for one target. A [`Bundle`] is what `tk build` writes: entries with a typed list of arguments,
//! each with variants that were compiled for different facts, each with an image per target.
//! Both are serde data, and both have a binary form with a version and a checksum ([`KernelImage::to_bytes`],
//! [`Bundle::to_bytes`]), whose readers take the bytes as untrusted: what they accept is safe to launch as far as data can say.

mod bundle;
mod entry;
mod error;
mod format;
mod image;
mod limits;
mod validate;

pub use bundle::{ArgumentKind, AtRunTime, Bundle, BundleEntry, BundledTuning, Constant, EntryArgument, Variant};
pub use error::ImageError;
pub use format::{checksum, decode_image, digest};
pub use image::{
    ImageParam, KernelImage, MAX_RANK, MapEnd, ParamKind, ResourceUse, TENSOR_MAP_ALIGNMENT, TENSOR_MAP_BYTES,
    TensorMapSpec,
};
pub use limits::{GridLimit, LaunchLimits, NumberLimit};
pub use validate::{MAX_PARAMETER_BYTES, MAX_PARAMETERS};
