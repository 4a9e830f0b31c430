//! Gives every operation of a loop a stage of the software pipeline.
//!
//! An operation in stage `s` of a loop with last stage `n` runs `n - s` iterations ahead of those in the last stage. Loads go as far
//! ahead of their users as their `tt.latency` says; what they are computed from goes with them; everything else stays in the last stage.
//! In the new body the last stage comes first (its `loop.cluster` is 0): products start, and the copies for later iterations are issued
//! while they run. Only a branch that the body ends with comes after those (cluster `n + 1`), and before all (cluster -1) loads into registers for
//! the next iteration that have to arrive meanwhile. A carried value may be produced in the stage
//! of its user or before: it was made one iteration earlier.
//!
//! 1. Distance of each operation to the end of its iteration.  2. Stages from distances.  3. Pull producers.  4. Check and write.

use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::product_ahead::readers_of;
use crate::attributes::{ISSUED_AHEAD, LATENCY, LOOP_CLUSTER, LOOP_STAGE, MAX_STAGE};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Result;
use tk_ir::ops::{ForOp, LoadOp, WarpGroupDotOp};
use tk_ir::{Module, Op, OpKind, Value};

/// The place of what comes first in the new body.
const FIRST: i32 = -1;

/// The pass.
pub const PASS: Pass = Pass { name: "schedule-loops", summary: "give operations in loops their pipeline stages", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        for view in loops_of(function) {
            schedule(view);
        }
    }
    Ok(())
}

fn schedule(view: ForOp<'_>) {
    let mut ops = view.body().ops();
    ops.pop();
    if !ops.iter().any(|op| op.attr(LATENCY).is_some()) {
        return;
    }
    let mut stages = Stages::from_latencies(view, &ops);
    if stages.ahead.is_some() && !stages.are_possible(&ops) {
        for op in ops.iter().filter(|op| op.attr(ISSUED_AHEAD).is_some()) {
            op.remove_attr(LATENCY);
            op.remove_attr(ISSUED_AHEAD);
        }
        stages = Stages::from_latencies(view, &ops);
    }
    if stages.last > 0 && stages.are_possible(&ops) {
        stages.write(&ops);
    } else {
        ops.iter().for_each(|op| {
            op.remove_attr(ISSUED_AHEAD);
        });
    }
    ops.iter().for_each(|op| {
        op.remove_attr(LATENCY);
    });
}

/// The place of an operation in a body that issues a product ahead. First comes what reads the registers of the product of the iteration before (0),
/// then the product and what belongs to its stage (1), then the rest of the last stage (2), and then the copies, whose buffers are free by then.
pub(crate) fn cluster_around_product(op: Op<'_>, stage: u32, last: u32) -> u32 {
    use OpKind::*;
    let is_copy = matches!(op.kind(), TtDescriptorLoad | TtngBarrierExpect | TtngAsyncTmaCopyGlobalToLocal);
    match last - stage {
        0 => 2,
        1 if !is_copy => 1,
        ahead => ahead + 2,
    }
}

/// For each operation, the iterations that it must start before the end of its own.
fn distances(view: ForOp<'_>, ops: &[Op<'_>]) -> FxHashMap<usize, u32> {
    let body = view.body();
    let mut distances: FxHashMap<usize, u32> = FxHashMap::default();
    for op in ops.iter().rev() {
        let users = op.results().into_iter().flat_map(|result| result.users());
        let of_users = users.filter_map(|(user, _)| distances.get(&user.ancestor_in(body)?.id()).copied());
        let latency = op.int_attr(LATENCY).and_then(|value| u32::try_from(value).ok()).unwrap_or(0);
        let distance = of_users.max().unwrap_or(0) + latency;
        distances.insert(op.id(), distance);
    }
    distances
}

struct Stages<'c> {
    view: ForOp<'c>,
    last: u32,
    of_op: FxHashMap<usize, u32>,
    /// A product that is issued one iteration ahead.
    ahead: Option<WarpGroupDotOp<'c>>,
    /// What reads its registers in the next iteration.
    readers: Vec<Op<'c>>,
    /// Operations of the stage before the last that come first in the new body.
    early: FxHashSet<usize>,
}

impl<'c> Stages<'c> {
    fn from_latencies(view: ForOp<'c>, ops: &[Op<'c>]) -> Self {
        let distances = distances(view, ops);
        let last = distances.values().copied().max().unwrap_or(0);
        let is_ahead = |op: &Op<'c>| op.attr(LATENCY).is_some();
        let ahead = ops.iter().copied().filter(is_ahead).find_map(WarpGroupDotOp::cast);
        let stage = |op: &Op<'c>| if is_ahead(op) { last - distances[&op.id()] } else { last };
        let of_op = ops.iter().map(|op| (op.id(), stage(op))).collect();
        let readers = ahead.and_then(|dot| readers_of(view, dot)).unwrap_or_default();
        let mut stages = Self { view, last, of_op, ahead, readers, early: FxHashSet::default() };
        stages.pull_producers(ops);
        if ahead.is_none() {
            stages.find_early(ops);
        }
        stages
    }

    /// Loads of rows one iteration ahead, and what they are computed from in their stage, are issued before everything else: they have the whole
    /// iteration to arrive.
    fn find_early(&mut self, ops: &[Op<'c>]) {
        let mut pending: Vec<Op<'c>> = ops.iter().copied().filter(|op| op.attr(ISSUED_AHEAD).is_some()).collect();
        while let Some(op) = pending.pop() {
            if self.of(op) + 1 == self.last && self.early.insert(op.id()) {
                let operands = op.descendants().into_iter().chain([op]).flat_map(|inner| inner.operands());
                let made = operands.filter_map(|operand| operand.defining_op()?.ancestor_in(self.view.body()));
                pending.extend(made);
            }
        }
    }

    /// Whether a product is issued one iteration ahead and no more, and only the last stage reads its registers.
    fn is_one_ahead(&self, dot: WarpGroupDotOp<'c>) -> bool {
        let body = self.view.body();
        let is_last = |user: Op<'c>| user.ancestor_in(body).is_some_and(|user| self.of(user) == self.last);
        self.of(dot.op) + 1 == self.last && dot.op.result(0).users().into_iter().all(|(user, _)| is_last(user))
    }

    /// Whether `op` is the buffer of a copied block that a product reads ahead.
    fn is_read_ahead(&self, op: Op<'c>) -> bool {
        let is_view = matches!(op.kind(), OpKind::TtgLocalAlloc | OpKind::TtgMemDescTrans);
        self.ahead.is_some() && is_view && self.of(op) + 1 == self.last
    }

    fn of(&self, op: Op<'c>) -> u32 {
        self.of_op.get(&op.id()).copied().unwrap_or(self.last)
    }

    /// An operation is in the first of the stages that use it, in this iteration or the next.
    fn pull_producers(&mut self, ops: &[Op<'c>]) {
        loop {
            let mut changed = false;
            for op in ops.iter().rev() {
                let stage = self.of(*op);
                let operands = op.descendants().into_iter().flat_map(|inner| inner.operands());
                let producers: Vec<Op<'c>> = operands.filter_map(|operand| self.producer(operand)).collect();
                for producer in producers {
                    if self.of(producer) > stage {
                        self.of_op.insert(producer.id(), stage);
                        changed = true;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The operation of the loop's body that makes `value`, perhaps in the iteration before.
    fn producer(&self, value: Value<'c>) -> Option<Op<'c>> {
        let body = self.view.body();
        let definition = match value.block_argument() {
            Some((block, index)) if block == body && index > 0 => self.view.yield_op().operand(index - 1).defining_op(),
            Some(_) => None,
            None => value.defining_op(),
        };
        definition.filter(|op| op.block() == Some(body))
    }

    /// What runs ahead runs perhaps too often, so it must have no effects; loads are masked then.
    fn are_possible(&self, ops: &[Op<'c>]) -> bool {
        let writes = GlobalWrites::of(self.view.op);
        let is_product = |op: Op<'c>| self.ahead.is_some_and(|dot| dot.op == op);
        let earlier = |op: &&Op<'c>| self.of(**op) < self.last && !is_product(**op);
        self.ahead.is_none_or(|dot| self.is_one_ahead(dot))
            && ops.iter().filter(earlier).all(|op| match LoadOp::cast(*op) {
                Some(load) => !load.is_volatile() && !writes.may_change(load.op),
                None if op.kind() == OpKind::TtDescriptorLoad => !writes.may_change(*op),
                None if self.is_read_ahead(*op) => true,
                None => op.is_memory_effect_free() && op.results().iter().all(|result| !result.ty().is_memdesc()),
            })
    }

    /// A branch that the loop ends with, such as the epilogue of a tile: copies for later iterations should be under way while it runs.
    /// It must not read what was copied for this one, because a later copy may go to the same buffer.
    fn can_come_last(&self, op: Op<'c>, ops: &[Op<'c>]) -> bool {
        let is_yielded = |result: &Value<'c>| result.users().iter().all(|(user, _)| *user == self.view.yield_op());
        op.kind() == OpKind::ScfIf
            && self.of(op) == self.last
            && !self.uses_block_from_ahead(op)
            && op.results().iter().all(is_yielded)
            && ops.iter().rev().take_while(|other| **other != op).all(|other| other.is_memory_effect_free())
    }

    /// Whether an operation inside of `op` takes a block that was loaded in an earlier stage, and so reads it from its buffer.
    fn uses_block_from_ahead(&self, op: Op<'c>) -> bool {
        let operands = op.descendants().into_iter().flat_map(|inner| inner.operands());
        operands.filter_map(|operand| operand.defining_op()).any(|definition| {
            let is_load = LoadOp::cast(definition).is_some() || definition.kind() == OpKind::TtDescriptorLoad;
            is_load && self.of_op.get(&definition.id()).is_some_and(|stage| *stage < self.last)
        })
    }

    fn write(&self, ops: &[Op<'c>]) {
        let context = self.view.op.context();
        for op in ops {
            let stage = self.of(*op);
            op.set_attr(LOOP_STAGE, context.i32_attr(stage as i32));
            let is_early = self.early.contains(&op.id());
            let cluster = match self.ahead {
                _ if self.can_come_last(*op, ops) => self.last + 1 + 2 * u32::from(self.ahead.is_some()),
                Some(_) if stage == self.last && self.readers.contains(op) => 0,
                Some(_) => cluster_around_product(*op, stage, self.last),
                None => self.last - stage,
            };
            op.set_attr(LOOP_CLUSTER, context.i32_attr(if is_early { FIRST } else { cluster as i32 }));
        }
        self.view.op.set_attr(MAX_STAGE, context.i32_attr(self.last as i32));
        if self.ahead.is_some() {
            self.view.op.set_attr(ISSUED_AHEAD, context.unit_attr());
        }
    }
}
