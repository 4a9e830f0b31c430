//! Joins stores to neighbours whose alignment only the run knows, behind a test of it.
//!
//! In `out + row * row_stride + i * stride + k`, for `k` from 0 to 7, nothing says what divides the strides. Each thread stores eight times four bytes, and
//! each of its stores touches the sectors of all others. Where the strides are multiples of four elements they are two accesses of 16 bytes:
//!
//! ```text
//! store(p, a); store(p + 1, b); …     if row * row_stride % 4 == 0 and stride % 4 == 0 { store(p, a b c d); … } else { store(p, a); … }
//! ```
//!
//! True for at least [`LEAST_JOINED`] stores of tensors in one block outside of loops, whose pointers are the same registers plus constants, with
//! the same mask, that fill aligned pieces of 16 bytes, or of 8, if the numbers are as tested ([`Alignment`]). As where the alignment is known, nothing
//! may access memory between them. No loop or reduction may be there either: what is stored would wait in registers meanwhile. A thread holds what
//! they store in [`MOST_REGISTERS`], and a function has [`MOST_BRANCHES`] such branches. Loads stay: lines that one of them brings are in L1 for the
//! others, and with branches around them a convolution of 5 us is 9 % slower
//! ([measurements](../../../docs/measurements.md#neighbours-of-unknown-alignment-are-joined-behind-a-test)).
//!
//! Elements of two stores may have one address in different threads, as those of records that overlap. Where the test holds their constants differ by a
//! multiple of a piece, so the two are not part of one access. Such stores keep their order, or nothing is joined
//! ([`keep_order`]). On the other side of the branch all stores keep their order.
//!
//! 1. Collect accesses ([`Run`]).  2. Say when they are aligned, and what is then joined ([`Branch`]).  3. Write both sides.

use super::address::Address;
use super::alignment::Alignment;
use super::{MOST_ACCESSES, MOST_BETWEEN, are_alike, is_plain};
use crate::analysis::AxisFacts;
use crate::analysis::axis_flow::unit_of;
use crate::analysis::live_registers::registers;
use crate::attributes::{JOINED, LATE};
use crate::operations::control::is_loop;
use tk_ir::{Block, Builder, Op, OpKind};

/// Bytes of a piece, the widest first.
const SIZES: [i64; 2] = [16, 8];
/// Accesses that fill whole pieces. A branch and the code of both sides have to be worth it.
const LEAST_JOINED: usize = 4;
/// Registers of a thread for what the stores of a branch store.
const MOST_REGISTERS: u32 = 32;
/// Branches of a function.
const MOST_BRANCHES: usize = 4;

/// The branches of a function, in the order of its blocks.
pub(super) fn branches_of<'c>(blocks: &[Block<'c>], facts: &AxisFacts) -> Vec<Branch<'c>> {
    let is_in_loop = |block: Block<'c>| block.parent_op().is_none_or(|op| op.ancestors().any(is_loop));
    let blocks = blocks.iter().copied().filter(|block| !is_in_loop(*block));
    let runs = blocks.flat_map(|block| runs_of(block, facts));
    runs.filter_map(|run| Branch::of(run, facts)).take(MOST_BRANCHES).collect()
}

/// A store of a tensor that is not joined yet.
struct Access<'c> {
    op: Op<'c>,
    address: Address<'c>,
}

impl<'c> Access<'c> {
    fn of(op: Op<'c>, facts: &AxisFacts) -> Option<Self> {
        let stays = || op.attr(JOINED).is_some() || op.attr(LATE).is_some();
        if op.kind() != OpKind::TtStore || !is_plain(op) || !op.operand(0).ty().is_tensor() || stays() {
            return None;
        }
        Some(Self { op, address: Address::of(op.operand(0), facts)? })
    }

    /// The other one differs by a constant.
    fn goes_with(&self, other: &Self) -> bool {
        are_alike(self.op, other.op) && self.address.has_terms_of(&other.address)
    }

    /// What it stores, in registers of a thread.
    fn registers(&self) -> u32 {
        registers(self.op.operand(1).ty())
    }
}

/// Stores that can be made together, in the order of the block.
struct Run<'c> {
    accesses: Vec<Access<'c>>,
}

fn runs_of<'c>(block: Block<'c>, facts: &AxisFacts) -> Vec<Run<'c>> {
    let accesses = block.ops().into_iter().filter_map(|op| Access::of(op, facts)).take(MOST_ACCESSES);
    let mut rest: Vec<Option<Access<'c>>> = accesses.map(Some).collect();
    let mut runs = Vec::new();
    for at in 0..rest.len() {
        let Some(first) = rest[at].take() else { continue };
        let neighbours = rest[at + 1..].iter().flatten().filter(|other| first.goes_with(other)).count();
        if neighbours + 1 < LEAST_JOINED {
            continue;
        }
        let mut run = Run { accesses: vec![first] };
        run.collect(&mut rest[at + 1..]);
        runs.push(run);
    }
    runs
}

impl<'c> Run<'c> {
    fn first(&self) -> Op<'c> {
        self.accesses[0].op
    }

    /// Takes those of `others`, which stand behind, that can be made with the first.
    fn collect(&mut self, others: &mut [Option<Access<'c>>]) {
        for op in std::iter::successors(self.first().next(), |op| op.next()).take(MOST_BETWEEN) {
            let at = others.iter().position(|other| other.as_ref().is_some_and(|other| other.op == op));
            if let Some(at) = at.filter(|at| others[*at].as_ref().is_some_and(|access| self.goes_with(access))) {
                self.accesses.extend(others[at].take());
            } else if !is_passed(op) {
                break;
            }
        }
    }

    /// Another store can be made with the others.
    fn goes_with(&self, other: &Access<'c>) -> bool {
        let is_there = self.accesses.iter().any(|access| access.address.bytes == other.address.bytes);
        let held: u32 = self.accesses.iter().chain(std::iter::once(other)).map(Access::registers).sum();
        self.accesses[0].goes_with(other) && !is_there && held <= MOST_REGISTERS
    }
}

/// Stores may be moved over `op`.
fn is_passed(op: Op<'_>) -> bool {
    op.is_memory_effect_free() && op.num_regions() == 0 && !op.is_terminator()
}

/// Accesses that are joined where a test holds.
pub(super) struct Branch<'c> {
    run: Run<'c>,
    alignment: Alignment<'c>,
    /// How many bytes each access is behind an aligned piece, the same piece for all.
    places: Vec<i64>,
    /// What is one access where the test holds: accesses by number, in order. Every access is in one of them.
    joined: Vec<Vec<usize>>,
}

impl<'c> Branch<'c> {
    /// `None` where nothing is worth a test.
    fn of(run: Run<'c>, facts: &AxisFacts) -> Option<Self> {
        let pointer = run.first().operand(0);
        let unit = i64::try_from(unit_of(pointer.ty())).ok()?;
        for size in SIZES {
            let Some(alignment) = Alignment::of(pointer, size.unsigned_abs(), facts) else { continue };
            let places = places_of(&run, &alignment);
            if places.iter().any(|place| place.rem_euclid(unit) != 0) {
                continue;
            }
            let joined = joined(&places, unit, size);
            let whole = joined.iter().map(Vec::len).filter(|length| *length as i64 * unit == size).sum::<usize>();
            if whole >= LEAST_JOINED && keep_order(&places, &joined, size) {
                return Some(Self { run, alignment, places, joined });
            }
        }
        None
    }

    /// Writes both sides. Joined accesses have numbers from `number` on; gives the next one.
    pub(super) fn apply(self, number: i32) -> i32 {
        let first = self.run.first();
        let last = self.run.accesses.last().map_or(first, |access| access.op);
        let mut builder = Builder::before(last);
        let Some(condition) = self.alignment.condition(&mut builder) else { return number };
        let branch = builder.if_op(condition, &[], true);
        let Some(otherwise) = branch.else_block() else { return number };
        let next = self.write_joined(branch.then_block(), number);
        let end = Builder::at_end(otherwise, first.loc()).yield_(&[]);
        self.run.accesses.iter().for_each(|access| access.op.move_before(end));
        next
    }

    /// The side on which the test holds; gives the number behind those of its joined accesses.
    fn write_joined(&self, block: Block<'c>, number: i32) -> i32 {
        let mut builder = Builder::at_end(block, self.run.first().loc());
        let mut number = number;
        for members in &self.joined {
            for member in members {
                let copy = builder.place(self.run.accesses[*member].op.clone_op());
                if members.len() > 1 {
                    let plan = copy.context().i32_array(&[number, 1, self.divisor_of(*member)]);
                    copy.set_attr(JOINED, plan);
                }
            }
            number += i32::from(members.len() > 1);
        }
        builder.yield_(&[]);
        number
    }

    /// The power of two that divides all addresses of an access where the test holds.
    fn divisor_of(&self, access: usize) -> i32 {
        1 << self.places[access].trailing_zeros().min(self.alignment.size.trailing_zeros())
    }
}

/// How many bytes each access is behind a multiple of the size, the same multiple for all, if the numbers are as tested.
fn places_of(run: &Run<'_>, alignment: &Alignment<'_>) -> Vec<i64> {
    let first = run.accesses[0].address.bytes;
    let place = |bytes: i64| bytes.wrapping_sub(first).wrapping_add(alignment.missed as i64);
    run.accesses.iter().map(|access| place(access.address.bytes)).collect()
}

/// The widest accesses that elements of `unit` bytes at different places fill, none wider than `size`, and the rest one by one, in the order of the first
/// element of each.
fn joined(places: &[i64], unit: i64, size: i64) -> Vec<Vec<usize>> {
    let mut rest: Vec<usize> = (0..places.len()).collect();
    let mut all = Vec::new();
    let widths = std::iter::successors(Some(size), |width| Some(width / 2)).take_while(|width| *width > unit);
    for width in widths {
        for start in places.iter().filter(|place| place.rem_euclid(width) == 0) {
            let wanted = (0..width / unit).map(|index| start.wrapping_add(index * unit));
            let members: Option<Vec<usize>> =
                wanted.map(|place| rest.iter().copied().find(|access| places[*access] == place)).collect();
            let Some(mut members) = members else { continue };
            rest.retain(|access| !members.contains(access));
            members.sort_unstable();
            all.push(members);
        }
    }
    all.extend(rest.into_iter().map(|access| vec![access]));
    all.sort_unstable_by_key(|members| members[0]);
    all
}

/// Stores that may meet in different threads, a multiple of `size` bytes apart, are still one after the other.
fn keep_order(places: &[i64], joined: &[Vec<usize>], size: i64) -> bool {
    let turn = |store: usize| joined.iter().position(|members| members.contains(&store));
    let meets = |one: usize, other: usize| places[one].rem_euclid(size) == places[other].rem_euclid(size);
    (0..places.len()).all(|other| (0..other).filter(|one| meets(*one, other)).all(|one| turn(one) < turn(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_joined_as_widely_as_they_are_aligned() {
        assert_eq!(joined(&[0, 4, 8, 12, 16, 20], 4, 16), [vec![0, 1, 2, 3], vec![4, 5]]);
        assert_eq!(joined(&[4, 8, 12, 16, -4], 4, 16), [vec![0], vec![1, 2], vec![3], vec![4]]);
        assert_eq!(joined(&[-8, 8, -16, 0], 8, 16), [vec![0, 2], vec![1, 3]]);
        assert_eq!(joined(&[0, 8], 8, 8), [vec![0], vec![1]]);
    }

    #[test]
    fn stores_that_may_meet_keep_their_order() {
        let kept = |places: &[i64]| keep_order(places, &joined(places, 4, 16), 16);
        assert!(kept(&[0, 4, 8, 12, 16, 20, 24, 28]));
        assert!(kept(&[28, 24, 20, 16, 0, 4, 8, 12]));
        assert!(!kept(&[0, 20, 4, 8, 12, 16, 24, 28]), "20 was stored before 4");
    }
}
