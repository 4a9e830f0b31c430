//! Rows that a loop finds by loaded numbers: what stays the same is added to the pointer before the loop, and the row last.
//!
//! ```text
//! loop: start = p + load(number) * stride       before: columns = splat(p) + c
//!       x = load(splat(start) + c)              loop:   x = load(columns + splat(load(number) * stride))
//! ```
//!
//! The row is a product of 64 bits, scaled and added by two instructions, to a pointer of the program or to one of a thread. Columns that are added behind it
//! take another one in each iteration, which widens, scales and adds them again. With the columns in the pointer it takes none, and the load is asked for
//! that much earlier (docs/measurements.md, "Columns are added before loaded rows").
//!
//! A thread keeps a pointer for each of its accesses, so it has to have one: at most as many elements as threads, which a load reads as they are. Where the
//! sum is repeated for a block, a thread has it for each row that it has a part of, in two registers that it keeps over the loop instead of one: decodes of
//! attention with blocks of 128x32 have 0.88 to 0.97 of their speed so, and products of small experts 0.96. Rows that no load gives are sums that loops step
//! through, whose pointers stay what they are.

use super::Changes;
use crate::PassContext;
use tk_ir::{Builder, Op, OpKind, Value};

/// Operations between a load and the offset that comes of it.
const MOST_STEPS: usize = 16;

/// A sum of pointers to elements, of columns that stay and a row that does not.
pub(super) struct LoadedRow<'c> {
    /// The addition of the columns.
    sum: Op<'c>,
    /// What the row is added to: a scalar.
    start: Value<'c>,
    /// The offset of the row: a scalar.
    row: Value<'c>,
}

impl<'c> LoadedRow<'c> {
    pub(super) fn of(sum: Op<'c>, changes: &Changes, cx: &PassContext) -> Option<Self> {
        if sum.kind() != OpKind::TtAddPtr {
            return None;
        }
        let ty = sum.result(0).ty();
        let threads = i64::from(cx.options.num_warps * tk_target::WARP_SIZE);
        let is_plain = ty.is_tensor() && ty.encoding().is_none();
        if !is_plain || ty.shape().iter().product::<i64>() > threads || !sum.discardable_attrs().is_empty() {
            return None;
        }
        if !is_loaded_from(sum) {
            return None;
        }
        let is_alone = |value: Value<'c>| value.has_one_use();
        let repeated = sum.operand(0).splat_source().filter(|scalar| is_alone(sum.operand(0)) && is_alone(*scalar))?;
        let inner = repeated.defining_op().filter(|op| op.kind() == OpKind::TtAddPtr && op.block() == sum.block())?;
        let (start, row) = (inner.operand(0), inner.operand(1));
        let stays = changes.depth(start).max(changes.depth(sum.operand(1))) < changes.depth(row);
        (stays && inner.discardable_attrs().is_empty() && is_of_load(row, changes)).then_some(Self { sum, start, row })
    }

    pub(super) fn write(&self, changes: &mut Changes) {
        let Self { sum, start, row } = *self;
        let mut builder = Builder::before(sum);
        let columns = sum.operand(1);
        let pointers = builder.splat(start, sum.operand(0).ty());
        let kept = builder.addptr(pointers, columns);
        changes.note(kept, changes.depth(start).max(changes.depth(columns)));
        let rows = builder.splat(row, builder.context().tensor(&columns.ty().shape(), row.ty(), None));
        let moved = builder.addptr(kept, rows);
        changes.note(moved, changes.depth(row));
        sum.result(0).replace_all_uses_with(moved);
    }
}

/// Loads read what the sum points to, and nothing else is made of it.
fn is_loaded_from(sum: Op<'_>) -> bool {
    let is_address = |(user, operand): (Op<'_>, usize)| user.kind() == OpKind::TtLoad && operand == 0;
    sum.result(0).users().into_iter().all(is_address)
}

/// A load in as many loops gives the number, or what it is computed from without other loads.
fn is_of_load(number: Value<'_>, changes: &Changes) -> bool {
    let depth = changes.depth(number);
    let mut pending = vec![number];
    for _ in 0..MOST_STEPS {
        let Some(value) = pending.pop() else { return false };
        let Some(op) = value.defining_op().filter(|_| changes.depth(value) == depth) else { continue };
        if op.kind() == OpKind::TtLoad {
            return true;
        }
        if op.is_pure() && op.num_regions() == 0 {
            pending.extend(op.operands());
        }
    }
    false
}
