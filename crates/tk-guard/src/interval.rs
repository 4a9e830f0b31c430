//! Intervals of integers, and what arithmetic makes of them.
//!
//! Bounds are 128 bits wide, twice as wide as any integer of the language, so that exact results of 64-bit arithmetic are
//! representable; what would pass even that saturates, which only makes an interval wider.

use std::ops::{Add, Mul, Sub};

/// The integers from `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The least integer.
    pub low: i128,
    /// The greatest integer; at least `low`.
    pub high: i128,
}

impl Interval {
    /// The integers between two bounds, in either order.
    pub fn new(a: i128, b: i128) -> Self {
        Self { low: a.min(b), high: a.max(b) }
    }

    /// One integer.
    pub fn of(value: i128) -> Self {
        Self { low: value, high: value }
    }

    /// The smallest interval with both.
    pub fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The integers of both, or this one when they have none in common.
    pub fn meet(self, other: Self) -> Self {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        if low <= high { Self { low, high } } else { self }
    }

    /// Whether every integer of `other` is in this one.
    pub fn contains(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Quotients rounded toward zero. A division by zero has no result, so zero is no divisor; `None` when there is no other.
    pub fn quotient(self, other: Self) -> Option<Self> {
        let part =
            |low: i128, high: i128| (low <= high).then(|| self.corners(Self { low, high }, i128::saturating_div));
        let parts = [part(other.low, other.high.min(-1)), part(other.low.max(1), other.high)];
        parts.into_iter().flatten().reduce(Self::join)
    }

    /// Remainders with the sign of the dividend; `None` when the divisor is zero.
    pub fn remainder(self, other: Self) -> Option<Self> {
        if other == Self::of(0) {
            return None;
        }
        let most = other.low.saturating_abs().max(other.high.saturating_abs()) - 1;
        let has_zero = other.low <= 0 && other.high >= 0;
        let least = if has_zero { 1 } else { other.low.saturating_abs().min(other.high.saturating_abs()) };
        if self.low > -least && self.high < least {
            return Some(self);
        }
        let low = if self.low < 0 { (-most).max(self.low) } else { 0 };
        let high = if self.high > 0 { most.min(self.high) } else { 0 };
        Some(Self { low, high })
    }

    /// Products with powers of two up to the 63rd.
    pub fn shifted_left(self, by: Self) -> Option<Self> {
        (by.low >= 0 && by.high < 64).then(|| self * Self::new(1 << by.low, 1 << by.high))
    }

    /// Arithmetic shifts to the right.
    pub fn shifted_right(self, by: Self) -> Option<Self> {
        (by.low >= 0 && by.high < 64).then(|| self.corners(by, |value, by| value >> by))
    }

    /// The smaller of one of each.
    pub fn min(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.min(other.high) }
    }

    /// The greater of one of each.
    pub fn max(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    /// What a function that is monotone in each argument gives at the corners.
    fn corners(self, other: Self, f: impl Fn(i128, i128) -> i128) -> Self {
        let all = [f(self.low, other.low), f(self.low, other.high), f(self.high, other.low), f(self.high, other.high)];
        all.into_iter().map(Self::of).reduce(Self::join).unwrap_or(self)
    }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { low: self.low.saturating_add(other.low), high: self.high.saturating_add(other.high) }
    }
}

impl Sub for Interval {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { low: self.low.saturating_sub(other.high), high: self.high.saturating_sub(other.low) }
    }
}

impl Mul for Interval {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.corners(other, i128::saturating_mul)
    }
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.low == self.high { write!(f, "{}", self.low) } else { write!(f, "{} to {}", self.low, self.high) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation against all pairs of small integers.
    #[test]
    fn results_hold_for_every_pair_of_members() {
        let all: Vec<Interval> = (-5i128..6).flat_map(|low| (low..6).map(move |high| Interval { low, high })).collect();
        for a in &all {
            for b in &all {
                for x in a.low..=a.high {
                    for y in b.low..=b.high {
                        let inside = |range: Interval, value: i128| {
                            assert!(range.low <= value && value <= range.high, "{a} {b}: {value} not in {range}");
                        };
                        inside(*a + *b, x + y);
                        inside(*a - *b, x - y);
                        inside(*a * *b, x * y);
                        inside(a.min(*b), x.min(y));
                        inside(a.max(*b), x.max(y));
                        if let Some(range) = a.quotient(*b).filter(|_| y != 0) {
                            inside(range, x / y);
                        }
                        if let Some(range) = a.remainder(*b).filter(|_| y != 0) {
                            inside(range, x % y);
                        }
                        if let Some(range) = a.shifted_left(*b) {
                            inside(range, x << y);
                        }
                        if let Some(range) = a.shifted_right(*b) {
                            inside(range, x >> y);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn huge_bounds_saturate() {
        let huge = Interval { low: i128::MIN, high: i128::MAX };
        assert_eq!(huge * huge, huge);
        assert_eq!(huge + huge, huge);
    }
}
