//! `ttng.warp_group_dot` and `ttng.warp_group_dot_wait`: matrix products by `wgmma`.
//!
//! Four warps issue one instruction, which reads tiles from shared memory through 64-bit matrix descriptors (`descriptor`) and adds
//! to accumulators in registers while the warps go on. Nothing may touch those registers before a wait. So one block of inline PTX
//! holds all instructions of a product, every accumulator is an operand that is tied to its result there and again in the wait, and
//! neither LLVM nor ptxas has a reason to copy one in between. A block per instruction would be the same to ptxas, but LLVM would
//! have to carry all accumulators from each instruction to the next. Only a product that starts in steps ([`issue_by_step`]) does.
//!
//! Two products must not look alike to ptxas, which takes those for one whose registers have the same names, whatever was assigned to
//! the names in between (12.9 and 13.0: accumulators of a product that is used and then added to; 13.4: descriptors, too; tests/hopper
//! counts what is left of them). So every instruction has descriptors of its own, and a product that waits adds to copies of its
//! accumulators ([`Issue`]): ptxas mostly keeps both in the same registers all the same. Copies of accumulators in flight would make it wait, so a product
//! that stays in flight has its operands tied.

mod descriptor;
mod operands;

use super::{Emitter, Registers};
use crate::code::{Asm, Code, Reg, Ty};
pub(super) use operands::computed_words;
use operands::{Accumulators, Operands, Scale};
use std::fmt::Write;
use tk_diag::Result;
use tk_ir::ops::WarpGroupDotOp;
use tk_ir::{Op, OpKind, Value};
use tk_types::DotPolicy;

/// `ttng.warp_group_dot`.
pub(super) fn emit_dot<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let dot = WarpGroupDotOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no dot of a warp group"))?;
    if !emitter.settings.target.has_wgmma() {
        return Err(emitter.bug(op, format!("{} has no `wgmma`", emitter.settings.target)));
    }
    let operands = Operands::of(emitter, dot)?;
    let scale = Scale::of(emitter, dot)?;
    if matches!(scale, Scale::ZeroInPlace) {
        compute_readers(emitter, dot)?;
    }
    let mut accumulators = Accumulators::of(emitter, dot)?;
    let waits = !dot.is_async() || accumulators.are_packed() || emitter.settings.dots == DotPolicy::Wait;
    let how = match waits {
        false => Issue::InFlight,
        true if is_carried(dot) => Issue::InPlace,
        true => Issue::ToCopies,
    };
    let depth = operands.steps();
    let by_step = op.attr(tk_ir::attributes::BY_STEP).is_some() && depth > 1;
    match operands.steps_of_partial_sums(dot) {
        Some(steps) => {
            for start in (0..depth).step_by(steps) {
                let steps = start..depth.min(start + steps);
                let parts = issue(emitter, &operands, &accumulators, Scale::Zero, steps, Issue::ToCopies)?;
                accumulators.add(emitter, &scale, start == 0, &parts);
            }
        }
        _ if by_step && !waits && operands.left.is_computed() && matches!(scale, Scale::One) => {
            accumulators.words = issue_by_step(emitter, &operands, &accumulators)?;
        }
        _ => accumulators.words = issue(emitter, &operands, &accumulators, scale, 0..depth, how)?,
    }
    let registers = accumulators.unpack(emitter);
    emitter.define(op.result(0), registers);
    Ok(())
}

/// How a product adds to its accumulators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Issue {
    /// It stays in flight, and so do they.
    InFlight,
    /// It waits, and they are its own.
    InPlace,
    /// It waits, and adds to copies of them.
    ToCopies,
}

/// A loop carries the sums from one product to the next, and nothing else uses them there: no other product can look like this one. Where a branch
/// of the loop leaves the product out, ptxas would move copies to the registers that the loop carries and back.
fn is_carried(dot: WarpGroupDotOp<'_>) -> bool {
    dot.c().block_argument().is_some() && is_handed_on(dot.c(), dot.op) && is_handed_on(dot.op.result(0), dot.op)
}

/// Uses of a value are `dot`, waits and ends of blocks.
fn is_handed_on<'c>(value: Value<'c>, dot: Op<'c>) -> bool {
    value.users().into_iter().all(|(user, operand)| {
        let waits = user.kind() == OpKind::TtngWarpGroupDotWait;
        user == dot || user.kind() == OpKind::ScfYield || waits && is_handed_on(user.result(operand), dot)
    })
}

/// What is computed from the accumulators is computed before the product fills their registers; afterwards it would be computed from copies.
fn compute_readers<'c>(emitter: &mut Emitter<'c, '_>, dot: WarpGroupDotOp<'c>) -> Result<()> {
    let users = dot.c().users().into_iter().map(|(user, _)| user);
    let mut readers: Vec<Op<'c>> = users.filter(|user| user.block() == dot.op.block() && *user != dot.op).collect();
    readers.retain(|reader| reader.is_before_in_block(dot.op));
    let results: Vec<Value<'c>> = match dot.op.attr(tk_ir::attributes::SUMS_FIRST) {
        Some(_) => sums_of(dot, readers),
        None => readers.into_iter().flat_map(|reader| reader.results()).collect(),
    };
    let registers = results.iter().map(|result| emitter.registers(*result)).collect::<Result<Vec<_>>>()?;
    let computed = pass_through(emitter, String::new(), registers)?;
    results.into_iter().zip(computed).for_each(|(result, registers)| emitter.define(result, registers));
    Ok(())
}

/// What is computed element by element from `readers` of the accumulators before the product, as far as something else needs it.
fn sums_of<'c>(dot: WarpGroupDotOp<'c>, mut readers: Vec<Op<'c>>) -> Vec<Value<'c>> {
    let (shape, layout) = (dot.c().ty().shape(), dot.c().ty().encoding());
    let is_alike = |value: Value<'c>| value.ty().shape() == shape && value.ty().encoding() == layout;
    let mut next = 0;
    while let Some(reader) = readers.get(next).copied() {
        next += 1;
        for (user, _) in reader.results().into_iter().flat_map(Value::users) {
            let is_before = user.block() == dot.op.block() && user.is_before_in_block(dot.op);
            let computes = user.num_results() == 1 && user.num_regions() == 0 && user.is_memory_effect_free();
            if is_before && computes && is_alike(user.result(0)) && !readers.contains(&user) {
                readers.push(user);
            }
        }
    }
    let is_needed = |value: &Value<'c>| value.users().into_iter().any(|(user, _)| !readers.contains(&user));
    readers.iter().flat_map(|reader| reader.results()).filter(is_needed).collect()
}

/// All instructions of a product over some of its steps along K, as one group. Gives the accumulators.
fn issue(
    emitter: &mut Emitter<'_, '_>,
    operands: &Operands,
    accumulators: &Accumulators,
    scale: Scale,
    steps: std::ops::Range<usize>,
    how: Issue,
) -> Result<Vec<Reg>> {
    let count = accumulators.words.len();
    let reads_sums = !matches!(scale, Scale::Zero);
    let mut asm_inputs = InputNumbers { next: if reads_sums { 2 * count } else { count } };
    let left = asm_inputs.take(operands.left.inputs().len());
    let right = asm_inputs.take(1);
    let mut text = String::with_capacity(256 + 8 * count * steps.len());
    let instructions = accumulators.tiles.len() * steps.len();
    _ = write!(text, "{{\n\t.reg .b64 left<{instructions}>, right<{instructions}>, left_first, right_first;\n\t");
    text.push_str(".reg .pred add, first;\n\tmov.pred add, -1;\n\t");
    if operands.left.is_read() {
        _ = write!(text, ".reg .b32 word<{}>;\n\t", 4 * instructions);
    }
    operands.write_first_descriptors(&mut text, left, right);
    let sums_move = reads_sums && how == Issue::ToCopies;
    if sums_move {
        (0..count).for_each(|word| _ = write!(text, "mov.b32 ${word}, ${};\n\t", count + word));
    }
    match scale {
        Scale::Zero | Scale::ZeroInPlace => text.push_str("mov.pred first, 0;\n\t"),
        Scale::One => text.push_str("mov.pred first, -1;\n\t"),
        Scale::If(_) => _ = write!(text, "mov.pred first, ${};\n\t", asm_inputs.next),
    }
    // A product that reads its left words has a fence behind each reading.
    if !operands.left.is_read() {
        text.push_str("wgmma.fence.sync.aligned;\n\t");
    }
    let mut names = 0..;
    for tile in &accumulators.tiles {
        let sums: Vec<String> = tile.words.clone().map(|word| format!("${word}")).collect();
        let sums = sums.join(", ");
        for (step, name) in steps.clone().zip(&mut names) {
            let a = operands.write_left(&mut text, left, (tile.row, step), name);
            let b = operands.write_right(&mut text, (tile.column, step), name);
            let add = if step == steps.start { "first" } else { "add" };
            _ = write!(text, "{} {{ {sums} }}, {a}, {b}, {add}{};\n\t", operands.instruction(tile), operands.modifiers);
        }
    }
    text.push_str("wgmma.commit_group.sync.aligned;\n\t");
    if how != Issue::InFlight {
        text.push_str("wgmma.wait_group.sync.aligned 0;\n\t");
    }
    text.push('}');

    let mut asm = Asm::new(text);
    if sums_move {
        asm = asm.early_outputs(accumulators.word, count).inputs(&accumulators.words);
    } else {
        asm = asm.outputs(accumulators.word, count);
    }
    if reads_sums && !sums_move {
        for (output, reg) in accumulators.words.iter().enumerate() {
            asm = asm.tied(output, *reg);
        }
    }
    asm = asm.inputs(operands.left.inputs()).input(operands.right);
    if let Scale::If(condition) = scale {
        asm = asm.input(condition);
    }
    emitter.code.asm(asm)
}

/// The instructions of a product that stays in flight, whose left words are computed, one block of inline PTX each, as one group. So the
/// first multiplies while the words of the next are computed, such as the exponentials of attention. Gives the accumulators.
fn issue_by_step(emitter: &mut Emitter<'_, '_>, operands: &Operands, accumulators: &Accumulators) -> Result<Vec<Reg>> {
    let mut words = accumulators.words.clone();
    let depth = operands.steps();
    for (number, tile) in accumulators.tiles.iter().enumerate() {
        let count = tile.words.len();
        let sums = (0..count).map(|word| format!("${word}")).collect::<Vec<String>>().join(", ");
        for step in 0..depth {
            let mut text = String::with_capacity(256 + 8 * count);
            let name = number * depth + step;
            _ = write!(text, "{{\n\t.reg .b64 right<{}>, right_first;\n\t", name + 1);
            text.push_str(".reg .pred add;\n\tmov.pred add, -1;\n\t");
            // Behind the accumulators, which are outputs and inputs, come the left words and the descriptor.
            let left = 2 * count;
            operands.write_first_descriptors(&mut text, left, left + 4);
            text.push_str("wgmma.fence.sync.aligned;\n\t");
            let b = operands.write_right(&mut text, (tile.column, step), name);
            let a = format!("{{ ${left}, ${}, ${}, ${} }}", left + 1, left + 2, left + 3);
            _ = write!(text, "{} {{ {sums} }}, {a}, {b}, add{};\n\t", operands.instruction(tile), operands.modifiers);
            if number + 1 == accumulators.tiles.len() && step + 1 == depth {
                text.push_str("wgmma.commit_group.sync.aligned;\n\t");
            }
            text.push('}');
            let mut asm = Asm::new(text).outputs(accumulators.word, count);
            for (output, reg) in words[tile.words.clone()].iter().enumerate() {
                asm = asm.tied(output, *reg);
            }
            let asm = asm.inputs(operands.left_words((tile.row, step))).input(operands.right);
            words.splice(tile.words.clone(), emitter.code.asm(asm)?);
        }
    }
    Ok(words)
}

/// Numbers of the operands of inline PTX, handed out in order.
struct InputNumbers {
    next: usize,
}

impl InputNumbers {
    /// The first of `count` numbers.
    fn take(&mut self, count: usize) -> usize {
        self.next += count;
        self.next - count
    }
}

/// `ttng.warp_group_dot_wait`: until no more than `pendings` groups are under way. Its operands are there afterwards, so all of their
/// registers pass through it.
pub(super) fn emit_wait<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let pendings = op.int_attr("pendings").unwrap_or(0);
    let mut values = Vec::with_capacity(op.num_operands());
    for operand in op.operands() {
        values.push(emitter.registers(operand)?);
    }
    if emitter.settings.dots == DotPolicy::Wait {
        op.results().into_iter().zip(values).for_each(|(result, registers)| emitter.define(result, registers));
        return Ok(());
    }
    let waited = pass_through(emitter, format!("wgmma.wait_group.sync.aligned {pendings};"), values)?;
    op.results().into_iter().zip(waited).for_each(|(result, registers)| emitter.define(result, registers));
    Ok(())
}

/// Inline PTX through which registers pass: they are computed before it, and what it gives is not there earlier. Constants, such as
/// what pads the columns of a product, stay what they are.
fn pass_through(emitter: &mut Emitter<'_, '_>, text: String, values: Vec<Registers>) -> Result<Vec<Registers>> {
    let passing: Vec<(Registers, Vec<Passing>)> = values
        .into_iter()
        .map(|registers| {
            let passing = match &registers {
                Registers::Each(regs) => passing(&mut emitter.code, regs),
                // A memory descriptor, or a constant.
                Registers::Splat(_) => Vec::new(),
            };
            (registers, passing)
        })
        .collect();
    let parts = passing.iter().flat_map(|(_, parts)| parts);
    let passed: Vec<Reg> = parts.map(|part| part.reg).filter(|reg| reg.constant().is_none()).collect();
    let mut asm = Asm::new(text);
    for reg in &passed {
        asm = asm.output(reg.ty());
    }
    for (output, reg) in passed.iter().enumerate() {
        asm = asm.tied(output, *reg);
    }
    let mut outputs = emitter.code.asm(asm)?.into_iter();
    let mut behind = |(registers, parts): (Registers, Vec<Passing>)| match registers {
        Registers::Each(_) => {
            let mut regs = Vec::with_capacity(parts.len());
            for part in &parts {
                let reg = if part.reg.constant().is_some() { Some(part.reg) } else { outputs.next() };
                regs.extend(reg.map(|reg| emitter.code.unpack(reg, part.element)).unwrap_or_default());
            }
            Registers::from(regs)
        }
        splat => splat,
    };
    Ok(passing.into_iter().map(&mut behind).collect())
}

/// A register that passes through inline PTX: one element, or a word of several.
struct Passing {
    reg: Reg,
    element: Ty,
}

/// Elements that share a word pass together, as in the left operand of a product behind it: passed apart, they would have to be put together there.
fn passing(code: &mut Code<'_>, regs: &[Reg]) -> Vec<Passing> {
    let mut parts = Vec::with_capacity(regs.len());
    let mut rest = regs;
    while let Some(first) = rest.first() {
        let element = first.ty();
        let in_word = if element == Ty::BOOL { 1 } else { (32 / element.bits()) as usize };
        let run = rest.get(..in_word).filter(|run| in_word > 1 && run.iter().all(|reg| reg.ty() == element));
        let (reg, count) = match run {
            Some(run) => (code.pack(run, Ty::I32), in_word),
            None => (*first, 1),
        };
        parts.push(Passing { reg, element });
        rest = &rest[count..];
    }
    parts
}

/// Whether a value of this type can stay in flight: it fills registers of its own.
fn is_word(ty: Ty) -> bool {
    ty.bits() == 32
}
