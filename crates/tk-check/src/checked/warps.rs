//! Whether a kernel says something of its threads, so that it means something else with another number of them.

use super::{Block, Kernel, OpKind};

impl Kernel {
    /// Inline assembly may say anything, each thread may print, and loops whose warps have roles are counted by their author.
    pub fn depends_on_warps(&self) -> bool {
        self.body.depends_on_warps() || self.functions.iter().any(|function| function.body.depends_on_warps())
    }
}

impl Block {
    fn depends_on_warps(&self) -> bool {
        self.ops.iter().any(|op| says_threads(&op.kind) || op.blocks.iter().any(Self::depends_on_warps))
    }
}

fn says_threads(kind: &OpKind) -> bool {
    if let OpKind::For(hints) | OpKind::While(hints) = kind {
        return hints.warp_specialize;
    }
    matches!(kind, OpKind::InlineAsm { .. } | OpKind::Print { .. })
}
