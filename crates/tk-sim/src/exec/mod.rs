//! The interpreter: runs one warp until it waits, ends, or has used its time.
//!
//! Arithmetic runs in the loop below; everything that touches memory, other lanes or control lives in a file per family
//! and answers with a [`Flow`].

mod atomic;
mod bulk;
mod bulk_memory;
mod cluster;
mod collective;
mod copy;
mod external;
mod fragments;
mod frames;
mod global_order;
mod matrix;
mod mbarrier;
mod memory;
mod mma;
mod tensor_maps;
mod traffic;
mod undefined;
mod warp_group_dot;
mod wgmma;

pub(crate) use frames::{MOST_STACK, PutAway};
pub(crate) use mbarrier::gone;

use crate::cluster::Block;
use crate::fault::Fault;
use crate::lanes::{Lanes, lanes_of};
use crate::launch::Environment;
use crate::program::{CarryIn, Logic, Memory, MemoryScope, Op, Pred, RegisterOp, Slot, Sum};
use crate::report::Counters;
use crate::warp::{Fragment, State, Warp};
use tk_diag::BAD_PTX;

/// Generic addresses of shared memory begin here.
pub(crate) const SHARED_WINDOW: u64 = 1 << 40;
/// Generic addresses of local memory begin here.
pub(crate) const LOCAL_WINDOW: u64 = 2 << 40;
/// Generic addresses of kernel parameters begin here.
pub(crate) const PARAM_WINDOW: u64 = 3 << 40;
const WINDOW_BYTES: u64 = 1 << 32;

/// Steps a warp runs before another warp of its CTA does.
const QUANTUM: u32 = 20_000;
/// The same where warps alternate quickly.
const HASTY_QUANTUM: u32 = 8;
/// Steps a fragment runs while other fragments of its warp are ready.
const TURN: u32 = 4_000;

/// What follows an operation.
pub(crate) enum Flow {
    /// The next operation.
    Next,
    /// Another operation.
    Jump(u32),
    /// The fragments of the warp changed; look again.
    Select,
    /// The next operation, after other warps had their time.
    Yield,
}

pub(crate) type Step = Result<Flow, Box<Fault>>;

/// Everything an operation can touch besides its warp.
pub(crate) struct Machine<'a> {
    pub(crate) env: &'a Environment<'a>,
    pub(crate) block: &'a mut Block,
    pub(crate) counters: &'a mut Counters,
}

impl Machine<'_> {
    /// Runs a warp until it waits, ends or has used its time.
    pub(crate) fn run(&mut self, warp: &mut Warp) -> Result<(), Box<Fault>> {
        let program = self.env.program;
        let code = program.code.as_slice();
        let mut left = if self.env.is_hasty() { HASTY_QUANTUM } else { QUANTUM };
        while let Some(choice) = warp.select() {
            let Fragment { mut pc, mask, .. } = warp.fragments[choice.index];
            let mut turn = if warp.fragments.len() > 1 { TURN.min(left) } else { left };
            let given = turn;
            loop {
                if turn == 0 || pc >= choice.boundary {
                    warp.fragments[choice.index].pc = pc;
                    break;
                }
                turn -= 1;
                let instruction = &code[pc as usize];
                let guard = instruction.guard;
                if warp.undefined.pred(guard.slot) & mask != 0 {
                    warp.fragments[choice.index].pc = pc;
                    self.block.pc = pc;
                    self.guard_undefined(warp, &instruction.op, guard, mask)
                        .map_err(|fault| fault.at(pc).in_warp(warp.number))?;
                    pc += 1;
                    continue;
                }
                let active = if guard == Pred::TRUE { mask } else { mask & warp.pred(guard) };
                if active == 0 {
                    pc += 1;
                    continue;
                }
                let ran = &mut self.counters.runs[pc as usize];
                ran.warps += 1;
                ran.lanes += u64::from(active.count_ones());
                if instruction.watched {
                    self.check_registers(warp, &instruction.op, pc, active)
                        .map_err(|fault| fault.at(pc).in_warp(warp.number))?;
                }
                if self.arithmetic::<true>(warp, &instruction.op, active) {
                    pc += 1;
                    continue;
                }
                warp.fragments[choice.index].pc = pc;
                self.block.pc = pc;
                let flow = self.other(warp, choice.index, &instruction.op, active).map_err(|fault| {
                    // A fault that names its instruction belongs to one that ran ahead.
                    let pc = if fault.pc == u32::MAX { pc } else { fault.pc };
                    fault.at(pc).in_warp(warp.number)
                })?;
                match flow {
                    Flow::Next => pc += 1,
                    Flow::Jump(target) => pc = target,
                    Flow::Select => break,
                    Flow::Yield => {
                        warp.fragments[choice.index].pc = pc + 1;
                        self.spend(warp, given - turn);
                        warp.pass_turn(choice.index);
                        return Ok(());
                    }
                }
            }
            let used = given - turn;
            self.spend(warp, used);
            left = left.saturating_sub(used.max(1));
            if turn == 0 && warp.fragments.len() > 1 {
                warp.pass_turn(choice.index);
            }
            if left == 0 {
                return Ok(());
            }
        }
        Ok(())
    }

    fn spend(&mut self, warp: &mut Warp, steps: u32) {
        warp.steps += u64::from(steps);
        self.counters.steps += u64::from(steps);
        self.block.slice_steps += u64::from(steps);
    }

    /// The frequent operations on registers; false when `op` is another, which [`Machine::other`] runs. `WATCH` looks for operands that
    /// nothing wrote.
    #[inline(always)]
    fn arithmetic<const WATCH: bool>(&mut self, warp: &mut Warp, op: &Op, active: u32) -> bool {
        let mut out: Lanes = [0; 32];
        if WATCH && self.operands_undefined(warp, op, active) {
            self.arithmetic_undefined(warp, op, active);
            return true;
        }
        let d = match *op {
            Op::One { f, d, a } => {
                f(&mut out, warp.reg(a));
                d
            }
            Op::Two { f, d, a, b } => {
                f(&mut out, warp.reg(a), warp.reg(b));
                d
            }
            Op::Three { f, d, a, b, c } => {
                f(&mut out, warp.reg(a), warp.reg(b), warp.reg(c));
                d
            }
            Op::Compare { f, p, q, a, b, combine } => {
                let truth = f(warp.reg(a), warp.reg(b));
                self.finish_compare(warp, truth, [p, q], combine, active);
                return true;
            }
            Op::Select { d, a, b, p } => {
                let choose = warp.pred(p);
                let (a, b) = (warp.reg(a), warp.reg(b));
                for lane in 0..32 {
                    out[lane] = if choose >> lane & 1 == 1 { a[lane] } else { b[lane] };
                }
                d
            }
            Op::Combine { logic, d, a, b } => {
                let bits = combine(logic, warp.pred(a), warp.pred(b));
                warp.set_pred(d, bits, active);
                return true;
            }
            _ => return false,
        };
        warp.set_reg(d, &out, active);
        true
    }

    fn finish_compare(&self, warp: &mut Warp, truth: u32, [p, q]: [u32; 2], index: u32, active: u32) {
        let (mut yes, mut no) = (truth, !truth);
        if index > 0 {
            let (logic, pred) = self.env.program.combines[index as usize - 1];
            let other = warp.pred(pred);
            (yes, no) = (combine(logic, yes, other), combine(logic, no, other));
        }
        warp.set_pred(q, no, active);
        warp.set_pred(p, yes, active);
    }

    /// Operations that are not plain arithmetic.
    fn other(&mut self, warp: &mut Warp, index: usize, op: &Op, active: u32) -> Step {
        self.need_operands(warp, op, active)?;
        match op {
            Op::Load(access) => self.load(warp, *access, active),
            Op::Store(access) => self.store(warp, *access, active),
            Op::Branch { target } => Ok(branch(warp, index, active, *target)),
            Op::Barrier { aligned: true, .. } if !self.gather(warp, index, warp.alive) => Ok(Flow::Select),
            Op::Barrier { aligned: true, .. } if active != warp.alive => Err(not_all(warp, active, "barrier")),
            Op::Barrier { kind, id, threads, aligned: _ } => self.barrier(warp, index, active, *kind, *id, *threads),
            Op::ClusterArrive { .. } | Op::ClusterWait { .. } => self.cluster_barrier(warp, index, op, active),
            Op::MapRank { d, a, rank } => self.map_rank(warp, [*d, *a, *rank], active),
            Op::SetRegisters { count, change } => self.set_registers(warp, index, *count, *change, active),
            Op::Product(product) => self.product(warp, index, (op, *product), active),
            Op::Mma(mma) => self.mma(warp, index, (op, *mma), active),
            Op::Wgmma(wgmma) => self.wgmma(warp, index, *wgmma, active),
            Op::WgmmaFence => self.wgmma_fence(warp, index),
            Op::WgmmaCommit => self.wgmma_commit(warp, index),
            Op::WgmmaWait { left } => self.wgmma_wait(warp, index, *left),
            Op::Matrix(matrix) => self.matrix(warp, index, *matrix, active),
            Op::Copy(copy) => self.copy(warp, *copy, active),
            Op::CopyCommit => Ok(self.copy_commit(warp, active)),
            Op::CopyWait { left } => self.copy_wait(warp, *left, active),
            Op::Mbarrier(operation) => self.mbarrier(warp, index, *operation, active),
            Op::Bulk(bulk) => self.bulk(warp, index, *bulk, active),
            Op::BulkCommit => Ok(self.bulk_commit(warp, active)),
            Op::BulkWait { left, read_only } => self.bulk_wait(warp, *left, *read_only, active),
            Op::ReplaceField(field) => self.replace_field(warp, index, *field, active),
            Op::FenceMap(fence) => Ok(self.fence_map(warp, index, *fence, active)),
            Op::CopyMap { slots, offsets, scope } => self.copy_map(warp, index, (*slots, *offsets), *scope),
            Op::Atomic(atomic) => self.atomic(warp, *atomic, active),
            Op::Lanes(_) => self.lanes(warp, index, op, active),
            Op::Register(register) => {
                self.register_checked(warp, op, register, active);
                Ok(Flow::Next)
            }
            Op::BranchIndexed { index: at, first, count } => {
                self.branch_indexed(warp, index, active, [*at, *first, *count])
            }
            Op::Call { target, link } => {
                let next = u64::from(warp.fragments[index].pc) + 1;
                warp.splat(*link, next, active);
                Ok(branch(warp, index, active, *target))
            }
            Op::PutAway { frame } => self.put_away(warp, *frame, active),
            Op::TakeBack { frame } => self.take_back(warp, *frame, active),
            Op::NoFunction { address } => Err(no_function(warp, *address, active)),
            Op::Return { link } => Ok(leave(warp, index, active, *link)),
            Op::Exit => {
                skip_others(warp, index, active);
                warp.exit(index, active);
                Ok(Flow::Select)
            }
            Op::Trap => Err(Fault::new(tk_diag::ASSERTION_FAILED, "the kernel stopped itself with `trap`")
                .lane(active.trailing_zeros() as usize)),
            Op::External(external) => self.external(warp, *external, active),
            Op::Fence { scope } => Ok(self.fence(warp, *scope, active)),
            Op::FenceProxy(memory) => {
                self.block.shared.fence_proxy(warp.number, warp.with_absent(active), *memory);
                Ok(Flow::Next)
            }
            Op::Yield => Ok(Flow::Yield),
            Op::Nothing => Ok(Flow::Next),
            Op::One { .. }
            | Op::Two { .. }
            | Op::Three { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Combine { .. } => {
                self.arithmetic::<true>(warp, op, active);
                Ok(Flow::Next)
            }
        }
    }

    /// `fence.acq_rel`, `fence.sc`, `membar`.
    fn fence(&mut self, warp: &Warp, scope: MemoryScope, active: u32) -> Flow {
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        if scope == MemoryScope::Wide {
            self.keep_fenced(warp, active);
            let cluster = self.block.index as u32;
            if let Some(races) = self.block.shared.races_mut() {
                races.fence(warp.number, cluster);
            }
        }
        Flow::Next
    }

    /// The rarer operations on registers.
    fn register(&mut self, warp: &mut Warp, op: &RegisterOp, active: u32) {
        let mut out: Lanes = [0; 32];
        let d = match *op {
            RegisterOp::Four { f, d, operands } => {
                let pool = &self.env.program.pool[operands as usize..operands as usize + 4];
                f(&mut out, warp.reg(pool[0]), warp.reg(pool[1]), warp.reg(pool[2]), warp.reg(pool[3]));
                d
            }
            RegisterOp::Convert { conversion, d, a } => {
                let conversion = &self.env.program.conversions[conversion as usize];
                for lane in lanes_of(active) {
                    out[lane] = conversion.apply(warp.reg(a)[lane]);
                }
                d
            }
            RegisterOp::Carry { d, a, b, sum, carry_in, wide, writes } => {
                let carry = match carry_in {
                    CarryIn::Read => warp.preds[self.env.program.carry as usize],
                    CarryIn::None => 0,
                };
                let (value, flags) = with_carry(warp.reg(a), warp.reg(b), carry, sum, wide);
                if writes {
                    warp.set_pred(self.env.program.carry, flags, active);
                }
                out = value;
                d
            }
            RegisterOp::Pack { d, parts, count, bits } => {
                for i in 0..count {
                    let part = warp.reg(self.env.program.pool[(parts + i) as usize]);
                    let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
                    for lane in 0..32 {
                        out[lane] |= (part[lane] & mask) << (bits * i);
                    }
                }
                d
            }
            RegisterOp::Unpack { parts, count, a, bits } => {
                let whole = *warp.reg(a);
                let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
                for i in 0..count {
                    let part = whole.map(|w| w >> (bits * i) & mask);
                    warp.set_reg(self.env.program.pool[(parts + i) as usize], &part, active);
                }
                return;
            }
            RegisterOp::Clock { d, high } => {
                out = [if high { warp.steps >> 32 } else { warp.steps }; 32];
                d
            }
            RegisterOp::Window { d, a, memory, to_generic } => {
                out = warp
                    .reg(a)
                    .map(|a| if to_generic { a.wrapping_add(window(memory)) } else { a.wrapping_sub(window(memory)) });
                d
            }
            RegisterOp::RankOf { d, a } => {
                out = warp.reg(a).map(cluster::rank_in);
                d
            }
            RegisterOp::IsSpace { p, a, memory } => {
                let bits = warp
                    .reg(a)
                    .iter()
                    .enumerate()
                    .fold(0, |bits, (lane, a)| bits | u32::from(space_of(*a).0 == memory) << lane);
                warp.set_pred(p, bits, active);
                return;
            }
        };
        warp.set_reg(d, &out, active);
    }

    fn branch_indexed(&self, warp: &mut Warp, index: usize, active: u32, [at, first, count]: [u32; 3]) -> Step {
        let choice = *warp.reg(at);
        let Fragment { pc, mask, .. } = warp.fragments[index];
        for lane in lanes_of(active) {
            let entry = choice[lane] as u32;
            if entry >= count {
                let message = format!("a jump table has {count} entries, and entry {entry} is taken");
                return Err(Fault::new(tk_diag::OUT_OF_BOUNDS, message).lane(lane));
            }
            let pc = self.env.program.pool[(first + entry) as usize];
            warp.fragments.push(Fragment { pc, mask: 1 << lane, state: State::Ready });
        }
        stay(warp, index, mask & !active, pc + 1);
        Ok(Flow::Select)
    }

    /// Whether lanes `members` are all here. If not, the fragment waits for them.
    pub(crate) fn gather(&self, warp: &mut Warp, index: usize, members: u32) -> bool {
        let missing = members & warp.alive & !warp.fragments[index].mask;
        if missing != 0 {
            warp.fragments[index].state = State::Lanes(members);
        }
        missing == 0
    }
}

/// The fault of an instruction that all lanes of a warp must execute, and only some do.
pub(crate) fn not_all(warp: &Warp, active: u32, what: &str) -> Box<Fault> {
    let message = format!("only {} of {} lanes execute this {what}", active.count_ones(), warp.alive.count_ones());
    let help = "all lanes of the warp must execute it together: no predicate or branch may hold some of them back";
    Fault::new(BAD_PTX, message).lane(active.trailing_zeros() as usize & 31).help(help)
}

/// The fault of a call through a register that names no function.
fn no_function(warp: &Warp, address: Slot, active: u32) -> Box<Fault> {
    let lane = active.trailing_zeros() as usize & 31;
    let message =
        format!("a call of {:#x}, which is the address of no function with these parameters", warp.reg(address)[lane]);
    Fault::new(BAD_PTX, message).lane(lane)
}

fn combine(logic: Logic, a: u32, b: u32) -> u32 {
    match logic {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
    }
}

/// The active lanes go to `target`, the others on.
fn branch(warp: &mut Warp, index: usize, active: u32, target: u32) -> Flow {
    let Fragment { pc, mask, .. } = warp.fragments[index];
    if active == mask && warp.fragments.len() == 1 {
        return Flow::Jump(target);
    }
    if active == mask {
        warp.fragments[index].pc = target;
        return Flow::Select;
    }
    warp.fragments[index] = Fragment { pc: pc + 1, mask: mask & !active, state: State::Ready };
    warp.fragments.push(Fragment { pc: target, mask: active, state: State::Ready });
    Flow::Select
}

/// The active lanes return to where each was called from.
fn leave(warp: &mut Warp, index: usize, active: u32, link: Slot) -> Flow {
    let links = *warp.reg(link);
    let Fragment { pc, mask, .. } = warp.fragments[index];
    let mut left = active;
    while left != 0 {
        let target = links[left.trailing_zeros() as usize];
        let same = lanes_of(left).filter(|lane| links[*lane] == target).fold(0, |m, lane| m | 1u32 << lane);
        warp.fragments.push(Fragment { pc: target as u32, mask: same, state: State::Ready });
        left &= !same;
    }
    stay(warp, index, mask & !active, pc + 1);
    Flow::Select
}

/// What remains of a fragment whose other lanes went elsewhere.
fn stay(warp: &mut Warp, index: usize, mask: u32, pc: u32) {
    if mask == 0 {
        warp.fragments.swap_remove(index);
    } else {
        warp.fragments[index] = Fragment { pc, mask, state: State::Ready };
    }
}

/// Lanes of a fragment that a guard holds back step over the operation; the fragment keeps the active ones.
pub(crate) fn skip_others(warp: &mut Warp, index: usize, active: u32) {
    let Fragment { pc, mask, .. } = warp.fragments[index];
    if mask != active {
        warp.fragments[index].mask = active;
        warp.fragments.push(Fragment { pc: pc + 1, mask: mask & !active, state: State::Ready });
    }
}

fn with_carry(a: &Lanes, b: &Lanes, carry: u32, sum: Sum, wide: bool) -> (Lanes, u32) {
    let width = if wide { 64 } else { 32 };
    let (mut out, mut flags) = ([0; 32], 0);
    for lane in 0..32 {
        let carry = i128::from(carry >> lane & 1);
        let (x, y) = (i128::from(a[lane]), i128::from(b[lane]));
        let value = match sum {
            Sum::Add => x + y + carry,
            // The flag is the borrow.
            Sum::Subtract => x - y - carry,
        };
        out[lane] = value as u64 & if wide { u64::MAX } else { u64::from(u32::MAX) };
        flags |= u32::from(value >> width != 0) << lane;
    }
    (out, flags)
}

fn window(memory: Memory) -> u64 {
    match memory {
        Memory::Shared => SHARED_WINDOW,
        Memory::Local => LOCAL_WINDOW,
        Memory::Param => PARAM_WINDOW,
        Memory::Global | Memory::Generic => 0,
    }
}

/// The space of a generic address and the address within it.
#[inline]
pub(crate) fn space_of(address: u64) -> (Memory, u64) {
    for (memory, start) in
        [(Memory::Shared, SHARED_WINDOW), (Memory::Local, LOCAL_WINDOW), (Memory::Param, PARAM_WINDOW)]
    {
        if address.wrapping_sub(start) < WINDOW_BYTES {
            return (memory, address - start);
        }
    }
    (Memory::Global, address)
}
