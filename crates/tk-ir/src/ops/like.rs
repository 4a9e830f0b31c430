//! Views of two operations that are alike.

use crate::{Op, OpKind, Value};

/// `tt.get_program_id` or `tt.get_num_programs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProgramLikeOp<'c> {
    /// The operation itself.
    pub op: Op<'c>,
}

impl<'c> ProgramLikeOp<'c> {
    /// The view, when the operation is one of them.
    pub fn cast(op: Op<'c>) -> Option<Self> {
        matches!(op.kind(), OpKind::TtGetProgramId | OpKind::TtGetNumPrograms).then_some(Self { op })
    }

    /// 0, 1 or 2.
    pub fn axis(self) -> usize {
        self.op.int_attr("axis").unwrap_or_default() as usize
    }
}

/// `tt.trans` or `ttg.memdesc_trans`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TransLikeOp<'c> {
    /// The operation itself.
    pub op: Op<'c>,
}

impl<'c> TransLikeOp<'c> {
    /// The view, when the operation is one of them.
    pub fn cast(op: Op<'c>) -> Option<Self> {
        matches!(op.kind(), OpKind::TtTrans | OpKind::TtgMemDescTrans).then_some(Self { op })
    }

    /// What is transposed.
    pub fn src(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// The result.
    pub fn result(self) -> Value<'c> {
        self.op.result(0)
    }

    /// Dimension `i` of the result is dimension `order[i]` of the operand.
    pub fn order(self) -> Vec<usize> {
        let order = self.op.attr("order").and_then(|order| order.as_ints()).unwrap_or_default();
        order.into_iter().map(|dim| dim as usize).collect()
    }
}

/// `tt.descriptor_store` or `tt.descriptor_reduce`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DescriptorStoreLikeOp<'c> {
    /// The operation itself.
    pub op: Op<'c>,
}

impl<'c> DescriptorStoreLikeOp<'c> {
    /// The view, when the operation is one of them.
    pub fn cast(op: Op<'c>) -> Option<Self> {
        matches!(op.kind(), OpKind::TtDescriptorStore | OpKind::TtDescriptorReduce).then_some(Self { op })
    }

    /// The descriptor.
    pub fn desc(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// The block.
    pub fn src(self) -> Value<'c> {
        self.op.operand(1)
    }

    /// Where the block starts, along each axis of the descriptor.
    pub fn indices(self) -> Vec<Value<'c>> {
        super::operands_between(self.op, 2, 0)
    }
}
