//! Lets a warp group issue the copies of later iterations in the middle of its product.
//!
//! In a loop whose product by `wgmma` runs into the next iteration, the pipeliner leaves everything else in one place: behind the product
//! come the wait for the one before, a barrier, the copies, the wait for earlier copies, another barrier, and only then the next product.
//! Where a CTA is a single warp group with a small tile, its product does not last that long. So it is cut in two along K, and the wait and
//! the copies stand between the halves: copies are issued earlier, and each half covers a part of what else there is to do. (An H200,
//! 64x128x64: 1024 gained 2-5 %, 64 rows against weights of 14336 gained 1 %.)
//!
//! Two warp groups cover each other, and the copies of their larger tiles take longer than half a product; they lost 2 %.
//!
//! 1. Find loops with one product that stays in flight, and copies behind it.  2. Cut it.  3. Move what is behind the wait between the
//!    halves.

use crate::attributes::NUM_WARPS;
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "interleave-copies", summary: "issue the copies of a loop between the halves of its product", run };

/// Warps that issue a `wgmma` together.
const WARPS_PER_GROUP: i64 = 4;
/// Bits of K that one `wgmma` sums over.
const STEP_BITS: i64 = 256;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    if module.op().int_attr(NUM_WARPS) != Some(WARPS_PER_GROUP) {
        return Ok(());
    }
    for function in module.functions() {
        let plans: Vec<Plan<'_>> = loops_of(function).filter_map(Plan::of).collect();
        plans.into_iter().for_each(Plan::apply);
    }
    Ok(())
}

struct Plan<'c> {
    view: ForOp<'c>,
    dot: WarpGroupDotOp<'c>,
    /// Waits for the product of the iteration before.
    wait: Op<'c>,
    /// The last operation that issues copies.
    last_copy: Op<'c>,
}

impl<'c> Plan<'c> {
    fn of(view: ForOp<'c>) -> Option<Self> {
        let (ops, inner) = (view.body().ops(), view.op.descendants());
        let only = |ops: &[Op<'c>], kind: OpKind| {
            let mut found = ops.iter().filter(|op| op.kind() == kind);
            found.next().copied().filter(|_| found.next().is_none())
        };
        // Branches behind the copies may wait for the product.
        let wait = only(&ops, OpKind::TtngWarpGroupDotWait)?;
        let dot = only(&inner, OpKind::TtngWarpGroupDot).and_then(WarpGroupDotOp::cast)?;
        let last_copy = ops.iter().copied().rfind(|op| op.kind() == OpKind::TtgAsyncCommitGroup)?;
        // What is copied to may need what was copied before, such as indices: the second half should not wait for that.
        let waits = ops.iter().filter(|op| op.kind() == OpKind::TtgAsyncWait);
        if waits.into_iter().any(|other| wait.is_before_in_block(*other)) {
            return None;
        }
        let plan = Self { view, dot, wait, last_copy };
        (plan.runs_on() && plan.can_be_cut()).then_some(plan)
    }

    /// The product runs into the next iteration, and nobody looks at its result before the copies were issued.
    fn runs_on(&self) -> bool {
        let Self { view, dot, wait, last_copy } = self;
        let is_in_body = dot.op.block() == Some(view.body()) && wait.is_before_in_block(*last_copy);
        let result = dot.op.result(0);
        let is_in_flight = dot.is_async() && wait.int_attr("pendings") == Some(1) && wait.operand(0) == result;
        let is_later = |(user, _): (Op<'c>, usize)| {
            user.ancestor_in(view.body()).is_some_and(|own| last_copy.is_before_in_block(own))
        };
        let only_wait = |(user, _): (Op<'c>, usize)| user == *wait;
        is_in_body
            && is_in_flight
            && result.users().into_iter().all(only_wait)
            && wait.result(0).users().into_iter().all(is_later)
    }

    fn can_be_cut(&self) -> bool {
        let (a, b) = (self.dot.a().ty(), self.dot.b().ty());
        a.is_memdesc() && b.is_memdesc() && a.shape()[1] * i64::from(a.element_bits()) >= 2 * STEP_BITS
    }

    fn apply(self) {
        let Self { dot, wait, last_copy, .. } = self;
        let half = dot.a().ty().shape()[1] / 2;
        let mut before = Builder::before(dot.op);
        let [first, second] = [0, half].map(|start| {
            let a = part(&mut before, dot.a(), 1, start, half);
            [a, part(&mut before, dot.b(), 0, start, half)]
        });
        // Behind the copies everybody sees the second half's result. Whether the accumulators count is the first half's question.
        let (sums, ty, attributes) = (wait.result(0), dot.op.result(0).ty(), dot.op.attrs());
        let operands = [second[0], second[1], sums];
        let mut behind = Builder::after(last_copy).with_location(dot.op.loc());
        let product = behind.create(OpKind::TtngWarpGroupDot, &operands, &[ty], &attributes);
        sums.replace_all_uses_except(product.result(0), &[product]);
        first.into_iter().enumerate().for_each(|(index, part)| dot.op.set_operand(index, part));
    }
}

/// Of a buffer, what lies at `start` along an axis, `length` long.
fn part<'c>(builder: &mut Builder<'c>, memory: Value<'c>, axis: usize, start: i64, length: i64) -> Value<'c> {
    let Some(mut parts) = memory.ty().memdesc() else { return memory };
    let mut offsets = vec![0; parts.shape.len()];
    offsets[axis] = start as i32;
    parts.shape[axis] = length;
    let context = builder.context();
    let offsets = ("offsets", context.i32_array(&offsets));
    builder.create(OpKind::TtgMemDescSubslice, &[memory], &[context.memdesc(&parts)], &[offsets]).result(0)
}
