//! Operations of the asynchronous engines as a [`Program`](crate::Program) keeps them: wgmma, mbarriers, bulk copies, tensor maps.

use crate::program::{Element, Memory, Pred, PredSlot, Slot, Update};

/// `wgmma.mma_async`.
#[derive(Clone, Debug)]
pub(crate) struct Wgmma {
    /// Columns.
    pub(crate) n: usize,
    pub(crate) a_type: Element,
    pub(crate) b_type: Element,
    /// D is f16 pairs instead of f32.
    pub(crate) half_result: bool,
    /// Integer results saturate.
    pub(crate) saturate: bool,
    pub(crate) d: Vec<Slot>,
    /// Slot of A's descriptor; `None` when A is in the registers `a`.
    pub(crate) a_descriptor: Option<Slot>,
    pub(crate) a: Vec<Slot>,
    /// Slot of B's descriptor.
    pub(crate) b: Slot,
    /// D is added to, not overwritten.
    pub(crate) accumulate: Pred,
    pub(crate) negate_a: bool,
    pub(crate) negate_b: bool,
    /// M or N comes first in memory, not K.
    pub(crate) transpose_a: bool,
    pub(crate) transpose_b: bool,
    pub(crate) site: u32,
}

/// What an mbarrier operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MbarrierKind {
    Init,
    Invalidate,
    /// Arrives with a count; returns the phase token. `drop` takes the arrivals off later phases too.
    Arrive {
        drop: bool,
    },
    /// Adds pending bytes.
    ExpectTx,
    /// Adds pending bytes, then arrives.
    ArriveExpectTx {
        drop: bool,
    },
    CompleteTx,
    /// Tests a phase token or a parity; `blocks` may wait for it.
    Test {
        parity: bool,
        blocks: bool,
    },
    /// Arrives once all earlier `cp.async` of the thread are complete.
    CopyArrive,
}

/// An operation on an mbarrier in shared memory.
#[derive(Clone, Debug)]
pub(crate) struct Mbarrier {
    pub(crate) kind: MbarrierKind,
    pub(crate) base: Slot,
    pub(crate) offset: i64,
    pub(crate) operand: Slot,
    pub(crate) result: Slot,
    pub(crate) answer: PredSlot,
    /// `.noinc` of `cp.async.mbarrier.arrive`.
    pub(crate) no_increment: bool,
    /// `.noComplete`.
    pub(crate) no_complete: bool,
}

/// Where a bulk copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BulkKind {
    /// Global to shared memory.
    Load,
    /// Shared to global memory.
    Store,
    /// Shared to shared memory.
    CopyShared,
}

/// Name of a reduction, and what it does in units of so many bytes; a tensor map says that itself.
pub(crate) type BulkUpdate = (&'static str, Option<(Update, u32)>);

/// `cp.async.bulk`. Addresses are a slot and bytes added.
#[derive(Clone, Debug)]
pub(crate) struct Bulk {
    pub(crate) kind: BulkKind,
    /// Coordinates in a tensor, innermost first; `other` is the tensor map then.
    pub(crate) coordinates: Option<Vec<Slot>>,
    /// Shared memory: the destination, or the source of a store.
    pub(crate) shared: (Slot, i64),
    pub(crate) other: (Slot, i64),
    /// Bytes, of a copy without a tensor map.
    pub(crate) bytes: Slot,
    /// The mbarrier of a load.
    pub(crate) barrier: (Slot, i64),
    pub(crate) update: Option<BulkUpdate>,
    pub(crate) site: u32,
}

/// `tensormap.replace`.
#[derive(Clone, Debug)]
pub(crate) struct TensorMapField {
    pub(crate) base: Slot,
    pub(crate) offset: i64,
    pub(crate) value: Slot,
    /// Byte and size of the field within the map.
    pub(crate) at: u32,
    pub(crate) bytes: u32,
    pub(crate) memory: Memory,
}

/// Whom a fence of tensor maps reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MapScope {
    /// `.cta`, and `.cluster` in clusters of one CTA.
    Cta,
    /// `.gpu` and `.sys`.
    Gpu,
}

/// `fence.proxy.tensormap`: an acquire names the map that this thread will use, a release hands over all changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FenceMap {
    pub(crate) acquired: Option<(Slot, i64)>,
    pub(crate) scope: MapScope,
}
