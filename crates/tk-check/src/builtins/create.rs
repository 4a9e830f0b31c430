//! Programs, creation of tensors, and casts.

use crate::builtin::{Args, Builtin, function, method};
use crate::checked::{Element, OpKind, Type};
use crate::context::Context;
use crate::context::{Rounding, TAKE_THE_NEXT};
use crate::error::R;
use crate::value::{Spanned, Val};
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[
    function("program_id", &["axis"], program_id),
    function("num_programs", &["axis"], num_programs),
    function("arange", &["start", "end"], arange),
    function("full", &["shape", "value", "dtype"], full),
    function("zeros", &["shape", "dtype"], zeros),
    function("zeros_like", &["input"], zeros_like),
    method("cast", &["input", "dtype", "fp_downcast_rounding?", "bitcast?"], cast),
    method("to", &["input", "dtype", "fp_downcast_rounding?", "bitcast?"], cast),
    function("to_tensor", &["x"], to_tensor),
    function("get_int_dtype", &["bitwidth", "signed"], int_dtype),
    function("_pick_sum_dtype", &["in_dtype", "dtype"], sum_dtype),
];

fn program_axis<'a>(cx: &Context, args: &Args<'a>) -> R<u32> {
    let arg = args.value("axis");
    let axis = cx.constant_int("the axis of the grid", &arg)?;
    u32::try_from(axis).ok().filter(|axis| *axis < 3).ok_or_else(|| {
        let message = format!("program_id axis must be 0, 1, or 2 but got {axis}");
        cx.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help("Use 0, 1 or 2.").into()
    })
}

fn program_id<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let axis = program_axis(cx, args)?;
    Ok(Val::Value(cx.builder.emit(OpKind::ProgramId { axis }, &[], Type::scalar(ScalarType::I32))))
}

fn num_programs<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let axis = program_axis(cx, args)?;
    Ok(Val::Value(cx.builder.emit(OpKind::NumPrograms { axis }, &[], Type::scalar(ScalarType::I32))))
}

fn arange<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (start, end) = (args.value("start"), args.value("end"));
    let low = cx.constant_int("the start of `arange`", &start)?;
    let high = cx.constant_int("the end of `arange`", &end)?;
    let (Ok(from), Ok(to)) = (i32::try_from(low), i32::try_from(high)) else {
        let message = "`arange` must fit 32-bit integers";
        return Err(cx
            .error(tk_diag::TOO_LARGE, args.span, message, "")
            .help("Add the offset to a smaller range.")
            .into());
    };
    if high <= low {
        let message = format!("`arange` must end after its start, and {high} is not above {low}");
        return Err(cx.error(tk_diag::BAD_ARGUMENT, args.span, message, "").help("Write `tl.arange(0, N)`.").into());
    }
    let length = high - low;
    if length & (length - 1) != 0 {
        cx.beyond_triton(args.span, "arange's range must be a power of 2", TAKE_THE_NEXT)?;
    }
    let shape = cx.checked_shape(&[length], args.span)?;
    let ty = Type { element: Element::Scalar(ScalarType::I32), shape };
    Ok(Val::Value(cx.builder.emit(OpKind::MakeRange { start: from, end: to }, &[], ty)))
}

/// A tensor of one scalar; the empty shape gives the scalar itself.
fn filled<'a>(cx: &mut Context, shape: &Spanned<'a>, value: &Spanned<'a>, dtype: &Spanned<'a>) -> R<Val<'a>> {
    let shape = cx.shape(shape)?;
    let element = cx.element_dtype("the dtype", dtype)?;
    if let (Some(number), Element::Scalar(scalar)) = (value.val.number(), &element)
        && !scalar.is_fp8()
    {
        let ty = Type { element, shape };
        return cx.number(number, ty, value.span).map(Val::Value);
    }
    let scalar = cx.value_of("the value of `full`", value)?;
    let mut scalar = scalar;
    if cx.builder.ty(scalar).numel() != 1 {
        let message = format!("`full` takes one value, not {}", cx.builder.ty(scalar));
        return Err(cx
            .error(tk_diag::SHAPE_MISMATCH, value.span, message, "")
            .help("Use `tl.broadcast_to` for a tensor.")
            .into());
    }
    if cx.builder.ty(scalar).is_tensor() {
        let ty = Type { element: cx.builder.ty(scalar).element.clone(), shape: Vec::new() };
        scalar = cx.builder.emit(OpKind::Unsplat, &[scalar], ty);
    }
    let scalar = cx.cast(scalar, &element, None, value.span)?;
    Ok(Val::Value(cx.builder.splat(scalar, &shape)))
}

fn full<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    filled(cx, &args.value("shape"), &args.value("value"), &args.value("dtype"))
}

fn zeros<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let zero = Spanned { val: Val::Int(0), span: args.span };
    filled(cx, &args.value("shape"), &zero, &args.value("dtype"))
}

fn zeros_like<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let value = cx.value_of("the argument of `zeros_like`", &args.value("input"))?;
    let ty = cx.builder.ty(value).clone();
    Ok(Val::Value(cx.builder.zero(&ty)))
}

fn cast<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (input, dtype) = (args.value("input"), args.value("dtype"));
    let to = cx.element_dtype("the target of a cast", &dtype)?;
    let rounding = match args.given("fp_downcast_rounding") {
        None => None,
        Some(arg) => match &*cx.constant_str("`fp_downcast_rounding`", arg)? {
            "rtne" => Some(Rounding::Nearest),
            "rtz" => Some(Rounding::TowardZero),
            other => {
                let message = format!("`{other}` is not a rounding mode");
                return Err(cx
                    .error(tk_diag::BAD_ARGUMENT, arg.span, message, "")
                    .help("Use \"rtne\" or \"rtz\".")
                    .into());
            }
        },
    };
    let bits = args.flag(cx, "bitcast", false)?;
    let value = cx.value_of("what is cast", &input)?;
    let value = if bits { cx.bitcast(value, &to, args.span)? } else { cx.cast(value, &to, rounding, args.span)? };
    Ok(Val::Value(value))
}

/// The type in which `sum` adds: integers narrower than 32 bits add as 32 bits; a given type is taken as it is.
fn sum_dtype<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let wanted = args.value("dtype");
    if !matches!(wanted.val, Val::None) {
        return cx.scalar_dtype("`dtype`", &wanted).map(Val::scalar_type);
    }
    let scalar = cx.scalar_dtype("`in_dtype`", &args.value("in_dtype"))?;
    Ok(Val::scalar_type(match scalar {
        s if s.is_signed_int() && s.bits() < 32 => ScalarType::I32,
        s if s.is_int() && s.bits() < 32 => ScalarType::U32,
        s => s,
    }))
}

/// The integer type of a width and a sign.
fn int_dtype<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let width = args.value("bitwidth");
    let bits = cx.constant_int("`bitwidth`", &width)?;
    let signed = cx.constant_bool("`signed`", &args.value("signed"))?;
    let fits = |ty: &ScalarType| {
        let sign = if signed { ty.is_signed_int() } else { ty.is_unsigned_int() };
        i128::from(ty.bits()) == bits && (sign || *ty == ScalarType::I1)
    };
    match ScalarType::all().find(fits) {
        Some(ty) => Ok(Val::scalar_type(ty)),
        None => {
            let message = format!("there is no integer type of {bits} bits");
            let error = cx.error(tk_diag::BAD_ARGUMENT, width.span, message, "");
            Err(error.help("There are 1, 8, 16, 32 and 64 bits.").into())
        }
    }
}

fn to_tensor<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    cx.value_of("the argument of `to_tensor`", &args.value("x")).map(Val::Value)
}
