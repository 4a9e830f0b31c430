//! `scf.for`, `scf.if`, `scf.while`.

use super::view;
use crate::{Block, Op, Value};

view! {
    /// `scf.for`.
    ForOp = ScfFor {
        /// First value of the induction variable.
        lower = operand 0;
        /// Where it ends, not included.
        upper = operand 1;
        /// What is added each time.
        step = operand 2;
    }
    /// `scf.if`.
    IfOp = ScfIf {
        /// The `i1` that chooses.
        condition = operand 0;
    }
    /// `scf.while`.
    WhileOp = ScfWhile {}
    /// `scf.condition`, the terminator of the first region of `scf.while`.
    ConditionOp = ScfCondition {
        /// The `i1` that says whether to go on.
        condition = operand 0;
    }
}

impl<'c> ForOp<'c> {
    /// Initial values of the loop-carried values.
    pub fn init_args(self) -> Vec<Value<'c>> {
        self.op.operands().split_off(3)
    }

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

    /// The values after the loop, one per loop-carried value.
    pub fn results(self) -> Vec<Value<'c>> {
        self.op.results()
    }

    /// The induction variable is compared as an unsigned number.
    pub fn unsigned(self) -> bool {
        self.op.attr("unsignedCmp").is_some()
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
    /// Initial values of the loop-carried values.
    pub fn init_args(self) -> Vec<Value<'c>> {
        self.op.operands()
    }

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

impl<'c> ConditionOp<'c> {
    /// The values passed to the work, or out of the loop.
    pub fn args(self) -> Vec<Value<'c>> {
        self.op.operands().split_off(1)
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
