//! Control flow and device functions.

use super::family::Control;
use super::{Call, Decoder, Patch};
use crate::program::*;
use rustc_hash::FxHashMap;
use tk_diag::{BAD_PTX, Diagnostic, Result, UNKNOWN_NAME, UNSUPPORTED};
use tk_ptx::{Function, Module, Operand, Type};

use super::variables::VariablePlace;

/// Functions whose bodies the simulator has itself.
const EXTERNAL: &[&str] = &["vprintf", "__assertfail"];

/// The functions a kernel needs, callees before callers. Recursion is an error.
pub(super) fn order<'m>(module: &'m Module, entry: &'m Function) -> Result<Vec<&'m Function>> {
    let mut order = Vec::new();
    let mut state: FxHashMap<&str, bool> = FxHashMap::default();
    // A stack of functions with the callees not yet visited; `false` marks a function still on the stack.
    let mut stack = vec![(entry, callees(entry))];
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
            Some(false) => {
                let error = Diagnostic::error(UNSUPPORTED, format!("`{name}` calls itself"));
                let error = error.at(&module.source, function.place.0, "");
                return Err(Box::new(error.help("the simulator gives each function one set of registers")));
            }
            None => match module.function(name) {
                Some(callee) => {
                    state.insert(&callee.name, false);
                    stack.push((callee, callees(callee)));
                }
                None if EXTERNAL.contains(&name) => {}
                None => {
                    let error = Diagnostic::error(UNKNOWN_NAME, format!("`{name}` is called but has no body"));
                    return Err(Box::new(error.at(&module.source, function.place.0, "in this function")));
                }
            },
        }
    }
    Ok(order)
}

fn callees(function: &Function) -> Vec<&str> {
    let calls = function.instructions().filter(|i| i.opcode.name() == "call");
    calls.filter_map(|i| callee_name(&i.operands)).collect()
}

fn callee_name(operands: &[Operand]) -> Option<&str> {
    operands.iter().find_map(|operand| match operand {
        Operand::Symbol(name, 0) => Some(name.as_str()),
        _ => None,
    })
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
            Control::Fence if call.has("proxy") && call.has("async") && !call.has("global") => Op::FenceProxy,
            Control::Fence if call.words.iter().any(|word| word.starts_with("tensormap")) => {
                let acquired = match call.operands.first() {
                    Some(operand) if call.has("acquire") => Some(self.address(operand)?),
                    _ => None,
                };
                let acquired = acquired.map(|(base, offset, _)| (base, offset));
                Op::FenceMap(FenceMap { acquired, scope: call.map_scope() })
            }
            // The order of proxies in global memory is not followed.
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
        let Some(name) = callee_name(call.operands) else {
            return Err(self.fail(UNSUPPORTED, "calls through registers are not simulated"));
        };
        let at = call.operands.iter().position(|o| matches!(o, Operand::Symbol(..))).unwrap_or(0);
        let results = self.call_places(call.operands[..at].first())?;
        let arguments = self.call_places(call.operands[at + 1..].first())?;
        if EXTERNAL.contains(&name) && self.module.function(name).is_none() {
            return self.external(call, name, &arguments, &results);
        }
        let Some(callee) = self.callees.get(name).cloned() else {
            return Err(self.fail(UNKNOWN_NAME, format!("`{name}` is not declared")));
        };
        if arguments.len() != callee.params.len() || results.len() != callee.returns.len() {
            return Err(self.fail(BAD_PTX, format!("`{name}` takes {} arguments", callee.params.len())));
        }
        for (from, (to, bytes)) in arguments.iter().zip(&callee.params) {
            self.copy_local(*from, *to, *bytes);
        }
        self.emit(Op::Call { target: callee.start, link: callee.link });
        for (to, (from, bytes)) in results.iter().zip(&callee.returns) {
            self.copy_local(*from, *to, *bytes);
        }
        Ok(true)
    }

    /// Local offsets of the variables in a call's list.
    fn call_places(&self, list: Option<&Operand>) -> Result<Vec<u32>> {
        let Some(Operand::List(items)) = list else { return Ok(Vec::new()) };
        let place = |item: &Operand| match item {
            Operand::Symbol(name, 0) => match self.find_variable(name) {
                Some(VariablePlace::Local(at)) => Ok(at),
                _ => Err(self.fail(BAD_PTX, format!("`{name}` is not a .param variable"))),
            },
            _ => Err(self.fail(BAD_PTX, "a call takes .param variables")),
        };
        items.iter().map(place).collect()
    }

    /// Copies bytes within local memory, in the largest pieces both sides are aligned for.
    fn copy_local(&mut self, from: u32, to: u32, bytes: u32) {
        let slot = self.new_slot();
        let base = self.literal(0);
        let regs = self.pool(&[slot]);
        let mut done = 0;
        while done < bytes {
            let fits = |size: u32| {
                (from + done).is_multiple_of(size) && (to + done).is_multiple_of(size) && done + size <= bytes
            };
            let size = [8, 4, 2, 1].into_iter().find(|size| fits(*size)).unwrap_or(1);
            for (offset, store) in [(from, false), (to, true)] {
                let offset = i64::from(offset + done);
                let access = Access {
                    memory: Memory::Local,
                    window: Window::Cta,
                    bytes: size,
                    count: 1,
                    extend: 0,
                    base,
                    offset,
                    regs,
                    site: 0,
                    order: MemoryOrder::Weak,
                    scope: MemoryScope::Cta,
                    constant: false,
                };
                self.program.accesses.push(access);
                let index = self.program.accesses.len() as u32 - 1;
                self.emit(if store { Op::Store(index) } else { Op::Load(index) });
            }
            done += size;
        }
    }

    fn external(&mut self, call: &Call<'_>, name: &str, arguments: &[u32], results: &[u32]) -> Result<bool> {
        let external = match (name, arguments) {
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
