//! `atom` and `red`.
//!
//! Code that adds to one half of a word adds negative zero to the other one. That changes no number, so it counts as no access: the half may be another
//! program's, nobody need have written it, and the word may reach over the end of a tensor, as the GPU's memory does.

use super::memory::{misaligned, resolve, split};
use super::{Flow, Machine, Step};
use crate::cluster::WaitsFor;
use crate::fault::Fault;
use crate::global_races::{GlobalRaces, Met, Page};
use crate::lanes::{Lanes, lanes_of};
use crate::memory_order::{Effect, Exchange, Numbered};
use crate::program::{Access, Atomic, AtomicKind, Memory, Update};
use crate::shared::Actor;
use crate::traffic::{Direction, Request};
use crate::undefined::Source;
use crate::warp::Warp;
use crate::wavefronts::Way;
use tk_diag::UNSUPPORTED;

/// What the lanes of one atomic give and take, made when the first needs it.
#[derive(Default)]
struct Exchanges(Option<Exchange>);

impl Exchanges {
    fn of(&mut self, machine: &mut Machine<'_>, warp: u32, access: &Access) -> &Exchange {
        self.0.get_or_insert_with(|| machine.exchange(warp, access.order, access.scope))
    }
}

/// Where a lane updates memory.
#[derive(Clone, Copy)]
struct Place {
    at: u64,
    bytes: u32,
    lane: usize,
}

/// The bits of negative zero in f16 and bf16.
const NEGATIVE_ZERO: u64 = 0x8000;

/// What one element of a lane updates.
#[derive(Clone, Copy)]
struct Part {
    at: u64,
    bytes: u32,
    operand: u64,
    update: Update,
}

impl Part {
    /// Without the half of a word that negative zero is added to. `half` is the addition to one half, if it is such a word.
    fn without_idle_half(self, half: Option<Update>) -> Self {
        let Some(update) = half.filter(|_| self.at.is_multiple_of(4)) else { return self };
        let (low, high) = (self.operand & 0xFFFF, self.operand >> 16);
        match (low, high) {
            (_, NEGATIVE_ZERO) => Self { bytes: 2, operand: low, update, ..self },
            (NEGATIVE_ZERO, _) => Self { at: self.at + 2, bytes: 2, operand: high, update },
            _ => self,
        }
    }

    /// The bits that it has.
    fn mask(self) -> u64 {
        if self.bytes == 8 { u64::MAX } else { (1 << (8 * self.bytes)) - 1 }
    }
}

impl Machine<'_> {
    /// An update in one step with its note. `peek` says the old value, `writes` and `changes` say what it does to an old value.
    fn update_noted(
        &mut self,
        warp: u32,
        exchange: &Exchange,
        numbered: Numbered,
        Place { at, bytes, lane }: Place,
        (peek, update): (impl FnOnce() -> u64, impl FnOnce() -> u64),
        (writes, changes): (impl Fn(u64) -> bool, impl Fn(u64) -> bool),
    ) -> Result<u64, Box<Fault>> {
        let env = self.env;
        let Some(global) = &env.global else { return Ok(update()) };
        let record = numbered.record;
        let step = |machine: &mut Self, page: &mut Page| -> Result<u64, Met> {
            // Who holds the page is alone with its words.
            let old = peek();
            if let Some(races) = machine.block.shared.races() {
                let by = races.accessor(warp, numbered, &global.records);
                match writes(old) {
                    true => page.write(at, bytes, &by, !changes(old))?,
                    false => page.read(at, bytes, &by, false)?,
                }
            }
            machine.block.changes += u64::from(writes(old) && changes(old));
            let effect = if writes(old) { Effect::Update } else { Effect::Read };
            Ok(machine.exchange_at(exchange, at, || (update(), effect)))
        };
        let met = global.with_page(env.memory, GlobalRaces::page_of(at), |page| step(self, page));
        met.map_err(|met| self.global_race(met, &record, at, bytes).lane(lane))
    }

    pub(super) fn atomic(&mut self, warp: &mut Warp, index: u32, active: u32) -> Step {
        let atomic = &self.env.program.atomics[index as usize];
        let access = &atomic.access;
        let (memory, addresses) = resolve(access.memory, warp.reg(access.base), access.offset, active);
        let mut failed = false;
        match memory {
            Memory::Generic => {
                for (memory, lanes, addresses) in split(&addresses, active) {
                    failed |= self.atomic_in(warp, atomic, memory, &addresses, lanes)?;
                }
            }
            memory => failed = self.atomic_in(warp, atomic, memory, &addresses, active)?,
        }
        if failed {
            // A failed compare-and-swap is probably a lock that another warp holds.
            self.block.spins += 1;
            let lane = active.trailing_zeros() & 31;
            let (address, pc) = (addresses[lane as usize], self.block.pc);
            let memory = if memory == Memory::Shared { memory } else { Memory::Global };
            self.block.polls_global |= memory == Memory::Global;
            self.block.waits = Some(WaitsFor { memory, address, pc, warp: warp.number, lane });
            return Ok(Flow::Yield);
        }
        Ok(Flow::Next)
    }

    /// Counts the access, and checks that other CTAs' memory may be accessed.
    fn begin_atomic(
        &mut self,
        warp: &Warp,
        access: &Access,
        memory: Memory,
        addresses: &Lanes,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let total = access.bytes * access.count;
        if memory == Memory::Global {
            let request = Request { site: access.site, direction: Direction::Update };
            self.ask_lanes(request, addresses, active, total);
            return Ok(());
        }
        self.counters.shared(access.site, Way::Store, (addresses, active), total);
        if memory == Memory::Shared { self.reach(warp, addresses, active, access.window) } else { Ok(()) }
    }

    /// Performs the lanes in order; true when a compare-and-swap found another value in every lane.
    fn atomic_in(
        &mut self,
        warp: &mut Warp,
        atomic: &Atomic,
        memory: Memory,
        addresses: &Lanes,
        active: u32,
    ) -> Result<bool, Box<Fault>> {
        let access = &atomic.access;
        let (total, bytes) = (access.bytes * access.count, access.bytes);
        self.begin_atomic(warp, access, memory, addresses, active)?;
        let check = self.env.config.checks.uninitialised_global;
        let (update, half) = match memory {
            Memory::Global => (atomic.global_update, atomic.half),
            Memory::Shared | Memory::Local | Memory::Param | Memory::Generic => (atomic.update, None),
        };
        let is_cas = atomic.kind == AtomicKind::CompareAndSwap;
        let mut all_failed = is_cas;
        let global = (memory == Memory::Global).then(|| self.numbered(warp, access.order, access.scope)).flatten();
        let mut exchange = Exchanges::default();
        for lane in lanes_of(active) {
            for i in 0..access.count {
                let operand = warp.regs[self.env.program.pool[(atomic.operands + i) as usize] as usize][lane];
                let whole = Part { at: addresses[lane] + u64::from(i * bytes), bytes, operand, update };
                let part = Part { operand: operand & whole.mask(), ..whole }.without_idle_half(half);
                let (mask, Part { at, bytes, operand: b, update: f }) = (part.mask(), part);
                let c = warp.regs[atomic.second as usize][lane] & mask;
                let mut undefined = (0, Source::Predicate);
                let old = match memory {
                    Memory::Global => {
                        let checked = if i == 0 && bytes == access.bytes { total } else { bytes };
                        let allocation = self.global(None, at, checked, lane, "atomic update")?;
                        let offset = at - allocation.base;
                        if check && !allocation.is_written(offset, bytes) {
                            let source = Source::Global { address: at, pc: self.block.pc };
                            if atomic.kind != AtomicKind::Exchange {
                                return Err(self.depends("this atomic update", source).lane(lane));
                            }
                            undefined = (allocation.unwritten(offset, bytes), source);
                            allocation.mark(offset, bytes);
                        }
                        let update = || allocation.update(offset, bytes, |old| f(old, b, c) & mask);
                        match global {
                            None => update(),
                            Some(numbered) => {
                                let place = Place { at, bytes, lane };
                                let writes = |old: u64| !is_cas || old == b;
                                let changes = |old: u64| f(old, b, c) & mask != old;
                                let exchange = exchange.of(self, warp.number, access);
                                let peek = || allocation.load(offset, bytes);
                                let effects = (writes, changes);
                                self.update_noted(warp.number, exchange, numbered, place, (peek, update), effects)?
                            }
                        }
                    }
                    Memory::Shared => {
                        if !at.is_multiple_of(u64::from(bytes)) {
                            return Err(misaligned(at, bytes, "atomic update").lane(lane));
                        }
                        self.need_shared(at & !3, bytes, "this atomic update").map_err(|fault| fault.lane(lane))?;
                        let actor = Actor { warp: warp.number, lane: lane as u32 };
                        let old = self.block.shared.update(at, bytes, actor, |old| f(old, b, c) & mask);
                        old.map_err(|w| self.shared_fault(w, at, bytes, "atomic update").lane(lane))?
                    }
                    Memory::Local | Memory::Param | Memory::Generic => {
                        return Err(Fault::new(UNSUPPORTED, "an atomic on local memory").lane(lane));
                    }
                };
                all_failed &= old != b;
                if atomic.returns {
                    let slot = self.env.program.pool[(access.regs + i) as usize];
                    warp.put_undefined(slot, lane, old, undefined);
                }
            }
        }
        Ok(all_failed)
    }
}
