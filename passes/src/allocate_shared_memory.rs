//! Gives every buffer of shared memory an offset, buffers that never live at once sharing bytes.
//!
//! Scratch memory of layout conversions, reductions and so on, and every `ttg.local_alloc`, get `allocation.offset` and
//! `tk.allocation_size`; the module gets the total as `ttg.shared`. Placing intervals optimally is NP-hard; largest first, each at the
//! lowest offset that is free while it lives, is the usual heuristic and close to the peak in practice.
//!
//! Two operations in a row that write, meet and read need one barrier more between them when they share bytes. So such neighbours lie apart where
//! that costs no CTA of the multiprocessor ([`SharedRoom`]) and few bytes, since what is not shared memory is cache: [`APART_BYTES_PER_WARP`], or
//! in loops as many as there are.
//!
//! The memory of a function that is called lies behind that of its callers, at one place for all calls. It is simpler than handing it an address
//! and costs memory only where functions are called that use it.
//!
//! 1. Ask [`shared_buffers`] for sizes and lifetimes.  2. Place.  3. Write the attributes, or say what does not fit and what would.

use crate::analysis::shared_buffers::{MATRIX_ALIGNMENT, SharedBuffer, shared_buffers};
use crate::analysis::shared_room::SharedRoom;
use crate::attributes::{ALLOCATION_OFFSET, ALLOCATION_SIZE, SHARED};
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::is_loop;
use crate::operations::memory::{SharedMemory, shared_memory};
use crate::{Pass, PassContext};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::{Diagnostic, Result, TOO_MUCH_SHARED_MEMORY};
use tk_ir::ops::{CallOp, FuncOp};
use tk_ir::{Module, Op, OpKind};

/// The pass.
pub const PASS: Pass = Pass { name: "allocate-shared-memory", summary: "place the buffers in shared memory", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = require_ttg(module)?.num_warps;
    let context = module.context();
    let functions: Vec<FuncOp<'_>> = module.functions().into_iter().filter_map(FuncOp::cast).collect();
    let mut plans = Vec::with_capacity(functions.len());
    let mut calls = Calls::default();
    for function in &functions {
        let buffers = shared_buffers(function.op)?;
        let offsets = place_within(&buffers, cx.target.max_shared_bytes_per_cta());
        let offsets = place_neighbours_apart(function.op, &buffers, offsets, num_warps, cx);
        let end = end_of(&buffers, &offsets);
        calls.bytes.push(end.checked_next_multiple_of(MATRIX_ALIGNMENT).unwrap_or(u32::MAX));
        calls.of.push(calls_of(*function, &functions));
        plans.push((buffers, offsets));
    }
    let bases = calls.bases();
    let mut total = 0;
    for ((buffers, offsets), base) in plans.iter().zip(&bases) {
        total = total.max(match end_of(buffers, offsets) {
            0 => 0,
            end => base.saturating_add(end),
        });
        if total > cx.target.max_shared_bytes_per_cta() {
            return Err(too_much(total, buffers, cx).boxed());
        }
        for (buffer, offset) in buffers.iter().zip(offsets) {
            set_place(buffer.op, base + offset, buffer.bytes);
        }
    }
    for (caller, callee) in calls.of.iter().flatten() {
        let end = calls.end(*callee, &bases);
        if end > bases[*callee] {
            set_place(*caller, bases[*callee], end - bases[*callee]);
        }
    }
    module.op().set_attr(SHARED, context.i32_attr(total as i32));
    Ok(())
}

fn set_place(op: Op<'_>, offset: u32, bytes: u32) {
    let context = op.context();
    op.set_attr(ALLOCATION_OFFSET, context.i32_attr(offset as i32));
    op.set_attr(ALLOCATION_SIZE, context.i32_attr(bytes as i32));
}

/// The calls in a function, with the numbers of the functions that they call.
fn calls_of<'c>(function: FuncOp<'c>, functions: &[FuncOp<'c>]) -> Vec<(Op<'c>, usize)> {
    let calls = function.op.descendants().into_iter().filter_map(CallOp::cast);
    calls.filter_map(|call| Some((call.op, functions.iter().position(|f| f.name() == call.callee())?))).collect()
}

/// Who calls whom, and how much memory each function needs for itself.
#[derive(Default)]
struct Calls<'c> {
    of: Vec<Vec<(Op<'c>, usize)>>,
    bytes: Vec<u32>,
}

impl Calls<'_> {
    /// Where the memory of each function begins: behind that of everyone who calls it, so that all may hold something while it runs.
    /// Functions do not call themselves, so this ends.
    fn bases(&self) -> Vec<u32> {
        let mut bases = vec![0u32; self.of.len()];
        for _ in 0..self.of.len() {
            for (caller, calls) in self.of.iter().enumerate() {
                let end = bases[caller].saturating_add(self.bytes[caller]);
                calls.iter().for_each(|(_, callee)| bases[*callee] = bases[*callee].max(end));
            }
        }
        bases
    }

    /// Where the memory of a function and of all that it calls ends.
    fn end(&self, function: usize, bases: &[u32]) -> u32 {
        let own = bases[function].saturating_add(self.bytes[function]);
        self.of[function].iter().map(|(_, callee)| self.end(*callee, bases)).max().unwrap_or(0).max(own)
    }
}

/// The buffers of a function; those of functions that it may call, or that may call it, can all be in use at the same time.
pub(crate) fn buffers_of_module(function: Op<'_>) -> Result<Vec<SharedBuffer<'_>>> {
    let mut buffers = shared_buffers(function)?;
    let is_kernel = |op: Op<'_>| FuncOp::cast(op).is_some_and(|view| view.is_public());
    let siblings = function.block().map(|block| block.ops()).unwrap_or_default();
    for other in siblings.into_iter().filter(|op| op.kind() == OpKind::TtFunc && *op != function) {
        if is_kernel(function) && is_kernel(other) {
            continue;
        }
        buffers.extend(shared_buffers(other)?.into_iter().map(|buffer| SharedBuffer { live: 0..=u32::MAX, ..buffer }));
    }
    Ok(buffers)
}

/// Bytes that these buffers take together at least.
pub(crate) fn total_bytes(buffers: &[SharedBuffer<'_>]) -> u32 {
    end_of(buffers, &place(buffers, overlap))
}

/// Where the last buffer ends.
fn end_of(buffers: &[SharedBuffer<'_>], offsets: &[u32]) -> u32 {
    buffers.iter().zip(offsets).map(|(buffer, offset)| offset.saturating_add(buffer.bytes)).max().unwrap_or(0)
}

/// An offset for each buffer. Tensor maps share bytes with others only when it has to be: threads would have to meet before the others are used.
fn place_within(buffers: &[SharedBuffer<'_>], limit: u32) -> Vec<u32> {
    let offsets = place(buffers, |a, b| is_map(a) || is_map(b) || overlap(a, b));
    if end_of(buffers, &offsets) <= limit { offsets } else { place(buffers, overlap) }
}

/// Bytes for each warp of a CTA that the distance of neighbours may cost.
const APART_BYTES_PER_WARP: u32 = 1024;

/// The offsets with neighbours apart, where there is room for that; otherwise those that are given.
fn place_neighbours_apart(
    function: Op<'_>,
    buffers: &[SharedBuffer<'_>],
    offsets: Vec<u32>,
    num_warps: u32,
    cx: &PassContext,
) -> Vec<u32> {
    let room = SharedRoom::of(function, num_warps, cx);
    let bytes = end_of(buffers, &offsets);
    let place_where = |are_apart: &dyn Fn(Op<'_>, Op<'_>) -> bool, more: u32| {
        let apart = place(buffers, |a, b| is_map(a) || is_map(b) || overlap(a, b) || are_apart(a.op, b.op));
        let end = end_of(buffers, &apart);
        (end <= bytes.saturating_add(more) && room.allows(bytes, end)).then_some(apart)
    };
    let place_apart = |wanted: fn(&Op<'_>) -> bool, more: u32| {
        let pairs = neighbours(function, buffers, wanted);
        let are_neighbours =
            |a: Op<'_>, b: Op<'_>| pairs.contains(&(a.id(), b.id())) || pairs.contains(&(b.id(), a.id()));
        if pairs.is_empty() { None } else { place_where(&are_neighbours, more) }
    };
    let most = num_warps.saturating_mul(APART_BYTES_PER_WARP);
    let everywhere = place_apart(|op| op.kind() == OpKind::TtFunc || is_loop(*op), most);
    // A small buffer between two large ones that lie apart needs a third place; in turns there are two for all.
    let in_turns = || {
        let turns = turns(function, buffers);
        let have_other_turns =
            |a: Op<'_>, b: Op<'_>| turns.get(&a.id()).zip(turns.get(&b.id())).is_some_and(|(a, b)| a != b);
        place_where(&have_other_turns, most)
    };
    everywhere.or_else(in_turns).or_else(|| place_apart(|op| is_loop(*op), bytes)).unwrap_or(offsets)
}

/// Whether the number of an operation that uses shared memory for itself is even, in the order of the program.
fn turns(function: Op<'_>, buffers: &[SharedBuffer<'_>]) -> FxHashMap<usize, bool> {
    let own: FxHashSet<usize> =
        buffers.iter().filter(|buffer| is_passing(buffer)).map(|buffer| buffer.op.id()).collect();
    let ids = function.descendants().into_iter().map(|op| op.id()).filter(|id| own.contains(id));
    ids.enumerate().map(|(number, id)| (id, number % 2 == 0)).collect()
}

/// Operations that use shared memory for themselves, or for a value until it is read, and come after each other within an operation that is
/// `wanted`, in loops also from the end to the start.
fn neighbours(
    function: Op<'_>,
    buffers: &[SharedBuffer<'_>],
    wanted: fn(&Op<'_>) -> bool,
) -> FxHashSet<(usize, usize)> {
    let own: FxHashSet<usize> =
        buffers.iter().filter(|buffer| is_passing(buffer)).map(|buffer| buffer.op.id()).collect();
    let mut pairs = FxHashSet::default();
    for around in function.descendants().into_iter().filter(wanted) {
        let inside: Vec<usize> = around.descendants().iter().map(|op| op.id()).filter(|id| own.contains(id)).collect();
        pairs.extend(inside.windows(2).map(|pair| (pair[0], pair[1])));
        if let (Some(first), Some(last)) = (inside.first(), inside.last())
            && is_loop(around)
            && first != last
        {
            pairs.insert((*last, *first));
        }
    }
    pairs
}

/// It holds what passes from thread to thread at one place.
fn is_passing(buffer: &SharedBuffer<'_>) -> bool {
    let is_scratch = matches!(shared_memory(buffer.op.kind()), SharedMemory::Scratch(_));
    is_scratch && !is_map(buffer) || buffer.op.kind() == OpKind::TtgLocalAlloc && !buffer.op.operands().is_empty()
}

fn is_map(buffer: &SharedBuffer<'_>) -> bool {
    buffer.op.kind() == OpKind::TtngTensormapCreate
}

/// An offset for each buffer, so that those that are `apart` share no bytes.
fn place(buffers: &[SharedBuffer<'_>], apart: impl Fn(&SharedBuffer<'_>, &SharedBuffer<'_>) -> bool) -> Vec<u32> {
    let mut by_size: Vec<usize> = (0..buffers.len()).collect();
    by_size.sort_by_key(|&index| (std::cmp::Reverse(buffers[index].bytes), index));
    let mut offsets = vec![0u32; buffers.len()];
    let mut placed: Vec<usize> = Vec::new();
    for index in by_size {
        let buffer = &buffers[index];
        let mut taken: Vec<(u32, u32)> = placed
            .iter()
            .filter(|&&other| apart(&buffers[other], buffer))
            .map(|&other| (offsets[other], offsets[other].saturating_add(buffers[other].bytes)))
            .collect();
        taken.sort_unstable();
        let mut offset = 0u32;
        for (start, end) in taken {
            if offset.saturating_add(buffer.bytes) > start {
                offset = offset.max(end).checked_next_multiple_of(buffer.alignment.max(1)).unwrap_or(u32::MAX);
            }
        }
        offsets[index] = offset;
        placed.push(index);
    }
    offsets
}

/// The two live at some common point.
fn overlap(a: &SharedBuffer<'_>, b: &SharedBuffer<'_>) -> bool {
    a.live.start() <= b.live.end() && b.live.start() <= a.live.end()
}

/// The error: how much, for what, and what would fit.
fn too_much(total: u32, buffers: &[SharedBuffer<'_>], cx: &PassContext) -> Diagnostic {
    let limit = cx.target.max_shared_bytes_per_cta();
    let message = format!("the kernel needs {total} bytes of shared memory; a CTA of {} has {limit}", cx.target);
    let mut diagnostic = Diagnostic::error(TOO_MUCH_SHARED_MEMORY, message);
    let mut at_peak = buffers_at_peak(buffers);
    at_peak.sort_by_key(|buffer| std::cmp::Reverse(buffer.bytes));
    if let Some(label) = at_peak.first().and_then(|largest| label(largest, cx)) {
        diagnostic.labels.push(label);
    }
    for buffer in at_peak.iter().take(MAX_NOTES) {
        diagnostic = diagnostic.note(describe(buffer));
    }
    if at_peak.len() > MAX_NOTES {
        diagnostic = diagnostic.note(format!("and {} smaller buffers at the same time", at_peak.len() - MAX_NOTES));
    }
    let factor = total.div_ceil(limit).next_power_of_two();
    let blocks =
        format!("blocks with {factor} times fewer elements; {limit} bytes hold {} elements of 4 bytes", limit / 4);
    let fewer = fewer_stages(total, &at_peak, cx);
    diagnostic.help(match fewer.and_then(|fewer| cx.options.num_stages.checked_sub(fewer)) {
        Some(stages) if stages > 0 => format!("num_stages={stages} would fit; or use {blocks}"),
        _ => format!("use {blocks}"),
    })
}

/// How many stages fewer the loops of a module must have so that its buffers fit, by a count of what they hold; `None` where they fit, or
/// stages do not help. The module is one that [`PASS`] was run on.
///
/// # Errors
/// A module that is not in ttg form.
pub fn stages_too_many(module: &Module<'_>, cx: &PassContext) -> Result<Option<u32>> {
    let limit = cx.target.max_shared_bytes_per_cta();
    for function in module.functions() {
        let buffers = shared_buffers(function)?;
        let total = end_of(&buffers, &place_within(&buffers, limit));
        if total > limit {
            return Ok(fewer_stages(total, &buffers_at_peak(&buffers), cx));
        }
    }
    Ok(None)
}

/// How many stages fewer would fit: each takes one slot off every pipelined buffer.
fn fewer_stages(total: u32, at_peak: &[&SharedBuffer<'_>], cx: &PassContext) -> Option<u32> {
    let pipelined: Vec<(u32, u32)> = at_peak.iter().filter_map(|buffer| Some((slots(buffer)?, buffer.bytes))).collect();
    let most = pipelined.iter().map(|(slots, _)| *slots).max()?;
    (1..most).find(|fewer| {
        let saved: u32 = pipelined.iter().map(|(slots, bytes)| bytes / slots * (*fewer).min(slots - 1)).sum();
        total.saturating_sub(saved) <= cx.target.max_shared_bytes_per_cta()
    })
}

/// How many tiles a pipelined buffer holds.
fn slots(buffer: &SharedBuffer<'_>) -> Option<u32> {
    let is_buffer = buffer.op.kind() == OpKind::TtgLocalAlloc && buffer.op.operands().is_empty();
    let shape = is_buffer.then(|| buffer.op.result(0).ty().shape())?;
    let slots = u32::try_from(*shape.first()?).ok()?;
    (shape.len() > 2 && slots > 1).then_some(slots)
}

/// Buffers that the error lists.
const MAX_NOTES: usize = 8;

/// The buffers in use at the program point that needs most.
fn buffers_at_peak<'b, 'c>(buffers: &'b [SharedBuffer<'c>]) -> Vec<&'b SharedBuffer<'c>> {
    let alive = |point: u32| buffers.iter().filter(move |buffer| buffer.live.contains(&point));
    let bytes = |point: u32| alive(point).map(|buffer| u64::from(buffer.bytes)).sum::<u64>();
    let peak = buffers.iter().map(|buffer| *buffer.live.start()).max_by_key(|&point| bytes(point));
    peak.map(|point| alive(point).collect()).unwrap_or_default()
}

fn describe(buffer: &SharedBuffer<'_>) -> String {
    let place = match buffer.op.loc().file_line_col() {
        Some((_, line, _)) => format!("line {line}: "),
        None => String::new(),
    };
    let what = operand_or_result(buffer.op).map(|ty| format!(" of {ty}")).unwrap_or_default();
    format!("{place}{}{what}: {} bytes", buffer.purpose, buffer.bytes)
}

/// The shape and element type that a buffer is for: `128x256xf32`.
fn operand_or_result(op: Op<'_>) -> Option<String> {
    let mut values = op.results().into_iter().chain(op.operands());
    let ty = values.find(|value| value.ty().rank() > 0)?.ty();
    let shape: Vec<String> = ty.shape().iter().map(i64::to_string).collect();
    Some(format!("{}x{}", shape.join("x"), ty.element()))
}

fn label(buffer: &SharedBuffer<'_>, cx: &PassContext) -> Option<tk_diag::Label> {
    let (source, span) = crate::inline::place_of(cx, buffer.op.loc().file_line_col()?)?;
    let text = format!("this {} takes {} bytes", buffer.purpose, buffer.bytes);
    Some(tk_diag::Label { file: Some(source.clone()), span, text })
}
