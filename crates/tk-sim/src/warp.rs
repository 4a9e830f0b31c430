//! One warp: registers, and the groups of lanes ("fragments") that stand at different places of the program.
//!
//! Scheduling takes the fragment with the lowest address first, which brings fragments of structured code back together where
//! paths join; fragments at the same address merge. A fragment that runs long while others wait is set aside for a while, so
//! that lanes which spin on a lock let the holder go on.

use crate::exec::PutAway;
use crate::lanes::{Lanes, lanes_of};
use crate::program::{Pred, Slot};
use crate::undefined::{LocalUndefined, Source, Undefined};
use crate::warpgroup::InFlight;
use rustc_hash::FxHashMap;

/// Why a fragment does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Ready,
    /// At barrier `id`, as the cluster counts them, which has opened `phase` times.
    Barrier {
        id: u32,
        phase: u32,
    },
    /// Waits for other lanes of the warp to come to the same instruction; the lanes it needs.
    Lanes(u32),
    /// In `barrier.cluster.wait`, when so many phases were complete.
    ClusterBarrier {
        phase: u32,
    },
    /// In `setmaxnreg.inc` for so many registers.
    Registers {
        count: u32,
    },
    /// In `wgmma.wait_group`, behind so many products, until the other warps of the warpgroup have completed them.
    Warpgroup {
        products: u64,
    },
    /// In `mbarrier.try_wait` on the object at `key`; looks again when the CTA has completed other than `phases` phases.
    Mbarrier {
        key: u32,
        phases: u64,
    },
}

/// Lanes that stand at the same place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragment {
    pub(crate) pc: u32,
    pub(crate) mask: u32,
    pub(crate) state: State,
}

/// A `cp.async` of one lane that has not landed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    pub(crate) lane: u8,
    /// Group of the lane it belongs to.
    pub(crate) group: u32,
    pub(crate) bytes: u32,
    pub(crate) destination: u64,
    pub(crate) data: [u64; 2],
    /// Bytes of the data that nothing wrote, one bit each, and where they are from.
    pub(crate) undefined: (u16, Source),
}

/// A look at global memory that others may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Poll {
    pub(crate) pc: u32,
    pub(crate) address: u64,
    pub(crate) value: u64,
}

pub(crate) struct Warp {
    /// In its cluster.
    pub(crate) number: u32,
    /// Of its CTA in the cluster.
    pub(crate) rank: u32,
    /// Its number in its CTA.
    pub(crate) in_cta: u32,
    pub(crate) regs: Vec<Lanes>,
    pub(crate) preds: Vec<u32>,
    pub(crate) fragments: Vec<Fragment>,
    /// Lanes that have not exited.
    pub(crate) alive: u32,
    /// Local memory, lane after lane.
    pub(crate) local: Vec<u8>,
    /// What of registers, predicates and local memory nothing wrote.
    pub(crate) undefined: Undefined,
    pub(crate) local_undefined: LocalUndefined,
    /// Of each lane, what functions that call themselves put away; empty where none does.
    pub(crate) stacks: Vec<Vec<PutAway>>,
    pub(crate) pending: Vec<Pending>,
    /// Groups each lane has committed.
    pub(crate) groups: [u32; 32],
    /// Bulk groups each lane has committed.
    pub(crate) bulk_groups: [u32; 32],
    /// Instructions executed, for `%clock`.
    pub(crate) steps: u64,
    pub(crate) wgmma: InFlight,
    /// When each instruction last accessed global memory, as the CTA counts time, and the number of that access.
    pub(crate) accesses: FxHashMap<u32, (u32, u32)>,
    /// The last strong load of global memory: its place, the first address and the value there.
    pub(crate) polled: Option<Poll>,
    /// Fragment to run next whatever its address, to be fair.
    turn: Option<usize>,
}

/// The fragment to run and the address at which it meets another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) index: usize,
    pub(crate) boundary: u32,
}

impl Warp {
    pub(crate) fn new(number: u32, slots: u32, preds: u32, local_bytes: u32, lanes: u32, start: u32) -> Self {
        let mut warp = Self {
            number,
            rank: 0,
            in_cta: number,
            regs: vec![[0; 32]; slots as usize],
            preds: vec![0; preds as usize],
            fragments: vec![Fragment { pc: start, mask: lanes, state: State::Ready }],
            alive: lanes,
            local: vec![0; local_bytes as usize * 32],
            undefined: Undefined::new(slots, preds),
            local_undefined: LocalUndefined::new(local_bytes as usize * 32),
            stacks: Vec::new(),
            pending: Vec::new(),
            groups: [0; 32],
            bulk_groups: [0; 32],
            steps: 0,
            wgmma: InFlight::default(),
            accesses: FxHashMap::default(),
            polled: None,
            turn: None,
        };
        warp.preds[0] = u32::MAX;
        warp
    }

    /// These lanes and those that are not there: all bits are set when no lane of the warp is missing.
    #[inline]
    pub(crate) fn with_absent(&self, active: u32) -> u32 {
        active | !self.alive
    }

    #[inline]
    pub(crate) fn reg(&self, slot: Slot) -> &Lanes {
        &self.regs[slot as usize]
    }

    #[inline]
    pub(crate) fn pred(&self, pred: Pred) -> u32 {
        let bits = self.preds[pred.slot as usize];
        if pred.negated { !bits } else { bits }
    }

    /// Writes a predicate under a mask.
    #[inline]
    pub(crate) fn set_pred(&mut self, slot: u32, bits: u32, mask: u32) {
        let old = &mut self.preds[slot as usize];
        *old = *old & !mask | bits & mask;
        self.undefined.define_pred(slot, mask);
    }

    /// Writes a register under a mask.
    #[inline]
    pub(crate) fn set_reg(&mut self, slot: Slot, value: &Lanes, mask: u32) {
        self.undefined.define(slot, mask);
        let register = &mut self.regs[slot as usize];
        if mask == u32::MAX {
            *register = *value;
            return;
        }
        for lane in 0..32 {
            if mask >> lane & 1 == 1 {
                register[lane] = value[lane];
            }
        }
    }

    /// Writes one lane of a register.
    #[inline]
    pub(crate) fn put(&mut self, slot: Slot, lane: usize, value: u64) {
        self.regs[slot as usize][lane] = value;
        self.undefined.define(slot, 1 << lane);
    }

    /// Writes one lane of a register, of which these bytes are undefined.
    #[inline]
    pub(crate) fn put_undefined(&mut self, slot: Slot, lane: usize, value: u64, (bytes, source): (u8, Source)) {
        self.put(slot, lane, value);
        if bytes != 0 {
            self.undefined.set(slot, lane, bytes, source);
        }
    }

    /// Merges fragments, then picks the one to run; none when all wait or have exited.
    pub(crate) fn select(&mut self) -> Option<Choice> {
        if let [only] = self.fragments.as_slice() {
            let index = 0;
            return (only.state == State::Ready).then_some(Choice { index, boundary: u32::MAX });
        }
        self.merge();
        let ready = |f: &&Fragment| f.state == State::Ready;
        let by_turn = self.turn.take().filter(|i| self.fragments.get(*i).is_some_and(|f| f.state == State::Ready));
        let lowest = self.fragments.iter().filter(ready).map(|f| f.pc).min()?;
        let index = match by_turn {
            Some(index) => index,
            None => self.fragments.iter().position(|f| f.state == State::Ready && f.pc == lowest)?,
        };
        let pc = self.fragments[index].pc;
        let others = self.fragments.iter().filter(|f| !matches!(f.state, State::Barrier { .. }) && f.pc > pc);
        let boundary = others.map(|f| f.pc).min().unwrap_or(u32::MAX);
        Some(Choice { index, boundary })
    }

    fn merge(&mut self) {
        let mut i = 0;
        while i < self.fragments.len() {
            let mut j = i + 1;
            while j < self.fragments.len() {
                let (a, b) = (self.fragments[i], self.fragments[j]);
                let movable = |f: Fragment| !matches!(f.state, State::Barrier { .. });
                if a.pc == b.pc && movable(a) && movable(b) {
                    self.fragments[i].mask |= b.mask;
                    self.fragments[i].state = State::Ready;
                    self.fragments.swap_remove(j);
                } else {
                    j += 1;
                }
            }
            i += 1;
        }
    }

    /// Lets another ready fragment run next.
    pub(crate) fn pass_turn(&mut self, index: usize) {
        let count = self.fragments.len();
        let next = (1..count).map(|step| (index + step) % count);
        self.turn = next.into_iter().find(|i| self.fragments[*i].state == State::Ready);
    }

    /// Lanes leave the program. Those that wait for them look again.
    pub(crate) fn exit(&mut self, index: usize, lanes: u32) {
        self.alive &= !lanes;
        self.fragments[index].mask &= !lanes;
        if self.fragments[index].mask == 0 {
            self.fragments.swap_remove(index);
        }
        for fragment in &mut self.fragments {
            if matches!(fragment.state, State::Lanes(_)) {
                fragment.state = State::Ready;
            }
        }
        self.pending.retain(|p| lanes >> p.lane & 1 == 0);
    }

    /// Gives the result of a barrier's reduction to a register of its lanes.
    pub(crate) fn splat(&mut self, slot: Slot, value: u64, mask: u32) {
        self.undefined.define(slot, mask);
        for lane in lanes_of(mask) {
            self.regs[slot as usize][lane] = value;
        }
    }
}
