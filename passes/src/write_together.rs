//! Loads blocks that a loop loads for several products together, before the first of them, and writes them to shared memory there.
//!
//! Where threads load blocks themselves and write them to shared memory, they meet before the product that reads one. A block of which only a later product
//! of the iteration has need is written behind the first product, as the program has it: threads wait for memory a second time, with the sums of the first
//! product in registers, and meet again. Before the first product it is loaded beside the other block, and one barrier and one fence do for both. On an
//! H200 gradients of attention (blocks of 128 x 64, eight warps) take 0.92 of the time (docs/measurements.md, "Blocks of an iteration are written together").
//!
//! True for blocks that go to shared memory as they were loaded, in loops without branches. Their addresses need no product, and nothing that they pass copies,
//! writes to global memory or waits for somebody who does. All products that read them are waited for in the same iteration, so nobody reads them any more
//! where the next one starts. What was written for the first product is read again behind them: both buffers are there at the same time in any case. As many
//! CTAs have to fit as before, and a thread needs registers for both blocks beside what the loop carries.
//!
//! Where registers hold the block until its product comes, only its load moves: the first product does not wait for it then. Four gradients are 1.003 to 1.06
//! times as fast as with both written together. A block whose load comes to the start of the iteration anyway (`hoist-loads`) is written there as well, for the
//! barrier that goes away; it stays where threads write something else for the same product and meet for that.
//!
//! Numbers of rows or columns that the program loads beside such a block come along. Where it was written ptxas issued them before the write; without one it
//! issues them one by one where they are needed, behind hundreds of instructions, and threads wait again. They live where the loop holds most in any case:
//! seven gradients are 1.005 to 1.15 times as fast with them before the first product, two of which spill more for it.
//!
//! Where a second CTA of many warps would leave a thread half of the registers, the assembler is asked for that one, and may spill a little for it. A loop
//! whose floats fit so holds nothing over its first product: blocks are written together, and numbers stay where they are
//! ([measurements](../../docs/measurements.md#blocks-of-an-iteration-are-written-together)).
//!
//! 1. Find what is written before the first product.  2. Find the blocks that are loaded and written behind it, and numbers.  3. Move them, and look whether
//!    as many CTAs fit.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::analysis::shared_buffers::views_of;
use crate::convert_to_ttg::require_ttg;
use crate::hoist_loads::room::{LoadingLoops, peak};
use crate::operations::control::{Control, control};
use crate::operations::memory::{Scratch, SharedMemory, is_ordered_access, shared_memory};
use crate::start_products_first::Place;
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Block, Module, Op, OpKind, Value};
use tk_types::Residency;

/// The pass.
pub const PASS: Pass = Pass {
    name: "write-together",
    summary: "load what products of a loop read before the first one, and write it together",
    run,
};

/// Registers that a thread needs beside floats: addresses, masks, what is computed at the moment.
const BESIDE_FLOATS: u32 = 63;
/// Registers of a thread for numbers that come along, at most: as many as were measured.
const MOST_NUMBERS: u32 = 32;
/// Registers of a thread that may be spilled for a second CTA: 120 bytes of a kernel with products.
const SPILLED_FOR_A_SECOND: u32 = 30;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let budget = cx.target.register_budget(threads.num_warps, 1).min(cx.options.maxnreg.unwrap_or(u32::MAX));
    for function in module.functions() {
        let live = LiveRegisters::of_floats_once(function);
        let loading = LoadingLoops::of(function, threads.num_warps, cx);
        let ctas = || -> Result<u32> {
            let bytes = total_bytes(&buffers_of_module(function)?);
            Ok(cx.target.occupancy(1, bytes, threads.num_warps).ctas_per_sm)
        };
        for view in function.descendants().into_iter().filter_map(ForOp::cast) {
            let Some(written) = Written::of(view.body()) else { continue };
            let has_half = ctas()? > 1 && fits_in_half(peak(view.op, &live), budget, threads.num_warps, cx);
            let holds = !has_half;
            // All is looked for before anything moves.
            let numbers = if holds { written.later_numbers() } else { Vec::new() };
            let blocks = written.later_blocks(&Room { live: &live, loading: &loading, budget, holds });
            if written.take(blocks, ctas)? {
                numbers.into_iter().for_each(|loading| written.bring(&loading));
            }
        }
    }
    Ok(())
}

/// The registers of a function.
struct Room<'r> {
    live: &'r LiveRegisters,
    loading: &'r LoadingLoops,
    /// What a thread can have.
    budget: u32,
    /// Threads may hold more over the first product than the loop has there.
    holds: bool,
}

/// A second CTA, which the grid brings, takes half of the `budget` of registers of a thread, and a loop that holds at most `peak` floats makes do with
/// that half.
fn fits_in_half(peak: u32, budget: u32, num_warps: u32, cx: &PassContext) -> bool {
    let brings_two = match cx.options.residency {
        Residency::AtMost(most) => most > 1,
        Residency::Many => true,
        Residency::Any | Residency::One => false,
    };
    let of_two = cx.target.register_budget(num_warps, 2);
    brings_two && of_two < budget && peak <= of_two + SPILLED_FOR_A_SECOND
}

/// What moves before the first product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moves {
    /// The load: threads hold the block until its product comes.
    Load,
    LoadAndWrite,
}

/// What an iteration loads and writes to shared memory before its first product.
struct Written<'c> {
    body: Vec<Op<'c>>,
    block: Block<'c>,
    /// Writes of blocks as they were loaded, at least one.
    writes: Vec<Op<'c>>,
    first: Op<'c>,
    last: Op<'c>,
    /// Products that nobody waits for in a later iteration.
    finished: FxHashSet<usize>,
}

impl<'c> Written<'c> {
    /// `None` where nothing may move.
    fn of(block: Block<'c>) -> Option<Self> {
        let body = block.ops();
        if !body.iter().all(|op| op.is_terminator() || control(op.kind()) == Control::Plain) {
            return None;
        }
        let product = body.iter().position(|op| shared_memory(op.kind()) == SharedMemory::StartDot)?;
        let writes: Vec<Op<'c>> = body[..product].iter().copied().filter(|op| loaded_block(*op).is_some()).collect();
        let (first, last) = (*writes.first()?, *writes.last()?);
        let finished = finished_products(&body);
        Some(Self { body, block, writes, first, last, finished })
    }

    /// Registers of what the writes take from.
    fn registers(&self) -> u32 {
        self.writes.iter().map(|write| registers(write.operand(0).ty())).sum()
    }

    /// What stands behind the first product.
    fn behind(&self) -> impl Iterator<Item = Op<'c>> {
        let is_wait = |op: &&Op<'c>| shared_memory(op.kind()) == SharedMemory::WaitForDots;
        self.body.iter().skip_while(move |op| !is_wait(op)).copied()
    }

    /// The blocks that are loaded and written behind the first product and gain something before it, with what moves.
    fn later_blocks(&self, room: &Room<'_>) -> Vec<(LaterBlock<'c>, Moves)> {
        let blocks = self.behind().filter_map(|op| LaterBlock::of(op, self));
        blocks.filter_map(|block| self.moves(&block, room).map(|moves| (block, moves))).collect()
    }

    fn moves(&self, block: &LaterBlock<'c>, room: &Room<'_>) -> Option<Moves> {
        let most = room.budget.checked_sub(block.registers() + BESIDE_FLOATS)?;
        let is_early = loaded_block(block.write).is_some_and(|load| room.loading.lets_start(load));
        let between = self.body.iter().skip_while(|op| **op != self.first).take_while(|op| **op != block.write);
        let is_held = room.holds && between.map(|op| room.live.at(*op)).all(|live| live <= most);
        match (is_early, self.meets_for_others(block.write)) {
            // Only the first product would wait for both.
            (true, true) => None,
            (false, false) if is_held => Some(Moves::Load),
            (true, false) | (false, _) => {
                (room.live.at(self.first) + self.registers() <= most).then_some(Moves::LoadAndWrite)
            }
        }
    }

    /// Something else is written to shared memory between the first product and the first one that reads the block.
    fn meets_for_others(&self, block: Op<'c>) -> bool {
        let readers: Vec<Op<'c>> = views_of(block.result(0)).into_iter().flat_map(readers_of).collect();
        let writes = |op: Op<'c>| {
            let is_new = op.kind() == OpKind::TtgLocalAlloc && op.num_operands() > 0 && loaded_block(op).is_none();
            is_new || matches!(shared_memory(op.kind()), SharedMemory::Write { .. })
        };
        self.behind().take_while(|op| !readers.contains(op)).any(writes)
    }

    /// Moves blocks where shared memory has room; whether there is one.
    fn take(&self, blocks: Vec<(LaterBlock<'c>, Moves)>, ctas: impl Fn() -> Result<u32>) -> Result<bool> {
        let mut has_moved = false;
        for (block, moves) in blocks {
            if moves == Moves::Load {
                self.bring(&block.loading);
                has_moved = true;
                continue;
            }
            let (before, places) = (ctas()?, block.places());
            block.move_to(self);
            if ctas()? < before {
                places.into_iter().rev().for_each(Place::put_back);
            } else {
                has_moved = true;
            }
        }
        Ok(has_moved)
    }

    /// Loads of floats for rows or columns that stand behind the first product, in order, each behind what it is computed from.
    fn later_numbers(&self) -> Vec<Vec<Op<'c>>> {
        let (mut left, mut found) = (MOST_NUMBERS, Vec::new());
        for load in self.behind().filter(|op| is_load_of_numbers(*op)) {
            let own = registers(load.result(0).ty());
            if own <= left
                && let Some(loading) = self.loading_of(load)
            {
                left -= own;
                found.push(loading);
            }
        }
        found
    }

    /// A load and what it is computed from behind the first write, in order, where they may stand before it.
    fn loading_of(&self, load: Op<'c>) -> Option<Vec<Op<'c>>> {
        if !self.lets_pass(load) {
            return None;
        }
        let mut needed = vec![load];
        let above = std::iter::successors(load.prev(), |op| op.prev()).take_while(|op| *op != self.first);
        for op in above {
            let is_needed = |op: Op<'c>| {
                op.results().into_iter().any(|result| result.users().iter().any(|(user, _)| needed.contains(user)))
            };
            if is_needed(op) {
                let is_computed =
                    op.is_pure() && op.num_regions() == 0 && shared_memory(op.kind()) == SharedMemory::None;
                if !is_computed {
                    return None;
                }
                needed.push(op);
            }
        }
        needed.reverse();
        Some(needed)
    }

    /// Moves a load, and what it is computed from, before the first write. What another one has brought is there.
    fn bring(&self, loading: &[Op<'c>]) {
        let is_behind = |op: &&Op<'c>| self.first.is_before_in_block(**op);
        loading.iter().filter(is_behind).for_each(|op| op.move_before(self.first));
    }

    /// The operation reads the block at most, and is done with it at the end of the iteration.
    fn is_read_here(&self, user: Op<'c>) -> bool {
        let memory = shared_memory(user.kind());
        let is_done = memory != SharedMemory::StartDot || self.finished.contains(&user.id());
        is_done && (memory.only_reads() || memory == SharedMemory::Free)
    }

    /// Whether what stands from the first write to `op` lets a load and a write to a new buffer pass.
    fn lets_pass(&self, op: Op<'c>) -> bool {
        let mut passed =
            self.body.iter().skip_while(|passed| **passed != self.first).take_while(|passed| **passed != op);
        passed.all(|passed| may_be_passed(*passed))
    }

    /// Something of what was written before the first product is read behind `op`.
    fn lives_behind(&self, op: Op<'c>) -> bool {
        let is_behind = |user: Op<'c>| user.ancestor_in(self.block).is_some_and(|place| op.is_before_in_block(place));
        let views = self.writes.iter().flat_map(|write| views_of(write.result(0)));
        views.flat_map(|view| view.users()).any(|(user, _)| is_behind(user))
    }
}

/// A block that is loaded, and written behind the first product.
struct LaterBlock<'c> {
    /// The load and what it is computed from behind the first write, in order.
    loading: Vec<Op<'c>>,
    write: Op<'c>,
}

impl<'c> LaterBlock<'c> {
    fn of(write: Op<'c>, written: &Written<'c>) -> Option<Self> {
        let load = loaded_block(write)?;
        let views = views_of(write.result(0));
        let is_left = views.into_iter().flat_map(|view| view.users()).all(|(user, _)| written.is_read_here(user));
        if !is_left || !written.lives_behind(write) || !written.lets_pass(write) {
            return None;
        }
        Some(Self { loading: written.loading_of(load.op)?, write })
    }

    fn registers(&self) -> u32 {
        registers(self.write.operand(0).ty())
    }

    /// Where they stand, in order: each before one that is there when it comes back.
    fn places(&self) -> Vec<Place<'c>> {
        let ops = self.loading.iter().chain(std::iter::once(&self.write));
        ops.filter_map(|op| Place::of(*op)).collect()
    }

    fn move_to(&self, written: &Written<'c>) {
        written.bring(&self.loading);
        self.write.move_after(written.last);
    }
}

/// The load of this block whose result is written to a new buffer as it is.
fn loaded_block(write: Op<'_>) -> Option<LoadOp<'_>> {
    if write.kind() != OpKind::TtgLocalAlloc || write.num_operands() != 1 {
        return None;
    }
    let load = LoadOp::cast(write.operand(0).defining_op()?)?;
    let is_here = load.op.block() == write.block() && load.result().has_one_use();
    (is_here && !load.is_volatile()).then_some(load)
}

/// Products and loads that read a view of a block.
fn readers_of(view: Value<'_>) -> impl Iterator<Item = Op<'_>> {
    let reads = |op: &Op<'_>| matches!(shared_memory(op.kind()), SharedMemory::StartDot | SharedMemory::Read);
    view.users().into_iter().map(|(user, _)| user).filter(reads)
}

/// A load of one float for each row or column, which this iteration uses.
fn is_load_of_numbers(op: Op<'_>) -> bool {
    let Some(load) = LoadOp::cast(op).filter(|load| !load.is_volatile()) else { return false };
    let (ty, users) = (load.result().ty(), load.result().users());
    let is_row = ty.is_tensor() && ty.shape().iter().filter(|length| **length > 1).count() == 1;
    is_row && ty.element().is_float() && !users.is_empty() && users.iter().all(|(user, _)| !user.is_terminator())
}

/// The products of a body that are waited for in it. They end in their order, and a wait leaves the last few.
fn finished_products(body: &[Op<'_>]) -> FxHashSet<usize> {
    let mut products = Vec::new();
    let mut finished = 0;
    for op in body {
        if shared_memory(op.kind()) == SharedMemory::StartDot {
            products.push(op.id());
        } else if let Some(left) = op.int_attr("pendings").filter(|_| op.kind() == OpKind::TtngWarpGroupDotWait) {
            finished = finished.max(products.len().saturating_sub(usize::try_from(left).unwrap_or(usize::MAX)));
        }
    }
    products.into_iter().take(finished).collect()
}

/// A load and a write to a new buffer may stand before it as well as behind it.
fn may_be_passed(op: Op<'_>) -> bool {
    if control(op.kind()) != Control::Plain || is_ordered_access(op) || !GlobalWrites::of(op).is_empty() {
        return false;
    }
    let memory = shared_memory(op.kind());
    if matches!(memory, SharedMemory::None | SharedMemory::Scratch(Scratch::Conversion | Scratch::Reduction)) {
        return op.is_memory_effect_free() || LoadOp::cast(op).is_some_and(|load| !load.is_volatile());
    }
    memory.only_reads() || matches!(memory, SharedMemory::Allocate | SharedMemory::Free)
}
