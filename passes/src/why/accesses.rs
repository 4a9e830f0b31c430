//! Accesses to global memory that are narrower than they could be.
//!
//! Three things decide how many elements move at once: how many neighbours in memory a thread holds, how well the first of them is aligned,
//! and how many share their mask. Each that leaves less than is possible is told, with the line at which it was lost ([`super::losses`]).

use super::losses::{Lost, Need, lost};
use super::{keep_each_once, place};
use crate::PassContext;
use crate::analysis::axis_flow::unit_of;
use crate::analysis::{self, AxisFacts};
use crate::coalesce::is_global_access;
use crate::convert_to_ttg::require_ttg;
use crate::operations::memory::{Access, global_memory};
use crate::vectorize_memory::{contiguous_axis, mask_of, widest, width_of};
use tk_ir::{Module, Op, OpKind};
use tk_layout::Encoding;
use tk_target::Target;
use tk_why::{AccessKind, Loss, NarrowAccess, Reason, Subject};

/// The narrow accesses of a module of ttg IR, in program order, each once.
pub fn of_accesses(module: &Module<'_>, cx: &PassContext) -> Vec<NarrowAccess> {
    let Ok(threads) = require_ttg(module) else { return Vec::new() };
    let mut found = Vec::new();
    for function in module.functions() {
        let facts = analysis::axis_info(function);
        for op in function.descendants() {
            if is_global_access(op) && op.operand(0).ty().is_tensor() {
                found.extend(narrow(op, &facts, threads.total(), &cx.target));
            }
        }
    }
    keep_each_once(&mut found);
    found
}

fn kind_of(op: Op<'_>) -> AccessKind {
    if op.kind() == OpKind::TtgAsyncCopyGlobalToLocal {
        return AccessKind::Copy;
    }
    match global_memory(op.kind()).access() {
        Some(Access::Write) => AccessKind::Store,
        Some(Access::Combine | Access::Synchronize) => AccessKind::Atomic,
        Some(Access::Read) | None => AccessKind::Load,
    }
}

/// What is known of an access that is to be judged.
struct Judged<'c, 'f> {
    op: Op<'c>,
    facts: &'f AxisFacts,
    /// The axis along which neighbours lie in a thread.
    axis: usize,
    /// Elements that one access could move.
    possible: u64,
    /// Bits of an element.
    bits: u32,
}

fn narrow(op: Op<'_>, facts: &AxisFacts, threads: u32, target: &Target) -> Option<NarrowAccess> {
    let ty = op.operand(0).ty();
    let axis = contiguous_axis(ty)?;
    let share = (ty.num_elements() / i64::from(threads.max(1))).max(1) as u64;
    let possible = u64::from(widest(op, target)).min(share).min((*ty.shape().get(axis)?).max(1) as u64);
    let possible = 1 << possible.ilog2();
    let width = u64::from(width_of(op, facts, target));
    let bits = ty.pointee()?.element_bits().max(8);
    let judged = Judged { op, facts, axis, possible, bits };
    if width >= possible {
        return judged.few_elements(threads, u64::from(widest(op, target)));
    }
    let mut losses: Vec<Loss> =
        [judged.neighbours(), judged.alignment(), judged.mask(), judged.layout()].into_iter().flatten().collect();
    losses.sort_by_key(|loss| loss.bits);
    let place = place(op.loc());
    (place.is_known() && !losses.is_empty()).then(|| NarrowAccess {
        place,
        kind: kind_of(op),
        bits: width as u32 * bits,
        possible_bits: possible as u32 * bits,
        losses,
    })
}

impl Judged<'_, '_> {
    /// An access as wide as its elements and threads allow, where that is less than the `widest` of one instruction.
    fn few_elements(&self, threads: u32, widest: u64) -> Option<NarrowAccess> {
        let (ty, place) = (self.op.operand(0).ty(), place(self.op.loc()));
        let elements = ty.num_elements().unsigned_abs();
        if !place.is_known()
            || elements / u64::from(threads.max(1)) >= widest
            || self.facts.get(self.op.operand(0)).contiguity[self.axis] < widest
        {
            return None;
        }
        let bits = self.possible as u32 * self.bits;
        let reason = Reason::FewElements { elements, threads };
        let loss = Loss { subject: Subject::Layout, bits, reason, place: place.clone() };
        let possible_bits = widest as u32 * self.bits;
        Some(NarrowAccess { place, kind: kind_of(self.op), bits, possible_bits, losses: vec![loss] })
    }

    /// The loss that leaves `width` elements, where these are too few.
    fn loss(&self, subject: Subject, width: u64, lost: impl FnOnce() -> Lost) -> Option<Loss> {
        if width >= self.possible {
            return None;
        }
        let Lost { reason, place } = lost();
        Some(Loss { subject, bits: width.max(1) as u32 * self.bits, reason, place })
    }

    fn neighbours(&self) -> Option<Loss> {
        let pointer = self.op.operand(0);
        let contiguous = self.facts.get(pointer).contiguity[self.axis];
        let need = Need::Neighbours(self.possible);
        self.loss(Subject::Neighbours, contiguous, || lost(self.facts, self.op, pointer, self.axis, need))
    }

    /// Runs that are too short are told as such; what is left of them has to be aligned.
    fn alignment(&self) -> Option<Loss> {
        let (pointer, unit) = (self.op.operand(0), unit_of(self.op.operand(0).ty()));
        let info = self.facts.get(pointer);
        let run = info.contiguity[self.axis].min(self.possible);
        let aligned = (info.divisibility[self.axis] / unit).max(1);
        if aligned >= run {
            return None;
        }
        let need = Need::Multiple { of: run * unit, run };
        self.loss(Subject::Alignment, aligned, || lost(self.facts, self.op, pointer, self.axis, need))
    }

    fn mask(&self) -> Option<Loss> {
        let mask = mask_of(self.op)?;
        let same = self.facts.get(mask).constancy.get(self.axis).copied()?;
        let need = Need::Equal(self.possible);
        self.loss(Subject::Mask, same, || lost(self.facts, self.op, mask, self.axis, need))
    }

    /// The thread holds fewer neighbours than its share of the tensor.
    fn layout(&self) -> Option<Loss> {
        let ty = self.op.operand(0).ty();
        let here = place(self.op.loc());
        if self.op.kind() == OpKind::TtgAsyncCopyGlobalToLocal
            && contiguous_axis(self.op.operand(1).ty()) != Some(self.axis)
        {
            return self.loss(Subject::Layout, 1, || Lost { reason: Reason::OtherOrder, place: here });
        }
        let held = ty.layout()?.contiguous_per_thread(&ty.shape()).ok()?;
        let info = self.facts.get(self.op.operand(0));
        // With short runs in memory, the layout has no reason to give a thread more.
        if info.contiguity[self.axis] < self.possible || info.divisibility[self.axis] / unit_of(ty) < self.possible {
            return None;
        }
        // A thread has a tile of what it turns for shared memory (`accelerate-matmul`): it reads its rows in units that it can write.
        let has_tile = matches!(&*ty.layout()?, Encoding::Linear(_)) && held.iter().all(|held| *held > 1);
        if has_tile {
            return None;
        }
        let layout = || ty.layout().map(|layout| layout.to_string()).unwrap_or_default();
        self.loss(Subject::Layout, u64::from(held[self.axis]), || Lost {
            reason: Reason::FewInThread { layout: layout() },
            place: here,
        })
    }
}
