//! Matrix products by `mma.sync`: the lanes of a warp bring fragments of the operands and get fragments of the result.
//!
//! Every instruction is 16 by 8 by 256 bits; elements are packed into words once, and accumulators stay words from the first
//! instruction to the last. Some targets have 8 by 8 by 4 only for f64, of which four make the same product.

use super::Tensors;
use super::form::{Form, in_form};
use super::plan::{MmaPlan, Sides};
use crate::code::{Asm, Code, Reg, Ty};
use crate::emit::Emitter;
use crate::float_format::Fp8;
use tk_diag::Result;
use tk_ir::ops::{DotOp, InputPrecision};
use tk_target::{MmaOperand, MmaShape, Target};
use tk_types::ScalarType;

/// The instruction for a pair of operand types and a result type.
struct Instruction {
    /// How operands are given to it.
    form: Form,
    /// Elements of an operand per word.
    per_word: usize,
    /// Type of the words of operands.
    word: Ty,
    /// Type of the words of accumulators.
    sum: Ty,
    /// The instruction up to its operands.
    name: String,
    /// It is 8 by 8 by 4 and has to be repeated.
    is_small: bool,
}

impl Instruction {
    fn of(dot: DotOp<'_>, result: Ty, target: &Target) -> Option<Self> {
        let (left, right) = (dot.a().ty().element(), dot.b().ty().element());
        let whole = |operand, name| Self::new(Form::Whole, target.mma_shape(operand)?, [name, name], result);
        let (Some(a), Some(b)) = (left.float(), right.float()) else {
            let is_int8 = left.int_bits() == Some(8) && right.int_bits() == Some(8) && result == Ty::I32;
            return if is_int8 { whole(MmaOperand::I8, "s8") } else { None };
        };
        let accumulates = result == Ty::F32;
        match (a, b) {
            (ScalarType::F16, ScalarType::F16) if accumulates || result == Ty::F16 => whole(MmaOperand::F16, "f16"),
            (ScalarType::BF16, ScalarType::BF16) if accumulates => whole(MmaOperand::Bf16, "bf16"),
            (ScalarType::F64, ScalarType::F64) if result == Ty::F64 => {
                target.mma_shape(MmaOperand::F64).map(Self::double)
            }
            (ScalarType::F32, ScalarType::F32) if accumulates && dot.input_precision() == InputPrecision::Tf32 => {
                Self::new(Form::Tf32, target.mma_shape(MmaOperand::Tf32)?, ["tf32", "tf32"], result)
            }
            (a, b) => Self::of_fp8(Fp8::of(a)?, Fp8::of(b)?, result, target),
        }
    }

    /// 8-bit floats as they are where the GPU multiplies them, and as halves otherwise.
    fn of_fp8(a: &Fp8, b: &Fp8, result: Ty, target: &Target) -> Option<Self> {
        let accumulates = result == Ty::F32;
        match (a.ptx_name, b.ptx_name, target.mma_shape(MmaOperand::F8)) {
            (Some(a), Some(b), Some(shape)) if accumulates => Self::new(Form::Whole, shape, [a, b], result),
            (_, _, _) if accumulates || result == Ty::F16 => {
                Self::new(Form::Half, target.mma_shape(MmaOperand::F16)?, ["f16", "f16"], result)
            }
            (_, _, _) => None,
        }
    }

    /// One of 16 by 8 whose operands have the types with these names in PTX.
    fn new(form: Form, shape: MmaShape, [a, b]: [&str; 2], result: Ty) -> Option<Self> {
        let (sum, ty) = match result {
            Ty::F16 => (Ty::I32, "f16"),
            Ty::F32 => (Ty::F32, "f32"),
            Ty::Int(32) => (Ty::I32, "s32"),
            Ty::Int(_) | Ty::BF16 | Ty::F64 | Ty::Ptr(_) | Ty::Vector(..) => return None,
        };
        // Sums of integers that are too large stay the largest, as they do under Triton.
        let saturates = if result == Ty::Int(32) { ".satfinite" } else { "" };
        let name = format!("mma.sync.aligned.{shape}.row.col{saturates}.{ty}.{a}.{b}.{ty}");
        // A lane holds two words of a column of B.
        let per_word = shape.k as usize / 8;
        Some(Self { form, per_word, word: Ty::I32, sum, name, is_small: false })
    }

    fn double(shape: MmaShape) -> Self {
        let name = format!("mma.sync.aligned.{shape}.row.col.f64.f64.f64.f64");
        Self { form: Form::Whole, per_word: 1, word: Ty::F64, sum: Ty::F64, name, is_small: shape.m < 16 }
    }

    /// `sums + left * right`.
    fn issue(&self, code: &mut Code<'_>, left: [Reg; 4], right: [Reg; 2], sums: &[Reg]) -> Result<Vec<Reg>> {
        if !self.is_small {
            return self.issue_one(code, &left, &right, sums);
        }
        let mut sums = sums.to_vec();
        for (depth, right) in right.into_iter().enumerate() {
            for (half, sums) in sums.chunks_mut(2).enumerate() {
                let next = self.issue_one(code, &[left[2 * depth + half]], &[right], sums)?;
                sums.copy_from_slice(&next);
            }
        }
        Ok(sums)
    }

    fn issue_one(&self, code: &mut Code<'_>, left: &[Reg], right: &[Reg], sums: &[Reg]) -> Result<Vec<Reg>> {
        let mut text = self.name.clone();
        let mut operand = 0;
        for count in [sums.len(), left.len(), right.len(), sums.len()] {
            text.push_str(if operand == 0 { " " } else { ", " });
            text.push_str(&Asm::vector(operand, count));
            operand += count;
        }
        text.push(';');
        let asm = Asm::new(text).outputs(self.sum, sums.len()).inputs(left).inputs(right).inputs(sums);
        code.asm(asm.without_effects())
    }
}

/// The registers of the result.
pub(super) fn emit<'c>(emitter: &mut Emitter<'c, '_>, dot: DotOp<'c>) -> Result<Vec<Reg>> {
    let Tensors { left, right, result } = Tensors::of(emitter, dot)?;
    let ty = emitter.element_ty(dot.result().ty())?;
    let target = emitter.settings.target;
    let instruction = Instruction::of(dot, ty, &target)
        .ok_or_else(|| emitter.bug(dot.op, "`mma.sync` does not multiply these types in this precision"))?;
    let plan = MmaPlan::of(&Sides { left: &left.held, right: &right.held, result: &result.held }, instruction.per_word);
    let plan = plan.map_err(|why| emitter.bug(dot.op, why))?;
    let left = in_form(emitter, dot.a(), &left.values, instruction.form)?;
    let right = in_form(emitter, dot.b(), &right.values, instruction.form)?;
    let code = &mut emitter.code;
    let left = words(code, &instruction, &plan.left, &left);
    let right = words(code, &instruction, &plan.right, &right);
    let mut tiles: Vec<Vec<Reg>> = plan
        .tiles
        .iter()
        .map(|tile| sum_words(code, &tile.map(|register| result.values[register as usize]), instruction.sum))
        .collect();
    for step in &plan.steps {
        let (left, right) = (step.left.map(|word| left[word]), step.right.map(|word| right[word]));
        tiles[step.tile] = instruction.issue(code, left, right, &tiles[step.tile])?;
    }
    let tiles: Vec<Vec<Reg>> =
        tiles.iter().map(|tile| tile.iter().flat_map(|word| code.unpack(*word, ty)).collect()).collect();
    Ok(plan.results.iter().map(|position| tiles[position.tile][position.at]).collect())
}

/// The words of an operand.
fn words(code: &mut Code<'_>, instruction: &Instruction, registers: &[Vec<u32>], values: &[Reg]) -> Vec<Reg> {
    let mut word = |registers: &[u32]| {
        let Some(first) = registers.first() else { return code.zero(instruction.word) };
        let zero = code.zero(values[*first as usize].ty());
        let element = |at: usize| registers.get(at).map_or(zero, |register| values[*register as usize]);
        let elements: Vec<Reg> = (0..instruction.per_word).map(element).collect();
        code.pack(&elements, instruction.word)
    };
    registers.iter().map(|registers| word(registers)).collect()
}

/// The words of a tile of accumulators: pairs of halves share one.
fn sum_words(code: &mut Code<'_>, values: &[Reg; 4], word: Ty) -> Vec<Reg> {
    let per_word = (word.bits() / values[0].ty().bits()) as usize;
    values.chunks(per_word).map(|run| code.pack(run, word)).collect()
}
