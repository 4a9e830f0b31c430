//! Writes products of f32 in more than tf32's precision as sums of products that tensor cores compute.
//!
//! `tf32x3`, `bf16x3` and `bf16x6` split each operand into parts of few bits: the first part is the operand rounded to tf32 (11 bits) or
//! bf16 (8 bits), the next one the rounded rest, and so on. The product is then the sum of the products of parts. Part `i` is about
//! `2^(-11 i)` or `2^(-8 i)` of the whole, so with `n` parts only the pairs `(i, j)` with `i + j < n` count: three for two parts, six for
//! three. (Henry, Tang and Heinecke, "Leveraging the bfloat16 artificial intelligence datatype", 2019; Ootomo and Yokota, "Recovering
//! single precision accuracy from Tensor Cores", 2022.)
//!
//! ```text
//! dot(a, b, c, tf32x3)  →  small = dot(a1, b0, dot(a0, b1, 0));  dot(a0, b0, finite(small)) + c
//! ```
//!
//! - The smallest products are added up first, and `c` is added in f32 at the end: tensor cores add with few more bits than the sum has,
//!   which would cost more than the parts gain if `c` were the accumulator of a long loop.
//! - Where an operand is infinite or no number, the rest that its first part leaves is no number; there the corrections count as zero, and
//!   the product of the first parts alone says what IEEE says. A finite operand that rounds to infinity (above 3.4e38) gives infinity.
//! - It happens after `coalesce`, so that the layouts of loads are not chosen for parts; the passes for products that follow need to
//!   know nothing of it.

use crate::accelerate_matmul::feeds_every_lane;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{CmpF, DotOp, InputPrecision};
use tk_ir::{Builder, Module, OpKind, Value};
use tk_types::ScalarType;

/// The pass.
pub const PASS: Pass = Pass { name: "f32-dot-tc", summary: "split f32 products into parts for tensor cores", run };

/// The type of the parts.
#[derive(Clone, Copy)]
enum Part {
    /// Rounded to tf32, in f32.
    Tf32,
    Bf16,
}

impl Part {
    fn bits(self) -> u32 {
        match self {
            Part::Tf32 => 32,
            Part::Bf16 => 16,
        }
    }
}

/// What an operand is split into.
#[derive(Clone, Copy)]
struct PrecisionSplit {
    part: Part,
    parts: usize,
}

impl PrecisionSplit {
    fn of(precision: InputPrecision) -> Option<Self> {
        let (part, parts) = match precision {
            InputPrecision::Tf32x3 => (Part::Tf32, 2),
            InputPrecision::Bf16x3 => (Part::Bf16, 2),
            InputPrecision::Bf16x6 => (Part::Bf16, 3),
            InputPrecision::Tf32 | InputPrecision::Ieee => return None,
        };
        Some(Self { part, parts })
    }

    /// The pairs of parts whose products correct that of the first parts, smallest first.
    fn corrections(self) -> impl Iterator<Item = (usize, usize)> {
        (1..self.parts).rev().flat_map(|level| (0..=level).map(move |right| (level - right, right)))
    }
}

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        for dot in function.descendants().into_iter().filter_map(DotOp::cast) {
            if is_single(dot)
                && let Some(split) = PrecisionSplit::of(dot.input_precision())
                && feeds_every_lane(dot, split.part.bits())
            {
                rewrite(dot, split);
            }
        }
    }
    Ok(())
}

fn is_single(dot: DotOp<'_>) -> bool {
    [dot.a(), dot.b(), dot.c()].iter().all(|value| value.ty().element().float() == Some(ScalarType::F32))
}

fn rewrite(dot: DotOp<'_>, split: PrecisionSplit) {
    let mut builder = Builder::before(dot.op);
    let left = parts(&mut builder, dot.a(), split);
    let right = parts(&mut builder, dot.b(), split);
    let zero = builder.float(dot.c().ty(), 0.0);
    let mut sum = zero;
    for (i, j) in split.corrections() {
        sum = builder.dot(left[i], right[j], sum, InputPrecision::Tf32);
    }
    let corrections = finite_or_zero(&mut builder, sum, zero);
    let dot_of_parts = builder.dot(left[0], right[0], corrections, InputPrecision::Tf32);
    let result = builder.binary(OpKind::ArithAddF, dot_of_parts, dot.c());
    dot.result().replace_all_uses_with(result);
    dot.op.erase();
}

/// The parts of an operand, largest first.
fn parts<'c>(builder: &mut Builder<'c>, operand: Value<'c>, split: PrecisionSplit) -> Vec<Value<'c>> {
    let mut rest = operand;
    let mut parts = Vec::with_capacity(split.parts);
    for index in 0..split.parts {
        let is_last = index + 1 == split.parts;
        let (part, value) = match split.part {
            // Tensor cores read the upper bits only, so that the last part needs no rounding.
            Part::Tf32 if is_last => (rest, rest),
            Part::Tf32 => {
                let rounded = round_to_tf32(builder, rest);
                (rounded, rounded)
            }
            Part::Bf16 => {
                let narrow = builder.context().bf16();
                let part = builder.cast(OpKind::ArithTruncF, rest, rest.ty().with_element(narrow));
                if is_last { (part, rest) } else { (part, builder.cast(OpKind::ArithExtF, part, rest.ty())) }
            }
        };
        parts.push(part);
        if !is_last {
            rest = builder.binary(OpKind::ArithSubF, rest, value);
        }
    }
    parts
}

fn round_to_tf32<'c>(builder: &mut Builder<'c>, value: Value<'c>) -> Value<'c> {
    let context = builder.context();
    let attributes = [
        ("asm_string", context.string_attr("cvt.rna.tf32.f32 $0, $1;")),
        ("constraints", context.string_attr("=r,r")),
        ("pure", context.bool_attr(true)),
        ("packed_element", context.i32_attr(1)),
    ];
    builder.create(OpKind::TtElementwiseInlineAsm, &[value], &[value.ty()], &attributes).result(0)
}

fn finite_or_zero<'c>(builder: &mut Builder<'c>, value: Value<'c>, zero: Value<'c>) -> Value<'c> {
    let magnitude = builder.unary(OpKind::MathAbsF, value);
    let infinity = builder.float(value.ty(), f64::INFINITY);
    let is_finite = builder.cmpf(CmpF::Olt, magnitude, infinity);
    builder.select(is_finite, value, zero)
}
