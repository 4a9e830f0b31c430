//! Operations of the asynchronous engines as a [`Program`](crate::Program) keeps them: wgmma, mbarriers, bulk copies, tensor maps.

use crate::mbarrier::Arrival;
use crate::program::{ArrivalOrder, Element, Memory, Pred, PredSlot, Slot, Sums, Update, Window};

/// `wgmma.mma_async`.
#[derive(Clone, Debug)]
pub(crate) struct Wgmma {
    /// Columns.
    pub(crate) n: usize,
    pub(crate) a: DotOperand,
    pub(crate) b: DotOperand,
    pub(crate) sums: Sums,
    pub(crate) d: Vec<Slot>,
    /// Where A is.
    pub(crate) left: Left,
    /// Slot of B's descriptor.
    pub(crate) right: Slot,
    /// D is added to, not overwritten.
    pub(crate) accumulate: Pred,
    pub(crate) site: u32,
}

/// What an operand of a wgmma holds, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DotOperand {
    pub(crate) element: Element,
    pub(crate) sign: Sign,
    pub(crate) order: Order,
}

/// What an operand is multiplied by (`imm-scale-a`, `imm-scale-b`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Kept,
    Negated,
}

/// What comes first in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Elements along K.
    InnerFirst,
    /// Elements along M or N (`imm-trans`).
    OuterFirst,
}

/// Where the left operand of a wgmma is.
#[derive(Clone, Debug)]
pub(crate) enum Left {
    /// In shared memory: the slot of its descriptor.
    Shared(Slot),
    Registers(Vec<Slot>),
}

impl Left {
    pub(crate) fn descriptor(&self) -> Option<Slot> {
        match self {
            Left::Shared(slot) => Some(*slot),
            Left::Registers(_) => None,
        }
    }

    pub(crate) fn registers(&self) -> &[Slot] {
        match self {
            Left::Shared(_) => &[],
            Left::Registers(slots) => slots,
        }
    }
}

/// What an mbarrier operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MbarrierKind {
    Init,
    Invalidate,
    /// Arrives with a count; returns the phase token.
    Arrive(Arrival),
    /// Adds pending bytes.
    ExpectTx,
    /// Adds pending bytes, then arrives.
    ArriveExpectTx(Arrival),
    CompleteTx,
    /// Tests whether a phase is complete.
    Test {
        phase: PhaseName,
        wait: Wait,
    },
    /// Arrives once all earlier `cp.async` of the thread are complete.
    CopyArrive(CopyCount),
}

/// How a test names the phase that it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PhaseName {
    /// By what an arrival returned.
    Token,
    /// By the last bit of its number.
    Parity,
}

/// Whether a test that fails may suspend the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// `test_wait`
    Never,
    /// `try_wait`
    Possible,
}

/// Whether the count of an mbarrier has an arrival of copies already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyCount {
    /// `.noinc`: it was part of the count from the start.
    Included,
    /// The instruction adds it, and takes it off as it arrives.
    Added,
}

/// An operation on an mbarrier in shared memory.
#[derive(Clone, Debug)]
pub(crate) struct Mbarrier {
    pub(crate) kind: MbarrierKind,
    pub(crate) window: Window,
    /// What an arrival lets others see.
    pub(crate) order: ArrivalOrder,
    pub(crate) base: Slot,
    pub(crate) offset: i64,
    pub(crate) operand: Slot,
    pub(crate) result: Slot,
    pub(crate) answer: PredSlot,
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
    /// Registers to shared memory: `st.async`.
    Registers,
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
    /// Bytes, of a copy without a tensor map; of each value, where registers are stored.
    pub(crate) bytes: Slot,
    /// The values that `st.async` stores.
    pub(crate) values: Vec<Slot>,
    /// The mbarrier of a load.
    pub(crate) barrier: (Slot, i64),
    /// Ranks of the CTAs that a load goes to, one bit each.
    pub(crate) multicast: Option<Slot>,
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
