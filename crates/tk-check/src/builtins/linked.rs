//! Functions of libdevice that come from its bitcode when the options name a file.
//!
//! Only those that are approximations: arithmetic, conversions and questions about bits are exact either way, and stay instructions.
//! The symbols are `__nv_NAME` for fp64 and `__nv_NAMEf` for fp32; 16-bit floats are computed in fp32.

use super::special::float_arguments;
use super::{Args, Builtin, libdevice_function};
use crate::check::Checker;
use crate::checked::OpKind;
use crate::error::R;
use crate::value::Val;

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

/// The stem of the symbol, when this function comes from a file.
pub(super) fn symbol(checker: &Checker<'_>, builtin: &'static Builtin) -> Option<&'static str> {
    checker.options.libdevice.as_ref()?;
    let is_libdevice = libdevice_function(builtin.name).is_some_and(|known| std::ptr::eq(known, builtin));
    APPROXIMATIONS.iter().copied().find(|name| is_libdevice && *name == builtin.name)
}

/// The call of a function from the file.
pub(super) fn call<'a>(checker: &mut Checker<'a>, args: &Args<'a>, stem: &str) -> R<Val<'a>> {
    let (values, scalar) = float_arguments(checker, args)?;
    let ty = checker.ty(values[0]).clone();
    let suffix = if ty.number().is_some_and(|number| number.bits() == 32) { "f" } else { "" };
    let result = checker.emit(OpKind::Extern { symbol: format!("__nv_{stem}{suffix}") }, &values, ty);
    checker.cast_scalar(result, scalar, args.span).map(Val::Value)
}
