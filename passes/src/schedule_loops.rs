//! Gives every operation of a loop a stage of the software pipeline.
//!
//! An operation in stage `s` of a loop with last stage `n` runs `n - s` iterations ahead of those in the last stage. Loads go as far
//! ahead of their users as their `tt.latency` says; what they are computed from goes with them; everything else stays in the last stage.
//! In the new body the last stage comes first (its `loop.cluster` is 0): products start, and the copies for later iterations are issued
//! while they run. Only a branch that the body ends with comes after those (cluster `n + 1`). A carried value may be produced in the stage
//! of its user or before: it was made one iteration earlier.
//!
//! 1. Distance of each operation to the end of its iteration.  2. Stages from distances.  3. Pull producers.  4. Check and write.

use crate::analysis::global_aliases::GlobalWrites;
use crate::attributes::{LATENCY, LOOP_CLUSTER, LOOP_STAGE, MAX_STAGE};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Module, Op, OpKind, Value};

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
    let distances = distances(view, &ops);
    let last = distances.values().copied().max().unwrap_or(0);
    let mut stages = Stages { view, last, of_op: FxHashMap::default() };
    for op in &ops {
        let is_ahead = op.attr(LATENCY).is_some();
        stages.of_op.insert(op.id(), if is_ahead { last - distances[&op.id()] } else { last });
    }
    stages.pull_producers(&ops);
    if last > 0 && stages.are_possible(&ops) {
        stages.write(&ops);
    }
    ops.iter().for_each(|op| {
        op.remove_attr(LATENCY);
    });
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
}

impl<'c> Stages<'c> {
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
        ops.iter().filter(|op| self.of(**op) < self.last).all(|op| match LoadOp::cast(*op) {
            Some(load) => !load.is_volatile() && !writes.may_change(load.op),
            None if op.kind() == OpKind::TtDescriptorLoad => !writes.may_change(*op),
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
            let cluster = if self.can_come_last(*op, ops) { self.last + 1 } else { self.last - stage };
            op.set_attr(LOOP_CLUSTER, context.i32_attr(cluster as i32));
        }
        self.view.op.set_attr(MAX_STAGE, context.i32_attr(self.last as i32));
    }
}
