//! Instructions with effects, built where they stand: inline PTX, memory accesses, barriers, calls.

use super::flow::refused;
use super::reg::{Reg, Ty};
use super::{Code, bug};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::types::{BasicMetadataTypeEnum, BasicType};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, CallSiteValue, ValueKind};
use tk_diag::Result;

/// Inline PTX. Operands are numbered through the outputs and then the inputs: `$0`, `$1`, …
#[derive(Default)]
pub(crate) struct Asm {
    template: String,
    constraints: String,
    pub(super) outputs: Vec<Ty>,
    pub(super) inputs: Vec<Reg>,
    reads_only: bool,
}

impl Asm {
    /// Inline PTX with this text.
    pub(crate) fn new(template: impl Into<String>) -> Self {
        Self { template: template.into(), ..Self::default() }
    }

    /// Operands as the text names them, as a vector: `{ $first, … }`.
    pub(crate) fn vector(first: usize, count: usize) -> String {
        let all: Vec<String> = (first..first + count).map(|operand| format!("${operand}")).collect();
        format!("{{ {} }}", all.join(", "))
    }

    /// The same, or the operand alone, where there is one.
    pub(crate) fn word_or_vector(first: usize, count: usize) -> String {
        if count == 1 { format!("${first}") } else { Self::vector(first, count) }
    }

    /// Adds an output; all outputs come before the first input.
    pub(crate) fn output(mut self, ty: Ty) -> Self {
        self.constrain("=", ty.constraint());
        self.outputs.push(ty);
        self
    }

    /// Adds `count` outputs.
    pub(crate) fn outputs(mut self, ty: Ty, count: usize) -> Self {
        for _ in 0..count {
            self = self.output(ty);
        }
        self
    }

    /// Adds `count` outputs that are written before the inputs have been read, so they share no register with one.
    pub(crate) fn early_outputs(mut self, ty: Ty, count: usize) -> Self {
        for _ in 0..count {
            self.constrain("=&", ty.constraint());
            self.outputs.push(ty);
        }
        self
    }

    /// Adds an input.
    pub(crate) fn input(mut self, reg: Reg) -> Self {
        self.constrain("", reg.ty().constraint());
        self.inputs.push(reg);
        self
    }

    /// Adds inputs.
    pub(crate) fn inputs(mut self, regs: &[Reg]) -> Self {
        for reg in regs {
            self = self.input(*reg);
        }
        self
    }

    /// Adds an input that starts in the register of output `output`.
    pub(crate) fn tied(mut self, output: usize, reg: Reg) -> Self {
        self.constrain("", &output.to_string());
        self.inputs.push(reg);
        self
    }

    /// It has no effect besides its outputs (such as a matrix product), so it may be moved, repeated or dropped.
    pub(crate) fn without_effects(mut self) -> Self {
        self.reads_only = true;
        self
    }

    fn constrain(&mut self, prefix: &str, letter: &str) {
        if !self.constraints.is_empty() {
            self.constraints.push(',');
        }
        self.constraints.push_str(prefix);
        self.constraints.push_str(letter);
    }
}

/// How an access to memory is made by LLVM's own instructions.
#[derive(Clone, Copy, Default)]
pub(crate) struct MemoryAccess {
    /// Bytes that the address is a multiple of.
    pub(crate) align: u32,
    /// It must happen as written.
    pub(crate) volatile: bool,
}

impl<'l> Code<'l> {
    /// Builds inline PTX here and gives its outputs.
    pub(crate) fn asm(&mut self, asm: Asm) -> Result<Vec<Reg>> {
        let mut args: Vec<BasicValueEnum<'l>> = Vec::with_capacity(asm.inputs.len());
        for input in &asm.inputs {
            args.push(self.value(*input)?);
        }
        let types: Vec<BasicMetadataTypeEnum> = args.iter().map(|arg| arg.get_type().into()).collect();
        let outputs: Vec<_> = asm.outputs.iter().map(|ty| self.llvm_type(*ty)).collect();
        let ty = match outputs.as_slice() {
            [] => self.context.void_type().fn_type(&types, false),
            [one] => one.fn_type(&types, false),
            many => self.context.struct_type(many, false).fn_type(&types, false),
        };
        let mut constraints = asm.constraints;
        if !asm.reads_only {
            constraints.push_str(if constraints.is_empty() { "~{memory}" } else { ",~{memory}" });
        }
        let pointer =
            self.context.create_inline_asm(ty, asm.template, constraints, !asm.reads_only, false, None, false);
        self.places.apply(&self.builder, self.place);
        let args: Vec<BasicMetadataValueEnum> = args.into_iter().map(Into::into).collect();
        let call = self.builder.build_indirect_call(ty, pointer, &args, "").map_err(refused)?;
        // All threads of a warp run it together (or its predicate says which do), so LLVM may not move it under a branch.
        let convergent = Attribute::get_named_enum_kind_id("convergent");
        call.add_attribute(AttributeLoc::Function, self.context.create_enum_attribute(convergent, 0));
        self.results_of(call, &asm.outputs, "inline PTX")
    }

    /// What a call gives, one register for each type; several are fields of a structure.
    pub(crate) fn results_of(&mut self, call: CallSiteValue<'l>, types: &[Ty], what: &str) -> Result<Vec<Reg>> {
        match (call.try_as_basic_value(), types) {
            (_, []) => Ok(Vec::new()),
            (ValueKind::Basic(value), [ty]) => Ok(vec![self.leaf(value, *ty, 0)]),
            (ValueKind::Basic(value), types) => {
                let all = value.into_struct_value();
                let mut regs = Vec::with_capacity(types.len());
                for (index, ty) in types.iter().enumerate() {
                    let value = self.builder.build_extract_value(all, index as u32, "").map_err(refused)?;
                    regs.push(self.leaf(value, *ty, 0));
                }
                Ok(regs)
            }
            _ => Err(bug(format!("{what} gave no result"))),
        }
    }

    /// Calls a function with effects, such as an intrinsic that reads memory or synchronises.
    pub(crate) fn effect(&mut self, name: &str, result: Option<Ty>, args: &[Reg]) -> Result<Option<Reg>> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.value(*arg)?);
        }
        let function = self.declare(name, result, &values);
        self.places.apply(&self.builder, self.place);
        let call = self.call(function, &values).map_err(refused)?;
        match (call.try_as_basic_value(), result) {
            (ValueKind::Basic(value), Some(ty)) => Ok(Some(self.leaf(value, ty, 0))),
            (_, None) => Ok(None),
            _ => Err(bug(format!("`{name}` gave no result"))),
        }
    }

    /// [`Code::effect`] with a result.
    pub(crate) fn effect_value(&mut self, name: &str, result: Ty, args: &[Reg]) -> Result<Reg> {
        self.effect(name, Some(result), args)?.ok_or_else(|| bug(format!("`{name}` gave no result")))
    }

    /// Waits until every thread of the CTA is here, and its accesses to shared memory are done.
    pub(crate) fn barrier(&mut self) -> Result<()> {
        let zero = self.i32(0);
        self.effect("llvm.nvvm.barrier.cta.sync.aligned.all", None, &[zero])?;
        Ok(())
    }

    /// Waits until every thread of the warp is here. Nothing moves over it, and where warps are together it is no instruction.
    pub(crate) fn warp_barrier(&mut self) -> Result<()> {
        let all = self.i32(-1);
        self.effect("llvm.nvvm.bar.warp.sync", None, &[all])?;
        Ok(())
    }

    /// Loads a value, or a vector of up to 16 bytes.
    pub(crate) fn load(&mut self, ty: Ty, pointer: Reg, access: MemoryAccess) -> Result<Reg> {
        let address = self.value(pointer)?.into_pointer_value();
        self.places.apply(&self.builder, self.place);
        let value = self.builder.build_load(self.llvm_type(ty), address, "").map_err(refused)?;
        if let Some(instruction) = value.as_instruction() {
            instruction.set_alignment(access.align.max(1)).map_err(|error| bug(format!("a load: {error}")))?;
            if access.volatile {
                instruction.set_volatile(true).map_err(|error| bug(format!("a load: {error}")))?;
            }
        }
        Ok(self.leaf(value, ty, 0))
    }

    /// Stores a value, or a vector of up to 16 bytes.
    pub(crate) fn store(&mut self, value: Reg, pointer: Reg, access: MemoryAccess) -> Result<()> {
        let value = self.value(value)?;
        let address = self.value(pointer)?.into_pointer_value();
        self.places.apply(&self.builder, self.place);
        let instruction = self.builder.build_store(address, value).map_err(refused)?;
        instruction.set_alignment(access.align.max(1)).map_err(|error| bug(format!("a store: {error}")))?;
        if access.volatile {
            instruction.set_volatile(true).map_err(|error| bug(format!("a store: {error}")))?;
        }
        Ok(())
    }
}

/// The instruction that made a value, if one did.
trait AsInstruction<'l> {
    fn as_instruction(&self) -> Option<inkwell::values::InstructionValue<'l>>;
}

impl<'l> AsInstruction<'l> for BasicValueEnum<'l> {
    fn as_instruction(&self) -> Option<inkwell::values::InstructionValue<'l>> {
        inkwell::values::BasicValue::as_instruction_value(self)
    }
}
