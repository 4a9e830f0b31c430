//! Tensor descriptors: how they are made, and the accesses to blocks that they describe.

use super::view;
use crate::{Type, TypeKind, Value};

view! {
    /// `tt.make_tensor_descriptor`.
    MakeTensorDescriptorOp = TtMakeTensorDescriptor {
        /// Address of the first element.
        base = operand 0;
    }
    /// `tt.descriptor_load`.
    DescriptorLoadOp = TtDescriptorLoad {
        /// The descriptor.
        desc = operand 0;
        /// Where the block starts, one `i32` per axis of the descriptor.
        indices = rest 1;
        /// The block.
        result = result 0;
    }
    /// `tt.descriptor_store` and `tt.descriptor_reduce`, which have the same operands.
    DescriptorStoreOp = TtDescriptorStore | TtDescriptorReduce {
        /// The descriptor.
        desc = operand 0;
        /// The block.
        src = operand 1;
        /// Where the block starts, one `i32` per axis of the descriptor.
        indices = rest 2;
    }
    /// `tt.descriptor_gather`.
    DescriptorGatherOp = TtDescriptorGather {
        /// The descriptor.
        desc = operand 0;
        /// The rows, a tensor of rank 1.
        rows = operand 1;
        /// The first column.
        column = operand 2;
        /// The gathered rows.
        result = result 0;
    }
    /// `tt.descriptor_scatter`.
    DescriptorScatterOp = TtDescriptorScatter {
        /// The descriptor.
        desc = operand 0;
        /// The rows, a tensor of rank 1.
        rows = operand 1;
        /// The first column.
        column = operand 2;
        /// The rows to store.
        src = operand 3;
    }
    /// `ttng.async_tma_copy_global_to_local`.
    TmaCopyOp = TtngAsyncTmaCopyGlobalToLocal {
        /// The mbarrier that counts the bytes that have arrived.
        barrier = segment 3;
        /// Where to.
        result = segment 4;
    }
}

/// The number of `PAD_NAN` in the attribute `padding`.
const PAD_NAN: i64 = 2;

impl<'c> MakeTensorDescriptorOp<'c> {
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

impl<'c> Type<'c> {
    /// The block of a tensor descriptor, as a tensor type: with the layout that it has in shared memory, once that is chosen.
    pub fn descriptor_block(self) -> Option<Type<'c>> {
        match self.kind() {
            TypeKind::TensorDesc { block } => Some(block),
            _ => None,
        }
    }
}
