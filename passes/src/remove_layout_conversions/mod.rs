//! Deletes conversions between layouts by letting the layouts that matter spread over everything that does not care.
//!
//! Loads, stores and matrix products have layouts worth keeping ("anchors"); arithmetic does not care. After `coalesce` and
//! `accelerate-matmul` every anchor sits between conversions. This pass
//! 1. propagates the layouts of anchors forward through arithmetic, loops and branches ([`forward`]),
//! 2. recomputes the producers of what is still converted in the wanted layout, when that is cheaper than the conversion, or moves the
//!    conversion to where it has fewer bytes to move ([`backward`]),
//! 3. folds what is left ([`fold`]) and deletes what nothing uses.
//!
//! The idea is Triton's; the cost model also knows loops, and moving a conversion over a cast or a broadcast is a case of step 2.

mod backward;
mod fold;
mod forward;

use crate::attributes::Threads;
use crate::control_flow::remove_dead;
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::{Module, Op, OpKind};

/// The pass.
pub const PASS: Pass = Pass { name: "remove-layout-conversions", summary: "delete conversions between layouts", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    for function in module.functions() {
        fold::run(function);
        forward::run(function, threads);
        fold::run(function);
        remove_dead(function);
        // What the first round moves may let the second delete more; two rounds are what kernels need.
        for _ in 0..2 {
            if !backward::run(function, threads) {
                break;
            }
            fold::run(function);
            remove_dead(function);
        }
    }
    Ok(())
}

/// An access to global memory whose layout decides its speed: at least one element per thread. Smaller ones are in every cache
/// and may be repeated.
fn is_expensive_access(op: Op<'_>, threads: Threads) -> bool {
    matches!(op.kind(), OpKind::TtLoad | OpKind::TtStore) && {
        let elements = op.operand(0).ty().num_elements();
        elements > 1 && elements >= i64::from(threads.total())
    }
}
