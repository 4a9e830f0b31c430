//! f64 arithmetic in the directed rounding modes.
//!
//! Every function rounds to nearest and knows the sign of what that lost: a sum by Knuth's error-free transformation, a product by
//! a fused multiply-add, a quotient and a root by their residues. Then the result is this number or its neighbour.

use super::Function;
use crate::lanes::map;
use crate::number::Round;

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
        "add" => modes!(Two, round, |a, b| sum(a, b, round)),
        "sub" => modes!(Two, round, |a, b| sum(a, -b, round)),
        "mul" => modes!(Two, round, |a, b| {
            let product = a * b;
            settle(product, a.mul_add(b, -product), a.is_finite() && b.is_finite(), round)
        }),
        "div" => modes!(Two, round, |a, b| quotient(a, b, round)),
        "rcp" => modes!(One, round, |a| quotient(1.0, a, round)),
        "sqrt" => modes!(One, round, |a| {
            let root = a.sqrt();
            settle(root, (-root).mul_add(root, a), false, round)
        }),
        "fma" | "mad" => modes!(Three, round, |a, b, c| product_sum(a, b, c, round)),
        _ => return None,
    })
}

fn quotient(a: f64, b: f64, round: Round) -> u64 {
    let nearest = a / b;
    settle(nearest, (-nearest).mul_add(b, a) * b.signum(), a.is_finite() && b != 0.0, round)
}

/// A sum and what rounding it lost.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let back = sum - a;
    (sum, (a - (sum - back)) + (b - back))
}

fn sum(a: f64, b: f64, round: Round) -> u64 {
    let (nearest, lost) = two_sum(a, b);
    let opposite = a.is_sign_negative() != b.is_sign_negative();
    if nearest == 0.0 && lost == 0.0 && opposite && round == Round::Down {
        return (-0.0f64).to_bits();
    }
    settle(nearest, lost, a.is_finite() && b.is_finite(), round)
}

fn product_sum(a: f64, b: f64, c: f64, round: Round) -> u64 {
    let nearest = a.mul_add(b, c);
    let product = a * b;
    let opposite = product.is_sign_negative() != c.is_sign_negative();
    let lost = a.mul_add(b, -product);
    if nearest == 0.0 && product == -c && lost == 0.0 && opposite && round == Round::Down {
        return (-0.0f64).to_bits();
    }
    let (near, far) = two_sum(product, c);
    let (rest, small) = two_sum(near - nearest, far);
    let (rest, smaller) = two_sum(rest, lost);
    let rest = if rest == 0.0 { small + smaller } else { rest };
    settle(nearest, rest, a.is_finite() && b.is_finite() && c.is_finite(), round)
}

/// The bits of the nearest number or its neighbour. `rest` has the sign of what the exact result has more; an infinite result of
/// `finite` operands has less.
fn settle(nearest: f64, rest: f64, finite: bool, round: Round) -> u64 {
    if nearest.is_nan() {
        return 0x7FF8_0000_0000_0000;
    }
    let rest = if nearest.is_infinite() && finite { -nearest } else { rest };
    let toward_zero = |value: f64, rest: f64| if value > 0.0 { rest < 0.0 } else { value < 0.0 && rest > 0.0 };
    let result = match round {
        Round::Down if rest < 0.0 => nearest.next_down(),
        Round::Up if rest > 0.0 => nearest.next_up(),
        Round::Zero if toward_zero(nearest, rest) && nearest > 0.0 => nearest.next_down(),
        Round::Zero if toward_zero(nearest, rest) => nearest.next_up(),
        _ => nearest,
    };
    result.to_bits()
}

/// An integer as f64.
pub(super) fn of_integer(value: i128, round: Round) -> u64 {
    let nearest = value as f64;
    settle(nearest, (value - nearest as i128) as f64, false, round)
}
