//! Layouts as mathematics: named encodings, linear layouts over F2, and the plans that follow from them.
//!
//! A layout says which element of a tensor lies in which register of which thread, or at which offset of shared memory.
//! [`Encoding`] is the name that the IR carries (Triton's attribute text), [`LinearLayout`] the map that everything is computed
//! with. This crate knows neither IR nor GPU; it is pure data and arithmetic.

mod algebra;
pub mod banks;
mod blocked;
pub mod conversion;
mod dim;
mod draw;
mod encoding;
pub mod f2;
pub mod gather;
mod linear;
mod mma;
mod ownership;
pub mod reduction;
pub mod scan;
mod shared;
mod svg;
pub mod tensor_map;
mod text;
mod to_linear;
mod verify;

pub use blocked::default_blocked;
pub use dim::Dim;
pub use draw::{DrawLimits, describe, draw, draw_within};
pub use encoding::{
    BlockedEncoding, DotOpEncoding, Encoding, MmaEncoding, NvmmaSharedEncoding, PaddedSharedEncoding,
    SharedLinearEncoding, SliceEncoding, SwizzledSharedEncoding,
};
pub use linear::{LinearLayout, MAX_BITS};
pub use ownership::contiguous_per_thread;
pub use svg::draw_svg;
pub use to_linear::slice_layout;
