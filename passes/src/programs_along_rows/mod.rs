//! Runs programs one after the other whose blocks lie side by side in memory.
//!
//! The GPU starts programs in the order of their numbers, those along x first. Where the columns of a matrix are dealt out along a slower axis, the programs
//! that share a line of memory are as many programs apart as there are along the faster axes:
//!
//! ```text
//! x = load(p + program_id(0) * 4 * 1024 + rows * 1024 + program_id(1) * 4 + columns)        a program has 16 bytes of each of its rows of 4096
//! ```
//!
//! Each then asks for a part of a line whose other parts are asked for at another time. With the slowest of these axes first, programs that run at the same
//! time read and write whole rows ([`crate::program_order`]).
//!
//! True for kernels without loops and products whose programs are independent (`are_independent` of `longest-programs-first`) and too many to run at once,
//! where all large accesses lie in rows by the rules of [`accesses`]: less than a line of each row, rows at least a page apart, side by side along one axis,
//! and at least a page apart along each faster one. A large block that programs along a faster axis share, or have side by side, leaves the order as it is.
//!
//! A program of this kind has few elements for each of its rows, and `drop-idle-warps` is told of it ([`PROGRAMS_ALONG_ROWS`]): fewer warps pay only in this
//! order.
//!
//! What it saves: [measurements](../../../docs/measurements.md#programs-that-share-lines-of-memory-run-one-after-the-other).
//!
//! 1. The axis along which large accesses lie side by side ([`accesses::axis_along_rows`]).  2. From it on, numbers are taken apart anew.

mod accesses;

use self::accesses::axis_along_rows;
use crate::attributes::PROGRAMS_ALONG_ROWS;
use crate::longest_programs_first::are_independent;
use crate::program_order::{has_all_ids, renumber};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::Module;
use tk_types::Residency;

/// The pass.
pub const PASS: Pass = Pass {
    name: "programs-along-rows",
    summary: "run programs one after the other whose blocks lie side by side in memory",
    run,
};

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let ops: Vec<_> = module.functions().into_iter().flat_map(|function| function.descendants()).collect();
    if cx.options.residency != Residency::Many || !are_independent(&ops, &cx.options) {
        return Ok(());
    }
    for function in module.functions() {
        // Functions that are called see the same numbers.
        if let Some(slow) = axis_along_rows(function).filter(|_| has_all_ids(function, &ops)) {
            renumber(function, slow, |_, _| None);
            module.op().set_attr(PROGRAMS_ALONG_ROWS, module.context().unit_attr());
        }
    }
    Ok(())
}
