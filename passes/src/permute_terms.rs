//! A product is the sum of its terms in any order, so they can be in the order in which threads have them.
//!
//! What `wgmma` gives of f32 lies with two neighbours of a row in a thread; as the left operand of the next product, it takes those that are four
//! apart. Attention in f32 moved its weights between lanes for that, by shuffles or through shared memory with a barrier. The right operand of such a
//! product is written by threads in any case, since `wgmma` reads 32-bit numbers along K alone, so its rows can as well be written in another order:
//!
//! ```text
//! threads have terms   0 1 | 2 3 | 4 5 | 6 7   of each eight
//! `wgmma` takes        0 4 | 1 5 | 2 6 | 3 7   so row 0 of the right operand is written as row 0, row 1 as row 4, row 2 as row 1, …
//! ```
//!
//! Nothing moves then: the conversion of the left operand gives registers other names.
//!
//! Where copies of single elements fill a ring of right operands, each element has a place of its own, so that the pointers of row 1, and the masks, are
//! those of row 4. A wide copy along K would be torn apart.
//!
//! 1. Products of two such operands.  2. Both are turned by reshapes and a transposition, which move nothing.

use crate::convert_to_ttg::require_ttg;
use crate::encodings::{permuted, reshaped};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::WarpGroupDotOp;
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};
use tk_layout::{Dim, Encoding};

/// The pass.
pub const PASS: Pass =
    Pass { name: "permute-terms", summary: "multiply terms in the order in which threads have them", run };

/// Lanes that share eight terms of a row, and terms of each.
const LANES: i64 = 4;
const TERMS: i64 = 2;
/// Waits that hand a left operand on to its product, at most.
const MOST_WAITS: usize = 4;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        let dots = function.descendants().into_iter().filter_map(WarpGroupDotOp::cast);
        dots.filter_map(Permuted::of).collect::<Vec<_>>().into_iter().for_each(Permuted::apply);
    }
    Ok(())
}

/// A product whose terms change places.
struct Permuted<'c> {
    /// The source of the left operand's conversion, and what says which rows the right operand has.
    blocks: Vec<TurnedBlock<'c>>,
}

/// An operand that is turned.
struct TurnedBlock<'c> {
    place: Place<'c>,
    turn: Turn<'c>,
}

/// An operand of an operation.
#[derive(Clone, Copy)]
struct Place<'c> {
    op: Op<'c>,
    operand: usize,
}

/// The types of a block on its way from one order of terms to the other: split, turned, whole.
struct Turn<'c> {
    order: [i32; 4],
    types: [Type<'c>; 3],
}

impl<'c> Permuted<'c> {
    /// `None` where the left operand is not of a product, or would have to move all the same, or others read the right one.
    fn of(dot: WarpGroupDotOp<'c>) -> Option<Self> {
        let conversion = conversion_of(dot.a())?;
        let (weights, values) = (Place { op: conversion, operand: 0 }, rows_of(dot)?);
        let weights_type = weights.ty();
        let are_f32 = weights_type.element_bits() == 32 && dot.b().ty().element_bits() == 32;
        let is_of_product = matches!(weights_type.layout().as_deref(), Some(Encoding::NvidiaMma(_)));
        let terms = *weights_type.shape().last()?;
        let is_whole = terms % (LANES * TERMS) == 0 && dot.b().ty().shape().first() == Some(&terms);
        if !are_f32 || !is_of_product || !is_whole || dot.op.inside().is_some() {
            return None;
        }
        let left = Turn::of(weights_type, 1)?;
        let stays = holds_the_same(left.types[2], conversion.result(0).ty())?;
        let mut blocks = vec![TurnedBlock { place: weights, turn: left }];
        for place in values {
            blocks.push(TurnedBlock { place, turn: Turn::of(place.ty(), 0)? });
        }
        stays.then_some(Self { blocks })
    }

    fn apply(self) {
        for TurnedBlock { place: Place { op, operand }, turn } in self.blocks {
            op.set_operand(operand, turn.apply(op.operand(operand), &mut Builder::before(op)));
        }
    }
}

impl<'c> Place<'c> {
    fn ty(self) -> Type<'c> {
        self.op.operand(self.operand).ty()
    }
}

/// The conversion that makes a left operand, which waits may hand on. `None` where there is none, or others take what it gives.
fn conversion_of(operand: Value<'_>) -> Option<Op<'_>> {
    let mut value = operand;
    for _ in 0..=MOST_WAITS {
        let made = value.defining_op().filter(|_| value.has_one_use())?;
        if made.kind() == OpKind::TtgConvertLayout {
            return Some(made);
        }
        if made.kind() != OpKind::TtngWarpGroupDotWait {
            return None;
        }
        value = made.operand(value.result_number());
    }
    None
}

/// What says which rows the right operand of a product has: the block that threads write, or the pointers and masks of all copies that fill its ring.
/// `None` where anybody else reads or writes there.
fn rows_of(dot: WarpGroupDotOp<'_>) -> Option<Vec<Place<'_>>> {
    let made = dot.b().defining_op()?;
    if made.kind() == OpKind::TtgLocalAlloc && made.num_operands() > 0 {
        let is_own = dot.b().users().into_iter().all(|(user, operand)| reads_for(dot, user, operand));
        return is_own.then(|| vec![Place { op: made, operand: 0 }]);
    }
    if made.kind() != OpKind::TtgMemDescIndex {
        return None;
    }
    let ring = made.operand(0);
    ring.defining_op().filter(|op| op.kind() == OpKind::TtgLocalAlloc && op.num_operands() == 0)?;
    let mut places = Vec::new();
    for (view, _) in ring.users() {
        if view.kind() == OpKind::TtgLocalDealloc {
            continue;
        }
        if view.kind() != OpKind::TtgMemDescIndex {
            return None;
        }
        for (user, operand) in view.result(0).users() {
            if is_copy_of_elements(user) && operand == 1 {
                let blocks = (0..user.num_operands()).filter(|index| user.operand(*index).ty().is_tensor());
                places.extend(blocks.map(|operand| Place { op: user, operand }));
            } else if !reads_for(dot, user, operand) {
                return None;
            }
        }
    }
    (!places.is_empty()).then_some(places)
}

/// `user` is the product, or ends what it reads, or is a wait, which hands the buffer on to whoever reads it behind the product, and there is nobody.
fn reads_for<'c>(dot: WarpGroupDotOp<'c>, user: Op<'c>, operand: usize) -> bool {
    let ends_there = user.kind() == OpKind::TtngWarpGroupDotWait && !user.result(operand).has_uses();
    user == dot.op || ends_there || user.kind() == OpKind::TtgLocalDealloc
}

/// A copy to shared memory that moves each element by itself.
fn is_copy_of_elements(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtgAsyncCopyGlobalToLocal && op.int_attr("contiguity").is_none_or(|width| width <= 1)
}

impl<'c> Turn<'c> {
    /// Of a block with two axes, of which `axis` are the terms.
    fn of(ty: Type<'c>, axis: usize) -> Option<Self> {
        let shape: [i64; 2] = ty.shape().try_into().ok()?;
        let groups = shape[axis] / (LANES * TERMS);
        let (split, order) = if axis == 1 {
            ([shape[0], groups, LANES, TERMS], [0, 1, 3, 2])
        } else {
            ([groups, LANES, TERMS, shape[1]], [0, 2, 1, 3])
        };
        let turned = order.map(|from| split[from]);
        let of_split = reshaped(&*ty.layout()?, &shape, &split)?;
        let of_turned = permuted(&of_split, &split, &order)?;
        let of_whole = reshaped(&of_turned, &turned, &shape)?;
        let typed = |shape: &[i64], layout: &Encoding| {
            let context = ty.context();
            context.tensor(shape, ty.element(), Some(context.encoding_attr(layout)))
        };
        let types = [typed(&split, &of_split), typed(&turned, &of_turned), typed(&shape, &of_whole)];
        Some(Self { order: order.map(|axis| axis as i32), types })
    }

    fn apply(&self, block: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
        let [split, turned, whole] = self.types;
        let split = builder.reshape(block, split, false);
        let turned = builder.trans(split, &self.order, turned);
        builder.reshape(turned, whole, false)
    }
}

/// Conversions of left operands that cost nothing once the terms of their products are permuted: before that they look as if they took shared memory.
pub(crate) fn free_conversions(function: Op<'_>) -> Vec<Op<'_>> {
    let dots = function.descendants().into_iter().filter_map(WarpGroupDotOp::cast);
    dots.filter(|dot| Permuted::of(*dot).is_some()).filter_map(|dot| conversion_of(dot.a())).collect()
}

/// What is computed element by element from a product's result of this type stays with its threads on its way to a left operand, if terms are permuted.
pub(crate) fn follows_threads(result: Type<'_>, operand: Type<'_>) -> bool {
    let is_of_product = matches!(result.layout().as_deref(), Some(Encoding::NvidiaMma(_)));
    let is_whole = result.shape().last().is_some_and(|terms| terms % (LANES * TERMS) == 0);
    let turned = || holds_the_same(Turn::of(result, 1)?.types[2], operand);
    is_of_product && is_whole && turned() == Some(true)
}

/// The type of a block whose rows have changed places.
pub(crate) fn turned_rows(block: Type<'_>) -> Option<Type<'_>> {
    Some(Turn::of(block, 0)?.types[2])
}

/// Each thread holds the same elements in both layouts, if in other registers.
fn holds_the_same(left: Type<'_>, right: Type<'_>) -> Option<bool> {
    let shape = left.shape();
    let of = |ty: Type<'_>| ty.layout()?.to_linear(&shape).ok();
    let (left, right) = (of(left)?, of(right)?);
    Some([Dim::Lane, Dim::Warp].iter().all(|dim| left.columns_of(*dim) == right.columns_of(*dim)))
}
