//! Registers that a loop has for loads in front of its products, where its threads load blocks themselves.
//!
//! Such a loop waits for memory in each iteration, and once more for each load behind a product. How many floats a thread may hold beside addresses was
//! measured where they fill all registers and the rest is spilled. Where so many CTAs come that a thread has fewer registers than it could, nothing is
//! spilled before one of them is lost; so all that these leave can be filled.
//!
//! Small loads of any loop may pass products where the loop holds more elsewhere ([`keeps_peak`]).

use super::{LIVE_OF_FOUR, MOST_REGISTERS, MOST_STEPS, is_for_next_iteration};
use crate::PassContext;
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::analysis::product_ahead::in_place;
use crate::operations::control::{Control, control, is_loop};
use crate::operations::memory::{SharedMemory, shared_memory};
use rustc_hash::FxHashMap;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Op, Type};

/// Registers of a load that may pass products of a loop which holds more elsewhere.
const FEW_WITHIN_PEAK: u32 = 16;

/// Loops whose products multiply what threads load into registers and write to shared memory in the same iteration.
#[derive(Default)]
pub(crate) struct LoadingLoops {
    /// Before anything is moved; `None` where there is no such loop.
    live: Option<LiveRegisters>,
    /// Registers of a thread that may hold floats, by loop.
    most: FxHashMap<usize, u32>,
    /// Registers of hoisted loads, by operation that they have passed.
    carried: FxHashMap<usize, u32>,
}

impl LoadingLoops {
    pub(crate) fn of(function: Op<'_>, num_warps: u32, cx: &PassContext) -> Self {
        let mut loops: Vec<ForOp<'_>> = function.descendants().into_iter().filter_map(ForOp::cast).collect();
        loops.retain(|view| loads_operands(*view));
        if loops.is_empty() {
            return Self::default();
        }
        let live = LiveRegisters::of_floats_once(function);
        let most = loops.iter().map(|view| (view.op.id(), most_floats(peak(view.op, &live), num_warps, cx))).collect();
        Self { live: Some(live), most, carried: FxHashMap::default() }
    }

    /// The load is for this iteration of such a loop, and issued at its start where registers let it.
    pub(super) fn has(&self, load: LoadOp<'_>) -> bool {
        self.most_around(load.op).is_some() && !is_for_next_iteration(load)
    }

    /// Registers that hold something at an operation of such a loop, hoisted loads included.
    pub(super) fn live_at(&self, op: Op<'_>) -> u32 {
        let Some(live) = self.live.as_ref().filter(|_| self.most_around(op).is_some()) else { return 0 };
        let own = if control(op.kind()) == Control::If { live.peak(op) } else { at(op, live) };
        own + self.carried_over(op)
    }

    /// The load may pass this product, or the wait for one, where `live` registers at most hold something from there to the load.
    pub(super) fn has_room(&self, passed: Op<'_>, load: LoadOp<'_>, live: u32) -> bool {
        let is_product = shared_memory(passed.kind()).is_of_dots();
        let Some(most) = self.most_around(load.op).filter(|_| is_product && self.has(load)) else { return false };
        let own = registers(load.result().ty()).max(1);
        live + own <= most && self.carried_over(passed) + own <= MOST_REGISTERS
    }

    /// The load comes to the start of its iteration: it may pass all products between, and the waits for them.
    pub(crate) fn lets_start(&self, load: LoadOp<'_>) -> bool {
        let is_product = |op: Op<'_>| shared_memory(op.kind()).is_of_dots();
        let mut live = 0;
        let passes = |op: Op<'_>| {
            live = live.max(self.live_at(op));
            !is_product(op) || self.has_room(op, load, live)
        };
        self.has(load) && std::iter::successors(load.op.prev(), |op| op.prev()).take(MOST_STEPS).all(passes)
    }

    /// Takes note that the load moves to before `before`.
    pub(super) fn carry(&mut self, load: Op<'_>, before: Op<'_>) {
        if self.most_around(load).is_none() {
            return;
        }
        let own = registers(load.result(0).ty()).max(1);
        for passed in std::iter::successors(load.prev(), |op| op.prev()).take(MOST_STEPS) {
            *self.carried.entry(passed.id()).or_default() += own;
            if passed == before {
                break;
            }
        }
    }

    fn carried_over(&self, op: Op<'_>) -> u32 {
        self.carried.get(&op.id()).copied().unwrap_or(0)
    }

    fn most_around(&self, op: Op<'_>) -> Option<u32> {
        op.parent_op().and_then(|around| self.most.get(&around.id())).copied()
    }
}

/// The body multiplies and loads blocks, and copies nothing: what is copied arrives for a later iteration, and loads beside it wait with it.
fn loads_operands(view: ForOp<'_>) -> bool {
    let is_block = |ty: Type<'_>| ty.shape().iter().filter(|length| **length > 1).count() > 1;
    let is_block_load = |op: &Op<'_>| LoadOp::cast(*op).is_some_and(|load| is_block(load.result().ty()));
    let ops = view.body().ops();
    let multiplies = ops.iter().any(|op| shared_memory(op.kind()) == SharedMemory::StartDot);
    let copies = |op: &Op<'_>| {
        matches!(
            shared_memory(op.kind()),
            SharedMemory::StartCopy
                | SharedMemory::StartLoad
                | SharedMemory::WaitForCopies
                | SharedMemory::WaitAtMbarrier
        )
    };
    multiplies && ops.iter().any(is_block_load) && !view.op.descendants().iter().any(copies)
}

/// The most registers that hold floats at any point of the loop.
pub(crate) fn peak(around: Op<'_>, live: &LiveRegisters) -> u32 {
    // At an end, and where a loop starts, values are counted twice, as what they were and what they become.
    let is_point = |op: &Op<'_>| !op.is_terminator() && !is_loop(*op);
    around.descendants().into_iter().skip(1).filter(is_point).map(|op| at(op, live)).max().unwrap_or(0)
}

fn at(op: Op<'_>, live: &LiveRegisters) -> u32 {
    live.at(op).saturating_sub(in_place(op))
}

/// Registers of a thread that may hold floats without keeping a CTA away which the grid brings, and which `peak` of them leave room for. They are never
/// counted as those of a thread that has all registers: what is beyond these is spilled.
fn most_floats(peak: u32, num_warps: u32, cx: &PassContext) -> u32 {
    let most_registers = cx.options.maxnreg.unwrap_or(u32::MAX);
    let budget = |ctas: u32| cx.target.register_budget(num_warps, ctas).min(most_registers);
    let floats = |ctas: u32| budget(ctas) * LIVE_OF_FOUR / 4;
    let brought = cx.options.residency.at_most().unwrap_or(u32::MAX);
    let most_ctas = cx.target.occupancy(1, 0, num_warps).ctas_per_sm;
    let mut below_all = (1..=most_ctas).skip_while(|ctas| budget(*ctas) == budget(1));
    let Some(fewest) = below_all.next() else { return 0 };
    let more = below_all.take_while(|ctas| *ctas <= brought && floats(*ctas) >= peak).last();
    floats(more.unwrap_or(fewest))
}

/// The load is for this iteration of a loop and small, and the loop holds no more at the product `passed`, or the wait for one, with all of the `hoisted`
/// registers than it does at its most, which leaves a quarter of the `budget`.
///
/// On an H200 loads of at most 16 registers in front of the product that they stood behind make ten launches with products 0.998 to 1.21 times as fast, seven of
/// them 2 % and more. With more registers, or where a loop holds more, two of seven spill, and have 0.91 and 0.94 of their speed.
pub(super) fn keeps_peak(passed: Op<'_>, load: LoadOp<'_>, hoisted: u32, live: &LiveRegisters, budget: u32) -> bool {
    let ty = load.result().ty();
    let is_product = shared_memory(passed.kind()).is_of_dots();
    let is_small = registers(ty) <= FEW_WITHIN_PEAK && ty.element().is_float() && !is_for_next_iteration(load);
    let around = load.op.parent_op().and_then(ForOp::cast).filter(|_| is_product && is_small && ty.is_tensor());
    let most = around.map_or(0, |view| peak(view.op, live));
    most <= budget * LIVE_OF_FOUR / 4 && at(passed, live) + hoisted <= most
}
