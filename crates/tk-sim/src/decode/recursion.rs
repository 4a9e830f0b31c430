//! Functions that call themselves, directly or through others.
//!
//! Each function has one set of registers. Before a call that may come back to the function it is in, the lanes that call put away what
//! the function's registers and parameters hold, and afterwards they take it back.

use super::call::Actual;
use super::{Callee, Decoder, Patch};
use crate::program::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use tk_diag::{Result, UNSUPPORTED};
use tk_ptx::{Function, Module, Space, Statement};

/// Where a function keeps what it knows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extent {
    pub(crate) slots: Range<u32>,
    pub(crate) preds: Range<u32>,
    /// In local memory: parameters and results, then variables of the body.
    pub(crate) locals: [Range<u32>; 2],
}

/// Of the functions that a kernel needs, those that may come back to themselves.
pub(super) fn recursive<'m>(
    module: &'m Module,
    order: &[&'m Function],
    callees: impl Fn(&'m Function) -> Vec<&'m str>,
) -> FxHashSet<&'m str> {
    let calls: FxHashMap<&str, Vec<&str>> = order.iter().map(|f| (f.name.as_str(), callees(f))).collect();
    let comes_back = |function: &&&Function| {
        let (mut seen, mut open) = (FxHashSet::default(), vec![function.name.as_str()]);
        while let Some(name) = open.pop() {
            for callee in calls.get(name).into_iter().flatten() {
                if *callee == function.name {
                    return true;
                }
                if module.function(callee).is_some() && seen.insert(*callee) {
                    open.push(callee);
                }
            }
        }
        false
    };
    order.iter().filter(comes_back).map(|function| function.name.as_str()).collect()
}

impl<'m> Decoder<'m> {
    /// Whether a call from the function that is decoded may come back to it.
    pub(super) fn may_come_back(&self, callee: &str) -> bool {
        self.recursive.contains(self.frame.function.name.as_str()) && self.recursive.contains(callee)
    }

    /// The call of a function that may come back: lanes that do not take part go around it, since no guard outlives it.
    pub(super) fn call_back(&mut self, callee: &Callee, arguments: &[Actual], results: &[Actual]) -> Result<()> {
        self.refuse_local_variables()?;
        let guard = self.guard;
        let around = self.program.code.len();
        self.guard = Pred { negated: !guard.negated, ..guard };
        self.emit(Op::Branch { target: u32::MAX });
        self.guard = Pred::TRUE;
        let frame = self.frame.number;
        self.emit(Op::PutAway { frame });
        let held = arguments.iter().map(|argument| self.hold(argument)).collect::<Vec<Actual>>();
        for (from, to) in held.iter().zip(&callee.params) {
            self.give(from, to)?;
        }
        self.emit_call(callee);
        let mut taken = Vec::new();
        for from in &callee.returns {
            taken.push(self.take_over(from)?);
        }
        self.emit(Op::TakeBack { frame });
        for (to, from) in results.iter().zip(&taken) {
            self.hand_on(from, to)?;
        }
        self.guard = guard;
        let here = self.here();
        if let Some(Op::Branch { target }) = self.program.code.get_mut(around).map(|instruction| &mut instruction.op) {
            *target = here;
        }
        Ok(())
    }

    /// A call whose callee may not have been decoded yet.
    pub(super) fn emit_call(&mut self, callee: &Callee) {
        self.calls.push((Patch::Code(self.program.code.len()), callee.number));
        self.emit(Op::Call { target: callee.start, link: callee.link });
    }

    /// Variables of a thread lie in one place, so a pointer to one would mean another after the call.
    fn refuse_local_variables(&self) -> Result<()> {
        let is_local = |statement: &Statement| matches!(statement, Statement::Variable(variable) if variable.space == Space::Local);
        let function = self.frame.function;
        match function.body.iter().flatten().any(is_local) {
            false => Ok(()),
            true => {
                let message = format!("`{}` calls itself and has `.local` variables", function.name);
                Err(Box::new(self.fail(UNSUPPORTED, message).help("run the kernel on a GPU, or write a loop")))
            }
        }
    }

    /// Copies registers that are given, so that none is overwritten by another.
    fn hold(&mut self, argument: &Actual) -> Actual {
        match argument {
            Actual::Memory(at) => Actual::Memory(*at),
            Actual::Registers(slots) => {
                let held: Vec<Slot> = slots.iter().map(|_| self.new_slot()).collect();
                held.iter().zip(slots).for_each(|(to, from)| self.copy_slot(*to, *from));
                Actual::Registers(held)
            }
        }
    }
}
