//! Loops that store elements which lie apart: `out[i * T + t]` of one axis in a loop over `t`.
//!
//! Such a store has one element per thread, and so have the loads of the loop. What the loop carries is loaded before it and stored behind it, where
//! neighbors lie side by side: with the widths of these accesses, the loads of the loop would have several elements per thread, each of their
//! instructions would touch several times the sectors, and every iteration would convert what it stores.
//!
//! Where no access that is as deep in loops is wide, all accesses that share a layout with such a store have one element per thread. Wide accesses that
//! are in fewer loops become narrow, which the loop pays for.
//!
//! So it is with loads whose neighbors lie side by side but begin anywhere, as those of a convolution that takes `x[i + k]` in a loop over `k`: they move
//! an element at a time in any case. With the width of the store behind the loop lanes are 16 bytes apart, and each load of a warp takes four or
//! five lines of the L1 cache, where one element of each thread takes one or two. Loops of a known number of iterations are left out: those of a window are
//! written out, and then one place of each row is aligned, which brings most of what the others ask for. Those that load from places that they load are no
//! windows.

use super::{Agreement, GlobalAccess, WIDEST_BYTES};
use crate::analysis::AxisFacts;
use crate::analysis::axis_flow::unit_of;
use crate::analysis::iterations::known_iterations;
use crate::analysis::strides::usual_stride_along;
use crate::operations::control::is_loop;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind};

/// Accesses in loops that move one element of a thread at a time, by identity.
#[derive(Default)]
pub(super) struct Narrow {
    /// Stores whose neighbors are known to be apart.
    stores: FxHashSet<usize>,
    /// Loads whose neighbors lie side by side.
    loads: FxHashSet<usize>,
}

/// The accesses in loops that have one element of a thread each.
pub(super) fn narrow_in_loops(accesses: &[GlobalAccess<'_>], facts: &AxisFacts) -> Narrow {
    let mut narrow = Narrow::default();
    for access in accesses {
        let Some(stride) = stride_in_loop(access, facts) else { continue };
        if access.op.kind() == OpKind::TtStore && stride > 1 {
            narrow.stores.insert(access.op.id());
        } else if access.op.kind() == OpKind::TtLoad && stride == 1 && !may_be_written_out(access.op) {
            narrow.loads.insert(access.op.id());
        }
    }
    narrow
}

/// How far the neighbors of an access in a loop are apart, which moves one at a time. An axis of one element beside the one that is long says nothing; in a block
/// of two, other axes may lie side by side.
fn stride_in_loop(access: &GlobalAccess<'_>, facts: &AxisFacts) -> Option<u64> {
    let axis = access.order[0] as usize;
    let is_vector = access.shape.iter().enumerate().all(|(other, length)| (other == axis) == (*length > 1));
    let is_narrow = access.width == 1 && is_vector && loops_around(access.op) > 0;
    let stride = if is_narrow { usual_stride_along(access.op.operand(0), axis, facts) } else { None };
    stride.map(i64::unsigned_abs)
}

/// The innermost loop around an access runs as often as the program says. Three windows of pixels, whose loops are written out, have 0.80 to 0.91 of their
/// speed with one element of each thread (docs/measurements.md, "Loads that begin anywhere have lanes side by side").
fn may_be_written_out(access: Op<'_>) -> bool {
    let innermost = access.ancestors().find(|op| is_loop(*op));
    innermost.and_then(ForOp::cast).is_some_and(|view| known_iterations(view).is_some() && !gathers(view))
}

/// The loop loads from places that it loads. That is no window, and its loop stays: sums over ten neighbours of each of 199 places have 0.82 to 0.95 of their speed
/// with several elements of each thread.
fn gathers(view: ForOp<'_>) -> bool {
    let ops = view.op.descendants();
    let mut loaded: FxHashSet<usize> = FxHashSet::default();
    // In program order what is computed of a load comes behind it.
    for op in &ops {
        let follows =
            op.operands().iter().any(|value| value.defining_op().is_some_and(|from| loaded.contains(&from.id())));
        let is_load = op.kind() == OpKind::TtLoad;
        if is_load && op.operand(0).defining_op().is_some_and(|from| loaded.contains(&from.id())) {
            return true;
        }
        if is_load || follows {
            loaded.insert(op.id());
        }
    }
    false
}

pub(super) fn loops_around(op: Op<'_>) -> usize {
    op.ancestors().filter(|op| is_loop(*op)).count()
}

/// Loads in loops whose neighbors lie side by side, but begin anywhere.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Across {
    loops: usize,
    element_bytes: u64,
}

/// In how many loops the accesses are that agree, those of the most.
pub(super) struct LoopDepths<'a> {
    apart: FxHashMap<Agreement<'a>, usize>,
    across: FxHashMap<Agreement<'a>, Across>,
    wide: FxHashMap<Agreement<'a>, usize>,
}

impl<'a> LoopDepths<'a> {
    /// Of narrow accesses, and of those of several neighbors.
    pub(super) fn of(accesses: &'a [GlobalAccess<'_>], narrow: &Narrow) -> Self {
        let mut depths = Self { apart: FxHashMap::default(), across: FxHashMap::default(), wide: FxHashMap::default() };
        if narrow.stores.is_empty() && narrow.loads.is_empty() {
            return depths;
        }
        for access in accesses {
            let loops = loops_around(access.op);
            let agreement = access.agreement(access.component);
            if narrow.loads.contains(&access.op.id()) {
                let deepest = depths.across.entry(agreement).or_default();
                *deepest = (*deepest).max(Across { loops, element_bytes: unit_of(access.op.operand(0).ty()) });
                continue;
            }
            let is_apart = narrow.stores.contains(&access.op.id());
            if is_apart || access.width > 1 {
                let deepest = if is_apart { &mut depths.apart } else { &mut depths.wide };
                let depth = deepest.entry(agreement).or_default();
                *depth = (*depth).max(loops);
            }
        }
        depths
    }

    /// Whether what agrees so, together, has a store apart in more loops than anything wide, or a load that would have 16 bytes in each thread with the width that
    /// they have agreed on.
    pub(super) fn are_narrow(&self, agreements: impl Iterator<Item = Agreement<'a>>, width: u32) -> bool {
        let (mut apart, mut across, mut wide) = (None, None, None);
        for agreement in agreements {
            apart = apart.max(self.apart.get(&agreement));
            across = across.max(self.across.get(&agreement));
            wide = wide.max(self.wide.get(&agreement));
        }
        let is_far =
            |across: &Across| Some(&across.loops) > wide && across.element_bytes * u64::from(width) >= WIDEST_BYTES;
        apart > wide || across.is_some_and(is_far)
    }
}
