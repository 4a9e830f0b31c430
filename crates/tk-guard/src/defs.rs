//! Where every value of a kernel comes from, and which integers reach an address.

use crate::family::Family;
use rustc_hash::FxHashSet;
use tk_check::checked::{Block, Kernel, Op, OpKind, Value};

/// What defines a value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Def<'k> {
    /// A parameter, or an argument of a combine function.
    #[default]
    Outside,
    /// A result of an op, by its position.
    Result(&'k Op, usize),
    /// A value that a loop carries, in its body; the position among the carried values.
    Carried(&'k Op, usize),
    /// The induction variable of a `For`.
    Induction,
}

/// The definition of every value, indexed by [`Value`].
pub(crate) struct Defs<'k> {
    of: Vec<Def<'k>>,
}

impl<'k> Defs<'k> {
    pub(crate) fn new(kernel: &'k Kernel) -> Self {
        let mut defs = Self { of: vec![Def::Outside; kernel.values.len()] };
        defs.block(&kernel.body);
        defs
    }

    pub(crate) fn of(&self, value: Value) -> Def<'k> {
        self.of.get(value.0 as usize).copied().unwrap_or_default()
    }

    /// The op that has this value as a result.
    pub(crate) fn op(&self, value: Value) -> Option<&'k Op> {
        match self.of(value) {
            Def::Result(op, _) => Some(op),
            Def::Outside | Def::Carried(..) | Def::Induction => None,
        }
    }

    fn set(&mut self, value: Value, def: Def<'k>) {
        if let Some(slot) = self.of.get_mut(value.0 as usize) {
            *slot = def;
        }
    }

    fn block(&mut self, block: &'k Block) {
        for op in &block.ops {
            for (index, result) in op.results.iter().enumerate() {
                self.set(*result, Def::Result(op, index));
            }
            for inner in &op.blocks {
                for (index, arg) in inner.args.iter().enumerate() {
                    self.set(*arg, argument(op, index));
                }
                self.block(inner);
            }
        }
    }

    /// The integers that a value is computed from, when it is computed in a way that keeps a 64-bit form of it exact:
    /// arithmetic, shape changes, selection and what control flow carries.
    pub(crate) fn sources(&self, value: Value) -> Vec<Value> {
        match self.of(value) {
            Def::Outside | Def::Induction => Vec::new(),
            Def::Carried(op, index) => carried_sources(op, index),
            Def::Result(op, index) => match Family::of(&op.kind) {
                Family::Movement | Family::Arithmetic => op.operands.clone(),
                Family::Select => op.operands[1..].to_vec(),
                Family::For | Family::While => carried_sources(op, index),
                Family::If => yields_of(op, index),
                Family::Source
                | Family::Function
                | Family::Bitcast
                | Family::AddPtr
                | Family::Access(_)
                | Family::Descriptor
                | Family::Combination
                | Family::Mixture
                | Family::Foreign
                | Family::Statement => Vec::new(),
            },
        }
    }

    /// Every integer from which the offset of an address is computed.
    pub(crate) fn address_slice(&self, kernel: &Kernel) -> FxHashSet<Value> {
        let mut slice = FxHashSet::default();
        let mut open = Vec::new();
        each_op(&kernel.body, &mut |op| {
            if op.kind == OpKind::AddPtr {
                open.push(op.operands[1]);
            }
        });
        while let Some(value) = open.pop() {
            let is_integer = kernel.ty(value).number().is_some_and(|scalar| scalar.is_int());
            if is_integer && slice.insert(value) {
                open.extend(self.sources(value));
            }
        }
        slice
    }
}

/// What the argument of a block of an op is.
fn argument(op: &Op, index: usize) -> Def<'_> {
    match Family::of(&op.kind) {
        Family::For => index.checked_sub(1).map_or(Def::Induction, |index| Def::Carried(op, index)),
        Family::While => Def::Carried(op, index),
        Family::If
        | Family::Combination
        | Family::Source
        | Family::Movement
        | Family::Arithmetic
        | Family::Function
        | Family::Bitcast
        | Family::Select
        | Family::AddPtr
        | Family::Access(_)
        | Family::Descriptor
        | Family::Mixture
        | Family::Foreign
        | Family::Statement => Def::Outside,
    }
}

/// What the branches of an op yield for one of its results.
pub(crate) fn yields_of(op: &Op, index: usize) -> Vec<Value> {
    op.blocks.iter().filter_map(|block| block.yields.get(index).copied()).collect()
}

/// How many operands of a loop come before its carried values.
pub(crate) fn bounds_of(op: &Op) -> usize {
    if Family::of(&op.kind) == Family::For { 3 } else { 0 }
}

/// What a carried value starts as and becomes.
fn carried_sources(op: &Op, index: usize) -> Vec<Value> {
    let start = op.operands.get(bounds_of(op) + index).copied();
    let next = op.blocks.last().and_then(|body| body.yields.get(index)).copied();
    // The condition of a `while` yields its truth first, then what the body gets.
    let condition = op.blocks.first().filter(|_| Family::of(&op.kind) == Family::While);
    let passed = condition.and_then(|block| block.yields.get(index + 1)).copied();
    [start, next, passed].into_iter().flatten().collect()
}

/// Visits every op, outer ones before what is in them.
pub(crate) fn each_op<'k>(block: &'k Block, visit: &mut dyn FnMut(&'k Op)) {
    for op in &block.ops {
        visit(op);
        for inner in &op.blocks {
            each_op(inner, visit);
        }
    }
}
