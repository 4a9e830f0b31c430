//! Chains of one operation, and the order in which their terms are combined best.

use super::{Changes, continues_in, is_replication};
use tk_ir::ops::ExpandDimsOp;
use tk_ir::{Builder, Location, Op, OpKind, Value};

/// Terms of a chain; longer ones stay as they are.
const MAX_TERMS: usize = 32;

/// Replications between two sums of a chain.
const MOST_REPLICATIONS: usize = 8;

/// A term, and where the source adds it.
struct Term<'c> {
    value: Value<'c>,
    location: Location<'c>,
    /// Loops in which it changes.
    depth: u32,
    /// Its shape before it is replicated, with the axes of the whole chain.
    shape: Vec<i64>,
    /// The shape of the sum that it is a term of in the source, with the axes of the whole chain.
    sum: Vec<i64>,
    /// How many of [`Chain::replications`] stand behind that sum: the first ones.
    replications: usize,
}

/// Terms that are combined one after the other, by operations that have no other use.
pub(super) struct Chain<'c> {
    /// The last of them.
    last: Op<'c>,
    /// Of a sum of pointers, what the offsets are added to.
    base: Option<Term<'c>>,
    terms: Vec<Term<'c>>,
    /// What replicates inner sums of pointers, the last of them first.
    replications: Vec<Op<'c>>,
}

/// What it takes to add the terms of a chain in some order.
struct Work {
    /// Elements that are computed in the deepest loops in which the chain changes.
    computed: i64,
    /// Elements of the sum that those loops begin with, if they begin with one.
    kept: i64,
}

impl<'c> Chain<'c> {
    fn without_terms(last: Op<'c>) -> Self {
        Self { last, base: None, terms: Vec::new(), replications: Vec::new() }
    }

    /// The chain without what is replicated on the way.
    pub(super) fn ending_in(last: Op<'c>, changes: &Changes) -> Option<Self> {
        let kind = last.kind();
        if !ends_a_chain(last) {
            return None;
        }
        let mut chain = Self::without_terms(last);
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
                None if kind == OpKind::TtAddPtr => chain.base = Some(chain.term(value, location, changes)),
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

    /// The chain of a sum of pointers with the terms of sums that are replicated on the way; `None` where none is.
    pub(super) fn through_replications(last: Op<'c>, changes: &Changes) -> Option<Self> {
        // Where tensors have layouts, replication changes these.
        let is_plain = last.kind() == OpKind::TtAddPtr && last.result(0).ty().encoding().is_none();
        if !is_plain || !ends_a_chain(last) {
            return None;
        }
        let mut chain = Self::without_terms(last);
        let mut sum = last;
        while chain.terms.len() < MAX_TERMS {
            let pointers = sum.operand(0);
            chain.add(sum.operand(1), sum.loc(), changes);
            let Some(inner) = InnerSum::of(pointers, last) else {
                chain.base = Some(chain.term(pointers, sum.loc(), changes));
                // They were found from the last to the first.
                chain.terms.reverse();
                return (!chain.replications.is_empty()).then_some(chain);
            };
            chain.replications.extend(inner.replications);
            sum = inner.op;
        }
        None
    }

    fn add(&mut self, value: Value<'c>, location: Location<'c>, changes: &Changes) {
        let term = self.term(value, location, changes);
        self.terms.push(term);
    }

    /// What stands behind all replications that were found so far.
    fn term(&self, value: Value<'c>, location: Location<'c>, changes: &Changes) -> Term<'c> {
        Term {
            value,
            location,
            depth: changes.depth(value),
            shape: with_axes(shape_before_replication(value), &self.replications),
            sum: with_axes(value.ty().shape(), &self.replications),
            replications: self.replications.len(),
        }
    }

    /// The order in which the terms are combined best, by their places now; `None` when they are in it.
    pub(super) fn better_order(&self) -> Option<Vec<usize>> {
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

    /// In this order fewer elements are computed in the deepest loops than in the order of the source, and what is the same in them has fewer elements than
    /// the whole sum: a thread keeps it, in two registers for each.
    ///
    /// Two terms of columns that change, for instance, are better added to each other before they are replicated; and rows that do not change, with other
    /// columns that do not, are a pointer for each pair.
    pub(super) fn saves_work(&self, order: &[usize]) -> bool {
        let whole = self.last.result(0).ty().shape();
        let in_source: Vec<usize> = (0..self.terms.len()).collect();
        let before = self.work(&in_source, |term| term.sum.clone());
        let after = self.work(order, |_| whole.clone());
        after.computed < before.computed && after.kept < elements(&whole)
    }

    /// `replicated` is the shape of the sum with a term that has another shape than what it is added to.
    fn work(&self, order: &[usize], replicated: impl Fn(&Term<'c>) -> Vec<i64>) -> Work {
        let mut work = Work { computed: 0, kept: 0 };
        let Some(base) = &self.base else { return work };
        let deepest = self.terms.iter().map(|term| term.depth).fold(base.depth, u32::max);
        let (mut shape, mut depth) = (base.shape.clone(), base.depth);
        for term in order.iter().map(|index| &self.terms[*index]) {
            depth = depth.max(term.depth);
            if shape.is_empty() {
                shape.clone_from(&term.shape);
            } else if !term.shape.is_empty() && term.shape != shape {
                shape = replicated(term);
            }
            if depth == deepest {
                work.computed += elements(&shape);
            } else {
                work.kept = elements(&shape);
            }
        }
        work
    }

    /// Writes the chain again before its last operation.
    pub(super) fn write(&self, order: &[usize], changes: &mut Changes) {
        let kind = self.last.kind();
        let mut builder = Builder::before(self.last);
        let mut combined: Option<Value<'c>> = None;
        for term in self.base.iter().chain(order.iter().map(|index| &self.terms[*index])) {
            builder.set_location(term.location);
            let value = self.replicated(term, &mut builder);
            changes.note(value, term.depth);
            combined = Some(match combined {
                None => value,
                Some(sum) if kind == OpKind::TtAddPtr => builder.addptr(sum, value),
                Some(sum) => builder.binary(kind, sum, value),
            });
        }
        let Some(combined) = combined else { return };
        // Another chain may have it as a term.
        let depth = changes.depth(self.last.result(0));
        changes.note(combined, depth);
        if let Some(op) = combined.defining_op() {
            // It is the same value in another order, so what hints say of it holds.
            for (name, hint) in self.last.discardable_attrs() {
                op.set_attr(name, hint);
            }
        }
        self.last.result(0).replace_all_uses_with(combined);
    }

    /// A term as the last operation of the chain can add it.
    fn replicated(&self, term: &Term<'c>, builder: &mut Builder<'c>) -> Value<'c> {
        let replications = &self.replications[..term.replications];
        if replications.is_empty() {
            return term.value;
        }
        let ty = term.value.ty().with_shape(&self.last.result(0).ty().shape());
        if let Some(scalar) = term.value.splat_source() {
            return builder.splat(scalar, ty);
        }
        if let Some(number) = term.value.constant().and_then(|constant| constant.as_splat()) {
            let constant = builder.context().splat_attr(ty, number);
            return builder.constant(constant);
        }
        let broadcast = term.value.defining_op().filter(|op| op.kind() == OpKind::TtBroadcast);
        let mut value = broadcast.map_or(term.value, |op| op.operand(0));
        for expansion in expansions(replications) {
            let mut shape = value.ty().shape();
            shape.insert(expansion.axis(), 1);
            value = builder.expand_dims(value, expansion.axis(), value.ty().with_shape(&shape));
        }
        if value.ty() == ty { value } else { builder.broadcast(value, ty) }
    }
}

/// A sum of pointers that another one begins with.
struct InnerSum<'c> {
    op: Op<'c>,
    /// What stands between the two, the last first.
    replications: Vec<Op<'c>>,
}

impl<'c> InnerSum<'c> {
    /// `None` where something else needs the sum or what it is replicated to, where a hint says something of one of them, or where it stands in another
    /// block than the end of the chain.
    fn of(pointers: Value<'c>, last: Op<'c>) -> Option<Self> {
        let (mut replications, mut value) = (Vec::new(), pointers);
        while replications.len() <= MOST_REPLICATIONS {
            let op = value.defining_op().filter(|op| op.block() == last.block() && value.has_one_use())?;
            if op.kind() == OpKind::TtAddPtr {
                return op.discardable_attrs().is_empty().then_some(Self { op, replications });
            }
            if !is_replication(op) {
                return None;
            }
            replications.push(op);
            value = op.operand(0);
        }
        None
    }
}

/// The operation is the last of a chain of sums, or of conjunctions or disjunctions of conditions.
fn ends_a_chain(op: Op<'_>) -> bool {
    is_reordered(op.kind()) && op.result(0).ty().is_tensor() && !continues_in(op)
}

/// Operations whose chains are sorted: sums, and conjunctions and disjunctions of conditions.
fn is_reordered(kind: OpKind) -> bool {
    matches!(kind, OpKind::TtAddPtr | OpKind::ArithAddI | OpKind::ArithAndI | OpKind::ArithOrI)
}

/// The axes that replications add, the first of them first.
fn expansions<'c>(replications: &[Op<'c>]) -> impl Iterator<Item = ExpandDimsOp<'c>> {
    replications.iter().rev().filter_map(|op| ExpandDimsOp::cast(*op))
}

/// A shape with the axes that replications add; that of one element stays empty.
fn with_axes(mut shape: Vec<i64>, replications: &[Op<'_>]) -> Vec<i64> {
    if !shape.is_empty() {
        expansions(replications).for_each(|expansion| shape.insert(expansion.axis(), 1));
    }
    shape
}

fn elements(shape: &[i64]) -> i64 {
    shape.iter().product()
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
