//! References of the element-wise operations, in exact integers and `f64` (from the C library's and `libm`'s functions).
//!
//! A reference sees the rounded inputs and gives the result before it is rounded to the result type; where the language
//! computes in a narrower type first (`/` of integers is a division of two f32), the reference rounds there, too.

use crate::number::{Number, Number::*, Type};

/// Applies the reference of this name; nothing when there is none for these arguments.
pub fn apply(name: &str, args: &[Number], ty: Type, result: Type) -> Option<Number> {
    let number = match (args, ty.is_float()) {
        ([x], true) => float_unary(name, x.float(), ty),
        ([x], false) => int_unary(name, x.int(), ty),
        ([x, y], true) => float_binary(name, x.float(), y.float(), ty),
        ([x, y], false) => int_binary(name, x.int(), y.int(), ty),
        (args, _) => ternary(name, args, ty),
    }?;
    // Results of a narrower float type are rounded by the caller; `int1` holds 0 or 1.
    Some(if result == Type::B1 { Int(i128::from(number.float() != 0.0)) } else { number })
}

/// A result rounded as its name ends: `_rd` down, `_ru` up, `_rz` towards zero. `value` is the nearest f64, `rest` has the sign of what
/// the exact result has more.
fn directed(mode: &str, value: f64, rest: f64, ty: Type) -> Option<Number> {
    let (nearest, rest) = match ty {
        Type::F32 if value as f32 as f64 != value => (f64::from(value as f32), value - f64::from(value as f32)),
        _ => (value, rest),
    };
    let neighbour = |up: bool| match (ty, up) {
        (Type::F32, true) => f64::from((nearest as f32).next_up()),
        (Type::F32, false) => f64::from((nearest as f32).next_down()),
        (_, true) => nearest.next_up(),
        (_, false) => nearest.next_down(),
    };
    let (down, up) =
        (if rest < 0.0 { neighbour(false) } else { nearest }, if rest > 0.0 { neighbour(true) } else { nearest });
    Some(Float(match mode {
        "rn" => nearest,
        "rd" => down,
        "ru" => up,
        "rz" if nearest > 0.0 => down,
        "rz" => up,
        _ => return None,
    }))
}

/// What a sum of f64 loses (Knuth).
fn lost(x: f64, y: f64) -> f64 {
    let sum = x + y;
    let back = sum - x;
    (x - (sum - back)) + (y - back)
}

/// Arithmetic in a rounding mode: `add_rd`, `sqrt_rz`, ….
fn directed_arithmetic(name: &str, args: &[f64], ty: Type) -> Option<Number> {
    let (stem, mode) = name.rsplit_once('_')?;
    let (value, rest) = match (stem, args) {
        ("add", &[x, y]) => (x + y, lost(x, y)),
        ("sub", &[x, y]) => (x - y, lost(x, -y)),
        ("mul", &[x, y]) => (x * y, x.mul_add(y, -(x * y))),
        ("div", &[x, y]) => (x / y, (-(x / y)).mul_add(y, x) * y.signum()),
        ("rcp", &[x]) => (1.0 / x, (-(1.0 / x)).mul_add(x, 1.0) * x.signum()),
        ("sqrt", &[x]) => (x.sqrt(), (-x.sqrt()).mul_add(x.sqrt(), x)),
        // Products of f32 are exact in f64.
        ("fma", &[x, y, z]) if ty == Type::F32 => (x * y + z, lost(x * y, z)),
        ("float", &[x]) => (x, 0.0),
        _ => return None,
    };
    directed(mode, value, rest, if stem == "float" { Type::F32 } else { ty })
}

/// An integer as a float in a rounding mode: `f32_rd`, `f64_ru`.
fn directed_conversion(name: &str, x: i128) -> Option<Number> {
    let (to, mode) = name.split_once('_')?;
    let (ty, nearest) = match to {
        "f32" => (Type::F32, f64::from(x as f32)),
        "f64" => (Type::F64, x as f64),
        _ => return None,
    };
    directed(mode, nearest, (x - nearest as i128) as f64, ty)
}

/// An integer made of a float.
fn integer_of_float(name: &str, x: f64, ty: Type) -> Option<Number> {
    let bits = ty.encode(Float(x));
    let value = match name {
        "int_rn" => x.round_ties_even() as i128,
        "int_round" => x.round() as i128,
        "int_rd" => x.floor() as i128,
        "int_ru" => x.ceil() as i128,
        "int_rz" => x.trunc() as i128,
        "ilogb" => x.abs().log2().floor() as i128,
        "bits" => i128::from(ty.signed_bits(bits)),
        "low_bits" => i128::from(bits as u32 as i32),
        "high_bits" => i128::from((bits >> 32) as i32),
        _ => return None,
    };
    Some(Int(value))
}

fn float_unary(name: &str, x: f64, ty: Type) -> Option<Number> {
    if let Some(number) = directed_arithmetic(name, &[x], ty).or_else(|| integer_of_float(name, x, ty)) {
        return Some(number);
    }
    if let Some(exponent) = name.strip_prefix("power_") {
        return exponent.parse().ok().map(|exponent| Float(x.powi(exponent)));
    }
    let value = match name {
        "identity" => x,
        "neg" => -x,
        "abs" => x.abs(),
        "ceil" => x.ceil(),
        "floor" => x.floor(),
        "trunc" => x.trunc(),
        "rint" => x.round_ties_even(),
        "round" => x.round(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "exp10" => libm::exp10(x),
        "expm1" => x.exp_m1(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "asinh" => libm::asinh(x),
        "acosh" => libm::acosh(x),
        "atanh" => libm::atanh(x),
        "sinpi" => sin_pi(x),
        "cospi" => cos_pi(x),
        "sqrt" => x.sqrt(),
        "rsqrt" => 1.0 / x.sqrt(),
        "cbrt" => x.cbrt(),
        "rcbrt" => 1.0 / x.cbrt(),
        "reciprocal" => 1.0 / x,
        "erf" => libm::erf(x),
        "erfc" => libm::erfc(x),
        "erfcx" => (x * x).exp() * libm::erfc(x),
        "normcdf" => 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2),
        "lgamma" => libm::lgamma(x),
        "tgamma" => libm::tgamma(x),
        "j0" => libm::j0(x),
        "j1" => libm::j1(x),
        "y0" => libm::y0(x),
        "y1" => libm::y1(x),
        "logb" => x.abs().log2().floor(),
        "sigmoid" => 1.0 / (1.0 + (-x).exp()),
        "saturate" => x.clamp(0.0, 1.0),
        "gelu" => 0.5 * x * (1.0 + libm::erf(x * std::f64::consts::FRAC_1_SQRT_2)),
        "isnan" => f64::from(x.is_nan()),
        "eq_self" => f64::from(!x.is_nan()),
        "isinf" => f64::from(x.is_infinite()),
        "isfinite" => f64::from(x.is_finite()),
        "signbit" => f64::from(x.is_sign_negative()),
        "not" => f64::from(x == 0.0),
        "truth" => f64::from(x != 0.0),
        _ => match name.split_once(' ') {
            Some(("jn", n)) => libm::jn(n.parse().ok()?, x),
            Some(("yn", n)) => libm::yn(n.parse().ok()?, x),
            Some(("scale", n)) => x * f64::powi(2.0, n.parse().ok()?),
            _ => return None,
        },
    };
    Some(Float(value))
}

/// sin(pi x), reduced exactly to half a turn around zero before it is multiplied.
fn sin_pi(x: f64) -> f64 {
    let r = x - 2.0 * (x / 2.0).round_ties_even();
    let r = if r.abs() > 0.5 { r.signum() - r } else { r };
    (r * std::f64::consts::PI).sin()
}

fn cos_pi(x: f64) -> f64 {
    let r = (x - 2.0 * (x / 2.0).round_ties_even()).abs();
    sin_pi(0.5 - r)
}

fn int_unary(name: &str, x: i128, ty: Type) -> Option<Number> {
    if let Some(number) = directed_conversion(name, x) {
        return Some(number);
    }
    let bits = x as u64 & (u64::MAX >> (64 - ty.bits()));
    let width = ty.bits();
    Some(Int(match name {
        "identity" => x,
        "neg" => ty.wrap(-x),
        "abs" => x.abs(),
        "invert" => ty.wrap(!x),
        "not" => i128::from(x == 0),
        "truth" => i128::from(x != 0),
        "square" => x.wrapping_mul(x),
        "floordiv7" => x / 7,
        "eq_self" => 1,
        "popc" => i128::from(bits.count_ones()),
        "clz" => i128::from(bits.leading_zeros()) - i128::from(64 - width),
        "ffs" => i128::from(if bits == 0 { 0 } else { bits.trailing_zeros() + 1 }),
        "brev" => i128::from(bits.reverse_bits() >> (64 - width)),
        "float" => return Some(Float(x as f64)),
        "bits_float" => return Some(Type::F32.decode(bits)),
        "bits_double" => return Some(Type::F64.decode(bits)),
        _ => return None,
    }))
}

fn float_binary(name: &str, x: f64, y: f64, ty: Type) -> Option<Number> {
    if let Some(number) = directed_arithmetic(name, &[x, y], ty) {
        return Some(number);
    }
    let truth = |value: bool| Some(Int(i128::from(value)));
    let value = match name {
        "add" => x + y,
        "sub" => x - y,
        "mul" => x * y,
        "div" => x / y,
        // A remainder is exact in any precision: both are numbers of the narrow type.
        "mod" => x % y,
        "eq" => return truth(x == y),
        "ne" => return truth(x != y),
        "lt" => return truth(x < y),
        "le" => return truth(x <= y),
        "gt" => return truth(x > y),
        "ge" => return truth(x >= y),
        // NaN loses against a number.
        "max" => x.max(y),
        "min" => x.min(y),
        "max_nan" | "min_nan" if x.is_nan() || y.is_nan() => f64::NAN,
        "max_nan" => x.max(y),
        "min_nan" => x.min(y),
        "first" => x,
        "second" => y,
        "where_lt" => {
            if x < y {
                x
            } else {
                y
            }
        }
        "copysign" => x.copysign(y),
        "fdim" => {
            if x > y {
                x - y
            } else {
                0.0
            }
        }
        "pow" => x.powf(y),
        "hypot" => x.hypot(y),
        "rhypot" => 1.0 / x.hypot(y),
        "atan2" => x.atan2(y),
        "fmod" => x % y,
        "remainder" => libm::remainder(x, y),
        "nextafter" if ty == Type::F32 => f64::from(libm::nextafterf(x as f32, y as f32)),
        "nextafter" => libm::nextafter(x, y),
        _ => return None,
    };
    Some(Float(value))
}

fn int_binary(name: &str, x: i128, y: i128, ty: Type) -> Option<Number> {
    let truth = |value: bool| i128::from(value);
    let magnitudes = |x: i128| x.unsigned_abs();
    Some(Int(match name {
        "add" => ty.wrap(x + y),
        "sub" => ty.wrap(x - y),
        "mul" => ty.wrap(x.wrapping_mul(y)),
        "div" => {
            let narrow = |value: i128| Type::F32.rounded(Int(value)).float();
            return Some(Float(narrow(x) / narrow(y)));
        }
        "hilo" => return Some(Float(f64::from_bits(u64::from(x as u32) << 32 | u64::from(y as u32)))),
        "floordiv" => x.checked_div(y)?,
        "mod" => x.checked_rem(y)?,
        "cdiv" => ty.wrap(x + y - 1).checked_div(y)?,
        "and" | "logical_and" => x & y,
        "or" | "logical_or" => x | y,
        "xor" => x ^ y,
        "shl" => x << y,
        "shr" => x >> y,
        "eq" => truth(x == y),
        "ne" => truth(x != y),
        "lt" => truth(x < y),
        "le" => truth(x <= y),
        "gt" => truth(x > y),
        "ge" => truth(x >= y),
        "max" => x.max(y),
        "min" => x.min(y),
        "first" => x,
        "second" => y,
        "where_lt" => {
            if x < y {
                x
            } else {
                y
            }
        }
        "mulhi" => x.wrapping_mul(y) >> ty.bits(),
        "mulhi_unsigned" => {
            let mask = (1i128 << ty.bits()) - 1;
            (((x & mask) as u128 * (y & mask) as u128) >> ty.bits()) as i128
        }
        "mul24" => {
            let narrow = |value: i128| (value as i32) << 8 >> 8;
            i128::from(narrow(x).wrapping_mul(narrow(y)))
        }
        "hadd" => (x + y) >> 1,
        "rhadd" => (x + y + 1) >> 1,
        "absdiff" => magnitudes(x - y) as i128,
        _ => return None,
    }))
}

fn ternary(name: &str, args: &[Number], ty: Type) -> Option<Number> {
    let [x, y, z] = args else { return None };
    if !ty.is_float() {
        let (x, y, z) = (x.int(), y.int(), z.int());
        return Some(Int(match name {
            "clamp" => x.max(y).min(z),
            "muladd" => x.wrapping_mul(y).wrapping_add(z),
            "select" => {
                if x != 0 {
                    y
                } else {
                    z
                }
            }
            "sad" => (x - y).abs() + z,
            "byte_perm" => {
                let bytes = (y as u32 as u64) << 32 | u64::from(x as u32);
                let byte = |nibble: u32| (bytes >> (8 * (z as u32 >> (4 * nibble) & 7)) & 0xff) as u32;
                i128::from((0..4).fold(0u32, |word, nibble| word | byte(nibble) << (8 * nibble)) as i32)
            }
            _ => return None,
        }));
    }
    let (x, y, z) = (x.float(), y.float(), z.float());
    if let Some(number) = directed_arithmetic(name, &[x, y, z], ty) {
        return Some(number);
    }
    Some(Float(match name {
        "fma" if ty == Type::F32 => f64::from((x as f32).mul_add(y as f32, z as f32)),
        "fma" => x.mul_add(y, z),
        "clamp" => x.max(y).min(z),
        "clamp_nan" if x.is_nan() => f64::NAN,
        "clamp_nan" => x.max(y).min(z),
        "select" => {
            if x != 0.0 {
                y
            } else {
                z
            }
        }
        "norm3" => (x * x + y * y + z * z).sqrt(),
        "rnorm3" => 1.0 / (x * x + y * y + z * z).sqrt(),
        "norm4" => (2.0 * x * x + y * y + z * z).sqrt(),
        "rnorm4" => 1.0 / (2.0 * x * x + y * y + z * z).sqrt(),
        _ => return None,
    }))
}
