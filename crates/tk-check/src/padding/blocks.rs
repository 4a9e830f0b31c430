//! Padding in reductions and reverse scans: replaced by the neutral element of the combine function where that is one
//! known op, and otherwise marked by a flag that is combined with the values.

use super::Padder;
use crate::checked::{BinaryOp, Block, Literal, Op, OpKind, Type, Value};
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
                let filler = self.builder.literal(neutral, self.builder.ty(first).clone());
                op.operands[0] = self.builder.select(inside, first, filler);
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
        let scalar = self.builder.ty(*a).number()?;
        let (low, high) = if scalar.is_int() { crate::context::int_range(scalar) } else { (0, 0) };
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
            BinaryOp::SubI | BinaryOp::SubF | BinaryOp::MulHiU | BinaryOp::Shl | BinaryOp::ShrS | BinaryOp::ShrU => {
                return None;
            }
            BinaryOp::DivS | BinaryOp::DivU | BinaryOp::DivF | BinaryOp::DivRnF => return None,
            BinaryOp::RemS | BinaryOp::RemU | BinaryOp::RemF => return None,
        })
    }

    /// Adds an i1 that says whether a group counts: two that count are combined, and otherwise the one that does is taken.
    fn flagged(&mut self, op: &mut Op, inside: Value) {
        let count = op.operands.len();
        op.operands.push(inside);
        let last = op.results.last().map(|value| self.builder.ty(*value).with_scalar(ScalarType::I1));
        let bool = Type::scalar(ScalarType::I1);
        let flag = self.builder.value(last.unwrap_or_else(|| bool.clone()), None);
        op.results.push(flag);
        let flags = [(); 2].map(|()| self.builder.value(bool.clone(), None));
        let Some(block) = op.blocks.first_mut() else { return };
        block.args.insert(count, flags[0]);
        block.args.push(flags[1]);
        let (args, yields) = (block.args.clone(), block.yields.clone());
        self.builder.reopen_block(std::mem::take(block));
        let both = self.builder.binary(BinaryOp::And, flags[0], flags[1]);
        let mut results = Vec::with_capacity(count + 1);
        for (i, combined) in yields.into_iter().enumerate() {
            let one = self.builder.select(flags[0], args[i], args[count + 1 + i]);
            results.push(self.builder.select(both, combined, one));
        }
        results.push(self.builder.binary(BinaryOp::Or, flags[0], flags[1]));
        *block = Block { yields: results, ..self.builder.close_block() };
    }
}
