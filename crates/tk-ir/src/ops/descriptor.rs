//! Tensor descriptors: how they are made, and the accesses to blocks that they describe.

use super::view;
use crate::{Type, TypeKind, Value};

view! {
    /// `tt.make_tensor_descriptor`.
    MakeTensorDescriptorOp = TtMakeTensorDescriptor;
    /// `tt.descriptor_load`.
    DescriptorLoadOp = TtDescriptorLoad;
    /// `tt.descriptor_store` and `tt.descriptor_reduce`, which have the same operands.
    DescriptorStoreOp = TtDescriptorStore | TtDescriptorReduce;
    /// `tt.descriptor_gather`.
    DescriptorGatherOp = TtDescriptorGather;
    /// `tt.descriptor_scatter`.
    DescriptorScatterOp = TtDescriptorScatter;
    /// `ttng.async_tma_copy_global_to_local`.
    TmaCopyOp = TtngAsyncTmaCopyGlobalToLocal;
}

/// The number of `PAD_NAN` in the attribute `padding`.
const PAD_NAN: i64 = 2;

impl<'c> MakeTensorDescriptorOp<'c> {
    /// Address of the first element.
    pub fn base(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// Elements along each axis, as `i32`.
    pub fn shape(self) -> Vec<Value<'c>> {
        let rank = (self.op.num_operands() - 1) / 2;
        self.op.operands()[1..=rank].to_vec()
    }

    /// Elements from one index to the next along each axis, as `i64`.
    pub fn strides(self) -> Vec<Value<'c>> {
        let rank = (self.op.num_operands() - 1) / 2;
        self.op.operands()[1 + rank..].to_vec()
    }

    /// Elements outside the tensor read as NaN, not as zero.
    pub fn pads_with_nan(self) -> bool {
        self.op.int_attr("padding") == Some(PAD_NAN)
    }
}

impl<'c> DescriptorLoadOp<'c> {
    /// The descriptor.
    pub fn desc(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// Where the block starts, one `i32` per axis of the descriptor.
    pub fn indices(self) -> Vec<Value<'c>> {
        self.op.operands()[1..].to_vec()
    }

    /// The block.
    pub fn result(self) -> Value<'c> {
        self.op.result(0)
    }
}

impl<'c> DescriptorStoreOp<'c> {
    /// The descriptor.
    pub fn desc(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// The block.
    pub fn src(self) -> Value<'c> {
        self.op.operand(1)
    }

    /// Where the block starts, one `i32` per axis of the descriptor.
    pub fn indices(self) -> Vec<Value<'c>> {
        self.op.operands()[2..].to_vec()
    }
}

impl<'c> DescriptorGatherOp<'c> {
    /// The descriptor.
    pub fn desc(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// The rows, a tensor of rank 1.
    pub fn rows(self) -> Value<'c> {
        self.op.operand(1)
    }

    /// The first column.
    pub fn column(self) -> Value<'c> {
        self.op.operand(2)
    }

    /// The gathered rows.
    pub fn result(self) -> Value<'c> {
        self.op.result(0)
    }
}

impl<'c> DescriptorScatterOp<'c> {
    /// The descriptor.
    pub fn desc(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// The rows, a tensor of rank 1.
    pub fn rows(self) -> Value<'c> {
        self.op.operand(1)
    }

    /// The first column.
    pub fn column(self) -> Value<'c> {
        self.op.operand(2)
    }

    /// The rows to store.
    pub fn src(self) -> Value<'c> {
        self.op.operand(3)
    }
}

impl<'c> TmaCopyOp<'c> {
    /// The mbarrier that counts the bytes that have arrived.
    pub fn barrier(self) -> Option<Value<'c>> {
        self.op.segment(3).first().copied()
    }

    /// Where to.
    pub fn result(self) -> Option<Value<'c>> {
        self.op.segment(4).first().copied()
    }
}

impl<'c> Type<'c> {
    /// The block of a tensor descriptor, as a tensor type: with the layout that it has in shared memory, once that is chosen.
    pub fn descriptor_block(self) -> Option<Type<'c>> {
        match self.kind() {
            TypeKind::TensorDesc { block } => Some(block),
            _ => None,
        }
    }
}
