//! Decides how often the lanes of a reduction share its results out among themselves.
//!
//! A thread that holds several results of a `tt.reduce` can give half of them to the other lane of a butterfly step, which gives the half that
//! this one keeps: fewer shuffles, less combining, and fewer parts that meet in shared memory. In the end lanes tell each other what they
//! have, which takes one shuffle more each time; or, where warps meet in shared memory, every thread loads the parts of all results. What that costs, tk-layout
//! knows ([`tk_layout::reduction::sharing`]); what combining costs, and whether iterations wait for the result, is seen here. The number of steps is
//! `tk.halvings`, and `tk.told_by_scratch` says that threads load all.
//!
//! What adds up zeros and one position of the axis, as `sum(where(range == i, x, 0))` does to read row `i` of what threads hold, combines nothing: where
//! warps meet, the threads that have the position store it, and all load it (`tk.told_by_owner`).
//!
//! Where warps meet and it takes long to combine two parts, as with the largest number and its place, a lane loads few parts, and lanes that want the same result
//! combine the others: `tk.few_parts`.

use crate::analysis::async_loads::is_zero;
use crate::attributes::{FEW_PARTS, HALVINGS, TOLD_BY_OWNER, TOLD_BY_SCRATCH};
use crate::control_flow::flows_into;
use crate::convert_to_ttg::require_ttg;
use crate::operations::computations::instructions_of_element;
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::ReduceOp;
use tk_ir::{Module, Op, Type, Value};
use tk_layout::reduction::{self, Combining, Loading, Sharing, Telling};

/// The pass.
pub const PASS: Pass = Pass { name: "halve-reductions", summary: "share out results of reductions among lanes", run };

/// Bits of the elements that are stored by an access of several.
const WORD_BITS: u32 = 32;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    let context = module.context();
    for function in module.functions() {
        for view in function.descendants().into_iter().filter_map(ReduceOp::cast) {
            let Sharing { halvings, telling, loading } = sharing(view);
            view.op.remove_attr(HALVINGS);
            view.op.remove_attr(TOLD_BY_SCRATCH);
            view.op.remove_attr(TOLD_BY_OWNER);
            view.op.remove_attr(FEW_PARTS);
            if halvings > 0 {
                view.op.set_attr(HALVINGS, context.i32_attr(halvings as i32));
            }
            match telling {
                Telling::ByLanes => {}
                Telling::ByScratch => view.op.set_attr(TOLD_BY_SCRATCH, context.unit_attr()),
                Telling::ByOwner => view.op.set_attr(TOLD_BY_OWNER, context.unit_attr()),
            }
            if loading == Loading::Narrow {
                view.op.set_attr(FEW_PARTS, context.unit_attr());
            }
        }
    }
    Ok(())
}

fn sharing(view: ReduceOp<'_>) -> Sharing {
    let source = view.op.operand(0).ty();
    let Some(linear) = source.linear_layout() else { return Sharing::default() };
    let by_owner = Sharing { telling: Telling::ByOwner, ..Sharing::default() };
    if selects_one(view) && reduction::plan(&linear, view.axis(), by_owner).is_ok() {
        return by_owner;
    }
    reduction::sharing(&linear, view.axis(), combining(view)).unwrap_or_default()
}

/// Whether it adds up a position of the axis and zeros, in words. Then there is nothing to combine: the threads that have the position store it, and all load it.
fn selects_one(view: ReduceOp<'_>) -> bool {
    let is_word = |ty: Type<'_>| ty.element_bits() == WORD_BITS;
    view.selection().is_some_and(|selection| is_zero(selection.otherwise) && is_word(selection.otherwise.ty()))
}

/// What it takes to combine two parts of a result.
fn combining(view: ReduceOp<'_>) -> Combining {
    let words = |value: &Value<'_>| value.ty().element_bits().div_ceil(32).max(1);
    let ops = view.combine().map(|block| block.ops()).unwrap_or_default();
    Combining {
        words: view.op.operands().iter().map(words).sum(),
        instructions: ops.iter().map(|op| instructions_of_element(op.kind())).sum(),
        is_awaited: is_awaited(view.op),
    }
}

/// Whether a later iteration of a loop reduces what follows from the result, so that the iterations wait for each other.
fn is_awaited(op: Op<'_>) -> bool {
    let mut pending: Vec<Value<'_>> = op.results();
    let mut seen = FxHashSet::default();
    while let Some(value) = pending.pop() {
        if !seen.insert(value.id()) {
            continue;
        }
        for (user, operand) in value.users() {
            if user == op {
                return true;
            }
            pending.extend(user.results());
            pending.extend(flows_into(user, operand));
        }
    }
    false
}
