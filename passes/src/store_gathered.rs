//! Leaves tensors that loops gather from in shared memory.
//!
//! A recurrence within a chunk takes one row of each operand in every iteration: `tl.gather(keys, row, 0)`. A gather writes its source to shared
//! memory, meets, and reads; the source does not change, and the registers that hold it wait for the next iteration. Here it is written once, before the
//! loop, and read in the layout that is asked for:
//!
//! ```text
//!                                                    %keys_in_memory = local_alloc %keys
//! loop: %row = gather %keys[%i]                      loop: %row = local_gather %keys_in_memory[%i]
//!       %right = convert_layout %row                       …
//! ```
//!
//! Elements along the axis of the indices lie farthest apart, so that what is taken with one index lies side by side.
//!
//! True for gathers that go through memory, of what is computed before the loop, where the buffers cost no CTA of the multiprocessor or leave it
//! warps enough.
//!
//! 1. Find the tensors, and the loops around their gathers.  2. Ask whether there is room.  3. Write them, and read.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::shared_buffers::{Points, SCRATCH_ALIGNMENT, SharedBuffer, tensor_bytes};
use crate::analysis::shared_room::SharedRoom;
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::is_loop;
use crate::shared_encodings::buffer_type;
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::GatherOp;
use tk_ir::{Builder, Module, Op, OpKind, Value};
use tk_layout::{Encoding, SwizzledSharedEncoding};

/// The pass.
pub const PASS: Pass =
    Pass { name: "store-gathered", summary: "write what loops gather from to shared memory once", run };

/// Warps of a multiprocessor that are worth a buffer, though fewer than before. Each gather of an iteration is a write and two barriers
/// (docs/measurements.md, "Loops gather from what was written once").
const ENOUGH_WARPS: u32 = 16;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = require_ttg(module)?.num_warps;
    for function in module.functions() {
        let mut buffers = buffers_of_module(function)?;
        let tables = tables_of(function, &buffers);
        if tables.is_empty() {
            continue;
        }
        let (room, points) = (SharedRoom::of(function, num_warps, cx), Points::of(function));
        for table in tables {
            let with = table.in_place_of_scratch(&buffers, &points);
            let bytes = total_bytes(&with);
            if room.allows(total_bytes(&buffers), bytes) || room.leaves_warps(bytes, ENOUGH_WARPS) {
                buffers = with;
                table.apply();
            }
        }
    }
    Ok(())
}

/// A tensor that a loop gathers from along one axis.
struct Table<'c> {
    source: Value<'c>,
    axis: usize,
    /// The outermost loop before which the tensor is there.
    around: Op<'c>,
    gathers: Vec<GatherOp<'c>>,
}

fn tables_of<'c>(function: Op<'c>, buffers: &[SharedBuffer<'c>]) -> Vec<Table<'c>> {
    let through_memory: FxHashSet<usize> = buffers.iter().map(|buffer| buffer.op.id()).collect();
    let mut tables: Vec<Table<'c>> = Vec::new();
    for gather in function.descendants().into_iter().filter_map(GatherOp::cast) {
        let (source, axis) = (gather.src(), gather.axis());
        let loops = gather.op.ancestors().skip(1).filter(|op| is_loop(*op) && source.dominates(*op));
        let Some(around) = loops.last().filter(|_| through_memory.contains(&gather.op.id())) else { continue };
        let known = |table: &&mut Table<'c>| (table.source, table.axis, table.around) == (source, axis, around);
        match tables.iter_mut().find(known) {
            Some(table) => table.gathers.push(gather),
            None => tables.push(Table { source, axis, around, gathers: vec![gather] }),
        }
    }
    tables
}

impl<'c> Table<'c> {
    /// The buffers of the function with one for the tensor and none for its gathers, nor for conversions of what they give.
    fn in_place_of_scratch(&self, buffers: &[SharedBuffer<'c>], points: &Points) -> Vec<SharedBuffer<'c>> {
        let is_gone = |op: Op<'c>| self.gathers.iter().any(|gather| gather.op == op || wanted(*gather).contains(&op));
        let mut with: Vec<SharedBuffer<'c>> = buffers.iter().filter(|buffer| !is_gone(buffer.op)).cloned().collect();
        with.push(SharedBuffer {
            op: self.gathers[0].op,
            bytes: tensor_bytes(self.source.ty()),
            alignment: SCRATCH_ALIGNMENT,
            purpose: "buffer",
            live: points.range(self.around),
        });
        with
    }

    fn apply(self) {
        let ty = self.source.ty();
        let rank = ty.shape().len() as u32;
        let others = (0..rank).rev().filter(|axis| *axis as usize != self.axis);
        let order: Vec<u32> = others.chain([self.axis as u32]).collect();
        let rows = Encoding::SwizzledShared(SwizzledSharedEncoding { vec: 1, per_phase: 1, max_phase: 1, order });
        let buffer = buffer_type(self.around.context(), &ty.shape(), ty.element(), &rows, false);
        let mut builder = Builder::before(self.around);
        let memory = builder.create(OpKind::TtgLocalAlloc, &[self.source], &[buffer], &[]).result(0);
        for gather in self.gathers {
            let conversions = wanted(gather);
            for conversion in &conversions {
                read_instead(gather, *conversion, memory);
            }
            if conversions.is_empty() {
                read_instead(gather, gather.op, memory);
            } else {
                gather.op.erase();
            }
        }
    }
}

/// The conversions that alone use what is gathered by one index.
fn wanted<'c>(gather: GatherOp<'c>) -> Vec<Op<'c>> {
    let users: Vec<Op<'c>> = gather.result().users().into_iter().map(|(user, _)| user).collect();
    let is_one = gather.indices().defining_op().is_some_and(|op| op.kind() == OpKind::TtSplat);
    let are_conversions = users.iter().all(|user| user.kind() == OpKind::TtgConvertLayout);
    if is_one && are_conversions { users } else { Vec::new() }
}

/// A read of `memory` stands for `replaced`, in its layout.
fn read_instead<'c>(gather: GatherOp<'c>, replaced: Op<'c>, memory: Value<'c>) {
    let result = replaced.result(0);
    let mut builder = Builder::before(replaced).with_location(replaced.loc());
    let indices = if replaced == gather.op {
        gather.indices()
    } else {
        let number = gather.indices().defining_op().map_or(gather.indices(), |splat| splat.operand(0));
        let ty = result.ty().with_element(number.ty());
        builder.splat(number, ty)
    };
    let axis = ("axis", replaced.context().i32_attr(gather.axis() as i32));
    let read = builder.create(OpKind::TtgLocalGather, &[memory, indices], &[result.ty()], &[axis]);
    result.replace_all_uses_with(read.result(0));
    replaced.erase();
}
