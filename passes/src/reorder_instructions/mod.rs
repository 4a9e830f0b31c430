//! Moves reads of shared memory, and conversions through it, down to where their results are used, so that no registers are kept for them.
//!
//! LLVM and ptxas place arithmetic as they like, but what goes through shared memory stays on its side of every barrier and loop. So only
//! that moves here, in four cases.
//!
//! **Into a loop.** An operand of a matrix product that is made before a loop and used in it takes registers all the time. Where the loop
//! needs more registers than a thread has, it is read from shared memory in every iteration: the read moves into the loop, and what was
//! converted from other registers gets a buffer, if there is room. Where registers suffice, the operand keeps them: reading costs time
//! ([measurements](../../../docs/measurements.md#operands-read-in-the-loop-save-spills)). What lives counts as the product does it: for tensor
//! cores the values in their layouts, for multiply-adds all floats.
//!
//! So is an operand of tensor cores that is computed element by element before the loop, as queries times a number are.
//!
//! **Behind a loop.** A conversion that stands before a loop and is first used behind it moves there, when its source takes fewer registers
//! or is kept anyway. So does one before a product that lacks registers, when its source takes fewer. Indices that a loop gathers two blocks by
//! are converted for each of them, and the second conversion waits behind the copy of the first block, where they take many registers.
//! Where the source takes as many registers and was loaded, the conversion moves behind the loop if copies for the loop are asked for behind it: it
//! would wait for memory in front of them, and what it waits for arrives while the loop runs
//! ([measurements](../../../docs/measurements.md#what-is-loaded-for-later-is-converted-behind-the-loop)).
//!
//! **To its product.** Of two operands the one whose buffer was written last is read first: threads meet before it, and the other one, which
//! may have been written long before, would be in registers by then. A conversion through shared memory counts as one that is written there:
//! gradients of keys and values in blocks took 80 registers instead of 63, which is six CTAs of a multiprocessor instead of eight (0.86 of the speed).
//!
//! **Before its product.** A buffer of what an iteration loads, and a product behind another one reads, is written there ([`late_writes`]).
//!
//! Triton's pass of this name moves every operand with a single use, and looks at no writes in between; here a read only passes over what
//! cannot change its buffer, which starts with its contents and is never written again. Triton also moves writes to shared memory
//! and views of it right behind what they need; ptxas does the one within a run of instructions, and the other is none.
//!
//! 1. Find what is used in or behind later loops.  2. Ask which loops lack registers, and whether the buffers fit.  3. Move.

mod late_writes;

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::analysis::shared_buffers::{SCRATCH_ALIGNMENT, SharedBuffer, keeps_contents, scratch, tensor_bytes};
use crate::attributes::HELD;
use crate::convert_to_ttg::require_ttg;
use crate::operations::computations::computation;
use crate::operations::control::{Control, control, is_loop};
use crate::operations::is_product;
use crate::operations::memory::shared_memory;
use crate::shared_encodings::{buffer_type, row_swizzled, swizzled};
use crate::sink_loads::first_user;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{DotOp, ForOp, LocalLoadOp};
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};
use tk_layout::Encoding;

/// The part of a thread's registers that are many for one conversion.
const MANY_OF_REGISTERS: u32 = 4;

/// The pass.
pub const PASS: Pass =
    Pass { name: "reorder-instructions", summary: "move reads of shared memory to where registers are short", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    module.functions().into_iter().try_for_each(|function| reorder(function, threads.num_warps, cx))
}

fn reorder(function: Op<'_>, num_warps: u32, cx: &PassContext) -> Result<()> {
    let (mut operands, mut later) = (Vec::new(), Vec::new());
    let live = LiveRegisters::of_floats_once(function);
    let most = cx.options.maxnreg.unwrap_or(u32::MAX).min(cx.target.max_registers_per_thread());
    for op in function.descendants() {
        let is_read = matches!(op.kind(), OpKind::TtgLocalLoad | OpKind::TtgConvertLayout);
        if op.num_results() != 1 || !is_read && !is_computed_operand(op) || !op.result(0).has_uses() {
            continue;
        }
        if let Some(operand) = Operand::of(op) {
            operands.push(operand);
        } else if let Some(place) =
            behind_loop(op).or_else(|| behind_product(op, &live, most)).or_else(|| behind_copies(op, most))
            && is_pinned(op)?
        {
            later.push((op, place));
        }
    }
    sink_operands(operands, function, cx)?;
    later.into_iter().for_each(|(op, place)| op.move_before(place));
    order_reads(function, most);
    late_writes::move_behind_products(function, num_warps, most, cx)
}

/// Reads of operands stand right before their product, that of the buffer first that was written last: threads meet before it, and no operand has
/// to be in registers by then.
fn order_reads(function: Op<'_>, most: u32) {
    for dot in function.descendants().into_iter().filter_map(DotOp::cast) {
        let reads = [dot.a(), dot.b()].map(|operand| {
            let read = operand.defining_op().filter(|read| read.block() == dot.op.block() && operand.has_one_use());
            read.filter(|read| reads_what_stays(*read) || is_large_read_before(*read, dot.op, most))
        });
        let (left, right) = match reads {
            [Some(left), Some(right)] => (left, right),
            // A conversion writes and waits before it reads, as if its buffer were the newest.
            [Some(read), None] | [None, Some(read)] => {
                let is_conversion = |operand: Value<'_>| {
                    let conversion = operand.defining_op().filter(|op| op.block() == read.block());
                    conversion.is_some_and(|op| read.is_before_in_block(op) && converts_through_memory(op))
                };
                if reads_what_stays(read) && [dot.a(), dot.b()].into_iter().any(is_conversion) {
                    read.move_before(dot.op);
                }
                continue;
            }
            [None, None] => continue,
        };
        let (Some(of_left), Some(of_right)) = (written_by(left), written_by(right)) else { continue };
        // What is written before a loop around the product is older than what is written in it.
        let is_older = |a: Op<'_>, b: Op<'_>| a.block() != b.block() && b.block() == dot.op.block();
        let left_is_older =
            is_older(of_left, of_right) || of_left.block() == of_right.block() && of_left.is_before_in_block(of_right);
        let (newest, oldest) = if left_is_older { (right, left) } else { (left, right) };
        if oldest.is_before_in_block(newest) {
            oldest.move_before(dot.op);
        }
    }
}

/// It reads what takes many of the registers that a thread has, and nothing up to the product writes to a buffer or waits.
fn is_large_read_before(read: Op<'_>, product: Op<'_>, most: u32) -> bool {
    let is_read = LocalLoadOp::cast(read).is_some_and(|load| load.token().is_none());
    let mut between = std::iter::successors(read.next(), |op| op.next()).take_while(|op| *op != product);
    is_read && registers(read.result(0).ty()) >= most / MANY_OF_REGISTERS && between.all(leaves_buffers)
}

/// It neither changes what a buffer holds nor waits for somebody who does.
fn leaves_buffers(op: Op<'_>) -> bool {
    control(op.kind()) == Control::Plain
        && shared_memory(op.kind()).leaves_contents()
        && !matches!(op.kind(), OpKind::TkHandOver | OpKind::TkWaitHandOver)
}

/// What makes the buffer that is read.
fn written_by(read: Op<'_>) -> Option<Op<'_>> {
    LocalLoadOp::cast(read).and_then(|load| load.src().defining_op())
}

/// LLVM cannot move it over a barrier, and we can: it reads a buffer that stays as it is, or moves data through scratch memory.
fn is_pinned(op: Op<'_>) -> Result<bool> {
    Ok(reads_what_stays(op) || scratch(op)?.is_some_and(|scratch| scratch.bytes > 0))
}

fn converts_through_memory(op: Op<'_>) -> bool {
    let bytes = || scratch(op).ok().flatten().map_or(0, |scratch| scratch.bytes);
    op.kind() == OpKind::TtgConvertLayout && bytes() > 0
}

/// It reads a buffer that holds what it was made with as long as it lives.
fn reads_what_stays(op: Op<'_>) -> bool {
    LocalLoadOp::cast(op).is_some_and(|load| load.token().is_none() && keeps_contents(load.src()))
}

/// What multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Multiplier {
    TensorCore,
    MultiplyAdd,
}

/// An operand of matrix products that is made before loops that use it.
struct Operand<'c> {
    op: Op<'c>,
    multiplier: Multiplier,
    /// In each loop, the operation of its body that holds the first use.
    uses: Vec<(ForOp<'c>, Op<'c>)>,
}

impl<'c> Operand<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        // What a product in flight reads cannot be read again in the loop.
        let is_made_here = op.kind() == OpKind::TtgConvertLayout || is_computed_operand(op);
        if !is_made_here && !reads_what_stays(op) || op.attr(HELD).is_some() {
            return None;
        }
        let multiplier = multiplier_of(op.result(0).ty())?;
        let mut uses: Vec<(ForOp<'c>, Op<'c>)> = Vec::new();
        for (user, _) in op.result(0).users() {
            let Some(around) = loop_around(user).filter(|view| !view.op.contains(op)) else {
                // Other uses keep what is converted in registers.
                if multiplier == Multiplier::MultiplyAdd { continue } else { return None }
            };
            let place = user.ancestor_in(around.body())?;
            match uses.iter_mut().find(|(view, _)| view.op == around.op) {
                Some((_, first)) if place.is_before_in_block(*first) => *first = place,
                Some(_) => {}
                None => uses.push((around, place)),
            }
        }
        (!uses.is_empty()).then_some(Self { op, multiplier, uses })
    }

    /// The buffer that the source of a conversion would have, from there to the end of the last loop.
    fn buffer(&self, live: &LiveRegisters) -> SharedBuffer<'c> {
        let (op, ty) = (self.op, self.op.result(0).ty());
        let loops = self.uses.iter().filter_map(|(view, _)| view.op.ancestor_in(op.block()?));
        let end = loops.map(|outer| *live.range(outer).end()).max().unwrap_or(u32::MAX);
        let live = *live.range(op).start()..=end;
        SharedBuffer { op, bytes: tensor_bytes(ty), alignment: SCRATCH_ALIGNMENT, purpose: "buffer", live }
    }

    /// Reads the operand in each loop.
    fn apply(self) {
        let (op, value) = (self.op, self.op.result(0));
        if let Some(buffer) = computed_memory(op) {
            let memory = Builder::after(op).create(OpKind::TtgLocalAlloc, &[value], &[buffer], &[]).result(0);
            for (view, place) in self.uses {
                let mut builder = Builder::before(place).with_location(op.loc());
                let read = builder.create(OpKind::TtgLocalLoad, &[memory], &[value.ty()], &[]).result(0);
                value.replace_uses_if(read, |user, _| loop_around(user).is_some_and(|around| around.op == view.op));
            }
            return;
        }
        let memory = match memory_for(op) {
            Some(buffer) => {
                Builder::before(op).create(OpKind::TtgLocalAlloc, &[op.operand(0)], &[buffer], &[]).result(0)
            }
            None => op.operand(0),
        };
        let read_before = |place: Op<'c>| {
            let mut builder = Builder::before(place).with_location(op.loc());
            builder.create(OpKind::TtgLocalLoad, &[memory], &[value.ty()], &[]).result(0)
        };
        for (view, place) in self.uses {
            let read = read_before(place);
            value.replace_uses_if(read, |user, _| loop_around(user).is_some_and(|around| around.op == view.op));
        }
        if value.has_uses() {
            value.replace_uses_if(read_before(op), |_, _| true);
        }
        op.erase();
    }
}

/// The innermost loop that runs `op` again and again; a loop itself runs in the one around it.
fn loop_around(op: Op<'_>) -> Option<ForOp<'_>> {
    op.ancestors().skip(1).find_map(ForOp::cast)
}

/// What multiplies operands of this type, if it is one.
fn multiplier_of(ty: Type<'_>) -> Option<Multiplier> {
    let layout = ty.layout()?;
    let Encoding::DotOp(operand) = &*layout else { return None };
    if matches!(*operand.parent, Encoding::NvidiaMma(_)) {
        return Some(Multiplier::TensorCore);
    }
    matches!(*operand.parent, Encoding::Blocked(_)).then_some(Multiplier::MultiplyAdd)
}

/// It computes an operand of matrix instructions element by element, as the left operand of attention times a number.
fn is_computed_operand(op: Op<'_>) -> bool {
    let is_operand = |ty: Type<'_>| ty.is_tensor() && multiplier_of(ty) == Some(Multiplier::TensorCore);
    computation(op.kind()).is_element_by_element() && op.num_results() == 1 && is_operand(op.result(0).ty())
}

/// The type of the buffer for what [`is_computed_operand`].
fn computed_memory(op: Op<'_>) -> Option<Type<'_>> {
    let ty = op.result(0).ty();
    let layout = ty.layout().filter(|_| is_computed_operand(op))?;
    let Encoding::DotOp(operand) = &*layout else { return None };
    let memory = swizzled(operand, &ty.shape(), &layout.order(), ty.element_bits());
    Some(buffer_type(op.context(), &ty.shape(), ty.element(), &memory, false))
}

/// The type of the buffer from which a converted operand is read without bank conflicts; `None` for what is in memory already.
pub(crate) fn memory_for(op: Op<'_>) -> Option<Type<'_>> {
    let (source, ty) = (op.operand(0).ty(), op.result(0).ty());
    let (from, to) = (source.layout().filter(|_| source.is_tensor())?, ty.layout()?);
    let Encoding::DotOp(operand) = &*to else { return None };
    let layout = match multiplier_of(ty)? {
        Multiplier::TensorCore => swizzled(operand, &ty.shape(), &from.order(), ty.element_bits()),
        Multiplier::MultiplyAdd => row_swizzled(&ty.shape(), &from.order(), ty.element_bits()),
    };
    Some(buffer_type(op.context(), &ty.shape(), ty.element(), &layout, false))
}

/// Those whose loops need more registers than a thread has. What is converted gets a buffer, if shared memory has room for it.
fn sink_operands<'c>(operands: Vec<Operand<'c>>, function: Op<'c>, cx: &PassContext) -> Result<()> {
    if operands.is_empty() {
        return Ok(());
    }
    let of_tensor_cores = LiveRegisters::of(function);
    let mut of_floats = None;
    let most = cx.options.maxnreg.unwrap_or(u32::MAX).min(cx.target.max_registers_per_thread());
    let mut sunk = Vec::new();
    let mut buffers = None;
    for operand in operands {
        let live = match operand.multiplier {
            Multiplier::TensorCore => &of_tensor_cores,
            Multiplier::MultiplyAdd => of_floats.get_or_insert_with(|| LiveRegisters::of_floats_once(function)),
        };
        if operand.uses.iter().all(|(view, _)| live.peak(view.op) <= most) {
            continue;
        }
        if operand.op.kind() != OpKind::TtgLocalLoad {
            let buffers = match &mut buffers {
                Some(known) => known,
                unknown => unknown.insert(buffers_of_module(function)?),
            };
            buffers.push(operand.buffer(live));
            if total_bytes(buffers) > cx.target.max_shared_bytes_per_cta() {
                buffers.pop();
                continue;
            }
        }
        sunk.push(operand);
    }
    sunk.into_iter().for_each(Operand::apply);
    Ok(())
}

/// Where `op` belongs when all its uses are behind a product of its block that needs more registers than a thread has, and waiting there
/// takes fewer of them.
fn behind_product<'c>(op: Op<'c>, live: &LiveRegisters, most: u32) -> Option<Op<'c>> {
    let (value, source) = (op.result(0), op.operand(0));
    let first = first_user(value, op.block()?)?;
    let is_short = |op: Op<'c>| is_product(op) && live.at_start(op) > most;
    let mut between = std::iter::successors(op.next(), |op| op.next()).take_while(|op| *op != first);
    (registers(value.ty()) > registers(source.ty()) && between.any(is_short)).then_some(first)
}

/// Where `op` belongs when all its uses are behind a copy of its block, what it gives takes many of the registers that a thread has, and waiting
/// there takes fewer.
fn behind_copies(op: Op<'_>, most: u32) -> Option<Op<'_>> {
    let (value, source) = (op.result(0), op.operand(0));
    let takes_many =
        registers(value.ty()) > registers(source.ty()) && registers(value.ty()) >= most / MANY_OF_REGISTERS;
    if op.kind() != OpKind::TtgConvertLayout || !takes_many {
        return None;
    }
    let first = first_user(value, op.block()?)?;
    let mut between = std::iter::successors(op.next(), |op| op.next()).take_while(|op| *op != first);
    between.any(|op| op.kind() == OpKind::TtgAsyncCopyGlobalToLocal).then_some(first)
}

/// Where `op` belongs when all its uses are behind a loop that it stands before, and waiting there takes fewer registers, or as many and the copies of
/// the loop do not wait for it.
fn behind_loop(op: Op<'_>) -> Option<Op<'_>> {
    let (value, block) = (op.result(0), op.block()?);
    let first = first_user(value, block)?;
    let mut between = std::iter::successors(op.next(), |op| op.next()).take_while(|op| *op != first);
    let passed = between.find(|op| is_loop(*op))?;
    let source = op.operand(0);
    let source_stays = || {
        let later =
            |user: Op<'_>| user.ancestor_in(block).is_some_and(|own| own == first || first.is_before_in_block(own));
        source.users().into_iter().any(|(user, _)| user != op && later(user))
    };
    let waits_too_soon = || registers(value.ty()) == registers(source.ty()) && waits_before_copies(op, passed);
    (source_stays() || registers(value.ty()) > registers(source.ty()) || waits_too_soon()).then_some(first)
}

/// It converts what was loaded just before, which nothing else waits for in front of the loop, and then the first copies for the loop are asked for.
fn waits_before_copies<'c>(op: Op<'c>, passed: Op<'c>) -> bool {
    let load = op.operand(0).defining_op().filter(|load| load.kind() == OpKind::TtLoad && load.block() == op.block());
    let Some(load) = load.filter(|_| op.kind() == OpKind::TtgConvertLayout) else { return false };
    let is_behind = |user: Op<'c>| {
        let own = op.block().and_then(|block| user.ancestor_in(block));
        own.is_some_and(|own| passed.is_before_in_block(own))
    };
    let waits_alone = load.result(0).users().into_iter().all(|(user, _)| user == op || is_behind(user));
    let mut before = std::iter::successors(load.next(), |op| op.next()).take_while(|other| *other != op);
    let mut behind = std::iter::successors(op.next(), |op| op.next()).take_while(|other| *other != passed);
    // Copies that are under way when it waits do not wait for it.
    waits_alone && behind.any(starts_copy) && !before.any(starts_copy)
}

/// It asks for what shared memory gets without registers.
fn starts_copy(op: Op<'_>) -> bool {
    shared_memory(op.kind()).starts_copy()
}
