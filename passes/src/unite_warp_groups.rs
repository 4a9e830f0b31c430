//! Groups of warps that have roles of their own, as one group. Text of other compilers has them (`ttg.warp_specialize`).
//!
//! One group does what all did, those first that bring data. Every group is code, at most one loop, and code; the loops have equal bounds
//! and become one, whose body is theirs after each other. Nobody is left to wait for, so a wait at an mbarrier must find its arrival
//! before it, or wait for the phase before the first one. A group of fewer warps gets layouts for all of them.

use crate::attributes::NUM_WARPS;
use crate::control_flow::{NewCarried, extend_for};
use crate::operations::memory::{SharedMemory, is_view, shared_memory};
use std::sync::Arc;
use tk_ir::ops::ForOp;
use tk_ir::{Block, Module, Op, OpKind, Value};
use tk_layout::{BlockedEncoding, Encoding, SliceEncoding};

/// An operation that cannot be taken over, and why.
#[derive(Clone, Debug)]
pub struct Refused<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// What is against it.
    pub why: String,
}

/// What a group does.
struct Group<'c> {
    before: Vec<Op<'c>>,
    work: Option<ForOp<'c>>,
    after: Vec<Op<'c>>,
}

/// Makes one group of all, wherever there are several.
///
/// # Errors
/// The operation of groups that cannot be one. The module is of no use then.
pub fn unite_warp_groups<'c>(module: &Module<'c>) -> Result<(), Refused<'c>> {
    let num_warps = module.op().int_attr(NUM_WARPS).unwrap_or(0);
    let all = module.functions().into_iter().flat_map(|function| function.descendants());
    let several: Vec<Op<'c>> = all.filter(|op| op.kind() == OpKind::TtgWarpSpecialize).collect();
    several.into_iter().try_for_each(|op| unite(op, num_warps))
}

fn unite(op: Op<'_>, num_warps: i64) -> Result<(), Refused<'_>> {
    let refuse = |why: &str| Refused { op, why: why.to_string() };
    if op.parent_op().is_none_or(|parent| parent.kind() != OpKind::TtFunc) || op.num_results() > 0 {
        return Err(refuse("it stands inside of other control flow, or has results"));
    }
    let warps = op.attr("partitionNumWarps").and_then(|warps| warps.as_ints()).unwrap_or_default();
    let mut blocks = bodies(op).ok_or_else(|| refuse("its groups are no single blocks"))?;
    for (block, own) in blocks[1..].iter().zip(&warps).filter(|(_, own)| **own != num_warps) {
        let is_done = num_warps % own == 0 && spread(*block, (num_warps / own) as u32).is_some();
        if !is_done {
            return Err(refuse("its groups have other numbers of warps than the kernel, and layouts for those alone"));
        }
    }
    blocks.sort_by_key(|block| !brings_data(*block));
    let groups: Vec<Group<'_>> =
        blocks.into_iter().map(split).collect::<Option<_>>().ok_or_else(|| refuse("a group has several loops"))?;
    let loops: Vec<ForOp<'_>> = groups.iter().filter_map(|group| group.work).collect();
    if loops.windows(2).any(|pair| !has_same_bounds(pair[0], pair[1])) {
        return Err(refuse("the loops of its groups have different bounds"));
    }
    let moved = |ops: &[Op<'_>]| ops.iter().for_each(|part| part.move_before(op));
    groups.iter().for_each(|group| moved(&group.before));
    let work = one_loop(op, &loops);
    groups.iter().for_each(|group| moved(&group.after));
    let before: Vec<Op<'_>> = groups.iter().flat_map(|group| group.before.clone()).collect();
    let after: Vec<Op<'_>> = groups.iter().flat_map(|group| group.after.clone()).collect();
    check_waits(&before, &work.map(|work| work.body().ops()).unwrap_or_default(), &after)?;
    op.erase();
    Ok(())
}

/// The bodies of the groups, in which the values that they capture are those outside.
fn bodies(op: Op<'_>) -> Option<Vec<Block<'_>>> {
    let mut found = vec![only(op.region(0).blocks())?];
    let holder =
        only(op.region(1).blocks())?.first_op().filter(|op| op.kind() == OpKind::TtgWarpSpecializePartitions)?;
    let captures = holder.operands();
    for region in holder.regions() {
        let body = only(region.blocks())?;
        if body.num_arguments() != captures.len() {
            return None;
        }
        body.arguments()
            .into_iter()
            .zip(&captures)
            .for_each(|(inside, outside)| inside.replace_all_uses_with(*outside));
        found.push(body);
    }
    Some(found)
}

/// Gives what a group computes layouts for `times` as many warps, which hold more of each tensor at once, or the same as others; nothing
/// where a layout is bound to its warps, or a tensor comes from outside.
fn spread(block: Block<'_>, times: u32) -> Option<()> {
    let all: Vec<Op<'_>> = block.ops().into_iter().flat_map(Op::descendants).collect();
    let blocks = all.iter().flat_map(|op| op.regions()).flat_map(|region| region.blocks());
    let arguments = blocks.flat_map(|block| block.arguments());
    let values = all.iter().flat_map(|op| op.results()).chain(arguments).filter(|value| value.ty().is_tensor());
    let mut types = Vec::new();
    for value in values {
        let layout = with_more_warps(&*value.ty().layout()?, times)?;
        types.push((value, value.ty().with_layout(&layout)));
    }
    let is_own = |value: &Value<'_>| !value.ty().is_tensor() || types.iter().any(|(own, _)| own == value);
    if !all.iter().all(|op| op.operands().iter().all(is_own)) {
        return None;
    }
    for (value, ty) in types {
        if let Some(constant) = value.constant() {
            let splat = constant.as_splat()?;
            value.defining_op()?.set_attr("value", value.defining_op()?.context().splat_attr(ty, splat));
        }
        value.set_type(ty);
    }
    Some(())
}

/// A layout of so many times the warps, along the slowest axis.
fn with_more_warps(layout: &Encoding, times: u32) -> Option<Encoding> {
    match layout {
        Encoding::Blocked(blocked) => {
            let slowest = *blocked.order.last()? as usize;
            let mut warps_per_cta = blocked.warps_per_cta.clone();
            *warps_per_cta.get_mut(slowest)? *= times;
            Some(Encoding::Blocked(BlockedEncoding { warps_per_cta, ..blocked.clone() }))
        }
        Encoding::Slice(slice) => {
            let parent = Arc::new(with_more_warps(&slice.parent, times)?);
            Some(Encoding::Slice(SliceEncoding { parent, ..slice.clone() }))
        }
        Encoding::NvidiaMma(_) | Encoding::DotOp(_) | Encoding::Linear(_) => None,
        Encoding::SwizzledShared(_) | Encoding::NvmmaShared(_) => None,
        Encoding::PaddedShared(_) | Encoding::SharedLinear(_) => None,
    }
}

fn only(blocks: Vec<Block<'_>>) -> Option<Block<'_>> {
    <[Block<'_>; 1]>::try_from(blocks).ok().map(|[block]| block)
}

fn brings_data(block: Block<'_>) -> bool {
    let brings = |op: Op<'_>| shared_memory(op.kind()).starts_copy();
    block.ops().into_iter().flat_map(Op::descendants).any(brings)
}

/// The parts of a group without its end; nothing where there are several loops.
fn split(block: Block<'_>) -> Option<Group<'_>> {
    let mut ops = block.ops();
    ops.pop();
    let is_loop = |op: &Op<'_>| matches!(op.kind(), OpKind::ScfFor | OpKind::ScfWhile);
    let Some(at) = ops.iter().position(is_loop) else {
        return Some(Group { before: ops, work: None, after: Vec::new() });
    };
    let after = ops.split_off(at + 1);
    let work = Some(ForOp::cast(ops.pop()?)?);
    let is_only = !after.iter().any(is_loop);
    is_only.then_some(Group { before: ops, work, after })
}

fn has_same_bounds(a: ForOp<'_>, b: ForOp<'_>) -> bool {
    let constant =
        |value: Value<'_>| value.defining_op().filter(|op| op.kind() == OpKind::ArithConstant)?.int_attr("value");
    let is_same = |a: Value<'_>, b: Value<'_>| {
        a == b || constant(a).is_some_and(|number| constant(b) == Some(number)) && a.ty() == b.ty()
    };
    (0..3).all(|at| is_same(a.op.operand(at), b.op.operand(at)))
}

/// One loop of several, before `place`.
fn one_loop<'c>(place: Op<'c>, loops: &[ForOp<'c>]) -> Option<ForOp<'c>> {
    let (first, rest) = loops.split_first()?;
    first.op.move_before(place);
    let mut united = *first;
    for other in rest {
        let own = united.iter_args().len();
        let carried: Vec<NewCarried<'c>> =
            other.op.operands()[3..].iter().map(|init| NewCarried::unchanged(*init)).collect();
        united = extend_for(united, &carried);
        other.induction_var().replace_all_uses_with(united.induction_var());
        for (old, new) in other.iter_args().into_iter().zip(&united.iter_args()[own..]) {
            old.replace_all_uses_with(*new);
        }
        let (end, other_end) = (united.yield_op(), other.yield_op());
        other.body().ops().into_iter().filter(|op| *op != other_end).for_each(|op| op.move_before(end));
        let mut yielded = end.operands();
        yielded.truncate(own);
        yielded.extend(other_end.operands());
        end.set_operands(&yielded);
        for (old, new) in other.op.results().into_iter().zip(&united.op.results()[own..]) {
            old.replace_all_uses_with(*new);
        }
        other.op.erase();
    }
    Some(united)
}

/// Refuses waits that one group of warps would not come out of.
fn check_waits<'c>(before: &[Op<'c>], body: &[Op<'c>], after: &[Op<'c>]) -> Result<(), Refused<'c>> {
    let mut arrived: Vec<Value<'c>> = Vec::new();
    let in_body = arrivals(body);
    for (part, is_loop) in [(before, false), (body, true), (after, false)] {
        for op in part.iter().flat_map(|op| op.descendants()) {
            arrived.extend(arrival(op));
            if shared_memory(op.kind()) != SharedMemory::WaitAtMbarrier {
                continue;
            }
            let barrier = root(op.operand(0));
            let is_later = is_loop && in_body.contains(&barrier);
            if !arrived.contains(&barrier) && !is_for_first_phase(op.operand(1), is_later) {
                let why = "with one group of warps nothing arrives at this mbarrier before the wait".to_string();
                return Err(Refused { op, why });
            }
        }
    }
    Ok(())
}

fn arrivals<'c>(ops: &[Op<'c>]) -> Vec<Value<'c>> {
    ops.iter().flat_map(|op| op.descendants()).filter_map(arrival).collect()
}

/// The mbarriers at which an operation arrives, or lets copies arrive.
fn arrival(op: Op<'_>) -> Option<Value<'_>> {
    matches!(shared_memory(op.kind()), SharedMemory::Arrive | SharedMemory::Announce).then(|| root(op.operand(0)))
}

fn root(mut buffer: Value<'_>) -> Value<'_> {
    while let Some(view) = buffer.defining_op().filter(|op| is_view(*op)) {
        buffer = view.operand(0);
    }
    buffer
}

/// Whether a parity is that of the phase before the first one: 1, or, in a loop in which somebody arrives later, the other one of a phase.
fn is_for_first_phase(parity: Value<'_>, is_later: bool) -> bool {
    let Some(mut op) = parity.defining_op() else { return false };
    if op.kind() == OpKind::ArithConstant {
        return op.int_attr("value").is_some_and(|parity| parity & 1 == 1);
    }
    while let (OpKind::ArithExtUI | OpKind::ArithExtSI, Some(from)) =
        (op.kind(), op.operands().first().and_then(|value| value.defining_op()))
    {
        op = from;
    }
    is_later && op.kind() == OpKind::ArithXOrI
}
