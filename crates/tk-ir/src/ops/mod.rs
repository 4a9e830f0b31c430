//! Typed views: `LoadOp::cast(op)` names the parts of an operation, one file per family.
//!
//! A view is the handle with its kind checked; `view.op` is the operation itself.

mod atomics;
mod control;
mod descriptor;
mod enums;
mod function;
mod memory;
mod reduction;
mod shared;
mod tensor;

pub use atomics::{AtomicCasOp, AtomicRmwOp};
pub use control::{ConditionOp, ForOp, IfOp, WhileOp};
pub use descriptor::{
    DescriptorGatherOp, DescriptorLoadOp, DescriptorScatterOp, DescriptorStoreOp, MakeTensorDescriptorOp, TmaCopyOp,
};
pub use enums::{
    CacheModifier, CmpF, CmpI, EvictionPolicy, InputPrecision, MemScope, MemSemantic, RmwOp, RoundingMode,
};
pub use function::{CallOp, DESCRIPTOR, FuncOp, MAP_BASE, MAP_STRIDE, PADDING, PADDING_NAN, POSITIVE, RAGGED};
pub use memory::{AssertOp, GuardOp, LoadOp, PrintOp, StoreOp};
pub use reduction::{ReduceOp, ScanOp};
pub use shared::{AsyncCopyOp, AsyncWaitOp, LocalAllocOp, LocalLoadOp, LocalStoreOp, MemDescIndexOp, WarpGroupDotOp};
pub use tensor::{
    BroadcastOp, ConstantOp, ConvertLayoutOp, DotOp, ExpandDimsOp, FpToFpOp, GatherOp, HistogramOp, InlineAsmOp,
    MakeRangeOp, ProgramIdOp, ReshapeOp, SplatOp, TransOp,
};

/// Defines views that check the kind of an operation and name its parts:
/// `operand N`, `optional N` (an operand that may be missing), `segment N` (the operand of a segment that may be empty),
/// `rest N` (the operands from `N` on) and `result N`.
macro_rules! view {
    ($(
        $(#[$doc:meta])*
        $name:ident = $kind:ident $(| $other:ident)* {
            $($(#[$part_doc:meta])* $part:ident = $form:ident $index:literal;)*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name<'c> {
            /// The operation itself.
            pub op: crate::Op<'c>,
        }

        impl<'c> $name<'c> {
            /// The view, when the operation is of this kind.
            pub fn cast(op: crate::Op<'c>) -> Option<Self> {
                matches!(op.kind(), crate::OpKind::$kind $(| crate::OpKind::$other)*).then_some(Self { op })
            }

            $($crate::ops::part! { $(#[$part_doc])* $part = $form $index })*
        }
    )*};
}
pub(crate) use view;

/// One named part of a view.
macro_rules! part {
    ($(#[$doc:meta])* $part:ident = operand $index:literal) => {
        $(#[$doc])*
        pub fn $part(self) -> crate::Value<'c> {
            self.op.operand($index)
        }
    };
    ($(#[$doc:meta])* $part:ident = optional $index:literal) => {
        $(#[$doc])*
        pub fn $part(self) -> Option<crate::Value<'c>> {
            (self.op.num_operands() > $index).then(|| self.op.operand($index))
        }
    };
    ($(#[$doc:meta])* $part:ident = segment $index:literal) => {
        $(#[$doc])*
        pub fn $part(self) -> Option<crate::Value<'c>> {
            self.op.segment($index).first().copied()
        }
    };
    ($(#[$doc:meta])* $part:ident = rest $index:literal) => {
        $(#[$doc])*
        pub fn $part(self) -> Vec<crate::Value<'c>> {
            self.op.operands()[$index..].to_vec()
        }
    };
    ($(#[$doc:meta])* $part:ident = result $index:literal) => {
        $(#[$doc])*
        pub fn $part(self) -> crate::Value<'c> {
            self.op.result($index)
        }
    };
}
pub(crate) use part;

use crate::{Op, Value};

impl<'c> Op<'c> {
    /// An integer, boolean or enum attribute by name.
    pub fn int_attr(self, name: &str) -> Option<i64> {
        self.attr(name)?.as_int()
    }

    /// An integer attribute that the operation cannot be without; 0 when it is missing all the same.
    pub(crate) fn required_int(self, name: &str) -> i64 {
        self.int_attr(name).unwrap_or_default()
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
