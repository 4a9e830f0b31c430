//! Loads that are ahead of their users become asynchronous copies into a ring of buffers.
//!
//! In the stage of the load: the next buffer of the ring, the copy, and a commit, which makes the copy a group. In the stage of its first user:
//! a wait for the groups of everything that stage reads, the buffer, and a read of it, unless the user takes its operand from shared
//! memory anyway. The body is not valid SSA until [`super::expand`] has taken the stages apart: a wait may stand before a copy.
//!
//! A ring has as many buffers as iterations are under way, one more for `wgmma`, which still reads one while the next copy starts, and one
//! more where `assign-latencies` wants one to spare; but not more than the loop has iterations where all copies stand before it ([`few_iterations`]).
//!
//! Copies write zeros where their mask is false. Where a load has another number there, a selection behind the read puts it in: its mask and the number
//! are from outside of the loop, the same in the stage of the read as in that of the copy.
//!
//! Who copies what of a row need not be who reads it ([`copied_rows`]).
//!
//! Copies of one stage stay in the order of their loads ([measurements](../../../docs/measurements.md#copies-stay-in-the-order-of-the-program)).

use super::copied_rows::{self, CopyOperands, RowLayout};
use super::{RingCounter, carry, few_iterations, first_of, next_place, set_stage, stage_of};
use crate::PassContext;
use crate::analysis::AxisFacts;
use crate::analysis::async_loads::{AsyncLoad, MaskedOut, async_load, is_index, transposed_fragments};
use crate::attributes::{ISSUED_AHEAD, MAX_STAGE, SPARE, Threads};
use crate::shared_encodings::{buffer_type, is_turnable, make_views_mutable, turned_view};
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Builder, Op, OpKind, OpSpec, Type, Value};

/// A loop whose loads are lowered.
pub(super) struct Lowered<'c> {
    pub(super) view: ForOp<'c>,
    /// The rings, in the order of their loads.
    pub(super) rings: Vec<Value<'c>>,
    /// Some rings are filled by `cp.async`.
    pub(super) has_groups: bool,
    /// Arrays of mbarriers, one for each buffer of a ring.
    pub(super) barriers: Vec<Value<'c>>,
}

/// A load to lower.
struct LoadAhead<'c> {
    load: LoadOp<'c>,
    plan: AsyncLoad,
    /// A layout for the copy that takes fewer instructions than that of the load.
    row: Option<RowLayout<'c>>,
    stage: u32,
    /// The first stage that uses it.
    use_stage: u32,
    buffers: u32,
}

pub(super) fn run<'c>(view: ForOp<'c>, facts: &AxisFacts, threads: Threads, cx: &PassContext) -> Lowered<'c> {
    let loads = view.body().ops().into_iter().filter_map(LoadOp::cast);
    let loads: Vec<LoadAhead<'c>> = loads.filter_map(|load| ahead(view, load, facts, threads, cx)).collect();
    let mut view = view;
    let mut rings = Vec::new();
    let mut counters: Vec<KnownCounter<'c>> = Vec::new();
    let mut reads: Vec<RingRead<'c>> = Vec::new();
    for ahead in &loads {
        let mut counted = |view: &mut ForOp<'c>, stage: u32| {
            let buffers = ahead.buffers;
            let known = counters.iter().find(|known| known.stage == stage && known.buffers == buffers);
            known.map(|known| known.place).unwrap_or_else(|| {
                let place = counter(view, stage, buffers).place;
                counters.push(KnownCounter { stage, buffers, place });
                place
            })
        };
        let insert = counted(&mut view, ahead.stage);
        let extract = counted(&mut view, ahead.use_stage);
        let as_loaded = CopyOperands::of(ahead.load, &ahead.plan);
        let as_row = ahead.row.and_then(|row| as_loaded.in_layout(&mut view, row));
        let ring = make_ring(view, ahead);
        let group = copy(ahead, as_row.unwrap_or(as_loaded), ring, insert);
        let first = read(ahead, ring, extract);
        reads.push(RingRead { stage: ahead.use_stage, token: group.result(0), first });
        rings.push(ring);
        ahead.load.op.erase();
        if as_row.is_some() {
            copied_rows::delete_unused(view, as_loaded.values());
        }
    }
    add_waits(&reads);
    Lowered { view, has_groups: !rings.is_empty(), rings, barriers: Vec::new() }
}

fn ahead<'c>(
    view: ForOp<'c>,
    load: LoadOp<'c>,
    facts: &AxisFacts,
    threads: Threads,
    cx: &PassContext,
) -> Option<LoadAhead<'c>> {
    let body = view.body();
    let stage = stage_of(load.op)?;
    let users: Vec<Op<'c>> = load.result().users().into_iter().filter_map(|(user, _)| user.ancestor_in(body)).collect();
    let last = view.op.int_attr(MAX_STAGE)? as u32;
    let use_stage = users.iter().map(|user| stage_of(*user).unwrap_or(last)).min()?;
    // What is used before the last stage is what another load is computed from.
    let is_of_index = use_stage < last && is_index(load);
    // Rows that are combined with a product issued ahead wait in registers.
    let stays = use_stage <= stage || is_of_index || load.op.attr(ISSUED_AHEAD).is_some();
    let plan = if stays { None } else { async_load(load, facts, cx) }?;
    let is_wgmma_operand = users.iter().any(|user| user.kind() == OpKind::TtgLocalAlloc);
    let is_spare = load.op.attr(SPARE).is_some();
    let wanted = use_stage - stage + u32::from(is_wgmma_operand) + u32::from(is_spare);
    let buffers = few_iterations::buffers_of_ring(view, last.saturating_sub(stage), wanted);
    let row = RowLayout::of(load, &plan, facts, threads);
    Some(LoadAhead { load, plan, row, stage, use_stage, buffers })
}

/// A number that counts through the buffers of a ring, one per iteration.
struct KnownCounter<'c> {
    /// The stage that uses it.
    stage: u32,
    buffers: u32,
    /// What it is in an iteration.
    place: Value<'c>,
}

/// A read of a ring.
struct RingRead<'c> {
    stage: u32,
    /// The group of the copy that fills the buffer.
    token: Value<'c>,
    /// The first operation of the read.
    first: Op<'c>,
}

/// Lets a loop carry a number that counts through the buffers of a ring, one per iteration.
pub(super) fn counter<'c>(view: &mut ForOp<'c>, stage: u32, buffers: u32) -> RingCounter<'c> {
    let before_first = Builder::before(view.op).i32(-1);
    let (index, current) = carry(view, before_first);
    let mut inside = Builder::at_start(view.body(), view.op.loc());
    let counter = next_place(&mut inside, current, buffers);
    view.yield_op().set_operand(index, counter.place);
    let new = std::iter::successors(view.body().ops().first().copied(), |op| {
        Some(*op).filter(|op| Some(*op) != counter.place.defining_op())?.next()
    });
    new.for_each(|op| set_stage(op, stage));
    counter
}

fn make_ring<'c>(view: ForOp<'c>, ahead: &LoadAhead<'c>) -> Value<'c> {
    let ty = ahead.load.result().ty();
    let mut shape = vec![i64::from(ahead.buffers)];
    shape.extend(ty.shape());
    let ring = buffer_type(ty.context(), &shape, ty.element(), &ahead.plan.layout, true);
    let mut outside = Builder::before(view.op).with_location(ahead.load.op.loc());
    outside.create(OpKind::TtgLocalAlloc, &[], &[ring], &[]).result(0)
}

/// One buffer of a ring.
fn view_of<'c>(builder: &mut Builder<'c>, ahead: &LoadAhead<'c>, ring: Value<'c>, index: Value<'c>) -> Op<'c> {
    builder.create(OpKind::TtgMemDescIndex, &[ring, index], &[one_buffer(ahead)], &[])
}

fn one_buffer<'c>(ahead: &LoadAhead<'c>) -> Type<'c> {
    let ty = ahead.load.result().ty();
    buffer_type(ty.context(), &ty.shape(), ty.element(), &ahead.plan.layout, true)
}

/// The copy in the place of the load; gives its group, whose token is waited for.
fn copy<'c>(ahead: &LoadAhead<'c>, given: CopyOperands<'c>, ring: Value<'c>, index: Value<'c>) -> Op<'c> {
    let load = ahead.load;
    let context = load.op.context();
    let mut builder = Builder::before(load.op);
    let target = view_of(&mut builder, ahead, ring, index);
    let operands: Vec<Value<'c>> =
        [Some(given.pointers), Some(target.result(0)), given.mask, given.other].into_iter().flatten().collect();
    let segments = [1, 1, given.mask.is_some().into(), given.other.is_some().into()];
    let mut spec = OpSpec::new(OpKind::TtgAsyncCopyGlobalToLocal)
        .operands(&operands)
        .results(&[context.token()])
        .attr("operandSegmentSizes", context.i32_array(&segments))
        .attr("contiguity", context.i32_attr(given.width as i32));
    for name in ["cache", "evict", "isVolatile", "cachePolicy"] {
        if let Some(value) = load.op.attr(name) {
            spec = spec.attr(name, value);
        }
    }
    let copy = builder.insert(spec);
    let group = builder.create(OpKind::TtgAsyncCommitGroup, &[copy.result(0)], &[context.token()], &[]);
    [target, copy, group].into_iter().for_each(|op| set_stage(op, ahead.stage));
    group
}

/// Lets the users of a load read its buffer; gives the first operation that does.
fn read<'c>(ahead: &LoadAhead<'c>, ring: Value<'c>, index: Value<'c>) -> Op<'c> {
    let mut builder = Builder::after(ahead.load.op);
    let source = view_of(&mut builder, ahead, ring, index);
    set_stage(source, ahead.use_stage);
    let buffer = source.result(0);
    for (user, _) in ahead.load.result().users() {
        if user.kind() == OpKind::TtgLocalAlloc && reads_in_place(user, ahead) {
            let memory = user.result(0);
            memory.replace_all_uses_with(buffer);
            make_views_mutable(buffer);
            user.erase();
        } else if user.kind() == OpKind::TtgConvertLayout {
            let loaded = local_load(buffer, user.result(0).ty(), user, ahead);
            user.result(0).replace_all_uses_with(loaded);
            user.erase();
        } else if let Some(fragments) = transposed_fragments(user).filter(|_| is_turnable(&ahead.plan.layout)) {
            let view = transposed_view(buffer, user, ahead);
            for fragment in fragments {
                let loaded = local_load(view, fragment.result(0).ty(), fragment, ahead);
                fragment.result(0).replace_all_uses_with(loaded);
                fragment.erase();
            }
            user.erase();
        }
    }
    if let Some((first, _)) = ahead.load.result().users().into_iter().last() {
        let anchor = ahead.load.op.next().unwrap_or(first);
        let loaded = local_load(buffer, ahead.load.result().ty(), anchor, ahead);
        if let Some(op) = loaded.defining_op() {
            op.move_after(source);
        }
        let value = match ahead.plan.masked_out {
            MaskedOut::Zeros => loaded,
            MaskedOut::Selected => selected(loaded, ahead),
        };
        ahead.load.result().replace_all_uses_with(value);
    }
    source
}

/// What was read, with the number of the load where its mask is false.
fn selected<'c>(read: Value<'c>, ahead: &LoadAhead<'c>) -> Value<'c> {
    let (Some(mask), Some(other)) = (ahead.load.mask(), ahead.load.other()) else { return read };
    let value = Builder::after_value(read).with_location(ahead.load.op.loc()).select(mask, read, other);
    if let Some(op) = value.defining_op() {
        set_stage(op, ahead.use_stage);
    }
    value
}

/// The user's own buffer has the layout of the ring and is read in the stage that the ring is made for.
fn reads_in_place(alloc: Op<'_>, ahead: &LoadAhead<'_>) -> bool {
    let same_layout = alloc.result(0).ty().layout().as_deref() == Some(&ahead.plan.layout);
    same_layout && stage_of(alloc).is_none_or(|stage| stage == ahead.use_stage)
}

/// The buffer read the other way round, where `transposition` stands.
fn transposed_view<'c>(buffer: Value<'c>, transposition: Op<'c>, ahead: &LoadAhead<'c>) -> Value<'c> {
    let mut builder = Builder::before(in_body(transposition, ahead)).with_location(ahead.load.op.loc());
    let view = turned_view(&mut builder, buffer, &ahead.plan.layout, transposition.result(0).ty());
    if let Some(op) = view.defining_op() {
        set_stage(op, ahead.use_stage);
    }
    view
}

/// The operation of the loop's body that `user` is, or is in. A branch comes behind the copies that may overwrite the buffer, so what is used in
/// it is read before it.
fn in_body<'c>(user: Op<'c>, ahead: &LoadAhead<'c>) -> Op<'c> {
    ahead.load.op.block().and_then(|body| user.ancestor_in(body)).unwrap_or(user)
}

/// The buffer in registers.
fn local_load<'c>(buffer: Value<'c>, ty: Type<'c>, before: Op<'c>, ahead: &LoadAhead<'c>) -> Value<'c> {
    let mut builder = Builder::before(in_body(before, ahead)).with_location(ahead.load.op.loc());
    let load = builder.create(OpKind::TtgLocalLoad, &[buffer], &[ty], &[]);
    set_stage(load, ahead.use_stage);
    load.result(0)
}

/// One wait per stage, before the first read in it, for all groups that are read in it.
fn add_waits(reads: &[RingRead<'_>]) {
    let mut stages: Vec<u32> = reads.iter().map(|read| read.stage).collect();
    stages.sort_unstable();
    stages.dedup();
    for stage in stages {
        let of_stage: Vec<_> = reads.iter().filter(|read| read.stage == stage).collect();
        let tokens: Vec<Value<'_>> = of_stage.iter().map(|read| read.token).collect();
        let first = first_of(of_stage.iter().map(|read| read.first));
        let Some(first) = first else { continue };
        let context = first.context();
        let num = ("num", context.i32_attr(0));
        let wait = Builder::before(first).create(OpKind::TtgAsyncWait, &tokens, &[context.token()], &[num]);
        set_stage(wait, stage);
    }
}
