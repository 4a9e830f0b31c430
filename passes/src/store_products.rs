//! Stores products as they lie, in loops, where the memory of a conversion keeps programs of the grid waiting.
//!
//! A loop over chunks of a sequence stores its state in every iteration. The state is what `mma.sync` adds to, and `coalesce` has made a layout of 16 bytes
//! a thread for the store, so it is converted through scratch memory beside the blocks that are copied ahead. Where a multiprocessor has room for all
//! programs that the grid brings without that memory, but not with it, the last of them start when the first have ended
//! ([measurements](../../docs/measurements.md#products-are-stored-as-they-lie-where-all-programs-have-room-then)).
//!
//! A product of 32-bit words lies in rows of four lanes with two words each: 32 bytes, a whole sector. Stored like that, it takes twice as many
//! instructions, each with eight rows. So this is done where all programs run at once then, and nowhere else: a launch whose programs have room
//! either way took 2 % longer.
//!
//! - The conversion is in a loop, goes through scratch memory, and the store alone uses it. The product is of `mma.sync`.
//! - The store writes 16 bytes a thread today, of runs of a sector at least: no masks or addresses between them make it narrower than 8 bytes.
//! - Nothing else accesses memory through the parameter that it stores through, and pointers and mask can be computed anew in the product's layout
//!   ([`StoreInLayout`]).
//! - What the grid brings is known.
//!
//! 1. Find the stores.  2. Ask which of their conversions keep programs waiting.  3. Give these stores the layout of the product.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::shared_buffers::SharedBuffer;
use crate::analysis::shared_room::SharedRoom;
use crate::analysis::{AxisFacts, axis_info};
use crate::control_flow::{loop_depth, remove_dead};
use crate::convert_to_ttg::require_ttg;
use crate::remove_layout_conversions::store_in_layout::StoreInLayout;
use crate::vectorize_memory::{contiguous_axis, width_of};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::{Module, Op, OpKind, Type, Value};
use tk_layout::Encoding;
use tk_target::Target;

/// The pass.
pub const PASS: Pass = Pass {
    name: "store-products",
    summary: "store products as they lie, where all programs of the grid have room then",
    run,
};

/// The version of the layouts of `mma.sync`.
const MMA_SYNC: u32 = 2;
/// Bits of the elements of which four lanes hold a sector.
const WORD_BITS: u32 = 32;
/// Words that a thread writes at once today: 16 bytes.
const WORDS_OF_STORE: u32 = 4;
/// Words of a sector.
const WORDS_OF_SECTOR: u64 = 8;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = require_ttg(module)?.num_warps;
    let Some(programs) = cx.options.residency.at_most() else { return Ok(()) };
    let all_warps = programs.saturating_mul(num_warps);
    for function in module.functions() {
        let buffers = buffers_of_module(function)?;
        let stores = stores_of(function, &buffers, &cx.target);
        if stores.is_empty() {
            continue;
        }
        let room = SharedRoom::of(function, num_warps, cx);
        let needed = needed(stores, &buffers, |bytes| room.leaves_warps(bytes, all_warps));
        if !needed.is_empty() {
            needed.iter().for_each(|store| store.in_layout.apply());
            remove_dead(function);
        }
    }
    Ok(())
}

/// A store that can take the layout of a product.
struct ProductStore<'c> {
    conversion: Op<'c>,
    in_layout: StoreInLayout<'c>,
}

/// Such stores of a function whose conversions are among those that need `buffers`.
fn stores_of<'c>(function: Op<'c>, buffers: &[SharedBuffer<'c>], target: &Target) -> Vec<ProductStore<'c>> {
    let ops = function.descendants();
    let conversions: Vec<(Op<'c>, Op<'c>)> =
        ops.iter().filter_map(|op| Some((*op, conversion_for(*op, buffers)?))).collect();
    if conversions.is_empty() {
        return Vec::new();
    }
    let facts = axis_info(function);
    let wide = conversions.into_iter().filter(|(store, _)| writes_sectors(*store, &facts, target));
    wide.filter_map(|(store, conversion)| {
        let in_layout = StoreInLayout::of(store, conversion, &ops)?;
        Some(ProductStore { conversion, in_layout })
    })
    .collect()
}

/// The conversion of a product in a loop, through scratch memory, for `store` alone.
fn conversion_for<'c>(store: Op<'c>, buffers: &[SharedBuffer<'c>]) -> Option<Op<'c>> {
    if store.kind() != OpKind::TtStore || store.num_operands() < 2 {
        return None;
    }
    let value: Value<'c> = store.operand(1);
    let conversion = value.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout && value.has_one_use())?;
    let is_candidate = is_product(conversion.operand(0).ty())
        && loop_depth(conversion) > 0
        && buffers.iter().any(|buffer| buffer.op == conversion);
    is_candidate.then_some(conversion)
}

/// Rows of words as `mma.sync` leaves them.
fn is_product(ty: Type<'_>) -> bool {
    let layout = ty.layout();
    let is_of_mma = matches!(layout.as_deref(), Some(Encoding::NvidiaMma(mma)) if mma.version_major == MMA_SYNC);
    is_of_mma && ty.rank() == 2 && ty.element_bits() == WORD_BITS
}

/// Threads write 16 bytes along the rows, and rows consist of whole sectors, so that two words of a thread can be written at once, too.
fn writes_sectors(store: Op<'_>, facts: &AxisFacts, target: &Target) -> bool {
    let pointer = store.operand(0);
    contiguous_axis(pointer.ty()) == Some(1)
        && width_of(store, facts, target) >= WORDS_OF_STORE
        && facts.get(pointer).contiguity[1] >= WORDS_OF_SECTOR
}

/// The stores without whose scratch memory all programs run at once; none where they do with it, or do not without it. `run_at_once` says so of the
/// bytes of a program.
fn needed<'c>(
    stores: Vec<ProductStore<'c>>,
    buffers: &[SharedBuffer<'c>],
    run_at_once: impl Fn(u32) -> bool,
) -> Vec<ProductStore<'c>> {
    let bytes_without = |stores: &[ProductStore<'c>]| {
        let is_gone = |op: Op<'c>| stores.iter().any(|store| store.conversion == op);
        let left: Vec<SharedBuffer<'c>> = buffers.iter().filter(|buffer| !is_gone(buffer.op)).cloned().collect();
        total_bytes(&left)
    };
    if run_at_once(total_bytes(buffers)) || !run_at_once(bytes_without(&stores)) {
        return Vec::new();
    }
    let mut needed = stores;
    let mut at = 0;
    while at < needed.len() {
        // One that shares bytes with what lives at another time may keep them.
        let store = needed.remove(at);
        if !run_at_once(bytes_without(&needed)) {
            needed.insert(at, store);
            at += 1;
        }
    }
    needed
}
