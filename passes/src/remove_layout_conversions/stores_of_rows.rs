//! Stores of a number for each row keep the layout of the numbers, in loops.
//!
//! A loop over time that sums up the rows of a block stores a number for each row in every iteration. The sums are in a slice of the block's layout, and
//! the store has the layout that `coalesce` has made for it. The conversion between them takes shared memory and two barriers where several warps have
//! rows, and while it is there `loop-unroll` does not copy the body: each iteration waits for its own loads. A store in the layout of the sums needs neither.
//! What it costs is that each warp writes its own rows, in shorter runs.
//!
//! - The store is in an innermost loop that loads, and its vector has fewer elements than the CTA has threads: it is a small part of what the loop moves.
//! - Nothing else accesses memory through the parameter that it stores through, and pointers and mask can be computed anew in the layout
//!   ([`StoreInLayout`]).
//! - What is converted is a slice of a blocked layout. Results of products have layouts of their own, which were not measured: kernels with products stay
//!   as they are.
//! - A thread has few of the elements ([`MOST_ELEMENTS`]), and a warp writes enough bytes side by side ([`LEAST_RUN`]).

use super::store_in_layout::StoreInLayout;
use crate::attributes::Threads;
use crate::encodings::elements_per_thread;
use crate::operations::control::is_loop;
use crate::operations::is_product;
use tk_ir::{Attribute, Op, OpKind, Type};
use tk_layout::{Dim, Encoding};

/// Elements that a thread stores: one in four warps and two in one, where this was measured.
const MOST_ELEMENTS: i64 = 2;
/// Bytes that a warp writes side by side: four numbers of 16 bits. Four warps write a sector of 32 bytes together then, before it leaves the cache. On an
/// H200 two recurrences with such stores are 1.55 times (runs of 16 bytes) and 1.23 times (8 bytes) as fast.
const LEAST_RUN: u64 = 8;

/// Gives such stores the layout of what is converted for them; true where there are any.
pub(super) fn run(function: Op<'_>, threads: Threads) -> bool {
    let ops = function.descendants();
    if ops.iter().any(|op| is_product(*op)) {
        return false;
    }
    let plans: Vec<StoreInLayout<'_>> = ops.iter().filter_map(|op| plan(*op, &ops, threads)).collect();
    plans.iter().for_each(StoreInLayout::apply);
    !plans.is_empty()
}

/// The plan for a store, if it is such a one. `ops` are those of its function.
fn plan<'c>(store: Op<'c>, ops: &[Op<'c>], threads: Threads) -> Option<StoreInLayout<'c>> {
    if store.kind() != OpKind::TtStore || store.num_operands() < 2 {
        return None;
    }
    let around = store.ancestors().skip(1).find(|op| is_loop(*op))?;
    let converted = store.operand(1);
    let is_conversion = |op: &Op<'c>| op.kind() == OpKind::TtgConvertLayout && around.contains(*op);
    let conversion = converted.defining_op().filter(is_conversion)?;
    let rows = conversion.operand(0).ty();
    let inside = around.descendants();
    let is_innermost = !inside.iter().skip(1).any(|op| is_loop(*op));
    let waits = inside.iter().any(|op| op.kind() == OpKind::TtLoad);
    let fits = rows.rank() == 1
        && rows.num_elements() < i64::from(threads.total())
        && is_of_block(rows.encoding()?)
        && elements_per_thread(rows) <= MOST_ELEMENTS
        && bytes_of_run(rows) >= LEAST_RUN;
    let is_small = is_innermost && waits && converted.has_one_use() && fits;
    is_small.then(|| StoreInLayout::of(store, conversion, ops)).flatten()
}

/// A number for each row of a block that is not of a matrix instruction.
fn is_of_block(layout: Attribute<'_>) -> bool {
    let Some(encoding) = layout.encoding() else { return false };
    let Encoding::Slice(slice) = &*encoding else { return false };
    matches!(&*slice.parent, Encoding::Blocked(_))
}

/// Bytes from the first element on that a warp has.
fn bytes_of_run(ty: Type<'_>) -> u64 {
    let Some(linear) = ty.linear_layout() else { return 0 };
    let places: Vec<u64> = [Dim::Register, Dim::Lane].iter().flat_map(|dim| linear.columns_of(*dim)).copied().collect();
    let mut run: u64 = 1;
    while places.contains(&run) {
        run *= 2;
    }
    run * u64::from(ty.element_bits()) / 8
}
