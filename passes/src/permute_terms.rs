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
    /// The conversion of the left operand, of whose source the turned type is known.
    conversion: Op<'c>,
    left: Turn<'c>,
    /// What writes the right operand.
    written: Op<'c>,
    right: Turn<'c>,
}

/// The types of a block on its way from one order of terms to the other: split, turned, whole.
struct Turn<'c> {
    order: [i32; 4],
    types: [Type<'c>; 3],
}

impl<'c> Permuted<'c> {
    /// `None` where the left operand is not of a product, or would have to move all the same, or others read the right one.
    fn of(dot: WarpGroupDotOp<'c>) -> Option<Self> {
        let conversion = dot.a().defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout)?;
        let written = dot.b().defining_op().filter(|op| op.kind() == OpKind::TtgLocalAlloc)?;
        let (weights, values) = (conversion.operand(0), *written.operands().first()?);
        let (weights_type, values_type) = (weights.ty(), values.ty());
        let are_f32 = weights_type.element_bits() == 32 && values_type.element_bits() == 32;
        let is_of_product = matches!(weights_type.layout().as_deref(), Some(Encoding::NvidiaMma(_)));
        // A wait hands the buffer on, to whoever reads it behind the product.
        let read_by_product = |(user, operand): &(Op<'c>, usize)| {
            let ends_there = user.kind() == OpKind::TtngWarpGroupDotWait && !user.result(*operand).has_uses();
            *user == dot.op || ends_there || user.kind() == OpKind::TtgLocalDealloc
        };
        let is_own = conversion.result(0).users().len() == 1 && written.result(0).users().iter().all(read_by_product);
        let terms = *weights_type.shape().last()?;
        let is_whole = terms % (LANES * TERMS) == 0 && values_type.shape().first() == Some(&terms);
        if !are_f32 || !is_of_product || !is_own || !is_whole || dot.op.inside().is_some() {
            return None;
        }
        let left = Turn::of(weights_type, 1)?;
        let right = Turn::of(values_type, 0)?;
        let stays = holds_the_same(left.types[2], conversion.result(0).ty())?;
        stays.then_some(Self { conversion, left, written, right })
    }

    fn apply(self) {
        let Self { conversion, left, written, right } = self;
        conversion.set_operand(0, left.apply(conversion.operand(0), &mut Builder::before(conversion)));
        written.set_operand(0, right.apply(written.operand(0), &mut Builder::before(written)));
    }
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

/// Each thread holds the same elements in both layouts, if in other registers.
fn holds_the_same(left: Type<'_>, right: Type<'_>) -> Option<bool> {
    let shape = left.shape();
    let of = |ty: Type<'_>| ty.layout()?.to_linear(&shape).ok();
    let (left, right) = (of(left)?, of(right)?);
    Some([Dim::Lane, Dim::Warp].iter().all(|dim| left.columns_of(*dim) == right.columns_of(*dim)))
}
