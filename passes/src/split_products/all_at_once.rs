//! Parts of products with which all CTAs that the grid brings to a multiprocessor have room there at once.
//!
//! Where the registers of a thread keep one of few CTAs out, it runs in a second wave, alone. A product in parts needs registers for the result of one part
//! at a time, and other CTAs multiply while one computes on its part ([measurements](../../../docs/measurements.md#parts-of-products-let-all-ctas-in)).

use super::chain::Chain;
use super::parts::Parts;
use crate::PassContext;
use crate::analysis::async_loads::async_load;
use crate::analysis::axis_info;
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::analysis::product_ahead::{in_place, is_row_load};
use crate::attributes::{NUM_STAGES, Threads};
use tk_ir::ops::LoadOp;
use tk_ir::{Op, OpKind};

/// Registers of a thread beside floats: addresses, descriptors, counters. A product of experts with scales (128x64 in four warps) has 27.
const BESIDE: u32 = 24;
/// Of four bytes of shared memory that a CTA can have, those that are left for what nobody knows of yet.
const RESERVE_OF_FOUR: i64 = 1;

/// The fewest parts with which all CTAs that the grid brings have registers at once, if they do not have them as it is and shared memory has room for them.
/// True for loops whose blocks are copied: one that threads turn waits in more registers.
pub(super) fn parts_for_all<'c>(
    function: Op<'c>,
    chain: &Chain<'c>,
    threads: Threads,
    cx: &PassContext,
) -> Option<Parts> {
    let brought = cx.options.residency.at_most().filter(|ctas| *ctas > 1)?;
    let budget = cx.target.register_budget(threads.num_warps, brought);
    let live = LiveRegisters::of_floats_but(function, is_one_number);
    let at = |op: &Op<'c>| live.at(*op).saturating_sub(in_place(*op));
    let needed = chain.view.body().ops().iter().map(at).max().unwrap_or(0);
    if needed + BESIDE <= budget || !have_shared_memory(chain, brought, threads, cx) {
        return None;
    }
    let result = registers(chain.whole);
    let fits = |parts: &Parts| needed.saturating_sub(result) + result / parts.count as u32 + BESIDE <= budget;
    Parts::possible(chain.whole).into_iter().find(fits).filter(|_| copies_all_blocks(function, chain, cx))
}

/// A load all of whose elements are one number, which is one register.
fn is_one_number(op: Op<'_>) -> bool {
    let pointer = LoadOp::cast(op).and_then(|load| load.ptr().defining_op());
    pointer.is_some_and(|made| made.kind() == OpKind::TtSplat)
}

/// Every block that the loop loads becomes a copy to shared memory.
fn copies_all_blocks(function: Op<'_>, chain: &Chain<'_>, cx: &PassContext) -> bool {
    let facts = axis_info(function);
    let is_block = |load: &LoadOp<'_>| !is_row_load(load.op);
    let loads = chain.view.op.descendants().into_iter().filter_map(LoadOp::cast);
    loads.filter(is_block).all(|load| async_load(load, &facts, cx).is_some())
}

/// So many CTAs have shared memory for the blocks of as many iterations as the stages say.
fn have_shared_memory(chain: &Chain<'_>, ctas: u32, threads: Threads, cx: &PassContext) -> bool {
    let stages = chain.view.op.int_attr(NUM_STAGES).unwrap_or(i64::from(cx.options.num_stages)).max(1);
    let blocks = chain.view.body().ops().into_iter().filter(|op| op.kind() == OpKind::TtgLocalAlloc);
    let bytes = |op: Op<'_>| {
        let ty = op.result(0).ty();
        ty.num_elements().saturating_mul(i64::from(ty.element_bits().max(8))) / 8
    };
    let of_iteration = blocks.map(bytes).fold(0, i64::saturating_add);
    let all = of_iteration.saturating_mul(stages).saturating_mul(4) / (4 - RESERVE_OF_FOUR);
    let all = u32::try_from(all).unwrap_or(u32::MAX);
    cx.target.occupancy(1, all, threads.num_warps).ctas_per_sm >= ctas
}
