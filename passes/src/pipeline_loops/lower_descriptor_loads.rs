//! Loads by descriptors that are ahead of their users become copies by TMA into rings of buffers.
//!
//! Loads of one stage whose first users stand together share one `mbarrier` per buffer, which counts the bytes of all of them. In the stage
//! of the loads: the first thread says how many bytes will come, and the copies start. In the stage of the users: a wait for the phase
//! of the barrier, and views of the buffers. A barrier is used again each time round its ring, so the phase to wait for changes with every round.
//!
//! Rings have as many buffers as iterations are under way, and one more for `wgmma` that still reads one while the next copy starts, as in
//! [`super::lower_loads`]. A product on whose result the iteration computes is done before the copies, which come last: its ring has none more,
//! but where groups of warps take several turns in an iteration.

use super::RingCounter;
use super::lower_loads::{Lowered, counter};
use super::{carry, first_of, set_stage, stage_of};
use crate::analysis::product_ahead::is_row;
use crate::attributes::{ISSUED_AHEAD, MAX_STAGE, NUM_WARPS};
use crate::operations::is_dot;
use crate::shared_encodings::buffer_type;
use crate::tma_lowering::{
    block_buffer, bytes_of, copy_to_shared, expect, init_barrier, mbarriers, read_by_users, reads_in_place, wait,
};
use tk_diag::Result;
use tk_ir::ops::{DescriptorLoadOp, ForOp};
use tk_ir::{Builder, Op, OpKind, Type, Value};

/// Warps of two groups.
const WARPS_OF_TURNS: i64 = 8;

/// A load to lower.
struct DescriptorLoadAhead<'c> {
    load: DescriptorLoadOp<'c>,
    /// The type of one buffer of its ring.
    buffer: Type<'c>,
    stage: u32,
    /// The first stage that uses it.
    use_stage: u32,
    /// The first operation that needs its elements.
    first_user: Op<'c>,
    /// `wgmma` may still read its buffer when the copies of the iteration start.
    read_during_copies: bool,
}

impl DescriptorLoadAhead<'_> {
    fn buffers(&self) -> u32 {
        self.use_stage - self.stage + u32::from(self.read_during_copies)
    }
}

/// Loads that one barrier waits for.
struct BarrierGroup<'c> {
    loads: Vec<DescriptorLoadAhead<'c>>,
    rounds: Rounds,
}

/// How rings are filled and read. Groups with the same rounds are at the same position in their rings.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Rounds {
    stage: u32,
    use_stage: u32,
    buffers: u32,
}

/// Where a group is in its rings.
#[derive(Clone, Copy)]
struct RingPosition<'c> {
    insert: Value<'c>,
    extract: Value<'c>,
    phase: Value<'c>,
}

pub(super) fn run(mut lowered: Lowered<'_>) -> Result<Lowered<'_>> {
    let mut positions: Vec<(Rounds, RingPosition<'_>)> = Vec::new();
    for group in groups(lowered.view)? {
        let known = positions.iter().find(|(known, _)| *known == group.rounds).map(|(_, position)| *position);
        let position = known.unwrap_or_else(|| position(&mut lowered.view, group.rounds));
        positions.push((group.rounds, position));
        let barriers = make_barriers(lowered.view, &group);
        lowered.barriers.push(barriers);
        lower(lowered.view, &group, barriers, &position, &mut lowered.rings)?;
        group.loads.iter().for_each(|ahead| ahead.load.op.erase());
    }
    Ok(lowered)
}

/// The loads of a loop by the barriers they will count at: those in the same stages with no product between their first users. Numbers of rows and
/// columns, which results of products are combined with, count where blocks of their stages do.
fn groups(view: ForOp<'_>) -> Result<Vec<BarrierGroup<'_>>> {
    let body = view.body().ops();
    let last = view.op.int_attr(MAX_STAGE).and_then(|last| u32::try_from(last).ok()).unwrap_or(0);
    let loads = body.iter().filter_map(|op| DescriptorLoadOp::cast(*op));
    let loads: Vec<DescriptorLoadAhead<'_>> =
        loads.filter_map(|load| ahead(view, load, last).transpose()).collect::<Result<_>>()?;
    let mut groups: Vec<(Option<usize>, BarrierGroup<'_>)> = Vec::new();
    for ahead in loads {
        let user = body.iter().position(|op| *op == ahead.first_user).unwrap_or(0);
        let dot = body[user..].iter().position(|op| is_dot(*op)).map(|offset| user + offset);
        let is_row = is_row(ahead.load.result().ty());
        let same = |(of, group): &&mut (Option<usize>, BarrierGroup<'_>)| {
            let stages = group.rounds.stage == ahead.stage && group.rounds.use_stage == ahead.use_stage;
            stages && (*of == dot || is_row)
        };
        match groups.iter_mut().find(same) {
            Some((_, group)) => {
                group.rounds.buffers = group.rounds.buffers.max(ahead.buffers());
                group.loads.push(ahead);
            }
            None => {
                let rounds = Rounds { stage: ahead.stage, use_stage: ahead.use_stage, buffers: ahead.buffers() };
                groups.push((dot, BarrierGroup { loads: vec![ahead], rounds }));
            }
        }
    }
    Ok(groups.into_iter().map(|(_, group)| group).collect())
}

fn ahead<'c>(view: ForOp<'c>, load: DescriptorLoadOp<'c>, last: u32) -> Result<Option<DescriptorLoadAhead<'c>>> {
    let body = view.body();
    let stage_or_last = |op: &Op<'c>| stage_of(*op).unwrap_or(last);
    let users: Vec<Op<'c>> = load.result().users().into_iter().filter_map(|(user, _)| user.ancestor_in(body)).collect();
    let (Some(stage), Some(use_stage)) = (stage_of(load.op), users.iter().map(stage_or_last).min()) else {
        return Ok(None);
    };
    let buffer = block_buffer(load.desc(), load.result().ty(), true)?;
    let mut in_place = users.iter().filter(|user| is_read_in_place(**user, buffer)).peekable();
    let is_in_place = in_place.peek().is_some();
    // A buffer only lives until the first stage that uses it is over.
    if use_stage <= stage || !in_place.all(|user| stage_or_last(user) == use_stage) {
        return Ok(None);
    }
    let mut readers = Vec::new();
    find_readers(load.result(), buffer, view, &mut readers);
    let are_done = readers.iter().all(|reader| is_done_before_copies(view, *reader, last));
    let read_during_copies = is_in_place && (!are_done || takes_several_turns(view, last));
    let ahead = |first_user| DescriptorLoadAhead { load, buffer, stage, use_stage, first_user, read_during_copies };
    Ok(first_of(readers).map(ahead))
}

/// A product of the last stage whose result that stage needs in the body: it is waited for before what needs it, and the copies come behind that
/// stage. So is one to whose result such a product adds.
fn is_done_before_copies<'c>(view: ForOp<'c>, reader: Op<'c>, last: u32) -> bool {
    let is_product = reader.kind() == OpKind::TtngWarpGroupDot && reader.attr(ISSUED_AHEAD).is_none();
    is_product && is_of_stage(view, reader, last) && is_needed(view, reader.result(0), last)
}

fn is_of_stage<'c>(view: ForOp<'c>, op: Op<'c>, stage: u32) -> bool {
    op.block() == Some(view.body()) && stage_of(op).is_none_or(|own| own == stage)
}

/// The last stage needs a value before the copies. What stands in branches may come behind them, unless the stage needs what the branch makes of the value,
/// such as scores with a mask.
fn is_needed<'c>(view: ForOp<'c>, value: Value<'c>, last: u32) -> bool {
    let body = view.body();
    value.users().into_iter().any(|(user, _)| match user.ancestor_in(body) {
        Some(own) if own == view.yield_op() || !is_of_stage(view, own, last) => false,
        Some(own) if own == user => !is_dot(user) || is_done_before_copies(view, user, last),
        Some(branch) => branch.results().into_iter().any(|result| is_needed(view, result, last)),
        None => false,
    })
}

/// Two groups of warps multiply in turns, of which an iteration has several: it computes on each of several products. Without a buffer to spare, a group
/// would wait at its end until the other has finished its last product, and could not take its next turn meanwhile.
fn takes_several_turns(view: ForOp<'_>, last: u32) -> bool {
    let warps = view.op.ancestors().find_map(|op| op.int_attr(NUM_WARPS));
    let products: Vec<Op<'_>> =
        view.body().ops().into_iter().filter(|op| op.kind() == OpKind::TtngWarpGroupDot).collect();
    let is_carried = |op: Op<'_>| op.result(0).users().into_iter().any(|(user, _)| user == view.yield_op());
    warps == Some(WARPS_OF_TURNS)
        && products.len() > 1
        && products.into_iter().all(|op| !is_carried(op) && is_done_before_copies(view, op, last))
}

/// The user needs a buffer that is laid out as the one the copy fills. One that is laid out another way, such as an operand of `wgmma` with
/// 8-bit elements that lie along N, is written by threads, which read the copy's buffer for it.
fn is_read_in_place(user: Op<'_>, buffer: Type<'_>) -> bool {
    user.kind() == OpKind::TtgLocalAlloc && reads_in_place(user, buffer)
}

/// The operations of the body that read a block which was copied to `buffer`, or a buffer with it, and not only look at it another way.
fn find_readers<'c>(value: Value<'c>, buffer: Type<'c>, view: ForOp<'c>, found: &mut Vec<Op<'c>>) {
    for (user, _) in value.users() {
        let Some(own) = user.ancestor_in(view.body()) else { continue };
        let is_view =
            matches!(user.kind(), OpKind::TtgMemDescTrans | OpKind::TtgMemDescSubslice | OpKind::TtgConvertLayout);
        if own == user && (is_view || is_read_in_place(user, buffer)) {
            find_readers(user.result(0), buffer, view, found);
        } else {
            found.push(own);
        }
    }
}

/// Carried numbers: the buffer to fill, the buffer to read, and the phase to wait for, which changes with every round of the ring.
fn position<'c>(view: &mut ForOp<'c>, rounds: Rounds) -> RingPosition<'c> {
    let Rounds { stage, use_stage, buffers } = rounds;
    let insert = counter(view, stage, buffers).place;
    let RingCounter { place: extract, wraps } = counter(view, use_stage, buffers);
    let mut outside = Builder::before(view.op);
    let [zero, one] = [0, 1].map(|number| outside.i32(number));
    let (index, own) = carry(view, zero);
    let mut inside = Builder::after_value(wraps);
    let other = inside.binary(OpKind::ArithXOrI, own, one);
    let phase = inside.select(wraps, other, own);
    view.yield_op().set_operand(index, phase);
    for op in [other, phase].into_iter().filter_map(Value::defining_op) {
        set_stage(op, use_stage);
    }
    RingPosition { insert, extract, phase }
}

fn make_barriers<'c>(view: ForOp<'c>, group: &BarrierGroup<'c>) -> Value<'c> {
    let mut outside = Builder::before(view.op);
    let ty = mbarriers(view.op.context(), &[group.rounds.buffers.into(), 1]);
    let barriers = outside.create(OpKind::TtgLocalAlloc, &[], &[ty], &[]).result(0);
    for barrier in each_barrier(&mut outside, barriers) {
        init_barrier(&mut outside, barrier);
    }
    barriers
}

/// Views of the barriers of an array.
pub(super) fn each_barrier<'c>(builder: &mut Builder<'c>, barriers: Value<'c>) -> Vec<Value<'c>> {
    let count = barriers.ty().shape().first().copied().unwrap_or(0);
    let indices: Vec<Value<'c>> = (0..count).map(|index| builder.i32(index as i32)).collect();
    indices.into_iter().map(|index| one_barrier(builder, barriers, index).result(0)).collect()
}

fn one_barrier<'c>(builder: &mut Builder<'c>, barriers: Value<'c>, index: Value<'c>) -> Op<'c> {
    let ty = mbarriers(builder.context(), &[1]);
    builder.create(OpKind::TtgMemDescIndex, &[barriers, index], &[ty], &[])
}

fn lower<'c>(
    view: ForOp<'c>,
    group: &BarrierGroup<'c>,
    barriers: Value<'c>,
    position: &RingPosition<'c>,
    rings: &mut Vec<Value<'c>>,
) -> Result<()> {
    let Some(first) = group.loads.first() else { return Ok(()) };
    let always = Builder::before(view.op).bool(true);
    let bytes = group.loads.iter().map(|ahead| bytes_of(ahead.load.result().ty())).sum();
    // The copies start where the last load stands: then everything that says where they read is there.
    let last = group.loads.last().unwrap_or(first).load.op;
    let mut builder = Builder::before(last).with_location(first.load.op.loc());
    let barrier = one_barrier(&mut builder, barriers, position.insert);
    let expect = expect(&mut builder, barrier.result(0), bytes, always);
    [barrier, expect].into_iter().for_each(|op| set_stage(op, group.rounds.stage));
    let mut buffers = Vec::new();
    for ahead in &group.loads {
        let block = ahead.load.result().ty();
        let ty = ahead.buffer;
        let mut shape = vec![i64::from(group.rounds.buffers)];
        shape.extend(block.shape());
        let Some(layout) = ty.layout() else { continue };
        let whole = buffer_type(block.context(), &shape, block.element(), &layout, true);
        let mut outside = Builder::before(view.op).with_location(ahead.load.op.loc());
        let ring = outside.create(OpKind::TtgLocalAlloc, &[], &[whole], &[]).result(0);
        rings.push(ring);
        let target = builder.create(OpKind::TtgMemDescIndex, &[ring, position.insert], &[ty], &[]);
        let copy = copy_to_shared(&mut builder, ahead.load, target.result(0), barrier.result(0), always);
        [target, copy].into_iter().for_each(|op| set_stage(op, group.rounds.stage));
        let mut inside = Builder::before(ahead.load.op);
        let source = inside.create(OpKind::TtgMemDescIndex, &[ring, position.extract], &[ty], &[]);
        set_stage(source, group.rounds.use_stage);
        buffers.push(source.result(0));
    }
    let mut readers = Vec::new();
    for (ahead, buffer) in group.loads.iter().zip(buffers) {
        read_by_users(ahead.load.result(), buffer, ahead.first_user, |load| set_stage(load, group.rounds.use_stage));
        find_readers(buffer, ahead.buffer, view, &mut readers);
    }
    if let Some(first) = first_of(readers) {
        add_wait(first, group, barriers, position);
    }
    Ok(())
}

/// The wait for a group, before the first operation that reads one of its buffers.
fn add_wait<'c>(first: Op<'c>, group: &BarrierGroup<'c>, barriers: Value<'c>, position: &RingPosition<'c>) {
    let mut builder = Builder::before(first);
    if let Some(ahead) = group.loads.first() {
        builder.set_location(ahead.load.op.loc());
    }
    let barrier = one_barrier(&mut builder, barriers, position.extract);
    let wait = wait(&mut builder, barrier.result(0), position.phase);
    [barrier, wait].into_iter().for_each(|op| set_stage(op, group.rounds.use_stage));
}
