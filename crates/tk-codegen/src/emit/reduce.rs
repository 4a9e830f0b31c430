//! `tt.reduce`: follows the plan of tk-layout. Each thread combines its registers ([`Order`]), lanes combine by butterfly shuffles, and warps
//! meet in shared memory when several hold parts of one result, or when the threads that have the one position that counts hand it on. Lanes that each hold a part of the results tell the others. Where all lanes of a
//! warp combine one integer, that is one instruction ([`warp_reduction`]).

use super::shared::{Shuffle, load_shared, shuffle, store_shared};
use super::{Emitter, Registers, warp_reduction};
use crate::code::{IntTest, Reg, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Result;
use tk_ir::ops::{ReduceOp, Selection};
use tk_ir::{Block, Op, OpKind};
use tk_layout::reduction::{self, ReductionPlan, Telling, WarpExchange};

/// What a thread reduces takes at most so many registers for the order of computation to be ptxas's: that is half of all.
const MANY_WORDS: usize = 128;

/// Products that are added one after the other: the first is a multiplication, and each of the others a multiplication and addition in one. A
/// tree of four takes two multiplications, two of these, and an addition.
const PRODUCTS_OF_CHAIN: usize = 4;

/// Sums of a thread from which on it has others to compute while one waits for an addition.
const LEAST_CHAINS: usize = 4;

/// One value of each operand.
type Row = Vec<Reg>;

/// `tt.reduce`.
pub(super) fn emit_reduce<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = ReduceOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no reduction"))?;
    let combine = view.combine().ok_or_else(|| emitter.bug(op, "it has no combining region"))?;
    let tensor = emitter.tensor(op.operand(0).ty())?;
    let plan = reduction::plan(&tensor.layout, view.axis(), view.sharing()).map_err(|why| emitter.bug(op, why))?;
    let operands = view.srcs().into_iter().map(|value| emitter.registers(value)).collect::<Result<Vec<_>>>()?;

    let mut accumulators = if meets_others(&plan) && has_trees(&plan) && words(&plan, &operands) > MANY_WORDS {
        combine_in_order(emitter, combine, &plan.groups, &operands)?
    } else {
        let order = Order::of(emitter, view, &plan.groups, &operands);
        combine_groups(emitter, combine, &plan.groups, &operands, order)?
    };
    let at_once = warp_reduction::of(view, &plan);
    if let Some(combining) = at_once {
        for value in accumulators.iter_mut().flatten() {
            *value = combining.emit(&mut emitter.code, *value)?;
        }
    }
    for step in plan.lane_steps.iter().filter(|_| at_once.is_none()) {
        if step.halves {
            accumulators = halved(emitter, combine, step.mask, &accumulators)?;
        } else {
            between_lanes(emitter, combine, step.mask, &mut accumulators)?;
        }
    }
    if let Some(exchange) = &plan.exchange {
        accumulators = match plan.telling {
            Telling::ByLanes | Telling::ByScratch => between_warps(emitter, op, combine, exchange, accumulators)?,
            Telling::ByOwner => handed_on(emitter, view, &plan, exchange, &accumulators)?,
        };
    }
    let is_told = plan.telling != Telling::ByLanes;
    for step in plan.lane_steps.iter().rev().filter(|step| step.halves && !is_told) {
        accumulators = gathered(emitter, step.mask, &accumulators)?;
    }
    for (index, result) in view.result().into_iter().enumerate() {
        let registers: Vec<Reg> = plan.results.iter().map(|at| accumulators[*at as usize][index]).collect();
        let value = if result.ty().is_tensor() { registers.into() } else { Registers::Splat(registers[0]) };
        emitter.define(result, value);
    }
    Ok(())
}

/// In which order a thread combines the registers of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// Neighbours, until one is left.
    Tree,
    /// Chains of [`PRODUCTS_OF_CHAIN`], and a tree of their sums.
    Chains,
}

impl Order {
    /// Chains for sums of products, if LLVM may fuse these with additions: it does so where the product is in the same block and is needed for
    /// nothing else. Each register must be a product of its own, since one that is added several times is multiplied once.
    fn of<'c>(emitter: &Emitter<'c, '_>, view: ReduceOp<'c>, groups: &[Vec<u32>], operands: &[Registers]) -> Self {
        let [source] = view.srcs()[..] else { return Self::Tree };
        let [products] = operands else { return Self::Tree };
        let adds = view.single_combiner().is_some_and(|combiner| combiner.kind() == OpKind::ArithAddF);
        let is_fused = |product: Op<'c>| {
            product.kind() == OpKind::ArithMulF && product.block() == view.op.block() && source.has_one_use()
        };
        // Sums of two halves are one instruction, for which a tree has pairs.
        let are_packed = source.ty().element_bits() < 32;
        let may_fuse = emitter.settings.options.fp_fusion && adds && source.defining_op().is_some_and(is_fused);
        if !may_fuse || are_packed || groups.len() < LEAST_CHAINS {
            return Self::Tree;
        }
        let registers = || groups.iter().flatten().map(|register| products.get(*register as usize));
        let distinct: FxHashSet<Reg> = registers().collect();
        if distinct.len() == registers().count() { Self::Chains } else { Self::Tree }
    }
}

/// The registers of each group combined.
fn combine_groups<'c>(
    emitter: &mut Emitter<'c, '_>,
    combine: Block<'c>,
    groups: &[Vec<u32>],
    operands: &[Registers],
    order: Order,
) -> Result<Vec<Row>> {
    let row = |register: &u32| operands.iter().map(|operand| operand.get(*register as usize)).collect();
    let mut results = Vec::with_capacity(groups.len());
    for group in groups {
        let rows: Vec<Row> = group.iter().map(row).collect();
        let rows = match order {
            Order::Tree => rows,
            Order::Chains => sums_of_chains(emitter, combine, &rows)?,
        };
        results.push(combine_all(emitter, combine, rows)?);
    }
    Ok(results)
}

/// As many neighbours as a chain has are combined from the first to the last.
fn sums_of_chains<'c>(emitter: &mut Emitter<'c, '_>, combine: Block<'c>, rows: &[Row]) -> Result<Vec<Row>> {
    let mut sums = Vec::with_capacity(rows.len().div_ceil(PRODUCTS_OF_CHAIN));
    for chain in rows.chunks(PRODUCTS_OF_CHAIN) {
        let mut sum = Row::new();
        for (place, row) in chain.iter().enumerate() {
            sum = if place == 0 { row.clone() } else { combine_two(emitter, combine, &sum, row)? };
        }
        sums.push(sum);
    }
    Ok(sums)
}

/// Other threads have parts of the results.
fn meets_others(plan: &ReductionPlan) -> bool {
    !plan.lane_steps.is_empty() || plan.exchange.is_some()
}

/// Several groups are combined, each as a full tree.
fn has_trees(plan: &ReductionPlan) -> bool {
    plan.groups.len() > 1 && plan.groups.iter().all(|group| group.len() > 1 && group.len().is_power_of_two())
}

/// Registers of 32 bits that hold what a thread reduces, if all of it is there at once.
fn words(plan: &ReductionPlan, operands: &[Registers]) -> usize {
    let values: usize = plan.groups.iter().map(Vec::len).sum();
    let of_one = |operand: &Registers| operand.get(0).ty().bytes().div_ceil(4) as usize;
    values * operands.iter().map(of_one).sum::<usize>()
}

/// A place in the tree that combines a group: one of `width` places of its level.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    group: usize,
    width: usize,
    place: usize,
}

impl Node {
    /// What it is combined with. The root has none, and nothing waits there.
    fn sibling(self) -> Self {
        Self { place: self.place ^ 1, ..self }
    }

    fn parent(self) -> Self {
        Self { width: self.width / 2, place: self.place / 2, ..self }
    }
}

/// The same as [`combine_groups`], computed here in the order of the registers: what a load brings for several results is used up before the
/// next load, where one result after the other would keep all loads.
fn combine_in_order<'c>(
    emitter: &mut Emitter<'c, '_>,
    combine: Block<'c>,
    groups: &[Vec<u32>],
    operands: &[Registers],
) -> Result<Vec<Row>> {
    let mut leaves: Vec<(u32, Node)> = Vec::new();
    for (group, registers) in groups.iter().enumerate() {
        let leaf = |place| Node { group, width: registers.len(), place };
        leaves.extend(registers.iter().enumerate().map(|(place, register)| (*register, leaf(place))));
    }
    leaves.sort_unstable_by_key(|(register, _)| *register);
    let mut waiting: FxHashMap<Node, Row> = FxHashMap::default();
    let mut results = vec![Row::new(); groups.len()];
    for (register, mut node) in leaves {
        let mut row: Row = operands.iter().map(|operand| operand.get(register as usize)).collect();
        while let Some(sibling) = waiting.remove(&node.sibling()) {
            let (first, second) = if node.place % 2 == 0 { (&row, &sibling) } else { (&sibling, &row) };
            row = combine_two(emitter, combine, first, second)?;
            row.iter().try_for_each(|value| emitter.code.compute_here(*value))?;
            node = node.parent();
        }
        if node.width == 1 {
            results[node.group] = row;
        } else {
            waiting.insert(node, row);
        }
    }
    Ok(results)
}

/// Each accumulator is combined with that of the lane whose number differs in the bit of the mask.
fn between_lanes<'c>(
    emitter: &mut Emitter<'c, '_>,
    combine: Block<'c>,
    mask: u32,
    accumulators: &mut [Row],
) -> Result<()> {
    for accumulator in accumulators.iter_mut() {
        let other = of_other_lane(emitter, accumulator, mask)?;
        *accumulator = combine_two(emitter, combine, accumulator, &other)?;
    }
    Ok(())
}

fn of_other_lane(emitter: &mut Emitter<'_, '_>, row: &Row, mask: u32) -> Result<Row> {
    row.iter().map(|value| shuffle(&mut emitter.code, *value, Shuffle::Flip(mask))).collect()
}

/// The first half of the accumulators in lanes whose bit is 0, the second one in the others, combined with those of the other lane.
fn halved<'c>(emitter: &mut Emitter<'c, '_>, combine: Block<'c>, mask: u32, accumulators: &[Row]) -> Result<Vec<Row>> {
    let (first, second) = accumulators.split_at(accumulators.len() / 2);
    let mut kept = Vec::with_capacity(first.len());
    for (first, second) in first.iter().zip(second) {
        let (own, given) = (chosen(emitter, mask, first, second), chosen(emitter, mask, second, first));
        let other = of_other_lane(emitter, &given, mask)?;
        kept.push(combine_two(emitter, combine, &own, &other)?);
    }
    Ok(kept)
}

/// Both halves, of which each lane has one.
fn gathered(emitter: &mut Emitter<'_, '_>, mask: u32, kept: &[Row]) -> Result<Vec<Row>> {
    let (mut first, mut second) = (Vec::with_capacity(2 * kept.len()), Vec::with_capacity(kept.len()));
    for own in kept {
        let other = of_other_lane(emitter, own, mask)?;
        first.push(chosen(emitter, mask, own, &other));
        second.push(chosen(emitter, mask, &other, own));
    }
    first.append(&mut second);
    Ok(first)
}

/// `of_0` in lanes whose bit is 0, `of_1` in the others.
fn chosen(emitter: &mut Emitter<'_, '_>, mask: u32, of_0: &Row, of_1: &Row) -> Row {
    let Some(is_0) = emitter.not_skipped(mask, 0) else { return of_0.clone() };
    of_0.iter().zip(of_1).map(|(a, b)| emitter.code.select(is_0, *a, *b)).collect()
}

/// Combines the elements of two places, in their order.
pub(super) fn combine_two<'c>(emitter: &mut Emitter<'c, '_>, combine: Block<'c>, a: &[Reg], b: &[Reg]) -> Result<Row> {
    let arguments: Vec<Reg> = a.iter().chain(b).copied().collect();
    emitter.inline(combine, &arguments)
}

/// Combines neighbours until one is left: the order is kept, and the chain of dependent operations is short.
fn combine_all<'c>(emitter: &mut Emitter<'c, '_>, combine: Block<'c>, mut rows: Vec<Row>) -> Result<Row> {
    while rows.len() > 1 {
        let mut next = Vec::with_capacity(rows.len().div_ceil(2));
        for pair in rows.chunks(2) {
            next.push(match pair {
                [a, b] => combine_two(emitter, combine, a, b)?,
                _ => pair[0].clone(),
            });
        }
        rows = next;
    }
    rows.pop().ok_or_else(|| crate::code::bug("a reduction of nothing"))
}

/// Every part is stored once; then every thread loads and combines all parts of the results it wants, or its share of them.
fn between_warps<'c>(
    emitter: &mut Emitter<'c, '_>,
    op: Op<'c>,
    combine: Block<'c>,
    exchange: &WarpExchange,
    accumulators: Vec<Row>,
) -> Result<Vec<Row>> {
    let types: Vec<Ty> = accumulators[0].iter().map(|value| value.ty()).collect();
    let bytes: Vec<u32> = types.iter().map(|ty| ty.bytes()).collect();
    let (starts, all) = exchange.scratch(&bytes);
    let scratch = emitter.scratch(op)?;
    emitter.note_shared(op, "reduction", all);
    let predicate = emitter.not_skipped(exchange.skip_lanes, exchange.skip_warps);
    let base = emitter.linear_offset(&exchange.store_lanes, &exchange.store_warps);
    for (accumulator, slot) in accumulators.iter().zip(&exchange.slots) {
        for (operand, value) in accumulator.iter().enumerate() {
            let address = part_address(emitter, scratch, base, *slot, starts[operand], bytes[operand]);
            store_shared(&mut emitter.code, address, &[*value], predicate)?;
        }
    }
    emitter.code.barrier()?;
    let base = emitter.linear_offset(&exchange.load_lanes, &exchange.load_warps);
    let mut combined = Vec::with_capacity(exchange.load_slots.len());
    for slot in &exchange.load_slots {
        let mut rows: Vec<Row> = vec![Row::new(); exchange.parts as usize];
        for (operand, ty) in types.iter().enumerate() {
            let first = part_address(emitter, scratch, base, *slot, starts[operand], bytes[operand]);
            let parts = load_parts(emitter, exchange, first, *ty, bytes[operand])?;
            rows.iter_mut().zip(parts).for_each(|(row, part)| row.push(part));
        }
        combined.push(combine_all(emitter, combine, rows)?);
    }
    for mask in &exchange.lane_masks {
        between_lanes(emitter, combine, *mask, &mut combined)?;
    }
    Ok(combined)
}

/// The threads that have the one position that counts store what they have there, and all load the results that they want, as many at a time as lie side by
/// side. Where the position does not exist, those that have the first one store zeros.
fn handed_on<'c>(
    emitter: &mut Emitter<'c, '_>,
    view: ReduceOp<'c>,
    plan: &ReductionPlan,
    exchange: &WarpExchange,
    accumulators: &[Row],
) -> Result<Vec<Row>> {
    let selection = view.selection().ok_or_else(|| emitter.bug(view.op, "it selects nothing"))?;
    let values: Vec<Reg> = accumulators.iter().map(|row| row[0]).collect();
    let ty = values[0].ty();
    let scratch = emitter.scratch(view.op)?;
    emitter.note_shared(view.op, "selected position", exchange.elements * ty.bytes());
    let mask = emitter.registers(selection.mask)?;
    let code = &mut emitter.code;
    let mut owns = plan.groups[0].iter().map(|register| mask.get(*register as usize));
    let first = owns.next().unwrap_or_else(|| code.bool(false));
    let owns = owns.fold(first, |any, one| code.or(any, one));
    let exists = exists(emitter, &selection, positions_of_axis(view))?;
    let owns = owns_any(emitter, exchange, owns, exists);
    let base = emitter.linear_offset(&exchange.store_lanes, &exchange.store_warps);
    let width = side_by_side(exchange);
    let addresses: Vec<Reg> = (exchange.slots.iter().step_by(width))
        .map(|slot| part_address(emitter, scratch, base, *slot, 0, ty.bytes()))
        .collect();
    for (values, address) in values.chunks(width).zip(&addresses) {
        store_shared(&mut emitter.code, *address, values, Some(owns))?;
    }
    emitter.code.barrier()?;
    let mut results = Vec::with_capacity(values.len());
    for address in addresses {
        let code = &mut emitter.code;
        let zero = code.zero(ty);
        for value in load_shared(code, address, ty, width)? {
            // As the sum with zeros, which has no negative one.
            let value = if ty.is_float() { code.fadd(value, zero) } else { value };
            results.push(vec![value]);
        }
    }
    Ok(results)
}

/// Whether a thread stores: it has the selected position, and no lower thread has its copy, or there is no such position, and it has the first one.
fn owns_any(emitter: &mut Emitter<'_, '_>, exchange: &WarpExchange, owns: Reg, exists: Reg) -> Reg {
    let WarpExchange { skip_lanes, skip_warps, axis_lanes, axis_warps, .. } = *exchange;
    let always = emitter.code.bool(true);
    let has_first = emitter.not_skipped(skip_lanes | axis_lanes, skip_warps | axis_warps).unwrap_or(always);
    let is_first_copy = emitter.not_skipped(skip_lanes, skip_warps).unwrap_or(always);
    let code = &mut emitter.code;
    let (none, owns) = (code.not(exists), code.and(owns, is_first_copy));
    let stands_in = code.and(none, has_first);
    code.or(owns, stands_in)
}

/// Accumulators that follow each other in scratch memory of every thread, up to 16 bytes of words.
fn side_by_side(exchange: &WarpExchange) -> usize {
    let WarpExchange { slots, store_lanes, store_warps, .. } = exchange;
    let follow = |chunk: &[u32]| chunk.iter().zip(chunk[0]..).all(|(slot, next)| *slot == next);
    let fits = |width: usize| {
        let is_aligned = |offset: &u32| offset.is_multiple_of(width as u32);
        let begins = slots.iter().step_by(width).chain(store_lanes).chain(store_warps);
        slots.len().is_multiple_of(width) && slots.chunks(width).all(follow) && begins.into_iter().all(is_aligned)
    };
    [4, 2].into_iter().find(|width| fits(*width)).unwrap_or(1)
}

/// Positions of the axis.
fn positions_of_axis(view: ReduceOp<'_>) -> i64 {
    view.op.operand(0).ty().shape()[view.axis()]
}

/// Whether the selected position is one of the axis.
fn exists<'c>(emitter: &mut Emitter<'c, '_>, selection: &Selection<'c>, positions: i64) -> Result<Reg> {
    let index = emitter.registers(selection.index)?.get(0);
    let base = selection.base.map(|base| emitter.registers(base)).transpose()?;
    let code = &mut emitter.code;
    let start = code.int(index.ty(), selection.start);
    let mut position = code.sub(index, start);
    if let Some(base) = base {
        position = code.sub(position, base.get(0));
    }
    let positions = code.int(position.ty(), positions);
    Ok(code.icmp(IntTest::Ult, position, positions))
}

fn part_address(emitter: &mut Emitter<'_, '_>, scratch: Reg, base: Reg, slot: u32, start: u32, bytes: u32) -> Reg {
    let code = &mut emitter.code;
    let slot = code.i32(slot.into());
    let element = code.xor(base, slot);
    let size = code.i32(bytes.into());
    let offset = code.mul(element, size);
    let start = code.i32(start.into());
    let offset = code.add(offset, start);
    code.ptr_add(scratch, offset)
}

/// All parts of one result; side by side they are loaded up to 16 bytes at a time.
fn load_parts(
    emitter: &mut Emitter<'_, '_>,
    exchange: &WarpExchange,
    first: Reg,
    ty: Ty,
    bytes: u32,
) -> Result<Vec<Reg>> {
    let width = if exchange.part_stride == 1 { exchange.parts.min(16 / bytes) } else { 1 };
    let mut parts = Vec::with_capacity(exchange.parts as usize);
    for part in (0..exchange.parts).step_by(width as usize) {
        let distance = i64::from(part) * i64::from(exchange.part_stride * bytes);
        let address = first.with_offset(first.offset() + distance);
        parts.extend(load_shared(&mut emitter.code, address, ty, width as usize)?);
    }
    Ok(parts)
}
