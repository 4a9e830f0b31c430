//! Barriers that tie the other threads to atomic operations.
//!
//! An order other than `relaxed` is meant for the whole CTA, and the instruction orders the accesses of the thread that it belongs to. So threads meet
//! before an operation that releases, where one of them has accessed global memory since they met last, and behind one that acquires, before
//! one of them accesses global memory again. A sum that a kernel adds to memory at its end is waited for by nobody.
//!
//! Code generation puts a barrier before and behind the operation where this pass does not say that it need not. In functions that are called it says
//! nothing, since the caller goes on, nor in those that take locks: with fewer barriers who waits for a lock asks more often, and gradients of layer norms
//! were 1 to 3 % slower.

use crate::attributes::{ALLOCATION_OFFSET, ENDS_ITERATION, MEETS_LATER, MET_BEFORE, UNOBSERVED};
use crate::operations::control::{Control, control, is_loop};
use crate::operations::memory::{GlobalMemory, global_memory};
use tk_ir::ops::MemSemantic;
use tk_ir::{Op, OpKind};

/// A function compares and swaps, as what takes a lock does.
pub(super) fn has_locks(function: Op<'_>) -> bool {
    function.descendants().iter().any(|op| op.kind() == OpKind::TtAtomicCas)
}

/// What an operation is in the order of accesses to global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GlobalOrder {
    /// It accesses no global memory.
    None,
    /// It accesses it in no order.
    Plain,
    /// An atomic operation.
    Atomic { releases: bool, acquires: bool },
}

impl GlobalOrder {
    pub(super) fn of(op: Op<'_>) -> Self {
        if matches!(op.kind(), OpKind::TtAtomicRmw | OpKind::TtAtomicCas) {
            let order = op.int_attr("sem");
            let is = |semantic: MemSemantic| order == Some(semantic.number());
            let both = is(MemSemantic::AcquireRelease);
            let (releases, acquires) = (both || is(MemSemantic::Release), both || is(MemSemantic::Acquire));
            return Self::Atomic { releases, acquires };
        }
        match global_memory(op.kind()) {
            GlobalMemory::None => Self::None,
            GlobalMemory::Unknown if op.is_memory_effect_free() => Self::None,
            GlobalMemory::Pointers(_) | GlobalMemory::Block(_) | GlobalMemory::Copy(_) | GlobalMemory::Unknown => {
                Self::Plain
            }
        }
    }
}

/// What threads did to global memory since they met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SinceMeeting {
    /// One of them has accessed it.
    accessed: bool,
    /// One of them has acquired what others must not access before they meet.
    acquired: bool,
}

impl SinceMeeting {
    pub(super) fn add(&mut self, other: Self) {
        self.accessed |= other.accessed;
        self.acquired |= other.acquired;
    }

    /// A barrier must stand before an operation, or before a loop with it. That of an operation that releases is made by code generation.
    pub(super) fn must_meet_before(self, order: GlobalOrder) -> bool {
        match order {
            GlobalOrder::None => false,
            GlobalOrder::Plain => self.acquired,
            GlobalOrder::Atomic { releases, .. } => self.acquired && !releases,
        }
    }

    /// Marks what barriers an atomic operation that is about to run does not need.
    pub(super) fn mark(self, op: Op<'_>, order: GlobalOrder) {
        if matches!(order, GlobalOrder::Atomic { .. }) {
            set(op, MET_BEFORE, !(self.accessed || self.acquired));
            set(op, MEETS_LATER, true);
        }
    }

    /// An operation runs; `meets` where threads meet in it behind its access.
    pub(super) fn run(&mut self, order: GlobalOrder, meets: bool) {
        let GlobalOrder::Atomic { releases, acquires } = order else {
            self.accessed |= order != GlobalOrder::None;
            return;
        };
        if releases {
            *self = Self::default();
        }
        if !meets {
            self.accessed = true;
            self.acquired |= acquires;
        }
    }
}

/// Marks the atomic operations of a function behind which its program accesses no global memory, other atomic operations like them aside: what they would
/// acquire is the order of what follows, and nothing does. And those that only other iterations of their loop follow.
pub(super) fn mark_unobserved(function: Op<'_>) {
    for op in function.descendants() {
        if matches!(op.kind(), OpKind::TtAtomicRmw | OpKind::TtAtomicCas) {
            let is_last = is_unobserved(op) && !is_followed(op, function);
            set(op, UNOBSERVED, is_last);
            let around = op.parent_op().filter(|around| around.kind() == OpKind::ScfFor && ends_iteration(op));
            set(op, ENDS_ITERATION, !is_last && around.is_some_and(|around| !is_followed(around, function)));
        }
    }
}

/// An atomic operation acquires, and what follows in its block neither accesses memory nor lets threads meet: they do so in the next iteration, behind what
/// acquires on the way there. The next of several such operations lets them meet, and again asks for a meeting behind it.
fn ends_iteration(op: Op<'_>) -> bool {
    let acquires = |op: Op<'_>| {
        let is_asked = matches!(GlobalOrder::of(op), GlobalOrder::Atomic { acquires: true, .. });
        is_asked && is_unobserved(op) && op.operand(0).ty().is_tensor() && op.attr(ALLOCATION_OFFSET).is_none()
    };
    let is_silent = |op: Op<'_>| {
        let has_effects = !op.is_memory_effect_free() || op.attr(ALLOCATION_OFFSET).is_some();
        op.is_terminator() || op.num_regions() == 0 && !has_effects
    };
    let mut later = std::iter::successors(op.next(), |op| op.next());
    acquires(op) && later.all(|op| acquires(op) || is_silent(op))
}

fn is_unobserved(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtAtomicRmw && !op.result(0).has_uses()
}

/// The program may access global memory behind `op`.
fn is_followed(op: Op<'_>, function: Op<'_>) -> bool {
    // One that releases orders what came before it itself; one that does not may overtake what another program wrote before the one that it follows.
    let orders_itself =
        |op: Op<'_>| is_unobserved(op) && matches!(GlobalOrder::of(op), GlobalOrder::Atomic { releases: true, .. });
    let accesses = |op: Op<'_>| GlobalOrder::of(op) != GlobalOrder::None && !orders_itself(op);
    let has_access = |op: Op<'_>| control(op.kind()) == Control::Plain && accesses(op);
    let any = |op: Op<'_>| op.descendants().into_iter().chain([op]).any(has_access);
    let mut inner = op;
    while inner != function {
        let mut later = std::iter::successors(inner.next(), |op| op.next());
        let Some(around) = inner.parent_op() else { return true };
        let is_known = around == function || matches!(around.kind(), OpKind::ScfFor | OpKind::ScfIf | OpKind::ScfWhile);
        if !is_known || later.any(any) || is_loop(around) && any(around) {
            return true;
        }
        inner = around;
    }
    // Several blocks: what runs behind this one is not looked for.
    function.region(0).blocks().len() > 1
}

fn set(op: Op<'_>, name: &str, is_set: bool) {
    if is_set {
        op.set_attr(name, op.context().unit_attr());
    } else {
        op.remove_attr(name);
    }
}
