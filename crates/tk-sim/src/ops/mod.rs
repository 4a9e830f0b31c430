//! What arithmetic instructions compute, as functions over warps. One file per family; each answers `None` for a
//! combination of name and type that PTX does not have.

mod atomic;
mod bits;
mod compare;
mod convert;
mod double;
mod float;
mod fma_unsafe;
mod half;
mod integer;
mod math;
mod pack;

pub(crate) use atomic::{ATOMICS, Update, global_update, half_update, update};
pub(crate) use bits::{funnel_shift, lop3, prmt};
pub(crate) use compare::{set, set_half, slct, test as comparison, testp, upper};
pub(crate) use convert::{Conversion, Convert, Packed, convert, convert_packed};
pub(crate) use float::{FloatMode, canonical};
pub(crate) use fma_unsafe::{DotSizes, add_products};
pub(crate) use pack::{Pack, convert_pack};

use crate::lanes::{Fn1, Fn2, Fn3, Fn4};
use tk_ptx::Type;

/// An arithmetic instruction by how many operands it reads.
#[derive(Clone, Copy)]
pub(crate) enum Function {
    One(Fn1),
    Two(Fn2),
    Three(Fn3),
    Four(Fn4),
}

/// The function of `name.ty` with modifiers `mode`, for everything whose operands are plain registers.
pub(crate) fn find(name: &str, ty: Type, mode: &FloatMode<'_>) -> Option<Function> {
    integer::find(name, ty, mode)
        .or_else(|| bits::find(name, ty, mode))
        .or_else(|| float::find(name, ty, mode))
        .or_else(|| half::find(name, ty, mode))
        .or_else(|| math::find(name, ty, mode))
}
