//! The emitter: walks a `tt.func` of the ttg dialect once and writes what one thread does.
//!
//! A tensor becomes the registers that one thread holds of it ([`Registers`]), in the register order of its linear layout. Each
//! file beside this one emits one family of operations through the same interface:
//! `fn emit_family<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()>`, which looks up operands with
//! [`Emitter::registers`], computes with [`Emitter::code`], and ends with [`Emitter::define`].

mod async_copy;
mod atomic;
mod blocks;
mod bytes_of_words;
mod call;
mod carried;
mod casts;
mod control;
mod convert_layout;
mod debug;
mod dispatch;
mod division;
mod dot;
mod family;
mod float;
mod four_bit_floats;
mod fp8;
mod gather;
mod halves_of_bytes;
mod hand_over;
mod hardware_math;
mod histogram;
mod inline_asm;
mod integer;
mod joined;
mod kept;
mod least;
mod leave;
mod load_chain;
mod loads_before;
mod local;
mod math_functions;
mod mbarrier;
mod memdesc;
mod memory;
mod neighbours;
mod normal_divisors;
mod pair;
mod paired_casts;
mod program;
mod reduce;
mod registers;
mod result_chain;
mod scan;
mod shape;
mod shared;
mod slow_paths;
mod tensor_map;
mod tensor_type;
mod thread;
mod tma;
mod tma_branch;
mod warp_reduction;
mod wgmma;
mod words;

pub use family::has_code;
pub(crate) use memory::has_many_numbers;
pub(crate) use registers::{Registers, zip};
pub(crate) use tensor_map::{GlobalScratch, ScratchPlan};
pub(crate) use tensor_type::{TensorType, element_ty, machine_types};
pub(crate) use tma::tensor_box;

use crate::code::{Code, Reg, Ty};
use load_chain::{Held, LoadChain};
use result_chain::ResultChain;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tk_diag::{Diagnostic, LineColumn, Result, SourceFile, Span};
use tk_image::ResourceUse;
use tk_ir::{Block, Op, Type, Value};
use tk_target::Target;
use tk_types::{CompileOptions, DotPolicy};

/// What is the same for the whole kernel.
pub(crate) struct Settings {
    /// The GPU.
    pub(crate) target: Target,
    /// The user's options.
    pub(crate) options: CompileOptions,
    /// Warps per CTA.
    pub(crate) num_warps: u32,
    /// Text for the places of faults.
    pub(crate) source: Option<SourceFile>,
    /// What `wgmma` dots do while others run.
    pub(crate) dots: DotPolicy,
    /// The CTA is one of a cluster of two.
    pub(crate) is_in_pair: bool,
    /// The first thread stores many numbers, one after the other.
    pub(crate) has_many_numbers: bool,
    /// Divisions of the number of the program are looked at before they are computed.
    pub(crate) looks_at_programs: bool,
    /// The kernel has products by `wgmma`.
    pub(crate) multiplies_by_groups: bool,
}

/// The state of the walk.
pub(crate) struct Emitter<'c, 'l> {
    /// The function being written.
    pub(crate) code: Code<'l>,
    /// What is the same everywhere.
    pub(crate) settings: Settings,
    held: FxHashMap<Value<'c>, Registers>,
    types: FxHashMap<Type<'c>, Rc<TensorType>>,
    threads: Option<thread::Threads>,
    /// Blocks looked at for arithmetic with a branch, by identity.
    slow_paths: FxHashMap<usize, bool>,
    /// Scopes of the fences that acquire on the way to the next iteration, by the identity of the body of the loop.
    acquired_behind: FxHashMap<usize, Vec<&'static str>>,
    /// Buffers in shared memory, and dots that tensor cores do not compute.
    pub(crate) resources: ResourceUse,
    /// Scratch memory of the CTA in global memory, when the kernel has some.
    pub(crate) global_scratch: Option<GlobalScratch>,
}

impl<'c, 'l> Emitter<'c, 'l> {
    pub(crate) fn new(code: Code<'l>, settings: Settings) -> Self {
        Self {
            code,
            settings,
            held: FxHashMap::default(),
            types: FxHashMap::default(),
            threads: None,
            slow_paths: FxHashMap::default(),
            acquired_behind: FxHashMap::default(),
            resources: ResourceUse::default(),
            global_scratch: None,
        }
    }

    /// The registers of a value that was emitted before.
    pub(crate) fn registers(&self, value: Value<'c>) -> Result<Registers> {
        self.held.get(&value).cloned().ok_or_else(|| match value.defining_op() {
            Some(op) => self.bug(op, "its result is used before it is computed"),
            None => crate::code::bug("a block argument has no registers"),
        })
    }

    /// The register of a scalar value (or of a tensor all of whose elements are equal).
    pub(crate) fn scalar(&self, value: Value<'c>) -> Result<Reg> {
        Ok(self.registers(value)?.get(0))
    }

    /// Says what a value is.
    pub(crate) fn define(&mut self, value: Value<'c>, registers: Registers) {
        self.held.insert(value, registers);
    }

    /// Says what a scalar value is.
    pub(crate) fn define_scalar(&mut self, value: Value<'c>, reg: Reg) {
        self.define(value, Registers::Splat(reg));
    }

    /// The registers if the value was emitted already.
    pub(crate) fn known(&self, value: Value<'c>) -> Option<&Registers> {
        self.held.get(&value)
    }

    /// Emits every operation of a block but its terminator, which it returns.
    pub(crate) fn emit_block(&mut self, block: Block<'c>) -> Result<Option<Op<'c>>> {
        let mut chain = ResultChain::of(self, block)?;
        let most = self.settings.target.max_registers_per_thread() as usize;
        let loads = LoadChain::of(block, most, &mut |ty| {
            let tensor = self.tensor(ty)?;
            Ok(Held { elements: tensor.registers, bits: tensor.element.bits() as usize })
        })?;
        let mut next = block.first_op();
        while let Some(op) = next {
            next = op.next();
            if next.is_none() && op.is_terminator() {
                self.set_place(op);
                return Ok(Some(op));
            }
            self.emit(op)?;
            if let Some(chain) = &mut chain {
                chain.follow(self, op)?;
            }
            if loads.as_ref().is_some_and(|loads| loads.has(op)) {
                let registers = self.registers(op.result(0))?;
                (0..registers.len()).try_for_each(|at| self.code.compute_here(registers.get(at)))?;
            }
        }
        Ok(None)
    }

    /// Emits one operation.
    pub(crate) fn emit(&mut self, op: Op<'c>) -> Result<()> {
        self.set_place(op);
        dispatch::emit(self, op)?;
        leave::leave_behind(self, op)
    }

    /// Emits a block of scalar operations (the combining region of a reduction or scan) on `arguments` and gives what it returns.
    pub(crate) fn inline(&mut self, block: Block<'c>, arguments: &[Reg]) -> Result<Vec<Reg>> {
        for (index, argument) in arguments.iter().enumerate() {
            self.define_scalar(block.argument(index), *argument);
        }
        let Some(last) = self.emit_block(block)? else { return Err(crate::code::bug("a region has no terminator")) };
        last.operands().into_iter().map(|value| self.scalar(value)).collect()
    }

    /// Computes a result element by element: `f` gets one register of each operand.
    pub(crate) fn map(&mut self, op: Op<'c>, f: impl FnMut(&mut Code<'l>, &[Reg]) -> Reg) -> Result<()> {
        self.map_values(op.result(0), &op.operands(), f)
    }

    /// The same, of values that need not be operands of the operation that `result` is of.
    pub(crate) fn map_values(
        &mut self,
        result: Value<'c>,
        operands: &[Value<'c>],
        mut f: impl FnMut(&mut Code<'l>, &[Reg]) -> Reg,
    ) -> Result<()> {
        let operands = operands.iter().map(|value| self.registers(*value)).collect::<Result<Vec<_>>>()?;
        let mut row = Vec::with_capacity(operands.len());
        let code = &mut self.code;
        let mut at = |index: usize| {
            row.clear();
            row.extend(operands.iter().map(|registers| registers.get(index)));
            f(code, &row)
        };
        let registers = if operands.iter().all(|registers| matches!(registers, Registers::Splat(_))) {
            Registers::Splat(at(0))
        } else {
            let count = operands.iter().map(Registers::len).max().unwrap_or(1);
            Registers::Each((0..count).map(at).collect())
        };
        self.define(result, registers);
        Ok(())
    }

    /// The address of the shared memory that the allocation pass gave to `op`.
    pub(crate) fn scratch(&mut self, op: Op<'c>) -> Result<Reg> {
        let offset = op
            .int_attr(tk_ir::attributes::ALLOCATION_OFFSET)
            .ok_or_else(|| self.bug(op, "it has no `allocation.offset`"))?;
        Ok(self.code.shared_address(offset))
    }

    /// Remembers what shared memory is used for, for the resource report.
    pub(crate) fn note_shared(&mut self, op: Op<'c>, purpose: &str, bytes: u32) {
        let offset = op.int_attr(tk_ir::attributes::ALLOCATION_OFFSET).unwrap_or(0) as u32;
        let purpose = format!("{purpose}{}", self.place(op));
        self.resources.shared_buffers.push((purpose, offset, bytes));
    }

    /// Remembers a dot that tensor cores do not compute, and why, for the resource report.
    pub(crate) fn note_scalar_dot(&mut self, op: Op<'c>, why: &str) {
        let dot = format!("{why}{}", self.place(op));
        self.resources.scalar_dots.push(dot);
    }

    /// ` (line 12)`, with the file where it is not the kernel's; nothing where it is not known.
    fn place(&self, op: Op<'c>) -> String {
        let main = self.settings.source.as_ref().map(SourceFile::name);
        let place = op.loc().file_line_col().map(|(file, line, _)| match main {
            Some(main) if main != file && !main.ends_with(file) => format!(" ({file}:{line})"),
            _ => format!(" (line {line})"),
        });
        place.unwrap_or_default()
    }

    /// The machine type of a scalar or of a tensor's elements.
    pub(crate) fn element_ty(&self, ty: Type<'c>) -> Result<Ty> {
        tensor_type::element_ty(ty).ok_or_else(|| crate::code::bug(format!("the type {ty} has no registers")))
    }

    fn set_place(&mut self, op: Op<'c>) {
        self.code.set_place(op.loc().file_line_col());
    }

    /// A fault of tk's own at an operation.
    pub(crate) fn bug(&self, op: Op<'c>, message: impl std::fmt::Display) -> Box<Diagnostic> {
        let diagnostic = Diagnostic::bug(format!("code generation of `{}`: {message}", op.name()));
        let Some((file, line, column)) = op.loc().file_line_col() else { return diagnostic.boxed() };
        let source = self.settings.source.as_ref();
        match source.and_then(|source| Some((source, source.part_with_line(file, line)?))) {
            Some((source, part)) => {
                let start = part.offset(LineColumn { line, column: column.max(1) }) as usize;
                diagnostic.at(source, Span::new(start, start + 1), "").boxed()
            }
            None => diagnostic.note(format!("it comes from {file}:{line}:{column}")).boxed(),
        }
    }
}
