//! Rows that are loaded for products are loaded in the layouts of these.
//!
//! Betas, gates, scales and norms are loaded before a loop, one for each row of a block, and multiply an operand or a result in there. Where such a row
//! is converted, its way is a load, a write to shared memory, a barrier and a read of it. The loop's first copies stand behind that barrier, so that nothing
//! is under way while the load takes its time. In the layout of the product a thread has few rows of a tile, and loads them itself: nobody waits for
//! them before they are used.
//!
//! `remove-layout-conversions` knows that of rows with fewer elements than threads. What is left to do are conversions that `optimize-dot-operands` makes
//! behind it, and rows with an element or more for each thread.
//!
//! True for rows outside of loops, in layouts of products by matrix instructions:
//!
//! - **A loop uses them**: it holds them in this layout anyway. Behind a loop they would wait in more registers than as they are loaded, where
//!   loads are moved before it.
//! - **All that a row is made of can be made again**: a load, and arithmetic on it. Nothing is reduced or converted for it.
//! - **Few loads** ([`MOST_LOADS`]), or no more instructions than before.
//! - **Few sectors**: elements lie side by side, or no more warps load each of them than before.
//! - **The row is loaded once**: nothing else needs it in its own layout, unless it has fewer elements than there are threads.
//!
//! Rows along N of a product, of which a thread has a column or two in every eight, stay converted where they are more
//! ([measurements](../../../docs/measurements.md#rows-for-operands-are-loaded-in-their-layout)).

use super::backward::{Beside, LayoutSlice};
use super::made::Made;
use super::{Costs, Rows};
use crate::PassContext;
use crate::attributes::Threads;
use crate::control_flow::{loop_depth, remove_dead};
use crate::encodings::distinct_elements_per_thread;
use crate::operations::control::{is_loop, is_structured};
use crate::vectorize_memory::width_of;
use rustc_hash::FxHashSet;
use tk_ir::ops::LoadOp;
use tk_ir::{Attribute, Op, OpKind, Type, Value};
use tk_layout::{Dim, Encoding};

/// Loads of a thread for a row: those of 128 rows of a product whose four warps have different ones. The way through shared memory reads as many elements.
const MOST_LOADS: i64 = 4;

/// Elements side by side that a warp loads at once for a product: a sector of numbers in 32 bits.
const ROWS_OF_LANES: u64 = 8;

/// Lets rows be loaded in the layouts that products need them in.
pub(crate) fn run(function: Op<'_>, threads: Threads, cx: &PassContext) {
    let rows: Vec<Op<'_>> = function.descendants().into_iter().filter(|op| is_row_for_product(*op)).collect();
    if rows.is_empty() {
        return;
    }
    // What operands were made of before is no user of the rows.
    let conversions: Vec<usize> = rows.iter().map(|op| op.id()).collect();
    remove_dead(function);
    let is_left = |op: &Op<'_>| op.kind() == OpKind::TtgConvertLayout && conversions.contains(&op.id());
    let rows: Vec<Op<'_>> = function.descendants().into_iter().filter(is_left).collect();
    let costs = Costs { rows: Rows::OfAnySize, ..Costs::of(function, threads, cx) };
    let mut made = Made::default();
    // Erased at the end: `made` knows values by address.
    let mut superfluous = Vec::new();
    for conversion in rows {
        let source = conversion.operand(0);
        let Some(layout) = conversion.result(0).ty().encoding() else { continue };
        // Several operands may have made a conversion of the same row.
        if made.find(source, layout).is_none()
            && let Some(row) = LoadedRow::of(conversion, layout, &made, &costs)
        {
            row.slice.apply(&mut made);
        }
        if let Some(value) = made.find(source, layout) {
            conversion.result(0).replace_all_uses_with(value);
            superfluous.push(conversion);
        }
    }
    if !superfluous.is_empty() {
        superfluous.iter().for_each(|conversion| conversion.erase());
        remove_dead(function);
    }
}

/// A conversion of a tensor of one axis to the layout of a product by matrix instructions, before a loop that uses it.
fn is_row_for_product(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtgConvertLayout
        && op.operand(0).ty().rank() == 1
        && loop_depth(op) == 0
        && op.result(0).ty().layout().is_some_and(|layout| is_of_product(&layout))
        && is_used_in_loop(op)
}

/// A loop takes what the conversion gives, or what is made of that before it.
fn is_used_in_loop(conversion: Op<'_>) -> bool {
    let (mut seen, mut pending) = (FxHashSet::default(), vec![conversion]);
    while let Some(op) = pending.pop() {
        for (user, _) in op.results().into_iter().flat_map(|result| result.users()) {
            if is_loop(user) || loop_depth(user) > 0 {
                return true;
            }
            if user.block() == conversion.block() && user.num_regions() == 0 && seen.insert(user.id()) {
                pending.push(user);
            }
        }
    }
    false
}

/// Rows or columns of a result or an operand of matrix instructions.
fn is_of_product(layout: &Encoding) -> bool {
    let Encoding::Slice(slice) = layout else { return false };
    let parent = if let Encoding::DotOp(operand) = &*slice.parent { &operand.parent } else { &slice.parent };
    matches!(**parent, Encoding::NvidiaMma(_))
}

/// A row that is made in another layout.
struct LoadedRow<'c> {
    slice: LayoutSlice<'c>,
    layout: Attribute<'c>,
}

impl<'c> LoadedRow<'c> {
    fn of(conversion: Op<'c>, layout: Attribute<'c>, made: &Made<'c>, costs: &Costs<'_, 'c>) -> Option<Self> {
        let source = conversion.operand(0);
        let slice = LayoutSlice::paying(conversion, source, layout, made, costs, Beside::Stays)?;
        let row = Self { slice, layout };
        let loads = row.loads();
        let is_paying =
            |load: &LoadOp<'c>| row.takes_few_instructions(*load, costs) && row.takes_few_sectors(*load, costs);
        let pays = !loads.is_empty()
            && row.is_made_of_rows(conversion)
            && loads.iter().all(is_paying)
            && row.is_loaded_once(&loads, conversion, costs);
        pays.then_some(row)
    }

    fn loads(&self) -> Vec<LoadOp<'c>> {
        let makers = self.slice.remade.iter().filter_map(|(value, _)| value.defining_op());
        makers.filter_map(LoadOp::cast).collect()
    }

    /// Everything is made again beside the conversion, of rows and numbers, without exchange among threads.
    fn is_made_of_rows(&self, conversion: Op<'c>) -> bool {
        let is_plain = |op: Op<'c>| {
            let exchanges =
                matches!(op.kind(), OpKind::TtReduce | OpKind::TtScan | OpKind::TtGather | OpKind::TtHistogram);
            !exchanges && !is_structured(op) && op.num_regions() == 0 && op.block() == conversion.block()
        };
        let is_row = |value: &Value<'c>| value.ty().rank() <= 1 && value.defining_op().is_some_and(is_plain);
        self.slice.converted.is_empty() && self.slice.remade.iter().all(|(value, _)| is_row(value))
    }

    fn takes_few_instructions(&self, load: LoadOp<'c>, costs: &Costs<'_, 'c>) -> bool {
        let own = load.result().ty();
        let before = distinct_elements_per_thread(own) / i64::from(costs.width_of(load).max(1));
        distinct_elements_per_thread(self.again(own)) <= before.max(MOST_LOADS)
    }

    fn takes_few_sectors(&self, load: LoadOp<'c>, costs: &Costs<'_, 'c>) -> bool {
        let own = load.result().ty();
        costs.run_of(load) >= ROWS_OF_LANES || warps_of_element(self.again(own)) <= warps_of_element(own)
    }

    fn is_loaded_once(&self, loads: &[LoadOp<'c>], conversion: Op<'c>, costs: &Costs<'_, 'c>) -> bool {
        let copied = self.slice.copied(conversion);
        let is_twice = |load: &&LoadOp<'c>| copied.contains(&load.result().id());
        loads.iter().filter(is_twice).all(|load| !costs.is_expensive_access(load.op))
    }

    fn again(&self, ty: Type<'c>) -> Type<'c> {
        ty.with_encoding(Some(self.layout))
    }
}

impl<'c> Costs<'_, 'c> {
    /// Elements that one load of a thread takes.
    fn width_of(&self, load: LoadOp<'c>) -> u32 {
        width_of(load.op, self.axis_facts(), &self.cx.target)
    }

    /// Elements that lie side by side in memory.
    fn run_of(&self, load: LoadOp<'c>) -> u64 {
        self.axis_facts().get(load.ptr()).contiguity.first().copied().unwrap_or(1)
    }
}

/// Warps that have the same element.
fn warps_of_element(ty: Type<'_>) -> u32 {
    ty.linear_layout().map_or(1, |layout| 1 << layout.free_mask(Dim::Warp).count_ones())
}
