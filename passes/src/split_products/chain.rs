//! What a loop computes from products element by element, and its copies for parts of the rows.

use super::parts::Parts;
use crate::analysis::async_loads::is_zero;
use crate::analysis::live_registers::registers;
use crate::analysis::product_ahead::in_place;
use crate::attributes::SUMS_FIRST;
use crate::cloning::Mapping;
use crate::control_flow::{NewCarried, extend_for};
use crate::interleave_copies::part;
use crate::operations::computations::{Computation, computation};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::{Diagnostic, Result};
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Block, Builder, Op, OpKind, Type, Value};

/// The products of a loop, and what it computes from them and from sums that it carries, element by element.
pub(super) struct Chain<'c> {
    pub(super) view: ForOp<'c>,
    /// The type of the products' results.
    pub(super) whole: Type<'c>,
    /// Products and arithmetic, in order.
    pub(super) ops: Vec<Op<'c>>,
    /// Which of the values that the loop carries are computed here.
    pub(super) carried: Vec<usize>,
}

impl<'c> Chain<'c> {
    /// `None` where there are other products, or what is computed is used by more of the body than branches behind it.
    pub(super) fn of(view: ForOp<'c>) -> Option<Self> {
        let chain = Self::of_some(view)?;
        let inside = view.op.descendants();
        let mut dots = inside.into_iter().filter(|op| op.kind() == OpKind::TtngWarpGroupDot);
        (dots.all(|dot| chain.is_product(dot)) && chain.stays_inside()).then_some(chain)
    }

    /// The first product of a loop that can come in parts, those like it, and what is computed from them.
    pub(super) fn of_some(view: ForOp<'c>) -> Option<Self> {
        let whole = view.body().ops().into_iter().find(|op| is_split(*op, view))?.result(0).ty();
        let mut chain = Self { view, whole, ops: Vec::new(), carried: Vec::new() };
        while chain.grow() {}
        Some(chain)
    }

    /// Finds what is computed from what is known; says whether that was something.
    fn grow(&mut self) -> bool {
        let view = self.view;
        let before = (self.ops.len(), self.carried.len());
        let mut known: FxHashSet<usize> = self.carried.iter().map(|index| view.iter_args()[*index].id()).collect();
        let mut ops = Vec::new();
        for op in view.body().ops() {
            let is_known = |value: &Value<'c>| known.contains(&value.id());
            if self.is_product(op) || self.is_like(op) && op.operands().iter().any(is_known) {
                known.insert(op.result(0).id());
                ops.push(op);
            }
        }
        let yielded = view.yielded();
        self.carried = (0..yielded.len()).filter(|index| known.contains(&yielded[*index].id())).collect();
        self.ops = ops;
        (self.ops.len(), self.carried.len()) != before
    }

    fn is_product(&self, op: Op<'c>) -> bool {
        is_split(op, self.view) && op.result(0).ty() == self.whole
    }

    /// Arithmetic on elements that lie as those of the products do.
    fn is_like(&self, op: Op<'c>) -> bool {
        let has_place = |value: Value<'c>| {
            value.ty().is_tensor()
                && value.ty().shape() == self.whole.shape()
                && value.ty().encoding() == self.whole.encoding()
        };
        computation(op.kind()).is_element_by_element()
            && op.num_regions() == 0
            && op.is_pure()
            && op.num_results() == 1
            && has_place(op.result(0))
            && op.operands().into_iter().all(|operand| !operand.ty().is_tensor() || has_place(operand))
    }

    /// The body uses what is computed nowhere else than in branches behind it.
    fn stays_inside(&self) -> bool {
        let (body, Some(last)) = (self.view.body(), self.ops.last()) else { return false };
        let is_inside = |user: Op<'c>| self.ops.contains(&user) || user == self.view.yield_op();
        let is_branch_behind = |user: Op<'c>| {
            let own = user.ancestor_in(body);
            own.is_some_and(|own| own != user && own.kind() == OpKind::ScfIf && last.is_before_in_block(own))
        };
        let carried = self.carried.iter().map(|index| self.view.iter_args()[*index]);
        let computed = self.ops.iter().map(|op| op.result(0)).chain(carried);
        let users = computed.flat_map(|value| value.users()).map(|(user, _)| user);
        !self.carried.is_empty() && users.into_iter().all(|user| is_inside(user) || is_branch_behind(user))
    }

    /// Registers that hold floats that are computed here, by an operation or before it, and are needed by it or later.
    pub(super) fn registers_at(&self, op: Op<'c>) -> u32 {
        let is_needed = |user: Op<'c>| !user.is_before_in_block(op);
        let is_held = |made: &&Op<'c>| {
            let users = made.result(0).users();
            made.is_before_in_block(op) && users.into_iter().any(|(user, _)| is_needed(user))
        };
        let own = self.ops.iter().find(|made| **made == op);
        let held = self.ops.iter().filter(is_held).chain(own).map(|made| made.result(0).ty());
        let held: u32 = held.filter(|ty| ty.element().is_float()).map(registers).sum();
        held.saturating_sub(in_place(op))
    }

    /// Says that what is computed from a part is computed before the next one is multiplied.
    pub(super) fn compute_sums_first(&self) {
        for op in self.ops.iter().filter(|op| self.is_product(**op)) {
            op.set_attr(SUMS_FIRST, op.context().unit_attr());
        }
    }

    /// Copies what is computed for each of the parts, one after the other.
    pub(super) fn split(self, parts: Parts) -> Result<()> {
        self.write(parts).ok_or_else(|| Diagnostic::bug("parts of a product's rows lie across threads").into())
    }

    fn write(mut self, parts: Parts) -> Option<()> {
        let sums = self.carry_parts(parts)?;
        let last = *self.ops.last()?;
        let body = self.view.body();
        let mut writer = Writer::behind(last, body, self.whole, parts);
        let mut results: Vec<Vec<Value<'c>>> = Vec::new();
        for index in 0..parts.count {
            let mut mapping = Mapping::default();
            for (carried, own) in self.carried.iter().zip(&sums) {
                mapping.insert(self.view.iter_args()[*carried], self.view.iter_args()[own[index as usize]]);
            }
            self.ops.iter().try_for_each(|op| writer.copy(*op, index, &mut mapping))?;
            for (carried, own) in self.carried.iter().zip(&sums) {
                let next = mapping.get(self.view.yielded()[*carried]);
                self.view.yield_op().set_operand(own[index as usize], next);
            }
            results.push(self.ops.iter().map(|op| mapping.get(op.result(0))).collect());
        }
        self.show_whole(parts, &results, &sums, &mut writer.builder)
    }

    /// The loop carries the parts of its sums, too; gives which of its values these are, for each sum.
    fn carry_parts(&mut self, parts: Parts) -> Option<Vec<Vec<usize>>> {
        let mut before = Builder::before(self.view.op);
        let mut new = Vec::new();
        for index in &self.carried {
            let init = self.view.init_args()[*index];
            let starts = match number_like(init, parts, &mut before) {
                Some(zero) => vec![zero; parts.count as usize],
                None => parts.of(init, &mut before)?,
            };
            new.extend(starts.into_iter().map(NewCarried::unchanged));
        }
        let first = self.view.iter_args().len();
        self.view = extend_for(self.view, &new);
        let count = parts.count as usize;
        Some((0..self.carried.len()).map(|sum| (first + sum * count..first + (sum + 1) * count).collect()).collect())
    }

    /// What lies behind the chain, in branches and behind the loop, sees whole values; nothing else of the old ones is left.
    fn show_whole(
        self,
        parts: Parts,
        results: &[Vec<Value<'c>>],
        sums: &[Vec<usize>],
        inside: &mut Builder<'c>,
    ) -> Option<()> {
        let view = self.view;
        for (carried, own) in self.carried.iter().zip(sums) {
            let (old, all) = (view.iter_args()[*carried], view.iter_args());
            view.yield_op().set_operand(*carried, old);
            let is_own = |user: Op<'c>| user == view.yield_op() || self.ops.contains(&user);
            if old.users().into_iter().any(|(user, _)| !is_own(user)) {
                let news: Vec<Value<'c>> = own.iter().map(|index| all[*index]).collect();
                let joined = parts.join(&news, inside)?;
                old.replace_uses_if(joined, |user, _| !is_own(user));
            }
            if view.results()[*carried].has_uses() {
                let news: Vec<Value<'c>> = own.iter().map(|index| view.results()[*index]).collect();
                let joined = parts.join(&news, &mut Builder::after(view.op).with_location(view.op.loc()))?;
                view.results()[*carried].replace_all_uses_with(joined);
            }
        }
        for (place, op) in self.ops.iter().enumerate() {
            let is_other = |user: Op<'c>| !self.ops.contains(&user);
            if op.result(0).users().into_iter().any(|(user, _)| is_other(user)) {
                let news: Vec<Value<'c>> = results.iter().map(|of_part| of_part[place]).collect();
                let joined = parts.join(&news, inside)?;
                op.result(0).replace_uses_if(joined, |user, _| is_other(user));
            }
        }
        self.ops.iter().rev().for_each(|op| op.erase());
        Some(())
    }
}

/// A product that can come in parts: it starts at zero, and reads shared memory.
fn is_split(dot: Op<'_>, view: ForOp<'_>) -> bool {
    let Some(dot) = WarpGroupDotOp::cast(dot).filter(|dot| dot.op.block() == Some(view.body())) else { return false };
    let are_in_memory = dot.a().ty().is_memdesc() && dot.b().ty().is_memdesc();
    let starts_at_zero = dot.use_c().is_none() && is_zero(dot.c());
    are_in_memory && starts_at_zero && !dot.is_async() && dot.terms_of_partial_sums().is_none()
}

/// A part of a value that is one number in the code everywhere.
fn number_like<'c>(value: Value<'c>, parts: Parts, builder: &mut Builder<'c>) -> Option<Value<'c>> {
    let number = value.constant()?.as_splat()?;
    let ty = parts.of_type(value.ty());
    match (number.as_int(), number.as_float()) {
        (Some(int), _) => Some(builder.int(ty, int)),
        (None, Some(float)) => Some(builder.float(ty, float)),
        (None, None) => None,
    }
}

/// Writes the copies for parts.
pub(super) struct Writer<'c> {
    pub(super) parts: Parts,
    body: Block<'c>,
    pub(super) builder: Builder<'c>,
    /// The result of each operation for the part before.
    pub(super) before: FxHashMap<usize, Value<'c>>,
    /// All parts of values that are not computed for each.
    memory: FxHashMap<usize, Vec<Value<'c>>>,
    whole: Type<'c>,
}

impl<'c> Writer<'c> {
    /// Of products whose results are `whole`, and of what is computed from them, behind the last operation of that.
    pub(super) fn behind(last: Op<'c>, body: Block<'c>, whole: Type<'c>, parts: Parts) -> Self {
        let (before, memory) = Default::default();
        Self { parts, body, builder: Builder::after(last), before, memory, whole }
    }

    /// The operation on part `index`.
    pub(super) fn copy(&mut self, op: Op<'c>, index: i64, mapping: &mut Mapping<'c>) -> Option<()> {
        let operands: Vec<Value<'c>> = match WarpGroupDotOp::cast(op) {
            Some(dot) => {
                self.builder.set_location(op.loc());
                let rows = self.parts.of_type(self.whole).shape()[0];
                let a = part(&mut self.builder, dot.a(), 0, index * rows, rows);
                let c = match self.before.get(&op.id()) {
                    // Its registers are filled, but not added to.
                    Some(before) => vec![*before, self.builder.bool(false)],
                    None => vec![self.operand(dot.c(), index, mapping)?],
                };
                [a, dot.b()].into_iter().chain(c).collect()
            }
            None => {
                op.operands().into_iter().map(|value| self.operand(value, index, mapping)).collect::<Option<_>>()?
            }
        };
        let result = self.parts.of_type(op.result(0).ty());
        self.builder.set_location(op.loc());
        let copy = self.builder.create(op.kind(), &operands, &[result], &op.attrs()).result(0);
        mapping.insert(op.result(0), copy);
        self.before.insert(op.id(), copy);
        Some(())
    }

    /// What an operand is for part `index`.
    pub(super) fn operand(&mut self, value: Value<'c>, index: i64, mapping: &mut Mapping<'c>) -> Option<Value<'c>> {
        let known = mapping.get(value);
        if known != value || !value.ty().is_tensor() {
            return Some(known);
        }
        if let Some(constant) = number_like(value, self.parts, &mut self.builder) {
            return Some(constant);
        }
        let own = value.defining_op().filter(|op| op.block() == Some(self.body));
        let copied = match own {
            Some(op) => self.computed_again(op, index, mapping)?,
            None => None,
        };
        match copied {
            Some(copy) => {
                mapping.insert(value, copy);
                Some(copy)
            }
            None => self.taken_apart(value, index),
        }
    }

    /// The operation for part `index`, if it is one that is better computed again than kept in registers for all rows.
    fn computed_again(&mut self, op: Op<'c>, index: i64, mapping: &mut Mapping<'c>) -> Option<Option<Value<'c>>> {
        let ty = self.parts.of_type(op.result(0).ty());
        let rows = |value: Value<'c>| value.ty().shape().first().copied();
        let is_of_rows = op.num_operands() == 1 && rows(op.operand(0)) == rows(op.result(0));
        let is_block = op.result(0).ty().shape() == self.whole.shape();
        let is_arithmetic = op.num_results() == 1 && op.is_pure() && computation(op.kind()).is_element_by_element();
        let is_repeat = computation(op.kind()) == Computation::Repeat && op.num_operands() == 1;
        let operands = if is_repeat && !is_of_rows {
            op.operands()
        } else if is_repeat || is_block && is_arithmetic {
            op.operands().into_iter().map(|value| self.operand(value, index, mapping)).collect::<Option<_>>()?
        } else {
            return Some(None);
        };
        self.builder.set_location(op.loc());
        Some(Some(self.builder.create(op.kind(), &operands, &[ty], &op.attrs()).result(0)))
    }

    /// The registers of part `index`, of a value that is there whole.
    fn taken_apart(&mut self, value: Value<'c>, index: i64) -> Option<Value<'c>> {
        if !self.memory.contains_key(&value.id()) {
            let all = self.parts.of(value, &mut Builder::after_value(value))?;
            self.memory.insert(value.id(), all);
        }
        self.memory.get(&value.id())?.get(index as usize).copied()
    }
}
