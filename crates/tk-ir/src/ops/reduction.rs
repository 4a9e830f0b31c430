//! Reductions and scans with a combining region.

use super::{ReduceOp, ScanOp};
use crate::attributes::{FEW_PARTS, HALVINGS, TOLD_BY_SCRATCH};
use crate::{Block, Op, OpKind};
use tk_layout::reduction::{Loading, Sharing, Telling};

impl<'c> ReduceOp<'c> {
    /// The block that combines: arguments are the left values, then the right values.
    pub fn combine(self) -> Option<Block<'c>> {
        self.op.region(0).first_block()
    }

    /// The one operation that combines, when the region is `combine(left, right); return`.
    pub fn single_combiner(self) -> Option<Op<'c>> {
        single_combiner(self.combine()?)
    }

    /// How lanes share out the results (`halve-reductions`).
    pub fn sharing(self) -> Sharing {
        let halvings = self.op.int_attr(HALVINGS).map_or(0, |steps| u32::try_from(steps).unwrap_or(u32::MAX));
        let is_told = self.op.attr(TOLD_BY_SCRATCH).is_some();
        let is_narrow = self.op.attr(FEW_PARTS).is_some();
        Sharing {
            halvings,
            telling: if is_told { Telling::ByScratch } else { Telling::ByLanes },
            loading: if is_narrow { Loading::Narrow } else { Loading::Wide },
        }
    }
}

impl<'c> ScanOp<'c> {
    /// The block that combines: arguments are the left values, then the right values.
    pub fn combine(self) -> Option<Block<'c>> {
        self.op.region(0).first_block()
    }

    /// The one operation that combines, when the region is `combine(left, right); return`.
    pub fn single_combiner(self) -> Option<Op<'c>> {
        single_combiner(self.combine()?)
    }
}

fn single_combiner(block: Block<'_>) -> Option<Op<'_>> {
    let [combiner, last] = block.ops()[..] else { return None };
    let returns = matches!(last.kind(), OpKind::TtReduceReturn | OpKind::TtScanReturn);
    let [left, right] = block.arguments()[..] else { return None };
    let operands = combiner.operands();
    let combines = operands == [left, right] || operands == [right, left];
    (returns && combines && last.operands() == combiner.results()).then_some(combiner)
}
