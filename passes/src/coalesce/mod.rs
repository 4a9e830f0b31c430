//! Gives each access to global memory the layout that its pointers deserve.
//!
//! A warp is fastest when neighboring threads touch neighboring bytes and each thread moves up to 16 of them at once. Which axis is
//! contiguous in memory, and how well aligned, is what axis info knows of the pointers. Accesses of one shape and order
//! that share address arithmetic agree on one layout, so that no conversion is needed between them. (Triton's algorithm.)
//! Loads whose neighbors are a small stride apart stay out of it, and so do stores to loaded places where the others have many elements of a thread:
//! see [`Follows`].
//!
//! 1. For each access, find order and width from axis info.
//! 2. Let the accesses of a slice agree, and those that know nothing of an axis follow those that do ([`neighbors`]).
//! 3. Rebuild each access in its layout, with conversions around it; `remove-layout-conversions` deletes those that do not matter.
//!
//! Reductions of blocks that no access reaches choose a layout as accesses do: [`broadcast_sums`]. Blocks that are scanned down their columns have
//! several rows in a thread: [`scans`]. An axis of which a mask leaves one value has no neighbors, where another one has some: [`fixed_axes`].
//! Lanes cover a line of a row that lies where a loaded number says, where a loop repeats that or a thread has many such rows: [`gathered_rows`].
//! Blocks that loops reduce again and again have the layout of the fewest exchanges: [`repeated_reductions`]. Threads have four rows of what is stored
//! by columns as bytes: [`transposed_bytes`]. Accesses follow stores of loops whose neighbors are apart, and loads of loops that begin anywhere:
//! [`stores_apart`]. Elements at loaded places are where their numbers are: [`gathered_elements`].

mod broadcast_sums;
mod fixed_axes;
mod gathered_elements;
mod gathered_rows;
mod neighbors;
mod packed_columns;
mod repeated_reductions;
mod scans;
mod stores_apart;
mod transposed_bytes;

use crate::analysis::slice::Slices;
use crate::analysis::step_divisors::{Step, step_along};
use crate::analysis::strides::{stride_along, usual_stride_along};
use crate::analysis::{self, AxisFacts, axis_flow::unit_of};
use crate::attributes::Threads;
use crate::convert_to_ttg::require_ttg;
use crate::operations::computations::computation;
use crate::operations::memory::{Access, GlobalMemory, global_memory};
use crate::vectorize_memory::widest;
use crate::{Pass, PassContext};
use broadcast_sums::BroadcastSum;
use fixed_axes::is_left_out;
use gathered_elements::take_layouts_of_numbers;
use gathered_rows::{GatheredRows, has_loaded_addresses};
use packed_columns::{is_packed, layout_for_packed};
use repeated_reductions::{ReducedBlocks, layout_for_reductions, reduced_blocks};
use rustc_hash::{FxHashMap, FxHashSet};
use scans::{ScannedAxes, layout_for_scan, scanned_axes};
use stores_apart::{LoopDepths, Narrow, narrow_in_loops};
use tk_diag::Result;
use tk_ir::ops::{DescriptorLoadOp, DescriptorStoreLikeOp, ReduceOp};
use tk_ir::{Attribute, Builder, Module, Op, OpKind, Value};
use tk_layout::{BlockedEncoding, Encoding};
use tk_target::{LINE_BYTES, Target};
use tk_types::Residency;
use transposed_bytes::{accesses_of_turned_bytes, layout_for_bytes};

/// Neighbors that are a multiple of so many elements apart are not side by side. It is what a launch tells of a stride.
const APART: u64 = 16;

/// Bytes that the widest instruction moves for a thread.
const WIDEST_BYTES: u64 = 16;

/// Operations behind a load that are looked at for what is reduced.
const MOST_USERS: usize = 256;

/// Elements of a thread with which a store to loaded places follows the loads of its slice. Places that lie in order after all, as sorted
/// ones do, are written with so many times the requests.
const SCATTERED: u32 = 4;

/// The pass.
pub const PASS: Pass = Pass { name: "coalesce", summary: "choose layouts for accesses to global memory", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    for function in module.functions() {
        let facts = analysis::axis_info(function);
        let slices = Slices::of(function);
        let accesses = collect(function, &facts, &slices, &cx.target);
        let met = Met {
            scanned: scanned_axes(function, &accesses, &facts),
            reduced: reduced_blocks(function),
            turned: accesses_of_turned_bytes(function),
            packed: accesses.iter().filter(|access| is_packed(access, &facts)).map(|access| access.op.id()).collect(),
            narrow: narrow_in_loops(&accesses, &facts),
        };
        let mut layouts = plan(&accesses, &slices, &met, threads, cx.options.residency);
        take_layouts_of_numbers(&accesses, &mut layouts, &met, &facts, threads);
        for (access, layout) in accesses.iter().zip(layouts) {
            rebuild(access.op, access.op.context().encoding_attr(&Encoding::Blocked(layout)));
        }
        let described = function.descendants().into_iter().filter_map(|op| described_access(op, threads));
        for (op, layout) in described.collect::<Vec<_>>() {
            rebuild(op, layout);
        }
        let sums = function.descendants().into_iter().filter_map(|op| BroadcastSum::of(op, threads));
        sums.collect::<Vec<_>>().into_iter().for_each(BroadcastSum::apply);
    }
    Ok(())
}

/// A block that is loaded or stored by a descriptor passes through shared memory, where each thread moves up to 16 neighboring bytes.
fn described_access(op: Op<'_>, threads: Threads) -> Option<(Op<'_>, Attribute<'_>)> {
    let block = if let Some(load) = DescriptorLoadOp::cast(op) {
        load.result().ty()
    } else {
        DescriptorStoreLikeOp::cast(op)?.src().ty()
    };
    let shape = block.shape();
    let share = (block.num_elements() / i64::from(threads.total())).clamp(1, 1 << 20) as u32;
    let mut size = vec![1; shape.len()];
    *size.last_mut()? = share.min(128 / block.element_bits().max(8));
    let order: Vec<u32> = (0..shape.len() as u32).rev().collect();
    let layout = BlockedEncoding::for_shape(&shape, &size, &order, threads.num_warps, threads.threads_per_warp);
    Some((op, op.context().encoding_attr(&Encoding::Blocked(layout))))
}

/// What accesses that agree on a width have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Agreement<'a> {
    component: Option<u32>,
    shape: &'a [i64],
    order: &'a [u32],
}

/// One access to global memory, as far as the choice of its layout goes.
struct GlobalAccess<'c> {
    op: Op<'c>,
    shape: Vec<i64>,
    /// Axes by falling contiguity.
    order: Vec<u32>,
    /// Consecutive elements along the first axis of the order that one instruction may move.
    width: u32,
    /// Consecutive elements along that axis that a thread may have at most, where other accesses of the slice ask for more than `width`.
    most: u32,
    component: Option<u32>,
    follows: Follows,
}

/// Which width that its slice has agreed on an access takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    Any,
    /// A load of a tile whose neighbors are apart, but not by a line. With several elements per thread, each of its instructions would
    /// touch as many lines as it has threads, and as many instructions the same ones again: with 4 elements that are 32 bytes
    /// apart, four times the lines. It has one element per thread whatever the others have; a conversion is cheaper.
    /// A tensor of one axis is read once, and memory is slower than the requests. Where threads have all of the axis, their neighbors are along
    /// another one, and nothing is said of these.
    WholeAxis,
    /// A store of elements to places that are loaded. It leaves gaps in any case, so that a conversion to one element per thread gains nothing where
    /// the others have few.
    Few,
}

impl Follows {
    /// Of an access of `width` consecutive elements along an axis.
    fn of(op: Op<'_>, facts: &AxisFacts, axis: usize, width: u32) -> Self {
        if width == 1 && spreads(op, facts, axis) {
            Self::WholeAxis
        } else if width == 1 && scatters(op, facts, axis) {
            Self::Few
        } else {
            Self::Any
        }
    }
}

impl GlobalAccess<'_> {
    /// The accesses of `component` that it agrees with.
    fn agreement(&self, component: Option<u32>) -> Agreement<'_> {
        Agreement { component, shape: &self.shape, order: &self.order }
    }

    /// Whether it has the width of its slice.
    fn follows(&self, width: u32, threads: Threads) -> bool {
        match self.follows {
            Follows::Any => true,
            Follows::WholeAxis => self.has_whole_axis(width, threads),
            Follows::Few => width.min(self.share(threads)) <= SCATTERED,
        }
    }

    /// A thread with `width` elements along the first axis of the order has all of it.
    fn has_whole_axis(&self, width: u32, threads: Threads) -> bool {
        i64::from(width.min(self.share(threads))) >= self.shape[self.order[0] as usize]
    }

    /// Elements of each thread, if none is held twice.
    fn share(&self, threads: Threads) -> u32 {
        let elements: i64 = self.shape.iter().product();
        (elements / i64::from(threads.total())).clamp(1, 1 << 20) as u32
    }
}

fn collect<'c>(function: Op<'c>, facts: &AxisFacts, slices: &Slices, target: &Target) -> Vec<GlobalAccess<'c>> {
    let mut accesses = Vec::new();
    for op in function.descendants() {
        if !is_global_access(op) || !op.operand(0).ty().is_tensor() || op.operand(0).ty().rank() == 0 {
            continue;
        }
        let shape = op.operand(0).ty().shape();
        let order = order_of(op, facts);
        let order = order_of_neighbor(op, facts).unwrap_or(order);
        let row = order[0] as usize;
        let side_by_side = side_by_side(op, facts, row, &shape);
        let width = side_by_side.min(u64::from(widest(op, target))) as u32;
        let follows = Follows::of(op, facts, row, width);
        let most = most_in_slice(op, target, width, side_by_side, follows);
        accesses.push(GlobalAccess { op, shape, order, width, most, component: slices.component(op), follows });
    }
    accesses
}

/// What a thread may have at most where others of the slice have more: any number of a load, and of a store to loaded places that follows. A write
/// wider than its own access would leave gaps between the pieces that a warp writes. An atomic operation that takes one element after the other has
/// gaps in any case, within lines that it touches anyway.
fn most_in_slice(op: Op<'_>, target: &Target, width: u32, side_by_side: u64, follows: Follows) -> u32 {
    if op.kind() == OpKind::TtLoad || follows == Follows::Few {
        u32::MAX
    } else if takes_one_by_one(op, target) {
        side_by_side.min(WIDEST_BYTES / unit_of(op.operand(0).ty())).max(1) as u32
    } else {
        width
    }
}

/// An atomic operation that takes one element after the other, and whose results nothing uses.
fn takes_one_by_one(op: Op<'_>, target: &Target) -> bool {
    global_memory(op.kind()).access() == Some(Access::Combine)
        && widest(op, target) == 1
        && !op.results().iter().any(|result| result.has_uses())
}

/// Where a value is used, or what is computed from it element by element.
fn uses_behind_elements(value: Value<'_>) -> Vec<(Op<'_>, usize)> {
    let (mut uses, mut pending, mut seen) = (Vec::new(), vec![value], FxHashSet::default());
    while let Some(value) = pending.pop() {
        for (user, operand) in value.users() {
            let is_by_element =
                user.kind() == OpKind::TtgConvertLayout || computation(user.kind()).is_element_by_element();
            if !is_by_element {
                uses.push((user, operand));
            } else if seen.len() < MOST_USERS && seen.insert(user.id()) {
                pending.extend(user.results());
            }
        }
    }
    uses
}

/// Loads, stores, atomics and asynchronous copies on tensors of pointers.
pub(crate) fn is_global_access(op: Op<'_>) -> bool {
    matches!(global_memory(op.kind()), GlobalMemory::Pointers(_)) && op.operand(0).ty().is_ptr_like()
}

/// What is known of an axis of an access: how many elements follow each other, and how near neighbors are.
type Known = (std::cmp::Reverse<u64>, Nearness);

/// How near neighbors along an axis usually are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// They share a line.
    Line,
    /// Their place is a quotient: they are at one place, or side by side.
    Quotient,
    Unknown,
}

impl Nearness {
    fn along(pointer: Value<'_>, axis: usize, facts: &AxisFacts) -> Self {
        let distance = usual_stride_along(pointer, axis, facts).map(i64::unsigned_abs);
        match distance.map(|elements| elements.saturating_mul(unit_of(pointer.ty()))) {
            // Elements that are all at one place gain nothing from each other.
            Some(0) if facts.get(pointer).constancy[axis] < pointer.ty().shape()[axis].max(1) as u64 => {
                let is_near = matches!(step_along(pointer, axis, facts), Step::MultipleOf(..APART));
                if is_near { Self::Quotient } else { Self::Unknown }
            }
            Some(bytes) if bytes > 0 && bytes < u64::from(LINE_BYTES) => Self::Line,
            Some(_) | None => Self::Unknown,
        }
    }
}

fn known_along(op: Op<'_>, axis: usize, facts: &AxisFacts) -> Known {
    if is_left_out(op, axis, facts) {
        return (std::cmp::Reverse(1), Nearness::Unknown);
    }
    let pointer = op.operand(0);
    (std::cmp::Reverse(facts.get(pointer).contiguity[axis]), Nearness::along(pointer, axis, facts))
}

/// The order of the accesses that the values of a load meet and that know their first axis, where they agree and what is known of the load is in
/// order then.
fn order_of_neighbor(load: Op<'_>, facts: &AxisFacts) -> Option<Vec<u32>> {
    let known = |op: Op<'_>| -> Vec<Known> {
        (0..op.operand(0).ty().rank()).map(|axis| known_along(op, axis, facts)).collect()
    };
    let own = (load.kind() == OpKind::TtLoad).then(|| known(load))?;
    let shape = load.operand(0).ty().shape();
    let long: Vec<usize> = (0..shape.len()).filter(|axis| shape[*axis] > 1).collect();
    let is_tied = long.iter().any(|&a| long.iter().any(|&b| a != b && own[a] == own[b]));
    if !is_tied {
        return None;
    }
    let knows_first = |op: &Op<'_>| {
        let known = known(*op);
        let first = order_of(*op, facts)[0] as usize;
        (0..known.len()).all(|axis| axis == first || known[first] < known[axis])
    };
    let mut orders = neighbors::met_by(load).into_iter().filter(knows_first).map(|op| order_of(op, facts));
    let order = orders.next()?;
    if orders.any(|other| other != order) {
        return None;
    }
    let long_in_order: Vec<Known> =
        order.iter().map(|axis| *axis as usize).filter(|axis| long.contains(axis)).map(|axis| own[axis]).collect();
    long_in_order.is_sorted().then_some(order)
}

/// Axes by falling contiguity of the pointers, without runs of which the mask leaves one element ([`is_left_out`]); among equals first those whose
/// neighbors are near ([`Nearness`]), then those that no reduction goes along, so that threads rather have all of what is reduced, then those whose
/// neighbors may lie side by side, then the last axis.
fn order_of(op: Op<'_>, facts: &AxisFacts) -> Vec<u32> {
    let pointer = op.operand(0);
    let info = facts.get(pointer);
    let mut order: Vec<u32> = (0..info.rank() as u32).rev().collect();
    let is_tied = order
        .iter()
        .any(|&a| order.iter().any(|&b| a != b && info.contiguity[a as usize] == info.contiguity[b as usize]));
    let reduced = if is_tied { reduced_axes(op) } else { Vec::new() };
    // Where an axis is known to lie side by side, no other one does.
    let is_known = (0..info.rank())
        .any(|axis| info.contiguity[axis] > 1 || Nearness::along(pointer, axis, facts) == Nearness::Line);
    let apart = if is_tied && !is_known { axes_apart(pointer, facts) } else { Vec::new() };
    order.sort_by_cached_key(|&axis| {
        (known_along(op, axis as usize, facts), reduced.contains(&axis), apart.contains(&axis))
    });
    order
}

/// The axes whose neighbors are known to be apart, where there are others whose neighbors may lie side by side. Of a tensor that has
/// the same element several times along an axis nothing is said: these go to one thread or to many for other reasons.
fn axes_apart(pointer: Value<'_>, facts: &AxisFacts) -> Vec<u32> {
    let shape = pointer.ty().shape();
    let (short, long): (Vec<usize>, Vec<usize>) = (0..shape.len()).partition(|axis| shape[*axis] <= 1);
    let (mut apart, mut side_by_side) = (Vec::new(), false);
    for axis in long {
        match step_along(pointer, axis, facts) {
            Step::None => return Vec::new(),
            Step::MultipleOf(APART..) => apart.push(axis as u32),
            Step::MultipleOf(_) => side_by_side = true,
        }
    }
    if apart.is_empty() || !side_by_side {
        return Vec::new();
    }
    apart.extend(short.into_iter().map(|axis| axis as u32));
    apart
}

/// The axes along which what is computed from a load, element by element, is reduced.
fn reduced_axes(load: Op<'_>) -> Vec<u32> {
    let (mut axes, mut pending, mut seen) = (Vec::new(), load.results(), FxHashSet::default());
    while let Some(value) = pending.pop() {
        for (user, _) in value.users() {
            if let Some(reduce) = ReduceOp::cast(user) {
                axes.extend(u32::try_from(reduce.axis()));
            } else if seen.insert(user.id()) && seen.len() < MOST_USERS {
                let same_shape =
                    |result: &Value<'_>| result.ty().is_tensor() && result.ty().shape() == value.ty().shape();
                pending.extend(user.results().into_iter().filter(same_shape));
            }
        }
    }
    axes
}

/// Elements along an axis that lie side by side, as far as they are aligned together.
fn side_by_side(op: Op<'_>, facts: &AxisFacts, axis: usize, shape: &[i64]) -> u64 {
    let pointer = op.operand(0);
    let info = facts.get(pointer);
    let alignment = (info.divisibility[axis] / unit_of(pointer.ty())).max(1);
    let contiguous = info.contiguity[axis].min(shape[axis].max(1) as u64);
    alignment.min(contiguous)
}

/// Whether a load of a tile has neighbors that are apart by less than a line.
fn spreads(op: Op<'_>, facts: &AxisFacts, axis: usize) -> bool {
    let pointer = op.operand(0);
    let is_tile = pointer.ty().shape().iter().filter(|size| **size > 1).count() > 1;
    let unit = unit_of(pointer.ty());
    let distance = || stride_along(pointer, axis, facts).map(|stride| stride.unsigned_abs().saturating_mul(unit));
    op.kind() == OpKind::TtLoad
        && is_tile
        && distance().is_some_and(|bytes| bytes > unit && bytes < u64::from(LINE_BYTES))
}

/// Whether a store writes neighbors of an axis to places that are loaded, of which nothing is known. Rows that lie where loaded numbers say have
/// their neighbors side by side.
fn scatters(op: Op<'_>, facts: &AxisFacts, axis: usize) -> bool {
    op.kind() == OpKind::TtStore && usual_stride_along(op.operand(0), axis, facts).is_none() && has_loaded_addresses(op)
}

/// What accesses meet that asks for layouts of its own.
struct Met {
    scanned: ScannedAxes,
    reduced: ReducedBlocks,
    /// Accesses of blocks whose bytes are transposed, by identity.
    turned: FxHashSet<usize>,
    /// Accesses of which several elements share a byte, by identity.
    packed: FxHashSet<usize>,
    /// Accesses in loops that the others follow.
    narrow: Narrow,
}

impl Met {
    /// Whether the layout of an access is made for what its block meets.
    fn has_layout_for(&self, access: Op<'_>) -> bool {
        let id = access.id();
        self.scanned.contains_key(&id)
            || self.reduced.contains_key(&id)
            || self.turned.contains(&id)
            || self.packed.contains(&id)
    }
}

/// The layouts of accesses, in their order.
fn plan(
    accesses: &[GlobalAccess<'_>],
    slices: &Slices,
    met: &Met,
    threads: Threads,
    residency: Residency,
) -> Vec<BlockedEncoding> {
    // The greatest width of each component, shape and order; then of everything an access reaches.
    let mut widest: FxHashMap<Agreement<'_>, u32> = FxHashMap::default();
    let mut packed: FxHashSet<Agreement<'_>> = FxHashSet::default();
    for access in accesses {
        let width = widest.entry(access.agreement(access.component)).or_insert(1);
        *width = (*width).max(access.width);
        if met.packed.contains(&access.op.id()) {
            packed.insert(access.agreement(access.component));
        }
    }
    let gathered = GatheredRows::of(accesses, residency);
    let depths = LoopDepths::of(accesses, &met.narrow);
    let mut reachable: FxHashMap<u32, FxHashSet<u32>> = FxHashMap::default();
    accesses
        .iter()
        .map(|access| {
            // A pointer that a loop carries has other alignment inside than outside: its access decides alone.
            let own = access.component.filter(|_| access.op.operand(0).is_result());
            let components = own.map(|from| &*reachable.entry(from).or_insert_with(|| slices.reachable(from)));
            let width_in = |component: u32| widest.get(&access.agreement(Some(component)));
            let agreed = components.into_iter().flatten().filter_map(|component| width_in(*component)).max();
            let agreements = || {
                let others = components.into_iter().flatten().map(|from| Some(*from));
                std::iter::once(access.component).chain(others).map(move |component| access.agreement(component))
            };
            let follows = |width: &u32| access.follows(*width, threads);
            let width = if depths.are_narrow(agreements(), agreed.copied().unwrap_or(access.width)) {
                1
            } else {
                agreed.copied().filter(follows).unwrap_or(access.width)
            };
            let is_one_of = |these: &FxHashSet<Agreement<'_>>| agreements().any(|agreement| these.contains(&agreement));
            let usual = layout(access, width, threads);
            let for_rows = gathered.layout(agreements(), access, &usual, threads);
            let for_packed = if is_one_of(&packed) { layout_for_packed(access, &usual, threads) } else { None };
            let blocked = for_rows.or(for_packed).unwrap_or(usual);
            let scanned = met.scanned.get(&access.op.id());
            let for_scan = scanned.and_then(|scanned| layout_for_scan(access, &blocked, *scanned, threads));
            let reduced = met.reduced.get(&access.op.id());
            let for_reductions = || reduced.and_then(|block| layout_for_reductions(access, &blocked, block, threads));
            let is_turned = met.turned.contains(&access.op.id());
            let for_bytes = || if is_turned { layout_for_bytes(access, &blocked, threads) } else { None };
            for_scan.or_else(for_reductions).or_else(for_bytes).unwrap_or(blocked)
        })
        .collect()
}

/// The blocked layout of an access whose slice agreed on `width` elements per thread.
fn layout(access: &GlobalAccess<'_>, width: u32, threads: Threads) -> BlockedEncoding {
    let width = width.min(access.share(threads)).min(access.most);
    let mut size = vec![1; access.shape.len()];
    size[access.order[0] as usize] = width;
    BlockedEncoding::for_shape(&access.shape, &size, &access.order, threads.num_warps, threads.threads_per_warp)
}

/// Every tensor operand is converted to the layout, every tensor result is converted back.
pub(crate) fn rebuild<'c>(op: Op<'c>, layout: Attribute<'c>) {
    for (index, operand) in op.operands().into_iter().enumerate() {
        let ty = operand.ty();
        if ty.is_tensor() && ty.encoding() != Some(layout) {
            let converted = Builder::before(op).convert_layout(operand, ty.with_encoding(Some(layout)));
            op.set_operand(index, converted);
        }
    }
    for result in op.results() {
        let ty = result.ty();
        if ty.is_tensor() && ty.encoding() != Some(layout) {
            result.set_type(ty.with_encoding(Some(layout)));
            if result.has_uses() {
                let back = Builder::after(op).convert_layout(result, ty);
                if let Some(conversion) = back.defining_op() {
                    result.replace_all_uses_except(back, &[conversion]);
                }
            }
        }
    }
}
