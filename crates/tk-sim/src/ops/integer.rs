//! Integer arithmetic.
//!
//! Division by zero gives all ones, and so does its remainder, as on an H200.

use super::{FloatMode, Function};
use crate::lanes::map;
use tk_ptx::Type;

/// A lane function for each unsigned width.
macro_rules! unsigned {
    ($ty:expr, |$($arg:ident),+| $body:expr) => {
        match $ty.bits() {
            8 => Some(map!(u8: |$($arg),+| $body)),
            16 => Some(map!(u16: |$($arg),+| $body)),
            32 => Some(map!(u32: |$($arg),+| $body)),
            64 => Some(map!(u64: |$($arg),+| $body)),
            _ => None,
        }
    };
}

/// A lane function for each width, signed or unsigned as the type says.
macro_rules! either {
    ($ty:expr, |$($arg:ident),+| $body:expr) => {
        match ($ty.is_signed(), $ty.bits()) {
            (false, 16) => Some(map!(u16: |$($arg),+| $body)),
            (false, 32) => Some(map!(u32: |$($arg),+| $body)),
            (false, 64) => Some(map!(u64: |$($arg),+| $body)),
            (true, 16) => Some(map!(i16: |$($arg),+| $body)),
            (true, 32) => Some(map!(i32: |$($arg),+| $body)),
            (true, 64) => Some(map!(i64: |$($arg),+| $body)),
            _ => None,
        }
    };
}

pub(super) fn find(name: &str, ty: Type, mode: &FloatMode<'_>) -> Option<Function> {
    if ty.is_float() || ty == Type::Pred {
        return None;
    }
    if matches!(ty, Type::U16x2 | Type::S16x2) {
        return packed(name, ty, mode).map(Function::Two);
    }
    unary(name, ty)
        .map(Function::One)
        .or_else(|| binary(name, ty, mode).map(Function::Two))
        .or_else(|| ternary(name, ty, mode).map(Function::Three))
}

fn unary(name: &str, ty: Type) -> Option<crate::lanes::Fn1> {
    match name {
        "mov" => unsigned!(ty, |a| a),
        "not" => unsigned!(ty, |a| !a),
        "cnot" => unsigned!(ty, |a| u8::from(a == 0)),
        "neg" => unsigned!(ty, |a| a.wrapping_neg()),
        "abs" => match ty.bits() {
            16 => Some(map!(i16: |a| a.wrapping_abs())),
            32 => Some(map!(i32: |a| a.wrapping_abs())),
            64 => Some(map!(i64: |a| a.wrapping_abs())),
            _ => None,
        },
        _ => None,
    }
}

fn binary(name: &str, ty: Type, mode: &FloatMode<'_>) -> Option<crate::lanes::Fn2> {
    match name {
        "add" if mode.saturate => Some(map!(i32: |a, b| a.saturating_add(b))),
        "sub" if mode.saturate => Some(map!(i32: |a, b| a.saturating_sub(b))),
        "add" => unsigned!(ty, |a, b| a.wrapping_add(b)),
        "sub" => unsigned!(ty, |a, b| a.wrapping_sub(b)),
        "and" => unsigned!(ty, |a, b| a & b),
        "or" => unsigned!(ty, |a, b| a | b),
        "xor" => unsigned!(ty, |a, b| a ^ b),
        "mul" if mode.has("hi") => multiply_high(ty),
        "mul" if mode.has("wide") => multiply_wide(ty),
        "mul" => unsigned!(ty, |a, b| a.wrapping_mul(b)),
        "mul24" => multiply_24(ty, mode.has("hi")),
        "div" if ty.is_signed() => divide_signed(ty),
        "div" => unsigned!(ty, |a, b| a.checked_div(b).unwrap_or(!0)),
        "rem" => either!(ty, |a, b| if b == 0 { !b } else { a.wrapping_rem(b) }),
        "min" if ty.bits() == 32 && mode.has("relu") => Some(map!(i32: |a, b| a.min(b).max(0))),
        "max" if ty.bits() == 32 && mode.has("relu") => Some(map!(i32: |a, b| a.max(b).max(0))),
        "min" => either!(ty, |a, b| a.min(b)),
        "max" => either!(ty, |a, b| a.max(b)),
        _ => None,
    }
}

/// Both halves of a 32-bit register.
fn packed(name: &str, ty: Type, mode: &FloatMode<'_>) -> Option<crate::lanes::Fn2> {
    let relu = mode.has("relu");
    Some(match (name, ty) {
        ("add", _) => map!(u32: |a, b| halves(a, b, u16::wrapping_add)),
        ("sub", _) => map!(u32: |a, b| halves(a, b, u16::wrapping_sub)),
        ("min", Type::U16x2) => map!(u32: |a, b| halves(a, b, u16::min)),
        ("max", Type::U16x2) => map!(u32: |a, b| halves(a, b, u16::max)),
        ("min", _) if relu => map!(u32: |a, b| halves(a, b, |x, y| (x as i16).min(y as i16).max(0) as u16)),
        ("max", _) if relu => map!(u32: |a, b| halves(a, b, |x, y| (x as i16).max(y as i16).max(0) as u16)),
        ("min", _) => map!(u32: |a, b| halves(a, b, |x, y| (x as i16).min(y as i16) as u16)),
        ("max", _) => map!(u32: |a, b| halves(a, b, |x, y| (x as i16).max(y as i16) as u16)),
        _ => return None,
    })
}

#[inline(always)]
fn halves(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16 | u32::from(f(a as u16, b as u16))
}

fn divide_signed(ty: Type) -> Option<crate::lanes::Fn2> {
    match ty.bits() {
        16 => Some(map!(i16: |a, b| if b == 0 { -1 } else { a.wrapping_div(b) })),
        32 => Some(map!(i32: |a, b| if b == 0 { -1 } else { a.wrapping_div(b) })),
        64 => Some(map!(i64: |a, b| if b == 0 { -1 } else { a.wrapping_div(b) })),
        _ => None,
    }
}

fn multiply_high(ty: Type) -> Option<crate::lanes::Fn2> {
    match ty {
        Type::U16 => Some(map!(u16: |a, b| ((u32::from(a) * u32::from(b)) >> 16) as u16)),
        Type::S16 => Some(map!(i16: |a, b| ((i32::from(a) * i32::from(b)) >> 16) as i16)),
        Type::U32 => Some(map!(u32: |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32)),
        Type::S32 => Some(map!(i32: |a, b| ((i64::from(a) * i64::from(b)) >> 32) as i32)),
        Type::U64 => Some(map!(u64: |a, b| ((u128::from(a) * u128::from(b)) >> 64) as u64)),
        Type::S64 => Some(map!(i64: |a, b| ((i128::from(a) * i128::from(b)) >> 64) as i64)),
        _ => None,
    }
}

fn multiply_wide(ty: Type) -> Option<crate::lanes::Fn2> {
    match ty {
        Type::U16 => Some(map!(u16: |a, b| u32::from(a) * u32::from(b))),
        Type::S16 => Some(map!(i16: |a, b| i32::from(a) * i32::from(b))),
        Type::U32 => Some(map!(u32: |a, b| u64::from(a) * u64::from(b))),
        Type::S32 => Some(map!(i32: |a, b| i64::from(a) * i64::from(b))),
        _ => None,
    }
}

fn multiply_24(ty: Type, high: bool) -> Option<crate::lanes::Fn2> {
    Some(match (ty, high) {
        (Type::U32, false) => map!(u32: |a, b| (a & 0xFF_FFFF).wrapping_mul(b & 0xFF_FFFF)),
        (Type::S32, false) => map!(i32: |a, b| (a << 8 >> 8).wrapping_mul(b << 8 >> 8)),
        (Type::U32, true) => map!(u32: |a, b| high_24(a, b)),
        (Type::S32, true) => map!(i32: |a, b| high_24_signed(a, b)),
        _ => return None,
    })
}

/// The upper 32 bits of the 48-bit product of 24-bit numbers.
fn high_24(a: u32, b: u32) -> u32 {
    ((u64::from(a & 0xFF_FFFF) * u64::from(b & 0xFF_FFFF)) >> 16) as u32
}

fn high_24_signed(a: i32, b: i32) -> u32 {
    ((i64::from(a << 8 >> 8) * i64::from(b << 8 >> 8)) >> 16) as u32
}

fn ternary(name: &str, ty: Type, mode: &FloatMode<'_>) -> Option<crate::lanes::Fn3> {
    match (name, ty) {
        ("mad", _) if mode.has("wide") => match ty {
            Type::U16 => Some(map!(u16, u16, u32: |a, b, c| (u32::from(a) * u32::from(b)).wrapping_add(c))),
            Type::S16 => Some(map!(i16, i16, i32: |a, b, c| (i32::from(a) * i32::from(b)).wrapping_add(c))),
            Type::U32 => Some(map!(u32, u32, u64: |a, b, c| (u64::from(a) * u64::from(b)).wrapping_add(c))),
            Type::S32 => Some(map!(i32, i32, i64: |a, b, c| (i64::from(a) * i64::from(b)).wrapping_add(c))),
            _ => None,
        },
        ("mad", _) if mode.has("hi") => match ty {
            Type::U32 => Some(map!(u32: |a, b, c| (((u64::from(a) * u64::from(b)) >> 32) as u32).wrapping_add(c))),
            Type::S32 if mode.saturate => {
                Some(map!(i32: |a, b, c| (((i64::from(a) * i64::from(b)) >> 32) as i32).saturating_add(c)))
            }
            Type::S32 => Some(map!(i32: |a, b, c| (((i64::from(a) * i64::from(b)) >> 32) as i32).wrapping_add(c))),
            Type::U64 => Some(map!(u64: |a, b, c| (((u128::from(a) * u128::from(b)) >> 64) as u64).wrapping_add(c))),
            Type::S64 => Some(map!(i64: |a, b, c| (((i128::from(a) * i128::from(b)) >> 64) as i64).wrapping_add(c))),
            _ => None,
        },
        ("mad", _) => unsigned!(ty, |a, b, c| a.wrapping_mul(b).wrapping_add(c)),
        ("mad24", Type::U32) if mode.has("hi") => Some(map!(u32: |a, b, c| high_24(a, b).wrapping_add(c))),
        ("mad24", Type::S32) if mode.has("hi") => {
            Some(map!(i32, i32, u32: |a, b, c| high_24_signed(a, b).wrapping_add(c)))
        }
        ("mad24", Type::U32) => Some(map!(u32: |a, b, c| (a & 0xFF_FFFF).wrapping_mul(b & 0xFF_FFFF).wrapping_add(c))),
        ("mad24", Type::S32) => Some(map!(i32: |a, b, c| (a << 8 >> 8).wrapping_mul(b << 8 >> 8).wrapping_add(c))),
        ("sad", Type::U16) => Some(map!(u16: |a, b, c| c.wrapping_add(a.abs_diff(b)))),
        ("sad", Type::S16) => Some(map!(i16, i16, u16: |a, b, c| c.wrapping_add(a.abs_diff(b)))),
        ("sad", Type::U32) => Some(map!(u32: |a, b, c| c.wrapping_add(a.abs_diff(b)))),
        ("sad", Type::S32) => Some(map!(i32, i32, u32: |a, b, c| c.wrapping_add(a.abs_diff(b)))),
        ("sad", Type::U64) => Some(map!(u64: |a, b, c| c.wrapping_add(a.abs_diff(b)))),
        ("sad", Type::S64) => Some(map!(i64, i64, u64: |a, b, c| c.wrapping_add(a.abs_diff(b)))),
        _ => None,
    }
}
