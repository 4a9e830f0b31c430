//! Python's arithmetic on numbers: integers that never wrap, division that rounds down.

use crate::exception::{Exception, Result};
use tk_grammar::ast::BinaryOp;

/// `a % b` of floats: the sign of `b`.
pub(crate) fn float_mod(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
}

fn zero_division(message: &str) -> Box<Exception> {
    Exception::new("ZeroDivisionError", tk_diag::HOST_ERROR, message)
}

/// The result of an operator on two integers; a float where Python makes one.
pub(crate) enum Number {
    Int(i128),
    Float(f64),
}

/// An operator on two integers. Results beyond 128 bits are errors.
pub(crate) fn ints(op: BinaryOp, a: i128, b: i128) -> Result<Number> {
    let result = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div if b == 0 => return Err(zero_division("division by zero")),
        BinaryOp::Div => return Ok(Number::Float(a as f64 / b as f64)),
        BinaryOp::FloorDiv | BinaryOp::Mod if b == 0 => {
            return Err(zero_division("integer division or modulo by zero"));
        }
        BinaryOp::FloorDiv => a.checked_div(b).map(|q| q - i128::from(a % b != 0 && (a < 0) != (b < 0))),
        BinaryOp::Mod => a.checked_rem(b).map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r }),
        BinaryOp::Pow if b < 0 && a == 0 => return Err(zero_division("0 cannot be raised to a negative power")),
        BinaryOp::Pow if b < 0 => return Ok(Number::Float((a as f64).powf(b as f64))),
        BinaryOp::Pow => power(a, b),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::Shl | BinaryOp::Shr if b < 0 => return Err(Exception::value("negative shift count")),
        BinaryOp::Shl => shift_left(a, b),
        BinaryOp::Shr => Some(a >> b.min(127)),
        BinaryOp::MatMul => return Err(Exception::ty("`@` needs tensors, not integers")),
    };
    result
        .map(Number::Int)
        .ok_or_else(|| Exception::overflow(format!("the result of `{}` does not fit 128 bits", op.symbol())))
}

fn power(a: i128, b: i128) -> Option<i128> {
    match a {
        0 | 1 => Some(if b == 0 { 1 } else { a }),
        -1 => Some(if b % 2 == 0 { 1 } else { -1 }),
        _ => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
    }
}

fn shift_left(a: i128, b: i128) -> Option<i128> {
    if a == 0 {
        return Some(0);
    }
    let b = u32::try_from(b).ok().filter(|b| *b < 127)?;
    a.checked_mul(1i128 << b)
}

/// An operator on two floats.
pub(crate) fn floats(op: BinaryOp, a: f64, b: f64) -> Result<f64> {
    Ok(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod if b == 0.0 => {
            return Err(zero_division("float division by zero"));
        }
        BinaryOp::Div => a / b,
        BinaryOp::FloorDiv => (a / b).floor(),
        BinaryOp::Mod => float_mod(a, b),
        BinaryOp::Pow if a == 0.0 && b < 0.0 => return Err(zero_division("0.0 cannot be raised to a negative power")),
        BinaryOp::Pow if a < 0.0 && b.fract() != 0.0 => {
            return Err(Exception::value("a negative number to a fractional power is complex"));
        }
        BinaryOp::Pow => a.powf(b),
        _ => return Err(Exception::ty(format!("`{}` does not take floats", op.symbol()))),
    })
}
