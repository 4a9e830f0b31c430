//! Long functions and blocks, which take LLVM's code generator time that grows with the square of their length.
//!
//! Every register of a tensor is an instruction of its own, so blocks can be very long. Two passes of LLVM 22 are quadratic there and
//! have no limit of their own: straight-line strength reduction, and the preparation for instruction selection
//! (docs/measurements.md, "Two of LLVM's passes are quadratic in the length of the code"). Code of the usual size is left alone, because
//! there the first pass saves instructions and the second brings constant offsets into the instructions that access memory. It does not get to see what
//! it finds no use of ([`bit_sums`]).

use crate::code::{skip_passes, split_blocks};
use crate::{bit_sums, near_products};
use inkwell::module::Module;
use inkwell::values::{InstructionOpcode, InstructionValue};

/// Instructions of a module from which on strength reduction is left out: it takes more than half of the time there.
const LONG_MODULE: usize = 8192;

/// Addresses of a module from which on strength reduction is left out: it compares each with those before it. Of 80 recorded launches those
/// with more took up to 0.6 seconds for that, nine tenths of code generation, and their code differs by less than 0.5 % without it.
const MANY_ADDRESSES: usize = 400;

/// Addresses, sums and products of integers of a module from which on it is left out, too: these are what it compares. Of 70 recorded launches nine with
/// fewer addresses have more, and five of these took 0.08 to 2 seconds for that, nine tenths of code generation in the longest of them.
const MANY_CANDIDATES: usize = 500;

/// Instructions of a block from which on it is cut, and the preparation is left out, which would glue it together again.
const LONG_BLOCK: usize = 16384;

/// Instructions of the blocks that a long block is cut into. Constant offsets and shared addresses are found within these.
const CUT: u32 = 4096;

/// Length of a module in instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Length {
    /// Of all functions.
    module: usize,
    /// Of the longest block.
    block: usize,
    /// Instructions of all functions that compute an address.
    addresses: usize,
    /// These, and sums and products of integers.
    candidates: usize,
}

impl Length {
    fn of(module: &Module<'_>) -> Self {
        let is_address =
            |instruction: &InstructionValue<'_>| instruction.get_opcode() == InstructionOpcode::GetElementPtr;
        let is_candidate = |instruction: &InstructionValue<'_>| {
            matches!(
                instruction.get_opcode(),
                InstructionOpcode::GetElementPtr | InstructionOpcode::Add | InstructionOpcode::Mul
            )
        };
        let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
        blocks.fold(Self { module: 0, block: 0, addresses: 0, candidates: 0 }, |sum, block| {
            let length = block.get_instructions().count();
            Self {
                module: sum.module + length,
                block: sum.block.max(length),
                addresses: sum.addresses + block.get_instructions().filter(is_address).count(),
                candidates: sum.candidates + block.get_instructions().filter(is_candidate).count(),
            }
        })
    }
}

impl Length {
    /// Strength reduction would compare each of many candidates with those before it.
    fn has_much_to_compare(self) -> bool {
        self.addresses > MANY_ADDRESSES || self.candidates > MANY_CANDIDATES
    }
}

/// Prepares a module for code generation in a time that its length is in proportion to. Its context then leaves passes out, so it
/// is of no use for another module.
pub(crate) fn ease(module: &Module<'_>) {
    let length = Length::of(module);
    let has_long_block = length.block > LONG_BLOCK;
    if has_long_block || length.module > LONG_MODULE || length.has_much_to_compare() {
        near_products::add_constants(module);
        skip_passes(module, has_long_block);
    } else {
        bit_sums::keep_apart(module);
    }
    if has_long_block {
        split_blocks(module, CUT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;
    use inkwell::context::Context;
    use inkwell::memory_buffer::MemoryBuffer;
    use std::fmt::Write;

    /// A function with `products` stores, each `stride` elements behind the one before, and `plain` ones to one place: 4 instructions
    /// each, and 1, and the last one.
    fn module(context: &Context, products: usize, plain: usize) -> Module<'_> {
        let mut text = String::from("define ptx_kernel void @f(ptr addrspace(1) %p, i32 %stride, i32 %x) {\n");
        for index in 0..products {
            writeln!(text, "%m{index} = mul i32 %stride, {index}").unwrap();
            writeln!(text, "%e{index} = sext i32 %m{index} to i64").unwrap();
            writeln!(text, "%a{index} = getelementptr i32, ptr addrspace(1) %p, i64 %e{index}").unwrap();
            writeln!(text, "store i32 %x, ptr addrspace(1) %a{index}").unwrap();
        }
        for _ in 0..plain {
            writeln!(text, "store volatile i32 %x, ptr addrspace(1) %p").unwrap();
        }
        text.push_str("ret void\n}\n");
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "f");
        context.create_module_from_ir(buffer).unwrap()
    }

    fn count(ptx: &str, what: &str) -> usize {
        ptx.lines().filter(|line| line.trim_start().starts_with(what)).count()
    }

    fn ptx(module: &Module<'_>) -> String {
        let machine = Machine::new(&tk_target::Target::parse("sm_90a").unwrap()).unwrap();
        machine.describe(module);
        machine.ptx(module).unwrap()
    }

    #[test]
    fn long_blocks_are_cut_and_nothing_is_lost() {
        let context = Context::create();
        let module = module(&context, 1000, 16_000);
        assert_eq!(Length::of(&module), Length { module: 20_001, block: 20_001, addresses: 1000, candidates: 2000 });
        let ptx = ptx(&module);
        let length = Length::of(&module);
        assert!(length.block <= CUT as usize + 1, "{length:?}");
        assert_eq!((count(&ptx, "st.global"), count(&ptx, "st.volatile.global")), (1000, 16_000));
    }

    #[test]
    fn cuts_are_where_they_should_be() {
        for (stores, most, blocks) in [(8, 32, 1), (8, 31, 2), (8, 16, 2), (8, 15, 3), (9, 16, 3), (1, 1, 4)] {
            let context = Context::create();
            let module = module(&context, stores, 0);
            split_blocks(&module, most);
            module.verify().unwrap();
            let function = module.get_functions().next().unwrap();
            assert_eq!(function.count_basic_blocks(), blocks, "{stores} stores in blocks of {most}");
        }
    }

    #[test]
    fn long_modules_have_no_strength_reduction_and_short_ones_have_it() {
        let products = |plain: usize| {
            let context = Context::create();
            let ptx = ptx(&module(&context, 48, plain));
            assert_eq!((count(&ptx, "st.global"), count(&ptx, "st.volatile.global")), (48, plain));
            count(&ptx, "mul.lo") + count(&ptx, "mad.lo") + count(&ptx, "mul.wide")
        };
        let usual = products(0);
        assert_eq!(products(LONG_MODULE - 4 * 48 - 1), usual);
        let long = products(LONG_MODULE - 4 * 48);
        assert!(2 * usual < long, "{usual} products, {long} in a long module");
    }

    #[test]
    fn many_addresses_are_not_compared_with_each_other() {
        let products = |stores: usize| {
            let context = Context::create();
            let ptx = ptx(&module(&context, stores, 0));
            assert_eq!(count(&ptx, "st.global"), stores);
            count(&ptx, "mul.lo") + count(&ptx, "mad.lo") + count(&ptx, "mul.wide")
        };
        // Each address has a product.
        let (few, many) = (products(MANY_CANDIDATES / 2), products(MANY_CANDIDATES / 2 + 1));
        assert!(2 * few < many, "{few} products, {many} with one address more");
        let length = |addresses: usize| Length { module: 0, block: 0, addresses, candidates: addresses };
        assert!(!length(MANY_ADDRESSES).has_much_to_compare() && length(MANY_ADDRESSES + 1).has_much_to_compare());
    }
}
