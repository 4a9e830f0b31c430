//! Clusters: their barrier, addresses of other CTAs' shared memory, and when that memory may be accessed.
//!
//! Before the first access to the shared memory of another CTA something must order it after that CTA's beginning, and after the last
//! one something must order it before that CTA's end; `barrier.cluster` does both.

use super::{Flow, Machine, Step, not_all, skip_others, space_of};
use crate::cluster_barrier::Found;
use crate::fault::Fault;
use crate::geometry::{at_rank, rank_of};
use crate::lanes::{Lanes, lanes_of};
use crate::program::{ArrivalOrder, Memory, Op, Slot, Window};
use crate::races::Conflict;
use crate::shared::Actor;
use crate::warp::{State, Warp};
use tk_diag::{BAD_PTX, DATA_RACE};

impl Machine<'_> {
    /// `barrier.cluster`. All lanes of a warp execute an aligned one together.
    pub(super) fn cluster_barrier(&mut self, warp: &mut Warp, index: usize, op: &Op, active: u32) -> Step {
        let aligned = matches!(op, Op::ClusterArrive { aligned: true, .. } | Op::ClusterWait { aligned: true });
        if aligned && !self.gather(warp, index, warp.alive) {
            return Ok(Flow::Select);
        }
        if aligned && active != warp.alive {
            return Err(not_all(warp, active, "barrier of the cluster"));
        }
        match op {
            Op::ClusterArrive { order, .. } => self.cluster_arrive(warp, *order, active),
            _ => self.cluster_wait(warp, index, active),
        }
    }

    /// `barrier.cluster.arrive`.
    fn cluster_arrive(&mut self, warp: &Warp, order: ArrivalOrder, active: u32) -> Step {
        if let Err(lane) = self.block.cluster_barrier.arrive(warp.number, active) {
            return Err(Fault::new(BAD_PTX, "a thread arrives at the barrier of the cluster twice without a wait")
                .lane(lane)
                .help("execute `barrier.cluster.wait` between two arrivals"));
        }
        match order {
            ArrivalOrder::Release => {
                let clock = &mut self.block.cluster_barrier.collected;
                self.block.shared.release(warp.number, warp.with_absent(active), clock);
            }
            ArrivalOrder::Relaxed => {
                if let Some(fenced) = &self.block.fenced[warp.number as usize] {
                    self.block.cluster_barrier.collected.join(fenced);
                }
                self.block.shared.release_products(warp.number, &mut self.block.cluster_barrier.collected);
            }
        }
        Ok(Flow::Next)
    }

    /// `barrier.cluster.wait`.
    fn cluster_wait(&mut self, warp: &mut Warp, index: usize, active: u32) -> Step {
        match self.block.cluster_barrier.wait(warp.number, active) {
            Found::Open => {
                self.block.shared.acquire(warp.number, self.block.cluster_barrier.opened());
                Ok(Flow::Next)
            }
            Found::Closed => {
                skip_others(warp, index, active);
                let phase = self.block.cluster_barrier.phase;
                warp.fragments[index].state = State::ClusterBarrier { phase };
                Ok(Flow::Select)
            }
            Found::NotArrived(lane) => {
                Err(Fault::new(BAD_PTX, "a thread waits for the barrier of the cluster and has not arrived at it")
                    .lane(lane)
                    .help("execute `barrier.cluster.arrive` before `barrier.cluster.wait`"))
            }
        }
    }

    /// Keeps what a fence lets others see, for relaxed arrivals.
    pub(super) fn keep_fenced(&mut self, warp: &Warp, active: u32) {
        if self.env.program.has_relaxed_arrivals {
            let clock = self.block.shared.issue(warp.number, warp.with_absent(active));
            self.block.fenced[warp.number as usize] = Some(clock);
        }
    }

    /// `mapa`: the same place in the shared memory of the CTA of another rank.
    pub(super) fn map_rank(&self, warp: &mut Warp, [d, a, rank]: [Slot; 3], active: u32) -> Step {
        let (addresses, ranks) = (*warp.reg(a), *warp.reg(rank));
        let mut out: Lanes = [0; 32];
        for lane in lanes_of(active) {
            let rank = ranks[lane] as u32;
            if rank >= self.env.geometry.size() {
                let message = format!("`mapa` to CTA {rank} of a cluster of {}", self.env.geometry.size());
                return Err(Fault::new(BAD_PTX, message).lane(lane));
            }
            out[lane] = at_rank(addresses[lane], rank);
        }
        warp.set_reg(d, &out, active);
        Ok(Flow::Next)
    }

    /// Checks that a warp may access shared memory at these addresses now, and notes it when they are another CTA's.
    #[inline]
    pub(super) fn reach(
        &mut self,
        warp: &Warp,
        addresses: &Lanes,
        active: u32,
        window: Window,
    ) -> Result<(), Box<Fault>> {
        if self.env.geometry.size() == 1 {
            return Ok(());
        }
        for lane in lanes_of(active) {
            self.may_reach(warp, addresses[lane], lane, window)?;
            let rank = rank_of(addresses[lane]);
            if rank != warp.rank {
                let stamp = self.block.shared.stamp(Actor { warp: warp.number, lane: lane as u32 });
                self.block.remote.insert((rank, warp.number), (stamp, self.block.pc));
            }
        }
        Ok(())
    }

    /// The same for one address of a copy, which is over when its mbarrier says so.
    pub(super) fn may_reach(&self, warp: &Warp, address: u64, lane: usize, window: Window) -> Result<(), Box<Fault>> {
        let rank = rank_of(address);
        if rank == warp.rank || rank >= self.env.geometry.size() {
            return Ok(());
        }
        let owner = self.env.geometry.cta_in_words(self.block.index, rank);
        if window == Window::Cta {
            let message = format!("an address in the shared memory of {owner}, used as one of the CTA's own");
            return Err(Fault::new(BAD_PTX, message).lane(lane).help("name the space: `.shared::cluster`"));
        }
        if self.block.ended >> rank & 1 == 1 {
            let message = format!("an access to the shared memory of {owner}, which has ended");
            return Err(Fault::new(DATA_RACE, message).lane(lane).help(STAY));
        }
        let Some(races) = self.block.shared.races() else { return Ok(()) };
        if !races.knows_of(warp.number, rank) {
            let message = format!("an access to the shared memory of {owner}, which may not have begun");
            return Err(Fault::new(DATA_RACE, message)
                .lane(lane)
                .help("let all CTAs of the cluster meet at `barrier.cluster` before they access each other's memory"));
        }
        Ok(())
    }

    /// A CTA has ended: every access of others to its shared memory must be ordered before.
    pub(crate) fn end_of_remote(&self, rank: u32) -> Result<(), Box<Fault>> {
        let Some(races) = self.block.shared.races() else { return Ok(()) };
        let mut late: Vec<(u32, u32)> = Vec::new();
        for ((owner, warp), (mark, pc)) in &self.block.remote {
            if *owner == rank && !races.known_in(rank, *mark) {
                late.push((*warp, *pc));
            }
        }
        let Some((warp, pc)) = late.into_iter().min() else { return Ok(()) };
        let owner = self.env.geometry.cta_in_words(self.block.index, rank);
        let message = format!("an access to the shared memory of {owner}, which may have ended");
        Err(Fault::new(DATA_RACE, message).at(pc).in_warp(warp).lane(0).help(STAY))
    }

    /// A thread of the cluster, as reports name it.
    pub(crate) fn thread_in_words(&self, conflict: Conflict) -> String {
        let geometry = &self.env.geometry;
        let thread = geometry.in_cta(conflict.warp) * 32 + conflict.lane;
        match geometry.size() {
            1 => format!("thread {thread}"),
            _ => {
                format!("thread {thread} of {}", geometry.cta_in_words(self.block.index, geometry.rank(conflict.warp)))
            }
        }
    }
}

const STAY: &str = "let all CTAs of the cluster meet at `barrier.cluster` before the first of them ends";

/// The rank of the CTA whose shared memory an address, or a generic one, is in.
pub(super) fn rank_in(address: u64) -> u64 {
    match space_of(address) {
        (Memory::Shared, at) => u64::from(rank_of(at)),
        _ => u64::from(rank_of(address)),
    }
}
