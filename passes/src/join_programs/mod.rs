//! Runs eight programs as one where each has a column of a matrix whose rows are contiguous.
//!
//! ```text
//! t = program_id(0)                                    one of eight programs has work: t = 8 * program_id(0) + range(8)
//! x = load(p + t + range(256) * length)                x = load(p + t[:, None] + range(256)[None, :] * length)
//! store(q + t + range(256) * length, f(x))             store(q + t[:, None] + range(256)[None, :] * length, f(x))
//! ```
//!
//! An access of one program touches as many sectors as it has elements, and the programs beside it touch the same sectors at the same time, from other
//! multiprocessors. Eight programs together read and write whole sectors. The grid stays as it is launched: seven of eight programs end at once.
//!
//! The same of a loop over parts of a column, as the product of a matrix by a vector has where each program has one of its results:
//!
//! ```text
//! a = zeros(1024)                                      a = zeros(8, 1024)
//! for k in range(0, length, 1024):                     for k in range(0, length, 1024):
//!     a += x[k:] * load(w + t + rows(k))                   a += x[None, k:] * load(w + t[:, None] + rows(k)[None, :])
//! store(y + t, sum(a))                                 store(y + t, sum(a, 1))
//! ```
//!
//! True for kernels of one block without branches that load and then store, and compute element by element between, where
//!
//! - **the program's number along x is added to every address** that it enters, as it is ([`Steps`]): neighbours access neighbouring elements;
//! - **a program has no neighbouring elements of its own**, by what is known of its pointers, or in a loop a word of them, where those of the next program
//!   follow;
//! - **nothing tells programs apart**: no atomic operations, volatile loads, records of checks, or printing, and no program loads behind its stores;
//! - **loops store nothing**, all programs run through them as often, and one of them loads a part of a column. Kernels with such a loop may reduce what they have,
//!   and access fewer elements than a column has outside of it, as one result of each program;
//! - **the programs have room** in the registers of one ([`MOST_ELEMENTS`], [`MOST_ELEMENTS_OF_LOOP`]), and the grid is known to bring many of them. Where eight have none, but four do, a
//!   loop is written for four.
//!
//! How many programs the grid has along x is known at run time only. With few of them most of what is joined would be masked out, so the kernel does as
//! it was written then: both ways are there.
//!
//! 1. Which values depend on the number, and how addresses do ([`Steps`]).  2. What the kernel accesses ([`Accesses`]).  3. Write it for eight programs
//!    ([`write::join`]): a value that depends on the number gets a first axis.

mod steps;
mod write;

use crate::analysis::{AxisFacts, axis_info};
use crate::operations::control::is_loop;
use crate::{Pass, PassContext};
use steps::{Step, Steps};
use tk_diag::Result;
use tk_ir::ops::{CacheModifier, ForOp, FuncOp, LoadOp};
use tk_ir::{Block, Module, Op, OpKind};
use tk_types::Residency;

/// The pass.
pub const PASS: Pass = Pass {
    name: "join-programs",
    summary: "run programs as one that access neighbouring elements, where none has neighbours of its own",
    run,
};

/// Programs that become one: a sector of 32-bit words.
const PROGRAMS: i64 = 8;
/// The same of a loop, where eight have no room.
const PROGRAMS_OF_LOOP: i64 = 4;
/// Bits of the elements of which so many are a sector, or half of one, or a quarter.
const MOST_BITS: u32 = 32;
/// Bits of the neighbours that a program has itself in a loop, at most: an eighth of a sector. Of half a sector, two programs as one run 1.15 times as fast on an H200,
/// and four 0.83 times.
const MOST_BITS_OF_RUN: i64 = 32;
/// Elements of the blocks of a program, at least: the threads of a warp.
const LEAST_ELEMENTS: i64 = 32;
/// Elements of a thread of the joined programs' largest block, at most. A convolution of two taps has 152 registers with 64 of them.
const MOST_ELEMENTS: i64 = 64;
/// The same where a loop loads the columns. On an H200 eight programs with 64 elements for a thread run 3.5 to 5 times as fast as each for itself, with 128 2.8 to 4 times,
/// and four with 128 3.3 to 3.6 times; with 256, eight run 1.7 times as fast where the loop keeps a sum of each element, and 5 times where it reduces them
/// (docs/measurements.md, "Programs with a column each run together").
const MOST_ELEMENTS_OF_LOOP: i64 = 128;
/// Programs along the axis from which on they are joined: of the last eight, seven may be masked out.
const LEAST_PROGRAMS: i64 = 64;
/// More programs than these at most: the numbers of eight programs that may not all exist are no negative ones.
const MOST_MORE: i64 = 1 << 30;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let functions = module.functions();
    let [function] = functions.as_slice() else { return Ok(()) };
    if cx.options.num_ctas > 1 || cx.options.residency != Residency::Many {
        return Ok(());
    }
    let Some(body) = FuncOp::cast(*function).and_then(FuncOp::body) else { return Ok(()) };
    if function.region(0).blocks().len() != 1 {
        return Ok(());
    }
    let Some(steps) = Steps::of(body) else { return Ok(()) };
    let joined =
        Accesses::of(body, &steps, &axis_info(*function)).and_then(|accesses| accesses.programs(cx.options.num_warps));
    if let Some(joined) = joined {
        write::join(body, &steps, joined);
    }
    Ok(())
}

/// Loads, then stores, of neighbours of what the next program accesses, which are no neighbours as they are.
struct Accesses {
    /// A loop loads a part of a column.
    in_loop: bool,
    /// Elements of the largest block that is another one in the next program.
    most_elements: i64,
}

impl Accesses {
    /// `None` of other kernels.
    fn of(body: Block<'_>, steps: &Steps, facts: &AxisFacts) -> Option<Self> {
        let ops = operations(body);
        let columns: Vec<Op<'_>> =
            ops.iter().copied().filter(|op| is_access(*op) && is_column(*op, steps, facts)).collect();
        let in_loop = columns.iter().any(|access| stands_in_loop(*access));
        let has_regions = ops.iter().any(|op| is_loop(*op) || op.kind() == OpKind::TtReduce);
        if has_regions && !in_loop {
            return None;
        }
        let mut stores = 0;
        for op in ops.iter().copied().filter(|op| is_access(*op)) {
            let load = LoadOp::cast(op);
            let is_ordered = load.is_some_and(|load| load.is_volatile() || load.cache() == CacheModifier::Cv);
            if is_ordered || load.is_some() && stores > 0 || load.is_none() && stands_in_loop(op) {
                return None;
            }
            let varies = load.is_none() || steps.varies(op.result(0));
            let is_neighbour = columns.contains(&op) || in_loop && is_part_of_row(op, steps);
            if varies && !is_neighbour {
                return None;
            }
            stores += usize::from(load.is_none());
        }
        let elements = ops
            .iter()
            .flat_map(|op| op.results())
            .filter(|result| steps.varies(*result))
            .map(|result| if result.ty().is_tensor() { result.ty().num_elements() } else { 1 });
        (stores > 0).then(|| Self { in_loop, most_elements: elements.max().unwrap_or(1) })
    }

    /// Programs that have room in one.
    fn programs(&self, num_warps: u32) -> Option<i64> {
        let threads = i64::from(num_warps * tk_target::WARP_SIZE);
        let most = if self.in_loop { MOST_ELEMENTS_OF_LOOP } else { MOST_ELEMENTS };
        let has_room = |programs: &i64| self.most_elements.saturating_mul(*programs) <= most.saturating_mul(threads);
        let fewer = self.in_loop.then_some(PROGRAMS_OF_LOOP);
        std::iter::once(PROGRAMS).chain(fewer).find(has_room)
    }
}

/// Those of a block and its loops, in their order.
fn operations(block: Block<'_>) -> Vec<Op<'_>> {
    let mut all = Vec::new();
    for op in block.ops() {
        all.push(op);
        if let Some(view) = ForOp::cast(op) {
            all.extend(operations(view.body()));
        }
    }
    all
}

fn is_access(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtLoad | OpKind::TtStore)
}

fn stands_in_loop(op: Op<'_>) -> bool {
    op.ancestors().skip(1).any(is_loop)
}

/// The next program accesses the next elements, and a program has no two elements beside each other; in a loop it may have a few, up to where those of
/// the next one begin.
fn is_column(access: Op<'_>, steps: &Steps, facts: &AxisFacts) -> bool {
    let pointer = access.operand(0);
    let ty = pointer.ty();
    if !ty.is_tensor() || !is_narrow(access) || ty.num_elements() < LEAST_ELEMENTS {
        return false;
    }
    let run = facts.get(pointer).contiguity.iter().copied().max().unwrap_or(1).max(1);
    let Ok(run) = i64::try_from(run) else { return false };
    let bits = i64::from(ty.element().pointee().map_or(0, |element| element.element_bits()));
    let is_short = run == 1 || stands_in_loop(access) && run.saturating_mul(bits) <= MOST_BITS_OF_RUN;
    is_short && steps.get(pointer) == Step::By(run)
}

/// The elements of a program end where those of the next one begin, and all together are few: outside of a loop that is little beside its columns.
fn is_part_of_row(access: Op<'_>, steps: &Steps) -> bool {
    let ty = access.operand(0).ty();
    let elements = if ty.is_tensor() { ty.num_elements() } else { 1 };
    let is_small = elements < LEAST_ELEMENTS && is_narrow(access) && !stands_in_loop(access);
    is_small && steps.get(access.operand(0)) == Step::By(elements)
}

fn is_narrow(access: Op<'_>) -> bool {
    let element = access.operand(0).ty().element().pointee();
    element.is_some_and(|element| element.element_bits() <= MOST_BITS)
}
