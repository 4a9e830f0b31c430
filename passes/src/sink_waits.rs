//! Waits for a block where it is needed, so that the copies which follow are under way meanwhile.
//!
//! A block that is loaded before a loop, such as the queries of attention, was waited for where it was loaded: the first copies of the loop
//! left one latency of memory later, in every program. Blocks that are loaded one after the other waited for one another in the same way.
//! Here a wait moves down to the first use of its block, and so does the write to shared memory of a block that was loaded into registers.
//!
//! A block that a loop needs in another layout than it was loaded in is written to shared memory, too, and read back: its conversion waits for memory as
//! well, and the copies behind it did. It moves down with what is made of it, where shared memory holds as many CTAs beside its bytes: before, the
//! buffers of the copies had these. The first value of what the loop carries, such as a state, moves only where the grid brings one CTA to a
//! multiprocessor: others compute while one waits for its first blocks, the loop goes on for long, and its conversions for stores want the same bytes
//! ([measurements](../../docs/measurements.md#conversions-wait-behind-the-first-copies)).
//!
//! The copy reads global memory until it is waited for. So a wait passes no write to global memory and no atomic operation, and neither loops nor
//! branches; meetings of threads it passes, since the writes that they order stand behind it. It moves only where it passes a copy or a load. Its
//! block is in shared memory for longer: where that takes a CTA from a multiprocessor the wait stays. Turns that warp groups take it does not pass:
//! one of them stays there until the other has been in the loop, and a meeting of both behind that would never end.
//!
//! 1. Find the waits and how far each may go.  2. Move those that shared memory has room for.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::shared_buffers::{scratch, views_of};
use crate::analysis::shared_room::SharedRoom;
use crate::attributes::HELD;
use crate::control_flow::{first_of, is_movable_arithmetic};
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::{Control, control, is_loop};
use crate::operations::memory::{SharedMemory, global_memory, is_ordered_access, is_view, root, shared_memory};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::LocalAllocOp;
use tk_ir::{Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "sink-waits", summary: "wait for blocks where they are needed", run };

/// Waits of one function that are looked at: each asks where all buffers lie.
const MOST_WAITS: usize = 32;
/// Operations that one wait may pass, and that may move with it.
const MOST_STEPS: usize = 1000;
const MOST_MOVED: usize = 100;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = require_ttg(module)?.num_warps;
    module.functions().into_iter().try_for_each(|function| sink_waits(function, num_warps, cx))
}

fn sink_waits(function: Op<'_>, num_warps: u32, cx: &PassContext) -> Result<()> {
    sink_held_operands(function);
    // From the last to the first: a wait that has moved no longer stands in the way of those before it.
    let waits: Vec<Wait<'_>> = function.descendants().into_iter().rev().filter_map(Wait::of).take(MOST_WAITS).collect();
    if waits.is_empty() {
        return Ok(());
    }
    let bytes = || -> Result<u32> { Ok(total_bytes(&buffers_of_module(function)?)) };
    let ctas = |bytes| cx.target.occupancy(1, bytes, cx.options.num_warps).ctas_per_sm;
    let (before, room) = (bytes()?, SharedRoom::of(function, num_warps, cx));
    let is_alone = cx.options.residency.at_most() == Some(1);
    let has_room = |kind: Kind<'_>, after| match kind {
        Kind::Copy(_) | Kind::Write => ctas(after) >= ctas(before).max(1),
        Kind::Conversion(_) => room.allows(before, after),
    };
    for wait in waits {
        let Some((place, old)) = wait.place().zip(wait.last().next()) else { continue };
        if wait.is_of_carried(place) && !is_alone {
            continue;
        }
        wait.move_before(place);
        if !has_room(wait.kind, bytes()?) {
            wait.move_before(old);
        } else if loop_behind(place).is_some() {
            wait.keep_out_of_loops(place);
        }
    }
    Ok(())
}

/// An operand that stays in registers over loops is read right before the first of them, behind its first copies. Nothing writes its buffer but the
/// copy that has been waited for.
fn sink_held_operands(function: Op<'_>) {
    for held in function.descendants().into_iter().filter(|op| op.attr(HELD).is_some()) {
        let Some(block) = held.block() else { continue };
        let users = held.result(0).users().into_iter().filter_map(|(user, _)| user.ancestor_in(block));
        first_of(users).into_iter().for_each(|place| held.move_before(place));
    }
}

/// Operations that wait for one block.
struct Wait<'c> {
    /// What moves, in order.
    ops: Vec<Op<'c>>,
    kind: Kind<'c>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind<'c> {
    /// For a copy by TMA into this buffer, with an mbarrier of its own.
    Copy(Value<'c>),
    /// For a load into registers, which are written to shared memory.
    Write,
    /// For a load into registers that this conversion takes through shared memory.
    Conversion(Op<'c>),
}

impl<'c> Wait<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        if op.kind() == OpKind::TtngWaitBarrier {
            Self::for_copy(op)
        } else if op.kind() == OpKind::TtgLocalAlloc {
            Self::for_write(op)
        } else if op.kind() == OpKind::TtgConvertLayout {
            Self::for_conversion(op).filter(|wait| wait.place().is_some())
        } else {
            None
        }
    }

    /// `wait` and the end of its mbarrier behind it, with the reads of the block that follow.
    fn for_copy(wait: Op<'c>) -> Option<Self> {
        let barrier = wait.operand(0);
        let end = wait.next().filter(|op| op.kind() == OpKind::TtngInvalBarrier && op.operand(0) == barrier)?;
        let copies = barrier.users().into_iter().map(|(user, _)| user).filter(|op| is_start_of_load(*op));
        let [copy] = copies.collect::<Vec<_>>()[..] else { return None };
        let memory = copy.operands().into_iter().find(|operand| operand.ty().is_memdesc() && *operand != barrier)?;
        let (memory, block) = (root(memory), wait.block());
        let reads = std::iter::successors(end.next(), |op| op.next())
            .take_while(|op| op.kind() == OpKind::TtgLocalLoad && root(op.operand(0)) == memory);
        let ops = [wait, end].into_iter().chain(reads).collect();
        (copy.block() == block).then_some(Self { ops, kind: Kind::Copy(memory) })
    }

    /// The write to a buffer of a block that was loaded, with the arithmetic on it and the views of the buffer beside it.
    fn for_write(alloc: Op<'c>) -> Option<Self> {
        LocalAllocOp::cast(alloc)?.src()?;
        let mut ops = with_arithmetic_on_loads(alloc)?;
        let views = views_of(alloc.result(0)).into_iter().filter_map(Value::defining_op);
        ops.extend(views.filter(|view| *view != alloc && view.block() == alloc.block() && is_view(*view)));
        Some(Self { ops: in_order(&ops, alloc)?, kind: Kind::Write })
    }

    /// The conversion of a block that was loaded, with the arithmetic on the block before and behind it.
    fn for_conversion(conversion: Op<'c>) -> Option<Self> {
        scratch(conversion).ok().flatten().filter(|scratch| scratch.bytes > 0)?;
        let mut ops = with_arithmetic_on_loads(conversion)?;
        let behind = std::iter::successors(conversion.next(), |op| op.next()).take(MOST_STEPS);
        for op in behind.take_while(|op| !stops(*op)) {
            let takes = |operand: Value<'c>| operand.defining_op().is_some_and(|source| ops.contains(&source));
            if !op.operands().into_iter().any(takes) {
                continue;
            }
            if !is_movable_arithmetic(op) || ops.len() >= MOST_MOVED {
                break;
            }
            ops.push(op);
        }
        Some(Self { ops: in_order(&ops, conversion)?, kind: Kind::Conversion(conversion) })
    }

    fn last(&self) -> Op<'c> {
        *self.ops.last().expect("a wait has an operation")
    }

    /// The operation that it belongs before, if a copy or a load stands in between.
    fn place(&self) -> Option<Op<'c>> {
        let (mut passes_read, mut place) = (false, None);
        let start = match self.kind {
            Kind::Copy(_) | Kind::Write => self.last(),
            Kind::Conversion(conversion) => conversion,
        };
        let behind = std::iter::successors(start.next(), |op| op.next()).take(MOST_STEPS);
        for op in behind.filter(|op| !self.ops.contains(op)) {
            place = Some(op);
            if self.is_needed_by(op) || stops(op) {
                break;
            }
            passes_read |= match self.kind {
                Kind::Copy(_) => global_memory(op.kind()).access().is_some(),
                // Loads through pointers are under way already: they go in front of barriers (`hoist-loads`).
                Kind::Write | Kind::Conversion(_) => is_start_of_copy(op),
            };
        }
        // Within a loop, the order of what it does in one iteration has been chosen.
        let is_in_place = |place: Op<'c>| match self.kind {
            Kind::Copy(_) => true,
            Kind::Write | Kind::Conversion(_) => loop_behind(place).is_some(),
        };
        place.filter(|place| passes_read && is_in_place(*place))
    }

    fn is_needed_by(&self, op: Op<'c>) -> bool {
        let results = self.ops.iter().flat_map(|op| op.results());
        let block = match self.kind {
            Kind::Copy(memory) => Some(memory),
            Kind::Write | Kind::Conversion(_) => None,
        };
        results.chain(block).flat_map(views_of).flat_map(Value::users).any(|(user, _)| {
            let counts = !is_view(user) && !self.ops.contains(&user);
            counts && (op == user || op.contains(user))
        })
    }

    /// What it converts is the first value of something that the loop behind `place` carries.
    fn is_of_carried(&self, place: Op<'c>) -> bool {
        let Some(around) = loop_behind(place).filter(|_| matches!(self.kind, Kind::Conversion(_))) else {
            return false;
        };
        let results = self.ops.iter().flat_map(|op| op.results());
        results.flat_map(Value::users).any(|(user, _)| user == around)
    }

    fn move_before(&self, place: Op<'c>) {
        self.ops.iter().for_each(|op| op.move_before(place));
    }

    /// Keeps meetings of threads out of the loop behind `place`: the mbarrier lives until the end of the block, so that nothing in the loop has its
    /// bytes, and what threads wrote is there, and read where it is only read back, before the loop begins.
    fn keep_out_of_loops(&self, place: Op<'c>) {
        match self.kind {
            Kind::Copy(_) => {
                let end = self.ops.iter().find(|op| op.kind() == OpKind::TtngInvalBarrier);
                let last = place.block().and_then(|block| block.ops().last().copied());
                end.zip(last).into_iter().for_each(|(end, last)| end.move_before(last));
            }
            Kind::Write | Kind::Conversion(_) => {
                Builder::before(place).create(OpKind::GpuBarrier, &[], &[], &[]);
            }
        }
    }
}

/// An operation with the arithmetic on what was loaded for it that nobody else needs; `None` where nothing was loaded in its block.
fn with_arithmetic_on_loads(op: Op<'_>) -> Option<Vec<Op<'_>>> {
    let (mut ops, mut next, mut reads) = (vec![op], 0, false);
    while let Some(&user) = ops.get(next) {
        next += 1;
        for source in user.operands().into_iter().filter_map(Value::defining_op) {
            let is_own = source.block() == op.block() && !ops.contains(&source);
            let users = source.results().into_iter().flat_map(Value::users);
            let moves_along = users.into_iter().all(|(user, _)| ops.contains(&user));
            if is_own && source.kind() == OpKind::TtLoad {
                reads = true;
            } else if is_own && moves_along && source.is_pure() && ops.len() < MOST_MOVED {
                ops.push(source);
            }
        }
    }
    reads.then_some(ops)
}

/// The operations in the order of the block that `op` is in.
fn in_order<'c>(ops: &[Op<'c>], op: Op<'c>) -> Option<Vec<Op<'c>>> {
    Some(op.block()?.ops().into_iter().filter(|op| ops.contains(op)).collect())
}

/// The loop that begins with `op`, or with the turns of warp groups that `op` begins.
fn loop_behind(op: Op<'_>) -> Option<Op<'_>> {
    std::iter::successors(Some(op), |op| op.next()).find(|op| !is_turn(*op)).filter(|op| is_loop(*op))
}

/// Warp groups give or take turns: one of them stays here until the other has been in the loop.
fn is_turn(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TkHandOver | OpKind::TkWaitHandOver)
}

/// What no wait passes.
fn stops(op: Op<'_>) -> bool {
    control(op.kind()) != Control::Plain || is_turn(op) || !GlobalWrites::of(op).is_empty() || is_ordered_access(op)
}

fn is_start_of_load(op: Op<'_>) -> bool {
    shared_memory(op.kind()) == SharedMemory::StartLoad
}

fn is_start_of_copy(op: Op<'_>) -> bool {
    shared_memory(op.kind()).starts_copy()
}
