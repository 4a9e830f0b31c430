//! What one operation does to shared memory.

use super::pending::{MAPS, Pending, Waited, Work};
use super::rings::Rings;
use crate::analysis::shared_buffers::views_of;
use crate::attributes::{ALLOCATION_OFFSET, ALLOCATION_SIZE, EACH_WARP, ORDERED, WITH_KERNEL};
use crate::operations::memory::{Scratch, SharedMemory, shared_memory};
use rustc_hash::FxHashMap;
use std::ops::Range;
use tk_ir::{Op, OpKind, Value};

/// What one operation does to shared memory.
pub(super) enum Effect {
    None,
    /// Everything before is visible to everyone after.
    Barrier,
    /// What threads wrote becomes visible to TMA.
    Fence,
    /// Plain accesses.
    Access(Pending),
    /// Writes, waits for all threads, reads.
    Scratch(Range<u32>),
    /// Starts work on these bytes.
    Start(Work, Vec<Range<u32>>),
    /// The same, when nobody needs the bytes any more.
    StartOrdered(Work, Vec<Range<u32>>),
    /// Starts a copy into a known buffer of a ring.
    Fill(Filling),
    /// Waits for work.
    Wait(Work, Waited),
    /// The first thread makes or ends an mbarrier.
    Leader(Vec<Range<u32>>),
    /// The first thread arrives at an mbarrier.
    Arrive(Vec<Range<u32>>),
    /// One warp makes a tensor map by way of these bytes, while others make others.
    MakeMap(Vec<Range<u32>>),
    /// TMA starts to write `writes`, and reads an mbarrier and a map.
    TmaLoad(Pending),
    /// The same, when nobody needs the bytes any more and the mbarrier is known.
    OrderedTmaLoad,
}

/// A copy into a known buffer of a ring.
pub(super) struct Filling {
    /// Nobody may need these bytes any more.
    pub(super) needed: Vec<Range<u32>>,
    /// What it writes.
    pub(super) written: Vec<Range<u32>>,
}

impl Waited {
    /// What a wait leaves under way is the number that is this attribute.
    fn of(wait: Op<'_>, attribute: &str) -> Self {
        if wait.int_attr(attribute) == Some(0) { Waited::All } else { Waited::Some }
    }
}

/// The bytes behind every memory descriptor.
pub(super) struct Buffers {
    /// Those of all allocations it may be a view of.
    bytes: FxHashMap<usize, Vec<Range<u32>>>,
    pub(super) rings: Rings,
}

impl Buffers {
    pub(super) fn of(function: Op<'_>) -> Self {
        let mut buffers: FxHashMap<usize, Vec<Range<u32>>> = FxHashMap::default();
        for op in function.descendants() {
            if let Some(bytes) = bytes_of(op).filter(|_| op.kind() == OpKind::TtgLocalAlloc) {
                for view in views_of(op.result(0)) {
                    buffers.entry(view.id()).or_default().push(bytes.clone());
                }
            }
        }
        Self { bytes: buffers, rings: Rings::of(function, bytes_of) }
    }

    fn bytes(&self, memory: Value<'_>) -> Vec<Range<u32>> {
        match self.rings.read(memory) {
            Some(stand_in) => vec![stand_in],
            None => self.rings.with_stand_ins(self.bytes.get(&memory.id()).cloned().unwrap_or_default()),
        }
    }

    fn all_bytes(&self, operands: Vec<Value<'_>>) -> Vec<Range<u32>> {
        operands.into_iter().flat_map(|operand| self.bytes(operand)).collect()
    }

    pub(super) fn effect(&self, op: Op<'_>) -> Effect {
        let first = || self.bytes(op.operand(0));
        match shared_memory(op.kind()) {
            SharedMemory::None | SharedMemory::Free | SharedMemory::View => Effect::None,
            SharedMemory::Scratch(Scratch::TensorMap) => Effect::MakeMap(bytes_of(op).into_iter().collect()),
            SharedMemory::Scratch(_) => bytes_of(op).map_or(Effect::None, Effect::Scratch),
            SharedMemory::Call => effect_of_call(op),
            SharedMemory::Allocate if op.num_operands() == 0 => Effect::None,
            SharedMemory::Allocate => Effect::Access(Pending::writes(self.bytes(op.result(0)))),
            SharedMemory::Write { target } => Effect::Access(Pending::writes(self.bytes(op.operand(target)))),
            SharedMemory::Read => Effect::Access(Pending::reads(self.all_bytes(op.operands()))),
            SharedMemory::StartCopy => self.copy(op),
            SharedMemory::WaitForCopies => Effect::Wait(Work::Copies, Waited::of(op, "num")),
            SharedMemory::StartDot => match (op.int_attr("isAsync"), self.all_bytes(op.operands())) {
                (Some(1), bytes) => Effect::Start(Work::Dots, bytes),
                (_, bytes) => Effect::Access(Pending::reads(bytes)),
            },
            SharedMemory::WaitForDots => Effect::Wait(Work::Dots, Waited::of(op, "pendings")),
            SharedMemory::StartStore => {
                let source = self.bytes(op.operand(op.num_operands() - 1));
                Effect::Start(Work::Stores, [source, vec![MAPS]].concat())
            }
            SharedMemory::WaitForStores => Effect::Wait(Work::Stores, Waited::of(op, "pendings")),
            SharedMemory::StartLoad if is_ordered(op) => Effect::OrderedTmaLoad,
            SharedMemory::StartLoad => self.tma_load(op),
            SharedMemory::InitMbarrier if op.attr(WITH_KERNEL).is_some() => Effect::None,
            SharedMemory::InitMbarrier => Effect::Leader(first()),
            // Nobody may end the mbarrier before all have arrived.
            SharedMemory::Arrive if op.attr(EACH_WARP).is_some() => Effect::Access(Pending::reads(first())),
            SharedMemory::Announce if is_ordered(op) => Effect::None,
            SharedMemory::Announce | SharedMemory::Arrive => Effect::Arrive(first()),
            SharedMemory::WaitAtMbarrier => Effect::Access(Pending::reads(first())),
            SharedMemory::Fence => Effect::Fence,
            SharedMemory::Barrier => Effect::Barrier,
        }
    }

    fn copy(&self, op: Op<'_>) -> Effect {
        let written = self.bytes(op.operand(1));
        match self.rings.needed_by(op).filter(|_| !is_ordered(op)) {
            Some(needed) => Effect::Fill(Filling { needed, written }),
            None => start(op, Work::Copies, written),
        }
    }

    /// A copy by TMA reads its mbarrier and its map, and writes its buffer.
    fn tma_load(&self, op: Op<'_>) -> Effect {
        let (barriers, targets) = match op.attr("operandSegmentSizes") {
            Some(_) => (op.segment(3), op.segment(4)),
            // A gather has no segments.
            None => (vec![op.operand(3)], vec![op.operand(4)]),
        };
        let mut accesses = Pending::reads([self.all_bytes(barriers), vec![MAPS]].concat());
        accesses.writes = self.all_bytes(targets);
        Effect::TmaLoad(accesses)
    }
}

fn start(op: Op<'_>, work: Work, bytes: Vec<Range<u32>>) -> Effect {
    if is_ordered(op) { Effect::StartOrdered(work, bytes) } else { Effect::Start(work, bytes) }
}

/// What a function does with its bytes is not looked at; it may also wait nowhere.
fn effect_of_call(op: Op<'_>) -> Effect {
    let Some(bytes) = bytes_of(op) else { return Effect::None };
    let mut accesses = Pending::reads(vec![bytes.clone()]);
    accesses.writes.push(bytes);
    Effect::Access(accesses)
}

/// `split-barriers` knows that nobody needs its bytes any more.
fn is_ordered(op: Op<'_>) -> bool {
    op.attr(ORDERED).is_some()
}

/// The bytes that `allocate-shared-memory` gave an operation.
pub(super) fn bytes_of(op: Op<'_>) -> Option<Range<u32>> {
    let start = u32::try_from(op.int_attr(ALLOCATION_OFFSET)?).ok()?;
    let size = u32::try_from(op.int_attr(ALLOCATION_SIZE)?).ok()?;
    Some(start..start.saturating_add(size))
}
