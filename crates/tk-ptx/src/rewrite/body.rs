//! What the lines of a function's body say.

use super::effect::Effect;
use super::lines::Lines;
use crate::control_flow::{Step, steps};
use crate::{Function, Register};
use std::ops::Range;

/// The body of a function, with the instructions of each line.
pub(super) struct Body<'m> {
    pub(super) lines: &'m Lines<'m>,
    pub(super) function: &'m Function,
    /// Its instructions, in the order of the text.
    pub(super) instructions: Vec<Placed<'m>>,
    /// The line that opens it.
    pub(super) open: usize,
}

/// An instruction of a body.
pub(super) struct Placed<'m> {
    pub(super) step: Step<'m>,
    pub(super) effect: Effect,
    /// The line that it begins in.
    pub(super) line: usize,
}

/// What a line says.
pub(super) enum Line<'b, 'm> {
    /// Where what follows comes from in the program.
    Location,
    /// A label that only debuggers look at.
    DebugLabel,
    /// A comment, or nothing.
    Blank,
    /// One instruction.
    Instruction(&'b Placed<'m>),
    /// Several instructions, a part of one, a brace, a label that code goes to, a declaration.
    Other,
}

impl<'m> Body<'m> {
    /// Nothing of a function that is declared alone, and of one without instructions.
    pub(super) fn of(lines: &'m Lines<'m>, function: &'m Function) -> Option<Self> {
        let placed = |step: Step<'m>| {
            let instruction = step.instruction;
            Placed { step, effect: Effect::of(instruction), line: lines.at(instruction.place.0.start) }
        };
        let instructions: Vec<Placed<'_>> = steps(function).into_iter().map(placed).collect();
        let first = instructions.first()?.line;
        let open = (lines.at(function.place.0.start)..first).find(|line| lines.trimmed(*line) == "{")?;
        Some(Self { lines, function, instructions, open })
    }

    /// The line of the first instruction.
    pub(super) fn first(&self) -> usize {
        self.instructions.first().map_or(self.open, |first| first.line)
    }

    /// The line of the last instruction.
    pub(super) fn last(&self) -> usize {
        self.instructions.last().map_or(self.open, |last| last.line)
    }

    /// The instructions that begin in lines.
    pub(super) fn instructions_in(&self, lines: Range<usize>) -> &[Placed<'m>] {
        let place = |line: usize| self.instructions.partition_point(|instruction| instruction.line < line);
        &self.instructions[place(lines.start)..place(lines.end.max(lines.start))]
    }

    /// The instruction of a line, if that is all that it says.
    pub(super) fn instruction(&self, line: usize) -> Option<&Placed<'m>> {
        let text = self.lines.trimmed(line);
        if !text.ends_with(';') || text.starts_with(['{', '}']) {
            return None;
        }
        match self.instructions_in(line..line + 1) {
            [instruction] => Some(instruction),
            _ => None,
        }
    }

    pub(super) fn line(&self, line: usize) -> Line<'_, 'm> {
        if self.lines.is_location(line) {
            Line::Location
        } else if self.lines.is_debug_label(line) {
            Line::DebugLabel
        } else if self.lines.is_blank(line) {
            Line::Blank
        } else {
            self.instruction(line).map_or(Line::Other, Line::Instruction)
        }
    }

    /// The name of a register in the text.
    pub(super) fn name(&self, register: Register) -> String {
        self.function.register_name(register)
    }
}
