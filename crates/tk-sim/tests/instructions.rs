//! Instructions against an independent computation of each, on random and edge-case operands.

use crate::device::{Device, Random, u64s};
use half::{bf16, f16};
use tk_sim::Arg;

const THREADS: usize = 1024;

/// Runs `d = instruction(a, b, c, e)` for 1024 operand tuples and compares every result with `wanted`.
///
/// `shape` lists the register widths, destination first; the instruction is written with `D`, `A`, `B`, `C`, `E`.
#[track_caller]
fn check(instruction: &str, shape: &[u32], wanted: impl Fn(&[u64]) -> u64) {
    let sources = shape.len() - 1;
    let mut random = Random::new(instruction.len() as u64 * 31 + 7);
    let word = |random: &mut Random, width: u32| match width {
        16 => u64::from(edge_half(random)),
        32 => u64::from(random.word()),
        _ => edge_long(random),
    };
    let inputs: Vec<u64> = (0..THREADS * sources).map(|i| word(&mut random, shape[1 + i % sources])).collect();
    let got = run(instruction, shape, &inputs);
    for (i, got) in got.iter().enumerate() {
        let operands = &inputs[i * sources..(i + 1) * sources];
        let wanted = wanted(operands);
        assert_eq!(*got, wanted, "{instruction} of {operands:x?}: {got:#x}, not {wanted:#x}");
    }
}

fn edge_half(random: &mut Random) -> u16 {
    const EDGES: [u16; 12] = [0, 1, 0x8000, 0x3C00, 0xBC00, 0x7BFF, 0x7C00, 0xFC00, 0x0400, 0x03FF, 0xFFFF, 0x3F80];
    match random.below(4) {
        0 => EDGES[random.below(12) as usize],
        _ => random.next() as u16,
    }
}

fn edge_long(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => u64::from(random.word()),
        1 => (i64::from(random.word() as i32)) as u64,
        2 => f64::from(f32::from_bits(random.word())).to_bits(),
        _ => random.next(),
    }
}

fn run(instruction: &str, shape: &[u32], inputs: &[u64]) -> Vec<u64> {
    let sources = shape.len() - 1;
    let prefix = |width: u32| match width {
        16 => "%rs",
        32 => "%r",
        _ => "%rd",
    };
    let mut body = String::new();
    let mut text = instruction.to_string();
    for (i, width) in shape.iter().enumerate() {
        let register = format!("{}{}", prefix(*width), 20 + i);
        // A destination narrower than its register keeps no rubbish from before.
        body += &format!("\tmov.b{width} {register}, {};\n", if i == 0 { "0" } else { "1" });
        text = text.replace(["D", "A", "B", "C", "E"][i], &register);
        if i > 0 {
            let offset = 8 * (i - 1);
            body += &format!("\tld.global.b{width} {register}, [%rd2+{offset}];\n");
        }
    }
    let (width, out) = (shape[0], format!("{}20", prefix(shape[0])));
    let widen = if width == 64 { format!("mov.b64 %rd4, {out}") } else { format!("cvt.u64.u{width} %rd4, {out}") };
    let ptx = format!(
        ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{{\n\
         .reg .pred %p<9>;\n.reg .b16 %rs<40>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<40>;\n\
         ld.param.b64 %rd1, [in];\nld.param.b64 %rd3, [out];\nmov.u32 %r1, %tid.x;\n\
         mad.wide.u32 %rd2, %r1, {stride}, %rd1;\nmad.wide.u32 %rd3, %r1, 8, %rd3;\n{body}\t{text};\n{widen};\n\
         st.global.b64 [%rd3], %rd4;\nret;\n}}\n",
        stride = 8 * sources,
    );
    let mut device = Device::new();
    let input = device.upload(u64s(inputs));
    let output = device.poison(8 * THREADS);
    let args: [Arg; 2] = [input.into(), output.into()];
    let report = device.run(&ptx, "k", [1, 1, 1], THREADS as u32, 0, &args);
    report.unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)));
    device.longs(output)
}

fn f(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn of(value: f32) -> u64 {
    if value.is_nan() { 0x7FFF_FFFF } else { u64::from(value.to_bits()) }
}

fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The result of an f64 instruction. Of operands that are no numbers the first is given, made quiet, as by an H200; of numbers without a
/// result, the NaN with a sign.
fn od(value: f64, operands: &[u64]) -> u64 {
    let nan = || operands.iter().find(|bits| d(**bits).is_nan()).map_or(0xFFF8_0000_0000_0000, |bits| bits | 1 << 51);
    if value.is_nan() { nan() } else { value.to_bits() }
}

fn ftz(value: f32) -> f32 {
    if value.is_subnormal() { 0f32.copysign(value) } else { value }
}

#[test]
fn integer_arithmetic() {
    let w = |x: u32| u64::from(x);
    check("add.s32 D, A, B", &[32, 32, 32], |o| w((o[0] as u32).wrapping_add(o[1] as u32)));
    check("sub.s64 D, A, B", &[64, 64, 64], |o| o[0].wrapping_sub(o[1]));
    check("add.s16 D, A, B", &[16, 16, 16], |o| u64::from((o[0] as u16).wrapping_add(o[1] as u16)));
    check("add.sat.s32 D, A, B", &[32, 32, 32], |o| w((o[0] as i32).saturating_add(o[1] as i32) as u32));
    check("mul.lo.s32 D, A, B", &[32, 32, 32], |o| w((o[0] as u32).wrapping_mul(o[1] as u32)));
    check("mul.hi.s32 D, A, B", &[32, 32, 32], |o| w(((i64::from(o[0] as i32) * i64::from(o[1] as i32)) >> 32) as u32));
    check("mul.hi.u64 D, A, B", &[64, 64, 64], |o| ((u128::from(o[0]) * u128::from(o[1])) >> 64) as u64);
    check("mul.wide.s32 D, A, B", &[64, 32, 32], |o| (i64::from(o[0] as i32) * i64::from(o[1] as i32)) as u64);
    check("mul.wide.u16 D, A, B", &[32, 16, 16], |o| (o[0] * o[1]) & 0xFFFF_FFFF);
    check("mad.lo.s32 D, A, B, C", &[32, 32, 32, 32], |o| o[0].wrapping_mul(o[1]).wrapping_add(o[2]) & 0xFFFF_FFFF);
    check("mad.wide.s32 D, A, B, C", &[64, 32, 32, 64], |o| {
        (i64::from(o[0] as i32) * i64::from(o[1] as i32)).wrapping_add(o[2] as i64) as u64
    });
    check("div.s32 D, A, B", &[32, 32, 32], |o| match o[1] as i32 {
        0 => 0xFFFF_FFFF,
        b => w((o[0] as i32).wrapping_div(b) as u32),
    });
    check("rem.u64 D, A, B", &[64, 64, 64], |o| if o[1] == 0 { u64::MAX } else { o[0] % o[1] });
    check("rem.s32 D, A, B", &[32, 32, 32], |o| match o[1] as i32 {
        0 => 0xFFFF_FFFF,
        b => w((o[0] as i32).wrapping_rem(b) as u32),
    });
    check("min.s32 D, A, B", &[32, 32, 32], |o| w((o[0] as i32).min(o[1] as i32) as u32));
    check("max.u64 D, A, B", &[64, 64, 64], |o| o[0].max(o[1]));
    check("abs.s64 D, A", &[64, 64], |o| (o[0] as i64).wrapping_abs() as u64);
    check("neg.s32 D, A", &[32, 32], |o| w((o[0] as u32).wrapping_neg()));
    check("sad.s32 D, A, B, C", &[32, 32, 32, 32], |o| {
        w((o[2] as u32).wrapping_add((o[0] as i32).abs_diff(o[1] as i32)))
    });
    check("not.b32 D, A", &[32, 32], |o| w(!(o[0] as u32)));
    check("cnot.b32 D, A", &[32, 32], |o| u64::from(o[0] == 0));
    check("max.s16x2 D, A, B", &[32, 32, 32], |o| {
        let one = |at: u64| u64::from(((o[0] >> at) as i16).max((o[1] >> at) as i16) as u16);
        one(16) << 16 | one(0)
    });
    check("mad.lo.cc.u32 %r9, A, B, C; madc.hi.u32 D, A, B, 0", &[32, 32, 32, 32], |o| {
        ((u128::from(o[0]) * u128::from(o[1]) + u128::from(o[2])) >> 32) as u64 & 0xFFFF_FFFF
    });
    // 128-bit sums by the carry flag.
    check("add.cc.s64 %rd9, A, B; addc.s64 D, C, 0", &[64, 64, 64, 64], |o| {
        o[2].wrapping_add(u64::from(o[0].checked_add(o[1]).is_none()))
    });
    check("sub.cc.u32 %r9, A, B; subc.u32 D, C, A", &[32, 32, 32, 32], |o| {
        w((o[2] as u32).wrapping_sub(o[0] as u32).wrapping_sub(u32::from(o[0] < o[1])))
    });
}

#[test]
fn shifts_fields_and_permutations() {
    let shift = |a: u64, n: u64, width: u64| if n >= width { 0 } else { a << n };
    check("shl.b32 D, A, B", &[32, 32, 32], |o| shift(o[0], o[1], 32) & 0xFFFF_FFFF);
    check("shl.b64 D, A, B", &[64, 64, 32], |o| shift(o[0], o[1], 64));
    check("shl.b16 D, A, B", &[16, 16, 32], |o| shift(o[0], o[1], 16) & 0xFFFF);
    check("shr.u32 D, A, B", &[32, 32, 32], |o| if o[1] >= 32 { 0 } else { o[0] >> o[1] });
    check("shr.s32 D, A, B", &[32, 32, 32], |o| u64::from(((o[0] as i32) >> o[1].min(31)) as u32));
    check("shr.s64 D, A, B", &[64, 64, 32], |o| ((o[0] as i64) >> o[1].min(63)) as u64);
    let bits = |a: u64, width: u64| (0..width).map(move |i| a >> i & 1).collect::<Vec<u64>>();
    let join = |bits: Vec<u64>| bits.iter().enumerate().fold(0u64, |v, (i, b)| v | b << i);
    for (name, width, signed) in [("u32", 32u64, false), ("s32", 32, true), ("u64", 64, false), ("s64", 64, true)] {
        let w = width as u32;
        check(&format!("bfe.{name} D, A, B, C"), &[w, w, 32, 32], |o| {
            // PTX says 0 to 255; an H200 takes all 32 bits of these operands in 64-bit instructions.
            let (at, n) = if width == 32 { (o[1] & 255, o[2] & 255) } else { (o[1], o[2]) };
            let source = bits(o[0], width);
            let sign = if signed && n > 0 { source[(at + n - 1).min(width - 1) as usize] } else { 0 };
            join((0..width).map(|i| if i < n && at + i < width { source[(at + i) as usize] } else { sign }).collect())
        });
    }
    check("bfi.b32 D, A, B, C, E", &[32, 32, 32, 32, 32], |o| {
        let (at, n) = (o[2] & 255, o[3] & 255);
        let (a, b) = (bits(o[0], 32), bits(o[1], 32));
        let pick = |i: u64| if i >= at && i < at + n { a[(i - at) as usize] } else { b[i as usize] };
        join((0..32).map(pick).collect())
    });
    check("popc.b64 D, A", &[32, 64], |o| u64::from(o[0].count_ones()));
    check("clz.b32 D, A", &[32, 32], |o| u64::from((o[0] as u32).leading_zeros()));
    check("brev.b32 D, A", &[32, 32], |o| u64::from((o[0] as u32).reverse_bits()));
    check("bfind.u32 D, A", &[32, 32], |o| {
        (0..32).rev().find(|i| o[0] >> i & 1 == 1).map_or(0xFFFF_FFFF, |i| i as u64)
    });
    check("bfind.s32 D, A", &[32, 32], |o| {
        let top = o[0] >> 31 & 1;
        (0..31).rev().find(|i| o[0] >> i & 1 != top).map_or(0xFFFF_FFFF, |i| i as u64)
    });
    for table in [0x80u32, 0xFE, 0x96, 0xE8, 0x1B, 0xCA] {
        check(&format!("lop3.b32 D, A, B, C, {table}"), &[32, 32, 32, 32], |o| {
            let row = |i: u64| (o[0] >> i & 1) << 2 | (o[1] >> i & 1) << 1 | o[2] >> i & 1;
            (0..32).fold(0, |v, i| v | u64::from(table >> row(i) & 1) << i)
        });
    }
    check("prmt.b32 D, A, B, C", &[32, 32, 32, 32], |o| {
        let bytes = [o[0].to_le_bytes(), o[1].to_le_bytes()];
        (0..4).fold(0, |v, i| {
            let s = o[2] >> (4 * i) & 15;
            let byte = bytes[(s >> 2 & 1) as usize][(s & 3) as usize];
            let byte = if s & 8 == 0 {
                byte
            } else if byte & 0x80 != 0 {
                0xFF
            } else {
                0
            };
            v | u64::from(byte) << (8 * i)
        })
    });
    let pair = |o: &[u64]| o[1] << 32 | o[0];
    check("shf.l.wrap.b32 D, A, B, C", &[32, 32, 32, 32], move |o| (pair(o) << (o[2] & 31)) >> 32);
    check("shf.r.wrap.b32 D, A, B, C", &[32, 32, 32, 32], move |o| (pair(o) >> (o[2] & 31)) & 0xFFFF_FFFF);
    check("shf.r.clamp.b32 D, A, B, C", &[32, 32, 32, 32], move |o| (pair(o) >> o[2].min(32)) & 0xFFFF_FFFF);
    check("shf.l.clamp.b32 D, A, B, C", &[32, 32, 32, 32], move |o| {
        ((u128::from(pair(o)) << o[2].min(32)) >> 32) as u64 & 0xFFFF_FFFF
    });
    check("dp4a.s32.u32 D, A, B, C", &[32, 32, 32, 32], |o| {
        let part = |i: u32| i64::from((o[0] >> (8 * i)) as i8) * i64::from((o[1] >> (8 * i)) as u8);
        (0..4).map(part).fold(o[2] as i64, i64::wrapping_add) as u64 & 0xFFFF_FFFF
    });
}

#[test]
fn packing() {
    check("mov.b64 D, {A, B}", &[64, 32, 32], |o| o[1] << 32 | o[0]);
    check("mov.b32 D, {A, B}", &[32, 16, 16], |o| o[1] << 16 | o[0]);
    check("mov.b64 {_, D}, A", &[32, 64], |o| o[0] >> 32);
    check("mov.b32 {D, _}, A", &[16, 32], |o| o[0] & 0xFFFF);
    check("{ .reg .b128 %q; mov.b128 %q, {A, B}; mov.b128 {_, D}, %q; }", &[64, 64, 64], |o| o[1]);
    check("selp.b32 D, A, B, 1", &[32, 32, 32], |o| o[0]);
}

#[test]
fn single_precision() {
    check("add.f32 D, A, B", &[32, 32, 32], |o| of(f(o[0]) + f(o[1])));
    check("sub.rn.f32 D, A, B", &[32, 32, 32], |o| of(f(o[0]) - f(o[1])));
    check("mul.ftz.f32 D, A, B", &[32, 32, 32], |o| of(ftz(ftz(f(o[0])) * ftz(f(o[1])))));
    check("fma.rn.f32 D, A, B, C", &[32, 32, 32, 32], |o| of(f(o[0]).mul_add(f(o[1]), f(o[2]))));
    check("fma.rn.ftz.sat.f32 D, A, B, C", &[32, 32, 32, 32], |o| {
        let value = ftz(ftz(f(o[0])).mul_add(ftz(f(o[1])), ftz(f(o[2]))));
        of(if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) + 0.0 })
    });
    check("div.rn.f32 D, A, B", &[32, 32, 32], |o| of(f(o[0]) / f(o[1])));
    check("div.full.f32 D, A, B", &[32, 32, 32], |o| of(f(o[0]) / f(o[1])));
    check("sqrt.rn.f32 D, A", &[32, 32], |o| of(f(o[0]).sqrt()));
    check("rcp.rn.f32 D, A", &[32, 32], |o| of(1.0 / f(o[0])));
    check("ex2.approx.ftz.f32 D, A", &[32, 32], |o| of(ftz(f64::from(ftz(f(o[0]))).exp2() as f32)));
    check("lg2.approx.f32 D, A", &[32, 32], |o| of(f64::from(f(o[0])).log2() as f32));
    check("neg.f32 D, A", &[32, 32], |o| of(-f(o[0])));
    check("abs.f32 D, A", &[32, 32], |o| of(f(o[0]).abs()));
    check("copysign.f32 D, A, B", &[32, 32, 32], |o| o[1] & 0x7FFF_FFFF | o[0] & 0x8000_0000);
    let ordered = |x: f32| {
        let bits = x.to_bits() as i32;
        if bits < 0 { -i64::from(bits & i32::MAX) - 1 } else { i64::from(bits) }
    };
    let pick = move |a: f32, b: f32, most: bool, nan: bool| match (a.is_nan(), b.is_nan()) {
        (true, true) => f32::NAN,
        (x, y) if nan && (x || y) => f32::NAN,
        (true, _) => b,
        (_, true) => a,
        _ => {
            if (ordered(a) >= ordered(b)) == most {
                a
            } else {
                b
            }
        }
    };
    check("min.f32 D, A, B", &[32, 32, 32], move |o| of(pick(f(o[0]), f(o[1]), false, false)));
    check("max.f32 D, A, B", &[32, 32, 32], move |o| of(pick(f(o[0]), f(o[1]), true, false)));
    check("max.NaN.f32 D, A, B", &[32, 32, 32], move |o| of(pick(f(o[0]), f(o[1]), true, true)));
    check("min.NaN.f32 D, A, B", &[32, 32, 32], move |o| of(pick(f(o[0]), f(o[1]), false, true)));
    check("add.rn.f32x2 D, A, B", &[64, 64, 64], |o| of(f(o[0] >> 32) + f(o[1] >> 32)) << 32 | of(f(o[0]) + f(o[1])));
}

/// The two f32 around an exact real number are found by stepping from the nearest one.
#[test]
fn directed_rounding() {
    let next = |x: f32, up: bool| {
        if up { x.next_up() } else { x.next_down() }
    };
    // `compare(r)` says how r compares with the exact result.
    let direct = |nearest: f32, up: bool, order: std::cmp::Ordering| match (order, up) {
        (std::cmp::Ordering::Less, true) => next(nearest, true),
        (std::cmp::Ordering::Greater, false) => next(nearest, false),
        _ => nearest,
    };
    for (name, up) in [("rp", true), ("rm", false)] {
        check(&format!("mul.{name}.f32 D, A, B"), &[32, 32, 32], |o| {
            let exact = f64::from(f(o[0])) * f64::from(f(o[1]));
            let nearest = exact as f32;
            if exact.is_nan() || f(o[0]).is_infinite() || f(o[1]).is_infinite() {
                return of(nearest);
            }
            of(direct(nearest, up, f64::from(nearest).partial_cmp(&exact).unwrap()))
        });
        check(&format!("div.{name}.f32 D, A, B"), &[32, 32, 32], |o| {
            let (a, b) = (f(o[0]), f(o[1]));
            let nearest = a / b;
            if nearest.is_nan() || a.is_infinite() || b.is_infinite() || b == 0.0 || a == 0.0 {
                return of(nearest);
            }
            // r against a/b: compare r·b with a, which are exact in f64; an infinite r is above any quotient.
            let order = (f64::from(nearest) * f64::from(b)).partial_cmp(&f64::from(a)).unwrap();
            of(direct(nearest, up, if b > 0.0 { order } else { order.reverse() }))
        });
    }
    check("add.rz.f32 D, A, B", &[32, 32, 32], |o| {
        let (a, b) = (f(o[0]), f(o[1]));
        let nearest = a + b;
        if !nearest.is_finite() && (nearest.is_nan() || a.is_infinite() || b.is_infinite()) {
            return of(nearest);
        }
        // The exact error of a sum: by f64 when the exponents are close, else by the sign of the smaller operand.
        let (big, small) = if a.abs() >= b.abs() { (a, b) } else { (b, a) };
        let error = (f64::from(big) - f64::from(nearest)) + f64::from(small);
        let too_big = if nearest > 0.0 { error < 0.0 } else { error > 0.0 };
        of(if too_big { if nearest > 0.0 { nearest.next_down() } else { nearest.next_up() } } else { nearest })
    });
}

#[test]
fn double_precision() {
    check("add.f64 D, A, B", &[64, 64, 64], |o| od(d(o[0]) + d(o[1]), o));
    check("fma.rn.f64 D, A, B, C", &[64, 64, 64, 64], |o| od(d(o[0]).mul_add(d(o[1]), d(o[2])), o));
    check("div.rn.f64 D, A, B", &[64, 64, 64], |o| od(d(o[0]) / d(o[1]), o));
    check("sqrt.rn.f64 D, A", &[64, 64], |o| od(d(o[0]).sqrt(), o));
    check("neg.f64 D, A", &[64, 64], |o| od(-d(o[0]), o));
}

#[test]
fn half_precision() {
    let h = |bits: u64| f16::from_bits(bits as u16).to_f64();
    let oh = |x: f64| if x.is_nan() { 0x7FFF } else { u64::from(round_half(x)) };
    check("add.f16 D, A, B", &[16, 16, 16], move |o| oh(h(o[0]) + h(o[1])));
    check("mul.rn.f16 D, A, B", &[16, 16, 16], move |o| oh(h(o[0]) * h(o[1])));
    check("sub.f16x2 D, A, B", &[32, 32, 32], move |o| oh(h(o[0] >> 16) - h(o[1] >> 16)) << 16 | oh(h(o[0]) - h(o[1])));
    let b = |bits: u64| bf16::from_bits(bits as u16).to_f32();
    let ob = |x: f32| if x.is_nan() { 0x7FFF } else { u64::from(bf16::from_f32(x).to_bits()) };
    check("mul.bf16 D, A, B", &[16, 16, 16], move |o| ob(b(o[0]) * b(o[1])));
    check("max.bf16x2 D, A, B", &[32, 32, 32], move |o| {
        let one = |x: u64, y: u64| {
            let (a, c) = (b(x), b(y));
            match () {
                _ if a.is_nan() => ob(c),
                _ if c.is_nan() => ob(a),
                _ if a == c => {
                    if a.is_sign_positive() {
                        ob(a)
                    } else {
                        ob(c)
                    }
                }
                _ => ob(a.max(c)),
            }
        };
        one(o[0] >> 16, o[1] >> 16) << 16 | one(o[0], o[1])
    });
    // A product of halves has 22 bits and lies on the grid of 2^-48, a half on that of 2^-24: exact in i128.
    let fixed = |bits: u64| (h(bits) * 2f64.powi(24)) as i128;
    check("fma.rn.f16 D, A, B, C", &[16, 16, 16, 16], move |o| {
        if o.iter().any(|x| !h(*x).is_finite()) {
            return oh(h(o[0]).mul_add(h(o[1]), h(o[2])));
        }
        let sum = fixed(o[0]) * fixed(o[1]) + (fixed(o[2]) << 24);
        if sum == 0 {
            return oh(h(o[0]) * h(o[1]) + h(o[2]));
        }
        u64::from(round_fixed(sum))
    });
    check("fma.rn.relu.f16 D, A, B, C", &[16, 16, 16, 16], move |o| {
        let value = h(o[0]).mul_add(h(o[1]), h(o[2]));
        if value.is_nan() {
            return 0x7FFF;
        }
        if value <= 0.0 {
            0
        } else if o.iter().any(|x| !h(*x).is_finite()) {
            oh(value)
        } else {
            u64::from(round_fixed(fixed(o[0]) * fixed(o[1]) + (fixed(o[2]) << 24)))
        }
    });
}

/// The f16 nearest to an exactly represented f64, ties to even, by search over all codes' neighbourhood.
fn round_half(x: f64) -> u16 {
    let guess = f16::from_f32(x as f32).to_bits();
    let candidates = [guess, guess.wrapping_sub(1), guess.wrapping_add(1)];
    let distance = |code: u16| {
        let value = f16::from_bits(code);
        // Infinity stands where the next number would be.
        let at = if value.is_infinite() { 65536f64.copysign(value.to_f64()) } else { value.to_f64() };
        (at - x).abs()
    };
    let good = |code: &&u16| !f16::from_bits(**code).is_nan() && (**code ^ guess) & 0x8000 == 0;
    if x.is_infinite() {
        return guess;
    }
    *candidates
        .iter()
        .filter(good)
        .min_by(|a, b| distance(**a).partial_cmp(&distance(**b)).unwrap().then((*a & 1).cmp(&(*b & 1))))
        .unwrap()
}

/// The f16 nearest to `sum` · 2^-48.
fn round_fixed(sum: i128) -> u16 {
    let magnitude = sum.unsigned_abs();
    let width = 128 - magnitude.leading_zeros() as i32;
    // Units of the last place: 2^(width-11), not below 2^24 (that is 2^-24).
    let unit = (width - 11).max(24) as u32;
    let (mut kept, rest, half) = (magnitude >> unit, magnitude & ((1 << unit) - 1), 1u128 << (unit - 1));
    if rest > half || rest == half && kept & 1 == 1 {
        kept += 1;
    }
    let value = kept as f64 * 2f64.powi(unit as i32 - 48);
    let code = if value >= 65520.0 { 0x7C00 } else { f16::from_f64(value).to_bits() };
    code | if sum < 0 { 0x8000 } else { 0 }
}

#[test]
fn conversions() {
    let w = |x: u32| u64::from(x);
    check("cvt.s64.s32 D, A", &[64, 32], |o| i64::from(o[0] as i32) as u64);
    check("cvt.u64.u32 D, A", &[64, 32], |o| o[0]);
    check("cvt.s32.s8 D, A", &[32, 32], |o| w(i32::from(o[0] as i8) as u32));
    check("cvt.u32.u8 D, A", &[32, 32], |o| o[0] & 0xFF);
    check("cvt.s16.s8 D, A", &[16, 32], |o| u64::from(i16::from(o[0] as i8) as u16));
    check("cvt.sat.s8.s32 D, A", &[32, 32], |o| w(i32::from((o[0] as i32).clamp(-128, 127) as i8) as u32));
    check("cvt.sat.u8.s32 D, A", &[32, 32], |o| (o[0] as i32).clamp(0, 255) as u64);
    check("cvt.rn.f32.s32 D, A", &[32, 32], |o| of(o[0] as i32 as f32));
    check("cvt.rn.f32.u64 D, A", &[32, 64], |o| of(o[0] as f32));
    check("cvt.rn.f32.s64 D, A", &[32, 64], |o| of(o[0] as i64 as f32));
    check("cvt.rn.f64.s64 D, A", &[64, 64], |o| (o[0] as i64 as f64).to_bits());
    check("cvt.rn.f16.s32 D, A", &[16, 32], |o| u64::from(round_half(f64::from(o[0] as i32))));
    let int = |x: f32, round: fn(f32) -> f32| if x.is_nan() { 0 } else { w(round(x) as i32 as u32) };
    check("cvt.rzi.s32.f32 D, A", &[32, 32], move |o| int(f(o[0]), f32::trunc));
    check("cvt.rni.s32.f32 D, A", &[32, 32], move |o| int(f(o[0]), f32::round_ties_even));
    check("cvt.rmi.s32.f32 D, A", &[32, 32], move |o| int(f(o[0]), f32::floor));
    check("cvt.rpi.ftz.s32.f32 D, A", &[32, 32], move |o| int(ftz(f(o[0])), f32::ceil));
    check("cvt.rzi.u32.f32 D, A", &[32, 32], |o| w(f(o[0]) as u32));
    check("cvt.rzi.s64.f32 D, A", &[64, 32], |o| if f(o[0]).is_nan() { 1 << 63 } else { f(o[0]) as i64 as u64 });
    check("cvt.rzi.u64.f64 D, A", &[64, 64], |o| if d(o[0]).is_nan() { 1 << 63 } else { d(o[0]) as u64 });
    check("cvt.rzi.s32.f64 D, A", &[32, 64], |o| if d(o[0]).is_nan() { 1 << 31 } else { w(d(o[0]) as i32 as u32) });
    check("cvt.rmi.f32.f32 D, A", &[32, 32], |o| of(f(o[0]).floor()));
    // What is no number keeps its sign and the upper bits of its payload, and is made quiet.
    check("cvt.rn.f32.f64 D, A", &[32, 64], |o| match d(o[0]).is_nan() {
        true => o[0] >> 32 & 0x8000_0000 | 0x7FC0_0000 | o[0] >> 29 & 0x003F_FFFF,
        false => of(d(o[0]) as f32),
    });
    check("cvt.f64.f32 D, A", &[64, 32], |o| match f(o[0]).is_nan() {
        true => (o[0] & 0x8000_0000) << 32 | 0x7FF8 << 48 | (o[0] & 0x003F_FFFF) << 29,
        false => f64::from(f(o[0])).to_bits(),
    });
    check(
        "cvt.rn.f16.f32 D, A",
        &[16, 32],
        |o| if f(o[0]).is_nan() { 0x7FFF } else { w16(round_half(f(o[0]).into())) },
    );
    check("cvt.rn.f16.f64 D, A", &[16, 64], |o| {
        let x = d(o[0]);
        if x.is_nan() { o[0] >> 48 & 0x8000 | 0x7E00 | o[0] >> 42 & 0x01FF } else { w16(round_half(x)) }
    });
    check("cvt.rz.f16.f32 D, A", &[16, 32], |o| {
        let x = f(o[0]);
        if x.is_nan() {
            return 0x7FFF;
        }
        let code = round_half(x.into());
        let too_big = f16::from_bits(code).to_f64().abs() > f64::from(x).abs();
        w16(if too_big { code - 1 } else { code })
    });
    check("cvt.f32.f16 D, A", &[32, 16], |o| of(f16::from_bits(o[0] as u16).to_f32()));
    check("cvt.rn.bf16.f32 D, A", &[16, 32], |o| {
        if f(o[0]).is_nan() { 0x7FFF } else { w16(bf16::from_f32(f(o[0])).to_bits()) }
    });
    check("cvt.sat.f32.f32 D, A", &[32, 32], |o| of(if f(o[0]) > 0.0 { f(o[0]).min(1.0) } else { 0.0 }));
    check("cvt.rn.f16x2.f32 D, A, B", &[32, 32, 32], |o| {
        let one = |x: u64| if f(x).is_nan() { 0x7FFF } else { w16(round_half(f(x).into())) };
        one(o[0]) << 16 | one(o[1])
    });
    check("cvt.rna.tf32.f32 D, A", &[32, 32], |o| {
        if !f(o[0]).is_finite() {
            // The lower bits are cut off, even where that makes an infinity of what is no number.
            o[0] & 0xFFFF_E000
        } else {
            ((o[0] & 0x7FFF_FFFF) + 0x1000) & 0xFFFF_E000 | o[0] & 0x8000_0000
        }
    });
    check("cvt.rn.satfinite.e4m3x2.f32 D, A, B", &[16, 32, 32], |o| {
        u64::from(nearest_e4m3(f(o[0]))) << 8 | u64::from(nearest_e4m3(f(o[1])))
    });
    check("cvt.rn.f16x2.e4m3x2 D, A", &[32, 16], |o| {
        let one = |code: u64| {
            let value = e4m3(code as u8);
            if value.is_nan() { 0x7FFF } else { u64::from(f16::from_f64(value).to_bits()) }
        };
        one(o[0] >> 8 & 255) << 16 | one(o[0] & 255)
    });
}

fn w16(x: u16) -> u64 {
    u64::from(x)
}

fn e4m3(code: u8) -> f64 {
    let (exponent, mantissa) = (i32::from(code >> 3 & 15), f64::from(code & 7));
    let magnitude = match (exponent, mantissa as u8) {
        (15, 7) => f64::NAN,
        (0, _) => mantissa / 512.0,
        _ => (1.0 + mantissa / 8.0) * 2f64.powi(exponent - 7),
    };
    if code & 0x80 != 0 { -magnitude } else { magnitude }
}

/// The code of e4m3 nearest to x by looking at all of them, saturating.
fn nearest_e4m3(x: f32) -> u8 {
    if x.is_nan() {
        return 0x7F;
    }
    let sign = if x.is_sign_negative() { 0x80 } else { 0 };
    let distance = |code: &u8| (e4m3(*code) - f64::from(x).abs()).abs();
    let order = |a: &u8, b: &u8| distance(a).partial_cmp(&distance(b)).unwrap().then((a & 1).cmp(&(b & 1)));
    if x.abs() >= 448.0 { sign | 0x7E } else { sign | (0..0x7F).min_by(order).unwrap() }
}

#[test]
fn comparisons() {
    let truth = |yes: bool| u64::from(yes);
    for (op, order) in [("lt", [true, false, false]), ("le", [true, true, false]), ("ne", [true, false, true])] {
        let expect = move |o: std::cmp::Ordering| order[(o as i8 + 1) as usize];
        check(&format!("setp.{op}.s32 %p1, A, B; selp.b32 D, 1, 0, %p1"), &[32, 32, 32], move |o| {
            truth(expect((o[0] as i32).cmp(&(o[1] as i32))))
        });
        check(&format!("setp.{op}.u64 %p1, A, B; selp.b32 D, 1, 0, %p1"), &[32, 64, 64], move |o| {
            truth(expect(o[0].cmp(&o[1])))
        });
        check(&format!("setp.{op}.f32 %p1, A, B; selp.b32 D, 1, 0, %p1"), &[32, 32, 32], move |o| {
            truth(f(o[0]).partial_cmp(&f(o[1])).is_some_and(expect))
        });
        check(
            &format!("setp.{op}u.f32 %p1|%p2, A, B; selp.b32 D, 1, 0, %p1; @%p2 or.b32 D, D, 2"),
            &[32, 32, 32],
            move |o| if f(o[0]).partial_cmp(&f(o[1])).is_none_or(expect) { 1 } else { 2 },
        );
    }
    check("setp.nan.f32 %p1, A, B; selp.b32 D, 1, 0, %p1", &[32, 32, 32], move |o| {
        truth(f(o[0]).is_nan() || f(o[1]).is_nan())
    });
    check("setp.lt.s32 %p2, B, 0; setp.eq.and.b32 %p1, A, B, !%p2; selp.b32 D, 1, 0, %p1", &[32, 32, 32], move |o| {
        truth(o[0] == o[1] && o[1] as i32 >= 0)
    });
    check("set.lt.u32.f32 D, A, B", &[32, 32, 32], |o| if f(o[0]) < f(o[1]) { 0xFFFF_FFFF } else { 0 });
    check("slct.b32.s32 D, A, B, C", &[32, 32, 32, 32], |o| if o[2] as i32 >= 0 { o[0] } else { o[1] });
    check("testp.subnormal.f32 %p1, A; selp.b32 D, 1, 0, %p1", &[32, 32], move |o| truth(f(o[0]).is_subnormal()));
    check("setp.lt.f16x2 %p1|%p2, A, B; selp.b32 D, 1, 0, %p1; @%p2 or.b32 D, D, 2", &[32, 32, 32], move |o| {
        let h = |bits: u64| f16::from_bits(bits as u16);
        truth(h(o[0]) < h(o[1])) | truth(h(o[0] >> 16) < h(o[1] >> 16)) << 1
    });
    check(
        "setp.gt.s32 %p1, A, 0; setp.gt.s32 %p2, B, 0; xor.pred %p3, %p1, %p2; not.pred %p3, %p3; selp.b32 D, 1, 0, %p3",
        &[32, 32, 32],
        move |o| truth((o[0] as i32 > 0) == (o[1] as i32 > 0)),
    );
}
