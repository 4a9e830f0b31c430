//! Arithmetic, comparisons and conversions, on numbers that include the awkward ones.

use crate::harness::*;
use half::{bf16, f16};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tk_sim::{Arg, DeviceMemory};

const LAYOUT: &str = "#a = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>";
const COUNT: usize = 256;

/// Runs `body`, which makes `%r : to` from `%u` and `%v : from`, on 256 pairs.
fn apply<T: Element, U: Element>(from: &str, to: &str, body: &str, u: &[T], v: &[T]) -> Vec<U> {
    let text = format!(
        "tt.func public @k(%x: !tt.ptr<{from}>, %y: !tt.ptr<{from}>, %z: !tt.ptr<{to}>) {{
         %i = tt.make_range {{end = 256 : i32, start = 0 : i32}} : tensor<256xi32, #a>
         %xb = tt.splat %x : !tt.ptr<{from}> -> tensor<256x!tt.ptr<{from}>, #a>
         %xp = tt.addptr %xb, %i : tensor<256x!tt.ptr<{from}>, #a>, tensor<256xi32, #a>
         %u = tt.load %xp : tensor<256x!tt.ptr<{from}>, #a>
         %yb = tt.splat %y : !tt.ptr<{from}> -> tensor<256x!tt.ptr<{from}>, #a>
         %yp = tt.addptr %yb, %i : tensor<256x!tt.ptr<{from}>, #a>, tensor<256xi32, #a>
         %v = tt.load %yp : tensor<256x!tt.ptr<{from}>, #a>
         {body}
         %zb = tt.splat %z : !tt.ptr<{to}> -> tensor<256x!tt.ptr<{to}>, #a>
         %zp = tt.addptr %zb, %i : tensor<256x!tt.ptr<{to}>, #a>, tensor<256xi32, #a>
         tt.store %zp, %r : tensor<256x!tt.ptr<{to}>, #a>
         tt.return
         }}"
    );
    let mut results = Vec::new();
    for target in ["sm_90a", "sm_80"] {
        let kernel = Kernel::for_target(&module(LAYOUT, 1, &text), target);
        let mut memory = DeviceMemory::new();
        let (x, y) = (upload(&mut memory, u), upload(&mut memory, v));
        let z = memory.allocate((COUNT * U::BYTES) as u64);
        let args: Vec<Arg> = vec![x.into(), y.into(), z.into()];
        kernel.run(&mut memory, [1, 1, 1], args);
        results.push(download::<U>(&memory, z));
    }
    assert!(results[0].iter().zip(&results[1]).all(|(a, b)| a.same(*b)), "sm_80 and sm_90a differ for {body}");
    results.swap_remove(0)
}

fn tensor(ty: &str) -> String {
    format!("tensor<256x{ty}, #a>")
}

/// `op` on two operands of the same type.
fn binary<T: Element>(op: &str, ty: &str, u: &[T], v: &[T]) -> Vec<T> {
    apply(ty, ty, &format!("%r = {op} %u, %v : {}", tensor(ty)), u, v)
}

fn cast<T: Element, U: Element>(op: &str, from: &str, to: &str, u: &[T]) -> Vec<U> {
    apply(from, to, &format!("%r = {op} %u : {} to {}", tensor(from), tensor(to)), u, u)
}

fn integers() -> (Vec<i32>, Vec<i32>) {
    let awkward = [0, 1, -1, 2, 7, -7, 8, 31, 255, -256, i32::MAX, i32::MIN, i32::MIN + 1, 1 << 30, 12345, -98765];
    (0..COUNT).map(|at| (awkward[at / 16], awkward[at % 16])).unzip()
}

#[test]
fn integer_arithmetic() {
    let (u, v) = integers();
    let check = |op: &str, f: fn(i32, i32) -> i32, keep: fn(i32, i32) -> bool| {
        let got = binary(op, "i32", &u, &v);
        for at in (0..COUNT).filter(|at| keep(u[*at], v[*at])) {
            assert_eq!(got[at], f(u[at], v[at]), "{op} {} {}", u[at], v[at]);
        }
    };
    let always = |_, _| true;
    let divides = |u: i32, v: i32| v != 0 && !(u == i32::MIN && v == -1);
    let shifts = |_, v: i32| (0..32).contains(&v);
    check("arith.addi", i32::wrapping_add, always);
    check("arith.subi", i32::wrapping_sub, always);
    check("arith.muli", i32::wrapping_mul, always);
    check("arith.andi", |u, v| u & v, always);
    check("arith.ori", |u, v| u | v, always);
    check("arith.xori", |u, v| u ^ v, always);
    check("arith.shli", |u, v| u << v, shifts);
    check("arith.shrsi", |u, v| u >> v, shifts);
    check("arith.shrui", |u, v| (u as u32 >> v) as i32, shifts);
    check("arith.divsi", |u, v| u / v, divides);
    check("arith.remsi", |u, v| u % v, divides);
    check("arith.divui", |u, v| (u as u32 / v as u32) as i32, divides);
    check("arith.remui", |u, v| (u as u32 % v as u32) as i32, divides);
    check(
        "arith.floordivsi",
        |u, v| {
            (i64::from(u).div_euclid(i64::from(v)) - i64::from(v < 0 && i64::from(u).rem_euclid(i64::from(v)) != 0))
                as i32
        },
        divides,
    );
    check("arith.ceildivsi", |u, v| (f64::from(u) / f64::from(v)).ceil() as i32, divides);
    check("arith.maxsi", i32::max, always);
    check("arith.minsi", i32::min, always);
    check("arith.maxui", |u, v| (u as u32).max(v as u32) as i32, always);
    check("arith.minui", |u, v| (u as u32).min(v as u32) as i32, always);
    check("tt.mulhiui", |u, v| ((u as u32 as u64 * v as u32 as u64) >> 32) as i32, always);
}

/// Remainders of `numbers` by one number that the kernel reads, which are compared before they are computed.
fn remainders<T: Element>(op: &str, ty: &str, numbers: &[T], divisor: T) -> Vec<T> {
    let body = format!(
        "%s = tt.load %y : !tt.ptr<{ty}>
         %d = tt.splat %s : {ty} -> {t}
         %r = {op} %u, %d : {t}",
        t = tensor(ty)
    );
    apply(ty, ty, &body, numbers, &[divisor; COUNT])
}

#[test]
fn remainders_by_one_divisor() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    // A thread holds pairs that are 64 apart: some threads have nothing to divide, some a part of their numbers, some all.
    let starts = [0, 1, 100, -20, -300, i32::MAX - 255, i32::MIN + 1, random.random_range(-1000..1000)];
    let divisors = [1, 2, 7, 64, 100, 255, 256, 257, 1000, i32::MAX, -1, -7, -100, -1000, i32::MIN];
    for (start, divisor) in starts.iter().flat_map(|start| divisors.iter().map(move |divisor| (*start, *divisor))) {
        let numbers: Vec<i32> = (0..COUNT as i32).map(|at| start.wrapping_add(at)).collect();
        let expected: Vec<i32> = numbers.iter().map(|number| number % divisor).collect();
        assert_eq!(remainders("arith.remsi", "i32", &numbers, divisor), expected, "{start}.. % {divisor}");
        let expected: Vec<i32> = numbers.iter().map(|number| (*number as u32 % divisor as u32) as i32).collect();
        assert_eq!(remainders("arith.remui", "i32", &numbers, divisor), expected, "{start}.. % {divisor}, unsigned");
    }
    for divisor in [3i64, -3, 1 << 40, i64::MIN, random.random()] {
        let numbers: Vec<i64> = (0..COUNT).map(|at| random.random::<i64>() >> (at % 64)).collect();
        let expected: Vec<i64> = numbers.iter().map(|number| number.wrapping_rem(divisor)).collect();
        assert_eq!(remainders("arith.remsi", "i64", &numbers, divisor), expected, "64 bits % {divisor}");
    }
}

#[test]
fn arithmetic_with_constants_folds_correctly() {
    let (u, v) = integers();
    for constant in [0i32, 1, 2, 8, 31, 1023, -1, -8, i32::MAX, i32::MIN] {
        let body = format!(
            "%c = arith.constant dense<{constant}> : {t}
             %a = arith.addi %u, %c : {t}
             %b = arith.muli %a, %v : {t}
             %d = arith.subi %b, %c : {t}
             %e = arith.andi %d, %c : {t}
             %f = arith.xori %e, %u : {t}
             %g = arith.ori %i, %c : {t}
             %h = arith.addi %g, %f : {t}
             %k = arith.constant dense<5> : {t}
             %l = arith.shli %i, %k : {t}
             %n = arith.addi %l, %c : {t}
             %o = arith.shrsi %n, %k : {t}
             %q = arith.shrui %n, %k : {t}
             %s = arith.muli %o, %q : {t}
             %w = arith.extsi %n : {t} to {wide}
             %x64 = arith.extui %n : {t} to {wide}
             %y64 = arith.subi %w, %x64 : {wide}
             %k64 = arith.constant dense<16> : {wide}
             %z64 = arith.shrsi %y64, %k64 : {wide}
             %z32 = arith.trunci %z64 : {wide} to {t}
             %t = arith.addi %h, %s : {t}
             %r = arith.addi %t, %z32 : {t}",
            t = tensor("i32"),
            wide = tensor("i64")
        );
        let got = apply::<i32, i32>("i32", "i32", &body, &u, &v);
        for at in 0..COUNT {
            let (u, v, i, c) = (u[at], v[at], at as i32, constant);
            let f = (u.wrapping_add(c).wrapping_mul(v).wrapping_sub(c) & c) ^ u;
            let n = (i << 5).wrapping_add(c);
            let s = (n >> 5).wrapping_mul((n as u32 >> 5) as i32);
            let z = ((i64::from(n) - i64::from(n as u32)) >> 16) as i32;
            let expected = (i | c).wrapping_add(f).wrapping_add(s).wrapping_add(z);
            assert_eq!(got[at], expected, "u = {u}, v = {v}, i = {i}, c = {c}");
        }
    }
}

type Comparison = fn(i32, i32) -> bool;

#[test]
fn comparisons_and_selections() {
    let (u, v) = integers();
    let tests: [(&str, Comparison); 10] = [
        ("eq", |u, v| u == v),
        ("ne", |u, v| u != v),
        ("slt", |u, v| u < v),
        ("sle", |u, v| u <= v),
        ("sgt", |u, v| u > v),
        ("sge", |u, v| u >= v),
        ("ult", |u, v| (u as u32) < v as u32),
        ("ule", |u, v| u as u32 <= v as u32),
        ("ugt", |u, v| u as u32 > v as u32),
        ("uge", |u, v| u as u32 >= v as u32),
    ];
    for (name, test) in tests {
        let t = tensor("i32");
        let body =
            format!("%c = arith.cmpi {name}, %u, %v : {t}\n%r = arith.select %c, %u, %i : {}, {t}", tensor("i1"));
        let got = apply::<i32, i32>("i32", "i32", &body, &u, &v);
        for at in 0..COUNT {
            assert_eq!(got[at], if test(u[at], v[at]) { u[at] } else { at as i32 }, "{name} {} {}", u[at], v[at]);
        }
    }
}

fn floats() -> (Vec<f32>, Vec<f32>) {
    let awkward = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        3.25,
        -7.75,
        1e-3,
        1e10,
        -1e10,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MIN_POSITIVE,
        100.0,
        65504.0,
    ];
    (0..COUNT).map(|at| (awkward[at / 16], awkward[at % 16])).unzip()
}

fn same(a: f32, b: f32) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

#[test]
fn float_arithmetic() {
    let (u, v) = floats();
    let check = |op: &str, f: fn(f32, f32) -> f32| {
        let got = binary(op, "f32", &u, &v);
        for at in 0..COUNT {
            assert!(same(got[at], f(u[at], v[at])), "{op} {} {}: {}", u[at], v[at], got[at]);
        }
    };
    check("arith.addf", |u, v| u + v);
    check("arith.subf", |u, v| u - v);
    check("arith.mulf", |u, v| u * v);
    check("tt.precise_divf", |u, v| u / v);
    check("arith.maxnumf", f32::max);
    check("arith.minnumf", f32::min);
    check("arith.maximumf", |u, v| if u.is_nan() || v.is_nan() { f32::NAN } else { u.max(v) });
    check("arith.minimumf", |u, v| if u.is_nan() || v.is_nan() { f32::NAN } else { u.min(v) });
    let unary = |op: &str, f: fn(f32) -> f32| {
        let got = apply::<f32, f32>("f32", "f32", &format!("%r = {op} %u : {}", tensor("f32")), &u, &v);
        for at in 0..COUNT {
            assert!(same(got[at], f(u[at])), "{op} {}: {}", u[at], got[at]);
        }
    };
    unary("arith.negf", |u| -u);
    unary("math.absf", f32::abs);
    unary("math.floor", f32::floor);
    unary("math.ceil", f32::ceil);
    unary("tt.precise_sqrt", f32::sqrt);
}

#[test]
fn float_conversions() {
    let (u, _) = floats();
    let halves: Vec<f16> = cast("arith.truncf", "f32", "f16", &u);
    let brains: Vec<bf16> = cast("arith.truncf", "f32", "bf16", &u);
    let doubles: Vec<f64> = cast("arith.extf", "f32", "f64", &u);
    for at in 0..COUNT {
        assert!(same(halves[at].to_f32(), f16::from_f32(u[at]).to_f32()), "{}", u[at]);
        assert!(same(brains[at].to_f32(), bf16::from_f32(u[at]).to_f32()), "{}", u[at]);
        assert!(doubles[at] == f64::from(u[at]) || u[at].is_nan());
    }
    let back: Vec<f32> = cast("arith.extf", "f16", "f32", &halves);
    assert!(back.iter().zip(&halves).all(|(a, b)| same(*a, b.to_f32())));
    let back: Vec<f32> = cast("arith.extf", "bf16", "f32", &brains);
    assert!(back.iter().zip(&brains).all(|(a, b)| same(*a, b.to_f32())));
    let ints: Vec<i32> = cast("arith.fptosi", "f32", "i32", &u);
    for at in (0..COUNT).filter(|at| u[*at].abs() < 2e9) {
        assert_eq!(ints[at], u[at] as i32);
    }
    let (u, _) = integers();
    let singles: Vec<f32> = cast("arith.sitofp", "i32", "f32", &u);
    assert!(singles.iter().zip(&u).all(|(a, b)| *a == *b as f32));
    let brains: Vec<bf16> = cast("arith.sitofp", "i32", "bf16", &u);
    for at in (0..COUNT).filter(|at| u[*at].unsigned_abs() < 1 << 24) {
        assert_eq!(brains[at], bf16::from_f32(u[at] as f32), "{}", u[at]);
    }
}

/// Every 8-bit pattern of a format with `mantissa` bits and `bias`, widened by the definition of the format.
fn decode(bits: u8, mantissa: u32, bias: i32) -> f32 {
    let sign = if bits & 0x80 != 0 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from((bits & 0x7f) >> mantissa), f32::from(bits & ((1 << mantissa) - 1)));
    let scale = 2f32.powi(-(mantissa as i32));
    if exponent == 0 {
        return sign * fraction * scale * 2f32.powi(1 - bias);
    }
    sign * (1.0 + fraction * scale) * 2f32.powi(exponent - bias)
}

#[test]
fn eight_bit_floats_widen_exactly() {
    let all: Vec<u8> = (0..=255).collect();
    let e4m3: Vec<f32> = apply(
        "f8E4M3FN",
        "f32",
        &format!("%r = tt.fp_to_fp %u : {} -> {}", tensor("f8E4M3FN"), tensor("f32")),
        &all,
        &all,
    );
    let e5m2: Vec<f32> =
        apply("f8E5M2", "f32", &format!("%r = tt.fp_to_fp %u : {} -> {}", tensor("f8E5M2"), tensor("f32")), &all, &all);
    for bits in 0..=255u8 {
        let expected = if bits & 0x7f == 0x7f { f32::NAN } else { decode(bits, 3, 7) };
        assert!(same(e4m3[bits as usize], expected), "e4m3 {bits:#x}: {}", e4m3[bits as usize]);
        if bits & 0x7c != 0x7c {
            assert_eq!(e5m2[bits as usize], decode(bits, 2, 15), "e5m2 {bits:#x}");
        }
    }
}

#[test]
fn eight_bit_floats_round_to_nearest_even() {
    let (mut u, _) = floats();
    u.iter_mut().enumerate().for_each(|(at, value)| {
        *value = if at % 16 == 3 { *value } else { (at as f32 - 128.0) * 0.37 * 2f32.powi(at as i32 % 13 - 8) }
    });
    for (ty, mantissa, bias, largest) in [("f8E4M3FN", 3, 7, 0x7eu8), ("f8E5M2", 2, 15, 0x7b)] {
        let got: Vec<u8> = apply(
            "f32",
            ty,
            &format!("%r = tt.fp_to_fp %u, rounding = rtne : {} -> {}", tensor("f32"), tensor(ty)),
            &u,
            &u,
        );
        for (value, bits) in u.iter().zip(got).filter(|(value, _)| !value.is_nan()) {
            // The nearest representable value, the even one of two equally near.
            let nearest = (0..=largest)
                .min_by(|a, b| {
                    let distance = |bits: u8| {
                        (f64::from(decode(bits, mantissa, bias))
                            - f64::from(value.abs()).min(f64::from(decode(largest, mantissa, bias))))
                        .abs()
                    };
                    distance(*a).total_cmp(&distance(*b)).then((a & 1).cmp(&(b & 1)))
                })
                .unwrap();
            let expected = nearest | if value.is_sign_negative() { 0x80 } else { 0 };
            assert_eq!(bits, expected, "{ty} of {value}");
        }
    }
}

#[test]
fn truth_values_in_memory_are_bytes() {
    let u: Vec<u8> = (0..COUNT).map(|at| (at % 3 == 0) as u8).collect();
    let v: Vec<u8> = (0..COUNT).map(|at| (at % 2 == 0) as u8).collect();
    let got: Vec<u8> = binary("arith.andi", "i1", &u, &v);
    assert_eq!(got, (0..COUNT).map(|at| (at % 6 == 0) as u8).collect::<Vec<u8>>());
    let widened: Vec<i32> = cast("arith.extui", "i1", "i32", &u);
    assert!(widened.iter().zip(&u).all(|(a, b)| *a == i32::from(*b)));
}

#[test]
fn narrow_integers() {
    let (u, v): (Vec<i8>, Vec<i8>) = (0..COUNT).map(|at| (at as u8 as i8, (at * 37 + 11) as u8 as i8)).unzip();
    let got = binary("arith.addi", "i8", &u, &v);
    assert!((0..COUNT).all(|at| got[at] == u[at].wrapping_add(v[at])));
    let got = binary("arith.muli", "i8", &u, &v);
    assert!((0..COUNT).all(|at| got[at] == u[at].wrapping_mul(v[at])));
    let got = binary("arith.maxsi", "i8", &u, &v);
    assert!((0..COUNT).all(|at| got[at] == u[at].max(v[at])));
    let wide: Vec<i64> = cast("arith.extsi", "i8", "i64", &u);
    assert!((0..COUNT).all(|at| wide[at] == i64::from(u[at])));
}
