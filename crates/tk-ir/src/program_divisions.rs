//! Whether a division of the number of the program by a number of programs is looked at before it is computed: in a small problem there is one group,
//! and the result is known without dividing.
//!
//! Before the first load of a product, or in a grid that leaves each warp to wait for itself, that is where a program begins sooner. Where the grid brings
//! many times as many CTAs as have room and nothing is multiplied, others compute meanwhile, and what is left of the look are its instructions: rotations of
//! rows are 5 to 12 % faster without, and of 152 launches of all kinds that change few others differ (docs/measurements.md, "Divisions of the program's
//! number are not looked at where others compute").

use crate::{Op, OpKind};
use tk_types::{CompileOptions, Residency};

/// Whether code generation writes such a division of this function with a branch around it.
pub fn are_looked_at(function: Op<'_>, options: &CompileOptions) -> bool {
    options.residency != Residency::Many || function.descendants().into_iter().any(multiplies)
}

fn multiplies(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtDot | OpKind::TtDotScaled | OpKind::TtngWarpGroupDot)
}
