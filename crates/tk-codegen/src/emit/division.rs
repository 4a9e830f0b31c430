//! Divisions whose result is most often known without dividing.
//!
//! A remainder is eleven instructions, a division of one number by another some thirty that wait for each other; a comparison is one.
//! Before the first load of a product stand nothing but such divisions: which block the program computes, and the rows of the block
//! wrapped around the end of the matrix. So a thread compares first, and divides only where that does not tell:
//!
//! - the remainders of many registers by one divisor (`(pid * BLOCK + arange) % M`): nothing wraps but in the last block;
//! - a program id by a number of programs (`pid // programs_in_group`): there is only one group in a small problem ([`tk_ir::program_divisions`]);
//! - a number by the lesser of something and a power of two (`min(rows - first, GROUP)`): only the last group is smaller.
//!
//! Where the program wants the quotient, too, the remainders of many registers are what that leaves of the numbers ([`quotient_of_many`]): two
//! instructions for each and no branch.
//!
//! In loops a branch would cut the block within which the assembler overlaps copies and products, so divisions stay as they are there.

use super::{Emitter, Registers};
use crate::code::{Code, IntTest, Reg};
use tk_diag::Result;
use tk_ir::{Op, OpKind, Value};

/// Which division an operation is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Division {
    SignedQuotient,
    SignedRemainder,
    UnsignedRemainder,
}

/// Fewer remainders than this are not worth a branch.
const LEAST: usize = 4;

/// Emits a division or remainder that is better looked at before it is computed, and says whether it was one.
pub(super) fn emit_division<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, division: Division) -> Result<bool> {
    if emitter.known(op.result(0)).is_some() {
        // It came with the other half of its division.
        return Ok(true);
    }
    let in_loop = op.parent_op().is_some_and(|parent| parent.kind() != OpKind::TtFunc);
    let (numbers, divisor) = (emitter.registers(op.operand(0))?, emitter.registers(op.operand(1))?);
    let Some(divisor) = divisor.splat().filter(|divisor| divisor.constant().is_none() && !in_loop) else {
        return Ok(false);
    };
    match (numbers, division) {
        (Registers::Each(_), Division::SignedQuotient) | (Registers::Splat(_), Division::UnsignedRemainder) => {
            Ok(false)
        }
        (Registers::Each(numbers), Division::SignedRemainder) => {
            // A negative number is far above a positive divisor when both are taken as unsigned.
            let is_positive = |code: &mut Code<'_>| {
                let zero = code.int(divisor.ty(), 0);
                code.icmp(IntTest::Sgt, divisor, zero)
            };
            emit_remainders(emitter, op, &numbers, divisor, is_positive, Code::srem)
        }
        (Registers::Each(numbers), Division::UnsignedRemainder) => {
            emit_remainders(emitter, op, &numbers, divisor, |code| code.bool(true), Code::urem)
        }
        (Registers::Splat(number), Division::SignedQuotient | Division::SignedRemainder) => {
            if number.constant().is_some() { Ok(false) } else { emit_scalar(emitter, op, number, divisor) }
        }
    }
}

/// Remainders that are the numbers themselves where `counts` holds and all are below the divisor.
fn emit_remainders<'c, 'l>(
    emitter: &mut Emitter<'c, 'l>,
    op: Op<'c>,
    numbers: &[Reg],
    divisor: Reg,
    counts: impl FnOnce(&mut Code<'l>) -> Reg,
    remainder: fn(&mut Code<'l>, Reg, Reg) -> Reg,
) -> Result<bool> {
    if numbers.len() < LEAST {
        return Ok(false);
    }
    let code = &mut emitter.code;
    let numbers = numbers.iter().map(|number| code.settle(*number)).collect::<Result<Vec<_>>>()?;
    let mut below = counts(code);
    for number in &numbers {
        let one = code.icmp(IntTest::Ult, *number, divisor);
        below = code.and(below, one);
    }
    let all = |code: &mut Code<'l>| numbers.iter().map(|number| remainder(code, *number, divisor)).collect();
    let Some(remainders) = unless(code, below, &numbers, all)? else { return Ok(false) };
    emitter.define(op.result(0), Registers::Each(remainders.into()));
    Ok(true)
}

/// A signed quotient, or remainder, or both where the program asks for both.
fn emit_scalar<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, number: Reg, divisor: Reg) -> Result<bool> {
    let looks_at_programs = emitter.settings.looks_at_programs;
    let code = &mut emitter.code;
    let (known, quotient, remainder) = if let Some(power) = power_in_minimum(op.operand(1)) {
        let power = code.int(divisor.ty(), power);
        (code.icmp(IntTest::Eq, divisor, power), code.sdiv(number, power), code.srem(number, power))
    } else if looks_at_programs && is_program_id(op.operand(0)) && !is_prepared_anyway(op) {
        (code.icmp(IntTest::Slt, number, divisor), code.int(number.ty(), 0), number)
    } else {
        return Ok(false);
    };
    let halves: Vec<Op<'c>> = halves(op);
    let quick: Vec<Reg> = halves
        .iter()
        .map(|half| code.settle(if is_quotient(*half) { quotient } else { remainder }))
        .collect::<Result<_>>()?;
    let number = code.settle(number)?;
    let divided = |code: &mut Code<'_>| {
        let half =
            |half: &Op<'c>| if is_quotient(*half) { code.sdiv(number, divisor) } else { code.srem(number, divisor) };
        halves.iter().map(half).collect()
    };
    let Some(results) = unless(code, known, &quick, divided)? else { return Ok(false) };
    for (half, result) in halves.iter().zip(results) {
        emitter.define_scalar(half.result(0), result);
    }
    Ok(true)
}

/// The quotient of the same division as the remainder `op`, where these are remainders that a branch would stand around. Others are as fast by
/// themselves: they do not wait for the quotient.
pub(super) fn quotient_of_many<'c>(emitter: &Emitter<'c, '_>, op: Op<'c>) -> Result<Option<Op<'c>>> {
    let in_loop = op.parent_op().is_some_and(|parent| parent.kind() != OpKind::TtFunc);
    let (numbers, divisor) = (emitter.registers(op.operand(0))?, emitter.registers(op.operand(1))?);
    let is_one = divisor.splat().is_some_and(|divisor| divisor.constant().is_none());
    let is_of_many = matches!(&numbers, Registers::Each(numbers) if numbers.len() >= LEAST) && is_one && !in_loop;
    Ok(if is_of_many { quotient_beside(op) } else { None })
}

/// The operation of the same block that divides what `op` takes the remainder of, by the same divisor.
fn quotient_beside(op: Op<'_>) -> Option<Op<'_>> {
    let quotient = match op.kind() {
        OpKind::ArithRemSI => OpKind::ArithDivSI,
        OpKind::ArithRemUI => OpKind::ArithDivUI,
        _ => return None,
    };
    let is_quotient =
        |user: &Op<'_>| user.kind() == quotient && user.block() == op.block() && user.operands() == op.operands();
    op.operand(0).users().into_iter().map(|(user, _)| user).find(is_quotient)
}

/// Whether a half of a signed division is the quotient.
fn is_quotient(half: Op<'_>) -> bool {
    half.kind() == OpKind::ArithDivSI
}

/// This operation, and the one of the same block that wants the other half of the same division.
fn halves(op: Op<'_>) -> Vec<Op<'_>> {
    let is_other = |other: &Op<'_>| {
        matches!(other.kind(), OpKind::ArithDivSI | OpKind::ArithRemSI)
            && other.kind() != op.kind()
            && other.block() == op.block()
            && other.operands() == op.operands()
    };
    let other = op.operand(0).users().into_iter().map(|(user, _)| user).find(is_other);
    std::iter::once(op).chain(other).collect()
}

/// Another number is divided by the same divisor, and nothing is known of it: the reciprocal of the divisor, which is most of a division, is
/// computed for both. In the branch it would be computed once more, since ptxas does not look for it outside.
fn is_prepared_anyway(op: Op<'_>) -> bool {
    let halves = halves(op);
    let is_division = |user: &Op<'_>| matches!(user.kind(), OpKind::ArithDivSI | OpKind::ArithRemSI);
    let users = op.operand(1).users();
    users.into_iter().any(|(user, operand)| {
        operand == 1
            && is_division(&user)
            && user.block() == op.block()
            && !halves.contains(&user)
            && !is_program_id(user.operand(0))
    })
}

/// The power of two in `min(x, power)`.
fn power_in_minimum(value: Value<'_>) -> Option<i64> {
    let minimum = value.defining_op().filter(|op| op.kind() == OpKind::ArithMinSI)?;
    minimum.operands().into_iter().find_map(Value::constant_int).filter(|power| *power > 1 && power.count_ones() == 1)
}

fn is_program_id(value: Value<'_>) -> bool {
    value.defining_op().is_some_and(|op| op.kind() == OpKind::TtGetProgramId)
}

/// `values` where `known` holds, else what `divide` computes. None when `known` is decided now.
fn unless<'l>(
    code: &mut Code<'l>,
    known: Reg,
    values: &[Reg],
    divide: impl FnOnce(&mut Code<'l>) -> Vec<Reg>,
) -> Result<Option<Vec<Reg>>> {
    if known.constant().is_some() {
        return Ok(None);
    }
    let (slow, merge) = (code.label(), code.label());
    let before = code.here();
    code.branch(known, merge, slow)?;

    code.open_scope(slow, false);
    let mut divided = Vec::with_capacity(values.len());
    for result in divide(code) {
        divided.push(code.settle(result)?);
    }
    let after = code.here();
    code.jump(merge)?;
    code.close_scope();

    code.continue_at(merge);
    let mut joined = Vec::with_capacity(values.len());
    for (value, divided) in values.iter().zip(&divided) {
        let zeros = code.zeros(*value) & code.zeros(*divided);
        let (both, phi) = code.phi(divided.ty(), zeros)?;
        code.add_incoming(phi, *value, before)?;
        code.add_incoming(phi, *divided, after)?;
        joined.push(both);
    }
    Ok(Some(joined))
}
