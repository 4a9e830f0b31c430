//! Dots by `mma.sync`, with operands and sums in registers.
//!
//! An instruction multiplies 16 rows by 8 columns and 256 bits along K. Dots that are smaller repeat rows or columns: lanes and registers
//! then hold the same elements, and compute the same sums. What is missing along K is zero (code generation adds it).

use super::chained_warps::ChainedWarps;
use crate::attributes::Threads;
use crate::encodings;
use crate::operations::layouts::LayoutRule;
use crate::operations::memory::{Access, global_memory};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use tk_ir::ops::{DotOp, InputPrecision};
use tk_ir::{Builder, Op, OpKind, Value};
use tk_layout::{DotOpEncoding, Encoding, MmaEncoding};
use tk_types::ScalarType;

/// Lanes among which an instruction deals out the elements along K of a row.
const LANES_ALONG_K: i64 = 4;
/// Elements of a row of a result that a thread has side by side.
const NEIGHBOURS_OF_RESULT: u32 = 2;

/// How `mma.sync` computes a dot.
pub(super) struct MmaPlan {
    /// The layout of the result.
    result: MmaEncoding,
    /// Elements along K that a thread holds together.
    k_width: u32,
}

impl MmaPlan {
    /// `None` when that instruction does not multiply such operands, or not in the precision asked for.
    pub(super) fn of(dot: DotOp<'_>, is_chained: bool, chains: &ChainedWarps, threads: Threads) -> Option<Self> {
        let result_ty = dot.result().ty();
        if !matches!(result_ty.layout().as_deref(), Some(Encoding::Blocked(_))) {
            return None;
        }
        let k_width = k_width(dot, operand_bits(dot)?, is_chained)?;
        let shape = result_ty.shape();
        let rank = shape.len();
        let (m, n) = (shape[rank - 2], shape[rank - 1]);
        let warps_per_cta = match rank {
            3 => vec![threads.num_warps, 1, 1],
            _ if is_chained => chains.warps(dot).to_vec(),
            _ => square_warps(m, n, threads.num_warps).to_vec(),
        };
        let mut instr_shape = vec![1; rank - 2];
        instr_shape.extend([16, 8]);
        let result = MmaEncoding { version_major: 2, version_minor: 0, warps_per_cta, instr_shape };
        Some(Self { result, k_width })
    }

    /// Gives the operands and the result their layouts.
    pub(super) fn apply(self, dot: DotOp<'_>) {
        let Self { result, k_width } = self;
        let parent = Arc::new(Encoding::NvidiaMma(result));
        for (index, value) in [dot.a(), dot.b()].into_iter().enumerate() {
            let layout = Encoding::DotOp(DotOpEncoding { op_idx: index as u32, parent: parent.clone(), k_width });
            let converted =
                Builder::before(dot.op).convert_layout(value.before_conversion(), value.ty().with_layout(&layout));
            dot.op.set_operand(index, converted);
        }
        let old = dot.result().ty();
        let new = old.with_layout(&parent);
        let accumulator = Builder::before(dot.op).convert_layout(dot.c(), new);
        dot.op.set_operand(2, accumulator);
        convert_result(dot.op, old, new);
    }
}

/// Whether `mma.sync` multiplies operands of so many bits that have the dot's shape: every lane has an element along K of its own. The
/// language allows no dot that is smaller.
pub(crate) fn feeds_every_lane(dot: DotOp<'_>, element_bits: u32) -> bool {
    depth(dot) >= LANES_ALONG_K * i64::from(words_elements(element_bits))
}

/// Elements of so many bits in a word, at least one.
fn words_elements(element_bits: u32) -> u32 {
    (32 / element_bits).max(1)
}

fn depth(dot: DotOp<'_>) -> i64 {
    dot.a().ty().shape().last().copied().unwrap_or(0)
}

/// Elements along K that a thread holds together: those in a word of shared memory. Where an operand is loaded in a narrower type than it
/// is multiplied in, as many of those, so that shared memory is read by words; but the result of another dot is taken as it lies: a thread has
/// two neighbours of it, which are a word of 16-bit numbers.
fn k_width(dot: DotOp<'_>, element_bits: u32, is_chained: bool) -> Option<u32> {
    let least = words_elements(element_bits);
    if !feeds_every_lane(dot, element_bits) {
        return None;
    }
    let most = if is_chained { least.max(NEIGHBOURS_OF_RESULT) } else { u32::MAX };
    let loaded = [dot.a(), dot.b()].into_iter().filter_map(loaded_bits).min();
    let wide = loaded.map_or(least, |bits| words_elements(bits.max(8))).max(least).min(most);
    // No thread holds copies.
    Some(if depth(dot) >= 2 * LANES_ALONG_K * i64::from(wide) { wide } else { least })
}

/// Bits of the narrowest elements in memory of which an operand is computed element by element, or of its transpose; `None` if there are none.
fn loaded_bits(operand: Value<'_>) -> Option<u32> {
    // A number for each row or column is no element.
    let elements = operand.ty().num_elements();
    let (mut seen, mut pending, mut least) = (FxHashSet::default(), vec![operand], None);
    while let Some(value) = pending.pop() {
        let Some(op) = value.defining_op().filter(|op| value.ty().num_elements() == elements && seen.insert(op.id()))
        else {
            continue;
        };
        if global_memory(op.kind()).access() == Some(Access::Read) {
            let bits = value.ty().element_bits();
            least = Some(least.map_or(bits, |other: u32| other.min(bits)));
        } else if passes_elements(op) {
            // What a choice depends on is no element.
            pending.extend(
                op.operands().into_iter().filter(|operand| operand.ty().is_tensor() && !is_condition(*operand)),
            );
        }
    }
    least
}

/// Each element of the result, or of its transpose, is computed from those at its place.
pub(super) fn passes_elements(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtgConvertLayout | OpKind::TtTrans)
        || encodings::rule(op) == LayoutRule::Same && op.is_pure()
}

fn is_condition(value: Value<'_>) -> bool {
    value.ty().element_bits() == 1
}

/// Bits of the operands, when `mma.sync` multiplies them in the precision asked for and accumulates in the result's type. Mixed 8-bit
/// floats are multiplied too, as halves where the tensor cores have no such product.
fn operand_bits(dot: DotOp<'_>) -> Option<u32> {
    let (a, b, result) = (dot.a().ty().element(), dot.b().ty().element(), dot.result().ty().element());
    match (a.float(), b.float(), result.float()) {
        (Some(ScalarType::F16), Some(ScalarType::F16), Some(ScalarType::F32 | ScalarType::F16)) => Some(16),
        (Some(ScalarType::BF16), Some(ScalarType::BF16), Some(ScalarType::F32)) => Some(16),
        (Some(ScalarType::F64), Some(ScalarType::F64), Some(ScalarType::F64)) => Some(64),
        (Some(ScalarType::F32), Some(ScalarType::F32), Some(ScalarType::F32)) => {
            (dot.input_precision() == InputPrecision::Tf32).then_some(32)
        }
        (Some(a), Some(b), Some(ScalarType::F32 | ScalarType::F16)) if a.is_fp8() && b.is_fp8() => Some(8),
        (None, None, None) if [a, b].iter().all(|ty| ty.int_bits() == Some(8)) && result.int_bits() == Some(32) => {
            Some(8)
        }
        _ => None,
    }
}

/// Deals the warps out over the tile so that each multiplies a block as square as can be: the registers for operands grow with its
/// circumference.
fn square_warps(m: i64, n: i64, num_warps: u32) -> [u32; 2] {
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

fn convert_result<'c>(op: Op<'c>, old: tk_ir::Type<'c>, new: tk_ir::Type<'c>) {
    let result = op.result(0);
    result.set_type(new);
    let back = Builder::after(op).convert_layout(result, old);
    if let Some(conversion) = back.defining_op() {
        result.replace_all_uses_except(back, &[conversion]);
    }
}
