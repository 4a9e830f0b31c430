//! Comparisons of integers, and those that need no instruction because of what is known of the bits.
//!
//! Masks compare the places of elements, which are a common start, a part that depends on the thread, and a constant that depends on the
//! register: `i * 64 + row` with `i * 64 + column`. The start falls away where its low bits are zero and the rest fits into them. Then the
//! constants alone decide many registers: of a triangle in a block, what lies far from the diagonal.

use super::int::sign_bit;
use super::node::{IntTest, Opcode, mask};
use super::reg::{NO_NODE, Reg, Ty};
use super::{Code, Comparisons};

/// The last number of comparisons by distance that is another one than those before.
const MOST_NUMBER: u32 = 8;

/// Numbers that an integer can be, none of them negative.
#[derive(Clone, Copy)]
struct Bounds {
    least: u64,
    greatest: u64,
}

impl Code<'_> {
    /// A comparison that stays in the loop that is being written, although it does not change there.
    pub(crate) fn icmp_here(&mut self, test: IntTest, a: Reg, b: Reg) -> Reg {
        self.comparisons = Comparisons::Stay;
        let answer = self.icmp(test, a, b);
        self.comparisons = Comparisons::LeaveLoops;
        answer
    }

    /// A comparison that is computed where it is needed, although the same one was before: LLVM, which would keep the answer, sees another one.
    pub(crate) fn icmp_again(&mut self, test: IntTest, a: Reg, b: Reg) -> Reg {
        let known = self.icmp(test, a, b);
        if a.ty != Ty::I32 || known.constant().is_some() {
            return known;
        }
        let comparison = match test {
            IntTest::Eq => "eq.s32",
            IntTest::Ne => "ne.s32",
            IntTest::Slt => "lt.s32",
            IntTest::Sle => "le.s32",
            IntTest::Sgt => "gt.s32",
            IntTest::Sge => "ge.s32",
            IntTest::Ult => "lt.u32",
            IntTest::Ule => "le.u32",
            IntTest::Ugt => "gt.u32",
            IntTest::Uge => "ge.u32",
        };
        self.pure_asm(&format!("setp.{comparison} $0, $1, $2;"), Ty::BOOL, &[a, b])
    }

    /// A comparison of a place with a limit, of 32 bits, by how far the limit lies above the place. Registers whose constants differ share that
    /// number, and compare it with their constants. Neither LLVM nor ptxas finds that it is the comparison of both, or one with another `number`.
    ///
    /// `place + constant < limit`, where the constant only sets bits that are zero in the place, so that nothing wraps around, is `constant <
    /// max(limit, place) - place` without signs: that difference is a natural number of 32 bits. It may be cut off at anything above the constant,
    /// which makes it another number for each `number`.
    pub(crate) fn icmp_by_distance(&mut self, test: IntTest, a: Reg, b: Reg, number: u32) -> Reg {
        let known = self.icmp(test, a, b);
        let (place, limit, answer) = match test {
            IntTest::Slt => (a, b, IntTest::Ugt),
            IntTest::Sge => (a, b, IntTest::Ule),
            IntTest::Sgt => (b, a, IntTest::Ugt),
            IntTest::Sle => (b, a, IntTest::Ule),
            IntTest::Eq | IntTest::Ne | IntTest::Ult | IntTest::Ule | IntTest::Ugt | IntTest::Uge => return known,
        };
        let most = i64::from(i32::MAX) >> number.min(MOST_NUMBER);
        let is_apart = place.ty == Ty::I32 && place.node != NO_NODE && self.is_union(place);
        if known.constant().is_some() || !is_apart || !(0..most).contains(&place.offset) {
            return known;
        }
        let greater = self.pure_asm("max.s32 $0, $1, $2;", Ty::I32, &[limit, place.base()]);
        let distance = self.sub(greater, place.base());
        let distance = self.pure_asm(&format!("min.u32 $0, $1, {most};"), Ty::I32, &[distance]);
        let constant = self.int(Ty::I32, place.offset);
        self.icmp(answer, distance, constant)
    }

    /// A comparison of integers or pointers.
    pub(crate) fn icmp(&mut self, test: IntTest, a: Reg, b: Reg) -> Reg {
        if a == b {
            return self.bool(matches!(test, IntTest::Eq | IntTest::Sle | IntTest::Sge | IntTest::Ule | IntTest::Uge));
        }
        if let (Some(x), Some(y)) = (a.constant(), b.constant()) {
            let (ux, uy) = (x as u64 & mask(a.ty), y as u64 & mask(a.ty));
            return self.bool(holds(test, (x, y), (ux, uy)));
        }
        if a.node == b.node && matches!(test, IntTest::Eq | IntTest::Ne) {
            return self.bool(test == IntTest::Ne);
        }
        if let Some((a, b)) = self.without_common_start(a, b).or_else(|| self.without_low_bits(test, a, b)) {
            return self.icmp(test, a, b);
        }
        if let (Some(x), Some(y)) = (self.bounds(a), self.bounds(b)) {
            if let Some(answer) = decided(test, x, y) {
                return self.bool(answer);
            }
            // Registers whose constants differ by the same share a comparison.
            let common = a.offset.min(b.offset);
            if common > 0 && a.node != NO_NODE && b.node != NO_NODE {
                let less = |reg: Reg| Reg { offset: reg.offset - common, ..reg };
                return self.icmp(test, less(a), less(b));
            }
        }
        self.compute(Opcode::ICmp(test), Ty::BOOL, &[a, b], 0)
    }

    /// What remains of two sums with a common addend whose low bits are zero, where both rests fit into these bits: then no sum carries, and the
    /// bits above are equal.
    fn without_common_start(&self, a: Reg, b: Reg) -> Option<(Reg, Reg)> {
        if !a.ty.is_int() || a.node == NO_NODE || b.node == NO_NODE {
            return None;
        }
        for (start, a) in self.addends(a) {
            let Some((_, b)) = self.addends(b).into_iter().find(|(other, _)| *other == start) else { continue };
            let low = (self.nodes[start as usize].zeros & mask(a.ty)).trailing_ones();
            let fits = |rest: Reg| self.bounds(rest).is_some_and(|bounds| bounds.greatest < 1u64 << low.min(63));
            if fits(a) && fits(b) {
                return Some((a, b));
            }
        }
        None
    }

    /// A number that lies below a limit without the bits of its constant that neither its computed part nor the limit has: they never take it to the limit. So
    /// registers whose constants differ by them share a comparison.
    fn without_low_bits(&self, test: IntTest, a: Reg, b: Reg) -> Option<(Reg, Reg)> {
        let is_left = match test {
            IntTest::Slt | IntTest::Sge | IntTest::Ult | IntTest::Uge => true,
            IntTest::Sgt | IntTest::Sle | IntTest::Ugt | IntTest::Ule => false,
            IntTest::Eq | IntTest::Ne => return None,
        };
        let (number, limit) = if is_left { (a, b.constant()?) } else { (b, a.constant()?) };
        if !number.ty.is_int() || number.node == NO_NODE {
            return None;
        }
        let zeros = self.nodes[number.node as usize].zeros;
        let low = zeros.trailing_ones().min(limit.trailing_zeros()).min(62);
        let bits = number.offset & ((1 << low) - 1);
        let number = number.with_offset(number.offset - bits);
        let both = if is_left { (number, b) } else { (a, number) };
        (bits != 0).then_some(both)
    }

    /// The ways to see a register as the sum of a node and a rest.
    fn addends(&self, reg: Reg) -> Vec<(u32, Reg)> {
        let key = &self.nodes[reg.node as usize].key;
        let mut ways = vec![(reg.node, Reg { node: NO_NODE, ..reg })];
        if key.opcode == Opcode::Add {
            let [first, second, ..] = key.args;
            ways.extend([(first, Reg { node: second, ..reg }), (second, Reg { node: first, ..reg })]);
        }
        ways
    }

    /// What known-zero bits and the constant say of an integer that is not negative.
    fn bounds(&self, reg: Reg) -> Option<Bounds> {
        if !reg.ty.is_int() || reg.offset < 0 {
            return None;
        }
        let (least, mask) = (reg.offset as u64, mask(reg.ty));
        if reg.node == NO_NODE {
            return Some(Bounds { least, greatest: least });
        }
        let added = (!self.nodes[reg.node as usize].zeros & mask).checked_add(least)?;
        let greatest = added.min(!self.zeros(reg) & mask);
        // A sum that reaches the sign would begin again from the least number.
        (added < sign_bit(reg.ty)).then_some(Bounds { least, greatest })
    }
}

/// The answer where the ranges of both sides have no number in common, or only their ends.
fn decided(test: IntTest, a: Bounds, b: Bounds) -> Option<bool> {
    let (below, not_above) = (a.greatest < b.least, a.greatest <= b.least);
    let (above, not_below) = (a.least > b.greatest, a.least >= b.greatest);
    let answer = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
    match test {
        IntTest::Eq => answer(false, below || above),
        IntTest::Ne => answer(below || above, false),
        IntTest::Slt | IntTest::Ult => answer(below, not_below),
        IntTest::Sle | IntTest::Ule => answer(not_above, above),
        IntTest::Sgt | IntTest::Ugt => answer(above, not_above),
        IntTest::Sge | IntTest::Uge => answer(not_below, below),
    }
}

fn holds(test: IntTest, signed: (i64, i64), unsigned: (u64, u64)) -> bool {
    match test {
        IntTest::Eq => signed.0 == signed.1,
        IntTest::Ne => signed.0 != signed.1,
        IntTest::Slt => signed.0 < signed.1,
        IntTest::Sle => signed.0 <= signed.1,
        IntTest::Sgt => signed.0 > signed.1,
        IntTest::Sge => signed.0 >= signed.1,
        IntTest::Ult => unsigned.0 < unsigned.1,
        IntTest::Ule => unsigned.0 <= unsigned.1,
        IntTest::Ugt => unsigned.0 > unsigned.1,
        IntTest::Uge => unsigned.0 >= unsigned.1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TESTS: [IntTest; 10] = [
        IntTest::Eq,
        IntTest::Ne,
        IntTest::Slt,
        IntTest::Sle,
        IntTest::Sgt,
        IntTest::Sge,
        IntTest::Ult,
        IntTest::Ule,
        IntTest::Ugt,
        IntTest::Uge,
    ];

    /// Every pair of ranges below 5: what is decided holds for all their numbers, and what all numbers agree on is decided.
    #[test]
    fn ranges_decide_what_all_their_numbers_agree_on() {
        let ranges = || (0..5u64).flat_map(|least| (least..5).map(move |greatest| Bounds { least, greatest }));
        for (a, b) in ranges().flat_map(|a| ranges().map(move |b| (a, b))) {
            for test in TESTS {
                let numbers = (a.least..=a.greatest).flat_map(|x| (b.least..=b.greatest).map(move |y| (x, y)));
                let mut answers: Vec<bool> = numbers.map(|(x, y)| holds(test, (x as i64, y as i64), (x, y))).collect();
                answers.dedup();
                let is_one = a.least == a.greatest && b.least == b.greatest;
                match (&answers[..], decided(test, a, b)) {
                    ([agreed], Some(answer)) => assert_eq!(*agreed, answer),
                    // Equal numbers are constants, which are compared before.
                    ([_], None) => assert!(is_one && matches!(test, IntTest::Eq | IntTest::Ne)),
                    (_, answer) => assert_eq!(answer, None),
                }
            }
        }
    }
}
