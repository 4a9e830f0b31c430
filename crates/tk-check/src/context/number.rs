//! Python numbers as values, and facts about values.

use crate::checked::{Hint, Literal, Type, Value};
use crate::context::Context;
use crate::error::R;
use crate::value::{Number, Spanned, Val};
use tk_diag::Span;
use tk_types::ScalarType;

impl Context {
    /// A Python number in an element type. Integers that do not fit and negative numbers for unsigned types are errors.
    pub(crate) fn number(&mut self, number: Number, ty: Type, span: Span) -> R<Value> {
        let Some(scalar) = ty.number() else {
            let message = format!("the constant {number} cannot become {ty}");
            return Err(self
                .error(tk_diag::TYPE_MISMATCH, span, message, "")
                .help("Cast an integer to the pointer type with `.to`.")
                .into());
        };
        let literal = match (scalar.is_float(), number) {
            // Conversions to 8-bit floats saturate, so constants do, too.
            (true, number) if scalar == ScalarType::F8E4M3 => Literal::Float(number.as_f64().clamp(-448.0, 448.0)),
            (true, number) if scalar == ScalarType::F8E5M2 => Literal::Float(number.as_f64().clamp(-57344.0, 57344.0)),
            (true, number) => Literal::Float(number.as_f64()),
            (false, Number::Float(0.0)) => Literal::Int(0),
            (false, Number::Float(f)) => {
                let message =
                    format!("the constant {} cannot become {scalar} without losing its fraction", Number::Float(f));
                return Err(self
                    .error(tk_diag::TYPE_MISMATCH, span, message, "a float constant")
                    .help("Write an integer, or use a float type.")
                    .into());
            }
            (false, number) => Literal::Int(self.fitting(number, scalar, span)?),
        };
        Ok(self.builder.literal(literal, ty))
    }

    fn fitting(&self, number: Number, scalar: ScalarType, span: Span) -> R<i128> {
        let value = number.as_int().unwrap_or_default();
        let (low, high) = int_range(scalar);
        if value >= low && value <= high {
            return Ok(value);
        }
        let message = format!("the constant {number} is out of range for {scalar}");
        let help = if value < 0 && low == 0 {
            "Cast the unsigned operand to a signed type first."
        } else {
            "Cast the other operand to a wider type first."
        };
        Err(self.error(tk_diag::TOO_LARGE, span, message, format!("{scalar} holds {low} to {high}")).help(help).into())
    }

    /// A number as a value of its natural type.
    pub(crate) fn natural_number(&mut self, number: Number, span: Span) -> R<Value> {
        match number.natural_type() {
            Some(scalar) => self.number(number, Type::scalar(scalar), span),
            None => {
                let message = format!("the constant {number} does not fit any integer type");
                Err(self
                    .error(tk_diag::TOO_LARGE, span, message, "needs more than 64 bits")
                    .help("The widest types are int64 and uint64.")
                    .into())
            }
        }
    }

    /// Any number or value as a value; other meanings are errors that say what `what` needs.
    pub(crate) fn value_of<'a>(&mut self, what: &str, arg: &Spanned<'a>) -> R<Value> {
        match &arg.val {
            Val::Value(value) => Ok(*value),
            other => match other.number() {
                Some(number) => self.natural_number(number, arg.span),
                None => {
                    let found = self.describe(other);
                    Err(self
                        .error(
                            tk_diag::TYPE_MISMATCH,
                            arg.span,
                            format!("{what} must be a tensor or a number"),
                            format!("this is {found}"),
                        )
                        .help("Pass a run-time value or a numeric constant.")
                        .into())
                }
            },
        }
    }

    /// Asserts a fact about a value from here on; about a parameter for all of the kernel, unless a branch or a loop says it.
    pub(crate) fn hint(&mut self, value: Value, hint: Hint, numbers: Vec<u32>) {
        let is_scalar = !self.builder.ty(value).is_tensor();
        if is_scalar && hint != Hint::Divisibility {
            // Of one element, neighbours say nothing.
            return;
        }
        let is_everywhere = self.builder.depth() == 1;
        let param = self.params.iter_mut().find(|param| is_everywhere && param.value == value);
        match (param, numbers.first()) {
            (Some(param), Some(multiple)) => param.facts.multiple_of = param.facts.multiple_of.max(*multiple),
            _ => self.builder.hint(value, hint, numbers),
        }
    }
}

/// The least and greatest value of an integer type.
pub(crate) fn int_range(scalar: ScalarType) -> (i128, i128) {
    let bits = scalar.bits();
    if scalar.is_signed_int() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}
