//! Blocks whose dimensions are padded to powers of two.

use crate::Op;
use crate::attributes::INSIDE;

/// What a program has of a block that is padded ([`INSIDE`]): elements along each axis and, of a product, terms of each sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    axes: Vec<i64>,
    terms: Option<i64>,
}

impl Inside {
    /// Elements along each axis: of the result of a product, of the operand that a choice gives, of what is written.
    pub fn axes(&self) -> &[i64] {
        &self.axes
    }

    /// Elements along an axis, if the block has it.
    pub fn along(&self, axis: usize) -> Option<i64> {
        self.axes.get(axis).copied()
    }

    /// Terms of each sum of a product.
    pub fn terms(&self) -> Option<i64> {
        self.terms
    }
}

impl Op<'_> {
    /// What the program has of the operation's block, if some of it is padding.
    pub fn inside(self) -> Option<Inside> {
        let mut axes = self.attr(INSIDE)?.as_ints()?;
        // A product names its terms behind the axes of its result; a write has no result.
        let rank = if self.num_results() == 1 { self.result(0).ty().shape().len() } else { axes.len() };
        let terms = axes.get(rank).copied();
        axes.truncate(rank);
        Some(Inside { axes, terms })
    }
}
