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
//! 1. Find the loops in which each value changes.  2. Find chains of one operation.  3. Sort their terms, and write the chain again.

use crate::control_flow::{loop_depth, remove_dead};
use crate::operations::control::is_loop;
use crate::{Pass, PassContext};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::{Builder, Location, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "regroup-terms", summary: "order the terms of addresses and masks", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        let changes = Changes::of(function);
        for op in function.descendants() {
            let Some(chain) = Chain::ending_in(op, &changes) else { continue };
            if let Some(order) = chain.better_order() {
                chain.write(&order);
            }
        }
        remove_dead(function);
    }
    Ok(())
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
                changes.depths.insert(result.id(), depth);
            }
        }
        changes
    }

    fn depth(&self, value: Value<'_>) -> u32 {
        let known = || self.depths.get(&value.id()).copied();
        let Some((block, _)) = value.block_argument() else { return known().unwrap_or(0) };
        block.parent_op().map_or(0, |parent| loop_depth(parent) + u32::from(is_loop(parent)))
    }
}

/// A term, and where the source adds it.
struct Term<'c> {
    value: Value<'c>,
    location: Location<'c>,
    /// Loops in which it changes.
    depth: u32,
    /// Its shape before it is replicated.
    shape: Vec<i64>,
}

/// Terms that are combined one after the other, by operations that have no other use.
struct Chain<'c> {
    /// The last of them.
    last: Op<'c>,
    /// Of a sum of pointers, what the offsets are added to.
    base: Option<Value<'c>>,
    terms: Vec<Term<'c>>,
}

/// Terms of a chain; longer ones stay as they are.
const MAX_TERMS: usize = 32;

impl<'c> Chain<'c> {
    fn ending_in(last: Op<'c>, changes: &Changes) -> Option<Self> {
        let kind = last.kind();
        if !is_reordered(kind) || !last.result(0).ty().is_tensor() || continues_in(last) {
            return None;
        }
        let mut chain = Self { last, base: None, terms: Vec::new() };
        // The operand that is to be looked at next is the last.
        let mut pending = vec![(last.result(0), last.loc())];
        while let Some((value, location)) = pending.pop() {
            let inner = value.defining_op().filter(|op| *op == last || op.kind() == kind && continues_in(*op));
            match inner {
                Some(op) if kind == OpKind::TtAddPtr => {
                    pending.push((op.operand(0), op.loc()));
                    chain.add(op.operand(1), op.loc(), changes);
                }
                Some(op) => pending.extend([(op.operand(1), op.loc()), (op.operand(0), op.loc())]),
                None if kind == OpKind::TtAddPtr => chain.base = Some(value),
                None => chain.add(value, location, changes),
            }
            if chain.terms.len() + pending.len() > MAX_TERMS {
                return None;
            }
        }
        if kind == OpKind::TtAddPtr {
            // They were found from the last to the first.
            chain.terms.reverse();
        }
        (chain.terms.len() + usize::from(chain.base.is_some()) > 2).then_some(chain)
    }

    fn add(&mut self, value: Value<'c>, location: Location<'c>, changes: &Changes) {
        self.terms.push(Term { value, location, depth: changes.depth(value), shape: shape_before_replication(value) });
    }

    /// The order in which the terms are combined best, by their places now; `None` when they are in it.
    fn better_order(&self) -> Option<Vec<usize>> {
        let first_of_shape = |term: &Term<'_>| {
            let is_like = |other: &Term<'_>| other.depth == term.depth && other.shape == term.shape;
            // What is one element repeated fits to any shape.
            if term.shape.is_empty() { Some(0) } else { self.terms.iter().position(is_like) }
        };
        let whole = self.last.result(0).ty().shape();
        let key = |term: &Term<'c>| (term.depth, term.shape == whole, first_of_shape(term));
        let keys: Vec<_> = self.terms.iter().map(key).collect();
        let mut order: Vec<usize> = (0..self.terms.len()).collect();
        order.sort_by_key(|index| keys[*index]);
        (!order.is_sorted()).then_some(order)
    }

    fn write(&self, order: &[usize]) {
        let kind = self.last.kind();
        let mut builder = Builder::before(self.last);
        let mut terms = order.iter().map(|index| &self.terms[*index]);
        let first = self.base.or_else(|| terms.next().map(|term| term.value));
        let combined = terms.fold(first, |sum, term| {
            builder.set_location(term.location);
            let sum = sum?;
            Some(if kind == OpKind::TtAddPtr {
                builder.addptr(sum, term.value)
            } else {
                builder.binary(kind, sum, term.value)
            })
        });
        let Some(combined) = combined else { return };
        if let Some(op) = combined.defining_op() {
            // It is the same value in another order, so what hints say of it holds.
            for (name, hint) in self.last.discardable_attrs() {
                op.set_attr(name, hint);
            }
        }
        self.last.result(0).replace_all_uses_with(combined);
    }
}

/// Operations whose chains are sorted: sums, and conjunctions and disjunctions of conditions.
fn is_reordered(kind: OpKind) -> bool {
    matches!(kind, OpKind::TtAddPtr | OpKind::ArithAddI | OpKind::ArithAndI | OpKind::ArithOrI)
}

/// The only use of the operation's result is an operation of the same kind beside it, which makes it an inner part of that one's chain.
fn continues_in(op: Op<'_>) -> bool {
    let users = op.result(0).users();
    let [(user, operand)] = users[..] else { return false };
    let is_inner = user.kind() != OpKind::TtAddPtr || operand == 0;
    user.kind() == op.kind() && user.block() == op.block() && is_inner && op.discardable_attrs().is_empty()
}

/// The shape of what a value repeats; empty for one element.
fn shape_before_replication(value: Value<'_>) -> Vec<i64> {
    let op = value.defining_op();
    match op.map(|op| op.kind()) {
        Some(OpKind::TtSplat) => Vec::new(),
        Some(OpKind::ArithConstant) if value.constant().is_some_and(|constant| constant.as_splat().is_some()) => {
            Vec::new()
        }
        Some(OpKind::TtBroadcast) => op.map_or_else(Vec::new, |op| op.operand(0).ty().shape()),
        _ => value.ty().shape(),
    }
}
