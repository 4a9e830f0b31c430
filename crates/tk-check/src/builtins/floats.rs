//! Calls of the functions of floats that libdevice has: arguments in one type, 16-bit floats computed in fp32, and functions of its
//! bitcode where the options name a file.
//!
//! From the file come only those that are approximations: arithmetic, conversions and questions about bits are exact either way,
//! and stay instructions. The symbols are `__nv_NAME` for fp64 and `__nv_NAMEf` for fp32.

use super::libdevice_function;
use crate::builtin::{Args, Builtin, function};
use crate::checked::{OpKind, UnaryOp, Value};
use crate::context::Context;
use crate::error::R;
use crate::libdevice::{self, Float};
use crate::value::{Number, Placed, Spanned, Val};
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[
    function("ilogb", &["x"], ilogb),
    function("llround", &["x"], llround),
    function("ldexp", &["x", "n"], ldexp),
    function("scalbn", &["x", "n"], ldexp),
    function("jn", &["n", "x"], |c, a| of_order(c, a, |f, x, n| f.bessel_first_kind(x, n))),
    function("yn", &["n", "x"], |c, a| of_order(c, a, |f, x, n| f.bessel_second_kind(x, n))),
];

/// The greatest order of a Bessel function that is written out.
const MAX_ORDER: i128 = 32;

/// The greatest magnitude of an integer exponent that is written out as products, and the exponents that are where they are floats.
const MAX_EXPONENT: u32 = 64;
const FLOAT_EXPONENTS: std::ops::RangeInclusive<i32> = -3..=3;

/// The functions that [`crate::libdevice`] computes, as users call them.
pub(super) fn computed() -> impl Iterator<Item = Builtin> {
    libdevice::functions().map(|known| match known.run {
        libdevice::Run::One(_) => function(known.name, &["x"], unary),
        libdevice::Run::Two(_) => function(known.name, &["x", "y"], binary),
        libdevice::Run::Many(parameters, _) => function(known.name, parameters, many),
    })
}

/// Functions of floats of one type that give that type.
const APPROXIMATIONS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "cospi",
    "cyl_bessel_i0",
    "cyl_bessel_i1",
    "erf",
    "erfc",
    "erfcinv",
    "erfcx",
    "erfinv",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "hypot",
    "j0",
    "j1",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "norm3d",
    "norm4d",
    "normcdf",
    "normcdfinv",
    "pow",
    "rcbrt",
    "rhypot",
    "rnorm3d",
    "rnorm4d",
    "sin",
    "sinh",
    "sinpi",
    "tan",
    "tanh",
    "tgamma",
    "y0",
    "y1",
];

/// Every argument of a function of floats in one type of at least 32 bits and one shape, and the type to give back.
fn float_arguments<'a>(cx: &mut Context, args: &Args<'a>) -> R<(Vec<Value>, ScalarType)> {
    let name = args.builtin.name;
    let mut values = Vec::new();
    let mut scalar: Option<ScalarType> = None;
    for arg in args.all() {
        let value = cx.value_of(&format!("an argument of `{name}`"), &arg)?;
        let found = cx.float_argument(name, value, arg.span)?;
        let wider = scalar.is_none_or(|known| found.bits() > known.bits());
        scalar = if wider { Some(found) } else { scalar };
        values.push(value);
    }
    let scalar = scalar.unwrap_or(ScalarType::F32);
    let wide = if scalar.bits() < 32 { ScalarType::F32 } else { scalar };
    for value in &mut values {
        *value = cx.cast_scalar(*value, wide, args.span)?;
    }
    let mut lead = values[0];
    for value in &values[1..] {
        lead = cx.broadcast_pair(&format!("`{name}`"), Placed::new(lead, args.span), Placed::new(*value, args.span))?.0;
    }
    let shape = cx.builder.ty(lead).shape.clone();
    let values = values.into_iter().map(|value| cx.builder.broadcast(value, &shape)).collect();
    Ok((values, scalar))
}

/// A function of one float, given back in its type.
fn unary<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (value, scalar) = float_argument(cx, args, &args.value("x"))?;
    let result = match libdevice::find(args.builtin.name).map(|known| known.run) {
        Some(libdevice::Run::One(run)) => run(&mut Float::of(&mut cx.builder, value), value),
        _ => value,
    };
    cx.cast_scalar(result, scalar, args.value("x").span).map(Val::Value)
}

/// The argument of a function of one float in at least 32 bits, and the type to give back.
fn float_argument<'a>(cx: &mut Context, args: &Args<'a>, arg: &Spanned<'a>) -> R<(Value, ScalarType)> {
    let value = cx.value_of(&format!("the argument of `{}`", args.builtin.name), arg)?;
    let scalar = cx.float_argument(args.builtin.name, value, arg.span)?;
    let wide = if scalar.bits() < 32 { cx.cast_scalar(value, ScalarType::F32, arg.span)? } else { value };
    Ok((wide, scalar))
}

/// A function of two floats, given back in their common type.
fn binary<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    if let Some(power) = whole_power(cx, args)? {
        return Ok(power);
    }
    let pair = cx.promote(&format!("`{}`", args.builtin.name), &args.value("x"), &args.value("y"), false)?;
    let scalar = cx.float_argument(args.builtin.name, pair.lhs, args.span)?;
    let (mut x, mut y) = (pair.lhs, pair.rhs);
    if scalar.bits() < 32 {
        x = cx.cast_scalar(x, ScalarType::F32, args.span)?;
        y = cx.cast_scalar(y, ScalarType::F32, args.span)?;
    }
    let result = match libdevice::find(args.builtin.name).map(|known| known.run) {
        Some(libdevice::Run::Two(run)) => run(&mut Float::of(&mut cx.builder, x), x, y),
        _ => x,
    };
    cx.cast_scalar(result, scalar, args.span).map(Val::Value)
}

/// A power whose exponent is a whole constant, as products: those of any integer, as libdevice's `powi` multiplies, and of the floats of
/// [`FLOAT_EXPONENTS`], where products are as near as `pow` of a variable exponent is.
fn whole_power<'a>(cx: &mut Context, args: &Args<'a>) -> R<Option<Val<'a>>> {
    if !matches!(args.builtin.name, "pow" | "fast_powf") {
        return Ok(None);
    }
    let (x_arg, y_arg) = (args.value("x"), args.value("y"));
    let known = match (cx.known_int(&y_arg.val), y_arg.val.number()) {
        (Some(whole), _) => i32::try_from(whole).ok().filter(|whole| whole.unsigned_abs() <= MAX_EXPONENT),
        (None, Some(Number::Float(y))) => FLOAT_EXPONENTS.clone().find(|whole| f64::from(*whole) == y),
        (None, _) => None,
    };
    let (Some(exponent), Val::Value(x)) = (known, &x_arg.val) else { return Ok(None) };
    if !cx.number_type(&x_arg.val).is_some_and(ScalarType::is_float) {
        return Ok(None);
    }
    let scalar = cx.float_argument(args.builtin.name, *x, x_arg.span)?;
    let x = if scalar.bits() < 32 { cx.cast_scalar(*x, ScalarType::F32, args.span)? } else { *x };
    let power = Float::of(&mut cx.builder, x).whole_power(x, exponent);
    cx.cast_scalar(power, scalar, args.span).map(|power| Some(Val::Value(power)))
}

/// A function of more floats, given back in the widest of their types.
fn many<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (values, scalar) = float_arguments(cx, args)?;
    let result = match libdevice::find(args.builtin.name).map(|known| known.run) {
        Some(libdevice::Run::Many(_, run)) => run(&mut Float::of(&mut cx.builder, values[0]), &values),
        _ => values[0],
    };
    cx.cast_scalar(result, scalar, args.span).map(Val::Value)
}

/// The result of a function that comes from the file; nothing where it is computed here.
pub(super) fn from_file<'a>(cx: &mut Context, args: &Args<'a>) -> Option<R<Val<'a>>> {
    symbol(cx, args.builtin).map(|stem| linked(cx, args, stem))
}

/// The stem of the symbol, when this function comes from a file.
fn symbol(cx: &Context, builtin: &'static Builtin) -> Option<&'static str> {
    cx.options.libdevice.as_ref()?;
    let is_libdevice = libdevice_function(builtin.name).is_some_and(|known| std::ptr::eq(known, builtin));
    APPROXIMATIONS.iter().copied().find(|name| is_libdevice && *name == builtin.name)
}

/// The call of a function from the file.
fn linked<'a>(cx: &mut Context, args: &Args<'a>, stem: &str) -> R<Val<'a>> {
    let (values, scalar) = float_arguments(cx, args)?;
    let ty = cx.builder.ty(values[0]).clone();
    let suffix = if ty.number().is_some_and(|number| number.bits() == 32) { "f" } else { "" };
    let result = cx.builder.emit(OpKind::Extern { symbol: format!("__nv_{stem}{suffix}") }, &values, ty);
    cx.cast_scalar(result, scalar, args.span).map(Val::Value)
}

/// To the nearest integer, ties away from zero, as int64.
fn llround<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (values, _) = float_arguments(cx, args)?;
    let rounded = Float::of(&mut cx.builder, values[0]).round_away(values[0]);
    cx.cast_scalar(rounded, ScalarType::I64, args.span).map(Val::Value)
}

/// The exponent as int32; the least integer for 0 and NaN, the greatest for infinity.
fn ilogb<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (values, _) = float_arguments(cx, args)?;
    let x = cx.cast_scalar(values[0], ScalarType::F64, args.span)?;
    Ok(Val::Value(Float::of(&mut cx.builder, x).integer_exponent(x)))
}

/// `x 2^n`. fp32 goes through fp64; in fp64, results that are denormal are rounded twice.
fn ldexp<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (x_arg, n_arg) = (args.value("x"), args.value("n"));
    let x = cx.value_of("the argument of `ldexp`", &x_arg)?;
    let n = cx.value_of("the exponent of `ldexp`", &n_arg)?;
    let scalar = cx.float_argument(args.builtin.name, x, x_arg.span)?;
    if !cx.builder.ty(n).number().is_some_and(ScalarType::is_int) {
        let found = cx.builder.ty(n).to_string();
        let message = format!("the exponent of `{}` must be an integer, not {found}", args.builtin.name);
        let error = cx.error(tk_diag::TYPE_MISMATCH, n_arg.span, message, found);
        return Err(error.help("Cast with `.to(tl.int32)`.").into());
    }
    let (x, n) = cx.broadcast_pair("`ldexp`", Placed::new(x, x_arg.span), Placed::new(n, n_arg.span))?;
    let x = cx.cast_scalar(x, ScalarType::F64, x_arg.span)?;
    let n = cx.cast_scalar(n, ScalarType::I64, n_arg.span)?;
    let result = Float::of(&mut cx.builder, x).scaled_by_power(x, n);
    cx.cast_scalar(result, scalar, args.span).map(Val::Value)
}

/// A function of a constant order, written out; the order may be negative.
fn of_order<'a>(cx: &mut Context, args: &Args<'a>, run: fn(&mut Float<'_>, Value, u32) -> Value) -> R<Val<'a>> {
    let name = args.builtin.name;
    let (order, arg) = (args.value("n"), args.value("x"));
    let (wide, scalar) = float_argument(cx, args, &arg)?;
    let n = cx.constant_int(&format!("the order of `{name}`"), &order)?;
    if n.abs() > MAX_ORDER {
        let message = format!("the order of `{name}` is {n}, and tk has those up to {MAX_ORDER}");
        let help = "Compute the recurrence in the kernel.";
        return Err(cx.error(tk_diag::BAD_ARGUMENT, order.span, message, "").help(help).into());
    }
    let mut float = Float::of(&mut cx.builder, wide);
    let mut result = run(&mut float, wide, n.unsigned_abs() as u32);
    if n < 0 && n % 2 != 0 {
        result = float.call(UnaryOp::NegF, result);
    }
    cx.cast_scalar(result, scalar, args.span).map(Val::Value)
}
