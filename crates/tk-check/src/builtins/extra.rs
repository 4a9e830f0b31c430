//! `tl.extra.cuda` and `tl.target_info`: special registers, dependent launches, and what the target is.

use crate::builtin::{Args, Builtin, function};
use crate::checked::{OpKind, Type};
use crate::context::Context;
use crate::error::R;
use crate::value::Val;
use tk_types::ScalarType;

/// `tl.extra.cuda`.
pub(crate) const EXTRA: &[Builtin] = &[
    function("globaltimer", &[], |c, _| Ok(register(c, "mov.u64 $0, %globaltimer;", "=l", ScalarType::I64, false))),
    function("smid", &[], |c, _| Ok(register(c, "mov.u32 $0, %smid;", "=r", ScalarType::I32, true))),
    function("num_threads", &[], |c, _| Ok(Val::Int(i128::from(c.options.num_warps) * 32))),
    function("num_warps", &[], |c, _| Ok(Val::Int(c.options.num_warps.into()))),
    function("convert_custom_float8", CONVERT, convert),
    function("convert_custom_float8_sm70", CONVERT, convert),
    function("convert_custom_float8_sm80", CONVERT, convert),
    function("gdc_wait", &[], |c, _| Ok(control(c, "griddepcontrol.wait; mov.u32 $0, 0;"))),
    function("gdc_launch_dependents", &[], |c, _| Ok(control(c, "griddepcontrol.launch_dependents; mov.u32 $0, 0;"))),
];

const CONVERT: &[&str] = &["arg", "dst_ty", "fp_downcast_rounding?", "has_minx2?"];

/// Conversions to and from float8e4b15, which casts do too.
fn convert<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let arg = args.value("arg");
    let value = cx.value_of("what is converted", &arg)?;
    let to = cx.element_dtype("the target of a conversion", &args.value("dst_ty"))?;
    cx.cast(value, &to, None, args.span).map(Val::Value)
}

/// `tl.target_info`.
pub(crate) const TARGET: &[Builtin] = &[
    function("is_cuda", &[], |_, _| Ok(Val::Bool(true))),
    function("is_hip", &[], |_, _| Ok(Val::Bool(false))),
    function("is_hip_cdna3", &[], |_, _| Ok(Val::Bool(false))),
    function("is_hip_cdna4", &[], |_, _| Ok(Val::Bool(false))),
    function("is_hip_gfx1250", &[], |_, _| Ok(Val::Bool(false))),
    function("cuda_capability_geq", &["major", "minor?"], capability),
];

/// The value of one assembly instruction without inputs.
fn register<'a>(cx: &mut Context, asm: &str, constraint: &str, ty: ScalarType, pure: bool) -> Val<'a> {
    let kind = OpKind::InlineAsm { asm: asm.to_string(), constraints: constraint.to_string(), pure, pack: 1 };
    Val::Value(cx.builder.emit(kind, &[], Type::scalar(ty)))
}

/// The global timer in nanoseconds, the same for every thread of the program: the latest that any of them reads.
pub(crate) fn uniform_time(cx: &mut Context, span: tk_diag::Span) -> R<crate::checked::Value> {
    let threads = cx.options.num_warps * 32;
    let index = cx.iota(1, 0, threads);
    let kind = OpKind::InlineAsm {
        asm: "mov.u64 $0, %globaltimer;".to_string(),
        constraints: "=l,r".to_string(),
        pure: false,
        pack: 1,
    };
    let ty = cx.builder.ty(index).with_scalar(ScalarType::I64);
    let times = cx.builder.emit(kind, &[index], ty);
    cx.reduce_with(times, &[0], false, span, crate::checked::BinaryOp::MaxS)
}

/// An instruction run for its effect. Inline assembly needs a result, which nothing reads.
fn control<'a>(cx: &mut Context, asm: &str) -> Val<'a> {
    register(cx, asm, "=r", ScalarType::I32, false);
    Val::None
}

fn capability<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let major = cx.constant_int("the major version", &args.value("major"))?;
    let minor = match args.given("minor") {
        Some(arg) => cx.constant_int("the minor version", arg)?,
        None => 0,
    };
    let here = cx.target.compute_capability();
    Ok(Val::Bool((i128::from(here.major), i128::from(here.minor)) >= (major, minor)))
}
