//! What else of a slice's values is converted to the same layout.
//!
//! A sine and a cosine of one angle that are both converted: neither conversion seems to go away for less than the angle computed twice, since
//! the other one uses it. Together they go away for nothing.

use crate::encodings;
use crate::operations::layouts::LayoutRule;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::{Attribute, Op, OpKind, Value};

/// Operations beside a slice that are looked at.
const MOST_OPERATIONS: usize = 256;

/// Operations that use values of a slice and lead to conversions to its layout alone, by their identity. Each of them can be made in that layout when its
/// conversion comes to be looked at, and then its original goes away.
pub(super) fn converted_together<'c>(
    remade: &[(Value<'c>, Attribute<'c>)],
    layout_of: &FxHashMap<usize, Attribute<'c>>,
) -> FxHashSet<usize> {
    let mut beside = Beside { layout_of, layouts: FxHashMap::default(), ops: Vec::new() };
    let mut pending: Vec<(Value<'c>, Attribute<'c>)> = remade.to_vec();
    while let Some((value, layout)) = pending.pop() {
        for (user, _) in value.users() {
            let is_new = !beside.is_of_slice(user) && !beside.layouts.contains_key(&user.id());
            if is_new && can_follow(user) {
                if beside.ops.len() == MOST_OPERATIONS {
                    return FxHashSet::default();
                }
                beside.layouts.insert(user.id(), layout);
                beside.ops.push(user);
                pending.extend(user.results().into_iter().map(|result| (result, layout)));
            }
        }
    }
    beside.leave_those_that_follow();
    beside.layouts.into_keys().collect()
}

/// Element by element, and repeated without harm.
fn can_follow(op: Op<'_>) -> bool {
    matches!(encodings::rule(op), LayoutRule::Same) && op.is_memory_effect_free() && op.num_operands() > 0
}

struct Beside<'a, 'c> {
    layout_of: &'a FxHashMap<usize, Attribute<'c>>,
    /// The layout that an operation would be made in.
    layouts: FxHashMap<usize, Attribute<'c>>,
    ops: Vec<Op<'c>>,
}

impl<'c> Beside<'_, 'c> {
    fn is_of_slice(&self, op: Op<'c>) -> bool {
        let results = op.results();
        !results.is_empty() && results.iter().all(|result| self.layout_of.contains_key(&result.id()))
    }

    /// Takes away what has operands that are not there in the layout, or users that stay in their own.
    fn leave_those_that_follow(&mut self) {
        loop {
            let follows = |op: &Op<'c>| {
                let layout = self.layouts.get(&op.id());
                layout.is_some_and(|layout| self.has_operands(*op, *layout) && self.leads_to_conversions(*op, *layout))
            };
            let (stay, go): (Vec<Op<'c>>, Vec<Op<'c>>) = self.ops.iter().copied().partition(follows);
            for op in &go {
                self.layouts.remove(&op.id());
            }
            self.ops = stay;
            if go.is_empty() {
                return;
            }
        }
    }

    fn has_operands(&self, op: Op<'c>, layout: Attribute<'c>) -> bool {
        op.operands().into_iter().filter(|operand| operand.ty().is_tensor()).all(|operand| {
            let maker = operand.defining_op();
            self.layout_of.get(&operand.id()) == Some(&layout)
                || maker.is_some_and(|maker| self.layouts.get(&maker.id()) == Some(&layout))
                || maker.is_some_and(is_made_of_no_tensor)
        })
    }

    fn leads_to_conversions(&self, op: Op<'c>, layout: Attribute<'c>) -> bool {
        let users = op.results().into_iter().flat_map(|result| result.users());
        users.into_iter().all(|(user, _)| {
            let is_conversion =
                user.kind() == OpKind::TtgConvertLayout && user.result(0).ty().encoding() == Some(layout);
            is_conversion || self.layouts.get(&user.id()) == Some(&layout)
        })
    }
}

/// A constant, a number that is repeated, or a range: there in any layout.
fn is_made_of_no_tensor(op: Op<'_>) -> bool {
    op.is_memory_effect_free() && !op.operands().iter().any(|operand| operand.ty().is_tensor())
}
