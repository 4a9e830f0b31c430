//! Where an operand of a product comes from.

use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind, Value};

/// What makes an operand, before its axes are swapped and its numbers become narrower.
pub(super) struct Origin<'c> {
    pub(super) op: Op<'c>,
    /// The operand has the axes in the other order.
    pub(super) is_turned: bool,
    /// The operand's numbers have fewer bits: threads convert them on the way.
    pub(super) is_narrowed: bool,
}

impl<'c> Origin<'c> {
    /// `None` for what no operation makes.
    pub(super) fn of(operand: Value<'c>) -> Option<Self> {
        let mut origin = Self { op: operand.defining_op()?, is_turned: false, is_narrowed: false };
        loop {
            if origin.op.kind() == OpKind::TtTrans {
                origin.is_turned = !origin.is_turned;
            } else if origin.op.kind() == OpKind::ArithTruncF {
                origin.is_narrowed = true;
            } else {
                return Some(origin);
            }
            origin.op = origin.op.operand(0).defining_op()?;
        }
    }

    /// Whether threads compute the operand in every iteration, from whatever they load.
    pub(super) fn is_computed(&self, view: ForOp<'c>) -> bool {
        let is_load = matches!(self.op.kind(), OpKind::TtLoad | OpKind::TtDescriptorLoad);
        !is_load && self.op.block() == Some(view.body())
    }
}
