//! Stores to global memory that other threads of the CTA read: the program stores a tensor and loads it again, and the two have layouts
//! in which an element belongs to different threads.
//!
//! Where both have one layout that gives each element to one thread, that thread reads what it wrote itself. Where a layout gives an element to
//! several threads, one of them stores it, and the others must wait before they load through the same pointers. Everything else waits: loads
//! in other layouts, and loads of single elements. Whether addresses are those that were stored to is not known otherwise, so any load through a
//! parameter that was stored through counts. Threads that have met since see everything.
//!
//! Left to the program, and to `tl.debug_barrier()`: a tensor that is stored and loaded in one layout through pointers in another order, and what
//! atomic operations order.

use crate::analysis::global_aliases::parameters_of;
use crate::operations::memory::{Access, GlobalMemory, global_memory};
use tk_ir::{Op, Type, Value};
use tk_layout::Dim;

/// A store by all threads through one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GlobalStore {
    /// The parameter; `None` where it is not known.
    parameter: Option<usize>,
    owners: Owners,
    /// The pointers; `None` for those of another iteration.
    pointers: Option<usize>,
}

impl GlobalStore {
    /// The same store, seen from the next iteration of a loop: pointers that the loop computes are others by then.
    pub(super) fn of_earlier_iteration(self, around: Op<'_>) -> Self {
        let is_computed = |id: usize| {
            around.descendants().iter().any(|op| op.results().iter().any(|result| result.id() == id))
                || around.regions().iter().flat_map(|region| region.blocks()).any(|block| block.arguments().iter().any(|argument| argument.id() == id))
        };
        Self { pointers: self.pointers.filter(|id| !is_computed(*id)), ..self }
    }
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
}

/// What a store through pointers leaves pending.
pub(super) fn stores_of(op: Op<'_>) -> Vec<GlobalStore> {
    if global_memory(op.kind()) != GlobalMemory::Pointers(Access::Write) {
        return Vec::new();
    }
    let pointers = op.operand(0);
    let of = |parameter| GlobalStore { parameter, owners: owners(pointers.ty()), pointers: Some(pointers.id()) };
    parameters(pointers).into_iter().map(of).collect()
}

/// A load may read what another thread stored.
pub(super) fn must_wait(op: Op<'_>, stored: &[GlobalStore]) -> bool {
    if stored.is_empty() || global_memory(op.kind()) != GlobalMemory::Pointers(Access::Read) {
        return false;
    }
    let pointers = op.operand(0);
    let (owners, read) = (owners(pointers.ty()), parameters(pointers));
    stored.iter().any(|store| {
        let is_read = store.parameter.is_none() || read.contains(&None) || read.contains(&store.parameter);
        is_read
            && match owners {
                Owners::Each(_) => store.owners != owners,
                Owners::Several(_) => store.owners != owners || store.pointers == Some(pointers.id()),
                Owners::All => true,
            }
    })
}

/// A load inside of `op` may read what another thread stored before `op`.
pub(super) fn must_wait_before(op: Op<'_>, stored: &[GlobalStore]) -> bool {
    !stored.is_empty() && op.descendants().into_iter().any(|inner| must_wait(inner, stored))
}

fn parameters(pointers: Value<'_>) -> Vec<Option<usize>> {
    match parameters_of(pointers) {
        Some(parameters) => parameters.into_iter().map(Some).collect(),
        None => vec![None],
    }
}

fn owners(pointers: Type<'_>) -> Owners {
    let Some(layout) = pointers.encoding() else { return Owners::All };
    let linear = pointers.layout().and_then(|layout| layout.to_linear(&pointers.shape()).ok());
    let is_other_thread = |(dim, mask): (Dim, u32)| dim != Dim::Register && mask != 0;
    match linear.map(|linear| linear.free_masks().into_iter().any(is_other_thread)) {
        Some(false) => Owners::Each(layout.id()),
        Some(true) | None => Owners::Several(layout.id()),
    }
}
