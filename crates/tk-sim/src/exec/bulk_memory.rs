//! Global memory as bulk copies see it: runs of bytes, and boxes of tensors with their edges.

use super::Machine;
use crate::engine::Origin;
use crate::fault::Fault;
use crate::memory::Allocation;
use crate::program::Update;
use crate::records::Strength;
use crate::tensor_map::TensorMap;
use crate::traffic::{Direction, Request};
use crate::undefined::{Hole, Part, Source};

impl<'a> Machine<'a> {
    fn bulk_allocation(&self, address: u64, bytes: u64) -> Result<&'a Allocation, Box<Fault>> {
        let inside = |a: &&Allocation| address - a.base + bytes <= a.bytes;
        self.env.memory.find(address).filter(inside).ok_or_else(|| self.outside(address, bytes as u32, "bulk copy"))
    }

    /// Reads bytes in units of 1, 2, 4 or 8; where nothing wrote them, that is noted.
    pub(crate) fn read_global(&self, address: u64, unit: u32, part: Part<'_>) -> Result<(), Box<Fault>> {
        let Part { first, out, holes } = part;
        let allocation = self.bulk_allocation(address, out.len() as u64)?;
        let offset = address - allocation.base;
        let check = self.env.config.checks.uninitialised_global;
        if let (true, (words, [])) = (unit >= 4, out.as_chunks_mut::<4>())
            && (!check || allocation.are_written(offset, words.len()))
        {
            allocation.read_words(offset, words);
            return Ok(());
        }
        for (i, place) in out.chunks_mut(unit as usize).enumerate() {
            let at = offset + i as u64 * u64::from(unit);
            if check && !allocation.is_written(at, unit) {
                let (at, bytes) = (first + i * unit as usize, allocation.unwritten(at, unit));
                holes.push(Hole { at, size: unit, bytes, address: address + i as u64 * u64::from(unit) });
            }
            place.copy_from_slice(&allocation.load(at, unit).to_le_bytes()[..unit as usize]);
        }
        Ok(())
    }

    /// Writes bytes in units, or combines each unit with the memory. What no copy writes (`origin`) is not noted.
    pub(crate) fn write_global(
        &mut self,
        origin: Option<&Origin>,
        address: u64,
        unit: u32,
        data: &[u8],
        update: Option<(Update, u32)>,
    ) -> Result<(), Box<Fault>> {
        let allocation = self.bulk_allocation(address, data.len() as u64)?;
        let offset = address - allocation.base;
        let mask = if unit == 8 { u64::MAX } else { (1 << (8 * unit)) - 1 };
        let check = self.env.config.checks.uninitialised_global;
        for (i, bytes) in data.chunks(unit as usize).enumerate() {
            let at = offset + i as u64 * u64::from(unit);
            let value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
            match update {
                Some((f, _)) => {
                    if check && !allocation.is_written(at, unit) {
                        let pc = origin.map_or(u32::MAX, |origin| origin.pc);
                        let source = Source::Global { address: allocation.base + at, pc };
                        return Err(self.depends("this bulk reduction", source));
                    }
                    self.note_bulk_write(origin, (address + at - offset, unit), Strength::Wide, || {
                        let old = allocation.update(at, unit, |old| f(old, value, 0) & mask);
                        f(old, value, 0) & mask == old
                    })?;
                }
                None => self.note_bulk_write(origin, (address + at - offset, unit), Strength::Weak, || {
                    let same = allocation.is_written(at, unit) && allocation.load(at, unit) == value;
                    allocation.store(at, unit, value);
                    allocation.mark(at, unit);
                    same
                })?,
            }
        }
        Ok(())
    }

    /// The columns of a row of the box that lie inside the tensor, as runs: first element of the box, index in the tensor,
    /// and how many follow each other in both.
    fn runs(map: &TensorMap, start: &[i32]) -> Vec<(u32, u64, u32)> {
        let mut runs: Vec<(u32, u64, u32)> = Vec::new();
        for i in 0..map.extent(0) {
            let Some(at) = map.column(start, i) else { continue };
            match runs.last_mut() {
                Some((first, index, count)) if *first + *count == i && *index + u64::from(*count) == at => *count += 1,
                _ => runs.push((i, at, 1)),
            }
        }
        runs
    }

    /// A box of a tensor, row after row as it lies in shared memory before swizzling.
    pub(crate) fn read_box(
        &mut self,
        map: &TensorMap,
        start: &[i32],
        (origin, counts): (&Origin, bool),
        holes: &mut Vec<Hole>,
    ) -> Result<Vec<u8>, Box<Fault>> {
        let (bytes, row_bytes) = (map.element.bytes(), map.row_bytes() as usize);
        let mut data = vec![0; map.box_bytes() as usize];
        if let Some(nan) = map.element.nan().filter(|_| map.fill_nan) {
            for place in data.chunks_mut(bytes as usize) {
                place.copy_from_slice(&nan.to_le_bytes()[..bytes as usize]);
            }
        }
        let runs = Self::runs(map, start);
        let mut asked = Vec::new();
        for (row, base) in map.rows(start).into_iter().enumerate() {
            let Some(base) = base else { continue };
            for (first, index, count) in &runs {
                let (address, length) = (base + index * u64::from(bytes), count * bytes);
                let from = row * row_bytes + (first * bytes) as usize;
                let unit = unit(address, length, bytes);
                let out = &mut data[from..from + length as usize];
                self.read_global(address, unit, Part { first: from, out, holes })?;
                self.note_bulk_read(origin, address, u64::from(length))?;
                asked.push((address, length));
            }
        }
        if counts {
            self.ask_runs(Request { site: origin.site, direction: Direction::ReadPastL1 }, &asked);
        }
        Ok(data)
    }

    /// The columns that a write reaches: those inside the tensor and the rest of the 16 bytes in which it ends, as on hardware.
    fn written_runs(map: &TensorMap, start: &[i32]) -> Vec<(u32, u64, u32)> {
        let mut runs = Self::runs(map, start);
        let unit = (16 / map.element.bytes()).max(1);
        if let Some((first, index, count)) = runs.last_mut().filter(|_| map.element_strides[0] == 1) {
            let end = *index + u64::from(*count);
            if end == u64::from(map.sizes[0]) {
                let beside = (end.next_multiple_of(u64::from(unit)) - end) as u32;
                *count += beside.min(map.extent(0) - *first - *count);
            }
        }
        runs
    }

    /// Writes the part of a box that lies inside the tensor, to the end of a unit of 16 bytes.
    pub(crate) fn write_box(
        &mut self,
        map: &TensorMap,
        start: &[i32],
        origin: &Origin,
        data: &[u8],
        update: Option<(Update, u32)>,
    ) -> Result<(), Box<Fault>> {
        let (bytes, row_bytes) = (map.element.bytes(), map.row_bytes() as usize);
        let runs = Self::written_runs(map, start);
        let mut asked = Vec::new();
        for (row, base) in map.rows(start).into_iter().enumerate() {
            let Some(base) = base else { continue };
            for (first, index, count) in &runs {
                let (address, length) = (base + index * u64::from(bytes), count * bytes);
                let from = row * row_bytes + (first * bytes) as usize;
                let unit = if update.is_some() { bytes } else { unit(address, length, bytes) };
                self.write_global(Some(origin), address, unit, &data[from..from + length as usize], update)?;
                asked.push((address, length));
            }
        }
        let direction = if update.is_some() { Direction::Update } else { Direction::Write };
        self.ask_runs(Request { site: origin.site, direction }, &asked);
        Ok(())
    }
}

/// Four bytes at a time where a run of smaller elements allows it.
fn unit(address: u64, length: u32, element: u32) -> u32 {
    if element < 4 && address.is_multiple_of(4) && length.is_multiple_of(4) { 4 } else { element }
}
