//! Decides how many elements each access to global memory moves at once.
//!
//! The layout says how many consecutive elements of the fastest axis one thread holds; axis info says how many of those are
//! neighbors in memory, how well they are aligned, and how many share their mask. The least of these, and 16 bytes, is the width;
//! it is written as `tk.vector` for code generation, which then needs no analysis of its own. Scalar accesses get none.
//!
//! Masks are comparisons, and of those it says how many neighbours share their result (`tk.constancy`), where there are any: a thread that
//! holds several rows of a tile then compares once for all rows that are known to be inside or outside together. It says so of quotients,
//! remainders and other operations whose results are equal where their operands are not, too: what is computed and loaded from
//! `offsets // 128` is then there once for all of a thread's registers in which it is the same.
//!
//! Nobody asks what is known of values after this, so hints go.

use crate::analysis::axis_flow::{analyze_without_tensor_hints, unit_of};
use crate::analysis::{self, AxisFacts, AxisInfo};
use crate::attributes::{CONSTANCY, VECTOR};
use crate::coalesce::is_global_access;
use crate::convert_to_ttg::require_ttg;
use crate::operations::memory::{Access, global_memory};
use crate::{Pass, PassContext};
use std::cell::OnceCell;
use tk_diag::Result;
use tk_ir::ops::{AsyncCopyGlobalToLocalOp, AtomicRmwOp, LoadOp, RmwOp, StoreOp};
use tk_ir::{Module, Op, OpKind, Type, Value};
use tk_target::Target;
use tk_types::ScalarType;

/// The pass.
pub const PASS: Pass = Pass { name: "vectorize-memory", summary: "choose the width of every global access", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        let facts = analysis::axis_info(function);
        let certain = OnceCell::new();
        for op in function.descendants() {
            if is_global_access(op) && op.operand(0).ty().is_tensor() {
                let width = width_of(op, &facts, &cx.target);
                op.set_attr(VECTOR, module.context().i32_attr(width as i32));
            } else if op.kind() == OpKind::ArithCmpI && op.result(0).ty().is_tensor() {
                let shared = constancy_of(op, &facts);
                if shared.iter().any(|run| *run > 1) {
                    op.set_attr(CONSTANCY, module.context().i32_array(&shared));
                }
            } else if may_level(op.kind()) && op.result(0).ty().is_tensor() {
                // A program whose hints are not true computes wrong vectors at most.
                let facts = certain.get_or_init(|| analyze_without_tensor_hints(function));
                if levels(op, facts) {
                    op.set_attr(CONSTANCY, module.context().i32_array(&constancy_of(op, facts)));
                }
            }
        }
        remove_hints(function);
    }
    Ok(())
}

/// Operations on integers whose results may be equal where their operands differ.
fn may_level(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::ArithDivSI
            | OpKind::ArithDivUI
            | OpKind::ArithRemSI
            | OpKind::ArithRemUI
            | OpKind::ArithAndI
            | OpKind::ArithShRSI
            | OpKind::ArithShRUI
            | OpKind::ArithSubI
    )
}

/// More neighbours share the result than share the operands, along some axis.
fn levels(op: Op<'_>, facts: &AxisFacts) -> bool {
    let result = facts.get(op.result(0));
    let operands: Vec<AxisInfo> = op.operands().into_iter().map(|operand| facts.get(operand)).collect();
    let shares_more = |axis: usize| operands.iter().any(|operand| operand.constancy[axis] < result.constancy[axis]);
    (0..result.rank()).any(shares_more)
}

fn remove_hints(function: Op<'_>) {
    for op in function.descendants() {
        if op.kind() == OpKind::TkHint {
            op.result(0).replace_all_uses_with(op.operand(0));
            op.erase();
        }
    }
}

/// How many neighbours along each axis share the result of an operation, a power of two and no more than there are.
fn constancy_of(op: Op<'_>, facts: &AxisFacts) -> Vec<i32> {
    let result = op.result(0);
    let shape = result.ty().shape();
    let run = |(known, size): (&u64, &i64)| 1 << (*known).clamp(1, (*size).clamp(1, 1 << 30) as u64).ilog2();
    facts.get(result).constancy.iter().zip(&shape).map(run).collect()
}

/// Elements that one access of `op` may move.
pub(crate) fn width_of(op: Op<'_>, facts: &AxisFacts, target: &Target) -> u32 {
    let without_mask = width_without_mask(op, facts, target);
    let Some((mask, axis)) = mask_of(op).zip(contiguous_axis(op.operand(0).ty())) else { return without_mask };
    let same_mask = facts.get(mask).constancy[axis].clamp(1, 1 << 30);
    without_mask.min(1 << same_mask.ilog2())
}

/// The same if the mask were true everywhere.
pub(crate) fn width_without_mask(op: Op<'_>, facts: &AxisFacts, target: &Target) -> u32 {
    let (pointer, ty) = (op.operand(0), op.operand(0).ty());
    let Some(layout) = ty.layout() else { return 1 };
    let shape = ty.shape();
    let Ok(per_thread) = layout.contiguous_per_thread(&shape) else { return 1 };
    let Some(axis) = layout.order().first().map(|axis| *axis as usize) else { return 1 };
    if op.kind() == OpKind::TtgAsyncCopyGlobalToLocal && contiguous_axis(op.operand(1).ty()) != Some(axis) {
        // What is neighboring in global memory is not in shared memory.
        return 1;
    }
    let info = facts.get(pointer);
    let alignment = (info.divisibility[axis] / unit_of(ty)).max(1);
    let contiguous = info.contiguity[axis].min(u64::from(per_thread[axis]));
    let width = alignment.min(contiguous).min(u64::from(widest(op, target)));
    1 << width.max(1).ilog2()
}

/// The axis along which a tensor or buffer is contiguous.
pub(crate) fn contiguous_axis(ty: Type<'_>) -> Option<usize> {
    ty.layout()?.order().first().map(|axis| *axis as usize)
}

/// The mask of an access, where it has one.
pub(crate) fn mask_of(op: Op<'_>) -> Option<Value<'_>> {
    let of_load = LoadOp::cast(op).and_then(LoadOp::mask);
    let of_store = || StoreOp::cast(op).and_then(StoreOp::mask);
    let of_atomic = || AtomicRmwOp::cast(op).and_then(AtomicRmwOp::mask);
    let of_copy = || AsyncCopyGlobalToLocalOp::cast(op).and_then(AsyncCopyGlobalToLocalOp::mask);
    of_load.or_else(of_store).or_else(of_atomic).or_else(of_copy)
}

/// Elements that one instruction of the target can move: 16 bytes; for atomics, two packed halves, or the vector forms of
/// `red` and `atom.add` where there are any.
pub(crate) fn widest(op: Op<'_>, target: &Target) -> u32 {
    let pointee = op.operand(0).ty().pointee();
    let bits = pointee.map_or(32, |pointee| pointee.element_bits()).max(8);
    match global_memory(op.kind()).access() {
        Some(Access::Synchronize) => 1,
        Some(Access::Combine) => {
            let adds_floats = AtomicRmwOp::cast(op).is_some_and(|rmw| rmw.atomic_rmw_op() == RmwOp::FAdd);
            match pointee.and_then(|ty| ty.float()) {
                Some(ScalarType::F16 | ScalarType::BF16 | ScalarType::F32)
                    if adds_floats && target.has_vector_atomics() =>
                {
                    128 / bits
                }
                Some(ScalarType::F16) if adds_floats => 2,
                Some(_) | None => 1,
            }
        }
        Some(Access::Read | Access::Write) | None => 128 / bits,
    }
}
