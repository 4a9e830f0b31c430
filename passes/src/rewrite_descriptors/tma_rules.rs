//! What the hardware can do by a tensor map, as far as the program shows it.
//!
//! | rule | what happens otherwise (seen on an H200) |
//! |---|---|
//! | whole blocks are loaded, stored or combined, not rows by number | there is no such instruction |
//! | the block is one of a tensor map, the reduction one of PTX | likewise |
//! | along the last axis, copies start at multiples of 16 bytes | an illegal instruction |
//! | no written block starts before the tensor | an illegal instruction |
//! | what is written ends at multiples of 16 bytes along the last axis | elements beside the tensor are overwritten |
//! | what is written is a block, and none of its elements pads a dimension to a power of two | elements beside the block are overwritten |
//!
//! Where a copy starts is mostly the number of a program times a block, which nothing says of an argument that is just any number; so only
//! a start that certainly breaks the rule counts, and the others are for the program to keep. A tensor that is written has to be known to
//! end well: a wrong end would go unnoticed. Where the kernel makes the descriptor, the run knows the end ([`super::guarded_writes`]).

use crate::analysis::descriptor_groups::DescriptorGroup;
use crate::analysis::{self, AxisFacts};
use tk_ir::ops::{DescriptorLoadOp, DescriptorStoreLikeOp, FuncOp, MakeTensorDescriptorOp};
use tk_ir::{Op, OpKind, Type, Value};
use tk_layout::tensor_map::can_copy;

/// Copies start and writes end at multiples of this many bytes.
pub(super) const UNIT_BYTES: u64 = 16;

/// What is known of the numbers of a function.
pub(super) struct TmaRules<'c> {
    function: FuncOp<'c>,
    facts: AxisFacts,
}

/// How blocks of a group of descriptors are copied.
pub(super) enum Way<'c> {
    Tma,
    /// By TMA, but for these writes, of which each block has to be looked at.
    Guarded(Vec<GuardedWrite<'c>>),
    Pointers,
}

/// A write, and what makes its descriptor.
pub(super) struct GuardedWrite<'c> {
    pub(super) write: Op<'c>,
    pub(super) make: MakeTensorDescriptorOp<'c>,
}

impl<'c> TmaRules<'c> {
    pub(super) fn of(function: FuncOp<'c>) -> Self {
        Self { function, facts: analysis::axis_info(function.op) }
    }

    /// How the accesses by these descriptors become what the hardware does.
    pub(super) fn way(&self, group: &DescriptorGroup<'c>) -> Way<'c> {
        let Some(block) = group.values.first().and_then(|value| value.ty().descriptor_block()) else {
            return Way::Pointers;
        };
        let bytes = u64::from(block.element_bits().max(8) / 8);
        let can_try = can_copy(&block.shape(), block.element_bits())
            && group.accesses.iter().all(|op| is_copied(*op, block) && self.may_start(*op, bytes));
        if !can_try {
            return Way::Pointers;
        }
        if self.ends_well(group, bytes) || !group.accesses.iter().all(|op| is_load(*op) || pointers_can(*op, block)) {
            return Way::Tma;
        }
        match self.unsure_writes(group, bytes) {
            Some(writes) => Way::Guarded(writes),
            None => Way::Pointers,
        }
    }

    /// The writes whose tensors may end inside a unit, with what makes their descriptors; `None` where one gets its descriptor from
    /// elsewhere, and so does not know the sizes.
    fn unsure_writes(&self, group: &DescriptorGroup<'c>, bytes: u64) -> Option<Vec<GuardedWrite<'c>>> {
        let mut writes = Vec::new();
        for write in group.accesses.iter().copied().filter(|op| !is_load(*op)) {
            let make = write.operand(0).defining_op().and_then(MakeTensorDescriptorOp::cast)?;
            if !self.is_whole(write.operand(0), bytes) {
                writes.push(GuardedWrite { write, make });
            }
        }
        Some(writes)
    }

    /// No start is known to be between two units, and no written block to start before the tensor.
    fn may_start(&self, access: Op<'c>, bytes: u64) -> bool {
        let (indices, is_written) = match DescriptorLoadOp::cast(access) {
            Some(load) => (load.indices(), false),
            None => (DescriptorStoreLikeOp::cast(access).map(|store| store.indices()).unwrap_or_default(), true),
        };
        let constant = |index: &Value<'c>| self.facts.get(*index).constant;
        let start = indices.last().and_then(constant);
        start.is_none_or(|start| start.wrapping_mul(bytes as i64) % UNIT_BYTES as i64 == 0)
            && !(is_written && indices.iter().filter_map(constant).any(|start| start < 0))
    }

    /// Nothing is written, or all tensors end after whole units.
    fn ends_well(&self, group: &DescriptorGroup<'c>, bytes: u64) -> bool {
        group.accesses.iter().all(|op| is_load(*op)) || group.values.iter().all(|value| self.is_whole(*value, bytes))
    }

    /// The last size of this descriptor's tensor is a multiple of a unit; also true of a descriptor that is passed on from another.
    fn is_whole(&self, value: Value<'c>, bytes: u64) -> bool {
        if let Some(op) = value.defining_op() {
            let last = MakeTensorDescriptorOp::cast(op).and_then(|make| make.shape().last().copied());
            return last.is_none_or(|size| {
                self.facts.get(size).overall_divisor().saturating_mul(bytes).is_multiple_of(UNIT_BYTES)
            });
        }
        let parameter = value.block_argument().filter(|(block, _)| Some(*block) == self.function.body());
        parameter.is_none_or(|(_, index)| self.function.arg_attr(index, tk_ir::attributes::RAGGED).is_none())
    }
}

fn is_load(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtDescriptorLoad
}

fn is_copied(op: Op<'_>, block: Type<'_>) -> bool {
    if op.kind() != OpKind::TtDescriptorLoad && op.inside().is_some() {
        return false;
    }
    if op.kind() == OpKind::TtDescriptorReduce {
        return reduces(op.int_attr("kind"), block.element());
    }
    op.kind() == OpKind::TtDescriptorLoad || op.kind() == OpKind::TtDescriptorStore
}

/// Reductions of `cp.reduce.async.bulk.tensor` that the hardware does, by the numbers of `tt.descriptor_reduce`. PTX has some of 64-bit
/// integers too; on an H200 those of `s64` ended in an illegal instruction.
fn reduces(kind: Option<i64>, element: Type<'_>) -> bool {
    let (bits, is_float) = (element.element_bits(), element.is_float());
    match kind {
        Some(1) if is_float => bits >= 16,
        Some(2 | 3) if is_float => bits == 16,
        Some(1..=3 | 6..=8) => !is_float && bits == 32,
        _ => false,
    }
}

/// Pointers can do what this writes.
fn pointers_can(op: Op<'_>, block: Type<'_>) -> bool {
    op.kind() != OpKind::TtDescriptorReduce
        || op.int_attr("kind").is_some_and(|kind| super::access::reduction(kind, block.element()).is_some())
}
