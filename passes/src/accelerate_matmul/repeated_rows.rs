//! First products of chains whose rows several groups of warps compute, each for itself.
//!
//! Where a tile has fewer rows than `wgmma` deals out to all warps, groups of warps share its columns. A row of scores is then in several groups:
//! its maximum, its sum and what the second product takes as its left operand go through shared memory, each with barriers. If every group
//! computes whole rows instead, nothing goes from group to group. The second product still shares out its own columns: each of its groups
//! reads whole rows of the left operand, and has them in registers.
//!
//! That costs work of the tensor cores, and all that is done to the scores is done again. It pays for small tiles that are computed once; in a
//! loop it would double both in each iteration.

use super::mma::passes_elements;
use super::{fed_operands, target, wgmma_terms};
use crate::attributes::Threads;
use crate::operations::control::is_loop;
use rustc_hash::FxHashSet;
use tk_ir::ops::{DotOp, ReduceOp};
use tk_ir::{Op, OpKind};

/// Rows of a warp.
const ROWS: i64 = 16;
/// The most elements that are computed again: those of a block of 64x64 by a second group, which was measured.
const MOST_REPEATED: i64 = 64 * 64;
/// The most bits of a row of the left operand: the tensor cores multiply those elements by 128 terms of 16 bits in 256 cycles.
const MOST_BITS_OF_ROW: i64 = 128 * 16;

/// Whether all groups of warps should compute the rows of a product that `wgmma` computes.
pub(super) fn pays(dot: DotOp<'_>, threads: Threads) -> bool {
    is_little(dot, threads.num_warps) && !dot.op.ancestors().any(is_loop) && feeds_left_operands(dot, threads)
}

/// There are more groups than the rows need, and what they repeat is little.
fn is_little(dot: DotOp<'_>, num_warps: u32) -> bool {
    let (result, left) = (dot.result().ty().shape(), dot.a().ty());
    let ([rows, columns], [_, terms]) = (&result[..], &left.shape()[..]) else { return false };
    let repeated = (ROWS * i64::from(num_warps) - rows) * columns;
    (1..=MOST_REPEATED).contains(&repeated) && terms * i64::from(left.element_bits()) <= MOST_BITS_OF_ROW
}

/// Rows are reduced, and each product that is computed from the result takes it element by element as its left operand, by `wgmma`. Without
/// reductions one barrier is saved, which is less than it costs; a right operand or a transposed one goes through shared memory anyway.
fn feeds_left_operands<'c>(dot: DotOp<'c>, threads: Threads) -> bool {
    let (fed, uses) = (fed_operands(dot), uses_by_elements(dot));
    let are_rows_reduced = uses.iter().any(|(user, _)| ReduceOp::cast(*user).is_some_and(|view| view.axis() == 1));
    let takes_rows =
        |(other, operand): &(Op<'c>, usize)| *operand == 0 && uses.contains(&(*other, 0)) && is_wgmma(*other, threads);
    are_rows_reduced && !fed.is_empty() && fed.iter().all(takes_rows)
}

/// The uses of the result and of all that is computed from it element by element, each with the number of the operand.
fn uses_by_elements(dot: DotOp<'_>) -> Vec<(Op<'_>, usize)> {
    let (mut seen, mut pending, mut uses) = (FxHashSet::default(), vec![dot.op], Vec::new());
    while let Some(op) = pending.pop() {
        for (user, operand) in op.results().into_iter().flat_map(|result| result.users()) {
            uses.push((user, operand));
            let next = target(user, operand);
            if keeps_places(next, operand) && seen.insert(next.id()) {
                pending.push(next);
            }
        }
    }
    uses
}

/// What is computed has each element where the operand has it. A product adds to elements at their places, and a branch passes them on.
fn keeps_places(op: Op<'_>, operand: usize) -> bool {
    let kind = op.kind();
    let adds = kind == OpKind::TtDot && operand == 2;
    let is_other = matches!(kind, OpKind::TtDot | OpKind::TtTrans);
    adds || kind == OpKind::ScfIf || !is_other && passes_elements(op)
}

fn is_wgmma(op: Op<'_>, threads: Threads) -> bool {
    let is_wide = |dot: &DotOp<'_>| dot.result().ty().shape().last().is_some_and(|columns| columns % 8 == 0);
    DotOp::cast(op).filter(is_wide).is_some_and(|dot| wgmma_terms(dot, threads).is_some())
}
