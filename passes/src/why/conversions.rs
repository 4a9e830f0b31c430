//! Conversions between layouts that are left: who wants which layout, and what it costs.
//!
//! Most operations take any layout. From a conversion, the walk goes back through those to the operation that gave the tensor its layout, and
//! forth to the one that wants another.

use super::{place, tensor_text};
use crate::control_flow::{flows_from, flows_into};
use crate::operations::computations::{Computation, computation};
use crate::operations::control::is_loop;
use crate::operations::layouts::{LayoutRule, ShapeChange, layout_rule};
use crate::operations::memory::{Access, GlobalMemory, SharedMemory, global_memory, shared_memory};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use tk_ir::{Op, OpKind, Type, Value, attributes};
use tk_layout::conversion::{self, ConversionPlan};
use tk_why::{Anchor, Conversion, Often, Price, Wish};

/// Operations that one walk looks at.
const MOST_STEPS: usize = 2000;

/// The conversions of a function, in program order.
pub(super) fn of(function: Op<'_>) -> Vec<Conversion> {
    let conversions = function.descendants().into_iter().filter(|op| op.kind() == OpKind::TtgConvertLayout);
    conversions.filter_map(conversion).collect()
}

fn conversion(op: Op<'_>) -> Option<Conversion> {
    let (from, to) = (op.operand(0), op.result(0));
    let here = place(op.loc());
    let conversion = Conversion {
        tensor: tensor_text(from.ty()),
        from: wish(giver(from).unwrap_or(Found { anchor: Anchor::Computation, op }), from.ty()),
        to: wish(taker(to).unwrap_or(Found { anchor: Anchor::Computation, op }), to.ty()),
        price: price(op),
        often: often(op),
        place: here,
    };
    conversion.place.is_known().then_some(conversion)
}

fn often(op: Op<'_>) -> Often {
    let mut around = std::iter::successors(op.parent_op(), |op| op.parent_op());
    let Some(owner) = around.find(|op| is_loop(*op)) else { return Often::Once };
    let place = place(owner.loc());
    let is_in_branch = op.parent_op() != Some(owner);
    if is_in_branch || owner.descendants().into_iter().any(|inner| inner != owner && is_loop(inner)) {
        Often::InSomeIterations { around: place }
    } else {
        Often::InEveryIteration { around: place }
    }
}

fn wish(found: Found<'_>, ty: Type<'_>) -> Wish {
    let layout = ty.layout().map(|layout| layout.to_string()).unwrap_or_default();
    Wish { anchor: found.anchor, place: place(found.op.loc()), layout }
}

/// Whether an operation is a conversion for which each thread has its elements already, in other registers or the same.
pub(super) fn is_free(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtgConvertLayout && price(op) == Price::Nothing
}

fn price(op: Op<'_>) -> Price {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let bytes = from.element_bits().div_ceil(8).max(1);
    let (Some(source), Some(target)) = (from.linear_layout(), to.linear_layout()) else { return Price::Unknown };
    match conversion::plan_at(op.conversion_place(), &source, &target, 8 * bytes, conversion::SCRATCH_BYTES) {
        Ok(ConversionPlan::Reorder { .. }) => Price::Nothing,
        Ok(ConversionPlan::Shuffles(plan)) => {
            let count = plan.rounds.iter().filter(|round| !plan.is_local(round)).count();
            Price::Shuffles { count: count as u32 }
        }
        Ok(ConversionPlan::Shared(plan)) => {
            let rounds = plan.rounds.len() as u32;
            Price::Shared {
                moved_bytes: from.num_elements().unsigned_abs() * u64::from(bytes),
                scratch_bytes: plan.bytes,
                // Between the stores and the loads of each round, and between rounds.
                barriers: (2 * rounds).saturating_sub(1),
            }
        }
        Err(_) => Price::Unknown,
    }
}

/// An operation that wants a layout.
#[derive(Clone, Copy)]
struct Found<'c> {
    anchor: Anchor,
    op: Op<'c>,
}

/// What an operation has to do with the layout of its operands and results.
enum Bond {
    /// It wants one.
    Wants(Anchor),
    /// It takes any, and passes it on.
    PassesOn,
    /// It takes any.
    Indifferent,
}

fn bond(op: Op<'_>) -> Bond {
    match layout_rule(op.kind()) {
        LayoutRule::Same if op.kind() == OpKind::TtScan => Bond::Wants(Anchor::Scan),
        LayoutRule::Same => match computation(op.kind()) {
            Computation::Constant | Computation::Range => Bond::Indifferent,
            Computation::Repeat
            | Computation::Arithmetic
            | Computation::Function
            | Computation::Cast
            | Computation::Load
            | Computation::Reduction
            | Computation::Other => Bond::PassesOn,
        },
        LayoutRule::Access => Bond::Wants(access(op)),
        LayoutRule::Shape(ShapeChange::Reduce) => Bond::Wants(Anchor::Reduction),
        LayoutRule::Shape(
            ShapeChange::ExpandDims
            | ShapeChange::Trans
            | ShapeChange::Reshape
            | ShapeChange::Join
            | ShapeChange::Split,
        ) => Bond::PassesOn,
        // Those who wait for a product pass it on.
        LayoutRule::Own if op.kind() == OpKind::TtngWarpGroupDotWait => Bond::PassesOn,
        LayoutRule::Own => match op.kind() == OpKind::TtGather || op.kind() == OpKind::TtHistogram {
            true => Bond::Wants(Anchor::Gather),
            false => Bond::Wants(Anchor::Product),
        },
        LayoutRule::Any if shared_memory(op.kind()) != SharedMemory::None => Bond::Wants(Anchor::Buffer),
        LayoutRule::Any | LayoutRule::Conversion => Bond::Indifferent,
        LayoutRule::Fixed => fixed(op),
    }
}

fn access(op: Op<'_>) -> Anchor {
    match global_memory(op.kind()).access() {
        Some(Access::Write) => Anchor::Store,
        Some(Access::Combine | Access::Synchronize) => Anchor::Atomic,
        Some(Access::Read) | None => Anchor::Load,
    }
}

fn fixed(op: Op<'_>) -> Bond {
    match global_memory(op.kind()) {
        GlobalMemory::Pointers(_) | GlobalMemory::Block(_) | GlobalMemory::Copy(_) => Bond::Wants(access(op)),
        GlobalMemory::None | GlobalMemory::Unknown if shared_memory(op.kind()) != SharedMemory::None => {
            Bond::Wants(Anchor::Buffer)
        }
        GlobalMemory::None | GlobalMemory::Unknown => Bond::Indifferent,
    }
}

/// The operation that gave a tensor its layout: a product, where there is one, else the nearest; loads take over the layouts of products, and
/// those of loads that move more at once.
fn giver(value: Value<'_>) -> Option<Found<'_>> {
    let mut pending = VecDeque::from([value]);
    let mut seen = FxHashSet::default();
    let (mut nearest, mut weak) = (None, None);
    while let Some(value) = pending.pop_front().filter(|_| seen.len() < MOST_STEPS) {
        if !seen.insert(value.id()) || !value.ty().is_tensor() {
            continue;
        }
        if let Some(values) = flows_from(value) {
            pending.extend(values);
            continue;
        }
        let Some(op) = value.defining_op() else { continue };
        match bond(op) {
            Bond::Wants(Anchor::Product) => return Some(Found { anchor: Anchor::Product, op }),
            Bond::Wants(anchor) => {
                let found = Found { anchor, op };
                nearest = nearest.filter(|before| !gains_more(found, *before)).or(Some(found));
            }
            Bond::PassesOn => pending.extend(op.operands()),
            Bond::Indifferent => {}
        }
        weak = weak.or(Some(Found { anchor: Anchor::Computation, op }));
    }
    nearest.or(weak)
}

/// Of two loads in one layout, the first moves more elements at once by it.
fn gains_more(found: Found<'_>, before: Found<'_>) -> bool {
    let elements = |load: Op<'_>| load.attr(attributes::VECTOR).and_then(|width| width.as_int()).unwrap_or(1);
    (found.anchor, before.anchor) == (Anchor::Load, Anchor::Load) && elements(found.op) > elements(before.op)
}

/// The operation that wants a tensor in its layout.
fn taker(value: Value<'_>) -> Option<Found<'_>> {
    let mut pending = VecDeque::from([value]);
    let mut seen = FxHashSet::default();
    let mut weak = None;
    while let Some(value) = pending.pop_front().filter(|_| seen.len() < MOST_STEPS) {
        if !seen.insert(value.id()) || !value.ty().is_tensor() {
            continue;
        }
        // The newest use comes first.
        for (user, operand) in value.users().into_iter().rev() {
            let passed = flows_into(user, operand);
            if !passed.is_empty() {
                pending.extend(passed);
                continue;
            }
            match bond(user) {
                Bond::Wants(anchor) => return Some(Found { anchor, op: user }),
                Bond::PassesOn => pending.extend(user.results()),
                Bond::Indifferent => {}
            }
            weak = weak.or(Some(Found { anchor: Anchor::Computation, op: user }));
        }
    }
    weak
}
