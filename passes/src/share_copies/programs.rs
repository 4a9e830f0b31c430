//! What the other program of a pair computes.
//!
//! A program knows its own numbers, and those of its neighbour by computing them with the other number of the program. That can be done for
//! arithmetic of integers that comes from the parameters and the grid, as the places of blocks do.

use crate::longest_programs_first::axis_of;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{Block, Builder, Op, OpKind, Value};

/// Operations that are followed at most.
const MOST_OPS: usize = 96;

/// How a value of a program differs from that of its neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Neighbor {
    /// It is the same for all programs of a pair.
    Same,
    /// It is the same for most pairs: a quotient of the program's number.
    Alike,
    /// It is another one for most pairs.
    Other,
}

/// Values that have to be the same for both programs of a pair.
pub(super) struct Programs<'c> {
    block: Block<'c>,
    view: ForOp<'c>,
    known: FxHashMap<usize, Neighbor>,
    /// Values of the loop that are required.
    inside: FxHashSet<usize>,
    /// Values before the loop that may differ.
    required: Vec<Value<'c>>,
    own: FxHashMap<usize, Value<'c>>,
    others: FxHashMap<usize, Value<'c>>,
}

impl<'c> Programs<'c> {
    /// Of a loop in the outermost block of a kernel.
    pub(super) fn new(block: Block<'c>, view: ForOp<'c>) -> Self {
        let (known, inside, required) = (FxHashMap::default(), FxHashSet::default(), Vec::new());
        Self { block, view, known, inside, required, own: FxHashMap::default(), others: FxHashMap::default() }
    }

    /// A value has to be the same, in each iteration where it is one of the loop. `None` where that cannot be computed.
    pub(super) fn require(&mut self, value: Value<'c>) -> Option<()> {
        let is_inside = value.parent_block() == Some(self.view.body());
        if !is_inside {
            if self.neighbor_of(value)? != Neighbor::Same && !self.required.contains(&value) {
                self.required.push(value);
            }
            return Some(());
        }
        if !self.inside.insert(value.id()) {
            return Some(());
        }
        if self.inside.len() > MOST_OPS {
            return None;
        }
        match (value.defining_op(), value.block_argument()) {
            (Some(op), _) if is_arithmetic(op) || op.kind() == OpKind::TtgMemDescIndex => {
                op.operands().into_iter().try_for_each(|operand| self.require(operand))
            }
            (Some(_), _) => None,
            // The bounds are required anyway.
            (None, Some((_, 0))) => Some(()),
            (None, Some((_, index))) => {
                let next = *self.view.yielded().get(index - 1)?;
                self.require(initial(self.view, index - 1)?)?;
                self.require(next)
            }
            (None, None) => None,
        }
    }

    /// Whether what is required is the same for most pairs, all pairs, or few.
    pub(super) fn neighbor(&self) -> Neighbor {
        let of = |value: &Value<'c>| self.known.get(&value.id()).copied().unwrap_or(Neighbor::Other);
        self.required.iter().map(of).max().unwrap_or(Neighbor::Same)
    }

    /// Of a value before the loop; `None` where the other program's cannot be computed.
    fn neighbor_of(&mut self, value: Value<'c>) -> Option<Neighbor> {
        if let Some(known) = self.known.get(&value.id()) {
            return Some(*known);
        }
        if self.known.len() > MOST_OPS || value.parent_block() != Some(self.block) {
            return None;
        }
        let found = match value.defining_op() {
            None => Neighbor::Same,
            Some(op) => self.neighbor_of_result(op)?,
        };
        self.known.insert(value.id(), found);
        Some(found)
    }

    fn neighbor_of_result(&mut self, op: Op<'c>) -> Option<Neighbor> {
        let kind = op.kind();
        let is_alloc = kind == OpKind::TtgLocalAlloc && op.num_operands() == 0;
        if kind == OpKind::TtGetProgramId && axis_of(op) == Some(0) {
            return Some(Neighbor::Other);
        }
        if is_alloc || matches!(kind, OpKind::TtGetProgramId | OpKind::TtGetNumPrograms | OpKind::ArithConstant) {
            return Some(Neighbor::Same);
        }
        if kind != OpKind::TtgMemDescIndex && !is_arithmetic(op) {
            return None;
        }
        let all = self.neighbor_of_all(op)?;
        Some(if is_quotient(kind) { all.min(Neighbor::Alike) } else { all })
    }

    fn neighbor_of_all(&mut self, op: Op<'c>) -> Option<Neighbor> {
        op.operands().into_iter().try_fold(Neighbor::Same, |all, operand| Some(all.max(self.neighbor_of(operand)?)))
    }

    /// Whether all that is required is equal, and the number of the program along x, computed before `place`.
    pub(super) fn equal_at(&mut self, builder: &mut Builder<'c>, place: Op<'c>) -> (Value<'c>, Value<'c>) {
        self.place_before(place);
        let ids = self.block.ops().into_iter().take_while(|op| *op != place);
        let id = ids.filter(|op| op.kind() == OpKind::TtGetProgramId && axis_of(*op) == Some(0)).last();
        let id = id.map_or_else(|| builder.program_id(0), |op| op.result(0));
        let one = builder.i32(1);
        let other_id = builder.binary(OpKind::ArithXOrI, id, one);
        let mut equal = builder.bool(true);
        for value in std::mem::take(&mut self.required) {
            let (own, other) = (self.at(builder, value), self.other_at(builder, value, other_id));
            let is_equal = builder.cmpi(CmpI::Eq, own, other);
            equal = builder.binary(OpKind::ArithAndI, equal, is_equal);
        }
        (equal, id)
    }

    /// What stands before `place` need not be computed again there.
    fn place_before(&mut self, place: Op<'c>) {
        for op in self.block.ops().into_iter().take_while(|op| *op != place) {
            op.results().into_iter().for_each(|value| {
                self.own.insert(value.id(), value);
            });
        }
    }

    /// A value of this program at the builder's place.
    pub(super) fn at(&mut self, builder: &mut Builder<'c>, value: Value<'c>) -> Value<'c> {
        let Some(op) = value.defining_op() else { return value };
        if let Some(known) = self.own.get(&value.id()) {
            return *known;
        }
        let operands: Vec<_> = op.operands().into_iter().map(|operand| self.at(builder, operand)).collect();
        let copy = copied(builder, op, &operands);
        self.own.insert(value.id(), copy);
        copy
    }

    /// A value of the other program.
    fn other_at(&mut self, builder: &mut Builder<'c>, value: Value<'c>, other_id: Value<'c>) -> Value<'c> {
        if self.known.get(&value.id()) == Some(&Neighbor::Same) {
            return self.at(builder, value);
        }
        let Some(op) = value.defining_op() else { return value };
        if op.kind() == OpKind::TtGetProgramId {
            return other_id;
        }
        if let Some(known) = self.others.get(&value.id()) {
            return *known;
        }
        let operands: Vec<_> =
            op.operands().into_iter().map(|operand| self.other_at(builder, operand, other_id)).collect();
        let copy = copied(builder, op, &operands);
        self.others.insert(value.id(), copy);
        copy
    }
}

/// The same operation on other operands.
fn copied<'c>(builder: &mut Builder<'c>, op: Op<'c>, operands: &[Value<'c>]) -> Value<'c> {
    let copy = op.clone_op();
    operands.iter().enumerate().for_each(|(index, operand)| copy.set_operand(index, *operand));
    builder.place(copy).result(0)
}

/// Arithmetic of scalars.
fn is_arithmetic(op: Op<'_>) -> bool {
    let is_scalar = || op.results().iter().all(|result| result.ty().int_bits().is_some() || result.ty().is_index());
    op.name().starts_with("arith.")
        && op.num_results() == 1
        && op.num_regions() == 0
        && op.is_memory_effect_free()
        && is_scalar()
}

fn is_quotient(kind: OpKind) -> bool {
    use OpKind::{ArithDivSI, ArithDivUI, ArithFloorDivSI, ArithShRSI, ArithShRUI};
    matches!(kind, ArithDivSI | ArithDivUI | ArithFloorDivSI | ArithShRSI | ArithShRUI)
}

/// What a loop carries at its start.
fn initial<'c>(view: ForOp<'c>, index: usize) -> Option<Value<'c>> {
    view.op.operands().get(3 + index).copied()
}
