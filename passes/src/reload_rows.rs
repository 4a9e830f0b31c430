//! Loads rows again behind reductions, where a thread has not half the registers that they take.
//!
//! A softmax or a cross entropy of a long row reads it for the maximum, for the sum of exponentials, and for what it writes. Where one block is the
//! whole row, a thread has 512 elements of 65536, and 255 registers. ptxas then loads one element and spills it, and the next one, and each waits for
//! memory. Behind each reduction the row is in the second-level cache: loading it again costs less than a spill, and what is computed on it
//! element by element costs little.
//!
//! True for loads that take at least [`TIMES_OF_BUDGET`] times the registers that a thread can have, counted as they are computed on, and live over
//! a reduction with barriers at which as many live: what is written to shared memory as a whole block leaves registers anyway, and a product whose operands one
//! warp loads again was three times as slow. Nothing up to that operation writes what is read, and no block is written at all: a program may
//! have one tensor for what it reads and writes. What writes the tensor anywhere else, and every block that is stored behind the last load, by whatever
//! parameter, before all threads meet again, is written by the thread that reads its elements, since the barriers that stood between the load and the
//! write may stand before the last load now. Masks are compared again, too.
//!
//! Loads of that size which go to one reduction or one store are marked ([`LATE`]): each access stands where its elements are needed, so the
//! thread keeps what it has combined, and ptxas issues as many loads ahead as it has registers for. What is stored may lie where the row lies: then
//! the same thread has read an element before it writes it.
//!
//! 1. Find a load, what is computed on it, and the reductions with barriers that it lives over.  2. Load and compute again behind each of them.
//! 3. Mark loads with one user.

use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::attributes::{AGAIN, LAST_USE, LATE};
use crate::cloning::Mapping;
use crate::convert_to_ttg::require_ttg;
use crate::encodings::distinct_elements_per_thread;
use crate::operations::computations::computation;
use crate::operations::control::{Control, control, is_loop};
use crate::sink_loads::{MOST_MASKS, MOST_STEPS, compared_again, has_barriers, is_kept, is_mask, kept, stops};
use crate::{Pass, PassContext};
use std::cmp::Ordering;
use tk_diag::Result;
use tk_ir::ops::{LoadOp, ReduceOp, StoreOp};
use tk_ir::{Block, Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "reload-rows", summary: "load again behind reductions what takes several times the registers", run };

/// Registers of a row for each one that a thread can have: with fewer, what is spilled is less than what is read again.
const TIMES_OF_BUDGET: u32 = 2;
/// Registers of a load for each one that lives longer because it is loaded again.
const LOADED_OF_KEPT: u32 = 4;
/// Times that a row is loaded again, at most: what is computed on it is computed as often.
const MOST_TURNS: usize = 4;
/// The number of comparisons before the first turn, where they are in a loop.
const IN_LOOPS: i32 = 0;
/// Operations that compute on a row, at most.
const MOST_COMPUTED: usize = 64;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let budget = cx.target.register_budget(threads.num_warps, 1).min(cx.options.maxnreg.unwrap_or(u32::MAX));
    for function in module.functions() {
        // The regions of other operations say what happens to single elements.
        let outer = function.descendants().into_iter().filter(|op| control(op.kind()) != Control::Plain);
        let blocks: Vec<Block<'_>> = outer.flat_map(|op| op.regions()).flat_map(|region| region.blocks()).collect();
        let live = LiveRegisters::of_floats(function);
        let least = budget * TIMES_OF_BUDGET;
        let mut room = Room { live, least, threads: threads.total(), writes: writes_of(function), turns: Vec::new() };
        for block in blocks {
            for load in loads_of(block) {
                if let Some(row) = room.long_row(load)
                    && let Some(plan) = Again::of(row, &mut room)?
                {
                    plan.apply();
                }
            }
            for load in loads_of(block) {
                if let Some(row) = room.long_row(load)
                    && row.may_be_late()?
                {
                    load.op.set_attr(LATE, load.op.context().unit_attr());
                }
            }
        }
    }
    Ok(())
}

/// What writes to global memory in a function.
fn writes_of(function: Op<'_>) -> Vec<(Op<'_>, GlobalWrites)> {
    let plain = function.descendants().into_iter().filter(|op| op.num_regions() == 0);
    plain.map(|op| (op, GlobalWrites::of(op))).filter(|(_, writes)| !writes.is_empty()).collect()
}

/// The loads of tensors in a block.
fn loads_of(block: Block<'_>) -> Vec<LoadOp<'_>> {
    let loads = block.ops().into_iter().filter_map(LoadOp::cast);
    loads.filter(|load| !load.is_volatile() && load.result().ty().is_tensor()).collect()
}

/// What a function has room for.
struct Room<'c> {
    /// Registers that live before anything is changed.
    live: LiveRegisters,
    /// Registers of a row that is long.
    least: u32,
    /// Of a CTA.
    threads: u32,
    /// What writes to global memory.
    writes: Vec<(Op<'c>, GlobalWrites)>,
    /// Reductions behind which something is loaded again. Masks that are compared behind the same one are the same.
    turns: Vec<Op<'c>>,
}

impl<'c> Room<'c> {
    /// The load and what is computed on it, if it takes too many registers, no element is in two of them, and what it is loaded from takes few.
    fn long_row(&self, load: LoadOp<'c>) -> Option<Row<'c>> {
        let row = Row::of(load)?;
        let kept: u32 = load.op.operands().into_iter().map(|operand| kept(operand, MOST_STEPS)).sum();
        let is_cheap = kept * LOADED_OF_KEPT <= registers(load.result().ty());
        (row.registers() >= self.least && is_cheap && self.has_once(load)).then_some(row)
    }

    /// One thread of the CTA has each element of a load, once.
    fn has_once(&self, load: LoadOp<'c>) -> bool {
        let ty = load.result().ty();
        ty.shape().iter().product::<i64>() == distinct_elements_per_thread(ty) * i64::from(self.threads)
    }

    /// What may write where a load reads writes each element in the thread that reads it.
    fn writes_as_it_reads(&self, load: LoadOp<'c>) -> bool {
        let mut writes = self.writes.iter().filter(|(_, writes)| writes.may_change(load.op));
        writes.all(|(op, _)| StoreOp::cast(*op).is_some_and(|store| is_read_by_its_writer(load, store)))
    }

    /// The number of a turn, from one.
    fn number_of(&mut self, turn: Op<'c>) -> i32 {
        let at = self.turns.iter().position(|known| *known == turn).unwrap_or_else(|| {
            self.turns.push(turn);
            self.turns.len() - 1
        });
        at as i32 + 1
    }
}

/// A load and what is computed on it element by element, all in one block.
struct Row<'c> {
    load: LoadOp<'c>,
    /// The load and what is computed on it, in order.
    ops: Vec<Op<'c>>,
    /// What else uses them.
    users: Vec<Op<'c>>,
}

impl<'c> Row<'c> {
    /// `None` where something in another block uses it, or something hands it on to one.
    fn of(load: LoadOp<'c>) -> Option<Self> {
        let (mut ops, mut users) = (vec![load.op], Vec::new());
        let mut at = 0;
        while let Some(op) = ops.get(at).copied() {
            for (user, _) in op.result(0).users() {
                if user.block() != load.op.block() || user.is_terminator() || ops.len() > MOST_COMPUTED {
                    return None;
                }
                let known = if is_computed(user) { &mut ops } else { &mut users };
                if !known.contains(&user) {
                    known.push(user);
                }
            }
            at += 1;
        }
        ops.sort_by(in_block);
        Some(Self { load, ops, users })
    }

    /// Registers that it takes where it is widest.
    fn registers(&self) -> u32 {
        let floats = self.ops.iter().map(|op| op.result(0).ty()).filter(|ty| ty.element().is_float());
        floats.map(registers).max().unwrap_or(0)
    }

    /// Behind the turn `last`, other threads store nothing before a thread has read its elements, whatever parameter they store through: two of them may be
    /// names of one tensor. Threads that meet behind the last use have all read.
    fn is_read_before_it_is_written(&self, last: Op<'c>) -> Result<bool> {
        let is_later = |op: Op<'c>| self.users.iter().all(|user| *user == op || user.is_before_in_block(op));
        let is_safe = |op: Op<'c>| {
            let stores = op.descendants().into_iter().filter_map(StoreOp::cast);
            let mut blocks = stores.filter(|store| store.ptr().ty().is_tensor());
            blocks.all(|store| is_read_by_its_writer(self.load, store))
        };
        for op in std::iter::successors(last.next(), |op| op.next()) {
            if !is_safe(op) {
                return Ok(false);
            }
            if is_later(op) && has_barriers(op)? {
                return Ok(true);
            }
        }
        // What follows a branch or an iteration may store as well.
        let around = self.load.op.parent_op();
        let function = self.load.op.ancestors().find(|op| op.kind() == OpKind::TtFunc);
        Ok(around == function || function.is_some_and(is_safe))
    }

    /// Each access may stand where its elements are needed: one operation needs them, and memory is as it was.
    fn may_be_late(&self) -> Result<bool> {
        let [user] = self.users[..] else { return Ok(false) };
        let mut between = std::iter::successors(self.load.op.next(), |op| op.next()).take_while(|op| *op != user);
        if between.any(|op| changes(op, self.load)) {
            return Ok(false);
        }
        if let Some(store) = StoreOp::cast(user) {
            return Ok(is_read_by_its_writer(self.load, store));
        }
        Ok(ReduceOp::cast(user).is_some() && has_barriers(user)?)
    }
}

/// It computes each element from those at its place.
fn is_computed(op: Op<'_>) -> bool {
    computation(op.kind()).is_element_by_element() && op.is_pure() && op.num_results() == 1
}

/// The order of operations of one block.
fn in_block(first: &Op<'_>, second: &Op<'_>) -> Ordering {
    if first == second {
        Ordering::Equal
    } else if first.is_before_in_block(*second) {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

/// Behind `op` the load may read something else, as far as can be seen. What single elements are written to is taken to be no row, unless it is the
/// same parameter; blocks may be written where the row lies, whatever parameter they come by.
fn changes<'c>(op: Op<'c>, load: LoadOp<'c>) -> bool {
    match StoreOp::cast(op) {
        Some(store) => store.ptr().ty().is_tensor() || GlobalWrites::of(op).may_change(load.op),
        None => stops(op),
    }
}

/// Of a row whose elements are in one thread each: what is stored where an element lies is stored by the thread that reads that one.
fn is_read_by_its_writer(load: LoadOp<'_>, store: StoreOp<'_>) -> bool {
    let (from, to) = (load.ptr(), store.ptr());
    if !to.ty().is_tensor() || from.ty().linear_layout() != to.ty().linear_layout() {
        return false;
    }
    let is_same_place = || offset(from).is_some() && offset(from) == offset(to);
    from == to || is_same_place() && !GlobalWrites::of(store.op).may_change(load.op)
}

/// What is added to a pointer last.
fn offset(pointer: Value<'_>) -> Option<Value<'_>> {
    pointer.defining_op().filter(|op| op.kind() == OpKind::TtAddPtr).map(|op| op.operand(1))
}

/// A row, and where it is loaded again.
struct Again<'c> {
    row: Row<'c>,
    /// Reductions with barriers that the row lives over, in order, with their numbers.
    turns: Vec<(Op<'c>, i32)>,
}

impl<'c> Again<'c> {
    fn of(row: Row<'c>, room: &mut Room<'c>) -> Result<Option<Self>> {
        let mut turns = Vec::new();
        for op in std::iter::successors(row.load.op.next(), |op| op.next()) {
            if changes(op, row.load) {
                break;
            }
            if op.kind() == OpKind::TtReduce && has_barriers(op)? && room.live.at(op) >= room.least {
                turns.push(op);
            }
        }
        // Behind the last turns nothing may be left to do.
        let is_used_behind = |turn: &Op<'c>| row.users.iter().any(|user| turn.is_before_in_block(*user));
        turns.retain(is_used_behind);
        let Some(last) = turns.last().copied() else { return Ok(None) };
        let is_safe = room.writes_as_it_reads(row.load) && row.is_read_before_it_is_written(last)?;
        if !is_safe || turns.len() > MOST_TURNS {
            return Ok(None);
        }
        let turns = turns.into_iter().map(|turn| (turn, room.number_of(turn))).collect();
        Ok(Some(Self { row, turns }))
    }

    /// The turns that stand before an operation.
    fn turns_before(&self, op: Op<'c>) -> usize {
        self.turns.iter().filter(|(turn, _)| turn.is_before_in_block(op)).count()
    }

    /// Later turns first: what they compute again are then still the operations of the program.
    fn apply(self) {
        let mut is_read_later = false;
        for (at, (turn, number)) in self.turns.iter().enumerate().rev() {
            let before = at + 1;
            let all = self.row.ops.iter().chain(&self.row.users).copied();
            let here: Vec<Op<'c>> = all.filter(|op| self.turns_before(*op) == before).collect();
            let again = self.computed_again(*turn, *number, before, &here, &mut is_read_later);
            for op in here {
                put_operands(op, &again, *number);
            }
        }
        if is_read_later {
            self.row.load.op.remove_attr(LAST_USE);
        }
        if self.row.load.op.parent_op().is_some_and(is_loop) {
            // Answers that no iteration changes would be kept over the loop.
            let all = self.row.ops.iter().chain(&self.row.users).copied();
            all.filter(|op| self.turns_before(*op) == 0).for_each(|op| put_operands(op, &Mapping::default(), IN_LOOPS));
        }
        for op in self.row.ops.iter().rev().filter(|op| !op.result(0).has_uses()) {
            op.erase();
        }
    }

    /// What operations between a turn and the next one need of what stands before it, computed behind the turn.
    fn computed_again(
        &self,
        turn: Op<'c>,
        number: i32,
        before: usize,
        here: &[Op<'c>],
        is_read_later: &mut bool,
    ) -> Mapping<'c> {
        let mut needed: Vec<Op<'c>> = Vec::new();
        for op in self.row.ops.iter().rev().filter(|op| self.turns_before(**op) < before) {
            let users = op.result(0).users();
            if users.iter().any(|(user, _)| here.contains(user) || needed.contains(user)) {
                needed.push(*op);
            }
        }
        let mut again = Mapping::default();
        let mut builder = Builder::after(turn);
        for op in needed.into_iter().rev() {
            let copy = builder.place(op.clone_op());
            put_operands(copy, &again, number);
            again.insert(op.result(0), copy.result(0));
            if op == self.row.load.op {
                // Only the last time that the row is read is the last one.
                if *is_read_later {
                    copy.remove_attr(LAST_USE);
                }
                *is_read_later = true;
            }
        }
        again
    }
}

/// Gives an operation what was computed again, and its masks compared again where a thread cannot keep them.
fn put_operands<'c>(op: Op<'c>, again: &Mapping<'c>, number: i32) {
    let mark = op.context().i32_attr(number);
    for (index, operand) in op.operands().into_iter().enumerate() {
        let value = again.get(operand);
        if value != operand {
            op.set_operand(index, value);
        } else if is_mask(operand) && is_kept(operand) {
            op.set_operand(index, compared_again(operand, op, MOST_MASKS, (AGAIN, mark)));
        }
    }
}
