//! Reductions and scans with a combining region.

use super::view;
use crate::{Block, Op, OpKind, Value};

view! {
    /// `tt.reduce`.
    ReduceOp = TtReduce {}
    /// `tt.scan`.
    ScanOp = TtScan {}
}

impl<'c> ReduceOp<'c> {
    /// The reduced tensors, of one shape.
    pub fn operands(self) -> Vec<Value<'c>> {
        self.op.operands()
    }

    /// The dimension that goes away.
    pub fn axis(self) -> usize {
        self.op.required_int("axis") as usize
    }

    /// The block that combines: arguments are the left values, then the right values.
    pub fn combine(self) -> Option<Block<'c>> {
        self.op.region(0).first_block()
    }

    /// The one operation that combines, when the region is `combine(left, right); return`.
    pub fn single_combiner(self) -> Option<Op<'c>> {
        single_combiner(self.combine()?)
    }

    /// One result per operand.
    pub fn results(self) -> Vec<Value<'c>> {
        self.op.results()
    }
}

impl<'c> ScanOp<'c> {
    /// The scanned tensors, of one shape.
    pub fn operands(self) -> Vec<Value<'c>> {
        self.op.operands()
    }

    /// The dimension along which it runs.
    pub fn axis(self) -> usize {
        self.op.required_int("axis") as usize
    }

    /// From the end to the beginning.
    pub fn reverse(self) -> bool {
        self.op.int_attr("reverse") == Some(1)
    }

    /// The block that combines: arguments are the left values, then the right values.
    pub fn combine(self) -> Option<Block<'c>> {
        self.op.region(0).first_block()
    }

    /// The one operation that combines, when the region is `combine(left, right); return`.
    pub fn single_combiner(self) -> Option<Op<'c>> {
        single_combiner(self.combine()?)
    }

    /// One result per operand.
    pub fn results(self) -> Vec<Value<'c>> {
        self.op.results()
    }
}

fn single_combiner(block: Block<'_>) -> Option<Op<'_>> {
    let [combiner, last] = block.ops()[..] else { return None };
    let returns = matches!(last.kind(), OpKind::TtReduceReturn | OpKind::TtScanReturn);
    let [left, right] = block.arguments()[..] else { return None };
    let operands = combiner.operands();
    let combines = operands == [left, right] || operands == [right, left];
    (returns && combines && last.operands() == combiner.results()).then_some(combiner)
}
