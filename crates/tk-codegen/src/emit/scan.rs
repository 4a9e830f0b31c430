//! `tt.scan`: follows the plan of tk-layout. A step combines registers with values of the own thread, of another lane, or of another warp
//! through shared memory; one that scans the totals of threads is in [`totals`].

mod totals;

use super::reduce::combine_two;
use super::shared::{Shuffle, load_shared, shuffle, store_shared};
use super::{Emitter, Registers};
use crate::code::{Code, IntTest, Reg};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::ops::ScanOp;
use tk_ir::{Block, Op};
use tk_layout::scan::{
    self, BitPattern, ScanPlan, ScanSlot, ScanSource, ScanStep, ScanUpdate, ScratchStep, UpdateStep,
};

/// One value of each operand.
type Row = Vec<Reg>;

/// `tt.scan`.
pub(super) fn emit_scan<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = ScanOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no scan"))?;
    let combine = view.combine().ok_or_else(|| emitter.bug(op, "it has no combining region"))?;
    let tensor = emitter.tensor(op.operand(0).ty())?;
    let plan = scan::plan(&tensor.layout, view.axis(), view.reverse()).map_err(|why| emitter.bug(op, why))?;
    let operands = view.srcs().into_iter().map(|value| emitter.registers(value)).collect::<Result<Vec<_>>>()?;
    let mut rows: Vec<Row> =
        (0..tensor.registers).map(|register| operands.iter().map(|operand| operand.get(register)).collect()).collect();
    let scratch = Scratch::of(emitter, op, &plan, &rows)?;
    for step in &plan.steps {
        match step {
            ScanStep::Update(step) => emit_update(emitter, combine, &scratch, step, &mut rows)?,
            ScanStep::Totals(step) => totals::emit_totals(emitter, combine, &scratch, step, &mut rows)?,
        }
    }
    for copy in &plan.copies {
        rows[copy.to as usize] = rows[copy.from as usize].clone();
    }
    for (index, result) in view.result().into_iter().enumerate() {
        let registers: Vec<Reg> = rows.iter().map(|row| row[index]).collect();
        emitter.define(result, Registers::from(registers));
    }
    Ok(())
}

/// A step that combines registers with others.
fn emit_update<'c>(
    emitter: &mut Emitter<'c, '_>,
    combine: Block<'c>,
    scratch: &Scratch,
    step: &UpdateStep,
    rows: &mut [Row],
) -> Result<()> {
    let received = match &step.source {
        ScanSource::OwnThread => return within_thread(emitter, combine, step, rows),
        ScanSource::Lane(source) => from_lanes(emitter, step, *source, rows)?,
        ScanSource::Scratch(way) => through_shared(emitter, scratch, way, rows)?,
    };
    update(emitter, combine, step, &received, rows)
}

/// The shared memory of a scan.
struct Scratch {
    /// Its first byte; unused when no step needs it.
    start: Reg,
    /// Where the part of each operand starts.
    starts: Vec<u32>,
    /// Bytes per element of each operand.
    bytes: Vec<u32>,
}

impl Scratch {
    fn of<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, plan: &ScanPlan, rows: &[Row]) -> Result<Self> {
        let bytes: Vec<u32> = rows[0].iter().map(|value| value.ty().bytes()).collect();
        let (starts, all) = plan.scratch(&bytes);
        if all == 0 {
            return Ok(Self { start: emitter.code.i32(0), starts, bytes });
        }
        if op.int_attr(tk_ir::attributes::ALLOCATION_SIZE).is_some_and(|size| size < i64::from(all)) {
            return Err(emitter.bug(op, format!("its plan needs {all} bytes of shared memory")));
        }
        emitter.note_shared(op, "scan", all);
        Ok(Self { start: emitter.scratch(op)?, starts, bytes })
    }

    /// Where an element of an operand is.
    fn address(&self, code: &mut Code<'_>, operand: usize, element: Reg) -> Reg {
        let (size, start) = (code.i32(self.bytes[operand].into()), code.i32(self.starts[operand].into()));
        let offset = code.mul(element, size);
        let offset = code.add(offset, start);
        code.ptr_add(self.start, offset)
    }
}

/// Registers in order: each update sees those before it.
fn within_thread<'c>(
    emitter: &mut Emitter<'c, '_>,
    combine: Block<'c>,
    step: &UpdateStep,
    rows: &mut [Row],
) -> Result<()> {
    for ScanUpdate { to, from } in &step.updates {
        rows[*to as usize] = combine_two(emitter, combine, &rows[*from as usize], &rows[*to as usize])?;
    }
    Ok(())
}

/// The rows of the registers that updates take, as the source lane holds them.
fn from_lanes(
    emitter: &mut Emitter<'_, '_>,
    step: &UpdateStep,
    source: BitPattern,
    rows: &[Row],
) -> Result<FxHashMap<u32, Row>> {
    let lane = emitter.threads().lane;
    let (kept, set) = (emitter.code.i32(i64::from(!source.mask & 31)), emitter.code.i32(source.value.into()));
    let lane = emitter.code.and(lane, kept);
    let lane = emitter.code.or(lane, set);
    let mut received = FxHashMap::default();
    for ScanUpdate { from, .. } in &step.updates {
        if received.contains_key(from) {
            continue;
        }
        let mut row = Row::new();
        for value in &rows[*from as usize] {
            row.push(shuffle(&mut emitter.code, *value, Shuffle::From(lane))?);
        }
        received.insert(*from, row);
    }
    Ok(received)
}

/// The rows of the registers that updates take: their holders store them, all wait, and everyone loads those of its own block.
fn through_shared(
    emitter: &mut Emitter<'_, '_>,
    scratch: &Scratch,
    way: &ScratchStep,
    rows: &[Row],
) -> Result<FxHashMap<u32, Row>> {
    let base = emitter.linear_offset(&way.lane_offsets, &way.warp_offsets);
    let stores = matches(emitter, way.store_lanes, way.store_warps);
    let address = |emitter: &mut Emitter<'_, '_>, slot: u32, operand: usize| {
        let code = &mut emitter.code;
        let (slot, first) = (code.i32(slot.into()), code.i32(way.start.into()));
        let element = code.xor(base, slot);
        let element = code.add(element, first);
        scratch.address(code, operand, element)
    };
    for ScanSlot { register, slot } in &way.slots {
        for (operand, value) in rows[*register as usize].iter().enumerate() {
            let address = address(emitter, *slot, operand);
            store_shared(&mut emitter.code, address, &[*value], stores)?;
        }
    }
    emitter.code.barrier()?;
    let mut received = FxHashMap::default();
    for ScanSlot { register, slot } in &way.slots {
        let mut row = Row::new();
        for (operand, value) in rows[*register as usize].iter().enumerate() {
            let address = address(emitter, *slot, operand);
            row.extend(load_shared(&mut emitter.code, address, value.ty(), 1)?);
        }
        received.insert(*register, row);
    }
    Ok(received)
}

/// Combines what was received with the own values, in threads that are in the second half of their block.
fn update<'c>(
    emitter: &mut Emitter<'c, '_>,
    combine: Block<'c>,
    step: &UpdateStep,
    received: &FxHashMap<u32, Row>,
    rows: &mut [Row],
) -> Result<()> {
    let active = matches(emitter, step.active_lanes, step.active_warps);
    for ScanUpdate { to, from } in &step.updates {
        let own = rows[*to as usize].clone();
        let combined = combine_two(emitter, combine, &received[from], &own)?;
        rows[*to as usize] = match active {
            Some(active) => {
                combined.iter().zip(&own).map(|(new, old)| emitter.code.select(active, *new, *old)).collect()
            }
            None => combined,
        };
    }
    Ok(())
}

/// Whether this thread's lane and warp match; `None` when all do.
fn matches(emitter: &mut Emitter<'_, '_>, lanes: BitPattern, warps: BitPattern) -> Option<Reg> {
    let (mask, value) = (lanes.mask | warps.mask << 5, lanes.value | warps.value << 5);
    if mask == 0 {
        return None;
    }
    let thread = emitter.threads().thread;
    let code = &mut emitter.code;
    let (mask, value) = (code.i32(mask.into()), code.i32(value.into()));
    let bits = code.and(thread, mask);
    Some(code.icmp(IntTest::Eq, bits, value))
}
