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

use super::body::{Body, Line, Placed};
use super::effect::Effect;
use super::lines::Lines;
use crate::{Function, Module, Register, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Loads of a run. One alone waits for nothing but its address.
const FEWEST: usize = 2;

/// Declares what the branches need.
const DECLARATIONS: &str = "\t.reg .pred \t%never, %again;\n\t.reg .b32 \t%programs;\n";
/// Tells them that they are not taken. A grid has programs.
const CONDITION: &str = "\tmov.u32 \t%programs, %nctaid.x;\n\tsetp.eq.b32 \t%never, %programs, 0;\n";

/// The text with the loads of its kernel first. Nothing where no run has several, and of a text that is not what LLVM writes.
pub(super) fn rewritten(module: &Module) -> Option<String> {
    let text = module.source.text();
    let mut functions = module.functions.iter().filter(|function| function.body.is_some());
    let function = functions.next().filter(|_| functions.next().is_none() && !text.contains("%never"))?;
    let lines = Lines::of(text);
    let body = Body::of(&lines, function)?;
    // What lies apart stands behind the end, where nothing comes from above.
    if body.instructions.last()?.step.falls_through {
        return None;
    }
    let range = passage_start(&body, body.first())..body.last() + 1;
    let before = (body.open..range.start).rev().find(|line| lines.is_location(*line));
    let units = units(&body, range.clone(), before);
    let runs = units.split(|unit| matches!(unit.kind, Kind::Fence));
    let plans: Vec<Plan<'_>> = runs.filter_map(|run| Plan::of(function, run)).collect();
    (!plans.is_empty()).then(|| Rewritten { lines: &lines, open: body.open, body: range }.text(&plans))
}

/// The line at which the passage of inline assembly begins that a line is in, or else that line.
fn passage_start(body: &Body<'_>, line: usize) -> usize {
    let before = (body.open..line).rev().take_while(|line| !body.lines.ends_inline(*line));
    let begins = before.filter(|line| body.lines.starts_inline(*line)).last();
    begins.unwrap_or(line)
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

impl Kind {
    fn of(effect: Effect) -> Self {
        match effect {
            Effect::Computes => Self::Computes,
            Effect::LoadsGlobal => Self::Loads,
            Effect::LoadsShared | Effect::StoresGlobal | Effect::StoresShared | Effect::SyncsWarp | Effect::Other => {
                Self::Fence
            }
        }
    }
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
    fn of(lines: Range<usize>, location: Option<usize>, instructions: &[Placed<'_>], is_text: bool) -> Self {
        let mut unit =
            Self { lines, location, kind: Kind::Computes, reads: Vec::new(), writes: Vec::new(), loaded: Vec::new() };
        let leaves = |Placed { step, .. }: &Placed<'_>| !step.targets.is_empty() || !step.falls_through;
        if !is_text || instructions.iter().any(leaves) {
            unit.kind = Kind::Fence;
        }
        for Placed { step, effect, .. } in instructions {
            unit.reads.extend(step.reads.iter().copied());
            unit.writes.extend(step.writes.iter().copied());
            if step.keeps {
                unit.reads.extend(step.writes.iter().copied());
            }
            match Kind::of(*effect) {
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

/// The units of these lines in their order. What says which line of the program the first one comes from may stand before them.
fn units(body: &Body<'_>, range: Range<usize>, mut location: Option<usize>) -> Vec<Unit> {
    let (lines, mut units, mut line) = (body.lines, Vec::new(), range.start);
    while line < range.end {
        let start = line;
        line += 1;
        if lines.is_location(start) {
            location = Some(start);
            continue;
        }
        let is_inline = lines.starts_inline(start);
        if is_inline {
            let end = (line..range.end).find(|line| lines.ends_inline(*line));
            line = end.map_or(range.end, |end| end + 1);
        }
        // Registers of a passage of their own are nobody else's.
        let has_scope = |line: usize| lines.trimmed(line).starts_with(['{', '}']);
        let is_text = match is_inline {
            true => !(start..line).any(has_scope),
            false => matches!(body.line(start), Line::Instruction(_) | Line::DebugLabel | Line::Blank),
        };
        units.push(Unit::of(start..line, location, body.instructions_in(start..line), is_text));
    }
    units
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
        let mut text = self.lines.raw(0..self.open + 1) + DECLARATIONS;
        text += &self.lines.raw(self.open + 1..self.body.start);
        text += CONDITION;
        let mut at = self.body.start;
        for (number, plan) in plans.iter().enumerate() {
            text += &self.lines.raw(at..plan.lines.start);
            text += &self.run(number, plan);
            at = plan.lines.end;
        }
        text += &self.lines.raw(at..self.body.end);
        for (number, plan) in plans.iter().enumerate() {
            text += &apart(number, &plan.changed);
        }
        text + &self.lines.raw(self.body.end..self.lines.len())
    }

    /// The units of a run with their places, and the branch between them.
    fn run(&self, number: usize, plan: &Plan<'_>) -> String {
        let mut location = None;
        let mut text = String::new();
        let mut units = |text: &mut String, units: &[&Unit]| {
            for unit in units {
                if unit.location != location {
                    text.extend(unit.location.map(|line| self.lines.raw(line..line + 1)));
                    location = unit.location;
                }
                text.push_str(&self.lines.raw(unit.lines.clone()));
            }
        };
        units(&mut text, &plan.first);
        text += &format!("\t@%never bra \t{0}_apart;\n{0}:\n", label(number));
        units(&mut text, &plan.rest);
        // What follows the run begins with the place of its last unit.
        let last = plan.first.iter().chain(&plan.rest).max_by_key(|unit| unit.lines.start);
        if let Some(line) = last.and_then(|unit| unit.location).filter(|line| Some(*line) != location) {
            text += &self.lines.raw(line..line + 1);
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
