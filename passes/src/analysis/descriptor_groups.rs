//! Which tensor descriptors are one: values that control flow passes into each other, which therefore have one type.
//!
//! A descriptor is a parameter of the kernel or made by `tt.make_tensor_descriptor`; loops may carry it and branches may choose one. All
//! values that are connected this way form a group, with everything that accesses global memory through it.

use crate::control_flow::flows_into;
use crate::operations::memory::{GlobalMemory, global_memory};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::{Op, OpKind, Value};

/// Descriptors that are one.
#[derive(Clone, Debug, Default)]
pub struct DescriptorGroup<'c> {
    /// Every value of the group, in program order.
    pub values: Vec<Value<'c>>,
    /// The accesses through them: loads, stores, reductions, gathers and scatters.
    pub accesses: Vec<Op<'c>>,
}

/// The groups of `function`, in the order of their first values.
pub fn descriptor_groups(function: Op<'_>) -> Vec<DescriptorGroup<'_>> {
    let mut sources: Vec<Value<'_>> = function.region(0).first_block().map(|b| b.arguments()).unwrap_or_default();
    for op in function.descendants() {
        sources.extend(op.results());
        let inner = op.regions().into_iter().filter(|_| op != function).flat_map(|region| region.blocks());
        sources.extend(inner.flat_map(|block| block.arguments()));
    }
    sources.retain(|value| value.ty().descriptor_block().is_some());
    let neighbours = neighbours(&sources);
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut groups = Vec::new();
    for source in sources {
        if seen.contains(&source.id()) {
            continue;
        }
        let mut group = DescriptorGroup::default();
        let mut pending = vec![source];
        while let Some(value) = pending.pop() {
            if seen.insert(value.id()) {
                group.values.push(value);
                group.accesses.extend(value.users().into_iter().map(|(user, _)| user).filter(|user| is_access(*user)));
                pending.extend(neighbours.get(&value.id()).into_iter().flatten());
            }
        }
        groups.push(group);
    }
    groups
}

/// Loads, stores, reductions, gathers and scatters of blocks.
pub(crate) fn is_access(op: Op<'_>) -> bool {
    matches!(global_memory(op.kind()), GlobalMemory::Block(_))
}

/// Both ways: which values each value flows into or from.
fn neighbours<'c>(sources: &[Value<'c>]) -> FxHashMap<usize, Vec<Value<'c>>> {
    let mut neighbours: FxHashMap<usize, Vec<Value<'c>>> = FxHashMap::default();
    for &source in sources {
        for (user, operand) in source.users() {
            let mut targets = flows_into(user, operand);
            if user.kind() == OpKind::ArithSelect {
                targets.push(user.result(0));
            }
            for target in targets {
                neighbours.entry(source.id()).or_default().push(target);
                neighbours.entry(target.id()).or_default().push(source);
            }
        }
    }
    neighbours
}
