//! Products of many rows whose results become operands of other products, in parts of these rows.
//!
//! Gradients of attention compute probabilities and their gradients from two products, and multiply by both: of blocks of 128x128 in four warps these
//! are 256 registers of a thread. Row by row they need nothing of each other, and sums over the rows take one part after the other:
//!
//! ```text
//! loop: %p = exp (%q * %k)                          loop: %p = exp (first rows of %q * %k)
//!       %dv += trans %p * %do                             %dv += trans %p * first rows of %do
//!       %ds = %p * (%do * %v)                             %ds = %p * (first rows of %do * %v)
//!       %dk += trans %ds * %q                             %dk += trans %ds * first rows of %q
//!                                                         the same for the last rows
//! ```
//!
//! The tensor cores add up in the same order. Blocks that pass through shared memory take a part of the room, too.
//!
//! True for products as [`Chain`] has them, where what is computed goes nowhere else than to operands of 16 bits and less: to right or left operands
//! whose rows are added up, or to left operands with as many rows as the result. Where a reduction stands between (attention forward), a part
//! would need what all of them give.

use super::chain::{Chain, Writer};
use super::parts::Parts;
use crate::cloning::Mapping;
use crate::interleave_copies::part;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::{Diagnostic, Result};
use tk_ir::ops::{ForOp, TransLikeOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind, Type, Value};
use tk_layout::Encoding;

/// Bits of an element of an operand.
const MOST_BITS: u32 = 16;

/// What a loop computes from products, and the products that it goes to.
pub(super) struct Operands<'c> {
    pub(super) chain: Chain<'c>,
    /// What makes operands of it, and the products that read these, in order.
    readers: Vec<Op<'c>>,
    /// Along which axis the rows of these operands lie.
    axes: FxHashMap<usize, usize>,
    /// What uses the products, and stands before the last of all this.
    behind: Vec<Op<'c>>,
}

/// How a product reads an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// On its left, and adds its rows up.
    SumsLeft,
    /// On its right.
    SumsRight,
    /// On its left: its rows are those of the result.
    Rows,
}

impl<'c> Operands<'c> {
    /// `None` where the body uses what is computed in another way, or it needs the products itself.
    pub(super) fn of(view: ForOp<'c>) -> Option<Self> {
        let chain = Chain::of_some(view).filter(|chain| chain.carried.is_empty())?;
        let (readers, axes, behind) = Default::default();
        let mut found = Self { chain, readers, axes, behind };
        found.find_readers()?;
        found.find_behind()?;
        found.readers.iter().any(|op| op.kind() == OpKind::TtngWarpGroupDot).then_some(found)
    }

    /// Whether the results of the products come in such parts, too.
    pub(super) fn allow(&self, parts: Parts) -> bool {
        let of_rows = self.readers.iter().filter(|op| self.reading(**op) == Some(Reading::Rows));
        of_rows.map(|op| op.result(0).ty()).all(|ty| parts.are_registers(ty))
    }

    fn find_readers(&mut self) -> Option<()> {
        let own: FxHashSet<usize> = self.chain.ops.iter().map(|op| op.result(0).id()).collect();
        for op in self.chain.view.body().ops() {
            let inside = op.descendants();
            let operands = || inside.iter().flat_map(|op| op.operands());
            let reads_operand = operands().any(|operand| self.axes.contains_key(&operand.id()));
            let reads_result = operands().any(|operand| own.contains(&operand.id()));
            if !reads_operand && (!reads_result || self.chain.ops.contains(&op)) {
                continue;
            }
            let kind = op.kind();
            let makes_operand = matches!(kind, OpKind::TtgLocalAlloc | OpKind::TtgConvertLayout) && is_operand(op);
            if makes_operand && reads_result {
                self.axes.insert(op.result(0).id(), 0);
            } else if kind == OpKind::TtgMemDescTrans {
                let axis = *self.axes.get(&op.operand(0).id())?;
                let axis = TransLikeOp::cast(op)?.order().iter().position(|old| *old == axis)?;
                self.axes.insert(op.result(0).id(), axis);
            } else {
                self.reading(op).filter(|_| !reads_result)?;
            }
            self.readers.push(op);
        }
        Some(())
    }

    /// How a product reads the one of its operands that is computed here.
    fn reading(&self, op: Op<'c>) -> Option<Reading> {
        let dot = WarpGroupDotOp::cast(op)?;
        let [a, b, c] = [dot.a(), dot.b(), dot.c()].map(|value| self.axes.get(&value.id()).copied());
        let is_plain = dot.use_c().is_none() && !dot.is_async() && dot.terms_of_partial_sums().is_none();
        match (a, b) {
            _ if !is_plain || c.is_some() => None,
            (Some(1), None) if dot.b().ty().is_memdesc() => Some(Reading::SumsLeft),
            (None, Some(0)) if dot.a().ty().is_memdesc() => Some(Reading::SumsRight),
            (Some(0), None) => Some(Reading::Rows),
            _ => None,
        }
    }

    /// Everything that comes in parts, in order.
    fn members(&self) -> Vec<Op<'c>> {
        let is_member = |op: &Op<'c>| self.chain.ops.contains(op) || self.readers.contains(op);
        self.chain.view.body().ops().into_iter().filter(is_member).collect()
    }

    /// Finds what has to move: pure, and needed by nothing of this.
    fn find_behind(&mut self) -> Option<()> {
        let members = self.members();
        let (first, last) = (*members.first()?, *members.last()?);
        let mut given: FxHashSet<usize> = FxHashSet::default();
        let all = self.chain.view.body().ops();
        for op in all.into_iter().skip_while(|op| *op != first).take_while(|op| *op != last).chain([last]) {
            let needs = op.descendants().iter().flat_map(|op| op.operands()).any(|value| given.contains(&value.id()));
            let is_member = members.contains(&op);
            if needs && (is_member || !op.is_pure()) {
                return None;
            }
            if needs {
                self.behind.push(op);
            }
            if needs || is_member && self.reading(op).is_some() {
                given.extend(op.results().iter().map(|result| result.id()));
            }
        }
        Some(())
    }

    /// Copies all this for each of the parts, one after the other.
    pub(super) fn split(self, parts: Parts) -> Result<()> {
        self.write(parts).ok_or_else(|| Diagnostic::bug("parts of a product's rows lie across threads").into())
    }

    fn write(self, parts: Parts) -> Option<()> {
        let members = self.members();
        let last = *members.last()?;
        let next = last.next()?;
        let mut writer = Writer::behind(last, self.chain.view.body(), self.chain.whole, parts);
        let mut results: FxHashMap<usize, Vec<Value<'c>>> = FxHashMap::default();
        for index in 0..parts.count {
            let mut mapping = Mapping::default();
            // Products of different parts have registers of their own: with those of the part before they would keep these meanwhile.
            writer.before.clear();
            for op in &members {
                if self.chain.ops.contains(op) {
                    writer.copy(*op, index, &mut mapping)?;
                } else {
                    let before = results.get(&op.id()).and_then(|all| all.last()).copied();
                    let copy = self.copy(*op, index, before, &mut writer, &mut mapping)?;
                    results.entry(op.id()).or_default().push(copy);
                }
            }
        }
        for op in &self.readers {
            let Some(reading) = self.reading(*op) else { continue };
            let of_parts = results.get(&op.id())?;
            let whole = match reading {
                Reading::Rows => parts.join(of_parts, &mut writer.builder)?,
                Reading::SumsLeft | Reading::SumsRight => *of_parts.last()?,
            };
            op.result(0).replace_all_uses_with(whole);
        }
        self.behind.iter().for_each(|op| op.move_before(next));
        members.into_iter().rev().for_each(|op| op.erase());
        Some(())
    }

    /// What reads a part; `before` is what came of the part before.
    fn copy(
        &self,
        op: Op<'c>,
        index: i64,
        before: Option<Value<'c>>,
        writer: &mut Writer<'c>,
        mapping: &mut Mapping<'c>,
    ) -> Option<Value<'c>> {
        writer.builder.set_location(op.loc());
        let (ty, parts) = (op.result(0).ty(), writer.parts);
        let rows = parts.of_type(self.chain.whole).shape()[0];
        let (operands, result) = match self.reading(op) {
            Some(reading) => {
                let [a, b, c] = [0, 1, 2].map(|operand| op.operand(operand));
                let sum = |writer: &mut Writer<'c>| writer.operand(c, index, &mut Mapping::default());
                let mut rows_of = |value, axis| part(&mut writer.builder, value, axis, index * rows, rows);
                match reading {
                    Reading::SumsLeft => (vec![mapping.get(a), rows_of(b, 0), before.unwrap_or(c)], ty),
                    Reading::SumsRight => (vec![rows_of(a, 1), mapping.get(b), before.unwrap_or(c)], ty),
                    Reading::Rows => (vec![mapping.get(a), b, sum(writer)?], parts.of_type(ty)),
                }
            }
            None => {
                let operands = op.operands().into_iter().map(|value| mapping.get(value)).collect();
                (operands, self.part_of(op.result(0), parts))
            }
        };
        let copy = writer.builder.create(op.kind(), &operands, &[result], &op.attrs()).result(0);
        mapping.insert(op.result(0), copy);
        Some(copy)
    }

    /// The type of a part of an operand.
    fn part_of(&self, operand: Value<'c>, parts: Parts) -> Type<'c> {
        let Some(mut memory) = operand.ty().memdesc() else { return parts.of_type(operand.ty()) };
        let axis = self.axes.get(&operand.id()).copied().unwrap_or(0);
        memory.shape[axis] /= parts.count;
        memory.alloc_shape[axis] /= parts.count;
        operand.ty().context().memdesc(&memory)
    }
}

/// It makes an operand of a product of what it is given: a block in shared memory, or words on the left.
fn is_operand(op: Op<'_>) -> bool {
    let ty = op.result(0).ty();
    let is_place = ty.is_memdesc() || ty.layout().is_some_and(|layout| matches!(&*layout, Encoding::DotOp(_)));
    is_place && op.num_operands() == 1 && op.operand(0).ty().element_bits() <= MOST_BITS
}
