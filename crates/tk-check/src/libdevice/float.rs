//! Floats of one type: the steps that functions are made of.

use crate::checked::{BinaryOp, Builder, CastKind, CompareOp, Literal, OpKind, Type, UnaryOp, Value};
use tk_types::ScalarType;

/// One type at least as wide as fp32, in which a function is computed.
pub(crate) struct Float<'b> {
    pub(super) builder: &'b mut Builder,
    pub(super) ty: Type,
}

impl<'b> Float<'b> {
    /// Functions of values of the type of this one.
    pub(crate) fn of(builder: &'b mut Builder, value: Value) -> Self {
        let ty = builder.ty(value).clone();
        Self { builder, ty }
    }
}

impl Float<'_> {
    pub(super) fn number(&mut self, number: f64) -> Value {
        self.builder.literal(Literal::Float(number), self.ty.clone())
    }

    pub(super) fn op(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        self.builder.emit(OpKind::Binary(op), &[a, b], self.ty.clone())
    }

    pub(super) fn add(&mut self, a: Value, b: Value) -> Value {
        self.op(BinaryOp::AddF, a, b)
    }

    pub(super) fn sub(&mut self, a: Value, b: Value) -> Value {
        self.op(BinaryOp::SubF, a, b)
    }

    pub(super) fn mul(&mut self, a: Value, b: Value) -> Value {
        self.op(BinaryOp::MulF, a, b)
    }

    pub(super) fn div(&mut self, a: Value, b: Value) -> Value {
        self.op(BinaryOp::DivRnF, a, b)
    }

    pub(super) fn scaled(&mut self, x: Value, by: f64) -> Value {
        let factor = self.number(by);
        self.mul(x, factor)
    }

    pub(super) fn shifted(&mut self, x: Value, by: f64) -> Value {
        let summand = self.number(by);
        self.add(x, summand)
    }

    pub(crate) fn call(&mut self, op: UnaryOp, x: Value) -> Value {
        self.builder.emit(OpKind::Unary(op), &[x], self.ty.clone())
    }

    pub(super) fn compare(&mut self, op: CompareOp, a: Value, b: Value) -> Value {
        self.builder.emit(OpKind::Compare(op), &[a, b], self.ty.with_scalar(ScalarType::I1))
    }

    pub(super) fn both(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        self.builder.emit(OpKind::Binary(op), &[a, b], self.ty.with_scalar(ScalarType::I1))
    }

    pub(super) fn is(&mut self, x: Value, number: f64) -> Value {
        let number = self.number(number);
        self.compare(CompareOp::EqF, x, number)
    }

    pub(super) fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        self.builder.emit(OpKind::Select, &[condition, yes, no], self.ty.clone())
    }

    /// A polynomial by Horner's rule, its coefficients from the highest power down.
    pub(super) fn polynomial(&mut self, coefficients: &[f64], x: Value) -> Value {
        let mut sum: Option<Value> = None;
        for coefficient in coefficients {
            let coefficient = self.number(*coefficient);
            sum = Some(match sum {
                None => coefficient,
                Some(sum) => self.builder.emit(OpKind::Fma, &[sum, x, coefficient], self.ty.clone()),
            });
        }
        sum.unwrap_or(x)
    }

    pub(super) fn is_double(&self) -> bool {
        self.ty.number() == Some(ScalarType::F64)
    }

    /// The magnitude of one with the sign bit of the other. Exact.
    pub(super) fn copy_sign(&mut self, magnitude: Value, sign: Value) -> Value {
        let (word, bits) = if self.is_double() { (ScalarType::I64, 64) } else { (ScalarType::I32, 32) };
        let ty = self.ty.with_scalar(word);
        let (low, high) = ((1_i128 << (bits - 1)) - 1, -(1_i128 << (bits - 1)));
        let mut parts = [magnitude, sign];
        for (part, mask) in parts.iter_mut().zip([low, high]) {
            let whole = self.builder.reinterpret(*part, word);
            let mask = self.builder.int(mask, ty.clone());
            *part = self.builder.emit(OpKind::Binary(BinaryOp::And), &[whole, mask], ty.clone());
        }
        let joined = self.builder.emit(OpKind::Binary(BinaryOp::Or), &parts, ty);
        self.builder.reinterpret(joined, self.ty.number().unwrap_or(ScalarType::F32))
    }

    /// To the nearest integer, ties away from zero. Exact.
    pub(crate) fn round_away(&mut self, x: Value) -> Value {
        let magnitude = self.call(UnaryOp::AbsF, x);
        let whole = self.call(UnaryOp::Floor, magnitude);
        let rest = self.sub(magnitude, whole);
        let half = self.number(0.5);
        let up = self.compare(CompareOp::GeF, rest, half);
        let next = self.shifted(whole, 1.0);
        let rounded = self.select(up, next, whole);
        self.copy_sign(rounded, x)
    }

    /// Runs in fp64 when the type is fp32, and rounds the result.
    pub(super) fn in_double<const N: usize>(
        &mut self,
        args: [Value; N],
        run: impl FnOnce(&mut Float<'_>, [Value; N]) -> Value,
    ) -> Value {
        if self.is_double() {
            return run(self, args);
        }
        let wide = args.map(|arg| self.builder.cast_number(CastKind::FpExt, arg, ScalarType::F64));
        let ty = self.ty.with_scalar(ScalarType::F64);
        let result = run(&mut Float { builder: &mut *self.builder, ty }, wide);
        self.builder.cast(CastKind::FpTrunc { toward_zero: false }, result, self.ty.clone())
    }
}
