//! Hand-overs between two warp groups: each has a named barrier of the CTA at which it waits and the other arrives.

use super::{Emitter, wgmma};
use crate::code::{Asm, Code, IntTest, Reg};
use std::fmt::Write;
use tk_diag::Result;
use tk_ir::Op;
use tk_ir::attributes::BEHIND_WORDS;
use tk_ir::ops::WarpGroupDotOp;

/// Barrier 0 is that of all threads; the first group waits at barrier 1 and the second at barrier 2.
const FIRST: i64 = 1;

/// `tk.wait_hand_over`: each group waits at its own barrier.
pub(super) fn emit_wait<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let group = group_number(emitter);
    let first = emitter.code.i32(FIRST);
    let own = emitter.code.add(group, first);
    let dot = op
        .attr(BEHIND_WORDS)
        .and_then(|_| std::iter::successors(op.next(), |op| op.next()).find_map(WarpGroupDotOp::cast));
    let words = dot.map_or_else(|| Ok(Vec::new()), |dot| wgmma::computed_words(emitter, dot))?;
    let text = if words.is_empty() {
        format!("bar.sync $0, {};", threads(emitter))
    } else {
        wait_behind(words.len(), threads(emitter))
    };
    emitter.code.asm(Asm::new(text).input(own).inputs(&words)).map(drop)
}

/// A wait for a turn behind the words that the turn's first product multiplies.
fn wait_behind(words: usize, threads: u32) -> String {
    let mut text = zero_behind(words, 1, "barrier");
    _ = write!(text, "add.u32 barrier, barrier, $0;\n\tbar.sync barrier, {threads};\n\t}}");
    text
}

/// The start of a scope with a register `zero` that is computed from words: the inputs of the assembly from number `first` on.
///
/// Nothing in PTX keeps ptxas from moving a barrier before arithmetic, and it does. So what a barrier takes is computed from the words that it shall
/// stand behind: bit 1 of a square is 0, which ptxas does not know.
pub(super) fn zero_behind(words: usize, first: usize, zero: &str) -> String {
    let mut text = String::from("{\n\t.reg .b32 any<");
    _ = write!(text, "{words}>, {zero};\n\t");
    let mut names: std::collections::VecDeque<String> = (first..first + words).map(|word| format!("${word}")).collect();
    let mut made = 0..;
    // Three at a time, as a tree.
    while let (Some(a), Some(b), Some(number)) = (names.pop_front(), names.pop_front(), made.next()) {
        let c = names.pop_front().unwrap_or_else(|| b.clone());
        _ = write!(text, "lop3.b32 any{number}, {a}, {b}, {c}, 0xfe;\n\t");
        names.push_back(format!("any{number}"));
        if names.len() == 1 {
            break;
        }
    }
    let any = names.pop_front().unwrap_or_default();
    _ = write!(text, "mul.lo.u32 {zero}, {any}, {any};\n\tand.b32 {zero}, {zero}, 2;\n\t");
    text
}

/// `tk.hand_over`: each group, or the one that the operation names, arrives at the barrier of the other; the last group only where the operand holds.
pub(super) fn emit_give<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let more = op.operands().first().map(|more| emitter.scalar(*more)).transpose()?;
    let group = group_number(emitter);
    let threads = threads(emitter);
    let code = &mut emitter.code;
    let giver = op.int_attr("group").map(|giver| {
        let number = code.i32(giver);
        (code.icmp(IntTest::Eq, group, number), FIRST + 1 - giver)
    });
    let asm = match (giver, more) {
        (None, None) => {
            let other = other_barrier(code, group);
            Asm::new(format!("bar.arrive $0, {threads};")).input(other)
        }
        (None, Some(more)) => {
            let zero = code.i32(0);
            let is_first = code.icmp(IntTest::Eq, group, zero);
            let gives = code.or(is_first, more);
            let other = other_barrier(code, group);
            Asm::new(format!("@$0 bar.arrive $1, {threads};")).input(gives).input(other)
        }
        (Some((is_giver, barrier)), more) => {
            let gives = more.map_or(is_giver, |more| code.and(is_giver, more));
            Asm::new(format!("@$0 bar.arrive {barrier}, {threads};")).input(gives)
        }
    };
    code.asm(asm).map(drop)
}

/// The barrier of the other group.
fn other_barrier(code: &mut Code<'_>, group: Reg) -> Reg {
    let second = code.i32(FIRST + 1);
    code.sub(second, group)
}

/// Bit 2 of the warp's number says which group of four it is in.
fn group_number(emitter: &mut Emitter<'_, '_>) -> Reg {
    emitter.in_uniform_warp(2, &[1])
}

fn threads(emitter: &Emitter<'_, '_>) -> u32 {
    emitter.settings.num_warps * 32
}
