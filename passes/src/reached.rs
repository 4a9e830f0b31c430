//! How far text from elsewhere has come: what is in it says which passes must have run.
//!
//! Text of ours says so itself. Other compilers have passes of the same kinds in the same order, so the latest trace of one decides.

use crate::attributes::{ALLOCATION_OFFSET, LATENCY, LOOP_STAGE, SHARED, VECTOR};
use crate::convert_to_ttg::has_layouts;
use crate::operations::memory::{SharedMemory, shared_memory};
use crate::{Position, accelerate_matmul, allocate_shared_memory, assign_latencies, convert_to_ttg, interleave_copies};
use crate::{schedule_loops, vectorize_memory};
use tk_ir::{Module, Op, OpKind};
use tk_layout::Encoding;

/// The place in the pipeline from which a module goes on: behind the last pass that left a trace.
pub fn reached(module: &Module<'_>) -> Position {
    if !has_layouts(module) {
        return Position::START;
    }
    let is_allocated = module.op().attr(SHARED).is_some().then_some(allocate_shared_memory::PASS.name);
    let traces = module.functions().into_iter().flat_map(|function| function.descendants()).filter_map(trace);
    let passes = traces.chain(is_allocated).chain([convert_to_ttg::PASS.name]);
    passes.filter_map(|pass| Position::START.behind(pass)).max().unwrap_or(Position::START)
}

/// The latest pass without which an operation would not be as it is.
fn trace(op: Op<'_>) -> Option<&'static str> {
    let has = |name: &str| op.attr(name).is_some();
    if has(ALLOCATION_OFFSET) {
        Some(allocate_shared_memory::PASS.name)
    } else if has(VECTOR) {
        Some(vectorize_memory::PASS.name)
    } else if is_asynchronous(op) {
        Some(interleave_copies::PASS.name)
    } else if has(LOOP_STAGE) {
        Some(schedule_loops::PASS.name)
    } else if has(LATENCY) {
        Some(assign_latencies::PASS.name)
    } else {
        op.results().into_iter().any(|result| has_fragments(result.ty())).then_some(accelerate_matmul::PASS.name)
    }
}

/// Copies and waits, and buffers that are written later: what is left of a loop whose iterations overlap.
fn is_asynchronous(op: Op<'_>) -> bool {
    use SharedMemory::*;
    let memory = shared_memory(op.kind());
    matches!(
        memory,
        StartCopy | WaitForCopies | StartLoad | WaitAtMbarrier | InitMbarrier | Announce | Arrive | WaitForStores
    ) || op.kind() == OpKind::TtgLocalAlloc && op.num_operands() == 0
}

/// A tensor that matrix instructions made.
fn has_fragments(ty: tk_ir::Type<'_>) -> bool {
    ty.is_tensor() && matches!(ty.layout().as_deref(), Some(Encoding::NvidiaMma(_)))
}
