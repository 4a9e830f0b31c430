//! `ttg.local_gather` takes elements of a buffer in plain rows. `tt.gather`: lanes hand each other what is taken where every warp has it ([`plan`]). Otherwise the source goes to shared memory whole, row by row,
//! and each thread takes the elements it wants.
//!
//! An index outside the source is the program's fault; it is cut to the size of the axis (a power of two), so that it cannot reach
//! into other buffers.

use super::shared::{Shuffle, load_shared, shuffle, store_shared};
use super::{Emitter, Registers, TensorType};
use crate::code::{Code, IntTest, Reg, Ty};
use tk_diag::Result;
use tk_ir::Op;
use tk_ir::ops::{GatherOp, LocalGatherOp};
use tk_layout::gather::{GatherPlan, Place, plan};
use tk_layout::{Dim, Encoding};

/// `tt.gather`.
pub(super) fn emit_gather<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = GatherOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no gather"))?;
    let (source, result) = (emitter.tensor(view.src().ty())?, emitter.tensor(view.result().ty())?);
    let gathered = match plan(&source.layout, &result.layout, view.axis()) {
        Some(plan) => by_shuffles(emitter, view, &plan, &result)?,
        None => through_shared(emitter, op, view, &source, &result)?,
    };
    emitter.define(view.result(), Registers::from(gathered));
    Ok(())
}

/// Every lane asks the one that has its element, for all registers that the element may lie in, and chooses.
fn by_shuffles<'c>(
    emitter: &mut Emitter<'c, '_>,
    view: GatherOp<'c>,
    plan: &GatherPlan,
    result: &TensorType,
) -> Result<Vec<Reg>> {
    let (values, indices) = (emitter.registers(view.src())?, emitter.registers(view.indices())?);
    let of_thread = |emitter: &mut Emitter<'_, '_>, part: fn(&Place) -> u32| {
        let images = |places: &[Place]| places.iter().map(part).collect::<Vec<_>>();
        emitter.linear_offset(&images(&plan.lanes), &images(&plan.warps))
    };
    let lane = of_thread(emitter, |place| place.lane);
    let register = of_thread(emitter, |place| place.register);
    let choices = subsets(plan.chosen_registers());
    let mut gathered: Vec<Reg> = Vec::with_capacity(result.registers);
    for number in 0..result.registers {
        let canonical = result.canonical(number);
        if canonical != number {
            gathered.push(gathered[canonical]);
            continue;
        }
        let set = plan.registers.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
        let fixed = set.fold(Place::default(), |sum, (_, image)| Place {
            register: sum.register ^ image.register,
            lane: sum.lane ^ image.lane,
        });
        let code = &mut emitter.code;
        let index = index_in(code, indices.get(number), plan.index.len());
        let of_index = linear_image(code, index, plan.index.iter().map(|place| place.lane));
        let fixed_lane = code.i32(fixed.lane.into());
        let from = code.xor(lane, fixed_lane);
        let from = code.xor(from, of_index);
        let mut candidates: Vec<Reg> = Vec::with_capacity(choices.len());
        for choice in &choices {
            let value = values.get((fixed.register ^ choice) as usize);
            candidates.push(shuffle(code, value, Shuffle::From(from))?);
        }
        let of_index = linear_image(code, index, plan.index.iter().map(|place| place.register));
        let chosen = code.xor(register, of_index);
        gathered.push(choose(code, chosen, plan.chosen_registers(), candidates));
    }
    Ok(gathered)
}

/// All combinations of the bits of `mask`, the lowest bit changing fastest.
fn subsets(mask: u32) -> Vec<u32> {
    let bits = (0..32).map(|bit| 1 << bit).filter(|bit| mask & bit != 0);
    bits.fold(vec![0], |subsets, bit| {
        let with = subsets.iter().map(|subset| subset | bit).collect::<Vec<_>>();
        [subsets, with].concat()
    })
}

/// The candidate of the combination of bits of `mask` that `chosen` has; candidates stand in the order of [`subsets`].
fn choose(code: &mut Code<'_>, chosen: Reg, mask: u32, mut candidates: Vec<Reg>) -> Reg {
    let zero = code.i32(0);
    for bit in (0..32).map(|bit| 1u32 << bit).filter(|bit| mask & bit != 0) {
        let own = code.i32(bit.into());
        let is_set = code.and(chosen, own);
        let is_set = code.icmp(IntTest::Ne, is_set, zero);
        candidates = candidates.chunks(2).map(|pair| code.select(is_set, pair[1], pair[0])).collect();
    }
    candidates[0]
}

/// The exclusive or of the images of the bits that are set in `value`.
fn linear_image(code: &mut Code<'_>, value: Reg, images: impl Iterator<Item = u32>) -> Reg {
    let mut sum = code.i32(0);
    // Bits whose images lie as far away as they themselves go together.
    let mut in_place = 0;
    for (bit, image) in images.enumerate() {
        if image == 1 << bit {
            in_place |= image;
        } else if image != 0 {
            let (distance, one, image) = (code.i32(bit as i64), code.i32(1), code.i32(image.into()));
            let set = code.lshr(value, distance);
            let set = code.and(set, one);
            let part = code.mul(set, image);
            sum = code.xor(sum, part);
        }
    }
    let mask = code.i32(in_place.into());
    let kept = code.and(value, mask);
    code.xor(sum, kept)
}

/// An index as 32 bits, cut to an axis of `1 << bits` elements.
fn index_in(code: &mut Code<'_>, index: Reg, bits: usize) -> Reg {
    let index = if index.ty().bits() > 32 { code.trunc(index, Ty::I32) } else { code.sext(index, Ty::I32) };
    let last = code.i32((1 << bits) - 1);
    code.and(index, last)
}

fn through_shared<'c>(
    emitter: &mut Emitter<'c, '_>,
    op: Op<'c>,
    view: GatherOp<'c>,
    source: &TensorType,
    result: &TensorType,
) -> Result<Vec<Reg>> {
    let (values, indices) = (emitter.registers(view.src())?, emitter.registers(view.indices())?);
    let axis = view.axis();
    let bytes = source.element.bytes();
    let strides = strides(&source.shape);
    let scratch = emitter.scratch(op)?;
    emitter.note_shared(op, "gather", source.shape.iter().product::<i64>() as u32 * bytes);

    let writes = emitter.writes(source);
    let offsets = Offsets::of(emitter, source, &strides);
    for register in (0..source.registers).filter(|register| source.canonical(*register) == *register) {
        let element = offsets.element(emitter, register);
        let address = address(emitter, scratch, element, bytes);
        store_shared(&mut emitter.code, address, &[values.get(register)], writes)?;
    }
    emitter.code.barrier()?;

    let memory = Memory { start: scratch, strides, shape: source.shape.clone(), element: source.element };
    take(emitter, &memory, axis, &indices, result)
}

/// `ttg.local_gather`: the source is in shared memory already.
pub(super) fn emit_local_gather<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = LocalGatherOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no gather"))?;
    let (ty, result) = (view.src().ty(), emitter.tensor(view.result().ty())?);
    let (shape, axis) = (ty.shape(), view.axis());
    let order = match ty.layout().as_deref() {
        Some(Encoding::SwizzledShared(rows)) if rows.max_phase == 1 => rows.order.clone(),
        _ => return Err(emitter.bug(op, "its buffer is not in plain rows")),
    };
    if order.len() != shape.len() || !shape.iter().all(|size| size.count_ones() == 1) {
        return Err(emitter.bug(op, "its buffer is not in plain rows"));
    }
    let memory = Memory {
        start: emitter.scalar(view.src())?,
        strides: ordered_strides(&shape, &order),
        shape,
        element: emitter.element_ty(ty)?,
    };
    let indices = emitter.registers(view.indices())?;
    let gathered = take(emitter, &memory, axis, &indices, &result)?;
    emitter.define(view.result(), Registers::from(gathered));
    Ok(())
}

/// A tensor in shared memory, in plain rows.
struct Memory {
    start: Reg,
    /// Elements from one to the next along each axis.
    strides: Vec<u32>,
    shape: Vec<i64>,
    element: Ty,
}

/// What each register of the result takes: along `axis` the index says where, along the others the own coordinate. Elements that follow each other are
/// taken together where one index stands for all.
fn take(
    emitter: &mut Emitter<'_, '_>,
    memory: &Memory,
    axis: usize,
    indices: &Registers,
    result: &TensorType,
) -> Result<Vec<Reg>> {
    let bytes = memory.element.bytes();
    let mut others = memory.strides.clone();
    others[axis] = 0;
    let offsets = Offsets::of(emitter, result, &others);
    let width = if indices.splat().is_some() { offsets.width(16 / bytes.max(1)) } else { 1 };
    let mut gathered: Vec<Reg> = Vec::with_capacity(result.registers);
    for first in (0..result.registers).step_by(width) {
        let canonical = result.canonical(first);
        if canonical != first {
            gathered.extend_from_within(canonical..canonical + width);
            continue;
        }
        let rest = offsets.element(emitter, first);
        let code = &mut emitter.code;
        let index = index_in(code, indices.get(first), memory.shape[axis].trailing_zeros() as usize);
        let stride = code.i32(memory.strides[axis].into());
        let along = code.mul(index, stride);
        let element = code.add(along, rest);
        let address = address(emitter, memory.start, element, bytes);
        gathered.extend(load_shared(&mut emitter.code, address, memory.element, width)?);
    }
    Ok(gathered)
}

/// Elements from one to the next along each axis, the last axis densest.
fn strides(shape: &[i64]) -> Vec<u32> {
    let order: Vec<u32> = (0..shape.len() as u32).rev().collect();
    ordered_strides(shape, &order)
}

/// The same, the first axis of `order` densest.
fn ordered_strides(shape: &[i64], order: &[u32]) -> Vec<u32> {
    let mut strides = vec![1; shape.len()];
    let mut next = 1;
    for axis in order.iter().map(|axis| *axis as usize).filter(|axis| *axis < shape.len()) {
        strides[axis] = next;
        next *= shape[axis] as u32;
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
    /// The elements of every thread begin at a multiple of this power of two.
    alignment: u32,
}

impl Offsets {
    fn of(emitter: &mut Emitter<'_, '_>, tensor: &TensorType, strides: &[u32]) -> Self {
        let image = |dim: Dim, bit: u32| {
            let along = |axis: usize| tensor.layout.basis(dim, bit, Dim::Axis(axis as u8)) * strides[axis];
            (0..strides.len()).map(along).sum::<u32>()
        };
        let images = |dim: Dim| (0..tensor.layout.in_bits(dim)).map(|bit| image(dim, bit)).collect::<Vec<_>>();
        let base = emitter.linear_offset(&images(Dim::Lane), &images(Dim::Warp));
        let threads = [images(Dim::Lane), images(Dim::Warp)].concat().into_iter().fold(0, |sum, image| sum | image);
        Self { base, registers: images(Dim::Register), alignment: 1 << threads.trailing_zeros().min(16) }
    }

    /// Registers that follow each other as their elements do, at most `most`.
    fn width(&self, most: u32) -> usize {
        let mut width = 1;
        for image in &self.registers {
            if *image != width || 2 * width > most.min(self.alignment) {
                break;
            }
            width *= 2;
        }
        // What lies behind does so by whole runs.
        let is_run = self.registers.iter().all(|image| *image < width || image % width == 0);
        if is_run { width as usize } else { 1 }
    }

    fn element(&self, emitter: &mut Emitter<'_, '_>, register: usize) -> Reg {
        let set = self.registers.iter().enumerate().filter(|(bit, _)| register >> bit & 1 == 1);
        let image = set.fold(0, |sum, (_, image)| sum ^ image);
        let image = emitter.code.i32(image.into());
        emitter.code.xor(self.base, image)
    }
}
