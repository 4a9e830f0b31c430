//! Lets operands of dots by multiply-add stay in shared memory until the dot reads them.
//!
//! In the layout of such an operand a thread holds all of K for its rows or columns, so an operand of 64x64 f32 takes 256 registers and
//! more. A conversion to it that goes through scratch memory, or by shuffles, needs them all from there on: the next conversion uses
//! the same memory, behind a barrier that no read may pass. A buffer of its own that is read right before the dot lets ptxas read each piece
//! where a step of the dot needs it. Triton's pass of this name does so for every operand; here it is done where operands and sums
//! take more registers than half of what a thread can have, since a conversion between lanes is cheaper where they fit.
//!
//! A tile that one dot reads as it is and another one transposed is written once, and read both ways.
//!
//! So is what a loop loads for `mma.sync`, where the loop has more floats than a thread can have registers: it leaves its registers as soon as it
//! comes, and the conversion would read it all before the next one uses the scratch memory.
//!
//! And so is what is loaded for `mma.sync` in rows across K, in 16 bits: a register of the operand holds two numbers along K, which come from two rows.
//! A conversion whose scratch memory `ldmatrix` cannot read puts them together one by one; from a buffer `ldmatrix` transposes.
//!
//! 1. Find dots whose operands are converted. 2. Ask which need too many registers or lie across K, and whether the buffers fit in shared memory.
//!    3. Replace the conversions.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::analysis::shared_buffers::{SCRATCH_ALIGNMENT, SharedBuffer, tensor_bytes};
use crate::analysis::shared_room::SharedRoom;
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::is_loop;
use crate::shared_encodings::{buffer_type, row_swizzled, swizzled, turned_view};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{DotOp, TransLikeOp};
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};
use tk_layout::Encoding;
use tk_layout::conversion::{self, ConversionPlan};

/// The pass.
pub const PASS: Pass = Pass {
    name: "reduce-data-duplication",
    summary: "read operands of dots by multiply-add from shared memory where they are used",
    run,
};

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = require_ttg(module)?.num_warps;
    for function in module.functions() {
        let live = LiveRegisters::of_floats_once(function);
        let candidates = candidates(function, &live, cx);
        if !candidates.is_empty() {
            let mut memories = Memories::default();
            plan(function, candidates, num_warps, cx)?.into_iter().for_each(|operand| operand.apply(&mut memories));
        }
    }
    Ok(())
}

/// A conversion to an operand, and the dots that use it.
struct Operand<'c> {
    conversion: Op<'c>,
    dots: Vec<Op<'c>>,
}

/// Why an operand gets a buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gain {
    /// Its dot takes more registers than there are.
    Registers,
    /// It is transposed on its way.
    Transposed,
}

impl Gain {
    fn is_one_for(self, operand: &Operand<'_>) -> bool {
        match self {
            // What is computed would wait for its neighbors again; what is loaded leaves its registers at once.
            Self::Registers => {
                let is_loaded = || operand.made_beside().is_some_and(|made| made.kind() == OpKind::TtLoad);
                !operand.is_of_tensor_cores() || is_loaded()
            }
            Self::Transposed => {
                operand.lies_across_k() && operand.is_the_only_user() && is_read_in_pieces(operand.conversion)
            }
        }
    }
}

/// An operand that gains by a buffer.
struct Candidate<'c> {
    operand: Operand<'c>,
    gain: Gain,
}

/// The operands that gain by a buffer.
fn candidates<'c>(function: Op<'c>, live: &LiveRegisters, cx: &PassContext) -> Vec<Candidate<'c>> {
    let dots: Vec<Op<'c>> = function.descendants().into_iter().filter(|op| DotOp::cast(*op).is_some()).collect();
    let short: Vec<Op<'c>> = dots.iter().copied().filter(|op| is_short_of_registers(*op, live, cx)).collect();
    let mut found: Vec<Candidate<'c>> = Vec::new();
    for value in dots.iter().flat_map(|dot| dot.operands().into_iter().take(2)) {
        let of = |dots: &[Op<'c>], gain: Gain| {
            let operand = Operand::of(value, dots).filter(|operand| gain.is_one_for(operand));
            operand.map(|operand| Candidate { operand, gain })
        };
        let transposed = || of(&dots, Gain::Transposed);
        let Some(candidate) = of(&short, Gain::Registers).or_else(transposed) else { continue };
        if found.iter().all(|known| known.operand.conversion != candidate.operand.conversion) {
            found.push(candidate);
        }
    }
    found
}

/// The conversion goes through scratch memory, whose order is such that no `ldmatrix` reads the operand: its numbers come by plain loads, and are put
/// together in registers.
fn is_read_in_pieces(conversion: Op<'_>) -> bool {
    let (from, to) = (conversion.operand(0).ty(), conversion.result(0).ty());
    let (Some(source), Some(target)) = (from.linear_layout(), to.linear_layout()) else { return false };
    let plan = conversion::plan(&source, &target, from.element_bits(), conversion::SCRATCH_BYTES);
    matches!(plan, Ok(ConversionPlan::Shared(plan)) if plan.load.matrix.is_none())
}

/// It is a dot by multiply-add whose operands and sums take more than half of a thread's registers, or by `mma.sync` in a loop that has more floats.
fn is_short_of_registers(op: Op<'_>, live: &LiveRegisters, cx: &PassContext) -> bool {
    let Some(dot) = DotOp::cast(op) else { return false };
    let is_multiply_add = dot.result().ty().layout().is_some_and(|layout| matches!(&*layout, Encoding::Blocked(_)));
    let most = cx.options.maxnreg.unwrap_or(u32::MAX).min(cx.target.max_registers_per_thread());
    if !is_multiply_add {
        return op.parent_op().filter(|around| is_loop(*around)).is_some_and(|around| live.peak(around) > most);
    }
    let needed = [dot.a(), dot.b(), dot.result()].map(|value| widened_registers(value.ty()));
    is_multiply_add && needed.into_iter().sum::<u32>() > most / 2
}

/// Registers of a thread in a dot by multiply-add, which widens what is narrower than 32 bits.
fn widened_registers(ty: Type<'_>) -> u32 {
    registers(ty).saturating_mul(32 / ty.element_bits().clamp(1, 32))
}

/// The operands that get buffers, as far as shared memory has room for them.
fn plan<'c>(
    function: Op<'c>,
    candidates: Vec<Candidate<'c>>,
    num_warps: u32,
    cx: &PassContext,
) -> Result<Vec<Operand<'c>>> {
    let live = LiveRegisters::of(function);
    let mut buffers = buffers_of_module(function)?;
    let mut operands: Vec<Operand<'c>> = Vec::new();
    let room = SharedRoom::of(function, num_warps, cx);
    for Candidate { operand, gain } in candidates {
        let own = operand.buffer(&live);
        let shares = |known: &SharedBuffer<'c>| {
            operands.iter().any(|other| other.conversion == known.op && other.shares_with(&operand))
        };
        // The conversion's own scratch memory is gone then.
        let mut with: Vec<SharedBuffer<'c>> =
            buffers.iter().filter(|known| known.op != operand.conversion).cloned().collect();
        match with.iter_mut().rev().find(|known| shares(known)) {
            Some(known) => {
                known.live = *known.live.start().min(own.live.start())..=*known.live.end().max(own.live.end())
            }
            None => with.push(own),
        }
        let has_room = match gain {
            Gain::Registers => total_bytes(&with) <= cx.target.max_shared_bytes_per_cta(),
            Gain::Transposed => room.allows(total_bytes(&buffers), total_bytes(&with)),
        };
        if has_room {
            buffers = with;
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
        let operand = Self { conversion, dots: users };
        (all_dots && !is_constant).then_some(operand)
    }

    /// An operation of the conversion's block makes it.
    fn made_beside(&self) -> Option<Op<'c>> {
        self.conversion.operand(0).defining_op().filter(|made| made.block() == self.conversion.block())
    }

    /// An operation of the conversion's block makes it, and nothing else uses what is converted: not even the other way round. What several products
    /// read is written once by `share-operands`.
    fn is_the_only_user(&self) -> bool {
        let mut value = self.conversion.operand(0);
        while let Some(turned) = value.defining_op().filter(|_| value.users().len() == 1).and_then(TransLikeOp::cast) {
            value = turned.src();
        }
        value.users().len() == 1 && self.made_beside().is_some()
    }

    /// Threads hold several of its numbers in a row, across K, where registers of `mma.sync` hold pairs of 16 bits along K.
    fn lies_across_k(&self) -> bool {
        let source = self.conversion.operand(0).ty();
        let (Some(layout), Some(operand)) = (source.layout(), self.conversion.result(0).ty().layout()) else {
            return false;
        };
        let (Encoding::Blocked(blocked), Encoding::DotOp(operand)) = (&*layout, &*operand) else { return false };
        let is_16_bits = source.element_bits() == 16 && source.shape().len() == 2;
        let (fastest, k_axis) = (blocked.order[0], 1 - operand.op_idx);
        let is_across = fastest != k_axis && blocked.size_per_thread[fastest as usize] > 1;
        self.is_of_tensor_cores() && is_16_bits && is_across
    }

    /// The buffer, from the conversion to the last dot; to the end of every loop around a dot that is not around the conversion.
    fn buffer(&self, live: &LiveRegisters) -> SharedBuffer<'c> {
        let op = self.conversion;
        let last = self.dots.iter().filter_map(|dot| Some(*live.range(dot.ancestor_in(op.block()?)?).end())).max();
        let written = self.tile().0.defining_op().filter(|_| self.is_of_tensor_cores()).unwrap_or(op);
        SharedBuffer {
            op,
            bytes: tensor_bytes(op.result(0).ty()),
            alignment: SCRATCH_ALIGNMENT,
            purpose: "buffer",
            live: *live.range(written).start()..=last.unwrap_or(u32::MAX),
        }
    }

    /// What is written to the buffer, and whether it is read the other way round.
    fn tile(&self) -> (Value<'c>, bool) {
        let source = self.conversion.operand(0);
        let turned = source
            .defining_op()
            .filter(|_| !self.is_of_tensor_cores())
            .and_then(TransLikeOp::cast)
            .filter(|turned| turned.order() == [1, 0]);
        turned.map_or((source, false), |turned| (turned.src(), true))
    }

    fn is_of_tensor_cores(&self) -> bool {
        let layout = self.conversion.result(0).ty().layout();
        matches!(layout.as_deref(), Some(Encoding::DotOp(operand)) if matches!(*operand.parent, Encoding::NvidiaMma(_)))
    }

    /// The buffer's, whose tile lies in this order.
    fn layout(&self, order: &[u32]) -> Encoding {
        let ty = self.tile().0.ty();
        let (shape, bits) = (ty.shape(), ty.element_bits());
        match self.conversion.result(0).ty().layout().as_deref() {
            Some(Encoding::DotOp(operand)) if self.is_of_tensor_cores() => swizzled(operand, &shape, order, bits),
            _ => row_swizzled(&shape, order, bits),
        }
    }

    /// Both read the same tile of a block, which is written once then.
    fn shares_with(&self, other: &Self) -> bool {
        self.tile().0 == other.tile().0 && self.conversion.block() == other.conversion.block()
    }

    fn apply(self, memories: &mut Memories<'c>) {
        let (op, value) = (self.conversion, self.conversion.result(0));
        let (tile, is_turned) = self.tile();
        let ty = tile.ty();
        let order = ty.layout().map_or_else(|| vec![1, 0], |layout| layout.order());
        let layout = self.layout(&order);
        let known = memories.iter().find(|(written, by, _)| *written == tile && by.block() == op.block());
        let memory = known.map(|(_, _, memory)| *memory).unwrap_or_else(|| {
            let buffer = buffer_type(op.context(), &ty.shape(), ty.element(), &layout, false);
            let mut builder = if self.is_of_tensor_cores() { Builder::after_value(tile) } else { Builder::before(op) };
            builder.create(OpKind::TtgLocalAlloc, &[tile], &[buffer], &[]).result(0)
        });
        memories.push((tile, memory.defining_op().unwrap_or(op), memory));
        for dot in self.dots {
            let mut builder = Builder::before(dot);
            let turned = memory.ty().layout().filter(|_| is_turned);
            let view = turned.map_or(memory, |layout| turned_view(&mut builder, memory, &layout, value.ty()));
            let read = builder.create(OpKind::TtgLocalLoad, &[view], &[value.ty()], &[]).result(0);
            value.replace_uses_if(read, |user, _| user == dot);
        }
        op.erase();
    }
}

/// Tiles, the operations that write them to buffers, and the buffers.
type Memories<'c> = Vec<(Value<'c>, Op<'c>, Value<'c>)>;
