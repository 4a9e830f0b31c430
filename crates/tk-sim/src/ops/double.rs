//! f64 arithmetic in the directed rounding modes, and integers as f64.
//!
//! Results are computed exactly, as a whole number times a power of two with a mark for what is beyond, and rounded once. So numbers
//! below the smallest normal one are rounded as the others are.

use super::Function;
use super::float::no_number;
use crate::lanes::map;
use crate::number::Round;

/// Explicit and implicit bits of a significand.
const BITS: i32 = 53;
/// The power of two of the last bit of the smallest numbers.
const LEAST: i32 = -1074;
/// The power of two of the last bit of the largest numbers.
const MOST: i32 = 971;
/// Where the highest bit of terms is put before they are added.
const TOP: i32 = 126;

/// The function of `name.ROUND.f64`; nothing for rounding to nearest, which is plain arithmetic.
pub(super) fn find(name: &str, round: Round) -> Option<Function> {
    /// One function per mode.
    macro_rules! modes {
        ($kind:ident, $round:ident, |$($arg:ident),+| $body:expr) => {
            Function::$kind(match $round {
                Round::Zero => map!(f64: |$($arg),+| { let $round = Round::Zero; $body }),
                Round::Down => map!(f64: |$($arg),+| { let $round = Round::Down; $body }),
                _ => map!(f64: |$($arg),+| { let $round = Round::Up; $body }),
            })
        };
    }
    Some(match name {
        "add" => modes!(Two, round, |a, b| finite(a + b, &[a, b]).unwrap_or_else(|| product_sum(a, 1.0, b, round))),
        "sub" => modes!(Two, round, |a, b| finite(a - b, &[a, b]).unwrap_or_else(|| product_sum(a, 1.0, -b, round))),
        "mul" => modes!(Two, round, |a, b| finite(a * b, &[a, b]).unwrap_or_else(|| product(a, b, round))),
        "div" => modes!(Two, round, |a, b| quotient(a, b, round)),
        "rcp" => modes!(One, round, |a| quotient(1.0, a, round)),
        "sqrt" => modes!(One, round, |a| root(a, round)),
        "fma" | "mad" => modes!(Three, round, |a, b, c| {
            finite(a.mul_add(b, c), &[a, b, c]).unwrap_or_else(|| product_sum(a, b, c, round))
        }),
        _ => return None,
    })
}

/// A number before it is rounded: `significand` times two to the power of `exponent`, and, if `beyond`, a part of the last bit more.
#[derive(Clone, Copy)]
struct Exact {
    negative: bool,
    significand: u128,
    exponent: i32,
    beyond: bool,
}

impl Exact {
    /// A finite number.
    fn of(value: f64) -> Self {
        let (field, fraction) = ((value.to_bits() >> 52 & 0x7FF) as i32, value.to_bits() & ((1 << 52) - 1));
        let (significand, exponent) = if field == 0 { (fraction, LEAST) } else { (fraction | 1 << 52, field - 1075) };
        Self { negative: value.is_sign_negative(), significand: significand.into(), exponent, beyond: false }
    }

    fn bits(&self) -> i32 {
        128 - self.significand.leading_zeros() as i32
    }

    /// The same with its highest bit at a place above where it is.
    fn raised(self, top: i32) -> Self {
        let by = top - self.bits();
        Self { significand: self.significand << by, exponent: self.exponent - by, ..self }
    }

    /// The bits of the nearest f64 of a mode.
    fn round(&self, round: Round) -> u64 {
        let quantum = (self.exponent + self.bits() - BITS).max(LEAST);
        let (kept, rest) = self.divided(quantum - self.exponent);
        let up = match round {
            Round::Nearest => rest == Rest::More || rest == Rest::Half && kept & 1 == 1,
            Round::NearestAway => rest == Rest::More || rest == Rest::Half,
            Round::Zero => false,
            Round::Down => self.negative && rest != Rest::Nothing,
            Round::Up => !self.negative && rest != Rest::Nothing,
        };
        let kept = kept + u64::from(up);
        // A carry out of the significand runs into the field of the exponent, which is exactly right.
        let below = kept.saturating_sub(1 << 52) + (((quantum - LEAST) as u64 + 1) << 52);
        let magnitude = if kept < 1 << 52 { kept } else { below };
        let infinite = f64::INFINITY.to_bits();
        let magnitude = match round {
            _ if quantum <= MOST && magnitude < infinite => magnitude,
            Round::Zero => infinite - 1,
            Round::Down if !self.negative => infinite - 1,
            Round::Up if self.negative => infinite - 1,
            _ => infinite,
        };
        magnitude | u64::from(self.negative) << 63
    }

    /// The significand over two to the power of `shift`, and what remains.
    fn divided(&self, shift: i32) -> (u64, Rest) {
        if shift <= 0 {
            let rest = if self.beyond { Rest::Less } else { Rest::Nothing };
            return ((self.significand << -shift) as u64, rest);
        }
        if shift >= 128 {
            let is_some = self.beyond || self.significand != 0;
            return (0, if is_some { Rest::Less } else { Rest::Nothing });
        }
        let (kept, rest, half) =
            ((self.significand >> shift) as u64, self.significand & ((1 << shift) - 1), 1u128 << (shift - 1));
        let rest = match rest.cmp(&half) {
            std::cmp::Ordering::Greater => Rest::More,
            std::cmp::Ordering::Equal => {
                if self.beyond {
                    Rest::More
                } else {
                    Rest::Half
                }
            }
            std::cmp::Ordering::Less if rest != 0 || self.beyond => Rest::Less,
            std::cmp::Ordering::Less => Rest::Nothing,
        };
        (kept, rest)
    }
}

/// What is left below the last bit, in halves of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    Nothing,
    Less,
    Half,
    More,
}

/// The result where an operand is infinite or no number; nothing where all are finite. `host` is the result of the host.
fn finite(host: f64, operands: &[f64]) -> Option<u64> {
    if operands.iter().all(|operand| operand.is_finite()) {
        return None;
    }
    Some(if host.is_nan() { no_number(operands) } else { host.to_bits() })
}

fn zero(negative: bool) -> u64 {
    u64::from(negative) << 63
}

fn product(a: f64, b: f64, round: Round) -> u64 {
    let exact = exact_product(a, b);
    if exact.significand == 0 { zero(exact.negative) } else { exact.round(round) }
}

fn exact_product(a: f64, b: f64) -> Exact {
    let (a, b) = (Exact::of(a), Exact::of(b));
    Exact {
        negative: a.negative != b.negative,
        significand: a.significand * b.significand,
        exponent: a.exponent + b.exponent,
        beyond: false,
    }
}

fn quotient(a: f64, b: f64, round: Round) -> u64 {
    if let Some(bits) = finite(a / b, &[a, b]) {
        return bits;
    }
    if a == 0.0 || b == 0.0 {
        let host = a / b;
        return if host.is_nan() { no_number(&[a, b]) } else { host.to_bits() };
    }
    let (a, b) = (Exact::of(a).raised(TOP), Exact::of(b));
    let exact = Exact {
        negative: a.negative != b.negative,
        significand: a.significand / b.significand,
        exponent: a.exponent - b.exponent,
        beyond: a.significand % b.significand != 0,
    };
    exact.round(round)
}

fn root(a: f64, round: Round) -> u64 {
    if a.is_nan() || a < 0.0 {
        return no_number(&[a]);
    }
    if a == 0.0 || a.is_infinite() {
        return a.to_bits();
    }
    let a = Exact::of(a);
    // An even exponent.
    let a = a.raised(TOP - (a.exponent - (TOP - a.bits())).rem_euclid(2));
    let significand = a.significand.isqrt();
    let beyond = significand * significand != a.significand;
    Exact { negative: false, significand, exponent: a.exponent / 2, beyond }.round(round)
}

/// a · b + c of finite numbers.
fn product_sum(a: f64, b: f64, c: f64, round: Round) -> u64 {
    let (product, term) = (exact_product(a, b), Exact::of(c));
    match (product.significand, term.significand) {
        (0, 0) if product.negative == term.negative => return zero(term.negative),
        (0, 0) => return zero(round == Round::Down),
        (0, _) => return c.to_bits(),
        (_, 0) => return product.round(round),
        _ => {}
    }
    let (product, term) = (product.raised(TOP), term.raised(TOP));
    let (large, small) = if product.exponent >= term.exponent { (product, term) } else { (term, product) };
    let by = large.exponent - small.exponent;
    let (kept, lost) = match by {
        0..128 => (small.significand >> by, small.significand & ((1 << by) - 1) != 0),
        _ => (0, true),
    };
    let exponent = large.exponent;
    let sum = if large.negative == small.negative {
        Exact { negative: large.negative, significand: large.significand + kept, exponent, beyond: lost }
    } else if large.significand >= kept {
        // What is lost of the smaller one is missing from the last bit.
        let significand = large.significand - kept - u128::from(lost);
        Exact { negative: large.negative, significand, exponent, beyond: lost }
    } else {
        Exact { negative: small.negative, significand: kept - large.significand, exponent, beyond: false }
    };
    if sum.significand == 0 && !sum.beyond { zero(round == Round::Down) } else { sum.round(round) }
}

/// An integer as f64.
pub(super) fn of_integer(value: i128, round: Round) -> u64 {
    if value == 0 {
        return 0;
    }
    Exact { negative: value < 0, significand: value.unsigned_abs(), exponent: 0, beyond: false }.round(round)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_rounded_once() {
        // As an H200 does.
        let a = f64::from_bits(0x0020_FCE7_7C00);
        assert_eq!(product(f64::from_bits(0x4054_374C_E522_955E), a, Round::Zero), 0x0A6B_8950_1C32);
        assert_eq!(product(f64::MIN_POSITIVE, f64::MIN_POSITIVE, Round::Up), 1);
        assert_eq!(product(f64::MIN_POSITIVE, -f64::MIN_POSITIVE, Round::Down), 1 << 63 | 1);
        assert_eq!(product(f64::MAX, 2.0, Round::Zero), f64::MAX.to_bits());
        assert_eq!(product(f64::MAX, 2.0, Round::Up), f64::INFINITY.to_bits());
    }

    #[test]
    fn to_nearest_they_agree_with_the_host() {
        let values = [0.0, -0.0, 1.0, 1.5, -3.25, 1e300, -1e-300, 5e-324, 2.2e-308, 0.1, 1e16, f64::MAX, 4.0, 7e-310];
        for a in values {
            for b in values {
                assert_eq!(product(a, b, Round::Nearest), (a * b).to_bits(), "{a} * {b}");
                if b != 0.0 {
                    assert_eq!(quotient(a, b, Round::Nearest), (a / b).to_bits(), "{a} / {b}");
                }
                for c in values {
                    assert_eq!(product_sum(a, b, c, Round::Nearest), a.mul_add(b, c).to_bits(), "{a} * {b} + {c}");
                }
            }
            if a >= 0.0 {
                assert_eq!(root(a, Round::Nearest), a.sqrt().to_bits(), "root of {a}");
            }
        }
    }
}
