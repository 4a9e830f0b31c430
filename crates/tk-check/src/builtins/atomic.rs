//! Atomic operations.
//!
//! Float maximum and minimum use integer atomics: the bits of non-negative floats order like signed integers, those of negative
//! ones in reverse like unsigned integers, so each sign gets its own masked atomic.

use crate::builtin::{Args, Builtin, method};
use crate::checked::{
    AtomicOp, BinaryOp, Element, Literal, LoopHints, MemoryScope, MemorySemantics, OpKind, Type, Value,
};
use crate::context::Context;
use crate::context::Extremum;
use crate::error::R;
use crate::value::{Spanned, Val};
use tk_types::ScalarType;

const RMW: &[&str] = &["pointer", "val", "mask?", "sem?", "scope?"];

pub(crate) const TABLE: &[Builtin] = &[
    method("atomic_add", RMW, |c, a| rmw(c, a, Family::Add)),
    method("atomic_max", RMW, |c, a| rmw(c, a, Family::Max)),
    method("atomic_min", RMW, |c, a| rmw(c, a, Family::Min)),
    method("atomic_and", RMW, |c, a| rmw(c, a, Family::And)),
    method("atomic_or", RMW, |c, a| rmw(c, a, Family::Or)),
    method("atomic_xor", RMW, |c, a| rmw(c, a, Family::Xor)),
    method("atomic_xchg", RMW, |c, a| rmw(c, a, Family::Exchange)),
    method("atomic_load", &["pointer", "mask?", "sem?", "scope?"], load),
    method("atomic_store", RMW, store),
    method("atomic_poll", &["pointer", "expected_value", "sem?", "scope?", "timeout_ns?"], poll),
    method("atomic_cas", &["pointer", "cmp", "val", "sem?", "scope?"], cas),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Add,
    Max,
    Min,
    And,
    Or,
    Xor,
    Exchange,
}

/// Order and visibility of an access.
#[derive(Clone, Copy)]
struct Ordering {
    semantics: MemorySemantics,
    scope: MemoryScope,
}

/// `sem` and `scope`, which every atomic has.
fn ordering(cx: &Context, args: &Args<'_>, default: MemorySemantics) -> R<Ordering> {
    let semantics = match args.given("sem") {
        None => default,
        Some(arg) => match &*cx.constant_str("`sem`", arg)? {
            "acquire" => MemorySemantics::Acquire,
            "release" => MemorySemantics::Release,
            "acq_rel" => MemorySemantics::AcquireRelease,
            "relaxed" => MemorySemantics::Relaxed,
            other => {
                let message = format!("{other:?} is not a memory order");
                let help = "There are \"relaxed\", \"acquire\", \"release\" and \"acq_rel\".";
                return Err(cx.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help(help).into());
            }
        },
    };
    let scope = match args.given("scope") {
        None => MemoryScope::Gpu,
        Some(arg) => match &*cx.constant_str("`scope`", arg)? {
            "cta" => MemoryScope::Cta,
            "gpu" => MemoryScope::Gpu,
            "sys" => MemoryScope::System,
            other => {
                let message = format!("{other:?} is not a memory scope");
                return Err(cx
                    .error(tk_diag::BAD_ARGUMENT, arg.span, message, "")
                    .help("There are \"cta\", \"gpu\" and \"sys\".")
                    .into());
            }
        },
    };
    Ok(Ordering { semantics, scope })
}

/// One read-modify-write, ready to emit.
struct Access {
    pointer: Value,
    value: Value,
    mask: Option<Value>,
    scalar: ScalarType,
    semantics: MemorySemantics,
    scope: MemoryScope,
}

fn rmw<'a>(cx: &mut Context, args: &Args<'a>, family: Family) -> R<Val<'a>> {
    let access = access(cx, args)?;
    check_element(cx, args, access.scalar, family)?;
    let scalar = access.scalar;
    if scalar.is_float() && matches!(family, Family::Max | Family::Min) {
        return float_extremum(
            cx,
            args,
            &access,
            if family == Family::Max { Extremum::Greatest } else { Extremum::Least },
        )
        .map(Val::Value);
    }
    let signed = scalar.is_signed_int();
    let op = match family {
        Family::Add if scalar.is_float() => AtomicOp::FAdd,
        Family::Add => AtomicOp::Add,
        Family::Max if signed => AtomicOp::Max,
        Family::Max => AtomicOp::UMax,
        Family::Min if signed => AtomicOp::Min,
        Family::Min => AtomicOp::UMin,
        Family::And => AtomicOp::And,
        Family::Or => AtomicOp::Or,
        Family::Xor => AtomicOp::Xor,
        Family::Exchange => AtomicOp::Exchange,
    };
    Ok(Val::Value(emit(cx, &access, op, access.pointer, access.value, access.mask)))
}

fn access<'a>(cx: &mut Context, args: &Args<'a>) -> R<Access> {
    let (pointer_arg, value_arg) = (args.value("pointer"), args.value("val"));
    let name = format!("`{}`", args.builtin.name);
    let pointer = cx.pointer_argument(&name, &pointer_arg)?;
    cx.writable(pointer, &pointer_arg)?;
    let shape = cx.builder.ty(pointer).shape.clone();
    let value = cx.value_of("the value of an atomic", &value_arg)?;
    cx.scalar_companion("the value", &pointer_arg, value, &value_arg)?;
    let value = cx.broadcast_to("the value", &value_arg, value, &shape)?;
    let mask = match args.given("mask") {
        None => None,
        Some(arg) => {
            let mask = cx.mask_argument(arg)?;
            cx.scalar_companion("the mask", &pointer_arg, mask, arg)?;
            Some(cx.broadcast_to("the mask", arg, mask, &shape)?)
        }
    };
    let Some(Element::Scalar(scalar)) = cx.builder.ty(pointer).pointee().cloned() else {
        let message = format!("{name} needs a pointer to numbers");
        return Err(cx.error(tk_diag::TYPE_MISMATCH, pointer_arg.span, message, "").help("Cast the pointer.").into());
    };
    let value = cx.cast_scalar(value, scalar, value_arg.span)?;
    let Ordering { semantics, scope } = ordering(cx, args, MemorySemantics::AcquireRelease)?;
    if args.builtin.name == "atomic_store" && args.given("sem").is_none() {
        return Ok(Access { pointer, value, mask, scalar, semantics: MemorySemantics::Release, scope });
    }
    Ok(Access { pointer, value, mask, scalar, semantics, scope })
}

fn check_element<'a>(cx: &Context, args: &Args<'a>, scalar: ScalarType, family: Family) -> R<()> {
    let half = matches!(scalar, ScalarType::F16 | ScalarType::BF16);
    let bitwise = matches!(family, Family::And | Family::Or | Family::Xor);
    let bad = scalar.bits() < 32 && !half || half && family != Family::Add || bitwise && scalar.is_float();
    if !bad {
        return Ok(());
    }
    let message = format!("`{}` does not work on {scalar}", args.builtin.name);
    let help = if bitwise {
        "Bitwise atomics need integers of 32 or 64 bits."
    } else {
        "Use 32-bit or 64-bit elements; fp16 and bf16 can be added only."
    };
    let found = cx.describe(&args.value("pointer").val);
    Err(cx.error(tk_diag::TYPE_MISMATCH, args.value("pointer").span, message, found).help(help).into())
}

fn emit(cx: &mut Context, access: &Access, op: AtomicOp, pointer: Value, value: Value, mask: Option<Value>) -> Value {
    let ty = cx.builder.ty(value).clone();
    let mut operands = vec![pointer, value];
    operands.extend(mask);
    let kind = OpKind::AtomicRmw { op, mask: mask.is_some(), semantics: access.semantics, scope: access.scope };
    cx.builder.emit(kind, &operands, ty)
}

fn float_extremum<'a>(cx: &mut Context, args: &Args<'a>, access: &Access, which: Extremum) -> R<Value> {
    let (signed, unsigned) = match access.scalar {
        ScalarType::F32 => (ScalarType::I32, ScalarType::U32),
        _ => (ScalarType::I64, ScalarType::U64),
    };
    let pointer_to = |scalar| Element::Pointer { pointee: Box::new(Element::Scalar(scalar)), constant: false };
    let signed_value = cx.builder.reinterpret(access.value, signed);
    let signed_pointer = cx.cast(access.pointer, &pointer_to(signed), None, args.span)?;
    let unsigned_value = cx.builder.reinterpret(access.value, unsigned);
    let unsigned_pointer = cx.cast(access.pointer, &pointer_to(unsigned), None, args.span)?;
    let ty = cx.builder.ty(unsigned_value).clone();
    let shift = cx.builder.literal(Literal::Int((unsigned.bits() - 1).into()), ty.clone());
    let sign = cx.builder.emit(OpKind::Binary(BinaryOp::ShrU), &[unsigned_value, shift], ty);
    let negative = cx.boolean(sign, args.span)?;
    let positive = cx.invert(negative, args.span)?;
    let masked = |cx: &mut Context, which: Value| match access.mask {
        None => which,
        Some(mask) => {
            let ty: Type = cx.builder.ty(mask).clone();
            cx.builder.emit(OpKind::Binary(BinaryOp::And), &[mask, which], ty)
        }
    };
    let (for_positive, for_negative) =
        if which == Extremum::Greatest { (AtomicOp::Max, AtomicOp::UMin) } else { (AtomicOp::Min, AtomicOp::UMax) };
    let mask = masked(cx, positive);
    let old_positive = emit(cx, access, for_positive, signed_pointer, signed_value, Some(mask));
    let mask = masked(cx, negative);
    let old_negative = emit(cx, access, for_negative, unsigned_pointer, unsigned_value, Some(mask));
    let old_negative = cx.builder.reinterpret(old_negative, signed);
    let ty = cx.builder.ty(old_positive).clone();
    let old = cx.builder.emit(OpKind::Select, &[positive, old_positive, old_negative], ty);
    Ok(cx.builder.reinterpret(old, access.scalar))
}

fn cas<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (pointer_arg, expected_arg, value_arg) = (args.value("pointer"), args.value("cmp"), args.value("val"));
    let pointer = cx.pointer_argument("`atomic_cas`", &pointer_arg)?;
    cx.writable(pointer, &pointer_arg)?;
    let element = match cx.builder.ty(pointer).pointee() {
        Some(Element::Scalar(scalar)) if matches!(scalar.bits(), 16 | 32 | 64) => *scalar,
        _ => {
            let message = "`atomic_cas` works on elements of 16, 32 or 64 bits";
            let found = cx.builder.ty(pointer).to_string();
            return Err(cx
                .error(tk_diag::TYPE_MISMATCH, pointer_arg.span, message, found)
                .help("Use int32 locks.")
                .into());
        }
    };
    let shape = cx.builder.ty(pointer).shape.clone();
    let mut operands = vec![pointer];
    for (what, arg) in [("the expected value", &expected_arg), ("the new value", &value_arg)] {
        let value = cx.value_of(what, arg)?;
        cx.scalar_companion(what, &pointer_arg, value, arg)?;
        let value = cx.cast_scalar(value, element, arg.span)?;
        operands.push(cx.broadcast_to(what, &Spanned::clone(arg), value, &shape)?);
    }
    let Ordering { semantics, scope } = ordering(cx, args, MemorySemantics::AcquireRelease)?;
    let ty = cx.builder.ty(pointer).with_scalar(element);
    Ok(Val::Value(cx.builder.emit(OpKind::AtomicCas { semantics, scope }, &operands, ty)))
}

/// A pointer to integers of the same width, and the numbers that are there.
fn integer_pointer<'a>(cx: &mut Context, args: &Args<'a>) -> R<(Value, ScalarType)> {
    let arg = args.value("pointer");
    let name = args.builtin.name;
    let pointer = cx.pointer_argument(&format!("`{name}`"), &arg)?;
    let scalar = match cx.builder.ty(pointer).pointee() {
        Some(Element::Scalar(scalar)) if matches!(scalar.bits(), 32 | 64) => *scalar,
        _ => {
            let message = format!("`{name}` works on elements of 32 or 64 bits");
            let found = cx.builder.ty(pointer).to_string();
            let error = cx.error(tk_diag::TYPE_MISMATCH, arg.span, message, found);
            return Err(error.help("Use int32 or wider elements.").into());
        }
    };
    let integer = if scalar.bits() == 64 { ScalarType::I64 } else { ScalarType::I32 };
    let element = Element::Pointer { pointee: Box::new(Element::Scalar(integer)), constant: false };
    Ok((cx.cast(pointer, &element, None, arg.span)?, scalar))
}

/// An atomic or with zero, which gives every thread of the program the same value.
fn read(cx: &mut Context, pointer: Value, mask: Option<Value>, order: Ordering) -> Value {
    let element = cx.builder.ty(pointer).pointee().cloned().unwrap_or(Element::Scalar(ScalarType::I32));
    let ty = cx.builder.ty(pointer).with(element);
    let zero = cx.builder.int(0, ty.clone());
    let mut operands = vec![pointer, zero];
    operands.extend(mask);
    let kind =
        OpKind::AtomicRmw { op: AtomicOp::Or, mask: mask.is_some(), semantics: order.semantics, scope: order.scope };
    cx.builder.emit(kind, &operands, ty)
}

fn reading_order(cx: &Context, args: &Args<'_>) -> R<Ordering> {
    let order = ordering(cx, args, MemorySemantics::Acquire)?;
    match (order.semantics, args.given("sem")) {
        (MemorySemantics::Release | MemorySemantics::AcquireRelease, Some(arg)) => {
            let message = format!("`{}` reads, and has nothing to release", args.builtin.name);
            let error = cx.error(tk_diag::BAD_ARGUMENT, arg.span, message, "");
            Err(error.help("There are \"acquire\" and \"relaxed\".").into())
        }
        _ => Ok(order),
    }
}

fn load<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (pointer, scalar) = integer_pointer(cx, args)?;
    let order = reading_order(cx, args)?;
    let mask = match args.given("mask") {
        None => None,
        Some(arg) => {
            let mask = cx.mask_argument(arg)?;
            cx.scalar_companion("the mask", &args.value("pointer"), mask, arg)?;
            let shape = cx.builder.ty(pointer).shape.clone();
            Some(cx.broadcast_to("the mask", arg, mask, &shape)?)
        }
    };
    let word = read(cx, pointer, mask, order);
    Ok(Val::Value(cx.builder.reinterpret(word, scalar)))
}

fn store<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let access = access(cx, args)?;
    check_element(cx, args, access.scalar, Family::Exchange)?;
    if let (MemorySemantics::Acquire | MemorySemantics::AcquireRelease, Some(arg)) =
        (access.semantics, args.given("sem"))
    {
        let error = cx.error(tk_diag::BAD_ARGUMENT, arg.span, "`atomic_store` writes, and acquires nothing", "");
        return Err(error.help("There are \"release\" and \"relaxed\".").into());
    }
    emit(cx, &access, AtomicOp::Exchange, access.pointer, access.value, access.mask);
    Ok(Val::None)
}

/// Reads until every element has its expected value or the time is over. Gives which have.
fn poll<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (pointer, scalar) = integer_pointer(cx, args)?;
    let order = reading_order(cx, args)?;
    let expected_arg = args.value("expected_value");
    let expected = cx.value_of("the expected value", &expected_arg)?;
    cx.scalar_companion("the expected value", &args.value("pointer"), expected, &expected_arg)?;
    let expected = cx.cast_scalar(expected, scalar, expected_arg.span)?;
    let shape = cx.builder.ty(pointer).shape.clone();
    let expected = cx.broadcast_to("the expected value", &expected_arg, expected, &shape)?;
    let word = cx.builder.ty(pointer).pointee().cloned().unwrap_or(Element::Scalar(scalar));
    let expected = cx.bitcast(expected, &word, args.span)?;
    let bool = cx.bool_like(expected);
    let deadline = match args.given("timeout_ns") {
        None => None,
        Some(arg) => {
            let budget = cx.value_of("`timeout_ns`", arg)?;
            let budget = cx.cast_scalar(budget, ScalarType::I64, arg.span)?;
            let start = super::extra::uniform_time(cx, args.span)?;
            Some(cx.builder.binary(BinaryOp::AddI, start, budget))
        }
    };
    let none = cx.builder.int(0, bool.clone());
    let first = cx.builder.int(1, Type::scalar(ScalarType::I1));
    // While an element waits and, after the first reading, time is left.
    cx.builder.open_block();
    let found = cx.builder.block_argument(bool.clone(), None);
    let running = cx.builder.block_argument(Type::scalar(ScalarType::I1), None);
    let mut before = cx.builder.close_block();
    before.yields = vec![running, found, running];
    cx.builder.open_block();
    let found = cx.builder.block_argument(bool.clone(), None);
    cx.builder.block_argument(Type::scalar(ScalarType::I1), None);
    let waiting = cx.invert(found, args.span)?;
    let value = read(cx, pointer, Some(waiting), order);
    let equal = cx.builder.emit(OpKind::Compare(crate::checked::CompareOp::EqI), &[value, expected], bool.clone());
    let equal = cx.builder.binary(BinaryOp::And, equal, waiting);
    let found = cx.builder.binary(BinaryOp::Or, found, equal);
    let missing = cx.invert(found, args.span)?;
    let mut running = if shape.is_empty() { missing } else { cx.any_element(missing, args.span)? };
    if let Some(deadline) = deadline {
        let now = super::extra::uniform_time(cx, args.span)?;
        let ty = Type::scalar(ScalarType::I1);
        let early = cx.builder.emit(OpKind::Compare(crate::checked::CompareOp::LtS), &[now, deadline], ty);
        running = cx.builder.binary(BinaryOp::And, running, early);
    }
    let mut body = cx.builder.close_block();
    body.yields = vec![found, running];
    let types = vec![bool, Type::scalar(ScalarType::I1)];
    let results = cx.builder.op(OpKind::While(LoopHints::default()), vec![none, first], types, vec![before, body]);
    Ok(Val::Value(results[0]))
}
