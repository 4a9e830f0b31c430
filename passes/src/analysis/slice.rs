//! The memory operations that share address arithmetic or data with one: all that can be reached from it over uses, both ways.
//!
//! Triton asks the multi-root slice of every memory operation anew. Reachability is an equivalence, so one union-find over the
//! operations of a function answers for all of them, in nearly linear time.

use rustc_hash::FxHashMap;
use tk_ir::{Op, OpKind};

/// Which operations of a function are connected.
#[derive(Debug, Default)]
pub struct Slices {
    parents: Vec<u32>,
    of_op: FxHashMap<usize, u32>,
}

impl Slices {
    /// Connects everything in `function`.
    pub fn of<'c>(function: Op<'c>) -> Self {
        let mut slices = Self::default();
        for op in function.descendants() {
            slices.connect(op);
        }
        slices
    }

    /// The number of the slice that `op` is in.
    pub fn slice_of(&self, op: Op<'_>) -> Option<u32> {
        self.of_op.get(&op.id()).map(|&node| self.root(node))
    }

    /// Everything in a loop or a branch belongs together; function arguments connect nothing.
    fn connect(&mut self, op: Op<'_>) {
        if op.kind() == OpKind::TtFunc {
            return;
        }
        let node = self.node_of_op(op);
        if let Some(parent) = op.parent_op().filter(|parent| parent.kind() != OpKind::TtFunc) {
            let parent = self.node_of_op(parent);
            self.union(node, parent);
        }
        for operand in op.operands() {
            let definition = match operand.defining_op() {
                Some(definition) => Some(definition),
                None => operand.parent_block().and_then(|block| block.parent_op()),
            };
            if let Some(definition) = definition.filter(|op| op.kind() != OpKind::TtFunc) {
                let definition = self.node_of_op(definition);
                self.union(node, definition);
            }
        }
    }

    fn node_of_op(&mut self, op: Op<'_>) -> u32 {
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
