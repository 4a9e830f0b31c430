//! Functions of libdevice that the checker composes: the checked ops, run in fp32 with exact elementary functions, against
//! references in fp64, within the stated error.

use crate::request::check_k;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use tk_check::checked::{BinaryOp, CastKind, CompareOp, Kernel, Literal, OpKind, UnaryOp, Value};
use tk_check::{bind_signature, read_signature};
use tk_diag::SourceFile;
use tk_types::ScalarType;

fn checked(expression: &str) -> Kernel {
    let text = format!(
        "import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n\n@triton.jit\ndef k(p, x, y):\n    tl.store(p, {expression})\n"
    );
    let module = tk_grammar::parse(&SourceFile::new("k.tk", text)).expect("it parses");
    let specs = read_signature("*fp32,fp32,fp32").expect("a signature");
    let args = bind_signature(&module, "k", Some(&specs), &[]).expect("it binds");
    check_k(&module, &args).unwrap_or_else(|errors| panic!("{expression}: {}", errors[0].message)).kernel
}

/// A number; floats are kept as fp64, rounded to their type.
#[derive(Clone, Copy)]
enum Number {
    Float(f64),
    Int(i64),
}

impl Number {
    fn float(self) -> f64 {
        match self {
            Number::Float(f) => f,
            Number::Int(i) => i as f64,
        }
    }

    fn int(self) -> i64 {
        match self {
            Number::Int(i) => i,
            Number::Float(f) => panic!("{f} is no integer"),
        }
    }
}

fn binary(op: BinaryOp, a: Number, b: Number) -> Number {
    Number::Float(match op {
        BinaryOp::AddF => a.float() + b.float(),
        BinaryOp::SubF => a.float() - b.float(),
        BinaryOp::MulF => a.float() * b.float(),
        BinaryOp::DivF | BinaryOp::DivRnF => a.float() / b.float(),
        BinaryOp::MinNumF => a.float().min(b.float()),
        BinaryOp::MaxNumF => a.float().max(b.float()),
        BinaryOp::MaximumF if a.float().is_nan() => a.float(),
        BinaryOp::MaximumF if b.float().is_nan() => b.float(),
        BinaryOp::MaximumF => a.float().max(b.float()),
        BinaryOp::And => return Number::Int(a.int() & b.int()),
        BinaryOp::Or => return Number::Int(a.int() | b.int()),
        BinaryOp::AddI => return Number::Int(a.int().wrapping_add(b.int())),
        BinaryOp::SubI => return Number::Int(a.int().wrapping_sub(b.int())),
        BinaryOp::Shl => return Number::Int(i64::from((a.int() as i32) << b.int())),
        other => panic!("{other:?}"),
    })
}

fn unary(op: UnaryOp, x: f64) -> f64 {
    match op {
        UnaryOp::NegF => -x,
        UnaryOp::AbsF => x.abs(),
        UnaryOp::Exp => x.exp(),
        UnaryOp::Exp2 => x.exp2(),
        UnaryOp::Log => x.ln(),
        UnaryOp::Log2 => x.log2(),
        UnaryOp::Sin => x.sin(),
        UnaryOp::Cos => x.cos(),
        UnaryOp::Sqrt | UnaryOp::SqrtRn => x.sqrt(),
        UnaryOp::Floor => x.floor(),
        UnaryOp::RoundEven => x.round_ties_even(),
        UnaryOp::Trunc => x.trunc(),
        UnaryOp::Ceil => x.ceil(),
        other => panic!("{other:?}"),
    }
}

fn compare(op: CompareOp, a: f64, b: f64) -> bool {
    match op {
        CompareOp::EqF => a == b,
        CompareOp::NeF => a != b,
        CompareOp::LtF => a < b,
        CompareOp::LeF => a <= b,
        CompareOp::GtF => a > b,
        CompareOp::GeF => a >= b,
        other => panic!("{other:?}"),
    }
}

fn bitcast(from: ScalarType, to: ScalarType, x: Number) -> Number {
    match (from, to) {
        (ScalarType::F32, _) => Number::Int(i64::from((x.float() as f32).to_bits() as i32)),
        (ScalarType::F64, _) => Number::Int(x.float().to_bits() as i64),
        (_, ScalarType::F32) => Number::Float(f64::from(f32::from_bits(x.int() as u32))),
        _ => Number::Float(f64::from_bits(x.int() as u64)),
    }
}

/// What the kernel stores.
fn stored(kernel: &Kernel, args: [f32; 2]) -> f32 {
    let scalars = args.map(|x| Number::Float(f64::from(x)));
    let mut values: HashMap<Value, Number> = kernel.params.iter().skip(1).map(|p| p.value).zip(scalars).collect();
    for op in &kernel.body.ops {
        if let OpKind::Store { .. } = op.kind {
            return values[&op.operands[1]].float() as f32;
        }
        let get = |i: usize| values[&op.operands[i]];
        let ty = |value: Value| kernel.ty(value).number().expect("a number");
        let to = ty(op.results[0]);
        let result = match &op.kind {
            OpKind::Constant(Literal::Int(i)) if to.is_int() => Number::Int(*i as i64),
            OpKind::Constant(Literal::Int(i)) => Number::Float(*i as f64),
            OpKind::Constant(Literal::Float(f)) => Number::Float(*f),
            OpKind::Binary(kind) => binary(*kind, get(0), get(1)),
            OpKind::Unary(kind) => Number::Float(unary(*kind, get(0).float())),
            OpKind::Compare(kind) => Number::Int(compare(*kind, get(0).float(), get(1).float()).into()),
            OpKind::Select => {
                if get(0).int() != 0 {
                    get(1)
                } else {
                    get(2)
                }
            }
            OpKind::Fma => Number::Float(get(0).float().mul_add(get(1).float(), get(2).float())),
            OpKind::Cast(CastKind::Bitcast) => bitcast(ty(op.operands[0]), to, get(0)),
            OpKind::Cast(_) => get(0),
            other => panic!("{other:?}"),
        };
        let rounded = match result {
            // Sums, products and quotients of fp32 numbers round the same from fp64 as directly.
            Number::Float(f) if to == ScalarType::F32 => Number::Float(f64::from(f as f32)),
            other => other,
        };
        values.insert(op.results[0], rounded);
    }
    panic!("nothing is stored")
}

/// How many fp32 numbers lie between two.
fn distance(a: f32, b: f32) -> u64 {
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() && b.is_nan() { 0 } else { u64::MAX };
    }
    let ordered = |x: f32| {
        let bits = i64::from(x.to_bits() as i32);
        if bits < 0 { i64::from(i32::MIN) - bits } else { bits }
    };
    ordered(a).abs_diff(ordered(b))
}

const SPECIAL: [f32; 26] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.0,
    -3.0,
    2.0,
    8388609.0,
    4194304.5,
    1e30,
    -1e30,
    1e-30,
    -1e-30,
    88.5,
    89.2,
    -89.0,
    40.5,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    0.499_999_97,
];

/// Special numbers, and random ones of all magnitudes from 2^-30 to 2^12.
fn inputs() -> Vec<f32> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut out = SPECIAL.to_vec();
    for _ in 0..4000 {
        let (bits, exponent): (u32, u32) = (random.random(), random.random_range(97..97 + 42));
        out.push(f32::from_bits((bits & 0x807f_ffff) | exponent << 23));
    }
    out
}

type Reference = fn(f64, f64) -> f64;

const FUNCTIONS: &[(&str, u64, Reference)] = &[
    ("libdevice.rint(x)", 0, |x, _| x.round_ties_even()),
    ("libdevice.nearbyint(x)", 0, |x, _| x.round_ties_even()),
    ("libdevice.round(x)", 0, |x, _| x.round()),
    ("libdevice.trunc(x)", 0, |x, _| x.trunc()),
    ("libdevice.expm1(x)", 3, |x, _| x.exp_m1()),
    ("tl.math.log1p(x)", 3, |x, _| x.ln_1p()),
    ("libdevice.log10(x)", 2, |x, _| x.log10()),
    ("libdevice.exp10(x)", 4, |x, _| 10_f64.powf(x)),
    ("libdevice.sinh(x)", 6, |x, _| x.sinh()),
    ("libdevice.cosh(x)", 4, |x, _| x.cosh()),
    ("libdevice.asinh(x)", 6, |x, _| x.asinh()),
    ("libdevice.acosh(x)", 6, |x, _| x.acosh()),
    ("libdevice.atanh(x)", 5, |x, _| x.atanh()),
    ("libdevice.cbrt(x)", 1, |x, _| x.cbrt()),
    ("libdevice.rcp_rn(x)", 0, |x, _| 1.0 / x),
    ("libdevice.tan(x)", 3, |x, _| x.tan()),
    ("libdevice.saturatef(x)", 0, |x, _| if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }),
    ("libdevice.pow(x, y)", 4, |x, y| x.powf(y)),
    ("libdevice.hypot(x, y)", 2, |x, y| if x.is_infinite() || y.is_infinite() { f64::INFINITY } else { x.hypot(y) }),
    ("libdevice.atan2(x, y)", 2, |x, y| x.atan2(y)),
    ("libdevice.erfc(x)", 5, |x, _| libm::erfc(x)),
    ("libdevice.normcdf(x)", 5, |x, _| libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2) / 2.0),
    ("libdevice.lgamma(libdevice.abs(x))", 5, |x, _| libm::lgamma(x.abs())),
    ("libdevice.copysign(x, y)", 0, |x, y| x.copysign(y)),
    ("libdevice.fdim(x, y)", 0, |x, y| if x <= y { 0.0 } else { x - y }),
];

#[test]
fn composed_functions_are_within_their_error() {
    let inputs = inputs();
    for (expression, allowed, reference) in FUNCTIONS {
        let kernel = checked(expression);
        let two = expression.contains(", y");
        for (i, &x) in inputs.iter().enumerate() {
            let partners: Vec<f32> = match (two, i < SPECIAL.len()) {
                (false, _) => vec![0.0],
                (true, true) => SPECIAL.to_vec(),
                (true, false) => vec![inputs[(i * 7 + 13) % inputs.len()], 2.0, -3.0],
            };
            for y in partners {
                let found = stored(&kernel, [x, y]);
                let exact = reference(f64::from(x), f64::from(y)) as f32;
                let far = distance(found, exact);
                assert!(far <= *allowed, "{expression} of {x:e}, {y:e}: {found:e}, not {exact:e}: {far} ulp");
                assert!(
                    exact.is_nan()
                        || exact != 0.0
                        || found.is_sign_negative() == exact.is_sign_negative()
                        || expression.contains("saturatef"),
                    "{expression} of {x:e}, {y:e}: the sign of zero"
                );
            }
        }
    }
}
