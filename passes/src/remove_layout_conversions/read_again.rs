//! Operands of products that shared memory has anyway, since another product reads the same block in another layout.
//!
//! A block that is the right operand of one product and, turned, of another, as keys that are the values too, goes through shared memory once:
//! [`share_operands`](crate::share_operands) lets it be written for the conversion that stays, and read for both. The other conversion moves half of
//! what one by itself does, so bytes that come with scales are not made numbers once more for it.

use super::conversion_costs::conversion_cost;
use crate::control_flow::loop_depth;
use crate::operations::is_turned;
use crate::share_operands::conversions_beside;
use rustc_hash::FxHashSet;
use tk_ir::Op;

/// What goes away with a conversion: its reads alone, where its block is written for a conversion in `stay`, or for one behind a transposition, through
/// which nothing is made in the layout of an operand.
pub(super) fn replaced_cost(conversion: Op<'_>, stay: &FxHashSet<usize>) -> u64 {
    let cost = conversion_cost(conversion.operand(0), loop_depth(conversion));
    let stays = |other: &Op<'_>| stay.contains(&other.id()) || other.operand(0).defining_op().is_some_and(is_turned);
    if conversions_beside(conversion).iter().any(stays) { cost / 2 } else { cost }
}
