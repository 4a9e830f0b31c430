//! The functions of `tl.extra.libdevice` that one op, or a few exact ones, compute.

use super::math;
use crate::builtin::{Args, Builtin, function};
use crate::checked::{BinaryOp, CompareOp, Element, Literal, OpKind, Type, UnaryOp, Value};
use crate::context::Context;
use crate::error::R;
use crate::value::Val;
use tk_types::ScalarType;

macro_rules! unary {
    ($name:literal, $op:ident) => {
        function($name, &["x"], |c, a| c.unary_float(UnaryOp::$op, a))
    };
}

pub(crate) const TABLE: &[Builtin] = &[
    unary!("fast_expf", Exp),
    unary!("exp2", Exp2),
    unary!("log", Log),
    unary!("fast_logf", Log),
    unary!("log2", Log2),
    unary!("fast_log2f", Log2),
    unary!("sin", Sin),
    unary!("fast_sinf", Sin),
    unary!("cos", Cos),
    unary!("fast_cosf", Cos),
    unary!("tanh", Tanh),
    unary!("fast_tanhf", Tanh),
    unary!("erf", Erf),
    unary!("sqrt", Sqrt),
    unary!("sqrt_rn", SqrtRn),
    unary!("rsqrt", Rsqrt),
    unary!("rsqrt_rn", Rsqrt),
    unary!("floor", Floor),
    unary!("ceil", Ceil),
    function("abs", &["x"], |c, a| {
        let arg = a.value("x");
        let value = c.value_of("the argument of `abs`", &arg)?;
        math::absolute(c, value, arg.span).map(Val::Value)
    }),
    function("fma", &["x", "y", "z"], math::fma),
    function("fma_rn", &["x", "y", "z"], math::fma),
    function("div_rn", &["x", "y"], math::div_rn),
    function("fast_dividef", &["x", "y"], |c, a| {
        c.runtime_binary(tk_grammar::ast::BinaryOp::Div, &a.value("x"), &a.value("y")).map(Val::Value)
    }),
    function("fmod", &["x", "y"], |c, a| {
        c.runtime_binary(tk_grammar::ast::BinaryOp::Mod, &a.value("x"), &a.value("y")).map(Val::Value)
    }),
    function("add_rn", &["x", "y"], |c, a| exact(c, a, BinaryOp::AddF)),
    function("sub_rn", &["x", "y"], |c, a| exact(c, a, BinaryOp::SubF)),
    function("mul_rn", &["x", "y"], |c, a| exact(c, a, BinaryOp::MulF)),
    unary!("trunc", Trunc),
    function("isnan", &["x"], |c, a| classify(c, a, Class::Nan)),
    function("isinf", &["x"], |c, a| classify(c, a, Class::Infinite)),
    function("finitef", &["x"], |c, a| classify(c, a, Class::Finite)),
    function("isfinited", &["x"], |c, a| classify(c, a, Class::Finite)),
    function("signbit", &["x"], signbit),
    function("float_as_int", &["x"], |c, a| bits(c, a, ScalarType::F32, ScalarType::I32)),
    function("float_as_uint", &["x"], |c, a| bits(c, a, ScalarType::F32, ScalarType::U32)),
    function("int_as_float", &["x"], |c, a| bits(c, a, ScalarType::I32, ScalarType::F32)),
    function("uint_as_float", &["x"], |c, a| bits(c, a, ScalarType::U32, ScalarType::F32)),
    function("double_as_longlong", &["x"], |c, a| bits(c, a, ScalarType::F64, ScalarType::I64)),
    function("longlong_as_double", &["x"], |c, a| bits(c, a, ScalarType::I64, ScalarType::F64)),
];

#[derive(Clone, Copy)]
enum Class {
    Nan,
    Infinite,
    Finite,
}

fn float_value<'a>(cx: &mut Context, args: &Args<'a>) -> R<Value> {
    let arg = args.value("x");
    let value = cx.value_of(&format!("the argument of `{}`", args.builtin.name), &arg)?;
    let scalar = cx.float_argument(args.builtin.name, value, arg.span)?;
    if scalar.bits() < 32 { cx.cast_scalar(value, ScalarType::F32, arg.span) } else { Ok(value) }
}

fn exact<'a>(cx: &mut Context, args: &Args<'a>, op: BinaryOp) -> R<Val<'a>> {
    let pair = cx.promote(&format!("`{}`", args.builtin.name), &args.value("x"), &args.value("y"), false)?;
    if pair.scalar.is_int() {
        let message = format!("`{}` works on floats, not on {}", args.builtin.name, pair.ty);
        return Err(cx
            .error(tk_diag::TYPE_MISMATCH, args.span, message, "")
            .help("Cast with `.to(tl.float32)`.")
            .into());
    }
    Ok(Val::Value(cx.builder.emit(OpKind::Binary(op), &[pair.lhs, pair.rhs], pair.ty)))
}

fn classify<'a>(cx: &mut Context, args: &Args<'a>, class: Class) -> R<Val<'a>> {
    let value = float_value(cx, args)?;
    let ty = cx.builder.ty(value).clone();
    let bool = ty.with_scalar(ScalarType::I1);
    if let Class::Nan = class {
        return Ok(Val::Value(cx.builder.emit(OpKind::Compare(CompareOp::NeF), &[value, value], bool)));
    }
    let magnitude = cx.builder.emit(OpKind::Unary(UnaryOp::AbsF), &[value], ty.clone());
    let infinity = cx.builder.literal(Literal::Float(f64::INFINITY), ty);
    let op = if let Class::Infinite = class { CompareOp::EqF } else { CompareOp::LtF };
    Ok(Val::Value(cx.builder.emit(OpKind::Compare(op), &[magnitude, infinity], bool)))
}

fn signbit<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let value = float_value(cx, args)?;
    let signed = if cx.builder.ty(value).number() == Some(ScalarType::F64) { ScalarType::I64 } else { ScalarType::I32 };
    let word = cx.builder.reinterpret(value, signed);
    let ty: Type = cx.builder.ty(word).clone();
    let zero = cx.builder.int(0, ty.clone());
    Ok(Val::Value(cx.builder.emit(OpKind::Compare(CompareOp::LtS), &[word, zero], ty.with_scalar(ScalarType::I1))))
}

fn bits<'a>(cx: &mut Context, args: &Args<'a>, from: ScalarType, to: ScalarType) -> R<Val<'a>> {
    let arg = args.value("x");
    let value = cx.value_of(&format!("the argument of `{}`", args.builtin.name), &arg)?;
    let value = cx.cast_scalar(value, from, arg.span)?;
    cx.bitcast(value, &Element::Scalar(to), arg.span).map(Val::Value)
}
