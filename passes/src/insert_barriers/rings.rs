//! Rings whose buffers are told apart.
//!
//! Elsewhere in this pass a buffer is an interval of bytes, and a ring is one interval. A copy into a ring would wait for all who read any of its buffers:
//!
//! ```text
//! loop: wait for copies  barrier  product  barrier  copies     the ring is one interval of bytes
//! loop: wait for copies  barrier  product  copies              buffers are told apart
//! ```
//!
//! [`RingUses`] says which buffers iterations read and fill: for some iterations no copy fills what an iteration has read. So bytes get **stand-ins**,
//! intervals of their own that no buffer has, one for each of these iterations. What an iteration reads of its ring is a read of the first
//! stand-in. At the end of the iteration it becomes one of the second stand-in, and so on, and behind the last one a read of the bytes
//! ([`Rings::end_iteration`]). A copy whose place is known waits for who accesses the bytes, and not for who reads a stand-in. What it writes, and
//! everything else, are the bytes and all stand-ins. So a read waits for copies as before.
//!
//! A barrier ends reads of stand-ins as it ends all others, and products that are under way go from one stand-in to the next, too. Behind the loop all
//! are reads of the bytes ([`Rings::leave`]).

use super::pending::{MAPS, Pending};
use crate::analysis::ring_places::{RingUses, ring_uses};
use crate::control_flow::loops_of;
use rustc_hash::FxHashMap;
use std::ops::Range;
use tk_ir::{Op, Value};

/// Rings whose buffers are told apart.
#[derive(Default)]
pub(super) struct Rings {
    rings: Vec<Ring>,
    /// For views that an iteration reads, and for copies, the number of the ring.
    apart: FxHashMap<usize, usize>,
}

/// A ring that a loop reads and fills.
struct Ring {
    /// The loop.
    around: usize,
    bytes: Range<u32>,
    /// A stand-in of one byte for each iteration in which no copy fills what was read.
    stand_ins: Range<u32>,
}

impl Ring {
    fn overlaps(&self, bytes: &[Range<u32>]) -> bool {
        bytes.iter().any(|own| own.start < self.bytes.end && self.bytes.start < own.end)
    }
}

impl Rings {
    /// The rings of a function; `bytes_of` says where an allocation lies.
    pub(super) fn of<'c>(function: Op<'c>, bytes_of: impl Fn(Op<'c>) -> Option<Range<u32>>) -> Self {
        let mut found = Self::default();
        for view in loops_of(function) {
            for uses in ring_uses(view) {
                if let Some(bytes) = bytes_of(uses.alloc) {
                    found.add(view.op.id(), &uses, bytes);
                }
            }
        }
        found
    }

    fn add(&mut self, around: usize, uses: &RingUses<'_>, bytes: Range<u32>) {
        let end = self.rings.last().map_or(MAPS.start, |ring| ring.stand_ins.start);
        let start = u32::try_from(uses.iterations).ok().and_then(|iterations| end.checked_sub(iterations));
        // Below are the bytes of shared memory.
        let Some(start) = start.filter(|start| *start > MAPS.start / 2) else { return };
        let number = self.rings.len();
        self.rings.push(Ring { around, bytes, stand_ins: start..end });
        self.apart.extend(uses.copies.iter().map(|copy| (copy.id(), number)));
        self.apart.extend(uses.reads.iter().map(|view| (view.id(), number)));
    }

    /// What a read of `memory` reads, if that is a known buffer of the iteration.
    pub(super) fn read(&self, memory: Value<'_>) -> Option<Range<u32>> {
        let start = self.rings.get(*self.apart.get(&memory.id())?)?.stand_ins.start;
        Some(start..start + 1)
    }

    /// What nobody may need any more when a copy into a known buffer starts: the bytes, and what other loops read of them.
    pub(super) fn needed_by(&self, copy: Op<'_>) -> Option<Vec<Range<u32>>> {
        let own = *self.apart.get(&copy.id())?;
        let bytes = vec![self.rings.get(own)?.bytes.clone()];
        let others = self.rings.iter().enumerate().filter(|(number, ring)| *number != own && ring.overlaps(&bytes));
        let stand_ins: Vec<Range<u32>> = others.map(|(_, ring)| ring.stand_ins.clone()).collect();
        Some([bytes, stand_ins].concat())
    }

    /// The bytes with the stand-ins of all rings that they are of.
    pub(super) fn with_stand_ins(&self, bytes: Vec<Range<u32>>) -> Vec<Range<u32>> {
        let rings = self.rings.iter().filter(|ring| ring.overlaps(&bytes));
        let stand_ins: Vec<Range<u32>> = rings.map(|ring| ring.stand_ins.clone()).collect();
        [bytes, stand_ins].concat()
    }

    /// An iteration of the loop `around` is over: what it has read is filled an iteration sooner.
    pub(super) fn end_iteration(&self, around: Op<'_>, pending: &mut Pending) {
        for ring in self.rings_of(around) {
            pending.change_reads(|read| {
                let next = read.start + 1;
                let is_stand_in = ring.stand_ins.contains(&read.start);
                is_stand_in.then(|| if next < ring.stand_ins.end { next..next + 1 } else { ring.bytes.clone() })
            });
        }
    }

    /// The loop `around` is over: it may begin again, and fill any buffer.
    pub(super) fn leave(&self, around: Op<'_>, pending: &mut Pending) {
        for ring in self.rings_of(around) {
            pending.change_reads(|read| ring.stand_ins.contains(&read.start).then(|| ring.bytes.clone()));
        }
    }

    fn rings_of(&self, around: Op<'_>) -> impl Iterator<Item = &Ring> {
        let id = around.id();
        self.rings.iter().filter(move |ring| ring.around == id)
    }
}
