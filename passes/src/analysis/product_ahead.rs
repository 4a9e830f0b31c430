//! Which product of a loop is issued one iteration before its result is needed, so that tensor cores work while threads compute on the result of the
//! iteration before.
//!
//! That is for products by `wgmma` which start at zero and on whose result the iteration computes: blocks that are scaled and added. Product `i + 1`
//! is issued in iteration `i`, behind the first operations on product `i`: these read its registers, and the next product fills the same ones. What
//! else the iteration computes comes while it runs.
//!
//! The product has to be the only one of the loop. It may read nothing that the iteration computes: blocks that TMA copies ahead, and what does
//! not change in the loop. And there have to be registers for its result beside everything that lives while it runs.

use super::live_registers::{LiveRegisters, most_over_dots, registers};
use crate::tma_lowering::{block_buffer, reads_in_place};
use rustc_hash::FxHashSet;
use tk_ir::ops::{DescriptorLoadOp, ForOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind, Type, Value};

/// The product of a loop that can be issued ahead; a thread can have `budget` registers.
pub(crate) fn product_ahead<'c>(function: Op<'c>, view: ForOp<'c>, budget: u32) -> Option<WarpGroupDotOp<'c>> {
    let all: Vec<Op<'c>> =
        view.op.descendants().into_iter().filter(|op| op.kind() == OpKind::TtngWarpGroupDot).collect();
    let [only] = all[..] else { return None };
    let dot = WarpGroupDotOp::cast(only).filter(|dot| dot.op.block() == Some(view.body()))?;
    let readers = readers_of(view, dot)?;
    let reads_ahead = [dot.a(), dot.b()].into_iter().all(|operand| is_copied_ahead_or_fixed(view, dot, operand));
    let starts_at_zero = dot.use_c().is_none() && super::async_loads::is_zero(dot.c());
    let can_run_on = !dot.is_async() && dot.terms_of_partial_sums().is_none();
    let qualifies = reads_ahead && starts_at_zero && can_run_on;
    (qualifies && has_room(function, view, dot, &readers, budget)).then_some(dot)
}

/// What reads the registers of a product that is issued ahead, in the next iteration and before the next product fills them, and what that is computed
/// from, in order. `None` where it is more than arithmetic on registers.
pub(crate) fn readers_of<'c>(view: ForOp<'c>, dot: WarpGroupDotOp<'c>) -> Option<Vec<Op<'c>>> {
    let body = view.body();
    let mut pending: Vec<Op<'c>> = dot.op.result(0).users().into_iter().map(|(user, _)| user).collect();
    if pending.iter().any(|user| user.block() != Some(body)) {
        return None;
    }
    let mut found = FxHashSet::default();
    while let Some(op) = pending.pop() {
        if op.block() != Some(body) || op == dot.op || !found.insert(op.id()) {
            continue;
        }
        let operands = op.descendants().into_iter().chain([op]).flat_map(|inner| inner.operands());
        pending.extend(operands.filter_map(|value| value.defining_op()));
    }
    let readers: Vec<Op<'c>> = body.ops().into_iter().filter(|op| found.contains(&op.id())).collect();
    readers.iter().all(|op| is_on_registers(*op)).then_some(readers)
}

/// Arithmetic on registers, or a load of rows or columns into them.
fn is_on_registers(op: Op<'_>) -> bool {
    let changes_layout = op.kind() == OpKind::TtgConvertLayout;
    let has_memory = op.operands().into_iter().chain(op.results()).any(|value| value.ty().is_memdesc());
    let is_end = op.kind() == OpKind::ScfYield;
    is_row_load(op) || op.is_memory_effect_free() && !changes_layout && !has_memory && !is_end
}

/// A load of a number for each row or column through pointers.
pub(crate) fn is_row_load(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtLoad && op.results().iter().all(|result| is_row(result.ty()))
}

/// A number for each row, or each column, of a block.
pub(crate) fn is_row(ty: Type<'_>) -> bool {
    ty.shape().iter().filter(|length| **length > 1).count() <= 1
}

/// What a product reads is a block that TMA copies to where it reads it, and nobody else, or does not change in the loop.
fn is_copied_ahead_or_fixed<'c>(view: ForOp<'c>, dot: WarpGroupDotOp<'c>, operand: Value<'c>) -> bool {
    let Some(made) = operand.defining_op() else {
        return operand
            .parent_block()
            .and_then(|block| block.parent_op())
            .is_some_and(|owner| !view.op.contains(owner));
    };
    if !view.op.contains(made) {
        return true;
    }
    let mut reader = dot.op;
    let mut op = made;
    loop {
        let is_only_reader =
            op.block() == Some(view.body()) && op.result(0).users().iter().all(|(user, _)| *user == reader);
        let source = op.operands().first().and_then(|value| value.defining_op());
        match (op.kind(), source) {
            (OpKind::TtgMemDescTrans, Some(source)) if is_only_reader => (reader, op) = (op, source),
            (OpKind::TtgLocalAlloc, Some(source)) if is_only_reader => {
                let load = DescriptorLoadOp::cast(source).filter(|load| load.op.block() == Some(view.body()));
                let buffer = load.and_then(|load| block_buffer(load.desc(), load.result().ty(), true).ok());
                return buffer.is_some_and(|buffer| reads_in_place(op, buffer))
                    && source.result(0).users().iter().all(|(user, _)| *user == op);
            }
            (_, _) => return false,
        }
    }
}

/// While a product runs that is issued ahead, its registers are taken beside those of everything else.
fn has_room<'c>(function: Op<'c>, view: ForOp<'c>, dot: WarpGroupDotOp<'c>, readers: &[Op<'c>], budget: u32) -> bool {
    let live = LiveRegisters::of_floats_once(function);
    let most = most_over_dots(view.body(), budget);
    let next = registers(dot.op.result(0).ty());
    view.body().ops().into_iter().filter(|op| *op != dot.op).all(|op| {
        let beside = if readers.contains(&op) { 0 } else { next };
        live.at(op).saturating_sub(in_place(op)) + beside <= most
    })
}

/// Registers of the result of elementwise arithmetic: it may take those of an operand.
pub(crate) fn in_place(op: Op<'_>) -> u32 {
    let [result] = op.results()[..] else { return 0 };
    let is_like_result = |operand: &Value<'_>| {
        operand.ty().is_tensor() && operand.ty().shape() == result.ty().shape() && operand.ty().element().is_float()
    };
    if crate::operations::is_dot(op) || !result.ty().is_tensor() {
        return 0;
    }
    let operands = op.operands().into_iter().filter(is_like_result).map(|operand| registers(operand.ty()));
    operands.max().unwrap_or(0).min(registers(result.ty()))
}
