//! Parts of a value: some of its rows, which each thread holds in registers of their own.

use crate::encodings::{permuted, reshaped, same_places, with_pairs, without_pairs};
use tk_ir::{Builder, OpKind, Type, Value};
use tk_layout::{Dim, Encoding};

/// Rows of an instruction in each warp.
const ROWS_OF_WARP: i64 = 16;

/// The rows of a tensor in `count` parts, a power of two.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) count: i64,
}

impl Parts {
    /// The parts that a product's result of this type can come in, the fewest first: each has the rows of one instruction of every warp, or of several.
    pub(super) fn possible(ty: Type<'_>) -> Vec<Self> {
        let Some(layout) = ty.layout() else { return Vec::new() };
        let (Encoding::NvidiaMma(mma), [rows, _]) = (&*layout, &ty.shape()[..]) else { return Vec::new() };
        let [warps, 1] = mma.warps_per_cta[..] else { return Vec::new() };
        let most = rows / (ROWS_OF_WARP * i64::from(warps));
        let counts = std::iter::successors(Some(2), |count| Some(count * 2)).take_while(|count| *count <= most);
        counts.map(|count| Self { count }).filter(|parts| parts.are_registers(ty)).collect()
    }

    /// Every part of such a tensor is made of some of the registers of each thread, in the layout of the whole.
    pub(super) fn are_registers(self, ty: Type<'_>) -> bool {
        let Some(layout) = ty.layout() else { return false };
        let (mut shape, half) = (ty.shape(), self.of_shape(&ty.shape()));
        while shape[0] > half[0] {
            let Some(layouts) = Halves::of(&layout, &shape) else { return false };
            shape[0] /= 2;
            let context = ty.context();
            let [found, wanted] = [&layouts.half, &*layout].map(|layout| context.encoding_attr(layout));
            if !same_places(&shape, found, wanted) {
                return false;
            }
        }
        let linear = ty.linear_layout();
        linear.is_some_and(|linear| [Dim::Lane, Dim::Warp].iter().all(|dim| linear.free_mask(*dim) == 0))
    }

    fn of_shape(self, shape: &[i64]) -> Vec<i64> {
        let mut shape = shape.to_vec();
        shape.iter_mut().take(1).for_each(|rows| *rows /= self.count);
        shape
    }

    /// The type of a part.
    pub(super) fn of_type<'c>(self, ty: Type<'c>) -> Type<'c> {
        ty.with_shape(&self.of_shape(&ty.shape()))
    }

    /// All parts of a value; `None` where threads would have to exchange elements.
    pub(super) fn of<'c>(self, value: Value<'c>, builder: &mut Builder<'c>) -> Option<Vec<Value<'c>>> {
        let mut all = vec![value];
        while (all.len() as i64) < self.count {
            let halves: Option<Vec<[Value<'c>; 2]>> = all.iter().map(|value| halves(*value, builder)).collect();
            all = halves?.into_iter().flatten().collect();
        }
        Some(all)
    }

    /// The value with these parts.
    pub(super) fn join<'c>(self, parts: &[Value<'c>], builder: &mut Builder<'c>) -> Option<Value<'c>> {
        let mut all = parts.to_vec();
        while all.len() > 1 {
            let pairs = all.chunks(2).map(|pair| if let [a, b] = pair { joined(*a, *b, builder) } else { None });
            all = pairs.collect::<Option<_>>()?;
        }
        all.first().copied()
    }
}

/// The layouts on the way from a tensor to its halves.
struct Halves {
    /// With an axis of halves in front.
    split: Encoding,
    /// With that axis at the end.
    moved: Encoding,
    /// Of a half.
    half: Encoding,
}

impl Halves {
    fn of(layout: &Encoding, shape: &[i64]) -> Option<Self> {
        let in_front = halves_in_front(shape)?;
        let split = reshaped(layout, shape, &in_front)?;
        let moved = permuted(&split, &in_front, &first_to_end(in_front.len()))?;
        let half = without_pairs(&moved, &moved_shape(&in_front))?;
        Some(Self { split, moved, half })
    }
}

fn halves_in_front(shape: &[i64]) -> Option<Vec<i64>> {
    let (rows, others) = shape.split_first()?;
    Some([2, rows / 2].into_iter().chain(others.iter().copied()).collect())
}

fn moved_shape(in_front: &[i64]) -> Vec<i64> {
    first_to_end(in_front.len()).iter().map(|axis| in_front[*axis]).collect()
}

/// The order of axes that brings the first to the end.
fn first_to_end(rank: usize) -> Vec<usize> {
    (1..rank).chain([0]).collect()
}

fn as_order(axes: &[usize]) -> Vec<i32> {
    axes.iter().map(|axis| *axis as i32).collect()
}

fn halves<'c>(value: Value<'c>, builder: &mut Builder<'c>) -> Option<[Value<'c>; 2]> {
    let (ty, context) = (value.ty(), builder.context());
    let shape = ty.shape();
    let layouts = Halves::of(&*ty.layout()?, &shape)?;
    let typed =
        |shape: &[i64], layout: &Encoding| context.tensor(shape, ty.element(), Some(context.encoding_attr(layout)));
    let in_front = halves_in_front(&shape)?;
    let moved = moved_shape(&in_front);
    let split = builder.reshape(value, typed(&in_front, &layouts.split), false);
    let paired = builder.trans(split, &as_order(&first_to_end(in_front.len())), typed(&moved, &layouts.moved));
    let half = typed(&moved[..moved.len() - 1], &layouts.half);
    let own = ty.with_shape(&half.shape());
    let halves = builder.create(OpKind::TtSplit, &[paired], &[half, half], &[]);
    // Layouts of one place may have several names; a reshape moves nothing.
    Some([0, 1].map(|side| builder.reshape(halves.result(side), own, false)))
}

fn joined<'c>(a: Value<'c>, b: Value<'c>, builder: &mut Builder<'c>) -> Option<Value<'c>> {
    let (ty, context) = (a.ty(), builder.context());
    let shape = ty.shape();
    let typed =
        |shape: &[i64], layout: &Encoding| context.tensor(shape, ty.element(), Some(context.encoding_attr(layout)));
    let mut pairs = shape.clone();
    pairs.push(2);
    let layout = with_pairs(&*ty.layout()?, &shape)?;
    let joined = builder.create(OpKind::TtJoin, &[a, b], &[typed(&pairs, &layout)], &[]).result(0);
    let last_first: Vec<usize> = std::iter::once(shape.len()).chain(0..shape.len()).collect();
    let in_front: Vec<i64> = last_first.iter().map(|axis| pairs[*axis]).collect();
    let moved = permuted(&layout, &pairs, &last_first)?;
    let mut whole = shape;
    whole[0] *= 2;
    let named = reshaped(&moved, &in_front, &whole)?;
    let moved = builder.trans(joined, &as_order(&last_first), typed(&in_front, &moved));
    let rows = builder.reshape(moved, typed(&whole, &named), false);
    // The same places, with registers in another order.
    Some(builder.convert_layout(rows, ty.with_shape(&whole)))
}
