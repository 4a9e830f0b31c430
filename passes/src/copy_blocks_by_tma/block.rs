//! Where the blocks that a load in a loop reads lie in memory, as a tensor map would say it.

use crate::analysis::axis_flow::AxisFacts;
use crate::attributes::DIVISIBILITY;
use crate::control_flow::flows_from;
use crate::operations::computations::{Computation, computation};
use tk_ir::ops::{ConstantOp, ForOp, FuncOp, LoadOp, MakeRangeOp};
use tk_ir::{Builder, Op, OpKind, Value};
use tk_layout::tensor_map::can_copy;

/// What bases and strides of a tensor map are multiples of, and where a copy starts in a row, in bytes.
const ALIGNMENT: i64 = 16;
/// How deep the arithmetic of an index may be nested.
const MOST_DEPTH: u32 = 12;
/// How many terms the offsets of a block may have.
const MOST_TERMS: usize = 4;

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
    /// Along each axis, a tensor of consecutive numbers from the first row or column on.
    indices: [Value<'c>; 2],
    /// What an iteration adds to the first row or column, where the loop carries the pointers.
    step: Option<LoopStep>,
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
        let shape: [i64; 2] = load.result().ty().shape().try_into().ok()?;
        let (start, moved_by) = pointers(view, load.ptr())?;
        let (base, terms) = take_apart(start)?;
        let [first, second] = &terms[..] else { return None };
        let (row, column) = match (first.stride, second.stride) {
            (Some(_), None) => (first, second),
            (None, Some(_)) => (second, first),
            _ => return None,
        };
        let stride = row.stride?;
        let contiguous = axis_of(column.index, shape, facts)?;
        if axis_of(row.index, shape, facts)? == contiguous {
            return None;
        }
        let mut indices = [row.index; 2];
        indices[contiguous] = column.index;
        let block = Self {
            base: parameter(function, base)?,
            stride: parameter(function, stride)?,
            shape,
            contiguous,
            indices,
            step: match moved_by {
                Some(offsets) => Some(step(offsets, stride, contiguous, view)?),
                None => None,
            },
        };
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
        let first = facts.get(self.indices[axis]).divisor_of_shorter_runs(axis, self.shape[axis] as u64, 1);
        let stays =
            self.step.as_ref().is_none_or(|step| step.axis != axis || step.way.saturating_mul(bytes) % ALIGNMENT == 0);
        first >= (ALIGNMENT / bytes) as u64 && stays
    }

    /// The block with its contiguous axis last.
    pub(super) fn copied_shape(&self) -> [i64; 2] {
        [self.shape[1 - self.contiguous], self.shape[self.contiguous]]
    }

    /// Whether the loaded tensor has its columns first.
    pub(super) fn is_transposed(&self) -> bool {
        self.contiguous == 0
    }

    /// The first row and column of the iteration's block.
    pub(super) fn indices(&self, builder: &mut Builder<'c>, view: ForOp<'c>) -> Vec<Value<'c>> {
        let of_axis = |builder: &mut Builder<'c>, axis: usize| {
            let is_inside = self.indices[axis].parent_block() == Some(view.body());
            let start = match is_inside {
                true => first_element(builder, self.indices[axis]),
                false => first_element(&mut Builder::before(view.op), self.indices[axis]),
            };
            match &self.step {
                Some(step) if step.axis == axis => {
                    let factor = builder.i32((step.way / step.counts) as i32);
                    let way = builder.binary(OpKind::ArithMulI, view.induction_var(), factor);
                    builder.binary(OpKind::ArithAddI, start, way)
                }
                _ => start,
            }
        };
        vec![of_axis(builder, 1 - self.contiguous), of_axis(builder, self.contiguous)]
    }
}

/// The pointers of the first iteration, and what each iteration adds where the loop carries them.
fn pointers<'c>(view: ForOp<'c>, pointers: Value<'c>) -> Option<(Value<'c>, Option<Value<'c>>)> {
    let carried = without_hints(pointers);
    if !view.iter_args().contains(&carried) {
        return Some((pointers, None));
    }
    let [init, next] = flows_from(carried)?[..] else { return None };
    let is_advance = |op: &Op<'c>| op.kind() == OpKind::TtAddPtr && without_hints(op.operand(0)) == carried;
    let advance = without_hints(next).defining_op().filter(is_advance)?;
    Some((init, Some(advance.operand(1))))
}

/// The value itself, without what hints say of it.
fn without_hints(value: Value<'_>) -> Value<'_> {
    match value.defining_op().filter(|op| op.kind() == OpKind::TkHint) {
        Some(hint) => without_hints(hint.operand(0)),
        None => value,
    }
}

/// The way of pointers that get `offsets` further with each iteration.
fn step<'c>(offsets: Value<'c>, stride: Value<'c>, contiguous: usize, view: ForOp<'c>) -> Option<LoopStep> {
    let (axis, way) = match offsets.constant_int() {
        Some(elements) => (contiguous, elements),
        None => {
            let scalar = offsets.defining_op().filter(|op| op.kind() == OpKind::TtSplat)?.operand(0);
            let multiplication = scalar.defining_op().filter(|op| op.kind() == OpKind::ArithMulI)?;
            let rows = match (multiplication.operand(0) == stride, multiplication.operand(1) == stride) {
                (true, _) => multiplication.operand(1),
                (_, true) => multiplication.operand(0),
                _ => return None,
            };
            (1 - contiguous, rows.constant_int()?)
        }
    };
    let counts = view.step().constant_int().filter(|counts| *counts > 0)?;
    let starts_at_zero = view.lower_bound().constant_int() == Some(0) && !view.unsigned_cmp();
    let is_narrow = view.induction_var().ty().int_bits() == Some(32);
    let is_even = way >= 0 && way % counts == 0 && way / counts <= i64::from(i32::MAX);
    (starts_at_zero && is_narrow && is_even).then_some(LoopStep { axis, way, counts })
}

/// Pointers as a scalar pointer and terms that are added to it.
fn take_apart(pointers: Value<'_>) -> Option<(Value<'_>, Vec<OffsetTerm<'_>>)> {
    let mut terms = Vec::new();
    let mut pointers = pointers;
    loop {
        let op = without_hints(pointers).defining_op()?;
        if op.kind() == OpKind::TtSplat {
            return Some((op.operand(0), terms));
        }
        if op.kind() == OpKind::TtAddPtr {
            collect_terms(op.operand(1), &mut terms)?;
        } else if op.kind() != OpKind::TtBroadcast {
            return None;
        }
        pointers = op.operand(0);
    }
}

fn collect_terms<'c>(offsets: Value<'c>, terms: &mut Vec<OffsetTerm<'c>>) -> Option<()> {
    let mut pending = vec![offsets];
    while let Some(value) = pending.pop() {
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
    let splat =
        |value: Value<'c>| value.defining_op().filter(|op| op.kind() == OpKind::TtSplat).map(|op| op.operand(0));
    match (splat(left), splat(right)) {
        (None, Some(stride)) => Some(OffsetTerm { index: left, stride: Some(stride) }),
        (Some(stride), None) => Some(OffsetTerm { index: right, stride: Some(stride) }),
        _ => None,
    }
}

/// The axis along which an index counts up by one; it is the same along the other, and never negative.
fn axis_of(index: Value<'_>, shape: [i64; 2], facts: &AxisFacts) -> Option<usize> {
    let (own, info) = (index.ty().shape(), facts.get(index));
    let is_index =
        own.len() == 2 && index.ty().element_bits() == 32 && info.non_negative && has_first_element(index, 0);
    let counts = |axis: usize| own[axis] == shape[axis] && info.contiguity[axis] >= own[axis] as u64;
    let is_same = |axis: usize| info.constancy[axis] >= own[axis] as u64;
    (0..2).find(|axis| is_index && shape[*axis] > 1 && counts(*axis) && is_same(1 - *axis))
}

/// The number of the parameter that a value is.
fn parameter(function: FuncOp<'_>, value: Value<'_>) -> Option<usize> {
    let (block, index) = value.block_argument()?;
    let is_narrow = value.ty().is_ptr() || value.ty().int_bits() == Some(32);
    (Some(block) == function.body() && is_narrow).then_some(index)
}

/// Whether [`first_element`] can tell the first element of this tensor.
fn has_first_element(value: Value<'_>, depth: u32) -> bool {
    let Some(op) = value.defining_op().filter(|_| depth < MOST_DEPTH) else { return false };
    let is_known = |value| has_first_element(value, depth + 1);
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
fn first_element<'c>(builder: &mut Builder<'c>, value: Value<'c>) -> Value<'c> {
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
        return first_element(builder, op.operand(0));
    }
    let (left, right) = (first_element(builder, op.operand(0)), first_element(builder, op.operand(1)));
    builder.binary(op.kind(), left, right)
}
