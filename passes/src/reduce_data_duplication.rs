//! Lets operands of dots by multiply-add stay in shared memory until the dot reads them.
//!
//! In the layout of such an operand a thread holds all of K for its rows or columns, so an operand of 64x64 f32 takes 256 registers and
//! more. A conversion to it that goes through scratch memory, or by shuffles, needs them all from there on: the next conversion uses
//! the same memory, behind a barrier that no read may pass. A buffer of its own that is read right before the dot lets ptxas read each piece
//! where a step of the dot needs it. Triton's pass of this name does so for every operand; here it is done where operands and sums
//! take more registers than half of what a thread can have, since a conversion between lanes is cheaper where they fit.
//!
//! 1. Find dots by multiply-add whose operands are converted. 2. Ask which need too many registers, and whether the buffers fit in shared
//!    memory. 3. Replace the conversions.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::analysis::shared_buffers::{SCRATCH_ALIGNMENT, SharedBuffer, tensor_bytes};
use crate::convert_to_ttg::require_ttg;
use crate::shared_encodings::{buffer_type, row_swizzled};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::DotOp;
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};
use tk_layout::Encoding;

/// The pass.
pub const PASS: Pass = Pass {
    name: "reduce-data-duplication",
    summary: "read operands of dots by multiply-add from shared memory where they are used",
    run,
};

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        let dots: Vec<Op<'_>> =
            function.descendants().into_iter().filter(|op| is_short_of_registers(*op, cx)).collect();
        if !dots.is_empty() {
            plan(function, &dots, cx)?.into_iter().for_each(Operand::apply);
        }
    }
    Ok(())
}

/// A conversion to an operand, and the dots that use it.
struct Operand<'c> {
    conversion: Op<'c>,
    dots: Vec<Op<'c>>,
}

/// It is a dot by multiply-add whose operands and sums take more than half of a thread's registers.
fn is_short_of_registers(op: Op<'_>, cx: &PassContext) -> bool {
    let Some(dot) = DotOp::cast(op) else { return false };
    let is_multiply_add = dot.result().ty().layout().is_some_and(|layout| matches!(&*layout, Encoding::Blocked(_)));
    let most = cx.options.maxnreg.unwrap_or(u32::MAX).min(cx.target.max_registers_per_thread());
    let needed = [dot.a(), dot.b(), dot.result()].map(|value| widened_registers(value.ty()));
    is_multiply_add && needed.into_iter().sum::<u32>() > most / 2
}

/// Registers of a thread in a dot by multiply-add, which widens what is narrower than 32 bits.
fn widened_registers(ty: Type<'_>) -> u32 {
    registers(ty).saturating_mul(32 / ty.element_bits().clamp(1, 32))
}

/// The operands that get buffers, as far as shared memory has room for them.
fn plan<'c>(function: Op<'c>, dots: &[Op<'c>], cx: &PassContext) -> Result<Vec<Operand<'c>>> {
    let live = LiveRegisters::of(function);
    let mut buffers = buffers_of_module(function)?;
    let mut operands: Vec<Operand<'c>> = Vec::new();
    for value in dots.iter().flat_map(|dot| dot.operands().into_iter().take(2)) {
        let Some(operand) = Operand::of(value, dots) else { continue };
        if operands.iter().any(|known| known.conversion == operand.conversion) {
            continue;
        }
        buffers.push(operand.buffer(&live));
        if total_bytes(&buffers) > cx.target.max_shared_bytes_per_cta() {
            buffers.pop();
        } else {
            operands.push(operand);
        }
    }
    Ok(operands)
}

impl<'c> Operand<'c> {
    /// The conversion that makes `value`, if only `dots` use it and it converts what is computed.
    fn of(value: Value<'c>, dots: &[Op<'c>]) -> Option<Self> {
        let conversion = value.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout)?;
        let is_constant = conversion.operand(0).constant().is_some();
        let users: Vec<Op<'c>> = value.users().into_iter().map(|(user, _)| user).collect();
        let all_dots = users.iter().all(|user| dots.contains(user));
        (all_dots && !is_constant).then_some(Self { conversion, dots: users })
    }

    /// The buffer, from the conversion to the last dot; to the end of every loop around a dot that is not around the conversion.
    fn buffer(&self, live: &LiveRegisters) -> SharedBuffer<'c> {
        let op = self.conversion;
        let last = self.dots.iter().filter_map(|dot| Some(*live.range(dot.ancestor_in(op.block()?)?).end())).max();
        SharedBuffer {
            op,
            bytes: tensor_bytes(op.result(0).ty()),
            alignment: SCRATCH_ALIGNMENT,
            purpose: "buffer",
            live: *live.range(op).start()..=last.unwrap_or(u32::MAX),
        }
    }

    fn apply(self) {
        let (op, value) = (self.conversion, self.conversion.result(0));
        let ty = value.ty();
        let order = op.operand(0).ty().layout().map_or_else(|| vec![1, 0], |layout| layout.order());
        let layout = row_swizzled(&ty.shape(), &order, ty.element_bits());
        let buffer = buffer_type(op.context(), &ty.shape(), ty.element(), &layout, false);
        let memory = Builder::before(op).create(OpKind::TtgLocalAlloc, &[op.operand(0)], &[buffer], &[]).result(0);
        for dot in self.dots {
            let read = Builder::before(dot).create(OpKind::TtgLocalLoad, &[memory], &[ty], &[]).result(0);
            value.replace_uses_if(read, |user, _| user == dot);
        }
        op.erase();
    }
}
