//! Puts the terms of sums and conjunctions in the order in which they can be computed early: what changes in fewer loops comes first, and
//! what has one shape before it is replicated stands together.
//!
//! In a loop in which `k` changes, `p + k[None, :] + rows[:, None] + heads[:, None]` becomes `((p + rows + heads)[:, None]) + k[None, :]`: the
//! inner sum has an element for each row instead of each pair, and leaves the loop as one value instead of three. The same holds of masks,
//! whose conditions are predicates, of which a thread has few.
//!
//! Integers wrap around, so the order of a sum does not matter; pointers are sums of offsets of which each is widened by itself, which stays
//! so. `reorder-broadcast` then computes before it replicates, and `licm` moves what does not change.
//!
//! A chain of pointers goes on where a sum is replicated: `(p + k)[None, :] + rows[:, None]` adds in each iteration for each column and for each pair,
//! and `(p + rows)[:, None] + k[None, :]` for each pair alone. The terms of the inner sum are replicated by themselves then, each with its own width.
//! The chain is written so where fewer elements are computed in the loops, and what leaves them has fewer than the whole sum ([`Chain::saves_work`],
//! [measurements](../../../docs/measurements.md#pointers-that-loops-replicate-begin-with-what-stays)).
//!
//! Offsets of 64 bits are exact modulo 2^64, as pointers are. One number that such an offset adds to rows which change in more loops goes to the
//! pointers: `p + (batch + rows)` becomes `(p + batch) + rows`, whose first sum leaves the loop ([`WideSum`]).
//!
//! A scalar is added to a pointer before that is repeated, which is one sum for all elements. Where a load in the loop gives the scalar, and each thread
//! has one element that it loads from there, it is added behind the columns.
//!
//! 1. Find the loops in which each value changes.  2. Find chains of one operation.  3. Sort their terms, and write the chain again.
//! 4. Move numbers of wide sums to the pointers.  5. Add rows that loads give behind columns that stay ([`LoadedRow`]).

mod chain;
mod loaded_numbers;
mod wide_sums;

use crate::control_flow::{loop_depth, remove_dead};
use crate::operations::control::is_loop;
use crate::{Pass, PassContext};
use chain::Chain;
use loaded_numbers::LoadedRow;
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::{Module, Op, OpKind, Value};
use wide_sums::{WideSum, is_wide_sum};

/// The pass.
pub const PASS: Pass = Pass { name: "regroup-terms", summary: "order the terms of addresses and masks", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    for function in module.functions() {
        let mut changes = Changes::of(function);
        for op in function.descendants() {
            regroup(op, &mut changes);
        }
        remove_dead(function);
        move_numbers_to_pointers(function);
        add_loaded_rows_last(function, cx);
    }
    Ok(())
}

/// Step 3, for the chain that an operation ends: the longest one that pays.
fn regroup(last: Op<'_>, changes: &mut Changes) {
    if let Some(chain) = Chain::through_replications(last, changes)
        && let Some(order) = chain.better_order().filter(|order| chain.saves_work(order))
    {
        return chain.write(&order, changes);
    }
    if let Some(chain) = Chain::ending_in(last, changes)
        && let Some(order) = chain.better_order()
    {
        chain.write(&order, changes);
    }
}

/// Step 4, on the chains as they were written: what step 3 replaced is gone, and uses nothing any more.
fn move_numbers_to_pointers(function: Op<'_>) {
    let sums: Vec<Op<'_>> = function.descendants().into_iter().filter(|op| is_wide_sum(*op)).collect();
    if sums.is_empty() {
        return;
    }
    let mut changes = Changes::of(function);
    for op in sums {
        if let Some(sum) = WideSum::of(op, &changes) {
            sum.write(&mut changes);
        }
    }
    remove_dead(function);
}

/// Step 5: what is kept leaves the loop with `licm`.
fn add_loaded_rows_last(function: Op<'_>, cx: &PassContext) {
    let mut changes = Changes::of(function);
    for op in function.descendants() {
        if let Some(row) = LoadedRow::of(op, &changes, cx) {
            row.write(&mut changes);
        }
    }
    remove_dead(function);
}

/// For each value, the number of nested loops in which it changes: what is computed from constants and arguments alone changes in none, wherever
/// it is written.
struct Changes {
    depths: FxHashMap<usize, u32>,
}

impl Changes {
    fn of(function: Op<'_>) -> Self {
        let mut changes = Self { depths: FxHashMap::default() };
        for op in function.descendants() {
            let depth = if op.num_regions() == 0 && op.is_pure() {
                op.operands().into_iter().map(|operand| changes.depth(operand)).max().unwrap_or(0)
            } else {
                loop_depth(op)
            };
            for result in op.results() {
                changes.note(result, depth);
            }
        }
        changes
    }

    fn depth(&self, value: Value<'_>) -> u32 {
        let known = || self.depths.get(&value.id()).copied();
        let Some((block, _)) = value.block_argument() else { return known().unwrap_or(0) };
        block.parent_op().map_or(0, |parent| loop_depth(parent) + u32::from(is_loop(parent)))
    }

    /// The loops in which the result of an operation changes, which may be a new one.
    fn note(&mut self, value: Value<'_>, depth: u32) {
        self.depths.insert(value.id(), depth);
    }
}

/// It gives each element of its operand to several elements, or to one; no hint says anything of these.
fn is_replication(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtBroadcast | OpKind::TtExpandDims) && op.discardable_attrs().is_empty()
}

/// The only use of the operation's result is an operation of the same kind beside it, which makes it an inner part of that one's chain.
fn continues_in(op: Op<'_>) -> bool {
    let users = op.result(0).users();
    let [(user, operand)] = users[..] else { return false };
    let is_inner = user.kind() != OpKind::TtAddPtr || operand == 0;
    user.kind() == op.kind() && user.block() == op.block() && is_inner && op.discardable_attrs().is_empty()
}
