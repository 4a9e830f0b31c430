//! Turns of two warp groups: each has a named barrier of the CTA at which it waits and the other arrives.

use super::Emitter;
use crate::code::{Asm, IntTest};
use tk_diag::Result;
use tk_ir::{Op, OpKind};

/// Barrier 0 is that of all threads; the first group waits at barrier 1 and the second at barrier 2.
const FIRST: i64 = 1;

/// `ttng.take_turn`, `ttng.give_turn`.
pub(super) fn emit_turn<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let threads = emitter.settings.num_warps * 32;
    // Bit 2 of the warp's number says which group of four it is in.
    let group = emitter.in_uniform_warp(2, &[1]);
    let code = &mut emitter.code;
    let first = code.i32(FIRST);
    let asm = match (op.kind(), op.int_attr("group")) {
        (OpKind::TtngTakeTurn, _) => {
            let own = code.add(group, first);
            Asm::new(format!("bar.sync $0, {threads};")).input(own)
        }
        (_, None) => {
            let second = code.i32(FIRST + 1);
            let other = code.sub(second, group);
            Asm::new(format!("bar.arrive $0, {threads};")).input(other)
        }
        (_, Some(giver)) => {
            let number = code.i32(giver);
            let gives = code.icmp(IntTest::Eq, group, number);
            Asm::new(format!("@$0 bar.arrive {}, {threads};", FIRST + 1 - giver)).input(gives)
        }
    };
    emitter.code.asm(asm).map(drop)
}
