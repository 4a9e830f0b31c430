//! Buffers in shared memory that the IR names: allocation, views, loads and stores.
//!
//! A memory descriptor is held as one register: the address of its first byte in shared memory. Its layout is in its type.

use super::convert_layout::{load_side, store_side};
use super::shared::shared_at;
use super::words::stored_type;
use super::{Emitter, Registers, memdesc};
use crate::code::{Reg, Ty};
use tk_diag::Result;
use tk_ir::ops::{LocalAllocOp, LocalLoadOp, LocalStoreOp, MemDescIndexOp};
use tk_ir::{Op, OpKind, Type, Value};
use tk_layout::LinearLayout;
use tk_layout::conversion::{load_from, store_to};

/// `ttg.local_alloc`, `ttg.local_load`, `ttg.local_store`, `ttg.local_dealloc`.
pub(super) fn emit_local<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    match op.kind() {
        OpKind::TtgLocalAlloc => emit_alloc(emitter, op),
        OpKind::TtgLocalLoad => emit_load(emitter, op),
        OpKind::TtgLocalStore => match LocalStoreOp::cast(op) {
            Some(view) => store(emitter, op, view.src(), view.dst()),
            None => Err(emitter.bug(op, "it is no store")),
        },
        _ => Ok(()),
    }
}

fn emit_alloc<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
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

fn store<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, source: Value<'c>, buffer: Value<'c>) -> Result<()> {
    let tensor = emitter.tensor(source.ty())?;
    let layout = buffer_layout(emitter, op, buffer.ty())?;
    let plan = store_to(&tensor.layout, &layout, stored_type(tensor.element).bits());
    let plan = plan.map_err(|why| emitter.bug(op, why))?;
    let (values, start) = (emitter.registers(source)?.to_vec(tensor.registers), emitter.scalar(buffer)?);
    let predicate = emitter.not_skipped(plan.skip_lanes, plan.skip_warps);
    store_side(emitter, &plan.access, 0, &plan.transfers, start, &values, predicate)
}

fn emit_load<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
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
    for (to, from) in &plan.copies {
        values[*to as usize] = values[*from as usize];
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

/// `ttg.memdesc_index`, `ttg.memdesc_trans`, `ttg.memdesc_reshape`, `ttg.memdesc_reinterpret`: other views of the same bytes.
pub(super) fn emit_view<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let start = emitter.scalar(op.operand(0))?;
    let address = match op.kind() {
        OpKind::TtgMemDescIndex => {
            let index = MemDescIndexOp::cast(op).map(MemDescIndexOp::index);
            let index = emitter.scalar(index.ok_or_else(|| emitter.bug(op, "it has no index"))?)?;
            let ty = op.result(0).ty();
            let bytes = ty.num_elements() * i64::from(emitter.element_ty(ty)?.bytes());
            let code = &mut emitter.code;
            let (index, bytes) = (code.trunc(index, Ty::I32), code.i32(bytes));
            let offset = code.mul(index, bytes);
            code.ptr_add(start, offset)
        }
        // The layout of the result's type says what the permutation means.
        _ => start,
    };
    emitter.define_scalar(op.result(0), address);
    Ok(())
}
