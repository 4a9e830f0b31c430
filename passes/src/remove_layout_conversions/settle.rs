//! What an operation gives follows its operands, where these have several layouts or another one than was thought when it was chosen.
//!
//! Values pick a layout one by one, the first that reaches each of them, so what meets is not always in one layout. From definitions to users, each
//! operation that works in any layout takes the one that asks for the fewest bytes of new conversions of its operands. A sum of a block whose
//! layout has changed before is of the new layout then: in the old one, the whole block would be converted once more to be summed up.

use super::conversion_costs;
use super::forward::Offer;
use super::reduced_behind::meetings_of_warps;
use crate::encodings;
use crate::operations::layouts::{LayoutRule, ShapeChange};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::{Attribute, Op, OpKind, Value};

/// Values with the layouts that were chosen for them, by the values' identity.
pub(super) type Chosen<'c> = FxHashMap<usize, (Value<'c>, Attribute<'c>)>;

/// Gives what an operation computes the layout that asks for the fewest bytes of new conversions of its operands. A conversion that an operation before
/// it needs as well is there already: two values that are multiplied by one table have one layout. Of those that ask for as many, the one in which
/// fewer reductions behind it have warps meet.
pub(super) fn settle<'c>(function: Op<'c>, offers: &FxHashMap<usize, Vec<Offer<'c>>>, chosen: &mut Chosen<'c>) {
    let mut settling = Settling { offers, chosen, converted: FxHashSet::default() };
    for op in function.descendants() {
        if follows_operands(op) {
            settling.settle(op);
        }
    }
}

/// It has the layout that its operands give it.
fn follows_operands(op: Op<'_>) -> bool {
    match encodings::rule(op) {
        LayoutRule::Same => true,
        // It has a layout of its own.
        LayoutRule::Shape(ShapeChange::Reshape) => op.attr("efficient_layout").is_none(),
        LayoutRule::Shape(_) => true,
        LayoutRule::Access | LayoutRule::Conversion | LayoutRule::Any | LayoutRule::Own | LayoutRule::Fixed => false,
    }
}

struct Settling<'a, 'c> {
    offers: &'a FxHashMap<usize, Vec<Offer<'c>>>,
    chosen: &'a mut Chosen<'c>,
    /// Values that are converted for operations before, and the layouts to which they are.
    converted: FxHashSet<(usize, usize)>,
}

/// An operand whose layout was chosen.
struct Operand<'c> {
    value: Value<'c>,
    has: Attribute<'c>,
    /// What a conversion of it moves.
    bytes: u64,
}

impl<'c> Operand<'c> {
    /// The layout that it needs for the results of `op` to have `layout`.
    fn needed(&self, op: Op<'c>, layout: Attribute<'c>) -> Option<Attribute<'c>> {
        if encodings::forward(op, self.has) == Some(layout) {
            return Some(self.has);
        }
        encodings::backward(op, layout)
    }

    /// The layout that it is converted to for the results of `op` to have `layout`.
    fn conversion(&self, op: Op<'c>, layout: Attribute<'c>) -> Option<(usize, usize)> {
        let needed = self.needed(op, layout).filter(|needed| *needed != self.has)?;
        Some((self.value.id(), needed.id()))
    }
}

impl<'c> Settling<'_, 'c> {
    fn settle(&mut self, op: Op<'c>) {
        let Some(result) = op.results().first().copied() else { return };
        let Some((_, first)) = self.chosen.get(&result.id()).copied() else { return };
        let operands = self.operands(op);
        let layout = self.cheapest(op, &operands, first);
        self.converted.extend(operands.iter().filter_map(|operand| operand.conversion(op, layout)));
        if layout != first {
            for result in op.results() {
                self.chosen.insert(result.id(), (result, layout));
            }
        }
    }

    fn operands(&self, op: Op<'c>) -> Vec<Operand<'c>> {
        let of = |value: Value<'c>| {
            let (_, has) = self.chosen.get(&value.id())?;
            Some(Operand { value, has: *has, bytes: conversion_costs::bytes(before_repetition(value)) })
        };
        op.operands().into_iter().filter_map(of).collect()
    }

    /// The layout of the results that costs least, `first` among equals.
    fn cheapest(&self, op: Op<'c>, operands: &[Operand<'c>], first: Attribute<'c>) -> Attribute<'c> {
        let result = op.result(0);
        let offers = self.offers.get(&result.id()).map_or(&[][..], Vec::as_slice);
        let alike = op.results().iter().all(|other| self.chosen.get(&other.id()).is_some_and(|(_, has)| *has == first));
        let is_free = alike && !offers.iter().any(|offer| offer.is_of_matrix);
        if !is_free {
            return first;
        }
        let bytes = |layout: Attribute<'c>| -> u64 {
            let is_new = |operand: &&Operand<'c>| {
                operand.conversion(op, layout).is_some_and(|conversion| !self.converted.contains(&conversion))
            };
            operands.iter().filter(is_new).map(|operand| operand.bytes).sum()
        };
        let cost = |layout: Attribute<'c>| (bytes(layout), meetings_of_warps(result, layout));
        let can_have = |layout: &Attribute<'c>| operands.iter().all(|operand| operand.needed(op, *layout).is_some());
        let others = offers.iter().map(|offer| offer.layout).filter(|layout| *layout != first).filter(can_have);
        others.min_by_key(|layout| cost(*layout)).filter(|layout| cost(*layout) < cost(first)).unwrap_or(first)
    }
}

/// What a value repeats along axes, where it does: that is converted, and repeated in the other layout.
fn before_repetition(value: Value<'_>) -> Value<'_> {
    let broadcast = value.defining_op().filter(|op| op.kind() == OpKind::TtBroadcast);
    broadcast.map_or(value, |op| op.operand(0))
}
