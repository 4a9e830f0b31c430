//! `cvt` in all forms that LLVM and Triton emit.
//!
//! A conversion runs once per executed warp instruction through an exact `f64` or `i128`; the frequent ones
//! (between f32 and f16, bf16, i32) have lane functions of their own.

use super::float::{FloatMode, QUIET, canonical, flush};
use crate::lanes::{Fn1, Fn2, Word, map};
use crate::number::{BF16, BRAIN, E4M3, E5M2, F16, Format, HALF, Round, SINGLE, TENSOR, odd_integer};
use tk_ptx::Type;

/// What a conversion reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Signed(u32),
    Unsigned(u32),
    Float(Format),
    Double,
}

fn kind(ty: Type) -> Option<Kind> {
    Some(match ty {
        Type::S8 | Type::S16 | Type::S32 | Type::S64 => Kind::Signed(ty.bits()),
        Type::U8 | Type::U16 | Type::U32 | Type::U64 | Type::B8 | Type::B16 | Type::B32 | Type::B64 => {
            Kind::Unsigned(ty.bits())
        }
        Type::F16 => Kind::Float(HALF),
        Type::BF16 => Kind::Float(BRAIN),
        Type::F32 => Kind::Float(SINGLE),
        Type::F64 => Kind::Double,
        _ => return None,
    })
}

/// One conversion, all choices made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    to: Kind,
    from: Kind,
    /// Width of the destination register: narrower signed results are sign-extended to it.
    register: u32,
    rounding: Rounding,
    subnormals: Subnormals,
    range: Range,
    overflow: Overflow,
}

/// What the rounding modifier says.
#[derive(Clone, Copy, Debug)]
enum Rounding {
    /// There is none: to nearest where the destination has fewer bits.
    Unsaid,
    /// `.rn`, `.rz`, `.rm`, `.rp`, `.rna`: to a number of the destination.
    ToFormat(Round),
    /// `.rni`, `.rzi`, `.rmi`, `.rpi`: to an integer.
    ToInteger(Round),
}

impl Rounding {
    fn of(mode: &FloatMode<'_>) -> Self {
        let has = |words: &[&str]| words.iter().any(|word| mode.has(word));
        if has(&["rni", "rzi", "rmi", "rpi"]) {
            Rounding::ToInteger(mode.round)
        } else if has(&["rn", "rz", "rm", "rp", "rna"]) {
            Rounding::ToFormat(mode.round)
        } else {
            Rounding::Unsaid
        }
    }

    /// How integers are made of floats, and floats of integers.
    fn between_kinds(self) -> Round {
        match self {
            Rounding::Unsaid => Round::Nearest,
            Rounding::ToFormat(round) | Rounding::ToInteger(round) => round,
        }
    }

    /// How a float becomes one of another format. Widening and same-width conversions are exact whatever the mode.
    fn to_format(self) -> Round {
        match self {
            Rounding::ToFormat(round) => round,
            Rounding::Unsaid | Rounding::ToInteger(_) => Round::Nearest,
        }
    }

    /// A float, made an integer where the instruction says so.
    fn to_integer(self, value: f64) -> f64 {
        match self {
            Rounding::ToInteger(round) => round_integral(value, round),
            Rounding::Unsaid | Rounding::ToFormat(_) => value,
        }
    }
}

/// What becomes of subnormal numbers of f32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subnormals {
    Kept,
    /// `.ftz`
    Flushed,
}

/// What results are limited to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Range {
    All,
    /// `.sat`: from 0 to 1, or what an integer can hold.
    Saturated,
    /// `.relu`
    NotNegative,
}

/// What becomes of floats that are too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overflow {
    Infinite,
    /// `.satfinite`: the largest number.
    Largest,
}

/// How a `cvt` with one source runs.
pub(crate) enum Convert {
    Fast(Fn1),
    General(Conversion),
}

/// `cvt….to.from` between scalar types; `register` is the width of the destination register.
pub(crate) fn convert(to: Type, from: Type, register: u32, mode: &FloatMode<'_>) -> Option<Convert> {
    let conversion = Conversion {
        to: kind(to)?,
        from: kind(from)?,
        register,
        rounding: Rounding::of(mode),
        subnormals: if mode.ftz { Subnormals::Flushed } else { Subnormals::Kept },
        range: match mode.saturate {
            true => Range::Saturated,
            false if mode.has("relu") => Range::NotNegative,
            false => Range::All,
        },
        overflow: if mode.has("satfinite") { Overflow::Largest } else { Overflow::Infinite },
    };
    let plain = conversion.subnormals == Subnormals::Kept
        && conversion.range == Range::All
        && conversion.overflow == Overflow::Infinite;
    let nearest = mode.round == Round::Nearest;
    let fast = match (to, from) {
        _ if !plain => None,
        (Type::F32, Type::F16) => Some(map!(F16: |a| canonical(a.to_f32()))),
        (Type::F32, Type::BF16) => Some(map!(u16: |a| u32::from(a) << 16)),
        (Type::F16, Type::F32) if nearest => Some(map!(f32: |a| F16::from_f32(a))),
        (Type::BF16, Type::F32) if nearest => Some(map!(f32: |a| BF16::from_f32(a))),
        (Type::F32, Type::S32) if nearest => Some(map!(i32: |a| a as f32)),
        (Type::F32, Type::U32) if nearest => Some(map!(u32: |a| a as f32)),
        (Type::S64, Type::S32) => Some(map!(i32: |a| i64::from(a))),
        (Type::U64, Type::U32) => Some(map!(u32: |a| a)),
        (Type::U32 | Type::S32, Type::U64 | Type::S64) if register == 32 => Some(map!(u32: |a| a)),
        (Type::U32 | Type::S32, Type::U16) if register == 32 => Some(map!(u16: |a| a)),
        (Type::U16 | Type::S16, Type::U32 | Type::S32) if register == 16 => Some(map!(u16: |a| a)),
        _ => None,
    };
    Some(fast.map_or(Convert::General(conversion), Convert::Fast))
}

impl Conversion {
    /// The converted bits of one lane.
    pub(crate) fn apply(&self, bits: u64) -> u64 {
        if let Some(nan) = self.nan(bits) {
            return nan;
        }
        match self.from {
            Kind::Signed(width) => self.of_integer(i128::from((bits << (64 - width)) as i64 >> (64 - width))),
            Kind::Unsigned(width) => self.of_integer(i128::from(bits << (64 - width) >> (64 - width))),
            Kind::Float(SINGLE) if self.subnormals == Subnormals::Flushed => {
                self.of_float(f64::from(flush::<true>(f32::take(bits))))
            }
            Kind::Float(format) => self.of_float(format.decode(bits & mask(format))),
            Kind::Double => self.of_float(f64::take(bits)),
        }
    }

    /// The result where an f64 that is no number is read or written: it keeps its sign and the upper bits of its payload.
    fn nan(&self, bits: u64) -> Option<u64> {
        if self.range != Range::All {
            return None;
        }
        // The f64 with the same sign and payload.
        let wide = match self.from {
            Kind::Double => bits,
            // With `.ftz` it passes an f32 instruction first.
            Kind::Float(SINGLE) if self.subnormals == Subnormals::Flushed => {
                widened(canonical(f32::take(bits)), SINGLE)
            }
            Kind::Float(format) if format.infinite => widened(bits, format),
            Kind::Float(_) | Kind::Signed(_) | Kind::Unsigned(_) => return None,
        };
        if !f64::from_bits(wide).is_nan() {
            return None;
        }
        let wide = wide | QUIET;
        match (self.from, self.to) {
            (_, Kind::Double) => Some(wide),
            (Kind::Double, Kind::Float(format)) if format.infinite => {
                let all = (1u64 << format.exponent) - 1;
                let payload = wide << 12 >> (64 - format.mantissa);
                Some(wide >> 63 << (format.exponent + format.mantissa) | all << format.mantissa | payload)
            }
            _ => None,
        }
    }

    fn of_integer(&self, value: i128) -> u64 {
        match self.to {
            Kind::Signed(width) | Kind::Unsigned(width) => {
                let value = if self.range == Range::Saturated { self.clamp(value) } else { value };
                self.extend(value as u64, width)
            }
            Kind::Float(format) => format.encode(odd_integer(value), self.rounding.between_kinds(), false),
            Kind::Double => super::double::of_integer(value, self.rounding.to_format()),
        }
    }

    fn of_float(&self, value: f64) -> u64 {
        match self.to {
            Kind::Signed(_) | Kind::Unsigned(_) => self.float_to_integer(value),
            Kind::Double => self.limit(self.rounding.to_integer(value)).bits(),
            Kind::Float(format) => {
                let value = self.limit(self.rounding.to_integer(value));
                let code = format.encode(value, self.rounding.to_format(), self.overflow == Overflow::Largest);
                let flushed = self.subnormals == Subnormals::Flushed && format == SINGLE;
                if flushed { flush::<true>(f32::take(code)).bits() } else { code }
            }
        }
    }

    /// `.sat` and `.relu` of float results.
    fn limit(&self, value: f64) -> f64 {
        match self.range {
            Range::Saturated if value > 0.0 => value.min(1.0),
            Range::Saturated => 0.0,
            Range::NotNegative if value <= 0.0 => 0.0,
            Range::NotNegative | Range::All => value,
        }
    }

    fn float_to_integer(&self, value: f64) -> u64 {
        let (Kind::Signed(width) | Kind::Unsigned(width)) = self.to else { return 0 };
        if value.is_nan() {
            // NaN gives 0, but the top bit alone where either side has 64 bits.
            let wide = width == 64 || self.from == Kind::Double;
            return if wide { 1 << (width - 1) } else { 0 };
        }
        let rounded = round_integral(value, self.rounding.between_kinds());
        // Rust's conversion saturates, and so does the hardware's.
        let wide = rounded as i128;
        self.extend(self.clamp(wide) as u64, width)
    }

    fn clamp(&self, value: i128) -> i128 {
        match self.to {
            Kind::Signed(width) => value.clamp(-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            Kind::Unsigned(width) => value.clamp(0, (1i128 << width) - 1),
            _ => value,
        }
    }

    /// The low `width` bits, sign- or zero-extended to the destination register.
    fn extend(&self, bits: u64, width: u32) -> u64 {
        let bits = match self.to {
            Kind::Signed(_) => ((bits << (64 - width)) as i64 >> (64 - width)) as u64,
            _ => bits << (64 - width) >> (64 - width),
        };
        bits << (64 - self.register) >> (64 - self.register)
    }
}

/// The bits of an f64 that is no number, with the sign and the payload of a code; of other codes, some f64 that is a number.
fn widened(code: u64, format: Format) -> u64 {
    let (sign, field) = (code >> (format.exponent + format.mantissa) & 1, code >> format.mantissa);
    let all = (1u64 << format.exponent) - 1;
    let exponent = if field & all == all { 0x7FF } else { 0 };
    sign << 63 | exponent << 52 | (code & ((1 << format.mantissa) - 1)) << (52 - format.mantissa)
}

fn mask(format: Format) -> u64 {
    (1 << (1 + format.exponent + format.mantissa)) - 1
}

fn round_integral(value: f64, round: Round) -> f64 {
    match round {
        Round::Nearest => value.round_ties_even(),
        Round::NearestAway => value.round(),
        Round::Zero => value.trunc(),
        Round::Down => value.floor(),
        Round::Up => value.ceil(),
    }
}

/// Conversions to or from packed and odd formats, by the words after the modifiers: `to` and `from` as written.
/// With two sources the first goes to the upper half.
pub(crate) enum Packed {
    One(Fn1),
    Two(Fn2),
}

/// `cvt.rn.f16x2.f32 d, a, b`, fp8 pairs and tf32.
pub(crate) fn convert_packed(to: &str, from: &str, mode: &FloatMode<'_>) -> Option<Packed> {
    let relu = mode.has("relu");
    let finite = mode.has("satfinite");
    Some(match (to, from, mode.round) {
        ("f16x2", "f32", Round::Nearest) if !relu && !finite => {
            Packed::Two(map!(f32: |a, b| u32::from(F16::from_f32(a).0) << 16 | u32::from(F16::from_f32(b).0)))
        }
        ("bf16x2", "f32", Round::Nearest) if !relu && !finite => {
            Packed::Two(map!(f32: |a, b| u32::from(BF16::from_f32(a).0) << 16 | u32::from(BF16::from_f32(b).0)))
        }
        ("f16x2", "f32", round) => Packed::Two(match (round, relu, finite) {
            (Round::Nearest, true, false) => map!(f32: |a, b| two(a, b, HALF, Round::Nearest, true, false)),
            (Round::Nearest, true, true) => map!(f32: |a, b| two(a, b, HALF, Round::Nearest, true, true)),
            (Round::Nearest, false, _) => map!(f32: |a, b| two(a, b, HALF, Round::Nearest, false, true)),
            (_, true, _) => map!(f32: |a, b| two(a, b, HALF, Round::Zero, true, false)),
            _ => map!(f32: |a, b| two(a, b, HALF, Round::Zero, false, false)),
        }),
        ("bf16x2", "f32", round) => Packed::Two(match (round, relu, finite) {
            (Round::Nearest, true, false) => map!(f32: |a, b| two(a, b, BRAIN, Round::Nearest, true, false)),
            (Round::Nearest, true, true) => map!(f32: |a, b| two(a, b, BRAIN, Round::Nearest, true, true)),
            (Round::Nearest, false, _) => map!(f32: |a, b| two(a, b, BRAIN, Round::Nearest, false, true)),
            (_, true, _) => map!(f32: |a, b| two(a, b, BRAIN, Round::Zero, true, false)),
            _ => map!(f32: |a, b| two(a, b, BRAIN, Round::Zero, false, false)),
        }),
        ("e4m3x2", "f32", _) if relu => Packed::Two(map!(f32: |a, b| bytes(a, b, E4M3, true))),
        ("e4m3x2", "f32", _) => Packed::Two(map!(f32: |a, b| bytes(a, b, E4M3, false))),
        ("e5m2x2", "f32", _) if relu => Packed::Two(map!(f32: |a, b| bytes(a, b, E5M2, true))),
        ("e5m2x2", "f32", _) => Packed::Two(map!(f32: |a, b| bytes(a, b, E5M2, false))),
        ("e4m3x2", "f16x2", _) if relu => Packed::One(map!(u32: |a| from_halves(a, E4M3, true))),
        ("e4m3x2", "f16x2", _) => Packed::One(map!(u32: |a| from_halves(a, E4M3, false))),
        ("e5m2x2", "f16x2", _) if relu => Packed::One(map!(u32: |a| from_halves(a, E5M2, true))),
        ("e5m2x2", "f16x2", _) => Packed::One(map!(u32: |a| from_halves(a, E5M2, false))),
        ("f16x2", "e4m3x2", _) if relu => Packed::One(map!(u16: |a| to_halves(a, E4M3, true))),
        ("f16x2", "e4m3x2", _) => Packed::One(map!(u16: |a| to_halves(a, E4M3, false))),
        ("f16x2", "e5m2x2", _) if relu => Packed::One(map!(u16: |a| to_halves(a, E5M2, true))),
        ("f16x2", "e5m2x2", _) => Packed::One(map!(u16: |a| to_halves(a, E5M2, false))),
        ("tf32", "f32", Round::NearestAway) => Packed::One(map!(f32: |a| tensor(a, Round::NearestAway, false))),
        ("tf32", "f32", Round::Zero) if relu => Packed::One(map!(f32: |a| tensor(a, Round::Zero, true))),
        ("tf32", "f32", Round::Zero) => Packed::One(map!(f32: |a| tensor(a, Round::Zero, false))),
        ("tf32", "f32", _) if relu => Packed::One(map!(f32: |a| tensor(a, Round::Nearest, true))),
        ("tf32", "f32", _) => Packed::One(map!(f32: |a| tensor(a, Round::Nearest, false))),
        _ => return None,
    })
}

fn clip(value: f64, relu: bool) -> f64 {
    if relu && value <= 0.0 { 0.0 } else { value }
}

fn two(a: f32, b: f32, format: Format, round: Round, relu: bool, finite: bool) -> u32 {
    let one = |x: f32| format.encode(clip(x.into(), relu), round, finite) as u32;
    one(a) << 16 | one(b)
}

fn bytes(a: f32, b: f32, format: Format, relu: bool) -> u16 {
    let one = |x: f32| format.encode(clip(x.into(), relu), Round::Nearest, true) as u16;
    one(a) << 8 | one(b)
}

fn from_halves(a: u32, format: Format, relu: bool) -> u16 {
    let one = |bits: u32| format.encode(clip(F16(bits as u16).to_f32().into(), relu), Round::Nearest, true) as u16;
    one(a >> 16) << 8 | one(a)
}

fn to_halves(a: u16, format: Format, relu: bool) -> u32 {
    let one = |code: u16| HALF.encode(clip(format.decode(u64::from(code & 0xFF)), relu), Round::Nearest, false) as u32;
    one(a >> 8) << 16 | one(a)
}

fn tensor(a: f32, round: Round, relu: bool) -> u32 {
    if round == Round::NearestAway && !a.is_finite() {
        // Of these the lower bits are cut off, even where that makes an infinity of what is no number.
        return a.to_bits() & !0x1FFF;
    }
    (TENSOR.encode(clip(a.into(), relu), round, false) as u32) << 13
}
