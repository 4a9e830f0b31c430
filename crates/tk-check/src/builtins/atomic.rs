//! Atomic operations.
//!
//! Float maximum and minimum use integer atomics: the bits of non-negative floats order like signed integers, those of negative
//! ones in reverse like unsigned integers, so each sign gets its own masked atomic.

use super::{Args, Builtin, method};
use crate::check::Checker;
use crate::checked::{AtomicOp, BinaryOp, Element, Literal, MemoryScope, MemorySemantics, OpKind, Type, Value};
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

/// Order and visibility, the last two arguments of every atomic.
fn ordering<'a>(checker: &Checker<'a>, args: &Args<'a>) -> R<(MemorySemantics, MemoryScope)> {
    ordering_at(checker, args, 3, MemorySemantics::AcquireRelease)
}

/// See [`ordering`]; the arguments stand at `first` and behind it.
fn ordering_at<'a>(
    checker: &Checker<'a>,
    args: &Args<'a>,
    first: usize,
    default: MemorySemantics,
) -> R<(MemorySemantics, MemoryScope)> {
    let semantics = match args.get(first) {
        None => default,
        Some(arg) => match &*checker.constant_str("`sem`", arg)? {
            "acquire" => MemorySemantics::Acquire,
            "release" => MemorySemantics::Release,
            "acq_rel" => MemorySemantics::AcquireRelease,
            "relaxed" => MemorySemantics::Relaxed,
            other => {
                let message = format!("{other:?} is not a memory order");
                let help = "There are \"relaxed\", \"acquire\", \"release\" and \"acq_rel\".";
                return Err(checker.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help(help).into());
            }
        },
    };
    let scope = match args.get(first + 1) {
        None => MemoryScope::Gpu,
        Some(arg) => match &*checker.constant_str("`scope`", arg)? {
            "cta" => MemoryScope::Cta,
            "gpu" => MemoryScope::Gpu,
            "sys" => MemoryScope::System,
            other => {
                let message = format!("{other:?} is not a memory scope");
                return Err(checker
                    .error(tk_diag::BAD_ARGUMENT, arg.span, message, "")
                    .help("There are \"cta\", \"gpu\" and \"sys\".")
                    .into());
            }
        },
    };
    Ok((semantics, scope))
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

fn rmw<'a>(checker: &mut Checker<'a>, args: &Args<'a>, family: Family) -> R<Val<'a>> {
    let access = access(checker, args)?;
    check_element(checker, args, access.scalar, family)?;
    let scalar = access.scalar;
    if scalar.is_float() && matches!(family, Family::Max | Family::Min) {
        return float_extremum(checker, args, &access, family == Family::Max).map(Val::Value);
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
    Ok(Val::Value(emit(checker, &access, op, access.pointer, access.value, access.mask)))
}

fn access<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Access> {
    let (pointer_arg, value_arg) = (args.at(0), args.at(1));
    let name = format!("`{}`", args.builtin.name);
    let pointer = checker.pointer_argument(&name, &pointer_arg)?;
    checker.writable(pointer, &pointer_arg)?;
    let shape = checker.ty(pointer).shape.clone();
    let value = checker.value_of("the value of an atomic", &value_arg)?;
    checker.scalar_companion("the value", &pointer_arg, value, &value_arg)?;
    let value = checker.broadcast_to("the value", &value_arg, value, &shape)?;
    let mask = match args.get(2) {
        None => None,
        Some(arg) => {
            let mask = checker.mask_argument(arg)?;
            checker.scalar_companion("the mask", &pointer_arg, mask, arg)?;
            Some(checker.broadcast_to("the mask", arg, mask, &shape)?)
        }
    };
    let Some(Element::Scalar(scalar)) = checker.ty(pointer).pointee().cloned() else {
        let message = format!("{name} needs a pointer to numbers");
        return Err(checker
            .error(tk_diag::TYPE_MISMATCH, pointer_arg.span, message, "")
            .help("Cast the pointer.")
            .into());
    };
    let value = checker.cast_scalar(value, scalar, value_arg.span)?;
    let (semantics, scope) = ordering(checker, args)?;
    if args.builtin.name == "atomic_store" && args.get(3).is_none() {
        return Ok(Access { pointer, value, mask, scalar, semantics: MemorySemantics::Release, scope });
    }
    Ok(Access { pointer, value, mask, scalar, semantics, scope })
}

fn check_element<'a>(checker: &Checker<'a>, args: &Args<'a>, scalar: ScalarType, family: Family) -> R<()> {
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
    let found = checker.describe(&args.at(0).val);
    Err(checker.error(tk_diag::TYPE_MISMATCH, args.at(0).span, message, found).help(help).into())
}

fn emit(
    checker: &mut Checker<'_>,
    access: &Access,
    op: AtomicOp,
    pointer: Value,
    value: Value,
    mask: Option<Value>,
) -> Value {
    let ty = checker.ty(value).clone();
    let mut operands = vec![pointer, value];
    operands.extend(mask);
    let kind = OpKind::AtomicRmw { op, mask: mask.is_some(), semantics: access.semantics, scope: access.scope };
    checker.emit(kind, &operands, ty)
}

fn float_extremum<'a>(checker: &mut Checker<'a>, args: &Args<'a>, access: &Access, max: bool) -> R<Value> {
    let (signed, unsigned) = match access.scalar {
        ScalarType::F32 => (ScalarType::I32, ScalarType::U32),
        _ => (ScalarType::I64, ScalarType::U64),
    };
    let pointer_to = |scalar| Element::Pointer { pointee: Box::new(Element::Scalar(scalar)), constant: false };
    let signed_value = checker.reinterpret(access.value, signed);
    let signed_pointer = checker.cast(access.pointer, &pointer_to(signed), None, args.span)?;
    let unsigned_value = checker.reinterpret(access.value, unsigned);
    let unsigned_pointer = checker.cast(access.pointer, &pointer_to(unsigned), None, args.span)?;
    let ty = checker.ty(unsigned_value).clone();
    let shift = checker.literal(Literal::Int((unsigned.bits() - 1).into()), ty.clone());
    let sign = checker.emit(OpKind::Binary(BinaryOp::ShrU), &[unsigned_value, shift], ty);
    let negative = checker.boolean(sign, args.span)?;
    let positive = checker.invert(negative, args.span)?;
    let masked = |checker: &mut Checker<'a>, which: Value| match access.mask {
        None => which,
        Some(mask) => {
            let ty: Type = checker.ty(mask).clone();
            checker.emit(OpKind::Binary(BinaryOp::And), &[mask, which], ty)
        }
    };
    let (for_positive, for_negative) =
        if max { (AtomicOp::Max, AtomicOp::UMin) } else { (AtomicOp::Min, AtomicOp::UMax) };
    let mask = masked(checker, positive);
    let old_positive = emit(checker, access, for_positive, signed_pointer, signed_value, Some(mask));
    let mask = masked(checker, negative);
    let old_negative = emit(checker, access, for_negative, unsigned_pointer, unsigned_value, Some(mask));
    let old_negative = checker.reinterpret(old_negative, signed);
    let ty = checker.ty(old_positive).clone();
    let old = checker.emit(OpKind::Select, &[positive, old_positive, old_negative], ty);
    Ok(checker.reinterpret(old, access.scalar))
}

fn cas<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (pointer_arg, expected_arg, value_arg) = (args.at(0), args.at(1), args.at(2));
    let pointer = checker.pointer_argument("`atomic_cas`", &pointer_arg)?;
    checker.writable(pointer, &pointer_arg)?;
    let element = match checker.ty(pointer).pointee() {
        Some(Element::Scalar(scalar)) if matches!(scalar.bits(), 16 | 32 | 64) => *scalar,
        _ => {
            let message = "`atomic_cas` works on elements of 16, 32 or 64 bits";
            let found = checker.ty(pointer).to_string();
            return Err(checker
                .error(tk_diag::TYPE_MISMATCH, pointer_arg.span, message, found)
                .help("Use int32 locks.")
                .into());
        }
    };
    let shape = checker.ty(pointer).shape.clone();
    let mut operands = vec![pointer];
    for (what, arg) in [("the expected value", &expected_arg), ("the new value", &value_arg)] {
        let value = checker.value_of(what, arg)?;
        checker.scalar_companion(what, &pointer_arg, value, arg)?;
        let value = checker.cast_scalar(value, element, arg.span)?;
        operands.push(checker.broadcast_to(what, &Spanned::clone(arg), value, &shape)?);
    }
    let (semantics, scope) = ordering(checker, args)?;
    let ty = checker.ty(pointer).with_scalar(element);
    Ok(Val::Value(checker.emit(OpKind::AtomicCas { semantics, scope }, &operands, ty)))
}

/// A pointer to integers of the same width, and the numbers that are there.
fn integer_pointer<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<(Value, ScalarType)> {
    let arg = args.at(0);
    let name = args.builtin.name;
    let pointer = checker.pointer_argument(&format!("`{name}`"), &arg)?;
    let scalar = match checker.ty(pointer).pointee() {
        Some(Element::Scalar(scalar)) if matches!(scalar.bits(), 32 | 64) => *scalar,
        _ => {
            let message = format!("`{name}` works on elements of 32 or 64 bits");
            let found = checker.ty(pointer).to_string();
            let error = checker.error(tk_diag::TYPE_MISMATCH, arg.span, message, found);
            return Err(error.help("Use int32 or wider elements.").into());
        }
    };
    let integer = if scalar.bits() == 64 { ScalarType::I64 } else { ScalarType::I32 };
    let element = Element::Pointer { pointee: Box::new(Element::Scalar(integer)), constant: false };
    Ok((checker.cast(pointer, &element, None, arg.span)?, scalar))
}

/// An atomic or with zero, which gives every thread of the program the same value.
fn read(
    checker: &mut Checker<'_>,
    pointer: Value,
    mask: Option<Value>,
    order: (MemorySemantics, MemoryScope),
) -> Value {
    let element = checker.ty(pointer).pointee().cloned().unwrap_or(Element::Scalar(ScalarType::I32));
    let ty = checker.ty(pointer).with(element);
    let zero = checker.int_literal(0, ty.clone());
    let mut operands = vec![pointer, zero];
    operands.extend(mask);
    let kind = OpKind::AtomicRmw { op: AtomicOp::Or, mask: mask.is_some(), semantics: order.0, scope: order.1 };
    checker.emit(kind, &operands, ty)
}

fn reading_order<'a>(checker: &Checker<'a>, args: &Args<'a>) -> R<(MemorySemantics, MemoryScope)> {
    let order = ordering_at(checker, args, 2, MemorySemantics::Acquire)?;
    match (order.0, args.get(2)) {
        (MemorySemantics::Release | MemorySemantics::AcquireRelease, Some(arg)) => {
            let message = format!("`{}` reads, and has nothing to release", args.builtin.name);
            let error = checker.error(tk_diag::BAD_ARGUMENT, arg.span, message, "");
            Err(error.help("There are \"acquire\" and \"relaxed\".").into())
        }
        _ => Ok(order),
    }
}

fn load<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (pointer, scalar) = integer_pointer(checker, args)?;
    let order = reading_order(checker, args)?;
    let mask = match args.get(1) {
        None => None,
        Some(arg) => {
            let mask = checker.mask_argument(arg)?;
            checker.scalar_companion("the mask", &args.at(0), mask, arg)?;
            let shape = checker.ty(pointer).shape.clone();
            Some(checker.broadcast_to("the mask", arg, mask, &shape)?)
        }
    };
    let word = read(checker, pointer, mask, order);
    Ok(Val::Value(checker.reinterpret(word, scalar)))
}

fn store<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let access = access(checker, args)?;
    check_element(checker, args, access.scalar, Family::Exchange)?;
    if let (MemorySemantics::Acquire | MemorySemantics::AcquireRelease, Some(arg)) = (access.semantics, args.get(3)) {
        let error = checker.error(tk_diag::BAD_ARGUMENT, arg.span, "`atomic_store` writes, and acquires nothing", "");
        return Err(error.help("There are \"release\" and \"relaxed\".").into());
    }
    emit(checker, &access, AtomicOp::Exchange, access.pointer, access.value, access.mask);
    Ok(Val::None)
}

/// Reads until every element has its expected value or the time is over. Gives which have.
fn poll<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (pointer, scalar) = integer_pointer(checker, args)?;
    let order = reading_order(checker, args)?;
    let expected_arg = args.at(1);
    let expected = checker.value_of("the expected value", &expected_arg)?;
    checker.scalar_companion("the expected value", &args.at(0), expected, &expected_arg)?;
    let expected = checker.cast_scalar(expected, scalar, expected_arg.span)?;
    let shape = checker.ty(pointer).shape.clone();
    let expected = checker.broadcast_to("the expected value", &expected_arg, expected, &shape)?;
    let word = checker.ty(pointer).pointee().cloned().unwrap_or(Element::Scalar(scalar));
    let expected = checker.bitcast(expected, &word, args.span)?;
    let bool = checker.bool_like(expected);
    let deadline = match args.get(4) {
        None => None,
        Some(arg) => {
            let budget = checker.value_of("`timeout_ns`", arg)?;
            let budget = checker.cast_scalar(budget, ScalarType::I64, arg.span)?;
            let start = super::extra::uniform_time(checker, args.span)?;
            Some(checker.scalar_op(BinaryOp::AddI, start, budget))
        }
    };
    let none = checker.int_literal(0, bool.clone());
    let first = checker.int_literal(1, Type::scalar(ScalarType::I1));
    // While an element waits and, after the first reading, time is left.
    checker.open_block();
    let found = checker.block_arg(bool.clone(), None);
    let running = checker.block_arg(Type::scalar(ScalarType::I1), None);
    let mut before = checker.close_block();
    before.yields = vec![running, found, running];
    checker.open_block();
    let found = checker.block_arg(bool.clone(), None);
    checker.block_arg(Type::scalar(ScalarType::I1), None);
    let waiting = checker.invert(found, args.span)?;
    let value = read(checker, pointer, Some(waiting), order);
    let equal = checker.emit(OpKind::Compare(crate::checked::CompareOp::EqI), &[value, expected], bool.clone());
    let equal = checker.scalar_op(BinaryOp::And, equal, waiting);
    let found = checker.scalar_op(BinaryOp::Or, found, equal);
    let missing = checker.invert(found, args.span)?;
    let mut running = if shape.is_empty() { missing } else { checker.any_element(missing, args.span)? };
    if let Some(deadline) = deadline {
        let now = super::extra::uniform_time(checker, args.span)?;
        let ty = Type::scalar(ScalarType::I1);
        let early = checker.emit(OpKind::Compare(crate::checked::CompareOp::LtS), &[now, deadline], ty);
        running = checker.scalar_op(BinaryOp::And, running, early);
    }
    let mut body = checker.close_block();
    body.yields = vec![found, running];
    let types = vec![bool, Type::scalar(ScalarType::I1)];
    let results = checker.emit_op(OpKind::While, vec![none, first], types, vec![before, body]);
    Ok(Val::Value(results[0]))
}
