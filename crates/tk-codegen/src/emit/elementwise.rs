//! Operations that work on each element by itself: integer and float arithmetic, comparisons, selections.

use super::{Emitter, casts, division, hardware_math, math_functions};
use crate::code::{Code, FloatTest, IntTest, Reg, Ty};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::ops::{CmpF, CmpI};
use tk_ir::{Op, OpKind};
use tk_layout::{Dim, LinearLayout};

/// Any elementwise operation.
pub(super) fn emit_elementwise<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    match op.kind() {
        OpKind::ArithCmpI => emit_cmpi(emitter, op),
        OpKind::ArithCmpF => emit_cmpf(emitter, op),
        OpKind::ArithMulSIExtended | OpKind::ArithMulUIExtended => emit_wide_product(emitter, op),
        OpKind::TtClampF => emit_clamp(emitter, op),
        OpKind::ArithDivSI | OpKind::ArithRemSI | OpKind::ArithRemUI if division::emit_division(emitter, op)? => Ok(()),
        kind if casts::is_cast(kind) => casts::emit_cast(emitter, op),
        kind => {
            let hardware = || hardware_math::function(kind, super::element_ty(op.operand(0).ty())?);
            let Some(function) = integer(kind).or_else(|| float(kind)).or_else(hardware) else {
                return math_functions::emit_math(emitter, op);
            };
            emitter.map(op, function)
        }
    }
}

type Function<'l> = fn(&mut Code<'l>, &[Reg]) -> Reg;

fn integer<'l>(kind: OpKind) -> Option<Function<'l>> {
    Some(match kind {
        OpKind::ArithAddI => |code, x| code.add(x[0], x[1]),
        OpKind::ArithSubI => |code, x| code.sub(x[0], x[1]),
        OpKind::ArithMulI => |code, x| code.mul(x[0], x[1]),
        OpKind::ArithDivSI => |code, x| code.sdiv(x[0], x[1]),
        OpKind::ArithDivUI => |code, x| code.udiv(x[0], x[1]),
        OpKind::ArithRemSI => |code, x| code.srem(x[0], x[1]),
        OpKind::ArithRemUI => |code, x| code.urem(x[0], x[1]),
        OpKind::ArithCeilDivSI | OpKind::ArithFloorDivSI => return rounded_division(kind),
        OpKind::ArithCeilDivUI => |code, x| {
            let (quotient, remainder) = (code.udiv(x[0], x[1]), code.urem(x[0], x[1]));
            add_if_nonzero(code, quotient, remainder)
        },
        OpKind::ArithAndI => |code, x| code.and(x[0], x[1]),
        OpKind::ArithOrI => |code, x| code.or(x[0], x[1]),
        OpKind::ArithXOrI => |code, x| code.xor(x[0], x[1]),
        OpKind::ArithShLI => |code, x| code.shl(x[0], x[1]),
        OpKind::ArithShRSI => |code, x| code.ashr(x[0], x[1]),
        OpKind::ArithShRUI => |code, x| code.lshr(x[0], x[1]),
        OpKind::ArithMaxSI => |code, x| code.int_extreme(IntTest::Sgt, x[0], x[1]),
        OpKind::ArithMinSI => |code, x| code.int_extreme(IntTest::Slt, x[0], x[1]),
        OpKind::ArithMaxUI => |code, x| code.int_extreme(IntTest::Ugt, x[0], x[1]),
        OpKind::ArithMinUI => |code, x| code.int_extreme(IntTest::Ult, x[0], x[1]),
        OpKind::ArithSelect => |code, x| code.select(x[0], x[1], x[2]),
        OpKind::TtMulhiUI => |code, x| high_product(code, x[0], x[1], false),
        OpKind::MathAbsI => |code, x| {
            let negative = code.int(x[0].ty(), 0);
            let negated = code.sub(negative, x[0]);
            code.int_extreme(IntTest::Sgt, x[0], negated)
        },
        OpKind::MathCtPop => |code, x| code.overloaded("llvm.ctpop", x[0].ty(), x),
        OpKind::MathCtLz => |code, x| {
            let defined_at_zero = code.bool(false);
            code.overloaded("llvm.ctlz", x[0].ty(), &[x[0], defined_at_zero])
        },
        OpKind::MathCtTz => |code, x| {
            let defined_at_zero = code.bool(false);
            code.overloaded("llvm.cttz", x[0].ty(), &[x[0], defined_at_zero])
        },
        _ => return None,
    })
}

fn add_if_nonzero(code: &mut Code<'_>, quotient: Reg, remainder: Reg) -> Reg {
    let zero = code.int(remainder.ty(), 0);
    let inexact = code.icmp(IntTest::Ne, remainder, zero);
    let one = code.zext(inexact, quotient.ty());
    code.add(quotient, one)
}

/// Quotients rounded to negative or positive infinity, from the one rounded to zero and the remainder.
fn rounded_division<'l>(kind: OpKind) -> Option<Function<'l>> {
    Some(match kind {
        OpKind::ArithFloorDivSI => |code, x| correct_quotient(code, x[0], x[1], IntTest::Slt, -1),
        _ => |code, x| correct_quotient(code, x[0], x[1], IntTest::Sge, 1),
    })
}

fn correct_quotient(code: &mut Code<'_>, a: Reg, b: Reg, correct_if_signs: IntTest, correction: i64) -> Reg {
    let (quotient, remainder) = (code.sdiv(a, b), code.srem(a, b));
    let zero = code.int(a.ty(), 0);
    let signs = code.xor(a, b);
    let (rounded, inexact) = (code.icmp(correct_if_signs, signs, zero), code.icmp(IntTest::Ne, remainder, zero));
    let wrong = code.and(rounded, inexact);
    let correction = code.int(a.ty(), correction);
    let corrected = code.add(quotient, correction);
    code.select(wrong, corrected, quotient)
}

/// The upper half of the product of two 32-bit or 64-bit integers.
fn high_product(code: &mut Code<'_>, a: Reg, b: Reg, signed: bool) -> Reg {
    let sign = if signed { 's' } else { 'u' };
    code.pure_asm(&format!("mul.hi.{sign}{} $0, $1, $2;", a.ty().bits()), a.ty(), &[a, b])
}

fn emit_wide_product<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let (a, b) = (emitter.registers(op.operand(0))?, emitter.registers(op.operand(1))?);
    let signed = op.kind() == OpKind::ArithMulSIExtended;
    let code = &mut emitter.code;
    let low = super::zip(&a, &b, |a, b| code.mul(a, b));
    let high = super::zip(&a, &b, |a, b| high_product(code, a, b, signed));
    emitter.define(op.result(0), low);
    emitter.define(op.result(1), high);
    Ok(())
}

fn float<'l>(kind: OpKind) -> Option<Function<'l>> {
    Some(match kind {
        OpKind::ArithAddF => |code, x| code.fadd(x[0], x[1]),
        OpKind::ArithSubF => |code, x| code.fsub(x[0], x[1]),
        OpKind::ArithMulF => |code, x| code.fmul(x[0], x[1]),
        OpKind::ArithNegF => |code, x| code.fneg(x[0]),
        OpKind::ArithDivF => |code, x| {
            in_single(code, x, |code, x| match x[0].ty() {
                Ty::F32 => code.intrinsic("llvm.nvvm.div.full", Ty::F32, x),
                _ => code.fdiv(x[0], x[1]),
            })
        },
        OpKind::TtApproxDivF => |code, x| {
            in_single(code, x, |code, x| match x[0].ty() {
                Ty::F32 => code.intrinsic("llvm.nvvm.div.approx.f", Ty::F32, x),
                _ => code.fdiv(x[0], x[1]),
            })
        },
        OpKind::TtPreciseDivF => |code, x| in_single(code, x, |code, x| code.fdiv(x[0], x[1])),
        OpKind::ArithRemF => |code, x| in_single(code, x, |code, x| code.frem(x[0], x[1])),
        OpKind::ArithMaxNumF => |code, x| code.overloaded("llvm.maxnum", x[0].ty(), x),
        OpKind::ArithMinNumF => |code, x| code.overloaded("llvm.minnum", x[0].ty(), x),
        OpKind::ArithMaximumF => |code, x| code.overloaded("llvm.maximum", x[0].ty(), x),
        OpKind::ArithMinimumF => |code, x| code.overloaded("llvm.minimum", x[0].ty(), x),
        OpKind::MathAbsF => |code, x| code.overloaded("llvm.fabs", x[0].ty(), x),
        OpKind::MathCeil => |code, x| code.overloaded("llvm.ceil", x[0].ty(), x),
        OpKind::MathFloor => |code, x| code.overloaded("llvm.floor", x[0].ty(), x),
        OpKind::MathTrunc => |code, x| code.overloaded("llvm.trunc", x[0].ty(), x),
        OpKind::MathRoundEven => |code, x| code.overloaded("llvm.roundeven", x[0].ty(), x),
        OpKind::MathCopySign => |code, x| code.overloaded("llvm.copysign", x[0].ty(), x),
        OpKind::MathFma => |code, x| code.overloaded("llvm.fma", x[0].ty(), x),
        OpKind::MathIsNan => |code, x| code.fcmp(FloatTest::Uno, x[0], x[0]),
        OpKind::MathSqrt => |code, x| {
            in_single(code, x, |code, x| match x[0].ty() {
                Ty::F32 => code.intrinsic("llvm.nvvm.sqrt.approx.ftz.f", Ty::F32, x),
                ty => code.overloaded("llvm.sqrt", ty, x),
            })
        },
        OpKind::TtPreciseSqrt => |code, x| {
            in_single(code, x, |code, x| match x[0].ty() {
                Ty::F32 => code.intrinsic("llvm.nvvm.sqrt.rn.f", Ty::F32, x),
                ty => code.overloaded("llvm.sqrt", ty, x),
            })
        },
        _ => return None,
    })
}

/// Computes 16-bit floats in single precision.
pub(super) fn in_single<'l>(code: &mut Code<'l>, x: &[Reg], f: impl FnOnce(&mut Code<'l>, &[Reg]) -> Reg) -> Reg {
    let ty = x[0].ty();
    if ty.bits() != 16 {
        return f(code, x);
    }
    let wide: Vec<Reg> = x.iter().map(|x| code.fpext(*x, Ty::F32)).collect();
    let result = f(code, &wide);
    code.fptrunc(result, ty)
}

fn emit_cmpi<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let test = match op.int_attr("predicate").and_then(CmpI::from_number) {
        Some(CmpI::Eq) => IntTest::Eq,
        Some(CmpI::Ne) => IntTest::Ne,
        Some(CmpI::Slt) => IntTest::Slt,
        Some(CmpI::Sle) => IntTest::Sle,
        Some(CmpI::Sgt) => IntTest::Sgt,
        Some(CmpI::Sge) => IntTest::Sge,
        Some(CmpI::Ult) => IntTest::Ult,
        Some(CmpI::Ule) => IntTest::Ule,
        Some(CmpI::Ugt) => IntTest::Ugt,
        Some(CmpI::Uge) => IntTest::Uge,
        None => return Err(emitter.bug(op, "the predicate is unknown")),
    };
    let Some(runs) = op.attr("tk.constancy").and_then(|runs| runs.as_ints()) else {
        return emitter.map(op, |code, x| code.icmp(test, x[0], x[1]));
    };
    let tensor = emitter.tensor(op.result(0).ty())?;
    let (a, b) = (emitter.registers(op.operand(0))?, emitter.registers(op.operand(1))?);
    let mut results: Vec<Reg> = Vec::with_capacity(tensor.registers);
    for (register, first) in first_of_runs(&tensor.layout, &runs).into_iter().enumerate() {
        let known = results.get(first).copied();
        results.push(known.unwrap_or_else(|| emitter.code.icmp(test, a.get(register), b.get(register))));
    }
    emitter.define(op.result(0), results.into());
    Ok(())
}

/// For each register, the first one that holds an element of the same run, in every thread; `runs` are the lengths of runs along each axis.
fn first_of_runs(layout: &LinearLayout, runs: &[i64]) -> Vec<usize> {
    let shifts: Vec<u32> = runs.iter().map(|run| (*run).max(1).ilog2()).collect();
    let mut first: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    let run_of = |register: u32| {
        let image = layout.apply_dim(Dim::Register, register);
        let at = |(axis, shift): (usize, &u32)| layout.unpack_dim(image, Dim::Axis(axis as u8)) >> shift;
        shifts.iter().enumerate().map(at).collect::<Vec<u32>>()
    };
    (0..layout.in_size(Dim::Register)).map(|reg| *first.entry(run_of(reg)).or_insert(reg as usize)).collect()
}

fn emit_cmpf<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let test = match op.int_attr("predicate").and_then(CmpF::from_number) {
        Some(CmpF::AlwaysFalse) => return emitter.map(op, |code, _| code.bool(false)),
        Some(CmpF::AlwaysTrue) => return emitter.map(op, |code, _| code.bool(true)),
        Some(CmpF::Oeq) => FloatTest::Oeq,
        Some(CmpF::Ogt) => FloatTest::Ogt,
        Some(CmpF::Oge) => FloatTest::Oge,
        Some(CmpF::Olt) => FloatTest::Olt,
        Some(CmpF::Ole) => FloatTest::Ole,
        Some(CmpF::One) => FloatTest::One,
        Some(CmpF::Ord) => FloatTest::Ord,
        Some(CmpF::Ueq) => FloatTest::Ueq,
        Some(CmpF::Ugt) => FloatTest::Ugt,
        Some(CmpF::Uge) => FloatTest::Uge,
        Some(CmpF::Ult) => FloatTest::Ult,
        Some(CmpF::Ule) => FloatTest::Ule,
        Some(CmpF::Une) => FloatTest::Une,
        Some(CmpF::Uno) => FloatTest::Uno,
        None => return Err(emitter.bug(op, "the predicate is unknown")),
    };
    emitter.map(op, |code, x| code.fcmp(test, x[0], x[1]))
}

fn emit_clamp<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let propagate = op.int_attr("propagateNan").unwrap_or(0) != 0;
    let (max, min) = if propagate { ("llvm.maximum", "llvm.minimum") } else { ("llvm.maxnum", "llvm.minnum") };
    emitter.map(op, |code, x| {
        let ty = x[0].ty();
        let raised = code.overloaded(max, ty, &[x[0], x[1]]);
        code.overloaded(min, ty, &[raised, x[2]])
    })
}
