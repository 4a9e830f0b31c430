//! Backward rematerialisation: what feeds a conversion is computed again in the wanted layout, as far back as that pays.
//!
//! For one conversion, [`LayoutSlice`] collects the values that must exist in another layout, walking from the conversion towards producers,
//! through loops and branches. The walk ends at values that have the layout already, at values made for an earlier conversion,
//! and at values that cannot be made again (expensive loads, matrix products) or cost more to make twice than to convert (reductions), which
//! are converted there instead. The slice is used when its copies and conversions cost less than the conversion it replaces; bytes and loops
//! are what cost.
//!
//! The walk goes through other conversions, since what they convert may be made in the wanted layout, too. Where that does not pay, and nothing is
//! computed more than once, it ends at what they convert: of two conversions one is left, from the first layout to the last.
//!
//! A conversion that stays in a branch of a loop that few iterations take converts what was made in front of it ([`seldom`](super::seldom)).

use super::conversion_costs::{compute_cost, conversion_cost};
use super::converted_together::converted_together;
use super::made::Made;
use super::read_again::replaced_cost;
use super::{Costs, Rows, scans};
use crate::control_flow::{NewCarried, NewResult, extend_for, extend_if, flows_from, move_behind, set_flow};
use crate::convert_to_ttg::retype_constant;
use crate::encodings;
use crate::operations::control::{Control, control, is_structured};
use crate::operations::layouts::LayoutRule;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::ops::{ForOp, IfOp, LoadOp};
use tk_ir::{Attribute, Builder, Op, OpKind, Value};
use tk_layout::Encoding;

/// Tries every conversion once; true when something changed.
pub(super) fn run(function: Op<'_>, costs: &Costs<'_, '_>) -> bool {
    let conversions: Vec<Op<'_>> =
        function.descendants().into_iter().filter(|op| op.kind() == OpKind::TtgConvertLayout).collect();
    let mut made = Made::default();
    // Erased at the end: `made` knows values by address, which must not be used again meanwhile.
    let mut superfluous = Vec::new();
    for &conversion in &conversions {
        let source = conversion.operand(0);
        let Some(layout) = conversion.result(0).ty().encoding() else { continue };
        if source.ty().encoding() == Some(layout) || is_free(conversion) {
            continue;
        }
        let paying = |beside| LayoutSlice::paying(conversion, source, layout, &made, costs, beside);
        let up_to_conversions = || LayoutSlice::up_to_conversions(conversion, source, layout, &made, costs);
        let found = paying(Beside::Stays).or_else(|| paying(Beside::ConvertedTogether)).or_else(up_to_conversions);
        let Some(slice) = found else {
            made.stay.insert(conversion.id());
            continue;
        };
        slice.apply(&mut made);
        if let Some(value) = made.find(conversion.operand(0), layout) {
            conversion.result(0).replace_all_uses_with(value);
            superfluous.push(conversion);
        }
    }
    let stays = |conversion: &Op<'_>| made.stay.contains(&conversion.id());
    let is_replaced = |conversion: &Op<'_>| super::seldom::convert_what_is_made(*conversion, &made);
    superfluous.extend(conversions.into_iter().filter(stays).filter(is_replaced));
    superfluous.iter().for_each(|conversion| conversion.erase());
    !superfluous.is_empty()
}

/// Both layouts place every element in the same register of the same thread, as those of two `wgmma` do along their rows.
fn is_free(conversion: Op<'_>) -> bool {
    let (from, to) = (conversion.operand(0).ty(), conversion.result(0).ty());
    let is_matrix = |layout: &Encoding| !matches!(layout, Encoding::Blocked(_));
    let (Some(a), Some(b)) = (from.layout(), to.layout()) else { return false };
    // Blocked layouts that differ hardly ever agree, and are cheap to unify elsewhere.
    is_matrix(&a) && is_matrix(&b) && matches!((from.linear_layout(), to.linear_layout()), (Some(a), Some(b)) if a == b)
}

/// Whose operand a conversion makes. What operands are computed from is rarely worth computing in their layouts, which hold copies.
pub(super) enum OperandLayout {
    /// Not an operand's layout.
    None,
    /// Of products by multiply-add, which matrix instructions may still replace: threads hold whole rows. They stay converted.
    Blocked,
    /// Of matrix instructions. They stay converted unless the conversion becomes smaller.
    Matrix,
}

impl OperandLayout {
    pub(super) fn of(conversion: Op<'_>) -> Self {
        match conversion.result(0).ty().layout().as_deref() {
            Some(Encoding::DotOp(operand)) if matches!(*operand.parent, Encoding::Blocked(_)) => Self::Blocked,
            Some(Encoding::DotOp(_)) => Self::Matrix,
            _ => Self::None,
        }
    }
}

/// What else uses the values of a slice and is converted, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// It stays, and so do the originals.
    Stays,
    /// It goes with them ([`converted_together`]).
    ConvertedTogether,
}

/// What it takes to have one value in another layout.
pub(super) struct LayoutSlice<'c> {
    /// Values to make again and their layouts, from the conversion towards producers.
    pub(super) remade: Vec<(Value<'c>, Attribute<'c>)>,
    pub(super) layout_of: FxHashMap<usize, Attribute<'c>>,
    /// Values to convert.
    pub(super) converted: Vec<(Value<'c>, Attribute<'c>)>,
    /// Of these, those that are converted to this layout anyway.
    pub(super) shared: FxHashSet<usize>,
    /// Operations outside that need no originals.
    pub(super) together: FxHashSet<usize>,
}

/// A value that a loop carries and that is made again.
struct RemadeCarried<'c> {
    index: usize,
    argument: Value<'c>,
    layout: Attribute<'c>,
}

/// Values in one slice; beyond this, a conversion is cheaper than thinking.
const MAX_SLICE: usize = 1024;

impl<'c> LayoutSlice<'c> {
    /// The slice to use in place of a conversion, if one pays off: the one through all reductions and loops, or one that converts what the first of
    /// these give. A number for each row is less to move than the block that it was reduced from, than what a loop carries of it, or than a block in
    /// which it is repeated; and what a loop gives is not made again in there.
    pub(super) fn paying(
        conversion: Op<'c>,
        source: Value<'c>,
        layout: Attribute<'c>,
        made: &Made<'c>,
        costs: &Costs<'_, '_>,
        beside: Beside,
    ) -> Option<Self> {
        let up_to = |stops| Self::cheapest(conversion, source, layout, made, costs, beside, stops);
        let through = up_to(FxHashSet::default())?;
        let (reduced, of_loops) = (through.reduced(), through.given_by_loops(conversion));
        let all = reduced.union(&of_loops).copied().collect();
        let replaced = replaced_cost(conversion, &made.stay);
        let priced = |slice: Self| slice.price(conversion, costs, replaced).map(|price| (price, slice));
        let mut best = priced(through);
        let to_reduced = (!reduced.is_empty()).then_some(reduced);
        let to_loops = (!of_loops.is_empty()).then_some(all);
        for (stops, is_of_loops) in [(to_reduced, false), (to_loops, true)] {
            if let Some(stops) = stops
                && best.as_ref().is_none_or(|(price, _)| *price > 0)
                && let Some(slice) = up_to(stops)
                && (!is_of_loops || slice.converts_fewer_elements(source))
                && let Some((price, slice)) = priced(slice)
                && best.as_ref().is_none_or(|(least, _)| price < *least)
            {
                best = Some((price, slice));
            }
        }
        best.map(|(_, slice)| slice)
    }

    /// The slice that ends at what conversions inside of it convert, if that pays off: these convert to the wanted layout, and what lies before them, as a
    /// load of wider elements, stays in its layout. Of halves of rows that are packed to bytes that is one conversion, not one before the
    /// halves are taken apart and one before the store.
    ///
    /// Reductions and loops stay in the layouts that they have, since in another one warps may have to meet in them. No thread computes
    /// more than before. Operands of products are left alone, since they may hold elements several times.
    fn up_to_conversions(
        conversion: Op<'c>,
        source: Value<'c>,
        layout: Attribute<'c>,
        made: &Made<'c>,
        costs: &Costs<'_, '_>,
    ) -> Option<Self> {
        if !matches!(OperandLayout::of(conversion), OperandLayout::None) {
            return None;
        }
        let up_to = |stops| Self::cheapest(conversion, source, layout, made, costs, Beside::Stays, stops);
        let stops = up_to(FxHashSet::default())?.converted_inside();
        if stops.is_empty() {
            return None;
        }
        let slice = up_to(stops)?;
        let replaced = replaced_cost(conversion, &made.stay);
        let pays = slice.is_of_block_operations()
            && slice.repeats_nothing(conversion)
            && slice.price(conversion, costs, replaced).is_some();
        pays.then_some(slice)
    }

    /// What conversions in the slice convert.
    fn converted_inside(&self) -> FxHashSet<usize> {
        let makers = self.remade.iter().filter_map(|(value, _)| value.defining_op());
        makers.filter(|op| op.kind() == OpKind::TtgConvertLayout).map(|op| op.operand(0).id()).collect()
    }

    /// It makes nothing again that loops carry, that branches give, or that is reduced or scanned.
    fn is_of_block_operations(&self) -> bool {
        let is_plain = |op: Op<'c>| !is_structured(op) && !matches!(op.kind(), OpKind::TtReduce | OpKind::TtScan);
        self.remade.iter().all(|(value, _)| value.defining_op().is_some_and(is_plain))
    }

    /// What reductions in the slice give.
    fn reduced(&self) -> FxHashSet<usize> {
        let remade = self.remade.iter().map(|(value, _)| *value);
        let is_reduced = |value: &Value<'c>| value.defining_op().is_some_and(|op| op.kind() == OpKind::TtReduce);
        remade.filter(is_reduced).map(|value| value.id()).collect()
    }

    /// All that it converts has fewer elements than `source`, whatever loop these conversions are in: one in a loop whose operand does not change
    /// leaves it later, and is no dearer than those in front.
    fn converts_fewer_elements(&self, source: Value<'c>) -> bool {
        let converted: i64 = self.converted.iter().map(|(value, _)| value.ty().num_elements()).sum();
        converted < source.ty().num_elements()
    }

    /// What loops in the slice give that the conversion is not in.
    fn given_by_loops(&self, conversion: Op<'c>) -> FxHashSet<usize> {
        let remade = self.remade.iter().map(|(value, _)| *value);
        let is_given = |value: &Value<'c>| {
            value.defining_op().is_some_and(|op| op.kind() == OpKind::ScfFor && !op.contains(conversion))
        };
        remade.filter(is_given).map(|value| value.id()).collect()
    }

    /// The slice that converts what would be made a second time although converting it costs less. Of attention with two layouts that are the maxima and
    /// sums of rows, each a number for each row instead of the scores.
    fn cheapest(
        conversion: Op<'c>,
        source: Value<'c>,
        layout: Attribute<'c>,
        made: &Made<'c>,
        costs: &Costs<'_, '_>,
        beside: Beside,
        mut stops: FxHashSet<usize>,
    ) -> Option<Self> {
        loop {
            let mut slice = Self::of(conversion, source, layout, made, costs, &stops)?;
            if beside == Beside::ConvertedTogether {
                slice.together = converted_together(&slice.remade, &slice.layout_of);
                if slice.together.is_empty() {
                    return None;
                }
            }
            let before = stops.len();
            stops.extend(slice.dear_to_repeat(conversion));
            if stops.len() == before {
                return Some(slice);
            }
        }
    }

    /// Values that would be made twice, and that cost more than to convert what is there.
    fn dear_to_repeat(&self, conversion: Op<'c>) -> Vec<usize> {
        let copied = self.copied(conversion);
        let twice = self.remade.iter().map(|(value, _)| *value).filter(|value| copied.contains(&value.id()));
        let is_dear = |value: &Value<'c>| compute_cost(*value) > conversion_cost(*value, 0);
        twice.filter(is_dear).map(|value| value.id()).collect()
    }

    /// The slice up to `stops`, which are converted.
    fn of(
        conversion: Op<'c>,
        source: Value<'c>,
        layout: Attribute<'c>,
        made: &Made<'c>,
        costs: &Costs<'_, '_>,
        stops: &FxHashSet<usize>,
    ) -> Option<Self> {
        let mut slice = LayoutSlice {
            remade: Vec::new(),
            layout_of: FxHashMap::default(),
            converted: Vec::new(),
            shared: FxHashSet::default(),
            together: FxHashSet::default(),
        };
        let mut pending = vec![(source, layout)];
        while let Some((value, layout)) = pending.pop() {
            if made.find(value, layout).is_some() {
                continue;
            }
            match slice.layout_of.get(&value.id()) {
                Some(known) if *known == layout => continue,
                Some(_) => {
                    slice.need_second(value, layout, &mut pending);
                    continue;
                }
                None => {}
            }
            if slice.remade.len() > MAX_SLICE {
                return None;
            }
            if let Some(inner) = value.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout) {
                slice.layout_of.insert(value.id(), layout);
                slice.remade.push((value, layout));
                pending.push((inner.operand(0), layout));
                continue;
            }
            if value != source && is_converted_anyway(value, layout, &made.stay) {
                slice.layout_of.insert(value.id(), layout);
                slice.converted.push((value, layout));
                slice.shared.insert(value.id());
                continue;
            }
            let makers = if stops.contains(&value.id()) { None } else { producers(value, layout, costs) };
            match makers {
                Some(producers) => {
                    slice.layout_of.insert(value.id(), layout);
                    slice.remade.push((value, layout));
                    slice.add_twins(value, layout, &mut pending);
                    pending.extend(producers);
                }
                None if value == source => return None,
                None if conversion.operand(0) == value => return None,
                None => {
                    slice.layout_of.insert(value.id(), layout);
                    slice.converted.push((value, layout));
                }
            }
        }
        Some(slice)
    }

    /// A value that the slice has in one new layout is needed in another one too, as in `g[:, None] - g[None, :]`: that is converted.
    fn need_second(&mut self, value: Value<'c>, layout: Attribute<'c>, pending: &mut Vec<(Value<'c>, Attribute<'c>)>) {
        match value.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout) {
            Some(inner) => pending.push((inner.operand(0), layout)),
            None if self.converted.contains(&(value, layout)) => {}
            None => self.converted.push((value, layout)),
        }
    }

    /// Other values that change with this one: further results of the same operation, and both ends of a loop-carried value.
    fn add_twins(&mut self, value: Value<'c>, layout: Attribute<'c>, pending: &mut Vec<(Value<'c>, Attribute<'c>)>) {
        if let Some(op) = value.defining_op() {
            if let Some(view) = ForOp::cast(op) {
                pending.push((view.body().argument(value.result_number() + 1), layout));
            } else if op.kind() != OpKind::ScfIf {
                let others = op.results().into_iter().filter(|other| *other != value && other.ty().is_tensor());
                pending.extend(others.map(|other| (other, layout)));
            }
        } else if let Some((block, index)) = value.block_argument()
            && let Some(parent) = block.parent_op().filter(|parent| parent.kind() == OpKind::ScfFor)
        {
            pending.push((parent.result(index - 1), layout));
        }
    }

    pub(super) fn apply(mut self, made: &mut Made<'c>) {
        for (value, layout) in &self.converted {
            let ty = value.ty().with_encoding(Some(*layout));
            let new = Builder::after_value(*value).convert_layout(*value, ty);
            made.insert(*value, *layout, new);
        }
        self.extend_control_flow(made);
        let order = self.program_order();
        for op in &order {
            self.copy(*op, made);
        }
        self.connect(made);
    }

    /// Adds the slice's loop-carried values and branch results, with the original values flowing in for now.
    fn extend_control_flow(&mut self, made: &mut Made<'c>) {
        let mut done: FxHashSet<usize> = FxHashSet::default();
        for index in 0..self.remade.len() {
            let value = self.remade[index].0;
            let parent = match value.defining_op() {
                Some(op) => op,
                None => match value.parent_block().and_then(|block| block.parent_op()) {
                    Some(parent) => parent,
                    None => continue,
                },
            };
            if !done.insert(parent.id()) {
                continue;
            }
            match control(parent.kind()) {
                Control::For => self.extend_loop(parent, made, &mut done),
                Control::If => self.extend_branch(parent, made, &mut done),
                // Nothing is made again through a `while`.
                Control::While | Control::Yield | Control::Condition | Control::Opaque | Control::Plain => {}
            }
        }
    }

    fn extend_loop(&mut self, op: Op<'c>, made: &mut Made<'c>, done: &mut FxHashSet<usize>) {
        let Some(view) = ForOp::cast(op) else { return };
        let old_results = view.results();
        let mut more = Vec::new();
        let mut remade = Vec::new();
        for (index, argument) in view.iter_args().into_iter().enumerate() {
            if let Some(&layout) = self.layout_of.get(&argument.id()) {
                let ty = argument.ty().with_encoding(Some(layout));
                more.push(NewCarried { init: op.operand(index + 3), next: view.yield_op().operand(index), ty });
                remade.push(RemadeCarried { index, argument, layout });
            }
        }
        let new = extend_for(view, &more);
        done.insert(new.op.id());
        self.rename(&old_results, &new.op.results(), made);
        let first = old_results.len();
        for (offset, RemadeCarried { index, argument, layout }) in remade.into_iter().enumerate() {
            made.insert(argument, layout, new.body().argument(first + offset + 1));
            made.insert(new.op.result(index), layout, new.op.result(first + offset));
        }
    }

    fn extend_branch(&mut self, op: Op<'c>, made: &mut Made<'c>, done: &mut FxHashSet<usize>) {
        let Some((view, otherwise)) = IfOp::cast(op).and_then(|view| Some((view, view.else_yield()?))) else { return };
        let old_results = op.results();
        let mut more = Vec::new();
        let mut which = Vec::new();
        for (index, result) in old_results.iter().enumerate() {
            if let Some(&layout) = self.layout_of.get(&result.id()) {
                let ty = result.ty().with_encoding(Some(layout));
                let (then, otherwise) = (view.then_yield().operand(index), otherwise.operand(index));
                more.push(NewResult { then, otherwise, ty });
                which.push((index, layout));
            }
        }
        let new = extend_if(view, &more);
        done.insert(new.op.id());
        self.rename(&old_results, &new.op.results(), made);
        for (offset, (index, layout)) in which.into_iter().enumerate() {
            made.insert(new.op.result(index), layout, new.op.result(old_results.len() + offset));
        }
    }

    /// Results of a rebuilt operation are new values: everything that knows the old ones learns the new ones.
    fn rename(&mut self, old: &[Value<'c>], new: &[Value<'c>], made: &mut Made<'c>) {
        let renamed: FxHashMap<usize, Value<'c>> = old.iter().zip(new).map(|(old, new)| (old.id(), *new)).collect();
        for (value, layout) in self.remade.iter_mut().chain(self.converted.iter_mut()) {
            if let Some(new) = renamed.get(&value.id()) {
                self.layout_of.remove(&value.id());
                self.layout_of.insert(new.id(), *layout);
                *value = *new;
            }
        }
        let moved: Vec<_> = made.values.keys().filter(|(value, _)| renamed.contains_key(value)).copied().collect();
        for key in moved {
            if let (Some(value), Some(new)) = (made.values.remove(&key), renamed.get(&key.0)) {
                made.values.insert((new.id(), key.1), value);
            }
        }
        for value in made.values.values_mut() {
            if let Some(new) = renamed.get(&value.id()) {
                *value = *new;
            }
        }
    }

    /// The operations to copy, producers first.
    fn program_order(&self) -> Vec<Op<'c>> {
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        // Values that are converted stay as they are, and so do all results of their operations.
        let remade: FxHashSet<usize> = self.remade.iter().map(|(value, _)| value.id()).collect();
        for (value, _) in &self.remade {
            // Depth-first, each operation after what it uses.
            let mut stack = vec![(*value, false)];
            while let Some((value, producers_done)) = stack.pop() {
                let Some(op) = value.defining_op().filter(|op| !is_structured(*op)) else { continue };
                if producers_done {
                    order.push(op);
                } else if remade.contains(&value.id()) && seen.insert(op.id()) {
                    stack.push((value, true));
                    stack.extend(op.operands().into_iter().map(|operand| (operand, false)));
                }
            }
        }
        order
    }

    fn copy(&self, op: Op<'c>, made: &mut Made<'c>) {
        let Some(layout) = op.results().iter().find_map(|result| self.layout_of.get(&result.id()).copied()) else {
            return;
        };
        // One of several results may be converted although another is made again.
        let is_made = |result: Value<'c>| made.find(result, layout).is_some();
        if op.results().into_iter().all(is_made) {
            return;
        }
        if op.kind() == OpKind::TtgConvertLayout {
            // Found through its source.
            return;
        }
        let copy = op.clone_op();
        if let Some(block) = op.block() {
            block.insert_after(Some(op), copy);
        }
        let operand_layout = encodings::backward(op, layout);
        for (index, operand) in op.operands().into_iter().enumerate() {
            if let Some(value) = operand_layout.and_then(|layout| made.find(operand, layout)) {
                copy.set_operand(index, value);
                // Made for an earlier conversion, it may stand later than the original in the same block.
                move_behind(copy, value);
            }
        }
        for (old, new) in op.results().into_iter().zip(copy.results()) {
            if new.ty().is_tensor() {
                new.set_type(new.ty().with_encoding(Some(layout)));
                made.insert(old, layout, new);
            }
        }
        retype_constant_if_any(copy);
    }

    /// Lets the remade values flow into the new loop-carried values and branch results.
    fn connect(&self, made: &Made<'c>) {
        for (value, layout) in &self.remade {
            let Some(new) = made.values.get(&(value.id(), layout.id())).copied() else { continue };
            let (Some(old_sources), Some(new_sources)) = (flows_from(*value), flows_from(new)) else { continue };
            if value.defining_op().is_some_and(|op| op.kind() == OpKind::ScfFor) {
                // Connected through the loop-carried value inside.
                continue;
            }
            for (index, source) in old_sources.into_iter().enumerate().take(new_sources.len()) {
                if let Some(source) = made.find(source, *layout) {
                    set_flow(new, index, source);
                }
            }
        }
    }
}

fn retype_constant_if_any(op: Op<'_>) {
    if op.kind() == OpKind::ArithConstant {
        retype_constant(op);
    }
}

/// A conversion that stays, as often as the value is made, has it in this layout: what is stored, and what is computed from that and stored, too.
/// What a loop carries, or a branch gives, has one layout on all ways.
fn is_converted_anyway(value: Value<'_>, layout: Attribute<'_>, stay: &FxHashSet<usize>) -> bool {
    value.defining_op().is_some_and(|op| !is_structured(op))
        && value.users().into_iter().any(|(user, _)| {
            stay.contains(&user.id())
                && user.result(0).ty().encoding() == Some(layout)
                && user.block() == value.parent_block()
        })
}

/// What must exist, in which layout, for `value` to be made in `layout`; `None` when it cannot be made.
fn producers<'c>(
    value: Value<'c>,
    layout: Attribute<'c>,
    costs: &Costs<'_, '_>,
) -> Option<Vec<(Value<'c>, Attribute<'c>)>> {
    let is_while = |op: Op<'c>| op.kind() == OpKind::ScfWhile;
    let Some(op) = value.defining_op() else {
        let parent = value.parent_block()?.parent_op()?;
        let sources = (!is_while(parent)).then(|| flows_from(value)).flatten()?;
        return Some(sources.into_iter().map(|source| (source, layout)).collect());
    };
    if is_structured(op) {
        let sources = (!is_while(op)).then(|| flows_from(value)).flatten()?;
        return Some(sources.into_iter().map(|source| (source, layout)).collect());
    }
    if !can_be_repeated(op, layout, costs) {
        return None;
    }
    let tensors: Vec<Value<'c>> = op.operands().into_iter().filter(|operand| operand.ty().is_tensor()).collect();
    if tensors.is_empty() {
        return Some(Vec::new());
    }
    let operand_layout = encodings::backward(op, layout)?;
    // The copy must really give the wanted layout: of halves by whatever name, since what is reshaped and turned is named by bases, or by another
    // order of axes. Operands of products are not made of such layouts: they are read from shared memory as they lie there.
    let is_wanted = |given: Attribute<'c>| {
        let is_operand = !matches!(layout.encoding().as_deref(), Some(Encoding::Blocked(_) | Encoding::Linear(_)));
        given == layout || !is_operand && encodings::same_registers(&value.ty().shape(), given, layout)
    };
    encodings::forward(op, operand_layout)
        .is_some_and(is_wanted)
        .then(|| tensors.into_iter().map(|operand| (operand, operand_layout)).collect())
}

fn can_be_repeated(op: Op<'_>, layout: Attribute<'_>, costs: &Costs<'_, '_>) -> bool {
    match encodings::rule(op) {
        LayoutRule::Access => {
            let is_cheap = !costs.is_expensive_access(op)
                || costs.keeps_groups_apart(op, layout)
                || costs.rows == Rows::OfAnySize && op.operand(0).ty().rank() == 1;
            is_cheap && LoadOp::cast(op).is_some_and(|load| !load.is_volatile())
        }
        LayoutRule::Same if op.kind() == OpKind::ArithConstant => {
            op.attr("value").is_some_and(|value| value.as_splat().is_some())
        }
        LayoutRule::Same if op.kind() == OpKind::TtScan => {
            op.is_memory_effect_free() && scans::is_no_longer(op, layout)
        }
        LayoutRule::Same | LayoutRule::Shape(_) => op.is_memory_effect_free(),
        LayoutRule::Conversion | LayoutRule::Any | LayoutRule::Own | LayoutRule::Fixed => false,
    }
}
