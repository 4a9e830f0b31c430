//! The memory operations that share address arithmetic or data with one: its slice, all that can be reached from it over uses both ways.
//!
//! Triton asks the multi-root slice of every memory operation anew, a quadratic walk. Uses go both ways, so the operations between loop
//! boundaries fall into components, which one union-find gives in nearly linear time. Only regions have a direction: a walk that reaches a loop
//! or branch reaches what is inside, not the other way round.

use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::{Op, OpKind};

/// Which operations of a function reach each other.
#[derive(Debug, Default)]
pub struct Slices {
    parents: Vec<u32>,
    of_op: FxHashMap<usize, u32>,
    /// From an operation with regions to the operations in them.
    inside: Vec<(u32, u32)>,
}

impl Slices {
    /// Connects everything in `function`.
    pub fn of(function: Op<'_>) -> Self {
        let mut slices = Self::default();
        for op in function.descendants() {
            slices.connect(op);
        }
        slices
    }

    /// The number of the component that `op` is in.
    pub fn component(&self, op: Op<'_>) -> Option<u32> {
        self.of_op.get(&op.id()).map(|&node| self.root(node))
    }

    /// The components that can be reached from `component`, itself included.
    pub fn reachable(&self, component: u32) -> FxHashSet<u32> {
        let mut found = FxHashSet::from_iter([component]);
        loop {
            let before = found.len();
            for &(outer, inner) in &self.inside {
                if found.contains(&self.root(outer)) {
                    found.insert(self.root(inner));
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    fn connect(&mut self, op: Op<'_>) {
        if op.kind() == OpKind::TtFunc {
            return;
        }
        let node = self.node(op);
        if let Some(parent) = op.parent_op().filter(|parent| parent.kind() != OpKind::TtFunc) {
            let parent = self.node(parent);
            self.inside.push((parent, node));
        }
        for operand in op.operands() {
            // What a loop carries belongs to the loop; arguments of functions and of other regions connect nothing.
            let carrier = || operand.parent_block()?.parent_op().filter(|parent| parent.kind() == OpKind::ScfFor);
            if let Some(definition) = operand.defining_op().or_else(carrier) {
                let definition = self.node(definition);
                self.union(node, definition);
            }
        }
    }

    fn node(&mut self, op: Op<'_>) -> u32 {
        let next = self.parents.len() as u32;
        *self.of_op.entry(op.id()).or_insert_with(|| {
            self.parents.push(next);
            next
        })
    }

    fn root(&self, mut node: u32) -> u32 {
        while self.parents[node as usize] != node {
            node = self.parents[node as usize];
        }
        node
    }

    fn union(&mut self, a: u32, b: u32) {
        let (mut a, b) = (a, self.root(b));
        // Path halving keeps the trees flat.
        while self.parents[a as usize] != a {
            let grand = self.parents[self.parents[a as usize] as usize];
            self.parents[a as usize] = grand;
            a = grand;
        }
        self.parents[a as usize] = b;
    }
}
