//! Gives matrix products the layouts of matrix instructions.
//!
//! `tt.dot` on blocked layouts is computed with multiply-add. Where `mma.sync` knows the operand types and the tile is large enough, the
//! result gets a `#ttg.nvidia_mma` layout and the operands the `#ttg.dot_op` layouts it reads: registers hold exactly
//! what the instruction wants. Products in full f32 (`ieee`) and unusual shapes stay as they are.
//! `wgmma` will be another row of [`choose`].

use crate::analysis::slice::Slices;
use crate::attributes::Threads;
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
use std::sync::Arc;
use tk_diag::Result;
use tk_ir::ops::{DotOp, InputPrecision};
use tk_ir::{Builder, Module, Op, OpKind, Value};
use tk_layout::{DotOpEncoding, Encoding, MmaEncoding};
use tk_types::ScalarType;

/// The pass.
pub const PASS: Pass = Pass { name: "accelerate-matmul", summary: "use matrix instructions for dots", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    for function in module.functions() {
        let dots: Vec<DotOp<'_>> = function.descendants().into_iter().filter_map(DotOp::cast).collect();
        let slices = if dots.len() > 1 { Slices::of(function) } else { Slices::default() };
        for &dot in &dots {
            let is_chained = dots.iter().any(|other| other.op != dot.op && share_block_and_slice(*other, dot, &slices));
            if let Some(choice) = choose(dot, is_chained, threads, cx) {
                apply(dot, choice);
            }
        }
    }
    Ok(())
}

/// Two products of which one may feed the other, such as the two of attention.
fn share_block_and_slice(a: DotOp<'_>, b: DotOp<'_>, slices: &Slices) -> bool {
    a.op.block() == b.op.block()
        && a.result().ty().rank() == b.result().ty().rank()
        && slices.component(a.op) == slices.component(b.op)
}

/// Layout of the result and elements along K that a thread holds together.
struct Choice {
    result: MmaEncoding,
    k_width: u32,
}

fn choose(dot: DotOp<'_>, is_chained: bool, threads: Threads, cx: &PassContext) -> Option<Choice> {
    let result_ty = dot.result().ty();
    if !matches!(result_ty.layout().as_deref(), Some(Encoding::Blocked(_))) || cx.target.sm < 80 {
        return None;
    }
    let element_bits = operand_bits(dot)?;
    let (shape, k) = (result_ty.shape(), *dot.a().ty().shape().last()?);
    let rank = shape.len();
    let (m, n) = (shape[rank - 2], shape[rank - 1]);
    // The instruction's tile is 16 x 8 x (256 bits).
    if m < 16 || n < 8 || k < i64::from(256 / element_bits) {
        return None;
    }
    let warps_per_cta =
        if rank == 3 { vec![threads.num_warps, 1, 1] } else { warps(m, n, is_chained, threads.num_warps).to_vec() };
    let mut instr_shape = vec![1; rank - 2];
    instr_shape.extend([16, 8]);
    let result = MmaEncoding { version_major: 2, version_minor: 0, warps_per_cta, instr_shape };
    Some(Choice { result, k_width: 32 / element_bits })
}

/// Bits of the operands, when `mma.sync` multiplies them in the precision asked for and accumulates in the result's type.
fn operand_bits(dot: DotOp<'_>) -> Option<u32> {
    let (a, b) = (dot.a().ty().element(), dot.b().ty().element());
    let result = dot.result().ty().element();
    if a != b {
        return None;
    }
    match (a.float(), result.float()) {
        (Some(ScalarType::F16), Some(ScalarType::F32 | ScalarType::F16)) => Some(16),
        (Some(ScalarType::BF16), Some(ScalarType::F32)) => Some(16),
        (Some(ScalarType::F32), Some(ScalarType::F32)) if dot.input_precision() == InputPrecision::Tf32 => Some(32),
        (None, None) if a.int_bits() == Some(8) && result.int_bits() == Some(32) => Some(8),
        _ => None,
    }
}

/// Deals the warps out over the tile so that each multiplies a block as square as can be: the registers for operands grow with its
/// circumference. Chained products keep whole rows (or columns) in a warp, because the second one reads the first one's result.
fn warps(m: i64, n: i64, is_chained: bool, num_warps: u32) -> [u32; 2] {
    if is_chained {
        return if m >= n { [num_warps, 1] } else { [1, num_warps] };
    }
    let mut warps = [1, 1];
    let mut tiles = [(m + 15) / 16, (n + 7) / 8];
    while warps[0] * warps[1] < num_warps {
        // The left operand takes twice the registers per tile, so ties are split along M; warps too many go there as well.
        let axis = usize::from(tiles[0] < tiles[1]);
        warps[axis] *= 2;
        tiles[axis] = (tiles[axis] / 2).max(1);
    }
    warps
}

fn apply(dot: DotOp<'_>, choice: Choice) {
    let Choice { result, k_width } = choice;
    let parent = Arc::new(Encoding::NvidiaMma(result));
    for (index, value) in [dot.a(), dot.b()].into_iter().enumerate() {
        let layout = Encoding::DotOp(DotOpEncoding { op_idx: index as u32, parent: parent.clone(), k_width });
        let converted =
            Builder::before(dot.op).convert_layout(before_conversion(value), value.ty().with_layout(&layout));
        dot.op.set_operand(index, converted);
    }
    let old = dot.result().ty();
    let new = old.with_layout(&parent);
    let accumulator = Builder::before(dot.op).convert_layout(dot.c(), new);
    dot.op.set_operand(2, accumulator);
    convert_result(dot.op, old, new);
}

fn before_conversion(value: Value<'_>) -> Value<'_> {
    match value.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout) {
        Some(conversion) => conversion.operand(0),
        None => value,
    }
}

fn convert_result<'c>(op: Op<'c>, old: tk_ir::Type<'c>, new: tk_ir::Type<'c>) {
    let result = op.result(0);
    result.set_type(new);
    let back = Builder::after(op).convert_layout(result, old);
    if let Some(conversion) = back.defining_op() {
        result.replace_all_uses_except(back, &[conversion]);
    }
}
