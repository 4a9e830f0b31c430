//! How many registers the tensors of a function take in each thread, and where they are all needed at once.
//!
//! Addresses and masks are left out: a thread computes what it needs of them when it needs it. Operands are counted whole, although ptxas may
//! read them piece by piece; so the figure is an upper estimate for one product and a fair one for what stays over a loop.

use super::shared_buffers::{Points, scratch};
use crate::operations::computations::{Computation, computation};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;
use tk_ir::ops::ForOp;
use tk_ir::{Block, Op, OpKind, Type, Value};
use tk_layout::{Dim, Encoding};

/// Registers that ptxas needs beside floats where products by `wgmma` are under way and TMA copies. Gradients of attention have accumulators in
/// 192 of 255 registers, and gain more by loads that are under way than the registers cost.
pub const BESIDE_DOTS: u32 = 15;
/// Of eight registers those that may hold floats where threads load or copy blocks through pointers, whose addresses take registers, too: the
/// tutorial's gradients of attention, which have more, spill up to three times the bytes.
const BESIDE_ADDRESSES_OF_EIGHT: u32 = 3;

/// Registers that may hold floats over products by `wgmma` of this block, loads for later among them, where a thread can have `budget`.
pub fn most_over_dots(block: Block<'_>, budget: u32) -> u32 {
    let is_block = |ty: Type<'_>| ty.shape().iter().filter(|length| **length > 1).count() > 1;
    let copies = |op: &Op<'_>| {
        op.kind() == OpKind::TtgAsyncCopyGlobalToLocal || op.kind() == OpKind::TtLoad && is_block(op.result(0).ty())
    };
    match block.ops().iter().any(copies) {
        true => budget * BESIDE_ADDRESSES_OF_EIGHT / 8,
        false => budget.saturating_sub(BESIDE_DOTS),
    }
}

/// Registers of the tensors of a function at every program point.
pub struct LiveRegisters {
    points: Points,
    at: Vec<u32>,
}

impl LiveRegisters {
    /// Counts the tensors of `function` in the layouts of matrix instructions: accumulators and operands, which fill registers as they are.
    pub fn of(function: Op<'_>) -> Self {
        Self::counting(function, is_of_matrix, is_constant)
    }

    /// Counts all tensors of floats.
    pub fn of_floats(function: Op<'_>) -> Self {
        Self::counting(function, is_of_floats, is_constant)
    }

    /// Counts all tensors of floats, but not a second time where one is looked at in another shape.
    pub fn of_floats_once(function: Op<'_>) -> Self {
        Self::of_floats_but(function, |_| false)
    }

    /// Counts all tensors of floats as [`Self::of_floats_once`] does, but not the results of those that `is_free` says.
    pub fn of_floats_but(function: Op<'_>, is_free: impl Fn(Op<'_>) -> bool) -> Self {
        Self::counting(function, is_of_floats, |op| {
            is_constant(op) || matches!(op.kind(), OpKind::TtReshape | OpKind::TtTrans) || is_free(op)
        })
    }

    /// Counts all tensors of floats as [`Self::of_floats`] does, but not what products by multiply-add alone read from shared memory, piece by piece.
    pub fn of_floats_but_read_in_parts(function: Op<'_>) -> Self {
        Self::counting(function, is_of_floats, |op| is_constant(op) || is_read_in_parts(op))
    }

    fn counting(function: Op<'_>, counts: impl Fn(Type<'_>) -> bool, is_free: impl Fn(Op<'_>) -> bool) -> Self {
        let points = Points::of(function);
        // Where a value starts to live its registers are added, behind its last use they are taken away.
        let mut changes = vec![0i64; *points.range(function).end() as usize + 2];
        let mut known: FxHashMap<usize, u32> = FxHashMap::default();
        for op in function.descendants() {
            let carried = ForOp::cast(op).map(|view| view.iter_args()).unwrap_or_default();
            for value in op.results().into_iter().chain(carried) {
                let ty = value.ty();
                let count = *known.entry(ty.id()).or_insert_with(|| if counts(ty) { registers(ty) } else { 0 });
                if count > 0 && !is_free(op) {
                    let life = lifetime(value, op, &points);
                    changes[*life.start() as usize] += i64::from(count);
                    changes[*life.end() as usize + 1] -= i64::from(count);
                }
            }
        }
        let at = changes.iter().scan(0, |live, change| {
            *live += change;
            u32::try_from(*live).ok()
        });
        Self { points, at: at.collect() }
    }

    /// The most registers at any point inside `op`.
    pub fn peak(&self, op: Op<'_>) -> u32 {
        let range = self.range(op);
        let inside = self.at.get(*range.start() as usize..=*range.end() as usize);
        inside.and_then(|live| live.iter().max().copied()).unwrap_or(0)
    }

    /// Registers at `op`, each once.
    pub fn at(&self, op: Op<'_>) -> u32 {
        self.at_start(op).saturating_sub(counted_twice(op))
    }

    /// Registers where `op` starts; its operands count, and its results.
    pub fn at_start(&self, op: Op<'_>) -> u32 {
        self.at.get(*self.range(op).start() as usize).copied().unwrap_or(0)
    }

    /// The program points from the start of `op` to its end.
    pub fn range(&self, op: Op<'_>) -> RangeInclusive<u32> {
        self.points.range(op)
    }
}

/// Registers that are counted at `op` for two values, and are the same ones: accumulators before and behind a product or a wait, and the left
/// operand of a product before and behind the change of its layout.
fn counted_twice(op: Op<'_>) -> u32 {
    let twice = if op.kind() == OpKind::TtngWarpGroupDotWait {
        op.results()
    } else if op.kind() == OpKind::TtngWarpGroupDot {
        let is_converted =
            |left: &Value<'_>| left.defining_op().is_some_and(|made| made.kind() == OpKind::TtgConvertLayout);
        let adds = |sum: &Value<'_>| sum.ty() == op.result(0).ty() && sum.constant().is_none();
        let (left, sum) = (op.operand(0), op.operand(2));
        Some(left).filter(is_converted).into_iter().chain(Some(sum).filter(adds)).collect()
    } else {
        Vec::new()
    };
    let floats = twice.into_iter().map(|value| value.ty()).filter(|ty| ty.is_tensor() && ty.element().is_float());
    floats.map(registers).sum()
}

/// 32-bit registers of a thread that hold a tensor; those that repeat others are not counted.
pub fn registers(ty: Type<'_>) -> u32 {
    let linear = ty.linear_layout();
    let Some(linear) = linear.filter(|_| ty.is_tensor()) else { return 0 };
    let distinct = linear.columns_of(Dim::Register).iter().filter(|image| **image != 0).count();
    ty.element_bits().saturating_mul(1 << distinct.min(16)).div_ceil(32)
}

fn is_of_floats(ty: Type<'_>) -> bool {
    ty.is_tensor() && ty.element().is_float()
}

fn is_of_matrix(ty: Type<'_>) -> bool {
    ty.is_tensor() && ty.layout().is_some_and(|layout| matches!(&*layout, Encoding::NvidiaMma(_) | Encoding::DotOp(_)))
}

/// Numbers that are in the code, and copies of one register.
fn is_constant(op: Op<'_>) -> bool {
    op.kind() == OpKind::ArithConstant || computation(op.kind()) == Computation::Repeat
}

/// It brings an operand through shared memory to products by multiply-add, and to nothing else. Each step along K needs a few numbers of it, and ptxas reads
/// these when that step comes.
fn is_read_in_parts(op: Op<'_>) -> bool {
    let comes_through_memory = match op.kind() == OpKind::TtgConvertLayout {
        true => scratch(op).is_ok_and(|scratch| scratch.is_some_and(|scratch| scratch.bytes > 0)),
        false => op.kind() == OpKind::TtgLocalLoad,
    };
    comes_through_memory
        && op.results().iter().all(|result| is_of_multiply_add(result.ty()) && is_for_products(*result))
}

/// An operand in the layout of products by multiply-add.
fn is_of_multiply_add(ty: Type<'_>) -> bool {
    let Some(layout) = ty.layout() else { return false };
    matches!(&*layout, Encoding::DotOp(operand) if matches!(*operand.parent, Encoding::Blocked(_)))
}

/// Products of the same iteration, or straight code, take the value, and nothing else does.
fn is_for_products(value: Value<'_>) -> bool {
    let users = value.users();
    let is_product = |user: &Op<'_>| user.kind() == OpKind::TtDot && user.block() == value.parent_block();
    !users.is_empty() && users.iter().all(|(user, _)| is_product(user))
}

/// From where `value` is made, by `op` or as what the loop `op` carries, to its last use; to the end of every loop that uses it but does
/// not contain it.
pub(crate) fn lifetime(value: Value<'_>, op: Op<'_>, points: &Points) -> RangeInclusive<u32> {
    let own = points.range(op);
    let block = value.parent_block();
    // What a loop carries starts in it, its results behind it.
    let start = if block == op.block() { *own.end() } else { *own.start() };
    let last = value.users().into_iter().filter_map(|(user, _)| {
        let outer = user.ancestor_in(block?)?;
        // An operand is read when its user starts, unless the user is a region that uses it inside.
        let range = points.range(outer);
        Some(if outer == user { *range.start() } else { *range.end() })
    });
    start..=last.max().unwrap_or(start).max(start)
}
