//! What needs no load is computed while loads are under way.
//!
//! A block is loaded, and random numbers of its places are computed. ptxas moves each load down to where its number is needed, to save registers: a thread asks
//! for a part of its block, computes, waits, and asks for the next part. Barriers of a warp or a CTA move along, since nothing else stands between. Only blocks of
//! the program keep their order. So the text gets three of them: the loads, what needs none, and what does. They end in branches that nothing takes, by numbers
//! which ptxas does not know.
//!
//! True for kernels of one block, as far as the first barrier or exchange behind its first loads, or the first load behind a store, where more instructions need
//! no load than do, and than follow, and so many ([`LEAST`]). Stores to global memory keep their order, and
//! come with what needs loads: where half of the numbers were computed behind the first store, ptxas moved the other half there, too, behind the first uses of
//! what was loaded.
//!
//! It is for grids that are known to bring few CTAs. Few CTAs start together and wait together. Among many there are always some
//! that load: three such launches were 1.3 % slower to 0.8 % faster, two others 3 and 7 % faster. With few CTAs eight launches were up to 1.23 times as fast on
//! an H200, and none slower (docs/measurements.md, "What needs no load is computed beside loads").
//!
//! 1. Where loads end, and what follows them ([`Places`]).  2. What needs them ([`Parts`]).  3. Write the parts.

use super::LOAD;
use super::body::{Body, Line, Placed};
use super::effect::Effect;
use super::lines::Lines;
use crate::control_flow::Step;
use crate::{Module, Register};
use rustc_hash::FxHashSet;

/// Instructions that need no load, at least: in fewer cycles no load comes.
const LEAST: usize = 200;

/// Declares what the branches need.
const DECLARATIONS: &str = "\t.reg .pred %never<2>;\n\t.reg .b32 %lanes<2>;\n";
/// Tells them that they are not taken. Each lane has lanes before it, or is the first one, and none has all; each is one of those up to it.
const CONDITIONS: &str = "\tmov.u32 %lanes0, %lanemask_lt;\n\tsetp.eq.b32 %never0, %lanes0, -1;\n\
                          \tmov.u32 %lanes1, %lanemask_le;\n\tsetp.eq.b32 %never1, %lanes1, 0;\n";

/// The text has loads, and LLVM has not written more than one block.
pub(super) fn may_change(ptx: &str) -> bool {
    ptx.contains(LOAD) && !ptx.contains("$L__BB")
}

/// The text with its loads, what needs none, and what does, in three blocks, where that is worth it.
pub(super) fn rewritten(module: &Module) -> Option<String> {
    let [function] = module.functions.as_slice() else { return None };
    if !function.is_entry || !may_change(module.source.text()) {
        return None;
    }
    let lines = Lines::of(module.source.text());
    let body = Body::of(&lines, function)?;
    let places = Places::of(&body)?;
    let parts = Parts::of(&body, &places)?;
    Some(written(&body, &places, &parts))
}

/// Lines of a kernel of straight code.
struct Places {
    /// Behind the last line that declares registers.
    declared: usize,
    /// Behind the last load.
    loaded: usize,
    /// The first line of what follows the computations.
    end: usize,
    /// The line that ends the kernel.
    returns: usize,
}

impl Places {
    fn of(body: &Body<'_>) -> Option<Self> {
        let returns = only_return(body)?;
        let is_declaration = |line: &usize| body.lines.trimmed(*line).starts_with(".reg ");
        let declared = (body.open..=body.last()).rev().find(is_declaration)? + 1;
        let first = (body.open..=body.last()).find(|line| effect(body, *line) == Some(Effect::LoadsGlobal))?;
        let mut is_stored = false;
        let end = (first..=body.last()).find(|line| match effect(body, *line) {
            Some(Effect::LoadsGlobal) => is_stored,
            Some(Effect::StoresGlobal) => {
                is_stored = true;
                false
            }
            Some(_) | None => Movable::of(body, *line).is_none(),
        })?;
        let loaded = (first..end).rev().find(|line| effect(body, *line) == Some(Effect::LoadsGlobal))? + 1;
        (declared < first && end <= returns).then_some(Self { declared, loaded, end, returns })
    }
}

/// The line by which a kernel ends that ends in one place.
fn only_return(body: &Body<'_>) -> Option<usize> {
    let is_return = |line: &usize| body.lines.trimmed(*line) == "ret;";
    let mut found = (body.open..=body.last()).filter(is_return);
    found.next().filter(|_| found.next().is_none())
}

/// What the only instruction of a line does.
fn effect(body: &Body<'_>, line: usize) -> Option<Effect> {
    body.instruction(line).map(|instruction| instruction.effect)
}

/// A line that may change places with others.
enum Movable<'b, 'm> {
    /// Where what follows comes from in the program.
    Location,
    /// The name of a line, which debuggers know.
    Label,
    /// A comment, or an empty line.
    Nothing,
    /// It writes to memory, or orders writes to shared memory.
    Write,
    Computation(&'b Step<'m>),
}

impl<'b, 'm> Movable<'b, 'm> {
    fn of(body: &'b Body<'m>, line: usize) -> Option<Self> {
        let instruction = match body.line(line) {
            Line::Location => return Some(Self::Location),
            Line::DebugLabel => return Some(Self::Label),
            Line::Blank => return Some(Self::Nothing),
            Line::Instruction(instruction) => instruction,
            Line::Other => return None,
        };
        let is_guarded = instruction.step.instruction.guard.is_some();
        match instruction.effect {
            Effect::StoresGlobal => Some(Self::Write),
            Effect::StoresShared | Effect::SyncsWarp if !is_guarded => Some(Self::Write),
            // What stands behind a condition leaves a register as it was where that is false, so it has another definition.
            Effect::Computes if !is_guarded => Some(Self::Computation(&instruction.step)),
            Effect::Computes
            | Effect::LoadsGlobal
            | Effect::LoadsShared
            | Effect::StoresShared
            | Effect::SyncsWarp
            | Effect::Other => None,
        }
    }
}

/// A line with the one that says where it comes from in the program.
struct Located {
    location: Option<usize>,
    line: usize,
}

/// What follows the loads.
struct Parts {
    /// What needs none of them.
    free: Vec<Located>,
    /// What does, and what is written to memory.
    waiting: Vec<Located>,
}

impl Parts {
    /// `None` where a register has two definitions, or little needs no load.
    fn of(body: &Body<'_>, places: &Places) -> Option<Self> {
        let before = places.declared..places.loaded;
        let mut location = before.clone().rev().find(|line| body.lines.is_location(*line));
        let mut defined: FxHashSet<Register> = FxHashSet::default();
        let mut pending: FxHashSet<Register> = FxHashSet::default();
        for Placed { step, effect, .. } in body.instructions_in(before) {
            defined.extend(&step.writes);
            if *effect == Effect::LoadsGlobal {
                pending.extend(&step.writes);
            }
        }
        let mut parts = Self { free: Vec::new(), waiting: Vec::new() };
        for line in places.loaded..places.end {
            match Movable::of(body, line)? {
                Movable::Location => location = Some(line),
                Movable::Label => parts.free.push(Located { location: None, line }),
                Movable::Nothing => {}
                Movable::Write => parts.waiting.push(Located { location, line }),
                Movable::Computation(step) => {
                    if step.writes.is_empty() || !step.writes.iter().all(|register| defined.insert(*register)) {
                        return None;
                    }
                    let needs_load = step.reads.iter().any(|register| pending.contains(register));
                    if needs_load {
                        pending.extend(&step.writes);
                    }
                    let part = if needs_load { &mut parts.waiting } else { &mut parts.free };
                    part.push(Located { location, line });
                }
            }
        }
        parts.is_worth_it(body, places).then_some(parts)
    }

    fn is_worth_it(&self, body: &Body<'_>, places: &Places) -> bool {
        let follows = |line: &usize| body.lines.trimmed(*line).ends_with(';');
        let free = self.free.len();
        let following = (places.end..places.returns).filter(follows).count();
        free >= LEAST && free > self.waiting.len() && free > following
    }
}

fn written(body: &Body<'_>, places: &Places, parts: &Parts) -> String {
    let raw = |lines| body.lines.raw(lines);
    let mut text = raw(0..places.declared) + DECLARATIONS + &raw(places.declared..places.loaded) + CONDITIONS;
    text += "\t@%never0 bra $L__never;\n";
    text += &part(body, &parts.free);
    text += "\t@%never1 bra $L__never;\n";
    text += &part(body, &parts.waiting);
    text += &raw(places.end..places.returns);
    text += "$L__never:\n";
    text + &raw(places.returns..body.lines.len())
}

/// The lines of a part. Says a place where it is another one than that of the instruction before.
fn part(body: &Body<'_>, part: &[Located]) -> String {
    let (mut text, mut said) = (String::new(), None);
    for Located { location, line } in part {
        let said_there = said.map(|line| body.lines.trimmed(line));
        let place = location.filter(|place| said_there != Some(body.lines.trimmed(*place)));
        if let Some(place) = place {
            text += &body.lines.raw(place..place + 1);
            said = Some(place);
        }
        text += &body.lines.raw(*line..line + 1);
    }
    text
}
