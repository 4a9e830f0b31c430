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
//! Offsets of 64 bits are exact modulo 2^64, as pointers are. One number that such an offset adds to rows which change in more loops goes to the
//! pointers: `p + (batch + rows)` becomes `(p + batch) + rows`, whose first sum leaves the loop ([`WideSum`]).
//!
//! 1. Find the loops in which each value changes.  2. Find chains of one operation.  3. Sort their terms, and write the chain again.
//! 4. Move numbers of wide sums to the pointers.

use crate::control_flow::{loop_depth, remove_dead};
use crate::operations::control::is_loop;
use crate::{Pass, PassContext};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::{Builder, Location, Module, Op, OpKind, Type, Value};

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
        move_numbers_to_pointers(function);
    }
    Ok(())
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

/// Pointers that a wide sum may lead to: a thread keeps 64 bits more for each.
const MOST_POINTERS: usize = 4;

/// Uses that are looked at between a wide sum and the pointers.
const MOST_USES: usize = 16;

/// Numbers that a wide sum may move to the pointers.
const MOST_NUMBERS: usize = 4;

/// A sum of 64 bits, of numbers that are the same for all elements and a rest that changes in more loops than they do, and than what it moves.
///
/// It is computed in each iteration, once for each row of a thread. With the numbers at the pointers it need not be: the rows are widened, scaled
/// and added by one instruction (`IMAD.WIDE`). So the sum must lead to pointers only, whose offsets it is a term of, or it would be computed all
/// the same. Between them are sums and replication, which compute the same numbers without it.
struct WideSum<'c> {
    sum: Op<'c>,
    /// Scalars.
    numbers: Vec<Value<'c>>,
    rest: Value<'c>,
    pointers: Vec<MovedPointer<'c>>,
}

/// Pointers to elements, as one pointer and their offsets.
struct MovedPointer<'c> {
    /// The addition of the offsets.
    addition: Op<'c>,
    /// The pointer that they are added to: a scalar.
    start: Value<'c>,
}

impl<'c> WideSum<'c> {
    fn of(sum: Op<'c>, changes: &Changes) -> Option<Self> {
        let orders = [[0, 1], [1, 0]];
        let (numbers, rest) = orders
            .into_iter()
            .find_map(|[number, rest]| Some((numbers_of(sum.operand(number))?, sum.operand(rest))))?;
        let pointers = pointers_moved_by(sum)?;
        let starts = pointers.iter().map(|pointer| pointer.start);
        let unchanged = numbers.iter().copied().chain(starts).map(|value| changes.depth(value)).max()?;
        (changes.depth(rest) > unchanged).then_some(Self { sum, numbers, rest, pointers })
    }

    fn write(&self, changes: &mut Changes) {
        for pointer in &self.pointers {
            let mut builder = Builder::before(pointer.addition).with_location(self.sum.loc());
            let mut depth = changes.depth(pointer.start);
            let mut start = pointer.start;
            for number in &self.numbers {
                depth = depth.max(changes.depth(*number));
                start = builder.addptr(start, *number);
            }
            // A later sum may move it once more.
            changes.depths.insert(start.id(), depth);
            let repeated = builder.splat(start, pointer.addition.operand(0).ty());
            pointer.addition.set_operand(0, repeated);
        }
        self.sum.result(0).replace_all_uses_with(self.rest);
    }
}

/// A sum of tensors of 64 bits of which no hint says anything.
fn is_wide_sum(op: Op<'_>) -> bool {
    let is_wide = |ty: Type<'_>| ty.is_tensor() && ty.element_bits() == 64;
    op.kind() == OpKind::ArithAddI && is_wide(op.result(0).ty()) && op.discardable_attrs().is_empty()
}

/// The scalar that a tensor repeats.
fn repeated_scalar(value: Value<'_>) -> Option<Value<'_>> {
    value.defining_op().filter(|op| op.kind() == OpKind::TtSplat).map(|op| op.operand(0))
}

/// The scalars whose sum a tensor repeats.
fn numbers_of(value: Value<'_>) -> Option<Vec<Value<'_>>> {
    let (mut numbers, mut pending) = (Vec::new(), vec![value]);
    while let Some(value) = pending.pop() {
        match repeated_scalar(value) {
            Some(number) => numbers.push(number),
            None => pending.extend(value.defining_op().filter(|op| is_wide_sum(*op))?.operands()),
        }
        if numbers.len() + pending.len() > MOST_NUMBERS {
            return None;
        }
    }
    Some(numbers)
}

/// The pointers whose offsets have the sum as a term, each once; `None` where it leads to anything else.
fn pointers_moved_by(sum: Op<'_>) -> Option<Vec<MovedPointer<'_>>> {
    let (mut pointers, mut pending, mut uses) = (Vec::new(), vec![sum], 0);
    while let Some(op) = pending.pop() {
        for (user, operand) in op.result(0).users() {
            uses += 1;
            if user.kind() == OpKind::TtAddPtr {
                let start = repeated_scalar(user.operand(0)).filter(|_| operand == 1)?;
                pointers.push(MovedPointer { addition: user, start });
            } else if is_wide_sum(user) || is_replication(user) {
                pending.push(user);
            } else {
                return None;
            }
            if uses > MOST_USES || pointers.len() > MOST_POINTERS {
                return None;
            }
        }
    }
    let is_moved_once = |at: usize| pointers[..at].iter().all(|other| other.addition != pointers[at].addition);
    (!pointers.is_empty() && (0..pointers.len()).all(is_moved_once)).then_some(pointers)
}

/// It gives each element of its operand to several elements, or to one; no hint says anything of these.
fn is_replication(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtBroadcast | OpKind::TtExpandDims) && op.discardable_attrs().is_empty()
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
