//! Lets what several products read pass through shared memory once.
//!
//! A tensor in registers becomes an operand of `mma.sync` by a conversion, which writes it to scratch memory, meets, and reads it. Backward passes
//! of attention read a tile as the left operand of one product and as the right operand of another, which are two layouts and so two
//! conversions, each with its own writes and one or two barriers, one of them often of the transposed tile. Here the tile gets a buffer that is written once and read by each.
//! It takes no registers any more, either. The buffer lives as long as the tile did, so this is done where it costs no CTA of the multiprocessor.
//! (Triton gives every operand such a buffer.)
//!
//! A tile that `wgmma` reads has a buffer already, which the conversions read as well. So does the conversion for a store behind the write, if that has rows as
//! the store has: brought in front of the conversion, the write cost one of two launches 8 %.
//!
//! What `wgmma` computes and `mma.sync` reads turned, as the probabilities of a block of 16 or 32 keys, gets a buffer for that reader alone, if its
//! elements have 16 bits: `stmatrix` writes them and `ldmatrix` turns them, where a conversion packs the words of each thread one by one
//! ([measurements](../../docs/measurements.md#turned-tiles-of-wgmma-go-through-a-buffer)). What `mma.sync` computed stays as it is: the one such tile
//! that was timed, 4 words of a thread, lost 3 % with a buffer.
//!
//! Linear attention stores the state that an iteration begins with, and multiplies by it: two conversions of one tile, which waits for the second one in
//! registers beside the sums that it was rounded from. It gets a buffer if its elements have 16 bits and a product has computed it: `stmatrix` writes rows, the
//! store reads rows, and the product reads what `ldmatrix` turns
//! ([measurements](../../docs/measurements.md#a-state-is-written-once-for-its-store-and-its-product)).
//!
//! 1. Find tensors with several conversions to operands through scratch memory, with a buffer and one, with one and a store, or that are read turned.
//! 2. Ask whether there is room.  3. Replace the conversions.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::shared_buffers::{SCRATCH_ALIGNMENT, SharedBuffer, keeps_contents, tensor_bytes};
use crate::analysis::shared_room::SharedRoom;
use crate::convert_to_ttg::require_ttg;
use crate::operations::is_turned;
use crate::shared_encodings::{buffer_type, row_swizzled, turned_view};
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};
use tk_layout::Encoding;

/// The pass.
pub const PASS: Pass = Pass {
    name: "share-operands",
    summary: "write what several products, or one and a store, read to shared memory once",
    run,
};

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
            if !tile.pays() {
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
    maker: Maker,
    /// What writes it to shared memory for `wgmma`.
    write: Option<Op<'c>>,
    conversions: Vec<Op<'c>>,
}

/// In whose layout a tile is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Maker {
    /// That of loads and of arithmetic beside products.
    Blocked,
    /// That of the results of `wgmma`.
    WarpGroups,
    /// That of the results of `mma.sync`.
    Warps,
    Other,
}

impl Maker {
    fn of(ty: Type<'_>) -> Self {
        match ty.layout().as_deref() {
            Some(Encoding::Blocked(_)) => Self::Blocked,
            Some(Encoding::NvidiaMma(mma)) if mma.version_major == 3 => Self::WarpGroups,
            Some(Encoding::NvidiaMma(_)) => Self::Warps,
            Some(_) | None => Self::Other,
        }
    }

    fn is_product(self) -> bool {
        match self {
            Self::WarpGroups | Self::Warps => true,
            Self::Blocked | Self::Other => false,
        }
    }
}

impl<'c> Tile<'c> {
    /// The tensor that `op` computes, if a buffer pays for those that read it in other layouts, `through_memory` in all of them.
    fn of(op: Op<'c>, through_memory: &FxHashSet<usize>) -> Option<Self> {
        let value =
            op.results().first().copied().filter(|_| op.num_results() == 1 && op.kind() != OpKind::ArithConstant)?;
        let ty = value.ty();
        // `ldmatrix` turns words of 16 bits; those of 32 bits are read one by one where they are turned, as conversions do.
        let is_tile = ty.is_tensor() && ty.rank() == 2 && matches!(ty.element_bits(), 16 | 32);
        let write = is_tile.then(|| write_for_warp_groups(value)).flatten();
        let maker = Maker::of(ty);
        if !is_tile || write.is_none() && maker == Maker::Other {
            return None;
        }
        let is_rounded_product = maker.is_product() && ty.element_bits() == TURNED_BITS;
        let is_stored = |user: Op<'c>| {
            let is_as_written = |write: Op<'c>| {
                order(write.result(0).ty()) == order(user.result(0).ty()) && write.is_before_in_block(user)
            };
            is_rounded_product && user.operand(0) == value && is_to_store(user) && write.is_none_or(is_as_written)
        };
        let mut conversions = readers(value);
        conversions.retain(|user| through_memory.contains(&user.id()) && user.block() == op.block());
        conversions.retain(|user| is_to_operand(*user) || is_stored(*user));
        conversions.sort_by(|a, b| b.is_before_in_block(*a).cmp(&a.is_before_in_block(*b)));
        let tile = Self { value, maker, write, conversions };
        tile.pays().then_some(tile)
    }

    /// A buffer is written for one reader at least that is there without the conversions, for two of them, or for one that reads turned what `wgmma`
    /// computed.
    fn pays(&self) -> bool {
        let readers = self.conversions.len() + usize::from(self.write.is_some());
        let is_turned = || self.conversions.iter().any(|conversion| self.is_read_turned_by(*conversion));
        let is_rounded = self.value.ty().element_bits() == TURNED_BITS;
        match self.maker {
            Maker::WarpGroups if self.write.is_none() => is_rounded && (is_turned() || self.is_multiplied_and_stored()),
            Maker::Warps if self.write.is_none() => is_rounded && self.is_multiplied_and_stored(),
            Maker::Blocked | Maker::WarpGroups | Maker::Warps | Maker::Other => readers > 1,
        }
    }

    /// A product reads it, and a store.
    fn is_multiplied_and_stored(&self) -> bool {
        let operands = self.conversions.iter().filter(|conversion| is_to_operand(**conversion)).count();
        (1..self.conversions.len()).contains(&operands)
    }

    /// It converts the transposed tile.
    fn is_read_turned_by(&self, conversion: Op<'c>) -> bool {
        conversion.operand(0) != self.value
    }

    /// The buffers of the function with one for the tile and none for its conversions.
    fn in_place_of_scratch(&self, buffers: &[SharedBuffer<'c>]) -> Vec<SharedBuffer<'c>> {
        let is_own = |op: &Op<'c>| self.conversions.contains(op) || self.write == Some(*op);
        let (own, mut others): (Vec<_>, Vec<_>) = buffers.iter().cloned().partition(|buffer| is_own(&buffer.op));
        let start = own.iter().map(|buffer| *buffer.live.start()).min().unwrap_or(0);
        let end = own.iter().map(|buffer| *buffer.live.end()).max().unwrap_or(u32::MAX);
        others.push(SharedBuffer {
            op: self.write.unwrap_or(self.conversions[0]),
            bytes: tensor_bytes(self.value.ty()),
            alignment: SCRATCH_ALIGNMENT,
            purpose: "buffer",
            live: start..=end,
        });
        others
    }

    /// The buffer, written before the first conversion, and its layout.
    fn memory(&self) -> (Value<'c>, Encoding) {
        let first = self.conversions[0];
        let ty = self.value.ty();
        if let Some(write) = self.write
            && let Some(layout) = write.result(0).ty().layout()
        {
            if first.is_before_in_block(write) {
                write.move_before(first);
            }
            return (write.result(0), (*layout).clone());
        }
        let order = order(ty).unwrap_or_else(|| vec![1, 0]);
        let layout = row_swizzled(&ty.shape(), &order, ty.element_bits());
        let buffer = buffer_type(first.context(), &ty.shape(), ty.element(), &layout, false);
        let memory = Builder::before(first).create(OpKind::TtgLocalAlloc, &[self.value], &[buffer], &[]).result(0);
        (memory, layout)
    }

    fn apply(self) {
        let (memory, layout) = self.memory();
        for &conversion in &self.conversions {
            let result = conversion.result(0);
            let mut builder = Builder::before(conversion);
            let view = if self.is_read_turned_by(conversion) {
                turned_view(&mut builder, memory, &layout, result.ty())
            } else {
                memory
            };
            let read = builder.create(OpKind::TtgLocalLoad, &[view], &[result.ty()], &[]);
            result.replace_all_uses_with(read.result(0));
            conversion.erase();
        }
    }
}

/// The buffer that is written for `wgmma` beside conversions of what it holds, if nothing writes to it later.
fn write_for_warp_groups(value: Value<'_>) -> Option<Op<'_>> {
    let block = value.defining_op()?.block();
    let users = value.users().into_iter().map(|(user, _)| user);
    let mut writes = users.filter(|user| user.kind() == OpKind::TtgLocalAlloc && user.block() == block);
    writes.find(|write| {
        let memory = write.result(0);
        matches!(memory.ty().layout().as_deref(), Some(Encoding::NvmmaShared(_))) && keeps_contents(memory)
    })
}

/// Along which axis neighbours lie, first.
fn order(ty: Type<'_>) -> Option<Vec<u32>> {
    ty.layout().map(|layout| layout.order())
}

/// Bits of the words that `ldmatrix` turns.
const TURNED_BITS: u32 = 16;

/// What uses a block, and what uses its transposition.
fn readers<'c>(block: Value<'c>) -> Vec<Op<'c>> {
    let users = |value: Value<'c>| value.users().into_iter().map(|(user, _)| user).collect::<Vec<_>>();
    users(block).into_iter().flat_map(|user| if is_turned(user) { users(user.result(0)) } else { vec![user] }).collect()
}

/// Other conversions to operands of what `conversion` converts, turned or not. Where shared memory has room, the block is written once for all of them,
/// so none has to be made of fewer bytes.
pub(crate) fn conversions_beside<'c>(conversion: Op<'c>) -> Vec<Op<'c>> {
    let source = conversion.operand(0);
    let block = source.defining_op().filter(|op| is_turned(*op)).map_or(source, |op| op.operand(0));
    let ty = block.ty();
    let is_blocked = matches!(ty.layout().as_deref(), Some(Encoding::Blocked(_)));
    let is_tile = ty.rank() == 2 && ty.element_bits() == TURNED_BITS && is_blocked;
    let is_reader = |op: Op<'c>| is_to_operand(op) && op.block() == block.parent_block();
    let is_same = |op: Op<'c>| op.operand(0) == source && op.result(0).ty() == conversion.result(0).ty();
    if !is_tile || !is_reader(conversion) {
        return Vec::new();
    }
    let mut others = readers(block);
    others.retain(|op| is_reader(*op) && !is_same(*op));
    others
}

/// It converts for stores alone, to what `coalesce` chose.
fn is_to_store(op: Op<'_>) -> bool {
    let layout = (op.kind() == OpKind::TtgConvertLayout).then(|| op.result(0).ty().layout()).flatten();
    let users = layout.as_deref().filter(|layout| matches!(layout, Encoding::Blocked(_))).map(|_| op.result(0).users());
    let is_stored = |(user, _): &(Op<'_>, usize)| user.kind() == OpKind::TtStore && user.block() == op.block();
    users.is_some_and(|users| !users.is_empty() && users.iter().all(is_stored))
}

/// It converts to the operand of an `mma.sync`.
fn is_to_operand(op: Op<'_>) -> bool {
    let layout = (op.kind() == OpKind::TtgConvertLayout).then(|| op.result(0).ty().layout()).flatten();
    let Some(Encoding::DotOp(operand)) = layout.as_deref() else { return false };
    matches!(&*operand.parent, Encoding::NvidiaMma(mma) if mma.version_major == 2)
}
