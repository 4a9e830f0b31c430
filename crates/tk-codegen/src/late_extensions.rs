//! Loaded numbers that are extended in a later block.
//!
//! LLVM's preparation for instruction selection moves the extension of a loaded number to the load, which then loads and extends at once. A GPU has
//! no such load from 32 to 64 bits: ptxas makes a load and a shift of it. In the block of the load the shift waits for the number
//! before the loads behind it are issued, although nothing else there needs it: the label of a row whose logits a loop reads first. So the number is
//! hidden from LLVM in PTX of its own where it is extended (docs/measurements.md, "Labels are extended where they are needed").
//!
//! True for extensions from 32 to 64 bits with a sign, in another block than their load. Within a block ptxas has the shift where it is needed.
//! Narrower numbers are extended as they are loaded, and without a sign the upper half waits for nothing.

use inkwell::context::ContextRef;
use inkwell::module::Module;
use inkwell::values::{BasicValueEnum, InstructionOpcode, InstructionValue, IntValue};

/// Bits of what is extended, and of what it is extended to.
const BITS: [u32; 2] = [32, 64];

/// Keeps extensions in their blocks. LLVM's passes have run, for which the number would be any.
pub(crate) fn keep(module: &Module<'_>) {
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    let late: Vec<_> = blocks.flat_map(|block| block.get_instructions()).filter_map(LateExtension::of).collect();
    for extension in late {
        extension.hide(module.get_context());
    }
}

/// An extension with a sign, and the number from a load in another block.
struct LateExtension<'l> {
    extension: InstructionValue<'l>,
    number: IntValue<'l>,
}

impl<'l> LateExtension<'l> {
    fn of(extension: InstructionValue<'l>) -> Option<Self> {
        if extension.get_opcode() != InstructionOpcode::SExt {
            return None;
        }
        let BasicValueEnum::IntValue(number) = extension.get_operand(0)?.value()? else { return None };
        let extended = IntValue::try_from(extension).ok()?;
        let load = number.as_instruction().filter(|load| load.get_opcode() == InstructionOpcode::Load)?;
        let has_no_load = [number, extended].map(|value| value.get_type().get_bit_width()) == BITS;
        (has_no_load && load.get_parent() != extension.get_parent()).then_some(Self { extension, number })
    }

    fn hide(self, llvm: ContextRef<'l>) {
        let word = self.number.get_type();
        let ty = word.fn_type(&[word.into()], false);
        let (template, constraints) = ("mov.b32 $0, $1;".to_owned(), "=r,r".to_owned());
        let asm = llvm.create_inline_asm(ty, template, constraints, false, false, None, false);
        let builder = llvm.create_builder();
        builder.position_before(&self.extension);
        let Ok(call) = builder.build_indirect_call(ty, asm, &[self.number.into()], "") else { return };
        if let Some(hidden) = call.try_as_basic_value().basic() {
            self.extension.set_operand(0, hidden);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::machine::ptx_of;

    /// A number is loaded, the branch decides whether something else is, and what `first` and `last` say is computed before and behind that.
    fn ptx(ty: &str, first: &str, last: &str) -> String {
        let text = format!(
            "define ptx_kernel void @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {{\n%x = load {ty}, ptr addrspace(1) %p\n{first}\n\
             br i1 %c, label %more, label %end\nmore:\n%y = load i32, ptr addrspace(1) %q\nstore volatile i32 %y, ptr addrspace(1) %q\n\
             br label %end\nend:\n{last}\nstore volatile i64 %w, ptr addrspace(1) %q\nret void\n}}\n"
        );
        ptx_of(&text)
    }

    const NOTHING: &str = "store volatile i32 0, ptr addrspace(1) %q";

    #[test]
    fn words_are_extended_where_they_are_needed() {
        let ptx = ptx("i32", NOTHING, "%w = sext i32 %x to i64");
        assert!(!ptx.contains("ld.global.s32"), "{ptx}");
        let behind = ptx.split_once("bra").map(|(_, behind)| behind).unwrap_or_default();
        assert_eq!(behind.matches("mov.b32").count(), 1, "{ptx}");
    }

    #[test]
    fn others_stay_as_they_are() {
        let same_block = "%w = sext i32 %x to i64\nstore volatile i32 0, ptr addrspace(1) %q";
        for (ty, first, last) in [
            ("i32", NOTHING, "%w = zext i32 %x to i64"),
            ("i16", NOTHING, "%w = sext i16 %x to i64"),
            ("i64", NOTHING, "%w = add i64 %x, 1"),
            ("i32", same_block, "store volatile i32 1, ptr addrspace(1) %q"),
        ] {
            let ptx = ptx(ty, first, last);
            assert!(!ptx.contains("inline asm"), "{ptx}");
        }
    }
}
