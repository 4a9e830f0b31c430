//! `cp.async`: data is read when the copy is issued and appears in shared memory only when the thread waits for it.
//!
//! Until then the destination counts as unwritten, so a kernel that reads it without waiting stops with a clear message.

use super::memory::misaligned;
use super::{Flow, Machine, Step, space_of};
use crate::fault::Fault;
use crate::lanes::{Lanes, lanes_of};
use crate::program::{MemoryOrder, MemoryScope};
use crate::shared::{Actor, Wrong};
use crate::traffic::{Direction, Request};
use crate::undefined::Source;
use crate::warp::{Pending, Warp};
use tk_diag::OUT_OF_BOUNDS;

/// What a copy reads when it is issued.
struct Fetched {
    data: [u64; 2],
    /// Bytes of it that nothing wrote, one bit each, and where they are from.
    undefined: (u16, Source),
}

/// Whether a copy of the warp that is in flight brings other data to some of these bytes. Copies of one value do no harm.
fn meets_other(warp: &Warp, destination: u64, bytes: u32, data: [u64; 2]) -> bool {
    let end = |start: u64, bytes: u32| start + u64::from(bytes);
    warp.pending.iter().any(|copy| {
        let is_same = (copy.destination, copy.bytes, copy.data) == (destination, bytes, data);
        let overlaps = copy.destination < end(destination, bytes) && destination < end(copy.destination, copy.bytes);
        overlaps && !is_same
    })
}

impl Machine<'_> {
    pub(super) fn copy(&mut self, warp: &mut Warp, index: u32, active: u32) -> Step {
        let copy = &self.env.program.copies[index as usize];
        let (sources, destinations) = (*warp.reg(copy.source), *warp.reg(copy.destination));
        let sources = sources.map(|a| a.wrapping_add(copy.source_offset as u64));
        let sizes = *warp.reg(copy.source_bytes);
        let reading = active & !warp.pred(copy.ignore);
        let reading = lanes_of(reading).filter(|lane| sizes[*lane] as u32 != 0).fold(0, |m, lane| m | 1u32 << lane);
        // Copies of 16 bytes have `.cg`, as compilers write them, and leave L1 out; smaller ones have `.ca`.
        let direction = if copy.bytes == 16 { Direction::ReadPastL1 } else { Direction::Read };
        self.ask_lanes(Request { site: copy.site, direction }, &sources, reading, copy.bytes);
        let landing = destinations.map(|a| space_of(a.wrapping_add(copy.destination_offset as u64)).1 & 0xFFFF_FFFF);
        self.counters.shared_copy(copy.site, (&landing, active), (&sources, reading), copy.bytes);
        for lane in lanes_of(active) {
            let destination = landing[lane];
            if destination % u64::from(copy.bytes) != 0 {
                return Err(misaligned(destination, copy.bytes, "copy to shared memory").lane(lane));
            }
            if !self.block.shared.inside(destination, copy.bytes) {
                return Err(self.shared_fault(Wrong::Outside, destination, copy.bytes, "copy").lane(lane));
            }
            let wanted = if reading >> lane & 1 == 1 { sizes[lane] as u32 } else { 0 };
            if wanted > copy.bytes {
                let message = format!("a copy of {} bytes reads {wanted} bytes", copy.bytes);
                return Err(Fault::new(OUT_OF_BOUNDS, message).lane(lane));
            }
            let Fetched { data, undefined } = self.fetch(sources[lane], copy.bytes, wanted, lane)?;
            if self.block.shared.is_in_flight(destination, copy.bytes)
                && meets_other(warp, destination, copy.bytes, data)
            {
                return Err(self
                    .shared_fault(Wrong::InFlight, destination, copy.bytes, "copy (`cp.async`)")
                    .lane(lane));
            }
            let started = self.block.shared.start_copy(destination, copy.bytes);
            started.map_err(|wrong| self.shared_fault(wrong, destination, copy.bytes, "copy").lane(lane))?;
            let (lane, group) = (lane as u8, warp.groups[lane]);
            warp.pending.push(Pending { lane, group, bytes: copy.bytes, destination, data, undefined });
        }
        let whole =
            lanes_of(reading).filter(|lane| sizes[*lane] as u32 == copy.bytes).fold(0, |m, lane| m | 1u32 << lane);
        self.note_copy(warp, copy.bytes, &sources, whole)?;
        for lane in lanes_of(reading & !whole) {
            self.note_copy(warp, sizes[lane] as u32, &sources, 1 << lane)?;
        }
        Ok(Flow::Next)
    }

    /// Notes that the copies of these lanes read so many bytes, in words.
    fn note_copy(&mut self, warp: &mut Warp, bytes: u32, sources: &Lanes, reading: u32) -> Result<(), Box<Fault>> {
        let Some(numbered) = self.numbered(warp, MemoryOrder::Weak, MemoryScope::Wide) else { return Ok(()) };
        self.reads(warp.number, numbered, (4, bytes / 4, false), sources, reading)
    }

    /// The first `wanted` bytes at an address, then zeros; and which of them nothing wrote.
    fn fetch(&self, address: u64, bytes: u32, wanted: u32, lane: usize) -> Result<Fetched, Box<Fault>> {
        let (mut data, mut undefined) = ([0u64; 2], (0, Source::Global { address, pc: self.block.pc }));
        if wanted == 0 {
            return Ok(Fetched { data, undefined });
        }
        if !address.is_multiple_of(u64::from(bytes)) {
            return Err(misaligned(address, bytes, "copy from global memory").lane(lane));
        }
        let Some(allocation) = self.env.memory.find(address) else {
            return Err(self.outside(address, wanted, "copy").lane(lane));
        };
        let offset = address - allocation.base;
        if offset + u64::from(wanted) > allocation.bytes {
            return Err(self.outside(address, wanted, "copy").lane(lane));
        }
        let check = self.env.config.checks.uninitialised_global;
        let size = if wanted.is_multiple_of(4) { 4 } else { 1 };
        for at in (0..wanted).step_by(size as usize) {
            let place = offset + u64::from(at);
            if check && !allocation.is_written(place, size) {
                if undefined.0 == 0 {
                    undefined.1 = Source::Global { address: allocation.base + place, pc: self.block.pc };
                }
                undefined.0 |= u16::from(allocation.unwritten(place, size)) << at;
            }
            data[(at / 8) as usize] |= allocation.load(place, size) << (8 * (at % 8));
        }
        Ok(Fetched { data, undefined })
    }

    pub(super) fn copy_commit(&mut self, warp: &mut Warp, active: u32) -> Flow {
        for lane in lanes_of(active) {
            warp.groups[lane] += 1;
        }
        Flow::Next
    }

    /// Lands the copies of the active lanes, all but the `left` newest groups.
    pub(super) fn copy_wait(&mut self, warp: &mut Warp, left: u32, active: u32) -> Step {
        let everything = left == u32::MAX;
        let mut pending = std::mem::take(&mut warp.pending);
        let mut fault = None;
        pending.retain(|copy| {
            let lane = usize::from(copy.lane);
            let due = everything || copy.group < warp.groups[lane].saturating_sub(left);
            if active >> lane & 1 == 0 || !due || fault.is_some() {
                return true;
            }
            fault = self.land(warp.number, copy).err();
            false
        });
        warp.pending = pending;
        match fault {
            Some(fault) => Err(fault),
            None => Ok(Flow::Next),
        }
    }

    fn land(&mut self, warp: u32, copy: &Pending) -> Result<(), Box<Fault>> {
        let actor = Actor { warp, lane: u32::from(copy.lane) };
        for at in (0..copy.bytes).step_by(4) {
            let value = copy.data[(at / 8) as usize] >> (8 * (at % 8));
            let address = copy.destination + u64::from(at);
            self.block.shared.store_as(address, 4, value, actor, (false, true)).map_err(|wrong| {
                self.shared_fault(wrong, address, 4, "copy (`cp.async`)").lane(usize::from(copy.lane))
            })?;
            self.block.shared.set_undefined(address, 4, (copy.undefined.0 >> at) as u8, copy.undefined.1);
        }
        Ok(())
    }
}
