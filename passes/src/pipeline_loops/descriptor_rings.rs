//! Descriptors that a pipelined loop makes get a ring of tensor maps.
//!
//! A loop that makes a descriptor anew writes the map of a later iteration while copies of earlier ones still read theirs. So there is a map
//! for every iteration from the stage that makes it to the last one. The map that is written is then one whose copies have all been
//! waited for: the last stage stands first in the body, and with it the wait for what was loaded.
//!
//! A descriptor may be made under a condition, as at the start of a tile in a persistent loop. Then the place in the ring moves on under the same
//! condition: what a branch does not make again stays where it is.

use super::{carry, next_place, set_stage, stage_of};
use crate::attributes::MAX_STAGE;
use crate::control_flow::{NewResult, extend_if};
use crate::tensor_maps::{MAP_BYTES, TensorMapWriter, map_memory};
use tk_diag::Result;
use tk_ir::ops::{ForOp, IfOp, MakeTensorDescriptorOp};
use tk_ir::{Builder, Op, OpKind, Value};

pub(super) fn run<'c>(mut view: ForOp<'c>, maps: &mut TensorMapWriter) -> Result<ForOp<'c>> {
    let Some(last) = view.op.int_attr(MAX_STAGE).and_then(|last| u32::try_from(last).ok()) else { return Ok(view) };
    let made = view.op.descendants().into_iter().filter_map(MakeTensorDescriptorOp::cast);
    for (make, stage) in made.filter_map(|make| Some((make, ahead(make, view, last)?))).collect::<Vec<_>>() {
        view = give_ring(make, stage, last + 1 - stage, view, maps)?;
    }
    Ok(view)
}

/// The stage of a descriptor that is made ahead of the last stage, in which one map is enough. Only branches may lie around it.
fn ahead(make: MakeTensorDescriptorOp<'_>, view: ForOp<'_>, last: u32) -> Option<u32> {
    let branches = || make.op.ancestors().skip(1).take_while(|op| *op != view.op);
    let stage = stage_of(make.op.ancestor_in(view.body())?)?;
    let can_hand_on = |op: Op<'_>| IfOp::cast(op).is_some_and(|branch| branch.else_yield().is_some());
    (stage < last && branches().all(can_hand_on)).then_some(stage)
}

fn give_ring<'c>(
    make: MakeTensorDescriptorOp<'c>,
    stage: u32,
    count: u32,
    view: ForOp<'c>,
    maps: &mut TensorMapWriter,
) -> Result<ForOp<'c>> {
    let mut view = view;
    let mut outside = Builder::before(view.op).with_location(make.op.loc());
    let ring = map_memory(&mut outside, count);
    let before_first = outside.i32(-1);
    let (index, current) = carry(&mut view, before_first);

    let is_in_body = make.op.block() == Some(view.body());
    let mut inside = Builder::before(make.op);
    let bytes = inside.i32(MAP_BYTES);
    let place = next_place(&mut inside, current, count).place;
    let offset = inside.binary(OpKind::ArithMulI, place, bytes);
    let memory = inside.addptr(ring, offset);
    let descriptor = maps.write(make, memory)?;

    if is_in_body {
        let new = std::iter::successors(bytes.defining_op(), |op| Some(*op).filter(|op| *op != descriptor)?.next());
        new.for_each(|op| set_stage(op, stage));
    }
    let handed_on = hand_on(place, current, view);
    view.yield_op().set_operand(index, handed_on);
    Ok(view)
}

/// What `value` is in the body of the loop: the branches around it give it, and `otherwise` where they do not make it.
fn hand_on<'c>(mut value: Value<'c>, otherwise: Value<'c>, view: ForOp<'c>) -> Value<'c> {
    while let Some(block) = value.parent_block().filter(|block| *block != view.body()) {
        let Some(branch) = block.parent_op().and_then(IfOp::cast) else { break };
        let (then, otherwise) = if branch.then_block() == block { (value, otherwise) } else { (otherwise, value) };
        let extended = extend_if(branch, &[NewResult { then, otherwise, ty: value.ty() }]);
        value = extended.op.result(extended.op.num_results() - 1);
    }
    value
}
