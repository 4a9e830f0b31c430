//! Issue of bulk copies (`cp.async.bulk`, with and without tensor maps) and their groups.

use super::mbarrier::shared_key;
use super::memory::misaligned;
use super::{Flow, Machine, Step, space_of};
use crate::clock::FencedMemory;
use crate::engine::{BulkRegion, CopyEnd, Load, Origin, Store};
use crate::fault::Fault;
use crate::geometry::{at_rank, rank_of};
use crate::lanes::lanes_of;
use crate::program::{Bulk, BulkKind, Window};
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
        let window = if bulk.kind == BulkKind::Store { Window::Cta } else { Window::Cluster };
        if self.env.geometry.size() > 1 {
            self.may_reach(warp, shared, lane, window)?;
        }
        let place = self.bulk_place(warp, bulk, pc, lane)?;
        let align = match bulk.kind {
            BulkKind::Registers => place.bytes().next_power_of_two().into(),
            _ if bulk.coordinates.is_some() => 128,
            BulkKind::Load | BulkKind::Store | BulkKind::CopyShared => 16,
        };
        if !shared.is_multiple_of(align) {
            return Err(misaligned(shared, align as u32, "bulk copy"));
        }
        let bytes = place.bytes();
        if !self.block.shared.inside(shared, bytes) {
            return Err(self.shared_fault(Wrong::Outside, shared, bytes, "bulk copy"));
        }
        let actor = Actor { warp: warp.number, lane: lane as u32 };
        let mut clock = self.block.shared.issue(warp.number, 1 << lane);
        if bulk.kind == BulkKind::Registers {
            // Such stores are of the proxy of ordinary ones.
            clock.hand_over(FencedMemory::All);
        }
        let mut origin = Origin { actor, pc, site: bulk.site, clock, end: CopyEnd::Issued };
        if bulk.kind == BulkKind::Store {
            let update = match (bulk.update, &place) {
                (None, _) => None,
                (Some((_, Some(whole))), _) => Some(whole),
                (Some((name, None)), BulkRegion::Tensor { map, .. }) => {
                    let Some(update) = crate::ops::update(name, map.element.ptx_type()) else {
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
        if rank_of(u64::from(key)) != rank_of(shared) {
            let message = "a bulk copy to the shared memory of one CTA, with an mbarrier of another";
            return Err(Fault::new(BAD_PTX, message).help("map both addresses to the same CTA"));
        }
        let from_shared = bulk.kind == BulkKind::CopyShared;
        let Some(ranks) = bulk.multicast.map(|slot| warp.reg(slot)[lane] as u32 & 0xFFFF) else {
            let load = Load { origin, source: place, from_shared, destination: shared, key, counts_source: true };
            return self.start_load(load);
        };
        let size = self.env.geometry.size();
        if ranks == 0 || ranks >> size != 0 {
            let message = format!("a multicast copy to the CTAs {ranks:#06x} of a cluster of {size}");
            return Err(Fault::new(BAD_PTX, message).help("name at least one CTA of the cluster, and no others"));
        }
        if ranks.count_ones() > 1 {
            origin.end = CopyEnd::Anything;
        }
        for (i, rank) in lanes_of(ranks).enumerate() {
            let rank = rank as u32;
            let (destination, key) = (at_rank(shared, rank), at_rank(u64::from(key), rank) as u32);
            if size > 1 {
                self.may_reach(warp, destination, lane, Window::Cluster)?;
            }
            let (origin, source) = (origin.clone(), place.clone());
            self.start_load(Load { origin, source, from_shared, destination, key, counts_source: i == 0 })?;
        }
        Ok(())
    }

    /// Begins a copy into shared memory.
    fn start_load(&mut self, load: Load) -> Result<(), Box<Fault>> {
        self.mbarrier_use(load.key, load.origin.actor)?;
        for (at, bytes) in load.source.pieces(load.destination) {
            let started = self.block.shared.start_engine_write(at, bytes, &load.origin.clock);
            started.map_err(|(at, wrong)| self.shared_fault(wrong, at, 16, "bulk copy"))?;
        }
        self.block.engine.loads.push(load);
        Ok(())
    }

    /// What a copy moves outside the shared memory it names first.
    fn bulk_place(&self, warp: &Warp, bulk: &Bulk, pc: u32, lane: usize) -> Result<BulkRegion, Box<Fault>> {
        let address = warp.reg(bulk.other.0)[lane].wrapping_add(bulk.other.1 as u64);
        if bulk.kind == BulkKind::Registers {
            let per_value = warp.reg(bulk.bytes)[lane] as usize / 4;
            let words = bulk.values.iter().flat_map(|slot| {
                let value = warp.reg(*slot)[lane];
                [value as u32, (value >> 32) as u32].into_iter().take(per_value)
            });
            return Ok(BulkRegion::Words(words.collect()));
        }
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
