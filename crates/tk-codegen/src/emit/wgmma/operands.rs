//! The two sides and the accumulators of one product, as `wgmma` wants them.

use super::super::local::places_of_words;
use super::super::words::to_stored;
use super::super::{Emitter, Registers};
use super::descriptor::SharedOperand;
use super::is_word;
use crate::code::{Reg, Ty};
use crate::float_format::Fp8;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::ops::Range;
use tk_diag::Result;
use tk_ir::ops::WarpGroupDotOp;
use tk_ir::{Op, OpKind, Type};
use tk_layout::{Dim, Encoding, LinearLayout, MmaEncoding};
use tk_target::READ_BETWEEN_COLUMNS;
use tk_types::ScalarType;

/// Bits that one instruction takes along K.
const STEP_BITS: u32 = 256;
/// Rows of one instruction.
const ROWS: u32 = 64;

/// What the first instruction of each tile does with the accumulators.
#[derive(Clone, Copy)]
pub(super) enum Scale {
    /// They count as zero.
    Zero,
    /// They count as zero, and the result takes their registers.
    ZeroInPlace,
    /// They are added to.
    One,
    /// They are added to when this holds.
    If(Reg),
}

impl Scale {
    pub(super) fn of<'c>(emitter: &Emitter<'c, '_>, dot: WarpGroupDotOp<'c>) -> Result<Self> {
        let starts_at_zero = emitter.registers(dot.c())?.splat().and_then(Reg::constant) == Some(0);
        let Some(use_c) = dot.use_c().filter(|_| !starts_at_zero) else {
            return Ok(if starts_at_zero { Self::Zero } else { Self::One });
        };
        let condition = emitter.scalar(use_c)?;
        Ok(match condition.constant() {
            Some(0) if dot.is_async() => Self::ZeroInPlace,
            Some(0) => Self::Zero,
            Some(_) => Self::One,
            None => Self::If(condition),
        })
    }
}

/// The layout of the result.
fn accumulator_layout<'c>(emitter: &Emitter<'c, '_>, dot: WarpGroupDotOp<'c>) -> Result<MmaEncoding> {
    match dot.op.result(0).ty().layout().as_deref() {
        Some(Encoding::NvidiaMma(mma)) if mma.version_major == 3 && mma.warps_per_cta.len() == 2 => Ok(mma.clone()),
        _ => Err(emitter.bug(dot.op, "its result has no layout of `wgmma`")),
    }
}

/// The accumulators of one instruction.
pub(super) struct Tile {
    /// First row, in the first warp group.
    pub(super) row: u32,
    /// First column, in the first warp group.
    pub(super) column: u32,
    /// Columns of the instruction.
    pub(super) width: u32,
    /// Its words.
    pub(super) words: Range<usize>,
}

/// The accumulators, instruction by instruction.
pub(super) struct Accumulators {
    /// One tile per instruction that can go on at the same time.
    pub(super) tiles: Vec<Tile>,
    /// The registers of all tiles, in the order of the instruction's operands.
    pub(super) words: Vec<Reg>,
    /// Type of a word.
    pub(super) word: Ty,
    element: Ty,
    /// For each element of the words, lowest first: its register in the tensor.
    places: Vec<usize>,
    /// Registers of the tensor. Those that pad columns to a power of two are in no word.
    registers: usize,
}

/// Of so many columns of the result, or terms of its sums, those that the program has.
fn inside(size: Option<i64>, all: u32) -> u32 {
    size.and_then(|size| u32::try_from(size).ok()).map_or(all, |size| size.clamp(1, all))
}

/// Of the terms of each sum, those of all instructions that multiply some of the program's.
fn terms(dot: WarpGroupDotOp<'_>) -> u32 {
    let ty = dot.a().ty();
    let all = ty.shape()[1] as u32;
    inside(dot.op.inside().and_then(|inside| inside.terms()), all)
        .next_multiple_of(STEP_BITS / ty.element_bits())
        .min(all)
}

/// Columns of the instruction for so many: a multiple of 8, or of 16 from 32 on where operands are integers.
fn instruction_width(columns: u32, multiplies_integers: bool) -> u32 {
    columns.next_multiple_of(if multiplies_integers && columns > 24 { 16 } else { 8 })
}

impl Accumulators {
    pub(super) fn of<'c>(emitter: &mut Emitter<'c, '_>, dot: WarpGroupDotOp<'c>) -> Result<Self> {
        let mma = accumulator_layout(emitter, dot)?;
        let tensor = emitter.tensor(dot.op.result(0).ty())?;
        check_fragment(&tensor.layout, 2, 4).map_err(|why| emitter.bug(dot.op, why))?;
        let register_at = registers_by_position(&tensor.layout);
        let (columns, element) = (mma.instr_shape[1], tensor.element);
        let inside = inside(dot.op.inside().and_then(|inside| inside.along(1)), tensor.shape[1] as u32);
        let row_step = (16 * mma.warps_per_cta[0]) as usize;
        let column_step = (columns * mma.warps_per_cta[1]) as usize;
        let word = if is_word(element) { element } else { Ty::I32 };
        let per_word = (word.bits() / element.bits()) as usize;
        let (mut tiles, mut places) = (Vec::new(), Vec::with_capacity(tensor.registers));
        for row in (0..tensor.shape[0] as u32).step_by(row_step) {
            // The first warp group has the first columns: where it has none that count, no group has.
            for column in (0..inside).step_by(column_step) {
                let start = places.len() / per_word;
                let width = columns.min(instruction_width(inside - column, matches!(element, Ty::Int(_))));
                for at in 0..width / 2 {
                    let position = (row + (at >> 1 & 1) * 8, column + at / 4 * 8 + (at & 1));
                    let register = register_at.get(&position).copied();
                    places.push(register.ok_or_else(|| emitter.bug(dot.op, "the result lacks an accumulator"))?);
                }
                tiles.push(Tile { row, column, width, words: start..places.len() / per_word });
            }
        }
        let values = emitter.registers(dot.c())?.to_vec(tensor.registers);
        let mut words = Vec::with_capacity(places.len() / per_word);
        for run in places.chunks(per_word) {
            let run: Vec<Reg> = run.iter().map(|place| values[*place]).collect();
            words.push(emitter.code.pack(&run, word));
        }
        Ok(Self { tiles, words, word, element, places, registers: tensor.registers })
    }

    /// Whether several elements share a register, so that taking them apart reads it.
    pub(super) fn are_packed(&self) -> bool {
        self.word != self.element
    }

    /// Adds partial sums; `first` says that the scale still counts.
    pub(super) fn add(&mut self, emitter: &mut Emitter<'_, '_>, scale: &Scale, first: bool, parts: &[Reg]) {
        let code = &mut emitter.code;
        for (word, part) in self.words.iter_mut().zip(parts) {
            let sum = code.fadd(*word, *part);
            *word = match scale {
                Scale::Zero | Scale::ZeroInPlace if first => *part,
                Scale::If(condition) if first => code.select(*condition, sum, *part),
                _ => sum,
            };
        }
    }

    /// The registers of the tensor.
    pub(super) fn unpack(&self, emitter: &mut Emitter<'_, '_>) -> Registers {
        let zero = emitter.code.zero(self.element);
        let mut registers = vec![zero; self.registers];
        let mut places = self.places.iter();
        for word in &self.words {
            for (value, place) in emitter.code.unpack(*word, self.element).into_iter().zip(&mut places) {
                registers[*place] = value;
            }
        }
        registers.into()
    }
}

/// The left operand.
pub(super) enum Left {
    /// In shared memory, with the descriptor of its first tile.
    Shared(SharedOperand, [Reg; 1]),
    /// In registers: four words per instruction, steps along K innermost.
    Registers { words: Vec<Reg>, row_step: u32 },
    /// Read from shared memory by the product itself: the place of each such word. The words of an instruction are read while the one
    /// before it multiplies, so that the first one waits for its own words only.
    Read { places: Vec<Reg>, bases: Vec<Reg>, row_step: u32 },
}

impl Left {
    /// Whether elements along K are neighbours.
    fn is_k_major(&self) -> bool {
        match self {
            Left::Shared(side, _) => side.is_k_major,
            Left::Registers { .. } | Left::Read { .. } => true,
        }
    }

    /// The product reads its words from shared memory.
    pub(super) fn is_read(&self) -> bool {
        matches!(self, Left::Read { .. })
    }

    /// Its words are computed in registers.
    pub(super) fn is_computed(&self) -> bool {
        matches!(self, Left::Registers { .. })
    }

    /// What inline PTX takes of it.
    pub(super) fn inputs(&self) -> &[Reg] {
        match self {
            Left::Shared(_, descriptor) => descriptor,
            Left::Registers { words, .. } => words,
            Left::Read { bases, .. } => bases,
        }
    }
}

/// Both operands.
pub(super) struct Operands {
    pub(super) left: Left,
    /// The descriptor of the first tile of the right operand.
    pub(super) right: Reg,
    right_side: SharedOperand,
    /// Names of the types of result and operands.
    types: String,
    /// What follows its operands.
    pub(super) modifiers: String,
    element_bits: u32,
    depth: u32,
}

impl Operands {
    pub(super) fn of<'c>(emitter: &mut Emitter<'c, '_>, dot: WarpGroupDotOp<'c>) -> Result<Self> {
        let op = dot.op;
        let mma = accumulator_layout(emitter, dot)?;
        let result = emitter.tensor(op.result(0).ty())?;
        let (a, b) = (dot.a().ty(), dot.b().ty());
        let element_bits = a.element_bits();
        let depth = terms(dot);
        let right_side = SharedOperand::of(emitter, op, b, 0)?;
        let left = if a.is_memdesc() {
            let side = SharedOperand::of(emitter, op, a, 1)?;
            let images = group_images(&result.layout, Dim::Axis(0), |row| side.start(row, 0));
            let descriptor = side.first(emitter, dot.a(), &images)?;
            Left::Shared(side, [descriptor])
        } else {
            let row_step = 16 * mma.warps_per_cta[0];
            let columns = mma.instr_shape[1];
            let is_read_once = b.shape()[1] == i64::from(columns * mma.warps_per_cta[1]);
            let pays = columns >= READ_BETWEEN_COLUMNS && is_read_once;
            let load = dot.a().defining_op().filter(|load| pays && can_be_read_by(*load, dot));
            match load.map(|load| places_of_words(emitter, load)).transpose()?.flatten() {
                Some(places) => {
                    let places = left_values(emitter, dot, row_step, &places)?.concat();
                    let mut bases: Vec<Reg> = Vec::new();
                    for base in places.iter().map(|place| place.base()) {
                        if !bases.contains(&base) {
                            bases.push(base);
                        }
                    }
                    Left::Read { places, bases, row_step }
                }
                None => Left::Registers { words: left_words(emitter, dot, row_step)?, row_step },
            }
        };
        let images = group_images(&result.layout, Dim::Axis(1), |column| right_side.start(column, 0));
        let right = right_side.first(emitter, dot.b(), &images)?;
        let names = (type_name(a), type_name(b), result_name(result.element));
        let (Some(a_name), Some(b_name), Some(d_name)) = names else {
            return Err(emitter.bug(op, "`wgmma` does not multiply these types"));
        };
        let types = format!("{d_name}.{a_name}.{b_name}");
        let modifiers = modifiers(&left, &right_side, a_name);
        if element_bits != 16 && !(left.is_k_major() && right_side.is_k_major) {
            return Err(emitter.bug(op, "`wgmma` takes operands along M or N only when they have 16 bits"));
        }
        Ok(Self { left, right, right_side, types, modifiers, element_bits, depth })
    }

    /// The instruction of a tile up to its operands.
    pub(super) fn instruction(&self, tile: &Tile) -> String {
        let depth = self.elements_per_step();
        format!("wgmma.mma_async.sync.aligned.m{ROWS}n{}k{depth}.{}", tile.width, self.types)
    }

    /// Instructions along K.
    pub(super) fn steps(&self) -> usize {
        (self.depth * self.element_bits / STEP_BITS) as usize
    }

    /// The words of the left operand for an instruction at a row and a step, where they are computed.
    pub(super) fn left_words(&self, (row, step): (u32, usize)) -> &[Reg] {
        let Left::Registers { words, row_step } = &self.left else { return &[] };
        let first = 4 * ((row / row_step) as usize * self.steps() + step);
        &words[first..first + 4]
    }

    fn elements_per_step(&self) -> u32 {
        STEP_BITS / self.element_bits
    }

    /// Steps of each sum that is added to the accumulators outside; `None` where the tensor cores add to them.
    pub(super) fn steps_of_partial_sums(&self, dot: WarpGroupDotOp<'_>) -> Option<usize> {
        dot.terms_of_partial_sums().map(|terms| (terms / self.elements_per_step()).max(1) as usize)
    }

    /// Writes what computes the left operand of instruction `name` at a row and a step, and gives its text.
    pub(super) fn write_left(&self, text: &mut String, number: usize, at: (u32, usize), name: usize) -> String {
        let (row, step) = at;
        match &self.left {
            Left::Shared(side, _) => {
                let start = side.start(row, step as u32 * self.elements_per_step());
                descriptor(text, ("left", name), start)
            }
            Left::Registers { row_step, .. } => {
                let first = number + 4 * ((row / row_step) as usize * self.steps() + step);
                format!("{{ ${first}, ${}, ${}, ${} }}", first + 1, first + 2, first + 3)
            }
            Left::Read { places, bases, row_step } => {
                let first = 4 * ((row / row_step) as usize * self.steps() + step);
                for (word, place) in places[first..first + 4].iter().enumerate() {
                    let base = bases.iter().position(|base| *base == place.base()).unwrap_or(0);
                    let (to, from) = (4 * name + word, number + base);
                    _ = write!(text, "ld.shared.b32 word{to}, [ ${from} + {} ];\n\t", place.offset());
                }
                text.push_str("wgmma.fence.sync.aligned;\n\t");
                let word = 4 * name;
                format!("{{ word{word}, word{}, word{}, word{} }}", word + 1, word + 2, word + 3)
            }
        }
    }

    /// Writes what computes the right operand of instruction `name` at a column and a step, and gives its text.
    pub(super) fn write_right(&self, text: &mut String, at: (u32, usize), name: usize) -> String {
        let (column, step) = at;
        let start = self.right_side.start(column, step as u32 * self.elements_per_step());
        descriptor(text, ("right", name), start)
    }

    /// Writes the descriptors of the first tiles, from which `write_left` and `write_right` step: a step is one addition in 64 bits,
    /// which uniform registers do in one instruction. Making a new pair of words for each step took two.
    pub(super) fn write_first_descriptors(&self, text: &mut String, left: usize, right: usize) {
        if let Left::Shared(side, _) = &self.left {
            _ = write!(text, "mov.b64 left_first, {{ ${left}, {} }};\n\t", side.high_word());
        }
        _ = write!(text, "mov.b64 right_first, {{ ${right}, {} }};\n\t", self.right_side.high_word());
    }
}

/// The descriptor that lies `units` after the first one; its register belongs to the `index`-th instruction. The sum stays within the
/// bits of the address.
fn descriptor(text: &mut String, (side, index): (&str, usize), units: u32) -> String {
    match units {
        0 => _ = write!(text, "mov.b64 {side}{index}, {side}_first;\n\t"),
        _ => _ = write!(text, "add.s64 {side}{index}, {side}_first, {units};\n\t"),
    }
    format!("{side}{index}")
}

/// How far the tile of a warp group lies from the first one's, for each bit of the group's number.
fn group_images(layout: &LinearLayout, axis: Dim, start: impl Fn(u32) -> u32) -> Vec<u32> {
    (2..layout.in_bits(Dim::Warp)).map(|bit| start(layout.basis(Dim::Warp, bit, axis))).collect()
}

/// Nothing between a load and the product that it feeds alone writes to memory or meets.
fn can_be_read_by(load: Op<'_>, dot: WarpGroupDotOp<'_>) -> bool {
    let between = std::iter::successors(load.next(), |op| op.next()).take_while(|op| *op != dot.op);
    let is_harmless = |op: Op<'_>| {
        op.is_memory_effect_free()
            || matches!(op.kind(), OpKind::TtgLocalLoad | OpKind::TtgMemDescIndex | OpKind::TtgMemDescTrans)
    };
    load.kind() == OpKind::TtgLocalLoad && load.block() == dot.op.block() && between.into_iter().all(is_harmless)
}

/// The words of a left operand that is computed, in any order; none where it stands in shared memory.
pub(in crate::emit) fn computed_words<'c>(emitter: &mut Emitter<'c, '_>, dot: WarpGroupDotOp<'c>) -> Result<Vec<Reg>> {
    if dot.a().ty().is_memdesc() {
        return Ok(Vec::new());
    }
    let row_step = 16 * accumulator_layout(emitter, dot)?.warps_per_cta[0];
    left_words(emitter, dot, row_step)
}

/// The left operand's words, instruction by instruction.
fn left_words<'c>(emitter: &mut Emitter<'c, '_>, dot: WarpGroupDotOp<'c>, row_step: u32) -> Result<Vec<Reg>> {
    let tensor = emitter.tensor(dot.a().ty())?;
    let values = emitter.registers(dot.a())?.to_vec(tensor.registers);
    let mut words = Vec::with_capacity(values.len());
    for run in left_values(emitter, dot, row_step, &values)? {
        let stored: Vec<Reg> = run.iter().map(|value| to_stored(&mut emitter.code, *value)).collect();
        words.push(emitter.code.pack(&stored, Ty::I32));
    }
    Ok(words)
}

/// Of `values`, one for each register of the left operand, those of each word, instruction by instruction.
fn left_values<'c>(
    emitter: &mut Emitter<'c, '_>,
    dot: WarpGroupDotOp<'c>,
    row_step: u32,
    values: &[Reg],
) -> Result<Vec<Vec<Reg>>> {
    let tensor = emitter.tensor(dot.a().ty())?;
    let per_word = 32 / tensor.element.bits();
    check_fragment(&tensor.layout, per_word, 4).map_err(|why| emitter.bug(dot.op, why))?;
    let register_at = registers_by_position(&tensor.layout);
    let step = 8 * per_word;
    let mut words = Vec::with_capacity(tensor.registers / per_word as usize);
    for row in (0..tensor.shape[0] as u32).step_by(row_step as usize) {
        for k in (0..terms(dot)).step_by(step as usize) {
            for word in 0..4 {
                let (row, k) = (row + word % 2 * 8, k + word / 2 * 4 * per_word);
                let run = (0..per_word).map(|at| {
                    let register = register_at.get(&(row, k + at)).copied();
                    register.map(|register| values[register])
                });
                let run: Option<Vec<Reg>> = run.collect();
                words.push(run.ok_or_else(|| emitter.bug(dot.op, "the left operand lacks an element"))?);
            }
        }
    }
    Ok(words)
}

/// The register of each element that the first thread holds, by its position.
fn registers_by_position(layout: &LinearLayout) -> FxHashMap<(u32, u32), usize> {
    let mut found = FxHashMap::default();
    for register in 0..layout.in_size(Dim::Register) {
        let image = layout.apply_dim(Dim::Register, register);
        let position = (layout.unpack_dim(image, Dim::Axis(0)), layout.unpack_dim(image, Dim::Axis(1)));
        found.entry(position).or_insert(register as usize);
    }
    found
}

/// Whether lanes hold `width` consecutive columns each, four lanes a row, and the warps of a group 16 rows each.
fn check_fragment(layout: &LinearLayout, width: u32, lanes: u32) -> Result<(), String> {
    let (rows, columns) = (Dim::Axis(0), Dim::Axis(1));
    let is = |dim: Dim, bit: u32, row: u32, column: u32| {
        layout.basis(dim, bit, rows) == row && layout.basis(dim, bit, columns) == column
    };
    let fits = (0..lanes.trailing_zeros()).all(|bit| is(Dim::Lane, bit, 0, width << bit))
        && (2..5).all(|bit| is(Dim::Lane, bit, 1 << (bit - 2), 0))
        && (0..2).all(|bit| is(Dim::Warp, bit, 16 << bit, 0));
    if fits { Ok(()) } else { Err(format!("{layout} is no register fragment of `wgmma`")) }
}

/// The name of an operand's element type; integers are signed.
fn type_name(ty: Type<'_>) -> Option<&'static str> {
    match ty.element().float() {
        Some(ScalarType::F16) => Some("f16"),
        Some(ScalarType::BF16) => Some("bf16"),
        Some(ScalarType::F32) => Some("tf32"),
        Some(other) => Fp8::of(other)?.ptx_name,
        None => (ty.element().int_bits() == Some(8)).then_some("s8"),
    }
}

fn result_name(ty: Ty) -> Option<&'static str> {
    match ty {
        Ty::F32 => Some("f32"),
        Ty::F16 => Some("f16"),
        Ty::Int(32) => Some("s32"),
        Ty::Int(_) | Ty::BF16 | Ty::F64 | Ty::Ptr(_) | Ty::Vector(..) => None,
    }
}

/// Signs of the operands, and for 16-bit operands in shared memory whether they lie along M or N.
fn modifiers(left: &Left, right: &SharedOperand, type_name: &str) -> String {
    let mut text = String::new();
    if type_name != "s8" {
        text.push_str(", 1, 1");
    }
    if matches!(type_name, "f16" | "bf16") {
        if let Left::Shared(side, _) = left {
            text.push_str(if side.is_k_major { ", 0" } else { ", 1" });
        }
        text.push_str(if right.is_k_major { ", 0" } else { ", 1" });
    }
    text
}
