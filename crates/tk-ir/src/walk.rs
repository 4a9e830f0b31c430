//! Going over the operations in an operation, and the dominance question for structured control flow.

use crate::{Block, Op, OpKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_layout::conversion::Place;

/// What a visitor wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkResult {
    /// Go on.
    Advance,
    /// Do not look inside this operation (pre-order only).
    Skip,
    /// End the walk.
    Stop,
}

/// Whether an operation is visited before or after those inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkOrder {
    /// Before.
    Pre,
    /// After; the visited operation may be erased.
    Post,
}

impl<'c> Op<'c> {
    /// Visits this operation, then everything inside it, in order. The visitor may change the IR but not erase an
    /// operation that comes later in the same block. False when the visitor stopped the walk.
    pub fn walk(self, visit: &mut dyn FnMut(Op<'c>) -> WalkResult) -> bool {
        self.walk_in(WalkOrder::Pre, visit)
    }

    /// [`Self::walk`] with everything inside an operation before the operation itself, which may be erased.
    pub fn walk_post(self, visit: &mut dyn FnMut(Op<'c>) -> WalkResult) -> bool {
        self.walk_in(WalkOrder::Post, visit)
    }

    fn walk_in(self, order: WalkOrder, visit: &mut dyn FnMut(Op<'c>) -> WalkResult) -> bool {
        if order == WalkOrder::Pre {
            match visit(self) {
                WalkResult::Advance => {}
                WalkResult::Skip => return true,
                WalkResult::Stop => return false,
            }
        }
        for region in self.regions() {
            for block in region.blocks() {
                if !block.ops().into_iter().all(|op| op.walk_in(order, visit)) {
                    return false;
                }
            }
        }
        order == WalkOrder::Pre || visit(self) != WalkResult::Stop
    }

    /// A detached deep copy whose operands, inside too, go through `map`; its results are added to the map.
    pub fn clone_with(self, map: &mut FxHashMap<Value<'c>, Value<'c>>) -> Op<'c> {
        let copy = self.clone_op();
        copy.walk(&mut |op| {
            for (index, operand) in op.operands().into_iter().enumerate() {
                if let Some(mapped) = map.get(&operand) {
                    op.set_operand(index, *mapped);
                }
            }
            WalkResult::Advance
        });
        map.extend(self.results().into_iter().zip(copy.results()));
        copy
    }

    /// Everything inside this operation, itself first, in order.
    pub fn descendants(self) -> Vec<Op<'c>> {
        let mut found = Vec::new();
        self.collect_into(&mut found);
        found
    }

    /// Unlike [`Self::walk`] it holds no list of what comes next, as nobody changes the IR meanwhile.
    fn collect_into(self, found: &mut Vec<Op<'c>>) {
        found.push(self);
        for region in (0..self.num_regions()).map(|index| self.region(index)) {
            for block in std::iter::successors(region.first_block(), |block| block.next()) {
                std::iter::successors(block.first_op(), |op| op.next()).for_each(|op| op.collect_into(found));
            }
        }
    }

    /// This operation, its parent, its parent's parent, …
    pub fn ancestors(self) -> impl Iterator<Item = Op<'c>> {
        std::iter::successors(Some(self), |op| op.parent_op())
    }

    /// Where this operation stands, if it is a layout conversion: its plan depends on that.
    pub fn conversion_place(self) -> Place {
        let is_loop = |op: Op<'c>| matches!(op.kind(), OpKind::ScfFor | OpKind::ScfWhile);
        if self.ancestors().skip(1).any(is_loop) { Place::Anywhere } else { Place::OutsideOfLoops }
    }

    /// `other` is this operation or is somewhere inside it.
    pub fn contains(self, other: Op<'c>) -> bool {
        other.ancestors().any(|op| op == self)
    }

    /// The operation of `block` that is this one or holds it.
    pub fn ancestor_in(self, block: Block<'c>) -> Option<Op<'c>> {
        self.ancestors().find(|op| op.block() == Some(block))
    }
}

impl<'c> Value<'c> {
    /// The value is `source`, or operations of `block` compute it from `source`.
    pub fn comes_from(self, source: Value<'c>, block: Block<'c>) -> bool {
        let (mut seen, mut left) = (FxHashSet::default(), vec![self]);
        while let Some(value) = left.pop() {
            if value == source {
                return true;
            }
            if seen.insert(value.id())
                && let Some(op) = value.defining_op().filter(|op| op.ancestor_in(block).is_some())
            {
                left.extend(op.descendants().into_iter().flat_map(|inner| inner.operands()));
            }
        }
        false
    }

    /// The value may be used by `op`: it is defined before `op` in the same block or in a block around it.
    ///
    /// True and complete for structured control flow (one block per region). Between blocks of one region it says no.
    pub fn dominates(self, op: Op<'c>) -> bool {
        let Some(block) = self.parent_block() else { return false };
        let Some(ancestor) = op.ancestor_in(block) else { return false };
        match self.defining_op() {
            None => true,
            Some(definition) => definition != ancestor && definition.is_before_in_block(ancestor),
        }
    }
}
