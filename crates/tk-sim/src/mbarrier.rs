//! mbarrier objects: they count arrivals and bytes in flight, phase by phase.
//!
//! Their state lives beside shared memory, keyed by address; the eight bytes themselves are opaque to PTX code.

use crate::clock::{Clock, Mark};

/// Most arrivals of a phase, and most bytes in flight.
pub(crate) const MOST: i64 = (1 << 20) - 1;

/// How a thread arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) later: LaterPhases,
    pub(crate) last: LastArrival,
}

/// Whether later phases wait for an arrival, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaterPhases {
    Wait,
    /// `arrive_drop`: they expect one less.
    DoWithout,
}

/// Whether an arrival may be the last that a phase waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastArrival {
    Allowed,
    /// `.noComplete`
    Forbidden,
}

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
    /// Its `mbarrier.init`.
    pub(crate) born: Mark,
    /// The instruction that did.
    pub(crate) init: u32,
    /// The last use by each warp.
    uses: Vec<Mark>,
    /// Of each warp, the phase that it found incomplete and waits for, with the instruction that does.
    waits: Vec<Option<(u64, u32)>>,
}

impl Mbarrier {
    pub(crate) fn new(count: u32, engine: u32, (born, init): (Mark, u32)) -> Self {
        let (expected, clock) = (i64::from(count), Clock::default());
        Self {
            expected,
            pending: expected,
            bytes: 0,
            phase: 0,
            clock,
            engine,
            born,
            init,
            uses: Vec::new(),
            waits: Vec::new(),
        }
    }

    /// Notes a use, so that an `mbarrier.inval` can be compared with it.
    pub(crate) fn used(&mut self, mark: Mark) {
        let warp = usize::from(mark.warp);
        if self.uses.len() <= warp {
            self.uses.resize(warp + 1, Mark::default());
        }
        self.uses[warp] = mark;
    }

    pub(crate) fn is_unused(&self) -> bool {
        self.uses.is_empty()
    }

    pub(crate) fn uses(&self) -> impl Iterator<Item = Mark> {
        self.uses.iter().copied()
    }

    /// A warp waits by parity for the current phase and found it incomplete.
    pub(crate) fn waits(&mut self, warp: u32, pc: u32) {
        let warp = warp as usize;
        if self.waits.len() <= warp {
            self.waits.resize(warp + 1, None);
        }
        self.waits[warp] = Some((self.phase, pc));
    }

    /// The warp's wait is over. The phase it waited for, when that has passed unseen: the next phase has completed as well, and by parity it
    /// looks incomplete again.
    pub(crate) fn missed(&mut self, warp: u32, pc: u32) -> Option<u64> {
        let (phase, at) = self.waits.get_mut(warp as usize)?.take()?;
        (at == pc && self.phase >= phase + 2).then_some(phase)
    }

    /// Takes arrivals. An error says what PTX forbids.
    pub(crate) fn arrive(&mut self, count: u32, arrival: Arrival) -> Result<(), String> {
        let count = i64::from(count);
        if count > self.pending {
            let (left, expected) = (self.pending, self.expected);
            return Err(format!("{count} arrivals, and the phase waits for only {left} more of {expected}"));
        }
        if arrival.last == LastArrival::Forbidden && count == self.pending {
            return Err("an arrival with .noComplete would complete the phase".to_string());
        }
        self.pending -= count;
        if arrival.later == LaterPhases::DoWithout {
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
        if self.bytes < 0 {
            let more = -self.bytes;
            return match self.pending {
                0 => format!("nothing, but {more} bytes came that no thread expected"),
                arrivals => {
                    format!("{arrivals} of {} arrivals; {more} bytes came that no thread expected", self.expected)
                }
            };
        }
        match (self.pending, self.bytes) {
            (0, bytes) => format!("{bytes} bytes"),
            (arrivals, 0) => format!("{arrivals} of {} arrivals", self.expected),
            (arrivals, bytes) => format!("{arrivals} of {} arrivals and {bytes} bytes", self.expected),
        }
    }
}
