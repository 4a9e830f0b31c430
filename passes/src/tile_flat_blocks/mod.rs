//! Gives programs of flat indices tiles of the matrix that a store or a load turns.
//!
//! ```text
//! x = program_id(0) * 512 + range(512)              24 programs have 16 rows:
//! store(out + x % 768 * rows + x / 768, f(x))       row = program_id(0) / 24 * 16 + range(16), column = program_id(0) % 24 * 32 + range(32)
//!                                                   store(out + column[None, :] * rows + row[:, None], f(row * 768 + column))
//! ```
//!
//! The store writes rows as columns: neighbors in a row are `rows` elements apart, and those in a column lie side by side. A program with elements of
//! one row touches a sector for each of them, and other programs touch the same sectors. In a tile `coalesce` gives the store lanes along columns, and
//! threads exchange what they store through shared memory. So it gives a load that reads columns as rows, which brings a sector for each element otherwise.
//!
//! True for functions of one block of code without branches, all of whose tensors have one axis and one size, and are computed element by element, loaded
//! and stored, where
//!
//! - **an index is a start and a range** that covers the block ([`FlatIndex`]), and is divided by the length of a row;
//! - **a store is turned** by that division, or a load where no store is: the next row is the next element, and the next column at least a sector away, or
//!   as far as a number of the launch says ([`Places`]);
//! - **the tile touches much fewer sectors** than the block ([`Tile`]).
//!
//! Where a block has whole rows, that fill a sector as columns, programs keep their elements, and all of them do what they did in the same order.
//! Otherwise programs exchange elements, if nothing else tells them apart ([`programs`]). The last programs, which are too few for whole rows, do as
//! it was written: both ways are there. Where a launch says how far columns are apart, it also says which way is taken.
//!
//! 1. Find the index, and by what it is divided.  2. Find where accesses lie ([`Places`]), and a tile ([`Tile`]).  3. Write everything with two axes
//!    ([`Tiled`]), in a branch where programs exchange elements.

mod places;
mod programs;
mod tile;
mod write;

use crate::analysis::axis_info;
use crate::control_flow::remove_dead;
use crate::operations::computations::computation;
use crate::{Pass, PassContext};
use places::division_of;
use programs::{may_exchange, write_branch};
use tile::{Owner, Tile};
use tk_diag::Result;
use tk_ir::ops::{FuncOp, MakeRangeOp};
use tk_ir::{Module, Op, OpKind, Value};
use write::Tiled;

/// The pass.
pub const PASS: Pass = Pass {
    name: "tile-flat-blocks",
    summary: "give programs of flat indices tiles of the matrix that a store or a load turns",
    run,
};

/// Operations of a function that are looked at.
const MOST_OPERATIONS: usize = 4096;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let functions = module.functions();
    let [function] = functions.as_slice() else { return Ok(()) };
    let Some(body) = FuncOp::cast(*function).and_then(FuncOp::body) else { return Ok(()) };
    let ops = body.ops();
    if function.region(0).blocks().len() != 1 || ops.len() > MOST_OPERATIONS {
        return Ok(());
    }
    let has_blocks = body.arguments().into_iter().any(|argument| argument.ty().is_tensor());
    let Some(index) = ops.iter().find_map(|op| FlatIndex::of(*op).filter(|index| index.is_divided())) else {
        return Ok(());
    };
    if has_blocks || !ops.iter().all(|op| is_written(*op, index.elements)) {
        return Ok(());
    }
    let exchange = may_exchange(&ops, index, cx);
    let most_programs = exchange.map(|exchange| exchange.most_programs);
    let Some(choice) = Tile::of(&ops, index, most_programs, &axis_info(*function)) else { return Ok(()) };
    match (choice.tile.owner, exchange) {
        (Owner::Same, _) => Tiled::write(body, index, choice.tile, None),
        (Owner::Other, Some(exchange)) => write_branch(body, index, &choice, exchange.number),
        (Owner::Other, None) => {}
    }
    remove_dead(*function);
    Ok(())
}

/// An index of a block that is a start and a range.
#[derive(Clone, Copy)]
struct FlatIndex<'c> {
    sum: Op<'c>,
    /// The same number for the whole block.
    start: Value<'c>,
    range: Value<'c>,
    elements: i64,
}

impl<'c> FlatIndex<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let is_sum = op.kind() == OpKind::ArithAddI && op.discardable_attrs().is_empty();
        let ty = Some(op).filter(|_| is_sum)?.result(0).ty();
        let elements = Some(ty).filter(|ty| ty.is_tensor() && ty.rank() == 1)?.num_elements();
        let splat_of = |value: Value<'c>| value.defining_op().filter(|op| op.kind() == OpKind::TtSplat);
        let (left, right) = (op.operand(0), op.operand(1));
        let (splat, range) =
            splat_of(left).map(|splat| (splat, right)).or(splat_of(right).map(|splat| (splat, left)))?;
        let view = range.defining_op().and_then(MakeRangeOp::cast)?;
        let covers = view.start() == 0 && view.end() == elements;
        covers.then(|| Self { sum: op, start: splat.operand(0), range, elements })
    }

    fn is_divided(self) -> bool {
        self.sum.result(0).users().into_iter().any(|(user, _)| division_of(user, self).is_some())
    }
}

/// It has no tensors, or is written for two axes by giving its tensors another shape.
fn is_written(op: Op<'_>, elements: i64) -> bool {
    if op.num_regions() > 0 {
        return false;
    }
    let operands = op.operands().into_iter();
    let tensors: Vec<_> = operands.chain(op.results()).map(Value::ty).filter(|ty| ty.is_tensor()).collect();
    if tensors.is_empty() {
        return true;
    }
    let kind = op.kind();
    let is_constant =
        || kind == OpKind::ArithConstant && op.result(0).constant().is_some_and(|value| value.as_splat().is_some());
    let has_shape = tensors.iter().all(|ty| ty.shape() == [elements] && ty.encoding().is_none());
    let is_known = is_constant()
        || matches!(kind, OpKind::TtMakeRange | OpKind::TtSplat | OpKind::TtLoad | OpKind::TtStore)
        || computation(kind).is_element_by_element() && op.num_results() == 1 && op.is_memory_effect_free();
    has_shape && is_known && op.discardable_attrs().is_empty()
}
