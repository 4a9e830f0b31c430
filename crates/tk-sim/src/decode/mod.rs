//! From a PTX syntax tree to a [`Program`].
//!
//! `mod.rs` walks functions and statements; `operand.rs` turns operands into slots; one further file per instruction family.

mod alu;
mod bulk;
mod call;
mod collective;
mod family;
mod memory;
mod modifiers;
mod operand;
mod recursion;
mod variables;
mod wgmma;
mod wmma;

use variables::SHARED_START;

use self::call::Formal;
use self::family::Family;
pub(crate) use self::recursion::Extent;
use crate::classes::Weight;
use crate::lanes::Lanes;
use crate::ops::FloatMode;
use crate::program::*;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::{BAD_PTX, Code, Diagnostic, Result, Span, UNKNOWN_NAME, UNSUPPORTED};
use tk_ptx::{Function, Instruction as Ptx, Location, Module, Space, Statement, Type};
use tk_target::Target;
use variables::VariablePlace;

/// Registers or instructions of a function for which counting the registers in use takes long.
const LARGE_FUNCTION: u32 = 1 << 15;

/// What one function's code knows while it is decoded.
pub(crate) struct Frame<'m> {
    pub(crate) function: &'m Function,
    /// Slot (or predicate slot) of each register.
    slots: Vec<u32>,
    /// Variables of each open scope, innermost last.
    scopes: Vec<FxHashMap<&'m str, VariablePlace>>,
    /// Number of each open scope, to find labels.
    scope_numbers: Vec<usize>,
    /// Labels by scope number and name; the position is known once the label is passed.
    labels: FxHashMap<(usize, &'m str), usize>,
    positions: Vec<u32>,
    /// `.branchtargets` lists by their label.
    targets: FxHashMap<&'m str, Vec<usize>>,
    /// Branches to patch: code index or pool index, and label.
    branches: Vec<(Patch, usize)>,
    link: Slot,
    /// Of its extent in [`Program::frames`].
    number: u32,
}

#[derive(Clone, Copy)]
pub(crate) enum Patch {
    Code(usize),
    Pool(usize),
}

/// Where a device function starts and where its parameters and results lie in local memory.
#[derive(Clone)]
pub(crate) struct Callee {
    /// Of its extent in [`Program::frames`].
    pub(crate) number: u32,
    /// Known once it is decoded.
    pub(crate) start: u32,
    pub(crate) link: Slot,
    pub(crate) params: Vec<Formal>,
    pub(crate) returns: Vec<Formal>,
}

pub(crate) struct Decoder<'m> {
    pub(crate) module: &'m Module,
    pub(crate) program: Program,
    pub(crate) frame: Frame<'m>,
    pub(crate) callees: FxHashMap<&'m str, Callee>,
    /// Functions that may come back to themselves.
    recursive: FxHashSet<&'m str>,
    /// Calls, by the numbers of their callees.
    calls: Vec<(Patch, u32)>,
    pub(crate) variables: FxHashMap<&'m str, VariablePlace>,
    literals: FxHashMap<u64, Slot>,
    specials: FxHashMap<Special, Slot>,
    addresses: FxHashMap<(usize, i64), Slot>,
    shared_addresses: FxHashMap<u64, Slot>,
    locations: FxHashMap<Location, u32>,
    location: u32,
    /// VariablePlace of the instruction being decoded.
    pub(crate) span: Span,
    pub(crate) guard: Pred,
    /// What the instruction being decoded counts as, until its first operation has it.
    weight: Option<Weight>,
}

/// See [`Program::compile`].
pub(crate) fn compile(module: &Module, entry: &str) -> Result<Program> {
    let Some(function) = module.entry(entry) else {
        let names: Vec<&str> = module.entries().map(|f| f.name.as_str()).collect();
        let known = if names.is_empty() { "none".to_string() } else { names.join(", ") };
        let error = Diagnostic::error(UNKNOWN_NAME, format!("the PTX has no kernel `{entry}`"));
        return Err(Box::new(error.at(&module.source, Span::new(0, 0), "").help(format!("its kernels are: {known}"))));
    };
    refuse_blocks_as_clusters(module, function)?;
    let call::Needed { order, recursive } = call::needed(module, function)?;
    let mut decoder = Decoder::new(module, function);
    decoder.recursive = recursive;
    decoder.module_variables(&order)?;
    let frames = order.iter().map(|function| decoder.prepare(function)).collect::<Result<Vec<Frame<'_>>>>()?;
    let mut starts = Vec::new();
    for (function, frame) in order.into_iter().zip(frames) {
        starts.push(decoder.here());
        decoder.function(function, frame)?;
    }
    decoder.patch_calls(&starts);
    crate::uses::watch_dots(&mut decoder.program);
    Ok(decoder.program)
}

/// `.blocksareclusters` gives the numbers of a launch another meaning.
fn refuse_blocks_as_clusters(module: &Module, entry: &Function) -> Result<()> {
    if entry.directive("blocksareclusters").is_none() {
        return Ok(());
    }
    let message = format!("`{}` has `.blocksareclusters`, which the simulator does not know", entry.name);
    let error = Diagnostic::error(UNSUPPORTED, message).at(&module.source, entry.place.0, "");
    Err(Box::new(error.help("give the grid in CTAs, without this directive")))
}

/// 32-bit registers that a kernel needs at the same time; of very large functions, where counting takes long, as many as a thread has.
fn peak_registers(entry: &Function) -> u32 {
    let instructions = entry.body.as_ref().map_or(0, Vec::len);
    let is_large = entry.register_count() > LARGE_FUNCTION || instructions > LARGE_FUNCTION as usize;
    if is_large { Target::default().max_registers_per_thread() } else { entry.peak_registers() }
}

/// Threads of a CTA, or CTAs of a cluster, by axis, where the header fixes them.
fn axes_of(entry: &Function, directive: &str) -> Option<[u32; 3]> {
    let sizes = entry.directive(directive)?;
    let axis = |i: usize| sizes.get(i).map_or(1, |size| (*size).min(1 << 20) as u32);
    Some([axis(0), axis(1), axis(2)])
}

impl<'m> Decoder<'m> {
    fn new(module: &'m Module, entry: &'m Function) -> Self {
        let program = Program {
            entry: entry.name.clone(),
            code: Vec::new(),
            origins: Vec::new(),
            weights: Vec::new(),
            start: 0,
            slots: 0,
            preds: 2,
            carry: 1,
            literals: Vec::new(),
            specials: Vec::new(),
            addresses: Vec::new(),
            shared_addresses: Vec::new(),
            lane_constants: Vec::new(),
            pool: Vec::new(),
            accesses: Vec::new(),
            atomics: Vec::new(),
            copies: Vec::new(),
            mmas: Vec::new(),
            products: Vec::new(),
            frames: Vec::new(),
            matrices: Vec::new(),
            wgmmas: Vec::new(),
            dot_registers: SlotSet::default(),
            mbarriers: Vec::new(),
            bulks: Vec::new(),
            map_fields: Vec::new(),
            externals: Vec::new(),
            conversions: Vec::new(),
            combines: Vec::new(),
            globals: Vec::new(),
            sites: Vec::new(),
            locations: Vec::new(),
            files: module.files.clone(),
            source: module.source.clone(),
            parameters: entry.parameters(),
            requirement: entry.threads(),
            block: axes_of(entry, "reqntid"),
            cluster: axes_of(entry, "reqnctapercluster"),
            has_relaxed_arrivals: false,
            peak_registers: peak_registers(entry),
            max_registers: entry.directive("maxnreg").and_then(|n| n.first()).map(|n| (*n).min(256) as u32),
            shared_start: SHARED_START,
            static_shared: 0,
            dynamic_shared: 0,
            local_bytes: 0,
        };
        let frame = Frame::new(entry);
        Self {
            module,
            program,
            frame,
            callees: FxHashMap::default(),
            recursive: FxHashSet::default(),
            calls: Vec::new(),
            variables: FxHashMap::default(),
            literals: FxHashMap::default(),
            specials: FxHashMap::default(),
            addresses: FxHashMap::default(),
            shared_addresses: FxHashMap::default(),
            locations: FxHashMap::default(),
            location: u32::MAX,
            span: Span::default(),
            guard: Pred::TRUE,
            weight: None,
        }
    }

    /// Gives a function registers and places for its parameters and results.
    fn prepare(&mut self, function: &'m Function) -> Result<Frame<'m>> {
        self.frame = Frame::new(function);
        let (slots, preds, locals) = (self.program.slots, self.program.preds, self.program.local_bytes);
        self.assign_registers(function);
        self.frame.link = self.new_slot();
        self.frame.number = self.program.frames.len() as u32;
        self.span = function.place.0;
        self.function_parameters(function)?;
        self.program.frames.push(Extent {
            slots: slots..self.program.slots,
            preds: preds..self.program.preds,
            locals: [locals..self.program.local_bytes, 0..0],
        });
        if !function.is_entry {
            let formals =
                |variables: &[tk_ptx::Variable]| variables.iter().map(|v| self.formal(function, v)).collect::<Vec<_>>();
            let (params, returns) = (formals(&function.params), formals(&function.returns));
            let (number, link) = (self.frame.number, self.frame.link);
            self.callees.insert(&function.name, Callee { number, start: u32::MAX, link, params, returns });
        }
        Ok(std::mem::replace(&mut self.frame, Frame::new(function)))
    }

    fn patch_calls(&mut self, starts: &[u32]) {
        for (patch, callee) in std::mem::take(&mut self.calls) {
            if let Patch::Code(index) = patch
                && let Op::Call { target, .. } = &mut self.program.code[index].op
            {
                *target = starts[callee as usize];
            }
        }
    }

    fn function(&mut self, function: &'m Function, frame: Frame<'m>) -> Result<()> {
        self.frame = frame;
        self.span = function.place.0;
        let before = self.program.local_bytes;
        if function.is_entry {
            self.program.start = self.here();
        }
        let body: &'m [Statement] = function.body.as_deref().unwrap_or(&[]);
        self.collect_labels(body)?;
        self.location = u32::MAX;
        let mut scope_count = 0;
        self.frame.scope_numbers = vec![0];
        for statement in body {
            self.statement(statement, &mut scope_count)?;
        }
        (self.guard, self.weight) = (Pred::TRUE, None);
        self.finish_function(function);
        self.program.frames[self.frame.number as usize].locals[1] = before..self.program.local_bytes;
        self.patch_branches()
    }

    /// Where a parameter or result of a function lies.
    fn formal(&self, function: &Function, variable: &tk_ptx::Variable) -> Formal {
        let group = function.registers.iter().find(|group| group.name == variable.name);
        match (variable.space, group, self.find_variable(&variable.name)) {
            (Space::Reg, Some(group), _) => {
                let registers = group.first as usize..(group.first + group.registers()) as usize;
                Formal::Registers(self.frame.slots[registers].to_vec())
            }
            (_, _, Some(VariablePlace::Local(offset))) => Formal::Memory { offset, bytes: variable.bytes() as u32 },
            _ => Formal::Memory { offset: 0, bytes: 0 },
        }
    }

    /// Running off the end of a body returns.
    fn finish_function(&mut self, function: &Function) {
        let link = self.frame.link;
        self.emit(if function.is_entry { Op::Exit } else { Op::Return { link } });
    }

    fn assign_registers(&mut self, function: &Function) {
        for group in &function.registers {
            for _ in 0..group.registers() {
                let slot = match group.ty {
                    Type::Pred => self.new_pred(),
                    Type::B128 => {
                        let low = self.new_slot();
                        self.new_slot();
                        low
                    }
                    _ => self.new_slot(),
                };
                self.frame.slots.push(slot);
            }
        }
    }

    fn statement(&mut self, statement: &'m Statement, scope_count: &mut usize) -> Result<()> {
        match statement {
            Statement::Open => {
                *scope_count += 1;
                self.frame.scope_numbers.push(*scope_count);
                self.frame.scopes.push(FxHashMap::default());
            }
            Statement::Close => {
                self.frame.scope_numbers.pop();
                self.frame.scopes.pop();
            }
            Statement::Label(name, _) => {
                let scope = self.frame.scope_numbers.last().copied().unwrap_or(0);
                if let Some(label) = self.frame.labels.get(&(scope, name.as_str())) {
                    self.frame.positions[*label] = self.program.code.len() as u32;
                }
            }
            Statement::Variable(variable) => self.body_variable(variable)?,
            Statement::Location(location) => self.set_location(location),
            Statement::Instruction(instruction) => self.instruction(instruction)?,
            Statement::Registers(_) | Statement::Pragma(_) | Statement::BranchTargets(_) | Statement::Prototype(_) => {}
        }
        Ok(())
    }

    /// Gives every label a number before any branch is seen.
    fn collect_labels(&mut self, body: &'m [Statement]) -> Result<()> {
        let (mut stack, mut count, mut last) = (vec![0], 0, None);
        let mut lists = Vec::new();
        for statement in body {
            match statement {
                Statement::Open => {
                    count += 1;
                    stack.push(count);
                }
                Statement::Close => drop(stack.pop()),
                Statement::Label(name, place) => {
                    let scope = stack.last().copied().unwrap_or(0);
                    let number = self.frame.positions.len();
                    self.frame.positions.push(u32::MAX);
                    if self.frame.labels.insert((scope, name.as_str()), number).is_some() {
                        self.span = place.0;
                        return Err(self.fail(BAD_PTX, format!("the label `{name}` is defined twice")));
                    }
                    last = Some(name.as_str());
                    continue;
                }
                Statement::BranchTargets(names) => lists.extend(last.map(|label| (label, stack.clone(), names))),
                Statement::Registers(_)
                | Statement::Variable(_)
                | Statement::Location(_)
                | Statement::Pragma(_)
                | Statement::Prototype(_)
                | Statement::Instruction(_) => {}
            }
            last = None;
        }
        for (label, scopes, names) in lists {
            let find = |name: &String| self.find_label(name, &scopes);
            let Some(targets) = names.iter().map(find).collect::<Option<Vec<usize>>>() else {
                return Err(self.fail(BAD_PTX, format!("`{label}` lists a label that is not defined")));
            };
            self.frame.targets.insert(label, targets);
        }
        Ok(())
    }

    fn find_label(&self, name: &str, scopes: &[usize]) -> Option<usize> {
        scopes.iter().rev().find_map(|scope| self.frame.labels.get(&(*scope, name)).copied())
    }

    /// The label an operand names, as seen from the current scope.
    pub(crate) fn label(&self, name: &str) -> Result<usize> {
        self.find_label(name, &self.frame.scope_numbers)
            .ok_or_else(|| self.fail(BAD_PTX, format!("the label `{name}` is not defined here")))
    }

    pub(crate) fn branch_targets(&self, name: &str) -> Option<&[usize]> {
        self.frame.targets.get(name).map(Vec::as_slice)
    }

    pub(crate) fn patch_later(&mut self, patch: Patch, label: usize) {
        self.frame.branches.push((patch, label));
    }

    fn patch_branches(&mut self) -> Result<()> {
        for (patch, label) in std::mem::take(&mut self.frame.branches) {
            let position = self.frame.positions[label];
            match patch {
                Patch::Pool(index) => self.program.pool[index] = position,
                Patch::Code(index) => {
                    if let Op::Branch { target } = &mut self.program.code[index].op {
                        *target = position;
                    }
                }
            }
        }
        Ok(())
    }

    fn set_location(&mut self, location: &Location) {
        let next = self.program.locations.len() as u32;
        let number = *self.locations.entry(location.clone()).or_insert(next);
        if number == next {
            self.program.locations.push(location.clone());
        }
        self.location = number;
    }

    fn instruction(&mut self, instruction: &'m Ptx) -> Result<()> {
        self.span = instruction.place.0;
        self.weight = Some(Weight::of(&instruction.opcode));
        self.guard = match instruction.guard {
            None => Pred::TRUE,
            Some(guard) => Pred { slot: self.predicate(guard.register)?, negated: guard.negated },
        };
        let words: Vec<&str> = instruction.opcode.modifiers().collect();
        let mode = FloatMode::new(&words);
        let call = Call { name: instruction.opcode.name(), words: &words, mode, operands: &instruction.operands };
        let mnemonic = instruction.opcode.mnemonic();
        let is_refused = |mnemonic: &tk_ptx::Mnemonic| matches!(Family::of(*mnemonic), Family::NotSimulated(_));
        let looked_at = mnemonic.filter(|mnemonic| !is_refused(mnemonic));
        if let Some(word) = looked_at.and_then(|mnemonic| modifiers::unknown(mnemonic, &words)) {
            let opcode = instruction.opcode.as_str();
            let message = format!("the simulator does not know `.{word}` of `{opcode}`");
            return Err(Box::new(self.fail(UNSUPPORTED, message).help("run the kernel on a GPU")));
        }
        let known = match mnemonic.map(Family::of) {
            Some(Family::Control(which)) => self.control(&call, which)?,
            Some(Family::Collective(which)) => self.collective(&call, which)?,
            Some(Family::MemoryAccess(which)) => self.memory(&call, which)?,
            Some(Family::Arithmetic(which)) => self.arithmetic(&call, which)?,
            Some(Family::Plain(_)) => self.plain(&call)?,
            Some(Family::NotSimulated(_)) | None => false,
        };
        if known {
            return Ok(());
        }
        let opcode = instruction.opcode.as_str();
        let error = self.fail(UNSUPPORTED, format!("the simulator does not know `{opcode}`"));
        Err(Box::new(error.help("run the kernel on a GPU, or compile it for a target without this instruction")))
    }

    pub(crate) fn here(&self) -> u32 {
        self.program.code.len() as u32
    }

    /// Appends an operation under the current guard.
    pub(crate) fn emit(&mut self, op: Op) {
        self.program.code.push(Instruction { op, guard: self.guard, watched: false });
        self.program.origins.push(Origin { location: self.location, span: self.span });
        self.program.weights.push(self.weight.take());
    }

    pub(crate) fn origin(&self) -> Origin {
        Origin { location: self.location, span: self.span }
    }

    pub(crate) fn new_slot(&mut self) -> Slot {
        self.program.slots += 1;
        self.program.slots - 1
    }

    pub(crate) fn new_pred(&mut self) -> PredSlot {
        self.program.preds += 1;
        self.program.preds - 1
    }

    /// Appends slots to the pool and gives the index of the first.
    pub(crate) fn pool(&mut self, slots: &[Slot]) -> u32 {
        let first = self.program.pool.len() as u32;
        self.program.pool.extend_from_slice(slots);
        first
    }

    /// An error at the current instruction.
    pub(crate) fn fail(&self, code: Code, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Program::error_at(&self.module.source, self.span, code, message.into()))
    }

    /// The operand list does not fit the instruction.
    pub(crate) fn malformed(&self, call: &Call<'_>) -> Box<Diagnostic> {
        self.fail(BAD_PTX, format!("the operands do not fit `{}`", call.opcode()))
    }
}

impl<'m> Frame<'m> {
    fn new(function: &'m Function) -> Self {
        Self {
            function,
            slots: Vec::new(),
            scopes: vec![FxHashMap::default()],
            scope_numbers: vec![0],
            labels: FxHashMap::default(),
            positions: Vec::new(),
            targets: FxHashMap::default(),
            branches: Vec::new(),
            link: 0,
            number: 0,
        }
    }
}

/// One instruction, its opcode taken apart.
pub(crate) struct Call<'a> {
    pub(crate) name: &'a str,
    pub(crate) words: &'a [&'a str],
    pub(crate) mode: FloatMode<'a>,
    pub(crate) operands: &'a [tk_ptx::Operand],
}

impl Call<'_> {
    pub(crate) fn opcode(&self) -> String {
        std::iter::once(self.name).chain(self.words.iter().copied()).collect::<Vec<_>>().join(".")
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// The order that the opcode names.
    pub(crate) fn order(&self, without: MemoryOrder) -> MemoryOrder {
        let named = |word: &&str| match *word {
            "volatile" | "relaxed" | "mmio" => Some(MemoryOrder::Relaxed),
            "acquire" => Some(MemoryOrder::Acquire),
            "release" => Some(MemoryOrder::Release),
            "acq_rel" => Some(MemoryOrder::AcquireRelease),
            _ => None,
        };
        self.words.iter().find_map(named).unwrap_or(without)
    }

    /// The scope that the opcode names.
    pub(crate) fn scope(&self) -> MemoryScope {
        if self.has("cta") { MemoryScope::Cta } else { MemoryScope::Wide }
    }

    /// Whose shared memory it names.
    pub(crate) fn window(&self, memory: Memory) -> Window {
        let own = memory == Memory::Shared && !self.has("shared::cluster");
        if own { Window::Cta } else { Window::Cluster }
    }

    /// The last modifier that is a type.
    pub(crate) fn ty(&self) -> Option<Type> {
        self.words.iter().rev().find_map(|w| Type::parse(w))
    }

    /// The operand at an index.
    pub(crate) fn operand(&self, index: usize) -> Option<&tk_ptx::Operand> {
        self.operands.get(index)
    }
}

/// A register whose lanes are all the same.
pub(crate) fn splat(value: u64) -> Lanes {
    [value; 32]
}
