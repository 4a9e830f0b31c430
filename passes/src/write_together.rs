//! Writes blocks that a loop loads for several products to shared memory together, before the first of them.
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
//! 1. Find what is written before the first product.  2. Find the blocks that are loaded and written behind it.  3. Move them, and look whether as many
//!    CTAs fit.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::analysis::shared_buffers::views_of;
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::{Control, control};
use crate::operations::memory::{Scratch, SharedMemory, global_memory, shared_memory};
use crate::start_products_first::Place;
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Block, Module, Op, OpKind};

/// The pass.
pub const PASS: Pass =
    Pass { name: "write-together", summary: "write what a loop loads for its products to shared memory together", run };

/// Registers that a thread needs beside floats: addresses, masks, what is computed at the moment.
const BESIDE_FLOATS: u32 = 63;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let budget = cx.target.register_budget(threads.num_warps, 1).min(cx.options.maxnreg.unwrap_or(u32::MAX));
    for function in module.functions() {
        let live = LiveRegisters::of_floats_once(function);
        let ctas = || -> Result<u32> {
            let bytes = total_bytes(&buffers_of_module(function)?);
            Ok(cx.target.occupancy(1, bytes, threads.num_warps).ctas_per_sm)
        };
        for view in function.descendants().into_iter().filter_map(ForOp::cast) {
            let Some(written) = Written::of(view.body()) else { continue };
            for block in written.later_blocks() {
                if live.at(written.first) + written.registers() + block.registers() + BESIDE_FLOATS > budget {
                    continue;
                }
                let (before, places) = (ctas()?, block.places());
                block.move_to(&written);
                if ctas()? < before {
                    places.into_iter().rev().for_each(Place::put_back);
                }
            }
        }
    }
    Ok(())
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

    /// The blocks that are loaded and written behind the first product.
    fn later_blocks(&self) -> Vec<LaterBlock<'c>> {
        let behind = self.body.iter().skip_while(|op| shared_memory(op.kind()) != SharedMemory::WaitForDots);
        behind.filter_map(|op| LaterBlock::of(*op, self)).collect()
    }

    /// The operation reads the block at most, and is done with it at the end of the iteration.
    fn is_read_here(&self, user: Op<'c>) -> bool {
        match shared_memory(user.kind()) {
            SharedMemory::StartDot => self.finished.contains(&user.id()),
            SharedMemory::View | SharedMemory::Read | SharedMemory::WaitForDots | SharedMemory::Free => true,
            SharedMemory::None
            | SharedMemory::Scratch(_)
            | SharedMemory::Call
            | SharedMemory::Allocate
            | SharedMemory::Write { .. }
            | SharedMemory::StartCopy
            | SharedMemory::WaitForCopies
            | SharedMemory::StartStore
            | SharedMemory::StartLoad
            | SharedMemory::WaitForStores
            | SharedMemory::InitMbarrier
            | SharedMemory::Announce
            | SharedMemory::Arrive
            | SharedMemory::WaitAtMbarrier
            | SharedMemory::Fence
            | SharedMemory::Barrier => false,
        }
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
        let mut needed = vec![load.op];
        let above = std::iter::successors(load.op.prev(), |op| op.prev()).take_while(|op| *op != written.first);
        for op in above {
            let is_needed = |op: Op<'c>| {
                op.results().into_iter().any(|result| result.users().iter().any(|(user, _)| needed.contains(user)))
            };
            if is_needed(op) {
                let is_computed = op.is_pure() && op.num_regions() == 0;
                if !is_computed {
                    return None;
                }
                needed.push(op);
            }
        }
        needed.reverse();
        Some(Self { loading: needed, write })
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
        self.loading.iter().for_each(|op| op.move_before(written.first));
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
    let is_ordered = global_memory(op.kind()).access().is_some_and(|access| access.is_ordered());
    if control(op.kind()) != Control::Plain || is_ordered || !GlobalWrites::of(op).is_empty() {
        return false;
    }
    match shared_memory(op.kind()) {
        SharedMemory::None | SharedMemory::Scratch(Scratch::Conversion | Scratch::Reduction) => {
            op.is_memory_effect_free() || LoadOp::cast(op).is_some_and(|load| !load.is_volatile())
        }
        SharedMemory::Allocate
        | SharedMemory::Free
        | SharedMemory::View
        | SharedMemory::Read
        | SharedMemory::StartDot
        | SharedMemory::WaitForDots => true,
        SharedMemory::Scratch(
            Scratch::Scan | Scratch::Atomic | Scratch::Histogram | Scratch::Gather | Scratch::TensorMap,
        )
        | SharedMemory::Call
        | SharedMemory::Write { .. }
        | SharedMemory::StartCopy
        | SharedMemory::WaitForCopies
        | SharedMemory::StartStore
        | SharedMemory::StartLoad
        | SharedMemory::WaitForStores
        | SharedMemory::InitMbarrier
        | SharedMemory::Announce
        | SharedMemory::Arrive
        | SharedMemory::WaitAtMbarrier
        | SharedMemory::Fence
        | SharedMemory::Barrier => false,
    }
}
