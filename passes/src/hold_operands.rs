//! Holds a left operand of products in registers over a loop that reads more of shared memory than the tensor cores can use.
//!
//! A product by `wgmma` reads both operands from shared memory, 128 bytes per cycle. Where an instruction has 64 columns or fewer, that takes as long as
//! the multiplication, or longer: 64x32x16 of 16 bits are 16 cycles, and their operands 24. What is copied and converted comes on top. A left operand
//! that does not change in the loop is read again in every iteration. In registers it costs none of these bytes:
//!
//! ```text
//! %buffer = local_alloc %keys                   %buffer = local_alloc %keys
//!                                               %held = local_load %buffer
//! loop: %dot = warp_group_dot %buffer, %b       loop: %dot = warp_group_dot %held, %b
//! ```
//!
//! - **Shared memory is what the loop waits for**: an iteration keeps it busy for longer than the tensor cores ([`LoopWork`]).
//! - **Registers have room** for the operand at every point of the loops that use it, and are not what keeps another CTA from the multiprocessor.
//! - **No other product of the loop has its left operand in registers.** ptxas (12.9, 13.0) gives registers that do not change in a loop to the
//!   left operand of another product, and the next iteration multiplies by that one's words. So one operand is held, and what the loop computes for other
//!   products has to come through shared memory anyway, by a conversion: [`store_operands`](crate::store_operands) lets it stay there.
//!
//! It comes before `assign-latencies`, which then sees how many registers are left.
//!
//! 1. Buffers that products of loops read on their left.  2. Which of them saves most and fits.  3. Read it before the first loop.

use crate::analysis::dot_work::{DotWork, LoopWork, is_through_memory};
use crate::analysis::live_registers::{LiveRegisters, most_over_dots, registers};
use crate::analysis::product_ahead::in_place;
use crate::analysis::shared_buffers::{keeps_contents, tensor_bytes};
use crate::attributes::{HELD, Threads};
use crate::control_flow::first_of;
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::is_loop;
use crate::operations::memory::root;
use crate::{Pass, PassContext};
use std::sync::Arc;
use tk_diag::Result;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};
use tk_layout::{DotOpEncoding, Encoding};

/// The pass.
pub const PASS: Pass = Pass {
    name: "hold-operands",
    summary: "hold a left operand of products in registers, where a loop reads shared memory for longer than it multiplies",
    run,
};

/// Bits of the elements that registers hold as instructions want them.
const WIDTHS: [u32; 2] = [8, 16];

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    for function in module.functions() {
        let mut candidates = candidates_of(function);
        candidates.retain(|candidate| candidate.is_worth_it() && candidate.leaves_ctas(threads, cx));
        candidates.retain(|candidate| candidate.has_room(function, threads, cx));
        // Of those that save as much, the last: what is needed first is multiplied from memory while the others arrive.
        let Some(best) = candidates.into_iter().max_by_key(|candidate| candidate.saved_bytes) else { continue };
        best.apply();
    }
    Ok(())
}

/// A buffer that keeps its contents, and the products of loops that read it on their left.
struct Candidate<'c> {
    buffer: Value<'c>,
    dots: Vec<WarpGroupDotOp<'c>>,
    /// The innermost loops around them.
    loops: Vec<ForOp<'c>>,
    /// Bytes of shared memory that the products read of it, all together.
    saved_bytes: i64,
}

fn candidates_of(function: Op<'_>) -> Vec<Candidate<'_>> {
    let mut found: Vec<Candidate<'_>> = Vec::new();
    for dot in function.descendants().into_iter().filter_map(WarpGroupDotOp::cast) {
        let Some(view) = loop_of(dot).filter(|view| is_fixed(*view, dot.a())) else { continue };
        let Some(work) = DotWork::of(dot) else { continue };
        let known = found.iter_mut().find(|candidate| {
            candidate.buffer == dot.a() && candidate.dots[0].op.result(0).ty() == dot.op.result(0).ty()
        });
        let candidate = match known {
            Some(known) => known,
            None => {
                found.push(Candidate { buffer: dot.a(), dots: Vec::new(), loops: Vec::new(), saved_bytes: 0 });
                found.last_mut().expect("it was pushed")
            }
        };
        candidate.dots.push(dot);
        candidate.saved_bytes += work.left_bytes;
        if !candidate.loops.iter().any(|other| other.op == view.op) {
            candidate.loops.push(view);
        }
    }
    found
}

/// The loop in whose body a product stands.
fn loop_of(dot: WarpGroupDotOp<'_>) -> Option<ForOp<'_>> {
    dot.op.parent_op().and_then(ForOp::cast)
}

/// A buffer of elements that registers can hold, which is made before the loop and keeps its contents.
fn is_fixed<'c>(view: ForOp<'c>, operand: Value<'c>) -> bool {
    let is_before = |made: Op<'c>| !view.op.contains(made);
    operand.ty().is_memdesc()
        && WIDTHS.contains(&operand.ty().element_bits())
        && operand.defining_op().is_some_and(is_before)
        && keeps_contents(operand)
}

impl<'c> Candidate<'c> {
    /// All its loops wait for shared memory, and no other product of them has its left operand in registers but by a conversion through memory.
    fn is_worth_it(&self) -> bool {
        self.loops.iter().all(|view| {
            let waits = LoopWork::of(*view).is_some_and(|work| work.shared_cycles > work.dot_cycles);
            let dots = view.body().ops().into_iter().filter_map(WarpGroupDotOp::cast);
            waits && dots.into_iter().all(|dot| dot.a().ty().is_memdesc() || is_converted_here(*view, dot))
        })
    }

    /// With all the registers that a thread can have, a multiprocessor has as many CTAs as its shared memory lets in and the grid brings.
    fn leaves_ctas(&self, threads: Threads, cx: &PassContext) -> bool {
        let stages = cx.options.num_stages;
        let brought = cx.options.residency.at_most().unwrap_or(u32::MAX);
        let bytes = self.loops.iter().map(|view| bytes_of_buffers(*view, stages)).max().unwrap_or(0);
        let ctas = |registers| cx.target.occupancy(registers, bytes, threads.num_warps).ctas_per_sm.min(brought);
        ctas(cx.target.max_registers_per_thread()) >= ctas(1)
    }

    /// A thread has registers for the operand from the first of its loops to the last.
    fn has_room(&self, function: Op<'c>, threads: Threads, cx: &PassContext) -> bool {
        let Some(held) = self.held_type() else { return false };
        let budget = cx.options.maxnreg.unwrap_or(u32::MAX).min(cx.target.register_budget(threads.num_warps, 1));
        // Those lie in shared memory then.
        let live = LiveRegisters::of_floats_but(function, |op| {
            is_through_memory(op) && op.result(0).users().iter().all(|(user, at)| is_left(*user, *at))
        });
        let Some((first, last)) = self.place().zip(self.outermost().into_iter().map(|op| *live.range(op).end()).max())
        else {
            return false;
        };
        let (from, taken) = (*live.range(first).start(), registers(held));
        let most = self.loops.iter().map(|view| most_over_dots(view.body(), budget)).min().unwrap_or(0);
        // What enters a loop, what it carries and what it gives are the same registers.
        let is_over =
            |op: &Op<'c>| (from..=last).contains(live.range(*op).start()) && !op.is_terminator() && !is_loop(*op);
        let is_own = |dot: WarpGroupDotOp<'c>| self.loops.iter().any(|view| dot.op.block() == Some(view.body()));
        function.descendants().into_iter().filter(is_over).all(|op| {
            let here = live.at(op).saturating_sub(in_place(op));
            let in_registers = WarpGroupDotOp::cast(op).is_some_and(|dot| dot.a().ty().is_tensor() && !is_own(dot));
            here + taken <= most && !in_registers
        })
    }

    /// The operations beside the buffer that its loops are in, or are.
    fn outermost(&self) -> Vec<Op<'c>> {
        let block = self.buffer.defining_op().and_then(|op| op.block());
        self.loops.iter().filter_map(|view| view.op.ancestor_in(block?)).collect()
    }

    /// The operation before which the operand is read.
    fn place(&self) -> Option<Op<'c>> {
        first_of(self.outermost())
    }

    /// The operand in registers, as the instructions want it.
    fn held_type(&self) -> Option<Type<'c>> {
        let (dot, memory) = (self.dots[0].op, self.buffer.ty());
        let parent = Arc::new((*dot.result(0).ty().layout()?).clone());
        let operand = Encoding::DotOp(DotOpEncoding { op_idx: 0, parent, k_width: 32 / memory.element_bits() });
        let context = dot.context();
        Some(context.tensor(&memory.shape(), memory.element(), Some(context.encoding_attr(&operand))))
    }

    fn apply(self) {
        let Some((place, ty)) = self.place().zip(self.held_type()) else { return };
        let load = Builder::before(place).create(OpKind::TtgLocalLoad, &[self.buffer], &[ty], &[]);
        load.set_attr(HELD, load.context().unit_attr());
        self.dots.into_iter().for_each(|dot| dot.op.set_operand(0, load.result(0)));
    }
}

/// The left operand is computed in the body, and comes through shared memory.
fn is_converted_here<'c>(view: ForOp<'c>, dot: WarpGroupDotOp<'c>) -> bool {
    let made = dot.a().defining_op().filter(|made| made.block() == Some(view.body()) && is_through_memory(*made));
    made.is_some_and(|made| made.result(0).users().iter().all(|(user, operand)| is_left(*user, *operand)))
}

fn is_left(user: Op<'_>, operand: usize) -> bool {
    user.kind() == OpKind::TtngWarpGroupDot && operand == 0
}

/// Bytes of the blocks that a loop copies in its stages, and of the buffers that it reads.
fn bytes_of_buffers(view: ForOp<'_>, stages: u32) -> u32 {
    let stages =
        view.op.int_attr(crate::attributes::NUM_STAGES).and_then(|own| u32::try_from(own).ok()).unwrap_or(stages);
    let mut seen: Vec<Op<'_>> = Vec::new();
    let reads = view.body().ops().into_iter().flat_map(|op| op.operands()).filter(|value| value.ty().is_memdesc());
    let mut bytes = 0u32;
    for buffer in reads.filter_map(|value| root(value).defining_op()) {
        if !seen.contains(&buffer) {
            let times = if view.op.contains(buffer) { stages.max(1) } else { 1 };
            bytes = bytes.saturating_add(tensor_bytes(buffer.result(0).ty()).saturating_mul(times));
            seen.push(buffer);
        }
    }
    bytes
}
