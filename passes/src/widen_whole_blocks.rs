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
//! of numbers and ranges ([`Part`]). Those with the same mask that nothing keeps apart share the branch. Loads far behind the first one do where a few
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
use crate::vectorize_memory::{mask_of, width_of, width_without_mask};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{CmpI, LoadOp};
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
    let is_narrow = |op: &Op<'c>| {
        let is_plain = op.kind() == OpKind::TtStore || LoadOp::cast(*op).is_some_and(|load| !load.is_volatile());
        is_plain
            && op.operand(0).ty().is_tensor()
            && mask_of(*op).is_some()
            && width_without_mask(*op, facts, target) >= WIDER * width_of(*op, facts, target)
    };
    let mut rest: Vec<Op<'c>> = block.ops().into_iter().filter(is_narrow).collect();
    let mut groups = Vec::new();
    while !rest.is_empty() {
        let first = rest.remove(0);
        let Some(parts) = mask_of(first).and_then(|mask| parts(mask, facts)) else { continue };
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
enum Part<'c, 'f> {
    /// A truth value for all elements.
    Number(Value<'c>),
    /// The greatest element on the left, and the least one on the right.
    Compared { predicate: CmpI, left: BlockBounds<'c, 'f>, right: BlockBounds<'c, 'f> },
}

/// The parts of a mask; `None` where one of them is anything else.
fn parts<'c, 'f>(mask: Value<'c>, facts: &'f AxisFacts) -> Option<Vec<Part<'c, 'f>>> {
    let parts: Vec<Value<'c>> = parts_of(mask).into_iter().flat_map(|part| parts_of(without_views(part))).collect();
    if parts.len() > MOST_PARTS {
        return None;
    }
    let parts: Vec<Part<'c, 'f>> =
        parts.into_iter().map(|part| Part::of(without_views(part), facts)).collect::<Option<_>>()?;
    (!parts.iter().any(Part::is_of_rows)).then_some(parts)
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
    fn of(mask: Value<'c>, facts: &'f AxisFacts) -> Option<Self> {
        let op = mask.defining_op()?;
        if op.kind() == OpKind::TtSplat {
            return Some(Self::Number(op.operand(0)));
        }
        let compared = Some(op).filter(|op| op.kind() == OpKind::ArithCmpI)?;
        let predicate = CmpI::from_number(compared.int_attr("predicate")?)?;
        let bounds = |index: usize| BlockBounds::of(compared.operand(index), facts);
        match predicate {
            CmpI::Slt | CmpI::Sle => Some(Self::Compared { predicate, left: bounds(0)?, right: bounds(1)? }),
            CmpI::Sgt | CmpI::Sge => {
                Some(Self::Compared { predicate: turned(predicate), left: bounds(1)?, right: bounds(0)? })
            }
            CmpI::Eq | CmpI::Ne | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => None,
        }
    }

    /// It compares what is the same in every program and iteration: the columns of rows that a block is longer than. Where the row ends at the block's
    /// end nothing is masked in the first place.
    fn is_of_rows(&self) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Compared { left, right, .. } => {
                left.is_fixed() && right.span == 0 || right.is_fixed() && left.span == 0
            }
        }
    }

    /// The mask holds everywhere if all of these do.
    fn conditions(&self, builder: &mut Builder<'c>) -> Option<Vec<Value<'c>>> {
        let (predicate, left, right) = match self {
            Self::Number(number) => return Some(vec![*number]),
            Self::Compared { predicate, left, right } => (*predicate, left, right),
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
