//! `torch.finfo(dtype)` and `torch.iinfo(dtype)`: the limits of types, as constants.

use crate::builtin::{Builtin, function};
use crate::context::int_range;
use crate::value::{ModuleKind, Val};
use tk_types::ScalarType;

const LIMITS: &[Builtin] = &[
    function("finfo", &["type"], |c, a| {
        let arg = a.value("type");
        match c.scalar_dtype("the type of `finfo`", &arg)? {
            ty if greatest(ty).is_some() => Ok(Val::Module(ModuleKind::Limits(ty))),
            ty => Err(c.error(tk_diag::TYPE_MISMATCH, arg.span, format!("`finfo` has nothing on {ty}"), "").into()),
        }
    }),
    function("iinfo", &["type"], |c, a| {
        let arg = a.value("type");
        match c.scalar_dtype("the type of `iinfo`", &arg)? {
            ty if ty.is_int() => Ok(Val::Module(ModuleKind::Limits(ty))),
            ty => Err(c.error(tk_diag::TYPE_MISMATCH, arg.span, format!("`iinfo` has nothing on {ty}"), "").into()),
        }
    }),
];

/// `finfo` or `iinfo`.
pub(crate) fn function_of(name: &str) -> Option<&'static Builtin> {
    LIMITS.iter().find(|builtin| builtin.name == name)
}

/// `max`, `min` and `bits` of a type.
pub(crate) fn member<'a>(ty: ScalarType, name: &str) -> Option<Val<'a>> {
    match (name, greatest(ty)) {
        ("bits", _) => Some(Val::Int(ty.bits().into())),
        ("max", Some(greatest)) => Some(Val::Float(greatest)),
        ("min", Some(greatest)) => Some(Val::Float(-greatest)),
        ("max", None) => Some(Val::Int(int_range(ty).1)),
        ("min", None) => Some(Val::Int(int_range(ty).0)),
        _ => None,
    }
}

/// The greatest finite value of a float that torch has.
fn greatest(ty: ScalarType) -> Option<f64> {
    match ty {
        ScalarType::F8E4M3 => Some(448.0),
        ScalarType::F8E5M2 => Some(57344.0),
        ScalarType::F16 => Some(65504.0),
        ScalarType::BF16 => Some(f64::from(f32::from_bits(0x7f7f_0000))),
        ScalarType::F32 => Some(f64::from(f32::MAX)),
        ScalarType::F64 => Some(f64::MAX),
        _ => None,
    }
}
