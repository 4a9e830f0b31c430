//! Where variables lie: module globals, shared memory, local memory and parameters.

use super::Decoder;
use crate::program::GlobalVariable;
use rustc_hash::FxHashMap;
use tk_diag::{BAD_PTX, Result, TOO_LARGE};
use tk_ptx::{Function, Initial, Space, Statement, Variable};

use super::call::function_address;
use super::operand::immediate_bits;

/// Where shared memory starts: the first kilobyte belongs to the system, as on the hardware.
pub(super) const SHARED_START: u32 = 1024;
/// Where the system's kilobyte has room for CUDA's cooperative groups, which use 288 bytes; the driver decides it.
pub(super) const LIBRARY_SHARED: u32 = SHARED_START - 512;
/// Largest variable that the simulator allocates for a module.
const MAX_VARIABLE: u64 = 1 << 30;
/// Most bytes of its variables in global and constant memory.
const MAX_VARIABLES: u64 = 1 << 30;

/// The place of a variable: an index of [`GlobalVariable`]s, or an offset in its space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariablePlace {
    Global(usize),
    Shared(u32),
    Local(u32),
    Param(u32),
}

impl<'m> Decoder<'m> {
    /// Lays out the variables of the module and all shared variables of the functions that run.
    pub(super) fn module_variables(&mut self, order: &[&'m Function]) -> Result<()> {
        let mut names = FxHashMap::default();
        let in_bodies = || {
            let statements = order.iter().flat_map(|f| f.body.iter().flatten());
            statements.filter_map(|statement| match statement {
                Statement::Variable(variable) => Some(&**variable),
                _ => None,
            })
        };
        let all = self.module.variables.iter().chain(in_bodies());
        let stored = all.filter(|v| matches!(v.space, Space::Global | Space::Const));
        for (index, variable) in stored.clone().enumerate() {
            names.insert(variable.name.as_str(), index);
            self.variables.insert(&variable.name, VariablePlace::Global(index));
        }
        let mut left = MAX_VARIABLES;
        for variable in stored {
            self.span = variable.place.0;
            let Some(rest) = left.checked_sub(variable.bytes()) else {
                return Err(self.fail(TOO_LARGE, "the variables of this module have more than 1 GiB together"));
            };
            left = rest;
            let global = self.global(variable, &names)?;
            self.program.globals.push(global);
        }
        let shared = self.module.variables.iter().chain(in_bodies()).filter(|v| v.space == Space::Shared);
        let (sized, dynamic): (Vec<&Variable>, Vec<&Variable>) =
            shared.partition(|v| v.dims.iter().all(Option::is_some) && v.bytes() > 0);
        let mut end = SHARED_START;
        for variable in sized {
            self.span = variable.place.0;
            let bytes = self.checked_bytes(variable)?;
            let at = end.next_multiple_of(variable.alignment());
            self.variables.insert(&variable.name, VariablePlace::Shared(at));
            end = at.saturating_add(bytes);
        }
        self.program.static_shared = end - SHARED_START;
        let align = dynamic.iter().map(|v| v.alignment()).max().unwrap_or(16).max(16);
        self.program.dynamic_shared = end.next_multiple_of(align);
        for variable in dynamic {
            self.variables.insert(&variable.name, VariablePlace::Shared(self.program.dynamic_shared));
        }
        Ok(())
    }

    fn checked_bytes(&self, variable: &Variable) -> Result<u32> {
        let bytes = variable.bytes();
        if bytes > MAX_VARIABLE {
            return Err(self.fail(TOO_LARGE, format!("`{}` has {bytes} bytes, more than 1 GiB", variable.name)));
        }
        Ok(bytes as u32)
    }

    fn global(&mut self, variable: &Variable, names: &FxHashMap<&str, usize>) -> Result<GlobalVariable> {
        self.span = variable.place.0;
        let size = variable.ty.bytes() as usize;
        let unsized_array = variable.dims.iter().any(Option::is_none);
        let bytes = if unsized_array { (variable.init.len() * size) as u32 } else { self.checked_bytes(variable)? };
        let mut data = vec![0u8; bytes as usize];
        let mut links = Vec::new();
        for (i, initial) in variable.init.iter().enumerate() {
            let at = i * size;
            let Some(place) = data.get_mut(at..at + size) else {
                return Err(self.fail(BAD_PTX, format!("`{}` has more initial values than room", variable.name)));
            };
            match initial {
                Initial::Value(value) => {
                    place.copy_from_slice(&immediate_bits(*value, variable.ty).to_le_bytes()[..size]);
                }
                Initial::Address(name, offset) => match names.get(name.as_str()) {
                    Some(target) if size == 8 => links.push((at, *target, *offset)),
                    None if size == 8 && *offset == 0 && self.module.function(name).is_some() => {
                        place.copy_from_slice(&function_address(self.module, name).to_le_bytes());
                    }
                    _ => return Err(self.fail(BAD_PTX, format!("the address of `{name}` cannot be stored here"))),
                },
            }
        }
        Ok(GlobalVariable { name: variable.name.clone(), bytes: data, links })
    }

    /// Parameters of a kernel lie in the parameter buffer; those of a function in local memory of the thread.
    pub(super) fn function_parameters(&mut self, function: &'m Function) -> Result<()> {
        if function.is_entry {
            let places: Vec<u32> = function.parameters().iter().map(|p| p.offset).collect();
            for (variable, offset) in function.params.iter().zip(places) {
                self.declare(&variable.name, VariablePlace::Param(offset));
            }
            return Ok(());
        }
        for variable in function.params.iter().chain(&function.returns).filter(|v| v.space != Space::Reg) {
            self.local_variable(variable)?;
        }
        Ok(())
    }

    /// A `.local`, `.param` or `.shared` variable of a body.
    pub(super) fn body_variable(&mut self, variable: &'m Variable) -> Result<()> {
        self.span = variable.place.0;
        match variable.space {
            // They have been laid out with those of the module.
            Space::Shared | Space::Global | Space::Const => Ok(()),
            Space::Local | Space::Param => self.local_variable(variable),
            other => Err(self.fail(BAD_PTX, format!("a .{} variable cannot be declared in a body", other.name()))),
        }
    }

    fn local_variable(&mut self, variable: &'m Variable) -> Result<()> {
        let bytes = self.checked_bytes(variable)?;
        let at = self.program.local_bytes.next_multiple_of(variable.alignment().max(4));
        self.program.local_bytes = at.saturating_add(bytes);
        if self.program.local_bytes > 1 << 20 {
            return Err(self.fail(TOO_LARGE, "a thread needs more than 1 MiB of local memory"));
        }
        self.declare(&variable.name, VariablePlace::Local(at));
        Ok(())
    }

    fn declare(&mut self, name: &'m str, place: VariablePlace) {
        if let Some(scope) = self.frame.scopes.last_mut() {
            scope.insert(name, place);
        }
    }

    pub(crate) fn find_variable(&self, name: &str) -> Option<VariablePlace> {
        let local = self.frame.scopes.iter().rev().find_map(|scope| scope.get(name));
        local.or_else(|| self.variables.get(name)).copied()
    }
}
