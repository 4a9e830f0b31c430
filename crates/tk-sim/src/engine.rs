//! Bulk copies in flight: they run late, in an order that a seed decides.
//!
//! A copy into shared memory reads its source and writes its destination when it lands, which is when no warp can go on, and
//! now and then before. A copy out of shared memory reads it when its thread waits for that at the latest, and writes global memory
//! when its thread waits for all of it, when its CTA ends, or when nothing else goes on.

use crate::clock::Clock;
use crate::exec::{Machine, gone};
use crate::fault::Fault;
use crate::geometry::rank_of;
use crate::program::Update;
use crate::shared::Actor;
use crate::tensor_map::TensorMap;
use crate::traffic::{Direction, Request};
use crate::undefined::{Part, Source};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tk_diag::{BAD_PTX, DATA_RACE};

/// The part of global memory that a copy moves.
#[derive(Clone, Debug)]
pub(crate) enum BulkRegion {
    /// By the tensor map at an address.
    Tensor {
        address: u64,
        map: Box<TensorMap>,
        start: Vec<i32>,
    },
    Bytes {
        address: u64,
        bytes: u32,
    },
    /// What registers held.
    Words(Vec<u32>),
}

impl BulkRegion {
    /// Bytes in shared memory.
    pub(crate) fn bytes(&self) -> u32 {
        match self {
            BulkRegion::Tensor { map, .. } => map.box_bytes(),
            BulkRegion::Bytes { bytes, .. } => *bytes,
            BulkRegion::Words(words) => 4 * words.len() as u32,
        }
    }
}

/// Behind what a copy is over, for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyEnd {
    /// Nothing yet.
    Issued,
    /// Anything that its CTA does: copies to several CTAs, each of which knows of its part alone.
    Anything,
    /// A wait for its mbarrier, with this place in clocks.
    Mbarrier(u8),
    /// Its thread has waited for it.
    Waited,
}

/// Who issued a copy, where, and what was ordered before.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) actor: Actor,
    pub(crate) pc: u32,
    pub(crate) site: u32,
    pub(crate) clock: Clock,
    pub(crate) end: CopyEnd,
}

/// A copy into shared memory.
pub(crate) struct Load {
    pub(crate) origin: Origin,
    /// In global memory, or in shared memory when `from_shared`.
    pub(crate) source: BulkRegion,
    pub(crate) from_shared: bool,
    pub(crate) destination: u64,
    /// The mbarrier that counts its bytes.
    pub(crate) key: u32,
    /// Its reads count; of a multicast copy, those for one CTA do.
    pub(crate) counts_source: bool,
}

/// A copy out of shared memory.
pub(crate) struct Store {
    pub(crate) origin: Origin,
    /// Bulk groups the thread had committed before.
    pub(crate) group: u32,
    pub(crate) source: u64,
    pub(crate) destination: BulkRegion,
    /// Combines with the memory, in units of so many bytes, instead of overwriting.
    pub(crate) update: Option<(Update, u32)>,
    /// What was read.
    pub(crate) data: Option<Vec<u32>>,
    /// The thread has waited for the read.
    pub(crate) waited: bool,
}

/// The copies of one CTA.
pub(crate) struct Engine {
    pub(crate) loads: Vec<Load>,
    pub(crate) stores: Vec<Store>,
    random: ChaCha8Rng,
}

impl Engine {
    pub(crate) fn new(seed: u64) -> Self {
        Self { loads: Vec::new(), stores: Vec::new(), random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// A number below `n`, which is not zero.
    pub(crate) fn random(&mut self, n: usize) -> usize {
        self.random.random_range(0..n)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.loads.is_empty() && self.stores.is_empty()
    }
}

/// What goes on in a cluster besides its copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoesOn {
    Warps,
    Nothing,
}

impl Machine<'_> {
    /// Lets one copy in flight go on; false when there is none that can. Stores that their threads have not waited for in full are written
    /// when nothing else goes on: whoever needs them earlier reads what was there before.
    pub(crate) fn advance(&mut self, goes_on: GoesOn) -> Result<bool, Box<Fault>> {
        let engine = &mut self.block.engine;
        let able = |store: &Store| store.data.is_none() || store.waited && goes_on == GoesOn::Nothing;
        let stores: Vec<usize> = (0..engine.stores.len()).filter(|i| able(&engine.stores[*i])).collect();
        let loads = engine.loads.len();
        if loads + stores.len() == 0 {
            return Ok(false);
        }
        let choice = engine.random(loads + stores.len());
        if choice < loads {
            let mut load = engine.loads.swap_remove(choice);
            if load.origin.end == CopyEnd::Issued {
                load.origin.end = self.end_of(load.key);
            }
            self.land_bulk(&load).map_err(|fault| blame(fault, &load.origin))?;
            return Ok(true);
        }
        let mut store = engine.stores.swap_remove(stores[choice - loads]);
        if store.data.is_none() {
            self.read_store(&mut store)?;
            self.block.engine.stores.push(store);
        } else {
            self.write_store(&store)?;
        }
        Ok(true)
    }

    /// Behind what a copy is over that an mbarrier counts.
    fn end_of(&self, key: u32) -> CopyEnd {
        let actor = self.block.mbarriers.get(&key).zip(self.block.shared.races());
        actor.map_or(CopyEnd::Issued, |(object, races)| CopyEnd::Mbarrier(races.engine(object.engine) as u8))
    }

    fn land_bulk(&mut self, load: &Load) -> Result<(), Box<Fault>> {
        let mut holes = Vec::new();
        let words = match &load.source {
            BulkRegion::Words(words) => words.clone(),
            BulkRegion::Bytes { address, bytes } if load.from_shared => {
                self.read_shared(*address, *bytes, &load.origin, |at| at)?
            }
            BulkRegion::Bytes { address, bytes } => {
                if load.counts_source {
                    let request = Request { site: load.origin.site, direction: Direction::ReadPastL1 };
                    self.ask_run(request, *address, *bytes);
                }
                let mut data = vec![0; *bytes as usize];
                self.read_global(*address, 4, Part { first: 0, out: &mut data, holes: &mut holes })?;
                self.note_bulk_read(&load.origin, *address, u64::from(*bytes))?;
                to_words(&data)
            }
            BulkRegion::Tensor { map, start, .. } => {
                let count = load.counts_source;
                to_words(&self.read_box(map, start, (&load.origin, count), &mut holes)?)
            }
        };
        let Some(object) = self.block.mbarriers.get(&load.key) else { return Err(gone(load.key)) };
        let engine = object.engine;
        self.counters.engine_shared(load.origin.site, 4 * words.len() as u64);
        let swizzle = load.source.swizzle();
        for (i, piece) in words.chunks(4).enumerate() {
            let at = swizzle.apply(load.destination + 16 * i as u64, 0);
            let written = self.block.shared.engine_write(at, piece, engine, &load.origin.clock);
            written.map_err(|(at, wrong)| self.shared_fault(wrong, at, 16, "bulk copy"))?;
        }
        for hole in holes {
            let at = swizzle.apply(load.destination + (hole.at as u64 & !15), 0) + (hole.at as u64 & 15);
            let source = Source::Global { address: hole.address, pc: load.origin.pc };
            self.block.shared.set_undefined(at, hole.size, hole.bytes, source);
        }
        let Some(object) = self.block.mbarriers.get_mut(&load.key) else { return Ok(()) };
        self.block.shared.engine_release(engine, &mut object.clock);
        if let Err(message) = object.transfer(-4 * words.len() as i64) {
            return Err(Fault::new(BAD_PTX, format!("mbarrier at shared address {:#x}: {message}", load.key)));
        }
        self.block.phases += u64::from(object.finish_phase());
        Ok(())
    }

    /// Reads whole pieces of 16 bytes of shared memory; `place` says where a linear address lies.
    fn read_shared(
        &mut self,
        address: u64,
        bytes: u32,
        origin: &Origin,
        place: impl Fn(u64) -> u64,
    ) -> Result<Vec<u32>, Box<Fault>> {
        let mut words = Vec::with_capacity(bytes as usize / 4);
        self.counters.engine_shared(origin.site, u64::from(bytes));
        for at in (address..address + u64::from(bytes)).step_by(16) {
            let at = place(at);
            let read = self.block.shared.engine_read(at, 16, &origin.clock, origin.actor);
            read.map_err(|(at, wrong)| self.shared_fault(wrong, at, 16, "bulk copy"))?;
            self.need_shared(at, 16, "what this copy reads")?;
            words.extend((0..4).map(|i| self.block.shared.peek(at + 4 * i, 4) as u32));
        }
        Ok(words)
    }

    fn read_store(&mut self, store: &mut Store) -> Result<(), Box<Fault>> {
        let swizzle = store.destination.swizzle();
        let bytes = store.destination.bytes();
        let words = self.read_shared(store.source, bytes, &store.origin, |at| swizzle.apply(at, 0));
        store.data = Some(words.map_err(|fault| blame(fault, &store.origin))?);
        Ok(())
    }

    /// The thread waits for the read of a store. When that ran before, the memory must not have changed since the issue, and from
    /// now on counts as read now.
    fn settle_read(&mut self, store: &mut Store) -> Result<(), Box<Fault>> {
        if store.data.is_none() {
            self.read_store(store)?;
        } else if !store.waited {
            for (at, bytes) in store.destination.pieces(store.source) {
                let read = self.block.shared.engine_read(at, bytes, &store.origin.clock, store.origin.actor);
                let fault = read.map_err(|(at, wrong)| self.shared_fault(wrong, at, 16, "bulk copy"));
                fault.map_err(|fault| blame(fault, &store.origin))?;
            }
        }
        store.waited = true;
        Ok(())
    }

    fn write_store(&mut self, store: &Store) -> Result<(), Box<Fault>> {
        let Some(words) = &store.data else { return Ok(()) };
        let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let site = store.origin.site;
        let written = match &store.destination {
            BulkRegion::Bytes { address, bytes } => {
                let direction = if store.update.is_some() { Direction::Update } else { Direction::Write };
                self.ask_run(Request { site, direction }, *address, *bytes);
                self.write_global(Some(&store.origin), *address, store.update.map_or(4, |u| u.1), &data, store.update)
            }
            // Nothing is stored from registers to global memory this way.
            BulkRegion::Words(_) => Ok(()),
            BulkRegion::Tensor { map, start, .. } => self.write_box(map, start, &store.origin, &data, store.update),
        };
        written.map_err(|fault| blame(fault, &store.origin))
    }

    /// `cp.async.bulk.wait_group` of one thread: completes its groups before `due`, or only reads for them.
    pub(crate) fn finish_stores(&mut self, actor: Actor, due: u32, read_only: bool) -> Result<(), Box<Fault>> {
        let mine = |s: &Store| s.origin.actor.warp == actor.warp && s.origin.actor.lane == actor.lane && s.group < due;
        let mut index = 0;
        while index < self.block.engine.stores.len() {
            if !mine(&self.block.engine.stores[index]) {
                index += 1;
                continue;
            }
            let mut store = self.block.engine.stores.remove(index);
            self.settle_read(&mut store)?;
            if read_only {
                self.block.engine.stores.insert(index, store);
                index += 1;
            } else {
                store.origin.end = CopyEnd::Waited;
                self.write_store(&store)?;
            }
        }
        Ok(())
    }

    /// A CTA has ended: what its threads read is written; what was not read never will be.
    pub(crate) fn end_copies(&mut self, rank: u32) -> Result<(), Box<Fault>> {
        let touches = |load: &&Load| {
            let reads = matches!(load.source, BulkRegion::Bytes { address, .. } if load.from_shared && rank_of(address) == rank);
            reads || rank_of(load.destination) == rank
        };
        if let Some(load) = self.block.engine.loads.iter().find(touches) {
            let fault = Fault::new(DATA_RACE, "the CTA ends while a bulk copy into its shared memory is in flight")
                .help("wait for the mbarrier of the copy, or do not start it");
            return Err(blame(fault, &load.origin));
        }
        let geometry = &self.env.geometry;
        let is_own = |store: &Store| geometry.rank(store.origin.actor.warp) == rank;
        let unread = |store: &&Store| !store.waited && is_own(store);
        if let Some(store) = self.block.engine.stores.iter().find(unread) {
            let fault = Fault::new(DATA_RACE, "the CTA ends while a bulk copy still reads its shared memory")
                .help("commit the copy and wait with `cp.async.bulk.wait_group.read 0` before the end");
            return Err(blame(fault, &store.origin));
        }
        let (own, others): (Vec<Store>, Vec<Store>) =
            std::mem::take(&mut self.block.engine.stores).into_iter().partition(is_own);
        self.block.engine.stores = others;
        own.iter().try_for_each(|store| self.write_store(store))
    }
}

impl BulkRegion {
    fn swizzle(&self) -> crate::descriptor::Swizzle {
        match self {
            BulkRegion::Tensor { map, .. } => map.swizzle(),
            BulkRegion::Bytes { .. } | BulkRegion::Words(_) => crate::descriptor::Swizzle::None,
        }
    }

    /// What the copy covers in shared memory from `address` on: pieces, with their sizes.
    pub(crate) fn pieces(&self, address: u64) -> impl Iterator<Item = (u64, u32)> {
        let (swizzle, bytes) = (self.swizzle(), self.bytes());
        let end = address + u64::from(bytes);
        // Swizzles exchange pieces of the same 128 bytes only.
        let is_whole =
            swizzle == crate::descriptor::Swizzle::None || address.is_multiple_of(128) && bytes.is_multiple_of(128);
        let step = if is_whole { u64::from(bytes).max(1) } else { 16 };
        (address..end).step_by(step as usize).map(move |at| {
            let place = if is_whole { at } else { swizzle.apply(at, 0) };
            (place, (end - at).min(step) as u32)
        })
    }
}

fn blame(fault: Box<Fault>, origin: &Origin) -> Box<Fault> {
    let fault = if fault.pc == u32::MAX { fault.at(origin.pc) } else { fault };
    fault.in_warp(origin.actor.warp).lane(origin.actor.lane as usize)
}

fn to_words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// 32-byte sectors that a run of bytes touches.
pub(crate) fn sectors(address: u64, bytes: u32) -> u64 {
    (address + u64::from(bytes)).div_ceil(32) - address / 32
}
