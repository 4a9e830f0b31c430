//! f32 and f64 arithmetic with every rounding mode, flush-to-zero and saturation.
//!
//! A NaN result of an f32 instruction is the canonical NaN 0x7FFFFFFF, as on the hardware.

use super::Function;
use crate::lanes::{Fn1, Fn2, Fn3, Lanes, Word, map};
use crate::number::{Round, odd_product_sum, odd_quotient, odd_root, odd_sum, single};
use tk_ptx::Type;

/// The modifiers of an instruction, with those of floating-point looked up.
pub(crate) struct FloatMode<'a> {
    pub(crate) words: &'a [&'a str],
    pub(crate) ftz: bool,
    pub(crate) saturate: bool,
    pub(crate) round: Round,
}

impl<'a> FloatMode<'a> {
    pub(crate) fn new(words: &'a [&'a str]) -> Self {
        let has = |word: &str| words.contains(&word);
        let round = match () {
            _ if has("rz") || has("rzi") => Round::Zero,
            _ if has("rm") || has("rmi") => Round::Down,
            _ if has("rp") || has("rpi") => Round::Up,
            _ if has("rna") => Round::NearestAway,
            _ => Round::Nearest,
        };
        Self { words, ftz: has("ftz"), saturate: has("sat"), round }
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// The modifiers that are types, in order.
    pub(crate) fn types(&self) -> impl Iterator<Item = &'a str> {
        self.words.iter().copied().filter(|w| Type::parse(w).is_some())
    }
}

/// A scalar f32 operation; the wrapper adds flushing, saturation and the canonical NaN.
pub(super) trait Single {
    fn one(_: f32) -> f32 {
        0.0
    }
    fn two(_: f32, _: f32) -> f32 {
        0.0
    }
    fn three(_: f32, _: f32, _: f32) -> f32 {
        0.0
    }
}

#[inline(always)]
pub(crate) fn flush<const FTZ: bool>(value: f32) -> f32 {
    if FTZ && value.to_bits() & 0x7F80_0000 == 0 { f32::from_bits(value.to_bits() & 0x8000_0000) } else { value }
}

#[inline(always)]
pub(super) fn finish<const FTZ: bool, const SAT: bool>(value: f32) -> u64 {
    let value = flush::<FTZ>(value);
    // Saturation maps NaN to +0.
    let value = if SAT { if value > 0.0 { value.min(1.0) } else { 0.0 } } else { value };
    canonical(value)
}

fn run1<S: Single, const FTZ: bool, const SAT: bool>(out: &mut Lanes, x: &Lanes) {
    for i in 0..32 {
        out[i] = finish::<FTZ, SAT>(S::one(flush::<FTZ>(f32::take(x[i]))));
    }
}

fn run2<S: Single, const FTZ: bool, const SAT: bool>(out: &mut Lanes, x: &Lanes, y: &Lanes) {
    for i in 0..32 {
        out[i] = finish::<FTZ, SAT>(S::two(flush::<FTZ>(f32::take(x[i])), flush::<FTZ>(f32::take(y[i]))));
    }
}

fn run3<S: Single, const FTZ: bool, const SAT: bool>(out: &mut Lanes, x: &Lanes, y: &Lanes, z: &Lanes) {
    for i in 0..32 {
        let (a, b, c) = (f32::take(x[i]), f32::take(y[i]), f32::take(z[i]));
        out[i] = finish::<FTZ, SAT>(S::three(flush::<FTZ>(a), flush::<FTZ>(b), flush::<FTZ>(c)));
    }
}

pub(super) fn one<S: Single>(mode: &FloatMode<'_>) -> Fn1 {
    match (mode.ftz, mode.saturate) {
        (false, false) => run1::<S, false, false>,
        (false, true) => run1::<S, false, true>,
        (true, false) => run1::<S, true, false>,
        (true, true) => run1::<S, true, true>,
    }
}

pub(super) fn two<S: Single>(mode: &FloatMode<'_>) -> Fn2 {
    match (mode.ftz, mode.saturate) {
        (false, false) => run2::<S, false, false>,
        (false, true) => run2::<S, false, true>,
        (true, false) => run2::<S, true, false>,
        (true, true) => run2::<S, true, true>,
    }
}

pub(super) fn three<S: Single>(mode: &FloatMode<'_>) -> Fn3 {
    match (mode.ftz, mode.saturate) {
        (false, false) => run3::<S, false, false>,
        (false, true) => run3::<S, false, true>,
        (true, false) => run3::<S, true, false>,
        (true, true) => run3::<S, true, true>,
    }
}

macro_rules! lift {
    (@body one |$a:ident| $body:expr) => { #[inline(always)] fn one($a: f32) -> f32 { $body } };
    (@body two |$a:ident, $b:ident| $body:expr) => { #[inline(always)] fn two($a: f32, $b: f32) -> f32 { $body } };
    (@body three |$a:ident, $b:ident, $c:ident| $body:expr) => { #[inline(always)] fn three($a: f32, $b: f32, $c: f32) -> f32 { $body } };
    ($arity:ident($mode:expr): |$($arg:ident),+| $body:expr) => {{
        struct Op;
        impl $crate::ops::float::Single for Op {
            $crate::ops::float::lift!(@body $arity |$($arg),+| $body);
        }
        $crate::ops::float::$arity::<Op>($mode)
    }};
}
pub(super) use lift;

/// The same expression under each directed mode, which must be a constant where it is used.
macro_rules! directed {
    ($mode:expr, $arity:ident, $round:ident, |$($arg:ident),+| $body:expr) => {
        match $mode.round {
            Round::Zero => lift!($arity($mode): |$($arg),+| { let $round = Round::Zero; $body }),
            Round::Down => lift!($arity($mode): |$($arg),+| { let $round = Round::Down; $body }),
            _ => lift!($arity($mode): |$($arg),+| { let $round = Round::Up; $body }),
        }
    };
}

pub(super) fn find(name: &str, ty: Type, mode: &FloatMode<'_>) -> Option<Function> {
    match ty {
        Type::F32 => unary(name, mode)
            .map(Function::One)
            .or_else(|| binary(name, mode).map(Function::Two))
            .or_else(|| ternary(name, mode).map(Function::Three)),
        Type::F64 => double(name, mode),
        Type::F32x2 => packed(name, mode),
        _ => None,
    }
}

fn unary(name: &str, mode: &FloatMode<'_>) -> Option<Fn1> {
    Some(match name {
        "mov" => map!(u32: |a| a),
        "neg" if mode.ftz => map!(f32: |a| canonical(-flush::<true>(a))),
        "neg" => map!(f32: |a| canonical(-a)),
        "abs" if mode.ftz => map!(f32: |a| canonical(flush::<true>(a).abs())),
        "abs" => map!(f32: |a| canonical(a.abs())),
        "rcp" | "sqrt" if mode.round != Round::Nearest => match name {
            "rcp" => directed!(mode, one, round, |a| single(odd_quotient(1.0, a.into()), round)),
            _ => directed!(mode, one, round, |a| single(odd_root(a.into()), round)),
        },
        "rcp" => lift!(one(mode): |a| 1.0 / a),
        "sqrt" => lift!(one(mode): |a| a.sqrt()),
        _ => return None,
    })
}

fn binary(name: &str, mode: &FloatMode<'_>) -> Option<Fn2> {
    let nearest = mode.round == Round::Nearest;
    let nan = mode.has("NaN");
    let sign = mode.has("xorsign");
    Some(match name {
        "add" if nearest => lift!(two(mode): |a, b| a + b),
        "sub" if nearest => lift!(two(mode): |a, b| a - b),
        "mul" if nearest => lift!(two(mode): |a, b| a * b),
        "div" if nearest => lift!(two(mode): |a, b| a / b),
        "add" => directed!(mode, two, round, |a, b| signed_zero(a, b, odd_sum(a.into(), b.into()), round)),
        "sub" => directed!(mode, two, round, |a, b| signed_zero(a, -b, odd_sum(a.into(), (-b).into()), round)),
        "mul" => directed!(mode, two, round, |a, b| single(f64::from(a) * f64::from(b), round)),
        "div" => directed!(mode, two, round, |a, b| single(odd_quotient(a.into(), b.into()), round)),
        "min" | "max" if sign => match (name, nan) {
            ("min", false) => lift!(two(mode): |a, b| xor_sign(a, b, least(a.abs(), b.abs()))),
            ("min", true) => lift!(two(mode): |a, b| xor_sign(a, b, least_or_nan(a.abs(), b.abs()))),
            (_, false) => lift!(two(mode): |a, b| xor_sign(a, b, most(a.abs(), b.abs()))),
            (_, true) => lift!(two(mode): |a, b| xor_sign(a, b, most_or_nan(a.abs(), b.abs()))),
        },
        "min" if nan => lift!(two(mode): |a, b| least_or_nan(a, b)),
        "max" if nan => lift!(two(mode): |a, b| most_or_nan(a, b)),
        "min" => lift!(two(mode): |a, b| least(a, b)),
        "max" => lift!(two(mode): |a, b| most(a, b)),
        "copysign" => map!(f32: |a, b| b.copysign(a)),
        _ => return None,
    })
}

/// An exact zero sum of numbers of both signs is -0 when rounding down.
fn signed_zero(a: f32, b: f32, sum: f64, round: Round) -> f32 {
    let opposite = a.is_sign_negative() != b.is_sign_negative();
    if sum == 0.0 && opposite && round == Round::Down { -0.0 } else { single(sum, round) }
}

fn ternary(name: &str, mode: &FloatMode<'_>) -> Option<Fn3> {
    Some(match name {
        "fma" | "mad" if mode.round == Round::Nearest => super::fma_unsafe::single(mode.ftz, mode.saturate)
            .unwrap_or_else(|| lift!(three(mode): |a, b, c| a.mul_add(b, c))),
        "fma" | "mad" => directed!(mode, three, round, |a, b, c| {
            let product = f64::from(a) * f64::from(b);
            let sum = odd_product_sum(a.into(), b.into(), c.into());
            let opposite = product.is_sign_negative() != c.is_sign_negative();
            if sum == 0.0 && opposite && round == Round::Down { -0.0 } else { single(sum, round) }
        }),
        "min" if mode.has("NaN") => lift!(three(mode): |a, b, c| least_or_nan(least_or_nan(a, b), c)),
        "max" if mode.has("NaN") => lift!(three(mode): |a, b, c| most_or_nan(most_or_nan(a, b), c)),
        "min" => lift!(three(mode): |a, b, c| least(least(a, b), c)),
        "max" => lift!(three(mode): |a, b, c| most(most(a, b), c)),
        _ => return None,
    })
}

/// The bits of a result, with one NaN for all.
#[inline(always)]
pub(crate) fn canonical(value: f32) -> u64 {
    // By bits: the optimiser may take any NaN of a float comparison for any other.
    let bits = value.to_bits();
    u64::from(if bits & 0x7FFF_FFFF > 0x7F80_0000 { 0x7FFF_FFFF } else { bits })
}

/// The smaller number; a NaN loses, and -0 is below +0.
#[inline(always)]
pub(crate) fn least(a: f32, b: f32) -> f32 {
    if a.is_nan() || (b < a) || (b == a && b.is_sign_negative()) { b } else { a }
}

/// The larger number; a NaN loses, and +0 is above -0.
#[inline(always)]
pub(crate) fn most(a: f32, b: f32) -> f32 {
    if a.is_nan() || (b > a) || (b == a && b.is_sign_positive()) { b } else { a }
}

#[inline(always)]
pub(super) fn least_or_nan(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() { f32::NAN } else { least(a, b) }
}

#[inline(always)]
pub(super) fn most_or_nan(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() { f32::NAN } else { most(a, b) }
}

#[inline(always)]
pub(super) fn xor_sign(a: f32, b: f32, magnitude: f32) -> f32 {
    let sign = (a.to_bits() ^ b.to_bits()) & 0x8000_0000;
    f32::from_bits(magnitude.to_bits() & 0x7FFF_FFFF | sign)
}

/// What an f64 instruction gives when a result is no number: the first operand that is none, made quiet, else the NaN of invalid
/// operations. Of two such operands PTX does not say which; an H200 takes one or the other.
#[cold]
pub(super) fn no_number(operands: &[f64]) -> u64 {
    let found = operands.iter().find(|operand| operand.is_nan());
    found.map_or(0xFFF8_0000_0000_0000, |nan| nan.to_bits() | QUIET)
}

/// Set in the NaNs that instructions give.
pub(super) const QUIET: u64 = 1 << 51;

#[inline(always)]
fn number<const N: usize>(value: f64, operands: [f64; N]) -> u64 {
    if value.is_nan() { no_number(&operands) } else { value.to_bits() }
}

/// `rcp.approx.ftz.f64`: of the upper 32 bits of a number, the upper 32 bits of its reciprocal; numbers below the smallest normal one are zeros.
/// Source: PTX ISA 8.7, "Floating Point Instructions: rcp.approx.ftz.f64".
fn rough_reciprocal(value: f64) -> f64 {
    let upper = |value: f64| {
        let value = if value.is_subnormal() { 0.0_f64.copysign(value) } else { value };
        f64::from_bits(value.to_bits() & !u64::from(u32::MAX))
    };
    if value.is_nan() { value } else { upper(1.0 / upper(value)) }
}

/// f64 arithmetic.
fn double(name: &str, mode: &FloatMode<'_>) -> Option<Function> {
    if mode.round != Round::Nearest {
        return super::double::find(name, mode.round);
    }
    Some(match name {
        "mov" => Function::One(map!(u64: |a| a)),
        "neg" => Function::One(map!(f64: |a| number(-a, [a]))),
        "abs" => Function::One(map!(f64: |a| number(a.abs(), [a]))),
        "rcp" if mode.words.contains(&"approx") => Function::One(map!(f64: |a| number(rough_reciprocal(a), [a]))),
        "rcp" => Function::One(map!(f64: |a| number(1.0 / a, [a]))),
        "sqrt" => Function::One(map!(f64: |a| number(a.sqrt(), [a]))),
        "rsqrt" => Function::One(map!(f64: |a| number(1.0 / a.sqrt(), [a]))),
        "add" => Function::Two(map!(f64: |a, b| number(a + b, [a, b]))),
        "sub" => Function::Two(map!(f64: |a, b| number(a - b, [a, b]))),
        "mul" => Function::Two(map!(f64: |a, b| number(a * b, [a, b]))),
        "div" => Function::Two(map!(f64: |a, b| number(a / b, [a, b]))),
        "min" => Function::Two(map!(f64: |a, b| {
            let least = if a.is_nan() || b < a || (b == a && b.is_sign_negative()) { b } else { a };
            number(least, [a, b])
        })),
        "max" => Function::Two(map!(f64: |a, b| {
            let most = if a.is_nan() || b > a || (b == a && b.is_sign_positive()) { b } else { a };
            number(most, [a, b])
        })),
        "copysign" => Function::Two(map!(f64: |a, b| b.copysign(a))),
        "fma" | "mad" => Function::Three(map!(f64: |a, b, c| number(a.mul_add(b, c), [a, b, c]))),
        _ => return None,
    })
}

/// `add.rn.f32x2` and its kin: both halves of a 64-bit register.
fn packed(name: &str, mode: &FloatMode<'_>) -> Option<Function> {
    if mode.round != Round::Nearest || mode.saturate {
        return None;
    }
    let ftz = mode.ftz;
    Some(match (name, ftz) {
        ("mov", _) => Function::One(map!(u64: |a| a)),
        ("add", false) => Function::Two(map!(u64: |a, b| pair(a, b, |x, y| x + y))),
        ("sub", false) => Function::Two(map!(u64: |a, b| pair(a, b, |x, y| x - y))),
        ("mul", false) => Function::Two(map!(u64: |a, b| pair(a, b, |x, y| x * y))),
        ("fma", false) => Function::Three(map!(u64: |a, b, c| triple(a, b, c, f32::mul_add))),
        ("add", true) => Function::Two(map!(u64: |a, b| pair(a, b, |x, y| flushed2(x, y, |x, y| x + y)))),
        ("sub", true) => Function::Two(map!(u64: |a, b| pair(a, b, |x, y| flushed2(x, y, |x, y| x - y)))),
        ("mul", true) => Function::Two(map!(u64: |a, b| pair(a, b, |x, y| flushed2(x, y, |x, y| x * y)))),
        ("fma", true) => Function::Three(map!(u64: |a, b, c| triple(a, b, c, |x, y, z| {
            flush::<true>(flush::<true>(x).mul_add(flush::<true>(y), flush::<true>(z)))
        }))),
        _ => return None,
    })
}

#[inline(always)]
fn flushed2(a: f32, b: f32, f: impl Fn(f32, f32) -> f32) -> f32 {
    flush::<true>(f(flush::<true>(a), flush::<true>(b)))
}

#[inline(always)]
fn pair(a: u64, b: u64, f: impl Fn(f32, f32) -> f32) -> u64 {
    let low = canonical(f(f32::take(a), f32::take(b)));
    let high = canonical(f(f32::take(a >> 32), f32::take(b >> 32)));
    high << 32 | low
}

#[inline(always)]
fn triple(a: u64, b: u64, c: u64, f: impl Fn(f32, f32, f32) -> f32) -> u64 {
    let low = canonical(f(f32::take(a), f32::take(b), f32::take(c)));
    let high = canonical(f(f32::take(a >> 32), f32::take(b >> 32), f32::take(c >> 32)));
    high << 32 | low
}
