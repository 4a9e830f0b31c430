//! A text whose loads from global memory stand before what is computed of them, and stay there.
//!
//! ptxas orders what stands between labels and branches by itself. It delays a load behind what is computed of another one at times, although there are
//! registers for both, and then a thread waits twice. It moves no load over a branch where both ways need what is loaded, so one is put behind the
//! loads. It is never taken: it asks for a grid without programs, which ptxas does not know there is none of. What lies there changes a register of
//! each load, so that both ways need them, and is a loop, since ptxas has no branch around a few instructions otherwise. A thread passes one instruction
//! that it would not have passed before.
//!
//! A run is what stands between labels, branches, stores, barriers, and everything else that loads may not pass. Of a run with several loads, these
//! and what their addresses and masks are computed from come first, in their order, then the branch, and then the rest, in its order.

use crate::control_flow::{Step, steps};
use crate::{Function, Instruction, Mnemonic, Module, Operand, Register, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Loads of a run. One alone waits for nothing but its address.
const FEWEST: usize = 2;

/// Declares what the branches need.
const DECLARATIONS: &str = "\t.reg .pred \t%never, %again;\n\t.reg .b32 \t%programs;\n";
/// Tells them that they are not taken. A grid has programs.
const CONDITION: &str = "\tmov.u32 \t%programs, %nctaid.x;\n\tsetp.eq.b32 \t%never, %programs, 0;\n";

impl Module {
    /// The text with the loads of its kernel first. Nothing where no run has several, and of a text that is not what LLVM writes.
    pub fn with_loads_first(&self) -> Option<String> {
        let text = self.source.text();
        let mut functions = self.functions.iter().filter(|function| function.body.is_some());
        let function = functions.next().filter(|_| functions.next().is_none() && !text.contains("%never"))?;
        let lines = Lines::of(text);
        let steps = steps(function);
        let (first, last) = (steps.first()?, steps.last()?);
        let open = lines.opening(function)?;
        let body = lines.unit_start(first, open)..lines.of_step(last) + 1;
        // What lies apart stands behind the end, where nothing comes from above.
        if last.falls_through {
            return None;
        }
        let before = (open..body.start).rev().find(|line| lines.is_location(*line));
        let units = units(&lines, &steps, body.clone(), before);
        let mut plans = Vec::new();
        for run in units.split(|unit| matches!(unit.kind, Kind::Fence)) {
            plans.extend(Plan::of(function, run));
        }
        if plans.is_empty() {
            return None;
        }
        Some(Rewritten { lines: &lines, open, body }.text(&plans))
    }
}

/// The lines of a text.
struct Lines<'t> {
    lines: Vec<&'t str>,
    /// The offset at which each begins.
    starts: Vec<u32>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let ends = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        Self { lines, starts: std::iter::once(0).chain(ends).collect() }
    }

    /// The line of an offset.
    fn at(&self, offset: u32) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    fn of_step(&self, step: &Step<'_>) -> usize {
        self.at(step.instruction.place.0.start)
    }

    fn trimmed(&self, line: usize) -> &'t str {
        self.lines.get(line).map_or("", |line| line.trim())
    }

    /// The line says which line of the program the next ones come from.
    fn is_location(&self, line: usize) -> bool {
        self.trimmed(line).starts_with(".loc")
    }

    /// The line that opens the body of a function.
    fn opening(&self, function: &Function) -> Option<usize> {
        (self.at(function.place.0.start)..self.lines.len()).find(|line| self.trimmed(*line) == "{")
    }

    /// The line at which the passage of inline assembly begins that a step is in, or else its own one.
    fn unit_start(&self, step: &Step<'_>, open: usize) -> usize {
        let line = self.of_step(step);
        let before = (open..line).rev().take_while(|line| !is_end_of_inline(self.trimmed(*line)));
        let begins = before.filter(|line| is_start_of_inline(self.trimmed(*line))).last();
        begins.unwrap_or(line)
    }
}

fn is_start_of_inline(line: &str) -> bool {
    line == "// begin inline asm"
}

fn is_end_of_inline(line: &str) -> bool {
    line == "// end inline asm"
}

/// What lines do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// They compute, and write registers alone.
    Computes,
    /// They load from global memory, beside that.
    Loads,
    /// Nothing passes them.
    Fence,
}

/// Lines that stay together: one, or a passage of inline assembly.
struct Unit {
    lines: Range<usize>,
    /// The line that says which line of the program they come from.
    location: Option<usize>,
    kind: Kind,
    reads: Vec<Register>,
    writes: Vec<Register>,
    /// The first register of each load.
    loaded: Vec<Register>,
}

impl Unit {
    /// A label for the debugger, a comment, or what the steps of the lines do.
    fn of(lines: Range<usize>, location: Option<usize>, steps: &[Step<'_>], is_text: bool) -> Self {
        let mut unit =
            Self { lines, location, kind: Kind::Computes, reads: Vec::new(), writes: Vec::new(), loaded: Vec::new() };
        if !is_text || steps.iter().any(|step| !step.targets.is_empty() || !step.falls_through) {
            unit.kind = Kind::Fence;
        }
        for step in steps {
            unit.reads.extend(step.reads.iter().copied());
            unit.writes.extend(step.writes.iter().copied());
            if step.keeps {
                unit.reads.extend(step.writes.iter().copied());
            }
            match kind(step.instruction) {
                Kind::Fence => unit.kind = Kind::Fence,
                Kind::Loads if unit.kind != Kind::Fence => {
                    unit.kind = Kind::Loads;
                    unit.loaded.extend(step.writes.first());
                }
                Kind::Loads | Kind::Computes => {}
            }
        }
        unit
    }
}

/// What an instruction does. One that is not known to do nothing else is a fence.
fn kind(instruction: &Instruction) -> Kind {
    use Mnemonic::*;
    let opcode = &instruction.opcode;
    let reads_time = instruction.operands.iter().any(
        |operand| matches!(operand, Operand::Special(name) if name.contains("clock") || name.contains("globaltimer")),
    );
    let computes = matches!(
        opcode.mnemonic(),
        Some(
            Add | Sub
                | Mul
                | Mad
                | Mul24
                | Mad24
                | Sad
                | Div
                | Rem
                | Abs
                | Neg
                | Min
                | Max
                | Popc
                | Clz
                | Bfind
                | Fns
                | Brev
                | Bfe
                | Bfi
                | Szext
                | Bmsk
                | Dp4a
                | Dp2a
                | Testp
                | Copysign
                | Fma
                | Rcp
                | Sqrt
                | Rsqrt
                | Sin
                | Cos
                | Lg2
                | Ex2
                | Tanh
                | Set
                | Setp
                | Selp
                | Slct
                | And
                | Or
                | Xor
                | Not
                | Cnot
                | Lop3
                | Shf
                | Shl
                | Shr
                | Mov
                | Prmt
                | Cvt
                | Cvta
                | Createpolicy
        )
    );
    // A carry goes from one instruction to the next.
    if computes && !reads_time && !opcode.has("cc") {
        return Kind::Computes;
    }
    let is_load = opcode.mnemonic() == Some(Mnemonic::Ld);
    let is_ordered = ["volatile", "relaxed", "acquire", "mmio"].iter().any(|order| opcode.has(order));
    match (is_load && !is_ordered, opcode.has("global"), opcode.has("param")) {
        (true, true, _) => Kind::Loads,
        (true, false, true) => Kind::Computes,
        (true, false, false) | (false, _, _) => Kind::Fence,
    }
}

/// The units of a body in the order of the text. What says which line of the program the first one comes from may stand before it.
fn units(lines: &Lines<'_>, steps: &[Step<'_>], body: Range<usize>, mut location: Option<usize>) -> Vec<Unit> {
    let (mut units, mut rest, mut line) = (Vec::new(), steps, body.start);
    while line < body.end {
        let start = line;
        let text = lines.trimmed(line);
        line += 1;
        if lines.is_location(start) {
            location = Some(start);
            continue;
        }
        let is_inline = is_start_of_inline(text);
        if is_inline {
            let end = (line..body.end).find(|line| is_end_of_inline(lines.trimmed(*line)));
            line = end.map_or(body.end, |end| end + 1);
        }
        let (own, others) = rest.split_at(rest.partition_point(|step| lines.of_step(step) < line));
        rest = others;
        // Registers of a passage of their own are nobody else's.
        let has_scope = |line: usize| matches!(lines.trimmed(line).chars().next(), Some('{' | '}'));
        let is_text = match is_inline {
            true => !(start..line).any(has_scope),
            false => (text.ends_with(';') && own.len() == 1) || is_silent(text),
        };
        units.push(Unit::of(start..line, location, own, is_text));
    }
    units
}

/// A line that does nothing: empty, a comment, a label that only the debugger looks at.
fn is_silent(text: &str) -> bool {
    text.is_empty() || text.starts_with("//") || text.starts_with("$L__tmp") && text.ends_with(':')
}

/// A run with its loads first.
struct Plan<'u> {
    first: Vec<&'u Unit>,
    rest: Vec<&'u Unit>,
    /// What the branch that is never taken changes: a register of each load, with its name and its type.
    changed: Vec<(String, Type)>,
    lines: Range<usize>,
}

impl<'u> Plan<'u> {
    fn of(function: &Function, run: &'u [Unit]) -> Option<Self> {
        let loaded = || run.iter().flat_map(|unit| &unit.loaded);
        if loaded().count() < FEWEST {
            return None;
        }
        let is_first = needed_by_loads(run);
        let (first, rest): (Vec<_>, Vec<_>) = run.iter().zip(&is_first).partition(|(_, is_first)| **is_first);
        if !may_pass(run, &is_first) {
            return None;
        }
        let changed = loaded().map(|register| {
            let ty = words(function.register_type(*register))?;
            Some((function.register_name(*register), ty))
        });
        let lines = run.first()?.lines.start..run.last()?.lines.end;
        let units = |units: Vec<(&'u Unit, &bool)>| units.into_iter().map(|(unit, _)| unit).collect();
        Some(Self { first: units(first), rest: units(rest), changed: changed.collect::<Option<_>>()?, lines })
    }
}

/// A type whose bits `not` and `setp` take.
fn words(ty: Type) -> Option<Type> {
    match ty.bits() {
        16 if !ty.is_float() => Some(Type::B16),
        32 if !ty.is_float() => Some(Type::B32),
        64 if !ty.is_float() => Some(Type::B64),
        _ => None,
    }
}

/// Which units load, or compute what loads need.
fn needed_by_loads(run: &[Unit]) -> Vec<bool> {
    let mut writers: FxHashMap<Register, usize> = FxHashMap::default();
    let mut sources = Vec::new();
    for (at, unit) in run.iter().enumerate() {
        sources.push(unit.reads.iter().filter_map(|register| writers.get(register).copied()).collect::<Vec<_>>());
        writers.extend(unit.writes.iter().map(|register| (*register, at)));
    }
    let mut is_needed: Vec<bool> = run.iter().map(|unit| unit.kind == Kind::Loads).collect();
    for (at, sources) in sources.iter().enumerate().rev() {
        if is_needed[at] {
            sources.iter().for_each(|source| is_needed[*source] = true);
        }
    }
    is_needed
}

/// Nothing that comes first reads or writes what a unit writes that stood before it, nor writes what that reads.
fn may_pass(run: &[Unit], is_first: &[bool]) -> bool {
    let (mut read, mut written): (FxHashSet<Register>, FxHashSet<Register>) = Default::default();
    for (unit, is_first) in run.iter().zip(is_first) {
        if !is_first {
            read.extend(&unit.reads);
            written.extend(&unit.writes);
            continue;
        }
        let meets = |registers: &[Register], of: &FxHashSet<Register>| registers.iter().any(|one| of.contains(one));
        if meets(&unit.writes, &read) || meets(&unit.writes, &written) || meets(&unit.reads, &written) {
            return false;
        }
    }
    true
}

/// A text that is written again.
struct Rewritten<'t> {
    lines: &'t Lines<'t>,
    /// The line that opens the body.
    open: usize,
    /// From the first instruction to the last one.
    body: Range<usize>,
}

impl Rewritten<'_> {
    fn text(&self, plans: &[Plan<'_>]) -> String {
        let mut text = self.raw(0..self.open + 1) + DECLARATIONS;
        text += &self.raw(self.open + 1..self.body.start);
        text += CONDITION;
        let mut at = self.body.start;
        for (number, plan) in plans.iter().enumerate() {
            text += &self.raw(at..plan.lines.start);
            text += &self.run(number, plan);
            at = plan.lines.end;
        }
        text += &self.raw(at..self.body.end);
        for (number, plan) in plans.iter().enumerate() {
            text += &apart(number, &plan.changed);
        }
        text + &self.raw(self.body.end..self.lines.lines.len())
    }

    fn raw(&self, lines: Range<usize>) -> String {
        self.lines.lines[lines].iter().flat_map(|line| [line, "\n"]).collect()
    }

    /// The units of a run with their places, and the branch between them.
    fn run(&self, number: usize, plan: &Plan<'_>) -> String {
        let mut location = None;
        let mut text = String::new();
        let mut units = |text: &mut String, units: &[&Unit]| {
            for unit in units {
                if unit.location != location {
                    text.extend(unit.location.map(|line| self.raw(line..line + 1)));
                    location = unit.location;
                }
                text.push_str(&self.raw(unit.lines.clone()));
            }
        };
        units(&mut text, &plan.first);
        text += &format!("\t@%never bra \t{0}_apart;\n{0}:\n", label(number));
        units(&mut text, &plan.rest);
        // What follows the run begins with the place of its last unit.
        let last = plan.first.iter().chain(&plan.rest).max_by_key(|unit| unit.lines.start);
        if let Some(line) = last.and_then(|unit| unit.location).filter(|line| Some(*line) != location) {
            text += &self.raw(line..line + 1);
        }
        text
    }
}

fn label(number: usize) -> String {
    format!("$L__loads{number}")
}

/// What a branch that is never taken goes to.
fn apart(number: usize, changed: &[(String, Type)]) -> String {
    let label = label(number);
    let mut text = format!("{label}_apart:\n");
    for (register, ty) in changed {
        text += &format!("\tnot.{0} \t{register}, {register};\n", ty.name());
    }
    if let Some((register, ty)) = changed.first() {
        text += &format!("\tsetp.ne.{} \t%again, {register}, 0;\n\t@%again bra \t{label}_apart;\n", ty.name());
    }
    text + &format!("\tbra.uni \t{label};\n")
}
