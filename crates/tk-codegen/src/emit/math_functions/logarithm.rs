//! Logarithms of f32: the short way for normal numbers, and a branch that is hardly ever taken to the long one.
//!
//! Zeros, denormal, negative and infinite numbers and NaN take four instructions and two predicates more for each element. One test of all elements
//! of a thread says whether there are any. The branch has another use: ptxas moves a load down to where it is used, behind the arithmetic on what was
//! loaded before it, and waits for the one after the other; it moves none over a branch.
//!
//! One number of a thread is not worth a branch. Tensors of many registers are computed the long way, whose code would be as long again. So are they beside products in loops, where a branch cuts the
//! block within which the assembler overlaps copies and products. Where a thread has many of these, one test says which numbers are special, since
//! predicates are few.

use super::arithmetic::bits;
use super::single::{self, Base};
use crate::beside_products::is_beside_products;
use crate::code::{Code, IntTest, Reg, Ty};
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
        Some(special) => with_branch(code, &inputs, special, base)?,
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

fn with_branch(code: &mut Code<'_>, inputs: &[Reg], special: Reg, base: Base) -> Result<Vec<Reg>> {
    let mut short = Vec::with_capacity(inputs.len());
    for input in inputs {
        let log = single::logarithm_of_normal(code, *input, base);
        short.push(code.settle(log)?);
    }
    let (long, exit) = (code.label(), code.label());
    let before = code.here();
    code.branch(special, long, exit)?;
    code.open_scope(long, false);
    let mut full = Vec::with_capacity(inputs.len());
    for input in inputs {
        let log = single::logarithm(code, *input, base);
        full.push(code.settle(log)?);
    }
    let behind = code.here();
    code.jump(exit)?;
    code.close_scope();
    code.continue_at(exit);
    let mut joined = Vec::with_capacity(inputs.len());
    for (short, full) in short.into_iter().zip(full) {
        let (value, phi) = code.phi(Ty::F32, 0)?;
        code.add_incoming(phi, short, before)?;
        code.add_incoming(phi, full, behind)?;
        joined.push(value);
    }
    Ok(joined)
}
