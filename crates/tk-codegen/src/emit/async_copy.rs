//! `ttg.async_copy_global_to_local` and its groups: copies from global to shared memory that pass no registers (`cp.async`).
//!
//! The layouts of the pointers and of the buffer say which elements of a thread are neighbours in both memories; each such run of
//! 4, 8 or 16 bytes is one instruction. Masked-off runs are filled with zeros by a source size of 0. What is narrower than
//! 4 bytes is loaded and stored, which is in time as well: the wait that follows is for at least as much.

use super::loads_before::keep_loads_before;
use super::memory::{load_elements, with_mask};
use super::shared::{shared_at, store_shared};
use super::words::stored_type;
use super::{Emitter, Registers, TensorType, hand_over, memdesc, wgmma};
use crate::code::{Asm, Label, Reg};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::attributes::{ALL_MEMORY, BEHIND_WORDS};
use tk_ir::ops::{AsyncCopyGlobalToLocalOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind, Value};
use tk_layout::conversion::{Transfer, store_to};

/// Bytes that one instruction can copy.
const SIZES: [usize; 3] = [16, 8, 4];

/// What each thread copies.
struct ThreadCopy {
    pointers: Registers,
    mask: Option<Registers>,
    /// What masked-off elements are; `None` for zeros.
    other: Option<Registers>,
    /// Only threads for which this holds copy.
    predicate: Option<Reg>,
    element: crate::code::Ty,
}

/// `ttg.async_copy_global_to_local`. Copies that stand together and that one condition passes by are emitted with the first of them.
pub(super) fn emit_copy<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    keep_loads_before(&mut emitter.code, op)?;
    let Some(guard) = Guard::of(op) else { return emit_one(emitter, op, AsyncCopyGlobalToLocalOp::mask) };
    let condition = guard.condition;
    let shares_branch = |op: &Op<'c>| Guard::of(*op).is_some_and(|other| other.condition == condition);
    if op.prev().as_ref().is_some_and(shares_branch) {
        return Ok(());
    }
    let behind = guard.enter(emitter)?;
    for copy in std::iter::successors(Some(op), |op| op.next()).take_while(shares_branch) {
        emit_one(emitter, copy, |view| Guard::of(view.op).and_then(|guard| guard.mask))?;
    }
    emitter.code.jump(behind)?;
    emitter.code.close_scope();
    emitter.code.continue_at(behind);
    Ok(())
}

/// One copy; `mask` is what masks it where it stands.
fn emit_one<'c>(
    emitter: &mut Emitter<'c, '_>,
    op: Op<'c>,
    mask: impl Fn(AsyncCopyGlobalToLocalOp<'c>) -> Option<Value<'c>>,
) -> Result<()> {
    let view = AsyncCopyGlobalToLocalOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no copy"))?;
    let tensor = emitter.tensor(view.src().ty())?;
    let element = emitter.element_ty(view.result().ty())?;
    let bytes = stored_type(element).bytes() as usize;
    let buffer = view.result().ty();
    let encoding = buffer.layout().ok_or_else(|| emitter.bug(op, "its buffer has no layout"))?;
    let layout = memdesc::linear(&encoding, &buffer.shape()).map_err(|why| emitter.bug(op, why))?;
    let plan = store_to(&tensor.layout, &layout, 8 * bytes as u32).map_err(|why| emitter.bug(op, why))?;

    let other = view.other().map(|other| emitter.registers(other)).transpose()?;
    let copy = ThreadCopy {
        pointers: emitter.registers(view.src())?,
        mask: mask(view).map(|mask| emitter.registers(mask)).transpose()?,
        other: other.filter(|other| other.splat().and_then(Reg::constant) != Some(0)),
        predicate: emitter.not_skipped(plan.skip_lanes, plan.skip_warps),
        element,
    };
    let asked =
        op.int_attr(tk_ir::attributes::VECTOR).or_else(|| op.int_attr("contiguity")).unwrap_or(1).max(1) as usize;
    let width = copied_together(&tensor, &plan.transfers, asked, bytes);
    let (base, start) =
        (emitter.linear_offset(&plan.access.lane_offsets, &plan.access.warp_offsets), emitter.scalar(view.result())?);
    for transfer in &plan.transfers {
        let address = shared_at(&mut emitter.code, start, base, transfer.xor, transfer.add);
        for (number, run) in transfer.registers.chunks(width).enumerate() {
            let address = address.with_offset(address.offset() + (number * width * bytes) as i64);
            copy.emit(emitter, address, run, bytes)?;
        }
    }
    define_token(emitter, op);
    Ok(())
}

/// What decides for all threads whether a copy of a pipelined loop happens: there is such an iteration, or nobody reads the buffer. Such copies stand
/// behind a branch (`gather-copies` says why).
struct Guard<'c> {
    condition: Value<'c>,
    /// The rest of the mask.
    mask: Option<Value<'c>>,
}

impl<'c> Guard<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        op.attr(tk_ir::attributes::SKIPPABLE)?;
        let splat =
            |value: Value<'c>| value.defining_op().filter(|op| op.kind() == OpKind::TtSplat).map(|op| op.operand(0));
        let mask = AsyncCopyGlobalToLocalOp::cast(op)?.mask()?;
        if let Some(condition) = splat(mask) {
            return Some(Self { condition, mask: None });
        }
        let both = mask.defining_op().filter(|op| op.kind() == OpKind::ArithAndI)?;
        let (first, second) = (both.operand(0), both.operand(1));
        let left = splat(first).map(|condition| Self { condition, mask: Some(second) });
        left.or_else(|| splat(second).map(|condition| Self { condition, mask: Some(first) }))
    }

    /// Opens the block of the copies, and gives the one behind it.
    fn enter<'l>(self, emitter: &mut Emitter<'c, 'l>) -> Result<Label<'l>> {
        let condition = emitter.scalar(self.condition)?;
        let (inside, behind) = (emitter.code.label(), emitter.code.label());
        emitter.code.branch(condition, inside, behind)?;
        emitter.code.open_scope(inside, false);
        Ok(behind)
    }
}

/// Elements of one copy: as many as are asked for, lie together in the buffer, and make a size that there is.
fn copied_together(tensor: &TensorType, transfers: &[Transfer], asked: usize, bytes: usize) -> usize {
    let together = transfers.first().map_or(1, |transfer| transfer.registers.len());
    let widths = SIZES.iter().map(|size| size / bytes).filter(|width| (1..=asked.min(together)).contains(width));
    for width in widths {
        // Neighbours in the buffer have to be neighbours in global memory, in the same order.
        let runs: FxHashSet<Vec<usize>> = tensor.runs(width).into_iter().collect();
        let mut wanted = transfers.iter().flat_map(|transfer| transfer.registers.chunks(width));
        if wanted.all(|run| runs.contains(&run.iter().map(|register| *register as usize).collect::<Vec<_>>())) {
            return width;
        }
    }
    1
}

impl ThreadCopy {
    /// Copies the elements of `run` to `address`.
    fn emit(&self, emitter: &mut Emitter<'_, '_>, address: Reg, run: &[u32], bytes: usize) -> Result<()> {
        let first = run[0] as usize;
        let pointer = self.pointers.get(first);
        let mask = self.mask.as_ref().map(|mask| mask.get(first)).filter(|mask| mask.constant() != Some(-1));
        let size = run.len() * bytes;
        if !SIZES.contains(&size) {
            return self.through_registers(emitter, address, run, pointer, mask);
        }
        // Masked-off runs that are not zero are left alone by the copy, and stored.
        let (fill, predicate) = match &self.other {
            Some(_) => (None, with_mask(emitter, self.predicate, mask)),
            None => (mask, self.predicate),
        };
        let code = &mut emitter.code;
        let cache = if size == 16 { "cg" } else { "ca" };
        let mut text = format!(
            "cp.async.{cache}.shared.global [ $0 + {} ], [ $1 + {} ], {size}",
            address.offset(),
            pointer.offset()
        );
        let mut inputs = vec![address.base(), pointer.base()];
        if let Some(fill) = fill {
            let (whole, none) = (code.i32(size as i64), code.i32(0));
            inputs.push(code.select(fill, whole, none));
            text.push_str(", $2");
        }
        text.push(';');
        if let Some(predicate) = predicate {
            text = format!("@${} {text}", inputs.len());
            inputs.push(predicate);
        }
        code.asm(Asm::new(text).inputs(&inputs))?;
        if let (Some(other), Some(mask)) = (&self.other, mask) {
            let masked_off = emitter.code.not(mask);
            let values: Vec<Reg> = run.iter().map(|register| other.get(*register as usize)).collect();
            let predicate = with_mask(emitter, self.predicate, Some(masked_off));
            store_shared(&mut emitter.code, address, &values, predicate)?;
        }
        Ok(())
    }

    fn through_registers(
        &self,
        emitter: &mut Emitter<'_, '_>,
        address: Reg,
        run: &[u32],
        pointer: Reg,
        mask: Option<Reg>,
    ) -> Result<()> {
        let others: Vec<Option<Reg>> =
            run.iter().map(|register| self.other.as_ref().map(|other| other.get(*register as usize))).collect();
        let values = load_elements(emitter, self.element, pointer, mask, &others)?;
        store_shared(&mut emitter.code, address, &values, self.predicate)
    }
}

/// `ttg.async_commit_group`.
pub(super) fn emit_commit<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    emitter.code.asm(Asm::new("cp.async.commit_group;"))?;
    define_token(emitter, op);
    Ok(())
}

/// `ttg.async_wait`: each thread waits for its own copies, and a barrier tells all of them.
pub(super) fn emit_wait<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let pending = op.int_attr("num").unwrap_or(0);
    stand_behind_words(emitter, op)?;
    find_operands(emitter, op)?;
    emitter.code.asm(Asm::new(format!("cp.async.wait_group {pending};")))?;
    barrier_unless_next(emitter, op)?;
    define_token(emitter, op);
    Ok(())
}

/// Where a product stands behind the wait `op` and its barrier, the addresses of the buffers that it reads are computed before: threads wait there, and copies
/// arrive meanwhile. ptxas moves little over a barrier, and what it then makes of a long iteration differs.
fn find_operands<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let barrier = op.next().filter(|next| next.kind() == OpKind::GpuBarrier);
    let Some(dot) = barrier.and_then(|barrier| barrier.next()).and_then(WarpGroupDotOp::cast) else { return Ok(()) };
    let is_chosen_here = |memory: &Value<'c>| {
        let chooses = |made: &Op<'c>| made.kind() == OpKind::TtgMemDescIndex && made.block() == op.block();
        memory.defining_op().as_ref().is_some_and(chooses)
    };
    for memory in [dot.a(), dot.b()].into_iter().filter(is_chosen_here) {
        let address = emitter.scalar(memory)?;
        emitter.code.compute_here(address)?;
    }
    Ok(())
}

/// Keeps ptxas from moving the wait before what computes the left operand of the next product, where the wait shall stand behind it. The lanes
/// of a warp meet, all of them: the mask that says which is computed from the operand's words.
fn stand_behind_words<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    if op.attr(BEHIND_WORDS).is_none() {
        return Ok(());
    }
    let dot = std::iter::successors(op.next(), |op| op.next()).find_map(WarpGroupDotOp::cast);
    let words = dot.map_or_else(|| Ok(Vec::new()), |dot| wgmma::computed_words(emitter, dot))?;
    if words.is_empty() {
        return Ok(());
    }
    let mut text = hand_over::zero_behind(words.len(), 0, "mask");
    text.push_str("not.b32 mask, mask;\n\tbar.warp.sync mask;\n\t}");
    emitter.code.asm(Asm::new(text).inputs(&words)).map(drop)
}

/// `ttng.fence_async_shared`: what threads wrote to shared memory becomes visible to `wgmma` and TMA.
pub(super) fn emit_fence<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let space = match op.int_attr("bCluster").unwrap_or(0) {
        _ if op.attr(ALL_MEMORY).is_some() => "",
        0 => ".shared::cta",
        _ => ".shared::cluster",
    };
    emitter.code.asm(Asm::new(format!("fence.proxy.async{space};")))?;
    Ok(())
}

/// A barrier of the CTA after `op`, unless the program has one before anything touches shared memory again.
fn barrier_unless_next<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let mut next = op.next();
    let touches_nothing = |op: &Op<'c>| {
        use OpKind::{TtLoad, TtgLocalDealloc, TtngFenceAsyncShared};
        op.is_pure() || matches!(op.kind(), TtLoad | TtngFenceAsyncShared | TtgLocalDealloc)
    };
    while let Some(op) = next.filter(touches_nothing) {
        next = op.next();
    }
    let has_barrier = next.is_some_and(|op| matches!(op.kind(), OpKind::GpuBarrier | OpKind::TtgBarrier));
    if has_barrier { Ok(()) } else { emitter.code.barrier() }
}

/// A token orders operations; it is nothing at run time.
fn define_token<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) {
    let nothing = emitter.code.i32(0);
    for result in op.results() {
        emitter.define_scalar(result, nothing);
    }
}
