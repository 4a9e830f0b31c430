//! What `mma.sync` multiplies: the operands in a type that it takes, or as a sum of several such parts for more precision.
//!
//! Splitting f32 into parts of few bits and summing products of parts is an old trick (for tensor cores: Ootomo and Yokota,
//! "Recovering single precision accuracy from Tensor Cores", 2022; Henry, Tang and Heinecke, "Leveraging the bfloat16 artificial
//! intelligence datatype", 2019): a part is the rounded rest that the parts before it leave.

use crate::code::{Code, FloatTest, Reg, Ty, bug};
use tk_diag::Result;
use tk_ir::ops::InputPrecision;
use tk_ir::{OpKind, Type, Value};
use tk_types::ScalarType;

/// How the operands are given to the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// As they are.
    Whole,
    /// 8-bit floats as halves.
    Half,
    /// f32 as this many parts of type tf32.
    Tf32(usize),
    /// f32 as this many parts of type bf16.
    Bf16(usize),
}

impl Split {
    /// How to give f32 operands.
    pub(super) fn of_single(precision: InputPrecision) -> Option<Split> {
        match precision {
            InputPrecision::Tf32 => Some(Split::Tf32(1)),
            InputPrecision::Tf32x3 => Some(Split::Tf32(2)),
            InputPrecision::Bf16x3 => Some(Split::Bf16(2)),
            InputPrecision::Bf16x6 => Some(Split::Bf16(3)),
            InputPrecision::Ieee => None,
        }
    }

    /// Parts per element.
    pub(super) fn parts(self) -> usize {
        match self {
            Split::Whole | Split::Half => 1,
            Split::Tf32(parts) | Split::Bf16(parts) => parts,
        }
    }

    /// The pairs of parts whose products count, smallest first, without the product of the first parts. Part `i` is about
    /// 2^(-8i) (bf16) or 2^(-11i) (tf32) of the whole; products further down are below the precision of the sum.
    pub(super) fn corrections(self) -> Vec<(usize, usize)> {
        let parts = self.parts();
        let levels = (1..parts).rev();
        levels.flat_map(|level| (0..=level).map(move |right| (level - right, right))).collect()
    }
}

/// The parts of an operand: for each part, the values of all registers, in the type that packs into words.
pub(super) fn parts<'c>(
    code: &mut Code<'_>,
    operand: Value<'c>,
    values: &[Reg],
    split: Split,
) -> Result<Vec<Vec<Reg>>> {
    match split {
        Split::Whole => Ok(vec![values.to_vec()]),
        Split::Half => {
            let scalar = operand.ty().element().float().unwrap_or(ScalarType::F8E5M2);
            Ok(vec![widen(code, values, scalar)?])
        }
        Split::Tf32(1) if is_short(operand) => {
            Ok(vec![values.iter().map(|value| code.bitcast(*value, Ty::I32)).collect()])
        }
        Split::Tf32(count) => Ok(rests(values, count, |value| {
            let part = code.pure_asm("cvt.rna.tf32.f32 $0, $1;", Ty::I32, &[value]);
            let part_value = code.bitcast(part, Ty::F32);
            (part, code.fsub(value, part_value))
        })),
        Split::Bf16(count) => Ok(rests(values, count, |value| {
            let part = code.fptrunc(value, Ty::BF16);
            let part_value = code.fpext(part, Ty::F32);
            (part, code.fsub(value, part_value))
        })),
    }
}

/// Takes `count` parts off each value; `cut` gives a part and what is left.
fn rests(values: &[Reg], count: usize, mut cut: impl FnMut(Reg) -> (Reg, Reg)) -> Vec<Vec<Reg>> {
    let mut left = values.to_vec();
    let mut part = |_| {
        let (parts, rests) = left.iter().map(|value| cut(*value)).unzip();
        left = rests;
        parts
    };
    (0..count).map(&mut part).collect()
}

/// What corrections add, or nothing where an operand is infinite or no number: there the rest of the split is no number, and the
/// product of the first parts says it all.
pub(super) fn finite_or_zero(code: &mut Code<'_>, correction: Reg) -> Reg {
    let magnitude = code.overloaded("llvm.fabs", Ty::F32, &[correction]);
    let (infinity, zero) = (code.f32(f32::INFINITY), code.f32(0.0));
    let is_finite = code.fcmp(FloatTest::Olt, magnitude, infinity);
    code.select(is_finite, correction, zero)
}

/// Whether f32 values were widened from 16 bits or less, so that they are tf32 values already.
fn is_short(value: Value<'_>) -> bool {
    /// Only conversions between layouts are expected in between.
    const STEPS: usize = 8;
    let mut value = value;
    for _ in 0..STEPS {
        let Some(op) = value.defining_op() else { return false };
        match op.kind() {
            OpKind::TtgConvertLayout | OpKind::TtTrans | OpKind::TtReshape | OpKind::TtBroadcast => {
                value = op.operand(0);
            }
            OpKind::ArithExtF | OpKind::TtFpToFp => return bits(op.operand(0).ty()) <= 16,
            _ => return false,
        }
    }
    false
}

fn bits(ty: Type<'_>) -> u32 {
    match ty.element().float() {
        Some(ScalarType::F64) => 64,
        Some(ScalarType::F32) => 32,
        _ => 16,
    }
}

/// 8-bit floats as halves of the same values, two at a time; for GPUs that convert them and formats that they know.
pub(super) fn widen(code: &mut Code<'_>, values: &[Reg], from: ScalarType) -> Result<Vec<Reg>> {
    let template = match from {
        ScalarType::F8E4M3 => "cvt.rn.f16x2.e4m3x2 $0, $1;",
        ScalarType::F8E5M2 => "cvt.rn.f16x2.e5m2x2 $0, $1;",
        other => return Err(bug(format!("matrix products of {other:?} are not emitted"))),
    };
    let mut halves = Vec::with_capacity(values.len());
    for pair in values.chunks(2) {
        let second = pair.get(1).copied().unwrap_or(pair[0]);
        let word = code.pack(&[pair[0], second], Ty::Int(16));
        let wide = code.pure_asm(template, Ty::I32, &[word]);
        halves.extend_from_slice(&code.unpack(wide, Ty::F16)[..pair.len()]);
    }
    Ok(halves)
}
