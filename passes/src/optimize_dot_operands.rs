//! Brings the operands of matrix products closer to memory, so that loads can go to shared memory as they are.
//!
//! - A transposed operand of `wgmma` is the untransposed one read the other way round: `local_alloc(trans(x))` becomes
//!   `memdesc_trans(local_alloc(x))`, which moves nothing.
//! - An operand in registers that is loaded and then cast is converted to the operand layout before the cast: fewer bytes move when the
//!   cast widens, and the conversion stands right behind the load, which the pipeliner turns into a read of shared memory. The parts of an
//!   operand that `f32-dot-tc` splits come from one such read. An operand that is transposed behind a cast that widens is transposed
//!   before it, so that the block in shared memory is read with rows for columns. Where the cast narrows, fewer bytes are transposed behind it, and
//!   products may share them.

use crate::convert_to_ttg::require_ttg;
use crate::encodings;
use crate::operations::layouts::LayoutRule;
use crate::{Pass, PassContext, shared_encodings};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use tk_diag::Result;
use tk_ir::ops::TransLikeOp;
use tk_ir::{Attribute, Builder, Module, Op, OpKind, Type, Value};
use tk_layout::Encoding;

/// The pass.
pub const PASS: Pass =
    Pass { name: "optimize-dot-operands", summary: "bring operands of matrix products closer to memory", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        for op in function.descendants() {
            if op.kind() == OpKind::TtgLocalAlloc {
                fold_transposition(op);
            } else if op.kind() == OpKind::TtgConvertLayout {
                hoist_conversion(op);
            }
        }
    }
    Ok(())
}

/// What a conversion converts, or the value itself.
fn unconverted(value: Value<'_>) -> Value<'_> {
    match value.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout) {
        Some(conversion) => conversion.operand(0),
        None => value,
    }
}

fn fold_transposition(alloc: Op<'_>) {
    let Some(source) = (alloc.num_operands() > 0).then(|| unconverted(alloc.operand(0))) else { return };
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
    let inner = unconverted(trans.src());
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

/// A load and what is made of it: casts, arithmetic with constants, and transpositions.
struct Slice<'c> {
    load: Op<'c>,
    /// Rows are columns in what is made.
    is_turned: bool,
    /// First to last.
    steps: Vec<Step<'c>>,
}

struct Step<'c> {
    op: Op<'c>,
    /// A transposition stands behind the operation. It is made again behind the one of the load, so with rows for columns.
    is_before_turn: bool,
}

impl<'c> Step<'c> {
    /// The type in the operation that is made again.
    fn again(&self, ty: Type<'c>, encoding: Attribute<'c>) -> Type<'c> {
        let shape = ty.shape();
        let turned: Vec<i64> = if self.is_before_turn { shape.into_iter().rev().collect() } else { shape };
        ty.with_shape(&turned).with_encoding(Some(encoding))
    }
}

/// Moves a conversion to a layout of `mma` operands over casts, arithmetic and transpositions, up to the load.
fn hoist_conversion(conversion: Op<'_>) {
    let wanted = conversion.result(0).ty();
    let is_operand =
        |layout: &Encoding| matches!(layout, Encoding::DotOp(e) if !matches!(*e.parent, Encoding::Blocked(_)));
    let Some(encoding) = wanted.encoding().filter(|_| wanted.layout().is_some_and(|layout| is_operand(&layout))) else {
        return;
    };
    let Some(slice) = arithmetic_on_one_load(conversion.operand(0), wanted) else { return };
    let Some(operand) = read_as_operand(&slice, encoding, conversion) else { return };
    let mut made = FxHashMap::from_iter([(slice.load.result(0).id(), operand)]);
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

/// Casts, arithmetic with constants and transpositions that make `value` of one load; `None` when there is anything else, when nothing is
/// computed, or when somebody needs them in their own layout.
fn arithmetic_on_one_load<'c>(value: Value<'c>, wanted: Type<'c>) -> Option<Slice<'c>> {
    let mut turned: FxHashMap<usize, bool> = FxHashMap::default();
    let (mut load, mut steps, mut pending) = (None, Vec::new(), vec![(value, false)]);
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
        } else if is_step(op) {
            steps.push(Step { op, is_before_turn });
            let tensors = op.operands().into_iter().filter(|operand| operand.ty().is_tensor());
            let computed = tensors.filter(|operand| operand.constant().and_then(|c| c.as_splat()).is_none());
            pending.extend(computed.map(|operand| (operand, is_before_turn != is_turned(op))));
        } else {
            return None;
        }
    }
    let load = load?;
    let (block, is_turned_block) = (load.block(), turned[&load.id()]);
    let widens = load.result(0).ty().element_bits() < wanted.element_bits();
    let belongs = |step: &Step<'c>| step.op.block() == block && only_feeds(step.op, wanted, widens);
    if is_turned_block && !widens || steps.iter().all(|step| is_turned(step.op)) || !steps.iter().all(belongs) {
        return None;
    }
    steps.sort_by(|a, b| if a.op.is_before_in_block(b.op) { Ordering::Less } else { Ordering::Greater });
    Some(Slice { is_turned: is_turned_block, load, steps })
}

fn is_step(op: Op<'_>) -> bool {
    is_turned(op) || (encodings::rule(op) == LayoutRule::Same && op.is_pure() && op.num_results() == 1)
}

/// Rows become columns.
fn is_turned(op: Op<'_>) -> bool {
    TransLikeOp::cast(op).is_some_and(|turned| turned.order() == [1, 0])
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
