//! Mathematical functions against references in more precision, with the errors that the emitter promises.

use crate::harness::*;
use crate::operations::text::Block;
use half::{bf16, f16};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use tk_sim::{Arg, DeviceMemory};

const BLOCK: usize = 1024;

/// `function` of every element of `x`, computed in type `ty`, as each target has it.
fn apply<T: Element>(function: &str, ty: &str, x: &[T], padding: T) -> Vec<T> {
    let block = Block::row(BLOCK, 4, 4);
    let body = format!(
        "%pid = tt.get_program_id x : i32
         %size = arith.constant {BLOCK} : i32
         %start = arith.muli %pid, %size : i32
         %from = tt.addptr %x, %start : !tt.ptr<{ty}>, i32
         %to = tt.addptr %y, %start : !tt.ptr<{ty}>, i32
         {}
         %r = {function} %v : {}
         {}",
        block.load("v", "from", ty),
        block.tensor(ty),
        block.store("r", "to", ty),
    );
    let pointer = format!("!tt.ptr<{ty}>");
    let mut padded = x.to_vec();
    padded.resize(x.len().next_multiple_of(BLOCK), padding);
    let mut results = Vec::new();
    for kernel in block.kernels(&[("x", &pointer), ("y", &pointer)], &body) {
        let mut memory = DeviceMemory::new();
        let (from, to) = (upload(&mut memory, &padded), upload(&mut memory, &padded));
        let args: Vec<Arg> = vec![from.into(), to.into()];
        kernel.run(&mut memory, [(padded.len() / BLOCK) as u32, 1, 1], args);
        results.push(download::<T>(&memory, to));
    }
    let mut last = results.swap_remove(0);
    last.truncate(x.len());
    last
}

/// Every exponent and sign, random mantissas, and numbers where things change.
fn singles(extra: &[f32]) -> Vec<f32> {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut x = vec![0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::MIN];
    x.extend([f32::MIN_POSITIVE, -f32::MIN_POSITIVE, f32::from_bits(1), -f32::from_bits(1), f32::from_bits(0x7fffff)]);
    for exponent in 0..255u32 {
        for _ in 0..60 {
            let mantissa = rng.random_range(0..1 << 23);
            x.push(f32::from_bits(rng.random_range(0..2u32) << 31 | exponent << 23 | mantissa));
        }
    }
    x.extend((0..20_000).map(|_| rng.random_range(-12.0f32..12.0)));
    x.extend((0..4_000).map(|_| rng.random_range(0.9f32..1.1)));
    for value in extra {
        x.extend((-40i32..=40).map(|step| f32::from_bits((value.to_bits() as i32 + step) as u32)));
    }
    x
}

/// Distance in units in the last place of the true value, in f32.
fn error_single(got: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if got == nearest || got.is_nan() && nearest.is_nan() {
        return if got == 0.0 && got.is_sign_negative() != nearest.is_sign_negative() { f64::INFINITY } else { 0.0 };
    }
    if !got.is_finite() || !nearest.is_finite() {
        return f64::INFINITY;
    }
    let exponent = (nearest.abs().to_bits() >> 23).max(1) as i32 - 127 - 23;
    (f64::from(got) - exact).abs() / 2f64.powi(exponent)
}

fn check_single(function: &str, limit: f64, extra: &[f32], exact: impl Fn(f64) -> f64) {
    let x = singles(extra);
    let got = apply(&format!("math.{function}"), "f32", &x, 1.0);
    let mut worst = (0.0, 0.0);
    for (x, got) in x.iter().zip(&got) {
        let exact = exact(f64::from(*x));
        let error = error_single(*got, exact);
        assert!(error <= limit, "{function}({x:e}) = {got:e} is not {exact:e}: {error} units");
        if error > worst.0 {
            worst = (error, *x);
        }
    }
    println!("{function} f32: {:.3} units at {:e}", worst.0, worst.1);
}

#[test]
fn logarithms() {
    check_single("log", 1.0, &[2.0 / 3.0, 4.0 / 3.0], f64::ln);
    check_single("log2", 1.6, &[2.0 / 3.0, 4.0 / 3.0, 8.0, 0.125], f64::log2);
}

#[test]
fn sines_and_cosines() {
    let edges = [1e5, 3.0e38, std::f32::consts::PI, std::f32::consts::FRAC_PI_2, 1.8e9];
    check_single("sin", 1.6, &edges, f64::sin);
    check_single("cos", 1.6, &edges, f64::cos);
}

#[test]
fn hyperbolic_tangent() {
    check_single("tanh", 2.0, &[1.0, 9.0, 16.0], f64::tanh);
}

/// The series of positive terms for `erf`, which is precise for any argument it is used on.
fn erf(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() {
        return x;
    }
    if x.abs() > 6.0 {
        return x.signum();
    }
    let (mut term, mut sum) = (x, x);
    for n in 1..400 {
        term *= 2.0 * x * x / f64::from(2 * n + 1);
        sum += term;
    }
    std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

#[test]
fn error_function() {
    check_single("erf", 1.6, &[1.0, 4.0, 3.9], erf);
}

/// What the hardware approximates: relative, off by more the larger the exponent, and without subnormal numbers.
#[test]
fn functions_of_the_hardware() {
    let rsqrt = |x: f64| if x < 0.0 { f64::NAN } else { 1.0 / x.sqrt() };
    for (function, exact, factor) in
        [("exp", f64::exp as fn(f64) -> f64, 1.25), ("exp2", f64::exp2, 0.0), ("rsqrt", rsqrt, 0.0)]
    {
        let x = singles(&[88.7, -87.3, 127.9]);
        let got = apply(&format!("math.{function}"), "f32", &x, 1.0);
        for (x, got) in x.iter().zip(got) {
            let exact = exact(f64::from(*x));
            let error = error_single(got, exact);
            let limit = 2.0 + factor * f64::from(x.abs()).min(110.0);
            // At the end of the range the rounding of the exponent decides whether it is infinite.
            let at_the_end = f64::from(f32::MAX).ln() - exact.ln() < 1e-5 && got.is_infinite();
            let subnormal = x.is_subnormal() || (exact as f32).is_subnormal();
            assert!(
                error <= limit || at_the_end || subnormal,
                "{function}({x:e}) = {got:e} is not {exact:e}: {error} units"
            );
        }
    }
}

/// libdevice's names stand for the same functions.
#[test]
fn library_functions() {
    let x = random(4, 512);
    let call = "tt.extern_elementwise %v {libname = \"\", libpath = \"\", pure = true, symbol = \"__nv_sinf\"} : (tensor<1x1024xf32, #a>) -> tensor<1x1024xf32, #a>\n%unused = arith.negf";
    assert_eq!(apply(call, "f32", &x, 0.0), apply("math.sin", "f32", &x, 0.0));
}

fn error_double(got: f64, exact: f64) -> u64 {
    if got.is_nan() || exact.is_nan() {
        return if got.is_nan() && exact.is_nan() { 0 } else { u64::MAX };
    }
    let order = |x: f64| if x.is_sign_negative() { !x.to_bits() } else { x.to_bits() | 1 << 63 };
    order(got).abs_diff(order(exact))
}

/// Against correctly rounded values.
#[test]
fn double_precision() {
    let table = include_str!("functions_f64.txt");
    for function in ["exp", "exp2", "log", "log2", "sin", "cos", "tanh", "erf", "rsqrt"] {
        let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(' ').collect()).collect();
        let bits = |word: &str| f64::from_bits(u64::from_str_radix(word, 16).unwrap());
        let mut pairs: Vec<(f64, f64)> =
            rows.iter().filter(|row| row[0] == function).map(|row| (bits(row[1]), bits(row[2]))).collect();
        assert!(pairs.len() > 100);
        let (inf, nan, none) = (f64::INFINITY, f64::NAN, f64::NEG_INFINITY);
        pairs.push((nan, nan));
        pairs.extend(match function {
            "exp" => vec![(inf, inf), (none, 0.0), (0.0, 1.0), (-0.0, 1.0), (710.0, inf), (-746.0, 0.0), (1e300, inf)],
            "exp2" => {
                vec![(inf, inf), (none, 0.0), (0.0, 1.0), (-0.0, 1.0), (1024.0, inf), (-1076.0, 0.0), (-1e300, 0.0)]
            }
            "log" | "log2" => vec![(inf, inf), (none, nan), (-1.0, nan), (0.0, none), (-0.0, none), (1.0, 0.0)],
            "sin" => vec![(inf, nan), (none, nan), (0.0, 0.0), (-0.0, -0.0)],
            "cos" => vec![(inf, nan), (none, nan), (0.0, 1.0), (-0.0, 1.0)],
            "rsqrt" => vec![(inf, 0.0), (0.0, inf), (-1.0, nan)],
            _ => vec![(inf, 1.0), (none, -1.0), (0.0, 0.0), (-0.0, -0.0)],
        });
        let x: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
        let got = apply(&format!("math.{function}"), "f64", &x, 1.0);
        let mut worst = (0, 0.0);
        for ((x, exact), got) in pairs.iter().zip(got) {
            let error = error_double(got, *exact);
            assert!(error <= 1, "{function}({x:e}) = {got:e} is not {exact:e}: {error} units");
            worst = if error > worst.0 { (error, *x) } else { worst };
        }
        println!("{function} f64: {} units at {:e}", worst.0, worst.1);
    }
}

/// Operations on f64 of straight code that wait for each other, at most.
fn longest_chain(ptx: &str) -> usize {
    const OPERATIONS: [&str; 6] = ["add.", "sub.", "mul.", "fma.", "div.", "rcp."];
    let mut chains: HashMap<&str, usize> = HashMap::new();
    for line in ptx.lines() {
        let mut words = line.split([' ', '\t', ',', ';', '{', '}', '[', ']']).filter(|word| !word.is_empty());
        let Some(name) = words.next() else { continue };
        let takes_long = name.contains(".f64") && OPERATIONS.iter().any(|operation| name.starts_with(operation));
        let mut registers = words.filter(|word| word.starts_with('%'));
        let Some(result) = registers.next() else { continue };
        let before = registers.filter_map(|register| chains.get(register).copied()).max().unwrap_or(0);
        chains.insert(result, before + usize::from(takes_long));
    }
    chains.into_values().max().unwrap_or(0)
}

/// A recurrence takes what the chains of its functions take.
#[test]
fn chains_of_doubles_are_short() {
    let block = Block::row(32, 1, 1);
    let pointer = "!tt.ptr<f64>";
    for (function, length) in [("exp", 11), ("exp2", 10), ("log", 12), ("log2", 13)] {
        let body = format!(
            "{}%r = math.{function} %v : {}\n{}",
            block.load("v", "x", "f64"),
            block.tensor("f64"),
            block.store("r", "y", "f64"),
        );
        let kernel = Kernel::new(&block.text(&[("x", pointer), ("y", pointer)], &body));
        let ptx = &kernel.generated.image.ptx;
        assert!(!ptx.contains("bra") && !ptx.contains("div."), "{ptx}");
        assert_eq!(longest_chain(ptx), length, "{function}: {ptx}");
    }
}

/// 16-bit floats are the f32 result rounded: at most one step from the true value.
#[test]
fn halves() {
    let x: Vec<f16> = (0..=u16::MAX).step_by(7).map(f16::from_bits).collect();
    for (function, exact) in [("sin", f64::sin as fn(f64) -> f64), ("log", f64::ln), ("tanh", f64::tanh), ("erf", erf)]
    {
        let got = apply(&format!("math.{function}"), "f16", &x, f16::ONE);
        for (x, got) in x.iter().zip(got) {
            let exact = f16::from_f64(exact(x.to_f64()));
            let near = got.to_bits().abs_diff(exact.to_bits()) <= 1 || got.is_nan() && exact.is_nan();
            assert!(near, "{function}({x}) = {got}, not {exact}");
        }
    }
    let x: Vec<bf16> = (0..=u16::MAX).step_by(7).map(bf16::from_bits).collect();
    for (x, got) in x.iter().zip(apply("math.cos", "bf16", &x, bf16::ONE)) {
        let exact = bf16::from_f64(x.to_f64().cos());
        assert!(got.to_bits().abs_diff(exact.to_bits()) <= 1 || got.is_nan() && exact.is_nan(), "cos({x}) = {got}");
    }
}
