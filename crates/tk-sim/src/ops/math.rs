//! Approximate functions: computed in f64 and rounded once, so they are at least as precise as the hardware's.

use super::Function;
use super::float::{FloatMode, lift};
use crate::lanes::{Fn1, map};
use crate::number::{BF16, F16};
use tk_ptx::Type;

pub(super) fn find(name: &str, ty: Type, mode: &FloatMode<'_>) -> Option<Function> {
    match ty {
        Type::F32 => f32_unary(name, mode).map(Function::One),
        Type::F16 | Type::BF16 | Type::F16x2 | Type::BF16x2 => narrow(name, ty).map(Function::One),
        _ => None,
    }
}

fn f32_unary(name: &str, mode: &FloatMode<'_>) -> Option<Fn1> {
    Some(match name {
        "ex2" => lift!(one(mode): |a| f64::from(a).exp2() as f32),
        "lg2" => lift!(one(mode): |a| f64::from(a).log2() as f32),
        "sin" => lift!(one(mode): |a| f64::from(a).sin() as f32),
        "cos" => lift!(one(mode): |a| f64::from(a).cos() as f32),
        "tanh" => lift!(one(mode): |a| f64::from(a).tanh() as f32),
        "rsqrt" => lift!(one(mode): |a| (1.0 / f64::from(a).sqrt()) as f32),
        _ => return None,
    })
}

fn narrow(name: &str, ty: Type) -> Option<Fn1> {
    Some(match (name, ty) {
        ("ex2", Type::F16) => map!(F16: |a| F16::from_f64(f64::from(a.to_f32()).exp2())),
        ("ex2", Type::BF16) => map!(BF16: |a| BF16::from_f64(f64::from(a.to_f32()).exp2())),
        ("tanh", Type::F16) => map!(F16: |a| F16::from_f64(f64::from(a.to_f32()).tanh())),
        ("tanh", Type::BF16) => map!(BF16: |a| BF16::from_f64(f64::from(a.to_f32()).tanh())),
        ("ex2", Type::F16x2) => map!(u32: |a| halves(a, f64::exp2)),
        ("ex2", Type::BF16x2) => map!(u32: |a| brains(a, f64::exp2)),
        ("tanh", Type::F16x2) => map!(u32: |a| halves(a, f64::tanh)),
        ("tanh", Type::BF16x2) => map!(u32: |a| brains(a, f64::tanh)),
        _ => return None,
    })
}

fn halves(a: u32, f: impl Fn(f64) -> f64) -> u32 {
    let one = |bits: u32| u32::from(F16::from_f64(f(F16(bits as u16).to_f32().into())).0);
    one(a >> 16) << 16 | one(a & 0xFFFF)
}

fn brains(a: u32, f: impl Fn(f64) -> f64) -> u32 {
    let one = |bits: u32| u32::from(BF16::from_f64(f(BF16(bits as u16).to_f32().into())).0);
    one(a >> 16) << 16 | one(a & 0xFFFF)
}
