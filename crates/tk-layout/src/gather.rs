//! Gathers within warps: where every warp has all that its own result takes, lanes hand it to each other and nothing goes through shared memory.
//!
//! The element that a result takes has the coordinates of the result, but for the axis, whose coordinate is the index. Both layouts are linear,
//! so where that element lies in the source (register and lane) is linear too: in the result's register, lane and warp, and in the index.

use crate::f2::Span;
use crate::linear::MAX_REGISTER_BITS;
use crate::{Dim, LinearLayout};

/// Registers that a lane may have to be asked for, for one element.
const MOST_REGISTERS: u32 = 4;

/// A register of a lane of the own warp; as the image of a bit, what it changes of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// Number of the source register.
    pub register: u32,
    /// Number of the lane.
    pub lane: u32,
}

/// Where what is taken lies: the exclusive or of the images of all set bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatherPlan {
    /// Of the bits of the result's register.
    pub registers: Vec<Place>,
    /// Of the bits of the own lane.
    pub lanes: Vec<Place>,
    /// Of the bits of the own warp.
    pub warps: Vec<Place>,
    /// Of the bits of the index.
    pub index: Vec<Place>,
}

impl GatherPlan {
    /// Bits of the source register that only a running thread knows.
    pub fn chosen_registers(&self) -> u32 {
        [&self.lanes, &self.warps, &self.index].into_iter().flatten().fold(0, |mask, place| mask | place.register)
    }
}

/// The plan of a gather along `axis` from `source` into `result`; `None` where warps would need what others have, or lanes too many registers.
pub fn plan(source: &LinearLayout, result: &LinearLayout, axis: usize) -> Option<GatherPlan> {
    let axis = Dim::Axis(u8::try_from(axis).ok()?);
    let (registers, lanes) = (source.columns_of(Dim::Register), source.columns_of(Dim::Lane));
    if registers.len() > MAX_REGISTER_BITS as usize {
        return None;
    }
    let span = Span::of(registers.iter().chain(lanes).copied());
    let place = |image: u64| {
        let made_of = span.solve(image)?;
        let register = (made_of & ((1 << registers.len()) - 1)) as u32;
        Some(Place { register, lane: (made_of >> registers.len()) as u32 })
    };
    // The outputs of both may stand in different orders, and their sizes differ along the axis.
    let beside_axis = |dim: Dim, bit: u32| {
        let along = |out: Dim| u64::from(result.basis(dim, bit, out)) << source.out_shift(out);
        source.out_dims().filter(|out| *out != axis).map(along).fold(0, |sum, part| sum ^ part)
    };
    let images =
        |dim: Dim| -> Option<Vec<Place>> { (0..result.in_bits(dim)).map(|bit| place(beside_axis(dim, bit))).collect() };
    // A warp takes from itself: what its number changes of the element, it changes of what the warp has.
    let warp_bits = result.in_bits(Dim::Warp).max(source.in_bits(Dim::Warp));
    let own = |bit: u32| source.columns_of(Dim::Warp).get(bit as usize).copied().unwrap_or(0);
    let warps: Option<Vec<Place>> = (0..warp_bits).map(|bit| place(beside_axis(Dim::Warp, bit) ^ own(bit))).collect();
    let along_axis = (0..source.out_bits(axis)).map(|bit| place(1 << (source.out_shift(axis) + bit)));
    let plan = GatherPlan {
        registers: images(Dim::Register)?,
        lanes: images(Dim::Lane)?,
        warps: warps?,
        index: along_axis.collect::<Option<_>>()?,
    };
    (1 << plan.chosen_registers().count_ones() <= MOST_REGISTERS).then_some(plan)
}
