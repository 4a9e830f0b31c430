//! Builtins that make and change numbers.

use super::super::args::need;
use super::super::{Args, Interpreter, convert};
use crate::exception::{Exception, Result};
use crate::number::{self, Number};
use crate::value::Value;
use tk_grammar::ast::BinaryOp;

pub(super) fn abs<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    Ok(match args.one("abs")? {
        Value::Float(value) => Value::Float(value.abs()),
        Value::Tensor(tensor) => Value::Tensor(crate::tensor::elementwise::unary("abs", &tensor).unwrap_or(tensor)),
        other => Value::Int(convert::int(&other, "the argument of abs")?.saturating_abs()),
    })
}

pub(super) fn bool<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let [value] = args.bind("bool", ["x"])?;
    Ok(Value::Bool(value.map_or(Ok(false), |value| value.truth())?))
}

pub(super) fn float<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let [value] = args.bind("float", ["x"])?;
    Ok(Value::Float(match value {
        None => 0.0,
        Some(Value::Str(text)) => parse_float(&text)?,
        Some(other) => convert::float(&other, "the argument of float")?,
    }))
}

pub(super) fn divmod<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let [a, b] = args.bind("divmod", ["a", "b"])?;
    let (a, b) = (convert::int(&need(a, "divmod", "a")?, "a")?, convert::int(&need(b, "divmod", "b")?, "b")?);
    let part = |op: BinaryOp| number::ints(op, a, b).map(of_number);
    Ok(Value::tuple(vec![part(BinaryOp::FloorDiv)?, part(BinaryOp::Mod)?]))
}

pub(super) fn pow<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let [a, b] = args.bind("pow", ["base", "exp"])?;
    Ok(match (need(a, "pow", "base")?, need(b, "pow", "exp")?) {
        (Value::Int(a), Value::Int(b)) => of_number(number::ints(BinaryOp::Pow, a, b)?),
        (a, b) => {
            let (a, b) = (convert::float(&a, "base")?, convert::float(&b, "exp")?);
            Value::Float(number::floats(BinaryOp::Pow, a, b)?)
        }
    })
}

pub(super) fn bin<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    Ok(Value::str(format!("{:#b}", convert::int(&args.one("bin")?, "the argument")?)))
}

pub(super) fn hex<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    Ok(Value::str(format!("{:#x}", convert::int(&args.one("hex")?, "the argument")?)))
}

pub(super) fn ord<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    match &*convert::string(&args.one("ord")?, "the argument of ord")? {
        text if text.chars().count() == 1 => Ok(Value::Int(text.chars().next().map_or(0, |c| c as i128))),
        _ => Err(Exception::ty("`ord` needs one character")),
    }
}

pub(super) fn chr<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let code = convert::int(&args.one("chr")?, "the argument of chr")?;
    let character = u32::try_from(code).ok().and_then(char::from_u32);
    let character = character.ok_or_else(|| Exception::value(format!("{code} is no character")))?;
    Ok(Value::str(character.to_string()))
}

pub(super) fn round<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let [value, digits] = args.bind("round", ["number", "ndigits"])?;
    let value = need(value, "round", "number")?;
    match (&value, digits) {
        (Value::Int(_) | Value::Bool(_), _) => Ok(value),
        (_, None) => {
            let rounded = convert::float(&value, "number")?.round_ties_even();
            to_int(Args::of(vec![Value::Float(rounded)], Default::default()))
        }
        (_, Some(digits)) => {
            let digits = convert::int(&digits, "ndigits")?.clamp(-300, 300) as usize;
            let text = format!("{:.digits$}", convert::float(&value, "number")?);
            Ok(Value::Float(text.parse().unwrap_or(f64::NAN)))
        }
    }
}

/// `int`.
pub(crate) fn to_int<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let [value, base] = args.bind("int", ["x", "base"])?;
    let base = base.map_or(Ok(10), |base| convert::int(&base, "base"))?;
    let value = match value {
        None => 0,
        Some(Value::Float(value)) if !value.is_finite() || value.abs() >= 1.7e38 => {
            return Err(Exception::overflow(format!("{} is no integer of 128 bits", crate::format::float(value))));
        }
        Some(Value::Float(value)) => value as i128,
        Some(Value::Str(text)) => {
            let plain = text.trim().replace('_', "");
            let radix = u32::try_from(base).ok().filter(|base| (2..=36).contains(base));
            let radix = radix.ok_or_else(|| Exception::value("the base of `int` is 2 to 36"))?;
            i128::from_str_radix(&plain, radix)
                .map_err(|_| Exception::value(format!("{} is not an integer", crate::format::quoted(&text))))?
        }
        Some(Value::Tensor(tensor)) if tensor.dtype.is_float() => {
            convert::float(&Value::Tensor(tensor), "the argument of int")? as i128
        }
        Some(other) => convert::int(&other, "the argument of int")?,
    };
    Ok(Value::Int(value))
}

fn parse_float(text: &str) -> Result<f64> {
    let plain = text.trim().replace('_', "").to_ascii_lowercase();
    plain.parse().map_err(|_| Exception::value(format!("{} is not a number", crate::format::quoted(text))))
}

/// A number of the host as a value.
pub(crate) fn of_number<'a>(value: Number) -> Value<'a> {
    match value {
        Number::Int(value) => Value::Int(value),
        Number::Float(value) => Value::Float(value),
    }
}
