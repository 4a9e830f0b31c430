//! The plan of `tt.scan`: inclusive scans along one axis with an associative, not necessarily commutative, operation.
//!
//! Positions along the axis are numbered by bits, each held by a register, lane or warp bit. Low bits held by registers make one first step
//! that walks the registers in order. Where lanes, warps and again registers follow, as in every blocked layout, the totals of the runs are
//! scanned in one step ([`TotalsStep`]). For bits that are left, blocks are doubled: when blocks of `2^b` neighbours are scanned, elements
//! with position bit `b` set combine the last element of the block before with themselves, so there is one step per bit.

mod totals;

pub use totals::{LaneBound, ScanRow, TotalsExchange, TotalsStep};

use crate::conversion::combine;
use crate::conversion::{RegisterCopy, expand_copies, register_copies};
use crate::f2::Span;
use crate::{Dim, LinearLayout};

/// A register that is combined with one that comes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanUpdate {
    /// The register that is changed.
    pub to: u32,
    /// The register, of this or another thread, with the value before it.
    pub from: u32,
}

/// Where the value of a register lies in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanSlot {
    /// The register.
    pub register: u32,
    /// Its part of the number of the element.
    pub slot: u32,
}

/// How to scan a tensor along one axis: the steps in order, then the copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanPlan {
    /// The steps.
    pub steps: Vec<ScanStep>,
    /// Registers that repeat another one: `(register, register it equals)`.
    pub copies: Vec<RegisterCopy>,
    /// Elements of scratch memory per operand.
    pub scratch_elements: u32,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanStep {
    /// Registers are combined with others.
    Update(UpdateStep),
    /// Registers are combined with the totals of what comes before them in other threads.
    Totals(TotalsStep),
}

/// In threads that are active, for each update in order, `value[to] = combine(value[from] of the source thread, value[to])`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateStep {
    /// What each register is combined with. Within one thread later updates see earlier ones; values of other threads are those before the step.
    pub updates: Vec<ScanUpdate>,
    /// Lanes that update.
    pub active_lanes: BitPattern,
    /// Warps that update.
    pub active_warps: BitPattern,
    /// Where the values come from.
    pub source: ScanSource,
}

/// Numbers `n` with `n & mask == value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct BitPattern {
    /// The bits that are looked at.
    pub mask: u32,
    /// What they are.
    pub value: u32,
}

/// Where the values of a step come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanSource {
    /// The own registers.
    OwnThread,
    /// Lane `lane & !pattern.mask | pattern.value` of the own warp.
    Lane(BitPattern),
    /// Another warp, through scratch memory.
    Scratch(ScratchStep),
}

/// A step through scratch memory: some threads store, the CTA waits, all active threads load. Each step has its own part of the scratch, so no other
/// waiting is needed. Offsets are in elements, combined by exclusive or, and then added to `start`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScratchStep {
    /// First element of the step's part.
    pub start: u32,
    /// Lanes that store.
    pub store_lanes: BitPattern,
    /// Warps that store.
    pub store_warps: BitPattern,
    /// Registers to store and their offsets; an update loads from the offset of its `from` register.
    pub slots: Vec<ScanSlot>,
    /// Offset of each lane bit, for stores and loads.
    pub lane_offsets: Vec<u32>,
    /// Offset of each warp bit.
    pub warp_offsets: Vec<u32>,
}

impl ScanPlan {
    /// Byte offset of the scratch of each operand, given the bytes of their elements, and the bytes of all. Offsets are aligned to 16.
    pub fn scratch(&self, element_bytes: &[u32]) -> (Vec<u32>, u32) {
        let mut end = 0;
        let place = |bytes: &u32| {
            let start = end;
            end += (self.scratch_elements * bytes).next_multiple_of(16);
            start
        };
        (element_bytes.iter().map(place).collect(), end)
    }

    /// Scratch bytes of shared memory for operands of `element_bytes` each.
    pub fn shared_bytes(&self, element_bytes: &[u32]) -> u32 {
        self.scratch(element_bytes).1
    }
}

/// Plans the scan of a tensor of layout `src` along `axis`, from the last element to the first when `reverse`. Every position bit of the axis
/// has to be held by one input bit, which is so for all encodings but mixed `#ttg.linear` ones.
pub fn plan(src: &LinearLayout, axis: usize, reverse: bool) -> Result<ScanPlan, String> {
    let axis = Dim::Axis(u8::try_from(axis).map_err(|_| "there is no such axis")?);
    if !src.has_out(axis) {
        return Err(format!("the layout has no {axis}"));
    }
    crate::conversion::check_layout(src)?;
    let scan = Scan::of(src, axis, reverse)?;
    let mut steps = Vec::new();
    let in_registers = scan.holders.iter().take_while(|(dim, _)| *dim == Dim::Register).count() as u32;
    if in_registers > 0 {
        steps.push(ScanStep::Update(scan.walk(in_registers)));
    }
    let (mut start, mut done) = (0, in_registers);
    if let Some((step, end)) = scan.totals(in_registers, &mut start) {
        steps.push(ScanStep::Totals(step));
        done = end;
    }
    for bit in done..scan.holders.len() as u32 {
        steps.push(ScanStep::Update(scan.step(bit, &mut start)));
    }
    let copies = register_copies(src);
    let copies = expand_copies(src.in_bits(Dim::Register) as usize, &copies);
    Ok(ScanPlan { steps, copies, scratch_elements: start })
}

struct Scan<'a> {
    src: &'a LinearLayout,
    axis: Dim,
    reverse: bool,
    /// Input bit that holds each position bit.
    holders: Vec<(Dim, u32)>,
    /// Redundant registers, which take no part.
    copies: u32,
}

impl<'a> Scan<'a> {
    fn of(src: &'a LinearLayout, axis: Dim, reverse: bool) -> Result<Self, String> {
        let mixed = || format!("the layout {src} mixes {axis} with others; convert it to a blocked layout first");
        let mut holders = vec![None; src.out_bits(axis) as usize];
        let shift = src.out_shift(axis);
        for dim in [Dim::Register, Dim::Lane, Dim::Warp] {
            let free = src.free_mask(dim);
            for (bit, &column) in src.columns_of(dim).iter().enumerate() {
                let (along, redundant) = (src.unpack_dim(column, axis), free >> bit & 1 == 1);
                if redundant && column != 0 && dim != Dim::Register {
                    return Err(mixed());
                }
                if redundant || along == 0 {
                    continue;
                }
                if column != 1 << (shift + along.trailing_zeros()) {
                    return Err(mixed());
                }
                holders[along.trailing_zeros() as usize] = Some((dim, bit as u32));
            }
        }
        let holders = holders.into_iter().collect::<Option<Vec<_>>>().ok_or_else(mixed)?;
        Ok(Self { src, axis, reverse, holders, copies: src.free_mask(Dim::Register) })
    }

    /// Position bits below `end` that inputs `dim` hold: the pattern that those of the source have. The source is the last of its block:
    /// bit `end - 1` is that of the first half, all lower ones are set (or the other way round in reverse).
    fn source_pattern(&self, dim: Dim, end: u32) -> BitPattern {
        let mut pattern = BitPattern::default();
        for (position, (holder, bit)) in self.holders.iter().enumerate().take(end as usize) {
            if *holder == dim {
                pattern.mask |= 1 << bit;
                if (position as u32 == end - 1) == self.reverse {
                    pattern.value |= 1 << bit;
                }
            }
        }
        pattern
    }

    /// Inputs `dim` that are in the second half of their block of `2^(bit + 1)`.
    fn active(&self, dim: Dim, bit: u32) -> BitPattern {
        let (holder, input) = self.holders[bit as usize];
        if holder != dim {
            return BitPattern::default();
        }
        BitPattern { mask: 1 << input, value: if self.reverse { 0 } else { 1 << input } }
    }

    fn registers(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.src.in_size(Dim::Register)).filter(|register| register & self.copies == 0)
    }

    /// The scan of each run of `2^bits` neighbours in the registers of one thread.
    fn walk(&self, bits: u32) -> UpdateStep {
        let held: Vec<u64> = self.holders[..bits as usize].iter().map(|(_, bit)| 1 << bit).collect();
        let all = combine(&held, u64::MAX);
        let register = |position: u32| {
            let position = if self.reverse { !position } else { position };
            combine(&held, u64::from(position)) as u32
        };
        let first = self.registers().filter(|at| u64::from(*at) & all == 0);
        let run = |start: u32| {
            (1..1u32 << bits).map(move |at| ScanUpdate { to: start | register(at), from: start | register(at - 1) })
        };
        let updates = first.flat_map(run).collect();
        let anyone = BitPattern::default();
        UpdateStep { updates, active_lanes: anyone, active_warps: anyone, source: ScanSource::OwnThread }
    }

    /// The step that doubles blocks of `2^bit`.
    fn step(&self, bit: u32, start: &mut u32) -> UpdateStep {
        let source = self.source_pattern(Dim::Register, bit + 1);
        let active = self.active(Dim::Register, bit);
        let to = self.registers().filter(|register| register & active.mask == active.value);
        let update = |to: u32| ScanUpdate { to, from: to & !source.mask | source.value };
        let updates: Vec<ScanUpdate> = to.map(update).collect();
        let lanes = self.source_pattern(Dim::Lane, bit + 1);
        let warps = self.source_pattern(Dim::Warp, bit + 1);
        let source = if warps.mask != 0 {
            ScanSource::Scratch(self.scratch(bit, &updates, start))
        } else if lanes.mask != 0 {
            ScanSource::Lane(lanes)
        } else {
            ScanSource::OwnThread
        };
        UpdateStep {
            updates,
            active_lanes: self.active(Dim::Lane, bit),
            active_warps: self.active(Dim::Warp, bit),
            source,
        }
    }

    fn scratch(&self, bit: u32, updates: &[ScanUpdate], start: &mut u32) -> ScratchStep {
        let numbering = self.blocks(bit + 1);
        // Copies of a lane or warp need not store again: their redundant bits are 0 where they do.
        let storing = |dim: Dim| {
            let pattern = self.source_pattern(dim, bit + 1);
            BitPattern { mask: pattern.mask | self.src.free_mask(dim), value: pattern.value }
        };
        let mut from: Vec<u32> = updates.iter().map(|update| update.from).collect();
        from.sort_unstable();
        from.dedup();
        let step = ScratchStep {
            start: *start,
            store_lanes: storing(Dim::Lane),
            store_warps: storing(Dim::Warp),
            slots: from.into_iter().map(|register| ScanSlot { register, slot: numbering.slot(register) }).collect(),
            lane_offsets: numbering.lanes.iter().map(|image| numbering.number(*image)).collect(),
            warp_offsets: numbering.warps.iter().map(|image| numbering.number(*image)).collect(),
        };
        *start += numbering.count();
        step
    }

    /// Numbers the blocks of `2^bits` neighbours.
    fn blocks(&self, bits: u32) -> Blocks {
        // Elements of one block share a number, so the lowest position bits do not count.
        let within = ((1u64 << bits) - 1) << self.src.out_shift(self.axis);
        let images = |dim: Dim| self.src.columns_of(dim).iter().map(|column| column & !within).collect::<Vec<_>>();
        let [registers, lanes, warps] = [Dim::Register, Dim::Lane, Dim::Warp].map(images);
        let mut numbering = Span::default();
        let independent =
            lanes.iter().chain(&warps).chain(&registers).copied().filter(|image| numbering.insert(*image));
        let span = Span::of(independent.collect::<Vec<_>>());
        Blocks { registers, lanes, warps, span }
    }
}

/// Numbers of blocks, which are linear in registers, lanes and warps.
struct Blocks {
    /// What each register bit changes of a block's place.
    registers: Vec<u64>,
    lanes: Vec<u64>,
    warps: Vec<u64>,
    span: Span,
}

impl Blocks {
    fn number(&self, image: u64) -> u32 {
        self.span.solve(image).unwrap_or(0) as u32
    }

    fn slot(&self, register: u32) -> u32 {
        self.number(combine(&self.registers, u64::from(register)))
    }

    fn count(&self) -> u32 {
        1 << self.span.rank()
    }
}
