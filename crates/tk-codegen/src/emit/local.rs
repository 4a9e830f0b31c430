//! Not emitted yet: shared memory that the program sees.

use super::Emitter;
use tk_diag::Result;
use tk_ir::Op;

/// `ttg.local_alloc`, `ttg.local_load`, `ttg.local_store`, `ttg.local_dealloc`.
pub(super) fn emit_local<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    Err(emitter.bug(op, "it is not emitted yet"))
}

/// Views of a buffer.
pub(super) fn emit_view<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    Err(emitter.bug(op, "it is not emitted yet"))
}
