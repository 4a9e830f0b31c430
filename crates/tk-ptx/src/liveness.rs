//! Which registers hold values that are still needed, at every place of a function: how many a thread needs at least, before `ptxas`
//! assigns any.
//!
//! A backward walk over the blocks between labels and branches, repeated until nothing changes. `ptxas` moves instructions and
//! computes some values anew, so its count differs from this one; but where this one exceeds what a thread can have, it must spill.
//!
//! A result that nobody reads counts where it is written. The operands of an instruction and its results may share registers. Predicates
//! do not count, because they have registers of their own.

use crate::{Address, Base, Function, Instruction, Operand, Register, Statement, Type};
use rustc_hash::FxHashMap;

impl Function {
    /// The most 32-bit registers whose values are needed at the same time. A 64-bit value is two, a 16-bit value is one.
    pub fn peak_registers(&self) -> u32 {
        let steps = steps(self);
        let weights = weights(self);
        let blocks = blocks(&steps);
        let outs = live_outs(&steps, &blocks, weights.len());
        let mut peak = 0;
        for (block, out) in blocks.iter().zip(outs) {
            let mut live = Live::new(out, &weights);
            for step in steps[block.start..block.end].iter().rev() {
                peak = peak.max(live.weight + live.unread(step));
                live.walk(step);
                peak = peak.max(live.weight);
            }
        }
        peak
    }
}

/// What an instruction does to registers, and where control goes from it.
#[derive(Default)]
struct Step {
    reads: Vec<Register>,
    writes: Vec<Register>,
    /// What it writes is needed before it too, if behind it: an untaken guard leaves the old value, a product adds to it.
    keeps: bool,
    targets: Vec<usize>,
    falls_through: bool,
}

struct Block {
    start: usize,
    end: usize,
    next: Vec<usize>,
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
    fn unread(&self, step: &Step) -> u32 {
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
    fn walk(&mut self, step: &Step) {
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
        weights[first..first + group.count.unwrap_or(1) as usize].fill(weight);
    }
    weights
}

/// Labels of one `{ }`: the scope around it, and the step that follows each.
#[derive(Default)]
struct Scope {
    parent: Option<usize>,
    labels: FxHashMap<String, usize>,
}

/// The instructions of the body, with branches resolved to places among them.
fn steps(function: &Function) -> Vec<Step> {
    let mut scopes = vec![Scope::default()];
    let (mut scope, mut found) = (0, Vec::new());
    let mut indexed = Vec::new();
    for statement in function.body.iter().flatten() {
        match statement {
            Statement::Open => {
                scopes.push(Scope { parent: Some(scope), labels: FxHashMap::default() });
                scope = scopes.len() - 1;
            }
            Statement::Close => scope = scopes[scope].parent.unwrap_or(0),
            Statement::Label(name, _) => {
                scopes[scope].labels.insert(name.clone(), found.len());
            }
            Statement::BranchTargets(names) => indexed.extend(names.iter().map(|name| (scope, name.as_str()))),
            Statement::Instruction(instruction) => found.push((scope, &**instruction)),
            _ => {}
        }
    }
    let target = |scope: usize, name: &str| {
        let mut around = std::iter::successors(Some(scope), |scope| scopes[*scope].parent);
        around.find_map(|scope| scopes[scope].labels.get(name).copied())
    };
    let step = |(scope, instruction): &(usize, &Instruction)| {
        let mut step = Step::of(instruction);
        match (instruction.opcode.name(), instruction.operands.first()) {
            ("bra", Some(Operand::Symbol(name, _))) => step.targets.extend(target(*scope, name)),
            // Every table of the function: which one is meant does not matter for an upper bound.
            ("brx", _) => step.targets.extend(indexed.iter().filter_map(|(scope, name)| target(*scope, name))),
            _ => {}
        }
        step
    };
    found.iter().map(step).collect()
}

impl Step {
    fn of(instruction: &Instruction) -> Self {
        let name = instruction.opcode.name();
        let ends = matches!(name, "bra" | "brx" | "ret" | "exit" | "trap");
        let mut step = Step { falls_through: !ends || instruction.guard.is_some(), ..Step::default() };
        let is_product = name == "wgmma" && instruction.opcode.has("mma_async");
        let mut operands = instruction.operands.as_slice();
        if let (true, Some((result, rest))) = (has_result(instruction), operands.split_first()) {
            registers(result, &mut |register| step.writes.push(register));
            operands = rest;
        }
        step.keeps = instruction.guard.is_some() || is_product;
        operands.iter().for_each(|operand| registers(operand, &mut |register| step.reads.push(register)));
        step.reads.extend(instruction.guard.map(|guard| guard.register));
        step
    }
}

/// The first operand is written: not an address, a target, or what a barrier or a wait is told.
fn has_result(instruction: &Instruction) -> bool {
    let named = match instruction.opcode.name() {
        "bra" | "brx" | "call" | "nanosleep" => false,
        "bar" | "barrier" => instruction.opcode.has("red"),
        _ => true,
    };
    named && matches!(instruction.operands.first(), Some(Operand::Register(_) | Operand::Pair(..) | Operand::Vector(_)))
}

/// Calls `visit` with every register that an operand names.
fn registers(operand: &Operand, visit: &mut impl FnMut(Register)) {
    match operand {
        Operand::Register(register) | Operand::Not(register) => visit(*register),
        Operand::Pair(first, second) => first.iter().chain(second).for_each(|register| visit(*register)),
        Operand::Vector(parts) | Operand::List(parts) => simple(parts, visit),
        Operand::Address(address) => {
            let Address { base, more, .. } = &**address;
            if let Base::Register(register) = base {
                visit(*register);
            }
            simple(more, visit);
        }
        _ => {}
    }
}

/// Registers in groups, which hold simple operands, except that an address may hold a vector.
fn simple(parts: &[Operand], visit: &mut impl FnMut(Register)) {
    for part in parts {
        match part {
            Operand::Register(register) | Operand::Not(register) => visit(*register),
            Operand::Vector(inner) => inner.iter().for_each(|part| {
                if let Operand::Register(register) = part {
                    visit(*register);
                }
            }),
            _ => {}
        }
    }
}

/// Runs of steps that are entered at their start and left at their end.
fn blocks(steps: &[Step]) -> Vec<Block> {
    let mut starts = vec![false; steps.len() + 1];
    for (index, step) in steps.iter().enumerate() {
        if !step.targets.is_empty() || !step.falls_through {
            starts[index + 1] = true;
        }
        step.targets.iter().for_each(|target| starts[*target] = true);
    }
    let mut blocks = Vec::new();
    let mut block_of = vec![0; steps.len() + 1];
    let mut start = 0;
    for end in 1..=steps.len() {
        block_of[end - 1] = blocks.len();
        if end == steps.len() || starts[end] {
            blocks.push(Block { start, end, next: Vec::new() });
            start = end;
        }
    }
    for block in &mut blocks {
        let last = &steps[block.end - 1];
        let follow = last.falls_through.then_some(block.end);
        let places = last.targets.iter().copied().chain(follow);
        block.next = places.filter(|place| *place < steps.len()).map(|place| block_of[place]).collect();
    }
    blocks
}

/// Per block, the registers that are needed behind it.
fn live_outs(steps: &[Step], blocks: &[Block], registers: usize) -> Vec<Vec<u64>> {
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
