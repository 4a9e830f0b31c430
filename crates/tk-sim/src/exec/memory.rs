//! Loads and stores.

use super::{Flow, Machine, Step, space_of, traffic};
use crate::cluster::WaitsFor;
use crate::fault::Fault;
use crate::geometry::{at_rank, rank_of};
use crate::lanes::{Lanes, lanes_of};
use crate::memory::Allocation;
use crate::memory_order::Effect;
use crate::program::{Access, Memory};
use crate::races::Conflict;
use crate::shared::{Actor, Wrong};
use crate::undefined::{Source, extended};
use crate::warp::{Poll, Warp};
use crate::wavefronts::Way;
use tk_diag::{BAD_LAUNCH, MISALIGNED, OUT_OF_BOUNDS};

impl<'a> Machine<'a> {
    pub(super) fn load(&mut self, warp: &mut Warp, index: u32, active: u32) -> Step {
        let access = &self.env.program.accesses[index as usize];
        let (memory, addresses) = resolve(access.memory, warp.reg(access.base), access.offset, active);
        let spins = self.block.spins;
        match memory {
            Memory::Global => self.load_global(warp, access, &addresses, active)?,
            Memory::Shared => self.load_shared(warp, access, &addresses, active)?,
            Memory::Param => self.load_param(warp, access, &addresses, active)?,
            Memory::Local => self.local(warp, access, &addresses, active, false)?,
            // Lanes of one instruction may mean different spaces; each space takes its lanes.
            Memory::Generic => {
                for (memory, lanes, addresses) in split(&addresses, active) {
                    match memory {
                        Memory::Shared => self.load_shared(warp, access, &addresses, lanes)?,
                        Memory::Param => self.load_param(warp, access, &addresses, lanes)?,
                        Memory::Local => self.local(warp, access, &addresses, lanes, false)?,
                        Memory::Global | Memory::Generic => self.load_global(warp, access, &addresses, lanes)?,
                    }
                }
            }
        }
        // A poll that found nothing new gives way to other warps.
        Ok(if self.block.spins == spins { Flow::Next } else { Flow::Yield })
    }

    pub(super) fn store(&mut self, warp: &mut Warp, index: u32, active: u32) -> Step {
        let access = &self.env.program.accesses[index as usize];
        let (memory, addresses) = resolve(access.memory, warp.reg(access.base), access.offset, active);
        match memory {
            Memory::Global => self.store_global(warp, access, &addresses, active)?,
            Memory::Shared => self.store_shared(warp, access, &addresses, active)?,
            Memory::Local => self.local(warp, access, &addresses, active, true)?,
            Memory::Param => return Err(Fault::new(OUT_OF_BOUNDS, "kernel parameters cannot be written")),
            Memory::Generic => {
                for (memory, lanes, addresses) in split(&addresses, active) {
                    match memory {
                        Memory::Shared => self.store_shared(warp, access, &addresses, lanes)?,
                        Memory::Local => self.local(warp, access, &addresses, lanes, true)?,
                        Memory::Global | Memory::Param | Memory::Generic => {
                            self.store_global(warp, access, &addresses, lanes)?;
                        }
                    }
                }
            }
        }
        Ok(Flow::Next)
    }

    /// The allocation that holds `bytes` at an aligned address.
    #[inline]
    pub(super) fn global(
        &self,
        hint: Option<&'a Allocation>,
        address: u64,
        bytes: u32,
        lane: usize,
        what: &str,
    ) -> Result<&'a Allocation, Box<Fault>> {
        let inside = |a: &Allocation| address >= a.base && address - a.base + u64::from(bytes) <= a.bytes;
        if !address.is_multiple_of(u64::from(bytes.next_power_of_two())) {
            return Err(misaligned(address, bytes, what).lane(lane));
        }
        match hint.filter(|a| inside(a)).or_else(|| self.env.memory.find(address).filter(|a| inside(a))) {
            Some(allocation) => Ok(allocation),
            None => Err(self.outside(address, bytes, what).lane(lane)),
        }
    }

    fn load_global(
        &mut self,
        warp: &mut Warp,
        access: &Access,
        addresses: &Lanes,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let total = access.bytes * access.count;
        self.ask_lanes(traffic::load(access), addresses, active, total);
        let pool = &self.env.program.pool[access.regs as usize..(access.regs + access.count) as usize];
        let check = self.env.config.checks.uninitialised_global;
        let exchange = access.order.is_strong().then(|| self.exchange(warp.number, access.order, access.scope));
        let mut found: Option<&Allocation> = None;
        for lane in lanes_of(active) {
            let address = addresses[lane];
            let allocation = self.global(found, address, total, lane, "read")?;
            found = Some(allocation);
            let offset = address - allocation.base;
            for (i, slot) in pool.iter().enumerate() {
                let at = offset + i as u64 * u64::from(access.bytes);
                let undefined = match check && !allocation.is_written(at, access.bytes) {
                    true => allocation.unwritten(at, access.bytes),
                    false => 0,
                };
                let value = match &exchange {
                    None => allocation.load(at, access.bytes),
                    Some(exchange) => {
                        let load = || (allocation.load(at, access.bytes), Effect::Read);
                        self.exchange_at(exchange, allocation.base + at, load)
                    }
                };
                let source = Source::Global { address: allocation.base + at, pc: self.block.pc };
                let undefined = extended(undefined, access.bytes, access.extend > 0);
                warp.put_undefined(*slot, lane, extend(value, access), (undefined, source));
            }
        }
        if exchange.is_some() {
            self.note_poll(warp, Memory::Global, (addresses, pool[0]), active);
        }
        self.note_reads(warp, access, addresses, active)
    }

    /// A strong load that found what the one before it did, at the same place, is one turn of a loop that waits.
    fn note_poll(&mut self, warp: &mut Warp, memory: Memory, (addresses, slot): (&Lanes, u32), active: u32) {
        let lane = active.trailing_zeros() & 31;
        let (address, pc) = (addresses[lane as usize], self.block.pc);
        let poll = Poll { pc, address, value: warp.reg(slot)[lane as usize] };
        if warp.polled == Some(poll) {
            self.block.spins += 1;
            self.block.polls_global |= memory == Memory::Global;
            self.block.waits = Some(WaitsFor { memory, address, pc, warp: warp.number, lane });
        }
        warp.polled = Some(poll);
    }

    fn store_global(
        &mut self,
        warp: &mut Warp,
        access: &Access,
        addresses: &Lanes,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let total = access.bytes * access.count;
        self.ask_lanes(traffic::store(access), addresses, active, total);
        let mut found: [Option<&Allocation>; 32] = [None; 32];
        let mut last = None;
        let pool = &self.env.program.pool[access.regs as usize..(access.regs + access.count) as usize];
        for lane in lanes_of(active) {
            last = Some(self.global(last, addresses[lane], total, lane, "write")?);
            found[lane] = last;
            pool.iter().try_for_each(|slot| self.need_value(warp, *slot, lane, access.bytes))?;
        }
        if let Some(numbered) = self.numbered(warp, access.order, access.scope) {
            return self.store_noted(warp, access, numbered, (addresses, &found, active));
        }
        for (lane, allocation) in lanes_of(active).filter_map(|lane| Some((lane, found[lane]?))) {
            let offset = addresses[lane] - allocation.base;
            for (i, slot) in pool.iter().enumerate() {
                let at = offset + i as u64 * u64::from(access.bytes);
                allocation.store(at, access.bytes, warp.regs[*slot as usize][lane]);
                allocation.mark(at, access.bytes);
            }
        }
        Ok(())
    }

    fn load_shared(
        &mut self,
        warp: &mut Warp,
        access: &Access,
        addresses: &Lanes,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let total = access.bytes * access.count;
        self.counters.shared(access.site, Way::Load, (addresses, active), total);
        self.reach(warp, addresses, active, access.window)?;
        let pool = &self.env.program.pool[access.regs as usize..(access.regs + access.count) as usize];
        for lane in lanes_of(active) {
            let address = addresses[lane];
            if !address.is_multiple_of(u64::from(total)) {
                return Err(misaligned(address, total, "read").lane(lane));
            }
            let actor = Actor { warp: warp.number, lane: lane as u32 };
            for (i, slot) in pool.iter().enumerate() {
                let at = address + i as u64 * u64::from(access.bytes);
                let value = self.block.shared.load(at, access.bytes, actor, access.order.is_strong());
                let value = value.map_err(|wrong| self.shared_fault(wrong, at, access.bytes, "read").lane(lane))?;
                let (undefined, source) = self.block.shared.undefined(at, access.bytes);
                let undefined = extended(undefined, access.bytes, access.extend > 0);
                warp.put_undefined(*slot, lane, extend(value, access), (undefined, source));
            }
        }
        if access.order.is_strong() {
            self.note_poll(warp, Memory::Shared, (addresses, pool[0]), active);
        }
        Ok(())
    }

    fn store_shared(
        &mut self,
        warp: &mut Warp,
        access: &Access,
        addresses: &Lanes,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let total = access.bytes * access.count;
        self.counters.shared(access.site, Way::Store, (addresses, active), total);
        self.reach(warp, addresses, active, access.window)?;
        let pool = &self.env.program.pool[access.regs as usize..(access.regs + access.count) as usize];
        for lane in lanes_of(active) {
            let address = addresses[lane];
            if !address.is_multiple_of(u64::from(total)) {
                return Err(misaligned(address, total, "write").lane(lane));
            }
            let actor = Actor { warp: warp.number, lane: lane as u32 };
            for (i, slot) in pool.iter().enumerate() {
                let at = address + i as u64 * u64::from(access.bytes);
                let value = warp.regs[*slot as usize][lane];
                let stored = self.block.shared.store(at, access.bytes, value, actor, access.order.is_strong());
                stored.map_err(|wrong| self.shared_fault(wrong, at, access.bytes, "write").lane(lane))?;
                if warp.undefined.lanes(*slot) >> lane & 1 == 1 {
                    let (bytes, source) = (warp.undefined.bytes(*slot, lane), warp.undefined.source(*slot, lane));
                    self.block.shared.set_undefined(at, access.bytes, bytes, source);
                }
            }
        }
        Ok(())
    }

    fn load_param(
        &mut self,
        warp: &mut Warp,
        access: &Access,
        addresses: &Lanes,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let params = &self.env.params;
        let pool = &self.env.program.pool[access.regs as usize..(access.regs + access.count) as usize];
        for lane in lanes_of(active) {
            for (i, slot) in pool.iter().enumerate() {
                let at = addresses[lane].wrapping_add(i as u64 * u64::from(access.bytes)) as usize;
                let Some(bytes) = at.checked_add(access.bytes as usize).and_then(|end| params.get(at..end)) else {
                    let message = format!("reads byte {at} of {} bytes of parameters", params.len());
                    return Err(Fault::new(OUT_OF_BOUNDS, message).lane(lane));
                };
                if at >= self.env.given_bytes {
                    return Err(self.no_argument(at).lane(lane));
                }
                warp.put(*slot, lane, extend(little(bytes), access));
            }
        }
        Ok(())
    }

    /// The fault of reading a parameter for which the launch has no argument.
    fn no_argument(&self, at: usize) -> Box<Fault> {
        let parameters = self.env.program.parameters();
        let place = parameters.iter().rposition(|p| p.offset as usize <= at).unwrap_or(0);
        let name = parameters.get(place).map_or("", |p| p.name.as_str());
        let (given, wanted) = (self.env.config.args.len(), parameters.len());
        let message = format!("reads parameter {place}, `{name}`, for which the launch has no argument");
        Fault::new(BAD_LAUNCH, message)
            .note(format!("{given} arguments are given for {wanted} parameters"))
            .help("give every parameter that the kernel reads an argument")
    }

    /// Loads from and stores to the memory of each thread.
    fn local(
        &mut self,
        warp: &mut Warp,
        access: &Access,
        addresses: &Lanes,
        active: u32,
        store: bool,
    ) -> Result<(), Box<Fault>> {
        let size = self.env.program.local_bytes as usize;
        let pool = &self.env.program.pool[access.regs as usize..(access.regs + access.count) as usize];
        let (total, what) = (access.bytes * access.count, if store { "write" } else { "read" });
        for lane in lanes_of(active) {
            if !addresses[lane].is_multiple_of(u64::from(total.next_power_of_two())) {
                return Err(misaligned(addresses[lane], total, what).lane(lane));
            }
            for (i, slot) in pool.iter().enumerate() {
                let at = addresses[lane].wrapping_add(i as u64 * u64::from(access.bytes)) as usize;
                if at.checked_add(access.bytes as usize).is_none_or(|end| end > size) {
                    let message = format!("an access at byte {at} of {size} bytes of local memory");
                    return Err(Fault::new(OUT_OF_BOUNDS, message).lane(lane));
                }
                let start = lane * size + at;
                let width = access.bytes as usize;
                let place = &mut warp.local[start..start + width];
                if store {
                    place.copy_from_slice(&warp.regs[*slot as usize][lane].to_le_bytes()[..width]);
                    let (bytes, source) = (warp.undefined.bytes(*slot, lane), warp.undefined.source(*slot, lane));
                    warp.local_undefined.set(start, width, bytes, source);
                } else {
                    let value = extend(little(place), access);
                    let (bytes, source) = warp.local_undefined.get(start, width, self.block.pc);
                    let bytes = extended(bytes, access.bytes, access.extend > 0);
                    warp.put_undefined(*slot, lane, value, (bytes, source));
                }
            }
        }
        Ok(())
    }

    /// One byte of memory that a generic address names, for texts; none outside.
    pub(super) fn byte(&self, warp: &Warp, lane: usize, address: u64) -> Option<u8> {
        match space_of(address) {
            (Memory::Shared, at) => self.block.shared.inside(at, 1).then(|| self.block.shared.peek(at, 1) as u8),
            (Memory::Local, at) => {
                let size = self.env.program.local_bytes as usize;
                (at < size as u64).then(|| warp.local[lane * size + at as usize])
            }
            (Memory::Param, at) => self.env.params.get(at as usize).copied(),
            (_, at) => self.env.memory.find(at).map(|a| a.load(at - a.base, 1) as u8),
        }
    }

    pub(super) fn outside(&self, address: u64, bytes: u32, what: &str) -> Box<Fault> {
        let message = format!("a {what} of {bytes} bytes at address {address:#x} is outside every buffer");
        let fault = Fault::new(OUT_OF_BOUNDS, message).help("mask the access, or check the pointer arithmetic");
        match self.env.memory.nearest(address) {
            Some((allocation, offset)) => fault.note(format!("byte {offset} of {}", describe(allocation))),
            None => fault.note("the device has no buffers".to_string()),
        }
    }

    fn other_actor(&self, conflict: Conflict) -> String {
        if conflict.engine { "a bulk copy".to_string() } else { self.thread_in_words(conflict) }
    }

    /// A fault of a shared-memory access.
    pub(crate) fn shared_fault(&self, wrong: Wrong, address: u64, bytes: u32, what: &str) -> Box<Fault> {
        let (start, size) = self.block.shared.extent();
        let offset = at_rank(address, 0) as i64 - i64::from(start);
        let of = match self.env.geometry.size() {
            size if size > 1 && rank_of(address) < size => {
                format!(" of {}", self.env.geometry.cta_in_words(self.block.index, rank_of(address)))
            }
            _ => String::new(),
        };
        let place = format!("byte {offset} of {size} bytes of shared memory{of} (address {address:#x})");
        let fault = match wrong {
            Wrong::Outside => Fault::new(wrong.code(), format!("a {what} of {bytes} bytes outside shared memory"))
                .help(match self.env.config.shared_bytes {
                    0 => "the launch has no dynamic shared memory, which `.extern .shared` arrays need (`tk sim --shared BYTES`)",
                    _ => "check the shared memory size of the launch",
                }),
            Wrong::TooEarly => {
                Fault::new(wrong.code(), "a read of shared memory that a copy in flight is about to write")
                    .help("wait for the copy first: `cp.async.wait_group` and a barrier, or its mbarrier")
            }
            Wrong::Unwritten => {
                Fault::new(wrong.code(), "a read of shared memory that nothing wrote").help("a barrier may be missing")
            }
            Wrong::Mbarrier => Fault::new(wrong.code(), format!("a {what} of shared memory where an mbarrier lies"))
                .help("end the mbarrier with `mbarrier.inval` before its memory is used for something else"),
            Wrong::Race(conflict) => {
                let other = if conflict.wrote { "wrote" } else { "read" };
                let fault = Fault::new(
                    wrong.code(),
                    format!("a {what} races: {} {other} the same shared memory", self.other_actor(conflict)),
                );
                match conflict.engine {
                    true => fault.help("wait for the mbarrier of the copy first"),
                    false => {
                        fault.note("no barrier orders the two accesses".to_string()).help("put a barrier between them")
                    }
                }
            }
            Wrong::InFlight => Fault::new(
                wrong.code(),
                format!("a {what} to shared memory that a copy in flight is about to write"),
            )
            .help("wait for the copy first: `cp.async.wait_group` and a barrier, or its mbarrier"),
            Wrong::NoFence(conflict) => {
                let message = format!("a {what} may miss what {} wrote to shared memory", self.other_actor(conflict));
                Fault::new(wrong.code(), message)
                    .note("ordinary stores and asynchronous engines are different proxies".to_string())
                    .help("execute `fence.proxy.async` after the stores, before the barrier")
            }
            Wrong::Overwritten(conflict) => {
                let message = format!("a {what} races: {} wrote the same shared memory", self.other_actor(conflict));
                let fault = Fault::new(wrong.code(), message)
                    .note("the write is not ordered before the operation was issued".to_string());
                fault.help(match conflict.engine {
                    true => "wait for the mbarrier of the copy first, and start a copy only when its memory is free",
                    false => "wait for the operation to complete before its memory is written again",
                })
            }
        };
        fault.note(place)
    }
}

fn describe(allocation: &Allocation) -> String {
    let name =
        if allocation.name.is_empty() { "the nearest buffer".to_string() } else { format!("`{}`", allocation.name) };
    format!("{name}, which has {} bytes from {:#x}", allocation.bytes, allocation.base)
}

pub(super) fn misaligned(address: u64, bytes: u32, what: &str) -> Box<Fault> {
    let message = format!("a {what} of {bytes} bytes at address {address:#x}, which is not a multiple of {bytes}");
    Fault::new(MISALIGNED, message).help("a pointer or stride was promised a divisibility it does not have")
}

/// Addresses within the space, and the space when it is one for all lanes.
#[inline]
pub(super) fn resolve(memory: Memory, base: &Lanes, offset: i64, active: u32) -> (Memory, Lanes) {
    let mut addresses = base.map(|a| a.wrapping_add(offset as u64));
    if memory == Memory::Shared {
        // Shared addresses are 32-bit numbers, and a generic-looking one of a 64-bit register is its offset.
        addresses = addresses.map(|a| space_of(a).1 & 0xFFFF_FFFF);
        return (memory, addresses);
    }
    if memory != Memory::Generic {
        return (memory, addresses);
    }
    let first = space_of(addresses[active.trailing_zeros() as usize & 31]).0;
    if lanes_of(active).all(|lane| space_of(addresses[lane]).0 == first) {
        return (first, addresses.map(|a| space_of(a).1));
    }
    (Memory::Generic, addresses)
}

/// The lanes of each space.
pub(super) fn split(addresses: &Lanes, active: u32) -> Vec<(Memory, u32, Lanes)> {
    let spaces = [Memory::Global, Memory::Shared, Memory::Local, Memory::Param];
    let lanes = |memory: Memory| {
        lanes_of(active).filter(|lane| space_of(addresses[*lane]).0 == memory).fold(0, |m, lane| m | 1u32 << lane)
    };
    let inner = addresses.map(|a| space_of(a).1);
    spaces.into_iter().map(|memory| (memory, lanes(memory), inner)).filter(|part| part.1 != 0).collect()
}

#[inline]
fn extend(value: u64, access: &Access) -> u64 {
    if access.extend == 0 {
        return value;
    }
    let shift = 64 - 8 * access.bytes;
    let wide = ((value << shift) as i64 >> shift) as u64;
    let unused = 64 - access.extend;
    wide << unused >> unused
}

fn little(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}
