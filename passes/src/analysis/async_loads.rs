//! Which loads of a loop can become asynchronous copies to shared memory, and the layout that their buffer has then.
//!
//! `cp.async` moves 4, 8 or 16 bytes per thread from global to shared memory without passing registers. So a thread needs at least
//! 4 neighboring bytes on both sides, masked-out elements can only become zeros, and what reads the buffer decides its layout.
//!
//! Where masked-out elements are another number, the copy still writes zeros, and a selection by the mask of the load stands behind the read from
//! shared memory. The read belongs to a later step than the copy, so the mask has to be one that the loop does not change: it is the same for both.
//! What reads shared memory itself, as products do, or in a layout of its own has no place for the selection: such loads stay loads
//! ([measurements](../../../docs/measurements.md#masked-elements-of-copies-may-be-other-numbers-than-zero)).
//!
//! Copies of 4 bytes whose threads have more elements side by side stay loads ([measurements](../../../docs/measurements.md#narrow-copies-that-leave-gaps-are-slower-than-loads)).

use crate::analysis::AxisFacts;
use crate::attributes::{NUM_STAGES, SMALL_COPY, TURNED_COPY};
use crate::encodings::distinct_elements_per_thread;
use crate::vectorize_memory::{contiguous_axis, width_of};
use crate::{PassContext, shared_encodings};
use std::rc::Rc;
use tk_ir::ops::{LoadOp, TransLikeOp};
use tk_ir::{Block, Op, OpKind, Type, Value};
use tk_layout::{DotOpEncoding, Encoding};

/// Least and most bytes that one `cp.async` moves.
const COPY_BYTES: std::ops::RangeInclusive<u32> = 4..=16;

/// Elements of one load whose copies would be so many instructions: where the buffer lies the other way round, each element is copied by
/// itself, and a wide load whose elements threads write to the buffer takes fewer requests. Values of attention that are alone on their multiprocessor
/// are copied all the same ([`TURNED_COPY`]).
const WIDE_LOAD: u32 = 4;

/// How a load becomes an asynchronous copy.
#[derive(Clone, Debug)]
pub struct AsyncLoad {
    /// Layout of the buffer.
    pub layout: Encoding,
    /// Elements that one copy moves.
    pub width: u32,
    /// What masked-out elements are for those who read the buffer.
    pub masked_out: MaskedOut,
}

/// What masked-out elements of a block become. In shared memory they are zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskedOut {
    /// They stay zeros.
    Zeros,
    /// They are another number, which is selected behind the read of the buffer.
    Selected,
}

/// The plan for `load`; `None` when it has to stay a load. One that is too small to be worth it is a copy only where it is marked for it, and so is one
/// that takes a selection for each element.
pub fn async_load(load: LoadOp<'_>, facts: &AxisFacts, cx: &PassContext) -> Option<AsyncLoad> {
    if load.op.attr(SMALL_COPY).is_some() {
        return async_load_of_any_size(load, facts, cx);
    }
    let plan = if is_large(load) { async_load_of_any_size(load, facts, cx) } else { None }?;
    match plan.masked_out {
        MaskedOut::Zeros => Some(plan),
        MaskedOut::Selected => None,
    }
}

/// The block is worth a copy by its size.
pub(crate) fn is_large(load: LoadOp<'_>) -> bool {
    let ty = load.result().ty();
    ty.num_elements().saturating_mul(i64::from(ty.element_bits())) / 8 >= MIN_BYTES
}

/// What is loaded in a loop with stages lies in shared memory in each iteration, as far as that is known before the loop is scheduled. There it can be
/// read in any layout.
pub(crate) fn is_copied_ahead<'a>(op: Op<'_>, facts: impl FnOnce() -> &'a AxisFacts, cx: &PassContext) -> bool {
    let Some((load, parent)) = LoadOp::cast(op).zip(op.parent_op()) else { return false };
    let stages = parent.int_attr(NUM_STAGES).unwrap_or(i64::from(cx.options.num_stages));
    parent.kind() == OpKind::ScfFor && stages > 1 && async_load(load, facts(), cx).is_some()
}

/// The plan for `load`, whatever its size; `None` when it has to stay a load.
pub fn async_load_of_any_size(load: LoadOp<'_>, facts: &AxisFacts, cx: &PassContext) -> Option<AsyncLoad> {
    let ty = load.result().ty();
    if !ty.is_tensor() || load.is_volatile() || ty.rank() == 0 {
        return None;
    }
    let masked_out = masked_out(load)?;
    let wide = width_of(load.op, facts, &cx.target);
    let layout = buffer_layout(load, wide)?;
    let bits = ty.element_bits();
    let axis = contiguous_axis(load.ptr().ty())?;
    let is_contiguous = layout.order().first().is_some_and(|first| *first as usize == axis);
    if !is_contiguous && wide >= WIDE_LOAD && load.op.attr(TURNED_COPY).is_none() {
        return None;
    }
    let width = if is_contiguous { wide } else { 1 };
    let bytes = width * bits / 8;
    let is_narrow = is_contiguous && bytes == *COPY_BYTES.start() && leaves_gaps(load, axis, width);
    (COPY_BYTES.contains(&bytes) && !is_narrow).then_some(AsyncLoad { layout, width, masked_out })
}

/// Whether one copy moves fewer elements than a thread has side by side. What the lanes of a warp copy at a time is apart then, in global and in
/// shared memory, and each element takes a request of its own on both sides, where loads at least write what a thread has side by side at once.
fn leaves_gaps(load: LoadOp<'_>, axis: usize, width: u32) -> bool {
    let ty = load.ptr().ty();
    let side_by_side = ty.layout().and_then(|layout| layout.contiguous_per_thread(&ty.shape()).ok());
    side_by_side.is_some_and(|elements| elements[axis] > width)
}

/// What masked-out elements of `load` become; `None` where no selection behind the read can say it.
fn masked_out(load: LoadOp<'_>) -> Option<MaskedOut> {
    let Some(other) = load.other().filter(|other| !is_zero(*other)) else { return Some(MaskedOut::Zeros) };
    let around = load.op.parent_op().filter(|parent| parent.kind() == OpKind::ScfFor)?;
    let element = load.result().ty().element();
    let can_select = (element.is_int() || element.is_float())
        && is_one_number(other)
        && is_made_outside(other, around)
        && load.mask().is_some_and(|mask| is_made_outside(mask, around))
        && is_read_as_loaded(load);
    can_select.then_some(MaskedOut::Selected)
}

/// All elements of a tensor are one number, which takes a register.
fn is_one_number(value: Value<'_>) -> bool {
    let is_splat = |op: Op<'_>| op.kind() == OpKind::TtSplat;
    value.constant().is_some_and(|constant| constant.as_splat().is_some()) || value.defining_op().is_some_and(is_splat)
}

/// The value is there before `around` starts, and stays what it is in all of it.
fn is_made_outside<'c>(value: Value<'c>, around: Op<'c>) -> bool {
    value.parent_block().and_then(Block::parent_op).is_some_and(|owner| !around.contains(owner))
}

/// Everything that takes the block takes it in registers, as it is loaded: products read shared memory themselves, and conversions, also those behind
/// a transposition, read it in layouts in which there is no mask.
fn is_read_as_loaded(load: LoadOp<'_>) -> bool {
    load.result().users().into_iter().all(|(user, _)| {
        let reads_memory = matches!(user.kind(), OpKind::TtgLocalAlloc | OpKind::TtgConvertLayout);
        !reads_memory && TransLikeOp::cast(user).is_none()
    })
}

/// Bytes per thread that the loads of a loop may hold in registers from one iteration to the next. Beyond, what they save is lost to spills.
pub const MAX_REGISTER_BYTES: u32 = 64;

/// Bytes per thread of one load that are held although there are more than there is room for: a row or two of a matrix instruction's layout.
pub(crate) const FEW_REGISTER_BYTES: u32 = 16;

/// A load that waits in registers, if the address of another load is computed from it: reading it from shared memory would take a wait and a
/// barrier of its own in each iteration.
pub fn is_index(load: LoadOp<'_>) -> bool {
    register_bytes(load) <= MAX_REGISTER_BYTES
}

/// Bytes of registers per thread that hold what is loaded.
pub fn register_bytes(load: LoadOp<'_>) -> u32 {
    let ty = load.result().ty();
    let elements = u32::try_from(distinct_elements_per_thread(ty)).unwrap_or(u32::MAX);
    if load.is_volatile() { u32::MAX } else { elements.saturating_mul(ty.element_bits()) / 8 }
}

/// Bytes below which a tensor stays in registers: half a cache line per warp is nothing to hide.
const MIN_BYTES: i64 = 512;

pub(crate) fn is_zero(value: Value<'_>) -> bool {
    let Some(constant) = value.constant() else { return false };
    let scalar = constant.as_splat().unwrap_or(constant);
    scalar.as_int() == Some(0) || scalar.as_float().is_some_and(|number| number == 0.0 && number.is_sign_positive())
}

/// The layout that the readers of a load want: that of a buffer for `wgmma`, one without bank conflicts for `mma.sync` (one product, or each of a batch
/// that shares the block), plain rows else. A thread has `width` elements side by side.
fn buffer_layout(load: LoadOp<'_>, width: u32) -> Option<Encoding> {
    let ty = load.result().ty();
    let order = ty.layout()?.order();
    let users: Vec<Op<'_>> = load.result().users().into_iter().map(|(user, _)| user).collect();
    // `wgmma` reads nothing but its own layouts; everything else can read those.
    if let Some(buffer) =
        users.iter().find(|user| user.kind() == OpKind::TtgLocalAlloc).and_then(|user| reader_layout(*user))
    {
        return Some((*buffer).clone());
    }
    let readers = Readers::of(&users, width);
    for user in users {
        let reader = reader_layout(user);
        let of_tensor_cores = |operand: &&DotOpEncoding| matches!(*operand.parent, Encoding::NvidiaMma(_));
        if let Some(operand) = reader.as_deref().and_then(operand_of).filter(of_tensor_cores) {
            let order = product_axes_first(&order);
            return Some(readers.layout(operand, &ty.shape(), &order, ty.element_bits()));
        }
        // Lanes read a few neighbours in each of eight rows.
        if ty.rank() == 2 && matches!(reader.as_deref(), Some(Encoding::NvidiaMma(_))) {
            return Some(shared_encodings::row_swizzled(&ty.shape(), &order, ty.element_bits()));
        }
        if let Some(layout) = transposed_reader_layout(user, &order, readers) {
            return Some(layout);
        }
    }
    Some(shared_encodings::plain(&order))
}

/// Who reads a buffer for `mma.sync`.
#[derive(Clone, Copy)]
enum Readers {
    /// One operand, of what copies of so many elements write.
    Only { width: u32 },
    /// Others read it, too, and may meet in the same banks where rows have changed places.
    Several,
}

impl Readers {
    fn of(users: &[Op<'_>], width: u32) -> Self {
        if users.len() == 1 { Self::Only { width } } else { Self::Several }
    }

    fn layout(self, operand: &DotOpEncoding, shape: &[i64], order: &[u32], element_bits: u32) -> Encoding {
        match self {
            Self::Only { width } => shared_encodings::copied(operand, shape, order, element_bits, width),
            Self::Several => shared_encodings::swizzled(operand, shape, order, element_bits),
        }
    }
}

/// The operand of a product that a block in this layout is, or is for each product of a batch: it gets a leading axis then, along which it is
/// repeated, and each thread has the same rows and columns of it as before. A block that gets another axis lacks one of the product's own.
fn operand_of(layout: &Encoding) -> Option<&DotOpEncoding> {
    if let Encoding::DotOp(operand) = layout {
        return Some(operand);
    }
    let Encoding::Slice(slice) = layout else { return None };
    let Encoding::DotOp(operand) = &*slice.parent else { return None };
    (slice.dim as usize + 2 < slice.parent.rank()).then_some(operand)
}

/// The order of a buffer for blocks in this one: where rows or columns are contiguous the others follow them, and batches come last. What is read at
/// once are rows, or columns, that follow each other, and these are exchanged against bank conflicts.
fn product_axes_first(order: &[u32]) -> Vec<u32> {
    let is_of_batch = |axis: u32| axis as usize + 2 < order.len();
    let mut axes = order.to_vec();
    if axes.first().is_none_or(|fastest| !is_of_batch(*fastest)) {
        axes.sort_by_key(|axis| is_of_batch(*axis));
    }
    axes
}

/// The layout that suits the operands of `mma.sync` or multiply-add which read the block transposed.
fn transposed_reader_layout(user: Op<'_>, order: &[u32], readers: Readers) -> Option<Encoding> {
    let fragments = transposed_fragments(user)?;
    let fragment = *fragments.first()?;
    let readers = if fragments.len() == 1 { readers } else { Readers::Several };
    let ty = fragment.result(0).ty();
    let layout = ty.layout()?;
    let operand = operand_of(&layout)?;
    let flipped = shared_encodings::turned_axes(&product_axes_first(order));
    let (shape, bits) = (ty.shape(), ty.element_bits());
    let turned = if matches!(*operand.parent, Encoding::NvidiaMma(_)) {
        readers.layout(operand, &shape, &flipped, bits)
    } else {
        // Multiply-add: a thread reads what is side by side along K, and its neighbours other rows.
        shared_encodings::row_swizzled(&shape, &flipped, bits)
    };
    shared_encodings::transposed_layout(&turned)
}

/// The conversions to operands of `mma.sync` or multiply-add that are all there is of the block with rows for columns: they can read a buffer of it
/// the other way round. `None` for other users, and for blocks of a batch whose products lie in each other.
pub(crate) fn transposed_fragments(user: Op<'_>) -> Option<Vec<Op<'_>>> {
    let transposition = TransLikeOp::cast(user)
        .filter(|trans| shared_encodings::exchanges_rows_and_columns(&trans.order()))
        .filter(|trans| lies_in_rows_or_columns(trans.src().ty()))?;
    let is_operand = |op: &Op<'_>| {
        let layout = (op.kind() == OpKind::TtgConvertLayout).then(|| op.result(0).ty().layout()).flatten();
        layout.as_deref().is_some_and(|layout| operand_of(layout).is_some())
    };
    let users: Vec<Op<'_>> = transposition.op.result(0).users().into_iter().map(|(user, _)| user).collect();
    (!users.is_empty() && users.iter().all(is_operand)).then_some(users)
}

/// One of the last two axes is the contiguous one.
fn lies_in_rows_or_columns(block: Type<'_>) -> bool {
    let fastest = block.layout().and_then(|layout| layout.order().first().copied());
    fastest.is_some_and(|axis| axis as usize + 2 >= block.rank())
}

fn reader_layout(user: Op<'_>) -> Option<Rc<Encoding>> {
    let says_layout = user.kind() == OpKind::TtgLocalAlloc || user.kind() == OpKind::TtgConvertLayout;
    says_layout.then(|| user.result(0).ty().layout()).flatten()
}
