//! Selections by two conditions at once.
//!
//! LLVM's code generator makes two selections of one whose condition is `or` or `and` of two (`a | b ? x : y` is `a ? x : (b ? x : y)`), since it
//! does not count on a target that has several registers for truth values. A GPU has seven, and its comparisons join their result with
//! another one at no cost: one selection is an instruction less for each word, and its truth values are needed no longer. So the
//! operation is hidden from LLVM in PTX of its own.
//!
//! True for conditions that one selection alone asks for: others LLVM leaves whole.

use inkwell::context::ContextRef;
use inkwell::module::Module;
use inkwell::values::{BasicValueEnum, InstructionOpcode, InstructionValue};

/// Keeps the conditions of selections whole. LLVM's passes have run, for which the operation says nothing any more.
pub(crate) fn keep_whole(module: &Module<'_>) {
    let blocks = module.get_functions().flat_map(|function| function.get_basic_block_iter());
    let selections: Vec<_> = blocks.flat_map(|block| block.get_instructions()).filter_map(Joined::of).collect();
    for joined in selections {
        joined.hide(module.get_context());
    }
}

/// A selection, the operation that is its condition, and that in PTX.
struct Joined<'l> {
    selection: InstructionValue<'l>,
    operation: InstructionValue<'l>,
    ptx: &'static str,
}

impl<'l> Joined<'l> {
    fn of(selection: InstructionValue<'l>) -> Option<Self> {
        // LLVM makes operations of selections of truth values.
        if selection.get_opcode() != InstructionOpcode::Select || is_truth(selection.get_operand(1)?.value()?) {
            return None;
        }
        let condition = selection.get_operand(0)?.value().filter(|condition| is_truth(*condition))?;
        let operation = condition.into_int_value().as_instruction()?;
        let ptx = match operation.get_opcode() {
            InstructionOpcode::Or => "or.pred $0, $1, $2;",
            InstructionOpcode::And => "and.pred $0, $1, $2;",
            _ => return None,
        };
        operation.get_first_use()?.get_next_use().is_none().then_some(Self { selection, operation, ptx })
    }

    fn hide(self, llvm: ContextRef<'l>) {
        let parts = [0, 1].map(|index| self.operation.get_operand(index).and_then(|operand| operand.value()));
        let [Some(left), Some(right)] = parts else { return };
        let ty = llvm.bool_type().fn_type(&[left.get_type().into(), right.get_type().into()], false);
        let (template, constraints) = (self.ptx.to_owned(), "=b,b,b".to_owned());
        let asm = llvm.create_inline_asm(ty, template, constraints, false, false, None, false);
        let builder = llvm.create_builder();
        builder.position_before(&self.operation);
        let Ok(call) = builder.build_indirect_call(ty, asm, &[left.into(), right.into()], "") else { return };
        if let Some(whole) = call.try_as_basic_value().basic() {
            self.selection.set_operand(0, whole);
            self.operation.erase_from_basic_block();
        }
    }
}

/// One truth value, and no vector of them.
pub(crate) fn is_truth(value: BasicValueEnum<'_>) -> bool {
    matches!(value, BasicValueEnum::IntValue(value) if value.get_type().get_bit_width() == 1)
}

#[cfg(test)]
mod tests {
    use crate::machine::ptx_of;

    fn ptx(body: &str) -> String {
        let text =
            format!("define ptx_kernel void @f(ptr addrspace(1) %p, float %x, float %y) {{\n{body}ret void\n}}\n");
        ptx_of(&text)
    }

    const COMPARISONS: &str = "%a = fcmp ogt float %x, %y\n%b = fcmp uno float %x, %x\n";

    #[test]
    fn a_selection_by_two_conditions_is_one() {
        for operation in ["or", "and"] {
            let ptx = ptx(&format!(
                "{COMPARISONS}%c = {operation} i1 %a, %b\n%s = select i1 %c, float %x, float %y\nstore float %s, ptr addrspace(1) %p\n"
            ));
            assert_eq!(
                (ptx.matches("selp").count(), ptx.matches(&format!("{operation}.pred")).count()),
                (1, 1),
                "{ptx}"
            );
        }
    }

    #[test]
    fn others_stay_as_they_are() {
        let twice = "%c = or i1 %a, %b\n%s = select i1 %c, float %x, float %y\n%t = select i1 %c, float %y, float %x\n%u = fadd float %s, %t\n\
                     store float %u, ptr addrspace(1) %p\n";
        let truth = "%c = or i1 %a, %b\n%d = fcmp olt float %y, 0.0\n%s = select i1 %c, i1 %d, i1 false\n%u = uitofp i1 %s to float\n\
                     store float %u, ptr addrspace(1) %p\n";
        for body in [twice, truth] {
            let ptx = ptx(&format!("{COMPARISONS}{body}"));
            assert!(!ptx.contains("inline asm"), "{ptx}");
        }
    }
}
