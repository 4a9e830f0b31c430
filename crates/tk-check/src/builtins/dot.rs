//! Matrix products.

use crate::builtin::{Args, Builtin, function};
use crate::builtins::shape::{permuted, reshaped};
use crate::checked::{Element, InputPrecision, OpKind, Type, Value};
use crate::context::Context;
use crate::error::R;
use crate::value::{Spanned, Val};
use tk_diag::Diagnostic;
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[function(
    "dot",
    &[
        "input",
        "other",
        "acc?",
        "input_precision?",
        "allow_tf32?",
        "max_num_imprecise_acc?",
        "out_dtype?",
        "trans_a?",
        "trans_b?",
    ],
    dot,
)];

/// The least K that the tensor cores take, by the width of the operands.
fn least_k(scalar: ScalarType) -> u32 {
    match scalar.bits() {
        8 => 32,
        64 => 4,
        32 => 8,
        _ => 16,
    }
}

fn dot<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (a_arg, b_arg) = (args.value("input"), args.value("other"));
    let mut a = cx.value_of("an operand of `dot`", &a_arg)?;
    let mut b = cx.value_of("an operand of `dot`", &b_arg)?;
    // Older files transpose operands here.
    for (operand, name) in [(&mut a, "trans_a"), (&mut b, "trans_b")] {
        let rank = cx.builder.ty(*operand).shape.len() as u32;
        if rank >= 2 && args.flag(cx, name, false)? {
            let order = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
            *operand = permuted(cx, *operand, order);
        }
    }
    let scalar = cx.dot_element(a, b, &a_arg, &b_arg)?;
    let shape = cx.dot_shape(a, b, scalar, &a_arg, &b_arg)?;
    let precision = cx.dot_precision(args, scalar)?;
    let result = cx.dot_result(args, scalar)?;
    let imprecise = cx.imprecise_acc(args, scalar, a)?;
    // The GPUs from Hopper on are those with a TMA unit.
    if scalar == ScalarType::F8E4B15 && cx.target.has_tma() {
        let message = "the use of fp8e4b15 is deprecated on Hopper and later architectures";
        cx.deprecated(message, a_arg.span, "Use float8e4nv or float8e5, which their tensor cores multiply.");
    }
    if matches!(scalar, ScalarType::F8E4B15 | ScalarType::F8E4M3B8 | ScalarType::F8E5M2B16) {
        a = cx.cast_scalar(a, ScalarType::F16, a_arg.span)?;
        b = cx.cast_scalar(b, ScalarType::F16, b_arg.span)?;
    }
    let ty = Type { element: Element::Scalar(result), shape };
    let mut acc = match args.given("acc") {
        Some(arg) => cx.accumulator(arg, &ty)?,
        None => cx.builder.int(0, ty.clone()),
    };
    let flat = |ty: &Type| -> Vec<u32> {
        let rank = ty.shape.len();
        let batch = ty.shape[..rank - 2].iter().product();
        vec![batch, ty.shape[rank - 2], ty.shape[rank - 1]]
    };
    let high = ty.shape.len() > 3;
    let mut inner = ty.clone();
    if high {
        for value in [&mut a, &mut b, &mut acc] {
            let shape = flat(cx.builder.ty(*value));
            *value = reshaped(cx, *value, shape, false, args.span)?;
        }
        inner.shape = flat(&ty);
    }
    let kind = OpKind::Dot { precision, max_imprecise_acc: imprecise };
    let product = cx.builder.emit(kind, &[a, b, acc], inner);
    if high { reshaped(cx, product, ty.shape, false, args.span).map(Val::Value) } else { Ok(Val::Value(product)) }
}

impl Context {
    /// The element type of both operands.
    fn dot_element<'a>(&self, a: Value, b: Value, a_arg: &Spanned<'a>, b_arg: &Spanned<'a>) -> R<ScalarType> {
        let (x, y) = (self.builder.ty(a).clone(), self.builder.ty(b).clone());
        for (ty, arg) in [(&x, a_arg), (&y, b_arg)] {
            let known = ty
                .number()
                .is_some_and(|scalar| scalar.is_float() || matches!(scalar, ScalarType::I8 | ScalarType::U8));
            if !known || !ty.is_tensor() {
                let message = format!("`dot` multiplies tensors of fp8, fp16, bf16, fp32, fp64 or int8, not {ty}");
                return Err(self
                    .error(tk_diag::TYPE_MISMATCH, arg.span, message, ty.to_string())
                    .help("Cast with `.to(…)`.")
                    .into());
            }
        }
        let (s, t) = (x.number().unwrap_or(ScalarType::F32), y.number().unwrap_or(ScalarType::F32));
        if s == t || s.is_fp8() && t.is_fp8() {
            if s == ScalarType::U8 {
                let message = "`dot` multiplies signed 8-bit integers only";
                return Err(self
                    .error(tk_diag::TYPE_MISMATCH, a_arg.span, message, x.to_string())
                    .help("Cast with `.to(tl.int8)`.")
                    .into());
            }
            return Ok(s);
        }
        let message = format!("`dot` needs operands of one element type, not {s} and {t}");
        Err(self
            .error(tk_diag::TYPE_MISMATCH, a_arg.span, message, x.to_string())
            .at(&self.file, b_arg.span, y.to_string())
            .help(format!("Cast one of them, for example with `.to(tl.{})`.", s.tl_name()))
            .into())
    }

    /// The shape of the product.
    fn dot_shape<'a>(
        &self,
        a: Value,
        b: Value,
        scalar: ScalarType,
        a_arg: &Spanned<'a>,
        b_arg: &Spanned<'a>,
    ) -> R<Vec<u32>> {
        let (x, y) = (self.builder.ty(a), self.builder.ty(b));
        let fail = |message: String, help: String| {
            self.error(tk_diag::SHAPE_MISMATCH, a_arg.span, message, x.to_string())
                .at(&self.file, b_arg.span, y.to_string())
                .help(help)
        };
        let rank = x.shape.len();
        if rank != y.shape.len() || rank < 2 {
            let message =
                format!("`dot` needs two tensors with the same number of dimensions, at least 2, not {x} and {y}");
            return Err(fail(message, "Insert dimensions with `[:, None]`, or multiply and sum.".into()).into());
        }
        let (m, k) = (x.shape[rank - 2], x.shape[rank - 1]);
        let (k2, n) = (y.shape[rank - 2], y.shape[rank - 1]);
        if k != k2 {
            let message =
                format!("`dot` needs equal inner dimensions, and {:?} × {:?} has {k} and {k2}", x.shape, y.shape);
            return Err(fail(
                message,
                "Transpose one side with `tl.trans` if its dimensions are the other way round.".into(),
            )
            .into());
        }
        if x.shape[..rank - 2] != y.shape[..rank - 2] {
            let message = format!("`dot` needs equal batch dimensions, not {:?} and {:?}", x.shape, y.shape);
            return Err(fail(message, "Broadcast one side first.".into()).into());
        }
        let least = least_k(scalar);
        if k < least {
            let message =
                format!("Input shapes should have M >= 1, N >= 1 and K >= {least} for {scalar}, and K is {k}");
            return Err(fail(message, "Use a larger block, or multiply and sum instead.".into()).into());
        }
        let mut shape = x.shape[..rank - 2].to_vec();
        shape.extend([m, n]);
        self.checked_shape(&shape.iter().map(|&d| i128::from(d)).collect::<Vec<_>>(), a_arg.span.to(b_arg.span))
    }

    fn dot_precision<'a>(&mut self, args: &Args<'a>, scalar: ScalarType) -> R<InputPrecision> {
        match (args.given("input_precision"), args.given("allow_tf32")) {
            (Some(_), Some(old)) => Err(self
                .error(tk_diag::BAD_ARGUMENT, old.span, "`allow_tf32` and `input_precision` exclude each other", "")
                .help("Keep `input_precision`.")
                .into()),
            (None, Some(Spanned { val: Val::Value(value), span })) if self.builder.literal_of(*value).is_none() => {
                // Triton takes any value that is not known for true.
                if scalar == ScalarType::F32 {
                    let message = "`allow_tf32` is not known at compile time, so that this product is computed in tf32";
                    let warning = Diagnostic::warning(tk_diag::SILENT_TF32, message);
                    let help = "Make it a `tl.constexpr`, or say what is meant with `input_precision`.";
                    self.warnings.push(warning.at(&self.file, *span, "a run-time value").help(help));
                }
                Ok(InputPrecision::Tf32)
            }
            (None, Some(old)) => {
                let allowed = self.constant_bool("`allow_tf32`", old)?;
                Ok(if allowed { InputPrecision::Tf32 } else { InputPrecision::Ieee })
            }
            (None, None) => Ok(InputPrecision::Tf32),
            (Some(arg), None) => match self.constant_str("`input_precision`", arg)?.to_lowercase().as_str() {
                "tf32" => Ok(InputPrecision::Tf32),
                "tf32x3" => Ok(InputPrecision::Tf32x3),
                "ieee" => Ok(InputPrecision::Ieee),
                "bf16x3" => Ok(InputPrecision::Bf16x3),
                "bf16x6" => Ok(InputPrecision::Bf16x6),
                other => {
                    let message = format!("{other:?} is not an input precision");
                    let help = "There are \"tf32\", \"tf32x3\", \"ieee\", \"bf16x3\" and \"bf16x6\".";
                    Err(self.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help(help).into())
                }
            },
        }
    }

    /// The element type of the accumulator and the result.
    fn dot_result<'a>(&self, args: &Args<'a>, scalar: ScalarType) -> R<ScalarType> {
        let wanted = match (args.given("out_dtype"), args.given("acc")) {
            (Some(arg), _) => Some((self.scalar_dtype("`out_dtype`", arg)?, arg.span)),
            (None, Some(Spanned { val: Val::Value(acc), span })) => {
                self.builder.ty(*acc).number().map(|scalar| (scalar, *span))
            }
            _ => None,
        };
        if let Some((ScalarType::BF16, span)) = wanted {
            let message = "`dot` cannot accumulate in bf16";
            return Err(self
                .error(tk_diag::TYPE_MISMATCH, span, message, "")
                .help("Accumulate in fp32 and cast with `.to(tl.bfloat16)`.")
                .into());
        }
        Ok(match scalar {
            ScalarType::I8 | ScalarType::U8 => ScalarType::I32,
            ScalarType::F32 | ScalarType::BF16 => ScalarType::F32,
            ScalarType::F64 => ScalarType::F64,
            _ if wanted.is_some_and(|(ty, _)| ty == ScalarType::F16) => ScalarType::F16,
            _ => ScalarType::F32,
        })
    }

    fn imprecise_acc<'a>(&self, args: &Args<'a>, scalar: ScalarType, a: Value) -> R<u32> {
        let Some(arg) = args.given("max_num_imprecise_acc") else {
            // Where tensor cores add 8-bit floats imprecisely, the language never splits the sum unless asked to.
            return Ok(if scalar.is_fp8() && self.target.adds_fp8_imprecisely() { 1 << 30 } else { 0 });
        };
        let count = self.constant_int("`max_num_imprecise_acc`", arg)?;
        let k = self.builder.ty(a).shape.last().copied().unwrap_or(0);
        let fits = u32::try_from(count).ok().filter(|count| !scalar.is_fp8() || *count <= k);
        fits.ok_or_else(|| {
            let message = format!("max_num_imprecise_acc ({count}) must be <= K ({k})");
            self.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help("Leave it out for the fastest form.").into()
        })
    }

    fn accumulator<'a>(&mut self, arg: &Spanned<'a>, ty: &Type) -> R<Value> {
        let acc = self.value_of("the accumulator of `dot`", arg)?;
        if self.builder.ty(acc) == ty {
            return Ok(acc);
        }
        let found = self.builder.ty(acc).to_string();
        let code =
            if self.builder.ty(acc).shape == ty.shape { tk_diag::TYPE_MISMATCH } else { tk_diag::SHAPE_MISMATCH };
        let message = format!("the accumulator of this `dot` must be {ty}, not {found}");
        Err(self
            .error(code, arg.span, message, found)
            .help("Create it with `tl.zeros` of that shape and dtype.")
            .into())
    }
}
