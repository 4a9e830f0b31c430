//! Control flow and device functions.

use super::family::Control;
use super::{Call, Callee, Decoder, Patch};
use crate::program::*;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::{BAD_PTX, Diagnostic, Result, UNKNOWN_NAME};
use tk_ptx::{Function, Initial, Module, Operand, Space, Type};

use super::variables::VariablePlace;

/// Functions whose bodies the simulator has itself.
const EXTERNAL: &[&str] = &["vprintf", "__assertfail"];

/// Where the addresses of functions begin; nothing can be read there.
const FUNCTIONS: u64 = 4 << 40;

/// The functions a kernel needs.
pub(super) struct Needed<'m> {
    /// Callees before callers, where they are not both.
    pub(super) order: Vec<&'m Function>,
    /// Those that may come back to themselves.
    pub(super) recursive: FxHashSet<&'m str>,
}

/// The functions that a kernel needs, itself last.
pub(super) fn needed<'m>(module: &'m Module, entry: &'m Function) -> Result<Needed<'m>> {
    let taken = addresses_taken(module);
    let mut order = Vec::new();
    let mut state: FxHashMap<&str, bool> = FxHashMap::default();
    // A stack of functions with the callees not yet visited; `false` marks a function still on the stack.
    let mut has_circles = false;
    let mut stack = vec![(entry, callees(entry, &taken))];
    state.insert(&entry.name, false);
    while let Some((function, rest)) = stack.last_mut() {
        let function = *function;
        let Some(name) = rest.pop() else {
            stack.pop();
            state.insert(&function.name, true);
            order.push(function);
            continue;
        };
        match state.get(name) {
            Some(true) => {}
            Some(false) => has_circles = true,
            None => match module.function(name) {
                Some(callee) => {
                    state.insert(&callee.name, false);
                    stack.push((callee, callees(callee, &taken)));
                }
                None if EXTERNAL.contains(&name) => {}
                None => {
                    let error = Diagnostic::error(UNKNOWN_NAME, format!("`{name}` is called but has no body"));
                    return Err(Box::new(error.at(&module.source, function.place.0, "in this function")));
                }
            },
        }
    }
    let recursive = match has_circles {
        true => super::recursion::recursive(module, &order, |function| callees(function, &taken)),
        false => FxHashSet::default(),
    };
    Ok(Needed { order, recursive })
}

/// Functions whose address is somewhere in the module: those that a call through a register may reach.
fn addresses_taken(module: &Module) -> Vec<&str> {
    let instructions = module.functions.iter().flat_map(Function::instructions);
    let operands = instructions.filter(|i| i.opcode.name() != "call").flat_map(|i| &i.operands);
    let in_code = operands.filter_map(|operand| match operand {
        Operand::Symbol(name, 0) => Some(name.as_str()),
        _ => None,
    });
    let initials = module.variables.iter().flat_map(|variable| &variable.init);
    let in_data = initials.filter_map(|initial| match initial {
        Initial::Address(name, 0) => Some(name.as_str()),
        Initial::Address(..) | Initial::Value(_) => None,
    });
    let mut names: Vec<&str> = in_code.chain(in_data).filter(|name| module.function(name).is_some()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn callees<'m>(function: &'m Function, taken: &[&'m str]) -> Vec<&'m str> {
    let calls = function.instructions().filter(|i| i.opcode.name() == "call");
    let named = |instruction: &'m tk_ptx::Instruction| match callee(&instruction.operands) {
        Some((_, Called::Named(name))) => vec![name],
        Some((_, Called::Register(_))) => taken.to_vec(),
        None => Vec::new(),
    };
    calls.flat_map(named).collect()
}

/// A part of a result, in a register of the call's own.
pub(super) struct Taken {
    slot: Slot,
    /// Byte and size within the result, where that is in memory.
    at: u32,
    size: u32,
}

/// What a call calls.
#[derive(Clone, Copy)]
enum Called<'o> {
    Named(&'o str),
    /// The function whose address the register holds.
    Register(&'o Operand),
}

/// What a call calls, and which operand that is: the first that is no list.
fn callee(operands: &[Operand]) -> Option<(usize, Called<'_>)> {
    let at = operands.iter().position(|operand| !matches!(operand, Operand::List(_)))?;
    match &operands[at] {
        Operand::Symbol(name, 0) => Some((at, Called::Named(name))),
        register @ Operand::Register(_) => Some((at, Called::Register(register))),
        _ => None,
    }
}

/// A parameter or a result of a function: where it lies.
#[derive(Clone, Debug)]
pub(crate) enum Formal {
    Memory {
        offset: u32,
        bytes: u32,
    },
    /// `.reg`
    Registers(Vec<Slot>),
}

/// What a call gives or takes for one.
pub(super) enum Actual {
    Memory(u32),
    Registers(Vec<Slot>),
}

/// Which writes a `fence.proxy.async` hands over.
fn fenced_memory(call: &Call<'_>) -> FencedMemory {
    match call.words.iter().find_map(|word| Space::parse(word)) {
        Some(Space::Global) => FencedMemory::Global,
        Some(Space::Shared) => FencedMemory::Shared,
        _ => FencedMemory::All,
    }
}

impl<'m> Decoder<'m> {
    /// Decodes control flow, fences and hints; `false` for a form that the simulator has not.
    pub(super) fn control(&mut self, call: &Call<'_>, which: Control) -> Result<bool> {
        let op = match which {
            Control::Bra => {
                let [Operand::Symbol(name, 0)] = call.operands else { return Err(self.malformed(call)) };
                let label = self.label(name)?;
                self.patch_later(Patch::Code(self.program.code.len()), label);
                Op::Branch { target: u32::MAX }
            }
            Control::Brx => self.branch_indexed(call)?,
            Control::Ret if self.frame.function.is_entry => Op::Exit,
            Control::Ret => Op::Return { link: self.frame.link },
            Control::Exit => Op::Exit,
            Control::Trap => Op::Trap,
            Control::Brkpt
            | Control::Pmevent
            | Control::Griddepcontrol
            | Control::Prefetch
            | Control::Prefetchu
            | Control::Applypriority
            | Control::Discard => Op::Nothing,
            Control::Setmaxnreg => {
                let [Operand::Immediate(tk_ptx::Immediate::Int(count))] = call.operands else {
                    return Err(self.malformed(call));
                };
                if !(24..=256).contains(count) || count % 8 != 0 {
                    let message = format!("`setmaxnreg` of {count} registers; it takes multiples of 8 from 24 to 256");
                    return Err(self.fail(BAD_PTX, message));
                }
                let change = if call.has("inc") { RegisterChange::More } else { RegisterChange::Fewer };
                Op::SetRegisters { count: *count as u32, change }
            }
            Control::Nanosleep => Op::Yield,
            Control::Fence if call.has("proxy") && call.has("async") => Op::FenceProxy(fenced_memory(call)),
            Control::Fence if call.words.iter().any(|word| word.starts_with("tensormap")) => {
                let acquired = match call.operands.first() {
                    Some(operand) if call.has("acquire") => Some(self.address(operand)?),
                    _ => None,
                };
                let acquired = acquired.map(|(base, offset, _)| (base, offset));
                Op::FenceMap(FenceMap { acquired, scope: call.map_scope() })
            }
            // Other proxies: no instruction that is simulated uses them.
            Control::Fence if call.has("proxy") => Op::Nothing,
            Control::Membar | Control::Fence => Op::Fence { scope: call.scope() },
            Control::Call => return self.call(call),
        };
        self.emit(op);
        Ok(true)
    }

    fn branch_indexed(&mut self, call: &Call<'_>) -> Result<Op> {
        let [index, Operand::Symbol(list, 0)] = call.operands else { return Err(self.malformed(call)) };
        let index = self.source(index, Type::U32)?;
        let Some(targets) = self.branch_targets(list).map(<[usize]>::to_vec) else {
            return Err(self.fail(BAD_PTX, format!("`{list}` is not a list of branch targets")));
        };
        let first = self.pool(&vec![u32::MAX; targets.len()]);
        for (i, label) in targets.iter().enumerate() {
            self.patch_later(Patch::Pool(first as usize + i), *label);
        }
        Ok(Op::BranchIndexed { index, first, count: targets.len() as u32 })
    }

    /// `call (results), name, (arguments)`: copies arguments to the callee's variables, calls, copies results back.
    fn call(&mut self, call: &Call<'_>) -> Result<bool> {
        let Some((at, called)) = callee(call.operands) else { return Err(self.malformed(call)) };
        let results = self.actuals(call.operands[..at].first(), |decoder, operand| decoder.destination(operand))?;
        let argument = |decoder: &mut Self, operand: &Operand| decoder.source(operand, Type::B64);
        let arguments = match call.operands.get(at + 1) {
            Some(list @ Operand::List(_)) => self.actuals(Some(list), argument)?,
            _ => Vec::new(),
        };
        match called {
            Called::Named(name) if EXTERNAL.contains(&name) && self.module.function(name).is_none() => {
                self.external(call, name, &arguments, &results)
            }
            Called::Named(name) => {
                let Some(callee) = self.callees.get(name).cloned() else {
                    return Err(self.fail(UNKNOWN_NAME, format!("`{name}` is not declared")));
                };
                if arguments.len() != callee.params.len() || results.len() != callee.returns.len() {
                    return Err(self.fail(BAD_PTX, format!("`{name}` takes {} arguments", callee.params.len())));
                }
                match self.may_come_back(name) {
                    true => self.call_back(&callee, &arguments, &results)?,
                    false => self.call_one(&callee, &arguments, &results)?,
                }
                Ok(true)
            }
            Called::Register(register) => self.call_indirect(register, &arguments, &results),
        }
    }

    fn call_one(&mut self, callee: &Callee, arguments: &[Actual], results: &[Actual]) -> Result<()> {
        for (from, to) in arguments.iter().zip(&callee.params) {
            self.give(from, to)?;
        }
        self.emit_call(callee);
        for (to, from) in results.iter().zip(&callee.returns) {
            self.take(from, to)?;
        }
        Ok(())
    }

    /// A call through a register: each function that it may mean is called by the lanes whose register holds its address.
    fn call_indirect(&mut self, register: &Operand, arguments: &[Actual], results: &[Actual]) -> Result<bool> {
        let address = self.source(register, Type::U64)?;
        let module = self.module;
        let mut candidates: Vec<(&str, Callee)> = Vec::new();
        for name in addresses_taken(module) {
            let Some(callee) = self.callees.get(name) else { continue };
            if callee.params.len() == arguments.len() && callee.returns.len() == results.len() {
                candidates.push((name, callee.clone()));
            }
        }
        let guard = self.guard;
        let (equal, unequal, mine, rest) = (self.new_pred(), self.new_pred(), self.new_pred(), self.new_pred());
        let Some(f) = crate::ops::comparison("eq", Type::U64, false) else { return Ok(false) };
        let set = |d: PredSlot, a: Pred| Op::Combine { logic: Logic::And, d, a, b: Pred::TRUE };
        self.guard = Pred::TRUE;
        self.emit(set(rest, Pred::FALSE));
        self.guard = guard;
        self.emit(set(rest, Pred::TRUE));
        for (name, callee) in candidates {
            let wanted = self.literal(function_address(module, name));
            self.guard = Pred::TRUE;
            self.emit(set(mine, Pred::FALSE));
            self.guard = guard;
            self.emit(Op::Compare { f, p: equal, q: unequal, a: address, b: wanted, combine: 0 });
            self.emit(set(mine, Pred { slot: equal, negated: false }));
            self.guard = Pred { slot: mine, negated: false };
            self.emit(set(rest, Pred::FALSE));
            match self.may_come_back(name) {
                true => self.call_back(&callee, arguments, results)?,
                false => self.call_one(&callee, arguments, results)?,
            }
        }
        self.guard = Pred { slot: rest, negated: false };
        self.emit(Op::NoFunction { address });
        self.guard = guard;
        Ok(true)
    }

    /// What a call lists: variables of the `.param` space, or registers and numbers for functions that take registers.
    fn actuals(
        &mut self,
        list: Option<&Operand>,
        register: impl Fn(&mut Self, &Operand) -> Result<Slot>,
    ) -> Result<Vec<Actual>> {
        let Some(Operand::List(items)) = list else { return Ok(Vec::new()) };
        let mut actuals = Vec::new();
        for item in items {
            actuals.push(match item {
                Operand::Symbol(name, 0) => match self.find_variable(name) {
                    Some(VariablePlace::Local(at)) => Actual::Memory(at),
                    _ => return Err(self.fail(BAD_PTX, format!("`{name}` is not a .param variable"))),
                },
                Operand::Vector(parts) => {
                    Actual::Registers(parts.iter().map(|part| register(self, part)).collect::<Result<_>>()?)
                }
                single => Actual::Registers(vec![register(self, single)?]),
            });
        }
        Ok(actuals)
    }

    /// Copies an argument to where a function expects it.
    pub(super) fn give(&mut self, from: &Actual, to: &Formal) -> Result<()> {
        match (from, to) {
            (Actual::Memory(from), Formal::Memory { offset, bytes }) => self.copy_local(*from, *offset, *bytes),
            (Actual::Registers(from), Formal::Registers(to)) if from.len() == to.len() => {
                from.iter().zip(to).for_each(|(from, to)| self.copy_slot(*to, *from));
            }
            (Actual::Registers(from), Formal::Memory { offset, bytes }) => match from.as_slice() {
                [slot] if matches!(bytes, 1 | 2 | 4 | 8) => self.local_access(*offset, *bytes, *slot, true),
                _ => return Err(self.fail(BAD_PTX, "an argument in a register for a parameter of another size")),
            },
            (Actual::Memory(_) | Actual::Registers(_), Formal::Registers(_)) => {
                return Err(self.fail(BAD_PTX, "a function that takes registers is called with something else"));
            }
        }
        Ok(())
    }

    /// Copies a result to where a call wants it.
    fn take(&mut self, from: &Formal, to: &Actual) -> Result<()> {
        match (from, to) {
            (Formal::Memory { offset, bytes }, Actual::Memory(to)) => self.copy_local(*offset, *to, *bytes),
            (Formal::Registers(from), Actual::Registers(to)) if from.len() == to.len() => {
                from.iter().zip(to).for_each(|(from, to)| self.copy_slot(*to, *from));
            }
            (Formal::Memory { offset, bytes }, Actual::Registers(to)) => match to.as_slice() {
                [slot] if matches!(bytes, 1 | 2 | 4 | 8) => self.local_access(*offset, *bytes, *slot, false),
                _ => return Err(self.fail(BAD_PTX, "a result of another size than its register")),
            },
            (Formal::Registers(_), Actual::Memory(_) | Actual::Registers(_)) => {
                return Err(self.fail(BAD_PTX, "a function that returns registers is called for something else"));
            }
        }
        Ok(())
    }

    /// Copies a result to registers that no call touches.
    pub(super) fn take_over(&mut self, from: &Formal) -> Result<Vec<Taken>> {
        match from {
            Formal::Memory { offset, bytes } => {
                let mut taken = Vec::new();
                let mut done = 0;
                while done < *bytes {
                    let fits = |size: u32| (offset + done).is_multiple_of(size) && done + size <= *bytes;
                    let size = [8, 4, 2, 1].into_iter().find(|size| fits(*size)).unwrap_or(1);
                    let slot = self.new_slot();
                    self.local_access(offset + done, size, slot, false);
                    taken.push(Taken { slot, at: done, size });
                    done += size;
                }
                Ok(taken)
            }
            Formal::Registers(slots) => Ok(slots
                .iter()
                .map(|from| {
                    let slot = self.new_slot();
                    self.copy_slot(slot, *from);
                    Taken { slot, at: 0, size: 0 }
                })
                .collect()),
        }
    }

    /// Copies such a result to where a call wants it.
    pub(super) fn hand_on(&mut self, from: &[Taken], to: &Actual) -> Result<()> {
        match to {
            Actual::Memory(to) => {
                from.iter().for_each(|part| self.local_access(to + part.at, part.size.max(1), part.slot, true));
                Ok(())
            }
            Actual::Registers(slots) if slots.len() == from.len() => {
                slots.iter().zip(from).for_each(|(to, from)| self.copy_slot(*to, from.slot));
                Ok(())
            }
            Actual::Registers(_) => Err(self.fail(BAD_PTX, "a result of another size than its register")),
        }
    }

    /// Copies bytes within local memory, in the largest pieces both sides are aligned for.
    fn copy_local(&mut self, from: u32, to: u32, bytes: u32) {
        let slot = self.new_slot();
        let mut done = 0;
        while done < bytes {
            let fits = |size: u32| {
                (from + done).is_multiple_of(size) && (to + done).is_multiple_of(size) && done + size <= bytes
            };
            let size = [8, 4, 2, 1].into_iter().find(|size| fits(*size)).unwrap_or(1);
            self.local_access(from + done, size, slot, false);
            self.local_access(to + done, size, slot, true);
            done += size;
        }
    }

    /// Loads a slot from local memory, or stores it there.
    fn local_access(&mut self, offset: u32, bytes: u32, slot: Slot, store: bool) {
        let access = Access {
            memory: Memory::Local,
            window: Window::Cta,
            bytes,
            count: 1,
            extend: 0,
            base: self.literal(0),
            offset: i64::from(offset),
            regs: self.pool(&[slot]),
            site: 0,
            order: MemoryOrder::Weak,
            scope: MemoryScope::Cta,
            constant: false,
        };
        self.program.accesses.push(access);
        let index = self.program.accesses.len() as u32 - 1;
        self.emit(if store { Op::Store(index) } else { Op::Load(index) });
    }

    fn external(&mut self, call: &Call<'_>, name: &str, arguments: &[Actual], results: &[Actual]) -> Result<bool> {
        let place = |actual: &Actual| match actual {
            Actual::Memory(at) => Some(*at),
            Actual::Registers(_) => None,
        };
        let places = |actuals: &[Actual]| actuals.iter().map(place).collect::<Option<Vec<u32>>>();
        let (Some(arguments), Some(results)) = (places(arguments), places(results)) else {
            return Err(self.malformed(call));
        };
        let external = match (name, arguments.as_slice()) {
            ("vprintf", &[format, arguments]) => {
                External::Print { format, arguments, result: results.first().copied().unwrap_or(u32::MAX) }
            }
            ("__assertfail", &[message, file, line, function, _]) => {
                External::AssertFail { message, file, line, function }
            }
            _ => return Err(self.malformed(call)),
        };
        self.program.externals.push(external);
        self.emit(Op::External(self.program.externals.len() as u32 - 1));
        Ok(true)
    }
}

/// What a register holds that names a function.
pub(super) fn function_address(module: &Module, name: &str) -> u64 {
    let index = module.functions.iter().position(|function| function.name == name).unwrap_or(0);
    FUNCTIONS + 16 * (index as u64 + 1)
}
