//! What one operation does to shared memory.

use super::pending::{MAPS, Pending, Work};
use crate::analysis::shared_buffers::views_of;
use crate::attributes::{ALLOCATION_OFFSET, ALLOCATION_SIZE, EVERY_THREAD, ORDERED};
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
    /// Waits for work; `true` when for all of it.
    Wait(Work, bool),
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

/// The bytes behind every memory descriptor: those of all allocations it may be a view of.
pub(super) struct Buffers(FxHashMap<usize, Vec<Range<u32>>>);

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
        Self(buffers)
    }

    fn bytes(&self, memory: Value<'_>) -> Vec<Range<u32>> {
        self.0.get(&memory.id()).cloned().unwrap_or_default()
    }

    fn all_bytes(&self, operands: Vec<Value<'_>>) -> Vec<Range<u32>> {
        operands.into_iter().flat_map(|operand| self.bytes(operand)).collect()
    }

    pub(super) fn effect(&self, op: Op<'_>) -> Effect {
        let waits_for_all = |attribute| op.int_attr(attribute) == Some(0);
        match op.kind() {
            OpKind::GpuBarrier | OpKind::TtgBarrier => Effect::Barrier,
            OpKind::TtngFenceAsyncShared => Effect::Fence,
            OpKind::TtgLocalAlloc if op.num_operands() == 0 => Effect::None,
            OpKind::TtgLocalAlloc => Effect::Access(Pending::writes(self.bytes(op.result(0)))),
            OpKind::TtgLocalStore => Effect::Access(Pending::writes(self.bytes(op.operand(1)))),
            OpKind::TtgLocalLoad => Effect::Access(Pending::reads(self.bytes(op.operand(0)))),
            OpKind::TtgLocalGather => Effect::Access(Pending::reads(self.all_bytes(op.operands()))),
            OpKind::TtgAsyncCopyGlobalToLocal => {
                let start = if is_ordered(op) { Effect::StartOrdered } else { Effect::Start };
                start(Work::Copies, self.bytes(op.operand(1)))
            }
            OpKind::TtgAsyncWait => Effect::Wait(Work::Copies, waits_for_all("num")),
            OpKind::TtngWarpGroupDot => match (op.int_attr("isAsync"), self.all_bytes(op.operands())) {
                (Some(1), bytes) => Effect::Start(Work::Products, bytes),
                (_, bytes) => Effect::Access(Pending::reads(bytes)),
            },
            OpKind::TtngWarpGroupDotWait => Effect::Wait(Work::Products, waits_for_all("pendings")),
            OpKind::TtngAsyncTmaStoreWait => Effect::Wait(Work::Stores, waits_for_all("pendings")),
            kind if kind.dialect() == "ttng" => self.effect_of_tma(op),
            _ => effect_of_scratch(op),
        }
    }

    /// What mbarriers, copies by TMA and their tensor maps do.
    fn effect_of_tma(&self, op: Op<'_>) -> Effect {
        let first = || self.bytes(op.operand(0));
        match op.kind() {
            OpKind::TtngInitBarrier | OpKind::TtngInvalBarrier => Effect::Leader(first()),
            OpKind::TtngArriveBarrier if op.attr(EVERY_THREAD).is_some() => Effect::None,
            OpKind::TtngBarrierExpect if is_ordered(op) => Effect::None,
            OpKind::TtngBarrierExpect | OpKind::TtngArriveBarrier => Effect::Arrive(first()),
            OpKind::TtngWaitBarrier => Effect::Access(Pending::reads(first())),
            OpKind::TtngAsyncTmaCopyGlobalToLocal if is_ordered(op) => Effect::OrderedTmaLoad,
            OpKind::TtngAsyncTmaCopyGlobalToLocal => {
                let bytes = |segment| op.segment(segment).into_iter().flat_map(|value| self.bytes(value));
                let mut accesses = Pending::reads(bytes(3).chain([MAPS]).collect());
                accesses.writes = bytes(4).collect();
                Effect::TmaLoad(accesses)
            }
            OpKind::TtngAsyncTmaCopyLocalToGlobal | OpKind::TtngAsyncTmaReduce => {
                let source = self.bytes(op.operand(op.num_operands() - 1));
                Effect::Start(Work::Stores, [source, vec![MAPS]].concat())
            }
            OpKind::TtngTensormapCreate => Effect::MakeMap(bytes_of(op).into_iter().collect()),
            _ => effect_of_scratch(op),
        }
    }
}

/// What an operation does with bytes of its own.
fn effect_of_scratch(op: Op<'_>) -> Effect {
    match bytes_of(op) {
        // What a function does with its bytes is not looked at; it may also wait nowhere.
        Some(bytes) if op.kind() == OpKind::TtCall => {
            let mut accesses = Pending::reads(vec![bytes.clone()]);
            accesses.writes.push(bytes);
            Effect::Access(accesses)
        }
        Some(bytes) => Effect::Scratch(bytes),
        None => Effect::None,
    }
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
