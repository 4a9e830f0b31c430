//! Conversions in branches that few iterations of a loop take: a state that is stored in the last one, a block that is written in the first.
//!
//! What is made again in front of such a branch is made in every iteration, and its registers are held up to the branch; the conversion runs in the
//! branch alone. So what is made in the loop, but not in the branch, counts for at least twice as often as the conversion runs. Only blocks count so: a row
//! is few registers, and a barrier costs more than to compute it again.
//!
//! Where such a conversion stays, and what it converts was made in another layout for another conversion, it converts that ([`convert_what_is_made`]):
//! nothing is computed in the layout that it had before for the branch alone.
//!
//! A branch that may run in most iterations, or in all of them, is no such branch: a flag, a number that was loaded, what is less than a size. Nor is
//! one whose other side converts to the layout, too, since one of both runs in each iteration.

use super::backward::{LayoutSlice, OperandLayout};
use super::made::Made;
use super::price::is_block;
use crate::analysis::iterations::most_iterations;
use crate::encodings;
use crate::operations::control::is_loop;
use crate::operations::layouts::LayoutRule;
use tk_ir::ops::arith::CmpIOp;
use tk_ir::ops::{CmpI, ForOp, IfOp};
use tk_ir::{Attribute, Block, Builder, Op, OpKind, Value};

/// How many times as often values of a slice are made as the conversion runs, as far as branches say: what loops say is counted elsewhere.
pub(super) struct Frequencies<'c> {
    branch: Option<SeldomBranch<'c>>,
}

/// A branch of a loop that few iterations take.
#[derive(Clone, Copy)]
struct SeldomBranch<'c> {
    view: ForOp<'c>,
    branch: Op<'c>,
}

/// What a condition must be for a side of a branch to run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    True,
    False,
}

/// How often what stands in front of the branch runs for each time that the branch does: twice at least, however few iterations the loop has.
const IN_FRONT: u64 = 2;

/// Operations of a condition that are looked at.
const MOST_OPERATIONS: usize = 16;

impl<'c> Frequencies<'c> {
    /// For the slice in place of `conversion`. Operands of products are left alone, since what they are made of may go to registers only; and so is what
    /// another conversion in front of the branch asks for as well.
    pub(super) fn of(slice: &LayoutSlice<'c>, conversion: Op<'c>) -> Self {
        let branch = if slice.together.is_empty() { SeldomBranch::around(conversion) } else { None };
        let has_own = |branch: &SeldomBranch<'c>| !branch.shares_conversions(&slice.remade);
        Self { branch: branch.filter(has_own) }
    }

    /// Of what stands beside the definition of `value`.
    pub(super) fn beside(&self, value: Value<'c>) -> u64 {
        match self.branch {
            Some(branch) if branch.is_in_front(value) => IN_FRONT,
            Some(_) | None => 1,
        }
    }
}

impl<'c> SeldomBranch<'c> {
    /// The innermost one around a conversion of a block that is no operand, within the loop that the conversion is in.
    fn around(conversion: Op<'c>) -> Option<Self> {
        let may_stay = is_block(conversion.operand(0)) && matches!(OperandLayout::of(conversion), OperandLayout::None);
        let layout = conversion.result(0).ty().encoding().filter(|_| may_stay)?;
        let view = conversion.ancestors().skip(1).find(|op| is_loop(*op)).and_then(ForOp::cast)?;
        let repeats = most_iterations(view).is_none_or(|most| most > 1);
        let branches = conversion.ancestors().skip(1).take_while(|op| *op != view.op).filter_map(IfOp::cast);
        let found = branches.into_iter().find(|branch| {
            let is_first = conversion.ancestor_in(branch.then_block()).is_some();
            let (side, other) =
                if is_first { (Side::True, branch.else_block()) } else { (Side::False, Some(branch.then_block())) };
            holds_seldom(branch.condition(), side, view) && !other.is_some_and(|other| converts_to(other, layout))
        })?;
        repeats.then_some(Self { view, branch: found.op })
    }

    /// In the loop, but not in the branch.
    fn is_in_front(self, value: Value<'c>) -> bool {
        let around = value.defining_op().or_else(|| value.parent_block().and_then(|block| block.parent_op()));
        around.is_some_and(|op| self.view.op.contains(op) && !self.branch.contains(op))
    }

    /// Something that is remade in front of the branch is converted to its new layout in front of it or behind it, too: that conversion goes away as well.
    fn shares_conversions(self, remade: &[(Value<'c>, Attribute<'c>)]) -> bool {
        let is_converted = |value: Value<'c>, layout: Attribute<'c>| {
            value.users().into_iter().any(|(user, _)| {
                user.kind() == OpKind::TtgConvertLayout
                    && user.result(0).ty().encoding() == Some(layout)
                    && !self.branch.contains(user)
            })
        };
        remade.iter().any(|(value, layout)| self.is_in_front(*value) && is_converted(*value, *layout))
    }
}

/// Lets a conversion that stays in such a branch convert what was made of its source in front of the branch for other conversions; true when there is
/// such a value. Casts in the branch follow the conversion.
pub(super) fn convert_what_is_made<'c>(conversion: Op<'c>, made: &Made<'c>) -> bool {
    let Some(way) = Way::to(conversion) else { return false };
    let ty = conversion.result(0).ty();
    let (Some(layout), Some(version)) = (ty.encoding(), way.version(conversion, made)) else { return false };
    let mut value = Builder::before(conversion).convert_layout(version, version.ty().with_encoding(Some(layout)));
    for op in way.in_branch.iter().rev() {
        let copy = op.clone_op();
        if let Some(block) = conversion.block() {
            block.insert_before(conversion, copy);
        }
        copy.set_operand(0, value);
        value = copy.result(0);
        value.set_type(value.ty().with_encoding(Some(layout)));
    }
    conversion.result(0).replace_all_uses_with(value);
    true
}

/// From a value in front of a branch to a conversion in it.
struct Way<'c> {
    branch: SeldomBranch<'c>,
    source: Value<'c>,
    /// What the branch does with it, element by element, the last first. Nothing else uses it there.
    in_branch: Vec<Op<'c>>,
}

impl<'c> Way<'c> {
    fn to(conversion: Op<'c>) -> Option<Self> {
        let branch = SeldomBranch::around(conversion)?;
        let is_inside = |op: Op<'c>| branch.branch.contains(op);
        let mut source = conversion.operand(0);
        let mut in_branch = Vec::new();
        while !branch.is_in_front(source) {
            let op = source.defining_op().filter(|op| is_inside(*op) && is_of_elements(*op))?;
            if source.users().len() != 1 {
                return None;
            }
            in_branch.push(op);
            source = op.operand(0);
        }
        let uses = source.users().into_iter().filter(|(user, _)| is_inside(*user)).count();
        (uses == 1).then_some(Self { branch, source, in_branch })
    }

    /// The one value that was computed in place of the source, and is used.
    fn version(&self, conversion: Op<'c>, made: &Made<'c>) -> Option<Value<'c>> {
        let is_computed =
            |value: Value<'c>| value.defining_op().is_some_and(|op| op.kind() != OpKind::TtgConvertLayout);
        let of_source = made.values.iter().filter(|((value, _), _)| *value == self.source.id());
        let mut versions = of_source.map(|(_, version)| *version).filter(|version| {
            is_computed(*version)
                && !version.users().is_empty()
                && self.branch.is_in_front(*version)
                && version.dominates(conversion)
        });
        let found = versions.next()?;
        versions.next().is_none().then_some(found)
    }
}

/// It computes each element from the same one of its only operand.
fn is_of_elements(op: Op<'_>) -> bool {
    matches!(encodings::rule(op), LayoutRule::Same)
        && op.is_memory_effect_free()
        && op.num_operands() == 1
        && op.results().len() == 1
}

/// A conversion to the layout is somewhere in the block.
fn converts_to<'c>(block: Block<'c>, layout: Attribute<'c>) -> bool {
    let is_such = |op: Op<'c>| op.kind() == OpKind::TtgConvertLayout && op.result(0).ty().encoding() == Some(layout);
    block.ops().into_iter().flat_map(|op| op.descendants()).any(is_such)
}

/// The condition asks for one value of a number that follows from the loop's counter, and for more or not: most iterations have another one.
fn holds_seldom<'c>(condition: Value<'c>, side: Side, view: ForOp<'c>) -> bool {
    let mut pending = vec![condition];
    for _ in 0..MOST_OPERATIONS {
        let Some(value) = pending.pop() else { return false };
        let Some(op) = value.defining_op() else { continue };
        let joins = match side {
            Side::True => op.kind() == OpKind::ArithAndI,
            Side::False => op.kind() == OpKind::ArithOrI,
        };
        if joins {
            pending.extend(op.operands());
        } else if is_equality(op, side) && follow_counter(op.operands(), view) {
            return true;
        }
    }
    false
}

/// The side runs where two numbers are equal. Of two truth values, half are.
fn is_equality(op: Op<'_>, side: Side) -> bool {
    let Some(test) = CmpIOp::cast(op) else { return false };
    let asks = match side {
        Side::True => CmpI::Eq,
        Side::False => CmpI::Ne,
    };
    test.predicate() == asks && op.operand(0).ty().element_bits() > 1
}

/// The values follow from the counter of the loop and from what does not change in it, and change with the counter: they are sums and products.
fn follow_counter<'c>(values: Vec<Value<'c>>, view: ForOp<'c>) -> bool {
    let mut pending = values;
    let (mut counts, mut seen) = (false, 0);
    while let Some(value) = pending.pop() {
        if value == view.induction_var() {
            counts = true;
            continue;
        }
        let parent = || value.parent_block().and_then(|block| block.parent_op());
        match value.defining_op() {
            Some(op) if view.op.contains(op) => {
                seen += 1;
                if seen > MOST_OPERATIONS || !keeps_apart(op) {
                    return false;
                }
                pending.extend(op.operands());
            }
            // What the loop carries, or loops in it.
            None if parent().is_none_or(|parent| view.op.contains(parent)) => return false,
            Some(_) | None => {}
        }
    }
    counts
}

/// Another counter gives another number, but where products or sums overflow. Quotients and remainders may be the same in all iterations.
fn keeps_apart(op: Op<'_>) -> bool {
    matches!(
        op.kind(),
        OpKind::ArithConstant
            | OpKind::ArithAddI
            | OpKind::ArithSubI
            | OpKind::ArithMulI
            | OpKind::ArithExtSI
            | OpKind::ArithExtUI
            | OpKind::ArithTruncI
            | OpKind::ArithIndexCast
            | OpKind::ArithIndexCastUI
    )
}
