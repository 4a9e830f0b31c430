//! Mathematical functions of one float.
//!
//! They are written out as arithmetic: polynomials on a reduced argument, with selections for the special cases, so that there are
//! neither calls nor branches in a kernel (only huge angles branch, see [`trigonometry`]). A library of device code would have to be
//! shipped, parsed and optimised for every kernel; one is linked when the user names it ([`crate::library`]). The polynomials are minimax fits of our own.
//!
//! Largest errors over all finite arguments, denormal ones included, in units in the last place. In f32: 1 for `log`, 1.6 for `log2`,
//! `sin`, `cos` and `erf`, 2 for `tanh`, as far as the hardware's `ex2` is as good as it says (2^-22.5). In f64, on samples of the
//! whole range: one step from the correctly rounded value. 16-bit floats are computed in f32 and rounded once more. The functions
//! that f32 has an instruction for (`exp`, `exp2`, `rsqrt`) are in [`hardware_math`](super::hardware_math).

mod arithmetic;
mod double;
mod large_angle;
mod repair;
mod single;
mod trigonometry;

use super::elementwise::in_single;
use super::{Emitter, Registers, hardware_math};
use crate::code::{Code, Reg, Ty};
use tk_diag::Result;
use tk_ir::{Op, OpKind};

/// A function of one f32 or f64, emitted inline.
type Function = fn(&mut Code<'_>, Reg) -> Reg;

/// `math.exp`, `math.log`, `math.sin`, …, and calls of libdevice's functions of the same name.
pub(super) fn emit_math<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let kind = match op.kind() {
        OpKind::TtExternElementwise if op.str_attr("libpath").is_some_and(|path| !path.is_empty()) => {
            return emit_linked(emitter, op);
        }
        OpKind::TtExternElementwise => library_function(op.str_attr("symbol").unwrap_or_default()),
        kind => Some(kind),
    };
    let ty = emitter.element_ty(op.result(0).ty())?;
    let hardware = kind.and_then(|kind| hardware_math::function(kind, ty));
    if let Some(function) = hardware {
        return emitter.map(op, function);
    }
    if let Some(kind @ (OpKind::MathSin | OpKind::MathCos)) = kind {
        return trigonometry::emit_angle_function(emitter, op, kind == OpKind::MathCos);
    }
    let function = kind.and_then(|kind| if ty == Ty::F64 { double_function(kind) } else { single_function(kind) });
    match function {
        Some(function) => emitter.map(op, |code, x| in_single(code, x, |code, x| function(code, x[0]))),
        None => Err(emitter.bug(op, "there is no code for this operation")),
    }
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

fn single_function(kind: OpKind) -> Option<Function> {
    Some(match kind {
        OpKind::MathLog => single::log,
        OpKind::MathLog2 => single::log2,
        OpKind::MathTanh => single::tanh,
        OpKind::MathErf => single::erf,
        _ => return None,
    })
}

fn double_function(kind: OpKind) -> Option<Function> {
    Some(match kind {
        OpKind::MathExp => double::exp,
        OpKind::MathExp2 => double::exp2,
        OpKind::MathLog => double::log,
        OpKind::MathLog2 => double::log2,
        OpKind::MathTanh => double::tanh,
        OpKind::MathErf => double::erf,
        OpKind::MathRsqrt => double::rsqrt,
        _ => return None,
    })
}

/// The operation that a function of libdevice computes: `__nv_sin` in f64, `__nv_sinf` in f32.
fn library_function(symbol: &str) -> Option<OpKind> {
    Some(match symbol.strip_prefix("__nv_")? {
        "exp" | "expf" => OpKind::MathExp,
        "exp2" | "exp2f" => OpKind::MathExp2,
        "log" | "logf" => OpKind::MathLog,
        "log2" | "log2f" => OpKind::MathLog2,
        "sin" | "sinf" => OpKind::MathSin,
        "cos" | "cosf" => OpKind::MathCos,
        "tanh" | "tanhf" => OpKind::MathTanh,
        "erf" | "erff" => OpKind::MathErf,
        "rsqrt" | "rsqrtf" => OpKind::MathRsqrt,
        _ => return None,
    })
}
