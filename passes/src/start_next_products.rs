//! Starts a small product while the one before it is under way.
//!
//! Gradients of attention for keys multiply four times in an iteration: scores, then what probabilities are multiplied by, then gradients of the
//! probabilities, which need nothing of the scores, and then what these are multiplied by. Threads wait for the scores, and later for the gradients of the
//! probabilities behind the product of these. With few columns a product is over soon after it has started, and threads wait for its latency each time.
//! Started right behind the scores, the third product is over when its result is needed, and the wait is for the second one alone. Tensor cores finish
//! products in the order of their issue, so the wait for the scores leaves the other one under way.
//!
//! True for loops with products by `wgmma` alone, whose body waits for a product directly behind its start, where the product behind the next one
//!
//! - has a result of at most [`MOST_COLUMNS`] columns, which take few registers while threads compute on the scores;
//! - reads shared memory alone, by views that can stand before that wait, and adds to nothing that the wait gives;
//! - reads no memory that is written in between, where nothing is waited for and threads do not meet;
//! - is waited for with all others.
//!
//! With more columns it is level at best. The product right behind the first one, as gradients for queries have it, stays where it is: started early, it
//! is 0.73 to 1.05 times as fast ([measurements](../../docs/measurements.md#small-products-start-before-the-scores-are-there)).
//!
//! Products that come in parts keep their order: each part has sums of its own to be computed before the next one. So do loops whose warp groups take turns.
//!
//! 1. Find the pair of each loop.  2. Look at what stands between the two.  3. Move the second product before the wait.

use crate::attributes::SUMS_FIRST;
use crate::control_flow::{loops_of, with_operands};
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::{Control, control};
use crate::operations::is_dot;
use crate::operations::memory::{SharedMemory, root, shared_memory};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "start-next-products", summary: "start a small product while the one before it is under way", run };

/// Columns of its result at most. With 16 four launches are 1.029 to 1.071 times as fast, with 32 two 0.988 and 1.011, with 64 and 128 0.992 and 1.003.
const MOST_COLUMNS: i64 = 16;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        let pairs: Vec<ProductPair<'_>> = loops_of(function).filter_map(ProductPair::of).collect();
        pairs.into_iter().for_each(ProductPair::apply);
    }
    Ok(())
}

/// Two products of a loop's body, of which the second one needs nothing of the first.
struct ProductPair<'c> {
    /// The wait for the first product.
    wait: Op<'c>,
    /// The views that the second product reads, what their places are computed from, and the product itself, in order.
    moved: Vec<Op<'c>>,
}

impl<'c> ProductPair<'c> {
    /// The one pair of a loop. Several are parts of larger products.
    fn of(view: ForOp<'c>) -> Option<Self> {
        let ops = view.body().ops();
        let excludes = |op: &Op<'c>| {
            use OpKind::*;
            matches!(op.kind(), TkHandOver | TkWaitHandOver | TtDot | ScfFor | ScfWhile)
        };
        if ops.iter().any(excludes) {
            return None;
        }
        let waits = ops.iter().copied().filter(|op| op.kind() == OpKind::TtngWarpGroupDotWait);
        let mut pairs = waits.filter_map(|wait| Self::at(view, wait, &ops));
        let pair = pairs.next()?;
        if pairs.next().is_some() { None } else { Some(pair) }
    }

    /// The pair whose first product `wait` ends.
    fn at(view: ForOp<'c>, wait: Op<'c>, ops: &[Op<'c>]) -> Option<Self> {
        let first = wait.prev().filter(|op| is_whole(*op) && wait.operands().first() == Some(&op.result(0)))?;
        if wait.int_attr("pendings") != Some(0) || has_earlier(first, ops) {
            return None;
        }
        let mut later = std::iter::successors(wait.next(), |op| op.next()).filter(|op| is_dot(*op));
        let passed = later.next().filter(|op| is_whole(*op))?;
        let second = later.next().filter(|op| is_whole(*op) && is_small(*op))?;
        let product = WarpGroupDotOp::cast(second)?;
        if ![product.a(), product.b()].iter().all(|operand| operand.ty().is_memdesc()) {
            return None;
        }
        let moved = with_operands(view.body(), vec![second], wait)?;
        let (_, before) = moved.split_last()?;
        let is_given = |value: Value<'c>| value.defining_op().is_some_and(|op| op == wait || op == passed);
        let is_free = !moved.iter().flat_map(|op| op.operands()).any(is_given);
        let are_places = before.iter().flat_map(|op| op.results()).all(|result| !result.ty().is_tensor());
        let mut between = std::iter::successors(wait.next(), |op| op.next()).take_while(|op| *op != second);
        let is_left_alone = between.all(|op| moved.contains(&op) || leaves_alone(op, product));
        // The product that it passes is issued behind it then.
        let next_wait = std::iter::successors(second.next(), |op| op.next()).find(|op| op.kind() == wait.kind());
        let waits_for_all = next_wait.is_some_and(|next| next.int_attr("pendings") == Some(0));
        (is_free && are_places && is_left_alone && waits_for_all).then_some(Self { wait, moved })
    }

    fn apply(self) {
        for op in &self.moved {
            op.move_before(self.wait);
        }
        self.wait.set_attr("pendings", self.wait.context().i32_attr(1));
    }
}

/// A product that runs until it is waited for, and is no part of another one.
fn is_whole(op: Op<'_>) -> bool {
    WarpGroupDotOp::cast(op).is_some_and(|product| product.is_async()) && op.attr(SUMS_FIRST).is_none()
}

fn is_small(product: Op<'_>) -> bool {
    product.result(0).ty().shape().last().is_some_and(|columns| *columns <= MOST_COLUMNS)
}

/// A product of the same iteration may be under way when `first` starts.
fn has_earlier<'c>(first: Op<'c>, ops: &[Op<'c>]) -> bool {
    let is_known = |op: &&Op<'c>| is_dot(**op) || op.kind() == OpKind::TtngWarpGroupDotWait;
    let last = ops.iter().rev().filter(|op| op.is_before_in_block(first)).find(is_known);
    last.is_some_and(|op| is_dot(*op) || op.int_attr("pendings") != Some(0))
}

/// An operation between the wait and the product changes nothing that the product reads. Copies by threads that start there fill what is read behind a later
/// wait.
fn leaves_alone<'c>(op: Op<'c>, product: WarpGroupDotOp<'c>) -> bool {
    let is_read = |memory: Value<'c>| [product.a(), product.b()].into_iter().any(|read| root(read) == root(memory));
    let memory = shared_memory(op.kind());
    let starts = matches!(memory, SharedMemory::StartDot | SharedMemory::StartCopy);
    let writes_elsewhere = matches!(memory, SharedMemory::Write { target } if !is_read(op.operand(target)));
    control(op.kind()) == Control::Plain && (memory.leaves_contents() || starts || writes_elsewhere)
}
