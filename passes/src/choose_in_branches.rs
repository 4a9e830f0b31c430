//! Lets a branch make choices between blocks that depend on its condition.
//!
//! A persistent kernel's sum starts anew at the end of a tile, where a branch stores the old one: `select(ends, 0, sum)` takes an instruction for
//! each element in every iteration, and in the branch it takes them once for each tile.
//!
//! ```text
//! next = select(ends, 0, sum)         next = if ends { …; yield 0 } else { yield sum }
//! if ends { … }
//! ```
//!
//! MLIR's canonicalisation turns such results of branches into choices, so this comes behind the last of it.
//!
//! 1. Find the branches of loops.  2. Choices by their conditions before them, that nobody uses before they are over.  3. Results in their place.

use crate::analysis::live_registers::registers;
use crate::control_flow::{NewResult, extend_if, loops_of};
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{ForOp, IfOp};
use tk_ir::{Block, Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "choose-in-branches", summary: "choose between blocks in the branch of their condition", run };

/// Registers of a block whose choice costs more than a branch that has to hand it on.
const MANY_REGISTERS: u32 = 16;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        for view in loops_of(function) {
            let branches = view.body().ops().into_iter().filter_map(IfOp::cast);
            let plans: Vec<(IfOp<'_>, Vec<Op<'_>>)> = branches
                .map(|branch| (branch, choices_of(view, branch)))
                .filter(|(_, choices)| !choices.is_empty())
                .collect();
            plans.into_iter().for_each(|(branch, choices)| move_into(branch, &choices));
        }
    }
    Ok(())
}

/// The choices by the condition of a branch that stand before it, while all that uses them stands behind it.
fn choices_of<'c>(view: ForOp<'c>, branch: IfOp<'c>) -> Vec<Op<'c>> {
    let condition = branch.op.operand(0);
    let is_behind = |user: Op<'c>| user.ancestor_in(view.body()).is_some_and(|own| branch.op.is_before_in_block(own));
    let is_choice = |op: &Op<'c>| {
        op.kind() == OpKind::ArithSelect
            && op.operand(0) == condition
            && registers(op.result(0).ty()) >= MANY_REGISTERS
            && op.is_before_in_block(branch.op)
            && op.result(0).users().into_iter().all(|(user, _)| is_behind(user))
    };
    view.body().ops().into_iter().filter(is_choice).collect()
}

fn move_into<'c>(branch: IfOp<'c>, choices: &[Op<'c>]) {
    if branch.else_block().is_none() {
        let block: Block<'c> = branch.op.region(1).new_block(&[], branch.op.loc());
        Builder::at_end(block, branch.op.loc()).yield_(&[]);
    }
    let new_result = |choice: &Op<'c>| {
        let (then, otherwise) = (choice.operand(1), choice.operand(2));
        NewResult { then, otherwise, ty: choice.result(0).ty() }
    };
    let new: Vec<NewResult<'c>> = choices.iter().map(new_result).collect();
    let branch = extend_if(branch, &new);
    let results: Vec<Value<'c>> = branch.op.results();
    let first = results.len() - choices.len();
    for (choice, result) in choices.iter().zip(&results[first..]) {
        choice.result(0).replace_all_uses_with(*result);
        choice.erase();
    }
}
