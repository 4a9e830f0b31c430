//! Turns tensor descriptors into pointers where the hardware cannot copy by them.
//!
//! Below sm_90 that is every descriptor; from there on those that are gathered from or scattered to, whose blocks no tensor map describes,
//! or whose reductions TMA does not know. A descriptor becomes its parts: base, sizes and strides. A block becomes a tensor of pointers with
//! a mask that keeps accesses inside the tensor; what lies outside reads as zero or NaN.
//!
//! A parameter keeps its place: the descriptor becomes the base pointer, and the sizes and strides that follow it say the rest. That
//! strides are multiples of 16 bytes, which every descriptor promises, is written on the values, so that accesses stay wide.
//!
//! 1. Which groups of descriptors cannot stay, and which parameters they have.  2. Their accesses.  3. Their parts, through loops and branches.
//! 4. Their parameters.

use crate::analysis::descriptor_groups::{DescriptorGroup, descriptor_groups};
use crate::control_flow::remove_dead;
use crate::optimize_descriptor_encoding::update_signature;
use crate::rewrite_descriptors::parts::{Form, take_apart};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::FuncOp;
use tk_ir::{Module, Op, OpKind, Type, Value};
use tk_layout::tensor_map::can_copy;

mod access;
mod parts;

/// The pass.
pub const PASS: Pass =
    Pass { name: "rewrite-descriptors", summary: "turn descriptors into pointers where there is no TMA for them", run };

/// Bytes that base and strides of a descriptor are multiples of.
const ALIGNMENT: i32 = 16;
/// On a parameter that was a descriptor: its rank.
const WAS_DESCRIPTOR: &str = "tt.descriptor";
const DIVISIBILITY: &str = "tt.divisibility";

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    for function in module.functions() {
        let Some(view) = FuncOp::cast(function) else { continue };
        let mut groups = Vec::new();
        for group in descriptor_groups(function).into_iter().filter(|group| !can_stay(group, cx)) {
            let form = Form::of(view, &group)?;
            groups.push((group, form));
        }
        if groups.is_empty() {
            continue;
        }
        let is_rewritten = |value: &Value<'_>| groups.iter().any(|(group, _)| group.values.contains(value));
        let args = view.args();
        let parameters: Vec<usize> = (0..args.len()).filter(|index| is_rewritten(&args[*index])).collect();
        take_apart(view, &groups)?;
        remove_dead(function);
        parameters.into_iter().for_each(|index| rewrite_parameter(view, index));
        update_signature(function);
    }
    Ok(())
}

/// TMA can do everything that is done with a descriptor.
fn can_stay(group: &DescriptorGroup<'_>, cx: &PassContext) -> bool {
    let block = group.values.first().and_then(|value| value.ty().descriptor_block());
    let is_copied = |op: &Op<'_>| match op.kind() {
        OpKind::TtDescriptorLoad | OpKind::TtDescriptorStore => true,
        OpKind::TtDescriptorReduce => block.is_some_and(|block| reduces(op.int_attr("kind"), block.element())),
        _ => false,
    };
    cx.target.sm >= 90
        && block.is_some_and(|block| can_copy(&block.shape(), block.element_bits()))
        && group.accesses.iter().all(is_copied)
}

/// Reductions of `cp.reduce.async.bulk.tensor` (PTX), by the numbers of `tt.descriptor_reduce`.
fn reduces(kind: Option<i64>, element: Type<'_>) -> bool {
    let (bits, is_float) = (element.element_bits(), element.is_float());
    match kind {
        Some(1) if is_float => bits >= 16,
        Some(2 | 3) if is_float => bits == 16,
        Some(1..=3 | 6..=8) => !is_float && bits >= 32,
        _ => false,
    }
}

/// A parameter becomes a base pointer; the numbers behind it are what the descriptor promised.
fn rewrite_parameter(function: FuncOp<'_>, index: usize) {
    let argument = function.args()[index];
    let Some(block) = argument.ty().descriptor_block() else { return };
    let context = argument.context();
    let rank = block.shape().len();
    let element = parts::signless(block.element());
    argument.set_type(context.ptr(element));
    let stand_ins = argument.users().into_iter().map(|(user, _)| user);
    for stand_in in stand_ins.filter(|user| user.kind() == OpKind::BuiltinUnrealizedConversionCast) {
        stand_in.result(0).replace_all_uses_with(argument);
        stand_in.erase();
    }
    function.set_arg_attr(index, DIVISIBILITY, context.i32_attr(ALIGNMENT));
    function.set_arg_attr(index, WAS_DESCRIPTOR, context.i32_attr(rank as i32));
    let elements = (ALIGNMENT as u32 * 8 / element.element_bits().max(8)) as i32;
    for stride in index + 1 + rank..(index + 2 * rank).min(function.args().len()) {
        function.set_arg_attr(stride, DIVISIBILITY, context.i32_attr(elements));
    }
}
