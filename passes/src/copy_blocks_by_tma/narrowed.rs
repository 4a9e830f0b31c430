//! Operands that have more bits in memory than in the product.
//!
//! TMA writes them as they are in memory, and threads convert them. They read A in a layout of blocks and turn it to that of the product through shared
//! memory, since reading it in the layout of the product is slower. f32 of 64x64x32 by four warps, which become f16, are 3 % faster than copied by threads,
//! with operands read directly 6 % slower.

use crate::PassContext;
use crate::copy_blocks_by_tma::operand::Origin;
use crate::copy_blocks_by_tma::{BlockCopy, stages_of};
use tk_ir::Value;
use tk_ir::ops::{DotOp, ForOp};

/// Whether A that becomes narrower finds room for its way to the product, and takes no CTA's, when threads have all the registers they can have.
pub(super) fn leave_room<'c>(view: ForOp<'c>, dot: DotOp<'c>, copies: [&BlockCopy<'c>; 2], cx: &PassContext) -> bool {
    if !is_narrowed(dot.a()) {
        return true;
    }
    let ahead = (stages_of(view, cx) - 1).max(1);
    let blocks: i64 = copies.iter().map(|copy| copy.bytes()).sum();
    let converted = if is_narrowed(dot.b()) { bytes_of(dot.b()) } else { 0 };
    let held = blocks.saturating_mul(ahead).saturating_add(converted);
    let ctas = |bytes: i64| {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        cx.target.occupancy(cx.target.max_registers_per_thread(), bytes, cx.options.num_warps).ctas_per_sm
    };
    ctas(held.saturating_add(bytes_of(dot.a()))) == ctas(held)
}

fn is_narrowed(operand: Value<'_>) -> bool {
    Origin::of(operand).is_some_and(|origin| origin.is_narrowed)
}

fn bytes_of(operand: Value<'_>) -> i64 {
    operand.ty().num_elements() * i64::from(operand.ty().element_bits() / 8)
}
