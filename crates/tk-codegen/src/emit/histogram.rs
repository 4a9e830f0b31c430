//! `tt.histogram`: counters in shared memory. They are cleared, every element adds one to its own, and each thread takes the counters
//! that its part of the result has. Elements that no bin is for do not count.

use super::memory::with_mask;
use super::shared::{load_shared, store_shared};
use super::{Emitter, Registers};
use crate::code::{Asm, IntTest, Reg, Ty};
use tk_diag::Result;
use tk_ir::Op;
use tk_ir::ops::HistogramOp;
use tk_layout::Dim;

/// Bytes of a counter.
const COUNTER: u32 = 4;

/// `tt.histogram`.
pub(super) fn emit_histogram<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = HistogramOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no histogram"))?;
    let (source, result) = (emitter.tensor(view.src().ty())?, emitter.tensor(view.result().ty())?);
    let values = emitter.registers(view.src())?;
    let mask = view.mask().map(|mask| emitter.registers(mask)).transpose()?;
    let bins = result.shape.iter().product::<i64>();
    let scratch = emitter.scratch(op)?;
    emitter.note_shared(op, "histogram", bins as u32 * COUNTER);
    clear(emitter, scratch, bins as u32)?;
    emitter.code.barrier()?;

    let writes = emitter.writes(&source);
    for register in (0..source.registers).filter(|register| source.canonical(*register) == *register) {
        let mask = with_mask(emitter, mask.as_ref().map(|mask| mask.get(register)), writes);
        count(emitter, scratch, values.get(register), bins, mask)?;
    }
    emitter.code.barrier()?;

    let base = emitter.thread_coordinate(&result.layout, Dim::Axis(0));
    let mut counts: Vec<Reg> = Vec::with_capacity(result.registers);
    for register in 0..result.registers {
        let canonical = result.canonical(register);
        if canonical != register {
            counts.push(counts[canonical]);
            continue;
        }
        let part = emitter.code.i32(result.layout.apply_dim(Dim::Register, register as u32) as i64);
        let bin = emitter.code.xor(base, part);
        let address = counter(emitter, scratch, bin);
        let loaded = load_shared(&mut emitter.code, address, Ty::I32, 1)?[0];
        counts.push(match result.element {
            Ty::Int(64) => emitter.code.zext(loaded, Ty::I64),
            narrow => emitter.code.trunc(loaded, narrow),
        });
    }
    emitter.define(view.result(), Registers::from(counts));
    Ok(())
}

fn counter(emitter: &mut Emitter<'_, '_>, start: Reg, bin: Reg) -> Reg {
    let size = emitter.code.i32(COUNTER.into());
    let offset = emitter.code.mul(bin, size);
    emitter.code.ptr_add(start, offset)
}

/// All threads together store zeros, up to four each at a time.
fn clear(emitter: &mut Emitter<'_, '_>, start: Reg, bins: u32) -> Result<()> {
    let threads = emitter.settings.num_warps * 32;
    let run = (bins / threads).clamp(1, 4);
    let thread = emitter.threads().thread;
    let zero = emitter.code.i32(0);
    let enough = (bins < threads).then(|| {
        let bins = emitter.code.i32(bins.into());
        emitter.code.icmp(IntTest::Ult, thread, bins)
    });
    for first in (0..bins).step_by((threads * run) as usize) {
        let (stride, first) = (emitter.code.i32(run.into()), emitter.code.i32(first.into()));
        let bin = emitter.code.mul(thread, stride);
        let bin = emitter.code.add(bin, first);
        let address = counter(emitter, start, bin);
        store_shared(&mut emitter.code, address, &vec![zero; run as usize], enough)?;
    }
    Ok(())
}

/// Adds one to the counter of `value`, if there is one and `mask` holds.
fn count(emitter: &mut Emitter<'_, '_>, start: Reg, value: Reg, bins: i64, mask: Option<Reg>) -> Result<()> {
    let wide = if value.ty().bits() < 32 { emitter.code.sext(value, Ty::I32) } else { value };
    let limit = emitter.code.int(wide.ty(), bins);
    let known = emitter.code.icmp(IntTest::Ult, wide, limit);
    let Some(condition) = with_mask(emitter, Some(known), mask) else { return Ok(()) };
    let bin = emitter.code.trunc(wide, Ty::I32);
    let address = counter(emitter, start, bin);
    let one = emitter.code.i32(1);
    let add = Asm::new(format!("@$2 red.shared.add.u32 [ $0 + {} ], $1;", address.offset()));
    emitter.code.asm(add.input(address.base()).input(one).input(condition))?;
    Ok(())
}
