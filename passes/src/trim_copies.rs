//! Lets copies by TMA leave out the rows that pad a block to a power of two.
//!
//! A block of 112 rows of B is stored as one of 128 (docs/decisions/0008). `wgmma` multiplies by its 112 ([`Op::inside`]), be they columns or terms of the
//! product, so nobody reads the other 16, and boxes of 112 rows are copied sooner: rows are outermost in what one copy fills, so each box fills the
//! beginning of its place. A tensor map has one box, so all copies by it must agree.
//!
//! 1. Find the parameters whose copies fill buffers that only such products read.  2. Find what announces the bytes of each copy.
//! 3. The box of the parameter and the announced bytes become smaller.

use crate::attributes::BOX_ROWS;
use crate::convert_to_ttg::require_ttg;
use crate::operations::memory::{SharedMemory, root, shared_memory};
use crate::tma_lowering::bytes_of;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{FuncOp, WarpGroupDotOp};
use tk_ir::{Module, Op, OpKind, Type, Value};
use tk_layout::Encoding;
use tk_layout::tensor_map::copy_box;

/// The pass.
pub const PASS: Pass =
    Pass { name: "trim-copies", summary: "copy no rows by TMA that pad a block and that nothing reads", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions().into_iter().filter_map(FuncOp::cast) {
        for (index, parameter) in function.args().into_iter().enumerate() {
            if let Some(trim) = Trim::of(parameter) {
                trim.apply(function, index);
            }
        }
    }
    Ok(())
}

/// The copies by one parameter, with a smaller box.
struct Trim<'c> {
    rows: i64,
    /// What announces bytes of the copies, and how many will not come.
    announcements: Vec<(Op<'c>, i64)>,
}

impl<'c> Trim<'c> {
    /// `None` where the parameter is no descriptor, or all of its blocks are needed.
    fn of(parameter: Value<'c>) -> Option<Self> {
        let block = parameter.ty().descriptor_block()?;
        let copies: Vec<Op<'c>> = parameter.users().into_iter().map(|(user, _)| user).collect();
        let are_loads = copies.iter().all(|copy| copy.kind() == OpKind::TtngAsyncTmaCopyGlobalToLocal);
        if copies.is_empty() || !are_loads || !has_all_rows(block) {
            return None;
        }
        let needed = copies.iter().map(|copy| rows_read(*copy, parameter)).collect::<Option<Vec<i64>>>()?;
        let rows = needed.into_iter().max()?;
        let (all, bytes) = (*block.shape().first()?, bytes_of(block));
        if rows >= all {
            return None;
        }
        let spared = bytes / all * (all - rows);
        let announcements = copies.iter().map(|copy| Some((announcement_of(*copy)?, spared)));
        Some(Self { rows, announcements: announcements.collect::<Option<Vec<_>>>()? })
    }

    fn apply(self, function: FuncOp<'c>, index: usize) {
        let context = function.op.context();
        function.set_arg_attr(index, BOX_ROWS, context.i32_attr(self.rows as i32));
        for (announcement, spared) in self.announcements {
            let bytes = announcement.int_attr("size").unwrap_or(0) - spared;
            announcement.set_attr("size", context.i32_attr(bytes as i32));
        }
    }
}

/// Each copy of the block has all of its rows, which are rows of the swizzle.
fn has_all_rows(block: Type<'_>) -> bool {
    let shape = block.shape();
    let layout = block.layout();
    let swizzled =
        matches!(layout.as_deref(), Some(Encoding::NvmmaShared(encoding)) if encoding.swizzling_byte_width > 0);
    let copied = layout.and_then(|layout| copy_box(&layout, &shape, block.element_bits()));
    shape.len() == 2 && swizzled && copied.is_some_and(|(copied, _)| copied.first() == shape.first())
}

/// Rows of the buffer of a copy that products read; `None` where others read it, or other parameters fill it.
fn rows_read(copy: Op<'_>, parameter: Value<'_>) -> Option<i64> {
    let buffer = root(*copy.segment(4).first()?);
    buffer.defining_op().filter(|op| op.kind() == OpKind::TtgLocalAlloc && op.num_operands() == 0)?;
    let mut rows = 0;
    // A view, and whether it is turned: rows of the block are its columns then.
    let mut views = vec![(buffer, false)];
    while let Some((view, is_turned)) = views.pop() {
        for (user, operand) in view.users() {
            let kind = user.kind();
            let fills = kind == OpKind::TtngAsyncTmaCopyGlobalToLocal && user.segment(0).first() == Some(&parameter);
            if kind == OpKind::TtgMemDescIndex || kind == OpKind::TtgMemDescTrans {
                views.push((user.result(0), is_turned ^ (kind == OpKind::TtgMemDescTrans)));
            } else if kind == OpKind::TtngWarpGroupDot && operand == 1 {
                rows = rows.max(if is_turned { columns_read(user)? } else { terms_read(user)? });
            } else if !fills && !matches!(shared_memory(kind), SharedMemory::Free | SharedMemory::WaitForDots) {
                return None;
            }
        }
    }
    (rows > 0).then_some(rows)
}

/// Columns of the right operand that a product reads: `wgmma` takes 8 at a time, of integers 16. Groups of warps that share out the columns all
/// read as many as the first.
fn columns_read(dot: Op<'_>) -> Option<i64> {
    let dot = WarpGroupDotOp::cast(dot)?;
    let result = dot.op.result(0).ty();
    let Some(Encoding::NvidiaMma(layout)) = result.layout().as_deref().cloned() else { return None };
    let columns = dot.op.inside()?.along(1)?;
    let together = if result.element().int_bits().is_some() { 16 } else { 8 };
    let columns = u64::try_from(columns).ok()?.next_multiple_of(together);
    (layout.warps_per_cta.get(1) == Some(&1)).then_some(columns as i64)
}

/// Rows of the right operand, terms of each sum, that a product reads: as many as its instructions take.
fn terms_read(dot: Op<'_>) -> Option<i64> {
    let step = 256 / u64::from(WarpGroupDotOp::cast(dot)?.b().ty().element_bits());
    Some(u64::try_from(dot.inside()?.terms()?).ok()?.next_multiple_of(step) as i64)
}

/// What announces the bytes of a copy: the only announcement at its mbarrier in the same block.
fn announcement_of(copy: Op<'_>) -> Option<Op<'_>> {
    let barrier = *copy.segment(3).first()?;
    let users = barrier.users().into_iter().map(|(user, _)| user);
    let mut announcements =
        users.filter(|user| user.kind() == OpKind::TtngBarrierExpect && user.block() == copy.block());
    let first = announcements.next().filter(|announcement| announcement.is_before_in_block(copy))?;
    announcements.next().is_none().then_some(first)
}
