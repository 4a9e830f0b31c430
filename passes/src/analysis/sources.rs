//! What a value is computed from: programs and loops for which it differs, as far as that can be.

use crate::control_flow::flows_from;
use rustc_hash::FxHashSet;
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind, Value};

/// Values that an address is computed from, at most; one of more is not looked at.
const MOST_VALUES: usize = 4096;

/// What a value is computed from.
#[derive(Default)]
pub(crate) struct Sources {
    /// Axes of the grid along which a number of the program is among it.
    pub(crate) axes: FxHashSet<i64>,
    /// Loops whose counters, or what they carry, are among it.
    pub(crate) loops: FxHashSet<usize>,
}

impl Sources {
    /// `None` of a value that is computed from more than [`MOST_VALUES`].
    pub(crate) fn of(value: Value<'_>) -> Option<Self> {
        let (mut sources, mut seen, mut pending) = (Self::default(), FxHashSet::default(), vec![value]);
        while let Some(value) = pending.pop() {
            if !seen.insert(value.id()) {
                continue;
            }
            if seen.len() > MOST_VALUES {
                return None;
            }
            if let Some(around) = value.block_argument().and_then(|(block, _)| block.parent_op()) {
                sources.loops.insert(around.id());
                pending.extend(ForOp::cast(around).map(|view| view.lower_bound()));
            }
            pending.extend(flows_from(value).unwrap_or_default());
            let Some(op) = value.defining_op() else { continue };
            sources.axes.extend(program_axis(op));
            pending.extend(op.operands());
        }
        Some(sources)
    }
}

/// The axis of a number of the program.
pub(crate) fn program_axis(op: Op<'_>) -> Option<i64> {
    (op.kind() == OpKind::TtGetProgramId).then(|| op.int_attr("axis")).flatten()
}
