//! Copies what products behind an inner loop read, where it would be loaded into registers first.
//!
//! The pipeliner overlaps innermost loops. A loop around one of these has no pipeline of its own, and what its own products multiply is loaded into
//! registers, written to shared memory and waited for before each product. An attention whose heads are cut into parts has such a loop: the inner one
//! sums the scores over the parts, and behind it each part of the values is a product of its own. Its threads waited for memory once per part.
//!
//! Behind the inner loop its rings are free and no copy is under way. So the blocks are copied (`cp.async`) to their buffers there, all of them,
//! and come while threads compute the left operand. One wait stands before the first product, with a fence and the barrier that `insert-barriers`
//! adds. Copies take no registers on the way.
//!
//! The wait says that it stands behind the words of the left operand ([`BEHIND_WORDS`]). Nothing else keeps ptxas from moving it, with the barrier, before
//! the arithmetic ([measurements](../../../docs/measurements.md#operands-behind-an-inner-loop-are-copied)).
//!
//! The copies take the masks of the loads, and write zeros where these are false. They read global memory earlier than the loads did: nothing in between may
//! write to it, or order accesses to it, and nothing in the function may write to what they read. The buffers live longer, which may cost no CTA.
//! Pieces that are not as wide as a copy can be stay loads, which threads can make wider in shared memory. Loops whose floats do not fit into
//! registers at the first product stay as they are: ptxas spills there and finishes each product before the next, wherever the wait stands.
//!
//! Outside of loops, blocks that products of a [chain](chains) read are copied one product early.
//!
//! 1. Find the end of the last copies in the body of a loop.  2. Collect the loads behind it that products alone read.  3. Ask for room.
//! 4. Copy, and wait before the first product.

mod chains;

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::async_loads::{AsyncLoad, MaskedOut, async_load};
use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::live_registers::LiveRegisters;
use crate::analysis::shared_buffers::{Points, views_of};
use crate::analysis::shared_room::SharedRoom;
use crate::analysis::{AxisFacts, axis_info};
use crate::attributes::BEHIND_WORDS;
use crate::control_flow::{first_of, is_movable_arithmetic, loops_of, with_operands};
use crate::convert_to_ttg::require_ttg;
use crate::hoist_unchanged_loads::leaves_memory_alone;
use crate::operations::control::{Control, control};
use crate::operations::memory::is_view;
use crate::shared_encodings::make_views_mutable;
use crate::{Pass, PassContext};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::ops::{ForOp, LoadOp, WarpGroupDotOp};
use tk_ir::{Block, Builder, MemDesc, Module, Op, OpKind, OpSpec, Value};

/// The pass.
pub const PASS: Pass = Pass {
    name: "copy-operands",
    summary: "copy what products behind an inner loop or in a chain read, while threads compute",
    run,
};

/// Bytes that one copy moves.
const COPY_BYTES: u32 = 16;
/// Blocks behind one inner loop, at least: `hoist-loads` issues the load of a single one early enough.
const LEAST_OPERANDS: usize = 2;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = require_ttg(module)?.num_warps;
    // A check of an access stands before the access.
    if cx.options.sanitize.is_on() {
        return Ok(());
    }
    for function in module.functions() {
        chains::copy_along_chain(function, num_warps, cx)?;
        let drains: Vec<Drain<'_>> = loops_of(function).filter_map(Drain::of).collect();
        if drains.is_empty() {
            continue;
        }
        let known = Known { facts: axis_info(function), writes: GlobalWrites::of(function), cx };
        // Facts are about values that are there before anything is copied.
        let plans: Vec<CopiedOperands<'_>> =
            drains.into_iter().filter_map(|drain| CopiedOperands::of(drain, &known)).collect();
        let live = LiveRegisters::of_floats_once(function);
        let budget = cx.target.register_budget(num_warps, 1);
        let fitting: Vec<CopiedOperands<'_>> =
            plans.into_iter().filter(|copied| live.at(copied.first) <= budget).collect();
        for copied in fitting {
            if copied.have_room(function, num_warps, cx)? {
                copied.apply();
            }
        }
    }
    Ok(())
}

/// What is asked about each load.
struct Known<'a> {
    facts: AxisFacts,
    writes: GlobalWrites,
    cx: &'a PassContext,
}

/// The end of the pipeline of an inner loop, in the body of the loop around it.
struct Drain<'c> {
    view: ForOp<'c>,
    /// The last operation of the end: copies may start behind it.
    place: Op<'c>,
}

impl<'c> Drain<'c> {
    /// `None` where copies start behind the last wait, or products of the inner loop may still read its rings.
    fn of(view: ForOp<'c>) -> Option<Self> {
        let ops = view.body().ops();
        let mut copying = ops.iter().rev().filter(|op| op.descendants().into_iter().any(is_of_copies));
        let wait = *copying.next().filter(|op| op.kind() == OpKind::TtgAsyncWait && op.int_attr("num") == Some(0))?;
        copying.next().filter(|inner| inner.kind() == OpKind::ScfFor)?;
        let is_free = |op: &Op<'c>| op.kind() == OpKind::TtgLocalDealloc;
        let end = std::iter::successors(wait.next(), |op| op.next())
            .take_while(|op| is_free(op) || is_movable_arithmetic(*op))
            .filter(is_free)
            .last();
        let place = end.unwrap_or(wait);
        products_are_over(place).then_some(Self { view, place })
    }
}

/// A copy by threads, a group of them, or a wait for some.
fn is_of_copies(op: Op<'_>) -> bool {
    use OpKind::*;
    matches!(op.kind(), TtgAsyncWait | TtgAsyncCopyGlobalToLocal | TtgAsyncCommitGroup | TtngAsyncCopyMbarrierArrive)
}

/// There is a product in the block before `place`, and the last thing before `place` is the wait for all products.
fn products_are_over(place: Op<'_>) -> bool {
    let is_of_products = |op: &Op<'_>| matches!(op.kind(), OpKind::TtngWarpGroupDot | OpKind::TtngWarpGroupDotWait);
    let before = std::iter::successors(Some(place), |op| op.prev());
    let last = before.flat_map(|op| op.descendants().into_iter().rev()).find(is_of_products);
    last.is_some_and(|op| op.kind() == OpKind::TtngWarpGroupDotWait && op.int_attr("pendings") == Some(0))
}

/// A block that is loaded for products alone.
struct Operand<'c> {
    load: LoadOp<'c>,
    plan: AsyncLoad,
    /// The buffer that it is written to.
    alloc: Op<'c>,
    /// The products that read it.
    products: Vec<WarpGroupDotOp<'c>>,
}

impl<'c> Operand<'c> {
    /// What is loaded is read by products of the same block, `body`, and by nothing else.
    fn of(load: LoadOp<'c>, body: Block<'c>, known: &Known<'_>) -> Option<Self> {
        let plan = async_load(load, &known.facts, known.cx)?;
        let element_bits = load.result().ty().element_bits();
        let is_whole = plan.masked_out == MaskedOut::Zeros && plan.width * element_bits == 8 * COPY_BYTES;
        let [(alloc, _)] = load.result().users()[..] else { return None };
        let is_buffer = alloc.kind() == OpKind::TtgLocalAlloc && alloc.block() == Some(body);
        let lies_so = || alloc.result(0).ty().layout().is_some_and(|layout| *layout == plan.layout);
        if !is_whole || !is_buffer || !lies_so() || known.writes.may_change(load.op) {
            return None;
        }
        let readers = views_of(alloc.result(0)).into_iter().flat_map(|view| view.users());
        let readers: Vec<Op<'c>> = readers.map(|(user, _)| user).filter(|user| !is_view(*user)).collect();
        let is_reader = |op: &Op<'c>| {
            let reads = matches!(op.kind(), OpKind::TtngWarpGroupDot | OpKind::TtngWarpGroupDotWait);
            reads && op.block() == Some(body)
        };
        let products: Vec<WarpGroupDotOp<'c>> = readers
            .iter()
            .all(is_reader)
            .then(|| readers.iter().filter_map(|op| WarpGroupDotOp::cast(*op)).collect())?;
        Some(Self { load, plan, alloc, products })
    }
}

/// The blocks that are copied behind the end of one inner loop.
struct CopiedOperands<'c> {
    place: Op<'c>,
    operands: Vec<Operand<'c>>,
    /// The loads with what they are computed from behind the place, in order.
    moved: Vec<Op<'c>>,
    /// The first product that reads one of them.
    first: Op<'c>,
}

impl<'c> CopiedOperands<'c> {
    fn of(drain: Drain<'c>, known: &Known<'_>) -> Option<Self> {
        let passed = std::iter::successors(drain.place.next(), |op| op.next()).take_while(|op| lets_copies_pass(*op));
        let body = drain.view.body();
        let can_move = |load: &LoadOp<'c>| with_operands(body, vec![load.op], drain.place).is_some();
        let operands: Vec<Operand<'c>> = passed
            .filter_map(LoadOp::cast)
            .filter(can_move)
            .filter_map(|load| Operand::of(load, body, known))
            .collect();
        let first = first_of(operands.iter().flat_map(|operand| &operand.products).map(|product| product.op))?;
        let computes_meanwhile =
            WarpGroupDotOp::cast(first).is_some_and(|dot| is_computed_behind(dot.a(), drain.place));
        if operands.len() < LEAST_OPERANDS || !computes_meanwhile {
            return None;
        }
        let loads = operands.iter().map(|operand| operand.load.op).collect();
        let moved = with_operands(body, loads, drain.place)?;
        Some(Self { place: drain.place, operands, moved, first })
    }

    /// The buffers live from the place on, and no CTA is lost by it.
    fn have_room(&self, function: Op<'c>, num_warps: u32, cx: &PassContext) -> Result<bool> {
        let buffers = buffers_of_module(function)?;
        let start = Points::of(function).range(self.place).end().saturating_add(1);
        let mut with = buffers.clone();
        for buffer in &mut with {
            if self.operands.iter().any(|operand| operand.alloc == buffer.op) {
                buffer.live = start.min(*buffer.live.start())..=*buffer.live.end();
            }
        }
        Ok(SharedRoom::of(function, num_warps, cx).allows(total_bytes(&buffers), total_bytes(&with)))
    }

    fn apply(self) {
        let operands: FxHashMap<usize, &Operand<'c>> =
            self.operands.iter().map(|operand| (operand.load.op.id(), operand)).collect();
        let mut groups = Vec::with_capacity(operands.len());
        let mut last = self.place;
        for op in self.moved {
            op.move_after(last);
            last = match operands.get(&op.id()) {
                Some(operand) => {
                    let group = copy(operand);
                    groups.push(group.result(0));
                    group
                }
                None => op,
            };
        }
        let wait = wait_before(self.first, &groups, 0);
        wait.set_attr(BEHIND_WORDS, wait.context().unit_attr());
    }
}

/// What stands here may run while blocks are copied: nothing writes to global memory, or orders accesses to it.
fn lets_copies_pass(op: Op<'_>) -> bool {
    let is_volatile = LoadOp::cast(op).is_some_and(|load| load.is_volatile());
    control(op.kind()) == Control::Plain && !is_volatile && leaves_memory_alone(op)
}

/// The value stands in registers, and threads compute it behind `place`.
fn is_computed_behind<'c>(value: Value<'c>, place: Op<'c>) -> bool {
    let made = value.defining_op().filter(|op| op.block() == place.block() && place.is_before_in_block(*op));
    value.ty().is_tensor() && made.is_some_and(|op| op.kind() != OpKind::TtgLocalLoad)
}

/// Copies in the place of the load, to a buffer in the place of the one that holds what is loaded; gives the group of the copy.
fn copy<'c>(operand: &Operand<'c>) -> Op<'c> {
    let load = operand.load;
    let context = load.op.context();
    let mut builder = Builder::after(load.op);
    let old = operand.alloc.result(0);
    let ty = old.ty().memdesc().map_or(old.ty(), |parts| context.memdesc(&MemDesc { mutable: true, ..parts }));
    let buffer = builder.create(OpKind::TtgLocalAlloc, &[], &[ty], &[]).result(0);
    let given = [Some(load.ptr()), Some(buffer), load.mask(), load.other()];
    let segments = [1, 1, load.mask().is_some().into(), load.other().is_some().into()];
    let mut spec = OpSpec::new(OpKind::TtgAsyncCopyGlobalToLocal)
        .operands(&given.into_iter().flatten().collect::<Vec<_>>())
        .results(&[context.token()])
        .attr("operandSegmentSizes", context.i32_array(&segments))
        .attr("contiguity", context.i32_attr(operand.plan.width as i32));
    for name in ["cache", "evict", "isVolatile", "cachePolicy"] {
        if let Some(value) = load.op.attr(name) {
            spec = spec.attr(name, value);
        }
    }
    let copy = builder.insert(spec);
    let group = builder.create(OpKind::TtgAsyncCommitGroup, &[copy.result(0)], &[context.token()], &[]);
    old.replace_all_uses_with(buffer);
    make_views_mutable(buffer);
    operand.alloc.erase();
    load.op.erase();
    group
}

/// Waits for copies before the product, but not for the `pending` groups that were started last. Each thread makes what it has copied visible to
/// `wgmma`, before all threads meet.
fn wait_before<'c>(product: Op<'c>, groups: &[Value<'c>], pending: usize) -> Op<'c> {
    let mut builder = Builder::before(product);
    let context = product.context();
    let num = ("num", context.i32_attr(pending as i32));
    let wait = builder.create(OpKind::TtgAsyncWait, groups, &[context.token()], &[num]);
    builder.insert(OpSpec::new(OpKind::TtngFenceAsyncShared).attr("bCluster", context.bool_attr(false)));
    wait
}
