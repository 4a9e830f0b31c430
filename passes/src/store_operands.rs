//! Leaves left operands that a loop computes in shared memory, where another one stays in registers over the loop.
//!
//! `hold-operands` says why no two products of a loop may have their left operands in registers then. What the loop computes came through shared memory
//! by a conversion: threads wrote it, met, and read it as the instructions want it. Here the product reads it from there:
//!
//! ```text
//! %held = local_load %values {tk.held}              %buffer = local_alloc
//! loop: dot %held, …                                loop: dot %held, …
//!       %p = convert_layout %probabilities                local_store %probabilities, %buffer
//!       dot %p, …                                         dot %buffer, …
//! ```
//!
//! The conversion stands behind a wait for the product of the iteration before that reads its registers, so that the buffer is free there, too. It
//! lives as long as the loop, since the product may be in flight at the end of an iteration. Where shared memory has no room for that, the held
//! operand is read from memory again.
//!
//! 1. Loops with held operands, and what else they multiply by.  2. Whether the buffers fit.  3. Write to them.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::shared_buffers::{MATRIX_ALIGNMENT, Points, SharedBuffer, tensor_bytes};
use crate::analysis::shared_room::SharedRoom;
use crate::attributes::{BY_STEP, HELD};
use crate::convert_to_ttg::require_ttg;
use crate::shared_encodings::{buffer_type, nvmma};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass = Pass {
    name: "store-operands",
    summary: "leave operands that a loop computes in shared memory, where another stays in registers",
    run,
};

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = require_ttg(module)?.num_warps;
    for function in module.functions() {
        let is_held = |op: &Op<'_>| op.kind() == OpKind::TtgLocalLoad && op.attr(HELD).is_some();
        // All of them first: a plan erases operations behind them.
        let held: Vec<Op<'_>> = function.descendants().into_iter().filter(is_held).collect();
        for held in held {
            let plan = Plan::of(held);
            if plan.is_possible && plan.has_room(function, num_warps, cx)? {
                plan.apply();
            } else {
                read_from_memory(held);
            }
        }
    }
    Ok(())
}

/// What the loops around the products of a held operand compute for others.
struct Plan<'c> {
    computed: Vec<Computed<'c>>,
    is_possible: bool,
}

/// A left operand that a loop computes.
struct Computed<'c> {
    view: ForOp<'c>,
    operand: Value<'c>,
}

impl<'c> Plan<'c> {
    fn of(held: Op<'c>) -> Self {
        let loops = held.result(0).users().into_iter().map(|(user, _)| user.parent_op().and_then(ForOp::cast));
        let (mut computed, mut is_possible): (Vec<Computed<'c>>, bool) = (Vec::new(), true);
        for view in loops {
            let Some(view) = view else {
                is_possible = false;
                continue;
            };
            for dot in view.op.descendants().into_iter().filter_map(WarpGroupDotOp::cast) {
                let operand = dot.a();
                if operand.ty().is_memdesc()
                    || operand == held.result(0)
                    || computed.iter().any(|known| known.operand == operand)
                {
                    continue;
                }
                let is_here = operand.defining_op().is_some_and(|made| made.block() == Some(view.body()));
                is_possible &= is_here && operand.users().into_iter().all(|(user, at)| can_read_memory(user, at));
                computed.push(Computed { view, operand });
            }
        }
        Self { computed, is_possible }
    }

    /// The buffers fit, and no CTA less shares the multiprocessor.
    fn has_room(&self, function: Op<'c>, num_warps: u32, cx: &PassContext) -> Result<bool> {
        let mut buffers = buffers_of_module(function)?;
        let before = total_bytes(&buffers);
        let points = Points::of(function);
        for Computed { view, operand } in &self.computed {
            let Some(op) = operand.defining_op() else { return Ok(false) };
            let live = points.range(view.op);
            let bytes = tensor_bytes(operand.ty());
            buffers.push(SharedBuffer { op, bytes, alignment: MATRIX_ALIGNMENT, purpose: "buffer", live });
        }
        Ok(self.computed.is_empty() || SharedRoom::of(function, num_warps, cx).allows(before, total_bytes(&buffers)))
    }

    fn apply(self) {
        for Computed { view, operand } in self.computed {
            let Some(made) = operand.defining_op() else { continue };
            let ty = operand.ty();
            let layout = nvmma(&ty.shape(), &[1, 0], ty.element_bits());
            let buffer = buffer_type(made.context(), &ty.shape(), ty.element(), &layout, true);
            let memory = Builder::before(view.op).create(OpKind::TtgLocalAlloc, &[], &[buffer], &[]).result(0);
            let is_conversion = made.kind() == OpKind::TtgConvertLayout;
            let source = if is_conversion { made.operand(0) } else { operand };
            let mut builder = Builder::after(made).with_location(made.loc());
            builder.create(OpKind::TtgLocalStore, &[source, memory], &[], &[]);
            for (user, at) in operand.users() {
                if user.kind() == OpKind::TtngWarpGroupDotWait {
                    user.set_operand(at, memory);
                    user.result(at).set_type(buffer);
                } else if user.kind() == OpKind::TtngWarpGroupDot {
                    user.set_operand(at, memory);
                    user.remove_attr(BY_STEP);
                }
            }
            if is_conversion {
                made.erase();
            }
        }
    }
}

/// A product that reads the operand on its left, or a wait for one that nobody looks at.
fn can_read_memory(user: Op<'_>, operand: usize) -> bool {
    let is_product = user.kind() == OpKind::TtngWarpGroupDot && operand == 0;
    is_product || user.kind() == OpKind::TtngWarpGroupDotWait && !user.result(operand).has_uses()
}

/// The products read the buffer.
fn read_from_memory(held: Op<'_>) {
    held.result(0).replace_all_uses_with(held.operand(0));
    held.erase();
}
