//! The instructions of a function with what they read and write, and the blocks between labels and branches: what analyses walk over.

use crate::{Address, Base, Function, Instruction, Mnemonic, Operand, Register, Statement, Successor};
use rustc_hash::FxHashMap;

/// What an instruction does to registers, and where control goes from it.
pub(crate) struct Step<'f> {
    pub(crate) instruction: &'f Instruction,
    pub(crate) reads: Vec<Register>,
    pub(crate) writes: Vec<Register>,
    /// What it writes is needed before it too, if behind it: an untaken guard leaves the old value, a dot adds to it.
    pub(crate) keeps: bool,
    pub(crate) targets: Vec<usize>,
    pub(crate) falls_through: bool,
}

/// Instructions that are entered at the first and left at the last, and the blocks behind them.
pub(crate) struct Block {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) next: Vec<usize>,
}

/// Labels of one `{ }`: the scope around it, and the step that follows each.
#[derive(Default)]
struct Scope {
    parent: Option<usize>,
    labels: FxHashMap<String, usize>,
}

/// The instructions of the body, with branches resolved to places among them.
pub(crate) fn steps(function: &Function) -> Vec<Step<'_>> {
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
            Statement::Registers(_)
            | Statement::Variable(_)
            | Statement::Location(_)
            | Statement::Pragma(_)
            | Statement::Prototype(_) => {}
        }
    }
    let target = |scope: usize, name: &str| {
        let mut around = std::iter::successors(Some(scope), |scope| scopes[*scope].parent);
        around.find_map(|scope| scopes[scope].labels.get(name).copied())
    };
    let step = |&(scope, instruction): &(usize, _)| {
        let mut step = Step::of(instruction);
        match successor(instruction) {
            Successor::Label => {
                if let Some(Operand::Symbol(name, _)) = instruction.operands.first() {
                    step.targets.extend(target(scope, name));
                }
            }
            // Every table of the function: which one is meant does not matter for an upper bound.
            Successor::Table => step.targets.extend(indexed.iter().filter_map(|(scope, name)| target(*scope, name))),
            Successor::Next | Successor::End => {}
        }
        step
    };
    found.iter().map(step).collect()
}

impl<'f> Step<'f> {
    fn of(instruction: &'f Instruction) -> Self {
        let ends = successor(instruction) != Successor::Next;
        let mut step = Step {
            instruction,
            reads: Vec::new(),
            writes: Vec::new(),
            keeps: false,
            targets: Vec::new(),
            falls_through: !ends || instruction.guard.is_some(),
        };
        let mut operands = instruction.operands.as_slice();
        if let (true, Some((result, rest))) = (has_result(instruction), operands.split_first()) {
            registers(result, &mut |register| step.writes.push(register));
            operands = rest;
        }
        step.keeps = instruction.guard.is_some() || is_wgmma_dot(instruction);
        operands.iter().for_each(|operand| registers(operand, &mut |register| step.reads.push(register)));
        step.reads.extend(instruction.guard.map(|guard| guard.register));
        step
    }
}

/// Where control goes; on to the next instruction from one that tk does not know.
fn successor(instruction: &Instruction) -> Successor {
    instruction.opcode.mnemonic().map_or(Successor::Next, Mnemonic::successor)
}

/// A `wgmma` that multiplies.
pub(crate) fn is_wgmma_dot(instruction: &Instruction) -> bool {
    instruction.opcode.mnemonic() == Some(Mnemonic::Wgmma) && instruction.opcode.has("mma_async")
}

/// The first operand is written: not an address, a target, or what a barrier or a wait is told.
fn has_result(instruction: &Instruction) -> bool {
    // Of an instruction that tk does not know, the first operand counts as a result.
    let writes = instruction.opcode.mnemonic().is_none_or(|mnemonic| mnemonic.writes_first(&instruction.opcode));
    writes
        && matches!(instruction.operands.first(), Some(Operand::Register(_) | Operand::Pair(..) | Operand::Vector(_)))
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
        Operand::Special(_) | Operand::Immediate(_) | Operand::Symbol(..) | Operand::Sink => {}
    }
}

/// Registers in groups, which hold simple operands, except that an address may hold a vector.
fn simple(parts: &[Operand], visit: &mut impl FnMut(Register)) {
    for part in parts {
        match part {
            Operand::Register(register) | Operand::Not(register) => visit(*register),
            Operand::Pair(first, second) => first.iter().chain(second).for_each(|register| visit(*register)),
            Operand::Vector(inner) => inner.iter().for_each(|part| {
                if let Operand::Register(register) = part {
                    visit(*register);
                }
            }),
            Operand::Special(_)
            | Operand::Immediate(_)
            | Operand::Symbol(..)
            | Operand::Address(_)
            | Operand::List(_)
            | Operand::Sink => {}
        }
    }
}

/// Runs of steps that are entered at their start and left at their end.
pub(crate) fn blocks(steps: &[Step<'_>]) -> Vec<Block> {
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
