//! What a value is made of, behind operations that only repeat an element, or give elements to other threads.

use crate::{OpKind, Value};

impl<'c> Value<'c> {
    /// The one scalar that a tensor repeats: the operand of a splat.
    pub fn splat_source(self) -> Option<Value<'c>> {
        self.defining_op().filter(|op| op.kind() == OpKind::TtSplat).map(|op| op.operand(0))
    }

    /// What a conversion of layouts converts, or the value itself. What it converts may be another conversion.
    pub fn before_conversion(self) -> Value<'c> {
        let conversion = self.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout);
        conversion.map_or(self, |op| op.operand(0))
    }
}
