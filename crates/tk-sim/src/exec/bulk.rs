//! Issue of bulk copies (`cp.async.bulk`, with and without tensor maps), their groups, and tensor maps made by a kernel.

use super::mbarrier::{no_mbarrier, shared_key};
use super::memory::misaligned;
use super::{Flow, Machine, Step, space_of};
use crate::cta::ChangedMap;
use crate::engine::{Load, Origin, Place, Store};
use crate::fault::Fault;
use crate::lanes::lanes_of;
use crate::program::{Bulk, BulkKind, Memory, TensorMapField};
use crate::shared::{Actor, Wrong};
use crate::tensor_map::{TENSOR_MAP_BYTES, TensorMap};
use crate::warp::Warp;
use tk_diag::{BAD_PTX, DATA_RACE, MISALIGNED, OUT_OF_BOUNDS};

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
        let place = self.bulk_place(warp, bulk, lane)?;
        let align = if bulk.coordinates.is_some() { 128 } else { 16 };
        if !shared.is_multiple_of(align) {
            return Err(misaligned(shared, align as u32, "bulk copy"));
        }
        let bytes = place.bytes();
        if !self.block.shared.inside(shared, bytes) {
            return Err(self.shared_fault(Wrong::Outside, shared, bytes, "bulk copy"));
        }
        let actor = Actor { warp: warp.number, lane: lane as u32 };
        let origin = Origin { actor, pc, site: bulk.site, clock: self.block.shared.issue(warp.number) };
        if bulk.kind == BulkKind::Store {
            let update = match (bulk.update, &place) {
                (None, _) => None,
                (Some((_, Some(whole))), _) => Some(whole),
                (Some((name, None)), Place::Tensor { map, .. }) => {
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
        if !self.block.mbarriers.contains_key(&key) {
            return Err(no_mbarrier(key));
        }
        for at in place.pieces(shared) {
            let started = self.block.shared.start_engine_write(at, 16, &origin.clock);
            started.map_err(|(at, wrong)| self.shared_fault(wrong, at, 16, "bulk copy"))?;
        }
        let from_shared = bulk.kind == BulkKind::CopyShared;
        self.block.engine.loads.push(Load { origin, source: place, from_shared, destination: shared, key });
        Ok(())
    }

    /// What a copy moves outside the shared memory it names first.
    fn bulk_place(&self, warp: &Warp, bulk: &Bulk, lane: usize) -> Result<Place, Box<Fault>> {
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
            return Ok(Place::Bytes { address, bytes });
        };
        let map = self.tensor_map(warp, address)?;
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
        Ok(Place::Tensor { map: Box::new(map), start })
    }

    /// The tensor map at a generic address, in parameters or global memory.
    fn tensor_map(&self, warp: &Warp, address: u64) -> Result<TensorMap, Box<Fault>> {
        if !address.is_multiple_of(64) {
            return Err(misaligned(address, 64, "tensor map"));
        }
        if self.block.changed_maps.get(&address).is_some_and(|map| map.acquired >> warp.number & 1 == 0) {
            let message = format!("a copy by the tensor map at {address:#x}, which was changed and not acquired since");
            let help =
                "execute `fence.proxy.tensormap::generic.release` after the change, a barrier, and then the acquire";
            return Err(Fault::new(DATA_RACE, message).help(help));
        }
        let mut bytes = [0; TENSOR_MAP_BYTES];
        match space_of(address) {
            (Memory::Param, at) => match self.env.params.get(at as usize..at as usize + TENSOR_MAP_BYTES) {
                Some(found) => bytes.copy_from_slice(found),
                None => return Err(Fault::new(OUT_OF_BOUNDS, "a tensor map outside the parameters")),
            },
            (Memory::Global, _) => self.read_global(address, 4, &mut bytes)?,
            _ => return Err(Fault::new(BAD_PTX, "a tensor map lies in parameters or global memory")),
        }
        TensorMap::decode(&bytes).map_err(|message| {
            Fault::new(BAD_PTX, format!("the tensor map at {address:#x} is not valid: {message}"))
                .help("make it with `encode_tensor_map`, or replace all its fields")
        })
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

    /// `tensormap.replace`.
    pub(super) fn replace_field(&mut self, warp: &Warp, number: u32, active: u32) -> Step {
        let field: &TensorMapField = &self.env.program.map_fields[number as usize];
        for lane in lanes_of(active) {
            let base = warp.reg(field.base)[lane].wrapping_add(field.offset as u64);
            let value = warp.reg(field.value)[lane];
            if !base.is_multiple_of(64) {
                return Err(misaligned(base, 64, "tensor map").lane(lane));
            }
            let actor = Actor { warp: warp.number, lane: lane as u32 };
            for at in (0..field.bytes).step_by(4) {
                let (size, part) = (field.bytes.min(4), value >> (8 * at));
                let place = base + u64::from(field.at + at);
                match (field.memory, space_of(place)) {
                    (Memory::Shared, (_, at)) | (_, (Memory::Shared, at)) => {
                        let at = at & 0xFFFF_FFFF;
                        let stored = self.block.shared.store(at, size, part, actor, false);
                        stored.map_err(|wrong| self.shared_fault(wrong, at, size, "write").lane(lane))?;
                    }
                    _ => {
                        let allocation = self.global(None, place, size, lane, "write")?;
                        allocation.store(place - allocation.base, size, part);
                        allocation.mark(place - allocation.base, size);
                        self.block.changed_maps.insert(base, ChangedMap::default());
                    }
                }
            }
        }
        Ok(Flow::Next)
    }

    /// `fence.proxy.tensormap`.
    pub(super) fn fence_map(&mut self, warp: &Warp, acquired: Option<(u32, i64)>, active: u32) -> Flow {
        match acquired {
            None => self.block.changed_maps.values_mut().for_each(|map| map.released = true),
            Some((base, offset)) => {
                for lane in lanes_of(active) {
                    let address = warp.reg(base)[lane].wrapping_add(offset as u64);
                    if let Some(map) = self.block.changed_maps.get_mut(&address).filter(|map| map.released) {
                        map.acquired |= 1 << warp.number;
                    }
                }
            }
        }
        Flow::Next
    }

    /// `tensormap.cp_fenceproxy`: the warp copies a tensor map from shared to global memory.
    pub(super) fn copy_map(&mut self, warp: &mut Warp, index: usize, slots: [u32; 2], offsets: [i64; 2]) -> Step {
        if !self.gather(warp, index, warp.alive) {
            return Ok(Flow::Select);
        }
        let lane = warp.fragments[index].mask.trailing_zeros() as usize & 31;
        let address = |i: usize| warp.reg(slots[i])[lane].wrapping_add(offsets[i] as u64);
        let (global, shared) = (address(0), space_of(address(1)).1 & 0xFFFF_FFFF);
        if !global.is_multiple_of(128) || !shared.is_multiple_of(128) {
            return Err(misaligned(global | shared, 128, "copy of a tensor map").lane(lane));
        }
        self.block.shared.synchronise_warp(warp.number);
        let mut bytes = Vec::with_capacity(TENSOR_MAP_BYTES);
        for at in (shared..shared + TENSOR_MAP_BYTES as u64).step_by(4) {
            let word = self.block.shared.load(at, 4, Actor { warp: warp.number, lane: lane as u32 }, false);
            let word = word.map_err(|wrong| self.shared_fault(wrong, at, 4, "read").lane(lane))?;
            bytes.extend_from_slice(&(word as u32).to_le_bytes());
        }
        self.write_global(global, 4, &bytes, None).map_err(|fault| fault.lane(lane))?;
        self.block.changed_maps.insert(global, ChangedMap { released: true, acquired: 0 });
        Ok(Flow::Next)
    }
}
