//! What atomics, `redux` and bulk reductions do to a word.

use super::float::{canonical, flush, least, most};
use super::half::{add_brain, add_half};
use crate::number::{BF16, F16};
use tk_ptx::Type;

/// What an atomic does to a word: old value, operand, second operand.
pub(crate) type Update = fn(u64, u64, u64) -> u64;

/// Names of atomic operations.
pub(crate) const ATOMICS: &[&str] = &["add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"];

/// What the atomic `name` does to a value of type `ty`.
pub(crate) fn update(name: &str, ty: Type) -> Option<Update> {
    Some(match (name, ty) {
        ("exch", _) => |_, b, _| b,
        ("cas", _) => |old, compare, new| if old == compare { new } else { old },
        ("and", _) => |a, b, _| a & b,
        ("or", _) => |a, b, _| a | b,
        ("xor", _) => |a, b, _| a ^ b,
        ("add", Type::F32) => |a, b, _| single(a, b, |x, y| x + y),
        ("min", Type::F32) => |a, b, _| single(a, b, least),
        ("max", Type::F32) => |a, b, _| single(a, b, most),
        ("add", Type::F64) => |a, b, _| sum(a, b),
        ("add", Type::F16) => |a, b, _| u64::from(add_half(a as u16, b as u16)),
        ("add", Type::BF16) => |a, b, _| u64::from(add_brain(a as u16, b as u16)),
        ("add", Type::F16x2) => |a, b, _| pair(a, b, add_half),
        ("add", Type::BF16x2) => |a, b, _| pair(a, b, add_brain),
        ("min", Type::F16) => |a, b, _| u64::from(half_pick(a as u16, b as u16, least)),
        ("max", Type::F16) => |a, b, _| u64::from(half_pick(a as u16, b as u16, most)),
        ("min", Type::BF16) => |a, b, _| u64::from(brain_pick(a as u16, b as u16, least)),
        ("max", Type::BF16) => |a, b, _| u64::from(brain_pick(a as u16, b as u16, most)),
        ("min", Type::F16x2) => |a, b, _| pair(a, b, |x, y| half_pick(x, y, least)),
        ("max", Type::F16x2) => |a, b, _| pair(a, b, |x, y| half_pick(x, y, most)),
        ("min", Type::BF16x2) => |a, b, _| pair(a, b, |x, y| brain_pick(x, y, least)),
        ("max", Type::BF16x2) => |a, b, _| pair(a, b, |x, y| brain_pick(x, y, most)),
        (_, ty) if ty.is_float() => return None,
        ("add", _) => |a, b, _| a.wrapping_add(b),
        ("min", Type::S32) => |a, b, _| u64::from((a as i32).min(b as i32) as u32),
        ("max", Type::S32) => |a, b, _| u64::from((a as i32).max(b as i32) as u32),
        ("min", Type::S64) => |a, b, _| (a as i64).min(b as i64) as u64,
        ("max", Type::S64) => |a, b, _| (a as i64).max(b as i64) as u64,
        ("min", Type::U32 | Type::U64) => |a, b, _| a.min(b),
        ("max", Type::U32 | Type::U64) => |a, b, _| a.max(b),
        ("inc", Type::U32) => |a, b, _| if a >= b { 0 } else { a + 1 },
        ("dec", Type::U32) => |a, b, _| if a == 0 || a > b { b } else { a - 1 },
        _ => return None,
    })
}

/// The same in global memory: sums of f32 take and give zero for what is below the smallest normal number, as an H200 does.
pub(crate) fn global_update(name: &str, ty: Type) -> Option<Update> {
    match (name, ty) {
        ("add", Type::F32) => Some(|a, b, _| single(a, b, |x, y| flush::<true>(flush::<true>(x) + flush::<true>(y)))),
        _ => update(name, ty),
    }
}

/// The addition to one half of a word of two.
pub(crate) fn half_update(pair: Type) -> Option<Update> {
    match pair {
        Type::F16x2 => update("add", Type::F16),
        Type::BF16x2 => update("add", Type::BF16),
        _ => None,
    }
}

/// A sum of f64. An operand that is no number is the result as it is. Of two the memory's is not the result of a GPU, which random programs
/// showed; the other is taken.
fn sum(a: u64, b: u64) -> u64 {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    match (x.is_nan(), y.is_nan()) {
        (_, true) => b,
        (true, _) => a,
        _ if (x + y).is_nan() => 0xFFF8_0000_0000_0000,
        _ => (x + y).to_bits(),
    }
}

fn single(a: u64, b: u64, f: impl Fn(f32, f32) -> f32) -> u64 {
    canonical(f(f32::from_bits(a as u32), f32::from_bits(b as u32)))
}

fn pair(a: u64, b: u64, f: impl Fn(u16, u16) -> u16) -> u64 {
    u64::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16 | u64::from(f(a as u16, b as u16))
}

fn half_pick(a: u16, b: u16, f: impl Fn(f32, f32) -> f32) -> u16 {
    let read = |bits: u16| F16(bits).to_f32();
    F16::from_f32(f(read(a), read(b))).0
}

fn brain_pick(a: u16, b: u16, f: impl Fn(f32, f32) -> f32) -> u16 {
    let read = |bits: u16| BF16(bits).to_f32();
    BF16::from_f32(f(read(a), read(b))).0
}
