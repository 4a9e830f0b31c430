//! Computes products the other way round that are turned before another product reads them, where only that gives them rows enough for `wgmma`.
//!
//! ```text
//! s = dot(q, trans(k))              # 32x128     s = dot(k, trans(q))              # 128x32
//! p = exp2(s - log[:, None])                     p = exp2(s - log[None, :])
//! sum += dot(trans(p), do)                       sum += dot(p, do)
//! ```
//!
//! Gradients of attention by keys multiply a few queries by all keys of the program, and what they compute of that is the left operand of the next product once
//! it is turned. `wgmma` multiplies 64 rows at once: for fewer the product is by `mma.sync`, whose operands every warp reads from shared memory again, and the
//! result goes there to be turned. The other way round the keys are the rows, operands are read by the hardware, and the result is an operand as
//! threads have it.
//!
//! True where
//!
//! - **the products have no rows for `wgmma`, and columns enough**: a warp has whole rows of the turned result, so that it is the next operand as it is;
//! - **they multiply what is loaded**, 16 bits each, which `wgmma` reads from shared memory either way;
//! - **what is computed of them is computed element by element**, and ends in transposes that are left operands: nothing reads it as it lies;
//! - **what else it is computed from can be written the other way round**: numbers, and numbers of rows or columns, and little that is computed for each element
//!   ([`MOST_COMPUTED`]).
//!
//! Products that have rows enough stay: their results pass through shared memory, but the other way round operands take registers
//! ([measurements](../../docs/measurements.md#products-of-few-rows-are-computed-the-other-way-round)).
//!
//! 1. What is computed of a product, and of which other products ([`Group`]).  2. Whether the rest can be turned ([`Sides`]).  3. Write it ([`Turned`]).

use crate::control_flow::remove_dead;
use crate::operations::computations::computation;
use crate::{Pass, PassContext};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Result;
use tk_ir::ops::{DotOp, FuncOp, TransLikeOp};
use tk_ir::{Block, Builder, Module, Op, OpKind, OpSpec, Type, Value};
use tk_types::ScalarType;

/// The pass.
pub const PASS: Pass = Pass {
    name: "turn-products",
    summary: "compute products the other way round that are turned anyway, where that gives them rows enough for wgmma",
    run,
};

/// Rows that `wgmma` multiplies at once.
const ROWS: i64 = 64;
/// Columns of its result are a multiple of this.
const COLUMNS: i64 = 8;
/// Rows of them that a warp has.
const ROWS_OF_WARP: i64 = 16;
/// Warps that multiply together.
const GROUP_OF_WARPS: u32 = 4;
/// Terms that it adds up at once, of 16 bits. The rows are the terms of the next product.
const TERMS: i64 = 16;
/// Bits of the operands that it reads either way.
const OPERAND_BITS: u32 = 16;
/// Operations for each element of what else is read, at most. Random numbers are more: beside them products take little time, and operands in registers cost CTAs.
const MOST_COMPUTED: usize = 32;
/// The order of a transpose.
const TURNED: [i32; 2] = [1, 0];

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let functions = module.functions();
    // A kernel that calls functions does without `wgmma`.
    let has_functions = functions.iter().copied().filter_map(FuncOp::cast).any(|function| !function.is_public());
    if has_functions || !cx.target.has_wgmma() || !cx.options.num_warps.is_multiple_of(GROUP_OF_WARPS) {
        return Ok(());
    }
    for function in functions {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for dot in function.descendants().into_iter().filter_map(DotOp::cast) {
            if seen.contains(&dot.op.id()) {
                continue;
            }
            if let Some(group) = Group::of(dot, cx.options.num_warps) {
                seen.extend(group.ops.iter().map(|op| op.id()));
                found.push(group);
            }
        }
        for group in &found {
            group.turn();
        }
        if !found.is_empty() {
            remove_dead(function);
        }
    }
    Ok(())
}

/// Products, and what is computed of them before it is turned.
struct Group<'c> {
    /// In the order of the block.
    ops: Vec<Op<'c>>,
    /// The transposes at the end.
    turns: Vec<Op<'c>>,
}

impl<'c> Group<'c> {
    /// `None` where something needs a result as it is.
    fn of(dot: DotOp<'c>, num_warps: u32) -> Option<Self> {
        let block = dot.op.block()?;
        let shape = dot.result().ty().shape();
        let mut members = FxHashSet::from_iter([dot.op.id()]);
        let mut pending = vec![dot.op];
        let mut turns = Vec::new();
        while let Some(op) = pending.pop() {
            let product = DotOp::cast(op);
            let is_fit = product.map_or_else(|| is_elementwise(op), |dot| has_too_few_rows(dot, num_warps));
            if !is_fit || op.block() != Some(block) || op.result(0).ty().shape() != shape {
                return None;
            }
            let read = if product.is_some() { Vec::new() } else { op.operands() };
            let made = read.into_iter().filter(|value| is_of_product(*value, block)).filter_map(Value::defining_op);
            let users = op.result(0).users();
            turns.extend(users.iter().map(|(user, _)| *user).filter(|user| is_turn(*user)));
            let users = users.into_iter().map(|(user, _)| user).filter(|user| !is_turn(*user));
            for next in made.chain(users) {
                if members.insert(next.id()) {
                    pending.push(next);
                }
            }
        }
        let ops: Vec<Op<'c>> = block.ops().into_iter().filter(|op| members.contains(&op.id())).collect();
        let ends_in_operands = !turns.is_empty() && turns.iter().all(|turn| is_left_operand(turn.result(0)));
        (ends_in_operands && Sides::can_be_turned(&ops, &members)).then_some(Self { ops, turns })
    }

    /// Writes it the other way round.
    fn turn(&self) {
        let mut turned = Turned(FxHashMap::default());
        for op in &self.ops {
            turned.write(*op);
        }
        for turn in &self.turns {
            turn.result(0).replace_all_uses_with(turned.get(turn.operand(0)));
        }
    }
}

/// `wgmma` cannot compute the product as it is, but the other way round.
fn has_too_few_rows(dot: DotOp<'_>, num_warps: u32) -> bool {
    let ty = dot.result().ty();
    let [rows, columns] = ty.shape()[..] else { return false };
    let is_turnable = rows % ROWS != 0 && rows % COLUMNS == 0 && rows >= TERMS && columns % ROWS == 0;
    let has_whole_rows = columns >= ROWS_OF_WARP * i64::from(num_warps);
    let has_terms = dot.a().ty().shape().last().is_some_and(|terms| *terms >= TERMS);
    let reads_either_way = |value: Value<'_>| is_loaded(value) && is_half(value.ty());
    is_turnable
        && has_whole_rows
        && has_terms
        && ty.element().float() == Some(ScalarType::F32)
        && dot.a().ty().element() == dot.b().ty().element()
        && reads_either_way(dot.a())
        && reads_either_way(dot.b())
        && dot.op.discardable_attrs().is_empty()
}

fn is_half(ty: Type<'_>) -> bool {
    ty.element().float().is_some() && ty.element().element_bits() == OPERAND_BITS
}

/// The value is a block from memory, or its transpose.
fn is_loaded(value: Value<'_>) -> bool {
    let source = value.defining_op().filter(|op| is_turn(*op)).map_or(value, |op| op.operand(0));
    source.defining_op().is_some_and(|op| matches!(op.kind(), OpKind::TtLoad | OpKind::TtDescriptorLoad))
}

/// The transpose of a matrix.
fn is_turn(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtTrans && TransLikeOp::cast(op).is_some_and(|view| view.order() == [1, 0])
}

/// Only products read the value, as their left operand, and `wgmma` takes it as it is.
fn is_left_operand(value: Value<'_>) -> bool {
    is_half(value.ty()) && value.users().into_iter().all(|(user, operand)| operand == 0 && user.kind() == OpKind::TtDot)
}

/// Each element of the result is computed from those at its place, and nothing is known of the operation that depends on the axes.
fn is_elementwise(op: Op<'_>) -> bool {
    let kind = op.kind();
    (computation(kind).is_element_by_element() || kind == OpKind::TtExternElementwise)
        && op.num_results() == 1
        && op.num_regions() == 0
        && op.is_memory_effect_free()
        && op.discardable_attrs().is_empty()
}

/// The value is computed from a product of the block, element by element.
fn is_of_product(value: Value<'_>, block: Block<'_>) -> bool {
    let mut seen = FxHashSet::default();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        let Some(op) = value.defining_op().filter(|op| op.block() == Some(block)) else { continue };
        if op.kind() == OpKind::TtDot {
            return true;
        }
        if is_elementwise(op) && seen.insert(op.id()) {
            pending.extend(op.operands());
        }
    }
    false
}

/// What else is read: numbers, and numbers of rows and columns.
struct Sides<'a, 'c> {
    members: &'a FxHashSet<usize>,
    /// Whether what an operation computes element by element can be turned.
    known: FxHashMap<usize, bool>,
    /// Those that can be.
    computed: Vec<Op<'c>>,
}

impl<'c> Sides<'_, 'c> {
    /// All that `ops` read can be written the other way round, and nobody else needs what is computed for each element: it would be computed twice.
    fn can_be_turned(ops: &[Op<'c>], members: &FxHashSet<usize>) -> bool {
        let mut sides = Sides { members, known: FxHashMap::default(), computed: Vec::new() };
        let can_turn = ops.iter().all(|op| {
            let read = if op.kind() == OpKind::TtDot { vec![op.operand(2)] } else { op.operands() };
            read.into_iter().all(|value| sides.can_turn(value))
        });
        let Some(shape) = ops.first().map(|op| op.result(0).ty().shape()) else { return false };
        let whole: Vec<Op<'c>> =
            sides.computed.iter().copied().filter(|op| op.result(0).ty().shape() == shape).collect();
        can_turn && whole.len() <= MOST_COMPUTED && whole.into_iter().all(|op| sides.has_it_alone(op))
    }

    fn has_it_alone(&self, op: Op<'c>) -> bool {
        let users = op.result(0).users();
        users.iter().all(|(user, _)| self.members.contains(&user.id()) || self.known.contains_key(&user.id()))
    }

    fn can_turn(&mut self, value: Value<'c>) -> bool {
        let Some(op) = value.defining_op() else { return !value.ty().is_tensor() };
        let kind = op.kind();
        if !value.ty().is_tensor() || self.members.contains(&op.id()) || kind == OpKind::TtSplat {
            true
        } else if kind == OpKind::ArithConstant {
            value.constant().and_then(|number| number.as_splat()).is_some()
        } else if kind == OpKind::TtExpandDims {
            op.operand(0).ty().rank() == 1
        } else if kind == OpKind::TtBroadcast {
            self.can_turn(op.operand(0))
        } else {
            self.can_turn_computed(op)
        }
    }

    fn can_turn_computed(&mut self, op: Op<'c>) -> bool {
        if let Some(known) = self.known.get(&op.id()) {
            return *known;
        }
        let can_turn = is_elementwise(op) && op.operands().into_iter().all(|operand| self.can_turn(operand));
        self.known.insert(op.id(), can_turn);
        if can_turn {
            self.computed.push(op);
        }
        can_turn
    }
}

/// What values become.
struct Turned<'c>(FxHashMap<usize, Value<'c>>);

impl<'c> Turned<'c> {
    /// What was written for the value.
    fn get(&self, value: Value<'c>) -> Value<'c> {
        self.0.get(&value.id()).copied().unwrap_or(value)
    }

    /// Writes an operation of the group, and before it what it reads.
    fn write(&mut self, op: Op<'c>) {
        let mut builder = Builder::before(op).with_location(op.loc());
        let operands = if let Some(dot) = DotOp::cast(op) {
            let sum = self.value(dot.c(), &mut builder);
            vec![turned_block(dot.b(), &mut builder), turned_block(dot.a(), &mut builder), sum]
        } else {
            self.values(op, &mut builder)
        };
        self.copy(op, &operands, &mut builder);
    }

    fn copy(&mut self, op: Op<'c>, operands: &[Value<'c>], builder: &mut Builder<'c>) -> Value<'c> {
        let spec = OpSpec::new(op.kind()).operands(operands).results(&[turned_type(op.result(0).ty())]);
        let value = builder.insert(spec.attrs(&op.attrs())).result(0);
        self.0.insert(op.result(0).id(), value);
        value
    }

    fn values(&mut self, op: Op<'c>, builder: &mut Builder<'c>) -> Vec<Value<'c>> {
        op.operands().into_iter().map(|operand| self.value(operand, builder)).collect()
    }

    /// A value the other way round, one that [`Sides`] has found to be possible.
    fn value(&mut self, value: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
        if let Some(turned) = self.0.get(&value.id()) {
            return *turned;
        }
        let Some(op) = value.defining_op().filter(|_| value.ty().is_tensor()) else { return value };
        let (kind, ty) = (op.kind(), turned_type(value.ty()));
        let turned = if kind == OpKind::ArithConstant {
            let number = value.constant().and_then(|number| number.as_splat());
            let turned = number.map(|number| builder.context().splat_attr(ty, number));
            turned.map_or(value, |turned| builder.constant(turned))
        } else if kind == OpKind::TtSplat {
            builder.splat(op.operand(0), ty)
        } else if kind == OpKind::TtExpandDims {
            let is_column = value.ty().shape().last() == Some(&1);
            builder.expand_dims(op.operand(0), usize::from(!is_column), ty)
        } else {
            let operands = self.values(op, builder);
            return self.copy(op, &operands, builder);
        };
        self.0.insert(value.id(), turned);
        turned
    }
}

/// The transpose of an operand.
fn turned_block<'c>(value: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
    let source = value.defining_op().filter(|op| is_turn(*op)).map(|op| op.operand(0));
    source.unwrap_or_else(|| builder.trans(value, &TURNED, turned_type(value.ty())))
}

fn turned_type(ty: Type<'_>) -> Type<'_> {
    let shape: Vec<i64> = ty.shape().into_iter().rev().collect();
    ty.with_shape(&shape)
}
