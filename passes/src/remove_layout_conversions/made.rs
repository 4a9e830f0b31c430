//! What backward rematerialisation has made so far.

use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::{Attribute, OpKind, Value};

/// Values made in another layout so far, by original value and layout.
#[derive(Default)]
pub(super) struct Made<'c> {
    pub(super) values: FxHashMap<(usize, usize), Value<'c>>,
    /// Conversions that stay.
    pub(super) stay: FxHashSet<usize>,
}

impl<'c> Made<'c> {
    /// `value` in `layout`: itself, the source of its conversion, or what was made.
    pub(super) fn find(&self, value: Value<'c>, layout: Attribute<'c>) -> Option<Value<'c>> {
        if !value.ty().is_tensor() || value.ty().encoding() == Some(layout) {
            return Some(value);
        }
        if let Some(made) = self.values.get(&(value.id(), layout.id())) {
            return Some(*made);
        }
        let conversion = value.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout)?;
        self.find(conversion.operand(0), layout)
    }

    pub(super) fn insert(&mut self, value: Value<'c>, layout: Attribute<'c>, made: Value<'c>) {
        self.values.insert((value.id(), layout.id()), made);
    }
}
