//! Logarithms of f32: the short way for normal numbers, and a branch for the others.
//!
//! Zeros, denormal, negative and infinite numbers and NaN take four instructions and two predicates more for each element. One test of all elements
//! of a thread says whether there are any. Where data has zeros or negative numbers most threads take the branch, so that it keeps what is known and only
//! replaces the logarithms that are no finite numbers. Denormal numbers have finite ones, and are rare: a second branch computes all elements the long way, unless
//! none can be denormal ([`denormal`](super::denormal)).
//! The branch has another use: ptxas moves a load down to where it is used, behind the arithmetic on what was loaded before it, and waits for the one after
//! the other; it moves none over a branch.
//!
//! One number of a thread is not worth a branch. Tensors of many registers are computed the long way, whose code would be as long again. So are they beside products in loops, where a branch cuts the
//! block within which the assembler overlaps copies and products. Where a thread has many of these, one test says which numbers are special, since
//! predicates are few.

use super::arithmetic::bits;
use super::denormal::may_be_denormal;
use super::single::{self, Base};
use crate::beside_products::is_beside_products;
use crate::code::{Code, IntTest, Label, Reg, Ty};
use crate::emit::float::in_single;
use crate::emit::least::least_where_kept;
use crate::emit::{Emitter, Registers};
use tk_diag::Result;
use tk_ir::Op;

/// Registers of a tensor for which the long way may be there, too.
const REGISTERS: std::ops::RangeInclusive<usize> = 2..=16;

/// Registers of a tensor beside products whose predicates are too many: a thread has seven, and packs those of some eight elements, with their masks.
/// ptxas then computes hardly two elements at the same time, and waits for each of their thirty instructions.
const MANY: usize = 8;

/// `math.log` and `math.log2` of f32, and of 16-bit floats in f32.
pub(super) fn emit_logarithm<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, base: Base) -> Result<()> {
    let operand = emitter.registers(op.operand(0))?;
    let beside_products = operand.splat().is_none() && is_beside_products(op);
    let may_branch = operand.splat().is_none() && REGISTERS.contains(&operand.len()) && !beside_products;
    let of_many = beside_products && operand.len() >= MANY;
    let code = &mut emitter.code;
    let ty = operand.get(0).ty();
    let inputs: Vec<Reg> = (0..operand.len()).map(|index| code.fpext(operand.get(index), Ty::F32)).collect();
    if least_where_kept(op, 0).is_some_and(|least| least >= f64::from(f32::MIN_POSITIVE)) {
        return emitter
            .map(op, |code, x| in_single(code, x, |code, x| single::logarithm_of_not_small(code, x[0], base)));
    }
    let special = if may_branch { any_special(code, &inputs) } else { None };
    let results = match special {
        Some(special) => with_branch(code, &inputs, special, may_be_denormal(op.operand(0)), base)?,
        None if of_many => inputs.iter().map(|x| single::logarithm_of_many(code, *x, base)).collect(),
        None => inputs.iter().map(|x| single::logarithm(code, *x, base)).collect(),
    };
    let results: Vec<Reg> = results.into_iter().map(|result| code.fptrunc(result, ty)).collect();
    let registers = if operand.splat().is_some() { Registers::Splat(results[0]) } else { results.into() };
    emitter.define(op.result(0), registers);
    Ok(())
}

/// Whether one of the numbers is not normal and positive; `None` where that is known.
fn any_special(code: &mut Code<'_>, inputs: &[Reg]) -> Option<Reg> {
    let (least, count) = (code.i32(0x0080_0000), code.i32(0x7eff_ffff));
    let mut any = code.bool(false);
    for input in inputs {
        let word = bits(code, *input);
        let above = code.sub(word, least);
        let special = code.icmp(IntTest::Ugt, above, count);
        any = code.or(any, special);
    }
    any.constant().is_none().then_some(any)
}

/// Whether one of the numbers is positive and denormal.
fn any_denormal(code: &mut Code<'_>, inputs: &[Reg]) -> Reg {
    let (one, count) = (code.i32(1), code.i32(0x007f_ffff));
    let mut any = code.bool(false);
    for input in inputs {
        let word = bits(code, *input);
        let below = code.sub(word, one);
        let denormal = code.icmp(IntTest::Ult, below, count);
        any = code.or(any, denormal);
    }
    any
}

/// Logarithms, and the block that goes on with them.
struct Arm<'l> {
    from: Label<'l>,
    logs: Vec<Reg>,
}

fn with_branch(
    code: &mut Code<'_>,
    inputs: &[Reg],
    special: Reg,
    may_be_denormal: bool,
    base: Base,
) -> Result<Vec<Reg>> {
    let short = of_each(code, inputs, |code, _, x| single::logarithm_of_normal(code, x, base))?;
    let (some, exit) = (code.label(), code.label());
    let mut arms = vec![Arm { from: code.here(), logs: short.clone() }];
    code.branch(special, some, exit)?;
    code.open_scope(some, false);
    let replace = if may_be_denormal { single::finite_or_special } else { single::finite_or_special_of_not_denormal };
    let replaced = of_each(code, inputs, |code, at, x| replace(code, x, short[at]))?;
    let denormal = if may_be_denormal { any_denormal(code, inputs) } else { code.bool(false) };
    let replaced = Arm { from: code.here(), logs: replaced };
    if denormal.constant() == Some(0) {
        code.jump(exit)?;
        arms.push(replaced);
    } else {
        let exact = code.label();
        code.branch(denormal, exact, exit)?;
        if denormal.constant().is_none() {
            arms.push(replaced);
        }
        arms.push(exact_arm(code, inputs, exact, exit, base)?);
    }
    code.close_scope();
    code.continue_at(exit);
    join(code, &arms)
}

/// All logarithms the long way.
fn exact_arm<'l>(
    code: &mut Code<'l>,
    inputs: &[Reg],
    exact: Label<'l>,
    exit: Label<'l>,
    base: Base,
) -> Result<Arm<'l>> {
    code.open_scope(exact, false);
    let logs = of_each(code, inputs, |code, _, x| single::logarithm(code, x, base))?;
    let arm = Arm { from: code.here(), logs };
    code.jump(exit)?;
    code.close_scope();
    Ok(arm)
}

/// What `log` gives of each number and its index, computed in this block.
fn of_each<'l>(
    code: &mut Code<'l>,
    inputs: &[Reg],
    log: impl Fn(&mut Code<'l>, usize, Reg) -> Reg,
) -> Result<Vec<Reg>> {
    let mut logs = Vec::with_capacity(inputs.len());
    for (at, input) in inputs.iter().enumerate() {
        let log = log(code, at, *input);
        logs.push(code.settle(log)?);
    }
    Ok(logs)
}

/// The logarithms of the arm that was taken.
fn join<'l>(code: &mut Code<'l>, arms: &[Arm<'l>]) -> Result<Vec<Reg>> {
    let mut joined = Vec::with_capacity(arms[0].logs.len());
    for at in 0..arms[0].logs.len() {
        let (value, phi) = code.phi(Ty::F32, 0)?;
        for arm in arms {
            code.add_incoming(phi, arm.logs[at], arm.from)?;
        }
        joined.push(value);
    }
    Ok(joined)
}
