//! Runs the programs of a grid from the last to the first, where the last ones run longest.
//!
//! In causal attention a program of later rows sees more keys. The GPU starts programs in the order of their numbers, so the longest ones start
//! last, and few multiprocessors have work while they end. From the last to the first the shortest programs start last, and fill the gaps.
//!
//! `tt.get_program_id` of such an axis becomes `tt.get_num_programs - 1 - tt.get_program_id`: the same numbers, each once, so the results are the
//! same where programs do not depend on each other. Along other axes nothing changes.
//!
//! 1. Programs have to be independent, and nothing may say which CTA it came from ([`are_independent`]).
//! 2. How the iterations of all loops with products grow with the number of the program, by the definitions of their bounds ([`Growth`]). Loops
//!    of which one goes on where the other ends count as one: blocks of keys that are seen whole, then those with a mask.
//! 3. An axis is turned where no such loop gets shorter, or changes in a way that is not known, and one gets longer.

use crate::analysis::axis_rules::BinaryOp;
use crate::operations::axis::{AxisRule, axis_rule};
use crate::operations::control::{Control, control};
use crate::operations::memory::{Access, GlobalMemory, global_memory};
use crate::{Pass, PassContext};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::ops::{CacheModifier, ElementwiseInlineAsmOp, ForOp, IfOp, LoadOp, ProgramLikeOp};
use tk_ir::{Block, Builder, Module, Op, OpKind, Value};
use tk_types::CompileOptions;

/// The pass.
pub const PASS: Pass = Pass {
    name: "longest-programs-first",
    summary: "run programs from the last to the first, where the last ones run longest",
    run,
};

/// Definitions that are followed from the bound of a loop, one behind the other, at most.
const MOST_STEPS: usize = 48;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let all: Vec<_> = module.functions().into_iter().flat_map(|function| function.descendants()).collect();
    if !are_independent(&all, &cx.options) {
        return Ok(());
    }
    for function in module.functions() {
        let ops = function.descendants();
        let ids: Vec<_> = ops.iter().filter(|op| op.kind() == OpKind::TtGetProgramId).copied().collect();
        let chains = chains_of(&ops);
        for axis in 0..3 {
            let ids: Vec<_> = ids.iter().filter(|id| axis_of(**id) == Some(axis)).copied().collect();
            // Functions that are called see the same numbers.
            let is_elsewhere = |op: &&Op<'_>| {
                op.kind() == OpKind::TtGetProgramId && axis_of(**op) == Some(axis) && !function.contains(**op)
            };
            let has_all = !all.iter().any(|op| is_elsewhere(&op));
            if !ids.is_empty() && has_all && last_run_longest(&chains, axis) {
                ids.into_iter().for_each(|id| turn(id, axis));
            }
        }
    }
    Ok(())
}

/// Of `tt.get_program_id` and `tt.get_num_programs`: 0, 1 or 2.
pub(crate) fn axis_of(op: Op<'_>) -> Option<usize> {
    ProgramLikeOp::cast(op).map(ProgramLikeOp::axis)
}

/// Whether no program sees what another one does, nor tells its number otherwise than by `tt.get_program_id`: printed lines, failed checks and
/// PTX that is written out have the number of the CTA, and the CTAs of a cluster have numbers of their own.
pub(crate) fn are_independent(ops: &[Op<'_>], options: &CompileOptions) -> bool {
    let has_while_that_reads = || {
        let whiles = ops.iter().filter(|op| control(op.kind()) == Control::While);
        whiles.flat_map(|op| op.descendants()).any(|op| global_memory(op.kind()).access() == Some(Access::Read))
    };
    let tells = |op: &Op<'_>| {
        let kinds = [OpKind::TtPrint, OpKind::TkGuard, OpKind::GpuBlockId, OpKind::TtgWarpSpecialize];
        // Assertions are compiled only on demand.
        kinds.contains(&op.kind()) || options.debug && op.kind() == OpKind::TtAssert
    };
    options.num_ctas <= 1 && !ops.iter().any(|op| tells(op) || waits_for_others(*op)) && !has_while_that_reads()
}

/// Whether an operation may combine what it has with what another program writes, or see it.
fn waits_for_others(op: Op<'_>) -> bool {
    match global_memory(op.kind()) {
        GlobalMemory::None => false,
        GlobalMemory::Pointers(access) | GlobalMemory::Block(access) | GlobalMemory::Copy(access) => match access {
            Access::Read => {
                LoadOp::cast(op).is_some_and(|load| load.is_volatile() || load.cache() == CacheModifier::Cv)
            }
            Access::Write => false,
            Access::Combine | Access::Synchronize => true,
        },
        GlobalMemory::Unknown => {
            let Some(assembly) = ElementwiseInlineAsmOp::cast(op) else { return true };
            let text = assembly.asm_string();
            !assembly.pure() || text.contains("ctaid") || text.contains("cluster")
        }
    }
}

/// A loop with products, or several of which each goes on where the one before ends.
#[derive(Clone, Copy)]
struct Chain<'c> {
    last: Op<'c>,
    /// What its number of iterations is known by; `None` of loops that do not count.
    bounds: Option<Bounds<'c>>,
}

#[derive(Clone, Copy)]
struct Bounds<'c> {
    lower: Value<'c>,
    upper: Value<'c>,
    step: Value<'c>,
}

fn chains_of<'c>(ops: &[Op<'c>]) -> Vec<Chain<'c>> {
    let is_loop = |op: &Op<'c>| matches!(control(op.kind()), Control::For | Control::While) && has_products(*op);
    let loops: Vec<_> = ops.iter().filter(|op| is_loop(op)).copied().collect();
    let counting: Vec<_> = loops.iter().filter_map(|op| ForOp::cast(*op)).collect();
    let goes_on = |first: ForOp<'c>, second: ForOp<'c>| {
        first.op != second.op
            && first.op.block() == second.op.block()
            && first.op.is_before_in_block(second.op)
            && first.upper_bound() == second.lower_bound()
    };
    let ends = loops
        .into_iter()
        .filter(|op| ForOp::cast(*op).is_none_or(|view| !counting.iter().any(|second| goes_on(view, *second))));
    let chain = |last: Op<'c>| {
        let bounds = ForOp::cast(last).map(|view| {
            let mut first = view;
            while let Some(before) = counting.iter().find(|before| goes_on(**before, first)) {
                first = *before;
            }
            Bounds { lower: first.lower_bound(), upper: view.upper_bound(), step: view.step() }
        });
        Chain { last, bounds }
    };
    ends.map(chain).collect()
}

fn has_products(op: Op<'_>) -> bool {
    op.descendants().into_iter().any(|op| matches!(op.kind(), OpKind::TtDot | OpKind::TtDotScaled))
}

/// Whether the programs of the last numbers along an axis have the most iterations.
fn last_run_longest(chains: &[Chain<'_>], axis: usize) -> bool {
    let mut growths = Growths { axis, known: FxHashMap::default() };
    let iterations: Vec<_> = chains.iter().map(|chain| growths.of_chain(*chain)).collect();
    iterations.iter().all(|growth| growth.never_falls()) && iterations.iter().any(|growth| growth.rises())
}

/// How a number changes from one program to the next along an axis, all else the same. It is no more than an estimate: numbers that overflow,
/// and what divisions round off, are left aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Growth {
    /// It is the same for all.
    Independent,
    /// It changes by this on average.
    Steady(Slope),
    /// It gets larger, perhaps up to a limit.
    Rising,
    /// All else.
    Unknown,
}

/// A fraction whose lower part is positive.
#[derive(Clone, Copy, Debug)]
struct Slope {
    over: i64,
    under: i64,
}

impl PartialEq for Slope {
    fn eq(&self, other: &Self) -> bool {
        i128::from(self.over) * i128::from(other.under) == i128::from(other.over) * i128::from(self.under)
    }
}

impl Eq for Slope {}

impl Growth {
    fn rises(self) -> bool {
        match self {
            Self::Steady(slope) => slope.over > 0,
            Self::Rising => true,
            Self::Independent | Self::Unknown => false,
        }
    }

    fn never_falls(self) -> bool {
        match self {
            Self::Steady(slope) => slope.over >= 0,
            Self::Independent | Self::Rising => true,
            Self::Unknown => false,
        }
    }

    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Independent, growth) | (growth, Self::Independent) => growth,
            (Self::Steady(a), Self::Steady(b)) => {
                let over = a.over.checked_mul(b.under).zip(b.over.checked_mul(a.under));
                let over = over.and_then(|(a, b)| a.checked_add(b));
                over.zip(a.under.checked_mul(b.under))
                    .map_or(Self::Unknown, |(over, under)| Self::Steady(Slope { over, under }))
            }
            _ if self.never_falls() && other.never_falls() => Self::Rising,
            _ => Self::Unknown,
        }
    }

    /// The number times `over / under`.
    fn times(self, over: i64, under: i64) -> Self {
        match self {
            Self::Independent => Self::Independent,
            Self::Steady(slope) if under > 0 => {
                let product = slope.over.checked_mul(over).zip(slope.under.checked_mul(under));
                product.map_or(Self::Unknown, |(over, under)| Self::Steady(Slope { over, under }))
            }
            Self::Rising if over > 0 && under > 0 => Self::Rising,
            Self::Steady(_) | Self::Rising | Self::Unknown => Self::Unknown,
        }
    }

    /// The number times, or over, a number that is the same for all programs. Such numbers are sizes, which are positive; where one is not, the
    /// programs run in another order, and their results are the same.
    fn scaled_by(self, factor: Self) -> Option<Self> {
        (factor == Self::Independent && self.never_falls()).then(|| if self.rises() { Self::Rising } else { self })
    }

    fn minus(self, other: Self) -> Self {
        self.plus(other.times(-1, 1))
    }

    /// One of two numbers, or the smaller or the larger one.
    fn or(self, other: Self) -> Self {
        if self == other {
            self
        } else if self.never_falls() && other.never_falls() {
            Self::Rising
        } else {
            Self::Unknown
        }
    }
}

/// How values grow along one axis.
struct Growths {
    axis: usize,
    known: FxHashMap<usize, Growth>,
}

impl Growths {
    /// Of the iterations of a chain of loops, where they run.
    fn of_chain(&mut self, chain: Chain<'_>) -> Growth {
        let Some(Bounds { lower, upper, step }) = chain.bounds else { return Growth::Unknown };
        if self.of(step, 0) != Growth::Independent || !self.runs_alike(chain.last) {
            return Growth::Unknown;
        }
        let (lower, upper) = (self.of(lower, 0), self.of(upper, 0));
        upper.minus(lower)
    }

    /// Whether the branches around a loop are the same for all programs, or have products on one side only: then the longest programs are still
    /// those of the last numbers among the ones that get there.
    fn runs_alike(&mut self, op: Op<'_>) -> bool {
        op.ancestors().skip(1).all(|around| match control(around.kind()) {
            Control::If => IfOp::cast(around).is_some_and(|branch| {
                self.of(branch.condition(), 0) == Growth::Independent
                    || !(multiplies(branch.then_block()) && branch.else_block().is_some_and(multiplies))
            }),
            Control::For => true,
            Control::While | Control::Yield | Control::Condition | Control::Plain => false,
            Control::Opaque => matches!(around.kind(), OpKind::TtFunc | OpKind::BuiltinModule),
        })
    }

    fn of(&mut self, value: Value<'_>, steps: usize) -> Growth {
        if let Some(known) = self.known.get(&value.id()) {
            return *known;
        }
        if steps == MOST_STEPS {
            return Growth::Unknown;
        }
        let growth = match value.defining_op() {
            Some(op) => self.of_result(op, steps + 1),
            None => self.of_argument(value, steps + 1),
        };
        self.known.insert(value.id(), growth);
        growth
    }

    /// Arguments of the kernel are the same for all programs; so are the numbers that a loop counts, as far as it runs.
    fn of_argument(&mut self, value: Value<'_>, steps: usize) -> Growth {
        let around = value.block_argument().and_then(|(block, index)| block.parent_op().map(|op| (op, index)));
        match around {
            Some((op, _)) if op.kind() == OpKind::TtFunc => Growth::Independent,
            Some((op, 0)) => ForOp::cast(op).map_or(Growth::Unknown, |view| {
                let is_independent =
                    [view.lower_bound(), view.step()].iter().all(|value| self.of(*value, steps) == Growth::Independent);
                if is_independent { Growth::Independent } else { Growth::Unknown }
            }),
            _ => Growth::Unknown,
        }
    }

    fn of_result(&mut self, op: Op<'_>, steps: usize) -> Growth {
        if op.kind() == OpKind::TtGetProgramId && axis_of(op) == Some(self.axis) {
            return Growth::Steady(Slope { over: 1, under: 1 });
        }
        if op.num_regions() > 0 {
            return Growth::Unknown;
        }
        let operands: Vec<_> = op.operands().into_iter().map(|operand| self.of(operand, steps)).collect();
        if operands.iter().all(|growth| *growth == Growth::Independent) {
            return Growth::Independent;
        }
        match axis_rule(op.kind()) {
            AxisRule::Binary(kind) => of_binary(kind, op, operands[0], operands[1]),
            AxisRule::Copy | AxisRule::SignedCast | AxisRule::UnsignedCast => operands[0],
            AxisRule::Select if operands[0] == Growth::Independent => operands[1].or(operands[2]),
            AxisRule::Select
            | AxisRule::Constant
            | AxisRule::Poison
            | AxisRule::ProgramNumber
            | AxisRule::Range
            | AxisRule::Splat
            | AxisRule::ExpandDims
            | AxisRule::Broadcast
            | AxisRule::Trans
            | AxisRule::Reshape
            | AxisRule::AddPtr
            | AxisRule::Load
            | AxisRule::Bitcast
            | AxisRule::IntToPtr
            | AxisRule::PtrToInt
            | AxisRule::Compare
            | AxisRule::For
            | AxisRule::While
            | AxisRule::If
            | AxisRule::Assume
            | AxisRule::Unknown => Growth::Unknown,
        }
    }
}

fn multiplies(block: Block<'_>) -> bool {
    block.ops().into_iter().any(|op| matches!(op.kind(), OpKind::TtDot | OpKind::TtDotScaled) || has_products(op))
}

/// Arithmetic of two numbers, of which not both are independent.
fn of_binary(kind: BinaryOp, op: Op<'_>, left: Growth, right: Growth) -> Growth {
    let constant = |index: usize| op.operand(index).constant_int();
    let power = || constant(1).filter(|bits| (0..32).contains(bits)).map(|bits| 1i64 << bits);
    let scaled = match kind {
        BinaryOp::Add => Some(left.plus(right)),
        BinaryOp::Sub => Some(left.minus(right)),
        BinaryOp::MinS | BinaryOp::MaxS | BinaryOp::MinU | BinaryOp::MaxU => Some(left.or(right)),
        BinaryOp::Mul => match (constant(0), constant(1)) {
            (_, Some(factor)) => Some(left.times(factor, 1)),
            (Some(factor), None) => Some(right.times(factor, 1)),
            (None, None) => Some(left.scaled_by(right).or_else(|| right.scaled_by(left)).unwrap_or(Growth::Unknown)),
        },
        BinaryOp::DivS | BinaryOp::DivU => match constant(1) {
            Some(divisor) => Some(left.times(1, divisor)),
            None => left.scaled_by(right),
        },
        BinaryOp::Shl => power().map(|factor| left.times(factor, 1)),
        BinaryOp::ShrS | BinaryOp::ShrU => power().map(|divisor| left.times(1, divisor)),
        BinaryOp::RemS | BinaryOp::RemU | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => None,
    };
    scaled.unwrap_or(Growth::Unknown)
}

/// The first program gets the last number along the axis.
fn turn(id: Op<'_>, axis: usize) {
    let mut builder = Builder::after(id);
    let programs = builder.num_programs(axis as i32);
    let one = builder.i32(1);
    let last = builder.binary(OpKind::ArithSubI, programs, one);
    let turned = builder.binary(OpKind::ArithSubI, last, id.result(0));
    if let Some(subtraction) = turned.defining_op() {
        id.result(0).replace_all_uses_except(turned, &[subtraction]);
    }
}
