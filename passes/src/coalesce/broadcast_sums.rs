//! Reductions of what no memory access makes: blocks that come from smaller ones by broadcasts, as in `tl.sum(x[:, :, None] > limits, 2)`.
//!
//! No access wants a layout of such a block, so it would have the default one, whose lanes lie along the last axis: they combine by shuffles, and
//! each of them holds the same element of `x`. Where the axis is short, each thread takes all of it instead. Then nothing is exchanged, and
//! the elements of `x` are one per thread.

use crate::attributes::Threads;
use crate::encodings;
use crate::operations::computations::computation;
use rustc_hash::FxHashSet;
use tk_ir::ops::ReduceOp;
use tk_ir::{Attribute, Builder, Op, OpKind, Value};
use tk_layout::{BlockedEncoding, Encoding};

/// Elements of the axis, of which each thread has the smaller operand in registers.
const LONGEST_AXIS: i64 = 16;
/// Operations of a block that are looked at.
const MOST_OPERATIONS: usize = 64;

/// A reduction of a block from broadcasts, and the layout in which a thread has the whole axis.
pub(super) struct BroadcastSum<'c> {
    reduce: ReduceOp<'c>,
    layout: Attribute<'c>,
}

impl<'c> BroadcastSum<'c> {
    /// `None` where lanes share the axis for a reason: it is long, there are more threads than rows, or the block is loaded.
    pub(super) fn of(op: Op<'c>, threads: Threads) -> Option<Self> {
        let reduce = ReduceOp::cast(op).filter(|_| op.num_operands() == 1)?;
        let (ty, axis) = (op.operand(0).ty(), reduce.axis());
        let shape = ty.shape();
        let length = *shape.get(axis)?;
        let is_last = axis + 1 == shape.len() && axis > 0;
        let has_rows = ty.num_elements() >= length * i64::from(threads.total());
        let is_short = (2..=LONGEST_AXIS).contains(&length);
        if !is_last || !is_short || !has_rows || !comes_from_broadcasts(op) {
            return None;
        }
        let mut size = vec![1; shape.len()];
        size[axis] = length as u32;
        let order: Vec<u32> = (0..shape.len() as u32).rev().collect();
        let blocked = BlockedEncoding::for_shape(&shape, &size, &order, threads.num_warps, threads.threads_per_warp);
        let layout = op.context().encoding_attr(&Encoding::Blocked(blocked));
        (ty.encoding() != Some(layout)).then_some(Self { reduce, layout })
    }

    /// The operand is converted to the layout, and the result back; `remove-layout-conversions` computes the operand in it.
    pub(super) fn apply(self) {
        let op = self.reduce.op;
        let operand = op.operand(0);
        let converted = Builder::before(op).convert_layout(operand, operand.ty().with_encoding(Some(self.layout)));
        op.set_operand(0, converted);
        let (result, ty) = (op.result(0), op.result(0).ty());
        let Some(layout) = encodings::forward(op, self.layout).filter(|_| ty.is_tensor()) else { return };
        result.set_type(ty.with_encoding(Some(layout)));
        if result.has_uses() {
            let back = Builder::after(op).convert_layout(result, ty);
            if let Some(conversion) = back.defining_op() {
                result.replace_all_uses_except(back, &[conversion]);
            }
        }
    }
}

/// The operand is computed element by element from broadcasts, one of them along the last axis, and used by the reduction alone.
fn comes_from_broadcasts<'c>(reduce: Op<'c>) -> bool {
    let (mut pending, mut block) = (vec![reduce.operand(0)], FxHashSet::from_iter([reduce.id()]));
    let mut is_repeated = false;
    while let Some(value) = pending.pop() {
        let Some(op) = value.defining_op() else { return false };
        if block.contains(&op.id()) {
            continue;
        }
        if block.len() > MOST_OPERATIONS || !value.users().iter().all(|(user, _)| block.contains(&user.id())) {
            return false;
        }
        block.insert(op.id());
        let tensors = || op.operands().into_iter().filter(|operand| operand.ty().is_tensor());
        let kind = op.kind();
        if kind == OpKind::TtBroadcast {
            is_repeated |= is_one_along_last(op.operand(0));
        } else if kind == OpKind::TtgConvertLayout || computation(kind).is_element_by_element() {
            // A conversion is between two tensors of one shape, which a broadcast was converted to.
            pending.extend(tensors());
        } else if !matches!(kind, OpKind::ArithConstant | OpKind::TtSplat) {
            return false;
        }
    }
    is_repeated
}

fn is_one_along_last(value: Value<'_>) -> bool {
    value.ty().shape().last() == Some(&1)
}
