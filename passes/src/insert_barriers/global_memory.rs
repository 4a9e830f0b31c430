//! Stores to global memory that other threads of the CTA read: the program stores a tensor and loads it again, and the two have layouts
//! in which an element belongs to different threads.
//!
//! Where both have one layout that gives each element to one thread, that thread reads what it wrote itself. Where a layout gives an element to
//! several threads, one of them stores it, and the others must wait before they load through the same pointers. Everything else waits: loads
//! in other layouts, and loads of single elements that others need than the first thread, which stores them. Whether addresses are those that were stored to is not known otherwise, so any load through a
//! parameter that was stored through counts. Threads that have met since see everything.
//!
//! The other way round, a store waits for loads through its parameter by other threads, so that nobody finds what is stored too early.
//!
//! Offsets that are loaded say nothing of who has an element: a thread that scatters a row by loaded numbers writes what others load in one and
//! the same layout. So one layout does not help there, only the same pointers do.
//!
//! Left to the program, and to `tl.debug_barrier()`: a tensor that is stored and loaded in one layout through pointers in another computed order, one
//! that is loaded by several threads and then stored, and what atomic operations order.

use crate::analysis::global_aliases::parameters_of;
use crate::attributes::FIRST_THREAD;
use crate::operations::memory::{Access, GlobalMemory, global_memory};
use rustc_hash::FxHashSet;
use tk_ir::{Op, OpKind, Type, Value};
use tk_layout::Dim;

/// Operations that offsets are followed through.
const MOST_OPERATIONS: usize = 64;

/// A load or a store by all threads through one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GlobalAccess {
    /// The parameter; `None` where it is not known.
    parameter: Option<usize>,
    owners: Owners,
    /// The pointers; `None` for those of another iteration.
    pointers: Option<usize>,
    places: Places,
}

impl GlobalAccess {
    /// The same access, seen from the next iteration of a loop: pointers that the loop computes are others by then.
    pub(super) fn of_earlier_iteration(self, around: Op<'_>) -> Self {
        let is_computed = |id: usize| {
            around.descendants().iter().any(|op| op.results().iter().any(|result| result.id() == id))
                || around
                    .regions()
                    .iter()
                    .flat_map(|region| region.blocks())
                    .any(|block| block.arguments().iter().any(|argument| argument.id() == id))
        };
        Self { pointers: self.pointers.filter(|id| !is_computed(*id)), ..self }
    }
}

/// Where the elements of an access are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Places {
    /// At places that are computed.
    Computed,
    /// Each at a place that was loaded.
    Loaded,
}

/// Which threads have the elements of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owners {
    /// One thread has each, by the tensor's type.
    Each(usize),
    /// Several threads have the same element, by the tensor's type, and one of them stores it.
    Several(usize),
    /// All threads have the one element.
    All,
    /// Only the first thread accesses the one element.
    First,
}

/// What an access through pointers does, once for each parameter that it may go through; `None` for other operations.
pub(super) fn accesses_of(op: Op<'_>) -> Option<(Direction, Vec<GlobalAccess>)> {
    let direction = match global_memory(op.kind()) {
        GlobalMemory::Pointers(Access::Read) => Direction::Load,
        GlobalMemory::Pointers(Access::Write) => Direction::Store,
        // Atomic operations order themselves, and blocks of descriptors have waits of their own.
        GlobalMemory::Pointers(Access::Combine | Access::Synchronize)
        | GlobalMemory::Block(_)
        | GlobalMemory::Copy(_)
        | GlobalMemory::None
        | GlobalMemory::Unknown => return None,
    };
    let pointers = op.operand(0);
    let owners = if is_of_first_thread(op) { Owners::First } else { owners(pointers.ty()) };
    let places = if has_loaded_offsets(pointers) { Places::Loaded } else { Places::Computed };
    let of = |parameter| GlobalAccess { parameter, owners, pointers: Some(pointers.id()), places };
    let parameters = parameters_of(pointers).map_or_else(|| vec![None], |known| known.into_iter().map(Some).collect());
    Some((direction, parameters.into_iter().map(of).collect()))
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Load,
    Store,
}

/// An access must wait for some of those the other way that are pending.
pub(super) fn must_wait(direction: Direction, accesses: &[GlobalAccess], pending: &[GlobalAccess]) -> bool {
    let may_be_same = |a: &GlobalAccess, b: &GlobalAccess| {
        a.parameter.is_none() || b.parameter.is_none() || a.parameter == b.parameter
    };
    let is_anywhere = |a: &GlobalAccess, b: &GlobalAccess| {
        (a.places == Places::Loaded || b.places == Places::Loaded) && (a.pointers.is_none() || a.pointers != b.pointers)
    };
    let is_by_others = |a: &GlobalAccess, b: &GlobalAccess| match a.owners {
        Owners::Each(_) => a.owners != b.owners || is_anywhere(a, b),
        Owners::Several(_) => {
            a.owners != b.owners || direction == Direction::Load && a.pointers == b.pointers || is_anywhere(a, b)
        }
        Owners::All => true,
        Owners::First => b.owners != Owners::First,
    };
    pending.iter().any(|other| accesses.iter().any(|access| may_be_same(access, other) && is_by_others(access, other)))
}

/// A store of a single element, or a load that is marked so.
pub(super) fn is_of_first_thread(op: Op<'_>) -> bool {
    let is_single = !op.operand(0).ty().is_tensor();
    match global_memory(op.kind()) {
        GlobalMemory::Pointers(Access::Write) => is_single,
        GlobalMemory::Pointers(Access::Read) => is_single && op.attr(FIRST_THREAD).is_some(),
        GlobalMemory::Pointers(Access::Combine | Access::Synchronize)
        | GlobalMemory::Block(_)
        | GlobalMemory::Copy(_)
        | GlobalMemory::None
        | GlobalMemory::Unknown => false,
    }
}

/// Whether each element has an offset of its own that was loaded. A single number that is loaded moves all of them alike.
fn has_loaded_offsets(pointers: Value<'_>) -> bool {
    let mut seen = FxHashSet::default();
    let mut queue = vec![pointers];
    while let Some(value) = queue.pop() {
        let Some(op) = value.defining_op().filter(|_| value.ty().is_tensor()) else { continue };
        // What was copied ahead is loaded from shared memory.
        if op.kind() == OpKind::TtgLocalLoad {
            return true;
        }
        match global_memory(op.kind()) {
            GlobalMemory::Pointers(Access::Read | Access::Combine | Access::Synchronize) => return true,
            GlobalMemory::None if seen.len() < MOST_OPERATIONS && seen.insert(op.id()) => queue.extend(op.operands()),
            GlobalMemory::None
            | GlobalMemory::Pointers(Access::Write)
            | GlobalMemory::Block(_)
            | GlobalMemory::Copy(_)
            | GlobalMemory::Unknown => {}
        }
    }
    false
}

fn owners(pointers: Type<'_>) -> Owners {
    let Some(layout) = pointers.encoding() else { return Owners::All };
    let linear = pointers.linear_layout();
    let is_other_thread = |(dim, mask): (Dim, u32)| dim != Dim::Register && mask != 0;
    match linear.map(|linear| linear.free_masks().into_iter().any(is_other_thread)) {
        Some(false) => Owners::Each(layout.id()),
        Some(true) | None => Owners::Several(layout.id()),
    }
}
