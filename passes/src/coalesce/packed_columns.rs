//! Operands of products of which several elements share a byte: weights of four bits, whose place along K is a quotient.
//!
//! Neighbors along that axis lie at one place or side by side, so that lanes should cover it. With all lanes along it, a thread has many columns, each
//! with an address and scales of its own; with none, each access of a warp touches a sector of each of 32 columns. Sixteen lanes along it
//! touch two.
//!
//! Accesses that share a layout with such a load follow it.

use super::{GlobalAccess, uses_behind_elements};
use crate::analysis::AxisFacts;
use crate::analysis::strides::usual_stride_along;
use crate::attributes::Threads;
use tk_ir::OpKind;
use tk_layout::BlockedEncoding;

/// Lanes along the axis that is packed.
const LANES: i64 = 16;

/// Whether neighbors along the first axis of a product's operand lie at one place, or at the next one.
pub(super) fn is_packed(access: &GlobalAccess<'_>, facts: &AxisFacts) -> bool {
    let (pointer, axis) = (access.op.operand(0), access.order[0] as usize);
    let constancy = facts.get(pointer).constancy[axis];
    access.op.kind() == OpKind::TtLoad
        && access.shape.len() == 2
        && access.width == 1
        && (2..access.shape[axis].max(0) as u64).contains(&constancy)
        && usual_stride_along(pointer, axis, facts) == Some(0)
        && uses_behind_elements(access.op.result(0)).into_iter().any(|(user, _)| user.kind() == OpKind::TtDot)
}

/// The layout with few lanes along the packed axis; `None` where the usual one has no more, or too few columns are there.
pub(super) fn layout_for_packed(
    access: &GlobalAccess<'_>,
    usual: &BlockedEncoding,
    threads: Threads,
) -> Option<BlockedEncoding> {
    let axis = access.order[0] as usize;
    let lanes = std::iter::successors(Some(LANES), |lanes| lanes.checked_mul(2));
    lanes.take_while(|lanes| *lanes < i64::from(usual.threads_per_warp[axis])).find_map(|lanes| {
        let mut shape = access.shape.clone();
        shape[axis] = lanes;
        let (size, order) = (vec![1; shape.len()], &access.order);
        let layout = BlockedEncoding::for_shape(&shape, &size, order, threads.num_warps, threads.threads_per_warp);
        let covered = |axis: usize| i64::from(layout.threads_per_warp[axis] * layout.warps_per_cta[axis]);
        (0..shape.len()).all(|axis| covered(axis) <= access.shape[axis]).then_some(layout)
    })
}
