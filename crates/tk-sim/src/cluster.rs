//! One cluster of CTAs, of one where a launch has no clusters: its warps, shared memory and barriers, run in slices.

use crate::clock::{Clock, Mark};
use crate::cluster_barrier::ClusterBarrier;
use crate::deadlock::deadlock;
use crate::engine::{Engine, GoesOn};
use crate::exec::Machine;
use crate::fault::Fault;
use crate::lanes::lanes_of;
use crate::launch::Environment;
use crate::mbarrier::Mbarrier;
use crate::program::{BARRIERS, LaneOp, Memory, Op, PredSlot, Slot};
use crate::registers::Registers;
use crate::report::Counters;
use crate::shared::Shared;
use crate::traffic::Trace;
use crate::warp::{State, Warp};
use crate::warpgroup::{SharedTile, Warpgroup};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tk_diag::{BAD_PTX, DEADLOCK, RUN_LIMIT};

/// Steps a CTA runs before another CTA may have the core.
const SLICE: u64 = 2_000_000;
/// Failed locks and waits after which a CTA gives the core away.
const MAX_SPINS: u32 = 256;

/// Slices of nothing but polls of shared memory after which nothing can be expected any more.
const MOST_FRUITLESS: u32 = 64;

/// A loop around a lock or a poll has fewer instructions; where there are more, other warps work.
const STEPS_OF_A_SPIN: u64 = 500;

/// Most steps of a CTA before another one runs, where they alternate quickly.
const MOST_HASTY: usize = 64;

/// One in so many rounds lets a bulk copy go on before it must.
const EAGER: usize = 4;
/// Failed tests of mbarriers, without a completed phase, that count as a deadlock.
const MAX_IDLE_TESTS: u64 = 10_000_000;

/// What a barrier makes of the votes of its threads, and the slot or predicate that gets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VoteResult {
    Count(Slot),
    All(PredSlot),
    Any(PredSlot),
}

/// A barrier of the CTA.
#[derive(Default)]
pub(crate) struct CtaBarrier {
    /// Threads it waits for, when the instruction says so; else all that are alive.
    pub(crate) expected: Option<u32>,
    /// How often it has opened.
    pub(crate) phase: u32,
    pub(crate) arrived: u32,
    /// Of each warp, the lanes that have arrived.
    pub(crate) came: FxHashMap<u32, u32>,
    pub(crate) votes: u32,
    /// Where the result of a reduction goes.
    pub(crate) destination: Option<VoteResult>,
    pub(crate) clock: Clock,
}

/// What the warps of a cluster share.
pub(crate) struct Block {
    /// Of the cluster in the grid.
    pub(crate) index: u64,
    pub(crate) shared: Shared,
    /// 16 barriers of each CTA.
    pub(crate) barriers: Vec<CtaBarrier>,
    /// Of each CTA, the barriers that threads have arrived at, one bit each.
    pub(crate) arrivals: Vec<u32>,
    pub(crate) cluster_barrier: ClusterBarrier,
    /// Of each warp, what its last fence let others see: a relaxed arrival after it hands that on.
    pub(crate) fenced: Vec<Option<Clock>>,
    /// CTAs all of whose threads have left, one bit each.
    pub(crate) ended: u32,
    /// By CTA and warp of another CTA, the last access of that warp to the CTA's shared memory, and its place.
    pub(crate) remote: FxHashMap<(u32, u32), (Mark, u32)>,
    /// Barriers that all their threads have reached, before those go on.
    pub(crate) full: Vec<(u32, CtaBarrier)>,
    pub(crate) mbarriers: FxHashMap<u32, Mbarrier>,
    /// Of each CTA.
    pub(crate) registers: Vec<Registers>,
    /// mbarriers initialised so far.
    engines: u32,
    /// Operands that were read last.
    pub(crate) tiles: VecDeque<SharedTile>,
    /// Of each CTA, one after the other.
    pub(crate) warpgroups: Vec<Warpgroup>,
    pub(crate) engine: Engine,
    /// mbarrier phases completed.
    pub(crate) phases: u64,
    /// `mbarrier.test_wait`s that failed since the last completed phase.
    pub(crate) idle_tests: u64,
    pub(crate) slice_steps: u64,
    pub(crate) spins: u32,
    /// The last failed lock or poll of global memory.
    pub(crate) waits: Option<WaitsFor>,
    /// Some thread looked at global memory again and again.
    pub(crate) polls_global: bool,
    /// The operation that runs.
    pub(crate) pc: u32,
    /// Writes to global memory that changed it.
    pub(crate) changes: u64,
    /// The last access of a bulk copy to global memory.
    pub(crate) last_bulk: Option<(u32, crate::records::Record)>,
    /// What it asked of global memory, where the launch has a model of caches.
    pub(crate) trace: Trace,
}

impl Block {
    /// All threads have reached a barrier: the next that come begin anew.
    pub(crate) fn fill(&mut self, number: u32) {
        let next = CtaBarrier { phase: self.barriers[number as usize].phase + 1, ..CtaBarrier::default() };
        let barrier = std::mem::replace(&mut self.barriers[number as usize], next);
        self.arrivals[(number / BARRIERS) as usize] &= !(1 << (number % BARRIERS));
        self.full.push((number, barrier));
    }

    /// The number of a new mbarrier, for the copies that it counts.
    pub(crate) fn new_engine(&mut self) -> u32 {
        self.engines += 1;
        self.engines - 1
    }
}

/// A thread that looks at memory again and again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitsFor {
    pub(crate) memory: Memory,
    pub(crate) address: u64,
    pub(crate) pc: u32,
    pub(crate) warp: u32,
    pub(crate) lane: u32,
}

/// A cluster and how far it is.
pub(crate) struct Cluster {
    pub(crate) block: Block,
    /// Slices in a row that were idle while no other cluster did anything either, and which such time that was.
    pub(crate) idle: Idle,
    warps: Vec<Warp>,
    steps: u64,
    /// What there was when the slice began; none when the next run begins one.
    slice: Option<Changes>,
    /// Slices in a row in which all that ran waited for shared memory.
    fruitless: u32,
}

/// How often what threads may wait for has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Changes {
    global: u64,
    shared: u64,
    phases: u64,
}

/// See [`Cluster::idle`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Idle {
    pub(crate) time: u64,
    pub(crate) slices: u32,
}

/// How a slice ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Finished,
    Unfinished,
    /// Not finished with its slice either.
    Paused,
    /// Not finished, and all that ran was loops around failed locks and polls, which changed nothing.
    Idle,
}

impl Cluster {
    pub(crate) fn new(env: &Environment<'_>, index: u64) -> Self {
        let program = env.program;
        let (threads, warps_per_cta) = (env.geometry.threads_per_cta, env.geometry.warps_per_cta);
        let (start, end) = (program.shared_start, program.dynamic_shared + env.config.shared_bytes);
        let checks = env.config.checks;
        let ctas = env.geometry.size();
        let warps = ctas * warps_per_cta;
        let block = Block {
            index,
            shared: Shared::new(start, end, (ctas, warps_per_cta), &checks),
            barriers: (0..BARRIERS * ctas).map(|_| CtaBarrier::default()).collect(),
            arrivals: vec![0; ctas as usize],
            cluster_barrier: ClusterBarrier::new(warps),
            fenced: vec![None; warps as usize],
            ended: 0,
            remote: FxHashMap::default(),
            full: Vec::new(),
            mbarriers: FxHashMap::default(),
            registers: (0..ctas).map(|_| Registers::new(threads, program.max_registers)).collect(),
            engines: 0,
            tiles: VecDeque::new(),
            warpgroups: (0..ctas * warps_per_cta.div_ceil(4)).map(|_| Warpgroup::default()).collect(),
            engine: Engine::new(env.config.seed.wrapping_add(index)),
            phases: 0,
            idle_tests: 0,
            slice_steps: 0,
            spins: 0,
            waits: None,
            polls_global: false,
            pc: 0,
            changes: 0,
            last_bulk: None,
            trace: Trace::default(),
        };
        Self {
            block,
            idle: Idle::default(),
            warps: (0..warps).map(|number| crate::special::warp(env, index, number)).collect(),
            steps: 0,
            slice: None,
            fruitless: 0,
        }
    }

    /// Warp instructions so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps + self.slice.map_or(0, |_| self.block.slice_steps)
    }

    /// The operation at which a warp is.
    pub(crate) fn place(&self) -> Option<u32> {
        self.warps.iter().find_map(|warp| warp.fragments.first().map(|fragment| fragment.pc))
    }

    /// Runs the cluster for a while.
    pub(crate) fn run(&mut self, env: &Environment<'_>, counters: &mut Counters) -> Result<Progress, Box<Fault>> {
        let changes = self.slice.take().unwrap_or_else(|| {
            self.block.slice_steps = 0;
            self.block.spins = 0;
            self.block.waits = None;
            self.block.polls_global = false;
            self.changes()
        });
        let pause = env.is_hasty().then(|| self.block.slice_steps + 1 + self.block.engine.random(MOST_HASTY) as u64);
        loop {
            if env.is_late() {
                return Err(self.too_late(env));
            }
            let mut ran = false;
            let phases = self.block.phases;
            // No warp may count on being first: each seed begins with another one.
            let first = env.config.seed as usize % self.warps.len();
            let (later, earlier) = self.warps.split_at_mut(first);
            for warp in earlier.iter_mut().chain(later) {
                wake(env, &self.block, warp);
                if !warp.fragments.iter().any(|f| f.state == State::Ready) {
                    continue;
                }
                ran = true;
                Machine { env, block: &mut self.block, counters }.run(warp)?;
                release_lanes(env, &mut self.block, warp);
            }
            let released = self.release_barriers();
            self.end_ctas(env, counters)?;
            if self.warps.iter().all(|warp| warp.alive == 0) {
                self.steps += self.block.slice_steps;
                return Ok(Progress::Finished);
            }
            let eager = !self.block.engine.is_empty() && self.block.engine.random(EAGER) == 0;
            let idle = !ran && !released && self.block.phases == phases;
            let goes_on = if idle { GoesOn::Nothing } else { GoesOn::Warps };
            let advanced = (idle || eager) && Machine { env, block: &mut self.block, counters }.advance(goes_on)?;
            if self.block.phases != phases {
                self.block.idle_tests = 0;
            }
            if idle && !advanced && self.let_products_pass(env) {
                continue;
            }
            if idle && !advanced || self.block.idle_tests > MAX_IDLE_TESTS {
                return Err(deadlock(&self.block, &self.warps, env));
            }
            if self.steps + self.block.slice_steps > self.limit(env) {
                return Err(self.too_long(env));
            }
            if self.block.slice_steps > SLICE || self.block.spins > MAX_SPINS || env.stopped(self.block.index) {
                self.steps += self.block.slice_steps;
                let spun = self.block.waits.is_some()
                    && self.block.slice_steps < u64::from(self.block.spins) * STEPS_OF_A_SPIN;
                let now = self.changes();
                let alone = spun && now == changes && !self.block.polls_global && self.block.engine.is_empty();
                self.fruitless = if alone { self.fruitless + 1 } else { 0 };
                if self.fruitless > MOST_FRUITLESS {
                    return Err(self.spins(env));
                }
                let idle = spun && now.global == changes.global && env.global.is_some();
                return Ok(if idle { Progress::Idle } else { Progress::Unfinished });
            }
            if pause.is_some_and(|end| self.block.slice_steps > end) {
                self.slice = Some(changes);
                return Ok(Progress::Paused);
            }
        }
    }

    /// Warps that wait for the others of their warpgroup to complete a product go on where nothing else does; false when there are none.
    fn let_products_pass(&mut self, env: &Environment<'_>) -> bool {
        let groups = env.geometry.warps_per_cta.div_ceil(4);
        let mut passed = false;
        for warp in &self.warps {
            for fragment in &warp.fragments {
                if let State::Warpgroup { products } = fragment.state {
                    let group = (warp.rank * groups + warp.in_cta / 4) as usize;
                    self.block.warpgroups[group].go_alone(warp.in_cta as usize % 4, products);
                    passed = true;
                }
            }
        }
        passed
    }

    fn changes(&self) -> Changes {
        let Block { changes: global, phases, .. } = self.block;
        Changes { global, shared: self.block.shared.changes(), phases }
    }

    /// The fault of threads that all wait for shared memory to change.
    fn spins(&self, env: &Environment<'_>) -> Box<Fault> {
        let message = "no thread can go on: all that run wait for shared memory that none of them changes";
        let fault = Fault::new(DEADLOCK, message)
            .help("look for the write that it waits for: a flag that is never set, a lock that is never released");
        self.waiting(env, fault)
    }

    /// Says for what a thread of the CTA waits.
    pub(crate) fn waiting(&self, env: &Environment<'_>, fault: Box<Fault>) -> Box<Fault> {
        let Some(waits) = self.block.waits else { return fault };
        let place = match waits.memory {
            Memory::Global => {
                let place = env.memory.find(waits.address).map(|found| found.place(waits.address, 4));
                place.unwrap_or_else(|| format!("address {:#x}", waits.address))
            }
            _ => format!("the shared memory at address {:#x}", waits.address),
        };
        let fault = fault.note(format!("this thread waits for {place}"));
        fault.at(waits.pc).in_warp(waits.warp).lane(waits.lane as usize)
    }

    /// Opens every barrier that all its threads have reached.
    fn release_barriers(&mut self) -> bool {
        let mut released = self.block.cluster_barrier.complete(self.warps.iter().map(|warp| warp.alive));
        let warps_per_cta = self.warps.len() / self.block.arrivals.len();
        for rank in 0..self.block.arrivals.len() {
            let arrivals = self.block.arrivals[rank];
            if arrivals == 0 {
                continue;
            }
            let warps = &self.warps[rank * warps_per_cta..(rank + 1) * warps_per_cta];
            let alive: u32 = warps.iter().map(|warp| warp.alive.count_ones()).sum();
            for number in lanes_of(arrivals) {
                let number = rank * BARRIERS as usize + number;
                let barrier = &self.block.barriers[number];
                if barrier.arrived >= barrier.expected.unwrap_or(alive) {
                    self.block.fill(number as u32);
                }
            }
        }
        for (number, barrier) in std::mem::take(&mut self.block.full) {
            released = true;
            for warp in &mut self.warps {
                open(&mut self.block, warp, number, &barrier);
            }
        }
        released
    }

    /// What must hold of a CTA when all its threads have left.
    fn end_ctas(&mut self, env: &Environment<'_>, counters: &mut Counters) -> Result<(), Box<Fault>> {
        let per_cta = self.warps.len() / self.block.arrivals.len();
        for (rank, warps) in (0..).zip(self.warps.chunks(per_cta)) {
            let is_over = warps.iter().all(|warp| warp.alive == 0);
            if !is_over || self.block.ended >> rank & 1 == 1 {
                continue;
            }
            self.block.ended |= 1 << rank;
            let last = warps.last().map_or(0, |warp| warp.number);
            end_cta(env, &mut self.block, counters, rank).map_err(|fault| fault.in_cta_of(last, per_cta as u32))?;
        }
        Ok(())
    }

    fn limit(&self, env: &Environment<'_>) -> u64 {
        env.config.limits.steps_per_cta.saturating_mul(u64::from(env.geometry.size()))
    }

    fn too_long(&self, env: &Environment<'_>) -> Box<Fault> {
        let limit = self.limit(env);
        let fault = Fault::new(RUN_LIMIT, format!("a CTA ran more than {limit} instructions"));
        self.ended(env, fault.help("look for a loop that does not end, or raise the limit"))
    }

    fn too_late(&self, env: &Environment<'_>) -> Box<Fault> {
        let limit = env.config.limits.time.unwrap_or_default();
        let fault = Fault::new(RUN_LIMIT, format!("the launch took longer than {} s", limit.as_secs_f64()));
        self.ended(env, fault.help("launch fewer CTAs, look for a loop that does not end, or raise the limit"))
    }

    /// The fault of a launch that is given up, at the place where the cluster is.
    fn ended(&self, env: &Environment<'_>, mut fault: Box<Fault>) -> Box<Fault> {
        let running = self.warps.iter().find_map(|w| w.fragments.first().map(|f| (w.number, f.pc)));
        (fault.warp, fault.pc) = running.unwrap_or((0, u32::MAX));
        self.waiting(env, fault)
    }
}

/// Checks what must be done when the threads of a CTA have left.
fn end_cta(env: &Environment<'_>, block: &mut Block, counters: &mut Counters, rank: u32) -> Result<(), Box<Fault>> {
    Machine { env, block, counters }.end_copies(rank)?;
    if let Some(pc) = block.registers[rank as usize].unfinished() {
        let message = "a `setmaxnreg` that only some of the four warps of its warpgroup executed";
        return Err(Fault::new(BAD_PTX, message).at(pc).help("all four warps must take the same path"));
    }
    let groups = env.geometry.warps_per_cta.div_ceil(4) as usize;
    let own = block.warpgroups.iter().skip(rank as usize * groups).take(groups);
    if let Some(pc) = own.into_iter().find_map(Warpgroup::unfinished) {
        let message = "a wgmma that only some of the four warps of its warpgroup executed";
        return Err(Fault::new(BAD_PTX, message).at(pc).help("all four warps must take the same path"));
    }
    Machine { env, block, counters }.end_of_remote(rank)
}

/// Lets threads that wait for an mbarrier look again when some phase has completed.
fn wake(env: &Environment<'_>, block: &Block, warp: &mut Warp) {
    let group = (warp.rank * env.geometry.warps_per_cta.div_ceil(4) + warp.in_cta / 4) as usize;
    for fragment in &mut warp.fragments {
        let goes_on = match fragment.state {
            State::Mbarrier { phases, .. } => phases != block.phases,
            State::Registers { count } => block.registers[warp.rank as usize].has(warp.in_cta, count),
            State::ClusterBarrier { phase } => block.cluster_barrier.phase != phase,
            State::Warpgroup { products } => block.warpgroups[group].goes_on(warp.in_cta as usize % 4, products),
            State::Ready | State::Barrier { .. } | State::Lanes(_) => false,
        };
        if goes_on {
            fragment.state = State::Ready;
        }
    }
}

/// Lets the threads of a warp that wait at a barrier go on.
fn open(block: &mut Block, warp: &mut Warp, number: u32, barrier: &CtaBarrier) {
    let mut passed = 0;
    for fragment in &mut warp.fragments {
        if fragment.state == (State::Barrier { id: number, phase: barrier.phase }) {
            *fragment = crate::warp::Fragment { pc: fragment.pc + 1, mask: fragment.mask, state: State::Ready };
            passed |= fragment.mask;
        }
    }
    if passed == 0 {
        return;
    }
    block.shared.acquire(warp.number, &barrier.clock);
    let truth = |yes: bool| if yes { u32::MAX } else { 0 };
    match barrier.destination {
        Some(VoteResult::Count(slot)) => warp.splat(slot, u64::from(barrier.votes), passed),
        Some(VoteResult::All(slot)) => warp.set_pred(slot, truth(barrier.votes == barrier.arrived), passed),
        Some(VoteResult::Any(slot)) => warp.set_pred(slot, truth(barrier.votes > 0), passed),
        None => {}
    }
}

/// A warp barrier may be reached at different instructions: when all members wait for the same lanes, they all go on.
fn release_lanes(env: &Environment<'_>, block: &mut Block, warp: &mut Warp) {
    if warp.fragments.len() < 2 || warp.fragments.iter().any(|f| f.state == State::Ready) {
        return;
    }
    let waiting = warp.fragments.iter().filter_map(|f| match f.state {
        State::Lanes(members) => Some((members, f.mask)),
        _ => None,
    });
    let Some((members, _)) = waiting.clone().next() else { return };
    let here = waiting.filter(|(m, _)| *m == members).fold(0, |mask, (_, lanes)| mask | lanes);
    if members & warp.alive & !here != 0 {
        return;
    }
    let at_barrier = |pc: u32| matches!(env.program.code[pc as usize].op, Op::Lanes(LaneOp::WarpBarrier { .. }));
    let all = warp.fragments.iter().filter(|f| f.state == State::Lanes(members)).all(|f| at_barrier(f.pc));
    if !all {
        return;
    }
    for fragment in &mut warp.fragments {
        if fragment.state == State::Lanes(members) {
            fragment.pc += 1;
            fragment.state = State::Ready;
        }
    }
    block.shared.synchronise_warp(warp.number);
}
