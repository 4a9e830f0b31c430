//! Issues loads from global memory before the barriers that stand in their way.
//!
//! What goes through shared memory (layout conversions, reductions, scans) has barriers, and neither LLVM nor ptxas moves a load over one. So a
//! load behind a conversion of another load waits until the first has arrived, and a loop with four of them waits four times. Here a load
//! moves to before the first of the operations with barriers that it does not depend on, so that loads that stand together in the program are
//! under way together.
//!
//! Products by `wgmma`, the waits for them and for copies by TMA hold loads up in the same way, for longer: a load behind one is asked for when
//! its value is needed already. It goes in front of them, too, so that memory answers while the tensor cores multiply.
//!
//! A branch is passed like a barrier, if threads only load and compute in it: what it loads is waited for there, and a load behind it would wait
//! again (a scalar behind `if` and `else` that load the same block with and without a mask). Nothing moves out of a branch.
//!
//! A load never passes a write or an atomic operation, whatever it goes to: programs pass one tensor for two parameters; but those that products of a loop
//! need pass its stores where there are stages (`stores.rs`). Nor does it pass a barrier after a write to what it reads, since that orders the threads that write and read. It stays in
//! its block. What it loads takes registers on the way, so only [`MOST_REGISTERS`] are carried over one barrier, of floats more where the grid brings few warps,
//! and none where they would be more than [`LIVE_OF_FOUR`] quarters of what a thread can have ([`most_over_dots`] over products, which fill
//! registers themselves, but small loads pass those where the loop holds more elsewhere: [`room::keeps_peak`]). Loads of one or two registers, such as a number
//! for each row of a product, may fill a thread up
//! ([measurements](../../../docs/measurements.md#few-registers-are-worth-a-wait-for-memory)). A block of one number, whose elements have one address,
//! takes the registers of that number, but where warp groups take turns.
//!
//! A load of at most [`FEW_REGISTERS`] registers passes a loop that counts, too, where each warp waits for itself alone, and where the loop multiplies: it
//! arrives while the loop runs, and nobody waits for it behind. Nothing in the loop may write to global memory, order memory, wait in a loop with a condition, or stop
//! the program. The load goes right before the loop, behind the copies that fill its pipeline. Addresses and masks that move along and are needed
//! behind the loop live as long: [`MOST_OVER_LOOP`] registers over one loop in all, and [`MOST_OVER_PRODUCTS`] where other warps compute meanwhile. A loop that does not run changes nothing: the
//! load comes next in any case. A branch that reduces what it loads, or has loops in it, is passed like a loop: `loop-unroll` and
//! `split-ragged-loops` leave the last iterations of a loop in such branches.
//!
//! A load of at most [`FEW_REGISTERS`] registers passes a division outside of branches and loops that code generation writes with a branch, and the
//! divisions of single numbers before and behind that one: each thread looks first whether it has to divide, and what stands behind is issued when it
//! knows. Other divisions, the remainders of a block among them, are no reason to move a load, and one that waits for another load stays
//! ([measurements](../../../docs/measurements.md#loads-pass-divisions-with-a-branch)).
//!
//! Sines and cosines of several numbers of a thread are passed, too: code generation writes them with a branch for large angles, over which neither LLVM nor, at
//! times, ptxas moves a load (`angles.rs`, [measurements](../../../docs/measurements.md#loads-pass-sines-with-a-branch)).
//!
//! A load for the next iteration stays beside the copies for it where no copies run further ahead, and the grid brings warps that compute
//! meanwhile: in front of the products it would take registers for an iteration more, and what it arrives with is awaited all the same. Where
//! the loop waits for its copies behind the load, they were issued an iteration before, and a few registers are worth it that the load is, too
//! ([measurements](../../../docs/measurements.md#loads-for-the-next-iteration-stay-beside-its-copies)).
//!
//! So does a number for the whole block that the next iteration only hands on: it has that one to arrive; and one that `split-barriers` has put
//! behind the turns of an iteration.
//!
//! A loop whose threads load blocks themselves, without copies, waits for memory in each iteration. There loads for this iteration go to its start as far
//! as the CTAs that run beside each other leave registers, also before fences (`room.rs`,
//! [measurements](../../../docs/measurements.md#loads-without-copies-are-issued-together)).
//!
//! Triton leaves loads where the program has them.
//!
//! 1. Walk up from each load to the first operation it can stand before.  2. Move it there with the arithmetic of its addresses.

mod angles;
mod dependence;
mod divisions;
pub(crate) mod room;
mod stores;

use crate::analysis::few_warps::has_few_warps;
use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::live_registers::{LiveRegisters, most_over_dots, registers};
use crate::analysis::shared_buffers::scratch;
use crate::convert_to_ttg::require_ttg;
use crate::hoist_unchanged_loads::leaves_memory_alone;
use crate::operations::computations::{Computation, computation};
use crate::operations::control::{Control, control, is_loop};
use crate::operations::is_dot;
use crate::operations::memory::{GlobalMemory, Scratch, SharedMemory, global_memory, shared_memory};
use crate::{Pass, PassContext};
use angles::has_branch_for_angles;
use dependence::waits_for_more;
use divisions::{Passage, PassedDivisions};
use room::LoadingLoops;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Result;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::program_divisions::are_looked_at;
use tk_ir::{Block, Module, Op, OpKind, Type, Value};
use tk_types::Residency;

/// The pass.
pub const PASS: Pass =
    Pass { name: "hoist-loads", summary: "issue loads before the barriers and branches in their way", run };

/// Registers of a thread that wait for loads over one barrier, or beside a product, where a multiprocessor has warps for other registers.
const MOST_REGISTERS: u32 = 32;
/// Of four registers that a thread can have, those that hold floats at a barrier, hoisted loads included. Beyond, ptxas needs all that there
/// are, or more. In a CTA of 1024 threads each can have 64.
const LIVE_OF_FOUR: u32 = 3;
/// Registers of a load that may take the last ones that a thread can have, since ptxas rather spills so few than the product waits for memory.
const FEW_REGISTERS: u32 = 2;
/// Registers of loads that live over one loop, with what else is needed behind it of what moved with them.
const MOST_OVER_LOOP: u32 = 8;
/// The same over loops with products where the grid brings more warps: of 32 launches on an H200 the fifteen with one or two registers are 0.996 to 1.07
/// times as fast, and six of those with four to eight are 1 to 10 % slower.
const MOST_OVER_PRODUCTS: u32 = 2;
/// Warps that the grid brings to each multiprocessor, so that some compute while others wait for loads.
const MANY_WARPS: u32 = 8;
/// Registers of the loads for the next iteration that are issued an iteration before they are needed, as the copies beside them are.
const MOST_BEFORE_WAITS: u32 = 8;
/// Operations that the walk looks at for one load.
const MOST_STEPS: usize = 1000;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let budget = cx.target.register_budget(threads.num_warps, 1);
    for function in module.functions() {
        let mut carried = Carried {
            budget,
            hoisted: FxHashMap::default(),
            writes: WritesBefore::of(function),
            looks_at_programs: are_looked_at(function, &cx.options),
            is_pipelined: cx.options.num_stages > 1,
            warps: WarpsOfGrid::of(threads.num_warps, cx),
            loops: PassedLoops::of(function, threads.num_warps, budget, cx),
            loading: LoadingLoops::of(function, threads.num_warps, cx),
            live: LiveRegisters::of_floats(function),
        };
        for op in function.descendants() {
            // The regions of other operations say what happens to single elements.
            if control(op.kind()) == Control::Plain {
                continue;
            }
            op.regions()
                .into_iter()
                .flat_map(|region| region.blocks())
                .try_for_each(|block| hoist(block, &mut carried))?;
        }
    }
    Ok(())
}

/// Where registers are too few for all loads, those that each program has of its own come first: what all programs load is in a cache.
fn hoist(block: Block<'_>, carried: &mut Carried<'_>) -> Result<()> {
    let mut ops = block.ops();
    ops.retain(|op| LoadOp::cast(*op).is_some());
    if ops.iter().map(|op| registers(op.result(0).ty())).sum::<u32>() > MOST_REGISTERS {
        let (own, shared): (Vec<_>, Vec<_>) = ops.into_iter().partition(|op| is_of_program(*op));
        ops = [own, shared].concat();
    }
    for op in ops {
        if let Some(load) = LoadOp::cast(op).filter(|load| !load.is_volatile())
            && !carried.writes.may_change(op)
            && !(carried.warps == WarpsOfGrid::Many && arrives_with_copies(load))
            && !waits_for_an_iteration(load)
            && let Some(plan) = plan(load, carried)?
        {
            plan.apply(carried);
        }
    }
    Ok(())
}

/// What the load reads, or whether it does, follows from the number of the program, as far as can be seen.
fn is_of_program(load: Op<'_>) -> bool {
    let (mut pending, mut seen) = (load.operands(), FxHashSet::default());
    while let Some(value) = pending.pop() {
        let Some(op) = value.defining_op() else {
            // The parameters are the same for all programs; what a loop carries may be anything.
            let is_parameter = value
                .block_argument()
                .is_some_and(|(block, _)| block.parent_op().is_some_and(|parent| parent.kind() == OpKind::TtFunc));
            if is_parameter {
                continue;
            }
            return true;
        };
        if op.kind() == OpKind::TtGetProgramId || op.num_regions() > 0 || seen.len() >= MOST_STEPS {
            return true;
        }
        if seen.insert(op.id()) {
            pending.extend(op.operands());
        }
    }
    false
}

/// The least number of warps that a multiprocessor gets from the grid, as far as it is known.
fn least_warps(num_warps: u32, cx: &PassContext) -> u32 {
    match cx.options.residency {
        Residency::Any | Residency::One => 0,
        // More than half as many: `Residency::brought_by`.
        Residency::AtMost(most) => most / 2 * num_warps,
        Residency::Many => u32::MAX,
    }
}

/// Only the next iteration uses the load.
fn is_for_next_iteration(load: LoadOp<'_>) -> bool {
    let is_in_body = load.op.parent_op().is_some_and(is_loop);
    is_in_body && load.result().users().iter().all(|(user, _)| user.is_terminator() && user.block() == load.op.block())
}

/// A number for the whole block that the next iteration only hands on: it has all of that one to arrive, wherever it is issued. One that stands behind
/// the last of several turns is for the next iteration's sums, and has the first product to arrive.
fn waits_for_an_iteration(load: LoadOp<'_>) -> bool {
    if load.result().ty().is_tensor() {
        return false;
    }
    let Some(view) = load.op.parent_op().and_then(ForOp::cast).filter(|_| is_for_next_iteration(load)) else {
        return false;
    };
    let hands_on = |carried: Value<'_>| {
        carried.users().iter().all(|(user, _)| user.is_terminator() && user.block() == load.op.block())
    };
    let are_handed_on =
        load.result().users().iter().all(|(_, operand)| view.iter_args().get(*operand).copied().is_some_and(hands_on));
    are_handed_on || is_behind_turns(load.op)
}

/// What multiplies in the block does so in several turns, which have been given before.
fn is_behind_turns(op: Op<'_>) -> bool {
    let count = |ops: &mut dyn Iterator<Item = Op<'_>>, kind| ops.filter(|op| op.kind() == kind).count();
    let given = count(&mut std::iter::successors(op.prev(), |op| op.prev()), OpKind::TkHandOver);
    given > 1 && count(&mut std::iter::successors(op.next(), |op| op.next()), OpKind::TtngWarpGroupDot) == 0
}

/// Only the next iteration uses the load, and the loop waits for all copies at once, so that none run further ahead: the load arrives with them.
fn arrives_with_copies(load: LoadOp<'_>) -> bool {
    let body = load.op.block().filter(|_| is_for_next_iteration(load));
    let ops = body.map(|body| body.ops()).unwrap_or_default();
    let is_wait = |op: &Op<'_>| op.kind() == OpKind::TtgAsyncWait;
    let mut groups_left = ops.iter().copied().filter(is_wait).map(|wait| wait.int_attr("num")).peekable();
    let waits_for_all = groups_left.peek().is_some() && groups_left.all(|groups| groups == Some(0));
    // What is waited for behind the load was issued an iteration before.
    let copies_run_on = ops.iter().skip_while(|op| **op != load.op).any(is_wait);
    waits_for_all && !(copies_run_on && registers_for_next_iteration(&ops) <= MOST_BEFORE_WAITS)
}

/// Registers of all that the body loads for the next iteration.
fn registers_for_next_iteration(body: &[Op<'_>]) -> u32 {
    let loads = body.iter().filter_map(|op| LoadOp::cast(*op)).filter(|load| is_for_next_iteration(*load));
    loads.map(|load| registers(load.result().ty()).max(1)).sum()
}

/// What the pass knows of the function: registers that hold something at operations with barriers, and writes.
struct Carried<'c> {
    /// Registers that a thread can have.
    budget: u32,
    /// Before anything is moved.
    live: LiveRegisters,
    /// Those of hoisted loads, by operation.
    hoisted: FxHashMap<usize, u32>,
    writes: WritesBefore<'c>,
    warps: WarpsOfGrid,
    loops: PassedLoops,
    loading: LoadingLoops,
    /// Divisions of the number of the program have a branch.
    looks_at_programs: bool,
    /// Loads of products run ahead of stores in the pipeline, too.
    is_pipelined: bool,
}

/// Warps that the grid brings to each multiprocessor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WarpsOfGrid {
    /// So few that each waits for itself alone, and registers are plenty.
    Few,
    /// As far as it is known.
    Any,
    /// More than need each load as early as it can be.
    Many,
}

impl WarpsOfGrid {
    fn of(num_warps: u32, cx: &PassContext) -> Self {
        if has_few_warps(num_warps, cx) {
            Self::Few
        } else if least_warps(num_warps, cx) >= MANY_WARPS {
            Self::Many
        } else {
            Self::Any
        }
    }
}

impl Carried<'_> {
    fn has_room(&self, passed: Op<'_>, load: LoadOp<'_>, may_fill: bool) -> bool {
        let registers = registers_of(load);
        let hoisted = self.hoisted.get(&passed.id()).copied().unwrap_or(0) + registers;
        let is_engine = [SharedMemory::StartDot, SharedMemory::WaitForDots, SharedMemory::WaitAtMbarrier]
            .contains(&shared_memory(passed.kind()));
        let most = match passed.block().filter(|_| is_engine) {
            _ if may_fill => self.budget,
            Some(block) => most_over_dots(block, self.budget),
            None => self.budget * LIVE_OF_FOUR / 4,
        };
        let live = if control(passed.kind()) == Control::If { self.live.peak(passed) } else { self.live.at(passed) };
        // Integers are not among what lives, nor what is made of them: addresses, and numbers that they unpack to.
        let is_counted = load.result().ty().element().is_float();
        let waits_alone = self.warps == WarpsOfGrid::Few && !is_engine && is_counted;
        let most_hoisted = if waits_alone { most } else { MOST_REGISTERS };
        hoisted <= most_hoisted && live + hoisted <= most
    }

    fn has_room_in_loop(&self, passed: Op<'_>, load: LoadOp<'_>) -> bool {
        let hoisted = self.hoisted.get(&passed.id()).copied().unwrap_or(0) + registers_of(load);
        let (live, budget) = (&self.live, self.budget);
        self.is_pipelined && stores::has_room(passed, load, hoisted, live, budget)
            || !takes_turns(load.op) && room::keeps_peak(passed, load, hoisted, live, budget)
    }

    /// Registers that live over the loop or branch `passed` for a load and what moves with it, the load first; `None` where they are too many.
    fn over_loop<'o>(&self, passed: Op<'o>, moved: &[Op<'o>]) -> Option<u32> {
        let (load, sources) = moved.split_first()?;
        let own = words(load.result(0).ty());
        let more = own + sources.iter().map(|op| words_for_others(*op, moved)).sum::<u32>();
        let hoisted = self.hoisted.get(&passed.id()).copied().unwrap_or(0) + more;
        let has_room = hoisted <= self.loops.most && self.live.peak(passed) + hoisted <= self.loops.most_live;
        (own <= FEW_REGISTERS && has_room).then_some(more)
    }

    /// What `op` is to the load. A fence is for what was written to shared memory.
    fn step(&self, op: Op<'_>, load: LoadOp<'_>) -> Result<Step> {
        if self.loops.open.contains(&op.id()) {
            return Ok(Step::Loop);
        }
        if self.is_pipelined && stores::may_pass(op, load) {
            return Ok(Step::Load);
        }
        let is_fence = shared_memory(op.kind()) == SharedMemory::Fence;
        if is_fence && self.loading.has(load) { Ok(Step::Free) } else { step(op) }
    }
}

/// Registers of a thread that hold what is loaded, which is one number where all elements have one address and no mask. Where warp groups take turns it
/// counts as a block: another group multiplies while one waits for its load, and two launches are 2 and 7 % slower with it before a product.
fn registers_of(load: LoadOp<'_>) -> u32 {
    let ty = load.result().ty();
    let is_splat = load.ptr().defining_op().is_some_and(|op| op.kind() == OpKind::TtSplat);
    let is_number = is_splat && load.mask().is_none() && !takes_turns(load.op);
    if is_number { ty.element_bits().div_ceil(32).max(1) } else { registers(ty).max(1) }
}

/// Warp groups take turns in the block of an operation.
fn takes_turns(op: Op<'_>) -> bool {
    op.block().is_some_and(|block| block.ops().iter().any(|op| op.kind() == OpKind::TkHandOver))
}

/// Registers of a thread that hold a value.
fn words(ty: Type<'_>) -> u32 {
    let words = if ty.is_tensor() { registers(ty) } else { ty.element_bits().div_ceil(32) };
    words.max(1)
}

/// Registers of those results that others than `moved` use, too. What is as good as a constant is made again.
fn words_for_others<'c>(op: Op<'c>, moved: &[Op<'c>]) -> u32 {
    if matches!(computation(op.kind()), Computation::Constant | Computation::Repeat | Computation::Range) {
        return 0;
    }
    let has_others = |value: &Value<'c>| value.users().iter().any(|(user, _)| !moved.contains(user));
    op.results().into_iter().filter(has_others).map(|value| words(value.ty())).sum()
}

/// What a few registers may be carried over in a function.
struct PassedLoops {
    /// Loops, and branches that hold the last iterations of some.
    open: FxHashSet<usize>,
    /// Registers of hoisted loads over one, with what moves along.
    most: u32,
    /// Registers of a thread that may hold floats in one, hoisted loads included.
    most_live: u32,
}

impl PassedLoops {
    /// Where other warps compute meanwhile, only loops with products are passed. None is where accesses are checked, since a load stays behind its check.
    fn of(function: Op<'_>, num_warps: u32, budget: u32, cx: &PassContext) -> Self {
        let mut open = FxHashSet::default();
        let is_few = has_few_warps(num_warps, cx);
        if !cx.options.sanitize.is_on() {
            let is_passed = |op: &Op<'_>| is_few || op.descendants().into_iter().any(is_dot);
            let is_open = |op: &Op<'_>| match control(op.kind()) {
                Control::For => lets_loads_pass(*op),
                Control::If => !only_loads_and_computes(*op) && lets_loads_pass(*op),
                Control::While | Control::Yield | Control::Condition | Control::Opaque | Control::Plain => false,
            };
            let passed = function.descendants().into_iter().filter(|op| is_open(op) && is_passed(op));
            open.extend(passed.map(|op| op.id()));
        }
        let most = if is_few { MOST_OVER_LOOP } else { MOST_OVER_PRODUCTS };
        Self { open, most, most_live: budget.min(cx.options.maxnreg.unwrap_or(u32::MAX)) * LIVE_OF_FOUR / 4 }
    }
}

/// Nothing in the loop or branch changes what a load behind it reads, or decides whether the program comes to it: loops count to their ends.
fn lets_loads_pass(around: Op<'_>) -> bool {
    leaves_memory_alone(around)
        && around.descendants().into_iter().all(|op| {
            let is_volatile = LoadOp::cast(op).is_some_and(|load| load.is_volatile());
            let is_unknown = op.kind() == OpKind::TtExternElementwise && !op.is_pure();
            let comes_to_end = match control(op.kind()) {
                Control::For | Control::If | Control::Yield | Control::Plain => true,
                // The ends of regions that combine elements belong to their operations.
                Control::Opaque => op.is_terminator(),
                Control::While | Control::Condition => false,
            };
            !is_volatile && !is_unknown && comes_to_end
        })
}

/// The operations of a function that write to global memory, with their places in the program.
struct WritesBefore<'c> {
    place: FxHashMap<usize, usize>,
    writes: Vec<(Op<'c>, GlobalWrites)>,
}

impl<'c> WritesBefore<'c> {
    fn of(function: Op<'c>) -> Self {
        let ops: Vec<Op<'c>> = function.descendants().into_iter().skip(1).collect();
        let place = ops.iter().enumerate().map(|(at, op)| (op.id(), at)).collect();
        let plain = ops.into_iter().filter(|op| control(op.kind()) == Control::Plain);
        let writes = plain.map(|op| (op, GlobalWrites::of(op))).filter(|(_, writes)| !writes.is_empty()).collect();
        Self { place, writes }
    }

    /// Something that may run before the load may write what it reads: it stands before, or in a loop around the load.
    fn may_change(&self, load: Op<'c>) -> bool {
        let of_load = self.place.get(&load.id());
        let loops: Vec<Op<'c>> =
            std::iter::successors(load.parent_op(), |op| op.parent_op()).filter(|op| is_loop(*op)).collect();
        let may_run_before =
            |op: Op<'c>| self.place.get(&op.id()) < of_load || loops.iter().any(|around| around.contains(op));
        self.writes.iter().any(|(op, writes)| writes.may_change(load) && may_run_before(*op))
    }
}

/// Where a load goes.
struct Hoisted<'c> {
    /// The load and what it is computed from, last first.
    moved: Vec<Op<'c>>,
    before: Op<'c>,
    /// The operations with barriers, products, waits and loops that it passes, with the registers that it takes there.
    passed: Vec<(Op<'c>, u32)>,
}

impl Hoisted<'_> {
    fn apply(self, carried: &mut Carried<'_>) {
        for (op, registers) in self.passed {
            // What lives over a loop lives at everything in it.
            let places = if carried.loops.open.contains(&op.id()) { op.descendants() } else { vec![op] };
            for place in places {
                *carried.hoisted.entry(place.id()).or_default() += registers;
            }
        }
        if let Some(load) = self.moved.first() {
            carried.loading.carry(*load, self.before);
        }
        self.moved.iter().rev().for_each(|op| op.move_before(self.before));
    }
}

/// The first operation with a barrier that the load can stand before, or the first loop; `None` if there is none.
fn plan<'c>(load: LoadOp<'c>, carried: &Carried<'_>) -> Result<Option<Hoisted<'c>>> {
    let registers = registers_of(load);
    let may_fill = registers <= FEW_REGISTERS && !is_for_next_iteration(load);
    let mut needed = vec![load.op];
    let mut passed = Vec::new();
    let (mut best, mut is_over_loop, mut is_over_buffers) = (None, false, false);
    let mut divisions = PassedDivisions::of(load);
    let mut live = 0;
    for above in std::iter::successors(load.op.prev(), |op| op.prev()).take(MOST_STEPS) {
        if shared_memory(above.kind()) == SharedMemory::Free {
            is_over_buffers = true;
            continue;
        }
        live = live.max(carried.loading.live_at(above));
        let is_needed =
            above.results().into_iter().any(|result| result.users().iter().any(|(user, _)| needed.contains(user)));
        let passage = if is_needed { Passage::Closed } else { divisions.passage(above, carried.looks_at_programs) };
        if passage != Passage::Closed && carried.has_room(above, load, true) {
            passed.push((above, registers));
            if passage == Passage::Open && !is_over_loop && !is_over_buffers {
                best = Some((above, needed.len(), passed.len()));
            }
            continue;
        }
        match (carried.step(above, load)?, is_needed) {
            (Step::Stop, _) | (Step::Barrier | Step::Load | Step::Loop, true) => break,
            // Other places are not worth a division for which the load would not move.
            (Step::Barrier | Step::Loop, false) if divisions.is_tentative() => break,
            (Step::Free | Step::Angles, true) => needed.push(above),
            (Step::Free | Step::Load, false) => {}
            // Without room it is one more computation on the way to what stands above.
            (Step::Angles, false) => {
                if !divisions.is_tentative() && carried.has_room(above, load, may_fill) {
                    passed.push((above, registers));
                    if !is_over_loop && !is_over_buffers {
                        best = Some((above, needed.len(), passed.len()));
                    }
                }
            }
            (Step::Barrier, false) => {
                if !carried.has_room(above, load, may_fill)
                    && !carried.loading.has_room(above, load, live)
                    && !carried.has_room_in_loop(above, load)
                {
                    break;
                }
                passed.push((above, registers));
                // Right before a loop is early enough, and later than the copies that fill its pipeline. Behind the ends of buffers only the loop that
                // fills them is worth it.
                if !is_over_loop && !is_over_buffers {
                    best = Some((above, needed.len(), passed.len()));
                }
            }
            (Step::Loop, false) => {
                let over_loop = || carried.over_loop(above, &needed).filter(|_| !waits_for_more(load, above));
                let Some(registers) = over_loop() else { break };
                passed.push((above, registers));
                best = Some((above, needed.len(), passed.len()));
                is_over_loop = true;
            }
        }
    }
    Ok(best.map(|(before, moved, over)| {
        needed.truncate(moved);
        passed.truncate(over);
        Hoisted { moved: needed, before, passed }
    }))
}

/// What an operation is to a load that would pass it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// It can be passed, and moved along; there is nothing gained by passing it alone.
    Free,
    /// Another load, which stays, or a store that the load may pass.
    Load,
    /// It can be passed, and has a barrier, or multiplies, or waits, or is a branch.
    Barrier,
    /// It can be passed, and moved along, and has a branch in its code.
    Angles,
    /// A loop that a few registers can pass, or a branch like one.
    Loop,
    /// It cannot be passed.
    Stop,
}

/// Threads wait in the branch for memory at most.
fn only_loads_and_computes(branch: Op<'_>) -> bool {
    branch.descendants().into_iter().skip(1).all(|op| {
        let is_load = LoadOp::cast(op).is_some_and(|load| !load.is_volatile());
        let is_inner = matches!(control(op.kind()), Control::If | Control::Yield);
        is_load || is_inner || control(op.kind()) == Control::Plain && op.is_pure()
    })
}

fn step(op: Op<'_>) -> Result<Step> {
    let passes_loads = match global_memory(op.kind()) {
        GlobalMemory::None => true,
        GlobalMemory::Pointers(access) | GlobalMemory::Block(access) | GlobalMemory::Copy(access) => {
            !access.is_ordered()
        }
        GlobalMemory::Unknown => op.is_pure(),
    };
    if control(op.kind()) == Control::If {
        return Ok(if only_loads_and_computes(op) { Step::Barrier } else { Step::Stop });
    }
    if !passes_loads || control(op.kind()) != Control::Plain {
        return Ok(Step::Stop);
    }
    if let Some(load) = LoadOp::cast(op) {
        return Ok(if load.is_volatile() { Step::Stop } else { Step::Load });
    }
    if has_branch_for_angles(op) {
        return Ok(Step::Angles);
    }
    Ok(match shared_memory(op.kind()) {
        SharedMemory::Scratch(Scratch::Atomic | Scratch::TensorMap) => Step::Stop,
        SharedMemory::Scratch(_) if scratch(op)?.is_some_and(|scratch| scratch.bytes > 0) => Step::Barrier,
        SharedMemory::Allocate if op.operands().is_empty() => Step::Free,
        SharedMemory::Allocate | SharedMemory::Read | SharedMemory::Write { .. } | SharedMemory::WaitForCopies => {
            Step::Barrier
        }
        SharedMemory::StartDot | SharedMemory::WaitForDots | SharedMemory::WaitAtMbarrier => Step::Barrier,
        SharedMemory::StartCopy => Step::Load,
        // Nothing that a load could read is handed on: writes of what it reads were excluded.
        SharedMemory::Arrive => Step::Free,
        SharedMemory::None | SharedMemory::View | SharedMemory::Scratch(_) if op.is_pure() => Step::Free,
        // A dot of `mma.sync` reads registers.
        SharedMemory::None if op.kind() == OpKind::TtgAsyncCommitGroup => Step::Load,
        SharedMemory::None
        | SharedMemory::View
        | SharedMemory::Scratch(_)
        | SharedMemory::Call
        | SharedMemory::Free
        | SharedMemory::StartStore
        | SharedMemory::StartLoad
        | SharedMemory::WaitForStores
        | SharedMemory::InitMbarrier
        | SharedMemory::Announce
        | SharedMemory::Fence
        | SharedMemory::Barrier => Step::Stop,
    })
}
