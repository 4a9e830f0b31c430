//! Operations on mbarriers.
//!
//! `try_wait` may suspend the thread for a while. Here it either answers false at once, as if its time had run out, or suspends
//! until the phase completes; a seeded coin decides. Code that asks only once is so found out, and a loop that waits for a phase
//! that nothing can complete ends suspended: a deadlock. `test_wait` always answers at once.

use super::memory::misaligned;
use super::{Flow, Machine, Step, skip_others, space_of};
use crate::fault::Fault;
use crate::lanes::lanes_of;
use crate::mbarrier::{Arrival, LastArrival, LaterPhases, MOST, Mbarrier as Object};
use crate::program::{ArrivalOrder, CopyCount, Mbarrier, MbarrierKind, PhaseName, Wait};
use crate::shared::Actor;
use crate::warp::{State, Warp};
use tk_diag::{BAD_PTX, DATA_RACE, UNINITIALISED};

impl Machine<'_> {
    pub(super) fn mbarrier(&mut self, warp: &mut Warp, index: usize, number: u32, active: u32) -> Step {
        let operation = &self.env.program.mbarriers[number as usize];
        match operation.kind {
            MbarrierKind::Test { .. } => return self.mbarrier_test(warp, index, operation, active),
            // Landing the lane's copies now is one of the orders that the hardware may choose.
            MbarrierKind::CopyArrive(_) => {
                self.copy_wait(warp, u32::MAX, active)?;
            }
            MbarrierKind::Init
            | MbarrierKind::Invalidate
            | MbarrierKind::Arrive(_)
            | MbarrierKind::ExpectTx
            | MbarrierKind::ArriveExpectTx(_)
            | MbarrierKind::CompleteTx => {}
        }
        let pc = warp.fragments[index].pc;
        self.reach_mbarriers(warp, operation, active)?;
        for lane in lanes_of(active) {
            self.mbarrier_of_lane(warp, operation, (pc, active), lane).map_err(|fault| fault.lane(lane))?;
        }
        Ok(Flow::Next)
    }

    /// Checks that a warp may use these mbarriers now.
    fn reach_mbarriers(&mut self, warp: &Warp, operation: &Mbarrier, active: u32) -> Result<(), Box<Fault>> {
        let keys = warp.reg(operation.base).map(|a| space_of(a.wrapping_add(operation.offset as u64)).1 & 0xFFFF_FFFF);
        if operation.order == ArrivalOrder::Release {
            return self.reach(warp, &keys, active, operation.window);
        }
        // Who waits for a relaxed arrival knows that it is over, which no clock says.
        lanes_of(active).try_for_each(|lane| self.may_reach(warp, keys[lane], lane, operation.window))
    }

    fn mbarrier_of_lane(
        &mut self,
        warp: &mut Warp,
        operation: &Mbarrier,
        (pc, active): (u32, u32),
        lane: usize,
    ) -> Result<(), Box<Fault>> {
        let key = mbarrier_key(warp, operation, lane)?;
        let actor = Actor { warp: warp.number, lane: lane as u32 };
        let count = warp.reg(operation.operand)[lane] as u32;
        if operation.kind == MbarrierKind::Init {
            return self.mbarrier_init(key, count, actor, pc);
        }
        if operation.kind == MbarrierKind::Invalidate {
            return self.mbarrier_invalidate(key, actor);
        }
        self.mbarrier_use(key, actor)?;
        let Some(object) = self.block.mbarriers.get_mut(&key) else { return Err(no_mbarrier(key)) };
        let token = object.phase;
        let bytes = i64::from(count);
        let result = match operation.kind {
            MbarrierKind::ExpectTx => object.transfer(bytes),
            MbarrierKind::CompleteTx => object.transfer(-bytes),
            MbarrierKind::ArriveExpectTx(arrival) => object.transfer(bytes).and_then(|()| object.arrive(1, arrival)),
            MbarrierKind::Arrive(arrival) => object.arrive(count, arrival),
            MbarrierKind::CopyArrive(CopyCount::Included) => {
                object.arrive(1, Arrival { later: LaterPhases::Wait, last: LastArrival::Allowed })
            }
            MbarrierKind::CopyArrive(CopyCount::Added) => Ok(()),
            MbarrierKind::Init | MbarrierKind::Invalidate | MbarrierKind::Test { .. } => Ok(()),
        };
        if let Err(message) = result {
            return Err(Fault::new(BAD_PTX, format!("mbarrier at shared address {key:#x}: {message}")));
        }
        match operation.order {
            ArrivalOrder::Release => {
                self.block.shared.release(warp.number, warp.with_absent(active), &mut object.clock);
            }
            ArrivalOrder::Relaxed => {
                if let Some(fenced) = &self.block.fenced[warp.number as usize] {
                    object.clock.join(fenced);
                }
            }
        }
        self.block.phases += u64::from(object.finish_phase());
        warp.put(operation.result, lane, token);
        Ok(())
    }

    fn mbarrier_init(&mut self, key: u32, count: u32, actor: Actor, pc: u32) -> Result<(), Box<Fault>> {
        // A thread may write a new object over its own that nobody has used: compilers do, and nothing can go wrong.
        let unused =
            |old: &Object| old.is_unused() && old.born.warp == actor.warp as u8 && old.born.lane == actor.lane as u8;
        if let Some(old) = self.block.mbarriers.get(&key).filter(|old| !unused(old)) {
            let message = format!("`mbarrier.init` of shared address {key:#x}, where an mbarrier is in use");
            return Err(Fault::new(BAD_PTX, message)
                .also(old.init, "initialises it")
                .help("end the old one with `mbarrier.inval` first, when all threads and copies are done with it"));
        }
        if count == 0 || i64::from(count) > MOST {
            return Err(Fault::new(BAD_PTX, format!("an mbarrier of {count} arrivals; there are 1 to {MOST}")));
        }
        let placed = self.block.shared.place_mbarrier(u64::from(key), actor);
        placed.map_err(|wrong| self.shared_fault(wrong, u64::from(key), 8, "mbarrier"))?;
        let engine = self.block.new_engine();
        let born = self.block.shared.stamp(actor);
        self.block.mbarriers.insert(key, Object::new(count, engine, (born, pc)));
        Ok(())
    }

    fn mbarrier_invalidate(&mut self, key: u32, actor: Actor) -> Result<(), Box<Fault>> {
        let Some(object) = self.block.mbarriers.get(&key) else { return Err(no_mbarrier(key)) };
        if self.block.engine.loads.iter().any(|load| load.key == key) {
            return Err(gone(key));
        }
        let unordered = |mark| self.block.shared.unordered(mark, actor);
        if let Some(conflict) = unordered(object.born).or_else(|| object.uses().find_map(unordered)) {
            let message =
                format!("`mbarrier.inval` races: {} may still use the mbarrier", self.thread_in_words(conflict));
            return Err(Fault::new(DATA_RACE, message)
                .note(format!("the mbarrier at shared address {key:#x}"))
                .help("put a barrier between the last use and the end of an mbarrier"));
        }
        self.block.mbarriers.remove(&key);
        self.block.shared.free_mbarrier(u64::from(key), actor);
        Ok(())
    }

    /// Checks that the mbarrier at an address exists for a thread that uses it, and notes the use.
    pub(super) fn mbarrier_use(&mut self, key: u32, actor: Actor) -> Result<(), Box<Fault>> {
        let Some(object) = self.block.mbarriers.get(&key) else { return Err(no_mbarrier(key)) };
        if let Some(conflict) = self.block.shared.unordered(object.born, actor) {
            let message =
                format!("the use of an mbarrier races with its initialisation by {}", self.thread_in_words(conflict));
            return Err(Fault::new(DATA_RACE, message)
                .also(object.init, "initialises it")
                .help("put a barrier between `mbarrier.init` and the first use by other threads"));
        }
        let Some(object) = self.block.mbarriers.get_mut(&key) else { return Err(no_mbarrier(key)) };
        let first = object.is_unused();
        object.used(self.block.shared.stamp(actor));
        if first && !self.block.shared.claim_mbarrier(u64::from(key)) {
            let message = format!(
                "the mbarrier at shared address {key:#x} was overwritten between its initialisation and its use"
            );
            return Err(Fault::new(BAD_PTX, message).also(object.init, "initialises it"));
        }
        Ok(())
    }

    fn mbarrier_test(&mut self, warp: &mut Warp, index: usize, operation: &Mbarrier, active: u32) -> Step {
        let MbarrierKind::Test { phase, wait } = operation.kind else { return Ok(Flow::Next) };
        let pc = warp.fragments[index].pc;
        let mut done = 0;
        let mut key = 0;
        self.reach_mbarriers(warp, operation, active)?;
        for lane in lanes_of(active) {
            key = mbarrier_key(warp, operation, lane).map_err(|fault| fault.lane(lane))?;
            let actor = Actor { warp: warp.number, lane: lane as u32 };
            self.mbarrier_use(key, actor).map_err(|fault| fault.lane(lane))?;
            let Some(object) = self.block.mbarriers.get_mut(&key) else { return Err(no_mbarrier(key).lane(lane)) };
            let operand = warp.reg(operation.operand)[lane];
            let complete = match phase {
                PhaseName::Parity => object.phase & 1 != operand & 1,
                PhaseName::Token => {
                    check_token(key, operand, object.phase).map_err(|fault| fault.lane(lane))?;
                    object.phase != operand
                }
            };
            let waited = phase == PhaseName::Parity && wait == Wait::Possible;
            if let Some(missed) = object.missed(warp.number, pc).filter(|_| waited && !complete) {
                return Err(passed_unseen(key, missed, object.phase).lane(lane));
            }
            if complete {
                self.block.shared.acquire(warp.number, &object.clock);
                done |= 1 << lane;
            } else if waited {
                object.waits(warp.number, pc);
            }
        }
        if done == 0 && wait == Wait::Possible && self.block.engine.random(2) == 0 {
            skip_others(warp, index, active);
            warp.fragments[index].state = State::Mbarrier { key, phases: self.block.phases };
            return Ok(Flow::Select);
        }
        warp.set_pred(operation.answer, done, active);
        if done == active {
            return Ok(Flow::Next);
        }
        self.block.spins += 1;
        self.block.idle_tests += u64::from(wait == Wait::Never);
        Ok(Flow::Yield)
    }
}

/// A token is of the current phase or of the one before it.
fn check_token(key: u32, token: u64, phase: u64) -> Result<(), Box<Fault>> {
    if token == phase || token + 1 == phase {
        return Ok(());
    }
    let message =
        format!("a wait for phase {token} of the mbarrier at shared address {key:#x}, which is in phase {phase}");
    Err(Fault::new(BAD_PTX, message)
        .help("wait with the state that an arrival in the current or the previous phase returned"))
}

/// A phase that a thread waits for by parity, and the next one, completed before the thread looked again.
fn passed_unseen(key: u32, missed: u64, phase: u64) -> Box<Fault> {
    let message = format!(
        "phase {missed} of the mbarrier at shared address {key:#x} completed unseen: the mbarrier is in phase {phase}, of the same parity"
    );
    Fault::new(DATA_RACE, message).help(
        "a phase may complete only after all threads have seen the one before: let them arrive at a second mbarrier",
    )
}

fn mbarrier_key(warp: &Warp, operation: &Mbarrier, lane: usize) -> Result<u32, Box<Fault>> {
    let address = warp.reg(operation.base)[lane].wrapping_add(operation.offset as u64);
    shared_key(address)
}

/// The address of an mbarrier within shared memory.
pub(super) fn shared_key(address: u64) -> Result<u32, Box<Fault>> {
    let address = space_of(address).1 & 0xFFFF_FFFF;
    match address.is_multiple_of(8) {
        true => Ok(address as u32),
        false => Err(misaligned(address, 8, "mbarrier")),
    }
}

/// The object of a bulk copy in flight does not exist any more.
pub(crate) fn gone(key: u32) -> Box<Fault> {
    let message = format!("the mbarrier at shared address {key:#x} is gone before its copy landed");
    Fault::new(BAD_PTX, message).help("wait for the mbarrier before `mbarrier.inval`")
}

pub(super) fn no_mbarrier(key: u32) -> Box<Fault> {
    let message = format!("there is no mbarrier at shared address {key:#x}");
    Fault::new(UNINITIALISED, message).help("initialise it with `mbarrier.init`")
}
