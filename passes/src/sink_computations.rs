//! Computes behind a loop, or behind a place where threads meet, what only stands before it and takes too many registers there.
//!
//! Kernels compute addresses and masks of all their blocks first, and use them much later. Where a number of each row comes from memory, as where
//! rows are gathered, a thread has one for each of its rows by then, and keeps them: neither LLVM nor ptxas moves what went through shared
//! memory over a loop or a barrier. Behind it the same takes the few registers that it is made of.
//!
//! True for conversions between layouts and what is computed element by element, used behind the loop or the place in the same block only, that
//! together keep an eighth of a thread's registers less than before it, where more lives than a thread can have. Behind a loop what is cheap, as the indices of a
//! block are, moves as well then: truth values of a mask take registers that no count knows.
//!
//! 1. Find what is only needed behind it.  2. Sort it into what belongs together, and leave what would keep more registers where it
//!    is.  3. Move it, each operation to its first use.

use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::convert_to_ttg::require_ttg;
use crate::operations::computations::{Computation, computation};
use crate::operations::control::is_loop;
use crate::sink_loads::{MOST_STEPS, first_user, has_barriers, kept};
use crate::{Pass, PassContext};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use tk_diag::Result;
use tk_ir::{Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "sink-computations", summary: "compute behind loops and barriers what takes many registers", run };

/// The part of a thread's registers that are many for one conversion.
const MANY_OF_REGISTERS: u32 = 4;
/// The part of a thread's registers that is worth a conversion later, where its threads wait for it.
const LEAST_OF: u32 = 8;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let budget = cx.target.register_budget(threads.num_warps, 1).min(cx.options.maxnreg.unwrap_or(u32::MAX));
    for function in module.functions() {
        let ops = function.descendants();
        let live = LiveRegisters::of_floats_once(function);
        let has_many = ops.iter().any(|op| op.kind() == OpKind::TtgConvertLayout && is_many(op.result(0), budget));
        for place in ops {
            let repeats = is_loop(place);
            if !(repeats || has_many && has_barriers(place)? && !fills_all_registers(place, budget)) {
                continue;
            }
            let groups: Vec<Group<'_>> = groups(place).into_iter().filter(|group| !group.keeps_more()).collect();
            let kept: u32 = groups.iter().map(|group| group.kept_before).sum();
            let is_worth = |group: &Group<'_>| group.keeps_fewer_by() * LEAST_OF >= budget;
            if live.peak(place) + kept > budget && groups.iter().any(is_worth) {
                let moves = |group: &&Group<'_>| is_worth(group) || repeats && group.keeps_fewer_by() == 0;
                groups.iter().filter(moves).for_each(Group::apply);
            }
        }
    }
    Ok(())
}

/// A thread has many registers of it. Where it has few of everything, nothing is looked for before barriers.
fn is_many(value: Value<'_>, budget: u32) -> bool {
    registers(value.ty()) >= budget / MANY_OF_REGISTERS
}

/// A conversion whose result alone is more than a thread can have. It is read from shared memory where it is used, as long as no barrier stands
/// between: a conversion behind it would bring one, and all of the result would have to be in registers before. Gradients of attention with
/// 1024 numbers in a thread: 4 instead of 14852 bytes of spills, 12.1 instead of 94.5 µs on an H200.
fn fills_all_registers(place: Op<'_>, budget: u32) -> bool {
    place.kind() == OpKind::TtgConvertLayout && registers(place.result(0).ty()) > budget
}

/// What is computed from one another before a place, and used behind it.
struct Group<'c> {
    /// From the last to the first.
    ops: Vec<Op<'c>>,
    /// Registers of a thread over the place where it is computed before it …
    kept_before: u32,
    /// … and behind it.
    kept_behind: u32,
    /// Floats are among its results.
    computes_floats: bool,
}

impl<'c> Group<'c> {
    fn of(ops: Vec<Op<'c>>, around: Op<'c>) -> Self {
        let own: FxHashSet<usize> = ops.iter().map(|op| op.id()).collect();
        let is_result = |value: &Value<'c>| value.users().iter().any(|(user, _)| !own.contains(&user.id()));
        let results: Vec<Value<'c>> = ops.iter().map(|op| op.result(0)).filter(is_result).collect();
        let mut seen = FxHashSet::default();
        let sources = ops.iter().flat_map(|op| op.operands());
        let sources = sources.filter(|source| source.defining_op().is_none_or(|made| !own.contains(&made.id())));
        let sources = sources.filter(|source| seen.insert(source.id()) && !lives_over(*source, around, &own));
        let kept_behind = sources.map(|source| kept(source, MOST_STEPS)).sum();
        Self {
            kept_before: results.iter().map(|result| kept(*result, MOST_STEPS)).sum(),
            kept_behind,
            computes_floats: results.iter().any(|result| result.ty().element().is_float()),
            ops,
        }
    }

    /// Nothing is won: floats take as many registers as what they are computed from, and indices more.
    fn keeps_more(&self) -> bool {
        self.kept_behind > self.kept_before || self.computes_floats && self.kept_behind == self.kept_before
    }

    fn keeps_fewer_by(&self) -> u32 {
        self.kept_before.saturating_sub(self.kept_behind)
    }

    fn apply(&self) {
        for op in &self.ops {
            let place = op.block().and_then(|block| first_user(op.result(0), block));
            place.into_iter().for_each(|place| op.move_before(place));
        }
    }
}

/// Others need the value there or behind it.
fn lives_over<'c>(value: Value<'c>, around: Op<'c>, group: &FxHashSet<usize>) -> bool {
    let Some(block) = around.block() else { return true };
    value.users().into_iter().filter(|(user, _)| !group.contains(&user.id())).any(|(user, _)| {
        let place = user.ancestor_in(block);
        place.is_none_or(|place| place == around || around.is_before_in_block(place))
    })
}

/// What stands before the place and is only needed behind it, by what is computed from one another.
fn groups<'c>(around: Op<'c>) -> Vec<Group<'c>> {
    let Some(block) = around.block() else { return Vec::new() };
    let before = std::iter::successors(around.prev(), |op| op.prev());
    // The group of each operation; that of an operation with several users is one group from then on.
    let mut group_of: FxHashMap<usize, usize> = FxHashMap::default();
    let mut members: Vec<Vec<Op<'c>>> = Vec::new();
    for op in before.filter(|op| may_move(*op)) {
        let mut own = None;
        let users = op.result(0).users();
        let is_late = users.iter().all(|(user, _)| {
            let is_behind = || user.ancestor_in(block).is_some_and(|place| around.is_before_in_block(place));
            group_of.contains_key(&user.id()) || is_behind()
        });
        if users.is_empty() || !is_late {
            continue;
        }
        for of_user in users.iter().filter_map(|(user, _)| group_of.get(&user.id()).copied()).collect::<Vec<_>>() {
            match own {
                Some(own) if own != of_user => {
                    let joined = std::mem::take(&mut members[of_user]);
                    joined.iter().for_each(|op| {
                        group_of.insert(op.id(), own);
                    });
                    members[own].extend(joined);
                }
                Some(_) => {}
                None => own = Some(of_user),
            }
        }
        let own = own.unwrap_or_else(|| {
            members.push(Vec::new());
            members.len() - 1
        });
        group_of.insert(op.id(), own);
        members[own].push(op);
    }
    let in_order = |mut ops: Vec<Op<'c>>| {
        ops.sort_by(|a, b| if b.is_before_in_block(*a) { Ordering::Less } else { Ordering::Greater });
        ops
    };
    members.into_iter().filter(|ops| !ops.is_empty()).map(|ops| Group::of(in_order(ops), around)).collect()
}

/// It computes a tensor from others and nothing else.
fn may_move(op: Op<'_>) -> bool {
    let is_computed = match computation(op.kind()) {
        Computation::Repeat | Computation::Arithmetic | Computation::Function | Computation::Cast => op.is_pure(),
        Computation::Constant | Computation::Range | Computation::Load | Computation::Reduction => false,
        Computation::Other => op.kind() == OpKind::TtgConvertLayout,
    };
    is_computed && op.num_results() == 1 && op.result(0).ty().is_tensor()
}
