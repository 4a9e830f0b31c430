//! Float-to-float conversions, with the 8-bit formats.
//!
//! `cvt` converts pairs to and from e4m3 and e5m2 on sm_89 and later. Older GPUs have none, so there (and for the formats without
//! an instruction) the bits are computed: an 8-bit float widens exactly to half precision by moving its fields.

use super::paired_casts::{self, Narrow};
use super::{Emitter, casts::float_of};
use crate::code::{Asm, Code, IntTest, Reg, Ty};
use crate::emit::Registers;
use crate::float_format::{E5M2, Fp8};
use tk_diag::Result;
use tk_ir::attributes::ALLOCATION_OFFSET;
use tk_ir::{Op, OpKind, Type, Value};
use tk_layout::Encoding;

/// `arith.extf`, `arith.truncf`, `tt.fp_to_fp`.
pub(super) fn emit_float_cast<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, rounding: Rounding) -> Result<()> {
    let types = [op.operand(0).ty(), op.result(0).ty()];
    if types.iter().any(|ty| float_of(*ty).is_none()) {
        return Err(emitter.bug(op, "an operand is no float"));
    }
    let (from, to) = (Width::of(emitter, types[0])?, Width::of(emitter, types[1])?);
    if let (Width::Wide(from), Width::Wide(to)) = (from, to) {
        let pays = |narrow: &Narrow| rounding == Rounding::NearestEven && paired_casts::pay(op, *narrow);
        return match Narrow::of(from, to).filter(pays) {
            Some(narrow) => paired_casts::emit(emitter, op, narrow),
            None => emitter.map(op, |code, x| convert(code, x[0], to, rounding)),
        };
    }
    let source = emitter.registers(op.operand(0))?;
    let means = Means::of(emitter, op.operand(0));
    let registers = match &source {
        Registers::Splat(reg) => {
            Registers::Splat(convert_run(&mut emitter.code, &[*reg], (from, to), rounding, means)?[0])
        }
        Registers::Each(regs) => {
            let mut converted = Vec::with_capacity(regs.len());
            for run in regs.chunks(side_by_side(op.result(0).ty())) {
                converted.extend(convert_run(&mut emitter.code, run, (from, to), rounding, means)?);
            }
            converted.into()
        }
    };
    emitter.define(op.result(0), registers);
    Ok(())
}

/// How a float that does not fit is rounded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    NearestEven,
    TowardZero,
}

/// Between the formats that LLVM knows.
fn convert(code: &mut Code<'_>, a: Reg, ty: Ty, rounding: Rounding) -> Reg {
    if a.ty() == ty {
        return a;
    }
    if a.ty().bits() < ty.bits() {
        return code.fpext(a, ty);
    }
    if a.ty().bits() == ty.bits() {
        let wide = code.fpext(a, Ty::F32);
        return convert(code, wide, ty, rounding);
    }
    match (rounding, a.ty(), ty) {
        (Rounding::TowardZero, Ty::F32, Ty::F16) => code.pure_asm("cvt.rz.f16.f32 $0, $1;", ty, &[a]),
        (Rounding::TowardZero, Ty::F32, Ty::BF16) => code.pure_asm("cvt.rz.bf16.f32 $0, $1;", ty, &[a]),
        (Rounding::TowardZero, Ty::F64, Ty::F32) => code.pure_asm("cvt.rz.f32.f64 $0, $1;", ty, &[a]),
        (Rounding::TowardZero, Ty::F64, Ty::F16) => code.pure_asm("cvt.rz.f16.f64 $0, $1;", ty, &[a]),
        (Rounding::TowardZero, Ty::F64, Ty::BF16) => {
            let single = convert(code, a, Ty::F32, rounding);
            convert(code, single, ty, rounding)
        }
        (Rounding::NearestEven | Rounding::TowardZero, ..) => code.fptrunc(a, ty),
    }
}

/// A float type of at least 16 bits, or one of 8.
#[derive(Clone, Copy)]
enum Width {
    Wide(Ty),
    Narrow(&'static Fp8),
}

impl Width {
    fn of<'c>(emitter: &Emitter<'c, '_>, ty: Type<'c>) -> Result<Self> {
        match float_of(ty).and_then(Fp8::of) {
            Some(format) => Ok(Self::Narrow(format)),
            None => Ok(Self::Wide(emitter.element_ty(ty)?)),
        }
    }
}

/// Elements of an 8-bit format in a register.
const WORD: usize = 4;

/// Elements that become one register together: layouts of products have pairs, whose other half is some pair further on.
fn side_by_side(ty: Type<'_>) -> usize {
    match ty.layout().as_deref() {
        Some(Encoding::NvidiaMma(_) | Encoding::DotOp(_)) => WORD / 2,
        _ => WORD,
    }
}

/// At most [`WORD`] elements from or to an 8-bit format.
fn convert_run(
    code: &mut Code<'_>,
    x: &[Reg],
    (from, to): (Width, Width),
    rounding: Rounding,
    means: Means,
) -> Result<Vec<Reg>> {
    let each =
        |code: &mut Code<'_>, x: Vec<Reg>, ty: Ty| x.into_iter().map(|x| code.fpext(x, ty)).collect::<Vec<Reg>>();
    match (from, to) {
        (Width::Narrow(from), Width::Narrow(to)) if from == to => Ok(x.to_vec()),
        (Width::Narrow(from), Width::Wide(ty)) => {
            let halves = x.chunks(2).flat_map(|pair| widen(code, pair, from, means)).collect();
            if ty == Ty::BF16 {
                let singles = each(code, halves, Ty::F32);
                return Ok(singles.into_iter().map(|single| code.fptrunc(single, ty)).collect());
            }
            Ok(each(code, halves, ty))
        }
        (Width::Narrow(from), Width::Narrow(to)) => {
            let halves = x.chunks(2).flat_map(|pair| widen(code, pair, from, means)).collect();
            let singles = each(code, halves, Ty::F32);
            narrow(code, &singles, to, rounding, means.native)
        }
        (Width::Wide(_), Width::Narrow(to)) => {
            let singles: Vec<Reg> = x.iter().map(|x| convert(code, *x, Ty::F32, rounding)).collect();
            narrow(code, &singles, to, rounding, means.native)
        }
        (Width::Wide(_), Width::Wide(ty)) => Ok(x.iter().map(|x| convert(code, *x, ty, rounding)).collect()),
    }
}

/// What elements of an 8-bit format are converted by.
#[derive(Clone, Copy)]
pub(super) struct Means {
    /// The GPU has instructions for it.
    native: bool,
    words: Words,
}

/// Where the words that elements lie in come from.
#[derive(Clone, Copy)]
enum Words {
    /// Read from shared memory: the assembler knows nothing of what is in them.
    Shared,
    /// From elsewhere, such as a load with a mask, which leaves zero where the mask is false.
    Other,
}

impl Means {
    /// For the elements of `value`.
    pub(super) fn of<'c>(emitter: &Emitter<'c, '_>, value: Value<'c>) -> Self {
        let native = emitter.settings.target.has_fp8_conversions();
        let is_read = |op: Op<'c>| match op.kind() {
            OpKind::TtgLocalLoad => true,
            OpKind::TtgConvertLayout => op.int_attr(ALLOCATION_OFFSET).is_some(),
            _ => false,
        };
        let words = if value.defining_op().is_some_and(is_read) { Words::Shared } else { Words::Other };
        Self { native, words }
    }
}

/// One or two elements exactly to half precision.
pub(super) fn widen(code: &mut Code<'_>, x: &[Reg], from: &Fp8, means: Means) -> Vec<Reg> {
    match (x, from.ptx_name) {
        (_, Some(name)) if means.native && *from != E5M2 => widen_pair(code, x, name, means.words),
        ([a, b], _) if *from == E5M2 => widen_upper_halves(code, [*a, *b]),
        _ => x.iter().map(|x| widen_by_fields(code, *x, from)).collect(),
    }
}

/// Two elements of e5m2, each of which is the upper half of a half: one instruction.
fn widen_upper_halves(code: &mut Code<'_>, pair: [Reg; 2]) -> Vec<Reg> {
    let (word, first) = word_of_pair(code, pair);
    // Bytes of the result, lowest in the lowest digit; those from 4 on are of the zero.
    let selected = if first == 0 { "0x1404" } else { "0x3424" };
    let wide = code.pure_asm(&format!("prmt.b32 $0, $1, 0, {selected};"), Ty::I32, &[word]);
    code.unpack(wide, Ty::F16)
}

/// A word in which two elements lie side by side: 0 or 2 others are below them.
fn word_of_pair(code: &mut Code<'_>, pair: [Reg; 2]) -> (Reg, usize) {
    code.word_with(&pair).filter(|(_, first)| first % 2 == 0).unwrap_or_else(|| {
        let pair = code.pack(&pair, Ty::Int(16));
        (code.zext(pair, Ty::I32), 0)
    })
}

/// One or two elements by `cvt`. The pair gets there in a register of 32 bits: ptxas (12.8 to 13.0) takes a number that nobody wrote for the upper half of a
/// word that it knows to be zero, as it does where a mask is false, and where that number is a NaN no product with zero takes it away. Of a word that was read
/// from shared memory it knows nothing: the instruction takes the upper half of such a word, and no shift is needed.
fn widen_pair(code: &mut Code<'_>, x: &[Reg], name: &str, words: Words) -> Vec<Reg> {
    let second = x.get(1).copied().unwrap_or(x[0]);
    // Of the word, only one half is read.
    let (word, half) = match (word_of_pair(code, [x[0], second]), words) {
        ((word, 0), Words::Shared | Words::Other) => (word, "cvt.u16.u32 pair, $1;"),
        ((word, _), Words::Shared) => (word, "mov.b32 {_, pair}, $1;"),
        (_, Words::Other) => {
            let pair = code.pack(&[x[0], second], Ty::Int(16));
            (code.zext(pair, Ty::I32), "cvt.u16.u32 pair, $1;")
        }
    };
    let text = format!("{{\n\t.reg .b16 pair;\n\t{half}\n\tcvt.rn.f16x2.{name}x2 $0, pair;\n\t}}");
    let wide = code.pure_asm(&text, Ty::I32, &[word]);
    code.unpack(wide, Ty::F16)[..x.len()].to_vec()
}

/// e5m2 is the upper half of a half. The others are moved to half's fields, where the exponent is off by the difference of the
/// biases: a product with a power of two puts it right, subnormal numbers included.
fn widen_by_fields(code: &mut Code<'_>, x: Reg, from: &Fp8) -> Reg {
    let ty = Ty::Int(16);
    let wide = code.zext(x, ty);
    let eight = code.int(ty, 8);
    if *from == E5M2 {
        let bits = code.shl(wide, eight);
        return code.bitcast(bits, Ty::F16);
    }
    let (low, amount) = (code.int(ty, 0x7f), code.int(ty, 10 - i64::from(from.mantissa_bits)));
    let magnitude = code.and(wide, low);
    let moved = code.shl(magnitude, amount);
    let unscaled = code.bitcast(moved, Ty::F16);
    // 2^(15 - bias), whose exponent is biased by 15 once more.
    let scale = code.float_bits(Ty::F16, ((15 + 15 - from.bias) as u64) << 10);
    let scaled = code.fmul(unscaled, scale);
    let bits = code.bitcast(scaled, ty);
    let sign_bit = code.int(ty, 0x80);
    let sign = code.and(wide, sign_bit);
    let sign = code.shl(sign, eight);
    let signed = code.or(bits, sign);
    let nan_pattern = code.int(ty, from.nan as i64);
    let tested = if from.has_negative_zero { magnitude } else { wide };
    let is_nan = code.icmp(IntTest::Eq, tested, nan_pattern);
    // The pattern that `cvt` gives, its sign aside.
    let nan = code.int(ty, 0x7fff);
    let result = code.select(is_nan, nan, signed);
    code.bitcast(result, Ty::F16)
}

/// What is too large becomes the largest finite value, as `cvt.satfinite` does; rounded toward zero, infinity stays where e5m2 has it.
fn narrow(code: &mut Code<'_>, x: &[Reg], to: &Fp8, rounding: Rounding, native: bool) -> Result<Vec<Reg>> {
    match rounding {
        Rounding::NearestEven => narrow_to_nearest(code, x, to, native),
        Rounding::TowardZero if *to == E5M2 => Ok(x.iter().map(|x| upper_byte_of_half(code, *x)).collect()),
        Rounding::TowardZero => Ok(x.iter().map(|x| narrow_by_fields(code, *x, to, rounding)).collect()),
    }
}

/// Toward zero to e5m2, which is the upper byte of a half.
fn upper_byte_of_half(code: &mut Code<'_>, x: Reg) -> Reg {
    let half = convert(code, x, Ty::F16, Rounding::TowardZero);
    let bits = code.bitcast(half, Ty::Int(16));
    let eight = code.int(Ty::Int(16), 8);
    let upper = code.lshr(bits, eight);
    code.trunc(upper, Ty::Int(8))
}

fn narrow_to_nearest(code: &mut Code<'_>, x: &[Reg], to: &Fp8, native: bool) -> Result<Vec<Reg>> {
    if let Some(name) = to.ptx_name.filter(|_| native) {
        let word = narrow_by_pairs(code, x, name)?;
        return Ok(code.unpack(word, Ty::Int(8))[..x.len()].to_vec());
    }
    Ok(x.iter().map(|x| narrow_by_fields(code, *x, to, Rounding::NearestEven)).collect())
}

/// Pairs that become one register do so where they are converted. ptxas 12.8 writes the second pair of a register into that of the first; where a pair is
/// then used by itself as well, as in a block that is stored and stored transposed, it reads a register that nothing has written.
fn narrow_by_pairs(code: &mut Code<'_>, x: &[Reg], name: &str) -> Result<Reg> {
    let pair = |low: usize, to: &str, from: usize| {
        format!("cvt.rn.satfinite.{name}x2.f32 {to}, ${}, ${};", from + usize::from(low + 1 < x.len()), from)
    };
    let (text, ty) = if x.len() > 2 {
        let pairs = [pair(0, "low", 1), pair(2, "high", 3)].join(" ");
        (format!("{{ .reg .b16 low, high; {pairs} mov.b32 $0, {{low, high}}; }}"), Ty::Int(32))
    } else {
        (pair(0, "$0", 1), Ty::Int(16))
    };
    let asm = x.iter().fold(Asm::new(text).output(ty), |asm, element| asm.input(*element)).without_effects();
    Ok(code.asm(asm)?[0])
}

fn narrow_by_fields(code: &mut Code<'_>, x: Reg, to: &Fp8, rounding: Rounding) -> Reg {
    let (mantissa, bias) = (i64::from(to.mantissa_bits), i64::from(to.bias));
    let ty = Ty::I32;
    let bits = code.bitcast(x, ty);
    let magnitude_mask = code.int(ty, 0x7fff_ffff);
    let magnitude = code.and(bits, magnitude_mask);
    // Normal results: round the mantissa and rebase the exponent.
    let drop = 23 - mantissa;
    let (amount, one) = (code.int(ty, drop), code.int(ty, 1));
    let rounded = match rounding {
        Rounding::NearestEven => {
            let odd = code.lshr(magnitude, amount);
            let odd = code.and(odd, one);
            let half = code.int(ty, (1 << (drop - 1)) - 1);
            let rounded = code.add(magnitude, odd);
            code.add(rounded, half)
        }
        Rounding::TowardZero => magnitude,
    };
    let rebased = code.lshr(rounded, amount);
    let rebase = code.int(ty, (127 - bias) << mantissa);
    let normal = code.sub(rebased, rebase);
    // Subnormal results: adding a power of two lets the hardware round at the right bit.
    let step = code.int(ty, (127 + 23 - (bias - 1) - mantissa) << 23);
    let (unsigned, step_float) = (code.bitcast(magnitude, Ty::F32), code.bitcast(step, Ty::F32));
    let sum = match rounding {
        Rounding::NearestEven => code.fadd(unsigned, step_float),
        Rounding::TowardZero => code.pure_asm("add.rz.f32 $0, $1, $2;", Ty::F32, &[unsigned, step_float]),
    };
    let sum = code.bitcast(sum, ty);
    let subnormal = code.sub(sum, step);
    let smallest_normal = code.int(ty, (128 - bias) << 23);
    let is_small = code.icmp(IntTest::Ult, magnitude, smallest_normal);
    let value = code.select(is_small, subnormal, normal);
    let limit = code.int(ty, to.largest as i64);
    let value = code.int_extreme(IntTest::Ult, value, limit);
    let (shift, sign_mask) = (code.int(ty, 24), code.int(ty, 0x80));
    let sign = code.lshr(bits, shift);
    let sign = code.and(sign, sign_mask);
    let mut signed = code.or(value, sign);
    if !to.has_negative_zero {
        // Its pattern is NaN.
        let zero = code.int(ty, 0);
        let is_zero = code.icmp(IntTest::Eq, value, zero);
        signed = code.select(is_zero, zero, signed);
    }
    let infinity = code.int(ty, 0x7f80_0000);
    let is_nan = code.icmp(IntTest::Ugt, magnitude, infinity);
    let nan = code.int(ty, to.nan as i64);
    let result = code.select(is_nan, nan, signed);
    code.trunc(result, Ty::Int(8))
}
