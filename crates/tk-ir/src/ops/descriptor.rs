//! Tensor descriptors: what lies outside their tensor, and their blocks.

use super::{MakeTensorDescriptorOp, PaddingOption};
use crate::{Type, TypeKind};

impl MakeTensorDescriptorOp<'_> {
    /// Elements outside the tensor read as NaN, not as zero.
    pub fn pads_with_nan(self) -> bool {
        self.padding() == PaddingOption::Nan
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
