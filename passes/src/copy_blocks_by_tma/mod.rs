//! Loads blocks of products by the tensor memory accelerator (TMA) although the program loads them through pointers.
//!
//! A loop that multiplies two blocks per iteration often loads them as descriptors would: consecutive rows of consecutive elements, a fixed
//! way further each time, and nothing left out. Then the launch can make a tensor map of the pointer and the stride, and one thread copies
//! what all threads would have to compute addresses for.
//!
//! Dots of two warp groups gain by it, and those of one group where B is wide ([`WIDE_COLUMNS`]) or where addresses are computed in every
//! iteration ([measurements](../../../docs/measurements.md#wide-blocks-and-two-warp-groups-gain-by-tma-through-pointers)). Elsewhere an `mbarrier` and what it announces cost more than addresses do.
//!
//! Where a thread has no registers for a second product, numbers for its rows that are consecutive in memory, each iteration's in another row of a
//! matrix of them, go along ([`rows_beside`]), also beside operands that the program loads by descriptors.
//!
//! What makes it possible are numbers that the launch knows to be multiples of the blocks (`i32:256` in a signature): the `%` that wraps the
//! last block around then wraps nothing, and the mask of the last iteration masks nothing. Where masks compare rows and columns with sizes,
//! the map has these sizes, and what lies behind them arrives as zeros: K may be any number then. Without masks the program asks for nothing outside of
//! what its pointers reach, and the map has no end.
//!
//! 1. Where the blocks of the loads lie ([`block`]), also where the loop carries their pointers or offsets ([`moved`]), which masks are always true
//!    ([`mask`]), and where others say that rows and columns end ([`ends`]).  2. The products whose operands can both be copied, also where threads
//!    convert what arrives ([`narrowed`]), and those of which one operand is computed and the other is large ([`alone`]).  3. A parameter for each map, and
//!    loads by it.
//!
//! What the analysis of addresses takes for granted is taken for granted here ([`crate::analysis::axis_rules`]): integers do not wrap around, and programs
//! do not divide by negative numbers. Hints about tensors are not. Nothing may have been written before the loads, through whatever parameter: TMA does not
//! see what threads wrote without a fence.

use crate::analysis::axis_flow::{AxisFacts, analyze_without_tensor_hints};
use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::rows_of_results::is_computed_from;
use crate::attributes::NUM_STAGES;
use crate::control_flow::{loops_of, remove_dead};
use crate::copy_blocks_by_tma::block::BlockOfMemory;
use crate::copy_blocks_by_tma::ends::End;
use crate::copy_blocks_by_tma::operand::Origin;
use crate::operations::control::is_loop;
use crate::operations::is_dot;
use crate::optimize_descriptor_encoding::update_signature;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::attributes::{MAP_COLUMNS, MAP_COLUMNS_PARAMETER, MAP_ROWS, MAP_ROWS_PARAMETER};
use tk_ir::ops::{CacheModifier, DotOp, EvictionPolicy, ForOp, FuncOp, InputPrecision, LoadOp};
use tk_ir::{Block, Builder, Module, Op, OpKind, Value};
use tk_target::{WARP_SIZE, WARPS_PER_GROUP};

mod alone;
mod block;
mod counted;
mod ends;
mod linear;
mod mask;
mod moved;
mod narrowed;
mod operand;

/// The pass.
pub const PASS: Pass =
    Pass { name: "copy-blocks-by-tma", summary: "copy blocks of dots by TMA although pointers are given", run };

/// Rows of the smallest product of a warp group.
const LEAST_ROWS: i64 = 64;
/// Columns of B from which on one warp group gains, where its rows fill …
const WIDE_COLUMNS: i64 = 256;
/// … cache lines, in bytes.
const WHOLE_LINE: i64 = 128;
/// Elements of a product of which a thread of one warp group has no more registers than it needs: 256 each.
const LARGE_PRODUCT: i64 = 128 * 256;
/// Elements of a product for each thread beside which it has no registers for those of the next.
const LARGE_RESULT: i64 = 128;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    if !(cx.target.has_wgmma() && cx.options.num_warps.is_multiple_of(WARPS_PER_GROUP)) || cx.options.sanitize.is_on() {
        return Ok(());
    }
    for function in module.functions() {
        let Some(view) = FuncOp::cast(function).filter(|view| view.is_public()) else {
            continue;
        };
        let copies = plan(view, cx);
        let Some(body) = view.body().filter(|_| !copies.is_empty()) else { continue };
        let mut maps = MapParameters { function: view, body, made: Vec::new() };
        copies.iter().for_each(|copy| copy.apply(&mut maps));
        remove_dead(function);
    }
    Ok(())
}

/// Whether nothing has been written to global memory when the loop runs, nor in the loop or one around it. A `while` may wait for what others
/// write.
fn reads_before_writes(function: FuncOp<'_>, view: ForOp<'_>) -> bool {
    let may_wait = |op: Op<'_>| op.descendants().iter().any(|inner| inner.kind() == OpKind::ScfWhile);
    let writes = |op: Op<'_>| !GlobalWrites::of(op).is_empty() || may_wait(op);
    let mut inner = view.op;
    while inner != function.op {
        let mut before = std::iter::successors(inner.prev(), |op| op.prev());
        if before.any(writes) || is_loop(inner) && writes(inner) {
            return false;
        }
        match inner.parent_op() {
            Some(outer) => inner = outer,
            None => return false,
        }
    }
    true
}

/// A load that TMA can do.
struct BlockCopy<'c> {
    load: LoadOp<'c>,
    view: ForOp<'c>,
    block: BlockOfMemory<'c>,
}

fn plan<'c>(function: FuncOp<'c>, cx: &PassContext) -> Vec<BlockCopy<'c>> {
    let facts = analyze_without_tensor_hints(function.op);
    let mut copies = Vec::new();
    for view in loops_of(function.op) {
        let dots: Vec<DotOp<'_>> = view.body().ops().into_iter().filter_map(DotOp::cast).collect();
        let [dot] = dots[..] else { continue };
        if !reads_before_writes(function, view) {
            continue;
        }
        let of = |operand: Value<'c>| {
            block_copy(function, view, loaded(operand)?, &facts).filter(|copy| !copy.block.is_single_row())
        };
        let before = copies.len();
        if let (Some(a), Some(b)) = (of(dot.a()), of(dot.b()))
            && is_worthwhile(dot, [&a, &b], cx.options.num_warps)
            && narrowed::leave_room(view, dot, [&a, &b], cx)
        {
            let is_other = a.load.op != b.load.op;
            copies.push(a);
            copies.extend(Some(b).filter(|_| is_other));
        }
        let is_copied = copies.len() > before;
        if !is_copied {
            copies.extend(of(dot.b()).filter(|b| alone::gains(view, dot, b, cx)));
        }
        let is_by_tma = is_copied || [dot.a(), dot.b()].into_iter().all(is_by_descriptor);
        if is_by_tma && rows_gain(view, dot, cx) {
            copies.extend(rows_beside(function, view, &facts));
        }
    }
    copies
}

/// Whether an operand is loaded by a descriptor.
fn is_by_descriptor(operand: Value<'_>) -> bool {
    Origin::of(operand).is_some_and(|origin| !origin.is_narrowed && origin.op.kind() == OpKind::TtDescriptorLoad)
}

/// Whether numbers of rows gain by TMA, too: in loops that run ahead, where a thread has no registers for the next product. Otherwise that is issued
/// ahead, and numbers that wait in registers beside it are faster
/// ([measurements](../../../docs/measurements.md#copies-behind-the-first-of-several-products-pay-where-numbers-of-rows-are-copied-too)).
fn rows_gain(view: ForOp<'_>, dot: DotOp<'_>, cx: &PassContext) -> bool {
    let threads = i64::from(cx.options.num_warps) * i64::from(WARP_SIZE);
    let elements = dot.a().ty().shape()[0] * dot.b().ty().shape()[1];
    stages_of(view, cx) > 1 && is_for_tensor_cores(dot) && elements / threads >= LARGE_RESULT
}

/// The stages of a loop.
fn stages_of(view: ForOp<'_>, cx: &PassContext) -> i64 {
    view.op.int_attr(NUM_STAGES).unwrap_or(i64::from(cx.options.num_stages))
}

/// Numbers of rows or columns, each iteration's from another row of memory, that are loaded beside blocks which TMA copies.
fn rows_beside<'c>(function: FuncOp<'c>, view: ForOp<'c>, facts: &AxisFacts) -> Vec<BlockCopy<'c>> {
    let is_load = |op: Op<'c>| matches!(op.kind(), OpKind::TtLoad | OpKind::TtDescriptorLoad);
    let is_source = |op: Op<'c>| is_dot(op) || is_load(op);
    let fills_lines = |load: &LoadOp<'c>| {
        let ty = load.result().ty();
        ty.shape().len() == 1 && ty.num_elements() * i64::from(ty.element_bits() / 8) % WHOLE_LINE == 0
    };
    let loads = view.body().ops().into_iter().filter_map(LoadOp::cast).filter(fills_lines);
    // What other loads need the addresses of waits in registers, and takes none of their stages.
    let is_index = |load: &LoadOp<'c>| {
        let is_own = |op: Op<'c>| op == load.op;
        view.body().ops().into_iter().filter(|op| is_load(*op)).any(|other| is_computed_from(view, other, is_own))
    };
    let known = loads.filter(|load| !is_computed_from(view, load.op, is_source) && !is_index(load));
    known.filter_map(|load| block_copy(function, view, load, facts)).collect()
}

/// Whether warp groups will compute the product, from blocks that TMA has written as they read them, and in less time (see above).
fn is_worthwhile(dot: DotOp<'_>, copies: [&BlockCopy<'_>; 2], num_warps: u32) -> bool {
    let [a, b] = copies;
    let (left, right) = (dot.a().ty(), dot.b().ty());
    let bytes = i64::from(left.element_bits() / 8);
    // Only operands of 16 bits may lie with the other axis contiguous.
    let lies_well = bytes == 2 || a.reads_along(1, dot.a()) && b.reads_along(0, dot.b());
    left.element() == right.element()
        && is_for_tensor_cores(dot)
        && left.shape()[0] >= LEAST_ROWS
        && lies_well
        && (num_warps > WARPS_PER_GROUP || one_group_gains(dot, Some(a), b))
}

/// Whether one warp group gains: where B is wide, where threads have no registers for addresses, and where they would compute them in every
/// iteration. Without a copy of A threads compute that operand.
fn one_group_gains<'c>(dot: DotOp<'c>, a: Option<&BlockCopy<'c>>, b: &BlockCopy<'c>) -> bool {
    let (rows, columns) = (dot.a().ty().shape()[0], dot.b().ty().shape()[1]);
    let copies = || a.into_iter().chain([b]);
    let computes_addresses = copies().any(|copy| copy.block.changes_in_loop());
    columns >= WIDE_COLUMNS && b.fills_lines()
        || rows * columns >= LARGE_PRODUCT
        || computes_addresses && copies().any(BlockCopy::fills_lines)
}

/// Operands of 8 or 16 bits, or f32 in the precision of tf32.
fn is_for_tensor_cores(dot: DotOp<'_>) -> bool {
    let element = dot.a().ty().element();
    match element.element_bits() {
        8 | 16 => true,
        32 => element.is_float() && dot.input_precision() == InputPrecision::Tf32,
        _ => false,
    }
}

/// The load through pointers that an operand comes from.
fn loaded(operand: Value<'_>) -> Option<LoadOp<'_>> {
    LoadOp::cast(Origin::of(operand)?.op)
}

fn block_copy<'c>(function: FuncOp<'c>, view: ForOp<'c>, load: LoadOp<'c>, facts: &AxisFacts) -> Option<BlockCopy<'c>> {
    let is_plain =
        load.cache() == CacheModifier::None && load.eviction() == EvictionPolicy::Normal && !load.is_volatile();
    if !is_plain || load.op.block() != Some(view.body()) {
        return None;
    }
    let block = BlockOfMemory::of(function, view, load, facts)?;
    Some(BlockCopy { load, view, block })
}

impl<'c> BlockCopy<'c> {
    /// Whether elements of the operand that comes from the load are consecutive along `axis`.
    fn reads_along(&self, axis: usize, operand: Value<'c>) -> bool {
        let is_turned = Origin::of(operand).is_some_and(|origin| origin.is_turned);
        self.block.is_transposed() == ((axis == 0) != is_turned)
    }

    /// Whether rows in memory fill cache lines. What threads convert is copied as wide as it lies there.
    fn fills_lines(&self) -> bool {
        let [_, columns] = self.block.copied_shape();
        columns * self.bytes_of_element() >= WHOLE_LINE
    }

    /// Bytes that an iteration copies.
    fn bytes(&self) -> i64 {
        let [rows, columns] = self.block.copied_shape();
        rows * columns * self.bytes_of_element()
    }

    fn bytes_of_element(&self) -> i64 {
        i64::from(self.load.result().ty().element_bits() / 8)
    }

    fn apply(&self, maps: &mut MapParameters<'c>) {
        let (load, block) = (self.load, &self.block);
        let descriptor = maps.get(block, load.result());
        let indices = block.indices(maps.function, self.view, load);
        let ty = load.result().ty();
        // A single row is loaded without the axis that has one element.
        let copied = descriptor.ty().descriptor_block().filter(|_| !block.is_single_row()).unwrap_or(ty);
        let mut builder = Builder::before(load.op);
        let operands: Vec<Value<'c>> = [vec![descriptor], indices].concat();
        let mut value = builder.create(OpKind::TtDescriptorLoad, &operands, &[copied], &[]).result(0);
        if block.is_transposed() {
            // Two transposes in a row are none; as two they would be moves through shared memory.
            for turned in load.result().users().into_iter().filter_map(|(user, _)| turned_block(user)) {
                turned.replace_all_uses_with(value);
            }
            value = builder.trans(value, &[1, 0], ty);
        }
        load.result().replace_all_uses_with(value);
        load.op.erase();
    }
}

/// What an operation gives that swaps rows and columns.
fn turned_block(op: Op<'_>) -> Option<Value<'_>> {
    let swaps = op.kind() == OpKind::TtTrans && op.attr("order").and_then(|order| order.as_ints()) == Some(vec![1, 0]);
    swaps.then(|| op.result(0))
}

/// The parameters for tensor maps, behind those of the program.
struct MapParameters<'c> {
    function: FuncOp<'c>,
    body: Block<'c>,
    made: Vec<MapParameter<'c>>,
}

/// A parameter for a tensor map.
struct MapParameter<'c> {
    map: Value<'c>,
    /// The parameters that it is made of.
    base: usize,
    stride: usize,
    /// Where its rows and columns end.
    ends: [End; 2],
}

impl<'c> MapParameters<'c> {
    /// The map for a load; loads of equal blocks of one matrix share it.
    fn get(&mut self, block: &BlockOfMemory<'c>, loaded: Value<'c>) -> Value<'c> {
        let context = loaded.context();
        let ty = context.tensor_desc(context.tensor(&block.copied_shape(), loaded.ty().element(), None));
        let is_same = |known: &&MapParameter<'c>| {
            known.map.ty() == ty
                && (known.base, known.stride) == (block.base, block.stride)
                && known.ends == block.ends()
        };
        if let Some(known) = self.made.iter().find(is_same) {
            return known.map;
        }
        let index = self.body.num_arguments();
        let map = self.body.add_argument(ty, self.body.argument(block.base).loc());
        update_signature(self.function.op);
        let number = |value: usize| context.i32_attr(value as i32);
        self.function.set_arg_attr(index, tk_ir::attributes::MAP_BASE, number(block.base));
        self.function.set_arg_attr(index, tk_ir::attributes::MAP_STRIDE, number(block.stride));
        let ends = block.ends();
        let [rows, columns] = ends;
        for (end, elements, parameter) in
            [(rows, MAP_ROWS, MAP_ROWS_PARAMETER), (columns, MAP_COLUMNS, MAP_COLUMNS_PARAMETER)]
        {
            match end {
                End::Nowhere => {}
                End::At(count) => self.function.set_arg_attr(index, elements, number(count as usize)),
                End::Parameter { index: of, .. } => self.function.set_arg_attr(index, parameter, number(of)),
            }
        }
        self.made.push(MapParameter { map, base: block.base, stride: block.stride, ends });
        map
    }
}
