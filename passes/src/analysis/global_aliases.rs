//! Whether a load may read what something in the same loop writes, so that it must not run ahead of it.
//!
//! Pointers and descriptors are traced back to the kernel's parameters. As in Triton, memory behind different parameters is taken to be different;
//! unlike in Triton, a loop that writes through the pointer it loads from keeps its order.

use crate::control_flow::flows_from;
use crate::operations::memory::{GlobalMemory, global_memory};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
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

/// Where the address of some memory comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// A pointer or descriptor that is a parameter.
    Parameter(usize),
    /// A number that was loaded through a parameter: a table of addresses.
    Table(usize),
    /// Something else.
    Unknown,
}

impl Origin {
    /// Addresses of both may lie in one tensor. Like parameters, two tables are taken to name different tensors.
    pub(crate) fn may_be_same(self, other: Self) -> bool {
        match (self, other) {
            (Origin::Parameter(own), Origin::Parameter(other)) | (Origin::Table(own), Origin::Table(other)) => {
                own == other
            }
            (Origin::Parameter(_) | Origin::Table(_) | Origin::Unknown, _) => true,
        }
    }
}

/// The parameters that a pointer or descriptor may be made from; `None` when it comes from elsewhere.
pub(crate) fn parameters_of(pointer: Value<'_>) -> Option<FxHashSet<usize>> {
    let parameter = |origin| match origin {
        Origin::Parameter(id) => Some(id),
        Origin::Table(_) | Origin::Unknown => None,
    };
    origins_of(pointer).into_iter().map(parameter).collect()
}

/// Where the address of a pointer or descriptor may come from.
pub(crate) fn origins_of(pointer: Value<'_>) -> BTreeSet<Origin> {
    let mut found = BTreeSet::new();
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
                found.insert(if is_parameter(value) { Origin::Parameter(value.id()) } else { Origin::Unknown });
            }
            // Nothing is accessed by it.
            Some(op) if op.kind() == OpKind::UbPoison => {}
            Some(op) if op.kind() == OpKind::ArithSelect => pending.extend([op.operand(1), op.operand(2)]),
            Some(op) if op.kind() == OpKind::TtIntToPtr => found.extend(tables_of(op.operand(0))),
            Some(op) if keeps_memory(op) => pending.push(op.operand(0)),
            Some(op) => {
                let bases = bases_of_maps(op);
                if bases.is_empty() {
                    found.insert(Origin::Unknown);
                }
                pending.extend(bases);
            }
        }
    }
    found
}

fn is_parameter(value: Value<'_>) -> bool {
    value.parent_block().and_then(|block| block.parent_op()).is_some_and(|op| op.kind() == OpKind::TtFunc)
}

/// The tables that an address which is a number was loaded from.
fn tables_of(address: Value<'_>) -> BTreeSet<Origin> {
    let loaded = address.defining_op().filter(|op| op.kind() == OpKind::TtLoad);
    match loaded.and_then(|load| parameters_of(load.operand(0))) {
        Some(parameters) => parameters.into_iter().map(Origin::Table).collect(),
        None => BTreeSet::from([Origin::Unknown]),
    }
}

/// The memory of the tensors that tensor maps in this scratch memory describe.
fn bases_of_maps(scratch: Op<'_>) -> Vec<Value<'_>> {
    if scratch.kind() != OpKind::TtgGlobalScratchAlloc {
        return Vec::new();
    }
    let is_in_it = |map: &Op<'_>| {
        let mut memory = map.operand(0);
        while let Some(op) = memory.defining_op().filter(|op| op.kind() == OpKind::TtAddPtr) {
            memory = op.operand(0);
        }
        memory.defining_op() == Some(scratch)
    };
    let function = scratch.ancestors().find(|op| op.kind() == OpKind::TtFunc);
    let all = function.map(|function| function.descendants()).unwrap_or_default();
    let maps = all.into_iter().filter(|op| op.kind() == OpKind::TtngTensormapCreate);
    maps.filter(is_in_it).map(|map| map.operand(1)).collect()
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
            | TtngReinterpretTensorDescriptor
            | TtgConvertLayout
            | TkHint
    )
}
