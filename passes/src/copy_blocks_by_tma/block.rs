//! Where the blocks that a load in a loop reads lie in memory, as a tensor map would say it.

use crate::analysis::axis_flow::AxisFacts;
use crate::attributes::DIVISIBILITY;
use crate::copy_blocks_by_tma::counted::Counted;
use crate::copy_blocks_by_tma::ends::{End, ends};
use crate::copy_blocks_by_tma::linear::LinearForm;
use crate::copy_blocks_by_tma::moved::{Moving, without_hints};
use crate::operations::computations::{Computation, computation};
use tk_ir::ops::{CmpI, ConstantOp, ForOp, FuncOp, LoadOp, MakeRangeOp};
use tk_ir::{Builder, Op, OpKind, Value};
use tk_layout::tensor_map::can_copy;

/// What bases and strides of a tensor map are multiples of, and where a copy starts in a row, in bytes.
const ALIGNMENT: i64 = 16;
/// How deep the arithmetic of an index may be nested.
const MOST_DEPTH: u32 = 12;
/// How many terms the offsets of a block may have.
const MOST_TERMS: usize = 4;
/// How many numbers may be added to a pointer, and be factors of one of them.
const MOST_SHIFTS: usize = 8;
/// A row or column that no map has that has no rows or columns.
const OUTSIDE: i32 = 1 << 30;

/// Rows of consecutive elements in memory, one block for each iteration of a loop.
#[derive(Debug)]
pub(super) struct BlockOfMemory<'c> {
    /// The parameter that is the address of the element at row 0, column 0.
    pub(super) base: usize,
    /// The parameter that is the distance of two rows, in elements.
    pub(super) stride: usize,
    /// Elements along the axes of the loaded tensor.
    shape: [i64; 2],
    /// The axis of the loaded tensor along which elements are consecutive in memory.
    contiguous: usize,
    /// Along each axis, a tensor of consecutive numbers from the first row or column on; `None` along the axis of a single row, which is what
    /// `shifts` say.
    indices: [Option<Value<'c>>; 2],
    /// What an iteration adds to the first row or column, where the loop carries the pointers or their offsets.
    step: Option<LoopStep>,
    /// What is added to the first row or column before its indices are.
    shifts: Vec<Shift<'c>>,
    /// Where the memory ends along each axis.
    ends: [End; 2],
}

/// Rows or columns that are added to a pointer as one number: the product of these factors.
#[derive(Debug)]
struct Shift<'c> {
    axis: usize,
    factors: Vec<Value<'c>>,
}

/// The way of the blocks along an axis, from one iteration to the next, in elements or rows; the loop counts from 0 by `counts`.
#[derive(Debug)]
struct LoopStep {
    axis: usize,
    way: i64,
    counts: i64,
}

/// Offsets of a block: an index along some axis, times a stride where there is one.
struct OffsetTerm<'c> {
    index: Value<'c>,
    stride: Option<Value<'c>>,
}

impl<'c> BlockOfMemory<'c> {
    /// `None` where no tensor map says where the blocks lie.
    pub(super) fn of(function: FuncOp<'c>, view: ForOp<'c>, load: LoadOp<'c>, facts: &AxisFacts) -> Option<Self> {
        match load.result().ty().shape().len() {
            1 => Self::of_row(function, view, load, facts),
            _ => Self::of_rows(function, view, load, facts),
        }
    }

    /// A part of a row, each time of another: the row's number is what the stride is multiplied by.
    fn of_row(function: FuncOp<'c>, view: ForOp<'c>, load: LoadOp<'c>, facts: &AxisFacts) -> Option<Self> {
        let [length] = load.result().ty().shape()[..] else { return None };
        let RowPointers { base, index, added, moved_by } = row_pointers(load.ptr(), view)?;
        let moving = moved_by.and_then(|offsets| offsets.defining_op()).filter(|op| op.kind() == OpKind::TtSplat);
        let numbers = moving.map(|op| op.operand(0)).into_iter().chain(added.iter().copied());
        let mut factors = numbers.filter_map(factors_of).flatten();
        let stride = factors.find(|factor| parameter(function, *factor).is_some())?;
        let info = facts.get(index);
        let is_run = info.non_negative && info.contiguity[0] >= length as u64 && has_first_element(index, view, 0);
        let shifts = added.into_iter().map(|number| shift(number, stride, 1, load, facts)).collect::<Option<_>>()?;
        let mut block = Self {
            base: parameter(function, base)?,
            stride: parameter(function, stride)?,
            shape: [1, length],
            contiguous: 1,
            indices: [None, Some(index)],
            step: match moved_by {
                Some(offsets) => Some(step(offsets, stride, 1, view)?),
                None => None,
            },
            shifts,
            ends: [End::Nowhere; 2],
        };
        block.ends = ends(function, view, load, &block, facts)?;
        let is_possible = is_run && index.ty().element_bits() == 32;
        (is_possible && block.fits_a_map(function, load) && block.starts_well(load, facts)).then_some(block)
    }

    fn of_rows(function: FuncOp<'c>, view: ForOp<'c>, load: LoadOp<'c>, facts: &AxisFacts) -> Option<Self> {
        let shape: [i64; 2] = load.result().ty().shape().try_into().ok()?;
        let Pointers { base, terms, added, moved_by } = take_apart(load.ptr(), view)?;
        let [first, second] = &terms[..] else { return None };
        let (row, column) = match (first.stride, second.stride) {
            (Some(_), None) => (first, second),
            (None, Some(_)) => (second, first),
            _ => return None,
        };
        let stride = row.stride?;
        let contiguous = axis_of(column.index, shape, view, facts)?;
        if axis_of(row.index, shape, view, facts)? == contiguous {
            return None;
        }
        let mut indices = [Some(row.index); 2];
        indices[contiguous] = Some(column.index);
        let shifts =
            added.into_iter().map(|number| shift(number, stride, contiguous, load, facts)).collect::<Option<_>>()?;
        let mut block = Self {
            base: parameter(function, base)?,
            stride: parameter(function, stride)?,
            shape,
            contiguous,
            indices,
            step: match moved_by {
                Some(offsets) => Some(step(offsets, stride, contiguous, view)?),
                None => None,
            },
            shifts,
            ends: [End::Nowhere; 2],
        };
        block.ends = ends(function, view, load, &block, facts)?;
        (block.fits_a_map(function, load) && block.starts_well(load, facts)).then_some(block)
    }

    fn fits_a_map(&self, function: FuncOp<'c>, load: LoadOp<'c>) -> bool {
        let number = |index, name| function.arg_attr(index, name).and_then(|attribute| attribute.as_int()).unwrap_or(0);
        let (bits, divides) = (load.result().ty().element_bits(), |value: i64| value > 0 && value % ALIGNMENT == 0);
        can_copy(&self.copied_shape(), bits)
            && divides(number(self.base, DIVISIBILITY))
            && divides(number(self.stride, DIVISIBILITY).saturating_mul(i64::from(bits / 8)))
            && number(self.stride, tk_ir::attributes::POSITIVE) == 1
    }

    /// Whether the first column of every block is one that a copy can start at.
    fn starts_well(&self, load: LoadOp<'c>, facts: &AxisFacts) -> bool {
        let (axis, bytes) = (self.contiguous, i64::from(load.result().ty().element_bits() / 8));
        let Some(index) = self.indices[axis] else { return false };
        let own_axis = if self.is_single_row() { 0 } else { axis };
        let first = facts.get(index).divisor_of_shorter_runs(own_axis, self.shape[axis] as u64, 1);
        let stays =
            self.step.as_ref().is_none_or(|step| step.axis != axis || step.way.saturating_mul(bytes) % ALIGNMENT == 0);
        first >= (ALIGNMENT / bytes) as u64 && stays
    }

    /// Whether the loaded tensor has one axis, and the block a row of that length.
    pub(super) fn is_single_row(&self) -> bool {
        self.indices.contains(&None)
    }

    /// Elements along an axis of the loaded tensor.
    pub(super) fn length(&self, axis: usize) -> i64 {
        self.shape[axis]
    }

    /// Whether addresses, or what of the block is inside of the memory, are computed in every iteration.
    pub(super) fn changes_in_loop(&self) -> bool {
        self.step.is_none() || self.ends != [End::Nowhere; 2]
    }

    /// Where rows and columns end.
    pub(super) fn ends(&self) -> [End; 2] {
        [self.ends[1 - self.contiguous], self.ends[self.contiguous]]
    }

    /// The number of the first row or column of an iteration's block, as a sum.
    pub(super) fn first(&self, axis: usize, view: ForOp<'c>) -> Option<LinearForm<'c>> {
        let mut first = match self.indices[axis] {
            Some(index) => LinearForm::of(index, view)?,
            None => LinearForm::constant(0),
        };
        for shift in self.shifts.iter().filter(|shift| shift.axis == axis) {
            let mut product = LinearForm::constant(1);
            for factor in &shift.factors {
                product = product.product(&LinearForm::of(*factor, view)?)?;
            }
            first = first.plus(&product, 1)?;
        }
        match self.step.as_ref().filter(|step| step.axis == axis) {
            Some(step) => first.plus(&LinearForm::of(view.induction_var(), view)?, step.way / step.counts),
            None => Some(first),
        }
    }

    /// The block with its contiguous axis last.
    pub(super) fn copied_shape(&self) -> [i64; 2] {
        [self.shape[1 - self.contiguous], self.shape[self.contiguous]]
    }

    /// Whether the loaded tensor has its columns first.
    pub(super) fn is_transposed(&self) -> bool {
        self.contiguous == 0
    }

    /// The first row and column of the iteration's block, computed before its load.
    pub(super) fn indices(&self, function: FuncOp<'c>, view: ForOp<'c>, load: LoadOp<'c>) -> Vec<Value<'c>> {
        [1 - self.contiguous, self.contiguous].map(|axis| self.index(function, view, load, axis)).to_vec()
    }

    fn index(&self, function: FuncOp<'c>, view: ForOp<'c>, load: LoadOp<'c>, axis: usize) -> Value<'c> {
        let shifts = || self.shifts.iter().filter(|shift| shift.axis == axis);
        let is_inside = |value: &Value<'c>| value.parent_block() == Some(view.body());
        let values = self.indices[axis].iter().chain(shifts().flat_map(|shift| &shift.factors));
        let changes = values.copied().any(|value| is_inside(&value));
        let mut builder = if changes { Builder::before(load.op) } else { Builder::before(view.op) };
        let mut start = match self.indices[axis] {
            Some(index) => first_element(&mut builder, index, view),
            None => builder.i32(0),
        };
        for shift in shifts() {
            let product = shift.factors.iter().copied().reduce(|all, one| builder.binary(OpKind::ArithMulI, all, one));
            start = product.map_or(start, |product| builder.binary(OpKind::ArithAddI, start, product));
        }
        let mut builder = Builder::before(load.op);
        if let Some(step) = self.step.as_ref().filter(|step| step.axis == axis) {
            let factor = builder.i32((step.way / step.counts) as i32);
            let way = builder.binary(OpKind::ArithMulI, view.induction_var(), factor);
            start = builder.binary(OpKind::ArithAddI, start, way);
        }
        match self.ends[axis] {
            End::Parameter { index, may_be_empty: true } => {
                outside_if_empty(&mut builder, function.args()[index], start)
            }
            End::Nowhere | End::At(_) | End::Parameter { .. } => start,
        }
    }
}

/// A map has at least one row and column. Where the program has none, an element outside is asked for, which is zero.
fn outside_if_empty<'c>(builder: &mut Builder<'c>, size: Value<'c>, start: Value<'c>) -> Value<'c> {
    let (zero, outside) = (builder.i32(0), builder.i32(OUTSIDE));
    let has_any = builder.cmpi(CmpI::Sgt, size, zero);
    builder.select(has_any, start, outside)
}

/// The way of pointers that get `offsets` further with each iteration.
fn step<'c>(offsets: Value<'c>, stride: Value<'c>, contiguous: usize, view: ForOp<'c>) -> Option<LoopStep> {
    let (axis, way) = match offsets.constant_int() {
        Some(elements) => (contiguous, elements),
        None => {
            let scalar = offsets.splat_source()?;
            (1 - contiguous, if scalar == stride { 1 } else { multiple_of(stride, scalar)? })
        }
    };
    let counts = view.step().constant_int().filter(|counts| *counts > 0)?;
    let starts_at_zero = view.lower_bound().constant_int() == Some(0) && !view.unsigned_cmp();
    let is_narrow = view.induction_var().ty().int_bits() == Some(32);
    let is_even = way >= 0 && way % counts == 0 && way / counts <= i64::from(i32::MAX);
    (starts_at_zero && is_narrow && is_even).then_some(LoopStep { axis, way, counts })
}

/// How many times `stride` a number is.
fn multiple_of<'c>(stride: Value<'c>, number: Value<'c>) -> Option<i64> {
    let product = number.defining_op().filter(|op| op.kind() == OpKind::ArithMulI)?;
    let [left, right] = [product.operand(0), product.operand(1)];
    let factor = if left == stride { right } else { Some(left).filter(|_| right == stride)? };
    factor.constant_int()
}

/// Pointers of a block.
struct Pointers<'c> {
    /// A scalar pointer.
    base: Value<'c>,
    /// What is added for each element.
    terms: Vec<OffsetTerm<'c>>,
    /// Numbers that are added for all elements alike.
    added: Vec<Value<'c>>,
    /// What each iteration adds, where the loop carries the pointers or a part of their offsets.
    moved_by: Option<Value<'c>>,
}

/// Pointers of the first iteration as a scalar pointer and what is added to it.
fn take_apart<'c>(pointers: Value<'c>, view: ForOp<'c>) -> Option<Pointers<'c>> {
    let (mut terms, mut moving) = (Vec::new(), Moving::none(view));
    let mut pointers = pointers;
    loop {
        let op = without_hints(moving.at_first(pointers)?).defining_op()?;
        if op.kind() == OpKind::TtSplat {
            let (base, added) = added_numbers(op.operand(0))?;
            return Some(Pointers { base, terms, added, moved_by: moving.by() });
        }
        if op.kind() == OpKind::TtAddPtr {
            collect_terms(op.operand(1), &mut moving, &mut terms)?;
        } else if op.kind() != OpKind::TtBroadcast {
            return None;
        }
        pointers = op.operand(0);
    }
}

/// Pointers of a part of a row.
struct RowPointers<'c> {
    /// A scalar pointer.
    base: Value<'c>,
    /// What is added for each element.
    index: Value<'c>,
    /// Numbers that are added for all elements alike.
    added: Vec<Value<'c>>,
    /// What each iteration adds, where the loop carries the pointers or a part of their offsets.
    moved_by: Option<Value<'c>>,
}

/// Pointers of the first iteration along one axis as a scalar pointer, one index and numbers that are added to it.
fn row_pointers<'c>(pointers: Value<'c>, view: ForOp<'c>) -> Option<RowPointers<'c>> {
    let (mut pointers, mut indices, mut scalars) = (pointers, Vec::new(), Vec::new());
    let mut moving = Moving::none(view);
    let base = loop {
        let op = without_hints(moving.at_first(pointers)?).defining_op()?;
        if op.kind() == OpKind::TtSplat {
            break op.operand(0);
        }
        let mut pending = vec![Some(op).filter(|op| op.kind() == OpKind::TtAddPtr)?.operand(1)];
        while let Some(value) = pending.pop() {
            let value = moving.at_first(value)?;
            let op = value.defining_op().filter(|_| pending.len() + indices.len() + scalars.len() < MOST_SHIFTS)?;
            if op.kind() == OpKind::TkHint {
                pending.push(op.operand(0));
            } else if op.kind() == OpKind::TtSplat {
                scalars.push(op.operand(0));
            } else if op.kind() == OpKind::ArithAddI && has_splat(op) {
                pending.extend(op.operands());
            } else {
                indices.push(value);
            }
        }
        pointers = op.operand(0);
    };
    let (base, mut added) = added_numbers(base)?;
    for scalar in scalars {
        added.extend(summands(scalar)?);
    }
    let [index] = indices[..] else { return None };
    Some(RowPointers { base, index, added, moved_by: moving.by() })
}

fn has_splat(sum: Op<'_>) -> bool {
    sum.operands().iter().any(|value| value.defining_op().is_some_and(|op| op.kind() == OpKind::TtSplat))
}

/// What a number is the sum of.
fn summands(number: Value<'_>) -> Option<Vec<Value<'_>>> {
    let (mut pending, mut found) = (vec![number], Vec::new());
    while let Some(number) = pending.pop() {
        match number.defining_op().filter(|op| op.kind() == OpKind::ArithAddI) {
            Some(sum) => pending.extend(sum.operands()),
            None => found.push(number),
        }
        if pending.len() + found.len() > MOST_SHIFTS {
            return None;
        }
    }
    Some(found)
}

/// A scalar pointer, and the numbers that are added to it.
fn added_numbers(pointer: Value<'_>) -> Option<(Value<'_>, Vec<Value<'_>>)> {
    let (mut base, mut added) = (without_hints(pointer), Vec::new());
    while let Some(op) = base.defining_op() {
        if op.kind() != OpKind::TtAddPtr {
            return None;
        }
        added.extend(summands(op.operand(1))?);
        if added.len() > MOST_SHIFTS {
            return None;
        }
        base = without_hints(op.operand(0));
    }
    Some((base, added))
}

/// The way that a number which is added to the pointer has: rows, where the stride is one of its factors, and else columns at which a copy can
/// start.
fn shift<'c>(
    number: Value<'c>,
    stride: Value<'c>,
    contiguous: usize,
    load: LoadOp<'c>,
    facts: &AxisFacts,
) -> Option<Shift<'c>> {
    let is_known = |value: &Value<'c>| value.ty().int_bits() == Some(32) && facts.get(*value).non_negative;
    let mut factors = factors_of(number)?;
    if let Some(at) = factors.iter().position(|factor| *factor == stride) {
        factors.remove(at);
        return factors.iter().all(is_known).then_some(Shift { axis: 1 - contiguous, factors });
    }
    let bytes = u64::from(load.result().ty().element_bits() / 8);
    let starts_well = facts.get(number).overall_divisor().saturating_mul(bytes).is_multiple_of(ALIGNMENT as u64);
    (is_known(&number) && starts_well).then_some(Shift { axis: contiguous, factors: vec![number] })
}

fn factors_of(number: Value<'_>) -> Option<Vec<Value<'_>>> {
    let (mut pending, mut factors) = (vec![number], Vec::new());
    while let Some(value) = pending.pop() {
        match value.defining_op().filter(|op| op.kind() == OpKind::ArithMulI) {
            Some(product) => pending.extend(product.operands()),
            None => factors.push(value),
        }
        if pending.len() + factors.len() > MOST_SHIFTS {
            return None;
        }
    }
    Some(factors)
}

fn collect_terms<'c>(offsets: Value<'c>, moving: &mut Moving<'c>, terms: &mut Vec<OffsetTerm<'c>>) -> Option<()> {
    let mut pending = vec![offsets];
    while let Some(value) = pending.pop() {
        let value = moving.at_first(value)?;
        let op = value.defining_op()?;
        if op.kind() == OpKind::TtBroadcast || op.kind() == OpKind::TkHint {
            pending.push(op.operand(0));
        } else if op.kind() == OpKind::ArithAddI && !is_run(value) {
            pending.extend(op.operands());
        } else if op.kind() == OpKind::ArithMulI {
            terms.push(scaled_term(op.operand(0), op.operand(1))?);
        } else {
            terms.push(OffsetTerm { index: value, stride: None });
        }
        if pending.len() + terms.len() > MOST_TERMS {
            return None;
        }
    }
    Some(())
}

/// A sum along one axis is an index; one along both is taken apart.
fn is_run(value: Value<'_>) -> bool {
    value.ty().shape().contains(&1)
}

fn scaled_term<'c>(left: Value<'c>, right: Value<'c>) -> Option<OffsetTerm<'c>> {
    match (left.splat_source(), right.splat_source()) {
        (None, Some(stride)) => Some(OffsetTerm { index: left, stride: Some(stride) }),
        (Some(stride), None) => Some(OffsetTerm { index: right, stride: Some(stride) }),
        _ => None,
    }
}

/// The axis along which an index counts up by one; it is the same along the other, and never negative.
fn axis_of<'c>(index: Value<'c>, shape: [i64; 2], view: ForOp<'c>, facts: &AxisFacts) -> Option<usize> {
    let (own, info) = (index.ty().shape(), facts.get(index));
    let is_index =
        own.len() == 2 && index.ty().element_bits() == 32 && info.non_negative && has_first_element(index, view, 0);
    let counts = |axis: usize| own[axis] == shape[axis] && info.contiguity[axis] >= own[axis] as u64;
    let is_same = |axis: usize| info.constancy[axis] >= own[axis] as u64;
    (0..2).find(|axis| is_index && shape[*axis] > 1 && counts(*axis) && is_same(1 - *axis))
}

/// The number of the parameter that a value is.
pub(super) fn parameter(function: FuncOp<'_>, value: Value<'_>) -> Option<usize> {
    let (block, index) = value.block_argument()?;
    let is_narrow = value.ty().is_ptr() || value.ty().int_bits() == Some(32);
    (Some(block) == function.body() && is_narrow).then_some(index)
}

/// Whether [`first_element`] can tell the first element of this tensor.
fn has_first_element<'c>(value: Value<'c>, view: ForOp<'c>, depth: u32) -> bool {
    let is_known = |value| depth < MOST_DEPTH && has_first_element(value, view, depth + 1);
    let Some(op) = value.defining_op() else {
        return Counted::of(view, value).is_some_and(|counted| is_known(counted.first));
    };
    match computation(op.kind()) {
        Computation::Constant => value.constant_int().is_some(),
        Computation::Range => true,
        Computation::Repeat => op.kind() == OpKind::TtSplat || is_known(op.operand(0)),
        Computation::Arithmetic => is_of_indices(op.kind()) && op.operands().into_iter().all(is_known),
        Computation::Function | Computation::Cast | Computation::Load | Computation::Reduction | Computation::Other => {
            false
        }
    }
}

/// Arithmetic on two signed integers, as programs compute indices.
fn is_of_indices(kind: OpKind) -> bool {
    use OpKind::*;
    matches!(kind, ArithAddI | ArithSubI | ArithMulI | ArithDivSI | ArithRemSI | ArithMinSI | ArithMaxSI)
}

/// The first element of a tensor, computed from the first elements of what it is computed from.
fn first_element<'c>(builder: &mut Builder<'c>, value: Value<'c>, view: ForOp<'c>) -> Value<'c> {
    if let Some(counted) = Counted::of(view, value) {
        let (first, factor) = (first_element(builder, counted.first, view), builder.i32(counted.per_count as i32));
        let way = builder.binary(OpKind::ArithMulI, view.induction_var(), factor);
        return builder.binary(OpKind::ArithAddI, first, way);
    }
    let Some(op) = value.defining_op() else { return value };
    if let Some(range) = MakeRangeOp::cast(op) {
        return builder.i32(range.start() as i32);
    }
    if let (Some(_), Some(number)) = (ConstantOp::cast(op), value.constant_int()) {
        return builder.i32(number as i32);
    }
    if op.kind() == OpKind::TtSplat {
        return op.operand(0);
    }
    if computation(op.kind()) == Computation::Repeat {
        return first_element(builder, op.operand(0), view);
    }
    let (left, right) = (first_element(builder, op.operand(0), view), first_element(builder, op.operand(1), view));
    builder.binary(op.kind(), left, right)
}
