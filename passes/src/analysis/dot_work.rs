//! What products ask of the tensor cores, and those by `wgmma` of shared memory.
//!
//! Each group of four warps multiplies blocks of 64 rows and as many columns as its instruction has. Operands in shared memory are read once for each such
//! block, by each group.

use super::live_registers::registers;
use super::shared_buffers::scratch;
use crate::encodings::elements_per_thread;
use crate::operations::{control::is_loop, is_dot};
use tk_ir::ops::{DotOp, ForOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind, Type};
use tk_layout::{Dim, Encoding};

/// Bits of the operands that all tensor cores of a multiprocessor multiply per cycle: 64x128x16 of 16 bits take 64 cycles.
const BITS_PER_CYCLE: i64 = 64 * 128 * 16 * 16 / 64;
/// Bytes that shared memory reads or writes per cycle.
const SHARED_BYTES_PER_CYCLE: i64 = 128;
/// Rows of an instruction, and the warps that share them.
const ROWS: i64 = 64;
const WARPS_OF_GROUP: i64 = 4;
const WARP_SIZE: i64 = 32;

/// The work of one product, of all warps together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DotWork {
    /// Cycles of the tensor cores.
    pub(crate) cycles: i64,
    /// Bytes of the left operand that are read from shared memory, if it is there.
    pub(crate) left_bytes: i64,
    /// Bytes of the right operand that are read.
    pub(crate) right_bytes: i64,
}

impl DotWork {
    /// `None` for layouts that no instruction has.
    pub(crate) fn of(dot: WarpGroupDotOp<'_>) -> Option<Self> {
        let result = dot.op.result(0).ty();
        let layout = result.layout()?;
        let Encoding::NvidiaMma(mma) = &*layout else { return None };
        let ([rows, columns], [down, across]) = (result.shape().try_into().ok()?, warps_of(&mma.warps_per_cta)?);
        let width = mma.instr_shape.get(1).copied().filter(|width| *width > 0)?;
        let depth = dot.a().ty().shape().last().copied()?;
        let bits = i64::from(dot.a().ty().element_bits());
        let groups = (down * across / WARPS_OF_GROUP).max(1);
        let width = i64::from(width);
        // Blocks of one group.
        let blocks = ceil(rows, ROWS * (down / WARPS_OF_GROUP).max(1)) * ceil(columns, width * across);
        Some(Self {
            cycles: groups * blocks * ROWS * width * depth * bits / BITS_PER_CYCLE,
            left_bytes: groups * blocks * ROWS * depth * bits / 8,
            right_bytes: groups * blocks * width * depth * bits / 8,
        })
    }
}

/// Rows, columns and bits of K that one `mma.sync` multiplies, whatever its type.
const ELEMENTS_OF_WARP: i64 = 16 * 8;
const BITS_OF_WARP: i64 = 256;

/// The `mma.sync` that each warp runs for a product; none for other operations.
pub(crate) fn instructions_of_warp(op: Op<'_>) -> i64 {
    let Some(dot) = DotOp::cast(op) else { return 0 };
    let result = op.result(0).ty();
    if !result.layout().is_some_and(|layout| matches!(&*layout, Encoding::NvidiaMma(_))) {
        return 0;
    }
    let a = dot.a().ty();
    let bits = a.shape().last().copied().unwrap_or(1).saturating_mul(i64::from(a.element_bits()));
    (elements_per_thread(result) * WARP_SIZE / ELEMENTS_OF_WARP).max(1).saturating_mul(ceil(bits, BITS_OF_WARP))
}

/// Cycles that the tensor cores need for products of all groups, whatever their instructions.
pub(crate) fn cycles_of<'c>(dots: impl Iterator<Item = WarpGroupDotOp<'c>>) -> i64 {
    dots.map(bits_multiplied).sum::<i64>() / BITS_PER_CYCLE
}

/// Products of single elements, times the bits of an element.
fn bits_multiplied(dot: WarpGroupDotOp<'_>) -> i64 {
    let a = dot.a().ty();
    let depth = a.shape().last().copied().unwrap_or(1);
    dot.op.result(0).ty().num_elements().saturating_mul(depth).saturating_mul(i64::from(a.element_bits()))
}

fn warps_of(warps: &[u32]) -> Option<[i64; 2]> {
    let [down, across] = warps[..] else { return None };
    Some([i64::from(down), i64::from(across)])
}

fn ceil(length: i64, step: i64) -> i64 {
    (length + step - 1) / step.max(1)
}

/// The work of one iteration, of all warps together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LoopWork {
    /// Cycles of the tensor cores.
    pub(crate) dot_cycles: i64,
    /// Cycles of shared memory: operands that products read, blocks that are copied or written, conversions.
    pub(crate) shared_cycles: i64,
}

impl LoopWork {
    /// `None` where the body has other products than those by `wgmma`, or loops or branches with products of their own.
    pub(crate) fn of(view: ForOp<'_>) -> Option<Self> {
        let (mut dot_cycles, mut bytes) = (0, 0);
        for op in view.body().ops() {
            if let Some(dot) = WarpGroupDotOp::cast(op) {
                let work = DotWork::of(dot)?;
                dot_cycles += work.cycles;
                bytes += work.right_bytes + if dot.a().ty().is_memdesc() { work.left_bytes } else { 0 };
            } else if op.kind() == OpKind::TtgLocalAlloc {
                bytes += op.operands().into_iter().map(|value| bytes_of(value.ty())).sum::<i64>();
            } else if op.kind() == OpKind::TtgConvertLayout {
                bytes += conversion_bytes(op);
            } else if is_dot(op) || op.descendants().into_iter().any(|inner| is_loop(inner) || is_dot(inner)) {
                return None;
            }
        }
        Some(Self { dot_cycles, shared_cycles: bytes / SHARED_BYTES_PER_CYCLE })
    }
}

fn bytes_of(ty: Type<'_>) -> i64 {
    ty.num_elements().saturating_mul(i64::from(ty.element_bits())) / 8
}

/// Bytes that a conversion writes and reads, if it goes through shared memory.
fn conversion_bytes(op: Op<'_>) -> i64 {
    if !is_through_memory(op) {
        return 0;
    }
    let warps = op.result(0).ty().linear_layout().map_or(1, |linear| 1 << linear.in_bits(Dim::Warp));
    let read = 4 * WARP_SIZE * warps * i64::from(registers(op.result(0).ty()));
    bytes_of(op.operand(0).ty()) + read
}

/// A conversion that goes through scratch memory.
pub(crate) fn is_through_memory(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtgConvertLayout && scratch(op).is_ok_and(|scratch| scratch.is_some_and(|it| it.bytes > 0))
}
