//! What conversions cost, and what it costs to compute values once more: bytes that go through shared memory, instructions of threads, and
//! the loops around them.

use crate::control_flow::loop_depth;
use crate::encodings::{self, distinct_elements_per_thread, elements_per_thread};
use crate::operations::computations::{Computation, computation};
use crate::operations::control::is_loop;
use tk_ir::{Attribute, Op, OpKind, Type, Value};

/// The loops that a value is made in.
pub(super) fn depth_of(value: Value<'_>) -> u32 {
    match (value.defining_op(), value.parent_block().and_then(|block| block.parent_op())) {
        (Some(op), _) => loop_depth(op),
        (None, Some(parent)) => loop_depth(parent) + u32::from(is_loop(parent)),
        (None, None) => 0,
    }
}

/// The bytes that an element of a mask counts for: each of them takes an instruction to compute, and several to convert, since masks are
/// predicates in registers and bytes in shared memory.
const MASK_BYTES: u64 = 4;

/// What a value's conversion moves.
pub(super) fn bytes(value: Value<'_>) -> u64 {
    value.ty().num_elements().max(1) as u64 * bytes_of_element(value.ty())
}

fn bytes_of_element(ty: Type<'_>) -> u64 {
    match ty.element_bits() {
        1 => MASK_BYTES,
        bits => u64::from(bits.div_ceil(8).max(1)),
    }
}

/// What a thread writes to shared memory and reads from there where `value` is converted to `layout` in so many loops, in bytes. Several warps may read
/// the same.
pub(super) fn bytes_of_thread<'c>(value: Value<'c>, layout: Attribute<'c>, depth: u32) -> u64 {
    if stays_in_place(value, layout) {
        return 0;
    }
    let ty = value.ty();
    let written = distinct_elements_per_thread(ty).unsigned_abs();
    let read = distinct_elements_per_thread(ty.with_encoding(Some(layout))).unsigned_abs();
    (bytes_of_element(ty) * (written + read)) << (3 * depth.min(8))
}

/// Arithmetic instructions that moving one byte through shared memory is worth.
const CONVERSION_COST: u64 = 32;

pub(super) fn conversion_cost(value: Value<'_>, depth: u32) -> u64 {
    (bytes(value) * CONVERSION_COST) << (3 * depth.min(8))
}

/// What converting `value` to `layout` costs: nothing where every element stays where it is, unless that moves into a loop. Sums that a loop
/// adds up would not be seen to go straight into what it carries any more.
pub(super) fn moving_cost<'c>(value: Value<'c>, layout: Attribute<'c>, depth: u32) -> u64 {
    if depth_of(value) <= depth && stays_in_place(value, layout) { 0 } else { conversion_cost(value, depth_of(value)) }
}

/// What the conversion that makes `value` costs, if one does that moves elements.
pub(super) fn saved_conversion(value: Value<'_>) -> Option<u64> {
    let op = value.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout)?;
    let moves = op.result(0).ty().encoding().is_some_and(|to| !stays_in_place(op.operand(0), to));
    moves.then(|| conversion_cost(op.operand(0), loop_depth(op)))
}

/// Every element of `value` stays where it is in `layout`.
fn stays_in_place(value: Value<'_>, layout: Attribute<'_>) -> bool {
    let ty = value.ty();
    ty.encoding().is_some_and(|has| encodings::same_places(&ty.shape(), has, layout))
}

/// Instructions of a thread that a conversion may cost elsewhere: what threads could do while they wait for each other, and for each element
/// that goes through shared memory. It is meant for values that every thread would have all elements of, a thousand instructions and
/// more; layouts that share rows among the threads of a warp are far from it.
const WAITING_INSTRUCTIONS: u64 = 512;
const ELEMENT_INSTRUCTIONS: u64 = 16;

pub(super) fn instructions_of(conversion: Op<'_>) -> u64 {
    let elements = elements_per_thread(conversion.result(0).ty()).unsigned_abs();
    (WAITING_INSTRUCTIONS + ELEMENT_INSTRUCTIONS * elements) << (3 * loop_depth(conversion).min(8))
}

/// Instructions of a thread that computing an operand in its own layout may add to an iteration, where what it is computed from is read from
/// shared memory anyway: they stand for the way through shared memory and the barrier that go away. Of 45 products on an H200, those that
/// add up to 149 take 0.73 to 1.04 of the time and one 1.23, those from 185 on 0.95 to 2.2. Their blocks have as many bits as the operand; where the operand
/// is wider, the bytes that are not moved count beside.
const RING_INSTRUCTIONS: u64 = 160;

pub(super) fn more_from_ring(conversion: Op<'_>) -> u64 {
    RING_INSTRUCTIONS << (3 * loop_depth(conversion).min(8))
}

/// Instructions of a thread for each element of a value, about.
pub(super) fn instructions_per_element(value: Value<'_>) -> u64 {
    value.defining_op().map_or(0, |op| match computation(op.kind()) {
        Computation::Load | Computation::Function => 8,
        Computation::Arithmetic | Computation::Reduction => 1,
        Computation::Constant | Computation::Repeat | Computation::Range | Computation::Cast | Computation::Other => 0,
    })
}

/// The cost of computing a value once more, in the unit of [`CONVERSION_COST`].
pub(super) fn compute_cost(value: Value<'_>) -> u64 {
    let Some(op) = value.defining_op() else { return 0 };
    if op.kind() == OpKind::TtScan {
        return 16 * op.operands().into_iter().map(bytes).sum::<u64>();
    }
    let factor = match computation(op.kind()) {
        Computation::Reduction => return 16 * op.operands().into_iter().map(bytes).sum::<u64>(),
        Computation::Load | Computation::Function => 8,
        Computation::Arithmetic => 1,
        Computation::Constant | Computation::Repeat | Computation::Range | Computation::Cast | Computation::Other => 0,
    };
    factor * bytes(value)
}
