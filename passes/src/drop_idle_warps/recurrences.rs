//! Loops over time that reduce a small block in each step run in fewer warps than have elements of the block.
//!
//! A state-space model takes a step for each token: it loads a block of 16 by 16 numbers, changes a state of that size by it, and sums up the rows of the
//! product of the state and a vector. In four warps a thread has two of the numbers. What there is for each row or each step (addresses, a gate, the steps of
//! the reduction) is done by each warp again, and takes most of the issue slots. In one warp a thread has eight numbers: its accesses are wide, and a step has
//! a quarter of the instructions of four warps. Other CTAs run while one waits, so it takes a grid that brings enough of them.
//!
//! The rule is for what was measured ([`Recurrence::of`]): loops that carry a state as large as the kernel's largest block, load a block of that size, or rows
//! and columns that are one together, and reduce one along an axis that leaves rows. A sum that a loop only adds up meets other threads once, behind the loop, and is not that. Work for each
//! element is the same in any number of warps, so where it is much there is less to gain, and fewer warps hide less of it: numbers of 64 bits, functions and
//! divisions of whole blocks leave the warps as they are.

use crate::PassContext;
use crate::operations::computations::{Computation, computation, instructions_of_element};
use crate::operations::control::is_loop;
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind, Type};
use tk_types::Residency;

/// Bytes of one access to global memory, at most. A thread with fewer bytes of the block has room for more elements.
const ACCESS_BYTES: u64 = 16;
/// Elements of the block that a thread has at most in fewer warps. On an H200 two recurrences with a state of 256 numbers in f32 and bf16, which store rows
/// as they are, are 1.14 and 1.50 times as fast in two warps as in the four they were launched with (4 elements of a thread for 2), and 1.19 and 1.85 times
/// in one (8 elements).
const MOST_ELEMENTS: u64 = 8;
/// The same of recurrences that load rows and columns of the block alone. On an H200 three with a state of 256 numbers that bring eight CTAs, and load four
/// steps ahead (`load-steps-ahead`), are 1.06, 1.14 and 1.15 times as fast in two warps as in four; one of 512 numbers 0.97 times.
const MOST_ELEMENTS_OF_ROWS: u64 = 4;
/// Warps that the grid still brings to a multiprocessor: four for each of its schedulers. The launches that were measured brought 16 CTAs.
const LEAST_WARPS: u64 = 16;

/// The warps for the recurrences of a kernel whose largest block has so many `elements`, where it has any: otherwise what it is compiled for stays.
pub(super) fn warps_of_recurrences(ops: &[Op<'_>], elements: u64, cx: &PassContext) -> Option<u64> {
    let asked = u64::from(cx.options.num_warps);
    let recurrences: Vec<Recurrence> =
        ops.iter().filter_map(|op| Recurrence::of(ForOp::cast(*op)?, elements)).collect();
    let widest = recurrences.iter().map(|recurrence| recurrence.loaded_bytes).max()?;
    let threads = asked * u64::from(tk_target::WARP_SIZE);
    if elements.saturating_mul(widest) >= ACCESS_BYTES * threads {
        return None;
    }
    let loads_rows = recurrences.iter().any(|recurrence| recurrence.loads_rows);
    let most = if loads_rows { MOST_ELEMENTS_OF_ROWS } else { MOST_ELEMENTS };
    let enough = elements.div_ceil(most * u64::from(tk_target::WARP_SIZE));
    Some(enough.max(least_warps(cx.options.residency)?).max(1).next_power_of_two())
}

/// Warps of a CTA with which the grid brings [`LEAST_WARPS`]; `None` where nothing is known of the grid, or it has one program.
fn least_warps(residency: Residency) -> Option<u64> {
    match residency {
        Residency::Any | Residency::One => None,
        Residency::AtMost(ctas) => Some(LEAST_WARPS.div_ceil(u64::from(ctas.max(1)))),
        Residency::Many => Some(LEAST_WARPS.div_ceil(Residency::MOST_TOLD_APART)),
    }
}

/// A loop that changes a block in each step and reduces it.
struct Recurrence {
    /// Of an element of the block that it loads.
    loaded_bytes: u64,
    /// It loads rows and columns of the block alone.
    loads_rows: bool,
}

impl Recurrence {
    /// The loop does that with blocks of so many `elements`.
    fn of(view: ForOp<'_>, elements: u64) -> Option<Self> {
        let ops = view.body().ops();
        let is_block = |ty: Type<'_>| ty.is_tensor() && ty.rank() > 1 && ty.num_elements().unsigned_abs() == elements;
        let carries = view.op.results().into_iter().any(|state| is_block(state.ty()));
        let reduces =
            ops.iter().any(|op| op.kind() == OpKind::TtReduce && is_block(op.operand(0).ty()) && leaves_rows(*op));
        let is_innermost = !ops.iter().any(|op| op.descendants().into_iter().any(is_loop));
        let gives_block = |op: &Op<'_>| op.results().iter().any(|result| is_block(result.ty()));
        let are_light = || ops.iter().flat_map(|op| op.descendants()).filter(gives_block).all(is_light);
        if !(carries && reduces && is_innermost && are_light()) {
            return None;
        }
        let loads = || ops.iter().filter(|op| op.kind() == OpKind::TtLoad).map(|op| op.result(0).ty());
        let widest_of_blocks = loads().filter(|ty| is_block(*ty)).map(|ty| ty.element_bits()).max();
        let widest_of_rows = || loads().filter(|ty| ty.is_tensor()).map(|ty| ty.element_bits()).max();
        let bits = widest_of_blocks.or_else(widest_of_rows)?;
        Some(Self { loaded_bytes: u64::from(bits.div_ceil(8).max(1)), loads_rows: widest_of_blocks.is_none() })
    }
}

/// It gives a number for each row, and not one for the whole block.
fn leaves_rows(reduce: Op<'_>) -> bool {
    reduce.results().iter().all(|result| result.ty().is_tensor() && result.ty().num_elements() > 1)
}

/// An instruction or so for each element, in at most 32 bits. Addresses and integers that they are computed from may be longer.
fn is_light(op: Op<'_>) -> bool {
    let is_wide = |ty: Type<'_>| ty.element().is_float() && ty.element_bits() > 32;
    let is_short = match computation(op.kind()) {
        Computation::Constant
        | Computation::Repeat
        | Computation::Range
        | Computation::Arithmetic
        | Computation::Cast
        | Computation::Load
        | Computation::Reduction => instructions_of_element(op.kind()) <= 1,
        Computation::Function | Computation::Other => false,
    };
    is_short && !op.results().iter().any(|result| is_wide(result.ty()))
}
