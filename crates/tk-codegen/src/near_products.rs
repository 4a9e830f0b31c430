//! Products of neighbours by one number, in long modules.
//!
//! The rows of a block are `row`, `row + 16`, `row + 32` and so on, and the address of each is its product by the distance of rows. Straight-line
//! strength reduction makes sums of these products, but is left out of long modules ([`super::long_code`]). Then all rows are kept, in a
//! register each, from the first block that is addressed by them to the last one. Here each product becomes the first one and a constant
//! times the common factor, which one instruction multiplies and adds (`IMAD`), so no row but the first is kept.
//!
//! True for products within a basic block, one factor of which is the same while the others differ by constants and are needed for products
//! alone: a row that a mask compares stays in its register anyway. Arithmetic wraps around, so the results are the same numbers.

use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::values::{AnyValueEnum, BasicValue, BasicValueEnum, InstructionOpcode, InstructionValue, IntValue};
use rustc_hash::FxHashMap;

/// Makes sums of products that differ by a constant times a factor. What they were made of stays for LLVM to delete.
pub(crate) fn add_constants(module: &Module<'_>) {
    let builder = module.get_context().create_builder();
    for block in module.get_functions().flat_map(|function| function.get_basic_block_iter()) {
        let mut firsts = FxHashMap::default();
        for instruction in block.get_instructions() {
            if let Some(product) = Product::of(instruction) {
                product.follow(&builder, &mut firsts);
            }
        }
    }
}

/// A value, and the constant that was added to it.
#[derive(Clone, Copy)]
struct Sum<'l> {
    base: IntValue<'l>,
    constant: u64,
}

impl<'l> Sum<'l> {
    fn of(value: IntValue<'l>) -> Self {
        let mut sum = Self { base: value, constant: 0 };
        while let Some((base, constant)) = added(sum.base) {
            sum = Self { base, constant: sum.constant.wrapping_add(constant) };
        }
        sum
    }
}

/// What a constant was added to, and the constant.
fn added(value: IntValue<'_>) -> Option<(IntValue<'_>, u64)> {
    let instruction = value.as_instruction()?;
    let adds = match instruction.get_opcode() {
        InstructionOpcode::Add => true,
        InstructionOpcode::Or => instruction.get_disjoint_flag().is_ok_and(|disjoint| disjoint),
        _ => false,
    };
    let [base, constant] = operands(instruction).filter(|_| adds)?;
    Some((base, constant.get_zero_extended_constant()?))
}

/// The first product of a base and a factor.
#[derive(Clone, Copy)]
struct First<'l> {
    product: IntValue<'l>,
    /// What was added to the base before it was multiplied.
    constant: u64,
}

/// The first products of a block, by base and factor.
type Firsts<'l> = FxHashMap<(IntValue<'l>, IntValue<'l>), First<'l>>;

/// A product of two numbers that are no constants.
struct Product<'l> {
    instruction: InstructionValue<'l>,
    factors: [IntValue<'l>; 2],
}

impl<'l> Product<'l> {
    fn of(instruction: InstructionValue<'l>) -> Option<Self> {
        let factors = operands(instruction).filter(|_| instruction.get_opcode() == InstructionOpcode::Mul)?;
        factors.iter().all(|factor| !factor.is_const()).then_some(Self { instruction, factors })
    }

    /// Becomes a sum where there is a product of the same base and factor, and is the first one otherwise.
    fn follow(self, builder: &Builder<'l>, firsts: &mut Firsts<'l>) {
        let [left, right] = self.factors;
        let ways = [(Sum::of(left), right), (Sum::of(right), left)];
        for (sum, factor) in ways {
            let first = firsts.get(&(sum.base, factor)).filter(|first| first.constant != sum.constant);
            if let Some(first) = first.copied().filter(|_| is_only_multiplied(self.other_than(factor))) {
                self.become_sum(builder, first, sum.constant, factor);
                return;
            }
        }
        let Ok(product) = IntValue::try_from(self.instruction) else { return };
        for (sum, factor) in ways {
            firsts.entry((sum.base, factor)).or_insert(First { product, constant: sum.constant });
        }
    }

    fn other_than(&self, factor: IntValue<'l>) -> IntValue<'l> {
        let [left, right] = self.factors;
        if left == factor { right } else { left }
    }

    fn become_sum(self, builder: &Builder<'l>, first: First<'l>, constant: u64, factor: IntValue<'l>) {
        let ty = factor.get_type();
        let distance = constant.wrapping_sub(first.constant) & (u64::MAX >> (64 - ty.get_bit_width()));
        builder.position_before(&self.instruction);
        let step = builder.build_int_mul(factor, ty.const_int(distance, false), "");
        let sum = step.and_then(|step| builder.build_int_add(first.product, step, ""));
        if let Some(sum) = sum.ok().and_then(|sum| sum.as_instruction()) {
            self.instruction.replace_all_uses_with(&sum);
        }
    }
}

/// Nothing but products needs the value, so without them it is not kept. A row that a mask compares, too, stays in its register.
fn is_only_multiplied(value: IntValue<'_>) -> bool {
    let mut uses = std::iter::successors(value.get_first_use(), |usage| usage.get_next_use());
    uses.all(|usage| match usage.get_user() {
        AnyValueEnum::InstructionValue(user) => user.get_opcode() == InstructionOpcode::Mul,
        AnyValueEnum::IntValue(user) => {
            user.as_instruction().is_some_and(|user| user.get_opcode() == InstructionOpcode::Mul)
        }
        _ => false,
    })
}

/// Both operands of an operation on integers of at most 64 bits.
fn operands(instruction: InstructionValue<'_>) -> Option<[IntValue<'_>; 2]> {
    let operand = |index: u32| match instruction.get_operand(index)?.value()? {
        BasicValueEnum::IntValue(value) if value.get_type().get_bit_width() <= 64 => Some(value),
        _ => None,
    };
    Some([operand(0)?, operand(1)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use inkwell::context::Context;
    use inkwell::memory_buffer::MemoryBuffer;

    /// The operations of a function, after the pass and without what nobody needs.
    fn operations(body: &str) -> Vec<InstructionOpcode> {
        let text = format!("define i32 @f(i32 %row, i32 %length, i32 %other) {{\n{body}\n}}\n");
        let context = Context::create();
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "f");
        let module = context.create_module_from_ir(buffer).unwrap();
        add_constants(&module);
        module.verify().unwrap();
        let block = module.get_first_function().unwrap().get_first_basic_block().unwrap();
        let unused = |instruction: &InstructionValue<'_>| {
            instruction.get_first_use().is_none() && instruction.get_opcode() != InstructionOpcode::Return
        };
        while let Some(dead) = block.get_instructions().find(unused) {
            dead.erase_from_basic_block();
        }
        block.get_instructions().map(|instruction| instruction.get_opcode()).collect()
    }

    use InstructionOpcode::{Add, Mul, Or, Return, Sub, Xor};

    #[test]
    fn rows_that_differ_by_constants_are_not_kept() {
        let body = "%p = mul i32 %row, %length\n%r16 = or disjoint i32 %row, 16\n%q = mul i32 %length, %r16\n%r48 = add i32 %row, 48\n\
                    %t = mul i32 %r48, %length\n%a = xor i32 %p, %q\n%b = xor i32 %a, %t\nret i32 %b";
        assert_eq!(operations(body), [Mul, Mul, Add, Mul, Add, Xor, Xor, Return]);
    }

    #[test]
    fn the_first_row_may_have_a_constant() {
        let body = "%r1 = add i32 %row, 1\n%p = mul i32 %r1, %length\n%r3 = add i32 %row, 3\n%q = mul i32 %r3, %length\n\
                    %a = xor i32 %p, %q\nret i32 %a";
        assert_eq!(operations(body), [Add, Mul, Mul, Add, Xor, Return]);
    }

    #[test]
    fn other_products_stay() {
        let overlapping = "%p = mul i32 %row, %length\n%r = or i32 %row, 16\n%q = mul i32 %r, %length\n%a = sub i32 %p, %q\nret i32 %a";
        assert_eq!(operations(overlapping), [Mul, Or, Mul, Sub, Return]);
        let factors = "%p = mul i32 %row, %length\n%r = add i32 %row, 16\n%q = mul i32 %r, %other\n%a = sub i32 %p, %q\nret i32 %a";
        assert_eq!(operations(factors), [Mul, Add, Mul, Sub, Return]);
        let bases = "%p = mul i32 %row, %length\n%r = add i32 %other, 16\n%q = mul i32 %r, %length\n%a = sub i32 %p, %q\nret i32 %a";
        assert_eq!(operations(bases), [Mul, Add, Mul, Sub, Return]);
        let needed = "%p = mul i32 %row, %length\n%r = add i32 %row, 16\n%q = mul i32 %r, %length\n%a = sub i32 %p, %q\n%b = xor i32 %a, %r\nret i32 %b";
        assert_eq!(operations(needed), [Mul, Add, Mul, Sub, Xor, Return]);
    }
}
