//! `wgmma`: issue, groups, completion, and the rules about its registers.
//!
//! Each warp computes its own 16 rows of the 64, so a warp never waits for the other three; [`Warpgroup`] checks that they all
//! execute the same instructions on the same tiles. An operation runs as late as PTX allows, when the warp waits for its
//! group, on the shared memory it then finds; memory that changed since the issue, or that no proxy fence handed over, is a
//! fault, and so is a register in use.
//!
//! [`Warpgroup`]: crate::warpgroup::Warpgroup

use super::{Flow, Machine, Step};
use crate::fault::Fault;
use crate::program::{Op, Slot, Sums, Wgmma};
use crate::uses;
use crate::warp::{State, Warp};
use crate::warpgroup::{Issued, Unfenced};
use tk_diag::{BAD_PTX, DATA_RACE};

impl Machine<'_> {
    /// `wgmma.fence`.
    pub(super) fn wgmma_fence(&mut self, warp: &mut Warp, index: usize) -> Step {
        if !self.gather(warp, index, warp.alive) {
            return Ok(Flow::Select);
        }
        warp.wgmma.fence();
        Ok(Flow::Next)
    }

    /// `wgmma.commit_group`.
    pub(super) fn wgmma_commit(&mut self, warp: &mut Warp, index: usize) -> Step {
        if !self.gather(warp, index, warp.alive) {
            return Ok(Flow::Select);
        }
        warp.wgmma.committed += 1;
        Ok(Flow::Next)
    }

    /// `wgmma.wait_group`: all groups but the `left` newest.
    pub(super) fn wgmma_wait(&mut self, warp: &mut Warp, index: usize, left: u32) -> Step {
        if !self.gather(warp, index, warp.alive) {
            return Ok(Flow::Select);
        }
        let due = warp.wgmma.committed.saturating_sub(left);
        self.complete_wgmmas(warp, due)?;
        if self.env.config.checks.warpgroup_waits {
            return Ok(Flow::Next);
        }
        Ok(self.meet_warpgroup(warp, index))
    }

    /// Hardware completes a product for all four warps of a warpgroup, and CUTLASS counts on it: where one has waited, nothing reads the
    /// operands any more.
    fn meet_warpgroup(&mut self, warp: &mut Warp, index: usize) -> Flow {
        let group = self.warpgroup_of(warp);
        let Some(state) = self.block.warpgroups.get_mut(group) else { return Flow::Next };
        let number = warp.in_cta as usize % 4;
        let products = state.complete(number, warp.wgmma.queue.len());
        if !state.goes_on(number, products) {
            warp.fragments[index].state = State::Warpgroup { products };
            return Flow::Select;
        }
        self.block.shared.meet_group(warp.number);
        Flow::Next
    }

    /// The number of a warp's warpgroup in the cluster.
    fn warpgroup_of(&self, warp: &Warp) -> usize {
        (warp.rank * self.env.geometry.warps_per_cta.div_ceil(4) + warp.in_cta / 4) as usize
    }

    pub(super) fn wgmma(&mut self, warp: &mut Warp, index: usize, number: u32, active: u32) -> Step {
        if !self.gather(warp, index, warp.alive) {
            return Ok(Flow::Select);
        }
        let program = self.env.program;
        let wgmma = &program.wgmmas[number as usize];
        let lane = active.trailing_zeros() as usize & 31;
        if active != u32::MAX {
            return Err(Fault::new(BAD_PTX, "a wgmma needs all 32 lanes of the warp").lane(lane));
        }
        let scale = warp.pred(wgmma.accumulate);
        let uniform = |values: &[u64; 32]| values.iter().all(|v| *v == values[0]);
        let (a, b) = (wgmma.left.descriptor().map_or([0; 32], |slot| *warp.reg(slot)), *warp.reg(wgmma.right));
        if !uniform(&a) || !uniform(&b) || (scale != 0 && scale != u32::MAX) {
            return Err(Fault::new(BAD_PTX, "lanes give a wgmma different descriptors or scales").lane(lane));
        }
        let pc = warp.fragments[index].pc;
        let (a, b, accumulate) = (a[0], b[0], scale != 0);
        let warps = self.env.geometry.warps_per_cta;
        let group = warp.in_cta / 4;
        if group * 4 + 4 > warps {
            let message = format!("a wgmma in warp {} of {warps}: a warpgroup is four whole warps", warp.in_cta);
            return Err(Fault::new(BAD_PTX, message).lane(lane));
        }
        let place = self.warpgroup_of(warp);
        let state = &mut self.block.warpgroups[place];
        if let Err((other, ..)) = state.execute(warp.in_cta as usize % 4, (pc, a, b, accumulate)) {
            let what = if other == pc { "the same wgmma on other tiles" } else { "another wgmma" };
            let message = format!("the warps of a warpgroup diverge: another warp executed {what} in this place");
            return Err(Fault::new(BAD_PTX, message).lane(lane));
        }
        registers_free(warp, wgmma, program.wgmmas.as_slice())?;
        let shape = (wgmma.n, wgmma.a.element.bits());
        warp.wgmma.fenced(&wgmma.d, wgmma.left.registers(), shape).map_err(|why| unfenced(why).lane(lane))?;
        let issued = self.block.shared.issue(warp.number, u32::MAX);
        warp.wgmma.multiply(program.slots as usize, &wgmma.d, wgmma.left.registers(), (shape, pc));
        let group = warp.wgmma.committed;
        warp.wgmma.queue.push_back(Issued { index: number, pc, group, a, b, accumulate, issued });
        Ok(Flow::Next)
    }

    /// Completes the operations of the groups before `due`.
    fn complete_wgmmas(&mut self, warp: &mut Warp, due: u32) -> Result<(), Box<Fault>> {
        let all = self.env.program.wgmmas.as_slice();
        let count = warp.wgmma.queue.iter().take_while(|operation| operation.group < due).count();
        let done: Vec<Issued> = warp.wgmma.queue.drain(..count).collect();
        // Halves are rounded after each product.
        let one_run = |a: &Issued, b: &Issued| {
            let (a, b) = (&all[a.index as usize], &all[b.index as usize]);
            a.d == b.d && a.sums == Sums::Single && b.sums == Sums::Single && a.n == b.n
        };
        for run in done.chunk_by(one_run) {
            self.multiply(warp, run)?;
            for operation in run {
                let wgmma = &all[operation.index as usize];
                warp.wgmma.let_go(&wgmma.d, wgmma.left.registers());
            }
        }
        Ok(())
    }

    /// Looks at an operation that touches registers of some wgmma: it must not touch those of one in flight, and a fence has to
    /// follow before the next.
    pub(super) fn check_registers(&self, warp: &mut Warp, op: &Op, pc: u32, active: u32) -> Result<(), Box<Fault>> {
        let mut wrong: Option<(&str, Slot)> = None;
        let program = self.env.program;
        uses::slots(program, op, &mut |slot, written| {
            if !program.dot_registers.contains(slot) {
                return;
            }
            if warp.wgmma.accumulating(slot) > 0 {
                let what = if written { "write of a wgmma result" } else { "read of a wgmma result" };
                wrong = wrong.or(Some((what, slot)));
            } else if written && warp.wgmma.reading(slot) > 0 {
                wrong = wrong.or(Some(("write to an operand register of a wgmma", slot)));
            }
            warp.wgmma.touch(program.slots as usize, slot, pc);
        });
        let Some((what, slot)) = wrong else { return Ok(()) };
        let lane = active.trailing_zeros() as usize & 31;
        let fault = Fault::new(DATA_RACE, format!("{what} before wait_group"));
        let owner = warp.wgmma.owner(slot, &program.wgmmas);
        Err(owner
            .into_iter()
            .fold(fault, |fault, pc| fault.also(pc, "this wgmma"))
            .lane(lane)
            .note("the wgmma is still in flight and owns the register".to_string())
            .help("wait with `wgmma.wait_group.sync.aligned` first"))
    }
}

/// The fault of a wgmma whose registers no fence orders.
fn unfenced(why: Unfenced) -> Box<Fault> {
    let help = "the fence orders accesses of the registers that a wgmma accumulates into or takes A from";
    let fault = |message: &str| Fault::new(DATA_RACE, message).help(help);
    match why {
        Unfenced::First => fault("a wgmma without a `wgmma.fence.sync.aligned` before it"),
        Unfenced::Accessed { pc } => {
            fault("a wgmma uses a register that was accessed since the last `wgmma.fence.sync.aligned`")
                .also(pc, "accesses the register")
        }
        Unfenced::OtherProduct { pc } => {
            fault("a wgmma uses a register that another one used otherwise since the last `wgmma.fence.sync.aligned`")
                .note("only products of one shape may add to one accumulator without a fence between them".to_string())
                .also(pc, "the other wgmma")
        }
    }
}

/// Operations in flight may share accumulators only when they are the same in the same order.
fn registers_free(warp: &Warp, wgmma: &Wgmma, all: &[Wgmma]) -> Result<(), Box<Fault>> {
    let state = &warp.wgmma;
    if state.is_empty() {
        return Ok(());
    }
    let fault = |what: &str| {
        let message = format!("{what} of this wgmma belongs to another one in flight");
        Err(Fault::new(DATA_RACE, message).help("wait with `wgmma.wait_group.sync.aligned` first"))
    };
    if wgmma.left.registers().iter().any(|slot| state.accumulating(*slot) > 0) {
        return fault("an operand register");
    }
    if wgmma.d.iter().any(|slot| state.reading(*slot) > 0) {
        return fault("an accumulator register");
    }
    let same = state.queue.iter().filter(|other| all[other.index as usize].d == wgmma.d).count() as u16;
    if wgmma.d.iter().any(|slot| state.accumulating(*slot) != same) {
        return fault("an accumulator register");
    }
    Ok(())
}
