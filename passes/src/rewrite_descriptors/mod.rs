//! Turns tensor descriptors into pointers where the hardware cannot copy by them.
//!
//! Below sm_90 that is every descriptor; from there on those that break a rule of TMA (see [`tma_rules`]). A descriptor becomes its parts:
//! base, sizes and strides. A block becomes a tensor of pointers with a mask that keeps accesses inside the tensor; what lies outside reads
//! as zero or NaN. Writes of which only the run knows whether a rule holds get a branch ([`guarded_writes`]).
//!
//! A parameter keeps its place: the descriptor becomes the base pointer, and the sizes and strides that follow it say the rest. That
//! bases and strides are multiples of 16 bytes, which every descriptor promises, is written on the values, so that accesses stay wide.
//!
//! 1. Which groups of descriptors cannot stay, and which parameters they have.  2. Their accesses.  3. Their parts, through loops and branches.
//! 4. Their parameters.

use crate::analysis::descriptor_groups::{DescriptorGroup, descriptor_groups};
use crate::attributes::DIVISIBILITY;
use crate::control_flow::remove_dead;
use crate::optimize_descriptor_encoding::update_signature;
use crate::rewrite_descriptors::parts::{Form, take_apart};
use crate::rewrite_descriptors::tma_rules::{TmaRules, Way};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::FuncOp;
use tk_ir::{Module, OpKind, Value};

mod access;
mod guarded_writes;
mod parts;
mod tma_rules;

/// The pass.
pub const PASS: Pass =
    Pass { name: "rewrite-descriptors", summary: "turn descriptors into pointers where there is no TMA for them", run };

/// Bytes that base and strides of a descriptor are multiples of.
const ALIGNMENT: i32 = 16;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    for function in module.functions() {
        let Some(view) = FuncOp::cast(function) else { continue };
        let mut groups = Vec::new();
        for group in leaving(view, cx)? {
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

/// The groups that TMA cannot serve; writes that it mostly can are given both ways.
fn leaving<'c>(function: FuncOp<'c>, cx: &PassContext) -> Result<Vec<DescriptorGroup<'c>>> {
    let groups = descriptor_groups(function.op);
    if !cx.target.has_tma() || groups.is_empty() {
        return Ok(groups);
    }
    let rules = TmaRules::of(function);
    let mut leaving = Vec::new();
    let mut guarded = Vec::new();
    for group in groups {
        match rules.way(&group) {
            Way::Tma => {}
            Way::Guarded(writes) => guarded.extend(writes),
            Way::Pointers => leaving.push(group),
        }
    }
    guarded.into_iter().try_for_each(|each| guarded_writes::write_both_ways(each.write, each.make))?;
    Ok(leaving)
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
    function.set_arg_attr(index, tk_ir::attributes::DESCRIPTOR, context.i32_attr(rank as i32));
    let elements = (ALIGNMENT as u32 * 8 / element.element_bits().max(8)) as i32;
    for stride in index + 1 + rank..(index + 2 * rank).min(function.args().len()) {
        function.set_arg_attr(stride, DIVISIBILITY, context.i32_attr(elements));
    }
}
