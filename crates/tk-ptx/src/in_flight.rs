//! Instructions that touch registers of a `wgmma` dot which may still run there. What such an instruction reads or leaves is
//! undefined, and `ptxas` makes the dots wait for one another where it notices (PTX ISA, "Asynchronous warpgroup level matrix
//! instructions").
//!
//! A forward walk over the blocks between labels and branches, repeated until nothing changes. Each register of a dot has an age:
//! the groups that were committed since its dot was issued. `wgmma.wait_group N` ends the dots of an age above N. Where ways
//! join, the younger age counts, so a dot counts as in flight when it may be.

use crate::control_flow::{Step, blocks, is_wgmma_dot, steps};
use crate::{Function, Immediate, Instruction, Mnemonic, Operand, Register, Statement, TextPlace};

/// Age of a register that belongs to no dot in flight.
const FREE: u8 = u8::MAX;
/// Where ages stop: more groups than any wait leaves under way.
const OLDEST: u8 = FREE - 1;

impl Function {
    /// The first instruction found that touches a register of a dot that may still run: it reads or writes an accumulator, or
    /// writes a register of the left operand. Dots that add to the same accumulators may follow each other.
    pub fn touches_dot_in_flight(&self) -> Option<TextPlace> {
        let steps = steps(self);
        let tracked = Tracked::of(&steps, self.register_count() as usize);
        if tracked.count == 0 {
            return None;
        }
        let blocks = blocks(&steps);
        let mut ins = vec![None; blocks.len()];
        *ins.first_mut()? = Some(Ages::free(tracked.count));
        let mut todo = vec![0];
        while let Some(index) = todo.pop() {
            let mut ages = ins[index].clone()?;
            // Ages only fall from one visit to the next, so what a visit finds is found by all later ones.
            if let Some(step) = ages.walk(&steps[blocks[index].start..blocks[index].end], &tracked) {
                return Some(step.instruction.place);
            }
            todo.extend(blocks[index].next.iter().filter(|next| merge(&mut ins[**next], &ages)));
        }
        None
    }

    /// Each group of dots is waited for right behind it, and nothing is computed beside one. A group is one passage of inline assembly, which makes the
    /// descriptors of its dots.
    pub fn waits_for_each_dot(&self) -> bool {
        let (mut is_issued, mut is_committed) = (false, false);
        for statement in self.body.iter().flatten() {
            if matches!(statement, Statement::Close) && is_issued && !is_committed {
                return false;
            }
            let Statement::Instruction(instruction) = statement else { continue };
            if is_wgmma(instruction, "wait_group") && pending_groups(instruction) == 0 {
                (is_issued, is_committed) = (false, false);
            } else if is_committed {
                return false;
            }
            is_issued |= is_wgmma_dot(instruction);
            is_committed |= is_wgmma(instruction, "commit_group");
        }
        !is_issued
    }
}

/// The registers that some dot has: their numbers among those, [`Tracked::NONE`] for all others.
struct Tracked {
    number: Vec<u32>,
    count: usize,
}

impl Tracked {
    const NONE: u32 = u32::MAX;

    fn of(steps: &[Step<'_>], registers: usize) -> Self {
        let mut tracked = Self { number: vec![Self::NONE; registers], count: 0 };
        for step in steps.iter().filter(|step| is_wgmma_dot(step.instruction)) {
            for register in step.writes.iter().copied().chain(left_words(step.instruction)) {
                let number = &mut tracked.number[register.0 as usize];
                if *number == Self::NONE {
                    *number = tracked.count as u32;
                    tracked.count += 1;
                }
            }
        }
        tracked
    }

    fn get(&self, register: Register) -> Option<usize> {
        let number = self.number[register.0 as usize];
        (number != Self::NONE).then_some(number as usize)
    }
}

/// How long ago the dots were issued that have each register, at one place.
#[derive(Clone, PartialEq)]
struct Ages {
    /// As an accumulator.
    sums: Vec<u8>,
    /// As a word of the left operand.
    words: Vec<u8>,
}

impl Ages {
    fn free(count: usize) -> Self {
        Self { sums: vec![FREE; count], words: vec![FREE; count] }
    }

    fn all(&mut self) -> impl Iterator<Item = &mut u8> {
        self.sums.iter_mut().chain(&mut self.words)
    }

    /// Over instructions, until one touches what it must not.
    fn walk<'s, 'f>(&mut self, steps: &'s [Step<'f>], tracked: &Tracked) -> Option<&'s Step<'f>> {
        steps.iter().find(|step| {
            let instruction = step.instruction;
            let adds = is_wgmma_dot(instruction);
            let mut reads = step.reads.iter().filter_map(|register| tracked.get(*register));
            let mut writes = step.writes.iter().filter_map(|register| tracked.get(*register));
            if reads.any(|at| self.sums[at] != FREE)
                || writes.any(|at| self.words[at] != FREE || (self.sums[at] != FREE && !adds))
            {
                return true;
            }
            if adds {
                step.writes.iter().filter_map(|register| tracked.get(*register)).for_each(|at| self.sums[at] = 0);
                left_words(instruction).filter_map(|register| tracked.get(register)).for_each(|at| self.words[at] = 0);
            } else if is_wgmma(instruction, "commit_group") {
                self.all().filter(|age| **age < OLDEST).for_each(|age| *age += 1);
            } else if is_wgmma(instruction, "wait_group") {
                let pending = pending_groups(instruction);
                self.all().filter(|age| u64::from(**age) > pending).for_each(|age| *age = FREE);
            }
            false
        })
    }
}

/// Adds another way to a place. Whether that changed anything.
fn merge(known: &mut Option<Ages>, more: &Ages) -> bool {
    let Some(ages) = known else {
        *known = Some(more.clone());
        return true;
    };
    let before = ages.clone();
    ages.all().zip(more.sums.iter().chain(&more.words)).for_each(|(age, other)| *age = (*age).min(*other));
    *ages != before
}

fn is_wgmma(instruction: &Instruction, modifier: &str) -> bool {
    instruction.opcode.mnemonic() == Some(Mnemonic::Wgmma) && instruction.opcode.has(modifier)
}

/// Registers of the left operand, which is the second one where it is no matrix descriptor.
fn left_words(instruction: &Instruction) -> impl Iterator<Item = Register> {
    let words = match instruction.operands.get(1) {
        Some(Operand::Vector(words)) => words.as_slice(),
        _ => &[],
    };
    words.iter().filter_map(|word| if let Operand::Register(register) = word { Some(*register) } else { None })
}

/// Groups that a wait leaves under way; all, where it does not say a number.
fn pending_groups(instruction: &Instruction) -> u64 {
    match instruction.operands.first() {
        Some(Operand::Immediate(Immediate::Int(count))) => u64::try_from(*count).unwrap_or(u64::MAX),
        _ => u64::MAX,
    }
}
