//! `tt.gather`: the source goes to shared memory whole, row by row, and each thread takes the elements it wants.
//!
//! An index outside the source is the program's fault; it is cut to the size of the axis (a power of two), so that it cannot reach
//! into other buffers.

use super::shared::{load_shared, store_shared};
use super::{Emitter, Registers, TensorType};
use crate::code::{Reg, Ty};
use tk_diag::Result;
use tk_ir::Op;
use tk_ir::ops::GatherOp;
use tk_layout::Dim;

/// `tt.gather`.
pub(super) fn emit_gather<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = GatherOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no gather"))?;
    let (source, result) = (emitter.tensor(view.src().ty())?, emitter.tensor(view.result().ty())?);
    let (values, indices) = (emitter.registers(view.src())?, emitter.registers(view.indices())?);
    let axis = view.axis();
    let bytes = source.element.bytes();
    let strides = strides(&source.shape);
    let scratch = emitter.scratch(op)?;
    emitter.note_shared(op, "gather", source.shape.iter().product::<i64>() as u32 * bytes);

    let writes = emitter.writes(&source);
    let offsets = Offsets::of(emitter, &source, &strides);
    for register in (0..source.registers).filter(|register| source.canonical(*register) == *register) {
        let element = offsets.element(emitter, register);
        let address = address(emitter, scratch, element, bytes);
        store_shared(&mut emitter.code, address, &[values.get(register)], writes)?;
    }
    emitter.code.barrier()?;

    // Along the axis the index says where, along the others the own coordinate.
    let mut others = strides.clone();
    others[axis] = 0;
    let offsets = Offsets::of(emitter, &result, &others);
    let mut gathered: Vec<Reg> = Vec::with_capacity(result.registers);
    for register in 0..result.registers {
        let canonical = result.canonical(register);
        if canonical != register {
            gathered.push(gathered[canonical]);
            continue;
        }
        let rest = offsets.element(emitter, register);
        let code = &mut emitter.code;
        let index = indices.get(register);
        let index = if index.ty().bits() > 32 { code.trunc(index, Ty::I32) } else { code.sext(index, Ty::I32) };
        let (last, stride) = (code.i32(source.shape[axis] - 1), code.i32(strides[axis].into()));
        let index = code.and(index, last);
        let along = code.mul(index, stride);
        let element = code.add(along, rest);
        let address = address(emitter, scratch, element, bytes);
        gathered.extend(load_shared(&mut emitter.code, address, source.element, 1)?);
    }
    emitter.define(view.result(), Registers::from(gathered));
    Ok(())
}

/// Elements from one to the next along each axis, the last axis densest.
fn strides(shape: &[i64]) -> Vec<u32> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis] as u32;
    }
    strides
}

fn address(emitter: &mut Emitter<'_, '_>, start: Reg, element: Reg, bytes: u32) -> Reg {
    let size = emitter.code.i32(bytes.into());
    let offset = emitter.code.mul(element, size);
    emitter.code.ptr_add(start, offset)
}

/// Where the elements of a tensor lie when its coordinates are multiplied by strides, all powers of two.
struct Offsets {
    base: Reg,
    registers: Vec<u32>,
}

impl Offsets {
    fn of(emitter: &mut Emitter<'_, '_>, tensor: &TensorType, strides: &[u32]) -> Self {
        let image = |dim: Dim, bit: u32| {
            let along = |axis: usize| tensor.layout.basis(dim, bit, Dim::Axis(axis as u8)) * strides[axis];
            (0..strides.len()).map(along).sum::<u32>()
        };
        let images = |dim: Dim| (0..tensor.layout.in_bits(dim)).map(|bit| image(dim, bit)).collect::<Vec<_>>();
        let base = emitter.linear_offset(&images(Dim::Lane), &images(Dim::Warp));
        Self { base, registers: images(Dim::Register) }
    }

    fn element(&self, emitter: &mut Emitter<'_, '_>, register: usize) -> Reg {
        let set = self.registers.iter().enumerate().filter(|(bit, _)| register >> bit & 1 == 1);
        let image = set.fold(0, |sum, (_, image)| sum ^ image);
        let image = emitter.code.i32(image.into());
        emitter.code.xor(self.base, image)
    }
}
