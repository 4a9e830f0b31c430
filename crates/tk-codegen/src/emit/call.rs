//! `tt.call` and `tt.return`: functions that are kept apart from the kernel.
//!
//! Every register of every tensor is passed on its own, in the order of the arguments.

use super::{Emitter, machine_types};
use crate::code::Reg;
use tk_diag::Result;
use tk_ir::ops::CallOp;
use tk_ir::{Op, Value};

/// `tt.call`.
pub(super) fn emit_call<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let Some(call) = CallOp::cast(op) else { return Err(emitter.bug(op, "it is no call")) };
    let mut args = Vec::new();
    for value in op.operands() {
        args.extend(emitter.passed(value)?);
    }
    let mut types = Vec::new();
    for result in op.results() {
        types.extend(machine_types(result.ty())?);
    }
    let mut results = emitter.code.call_device(call.callee(), &args, &types)?.into_iter();
    op.results().into_iter().try_for_each(|result| emitter.receive(result, &mut results))
}

impl<'c> Emitter<'c, '_> {
    /// The registers of a value, one for each of its places.
    fn passed(&mut self, value: Value<'c>) -> Result<Vec<Reg>> {
        let count = self.register_count(value.ty())?;
        let registers = self.registers(value)?;
        Ok((0..count).map(|index| registers.get(index)).collect())
    }

    /// Says that a value is the next registers.
    pub(crate) fn receive(&mut self, value: Value<'c>, registers: &mut impl Iterator<Item = Reg>) -> Result<()> {
        let count = self.register_count(value.ty())?;
        let taken: Vec<Reg> = registers.take(count).collect();
        match (value.ty().is_tensor(), taken.first()) {
            (true, _) => self.define(value, taken.into()),
            (false, Some(one)) => self.define_scalar(value, *one),
            (false, None) => return Err(crate::code::bug("a call passes too few registers")),
        }
        Ok(())
    }

    /// `tt.return`.
    pub(crate) fn emit_return(&mut self, op: Op<'c>) -> Result<()> {
        let mut results = Vec::new();
        for value in op.operands() {
            results.extend(self.passed(value)?);
        }
        self.code.finish_with(&results)
    }
}
