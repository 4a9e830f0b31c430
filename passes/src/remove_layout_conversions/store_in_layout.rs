//! A store that takes the layout of what is converted for it.
//!
//! Pointers and mask are computed anew in that layout, where they are numbers, ranges and arithmetic on them. Other threads store an element then, and what
//! several threads do to one place is put in order by layouts. So nothing else may access memory through the parameter that is stored through
//! ([`is_alone`]).

use super::made::Made;
use crate::analysis::global_aliases::parameters_of;
use crate::convert_to_ttg::retype_constant;
use crate::encodings;
use crate::operations::computations::{Computation, computation};
use crate::operations::memory::{GlobalMemory, global_memory};
use rustc_hash::FxHashSet;
use tk_ir::{Attribute, Op, OpKind, Value};

/// Values that pointers and masks are computed from.
const MAX_VALUES: usize = 64;

/// The plan for one store.
pub(crate) struct StoreInLayout<'c> {
    store: Op<'c>,
    /// What is converted for it.
    source: Value<'c>,
    layout: Attribute<'c>,
    copies: Copies<'c>,
}

impl<'c> StoreInLayout<'c> {
    /// `store` stores what `conversion` makes. `ops` are those of its function.
    pub(crate) fn of(store: Op<'c>, conversion: Op<'c>, ops: &[Op<'c>]) -> Option<Self> {
        let source = conversion.operand(0);
        let layout = source.ty().encoding()?;
        if !is_alone(store, ops) {
            return None;
        }
        let mut copies = Copies::default();
        let operands = store.operands().into_iter().enumerate();
        let can_be_made = operands.filter(|(index, _)| *index != 1).all(|(_, operand)| copies.add(operand, layout));
        can_be_made.then_some(Self { store, source, layout, copies })
    }

    pub(crate) fn apply(&self) {
        let made = self.copies.apply();
        for (index, operand) in self.store.operands().into_iter().enumerate() {
            let own = if index == 1 { Some(self.source) } else { made.find(operand, self.layout) };
            if let Some(own) = own {
                self.store.set_operand(index, own);
            }
        }
    }
}

/// No other operation accesses memory through the parameters that a store may write through.
fn is_alone<'c>(store: Op<'c>, ops: &[Op<'c>]) -> bool {
    let Some(own) = parameters_of(store.operand(0)) else { return false };
    let is_apart = |op: &Op<'c>| match global_memory(op.kind()) {
        GlobalMemory::None => true,
        GlobalMemory::Pointers(_) => parameters_of(op.operand(0)).is_some_and(|others| others.is_disjoint(&own)),
        GlobalMemory::Block(_) | GlobalMemory::Copy(_) | GlobalMemory::Unknown => false,
    };
    ops.iter().filter(|op| **op != store).all(is_apart)
}

/// Values that are computed a second time in another layout, operands before what is computed from them.
#[derive(Default)]
struct Copies<'c> {
    values: Vec<(Value<'c>, Attribute<'c>)>,
    seen: FxHashSet<(usize, usize)>,
}

impl<'c> Copies<'c> {
    /// `value` in `layout`, with what it is computed from; false where that cannot be.
    fn add(&mut self, value: Value<'c>, layout: Attribute<'c>) -> bool {
        let is_there = !value.ty().is_tensor() || value.ty().encoding() == Some(layout);
        if is_there || !self.seen.insert((value.id(), layout.id())) {
            return true;
        }
        let Some(op) = value.defining_op().filter(|_| self.seen.len() <= MAX_VALUES) else { return false };
        if op.kind() == OpKind::TtgConvertLayout {
            // `Made::find` looks through it.
            return self.add(op.operand(0), layout);
        }
        if !is_cheap(op) {
            return false;
        }
        for operand in op.operands().into_iter().filter(|operand| operand.ty().is_tensor()) {
            let Some(needed) = encodings::backward(op, layout) else { return false };
            if !self.add(operand, needed) {
                return false;
            }
        }
        self.values.push((value, layout));
        true
    }

    fn apply(&self) -> Made<'c> {
        let mut made = Made::default();
        for (value, layout) in &self.values {
            if let Some(op) = value.defining_op() {
                let own = copy(op, *layout, &made);
                made.insert(*value, *layout, own);
            }
        }
        made
    }
}

/// Right behind the original, so that what loops do not change stays outside of them.
fn copy<'c>(op: Op<'c>, layout: Attribute<'c>, made: &Made<'c>) -> Value<'c> {
    let copy = op.clone_op();
    if let Some(block) = op.block() {
        block.insert_after(Some(op), copy);
    }
    for (index, operand) in op.operands().into_iter().enumerate().filter(|(_, operand)| operand.ty().is_tensor()) {
        if let Some(own) = encodings::backward(op, layout).and_then(|needed| made.find(operand, needed)) {
            copy.set_operand(index, own);
        }
    }
    let result = copy.result(0);
    result.set_type(result.ty().with_encoding(Some(layout)));
    retype_constant(copy);
    result
}

/// One result of numbers, ranges and arithmetic on operands, which threads compute without each other.
fn is_cheap(op: Op<'_>) -> bool {
    let can_be_made = match computation(op.kind()) {
        Computation::Constant => {
            op.kind() == OpKind::UbPoison || op.attr("value").is_some_and(|value| value.as_splat().is_some())
        }
        Computation::Repeat | Computation::Range | Computation::Arithmetic | Computation::Cast => true,
        Computation::Function | Computation::Load | Computation::Reduction | Computation::Other => false,
    };
    can_be_made && op.num_results() == 1
}
