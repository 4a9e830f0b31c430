//! Warnings for precision that is lost without a word: tf32 products of fp32 matrices, sums in 16 bits, and the mix of the
//! two 16-bit float types.

use crate::defs::{Defs, each_op};
use rustc_hash::FxHashSet;
use tk_check::checked::{BinaryOp, CastKind, InputPrecision, Kernel, Op, OpKind};
use tk_diag::{Diagnostic, HALF_SUM, SILENT_TF32};
use tk_types::ScalarType;

/// Shortest sum in 16 bits that is worth a word.
const LONG_SUM: u32 = 64;

pub(crate) fn warnings(kernel: &Kernel) -> Vec<Diagnostic> {
    let defs = Defs::new(kernel);
    let mut found = Vec::new();
    let mut places = FxHashSet::default();
    each_op(&kernel.body, &mut |op| {
        let mut warning = None;
        if let OpKind::Dot { precision: InputPrecision::Tf32, .. } = op.kind {
            warning = tf32(kernel, &defs, op);
        }
        if let OpKind::Reduce { axis } = op.kind {
            warning = half_sum(kernel, op, axis);
        }
        found.extend(warning.filter(|_| places.insert(op.loc.span)));
    });
    found
}

/// A product of fp32 matrices in tf32 that the program does not ask for by name.
fn tf32(kernel: &Kernel, defs: &Defs<'_>, op: &Op) -> Option<Diagnostic> {
    let inputs = &op.operands[..2];
    if inputs.iter().any(|input| kernel.ty(*input).number() != Some(ScalarType::F32)) {
        return None;
    }
    // Widened 16-bit numbers have fewer digits than tf32 keeps.
    let is_short = |value| {
        let widened = defs.op(value).filter(|op| op.kind == OpKind::Cast(CastKind::FpExt));
        widened.and_then(|op| kernel.ty(op.operands[0]).number()).is_some_and(|from| from.bits() <= 16)
    };
    if inputs.iter().all(|input| is_short(*input)) {
        return None;
    }
    let text = kernel.file.slice(op.loc.span);
    if text.contains("precision") || text.contains("tf32") {
        return None;
    }
    Some(
        Diagnostic::warning(SILENT_TF32, "this product of fp32 matrices is computed in tf32, with 10 bits of fraction")
            .at(&kernel.file, op.loc.span, "fp32 operands, no `input_precision`")
            .note("fp32 has 23 bits of fraction; the error of a product grows from about 1e-7 to 1e-3")
            .help("Say what is meant: input_precision='tf32' for speed, 'tf32x3' or 'ieee' for fp32's precision."),
    )
}

/// A sum of many 16-bit floats that is kept in 16 bits.
fn half_sum(kernel: &Kernel, op: &Op, axis: u32) -> Option<Diagnostic> {
    let input = op.operands.first()?;
    let scalar = kernel.ty(*input).number().filter(|scalar| scalar.is_float() && scalar.bits() <= 16)?;
    let length = *kernel.ty(*input).shape.get(axis as usize)?;
    let block = op.blocks.first()?;
    let sums = matches!(block.ops.as_slice(), [only] if only.kind == OpKind::Binary(BinaryOp::AddF));
    (sums && length >= LONG_SUM).then(|| {
        Diagnostic::warning(HALF_SUM, format!("{length} numbers of {} are summed in {0}", scalar.tl_name(),))
            .at(&kernel.file, op.loc.span, format!("the sum stays {}", scalar.tl_name()))
            .note(if scalar == ScalarType::F16 {
                "float16 keeps 11 bits and ends at 65504"
            } else {
                "bfloat16 keeps 8 bits: 256 + 1 is 256"
            })
            .help("Sum in fp32: `tl.sum(x.to(tl.float32), …)`.")
    })
}
