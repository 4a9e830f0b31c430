//! Issue of bulk copies (`cp.async.bulk`, with and without tensor maps) and their groups.

use super::mbarrier::shared_key;
use super::memory::misaligned;
use super::{Flow, Machine, Step, space_of};
use crate::engine::{BulkRegion, Load, Origin, Store};
use crate::fault::Fault;
use crate::lanes::lanes_of;
use crate::program::{Bulk, BulkKind};
use crate::shared::{Actor, Wrong};
use crate::warp::Warp;
use tk_diag::{BAD_PTX, MISALIGNED, OUT_OF_BOUNDS};

impl Machine<'_> {
    pub(super) fn bulk(&mut self, warp: &mut Warp, index: usize, number: u32, active: u32) -> Step {
        let pc = warp.fragments[index].pc;
        for lane in lanes_of(active) {
            self.bulk_of_lane(warp, number, pc, lane).map_err(|fault| fault.lane(lane))?;
        }
        Ok(Flow::Next)
    }

    fn bulk_of_lane(&mut self, warp: &Warp, number: u32, pc: u32, lane: usize) -> Result<(), Box<Fault>> {
        let bulk = &self.env.program.bulks[number as usize];
        let address = |(slot, offset): (u32, i64)| warp.reg(slot)[lane].wrapping_add(offset as u64);
        let shared = space_of(address(bulk.shared)).1 & 0xFFFF_FFFF;
        let place = self.bulk_place(warp, bulk, pc, lane)?;
        let align = if bulk.coordinates.is_some() { 128 } else { 16 };
        if !shared.is_multiple_of(align) {
            return Err(misaligned(shared, align as u32, "bulk copy"));
        }
        let bytes = place.bytes();
        if !self.block.shared.inside(shared, bytes) {
            return Err(self.shared_fault(Wrong::Outside, shared, bytes, "bulk copy"));
        }
        let actor = Actor { warp: warp.number, lane: lane as u32 };
        let origin = Origin { actor, pc, site: bulk.site, clock: self.block.shared.issue(warp.number, 1 << lane) };
        if bulk.kind == BulkKind::Store {
            let update = match (bulk.update, &place) {
                (None, _) => None,
                (Some((_, Some(whole))), _) => Some(whole),
                (Some((name, None)), BulkRegion::Tensor { map, .. }) => {
                    let Some(update) = super::update(name, map.element.ptx_type()) else {
                        return Err(Fault::new(BAD_PTX, format!("a bulk reduction `{name}` of this element type")));
                    };
                    Some((update, map.element.bytes()))
                }
                _ => None,
            };
            let group = warp.bulk_groups[lane];
            let store = Store { origin, group, source: shared, destination: place, update, data: None, waited: false };
            self.block.engine.stores.push(store);
            return Ok(());
        }
        let key = shared_key(address(bulk.barrier))?;
        self.mbarrier_use(key, actor)?;
        for at in place.pieces(shared) {
            let started = self.block.shared.start_engine_write(at, 16, &origin.clock);
            started.map_err(|(at, wrong)| self.shared_fault(wrong, at, 16, "bulk copy"))?;
        }
        let from_shared = bulk.kind == BulkKind::CopyShared;
        self.block.engine.loads.push(Load { origin, source: place, from_shared, destination: shared, key });
        Ok(())
    }

    /// What a copy moves outside the shared memory it names first.
    fn bulk_place(&self, warp: &Warp, bulk: &Bulk, pc: u32, lane: usize) -> Result<BulkRegion, Box<Fault>> {
        let address = warp.reg(bulk.other.0)[lane].wrapping_add(bulk.other.1 as u64);
        let Some(coordinates) = &bulk.coordinates else {
            let bytes = warp.reg(bulk.bytes)[lane] as u32;
            let address = if bulk.kind == BulkKind::CopyShared { space_of(address).1 & 0xFFFF_FFFF } else { address };
            if !bytes.is_multiple_of(16) || !address.is_multiple_of(16) {
                let message = format!("a bulk copy of {bytes} bytes at address {address:#x}; both are multiples of 16");
                return Err(Fault::new(MISALIGNED, message));
            }
            if bytes == 0 {
                return Err(Fault::new(BAD_PTX, "a bulk copy of 0 bytes"));
            }
            return Ok(BulkRegion::Bytes { address, bytes });
        };
        let map = self.tensor_map(address, Actor { warp: warp.number, lane: lane as u32 }, pc)?;
        if map.sizes.len() != coordinates.len() {
            let (rank, given) = (map.sizes.len(), coordinates.len());
            return Err(Fault::new(BAD_PTX, format!("a copy of {given} dimensions with a tensor map of rank {rank}")));
        }
        let start: Vec<i32> = coordinates.iter().map(|slot| warp.reg(*slot)[lane] as u32 as i32).collect();
        if let Some(before) = start.iter().find(|start| **start < 0 && bulk.kind == BulkKind::Store) {
            let message = format!("a write by a tensor map starts at index {before}, before the tensor");
            return Err(Fault::new(OUT_OF_BOUNDS, message)
                .help("hardware stops with an illegal instruction; only loads may start before a tensor"));
        }
        let first = i64::from(start[0]) * i64::from(map.element.bytes());
        if first % 16 != 0 {
            let message = format!(
                "a copy by a tensor map starts at element {} of its contiguous dimension, {first} bytes, and such copies start at multiples of 16 bytes",
                start[0]
            );
            return Err(Fault::new(MISALIGNED, message)
                .help("hardware stops with an illegal instruction; use pointers for such places"));
        }
        Ok(BulkRegion::Tensor { address, map: Box::new(map), start })
    }

    pub(super) fn bulk_commit(&mut self, warp: &mut Warp, active: u32) -> Flow {
        for lane in lanes_of(active) {
            warp.bulk_groups[lane] += 1;
        }
        Flow::Next
    }

    pub(super) fn bulk_wait(&mut self, warp: &Warp, left: u32, read_only: bool, active: u32) -> Step {
        if !self.block.engine.stores.is_empty() {
            for lane in lanes_of(active) {
                let due = warp.bulk_groups[lane].saturating_sub(left);
                self.finish_stores(Actor { warp: warp.number, lane: lane as u32 }, due, read_only)?;
            }
        }
        Ok(Flow::Next)
    }
}
