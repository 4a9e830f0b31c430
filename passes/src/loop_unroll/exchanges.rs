//! Loops in whose iterations threads give each other elements.
//!
//! A row beside a block is loaded once and exchanged, by shuffles or through shared memory, and a number for each row is reduced by several warps. No load passes the
//! barriers of what goes through shared memory, so that such a loop waits for memory in each iteration, and then for the other warps. With its body copied, the loads of
//! all copies go before the first barrier (`hoist-loads`), and LLVM and ptxas run what the copies compute beside each other:
//!
//! ```text
//! loop by 1:               loop by 4:
//!     %x = load                %x0 … %x3 = load
//!     %y = exchange %x         %y0 = exchange %x0, … %y3 = exchange %x3
//!     … %y                     … %y0 … %y3
//! ```
//!
//! True for loops that load blocks or rows and store nothing, in launches that are known to bring few warps to a multiprocessor ([`FEW_WARPS`]), or at most [`MOST_WARPS`] where warps meet:
//! these wait at the same barriers, and little else runs meanwhile. What warps meet for are conversions and reductions, in a loop that is in no other one. Loops whose
//! loads wait in registers for the next iteration anyway ([`loads_of_reductions`](crate::analysis::loads_of_reductions)) stay as they are: copies take the registers of
//! that. So do those that become straight code ([`numbers`](super::numbers)), and those of functions with products, whose loops beside these are short: copies of
//! five loops that invert triangles take 5040 instructions instead of 3160, and the kernel has 0.93 of its speed.
//!
//! - Few warps: beside a block of what few accesses bring there is a row, so that limits of bytes have room for it ([`BYTES`], [`BYTES_OF_ITERATION`],
//!   [`MOST_OF_ITERATION`]). Each copy has barriers of its own, so that there are at most [`MOST_COPIES`], or twice as many that bring no more than a
//!   multiprocessor takes under way ([`BYTES_OF_MULTIPROCESSOR`]). Two copies may be longer than more of them, and load more in each
//!   ([`INSTRUCTIONS_OF_TWO`], [`BYTES_OF_EACH_OF_TWO`]): a decode of attention over blocks that it finds by loaded numbers waits for the number of a block, then
//!   for the block, and then eight times for other warps.
//! - More warps: an iteration brings less than that ([`MOST_OF_ITERATION_OF_WARPS`]), and all copies at most twice as much ([`MOST_OF_COPIES`]).
//! - Many warps ([`SOME_WARPS`] are less): four copies or none, since two are slower at times.
//! - A thread keeps what the loop carries and what all copies load (`others`).
//!
//! Triton waits in each iteration ([measurements](../../../docs/measurements.md#loops-whose-warps-meet-load-for-several-iterations)).

use super::factor::{BYTES_OF_MULTIPROCESSOR, Launch, MOST_COPIES, WARP, is_straight, types_of_varying};
use super::numbers::copies_of_numbers;
use crate::PassContext;
use crate::analysis::few_warps::FEW_WARPS;
use crate::analysis::live_registers::registers;
use crate::analysis::loads_of_reductions::loads_of_reductions;
use crate::attributes::Threads;
use crate::operations::control::is_loop;
use crate::operations::is_dot;
use crate::sink_loads::has_barriers;
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind};

/// Warps that the grid brings to a multiprocessor, at most.
const MOST_WARPS: u32 = 128;
/// More than these are many: eight for each of its schedulers.
const SOME_WARPS: u32 = 32;
/// Warps of a multiprocessor that run at a time.
const WARPS_AT_A_TIME: u32 = 64;
/// Bytes per thread that all copies load where few warps run: four times a block of eight accesses and a row of one.
const BYTES: i64 = 576;
/// Bytes per thread that one iteration loads there: two copies have room.
const BYTES_OF_ITERATION: i64 = BYTES / 2;
/// Bytes that all of few warps load in one iteration, at most: half as much again as a multiprocessor takes under way.
const MOST_OF_ITERATION: i64 = BYTES_OF_MULTIPROCESSOR * 3 / 2;
/// Instructions per thread of two copies where few warps meet: nine decodes of attention of 935 to 975 in each are 1.04 to 1.35 times as fast.
const INSTRUCTIONS_OF_TWO: i64 = 2000;
/// Bytes per thread that each of two copies loads there. Both need no registers at a time: loads go before the first meeting as far as these have room.
const BYTES_OF_EACH_OF_TWO: i64 = 512;
/// Bytes that all of few warps load in one of two copies, at most.
const MOST_OF_EACH_OF_TWO: i64 = 2 * BYTES_OF_MULTIPROCESSOR;
/// Bytes that more warps load in one iteration, at most. Blocks of more wait in registers for their iteration (`analysis/loads_of_reductions.rs`).
const MOST_OF_ITERATION_OF_WARPS: i64 = BYTES_OF_MULTIPROCESSOR * 3 / 4;
/// Bytes that more warps load in all copies, at most.
const MOST_OF_COPIES: i64 = 2 * BYTES_OF_MULTIPROCESSOR;

/// How threads give each other elements in the body of a loop whose copies are worth it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exchange {
    /// They do not.
    None,
    /// Lanes of few warps do, by shuffles.
    OfLanes,
    /// Few warps meet for it.
    OfFewWarps,
    /// More warps do.
    OfWarps,
    /// Many warps do.
    OfManyWarps,
}

impl Exchange {
    /// `None` where the body, whose operations these are, is not copied for its loads: threads meet for something else, or have more to do meanwhile.
    pub(super) fn of<'c>(view: ForOp<'c>, ops: &[Op<'c>], launch: Launch, cx: &PassContext) -> Option<Self> {
        if ops.iter().all(|op| is_straight(*op)) {
            return Some(Self::None);
        }
        let warps = launch.brought.filter(|warps| *warps <= MOST_WARPS)?;
        let stores = ops.iter().any(|op| op.kind() == OpKind::TtStore);
        let loads_block = ops.iter().any(|op| op.kind() == OpKind::TtLoad && op.result(0).ty().is_tensor());
        if stores || !loads_block || !ops.iter().all(|op| is_straight(*op) || is_exchange(*op)) {
            return None;
        }
        if ops.iter().all(|op| has_barriers(*op).is_ok_and(|meets| !meets)) {
            return (warps <= FEW_WARPS).then_some(Self::OfLanes);
        }
        let is_inner = view.op.ancestors().skip(1).any(is_loop);
        let becomes_straight = copies_of_numbers(view).is_some();
        let meets = if warps <= FEW_WARPS {
            Self::OfFewWarps
        } else if warps <= SOME_WARPS {
            Self::OfWarps
        } else {
            Self::OfManyWarps
        };
        (!is_inner && !becomes_straight && !multiplies(view) && !runs_ahead(view, launch, cx)).then_some(meets)
    }

    /// Warps do.
    pub(super) fn meets(self) -> bool {
        match self {
            Self::None | Self::OfLanes => false,
            Self::OfFewWarps | Self::OfWarps | Self::OfManyWarps => true,
        }
    }

    /// The warps that say what limits a loop has: more that meet have those of few.
    pub(super) fn warps_of_limits(self, launch: Launch) -> Option<u32> {
        match self {
            Self::None | Self::OfLanes | Self::OfFewWarps => launch.brought,
            Self::OfWarps | Self::OfManyWarps => launch.brought.map(|warps| warps.min(FEW_WARPS)),
        }
    }

    /// Copies of a body that loads so many bytes per thread, at most, if what threads exchange bounds them.
    pub(super) fn most_copies(self, bytes: i64, launch: Launch) -> Option<i64> {
        let under_way = |copies: i64| copies.saturating_mul(bytes).saturating_mul(threads_of(launch));
        match self {
            Self::None | Self::OfLanes => None,
            Self::OfFewWarps if under_way(2 * MOST_COPIES) <= BYTES_OF_MULTIPROCESSOR => Some(2 * MOST_COPIES),
            Self::OfFewWarps | Self::OfManyWarps => Some(MOST_COPIES),
            Self::OfWarps if under_way(MOST_COPIES) <= MOST_OF_COPIES => Some(MOST_COPIES),
            Self::OfWarps => Some(MOST_COPIES / 2),
        }
    }

    /// Copies of a body, at least.
    pub(super) fn fewest_copies(self) -> i64 {
        match self {
            Self::None | Self::OfLanes | Self::OfFewWarps | Self::OfWarps => 2,
            Self::OfManyWarps => MOST_COPIES,
        }
    }

    /// Two copies of few warps that meet.
    fn is_of_two(self, copies: i64) -> bool {
        self == Self::OfFewWarps && copies <= 2
    }

    /// Instructions per thread of so many copies, at most, if what threads exchange gives them room.
    pub(super) fn instructions(self, copies: i64) -> Option<i64> {
        self.is_of_two(copies).then_some(INSTRUCTIONS_OF_TWO)
    }

    /// Bytes per thread that an iteration of a loop of so many copies loads, at most, if what threads exchange gives them room.
    pub(super) fn bytes_of_iteration(self, copies: i64, launch: Launch) -> Option<i64> {
        if self.is_of_two(copies) {
            return Some(BYTES_OF_EACH_OF_TWO.min(MOST_OF_EACH_OF_TWO / threads_of(launch)));
        }
        match self {
            Self::None => None,
            Self::OfLanes | Self::OfFewWarps => Some(BYTES_OF_ITERATION.min(MOST_OF_ITERATION / threads_of(launch))),
            Self::OfWarps | Self::OfManyWarps => Some(MOST_OF_ITERATION_OF_WARPS / threads_of(launch)),
        }
    }

    /// The same of so many copies. More of them have no room for more than those of other loops.
    pub(super) fn bytes(self, copies: i64, launch: Launch) -> Option<i64> {
        if self.is_of_two(copies) {
            return self.bytes_of_iteration(copies, launch).map(|bytes| copies.saturating_mul(bytes));
        }
        match self {
            Self::OfLanes | Self::OfFewWarps if copies <= MOST_COPIES => Some(BYTES),
            Self::None | Self::OfLanes | Self::OfFewWarps => None,
            Self::OfWarps => Some(MOST_OF_COPIES / threads_of(launch)),
            Self::OfManyWarps => Some(MOST_COPIES * MOST_OF_ITERATION_OF_WARPS / threads_of(launch)),
        }
    }

    /// A thread keeps what the loop carries and what so many copies load, or one of two.
    pub(super) fn has_registers<'c>(
        self,
        view: ForOp<'c>,
        loads: &[Op<'c>],
        copies: i64,
        launch: Launch,
        cx: &PassContext,
    ) -> bool {
        let Some(others) = self.others() else { return true };
        let carried: u32 = view.iter_args().iter().map(|value| registers(value.ty()).max(1)).sum();
        let loaded: u32 = types_of_varying(view, loads).into_iter().map(|ty| registers(ty).max(1)).sum();
        let under_way = if self.is_of_two(copies) { 1 } else { u32::try_from(copies).unwrap_or(u32::MAX) };
        let kept = under_way.saturating_mul(loaded).saturating_add(carried).saturating_add(others);
        let warps = warps_of(launch).max(1);
        let ctas = cx.options.residency.at_most().unwrap_or(1).min((WARPS_AT_A_TIME / warps).max(1));
        kept <= cx.target.register_budget(warps, ctas)
    }

    /// Registers of a thread for all but what the loop carries and what copies load. Four copies of products of vectors take 18 to 52 where they may, and
    /// do not spill; reductions that bring 32 warps take 24 to 30, and those of more take 32 registers with what they load.
    fn others(self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::OfLanes | Self::OfFewWarps => Some(54),
            Self::OfWarps => Some(32),
            Self::OfManyWarps => Some(20),
        }
    }
}

/// Threads give each other elements, and change nothing that anybody else sees.
fn is_exchange(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtgConvertLayout | OpKind::TtReduce)
}

/// The function has products.
fn multiplies(view: ForOp<'_>) -> bool {
    let function = view.op.ancestors().find(|op| op.kind() == OpKind::TtFunc);
    function.is_none_or(|function| function.descendants().into_iter().any(is_dot))
}

/// What iterations load is in registers before they begin.
fn runs_ahead(view: ForOp<'_>, launch: Launch, cx: &PassContext) -> bool {
    let function = view.op.ancestors().find(|op| op.kind() == OpKind::TtFunc);
    let threads = Threads { num_warps: warps_of(launch), threads_per_warp: WARP as u32 };
    function.is_none_or(|function| !loads_of_reductions(function, view, threads, cx).is_empty())
}

/// Of a CTA.
fn warps_of(launch: Launch) -> u32 {
    u32::try_from(launch.warps).unwrap_or(u32::MAX)
}

/// Of a multiprocessor, that run at a time.
fn threads_of(launch: Launch) -> i64 {
    i64::from(launch.brought.unwrap_or(WARPS_AT_A_TIME).min(WARPS_AT_A_TIME)).saturating_mul(WARP).max(1)
}
