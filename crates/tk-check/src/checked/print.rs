//! The text form of a checked kernel, for tests and `--emit checked`.
//!
//! One line per op: results, the op, its operands and the types of its results. It is written to be read and compared,
//! not to be parsed back; the tt dialect is the exchange format.

use super::{Block, Element, Hint, Kernel, Literal, Op, OpKind, Type, Value};
use std::fmt::{Display, Formatter, Result, Write};

impl Display for Element {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Element::Scalar(scalar) => write!(f, "{scalar}"),
            Element::Pointer { pointee, constant } => write!(f, "*{}{pointee}", if *constant { "k" } else { "" }),
            Element::Descriptor { element, block } => write!(f, "desc<{element}{block:?}>"),
        }
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", self.element)?;
        if self.shape.is_empty() { Ok(()) } else { write!(f, "{:?}", self.shape) }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "%{}", self.0)
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Literal::Int(value) => write!(f, "{value}"),
            Literal::Float(value) => write!(f, "{value:?}"),
        }
    }
}

impl Display for Kernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "kernel {}(", self.name)?;
        for (i, param) in self.params.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{}: {} {}", param.value, param.name, self.ty(param.value))?;
            if param.facts.multiple_of > 1 {
                write!(f, ":{}", param.facts.multiple_of)?;
            }
            if param.descriptor.pad_nan {
                f.write_str(" pad nan")?;
            }
            if param.descriptor.ragged {
                f.write_str(" ragged")?;
            }
        }
        f.write_str(") {\n")?;
        self.block(f, &self.body, 1)?;
        f.write_str("}\n")?;
        for function in &self.functions {
            write!(f, "function {}(", function.name)?;
            for (i, value) in function.body.args.iter().enumerate() {
                write!(f, "{}{value}: {}", if i == 0 { "" } else { ", " }, self.ty(*value))?;
            }
            f.write_str(") {\n")?;
            self.block(f, &function.body, 1)?;
            f.write_str("}\n")?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "# {note}"))
    }
}

impl Kernel {
    fn block(&self, f: &mut Formatter<'_>, block: &Block, depth: usize) -> Result {
        for op in &block.ops {
            self.op(f, op, depth)?;
        }
        if !block.yields.is_empty() {
            indent(f, depth)?;
            f.write_str("yield")?;
            values(f, &block.yields)?;
            f.write_char('\n')?;
        }
        Ok(())
    }

    fn op(&self, f: &mut Formatter<'_>, op: &Op, depth: usize) -> Result {
        indent(f, depth)?;
        if !op.results.is_empty() {
            for (i, result) in op.results.iter().enumerate() {
                write!(f, "{}{result}", if i == 0 { "" } else { ", " })?;
            }
            f.write_str(" = ")?;
        }
        kind(f, &op.kind)?;
        values(f, &op.operands)?;
        for (i, result) in op.results.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { " : " } else { ", " }, self.ty(*result))?;
        }
        for (hint, numbers) in &op.hints {
            write!(f, " #{}{numbers:?}", hint_name(*hint))?;
        }
        for (i, block) in op.blocks.iter().enumerate() {
            f.write_str(if i == 0 { " {" } else { "} {" })?;
            for (i, arg) in block.args.iter().enumerate() {
                write!(f, "{}{arg}: {}", if i == 0 { " |" } else { ", " }, self.ty(*arg))?;
            }
            f.write_str(if block.args.is_empty() { "\n" } else { "|\n" })?;
            self.block(f, block, depth + 1)?;
            indent(f, depth)?;
        }
        f.write_str(if op.blocks.is_empty() { "\n" } else { "}\n" })
    }
}

fn hint_name(hint: Hint) -> &'static str {
    match hint {
        Hint::Divisibility => "divisibility",
        Hint::Contiguity => "contiguity",
        Hint::Constancy => "constancy",
        Hint::Inside => "inside",
    }
}

fn indent(f: &mut Formatter<'_>, depth: usize) -> Result {
    for _ in 0..depth {
        f.write_str("  ")?;
    }
    Ok(())
}

fn values(f: &mut Formatter<'_>, values: &[Value]) -> Result {
    for (i, value) in values.iter().enumerate() {
        write!(f, "{}{value}", if i == 0 { " " } else { ", " })?;
    }
    Ok(())
}

/// The op and its attributes, without the defaults that every load and store would repeat.
fn kind(f: &mut Formatter<'_>, kind: &OpKind) -> Result {
    match kind {
        OpKind::Constant(literal) => write!(f, "Constant({literal})"),
        OpKind::Binary(op) => write!(f, "{op:?}"),
        OpKind::Compare(op) => write!(f, "Cmp{op:?}"),
        OpKind::Unary(op) => write!(f, "{op:?}"),
        OpKind::Cast(op) => write!(f, "Cast.{op:?}"),
        OpKind::Load { mask, other, cache, eviction, volatile } => {
            write!(f, "Load")?;
            flags(f, &[("mask", *mask), ("other", *other), ("volatile", *volatile)])?;
            non_default(f, cache)?;
            non_default(f, eviction)
        }
        OpKind::Store { mask, cache, eviction } => {
            write!(f, "Store")?;
            flags(f, &[("mask", *mask)])?;
            non_default(f, cache)?;
            non_default(f, eviction)
        }
        OpKind::For(hints) if *hints == super::LoopHints::default() => write!(f, "For"),
        OpKind::While(hints) if *hints == super::LoopHints::default() => write!(f, "While"),
        OpKind::Hint { hint, numbers } => write!(f, "Hint.{}{numbers:?}", hint_name(*hint)),
        other => write!(f, "{other:?}"),
    }
}

fn flags(f: &mut Formatter<'_>, flags: &[(&str, bool)]) -> Result {
    flags.iter().filter(|(_, set)| *set).try_for_each(|(name, _)| write!(f, ".{name}"))
}

fn non_default<T: Default + PartialEq + std::fmt::Debug>(f: &mut Formatter<'_>, value: &T) -> Result {
    if *value == T::default() { Ok(()) } else { write!(f, ".{value:?}") }
}
