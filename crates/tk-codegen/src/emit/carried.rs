//! Values that loops carry: what their registers are in the body, and the phis behind them.
//!
//! A tensor that a loop only moves by an amount common to its registers (pointers, mostly) is carried by one phi per distinct computed part,
//! and the constants that tell its registers apart stay constants. Elements of 8 and 16 bits that were loaded for a later iteration wait in the words
//! that they came in: as phis of their own each would have a register, and be taken out of its word and put back in every iteration.

use super::{Emitter, Registers};
use crate::code::{Phi, Reg, Ty};
use rustc_hash::FxHashMap;
use tk_diag::{Diagnostic, Result};
use tk_ir::attributes::VECTOR;
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind, Value};

/// A phi of a loop-carried value.
pub(super) struct CarriedPhi<'l> {
    pub(super) phi: Phi<'l>,
    /// What it is before the loop.
    pub(super) initial: Reg,
}

/// A loop-carried value: what its registers are in the body, and the phis behind them.
pub(super) struct Carried<'l> {
    /// Registers at the start of an iteration.
    pub(super) registers: Registers,
    /// Registers before the loop.
    initial: Registers,
    pub(super) phis: Vec<CarriedPhi<'l>>,
    /// For each register, its phi; empty when nothing changes.
    phi_of: Vec<usize>,
    are: Phis,
}

/// What the phis of a carried value are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phis {
    /// Registers, or their computed parts.
    Registers,
    /// One: the distance that all pointers have moved.
    Distance,
    /// Words of 32 bits with several registers each.
    Words,
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
pub(super) struct CarryPlan {
    initial: Registers,
    count: usize,
    /// The type of its registers.
    element: Ty,
    is_tensor: bool,
    way: Way,
}

enum Way {
    /// It never changes.
    Same,
    /// All registers move by the same amounts.
    Together { low_zeros: u32, sums: Sums },
    /// Several registers in a word.
    Words,
    /// Register by register.
    Each,
}

impl CarryPlan {
    /// Register by register.
    pub(super) fn each(initial: Registers, count: usize, is_tensor: bool) -> Self {
        let element = initial.get(0).ty();
        Self { initial, count, element, is_tensor, way: Way::Each }
    }
}

/// Bits of a word that elements wait in.
const WORD_BITS: u32 = 32;

/// How a loop carries an argument that becomes `yielded`.
pub(super) fn plan<'c>(
    emitter: &mut Emitter<'c, '_>,
    argument: Value<'c>,
    yielded: Value<'c>,
    init: Value<'c>,
) -> Result<CarryPlan> {
    let initial = emitter.registers(init)?;
    let count = emitter.register_count(argument.ty())?;
    let element = initial.get(0).ty();
    let way = match common_moves(emitter, argument, yielded) {
        Some(moves) if moves.is_empty() => Way::Same,
        Some(moves) if argument.ty().is_tensor() => {
            let known = moves.iter().map(|value| match emitter.known(*value) {
                Some(registers) => emitter.code.zeros(registers.get(0)).trailing_ones(),
                None => value.constant_int().map_or(0, i64::trailing_zeros),
            });
            Way::Together { low_zeros: known.min().unwrap_or(0), sums: Sums::of(&initial, yielded) }
        }
        _ if waits_in_words(yielded, element) && are_whole_words(count as u32, element) => Way::Words,
        _ => Way::Each,
    };
    // What is not carried together goes into phis whole; compute it here, before the loop's guard.
    let settled = match way {
        Way::Same => initial,
        Way::Together { .. } => initial.try_map(|reg| emitter.code.force(reg).map(|()| reg))?,
        Way::Words => words_of(emitter, &initial.to_vec(count))?.into(),
        Way::Each => initial.try_map(|reg| emitter.code.settle(reg))?,
    };
    Ok(CarryPlan { initial: settled, count, element, is_tensor: argument.ty().is_tensor(), way })
}

/// A loaded block of elements of this type, or one that an earlier iteration loaded, all of whose accesses are whole words.
fn waits_in_words(yielded: Value<'_>, element: Ty) -> bool {
    if !matches!(element, Ty::Int(8 | 16) | Ty::F16 | Ty::BF16) {
        return false;
    }
    let (mut value, mut seen) = (yielded, 0);
    loop {
        if let Some(load) = value.defining_op() {
            let width = load.int_attr(VECTOR).and_then(|width| u32::try_from(width).ok()).unwrap_or(1);
            return load.kind() == OpKind::TtLoad && value.ty().is_tensor() && are_whole_words(width, element);
        }
        // An argument of the loop: what the iteration before had in its place.
        let Some((block, _)) = value.block_argument() else { return false };
        let Some(view) = block.parent_op().and_then(ForOp::cast) else { return false };
        let place = view.iter_args().into_iter().position(|argument| argument == value);
        let Some(before) = place.map(|place| view.yielded()[place]) else { return false };
        seen += 1;
        if seen > view.iter_args().len() {
            return false;
        }
        value = before;
    }
}

/// So many elements fill words.
fn are_whole_words(count: u32, element: Ty) -> bool {
    (count * element.bits()).is_multiple_of(WORD_BITS)
}

/// Registers in words, which are computed here.
fn words_of(emitter: &mut Emitter<'_, '_>, registers: &[Reg]) -> Result<Vec<Reg>> {
    let elements = (WORD_BITS / registers[0].ty().bits()) as usize;
    let words = registers.chunks(elements);
    words.map(|run| Ok(emitter.code.pack(run, Ty::I32)).and_then(|word| emitter.code.settle(word))).collect()
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
pub(super) fn open<'l>(emitter: &mut Emitter<'_, 'l>, plan: CarryPlan) -> Result<Carried<'l>> {
    let CarryPlan { initial, count, element, is_tensor, way } = plan;
    let mut carried = Carried {
        registers: initial.clone(),
        initial: initial.clone(),
        phis: Vec::new(),
        phi_of: Vec::new(),
        are: Phis::Registers,
    };
    match way {
        Way::Same => {}
        Way::Words => {
            let mut values = Vec::with_capacity(count);
            for word in initial.to_vec(initial.len()) {
                let (value, phi) = emitter.code.phi(Ty::I32, 0)?;
                carried.phis.push(CarriedPhi { phi, initial: word });
                values.extend(emitter.code.unpack(value, element));
            }
            carried.registers = values.into();
            carried.are = Phis::Words;
        }
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
            carried.are = Phis::Distance;
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
pub(super) fn latch_values<'c>(
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
    if carried.are == Phis::Words {
        return words_of(emitter, &yielded.to_vec(carried.registers.len()));
    }
    for (index, number) in carried.phi_of.iter().enumerate() {
        let reg = yielded.get(index);
        // The register is the phi plus this constant, so the phi's next value is the register's without it.
        let constant = carried.registers.get(index).offset();
        let next = if carried.are == Phis::Distance {
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
pub(super) fn rebuild(emitter: &mut Emitter<'_, '_>, carried: &Carried<'_>, finals: &[Reg]) -> Registers {
    if carried.phis.is_empty() {
        return carried.initial.clone();
    }
    if carried.are == Phis::Words {
        let element = carried.registers.get(0).ty();
        let values: Vec<Reg> = finals.iter().flat_map(|word| emitter.code.unpack(*word, element)).collect();
        return values.into();
    }
    let mut at = |index: usize| {
        let value = finals[carried.phi_of[index]];
        if carried.are == Phis::Distance {
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
