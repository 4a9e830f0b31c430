//! Casts between element types, explicit and implied.

use crate::checked::{BinaryOp, CastKind, CompareOp, Element, OpKind, Type, Value};
use crate::context::Context;
use crate::error::R;
use crate::value::Spanned;
use tk_diag::Span;
use tk_types::ScalarType;

/// `fp_downcast_rounding`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// To nearest even.
    Nearest,
    TowardZero,
}

impl Context {
    /// A value in another number type, rounding to nearest even where that narrows a float.
    pub(crate) fn cast_scalar(&mut self, value: Value, to: ScalarType, span: Span) -> R<Value> {
        self.cast(value, &Element::Scalar(to), None, span)
    }

    /// A value with another element type.
    pub(crate) fn cast(&mut self, value: Value, to: &Element, rounding: Option<Rounding>, span: Span) -> R<Value> {
        let from = self.builder.ty(value).clone();
        if from.element == *to {
            return Ok(value);
        }
        match (&from.element, to) {
            (Element::Scalar(a), Element::Scalar(b)) => self.cast_number(value, *a, *b, rounding, span),
            (Element::Pointer { .. }, Element::Pointer { .. }) => {
                Ok(self.builder.emit(OpKind::Cast(CastKind::Bitcast), &[value], from.with(to.clone())))
            }
            (Element::Pointer { .. }, Element::Scalar(b)) if b.is_int() && b.bits() == 64 => {
                Ok(self.builder.emit(OpKind::Cast(CastKind::PtrToInt), &[value], from.with(to.clone())))
            }
            (Element::Pointer { .. }, Element::Scalar(ScalarType::I1)) => {
                let address = self.cast_scalar(value, ScalarType::I64, span)?;
                self.cast_scalar(address, ScalarType::I1, span)
            }
            (Element::Scalar(a), Element::Pointer { .. }) if a.is_int() => {
                let wide = if a.bits() == 64 { value } else { self.cast_scalar(value, ScalarType::I64, span)? };
                Ok(self.builder.emit(OpKind::Cast(CastKind::IntToPtr), &[wide], from.with(to.clone())))
            }
            _ => Err(self
                .error(tk_diag::TYPE_MISMATCH, span, format!("{from} cannot be cast to {to}"), from.to_string())
                .help("Pointers convert to and from 64-bit integers only.")
                .into()),
        }
    }

    fn cast_number(
        &mut self,
        value: Value,
        from: ScalarType,
        to: ScalarType,
        rounding: Option<Rounding>,
        span: Span,
    ) -> R<Value> {
        if from == ScalarType::F8E4B15 {
            let half = self.widened_e4b15(value);
            return self.cast_number(half, ScalarType::F16, to, None, span);
        }
        if to == ScalarType::F8E4B15 {
            let rounding = (from == ScalarType::F32).then_some(Rounding::TowardZero);
            let half = if from == ScalarType::F16 {
                value
            } else {
                self.cast_number(value, from, ScalarType::F16, rounding, span)?
            };
            return Ok(self.narrowed_e4b15(half));
        }
        for ty in [from, to] {
            if matches!(ty, ScalarType::F8E4M3B8 | ScalarType::F8E5M2B16) {
                let message =
                    format!("{} is not supported in this architecture: tk does not convert its values", ty.tl_name());
                return Err(self
                    .error(tk_diag::UNSUPPORTED, span, message, format!("{from} to {to}"))
                    .help("The 8-bit floats of NVIDIA GPUs are float8e4nv, float8e5 and, by software, float8e4b15.")
                    .into());
            }
        }
        let narrows = from.is_float() && to.is_float() && to.bits() < from.bits();
        if rounding.is_some() && !narrows {
            let message =
                format!("`fp_downcast_rounding` is for casts to a narrower float, and {from} to {to} is none");
            return Err(self.error(tk_diag::BAD_ARGUMENT, span, message, "").help("Leave it out.").into());
        }
        let toward_zero = rounding == Some(Rounding::TowardZero);
        let ty = self.builder.ty(value).with_scalar(to);
        if to == ScalarType::I1 {
            return Ok(self.not_zero(value));
        }
        let kind = match (from.is_float(), to.is_float()) {
            (false, false) => int_cast(from, to),
            (false, true) if to.is_fp8() => {
                let wide = self.cast_number(value, from, ScalarType::F32, None, span)?;
                return self.cast_number(wide, ScalarType::F32, to, None, span);
            }
            (false, true) if from.is_signed_int() => CastKind::SIToFp,
            (false, true) => CastKind::UIToFp,
            (true, false) if from.bits() < 32 => {
                let wide = self.cast_number(value, from, ScalarType::F32, None, span)?;
                return self.cast_number(wide, ScalarType::F32, to, None, span);
            }
            (true, false) if to.is_signed_int() => CastKind::FpToSI,
            (true, false) => CastKind::FpToUI,
            (true, true) if from.is_fp8() || to.is_fp8() => CastKind::FpToFp { toward_zero },
            (true, true) if from.bits() == 16 && to != ScalarType::F32 => {
                let wide = self.cast_number(value, from, ScalarType::F32, None, span)?;
                return self.cast_number(wide, ScalarType::F32, to, None, span);
            }
            (true, true) if narrows => CastKind::FpTrunc { toward_zero },
            (true, true) => CastKind::FpExt,
        };
        Ok(self.builder.emit(OpKind::Cast(kind), &[value], ty))
    }

    /// An 8-bit float with 4 bits of exponent and bias 15 as fp16, which has the same bias: its bits move. Exact.
    fn widened_e4b15(&mut self, value: Value) -> Value {
        let byte = self.builder.reinterpret(value, ScalarType::U8);
        let ty = self.builder.ty(byte).with_scalar(ScalarType::U16);
        let bits = self.builder.emit(OpKind::Cast(CastKind::ExtU), &[byte], ty.clone());
        let number = |cx: &mut Self, bits: i128| cx.builder.int(bits, ty.clone());
        let (low, sign) = (number(self, 0x7f), number(self, 0x80));
        let (seven, eight) = (number(self, 7), number(self, 8));
        let magnitude = self.builder.binary(BinaryOp::And, bits, low);
        let magnitude = self.builder.binary(BinaryOp::Shl, magnitude, seven);
        let sign = self.builder.binary(BinaryOp::And, bits, sign);
        let sign = self.builder.binary(BinaryOp::Shl, sign, eight);
        let half = self.builder.binary(BinaryOp::Or, magnitude, sign);
        self.builder.reinterpret(half, ScalarType::F16)
    }

    /// fp16 to the nearest such float, ties away from zero; what is beyond 1.75, and NaN, becomes the greatest.
    fn narrowed_e4b15(&mut self, value: Value) -> Value {
        let bits = self.builder.reinterpret(value, ScalarType::U16);
        let ty = self.builder.ty(bits).clone();
        let number = |cx: &mut Self, bits: i128| cx.builder.int(bits, ty.clone());
        let (low, greatest, half_step) = (number(self, 0x7fff), number(self, 0x3f00), number(self, 0x40));
        let (seven, eight, sign) = (number(self, 7), number(self, 8), number(self, 0x80));
        let magnitude = self.builder.binary(BinaryOp::And, bits, low);
        let magnitude = self.builder.binary(BinaryOp::MinU, magnitude, greatest);
        let rounded = self.builder.binary(BinaryOp::AddI, magnitude, half_step);
        let rounded = self.builder.binary(BinaryOp::ShrU, rounded, seven);
        let moved = self.builder.binary(BinaryOp::ShrU, bits, eight);
        let sign = self.builder.binary(BinaryOp::And, moved, sign);
        let both = self.builder.binary(BinaryOp::Or, rounded, sign);
        let byte = self.builder.emit(OpKind::Cast(CastKind::Trunc), &[both], ty.with_scalar(ScalarType::U8));
        self.builder.reinterpret(byte, ScalarType::F8E4B15)
    }

    /// The same bits as another type of the same width.
    pub(crate) fn bitcast(&mut self, value: Value, to: &Element, span: Span) -> R<Value> {
        let from = self.builder.ty(value).clone();
        let (Element::Scalar(a), Element::Scalar(b)) = (&from.element, to) else {
            return self.cast(value, to, None, span);
        };
        if a == b {
            return Ok(value);
        }
        if a.bits() != b.bits() {
            let message =
                format!("a bitcast keeps the width, and {a} has {} bits where {b} has {}", a.bits(), b.bits());
            return Err(self
                .error(tk_diag::TYPE_MISMATCH, span, message, from.to_string())
                .help("Leave out `bitcast=True` to convert the value.")
                .into());
        }
        Ok(self.builder.emit(OpKind::Cast(CastKind::Bitcast), &[value], from.with(to.clone())))
    }

    /// `value != 0` as i1; an i1 stays as it is.
    pub(crate) fn not_zero(&mut self, value: Value) -> Value {
        let ty = self.builder.ty(value).clone();
        let op = match ty.number() {
            Some(ScalarType::I1) => return value,
            Some(scalar) if scalar.is_float() => CompareOp::NeF,
            _ => CompareOp::NeI,
        };
        let zero = self.builder.int(0, ty.clone());
        self.builder.emit(OpKind::Compare(op), &[value, zero], ty.with_scalar(ScalarType::I1))
    }

    /// A condition: a value as i1.
    pub(crate) fn boolean(&mut self, value: Value, span: Span) -> R<Value> {
        self.cast(value, &Element::Scalar(ScalarType::I1), None, span)
    }

    /// A run-time condition as a scalar i1.
    pub(crate) fn scalar_condition(&mut self, value: Value, arg: &Spanned, what: &str) -> R<Value> {
        let ty = self.builder.ty(value).clone();
        if self.mapped.as_ref().is_some_and(|shape| *shape == ty.shape) {
            return self.boolean(value, arg.span);
        }
        if ty.numel() != 1 {
            let message = format!("{what} must be one value, not {ty}");
            return Err(self
                .error(tk_diag::SHAPE_MISMATCH, arg.span, message, ty.to_string())
                .help("Use `tl.where` per element, or reduce it, for example with `tl.max(x.to(tl.int32), 0) != 0`.")
                .into());
        }
        let value = if ty.is_tensor() {
            self.builder.emit(OpKind::Unsplat, &[value], Type { element: ty.element, shape: Vec::new() })
        } else {
            value
        };
        self.boolean(value, arg.span)
    }

    /// The type with the other type's shape: a shorthand for comparisons.
    pub(crate) fn bool_like(&self, value: Value) -> Type {
        self.builder.ty(value).with_scalar(ScalarType::I1)
    }
}

fn int_cast(from: ScalarType, to: ScalarType) -> CastKind {
    match from.bits().cmp(&to.bits()) {
        std::cmp::Ordering::Equal => CastKind::Bitcast,
        std::cmp::Ordering::Greater => CastKind::Trunc,
        std::cmp::Ordering::Less if from.is_signed_int() => CastKind::ExtS,
        std::cmp::Ordering::Less => CastKind::ExtU,
    }
}
