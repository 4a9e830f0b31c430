//! What registers and memory hold that nothing wrote, and where it comes from.
//!
//! Such values may be loaded, copied and computed with, as masked-off lanes are: only what depends on them and matters is wrong. So each
//! byte of a register has a bit that says whether it is undefined; [`crate::exec`] finds out which bytes of a result are.

use rustc_hash::FxHashMap;

/// The number of a register.
type Slot = u32;
/// The number of a predicate.
type PredSlot = u32;

/// Memory, or a register, that nothing wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Such a register, or one that a masked-off load left as it was.
    Register { slot: Slot },
    /// Such a predicate.
    Predicate,
    /// Global memory, read by the operation at `pc`.
    Global { address: u64, pc: u32 },
    /// Local memory, read by the operation at `pc`.
    Local { pc: u32 },
}

/// The undefined bytes of a register, one bit each, by lane.
#[derive(Clone)]
struct Bytes {
    bytes: [u8; 32],
    sources: [Source; 32],
}

/// What is undefined of the registers of a warp.
pub(crate) struct Undefined {
    /// Lanes of each register with an undefined byte.
    masks: Vec<u32>,
    /// Of registers that were written; the others are undefined altogether.
    known: FxHashMap<Slot, Box<Bytes>>,
    /// Lanes in which each predicate is undefined.
    preds: Vec<u32>,
    pred_sources: FxHashMap<PredSlot, Source>,
}

impl Undefined {
    /// Registers and predicates that nothing has written.
    pub(crate) fn new(slots: u32, preds: u32) -> Self {
        let (masks, mut preds) = (vec![u32::MAX; slots as usize], vec![u32::MAX; preds as usize]);
        // Always true; and the carry flag, which is clear.
        preds.iter_mut().take(2).for_each(|mask| *mask = 0);
        Self { masks, known: FxHashMap::default(), preds, pred_sources: FxHashMap::default() }
    }

    /// Lanes of a register with an undefined byte.
    #[inline(always)]
    pub(crate) fn lanes(&self, slot: Slot) -> u32 {
        self.masks[slot as usize]
    }

    /// Lanes in which a predicate is undefined.
    #[inline(always)]
    pub(crate) fn pred(&self, slot: PredSlot) -> u32 {
        self.preds[slot as usize]
    }

    /// These lanes of a register were written.
    #[inline(always)]
    pub(crate) fn define(&mut self, slot: Slot, lanes: u32) {
        self.masks[slot as usize] &= !lanes;
    }

    /// These lanes of a predicate were written.
    #[inline(always)]
    pub(crate) fn define_pred(&mut self, slot: PredSlot, lanes: u32) {
        self.preds[slot as usize] &= !lanes;
    }

    /// The undefined bytes of one lane of a register, one bit each.
    pub(crate) fn bytes(&self, slot: Slot, lane: usize) -> u8 {
        match self.masks[slot as usize] >> lane & 1 {
            0 => 0,
            _ => self.known.get(&slot).map_or(0xFF, |known| known.bytes[lane]),
        }
    }

    /// The undefined bits of all lanes of a register.
    pub(crate) fn bits(&self, slot: Slot) -> [u64; 32] {
        std::array::from_fn(|lane| spread(self.bytes(slot, lane)))
    }

    /// Where what is undefined in a lane of a register comes from.
    pub(crate) fn source(&self, slot: Slot, lane: usize) -> Source {
        self.known.get(&slot).map_or(Source::Register { slot }, |known| known.sources[lane])
    }

    /// Where what is undefined in a predicate comes from.
    pub(crate) fn pred_source(&self, slot: PredSlot) -> Source {
        self.pred_sources.get(&slot).copied().unwrap_or(Source::Predicate)
    }

    /// Says which bytes of a lane of a register are undefined.
    pub(crate) fn set(&mut self, slot: Slot, lane: usize, bytes: u8, source: Source) {
        if bytes == 0 {
            return self.define(slot, 1 << lane);
        }
        let unknown = || Box::new(Bytes { bytes: [0xFF; 32], sources: [Source::Register { slot }; 32] });
        let known = self.known.entry(slot).or_insert_with(unknown);
        (known.bytes[lane], known.sources[lane]) = (bytes, source);
        self.masks[slot as usize] |= 1 << lane;
    }

    /// Says that these lanes of a predicate are undefined.
    pub(crate) fn set_pred(&mut self, slot: PredSlot, lanes: u32, source: Source) {
        // Predicates that take results nobody wants are the one that is always true.
        if lanes != 0 && slot > 1 {
            self.preds[slot as usize] |= lanes;
            self.pred_sources.insert(slot, source);
        }
    }
}

/// The bits of bytes that have one bit each.
pub(crate) fn spread(bytes: u8) -> u64 {
    (0..8).filter(|byte| bytes >> byte & 1 == 1).fold(0, |bits, byte| bits | 0xFF << (8 * byte))
}

/// The bytes that have a bit set, one bit each.
pub(crate) fn gather(bits: u64) -> u8 {
    (0..8).filter(|byte| bits >> (8 * byte) & 0xFF != 0).fold(0, |bytes, byte| bytes | 1 << byte)
}

/// The same for an element of so many bytes that a load extends: what lies above its last byte is as that byte when `signed`.
pub(crate) fn extended(bytes: u8, size: u32, signed: bool) -> u8 {
    let top = bytes >> (size - 1) & 1 == 1;
    if signed && top && size < 8 { bytes | 0xFF << size } else { bytes }
}

/// The undefined bytes of the local memory of a warp.
pub(crate) struct LocalUndefined {
    bytes: Vec<bool>,
    /// Where they come from, unless nothing was ever stored there.
    sources: FxHashMap<usize, Source>,
}

impl LocalUndefined {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { bytes: vec![true; bytes], sources: FxHashMap::default() }
    }

    /// Says which of `size` bytes from `start` on are undefined.
    pub(crate) fn set(&mut self, start: usize, size: usize, undefined: u8, source: Source) {
        for (i, byte) in self.bytes[start..start + size].iter_mut().enumerate() {
            *byte = undefined >> i & 1 == 1;
            if *byte {
                self.sources.insert(start + i, source);
            }
        }
    }

    /// Which of `size` bytes from `start` on are undefined, one bit each, and where the first comes from.
    pub(crate) fn get(&self, start: usize, size: usize, pc: u32) -> (u8, Source) {
        let own = Source::Local { pc };
        let Some(first) = self.bytes[start..start + size].iter().position(|byte| *byte) else { return (0, own) };
        let bits = self.bytes[start..start + size].iter().rev().fold(0, |bits, byte| bits << 1 | u8::from(*byte));
        (bits, self.sources.get(&(start + first)).copied().unwrap_or(own))
    }
}

/// A unit of what a copy reads, some bytes of which nothing wrote.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hole {
    /// The first byte of what the copy reads.
    pub(crate) at: usize,
    pub(crate) size: u32,
    /// One bit each.
    pub(crate) bytes: u8,
    pub(crate) address: u64,
}

/// Where a part of what a copy reads goes, from byte `first` of all of it on.
pub(crate) struct Part<'a> {
    pub(crate) first: usize,
    pub(crate) out: &'a mut [u8],
    pub(crate) holes: &'a mut Vec<Hole>,
}
