//! Products that run on over the end of an iteration, and that are rather over at the end, so that copies start earlier.
//!
//! The second product of attention runs on while the next iteration starts. What copies fill for the iteration behind that one it reads, so they wait: for the first
//! product, behind which it is known to be over, and for all threads once more ([`super::behind_products`]). If it is over at the end of its own iteration, the
//! barrier behind the wait for copies is enough. The copies start right behind the issue of the first product ([`super::by_threads`]), and threads meet once less:
//!
//! ```text
//! loop: wait for copies  barrier  product 1  wait for products  barrier  copies  …compute…  product 2
//! loop: wait for copies  barrier  product 1  copies  wait for products  …compute…  product 2  wait for products
//! ```
//!
//! Between the end of one iteration and the first product of the next the tensor cores have nothing of this CTA to do, but the copies are what the iteration waits
//! for. Where more than [`MOST_WARPS`] warps share a multiprocessor, the others' copies come meanwhile, and products that run on keep the tensor cores busy
//! ([measurements](../../../docs/measurements.md#few-warps-finish-their-products-before-they-copy)).
//!
//! True for loops of [`PRODUCTS`] products, as attention has them, whose copies wait for the iteration's own first product, whose products are issued in their own
//! iteration, and without turns of groups of warps. Gradients have more products, which run while the copies wait.
//!
//! **Why one barrier is enough.** It stands between the wait for copies and the first product, which reads a ring that they fill ([`reads_copies`]). Before it each
//! warp has waited for its products of the iteration before, and has read what it reads itself; so what is filled behind it nobody reads any more. The first product,
//! which is under way, reads the other buffer. Such copies are `tk.ordered`: no other barrier is put before them.

use crate::PassContext;
use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::few_warps::has_few_warps;
use crate::analysis::live_registers::registers;
use crate::attributes::ISSUED_AHEAD;
use crate::operations::is_dot;
use crate::operations::memory::root;
use crate::pipeline_loops::{first_wait_for_iteration_before, wait_at_end};
use tk_diag::Result;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind};

/// Products of an iteration. On an H200 sixteen gradients, which have three to five, are 0.65 to 1.05 times as fast, ten of them slower.
const PRODUCTS: usize = 2;
/// Warps that a multiprocessor has room for with which the copies of an iteration are what it waits for. On an H200 attention with room for so many, or whose grid
/// brings few, is 1.00 to 1.18 times as fast (nine launches), with more 0.88 to 1.06 (nine).
const MOST_WARPS: u32 = 12;
/// Registers of a thread beside the results of products, at least: eleven such loops have 39 to 70.
const BESIDE_RESULTS: u32 = 40;

/// The products that the iterations of a loop end with.
pub(super) struct RunningProducts<'c> {
    view: ForOp<'c>,
    running: Vec<WarpGroupDotOp<'c>>,
}

impl<'c> RunningProducts<'c> {
    /// `None` where copies would not start earlier, or somebody else than the next iteration waits for the products.
    pub(super) fn of(view: ForOp<'c>) -> Option<Self> {
        let body = view.body();
        let stays = |op: &Op<'c>| {
            let is_elsewhere = is_dot(*op) && op.block() != Some(body);
            let is_turn = matches!(op.kind(), OpKind::TkHandOver | OpKind::TkWaitHandOver);
            is_elsewhere || is_turn || is_dot(*op) && op.attr(ISSUED_AHEAD).is_some()
        };
        let waits_for_all = |wait: Op<'c>| wait.int_attr("pendings") == Some(0);
        if view.op.descendants().iter().any(stays) || !first_wait_for_iteration_before(view).is_some_and(waits_for_all)
        {
            return None;
        }
        let running = running(view)?;
        let products = body.ops().into_iter().filter(|op| is_dot(*op)).count();
        let is_for_next =
            |dot: &WarpGroupDotOp<'c>| dot.op.result(0).users().into_iter().all(|(user, _)| user == view.yield_op());
        let are_few = products == PRODUCTS && !running.is_empty();
        (are_few && running.iter().all(is_for_next)).then_some(Self { view, running })
    }

    /// So few warps share a multiprocessor that an iteration waits for its copies.
    pub(super) fn leave_few_warps(&self, function: Op<'c>, num_warps: u32, cx: &PassContext) -> Result<bool> {
        let most = cx.options.maxnreg.unwrap_or(u32::MAX).min(cx.target.max_registers_per_thread());
        let registers = registers_of_results(self.view).saturating_add(BESIDE_RESULTS).min(most.max(1));
        let bytes = total_bytes(&buffers_of_module(function)?);
        let room = cx.target.occupancy(registers, bytes, num_warps).warps_per_sm;
        Ok(room <= MOST_WARPS || has_few_warps(num_warps, cx))
    }

    /// Waits for the products at the end of the body.
    pub(super) fn finish(&self) {
        wait_at_end(self.view, &self.running);
    }
}

/// The products that are under way at the end of the body, in order.
fn running(view: ForOp<'_>) -> Option<Vec<WarpGroupDotOp<'_>>> {
    let mut running = Vec::new();
    for op in view.body().ops() {
        if let Some(dot) = WarpGroupDotOp::cast(op).filter(|dot| dot.is_async()) {
            running.push(dot);
        } else if op.kind() == OpKind::TtngWarpGroupDotWait {
            let left = usize::try_from(op.int_attr("pendings")?).ok()?;
            running.drain(..running.len().saturating_sub(left));
        }
    }
    Some(running)
}

/// Registers of a thread for the results of a loop's products, each sum once.
fn registers_of_results(view: ForOp<'_>) -> u32 {
    let dots: Vec<WarpGroupDotOp<'_>> = view.body().ops().into_iter().filter_map(WarpGroupDotOp::cast).collect();
    let goes_on = |dot: &WarpGroupDotOp<'_>| dots.iter().any(|next| next.op.operand(2) == dot.op.result(0));
    dots.iter().filter(|dot| !goes_on(dot)).map(|dot| registers(dot.op.result(0).ty())).sum()
}

/// The product reads a buffer that some of the copies fill, so threads meet between the wait for these and the product.
pub(super) fn reads_copies(product: Op<'_>, copies: &[Op<'_>]) -> bool {
    let is_filled = |alloc: Op<'_>| copies.iter().any(|copy| root(copy.operand(1)).defining_op() == Some(alloc));
    let memory = product.operands().into_iter().filter(|operand| operand.ty().is_memdesc());
    memory.filter_map(|operand| root(operand).defining_op()).any(is_filled)
}
