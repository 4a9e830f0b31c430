//! Buffers in shared memory that the IR names: allocation, loads and stores. Their views are in `memdesc`.
//!
//! A memory descriptor is held as one register: the address of its first byte in shared memory. Its layout is in its type.

use super::convert_layout::{load_side, matrix_of, store_side};
use super::loads_before::keep_loads_before;
use super::shared::shared_at;
use super::words::stored_type;
use super::{Emitter, Registers, memdesc};
use crate::code::{Reg, VALUES_TOGETHER};
use tk_diag::Result;
use tk_ir::ops::{LocalAllocOp, LocalLoadOp, LocalStoreOp};
use tk_ir::{Op, Type, Value};
use tk_layout::LinearLayout;
use tk_layout::conversion::{load_from, store_to};

/// `ttg.local_alloc`.
pub(super) fn emit_alloc<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let address = emitter.scratch(op)?;
    let ty = op.result(0).ty();
    let bytes = ty.num_elements() as u32 * emitter.element_ty(ty)?.bytes();
    emitter.note_shared(op, "buffer", bytes);
    emitter.define_scalar(op.result(0), address);
    match LocalAllocOp::cast(op).and_then(LocalAllocOp::src) {
        Some(source) => store(emitter, op, source, op.result(0)),
        None => Ok(()),
    }
}

/// `ttg.local_store`.
pub(super) fn emit_store<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = LocalStoreOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no store"))?;
    store(emitter, op, view.src(), view.dst())
}

fn store<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, source: Value<'c>, buffer: Value<'c>) -> Result<()> {
    let tensor = emitter.tensor(source.ty())?;
    let layout = buffer_layout(emitter, op, buffer.ty())?;
    let plan = store_to(&tensor.layout, &layout, stored_type(tensor.element).bits());
    let plan = plan.map_err(|why| emitter.bug(op, why))?;
    let (values, start) = (emitter.registers(source)?.to_vec(tensor.registers), emitter.scalar(buffer)?);
    let predicate = emitter.not_skipped(plan.skip_lanes, plan.skip_warps);
    keep_loads_before(&mut emitter.code, op)?;
    if predicate.is_none() && matrix_of(emitter, &plan.access, true).is_some() {
        return store_side(emitter, &plan.access, 0, &plan.transfers, start, &values, predicate);
    }
    let of_transfer = plan.transfers.first().map_or(1, |first| first.registers.len().max(1));
    for some in plan.transfers.chunks(VALUES_TOGETHER.div_ceil(of_transfer)) {
        let registers = some.iter().flat_map(|transfer| &transfer.registers);
        let stored: Vec<Reg> = registers.map(|register| values[*register as usize]).collect();
        emitter.code.compute_long(&stored)?;
        store_side(emitter, &plan.access, 0, some, start, &values, predicate)?;
    }
    Ok(())
}

/// Values of a thread that are computed before threads meet, at most: until the last of them is there they wait in registers.
const MOST_BEFORE_BARRIER: usize = 32;

/// `gpu.barrier`. What takes long and is written to shared memory behind it is computed before it: ptxas moves no write over it, so that it
/// brings the instructions of all elements together, and threads compute while they wait for others.
pub(super) fn emit_barrier<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let source = op.next().and_then(|next| {
        let of_alloc = || LocalAllocOp::cast(next).and_then(LocalAllocOp::src);
        LocalStoreOp::cast(next).map(LocalStoreOp::src).or_else(of_alloc)
    });
    if let Some(source) = source {
        let tensor = emitter.tensor(source.ty())?;
        if tensor.registers <= MOST_BEFORE_BARRIER {
            let values = emitter.registers(source)?.to_vec(tensor.registers);
            emitter.code.compute_long(&values)?;
        }
    }
    emitter.code.barrier()
}

/// `ttg.local_load`.
pub(super) fn emit_load<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = LocalLoadOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no load"))?;
    let tensor = emitter.tensor(view.result().ty())?;
    let layout = buffer_layout(emitter, op, view.src().ty())?;
    let plan = load_from(&tensor.layout, &layout, stored_type(tensor.element).bits());
    let plan = plan.map_err(|why| emitter.bug(op, why))?;
    let start = emitter.scalar(view.src())?;
    let mut values: Vec<Option<Reg>> = vec![None; tensor.registers];
    load_side(emitter, &plan.access, 0, &plan.transfers, start, tensor.element, &mut |register, value| {
        values[register as usize] = Some(value);
    })?;
    for copy in &plan.copies {
        values[copy.to as usize] = values[copy.from as usize];
    }
    let values: Option<Vec<Reg>> = values.into_iter().collect();
    let values = values.ok_or_else(|| emitter.bug(op, "the plan leaves a register empty"))?;
    emitter.define(view.result(), Registers::from(values));
    Ok(())
}

/// Where each register of a load of 32-bit elements lies in shared memory; `None` where a load is not one element for one register.
pub(super) fn places_of_words<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<Option<Vec<Reg>>> {
    let view = LocalLoadOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no load"))?;
    let tensor = emitter.tensor(view.result().ty())?;
    if tensor.element.bits() != 32 {
        return Ok(None);
    }
    let layout = buffer_layout(emitter, op, view.src().ty())?;
    let plan = load_from(&tensor.layout, &layout, 32).map_err(|why| emitter.bug(op, why))?;
    let start = emitter.scalar(view.src())?;
    let base = emitter.linear_offset(&plan.access.lane_offsets, &plan.access.warp_offsets);
    let mut places: Vec<Option<Reg>> = vec![None; tensor.registers];
    for transfer in &plan.transfers {
        let [register] = transfer.registers[..] else { return Ok(None) };
        places[register as usize] = Some(shared_at(&mut emitter.code, start, base, transfer.xor, transfer.add));
    }
    Ok(places.into_iter().collect())
}

/// Offset to axes of a buffer.
fn buffer_layout<'c>(emitter: &Emitter<'c, '_>, op: Op<'c>, ty: Type<'c>) -> Result<LinearLayout> {
    let encoding = ty.layout().ok_or_else(|| emitter.bug(op, "a buffer has no layout"))?;
    if ty.memdesc().is_some_and(|parts| !parts.alloc_shape.ends_with(&parts.shape)) {
        return Err(emitter.bug(op, "only `wgmma` reads parts of a buffer"));
    }
    memdesc::linear(&encoding, &ty.shape()).map_err(|why| emitter.bug(op, why))
}
