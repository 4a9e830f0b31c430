//! Lets accesses of whole blocks be wide where only their mask keeps them narrow.
//!
//! `x[i]` under `i < n` moves an element at a time where nothing divides `n`, since some vector may lie across the end. In most blocks of most
//! launches every element is inside. One comparison of two numbers says so for all threads, and behind it the same accesses need no mask:
//!
//! ```text
//! x = load(p, start + range < n)     x = if start + last < n { load(p) } else { load(p, start + range < n) }
//! ```
//!
//! True for loads and stores that would be at least twice as wide without their mask, where the mask is a conjunction of comparisons between sums
//! of numbers and ranges ([`Part`]). A mask that is the same in every program and iteration is none of these: it is of rows that blocks are longer
//! than. Nor is one whose number moves by less than a block from program to program. Where a number that is loaded makes it another one, such as how many rows a group has, blocks may all be whole or none: narrow elements are
//! stored so, where that is at least four times as wide ([`Difference`]). Those with the same mask that nothing keeps apart share the branch. Loads far behind the first one do where a few
//! registers hold all of them: behind a second branch nothing is issued before the first loads are there
//! ([measurements](../../docs/measurements.md#a-mask-has-one-branch-for-its-loads)). A launch of one program has no blocks but the last one, which
//! is whole in none but tests: there a branch only keeps arithmetic behind what was loaded.
//!
//! 1. Find accesses and read their masks.  2. Collect those that share a branch.  3. Write both sides.

use crate::analysis::block_bounds::BlockBounds;
use crate::analysis::live_registers::registers;
use crate::analysis::loop_variables::turned;
use crate::analysis::{self, AxisFacts};
use crate::control_flow::{arithmetic_behind, move_arithmetic};
use crate::convert_to_ttg::require_ttg;
use crate::masked_values::parts_of;
use crate::operations::control::is_loop;
use crate::operations::memory::{Access, GlobalMemory, global_memory};
use crate::vectorize_memory::{mask_of, width_of, width_without_mask};
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp, LoadOp};
use tk_ir::{Block, Builder, Module, Op, OpKind, Type, Value};
use tk_target::Target;
use tk_types::Residency;

/// The pass.
pub const PASS: Pass =
    Pass { name: "widen-whole-blocks", summary: "access whole blocks without the masks of those at the end", run };

/// Operations behind the first access that are looked at.
const MOST_BETWEEN: usize = 200;
/// The same for loads that few registers hold.
const MOST_BETWEEN_FEW: usize = 400;
/// Registers of a thread for the loads of one branch, where some are further away than [`MOST_BETWEEN`].
const FEW_REGISTERS: u32 = 32;
/// Comparisons of a mask.
const MOST_PARTS: usize = 4;
/// Operations between a mask and the comparison that makes it.
const MOST_VIEWS: usize = 8;
/// Branches of a block: a triangular solve whose row of 14 steps loads and stores behind 28 of them took 1.3 times as long.
const MOST_GROUPS: usize = 4;
/// How many times as wide accesses have to become.
const WIDER: u32 = 2;
/// The same under a mask that only a loaded number makes another one in each program, and bits of an element at most. Measured with 16 bytes.
const WIDER_IF_LOADED: u32 = 4;
const MOST_BITS_IF_LOADED: u32 = 16;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    require_ttg(module)?;
    // The only program of a launch is the one at the end.
    if cx.options.residency == Residency::One {
        return Ok(());
    }
    for function in module.functions() {
        let facts = analysis::axis_info(function);
        let blocks = function.descendants().into_iter().flat_map(|op| op.regions());
        let blocks: Vec<Block<'_>> = blocks.flat_map(|region| region.blocks()).collect();
        for block in blocks {
            groups_of(block, &facts, &cx.target).into_iter().for_each(Group::apply);
        }
    }
    Ok(())
}

/// Accesses with one mask, in the order of the block, and what has to be moved before the first for that.
struct Group<'c, 'f> {
    accesses: Vec<Op<'c>>,
    moved: Vec<Op<'c>>,
    parts: Vec<Part<'c, 'f>>,
}

fn groups_of<'c, 'f>(block: Block<'c>, facts: &'f AxisFacts, target: &Target) -> Vec<Group<'c, 'f>> {
    let becomes_wider = |op: &Op<'c>, times: u32| {
        width_without_mask(*op, facts, target) >= times.saturating_mul(width_of(*op, facts, target))
    };
    let is_narrow = |op: &Op<'c>| {
        let is_plain = op.kind() == OpKind::TtStore || LoadOp::cast(*op).is_some_and(|load| !load.is_volatile());
        is_plain && op.operand(0).ty().is_tensor() && mask_of(*op).is_some() && becomes_wider(op, WIDER)
    };
    let may_follow_loads = |op: &Op<'c>| {
        let is_of_few_bits = || op.operand(1).ty().element_bits() <= MOST_BITS_IF_LOADED;
        op.kind() == OpKind::TtStore && is_of_few_bits() && becomes_wider(op, WIDER_IF_LOADED)
    };
    let mut rest: Vec<Op<'c>> = block.ops().into_iter().filter(is_narrow).collect();
    let mut groups = Vec::new();
    while !rest.is_empty() {
        let first = rest.remove(0);
        let Some(parts) = mask_of(first).and_then(|mask| parts(mask, facts)) else { continue };
        if parts.iter().any(|part| part.difference() == Difference::Loaded) && !may_follow_loads(&first) {
            continue;
        }
        let mut group = Group { accesses: vec![first], moved: Vec::new(), parts };
        group.collect(&mut rest);
        groups.push(group);
    }
    // Branches keep loads apart.
    if groups.len() > MOST_GROUPS {
        groups.clear();
    }
    groups
}

impl<'c> Group<'c, '_> {
    /// Takes those of `others`, which stand behind, that may share the branch of the first.
    fn collect(&mut self, others: &mut Vec<Op<'c>>) {
        let first = self.accesses[0];
        let is_load = first.kind() == OpKind::TtLoad;
        let most = if is_load { MOST_BETWEEN_FEW } else { MOST_BETWEEN };
        for (distance, op) in std::iter::successors(first.next(), |op| op.next()).take(most).enumerate() {
            let at = others.iter().position(|other| *other == op);
            let is_same = op.kind() == first.kind() && mask_of(op) == mask_of(first);
            let has_room = || distance < MOST_BETWEEN || self.registers_with(op) <= FEW_REGISTERS;
            let moved = if is_load { arithmetic_behind(first, op) } else { Some(Vec::new()) };
            if let (Some(at), true, Some(moved)) = (at, is_same && has_room(), moved) {
                others.remove(at);
                self.moved.extend(moved);
                self.accesses.push(op);
            } else if !(op.is_memory_effect_free() || is_load && op.kind() == OpKind::TtLoad) || op.is_terminator() {
                break;
            }
        }
    }

    /// Registers of a thread that hold what the group loads, and `more`.
    fn registers_with(&self, more: Op<'c>) -> u32 {
        let results = self.accesses.iter().chain(std::iter::once(&more)).flat_map(|op| op.results());
        results.map(|value| registers(value.ty())).sum()
    }

    fn apply(self) {
        let first = self.accesses[0];
        let is_load = first.kind() == OpKind::TtLoad;
        let last = self.accesses.last().copied().unwrap_or(first);
        move_arithmetic(self.moved, first);
        let mut builder = Builder::before(if is_load { first } else { last });
        let conditions: Option<Vec<Vec<Value<'c>>>> =
            self.parts.iter().map(|part| part.conditions(&mut builder)).collect();
        let conditions = conditions.unwrap_or_default().into_iter().flatten();
        let all = conditions.reduce(|all, one| builder.binary(OpKind::ArithAndI, all, one));
        let Some(all) = all else { return };
        let types: Vec<Type<'c>> = self.accesses.iter().flat_map(|op| op.results()).map(Value::ty).collect();
        let branch = builder.if_op(all, &types, true);
        let mut whole = Builder::at_end(branch.then_block(), first.loc());
        let mut loaded = Vec::new();
        for access in &self.accesses {
            let copy = whole.place(access.clone_op());
            if is_load {
                copy.set_operands(&access.operands()[..1]);
                copy.set_attr("operandSegmentSizes", access.context().i32_array(&[1, 0, 0]));
            } else {
                copy.set_operands(&access.operands()[..2]);
            }
            loaded.extend(copy.results());
        }
        whole.yield_(&loaded);
        let Some(block) = branch.else_block() else { return };
        let results: Vec<Value<'c>> = self.accesses.iter().flat_map(|op| op.results()).collect();
        results.iter().zip(branch.op.results()).for_each(|(old, new)| old.replace_all_uses_with(new));
        let mut masked = Builder::at_end(block, first.loc());
        let end = masked.yield_(&results);
        self.accesses.iter().for_each(|access| access.move_before(end));
    }
}

/// What has to hold for a part of a mask to hold everywhere.
pub(crate) enum Part<'c, 'f> {
    /// A truth value for all elements.
    Number(Value<'c>),
    /// The greatest element on the left, and the least one on the right.
    Compared { predicate: CmpI, left: BlockBounds<'c, 'f>, right: BlockBounds<'c, 'f>, difference: Difference },
}

/// What makes a comparison another one in other programs and iterations. A number that moves by less than a block from one of them to the next, as
/// `range < program` does, leaves the blocks of many programs partial, and counts as nothing. In a prefix sum each of 245 programs loads what those before
/// it summed up, a block of 256 that is whole in none: with a branch for whole ones it ran at 0.95 of its speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    /// Nothing: the columns of rows that a block is longer than. Where the row ends at the block's end nothing is masked in the first place.
    Nothing,
    /// A number that is loaded from another place, such as how many rows a group has.
    Loaded,
    /// The number of the program or of the iteration, times a block at least: what is left of a size.
    Counted,
}

/// A step back from a number to what it is computed from.
#[derive(Clone, Copy)]
struct Step<'c> {
    value: Value<'c>,
    /// Something is loaded on the way.
    is_behind_load: bool,
    /// What it is multiplied by on the way.
    factor: i64,
}

impl<'c> Step<'c> {
    /// That to an operand, from the result of its operation. No factor is greater than `most`.
    fn back_to(self, op: Op<'c>, index: usize, most: i64, facts: &AxisFacts) -> Self {
        let is_product = op.kind() == OpKind::ArithMulI;
        let by = if is_product { facts.get(op.operand(1 - index)).constant } else { None };
        let factor = self.factor.saturating_mul(by.unwrap_or(1).saturating_abs()).min(most);
        Self { value: op.operand(index), factor, ..self }
    }
}

/// What the next program or iteration has more, if the value counts these; zero where nothing says how much. Loops `within` are over.
fn counted_by(value: Value<'_>, within: &[Op<'_>], facts: &AxisFacts) -> Option<i64> {
    if let Some(op) = value.defining_op() {
        return matches!(op.kind(), OpKind::TtGetProgramId | OpKind::GpuBlockId).then_some(1);
    }
    let (block, index) = value.block_argument()?;
    let around = block.parent_op().filter(|around| is_loop(*around))?;
    if within.iter().any(|op| *op == around || op.contains(around)) {
        return None;
    }
    let counter = ForOp::cast(around).filter(|_| index == 0);
    Some(counter.and_then(|view| facts.get(view.step()).constant).unwrap_or(0))
}

impl Difference {
    /// That of a comparison between what is fixed, and has this span, and a number.
    fn of(number: Value<'_>, span: i64, facts: &AxisFacts) -> Self {
        let mut pending = vec![Step { value: number, is_behind_load: false, factor: 1 }];
        let mut seen = FxHashSet::default();
        // Loops and branches that the number is a result of: what they count stays in them.
        let mut within: Vec<Op<'_>> = Vec::new();
        let mut found = Self::Nothing;
        while let Some(step) = pending.pop() {
            if !seen.insert((step.value.id(), step.is_behind_load, step.factor)) {
                continue;
            }
            let counted = counted_by(step.value, &within, facts);
            let moves_by = counted.unwrap_or(0).saturating_abs().saturating_mul(step.factor);
            if moves_by > span && !step.is_behind_load {
                return Self::Counted;
            }
            let source = step.value.defining_op();
            let memory = source.map_or(GlobalMemory::None, |op| global_memory(op.kind()));
            // What programs count together is another number for each of them.
            let is_ticket = matches!(memory, GlobalMemory::Pointers(Access::Combine | Access::Synchronize));
            if counted.is_some() && step.is_behind_load || is_ticket {
                found = Self::Loaded;
            }
            let Some(op) = source else { continue };
            if op.num_regions() > 0 {
                within.push(op);
            }
            let loads = !matches!(memory, GlobalMemory::None | GlobalMemory::Unknown);
            let here = Step { is_behind_load: step.is_behind_load || loads, ..step };
            for inner in op.descendants().into_iter().chain([op]) {
                pending.extend((0..inner.operands().len()).map(|index| here.back_to(inner, index, span + 1, facts)));
            }
        }
        found
    }
}

/// The parts of a mask; `None` where one of them is anything else.
fn parts<'c, 'f>(mask: Value<'c>, facts: &'f AxisFacts) -> Option<Vec<Part<'c, 'f>>> {
    let parts: Vec<Value<'c>> = parts_of(mask).into_iter().flat_map(|part| parts_of(without_views(part))).collect();
    if parts.len() > MOST_PARTS {
        return None;
    }
    let parts: Vec<Part<'c, 'f>> =
        parts.into_iter().map(|part| Part::of(without_views(part), facts)).collect::<Option<_>>()?;
    (!parts.iter().any(|part| part.difference() == Difference::Nothing)).then_some(parts)
}

/// The mask of one axis, as it was compared: what a tensor is before its shape and layout change.
pub(crate) fn without_views(mut mask: Value<'_>) -> Value<'_> {
    for _ in 0..MOST_VIEWS {
        match mask.defining_op() {
            Some(op) if matches!(op.kind(), OpKind::TtExpandDims | OpKind::TtBroadcast | OpKind::TtgConvertLayout) => {
                mask = op.operand(0);
            }
            Some(_) | None => break,
        }
    }
    mask
}

impl<'c, 'f> Part<'c, 'f> {
    /// `None` where it is something else than such a comparison, or a truth value of all elements.
    pub(crate) fn of(mask: Value<'c>, facts: &'f AxisFacts) -> Option<Self> {
        let op = mask.defining_op()?;
        if op.kind() == OpKind::TtSplat {
            return Some(Self::Number(op.operand(0)));
        }
        let compared = Some(op).filter(|op| op.kind() == OpKind::ArithCmpI)?;
        let predicate = CmpI::from_number(compared.int_attr("predicate")?)?;
        let (predicate, left, right) = match predicate {
            CmpI::Slt | CmpI::Sle => (predicate, compared.operand(0), compared.operand(1)),
            CmpI::Sgt | CmpI::Sge => (turned(predicate), compared.operand(1), compared.operand(0)),
            CmpI::Eq | CmpI::Ne | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => return None,
        };
        let [of_left, of_right] = [BlockBounds::of(left, facts)?, BlockBounds::of(right, facts)?];
        let difference = if of_left.is_fixed() && of_right.span == 0 {
            Difference::of(right, of_left.span, facts)
        } else if of_right.is_fixed() && of_left.span == 0 {
            Difference::of(left, of_right.span, facts)
        } else {
            Difference::Counted
        };
        Some(Self::Compared { predicate, left: of_left, right: of_right, difference })
    }

    /// What makes it another one in other programs and iterations.
    pub(crate) fn difference(&self) -> Difference {
        match self {
            Self::Number(_) => Difference::Counted,
            Self::Compared { difference, .. } => *difference,
        }
    }

    /// The greatest element of each side, none of a truth value.
    pub(crate) fn greatest(&self, builder: &mut Builder<'c>) -> Option<Vec<Value<'c>>> {
        match self {
            Self::Number(_) => Some(Vec::new()),
            Self::Compared { predicate: _, left, right, difference: _ } => {
                Some(vec![left.greatest(builder)?, right.greatest(builder)?])
            }
        }
    }

    /// The mask holds everywhere if all of these do.
    pub(crate) fn conditions(&self, builder: &mut Builder<'c>) -> Option<Vec<Value<'c>>> {
        let (predicate, left, right) = match self {
            Self::Number(number) => return Some(vec![*number]),
            Self::Compared { predicate, left, right, difference: _ } => (*predicate, left, right),
        };
        let (greatest, least) = (left.greatest(builder)?, right.least(builder)?);
        let mut conditions = vec![builder.cmpi(predicate, greatest, least)];
        // Where a sum wraps around, the ends are in the wrong order.
        if left.span > 0 {
            let other = left.least(builder)?;
            conditions.push(builder.cmpi(CmpI::Sle, other, greatest));
        }
        if right.span > 0 {
            let other = right.greatest(builder)?;
            conditions.push(builder.cmpi(CmpI::Sle, least, other));
        }
        Some(conditions)
    }
}
