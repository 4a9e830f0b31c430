//! Takes what a wider mask has loaded instead of loading it again, and computes without selections that nobody looks past.
//!
//! Programs that torch.compile writes load the angle of a rotation three times: for the cosine of each column, for the sine of the left half, and for
//! that of the right half, each under the mask of its half. The address is the same, so that the last two are selections of the first. And as each
//! half only selects its own columns in the end, the sines are those of all columns, and one sine is left of two.
//!
//! - `load(p, a & b, x)` behind `load(p, a, y)` is a selection between that one and `x`, by `b` where `x` and `y` are one number or there is no `y`,
//!   and otherwise by the whole mask; without `x` it is the wider load. True for loads of one block with nothing between them that writes memory or that threads wait at.
//! - `select(c, f(select(c, x, y)), z)` is `select(c, f(x), z)`, for every `f` of single elements that has no other use, division of integers aside,
//!   which must not divide by what the selection keeps away. What is stored under a mask is selected by it, too.
//! - A program's own truth value is left out of selections in loops whose results are stored under it ([`program_masks`]).
//!
//! 1. Take loads together.  2. Drop selections.  3. Leave truth values out.

mod program_masks;

use crate::masked_values::parts_of;
use crate::operations::computations::computation;
use crate::operations::divides_integers;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::LoadOp;
use tk_ir::{Builder, Module, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "share-loads", summary: "take what a wider mask has loaded instead of loading it again", run };

/// Operations between two loads that are looked at.
const MOST_BETWEEN: usize = 1000;
/// Operations that make something of a selection, and are looked through.
const MOST_STEPS: usize = 64;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        for op in function.descendants() {
            if let Some(load) = LoadOp::cast(op).filter(|load| !load.is_volatile())
                && let Some(plan) = Shared::of(load)
            {
                plan.apply(load);
            }
        }
        for op in function.descendants() {
            if op.kind() == OpKind::ArithSelect && is_looked_at_under(op.result(0), &parts_of(op.operand(0))) {
                op.result(0).replace_all_uses_with(op.operand(1));
                op.erase();
            }
        }
        program_masks::leave_out(function);
    }
    Ok(())
}

/// What a load is a selection of.
struct Shared<'c> {
    wider: LoadOp<'c>,
    selection: Selection<'c>,
}

enum Selection<'c> {
    /// Nobody says what stands for elements that are not loaded.
    All,
    /// Where all of these are true the wider load is taken. Elsewhere it gives the same, or nobody has said what.
    Parts(Vec<Value<'c>>),
    /// Where the mask is true.
    Mask(Value<'c>),
}

impl<'c> Shared<'c> {
    fn of(load: LoadOp<'c>) -> Option<Self> {
        let own = parts_of(load.mask()?);
        let before = std::iter::successors(load.op.prev(), |op| op.prev()).take(MOST_BETWEEN);
        let before = before.take_while(|op| op.kind() == OpKind::TtLoad || op.is_memory_effect_free());
        let is_wider = |wider: &LoadOp<'c>| {
            let parts = wider.mask().map(parts_of).unwrap_or_default();
            wider.ptr() == load.ptr()
                && !wider.is_volatile()
                && wider.cache() == load.cache()
                && wider.result().ty() == load.result().ty()
                && parts.iter().all(|part| own.contains(part))
        };
        let wider = before.filter_map(LoadOp::cast).find(is_wider)?;
        let parts = wider.mask().map(parts_of).unwrap_or_default();
        let more = || own.into_iter().filter(|part| !parts.contains(part)).collect();
        let selection = match (load.other(), wider.other()) {
            (None, _) => Selection::All,
            (Some(own_other), Some(other)) if own_other == other => Selection::Parts(more()),
            (Some(own_other), None) if own_other.dominates(wider.op) => Selection::Parts(more()),
            (Some(_), _) => Selection::Mask(load.mask()?),
        };
        Some(Self { wider, selection })
    }

    fn apply(self, load: LoadOp<'c>) {
        if let (Selection::Parts(_), Some(mask), None, Some(other)) =
            (&self.selection, self.wider.mask(), self.wider.other(), load.other())
        {
            self.wider.op.set_operands(&[self.wider.ptr(), mask, other]);
            self.wider.op.set_attr("operandSegmentSizes", load.op.context().i32_array(&[1, 1, 1]));
        }
        let mut builder = Builder::before(load.op);
        let mask = match self.selection {
            Selection::All => None,
            Selection::Mask(mask) => Some(mask),
            Selection::Parts(parts) => {
                let shape = load.mask().map(Value::ty);
                let whole = parts.into_iter().map(|part| match shape {
                    Some(ty) if ty != part.ty() && part.ty().is_tensor() => builder.broadcast(part, ty),
                    Some(_) | None => part,
                });
                let whole: Vec<Value<'c>> = whole.collect();
                whole.into_iter().reduce(|all, part| builder.binary(OpKind::ArithAndI, all, part))
            }
        };
        let taken = match (mask, load.other()) {
            (Some(mask), Some(other)) => builder.select(mask, self.wider.result(), other),
            _ => self.wider.result(),
        };
        load.result().replace_all_uses_with(taken);
        load.op.erase();
    }
}

/// Nobody looks at the value where one of `parts` is false.
fn is_looked_at_under<'c>(value: Value<'c>, parts: &[Value<'c>]) -> bool {
    let holds = |mask: Value<'c>| {
        let known = parts_of(mask);
        parts.iter().all(|part| known.contains(part))
    };
    let mut pending = value.users();
    let mut steps = 0;
    while let Some((user, operand)) = pending.pop() {
        steps += 1;
        let condition = if user.kind() == OpKind::ArithSelect {
            Some(user.operand(0))
        } else if user.kind() == OpKind::TtStore {
            user.operands().get(2).copied()
        } else {
            None
        };
        if operand == 1 && condition.is_some_and(holds) {
            continue;
        }
        let is_passed_on = computation(user.kind()).is_element_by_element() || user.kind() == OpKind::TtBroadcast;
        if steps > MOST_STEPS || !is_passed_on || divides_integers(user.kind()) {
            return false;
        }
        pending.extend(user.results().into_iter().flat_map(Value::users));
    }
    true
}
