//! Forward propagation: the layouts of anchors flow along uses, each value picks one, and types are changed in place.
//!
//! A conversion takes part as if it were an identity, which is what makes it superfluous. Operands that keep another layout than
//! their user needs get a conversion right after their definition, one per value and layout.

use super::Costs;
use super::repeated_results::is_worth_converting;
use super::settle::{Chosen, settle};
use crate::control_flow::flows_into;
use crate::encodings;
use crate::operations::layouts::{LayoutRule, ShapeChange};
use rustc_hash::FxHashMap;
use tk_ir::ops::{ForOp, WhileOp};
use tk_ir::{Attribute, Builder, Op, OpKind, Value};
use tk_layout::Encoding;

pub(super) fn run(function: Op<'_>, costs: &Costs<'_, '_>) {
    let mut propagation = Propagation::default();
    for op in function.descendants() {
        let is_described = op.kind() == OpKind::TtDescriptorLoad;
        if is_described || is_anchor(op, costs) {
            for result in op.results() {
                if let Some(layout) = result.ty().encoding().filter(|_| result.ty().is_tensor()) {
                    propagation.offer(result, Offer { is_weak: is_described, ..Offer::of_anchor(layout) });
                }
            }
        }
    }
    propagation.spread();
    let mut chosen = propagation.resolve();
    settle(function, &propagation.offers, &mut chosen);
    apply(function, &chosen);
}

fn is_anchor(op: Op<'_>, costs: &Costs<'_, '_>) -> bool {
    match encodings::rule(op) {
        LayoutRule::Access => op.kind() != OpKind::TtLoad || costs.is_expensive_access(op),
        LayoutRule::Own => true,
        LayoutRule::Shape(ShapeChange::Reshape) => op.attr("efficient_layout").is_some(),
        LayoutRule::Same | LayoutRule::Shape(_) | LayoutRule::Conversion | LayoutRule::Any | LayoutRule::Fixed => false,
    }
}

/// A layout that a value could have.
#[derive(Clone, Copy)]
pub(super) struct Offer<'c> {
    pub(super) layout: Attribute<'c>,
    /// It is that of a matrix instruction, or what changes of shape made of one: a transposed one is a linear layout.
    pub(super) is_of_matrix: bool,
    /// It comes from a block that is read from shared memory in any layout: what else is offered is taken.
    is_weak: bool,
}

impl<'c> Offer<'c> {
    fn of_anchor(layout: Attribute<'c>) -> Self {
        Self { layout, is_of_matrix: is_matrix(layout), is_weak: false }
    }

    /// What an operation that works in any layout makes of it.
    fn behind(self, op: Op<'c>) -> Option<Self> {
        // Vectors are cheap to convert, and are rather in the layout in which they are loaded and stored.
        let is_block = op.results().iter().all(|result| result.ty().is_tensor() && result.ty().rank() > 1);
        let is_of_matrix = |layout| is_matrix(layout) || self.is_of_matrix && is_block;
        encodings::forward(op, self.layout).map(|layout| Self { layout, is_of_matrix: is_of_matrix(layout), ..self })
    }
}

/// Layouts that values could have, in the order they arrived.
#[derive(Default)]
struct Propagation<'c> {
    offers: FxHashMap<usize, Vec<Offer<'c>>>,
    values: Vec<Value<'c>>,
    pending: Vec<Value<'c>>,
}

/// Layouts that one value remembers; more would only make resolution slower.
const MAX_OFFERS: usize = 8;

impl<'c> Propagation<'c> {
    fn offer(&mut self, value: Value<'c>, offer: Offer<'c>) {
        let offers = self.offers.entry(value.id()).or_default();
        if offers.is_empty() {
            self.values.push(value);
        }
        if !offers.iter().any(|known| known.layout == offer.layout) && offers.len() < MAX_OFFERS {
            offers.push(offer);
            self.pending.push(value);
        }
    }

    fn spread(&mut self) {
        self.pending.reverse();
        while let Some(value) = self.pending.pop() {
            let offers = self.offers.get(&value.id()).cloned().unwrap_or_default();
            let mut users = value.users();
            users.reverse();
            for (user, operand) in users {
                for &offer in &offers {
                    self.pass_on(user, operand, offer);
                }
            }
        }
    }

    fn pass_on(&mut self, user: Op<'c>, operand: usize, offer: Offer<'c>) {
        let flows = flows_into(user, operand);
        if !flows.is_empty() {
            flows.into_iter().for_each(|value| self.offer(value, offer));
            return;
        }
        let of_results = match encodings::rule(user) {
            LayoutRule::Conversion => Some(offer).filter(|offer| !is_worth_converting(user, offer.layout)),
            LayoutRule::Same | LayoutRule::Shape(_) => offer.behind(user),
            LayoutRule::Access | LayoutRule::Any | LayoutRule::Own | LayoutRule::Fixed => None,
        };
        let Some(of_results) = of_results else { return };
        for result in user.results() {
            if result.ty().is_tensor() {
                self.offer(result, of_results);
            }
        }
    }

    /// One layout per value: the first that arrived, but one of a matrix instruction wins over others, and of those the one made for its width. Both ends of a loop-carried value agree.
    fn resolve(&self) -> Chosen<'c> {
        let mut chosen = Chosen::default();
        for &value in &self.values {
            let Some(offers) = self.offers.get(&value.id()) else { continue };
            let matrices = offers.iter().rev().filter(|offer| offer.is_of_matrix);
            let best = matrices.max_by_key(|offer| fitting_columns(offer.layout, value));
            let first = || offers.iter().find(|offer| !offer.is_weak).or(offers.first());
            if let Some(offer) = best.or_else(first) {
                chosen.insert(value.id(), (value, offer.layout));
            }
        }
        for &value in &self.values {
            let Some(parent) = value.defining_op() else { continue };
            let index = value.result_number();
            let of_for = ForOp::cast(parent).map(|view| view.body().argument(index + 1));
            let twin = of_for.or_else(|| WhileOp::cast(parent).map(|view| view.after().argument(index)));
            if let (Some(twin), Some((_, layout))) = (twin, chosen.get(&value.id()).copied()) {
                chosen.insert(twin.id(), (twin, layout));
            }
        }
        chosen
    }
}

/// Arithmetic and changes of shape; not accesses, which keep the layout `coalesce` gave them.
fn takes_any_layout(op: Op<'_>) -> bool {
    matches!(encodings::rule(op), LayoutRule::Same | LayoutRule::Shape(_))
}

/// Columns of the layout's instruction, unless the value has fewer. Products of one chain may have accumulators of different widths, and
/// each value should stay with its own.
fn fitting_columns(layout: Attribute<'_>, value: Value<'_>) -> u32 {
    let Some(encoding) = layout.encoding() else { return 0 };
    let Encoding::NvidiaMma(mma) = &*encoding else { return 0 };
    let columns = mma.instr_shape.get(1).copied().unwrap_or(0);
    let has = value.ty().shape().last().copied().unwrap_or(0);
    if i64::from(columns) <= has { columns } else { 0 }
}

fn is_matrix(layout: Attribute<'_>) -> bool {
    let Some(encoding) = layout.encoding() else { return false };
    let mut inner = &*encoding;
    while let Encoding::Slice(slice) = inner {
        inner = &slice.parent;
    }
    matches!(inner, Encoding::NvidiaMma(_))
}

/// Changes the types of the chosen values, then gives every operand the layout its user needs.
fn apply<'c>(function: Op<'c>, chosen: &Chosen<'c>) {
    let mut original: FxHashMap<usize, Attribute<'c>> = FxHashMap::default();
    for (value, layout) in chosen.values() {
        let Some(before) = value.ty().encoding() else { continue };
        if before != *layout {
            original.insert(value.id(), before);
            value.set_type(value.ty().with_encoding(Some(*layout)));
        }
    }
    let mut fixer = Fixer { chosen, original: &original, converted: FxHashMap::default() };
    for op in function.descendants() {
        fixer.fix(op);
    }
}

struct Fixer<'a, 'c> {
    chosen: &'a Chosen<'c>,
    /// Layouts of changed values before the change.
    original: &'a FxHashMap<usize, Attribute<'c>>,
    /// Conversions made so far, by value and layout.
    converted: FxHashMap<(usize, usize), Value<'c>>,
}

impl<'c> Fixer<'_, 'c> {
    fn fix(&mut self, op: Op<'c>) {
        for (index, operand) in op.operands().into_iter().enumerate() {
            let Some(has) = operand.ty().encoding().filter(|_| operand.ty().is_tensor()) else { continue };
            let needs = self.needed(op, index, operand).unwrap_or(has);
            if needs != has {
                let value = self.convert(operand, needs);
                op.set_operand(index, value);
            }
        }
    }

    /// The layout that an operand must have now; `None` when any will do.
    fn needed(&self, op: Op<'c>, index: usize, operand: Value<'c>) -> Option<Attribute<'c>> {
        let flows = flow_type(op, index);
        if flows.is_some() {
            return flows;
        }
        if op.kind() == OpKind::TtgConvertLayout {
            return None;
        }
        let rewritten = op.results().into_iter().find(|result| self.chosen.contains_key(&result.id()));
        if let Some(result) = rewritten.filter(|_| takes_any_layout(op)) {
            if index > 0 && matches!(encodings::rule(op), LayoutRule::Shape(_)) {
                // Several layouts of an operand can lead to that of the result, and all operands must have the same.
                return op.operand(0).ty().encoding();
            }
            let (has, wanted) = (operand.ty().encoding()?, result.ty().encoding()?);
            return if encodings::forward(op, has) == Some(wanted) {
                Some(has)
            } else {
                encodings::backward(op, wanted)
            };
        }
        if layout_is_free(op) {
            // Several operands must still agree with each other.
            return op
                .operands()
                .iter()
                .find(|operand| operand.ty().is_tensor())
                .and_then(|first| first.ty().encoding());
        }
        self.original.get(&operand.id()).copied()
    }

    fn convert(&mut self, value: Value<'c>, layout: Attribute<'c>) -> Value<'c> {
        if let Some(source) = conversion_source(value).filter(|source| source.ty().encoding() == Some(layout)) {
            return source;
        }
        *self.converted.entry((value.id(), layout.id())).or_insert_with(|| {
            Builder::after_value(value).convert_layout(value, value.ty().with_encoding(Some(layout)))
        })
    }
}

/// What a conversion converts.
fn conversion_source(value: Value<'_>) -> Option<Value<'_>> {
    value.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout).map(|op| op.operand(0))
}

/// The layout that an operand of control flow must have because of what it flows into.
fn flow_type<'c>(op: Op<'c>, index: usize) -> Option<Attribute<'c>> {
    flows_into(op, index).into_iter().next()?.ty().encoding()
}

/// Operations without tensor results that work in any layout.
fn layout_is_free(op: Op<'_>) -> bool {
    match encodings::rule(op) {
        LayoutRule::Any => true,
        LayoutRule::Shape(ShapeChange::Reduce) => !op.results().iter().any(|result| result.ty().is_tensor()),
        LayoutRule::Shape(_)
        | LayoutRule::Same
        | LayoutRule::Access
        | LayoutRule::Conversion
        | LayoutRule::Own
        | LayoutRule::Fixed => false,
    }
}
