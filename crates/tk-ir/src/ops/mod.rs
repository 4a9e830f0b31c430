//! Typed views: `LoadOp::cast(op)` names the parts of an operation.
//!
//! A view is the handle with its kind checked; `view.op` is the operation itself. The views of each dialect are generated from
//! ODS; the files here add what follows from several parts, one file per family.

mod constant;
mod control;
mod descriptor;
mod dot;
mod function;
mod like;
mod memory;
mod padding;
mod reduction;
mod sources;

include!(concat!(env!("OUT_DIR"), "/views.rs"));
include!(concat!(env!("OUT_DIR"), "/enums.rs"));

pub use arith::ConstantOp;
pub use like::{DescriptorStoreLikeOp, ProgramLikeOp, TransLikeOp};
pub use padding::Inside;
pub use reduction::Selection;
pub use scf::{ConditionOp, ForOp, IfOp, WhileOp};
pub use {tk::*, tt::*, ttg::*, ttng::*};

use crate::{Op, Value};

/// The operands from `start` on but for the last `after`.
fn operands_between(op: Op<'_>, start: usize, after: usize) -> Vec<Value<'_>> {
    (start..op.num_operands() - after).map(|index| op.operand(index)).collect()
}

/// An attribute that the verifier guarantees.
fn required<T>(op: Op<'_>, name: &str, value: Option<T>) -> T {
    match value {
        Some(value) => value,
        None => panic!("{} has no `{name}`", op.name()),
    }
}

impl<'c> Op<'c> {
    /// An integer, boolean or enum attribute by name.
    pub fn int_attr(self, name: &str) -> Option<i64> {
        self.attr(name)?.as_int()
    }

    /// A string attribute by name.
    pub fn str_attr(self, name: &str) -> Option<&'c str> {
        self.attr(name)?.as_str()
    }

    /// The operands of one segment of an operation with `operandSegmentSizes`.
    pub fn segment(self, segment: usize) -> Vec<Value<'c>> {
        let Some(sizes) = self.attr("operandSegmentSizes").and_then(|sizes| sizes.as_ints()) else { return Vec::new() };
        let start: i64 = sizes.iter().take(segment).sum();
        let length = sizes.get(segment).copied().unwrap_or(0);
        (start..start + length).map(|index| self.operand(index as usize)).collect()
    }
}
