//! Shape operations: they move no data, they only say anew which register holds which element.

use super::{Emitter, Registers, TensorType};
use tk_diag::Result;
use tk_ir::Op;
use tk_ir::ops::TransLikeOp;
use tk_layout::f2::Span;
use tk_layout::{Dim, LinearLayout};

/// `tt.expand_dims`, `tt.reshape`: elements keep their order.
pub(super) fn emit_reshape<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    emit_rename(emitter, op, |_, to| row_major(&to.layout))
}

/// `tt.trans`: axis i of the result is axis order[i] of the source.
pub(super) fn emit_trans<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let order = TransLikeOp::cast(op).map(TransLikeOp::order).unwrap_or_default();
    emit_rename(emitter, op, |_, to| {
        let mut axes = vec![Dim::Axis(0); order.len()];
        for (result, source) in order.iter().enumerate() {
            axes[*source] = Dim::Axis(result as u8);
        }
        axes.reverse();
        to.layout.transpose_outs(&axes)?.flatten_outs(Dim::Offset)
    })
}

/// `tt.broadcast`: positions along axes of size 1 in the source do not matter.
pub(super) fn emit_broadcast<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    emit_rename(emitter, op, |from, to| {
        let ins: Vec<Dim> = to.layout.in_dims().collect();
        let kept: Vec<Dim> = to.layout.out_dims().filter(|dim| from.layout.out_bits(*dim) != 0).collect();
        row_major(&to.layout.sublayout(&ins, &kept)?)
    })
}

/// The result has the source's elements. `in_source_terms` gives the result's layout with the outputs of [`row_major`] of the source:
/// where in the source each of its elements is.
fn emit_rename<'c>(
    emitter: &mut Emitter<'c, '_>,
    op: Op<'c>,
    in_source_terms: impl FnOnce(&TensorType, &TensorType) -> Result<LinearLayout, String>,
) -> Result<()> {
    let source = emitter.registers(op.operand(0))?;
    if let Some(value) = source.splat() {
        emitter.define(op.result(0), Registers::Splat(value));
        return Ok(());
    }
    let (from, to) = (emitter.tensor(op.operand(0).ty())?, result_tensor(emitter, op)?);
    let wanted = in_source_terms(&from, &to).map_err(|why| emitter.bug(op, why))?;
    let from_layout = row_major(&from.layout).map_err(|why| emitter.bug(op, why))?;
    let places = find_registers(&from_layout, &wanted).map_err(|why| emitter.bug(op, why))?;
    let registers: Vec<_> = places.into_iter().map(|place| source.get(place)).collect();
    emitter.define(op.result(0), registers.into());
    Ok(())
}

fn result_tensor<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<std::rc::Rc<TensorType>> {
    emitter.tensor(op.result(0).ty())
}

/// All axes joined to one row-major position, the last axis fastest.
fn row_major(layout: &LinearLayout) -> Result<LinearLayout, String> {
    let mut axes: Vec<Dim> = layout.out_dims().collect();
    axes.reverse();
    layout.transpose_outs(&axes)?.flatten_outs(Dim::Offset)
}

/// For each register of `wanted` the register of `have` with the same element, when no data need move between threads.
pub(super) fn find_registers(have: &LinearLayout, wanted: &LinearLayout) -> Result<Vec<usize>, String> {
    let registers = have.columns_of(Dim::Register);
    // Threads that differ must look for elements that differ in the same way, up to elements that each thread holds anyway.
    let span = Span::of(registers.iter().copied());
    let mut base = 0;
    for dim in [Dim::Lane, Dim::Warp, Dim::Block] {
        for bit in 0..have.in_bits(dim).max(wanted.in_bits(dim)) {
            let column = |layout: &LinearLayout| layout.columns_of(dim).get(bit as usize).copied().unwrap_or(0);
            if column(have) != column(wanted) {
                base |= column(have) ^ column(wanted);
            }
        }
    }
    if base != 0 {
        return Err(format!("the layouts {have} and {wanted} put elements in different threads"));
    }
    (0..wanted.in_size(Dim::Register))
        .map(|index| {
            let element = wanted.apply_dim(Dim::Register, index);
            span.solve(element)
                .map(|solution| solution as usize)
                .ok_or_else(|| "a register needs an element of another thread".to_owned())
        })
        .collect()
}

/// `tt.join`: the operands side by side along a new last axis.
pub(super) fn emit_join<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let (a, b) = (emitter.registers(op.operand(0))?, emitter.registers(op.operand(1))?);
    let to = result_tensor(emitter, op)?;
    let last = Dim::Axis(to.shape.len() as u8 - 1);
    let from = emitter.tensor(op.operand(0).ty())?;
    let places = without_last_axis(&to.layout, last)
        .and_then(|wanted| find_registers(&row_major(&from.layout)?, &wanted))
        .map_err(|why| emitter.bug(op, why))?;
    let side = |index: usize| to.layout.unpack_dim(to.layout.apply_dim(Dim::Register, index as u32), last);
    let registers: Vec<_> = places
        .into_iter()
        .enumerate()
        .map(|(index, place)| if side(index) == 0 { a.get(place) } else { b.get(place) })
        .collect();
    emitter.define(op.result(0), registers.into());
    Ok(())
}

fn without_last_axis(layout: &LinearLayout, last: Dim) -> Result<LinearLayout, String> {
    let ins: Vec<Dim> = layout.in_dims().collect();
    if !layout.sublayout_is_zero(&[Dim::Lane, Dim::Warp, Dim::Block], &[last]) {
        return Err("the joined axis lies across threads".into());
    }
    let kept: Vec<Dim> = layout.out_dims().filter(|dim| *dim != last).collect();
    row_major(&layout.sublayout(&ins, &kept)?)
}

/// `tt.split`: the two halves of a last axis of size 2.
pub(super) fn emit_split<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let source = emitter.registers(op.operand(0))?;
    let from = emitter.tensor(op.operand(0).ty())?;
    let last = Dim::Axis(from.shape.len() as u8 - 1);
    for side in 0..2u32 {
        let result = op.result(side as usize);
        let value = match source.splat() {
            Some(value) => Registers::Splat(value),
            None if !result.ty().is_tensor() => {
                let holder = (0..from.registers).find(|index| {
                    from.layout.unpack_dim(from.layout.apply_dim(Dim::Register, *index as u32), last) == side
                });
                Registers::Splat(
                    source.get(holder.ok_or_else(|| emitter.bug(op, "the halves lie in different threads"))?),
                )
            }
            None => {
                let to = emitter.tensor(result.ty())?;
                let places = half_places(&from.layout, &to.layout, last, side).map_err(|why| emitter.bug(op, why))?;
                places.into_iter().map(|place| source.get(place)).collect::<Vec<_>>().into()
            }
        };
        emitter.define(result, value);
    }
    Ok(())
}

/// The registers of the source that hold half `side` of the last axis, in the order of the result's registers.
fn half_places(from: &LinearLayout, to: &LinearLayout, last: Dim, side: u32) -> Result<Vec<usize>, String> {
    let have = without_last_axis(from, last)?;
    let wanted = row_major(to)?;
    let half = (0..from.in_bits(Dim::Register))
        .find(|bit| from.basis(Dim::Register, *bit, last) == 1)
        .ok_or("the halves lie in different threads")?;
    let places = find_registers(&have, &wanted)?;
    // `find_registers` leaves out the bit that only tells the halves apart, unless it also moves along another axis.
    let flip = have.columns_of(Dim::Register)[half as usize];
    if flip != 0 {
        return Err("the split axis is tied to another one".into());
    }
    Ok(places.into_iter().map(|place| place & !(1 << half) | (side as usize) << half).collect())
}

/// `tt.cat`: in which order the elements lie is free, so the registers of both follow each other.
pub(super) fn emit_cat<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let mut registers = Vec::new();
    for operand in op.operands() {
        let count = emitter.register_count(operand.ty())?;
        registers.extend(emitter.registers(operand)?.to_vec(count));
    }
    let expected = emitter.register_count(op.result(0).ty())?;
    if registers.len() != expected {
        return Err(emitter.bug(op, format!("{} registers make a tensor of {expected}", registers.len())));
    }
    emitter.define(op.result(0), registers.into());
    Ok(())
}
