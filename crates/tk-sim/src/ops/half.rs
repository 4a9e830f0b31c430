//! f16 and bf16 arithmetic, single and packed in pairs.
//!
//! Sums and products of two 11-bit numbers fit f32 well enough that rounding twice gives the same as rounding once;
//! fused products are summed with rounding to odd in f64.

use super::Function;
use super::float::{FloatMode, least, least_or_nan, most, most_or_nan, xor_sign};
use crate::lanes::{Fn1, Fn2, Fn3, Lanes, map};
use crate::number::{BF16, F16, Round, odd_product_sum};
use tk_ptx::Type;

/// A 16-bit float format.
trait Narrow: Copy {
    /// Largest code of a subnormal number.
    const SUBNORMAL: u16;
    fn new(bits: u16) -> Self;
    fn code(self) -> u16;
    fn widen(self) -> f32;
    fn narrow(value: f32) -> Self;
    fn narrow_odd(value: f64) -> Self;
}

macro_rules! narrow {
    ($ty:ident, $subnormal:literal) => {
        impl Narrow for $ty {
            const SUBNORMAL: u16 = $subnormal;
            fn new(bits: u16) -> Self {
                $ty(bits)
            }
            fn code(self) -> u16 {
                self.0
            }
            fn widen(self) -> f32 {
                self.to_f32()
            }
            fn narrow(value: f32) -> Self {
                $ty::from_f32(value)
            }
            fn narrow_odd(value: f64) -> Self {
                $ty::from_f64(value)
            }
        }
    };
}
narrow!(F16, 0x03FF);
narrow!(BF16, 0x007F);

/// What is done to a result.
const PLAIN: u8 = 0;
const SATURATE: u8 = 1;
const RELU: u8 = 2;

fn read<N: Narrow, const FTZ: bool>(bits: u64) -> f32 {
    let code = bits as u16;
    let subnormal = code & 0x7FFF <= N::SUBNORMAL;
    N::new(if FTZ && subnormal { code & 0x8000 } else { code }).widen()
}

fn write<N: Narrow, const FTZ: bool, const END: u8>(value: N) -> u64 {
    let code = value.code();
    let number = value.widen();
    if number.is_nan() {
        return if END == PLAIN { 0x7FFF } else { 0 } | if END == RELU { 0x7FFF } else { 0 };
    }
    match END {
        SATURATE if number <= 0.0 => 0,
        SATURATE if number > 1.0 => u64::from(N::narrow(1.0).code()),
        RELU if number <= 0.0 => 0,
        _ if FTZ && code & 0x7FFF <= N::SUBNORMAL => u64::from(code & 0x8000),
        _ => u64::from(code),
    }
}

/// A scalar operation on widened numbers.
trait Operation<N: Narrow> {
    fn two(_: f32, _: f32) -> N {
        N::new(0)
    }
    fn three(_: f32, _: f32, _: f32) -> N {
        N::new(0)
    }
}

macro_rules! operation {
    ($name:ident, |$a:ident, $b:ident| $body:expr) => {
        struct $name;
        impl<N: Narrow> Operation<N> for $name {
            fn two($a: f32, $b: f32) -> N {
                N::narrow($body)
            }
        }
    };
}
operation!(Sum, |a, b| a + b);
operation!(Difference, |a, b| a - b);
operation!(Product, |a, b| a * b);
operation!(Least, |a, b| least(a, b));
operation!(Most, |a, b| most(a, b));
operation!(LeastOrNan, |a, b| least_or_nan(a, b));
operation!(MostOrNan, |a, b| most_or_nan(a, b));
operation!(LeastXorSign, |a, b| xor_sign(a, b, least(a.abs(), b.abs())));
operation!(MostXorSign, |a, b| xor_sign(a, b, most(a.abs(), b.abs())));
operation!(LeastOrNanXorSign, |a, b| xor_sign(a, b, least_or_nan(a.abs(), b.abs())));
operation!(MostOrNanXorSign, |a, b| xor_sign(a, b, most_or_nan(a.abs(), b.abs())));

struct Fma;
impl<N: Narrow> Operation<N> for Fma {
    fn three(a: f32, b: f32, c: f32) -> N {
        N::narrow_odd(odd_product_sum(a.into(), b.into(), c.into()))
    }
}

fn run2<N: Narrow, O: Operation<N>, const PAIR: bool, const FTZ: bool, const END: u8>(
    out: &mut Lanes,
    x: &Lanes,
    y: &Lanes,
) {
    let one = |a: u64, b: u64| write::<N, FTZ, END>(O::two(read::<N, FTZ>(a), read::<N, FTZ>(b)));
    for i in 0..32 {
        let low = one(x[i], y[i]);
        out[i] = if PAIR { one(x[i] >> 16, y[i] >> 16) << 16 | low } else { low };
    }
}

fn run3<N: Narrow, O: Operation<N>, const PAIR: bool, const FTZ: bool, const END: u8>(
    out: &mut Lanes,
    x: &Lanes,
    y: &Lanes,
    z: &Lanes,
) {
    let one = |a: u64, b: u64, c: u64| {
        write::<N, FTZ, END>(O::three(read::<N, FTZ>(a), read::<N, FTZ>(b), read::<N, FTZ>(c)))
    };
    for i in 0..32 {
        let low = one(x[i], y[i], z[i]);
        out[i] = if PAIR { one(x[i] >> 16, y[i] >> 16, z[i] >> 16) << 16 | low } else { low };
    }
}

macro_rules! choose {
    ($run:ident, $n:ty, $op:ty, $pair:literal, $mode:expr) => {
        match ($mode.ftz, end($mode)) {
            (false, PLAIN) => $run::<$n, $op, $pair, false, PLAIN>,
            (false, SATURATE) => $run::<$n, $op, $pair, false, SATURATE>,
            (false, _) => $run::<$n, $op, $pair, false, RELU>,
            (true, PLAIN) => $run::<$n, $op, $pair, true, PLAIN>,
            (true, SATURATE) => $run::<$n, $op, $pair, true, SATURATE>,
            (true, _) => $run::<$n, $op, $pair, true, RELU>,
        }
    };
}

fn end(mode: &FloatMode<'_>) -> u8 {
    match () {
        _ if mode.saturate => SATURATE,
        _ if mode.has("relu") => RELU,
        _ => PLAIN,
    }
}

fn two<O: Operation<F16> + Operation<BF16>>(ty: Type, mode: &FloatMode<'_>) -> Fn2 {
    match ty {
        Type::F16 => choose!(run2, F16, O, false, mode),
        Type::F16x2 => choose!(run2, F16, O, true, mode),
        Type::BF16 => choose!(run2, BF16, O, false, mode),
        _ => choose!(run2, BF16, O, true, mode),
    }
}

fn three<O: Operation<F16> + Operation<BF16>>(ty: Type, mode: &FloatMode<'_>) -> Fn3 {
    match ty {
        Type::F16 => choose!(run3, F16, O, false, mode),
        Type::F16x2 => choose!(run3, F16, O, true, mode),
        Type::BF16 => choose!(run3, BF16, O, false, mode),
        _ => choose!(run3, BF16, O, true, mode),
    }
}

pub(super) fn find(name: &str, ty: Type, mode: &FloatMode<'_>) -> Option<Function> {
    if !matches!(ty, Type::F16 | Type::BF16 | Type::F16x2 | Type::BF16x2) || mode.round != Round::Nearest {
        return None;
    }
    let nan = mode.has("NaN");
    Some(match name {
        "neg" | "abs" | "mov" => Function::One(sign(name, ty)),
        "add" => Function::Two(two::<Sum>(ty, mode)),
        "sub" => Function::Two(two::<Difference>(ty, mode)),
        "mul" => Function::Two(two::<Product>(ty, mode)),
        "min" | "max" if mode.has("xorsign") => Function::Two(match (name, nan) {
            ("min", false) => two::<LeastXorSign>(ty, mode),
            ("min", true) => two::<LeastOrNanXorSign>(ty, mode),
            (_, false) => two::<MostXorSign>(ty, mode),
            (_, true) => two::<MostOrNanXorSign>(ty, mode),
        }),
        "min" if nan => Function::Two(two::<LeastOrNan>(ty, mode)),
        "max" if nan => Function::Two(two::<MostOrNan>(ty, mode)),
        "min" => Function::Two(two::<Least>(ty, mode)),
        "max" => Function::Two(two::<Most>(ty, mode)),
        "fma" => Function::Three(three::<Fma>(ty, mode)),
        _ => return None,
    })
}

/// `neg`, `abs` and `mov`. The first two make any NaN the canonical one.
fn sign(name: &str, ty: Type) -> Fn1 {
    match (name, ty) {
        ("neg", Type::F16) => map!(u16: |a| signed::<F16>(a, a ^ 0x8000)),
        ("neg", Type::BF16) => map!(u16: |a| signed::<BF16>(a, a ^ 0x8000)),
        ("neg", Type::F16x2) => map!(u32: |a| both(a, |x| signed::<F16>(x, x ^ 0x8000))),
        ("neg", _) => map!(u32: |a| both(a, |x| signed::<BF16>(x, x ^ 0x8000))),
        ("abs", Type::F16) => map!(u16: |a| signed::<F16>(a, a & 0x7FFF)),
        ("abs", Type::BF16) => map!(u16: |a| signed::<BF16>(a, a & 0x7FFF)),
        ("abs", Type::F16x2) => map!(u32: |a| both(a, |x| signed::<F16>(x, x & 0x7FFF))),
        ("abs", _) => map!(u32: |a| both(a, |x| signed::<BF16>(x, x & 0x7FFF))),
        (_, Type::F16 | Type::BF16) => map!(u16: |a| a),
        _ => map!(u32: |a| a),
    }
}

#[inline(always)]
fn signed<N: Narrow>(a: u16, result: u16) -> u16 {
    if N::new(a).widen().is_nan() { 0x7FFF } else { result }
}

#[inline(always)]
fn both(a: u32, f: impl Fn(u16) -> u16) -> u32 {
    u32::from(f((a >> 16) as u16)) << 16 | u32::from(f(a as u16))
}

/// `a + b` of one f16, for atomics.
pub(crate) fn add_half(a: u16, b: u16) -> u16 {
    write::<F16, false, PLAIN>(F16::from_f32(F16(a).to_f32() + F16(b).to_f32())) as u16
}

/// `a + b` of one bf16, for atomics.
pub(crate) fn add_brain(a: u16, b: u16) -> u16 {
    write::<BF16, false, PLAIN>(BF16::from_f32(BF16(a).to_f32() + BF16(b).to_f32())) as u16
}
