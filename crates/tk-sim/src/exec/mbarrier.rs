//! Operations on mbarriers.
//!
//! `try_wait` may suspend the thread for a while. Here it either answers false at once, as if its time had run out, or suspends
//! until the phase completes; a seeded coin decides. Code that asks only once is so found out, and a loop that waits for a phase
//! that nothing can complete ends suspended: a deadlock. `test_wait` always answers at once.

use super::memory::misaligned;
use super::{Flow, Machine, Step, skip_others, space_of};
use crate::fault::Fault;
use crate::lanes::lanes_of;
use crate::mbarrier::{MOST, Mbarrier as Object};
use crate::program::{Mbarrier, MbarrierKind};
use crate::warp::{State, Warp};
use tk_diag::{BAD_PTX, UNINITIALISED};

impl Machine<'_> {
    pub(super) fn mbarrier(&mut self, warp: &mut Warp, index: usize, number: u32, active: u32) -> Step {
        let operation = &self.env.program.mbarriers[number as usize];
        match operation.kind {
            MbarrierKind::Test { .. } => return self.mbarrier_test(warp, index, operation, active),
            // Landing the lane's copies now is one of the orders that the hardware may choose.
            MbarrierKind::CopyArrive => {
                self.copy_wait(warp, u32::MAX, active)?;
            }
            _ => {}
        }
        for lane in lanes_of(active) {
            self.mbarrier_of_lane(warp, operation, lane).map_err(|fault| fault.lane(lane))?;
        }
        Ok(Flow::Next)
    }

    fn mbarrier_of_lane(&mut self, warp: &mut Warp, operation: &Mbarrier, lane: usize) -> Result<(), Box<Fault>> {
        let key = mbarrier_key(warp, operation, lane)?;
        let count = warp.reg(operation.operand)[lane] as u32;
        let bytes = i64::from(count);
        if operation.kind == MbarrierKind::Init {
            if !self.block.shared.inside(u64::from(key), 8) {
                return Err(self.shared_fault(crate::shared::Wrong::Outside, u64::from(key), 8, "mbarrier"));
            }
            if count == 0 || bytes > MOST {
                return Err(Fault::new(BAD_PTX, format!("an mbarrier of {count} arrivals; there are 1 to {MOST}")));
            }
            let engine = self.block.mbarriers.get(&key).map_or(self.block.mbarriers.len() as u32, |old| old.engine);
            self.block.mbarriers.insert(key, Object::new(count, engine));
            return Ok(());
        }
        let Some(object) = self.block.mbarriers.get_mut(&key) else { return Err(no_mbarrier(key)) };
        let token = object.phase;
        let may_complete = !operation.no_complete;
        let result = match operation.kind {
            MbarrierKind::Invalidate => {
                if self.block.engine.loads.iter().any(|load| load.key == key) {
                    return Err(gone(key));
                }
                self.block.mbarriers.remove(&key);
                return Ok(());
            }
            MbarrierKind::ExpectTx => object.transfer(bytes),
            MbarrierKind::CompleteTx => object.transfer(-bytes),
            MbarrierKind::ArriveExpectTx { drop } => {
                object.transfer(bytes).and_then(|()| object.arrive(1, drop, may_complete))
            }
            MbarrierKind::Arrive { drop } => object.arrive(count, drop, may_complete),
            MbarrierKind::CopyArrive if operation.no_increment => object.arrive(1, false, true),
            // Without .noinc the arrival was added to the count by this very instruction.
            _ => Ok(()),
        };
        if let Err(message) = result {
            return Err(Fault::new(BAD_PTX, format!("mbarrier at shared address {key:#x}: {message}")));
        }
        self.block.shared.release(warp.number, &mut object.clock);
        self.block.phases += u64::from(object.finish_phase());
        warp.regs[operation.result as usize][lane] = token;
        Ok(())
    }

    fn mbarrier_test(&mut self, warp: &mut Warp, index: usize, operation: &Mbarrier, active: u32) -> Step {
        let MbarrierKind::Test { parity, blocks } = operation.kind else { return Ok(Flow::Next) };
        let mut done = 0;
        let mut key = 0;
        for lane in lanes_of(active) {
            key = mbarrier_key(warp, operation, lane).map_err(|fault| fault.lane(lane))?;
            let Some(object) = self.block.mbarriers.get(&key) else { return Err(no_mbarrier(key).lane(lane)) };
            let operand = warp.reg(operation.operand)[lane];
            let complete = if parity { object.phase & 1 != operand & 1 } else { object.phase != operand };
            if complete {
                self.block.shared.acquire(warp.number, &object.clock);
                done |= 1 << lane;
            }
        }
        if done == 0 && blocks && self.block.engine.random(2) == 0 {
            skip_others(warp, index, active);
            warp.fragments[index].state = State::Mbarrier { key, phases: self.block.phases };
            return Ok(Flow::Select);
        }
        warp.set_pred(operation.answer, done, active);
        if done == active {
            return Ok(Flow::Next);
        }
        self.block.spins += 1;
        self.block.idle_tests += u64::from(!blocks);
        Ok(Flow::Yield)
    }
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
