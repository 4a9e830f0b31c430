//! Numbers of rows and columns that a loop combines with the results of its products: scales of blocks.
//!
//! Where products are waited for in their iteration, such a number is needed as soon as the first product is done, which may be sooner than memory
//! answers. What is loaded does not depend on products, so that it can be loaded one iteration earlier.
//!
//! Beside these, what rows that products need are for ([`use_of_row`]): operands, or what is computed from results.

use super::global_aliases::GlobalWrites;
use super::product_ahead::is_row_load;
use crate::operations::is_dot;
use rustc_hash::FxHashSet;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Op, OpKind, Value};

/// The loads of a loop's body through pointers of one number for each row or column, or of one for all, that are combined with results of its products
/// by `wgmma`, and that nothing in the loop writes to.
pub(crate) fn rows_of_results<'c>(view: ForOp<'c>, writes: &GlobalWrites) -> Vec<Op<'c>> {
    let body = view.body().ops();
    let dots: Vec<Op<'c>> = body.iter().copied().filter(|op| op.kind() == OpKind::TtngWarpGroupDot).collect();
    if dots.is_empty() {
        return Vec::new();
    }
    let of_results = computed_from(view, &dots);
    let is_combined = |load: &Op<'c>| computed_from(view, &[*load]).iter().any(|op| of_results.contains(op));
    let can_be_early = |load: &Op<'c>| {
        let is_volatile = LoadOp::cast(*load).is_none_or(|load| load.is_volatile());
        !is_volatile && !writes.may_change(*load) && !is_computed_from(view, *load, is_dot)
    };
    body.into_iter().filter(|op| is_row_load(*op) && can_be_early(op)).filter(is_combined).collect()
}

/// A left or right operand of a product is computed from the load in the same iteration, and nothing from it and from results of products: it is needed
/// before the products of the iteration, and not behind them.
pub(crate) fn is_of_operands<'c>(view: ForOp<'c>, load: Op<'c>) -> bool {
    matches!(use_of_row(view, load), RowUse::Operands { .. })
}

/// What an iteration computes from a row that it loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowUse {
    /// Left or right operands of products, and nothing together with their results; `of_sum`: what a product adds to, too.
    Operands { of_sum: bool },
    /// Something from it and from results of products.
    Results,
    /// Neither.
    Other,
}

/// What `load` is for in its iteration.
pub(crate) fn use_of_row<'c>(view: ForOp<'c>, load: Op<'c>) -> RowUse {
    let dots: Vec<Op<'c>> = view.op.descendants().into_iter().filter(|op| is_dot(*op)).collect();
    let of_load = computed_from(view, &[load]);
    if !of_load.is_disjoint(&computed_from(view, &dots)) {
        return RowUse::Results;
    }
    let is_computed = |operand: Value<'c>| {
        let made = operand.defining_op().and_then(|op| op.ancestor_in(view.body()));
        made.is_some_and(|op| op == load || of_load.contains(&op.id()))
    };
    let has = |first: usize, count: usize| {
        dots.iter().any(|dot| dot.operands().into_iter().skip(first).take(count).any(is_computed))
    };
    if has(0, 2) { RowUse::Operands { of_sum: has(2, 1) } } else { RowUse::Other }
}

/// The operations of the body that use results of `first` in the same iteration, products aside.
pub(crate) fn computed_from<'c>(view: ForOp<'c>, first: &[Op<'c>]) -> FxHashSet<usize> {
    let mut found = FxHashSet::default();
    let mut pending: Vec<Value<'c>> = first.iter().flat_map(|op| op.results()).collect();
    while let Some(value) = pending.pop() {
        for (user, _) in value.users() {
            let Some(own) = user.ancestor_in(view.body()).filter(|own| !is_dot(*own) && *own != view.yield_op()) else {
                continue;
            };
            if found.insert(own.id()) {
                pending.extend(own.results());
            }
        }
    }
    found
}

/// An operation of the loop that `is_source` names, of this iteration or of earlier ones, says what is loaded.
pub(crate) fn is_computed_from<'c>(view: ForOp<'c>, load: Op<'c>, is_source: impl Fn(Op<'c>) -> bool) -> bool {
    is_made_from(view, load.operands(), is_source)
}

/// The same of values.
pub(crate) fn is_made_from<'c>(view: ForOp<'c>, values: Vec<Value<'c>>, is_source: impl Fn(Op<'c>) -> bool) -> bool {
    let mut seen = FxHashSet::default();
    let mut pending = values;
    while let Some(value) = pending.pop() {
        let carried = view.iter_args().iter().position(|argument| *argument == value);
        let op = match carried {
            Some(index) => view.yielded()[index].defining_op(),
            None => value.defining_op(),
        };
        let Some(own) = op.and_then(|op| op.ancestor_in(view.body())) else { continue };
        if seen.insert(own.id()) {
            let inside = own.descendants().into_iter().chain([own]);
            if inside.clone().any(&is_source) {
                return true;
            }
            pending.extend(inside.flat_map(|inner| inner.operands()));
        }
    }
    false
}
