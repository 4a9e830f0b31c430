//! Floats, element by element: arithmetic, comparisons, roundings. Functions with polynomials are in `math_functions`.

use super::Emitter;
use super::family::Float;
use super::least::{is_single, least_where_kept};
use super::normal_divisors::has_normal_reciprocal;
use crate::code::{Code, FloatTest, Reg, Ty};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::CmpF;
use tk_ir::{Op, OpKind, Value};

/// How an operation is computed.
enum Form<'l> {
    /// By this function of one register of each operand.
    Map(fn(&mut Code<'l>, &[Reg]) -> Reg),
    Divide,
    Compare,
    Clamp,
}

/// Any operation on floats that has no file of its own.
pub(super) fn emit_float<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Float) -> Result<()> {
    match form(which) {
        Form::Map(function) => emitter.map(op, function),
        Form::Divide => emit_division(emitter, op),
        Form::Compare => emit_comparison(emitter, op),
        Form::Clamp => emit_clamp(emitter, op),
    }
}

fn form<'l>(which: Float) -> Form<'l> {
    match which {
        Float::ArithAddF => Form::Map(|code, x| code.fadd(x[0], x[1])),
        Float::ArithSubF => Form::Map(|code, x| code.fsub(x[0], x[1])),
        Float::ArithMulF => Form::Map(|code, x| code.fmul(x[0], x[1])),
        Float::ArithNegF => Form::Map(|code, x| code.fneg(x[0])),
        Float::ArithDivF => Form::Divide,
        Float::TtApproxDivF => Form::Map(|code, x| {
            in_single(code, x, |code, x| match x[0].ty() {
                Ty::F32 => code.intrinsic("llvm.nvvm.div.approx.f", Ty::F32, x),
                _ => code.fdiv(x[0], x[1]),
            })
        }),
        Float::TtPreciseDivF => Form::Map(|code, x| in_single(code, x, |code, x| code.fdiv(x[0], x[1]))),
        Float::ArithRemF => Form::Map(|code, x| in_single(code, x, |code, x| code.frem(x[0], x[1]))),
        Float::ArithMaxNumF => Form::Map(|code, x| code.overloaded("llvm.maxnum", x[0].ty(), x)),
        Float::ArithMinNumF => Form::Map(|code, x| code.overloaded("llvm.minnum", x[0].ty(), x)),
        Float::ArithMaximumF => Form::Map(|code, x| code.overloaded("llvm.maximum", x[0].ty(), x)),
        Float::ArithMinimumF => Form::Map(|code, x| code.overloaded("llvm.minimum", x[0].ty(), x)),
        Float::MathAbsF => Form::Map(|code, x| code.overloaded("llvm.fabs", x[0].ty(), x)),
        Float::MathCeil => Form::Map(|code, x| code.overloaded("llvm.ceil", x[0].ty(), x)),
        Float::MathFloor => Form::Map(|code, x| code.overloaded("llvm.floor", x[0].ty(), x)),
        Float::MathTrunc => Form::Map(|code, x| code.overloaded("llvm.trunc", x[0].ty(), x)),
        Float::MathRoundEven => Form::Map(|code, x| code.overloaded("llvm.roundeven", x[0].ty(), x)),
        Float::MathCopySign => Form::Map(|code, x| code.overloaded("llvm.copysign", x[0].ty(), x)),
        Float::MathFma => Form::Map(|code, x| code.overloaded("llvm.fma", x[0].ty(), x)),
        Float::MathIsNaN => Form::Map(|code, x| code.fcmp(FloatTest::Uno, x[0], x[0])),
        Float::MathSqrt => Form::Map(|code, x| {
            in_single(code, x, |code, x| match x[0].ty() {
                Ty::F32 => code.intrinsic("llvm.nvvm.sqrt.approx.ftz.f", Ty::F32, x),
                ty => code.overloaded("llvm.sqrt", ty, x),
            })
        }),
        Float::TtPreciseSqrt => Form::Map(|code, x| {
            in_single(code, x, |code, x| match x[0].ty() {
                Ty::F32 => code.intrinsic("llvm.nvvm.sqrt.rn.f", Ty::F32, x),
                ty => code.overloaded("llvm.sqrt", ty, x),
            })
        }),
        Float::ArithCmpF => Form::Compare,
        Float::TtClampF => Form::Clamp,
    }
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

/// Elements of a thread that one divisor divides, at least: then it is prepared once.
const SHARED_BY: usize = 2;

fn emit_division<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    if let Some(divisor) = Divisor::of(op) {
        let operands = [op.operand(0), divisor.value()];
        return emitter.map_values(op.result(0), &operands, |code, x| {
            in_single(code, x, |code, x| divisor.divide(code, x[0], x[1]))
        });
    }
    let divisors = emitter.registers(op.operand(1))?;
    let all: Vec<Reg> = (0..divisors.len()).map(|index| divisors.get(index)).collect();
    let distinct: FxHashSet<Reg> = all.iter().copied().collect();
    let is_shared = all.len() >= SHARED_BY * distinct.len() && all.len() > 1;
    emitter.map(op, |code, x| {
        in_single(code, x, |code, x| match x[0].ty() {
            Ty::F32 if is_shared => divide_by_shared(code, x[0], x[1]),
            Ty::F32 => code.intrinsic("llvm.nvvm.div.full", Ty::F32, x),
            _ => code.fdiv(x[0], x[1]),
        })
    })
}

/// A divisor that needs none of the tests of `div.full`.
enum Divisor<'c> {
    /// A float whose reciprocal is a normal number, if it is neither zero nor infinite.
    Normal(Value<'c>),
    /// A sum of single precision of which a quarter has a reciprocal that is a normal number.
    Quartered {
        value: Value<'c>,
        /// What is added to `value`.
        constant: f64,
    },
}

/// A quarter of this is the least normal number.
const LEAST_DIVISOR: f64 = 4.0 * f32::MIN_POSITIVE as f64;

impl<'c> Divisor<'c> {
    fn of(division: Op<'c>) -> Option<Self> {
        let divisor = division.operand(1);
        if has_normal_reciprocal(divisor) {
            return Some(Self::Normal(divisor));
        }
        let is_normal = is_single(divisor) && least_where_kept(division, 1).is_some_and(|least| least >= LEAST_DIVISOR);
        // The quarter of a sum with a constant is one instruction, as the sum is.
        let sum = divisor.defining_op().filter(|op| op.kind() == OpKind::ArithAddF).and_then(|sum| {
            let orders = [[0, 1], [1, 0]];
            orders.into_iter().find_map(|[constant, value]| {
                let constant = sum.operand(constant).constant_float()?;
                Some(Self::Quartered { constant, value: sum.operand(value) })
            })
        });
        is_normal.then(|| sum.unwrap_or(Self::Quartered { value: divisor, constant: 0.0 }))
    }

    /// What the division takes instead of its divisor.
    fn value(&self) -> Value<'c> {
        match self {
            Self::Normal(value) | Self::Quartered { value, .. } => *value,
        }
    }

    /// The quotient of `div.full` without its tests.
    fn divide(&self, code: &mut Code<'_>, dividend: Reg, value: Reg) -> Reg {
        let reciprocal = match self {
            Self::Normal(_) => approximate_reciprocal(code, value),
            Self::Quartered { constant, .. } => reciprocal_by_quarter(code, value, *constant),
        };
        if dividend == code.f32(1.0) {
            return reciprocal;
        }
        // Rounded, as a quotient is: what is added to it is not added to more digits.
        code.intrinsic("llvm.nvvm.mul.rn.f", Ty::F32, &[dividend, reciprocal])
    }
}

fn approximate_reciprocal(code: &mut Code<'_>, value: Reg) -> Reg {
    code.pure_asm("rcp.approx.ftz.f32 $0, $1;", Ty::F32, &[value])
}

/// The reciprocal of a quarter of the sum is a normal number, however large that is. The quarter is rounded as the sum is. Where the sum is beyond 2^126,
/// the reciprocal is subnormal and has 21 bits or more.
fn reciprocal_by_quarter(code: &mut Code<'_>, value: Reg, constant: f64) -> Reg {
    let [quarter, addend] = [0.25, 0.25 * constant as f32].map(|number| code.f32(number));
    let scaled = if constant == 0.0 { code.fmul(value, quarter) } else { code.fma(value, quarter, addend) };
    let reciprocal = approximate_reciprocal(code, scaled);
    code.intrinsic("llvm.nvvm.mul.rn.f", Ty::F32, &[reciprocal, quarter])
}

/// What `div.full` computes, in the same steps: a divisor whose reciprocal would be no normal number is scaled first, and so is what it divides.
/// What depends on the divisor alone is one computation for all that it divides; of `div.full`, ptxas makes the scaling anew for each.
fn divide_by_shared(code: &mut Code<'_>, dividend: Reg, divisor: Reg) -> Reg {
    let size = code.overloaded("llvm.fabs", Ty::F32, &[divisor]);
    let [most, least, down, up, one] =
        [2f32.powi(126), f32::MIN_POSITIVE, 0.25, 2f32.powi(24), 1.0].map(|number| code.f32(number));
    let is_large = code.fcmp(FloatTest::Ogt, size, most);
    let is_small = code.fcmp(FloatTest::Olt, size, least);
    let scale_of_small = code.select(is_small, up, one);
    let scale = code.select(is_large, down, scale_of_small);
    let scaled = code.fmul(divisor, scale);
    let reciprocal = approximate_reciprocal(code, scaled);
    let dividend = code.fmul(dividend, scale);
    // Rounded, as a quotient is: what is added to it is not added to more digits.
    code.intrinsic("llvm.nvvm.mul.rn.f", Ty::F32, &[dividend, reciprocal])
}

fn emit_comparison<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
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

/// Between a number and its negative, the less of two magnitudes with the sign of the value is one instruction; otherwise the less of the
/// value and its upper limit, and the greater of that and the lower one. What is no number and need not stay that becomes the upper limit then, and the
/// limit of its sign there.
fn emit_clamp<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let propagate = op.int_attr("propagateNan").unwrap_or(0) != 0;
    let limits = (op.operand(1).constant_float(), op.operand(2).constant_float());
    let is_symmetric = matches!(limits, (Some(least), Some(most)) if most > 0.0 && least == -most);
    let has_one = is_symmetric && emitter.settings.target.has_signed_minimum();
    let both = if propagate { "llvm.nvvm.fmin.nan.xorsign.abs.f" } else { "llvm.nvvm.fmin.xorsign.abs.f" };
    let (max, min) = if propagate { ("llvm.maximum", "llvm.minimum") } else { ("llvm.maxnum", "llvm.minnum") };
    emitter.map(op, |code, x| {
        let ty = x[0].ty();
        if has_one && ty == Ty::F32 {
            return code.intrinsic(both, ty, &[x[0], x[2]]);
        }
        let capped = code.overloaded(min, ty, &[x[0], x[2]]);
        code.overloaded(max, ty, &[x[1], capped])
    })
}
