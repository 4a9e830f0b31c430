//! Lets threads leave at the start of a kernel that no store and no atomic operation of it has work for.
//!
//! A block is longer than the row that it holds: of 128 threads `arange(0, 128) < n` leaves 64 where `n` is 64. The others compute addresses, divide by
//! numbers of the program and load nothing, one warp after the other, and take the issue slots of those that have elements.
//!
//! ```text
//! inside = range < n                 inside = range < n      a thread none of whose elements is inside returns here
//! y = f(load(p, inside))             y = f(load(p, inside))
//! store(q, y, inside)                store(q, y, inside)
//! ```
//!
//! True for kernels in which every thread does everything for itself ([`acts_alone`]) and the mask of every store and atomic operation, also of those in
//! loops and branches, holds only where the comparison does. Each element of a mask is then in the thread that has the same element of the comparison, so a
//! thread none of whose elements is inside writes nothing; what it loads and computes nobody sees.
//!
//! It pays where whole warps leave: the comparison is of a row with a number of the launch, not of the program (of `program * 128 + range < n` all programs
//! but the last are inside), and the last elements of the row are those of other warps than the first ([`Padding`]). Where the grid brings few CTAs to a
//! multiprocessor, its schedulers have slots for all warps, and the branch takes time: a launch of 7 us is 2.6 % slower with it.
//!
//! 1. Find comparisons that every write asks for.  2. Take one that is known at the start of the kernel.  3. Move it there, and mark it.

use crate::attributes::{AGAIN, ALLOCATION_OFFSET, CONSTANCY, LEAVE, MEETS_LATER, MET_BEFORE};
use crate::convert_to_ttg::require_ttg;
use crate::encodings::distinct_elements_per_thread;
use crate::operations::computations::{Computation, computation, instructions_of_element};
use crate::operations::control::is_loop;
use crate::operations::memory::is_ordered_access;
use crate::vectorize_memory::mask_of;
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{AtomicRmwOp, CmpI, FuncOp, LoadOp, MakeRangeOp, MemSemantic};
use tk_ir::{Block, Module, Op, OpKind, Value};
use tk_layout::conversion::{self, ConversionPlan};
use tk_layout::{Dim, LinearLayout};

/// The pass.
pub const PASS: Pass = Pass { name: "leave-early", summary: "let threads leave that no store has work for", run };

/// Instructions of a thread behind the comparison, about, from which on its branch is worth it. The branch waits for the number of the thread, and is a
/// tenth of so many instructions; with fewer a program is little more than its accesses, which the mask keeps from threads outside anyway.
const LEAST_INSTRUCTIONS: i64 = 20;
/// Iterations of a loop, about: those that are known to be fewer are written out.
const ITERATIONS: i64 = 4;
/// Different answers of a thread, at most. All are there from the start, and what the masks ask for later keeps them in registers for truth values.
const MOST_ANSWERS: usize = 4;
/// Operations that a comparison is computed from, at most.
const MOST_COMPUTED: usize = 24;
/// Operations between a mask and its comparisons, and between a comparison and its row, at most.
const MOST_STEPS: usize = 16;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let pays = threads.num_warps > 1 && cx.options.residency.at_most().is_none();
    for function in module.functions() {
        for op in function.descendants() {
            if op.attr(LEAVE).is_some() {
                op.remove_attr(LEAVE);
            }
        }
        if pays && let Some(plan) = Plan::of(function) {
            plan.apply();
        }
    }
    Ok(())
}

/// A comparison that every write of a kernel asks for.
struct Plan<'c> {
    entry: Block<'c>,
    comparison: Op<'c>,
    /// What it is computed from, in the order of the block, itself last.
    computed: Vec<Op<'c>>,
}

impl<'c> Plan<'c> {
    fn of(function: Op<'c>) -> Option<Self> {
        let entry = FuncOp::cast(function).filter(|view| view.is_public())?.body()?;
        let mut ops = function.descendants();
        ops.retain(|op| *op != function);
        if !ops.iter().all(|op| acts_alone(*op)) {
            return None;
        }
        let writes: Vec<Vec<Op<'c>>> =
            ops.iter().filter(|op| is_ordered_access(**op)).map(|op| conditions_of(*op)).collect();
        if writes.is_empty() {
            return None;
        }
        let is_asked_for = |comparison: Op<'c>| {
            writes.iter().all(|conditions| conditions.iter().any(|other| are_same(*other, comparison)))
        };
        let all = entry.ops().into_iter().filter(|op| op.kind() == OpKind::ArithCmpI && is_asked_for(*op));
        all.filter(|op| Padding::of(*op).is_some_and(|padding| padding.has_warps_outside(*op))).find_map(|comparison| {
            let computed = computed_from(comparison, entry)?;
            let rest = ops.iter().filter(|op| !computed.contains(op));
            let instructions = rest.map(|op| instructions_of(*op)).fold(0, i64::saturating_add);
            (instructions >= LEAST_INSTRUCTIONS).then_some(Self { entry, comparison, computed })
        })
    }

    fn apply(self) {
        let Some(first) = self.entry.ops().into_iter().find(|op| !self.computed.contains(op)) else { return };
        for op in self.computed.iter().filter(|op| first.is_before_in_block(**op)) {
            op.move_before(first);
        }
        self.comparison.set_attr(LEAVE, self.comparison.context().unit_attr());
    }
}

/// A thread does it for itself, whichever others are there: no barrier, shuffle or shared memory, neither by the operation nor by what code generation
/// makes of it, and nothing that others see but writes to global memory.
fn acts_alone(op: Op<'_>) -> bool {
    // A comparison with a number takes shuffles.
    if op.attr(ALLOCATION_OFFSET).is_some() || op.int_attr(AGAIN).is_some() {
        return false;
    }
    match computation(op.kind()) {
        Computation::Constant
        | Computation::Repeat
        | Computation::Range
        | Computation::Arithmetic
        | Computation::Function
        | Computation::Cast => true,
        Computation::Load => LoadOp::cast(op).is_some_and(|load| !load.is_volatile()),
        Computation::Reduction => false,
        Computation::Other => is_plain(op) || meets_nobody(op) || stays_in_thread(op) || is_written_out(op),
    }
}

/// Control, numbers of the program, other names for the elements of a thread, and stores. A function with results has something to return.
fn is_plain(op: Op<'_>) -> bool {
    use OpKind::*;
    let ends = op.kind() == TtReturn && op.num_operands() == 0;
    ends || matches!(
        op.kind(),
        ScfFor
            | ScfIf
            | ScfWhile
            | ScfYield
            | ScfCondition
            | CfBranch
            | CfCondBranch
            | LlvmAssume
            | TtGetProgramId
            | TtGetNumPrograms
            | TtUnsplat
            | TtReshape
            | TtTrans
            | TtCat
            | TtJoin
            | TtSplit
            | TtStore
    )
}

/// An atomic operation for which threads need not meet: code generation puts barriers where its order asks for them, unless it is told of others, and
/// there are none.
fn meets_nobody(op: Op<'_>) -> bool {
    let Some(view) = AtomicRmwOp::cast(op) else { return false };
    let (met_before, meets_later) = (op.attr(MET_BEFORE).is_some(), op.attr(MEETS_LATER).is_some());
    match view.sem() {
        MemSemantic::Relaxed => true,
        MemSemantic::Acquire => meets_later,
        MemSemantic::Release => met_before,
        MemSemantic::AcquireRelease => met_before && meets_later,
    }
}

/// A layout conversion for which each thread has its elements already.
fn stays_in_thread(op: Op<'_>) -> bool {
    if op.kind() != OpKind::TtgConvertLayout {
        return false;
    }
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let (Some(source), Some(target)) = (from.linear_layout(), to.linear_layout()) else { return false };
    let bits = 8 * from.element_bits().div_ceil(8).max(1);
    let plan = conversion::plan(&source, &target, bits, conversion::SCRATCH_BYTES);
    matches!(plan, Ok(ConversionPlan::Reorder { .. }))
}

/// A function of a library that is written out as arithmetic, and not called.
fn is_written_out(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtExternElementwise && op.str_attr("libpath").is_none_or(str::is_empty)
}

/// Comparisons of which each holds, for the same element of the same thread, where the mask of a write does. None of a write without a mask.
fn conditions_of(write: Op<'_>) -> Vec<Op<'_>> {
    let mut open: Vec<Value<'_>> = mask_of(write).into_iter().collect();
    let mut found = Vec::new();
    for _ in 0..MOST_STEPS {
        let Some(value) = open.pop() else { break };
        let Some(op) = value.defining_op() else { continue };
        if op.kind() == OpKind::ArithAndI {
            open.extend(op.operands());
        } else if is_other_view(op.kind()) {
            open.push(op.operand(0));
        } else if op.kind() == OpKind::ArithCmpI && value.ty().is_tensor() {
            found.push(op);
        }
    }
    found
}

/// The elements of a thread in another shape or order. Of conversions [`acts_alone`] has seen that they are that.
fn is_other_view(kind: OpKind) -> bool {
    use OpKind::*;
    matches!(kind, TtExpandDims | TtBroadcast | TtReshape | TtTrans | TtgConvertLayout)
}

/// Both compare the same numbers in the same way: masks in loops may have a comparison of their own.
fn are_same(one: Op<'_>, other: Op<'_>) -> bool {
    one == other || one.int_attr("predicate") == other.int_attr("predicate") && one.operands() == other.operands()
}

/// A row that is compared with one number, which it has to lie below.
struct Padding<'c> {
    row: Value<'c>,
    bound: Value<'c>,
}

impl<'c> Padding<'c> {
    fn of(comparison: Op<'c>) -> Option<Self> {
        let (left, right) = (comparison.operand(0), comparison.operand(1));
        let (row, bound) = match CmpI::from_number(comparison.int_attr("predicate")?)? {
            CmpI::Slt | CmpI::Sle | CmpI::Ult | CmpI::Ule => (left, right),
            CmpI::Sgt | CmpI::Sge | CmpI::Ugt | CmpI::Uge => (right, left),
            CmpI::Eq | CmpI::Ne => return None,
        };
        (is_row(row) && is_number(bound)).then_some(Self { row, bound })
    }

    /// The second half of the row is in other warps than the first one, and a thread has few answers. With a bound that is known, the last warp is outside.
    fn has_warps_outside(&self, comparison: Op<'c>) -> bool {
        let ty = comparison.result(0).ty();
        let mut axes = ty.shape().into_iter().enumerate().filter(|(_, size)| *size > 1).map(|(axis, _)| axis);
        let (Some(axis), None, Some(layout)) = (axes.next(), axes.next(), ty.linear_layout()) else { return false };
        // The other axes have no bits, so that images are places in the row.
        let half = 1u64 << layout.total_out_bits().saturating_sub(1);
        let has_half = |dim: Dim| layout.columns_of(dim).iter().any(|image| image & half != 0);
        let is_of_warps = has_half(Dim::Warp) && !has_half(Dim::Lane) && !has_half(Dim::Register);
        is_of_warps && answers(comparison, axis, &layout) <= MOST_ANSWERS && !self.reaches_last_warp(&layout)
    }

    /// It is known that the first element of the last warp lies below the bound.
    fn reaches_last_warp(&self, layout: &LinearLayout) -> bool {
        let range = self.row.defining_op().and_then(MakeRangeOp::cast);
        let last = layout.columns_of(Dim::Warp).iter().fold(0u64, |all, image| all | image) as i64;
        match (range, self.bound.constant_int()) {
            (Some(range), Some(bound)) => bound > range.start().saturating_add(last),
            (Some(_) | None, Some(_) | None) => false,
        }
    }
}

/// Different answers of a thread along the only axis with several elements.
fn answers(comparison: Op<'_>, axis: usize, layout: &LinearLayout) -> usize {
    let runs = comparison.attr(CONSTANCY).and_then(|runs| runs.as_ints()).unwrap_or_default();
    let shift = runs.get(axis).copied().unwrap_or(1).max(1).ilog2();
    let bits = layout.columns_of(Dim::Register).iter().filter(|image| **image >> shift != 0).count();
    1 << bits.min(16)
}

/// A range, or one that is moved, scaled or divided by one number: places that do not fall along the axis, as far as that number is positive.
fn is_row(mut value: Value<'_>) -> bool {
    use OpKind::*;
    for _ in 0..MOST_STEPS {
        let Some(op) = value.defining_op() else { return false };
        let kind = op.kind();
        if kind == TtMakeRange {
            return true;
        }
        let is_commutative = matches!(kind, ArithAddI | ArithMulI);
        let is_by_right = is_commutative || matches!(kind, ArithSubI | ArithShLI | ArithDivSI | ArithDivUI);
        value = if is_passed_on(kind) || is_by_right && is_number(op.operand(1)) {
            op.operand(0)
        } else if is_commutative && is_number(op.operand(0)) {
            op.operand(1)
        } else {
            return false;
        };
    }
    false
}

/// One number for all elements.
fn is_number(mut value: Value<'_>) -> bool {
    for _ in 0..MOST_STEPS {
        let Some(op) = value.defining_op() else { return false };
        if op.kind() == OpKind::TtSplat || value.constant_int().is_some() {
            return true;
        }
        if !is_passed_on(op.kind()) {
            return false;
        }
        value = op.operand(0);
    }
    false
}

/// The same numbers in another shape or width.
fn is_passed_on(kind: OpKind) -> bool {
    use OpKind::*;
    matches!(kind, TtExpandDims | TtBroadcast | TtReshape | ArithExtSI | ArithExtUI)
}

/// What a comparison is computed from, in the order of the block, itself last: nothing but parameters of the kernel, constants and ranges. `None` of others.
fn computed_from<'c>(comparison: Op<'c>, entry: Block<'c>) -> Option<Vec<Op<'c>>> {
    let (mut known, mut open) = (FxHashSet::default(), vec![comparison]);
    while let Some(op) = open.pop() {
        if !known.insert(op.id()) {
            continue;
        }
        if known.len() > MOST_COMPUTED || op.block() != Some(entry) || !is_arithmetic(op) {
            return None;
        }
        for operand in op.operands() {
            match operand.defining_op() {
                Some(before) => open.push(before),
                None if operand.parent_block() == Some(entry) => {}
                None => return None,
            }
        }
    }
    Some(entry.ops().into_iter().filter(|op| known.contains(&op.id())).collect())
}

/// Arithmetic, and what it begins with. Numbers of the program are something else.
fn is_arithmetic(op: Op<'_>) -> bool {
    match computation(op.kind()) {
        Computation::Constant | Computation::Repeat | Computation::Range | Computation::Arithmetic => true,
        Computation::Function | Computation::Cast | Computation::Load | Computation::Reduction | Computation::Other => {
            false
        }
    }
}

/// Instructions of a thread, about.
fn instructions_of(op: Op<'_>) -> i64 {
    let once = if is_ordered_access(op) {
        distinct_elements_per_thread(op.operand(0).ty())
    } else {
        let elements = op.results().first().map_or(0, |result| distinct_elements_per_thread(result.ty()));
        elements.saturating_mul(i64::from(instructions_of_element(op.kind())))
    };
    let times = if op.ancestors().skip(1).any(is_loop) { ITERATIONS } else { 1 };
    once.saturating_mul(times)
}
