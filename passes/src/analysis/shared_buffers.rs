//! The buffers of shared memory that a function needs, and when each is in use.
//!
//! Operations are numbered in program order. Scratch memory lives during its operation; a `ttg.local_alloc` lives from there to the
//! last use of any view of it, and to the end of every loop that uses it but does not contain it. Tensor maps that are made in one
//! block have bytes of their own, because warps make them at the same time.

use crate::operations::control::{Control, control};
use crate::operations::memory::{Scratch, SharedMemory, is_view, root, shared_memory};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::RangeInclusive;
use tk_diag::{Diagnostic, Result};
use tk_ir::ops::{ForOp, GatherOp, LocalAllocOp, ReduceOp, ScanOp};
use tk_ir::{Op, OpKind, Type, Value};
use tk_layout::{Dim, conversion, gather, reduction, scan};

/// One buffer.
#[derive(Clone, Debug)]
pub struct SharedBuffer<'c> {
    /// The operation that needs it; its `allocation.offset` says where it is.
    pub op: Op<'c>,
    /// Size in bytes.
    pub bytes: u32,
    /// Alignment in bytes.
    pub alignment: u32,
    /// What for, in a few words.
    pub purpose: &'static str,
    /// Program points at which its contents matter.
    pub live: RangeInclusive<u32>,
}

/// Alignment of scratch buffers: the widest access.
pub(crate) const SCRATCH_ALIGNMENT: u32 = 16;
/// Bytes through which one thread hands a scalar to all.
const SCALAR_BYTES: u32 = 16;
/// Bytes of a tensor map, and their alignment.
const MAP_BYTES: u32 = 128;
/// Alignment that the swizzles of matrix instructions need.
pub(crate) const MATRIX_ALIGNMENT: u32 = 1024;

/// Every buffer of `function`, in program order.
pub fn shared_buffers(function: Op<'_>) -> Result<Vec<SharedBuffer<'_>>> {
    let points = Points::of(function);
    let mut buffers = Vec::new();
    for op in function.descendants() {
        if op.kind() == OpKind::TtgLocalAlloc {
            buffers.push(allocation(op, function, &points));
        } else if let Some(ScratchBytes { bytes, purpose }) = scratch(op)?.filter(|scratch| scratch.bytes > 0) {
            let is_map = op.kind() == OpKind::TtngTensormapCreate;
            let alignment = if is_map { MAP_BYTES } else { SCRATCH_ALIGNMENT };
            let live = if is_map { until_last_map(op, &points) } else { points.range(op) };
            buffers.push(SharedBuffer { op, bytes, alignment, purpose, live });
        }
    }
    Ok(buffers)
}

/// Program order: where each operation starts and ends.
pub(crate) struct Points(FxHashMap<usize, (u32, u32)>);

impl Points {
    pub(crate) fn of(function: Op<'_>) -> Self {
        let mut points = Self(FxHashMap::default());
        let mut next = 0;
        points.number(function, &mut next);
        points
    }

    fn number(&mut self, op: Op<'_>, next: &mut u32) {
        let start = *next;
        *next += 1;
        for block in op.regions().into_iter().flat_map(|region| region.blocks()) {
            for inner in block.ops() {
                self.number(inner, next);
            }
        }
        self.0.insert(op.id(), (start, *next - 1));
    }

    pub(crate) fn range(&self, op: Op<'_>) -> RangeInclusive<u32> {
        let (start, end) = self.0.get(&op.id()).copied().unwrap_or((0, u32::MAX));
        start..=end
    }
}

/// Bytes that an operation needs for itself while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScratchBytes {
    /// How many; perhaps none.
    pub bytes: u32,
    /// What for, in a few words.
    pub purpose: &'static str,
}

/// The scratch memory of an operation; `None` for operations that never need any.
pub fn scratch(op: Op<'_>) -> Result<Option<ScratchBytes>> {
    let SharedMemory::Scratch(scratch) = shared_memory(op.kind()) else { return Ok(None) };
    let (bytes, purpose) = match scratch {
        Scratch::Conversion => (conversion_bytes(op)?, "layout conversion"),
        Scratch::Reduction => (reduction_bytes(op)?, "reduction"),
        Scratch::Scan => (scan_bytes(op)?, "scan"),
        Scratch::Atomic => (atomic_bytes(op)?, "result of an atomic operation"),
        Scratch::Histogram => (histogram_bytes(op), "histogram"),
        Scratch::Gather => (gather_bytes(op)?, "gather"),
        Scratch::TensorMap => (MAP_BYTES, "tensor map"),
    };
    Ok(Some(ScratchBytes { bytes, purpose }))
}

/// Bytes of one element in shared memory; `i1` takes one.
fn element_bytes(ty: Type<'_>) -> u32 {
    ty.element_bits().div_ceil(8).max(1)
}

/// Bytes of a tensor whose elements lie one after the other in shared memory.
pub(crate) fn tensor_bytes(ty: Type<'_>) -> u32 {
    u32::try_from(ty.num_elements().saturating_mul(element_bytes(ty).into())).unwrap_or(u32::MAX)
}

/// From here to where the last map of the block is made.
fn until_last_map(op: Op<'_>, points: &Points) -> RangeInclusive<u32> {
    let following = std::iter::successors(Some(op), |op| op.next());
    let last = following.filter(|op| op.kind() == OpKind::TtngTensormapCreate).last().unwrap_or(op);
    *points.range(op).start()..=*points.range(last).end()
}

fn layout_of(op: Op<'_>, ty: Type<'_>) -> Result<std::rc::Rc<tk_layout::Encoding>> {
    match ty.encoding() {
        Some(layout) => layout.expect_encoding(),
        None => Err(Diagnostic::error(tk_diag::BAD_IR, format!("a tensor of `{}` has no layout", op.name()))
            .help("run `convert-to-ttg` first")
            .boxed()),
    }
}

fn layout_error(op: Op<'_>, reason: String) -> Box<Diagnostic> {
    Diagnostic::error(tk_diag::BAD_LAYOUT, format!("`{}` has a layout that does not work: {reason}", op.name())).boxed()
}

fn conversion_bytes(op: Op<'_>) -> Result<u32> {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let shape = from.shape();
    let linear = |ty: Type<'_>| layout_of(op, ty)?.to_linear(&shape).map_err(|reason| layout_error(op, reason));
    let (source, target, bits) = (linear(from)?, linear(to)?, 8 * element_bytes(from));
    let plan = conversion::plan_at(op.conversion_place(), &source, &target, bits, conversion::SCRATCH_BYTES);
    plan.map(|plan| plan.shared_bytes()).map_err(|reason| layout_error(op, reason))
}

fn reduction_bytes(op: Op<'_>) -> Result<u32> {
    let Some(view) = ReduceOp::cast(op) else { return Ok(0) };
    let source = op.operand(0).ty();
    let linear = layout_of(op, source)?.to_linear(&source.shape()).map_err(|reason| layout_error(op, reason))?;
    let widths: Vec<u32> = view.srcs().iter().map(|operand| element_bytes(operand.ty())).collect();
    let plan = reduction::plan(&linear, view.axis(), view.sharing());
    plan.map(|plan| plan.shared_bytes(&widths)).map_err(|reason| layout_error(op, reason))
}

/// None where lanes hand each other what is taken.
fn gather_bytes(op: Op<'_>) -> Result<u32> {
    let Some(view) = GatherOp::cast(op) else { return Ok(0) };
    let linear = |ty: Type<'_>| layout_of(op, ty)?.to_linear(&ty.shape()).map_err(|reason| layout_error(op, reason));
    let (source, result) = (view.src().ty(), view.result().ty());
    let plan = gather::plan(&linear(source)?, &linear(result)?, view.axis());
    Ok(if plan.is_some() { 0 } else { tensor_bytes(source) })
}

/// What the plan that code generation follows asks for.
fn scan_bytes(op: Op<'_>) -> Result<u32> {
    let Some(view) = ScanOp::cast(op) else { return Ok(0) };
    let source = op.operand(0).ty();
    let linear = layout_of(op, source)?.to_linear(&source.shape()).map_err(|reason| layout_error(op, reason))?;
    let widths: Vec<u32> = op.operands().into_iter().map(|operand| element_bytes(operand.ty())).collect();
    let plan = scan::plan(&linear, view.axis(), view.reverse());
    plan.map(|plan| plan.shared_bytes(&widths)).map_err(|reason| layout_error(op, reason))
}

/// A scalar result is handed from one thread to all; so are the elements of a tensor that several threads hold.
fn atomic_bytes(op: Op<'_>) -> Result<u32> {
    let result = op.result(0);
    if !result.has_uses() {
        return Ok(0);
    }
    let ty = result.ty();
    if !ty.is_tensor() {
        return Ok(SCALAR_BYTES);
    }
    let linear = layout_of(op, ty)?.to_linear(&ty.shape()).map_err(|reason| layout_error(op, reason))?;
    let is_shared = linear.free_mask(Dim::Lane) != 0 || linear.free_mask(Dim::Warp) != 0;
    Ok(if is_shared { tensor_bytes(ty) } else { 0 })
}

/// One counter per bin.
fn histogram_bytes(op: Op<'_>) -> u32 {
    tensor_bytes(op.result(0).ty()).max(SCALAR_BYTES)
}

fn allocation<'c>(op: Op<'c>, function: Op<'c>, points: &Points) -> SharedBuffer<'c> {
    let ty = op.result(0).ty();
    let bytes = memdesc_bytes(ty);
    let is_matrix = ty
        .layout()
        .is_some_and(|layout| matches!(&*layout, tk_layout::Encoding::NvmmaShared(e) if e.swizzling_byte_width > 0));
    let alignment = op.int_attr("alignment").and_then(|value| u32::try_from(value).ok()).unwrap_or(SCRATCH_ALIGNMENT);
    let alignment = if is_matrix { alignment.max(MATRIX_ALIGNMENT) } else { alignment };
    SharedBuffer { op, bytes, alignment, purpose: "buffer", live: live_range(op, function, points) }
}

/// Bytes of an allocation, with the padding of its layout.
fn memdesc_bytes(ty: Type<'_>) -> u32 {
    let elements = u32::try_from(ty.num_elements()).unwrap_or(u32::MAX);
    let elements = if let Some(tk_layout::Encoding::PaddedShared(padded)) = ty.layout().as_deref() {
        padded.padded_size(elements)
    } else {
        elements
    };
    elements.saturating_mul(element_bytes(ty))
}

/// From the allocation to the last use of any view, loops around uses included.
fn live_range(op: Op<'_>, function: Op<'_>, points: &Points) -> RangeInclusive<u32> {
    let own = points.range(op);
    let whole = points.range(function);
    let Some(block) = op.block() else { return whole };
    let mut last = *own.end();
    for view in views_of(op.result(0)) {
        for (user, _) in view.users() {
            let Some(outer) = user.ancestor_in(block) else { return whole };
            if user.is_terminator() && user.block() == Some(block) {
                // Passed on to the next iteration or out of the region.
                return whole;
            }
            last = last.max(*points.range(outer).end());
        }
    }
    *own.start()..=last
}

/// A memory descriptor and everything that may be a view of it.
pub fn views_of(value: Value<'_>) -> Vec<Value<'_>> {
    let mut found = vec![value];
    let mut seen: FxHashSet<usize> = FxHashSet::from_iter([value.id()]);
    let mut next = 0;
    while let Some(&view) = found.get(next) {
        next += 1;
        for (user, operand) in view.users() {
            for passed in passed_on(user, operand) {
                if passed.ty().is_memdesc() && seen.insert(passed.id()) {
                    found.push(passed);
                }
            }
        }
    }
    found
}

/// The buffer of a view starts with its contents, and holds them as long as it lives.
pub(crate) fn keeps_contents(view: Value<'_>) -> bool {
    let alloc = root(view).defining_op().and_then(LocalAllocOp::cast).filter(|alloc| alloc.src().is_some());
    let stays = |view: Value<'_>| {
        let is_written = view.ty().memdesc().is_none_or(|memdesc| memdesc.mutable);
        !is_written && view.users().into_iter().all(|(user, _)| user.kind() != OpKind::TtgLocalDealloc)
    };
    alloc.is_some_and(|alloc| views_of(alloc.result()).into_iter().all(stays))
}

/// Loop-carried value `index` inside a loop, and result `index` of a loop or branch.
fn carried(op: Op<'_>, index: usize) -> Vec<Value<'_>> {
    let argument = ForOp::cast(op).and_then(|view| view.iter_args().get(index).copied());
    let result = (index < op.num_results()).then(|| op.result(index));
    argument.into_iter().chain(result).collect()
}

/// The values that operand number `operand` of `user` may become.
fn passed_on(user: Op<'_>, operand: usize) -> Vec<Value<'_>> {
    match control(user.kind()) {
        Control::For => operand.checked_sub(3).map(|index| carried(user, index)).unwrap_or_default(),
        Control::Yield => user.parent_op().map(|parent| carried(parent, operand)).unwrap_or_default(),
        Control::Plain if is_view(user) || user.kind() == OpKind::ArithSelect => user.results(),
        Control::While | Control::If | Control::Condition | Control::Opaque | Control::Plain => Vec::new(),
    }
}
