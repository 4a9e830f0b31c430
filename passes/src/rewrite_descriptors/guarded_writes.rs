//! Writes by descriptors of which only the run knows whether the hardware can do them: the kernel makes the descriptor of sizes that it has
//! loaded, or of arguments that say nothing of themselves.
//!
//! Each becomes a branch: by TMA where the block starts and ends as the hardware wants it, which nearly every block of nearly every tensor
//! does, and through pointers otherwise. What the hardware wants is in [`super::tma_rules`].

use super::access::Accesses;
use super::parts;
use super::tma_rules::UNIT_BYTES;
use crate::attributes::LIKELY;
use crate::cloning::{Mapping, copy_op};
use tk_diag::Result;
use tk_ir::ops::{CmpI, DescriptorStoreLikeOp, MakeTensorDescriptorOp};
use tk_ir::{Builder, Op, OpKind, Value};

/// Gives a write by a descriptor that `make` makes both ways.
pub(super) fn write_both_ways<'c>(write: Op<'c>, make: MakeTensorDescriptorOp<'c>) -> Result<()> {
    let Some(view) = DescriptorStoreLikeOp::cast(write) else { return Ok(()) };
    let parts = parts::of_made(make)?;
    let mut builder = Builder::before(write);
    let Some(can_copy) = can_copy(&mut builder, view, make) else { return Ok(()) };
    let choice = builder.if_op(can_copy, &[], true);
    choice.op.set_attr(LIKELY, write.context().unit_attr());
    let mut by_tma = Builder::at_end(choice.then_block(), write.loc());
    copy_op(write, &mut by_tma, &mut Mapping::default(), |location| location);
    by_tma.yield_(&[]);
    if let Some(block) = choice.else_block() {
        let mut through_pointers = Builder::at_end(block, write.loc());
        let copy = copy_op(write, &mut through_pointers, &mut Mapping::default(), |location| location);
        through_pointers.yield_(&[]);
        Accesses::rewrite(copy, &parts)?;
    }
    write.erase();
    Ok(())
}

/// Whether the block starts inside the tensor and at a unit, and what is written ends at one: at the end of the block, or of the tensor.
fn can_copy<'c>(
    builder: &mut Builder<'c>,
    write: DescriptorStoreLikeOp<'c>,
    make: MakeTensorDescriptorOp<'c>,
) -> Option<Value<'c>> {
    let i64 = builder.context().i(64);
    let block = write.desc().ty().descriptor_block()?;
    let unit = (UNIT_BYTES * 8 / u64::from(block.element_bits().max(8))) as i64;
    let indices = write.indices();
    let zero = builder.int(i64, 0);
    let mut conditions = Vec::new();
    for index in &indices {
        let index = parts::as_i64(builder, *index);
        conditions.push(builder.cmpi(CmpI::Sge, index, zero));
    }
    let start = parts::as_i64(builder, *indices.last()?);
    let size = parts::as_i64(builder, *make.shape().last()?);
    let rest = builder.int(i64, unit - 1);
    let columns = builder.int(i64, *block.shape().last()?);
    let [starts_well, ends_well] = [start, size].map(|number| {
        let rest = builder.binary(OpKind::ArithAndI, number, rest);
        builder.cmpi(CmpI::Eq, rest, zero)
    });
    let end = builder.binary(OpKind::ArithAddI, start, columns);
    let is_inside = builder.cmpi(CmpI::Sle, end, size);
    conditions.push(starts_well);
    conditions.push(builder.binary(OpKind::ArithOrI, ends_well, is_inside));
    conditions.into_iter().reduce(|all, next| builder.binary(OpKind::ArithAndI, all, next))
}
