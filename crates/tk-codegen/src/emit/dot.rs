//! `tt.dot`: matrix products of tensors in registers.
//!
//! Which registers are multiplied follows from the linear layouts of both operands and the result (`plan`), so that any `kWidth`, number of
//! warps, batch and tile size goes one way. Results with a `#ttg.nvidia_mma` layout are computed by `mma.sync` (`mma`, on words that
//! `form` makes of the operands), all others by multiply-add (`fma`). `wgmma` reads shared memory instead and is another operation.

mod fma;
mod form;
mod mma;
mod plan;

use crate::code::Reg;
use crate::emit::{Emitter, Registers};
use plan::Held;
use tk_diag::Result;
use tk_ir::ops::{DotOp, InputPrecision};
use tk_ir::{Op, Value};
use tk_layout::Encoding;
use tk_types::ScalarType;

/// `tt.dot`.
pub(super) fn emit_dot<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let dot = DotOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no matrix product"))?;
    let result = emitter.tensor(dot.result().ty())?;
    let uses_mma = match &*result.encoding {
        Encoding::NvidiaMma(mma) if mma.version_major == 2 => true,
        Encoding::NvidiaMma(mma) => {
            return Err(emitter.bug(op, format!("`mma.sync` gives no accumulators of version {}", mma.version_major)));
        }
        Encoding::Blocked(_) | Encoding::Slice(_) | Encoding::DotOp(_) | Encoding::Linear(_) => false,
        Encoding::SwizzledShared(_)
        | Encoding::NvmmaShared(_)
        | Encoding::PaddedShared(_)
        | Encoding::SharedLinear(_) => return Err(emitter.bug(op, "its result has a layout of shared memory")),
    };
    let registers = if uses_mma {
        mma::emit(emitter, dot)?
    } else {
        emitter.note_scalar_dot(op, reason_for_multiply_add(dot));
        fma::emit(emitter, dot)?
    };
    emitter.define(dot.result(), Registers::from(registers));
    Ok(())
}

/// Why tensor cores do not compute a dot.
fn reason_for_multiply_add(dot: DotOp<'_>) -> &'static str {
    let is_single = |value: Value<'_>| value.ty().element().float() == Some(ScalarType::F32);
    if is_single(dot.a()) && dot.input_precision() == InputPrecision::Ieee {
        "the dot is asked for in full f32"
    } else {
        "`mma.sync` does not multiply these types"
    }
}

/// What one thread holds of the two operands and the result, and where.
struct Tensors {
    left: Side,
    right: Side,
    result: Side,
}

/// One of them: where its registers lie, and what they are.
struct Side {
    held: Held,
    values: Vec<Reg>,
}

impl Tensors {
    fn of<'c>(emitter: &mut Emitter<'c, '_>, dot: DotOp<'c>) -> Result<Self> {
        let mut sides = Vec::with_capacity(3);
        for value in [dot.a(), dot.b(), dot.c()] {
            let tensor = emitter.tensor(value.ty())?;
            let held = Held::of(&tensor.layout, &tensor.shape).map_err(|why| emitter.bug(dot.op, why))?;
            sides.push(Side { held, values: emitter.registers(value)?.to_vec(tensor.registers) });
        }
        let sides: Result<[_; 3], _> = sides.try_into();
        let [left, right, result] = sides.map_err(|_| emitter.bug(dot.op, "it has not three operands"))?;
        Ok(Self { left, right, result })
    }
}
