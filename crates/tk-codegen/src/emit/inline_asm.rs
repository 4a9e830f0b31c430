//! `tt.elementwise_inline_asm`: the program's own PTX, once per group of elements.
//!
//! A group is `packed_element` registers of every operand. Elements below 32 bits share 32-bit registers; the constraints are the
//! program's and say of which kind each register is.

use super::words::{from_word, stored_type, to_stored};
use super::{Emitter, Registers};
use crate::code::{Asm, Code, Reg, Ty};
use tk_diag::Result;
use tk_ir::Op;
use tk_ir::ops::InlineAsmOp;

/// `tt.elementwise_inline_asm`.
pub(super) fn emit_inline_asm<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = InlineAsmOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no inline PTX"))?;
    let packed = view.packed_element().max(1) as usize;
    let operands = op.operands().into_iter().map(|value| emitter.registers(value)).collect::<Result<Vec<_>>>()?;
    let count = emitter.register_count(op.result(0).ty())?;
    let mut outputs = Vec::with_capacity(op.num_results());
    for result in op.results() {
        outputs.push(emitter.element_ty(result.ty())?);
    }
    let uniform = view.pure_asm() && operands.iter().all(|registers| registers.splat().is_some());
    let groups = if uniform { 1 } else { count.div_ceil(packed) };
    let mut results: Vec<Vec<Reg>> = vec![Vec::with_capacity(count); outputs.len()];
    for group in 0..groups {
        let registers = (group * packed..(group + 1) * packed).map(|at| at.min(count - 1));
        let mut inputs = Vec::new();
        for operand in &operands {
            let values: Vec<Reg> = registers.clone().map(|at| operand.get(at)).collect();
            inputs.extend(to_registers(&mut emitter.code, &values));
        }
        let values = call(&mut emitter.code, view, &inputs, &outputs, packed)?;
        results.iter_mut().zip(values).for_each(|(all, values)| all.extend(values));
    }
    for (result, mut values) in op.results().into_iter().zip(results) {
        values.truncate(count);
        let value = if uniform { Registers::Splat(values[0]) } else { values.into() };
        emitter.define(result, value);
    }
    Ok(())
}

/// Elements as whole registers: packed into 32 bits when they are narrower.
fn to_registers(code: &mut Code<'_>, values: &[Reg]) -> Vec<Reg> {
    let stored: Vec<Reg> = values.iter().map(|value| to_stored(code, *value)).collect();
    let bits = stored[0].ty().bits();
    if bits >= 32 {
        return stored;
    }
    let pack = |code: &mut Code<'_>, run: &[Reg]| {
        let word = code.pack(run, Ty::Int(bits * run.len() as u32));
        code.zext(word, Ty::I32)
    };
    stored.chunks((32 / bits) as usize).map(|run| pack(code, run)).collect()
}

/// Registers that `elements` values of a type take.
fn register_count(ty: Ty, elements: usize) -> usize {
    let bits = stored_type(ty).bits() as usize;
    if bits >= 32 { elements } else { (bits * elements).div_ceil(32) }
}

fn call(
    code: &mut Code<'_>,
    view: InlineAsmOp<'_>,
    inputs: &[Reg],
    outputs: &[Ty],
    packed: usize,
) -> Result<Vec<Vec<Reg>>> {
    // The program writes its constraints as LLVM does; outputs come first.
    let letters: Vec<&str> = view.constraints().split(',').map(str::trim).collect();
    let total: usize = outputs.iter().map(|ty| register_count(*ty, packed)).sum();
    let mut asm = Asm::new(view.asm());
    for letter in letters.iter().take(total) {
        asm = asm.output(type_of(letter));
    }
    for (input, letter) in inputs.iter().zip(&letters[total.min(letters.len())..]) {
        let ty = type_of(letter);
        asm = if let Ok(output) = letter.parse::<usize>() {
            let ty = letters.get(output).map_or(Ty::I32, |letter| type_of(letter));
            let input = fitted(code, *input, ty);
            asm.tied(output, input)
        } else {
            let input = fitted(code, *input, ty);
            asm.input(input)
        };
    }
    if view.pure_asm() {
        asm = asm.without_effects();
    }
    let mut words = code.asm(asm)?.into_iter();
    let mut results = Vec::with_capacity(outputs.len());
    for ty in outputs {
        let mut values = Vec::with_capacity(packed);
        for word in words.by_ref().take(register_count(*ty, packed)) {
            values.extend(elements_of(code, word, *ty, packed - values.len()));
        }
        results.push(values);
    }
    Ok(results)
}

/// The type of a register with this constraint.
fn type_of(constraint: &str) -> Ty {
    match constraint.trim_start_matches(['=', '&', '+']) {
        "f" => Ty::F32,
        "d" => Ty::F64,
        "l" => Ty::I64,
        "h" | "c" => Ty::Int(16),
        "b" => Ty::BOOL,
        _ => Ty::I32,
    }
}

/// A register as the constraint wants it: the same bits, cut or extended with zeros.
fn fitted(code: &mut Code<'_>, value: Reg, ty: Ty) -> Reg {
    let bits = code.bitcast(value, Ty::Int(value.ty().bits()));
    let sized = if bits.ty().bits() > ty.bits() {
        code.trunc(bits, Ty::Int(ty.bits()))
    } else {
        code.zext(bits, Ty::Int(ty.bits()))
    };
    code.bitcast(sized, ty)
}

fn elements_of(code: &mut Code<'_>, word: Reg, ty: Ty, most: usize) -> Vec<Reg> {
    let stored = stored_type(ty).bits();
    let bits = code.bitcast(word, Ty::Int(word.ty().bits()));
    let in_word = (bits.ty().bits() / stored).max(1) as usize;
    let count = in_word.min(most);
    let exact = fitted(code, bits, Ty::Int(stored * count.next_power_of_two() as u32));
    from_word(code, exact, ty).into_iter().take(count).collect()
}
