//! Not emitted yet: assertions and prints.

use super::Emitter;
use tk_diag::Result;
use tk_ir::Op;

/// The entry of this family.
pub(super) fn emit_debug<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    Err(emitter.bug(op, "it is not emitted yet"))
}
