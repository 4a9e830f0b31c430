//! `cvt.pack`: two integers limited to fewer bits, side by side.

use crate::lanes::{Fn2, Fn3, map};

/// A function of `cvt.pack`.
#[derive(Clone, Copy)]
pub(crate) enum Pack {
    /// The two results fill the destination.
    Whole(Fn2),
    /// They go below the lower bits of a third operand.
    Part(Fn3),
}

/// An integer limited to `BITS` bits.
#[inline(always)]
fn limited<const BITS: u32, const SIGNED: bool>(value: i32) -> u32 {
    let mask = (1u32 << BITS) - 1;
    let (least, most) = if SIGNED { (-(1 << (BITS - 1)), (1 << (BITS - 1)) - 1) } else { (0, mask as i32) };
    value.clamp(least, most) as u32 & mask
}

#[inline(always)]
fn pair<const BITS: u32, const SIGNED: bool>(a: i32, b: i32) -> u32 {
    limited::<BITS, SIGNED>(a) << BITS | limited::<BITS, SIGNED>(b)
}

/// The function for results of a type.
pub(crate) fn convert_pack(to: &str) -> Option<Pack> {
    Some(match to {
        "u16" => Pack::Whole(map!(i32, i32: |a, b| pair::<16, false>(a, b))),
        "s16" => Pack::Whole(map!(i32, i32: |a, b| pair::<16, true>(a, b))),
        "u8" => Pack::Part(map!(i32, i32, u32: |a, b, c| c << 16 | pair::<8, false>(a, b))),
        "s8" => Pack::Part(map!(i32, i32, u32: |a, b, c| c << 16 | pair::<8, true>(a, b))),
        "u4" => Pack::Part(map!(i32, i32, u32: |a, b, c| c << 8 | pair::<4, false>(a, b))),
        "s4" => Pack::Part(map!(i32, i32, u32: |a, b, c| c << 8 | pair::<4, true>(a, b))),
        "u2" => Pack::Part(map!(i32, i32, u32: |a, b, c| c << 4 | pair::<2, false>(a, b))),
        "s2" => Pack::Part(map!(i32, i32, u32: |a, b, c| c << 4 | pair::<2, true>(a, b))),
        _ => return None,
    })
}
