//! Other orders of the multiply-adds of a product.
//!
//! A product by multiply-add goes through k in steps: each adds to all sums of a thread, and the additions of a step do not wait for each other. In which
//! order they stand says which registers ptxas gives them.
//!
//! What a step loads from shared memory, and computes of that, stays in its order and comes before the multiply-adds. Nothing passes anything else: a
//! branch, a label, a barrier, a store, inline assembly. A line that needs a sum, or writes what a multiply-add reads or writes, begins the next step.

use super::body::{Body, Placed};
use super::lines::Lines;
use crate::{Module, Register};
use rustc_hash::FxHashSet;

/// An order of the multiply-adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each step goes from the last sum to the first one.
    Reversed,
    /// The second step does, the fourth, and so on: each begins with the sums that the one before ends with.
    ThereAndBack,
    /// The first step does, the third, and so on.
    BackAndThere,
}

impl Order {
    /// Every order but that of the text.
    pub const ALL: [Self; 3] = [Self::Reversed, Self::ThereAndBack, Self::BackAndThere];

    /// Whether a step goes from the last sum to the first one, after so many others.
    fn reverses(self, steps_before: usize) -> bool {
        match self {
            Self::Reversed => true,
            Self::ThereAndBack => steps_before % 2 == 1,
            Self::BackAndThere => steps_before.is_multiple_of(2),
        }
    }
}

/// Multiply-adds of a step. Fewer are no product.
const FEWEST: usize = 8;

/// What may stand in a step beside multiply-adds: loads from shared memory whose order nobody else sees, and what makes operands and addresses.
const BEFORE: [&str; 8] = ["ld.shared.", "cvt.", "add.s32", "shl.b32", "and.b32", "mov.b32", "mov.b64", "prmt.b32"];

/// The text with the multiply-adds of its products in another order. Nothing where it has no products.
pub(super) fn rewritten(module: &Module, order: Order) -> Option<String> {
    let lines = Lines::of(module.source.text());
    let bodies: Vec<Body<'_>> = module.functions.iter().filter_map(|function| Body::of(&lines, function)).collect();
    let mut text = Text { lines: &lines, order, text: String::new(), place: None, steps: 0 };
    let (mut step, mut place, mut is_inline) = (Step::default(), None, false);
    for at in 0..lines.len() {
        if lines.is_location(at) {
            place = Some(at);
            continue;
        }
        is_inline = (is_inline || lines.starts_inline(at)) && !lines.ends_inline(at);
        let placed = bodies.iter().find_map(|body| body.instruction(at)).filter(|_| !is_inline);
        let (part, line) = (placed.and_then(Part::of), Line { at, place });
        if !part.as_ref().is_some_and(|part| step.takes(part)) {
            text.step(&mut step);
        }
        match part {
            Some(part) => step.add(line, part),
            None => text.line(line),
        }
    }
    text.step(&mut step);
    (text.steps > 0).then_some(text.text)
}

/// A line of a kernel.
#[derive(Clone, Copy)]
struct Line {
    at: usize,
    /// The line that says which line of the program it comes from.
    place: Option<usize>,
}

/// What a line of a step does.
struct Part<'b> {
    is_multiply_add: bool,
    writes: &'b [Register],
    reads: &'b [Register],
}

impl<'b> Part<'b> {
    /// Of an instruction that may be part of a step.
    fn of(placed: &'b Placed<'_>) -> Option<Self> {
        let Placed { step, .. } = placed;
        let opcode = step.instruction.opcode.as_str();
        let is_multiply_add = matches!(opcode, "fma.rn.f32" | "fma.rn.ftz.f32");
        let is_known = is_multiply_add || BEFORE.iter().any(|before| opcode.starts_with(before));
        let part = Self { is_multiply_add, writes: &step.writes, reads: &step.reads };
        (is_known && step.instruction.guard.is_none()).then_some(part)
    }
}

/// Lines whose multiply-adds do not wait for each other.
#[derive(Default)]
struct Step {
    /// All lines, in the order of the text.
    lines: Vec<Line>,
    before: Vec<Line>,
    multiply_adds: Vec<Line>,
    /// By multiply-adds.
    written: FxHashSet<Register>,
    read: FxHashSet<Register>,
}

impl Step {
    /// A line may stand before the multiply-adds of the step, or among them.
    fn takes(&self, part: &Part<'_>) -> bool {
        let is_free = |register: &Register| !self.written.contains(register);
        part.reads.iter().all(is_free) && part.writes.iter().all(|to| is_free(to) && !self.read.contains(to))
    }

    fn add(&mut self, line: Line, part: Part<'_>) {
        self.lines.push(line);
        if part.is_multiply_add {
            self.multiply_adds.push(line);
            self.written.extend(part.writes);
            self.read.extend(part.reads);
        } else {
            self.before.push(line);
        }
    }
}

/// A text as it is written again.
struct Text<'t> {
    lines: &'t Lines<'t>,
    order: Order,
    text: String,
    /// What the last line came from.
    place: Option<usize>,
    /// Steps of products so far.
    steps: usize,
}

impl Text<'_> {
    fn line(&mut self, line: Line) {
        let said = |place: Option<usize>| place.map(|place| self.lines.trimmed(place));
        let places = line.place.filter(|_| said(line.place) != said(self.place));
        for at in places.into_iter().chain([line.at]) {
            self.text.push_str(self.lines.line(at));
            self.text.push('\n');
        }
        self.place = line.place;
    }

    fn step(&mut self, step: &mut Step) {
        let Step { lines, before, mut multiply_adds, .. } = std::mem::take(step);
        if multiply_adds.len() < FEWEST {
            lines.into_iter().for_each(|line| self.line(line));
            return;
        }
        if self.order.reverses(self.steps) {
            multiply_adds.reverse();
        }
        self.steps += 1;
        before.into_iter().chain(multiply_adds).for_each(|line| self.line(line));
    }
}
