//! A text for which ptxas takes at least so many registers.
//!
//! How many CTAs share a multiprocessor follows from the registers of a thread, of which ptxas can be told how many there may be, but not how many there are to
//! be: it takes what the code needs. So the code is given a block that needs them all at once. It loads so many words and stores them in the other order,
//! and neither goes past the other, since all are `volatile`. The block is never run: the branch to it asks for a grid without programs, which ptxas does
//! not know there is none of. The branch stands before the last instruction, where nothing is waited for, and ptxas makes one of both: what a thread passes
//! is a comparison. The registers are there for all of the code then, and ptxas uses what it has use for.

use crate::control_flow::steps;
use crate::{Mnemonic, Module};
use std::ops::Range;

/// Words of one access: what loads and stores at once are fewest instructions by.
const WORDS: u32 = 4;

/// The text that holds so many registers once, a multiple of four at most that, beside the six or so that the block takes for itself. Nothing of a text whose
/// only function does not end with a return, and of one that holds registers already.
pub(super) fn rewritten(module: &Module, registers: u32) -> Option<String> {
    let text = module.source.text();
    let mut functions = module.functions.iter().filter(|function| function.body.is_some());
    let function = functions.next().filter(|_| functions.next().is_none() && !text.contains(LABEL))?;
    let steps = steps(function);
    let last = steps.last().filter(|step| step.instruction.guard.is_none())?;
    if last.instruction.opcode.mnemonic() != Some(Mnemonic::Ret) || registers < WORDS {
        return None;
    }
    let begin = text.get(offset(function.place.0.start)?..)?.find("\n{\n")? + offset(function.place.0.start)? + 3;
    let end = line(text, offset(last.instruction.place.0.start)?)?;
    let accesses = registers / WORDS;
    let parts = [
        text.get(..begin)?,
        &declarations(accesses * WORDS),
        text.get(begin..end.start)?,
        BRANCH,
        text.get(end.clone())?,
        &block(accesses),
        text.get(end.end..)?,
    ];
    Some(parts.concat())
}

const LABEL: &str = "$L__held";
/// The branch to the block. A grid has programs.
const BRANCH: &str = "\tmov.u32 \t%held_programs, %nctaid.x;\n\tsetp.eq.b32 \t%held_never, %held_programs, 0;\n\t@%held_never bra \t$L__held;\n";

fn declarations(words: u32) -> String {
    format!("\t.reg .pred \t%held_never;\n\t.reg .b32 \t%held_programs, %held<{words}>;\n\t.reg .b64 \t%held_at;\n")
}

/// Loads so many times four words, and stores them from the last to the first.
fn block(accesses: u32) -> String {
    let words = |access: u32| {
        let names: Vec<String> = (WORDS * access..WORDS * (access + 1)).map(|word| format!("%held{word}")).collect();
        names.join(", ")
    };
    let bytes = |access: u32| 4 * WORDS * access;
    let mut text = format!("{LABEL}:\n\tcvt.u64.u32 \t%held_at, %held_programs;\n");
    for access in 0..accesses {
        text += &format!("\tld.volatile.global.v4.b32 \t{{{}}}, [%held_at+{}];\n", words(access), bytes(access));
    }
    for access in (0..accesses).rev() {
        text += &format!("\tst.volatile.global.v4.b32 \t[%held_at+{}], {{{}}};\n", bytes(access), words(access));
    }
    text + "\tret;\n"
}

fn offset(place: u32) -> Option<usize> {
    usize::try_from(place).ok()
}

/// The line of an offset, if it has nothing but one instruction.
fn line(text: &str, at: usize) -> Option<Range<usize>> {
    let start = text.get(..at)?.rfind('\n')? + 1;
    let end = at + text.get(at..)?.find('\n')? + 1;
    (text.get(start..end)?.trim() == "ret;").then_some(start..end)
}
