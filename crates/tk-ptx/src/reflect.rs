//! Questions about a module: entries, parameters, register names and types, instruction counts.

use crate::ast::*;
use crate::{Space, Type};

/// One parameter of an entry, as a launch sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the PTX.
    pub name: String,
    /// Element type.
    pub ty: Type,
    /// Byte offset in the parameter buffer.
    pub offset: u32,
    /// Bytes.
    pub bytes: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// The space it points to, when PTX says so.
    pub pointer: Option<PointerHint>,
}

/// Threads per CTA that an entry asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// `.reqntid`: exactly so many threads (x·y·z).
    Exactly(u32),
    /// `.maxntid`: at most so many.
    AtMost(u32),
    /// Nothing said.
    Any,
}

impl Module {
    /// Kernels with bodies, in order.
    pub fn entries(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(|f| f.is_entry && f.body.is_some())
    }

    /// The kernel with this name.
    pub fn entry(&self, name: &str) -> Option<&Function> {
        self.entries().find(|f| f.name == name)
    }

    /// The function or kernel with this name that has a body.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|f| f.name == name && f.body.is_some())
    }

    /// The name of a source file in the `.file` table.
    pub fn file_name(&self, number: u32) -> Option<&str> {
        self.files.iter().find(|f| f.0 == number).map(|f| f.1.as_str())
    }

    /// PTX instructions of all functions.
    pub fn instruction_count(&self) -> usize {
        self.functions.iter().map(Function::instruction_count).sum()
    }
}

impl Variable {
    /// Elements: the product of the dimensions times the vector width; `[]` counts 0.
    pub fn elements(&self) -> u64 {
        let dims = self.dims.iter().map(|d| d.unwrap_or(0));
        dims.fold(u64::from(self.lanes), u64::saturating_mul)
    }

    /// Size in bytes.
    pub fn bytes(&self) -> u64 {
        self.elements().saturating_mul(u64::from(self.ty.bytes()))
    }

    /// Alignment in bytes: `.align`, or the natural one.
    pub fn alignment(&self) -> u32 {
        self.align.unwrap_or(self.ty.bytes() * self.lanes).max(1)
    }
}

impl Function {
    /// Instructions of the body, in order.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.body.iter().flatten().filter_map(|statement| match statement {
            Statement::Instruction(instruction) => Some(&**instruction),
            _ => None,
        })
    }

    /// How many instructions the body has.
    pub fn instruction_count(&self) -> usize {
        self.instructions().count()
    }

    /// How many instructions have exactly this opcode (`ld.global.v4.b32`).
    pub fn count_opcode(&self, opcode: &str) -> usize {
        self.instructions().filter(|i| i.opcode.as_str() == opcode).count()
    }

    /// How many instructions have an opcode that starts so (`mma.sync`).
    pub fn count_prefix(&self, prefix: &str) -> usize {
        self.instructions().filter(|i| i.opcode.as_str().starts_with(prefix)).count()
    }

    /// Numbers of a directive such as `reqntid`, when it is there.
    pub fn directive(&self, name: &str) -> Option<&[u64]> {
        self.directives.iter().find(|d| d.0 == name).map(|d| d.1.as_slice())
    }

    /// Threads per CTA the header asks for.
    pub fn threads(&self) -> Requirement {
        let product = |dims: &[u64]| dims.iter().fold(1u64, |a, b| a.saturating_mul(*b)).min(1 << 20) as u32;
        match (self.directive("reqntid"), self.directive("maxntid")) {
            (Some(dims), _) => Requirement::Exactly(product(dims)),
            (None, Some(dims)) => Requirement::AtMost(product(dims)),
            (None, None) => Requirement::Any,
        }
    }

    /// Parameters with their places in the parameter buffer.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut end = 0u32;
        let place = |param: &Variable| {
            let align = param.alignment();
            let offset = end.next_multiple_of(align);
            let array = !param.dims.is_empty();
            let bytes = if array { param.bytes().min(1 << 20) as u32 } else { param.ty.bytes() * param.lanes };
            end = offset.saturating_add(bytes);
            Parameter { name: param.name.clone(), ty: param.ty, offset, bytes, align, pointer: param.pointer }
        };
        self.params.iter().map(place).collect()
    }

    /// How many registers are declared, all scopes together.
    pub fn register_count(&self) -> u32 {
        self.registers.last().map_or(0, |group| group.first.saturating_add(group.registers()))
    }

    /// The declaration of a register.
    pub fn register_group(&self, register: Register) -> Option<&RegisterGroup> {
        let index = self.registers.partition_point(|group| group.first <= register.0).checked_sub(1)?;
        self.registers.get(index)
    }

    /// The type of a register; `b32` for one that is not of this function.
    pub fn register_type(&self, register: Register) -> Type {
        self.register_group(register).map_or(Type::B32, |group| group.ty)
    }

    /// The name of a register.
    pub fn register_name(&self, register: Register) -> String {
        match self.register_group(register) {
            Some(group) => {
                let RegisterGroup { name, count, lanes, first, .. } = group;
                let (number, lane) = ((register.0 - first) / lanes.max(&1), (register.0 - first) % lanes.max(&1));
                let number = if count.is_some() { number.to_string() } else { String::new() };
                let lane = if *lanes > 1 { [".x", ".y", ".z", ".w"][lane as usize % 4] } else { "" };
                format!("{name}{number}{lane}")
            }
            None => format!("%unknown{}", register.0),
        }
    }

    /// Bytes of statically declared shared memory in the body.
    pub fn static_shared_bytes(&self) -> u64 {
        let variables = self.body.iter().flatten().filter_map(|statement| match statement {
            Statement::Variable(variable) if variable.space == Space::Shared => Some(variable.bytes()),
            _ => None,
        });
        variables.sum()
    }
}

impl RegisterGroup {
    /// How many registers it declares.
    pub fn registers(&self) -> u32 {
        self.count.unwrap_or(1).saturating_mul(self.lanes)
    }
}
