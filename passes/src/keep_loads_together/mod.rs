//! Keeps loads from global memory before the writes to shared memory that follow them.
//!
//! ptxas may move a load down to the write of what it has loaded, and does so where it thinks that the registers let another CTA in: of sixteen
//! loads in the code two are then under way at a time, and each pair waits for memory. So it does at copies that run ahead. It moves none over a barrier. One of the warp
//! (`bar.warp.sync`) is no instruction on GPUs where a warp is together anyway, so code generation puts one before writes that are marked here.
//!
//! True for writes of whole blocks (allocations, stores, copies and layout conversions), which all threads of a warp reach together, where
//! loads of at least [`LEAST_WORDS`] stand before them with no barrier between, and both what they load and all that lives there leave
//! [`SPARE_OF_EIGHT`] eighths of a thread's registers: with fewer ptxas would have to spill what is loaded. What is computed from loads is computed
//! behind the barrier, so several blocks that are added up are all in registers there, although only their sum is written.
//!
//! Where threads meet nowhere and the launch brings few warps, rows are loaded before the numbers that they wait for ([`rows_first`]).
//! Indices that many loads wait for are loaded before rows that wait for nothing ([`indices_first`]).
//!
//! 1. Walk each block and count the words that are under way ([`Loads`]).  2. Mark the writes.

mod indices_first;
mod rows_first;

use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::analysis::shared_buffers::scratch;
use crate::attributes::BEHIND_LOADS;
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::{Control, control};
use crate::operations::memory::{Scratch, SharedMemory, shared_memory};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::LoadOp;
use tk_ir::{Block, Module, Op};

/// The pass.
pub const PASS: Pass =
    Pass { name: "keep-loads-together", summary: "issue loads before what is written to shared memory", run };

/// 32-bit words of a thread that two of the widest loads bring: one load has none to be under way with.
const LEAST_WORDS: u32 = 8;
/// Of eight registers that a thread can have, those that are left for addresses and masks.
const SPARE_OF_EIGHT: u32 = 1;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let budget = cx.target.register_budget(threads.num_warps, 1).min(cx.options.maxnreg.unwrap_or(u32::MAX));
    for function in module.functions() {
        rows_first::apply(function, threads.num_warps, cx)?;
        indices_first::apply(function)?;
        let room = Room { live: LiveRegisters::of_floats(function), most: budget - budget * SPARE_OF_EIGHT / 8 };
        let mut marked = Vec::new();
        for op in function.descendants() {
            // The regions of other operations say what happens to single elements.
            if control(op.kind()) != Control::Plain {
                for block in op.regions().into_iter().flat_map(|region| region.blocks()) {
                    marked.extend(writes_behind_loads(block, &room)?);
                }
            }
        }
        let unit = module.context().unit_attr();
        marked.into_iter().for_each(|write| write.set_attr(BEHIND_LOADS, unit));
    }
    Ok(())
}

/// The registers of a function: what lives at its operations, and what may.
struct Room {
    live: LiveRegisters,
    most: u32,
}

/// Loads since the last barrier, in 32-bit words of a thread.
#[derive(Clone, Copy, Debug, Default)]
struct Loads {
    words: u32,
    /// Those that [`LiveRegisters::of_floats`] does not count.
    other_than_floats: u32,
}

/// What an operation is to loads under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Load,
    /// It writes to shared memory, or starts to, and no thread waits.
    Write,
    /// It writes to shared memory, and then threads wait for each other.
    WriteAndWait,
    /// ptxas moves no load over it, or it is a loop or a branch.
    Wait,
    /// Loads may pass it.
    Free,
}

fn writes_behind_loads<'c>(block: Block<'c>, room: &Room) -> Result<Vec<Op<'c>>> {
    let mut loads = Loads::default();
    let mut marked = Vec::new();
    for op in block.ops() {
        let step = step(op)?;
        match step {
            Step::Load => {
                let ty = op.result(0).ty();
                loads.words += registers(ty);
                loads.other_than_floats += if ty.element().is_float() { 0 } else { registers(ty) };
            }
            Step::Write | Step::WriteAndWait => {
                let lives = room.live.at(op) + loads.other_than_floats;
                if loads.words >= LEAST_WORDS && lives.max(loads.words) <= room.most {
                    marked.push(op);
                    loads = Loads::default();
                }
            }
            Step::Wait | Step::Free => {}
        }
        if matches!(step, Step::Wait | Step::WriteAndWait) {
            loads = Loads::default();
        }
    }
    Ok(marked)
}

fn step(op: Op<'_>) -> Result<Step> {
    if control(op.kind()) != Control::Plain {
        return Ok(Step::Wait);
    }
    if LoadOp::cast(op).is_some() {
        return Ok(if op.result(0).ty().is_tensor() { Step::Load } else { Step::Free });
    }
    Ok(match shared_memory(op.kind()) {
        SharedMemory::Allocate if op.operands().is_empty() => Step::Free,
        SharedMemory::Allocate | SharedMemory::Write { .. } | SharedMemory::StartCopy => Step::Write,
        SharedMemory::Scratch(kind) => match (kind, scratch(op)?.is_some_and(|scratch| scratch.bytes > 0)) {
            (_, false) => Step::Free,
            (Scratch::Conversion, true) => Step::WriteAndWait,
            (
                Scratch::Reduction
                | Scratch::Scan
                | Scratch::Atomic
                | Scratch::Histogram
                | Scratch::Gather
                | Scratch::TensorMap,
                true,
            ) => Step::Wait,
        },
        SharedMemory::None | SharedMemory::View | SharedMemory::Read | SharedMemory::Free => Step::Free,
        SharedMemory::WaitForCopies
        | SharedMemory::StartDot
        | SharedMemory::WaitForDots
        | SharedMemory::WaitAtMbarrier
        | SharedMemory::Arrive
        | SharedMemory::Call
        | SharedMemory::StartStore
        | SharedMemory::StartLoad
        | SharedMemory::WaitForStores
        | SharedMemory::InitMbarrier
        | SharedMemory::Announce
        | SharedMemory::Fence
        | SharedMemory::Barrier => Step::Wait,
    })
}
