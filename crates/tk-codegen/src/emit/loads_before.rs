//! Loads that ptxas leaves where they are.

use crate::code::Code;
use tk_diag::Result;
use tk_ir::Op;
use tk_ir::attributes::BEHIND_LOADS;

/// Loads that stand before the writes of `op`, or before `op` that is a load, stay there, when a pass says so.
pub(super) fn keep_loads_before(code: &mut Code<'_>, op: Op<'_>) -> Result<()> {
    match op.attr(BEHIND_LOADS) {
        Some(_) => code.warp_barrier(),
        None => Ok(()),
    }
}
