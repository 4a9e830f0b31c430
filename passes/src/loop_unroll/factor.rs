//! How often the body of a loop is copied, where its author does not say.
//!
//! A loop that loads a few bytes and computes on them waits for memory once in every iteration. With its body copied, the loads of several
//! iterations are under way together: ptxas starts those first that depend on nothing else, past stores whose addresses differ from theirs
//! by a number. Other stores hold them back: the loads of all copies are moved before them then, where they are known to lie apart, or a comparison of
//! addresses in front of the loop says whether the copies may run ([`apart`](super::apart)). What a copy costs is code and the registers that wait for
//! loads, so the rule is
//!
//! - the loop is an innermost one that the pipeliner leaves alone: it has no products, and asks for no stages of its own;
//! - it loads from addresses that do not follow from what earlier iterations load;
//! - loads of copies go before stores that are known to lie apart, or that can be compared with them, where the loop is in no other one and nothing
//!   else loads what it loads; others stay in turn, and copies only save the steps of the loop;
//! - threads do not meet in its body, which is straight-line code, or is once branches around loads and stores are masks ([`masks`](super::masks)). Where nothing is
//!   stored and the launch is known to bring few warps, or somewhat more, they may give each other elements ([`exchanges`](super::exchanges));
//! - an iteration loads less than one access can, per thread ([`ACCESS_BYTES`]): others have enough under way. What several threads load is one thread's
//!   part of it ([`distinct_bytes`]): a number of a row that all threads load brings little;
//! - as many copies as there are iterations, at most [`MOST_COPIES`], while they take at most [`MOST_INSTRUCTIONS`] and load at most
//!   [`BYTES_UNDER_WAY`] per thread.
//!
//! A short loop with a known number of iterations becomes straight code also where its loads stay in turn, depend on each other or are none
//! ([`MOST_INSTRUCTIONS_IN_TURN`], [`MOST_COPIES_OF_KNOWN`]): counters, addresses and conditions on them are numbers then.
//!
//! A loop of at most [`MOST_COPIES`] known iterations that stands in another loop becomes straight code also where threads meet in it, for layouts, gathers and
//! reductions across warps ([`few_that_meet`]): what is a number in each copy, and what is loaded from there, does not change in the loop around it
//! ([`unchanged`](super::unchanged)), and the loads of all copies go before the first meeting. So does the loop around it, if it has few iterations,
//! too. A loop in no other one is left, but where the grid is small ([`exchanges`](super::exchanges)): what its next iteration loads can wait in registers
//! ([`loads_of_reductions`](crate::analysis::loads_of_reductions)), and one with products around it, since the pipeliner would then take that for an innermost one.
//! A loop that carries numbers on which its other operations depend, as scans that double an offset do, becomes straight code in any place
//! ([`numbers`](super::numbers)).
//!
//! Where the iterations of a loop store in the gaps of each other, as `out[i * T + t]` of a loop over `t` does, the stores of each operation of the body stand
//! together behind the loads, if comparisons say that they may ([`StoreOrder`]): [`join-accesses`](crate::join_accesses) makes one of them.
//!
//! A loop that stores nothing, or apart from what it loads, and has a known number of iterations may have [`MOST_COPIES_OF_KNOWN`], since none are left for a second
//! loop: a recurrence over 64 steps that loads four bytes in each waits once and not sixteen times. Where addresses are compared for that, a loop is left for
//! when they are not apart, and there are [`MOST_COPIES_COMPARED`].
//!
//! A short body that reduces may have [`MOST_COPIES_OF_ANY_LENGTH`] where its number of iterations is not known, as sums over a segment's rows, or nothing near that
//! divides it, as 125: what they leave are branches of 8, 4, 2 and 1 ([`rest`](super::rest)), or those of these that a known number needs.
//! ptxas makes four copies of four at times, and at times of one.
//!
//! Where a launch is known to bring few warps to a multiprocessor, a long body that adds rows up in columns may have as many, too
//! ([`Columns`]): nothing else waits for memory meanwhile, and a row that is there sooner than the memory brings it does not help. Behind them is
//! the loop that there would be without them ([`Rest::Copies`](super::Rest)).
//!
//! A loop that stores nothing is a reduction, and often one of few CTAs, each of which waits for itself alone: its iterations may load a whole
//! access, and be longer ([`MOST_INSTRUCTIONS_OF_REDUCTION`], [`REDUCTION_BYTES_UNDER_WAY`]). Where the launch is known to bring few warps to
//! a multiprocessor, registers are plenty and nothing else waits for memory meanwhile ([`BYTES_OF_FEW_WARPS`]): there loops whose loads go before their
//! stores have these limits, too, and half of them with twice the warps. Where all of its iterations become one branch,
//! no loop is left, and they may load more ([`BYTES_OF_ALL_ITERATIONS`]).
//!
//! A sine of an angle that may be large has a branch in its code: the loads of a copy stand behind the branch of the copy before, and are not under way
//! together. Such bodies are not copied for their loads, but where few warps have limits of their own, which count what functions really take.
//!
//! Layouts say how much that is, so loops are unrolled by this rule when tensors have them.
//!
//! Triton's loops are unrolled by LLVM under similar limits of instructions, whatever they load: 75 for all copies, 300 where none is left for a loop.

use super::apart::{Pair, pairs, pairs_of_stores};
use super::exchanges::Exchange;
use super::instructions::{instructions, is_within_thread, may_branch, more_of_long_function};
use super::masks::{Branches, without_branches};
use super::numbers::{Numbers, copies_of_numbers};
use crate::PassContext;
use crate::analysis::few_warps::FEW_WARPS;
use crate::analysis::global_aliases::parameters_of;
use crate::analysis::iterations::most_iterations;
use crate::analysis::live_registers::registers;
use crate::attributes::NUM_STAGES;
use crate::control_flow::flows_from;
use crate::encodings::elements_per_thread;
use crate::operations::computations::{Computation, computation};
use crate::operations::control::is_loop;
use crate::operations::is_dot;
use crate::sink_loads::has_barriers;
use rustc_hash::FxHashSet;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Op, OpKind, Type, Value};

/// Copies of a body.
pub(super) const MOST_COPIES: i64 = 4;
/// Copies of a body that reduces and is short, where nothing says how often it runs, or they do not divide that.
const MOST_COPIES_OF_ANY_LENGTH: i64 = 16;
/// Instructions per thread of these, about: what they leave is as long again.
pub(super) const MOST_INSTRUCTIONS_OF_ANY_LENGTH: i64 = 256;
/// Copies of a body whose loads all go first, where they divide the number of iterations.
const MOST_COPIES_OF_KNOWN: i64 = 64;
/// Copies of a body whose addresses are compared, where they divide the number of iterations, or are all of them, and load [`BYTES_UNDER_WAY`] at most: a
/// transposition of 16 rows takes 75.04 us with 4 copies, 68.00 with 8 and 70.69 with 16, which take 32, 42 and 64 registers.
const MOST_COPIES_COMPARED: i64 = 8;
/// Instructions per thread of all copies, about.
const MOST_INSTRUCTIONS: i64 = 96;
/// Bytes per thread that all copies load. A multiprocessor with 1024 threads then has 32 KiB under way, what its part of the memory's
/// bandwidth takes times the latency.
const BYTES_UNDER_WAY: i64 = 32;
/// Instructions per thread of all copies of a loop with a known number of iterations, of which no loop is left.
const MOST_INSTRUCTIONS_IN_TURN: i64 = 256;
/// The same for a loop that stores nothing. Welford's sums of four elements are 100.
const MOST_INSTRUCTIONS_OF_REDUCTION: i64 = 400;
/// Bytes per thread that all copies of such a loop load: a CTA of 512 threads alone on a multiprocessor then has 32 KiB under way.
const REDUCTION_BYTES_UNDER_WAY: i64 = 64;
/// Instructions per thread of a reduction without a loop. Four times the online softmax of eight elements are 1556.
const MOST_INSTRUCTIONS_OF_ALL_ITERATIONS: i64 = 1600;
/// Bytes per thread that a reduction without a loop loads. On an H200 33 reductions of torch.compile of up to so many bytes ran 4 % faster than
/// with a loop of one or two copies, the best 22 %, four of them 1 to 4 % slower; six of more bytes ran 2 % slower, the worst 14 %, since
/// registers kept CTAs away.
pub(super) const BYTES_OF_ALL_ITERATIONS: i64 = 192;
/// Instructions per thread of all copies where a multiprocessor has few warps: more code comes slower from its cache than loops save.
const MOST_INSTRUCTIONS_OF_FEW_WARPS: i64 = 1600;
/// Bytes per thread that all copies load where a multiprocessor has few warps: 96 registers of what are plenty then.
const BYTES_OF_FEW_WARPS: i64 = 384;
/// Bytes that a multiprocessor has under way when it takes its part of the memory's bandwidth: more of them are not there sooner.
pub(super) const BYTES_OF_MULTIPROCESSOR: i64 = 32 * 1024;
/// Bytes of a register.
const REGISTER: i64 = 4;
/// Accesses of an iteration there.
const ACCESSES_OF_FEW_WARPS: i64 = 8;
/// Threads of a warp.
pub(super) const WARP: i64 = 32;
/// Bytes of one access to global memory, at most.
pub(super) const ACCESS_BYTES: i64 = 16;

/// What becomes of a loop.
pub(super) struct Unrolling<'c> {
    /// Copies of the body.
    pub(super) copies: i64,
    /// There are never more iterations than copies.
    pub(super) is_all: bool,
    pub(super) order: LoadOrder<'c>,
    /// What becomes of the branches of the body before it is copied.
    pub(super) branches: Branches,
}

impl Unrolling<'_> {
    fn straight_in_turn(copies: i64) -> Self {
        Self { copies, is_all: true, order: LoadOrder::InTurn, branches: Branches::Kept }
    }

    /// A loop is left, in which each copy loads behind the stores of those before it.
    pub(super) fn loads_in_turn(&self) -> bool {
        !self.is_all && matches!(self.order, LoadOrder::InTurn)
    }
}

/// Where the loads of copies stand.
pub(crate) enum LoadOrder<'c> {
    /// Each copy loads behind the stores of those before it.
    InTurn,
    /// All loads before the first store, if all of `compared` lies apart.
    First { compared: Vec<Pair<'c>>, stores: StoreOrder },
}

/// Where the stores of copies stand whose loads are first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoreOrder {
    /// Those of an iteration behind those of the one before.
    InTurn,
    /// Those that one operation of the body became behind those of the operation before.
    Together,
}

impl<'c> LoadOrder<'c> {
    fn of(view: ForOp<'c>, loads: &[Op<'c>], ops: &[Op<'c>]) -> Self {
        if !loads.iter().all(|load| is_plain_load(*load)) || !ops.iter().any(|op| op.kind() == OpKind::TtStore) {
            return Self::InTurn;
        }
        let Some(mut pairs) = pairs(view, ops) else { return Self::InTurn };
        pairs.retain(|pair| !pair.is_known_apart());
        let is_held_back = loads.iter().any(|load| ops.iter().any(|op| holds_back(*op, *load)));
        let compares = !pairs.is_empty();
        let may_be_first = !compares || is_held_back && may_compare(view, loads);
        if !may_be_first {
            return Self::InTurn;
        }
        // A comparison for the stores alone would leave a loop that needs none.
        let is_worth_it = |more: &Vec<Pair<'c>>| (compares || more.is_empty()) && may_wait(ops, MOST_COPIES);
        match pairs_of_stores(view, ops).filter(is_worth_it) {
            Some(more) => {
                pairs.extend(more);
                Self::First { compared: pairs, stores: StoreOrder::Together }
            }
            None => Self::First { compared: pairs, stores: StoreOrder::InTurn },
        }
    }

    /// Copies of a body that runs a known number of times, at most, whose loads bring `held` bytes to a thread.
    fn most_copies_of_known(&self, is_reduction: bool, held: i64) -> i64 {
        match self {
            Self::InTurn if is_reduction => MOST_COPIES_OF_KNOWN,
            Self::InTurn => MOST_COPIES,
            Self::First { compared, .. } if compared.is_empty() => MOST_COPIES_OF_KNOWN,
            Self::First { .. } if MOST_COPIES_COMPARED.saturating_mul(held) <= BYTES_UNDER_WAY => MOST_COPIES_COMPARED,
            Self::First { .. } => MOST_COPIES,
        }
    }

    /// What is compared before the loop.
    pub(super) fn compared(&self) -> &[Pair<'c>] {
        match self {
            Self::InTurn => &[],
            Self::First { compared, .. } => compared,
        }
    }
}

/// What a loop's limits depend on besides the loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Launch {
    /// Of a CTA.
    pub(super) warps: i64,
    /// Those that the grid brings to a multiprocessor at most, if that is known.
    pub(super) brought: Option<u32>,
}

/// How to unroll `view`; `None` where it is not worth it.
pub(super) fn unrolling<'c>(view: ForOp<'c>, launch: Launch, cx: &PassContext) -> Option<Unrolling<'c>> {
    let mut ops = view.body().ops();
    ops.pop();
    if view.op.attr(NUM_STAGES).is_some() {
        return None;
    }
    if let Some(found) = with_masks(view, launch, cx) {
        return Some(found);
    }
    // Straight code is better than a loop that is left, unless that waits less often for what it reduces, or because of a comparison.
    let is_reduction = !ops.iter().any(|op| op.kind() == OpKind::TtStore);
    match loads_together(view, &ops, launch, cx) {
        Some(found) if found.is_all || is_reduction || !found.order.compared().is_empty() => Some(found),
        None => all_in_turn(view, &ops),
        partly => all_in_turn(view, &ops).or_else(|| all_of_numbers(view)).or(partly),
    }
}

/// Copies whose loads go first once branches around them are masks.
fn with_masks<'c>(view: ForOp<'c>, launch: Launch, cx: &PassContext) -> Option<Unrolling<'c>> {
    let found = loads_together(view, &without_branches(view)?, launch, cx)?;
    let goes_first = matches!(found.order, LoadOrder::First { .. });
    goes_first.then_some(Unrolling { branches: Branches::Masks, ..found })
}

/// Straight code for a short loop whose number of iterations is known.
fn all_in_turn<'c>(view: ForOp<'c>, ops: &[Op<'c>]) -> Option<Unrolling<'c>> {
    let mut numbers = Numbers::of(view);
    let instructions: i64 = ops.iter().filter(|op| !numbers.take(**op)).map(|op| instructions(*op)).sum();
    let fits = |copies: &i64| {
        (2..=MOST_COPIES_OF_KNOWN).contains(copies) && copies.saturating_mul(instructions) <= MOST_INSTRUCTIONS_IN_TURN
    };
    let copies = most_iterations(view).filter(fits)?;
    let may_copy = has_known_bounds(view) && !view.unsigned_cmp() && ops.iter().all(|op| is_straight_in_turn(*op));
    may_copy.then(|| Unrolling::straight_in_turn(copies))
}

/// Straight code for a loop that would be left, where the numbers that it carries are worth it.
fn all_of_numbers(view: ForOp<'_>) -> Option<Unrolling<'_>> {
    copies_of_numbers(view).map(Unrolling::straight_in_turn)
}

/// Copies whose loads are under way together.
fn loads_together<'c>(view: ForOp<'c>, ops: &[Op<'c>], launch: Launch, cx: &PassContext) -> Option<Unrolling<'c>> {
    let is_reduction = !ops.iter().any(|op| op.kind() == OpKind::TtStore);
    let exchange = Exchange::of(view, ops, launch, cx)?;
    let loads: Vec<Op<'_>> = ops.iter().copied().filter(|op| computation(op.kind()) == Computation::Load).collect();
    if loads.is_empty() || loads.iter().any(|load| follows_from_loads(view, *load)) {
        return None;
    }
    let order = LoadOrder::of(view, &loads, ops);
    let limits = Limits::of(is_reduction, has_known_bounds(view), exchange.warps_of_limits(launch), &order);
    let bytes_of_iteration = |copies| exchange.bytes_of_iteration(copies, launch).unwrap_or(limits.bytes_of_iteration);
    let bytes_of_copies = |copies| exchange.bytes(copies, launch).unwrap_or(limits.bytes);
    let instructions_of_copies = |copies| exchange.instructions(copies).unwrap_or(limits.instructions);
    // Loads behind a branch do not come together with those before it.
    let has_branch = |op: &Op<'_>| op.descendants().into_iter().any(may_branch);
    if !limits.counts_long_functions && ops.iter().any(has_branch) {
        return None;
    }
    let exchanged: i64 = ops.iter().map(|op| exchanged(*op)).sum();
    let instructions = ops.iter().map(|op| instructions(*op)).sum::<i64>().saturating_add(exchanged);
    let with_long_functions = limits.instructions_of(ops).saturating_add(exchanged);
    let (bytes, held): (i64, i64) = types_of_varying(view, &loads)
        .iter()
        .map(|ty| (distinct_bytes(*ty, launch), bytes_per_thread(*ty)))
        .fold((0, 0), |(all, kept), (bytes, held)| (all + bytes, kept + held));
    let most = most_iterations(view);
    let fits = |copies: &i64| {
        bytes <= bytes_of_iteration(*copies)
            && copies * with_long_functions <= instructions_of_copies(*copies)
            && copies * bytes <= bytes_of_copies(*copies)
            && copies * held <= bytes_of_copies(*copies).max(BYTES_OF_ALL_ITERATIONS)
            && exchange.has_registers(view, &loads, *copies, launch, cx)
    };
    let all_fit = |copies: &i64| {
        is_reduction
            && !exchange.meets()
            && copies * instructions <= MOST_INSTRUCTIONS_OF_ALL_ITERATIONS
            && copies * held <= BYTES_OF_ALL_ITERATIONS
    };
    let most_of_exchange = exchange.most_copies(bytes, launch).unwrap_or(i64::MAX);
    let most_copies = if has_known_bounds(view) { order.most_copies_of_known(is_reduction, held) } else { MOST_COPIES };
    let most_copies = most_copies.min(most_of_exchange);
    if let Some(copies) = most.filter(|most| (2..=most_copies).contains(most) && (fits(most) || all_fit(most))) {
        return Some(Unrolling { copies, is_all: true, order, branches: Branches::Kept });
    }
    let is_of_any_length = is_reduction && !has_known_bounds(view);
    let most_copies = if is_of_any_length { MOST_COPIES_OF_ANY_LENGTH.min(most_of_exchange) } else { most_copies };
    let columns = if is_reduction { Columns::of(ops, &loads, launch, view) } else { None };
    let leaves_little = |copies: &i64| {
        let is_short = *copies <= MOST_COPIES_OF_ANY_LENGTH && copies * instructions <= MOST_INSTRUCTIONS_OF_ANY_LENGTH;
        *copies <= MOST_COPIES
            || is_reduction && is_short
            || most.is_some_and(|most| most % copies == 0)
            || columns.as_ref().is_some_and(|columns| columns.has_room(*copies, with_long_functions, bytes))
    };
    std::iter::successors(Some(most_copies), |copies| Some(copies / 2))
        .take_while(|copies| *copies >= exchange.fewest_copies())
        .filter(|copies| most.is_none_or(|most| most > *copies))
        .filter(leaves_little)
        .find(fits)
        .map(|copies| Unrolling { copies, is_all: false, order, branches: Branches::Kept })
}

/// A loop over rows with a state for each column, of a launch that brings few warps to a multiprocessor: each iteration waits for its rows, and for nothing else.
struct Columns {
    /// Warps of a multiprocessor.
    warps: i64,
    /// Registers of a thread for what an iteration loads.
    registers: i64,
}

impl Columns {
    /// `None` for other loops, and for known numbers of iterations that twice [`MOST_COPIES`] divides.
    fn of<'c>(ops: &[Op<'c>], loads: &[Op<'c>], launch: Launch, view: ForOp<'c>) -> Option<Self> {
        let warps = launch.brought.filter(|warps| *warps <= FEW_WARPS)?;
        let is_divided =
            has_known_bounds(view) && most_iterations(view).is_some_and(|most| most % (2 * MOST_COPIES) == 0);
        // Lanes that give each other numbers in every iteration wait for that, too.
        let is_of_lanes = |op: Op<'_>| op.kind() == OpKind::TtReduce && !is_within_thread(op);
        let has_state_of_columns = !ops.iter().flat_map(|op| op.descendants()).any(is_of_lanes);
        let registers: i64 = types_of_varying(view, loads).into_iter().map(|ty| i64::from(registers(ty).max(1))).sum();
        (has_state_of_columns && !is_divided).then_some(Self { warps: i64::from(warps), registers })
    }

    /// For so many copies, of `instructions` and `bytes` each, and for a loop of fewer copies behind them, and what that leaves.
    fn has_room(&self, copies: i64, instructions: i64, bytes: i64) -> bool {
        let of_thread = copies.saturating_mul(self.registers).saturating_mul(REGISTER);
        let under_way = copies.saturating_mul(bytes).saturating_mul(WARP).saturating_mul(self.warps);
        (MOST_COPIES..=MOST_COPIES_OF_ANY_LENGTH).contains(&copies)
            && (copies + 2 * MOST_COPIES).saturating_mul(instructions) <= MOST_INSTRUCTIONS_OF_FEW_WARPS
            && of_thread <= BYTES_OF_FEW_WARPS
            && under_way <= BYTES_OF_MULTIPROCESSOR
    }
}

/// What loads bring that is another block in each iteration: what is the same is loaded once for all copies.
pub(super) fn types_of_varying<'c>(view: ForOp<'c>, loads: &[Op<'c>]) -> Vec<Type<'c>> {
    let is_varying = |load: &&Op<'c>| !load.operands().into_iter().all(|operand| operand.dominates(view.op));
    loads.iter().filter(is_varying).map(|load| load.result(0).ty()).collect()
}

/// The iterations of a loop in which threads meet and that becomes straight code: few known ones, in another loop or, as `is_around` says, around one that
/// became straight code.
pub(super) fn few_that_meet(view: ForOp<'_>, is_around: bool) -> Option<i64> {
    let around = view.op.ancestors().skip(1).find(|op| is_loop(*op));
    let multiplies = |op: Op<'_>| op.descendants().into_iter().any(is_dot);
    if around.is_none() && !is_around || view.op.attr(NUM_STAGES).is_some() || around.is_some_and(multiplies) {
        return None;
    }
    let mut ops = view.body().ops();
    ops.pop();
    let changes_nothing = |op: &Op<'_>| op.kind() == OpKind::ScfIf || op.is_memory_effect_free() || is_plain_load(*op);
    let may_copy = |op: &Op<'_>| meets(*op) || changes_nothing(op) && is_straight(*op);
    // The other rules have decided about loops in which threads do not meet.
    let is_known = has_known_bounds(view) && !view.unsigned_cmp();
    if !is_known || !ops.iter().all(may_copy) || ops.iter().all(|op| is_straight(*op)) {
        return None;
    }
    let loads: Vec<Op<'_>> = ops.iter().copied().filter(|op| op.kind() == OpKind::TtLoad).collect();
    if loads.iter().any(|load| follows_from_loads(view, *load)) {
        return None;
    }
    let held: i64 = types_of_varying(view, &loads).into_iter().map(bytes_per_thread).sum();
    let instructions: i64 = ops.iter().map(|op| instructions(*op).saturating_add(exchanged(*op))).sum();
    most_iterations(view).filter(|copies| {
        (2..=MOST_COPIES).contains(copies)
            && copies.saturating_mul(instructions) <= MOST_INSTRUCTIONS_OF_ALL_ITERATIONS
            && copies.saturating_mul(held) <= BYTES_OF_ALL_ITERATIONS
    })
}

/// Threads meet to give each other elements, and change nothing that anybody else sees.
pub(super) fn meets(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtgConvertLayout | OpKind::TtGather | OpKind::TtReduce)
}

/// Elements that a thread hands out and gets, an access each at most.
pub(super) fn exchanged(op: Op<'_>) -> i64 {
    if !matches!(op.kind(), OpKind::TtgConvertLayout | OpKind::TtGather) {
        return 0;
    }
    elements_per_thread(op.operand(0).ty()).saturating_add(elements_per_thread(op.result(0).ty()))
}

/// What copies of a body may cost a thread.
struct Limits {
    /// Of all copies.
    instructions: i64,
    /// That all copies load.
    bytes: i64,
    /// That one iteration loads.
    bytes_of_iteration: i64,
    /// Functions that take many more instructions than others count as what they are.
    counts_long_functions: bool,
}

impl Limits {
    fn of(is_reduction: bool, has_known_bounds: bool, brought: Option<u32>, order: &LoadOrder<'_>) -> Self {
        let loads_first = is_reduction || matches!(order, LoadOrder::First { .. });
        match brought.filter(|_| loads_first) {
            Some(..=FEW_WARPS) => Self {
                instructions: MOST_INSTRUCTIONS_OF_FEW_WARPS,
                bytes: BYTES_OF_FEW_WARPS,
                bytes_of_iteration: ACCESSES_OF_FEW_WARPS * ACCESS_BYTES,
                counts_long_functions: true,
            },
            // Twice as many warps, half as much for each. How often loops of other bounds run is not worth it.
            Some(warps) if warps <= 2 * FEW_WARPS && has_known_bounds => Self {
                instructions: MOST_INSTRUCTIONS_OF_FEW_WARPS / 2,
                bytes: BYTES_OF_FEW_WARPS / 2,
                bytes_of_iteration: ACCESSES_OF_FEW_WARPS * ACCESS_BYTES / 2,
                counts_long_functions: true,
            },
            Some(_) | None => {
                let (instructions, bytes, bytes_of_iteration) = if loads_first {
                    (MOST_INSTRUCTIONS_OF_REDUCTION, REDUCTION_BYTES_UNDER_WAY, ACCESS_BYTES)
                } else {
                    (MOST_INSTRUCTIONS, BYTES_UNDER_WAY, ACCESS_BYTES - 1)
                };
                Self { instructions, bytes, bytes_of_iteration, counts_long_functions: false }
            }
        }
    }

    fn instructions_of(&self, ops: &[Op<'_>]) -> i64 {
        let more = |op: &Op<'_>| if self.counts_long_functions { more_of_long_function(*op) } else { 0 };
        ops.iter().map(|op| instructions(*op).saturating_add(more(op))).sum()
    }
}

/// Whether a comparison of addresses pays. A loop inside of another one would compare in each of its iterations, and what was loaded in front of the loop
/// comes from a cache: it is not waited for so long that copies gain anything.
fn may_compare<'c>(view: ForOp<'c>, loads: &[Op<'c>]) -> bool {
    let function = view.op.ancestors().find(|op| op.kind() == OpKind::TtFunc);
    let Some(function) = function.filter(|_| !view.op.ancestors().skip(1).any(is_loop)) else { return false };
    let read = |load: &Op<'c>| parameters_of(load.operand(0)).unwrap_or_default();
    let here: FxHashSet<usize> = loads.iter().flat_map(read).collect();
    let elsewhere =
        function.descendants().into_iter().filter(|op| op.kind() == OpKind::TtLoad && !view.op.contains(*op));
    !elsewhere.flat_map(|load| read(&load)).any(|parameter| here.contains(&parameter))
}

/// The number of iterations is that of [`most_iterations`].
pub(super) fn has_known_bounds(view: ForOp<'_>) -> bool {
    [view.lower_bound(), view.upper_bound(), view.step()].into_iter().all(|bound| bound.constant_int().is_some())
}

/// A computation, a reduction within warps, a load or a store, or a branch that computes and loads: nothing that threads meet at.
pub(super) fn is_straight(op: Op<'_>) -> bool {
    if op.kind() == OpKind::ScfIf {
        return inside_of_branch(op).all(|inner| (inner.is_pure() || is_plain_load(inner)) && is_straight(inner));
    }
    match computation(op.kind()) {
        Computation::Constant
        | Computation::Repeat
        | Computation::Range
        | Computation::Arithmetic
        | Computation::Function
        | Computation::Cast
        | Computation::Load => true,
        Computation::Reduction => has_barriers(op).is_ok_and(|meets| !meets),
        Computation::Other => matches!(op.kind(), OpKind::TtStore | OpKind::TtReshape | OpKind::TtTrans),
    }
}

/// A straight operation, or a branch that stores, too.
pub(super) fn is_straight_in_turn(op: Op<'_>) -> bool {
    is_straight(op)
        || op.kind() == OpKind::ScfIf
            && inside_of_branch(op).all(|inner| inner.kind() != OpKind::TtReduce && is_straight_in_turn(inner))
}

pub(super) fn is_plain_load(op: Op<'_>) -> bool {
    LoadOp::cast(op).is_some_and(|load| !load.is_volatile())
}

/// The operations of both sides of a branch, but for its yields.
pub(super) fn inside_of_branch(op: Op<'_>) -> impl Iterator<Item = Op<'_>> {
    op.descendants().into_iter().skip(1).filter(|inner| !inner.is_terminator())
}

/// A store that a load of a later iteration cannot be started before: the assembler does not know how far apart they are.
fn holds_back(store: Op<'_>, load: Op<'_>) -> bool {
    if store.kind() != OpKind::TtStore {
        return false;
    }
    let (written, read) = (parameters_of(store.operand(0)), parameters_of(load.operand(0)));
    written.is_none() || written != read || read.is_some_and(|parameters| parameters.len() > 1)
}

/// What is loaded, or whether, depends on what an earlier iteration loaded.
fn follows_from_loads<'c>(view: ForOp<'c>, load: Op<'c>) -> bool {
    let mut pending: Vec<(Value<'c>, bool)> = load.operands().into_iter().map(|value| (value, false)).collect();
    let mut seen = FxHashSet::default();
    while let Some((value, is_earlier)) = pending.pop() {
        if !seen.insert((value.id(), is_earlier)) {
            continue;
        }
        match value.defining_op().filter(|op| view.op.contains(*op)) {
            Some(op) if is_earlier && computation(op.kind()) == Computation::Load => return true,
            Some(op) => pending.extend(op.operands().into_iter().map(|operand| (operand, is_earlier))),
            None if view.iter_args().contains(&value) => {
                pending.extend(flows_from(value).into_iter().flatten().map(|source| (source, true)));
            }
            None => {}
        }
    }
    false
}

/// A thread's part of what is loaded, where several threads load the same.
fn distinct_bytes(ty: Type<'_>, launch: Launch) -> i64 {
    let elements: i64 = ty.shape().iter().product();
    let bytes = elements.saturating_mul(i64::from(ty.element_bits().max(8))) / 8;
    (bytes as u64).div_ceil((WARP * launch.warps).max(1) as u64) as i64
}

pub(super) fn bytes_per_thread(ty: Type<'_>) -> i64 {
    elements_per_thread(ty).saturating_mul(i64::from(ty.element_bits().max(8))) / 8
}

/// Whether the registers of a thread keep what the copies of a body, whose operations these are, store until the last of them has computed it.
pub(super) fn may_wait(ops: &[Op<'_>], copies: i64) -> bool {
    let stores = ops.iter().filter(|op| op.kind() == OpKind::TtStore);
    let bytes: i64 = stores.map(|store| bytes_per_thread(store.operand(1).ty())).sum();
    bytes.saturating_mul(copies) <= BYTES_OF_ALL_ITERATIONS
}
