//! Loops and branches: structured control flow to blocks and phis.
//!
//! Loops are written already rotated (a guard, then the body with its test at the end), so that LLVM need not do it. What they carry is in
//! `carried.rs`.

use super::atomic::fence;
use super::carried::{CarryPlan, latch_values, open, plan, rebuild};
use super::{Emitter, Registers};
use crate::code::{Asm, IntTest, Label, LoopMark, Phi, Reg, Ty};
use rustc_hash::FxHashMap;
use tk_diag::{Diagnostic, Result};
use tk_ir::attributes::LIKELY;
use tk_ir::ops::{ForOp, IfOp, WarpGroupDotOp, WhileOp};
use tk_ir::{Op, OpKind};

/// `scf.for`.
pub(super) fn emit_for<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = ForOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no loop"))?;
    let (lower, upper, step) =
        (emitter.scalar(view.lower_bound())?, emitter.scalar(view.upper_bound())?, emitter.scalar(view.step())?);
    let test = if view.unsigned_cmp() { IntTest::Ult } else { IntTest::Slt };
    let iterations = known_iterations(lower, upper, step);
    let lower = emitter.code.settle(lower)?;
    let (arguments, yielded, inits) = (view.iter_args(), view.yielded(), view.init_args());
    let mut plans = Vec::with_capacity(arguments.len());
    for ((argument, yielded), init) in arguments.iter().zip(&yielded).zip(&inits) {
        plans.push(plan(emitter, *argument, *yielded, *init)?);
    }

    let enters = emitter.code.icmp(test, lower, upper);
    if enters.constant() == Some(0) {
        // What is known of the bits of the bounds shows that it never runs.
        for (init, result) in inits.iter().zip(op.results()) {
            let registers = emitter.registers(*init)?;
            emitter.define(result, registers);
        }
        return Ok(());
    }
    let (body, exit) = (emitter.code.label(), emitter.code.label());
    let before = emitter.code.here();
    let always = enters.constant().is_some_and(|value| value != 0);
    emitter.code.branch(enters, body, exit)?;

    emitter.code.open_scope(body, true);
    let (counter, counter_phi) = induction(emitter, [lower, upper, step], test)?;
    let mut carried = Vec::with_capacity(plans.len());
    for plan in plans {
        carried.push(open(emitter, plan)?);
    }
    emitter.define_scalar(view.induction_var(), counter);
    for (argument, carried) in arguments.iter().zip(&carried) {
        emitter.define(*argument, carried.registers.clone());
    }
    emitter.emit_block(view.body())?;

    let mut results = Vec::with_capacity(carried.len());
    for (index, (carried, yielded)) in carried.iter().zip(&yielded).enumerate() {
        let mut values = latch_values(emitter, op, carried, *yielded)?;
        if needs_register_of_its_own(view, index) {
            values = values.into_iter().map(|value| copy_of(emitter, value)).collect::<Result<_>>()?;
        }
        results.push(values);
    }
    let next = emitter.code.add(counter, step);
    let next = emitter.code.settle(next)?;
    let again = emitter.code.icmp(test, next, upper);
    let latch = emitter.code.here();
    let back = end_iteration(emitter, view, again, [body, exit])?;
    mark(emitter, op, iterations);
    // A loop that is known to end after one iteration has no way back.
    let repeats = again.constant() != Some(0);
    let phis = carried.iter().zip(&results).flat_map(|(carried, values)| carried.phis.iter().zip(values));
    let phis = phis.map(|(carried, value)| (carried.phi, carried.initial, *value));
    for (phi, initial, value) in std::iter::once((counter_phi, lower, next)).chain(phis) {
        emitter.code.add_incoming(phi, initial, before)?;
        if repeats {
            emitter.code.add_incoming(phi, value, back)?;
        }
    }
    emitter.code.close_scope();

    emitter.code.continue_at(exit);
    for ((carried, values), result) in carried.iter().zip(&results).zip(op.results()) {
        let mut finals = Vec::with_capacity(values.len());
        for (phi, value) in carried.phis.iter().zip(values) {
            finals.push(if always {
                emitter.code.adopt(*value)?
            } else {
                join(emitter, (phi.initial, before), (*value, latch))?
            });
        }
        let registers = rebuild(emitter, carried, &finals);
        emitter.define(result, registers);
    }
    Ok(())
}

/// Goes back to the body, or on to the exit: what atomic operations acquire for the next iteration is acquired on the way back. Gives the block that goes back.
fn end_iteration<'c, 'l>(
    emitter: &mut Emitter<'c, 'l>,
    view: ForOp<'c>,
    again: Reg,
    [body, exit]: [Label<'l>; 2],
) -> Result<Label<'l>> {
    let scopes = emitter.acquired_behind.remove(&view.body().id()).unwrap_or_default();
    if scopes.is_empty() || again.constant() == Some(0) {
        emitter.code.branch(again, body, exit)?;
        return Ok(emitter.code.here());
    }
    let back = emitter.code.label();
    emitter.code.branch(again, back, exit)?;
    emitter.code.continue_at(back);
    for scope in scopes {
        emitter.code.asm(fence(scope))?;
    }
    emitter.code.jump(body)?;
    Ok(back)
}

/// Iterations of a loop of products that ptxas may write one after the other where it knows how many there are. With more it did so up to 16 times,
/// took up to 36 registers more, and kernels were up to 11 % slower (docs/measurements.md, "Loops of products stay loops").
const MOST_WRITTEN_OUT: i64 = 2;

/// Steps of loops that ptxas may copy. It was seen to write 32 copies, and a loop from 0 to 4 in steps of 1,000,000,000 then ran 32 times and not once.
const MOST_UNROLLED: i64 = 1 << 24;

/// Says what LLVM and ptxas are to leave as it is; the block that closes the loop has ended.
fn mark(emitter: &mut Emitter<'_, '_>, op: Op<'_>, iterations: Option<i64>) {
    let keeps_inside = op.attr(tk_ir::attributes::DISABLE_LICM).is_some();
    let multiplies_often = iterations.is_some_and(|iterations| iterations > MOST_WRITTEN_OUT)
        && op.descendants().iter().any(|op| matches!(op.kind(), OpKind::TtDot | OpKind::TtngWarpGroupDot));
    // ptxas would copy the body of the few iterations that are left once more. And it takes the ends of copies to be numbers that do not wrap around.
    let wraps = ForOp::cast(op).and_then(|view| view.step().constant_int()).is_some_and(|step| step > MOST_UNROLLED);
    let keeps_rolled = multiplies_often || wraps || op.attr(tk_ir::attributes::WRITTEN_ONCE).is_some();
    let marks = [(keeps_inside, LoopMark::KeepInside), (keeps_rolled, LoopMark::KeepRolled)];
    let marks: Vec<LoopMark> = marks.into_iter().filter(|(holds, _)| *holds).map(|(_, mark)| mark).collect();
    emitter.code.mark_loop(&marks);
}

/// How often a loop runs whose bounds are constants.
fn known_iterations(lower: Reg, upper: Reg, step: Reg) -> Option<i64> {
    let (lower, upper, step) = (lower.constant()?, upper.constant()?, step.constant().filter(|step| *step > 0)?);
    Some((upper.saturating_sub(lower)).max(0).saturating_add(step - 1) / step)
}

/// A result of a dot that was waited for becomes a carried value other than the one that the dot adds to, or something else as well.
/// Dot and wait share its registers, so LLVM would put the copy that this takes before the wait, where the dot still writes them.
fn needs_register_of_its_own(view: ForOp<'_>, index: usize) -> bool {
    let yielded = view.yielded()[index];
    let mut value = yielded;
    while let Some((wait, result)) =
        value.defining_op().filter(|op| op.kind() == OpKind::TtngWarpGroupDotWait).and_then(|op| {
            let result = op.results().into_iter().position(|result| result == value)?;
            Some((op, result))
        })
    {
        value = wait.operand(result);
    }
    let dot = value.defining_op().and_then(WarpGroupDotOp::cast).filter(|_| value != yielded);
    dot.is_some_and(|dot| yielded.users().len() > 1 || !dot.c().comes_from(view.iter_args()[index], view.body()))
}

/// A register of its own with the same bits.
fn copy_of(emitter: &mut Emitter<'_, '_>, reg: Reg) -> Result<Reg> {
    let ty = reg.ty();
    let asm = Asm::new(format!("mov.b{} $0, $1;", ty.bits())).output(ty).input(reg).without_effects();
    emitter.code.asm(asm)?.into_iter().next().ok_or_else(|| Diagnostic::bug("a copy has a result").boxed())
}

/// The counter of a loop: known not to be negative when it starts so and counts up, a multiple of what divides start and step, and between the bounds.
fn induction<'l>(
    emitter: &mut Emitter<'_, 'l>,
    [lower, upper, step]: [Reg; 3],
    test: IntTest,
) -> Result<(Reg, Phi<'l>)> {
    let code = &mut emitter.code;
    let low = (code.zeros(lower).trailing_ones()).min(code.zeros(step).trailing_ones()).min(63);
    let mut zeros = (1u64 << low) - 1;
    let ty = lower.ty();
    if test == IntTest::Slt && code.is_non_negative(lower) && step.constant().is_some_and(|step| step > 0) {
        zeros |= 1 << (ty.bits() - 1);
    }
    let (counter, phi) = code.phi(ty, zeros)?;
    if test == IntTest::Slt {
        code.assume_counts(counter, lower, upper, step);
    }
    Ok((counter, phi))
}

/// One value from two predecessors of the current block.
fn join<'l>(emitter: &mut Emitter<'_, 'l>, a: (Reg, Label<'l>), b: (Reg, Label<'l>)) -> Result<Reg> {
    if a.0 == b.0 {
        return Ok(a.0);
    }
    let zeros = if a.0.ty().is_int() { emitter.code.zeros(a.0) & emitter.code.zeros(b.0) } else { 0 };
    let (value, phi) = emitter.code.phi(a.0.ty(), zeros)?;
    emitter.code.add_incoming(phi, a.0, a.1)?;
    emitter.code.add_incoming(phi, b.0, b.1)?;
    Ok(value)
}

/// `scf.if`.
pub(super) fn emit_if<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = IfOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no branch"))?;
    let condition = emitter.scalar(view.condition())?;
    if let Some(value) = condition.constant() {
        let taken = if value != 0 { Some(view.then_block()) } else { view.else_block() };
        let Some(block) = taken else { return Ok(()) };
        let last = emitter.emit_block(block)?;
        for (result, value) in op.results().into_iter().zip(last.map(Op::operands).unwrap_or_default()) {
            let registers = emitter.registers(value)?;
            emitter.define(result, registers);
        }
        return Ok(());
    }
    let before = emitter.code.here();
    let (then, merge) = (emitter.code.label(), emitter.code.label());
    let otherwise = if view.else_block().is_some() { emitter.code.label() } else { merge };
    emitter.code.branch(condition, then, otherwise)?;
    if op.attr(LIKELY).is_some() {
        emitter.code.expect_first_side()?;
    }
    let (then_values, then_end) = emit_branch(emitter, view.then_block(), then, merge)?;
    let (else_values, else_end) = match view.else_block() {
        Some(block) => emit_branch(emitter, block, otherwise, merge)?,
        None => (Vec::new(), before),
    };
    emitter.code.continue_at(merge);
    for ((result, a), b) in op.results().into_iter().zip(then_values).zip(else_values) {
        let registers = merge_registers(emitter, (&a, then_end), (&b, else_end))?;
        emitter.define(result, registers);
    }
    Ok(())
}

/// Emits one side of a branch up to its jump to `merge`; its values are computed there.
fn emit_branch<'c, 'l>(
    emitter: &mut Emitter<'c, 'l>,
    block: tk_ir::Block<'c>,
    label: Label<'l>,
    merge: Label<'l>,
) -> Result<(Vec<Registers>, Label<'l>)> {
    if block.ops().iter().any(|op| matches!(op.kind(), OpKind::TtDot | OpKind::TtngWarpGroupDot)) {
        emitter.code.open_branch_of_products(label);
    } else {
        emitter.code.open_scope(label, false);
    }
    let last = emitter.emit_block(block)?;
    let mut values = Vec::new();
    for value in last.map(Op::operands).unwrap_or_default() {
        let registers = emitter.registers(value)?;
        values.push(registers.try_map(|reg| emitter.code.force(reg).map(|()| reg))?);
    }
    let end = emitter.code.here();
    emitter.code.jump(merge)?;
    emitter.code.close_scope();
    Ok((values, end))
}

/// Registers that come from two sides: equal ones need nothing, ones with equal constants a phi of their computed parts, and each
/// pair is joined once. Phis come first in the block, so differing constants are joined by phis too and added afterwards.
fn merge_registers<'l>(
    emitter: &mut Emitter<'_, 'l>,
    a: (&Registers, Label<'l>),
    b: (&Registers, Label<'l>),
) -> Result<Registers> {
    let splat = a.0.splat().is_some() && b.0.splat().is_some();
    let count = a.0.len().max(b.0.len());
    let mut joined: FxHashMap<(Reg, Reg), Reg> = FxHashMap::default();
    let mut parts = Vec::with_capacity(count);
    for index in 0..count {
        let (x, y) = (a.0.get(index), b.0.get(index));
        let constant = if x.constant().is_some() { y.offset() } else { x.offset() };
        let both_computed = x.constant().is_none() && y.constant().is_none();
        let key = if both_computed {
            (x.base(), y.base())
        } else {
            (moved(x, constant.wrapping_neg()), moved(y, constant.wrapping_neg()))
        };
        let base = match joined.get(&key) {
            Some(base) => *base,
            None => {
                let base = join(emitter, (key.0, a.1), (key.1, b.1))?;
                joined.insert(key, base);
                base
            }
        };
        // Both sides have a computed part but different constants: the constants are joined as numbers.
        let differ = both_computed && x.offset() != y.offset();
        let offsets = if differ {
            let ty = if x.ty().is_ptr() { Ty::Int(x.ty().bits()) } else { x.ty() };
            let (p, q) = (emitter.code.int(ty, x.offset()), emitter.code.int(ty, y.offset()));
            Some(join(emitter, (p, a.1), (q, b.1))?)
        } else {
            None
        };
        parts.push((x, base, offsets, constant));
    }
    let code = &mut emitter.code;
    let finish = |(x, base, offsets, constant): (Reg, Reg, Option<Reg>, i64)| match offsets {
        Some(offset) if x.ty().is_ptr() => code.ptr_add(base, offset),
        Some(offset) => code.add(base, offset),
        None => moved(base, constant),
    };
    let registers: Vec<Reg> = parts.into_iter().map(finish).collect();
    Ok(if splat { Registers::Splat(registers[0]) } else { registers.into() })
}

/// An integer or pointer plus a constant; floats have none.
fn moved(reg: Reg, by: i64) -> Reg {
    if reg.ty().is_float() { reg } else { reg.with_offset(reg.offset().wrapping_add(by)) }
}

/// `scf.while`.
pub(super) fn emit_while<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = WhileOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no loop"))?;
    let arguments = view.before().arguments();
    let mut plans = Vec::with_capacity(arguments.len());
    for (argument, init) in arguments.iter().zip(view.inits()) {
        let initial = emitter.registers(init)?.try_map(|reg| emitter.code.settle(reg))?;
        let (count, is_tensor) = (emitter.register_count(argument.ty())?, argument.ty().is_tensor());
        plans.push(CarryPlan::each(initial, count, is_tensor));
    }
    let (header, body, exit) = (emitter.code.label(), emitter.code.label(), emitter.code.label());
    let before = emitter.code.here();
    emitter.code.jump(header)?;
    emitter.code.open_scope(header, true);
    let mut carried = Vec::with_capacity(plans.len());
    for (plan, argument) in plans.into_iter().zip(&arguments) {
        let value = open(emitter, plan)?;
        emitter.define(*argument, value.registers.clone());
        carried.push(value);
    }
    emitter.emit_block(view.before())?;
    let condition = emitter.scalar(view.condition().condition())?;
    let mut passed = Vec::new();
    for value in view.condition().args() {
        passed.push(emitter.registers(value)?.try_map(|reg| emitter.code.settle(reg))?);
    }
    emitter.code.branch(condition, body, exit)?;

    emitter.code.open_scope(body, true);
    for (argument, registers) in view.after().arguments().into_iter().zip(&passed) {
        emitter.define(argument, registers.clone());
    }
    emitter.emit_block(view.after())?;
    let mut next = Vec::with_capacity(carried.len());
    for (carried, yielded) in carried.iter().zip(view.yield_op().operands()) {
        next.push(latch_values(emitter, op, carried, yielded)?);
    }
    let latch = emitter.code.here();
    emitter.code.jump(header)?;
    mark(emitter, op, None);
    emitter.code.close_scope();
    for (carried, values) in carried.iter().zip(&next) {
        for (carried, value) in carried.phis.iter().zip(values) {
            emitter.code.add_incoming(carried.phi, carried.initial, before)?;
            emitter.code.add_incoming(carried.phi, *value, latch)?;
        }
    }
    emitter.code.close_scope();
    emitter.code.continue_at(exit);
    for (result, registers) in op.results().into_iter().zip(passed) {
        let adopted = registers.try_map(|reg| emitter.code.adopt(reg))?;
        emitter.define(result, adopted);
    }
    Ok(())
}
