//! Prints a module as text that parses to an equal module.

use crate::ast::*;
use crate::{Linkage, Space};
use std::fmt::{Display, Formatter, Result, Write};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, ".version {}.{}", self.version.0, self.version.1)?;
        writeln!(f, ".target {}", self.target.join(", "))?;
        writeln!(f, ".address_size {}\n", self.address_size)?;
        for variable in &self.variables {
            writeln!(f, "{variable};")?;
        }
        for function in &self.functions {
            writeln!(f, "{function}")?;
        }
        for (number, name) in &self.files {
            writeln!(f, "\t.file\t{number} \"{name}\"")?;
        }
        Ok(())
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}.{}", self.linkage.prefix(), self.space.name())?;
        if let Some(align) = self.align {
            write!(f, " .align {align}")?;
        }
        if self.lanes > 1 {
            write!(f, " .v{}", self.lanes)?;
        }
        write!(f, " .{}", self.ty.name())?;
        if let Some(pointer) = self.pointer {
            f.write_str(" .ptr")?;
            if pointer.space != Space::Generic {
                write!(f, " .{}", pointer.space.name())?;
            }
            if let Some(align) = pointer.align {
                write!(f, " .align {align}")?;
            }
        }
        write!(f, " {}", self.name)?;
        for dim in &self.dims {
            match dim {
                Some(size) => write!(f, "[{size}]")?,
                None => f.write_str("[]")?,
            }
        }
        if self.init.is_empty() {
            return Ok(());
        }
        f.write_str(" = ")?;
        let braces = !self.dims.is_empty() || self.lanes > 1;
        f.write_str(if braces { "{" } else { "" })?;
        list(f, &self.init)?;
        f.write_str(if braces { "}" } else { "" })
    }
}

impl Display for Initial {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Initial::Value(value) => value.fmt(f),
            Initial::Address(name, offset) => with_offset(f, name, *offset),
        }
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let linkage = if self.linkage == Linkage::Internal { "" } else { self.linkage.prefix() };
        f.write_str(linkage)?;
        f.write_str(if self.is_entry { ".entry " } else { ".func " })?;
        if !self.returns.is_empty() {
            f.write_char('(')?;
            list(f, &self.returns)?;
            f.write_str(") ")?;
        }
        write!(f, "{}(", self.name)?;
        list(f, &self.params)?;
        f.write_str(")\n")?;
        for (name, values) in &self.directives {
            write!(f, ".{name}")?;
            if name == "pragma" {
                f.write_str(" \"\";")?;
            }
            f.write_str(if values.is_empty() { "" } else { " " })?;
            list(f, values)?;
            f.write_char('\n')?;
        }
        let Some(body) = &self.body else { return f.write_str(";\n") };
        f.write_str("{\n")?;
        for statement in body {
            self.write_statement(f, statement)?;
        }
        f.write_str("}\n")
    }
}

impl Function {
    fn write_statement(&self, f: &mut Formatter<'_>, statement: &Statement) -> Result {
        match statement {
            Statement::Open => f.write_str("\t{\n"),
            Statement::Close => f.write_str("\t}\n"),
            Statement::Registers(index) => match self.registers.get(*index) {
                Some(RegisterGroup { name, ty, count, lanes, .. }) => {
                    let lanes = if *lanes > 1 { format!(".v{lanes} ") } else { String::new() };
                    let count = count.map_or(String::new(), |count| format!("<{count}>"));
                    writeln!(f, "\t.reg {lanes}.{} \t{name}{count};", ty.name())
                }
                None => Ok(()),
            },
            Statement::Variable(variable) => writeln!(f, "\t{variable};"),
            Statement::Label(name, _) => writeln!(f, "{name}:"),
            Statement::Location(location) => writeln!(f, "\t{location}"),
            Statement::Pragma(text) => writeln!(f, "\t.pragma \"{text}\";"),
            Statement::BranchTargets(targets) => writeln!(f, "\t.branchtargets {};", targets.join(", ")),
            Statement::Prototype(text) => writeln!(f, "\t{text}"),
            Statement::Instruction(instruction) => {
                f.write_char('\t')?;
                self.write_instruction(f, instruction)?;
                f.write_str(";\n")
            }
        }
    }

    /// Writes an instruction with the register names of this function, without its `;`.
    pub fn write_instruction(&self, f: &mut impl Write, instruction: &Instruction) -> Result {
        if let Some(guard) = instruction.guard {
            write!(f, "@{}{} ", if guard.negated { "!" } else { "" }, self.register_name(guard.register))?;
        }
        f.write_str(instruction.opcode.as_str())?;
        for (i, operand) in instruction.operands.iter().enumerate() {
            f.write_str(if i == 0 { " \t" } else { ", " })?;
            self.write_operand(f, operand)?;
        }
        Ok(())
    }

    fn write_operand(&self, f: &mut impl Write, operand: &Operand) -> Result {
        let half = |register: &Option<Register>| register.map_or("_".to_string(), |r| self.register_name(r));
        match operand {
            Operand::Register(register) => f.write_str(&self.register_name(*register)),
            Operand::Not(register) => write!(f, "!{}", self.register_name(*register)),
            Operand::Pair(first, second) => write!(f, "{}|{}", half(first), half(second)),
            Operand::Special(name) => f.write_str(name),
            Operand::Immediate(value) => write!(f, "{value}"),
            Operand::Symbol(name, offset) => with_offset(f, name, *offset),
            Operand::Vector(items) => self.write_group(f, items, ["{", "}"]),
            Operand::List(items) => self.write_group(f, items, ["(", ")"]),
            Operand::Sink => f.write_str("_"),
            Operand::Address(address) => {
                f.write_char('[')?;
                match &address.base {
                    Base::Register(register) => with_offset(f, &self.register_name(*register), address.offset)?,
                    Base::Symbol(name) => with_offset(f, name, address.offset)?,
                    Base::Absolute => write!(f, "{}", address.offset)?,
                }
                for operand in &address.more {
                    f.write_str(", ")?;
                    self.write_operand(f, operand)?;
                }
                f.write_char(']')
            }
        }
    }

    fn write_group(&self, f: &mut impl Write, items: &[Operand], [open, close]: [&str; 2]) -> Result {
        f.write_str(open)?;
        for (i, item) in items.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            self.write_operand(f, item)?;
        }
        f.write_str(close)
    }
}

impl Display for Location {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, ".loc\t{} {} {}", self.file, self.line, self.column)?;
        let Some(inlined) = &self.inlined else { return Ok(()) };
        if !inlined.function.is_empty() {
            f.write_str(", function_name ")?;
            with_offset(f, &inlined.function, inlined.offset as i64)?;
        }
        let (file, line, column) = inlined.at;
        write!(f, ", inlined_at {file} {line} {column}")
    }
}

impl Display for Immediate {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Immediate::Int(value) => write!(f, "{value}"),
            Immediate::F32(bits) => write!(f, "0f{bits:08X}"),
            Immediate::F64(bits) => write!(f, "0d{bits:016X}"),
        }
    }
}

fn with_offset(f: &mut impl Write, name: &str, offset: i64) -> Result {
    f.write_str(name)?;
    if offset == 0 { Ok(()) } else { write!(f, "+{offset}") }
}

fn list<T: Display>(f: &mut Formatter<'_>, items: &[T]) -> Result {
    for (i, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
    }
    Ok(())
}
