//! mbarriers: objects in shared memory that count arrivals and bytes in flight, phase by phase.
//!
//! Their state lives beside shared memory, keyed by address; the eight bytes themselves are opaque to PTX code.

use super::memory::misaligned;
use super::{Flow, Machine, Step, space_of};
use crate::cta::Mbarrier as Object;
use crate::fault::Fault;
use crate::lanes::lanes_of;
use crate::program::MbarrierKind;
use crate::warp::Warp;
use tk_diag::UNINITIALISED;

impl Machine<'_> {
    pub(super) fn mbarrier(&mut self, warp: &mut Warp, index: u32, active: u32) -> Step {
        let operation = &self.env.program.mbarriers[index as usize];
        if operation.kind == MbarrierKind::CopyArrive {
            // Landing the lane's copies now is one of the orders that the hardware may choose.
            self.copy_wait(warp, u32::MAX, active)?;
        }
        let bases = *warp.reg(operation.base);
        let operands = *warp.reg(operation.operand);
        let mut waiting = false;
        for lane in lanes_of(active) {
            let address = space_of(bases[lane].wrapping_add(operation.offset as u64)).1 & 0xFFFF_FFFF;
            if !address.is_multiple_of(8) {
                return Err(misaligned(address, 8, "mbarrier").lane(lane));
            }
            let key = address as u32;
            let count = operands[lane] as u32;
            if operation.kind == MbarrierKind::Init {
                self.block.mbarriers.insert(key, Object::new(count));
                continue;
            }
            let Some(object) = self.block.mbarriers.get_mut(&key) else {
                let message = format!("there is no mbarrier at shared address {address:#x}");
                return Err(Fault::new(UNINITIALISED, message).lane(lane).help("initialise it with `mbarrier.init`"));
            };
            let token = object.phase;
            match operation.kind {
                MbarrierKind::Invalidate => {
                    self.block.mbarriers.remove(&key);
                    continue;
                }
                MbarrierKind::ExpectTx => object.bytes += i64::from(count),
                MbarrierKind::CompleteTx => object.bytes -= i64::from(count),
                MbarrierKind::ArriveExpectTx => {
                    object.bytes += i64::from(count);
                    object.pending -= 1;
                }
                MbarrierKind::Arrive => object.pending -= i64::from(count),
                MbarrierKind::CopyArrive if operation.no_increment => object.pending -= 1,
                // Without .noinc the arrival was added to the count by this very instruction.
                MbarrierKind::CopyArrive => {}
                MbarrierKind::Test | MbarrierKind::TestParity => {
                    let done = match operation.kind {
                        MbarrierKind::Test => object.phase != operands[lane],
                        _ => object.phase & 1 != operands[lane] & 1,
                    };
                    if done {
                        self.block.shared.acquire(warp.number, &object.clock);
                    }
                    waiting |= !done;
                    warp.set_pred(operation.answer, if done { u32::MAX } else { 0 }, 1 << lane);
                    continue;
                }
                MbarrierKind::Init => {}
            }
            self.block.shared.release(warp.number, &mut object.clock);
            object.finish_phase();
            warp.regs[operation.result as usize][lane] = token;
        }
        if waiting {
            self.block.spins += 1;
            return Ok(Flow::Yield);
        }
        Ok(Flow::Next)
    }
}
