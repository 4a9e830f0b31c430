//! Deletes conversions between layouts by letting the layouts that matter spread over everything that does not care.
//!
//! Loads, stores and matrix products have layouts worth keeping ("anchors"); arithmetic does not care. After `coalesce` and
//! `accelerate-matmul` every anchor sits between conversions. This pass
//! 1. propagates the layouts of anchors forward through arithmetic, loops and branches ([`forward`]),
//! 2. recomputes the producers of what is still converted in the wanted layout, when that is cheaper than the conversion, or moves the
//!    conversion to where it has fewer bytes to move ([`backward`]); what other conversions to that layout need, too, counts once
//!    ([`converted_together`]), what shared memory has for another product is read for half ([`read_again`]), and an operand that several
//!    warps read is not computed by each of them where that takes more than it saves, nor are functions of rows for more rows of a thread, so that a
//!    block is converted while its elements are narrow ([`price`]); what a branch stores that few iterations of its loop take is converted there, if it
//!    would be computed once more in all of them ([`seldom`]),
//! 3. lets small stores in loops keep the layout of what they store ([`stores_of_rows`]),
//! 4. folds what is left ([`fold`]) and deletes what nothing uses.
//!
//! Rows that `optimize-dot-operands` converts later are loaded in the layout of the product that they are for ([`loaded_rows`]).
//!
//! The idea is Triton's; the cost model also knows loops, and moving a conversion over a cast or a broadcast is a case of step 2.

mod backward;
mod conversion_costs;
mod converted_together;
mod fold;
mod forward;
pub(crate) mod loaded_rows;
mod made;
mod price;
mod read_again;
mod reduced_behind;
mod repeated_results;
mod scans;
mod seldom;
mod settle;
pub(crate) mod store_in_layout;
mod stores_of_rows;

use crate::analysis::async_loads::is_copied_ahead;
use crate::analysis::{AxisFacts, axis_info};
use crate::attributes::Threads;
use crate::control_flow::{loop_depth, remove_dead};
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
use std::cell::OnceCell;
use tk_diag::Result;
use tk_ir::{Attribute, Module, Op, OpKind};
use tk_layout::Encoding;
use tk_target::WARPS_PER_GROUP;

/// The pass.
pub const PASS: Pass = Pass { name: "remove-layout-conversions", summary: "delete conversions between layouts", run };

/// The version of the layouts of `wgmma`.
const WGMMA: u32 = 3;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    for function in module.functions() {
        fold::run(function);
        forward::run(function, &Costs::of(function, threads, cx));
        fold::run(function);
        remove_dead(function);
        // What the first round moves may let the second delete more; two rounds are what kernels need.
        for _ in 0..2 {
            if !backward::run(function, &Costs::of(function, threads, cx)) {
                break;
            }
            fold::run(function);
            remove_dead(function);
        }
        if stores_of_rows::run(function, threads) {
            fold::run(function);
            remove_dead(function);
        }
    }
    Ok(())
}

/// What is known when layouts are chosen.
struct Costs<'a, 'c> {
    threads: Threads,
    function: Op<'c>,
    facts: OnceCell<AxisFacts>,
    cx: &'a PassContext,
    rows: Rows,
}

/// Which loads of rows may be made in another layout, as far as their size says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// Those of fewer elements than threads ([`Costs::is_expensive_access`]).
    Small,
    /// All, since somebody counts the instructions ([`loaded_rows`]).
    OfAnySize,
}

impl<'a, 'c> Costs<'a, 'c> {
    fn of(function: Op<'c>, threads: Threads, cx: &'a PassContext) -> Self {
        Self { threads, function, facts: OnceCell::new(), cx, rows: Rows::Small }
    }

    /// An access to global memory whose layout decides its speed: at least one element per thread. Smaller ones are in every cache
    /// and may be repeated; so may those that read few addresses, each for many elements, but blocks that are copied ahead: a copy takes as many
    /// instructions as its layout makes it, whatever it reads.
    fn is_expensive_access(&self, op: Op<'_>) -> bool {
        let most = i64::from(self.threads.total());
        matches!(op.kind(), OpKind::TtLoad | OpKind::TtStore) && {
            let ty = op.operand(0).ty();
            let is_large = ty.num_elements() > 1 && ty.num_elements() >= most;
            let is_block = || ty.shape().iter().filter(|size| **size > 1).count() > 1;
            is_large && (self.addresses(op) >= most || is_block() && self.is_copied_ahead(op))
        }
    }

    /// A load in a loop of a number for each row or column of a product by several warp groups, at most one for each thread. Where it is converted to the
    /// product's `layout`, the groups meet in every iteration.
    fn keeps_groups_apart(&self, op: Op<'_>, layout: Attribute<'_>) -> bool {
        let ty = op.operand(0).ty();
        let is_row =
            op.kind() == OpKind::TtLoad && ty.rank() == 1 && ty.num_elements() <= i64::from(self.threads.total());
        let is_wgmma = |layout: &Encoding| matches!(layout, Encoding::NvidiaMma(mma) if mma.version_major == WGMMA);
        let is_of_product = layout
            .encoding()
            .is_some_and(|layout| matches!(&*layout, Encoding::Slice(slice) if is_wgmma(&slice.parent)));
        is_row && is_of_product && self.threads.num_warps > WARPS_PER_GROUP && loop_depth(op) > 0
    }

    /// A load that becomes an asynchronous copy of its loop.
    fn is_copied_ahead(&self, op: Op<'_>) -> bool {
        is_copied_ahead(op, || self.axis_facts(), self.cx)
    }

    fn axis_facts(&self) -> &AxisFacts {
        self.facts.get_or_init(|| axis_info(self.function))
    }

    /// Different addresses that a load reads, as far as is known.
    fn addresses(&self, op: Op<'_>) -> i64 {
        let ty = op.operand(0).ty();
        if op.kind() != OpKind::TtLoad || !ty.is_tensor() {
            return ty.num_elements();
        }
        let facts = self.axis_facts().get(op.operand(0));
        let along = |(size, run): (i64, &u64)| size / size.min(i64::try_from(*run).unwrap_or(size)).max(1);
        ty.shape().into_iter().zip(&facts.constancy).map(along).product()
    }
}
