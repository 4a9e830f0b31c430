//! Requests to global memory: each is counted, and kept for the model of caches where the launch has one.

use super::Machine;
use crate::engine::sectors;
use crate::lanes::Lanes;
use crate::program::Access;
use crate::traffic::{Direction, Request};

impl Machine<'_> {
    /// Active lanes of a warp ask for so many bytes each.
    pub(super) fn ask_lanes(&mut self, request: Request, addresses: &Lanes, active: u32, bytes: u32) {
        match request.direction {
            Direction::Update => self.counters.atomic(request.site, addresses, active, bytes),
            Direction::Read | Direction::ReadPastL1 | Direction::Write => {
                self.counters.global(request.site, addresses, active, bytes);
            }
        }
        if self.env.traffic.is_some() {
            self.block.trace.add_lanes(request, (addresses, active), bytes);
        }
    }

    /// A bulk copy asks for one run of bytes.
    pub(crate) fn ask_run(&mut self, request: Request, address: u64, bytes: u32) {
        self.ask_runs(request, &[(address, bytes)]);
    }

    /// A bulk copy asks for runs of bytes.
    pub(crate) fn ask_runs(&mut self, request: Request, runs: &[(u64, u32)]) {
        let touched = runs.iter().map(|(address, bytes)| sectors(*address, *bytes)).sum();
        let wanted = runs.iter().map(|(_, bytes)| u64::from(*bytes)).sum();
        self.counters.engine_global(request.site, touched, wanted);
        if self.env.traffic.is_some() {
            self.block.trace.add_runs(request, runs);
        }
    }
}

/// What a load asks: ordered and volatile ones do not look into L1.
pub(super) fn load(access: &Access) -> Request {
    let direction = if access.order.is_strong() { Direction::ReadPastL1 } else { Direction::Read };
    Request { site: access.site, direction }
}

/// What a store asks.
pub(super) fn store(access: &Access) -> Request {
    Request { site: access.site, direction: Direction::Write }
}
