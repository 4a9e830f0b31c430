//! Compares again for accesses that wait for earlier ones with the same mask, in straight code.
//!
//! A thread that loads eight bytes, each under its own mask, has eight answers, and [`PREDICATES`] registers for them. Stores behind the loads
//! ask for the same answers, so that they live over all that is computed between. Then ptxas issues the loads that it has registers for, and each
//! of the others waits until one is free. What waits for a load compares again: `start + range < limit` by the distance of the limit from the
//! start, which costs an instruction for each answer and neither LLVM nor ptxas finds to be the same.
//!
//! True for masks that only accesses ask for, in a block that no loop runs. Accesses that wait for no load have their first comparison: ptxas issues
//! them together, and other comparisons between would keep them apart. Few operations between a load and what waits for it are not worth it.
//!
//! 1. Find accesses that depend on a masked load, and group them: what depends on a load of the last group begins another one.  2. Each group has its
//!    comparison in front of its first access, with its number.

use crate::attributes::{AGAIN, DISTANCE};
use crate::operations::computations::computation;
use crate::operations::control::{Control, control};
use crate::repeat_comparisons::{PREDICATES, answers};
use crate::vectorize_memory::mask_of;
use rustc_hash::FxHashMap;
use tk_ir::ops::CmpI;
use tk_ir::{Builder, Op, OpKind, Value};

/// Operations on each element, from which on a mask lives long.
const LEAST_COMPUTED: usize = 16;
/// Waits for loads, from which on a mask lives long whatever is computed.
const LEAST_WAITS: usize = 2;
/// Groups of accesses with a comparison of their own; later ones have that of the last.
const MOST_GROUPS: usize = 4;
/// Operations that a place is the sum of, at most.
const MOST_STEPS: usize = 8;

/// A comparison, and the groups of accesses that it is done again for.
pub(crate) struct Plan<'c> {
    comparison: Op<'c>,
    groups: Vec<Vec<Op<'c>>>,
}

impl<'c> Plan<'c> {
    pub(crate) fn of(op: Op<'c>) -> Option<Self> {
        if op.kind() != OpKind::ArithCmpI || answers(op) <= PREDICATES || !is_place_beside_limit(op) {
            return None;
        }
        if op.attr(AGAIN).is_some() {
            return None;
        }
        let block = op.block()?;
        let mask = op.result(0);
        let is_straight = block.parent_op()?.kind() == OpKind::TtFunc;
        let is_access = |user: Op<'c>| user.block() == Some(block) && mask_of(user) == Some(mask);
        if !is_straight || !mask.users().iter().all(|(user, _)| is_access(*user)) {
            return None;
        }
        let mut waits = Waits::default();
        let mut groups: Vec<Vec<Op<'c>>> = vec![Vec::new(); MOST_GROUPS];
        let behind = std::iter::successors(op.next(), |op| op.next());
        for op in behind.take_while(|op| !op.is_terminator()) {
            if control(op.kind()) != Control::Plain {
                return None;
            }
            let is_masked = mask_of(op) == Some(mask);
            if let Some(group) = waits.pass(op, is_masked).filter(|_| is_masked) {
                groups[group.min(MOST_GROUPS) - 1].push(op);
            }
        }
        groups.retain(|group| !group.is_empty());
        (!groups.is_empty()).then_some(Self { comparison: op, groups })
    }

    pub(crate) fn apply(self) {
        let mask = self.comparison.result(0);
        for (number, group) in (0..).zip(self.groups) {
            let again = self.comparison.clone_op();
            again.set_attr(DISTANCE, again.context().i32_attr(number));
            Builder::before(group[0]).place(again);
            mask.replace_uses_if(again.result(0), |user, _| group.contains(&user));
        }
    }
}

/// Which loads the operations of a block wait for, one after the other.
#[derive(Default)]
struct Waits {
    /// How many loads that wait for each other a value is computed from.
    known: FxHashMap<usize, usize>,
    /// The most of them until now.
    last: usize,
    /// Operations on each element of what is loaded.
    computed: usize,
}

impl Waits {
    /// Passes an operation, and says which group it belongs to where it waits for loads, and long enough.
    fn pass(&mut self, op: Op<'_>, is_masked: bool) -> Option<usize> {
        let waits = op.operands().into_iter().filter_map(|operand| self.known.get(&operand.id()).copied()).max();
        let waits = waits.unwrap_or(0);
        let is_access = matches!(op.kind(), OpKind::TtLoad | OpKind::TtStore | OpKind::TtAtomicRmw);
        let is_access = is_access && (is_masked || waits > 0);
        if is_access && waits > 0 {
            self.last = self.last.max(waits);
        }
        let behind = match (op.kind() == OpKind::TtLoad && is_access, waits) {
            (true, 0) => 1,
            (true, _) => self.last + 1,
            (false, waits) => waits,
        };
        if behind > 0 {
            self.known.extend(op.results().into_iter().map(|result| (result.id(), behind)));
            let is_tensor = op.results().iter().any(|result| result.ty().is_tensor());
            self.computed += usize::from(is_tensor && computation(op.kind()).is_element_by_element());
        }
        let is_late = self.computed >= LEAST_COMPUTED || self.last >= LEAST_WAITS;
        (is_access && waits > 0 && is_late).then_some(self.last)
    }
}

/// Whether a row of places, in 32 bits, is below a number of the block, or not.
fn is_place_beside_limit(comparison: Op<'_>) -> bool {
    let (left, right) = (comparison.operand(0), comparison.operand(1));
    let (place, limit) = match comparison.int_attr("predicate").and_then(CmpI::from_number) {
        Some(CmpI::Slt | CmpI::Sge) => (left, right),
        Some(CmpI::Sgt | CmpI::Sle) => (right, left),
        Some(CmpI::Eq | CmpI::Ne | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge) | None => return false,
    };
    place.ty().element_bits() == 32 && is_splat(limit) && is_row(place)
}

fn is_splat(value: Value<'_>) -> bool {
    value.defining_op().is_some_and(|op| op.kind() == OpKind::TtSplat)
}

/// A range, and what is added to all of it.
fn is_row(mut value: Value<'_>) -> bool {
    for _ in 0..MOST_STEPS {
        let Some(op) = value.defining_op() else { return false };
        if op.kind() != OpKind::ArithAddI {
            return op.kind() == OpKind::TtMakeRange;
        }
        let (left, right) = (op.operand(0), op.operand(1));
        value = if is_splat(left) { right } else { left };
        if !is_splat(left) && !is_splat(right) {
            return false;
        }
    }
    false
}
