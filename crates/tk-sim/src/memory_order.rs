//! How accesses to memory are ordered, as their opcodes say, and what a warp that makes one gives and takes.

use crate::clock::Foreign;
use crate::records::Record;

/// How an access is ordered with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryOrder {
    Weak,
    /// Relaxed or volatile.
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
}

impl MemoryOrder {
    /// Such accesses may meet others without a barrier.
    pub(crate) fn is_strong(self) -> bool {
        self != MemoryOrder::Weak
    }

    pub(crate) fn acquires(self) -> bool {
        matches!(self, MemoryOrder::Acquire | MemoryOrder::AcquireRelease)
    }

    pub(crate) fn releases(self) -> bool {
        matches!(self, MemoryOrder::Release | MemoryOrder::AcquireRelease)
    }
}

/// For whom an order holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryScope {
    /// The threads of the CTA.
    Cta,
    /// The GPU, the system.
    Wide,
}

/// The access that a warp is making.
#[derive(Clone, Copy)]
pub(crate) struct Numbered {
    pub(crate) number: u32,
    pub(crate) record: Record,
}

/// What a strong access of a warp takes from and leaves at addresses.
pub(crate) struct Exchange {
    pub(crate) warp: u32,
    pub(crate) order: MemoryOrder,
    pub(crate) scope: MemoryScope,
    /// What it leaves.
    pub(crate) given: Option<Foreign>,
}

/// Whether an access writes to its address, and how that ends what was released there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Read,
    /// A store: what others released there before is gone.
    Overwrite,
    /// An atomic update continues what others released there.
    Update,
}
