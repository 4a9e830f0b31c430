//! `ttg.convert_layout`: follows the plan of tk-layout. Registers are renamed, exchanged by shuffles, or go through shared memory.

use super::loads_before::keep_loads_before;
use super::shared::{Shuffle, load_shared, shared_at, shuffle, store_shared};
use super::words::{from_word, stored_type, to_stored};
use super::{Emitter, Registers};
use crate::code::{Asm, Code, IntTest, Reg, Ty};
use tk_diag::Result;
use tk_ir::Op;
use tk_layout::conversion::{
    self, Access, ConversionPlan, Exchange, MatrixAccess, RegisterCopy, SharedPlan, ShufflePlan, Transfer,
};

/// `ttg.convert_layout`.
pub(super) fn emit_convert_layout<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let source = emitter.registers(op.operand(0))?;
    if source.splat().is_some() {
        // Nothing moves, but threads must meet where `insert-barriers` counts on the meeting in a conversion through shared memory.
        if op.int_attr(tk_ir::attributes::ALLOCATION_OFFSET).is_some() {
            emitter.code.barrier()?;
        }
        emitter.define(op.result(0), source);
        return Ok(());
    }
    let (from, to) = (emitter.tensor(op.operand(0).ty())?, emitter.tensor(op.result(0).ty())?);
    let bits = stored_type(from.element).bits();
    let plan = conversion::plan_at(op.conversion_place(), &from.layout, &to.layout, bits, conversion::SCRATCH_BYTES);
    let plan = plan.map_err(|why| emitter.bug(op, why))?;
    let source = source.to_vec(from.registers);
    let registers = match plan {
        ConversionPlan::Reorder { registers } => registers.iter().map(|register| source[*register as usize]).collect(),
        ConversionPlan::Shuffles(plan) => by_shuffles(emitter, &plan, &source, to.registers)?,
        ConversionPlan::Shared(plan) => {
            let scratch = emitter.scratch(op)?;
            emitter.note_shared(op, "layout change", plan.bytes);
            keep_loads_before(&mut emitter.code, op)?;
            through_shared(emitter, &plan, scratch, &source, to.registers)?
        }
    };
    emitter.define(op.result(0), Registers::from(registers));
    Ok(())
}

/// Registers that are filled one by one.
struct Filling {
    registers: Vec<Option<Reg>>,
}

impl Filling {
    fn new(count: usize) -> Self {
        Self { registers: vec![None; count] }
    }

    fn set(&mut self, register: u32, value: Reg) {
        self.registers[register as usize] = Some(value);
    }

    fn finish(mut self, copies: &[RegisterCopy]) -> Result<Vec<Reg>> {
        for copy in copies {
            self.registers[copy.to as usize] = self.registers[copy.from as usize];
        }
        let all: Option<Vec<Reg>> = self.registers.into_iter().collect();
        all.ok_or_else(|| crate::code::bug("a plan leaves a register empty"))
    }
}

fn by_shuffles(
    emitter: &mut Emitter<'_, '_>,
    plan: &ShufflePlan,
    source: &[Reg],
    registers: usize,
) -> Result<Vec<Reg>> {
    let element = source[0].ty();
    let bits = stored_type(element).bits() * plan.src_words[0].len() as u32;
    let mut words: Vec<Reg> = Vec::with_capacity(plan.src_words.len());
    for word in &plan.src_words {
        let values: Vec<Reg> =
            word.iter().map(|register| to_stored(&mut emitter.code, source[*register as usize])).collect();
        words.push(emitter.code.pack(&values, Ty::Int(bits)));
    }
    exchange(emitter, &mut words, &plan.before);
    let identity = plan.lane_map.iter().enumerate().all(|(bit, image)| *image == 1 << bit);
    let linear = if identity { None } else { Some(emitter.linear_offset(&plan.lane_map, &[])) };
    let mut received = vec![words[0]; plan.dst_words.len()];
    for round in &plan.rounds {
        let word = words[round.give as usize];
        received[round.take as usize] = match linear {
            None if round.lane_xor == 0 => word,
            None => shuffle(&mut emitter.code, word, Shuffle::Flip(round.lane_xor))?,
            Some(linear) => {
                let xor = emitter.code.i32(round.lane_xor.into());
                let lane = emitter.code.xor(linear, xor);
                shuffle(&mut emitter.code, word, Shuffle::From(lane))?
            }
        };
    }
    exchange(emitter, &mut received, &plan.after);
    let mut filling = Filling::new(registers);
    for (word, places) in received.iter().zip(&plan.dst_words) {
        for (value, place) in from_word(&mut emitter.code, *word, element).into_iter().zip(places) {
            filling.set(*place, value);
        }
    }
    filling.finish(&plan.copies)
}

/// In lanes with an odd number of bits in common with the mask, words change places.
fn exchange(emitter: &mut Emitter<'_, '_>, words: &mut Vec<Reg>, steps: &[Exchange]) {
    for step in steps {
        let images: Vec<u32> = (0..5).map(|bit| step.lane_mask >> bit & 1).collect();
        let parity = emitter.linear_offset(&images, &[]);
        let code = &mut emitter.code;
        let zero = code.i32(0);
        let exchanges = code.icmp(IntTest::Ne, parity, zero);
        *words = (0..words.len())
            .map(|word| code.select(exchanges, words[word ^ step.word_xor as usize], words[word]))
            .collect();
    }
}

fn through_shared(
    emitter: &mut Emitter<'_, '_>,
    plan: &SharedPlan,
    scratch: Reg,
    source: &[Reg],
    registers: usize,
) -> Result<Vec<Reg>> {
    let predicate = emitter.not_skipped(plan.skip_lanes, plan.skip_warps);
    let mut filling = Filling::new(registers);
    for (number, round) in plan.rounds.iter().enumerate() {
        if number > 0 {
            emitter.code.barrier()?;
        }
        store_side(emitter, &plan.store, number, &round.stores, scratch, source, predicate)?;
        emitter.code.barrier()?;
        load_side(emitter, &plan.load, number, &round.loads, scratch, source[0].ty(), &mut |register, value| {
            filling.set(register, value);
        })?;
    }
    filling.finish(&plan.copies)
}

/// Where the accesses of one side are, in round `round`: the matrix accesses when the GPU has them, otherwise the plain ones.
pub(super) fn matrix_of<'p>(emitter: &Emitter<'_, '_>, access: &'p Access, stores: bool) -> Option<&'p MatrixAccess> {
    access.matrix.as_ref().filter(|_| !stores || emitter.settings.target.has_stmatrix())
}

/// Stores of a side, by `stmatrix` where it fits.
pub(super) fn store_side(
    emitter: &mut Emitter<'_, '_>,
    access: &Access,
    round: usize,
    transfers: &[Transfer],
    start: Reg,
    source: &[Reg],
    predicate: Option<Reg>,
) -> Result<()> {
    let of = |transfer: &Transfer| -> Vec<Reg> {
        transfer.registers.iter().map(|register| source[*register as usize]).collect()
    };
    if let (Some(matrix), None) = (matrix_of(emitter, access, true), predicate) {
        let base = emitter.linear_offset(&matrix.lane_offsets, &access.warp_offsets);
        for transfer in &matrix.rounds[round] {
            let address = shared_at(&mut emitter.code, start, base, transfer.xor, transfer.add);
            store_matrix(&mut emitter.code, matrix, address, &of(transfer))?;
        }
        return Ok(());
    }
    let base = emitter.linear_offset(&access.lane_offsets, &access.warp_offsets);
    for transfer in transfers {
        let address = shared_at(&mut emitter.code, start, base, transfer.xor, transfer.add);
        store_shared(&mut emitter.code, address, &of(transfer), predicate)?;
    }
    Ok(())
}

/// Loads of a side, by `ldmatrix` where it fits; `set` gets every register with its value.
pub(super) fn load_side(
    emitter: &mut Emitter<'_, '_>,
    access: &Access,
    round: usize,
    transfers: &[Transfer],
    start: Reg,
    element: Ty,
    set: &mut dyn FnMut(u32, Reg),
) -> Result<()> {
    let matrix = matrix_of(emitter, access, false);
    let base = match matrix {
        Some(matrix) => emitter.linear_offset(&matrix.lane_offsets, &access.warp_offsets),
        None => emitter.linear_offset(&access.lane_offsets, &access.warp_offsets),
    };
    for transfer in matrix.map_or(transfers, |matrix| &matrix.rounds[round]) {
        let code = &mut emitter.code;
        let address = shared_at(code, start, base, transfer.xor, transfer.add);
        let values = match matrix {
            Some(matrix) => load_matrix(code, matrix, address, element)?,
            None => load_shared(code, address, element, transfer.registers.len())?,
        };
        for (register, value) in transfer.registers.iter().zip(values) {
            set(*register, value);
        }
    }
    Ok(())
}

fn matrix_name(matrix: &MatrixAccess, name: &str) -> String {
    let transposed = if matrix.transposed { ".trans" } else { "" };
    format!("{name}.sync.aligned.m8n8.x{}{transposed}.shared.b16", matrix.count)
}

fn store_matrix(code: &mut Code<'_>, matrix: &MatrixAccess, address: Reg, values: &[Reg]) -> Result<()> {
    let count = matrix.count as usize;
    let values: Vec<Reg> = values.iter().map(|value| to_stored(code, *value)).collect();
    let words: Vec<Reg> = values.chunks(values.len() / count).map(|run| code.pack(run, Ty::I32)).collect();
    let text = format!("{} [ $0 + {} ], {};", matrix_name(matrix, "stmatrix"), address.offset(), Asm::vector(1, count));
    code.asm(Asm::new(text).input(address.base()).inputs(&words))?;
    Ok(())
}

fn load_matrix(code: &mut Code<'_>, matrix: &MatrixAccess, address: Reg, element: Ty) -> Result<Vec<Reg>> {
    let count = matrix.count as usize;
    let text =
        format!("{} {}, [ ${count} + {} ];", matrix_name(matrix, "ldmatrix"), Asm::vector(0, count), address.offset());
    let words = code.asm(Asm::new(text).outputs(Ty::I32, count).input(address.base()))?;
    Ok(words.into_iter().flat_map(|word| from_word(code, word, element)).collect())
}
