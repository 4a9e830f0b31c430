//! Sums whose bits become those of a float.
//!
//! Code for exponentials of doubles adds to the bits of an exponent, twice for each element, and the same number each time. LLVM's strength reduction takes
//! these for sums of indices: it compares each with all before it, and to see whether one may stand for another it asks where the numbers behind
//! both come from, and never finds any use of it. A block of 128x128 doubles has 264 such sums, which took 1.8 of the 1.9 seconds of its compilation
//! (docs/measurements.md, "Bits of exponents are not compared with each other").
//!
//! So such a sum is written as a difference, which the pass does not look at and which instruction selection makes the same addition of.
//!
//! True for sums with a constant that are used as bits of a float and as nothing else. What is an index, a mask or an address stays a sum.

use inkwell::module::Module;
use inkwell::values::{AnyValueEnum, BasicValueEnum, BasicValueUse, InstructionOpcode, InstructionValue, IntValue};

/// Writes them as differences, which strength reduction leaves alone.
pub(crate) fn keep_apart(module: &Module<'_>) {
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    let sums: Vec<_> = blocks.flat_map(|block| block.get_instructions()).filter_map(BitSum::of).collect();
    let builder = module.get_context().create_builder();
    for BitSum { sum, number, constant } in sums {
        builder.position_before(&sum);
        let difference = builder.build_int_sub(number, constant.const_neg(), "").ok();
        if let Some(difference) = difference.and_then(|difference| difference.as_instruction()) {
            sum.replace_all_uses_with(&difference);
            sum.erase_from_basic_block();
        }
    }
}

/// A number to which a constant is added, for the bits of a float.
struct BitSum<'l> {
    sum: InstructionValue<'l>,
    number: IntValue<'l>,
    constant: IntValue<'l>,
}

impl<'l> BitSum<'l> {
    fn of(sum: InstructionValue<'l>) -> Option<Self> {
        if sum.get_opcode() != InstructionOpcode::Add || !becomes_bits(sum) {
            return None;
        }
        let [left, right] = [0, 1].map(|index| sum.get_operand(index).and_then(|operand| operand.value()));
        // The passes before have put constants last.
        let (Some(BasicValueEnum::IntValue(number)), Some(BasicValueEnum::IntValue(constant))) = (left, right) else {
            return None;
        };
        let is_constant = |value: IntValue<'_>| value.get_zero_extended_constant().is_some();
        (is_constant(constant) && !is_constant(number)).then_some(Self { sum, number, constant })
    }
}

/// It is a float, or a word of one, wherever it is used.
fn becomes_bits(sum: InstructionValue<'_>) -> bool {
    let mut uses = std::iter::successors(sum.get_first_use(), |usage| usage.get_next_use());
    let is_of_bits = |usage: BasicValueUse<'_>| {
        user(usage.get_user()).is_some_and(|user| {
            matches!(user.get_opcode(), InstructionOpcode::InsertElement | InstructionOpcode::BitCast)
        })
    };
    sum.get_first_use().is_some() && uses.all(is_of_bits)
}

/// The instruction that makes a float or a vector; others make no bits of a float.
fn user(user: AnyValueEnum<'_>) -> Option<InstructionValue<'_>> {
    match user {
        AnyValueEnum::FloatValue(user) => user.as_instruction(),
        AnyValueEnum::VectorValue(user) => user.as_instruction(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::ptx_of;
    use inkwell::context::Context;
    use inkwell::memory_buffer::MemoryBuffer;

    /// Sums and differences of a function, after the pass.
    fn operations(body: &str) -> Vec<InstructionOpcode> {
        let text = format!("define void @f(ptr %p, i32 %x, i32 %y, i64 %z) {{\n{body}\nret void\n}}\n");
        let context = Context::create();
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "f");
        let module = context.create_module_from_ir(buffer).unwrap();
        keep_apart(&module);
        module.verify().unwrap();
        let block = module.get_first_function().unwrap().get_first_basic_block().unwrap();
        let opcodes = block.get_instructions().map(|instruction| instruction.get_opcode());
        opcodes.filter(|opcode| [InstructionOpcode::Add, InstructionOpcode::Sub].contains(opcode)).collect()
    }

    use InstructionOpcode::{Add, Sub};

    #[test]
    fn bits_of_floats_are_differences() {
        let word = "%s = add nsw i32 %x, 1065353216\n%f = bitcast i32 %s to float\nstore float %f, ptr %p";
        let upper = "%s = add i32 %x, 1072693248\n%v = insertelement <2 x i32> <i32 0, i32 poison>, i32 %s, i64 1\n\
                     %f = bitcast <2 x i32> %v to double\nstore double %f, ptr %p";
        let whole = "%s = add i64 %z, -4503599627370496\n%f = bitcast i64 %s to double\nstore double %f, ptr %p";
        for body in [word, upper, whole] {
            assert_eq!(operations(body), [Sub], "{body}");
        }
    }

    #[test]
    fn what_is_not_only_bits_stays_a_sum() {
        let stored =
            "%s = add i32 %x, 1065353216\n%f = bitcast i32 %s to float\nstore float %f, ptr %p\nstore i32 %s, ptr %p";
        let index = "%s = add i64 %z, 8\n%a = getelementptr float, ptr %p, i64 %s\nstore i32 %x, ptr %a";
        let both = "%s = add i32 %x, %y\n%f = bitcast i32 %s to float\nstore float %f, ptr %p";
        let unused = "%s = add i32 %x, 1065353216";
        for body in [stored, index, both, unused] {
            assert_eq!(operations(body), [Add], "{body}");
        }
    }

    #[test]
    fn the_code_is_an_addition() {
        let text = "define ptx_kernel void @f(ptr addrspace(1) %p, i32 %x) {\n%s = add i32 %x, 1072693248\n\
                    %v = insertelement <2 x i32> <i32 0, i32 poison>, i32 %s, i64 1\n%f = bitcast <2 x i32> %v to double\n\
                    %g = fmul double %f, %f\nstore double %g, ptr addrspace(1) %p\nret void\n}\n";
        let ptx = ptx_of(text);
        assert!(ptx.contains("add.s32") && ptx.contains("1072693248") && !ptx.contains("sub.s32"), "{ptx}");
    }
}
