//! Runs a checked kernel of scalar integers for one program, with 128-bit numbers that wrap as their types do, or not at all.

use std::collections::HashMap;
use tk_check::checked::{BinaryOp, Block, CastKind, CompareOp, GUARD_HOLDS, Kernel, Literal, Op, OpKind, Value};

/// What sums, differences and products do at the end of their type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Wrapping,
    Exact,
}

/// What a run did.
pub(crate) struct Machine<'k> {
    kernel: &'k Kernel,
    arithmetic: Arithmetic,
    program: i128,
    now: HashMap<Value, i128>,
    /// Every integer that was computed, in order.
    pub(crate) values: Vec<(Value, i128)>,
    /// The elements that are stored to, in order, and whether the mask leaves them in.
    pub(crate) stores: Vec<(i128, bool)>,
    pub(crate) failed_sites: Vec<u32>,
    /// Some 32-bit result was too large for its type.
    pub(crate) left_int32: bool,
}

impl<'k> Machine<'k> {
    pub(crate) fn run(kernel: &'k Kernel, program: i128, args: &[i128], arithmetic: Arithmetic) -> Self {
        let mut machine = Self {
            kernel,
            arithmetic,
            program,
            now: HashMap::new(),
            values: Vec::new(),
            stores: Vec::new(),
            failed_sites: Vec::new(),
            left_int32: false,
        };
        let integers = kernel.params.iter().filter(|param| kernel.ty(param.value).number().is_some());
        for (param, value) in integers.zip(args) {
            machine.set(param.value, *value);
        }
        machine.block(&kernel.body);
        machine
    }

    fn set(&mut self, value: Value, number: i128) {
        let Some(scalar) = self.kernel.ty(value).number() else {
            // An address, as the distance from its argument.
            self.now.insert(value, number);
            return;
        };
        let bits = scalar.bits();
        let half = 1i128 << (bits.max(1) - 1);
        let number = match () {
            () if bits == 1 => number & 1,
            () => {
                let fits = (-half..half).contains(&number);
                self.left_int32 |= !fits && bits == 32;
                if fits || self.arithmetic == Arithmetic::Exact {
                    number
                } else {
                    (number + half).rem_euclid(2 * half) - half
                }
            }
        };
        self.now.insert(value, number);
        self.values.push((value, number));
    }

    fn get(&self, value: Value) -> i128 {
        self.now.get(&value).copied().unwrap_or(0)
    }

    fn block(&mut self, block: &Block) -> Vec<i128> {
        block.ops.iter().for_each(|op| self.op(op));
        block.yields.iter().map(|value| self.get(*value)).collect()
    }

    fn op(&mut self, op: &Op) {
        let a = |index: usize| op.operands.get(index).map_or(0, |value| self.get(*value));
        let (x, y) = (a(0), a(1));
        let number = match &op.kind {
            OpKind::Constant(Literal::Int(value)) => *value,
            OpKind::ProgramId { .. } => self.program,
            OpKind::Binary(binary) => match binary {
                BinaryOp::AddI => x + y,
                BinaryOp::SubI => x - y,
                BinaryOp::MulI => x * y,
                BinaryOp::DivS => x / y,
                BinaryOp::RemS => x % y,
                BinaryOp::Xor => x ^ y,
                BinaryOp::And => x & y,
                BinaryOp::Or => x | y,
                other => panic!("{other:?} is not interpreted"),
            },
            OpKind::Compare(compare) => i128::from(match compare {
                CompareOp::GtS => x > y,
                CompareOp::GeS => x >= y,
                CompareOp::LtS => x < y,
                CompareOp::LeS => x <= y,
                CompareOp::EqI => x == y,
                CompareOp::NeI => x != y,
                other => panic!("{other:?} is not interpreted"),
            }),
            OpKind::Select => {
                if x != 0 {
                    y
                } else {
                    a(2)
                }
            }
            OpKind::Cast(CastKind::ExtS | CastKind::Trunc) => x,
            OpKind::AddPtr => x + y,
            OpKind::Store { mask, .. } => return self.stores.push((x, !mask || a(2) != 0)),
            OpKind::Guard { site } => {
                if y != i128::from(GUARD_HOLDS) {
                    self.failed_sites.push(*site);
                }
                return;
            }
            OpKind::If => {
                let results = self.block(&op.blocks[usize::from(x == 0)]);
                op.results.iter().zip(results).for_each(|(result, number)| self.set(*result, number));
                return;
            }
            OpKind::For(_) => return self.for_loop(op),
            OpKind::Constant(_) => return,
            other => panic!("{other:?} is not interpreted"),
        };
        self.set(op.results[0], number);
    }

    fn for_loop(&mut self, op: &Op) {
        let (mut index, end, step) = (self.get(op.operands[0]), self.get(op.operands[1]), self.get(op.operands[2]));
        let mut carried: Vec<i128> = op.operands[3..].iter().map(|value| self.get(*value)).collect();
        let body = &op.blocks[0];
        while index < end {
            self.set(body.args[0], index);
            body.args[1..].iter().zip(&carried).for_each(|(arg, number)| self.set(*arg, *number));
            carried = self.block(body);
            index += step;
        }
        op.results.iter().zip(carried).for_each(|(result, number)| self.set(*result, number));
    }
}
