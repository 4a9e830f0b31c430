//! Hand-overs between two warp groups: each has a named barrier of the CTA at which it waits and the other arrives.

use super::Emitter;
use crate::code::{Asm, Code, IntTest, Reg};
use tk_diag::Result;
use tk_ir::Op;

/// Barrier 0 is that of all threads; the first group waits at barrier 1 and the second at barrier 2.
const FIRST: i64 = 1;

/// `tk.wait_hand_over`: each group waits at its own barrier.
pub(super) fn emit_wait<'c>(emitter: &mut Emitter<'c, '_>, _: Op<'c>) -> Result<()> {
    let group = group_number(emitter);
    let first = emitter.code.i32(FIRST);
    let own = emitter.code.add(group, first);
    let text = format!("bar.sync $0, {};", threads(emitter));
    emitter.code.asm(Asm::new(text).input(own)).map(drop)
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
