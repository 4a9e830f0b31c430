//! Remainders of many registers by one divisor, which are most often the numbers themselves.
//!
//! Programs wrap the rows of a block around the end of a matrix (`(pid * BLOCK + arange) % M`), and nothing wraps but in the last
//! block. A remainder is eleven instructions, a comparison one: a thread compares first, and divides only when one of its numbers
//! is not already below the divisor. A product of small matrices spends 130 of the 340 instructions before its first load on
//! remainders otherwise.

use super::{Emitter, Registers};
use crate::code::{IntTest, Reg};
use tk_diag::Result;
use tk_ir::{Op, OpKind};

/// Fewer remainders than this are not worth a branch.
const LEAST: usize = 4;

/// Emits a remainder that is better looked at before it is computed, and says whether it was one.
pub(super) fn emit_remainders<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<bool> {
    // In a loop the branch would cut the block within which the assembler overlaps copies and products.
    let in_loop = op.parent_op().is_some_and(|parent| parent.kind() != OpKind::TtFunc);
    let (numbers, divisor) = (emitter.registers(op.operand(0))?, emitter.registers(op.operand(1))?);
    let (Registers::Each(numbers), Some(divisor)) = (numbers, divisor.splat()) else { return Ok(false) };
    if in_loop || divisor.constant().is_some() || numbers.len() < LEAST {
        return Ok(false);
    }
    let signed = op.kind() == OpKind::ArithRemSI;
    let Some(remainders) = below_or_divided(emitter, &numbers, divisor, signed)? else { return Ok(false) };
    emitter.define(op.result(0), Registers::Each(remainders.into()));
    Ok(true)
}

/// The remainders: the numbers as they are where all are below the divisor. None when that is known now.
fn below_or_divided(
    emitter: &mut Emitter<'_, '_>,
    numbers: &[Reg],
    divisor: Reg,
    signed: bool,
) -> Result<Option<Vec<Reg>>> {
    let code = &mut emitter.code;
    let numbers = numbers.iter().map(|number| code.settle(*number)).collect::<Result<Vec<_>>>()?;
    let zero = code.int(divisor.ty(), 0);
    // A negative number is far above a positive divisor when both are taken as unsigned.
    let mut below = if signed { code.icmp(IntTest::Sgt, divisor, zero) } else { code.bool(true) };
    for number in &numbers {
        let one = code.icmp(IntTest::Ult, *number, divisor);
        below = code.and(below, one);
    }
    if below.constant().is_some() {
        return Ok(None);
    }
    let (divide, merge) = (code.label(), code.label());
    let before = code.here();
    code.branch(below, merge, divide)?;

    code.open_scope(divide, false);
    let mut divided = Vec::with_capacity(numbers.len());
    for number in &numbers {
        let remainder = if signed { code.srem(*number, divisor) } else { code.urem(*number, divisor) };
        divided.push(code.settle(remainder)?);
    }
    let after = code.here();
    code.jump(merge)?;
    code.close_scope();

    code.continue_at(merge);
    let mut joined = Vec::with_capacity(numbers.len());
    for (number, divided) in numbers.iter().zip(&divided) {
        // The sign is that of the number either way.
        let zeros = code.zeros(*number) & code.zeros(*divided);
        let (value, phi) = code.phi(number.ty(), zeros)?;
        code.add_incoming(phi, *number, before)?;
        code.add_incoming(phi, *divided, after)?;
        joined.push(value);
    }
    Ok(Some(joined))
}
