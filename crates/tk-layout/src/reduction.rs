//! The plan of `tt.reduce`: what each thread combines, which lanes exchange, and how warps put their parts together.
//!
//! An axis is spread over registers, lanes and warps. A thread first combines its registers of equal result, then lanes combine by butterfly shuffles,
//! then, when several warps hold parts of one result, each part is written to scratch memory once and every thread combines all parts
//! of the results that it wants. Where there are many parts, lanes that want the same results share them out and combine by shuffles
//! again. Copies (redundant registers, lanes and warps) are counted once.

use crate::f2::Span;
use crate::{Dim, LinearLayout, slice_layout};

/// How to reduce a tensor along one axis. To follow it: combine each of `groups`; for each of `lane_masks` combine with the value of
/// lane `lane ^ mask`; then follow `exchange`, when there is one; then result register `r` is accumulator `results[r]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReductionPlan {
    /// Source registers of each accumulator, ordered by position along the axis.
    pub groups: Vec<Vec<u32>>,
    /// Butterfly steps within the warp.
    pub lane_masks: Vec<u32>,
    /// How warps put their parts together, when several hold parts of one result.
    pub exchange: Option<WarpExchange>,
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
    /// Where a thread stores: exclusive or of the offsets of its set lane bits, its set warp bits, and of `slots[accumulator]`.
    pub store_lanes: Vec<u32>,
    /// See `store_lanes`.
    pub store_warps: Vec<u32>,
    /// Where a thread loads the first part of an accumulator: as for stores, with these offsets of its lane bits.
    pub load_lanes: Vec<u32>,
    /// See `load_lanes`.
    pub load_warps: Vec<u32>,
    /// Offset of each accumulator, to be combined by exclusive or.
    pub slots: Vec<u32>,
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
pub fn plan(src: &LinearLayout, axis: usize) -> Result<ReductionPlan, String> {
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
        return Err(format!("the layout {src} mixes axis {axis} with others; convert it to a blocked layout first"));
    }
    let result = slice_layout(src, axis)?;
    let (groups, accumulator_parts) = groups(src, mask);
    let number_of = |part: u64| accumulator_parts.iter().position(|other| *other == part).unwrap_or(0) as u32;
    let registers = result_registers(src, mask);
    let results = (0..1u64 << registers.len())
        .map(|register| number_of(crate::conversion::combine(&registers, register)))
        .collect();
    let parts = |dim: Dim| partial_bits(src, dim, mask);
    Ok(ReductionPlan {
        lane_masks: parts(Dim::Lane).into_iter().map(|bit| 1 << bit).collect(),
        exchange: exchange(src, mask, &parts(Dim::Warp), &accumulator_parts),
        groups,
        results,
        result,
    })
}

/// Bits of `dim` that hold different positions along the axis.
fn partial_bits(src: &LinearLayout, dim: Dim, mask: u64) -> Vec<u32> {
    let free = src.free_mask(dim);
    let partial = |bit: &u32| free >> bit & 1 == 0 && src.columns_of(dim)[*bit as usize] & mask != 0;
    (0..src.in_bits(dim)).filter(partial).collect()
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

/// How warps meet, unless no warp bit lies along the axis.
fn exchange(src: &LinearLayout, mask: u64, partial_warps: &[u32], accumulators: &[u64]) -> Option<WarpExchange> {
    if partial_warps.is_empty() {
        return None;
    }
    let off_axis = |dim: Dim| src.columns_of(dim).iter().map(|column| column & !mask).collect::<Vec<_>>();
    let (lanes, warps, registers) = (off_axis(Dim::Lane), off_axis(Dim::Warp), off_axis(Dim::Register));
    // Results are numbered along lanes first, so that the lanes of a warp meet different banks.
    let mut numbering: Vec<u64> = Vec::new();
    let mut span = Span::default();
    for &image in lanes.iter().chain(&warps).chain(&registers) {
        if span.insert(image) {
            numbering.push(image);
        }
    }
    let span = Span::of(numbering.iter().copied());
    let number = |image: u64| span.solve(image).unwrap_or(0) as u32;
    // When all lanes of a warp want the same results, its parts lie side by side for wide loads; otherwise each part is an array of results.
    let uniform = lanes.iter().all(|image| *image == 0);
    let (all_parts, results) = (1u32 << partial_warps.len(), 1u32 << numbering.len());
    let (part_stride, result_stride) = if uniform { (1, all_parts) } else { (results, 1) };
    let offsets = |images: &[u64]| images.iter().map(|&image| number(image) * result_stride).collect::<Vec<_>>();
    let store_lanes = offsets(&lanes);
    let load_warps = offsets(&warps);
    let mut load_lanes = store_lanes.clone();
    let mut lane_masks = Vec::new();
    let mut parts = all_parts;
    if all_parts >= SHARED_OUT_FROM {
        for (bit, offset) in load_lanes.iter_mut().enumerate().filter(|(bit, _)| lanes[*bit] == 0) {
            if parts > PARTS_OF_A_LANE {
                parts /= 2;
                *offset = parts * part_stride;
                lane_masks.push(1 << bit);
            }
        }
    }
    let mut store_warps = load_warps.clone();
    for (part, bit) in partial_warps.iter().enumerate() {
        store_warps[*bit as usize] = part_stride << part;
    }
    // A thread stores when no lower thread has the same result: redundant inputs of the layout without the axis.
    let mut seen = Span::of(registers);
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
        store_lanes,
        store_warps,
        load_lanes,
        load_warps,
        slots: offsets(accumulators),
        part_stride,
    })
}
