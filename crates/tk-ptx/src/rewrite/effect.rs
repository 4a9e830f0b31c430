//! What an instruction does beside writing registers, as far as it may change places with others.

use crate::{Instruction, Mnemonic, Operand};

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It writes registers alone, and would write the same at another time.
    Computes,
    LoadsGlobal,
    LoadsShared,
    StoresGlobal,
    StoresShared,
    /// Lanes of a warp wait for each other.
    SyncsWarp,
    /// It is not known to do nothing else.
    Other,
}

impl Effect {
    pub(super) fn of(instruction: &Instruction) -> Self {
        if computes(instruction) {
            return Self::Computes;
        }
        let opcode = &instruction.opcode;
        let is_ordered = ["volatile", "relaxed", "acquire", "release", "mmio"].iter().any(|order| opcode.has(order));
        let is_global = opcode.has("global") && !is_ordered;
        let is_shared = (opcode.has("shared") || opcode.has("shared::cta")) && !is_ordered;
        match opcode.mnemonic() {
            Some(Mnemonic::Ld) if is_global => Self::LoadsGlobal,
            Some(Mnemonic::Ld) if is_shared => Self::LoadsShared,
            // A parameter is what it is.
            Some(Mnemonic::Ld) if opcode.has("param") && !is_ordered => Self::Computes,
            Some(Mnemonic::St) if is_global => Self::StoresGlobal,
            Some(Mnemonic::St) if is_shared => Self::StoresShared,
            Some(Mnemonic::Bar) if opcode.has("warp") => Self::SyncsWarp,
            Some(_) | None => Self::Other,
        }
    }
}

/// It computes on registers, and neither reads the time nor takes a carry, which goes from one instruction to the next.
fn computes(instruction: &Instruction) -> bool {
    let reads_time = instruction.operands.iter().any(
        |operand| matches!(operand, Operand::Special(name) if name.contains("clock") || name.contains("globaltimer")),
    );
    let is_computation = instruction.opcode.mnemonic().is_some_and(is_computation);
    is_computation && !reads_time && !instruction.opcode.has("cc")
}

/// Instructions that write registers alone.
fn is_computation(mnemonic: Mnemonic) -> bool {
    use Mnemonic::*;
    matches!(
        mnemonic,
        Add | Sub
            | Mul
            | Mad
            | Mul24
            | Mad24
            | Sad
            | Div
            | Rem
            | Abs
            | Neg
            | Min
            | Max
            | Popc
            | Clz
            | Bfind
            | Fns
            | Brev
            | Bfe
            | Bfi
            | Szext
            | Bmsk
            | Dp4a
            | Dp2a
            | Testp
            | Copysign
            | Fma
            | Rcp
            | Sqrt
            | Rsqrt
            | Sin
            | Cos
            | Lg2
            | Ex2
            | Tanh
            | Set
            | Setp
            | Selp
            | Slct
            | And
            | Or
            | Xor
            | Not
            | Cnot
            | Lop3
            | Shf
            | Shl
            | Shr
            | Mov
            | Prmt
            | Cvt
            | Cvta
            | Createpolicy
    )
}
