//! Says of what kernels use for the last time that caches need not keep it.
//!
//! A norm of long rows reads each row in one loop for its sums and in the next one to scale it; a cross entropy does, and so does a softmax. Caches
//! keep what came last, and that is what nobody reads again: elements of the last loop, and the results that it writes. They drive out rows that other
//! programs of the multiprocessor have read once and are about to read again.
//!
//! ```text
//! loop: %sum += load %x_row                      loop: %sum += load %x_row
//! loop: store %y_row, f(load %x_row, %sum)       loop: store %y_row, f(load %x_row {last use}, %sum) {last use}
//! ```
//!
//! Results leave the cache of the multiprocessor only: the next kernel finds them in that of the GPU as before. What is read but once is left alone,
//! since there the next kernel would pay (docs/measurements.md, "What is used for the last time leaves the caches").
//!
//! True for kernels without products, whose programs read different elements: the address depends on each of the program's numbers that the
//! kernel asks for, and on each loop around the load. Nothing behind it may read its tensor. Accesses whose programs say how they are cached are left
//! alone, and code generation leaves narrow loads alone. `loop-unroll` takes marks back where both loops have become straight code.
//!
//! 1. Find what kernels read, from which parameters.  2. Find last reads of what an earlier loop has read.  3. Mark them, and what is stored beside them.

use crate::analysis::global_aliases::parameters_of;
use crate::analysis::sources::{Sources, program_axis};
use crate::attributes::LAST_USE;
use crate::operations::control::is_loop;
use crate::operations::is_dot;
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{CacheModifier, EvictionPolicy, LoadOp, StoreOp};
use tk_ir::{Module, Op};

/// The pass.
pub const PASS: Pass =
    Pass { name: "mark-last-uses", summary: "let what is used for the last time leave the caches", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        let ops = function.descendants();
        if ops.iter().any(|op| is_dot(*op)) {
            continue;
        }
        let reads: Vec<Read<'_>> = ops.iter().filter_map(|op| Read::of(*op)).collect();
        let axes: FxHashSet<i64> = ops.iter().filter_map(|op| program_axis(*op)).collect();
        let last: Vec<&Read<'_>> = reads.iter().filter(|read| read.is_last_of_several(&reads, &axes)).collect();
        let stores: Vec<StoreOp<'_>> = ops.iter().filter_map(|op| StoreOp::cast(*op)).collect();
        for store in stores.into_iter().filter(|store| is_for_others(*store, &last, &reads)) {
            mark(store.op);
        }
        last.into_iter().for_each(|read| mark(read.load.op));
    }
    Ok(())
}

/// A load of a tensor, and the parameters that its addresses come from.
struct Read<'c> {
    load: LoadOp<'c>,
    parameters: FxHashSet<usize>,
}

impl<'c> Read<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let load = LoadOp::cast(op).filter(|load| load.result().ty().is_tensor())?;
        Some(Self { load, parameters: parameters_of(load.ptr())? })
    }

    /// An earlier loop has read the tensor, and nobody reads the elements after this.
    fn is_last_of_several(&self, reads: &[Read<'c>], axes: &FxHashSet<i64>) -> bool {
        let load = self.load;
        let is_plain = load.cache() == CacheModifier::None && load.eviction() == EvictionPolicy::Normal;
        let was_read =
            |other: &Read<'c>| self.shares_with(&other.parameters) && is_behind_loop_of(load.op, other.load.op);
        is_plain
            && !load.is_volatile()
            && reads.iter().any(was_read)
            && !is_read_behind(load.op, &self.parameters, reads)
            && self.is_of_one_program(axes)
    }

    fn shares_with(&self, parameters: &FxHashSet<usize>) -> bool {
        !self.parameters.is_disjoint(parameters)
    }

    /// No other program reads it, as far as addresses tell, nor another iteration.
    fn is_of_one_program(&self, axes: &FxHashSet<i64>) -> bool {
        let Some(sources) = Sources::of(self.load.ptr()) else { return false };
        let mut around = self.load.op.ancestors().skip(1).filter(|op| is_loop(*op));
        !axes.is_empty() && axes.is_subset(&sources.axes) && around.all(|op| sources.loops.contains(&op.id()))
    }
}

/// An earlier loop of the function reads a parameter that the load reads.
pub(crate) fn was_read_by_loop<'c>(load: LoadOp<'c>, function: Op<'c>) -> bool {
    let Some(own) = Read::of(load.op) else { return false };
    let mut reads = function.descendants().into_iter().filter_map(Read::of);
    reads.any(|other| own.shares_with(&other.parameters) && is_behind_loop_of(load.op, other.load.op))
}

/// The operations of one block that are around `first` and `second`, or are them.
fn beside<'c>(first: Op<'c>, second: Op<'c>) -> Option<(Op<'c>, Op<'c>)> {
    first.ancestors().find_map(|around| Some((around, second.ancestor_in(around.block()?)?)))
}

/// A loop around `earlier` ends before `op`.
fn is_behind_loop_of(op: Op<'_>, earlier: Op<'_>) -> bool {
    beside(earlier, op).is_some_and(|(earlier, op)| earlier != op && is_loop(earlier) && earlier.is_before_in_block(op))
}

/// Something reads the parameters later than the block of `op` does.
fn is_read_behind(op: Op<'_>, parameters: &FxHashSet<usize>, reads: &[Read<'_>]) -> bool {
    let others = reads.iter().filter(|read| read.shares_with(parameters) && read.load.op.block() != op.block());
    let mut places = others.filter_map(|read| beside(op, read.load.op));
    places.any(|(op, read)| op == read || op.is_before_in_block(read))
}

/// Takes the marks from loads that came into one block with those that read the tensor before. Two loops have become straight code, which may have the
/// elements in registers if the accesses are alike.
pub(crate) fn unmark_straight_code(function: Op<'_>) {
    let reads: Vec<Read<'_>> = function.descendants().into_iter().filter_map(Read::of).collect();
    let (marked, others): (Vec<_>, Vec<_>) = reads.iter().partition(|read| read.load.op.attr(LAST_USE).is_some());
    for read in marked {
        let is_earlier = |other: &&Read<'_>| {
            let (own, other) = (read.load.op, other.load.op);
            own.block() == other.block() && other.is_before_in_block(own)
        };
        if others.iter().any(|other| read.shares_with(&other.parameters) && is_earlier(other)) {
            read.load.op.remove_attr(LAST_USE);
        }
    }
}

/// It stands beside a last read, and the kernel does not read what it writes.
fn is_for_others(store: StoreOp<'_>, last: &[&Read<'_>], reads: &[Read<'_>]) -> bool {
    let is_plain = store.cache() == CacheModifier::None && store.eviction() == EvictionPolicy::Normal;
    let is_beside = || last.iter().any(|read| read.load.op.block() == store.op.block());
    let is_read = || parameters_of(store.ptr()).is_none_or(|written| is_read_behind(store.op, &written, reads));
    is_plain && store.ptr().ty().is_tensor() && is_beside() && !is_read()
}

fn mark(access: Op<'_>) {
    access.set_attr(LAST_USE, access.context().unit_attr());
}
