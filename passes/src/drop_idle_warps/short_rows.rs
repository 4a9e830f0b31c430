//! Programs that reduce short rows run in the warps that have whole rows of eight elements for each thread.
//!
//! A softmax of rows of 128 numbers, four in a program of eight warps, gives each thread two numbers. Each warp has a part of each row, so that every
//! maximum and every sum is exchanged through shared memory, with a barrier before it is read; and what there is for each row (addresses, the steps of the reduction, what
//! is computed from its result) is done by each warp again. In two warps a thread has eight numbers of one row: rows do not leave their warp, accesses are
//! wider, and as many bytes are under way. On an H200 a search for the two greatest of such rows is 2.8 times as fast in two warps as in eight
//! (docs/measurements.md, "Short rows are in few warps").
//!
//! The rule is for what was measured: reductions and scans of rows, of at most [`MOST_ELEMENTS`] elements for each thread of one warp, in programs that load
//! nothing in loops, where a warp that waits keeps others from nothing: the grid brings enough of them. With more than one warp the rows are those of a block
//! of two axes. Elements of a row are neighbours in memory. Updates of memory, histograms and gathers by number were not measured, nor were floats of 64 bits.

use crate::PassContext;
use crate::analysis::axis_flow::analyze;
use crate::control_flow::loop_depth;
use tk_ir::{Module, Op, OpKind, Type};
use tk_types::Residency;

/// Elements of the largest block that a thread has at most.
const MOST_ELEMENTS: u64 = 8;

/// The warps for rows that are reduced, in a kernel whose largest block has so many `elements`; `None` where it is none of these.
pub(super) fn warps_of_short_rows(module: &Module<'_>, ops: &[Op<'_>], elements: u64, cx: &PassContext) -> Option<u64> {
    let of_warp = MOST_ELEMENTS * u64::from(tk_target::WARP_SIZE);
    let enough = elements.div_ceil(of_warp).max(1).next_power_of_two();
    let reductions: Vec<Rows> =
        ops.iter().filter(|op| is_reduction(**op)).map(|op| Rows::of(*op)).collect::<Option<_>>()?;
    let are_in_warps = reductions.iter().all(|rows| rows.length <= of_warp && (enough == 1 || rows.are_of_block));
    // CTAs of one warp leave half of a multiprocessor's warps out, since there are at most 32. Rows that are whole in their warps anyway gain nothing that
    // pays for it.
    let asked = u64::from(cx.options.num_warps);
    let meet = reductions.iter().any(|rows| !rows.are_of_block || rows.number < asked);
    let are_short = !reductions.is_empty() && are_in_warps && (enough > 1 || meet) && brings_many(cx.options.residency);
    (are_short && !ops.iter().any(|op| is_other(*op)) && lie_side_by_side(module, elements)).then_some(enough)
}

/// What a reduction or a scan goes through.
struct Rows {
    length: u64,
    number: u64,
    /// They are the rows of a block of two axes.
    are_of_block: bool,
}

impl Rows {
    fn of(op: Op<'_>) -> Option<Self> {
        let shape = op.operand(0).ty().shape();
        let axis = usize::try_from(op.int_attr("axis")?).ok()?;
        let length = u64::try_from(*shape.get(axis)?).ok()?;
        let all = shape.iter().product::<i64>().unsigned_abs();
        Some(Self { length, number: all / length.max(1), are_of_block: shape.len() == 2 && axis == 1 })
    }
}

/// Elements of a row of each block of so many that is loaded are neighbours in memory. Of nine launches with rows across memory one takes 1.04 times as long.
fn lie_side_by_side(module: &Module<'_>, elements: u64) -> bool {
    module.functions().into_iter().all(|function| {
        let facts = analyze(function);
        let is_run = |load: &Op<'_>| facts.get(load.operand(0)).contiguity.last().is_some_and(|run| *run > 1);
        let is_block = |op: &Op<'_>| op.kind() == OpKind::TtLoad && op.result(0).ty().is_tensor();
        let is_whole = |op: &Op<'_>| op.result(0).ty().num_elements().unsigned_abs() == elements;
        function.descendants().into_iter().filter(|op| is_block(op) && is_whole(op)).all(|load| is_run(&load))
    })
}

/// The grid brings as many CTAs as are told apart, or more: the launches that were measured did.
fn brings_many(residency: Residency) -> bool {
    match residency {
        Residency::Any | Residency::One => false,
        Residency::AtMost(ctas) => u64::from(ctas) >= Residency::MOST_TOLD_APART,
        Residency::Many => true,
    }
}

fn is_reduction(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtReduce | OpKind::TtScan)
}

/// What was not measured.
fn is_other(op: Op<'_>) -> bool {
    let loads_in_loop = op.kind() == OpKind::TtLoad && loop_depth(op) > 0;
    is_unmeasured(op) || loads_in_loop
}

/// What was not measured in fewer warps, wherever it stands.
pub(super) fn is_unmeasured(op: Op<'_>) -> bool {
    let is_wide = |ty: Type<'_>| ty.is_tensor() && ty.element().is_float() && ty.element_bits() > 32;
    let is_of_other_kind = matches!(
        op.kind(),
        OpKind::TtAtomicRmw | OpKind::TtAtomicCas | OpKind::TtHistogram | OpKind::TtGather | OpKind::TtCall
    );
    is_of_other_kind || op.results().into_iter().any(|result| is_wide(result.ty()))
}
