//! From nodes to LLVM instructions: a node is built when it is needed, after its arguments, in the scope it belongs to.

use super::node::{FloatTest, IntTest, Key, Opcode};
use super::reg::{NO_NODE, Reg, Ty};
use super::{Code, bug, llvm_type};
use inkwell::builder::BuilderError;
use inkwell::types::{BasicMetadataTypeEnum, BasicType, BasicTypeEnum};
use inkwell::values::{
    BasicMetadataValueEnum, BasicValue, BasicValueEnum, CallSiteValue, FastMathFlags, FunctionValue, InstructionOpcode,
    PointerValue, ValueKind,
};
use inkwell::{FloatPredicate, IntPredicate};
use tk_diag::Result;

impl<'l> Code<'l> {
    /// The LLVM value of a register.
    pub(super) fn value(&mut self, reg: Reg) -> Result<BasicValueEnum<'l>> {
        let node = self.materialise(reg);
        self.realize(node)
    }

    /// Computes a register where the code stands now, if nothing needed it before.
    pub(crate) fn compute_here(&mut self, reg: Reg) -> Result<()> {
        self.value(reg).map(|_| ())
    }

    /// The LLVM value of a node; arguments first, without recursion.
    pub(super) fn realize(&mut self, node: u32) -> Result<BasicValueEnum<'l>> {
        if let Some(value) = self.nodes[node as usize].value {
            return Ok(value);
        }
        let mut pending = vec![node];
        while let Some(&next) = pending.last() {
            if self.nodes[next as usize].value.is_some() {
                pending.pop();
                continue;
            }
            let key = self.nodes[next as usize].key;
            let before = pending.len();
            let missing = |arg: &u32| *arg != NO_NODE && self.nodes[*arg as usize].value.is_none();
            match key.opcode {
                Opcode::Const => {}
                Opcode::Late(number) => pending.extend(self.inputs_of_late(number).filter(missing)),
                _ => pending.extend(key.args.iter().copied().rev().filter(missing)),
            }
            if pending.len() == before {
                pending.pop();
                if let Opcode::Late(number) = key.opcode {
                    self.build_late(number)?;
                    continue;
                }
                let value = self.build(next, key)?;
                self.nodes[next as usize].value = Some(value);
            }
        }
        self.nodes[node as usize].value.ok_or_else(|| bug("a computation has no value"))
    }

    fn build(&mut self, node: u32, key: Key) -> Result<BasicValueEnum<'l>> {
        if key.opcode == Opcode::Const {
            return self.constant(key);
        }
        let place = self.nodes[node as usize].place;
        self.in_scope_of(node, |code| {
            code.places.apply(&code.builder, place);
            code.instruction(key).map_err(|error| bug(format!("{:?} cannot be built: {error}", key.opcode)))
        })
    }

    /// Builds something at the end of the scope that a node belongs to.
    pub(super) fn in_scope_of<T>(&mut self, node: u32, build: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let scope = self.nodes[node as usize].scope as usize;
        let moved = scope + 1 != self.scopes.len();
        if moved {
            let terminator =
                self.scopes[scope].terminator.ok_or_else(|| bug("an outer scope is still open at its end"))?;
            self.builder.position_before(&terminator);
        }
        let value = build(self);
        if moved {
            self.builder.position_at_end(self.scopes[self.scopes.len() - 1].block);
        }
        value
    }

    /// The constant of a key of opcode `Const`.
    fn constant(&self, key: Key) -> Result<BasicValueEnum<'l>> {
        let bits = u64::from(key.args[0]) | u64::from(key.args[1]) << 32;
        let int = llvm_type(self.context, Ty::Int(key.ty.bits())).into_int_type().const_int(bits, false);
        match self.llvm_type(key.ty) {
            BasicTypeEnum::IntType(_) => Ok(int.into()),
            BasicTypeEnum::PointerType(ty) => Ok(int.const_to_pointer(ty).into()),
            // LLVM folds the cast of a constant to a constant.
            ty => self.builder.build_bit_cast(int, ty, "").map_err(|error| bug(format!("a constant: {error}"))),
        }
    }

    fn argument(&self, key: Key, index: usize) -> BasicValueEnum<'l> {
        let node = &self.nodes[key.args[index] as usize];
        node.value.unwrap_or_else(|| self.llvm_type(node.key.ty).const_zero())
    }

    fn instruction(&self, key: Key) -> Result<BasicValueEnum<'l>, BuilderError> {
        use InstructionOpcode as I;
        match key.opcode {
            Opcode::Add => self.binary(I::Add, key),
            Opcode::Sub => self.binary(I::Sub, key),
            Opcode::Mul => self.binary(I::Mul, key),
            Opcode::SDiv => self.binary(I::SDiv, key),
            Opcode::UDiv => self.binary(I::UDiv, key),
            Opcode::SRem => self.binary(I::SRem, key),
            Opcode::URem => self.binary(I::URem, key),
            Opcode::Shl => self.binary(I::Shl, key),
            Opcode::LShr => self.binary(I::LShr, key),
            Opcode::AShr => self.binary(I::AShr, key),
            Opcode::And => self.binary(I::And, key),
            Opcode::Or => self.binary(I::Or, key),
            Opcode::Xor => self.binary(I::Xor, key),
            Opcode::FAdd => self.binary(I::FAdd, key).map(|value| self.contractable(value)),
            Opcode::FSub => self.binary(I::FSub, key).map(|value| self.contractable(value)),
            Opcode::FMul => self.binary(I::FMul, key).map(|value| self.contractable(value)),
            Opcode::FDiv => self.binary(I::FDiv, key),
            Opcode::FRem => self.binary(I::FRem, key),
            Opcode::Trunc => self.cast(I::Trunc, key),
            Opcode::ZExt => self.cast(I::ZExt, key),
            Opcode::SExt => self.cast(I::SExt, key),
            Opcode::FpToSi => self.cast(I::FPToSI, key),
            Opcode::FpToUi => self.cast(I::FPToUI, key),
            Opcode::SiToFp => self.cast(I::SIToFP, key),
            Opcode::UiToFp => self.cast(I::UIToFP, key),
            Opcode::FpTrunc => self.cast(I::FPTrunc, key),
            Opcode::FpExt => self.cast(I::FPExt, key),
            Opcode::Bitcast => self.cast(I::BitCast, key),
            Opcode::PtrToInt => self.cast(I::PtrToInt, key),
            Opcode::IntToPtr => self.cast(I::IntToPtr, key),
            Opcode::FNeg => self.negate(key),
            Opcode::ICmp(test) => self.compare(test, key),
            Opcode::FCmp(test) => {
                let (a, b) = (self.argument(key, 0).into_float_value(), self.argument(key, 1).into_float_value());
                Ok(self.builder.build_float_compare(float_predicate(test), a, b, "")?.into())
            }
            Opcode::Select => {
                let condition = self.argument(key, 0).into_int_value();
                self.builder.build_select(condition, self.argument(key, 1), self.argument(key, 2), "")
            }
            Opcode::PtrAdd => {
                let (pointer, bytes) =
                    (self.argument(key, 0).into_pointer_value(), self.argument(key, 1).into_int_value());
                Ok(self.byte_offset(pointer, bytes)?.into())
            }
            Opcode::Pack => self.insert_lanes(key),
            Opcode::Extract(index) => {
                let index = self.context.i32_type().const_int(index.into(), false);
                self.builder.build_extract_element(self.argument(key, 0).into_vector_value(), index, "")
            }
            Opcode::Call(number) => self.call_intrinsic(number, key),
            Opcode::Asm(number) => self.call_asm(number, key),
            // They have values from the start, or get them together.
            Opcode::Leaf | Opcode::Const | Opcode::Late(_) | Opcode::StandsFor(_) => Err(BuilderError::UnsetPosition),
        }
    }

    fn negate(&self, key: Key) -> Result<BasicValueEnum<'l>, BuilderError> {
        match self.argument(key, 0) {
            BasicValueEnum::VectorValue(a) => Ok(self.builder.build_float_neg(a, "")?.into()),
            a => Ok(self.builder.build_float_neg(a.into_float_value(), "")?.into()),
        }
    }

    fn compare(&self, test: IntTest, key: Key) -> Result<BasicValueEnum<'l>, BuilderError> {
        match (self.argument(key, 0), self.argument(key, 1)) {
            (BasicValueEnum::PointerValue(a), b) => {
                Ok(self.builder.build_int_compare(predicate(test), a, b.into_pointer_value(), "")?.into())
            }
            (a, b) => {
                let (a, b) = (a.into_int_value(), b.into_int_value());
                Ok(self.builder.build_int_compare(predicate(test), a, b, "")?.into())
            }
        }
    }

    /// The intrinsic with this number among the interned names.
    fn call_intrinsic(&self, number: u32, key: Key) -> Result<BasicValueEnum<'l>, BuilderError> {
        let args: Vec<BasicValueEnum<'l>> = self.arguments(key);
        let function = self.declare(&self.names[number as usize], Some(key.ty), &args);
        result_of(self.call(function, &args)?)
    }

    /// Inline PTX without effects; the number is that of the interned text.
    fn call_asm(&self, number: u32, key: Key) -> Result<BasicValueEnum<'l>, BuilderError> {
        let args = self.arguments(key);
        let constraints = self.constraints.get(&number).cloned().unwrap_or_default();
        let types: Vec<BasicMetadataTypeEnum> = args.iter().map(|arg| arg.get_type().into()).collect();
        let ty = self.llvm_type(key.ty).fn_type(&types, false);
        let template = self.names[number as usize].clone();
        let asm = self.context.create_inline_asm(ty, template, constraints, false, false, None, false);
        let args: Vec<BasicMetadataValueEnum> = args.iter().map(|arg| (*arg).into()).collect();
        result_of(self.builder.build_indirect_call(ty, asm, &args, "")?)
    }

    fn arguments(&self, key: Key) -> Vec<BasicValueEnum<'l>> {
        (0..4).filter(|&index| key.args[index] != NO_NODE).map(|index| self.argument(key, index)).collect()
    }

    fn binary(&self, opcode: InstructionOpcode, key: Key) -> Result<BasicValueEnum<'l>, BuilderError> {
        self.builder.build_binop(opcode, self.argument(key, 0), self.argument(key, 1), "")
    }

    fn cast(&self, opcode: InstructionOpcode, key: Key) -> Result<BasicValueEnum<'l>, BuilderError> {
        self.builder.build_cast(opcode, self.argument(key, 0), self.llvm_type(key.ty), "")
    }

    fn contractable(&self, value: BasicValueEnum<'l>) -> BasicValueEnum<'l> {
        if self.contract
            && let Some(instruction) = value.as_instruction_value()
        {
            // Constants fold to no instruction and need no flag; every other result here takes flags.
            let _ = instruction.set_fast_math_flags(FastMathFlags::AllowContract);
        }
        value
    }

    fn insert_lanes(&self, key: Key) -> Result<BasicValueEnum<'l>, BuilderError> {
        let mut vector = self.llvm_type(key.ty).into_vector_type().get_poison();
        for (index, part) in self.arguments(key).into_iter().enumerate() {
            let index = self.context.i32_type().const_int(index as u64, false);
            vector = self.builder.build_insert_element(vector, part, index, "")?;
        }
        Ok(vector.into())
    }

    /// The function `name`, declared if it is new; intrinsics get their attributes from LLVM.
    pub(super) fn declare(&self, name: &str, result: Option<Ty>, args: &[BasicValueEnum<'l>]) -> FunctionValue<'l> {
        if let Some(function) = self.module.get_function(name) {
            return function;
        }
        let types: Vec<BasicMetadataTypeEnum> = args.iter().map(|arg| arg.get_type().into()).collect();
        let ty = match result {
            Some(ty) => self.llvm_type(ty).fn_type(&types, false),
            None => self.context.void_type().fn_type(&types, false),
        };
        self.module.add_function(name, ty, None)
    }

    pub(super) fn call(
        &self,
        function: FunctionValue<'l>,
        args: &[BasicValueEnum<'l>],
    ) -> Result<CallSiteValue<'l>, BuilderError> {
        let args: Vec<BasicMetadataValueEnum> = args.iter().map(|arg| (*arg).into()).collect();
        self.builder.build_direct_call(function, &args, "")
    }

    fn byte_offset(
        &self,
        pointer: PointerValue<'l>,
        bytes: inkwell::values::IntValue<'l>,
    ) -> Result<PointerValue<'l>, BuilderError> {
        super::ffi::byte_offset(&self.builder, self.context.i8_type(), pointer, bytes)
    }
}

fn result_of(call: CallSiteValue<'_>) -> Result<BasicValueEnum<'_>, BuilderError> {
    match call.try_as_basic_value() {
        ValueKind::Basic(value) => Ok(value),
        ValueKind::Instruction(_) => Err(BuilderError::UnsetPosition),
    }
}

fn predicate(test: IntTest) -> IntPredicate {
    match test {
        IntTest::Eq => IntPredicate::EQ,
        IntTest::Ne => IntPredicate::NE,
        IntTest::Slt => IntPredicate::SLT,
        IntTest::Sle => IntPredicate::SLE,
        IntTest::Sgt => IntPredicate::SGT,
        IntTest::Sge => IntPredicate::SGE,
        IntTest::Ult => IntPredicate::ULT,
        IntTest::Ule => IntPredicate::ULE,
        IntTest::Ugt => IntPredicate::UGT,
        IntTest::Uge => IntPredicate::UGE,
    }
}

fn float_predicate(test: FloatTest) -> FloatPredicate {
    match test {
        FloatTest::Oeq => FloatPredicate::OEQ,
        FloatTest::Ogt => FloatPredicate::OGT,
        FloatTest::Oge => FloatPredicate::OGE,
        FloatTest::Olt => FloatPredicate::OLT,
        FloatTest::Ole => FloatPredicate::OLE,
        FloatTest::One => FloatPredicate::ONE,
        FloatTest::Ord => FloatPredicate::ORD,
        FloatTest::Ueq => FloatPredicate::UEQ,
        FloatTest::Ugt => FloatPredicate::UGT,
        FloatTest::Uge => FloatPredicate::UGE,
        FloatTest::Ult => FloatPredicate::ULT,
        FloatTest::Ule => FloatPredicate::ULE,
        FloatTest::Une => FloatPredicate::UNE,
        FloatTest::Uno => FloatPredicate::UNO,
    }
}
