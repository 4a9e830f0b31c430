//! Products that start in steps ([`BY_STEP`]), each instruction as soon as its own words are computed.
//!
//! A product whose left operand is computed from another product of the loop, as weights of attention are from scores, starts when all of its words
//! are there: until then the tensor cores have nothing to do for this group of warps. Where each word depends on the scores at its own places alone,
//! the words of the first instruction are there after one of many parts of that arithmetic, and the rest is computed while instructions run. The
//! instructions and their order are the same.
//!
//! It is no use where all words are there late in any case: behind a reduction, such as the maximum of a row in a softmax
//! ([measurements](../../../docs/measurements.md#a-cta-that-finishes-its-dots-waits-for-copies-one-iteration-early)), behind an exchange between
//! threads, or because something is waited for in front of the product, such as its right operand, a turn, or other threads: machine code mixes
//! nothing over a wait. So nothing of that kind may stand between the wait for the scores and the product.

use crate::attributes::BY_STEP;
use crate::encodings::moves_nothing;
use crate::operations::computations::{Computation, computation};
use crate::operations::memory::is_view;
use rustc_hash::FxHashSet;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind};

/// Operations between a wait for products and the product behind it, at most.
const MOST_BETWEEN: usize = 256;

/// Lets the products of a loop's body start in steps where that is of use.
pub(super) fn mark(view: ForOp<'_>) {
    let products = view.body().ops().into_iter().filter_map(WarpGroupDotOp::cast);
    for dot in products.filter(|dot| words_come_one_by_one(*dot)) {
        dot.op.set_attr(BY_STEP, dot.op.context().unit_attr());
    }
}

/// The words of the left operand are computed element by element from a product, without a wait behind the one for that product.
fn words_come_one_by_one(dot: WarpGroupDotOp<'_>) -> bool {
    if !dot.is_async() || dot.a().ty().is_memdesc() {
        return false;
    }
    let mut between = FxHashSet::default();
    let mut before = dot.op.prev();
    while let Some(op) = before.filter(|op| op.kind() != OpKind::TtngWarpGroupDotWait) {
        if between.len() >= MOST_BETWEEN || !leaves_words_apart(op) {
            return false;
        }
        between.insert(op.id());
        before = op.prev();
    }
    before.is_some_and(|wait| is_computed_from(dot, wait, &between))
}

/// The left operand is computed by operations of `between` from a product that `wait` waits for.
fn is_computed_from<'c>(dot: WarpGroupDotOp<'c>, wait: Op<'c>, between: &FxHashSet<usize>) -> bool {
    let (mut pending, mut seen) = (vec![dot.a()], FxHashSet::default());
    while let Some(value) = pending.pop() {
        let Some(op) = value.defining_op().filter(|_| value.ty().is_tensor()) else { continue };
        if op == wait {
            return true;
        }
        if between.contains(&op.id()) && seen.insert(op.id()) {
            pending.extend(op.operands());
        }
    }
    false
}

/// The operation waits for nobody, and what it computes for an element is there without the other elements.
fn leaves_words_apart(op: Op<'_>) -> bool {
    let is_apart = match computation(op.kind()) {
        Computation::Constant
        | Computation::Repeat
        | Computation::Range
        | Computation::Arithmetic
        | Computation::Function
        | Computation::Cast => op.is_memory_effect_free(),
        Computation::Load => true,
        Computation::Reduction => false,
        Computation::Other => op.kind() == OpKind::TtgLocalLoad || is_view(op) || moves_nothing(op),
    };
    is_apart && op.num_regions() == 0
}
