//! Gives matrix products the layouts of matrix instructions.
//!
//! `tt.dot` on blocked layouts is computed with multiply-add. Where the target has an instruction for the operand types, the result gets
//! its `#ttg.nvidia_mma` layout, whatever the shape:
//! - `wgmma` (version 3, sm_90a) multiplies tiles of 64 rows by four warps together. It reads the right operand from shared memory in a
//!   `#ttg.nvmma_shared` layout, the left one from there or, when it was computed in registers as it is read, from a `#ttg.dot_op` layout. `tt.dot`
//!   becomes `ttng.warp_group_dot`.
//!   Rows too few for all warps are computed by several groups where they are reduced and multiplied again, in no loop ([`repeated_rows`]).
//!   Operands of 32 bits are read along K only; when the right one lies along N, the dot is computed as its transpose ([`transposed_dot`]).
//!   What threads write to shared memory the other way round is loaded in a layout in which they write it without bank conflicts ([`turned_loads`]).
//! - `mma.sync` (version 2) reads both operands from registers in `#ttg.dot_op` layouts ([`mma`]).
//!
//! A kernel that calls functions does without `wgmma`: ptxas lets no such instruction run on across a call, and stops after each one in the
//! functions as in the kernel.
//!
//! Products in full f32 (`ieee`) stay as they are; those in more than tf32's precision were split before (`f32-dot-tc`).
//! The rules are Triton's.

mod chained_warps;
mod mma;
mod repeated_rows;
mod transposed_dot;
mod turned_loads;

use crate::attributes::Threads;
use crate::control_flow::{flows_into, remove_dead};
use crate::convert_to_ttg::require_ttg;
use crate::operations::computations::{Computation, computation};
use crate::operations::control::is_loop;
use crate::operations::is_dot;
use crate::operations::memory::{Access, global_memory};
use crate::{Pass, PassContext, shared_encodings};
use chained_warps::ChainedWarps;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use tk_diag::Result;
use tk_ir::ops::{DotOp, FuncOp, IfOp, InputPrecision};
use tk_ir::{Builder, Module, Op, OpKind, Value};
use tk_layout::{DotOpEncoding, Encoding, MmaEncoding};
use tk_types::ScalarType;

pub(crate) use mma::feeds_every_lane;

/// The pass.
pub const PASS: Pass = Pass { name: "accelerate-matmul", summary: "use matrix instructions for dots", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let has_functions = module.functions().into_iter().filter_map(FuncOp::cast).any(|function| !function.is_public());
    let with_wgmma = cx.target.has_wgmma() && !has_functions;
    for function in module.functions() {
        let dots: Vec<DotOp<'_>> = function.descendants().into_iter().filter_map(DotOp::cast).collect();
        // Decided before anything changes, because a product that is a `wgmma` already still is part of a chain.
        let wgmma: Vec<Option<WgmmaPlan>> =
            dots.iter().map(|dot| if with_wgmma { WgmmaPlan::of(*dot, threads) } else { None }).collect();
        let is_free =
            |dot: &DotOp<'_>| dots.iter().zip(&wgmma).any(|(other, plan)| other.op == dot.op && plan.is_none());
        let warps = ChainedWarps::of(&dots.iter().copied().filter(is_free).collect::<Vec<_>>(), threads.num_warps);
        let in_chains = in_chains(&dots);
        for (&dot, wgmma) in dots.iter().zip(wgmma) {
            if let Some(WgmmaPlan { layout, is_transposed }) = wgmma {
                if is_transposed {
                    transposed_dot::apply(dot, layout)
                } else {
                    apply_wgmma(dot, layout)
                }
                continue;
            }
            if let Some(plan) = mma::MmaPlan::of(dot, in_chains.contains(&dot.op.id()), &warps, threads) {
                plan.apply(dot);
            }
        }
        // Conversions for the products that were replaced do not count as readers.
        remove_dead(function);
        turned_loads::run(function, threads);
    }
    Ok(())
}

/// How `wgmma` computes a product.
struct WgmmaPlan {
    /// The layout of the result, or of its transpose.
    layout: MmaEncoding,
    /// It computes the transpose.
    is_transposed: bool,
}

impl WgmmaPlan {
    /// `None` when that instruction cannot compute the product.
    fn of(dot: DotOp<'_>, threads: Threads) -> Option<Self> {
        let instr_k = wgmma_terms(dot, threads)?;
        let shape = dot.result().ty().shape();
        let (m, n, is_chained) = (shape[0], shape[1], is_chained(dot));
        if !is_chained
            && transposed_dot::is_along_n(dot)
            && let Some(layout) = wgmma_layout(n, m, instr_k, wgmma_warps(n, threads.num_warps, false))
        {
            return Some(Self { layout, is_transposed: true });
        }
        let warps = if repeated_rows::pays(dot, threads) {
            [threads.num_warps, 1]
        } else {
            wgmma_warps(m, threads.num_warps, is_chained)
        };
        let layout = wgmma_layout(m, n, instr_k, warps)?;
        Some(Self { layout, is_transposed: false })
    }
}

/// Terms of each sum that one `wgmma` adds up, where that instruction multiplies such operands; its shape may still not fit.
fn wgmma_terms(dot: DotOp<'_>, threads: Threads) -> Option<u32> {
    let result_ty = dot.result().ty();
    let is_blocked = matches!(result_ty.layout().as_deref(), Some(Encoding::Blocked(_)));
    let has_groups = threads.num_warps.is_multiple_of(4) && threads.threads_per_warp == 32;
    if !is_blocked || result_ty.shape().len() != 2 || !has_groups {
        return None;
    }
    let terms = 256 / wgmma_operand_bits(dot)?;
    (*dot.a().ty().shape().last()? >= i64::from(terms)).then_some(terms)
}

/// The layout of a result of `m` rows and `n` columns, dealt out over `warps`.
fn wgmma_layout(m: i64, n: i64, instr_k: u32, warps: [u32; 2]) -> Option<MmaEncoding> {
    if m % 64 != 0 || n % 8 != 0 {
        return None;
    }
    let instr_n = n.min(256).min((n / i64::from(warps[1])).max(8));
    let instr_shape = vec![16, u32::try_from(instr_n).ok()?, instr_k];
    Some(MmaEncoding { version_major: 3, version_minor: 0, warps_per_cta: warps.to_vec(), instr_shape })
}

/// Bits of the operands, when `wgmma` multiplies them in the precision asked for and accumulates in the result's type.
fn wgmma_operand_bits(dot: DotOp<'_>) -> Option<u32> {
    use ScalarType::{BF16, F8E4M3, F8E5M2, F16, F32};
    let (a, b, result) = (dot.a().ty().element(), dot.b().ty().element(), dot.result().ty().element());
    match (a.float(), b.float(), result.float()) {
        (Some(F16), Some(F16), Some(F32 | F16)) | (Some(BF16), Some(BF16), Some(F32)) => Some(16),
        (Some(F32), Some(F32), Some(F32)) if dot.input_precision() == InputPrecision::Tf32 => Some(32),
        // The tensor cores sum products of fp8 with fewer bits than f32 has; that must be allowed for at least one instruction.
        (Some(F8E4M3 | F8E5M2), Some(F8E4M3 | F8E5M2), Some(F16)) => Some(8),
        (Some(F8E4M3 | F8E5M2), Some(F8E4M3 | F8E5M2), Some(F32)) if dot.max_num_imprecise_acc() >= 32 => Some(8),
        (None, None, None) if [a, b].iter().all(|ty| ty.int_bits() == Some(8)) && result.int_bits() == Some(32) => {
            Some(8)
        }
        _ => None,
    }
}

/// Warps along M and N: groups of four along M as long as there are rows for them. Chained products keep whole rows in a warp, so that
/// reductions along rows stay in the warp and the second product takes the first one's result from registers.
fn wgmma_warps(m: i64, num_warps: u32, is_chained: bool) -> [u32; 2] {
    if is_chained && m >= 16 * i64::from(num_warps) {
        return [num_warps, 1];
    }
    let mut warps = [4, 1];
    while warps[0] * warps[1] < num_warps {
        let axis = usize::from(m <= 16 * i64::from(warps[0]));
        warps[axis] *= 2;
    }
    warps
}

/// The product is computed from another one, or another one from it, within one iteration.
fn is_chained(dot: DotOp<'_>) -> bool {
    reaches_dot(dot.op, producers) || reaches_dot(dot.op, consumers)
}

/// The dots of which an operand of another dot of the block is computed, and those dots: the two products of attention. Sums that go from dot
/// to dot do not count.
fn in_chains(dots: &[DotOp<'_>]) -> FxHashSet<usize> {
    let linked = |dot: &DotOp<'_>| -> Vec<usize> {
        let fed = fed_by(*dot);
        let first = if fed.is_empty() { None } else { Some(dot.op) };
        fed.into_iter().chain(first).map(Op::id).collect()
    };
    dots.iter().flat_map(linked).collect()
}

/// The dots of the block of which an operand is computed from the result.
fn fed_by(dot: DotOp<'_>) -> Vec<Op<'_>> {
    fed_operands(dot).into_iter().map(|(fed, _)| fed).collect()
}

/// Those dots and the number of the operand.
fn fed_operands(dot: DotOp<'_>) -> Vec<(Op<'_>, usize)> {
    let (mut seen, mut pending, mut fed) = (FxHashSet::default(), vec![dot.op], Vec::new());
    while let Some(op) = pending.pop() {
        for (user, operand) in op.results().into_iter().flat_map(|result| result.users()) {
            if is_dot(user) && operand < 2 && user.block() == dot.op.block() {
                fed.push((user, operand));
                continue;
            }
            let next = target(user, operand);
            if seen.insert(next.id()) {
                pending.push(next);
            }
        }
    }
    fed
}

/// What makes the operands of an operation, and what the sides of a branch pass out.
fn producers(op: Op<'_>) -> Vec<Op<'_>> {
    let passed = IfOp::cast(op).into_iter().flat_map(|view| [Some(view.then_yield()), view.else_yield()]);
    let readers = passed.flatten().chain([op]);
    readers.flat_map(|reader| reader.operands()).filter_map(|operand| operand.defining_op()).collect()
}

/// The users of an operation. A branch passes values out; a loop passes them to the next iteration, which is another story.
fn consumers(op: Op<'_>) -> Vec<Op<'_>> {
    let uses = op.results().into_iter().flat_map(|result| result.users());
    uses.map(|(user, operand)| target(user, operand)).collect()
}

/// The user, or the branch that passes the operand out.
fn target(user: Op<'_>, operand: usize) -> Op<'_> {
    flows_into(user, operand).first().and_then(|value| value.defining_op()).unwrap_or(user)
}

fn reaches_dot<'c>(start: Op<'c>, next: impl Fn(Op<'c>) -> Vec<Op<'c>>) -> bool {
    let mut seen = FxHashSet::from_iter([start.id()]);
    let mut pending = next(start);
    while let Some(op) = pending.pop() {
        if !seen.insert(op.id()) {
            continue;
        }
        if is_dot(op) {
            return true;
        }
        pending.extend(next(op));
    }
    false
}

/// Operands are taken as they were before padding was made zero: instructions that take whole terms of the program multiply none of it.
fn take_padded_operands(dot: DotOp<'_>, bits: u32) {
    let step = i64::from(256 / bits);
    if dot.op.inside().and_then(|inside| inside.terms()).is_none_or(|terms| terms % step != 0) {
        return;
    }
    for index in 0..2 {
        let operand = dot.op.operand(index);
        if let Some(padded) = before_zeros(operand) {
            let taken = Builder::before(dot.op).convert_layout(padded, operand.ty());
            dot.op.set_operand(index, taken);
        }
    }
}

/// The value in which a choice made padding zero, seen as an integer of as many bits.
fn before_zeros(mut value: Value<'_>) -> Option<Value<'_>> {
    let ty = value.ty();
    let passed = |op: &Op<'_>| matches!(op.kind(), OpKind::TtgConvertLayout | OpKind::TtBitcast | OpKind::ArithBitcast);
    while let Some(op) = value.defining_op().filter(passed) {
        value = op.operand(0);
    }
    let choice = value.defining_op().filter(|op| op.kind() == OpKind::ArithSelect && op.inside().is_some())?;
    let mut padded = choice.operand(1);
    while padded.ty().element() != ty.element() {
        padded = padded.defining_op().filter(passed)?.operand(0);
    }
    (padded.ty().shape() == ty.shape()).then_some(padded)
}

/// `tt.dot` becomes `ttng.warp_group_dot`.
fn apply_wgmma(dot: DotOp<'_>, layout: MmaEncoding) {
    let bits = dot.a().ty().element_bits();
    take_padded_operands(dot, bits);
    let result_layout = Encoding::NvidiaMma(layout);
    let (old, new) = (dot.result().ty(), dot.result().ty().with_layout(&result_layout));
    let mut builder = Builder::before(dot.op);
    let in_memory = comes_from_memory(dot.a()) || is_from_before_loop(dot) || is_computed_transposed(dot.a());
    let a = if in_memory {
        shared_operand(dot.a(), 0)
    } else {
        let operand = DotOpEncoding { op_idx: 0, parent: Arc::new(result_layout), k_width: 32 / bits };
        builder.convert_layout(dot.a().before_conversion(), dot.a().ty().with_layout(&Encoding::DotOp(operand)))
    };
    let b = shared_operand(dot.b(), 1);
    let c = builder.convert_layout(dot.c(), new);
    let attributes: Vec<_> = dot.op.attrs().into_iter().filter(|(name, _)| *name != "operandSegmentSizes").collect();
    let result = builder.create(OpKind::TtngWarpGroupDot, &[a, b, c], &[new], &attributes);
    let back = builder.convert_layout(result.result(0), old);
    dot.result().replace_all_uses_with(back);
    dot.op.erase();
}

/// The value is loaded, or carried by a loop, and not computed.
fn comes_from_memory(mut value: Value<'_>) -> bool {
    while let Some(op) = value.defining_op() {
        if op.kind() != OpKind::TtgConvertLayout && op.kind() != OpKind::TtTrans {
            return global_memory(op.kind()).access() == Some(Access::Read);
        }
        value = op.operand(0);
    }
    true
}

/// The left operand is computed before the loop around the product. In registers it would take some all the time, and ptxas (12.9, 13.0)
/// gives those to the left operand of another product in the loop: the next iteration multiplies by that one's words.
fn is_from_before_loop(dot: DotOp<'_>) -> bool {
    let around = dot.op.ancestors().skip(1).find(|op| is_loop(*op));
    let made = dot.a().before_conversion().defining_op();
    around.zip(made).is_some_and(|(around, made)| made.ancestors().all(|op| op != around))
}

/// The value is the transpose of one that is computed. Threads have its columns where the operand has rows, so that it passes through memory in any
/// case, and `wgmma` reads elements of 16 bits there either way: it takes no registers.
fn is_computed_transposed(value: Value<'_>) -> bool {
    let made = value.before_conversion().defining_op();
    made.is_some_and(|op| op.kind() == OpKind::TtTrans) && value.ty().element_bits() == 16
}

/// The operand in shared memory. Elements of 16 bits may lie either way; others must be contiguous along K.
fn shared_operand(value: Value<'_>, index: usize) -> Value<'_> {
    let source = value.before_conversion();
    let ty = source.ty();
    let bits = ty.element_bits();
    let order = if bits == 16 {
        where_it_lies(source).ty().layout().map_or_else(|| vec![1, 0], |layout| layout.order())
    } else {
        vec![1 - index as u32, index as u32]
    };
    let layout = shared_encodings::nvmma(&ty.shape(), &order, bits);
    let buffer = shared_encodings::buffer_type(ty.context(), &ty.shape(), ty.element(), &layout, false);
    // Right behind its definition: what does not change in a loop is copied once.
    Builder::after_value(source).create(OpKind::TtgLocalAlloc, &[source], &[buffer], &[]).result(0)
}

/// What an operand is computed from, element by element, in a layout that is not the operand's own. Conversions stand before casts of fewer bits to
/// more; the layout behind them says how a product by multiply-add would read the operand, and a thread would write it to memory in pieces.
fn where_it_lies(source: Value<'_>) -> Value<'_> {
    let mut value = source;
    while value.ty().layout().is_some_and(|layout| matches!(&*layout, Encoding::DotOp(_))) {
        let Some(op) = value.defining_op() else { return source };
        let is_computed = |operand: &Value<'_>| {
            let made = operand.defining_op().map_or(Computation::Other, |op| computation(op.kind()));
            operand.ty().is_tensor() && !matches!(made, Computation::Constant | Computation::Repeat)
        };
        let passes = op.kind() == OpKind::TtgConvertLayout || computation(op.kind()).is_element_by_element();
        match op.operands().into_iter().find(is_computed).filter(|_| passes) {
            Some(operand) => value = operand,
            None => return source,
        }
    }
    value
}
