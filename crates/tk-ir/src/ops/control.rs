//! Loops and branches: their blocks, and the values that go through them.

use super::{ConditionOp, ForOp, IfOp, WhileOp};
use crate::{Block, Op, Value};

impl<'c> ForOp<'c> {
    /// The body; a verified loop has exactly one block.
    pub fn body(self) -> Block<'c> {
        body_of(self.op, 0)
    }

    /// The induction variable.
    pub fn induction_var(self) -> Value<'c> {
        self.body().argument(0)
    }

    /// The loop-carried values inside the body.
    pub fn iter_args(self) -> Vec<Value<'c>> {
        self.body().arguments().split_off(1)
    }

    /// The terminator of the body.
    pub fn yield_op(self) -> Op<'c> {
        terminator_of(self.body())
    }

    /// The loop-carried values at the end of an iteration.
    pub fn yielded(self) -> Vec<Value<'c>> {
        self.yield_op().operands()
    }
}

impl<'c> IfOp<'c> {
    /// The block that runs when it is true.
    pub fn then_block(self) -> Block<'c> {
        body_of(self.op, 0)
    }

    /// The block that runs when it is false.
    pub fn else_block(self) -> Option<Block<'c>> {
        self.op.region(1).first_block()
    }

    /// The terminator of the first block.
    pub fn then_yield(self) -> Op<'c> {
        terminator_of(self.then_block())
    }

    /// The terminator of the second block.
    pub fn else_yield(self) -> Option<Op<'c>> {
        self.else_block().map(terminator_of)
    }
}

impl<'c> WhileOp<'c> {
    /// The block that decides; its arguments are the loop-carried values.
    pub fn before(self) -> Block<'c> {
        body_of(self.op, 0)
    }

    /// The block that does the work; its arguments are what the condition passes on.
    pub fn after(self) -> Block<'c> {
        body_of(self.op, 1)
    }

    /// The terminator of the block that decides.
    pub fn condition(self) -> ConditionOp<'c> {
        ConditionOp { op: terminator_of(self.before()) }
    }

    /// The terminator of the block that does the work: the next loop-carried values.
    pub fn yield_op(self) -> Op<'c> {
        terminator_of(self.after())
    }
}

/// The block of a region that the verifier guarantees to have one.
fn body_of(op: Op<'_>, region: usize) -> Block<'_> {
    match op.region(region).first_block() {
        Some(block) => block,
        None => panic!("{} has an empty region", op.name()),
    }
}

/// The terminator that the verifier guarantees.
fn terminator_of(block: Block<'_>) -> Op<'_> {
    match block.terminator() {
        Some(op) => op,
        None => panic!("a block has no terminator"),
    }
}
