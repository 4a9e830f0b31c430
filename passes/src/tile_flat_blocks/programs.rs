//! Programs that exchange their elements.
//!
//! As many programs as have the elements of some rows get tiles of them: each element is still one program's. That is the same where nothing but the
//! index says which program it is, and where no program reads what another one writes. As elsewhere, memory behind different parameters is taken to be
//! different; what is loaded and stored through one parameter keeps its program.
//!
//! The last programs of a grid are too few for whole rows of tiles, and keep their blocks. So do all programs where columns turn out to be nearer than a sector:
//! how far they are apart is the same number for all of them.

use super::FlatIndex;
use super::places::operations_of_launch;
use super::tile::{Choice, LeastDistance};
use super::write::Tiled;
use crate::PassContext;
use crate::analysis::global_aliases::parameters_of;
use crate::attributes::LIKELY;
use crate::cloning::{Mapping, copy_ops};
use rustc_hash::FxHashSet;
use tk_ir::ops::{CacheModifier, CmpI, LoadOp, ProgramLikeOp};
use tk_ir::{Block, Builder, Op, OpKind, Value};
use tk_types::Residency;

/// CTAs of a multiprocessor of the smallest grids whose programs exchange elements, by the steps in which grids are told apart: five to eight.
const LEAST_BROUGHT: u32 = 8;

/// Programs that have the rows of a tile together, at most.
const MOST_PROGRAMS: i64 = 1024;

/// Programs may exchange their elements.
#[derive(Clone, Copy)]
pub(super) struct Exchange<'c> {
    /// That of the program. The start is that number times the elements of a block.
    pub(super) number: Value<'c>,
    /// Programs that have the rows of a tile together, at most: no more than half of a grid are left over then.
    pub(super) most_programs: i64,
}

/// How programs may exchange their elements, if they may.
pub(super) fn may_exchange<'c>(ops: &[Op<'c>], index: FlatIndex<'c>, cx: &PassContext) -> Option<Exchange<'c>> {
    let most_programs = most_programs(cx).filter(|_| cx.options.num_ctas == 1)?;
    let product = index.start.defining_op().filter(|op| op.kind() == OpKind::ArithMulI)?;
    let is_size = |at: usize| product.operand(at).constant_int() == Some(index.elements);
    let number = if is_size(1) { product.operand(0) } else { Some(product.operand(1)).filter(|_| is_size(0))? };
    let op = number.defining_op().filter(|op| op.kind() == OpKind::TtGetProgramId)?;
    let is_first_axis = ProgramLikeOp::cast(op).is_some_and(|view| view.axis() == 0);
    let numbers = ops.iter().filter(|op| is_number_of_program(**op)).count();
    let has_one_way = number.has_one_use() && index.start.has_one_use() && index.range.has_one_use();
    let splat_is_for_it = index.sum.operands().into_iter().all(Value::has_one_use);
    let ranges = ops.iter().filter(|op| op.kind() == OpKind::TtMakeRange).count();
    let is_alone = is_first_axis && numbers == 1 && has_one_way && splat_is_for_it && ranges == 1;
    let may_exchange = is_alone && ops.iter().all(|op| may_move(*op)) && stores_elsewhere(ops);
    may_exchange.then_some(Exchange { number, most_programs })
}

/// Half of the programs that the grid has at least, where these are known to be several for each multiprocessor.
fn most_programs(cx: &PassContext) -> Option<i64> {
    let brought = match cx.options.residency {
        Residency::Many => return Some(MOST_PROGRAMS),
        Residency::AtMost(most) if most >= LEAST_BROUGHT => *Residency::brought_by(most).start(),
        Residency::AtMost(_) | Residency::Any | Residency::One => return None,
    };
    let before_last = i64::from(brought.saturating_sub(1)) * i64::from(cx.target.multiprocessors());
    Some((before_last / 2).min(MOST_PROGRAMS))
}

/// It says which of the programs along the first axis this is.
fn is_number_of_program(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtGetProgramId && ProgramLikeOp::cast(op).is_none_or(|view| view.axis() == 0)
}

/// Another program may do it. What has no tensors is the same for all of them.
fn may_move(op: Op<'_>) -> bool {
    let is_plain_load = LoadOp::cast(op).is_some_and(|load| !load.is_volatile() && load.cache() != CacheModifier::Cv);
    let is_store = op.kind() == OpKind::TtStore && op.operand(0).ty().is_tensor();
    is_plain_load || is_store || op.is_terminator() || op.is_memory_effect_free()
}

/// Each parameter is either loaded from, or stored to by one operation.
fn stores_elsewhere(ops: &[Op<'_>]) -> bool {
    let mut loaded = FxHashSet::default();
    for op in ops.iter().filter(|op| op.kind() == OpKind::TtLoad) {
        let Some(parameters) = parameters_of(op.operand(0)) else { return false };
        loaded.extend(parameters);
    }
    let mut taken = loaded;
    ops.iter().filter(|op| op.kind() == OpKind::TtStore).all(|op| {
        parameters_of(op.operand(0)).is_some_and(|parameters| parameters.into_iter().all(|one| taken.insert(one)))
    })
}

/// Writes the block with tiles for programs that have whole rows together, beside what it is for those that are left.
pub(super) fn write_branch<'c>(body: Block<'c>, index: FlatIndex<'c>, choice: &Choice<'c>, number: Value<'c>) {
    let ops = body.ops();
    let Some((end, ops)) = ops.split_last() else { return };
    let mut builder = Builder::before(*end);
    let Some(has_tile) = write_condition(choice, &mut builder) else { return };
    let branch = builder.if_op(has_tile, &[], true);
    branch.op.set_attr(LIKELY, end.context().unit_attr());
    let Some(otherwise) = branch.else_block() else { return };
    let mut tiles = Builder::at_end(branch.then_block(), end.loc());
    let mut mapping = Mapping::default();
    copy_ops(ops, &mut tiles, &mut mapping, |location| location);
    tiles.yield_(&[]);
    let mut rest = Builder::at_end(otherwise, end.loc());
    for op in ops {
        rest.place(op.detach());
    }
    rest.yield_(&[]);
    let copy = mapping.get(index.sum.result(0)).defining_op().and_then(FlatIndex::of);
    if let Some(copy) = copy {
        Tiled::write(branch.then_block(), copy, choice.tile, Some(mapping.get(number)));
    }
}

/// Whether the program has a tile. What that depends on is computed again, since the block goes into the branch.
fn write_condition<'c>(choice: &Choice<'c>, builder: &mut Builder<'c>) -> Option<Value<'c>> {
    let needed: Option<Vec<Vec<Op<'c>>>> =
        choice.distances.iter().map(|distance| operations_of_launch(distance.number)).collect();
    let needed = needed?;
    let (program, programs) = (builder.program_id(0), builder.num_programs(0));
    let group = builder.i32(choice.tile.programs() as i32);
    let groups = builder.binary(OpKind::ArithDivUI, programs, group);
    let in_groups = builder.binary(OpKind::ArithMulI, groups, group);
    let mut has_tile = builder.cmpi(CmpI::Ult, program, in_groups);
    for (LeastDistance { number, least }, ops) in choice.distances.iter().zip(needed) {
        let mut mapping = Mapping::default();
        copy_ops(&ops, builder, &mut mapping, |location| location);
        let least = builder.int(number.ty(), *least);
        // Without their signs, columns that follow each other downwards are far apart, too.
        let is_far = builder.cmpi(CmpI::Uge, mapping.get(*number), least);
        has_tile = builder.binary(OpKind::ArithAndI, has_tile, is_far);
    }
    Some(has_tile)
}
