//! Single precision to half precision or bf16, two registers at a time.
//!
//! One instruction rounds two numbers into the halves of a word. LLVM writes it where a word of both follows. Where each is added to something
//! first it writes two conversions, and ptxas, which adds both halves of a word at once, puts the word together by a third instruction. So elements that are
//! neighbours among the registers of a thread are converted together there (docs/measurements.md, "Neighbours are rounded together").
//!
//! True for casts whose result is computed on in its own type, or, in half precision, in single precision: instructions for these take either half of a word.
//! For others a word would have to be taken apart, which takes as many instructions as it saves: what is stored is packed by LLVM, in whatever order it is
//! stored; selections and shuffles take single registers, as does what widens bf16.
//!
//! Sums and products of two halves in single precision, rounded to halves, are left to LLVM, which makes one instruction in half precision of it all.

use super::family::{Cast, Family, Float, Shape};
use super::{Emitter, Registers};
use crate::code::{Code, Lane, Reg, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Result;
use tk_ir::{Op, OpKind, Value};

/// Names of a result that are looked at.
const MOST_NAMES: usize = 8;

/// Operations that only repeat or move numbers, one after the other.
const MOST_STEPS: usize = 8;

/// A 16-bit float.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Narrow {
    Half,
    Brain,
}

impl Narrow {
    /// What a cast from one type to another gives, if two of its elements are one conversion.
    pub(super) fn of(from: Ty, to: Ty) -> Option<Self> {
        match (from, to) {
            (Ty::F32, Ty::F16) => Some(Self::Half),
            (Ty::F32, Ty::BF16) => Some(Self::Brain),
            _ => None,
        }
    }

    /// Its type.
    pub(super) fn ty(self) -> Ty {
        match self {
            Self::Half => Ty::F16,
            Self::Brain => Ty::BF16,
        }
    }

    /// Two of `pair`, the first one in the lower half.
    fn convert(self, code: &mut Code<'_>, pair: [Reg; 2]) -> Vec<Reg> {
        let (name, lane) = match self {
            Self::Half => ("llvm.nvvm.ff2f16x2.rn", Lane::F16),
            Self::Brain => ("llvm.nvvm.ff2bf16x2.rn", Lane::BF16),
        };
        let word = code.intrinsic(name, Ty::Vector(2, lane), &[pair[1], pair[0]]);
        code.unpack(word, self.ty())
    }
}

/// A cast that is rounded to nearest even, with two elements at a time.
pub(super) fn emit<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, narrow: Narrow) -> Result<()> {
    let singles = emitter.registers(op.operand(0))?;
    let casts = match &singles {
        Registers::Splat(single) => Registers::Splat(emitter.code.fptrunc(*single, narrow.ty())),
        Registers::Each(singles) => convert_each(&mut emitter.code, singles, narrow).into(),
    };
    emitter.define(op.result(0), casts);
    Ok(())
}

/// Registers that a layout repeats are converted once, and constants by LLVM.
fn convert_each(code: &mut Code<'_>, singles: &[Reg], narrow: Narrow) -> Vec<Reg> {
    let mut seen = FxHashSet::default();
    let is_new = |single: &Reg| single.constant().is_none() && seen.insert(*single);
    let different: Vec<Reg> = singles.iter().copied().filter(is_new).collect();
    let mut casts: FxHashMap<Reg, Reg> = FxHashMap::default();
    for pair in different.chunks_exact(2) {
        let converted = narrow.convert(code, [pair[0], pair[1]]);
        casts.extend(pair.iter().copied().zip(converted));
    }
    let ty = narrow.ty();
    singles.iter().map(|single| casts.get(single).copied().unwrap_or_else(|| code.fptrunc(*single, ty))).collect()
}

/// Whether conversions of two elements take fewer instructions, for what the result of a cast is used for.
pub(super) fn pay(op: Op<'_>, narrow: Narrow) -> bool {
    op.result(0).ty().is_tensor() && is_computed_on(op.result(0), narrow) && !is_narrowed(op.operand(0))
}

/// What an operation makes of a 16-bit float.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It computes on both halves of a word at once, or on either.
    Computes,
    /// The result has the same numbers.
    Renames,
    /// It takes a number by itself, or packs it with another one.
    Apart,
}

/// Some operation computes on the number, whatever else it is used for.
fn is_computed_on(value: Value<'_>, narrow: Narrow) -> bool {
    let mut names = vec![value];
    for _ in 0..MOST_NAMES {
        let Some(name) = names.pop() else { return false };
        for (user, _) in name.users() {
            match use_of(user.kind(), narrow) {
                Use::Computes => return true,
                Use::Renames => names.push(user.result(0)),
                Use::Apart => {}
            }
        }
    }
    false
}

fn use_of(kind: OpKind, narrow: Narrow) -> Use {
    let in_single = match narrow {
        Narrow::Half => Use::Computes,
        Narrow::Brain => Use::Apart,
    };
    match Family::of(kind) {
        Family::Float(which) => use_of_float(which, in_single),
        Family::Math(_) | Family::Cast(Cast::ArithExtF) => in_single,
        Family::Shape(Shape::TtExpandDims | Shape::TtBroadcast) => Use::Renames,
        _ => Use::Apart,
    }
}

/// `in_single` is for what is computed in single precision.
fn use_of_float(which: Float, in_single: Use) -> Use {
    match which {
        Float::ArithAddF
        | Float::ArithSubF
        | Float::ArithMulF
        | Float::ArithMaxNumF
        | Float::ArithMinNumF
        | Float::ArithMaximumF
        | Float::ArithMinimumF
        | Float::TtClampF
        | Float::MathFma => Use::Computes,
        Float::ArithDivF
        | Float::TtApproxDivF
        | Float::TtPreciseDivF
        | Float::ArithRemF
        | Float::MathSqrt
        | Float::TtPreciseSqrt => in_single,
        // Signs are bits. A comparison with a constant is one of the number before it is rounded.
        Float::ArithNegF
        | Float::MathAbsF
        | Float::MathCopySign
        | Float::ArithCmpF
        | Float::MathIsNaN
        | Float::MathCeil
        | Float::MathFloor
        | Float::MathTrunc
        | Float::MathRoundEven => Use::Apart,
    }
}

/// LLVM computes what makes a number in the narrow type at once: from nothing but widened numbers and constants.
fn is_narrowed(single: Value<'_>) -> bool {
    let Some(op) = made_by(single) else { return false };
    match op.kind() {
        OpKind::ArithExtF | OpKind::TtFpToFp | OpKind::ArithSIToFP | OpKind::ArithUIToFP => true,
        OpKind::ArithSelect => [1, 2].into_iter().any(|side| is_widened(op.operand(side))),
        _ => {
            let operands = op.operands();
            !operands.is_empty() && operands.into_iter().all(|of| is_widened(of) || of.constant_float().is_some())
        }
    }
}

fn is_widened(value: Value<'_>) -> bool {
    made_by(value).is_some_and(|op| matches!(op.kind(), OpKind::ArithExtF | OpKind::TtFpToFp))
}

/// The operation that computes a value's numbers.
fn made_by(value: Value<'_>) -> Option<Op<'_>> {
    let mut op = value.defining_op()?;
    for _ in 0..MOST_STEPS {
        match op.kind() {
            OpKind::TtSplat
            | OpKind::TtBroadcast
            | OpKind::TtExpandDims
            | OpKind::TtReshape
            | OpKind::TtTrans
            | OpKind::TtgConvertLayout => op = op.operand(0).defining_op()?,
            _ => return Some(op),
        }
    }
    Some(op)
}
