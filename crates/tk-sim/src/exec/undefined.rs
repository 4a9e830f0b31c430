//! Operations on what nothing wrote: which bytes of their results are undefined, and the faults of results that matter.
//!
//! An operation runs several times, each time with other bytes in place of the undefined ones: the bytes of its results that change are
//! undefined, and no others. So masks, shifts and selections keep apart what is defined and what is not. Comparisons for equality would
//! hide what they depend on, so their results are undefined where an operand is.

use super::{Flow, Machine, Step, combine};
use crate::fault::Fault;
use crate::lanes::{Lanes, lanes_of};
use crate::program::{Access, LaneOp, Logic, Op, Pred, PredSlot, RegisterOp, Slot};
use crate::undefined::{Source, gather, spread};
use crate::uses;
use crate::warp::Warp;
use tk_diag::UNINITIALISED;

/// How often an operation on undefined bytes runs with others.
pub(super) const VARIANTS: u64 = 5;

/// An operand or a result: what it was, and which of it is undefined.
struct Kept<V> {
    slot: u32,
    value: V,
    undefined: V,
}

/// Registers and predicates that an operation reads or writes.
#[derive(Default)]
struct Touched {
    reads: Vec<Kept<Lanes>>,
    writes: Vec<Kept<Lanes>>,
    reads_preds: Vec<Kept<u32>>,
    writes_preds: Vec<Kept<u32>>,
}

impl Touched {
    fn new(machine: &Machine<'_>, warp: &Warp, op: &Op) -> Self {
        let mut touched = Self::default();
        let (none, program) = ([0; 32], machine.env.program);
        uses::slots(program, op, &mut |slot, written| {
            let value = *warp.reg(slot);
            match written {
                true => touched.writes.push(Kept { slot, value, undefined: none }),
                false if warp.undefined.lanes(slot) == 0 => {}
                false => touched.reads.push(Kept { slot, value, undefined: warp.undefined.bits(slot) }),
            }
        });
        uses::preds(program, op, &mut |slot, written| {
            let value = warp.preds[slot as usize];
            match written {
                true => touched.writes_preds.push(Kept { slot, value, undefined: 0 }),
                false if warp.undefined.pred(slot) == 0 => {}
                false => touched.reads_preds.push(Kept { slot, value, undefined: warp.undefined.pred(slot) }),
            }
        });
        touched
    }

    /// Puts back what was there, with other bytes in place of the undefined ones.
    fn vary(&self, warp: &mut Warp, variant: Option<u64>) {
        for kept in self.writes.iter().chain(&self.reads) {
            let register = &mut warp.regs[kept.slot as usize];
            *register = kept.value;
            for (lane, place) in register.iter_mut().enumerate() {
                let bits = kept.undefined[lane];
                *place = variant
                    .map_or(*place, |n| *place & !bits | filling(n, u64::from(kept.slot) << 8 | lane as u64) & bits);
            }
        }
        for kept in self.writes_preds.iter().chain(&self.reads_preds) {
            let bits = variant.map_or(kept.value, |n| filling(n, u64::from(kept.slot) << 8 | 0xFF) as u32);
            warp.preds[kept.slot as usize] = kept.value & !kept.undefined | bits & kept.undefined;
        }
    }

    /// Where something undefined in a lane comes from, or in any lane if this one has none.
    fn source(&self, warp: &Warp, lane: usize) -> Source {
        let own = self.reads.iter().find(|kept| kept.undefined[lane] != 0).map(|kept| (kept.slot, lane));
        let first = |kept: &Kept<Lanes>| kept.undefined.iter().position(|bits| *bits != 0);
        let other = || self.reads.iter().find_map(|kept| Some((kept.slot, first(kept)?)));
        let pred = |lane: usize| self.reads_preds.iter().find(|kept| kept.undefined >> lane & 1 == 1);
        let any_pred = || self.reads_preds.first();
        match (own, pred(lane)) {
            (Some((slot, lane)), _) => warp.undefined.source(slot, lane),
            (None, Some(kept)) => warp.undefined.pred_source(kept.slot),
            (None, None) => match (other(), any_pred()) {
                (Some((slot, lane)), _) => warp.undefined.source(slot, lane),
                (None, Some(kept)) => warp.undefined.pred_source(kept.slot),
                (None, None) => Source::Predicate,
            },
        }
    }
}

/// What stands in for undefined bytes of a register: zeros, ones, then something else for each register and lane.
pub(super) fn filling(variant: u64, place: u64) -> u64 {
    match variant {
        0 => 0,
        1 => u64::MAX,
        // SplitMix64 (Steele, Lea and Flood 2014).
        _ => {
            let mut bits = (place << 8 | variant).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            bits ^ bits >> 31
        }
    }
}

/// Lanes in which a combination of predicates, some of them undefined, is undefined.
fn unknown(logic: Logic, [a, b]: [u32; 2], [unknown_a, unknown_b]: [u32; 2]) -> u32 {
    let either = unknown_a | unknown_b;
    match logic {
        Logic::And => either & !(!a & !unknown_a) & !(!b & !unknown_b),
        Logic::Or => either & !(a & !unknown_a) & !(b & !unknown_b),
        Logic::Xor => either,
    }
}

impl Machine<'_> {
    /// Whether an operation reads a register or predicate that is undefined in one of these lanes.
    pub(super) fn reads_undefined(&self, warp: &Warp, op: &Op, active: u32) -> bool {
        let mut lanes = 0;
        uses::slots(self.env.program, op, &mut |slot, written| {
            lanes |= if written { 0 } else { warp.undefined.lanes(slot) };
        });
        uses::preds(self.env.program, op, &mut |slot, written| {
            lanes |= if written { 0 } else { warp.undefined.pred(slot) };
        });
        lanes & active != 0
    }

    /// Whether an operation of [`Machine::arithmetic`] reads what is undefined in one of these lanes.
    #[inline(always)]
    pub(super) fn operands_undefined(&self, warp: &Warp, op: &Op, active: u32) -> bool {
        let undefined = &warp.undefined;
        let lanes = match *op {
            Op::One { a, .. } => undefined.lanes(a),
            Op::Two { a, b, .. } => undefined.lanes(a) | undefined.lanes(b),
            Op::Three { a, b, c, .. } => undefined.lanes(a) | undefined.lanes(b) | undefined.lanes(c),
            Op::Select { a, b, p, .. } => undefined.lanes(a) | undefined.lanes(b) | undefined.pred(p.slot),
            Op::Combine { a, b, .. } => undefined.pred(a.slot) | undefined.pred(b.slot),
            Op::Compare { a, b, combine, .. } => {
                let lanes = undefined.lanes(a) | undefined.lanes(b);
                match combine.checked_sub(1) {
                    Some(index) => lanes | undefined.pred(self.env.program.combines[index as usize].1.slot),
                    None => lanes,
                }
            }
            _ => 0,
        };
        lanes & active != 0
    }

    /// [`Machine::arithmetic`] on operands of which one is undefined.
    #[cold]
    pub(super) fn arithmetic_undefined(&mut self, warp: &mut Warp, op: &Op, active: u32) {
        match *op {
            Op::Combine { logic, d, a, b } => Self::combine_undefined(warp, logic, d, [a, b], active),
            Op::Compare { f, p, q, a, b, combine } => {
                let truth = f(warp.reg(a), warp.reg(b));
                let other = combine.checked_sub(1).map(|index| self.env.program.combines[index as usize].1);
                let other = other.map(|pred| [warp.pred(pred), warp.undefined.pred(pred.slot)]);
                self.arithmetic::<false>(warp, op, active);
                self.compared(warp, [a, b], truth, ([p, q], combine), (active, other));
            }
            _ => {
                // It cannot fail.
                let run = |machine: &mut Self, warp: &mut Warp| {
                    machine.arithmetic::<false>(warp, op, active);
                    Ok(())
                };
                let _ = self.vary(warp, op, active, run);
            }
        }
    }

    /// A rarer operation on registers, whose operands may be undefined.
    pub(super) fn register_checked(&mut self, warp: &mut Warp, op: &Op, register: &RegisterOp, active: u32) {
        if !self.reads_undefined(warp, op, active) {
            return self.register(warp, register, active);
        }
        let run = |machine: &mut Self, warp: &mut Warp| {
            machine.register(warp, register, active);
            Ok(())
        };
        // It cannot fail.
        let _ = self.vary(warp, op, active, run);
    }

    /// Runs an operation that touches nothing but registers, and says which bytes of its results are undefined.
    #[cold]
    pub(super) fn vary(
        &mut self,
        warp: &mut Warp,
        op: &Op,
        active: u32,
        mut run: impl FnMut(&mut Self, &mut Warp) -> Result<(), Box<Fault>>,
    ) -> Result<(), Box<Fault>> {
        let touched = Touched::new(self, warp, op);
        let sources: [Source; 32] = std::array::from_fn(|lane| touched.source(warp, lane));
        run(self, warp)?;
        let results: Vec<Lanes> = touched.writes.iter().map(|kept| *warp.reg(kept.slot)).collect();
        let answers: Vec<u32> = touched.writes_preds.iter().map(|kept| warp.preds[kept.slot as usize]).collect();
        let mut differ: Vec<Lanes> = vec![[0; 32]; results.len()];
        let mut differ_preds = vec![0; answers.len()];
        for variant in 0..VARIANTS {
            touched.vary(warp, Some(variant));
            if run(self, warp).is_err() {
                continue;
            }
            for ((kept, result), differ) in touched.writes.iter().zip(&results).zip(&mut differ) {
                let now = warp.reg(kept.slot);
                (0..32).for_each(|lane| differ[lane] |= now[lane] ^ result[lane]);
            }
            for ((kept, answer), differ) in touched.writes_preds.iter().zip(&answers).zip(&mut differ_preds) {
                *differ |= warp.preds[kept.slot as usize] ^ answer;
            }
        }
        touched.vary(warp, None);
        for ((kept, result), differ) in touched.writes.iter().zip(&results).zip(&differ) {
            warp.regs[kept.slot as usize] = *result;
            for lane in lanes_of(active) {
                warp.undefined.set(kept.slot, lane, gather(differ[lane]), sources[lane]);
            }
        }
        let first = sources[active.trailing_zeros() as usize & 31];
        for ((kept, answer), differ) in touched.writes_preds.iter().zip(&answers).zip(&differ_preds) {
            warp.preds[kept.slot as usize] = *answer;
            warp.undefined.set_pred(kept.slot, differ & active, first);
        }
        if matches!(op, Op::Lanes(LaneOp::Match { .. })) {
            self.all_undefined(warp, op, active, first);
        }
        Ok(())
    }

    /// Says that all results of an operation are undefined in these lanes.
    fn all_undefined(&self, warp: &mut Warp, op: &Op, lanes: u32, source: Source) {
        uses::slots(self.env.program, op, &mut |slot, written| {
            lanes_of(if written { lanes } else { 0 }).for_each(|lane| warp.undefined.set(slot, lane, 0xFF, source));
        });
        uses::preds(self.env.program, op, &mut |slot, written| {
            warp.undefined.set_pred(slot, if written { lanes } else { 0 }, source);
        });
    }

    /// Says in which lanes the results of a comparison are undefined, which has run.
    #[cold]
    pub(super) fn compared(
        &self,
        warp: &mut Warp,
        [a, b]: [Slot; 2],
        truth: u32,
        ([p, q], index): ([PredSlot; 2], u32),
        (active, other): (u32, Option<[u32; 2]>),
    ) {
        let compared = warp.undefined.lanes(a) | warp.undefined.lanes(b);
        let (yes, no) = match (other, index) {
            (Some([value, undefined]), 1..) => {
                let logic = self.env.program.combines[index as usize - 1].0;
                let both = |truth: u32| unknown(logic, [truth, value], [compared, undefined]);
                (both(truth), both(!truth))
            }
            _ => (compared, compared),
        };
        let lane = (compared & active).trailing_zeros() as usize & 31;
        let slot = if warp.undefined.lanes(a) >> lane & 1 == 1 { a } else { b };
        let source = match compared & active {
            0 if index > 0 => warp.undefined.pred_source(self.env.program.combines[index as usize - 1].1.slot),
            _ => warp.undefined.source(slot, lane),
        };
        warp.undefined.set_pred(q, no & active, source);
        warp.undefined.set_pred(p, yes & active, source);
    }

    /// Combines predicates of which one is undefined.
    #[cold]
    pub(super) fn combine_undefined(warp: &mut Warp, logic: Logic, d: PredSlot, [a, b]: [Pred; 2], active: u32) {
        let values = [warp.pred(a), warp.pred(b)];
        let undefined = [a, b].map(|pred| warp.undefined.pred(pred.slot));
        let source = warp.undefined.pred_source(if undefined[0] & active != 0 { a.slot } else { b.slot });
        warp.set_pred(d, combine(logic, values[0], values[1]), active);
        warp.undefined.set_pred(d, unknown(logic, values, undefined) & active, source);
    }

    /// An operation whose guard is undefined: one that only computes leaves an undefined result, every other one is a fault.
    #[cold]
    pub(super) fn guard_undefined(&mut self, warp: &mut Warp, op: &Op, guard: Pred, mask: u32) -> Step {
        let doubtful = warp.undefined.pred(guard.slot) & mask;
        let source = warp.undefined.pred_source(guard.slot);
        let active = mask & warp.pred(guard);
        let what = match op {
            Op::Register(register) => {
                self.register_checked(warp, op, register, active);
                None
            }
            Op::Branch { .. } | Op::BranchIndexed { .. } => Some("the direction of this branch"),
            op if self.arithmetic::<true>(warp, op, active) => None,
            _ => Some("the predicate of this instruction"),
        };
        match what {
            Some(what) => Err(self.depends(what, source).lane(doubtful.trailing_zeros() as usize & 31)),
            None => {
                self.all_undefined(warp, op, doubtful, source);
                Ok(Flow::Next)
            }
        }
    }

    /// The fault of something that depends on what nothing wrote.
    pub(crate) fn depends(&self, what: &str, source: Source) -> Box<Fault> {
        let program = self.env.program;
        let guarded = |slot: Slot| {
            program.code.iter().position(|instruction| {
                let loads = instruction.guard != Pred::TRUE && matches!(instruction.op, Op::Load(_));
                let mut writes = false;
                uses::slots(program, &instruction.op, &mut |other, written| writes |= written && other == slot);
                loads && writes
            })
        };
        let fault = |noun: &str| Fault::new(UNINITIALISED, format!("{what} depends on {noun}"));
        match source {
            Source::Register { slot } => match guarded(slot) {
                Some(pc) => fault("lanes that the mask of a load leaves out")
                    .meets(pc as u32, "loaded here, with a mask".to_string())
                    .help("give the load a value for these lanes (`other=`), or leave them out here too"),
                None => fault("a register that nothing wrote"),
            },
            Source::Predicate => fault("a predicate that nothing wrote"),
            Source::Local { pc } => fault("local memory that nothing wrote").meets(pc, "read here".to_string()),
            Source::Global { address, pc } => {
                let place = self.env.memory.find(address).map(|found| found.place(address, 1));
                let fault = place.into_iter().fold(fault("memory that nothing wrote"), Fault::note);
                let fault = if pc == self.block.pc { fault } else { fault.meets(pc, "read here".to_string()) };
                fault.help("write the buffer before the launch, or mask the load")
            }
        }
    }

    /// An error when one of these registers is undefined in an active lane.
    #[inline]
    pub(super) fn need(&self, warp: &Warp, slots: &[Slot], active: u32, what: &str) -> Result<(), Box<Fault>> {
        match slots.iter().find(|slot| warp.undefined.lanes(**slot) & active != 0) {
            None => Ok(()),
            Some(slot) => Err(self.needed(warp, *slot, active, what)),
        }
    }

    #[cold]
    fn needed(&self, warp: &Warp, slot: Slot, active: u32, what: &str) -> Box<Fault> {
        let lane = (warp.undefined.lanes(slot) & active).trailing_zeros() as usize & 31;
        self.depends(what, warp.undefined.source(slot, lane)).lane(lane)
    }

    /// An error when an operand of an operation that does more than compute is undefined. What a store writes is looked at there.
    #[inline]
    pub(super) fn need_operands(&self, warp: &Warp, op: &Op, active: u32) -> Result<(), Box<Fault>> {
        let program = self.env.program;
        match op {
            Op::Load(index) => self.need_address(warp, &program.accesses[*index as usize], active, "read"),
            Op::Store(index) => self.need_address(warp, &program.accesses[*index as usize], active, "write"),
            Op::Matrix(index) => {
                self.need(warp, &[program.matrices[*index as usize].base], active, "the address of this matrix")
            }
            Op::Lanes(LaneOp::Shuffle { b, c, members, .. }) => {
                self.need(warp, &[*b, *c, *members], active, "the lane that this shuffle reads")
            }
            Op::Lanes(
                LaneOp::WarpBarrier { members }
                | LaneOp::Vote { members, .. }
                | LaneOp::Match { members, .. }
                | LaneOp::Reduce { members, .. }
                | LaneOp::Elect { members, .. },
            ) => self.need(warp, &[*members], active, "the member mask of this instruction"),
            Op::Wgmma(index) => {
                let wgmma = &program.wgmmas[*index as usize];
                let left = wgmma.left.descriptor().unwrap_or(wgmma.right);
                self.need(warp, &[left, wgmma.right], active, "a descriptor of this product")?;
                match warp.undefined.pred(wgmma.accumulate.slot) & active {
                    0 => Ok(()),
                    _ => Err(self.depends("this product", warp.undefined.pred_source(wgmma.accumulate.slot))),
                }
            }
            Op::Atomic(_) => self.need_all(warp, op, active, "this atomic update"),
            Op::Copy(_) | Op::Bulk(_) => self.need_all(warp, op, active, "this copy"),
            Op::Mbarrier(_) | Op::Barrier { .. } => self.need_all(warp, op, active, "this barrier"),
            Op::ReplaceField(_) | Op::CopyMap { .. } | Op::FenceMap(_) => {
                self.need_all(warp, op, active, "this tensor map")
            }
            Op::MapRank { .. } => self.need_all(warp, op, active, "the address of this CTA"),
            Op::NoFunction { .. } => self.need_all(warp, op, active, "the function of this call"),
            Op::BranchIndexed { .. } => self.need_all(warp, op, active, "the direction of this branch"),
            Op::One { .. }
            | Op::Two { .. }
            | Op::Three { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Combine { .. }
            | Op::Register(_)
            | Op::Lanes(LaneOp::ActiveMask { .. } | LaneOp::Transpose { .. })
            | Op::Mma(_)
            | Op::Product(_)
            | Op::Branch { .. }
            | Op::Call { .. }
            | Op::Return { .. }
            | Op::Exit
            | Op::Trap
            | Op::External(_)
            | Op::SetRegisters { .. }
            | Op::ClusterArrive { .. }
            | Op::PutAway { .. }
            | Op::TakeBack { .. }
            | Op::ClusterWait { .. }
            | Op::WgmmaFence
            | Op::WgmmaCommit
            | Op::WgmmaWait { .. }
            | Op::FenceProxy(_)
            | Op::CopyCommit
            | Op::CopyWait { .. }
            | Op::BulkCommit
            | Op::BulkWait { .. }
            | Op::Fence { .. }
            | Op::Yield
            | Op::Nothing => Ok(()),
        }
    }

    #[inline]
    fn need_address(&self, warp: &Warp, access: &Access, active: u32, what: &str) -> Result<(), Box<Fault>> {
        match warp.undefined.lanes(access.base) & active {
            0 => Ok(()),
            _ => Err(self.needed(warp, access.base, active, &format!("the address of this {what}"))),
        }
    }

    fn need_all(&self, warp: &Warp, op: &Op, active: u32, what: &str) -> Result<(), Box<Fault>> {
        if !self.reads_undefined(warp, op, active) {
            return Ok(());
        }
        let mut wrong = None;
        uses::slots(self.env.program, op, &mut |slot, written| {
            let lanes = warp.undefined.lanes(slot) & active;
            if !written && lanes != 0 && wrong.is_none() {
                let lane = lanes.trailing_zeros() as usize;
                wrong = Some((warp.undefined.source(slot, lane), lane));
            }
        });
        uses::preds(self.env.program, op, &mut |slot, written| {
            let lanes = warp.undefined.pred(slot) & active;
            if !written && lanes != 0 && wrong.is_none() {
                wrong = Some((warp.undefined.pred_source(slot), lanes.trailing_zeros() as usize));
            }
        });
        wrong.map_or(Ok(()), |(source, lane)| Err(self.depends(what, source).lane(lane)))
    }

    /// An error when one of `size` bytes that a lane is about to leave in memory for others is undefined.
    #[inline]
    pub(super) fn need_value(&self, warp: &Warp, slot: Slot, lane: usize, size: u32) -> Result<(), Box<Fault>> {
        if warp.undefined.lanes(slot) >> lane & 1 == 0 || !self.env.config.checks.uninitialised_global {
            return Ok(());
        }
        match spread(warp.undefined.bytes(slot, lane)) & (u64::MAX >> (64 - 8 * size)) {
            0 => Ok(()),
            _ => {
                Err(self.depends("the value that this writes to memory", warp.undefined.source(slot, lane)).lane(lane))
            }
        }
    }

    /// An error when some of these bytes of shared memory, in words, were written with what nothing wrote.
    pub(crate) fn need_shared(&self, address: u64, bytes: u32, what: &str) -> Result<(), Box<Fault>> {
        if self.block.shared.is_defined() {
            return Ok(());
        }
        let mut words = (address..address + u64::from(bytes)).step_by(4);
        let found = words.find_map(|at| Some(self.block.shared.undefined(at, 4)).filter(|(bytes, _)| *bytes != 0));
        found.map_or(Ok(()), |(_, source)| Err(self.depends(what, source)))
    }
}
