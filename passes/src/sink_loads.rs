//! Issues loads behind reductions and conversions that have no registers for what they bring.
//!
//! A block that is loaded before a reduction of another one, and used behind it, lives across the barriers of the reduction: neither LLVM nor
//! ptxas moves a load over one. Where both fill the registers of a thread, one of them is spilled, and loads before it wait for registers. Behind the
//! reduction the load waits for memory once more, which costs less: a softmax of 128 x 128 scores beside as many values took half the time.
//!
//! True for loads of at least [`LEAST_OF_EIGHT`] eighths of a thread's registers that are computed on element by element, if at all, up to their
//! one use behind an operation with barriers, at which more floats live than a thread can have registers, and without the loads leave
//! [`BESIDE_FLOATS`]. Nothing between writes to global memory or waits for somebody who does. What the loads are computed from is made of few
//! registers, since it lives longer then.
//!
//! Masks of what is moved compare indices again, where a thread would have to keep more answers than it has registers for.
//!
//! 1. Find the operations with barriers that lack registers.  2. For each, find the loads that may pass it, until what lives there fits.  3. Move them.

use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::analysis::shared_buffers::scratch;
use crate::attributes::AGAIN;
use crate::convert_to_ttg::require_ttg;
use crate::encodings::distinct_elements_per_thread;
use crate::operations::computations::{Computation, computation};
use crate::operations::control::{Control, control};
use crate::operations::memory::{Scratch, SharedMemory, is_ordered_access, shared_memory};
use crate::repeat_comparisons::PREDICATES;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::LoadOp;
use tk_ir::{Attribute, Block, Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "sink-loads", summary: "issue loads behind what has no registers for them", run };

/// Registers that a thread needs beside floats: addresses, masks, what is computed at the moment.
const BESIDE_FLOATS: u32 = 15;
/// Of eight registers that a thread can have, those of a load that is worth another wait for memory.
const LEAST_OF_EIGHT: u32 = 2;
/// Registers of a load for each one that lives longer where it is moved.
const LOADED_OF_KEPT: u32 = 4;
/// Operations that are computed on what a load brings, at most.
const MOST_MOVED: usize = 16;
/// Operations between a mask and the comparisons that it is of, at most.
pub(crate) const MOST_MASKS: u32 = 8;
/// Operations that one value of an address is made of, at most.
pub(crate) const MOST_STEPS: u32 = 64;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let budget = cx.target.register_budget(threads.num_warps, 1).min(cx.options.maxnreg.unwrap_or(u32::MAX));
    for function in module.functions() {
        let room = Room { live: LiveRegisters::of_floats(function), budget };
        for op in function.descendants() {
            // The regions of other operations say what happens to single elements.
            if control(op.kind()) != Control::Plain {
                let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
                let plans: Vec<Delayed<'_>> =
                    blocks.map(|block| plan(block, &room)).collect::<Result<Vec<_>>>()?.concat();
                plans.into_iter().for_each(Delayed::apply);
            }
        }
    }
    Ok(())
}

/// Registers that live in a function before anything is moved.
struct Room {
    live: LiveRegisters,
    /// What a thread can have.
    budget: u32,
}

/// A load that is moved down.
#[derive(Clone)]
struct Delayed<'c> {
    /// The load and what is computed on it, in order.
    moved: Vec<Op<'c>>,
    /// What uses the last of them.
    before: Op<'c>,
}

impl<'c> Delayed<'c> {
    fn apply(self) {
        for op in &self.moved {
            op.move_before(self.before);
        }
        for op in self.moved {
            for (index, mask) in op.operands().into_iter().enumerate().filter(|(_, operand)| is_mask(*operand)) {
                if is_kept(mask) {
                    let mark = (AGAIN, op.context().unit_attr());
                    op.set_operand(index, compared_again(mask, op, MOST_MASKS, mark));
                }
            }
        }
    }

    /// Registers that are free where this is passed.
    fn registers(&self) -> u32 {
        self.moved.last().map_or(0, |last| registers(last.result(0).ty()))
    }

    /// The load may pass `barrier`, and what it is computed from takes few registers until then.
    fn of(load: LoadOp<'c>, barrier: Op<'c>, room: &Room) -> Option<Self> {
        let moved = computed_on(load);
        let before = first_user(moved.last()?.result(0), barrier.block()?)?;
        if !barrier.is_before_in_block(before) || before.is_terminator() {
            return None;
        }
        let mut passed = std::iter::successors(load.op.next(), |op| op.next()).take_while(|op| *op != before);
        let may_pass = passed.all(|op| moved.contains(&op) || !stops(op));
        let kept: u32 = moved.iter().map(|op| kept_for(*op, &moved)).sum();
        let is_large = registers(load.result().ty()) * 8 >= room.budget * LEAST_OF_EIGHT;
        let delayed = Self { moved, before };
        (may_pass && is_large && kept * LOADED_OF_KEPT <= delayed.registers()).then_some(delayed)
    }
}

/// Truth values of a thread.
pub(crate) fn is_mask(value: Value<'_>) -> bool {
    value.ty().is_tensor() && value.ty().element_bits() == 1
}

/// A thread has more of these truth values than registers for them.
pub(crate) fn is_kept(mask: Value<'_>) -> bool {
    let of = |op: Op<'_>| distinct_elements_per_thread(op.result(0).ty());
    mask.defining_op().is_some_and(|op| match computation(op.kind()) {
        Computation::Repeat => is_kept(op.operand(0)),
        Computation::Constant
        | Computation::Range
        | Computation::Arithmetic
        | Computation::Function
        | Computation::Cast
        | Computation::Load
        | Computation::Reduction
        | Computation::Other => of(op) > PREDICATES,
    })
}

/// The same truth values, compared before `user`, as far as they are of comparisons of cheap numbers, which get an attribute.
pub(crate) fn compared_again<'c>(mask: Value<'c>, user: Op<'c>, steps: u32, mark: (&str, Attribute<'c>)) -> Value<'c> {
    let Some(op) = mask.defining_op().filter(|_| steps > 0) else { return mask };
    let is_comparison = op.kind() == OpKind::ArithCmpI;
    let is_combined = computation(op.kind()) == Computation::Repeat || op.kind() == OpKind::ArithAndI;
    if !(is_combined || is_comparison && op.operands().into_iter().all(|side| kept(side, MOST_STEPS) == 0)) {
        return mask;
    }
    let again = op.clone_op();
    if is_comparison {
        again.set_attr(mark.0, mark.1);
    } else {
        for (index, part) in op.operands().into_iter().enumerate() {
            again.set_operand(index, compared_again(part, user, steps - 1, mark));
        }
    }
    Builder::before(user).place(again).result(0)
}

/// The loads of a block to move.
fn plan<'c>(block: Block<'c>, room: &Room) -> Result<Vec<Delayed<'c>>> {
    let ops = block.ops();
    let mut plans: Vec<Delayed<'c>> = Vec::new();
    for (at, barrier) in ops.iter().enumerate() {
        if !has_barriers(*barrier)? {
            continue;
        }
        let passes = |delayed: &Delayed<'c>| {
            delayed.moved[0].is_before_in_block(*barrier) && barrier.is_before_in_block(delayed.before)
        };
        let gone: u32 = plans.iter().filter(|delayed| passes(delayed)).map(Delayed::registers).sum();
        let mut lives = room.live.at(*barrier).saturating_sub(gone);
        if lives <= room.budget {
            continue;
        }
        let is_planned = |load: LoadOp<'c>| plans.iter().any(|delayed| delayed.moved[0] == load.op);
        let loads = ops[..at].iter().filter_map(|op| LoadOp::cast(*op));
        let loads = loads.filter(|load| !load.is_volatile() && load.result().ty().is_tensor() && !is_planned(*load));
        let mut candidates: Vec<Delayed<'c>> = loads.filter_map(|load| Delayed::of(load, *barrier, room)).collect();
        // What is needed last is the first to make room.
        candidates.sort_by_key(|delayed| ops.iter().rev().position(|op| *op == delayed.before));
        let mut more = Vec::new();
        for delayed in candidates {
            if lives + BESIDE_FLOATS <= room.budget {
                break;
            }
            lives = lives.saturating_sub(delayed.registers());
            more.push(delayed);
        }
        if lives + BESIDE_FLOATS <= room.budget {
            plans.extend(more);
        }
    }
    Ok(plans)
}

/// A load and what is computed on it element by element, with little else, and used once.
fn computed_on<'c>(load: LoadOp<'c>) -> Vec<Op<'c>> {
    let mut ops = vec![load.op];
    while let Some(last) = ops.last().copied().filter(|_| ops.len() < MOST_MOVED) {
        let [(user, _)] = last.result(0).users()[..] else { break };
        let is_computed =
            computation(user.kind()).is_element_by_element() && user.is_pure() && user.results().len() == 1;
        let is_small = |op: Op<'c>| kept_for(op, &ops) * LOADED_OF_KEPT <= registers(load.result().ty());
        if user.block() != load.op.block() || !is_computed || !is_small(user) {
            break;
        }
        ops.push(user);
    }
    ops
}

/// The operation of `block` that uses the value first, itself or in a region; `None` if something else uses it.
pub(crate) fn first_user<'c>(value: Value<'c>, block: Block<'c>) -> Option<Op<'c>> {
    let users = value.users().into_iter().map(|(user, _)| user.ancestor_in(block)).collect::<Option<Vec<_>>>()?;
    users.into_iter().reduce(|first, user| if user.is_before_in_block(first) { user } else { first })
}

/// Registers of what `op` is computed from beside `others`.
fn kept_for<'c>(op: Op<'c>, others: &[Op<'c>]) -> u32 {
    let sources = op.operands().into_iter();
    let sources = sources.filter(|source| source.defining_op().is_none_or(|made| !others.contains(&made)));
    sources.map(|source| kept(source, MOST_STEPS)).sum()
}

/// Threads meet in it.
pub(crate) fn has_barriers(op: Op<'_>) -> Result<bool> {
    let SharedMemory::Scratch(kind) = shared_memory(op.kind()) else { return Ok(false) };
    Ok(match kind {
        Scratch::Atomic | Scratch::TensorMap => false,
        Scratch::Conversion | Scratch::Reduction | Scratch::Scan | Scratch::Histogram | Scratch::Gather => {
            scratch(op)?.is_some_and(|scratch| scratch.bytes > 0)
        }
    })
}

/// What no load passes: who may write what it reads, or wait for that, and control flow.
pub(crate) fn stops(op: Op<'_>) -> bool {
    let is_load = LoadOp::cast(op).is_some_and(|load| !load.is_volatile());
    let is_scratch = matches!(shared_memory(op.kind()), SharedMemory::Scratch(_));
    control(op.kind()) != Control::Plain
        || is_ordered_access(op)
        || !GlobalWrites::of(op).is_empty()
        || !(is_load || is_scratch || op.is_memory_effect_free())
}

/// Registers of a thread that keep a value, where cheap things are computed when they are needed.
pub(crate) fn kept(value: Value<'_>, steps: u32) -> u32 {
    let ty = value.ty();
    let own = if ty.is_tensor() { registers(ty).max(1) } else { 0 };
    let Some(op) = value.defining_op().filter(|_| steps > 0 && own > 0) else { return own };
    let of_operands = || op.operands().into_iter().map(|operand| kept(operand, steps - 1)).sum::<u32>();
    match computation(op.kind()) {
        Computation::Constant | Computation::Range => 0,
        Computation::Repeat => of_operands().min(own),
        Computation::Arithmetic if !ty.element().is_float() => of_operands().min(own),
        Computation::Arithmetic
        | Computation::Function
        | Computation::Cast
        | Computation::Load
        | Computation::Reduction
        | Computation::Other => own,
    }
}
