//! Conversions: every pair of element types, rounding towards zero, and reinterpreted bits.

use crate::draw::{draw, seeded};
use crate::elementwise::ELEMENTS;
use crate::file::{Array, EXACT, File, Kernel, Tolerance};
use crate::number::{Number, Type};
use rand::Rng;

/// The files: plain conversions, and those with a rounding or of bits.
pub fn files() -> Result<Vec<File>, String> {
    let mut plain = Vec::new();
    let mut special = Vec::new();
    for from in Type::all() {
        plain.push(conversions(from)?);
        special.extend(roundings(from)?);
        special.push(reinterpretations(from)?);
    }
    let file =
        |name: &str, about: &str, kernels| File { name: name.into(), about: about.into(), kernels, triton: true };
    Ok(vec![
        file("casts", "Conversions between all pairs of element types", plain),
        file("casts_special", "Rounding towards zero and reinterpreted bits", special),
    ])
}

/// What `from` numbers become as `to`, before rounding: truncated when an integer is wanted.
pub fn converted(value: Number, to: Type) -> Number {
    match value {
        Number::Float(float) if !to.is_float() && to != Type::B1 => Number::Int(float.trunc() as i128),
        value => value,
    }
}

/// Numbers of `from` whose conversion to `to` is defined: those of an integer target must fit it.
fn inputs(from: Type, to: Type) -> Result<Vec<Number>, String> {
    let mut random = seeded(&format!("cast {} {}", from.name(), to.name()));
    if !from.is_float() || to.is_float() || to == Type::B1 {
        return draw(from, "any", ELEMENTS, &mut random);
    }
    let (least, greatest) = to.integer_range();
    let limit = (greatest as f64).min(from.largest()).log2();
    let values = (0..ELEMENTS).map(|i| {
        let magnitude = if i == 0 { 0.0 } else { random.random_range(-3.0..limit - 0.01).exp2() };
        let negative = least < 0 && random.random();
        from.rounded(Number::Float(if negative { -magnitude } else { magnitude }))
    });
    Ok(values.collect())
}

fn conversions(from: Type) -> Result<Kernel, String> {
    let mut kernel = Kernel::new(format!("cast_{}", from.name()));
    kernel.warps = if from.bits() == 16 { 1 } else { 4 };
    kernel.line(format!("i = tl.arange(0, {ELEMENTS})"));
    for to in Type::all().filter(|to| supported(from, *to)) {
        let values = inputs(from, to)?;
        let name = format!("to_{}_ptr", to.name());
        kernel.arrays.push(Array::input(&name, from, &values));
        let expected = values.iter().map(|value| converted(*value, to)).collect();
        // A conversion between fp8 and f64 goes through a narrower type and may round twice.
        let ulps = u64::from(from == Type::F64 && to.is_fp8());
        store(
            &mut kernel,
            to,
            format!("{} to {}", from.name(), to.name()),
            expected,
            Tolerance { ulps, absolute: 0.0 },
            |tl| format!("tl.load({name} + i).to(tl.{tl})"),
        );
    }
    Ok(kernel)
}

/// Triton has no conversions between 8-bit floats and integers.
fn supported(from: Type, to: Type) -> bool {
    from.is_float() == to.is_float() || !from.is_fp8() && !to.is_fp8()
}

fn store(
    kernel: &mut Kernel,
    to: Type,
    case: String,
    expected: Vec<Number>,
    tolerance: Tolerance,
    expression: impl Fn(&str) -> String,
) {
    let output = kernel.output(to);
    let name = output.name.clone();
    let start = output.expect(case, expected, tolerance);
    kernel.line(format!("r = {}", expression(to.tl())));
    kernel.line(format!("tl.static_assert(r.dtype == tl.{})", to.tl()));
    kernel.line(format!("tl.store({name} + {start} + i, r)"));
}

/// `fp_downcast_rounding`, for the pairs that have an instruction.
fn roundings(from: Type) -> Result<Option<Kernel>, String> {
    if from != Type::F32 {
        return Ok(None);
    }
    let mut kernel = Kernel::new("rounding_f32");
    kernel.line(format!("i = tl.arange(0, {ELEMENTS})"));
    for to in [Type::F16, Type::BF16] {
        let limit = to.largest().log2();
        let domain = format!("log({},{})", (-limit).exp2(), (limit - 1.0).exp2());
        let values = draw(from, &domain, ELEMENTS, &mut seeded(to.name()))?;
        let name = format!("to_{}_ptr", to.name());
        kernel.arrays.push(Array::input(&name, from, &values));
        for rounding in ["rtz", "rtne"] {
            let bits = |value: &Number| to.decode(to.encode_rounded(*value, rounding == "rtz"));
            let expected = values.iter().map(bits).collect();
            store(&mut kernel, to, format!("f32 to {} {rounding}", to.name()), expected, EXACT, |tl| {
                format!("tl.load({name} + i).to(tl.{tl}, fp_downcast_rounding='{rounding}')")
            });
        }
    }
    Ok(Some(kernel))
}

fn reinterpretations(from: Type) -> Result<Kernel, String> {
    let mut kernel = Kernel::new(format!("bitcast_{}", from.name()));
    kernel.line(format!("i = tl.arange(0, {ELEMENTS})"));
    let values = draw(from, "any", ELEMENTS, &mut seeded(from.name()))?;
    kernel.arrays.push(Array::input("in_ptr", from, &values));
    kernel.line("x = tl.load(in_ptr + i)");
    for to in Type::all().filter(|to| to.bits() == from.bits()) {
        let expected = values.iter().map(|value| from.encode(*value)).collect();
        let output = kernel.output(to);
        let name = output.name.clone();
        let start = output.expect_bits(format!("bits of {} as {}", from.name(), to.name()), expected, EXACT);
        kernel.line(format!("tl.store({name} + {start} + i, x.to(tl.{}, bitcast=True))", to.tl()));
    }
    Ok(kernel)
}
