//! Compares in a loop again what was compared before it, where a thread would have to keep more answers than it has registers for truth values.
//!
//! A mask of attention compares a row with a column for every element of a block, and often stands before the loop that selects by it. A thread
//! then has an answer for each element that it holds, 64 or more, and [`PREDICATES`] registers for them. ptxas packs the others into bits, and
//! takes each out again in every iteration, which costs what comparing costs, and registers besides. What is compared are indices: a few numbers and
//! constants, which are there anyway.
//!
//! True for comparisons of integers of at most 32 bits whose two sides are made of ranges and numbers of the block, so that a thread has fewer of
//! them than answers, and for selections in loops that the comparison stands before. Truth values that conditions ask for stay where they are, and
//! those of accesses where they do not wait for each other: see `comparisons_behind_loads`.
//!
//! 1. Find the selections in loops that the comparison is not in.  2. Compare in front of the first of each block, and mark that for code generation,
//!    which would move it before the loop again.

use crate::analysis::AxisFacts;
use crate::attributes::{CONSTANCY, EVERY_ITERATION};
use crate::comparisons_behind_loads;
use crate::convert_to_ttg::require_ttg;
use crate::encodings::distinct_elements_per_thread;
use crate::operations::control::is_loop;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::{Block, Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "repeat-comparisons", summary: "compare again what takes too many truth values until then", run };

/// Registers of a thread that hold a truth value each.
pub(crate) const PREDICATES: i64 = 7;
/// Bits of what is compared: more take two instructions.
const MOST_BITS: u32 = 32;
/// Operations between a comparison and the ranges and numbers that it is made of, at most.
const MOST_STEPS: usize = 16;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        let plans: Vec<Plan<'_>> = function.descendants().into_iter().filter_map(Plan::of).collect();
        plans.into_iter().for_each(Plan::apply);
        let behind_loads: Vec<_> =
            function.descendants().into_iter().filter_map(comparisons_behind_loads::Plan::of).collect();
        behind_loads.into_iter().for_each(comparisons_behind_loads::Plan::apply);
    }
    Ok(())
}

/// A comparison, and the first selection by it of every block in a loop that it stands before.
struct Plan<'c> {
    comparison: Op<'c>,
    places: Vec<(Block<'c>, Op<'c>)>,
}

impl<'c> Plan<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        if op.kind() != OpKind::ArithCmpI || answers(op) <= PREDICATES || !compares_indices(op) {
            return None;
        }
        let mut places: Vec<(Block<'c>, Op<'c>)> = Vec::new();
        for (user, operand) in op.result(0).users() {
            if !is_selection(user, operand) || !is_in_later_loop(user, op) {
                continue;
            }
            let block = user.block()?;
            match places.iter_mut().find(|(known, _)| *known == block) {
                Some((_, first)) if user.is_before_in_block(*first) => *first = user,
                Some(_) => {}
                None => places.push((block, user)),
            }
        }
        (!places.is_empty()).then_some(Self { comparison: op, places })
    }

    fn apply(self) {
        let answers = self.comparison.result(0);
        for (block, first) in self.places {
            let again = self.comparison.clone_op();
            again.set_attr(EVERY_ITERATION, again.context().unit_attr());
            Builder::before(first).place(again);
            answers.replace_uses_if(again.result(0), |user, operand| {
                is_selection(user, operand) && user.block() == Some(block)
            });
        }
        if !answers.has_uses() {
            self.comparison.erase();
        }
    }
}

/// Different answers that a thread has.
pub(crate) fn answers(comparison: Op<'_>) -> i64 {
    let ty = comparison.result(0).ty();
    if !ty.is_tensor() {
        return 1;
    }
    let runs = comparison.attr(CONSTANCY).and_then(|runs| runs.as_ints()).unwrap_or_default();
    // Runs of neighbours that several threads share make this too small, which leaves the comparison alone.
    distinct_elements_per_thread(ty) / runs.iter().product::<i64>().max(1)
}

/// The same of a tensor of truth values before its runs of equal ones are written down.
pub(crate) fn answers_of(mask: Value<'_>, facts: &AxisFacts) -> i64 {
    if !mask.ty().is_tensor() {
        return 1;
    }
    let run = |known: &u64| i64::try_from(*known).unwrap_or(i64::MAX).max(1);
    let runs = facts.get(mask).constancy.iter().map(run).fold(1, i64::saturating_mul);
    (distinct_elements_per_thread(mask.ty()) / runs).max(1)
}

/// `operand` of `user` says which of two values is taken.
fn is_selection(user: Op<'_>, operand: usize) -> bool {
    user.kind() == OpKind::ArithSelect && operand == 0
}

/// A loop runs `user`, and not `op`.
fn is_in_later_loop(user: Op<'_>, op: Op<'_>) -> bool {
    user.ancestors().skip(1).take_while(|around| !around.contains(op)).any(is_loop)
}

/// Both sides are small integers made of ranges and numbers, and a thread has fewer of them than answers.
fn compares_indices(comparison: Op<'_>) -> bool {
    let sides = comparison.operands();
    let numbers: i64 = sides.iter().map(|side| numbers_of(*side)).sum();
    sides.iter().all(|side| side.ty().element_bits() <= MOST_BITS && is_index(*side)) && numbers < answers(comparison)
}

/// Different numbers of a thread: what is replicated over an axis is there once.
fn numbers_of(value: Value<'_>) -> i64 {
    match value.defining_op() {
        Some(op) if op.kind() == OpKind::TtBroadcast => numbers_of(op.operand(0)),
        Some(op) if matches!(op.kind(), OpKind::TtSplat | OpKind::ArithConstant) => 1,
        Some(_) | None => distinct_elements_per_thread(value.ty()),
    }
}

/// A tensor that is computed of ranges, constants, and numbers of the whole block.
fn is_index(value: Value<'_>) -> bool {
    let mut open = vec![value];
    for _ in 0..MOST_STEPS {
        let Some(value) = open.pop() else { return true };
        let Some(op) = value.defining_op() else { return false };
        if matches!(op.kind(), OpKind::TtMakeRange | OpKind::TtSplat | OpKind::ArithConstant) {
            continue;
        }
        let is_passed_on = matches!(
            op.kind(),
            OpKind::TtBroadcast | OpKind::TtExpandDims | OpKind::ArithAddI | OpKind::ArithSubI | OpKind::ArithMulI
        );
        if !is_passed_on {
            return false;
        }
        open.extend(op.operands());
    }
    open.is_empty()
}
