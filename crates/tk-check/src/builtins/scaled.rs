//! `dot_scaled`: products of blocks with a shared scale per 32 elements along K (the OCP microscaling formats).
//!
//! Hopper's tensor cores do not scale, so both sides are widened to bf16 (fp16 when one of them is fp16), multiplied by their
//! scales, and go through `dot`. Four-bit floats come in pairs in a byte, the first in the low bits.

use super::{language, shape};
use crate::builtin::{Args, Builtin, function};
use crate::checked::{BinaryOp, CompareOp, Element, OpKind, Type, Value};
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
            Format::E2m1 => self.unpacked(raw, side, compute)?,
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
        let wide = self.cast_scalar(plain, ScalarType::F32, span)?;
        let scaled = self.apply_scale(wide, scale, side, exact)?;
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

    /// Two elements from every byte, along K or along the other dimension.
    fn unpacked<'a>(&mut self, raw: Value, side: &Side<'a>, compute: ScalarType) -> R<Value> {
        let span = side.value.span;
        if !matches!(self.builder.ty(raw).number(), Some(ScalarType::U8 | ScalarType::I8)) {
            let found = self.builder.ty(raw).to_string();
            let message = format!("the format \"e2m1\" is stored in uint8, not {found}");
            let error = self.error(tk_diag::TYPE_MISMATCH, span, message, found);
            return Err(error.help("Pass the packed bytes.").into());
        }
        let bytes = self.cast_scalar(raw, ScalarType::U16, span)?;
        let bytes = self.masked_bits(bytes, 0xff);
        let low = self.masked_bits(bytes, 0xf);
        let high = self.shifted_bits(bytes, BinaryOp::ShrU, 4);
        let [low, high] = [low, high].map(|nibble| self.four_bit_float(nibble));
        let mut ty = self.builder.ty(low).clone();
        let rank = ty.shape.len();
        ty.shape.push(2);
        let pairs = self.builder.emit(OpKind::Join, &[low, high], ty.clone());
        // The dimension of the pair goes behind the one that it was packed along.
        let along_last = side.packed_along_k == side.is_left;
        let mut shape = self.builder.ty(low).shape.clone();
        let moved = if along_last {
            shape[rank - 1] *= 2;
            pairs
        } else {
            shape[rank - 2] *= 2;
            let mut order: Vec<u32> = (0..rank as u32 - 1).collect();
            order.extend([rank as u32, rank as u32 - 1]);
            shape::permuted(self, pairs, order)
        };
        let flat = shape::reshaped(self, moved, shape, false, span)?;
        let value = self.builder.reinterpret(flat, ScalarType::BF16);
        self.cast_scalar(value, compute, span)
    }

    fn masked_bits(&mut self, value: Value, mask: i128) -> Value {
        let mask = self.builder.int(mask, self.builder.ty(value).clone());
        self.builder.binary(BinaryOp::And, value, mask)
    }

    fn shifted_bits(&mut self, value: Value, op: BinaryOp, by: i128) -> Value {
        let by = self.builder.int(by, self.builder.ty(value).clone());
        self.builder.binary(op, value, by)
    }

    /// The bf16 bits of an e2m1 number: sign, two bits of exponent with bias 1, one bit of mantissa.
    fn four_bit_float(&mut self, nibble: Value) -> Value {
        let ty = self.builder.ty(nibble).clone();
        let magnitude = self.masked_bits(nibble, 7);
        // Exponent and mantissa move into place; the bias grows from 1 to 127.
        let placed = self.shifted_bits(magnitude, BinaryOp::Shl, 6);
        let bias = self.builder.int(126 << 7, ty.clone());
        let normal = self.builder.binary(BinaryOp::AddI, placed, bias);
        let bool = ty.with_scalar(ScalarType::I1);
        // 0.5 is the only denormal number.
        let half = self.builder.int(0x3f00, ty.clone());
        let [zero, one] = [0, 1].map(|number| self.builder.int(number, ty.clone()));
        let is_one = self.builder.emit(OpKind::Compare(CompareOp::EqI), &[magnitude, one], bool.clone());
        let bits = self.builder.emit(OpKind::Select, &[is_one, half, normal], ty.clone());
        let is_zero = self.builder.emit(OpKind::Compare(CompareOp::EqI), &[magnitude, zero], bool);
        let bits = self.builder.emit(OpKind::Select, &[is_zero, zero, bits], ty);
        let sign = self.masked_bits(nibble, 8);
        let sign = self.shifted_bits(sign, BinaryOp::Shl, 12);
        self.builder.binary(BinaryOp::Or, bits, sign)
    }

    /// Multiplies an fp32 operand by its scales: powers of two as their exponents, 255 for NaN.
    fn apply_scale<'a>(&mut self, wide: Value, arg: &Spanned<'a>, side: &Side<'a>, exact: bool) -> R<Value> {
        let scale = self.value_of("a scale of `dot_scaled`", arg)?;
        let shape = self.builder.ty(wide).shape.clone();
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
        let spread = self.spread_scale(scale, &shape, side, arg.span)?;
        let exponent = self.cast_scalar(spread, ScalarType::U32, arg.span)?;
        let bits = self.shifted_bits(exponent, BinaryOp::Shl, 23);
        let factor = self.builder.reinterpret(bits, ScalarType::F32);
        let ty = self.builder.ty(wide).clone();
        let product = self.builder.emit(OpKind::Binary(BinaryOp::MulF), &[wide, factor], ty.clone());
        if !exact {
            return Ok(product);
        }
        let last = self.builder.int(255, self.builder.ty(exponent).clone());
        let bool = self.bool_like(exponent);
        let is_nan = self.builder.emit(OpKind::Compare(CompareOp::EqI), &[exponent, last], bool);
        let nan = self.builder.literal(crate::checked::Literal::Float(f64::NAN), ty.clone());
        Ok(self.builder.emit(OpKind::Select, &[is_nan, nan, product], ty))
    }

    /// Scales repeated for the elements that share them, in the operand's shape.
    fn spread_scale<'a>(&mut self, scale: Value, shape: &[u32], side: &Side<'a>, span: Span) -> R<Value> {
        let rank = shape.len();
        let mut value = scale;
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
        let result = shape::reshaped(self, value, shape.to_vec(), false, span)?;
        debug_assert_eq!(
            self.builder.ty(result),
            &Type { element: Element::Scalar(ScalarType::U8), shape: shape.to_vec() }
        );
        Ok(result)
    }
}
