//! Branches around the masks of blocks that are whole, in loops with products.
//!
//! Attention masks scores beyond the end of the keys, and in causal attention those of later keys than the row: a comparison and a choice for each score of
//! a thread, in every iteration. They change something in the last block of keys, or in those on the diagonal. Everywhere else one comparison of
//! two numbers says that the whole block is inside:
//!
//! ```text
//! s = dot(q, k)                               s = dot(q, k)
//! s = select(row >= start + range, s, c)  →   if first row < start + last { s = select(row >= start + range, s, c) }
//! ```
//!
//! True for choices between blocks in the body of a loop with products, where
//!
//! - the mask is a conjunction of comparisons between sums of numbers and ranges ([`Part`]), some of which are computed in the loop,
//! - no function is computed between the product and the choice: comparisons and choices fill the time that its unit takes, as beside a score with a limit,
//! - a thread chooses many elements ([`FEWEST_ELEMENTS`]), and nothing else asks for the answers: they are computed in the branch alone, and
//! - the loop starts at a constant, or at the greater of two places, as one over a window does: one that starts at a row of the program is one over the blocks of
//!   the diagonal, each of which has masked elements.
//!
//! The only program of a launch has few blocks, and they are seldom whole. All else that becomes of a loop is decided before: nothing moves over a branch
//! (docs/measurements.md, "Whole blocks of keys skip their masks").
//!
//! 1. Find the choices and read their masks.  2. Those whose answers nobody else asks for.  3. Write the branches, with the comparisons in them.

use crate::analysis::{self, AxisFacts};
use crate::cloning::{Mapping, copy_op};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::encodings::distinct_elements_per_thread;
use crate::masked_values::parts_of;
use crate::operations::computations::{Computation, computation};
use crate::operations::is_dot;
use crate::widen_whole_blocks::{Difference, Part, without_views};
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::ForOp;
use tk_ir::{Builder, Module, Op, OpKind, Value};
use tk_types::Residency;

/// The pass.
pub const PASS: Pass =
    Pass { name: "skip-masks", summary: "branch around the masks of whole blocks beside products", run };

/// Elements of a thread for which a branch pays: it takes about four instructions itself, and a choice takes one or two for each element.
const FEWEST_ELEMENTS: i64 = 8;
/// Comparisons of a mask.
const MOST_PARTS: usize = 4;
/// Operations that a mask is computed by in the loop.
const MOST_OPERATIONS: usize = 32;
/// Operations that the start of a loop is computed by, of which one may be a maximum.
const MOST_STEPS: usize = 16;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    require_ttg(module)?;
    if cx.options.residency == Residency::One {
        return Ok(());
    }
    for function in module.functions() {
        let loops: Vec<ForOp<'_>> = loops_of(function).filter(|view| may_have_whole_blocks(*view)).collect();
        if loops.is_empty() {
            continue;
        }
        let facts = analysis::axis_info(function);
        let plans: Vec<Vec<Choice<'_, '_>>> = loops.into_iter().map(|view| choices_of(view, &facts)).collect();
        for choices in plans {
            let computed: Vec<Op<'_>> = choices.iter().flat_map(|choice| choice.computed.iter().copied()).collect();
            choices.into_iter().for_each(Choice::apply);
            erase_unused(computed);
        }
    }
    Ok(())
}

/// The loop multiplies, and starts at a constant, or at the greater of two places, as one over a window does.
fn may_have_whole_blocks(view: ForOp<'_>) -> bool {
    let first = view.lower_bound();
    (first.constant_int().is_some() || is_of_maximum(first)) && view.body().ops().into_iter().any(is_dot)
}

/// The number is computed from the greater of two.
fn is_of_maximum(number: Value<'_>) -> bool {
    let mut pending = vec![number];
    for _ in 0..MOST_STEPS {
        let Some(value) = pending.pop() else { return false };
        let Some(op) = value.defining_op() else { continue };
        if op.kind() == OpKind::ArithMaxSI {
            return true;
        }
        match computation(op.kind()) {
            Computation::Arithmetic | Computation::Cast | Computation::Repeat => pending.extend(op.operands()),
            Computation::Constant
            | Computation::Range
            | Computation::Function
            | Computation::Load
            | Computation::Reduction
            | Computation::Other => {}
        }
    }
    false
}

/// A choice by a mask, in the body of a loop.
struct Choice<'c, 'f> {
    select: Op<'c>,
    parts: Vec<Part<'c, 'f>>,
    /// What the mask is computed by in the loop, in order.
    computed: Vec<Op<'c>>,
}

/// The choices of a loop whose answers nobody else asks for.
fn choices_of<'c, 'f>(view: ForOp<'c>, facts: &'f AxisFacts) -> Vec<Choice<'c, 'f>> {
    let selects = view.body().ops().into_iter().filter(|op| op.kind() == OpKind::ArithSelect);
    let mut choices: Vec<Choice<'c, 'f>> = selects.filter_map(|op| Choice::of(op, view, facts)).collect();
    // Without one of them the answers of others may be asked for elsewhere.
    loop {
        let own: FxHashSet<usize> = choices
            .iter()
            .flat_map(|choice| choice.computed.iter().chain([&choice.select]))
            .map(|op| op.id())
            .collect();
        let before = choices.len();
        choices.retain(|choice| choice.answers_are_within(&own));
        if choices.len() == before {
            return choices;
        }
    }
}

impl<'c, 'f> Choice<'c, 'f> {
    fn of(select: Op<'c>, view: ForOp<'c>, facts: &'f AxisFacts) -> Option<Self> {
        let mask = select.operand(0);
        if !mask.ty().is_tensor()
            || distinct_elements_per_thread(select.result(0).ty()) < FEWEST_ELEMENTS
            || !is_simply_computed(select.operand(1), view)
        {
            return None;
        }
        let computed = computed_in(view, mask)?;
        let comparisons = parts_of(mask).into_iter().flat_map(|part| parts_of(without_views(part))).map(without_views);
        let comparisons: Vec<Value<'c>> = comparisons.collect();
        let is_in_loop = |part: &Value<'c>| part.defining_op().is_some_and(|op| computed.contains(&op));
        if comparisons.len() > MOST_PARTS || !comparisons.iter().any(is_in_loop) {
            return None;
        }
        let parts: Vec<Part<'c, 'f>> =
            comparisons.into_iter().map(|part| Part::of(part, facts)).collect::<Option<_>>()?;
        let differ = parts.iter().all(|part| part.difference() != Difference::Nothing);
        differ.then_some(Self { select, parts, computed })
    }

    /// All that asks for truth values of the mask is among `own`.
    fn answers_are_within(&self, own: &FxHashSet<usize>) -> bool {
        let answers = self.computed.iter().flat_map(|op| op.results()).filter(|value| value.ty().element_bits() == 1);
        let mut users = answers.flat_map(Value::users);
        users.all(|(user, _)| own.contains(&user.id()))
    }

    fn apply(self) {
        let Self { select, parts, computed } = self;
        let mut builder = Builder::before(select).with_location(select.loc());
        let conditions: Option<Vec<Vec<Value<'c>>>> = parts.iter().map(|part| part.conditions(&mut builder)).collect();
        let conditions = conditions.unwrap_or_default().into_iter().flatten();
        let Some(is_whole) = conditions.reduce(|all, one| builder.binary(OpKind::ArithAndI, all, one)) else { return };
        let branch = builder.if_op(is_whole, &[select.result(0).ty()], true);
        Builder::at_end(branch.then_block(), select.loc()).yield_(&[select.operand(1)]);
        let Some(masked) = branch.else_block() else { return };
        let mut builder = Builder::at_end(masked, select.loc());
        let mut mapping = Mapping::default();
        computed.iter().chain([&select]).for_each(|op| {
            copy_op(*op, &mut builder, &mut mapping, |location| location);
        });
        builder.yield_(&[mapping.get(select.result(0))]);
        select.result(0).replace_all_uses_with(branch.op.result(0));
        select.erase();
    }
}

/// No function is computed between the products of the iteration and `value`.
fn is_simply_computed(value: Value<'_>, view: ForOp<'_>) -> bool {
    let (mut pending, mut seen) = (vec![value], FxHashSet::default());
    while let Some(value) = pending.pop() {
        let op = value.defining_op().filter(|op| op.block() == Some(view.body()) && value.ty().is_tensor());
        let Some(op) = op.filter(|op| seen.insert(op.id())) else { continue };
        if seen.len() > MOST_OPERATIONS {
            return false;
        }
        match computation(op.kind()) {
            Computation::Function if !matches!(op.kind(), OpKind::MathFma | OpKind::MathAbsF) => return false,
            Computation::Function | Computation::Repeat | Computation::Arithmetic | Computation::Cast => {
                pending.extend(op.operands());
            }
            Computation::Constant | Computation::Range | Computation::Load | Computation::Reduction => {}
            // Layouts and shapes; products are where the search ends.
            Computation::Other if op.is_pure() && !is_dot(op) => pending.extend(op.operands()),
            Computation::Other => {}
        }
    }
    true
}

/// The arithmetic on blocks in the body of the loop that `mask` is computed by, in order; `None` where it is something else, or much.
fn computed_in<'c>(view: ForOp<'c>, mask: Value<'c>) -> Option<Vec<Op<'c>>> {
    let mut pending = vec![mask];
    let mut found: Vec<Op<'c>> = Vec::new();
    while let Some(value) = pending.pop() {
        let Some(op) = value.defining_op().filter(|op| op.block() == Some(view.body())) else { continue };
        if !value.ty().is_tensor() || found.contains(&op) {
            continue;
        }
        let is_integer = value.ty().element().int_bits().is_some() && op.kind() != OpKind::ArithSelect;
        if !is_integer || !op.is_pure() || !op.regions().is_empty() || found.len() >= MOST_OPERATIONS {
            return None;
        }
        found.push(op);
        pending.extend(op.operands());
    }
    let all = view.body().ops();
    Some(all.into_iter().filter(|op| found.contains(op)).collect())
}

/// Erases what nobody asks for any more, the last first.
fn erase_unused(mut ops: Vec<Op<'_>>) {
    let mut seen = FxHashSet::default();
    ops.retain(|op| seen.insert(op.id()));
    while let Some(at) = ops.iter().position(|op| !op.results().into_iter().any(Value::has_uses)) {
        ops.swap_remove(at).erase();
    }
}
