//! Lets an iteration of a pipelined loop wait for its copies at the end of the one before.
//!
//! The pipeliner leaves a wait for copies at the start of the body, and the copies of later iterations at its end. Threads then meet twice
//! per iteration: behind the wait, because everybody's copies must be there, and before the copies, because everybody must have finished with
//! the buffer that they fill. When the wait moves to just before the copies, one meeting serves both.
//!
//! The price is that a copy is only issued when the one before has arrived, so that fewer bytes are under way. Loops whose products run into the
//! next iteration are short, and would starve (a matrix product of 128x256x64 lost 16 % on an H200); in loops that wait for a product and
//! work on it, as attention does, the meetings cost more. So they do in products that take registers (256x128x32 of tf32: 5-11 %).
//!
//! A wait leaves the `num` groups committed last under way. At the end of the body the groups of this iteration are not yet committed, so as
//! many fewer may be left; where there are none to leave out, the copies waited for are only just issued, and the wait stays where it is.
//!
//! 1. Find the loops.  2. Say where the wait goes and what it leaves under way.  3. Move it, with a copy before the loop for the first
//!    iteration.

use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::ForOp;
use tk_ir::{Builder, Module, Op, OpKind, OpSpec, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "advance-waits", summary: "wait for copies one iteration early", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        let plans: Vec<Plan<'_>> = loops_of(function).filter_map(Plan::of).collect();
        plans.into_iter().for_each(Plan::apply);
    }
    Ok(())
}

struct Plan<'c> {
    view: ForOp<'c>,
    wait: Op<'c>,
    /// The first copy of the body.
    copy: Op<'c>,
    /// What the wait of the next iteration waits for.
    next: Vec<Value<'c>>,
    /// Groups that it leaves under way.
    pending: i64,
}

impl<'c> Plan<'c> {
    fn of(view: ForOp<'c>) -> Option<Self> {
        let is_copying = |op: &Op<'c>| {
            use OpKind::*;
            matches!(op.kind(), TtgAsyncWait | TtgAsyncCopyGlobalToLocal | TtgAsyncCommitGroup)
        };
        // Copies inside of branches cannot be counted.
        let all: Vec<Op<'c>> = view.op.descendants().into_iter().filter(is_copying).collect();
        if all.iter().any(|op| op.block() != Some(view.body())) {
            return None;
        }
        let (&wait, rest) = all.split_first()?;
        let is_only_wait =
            wait.kind() == OpKind::TtgAsyncWait && rest.iter().all(|op| op.kind() != OpKind::TtgAsyncWait);
        let copy = *rest.first()?;
        let groups = rest.iter().filter(|op| op.kind() == OpKind::TtgAsyncCommitGroup).count();
        let pending = wait.int_attr("num")? - i64::try_from(groups).ok()?;
        let next: Option<Vec<Value<'c>>> = wait.operands().into_iter().map(|token| in_next(view, token)).collect();
        let finishes_product =
            |op: &Op<'c>| op.kind() == OpKind::TtngWarpGroupDotWait && op.int_attr("pendings") == Some(0);
        if !view.body().ops().iter().any(finishes_product) {
            return None;
        }
        let is_possible = is_only_wait && pending >= 0 && wait.results().iter().all(|token| !token.has_uses());
        is_possible.then_some(Self { view, wait, copy, next: next?, pending })
    }

    fn apply(self) {
        let first: Vec<Value<'c>> = self.wait.operands().into_iter().map(|token| in_first(self.view, token)).collect();
        let mut outside = Builder::before(self.view.op).with_location(self.wait.loc());
        let left = self.wait.int_attr("num").unwrap_or(0);
        wait(&mut outside, &first, left);
        // Without it the first iteration's meeting would be in the body, for every iteration.
        outside.insert(OpSpec::new(OpKind::GpuBarrier));
        wait(&mut Builder::before(self.copy).with_location(self.wait.loc()), &self.next, self.pending);
        self.wait.erase();
    }
}

fn wait<'c>(builder: &mut Builder<'c>, tokens: &[Value<'c>], num: i64) {
    let context = builder.context();
    let num = ("num", context.i32_attr(num as i32));
    builder.create(OpKind::TtgAsyncWait, tokens, &[context.token()], &[num]);
}

/// The value that `value` is one iteration later, when that is known at the start of this one.
fn in_next<'c>(view: ForOp<'c>, value: Value<'c>) -> Option<Value<'c>> {
    let Some((_, index)) = value.block_argument().filter(|(block, _)| *block == view.body()) else {
        return is_outside(view, value).then_some(value);
    };
    let next = view.yield_op().operand(index.checked_sub(1)?);
    let is_known = next.block_argument().is_some_and(|(block, _)| block == view.body()) || is_outside(view, next);
    is_known.then_some(next)
}

/// The value that `value`, which [`in_next`] knows, is in the first iteration.
fn in_first<'c>(view: ForOp<'c>, value: Value<'c>) -> Value<'c> {
    match value.block_argument().filter(|(block, _)| *block == view.body()) {
        Some((_, index)) if index > 0 => view.init_args()[index - 1],
        _ => value,
    }
}

fn is_outside<'c>(view: ForOp<'c>, value: Value<'c>) -> bool {
    match value.defining_op() {
        Some(op) => !view.op.contains(op),
        None => {
            value.parent_block().and_then(|block| block.parent_op()).is_some_and(|parent| !view.op.contains(parent))
        }
    }
}
