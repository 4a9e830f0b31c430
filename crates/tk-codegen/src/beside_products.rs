//! Operations in loops that multiply matrices: the assembler overlaps copies and products with what else their block does.

use tk_ir::{Op, OpKind};

/// In a loop that multiplies matrices.
pub(crate) fn is_beside_products(op: Op<'_>) -> bool {
    let is_product = |op: &Op<'_>| matches!(op.kind(), OpKind::TtDot | OpKind::TtngWarpGroupDot);
    op.ancestors().any(|loop_| loop_.kind() == OpKind::ScfFor && loop_.descendants().iter().any(is_product))
}

/// A product, or the wait for one.
pub(crate) fn is_product(op: &Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtDot | OpKind::TtngWarpGroupDot | OpKind::TtngWarpGroupDotWait)
}
