//! Mathematical functions of one float.
//!
//! They are written out as arithmetic: polynomials on a reduced argument, with selections for the special cases, so that there are
//! neither calls nor branches in a kernel (only huge angles branch, see [`trigonometry`]). There is no library of device code to
//! link, which would have to be shipped, parsed and optimised for every kernel. The polynomials are minimax fits of our own.
//!
//! Largest errors over all finite arguments, denormal ones included. In f32: 1 unit in the last place for `log` and `erf`, 1.5 for
//! `log2`, `tanh`, `sin` and `cos` (2 where the hardware's `ex2` or `rcp` is at its worst), that of `ex2.approx` and `rsqrt.approx`
//! for `exp2` and `rsqrt`. In f64: one step from the correctly rounded value.
//!
//! `exp` in f32 is `ex2.approx(x * log2(e))`, as in the reference compiler: fast, and off by up to `1.25 |x|` units more. 16-bit
//! floats are computed in f32 and rounded once more.

mod arithmetic;
mod double;
mod large_angle;
mod repair;
mod single;
mod trigonometry;

use super::Emitter;
use super::elementwise::in_single;
use crate::code::{Code, Reg, Ty};
use tk_diag::Result;
use tk_ir::{Op, OpKind};

/// A function of one f32 or f64, emitted inline.
type Function = fn(&mut Code<'_>, Reg) -> Reg;

/// `math.exp`, `math.log`, `math.sin`, ….
pub(super) fn emit_math<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    match op.kind() {
        OpKind::MathSin => return trigonometry::emit_angle_function(emitter, op, false),
        OpKind::MathCos => return trigonometry::emit_angle_function(emitter, op, true),
        _ => {}
    }
    let Some((single, double)) = functions(op.kind()) else {
        return Err(emitter.bug(op, "there is no code for this operation"));
    };
    emitter.map(op, |code, x| {
        in_single(code, x, |code, x| if x[0].ty() == Ty::F64 { double(code, x[0]) } else { single(code, x[0]) })
    })
}

/// The function for f32 and the one for f64.
fn functions(kind: OpKind) -> Option<(Function, Function)> {
    Some(match kind {
        OpKind::MathExp => (single::exp, double::exp),
        OpKind::MathExp2 => (single::exp2, double::exp2),
        OpKind::MathLog => (single::log, double::log),
        OpKind::MathLog2 => (single::log2, double::log2),
        OpKind::MathTanh => (single::tanh, double::tanh),
        OpKind::MathErf => (single::erf, double::erf),
        OpKind::MathRsqrt => (single::rsqrt, double::rsqrt),
        _ => return None,
    })
}
