//! The plan of `ttg.convert_layout`: how every thread gets the elements that the new layout wants it to have.
//!
//! There are three ways, from cheap to dear: only rename registers, exchange values within each warp by shuffles, or go through shared memory.
//! Plans are plain data that code generation follows without thinking, and that shared-memory allocation reads its sizes from.

mod matrix;
mod mover;
mod shared;
mod shuffle;
mod swizzle;

pub use matrix::MatrixAccess;
pub use mover::{Access, Transfer};
pub use shared::{BufferAccess, SharedPlan, SharedRound, load_from, store_to};
pub use shuffle::{Exchange, ShufflePlan, ShuffleRound};

use crate::f2::Span;
use crate::{Dim, LinearLayout};

/// Scratch memory that a conversion takes at most when it can be done in several rounds, in bytes; a default for [`plan`].
pub const SCRATCH_BYTES: u32 = 32 * 1024;

/// How to convert a tensor from one distributed layout to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionPlan {
    /// Each thread has its elements already: destination register `r` is source register `registers[r]`.
    Reorder {
        /// Source register of each destination register.
        registers: Vec<u32>,
    },
    /// Values move between the lanes of each warp.
    Shuffles(ShufflePlan),
    /// Values go through shared memory.
    Shared(SharedPlan),
}

impl ConversionPlan {
    /// Whether source and destination registers are the same, in the same order.
    pub fn is_nothing(&self) -> bool {
        matches!(self, ConversionPlan::Reorder { registers } if registers.iter().enumerate().all(|(at, from)| at as u32 == *from))
    }

    /// Scratch bytes of shared memory that the plan needs, aligned to 16.
    pub fn shared_bytes(&self) -> u32 {
        if let ConversionPlan::Shared(plan) = self { plan.bytes } else { 0 }
    }
}

/// Where a conversion stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a loop, or nobody knows.
    Anywhere,
    /// Outside of all loops.
    OutsideOfLoops,
}

/// [`plan_at`] any place.
pub fn plan(
    src: &LinearLayout,
    dst: &LinearLayout,
    element_bits: u32,
    scratch_bytes: u32,
) -> Result<ConversionPlan, String> {
    plan_at(Place::Anywhere, src, dst, element_bits, scratch_bytes)
}

/// The cheapest conversion of a tensor from layout `src` to `dst`, both register, lane, warp, block → axes of the same shape.
/// `element_bits` is 8 to 64, a power of two (booleans count as 8). Conversions through shared memory are cut into rounds so that they take no more than
/// `scratch_bytes`, as far as the layouts allow. What allocates shared memory for a conversion and what emits it have to name the same place.
pub fn plan_at(
    place: Place,
    src: &LinearLayout,
    dst: &LinearLayout,
    element_bits: u32,
    scratch_bytes: u32,
) -> Result<ConversionPlan, String> {
    check_element(element_bits)?;
    let dst = &dst.transpose_outs(&src.out_dims().collect::<Vec<_>>())?;
    let sizes = |layout: &LinearLayout| (layout.outs.clone(), layout.in_bits(Dim::Lane), layout.in_bits(Dim::Warp));
    if sizes(src) != sizes(dst) {
        return Err(format!("the layouts {src} and {dst} are for different shapes or numbers of threads"));
    }
    check_layout(src)?;
    check_layout(dst)?;
    let origin = Origin::of(src, dst)?;
    if let Some(registers) = origin.reorder() {
        return Ok(ConversionPlan::Reorder { registers });
    }
    let shuffles = shuffle::plan(&origin, element_bits);
    let meeting = cost_of_meeting(src, place);
    let is_short = |plan: &ShufflePlan| plan.cost() <= meeting;
    if let Some(plan) = shuffles.as_ref().filter(|plan| is_short(plan)) {
        return Ok(ConversionPlan::Shuffles(plan.clone()));
    }
    let shared = shared::plan(src, dst, element_bits, scratch_bytes);
    match (shuffles, shared) {
        (Some(plan), Ok(shared)) if plan.cost() <= shared.cost + meeting => Ok(ConversionPlan::Shuffles(plan)),
        (Some(plan), Err(_)) => Ok(ConversionPlan::Shuffles(plan)),
        (_, shared) => shared.map(|shared| ConversionPlan::Shared(shared.plan)),
    }
}

/// What it costs that all threads meet between stores and loads, in the unit of costs: half a wavefront of shared memory, which is about a cycle.
/// A thread that gets more elements than it had reads four at once from shared memory, and each by a shuffle of its own.
const BARRIER_COST: u64 = 16;

/// The same for one warp outside of loops, whose threads wait for no others. Of 27 launches that change, one is 1.5 % slower, and eight
/// are 1 to 11 % faster; with no cost at all shorter conversions go through shared memory, too, which gains nothing. In a loop the next iteration may wait
/// for what is read, which takes longer than a shuffle (docs/measurements.md, "One warp converts through shared memory").
const COST_IN_A_WARP: u64 = 4;

fn cost_of_meeting(layout: &LinearLayout, place: Place) -> u64 {
    match place {
        Place::OutsideOfLoops if layout.in_bits(Dim::Warp) == 0 => COST_IN_A_WARP,
        Place::OutsideOfLoops | Place::Anywhere => BARRIER_COST,
    }
}

fn check_element(bits: u32) -> Result<(), String> {
    let fits = bits.is_power_of_two() && (8..=64).contains(&bits);
    if fits { Ok(()) } else { Err(format!("elements of {bits} bits cannot be moved between threads")) }
}

pub(crate) fn check_layout(layout: &LinearLayout) -> Result<(), String> {
    if layout.in_bits(Dim::Register) > crate::linear::MAX_REGISTER_BITS {
        Err("a tensor with more than 2^20 elements per thread cannot be planned".into())
    } else if layout.in_bits(Dim::Block) != 0 {
        Err("layouts over several CTAs cannot be planned".into())
    } else if !layout.is_surjective() {
        Err(format!("the layout {layout} does not hold every element"))
    } else {
        Ok(())
    }
}

/// Where in the source each destination place finds its element: images of the destination's register, lane and warp bits as packed source
/// places (register bits lowest, then lane bits, then warp bits).
pub(crate) struct Origin {
    registers: Vec<u64>,
    lanes: Vec<u64>,
    warps: Vec<u64>,
    src_register_bits: u32,
    lane_bits: u32,
    /// Destination register bits that only repeat elements of the same thread, and the lower register bits they repeat.
    copies: Vec<RepeatedBit>,
}

impl Origin {
    /// Prefers the own thread, then the own warp, whenever the source holds an element several times.
    fn of(src: &LinearLayout, dst: &LinearLayout) -> Result<Self, String> {
        let (register_bits, lane_bits) = (src.in_bits(Dim::Register), src.in_bits(Dim::Lane));
        let in_thread = Span::of(src.columns_of(Dim::Register).iter().copied());
        let with_lanes = src.columns_of(Dim::Register).iter().chain(src.columns_of(Dim::Lane)).copied();
        let in_warp = Span::of(with_lanes.clone());
        let in_cta = Span::of(with_lanes.chain(src.columns_of(Dim::Warp).iter().copied()));
        let find = |image: u64, own: Option<(u64, u32)>| -> Result<u64, String> {
            let own_place = own.map_or(0, |(_, bit)| 1u64 << bit);
            let rest = image ^ own.map_or(0, |(own_image, _)| own_image);
            let is_warp = own.is_some_and(|(_, bit)| bit >= register_bits + lane_bits);
            if let Some(place) = in_thread.solve(rest) {
                return Ok(place as u64 ^ own_place);
            }
            if is_warp && let Some(place) = in_warp.solve(rest) {
                return Ok(place as u64 ^ own_place);
            }
            let place = in_warp.solve(image).or_else(|| in_cta.solve(image));
            place.map(|place| place as u64).ok_or_else(|| "the source lacks an element".to_string())
        };
        let registers = dst.columns_of(Dim::Register);
        let threads = |dim: Dim, first: u32| -> Result<Vec<u64>, String> {
            let own = src.columns_of(dim);
            dst.columns_of(dim)
                .iter()
                .enumerate()
                .map(|(bit, &image)| find(image, Some((own[bit], first + bit as u32))))
                .collect()
        };
        Ok(Self {
            registers: registers.iter().map(|&image| find(image, None)).collect::<Result<_, _>>()?,
            lanes: threads(Dim::Lane, register_bits)?,
            warps: threads(Dim::Warp, register_bits + lane_bits)?,
            src_register_bits: register_bits,
            lane_bits,
            copies: register_copies(dst),
        })
    }

    /// The register part of a packed place.
    fn register(&self, place: u64) -> u64 {
        place & ((1 << self.src_register_bits) - 1)
    }

    /// The lane and warp part of a packed place.
    fn thread(&self, place: u64) -> u64 {
        place >> self.src_register_bits
    }

    /// Whether lane `l` of warp `w` always finds its elements in warp `w`, at places that do not depend on `w`.
    fn stays_in_warp(&self) -> bool {
        let own_warp = |(bit, &place): (usize, &u64)| {
            self.thread(place) == 1 << (self.lane_bits + bit as u32) && self.register(place) == 0
        };
        self.warps.iter().enumerate().all(own_warp)
            && self.registers.iter().chain(&self.lanes).all(|&place| self.thread(place) >> self.lane_bits == 0)
    }

    /// The register map, when every thread finds its elements in its own registers, the same ones in every thread.
    fn reorder(&self) -> Option<Vec<u32>> {
        let own_lane = |(bit, &place): (usize, &u64)| self.thread(place) == 1 << bit && self.register(place) == 0;
        let stays = self.stays_in_warp()
            && self.lanes.iter().enumerate().all(own_lane)
            && self.registers.iter().all(|&place| self.thread(place) == 0);
        stays.then(|| {
            (0..1u64 << self.registers.len()).map(|register| combine(&self.registers, register) as u32).collect()
        })
    }
}

/// Exclusive or of the `columns` whose bit is set in `mask`.
pub(crate) fn combine(columns: &[u64], mask: u64) -> u64 {
    columns.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).fold(0, |sum, (_, column)| sum ^ column)
}

/// A register that gets the value of another one of the same thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterCopy {
    /// The register that gets it.
    pub to: u32,
    /// The register that has it.
    pub from: u32,
}

/// A bit of the register number that reaches no further element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepeatedBit {
    pub(crate) bit: u32,
    /// The lower bits that reach the same elements.
    pub(crate) equal: u32,
}

/// Register bits that repeat lower ones of the same thread.
pub(crate) fn register_copies(layout: &LinearLayout) -> Vec<RepeatedBit> {
    let mut span = Span::default();
    let mut copies = Vec::new();
    for (bit, &image) in layout.columns_of(Dim::Register).iter().enumerate() {
        let repeated = span.solve(image);
        if !span.insert(image) {
            copies.push(RepeatedBit { bit: bit as u32, equal: repeated.unwrap_or(0) as u32 });
        }
    }
    copies
}

/// All registers with a bit of `copies` set, each with the register without such bits that it equals.
pub(crate) fn expand_copies(register_bits: usize, copies: &[RepeatedBit]) -> Vec<RegisterCopy> {
    let resolve = |register: u32| {
        copies.iter().rev().fold(register, |at, repeated| {
            if at >> repeated.bit & 1 == 1 { at ^ (1 << repeated.bit) ^ repeated.equal } else { at }
        })
    };
    let copy = |to: u32| RegisterCopy { to, from: resolve(to) };
    (0..1u32 << register_bits).map(copy).filter(|copy| copy.to != copy.from).collect()
}
