//! Compiles a program for fewer warps than asked for: where the others would have copies of what these have, whatever the layouts are, where a loop over
//! time reduces a small block in each step ([`recurrences`]), where programs run along rows and have few elements each ([`along_rows`]), where
//! programs reduce short rows ([`short_rows`]), where loops run as often as the program has loaded ([`loaded_lengths`]), and where two warp groups would share
//! the columns of attention's tiles ([`tiles_of_one_group`]).
//!
//! A warp without work of its own loads, computes and meets at barriers as the others do, and takes their issue slots and a share of the registers:
//! programs that go through a row of 32 numbers in four warps, or that have no tensors at all.
//!
//! Not where something depends on the number of threads: other products and descriptors have rules for it, inline assembly may say anything, each
//! thread may print, and the warps of loops that give them roles are counted by their author.
//!
//! 1. The largest block says how many warps have elements of their own, and recurrences, programs along rows, short rows, loops of loaded lengths and tiles how
//!    many are enough.
//! 2. The module says so, and `convert-to-ttg` makes layouts for them.

mod along_rows;
mod loaded_lengths;
mod recurrences;
mod short_rows;
mod tiles_of_one_group;

use self::along_rows::warps_along_rows;
use self::loaded_lengths::warps_of_loaded_lengths;
use self::recurrences::warps_of_recurrences;
use self::short_rows::warps_of_short_rows;
use self::tiles_of_one_group::warps_of_one_group;
use crate::attributes::{PROGRAMS_ALONG_ROWS, WARP_SPECIALIZE, WARPS_WITH_WORK};
use crate::convert_to_ttg::has_layouts;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::{Module, Op, OpKind};

/// The pass.
pub const PASS: Pass =
    Pass { name: "drop-idle-warps", summary: "compile for the warps that have elements of their own", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let are_along_rows = module.op().attr(PROGRAMS_ALONG_ROWS).is_some();
    if are_along_rows {
        module.op().remove_attr(PROGRAMS_ALONG_ROWS);
    }
    let ops: Vec<Op<'_>> = module.functions().into_iter().flat_map(|function| function.descendants()).collect();
    if has_layouts(module) || ops.iter().any(|op| depends_on_threads(*op)) {
        return Ok(());
    }
    let warps = if ops.iter().any(|op| op.kind() == OpKind::TtDot) {
        warps_of_one_group(module, &ops, cx)
    } else {
        Some(warps_of_blocks(module, &ops, are_along_rows, cx))
    };
    if let Some(warps) = warps.filter(|warps| *warps < u64::from(cx.options.num_warps)) {
        module.op().set_attr(WARPS_WITH_WORK, module.context().i32_attr(warps as i32));
    }
    Ok(())
}

/// The warps that are enough for a kernel without products.
fn warps_of_blocks(module: &Module<'_>, ops: &[Op<'_>], are_along_rows: bool, cx: &PassContext) -> u64 {
    let elements = largest_block(ops);
    let of_recurrences = warps_of_recurrences(ops, elements, cx);
    let along_rows = if are_along_rows { warps_along_rows(ops, elements) } else { None };
    let of_short_rows = warps_of_short_rows(module, ops, elements, cx);
    let of_loaded_lengths = warps_of_loaded_lengths(ops, elements, cx);
    let enough = [of_recurrences, along_rows, of_short_rows, of_loaded_lengths];
    enough.into_iter().flatten().fold(warps_with_elements(elements), u64::min)
}

fn largest_block(ops: &[Op<'_>]) -> u64 {
    let blocks = ops.iter().flat_map(|op| op.results()).filter(|result| result.ty().is_tensor());
    blocks.map(|block| block.ty().num_elements()).max().unwrap_or(1).unsigned_abs()
}

/// With one element of the largest block for each thread.
fn warps_with_elements(elements: u64) -> u64 {
    elements.div_ceil(u64::from(tk_target::WARP_SIZE)).max(1).next_power_of_two()
}

fn depends_on_threads(op: Op<'_>) -> bool {
    use OpKind::*;
    let has_rules = matches!(
        op.kind(),
        TtDotScaled
            | TtElementwiseInlineAsm
            | TtPrint
            | TtMakeTensorDescriptor
            | TtDescriptorLoad
            | TtDescriptorStore
            | TtDescriptorReduce
            | TtDescriptorGather
            | TtDescriptorScatter
    );
    has_rules || op.attr(WARP_SPECIALIZE).is_some()
}
