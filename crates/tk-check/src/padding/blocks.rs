//! Padding in reductions and reverse scans: replaced by the neutral element of the combine function where that is one
//! known op, and otherwise marked by a flag that is combined with the values.

use super::Padder;
use crate::checked::{BinaryOp, Block, Element, Literal, Op, OpKind, Type, Value};
use tk_types::ScalarType;

impl Padder<'_> {
    /// Makes the padding along an axis of a reduction or scan invisible.
    pub(super) fn neutral_padding(&mut self, op: &mut Op, axis: u32) {
        let Some(first) = op.operands.first().copied() else { return };
        if self.shape(first)[axis as usize].is_power_of_two() {
            return;
        }
        let inside = self.inside_axis(first, axis as usize);
        match self.neutral(op) {
            Some(neutral) => {
                let ty = self.ty(first).clone();
                let filler = self.emit(OpKind::Constant(neutral), &[], ty.clone());
                op.operands[0] = self.emit(OpKind::Select, &[inside, first, filler], ty);
            }
            None => self.flagged(op, inside),
        }
    }

    /// The value that changes nothing, for a combine function of one op on its two arguments.
    fn neutral(&self, op: &Op) -> Option<Literal> {
        let [block] = op.blocks.as_slice() else { return None };
        let ([inner], [a, b], [result]) = (block.ops.as_slice(), block.args.as_slice(), block.yields.as_slice()) else {
            return None;
        };
        if inner.operands != [*a, *b] || inner.results != [*result] {
            return None;
        }
        let OpKind::Binary(combine) = inner.kind else { return None };
        let scalar = self.ty(*a).number()?;
        let (low, high) = if scalar.is_int() { crate::emit::int_range(scalar) } else { (0, 0) };
        Some(match combine {
            // Minus zero leaves even minus zero as it is.
            BinaryOp::AddF => Literal::Float(-0.0),
            BinaryOp::MulF => Literal::Float(1.0),
            BinaryOp::MaxNumF | BinaryOp::MaximumF => Literal::Float(f64::NEG_INFINITY),
            BinaryOp::MinNumF | BinaryOp::MinimumF => Literal::Float(f64::INFINITY),
            BinaryOp::AddI | BinaryOp::Or | BinaryOp::Xor => Literal::Int(0),
            BinaryOp::MulI => Literal::Int(1),
            BinaryOp::And if scalar.is_signed_int() => Literal::Int(-1),
            BinaryOp::And => Literal::Int(high),
            BinaryOp::MaxS | BinaryOp::MaxU => Literal::Int(low),
            BinaryOp::MinS | BinaryOp::MinU => Literal::Int(high),
            _ => return None,
        })
    }

    /// Adds an i1 that says whether a group counts: two that count are combined, and otherwise the one that does is taken.
    fn flagged(&mut self, op: &mut Op, inside: Value) {
        let count = op.operands.len();
        op.operands.push(inside);
        let last = op.results.last().map(|value| self.ty(*value).with_scalar(ScalarType::I1));
        let flag = self.value(last.unwrap_or_else(|| Type::scalar(ScalarType::I1)));
        op.results.push(flag);
        let bool = Type { element: Element::Scalar(ScalarType::I1), shape: Vec::new() };
        let flags = [self.value(bool.clone()), self.value(bool.clone())];
        let Some(block) = op.blocks.first_mut() else { return };
        let mut inner = std::mem::take(block);
        inner.args.insert(count, flags[0]);
        inner.args.push(flags[1]);
        let outer = std::mem::replace(&mut self.out, std::mem::take(&mut inner.ops));
        let both = self.binary(BinaryOp::And, flags[0], flags[1]);
        for i in 0..count {
            let (a, b) = (inner.args[i], inner.args[count + 1 + i]);
            let ty = self.ty(a).clone();
            let one = self.emit(OpKind::Select, &[flags[0], a, b], ty.clone());
            inner.yields[i] = self.emit(OpKind::Select, &[both, inner.yields[i], one], ty);
        }
        let any = self.binary(BinaryOp::Or, flags[0], flags[1]);
        inner.yields.push(any);
        inner.ops = std::mem::replace(&mut self.out, outer);
        *block = Block { ..inner };
    }

    /// A value that an op already in place defines.
    fn value(&mut self, ty: Type) -> Value {
        let value = Value(self.values.len() as u32);
        self.values.push(crate::checked::ValueInfo::new(ty, None));
        value
    }
}
