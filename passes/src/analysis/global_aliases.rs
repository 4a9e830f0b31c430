//! Whether a load may read what something in the same loop writes, so that it must not run ahead of it.
//!
//! Pointers and descriptors are traced back to the kernel's parameters. As in Triton, memory behind different parameters is taken to be different;
//! unlike in Triton, a loop that writes through the pointer it loads from keeps its order.

use crate::control_flow::flows_from;
use crate::operations::memory::{GlobalMemory, global_memory};
use rustc_hash::FxHashSet;
use tk_ir::{Op, OpKind, Value};

/// The parameters that a loop writes through.
#[derive(Clone, Debug, Default)]
pub struct GlobalWrites {
    parameters: FxHashSet<usize>,
    /// Something is written that cannot be traced to a parameter.
    anything: bool,
}

impl GlobalWrites {
    /// What `op` and everything inside it writes to global memory.
    pub fn of(op: Op<'_>) -> Self {
        let mut writes = Self::default();
        for inner in op.descendants() {
            match global_memory(inner.kind()) {
                GlobalMemory::Pointers(access) | GlobalMemory::Block(access) | GlobalMemory::Copy(access) => {
                    if access.is_ordered() {
                        writes.add(inner.operand(0));
                    }
                }
                GlobalMemory::Unknown => writes.anything |= !inner.is_memory_effect_free(),
                GlobalMemory::None => {}
            }
        }
        writes
    }

    fn add(&mut self, pointer: Value<'_>) {
        match parameters_of(pointer) {
            Some(parameters) => self.parameters.extend(parameters),
            None => self.anything = true,
        }
    }

    /// Nothing is written.
    pub fn is_empty(&self) -> bool {
        !self.anything && self.parameters.is_empty()
    }

    /// `load`, through a pointer or a descriptor, may read something that is written.
    pub fn may_change(&self, load: Op<'_>) -> bool {
        if self.is_empty() {
            return false;
        }
        self.anything
            || parameters_of(load.operand(0))
                .is_none_or(|own| own.iter().any(|pointer| self.parameters.contains(pointer)))
    }
}

/// The parameters that a pointer or descriptor may be made from; `None` when it comes from elsewhere.
pub(crate) fn parameters_of(pointer: Value<'_>) -> Option<FxHashSet<usize>> {
    let mut found = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut pending = vec![pointer];
    while let Some(value) = pending.pop() {
        if !seen.insert(value.id()) {
            continue;
        }
        if let Some(sources) = flows_from(value) {
            pending.extend(sources);
            continue;
        }
        match value.defining_op() {
            None => {
                let block = value.parent_block()?;
                block.parent_op().filter(|op| op.kind() == OpKind::TtFunc)?;
                found.insert(value.id());
            }
            Some(op) if op.kind() == OpKind::ArithSelect => pending.extend([op.operand(1), op.operand(2)]),
            Some(op) if keeps_memory(op) => pending.push(op.operand(0)),
            Some(_) => return None,
        }
    }
    Some(found)
}

/// The result points to the memory that operand 0 points to. A pointer made by any other operation may point anywhere.
fn keeps_memory(op: Op<'_>) -> bool {
    use OpKind::*;
    matches!(
        op.kind(),
        TtAddPtr
            | TtSplat
            | TtBroadcast
            | TtExpandDims
            | TtReshape
            | TtTrans
            | TtBitcast
            | TtMakeTensorDescriptor
            | TtgConvertLayout
            | TkHint
    )
}
