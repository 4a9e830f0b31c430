//! What a warp knows of its wgmmas in flight, and what the four warps of a warpgroup must agree on.

use crate::program::Slot;
use crate::races::Clock;
use std::collections::VecDeque;

/// A wgmma that was issued and has not completed.
pub(crate) struct Issued {
    /// In `Program::wgmmas`.
    pub(crate) index: u32,
    pub(crate) pc: u32,
    /// Groups the warp had committed before.
    pub(crate) group: u32,
    /// Descriptors of A (0 when A is in registers) and B.
    pub(crate) a: u64,
    pub(crate) b: u64,
    /// Adds to the accumulator; else overwrites it.
    pub(crate) accumulate: bool,
    pub(crate) issued: Clock,
}

/// Wgmmas of one warp.
#[derive(Default)]
pub(crate) struct InFlight {
    pub(crate) queue: VecDeque<Issued>,
    /// Groups committed.
    pub(crate) committed: u32,
    /// `wgmma.fence` was executed once.
    pub(crate) fenced: bool,
    /// How many operations in flight use a slot as accumulator, and as operand A.
    accumulators: Vec<u16>,
    operands: Vec<u16>,
}

impl InFlight {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(crate) fn hold(&mut self, slots: usize, accumulators: &[Slot], operands: &[Slot]) {
        self.accumulators.resize(slots, 0);
        self.operands.resize(slots, 0);
        for slot in accumulators {
            self.accumulators[*slot as usize] += 1;
        }
        for slot in operands {
            self.operands[*slot as usize] += 1;
        }
    }

    pub(crate) fn let_go(&mut self, accumulators: &[Slot], operands: &[Slot]) {
        for slot in accumulators {
            self.accumulators[*slot as usize] -= 1;
        }
        for slot in operands {
            self.operands[*slot as usize] -= 1;
        }
    }

    /// How many operations in flight accumulate into a slot.
    #[inline]
    pub(crate) fn accumulating(&self, slot: Slot) -> u16 {
        self.accumulators.get(slot as usize).copied().unwrap_or(0)
    }

    /// How many operations in flight read a slot.
    #[inline]
    pub(crate) fn reading(&self, slot: Slot) -> u16 {
        self.operands.get(slot as usize).copied().unwrap_or(0)
    }
}

/// What identifies an execution of wgmma: instruction, descriptors, scale.
pub(crate) type Execution = (u32, u64, u64, bool);

/// The executions of one warpgroup that not all of its warps have come to.
#[derive(Default)]
pub(crate) struct Warpgroup {
    log: VecDeque<Execution>,
    /// Executions that all warps have passed.
    passed: u64,
    counts: [u64; 4],
}

impl Warpgroup {
    /// One warp executes; the execution of the warp that came first, when they differ.
    pub(crate) fn execute(&mut self, warp: usize, execution: Execution) -> Result<(), Execution> {
        let at = (self.counts[warp] - self.passed) as usize;
        self.counts[warp] += 1;
        match self.log.get(at) {
            Some(first) if *first != execution => return Err(*first),
            Some(_) => {}
            None => self.log.push_back(execution),
        }
        let least = self.counts.into_iter().min().unwrap_or(0);
        while self.passed < least {
            self.log.pop_front();
            self.passed += 1;
        }
        Ok(())
    }

    /// The instruction that some warps executed and others never came to.
    pub(crate) fn unfinished(&self) -> Option<u32> {
        self.log.front().map(|execution| execution.0)
    }
}
