//! Selections between a number and the number changed become changes by a selected number.
//!
//! `tl.where(column == label, p - 1.0, p)` is `p + (column == label ? -1.0 : -0.0)`, for every `p`: adding -0.0 and multiplying by 1.0 change
//! nothing. As a selection of the result, ptxas makes it one addition under a truth value, which therefore has to be there when `p` is. A thread has
//! seven of them, and masked loads need one each: ptxas then works off one element after the other, each of which waits for its load. The selected
//! number does not depend on what was loaded, and takes no truth value while that is waited for (docs/measurements.md, "Conditions keep loads apart").
//!
//! True for conditions about integers, places most often: one about the number itself has to wait for it anyway. Then for blocks with at least
//! [`LEAST`] such selections and as many accesses under truth values, and constants that change a number for the selection alone.

use crate::conditions::is_truth;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::values::{BasicValueEnum, FloatValue, InstructionOpcode, InstructionValue, IntValue};

/// Selections and accesses of a block from which on truth values are scarce.
const LEAST: usize = 4;

/// The operand of an addition or multiplication that is a constant, if one is: LLVM puts it last.
const CONSTANT: u32 = 1;

/// Conditions that are joined, at most.
const MOST_JOINED: usize = 3;

/// Moves selections to what their number is changed by. LLVM's passes have run, which would move them back.
pub(crate) fn select_first(module: &Module<'_>) {
    let builder = module.get_context().create_builder();
    for block in module.get_functions().flat_map(|function| function.get_basic_block_iter()) {
        let changes: Vec<_> = block.get_instructions().filter_map(Change::of).collect();
        if changes.len() >= LEAST && accesses_under_conditions(block) >= LEAST {
            changes.into_iter().for_each(|change| change.select_first(&builder));
        }
    }
}

/// Accesses in PTX of their own that a truth value allows.
fn accesses_under_conditions(block: BasicBlock<'_>) -> usize {
    let is_access = |instruction: &InstructionValue<'_>| {
        instruction.get_opcode() == InstructionOpcode::Call
            && instruction
                .get_operands()
                .flatten()
                .any(|operand| operand.value().is_some_and(|value| truth(value).is_some()))
    };
    block.get_instructions().filter(is_access).count()
}

/// A selection between a number and the number changed.
struct Change<'l> {
    selection: InstructionValue<'l>,
    condition: IntValue<'l>,
    /// The addition or multiplication of a constant.
    change: InstructionValue<'l>,
    /// The selection takes the changed number where the condition holds.
    is_first: bool,
    /// What changes nothing.
    neutral: f64,
}

impl<'l> Change<'l> {
    fn of(selection: InstructionValue<'l>) -> Option<Self> {
        if selection.get_opcode() != InstructionOpcode::Select {
            return None;
        }
        let operand = |index| selection.get_operand(index)?.value();
        let condition = truth(operand(0)?).filter(|condition| asks_integers(*condition, MOST_JOINED))?;
        let (first, second) = (single(operand(1)?)?, single(operand(2)?)?);
        let of = |changed: FloatValue<'l>, number, is_first| {
            let change = changed.as_instruction()?;
            let neutral = neutral_of(change, number)?;
            let is_alone =
                change.get_first_use()?.get_next_use().is_none() && change.get_parent() == selection.get_parent();
            is_alone.then_some(Self { selection, condition, change, is_first, neutral })
        };
        of(first, second, true).or_else(|| of(second, first, false))
    }

    fn select_first(self, builder: &Builder<'l>) {
        let Some(by) = self.change.get_operand(CONSTANT).and_then(|operand| single(operand.value()?)) else { return };
        let neutral = by.get_type().const_float(self.neutral);
        let (first, second) = if self.is_first { (by, neutral) } else { (neutral, by) };
        builder.position_before(&self.selection);
        let Ok(selected) = builder.build_select(self.condition, first, second, "") else { return };
        // The condition may be computed behind the change.
        self.change.remove_from_basic_block();
        builder.insert_instruction(&self.change, None);
        self.change.set_operand(CONSTANT, selected);
        self.selection.replace_all_uses_with(&self.change);
        self.selection.erase_from_basic_block();
    }
}

/// The condition compares integers, or joins such comparisons.
fn asks_integers(condition: IntValue<'_>, joined: usize) -> bool {
    let Some(instruction) = condition.as_instruction() else { return true };
    match instruction.get_opcode() {
        InstructionOpcode::ICmp => true,
        InstructionOpcode::And | InstructionOpcode::Or | InstructionOpcode::Xor if joined > 0 => instruction
            .get_operands()
            .flatten()
            .filter_map(|operand| truth(operand.value()?))
            .all(|each| asks_integers(each, joined - 1)),
        _ => false,
    }
}

/// What would leave a number as it is, of an operation that adds a constant to it or multiplies it by one. (LLVM makes subtractions of constants additions.)
fn neutral_of(change: InstructionValue<'_>, number: FloatValue<'_>) -> Option<f64> {
    let operand = |index| single(change.get_operand(index)?.value()?);
    let neutral = match change.get_opcode() {
        InstructionOpcode::FAdd => -0.0,
        InstructionOpcode::FMul => 1.0,
        _ => return None,
    };
    let is_changed = operand(0)? == number && operand(1)?.is_const();
    is_changed.then_some(neutral)
}

/// One float of 32 bits.
fn single(value: BasicValueEnum<'_>) -> Option<FloatValue<'_>> {
    match value {
        BasicValueEnum::FloatValue(value) if value.get_type().get_bit_width() == 32 => Some(value),
        _ => None,
    }
}

/// One truth value.
fn truth(value: BasicValueEnum<'_>) -> Option<IntValue<'_>> {
    is_truth(value).then(|| value.into_int_value())
}

#[cfg(test)]
mod tests {
    use crate::machine::ptx_of;

    /// PTX of a block with so many elements: `accesses` of them are stored under a truth value, each after `operation`.
    fn ptx(elements: usize, accesses: usize, operation: &str) -> String {
        let mut body = String::new();
        for at in 0..elements {
            body += &format!(
                "%x{at} = load float, ptr addrspace(1) %p\n%m{at} = icmp slt i32 %c, {at}\n%e{at} = icmp eq i32 %d, {at}\n"
            );
            body += &operation.replace('#', &at.to_string());
            let store = format!(
                "call void asm sideeffect \"@$2 st.global.f32 [$0], $1;\", \"l,f,b\"(ptr addrspace(1) %p, float %s{at}, i1 %m{at})\n"
            );
            body += &if at < accesses { store } else { format!("store volatile float %s{at}, ptr addrspace(1) %p\n") };
        }
        let text = format!(
            "define ptx_kernel void @f(ptr addrspace(1) %p, i32 %c, i32 %d, float %k) {{\n{}ret void\n}}\n",
            body.replace("= load float", "= load volatile float")
        );
        ptx_of(&text)
    }

    const LABEL: &str = "%y# = fadd float %x#, -1.0\n%s# = select i1 %e#, float %y#, float %x#\n";

    #[test]
    fn the_number_that_changes_another_is_selected() {
        let neutral = [
            (LABEL, "0f80000000"),
            ("%y# = fmul float %x#, 2.0\n%s# = select i1 %e#, float %x#, float %y#\n", "0f3F800000"),
        ];
        for (operation, neutral) in neutral {
            let ptx = ptx(4, 4, operation);
            let selects =
                |line: &&str| line.contains("selp.") && (line.contains(neutral) || line.contains("2147483648"));
            assert_eq!(ptx.lines().filter(selects).count(), 4, "{ptx}");
        }
    }

    #[test]
    fn others_stay_as_they_are() {
        let twice = format!("{LABEL}%z# = fadd float %y#, %k\nstore volatile float %z#, ptr addrspace(1) %p\n");
        let of_itself =
            "%f# = fcmp olt float %x#, 1.0\n%y# = fmul float %x#, 2.0\n%s# = select i1 %f#, float %y#, float %x#\n";
        let other = "%y# = fadd float %x#, %k\n%s# = select i1 %e#, float %y#, float %x#\n";
        for (elements, accesses, operation) in
            [(3, 3, LABEL), (4, 3, LABEL), (4, 4, &twice), (4, 4, other), (4, 4, of_itself)]
        {
            let ptx = ptx(elements, accesses, operation);
            assert!(!ptx.lines().any(|line| line.contains("selp.") && line.contains("0f")), "{ptx}");
        }
    }
}
