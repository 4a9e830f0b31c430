//! Checks that the layouts of every operation fit together: what MLIR's verifier does not know.
//!
//! Arithmetic has one layout throughout, shape changes have the layouts that follow from each other, and what control flow passes on
//! keeps its type. Whenever [`crate::run_pipeline`] verifies ttg IR, it checks this, too, so a pass that forgets a conversion is named.

use crate::control_flow::flows_into;
use crate::encodings;
use crate::operations::layouts::{LayoutRule, ShapeChange};
use tk_diag::{Diagnostic, Result};
use tk_ir::{Attribute, Module, Op, OpKind};

/// An error for the first operation whose layouts do not fit.
pub fn check_layouts(module: &Module<'_>) -> Result<()> {
    for function in module.functions() {
        function.descendants().into_iter().try_for_each(check)?;
    }
    Ok(())
}

fn check(op: Op<'_>) -> Result<()> {
    for (index, operand) in op.operands().into_iter().enumerate() {
        if !operand.ty().is_tensor() {
            continue;
        }
        if flows_into(op, index).iter().any(|target| target.ty() != operand.ty()) {
            return Err(mismatch(op, &format!("operand {index} flows into a value of another type")));
        }
        let Some(layout) = operand.ty().encoding() else {
            return Err(mismatch(op, &format!("operand {index} has no layout")));
        };
        let fits = match encodings::rule(op) {
            LayoutRule::Conversion | LayoutRule::Any | LayoutRule::Own | LayoutRule::Fixed => true,
            LayoutRule::Same if op.kind() == OpKind::TtBroadcast => {
                results(op).all(|other| encodings::same_places(&operand.ty().shape(), other, layout))
            }
            LayoutRule::Same | LayoutRule::Access => {
                results(op).chain(operand_layouts(op)).all(|other| other == layout)
            }
            LayoutRule::Shape(ShapeChange::Reshape) => reshape_fits(op, layout),
            LayoutRule::Shape(_) => match encodings::forward(op, layout) {
                Some(result) => fits_result(op, result),
                None => results(op).next().is_none(),
            },
        };
        if !fits {
            return Err(mismatch(op, "the layouts of operands and results do not fit together"));
        }
    }
    Ok(())
}

fn results<'c>(op: Op<'c>) -> impl Iterator<Item = Attribute<'c>> {
    op.results().into_iter().filter(|result| result.ty().is_tensor()).filter_map(|result| result.ty().encoding())
}

fn operand_layouts<'c>(op: Op<'c>) -> impl Iterator<Item = Attribute<'c>> {
    op.operands().into_iter().filter(|operand| operand.ty().is_tensor()).filter_map(|operand| operand.ty().encoding())
}

fn fits_result(op: Op<'_>, layout: Attribute<'_>) -> bool {
    let shape = op.result(0).ty().shape();
    results(op).all(|other| encodings::same_places(&shape, other, layout))
}

/// A reshape that may reorder takes any layouts; others must leave every element in its register.
fn reshape_fits(op: Op<'_>, layout: Attribute<'_>) -> bool {
    op.attr("allow_reorder").is_some() || encodings::forward(op, layout).is_none_or(|result| fits_result(op, result))
}

fn mismatch(op: Op<'_>, what: &str) -> Box<Diagnostic> {
    Diagnostic::bug(format!("{what}: {op:?}")).boxed()
}
