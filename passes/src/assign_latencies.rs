//! Says which loads of a loop should run ahead of their users, and by how many iterations.
//!
//! Loads that feed matrix products are worth it: the product of one iteration is computed while the operands of later ones are under
//! way. With `num_stages` stages, a load may be `num_stages - 1` iterations ahead. In a loop that carries `tt.num_stages` itself
//! (`tl.range(…, num_stages=n)`), every load takes part.
//!
//! A load that can become an asynchronous copy waits in shared memory and costs no registers: blocks of descriptors, and what [`async_load`]
//! allows. One that cannot waits in registers, and is only one iteration ahead; a small one is as far ahead as the copies where
//! few warps run at a time ([`has_few_warps`]), since an iteration that is shorter than a load would wait for it. Small is what a thread has few
//! bytes of ([`FEW_REGISTER_BYTES`]), or few for all iterations that are under way ([`MOST_BYTES_AHEAD`]) where few registers are live: blocks
//! of f32 that are turned on their way to `wgmma`, in products of few rows. Operands of products by multiply-add are not live as a whole: threads read
//! them from shared memory as they need them ([measurements](../../docs/measurements.md#operands-of-multiply-adds-take-few-registers)).
//!
//! Products by `wgmma` leave registers between the end of one and the start of the next: numbers of rows or columns that fit there wait, too
//! ([`has_room_over_dots`]). Where there is no room, they become copies, however small they are, as long as no CTA less fits for it
//! ([`is_copyable_row`]). Beside copies by threads so do such numbers that operands are computed from and that take more than a few registers, and
//! blocks whose masked-out elements are not zero are copied, too, both where that costs no CTA ([`LoopWithRoom`]).
//!
//! Rows that are loaded by descriptors beside such blocks run ahead with them ([`rows_by_descriptors`]).
//!
//! Single numbers beside copies by threads, and few numbers of rows, become copies where then nothing waits in registers ([`numbers`]).
//!
//! Numbers of rows that the loop combines with results of its products, and which no product needs, wait in registers one iteration ahead, too, where
//! there is room ([`rows_of_results`]): with a product that is issued ahead they go along.
//!
//! Where the grid brings more CTAs than have room, and nothing is multiplied, a load of more masked elements than a thread has truth values does not wait
//! in registers: others compute while it is under way, and more of them have room where its masks are not kept for the next iteration.
//!
//! Loops without products in whose iterations warps meet for a reduction hold what the next iteration reduces in registers ([`loads_of_reductions`]).
//!
//! What a load's address is computed from may itself be loaded: pages of a table, experts, rows to gather. Such an index is small, so it
//! waits in registers, too, one iteration ahead of the load that needs it, and takes none of that load's iterations: with two stages
//! a page is copied one iteration ahead, and its number loaded two. Only an index that is too large for registers ([`is_index`]) becomes a
//! copy and shares the stages with the loads that need it.
//!
//! With more stages, the index takes one of them where the buffer it saves makes room for another CTA ([`LoopMemory`]).
//!
//! No load is further ahead than the loop has iterations, where it is known how many those are at most ([`LoopWithRoom`]).
//!
//! In loops like attention's, four stages are two iterations ahead and a buffer to spare ([`spares_a_buffer`]).
//!
//! Where shared memory is idle, or lets as many CTAs in with another buffer, copies go further ahead than the stages of the launch say
//! ([`CopyingLoop`]).
//!
//! Values of attention in f32, which lie in shared memory the other way round, are copied where one CTA has the multiprocessor ([`LoopOfValues`]).
//!
//! 1. Find the loads.  2. Leave out those that something in the loop may write to.  3. Write `tt.latency`.

mod numbers;

use self::numbers::Loads;
use crate::analysis::async_loads::{
    FEW_REGISTER_BYTES, MAX_REGISTER_BYTES, async_load, async_load_of_any_size, is_index, is_large, register_bytes,
};
use crate::analysis::copies_in_time::CopyingLoop;
use crate::analysis::copies_with_room::{LoopWithRoom, MoreCopies};
use crate::analysis::few_warps::has_few_warps;
use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::live_registers::{LiveRegisters, most_over_dots, registers};
use crate::analysis::loads_of_reductions::loads_of_reductions;
use crate::analysis::product_ahead::{is_row, is_row_load, product_ahead, readers_of};
use crate::analysis::rows_of_results::{is_computed_from, rows_of_results};
use crate::analysis::turned_values::LoopOfValues;
use crate::analysis::{self, AxisFacts};
use crate::attributes::{HELD, ISSUED_AHEAD, LATENCY, NUM_STAGES, SMALL_COPY, SPARE, TURNED_COPY, Threads};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::operations::is_dot;
use crate::operations::overlap::{Overlap, overlap};
use crate::repeat_comparisons::{PREDICATES, answers_of};
use crate::{Pass, PassContext, split_barriers};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Result;
use tk_ir::ops::{ForOp, LoadOp, WarpGroupDotOp};
use tk_ir::{Module, Op, OpKind, Type, Value};
use tk_types::Residency;

/// The pass.
pub const PASS: Pass =
    Pass { name: "assign-latencies", summary: "choose the loads that run ahead of their iteration", run };

/// Stages of which one may be spent on a buffer to spare: copies are still two iterations ahead.
const STAGES_WITH_SPARE: i64 = 4;
/// Bytes of a register.
const REGISTER_BYTES: u32 = 4;
/// Bytes per thread of all iterations of one load that are under way together, where few warps run at a time. On an H200 five of eleven kernels became
/// 2 to 15 % faster by small loads that are as far ahead as the copies, one 4 % slower; of three with more warps two became 2 and 5 % slower.
const MOST_BYTES_AHEAD: i64 = 128;
/// Registers of a thread that hold floats in a loop where such a load may wait. On an H200 five kernels of linear attention tell: at 88 they
/// are up to 8 % faster with it, at 104 to 124 up to 18 % slower.
const MOST_LIVE: u32 = 96;
/// Bytes per thread of all loads that wait in registers for the next iteration, where few warps run at a time and registers are plenty: an operand of
/// 64x64 f32 that four warps turn on its way to `wgmma`.
const MOST_BYTES_OF_FEW_WARPS: u32 = 128;
/// Registers of a thread that wait over products by `wgmma` for the next iteration.
const MOST_WAITING: u32 = 32;
/// More stages than fit any shared memory.
const MAX_STAGES: i64 = 16;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    for function in module.functions() {
        let loops: Vec<ForOp<'_>> = loops_of(function).collect();
        let mut facts = None;
        for view in loops.into_iter().filter(|view| can_be_pipelined(*view)) {
            let own = view.op.int_attr(NUM_STAGES);
            let stages = own.unwrap_or(i64::from(cx.options.num_stages)).min(MAX_STAGES);
            if stages > 1 {
                let facts = facts.get_or_insert_with(|| analysis::axis_info(function));
                assign(function, view, Stages { stages, every_load: own.is_some() }, facts, threads, cx);
            }
            if own.is_none() {
                for load in loads_of_reductions(function, view, threads, cx) {
                    load.set_attr(LATENCY, view.op.context().i32_attr(1));
                    load.set_attr(ISSUED_AHEAD, view.op.context().unit_attr());
                }
            }
        }
    }
    Ok(())
}

/// An innermost loop whose carried values all come from the iteration before, and in which threads do not meet on the user's order.
pub(crate) fn can_be_pipelined(view: ForOp<'_>) -> bool {
    let body = view.body();
    let is_obstacle = |op: Op<'_>| overlap(op.kind()) == Overlap::Obstacle;
    let from_this_iteration =
        |value: &Value<'_>| value.defining_op().is_some_and(|definition| definition.block() == Some(body));
    !view.unsigned_cmp()
        && view.yielded().iter().all(from_this_iteration)
        && !view.op.descendants().into_iter().skip(1).any(is_obstacle)
}

/// What the source says about a loop.
#[derive(Clone, Copy)]
struct Stages {
    stages: i64,
    /// Loads that no product needs run ahead, too.
    every_load: bool,
}

fn assign(function: Op<'_>, view: ForOp<'_>, said: Stages, facts: &AxisFacts, threads: Threads, cx: &PassContext) {
    let Stages { stages, every_load } = said;
    let mut levels = loads_by_level(view, every_load);
    let of_rows = rows_by_descriptors(view, &levels);
    levels.extend(of_rows);
    let writes = GlobalWrites::of(view.op);
    let may_run_ahead = |at: &LoadAt<'_>| !writes.may_change(at.load) && fits_in_ring(at.load);
    let chosen: Vec<LoadAt<'_>> = levels.into_iter().filter(may_run_ahead).collect();
    let (indices, blocks): (Vec<LoadAt<'_>>, Vec<LoadAt<'_>>) = chosen.iter().copied().partition(|at| at.is_index());
    let deepest = blocks.iter().map(|at| at.level).max().unwrap_or(0);
    let is_flat = deepest == 0 && indices.is_empty();
    let has_spare = is_flat && stages >= STAGES_WITH_SPARE && spares_a_buffer(view, &chosen, stages, cx);
    let ahead = (stages - 1 - i64::from(has_spare)) / (deepest + 1);
    copy_values(LoopOfValues { function, view, ahead, has_spare }, &blocks, facts, threads, cx);
    let is_copy = |load: &Op<'_>| match LoadOp::cast(*load) {
        Some(load) => async_load(load, facts, cx).is_some(),
        None => cx.target.has_tma(),
    };
    let (copies, others): (Vec<Op<'_>>, Vec<Op<'_>>) = blocks.iter().map(|at| at.load).partition(is_copy);
    let ahead = LoopWithRoom { function, view, copies: &copies, ahead, has_spare }.ahead_of_iterations(threads, cx);
    let indices: Vec<Op<'_>> = indices.iter().map(|at| at.load).collect();
    let memory = LoopMemory::of(function, view, &copies);
    let fewest = ((stages - 1) / (deepest + 2)).max(1);
    let makes_room = fewest < ahead && memory.ctas(fewest, threads, cx) > memory.ctas(ahead, threads, cx);
    let latency = if makes_room && !indices.is_empty() { fewest } else { ahead };
    let has_few_warps = has_few_warps(threads.num_warps, cx);
    let few_are_live = || LiveRegisters::of_floats_but_read_in_parts(function).peak(view.op) <= MOST_LIVE;
    let waits_long = |load: &Op<'_>, iterations: i64| {
        let bytes = i64::from(bytes_in_registers(*load));
        has_few_warps && bytes * iterations <= MOST_BYTES_AHEAD && few_are_live()
    };
    let room = LoopWithRoom { function, view, copies: &copies, ahead: latency, has_spare };
    let MoreCopies { more, others, ahead: latency } =
        room.more_copies(others, |load| waits_long(load, latency), facts, threads, cx);
    let ctas = |copies: &[Op<'_>]| LoopMemory::of(function, view, copies).ctas(latency, threads, cx);
    let gain = |all: &[Op<'_>]| CopyingLoop { function, view, copies: all }.gains(latency, facts, threads, cx);
    let loads = Loads { copies: [&copies[..], &more[..]].concat(), others, ahead: latency };
    let Loads { copies, others, .. } = loads.with_numbers(view, ctas, gain, facts, threads, cx);
    let multiplies = view.op.descendants().into_iter().any(is_dot);
    let others = if multiplies { others } else { without_many_masks(others, facts, cx) };
    let mut all = others.clone();
    let budget = cx.target.register_budget(threads.num_warps, 1);
    let most_bytes = most_in_registers(function, view, &others, budget, has_few_warps);
    let (indices, mut others) = those_with_room(indices, others, most_bytes, few_are_live);
    if has_room_over_dots(function, view, &all, budget) {
        others = all.clone();
    } else if holds_operand(view) {
        (others, all) = (Vec::new(), Vec::new());
    }
    let rows = all.into_iter().filter(|load| !others.contains(load)).filter(|load| is_copyable_row(*load, facts, cx));
    let copies = with_rows(copies, rows, ctas);
    let is_small = |load: &Op<'_>| bytes_in_registers(*load) <= FEW_REGISTER_BYTES || waits_long(load, latency);
    let (small, large): (Vec<Op<'_>>, Vec<Op<'_>>) = others.into_iter().partition(is_small);
    let is_far_ahead = has_few_warps || few_wait_beside_copies(&small, &copies) && few_are_live();
    let ahead_of_small = if is_far_ahead { latency } else { latency.min(1) };
    mark_small(&copies, &more);
    let product = product_ahead(function, view, budget)
        .filter(|_| latency > 0 && copies.iter().all(|load| load.kind() == OpKind::TtDescriptorLoad))
        .and_then(|dot| ProductAhead::of(view, dot, &copies, &chosen, &writes));
    if let Some(product) = &product {
        for op in product.ops() {
            op.set_attr(LATENCY, view.op.context().i32_attr(1));
            op.set_attr(ISSUED_AHEAD, view.op.context().unit_attr());
        }
    }
    let rows = if product.is_some() { Vec::new() } else { rows_ahead(function, view, &chosen, &writes, budget) };
    // They wait in registers. Without a product that runs meanwhile, so do the small ones that are one iteration ahead: behind the body they would
    // be needed at once.
    let first = rows.iter().chain(small.iter().filter(|_| !multiplies && ahead_of_small == 1));
    first.filter(|_| latency > 0).for_each(|load| load.set_attr(ISSUED_AHEAD, view.op.context().unit_attr()));
    // A loop's own stages are its author's word for this loop, and a buffer to spare is there instead of copies that are further ahead.
    let is_open = !every_load && latency == stages - 1;
    let copying = CopyingLoop { function, view, copies: &copies };
    let of_copies = if is_open { copying.iterations_ahead(latency, facts, threads, cx) } else { latency };
    let all = [(copies, of_copies), (indices, 1), (small, ahead_of_small), (large, latency.min(1)), (rows, 1)];
    for (loads, latency) in all {
        loads.into_iter().filter(|_| latency > 0).for_each(|load| put_ahead(load, latency, has_spare));
    }
}

/// Lets values that threads would turn be copied by elements, where that is better.
fn copy_values<'c>(
    candidate: LoopOfValues<'c>,
    blocks: &[LoadAt<'c>],
    facts: &AxisFacts,
    threads: Threads,
    cx: &PassContext,
) {
    let runs_ahead = |load: Op<'c>| blocks.iter().any(|at| at.load == load);
    for load in candidate.values(runs_ahead, facts, threads.num_warps, cx) {
        load.set_attr(TURNED_COPY, load.context().unit_attr());
    }
}

/// Says of rows, and of `more`, that they are copied although a block of their size, or with their masks, would not be.
fn mark_small(copies: &[Op<'_>], more: &[Op<'_>]) {
    for load in copies.iter().filter(|load| is_row(load.result(0).ty()) || more.contains(load)) {
        load.set_attr(SMALL_COPY, load.context().unit_attr());
    }
}

/// Lets a load run so many iterations ahead, perhaps with a buffer to spare.
fn put_ahead(load: Op<'_>, iterations: i64, has_spare: bool) {
    load.set_attr(LATENCY, load.context().i32_attr(iterations as i32));
    if has_spare {
        load.set_attr(SPARE, load.context().unit_attr());
    }
}

/// The loads wait in a register each, for every iteration, beside copies.
fn few_wait_beside_copies(small: &[Op<'_>], copies: &[Op<'_>]) -> bool {
    !copies.is_empty() && small.iter().all(|load| bytes_in_registers(*load) <= REGISTER_BYTES)
}

/// Loads but for those of which a thread has more answers of the mask than registers for truth values, where others compute meanwhile.
fn without_many_masks<'c>(mut loads: Vec<Op<'c>>, facts: &AxisFacts, cx: &PassContext) -> Vec<Op<'c>> {
    if cx.options.residency == Residency::Many {
        let mask_of = |load: &Op<'c>| LoadOp::cast(*load).and_then(LoadOp::mask);
        loads.retain(|load| mask_of(load).is_none_or(|mask| answers_of(mask, facts) <= PREDICATES));
    }
    loads
}

/// Numbers of rows that are combined with results of products, where a thread has registers for them over an iteration, of which it can have `budget`.
fn rows_ahead<'c>(
    function: Op<'c>,
    view: ForOp<'c>,
    chosen: &[LoadAt<'c>],
    writes: &GlobalWrites,
    budget: u32,
) -> Vec<Op<'c>> {
    let is_small = |op: &Op<'c>| bytes_in_registers(*op) <= FEW_REGISTER_BYTES;
    let is_chosen = |op: &Op<'c>| chosen.iter().any(|at| at.load == *op);
    let mut rows = rows_of_results(view, writes);
    rows.retain(|load| is_small(load) && !is_chosen(load));
    if has_room_over_dots(function, view, &rows, budget) { rows } else { Vec::new() }
}

/// Numbers of rows or columns that are loaded by descriptors beside blocks of products, and which no product needs: they are copied with the blocks.
fn rows_by_descriptors<'c>(view: ForOp<'c>, blocks: &[LoadAt<'c>]) -> Vec<LoadAt<'c>> {
    let is_by_descriptor = |op: &Op<'c>| op.kind() == OpKind::TtDescriptorLoad;
    if !blocks.iter().any(|at| is_by_descriptor(&at.load)) {
        return Vec::new();
    }
    let is_known = |op: &Op<'c>| blocks.iter().any(|at| at.load == *op);
    let is_new_row = |op: &Op<'c>| is_by_descriptor(op) && is_row(op.result(0).ty()) && !is_known(op);
    let is_source = |op: Op<'c>| is_dot(op) || is_load(op);
    let rows = view.body().ops().into_iter().filter(is_new_row).filter(|row| !is_computed_from(view, *row, is_source));
    rows.map(|load| LoadAt { load, is_below_load: false, level: 0 }).collect()
}

/// A number for each row or column that is copied where registers have no room for it: a thread that holds many columns would wait for as many
/// loads in every iteration.
fn is_copyable_row(load: Op<'_>, facts: &AxisFacts, cx: &PassContext) -> bool {
    let copies = |load: LoadOp<'_>| !is_large(load) && async_load_of_any_size(load, facts, cx).is_some();
    is_row(load.result(0).ty()) && LoadOp::cast(load).is_some_and(copies)
}

/// The copies, and `rows` with them, unless fewer CTAs fit then; `ctas` says how many fit beside so many copies.
fn with_rows<'c>(
    copies: Vec<Op<'c>>,
    rows: impl Iterator<Item = Op<'c>>,
    ctas: impl Fn(&[Op<'c>]) -> u32,
) -> Vec<Op<'c>> {
    let with_rows: Vec<Op<'c>> = copies.iter().copied().chain(rows).collect();
    let takes_rows = !copies.is_empty() && ctas(&with_rows) == ctas(&copies);
    if takes_rows { with_rows } else { copies }
}

/// A product that is issued ahead, with the rows that are combined with its result, which are loaded ahead, too.
struct ProductAhead<'c> {
    dot: Op<'c>,
    rows: Vec<Op<'c>>,
}

impl<'c> ProductAhead<'c> {
    fn of(
        view: ForOp<'c>,
        dot: WarpGroupDotOp<'c>,
        copies: &[Op<'c>],
        chosen: &[LoadAt<'c>],
        writes: &GlobalWrites,
    ) -> Option<Self> {
        let ops = view.body().ops();
        let own_loads = [dot.a(), dot.b()].into_iter().filter_map(|operand| loaded(view, operand));
        let are_copied = own_loads.into_iter().all(|load| copies.contains(&load));
        let is_chosen = |op: &Op<'c>| chosen.iter().any(|at| at.load == *op);
        let readers = readers_of(view, dot)?;
        let loads_late = |op: &&Op<'c>| op.kind() == OpKind::TtLoad && (is_chosen(op) || writes.may_change(**op));
        if !are_copied || readers.iter().any(|op| loads_late(&op)) {
            return None;
        }
        let is_small = |op: &Op<'c>| bytes_in_registers(*op) <= FEW_REGISTER_BYTES;
        let rows: Vec<Op<'c>> = ops
            .into_iter()
            .filter(|op| is_row_load(*op) && is_small(op) && !is_chosen(op) && !writes.may_change(*op))
            .collect();
        let waiting: u32 = rows.iter().map(|load| registers(load.result(0).ty())).sum();
        let rows = if waiting <= MOST_WAITING { rows } else { Vec::new() };
        Some(Self { dot: dot.op, rows })
    }

    fn ops(&self) -> impl Iterator<Item = Op<'c>> {
        self.rows.iter().copied().chain([self.dot])
    }
}

/// The load of the loop's body that an operand of a product is a buffer of.
fn loaded<'c>(view: ForOp<'c>, operand: Value<'c>) -> Option<Op<'c>> {
    let mut op = operand.defining_op().filter(|op| view.op.contains(*op))?;
    while !is_load(op) {
        op = op.operands().first()?.defining_op().filter(|op| view.op.contains(*op))?;
    }
    Some(op)
}

/// A block of 32 bits that products by `wgmma` read the other way round than it is loaded, so that threads turn it.
fn is_turned_operand(load: Op<'_>) -> bool {
    let users = load.result(0).users();
    let is_written = users.iter().all(|(user, _)| user.kind() == OpKind::TtgLocalAlloc);
    load.result(0).ty().element_bits() == 32 && is_written && !users.is_empty()
}

/// Bytes per thread that loads may hold in registers for the next iteration.
fn most_in_registers(function: Op<'_>, view: ForOp<'_>, loads: &[Op<'_>], budget: u32, has_few_warps: bool) -> u32 {
    let are_turned = has_few_warps && !loads.is_empty() && loads.iter().all(|load| is_turned_operand(*load));
    let are_plenty = are_turned && leaves_a_quarter(function, view, loads, budget);
    if are_plenty { MOST_BYTES_OF_FEW_WARPS } else { MAX_REGISTER_BYTES }
}

/// What `loads` give for the next iteration leaves a quarter of the registers that a thread can have to all else that does not hold floats.
fn leaves_a_quarter(function: Op<'_>, view: ForOp<'_>, loads: &[Op<'_>], budget: u32) -> bool {
    let waiting: u32 = loads.iter().map(|load| registers(load.result(0).ty())).sum();
    LiveRegisters::of_floats(function).peak(view.op) + waiting <= budget / 4 * 3
}

/// Of the loads that wait in registers those for which there is room: indices first, all of which wait when one does, since what waits for them
/// are copies. Where there is not room for all others, there is for what takes few registers, if few are live.
fn those_with_room<'c>(
    indices: Vec<Op<'c>>,
    others: Vec<Op<'c>>,
    most_bytes: u32,
    few_are_live: impl FnOnce() -> bool,
) -> (Vec<Op<'c>>, Vec<Op<'c>>) {
    let bytes_of = |loads: &[Op<'c>]| loads.iter().map(|load| bytes_in_registers(*load)).fold(0, u32::saturating_add);
    let (indices, mut left) = match most_bytes.checked_sub(bytes_of(&indices)) {
        Some(left) => (indices, left),
        None => (Vec::new(), most_bytes),
    };
    if bytes_of(&others) <= left {
        return (indices, others);
    }
    let most = if few_are_live() { FEW_REGISTER_BYTES } else { 0 };
    let fits = |load: &Op<'c>| {
        let bytes = bytes_in_registers(*load);
        let rest = left.checked_sub(bytes).filter(|_| bytes <= most);
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    (indices, others.into_iter().filter(fits).collect())
}

/// What `loads` give can wait in registers from the start of the body on, where the results of products by `wgmma` will fill others later. The
/// iteration before has the registers at its end, when those results are used up. Beside an operand that stays in registers over the loop there has to
/// be room for the next iteration's in all of this one, since loads go along with copies, wherever those are issued. A thread can have `budget` registers.
fn has_room_over_dots(function: Op<'_>, view: ForOp<'_>, loads: &[Op<'_>], budget: u32) -> bool {
    let ops = view.body().ops();
    let all: u32 = loads.iter().map(|load| registers(load.result(0).ty())).sum();
    let has_dots = ops.iter().any(|op| op.kind() == OpKind::TtngWarpGroupDot);
    if !has_dots || loads.is_empty() || all > MOST_WAITING || !loads.iter().all(|load| is_row(load.result(0).ty())) {
        return false;
    }
    let (live, most) = (LiveRegisters::of_floats(function), most_over_dots(view.body(), budget));
    let holds_operand = holds_operand(view);
    let waiting = |op: &Op<'_>| -> u32 {
        let later = loads.iter().filter(|load| op.is_before_in_block(**load));
        let own: u32 = later.map(|load| registers(load.result(0).ty())).sum();
        own + if holds_operand { all } else { 0 }
    };
    loads.iter().all(|load| load.block() == Some(view.body()))
        && ops.iter().all(|op| match waiting(op) {
            0 => true,
            waiting => live.at(*op) + waiting <= most,
        })
}

/// A left operand of the loop's products stays in registers (`hold-operands`). What waits for the next iteration then has to fit beside it, or is loaded
/// where it is needed.
fn holds_operand(view: ForOp<'_>) -> bool {
    let is_held = |value: Value<'_>| value.defining_op().is_some_and(|op| op.attr(HELD).is_some());
    view.body().ops().into_iter().any(|op| op.operands().into_iter().any(is_held))
}

/// Shared memory that a loop takes.
struct LoopMemory {
    /// Bytes of the blocks that one iteration copies.
    blocks: i64,
    /// Bytes of the operands that stay for the whole loop.
    operands: i64,
}

impl LoopMemory {
    fn of(function: Op<'_>, view: ForOp<'_>, copies: &[Op<'_>]) -> Self {
        let is_operand =
            |op: &Op<'_>| op.kind() == OpKind::TtgLocalAlloc && !view.op.contains(*op) && is_used_in(view, *op);
        let operands = function.descendants().into_iter().filter(is_operand).map(|op| bytes_of(op.result(0).ty()));
        Self {
            blocks: copies.iter().map(|load| block_bytes(*load)).fold(0, i64::saturating_add),
            operands: operands.fold(0, i64::saturating_add),
        }
    }

    /// CTAs that fit into a multiprocessor, when loads are so many iterations ahead and threads have all the registers they can have.
    fn ctas(&self, ahead: i64, threads: Threads, cx: &PassContext) -> u32 {
        cx.target.occupancy(cx.target.max_registers_per_thread(), self.bytes(ahead), threads.num_warps).ctas_per_sm
    }

    /// Warps that the buffers leave room for, whatever registers threads have.
    fn warps_beside(&self, ahead: i64, threads: Threads, cx: &PassContext) -> u32 {
        cx.target.occupancy(1, self.bytes(ahead), threads.num_warps).ctas_per_sm.saturating_mul(threads.num_warps)
    }

    fn bytes(&self, ahead: i64) -> u32 {
        let bytes = self.blocks.saturating_mul(ahead + 1).saturating_add(self.operands);
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}

/// The loop uses a buffer or a view of it.
fn is_used_in(view: ForOp<'_>, buffer: Op<'_>) -> bool {
    let mut pending = vec![buffer];
    let mut seen = FxHashSet::default();
    while let Some(op) = pending.pop() {
        if view.op.contains(op) {
            return true;
        }
        let views = op.results().into_iter().filter(|result| result.ty().memdesc().is_some());
        let users = views.flat_map(Value::users).map(|(user, _)| user);
        pending.extend(users.filter(|user| seen.insert(user.id())));
    }
    false
}

/// A loop of two products, the second of what is computed from the first, as in attention, whose CTA is not alone. With a buffer to spare its
/// threads may meet and copy while the second product of the iteration before still reads (`advance-waits`), which is worth more there
/// than a copy that is one iteration further ahead.
fn spares_a_buffer(view: ForOp<'_>, chosen: &[LoadAt<'_>], stages: i64, cx: &PassContext) -> bool {
    let body = view.body().ops();
    let dots: Vec<&Op<'_>> = body.iter().filter(|op| op.kind() == OpKind::TtngWarpGroupDot).collect();
    let [first, second] = dots[..] else { return false };
    let is_between = |op: &Op<'_>| op.block() == Some(view.body()) && first.is_before_in_block(*op);
    let mut pending = vec![second.operand(0)];
    let mut seen = FxHashSet::default();
    let mut is_chain = false;
    while let Some(op) = pending.pop().and_then(|value| value.defining_op()) {
        is_chain |= op == *first;
        if is_between(&op) && seen.insert(op.id()) {
            pending.extend(op.operands());
        }
    }
    let is_by_pointers = chosen.iter().all(|at| at.load.kind() == OpKind::TtLoad);
    let rings: i64 = chosen.iter().map(|at| block_bytes(at.load)).sum::<i64>().saturating_mul(stages);
    let is_in_registers = second.operand(0).ty().is_tensor();
    is_chain && is_in_registers && is_by_pointers && !split_barriers::is_alone(rings, cx)
}

fn bytes_in_registers(load: Op<'_>) -> u32 {
    LoadOp::cast(load).map_or(0, register_bytes)
}

/// Bytes of the block that a load gives.
fn block_bytes(load: Op<'_>) -> i64 {
    bytes_of(load.result(0).ty())
}

fn bytes_of(ty: Type<'_>) -> i64 {
    ty.num_elements().saturating_mul(i64::from(ty.element_bits().max(8))) / 8
}

/// TMA writes to multiples of so many bytes, and the buffers of a ring stand one behind the other.
const TMA_ALIGNMENT: i64 = 128;

/// The second buffer of a ring of such blocks lies where the load can write it.
fn fits_in_ring(load: Op<'_>) -> bool {
    load.kind() != OpKind::TtDescriptorLoad || block_bytes(load) % TMA_ALIGNMENT == 0
}

/// A load through pointers or by a descriptor.
fn is_load(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtLoad | OpKind::TtDescriptorLoad)
}

/// A load on the way to a product.
#[derive(Clone, Copy)]
struct LoadAt<'c> {
    load: Op<'c>,
    /// Another load is computed from it.
    is_below_load: bool,
    /// The loads between it and a product that are no [indices](is_index).
    level: i64,
}

impl LoadAt<'_> {
    fn is_index(self) -> bool {
        self.is_below_load && LoadOp::cast(self.load).is_some_and(is_index)
    }
}

/// A step back from a product.
#[derive(Clone, Copy)]
struct Step<'c> {
    value: Value<'c>,
    is_below_load: bool,
    level: i64,
}

/// The loads of a loop that products need, in order.
fn loads_by_level(view: ForOp<'_>, every_load: bool) -> Vec<LoadAt<'_>> {
    let body = view.body();
    let mut loads: FxHashMap<usize, LoadAt<'_>> = FxHashMap::default();
    let ops = body.ops();
    let first = |value| Step { value, is_below_load: false, level: 0 };
    let mut pending: Vec<Step<'_>> = Vec::new();
    for op in &ops {
        if is_dot(*op) {
            pending.extend(op.operands().into_iter().map(first));
        } else if every_load && is_load(*op) {
            pending.push(first(op.result(0)));
        }
    }
    // The level of a load is the longest way; a way has no more loads than the loop has operations.
    let mut seen: FxHashMap<usize, (bool, i64)> = FxHashMap::default();
    while let Some(Step { value, is_below_load, level }) = pending.pop() {
        let Some(op) = value.defining_op().filter(|op| op.block() == Some(body)) else { continue };
        let (was_below, known) = seen.get(&op.id()).copied().unwrap_or((false, -1));
        if known >= level && (was_below || !is_below_load) {
            continue;
        }
        let (is_below_load, level) = (was_below || is_below_load, known.max(level));
        seen.insert(op.id(), (is_below_load, level));
        let below = if is_load(op) {
            let at = LoadAt { load: op, is_below_load, level };
            loads.insert(op.id(), at);
            (true, level + i64::from(!at.is_index()))
        } else {
            (is_below_load, level)
        };
        let step = |value| Step { value, is_below_load: below.0, level: below.1 };
        // A branch also needs what is used inside of it.
        pending.extend(op.descendants().into_iter().flat_map(|inner| inner.operands()).map(step));
    }
    ops.iter().filter_map(|op| loads.get(&op.id()).copied()).collect()
}
