//! Addresses of rows are computed from each other.
//!
//! A loop that loads many rows a stride apart has an address for each: what moves with the iteration, and what stays, which is a row's offset from the first
//! one. LLVM adds what stays before the loop, so each row takes two registers all the time, and a thread with 32 rows keeps 64 registers for them. Where it has
//! none left for that, ptxas spills some, and orders all else by the few that are left.
//!
//! ```text
//! add.s64 %rd5, %rd1, %rd9;          add.s64 %from, %rd0, %rd9;  mad.wide.s32 %rd5, %r1, 2, %from;
//! add.s64 %rd6, %rd2, %rd9;          add.s32 %offset1, %r1, %step;  mad.wide.s32 %rd6, %offset1, 2, %from;
//! add.s64 %rd7, %rd3, %rd9;          add.s32 %offset2, %offset1, %step;  mad.wide.s32 %rd7, %offset2, 2, %from;
//! ```
//!
//! Here `%rd1` is `%rd0` and two times `%r1`, and `%r1`, the offset of the next row and that of the one behind it are a step apart. An address takes
//! as many instructions as before, and what stays is one offset and one step. Both sides are equal whatever registers hold: sums of 64 bits are in another order, and
//! the offsets of 32 bits differ by the step in arithmetic that wraps around ([`Values`]).
//!
//! 1. Addresses of a block of a loop ([`Address`]).  2. Runs of them with one base and one step ([`Plan`]).  3. Write these anew.

use super::body::{Body, Placed};
use super::lines::Lines;
use super::sums::{Sum, Values};
use crate::{Immediate, Module, Operand, Register};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Addresses with the same step. Fewer take few registers.
const FEWEST: usize = 8;

/// How an address that is a sum begins, and an offset that is as wide as one.
const ADD: &str = "add.s64";
const WIDEN: &str = "mul.wide.s32";

/// The names of registers that are added.
const NAMES: [&str; 3] = ["%row_from", "%row_step", "%row_offset"];

/// The text may have such addresses.
pub(super) fn may_change(ptx: &str) -> bool {
    ptx.matches(WIDEN).nth(FEWEST).is_some() && !NAMES.iter().any(|name| ptx.contains(name))
}

/// The text with addresses that are computed from each other. Nothing where no loop has enough of them.
pub(super) fn rewritten(module: &Module) -> Option<String> {
    let text = module.source.text();
    if !may_change(text) {
        return None;
    }
    let lines = Lines::of(text);
    let bodies: Vec<Body<'_>> = module.functions.iter().filter_map(|function| Body::of(&lines, function)).collect();
    let mut instead = FxHashMap::default();
    for body in &bodies {
        let mut plan = Plan::default();
        let values = Values::of(body);
        for block in blocks_of_loops(body) {
            plan.add(body, &values, &addresses(body, &values, &block));
        }
        plan.write(body, &mut instead);
    }
    let line = |at: usize| instead.get(&at).cloned().unwrap_or_else(|| lines.raw(at..at + 1));
    (!instead.is_empty()).then(|| (0..lines.len()).map(line).collect())
}

/// Instructions without a branch or a label between them, and the innermost loop around them.
struct LoopBlock {
    block: Range<usize>,
    around: Range<usize>,
}

/// The blocks of a body that branches go back over.
fn blocks_of_loops(body: &Body<'_>) -> Vec<LoopBlock> {
    let steps = || body.instructions.iter().map(|placed| &placed.step).enumerate();
    let mut starts: Vec<usize> = steps().flat_map(|(_, step)| step.targets.iter().copied()).collect();
    starts.extend(steps().filter(|(_, step)| !step.targets.is_empty() || !step.falls_through).map(|(at, _)| at + 1));
    starts.extend([0, body.instructions.len()]);
    starts.sort_unstable();
    starts.dedup();
    let back = |(at, target): (usize, usize)| (target <= at).then_some(target..at + 1);
    let targets = steps().flat_map(|(at, step)| step.targets.iter().map(move |target| (at, *target)));
    let loops: Vec<Range<usize>> = targets.filter_map(back).collect();
    let blocks = starts.windows(2).map(|ends| ends[0]..ends[1]);
    let of_loop = |block: Range<usize>| {
        let is_around = |around: &&Range<usize>| around.start <= block.start && block.end <= around.end;
        let around = loops.iter().filter(is_around).min_by_key(|around| around.len())?.clone();
        Some(LoopBlock { block, around })
    };
    blocks.filter_map(of_loop).collect()
}

/// What a sum is made of beside its offset, and how wide that is.
#[derive(Clone, Copy, PartialEq, Eq)]
struct From {
    /// What moves with the iteration.
    moving: Register,
    /// What stays, beside the offset.
    base: Option<Register>,
    /// Bytes for each number of the offset.
    scale: i128,
}

/// An address of a loop: `from + scale * offset`.
struct Address {
    /// Its instruction.
    at: usize,
    register: Register,
    from: From,
    offset: Register,
}

impl Address {
    /// `None` for other instructions, and where nothing stays.
    fn of(values: &Values<'_, '_>, around: &Range<usize>, at: usize, placed: &Placed<'_>) -> Option<Self> {
        let instruction = placed.step.instruction;
        let [Operand::Register(register), Operand::Register(left), Operand::Register(right)] = instruction.operands[..]
        else {
            return None;
        };
        let stays = |register: Register| values.place(register).is_some_and(|place| !around.contains(&place));
        let (fixed, moving) = match (stays(left), stays(right)) {
            (true, false) => (left, right),
            (false, true) => (right, left),
            (true, true) | (false, false) => return None,
        };
        let is_sum = instruction.opcode.as_str() == ADD && instruction.guard.is_none();
        let Fixed { base, offset, scale } = Fixed::of(values, fixed).filter(|_| is_sum)?;
        let stay = stays(offset) && base.is_none_or(stays);
        stay.then_some(Self { at, register, from: From { moving, base, scale }, offset })
    }
}

/// What stays of an address.
struct Fixed {
    base: Option<Register>,
    offset: Register,
    scale: i128,
}

impl Fixed {
    fn of(values: &Values<'_, '_>, fixed: Register) -> Option<Self> {
        if let Some(alone) = Self::widened(values, fixed, None) {
            return Some(alone);
        }
        let made = values.definition(fixed).filter(|made| made.opcode.as_str() == ADD)?;
        let [_, Operand::Register(left), Operand::Register(right)] = made.operands[..] else { return None };
        Self::widened(values, right, Some(left)).or_else(|| Self::widened(values, left, Some(right)))
    }

    /// `mul.wide.s32 widened, offset, scale;`
    fn widened(values: &Values<'_, '_>, widened: Register, base: Option<Register>) -> Option<Self> {
        let made = values.definition(widened).filter(|made| made.opcode.as_str() == WIDEN)?;
        let [_, Operand::Register(offset), Operand::Immediate(Immediate::Int(scale))] = made.operands[..] else {
            return None;
        };
        Some(Self { base, offset, scale })
    }
}

/// The addresses of a block, in the order of the text, with lines of their own.
fn addresses(body: &Body<'_>, values: &Values<'_, '_>, LoopBlock { block, around }: &LoopBlock) -> Vec<Address> {
    let placed = block.clone().zip(&body.instructions[block.clone()]);
    let is_line = |placed: &Placed<'_>| body.instruction(placed.line).is_some();
    placed
        .filter(|(_, placed)| is_line(placed))
        .filter_map(|(at, placed)| Address::of(values, around, at, placed))
        .collect()
}

/// What is written instead of instructions.
#[derive(Default)]
struct Plan {
    instead: Vec<(usize, String)>,
    /// Registers that are added: those of [`NAMES`].
    froms: usize,
    steps: usize,
    offsets: usize,
}

impl Plan {
    /// The addresses of a block that are as far from the one before as enough others.
    fn add(&mut self, body: &Body<'_>, values: &Values<'_, '_>, addresses: &[Address]) {
        let mut from: Vec<From> = Vec::new();
        for address in addresses {
            if !from.contains(&address.from) {
                from.push(address.from);
            }
        }
        for from in from {
            let rows: Vec<&Address> = addresses.iter().filter(|address| address.from == from).collect();
            self.add_rows(body, values, &rows);
        }
    }

    /// Rows with one base.
    fn add_rows(&mut self, body: &Body<'_>, values: &Values<'_, '_>, rows: &[&Address]) {
        let step = |pair: &[&Address]| {
            let moves = |placed: &Placed<'_>| placed.step.writes.contains(&pair[0].from.moving);
            let stands = !body.instructions[pair[0].at..pair[1].at].iter().any(moves);
            let step = values.sum(pair[1].offset).minus(&values.sum(pair[0].offset));
            Some(step).filter(|step| stands && !step.is_zero())
        };
        let steps: Vec<Option<Sum>> = rows.windows(2).map(step).collect();
        let mut many: FxHashMap<&Sum, usize> = FxHashMap::default();
        steps.iter().flatten().for_each(|step| *many.entry(step).or_default() += 1);
        let mut names: FxHashMap<&Sum, String> = FxHashMap::default();
        let mut first: Option<Row> = None;
        for (pair, step) in rows.windows(2).zip(&steps) {
            let Some(step) = step.as_ref().filter(|step| many[*step] >= FEWEST) else {
                first = None;
                continue;
            };
            let row = match first.take() {
                Some(row) => row,
                None => self.first(body, pair[0]),
            };
            let name = match names.get(step) {
                Some(name) => name.clone(),
                None => self.step(body, pair),
            };
            first = Some(self.next(body, pair[1], row, &name));
            names.insert(step, name);
        }
    }

    /// The address that others are computed from.
    fn first(&mut self, body: &Body<'_>, address: &Address) -> Row {
        let Address { at, register, from: From { moving, base, scale }, offset } = address;
        let (moving, offset) = (body.name(*moving), body.name(*offset));
        let Some(base) = base else { return Row { from: moving, offset } };
        let from = format!("{}{}", NAMES[0], self.froms);
        self.froms += 1;
        let sum = format!("\tadd.s64 \t{from}, {}, {moving};\n", body.name(*base));
        self.instead.push((*at, sum + &wide(&body.name(*register), &offset, *scale, &from)));
        Row { from, offset }
    }

    /// How far two offsets are apart. ptxas computes it before the loop.
    fn step(&mut self, body: &Body<'_>, pair: &[&Address]) -> String {
        let name = format!("{}{}", NAMES[1], self.steps);
        self.steps += 1;
        let [first, second] = [pair[0], pair[1]].map(|address| body.name(address.offset));
        self.instead.push((pair[1].at, format!("\tsub.s32 \t{name}, {second}, {first};\n")));
        name
    }

    /// The address of the next row.
    fn next(&mut self, body: &Body<'_>, address: &Address, before: Row, step: &str) -> Row {
        let offset = format!("{}{}", NAMES[2], self.offsets);
        self.offsets += 1;
        let sum = format!("\tadd.s32 \t{offset}, {}, {step};\n", before.offset);
        let text = sum + &wide(&body.name(address.register), &offset, address.from.scale, &before.from);
        self.instead.push((address.at, text));
        Row { offset, ..before }
    }

    /// The lines of the body that become others.
    fn write(self, body: &Body<'_>, instead: &mut FxHashMap<usize, String>) {
        let Some((last, _)) = self.instead.last() else { return };
        debug_assert!(*last < body.instructions.len(), "instructions of the body");
        let mut lines: FxHashSet<usize> = FxHashSet::default();
        for (at, text) in self.instead {
            let line = body.instructions[at].line;
            if lines.insert(line) {
                instead.insert(line, text);
            } else {
                instead.entry(line).or_default().push_str(&text);
            }
        }
        let [froms, steps, offsets] = NAMES;
        let declared = [("b64", froms, self.froms), ("b32", steps, self.steps), ("b32", offsets, self.offsets)];
        let declared = declared.into_iter().filter(|(_, _, many)| *many > 0);
        let text: String = declared.map(|(ty, name, many)| format!("\t.reg .{ty} \t{name}<{many}>;\n")).collect();
        instead.insert(body.open, body.lines.raw(body.open..body.open + 1) + &text);
    }
}

/// Names of what the next address is computed from.
struct Row {
    from: String,
    offset: String,
}

/// An address from an offset.
fn wide(register: &str, offset: &str, scale: i128, from: &str) -> String {
    format!("\tmad.wide.s32 \t{register}, {offset}, {scale}, {from};\n")
}
