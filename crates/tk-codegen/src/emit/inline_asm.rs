//! `tt.elementwise_inline_asm`: the user's PTX, once per `packed_element` elements.
//!
//! Elements narrower than 32 bits are packed, as many as the pack allows, into one 32-bit register. The constraints are LLVM's:
//! outputs (`=r`), then inputs (`r`, or the number of the output whose register it shares), then clobbers, which add nothing here.

use super::{Emitter, Registers};
use crate::code::{Asm, Code, Reg, Ty};
use tk_diag::{Diagnostic, LineColumn, Result, Span};
use tk_ir::Op;
use tk_ir::ops::ElementwiseInlineAsmOp;

/// `tt.elementwise_inline_asm`.
pub(super) fn emit_inline_asm<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = ElementwiseInlineAsmOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no inline assembly"))?;
    let constraints = Constraints::parse(view.constraints()).map_err(|why| fault(emitter, op, why))?;
    let pack = view.packed_element().max(1) as usize;
    let operands = op.operands().into_iter().map(|value| emitter.registers(value)).collect::<Result<Vec<_>>>()?;
    let results: Vec<Ty> =
        op.results().into_iter().map(|value| emitter.element_ty(value.ty())).collect::<Result<_>>()?;
    let count = emitter.register_count(op.result(0).ty())?;
    let all_equal = view.pure() && pack == 1 && operands.iter().all(|operand| operand.splat().is_some());
    let count = if all_equal && !op.operands().is_empty() { 1 } else { count };

    let mut gathered: Vec<Vec<Reg>> = vec![Vec::with_capacity(count); results.len()];
    for start in (0..count).step_by(pack) {
        // A tensor with fewer registers than the pack repeats its last one.
        let at = |index: usize| (start + index).min(count - 1);
        let mut words = Vec::new();
        for operand in &operands {
            let values: Vec<Reg> = (0..pack).map(|index| operand.get(at(index))).collect();
            words.extend(pack_words(&mut emitter.code, &values));
        }
        let asm = Asm::new(view.asm_string());
        let asm = if view.pure() { asm.without_effects() } else { asm };
        let outputs: Vec<(Ty, usize)> = results.iter().flat_map(|ty| words_of(*ty, pack)).collect();
        let asm = constraints.apply(&mut emitter.code, asm, &words, &outputs);
        let received = emitter.code.asm(asm.map_err(|why| fault(emitter, op, why))?)?;
        let mut received = received.into_iter().zip(&outputs);
        for (ty, values) in results.iter().zip(&mut gathered) {
            let mut elements = Vec::with_capacity(pack);
            while let Some((word, (_, count))) = (elements.len() < pack).then(|| received.next()).flatten() {
                elements.extend(unpack_word(&mut emitter.code, word, *ty, *count));
            }
            elements.truncate(count - start);
            values.extend(elements);
        }
    }
    for (result, values) in op.results().into_iter().zip(gathered) {
        let splat = values.len() == 1 && (all_equal || !result.ty().is_tensor());
        emitter.define(result, if splat { Registers::Splat(values[0]) } else { values.into() });
    }
    Ok(())
}

/// Elements of type `ty` that share one register of inline assembly.
fn elements_per_word(ty: Ty, pack: usize) -> usize {
    if ty.bits() >= 32 || ty == Ty::BOOL { 1 } else { pack.min((32 / ty.bits()) as usize) }
}

/// The registers for a pack: the type of each as an integer, unless it is one element, and its elements.
fn words_of(ty: Ty, pack: usize) -> Vec<(Ty, usize)> {
    let count = elements_per_word(ty, pack);
    let word = if count > 1 { Ty::Int(ty.bits() * count as u32) } else { ty };
    vec![(word, count); pack / count]
}

fn pack_words(code: &mut Code<'_>, values: &[Reg]) -> Vec<Reg> {
    let ty = values[0].ty();
    let count = elements_per_word(ty, values.len());
    if count == 1 {
        return values.to_vec();
    }
    values.chunks(count).map(|run| code.pack(run, Ty::Int(ty.bits() * count as u32))).collect()
}

/// The `count` elements in the low bits of a register.
fn unpack_word(code: &mut Code<'_>, word: Reg, ty: Ty, count: usize) -> Vec<Reg> {
    if word.ty() == ty {
        return vec![word];
    }
    let bits = code.bitcast(word, Ty::Int(word.ty().bits()));
    let wanted = Ty::Int(ty.bits() * count as u32);
    let low = if wanted.bits() > bits.ty().bits() { code.zext(bits, wanted) } else { code.trunc(bits, wanted) };
    match (count, ty.is_ptr()) {
        (1, true) => vec![code.int_to_ptr(low)],
        (1, false) => vec![code.bitcast(low, ty)],
        _ => code.unpack(low, ty),
    }
}

/// What a register of inline assembly holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    /// A register of this type.
    Register(Ty),
    /// The register of output number `0`.
    Tied(usize),
}

/// A constraint string, understood.
#[derive(Debug, PartialEq, Eq)]
struct Constraints {
    outputs: Vec<Ty>,
    inputs: Vec<Operand>,
}

impl Constraints {
    fn parse(text: &str) -> Result<Self, String> {
        let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty() && !part.starts_with('~')) {
            // An early clobber asks for a register of its own; virtual registers always are.
            let letter = part.trim_start_matches(['=', '&']);
            if part.starts_with('=') {
                outputs.push(register_ty(letter)?);
            } else if let Ok(output) = letter.parse::<usize>() {
                inputs.push(Operand::Tied(output));
            } else {
                inputs.push(Operand::Register(register_ty(letter)?));
            }
        }
        Ok(Self { outputs, inputs })
    }

    /// Adds outputs and inputs to `asm`.
    fn apply(&self, code: &mut Code<'_>, mut asm: Asm, inputs: &[Reg], outputs: &[(Ty, usize)]) -> Result<Asm, String> {
        if self.outputs.len() != outputs.len() || self.inputs.len() != inputs.len() {
            return Err(format!(
                "the constraints name {} outputs and {} inputs, but the elements make {} and {}",
                self.outputs.len(),
                self.inputs.len(),
                outputs.len(),
                inputs.len()
            ));
        }
        for (register, (ty, _)) in self.outputs.iter().zip(outputs) {
            // An element wider than its register is the register's number.
            if !(register.is_int() && ty.bits() > register.bits()) {
                check_width(*register, *ty)?;
            }
            asm = asm.output(*register);
        }
        for (operand, value) in self.inputs.iter().zip(inputs) {
            match operand {
                Operand::Register(ty) => asm = asm.input(widened(code, *value, *ty)?),
                Operand::Tied(output) => {
                    let ty = *self.outputs.get(*output).ok_or_else(|| format!("there is no output {output}"))?;
                    asm = asm.tied(*output, widened(code, *value, ty)?);
                }
            }
        }
        Ok(asm)
    }
}

/// The type of the registers that a letter stands for.
fn register_ty(letter: &str) -> Result<Ty, String> {
    Ok(match letter {
        "b" => Ty::BOOL,
        "h" | "c" => Ty::Int(16),
        "r" => Ty::I32,
        "l" => Ty::I64,
        "f" => Ty::F32,
        "d" => Ty::F64,
        _ => return Err(format!("the constraint `{letter}` is none of b, h, r, l, f, d and the number of an output")),
    })
}

fn check_width(register: Ty, value: Ty) -> Result<(), String> {
    let fits = if register.is_int() { value.bits() <= register.bits() } else { value.bits() == register.bits() };
    if fits {
        return Ok(());
    }
    let (register, value) = (register.constraint(), value.bits());
    Err(format!("a register of constraint `{register}` does not hold elements of {value} bits"))
}

/// A value in a register of type `ty`: its bits, extended by zeros.
fn widened(code: &mut Code<'_>, value: Reg, ty: Ty) -> Result<Reg, String> {
    check_width(ty, value.ty())?;
    if value.ty() == ty {
        return Ok(value);
    }
    let word =
        if value.ty().is_ptr() { code.ptr_to_int(value) } else { code.bitcast(value, Ty::Int(value.ty().bits())) };
    Ok(if ty.is_int() { code.zext(word, ty) } else { code.bitcast(word, ty) })
}

/// An error in the user's assembly, at its place.
fn fault<'c>(emitter: &Emitter<'c, '_>, op: Op<'c>, why: String) -> Box<Diagnostic> {
    let error = Diagnostic::error(tk_diag::BAD_ARGUMENT, format!("inline assembly does not fit its operands: {why}"));
    let error = error.help("elements below 32 bits are packed, `pack` at most, into registers of 32 bits (`r`)");
    let source = emitter.settings.source.as_ref();
    let place = op.loc().file_line_col().and_then(|(file, line, column)| {
        let source = source?;
        let part = source.part_with_line(file, line)?;
        let start = part.offset(LineColumn { line, column: column.max(1) }) as usize;
        Some((source, Span::new(start, start + 1)))
    });
    match place {
        Some((source, span)) => error.at(source, span, "").boxed(),
        None => error.boxed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_are_understood() {
        let parsed = Constraints::parse("=r,=&f, r ,0,l,~{memory}").unwrap();
        assert_eq!(parsed.outputs, [Ty::I32, Ty::F32]);
        assert_eq!(parsed.inputs, [Operand::Register(Ty::I32), Operand::Tied(0), Operand::Register(Ty::I64)]);
        assert!(Constraints::parse("=q").unwrap_err().contains("`q`"));
    }

    #[test]
    fn narrow_elements_share_registers() {
        assert_eq!(words_of(Ty::Int(8), 4), [(Ty::I32, 4)]);
        assert_eq!(words_of(Ty::F16, 4), [(Ty::I32, 2), (Ty::I32, 2)]);
        assert_eq!(words_of(Ty::Int(8), 2), [(Ty::Int(16), 2)]);
        assert_eq!(words_of(Ty::F32, 2), [(Ty::F32, 1), (Ty::F32, 1)]);
    }
}
