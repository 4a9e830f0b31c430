//! Between which signed numbers a computed integer lies, and offsets of pointers that keep their constants apart because of it.
//!
//! A thread that copies rows `n`, `n + 8`, `n + 16` of a block with rows of 1536 elements has offsets of 32 bits that differ by 12288. In 64 bits the
//! sum is widened as a whole, since it may wrap around: an addition, a product and a pair of registers for each row. Where it cannot wrap around,
//! the widened sum is the widened rest and the constant, and the constant goes into the instruction that accesses memory: the rows have one address.
//!
//! What is known: numbers of threads, program ids along y and z, counters of loops between known numbers, remainders, and what is computed from these.
//! A sum with a program id along x that is scaled, with a parameter or with a loaded number may wrap around, and stays as it is. Kernels with `wgmma` ask for
//! it: elsewhere loads that wait for one address were not faster (docs/measurements.md, "Offsets that cannot wrap around keep their constants").

use super::Code;
use super::node::{IntTest, Key, Opcode, mask};
use super::reg::{NO_NODE, Reg, Ty};
use rustc_hash::FxHashMap;

/// Operations behind each other that are looked through.
const DEEPEST: u32 = 48;

/// Bytes from an address that an access reaches by itself: its instruction has 24 bits for them, with a sign.
const REACHED: i64 = 1 << 23;

/// Both ends are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    least: i64,
    most: i64,
}

/// What is known of nodes, by their numbers.
#[derive(Default)]
pub(super) struct Ranges {
    /// From outside of the computation.
    told: FxHashMap<u32, Range>,
    found: FxHashMap<u32, Range>,
}

impl Range {
    fn new(least: i64, most: i64) -> Option<Self> {
        (least <= most).then_some(Self { least, most })
    }

    /// All signed numbers of so many bits.
    fn of_bits(bits: u32) -> Self {
        let most = i64::MAX >> 64_u32.saturating_sub(bits).min(63);
        Self { least: -most - 1, most }
    }

    /// That of a constant, whose bits are the arguments of its node.
    fn of_constant(key: Key) -> Self {
        let [low, high, ..] = key.args;
        let number = (i64::from(high) << 32) | i64::from(low);
        Self { least: number, most: number }
    }

    fn is_natural(self) -> bool {
        self.least >= 0
    }

    /// The number, where there is one.
    fn number(self) -> Option<i64> {
        (self.least == self.most).then_some(self.least)
    }

    fn is_within(self, other: Self) -> bool {
        self.least >= other.least && self.most <= other.most
    }

    /// What is in both.
    fn narrowed(self, other: Self) -> Option<Self> {
        Self::new(self.least.max(other.least), self.most.min(other.most))
    }

    fn joined(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    fn plus(self, other: Self) -> Option<Self> {
        Self::new(self.least.checked_add(other.least)?, self.most.checked_add(other.most)?)
    }

    fn minus(self, other: Self) -> Option<Self> {
        Self::new(self.least.checked_sub(other.most)?, self.most.checked_sub(other.least)?)
    }

    fn times(self, other: Self) -> Option<Self> {
        let [a, b, c, d] =
            [(self.least, other.least), (self.least, other.most), (self.most, other.least), (self.most, other.most)]
                .map(|(left, right)| left.checked_mul(right));
        let corners = [a?, b?, c?, d?];
        Self::new(corners.into_iter().min()?, corners.into_iter().max()?)
    }

    fn shifted_right(self, amount: i64) -> Option<Self> {
        let amount = u32::try_from(amount).ok()?;
        Self::new(self.least.checked_shr(amount)?, self.most.checked_shr(amount)?)
    }

    /// The quotient by numbers above zero, rounded to zero.
    fn quotient(self, by: Self) -> Option<Self> {
        if by.least <= 0 {
            return None;
        }
        let by_number = by.number().filter(|_| !self.is_natural());
        match by_number {
            Some(number) => Self::new(self.least / number, self.most / number),
            None if self.is_natural() => Self::new(self.least / by.most, self.most / by.least),
            None => None,
        }
    }

    /// The remainder of signed numbers by numbers above zero, with the sign of what is divided.
    fn signed_rest(self, by: Self) -> Option<Self> {
        let most = by.most.checked_sub(1).filter(|_| by.least > 0)?;
        Self::new(self.least.clamp(-most, 0), self.most.clamp(0, most))
    }

    /// The remainder of unsigned numbers; what is negative as a signed one is a large one.
    fn unsigned_rest(self, by: Self) -> Option<Self> {
        let most = by.most.checked_sub(1).filter(|_| by.least > 0)?;
        Self::new(0, if self.is_natural() { self.most.min(most) } else { most })
    }
}

impl Code<'_> {
    /// The same computed value, now known to lie between two numbers; both are possible.
    pub(crate) fn assume_between(&mut self, a: Reg, least: i64, most: i64) {
        if let Some(range) = Range::new(least, most).filter(|_| a.node != NO_NODE && a.offset == 0) {
            self.ranges.told.insert(a.node, range);
        }
    }

    /// Says that `counter` goes from `lower` to before `upper` in steps, compared as signed numbers, where the step after the last one does not wrap around.
    pub(crate) fn assume_counts(&mut self, counter: Reg, lower: Reg, upper: Reg, step: Reg) {
        let Some(step) = step.constant().filter(|step| *step > 0) else { return };
        let (lower, upper) = (self.range(lower), self.range(upper));
        let last = upper.most.saturating_sub(1);
        let ends = last.checked_add(step).is_some_and(|next| next <= Range::of_bits(counter.ty.bits()).most);
        if ends {
            self.assume_between(counter, lower.least, last.max(lower.least));
        }
    }

    /// An offset of a pointer to elements of so many bytes in 64 bits, with the constant apart where that is the same number and accesses reach it.
    pub(crate) fn widened_offset(&mut self, offset: Reg, bytes: i64) -> Reg {
        let is_near = offset.offset.checked_mul(bytes).is_some_and(|reach| reach.abs() < REACHED);
        let has_constant = offset.node != NO_NODE && offset.offset != 0;
        if has_constant && is_near && self.never_wraps(offset) {
            let rest = self.sext(offset.base(), Ty::I64);
            return rest.with_offset(rest.offset.wrapping_add(offset.offset));
        }
        self.sext(offset, Ty::I64)
    }

    /// The sum of the computed part and the constant is the same as in more bits.
    fn never_wraps(&mut self, sum: Reg) -> bool {
        let constant = Range { least: sum.offset, most: sum.offset };
        let all = Range::of_bits(sum.ty.bits());
        self.range_of(sum.node, 0).plus(constant).is_some_and(|exact| exact.is_within(all))
    }

    fn range(&mut self, reg: Reg) -> Range {
        let all = Range::of_bits(reg.ty.bits());
        let constant = Range { least: reg.offset, most: reg.offset };
        if reg.node == NO_NODE {
            return constant;
        }
        self.range_of(reg.node, 0).plus(constant).filter(|exact| exact.is_within(all)).unwrap_or(all)
    }

    fn range_of(&mut self, node: u32, depth: u32) -> Range {
        if let Some(known) = self.ranges.told.get(&node).or_else(|| self.ranges.found.get(&node)) {
            return *known;
        }
        let of_bits = self.range_of_bits(node);
        if depth > DEEPEST {
            return of_bits;
        }
        let key = self.nodes[node as usize].key;
        let all = Range::of_bits(key.ty.bits());
        let computed = self.computed_range(key, depth + 1).filter(|exact| exact.is_within(all));
        let range = computed.and_then(|computed| computed.narrowed(of_bits)).unwrap_or(of_bits);
        self.ranges.found.insert(node, range);
        range
    }

    /// What the bits that are known to be zero say.
    fn range_of_bits(&self, node: u32) -> Range {
        let node = &self.nodes[node as usize];
        let possible = !node.zeros & mask(node.key.ty);
        let all = Range::of_bits(node.key.ty.bits());
        match i64::try_from(possible) {
            Ok(most) if most <= all.most => Range { least: 0, most },
            Ok(_) | Err(_) => all,
        }
    }

    /// What an operation gives without wrapping around; `None` where that is not known.
    fn computed_range(&mut self, key: Key, depth: u32) -> Option<Range> {
        let [first, second, third, _] = key.args;
        if !key.ty.is_int() {
            return None;
        }
        match key.opcode {
            Opcode::Const => Some(Range::of_constant(key)),
            Opcode::SExt => Some(self.range_of(first, depth)),
            Opcode::ZExt => Some(self.range_of(first, depth)).filter(|range| range.is_natural()),
            Opcode::Select => {
                let (left, right) = (self.range_of(second, depth), self.range_of(third, depth));
                Some(self.extreme(first, [second, third], left, right).unwrap_or_else(|| left.joined(right)))
            }
            Opcode::Add
            | Opcode::Sub
            | Opcode::Mul
            | Opcode::Shl
            | Opcode::LShr
            | Opcode::AShr
            | Opcode::UDiv
            | Opcode::SDiv
            | Opcode::URem
            | Opcode::SRem => {
                let (left, right) = (self.range_of(first, depth), self.range_of(second, depth));
                combined(key.opcode, left, right)
            }
            _ => None,
        }
    }

    /// The range of `condition ? first : second`, where that is the lesser or the greater one of both.
    fn extreme(&self, condition: u32, sides: [u32; 2], first: Range, second: Range) -> Option<Range> {
        let key = self.nodes[condition as usize].key;
        let [left, right, ..] = key.args;
        let is_turned = [right, left] == sides;
        if !is_turned && [left, right] != sides {
            return None;
        }
        let is_lesser = match key.opcode {
            Opcode::ICmp(IntTest::Slt | IntTest::Sle) => !is_turned,
            Opcode::ICmp(IntTest::Sgt | IntTest::Sge) => is_turned,
            _ => return None,
        };
        let of = |choose: fn(i64, i64) -> i64| Range {
            least: choose(first.least, second.least),
            most: choose(first.most, second.most),
        };
        Some(if is_lesser { of(i64::min) } else { of(i64::max) })
    }
}

/// What an operation of two integers gives without wrapping around.
fn combined(opcode: Opcode, left: Range, right: Range) -> Option<Range> {
    match opcode {
        Opcode::Add => left.plus(right),
        Opcode::Sub => left.minus(right),
        Opcode::Mul => left.times(right),
        Opcode::Shl => {
            let factor = right.number().filter(|amount| (0..32).contains(amount)).map(|amount| 1 << amount)?;
            left.times(Range { least: factor, most: factor })
        }
        Opcode::AShr => left.shifted_right(right.number()?),
        Opcode::LShr => left.shifted_right(right.number()?).filter(|_| left.is_natural()),
        Opcode::SDiv => left.quotient(right),
        Opcode::UDiv => left.quotient(right).filter(|_| left.is_natural()),
        Opcode::SRem => left.signed_rest(right),
        Opcode::URem => left.unsigned_rest(right),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Operation = fn(i64, i64) -> Option<i64>;

    const OPERATIONS: [(Opcode, Operation); 10] = [
        (Opcode::Add, |a, b| Some(a + b)),
        (Opcode::Sub, |a, b| Some(a - b)),
        (Opcode::Mul, |a, b| Some(a * b)),
        (Opcode::Shl, |a, b| u32::try_from(b).ok().map(|b| a << b)),
        (Opcode::AShr, |a, b| u32::try_from(b).ok().map(|b| a >> b)),
        (Opcode::LShr, |a, b| Some((a as u32).checked_shr(u32::try_from(b).ok()?)?.into())),
        (Opcode::SDiv, |a, b| a.checked_div(b)),
        (Opcode::UDiv, |a, b| (a as u32).checked_div(b as u32).map(i64::from)),
        (Opcode::SRem, |a, b| a.checked_rem(b)),
        (Opcode::URem, |a, b| (a as u32).checked_rem(b as u32).map(i64::from)),
    ];

    /// What every operation gives for all numbers of small ranges lies in the range of its result.
    #[test]
    fn ranges_hold_all_numbers() {
        let ranges: Vec<Range> = (-5..6).flat_map(|a| (a..6).filter_map(move |b| Range::new(a, b))).collect();
        for (left, right) in ranges.iter().flat_map(|left| ranges.iter().map(move |right| (*left, *right))) {
            for (opcode, run) in OPERATIONS {
                let Some(range) = combined(opcode, left, right) else { continue };
                for (a, b) in (left.least..=left.most).flat_map(|a| (right.least..=right.most).map(move |b| (a, b))) {
                    let holds = |number: i64| (range.least..=range.most).contains(&number);
                    assert!(run(a, b).is_none_or(holds), "{opcode:?} {a} {b} {range:?}");
                }
            }
        }
    }

    #[test]
    fn ranges_are_as_narrow_as_addresses_need_them() {
        let of = |least, most| Range { least, most };
        assert_eq!(combined(Opcode::SRem, Range::of_bits(32), of(1536, 1536)), Some(of(-1535, 1535)));
        assert_eq!(combined(Opcode::SRem, of(0, 7000), of(1536, 1536)), Some(of(0, 1535)));
        assert_eq!(combined(Opcode::URem, Range::of_bits(32), of(8, 8)), Some(of(0, 7)));
        assert_eq!(combined(Opcode::Mul, of(0, 967), of(1536, 1536)), Some(of(0, 1_485_312)));
        assert_eq!(combined(Opcode::SDiv, of(-7, 9), of(2, 2)), Some(of(-3, 4)));
        assert_eq!(combined(Opcode::UDiv, of(0, 9), of(2, 3)), Some(of(0, 4)));
        assert_eq!(combined(Opcode::Mul, Range::of_bits(64), of(2, 2)), None);
        assert_eq!(Range::of_bits(32), of(i32::MIN.into(), i32::MAX.into()));
    }
}
