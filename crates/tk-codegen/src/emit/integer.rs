//! Integers and selections, element by element: arithmetic, comparisons, bits.

use super::division::{self, Division};
use super::family::Integer;
use super::shared::{Shuffle, shuffle};
use super::{Emitter, Registers, bytes_of_words};
use crate::code::{Code, IntTest, Reg, Ty};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::ops::CmpI;
use tk_ir::{Op, OpKind};
use tk_layout::{Dim, LinearLayout};

/// How an operation is computed.
enum Form<'l> {
    /// By this function of one register of each operand.
    Map(fn(&mut Code<'l>, &[Reg]) -> Reg),
    /// By this function, unless [`division`] knows better.
    Divide(Division, fn(&mut Code<'l>, &[Reg]) -> Reg),
    Compare,
    /// Both halves of a product.
    WideProduct(Signedness),
}

#[derive(Clone, Copy)]
enum Signedness {
    Signed,
    Unsigned,
}

/// Any operation on integers, and `arith.select`.
pub(super) fn emit_integer<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Integer) -> Result<()> {
    if let Some(half) = Half::of(op) {
        return map_runs(emitter, op, |code, x| half.of_product(code, x));
    }
    if bytes_of_words::emit(emitter, op)? {
        return Ok(());
    }
    match form(which) {
        Form::Map(function) => map_runs(emitter, op, function),
        Form::Divide(division, function) => match division::quotient_of_many(emitter, op)? {
            Some(quotient) => emit_rest(emitter, op, quotient),
            None if division::emit_division(emitter, op, division)? => share_runs(emitter, op),
            None => map_runs(emitter, op, function),
        },
        Form::Compare => emit_comparison(emitter, op),
        Form::WideProduct(signedness) => emit_wide_product(emitter, op, signedness),
    }
}

/// How many neighbours along each axis are known to be equal.
fn runs_of(op: Op<'_>) -> Option<Vec<i64>> {
    op.attr(tk_ir::attributes::CONSTANCY)?.as_ints()
}

/// As [`Emitter::map`], once for all registers whose elements are known to be equal.
fn map_runs<'c, 'l>(
    emitter: &mut Emitter<'c, 'l>,
    op: Op<'c>,
    mut f: impl FnMut(&mut Code<'l>, &[Reg]) -> Reg,
) -> Result<()> {
    let Some(runs) = runs_of(op) else { return emitter.map(op, f) };
    let tensor = emitter.tensor(op.result(0).ty())?;
    let operands = op.operands().into_iter().map(|value| emitter.registers(value)).collect::<Result<Vec<_>>>()?;
    let mut results: Vec<Reg> = Vec::with_capacity(tensor.registers);
    for (register, first) in first_of_runs(&tensor.layout, &runs).into_iter().enumerate() {
        let row: Vec<Reg> = operands.iter().map(|registers| registers.get(register)).collect();
        let known = results.get(first).copied();
        results.push(known.unwrap_or_else(|| f(&mut emitter.code, &row)));
    }
    emitter.define(op.result(0), results.into());
    Ok(())
}

/// The remainder of what `quotient` divides, too: what that leaves of the number.
fn emit_rest<'c, 'l>(emitter: &mut Emitter<'c, 'l>, op: Op<'c>, quotient: Op<'c>) -> Result<()> {
    let (numbers, divisors) = (emitter.registers(op.operand(0))?, emitter.registers(op.operand(1))?);
    let divide = if quotient.kind() == OpKind::ArithDivSI { Code::sdiv } else { Code::udiv };
    let rest = |code: &mut Code<'l>, register: usize, first: usize| {
        let (number, divisor) = (numbers.get(register), divisors.get(register));
        let divided = divide(code, numbers.get(first), divisors.get(first));
        let whole = code.mul(divided, divisor);
        code.sub(number, whole)
    };
    let tensor = emitter.tensor(op.result(0).ty())?;
    // Elements with one quotient share it.
    let firsts = match runs_of(quotient) {
        Some(runs) => first_of_runs(&tensor.layout, &runs),
        None => (0..tensor.registers).collect(),
    };
    let rests = firsts.into_iter().enumerate().map(|(register, first)| rest(&mut emitter.code, register, first));
    let rests: Vec<Reg> = rests.collect();
    emitter.define(op.result(0), rests.into());
    share_runs(emitter, op)
}

/// One register for all whose elements are known to be equal. What the others would have held is never computed.
fn share_runs<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let (Some(runs), Registers::Each(registers)) = (runs_of(op), emitter.registers(op.result(0))?) else {
        return Ok(());
    };
    let tensor = emitter.tensor(op.result(0).ty())?;
    let shared: Vec<Reg> = first_of_runs(&tensor.layout, &runs).into_iter().map(|first| registers[first]).collect();
    emitter.define(op.result(0), shared.into());
    Ok(())
}

fn form<'l>(which: Integer) -> Form<'l> {
    match which {
        Integer::ArithAddI => Form::Map(|code, x| code.add(x[0], x[1])),
        Integer::ArithSubI => Form::Map(|code, x| code.sub(x[0], x[1])),
        Integer::ArithMulI => Form::Map(|code, x| code.mul(x[0], x[1])),
        Integer::ArithDivSI => Form::Divide(Division::SignedQuotient, |code, x| code.sdiv(x[0], x[1])),
        Integer::ArithRemSI => Form::Divide(Division::SignedRemainder, |code, x| code.srem(x[0], x[1])),
        Integer::ArithRemUI => Form::Divide(Division::UnsignedRemainder, |code, x| code.urem(x[0], x[1])),
        Integer::ArithDivUI => Form::Map(|code, x| code.udiv(x[0], x[1])),
        Integer::ArithFloorDivSI => Form::Map(|code, x| correct_quotient(code, x[0], x[1], IntTest::Slt, -1)),
        Integer::ArithCeilDivSI => Form::Map(|code, x| correct_quotient(code, x[0], x[1], IntTest::Sge, 1)),
        Integer::ArithCeilDivUI => Form::Map(|code, x| {
            let (quotient, remainder) = (code.udiv(x[0], x[1]), code.urem(x[0], x[1]));
            add_if_nonzero(code, quotient, remainder)
        }),
        Integer::ArithAndI => Form::Map(|code, x| code.and(x[0], x[1])),
        Integer::ArithOrI => Form::Map(|code, x| code.or(x[0], x[1])),
        Integer::ArithXOrI => Form::Map(|code, x| code.xor(x[0], x[1])),
        Integer::ArithShLI => Form::Map(|code, x| code.shl(x[0], x[1])),
        Integer::ArithShRSI => Form::Map(|code, x| code.ashr(x[0], x[1])),
        Integer::ArithShRUI => Form::Map(|code, x| code.lshr(x[0], x[1])),
        Integer::ArithMaxSI => Form::Map(|code, x| code.int_extreme(IntTest::Sgt, x[0], x[1])),
        Integer::ArithMinSI => Form::Map(|code, x| code.int_extreme(IntTest::Slt, x[0], x[1])),
        Integer::ArithMaxUI => Form::Map(|code, x| code.int_extreme(IntTest::Ugt, x[0], x[1])),
        Integer::ArithMinUI => Form::Map(|code, x| code.int_extreme(IntTest::Ult, x[0], x[1])),
        Integer::ArithSelect => Form::Map(|code, x| code.select(x[0], x[1], x[2])),
        Integer::ArithCmpI => Form::Compare,
        Integer::ArithMulSIExtended => Form::WideProduct(Signedness::Signed),
        Integer::ArithMulUIExtended => Form::WideProduct(Signedness::Unsigned),
        Integer::TtMulhiUI => Form::Map(|code, x| high_product(code, x[0], x[1], Signedness::Unsigned)),
        Integer::MathAbsI => Form::Map(|code, x| {
            let zero = code.int(x[0].ty(), 0);
            let negated = code.sub(zero, x[0]);
            code.int_extreme(IntTest::Sgt, x[0], negated)
        }),
        Integer::MathCtPop => Form::Map(|code, x| code.overloaded("llvm.ctpop", x[0].ty(), x)),
        Integer::MathCountLeadingZeros => Form::Map(|code, x| count_zeros(code, "llvm.ctlz", x[0])),
        Integer::MathCountTrailingZeros => Form::Map(|code, x| count_zeros(code, "llvm.cttz", x[0])),
    }
}

/// Zeros at one end of an integer; all bits of zero.
fn count_zeros(code: &mut Code<'_>, name: &str, x: Reg) -> Reg {
    let is_undefined_at_zero = code.bool(false);
    code.overloaded(name, x.ty(), &[x, is_undefined_at_zero])
}

fn add_if_nonzero(code: &mut Code<'_>, quotient: Reg, remainder: Reg) -> Reg {
    let zero = code.int(remainder.ty(), 0);
    let inexact = code.icmp(IntTest::Ne, remainder, zero);
    let one = code.zext(inexact, quotient.ty());
    code.add(quotient, one)
}

/// A quotient rounded to negative or positive infinity, from the one rounded to zero and the remainder.
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

/// A half of a product of which the other half is computed as well, as random numbers do (Philox): one instruction multiplies for both.
#[derive(Clone, Copy)]
struct Half {
    is_upper: bool,
    /// The other half has its factors in the other order.
    is_turned: bool,
}

impl Half {
    const WHOLE_BITS: u32 = 64;

    /// `None` where the other half is not computed in the same block, or the numbers have no instruction of this kind.
    fn of(op: Op<'_>) -> Option<Self> {
        let other = match op.kind() {
            OpKind::TtMulhiUI => OpKind::ArithMulI,
            OpKind::ArithMulI => OpKind::TtMulhiUI,
            _ => return None,
        };
        let [a, b] = [0, 1].map(|index| op.operand(index));
        let has_one_instruction = a.ty().element_bits() * 2 == Self::WHOLE_BITS;
        let is_twin = |user: &Op<'_>| {
            user.kind() == other
                && user.block() == op.block()
                && (user.operands() == [a, b] || user.operands() == [b, a])
        };
        let twin = a.users().into_iter().map(|(user, _)| user).filter(|_| has_one_instruction).find(is_twin)?;
        let is_upper = op.kind() == OpKind::TtMulhiUI;
        Some(Self { is_upper, is_turned: !is_upper && twin.operand(0) != a })
    }

    fn of_product(self, code: &mut Code<'_>, factors: &[Reg]) -> Reg {
        let (whole, half) = (Ty::Int(Self::WHOLE_BITS), factors[0].ty());
        let factors = if self.is_turned { [factors[1], factors[0]] } else { [factors[0], factors[1]] };
        let product = code.pure_asm("mul.wide.u32 $0, $1, $2;", whole, &factors);
        if !self.is_upper {
            return code.trunc(product, half);
        }
        let bits = code.int(whole, i64::from(half.bits()));
        let upper = code.lshr(product, bits);
        code.trunc(upper, half)
    }
}

/// The upper half of the product of two 32-bit or 64-bit integers.
fn high_product(code: &mut Code<'_>, a: Reg, b: Reg, signedness: Signedness) -> Reg {
    let sign = match signedness {
        Signedness::Signed => 's',
        Signedness::Unsigned => 'u',
    };
    code.pure_asm(&format!("mul.hi.{sign}{} $0, $1, $2;", a.ty().bits()), a.ty(), &[a, b])
}

fn emit_wide_product<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, signedness: Signedness) -> Result<()> {
    let (a, b) = (emitter.registers(op.operand(0))?, emitter.registers(op.operand(1))?);
    let code = &mut emitter.code;
    let low = super::zip(&a, &b, |a, b| code.mul(a, b));
    let high = super::zip(&a, &b, |a, b| high_product(code, a, b, signedness));
    emitter.define(op.result(0), low);
    emitter.define(op.result(1), high);
    Ok(())
}

fn emit_comparison<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
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
    if op.attr(tk_ir::attributes::EVERY_ITERATION).is_some() {
        return map_runs(emitter, op, |code, x| code.icmp_here(test, x[0], x[1]));
    }
    if let Some(number) = op.int_attr(tk_ir::attributes::DISTANCE) {
        return map_runs(emitter, op, |code, x| code.icmp_by_distance(test, x[0], x[1], number as u32));
    }
    if let Some(number) = op.int_attr(tk_ir::attributes::AGAIN) {
        return emit_apart(emitter, op, test, number as u32);
    }
    if op.attr(tk_ir::attributes::AGAIN).is_some() {
        return map_runs(emitter, op, |code, x| code.icmp_again(test, x[0], x[1]));
    }
    map_runs(emitter, op, |code, x| code.icmp(test, x[0], x[1]))
}

/// Registers without their constants that a side of a comparison has, at most, for others to stand for them.
const MOST_APART: usize = 8;

/// A comparison of numbers of which nobody sees that they are those of an earlier comparison: what each lane has from itself. ptxas finds that sums
/// and answers are those of before, whatever LLVM is told, and keeps and spills them for a row of hundreds.
fn emit_apart<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, test: IntTest, number: u32) -> Result<()> {
    let lane = emitter.threads().lane;
    let mut apart: FxHashMap<Reg, Reg> = FxHashMap::default();
    for side in op.operands() {
        let registers = emitter.registers(side)?;
        if registers.splat().is_some() {
            continue;
        }
        let mut bases: Vec<Reg> = Vec::new();
        for base in (0..registers.len()).map(|register| registers.get(register).base()) {
            let is_number = matches!(base.ty(), Ty::Int(32 | 64)) && base.constant().is_none();
            if is_number && bases.len() <= MOST_APART && !bases.contains(&base) {
                bases.push(base);
            }
        }
        if bases.len() > MOST_APART {
            continue;
        }
        for base in bases {
            let other =
                emitter.code.standing_for(base, number, |code, base| shuffle(code, base, Shuffle::From(lane)))?;
            apart.insert(base, other);
        }
    }
    let other = |reg: Reg| apart.get(&reg.base()).map_or(reg, |other| other.with_offset(reg.offset()));
    map_runs(emitter, op, |code, x| code.icmp(test, other(x[0]), other(x[1])))
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
