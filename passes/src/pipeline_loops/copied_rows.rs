//! Copies of rows: which thread copies what.
//!
//! The layout of a load is that of what reads it. Of a number for each column of a product, such as a scale or a bias, it gives a thread a few bytes
//! side by side, and the same ones to many lanes and warps: 128 numbers of f32 are sixteen copies of 8 bytes, each by four lanes. A copy goes to shared
//! memory, and all threads meet behind the wait for it, so any thread may copy any part. Here lanes copy 16 bytes each, side by side, or as many as the
//! alignment of the row and its mask let them, where that takes fewer instructions: that row is one instruction of one warp.
//!
//! For that, addresses and mask are computed once more, in the other layout. What they are computed from has to be arithmetic on ranges and scalars.
//! A pointer that the loop carries and steps on is carried in that layout. Rows at loaded places are copied as they are read.
//!
//! 1. Choose the layout ([`RowLayout::of`]).  2. See what has to be computed again, and whether it can be ([`carried_for`]).  3. Compute it
//!    ([`Remaking`]).  4. Delete what only the load has used ([`delete_unused`]).

use crate::analysis::AxisFacts;
use crate::analysis::async_loads::{AsyncLoad, MaskedOut};
use crate::analysis::axis_flow::unit_of;
use crate::attributes::Threads;
use crate::control_flow::{NewCarried, extend_for};
use crate::convert_to_ttg::retype_constant;
use crate::encodings::{backward, distinct_elements_per_thread};
use crate::operations::computations::{Computation, computation};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Attribute, Op, OpKind, Type, Value};
use tk_layout::{BlockedEncoding, Encoding};

/// Bytes that one copy moves.
const COPY_BYTES: std::ops::RangeInclusive<u64> = 4..=16;

/// Values that are computed again for a row, at most.
const MOST_REMADE: usize = 64;

/// Operands of `scf.for` before those that it carries.
const BOUNDS: usize = 3;

/// The layout in which a row is copied.
#[derive(Clone, Copy)]
pub(super) struct RowLayout<'c> {
    layout: Attribute<'c>,
    /// Elements that one copy moves.
    width: u32,
}

impl<'c> RowLayout<'c> {
    /// Of a load that is copied by `plan`, where its own layout takes more instructions.
    pub(super) fn of(load: LoadOp<'c>, plan: &AsyncLoad, facts: &AxisFacts, threads: Threads) -> Option<Self> {
        let pointers = load.ptr().ty();
        let (shape, order) = (pointers.shape(), plan.layout.order());
        let axis = *order.first()? as usize;
        if shape.get(axis) != Some(&pointers.num_elements()) {
            return None;
        }
        let width = widest_copy(load, axis, facts);
        if !COPY_BYTES.contains(&(u64::from(width) * unit_of(pointers))) {
            return None;
        }
        let mut size = vec![1; shape.len()];
        size[axis] = width;
        let blocked = BlockedEncoding::for_shape(&shape, &size, &order, threads.num_warps, threads.threads_per_warp);
        let layout = load.op.context().encoding_attr(&Encoding::Blocked(blocked));
        let copies = |pointers: Type<'c>, width: u32| distinct_elements_per_thread(pointers) / i64::from(width.max(1));
        let takes_fewer = copies(pointers.with_encoding(Some(layout)), width) < copies(pointers, plan.width);
        takes_fewer.then_some(Self { layout, width })
    }
}

/// Elements along `axis` that one copy may move, whoever makes it: neighbours in memory that are aligned and share their mask.
fn widest_copy(load: LoadOp<'_>, axis: usize, facts: &AxisFacts) -> u32 {
    let (pointers, unit) = (facts.get(load.ptr()), unit_of(load.ptr().ty()));
    let aligned = pointers.divisibility[axis] / unit;
    let same_mask = load.mask().map_or(u64::MAX, |mask| facts.get(mask).constancy[axis]);
    let together = pointers.contiguity[axis].min(aligned).min(same_mask);
    1 << together.clamp(1, (*COPY_BYTES.end() / unit).max(1)).ilog2()
}

/// What a copy takes of the load in whose place it stands.
#[derive(Clone, Copy)]
pub(super) struct CopyOperands<'c> {
    pub(super) pointers: Value<'c>,
    pub(super) mask: Option<Value<'c>>,
    /// What is written where the mask is false; zeros without it.
    pub(super) other: Option<Value<'c>>,
    /// Elements that one copy moves.
    pub(super) width: u32,
}

impl<'c> CopyOperands<'c> {
    /// In the layout of the load.
    pub(super) fn of(load: LoadOp<'c>, plan: &AsyncLoad) -> Self {
        let other = match plan.masked_out {
            MaskedOut::Zeros => load.other(),
            MaskedOut::Selected => None,
        };
        Self { pointers: load.ptr(), mask: load.mask(), other, width: plan.width }
    }

    /// The tensors among them.
    pub(super) fn values(self) -> Vec<Value<'c>> {
        [Some(self.pointers), self.mask, self.other].into_iter().flatten().collect()
    }

    /// The same in another layout; `None`, and nothing changed, where they cannot be computed in it.
    pub(super) fn in_layout(self, view: &mut ForOp<'c>, row: RowLayout<'c>) -> Option<Self> {
        let need = |value: Value<'c>| Need { value, layout: row.layout };
        let needs: Vec<Need<'c>> = self.values().into_iter().map(need).collect();
        let carried = carried_for(*view, &needs)?;
        let mut remaking = Remaking::default();
        remaking.carry(view, &carried)?;
        let made: Option<Vec<Value<'c>>> = needs.into_iter().map(|need| remaking.make(need)).collect();
        let mut made = made?.into_iter();
        let pointers = made.next()?;
        let mask = self.mask.and_then(|_| made.next());
        let other = self.other.and_then(|_| made.next());
        Some(Self { pointers, mask, other, width: row.width })
    }
}

/// A value that is wanted in a layout.
#[derive(Clone, Copy)]
struct Need<'c> {
    value: Value<'c>,
    layout: Attribute<'c>,
}

impl<'c> Need<'c> {
    fn key(self) -> (usize, usize) {
        (self.value.id(), self.layout.id())
    }

    /// The value has that layout.
    fn is_met(self) -> bool {
        self.value.ty().encoding() == Some(self.layout)
    }

    /// What the operation that makes the value needs to make it in that layout; `None` where it is no arithmetic.
    fn of_operands(self) -> Option<Vec<Self>> {
        let op = self.value.defining_op()?;
        let is_plain = op.is_memory_effect_free() && op.num_regions() == 0 && op.num_results() == 1;
        let is_arithmetic = match computation(op.kind()) {
            Computation::Constant => op.attr("value").is_some_and(|value| value.as_splat().is_some()),
            Computation::Repeat | Computation::Range | Computation::Arithmetic | Computation::Cast => true,
            Computation::Function | Computation::Load | Computation::Reduction | Computation::Other => false,
        };
        let layout = if is_plain && is_arithmetic { backward(op, self.layout) } else { None }?;
        let tensors = op.operands().into_iter().filter(|operand| operand.ty().is_tensor());
        Some(tensors.map(|value| Self { value, layout }).collect())
    }
}

/// A value that a loop has to carry in another layout, too.
struct CarriedNeed<'c> {
    /// Its number among the carried values.
    index: usize,
    /// What it is in an iteration.
    need: Need<'c>,
}

/// The number among the carried values of a loop that a value is in an iteration.
fn carried_index<'c>(view: ForOp<'c>, value: Value<'c>) -> Option<usize> {
    let (block, argument) = value.block_argument()?;
    if block == view.body() { argument.checked_sub(1) } else { None }
}

/// What the loop has to carry to meet `needs`; `None` where something is no arithmetic, or comes from too far.
fn carried_for<'c>(view: ForOp<'c>, needs: &[Need<'c>]) -> Option<Vec<CarriedNeed<'c>>> {
    let mut pending = needs.to_vec();
    let (mut seen, mut carried) = (FxHashSet::default(), Vec::new());
    while let Some(need) = pending.pop() {
        if need.is_met() || !seen.insert(need.key()) {
            continue;
        }
        if seen.len() > MOST_REMADE {
            return None;
        }
        match carried_index(view, need.value) {
            Some(index) => {
                let ends = [view.init_args()[index], view.yield_op().operand(index)];
                pending.extend(ends.map(|value| Need { value, layout: need.layout }));
                carried.push(CarriedNeed { index, need });
            }
            None => pending.extend(need.of_operands()?),
        }
    }
    Some(carried)
}

/// Values that are computed again.
#[derive(Default)]
struct Remaking<'c> {
    /// By what they are and by their layouts.
    made: FxHashMap<(usize, usize), Value<'c>>,
}

/// A step on the way through what a value is computed from.
enum Visit<'c> {
    /// Its operands come first.
    Enter(Need<'c>),
    /// Its operands are there.
    Leave(Need<'c>),
}

impl<'c> Remaking<'c> {
    fn find(&self, need: Need<'c>) -> Option<Value<'c>> {
        if need.is_met() { Some(need.value) } else { self.made.get(&need.key()).copied() }
    }

    /// Lets the loop carry further values.
    fn carry(&mut self, view: &mut ForOp<'c>, carried: &[CarriedNeed<'c>]) -> Option<()> {
        if carried.is_empty() {
            return Some(());
        }
        let first = view.iter_args().len();
        let as_before = |CarriedNeed { index, need }: &CarriedNeed<'c>| NewCarried {
            init: view.init_args()[*index],
            next: view.yield_op().operand(*index),
            ty: need.value.ty().with_encoding(Some(need.layout)),
        };
        let more: Vec<NewCarried<'c>> = carried.iter().map(as_before).collect();
        *view = extend_for(*view, &more);
        for (argument, CarriedNeed { need, .. }) in view.iter_args()[first..].iter().zip(carried) {
            self.made.insert(need.key(), *argument);
        }
        for (number, CarriedNeed { index, need }) in carried.iter().enumerate() {
            let layout = need.layout;
            let init = self.make(Need { value: view.init_args()[*index], layout })?;
            let next = self.make(Need { value: view.yield_op().operand(*index), layout })?;
            view.op.set_operand(BOUNDS + first + number, init);
            view.yield_op().set_operand(first + number, next);
        }
        Some(())
    }

    /// The value in its layout. Each operation is copied once, behind the original.
    fn make(&mut self, root: Need<'c>) -> Option<Value<'c>> {
        let mut visits = vec![Visit::Enter(root)];
        while let Some(visit) = visits.pop() {
            match visit {
                Visit::Enter(need) => {
                    if self.find(need).is_none() {
                        visits.push(Visit::Leave(need));
                        visits.extend(need.of_operands()?.into_iter().map(Visit::Enter));
                    }
                }
                Visit::Leave(need) => self.compute(need)?,
            }
        }
        self.find(root)
    }

    fn compute(&mut self, need: Need<'c>) -> Option<()> {
        let op = need.value.defining_op()?;
        let (block, layout) = (op.block()?, backward(op, need.layout)?);
        let copy = op.clone_op();
        block.insert_after(Some(op), copy);
        for (index, value) in op.operands().into_iter().enumerate().filter(|(_, value)| value.ty().is_tensor()) {
            copy.set_operand(index, self.find(Need { value, layout })?);
        }
        let result = copy.result(0);
        result.set_type(result.ty().with_encoding(Some(need.layout)));
        if copy.kind() == OpKind::ArithConstant {
            retype_constant(copy);
        }
        self.made.insert(need.key(), result);
        Some(())
    }
}

/// Deletes what the body computes of `values`, where nothing uses it any more, also if the loop carries it.
pub(super) fn delete_unused<'c>(view: ForOp<'c>, values: Vec<Value<'c>>) {
    let mut pending = values;
    while let Some(value) = pending.pop() {
        if let Some(index) = carried_index(view, value) {
            pending.extend(end_cycle(view, index));
        } else if let Some(op) = value.defining_op().filter(|op| is_unused(view, *op)) {
            pending.retain(|other| *other != value);
            pending.extend(op.operands());
            op.erase();
        }
    }
}

fn is_unused<'c>(view: ForOp<'c>, op: Op<'c>) -> bool {
    let is_plain = op.is_memory_effect_free() && op.num_regions() == 0 && op.num_results() == 1;
    op.block() == Some(view.body()) && is_plain && !op.result(0).has_uses()
}

/// A carried value that is used only to compute what it is in the next iteration stays what it is; gives what it would have become.
fn end_cycle<'c>(view: ForOp<'c>, index: usize) -> Option<Value<'c>> {
    let (argument, end) = (view.iter_args()[index], view.yield_op());
    let next = end.operand(index);
    let step = next.defining_op().filter(|op| op.block() == Some(view.body()))?;
    let is_only_stepped = argument.users().into_iter().all(|(user, _)| user == step)
        && next.users().into_iter().all(|(user, operand)| user == end && operand == index)
        && !view.op.result(index).has_uses();
    if !is_only_stepped {
        return None;
    }
    end.set_operand(index, argument);
    Some(next)
}
