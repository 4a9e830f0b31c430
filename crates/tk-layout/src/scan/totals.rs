//! The step of a scan that crosses lanes and warps.
//!
//! Each thread has scanned its runs, the registers that are neighbours along the axis. The last value of a run is its total. Lanes scan the totals
//! of their warp by shuffles, and the last lane of each warp stores what its warp amounts to. After one barrier every thread combines what
//! comes before its own warp, whatever the number of warps and of runs. At last each run is combined once with all that comes before it.

use super::{BitPattern, Blocks, Scan};
use crate::Dim;
use crate::conversion::combine;

/// Elements that one instruction loads, of four bytes.
const LOADED_TOGETHER: u32 = 4;

/// Combines runs with the totals of all runs before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalsStep {
    /// Rows of registers that are scanned independently.
    pub rows: Vec<ScanRow>,
    /// The lowest of the lane bits along the axis, which are neighbours.
    pub first_lane_bit: u32,
    /// How many lane bits are along the axis.
    pub lane_bits: u32,
    /// Whether lanes with higher numbers come first.
    pub reverse: bool,
    /// How warps tell each other their totals, where several share the axis.
    pub exchange: Option<TotalsExchange>,
}

/// Registers that are scanned together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanRow {
    /// The runs in the order of the scan, each with its registers in that order. Between two of them lie the runs of other threads.
    pub runs: Vec<Vec<u32>>,
    /// The row's part of the number of its first element in scratch memory.
    pub slot: u32,
}

/// Totals of warps in scratch memory. A row has one element for each run and warp, in the order of the scan, the runs of a warp apart from each other.
/// Where lanes have different rows of many elements, neighboring lanes have neighboring elements, so that banks do not conflict; otherwise the
/// elements of a row are neighbors, and loaded together. Offsets are in elements, combined by exclusive or, and then added to `start`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalsExchange {
    /// First element of the step.
    pub start: u32,
    /// Lanes that store: those that come last.
    pub store_lanes: BitPattern,
    /// Warps that store.
    pub store_warps: BitPattern,
    /// Offset of the row of each lane bit.
    pub lane_offsets: Vec<u32>,
    /// Offset of the row of each warp bit.
    pub warp_offsets: Vec<u32>,
    /// Distance between the elements of a row.
    pub stride: u32,
    /// Offset of each warp bit within a row, for stores.
    pub places: Vec<u32>,
    /// What is combined with the offset within a row, for stores.
    pub flip: u32,
    /// The warps that share the axis, in the order of the scan.
    pub warps: Vec<BitPattern>,
}

impl TotalsStep {
    /// Bits of the lane's number that say where it is along the axis.
    pub fn lane_mask(&self) -> u32 {
        ((1 << self.lane_bits) - 1) << self.first_lane_bit
    }

    /// Lanes that have at least `2^bit` lanes before them.
    pub fn lanes_after(&self, bit: u32) -> LaneBound {
        let distance = 1 << (self.first_lane_bit + bit);
        if self.reverse { LaneBound::AtMost(self.lane_mask() - distance) } else { LaneBound::AtLeast(distance) }
    }
}

/// A condition on the bits of [`TotalsStep::lane_mask`] of a lane's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneBound {
    /// They are not below this number.
    AtLeast(u32),
    /// They are not above this number.
    AtMost(u32),
}

/// Distances in scratch memory.
#[derive(Clone, Copy)]
struct Placement {
    /// Between rows.
    row: u32,
    /// Between the elements of a row.
    stride: u32,
}

impl Scan<'_> {
    /// The step behind a walk over `in_registers` position bits, and the number of position bits that are done then. `None` where neither
    /// lanes nor warps hold the next bits in their order.
    pub(super) fn totals(&self, in_registers: u32, start: &mut u32) -> Option<(TotalsStep, u32)> {
        let held_by = |dim: Dim, from: u32| {
            let held = self.holders.iter().skip(from as usize).take_while(|(holder, _)| *holder == dim);
            held.map(|(_, bit)| *bit).collect::<Vec<u32>>()
        };
        let lanes = held_by(Dim::Lane, in_registers);
        if lanes.windows(2).any(|pair| pair[1] != pair[0] + 1) {
            return None;
        }
        let to_warps = in_registers + lanes.len() as u32;
        let warps = held_by(Dim::Warp, to_warps);
        if lanes.is_empty() && warps.is_empty() {
            return None;
        }
        let to_registers = to_warps + warps.len() as u32;
        let repeated = held_by(Dim::Register, to_registers);
        let end = to_registers + repeated.len() as u32;
        let low = held_by(Dim::Register, 0);
        let blocks = self.blocks(end);
        let per_row = 1 << (repeated.len() + warps.len());
        let lanes_have_rows = blocks.lanes.iter().any(|image| blocks.number(*image) != 0);
        let is_spread = lanes_have_rows && per_row > LOADED_TOGETHER;
        let row = if is_spread { 1 } else { per_row };
        let place = Placement { row, stride: if is_spread { blocks.count() } else { 1 } };
        let mut exchange = (!warps.is_empty()).then(|| self.exchange(&lanes, &warps, &blocks, place));
        let rows = self.rows(&low, &repeated, &blocks, place);
        if let Some(exchange) = &mut exchange {
            exchange.start = *start;
            *start += blocks.count() * per_row;
        }
        let first_lane_bit = lanes.first().copied().unwrap_or(0);
        Some((TotalsStep { rows, first_lane_bit, lane_bits: lanes.len() as u32, reverse: self.reverse, exchange }, end))
    }

    fn rows(&self, low: &[u32], repeated: &[u32], blocks: &Blocks, place: Placement) -> Vec<ScanRow> {
        let masks = |bits: &[u32]| bits.iter().map(|bit| 1u64 << bit).collect::<Vec<u64>>();
        let (low, repeated) = (masks(low), masks(repeated));
        let all = combine(&low, u64::MAX) | combine(&repeated, u64::MAX);
        let in_order = |bits: &[u64]| {
            let registers = (0..1u64 << bits.len()).map(|at| combine(bits, if self.reverse { !at } else { at }) as u32);
            registers.collect::<Vec<u32>>()
        };
        let (low, repeated) = (in_order(&low), in_order(&repeated));
        let first = self.registers().filter(|register| u64::from(*register) & all == 0);
        let row = |first: u32| {
            let run = |at: &u32| low.iter().map(|register| first | at | register).collect();
            ScanRow { runs: repeated.iter().map(run).collect(), slot: blocks.slot(first) * place.row }
        };
        first.map(row).collect()
    }

    fn exchange(&self, lanes: &[u32], warps: &[u32], blocks: &Blocks, place: Placement) -> TotalsExchange {
        let row_of =
            |images: &[u64]| images.iter().map(|image| blocks.number(*image) * place.row).collect::<Vec<u32>>();
        let mut places = vec![0; self.src.in_bits(Dim::Warp) as usize];
        for (position, bit) in warps.iter().enumerate() {
            places[*bit as usize] = place.stride << position;
        }
        let mask = warps.iter().map(|bit| 1 << bit).sum();
        let pattern = |at: u32| {
            let at = if self.reverse { !at } else { at };
            let bits = warps.iter().enumerate().filter(|(place, _)| at >> place & 1 == 1);
            BitPattern { mask, value: bits.map(|(_, bit)| 1 << bit).sum() }
        };
        let count = 1 << warps.len();
        let along: u32 = lanes.iter().map(|bit| 1 << bit).sum();
        // Copies of a lane or warp need not store again: their redundant bits are 0 where they do.
        let free = |dim: Dim| self.src.free_mask(dim);
        TotalsExchange {
            start: 0,
            stride: place.stride,
            store_lanes: BitPattern { mask: along | free(Dim::Lane), value: if self.reverse { 0 } else { along } },
            store_warps: BitPattern { mask: free(Dim::Warp), value: 0 },
            lane_offsets: row_of(&blocks.lanes),
            warp_offsets: row_of(&blocks.warps),
            places,
            flip: if self.reverse { (count - 1) * place.stride } else { 0 },
            warps: (0..count).map(pattern).collect(),
        }
    }
}
