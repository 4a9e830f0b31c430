//! Finds accesses to global memory that are neighbours of each other: `x[2 * i]` and `x[2 * i + 1]`, the fields of a record, the window of a stencil.
//!
//! Each of them alone moves an element at a time and leaves gaps, which another one fills. Together they are as wide as what they reach: a
//! record of four numbers is one access of 16 bytes instead of four, each of which touches all the sectors of the records. What two of them read
//! in common is read once.
//!
//! True for loads, and for stores, of one block whose pointers have the same terms and constants less than 16 bytes apart, with the same mask, where
//! the address is known to be aligned to more than an element. Between loads nothing may write or wait, and between stores nothing may
//! access memory at all; then they are moved to the first, or to the last of them. The pointers of loads are computed earlier for that.
//!
//! Code generation joins what it then finds side by side in the registers of a thread ([`JOINED`]), which it sees for itself, and no stores that may
//! overlap: constants that are found here only say what to look at.
//!
//! Where nothing says how the address is aligned, but numbers of the program decide it, these are tested at run time ([`tested`]).
//!
//! 1. Read pointers as sums ([`Place`]).  2. Collect groups ([`Group`]).  3. Move and mark them.  4. Do the same behind tests for what is left.

mod address;
mod alignment;
mod tested;

use crate::analysis::aligned_runs::AlignedRuns;
use crate::analysis::axis_flow::unit_of;
use crate::analysis::{self, AxisFacts};
use crate::attributes::{JOINED, LAST_USE};
use crate::control_flow::{arithmetic_behind, move_arithmetic};
use crate::convert_to_ttg::require_ttg;
use crate::vectorize_memory::{contiguous_axis, mask_of};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::LoadOp;
use tk_ir::{Block, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "join-accesses", summary: "bring accesses together that are neighbours", run };

/// Bytes of the widest access.
const WIDEST: i64 = 16;
/// Operations behind the first access of a group that are looked at.
const MOST_BETWEEN: usize = 400;
/// Accesses of a block that are looked at.
const MOST_ACCESSES: usize = 512;
/// Operations that compute a pointer and are looked at.
const MOST_STEPS: usize = 256;
/// Terms of a pointer.
const MOST_TERMS: usize = 16;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    let mut groups = 0;
    for function in module.functions() {
        let facts = analysis::axis_info(function);
        let blocks = function.descendants().into_iter().flat_map(|op| op.regions());
        let blocks: Vec<Block<'_>> = blocks.flat_map(|region| region.blocks()).collect();
        for block in &blocks {
            for group in groups_of(*block, &facts) {
                group.apply(groups);
                groups += 1;
            }
        }
        for branch in tested::branches_of(&blocks, &facts) {
            groups = branch.apply(groups);
        }
    }
    Ok(())
}

/// An access that may be part of a wider one.
fn is_plain(op: Op<'_>) -> bool {
    let is_plain = op.kind() == OpKind::TtStore || LoadOp::cast(op).is_some_and(|load| !load.is_volatile());
    is_plain && op.operand(0).ty().is_ptr_like()
}

/// Two accesses are of one kind and type, under one mask, and use the caches in one way.
fn are_alike(one: Op<'_>, other: Op<'_>) -> bool {
    one.kind() == other.kind()
        && one.operand(0).ty() == other.operand(0).ty()
        && mask_of(one) == mask_of(other)
        && ["cache", "evict", "cachePolicy", LAST_USE].iter().all(|name| one.attr(name) == other.attr(name))
}

/// A load or store of elements, and where.
struct Access<'c> {
    op: Op<'c>,
    place: Place<'c>,
    runs: AlignedRuns,
}

impl<'c> Access<'c> {
    /// `None` for what has to stay an access of its own.
    fn of(op: Op<'c>, facts: &AxisFacts) -> Option<Self> {
        if !is_plain(op) {
            return None;
        }
        let pointer = op.operand(0);
        let runs = if pointer.ty().is_tensor() {
            let axis = contiguous_axis(pointer.ty())?;
            let per_thread = pointer.ty().layout()?.contiguous_per_thread(&pointer.ty().shape()).ok()?;
            AlignedRuns::of(pointer, axis, facts).cut(1 << per_thread.get(axis)?.max(&1).ilog2())
        } else {
            AlignedRuns::of(pointer, 0, facts)
        };
        Some(Self { op, place: Place::of(pointer, facts)?, runs })
    }

    fn bytes(&self) -> i64 {
        unit_of(self.op.operand(0).ty()) as i64
    }

    /// The other one may be part of the same access.
    fn is_near(&self, other: &Self) -> bool {
        are_alike(self.op, other.op)
            && self.place.distance(&other.place).is_some_and(|bytes| bytes != 0 && bytes.abs() < WIDEST)
    }
}

/// A pointer as a sum: what its terms are multiplied by, and a number of bytes.
#[derive(Default)]
struct Place<'c> {
    terms: Vec<(Value<'c>, i64)>,
    bytes: i64,
    /// Operations that were looked at: a sum that is added to itself again and again has few terms.
    steps: usize,
}

impl<'c> Place<'c> {
    fn of(pointer: Value<'c>, facts: &AxisFacts) -> Option<Self> {
        let mut place = Self::default();
        place.add(pointer, 1, facts)?;
        Some(place)
    }

    fn add(&mut self, value: Value<'c>, factor: i64, facts: &AxisFacts) -> Option<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return None;
        }
        if let Some(constant) = facts.get(value).constant.filter(|_| !value.ty().is_ptr_like()) {
            self.bytes = self.bytes.checked_add(constant.checked_mul(factor)?)?;
            return Some(());
        }
        let op = value.defining_op();
        let kind = op.map(Op::kind);
        match (kind, op) {
            (Some(OpKind::TtAddPtr), Some(op)) => {
                let bytes = i64::try_from(unit_of(value.ty())).ok()?;
                self.add(op.operand(0), factor, facts)?;
                self.add(op.operand(1), factor.checked_mul(bytes)?, facts)
            }
            (Some(OpKind::ArithAddI), Some(op)) => {
                self.add(op.operand(0), factor, facts)?;
                self.add(op.operand(1), factor, facts)
            }
            (Some(OpKind::ArithMulI), Some(op)) => {
                let constant = |index: usize| facts.get(op.operand(index)).constant;
                match (constant(0), constant(1)) {
                    (_, Some(by)) => self.add(op.operand(0), factor.checked_mul(by)?, facts),
                    (Some(by), None) => self.add(op.operand(1), factor.checked_mul(by)?, facts),
                    (None, None) => self.add_term(value, factor),
                }
            }
            (
                Some(
                    OpKind::TtSplat
                    | OpKind::TtBroadcast
                    | OpKind::TtExpandDims
                    | OpKind::TtgConvertLayout
                    | OpKind::TkHint
                    | OpKind::ArithExtSI,
                ),
                Some(op),
            ) => self.add(op.operand(0), factor, facts),
            (Some(_) | None, _) => self.add_term(value, factor),
        }
    }

    fn add_term(&mut self, value: Value<'c>, factor: i64) -> Option<()> {
        match self.terms.iter_mut().find(|(term, _)| *term == value) {
            Some((_, of)) => *of = of.checked_add(factor)?,
            None => self.terms.push((value, factor)),
        }
        (self.terms.len() <= MOST_TERMS).then_some(())
    }

    /// How many bytes the other one is behind, if only the constants differ.
    fn distance(&self, other: &Self) -> Option<i64> {
        if self.terms == other.terms { other.bytes.checked_sub(self.bytes) } else { None }
    }
}

/// Neighbours, in the order of the block.
struct Group<'c> {
    accesses: Vec<Access<'c>>,
    /// What computes the operands of loads and stands behind the first one.
    moved: Vec<Op<'c>>,
}

fn groups_of<'c>(block: Block<'c>, facts: &AxisFacts) -> Vec<Group<'c>> {
    let accesses = block.ops().into_iter().filter_map(|op| Access::of(op, facts)).take(MOST_ACCESSES);
    let mut rest: Vec<Option<Access<'c>>> = accesses.map(Some).collect();
    let mut groups = Vec::new();
    for at in 0..rest.len() {
        let Some(first) = rest[at].take() else { continue };
        let mut group = Group { accesses: vec![first], moved: Vec::new() };
        group.collect(&mut rest[at + 1..]);
        if group.is_worth_joining() {
            groups.push(group);
        }
    }
    groups
}

impl<'c> Group<'c> {
    /// Takes those of `others`, which stand behind, that may be moved here.
    fn collect(&mut self, others: &mut [Option<Access<'c>>]) {
        let first = self.accesses[0].op;
        let is_load = first.kind() == OpKind::TtLoad;
        let mut next = 0;
        for op in std::iter::successors(first.next(), |op| op.next()).take(MOST_BETWEEN) {
            while others
                .get(next)
                .is_some_and(|other| other.as_ref().is_none_or(|other| other.op.is_before_in_block(op)))
            {
                next += 1;
            }
            let access = others.get_mut(next).filter(|other| other.as_ref().is_some_and(|other| other.op == op));
            let is_near = |other: &mut Access<'c>| self.accesses[0].is_near(other);
            let moved = if is_load { arithmetic_behind(first, op) } else { Some(Vec::new()) };
            if let Some(moved) = moved
                && let Some(joined) = access.and_then(|other| other.take_if(is_near))
            {
                self.moved.extend(moved);
                self.accesses.push(joined);
            } else if !(op.is_memory_effect_free() || is_load && op.kind() == OpKind::TtLoad) || op.is_terminator() {
                break;
            }
        }
    }

    /// Some of them are side by side, and known to be aligned to more than an element.
    fn is_worth_joining(&self) -> bool {
        let bytes = self.accesses[0].bytes().unsigned_abs();
        let are_aligned = self.accesses.iter().any(|access| access.runs.divisor >= 2 * bytes);
        self.accesses.len() > 1 && are_aligned
    }

    fn apply(self, number: i32) {
        let first = self.accesses[0].op;
        move_arithmetic(self.moved, first);
        let is_load = first.kind() == OpKind::TtLoad;
        let last = self.accesses.last().map_or(first, |access| access.op);
        let mut place = first;
        for access in &self.accesses {
            if !is_load && access.op != last {
                access.op.move_before(last);
            } else if is_load && access.op != first {
                access.op.move_after(place);
                place = access.op;
            }
            let AlignedRuns { length, divisor, .. } = access.runs;
            let known = |known: u64| known.min(1 << 30) as i32;
            let joined = access.op.context().i32_array(&[number, known(length), known(divisor)]);
            access.op.set_attr(JOINED, joined);
        }
    }
}
