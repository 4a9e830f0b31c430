//! Shifts, fields, counts, permutations and dot products of bytes.

use super::{FloatMode, Function};
use crate::lanes::{Fn1, Fn2, Fn3, Fn4, map};
use tk_ptx::Type;

pub(super) fn find(name: &str, ty: Type, mode: &FloatMode<'_>) -> Option<Function> {
    count(name, ty, mode)
        .map(Function::One)
        .or_else(|| shift(name, ty, mode).map(Function::Two))
        .or_else(|| field(name, ty).map(Function::Three))
        .or_else(|| dot(name, ty, mode).map(Function::Three))
        .or_else(|| insert(name, ty).map(Function::Four))
}

fn count(name: &str, ty: Type, mode: &FloatMode<'_>) -> Option<Fn1> {
    let distance = mode.has("shiftamt");
    Some(match (name, ty) {
        ("popc", Type::B32) => map!(u32: |a| a.count_ones()),
        ("popc", Type::B64) => map!(u64: |a| a.count_ones()),
        ("clz", Type::B32) => map!(u32: |a| a.leading_zeros()),
        ("clz", Type::B64) => map!(u64: |a| a.leading_zeros()),
        ("brev", Type::B32) => map!(u32: |a| a.reverse_bits()),
        ("brev", Type::B64) => map!(u64: |a| a.reverse_bits()),
        ("bfind", Type::U32) if distance => map!(u32: |a| if a == 0 { u32::MAX } else { a.leading_zeros() }),
        ("bfind", Type::U32) => map!(u32: |a| a.checked_ilog2().unwrap_or(u32::MAX)),
        ("bfind", Type::S32) if distance => map!(i32: |a| highest_unlike_sign(a).map_or(u32::MAX, |n| 31 - n)),
        ("bfind", Type::S32) => map!(i32: |a| highest_unlike_sign(a).unwrap_or(u32::MAX)),
        ("bfind", Type::U64) if distance => map!(u64: |a| if a == 0 { u32::MAX } else { a.leading_zeros() }),
        ("bfind", Type::U64) => map!(u64: |a| a.checked_ilog2().unwrap_or(u32::MAX)),
        ("bfind", Type::S64) if distance => {
            map!(i64: |a| ((if a < 0 { !a } else { a }) as u64).checked_ilog2().map_or(u32::MAX, |n| 63 - n))
        }
        ("bfind", Type::S64) => {
            map!(i64: |a| ((if a < 0 { !a } else { a }) as u64).checked_ilog2().unwrap_or(u32::MAX))
        }
        _ => return None,
    })
}

fn highest_unlike_sign(a: i32) -> Option<u32> {
    ((if a < 0 { !a } else { a }) as u32).checked_ilog2()
}

/// Shift amounts are unsigned 32-bit numbers; those at or above the width shift everything out.
fn shift(name: &str, ty: Type, mode: &FloatMode<'_>) -> Option<Fn2> {
    Some(match (name, ty) {
        ("shl", Type::B16) => map!(u16, u32: |a, n| a.checked_shl(n).unwrap_or(0)),
        ("shl", Type::B32) => map!(u32: |a, n| a.checked_shl(n).unwrap_or(0)),
        ("shl", Type::B64) => map!(u64, u32: |a, n| a.checked_shl(n).unwrap_or(0)),
        ("shr", Type::S16) => map!(i16, u32: |a, n| a >> n.min(15)),
        ("shr", Type::S32) => map!(i32, u32: |a, n| a >> n.min(31)),
        ("shr", Type::S64) => map!(i64, u32: |a, n| a >> n.min(63)),
        ("shr", Type::B16 | Type::U16) => map!(u16, u32: |a, n| a.checked_shr(n).unwrap_or(0)),
        ("shr", Type::B32 | Type::U32) => map!(u32: |a, n| a.checked_shr(n).unwrap_or(0)),
        ("shr", Type::B64 | Type::U64) => map!(u64, u32: |a, n| a.checked_shr(n).unwrap_or(0)),
        ("bmsk", Type::B32) if mode.has("clamp") => map!(u32: |a, n| mask_clamped(a, n)),
        ("bmsk", Type::B32) => map!(u32: |a, n| mask_clamped(a & 31, n & 31)),
        ("szext", Type::U32) if mode.has("clamp") => map!(u32: |a, n| if n >= 32 { a } else { a & ((1 << n) - 1) }),
        ("szext", Type::U32) => map!(u32: |a, n| a & ((1u32 << (n & 31)) - 1)),
        ("szext", Type::S32) if mode.has("clamp") => map!(i32, u32: |a, n| sign_extend(a, n.min(32))),
        ("szext", Type::S32) => map!(i32, u32: |a, n| sign_extend(a, n & 31)),
        _ => return None,
    })
}

fn mask_clamped(position: u32, width: u32) -> u32 {
    let ones = if width >= 32 { u32::MAX } else { (1 << width) - 1 };
    ones.checked_shl(position).unwrap_or(0)
}

fn sign_extend(a: i32, bits: u32) -> i32 {
    if bits == 0 { 0 } else { a << (32 - bits) >> (32 - bits) }
}

fn field(name: &str, ty: Type) -> Option<Fn3> {
    Some(match (name, ty) {
        ("bfe", Type::U32) => map!(u32: |a, at, n| extract(u64::from(a), at, n, 32, false) as u32),
        ("bfe", Type::S32) => map!(u32: |a, at, n| extract(u64::from(a), at, n, 32, true) as u32),
        ("bfe", Type::U64) => map!(u64, u32, u32: |a, at, n| extract(a, at, n, 64, false)),
        ("bfe", Type::S64) => map!(u64, u32, u32: |a, at, n| extract(a, at, n, 64, true)),
        ("fns", Type::B32) => map!(u32, u32, i32: |mask, base, offset| nth_set(mask, base, offset)),
        _ => return None,
    })
}

/// What an operand for the place or the size of a field means: PTX says 0 to 255. Beyond, an H200 takes it modulo 256 in 32-bit
/// instructions, and as it is in 64-bit ones.
#[inline]
fn field_operand(operand: u32, width: u32) -> u32 {
    if width == 32 { operand & 0xFF } else { operand }
}

/// A field of `n` bits from bit `at`. A signed field extends its top bit, or the top bit of the register when the field reaches past it.
#[inline]
fn extract(a: u64, at: u32, n: u32, width: u32, signed: bool) -> u64 {
    let (at, n) = (field_operand(at, width), field_operand(n, width));
    let top = at.saturating_add(n).saturating_sub(1).min(width - 1);
    let sign = signed && n > 0 && a >> top & 1 == 1;
    let low = if at < width { a >> at } else { 0 };
    let present = n.min(width.saturating_sub(at));
    let kept = if present >= 64 { u64::MAX } else { (1u64 << present) - 1 };
    let value = low & kept;
    if sign { value | !kept } else { value }
}

/// The position of the n-th set bit, counted from `base` upward (or downward for negative n).
fn nth_set(mask: u32, base: u32, offset: i32) -> u32 {
    // PTX says nothing of these; an H200 answers so.
    match (base, offset) {
        (_, i32::MIN) => return 0,
        (32.., _) => return u32::MAX,
        _ => {}
    }
    if offset == 0 {
        return if mask >> base & 1 == 1 { base } else { u32::MAX };
    }
    let mut left = offset.unsigned_abs();
    let mut at = base as i32;
    while (0..32).contains(&at) {
        left -= mask >> at & 1;
        if left == 0 {
            return at as u32;
        }
        at += offset.signum();
    }
    u32::MAX
}

fn insert(name: &str, ty: Type) -> Option<Fn4> {
    Some(match (name, ty) {
        ("bfi", Type::B32) => map!(u32, u32, u32, u32: |a, b, at, n| put(a.into(), b.into(), at, n, 32) as u32),
        ("bfi", Type::B64) => map!(u64, u64, u32, u32: |a, b, at, n| put(a, b, at, n, 64)),
        _ => return None,
    })
}

#[inline]
fn put(a: u64, b: u64, at: u32, n: u32, width: u32) -> u64 {
    let (at, n) = (field_operand(at, width), field_operand(n, width));
    if at >= width || n == 0 {
        return b;
    }
    let n = n.min(width - at);
    let ones = if n >= 64 { u64::MAX } else { (1u64 << n) - 1 };
    b & !(ones << at) | (a & ones) << at
}

fn dot(name: &str, ty: Type, mode: &FloatMode<'_>) -> Option<Fn3> {
    // `dp4a.atype.btype`: `ty` is the type of b, the first type modifier that of a.
    let signed = |word: &str| word == "s32";
    let mut types = mode.types();
    let a_signed = signed(types.next()?);
    let b_signed = ty == Type::S32;
    let high = mode.has("hi");
    Some(match (name, a_signed, b_signed) {
        ("dp4a", false, false) => map!(u32: |a, b, c| dp4(a, b, c, false, false)),
        ("dp4a", false, true) => map!(u32: |a, b, c| dp4(a, b, c, false, true)),
        ("dp4a", true, false) => map!(u32: |a, b, c| dp4(a, b, c, true, false)),
        ("dp4a", true, true) => map!(u32: |a, b, c| dp4(a, b, c, true, true)),
        ("dp2a", false, false) if high => map!(u32: |a, b, c| dp2(a, b >> 16, c, false, false)),
        ("dp2a", false, true) if high => map!(u32: |a, b, c| dp2(a, b >> 16, c, false, true)),
        ("dp2a", true, false) if high => map!(u32: |a, b, c| dp2(a, b >> 16, c, true, false)),
        ("dp2a", true, true) if high => map!(u32: |a, b, c| dp2(a, b >> 16, c, true, true)),
        ("dp2a", false, false) => map!(u32: |a, b, c| dp2(a, b, c, false, false)),
        ("dp2a", false, true) => map!(u32: |a, b, c| dp2(a, b, c, false, true)),
        ("dp2a", true, false) => map!(u32: |a, b, c| dp2(a, b, c, true, false)),
        ("dp2a", true, true) => map!(u32: |a, b, c| dp2(a, b, c, true, true)),
        _ => return None,
    })
}

#[inline]
fn dp4(a: u32, b: u32, c: u32, a_signed: bool, b_signed: bool) -> u32 {
    let byte = |x: u32, i: u32, signed: bool| {
        let byte = (x >> (8 * i)) as u8;
        if signed { i32::from(byte as i8) } else { i32::from(byte) }
    };
    (0..4).fold(c, |sum, i| sum.wrapping_add((byte(a, i, a_signed) * byte(b, i, b_signed)) as u32))
}

#[inline]
fn dp2(a: u32, b: u32, c: u32, a_signed: bool, b_signed: bool) -> u32 {
    let part = |i: u32| {
        let (x, y) = ((a >> (16 * i)) as u16, (b >> (8 * i)) as u8);
        let x = if a_signed { i32::from(x as i16) } else { i32::from(x) };
        let y = if b_signed { i32::from(y as i8) } else { i32::from(y) };
        (x * y) as u32
    };
    c.wrapping_add(part(0)).wrapping_add(part(1))
}

/// `lop3.b32`; the fourth operand is the truth table.
pub(crate) fn lop3() -> Fn4 {
    map!(u32, u32, u32, u32: |a, b, c, table| {
        let mut out = 0u32;
        for row in 0..8u32 {
            if table >> row & 1 == 1 {
                let pick = |x: u32, bit: u32| if row >> bit & 1 == 1 { x } else { !x };
                out |= pick(a, 2) & pick(b, 1) & pick(c, 0);
            }
        }
        out
    })
}

/// `prmt.b32` in one of its modes.
pub(crate) fn prmt(mode: Option<&str>) -> Option<Fn3> {
    Some(match mode {
        None => map!(u32: |a, b, select| permute(a, b, [select, select >> 4, select >> 8, select >> 12])),
        Some("f4e") => map!(u32: |a, b, n| permute(a, b, [n & 3, (n & 3) + 1, (n & 3) + 2, (n & 3) + 3])),
        Some("b4e") => {
            map!(u32: |a, b, n| permute(a, b, [n & 3, ((n & 3) + 7) & 7, ((n & 3) + 6) & 7, ((n & 3) + 5) & 7]))
        }
        Some("rc8") => map!(u32: |a, b, n| permute(a, b, [n & 3; 4])),
        Some("ecl") => map!(u32: |a, b, n| permute(a, b, [0, 1, 2, 3].map(|i: u32| i.max(n & 3)))),
        Some("ecr") => map!(u32: |a, b, n| permute(a, b, [0, 1, 2, 3].map(|i: u32| i.min(n & 3)))),
        Some("rc16") => map!(u32: |a, b, n| permute(a, b, [0, 1, 0, 1].map(|i: u32| i + 2 * (n & 1)))),
        Some(_) => return None,
    })
}

#[inline]
fn permute(a: u32, b: u32, select: [u32; 4]) -> u32 {
    let bytes = u64::from(b) << 32 | u64::from(a);
    let mut out = 0;
    for (i, s) in select.into_iter().enumerate() {
        let byte = (bytes >> (8 * (s & 7))) as u8;
        let byte = if s & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 };
        out |= u32::from(byte) << (8 * i);
    }
    out
}

/// `shf.l|r.wrap|clamp.b32`.
pub(crate) fn funnel_shift(left: bool, clamp: bool) -> Fn3 {
    match (left, clamp) {
        (true, false) => map!(u32: |lo, hi, n| ((join(lo, hi) << (n & 31)) >> 32) as u32),
        (true, true) => map!(u32: |lo, hi, n| ((join(lo, hi) << n.min(32)) >> 32) as u32),
        (false, false) => map!(u32: |lo, hi, n| (join(lo, hi) >> (n & 31)) as u32),
        (false, true) => map!(u32: |lo, hi, n| (join(lo, hi) >> n.min(32)) as u32),
    }
}

#[inline]
fn join(lo: u32, hi: u32) -> u64 {
    u64::from(hi) << 32 | u64::from(lo)
}
