//! `barrier.cluster`: threads arrive, and wait later, one phase after another.

use crate::clock::Clock;
use crate::lanes::lanes_of;

/// The barrier of one cluster.
#[derive(Default)]
pub(crate) struct ClusterBarrier {
    /// Phases completed.
    pub(crate) phase: u32,
    /// Of each warp, the lanes that have arrived in this phase.
    came: Vec<u32>,
    /// Of each warp, the lanes that have arrived and not waited since.
    owing: Vec<u32>,
    /// What those that have come let others see.
    pub(crate) collected: Clock,
    /// What those of the last phase let see.
    opened: Clock,
}

/// What a wait finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Open,
    Closed,
    /// A lane that has not arrived.
    NotArrived(usize),
}

impl ClusterBarrier {
    pub(crate) fn new(warps: u32) -> Self {
        let none = vec![0; warps as usize];
        Self { came: none.clone(), owing: none, ..Self::default() }
    }

    /// Lanes of a warp arrive. An error is a lane that has not waited since it arrived last.
    pub(crate) fn arrive(&mut self, warp: u32, lanes: u32) -> Result<(), usize> {
        let warp = warp as usize;
        if let Some(lane) = lanes_of(self.owing[warp] & lanes).next() {
            return Err(lane);
        }
        self.came[warp] |= lanes;
        self.owing[warp] |= lanes;
        Ok(())
    }

    /// Lanes of a warp wait for the phase that they arrived in. When it is complete, they need not any more.
    pub(crate) fn wait(&mut self, warp: u32, lanes: u32) -> Found {
        let warp = warp as usize;
        if let Some(lane) = lanes_of(lanes & !self.owing[warp]).next() {
            return Found::NotArrived(lane);
        }
        if self.came[warp] & lanes != 0 {
            return Found::Closed;
        }
        self.owing[warp] &= !lanes;
        Found::Open
    }

    /// What a thread sees that the phase before has let go on.
    pub(crate) fn opened(&self) -> &Clock {
        &self.opened
    }

    /// Threads that have come.
    pub(crate) fn arrived(&self) -> u32 {
        self.came.iter().map(|lanes| lanes.count_ones()).sum()
    }

    /// Completes the phase when all lanes that are alive, of each warp, have come; true when it did.
    pub(crate) fn complete(&mut self, alive: impl Iterator<Item = u32>) -> bool {
        if self.came.iter().all(|lanes| *lanes == 0) || alive.zip(&self.came).any(|(alive, came)| alive & !came != 0) {
            return false;
        }
        self.came.fill(0);
        self.phase += 1;
        self.opened = std::mem::take(&mut self.collected);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_complete_when_all_have_come() {
        let mut barrier = ClusterBarrier::new(2);
        let alive = [u32::MAX, 0xF];
        assert_eq!(barrier.wait(0, 1), Found::NotArrived(0));
        assert_eq!(barrier.arrive(0, u32::MAX), Ok(()));
        assert_eq!(barrier.arrive(0, 4), Err(2));
        assert!(!barrier.complete(alive.into_iter()));
        assert_eq!(barrier.wait(0, 1), Found::Closed);
        assert_eq!(barrier.arrive(1, 0xF), Ok(()));
        assert!(barrier.complete(alive.into_iter()));
        assert_eq!((barrier.phase, barrier.wait(0, u32::MAX)), (1, Found::Open));
        // Lanes may arrive again before others have waited.
        assert_eq!(barrier.arrive(0, u32::MAX), Ok(()));
        assert_eq!((barrier.wait(0, 1), barrier.wait(1, 0xF)), (Found::Closed, Found::Open));
        // Lanes that have left are not waited for.
        assert!(barrier.complete([u32::MAX, 0].into_iter()));
    }
}
