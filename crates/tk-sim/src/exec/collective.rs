//! Barriers, shuffles, votes and other operations of several lanes.

use super::{Flow, Machine, Step, skip_others};
use crate::cluster::VoteResult;
use crate::fault::Fault;
use crate::lanes::{Lanes, lanes_of};
use crate::program::{BARRIERS, BarrierKind, LaneOp, Op, Pred, RegisterChange, Shuffle, Slot, Vote};
use crate::warp::{State, Warp};
use tk_diag::BAD_PTX;

impl Machine<'_> {
    /// Operations of several lanes. Those with a member mask run once all members have come.
    pub(super) fn lanes(&mut self, warp: &mut Warp, index: usize, op: &Op, active: u32) -> Step {
        let Op::Lanes(lanes) = op else { return Ok(Flow::Next) };
        let members = match *lanes {
            LaneOp::ActiveMask { d } => {
                warp.splat(d, u64::from(active), active);
                return Ok(Flow::Next);
            }
            LaneOp::Shuffle { members, .. }
            | LaneOp::Vote { members, .. }
            | LaneOp::Match { members, .. }
            | LaneOp::Reduce { members, .. }
            | LaneOp::Elect { members, .. }
            | LaneOp::WarpBarrier { members } => warp.reg(members)[active.trailing_zeros() as usize & 31] as u32,
            LaneOp::Transpose { .. } => warp.alive,
        };
        if active & !members != 0 {
            let lane = (active & !members).trailing_zeros() as usize;
            let message = format!("a lane outside the member mask {members:#010x} executes this instruction");
            return Err(Fault::new(BAD_PTX, message).lane(lane));
        }
        if !self.gather(warp, index, members) {
            return Ok(Flow::Select);
        }
        let held = members & warp.alive & !active;
        if held != 0 {
            let lane = held.trailing_zeros();
            let message =
                format!("lane {lane} is in the member mask {members:#010x} and does not execute this instruction");
            let help = "let no predicate hold back lanes of the mask, or leave them out of it";
            return Err(Fault::new(BAD_PTX, message).lane(active.trailing_zeros() as usize & 31).help(help));
        }
        if self.reads_undefined(warp, op, u32::MAX) {
            self.vary(warp, op, active, |machine, warp| machine.together(warp, lanes, active))?;
        } else {
            self.together(warp, lanes, active)?;
        }
        Ok(Flow::Next)
    }

    /// An operation whose lanes have all come.
    fn together(&mut self, warp: &mut Warp, op: &LaneOp, active: u32) -> Result<(), Box<Fault>> {
        match *op {
            LaneOp::Shuffle { kind, d, p, a, b, c, .. } => shuffle(warp, kind, [d, p, a, b, c], active)?,
            LaneOp::Vote { kind, d, p, a, .. } => vote(warp, kind, [d, p], a, active),
            LaneOp::Match { all, d, p, a, .. } => match_lanes(warp, all, [d, p, a], active),
            LaneOp::Reduce { update, d, a, .. } => {
                let values = *warp.reg(a);
                let value = lanes_of(active).map(|lane| values[lane]).reduce(|x, y| update(x, y, 0)).unwrap_or(0);
                warp.splat(d, value & 0xFFFF_FFFF, active);
            }
            LaneOp::Elect { d, p, .. } => {
                let leader = active.trailing_zeros();
                warp.splat(d, u64::from(leader), active);
                warp.set_pred(p, 1 << leader, active);
            }
            LaneOp::Transpose { d, a } => transpose(warp, d, a),
            LaneOp::WarpBarrier { .. } => self.block.shared.synchronise_warp(warp.number),
            LaneOp::ActiveMask { d } => warp.splat(d, u64::from(active), active),
        }
        Ok(())
    }

    /// A barrier of the CTA. Threads arrive one by one, so that parts of a warp may come at different times.
    pub(super) fn barrier(
        &mut self,
        warp: &mut Warp,
        index: usize,
        active: u32,
        kind: BarrierKind,
        id: Slot,
        threads: Option<Slot>,
    ) -> Step {
        let lane = active.trailing_zeros() as usize & 31;
        let number = warp.reg(id)[lane] as u32;
        if number >= BARRIERS {
            return Err(Fault::new(BAD_PTX, format!("barrier {number} does not exist; there are 16")).lane(lane));
        }
        let in_cluster = warp.rank * BARRIERS + number;
        let barrier = &mut self.block.barriers[in_cluster as usize];
        let expected = threads.map(|slot| warp.reg(slot)[lane] as u32);
        if expected.is_some_and(|n| n == 0 || n % 32 != 0) {
            let message = format!("a barrier of {} threads; the count is a multiple of 32", expected.unwrap_or(0));
            return Err(Fault::new(BAD_PTX, message).lane(lane));
        }
        let (votes, destination) = match kind {
            BarrierKind::Popc(slot, pred) => (warp.pred(pred) & active, Some(VoteResult::Count(slot))),
            BarrierKind::And(slot, pred) => (warp.pred(pred) & active, Some(VoteResult::All(slot))),
            BarrierKind::Or(slot, pred) => (warp.pred(pred) & active, Some(VoteResult::Any(slot))),
            BarrierKind::Sync | BarrierKind::Arrive => (0, None),
        };
        let all = self.env.config.threads_per_cta;
        if barrier.arrived > 0 && barrier.expected.unwrap_or(all) != expected.unwrap_or(all) {
            let (first, here) = (barrier.expected.unwrap_or(all), expected.unwrap_or(all));
            let message = format!("barrier {number} of {here} threads, for which others wait as one of {first}");
            return Err(Fault::new(BAD_PTX, message).lane(lane).help("give all that use a barrier the same count"));
        }
        let came = barrier.came.entry(warp.number).or_default();
        if *came & active != 0 {
            let message = format!("warp {} arrives at barrier {number} twice before it opens", warp.in_cta);
            return Err(Fault::new(BAD_PTX, message)
                .lane(lane)
                .help("wait for the barrier of the other side before the next arrival, or use another barrier"));
        }
        *came |= active;
        barrier.expected = expected;
        barrier.arrived += active.count_ones();
        barrier.votes += votes.count_ones();
        barrier.destination = destination.or(barrier.destination);
        self.block.shared.release(warp.number, warp.with_absent(active), &mut barrier.clock);
        self.block.arrivals[warp.rank as usize] |= 1 << number;
        let phase = barrier.phase;
        if expected.is_some_and(|expected| barrier.arrived >= expected) {
            self.block.fill(in_cluster);
        }
        if kind == BarrierKind::Arrive {
            return Ok(Flow::Next);
        }
        skip_others(warp, index, active);
        warp.fragments[index].state = State::Barrier { id: in_cluster, phase };
        Ok(Flow::Select)
    }
}

impl Machine<'_> {
    /// `setmaxnreg`: waits until the registers are there.
    pub(super) fn set_registers(
        &mut self,
        warp: &mut Warp,
        index: usize,
        count: u32,
        change: RegisterChange,
        active: u32,
    ) -> Step {
        if !self.gather(warp, index, warp.alive) {
            return Ok(Flow::Select);
        }
        if active != warp.alive {
            return Err(super::not_all(warp, active, "`setmaxnreg`"));
        }
        let registers = &mut self.block.registers[warp.rank as usize];
        let wrong = registers.current(warp.in_cta).filter(|current| match change {
            RegisterChange::More => *current > count,
            RegisterChange::Fewer => *current < count,
        });
        if let Some(current) = wrong {
            let word = if change == RegisterChange::More { "inc" } else { "dec" };
            let message = format!("`setmaxnreg.{word}` to {count} registers by a warp that has {current}");
            return Err(Fault::new(BAD_PTX, message));
        }
        if !registers.has(warp.in_cta, count) {
            warp.fragments[index].state = State::Registers { count };
            return Ok(Flow::Select);
        }
        let pc = warp.fragments[index].pc;
        match registers.set(warp.in_cta, count, pc) {
            Ok(()) => Ok(Flow::Next),
            Err(other) => Err(Fault::new(BAD_PTX, "the warps of a warpgroup execute different `setmaxnreg`")
                .also(other, "another warp of the warpgroup")
                .help("all four warps must take the same path")),
        }
    }
}

/// `vote.sync`.
fn vote(warp: &mut Warp, kind: Vote, [d, p]: [u32; 2], a: Pred, active: u32) {
    let votes = warp.pred(a) & active;
    let answer = match kind {
        Vote::All => votes == active,
        Vote::Any => votes != 0,
        Vote::Uniform => votes == active || votes == 0,
        Vote::Ballot => return warp.splat(d, u64::from(votes), active),
    };
    warp.set_pred(p, if answer { u32::MAX } else { 0 }, active);
}

/// `shfl.sync`: the clamp and segment mask lie in operand c.
fn shuffle(warp: &mut Warp, kind: Shuffle, [d, p, a, b, c]: [u32; 5], active: u32) -> Result<(), Box<Fault>> {
    let (values, offsets, bounds) = (*warp.reg(a), *warp.reg(b), *warp.reg(c));
    let (mut out, mut inside): (Lanes, u32) = ([0; 32], 0);
    for lane in lanes_of(active) {
        let (here, offset, bound) = (lane as i32, (offsets[lane] & 31) as i32, bounds[lane] as i32);
        let (clamp, segment) = (bound & 31, bound >> 8 & 31);
        let most = here & segment | clamp & !segment;
        let least = here & segment;
        let (from, valid) = match kind {
            Shuffle::Up => (here - offset, here - offset >= most),
            Shuffle::Down => (here + offset, here + offset <= most),
            Shuffle::Butterfly => (here ^ offset, here ^ offset <= most),
            Shuffle::Index => (least | offset & !segment, (least | offset & !segment) <= most),
        };
        let from = if valid { from } else { here };
        inside |= u32::from(valid) << lane;
        if active >> (from & 31) & 1 == 0 {
            let message = format!("a shuffle reads lane {from} of the warp, which does not take part");
            let help = "let all lanes that are read execute the shuffle, or give it a smaller segment";
            return Err(Fault::new(BAD_PTX, message).lane(lane).help(help));
        }
        out[lane] = values[from as usize & 31] & 0xFFFF_FFFF;
    }
    warp.set_reg(d, &out, active);
    warp.set_pred(p, inside, active);
    Ok(())
}

fn match_lanes(warp: &mut Warp, all: bool, [d, p, a]: [u32; 3], active: u32) {
    let values = *warp.reg(a);
    let equal = |value: u64| lanes_of(active).filter(|l| values[*l] == value).fold(0u32, |m, l| m | 1 << l);
    if all {
        let same = equal(values[active.trailing_zeros() as usize]) == active;
        warp.splat(d, if same { u64::from(active) } else { 0 }, active);
        warp.set_pred(p, if same { u32::MAX } else { 0 }, active);
        return;
    }
    for lane in lanes_of(active) {
        let mask = equal(values[lane]);
        warp.put(d, lane, u64::from(mask));
    }
}

/// `movmatrix`: an 8 by 8 matrix of 16-bit elements, row r in lanes 4r to 4r+3.
fn transpose(warp: &mut Warp, d: Slot, a: Slot) {
    let values = *warp.reg(a);
    let element = |row: usize, column: usize| values[row * 4 + column / 2] >> (16 * (column % 2)) & 0xFFFF;
    let mut out: Lanes = [0; 32];
    for (lane, out) in out.iter_mut().enumerate() {
        let (row, column) = (lane / 4, lane % 4 * 2);
        *out = element(column + 1, row) << 16 | element(column, row);
    }
    warp.set_reg(d, &out, u32::MAX);
}
