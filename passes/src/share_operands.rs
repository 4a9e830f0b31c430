//! Lets what several products read pass through shared memory once.
//!
//! A tensor in registers becomes an operand of `mma.sync` by a conversion, which writes it to scratch memory, meets, and reads it. Backward passes
//! of attention read a tile as the left operand of one product and as the right operand of another, which are two layouts and so two
//! conversions, each with its own writes and one or two barriers, one of them often of the transposed tile. Here the tile gets a buffer that is written once and read by each.
//! It takes no registers any more, either. The buffer lives as long as the tile did, so this is done where it costs no CTA of the multiprocessor.
//! (Triton gives every operand such a buffer.)
//!
//! 1. Find tensors with several conversions to operands through scratch memory.  2. Ask whether there is room.  3. Replace the conversions.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::shared_buffers::{SCRATCH_ALIGNMENT, SharedBuffer, tensor_bytes};
use crate::analysis::shared_room::SharedRoom;
use crate::convert_to_ttg::require_ttg;
use crate::shared_encodings::{buffer_type, row_swizzled, turned_view};
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::TransLikeOp;
use tk_ir::{Builder, Module, Op, OpKind, Value};
use tk_layout::Encoding;

/// The pass.
pub const PASS: Pass =
    Pass { name: "share-operands", summary: "write what several products read to shared memory once", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = require_ttg(module)?.num_warps;
    for function in module.functions() {
        let mut buffers = buffers_of_module(function)?;
        let through_memory: FxHashSet<usize> = buffers.iter().map(|buffer| buffer.op.id()).collect();
        let tiles: Vec<Tile<'_>> =
            function.descendants().into_iter().filter_map(|op| Tile::of(op, &through_memory)).collect();
        if tiles.is_empty() {
            continue;
        }
        let room = SharedRoom::of(function, num_warps, cx);
        // What is read turned may be a tile itself, whose conversions are gone then.
        let mut gone: FxHashSet<usize> = FxHashSet::default();
        for mut tile in tiles {
            tile.conversions.retain(|conversion| !gone.contains(&conversion.id()));
            if tile.conversions.len() < 2 {
                continue;
            }
            let with = tile.in_place_of_scratch(&buffers);
            if room.allows(total_bytes(&buffers), total_bytes(&with)) {
                gone.extend(tile.conversions.iter().map(|conversion| conversion.id()));
                tile.apply();
                buffers = with;
            }
        }
    }
    Ok(())
}

/// A tensor and its conversions to operands, in one block and in program order.
struct Tile<'c> {
    value: Value<'c>,
    conversions: Vec<Op<'c>>,
}

impl<'c> Tile<'c> {
    /// The tensor that `op` computes, if it is read in several layouts, `through_memory` in all of them.
    fn of(op: Op<'c>, through_memory: &FxHashSet<usize>) -> Option<Self> {
        let value =
            op.results().first().copied().filter(|_| op.num_results() == 1 && op.kind() != OpKind::ArithConstant)?;
        let ty = value.ty();
        // Operands of other widths are not read by `ldmatrix` in both directions.
        let is_tile = ty.is_tensor() && ty.rank() == 2 && ty.element_bits() == 16;
        let is_blocked = || matches!(ty.layout().as_deref(), Some(Encoding::Blocked(_)));
        if !is_tile || !is_blocked() {
            return None;
        }
        let users = value.users().into_iter().map(|(user, _)| user);
        let readers = users.flat_map(|user| if is_turned(user) { readers_of(user) } else { vec![user] });
        let mut conversions: Vec<Op<'c>> =
            readers.filter(|user| through_memory.contains(&user.id()) && is_to_operand(*user)).collect();
        conversions.retain(|conversion| conversion.block() == op.block());
        conversions.sort_by(|a, b| b.is_before_in_block(*a).cmp(&a.is_before_in_block(*b)));
        (conversions.len() > 1).then_some(Self { value, conversions })
    }

    /// The buffers of the function with one for the tile and none for its conversions.
    fn in_place_of_scratch(&self, buffers: &[SharedBuffer<'c>]) -> Vec<SharedBuffer<'c>> {
        let (own, mut others): (Vec<_>, Vec<_>) =
            buffers.iter().cloned().partition(|buffer| self.conversions.contains(&buffer.op));
        let start = own.iter().map(|buffer| *buffer.live.start()).min().unwrap_or(0);
        let end = own.iter().map(|buffer| *buffer.live.end()).max().unwrap_or(u32::MAX);
        others.push(SharedBuffer {
            op: self.conversions[0],
            bytes: tensor_bytes(self.value.ty()),
            alignment: SCRATCH_ALIGNMENT,
            purpose: "buffer",
            live: start..=end,
        });
        others
    }

    fn apply(self) {
        let ty = self.value.ty();
        let order = ty.layout().map_or_else(|| vec![1, 0], |layout| layout.order());
        let layout = row_swizzled(&ty.shape(), &order, ty.element_bits());
        let first = self.conversions[0];
        let buffer = buffer_type(first.context(), &ty.shape(), ty.element(), &layout, false);
        let memory = Builder::before(first).create(OpKind::TtgLocalAlloc, &[self.value], &[buffer], &[]).result(0);
        for conversion in self.conversions {
            let result = conversion.result(0);
            let mut builder = Builder::before(conversion);
            let is_turned = conversion.operand(0) != self.value;
            let view = if is_turned { turned_view(&mut builder, memory, &layout, result.ty()) } else { memory };
            let read = builder.create(OpKind::TtgLocalLoad, &[view], &[result.ty()], &[]);
            result.replace_all_uses_with(read.result(0));
            conversion.erase();
        }
    }
}

/// Rows become columns.
fn is_turned(op: Op<'_>) -> bool {
    TransLikeOp::cast(op).is_some_and(|turned| turned.order() == [1, 0])
}

fn readers_of(op: Op<'_>) -> Vec<Op<'_>> {
    op.result(0).users().into_iter().map(|(user, _)| user).collect()
}

/// It converts to the operand of an `mma.sync`.
fn is_to_operand(op: Op<'_>) -> bool {
    let layout = (op.kind() == OpKind::TtgConvertLayout).then(|| op.result(0).ty().layout()).flatten();
    let Some(Encoding::DotOp(operand)) = layout.as_deref() else { return false };
    matches!(&*operand.parent, Encoding::NvidiaMma(mma) if mma.version_major == 2)
}
