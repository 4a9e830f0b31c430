//! Tensor maps: reading one for a copy, and making or changing one in a kernel.

use super::memory::misaligned;
use super::{Flow, Machine, Step, space_of};
use crate::changed_maps::Asker;
use crate::engine::BulkRegion;
use crate::fault::Fault;
use crate::global_races::GlobalRaces;
use crate::lanes::lanes_of;
use crate::program::{FenceMap, MapScope, Memory, TensorMapField};
use crate::shared::Actor;
use crate::tensor_map::{TENSOR_MAP_BYTES, TensorMap};
use crate::undefined::{Part, Source};
use crate::warp::Warp;
use tk_diag::{BAD_PTX, DATA_RACE, OUT_OF_BOUNDS};

impl Machine<'_> {
    fn asker(&self, actor: Actor, pc: u32) -> Asker<'_> {
        Asker { cta: self.block.index, actor, pc, shared: &self.block.shared }
    }

    /// The tensor map at a generic address, in parameters or global memory, for a copy that a thread issues.
    pub(super) fn tensor_map(&self, address: u64, actor: Actor, pc: u32) -> Result<TensorMap, Box<Fault>> {
        if !address.is_multiple_of(64) {
            return Err(misaligned(address, 64, "tensor map"));
        }
        self.env.maps.copy(address, &self.asker(actor, pc))?;
        let mut bytes = [0; TENSOR_MAP_BYTES];
        match space_of(address) {
            (Memory::Param, at) => match self.env.params.get(at as usize..at as usize + TENSOR_MAP_BYTES) {
                Some(found) => bytes.copy_from_slice(found),
                None => return Err(Fault::new(OUT_OF_BOUNDS, "a tensor map outside the parameters")),
            },
            (Memory::Global, _) => {
                let mut holes = Vec::new();
                self.read_global(address, 4, Part { first: 0, out: &mut bytes, holes: &mut holes })?;
                if let Some(hole) = holes.first() {
                    return Err(self.depends("a tensor map", Source::Global { address: hole.address, pc }));
                }
            }
            (Memory::Shared | Memory::Local | Memory::Generic, _) => {
                return Err(Fault::new(BAD_PTX, "a tensor map lies in parameters or global memory"));
            }
        }
        TensorMap::decode(&bytes).map_err(|message| {
            Fault::new(BAD_PTX, format!("the tensor map at {address:#x} is not valid: {message}"))
                .help("make it with `encode_tensor_map`, or replace all its fields")
        })
    }

    /// A thread changes a tensor map in global memory: no copy by it may be under way. A store whose block has been read needs its map no more.
    fn change_map(&self, address: u64, actor: Actor, pc: u32) -> Result<(), Box<Fault>> {
        let by_this = |place: &BulkRegion| matches!(place, BulkRegion::Tensor { address: map, .. } if *map == address);
        let engine = &self.block.engine;
        let loads = engine.loads.iter().filter(|load| by_this(&load.source)).map(|load| &load.origin);
        let unread = engine.stores.iter().filter(|store| !store.waited && by_this(&store.destination));
        let stores = unread.map(|store| &store.origin);
        if let Some(copy) = loads.chain(stores).next() {
            let message = format!("a change of the tensor map at {address:#x} while a copy by it is in flight");
            return Err(Fault::new(DATA_RACE, message)
                .also(copy.pc, "the copy")
                .help("wait for the mbarrier of a load, or for the read of a store, before the map is changed"));
        }
        self.env.maps.change(address, &self.asker(actor, pc))
    }

    /// `tensormap.replace`.
    pub(super) fn replace_field(&mut self, warp: &Warp, index: usize, number: u32, active: u32) -> Step {
        let field: &TensorMapField = &self.env.program.map_fields[number as usize];
        let pc = warp.fragments[index].pc;
        for lane in lanes_of(active) {
            let base = warp.reg(field.base)[lane].wrapping_add(field.offset as u64);
            let value = warp.reg(field.value)[lane];
            if !base.is_multiple_of(64) {
                return Err(misaligned(base, 64, "tensor map").lane(lane));
            }
            let actor = Actor { warp: warp.number, lane: lane as u32 };
            self.replace_in(field, (base, value), actor, pc).map_err(|fault| fault.lane(lane))?;
        }
        Ok(Flow::Next)
    }

    fn replace_in(
        &mut self,
        field: &TensorMapField,
        (base, value): (u64, u64),
        actor: Actor,
        pc: u32,
    ) -> Result<(), Box<Fault>> {
        let in_shared = field.memory == Memory::Shared || space_of(base).0 == Memory::Shared;
        if !in_shared {
            self.change_map(base, actor, pc)?;
        }
        for at in (0..field.bytes).step_by(4) {
            let (size, part) = (field.bytes.min(4), value >> (8 * at));
            let place = base + u64::from(field.at + at);
            if in_shared {
                let at = space_of(place).1 & 0xFFFF_FFFF;
                let stored = self.block.shared.store(at, size, part, actor, false);
                stored.map_err(|wrong| self.shared_fault(wrong, at, size, "write"))?;
            } else {
                let allocation = self.global(None, place, size, actor.lane as usize, "write")?;
                if let Some(global) = &self.env.global {
                    // The page learns what it held before.
                    global.with_page(self.env.memory, GlobalRaces::page_of(place), |_| ());
                }
                allocation.store(place - allocation.base, size, part);
                allocation.mark(place - allocation.base, size);
            }
        }
        Ok(())
    }

    /// `fence.proxy.tensormap`.
    pub(super) fn fence_map(&mut self, warp: &Warp, index: usize, fence: FenceMap, active: u32) -> Flow {
        let pc = warp.fragments[index].pc;
        for lane in lanes_of(active) {
            let asker = self.asker(Actor { warp: warp.number, lane: lane as u32 }, pc);
            match fence.acquired {
                None => self.env.maps.release(fence.scope, &asker),
                Some((base, offset)) => {
                    let address = warp.reg(base)[lane].wrapping_add(offset as u64);
                    self.env.maps.acquire(address, fence.scope, &asker);
                }
            }
        }
        Flow::Next
    }

    /// `tensormap.cp_fenceproxy`: the warp copies a tensor map from shared to global memory and releases it.
    pub(super) fn copy_map(
        &mut self,
        warp: &mut Warp,
        index: usize,
        ([to, from], offsets): ([u32; 2], [i64; 2]),
        scope: MapScope,
    ) -> Step {
        if !self.gather(warp, index, warp.alive) {
            return Ok(Flow::Select);
        }
        let lane = warp.fragments[index].mask.trailing_zeros() as usize & 31;
        let actor = Actor { warp: warp.number, lane: lane as u32 };
        let address = |slot: u32, offset: i64| warp.reg(slot)[lane].wrapping_add(offset as u64);
        let (global, shared) = (address(to, offsets[0]), space_of(address(from, offsets[1])).1 & 0xFFFF_FFFF);
        if !global.is_multiple_of(128) || !shared.is_multiple_of(128) {
            return Err(misaligned(global | shared, 128, "copy of a tensor map").lane(lane));
        }
        let pc = warp.fragments[index].pc;
        self.block.shared.synchronise_warp(warp.number);
        self.change_map(global, actor, pc).map_err(|fault| fault.lane(lane))?;
        let mut bytes = Vec::with_capacity(TENSOR_MAP_BYTES);
        for at in (shared..shared + TENSOR_MAP_BYTES as u64).step_by(4) {
            let word = self.block.shared.load(at, 4, actor, false);
            let word = word.map_err(|wrong| self.shared_fault(wrong, at, 4, "read").lane(lane))?;
            bytes.extend_from_slice(&(word as u32).to_le_bytes());
        }
        self.write_global(None, global, 4, &bytes, None).map_err(|fault| fault.lane(lane))?;
        self.env.maps.release(scope, &self.asker(actor, pc));
        Ok(Flow::Next)
    }
}
