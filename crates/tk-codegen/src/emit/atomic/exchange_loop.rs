//! An atomic sum of bfloat16 for GPUs whose `atom` has none (before sm_90): compare-and-swap until no other thread has changed the word in between.

use crate::code::{Asm, Code, IntTest, Reg, Ty};
use tk_diag::Result;

/// What an atomic orders, as PTX says it.
#[derive(Clone, Copy)]
pub(super) struct MemoryOrder {
    /// `relaxed`, `acq_rel`, …
    pub(super) order: &'static str,
    /// `gpu`, `cta`, `sys`.
    pub(super) scope: &'static str,
}

/// Adds `value` to the element at `pointer` and gives the old one; zero, and nothing happens, where `mask` does not hold.
pub(super) fn add_by_exchange(
    code: &mut Code<'_>,
    pointer: Reg,
    value: Reg,
    mask: Option<Reg>,
    order: MemoryOrder,
) -> Result<Reg> {
    let bits = Ty::Int(16);
    let MemoryOrder { order, scope } = order;
    let offset = pointer.offset();
    let (first, again, exit) = (code.label(), code.label(), code.label());
    let before = code.here();
    match mask {
        Some(mask) => code.branch(mask, first, exit)?,
        None => code.jump(first)?,
    }
    code.open_scope(first, false);
    let load = Asm::new(format!("ld.relaxed.{scope}.global.b16 $0, [ $1 + {offset} ];"));
    let initial = code.asm(load.output(bits).input(pointer.base()))?[0];
    let entry = code.here();
    code.jump(again)?;

    code.open_scope(again, true);
    let (expected, phi) = code.phi(bits, 0)?;
    // A sum in single precision, rounded once more, is the correctly rounded one: 24 bits are enough for two times 8.
    let (old, value) = (code.bitcast(expected, value.ty()), code.fpext(value, Ty::F32));
    let old = code.fpext(old, Ty::F32);
    let sum = code.fadd(old, value);
    let sum = code.fptrunc(sum, Ty::BF16);
    let sum = code.bitcast(sum, bits);
    let swap = Asm::new(format!("atom.global.{scope}.{order}.cas.b16 $0, [ $1 + {offset} ], $2, $3;"));
    let found = code.asm(swap.output(bits).input(pointer.base()).input(expected).input(sum))?[0];
    let changed = code.icmp(IntTest::Ne, found, expected);
    let end = code.here();
    code.branch(changed, again, exit)?;
    code.add_incoming(phi, initial, entry)?;
    code.add_incoming(phi, found, end)?;
    code.close_scope();
    code.close_scope();

    code.continue_at(exit);
    let old = match mask {
        Some(_) => {
            let zero = code.zero(bits);
            let (old, phi) = code.phi(bits, 0)?;
            code.add_incoming(phi, zero, before)?;
            code.add_incoming(phi, found, end)?;
            old
        }
        None => code.adopt(found)?,
    };
    Ok(code.bitcast(old, Ty::BF16))
}
