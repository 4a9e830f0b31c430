//! Loops and branches: structured control flow to blocks and phis.
//!
//! Loops are written already rotated (a guard, then the body with its test at the end), so that LLVM need not do it. A tensor that
//! a loop only moves by an amount common to its registers (pointers, mostly) is carried by one phi per distinct computed part,
//! and the constants that tell its registers apart stay constants.

use super::{Emitter, Registers};
use crate::code::{Asm, IntTest, Label, Phi, Reg, Ty};
use rustc_hash::FxHashMap;
use tk_diag::{Diagnostic, Result};
use tk_ir::attributes::LIKELY;
use tk_ir::ops::{ForOp, IfOp, WarpGroupDotOp, WhileOp};
use tk_ir::{Op, OpKind, Value};

/// A phi of a loop-carried value.
struct CarriedPhi<'l> {
    phi: Phi<'l>,
    /// What it is before the loop.
    initial: Reg,
}

/// A loop-carried value: what its registers are in the body, and the phis behind them.
struct Carried<'l> {
    /// Registers at the start of an iteration.
    registers: Registers,
    /// Registers before the loop.
    initial: Registers,
    phis: Vec<CarriedPhi<'l>>,
    /// For each register, its phi; empty when nothing changes.
    phi_of: Vec<usize>,
    /// The one phi is the distance that all pointers have moved, not a register.
    is_distance: bool,
}

/// `scf.for`.
pub(super) fn emit_for<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = ForOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no loop"))?;
    let (lower, upper, step) =
        (emitter.scalar(view.lower_bound())?, emitter.scalar(view.upper_bound())?, emitter.scalar(view.step())?);
    let test = if view.unsigned_cmp() { IntTest::Ult } else { IntTest::Slt };
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
    let (counter, counter_phi) = induction(emitter, lower, step, test)?;
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
    emitter.code.branch(again, body, exit)?;
    keep_inside(emitter, op);
    // A loop that is known to end after one iteration has no way back.
    let repeats = again.constant() != Some(0);
    let phis = carried.iter().zip(&results).flat_map(|(carried, values)| carried.phis.iter().zip(values));
    let phis = phis.map(|(carried, value)| (carried.phi, carried.initial, *value));
    for (phi, initial, value) in std::iter::once((counter_phi, lower, next)).chain(phis) {
        emitter.code.add_incoming(phi, initial, before)?;
        if repeats {
            emitter.code.add_incoming(phi, value, latch)?;
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

/// Passes `disable_licm` of a loop on to LLVM; the block that closes the loop has ended.
fn keep_inside(emitter: &mut Emitter<'_, '_>, op: Op<'_>) {
    if op.attr(tk_ir::attributes::DISABLE_LICM).is_some() {
        emitter.code.keep_inside_loop();
    }
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

/// The counter of a loop: known not to be negative when it starts so and counts up, and a multiple of what divides start and step.
fn induction<'l>(emitter: &mut Emitter<'_, 'l>, lower: Reg, step: Reg, test: IntTest) -> Result<(Reg, Phi<'l>)> {
    let code = &mut emitter.code;
    let low = (code.zeros(lower).trailing_ones()).min(code.zeros(step).trailing_ones()).min(63);
    let mut zeros = (1u64 << low) - 1;
    let ty = lower.ty();
    if test == IntTest::Slt && code.is_non_negative(lower) && step.constant().is_some_and(|step| step > 0) {
        zeros |= 1 << (ty.bits() - 1);
    }
    code.phi(ty, zeros)
}

/// What the distance that pointers move by is added to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sums {
    /// What many pointers have in common, where that saves registers (`moved.rs`).
    InCommon,
    /// Each pointer.
    Apart,
}

impl Sums {
    /// Those of a value that a loop carries. Copies of a loop with `wgmma` are issued right behind a wait, from few pointers beside few
    /// registers of data: with sums in common such products were 3 to 8 % slower.
    fn of(initial: &Registers, yielded: Value<'_>) -> Self {
        if !are_several_pointers(initial) {
            return Self::Apart;
        }
        let Some(around) = yielded.defining_op().and_then(|op| op.parent_op()) else { return Self::InCommon };
        let ops = around.descendants();
        let has = |kind: OpKind| ops.iter().any(|op| op.kind() == kind);
        let is_of_copies = has(OpKind::TtngWarpGroupDot) && has(OpKind::TtgAsyncCopyGlobalToLocal);
        if is_of_copies { Self::Apart } else { Self::InCommon }
    }
}

/// How a loop carries one value.
struct CarryPlan {
    initial: Registers,
    count: usize,
    is_tensor: bool,
    way: Way,
}

enum Way {
    /// It never changes.
    Same,
    /// All registers move by the same amounts.
    Together { low_zeros: u32, sums: Sums },
    /// Register by register.
    Each,
}

fn plan<'c>(
    emitter: &mut Emitter<'c, '_>,
    argument: Value<'c>,
    yielded: Value<'c>,
    init: Value<'c>,
) -> Result<CarryPlan> {
    let initial = emitter.registers(init)?;
    let count = emitter.register_count(argument.ty())?;
    let way = match common_moves(emitter, argument, yielded) {
        Some(moves) if moves.is_empty() => Way::Same,
        Some(moves) if argument.ty().is_tensor() => {
            let known = moves.iter().map(|value| match emitter.known(*value) {
                Some(registers) => emitter.code.zeros(registers.get(0)).trailing_ones(),
                None => value.constant_int().map_or(0, i64::trailing_zeros),
            });
            Way::Together { low_zeros: known.min().unwrap_or(0), sums: Sums::of(&initial, yielded) }
        }
        _ => Way::Each,
    };
    // What is not carried together goes into phis whole; compute it here, before the loop's guard.
    let settled = match way {
        Way::Same => initial,
        Way::Together { .. } => initial.try_map(|reg| emitter.code.force(reg).map(|()| reg))?,
        Way::Each => initial.try_map(|reg| emitter.code.settle(reg))?,
    };
    Ok(CarryPlan { initial: settled, count, is_tensor: argument.ty().is_tensor(), way })
}

/// The values that are added to `argument` to get `yielded`, when each of them is the same for all registers.
fn common_moves<'c>(emitter: &Emitter<'c, '_>, argument: Value<'c>, yielded: Value<'c>) -> Option<Vec<Value<'c>>> {
    let mut moves = Vec::new();
    let mut value = yielded;
    while value != argument {
        let op = value.defining_op()?;
        let next = if op.kind() == OpKind::TtAddPtr {
            0
        } else if op.kind() == OpKind::ArithAddI {
            if is_uniform(emitter, op.operand(1)) { 0 } else { 1 }
        } else {
            return None;
        };
        let amount = op.operand(1 - next);
        if !is_uniform(emitter, amount) {
            return None;
        }
        moves.push(amount);
        value = op.operand(next);
    }
    Some(moves)
}

fn is_uniform<'c>(emitter: &Emitter<'c, '_>, value: Value<'c>) -> bool {
    if !value.ty().is_tensor() || emitter.known(value).is_some_and(|registers| registers.splat().is_some()) {
        return true;
    }
    value.defining_op().is_some_and(|op| {
        let is_source = matches!(op.kind(), OpKind::TtSplat | OpKind::ArithConstant);
        let keeps = keeps_uniform(op.kind()) && op.operands().into_iter().all(|operand| is_uniform(emitter, operand));
        is_source || keeps
    })
}

/// Integer operations that loops move pointers by. Of others it is not asked whether they are the same everywhere.
fn keeps_uniform(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::ArithExtSI
            | OpKind::ArithExtUI
            | OpKind::ArithTruncI
            | OpKind::ArithMulI
            | OpKind::ArithAddI
            | OpKind::ArithSubI
    )
}

/// The phis of a carried value, at the start of the loop's block.
fn open<'l>(emitter: &mut Emitter<'_, 'l>, plan: CarryPlan) -> Result<Carried<'l>> {
    let CarryPlan { initial, count, is_tensor, way } = plan;
    let mut carried = Carried {
        registers: initial.clone(),
        initial: initial.clone(),
        phis: Vec::new(),
        phi_of: Vec::new(),
        is_distance: false,
    };
    match way {
        Way::Same => {}
        Way::Together { sums, .. } if are_several_pointers(&initial) => {
            // One distance in place of a phi per pointer: what is added to all of them is added once.
            let zero = emitter.code.int(Ty::I64, 0);
            let (distance, phi) = emitter.code.phi(Ty::I64, 0)?;
            emitter.code.assume_moving(distance);
            if sums == Sums::InCommon {
                emitter.code.move_in_common(&initial.to_vec(initial.len()));
            }
            let moved = initial.try_map(|reg| Ok::<_, Box<Diagnostic>>(emitter.code.ptr_add(reg, distance)))?;
            carried.phis.push(CarriedPhi { phi, initial: zero });
            carried.phi_of = vec![0; moved.len()];
            carried.registers = moved;
            carried.is_distance = true;
        }
        Way::Each => {
            let registers = initial.to_vec(count);
            let mut values = Vec::with_capacity(count);
            for (index, reg) in registers.iter().enumerate() {
                let (value, phi) = emitter.code.phi(reg.ty(), 0)?;
                carried.phis.push(CarriedPhi { phi, initial: *reg });
                carried.phi_of.push(index);
                values.push(value);
            }
            // A tensor of one register per thread is not the same everywhere because it began so.
            carried.registers = if is_tensor { values.into() } else { Registers::Splat(values[0]) };
        }
        Way::Together { low_zeros, .. } => {
            let mut phi_of_base: FxHashMap<Reg, (usize, Reg)> = FxHashMap::default();
            let mut values = Vec::with_capacity(initial.len());
            for reg in initial.to_vec(initial.len()) {
                // Constants have no computed part: they start from zero like the others start from theirs.
                let base = reg.base();
                let (number, value) = match phi_of_base.get(&base) {
                    Some(found) => *found,
                    None => {
                        let low = if reg.ty().is_int() {
                            low_zeros.min(emitter.code.zeros(base).trailing_ones()).min(63)
                        } else {
                            0
                        };
                        let (value, phi) = emitter.code.phi(reg.ty(), (1u64 << low) - 1)?;
                        carried.phis.push(CarriedPhi { phi, initial: base });
                        phi_of_base.insert(base, (carried.phis.len() - 1, value));
                        (carried.phis.len() - 1, value)
                    }
                };
                carried.phi_of.push(number);
                values.push(value.with_offset(reg.offset()));
            }
            carried.registers = if initial.splat().is_some() { Registers::Splat(values[0]) } else { values.into() };
        }
    }
    Ok(carried)
}

/// What each phi of a carried value gets from the end of the body.
fn latch_values<'c>(
    emitter: &mut Emitter<'c, '_>,
    op: Op<'c>,
    carried: &Carried<'_>,
    yielded: Value<'c>,
) -> Result<Vec<Reg>> {
    let mut values: Vec<Option<Reg>> = vec![None; carried.phis.len()];
    if carried.phis.is_empty() {
        return Ok(Vec::new());
    }
    let yielded = emitter.registers(yielded)?;
    for (index, number) in carried.phi_of.iter().enumerate() {
        let reg = yielded.get(index);
        // The register is the phi plus this constant, so the phi's next value is the register's without it.
        let constant = carried.registers.get(index).offset();
        let next = if carried.is_distance {
            let moved = emitter.code.distance_from(reg, carried.initial.get(index));
            moved.ok_or_else(|| emitter.bug(op, "pointers that move together come apart"))?
        } else {
            reg.with_offset(reg.offset().wrapping_sub(constant))
        };
        match values[*number] {
            None => values[*number] = Some(next),
            Some(other) if other == next => {}
            Some(_) => return Err(emitter.bug(op, "registers that move together come apart")),
        }
    }
    values.into_iter().flatten().map(|value| emitter.code.settle(value)).collect()
}

/// The registers of a carried value from what its phis have become.
fn rebuild(emitter: &mut Emitter<'_, '_>, carried: &Carried<'_>, finals: &[Reg]) -> Registers {
    if carried.phis.is_empty() {
        return carried.initial.clone();
    }
    let mut at = |index: usize| {
        let value = finals[carried.phi_of[index]];
        if carried.is_distance {
            return emitter.code.ptr_add(carried.initial.get(index), value);
        }
        value.with_offset(value.offset().wrapping_add(carried.registers.get(index).offset()))
    };
    match &carried.registers {
        Registers::Splat(_) => Registers::Splat(at(0)),
        Registers::Each(regs) => Registers::Each((0..regs.len()).map(&mut at).collect()),
    }
}

/// Whether these are pointers with different computed parts.
fn are_several_pointers(registers: &Registers) -> bool {
    let first = registers.get(0);
    first.ty().is_ptr() && (1..registers.len()).any(|index| registers.get(index).base() != first.base())
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
        plans.push(CarryPlan { initial, count, is_tensor, way: Way::Each });
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
    keep_inside(emitter, op);
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
