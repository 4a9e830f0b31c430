//! Constants, and values that are known to be one.

use super::ConstantOp;
use crate::{Attribute, Value};

impl ConstantOp<'_> {
    /// The integer of a scalar or of every element of a splat.
    pub fn int(self) -> Option<i64> {
        self.value().as_splat_int()
    }

    /// The float of a scalar or of every element of a splat.
    pub fn float(self) -> Option<f64> {
        self.value().as_splat_float()
    }
}

impl<'c> Value<'c> {
    /// The constant that defines this value.
    pub fn constant(self) -> Option<Attribute<'c>> {
        ConstantOp::cast(self.defining_op()?).map(ConstantOp::value)
    }

    /// The integer this value is known to be, the same for every element.
    pub fn constant_int(self) -> Option<i64> {
        self.constant()?.as_splat_int()
    }

    /// The float this value is known to be, the same for every element.
    pub fn constant_float(self) -> Option<f64> {
        self.constant()?.as_splat_float()
    }
}
