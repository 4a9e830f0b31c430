//! What a slice costs, and what it saves: bytes that go through shared memory and instructions of threads, those in loops many times, and those in front of
//! a branch that few iterations take more often than those in it ([`seldom`](super::seldom)).

use super::Costs;
use super::backward::{LayoutSlice, OperandLayout};
use super::conversion_costs::{
    bytes_of_thread, compute_cost, depth_of, instructions_of, instructions_per_element, more_from_ring, moving_cost,
    saved_conversion,
};
use super::seldom::Frequencies;
use crate::control_flow::{flows_into, loop_depth};
use crate::encodings::{distinct_elements_per_thread, elements_per_thread};
use rustc_hash::FxHashSet;
use tk_ir::{Attribute, Op, OpKind, Value};
use tk_layout::Encoding;

impl<'c> LayoutSlice<'c> {
    /// What the copies and conversions of the slice cost, if that is less than the conversions that go away; of these the replaced one costs `replaced`.
    pub(super) fn price(&self, conversion: Op<'c>, costs: &Costs<'_, '_>, replaced: u64) -> Option<u64> {
        let copied = self.copied(conversion);
        let frequencies = Frequencies::of(self, conversion);
        let saved = replaced + self.saved_inside(&copied, &frequencies);
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
            .map(|(value, layout)| frequencies.beside(*value) * moving_cost(*value, *layout, depth))
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
            .map(|(value, _)| frequencies.beside(*value) * (compute_cost(*value) << (3 * depth_of(*value).min(8))))
            .sum();
        let pays =
            moved + recomputed <= saved && self.pays_off_deeper(&copied, depth) && more <= instructions_of(conversion);
        (pays && self.repeats_little(&copied, conversion, costs)).then_some(moved + recomputed)
    }

    /// A block for an operand of matrix instructions is not computed by each row or column of warps that reads it, where that takes more than the way
    /// through shared memory that goes away. Two products took 9 % longer on an H200: some sixty instructions of a thread were added for 24 bytes
    /// less, and four hundred for 96 bytes less and no conversion in the loop. One row has few elements, and is left as it was.
    ///
    /// So it is with a block that is converted in any case, where its elements are narrower: the functions of rows that follow are computed for all rows of
    /// which the thread has elements then. Where those are two instead of one, three and six functions made two kernels of an H200 5 and 19 % slower.
    fn repeats_little(&self, copied: &FxHashSet<usize>, conversion: Op<'c>, costs: &Costs<'_, '_>) -> bool {
        let is_asked = match OperandLayout::of(conversion) {
            OperandLayout::None => self.converts_whole_block(conversion),
            OperandLayout::Blocked => false,
            OperandLayout::Matrix => is_block(conversion.operand(0)),
        };
        let repeated = if is_asked { self.repeated_instructions() } else { 0 };
        repeated == 0 || repeated <= self.instructions_of_way(copied, conversion, costs)
    }

    /// A block of as many elements as the one that it replaces is converted, to a layout that accesses to memory have. Layouts of products were not measured.
    fn converts_whole_block(&self, conversion: Op<'c>) -> bool {
        let (elements, depth) = (conversion.operand(0).ty().num_elements(), loop_depth(conversion));
        let is_whole = |(value, layout): &(Value<'c>, Attribute<'c>)| {
            is_block(*value) && value.ty().num_elements() >= elements && moving_cost(*value, *layout, depth) > 0
        };
        let layout = conversion.result(0).ty().layout();
        matches!(layout.as_deref(), Some(Encoding::Blocked(_))) && self.converted.iter().any(is_whole)
    }

    /// Instructions of a thread that the slice adds because the thread has more elements in the new layout, about.
    fn repeated_instructions(&self) -> u64 {
        let more = |(value, layout): &(Value<'c>, Attribute<'c>)| {
            let elements = |ty| distinct_elements_per_thread(ty).unsigned_abs();
            let more = elements(value.ty().with_encoding(Some(*layout))).saturating_sub(elements(value.ty()));
            instructions_per_element(*value).saturating_mul(more) << (3 * depth_of(*value).min(8))
        };
        self.remade.iter().filter(|(value, _)| value.ty().is_tensor()).map(more).fold(0, u64::saturating_add)
    }

    /// The way through shared memory that goes away, in instructions of a thread: one for each byte that it writes and reads less, since a multiprocessor
    /// moves 128 bytes in a cycle and issues instructions of 128 threads. The waiting goes away, too, unless a block is converted as often as before: one
    /// that is copied ahead is read from its copy.
    fn instructions_of_way(&self, copied: &FxHashSet<usize>, conversion: Op<'c>, costs: &Costs<'_, '_>) -> u64 {
        let depth = loop_depth(conversion);
        let moved = self.converted.iter().filter(|(value, _)| !self.shared.contains(&value.id()));
        let moved: Vec<(Value<'c>, Attribute<'c>)> = moved.copied().collect();
        let waits = |(value, layout): &(Value<'c>, Attribute<'c>)| {
            is_block(*value)
                && depth_of(*value) >= depth
                && moving_cost(*value, *layout, depth) > 0
                && !self.is_read_from_ring(*value, copied, conversion, costs)
        };
        let waiting = if moved.iter().any(waits) { 0 } else { more_from_ring(conversion) };
        let left: u64 = moved.iter().map(|(value, layout)| bytes_of_thread(*value, *layout, depth_of(*value))).sum();
        waiting + self.bytes_that_go(copied, conversion).saturating_sub(left)
    }

    /// Bytes that the conversions that go away move for a thread.
    fn bytes_that_go(&self, copied: &FxHashSet<usize>, conversion: Op<'c>) -> u64 {
        let remade = self.remade.iter().map(|(value, _)| *value).filter(|value| !copied.contains(&value.id()));
        let inside = remade.filter_map(|value| value.defining_op());
        let inside = inside.filter(|op| op.kind() == OpKind::TtgConvertLayout && *op != conversion);
        let bytes = |op: Op<'c>| Some(bytes_of_thread(op.operand(0), op.result(0).ty().encoding()?, loop_depth(op)));
        inside.chain([conversion]).filter_map(bytes).sum()
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
    fn saved_inside(&self, copied: &FxHashSet<usize>, frequencies: &Frequencies<'c>) -> u64 {
        let inside = self.remade.iter().map(|(value, _)| *value).filter(|value| !copied.contains(&value.id()));
        inside.filter_map(|value| Some(frequencies.beside(value) * saved_conversion(value)?)).sum()
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

    /// No thread has more instructions for it than for what goes away.
    pub(super) fn repeats_nothing(&self, conversion: Op<'c>) -> bool {
        self.more_instructions(&self.copied(conversion)) == 0
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

/// More than a row or a column, which are few bytes.
pub(super) fn is_block(value: Value<'_>) -> bool {
    value.ty().shape().iter().filter(|size| **size > 1).count() > 1
}
