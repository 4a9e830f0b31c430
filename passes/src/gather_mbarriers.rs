//! The mbarriers of a kernel begin together, before its first copy, and end with it.
//!
//! Each loop and each block that is copied by TMA makes mbarriers of its own, right before its copies, and all threads meet before those. So the first
//! copy of a loop behind another block waited for a second meeting, and for one thread that begins mbarrier after mbarrier, each behind a fence,
//! since copies are under way. Behind the loop the same thread ended one after the other while the rest waited to write the result.
//!
//! Here those of the function's outermost block begin where the first of them does, with one meeting behind them. The memory of an mbarrier need not be
//! given back in order before a kernel ends ([`WITH_KERNEL`]): nothing else gets its few bytes. Where those take a CTA from a multiprocessor, the
//! mbarriers end where they did.
//!
//! 1. Mbarriers that begin behind something else than mbarriers.  2. They go to the first.  3. The ends go to the end.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::attributes::WITH_KERNEL;
use crate::convert_to_ttg::require_ttg;
use crate::operations::memory::root;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::FuncOp;
use tk_ir::{Block, Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "gather-mbarriers", summary: "begin mbarriers before the first copy, end them with the kernel", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions().into_iter().filter_map(FuncOp::cast).filter(|view| view.is_public()) {
        let block = function.op.region(0).first_block();
        for block in block.into_iter().filter(|block| block.ops().iter().any(is_beginning)) {
            let ctas = || -> Result<u32> {
                let bytes = total_bytes(&buffers_of_module(function.op)?);
                Ok(cx.target.occupancy(1, bytes, cx.options.num_warps).ctas_per_sm)
            };
            let before = ctas()?.max(1);
            if let Some(row) = Row::of(block) {
                let moves = row.gather();
                if ctas()? < before { moves.undo() } else { row.meet_behind() }
            }
            let (moves, ends) = end_with_kernel(block);
            if ctas()? < before {
                moves.undo();
            } else {
                ends.iter().for_each(|end| end.set_attr(WITH_KERNEL, function.op.context().unit_attr()));
            }
        }
    }
    Ok(())
}

/// Operations that have moved, and what each stood in front of.
#[derive(Default)]
struct Moves<'c>(Vec<(Op<'c>, Op<'c>)>);

impl<'c> Moves<'c> {
    fn to(&mut self, op: Op<'c>, place: Op<'c>) {
        if let Some(next) = op.next().filter(|_| op != place) {
            self.0.push((op, next));
            op.move_before(place);
        }
    }

    fn undo(self) {
        self.0.into_iter().rev().for_each(|(op, next)| op.move_before(next));
    }
}

/// The mbarriers of a block.
struct Row<'c> {
    /// Those that begin where the first does, in order.
    first: Vec<Op<'c>>,
    /// What stands behind these.
    anchor: Op<'c>,
    /// Those that begin later.
    later: Vec<Op<'c>>,
    /// What those need that stands behind the first, in order.
    parts: Vec<Op<'c>>,
    /// The meetings of all threads behind those.
    meetings: Vec<Op<'c>>,
}

impl<'c> Row<'c> {
    /// `None` where an mbarrier needs more than memory of the block.
    fn of(block: Block<'c>) -> Option<Self> {
        let ops = block.ops();
        let first = ops.iter().position(is_beginning)?;
        let end = (first..ops.len()).find(|at| !stands_beside_beginnings(&ops[*at]))?;
        let later: Vec<Op<'c>> = ops[end..].iter().copied().filter(is_beginning).collect();
        let needed = later.iter().map(|op| parts_of(*op)).collect::<Option<Vec<_>>>()?;
        let is_needed = |op: &&Op<'c>| !is_beginning(op) && needed.iter().any(|parts| parts.contains(op));
        let parts = ops[end..].iter().filter(is_needed).copied().collect();
        let first = ops[first..end].iter().copied().filter(is_beginning).collect();
        let behind: Vec<Op<'c>> = later.iter().filter_map(|op| meeting_behind(*op)).collect();
        let meetings = ops[end..].iter().copied().filter(|op| behind.contains(op)).collect();
        Some(Self { first, anchor: ops[end], later, parts, meetings })
    }

    /// Code generation passes a row of them by in one branch.
    fn gather(&self) -> Moves<'c> {
        let mut moves = Moves::default();
        for op in self.parts.iter().chain(&self.first).chain(&self.later) {
            moves.to(*op, self.anchor);
        }
        moves
    }

    /// Those behind which all threads met, meet behind all of them now.
    fn meet_behind(&self) {
        if !self.later.is_empty() && self.anchor.kind() != OpKind::GpuBarrier {
            Builder::before(self.anchor).create(OpKind::GpuBarrier, &[], &[], &[]);
        }
        self.meetings.iter().for_each(|meeting| meeting.erase());
    }
}

fn is_beginning(op: &Op<'_>) -> bool {
    op.kind() == OpKind::TtngInitBarrier
}

/// What may stand between mbarriers that begin one after the other: their memory, and views of it.
fn stands_beside_beginnings(op: &Op<'_>) -> bool {
    is_beginning(op) || op.is_pure() || op.kind() == OpKind::TtgLocalAlloc && op.num_operands() == 0
}

/// What the beginning of an mbarrier needs, and itself. `None` where that is more than memory of the block.
fn parts_of(beginning: Op<'_>) -> Option<Vec<Op<'_>>> {
    let mut parts = vec![beginning];
    let mut next = 0;
    while let Some(&op) = parts.get(next) {
        for made in op.operands().into_iter().map(Value::defining_op) {
            let is_known = |op: &Op<'_>| op.block() == beginning.block() && stands_beside_beginnings(op);
            let made = made.filter(|op| is_known(op))?;
            if !parts.contains(&made) {
                parts.push(made);
            }
        }
        next += 1;
    }
    Some(parts)
}

/// The meeting of all threads that follows the beginning of an mbarrier.
fn meeting_behind(beginning: Op<'_>) -> Option<Op<'_>> {
    std::iter::successors(beginning.next(), |op| op.next())
        .find(|op| !stands_beside_beginnings(op))
        .filter(|op| op.kind() == OpKind::GpuBarrier)
}

/// The ends of mbarriers go to the end of the kernel, with the memory. Gives the ends, too.
fn end_with_kernel(block: Block<'_>) -> (Moves<'_>, Vec<Op<'_>>) {
    let ops = block.ops();
    let ends: Vec<Op<'_>> = ops.iter().copied().filter(|op| op.kind() == OpKind::TtngInvalBarrier).collect();
    let memory: Vec<Op<'_>> = ends.iter().filter_map(|end| root(end.operand(0)).defining_op()).collect();
    let is_of_mbarriers = |op: &Op<'_>| {
        op.kind() == OpKind::TtgLocalDealloc && op.operand(0).defining_op().is_some_and(|made| memory.contains(&made))
    };
    let mut moves = Moves::default();
    for op in ops.iter().filter(|op| ends.contains(op) || is_of_mbarriers(op)) {
        ops.last().into_iter().for_each(|last| moves.to(*op, *last));
    }
    (moves, ends)
}
