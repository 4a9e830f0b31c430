//! Copies what the products of a chain read, while the products before are computed.
//!
//! A chain multiplies what its last product gave by the next block: filters and their readouts, parts of a state. Each block is read once, and code outside
//! of loops has no pipeline, so threads load the next block, wait for it, and write it to shared memory between two products. CTAs do that at about
//! the same time, and memory and tensor cores take turns.
//!
//! Copied one product early, a block comes while threads write the result of the product before last and multiply it. Such a copy is started where
//! the buffers of that product are free, so that there are never more than three blocks: the two that are multiplied, and the one that comes. The
//! first one is copied beside the loads of the first product.
//!
//! On an H200 a chain of four products of 64x64 f32 in 1,536 CTAs takes 0.92 of its time so, although four CTAs share a multiprocessor where six did;
//! loads into registers at other places, and prefetches into the L2 cache, gained nothing
//! ([measurements](../../../docs/measurements.md#blocks-of-a-chain-of-products-are-copied-one-product-early)).
//!
//! True for functions without other copies, for products outside of loops that are finished before the next one starts. They multiply what is computed
//! from the result of the last one by a block that is loaded for them alone, and at least two of them do. A loop with products counts as one product. As
//! many warps stay on a multiprocessor as the four CTAs have that were timed ([`ENOUGH_WARPS`]).
//!
//! 1. List the products of the body.  2. Find those whose blocks can be copied, and where.  3. Ask for room.  4. Copy, and wait before each product.

use super::{Known, Operand, copy, is_of_copies, lets_copies_pass, wait_before, with_operands};
use crate::PassContext;
use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::axis_info;
use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::shared_buffers::Points;
use crate::analysis::shared_room::SharedRoom;
use crate::hoist_unchanged_loads::leaves_memory_alone;
use crate::operations::is_dot;
use crate::operations::memory::{GlobalMemory, global_memory};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{LoadOp, WarpGroupDotOp};
use tk_ir::{Block, Op, OpKind, Value};

/// Products that read copied blocks, at least. The load of a single one is issued early enough by `hoist-loads`.
const LEAST_LINKS: usize = 2;
/// Warps that share a multiprocessor with the buffers of the copies, at least: others multiply while some wait.
const ENOUGH_WARPS: u32 = 16;

/// Copies along the chain of products of the function's body, if there is one.
pub(super) fn copy_along_chain<'c>(function: Op<'c>, num_warps: u32, cx: &PassContext) -> Result<()> {
    let Some(body) = function.region(0).first_block().filter(|_| !copies_otherwise(function)) else { return Ok(()) };
    let Some(chain) = Chain::of(body).filter(|chain| chain.products.len() > LEAST_LINKS) else { return Ok(()) };
    let known = Known { facts: axis_info(function), writes: GlobalWrites::of(function), cx };
    let links = chain.links(&known);
    if links.len() >= LEAST_LINKS && have_room(&links, function, num_warps, cx)? {
        apply(body, links);
    }
    Ok(())
}

/// Something in the function is copied already, or is loaded or stored by descriptors: groups of copies would mix, or there is a pipeline.
fn copies_otherwise(function: Op<'_>) -> bool {
    let is_by_descriptor =
        |op: &Op<'_>| matches!(global_memory(op.kind()), GlobalMemory::Block(_) | GlobalMemory::Copy(_));
    function.descendants().into_iter().any(|op| is_of_copies(op) || is_by_descriptor(&op))
}

/// Operations of a body that multiply, in order; each has finished its products when the next operation starts.
struct Chain<'c> {
    body: Block<'c>,
    products: Vec<Op<'c>>,
}

impl<'c> Chain<'c> {
    fn of(body: Block<'c>) -> Option<Self> {
        let multiplies = |op: &Op<'c>| op.descendants().into_iter().any(is_dot);
        let products: Vec<Op<'c>> = body.ops().into_iter().filter(multiplies).collect();
        products.iter().all(|op| finishes_products(*op)).then_some(Self { body, products })
    }

    /// The products that read a block which can be copied.
    fn links(&self, known: &Known<'_>) -> Vec<Link<'c>> {
        let with_last = self.products.iter().enumerate().skip(1);
        let links = with_last.filter_map(|(index, product)| {
            let last = self.products[index - 1];
            let place = match index.checked_sub(2) {
                Some(before_last) => self.products[before_last],
                None => self.last_load_before(last)?,
            };
            self.link(*product, last, place, known)
        });
        links.collect()
    }

    /// The last load before the first product.
    fn last_load_before(&self, product: Op<'c>) -> Option<Op<'c>> {
        let before = self.body.ops().into_iter().take_while(|op| *op != product);
        before.filter(|op| op.kind() == OpKind::TtLoad).last()
    }

    /// The block of a product whose other operand is computed from the `last` one, if it can be copied at `place`.
    fn link(&self, product: Op<'c>, last: Op<'c>, place: Op<'c>, known: &Known<'_>) -> Option<Link<'c>> {
        let dot = WarpGroupDotOp::cast(product)?;
        let operand_of = |block: Value<'c>, other: Value<'c>| {
            let load = block.defining_op()?.operands().first()?.defining_op().and_then(LoadOp::cast)?;
            let operand = Operand::of(load, self.body, known)?;
            let is_alone = operand.products.len() == 1 && operand.alloc.result(0) == block;
            (is_alone && self.is_computed_from(other, last)).then_some(operand)
        };
        let operand = operand_of(dot.a(), dot.b()).or_else(|| operand_of(dot.b(), dot.a()))?;
        let load = operand.load.op;
        let between = std::iter::successors(place.next(), |op| op.next()).take_while(|op| *op != load);
        let is_behind = load.block() == Some(self.body) && place.is_before_in_block(load);
        let can_move = is_behind && between.into_iter().all(may_pass) && !operand.load.is_volatile();
        with_operands(self.body, vec![load], place).filter(|_| can_move)?;
        Some(Link { product, place, operand })
    }

    /// The operations behind `last` that compute the value need its result.
    fn is_computed_from(&self, value: Value<'c>, last: Op<'c>) -> bool {
        let (mut pending, mut seen) = (vec![value], FxHashSet::default());
        while let Some(value) = pending.pop() {
            let Some(op) = value.defining_op().filter(|op| op.block() == Some(self.body)) else { continue };
            if op == last {
                return true;
            }
            if last.is_before_in_block(op) && seen.insert(op.id()) {
                pending.extend(op.operands());
            }
        }
        false
    }
}

/// A product of the chain, and the block that is copied for it.
struct Link<'c> {
    product: Op<'c>,
    /// The copy starts behind it.
    place: Op<'c>,
    operand: Operand<'c>,
}

/// All products in `op` are by `wgmma`, and over when the operation behind it starts.
fn finishes_products(op: Op<'_>) -> bool {
    let inside = op.descendants();
    let is_of_products = |op: &&Op<'_>| is_dot(**op) || op.kind() == OpKind::TtngWarpGroupDotWait;
    let are_by_groups = inside.iter().all(|op| op.kind() != OpKind::TtDot);
    let waits = |last: &Op<'_>| match WarpGroupDotOp::cast(*last) {
        Some(dot) => dot.op.int_attr("isAsync").is_none_or(|is_async| is_async == 0),
        None => last.int_attr("pendings") == Some(0),
    };
    let is_branch = inside.iter().any(|op| matches!(op.kind(), OpKind::ScfIf | OpKind::ScfWhile));
    are_by_groups && !is_branch && inside.iter().rev().find(is_of_products).is_some_and(waits)
}

/// A block may be loaded before the operation instead of behind it.
fn may_pass(op: Op<'_>) -> bool {
    match op.kind() == OpKind::ScfFor {
        true => op.descendants().into_iter().all(|inner| inner.kind() != OpKind::TtCall) && leaves_memory_alone(op),
        false => lets_copies_pass(op),
    }
}

/// With the buffers from the copies on, enough warps share a multiprocessor.
fn have_room(links: &[Link<'_>], function: Op<'_>, num_warps: u32, cx: &PassContext) -> Result<bool> {
    let points = Points::of(function);
    let mut buffers = buffers_of_module(function)?;
    for buffer in &mut buffers {
        if let Some(link) = links.iter().find(|link| link.operand.alloc == buffer.op) {
            let start = points.range(link.place).end().saturating_add(1);
            buffer.live = start.min(*buffer.live.start())..=*buffer.live.end();
        }
    }
    Ok(SharedRoom::of(function, num_warps, cx).leaves_warps(total_bytes(&buffers), ENOUGH_WARPS))
}

/// Copies each block at its place, and waits for it before its product: not for what is copied between.
fn apply<'c>(body: Block<'c>, links: Vec<Link<'c>>) {
    let started_before = |link: &Link<'c>, next: &Link<'c>| next.place.is_before_in_block(link.product);
    let pending: Vec<usize> = links
        .iter()
        .enumerate()
        .map(|(index, link)| links[index + 1..].iter().filter(|next| started_before(link, next)).count())
        .collect();
    for (link, pending) in links.into_iter().zip(pending) {
        let Some(moved) = with_operands(body, vec![link.operand.load.op], link.place) else { continue };
        let mut last = link.place;
        for op in moved {
            op.move_after(last);
            last = op;
        }
        let group = copy(&link.operand);
        wait_before(link.product, &[group.result(0)], pending);
    }
}
