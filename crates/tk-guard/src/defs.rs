//! Where every value of a kernel comes from, and which integers reach an address.

use rustc_hash::FxHashSet;
use tk_check::checked::{Block, CastKind, Kernel, Op, OpKind, UnaryOp, Value};

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
            _ => None,
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
            for (number, inner) in op.blocks.iter().enumerate() {
                for (index, arg) in inner.args.iter().enumerate() {
                    let def = match (&op.kind, index, number) {
                        (OpKind::For(_), 0, _) => Def::Induction,
                        (OpKind::For(_), index, _) => Def::Carried(op, index - 1),
                        (OpKind::While, index, _) => Def::Carried(op, index),
                        _ => Def::Outside,
                    };
                    self.set(*arg, def);
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
            Def::Result(op, index) => match &op.kind {
                OpKind::Select => op.operands[1..].to_vec(),
                OpKind::For(_) | OpKind::While => carried_sources(op, index),
                OpKind::If => op.blocks.iter().filter_map(|block| block.yields.get(index).copied()).collect(),
                OpKind::Cast(CastKind::ExtS | CastKind::ExtU | CastKind::Trunc)
                | OpKind::Unary(UnaryOp::AbsI)
                | OpKind::Binary(_) => op.operands.clone(),
                kind if is_shape(kind) => op.operands.clone(),
                _ => Vec::new(),
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

/// Whether an op only moves elements: its result holds the elements of its operands.
pub(crate) fn is_shape(kind: &OpKind) -> bool {
    matches!(
        kind,
        OpKind::Splat
            | OpKind::Unsplat
            | OpKind::ExpandDims { .. }
            | OpKind::Broadcast
            | OpKind::Reshape { .. }
            | OpKind::Trans { .. }
            | OpKind::Join
            | OpKind::Split
    )
}

/// How many operands of a loop come before its carried values.
pub(crate) fn bounds_of(op: &Op) -> usize {
    if matches!(op.kind, OpKind::For(_)) { 3 } else { 0 }
}

/// What a carried value starts as and becomes.
fn carried_sources(op: &Op, index: usize) -> Vec<Value> {
    let start = op.operands.get(bounds_of(op) + index).copied();
    let next = op.blocks.last().and_then(|body| body.yields.get(index)).copied();
    // The condition of a `while` yields its truth first, then what the body gets.
    let passed = match op.kind {
        OpKind::While => op.blocks.first().and_then(|block| block.yields.get(index + 1)).copied(),
        _ => None,
    };
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
