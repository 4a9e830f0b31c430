//! Copies of straight-line pieces of IR with some values replaced.

use rustc_hash::FxHashMap;
use tk_ir::{Builder, Location, Op, Value};

/// What each value becomes in the copy.
#[derive(Default)]
pub(crate) struct Mapping<'c>(FxHashMap<usize, Value<'c>>);

impl<'c> Mapping<'c> {
    /// `from` becomes `to`.
    pub(crate) fn insert(&mut self, from: Value<'c>, to: Value<'c>) {
        self.0.insert(from.id(), to);
    }

    /// What `value` becomes; itself when nothing was said.
    pub(crate) fn get(&self, value: Value<'c>) -> Value<'c> {
        self.0.get(&value.id()).copied().unwrap_or(value)
    }
}

/// Copies `ops`, which follow each other, to the builder's place, and maps their results to the copies'.
pub(crate) fn copy_ops<'c>(
    ops: &[Op<'c>],
    builder: &mut Builder<'c>,
    mapping: &mut Mapping<'c>,
    relocate: impl Fn(Location<'c>) -> Location<'c>,
) {
    for &op in ops {
        copy_op(op, builder, mapping, &relocate);
    }
}

/// Copies one operation; see [`copy_ops`].
pub(crate) fn copy_op<'c>(
    op: Op<'c>,
    builder: &mut Builder<'c>,
    mapping: &mut Mapping<'c>,
    relocate: impl Fn(Location<'c>) -> Location<'c>,
) -> Op<'c> {
    let copy = op.clone_op();
    for inner in copy.descendants() {
        for (index, operand) in inner.operands().into_iter().enumerate() {
            let mapped = mapping.get(operand);
            if mapped != operand {
                inner.set_operand(index, mapped);
            }
        }
        inner.set_loc(relocate(inner.loc()));
    }
    builder.place(copy);
    for (old, new) in op.results().into_iter().zip(copy.results()) {
        mapping.insert(old, new);
    }
    copy
}
