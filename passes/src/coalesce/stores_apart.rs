//! Loops that store elements which lie apart: `out[i * T + t]` of one axis in a loop over `t`.
//!
//! Such a store has one element per thread, and so have the loads of the loop. What the loop carries is loaded before it and stored behind it, where
//! neighbors lie side by side: with the widths of these accesses, the loads of the loop would have several elements per thread, each of their
//! instructions would touch several times the sectors, and every iteration would convert what it stores.
//!
//! Where no access that is as deep in loops is wide, all accesses that share a layout with such a store have one element per thread. Wide accesses that
//! are in fewer loops become narrow, which the loop pays for.

use super::{Agreement, GlobalAccess};
use crate::analysis::AxisFacts;
use crate::analysis::strides::usual_stride_along;
use crate::operations::control::is_loop;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::{Op, OpKind};

/// The stores in loops whose neighbors are known to be apart, by identity.
pub(super) fn apart_in_loops(accesses: &[GlobalAccess<'_>], facts: &AxisFacts) -> FxHashSet<usize> {
    accesses.iter().filter(|access| is_store_apart(access, facts)).map(|access| access.op.id()).collect()
}

/// An axis of one element beside the one that is long says nothing; in a block of two, other axes may lie side by side.
fn is_store_apart(access: &GlobalAccess<'_>, facts: &AxisFacts) -> bool {
    let axis = access.order[0] as usize;
    let is_vector = access.shape.iter().enumerate().all(|(other, length)| (other == axis) == (*length > 1));
    access.op.kind() == OpKind::TtStore
        && access.width == 1
        && is_vector
        && loops_around(access.op) > 0
        && usual_stride_along(access.op.operand(0), axis, facts).is_some_and(|stride| stride.unsigned_abs() > 1)
}

fn loops_around(op: Op<'_>) -> usize {
    op.ancestors().filter(|op| is_loop(*op)).count()
}

/// In how many loops the accesses are that agree, those of the most.
pub(super) struct LoopDepths<'a> {
    apart: FxHashMap<Agreement<'a>, usize>,
    wide: FxHashMap<Agreement<'a>, usize>,
}

impl<'a> LoopDepths<'a> {
    /// Of stores, which `apart` has by identity, and of accesses of several neighbors.
    pub(super) fn of(accesses: &'a [GlobalAccess<'_>], apart: &FxHashSet<usize>) -> Self {
        let mut depths = Self { apart: FxHashMap::default(), wide: FxHashMap::default() };
        if apart.is_empty() {
            return depths;
        }
        for access in accesses {
            let is_apart = apart.contains(&access.op.id());
            if !is_apart && access.width == 1 {
                continue;
            }
            let deepest = if is_apart { &mut depths.apart } else { &mut depths.wide };
            let depth = deepest.entry(access.agreement(access.component)).or_default();
            *depth = (*depth).max(loops_around(access.op));
        }
        depths
    }

    /// Whether what agrees so, together, has a store apart in more loops than anything wide.
    pub(super) fn are_narrow(&self, agreements: impl Iterator<Item = Agreement<'a>>) -> bool {
        let (mut apart, mut wide) = (None, None);
        for agreement in agreements {
            apart = apart.max(self.apart.get(&agreement));
            wide = wide.max(self.wide.get(&agreement));
        }
        apart > wide
    }
}
