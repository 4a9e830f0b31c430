//! Accesses to global memory as [`crate::global_races`] sees them: whose they are, what they acquire and release, and what is wrong.

use super::Machine;
use crate::engine::{CopyEnd, Origin};
use crate::fault::Fault;
use crate::global_races::{Accessor, Clash, GlobalRaces, Met, ReleaseKey};
use crate::lanes::{Lanes, lanes_of};
use crate::memory::Allocation;
use crate::memory_order::{Effect, Exchange, Numbered};
use crate::program::{Access, MemoryOrder, MemoryScope};
use crate::records::{Record, Strength};
use crate::warp::Warp;
use tk_diag::DATA_RACE;

/// The lanes whose addresses are in the page of the first of them.
pub(super) fn lanes_of_page(addresses: &Lanes, lanes: u32) -> u32 {
    let page = |lane: usize| GlobalRaces::page_of(addresses[lane]);
    let first = page(lanes.trailing_zeros() as usize & 31);
    lanes_of(lanes).filter(|lane| page(*lane) == first).fold(0, |mask, lane| mask | 1 << lane)
}

/// Pieces, each of one page: runs of whole words, and single bytes at the ends. Addresses and sizes.
fn pieces(address: u64, bytes: u64) -> impl Iterator<Item = (u64, u64)> {
    let end = address + bytes;
    let mut at = address;
    std::iter::from_fn(move || {
        let whole = (end.min(GlobalRaces::end_of_page(at)) - at) & !3;
        let size = if at.is_multiple_of(4) && whole > 0 { whole } else { 1 };
        let piece = (at < end).then_some((at, size));
        at = end.min(at + size);
        piece
    })
}

impl Machine<'_> {
    /// Numbers the access that a warp is making; nothing when races in global memory are not looked for.
    pub(super) fn numbered(&mut self, warp: &mut Warp, order: MemoryOrder, scope: MemoryScope) -> Option<Numbered> {
        let global = self.env.global.as_ref()?;
        let (time, pc) = (self.block.shared.races()?.time(), self.block.pc);
        let strength = Strength::new(order, scope);
        let (cta, warp_number) = (self.block.index as u32, warp.number as u8);
        let record =
            Record { cta, warp: warp_number, time, pc, strength, by_engine: false, waited: false, actor: warp_number };
        if let Some((_, number)) = warp.accesses.get(&pc).filter(|known| known.0 == time) {
            return Some(Numbered { number: *number, record });
        }
        let number = global.records.add(record)?;
        if warp.accesses.insert(pc, (time, number)).is_none() {
            self.block.shared.races_mut()?.executed.add(warp_number, pc);
        }
        Some(Numbered { number, record })
    }

    /// Notes the reads of a load by these lanes, which found their memory.
    pub(super) fn note_reads(
        &mut self,
        warp: &mut Warp,
        access: &Access,
        addresses: &Lanes,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let Some(numbered) = self.numbered(warp, access.order, access.scope) else { return Ok(()) };
        self.reads(warp.number, numbered, (access.bytes, access.count, access.constant), addresses, active)
    }

    /// Notes the reads of a warp: each lane's elements of so many bytes.
    pub(super) fn reads(
        &self,
        warp: u32,
        numbered: Numbered,
        (bytes, count, constant): (u32, u32, bool),
        addresses: &Lanes,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let (Some(global), Some(races)) = (&self.env.global, self.block.shared.races()) else { return Ok(()) };
        let record = numbered.record;
        let by = races.accessor(warp, numbered, &global.records);
        let mut rest = active;
        while rest != 0 {
            let lanes = lanes_of_page(addresses, rest);
            let page = GlobalRaces::page_of(addresses[lanes.trailing_zeros() as usize & 31]);
            let met = global.with_page(self.env.memory, page, |page| {
                for lane in lanes_of(lanes) {
                    for i in 0..count {
                        let at = addresses[lane] + u64::from(i * bytes);
                        page.read(at, bytes, &by, constant).map_err(|met| (met, at, lane))?;
                    }
                }
                Ok(())
            });
            met.map_err(|(met, at, lane)| self.global_race(met, &record, at, bytes).lane(lane))?;
            rest &= !lanes;
        }
        Ok(())
    }

    /// What a strong access of a warp gives and takes.
    pub(super) fn exchange(&mut self, warp: u32, order: MemoryOrder, scope: MemoryScope) -> Exchange {
        let cta = self.block.index as u32;
        let given = self.block.shared.races_mut().and_then(|races| match order {
            _ if order.releases() => Some(races.publish(warp, cta)),
            MemoryOrder::Weak => None,
            _ => Some(races.released(warp).clone()).filter(|released| !released.is_empty()),
        });
        Exchange { warp, order, scope, given }
    }

    /// Performs a strong access at an address, in one step with what it acquires and releases there. `f` says what it did.
    pub(super) fn exchange_at<T>(&mut self, exchange: &Exchange, address: u64, f: impl FnOnce() -> (T, Effect)) -> T {
        let env = self.env;
        let (Some(global), Some(races)) = (&env.global, self.block.shared.races_mut()) else { return f().0 };
        let cta = self.block.index as u32;
        let mut releases = global.releases(address);
        let (result, effect) = f();
        let (wide, own) = (ReleaseKey { address, cta: None }, ReleaseKey { address, cta: Some(cta) });
        let (told_wide, told_own) = (releases.get(&wide).cloned(), releases.get(&own).cloned());
        if effect == Effect::Overwrite {
            releases.remove(&wide);
            releases.remove(&own);
        }
        if let Some(given) = exchange.given.as_ref().filter(|_| effect != Effect::Read) {
            releases.entry(ReleaseKey::new(address, exchange.scope, cta)).or_default().join(given);
        }
        drop(releases);
        if effect == Effect::Overwrite {
            return result;
        }
        for told in [told_wide, told_own].into_iter().flatten() {
            let told = if exchange.scope == MemoryScope::Cta { told.only(cta) } else { told };
            match exchange.order.acquires() {
                true => races.learn(exchange.warp, cta, &told),
                false => races.meets(exchange.warp, &told),
            }
        }
        result
    }

    /// The stores of these lanes, whose memory `found` says, each in one step with its note.
    pub(super) fn store_noted(
        &mut self,
        warp: &Warp,
        access: &Access,
        numbered: Numbered,
        (addresses, found, active): (&Lanes, &[Option<&Allocation>; 32], u32),
    ) -> Result<(), Box<Fault>> {
        let env = self.env;
        let Some(global) = &env.global else { return Ok(()) };
        let pool = &env.program.pool[access.regs as usize..(access.regs + access.count) as usize];
        let exchange = access.order.is_strong().then(|| self.exchange(warp.number, access.order, access.scope));
        let bits = if access.bytes == 8 { u64::MAX } else { (1 << (8 * access.bytes)) - 1 };
        let record = numbered.record;
        let mut rest = active;
        while rest != 0 {
            let lanes = lanes_of_page(addresses, rest);
            let page = GlobalRaces::page_of(addresses[lanes.trailing_zeros() as usize & 31]);
            let met = global.with_page(env.memory, page, |page| {
                for lane in lanes_of(lanes) {
                    let Some(allocation) = found[lane] else { continue };
                    for (i, slot) in pool.iter().enumerate() {
                        let at = addresses[lane] + i as u64 * u64::from(access.bytes);
                        let offset = at - allocation.base;
                        let value = warp.regs[*slot as usize][lane] & bits;
                        let same = allocation.is_written(offset, access.bytes)
                            && allocation.load(offset, access.bytes) == value;
                        let Some(races) = self.block.shared.races() else { continue };
                        let by = races.accessor(warp.number, numbered, &global.records);
                        page.write(at, access.bytes, &by, same).map_err(|met| (met, at, lane))?;
                        self.block.changes += u64::from(!same);
                        let store = || {
                            allocation.store(offset, access.bytes, value);
                            allocation.mark(offset, access.bytes);
                        };
                        match &exchange {
                            Some(exchange) => self.exchange_at(exchange, at, || (store(), Effect::Overwrite)),
                            None => store(),
                        }
                    }
                }
                Ok(())
            });
            met.map_err(|(met, at, lane)| self.global_race(met, &record, at, access.bytes).lane(lane))?;
            rest &= !lanes;
        }
        Ok(())
    }

    /// Numbers what a bulk copy does.
    fn numbered_bulk(&mut self, origin: &Origin, strength: Strength) -> Option<(u32, Record)> {
        let global = self.env.global.as_ref()?;
        let now = self.block.shared.races()?.time();
        let (cta, warp) = (self.block.index as u32, origin.actor.warp as u8);
        let (time, actor) = match origin.end {
            CopyEnd::Anything => (0, warp),
            CopyEnd::Mbarrier(actor) => (now, actor),
            CopyEnd::Issued | CopyEnd::Waited => (now, warp),
        };
        let waited = origin.end == CopyEnd::Waited;
        let record = Record { cta, warp, time, pc: origin.pc, strength, by_engine: true, waited, actor };
        if let Some((number, _)) = self.block.last_bulk.filter(|known| known.1 == record) {
            return Some((number, record));
        }
        let number = global.records.add(record)?;
        self.block.last_bulk = Some((number, record));
        Some((number, record))
    }

    /// Notes a read of bytes by a bulk copy.
    pub(crate) fn note_bulk_read(&mut self, origin: &Origin, address: u64, bytes: u64) -> Result<(), Box<Fault>> {
        let numbered = self.numbered_bulk(origin, Strength::Weak);
        let (Some(global), Some((number, record))) = (&self.env.global, numbered) else { return Ok(()) };
        let by = Accessor { number, record, clock: &origin.clock, records: &global.records, executed: None };
        for (at, size) in pieces(address, bytes) {
            let met = global.with_page(self.env.memory, GlobalRaces::page_of(at), |page| match size {
                1 => page.read(at, 1, &by, false).map_err(|met| (met, at)),
                _ => page.read_words(at, (size / 4) as usize, &by),
            });
            met.map_err(|(met, at)| self.global_race(met, &record, at, size.min(4) as u32))?;
        }
        Ok(())
    }

    /// Notes a write of one unit by a bulk copy; `f` performs it and says whether the memory kept its value.
    pub(super) fn note_bulk_write(
        &mut self,
        origin: Option<&Origin>,
        (address, bytes): (u64, u32),
        strength: Strength,
        f: impl FnOnce() -> bool,
    ) -> Result<(), Box<Fault>> {
        let numbered = origin.and_then(|origin| Some((origin, self.numbered_bulk(origin, strength)?)));
        let (Some(global), Some((origin, (number, record)))) = (&self.env.global, numbered) else {
            f();
            return Ok(());
        };
        let by = Accessor { number, record, clock: &origin.clock, records: &global.records, executed: None };
        let written = global.with_page(self.env.memory, GlobalRaces::page_of(address), |page| {
            let same = f();
            page.write(address, bytes, &by, same).map(|()| same)
        });
        let same = written.map_err(|met| self.global_race(met, &record, address, bytes))?;
        self.block.changes += u64::from(!same);
        Ok(())
    }

    /// The fault of two accesses that race; `mine` is the one that is going on.
    pub(super) fn global_race(&self, met: Met, mine: &Record, address: u64, bytes: u32) -> Box<Fault> {
        let Met { clash, other } = met;
        let geometry = &self.env.geometry;
        let (rank, warp) = (geometry.rank(u32::from(other.warp)), geometry.in_cta(u32::from(other.warp)));
        let here = other.cta == mine.cta && rank == geometry.rank(u32::from(mine.warp));
        let who = match here {
            true => format!("warp {warp} of the same CTA"),
            false => geometry.cta_in_words(u64::from(other.cta), rank),
        };
        let (what, did) = match clash {
            Clash::Writes => ("write", "wrote another value to"),
            Clash::ReadOfWritten => ("read", "wrote"),
            Clash::WriteOfRead => ("write", "read"),
            Clash::Constant => ("read by `ld.global.nc`", "wrote"),
            Clash::NoFence => ("bulk copy", "wrote"),
        };
        let message = match clash {
            Clash::NoFence => format!("a {what} may miss what {who} {did} to global memory"),
            _ => format!("a {what} races: {who} {did} the same global memory"),
        };
        let place = self.env.memory.find(address).map(|allocation| allocation.place(address, bytes));
        let fault = Fault::new(DATA_RACE, message).at(mine.pc).in_warp(u32::from(mine.warp));
        let fault = place.into_iter().fold(fault, Fault::note);
        let label = format!("{who} {} here", if clash == Clash::WriteOfRead { "reads" } else { "writes" });
        let fault = fault.meets(other.pc, label);
        let copies = mine.by_engine || other.by_engine && !other.waited;
        match (clash, here) {
            (Clash::NoFence, _) => fault
                .note("ordinary writes and bulk copies are different proxies".to_string())
                .help("execute `fence.proxy.async` after the writes, before what orders the copy behind them"),
            (Clash::Writes | Clash::ReadOfWritten | Clash::WriteOfRead, true) if copies => fault
                .note("nothing orders the copy and the other access".to_string())
                .help("wait for the copy (its mbarrier, or `cp.async.bulk.wait_group` without `.read`), and put a barrier behind the wait"),
            (Clash::Constant, _) => fault
                .note("`ld.global.nc` may read what a cache held before the kernel began".to_string())
                .help("read memory that the kernel writes with `ld.global`"),
            (_, true) => fault
                .note("no barrier orders the two accesses".to_string())
                .help("put a barrier between them: `tl.debug_barrier()` in a kernel of tk"),
            (Clash::Writes, false) => fault
                .note("nothing orders the two writes, so either value may remain".to_string())
                .help("let one program write each element, mask the others, or use an atomic"),
            (Clash::ReadOfWritten | Clash::WriteOfRead, false) => fault
                .note("no release and acquire order the two accesses, so either may come first".to_string())
                .help("use an atomic for the update, hand the data over with an atomic flag or lock (release after the write, acquire before the read), or launch two kernels"),
        }
    }
}
