//! Hand-overs between two warp groups: each has a named barrier of the CTA at which it waits and the other arrives.

use super::Emitter;
use crate::code::{Asm, IntTest, Reg};
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

/// `tk.hand_over`: each group, or the one that the operation names, arrives at the barrier of the other.
pub(super) fn emit_give<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let group = group_number(emitter);
    let threads = threads(emitter);
    let code = &mut emitter.code;
    let asm = match op.int_attr("group") {
        None => {
            let second = code.i32(FIRST + 1);
            let other = code.sub(second, group);
            Asm::new(format!("bar.arrive $0, {threads};")).input(other)
        }
        Some(giver) => {
            let number = code.i32(giver);
            let gives = code.icmp(IntTest::Eq, group, number);
            Asm::new(format!("@$0 bar.arrive {}, {threads};", FIRST + 1 - giver)).input(gives)
        }
    };
    code.asm(asm).map(drop)
}

/// Bit 2 of the warp's number says which group of four it is in.
fn group_number(emitter: &mut Emitter<'_, '_>) -> Reg {
    emitter.in_uniform_warp(2, &[1])
}

fn threads(emitter: &Emitter<'_, '_>) -> u32 {
    emitter.settings.num_warps * 32
}
