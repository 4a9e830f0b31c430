//! Puts flat indices together again that a program takes apart by division.
//!
//! A program whose elements have rows and columns computes `y = x // n` and `x % n`, moves both, and adds them up in addresses:
//! `(y + i) * n + (x % n + j)`. That is `x + i * n + j`: all addresses are those of `x` and a distance, which is one number where `i`, `j` and `n` are.
//! Quotients and remainders that only addresses need go; masks keep those that they compare.
//!
//! A sum becomes products of values, each with a constant ([`Term`]). For a remainder `x % n` with a factor and the quotient `x / n` with that factor
//! times `n`, the dividend takes their place with the factor, until no such pair is left: in `b * (m * n) + c * n + x % n` with `b` and `c` of `x / n`
//! the first two become `(x / n) * n`. Truncated division keeps `x = (x / n) * n + x % n` for all signs.
//!
//! Integers of one width wrap around, so their sums are exact modulo it. Offsets of pointers, and what is widened, are sums of numbers that are
//! widened by themselves: a narrow sum is taken apart only where it cannot wrap around. That follows from constants and divisors, and, where only
//! accesses with one mask have the pointers, from what their mask compares: elsewhere nothing is accessed.
//!
//! 1. Find the addends of a sum.  2. Take them apart, and join pairs.  3. Write the addends that had a part in it again, if that takes no more operations.
//!
//! Operations with hints stay as they are: what is known of their result may not be known of its parts.
//!
//! Quotients and remainders that are left are taken apart where the dividend begins at a multiple of the divisor ([`aligned_blocks`]).

pub(crate) mod aligned_blocks;
mod intervals;
mod terms;

use crate::control_flow::remove_dead;
use crate::masked_values::parts_of;
use terms::{Expansion, Term, merged};
use tk_ir::ops::{LoadOp, StoreOp};
use tk_ir::{Builder, Op, OpKind, Type, Value};

/// Addends of a sum; longer ones stay as they are.
const MOST_ADDENDS: usize = 16;

/// Users of pointers that are looked at for a mask that all of them have.
const MOST_USERS: usize = 8;

/// Constants as offsets of 32 bits.
const MOST_NARROW: i64 = 1 << 30;

/// Puts the indices of all sums of a function together.
pub(crate) fn put_together(function: Op<'_>) {
    let ops = function.descendants();
    if !ops.iter().any(|op| is_remainder(*op)) {
        return;
    }
    let mut has_changed = false;
    for op in ops {
        let replacement = FlatSum::ending_in(op).and_then(FlatSum::put_together);
        if let Some(value) = replacement {
            op.result(0).replace_all_uses_with(value);
            has_changed = true;
        }
    }
    if has_changed {
        remove_dead(function);
    }
}

fn is_remainder(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::ArithRemSI | OpKind::ArithRemUI)
}

/// A sum of integers, or a pointer with offsets.
struct FlatSum<'c> {
    last: Op<'c>,
    /// What the offsets of pointers are added to.
    base: Option<Value<'c>>,
    addends: Vec<Value<'c>>,
}

impl<'c> FlatSum<'c> {
    fn ending_in(last: Op<'c>) -> Option<Self> {
        let is_sum = matches!(last.kind(), OpKind::TtAddPtr | OpKind::ArithAddI | OpKind::ArithSubI);
        if !is_sum || !last.discardable_attrs().is_empty() || !last.result(0).has_uses() {
            return None;
        }
        let ty = last.result(0).ty();
        let is_known =
            ty.encoding().is_none() && (ty.element().is_ptr() || ty.element_bits() >= 8 && !ty.element().is_index());
        if !is_known {
            return None;
        }
        let (mut base, mut addends, mut pending) = (None, Vec::new(), vec![last.result(0)]);
        while let Some(value) = pending.pop() {
            let inner = value.defining_op().filter(|op| *op == last || op.discardable_attrs().is_empty());
            let kind = inner.map(|op| op.kind()).filter(|kind| *kind == last.kind());
            match inner.filter(|_| kind.is_some()) {
                Some(op) if op.kind() == OpKind::TtAddPtr => {
                    addends.push(op.operand(1));
                    pending.push(op.operand(0));
                }
                Some(op) if op.kind() == OpKind::ArithAddI => pending.extend([op.operand(1), op.operand(0)]),
                // A difference is taken apart as a whole.
                Some(_) => addends.push(value),
                None if last.kind() == OpKind::TtAddPtr => base = Some(value),
                None => addends.push(value),
            }
            if addends.len() + pending.len() > MOST_ADDENDS {
                return None;
            }
        }
        if base.is_some() {
            // They were found from the last to the first.
            addends.reverse();
        }
        Some(Self { last, base, addends })
    }

    /// The same sum with indices in place of their parts; `None` where there are none, or where that would take more operations.
    fn put_together(self) -> Option<Value<'c>> {
        let conditions = if self.base.is_some() { conditions_of(self.last.result(0)) } else { Vec::new() };
        let ty = self.last.result(0).ty();
        let mut expansion = Expansion::new(ty.element_bits(), &conditions);
        let mut terms = Vec::new();
        let mut operations = Vec::new();
        for (source, addend) in self.addends.iter().enumerate() {
            let before = expansion.operations();
            terms.extend(expansion.terms_of(*addend).into_iter().map(|term| Sourced { term, sources: vec![source] }));
            operations.push(expansion.operations() - before);
        }
        // Each pair leaves one term less.
        while join_pair(&mut terms, &mut expansion) {}
        let mut is_touched = vec![false; self.addends.len()];
        for sourced in terms.iter().filter(|sourced| sourced.is_joined()) {
            sourced.sources.iter().for_each(|source| is_touched[*source] = true);
        }
        if !is_touched.contains(&true) {
            return None;
        }
        let has_part = |sourced: &Sourced<'c>| sourced.sources.iter().any(|source| is_touched[*source]);
        let parts: Vec<Term<'c>> = terms.into_iter().filter(has_part).map(|sourced| sourced.term).collect();
        let parts = Parts::of(merged(parts, ty.element_bits()), ty);
        let touched = (0..self.addends.len()).filter(|source| is_touched[*source]);
        let before: usize = touched.map(|source| operations[source] + 1).sum();
        if parts.operations() > before || self.base.is_some() && !parts.are_offsets() {
            return None;
        }
        let stays: Vec<Value<'c>> = self
            .addends
            .iter()
            .zip(&is_touched)
            .filter(|(_, is_touched)| !**is_touched)
            .map(|(addend, _)| *addend)
            .collect();
        let mut builder = Builder::before(self.last);
        Some(match self.base {
            Some(base) => self.pointer(base, &stays, &parts, &mut builder),
            None => number(&stays, &parts, ty, &mut builder),
        })
    }

    /// The pointer with offsets: one number goes last, since loads and stores add it themselves.
    fn pointer(&self, base: Value<'c>, stays: &[Value<'c>], parts: &Parts<'c>, builder: &mut Builder<'c>) -> Value<'c> {
        let ty = self.last.result(0).ty();
        let wide = ty.with_element(builder.context().i(64));
        let mut pointer = base;
        for offset in stays {
            pointer = self.moved(pointer, *offset, builder);
        }
        for term in &parts.repeated {
            let offset = term.written(wide, builder);
            pointer = self.moved(pointer, offset, builder);
        }
        for term in &parts.varying {
            // `are_offsets` says that it is one value, maybe widened.
            if let [offset] = term.factors[..] {
                pointer = self.moved(pointer, offset, builder);
            }
        }
        if parts.constant == 0 {
            return pointer;
        }
        let bits = if parts.constant.unsigned_abs() < MOST_NARROW.unsigned_abs() { 32 } else { 64 };
        let offset_ty = ty.with_element(builder.context().i(bits));
        let constant = builder.int(offset_ty, parts.constant);
        builder.addptr(pointer, constant)
    }

    /// A pointer with one offset more: the one that an earlier sum has made, where there is one, so that all accesses share it.
    fn moved(&self, pointer: Value<'c>, offset: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
        let is_same = |op: &Op<'c>| {
            op.kind() == OpKind::TtAddPtr
                && op.operand(0) == pointer
                && op.operand(1) == offset
                && op.discardable_attrs().is_empty()
                && op.result(0).dominates(self.last)
        };
        let made = pointer.users().into_iter().map(|(user, _)| user).find(is_same);
        made.map_or_else(|| builder.addptr(pointer, offset), |op| op.result(0))
    }
}

/// A term, and the addends that it comes from: several for what was joined.
struct Sourced<'c> {
    term: Term<'c>,
    sources: Vec<usize>,
}

impl Sourced<'_> {
    /// It was two terms, maybe both of one addend.
    fn is_joined(&self) -> bool {
        self.sources.len() > 1
    }
}

/// Joins a remainder and its quotient; false where there is no such pair.
fn join_pair<'c>(terms: &mut Vec<Sourced<'c>>, expansion: &mut Expansion<'c, '_>) -> bool {
    for rest in 0..terms.len() {
        for counterpart in expansion.counterparts(&terms[rest].term) {
            let is_whole = |(at, sourced): (usize, &Sourced<'c>)| at != rest && counterpart.is_whole(&sourced.term);
            let Some(whole) = terms.iter().enumerate().position(is_whole) else { continue };
            let sources = std::mem::take(&mut terms[whole].sources);
            terms[rest].sources.extend(sources);
            terms[rest].term = counterpart.joined;
            terms.remove(whole);
            return true;
        }
    }
    false
}

/// The terms of a sum by how they are written.
struct Parts<'c> {
    /// Terms that differ between the elements of a tensor; all terms with values in a sum of scalars.
    varying: Vec<Term<'c>>,
    /// Terms that are one number for all elements of a tensor.
    repeated: Vec<Term<'c>>,
    constant: i64,
}

impl<'c> Parts<'c> {
    fn of(terms: Vec<Term<'c>>, ty: Type<'c>) -> Self {
        let mut parts = Self { varying: Vec::new(), repeated: Vec::new(), constant: 0 };
        for term in terms {
            if term.factors.is_empty() {
                // Terms with the same factors are merged, so there is one.
                parts.constant = term.coefficient;
            } else if ty.is_tensor() && term.factors.iter().all(|factor| !factor.ty().is_tensor()) {
                parts.repeated.push(term);
            } else {
                parts.varying.push(term);
            }
        }
        parts
    }

    /// Operations on elements that it takes to add them up.
    fn operations(&self) -> usize {
        let varying: usize = self.varying.iter().map(Term::operations).sum();
        varying + self.varying.len() + self.repeated.len() + usize::from(self.constant != 0)
    }

    /// What varies is added to pointers as it is: a product would have to be one of 64 bits. Offsets have at least 32.
    fn are_offsets(&self) -> bool {
        let is_offset = |factors: &[Value<'c>]| matches!(factors, [factor] if factor.ty().element_bits() >= 32);
        self.varying.iter().all(|term| term.coefficient == 1 && is_offset(&term.factors))
    }
}

/// A sum of integers.
fn number<'c>(stays: &[Value<'c>], parts: &Parts<'c>, ty: Type<'c>, builder: &mut Builder<'c>) -> Value<'c> {
    let mut addends: Vec<Value<'c>> = parts.varying.iter().map(|term| term.written(ty, builder)).collect();
    addends.extend(stays);
    addends.extend(parts.repeated.iter().map(|term| term.written(ty, builder)));
    if parts.constant != 0 || addends.is_empty() {
        addends.push(builder.int(ty, parts.constant));
    }
    let mut sum = addends[0];
    for addend in &addends[1..] {
        sum = builder.binary(OpKind::ArithAddI, sum, *addend);
    }
    sum
}

/// What is true of each element that is accessed by these pointers; nothing where they have users of another kind, or users with several masks.
fn conditions_of(pointers: Value<'_>) -> Vec<Value<'_>> {
    let users = pointers.users();
    if users.len() > MOST_USERS {
        return Vec::new();
    }
    let mut masks = users.into_iter().map(|(user, operand)| if operand == 0 { mask_of(user) } else { None });
    match masks.next().flatten() {
        Some(mask) if masks.all(|other| other == Some(mask)) => parts_of(mask),
        Some(_) | None => Vec::new(),
    }
}

/// The mask of a load or a store.
fn mask_of(op: Op<'_>) -> Option<Value<'_>> {
    LoadOp::cast(op).and_then(|load| load.mask()).or_else(|| StoreOp::cast(op).and_then(|store| store.mask()))
}
