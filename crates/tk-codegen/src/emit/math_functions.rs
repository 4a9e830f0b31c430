//! Mathematical functions of one float.
//!
//! They are written out as arithmetic: polynomials on a reduced argument, with selections for the special cases, so that there are
//! no calls in a kernel, and few branches (for angles that may be huge, see [`trigonometry`] and [`finite`], and for what has no logarithm, see [`logarithm`]). A library of device code would have to be
//! shipped, parsed and optimised for every kernel; one is linked when the user names it ([`crate::library`]). The polynomials are minimax fits of our own.
//!
//! Largest errors over all finite arguments, denormal ones included, in units in the last place. In f32: 1 for `log`, 1.6 for `log2`,
//! `sin`, `cos` and `erf`, 2 for `tanh`, as far as the hardware's `ex2` is as good as it says (2^-22.5). In f64, on samples of the
//! whole range: one step from the correctly rounded value. 16-bit floats are computed in f32 and rounded once more. The functions
//! that f32 has an instruction for (`exp`, `exp2`, `rsqrt`) are in [`hardware_math`](super::hardware_math).

mod arithmetic;
mod denormal;
mod double;
mod finite;
mod large_angle;
mod logarithm;
mod repair;
mod single;
mod terms;
mod trigonometry;

use super::family::{Family, Math};
use super::float::in_single;
use super::{Emitter, Registers, hardware_math};
use crate::code::{Code, Reg, Ty};
use single::Base;
use terms::Order;
use tk_diag::Result;
use tk_ir::{Op, OpKind};
use trigonometry::Angle;

/// How a function is computed for operands of one type.
enum Form<'l> {
    /// By an instruction of the GPU.
    Instruction(fn(&mut Code<'l>, &[Reg]) -> Reg),
    /// By a function of one f32 or f64, emitted inline.
    Inline(fn(&mut Code<'_>, Reg) -> Reg),
    /// The same of an exponential of f64, whose terms are summed in one order or the other.
    Exponential(fn(&mut Code<'_>, Reg, Order) -> Reg),
    /// By the exponent and a polynomial on the rest.
    Logarithm(Base),
    /// By reducing the angle first.
    OfAngle(Angle),
}

/// `math.exp`, `math.log`, `math.sin`, ….
pub(super) fn emit_math<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Math) -> Result<()> {
    let ty = emitter.element_ty(op.result(0).ty())?;
    if !ty.is_float() {
        return Err(emitter.bug(op, "its result is no float that can be computed with"));
    }
    match form(which, ty == Ty::F64) {
        Form::Instruction(_) if which == Math::MathExp && has_many_elements(emitter, op)? => {
            emitter.map(op, hardware_math::exp_of_many)
        }
        Form::Instruction(function) => emitter.map(op, function),
        Form::Inline(function) => emitter.map(op, |code, x| in_single(code, x, |code, x| function(code, x[0]))),
        Form::Exponential(function) => {
            let order = Order::of(&emitter.settings, op);
            emitter.map(op, |code, x| function(code, x[0], order))
        }
        Form::Logarithm(base) => logarithm::emit_logarithm(emitter, op, base),
        Form::OfAngle(angle) => trigonometry::emit_angle_function(emitter, op, angle),
    }
}

/// Elements of a thread whose exponentials wait for predicates: 16 are a row of a product of 64 columns. More than registers hold wait for memory.
const MANY_ELEMENTS: std::ops::RangeInclusive<usize> = 16..=256;

fn has_many_elements<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<bool> {
    let ty = op.result(0).ty();
    Ok(ty.is_tensor() && MANY_ELEMENTS.contains(&emitter.tensor(ty)?.registers))
}

fn form<'l>(which: Math, is_double: bool) -> Form<'l> {
    match (which, is_double) {
        (Math::MathExp, false) => Form::Instruction(hardware_math::exp),
        (Math::MathExp2, false) => Form::Instruction(hardware_math::exp2),
        (Math::MathRsqrt, false) => Form::Instruction(hardware_math::rsqrt),
        (Math::MathLog, false) => Form::Logarithm(Base::E),
        (Math::MathLog2, false) => Form::Logarithm(Base::Two),
        (Math::MathTanh, false) => Form::Inline(single::tanh),
        (Math::MathErf, false) => Form::Inline(single::erf),
        (Math::MathExp, true) => Form::Exponential(double::exp),
        (Math::MathExp2, true) => Form::Exponential(double::exp2),
        (Math::MathRsqrt, true) => Form::Inline(double::rsqrt),
        (Math::MathLog, true) => Form::Inline(double::log),
        (Math::MathLog2, true) => Form::Inline(double::log2),
        (Math::MathTanh, true) => Form::Inline(double::tanh),
        (Math::MathErf, true) => Form::Inline(double::erf),
        (Math::MathSin, _) => Form::OfAngle(Angle::Sine),
        (Math::MathCos, _) => Form::OfAngle(Angle::Cosine),
    }
}

/// `tt.extern_elementwise`: a function that [`crate::library`] links, or one of libdevice's that is computed like tk's own.
pub(super) fn emit_named<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    if is_linked(op) {
        return emit_linked(emitter, op);
    }
    let symbol = op.str_attr("symbol").unwrap_or_default();
    match library_function(symbol) {
        Some(which) => emit_math(emitter, op, which),
        None => Err(emitter.bug(op, format!("there is no code for `{symbol}`"))),
    }
}

/// The function of one float that an operation computes by tk's own arithmetic.
fn function_of(op: Op<'_>) -> Option<Math> {
    if let Family::Math(which) = Family::of(op.kind()) {
        return Some(which);
    }
    let is_named = op.kind() == OpKind::TtExternElementwise && !is_linked(op);
    op.str_attr("symbol").filter(|_| is_named).and_then(library_function)
}

/// Whether an operation has a branch in its code for angles that may be large.
pub(super) fn may_branch_for_large_angles(op: Op<'_>) -> bool {
    let is_angle = matches!(function_of(op), Some(Math::MathSin | Math::MathCos));
    is_angle && trigonometry::may_be_large(op.operand(0))
}

/// [`crate::library`] links the function that the program names.
fn is_linked(op: Op<'_>) -> bool {
    op.str_attr("libpath").is_some_and(|path| !path.is_empty())
}

/// A call for each element of a function that [`crate::library`] links.
fn emit_linked<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let symbol = op.str_attr("symbol").unwrap_or_default();
    let ty = emitter.element_ty(op.result(0).ty())?;
    let operands = op.operands().into_iter().map(|value| emitter.registers(value)).collect::<Result<Vec<_>>>()?;
    let is_one = operands.iter().all(|registers| matches!(registers, Registers::Splat(_)));
    let count = if is_one { 1 } else { operands.iter().map(Registers::len).max().unwrap_or(1) };
    let mut results = Vec::with_capacity(count);
    for index in 0..count {
        let args: Vec<Reg> = operands.iter().map(|registers| registers.get(index)).collect();
        results.push(emitter.code.effect_value(symbol, ty, &args)?);
    }
    match is_one {
        true => emitter.define_scalar(op.result(0), results[0]),
        false => emitter.define(op.result(0), results.into()),
    }
    Ok(())
}

/// The operation that a function of libdevice computes: `__nv_sin` in f64, `__nv_sinf` in f32.
fn library_function(symbol: &str) -> Option<Math> {
    Some(match symbol.strip_prefix("__nv_")? {
        "exp" | "expf" => Math::MathExp,
        "exp2" | "exp2f" => Math::MathExp2,
        "log" | "logf" => Math::MathLog,
        "log2" | "log2f" => Math::MathLog2,
        "sin" | "sinf" => Math::MathSin,
        "cos" | "cosf" => Math::MathCos,
        "tanh" | "tanhf" => Math::MathTanh,
        "erf" | "erff" => Math::MathErf,
        "rsqrt" | "rsqrtf" => Math::MathRsqrt,
        _ => return None,
    })
}
