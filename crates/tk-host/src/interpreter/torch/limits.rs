//! `torch.finfo` and `torch.iinfo`.

use crate::exception::{Exception, Result};
use crate::interpreter::args::need;
use crate::interpreter::{Args, Interpreter, convert};
use crate::tensor::torch_name;
use crate::value::Value;
use tk_types::ScalarType::{self, *};

/// What a type of floats can hold, as powers of two.
struct Floats {
    /// Bits of the fraction.
    fraction: i32,
    /// The exponent of the largest value.
    most: i32,
    /// The exponent of the smallest value with a full fraction.
    least: i32,
    /// The largest value, in units of the last place of its exponent, counted from a full fraction.
    missing: f64,
}

fn floats(dtype: ScalarType) -> Option<Floats> {
    let (fraction, most, least, missing) = match dtype {
        F64 => (52, 1023, -1022, 1.0),
        F32 => (23, 127, -126, 1.0),
        F16 => (10, 15, -14, 1.0),
        BF16 => (7, 127, -126, 1.0),
        // The largest code is NaN.
        F8E4M3 => (3, 8, -6, 2.0),
        F8E5M2 => (2, 15, -14, 1.0),
        F8E4M3B8 => (3, 7, -7, 1.0),
        F8E5M2B16 => (2, 15, -15, 1.0),
        _ => return None,
    };
    Some(Floats { fraction, most, least, missing })
}

/// `torch.finfo(dtype)`.
pub(super) fn finfo<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let [dtype] = args.bind("finfo", ["type"])?;
    let dtype = dtype.map_or(Ok(F32), |dtype| convert::dtype(&dtype))?;
    let Some(Floats { fraction, most, least, missing }) = floats(dtype) else {
        return Err(Exception::ty(format!("torch.finfo takes a type of floats, not {}", torch_name(dtype))));
    };
    let unit = 2f64.powi(-fraction);
    let largest = (2.0 - missing * unit) * 2f64.powi(most);
    let tiny = 2f64.powi(least);
    let fields = [("min", -largest), ("max", largest), ("eps", unit), ("tiny", tiny), ("smallest_normal", tiny)];
    let mut fields: Vec<_> = fields.into_iter().map(|(name, value)| (name.into(), Value::Float(value))).collect();
    fields.push(("bits".into(), Value::Int(i128::from(dtype.bits()))));
    fields.push(("dtype".into(), Value::str(torch_name(dtype))));
    Ok(Interpreter::object("finfo", fields))
}

/// `torch.iinfo(dtype)`.
pub(super) fn iinfo<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let [dtype] = args.bind("iinfo", ["type"])?;
    let dtype = convert::dtype(&need(dtype, "iinfo", "type")?)?;
    if dtype.is_float() || dtype == I1 {
        return Err(Exception::ty(format!("torch.iinfo takes a type of integers, not {}", torch_name(dtype))));
    }
    let bits = dtype.bits();
    let (least, most) = match dtype.is_signed_int() {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    };
    let fields = [("min", least), ("max", most), ("bits", i128::from(bits))];
    let mut fields: Vec<_> = fields.into_iter().map(|(name, value)| (name.into(), Value::Int(value))).collect();
    fields.push(("dtype".into(), Value::str(torch_name(dtype))));
    Ok(Interpreter::object("iinfo", fields))
}
