//! Copies an operand once for two programs that read the same blocks of it.
//!
//! Neighbouring programs of a product often need the same blocks of one operand. As a cluster of two CTAs they share these copies: each copy goes to the
//! shared memory of both (multicast), and the CTAs issue them by turns. What the caches have to deliver for that operand is halved.
//!
//! Programs 2i and 2i + 1 along x are a pair where the grid is known to be even there ([`Pairs`]). Whether the two read the same blocks, in the same number of
//! iterations, is only known where they run: each computes what the other one has ([`programs`]), and both come to the same answer. Where the
//! answer is no, or iterations are few, each copies for itself. Every copy has a mask of the CTAs that get it. It is zero where each copies for
//! itself: then code generation leaves multicast out, which costs time with a mask of one CTA, too.
//!
//! A buffer may be filled again when both CTAs have read it. So the barrier of the loop becomes one of both CTAs where they share. That order is enough:
//! only products read shared memory in such loops, the barrier is the only one there, and it orders the reads of all warps of a CTA before the copies behind
//! it. Each CTA announces all bytes that it gets at its own mbarrier, and waits for all of them, so none is under way when the loop is over. A copy
//! of the other CTA may arrive before its bytes are announced; the phase ends with the announcement.
//!
//! It pays where several CTAs share a multiprocessor, the grid has many of them, the operand has at least half of the bytes of an iteration and there are
//! many iterations ([measurements](../../../docs/measurements.md#clusters-that-share-blocks-pay-where-ctas-share-a-multiprocessor)).
//!
//! 1. The loop with its copies and barriers ([`Product`]).  2. Which operand, and what has to be equal.  3. Masks, turns and barriers.

mod programs;

use crate::analysis::shared_buffers::views_of;
use crate::attributes::{ALLOCATION_OFFSET, PAIRS, SHARED, SKIPPABLE};
use crate::convert_to_ttg::require_ttg;
use crate::encodings::elements_per_thread;
use crate::operations::memory::{SharedMemory, root, shared_memory};
use crate::{Pass, PassContext};
use programs::{Neighbor, Programs};
use tk_diag::Result;
use tk_ir::ops::{CmpI, ElementwiseInlineAsmOp, ForOp, FuncOp};
use tk_ir::{Block, Builder, Module, Op, OpKind, Value};
use tk_types::{Pairs, Residency};

/// The pass.
pub const PASS: Pass =
    Pass { name: "share-copies", summary: "copy an operand once for two programs that read the same blocks", run };

/// Iterations with which sharing pays.
const LEAST_ITERATIONS: i64 = 64;
/// CTAs of a multiprocessor with which sharing pays.
const LEAST_CTAS: u32 = 2;
/// Registers of a thread beside its accumulators, about.
const BESIDE_ACCUMULATORS: i64 = 40;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let is_eager = match cx.options.pairs {
        Pairs::Unknown => return Ok(()),
        Pairs::Even if cx.options.residency != Residency::Many => return Ok(()),
        Pairs::Even => false,
        Pairs::Eager => true,
    };
    let functions = module.functions();
    let [function] = functions.as_slice() else { return Ok(()) };
    let Some(product) = Product::of(*function).filter(|_| cx.options.num_ctas == 1) else { return Ok(()) };
    let shared_bytes = module.op().int_attr(SHARED).unwrap_or(0) as u32;
    let registers = (product.accumulators() + BESIDE_ACCUMULATORS) as u32;
    let ctas = cx.target.occupancy(registers, shared_bytes, threads.num_warps).ctas_per_sm;
    if !is_eager && ctas < LEAST_CTAS {
        return Ok(());
    }
    let least = if is_eager { 1 } else { LEAST_ITERATIONS };
    if let Some(plan) = Plan::of(&product, least) {
        plan.apply(&product);
        module.op().set_attr(PAIRS, module.context().unit_attr());
    }
    Ok(())
}

/// A loop that multiplies what TMA copies, with nothing else in shared memory before it.
struct Product<'c> {
    block: Block<'c>,
    view: ForOp<'c>,
    /// All threads meet here behind the beginnings of the mbarriers, before the first copy.
    start: Op<'c>,
    /// All threads meet here in each iteration.
    meeting: Op<'c>,
    /// The copies before the loop, and those of an iteration.
    first: Vec<Op<'c>>,
    copies: Vec<Op<'c>>,
}

impl<'c> Product<'c> {
    fn of(function: Op<'c>) -> Option<Self> {
        let blocks = FuncOp::cast(function).filter(|view| view.is_public())?.op.region(0).blocks();
        let [block] = blocks.as_slice() else { return None };
        let block = *block;
        let ops = block.ops();
        let multiplies = |op: &Op<'c>| {
            let inside = op.descendants();
            op.kind() == OpKind::ScfFor && inside.iter().any(is_copy) && inside.iter().any(is_product)
        };
        let mut loops = (0..ops.len()).filter(|at| multiplies(&ops[*at]));
        let (at, None) = (loops.next()?, loops.next()) else { return None };
        if !function.descendants().iter().all(is_independent) {
            return None;
        }
        let view = ForOp::cast(ops[at])?;
        let start = meeting_before(&ops[..at])?;
        let meeting = meeting_inside(view)?;
        let copies_of = |ops: &[Op<'c>]| ops.iter().copied().filter(is_copy).collect::<Vec<_>>();
        let (first, copies) = (copies_of(&ops[..at]), copies_of(&view.body().ops()));
        Some(Self { block, view, start, meeting, first, copies })
    }

    /// Registers that the loop carries results in.
    fn accumulators(&self) -> i64 {
        let carried = self.view.iter_args();
        carried.iter().map(|value| value.ty()).filter(|ty| ty.is_tensor()).map(elements_per_thread).sum()
    }

    /// The operands with at least half of the bytes of an iteration, the largest first.
    fn large_operands(&self) -> Vec<Operand<'c>> {
        let mut operands: Vec<Operand<'c>> = Vec::new();
        for copy in &self.copies {
            let Some(ring) = buffer_of(*copy).map(root) else { continue };
            match operands.iter_mut().find(|known| known.ring == ring) {
                Some(known) => known.bytes += bytes_of(*copy),
                None => operands.push(Operand { ring, bytes: bytes_of(*copy) }),
            }
        }
        let all: i64 = operands.iter().map(|operand| operand.bytes).sum();
        operands.retain(|operand| 2 * operand.bytes >= all);
        operands.sort_by_key(|operand| -operand.bytes);
        operands
    }

    /// Whether all that happens to a ring are these copies, products, and waits for these.
    fn is_only_multiplied(&self, ring: Value<'c>) -> bool {
        let is_own = |copy: Op<'c>| {
            (self.first.contains(&copy) || self.copies.contains(&copy)) && copy.attr(SKIPPABLE).is_none()
        };
        let is_known = |user: Op<'c>| {
            let memory = shared_memory(user.kind());
            let multiplies = memory.only_reads() && memory != SharedMemory::Read;
            multiplies || memory == SharedMemory::Free || memory == SharedMemory::StartLoad && is_own(user)
        };
        views_of(ring).into_iter().flat_map(Value::users).all(|(user, _)| is_known(user))
    }

    /// The copies to a ring: before the loop, and in an iteration.
    fn copies_to(&self, ring: Value<'c>) -> [Vec<Op<'c>>; 2] {
        let of = |copies: &[Op<'c>]| {
            copies.iter().copied().filter(|copy| buffer_of(*copy).map(root) == Some(ring)).collect::<Vec<_>>()
        };
        [of(&self.first), of(&self.copies)]
    }
}

/// A ring of buffers that the loop fills.
struct Operand<'c> {
    ring: Value<'c>,
    /// Bytes of an iteration.
    bytes: i64,
}

fn is_copy(op: &Op<'_>) -> bool {
    op.kind() == OpKind::TtngAsyncTmaCopyGlobalToLocal
}

fn is_product(op: &Op<'_>) -> bool {
    op.kind() == OpKind::TtngWarpGroupDot
}

/// The buffer that a copy fills.
fn buffer_of(copy: Op<'_>) -> Option<Value<'_>> {
    copy.segment(4).first().copied()
}

fn bytes_of(copy: Op<'_>) -> i64 {
    let ty = buffer_of(copy).map(Value::ty);
    ty.map_or(0, |ty| ty.shape().iter().product::<i64>() * i64::from(ty.element_bits()) / 8)
}

/// Operations that wait for other programs, say which CTA they run in, or use clusters.
const DEPENDENT: [OpKind; 12] = [
    OpKind::ScfWhile,
    OpKind::TtCall,
    OpKind::TtAtomicCas,
    OpKind::TtAtomicLoad,
    OpKind::TtAtomicPoll,
    OpKind::GpuBlockId,
    OpKind::TtgWarpSpecialize,
    OpKind::TtngFenceMbarrierInitReleaseCluster,
    OpKind::TtngClusterArrive,
    OpKind::TtngClusterWait,
    OpKind::TtngClusterBarrier,
    OpKind::TkPairBarrier,
];

fn is_independent(op: &Op<'_>) -> bool {
    let is_harmless = |assembly: ElementwiseInlineAsmOp<'_>| {
        let text = assembly.asm_string();
        assembly.pure() && !text.contains("ctaid") && !text.contains("cluster")
    };
    !DEPENDENT.contains(&op.kind()) && ElementwiseInlineAsmOp::cast(*op).is_none_or(is_harmless)
}

/// The barrier before the first copy, where it stands behind all beginnings of mbarriers and nothing else is in shared memory until the loop.
fn meeting_before<'c>(ops: &[Op<'c>]) -> Option<Op<'c>> {
    let mut start = None;
    for op in ops {
        let is_inside = |inner: &Op<'c>| inner != op && shared_memory(inner.kind()) != SharedMemory::None;
        if op.num_regions() > 0 && op.descendants().iter().any(is_inside)
            || op.attr(ALLOCATION_OFFSET).is_some() && !is_alloc(*op)
        {
            return None;
        }
        match shared_memory(op.kind()) {
            SharedMemory::None | SharedMemory::View | SharedMemory::Scratch(_) => {}
            SharedMemory::Allocate if op.num_operands() == 0 => {}
            SharedMemory::InitMbarrier if start.is_none() => {}
            SharedMemory::Barrier if start.is_none() && op.kind() == OpKind::GpuBarrier => start = Some(*op),
            SharedMemory::Announce | SharedMemory::StartLoad if start.is_some() => {}
            SharedMemory::Allocate
            | SharedMemory::InitMbarrier
            | SharedMemory::Barrier
            | SharedMemory::Announce
            | SharedMemory::StartLoad
            | SharedMemory::Call
            | SharedMemory::Free
            | SharedMemory::Read
            | SharedMemory::Write { .. }
            | SharedMemory::StartCopy
            | SharedMemory::WaitForCopies
            | SharedMemory::StartDot
            | SharedMemory::WaitForDots
            | SharedMemory::StartStore
            | SharedMemory::WaitForStores
            | SharedMemory::Arrive
            | SharedMemory::WaitAtMbarrier
            | SharedMemory::Fence => return None,
        }
    }
    start
}

fn is_alloc(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtgLocalAlloc
}

/// The only barrier of a loop, where nothing but copies, products and their waits uses shared memory.
fn meeting_inside(view: ForOp<'_>) -> Option<Op<'_>> {
    let mut meeting = None;
    for op in view.body().ops() {
        if op.num_regions() > 0 || op.attr(ALLOCATION_OFFSET).is_some() {
            return None;
        }
        if matches!(op.kind(), OpKind::TkHandOver | OpKind::TkWaitHandOver | OpKind::TtngAsyncCopyMbarrierArrive) {
            return None;
        }
        match shared_memory(op.kind()) {
            SharedMemory::None | SharedMemory::View | SharedMemory::Scratch(_) => {}
            SharedMemory::Announce | SharedMemory::WaitAtMbarrier => {}
            SharedMemory::StartLoad | SharedMemory::StartDot | SharedMemory::WaitForDots => {}
            SharedMemory::Barrier if meeting.is_none() && op.kind() == OpKind::GpuBarrier => meeting = Some(op),
            SharedMemory::Barrier
            | SharedMemory::Allocate
            | SharedMemory::InitMbarrier
            | SharedMemory::Call
            | SharedMemory::Free
            | SharedMemory::Read
            | SharedMemory::Write { .. }
            | SharedMemory::StartCopy
            | SharedMemory::WaitForCopies
            | SharedMemory::StartStore
            | SharedMemory::WaitForStores
            | SharedMemory::Arrive
            | SharedMemory::Fence => return None,
        }
    }
    meeting
}

/// What is shared, and when.
struct Plan<'c> {
    /// Before the loop, and in an iteration.
    copies: [Vec<Op<'c>>; 2],
    /// What has to be equal for both programs.
    programs: Programs<'c>,
    /// The step of the loop, and the least distance of its bounds.
    step: i64,
    distance: i64,
}

impl<'c> Plan<'c> {
    fn of(product: &Product<'c>, least: i64) -> Option<Self> {
        let view = product.view;
        let step = view.step().constant_int().filter(|step| *step > 0)?;
        let distance = step.checked_mul(least - 1)?;
        let bounds = view.lower_bound().constant_int().zip(view.upper_bound().constant_int());
        if bounds.is_some_and(|(lower, upper)| upper.saturating_sub(lower) <= distance) {
            return None;
        }
        let of_operand = |operand: Operand<'c>| {
            if !product.is_only_multiplied(operand.ring) {
                return None;
            }
            let copies = product.copies_to(operand.ring);
            let mut programs = Programs::new(product.block, view);
            programs.require(view.lower_bound())?;
            programs.require(view.upper_bound())?;
            for copy in copies.iter().flatten() {
                // The descriptor, the coordinates, the mbarrier, the buffer and the condition.
                copy.operands().into_iter().try_for_each(|operand| programs.require(operand))?;
                if !copy.segment(2).is_empty() || !copy.segment(6).is_empty() {
                    return None;
                }
            }
            (programs.neighbor() != Neighbor::Other).then_some((copies, programs))
        };
        let (copies, programs) = product.large_operands().into_iter().find_map(of_operand)?;
        Some(Self { copies, programs, step, distance })
    }

    fn apply(self, product: &Product<'c>) {
        let Self { copies: [first, inside], mut programs, step, distance } = self;
        let view = product.view;
        // Before the first copy.
        let is_first =
            |op: &Op<'c>| matches!(shared_memory(op.kind()), SharedMemory::Announce | SharedMemory::StartLoad);
        let behind = std::iter::successors(product.start.next(), |op| op.next());
        let place = behind.into_iter().find(|op| is_first(op) || *op == view.op).unwrap_or(view.op);
        let mut builder = Builder::before(place).with_location(view.op.loc());
        let (equal, id) = programs.equal_at(&mut builder, place);
        let (lower, upper) =
            (programs.at(&mut builder, view.lower_bound()), programs.at(&mut builder, view.upper_bound()));
        let length = builder.binary(OpKind::ArithSubI, upper, lower);
        let distance = builder.int(length.ty(), distance);
        let is_long = builder.cmpi(CmpI::Sgt, length, distance);
        let together = builder.binary(OpKind::ArithAndI, equal, is_long);
        let truth = builder.bool(true);
        let alone = builder.binary(OpKind::ArithXOrI, together, truth);
        let (one, zero) = (builder.i32(1), builder.i32(0));
        let rank = builder.binary(OpKind::ArithAndI, id, one);
        let is_even = builder.cmpi(CmpI::Eq, rank, zero);
        let is_odd = builder.cmpi(CmpI::Ne, rank, zero);
        let bits = builder.context().i(16);
        let [own, both] = [0, 3].map(|mask| builder.int(bits, mask));
        let targets = builder.select(together, both, own);

        for (number, copy) in first.iter().enumerate() {
            let turn = if number % 2 == 0 { is_even } else { is_odd };
            share(*copy, alone, turn, targets);
        }
        let mut turns = Turns { view, step, is_even };
        for (number, copy) in inside.iter().enumerate() {
            let turn = turns.of(*copy, first.len() + number);
            share(*copy, alone, turn, targets);
        }
        let relaxed = [("relaxed", view.op.context().bool_attr(true))];
        let mut builder = Builder::before(product.start);
        builder.create(OpKind::TtngFenceMbarrierInitReleaseCluster, &[], &[], &[]);
        builder.create(OpKind::TtngClusterBarrier, &[], &[], &relaxed);
        product.start.erase();
        Builder::before(product.meeting).create(OpKind::TkPairBarrier, &[together], &[], &[]);
        product.meeting.erase();
    }
}

/// Whose turn it is to copy in an iteration.
struct Turns<'c> {
    view: ForOp<'c>,
    step: i64,
    /// The CTA is the first one of its pair.
    is_even: Value<'c>,
}

impl<'c> Turns<'c> {
    /// That of a copy that is `number` copies later than the iteration says.
    fn of(&mut self, copy: Op<'c>, number: usize) -> Value<'c> {
        let mut builder = Builder::before(copy);
        let place = self.view.induction_var();
        let ty = place.ty();
        let mut count = place;
        if self.view.lower_bound().constant_int() != Some(0) {
            count = builder.binary(OpKind::ArithSubI, count, self.view.lower_bound());
        }
        if self.step != 1 {
            let step = builder.int(ty, self.step);
            count = builder.binary(OpKind::ArithDivUI, count, step);
        }
        let (one, parity) = (builder.int(ty, 1), builder.int(ty, number as i64 % 2));
        let bit = builder.binary(OpKind::ArithAndI, count, one);
        let is_odd = builder.cmpi(CmpI::Ne, bit, parity);
        builder.binary(OpKind::ArithXOrI, is_odd, self.is_even)
    }
}

/// The copy goes to the CTAs of a mask, where the CTA copies alone or it is its turn.
fn share<'c>(copy: Op<'c>, alone: Value<'c>, turn: Value<'c>, targets: Value<'c>) {
    let Some(condition) = copy.segment(5).first().copied() else { return };
    let coordinates = copy.segment(1).len() as i32;
    let mut builder = Builder::before(copy);
    let issues = builder.binary(OpKind::ArithOrI, alone, turn);
    let condition = builder.binary(OpKind::ArithAndI, condition, issues);
    let mut operands = copy.operands();
    operands.pop();
    operands.extend([condition, targets]);
    copy.set_operands(&operands);
    copy.set_attr("operandSegmentSizes", copy.context().i32_array(&[1, coordinates, 0, 1, 1, 1, 1]));
    copy.set_attr("multicast", copy.context().unit_attr());
}
