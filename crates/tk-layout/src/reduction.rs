//! The plan of `tt.reduce`: what each thread combines, which lanes exchange, and how warps put their parts together.
//!
//! An axis is spread over registers, lanes and warps. A thread first combines its registers of equal result, then lanes combine by butterfly shuffles,
//! then, when several warps hold parts of one result, each part is written to scratch memory once and every thread combines all parts
//! of the results that it wants. Where there are many parts, or it takes long to combine two, lanes that want the same results share them out and combine
//! by shuffles again. Copies (redundant registers, lanes and warps) are counted once.
//!
//! A thread with several results can give one half of them to the other lane of a butterfly step, which gives the half that this one keeps
//! ("recursive halving" of message passing, Thakur et al. 2005): half of the shuffles, of the combining, and later of the parts that meet in
//! scratch memory. In the end the lanes tell each other what they have, or every thread loads the parts of all results that it wants.
//! [`sharing`] says how often the first pays, and which of the others.

use crate::f2::Span;
use crate::{Dim, LinearLayout, slice_layout};

/// What it takes to combine two parts of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combining {
    /// 32-bit words of a part.
    pub words: u32,
    /// Instructions, about.
    pub instructions: u32,
    /// The next iteration of a loop waits for the result.
    pub is_awaited: bool,
}

/// How lanes share out the results that they combine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// Butterfly steps that halve the results.
    pub halvings: u32,
    /// How lanes get the results that others have.
    pub telling: Telling,
    /// How many parts of a result a lane loads.
    pub loading: Loading,
}

/// How many parts of a result each lane loads where warps have met, if others want the same result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loading {
    /// All, or of many 16 bytes of f32: they are there by one access, and an instruction combines two.
    #[default]
    Wide,
    /// Two, of all but a few: the others are combined by other lanes.
    Narrow,
}

/// How lanes get the results of which others have kept the parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Telling {
    /// A shuffle for each step that halves, when all parts are combined.
    #[default]
    ByLanes,
    /// From scratch memory, where each lane has stored what it kept: every thread combines all parts of all results that it wants.
    ByScratch,
    /// From scratch memory, where the threads that have the one position that counts have stored it: nobody combines anything.
    ByOwner,
}

/// A butterfly step within the warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneStep {
    /// The bit in which the numbers of the two lanes differ.
    pub mask: u32,
    /// Of the accumulators, a lane whose bit is 0 keeps the first half and gives the second one to the other lane, which keeps that. Otherwise both
    /// lanes combine all.
    pub halves: bool,
}

/// How to reduce a tensor along one axis. To follow it: combine each of `groups`; follow `lane_steps`, and `exchange`, when there is one; then,
/// if lanes tell each other, from the last step that halves to the first one, get the other half from the other lane. Then result register `r` is
/// accumulator `results[r]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReductionPlan {
    /// Source registers of each accumulator, ordered by position along the axis.
    pub groups: Vec<Vec<u32>>,
    /// Butterfly steps within the warp, those that halve first.
    pub lane_steps: Vec<LaneStep>,
    /// How warps put their parts together, when several hold parts of one result.
    pub exchange: Option<WarpExchange>,
    /// How lanes get what others have kept.
    pub telling: Telling,
    /// Accumulator of each result register.
    pub results: Vec<u32>,
    /// Layout of the result: the slice of the source along the axis.
    pub result: LinearLayout,
}

/// The meeting of warps in scratch memory. Offsets are in elements; each operand of the reduction has its own scratch of `elements`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpExchange {
    /// Elements of scratch memory per operand: parts times results.
    pub elements: u32,
    /// Parts of each result that a thread loads and combines.
    pub parts: u32,
    /// Butterfly steps that combine what lanes have loaded, when they share out the parts.
    pub lane_masks: Vec<u32>,
    /// Lanes with a bit of this mask set do not store.
    pub skip_lanes: u32,
    /// Warps with a bit of this mask set do not store.
    pub skip_warps: u32,
    /// Lanes with a bit of this mask set have other positions along the axis than the first one.
    pub axis_lanes: u32,
    /// Warps with a bit of this mask set do.
    pub axis_warps: u32,
    /// Where a thread stores: exclusive or of the offsets of its set lane bits, its set warp bits, and of `slots[accumulator]`.
    pub store_lanes: Vec<u32>,
    /// See `store_lanes`.
    pub store_warps: Vec<u32>,
    /// Where a thread loads the first part of an accumulator: as for stores, with these offsets of its lane bits.
    pub load_lanes: Vec<u32>,
    /// See `load_lanes`.
    pub load_warps: Vec<u32>,
    /// Offset of each accumulator that is left after the lanes' steps, to be combined by exclusive or.
    pub slots: Vec<u32>,
    /// Offset of each accumulator that a thread loads: the same, or all that there are.
    pub load_slots: Vec<u32>,
    /// Distance from one part to the next. With 1 the parts lie side by side and can be loaded together, aligned to their number.
    pub part_stride: u32,
}

impl WarpExchange {
    /// Byte offset of the scratch of each operand, given the bytes of their elements, and the bytes of all. Offsets are aligned to 16.
    pub fn scratch(&self, element_bytes: &[u32]) -> (Vec<u32>, u32) {
        let mut end = 0;
        let place = |bytes: &u32| {
            let start = end;
            end += (self.elements * bytes).next_multiple_of(16);
            start
        };
        (element_bytes.iter().map(place).collect(), end)
    }
}

impl ReductionPlan {
    /// Scratch bytes of shared memory for operands of `element_bytes` each.
    pub fn shared_bytes(&self, element_bytes: &[u32]) -> u32 {
        self.exchange.as_ref().map_or(0, |exchange| exchange.scratch(element_bytes).1)
    }
}

/// Plans the reduction of a tensor of layout `src` (register, lane, warp, block → axes) along `axis`. Every basis has to lie along the axis or off it, which
/// holds for all encodings but mixed `#ttg.linear` ones.
///
/// # Errors
/// A layout that cannot be reduced, and more halvings than [`sharing`] could say.
pub fn plan(src: &LinearLayout, axis: usize, sharing: Sharing) -> Result<ReductionPlan, String> {
    let facts = Facts::of(src, axis)?;
    let Sharing { halvings, telling, .. } = sharing;
    if halvings > facts.most_halvings() {
        return Err(format!("the lanes of {src} cannot halve what they reduce {halvings} times"));
    }
    if telling != Telling::ByLanes && facts.warp_bits.is_empty() {
        return Err(format!("the warps of {src} do not meet in shared memory"));
    }
    Ok(facts.plan(sharing))
}

/// How lanes share out the results, so that the reduction costs least ([`Cost`]).
///
/// # Errors
/// A layout that cannot be reduced.
pub fn sharing(src: &LinearLayout, axis: usize, combining: Combining) -> Result<Sharing, String> {
    let facts = Facts::of(src, axis)?;
    let cost = Cost {
        accumulators: facts.groups.len() as u32,
        lane_bits: facts.lane_bits.len() as u32,
        same_bits: src.columns_of(Dim::Lane).iter().filter(|column| **column & !facts.mask == 0).count() as u32,
        warp_bits: facts.warp_bits.len() as u32,
        combining,
    };
    Ok(cost.best_sharing(facts.most_halvings()))
}

/// What a layout says about a reduction.
struct Facts<'a> {
    src: &'a LinearLayout,
    /// The bits of positions along the axis.
    mask: u64,
    /// Source registers of each accumulator.
    groups: Vec<Vec<u32>>,
    /// The position of each accumulator off the axis.
    parts: Vec<u64>,
    /// Bits of lanes that hold parts of one result.
    lane_bits: Vec<u32>,
    /// Bits of warps that do.
    warp_bits: Vec<u32>,
    result: LinearLayout,
}

impl<'a> Facts<'a> {
    fn of(src: &'a LinearLayout, axis: usize) -> Result<Self, String> {
        let along = Dim::Axis(u8::try_from(axis).map_err(|_| "there is no such axis")?);
        if !src.has_out(along) {
            return Err(format!("the layout has no axis {axis}"));
        }
        if src.in_bits(Dim::Block) != 0 {
            return Err("a tensor over several CTAs cannot be reduced".into());
        }
        if src.in_bits(Dim::Register) > crate::linear::MAX_REGISTER_BITS {
            return Err("a tensor with more than 2^20 elements per thread cannot be planned".into());
        }
        let mask = ((1u64 << src.out_bits(along)) - 1) << src.out_shift(along);
        if src.columns().iter().any(|column| column & mask != 0 && column & !mask != 0) {
            return Err(format!(
                "the layout {src} mixes axis {axis} with others; convert it to a blocked layout first"
            ));
        }
        let (groups, parts) = groups(src, mask);
        let bits = |dim: Dim| partial_bits(src, dim, mask);
        let (lane_bits, warp_bits) = (bits(Dim::Lane), bits(Dim::Warp));
        Ok(Self { src, mask, groups, parts, lane_bits, warp_bits, result: slice_layout(src, axis)? })
    }

    /// Halves have to be told apart by one bit of the accumulator's number and one of the lane's.
    fn most_halvings(&self) -> u32 {
        let of_bits = |at: usize| {
            let bits = (0..self.parts.len().ilog2()).filter(|bit| at >> bit & 1 == 1);
            bits.fold(0, |sum, bit| sum ^ self.parts[1 << bit])
        };
        let is_linear =
            self.parts.len().is_power_of_two() && self.parts.iter().enumerate().all(|(at, part)| *part == of_bits(at));
        if is_linear { self.parts.len().ilog2().min(self.lane_bits.len() as u32) } else { 0 }
    }

    fn plan(self, sharing: Sharing) -> ReductionPlan {
        let halvings = sharing.halvings as usize;
        let number_of = |part: u64| self.parts.iter().position(|other| *other == part).unwrap_or(0) as u32;
        let registers = result_registers(self.src, self.mask);
        let results = (0..1u64 << registers.len())
            .map(|register| number_of(crate::conversion::combine(&registers, register)))
            .collect();
        let step = |(at, bit): (usize, &u32)| LaneStep { mask: 1 << bit, halves: at < halvings };
        let kept = Kept {
            parts: &self.parts,
            lane_bits: &self.lane_bits[..halvings],
            telling: sharing.telling,
            loading: sharing.loading,
        };
        let (lane_steps, exchange) = match sharing.telling {
            Telling::ByLanes | Telling::ByScratch => (
                self.lane_bits.iter().enumerate().map(step).collect(),
                exchange(self.src, self.mask, &self.warp_bits, &kept),
            ),
            Telling::ByOwner => (Vec::new(), Some(handed_on(self.src, self.mask, &self.parts))),
        };
        ReductionPlan {
            lane_steps,
            exchange,
            telling: sharing.telling,
            results,
            groups: self.groups,
            result: self.result,
        }
    }
}

/// Bits of `dim` that hold different positions along the axis.
fn partial_bits(src: &LinearLayout, dim: Dim, mask: u64) -> Vec<u32> {
    let free = src.free_mask(dim);
    let partial = |bit: &u32| free >> bit & 1 == 0 && src.columns_of(dim)[*bit as usize] & mask != 0;
    (0..src.in_bits(dim)).filter(partial).collect()
}

/// A number with these bits set.
fn bits_of(bits: &[u32]) -> u32 {
    bits.iter().fold(0, |all, bit| all | 1 << bit)
}

/// Images of the register bits that number the result's registers (the non-zero ones off the axis).
fn result_registers(src: &LinearLayout, mask: u64) -> Vec<u64> {
    src.columns_of(Dim::Register).iter().copied().filter(|column| column & !mask != 0).collect()
}

/// Registers that hold different elements, grouped by result, and the position of each group off the axis.
fn groups(src: &LinearLayout, mask: u64) -> (Vec<Vec<u32>>, Vec<u64>) {
    let copies = src.free_mask(Dim::Register);
    let mut registers: Vec<(u64, u32)> = (0..src.in_size(Dim::Register))
        .filter(|register| register & copies == 0)
        .map(|register| (src.apply_dim(Dim::Register, register), register))
        .collect();
    // A stable order: groups by their first register, registers by their position along the axis.
    registers.sort_unstable_by_key(|(position, register)| (position & !mask, position & mask, *register));
    let mut groups: Vec<(u32, u64, Vec<u32>)> = registers
        .chunk_by(|(a, _), (b, _)| a & !mask == b & !mask)
        .map(|group| {
            let members: Vec<u32> = group.iter().map(|(_, register)| *register).collect();
            (members.iter().copied().min().unwrap_or(0), group[0].0 & !mask, members)
        })
        .collect();
    groups.sort_unstable_by_key(|(first, ..)| *first);
    groups.into_iter().map(|(_, part, members)| (members, part)).unzip()
}

/// Parts of a result from which on lanes share them out: fewer are loaded by every thread in one or two instructions.
const SHARED_OUT_FROM: u32 = 16;

/// Parts that a lane then loads: 16 bytes of f32.
const PARTS_OF_A_LANE: u32 = 4;

/// The same where it takes long to combine two. On an H200 eight searches for the largest of 1024 numbers and its place, by eight warps, take 53.0 us where
/// every thread combines eight parts, 44.9 with four parts of a lane, 42.6 with two and 42.4 with one.
const NARROW_FROM: u32 = 8;

/// Parts that a lane then loads: with one it waits for a shuffle more.
const NARROW_PARTS: u32 = 2;

/// Instructions of combining two parts from which on that takes long: a comparison of numbers and one of places, and what follows from both. These run at half
/// the rate of sums (CUDA's programming guide, "Arithmetic Instructions").
const LONG_COMBINING: u32 = 7;

/// Words of a part up to which lanes share out for that. Each takes a shuffle in each step, and what has three, as Welford's sums, was not measured.
const NARROW_WORDS: u32 = 2;

/// How often lanes that want the same results halve the parts that each of them loads.
fn shared_out(parts: u32, same_bits: u32, loading: Loading) -> u32 {
    let (from, of_a_lane) = match loading {
        Loading::Wide => (SHARED_OUT_FROM, PARTS_OF_A_LANE),
        Loading::Narrow => (NARROW_FROM, NARROW_PARTS),
    };
    if parts < from {
        return 0;
    }
    same_bits.min((parts / of_a_lane).ilog2())
}

/// Parts of a warp's results up to which they lie side by side: as many as there are banks. More would meet in the same ones.
const PARTS_SIDE_BY_SIDE: u32 = 32;

/// What a plan costs, in instructions of arithmetic that a multiprocessor could issue instead.
struct Cost {
    /// Results of a thread.
    accumulators: u32,
    /// Butterfly steps.
    lane_bits: u32,
    /// Bits of lanes that want the same results.
    same_bits: u32,
    /// Bits of the number of the warp that tell parts of a result apart.
    warp_bits: u32,
    combining: Combining,
}

/// A shuffle, or an access to shared memory: 32 lanes in a cycle, and 128 of arithmetic (CUDA's programming guide, "Arithmetic Instructions").
const EXCHANGE: u32 = 4;
/// To choose by the lane what to keep and what to give.
const CHOICES: u32 = 2;
/// What waiting for one shuffle more costs where other warps have work in the meantime.
const LATENCY: u32 = 12;
/// The same where the next iteration waits: there the steps count that follow each other.
const LATENCY_OF_AWAITED: u32 = 48;

/// Results of a thread from which on it loads all of them. On an H200 products that are inverted row by row (16 results, 63 steps) and recurrences are 1.07 to
/// 1.45 times as fast; of 22 launches with two to eight results four gained 2 to 4 %, and six lost 3 to 23 %.
const TOLD_FROM: u32 = 16;

impl Cost {
    fn of(&self, Sharing { halvings, telling, loading }: Sharing) -> u32 {
        let Combining { words, instructions, is_awaited } = self.combining;
        let mut accumulators = self.accumulators;
        let mut sum = 0u32;
        let mut add = |times: u32, each: u32| sum = sum.saturating_add(times.saturating_mul(each));
        for step in 0..self.lane_bits {
            if step < halvings {
                accumulators /= 2;
                add(accumulators, words * (EXCHANGE + CHOICES) + instructions);
            } else {
                add(accumulators, words * EXCHANGE + instructions);
            }
        }
        let loaded = match telling {
            Telling::ByLanes => accumulators,
            Telling::ByScratch | Telling::ByOwner => self.accumulators,
        };
        if self.warp_bits > 0 {
            let steps = match telling {
                Telling::ByLanes => shared_out(1 << self.warp_bits, self.same_bits - halvings, loading),
                Telling::ByScratch | Telling::ByOwner => 0,
            };
            let parts = 1u32 << (self.warp_bits - steps);
            add(accumulators, words * EXCHANGE);
            add(loaded, words * EXCHANGE * parts.div_ceil(PARTS_OF_A_LANE) + (parts - 1) * instructions);
            add(loaded * steps, words * EXCHANGE + instructions);
        }
        if telling == Telling::ByScratch {
            return sum;
        }
        for _ in 0..halvings {
            add(accumulators, words * (EXCHANGE + CHOICES));
            accumulators *= 2;
        }
        sum.saturating_add(halvings * if is_awaited { LATENCY_OF_AWAITED } else { LATENCY })
    }

    /// What costs least, if that is a quarter less than without any halves.
    fn best_sharing(&self, most: u32) -> Sharing {
        let none = Sharing { loading: self.loading(), ..Sharing::default() };
        let by_lanes = (0..=most).map(|halvings| Sharing { halvings, ..none });
        let meets = self.warp_bits > 0 && 1 << self.warp_bits <= PARTS_OF_A_LANE && self.accumulators >= TOLD_FROM;
        let of_scratch = (1..=most).filter(|_| meets);
        let by_scratch = of_scratch.map(|halvings| Sharing { halvings, telling: Telling::ByScratch, ..none });
        let best = by_lanes.chain(by_scratch).min_by_key(|sharing| self.of(*sharing)).unwrap_or(none);
        if self.of(best) <= self.of(none) / 4 * 3 { best } else { none }
    }

    /// Where the next iteration waits for the result, a shuffle more is longer than the instructions that it saves.
    fn loading(&self) -> Loading {
        let Combining { words, instructions, is_awaited } = self.combining;
        let may_share = self.same_bits > 0 && self.warp_bits >= NARROW_FROM.ilog2() && words <= NARROW_WORDS;
        if may_share && instructions >= LONG_COMBINING && !is_awaited { Loading::Narrow } else { Loading::Wide }
    }
}

/// What is left of the accumulators after the steps that halve.
struct Kept<'a> {
    /// Positions of all accumulators.
    parts: &'a [u64],
    /// The bits of lanes of which each stands for a half.
    lane_bits: &'a [u32],
    telling: Telling,
    loading: Loading,
}

impl Kept<'_> {
    /// Those of a lane whose bits are 0.
    fn accumulators(&self) -> &[u64] {
        &self.parts[..self.parts.len() >> self.lane_bits.len()]
    }

    /// Those that a thread loads.
    fn loaded(&self) -> &[u64] {
        match self.telling {
            Telling::ByLanes => self.accumulators(),
            Telling::ByScratch | Telling::ByOwner => self.parts,
        }
    }

    /// The position that each bit of a lane stands for now: of its first bit, that of the second half of all.
    fn place(&self, lanes: &mut [u64]) {
        for (step, bit) in self.lane_bits.iter().enumerate() {
            lanes[*bit as usize] = self.parts[self.parts.len() >> (step + 1)];
        }
    }
}

/// How warps meet, unless no warp bit lies along the axis.
fn exchange(src: &LinearLayout, mask: u64, partial_warps: &[u32], kept: &Kept<'_>) -> Option<WarpExchange> {
    if partial_warps.is_empty() {
        return None;
    }
    let off_axis = |dim: Dim| src.columns_of(dim).iter().map(|column| column & !mask).collect::<Vec<_>>();
    let (mut lanes, warps, registers) = (off_axis(Dim::Lane), off_axis(Dim::Warp), off_axis(Dim::Register));
    kept.place(&mut lanes);
    // Results are numbered along lanes first, so that the lanes of a warp meet different banks; where a thread loads all of its results, behind as many
    // of these as one load brings.
    let images: Vec<u64> = match kept.telling {
        Telling::ByLanes => lanes.iter().chain(&warps).chain(&registers).copied().collect(),
        Telling::ByScratch | Telling::ByOwner => {
            let own = kept.parts.len().ilog2().min(PARTS_OF_A_LANE.ilog2());
            let first = (0..own).map(|bit| kept.parts[1 << bit]);
            first.chain(lanes.iter().chain(&registers).chain(&warps).copied()).collect()
        }
    };
    let mut span = Span::default();
    let numbering: Vec<u64> = images.into_iter().filter(|image| span.insert(*image)).collect();
    let span = Span::of(numbering.iter().copied());
    let number = |image: u64| span.solve(image).unwrap_or(0) as u32;
    // Parts lie side by side for wide loads, unless the lanes of a warp want many results: then each part is an array of results.
    let (all_parts, results) = (1u32 << partial_warps.len(), 1u32 << numbering.len());
    let of_warp = 1u32 << Span::of(lanes.iter().copied()).rank();
    let is_few = of_warp == 1 || of_warp * all_parts <= PARTS_SIDE_BY_SIDE;
    let is_side_by_side = is_few && kept.telling == Telling::ByLanes;
    let (part_stride, result_stride) = if is_side_by_side { (1, all_parts) } else { (results, 1) };
    let offsets = |images: &[u64]| images.iter().map(|&image| number(image) * result_stride).collect::<Vec<_>>();
    let store_lanes = offsets(&lanes);
    let load_warps = offsets(&warps);
    let mut load_lanes = store_lanes.clone();
    let mut lane_masks = Vec::new();
    let mut parts = all_parts;
    let same: Vec<usize> = (0..lanes.len()).filter(|bit| lanes[*bit] == 0).collect();
    let steps = match kept.telling {
        Telling::ByLanes => shared_out(all_parts, same.len() as u32, kept.loading) as usize,
        Telling::ByScratch | Telling::ByOwner => 0,
    };
    if kept.telling == Telling::ByScratch {
        kept.lane_bits.iter().for_each(|bit| load_lanes[*bit as usize] = 0);
    }
    for bit in same.iter().take(steps) {
        parts /= 2;
        load_lanes[*bit] = parts * part_stride;
        lane_masks.push(1 << bit);
    }
    let mut store_warps = load_warps.clone();
    for (part, bit) in partial_warps.iter().enumerate() {
        store_warps[*bit as usize] = part_stride << part;
    }
    // A thread stores when no lower thread has the same result: redundant inputs of the layout without the axis.
    let mut seen = Span::of(kept.accumulators().iter().copied());
    let mut redundant = |images: &[u64]| {
        images
            .iter()
            .enumerate()
            .filter(|(_, image)| !seen.insert(**image))
            .fold(0u32, |skip, (bit, _)| skip | 1 << bit)
    };
    let skip_lanes = redundant(&lanes);
    let skip_warps = redundant(&warps) & !partial_warps.iter().fold(0, |bits, bit| bits | 1 << bit);
    Some(WarpExchange {
        elements: all_parts * results,
        parts,
        lane_masks,
        skip_lanes,
        skip_warps,
        axis_lanes: bits_of(&partial_bits(src, Dim::Lane, mask)),
        axis_warps: bits_of(partial_warps),
        store_lanes,
        store_warps,
        load_lanes,
        load_warps,
        slots: offsets(kept.accumulators()),
        load_slots: offsets(kept.loaded()),
        part_stride,
    })
}

/// The meeting at which the threads that have the one position that counts hand it on: an array of results, of which each thread stores and loads its own.
fn handed_on(src: &LinearLayout, mask: u64, parts: &[u64]) -> WarpExchange {
    let off_axis = |dim: Dim| src.columns_of(dim).iter().map(|column| column & !mask).collect::<Vec<_>>();
    let (lanes, warps, registers) = (off_axis(Dim::Lane), off_axis(Dim::Warp), off_axis(Dim::Register));
    // As many results of a thread as one access moves lie side by side, and then those of the lanes of a warp.
    let own = (0..parts.len().ilog2().min(PARTS_OF_A_LANE.ilog2())).map(|bit| parts[1 << bit]);
    let images: Vec<u64> = own.chain(lanes.iter().chain(&warps).chain(&registers).copied()).collect();
    let mut span = Span::default();
    let numbering: Vec<u64> = images.into_iter().filter(|image| span.insert(*image)).collect();
    let span = Span::of(numbering.iter().copied());
    let offsets =
        |images: &[u64]| images.iter().map(|&image| span.solve(image).unwrap_or(0) as u32).collect::<Vec<_>>();
    let copies = |dim: Dim| src.free_mask(dim);
    let (elements, slots) = (1u32 << numbering.len(), offsets(parts));
    WarpExchange {
        elements,
        parts: 1,
        lane_masks: Vec::new(),
        skip_lanes: copies(Dim::Lane),
        skip_warps: copies(Dim::Warp),
        axis_lanes: bits_of(&partial_bits(src, Dim::Lane, mask)),
        axis_warps: bits_of(&partial_bits(src, Dim::Warp, mask)),
        store_lanes: offsets(&lanes),
        store_warps: offsets(&warps),
        load_lanes: offsets(&lanes),
        load_warps: offsets(&warps),
        load_slots: slots.clone(),
        slots,
        part_stride: elements,
    }
}
