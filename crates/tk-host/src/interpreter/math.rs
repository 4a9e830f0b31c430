//! The module `math`.

use super::args::need;
use super::builtins::{to_int, unknown};
use super::{Args, convert};
use crate::exception::{Exception, Result};
use crate::value::Value;

/// Calls `math.name`.
pub(super) fn call<'a>(name: &str, args: Args<'a>) -> Result<Value<'a>> {
    let path = format!("math.{name}");
    let domain = || Exception::value(format!("the argument of `{path}` is outside its domain"));
    if matches!(name, "gcd" | "prod" | "lcm") {
        let items = match args.positional.as_slice() {
            [sequence @ (Value::Tuple(_) | Value::List(_) | Value::Range(..))] => convert::ints(sequence, "an item")?,
            many => many.iter().map(|value| convert::int(value, "an argument")).collect::<Result<_>>()?,
        };
        let gcd = |a: i128, b: i128| {
            let (mut a, mut b) = (a.saturating_abs(), b.saturating_abs());
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        let result = match name {
            "gcd" => Some(items.into_iter().fold(0, gcd)),
            "prod" => items.into_iter().try_fold(1i128, i128::checked_mul),
            _ => items
                .into_iter()
                .try_fold(1i128, |a, b| if a == 0 || b == 0 { Some(0) } else { (a / gcd(a, b)).checked_mul(b) }),
        };
        return result
            .map(Value::Int)
            .ok_or_else(|| Exception::overflow(format!("the result of `{path}` is too large")));
    }
    let [first, second] = args.bind(&path, ["x", "y"])?;
    let first = need(first, &path, "x")?;
    let x = convert::float(&first, "x")?;
    if matches!(name, "floor" | "ceil" | "trunc") {
        let rounded = match name {
            "floor" => x.floor(),
            "ceil" => x.ceil(),
            _ => x.trunc(),
        };
        let exact = if let Value::Int(value) = first { Value::Int(value) } else { Value::Float(rounded) };
        return to_int(Args::of(vec![exact], Default::default()));
    }
    if let Some(second) = second {
        let y = convert::float(&second, "y")?;
        return Ok(Value::Float(match name {
            "pow" => x.powf(y),
            "log" => x.ln() / y.ln(),
            "atan2" => x.atan2(y),
            "fmod" => x % y,
            "hypot" => x.hypot(y),
            "isclose" => return Ok(Value::Bool((x - y).abs() <= 1e-9 * x.abs().max(y.abs()))),
            _ => return Err(unknown(&path)),
        }));
    }
    Ok(Value::Float(match name {
        "sqrt" | "log" | "log2" | "log10" if x < 0.0 || (x == 0.0 && name != "sqrt") => return Err(domain()),
        "sqrt" => x.sqrt(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "exp" => x.exp(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "tanh" => x.tanh(),
        "fabs" => x.abs(),
        "isqrt" => return to_int(Args::of(vec![Value::Float(x.sqrt().floor())], Default::default())),
        "isnan" => return Ok(Value::Bool(x.is_nan())),
        "isinf" => return Ok(Value::Bool(x.is_infinite())),
        "isfinite" => return Ok(Value::Bool(x.is_finite())),
        _ => return Err(unknown(&path)),
    }))
}
