//! Which operations use shared memory, so that bank conflicts of a line have a reason.

use super::{place, tensor_text};
use crate::operations::memory::{Scratch, SharedMemory, shared_memory};
use tk_ir::{Op, OpKind, Value};
use tk_why::{SharedUse, SharedWork};

/// The uses of a function, in program order.
pub(super) fn of(function: Op<'_>) -> Vec<SharedUse> {
    let uses = function.descendants().into_iter().flat_map(|op| used(op).into_iter().chain(read_by_product(op)));
    uses.filter(|one| one.place.is_known()).collect()
}

/// Operands in shared memory, of which code generation reads parts where the product needs them.
fn read_by_product(op: Op<'_>) -> Vec<SharedUse> {
    if op.kind() != OpKind::TtDot {
        return Vec::new();
    }
    let is_read = |value: &Value<'_>| value.defining_op().is_some_and(|from| from.kind() == OpKind::TtgLocalLoad);
    let operands = op.operands().into_iter().filter(is_read);
    let used = |operand: Value<'_>| SharedUse {
        place: place(op.loc()),
        work: SharedWork::Buffer,
        tensor: tensor_text(operand.ty()),
    };
    operands.map(used).collect()
}

fn used(op: Op<'_>) -> Option<SharedUse> {
    let work = work(shared_memory(op.kind()))?;
    let mut values = op.operands().into_iter().chain(op.results());
    let largest = values.by_ref().filter(|value| value.ty().rank() > 0).max_by_key(elements);
    let tensor = largest.map(|value| tensor_text(value.ty())).unwrap_or_default();
    Some(SharedUse { place: place(op.loc()), work, tensor })
}

fn elements(value: &Value<'_>) -> i64 {
    value.ty().num_elements()
}

fn work(memory: SharedMemory) -> Option<SharedWork> {
    match memory {
        SharedMemory::Scratch(scratch) => Some(match scratch {
            Scratch::Conversion => SharedWork::Conversion,
            Scratch::Reduction => SharedWork::Reduction,
            Scratch::Scan => SharedWork::Scan,
            Scratch::Atomic => SharedWork::Atomic,
            Scratch::Histogram => SharedWork::Histogram,
            Scratch::Gather => SharedWork::Gather,
            Scratch::TensorMap => SharedWork::Control,
        }),
        SharedMemory::Allocate
        | SharedMemory::Read
        | SharedMemory::Write { .. }
        | SharedMemory::StartCopy
        | SharedMemory::StartDot
        | SharedMemory::StartStore
        | SharedMemory::StartLoad => Some(SharedWork::Buffer),
        SharedMemory::InitMbarrier | SharedMemory::Announce | SharedMemory::Arrive | SharedMemory::WaitAtMbarrier => {
            Some(SharedWork::Control)
        }
        SharedMemory::None
        | SharedMemory::Call
        | SharedMemory::Free
        | SharedMemory::View
        | SharedMemory::WaitForCopies
        | SharedMemory::WaitForDots
        | SharedMemory::WaitForStores
        | SharedMemory::Fence
        | SharedMemory::Barrier => None,
    }
}
