//! Reductions behind a value, and what a layout makes of them: where warps share an axis, they meet in shared memory, behind a barrier for each reduction.

use crate::encodings;
use crate::operations::layouts::LayoutRule;
use rustc_hash::FxHashSet;
use tk_ir::ops::ReduceOp;
use tk_ir::{Attribute, Value};
use tk_layout::Encoding;

/// So many values are looked at behind one. The reductions of a norm are two to six operations behind what they reduce.
const MAX_VALUES: usize = 32;

/// How many reductions of what is computed from a value element by element have warps meet, if it has this layout.
pub(super) fn meetings_of_warps(value: Value<'_>, layout: Attribute<'_>) -> usize {
    let encoding = layout.encoding();
    let Some(Encoding::Blocked(blocked)) = encoding.as_deref() else { return 0 };
    let shared_by_warps = |axis: usize| blocked.warps_per_cta.get(axis).is_some_and(|warps| *warps > 1);
    reduced_axes(value).into_iter().filter(|axis| shared_by_warps(*axis)).count()
}

/// The axes of the reductions.
fn reduced_axes(value: Value<'_>) -> Vec<usize> {
    let (mut axes, mut seen, mut waiting) = (Vec::new(), FxHashSet::default(), vec![value]);
    while let Some(next) = waiting.pop() {
        if seen.len() >= MAX_VALUES || !seen.insert(next.id()) {
            continue;
        }
        for (user, _) in next.users() {
            if let Some(reduce) = ReduceOp::cast(user) {
                axes.push(reduce.axis());
            } else if matches!(encodings::rule(user), LayoutRule::Same) {
                waiting.extend(user.results());
            }
        }
    }
    axes
}
