//! What a load brings is not loaded again.
//!
//! A window that moves along a row by one element is a load of the block for each place of the window. Where a thread has eight elements of the row, one of
//! these loads moves all of them at once, and the others, whose blocks begin between aligned addresses, an element at a time: all but one of these elements
//! came with the first. So do scales of a group that each step of a loop loads, when its steps are written out. Each load goes through the L1 cache by itself,
//! which answers a line in a cycle, and lanes that lie 16 bytes apart take four lines for four bytes each.
//!
//! Here addresses show what they have in common, as a register and a number. Of loads with one register, one condition and the same hints to caches the wider one
//! stays, where the first of them stands; the others become moves of its registers. That needs that nothing between them may write to memory or wait for somebody
//! who does: they stand in one stretch of computations and loads ([`stretches`]). What a condition leaves out is zero in all of them.
//!
//! Where few of the loads go, ptxas orders the others anew, for better or worse: at least a part of them has to go ([`LEAST`]), and a larger one beside products of
//! tensor cores, where loads are seldom what takes the time ([`LEAST_BESIDE_PRODUCTS`]).
//!
//! 1. Find stretches and their loads.  2. Choose which load brings which others ([`Plan`]).  3. Write moves.

use super::LOAD;
use super::body::{Body, Line, Placed};
use super::effect::Effect;
use super::lines::Lines;
use crate::{Address, Base, Guard, Immediate, Instruction, Mnemonic, Module, Operand, Register, Type};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::ops::Range;

/// One in so many loads goes, at least. On an H200 28 kernels with as many or more were level to 2.9 times as fast, the worst at 0.99 of its speed; of two
/// with fewer one was at 0.97 (docs/measurements.md, "What a load brings is not loaded again").
const LEAST: usize = 10;

/// The same in kernels with products: eleven with as many or more were level to 1.7 times as fast, and three with fewer at 0.92 of their
/// speed.
const LEAST_BESIDE_PRODUCTS: usize = 4;

/// Two loads of the text may ask for the same bytes.
pub(super) fn may_change(ptx: &str) -> bool {
    let mut seen: FxHashMap<&str, Vec<Range<i64>>> = FxHashMap::default();
    ptx.split(LOAD).skip(1).filter_map(bytes_of).any(|(base, bytes)| {
        let others = seen.entry(base).or_default();
        let is_there = others.iter().any(|other| other.start < bytes.end && bytes.start < other.end);
        others.push(bytes);
        is_there
    })
}

/// The register and the bytes behind it that a load asks for, by the text behind [`LOAD`].
fn bytes_of(load: &str) -> Option<(&str, Range<i64>)> {
    let (width, rest) = load.split_once(char::is_whitespace)?;
    let Width { word, lanes, .. } = Width::of(width)?;
    let address = rest.split_once('[')?.1.split_once(']')?.0.trim();
    let end = address.find(|letter: char| !(letter.is_ascii_alphanumeric() || "%_$".contains(letter)));
    let (base, offset) = address.split_at(end.unwrap_or(address.len()));
    let offset = if offset.is_empty() { Some(0) } else { offset.trim_start_matches(['+', ' ']).parse::<i64>().ok() };
    // Of one that is written in another way nothing is known here.
    let bytes = offset.map_or(i64::MIN..i64::MAX, |start| start..start.saturating_add((word * lanes) as i64));
    Some((base, bytes))
}

/// The text without loads of what other loads bring.
pub(super) fn rewritten(module: &Module) -> Option<String> {
    let lines = Lines::of(module.source.text());
    let bodies: Vec<Body<'_>> = module.functions.iter().filter_map(|function| Body::of(&lines, function)).collect();
    let mut plan = Plan::default();
    for body in &bodies {
        stretches(body).into_iter().for_each(|stretch| plan.add(body, stretch));
    }
    let all: usize = bodies.iter().map(loads).sum();
    let least = if bodies.iter().any(has_products) { LEAST_BESIDE_PRODUCTS } else { LEAST };
    (plan.taken > 0 && plan.taken * least >= all).then(|| plan.written(&lines))
}

/// Tensor cores multiply.
fn has_products(body: &Body<'_>) -> bool {
    body.instructions.iter().any(|instruction| instruction.step.instruction.opcode.as_str().contains("mma."))
}

/// How many loads from global memory a function has.
fn loads(body: &Body<'_>) -> usize {
    body.instructions.iter().filter(|instruction| instruction.effect == Effect::LoadsGlobal).count()
}

/// Ranges of lines that only load and compute.
fn stretches(body: &Body<'_>) -> Vec<Range<usize>> {
    let (mut found, mut start) = (Vec::new(), body.first());
    for at in body.first()..=body.last() {
        let goes_on = match body.line(at) {
            Line::Location | Line::DebugLabel | Line::Blank => true,
            Line::Instruction(instruction) => match instruction.effect {
                Effect::Computes | Effect::LoadsGlobal | Effect::LoadsShared => true,
                Effect::StoresGlobal | Effect::StoresShared | Effect::SyncsWarp | Effect::Other => false,
            },
            Line::Other => false,
        };
        if !goes_on {
            found.push(start..at);
            start = at + 1;
        }
    }
    found.push(start..body.last() + 1);
    found
}

/// What loads have to share.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Access<'m> {
    guard: Option<Guard>,
    /// What stands in the name between the memory and the width.
    qualifiers: &'m str,
    base: Register,
    /// What follows the address: how caches keep the line.
    policy: Vec<Register>,
}

impl Access<'_> {
    fn has(&self, register: Register) -> bool {
        let is_guard = self.guard.is_some_and(|guard| guard.register == register);
        is_guard || self.base == register || self.policy.contains(&register)
    }
}

/// A load, with the lines before it that say what its registers are where its condition is false.
struct Load<'m> {
    lines: Range<usize>,
    access: Access<'m>,
    offset: i64,
    /// Bytes of a register of it.
    word: usize,
    words: Vec<Register>,
}

impl<'m> Load<'m> {
    /// `None` for other instructions, loads that ask anew each time, and where registers are not as wide as memory, or not zero without the condition.
    fn of(body: &Body<'m>, start: usize, at: usize) -> Option<Self> {
        let placed = body.instruction(at).filter(|placed| placed.effect == Effect::LoadsGlobal)?;
        let instruction = placed.step.instruction;
        let Width { qualifiers, word, .. } = Width::of(instruction.opcode.as_str().strip_prefix(LOAD)?)?;
        let [target, Operand::Address(address), policy @ ..] = instruction.operands.as_slice() else { return None };
        let Address { base: Base::Register(base), offset, more } = &**address else { return None };
        let words = match target {
            Operand::Vector(parts) => parts.iter().map(register_of).collect::<Option<_>>()?,
            one => vec![register_of(one)?],
        };
        let policy = policy.iter().map(register_of).collect::<Option<Vec<_>>>()?;
        let guard = instruction.guard;
        let lines = if guard.is_none() { at..at + 1 } else { first_zero(body, start, at, &words)?..at + 1 };
        // `.cv` asks for what memory has now.
        let is_fresh = instruction.opcode.has("cv");
        let fits = |register: &Register| holds(body.function.register_type(*register), word);
        let is_known = !is_fresh && more.is_empty() && !words.is_empty() && words.iter().all(fits);
        let access = Access { guard, qualifiers, base: *base, policy };
        is_known.then_some(Self { lines, access, offset: *offset, word, words })
    }

    fn bytes(&self) -> usize {
        self.word * self.words.len()
    }

    /// Where in it the first byte of another load of the same access lies, if it brings all of that.
    fn place_of(&self, other: &Self) -> Option<usize> {
        let place = usize::try_from(other.offset.checked_sub(self.offset)?).ok()?;
        let can_part = matches!((self.word, other.word), (8, 8 | 4) | (4, 4 | 2 | 1) | (2, 2 | 1) | (1, 1));
        let is_inside = place % other.word == 0 && place + other.bytes() <= self.bytes();
        (can_part && is_inside).then_some(place)
    }

    /// The moves that take the registers of another load, which begins at `place`, from those of this one.
    fn moves_to(&self, body: &Body<'_>, other: &Self, place: usize) -> Vec<String> {
        let parts = other.words.iter().enumerate().map(|(number, register)| {
            let byte = place + number * other.word;
            let from = body.name(self.words[byte / self.word]);
            part_of(&from, self.word, &body.name(*register), other.word, byte % self.word)
        });
        parts.collect()
    }
}

/// How the name of a load goes on behind [`LOAD`].
struct Width<'m> {
    /// What stands before the width.
    qualifiers: &'m str,
    /// Bytes of each register.
    word: usize,
    /// Registers.
    lanes: usize,
}

impl<'m> Width<'m> {
    /// `None` for types other than bits.
    fn of(name: &'m str) -> Option<Self> {
        let (qualifiers, bits) = name.rsplit_once(".b")?;
        let word = bits.parse::<usize>().ok().map(|bits| bits / 8).filter(|word| *word > 0)?;
        let vectors = [(".v2", 2), (".v4", 4), (".v8", 8)];
        let vector = vectors.iter().find_map(|(name, lanes)| Some((qualifiers.strip_suffix(name)?, *lanes)));
        let (qualifiers, lanes) = vector.unwrap_or((qualifiers, 1));
        Some(Self { qualifiers, word, lanes })
    }
}

fn register_of(operand: &Operand) -> Option<Register> {
    if let Operand::Register(register) = operand { Some(*register) } else { None }
}

/// A register of this type has as many bits as so many bytes of memory, or the fewest that registers have.
fn holds(ty: Type, bytes: usize) -> bool {
    !ty.is_float() && ty != Type::Pred && ty.bits() as usize == 8 * bytes.max(2)
}

/// The first of the lines directly before a load that set its registers to zero, if all of them are.
fn first_zero(body: &Body<'_>, start: usize, at: usize, words: &[Register]) -> Option<usize> {
    let begin = at.checked_sub(words.len()).filter(|begin| *begin >= start)?;
    let mut zeroed: Vec<Register> =
        (begin..at).filter_map(|line| zeroed_register(body.instruction(line)?.step.instruction)).collect();
    let mut words = words.to_vec();
    zeroed.sort_unstable();
    words.sort_unstable();
    (zeroed == words).then_some(begin)
}

/// `%r1` of `mov.u32 %r1, 0x0;`.
fn zeroed_register(instruction: &Instruction) -> Option<Register> {
    let is_move = instruction.opcode.mnemonic() == Some(Mnemonic::Mov) && instruction.guard.is_none();
    match instruction.operands.as_slice() {
        [Operand::Register(register), Operand::Immediate(Immediate::Int(0))] if is_move => Some(*register),
        _ => None,
    }
}

/// An instruction that moves the bytes from `place` of a register with `bytes` of them to another register.
fn part_of(from: &str, bytes: usize, to: &str, wanted: usize, place: usize) -> String {
    let bits = 8 * bytes.max(2);
    if bytes == wanted {
        return format!("\tmov.b{bits} \t{to}, {from};");
    }
    match (bytes, wanted, place) {
        (4, 1, _) => {
            format!("\t{{ .reg .b32 %part; bfe.u32 %part, {from}, {}, 8; cvt.u16.u32 {to}, %part; }}", 8 * place)
        }
        (2, 1, 0) => format!("\tand.b16 \t{to}, {from}, 255;"),
        (2, 1, _) => format!("\tshr.u16 \t{to}, {from}, 8;"),
        (_, _, 0) => format!("\t{{ .reg .b{} %part; mov.b{bits} {{{to}, %part}}, {from}; }}", bits / 2),
        _ => format!("\t{{ .reg .b{} %part; mov.b{bits} {{%part, {to}}}, {from}; }}", bits / 2),
    }
}

/// Which lines become others.
#[derive(Default)]
struct Plan {
    /// What stands in place of lines: nothing, moves, or a load with moves.
    instead: FxHashMap<usize, String>,
    /// Loads that go.
    taken: usize,
}

impl Plan {
    /// The loads of a stretch that others bring.
    fn add(&mut self, body: &Body<'_>, stretch: Range<usize>) {
        let mut groups: FxHashMap<Access<'_>, Vec<Load<'_>>> = FxHashMap::default();
        for load in stretch.clone().filter_map(|at| Load::of(body, stretch.start, at)) {
            groups.entry(load.access.clone()).or_default().push(load);
        }
        for mut loads in groups.into_values().filter(|loads| loads.len() > 1) {
            loads.sort_by_key(|load| (Reverse(load.bytes()), load.lines.start));
            while !loads.is_empty() {
                let wide = loads.remove(0);
                let (brought, rest) = loads.into_iter().partition(|load| wide.place_of(load).is_some());
                loads = rest;
                self.take(body, &wide, brought);
            }
        }
    }

    /// Lets a load bring others, if its registers and its address are the same wherever they stand.
    fn take(&mut self, body: &Body<'_>, wide: &Load<'_>, mut brought: Vec<Load<'_>>) {
        brought.sort_by_key(|load| load.lines.start);
        let (Some(first), Some(last)) = (brought.first(), brought.last()) else { return };
        let begin = first.lines.start.min(wide.lines.start);
        let end = last.lines.end.max(wide.lines.end);
        if !keeps_meaning(body, begin..end, wide) {
            return;
        }
        self.taken += brought.len();
        let mut text = String::new();
        if begin < wide.lines.start {
            text += &body.lines.raw(wide.lines.clone());
            self.leave_out(wide.lines.clone());
        }
        for load in &brought {
            let moves = wide.place_of(load).into_iter().flat_map(|place| wide.moves_to(body, load, place));
            text.extend(moves.map(|line| line + "\n"));
            self.leave_out(load.lines.clone());
            self.instead.insert(load.lines.end - 1, std::mem::take(&mut text));
        }
    }

    fn leave_out(&mut self, lines: Range<usize>) {
        self.instead.extend(lines.map(|at| (at, String::new())));
    }

    fn written(&self, lines: &Lines<'_>) -> String {
        let line = |at: usize| self.instead.get(&at).cloned().unwrap_or_else(|| lines.raw(at..at + 1));
        (0..lines.len()).map(line).collect()
    }
}

/// Nothing else in the range writes what the address and the condition are made of, or registers of the load, or reads these before it.
fn keeps_meaning(body: &Body<'_>, range: Range<usize>, load: &Load<'_>) -> bool {
    let is_word = |register: &Register| load.words.contains(register);
    let keeps = |at: usize| {
        body.instructions_in(at..at + 1).iter().all(|Placed { step, .. }| {
            let reads_early = at < load.lines.start && step.reads.iter().any(is_word);
            let writes = step.writes.iter().any(|register| load.access.has(*register) || is_word(register));
            !reads_early && !writes
        })
    };
    let writes_address = load.words.iter().any(|word| load.access.has(*word));
    !writes_address && range.filter(|at| !load.lines.contains(at)).all(keeps)
}
