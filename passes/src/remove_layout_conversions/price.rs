//! What a slice costs, and what it saves: bytes that go through shared memory and instructions of threads, those in loops many times.

use super::Costs;
use super::backward::{LayoutSlice, OperandLayout};
use super::conversion_costs::{
    compute_cost, depth_of, instructions_of, instructions_per_element, more_from_ring, moving_cost, saved_conversion,
};
use crate::control_flow::{flows_into, loop_depth};
use crate::encodings::elements_per_thread;
use rustc_hash::FxHashSet;
use tk_ir::{Attribute, Op, OpKind, Value};
use tk_layout::Encoding;

impl<'c> LayoutSlice<'c> {
    /// What the copies and conversions of the slice cost, if that is less than the conversions that go away; of these the replaced one costs `replaced`.
    pub(super) fn price(&self, conversion: Op<'c>, costs: &Costs<'_, '_>, replaced: u64) -> Option<u64> {
        let copied = self.copied(conversion);
        let saved = replaced + self.saved_inside(&copied);
        let depth = loop_depth(conversion);
        let more = self.more_instructions(&copied);
        let reads_ring = more <= more_from_ring(conversion);
        let moves = |value: Value<'c>| {
            !(self.shared.contains(&value.id())
                || reads_ring && self.is_read_from_ring(value, &copied, conversion, costs))
        };
        let moved: u64 = self
            .converted
            .iter()
            .filter(|(value, _)| moves(*value))
            .map(|(value, layout)| moving_cost(*value, *layout, depth))
            .sum();
        if moved >= saved {
            return None;
        }
        let computes = self.remade.iter().any(|(value, _)| compute_cost(*value) > 0);
        let stays = match OperandLayout::of(conversion) {
            OperandLayout::None => false,
            OperandLayout::Blocked => computes,
            OperandLayout::Matrix => computes && self.converted.is_empty(),
        };
        if stays {
            return None;
        }
        let recomputed: u64 = self
            .remade
            .iter()
            .filter(|(value, _)| copied.contains(&value.id()))
            .map(|(value, _)| compute_cost(*value) << (3 * depth_of(*value).min(8)))
            .sum();
        let pays =
            moved + recomputed <= saved && self.pays_off_deeper(&copied, depth) && more <= instructions_of(conversion);
        pays.then_some(moved + recomputed)
    }

    /// A block for an operand or an addend of matrix instructions that a pipelined loop copies to shared memory, and that nothing else reads. It
    /// is read from there in their layout as well as in any other, so converting it costs nothing.
    fn is_read_from_ring(
        &self,
        value: Value<'c>,
        copied: &FxHashSet<usize>,
        conversion: Op<'c>,
        costs: &Costs<'_, '_>,
    ) -> bool {
        let moves_along =
            |result: &Value<'c>| self.layout_of.contains_key(&result.id()) && !copied.contains(&result.id());
        let layout = conversion.result(0).ty().layout();
        let is_addend = matches!(layout.as_deref(), Some(Encoding::NvidiaMma(_)));
        (is_addend || matches!(OperandLayout::of(conversion), OperandLayout::Matrix))
            && value.defining_op().is_some_and(|op| op.block() == conversion.block() && costs.is_copied_ahead(op))
            && value.users().into_iter().all(|(user, _)| user.results().iter().all(moves_along))
    }

    /// What is computed twice in loops that the conversion is not in costs less than the conversions that go away there. A state that a
    /// loop carries is not carried in two layouts because it is stored behind the loop: iterations are more than a cost model knows.
    fn pays_off_deeper(&self, copied: &FxHashSet<usize>, depth: u32) -> bool {
        let deeper = self.remade.iter().map(|(value, _)| *value).filter(|value| depth_of(*value) > depth);
        let (twice, instead): (Vec<Value<'c>>, Vec<Value<'c>>) = deeper.partition(|value| copied.contains(&value.id()));
        let recomputed: u64 = twice.into_iter().map(|value| compute_cost(value) << (3 * depth_of(value).min(8))).sum();
        let saved: u64 = instead.into_iter().filter_map(saved_conversion).sum();
        recomputed <= saved
    }

    /// What the conversions inside of the slice cost that nothing else uses: `expand_dims` between two conversions is the common case.
    fn saved_inside(&self, copied: &FxHashSet<usize>) -> u64 {
        let inside = self.remade.iter().map(|(value, _)| *value).filter(|value| !copied.contains(&value.id()));
        inside.filter_map(saved_conversion).sum()
    }

    /// Instructions of a thread that the slice adds, about: those of copies, and of values of which a thread has more elements in the new layout.
    fn more_instructions(&self, copied: &FxHashSet<usize>) -> u64 {
        let more = |(value, layout): &(Value<'c>, Attribute<'c>)| {
            let elements = |ty| elements_per_thread(ty).unsigned_abs();
            let before = if copied.contains(&value.id()) { 0 } else { elements(value.ty()) };
            let more = elements(value.ty().with_encoding(Some(*layout))).saturating_sub(before);
            instructions_per_element(*value).saturating_mul(more) << (3 * depth_of(*value).min(8))
        };
        self.remade.iter().filter(|(value, _)| value.ty().is_tensor()).map(more).fold(0, u64::saturating_add)
    }

    /// Values of the slice whose originals stay, because something outside of the slice uses them.
    pub(super) fn copied(&self, conversion: Op<'c>) -> FxHashSet<usize> {
        // What is needed in a second layout is converted from the original.
        let is_remade = |value: &Value<'c>| self.remade.iter().any(|(remade, _)| remade == value);
        let second = self.converted.iter().map(|(value, _)| value).filter(|value| is_remade(value));
        let mut copied: FxHashSet<usize> = second.map(|value| value.id()).collect();
        let goes_away = |user: Op<'c>, operand: usize, copied: &FxHashSet<usize>| {
            let flows = flows_into(user, operand);
            let targets = if flows.is_empty() { user.results() } else { flows };
            user == conversion
                || self.together.contains(&user.id())
                || user.kind() == OpKind::TtgConvertLayout && user.result(0).ty() == conversion.result(0).ty()
                || !targets.is_empty()
                    && targets.iter().all(|t| self.layout_of.contains_key(&t.id()) && !copied.contains(&t.id()))
        };
        // From users to producers; loops need a second look.
        loop {
            let before = copied.len();
            for (value, _) in &self.remade {
                let stays = value.users().into_iter().any(|(user, operand)| !goes_away(user, operand, &copied));
                if stays {
                    copied.insert(value.id());
                }
            }
            if copied.len() == before {
                return copied;
            }
        }
    }
}
