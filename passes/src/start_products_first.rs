//! Starts products before what only later operations need goes through shared memory.
//!
//! Kernels load all blocks of an iteration, and cast or transpose some of them, before they multiply the first two. So threads write what the second
//! product reads, or what its result is added to, and meet, while tensor cores have no work; and where it comes from global memory they wait for
//! that, too. Behind the start of the product the same happens while the product is under way.
//!
//! True for conversions through shared memory and writes of new buffers before an asynchronous product of the same block that needs
//! none of them, with what is computed from them element by element, and with what only they are computed from, reads of buffers among it. They pass nothing that
//! waits, meets or starts something, and what a buffer is read for passes no write either. They stay where registers or shared memory
//! are short: what they hold lives beside the sums of the product. Warp groups that take turns have an order of their own.
//!
//! 1. Find the products.  2. For each, find what stands before it and is not needed by it.  3. Move that, and look whether as many CTAs fit.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::analysis::shared_buffers::scratch;
use crate::convert_to_ttg::require_ttg;
use crate::operations::computations::{Computation, computation};
use crate::operations::control::{Control, control};
use crate::operations::memory::{Scratch, SharedMemory, shared_memory};
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{LocalLoadOp, WarpGroupDotOp};
use tk_ir::{Module, Op, OpKind};

/// The pass.
pub const PASS: Pass =
    Pass { name: "start-products-first", summary: "start products before what only later operations need", run };

/// Registers that a thread needs beside floats: addresses, masks, what is computed at the moment, and what no count knows of a product under way.
const BESIDE_FLOATS: u32 = 63;
/// Operations before a product that are looked at.
const MOST_STEPS: usize = 1000;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let budget = cx.target.register_budget(threads.num_warps, 1).min(cx.options.maxnreg.unwrap_or(u32::MAX));
    for function in module.functions() {
        let live = LiveRegisters::of_floats_once(function);
        let ctas = || -> Result<u32> {
            let bytes = total_bytes(&buffers_of_module(function)?);
            Ok(cx.target.occupancy(1, bytes, threads.num_warps).ctas_per_sm)
        };
        for product in function.descendants().into_iter().filter(|op| is_started(*op)) {
            let passed = Passed::of(product)?;
            if passed.ops.is_empty()
                || (live.at(product) + passed.takes(product) + BESIDE_FLOATS).saturating_sub(passed.gives()) > budget
            {
                continue;
            }
            let before = ctas()?;
            let places = passed.places();
            passed.move_behind(product);
            if ctas()? < before {
                places.into_iter().for_each(Place::put_back);
            }
        }
    }
    Ok(())
}

/// A product that is waited for later, and is not part of turns that warp groups take.
fn is_started(op: Op<'_>) -> bool {
    let takes_turns = |op: &Op<'_>| matches!(op.kind(), OpKind::TkHandOver | OpKind::TkWaitHandOver);
    WarpGroupDotOp::cast(op).is_some_and(|product| product.is_async())
        && op.block().is_some_and(|block| !block.ops().iter().any(takes_turns))
}

/// What a product is started before.
struct Passed<'c> {
    /// From the first to the last.
    ops: Vec<Op<'c>>,
}

impl<'c> Passed<'c> {
    fn of(product: Op<'c>) -> Result<Self> {
        let candidates = candidates(product);
        let mut moved: FxHashSet<usize> = FxHashSet::default();
        for op in candidates.iter().rev() {
            let is_moved = |made: Op<'c>| moved.contains(&made.id());
            let follows = op.operands().into_iter().any(|operand| operand.defining_op().is_some_and(is_moved));
            if follows || writes_memory(*op)? {
                moved.insert(op.id());
            }
        }
        // What only they are computed from.
        for op in &candidates {
            if op.result(0).users().iter().all(|(user, _)| moved.contains(&user.id())) {
                moved.insert(op.id());
            }
        }
        Ok(Self { ops: candidates.into_iter().rev().filter(|op| moved.contains(&op.id())).collect() })
    }

    /// Registers of its results: before the product they lived over its start.
    fn gives(&self) -> u32 {
        let is_result = |op: &&Op<'c>| op.result(0).users().iter().any(|(user, _)| !self.ops.contains(user));
        self.ops.iter().filter(is_result).map(|op| registers(op.result(0).ty())).sum()
    }

    /// Registers that it takes beside the product at most.
    fn takes(&self, product: Op<'c>) -> u32 {
        let own: FxHashSet<usize> = self.ops.iter().map(|op| op.id()).collect();
        let is_own = |op: Option<Op<'c>>| op.is_some_and(|op| own.contains(&op.id()));
        let mut seen = FxHashSet::default();
        let sources = self.ops.iter().flat_map(|op| op.operands());
        // What others need behind the product lives there in any case.
        let sources = sources.filter(|source| {
            let is_behind = |user: Op<'c>| {
                let place = product.block().and_then(|block| user.ancestor_in(block));
                place.is_none_or(|place| place == product || product.is_before_in_block(place))
            };
            let mut others = source.users().into_iter().filter(|(user, _)| !own.contains(&user.id()));
            !is_own(source.defining_op()) && !others.any(|(user, _)| is_behind(user)) && seen.insert(source.id())
        });
        let kept: u32 = sources.map(|source| registers(source.ty())).sum();
        let steps = self.ops.iter().map(|op| {
            let made = op.operands().into_iter().filter(|operand| is_own(operand.defining_op()));
            registers(op.result(0).ty()) + made.map(|operand| registers(operand.ty())).sum::<u32>()
        });
        kept + steps.max().unwrap_or(0)
    }

    /// Where they stand, from the last to the first: each before one that is there when it comes back.
    fn places(&self) -> Vec<Place<'c>> {
        self.ops.iter().rev().filter_map(|op| Place::of(*op)).collect()
    }

    fn move_behind(&self, product: Op<'c>) {
        let mut last = product;
        for op in &self.ops {
            op.move_after(last);
            last = *op;
        }
    }
}

/// Where an operation stood.
pub(crate) struct Place<'c> {
    op: Op<'c>,
    before: Op<'c>,
}

impl<'c> Place<'c> {
    /// Of an operation that another one follows.
    pub(crate) fn of(op: Op<'c>) -> Option<Self> {
        Some(Self { op, before: op.next()? })
    }

    /// Moves it there again, where what follows it has not moved, or is back.
    pub(crate) fn put_back(self) {
        self.op.move_before(self.before);
    }
}

/// What stands before the product and it does not need, from the last to the first.
fn candidates<'c>(product: Op<'c>) -> Vec<Op<'c>> {
    let Some(block) = product.block() else { return Vec::new() };
    let mut found: Vec<Op<'c>> = Vec::new();
    let mut known: FxHashSet<usize> = FxHashSet::default();
    let mut passes_writes = false;
    for op in std::iter::successors(product.prev(), |op| op.prev()).take(MOST_STEPS).take_while(|op| !stops(*op)) {
        let is_late = |user: Op<'c>| {
            let is_behind = || user.ancestor_in(block).is_some_and(|place| product.is_before_in_block(place));
            known.contains(&user.id()) || is_behind()
        };
        let is_read = LocalLoadOp::cast(op).is_some();
        if may_move(op)
            && !(is_read && passes_writes)
            && op.result(0).has_uses()
            && op.result(0).users().into_iter().all(|(user, _)| is_late(user))
        {
            known.insert(op.id());
            found.push(op);
        } else {
            passes_writes |= writes(op);
        }
    }
    found
}

/// It makes one value of others and of memory that stays.
fn may_move(op: Op<'_>) -> bool {
    let is_computed = match computation(op.kind()) {
        Computation::Repeat | Computation::Arithmetic | Computation::Function | Computation::Cast => op.is_pure(),
        Computation::Constant | Computation::Range | Computation::Load | Computation::Reduction => false,
        Computation::Other => match shared_memory(op.kind()) {
            SharedMemory::Scratch(kind) => kind == Scratch::Conversion,
            SharedMemory::Allocate => op.num_operands() > 0,
            SharedMemory::Read => LocalLoadOp::cast(op).is_some_and(|load| load.token().is_none()),
            SharedMemory::View => true,
            SharedMemory::None => matches!(op.kind(), OpKind::TtTrans | OpKind::TtReshape),
            SharedMemory::Call
            | SharedMemory::Free
            | SharedMemory::Write { .. }
            | SharedMemory::StartCopy
            | SharedMemory::WaitForCopies
            | SharedMemory::StartDot
            | SharedMemory::WaitForDots
            | SharedMemory::StartStore
            | SharedMemory::StartLoad
            | SharedMemory::WaitForStores
            | SharedMemory::InitMbarrier
            | SharedMemory::Announce
            | SharedMemory::Arrive
            | SharedMemory::WaitAtMbarrier
            | SharedMemory::Fence
            | SharedMemory::Barrier => false,
        },
    };
    is_computed && op.num_results() == 1
}

/// Threads write shared memory for it, and meet. What they only read is under way without a wait.
fn writes_memory(op: Op<'_>) -> Result<bool> {
    let is_converted = op.kind() == OpKind::TtgConvertLayout && scratch(op)?.is_some_and(|scratch| scratch.bytes > 0);
    Ok(is_converted || shared_memory(op.kind()) == SharedMemory::Allocate)
}

/// It changes a buffer that is there already.
fn writes(op: Op<'_>) -> bool {
    let memory = shared_memory(op.kind());
    memory.starts_copy() || matches!(memory, SharedMemory::Write { .. })
}

/// What nothing moves over: it waits for something, or threads meet in it.
fn stops(op: Op<'_>) -> bool {
    let memory = shared_memory(op.kind());
    let waits = !(memory.leaves_contents() || writes(op) || memory == SharedMemory::Announce);
    control(op.kind()) != Control::Plain || waits
}
