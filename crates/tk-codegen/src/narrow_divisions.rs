//! Divisions of 64 bits of numbers that 32 bits hold.
//!
//! A GPU divides by code: about 20 instructions for 32 bits, about 100 and a call for 64. Indices are widened before they are divided
//! where a program says `.to(tl.int64)`, and the code generator would then ask each element at run time whether 32 bits do. What is
//! known of program ids, ranges and widened arguments mostly answers that beforehand; LLVM's correlated value propagation knows it.

use inkwell::module::Module;
use inkwell::values::{BasicValueEnum, InstructionOpcode, InstructionValue};

/// Narrows divisions, and tidies up what that leaves.
pub(crate) const PASSES: &str = "function(correlated-propagation,instcombine<no-verify-fixpoint>,early-cse)";

/// Bits from which on a division is wide.
const WIDE: u32 = 64;

/// Whether a module has a division that may be narrowed: these passes take time, and most modules have none.
pub(crate) fn has_wide(module: &Module<'_>) -> bool {
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    blocks.flat_map(|block| block.get_instructions()).any(is_wide)
}

fn is_wide(instruction: InstructionValue<'_>) -> bool {
    use InstructionOpcode::{SDiv, SRem, UDiv, URem};
    let divides = [SDiv, SRem, UDiv, URem].contains(&instruction.get_opcode());
    let divisor = divides.then(|| instruction.get_operand(1).and_then(|operand| operand.value())).flatten();
    matches!(divisor, Some(BasicValueEnum::IntValue(divisor)) if divisor.get_type().get_bit_width() >= WIDE)
}
