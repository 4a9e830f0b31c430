//! Results of reductions that lanes repeat, where much is computed from them.
//!
//! Lanes that share the axis of a reduction all have its results. What is computed from these in the layout of the reduction is computed by each of
//! the lanes. Where that is much, as when the largest of them are looked for one after the other, the results change their layout
//! once instead, and each is in one lane. Results that go back to the block that was reduced, as the maximum of a softmax does, stay where they are.

use crate::encodings::{self, elements_per_thread};
use crate::operations::computations::instructions_of_element;
use crate::operations::layouts::LayoutRule;
use rustc_hash::FxHashSet;
use tk_ir::ops::ReduceOp;
use tk_ir::{Attribute, Op, OpKind};

/// Values that are looked at behind a conversion.
const MAX_VALUES: usize = 32;
/// Instructions of a thread that a conversion is worth: it writes and reads shared memory, and threads meet. An estimate.
const CONVERSION_INSTRUCTIONS: u64 = 512;

/// Whether a conversion of what a reduction gives stays where the reduction's results would be in `layout` otherwise.
pub(super) fn is_worth_converting(conversion: Op<'_>, layout: Attribute<'_>) -> bool {
    let comes_from_reduction = conversion.operand(0).defining_op().is_some_and(|op| ReduceOp::cast(op).is_some());
    if !comes_from_reduction {
        return false;
    }
    let own = conversion.result(0).ty();
    let [repeated, once] = [own.with_encoding(Some(layout)), own].map(elements_per_thread);
    let saved = u64::try_from(repeated - once).unwrap_or(0);
    saved > 0
        && instructions_behind(conversion).is_some_and(|count| count.saturating_mul(saved) >= CONVERSION_INSTRUCTIONS)
}

/// Instructions for each element of what a conversion gives; `None` where it becomes a block of more axes.
fn instructions_behind(conversion: Op<'_>) -> Option<u64> {
    let (mut pending, mut seen) = (vec![conversion.result(0)], FxHashSet::default());
    let mut instructions = 0;
    while let Some(value) = pending.pop() {
        for (user, _) in value.users() {
            if seen.len() >= MAX_VALUES || !seen.insert(user.id()) {
                continue;
            }
            match encodings::rule(user) {
                LayoutRule::Same => {
                    instructions += u64::from(instructions_of_element(user.kind()));
                    pending.extend(user.results());
                }
                LayoutRule::Shape(_) if user.kind() == OpKind::TtReduce => instructions += 1,
                LayoutRule::Shape(_) | LayoutRule::Conversion => return None,
                LayoutRule::Access | LayoutRule::Any | LayoutRule::Own | LayoutRule::Fixed => {}
            }
        }
    }
    Some(instructions)
}
