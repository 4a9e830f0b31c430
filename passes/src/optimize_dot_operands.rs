//! Brings the operands of matrix products closer to memory, so that loads can go to shared memory as they are.
//!
//! - A transposed operand of `wgmma` is the untransposed one read the other way round: `local_alloc(trans(x))` becomes
//!   `memdesc_trans(local_alloc(x))`, which moves nothing.
//! - An operand in registers that is loaded and then cast is converted to the operand layout before the cast: fewer bytes move when the
//!   cast widens, and the conversion stands right behind the load, which the pipeliner turns into a read of shared memory. The parts of an
//!   operand that `f32-dot-tc` splits come from one such read. An operand that is transposed behind a cast that widens is transposed
//!   before it, so that the block in shared memory is read with rows for columns. Where the cast narrows, fewer bytes are transposed behind it, and
//!   products may share them; so may those that read the block both ways round, of which none is made of the bytes that it was cast from
//!   ([`share_operands`](crate::share_operands)). What the arithmetic takes beside the load is made again in the operand layout: constants, scalars,
//!   and rows, as the scales of quantized weights are. A row that is there before the loop is converted before it, so once. One that each iteration makes
//!   is converted there, where the block is a copy in shared memory and need not be: some hundred bytes go the way of the block, and none of a row that is a copy
//!   itself ([measurements](../../docs/measurements.md#copied-rows-are-read-as-the-operand-needs-them)). Where the operand
//!   is as wide as what is loaded, arithmetic with rows is made again with such blocks only, if warps compute little or nothing that others do
//!   ([measurements](../../docs/measurements.md#scaled-blocks-are-read-as-the-operand)). What several warps would compute each is converted as it is
//!   where that takes less. A row that is loaded for it is loaded in the operand layout, where that takes few loads
//!   ([`loaded_rows`](crate::remove_layout_conversions)).

use crate::analysis::async_loads::is_copied_ahead;
use crate::analysis::{AxisFacts, axis_info};
use crate::control_flow::loop_depth;
use crate::convert_to_ttg::require_ttg;
use crate::encodings::{self, distinct_elements_per_thread, elements_per_thread};
use crate::operations::computations::{computation, instructions_of_element};
use crate::operations::control::is_loop;
use crate::operations::is_turned;
use crate::operations::layouts::LayoutRule;
use crate::remove_layout_conversions::loaded_rows;
use crate::share_operands::conversions_beside;
use crate::{Pass, PassContext, shared_encodings};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::cmp::Ordering;
use tk_diag::Result;
use tk_ir::ops::{ExpandDimsOp, TransLikeOp};
use tk_ir::{Attribute, Builder, Module, Op, OpKind, Type, Value};
use tk_layout::Encoding;
use tk_layout::conversion::{self, ConversionPlan};

/// The pass.
pub const PASS: Pass =
    Pass { name: "optimize-dot-operands", summary: "bring operands of matrix products closer to memory", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    for function in module.functions() {
        let copies = Copies { function, num_warps: threads.num_warps, facts: OnceCell::new(), cx };
        for op in function.descendants() {
            if op.kind() == OpKind::TtgLocalAlloc {
                fold_transposition(op);
            } else if op.kind() == OpKind::TtgConvertLayout {
                hoist_conversion(op, &copies);
            }
        }
        loaded_rows::run(function, threads, cx);
    }
    Ok(())
}

fn fold_transposition(alloc: Op<'_>) {
    let Some(source) = (alloc.num_operands() > 0).then(|| alloc.operand(0).before_conversion()) else { return };
    let Some(trans) = source.defining_op().and_then(TransLikeOp::cast).filter(|trans| trans.order() == [1, 0]) else {
        return;
    };
    let ty = alloc.result(0).ty();
    let (Some(memdesc), Some(layout)) = (ty.memdesc(), ty.layout()) else { return };
    let Encoding::NvmmaShared(outer) = &*layout else { return };
    // Only products may read it another way round; everything else would have to learn of the new layout.
    if memdesc.mutable || !alloc.result(0).users().iter().all(|(user, _)| user.kind() == OpKind::TtngWarpGroupDot) {
        return;
    }
    let inner = trans.src().before_conversion();
    let (inner_ty, bits) = (inner.ty(), outer.element_bit_width);
    let order = match inner_ty.layout().filter(|_| bits == 16) {
        Some(layout) => layout.order(),
        None if outer.transposed => vec![1, 0],
        None => vec![0, 1],
    };
    let Encoding::NvmmaShared(own) = shared_encodings::nvmma(&inner_ty.shape(), &order, bits) else { return };
    let mut flipped = own.clone();
    flipped.transposed = !own.transposed;
    let context = alloc.context();
    let mut builder = Builder::before(alloc);
    let buffer = |shape: &[i64], layout| {
        shared_encodings::buffer_type(context, shape, inner_ty.element(), &Encoding::NvmmaShared(layout), false)
    };
    let memory = builder.create(OpKind::TtgLocalAlloc, &[inner], &[buffer(&inner_ty.shape(), own)], &[]).result(0);
    let order = ("order", context.i32_array(&[1, 0]));
    let view = builder.create(OpKind::TtgMemDescTrans, &[memory], &[buffer(&memdesc.shape, flipped)], &[order]);
    alloc.result(0).replace_all_uses_with(view.result(0));
    alloc.erase();
}

/// A load and what is made of it: casts, arithmetic with what can be made in any layout, and transpositions.
struct Slice<'c> {
    load: Op<'c>,
    /// Rows are columns in what is made.
    is_turned: bool,
    /// First to last.
    steps: Vec<Step<'c>>,
    /// What the steps take beside the load and constants.
    repeated: Vec<Repeated<'c>>,
}

struct Step<'c> {
    op: Op<'c>,
    /// A transposition stands behind the operation. It is made again behind the one of the load, so with rows for columns.
    is_before_turn: bool,
}

impl<'c> Step<'c> {
    /// The type in the operation that is made again.
    fn again(&self, ty: Type<'c>, encoding: Attribute<'c>) -> Type<'c> {
        type_again(ty, self.is_before_turn, encoding)
    }
}

/// The type of what is made again.
fn type_again<'c>(ty: Type<'c>, is_before_turn: bool, encoding: Attribute<'c>) -> Type<'c> {
    let shape = ty.shape();
    let turned: Vec<i64> = if is_before_turn { shape.into_iter().rev().collect() } else { shape };
    ty.with_shape(&turned).with_encoding(Some(encoding))
}

/// A block that repeats a scalar or a row. It is made again from these, so it may have other users, which keep it as it is.
struct Repeated<'c> {
    block: Value<'c>,
    /// As in [`Step`].
    is_before_turn: bool,
    source: Source<'c>,
}

/// What a block repeats.
enum Source<'c> {
    /// One number for all elements.
    Scalar(Value<'c>),
    Row(Row<'c>),
}

impl<'c> Repeated<'c> {
    /// The block in the operand layout. A row is converted where it is made: in front of the loop, or once in each iteration.
    fn again(&self, encoding: Attribute<'c>, before: Op<'c>) -> Option<Value<'c>> {
        let ty = type_again(self.block.ty(), self.is_before_turn, encoding);
        let row = match self.source {
            Source::Scalar(scalar) => return Some(Builder::before(before).splat(scalar, ty)),
            Source::Row(row) => row,
        };
        let (axis, wanted) = (self.axis_again(row), self.row_again(row, encoding)?);
        let mut shape = row.value.ty().shape();
        shape.insert(axis, 1);
        let made = row.made_in_fewest()?;
        let mut builder = Builder::after_value(made);
        let converted = builder.convert_layout(made, wanted);
        let expanded = builder.expand_dims(converted, axis, ty.with_shape(&shape));
        Some(if expanded.ty() == ty { expanded } else { builder.broadcast(expanded, ty) })
    }

    /// The axis along which the operand repeats the row.
    fn axis_again(&self, row: Row<'c>) -> usize {
        if self.is_before_turn { 1 - row.axis } else { row.axis }
    }

    /// The type of the row in the operand layout.
    fn row_again(&self, row: Row<'c>, encoding: Attribute<'c>) -> Option<Type<'c>> {
        let slice = encoding.encoding()?.slice(self.axis_again(row) as u32);
        Some(row.value.ty().with_layout(&slice))
    }

    /// The row, if a loop makes it again and again.
    fn row_of_loop(&self) -> Option<Row<'c>> {
        match self.source {
            Source::Row(row) if !row.is_made_once() => Some(row),
            Source::Row(_) | Source::Scalar(_) => None,
        }
    }

    /// Bytes of the row that its conversion moves through shared memory; `None` where a thread would have more of its elements than it has. A row that is
    /// copied there itself is read in any layout: nothing of it is converted, and a thread may read more of it, up to `most` bytes.
    fn bytes_of_row(&self, row: Row<'c>, encoding: Attribute<'c>, most: u64, copies: &Copies<'_, 'c>) -> Option<u64> {
        let wanted = self.row_again(row, encoding)?;
        let elements = distinct_elements_per_thread(wanted);
        let read = elements.unsigned_abs() * u64::from(wanted.element_bits() / 8);
        if read <= most && row.load().is_some_and(|load| copies.has(load)) {
            return Some(0);
        }
        let from = row.value.ty().with_encoding(row.start().value.ty().encoding());
        if elements > row.elements { None } else { bytes_through_shared(from, wanted) }
    }
}

/// A tensor of one axis that a block repeats.
#[derive(Clone, Copy)]
struct Row<'c> {
    value: Value<'c>,
    /// The other axis of the block.
    axis: usize,
    /// Different elements that a thread has of it where the block repeats it.
    elements: i64,
}

/// What a row is computed from, in the layout that it is converted from.
struct RowStart<'c> {
    value: Value<'c>,
    /// What the first step takes for the value: its conversion.
    converted: Value<'c>,
    /// Arithmetic on the value, first to last.
    steps: Vec<Step<'c>>,
}

/// Operations on a row that are computed in the layout in front of them.
const MOST_STEPS_OF_ROW: usize = 16;

impl<'c> Row<'c> {
    /// The load that brings the row as it is.
    fn load(self) -> Option<Op<'c>> {
        self.value.defining_op().filter(|op| op.kind() == OpKind::TtLoad)
    }

    /// No loop is around what makes it.
    fn is_made_once(self) -> bool {
        let parent = self.value.parent_block().and_then(|block| block.parent_op());
        parent.is_some_and(|parent| !parent.ancestors().any(is_loop))
    }

    /// In loops, arithmetic that nothing else needs is done in the layout in front of it where a thread has fewer elements there: in the layout of a
    /// block many threads have each element of a row, and compute it all.
    fn start(self) -> RowStart<'c> {
        let own = RowStart { value: self.value, converted: self.value, steps: Vec::new() };
        if self.is_made_once() { own } else { self.start_with_fewer_elements().unwrap_or(own) }
    }

    fn start_with_fewer_elements(self) -> Option<RowStart<'c>> {
        let (mut converted, mut steps) = (self.value, Vec::new());
        let value = loop {
            let op = converted.defining_op().filter(|_| converted.has_one_use())?;
            if op.kind() == OpKind::TtgConvertLayout {
                break op.operand(0);
            }
            if steps.len() == MOST_STEPS_OF_ROW || op.block() != self.value.parent_block() {
                return None;
            }
            converted = only_operand(op)?;
            steps.push(Step { op, is_before_turn: false });
        };
        steps.reverse();
        let ty = self.value.ty();
        let before = ty.with_encoding(value.ty().encoding());
        let has_fewer = distinct_elements_per_thread(before) < distinct_elements_per_thread(ty);
        (has_fewer && !steps.is_empty()).then_some(RowStart { value, converted, steps })
    }

    /// The row in the layout that it is converted from.
    fn made_in_fewest(self) -> Option<Value<'c>> {
        let start = self.start();
        let layout = start.value.ty().encoding()?;
        let behind = self.value.defining_op().and_then(|op| op.next());
        let mut made = FxHashMap::from_iter([(start.converted.id(), start.value)]);
        for step in &start.steps {
            let again = make_again(step, &made, layout, behind?);
            made.insert(step.op.result(0).id(), again);
        }
        made.get(&self.value.id()).copied()
    }
}

/// The one tensor beside constants that an operation computes each of its elements from.
fn only_operand(op: Op<'_>) -> Option<Value<'_>> {
    if !is_step(op) || !computation(op.kind()).is_element_by_element() {
        return None;
    }
    let is_computed =
        |operand: &Value<'_>| operand.ty().is_tensor() && operand.constant().and_then(|c| c.as_splat()).is_none();
    let mut computed = op.operands().into_iter().filter(is_computed);
    computed.next().filter(|_| computed.next().is_none())
}

/// Bytes that a conversion moves through shared memory: none where threads have their elements, or lanes hand each other what they have.
fn bytes_through_shared(from: Type<'_>, to: Type<'_>) -> Option<u64> {
    let bytes = from.element_bits().div_ceil(8).max(1);
    let (source, target) = (from.linear_layout()?, to.linear_layout()?);
    match conversion::plan(&source, &target, 8 * bytes, conversion::SCRATCH_BYTES).ok()? {
        ConversionPlan::Shared(_) => Some(from.num_elements().unsigned_abs() * u64::from(bytes)),
        ConversionPlan::Reorder { .. } | ConversionPlan::Shuffles(_) => Some(0),
    }
}

/// Which loads of a function become copies to shared memory, as far as that is known here.
struct Copies<'a, 'c> {
    function: Op<'c>,
    num_warps: u32,
    facts: OnceCell<AxisFacts>,
    cx: &'a PassContext,
}

impl<'c> Copies<'_, 'c> {
    /// What is loaded lies in shared memory in each iteration of its loop, where it can be read in any layout.
    fn has(&self, load: Op<'c>) -> bool {
        let is_in_loop = || load.parent_op().is_some_and(|parent| parent.kind() == OpKind::ScfFor);
        load.kind() == OpKind::TtgLocalLoad && is_in_loop()
            || is_copied_ahead(load, || self.facts.get_or_init(|| axis_info(self.function)), self.cx)
    }
}

/// Instructions of a thread that computing in the operand layout may add to an iteration, where a row or a scalar comes from outside of it: the
/// limit of `remove-layout-conversions`. Of 45 products on an H200, those that add up to 149 take 0.73 to 1.04 of the time and one 1.23, those
/// from 185 on 0.95 to 2.2. Where nothing is added (weights of int8 with a scale for each row, vllm-i64), 40.6 µs become 32.4, 12.7 µs 11.7 and
/// 13.5 µs 11.9.
const MORE_INSTRUCTIONS: u64 = 160;
/// Instructions of a thread that computing in the operand layout may add to an iteration where nothing is spared but the way through shared memory: each of
/// several warps computes what they share. On an H200 a product for which these are 8 has 1.08 times the speed, and four for which they are about 48 and more have
/// 0.92 to 1.005.
const FEW_INSTRUCTIONS: u64 = 16;
/// The same in CTAs of two warps, which read the block twice at most. On an H200 two inverses of chunks for which these are 24 and 32 are both 1.06 times as fast;
/// with 48 to 96 five are 0.99 to 1.02 times as fast.
const FEW_INSTRUCTIONS_OF_TWO_WARPS: u64 = 32;

impl<'c> Slice<'c> {
    /// Arithmetic with rows, and with scalars from outside of the block, is made again only where fewer bytes are converted, or none, few instructions
    /// are added, and the rows are converted less often than the block, or instead of it.
    fn pays(&self, encoding: Attribute<'c>, conversion: Op<'c>, copies: &Copies<'_, 'c>) -> bool {
        let wanted = conversion.result(0).ty();
        if self.repeats_much(encoding, conversion, copies) {
            return false;
        }
        let is_row = |repeated: &Repeated<'c>| matches!(repeated.source, Source::Row(_));
        let is_outer = |repeated: &Repeated<'c>| repeated.block.parent_block() != self.load.block();
        if !self.repeated.iter().any(|repeated| is_row(repeated) || is_outer(repeated)) {
            return true;
        }
        let is_in_loop = loop_depth(conversion) > 0;
        (is_in_loop || !self.repeated.iter().any(is_row))
            && conversion.block() == self.load.block()
            && (self.widens(wanted) || self.is_read_for_nothing(wanted, encoding, copies))
            && self.more_instructions(encoding) < MORE_INSTRUCTIONS
            && self.rows_of_loops_pay(encoding, conversion, copies)
    }

    /// The block is a copy in shared memory, where it is read in the operand layout as well as in its own, its elements are as wide as the operand's,
    /// and a thread computes little more in that layout, or nothing. So the conversion goes, with the shared memory and the registers that it takes.
    fn is_read_for_nothing(&self, wanted: Type<'c>, encoding: Attribute<'c>, copies: &Copies<'_, 'c>) -> bool {
        let is_as_wide = self.load.result(0).ty().element_bits() == wanted.element_bits();
        let most = if copies.num_warps <= 2 { FEW_INSTRUCTIONS_OF_TWO_WARPS } else { FEW_INSTRUCTIONS };
        is_as_wide && self.more_instructions(encoding) <= most && copies.has(self.load)
    }

    /// Rows that loops make are converted as often as the block was. That pays where the block is read from shared memory, the rows are fewer bytes, and
    /// threads compute no more than before: of three products of few bits that would add 90 to 160 instructions, one is 7 % slower, one 3 %, and one
    /// 2 % faster.
    fn rows_of_loops_pay(&self, encoding: Attribute<'c>, conversion: Op<'c>, copies: &Copies<'_, 'c>) -> bool {
        let rows = self.repeated.iter().filter_map(|repeated| Some((repeated, repeated.row_of_loop()?)));
        let rows: Vec<(&Repeated<'c>, Row<'c>)> = rows.collect();
        if rows.is_empty() {
            return true;
        }
        if self.more_instructions(encoding) > 0 {
            return false;
        }
        let (source, wanted) = (conversion.operand(0).ty(), conversion.result(0).ty());
        // A thread writes the block to shared memory and reads it there.
        let elements = distinct_elements_per_thread(source) + distinct_elements_per_thread(wanted);
        let spared = elements.unsigned_abs() * u64::from(wanted.element_bits() / 8);
        let of_row = |(repeated, row): (&Repeated<'c>, Row<'c>)| repeated.bytes_of_row(row, encoding, spared, copies);
        let bytes: Option<u64> = rows.into_iter().map(of_row).sum();
        let of_block = bytes_through_shared(source, wanted);
        bytes.zip(of_block).is_some_and(|(bytes, of_block)| bytes < of_block) && copies.has(self.load)
    }

    /// Several warps would compute the same, and that takes more than the way through shared memory that goes away: a thread issues an instruction in
    /// the time of a byte that it does not write or read there, and does not wait where the block is a copy. `remove-layout-conversions` counts so, too.
    /// What other conversions are made of stays with them, and one row has few elements.
    fn repeats_much(&self, encoding: Attribute<'c>, conversion: Op<'c>, copies: &Copies<'_, 'c>) -> bool {
        let (source, wanted) = (conversion.operand(0).ty(), conversion.result(0).ty());
        let more = self.more_instructions(encoding);
        let is_alone = conversion.block() == self.load.block() && self.feeds_only(conversion);
        let is_row = source.shape().into_iter().filter(|size| *size > 1).count() < 2;
        if more == 0 || !self.widens(wanted) || !is_alone || is_row {
            return false;
        }
        let elements = distinct_elements_per_thread(source) + distinct_elements_per_thread(wanted);
        let bytes_less = (wanted.element_bits() - self.load.result(0).ty().element_bits()) / 8;
        let waiting = if copies.has(self.load) { MORE_INSTRUCTIONS } else { 0 };
        more > waiting + elements.unsigned_abs() * u64::from(bytes_less)
    }

    /// Nothing but the conversion takes what the steps make.
    fn feeds_only(&self, conversion: Op<'c>) -> bool {
        let steps: FxHashSet<usize> = self.steps.iter().map(|step| step.op.id()).collect();
        let mut users = self.steps.iter().flat_map(|step| step.op.result(0).users());
        users.all(|(user, _)| user == conversion || steps.contains(&user.id()))
    }

    /// What is loaded has fewer bytes than the operand.
    fn widens(&self, wanted: Type<'c>) -> bool {
        self.load.result(0).ty().element_bits() < wanted.element_bits()
    }

    /// Instructions of a thread that the operand layout adds, about: it may have an element in several threads.
    fn more_instructions(&self, encoding: Attribute<'c>) -> u64 {
        let more = |step: &Step<'c>| {
            let ty = step.op.result(0).ty();
            let elements = elements_per_thread(step.again(ty, encoding)) - elements_per_thread(ty);
            elements.max(0).unsigned_abs() * u64::from(instructions_of_element(step.op.kind()))
        };
        self.steps.iter().map(more).sum()
    }
}

/// Moves a conversion to a layout of `mma` operands over casts, arithmetic and transpositions, up to the load.
fn hoist_conversion<'c>(conversion: Op<'c>, copies: &Copies<'_, 'c>) {
    let wanted = conversion.result(0).ty();
    let is_operand =
        |layout: &Encoding| matches!(layout, Encoding::DotOp(e) if !matches!(*e.parent, Encoding::Blocked(_)));
    let Some(encoding) = wanted.encoding().filter(|_| wanted.layout().is_some_and(|layout| is_operand(&layout))) else {
        return;
    };
    if !conversions_beside(conversion).is_empty() {
        return;
    }
    let slice = arithmetic_on_one_load(conversion).filter(|slice| slice.pays(encoding, conversion, copies));
    let Some(slice) = slice else { return };
    let Some(operand) = read_as_operand(&slice, encoding, conversion) else { return };
    let mut made = FxHashMap::from_iter([(slice.load.result(0).id(), operand)]);
    for repeated in &slice.repeated {
        let Some(again) = repeated.again(encoding, conversion) else { return };
        made.insert(repeated.block.id(), again);
    }
    for step in &slice.steps {
        let again = if is_turned(step.op) {
            // The block is turned where it is read.
            made[&step.op.operand(0).id()]
        } else {
            make_again(step, &made, encoding, conversion)
        };
        made.insert(step.op.result(0).id(), again);
    }
    conversion.result(0).replace_all_uses_with(made[&conversion.operand(0).id()]);
    conversion.erase();
}

/// What is loaded in the operand layout, with rows for columns where the product reads it so.
fn read_as_operand<'c>(slice: &Slice<'c>, encoding: Attribute<'c>, before: Op<'c>) -> Option<Value<'c>> {
    let mut builder = Builder::before(before);
    let mut value = slice.load.result(0);
    if slice.is_turned {
        let ty = value.ty();
        let shape: Vec<i64> = ty.shape().into_iter().rev().collect();
        let layout = encodings::permuted(&*ty.layout()?, &ty.shape(), &[1, 0])?;
        value = builder.trans(value, &[1, 0], ty.with_shape(&shape).with_layout(&layout));
    }
    Some(builder.convert_layout(value, value.ty().with_encoding(Some(encoding))))
}

/// The operation in the operand layout.
fn make_again<'c>(
    step: &Step<'c>,
    made: &FxHashMap<usize, Value<'c>>,
    encoding: Attribute<'c>,
    before: Op<'c>,
) -> Value<'c> {
    let copy = step.op.clone_op();
    Builder::before(before).place(copy);
    for (index, operand) in step.op.operands().into_iter().enumerate() {
        if operand.ty().is_tensor() {
            let again = match operand.constant().and_then(|value| value.as_splat()) {
                Some(number) => {
                    let ty = step.again(operand.ty(), encoding);
                    Builder::before(copy).constant(before.context().splat_attr(ty, number))
                }
                None => made[&operand.id()],
            };
            copy.set_operand(index, again);
        }
    }
    copy.result(0).set_type(step.again(step.op.result(0).ty(), encoding));
    copy.result(0)
}

/// Casts, transpositions and arithmetic with constants, scalars and rows that make what is converted of one load; `None` when there is anything
/// else, when nothing is computed, or when somebody needs them in their own layout.
fn arithmetic_on_one_load<'c>(conversion: Op<'c>) -> Option<Slice<'c>> {
    let wanted = conversion.result(0).ty();
    let mut turned: FxHashMap<usize, bool> = FxHashMap::default();
    let (mut load, mut steps, mut repeated) = (None, Vec::new(), Vec::new());
    let mut pending = vec![(conversion.operand(0), false)];
    while let Some((value, is_before_turn)) = pending.pop() {
        let op = value.defining_op()?;
        if let Some(known) = turned.insert(op.id(), is_before_turn) {
            // A block and its transpose are added: neither stands for both.
            if known != is_before_turn {
                return None;
            }
        } else if matches!(op.kind(), OpKind::TtLoad | OpKind::TtgLocalLoad) {
            if load.replace(op).is_some() {
                return None;
            }
        } else if let Some(source) = source_of(value) {
            repeated.push(Repeated { block: value, is_before_turn, source });
        } else if is_step(op) {
            steps.push(Step { op, is_before_turn });
            let tensors = op.operands().into_iter().filter(|operand| operand.ty().is_tensor());
            let computed = tensors.filter(|operand| operand.constant().and_then(|c| c.as_splat()).is_none());
            pending.extend(computed.map(|operand| (operand, is_before_turn != is_turned(op))));
        } else {
            return None;
        }
    }
    let load: Op<'c> = load?;
    let mut slice = Slice { load, is_turned: turned[&load.id()], steps, repeated };
    let (block, widens) = (load.block(), slice.widens(wanted));
    let belongs = |step: &Step<'c>| step.op.block() == block && only_feeds(step.op, wanted, widens);
    let is_moved_only = slice.steps.iter().all(|step| is_turned(step.op));
    if slice.is_turned && !widens || is_moved_only || !slice.steps.iter().all(belongs) {
        return None;
    }
    slice.steps.sort_by(|a, b| if a.op.is_before_in_block(b.op) { Ordering::Less } else { Ordering::Greater });
    Some(slice)
}

/// The scalar or the row that a block repeats.
fn source_of(block: Value<'_>) -> Option<Source<'_>> {
    let op = block.before_conversion().defining_op()?;
    if op.kind() == OpKind::TtSplat {
        return Some(Source::Scalar(op.operand(0)));
    }
    let expanded = if op.kind() == OpKind::TtBroadcast { op.operand(0) } else { op.result(0) };
    let expansion = ExpandDimsOp::cast(expanded.before_conversion().defining_op()?)?;
    let (value, elements) = (expansion.src().before_conversion(), distinct_elements_per_thread(expanded.ty()));
    (value.ty().rank() == 1).then(|| Source::Row(Row { value, axis: expansion.axis(), elements }))
}

fn is_step(op: Op<'_>) -> bool {
    is_turned(op)
        || (encodings::rule(op) == LayoutRule::Same && op.is_pure() && op.num_results() == 1 && op.num_regions() == 0)
}

/// Everything made of the operation's result ends in conversions to one layout, without transpositions on the way where the casts do not widen:
/// what is cast to fewer bytes is shared by products that read it either way.
fn only_feeds<'c>(op: Op<'c>, wanted: Type<'c>, widens: bool) -> bool {
    let (mut seen, mut pending) = (FxHashSet::from_iter([op.id()]), vec![op]);
    while let Some(op) = pending.pop() {
        for (user, _) in op.result(0).users() {
            let is_wanted =
                user.kind() == OpKind::TtgConvertLayout && user.result(0).ty().encoding() == wanted.encoding();
            if !is_wanted && (!is_step(user) || is_turned(user) && !widens) {
                return false;
            }
            if !is_wanted && seen.insert(user.id()) {
                pending.push(user);
            }
        }
    }
    true
}
