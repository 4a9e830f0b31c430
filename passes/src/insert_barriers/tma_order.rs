//! Global memory that TMA writes and the program accesses again, or that threads write and TMA accesses.
//!
//! A store by a descriptor waits until its buffer has been read, and global memory may be written later. So whoever accesses that memory
//! next waits until all stores by TMA have written: loads by descriptors and by pointers, and stores by pointers; and atomic operations
//! that let other CTAs go on (release), whatever they access. Each thread waits for the stores that it started, and then all threads meet.
//!
//! The other way round, TMA sees what threads stored when each of them has passed a fence of both proxies, and all have met.
//!
//! Memory of different origins is taken to be different ([`Origin`]). Left to the program: two stores by descriptors to the same elements,
//! which may arrive in either order; a store and a reduction are ordered.

use crate::analysis::global_aliases::{Origin, origins_of};
use crate::operations::memory::{Access, GlobalMemory, global_memory};
use std::collections::BTreeSet;
use tk_ir::Op;
use tk_ir::ops::MemSemantic;

/// What must happen before an access, besides that all threads meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    /// Stores by TMA are waited for until they are in memory.
    pub(super) completes: bool,
    /// A fence makes visible to TMA what threads stored, or know to be stored.
    pub(super) publishes: bool,
}

impl Order {
    /// Nothing need happen.
    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// What either asks for.
    pub(super) fn and(self, other: Self) -> Self {
        Self { completes: self.completes || other.completes, publishes: self.publishes || other.publishes }
    }
}

/// Who accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Actor {
    Threads,
    Tma,
}

/// An access to global memory by threads or by TMA.
pub(super) struct MemoryUse {
    by: Actor,
    access: Access,
    origins: BTreeSet<Origin>,
    /// Other CTAs may go on when they see it.
    releases: bool,
}

impl MemoryUse {
    /// What an operation accesses; `None` where it accesses no global memory.
    pub(super) fn of(op: Op<'_>) -> Option<Self> {
        let (by, access) = match global_memory(op.kind()) {
            GlobalMemory::Pointers(access) => (Actor::Threads, access),
            GlobalMemory::Copy(access) => (Actor::Tma, access),
            GlobalMemory::Block(_) | GlobalMemory::None | GlobalMemory::Unknown => return None,
        };
        let releases = [MemSemantic::Release, MemSemantic::AcquireRelease];
        let order = op.int_attr("sem");
        let releases = releases.iter().any(|releasing| order == Some(releasing.number()));
        Some(Self { by, access, origins: origins_of(op.operand(0)), releases })
    }

    fn touches(&self, origins: &BTreeSet<Origin>) -> bool {
        self.origins.iter().any(|own| origins.iter().any(|other| own.may_be_same(*other)))
    }
}

/// Where global memory may be about to be written, or written without the knowledge of TMA.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Unordered {
    /// Stores by TMA that may not have written yet.
    stored: BTreeSet<Origin>,
    /// Reductions by TMA that may not have written yet.
    reduced: BTreeSet<Origin>,
    /// Stores by threads since the last fence.
    unpublished: BTreeSet<Origin>,
}

impl Unordered {
    /// What must happen before an access.
    pub(super) fn before(&self, next: &MemoryUse) -> Order {
        let may_be_late = match (next.by, next.access) {
            (Actor::Tma, Access::Write) => next.touches(&self.reduced),
            (Actor::Tma, Access::Combine) => next.touches(&self.stored),
            (Actor::Tma, Access::Read | Access::Synchronize) | (Actor::Threads, _) => {
                next.touches(&self.stored) || next.touches(&self.reduced)
            }
        };
        let is_any_late = !self.stored.is_empty() || !self.reduced.is_empty();
        let completes = may_be_late || next.releases && is_any_late;
        Order { completes, publishes: next.by == Actor::Tma && (completes || next.touches(&self.unpublished)) }
    }

    /// That has happened.
    pub(super) fn apply(&mut self, order: Order) {
        if order.completes {
            self.stored.clear();
            self.reduced.clear();
        }
        if order.publishes {
            self.unpublished.clear();
        }
    }

    /// An access happens.
    pub(super) fn access(&mut self, made: &MemoryUse) {
        let written = match (made.by, made.access) {
            (_, Access::Read) => return,
            (Actor::Tma, Access::Write) => &mut self.stored,
            (Actor::Tma, Access::Combine | Access::Synchronize) => &mut self.reduced,
            (Actor::Threads, Access::Write | Access::Combine | Access::Synchronize) => &mut self.unpublished,
        };
        written.extend(&made.origins);
    }

    /// Both may have happened.
    pub(super) fn add(&mut self, other: &Self) {
        self.stored.extend(&other.stored);
        self.reduced.extend(&other.reduced);
        self.unpublished.extend(&other.unpublished);
    }
}
