//! `dot_scaled`: products of blocks with a shared scale per 32 elements along K (the OCP microscaling formats).
//!
//! Hopper's tensor cores do not scale, so both sides are widened to bf16 (fp16 when one of them is fp16), multiplied by their
//! scales, and go through `dot`. Four-bit floats come in pairs in a byte, the first in the low bits; the code generator looks
//! both up in tables.
//!
//! A scale becomes its factor, NaN included, before it is spread over the elements that share it. So an element takes one
//! product, and no selection. See [`multiplied_in`] for the type of that product.

use super::{language, shape};
use crate::builtin::{Args, Builtin, function};
use crate::checked::{BinaryOp, CompareOp, OpKind, Value};
use crate::context::Context;
use crate::error::R;
use crate::value::CallArgs;
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[function(
    "dot_scaled",
    &[
        "lhs",
        "lhs_scale",
        "lhs_format",
        "rhs",
        "rhs_scale",
        "rhs_format",
        "acc?",
        "fast_math?",
        "lhs_k_pack?",
        "rhs_k_pack?",
        "out_dtype?",
    ],
    dot_scaled,
)];

/// Elements along K that share a scale.
const GROUP: u32 = 32;

/// Functions of the code generator (`four_bit_floats` of tk-codegen): the number in the low bits of a byte as bf16, and the one in the high bits.
const NUMBERS_OF_BYTE: [&str; 2] = ["__tk_e2m1_low", "__tk_e2m1_high"];

/// How the elements of one side are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    E2m1,
    Plain(ScalarType),
}

/// One side of the product: which dimension is K, counted in a matrix.
struct Side<'a> {
    value: Spanned<'a>,
    scale: Option<Spanned<'a>>,
    format: Format,
    packed_along_k: bool,
    is_left: bool,
}

fn format_of<'a>(cx: &Context, arg: &Spanned<'a>) -> R<Format> {
    Ok(match &*cx.constant_str("the format of an operand", arg)? {
        "e2m1" => Format::E2m1,
        "e4m3" => Format::Plain(ScalarType::F8E4M3),
        "e5m2" => Format::Plain(ScalarType::F8E5M2),
        "bf16" => Format::Plain(ScalarType::BF16),
        "fp16" => Format::Plain(ScalarType::F16),
        other => {
            let message = format!("{other:?} is not a format of `dot_scaled`");
            let help = "There are \"e2m1\", \"e4m3\", \"e5m2\", \"bf16\" and \"fp16\".";
            return Err(cx.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help(help).into());
        }
    })
}

/// The type in which elements are multiplied by their factors, before the product is rounded to `compute`.
///
/// bf16 gives the bits that f32 rounded to bf16 gives, and multiplies two at once. An element has at most 8 significant bits. So its product with a power
/// of two is exact in f32 where the last bit is 2^-149 or more, and both ways round once. Where that bit is less, the product is less than 2^-141, which is
/// zero in bf16 both ways. Zeros and infinities are the same, and which NaN it is no sum of products tells.
///
/// 8-bit floats become bf16 by way of f32, so that they are multiplied there before they are rounded, two by one instruction. Products that become fp16
/// are those of f32, whose numbers go further.
fn multiplied_in(format: Format, compute: ScalarType) -> ScalarType {
    let is_brain = matches!(format, Format::E2m1 | Format::Plain(ScalarType::BF16)) && compute == ScalarType::BF16;
    if is_brain { ScalarType::BF16 } else { ScalarType::F32 }
}

fn dot_scaled<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (left_packed, right_packed) = (args.flag(cx, "lhs_k_pack", true)?, args.flag(cx, "rhs_k_pack", true)?);
    let exact = !args.flag(cx, "fast_math", false)?;
    if let Some(arg) = args.given("out_dtype")
        && cx.scalar_dtype("`out_dtype`", arg)? != ScalarType::F32
    {
        let message = "`dot_scaled` gives fp32";
        let error = cx.error(tk_diag::BAD_ARGUMENT, arg.span, message, "");
        return Err(error.help("Leave `out_dtype` out and cast the result.").into());
    }
    let left = Side {
        value: args.value("lhs"),
        scale: args.given("lhs_scale").cloned(),
        format: format_of(cx, &args.value("lhs_format"))?,
        packed_along_k: left_packed,
        is_left: true,
    };
    let right = Side {
        value: args.value("rhs"),
        scale: args.given("rhs_scale").cloned(),
        format: format_of(cx, &args.value("rhs_format"))?,
        packed_along_k: right_packed,
        is_left: false,
    };
    let half = Format::Plain(ScalarType::F16);
    let compute = if left.format == half || right.format == half { ScalarType::F16 } else { ScalarType::BF16 };
    let a = cx.scaled_operand(&left, compute, exact)?;
    let b = cx.scaled_operand(&right, compute, exact)?;
    let Some(dot) = language("dot") else { return Ok(Val::None) };
    let operand = |value: Value, side: &Side<'a>| Spanned { val: Val::Value(value), span: side.value.span };
    let named = args.given("acc").map(|acc| ("acc", acc.span, acc.clone()));
    let positional = vec![operand(a, &left), operand(b, &right)];
    super::call(cx, dot, CallArgs { positional, named: named.into_iter().collect() }, args.span)
}

impl Context {
    fn scaled_operand<'a>(&mut self, side: &Side<'a>, compute: ScalarType, exact: bool) -> R<Value> {
        let span = side.value.span;
        let raw = self.value_of("an operand of `dot_scaled`", &side.value)?;
        let rank = self.builder.ty(raw).shape.len();
        if !(2..=3).contains(&rank) {
            let found = self.builder.ty(raw).to_string();
            let message = format!("`dot_scaled` needs operands with two or three dimensions, not {found}");
            let error = self.error(tk_diag::SHAPE_MISMATCH, span, message, found);
            return Err(error.help("Insert dimensions with `[None, :, :]`.").into());
        }
        let plain = match side.format {
            Format::E2m1 => self.unpacked(raw, side)?,
            Format::Plain(scalar) => {
                if !side.packed_along_k {
                    let message =
                        "only the format \"e2m1\" is packed, so only it can be packed along another dimension";
                    let error = self.error(tk_diag::BAD_ARGUMENT, span, message, "");
                    return Err(error.help("Leave `k_pack` out.").into());
                }
                self.stored_as(raw, scalar, span)?
            }
        };
        let Some(scale) = &side.scale else { return self.cast_scalar(plain, compute, span) };
        let elements = self.cast_scalar(plain, multiplied_in(side.format, compute), span)?;
        let scaled = self.apply_scale(elements, scale, side, exact)?;
        self.cast_scalar(scaled, compute, span)
    }

    /// 8-bit floats may come as bytes; everything else has its own type.
    fn stored_as(&mut self, raw: Value, scalar: ScalarType, span: Span) -> R<Value> {
        match self.builder.ty(raw).number() {
            Some(found) if found == scalar => Ok(raw),
            Some(ScalarType::U8 | ScalarType::I8) if scalar.bits() == 8 => Ok(self.builder.reinterpret(raw, scalar)),
            _ => {
                let found = self.builder.ty(raw).to_string();
                let message = format!("the format says {scalar}, and the operand is {found}");
                let error = self.error(tk_diag::TYPE_MISMATCH, span, message, found);
                Err(error.help("Pass uint8 or the type itself.").into())
            }
        }
    }

    /// Two elements from every byte, along K or along the other dimension, as bf16.
    fn unpacked<'a>(&mut self, raw: Value, side: &Side<'a>) -> R<Value> {
        let span = side.value.span;
        if !matches!(self.builder.ty(raw).number(), Some(ScalarType::U8 | ScalarType::I8)) {
            let found = self.builder.ty(raw).to_string();
            let message = format!("the format \"e2m1\" is stored in uint8, not {found}");
            let error = self.error(tk_diag::TYPE_MISMATCH, span, message, found);
            return Err(error.help("Pass the packed bytes.").into());
        }
        let mut ty = self.builder.ty(raw).with_scalar(ScalarType::BF16);
        let [low, high] = NUMBERS_OF_BYTE.map(|symbol| {
            let kind = OpKind::Extern { symbol: symbol.to_owned() };
            self.builder.emit(kind, &[raw], ty.clone())
        });
        let mut shape = ty.shape.clone();
        let rank = shape.len();
        ty.shape.push(2);
        let pairs = self.builder.emit(OpKind::Join, &[low, high], ty);
        // The dimension of the pair goes behind the one that it was packed along.
        let along_last = side.packed_along_k == side.is_left;
        let moved = if along_last {
            shape[rank - 1] *= 2;
            pairs
        } else {
            shape[rank - 2] *= 2;
            let mut order: Vec<u32> = (0..rank as u32 - 1).collect();
            order.extend([rank as u32, rank as u32 - 1]);
            shape::permuted(self, pairs, order)
        };
        shape::reshaped(self, moved, shape, false, span)
    }

    /// Multiplies elements of fp32 or bf16 by their scales: powers of two as their exponents, 255 for NaN.
    fn apply_scale<'a>(&mut self, elements: Value, arg: &Spanned<'a>, side: &Side<'a>, exact: bool) -> R<Value> {
        let scale = self.value_of("a scale of `dot_scaled`", arg)?;
        let ty = self.builder.ty(elements).clone();
        let shape = ty.shape.clone();
        let rank = shape.len();
        let k_axis = if side.is_left { rank - 1 } else { rank - 2 };
        let other_axis = if side.is_left { rank - 2 } else { rank - 1 };
        let mut wanted = shape.clone();
        wanted[rank - 2] = shape[other_axis];
        wanted[rank - 1] = shape[k_axis] / GROUP;
        let bytes = matches!(self.builder.ty(scale).number(), Some(ScalarType::U8 | ScalarType::I8));
        if !bytes || self.builder.ty(scale).shape != wanted || !shape[k_axis].is_multiple_of(GROUP) {
            let found = self.builder.ty(scale).to_string();
            let name = if side.is_left { "lhs_scale" } else { "rhs_scale" };
            let is_shape = self.builder.ty(scale).shape != wanted;
            let texts: Vec<String> = self.builder.ty(scale).shape.iter().map(|size| format!("'{size}'")).collect();
            let message = match is_shape {
                true => format!("{name} must be a tensor of shape {wanted:?}. Got [{}]", texts.join(", ")),
                false => format!("{name} must be uint8 of shape {wanted:?}, not {found}"),
            };
            let help =
                "There is one scale for 32 elements along K, and the scales of the right side are not transposed.";
            return Err(self.error(tk_diag::SHAPE_MISMATCH, arg.span, message, found).help(help).into());
        }
        let scale = self.builder.reinterpret(scale, ScalarType::U8);
        let float = if ty.number() == Some(ScalarType::BF16) { ScalarType::BF16 } else { ScalarType::F32 };
        let factor = self.factor_of(scale, float, exact, arg.span)?;
        let factor = self.spread_scale(factor, &shape, side, arg.span)?;
        Ok(self.builder.emit(OpKind::Binary(BinaryOp::MulF), &[elements, factor], ty))
    }

    /// What scales multiply by, as bf16 or fp32, which both have an exponent of 8 bits behind their sign.
    fn factor_of(&mut self, scale: Value, float: ScalarType, exact: bool, span: Span) -> R<Value> {
        const SIGN_AND_EXPONENT: u32 = 9;
        let word = if float.bits() == 16 { ScalarType::U16 } else { ScalarType::U32 };
        let mantissa_bits = float.bits() - SIGN_AND_EXPONENT;
        let exponent = self.cast_scalar(scale, word, span)?;
        let ty = self.builder.ty(exponent).clone();
        let number = |cx: &mut Self, number: i128| cx.builder.int(number, ty.clone());
        let amount = number(self, mantissa_bits.into());
        let power = self.builder.binary(BinaryOp::Shl, exponent, amount);
        if !exact {
            return Ok(self.builder.reinterpret(power, float));
        }
        // The highest bit behind the exponent tells a NaN from infinity.
        let [last, nan] = [255, 0x1ff << (mantissa_bits - 1)].map(|bits| number(self, bits));
        let bool = self.bool_like(exponent);
        let is_nan = self.builder.emit(OpKind::Compare(CompareOp::EqI), &[exponent, last], bool);
        let bits = self.builder.emit(OpKind::Select, &[is_nan, nan, power], ty.clone());
        Ok(self.builder.reinterpret(bits, float))
    }

    /// Factors repeated for the elements that share them, in the operand's shape.
    fn spread_scale<'a>(&mut self, factor: Value, shape: &[u32], side: &Side<'a>, span: Span) -> R<Value> {
        let rank = shape.len();
        let mut value = factor;
        let mut grouped = shape.to_vec();
        let axis = if side.is_left {
            grouped[rank - 1] /= GROUP;
            rank
        } else {
            let mut order: Vec<u32> = (0..rank as u32).collect();
            order.swap(rank - 2, rank - 1);
            value = shape::permuted(self, value, order);
            grouped[rank - 2] /= GROUP;
            rank - 1
        };
        grouped.insert(axis, GROUP);
        let value = self.builder.expand_dim(value, axis as u32);
        let value = self.builder.broadcast(value, &grouped);
        shape::reshaped(self, value, shape.to_vec(), false, span)
    }
}
