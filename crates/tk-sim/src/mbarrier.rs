//! mbarrier objects: they count arrivals and bytes in flight, phase by phase.
//!
//! Their state lives beside shared memory, keyed by address; the eight bytes themselves are opaque to PTX code.

use crate::races::Clock;

/// Most arrivals of a phase, and most bytes in flight.
pub(crate) const MOST: i64 = (1 << 20) - 1;

/// An mbarrier object.
pub(crate) struct Mbarrier {
    /// Arrivals of each phase.
    expected: i64,
    /// Arrivals missing in this phase.
    pub(crate) pending: i64,
    /// Bytes missing in this phase; negative when they came before they were expected.
    pub(crate) bytes: i64,
    /// Phases completed.
    pub(crate) phase: u64,
    pub(crate) clock: Clock,
    /// Number of the actor that stands for bulk copies of this object.
    pub(crate) engine: u32,
}

impl Mbarrier {
    pub(crate) fn new(count: u32, engine: u32) -> Self {
        let expected = i64::from(count);
        Self { expected, pending: expected, bytes: 0, phase: 0, clock: Clock::default(), engine }
    }

    /// Takes arrivals. An error says what PTX forbids.
    pub(crate) fn arrive(&mut self, count: u32, drop: bool, may_complete: bool) -> Result<(), String> {
        let count = i64::from(count);
        if count > self.pending {
            let (left, expected) = (self.pending, self.expected);
            return Err(format!("{count} arrivals, and the phase waits for only {left} more of {expected}"));
        }
        if !may_complete && count == self.pending {
            return Err("an arrival with .noComplete would complete the phase".to_string());
        }
        self.pending -= count;
        if drop {
            self.expected -= count;
        }
        Ok(())
    }

    /// Changes the bytes in flight.
    pub(crate) fn transfer(&mut self, bytes: i64) -> Result<(), String> {
        self.bytes += bytes;
        match self.bytes.abs() <= MOST {
            true => Ok(()),
            false => Err(format!("{} bytes in flight; an mbarrier counts to {MOST}", self.bytes)),
        }
    }

    /// Starts the next phase when everything of this one has come; true when it did.
    pub(crate) fn finish_phase(&mut self) -> bool {
        let done = self.pending == 0 && self.bytes == 0;
        if done {
            self.pending = self.expected;
            self.phase += 1;
        }
        done
    }

    /// What it waits for, in words.
    pub(crate) fn missing(&self) -> String {
        match (self.pending, self.bytes) {
            (0, bytes) => format!("{bytes} bytes"),
            (arrivals, 0) => format!("{arrivals} of {} arrivals", self.expected),
            (arrivals, bytes) => format!("{arrivals} of {} arrivals and {bytes} bytes", self.expected),
        }
    }
}
