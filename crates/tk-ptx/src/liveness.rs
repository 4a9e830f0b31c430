//! Which registers hold values that are still needed, at every place of a function: how many a thread needs at least, before `ptxas`
//! assigns any.
//!
//! A backward walk over the blocks between labels and branches, repeated until nothing changes. `ptxas` moves instructions and
//! computes some values anew, so its count differs from this one; but where this one exceeds what a thread can have, it must spill.
//!
//! A result that no instruction reads counts where it is written. The operands of an instruction and its results may share registers. Predicates
//! do not count, because they have registers of their own.

use crate::control_flow::{Block, Step, blocks, steps};
use crate::{Function, Register, TextPlace, Type};

impl Function {
    /// The most 32-bit registers whose values are needed at the same time. A 64-bit value is two, a 16-bit value is one.
    pub fn peak_registers(&self) -> u32 {
        self.live_registers().iter().map(|live| live.registers).max().unwrap_or(0)
    }

    /// The 32-bit registers whose values are needed at each instruction, in the order of the text.
    pub fn live_registers(&self) -> Vec<LiveAt> {
        let steps = steps(self);
        let weights = weights(self);
        let blocks = blocks(&steps);
        let outs = live_outs(&steps, &blocks, weights.len());
        let mut found = Vec::with_capacity(steps.len());
        for (block, out) in blocks.iter().zip(outs) {
            let mut live = Live::new(out, &weights);
            for step in steps[block.start..block.end].iter().rev() {
                let behind = live.weight + live.unread(step);
                live.walk(step);
                found.push(LiveAt { place: step.instruction.place, registers: behind.max(live.weight) });
            }
        }
        found.sort_by_key(|live| live.place.0.start);
        found
    }
}

/// An instruction and the registers that are needed at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveAt {
    /// The instruction.
    pub place: TextPlace,
    /// 32-bit registers with its operands before it, or with its results behind it, whichever are more.
    pub registers: u32,
}

/// A set of registers and how many 32-bit ones they are.
struct Live<'w> {
    set: Vec<u64>,
    weight: u32,
    weights: &'w [u8],
}

impl<'w> Live<'w> {
    fn new(set: Vec<u64>, weights: &'w [u8]) -> Self {
        let weight =
            (0..weights.len()).filter(|index| contains(&set, *index)).map(|index| u32::from(weights[index])).sum();
        Self { set, weight, weights }
    }

    /// 32-bit registers that take results which nobody reads.
    fn unread(&self, step: &Step<'_>) -> u32 {
        let indices = step.writes.iter().map(|register| register.0 as usize);
        indices.filter(|index| !contains(&self.set, *index)).map(|index| u32::from(self.weights[index])).sum()
    }

    fn insert(&mut self, register: Register) {
        let index = register.0 as usize;
        if !contains(&self.set, index) {
            self.set[index / 64] |= 1 << (index % 64);
            self.weight += u32::from(self.weights[index]);
        }
    }

    fn remove(&mut self, register: Register) {
        let index = register.0 as usize;
        if contains(&self.set, index) {
            self.set[index / 64] &= !(1 << (index % 64));
            self.weight -= u32::from(self.weights[index]);
        }
    }

    /// From behind an instruction to before it.
    fn walk(&mut self, step: &Step<'_>) {
        if !step.keeps {
            step.writes.iter().for_each(|register| self.remove(*register));
        }
        step.reads.iter().for_each(|register| self.insert(*register));
    }
}

fn contains(set: &[u64], index: usize) -> bool {
    set[index / 64] & (1 << (index % 64)) != 0
}

/// 32-bit registers that each register takes.
fn weights(function: &Function) -> Vec<u8> {
    let mut weights = vec![0; function.register_count() as usize];
    for group in &function.registers {
        let weight = if group.ty == Type::Pred { 0 } else { group.ty.bits().div_ceil(32) as u8 };
        let first = group.first as usize;
        weights[first..first + group.registers() as usize].fill(weight);
    }
    weights
}

/// Per block, the registers that are needed behind it.
fn live_outs(steps: &[Step<'_>], blocks: &[Block], registers: usize) -> Vec<Vec<u64>> {
    let words = registers.div_ceil(64);
    let unweighted = vec![0; registers];
    let mut ins = vec![vec![0u64; words]; blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for index in (0..blocks.len()).rev() {
            let mut live = Live { set: joined(&ins, &blocks[index].next, words), weight: 0, weights: &unweighted };
            steps[blocks[index].start..blocks[index].end].iter().rev().for_each(|step| live.walk(step));
            changed |= live.set != ins[index];
            ins[index] = live.set;
        }
    }
    blocks.iter().map(|block| joined(&ins, &block.next, words)).collect()
}

fn joined(ins: &[Vec<u64>], next: &[usize], words: usize) -> Vec<u64> {
    let mut all = vec![0; words];
    for block in next {
        all.iter_mut().zip(&ins[*block]).for_each(|(all, one)| *all |= one);
    }
    all
}
