//! Forms of PTX that other compilers and people write: vector registers, constant expressions, functions that take registers, calls
//! through registers, `wmma`, products of quad pairs, packed comparisons and conversions.

use crate::device::{Device, Random, u32s};
use half::f16;
use tk_diag::{Style, render};
use tk_sim::Arg;

/// Runs `k(in, out)` with 32 threads, whose number is in `%r1` and whose words are at `%rd1` and `%rd2`; `%rd3`, `%rd4` are the buffers.
#[track_caller]
fn run_with(functions: &str, body: &str, input: &[u32], outputs: usize) -> Vec<u32> {
    let text = format!(
        ".version 8.7\n.target sm_90a\n.address_size 64\n{functions}\n\
         .visible .entry k(.param .u64 in, .param .u64 out)\n{{\n.reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<64>;\n\
         .reg .b64 %rd<16>;\n.reg .f64 %d<8>;\n.shared .align 16 .b8 tile[4096];\nld.param.u64 %rd3, [in];\n\
         ld.param.u64 %rd4, [out];\nmov.u32 %r1, %tid.x;\nmad.wide.u32 %rd1, %r1, 4, %rd3;\nmad.wide.u32 %rd2, %r1, 4, %rd4;\n\
         {body}\nret;\n}}\n"
    );
    let mut device = Device::new();
    let (input, out) = (device.upload(u32s(input)), device.upload(u32s(&vec![0; outputs])));
    let args: [Arg; 2] = [input.into(), out.into()];
    if let Err(error) = device.run(&text, "k", [1, 1, 1], 32, 0, &args) {
        panic!("{}", render(&error, Style::Plain));
    }
    device.words(out)
}

#[track_caller]
fn run(body: &str, input: &[u32]) -> Vec<u32> {
    run_with("", body, input, 32)
}

fn words(seed: u64, count: usize) -> Vec<u32> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random.next() as u32).collect()
}

#[test]
fn vectors_of_registers_have_parts() {
    let body = ".reg .v2 .b32 v; .reg.v4.u16 w<2>;
        ld.global.b32 v.x, [%rd1]; xor.b32 v.y, v.x, -1; mov.v2.b32 v, {v.y, v.x};
        mov.b64 %rd5, v; mov.b64 w1, %rd5; add.u16 w1.x, w1.x, w1.w;
        mov.b64 %rd6, w1; cvt.u32.u64 %r5, %rd6; st.global.b32 [%rd2], %r5;";
    let input = words(1, 32);
    for (got, x) in run(body, &input).iter().zip(&input) {
        let whole = u64::from(*x) << 32 | u64::from(!x);
        let low = (whole as u16).wrapping_add((whole >> 48) as u16);
        assert_eq!(*got, (whole as u32) & 0xFFFF_0000 | u32::from(low));
    }
}

#[test]
fn constants_are_computed() {
    let table = ".global .b32 table[2*2] = {1+1, (3 << 2) | 1, -(5), ~0 - 1};";
    let body = "mov.u32 %r5, (1<<5)-7*3+100/7 % 5; add.u32 %r6, %r5, 2+-3; ld.global.b32 %r7, [table+4*(1+1)];
        add.u32 %r6, %r6, %r7; ld.global.b32 %r7, [table+3*4]; sub.u32 %r6, %r6, %r7; st.global.b32 [%rd2+8*2-16], %r6;";
    let got = run_with(table, body, &[0], 32);
    assert!(got.iter().all(|word| *word as i32 == (1 << 5) - 7 * 3 + 100 / 7 % 5 - 1 - 5 + 2), "{got:?}");
}

#[test]
fn functions_take_and_return_registers() {
    let functions = ".func (.reg .b32 sum, .reg .b32 difference) both(.reg .b32 a, .reg .b32 b)
        { add.s32 sum, a, b; sub.s32 difference, a, b; ret; }
        .func (.reg .v2 .b32 out) twice(.reg .b32 a) { mov.v2.b32 out, {a, a}; ret; }";
    let body = "ld.global.b32 %r5, [%rd1]; call (%r6, %r7), both, (%r5, 17); mul.lo.s32 %r8, %r6, %r7;
        .reg .v2 .b32 pair; call (pair), twice, (%r8); add.u32 %r8, pair.x, pair.y; st.global.b32 [%rd2], %r8;";
    let input = words(2, 32);
    for (got, x) in run_with(functions, body, &input, 32).iter().zip(&input) {
        assert_eq!(*got, x.wrapping_add(17).wrapping_mul(x.wrapping_sub(17)).wrapping_mul(2));
    }
}

#[test]
fn calls_through_registers_reach_each_function() {
    let functions = ".func (.param .b32 r) triple(.param .b32 a)
        { .reg .b32 %x<2>; ld.param.b32 %x0, [a]; mul.lo.u32 %x1, %x0, 3; st.param.b32 [r], %x1; ret; }
        .func (.param .b32 r) flip(.param .b32 a)
        { .reg .b32 %x<2>; ld.param.b32 %x0, [a]; not.b32 %x1, %x0; st.param.b32 [r], %x1; ret; }
        .global .u64 table[2] = {triple, flip};";
    let body = "and.b32 %r5, %r1, 1; mul.wide.u32 %rd5, %r5, 8; mov.u64 %rd6, table; add.u64 %rd6, %rd6, %rd5;
        ld.global.u64 %rd7, [%rd6]; setp.lt.u32 %p1, %r1, 30; ld.global.b32 %r6, [%rd1]; mov.u32 %r7, 5;
        @!%p1 bra SKIP;
        { .param .b32 argument; .param .b32 result; st.param.b32 [argument], %r6;
          proto: .callprototype (.param .b32 _) _ (.param .b32 _);
          call (result), %rd7, (argument), proto; ld.param.b32 %r7, [result]; }
        SKIP: st.global.b32 [%rd2], %r7;";
    let input = words(3, 32);
    for (i, (got, x)) in run_with(functions, body, &input, 32).iter().zip(&input).enumerate() {
        let wanted = match i {
            30.. => 5,
            _ if i % 2 == 0 => x.wrapping_mul(3),
            _ => !x,
        };
        assert_eq!(*got, wanted);
    }
}

#[test]
fn comparisons_and_conversions_of_pairs() {
    let body = "ld.global.b32 %r5, [%rd1]; ld.global.b32 %r6, [%rd3+64]; set.gt.f16x2.f16x2 %r7, %r5, %r6;
        set.gtu.u32.f16x2 %r8, %r5, %r6; xor.b32 %r9, %r7, %r8;
        cvt.pack.sat.u8.s32.b32 %r10, %r5, 300, %r6; cvt.pack.sat.s16.s32 %r11, %r5, -70000;
        xor.b32 %r9, %r9, %r10; add.u32 %r9, %r9, %r11; st.global.b32 [%rd2], %r9;";
    let input = words(4, 32);
    let half = |word: u32, i: u32| f16::from_bits((word >> (16 * i)) as u16);
    for (got, x) in run(body, &input).iter().zip(&input) {
        let y = input[16];
        let each = |yes: u32, f: &dyn Fn(f16, f16) -> bool| {
            (0..2).filter(|i| f(half(*x, *i), half(y, *i))).fold(0, |word, i| word | yes << (16 * i))
        };
        let greater = each(0x3C00, &|a, b| a > b);
        let unordered = each(0xFFFF, &|a, b| a > b || a.is_nan() || b.is_nan());
        let bytes = y << 16 | ((*x as i32).clamp(0, 255) as u32) << 8 | 255;
        let shorts = ((*x as i32).clamp(-32768, 32767) as u32) << 16 | 0x8000;
        assert_eq!(*got, (greater ^ unordered ^ bytes).wrapping_add(shorts));
    }
}

/// Words with two halves of small integers each.
fn small_halves(count: usize, seed: u64) -> (Vec<u32>, Vec<f32>) {
    let mut random = Random::new(seed);
    let values: Vec<f32> = (0..count).map(|_| (random.next() % 17) as f32 - 8.0).collect();
    let words = values
        .chunks(2)
        .map(|pair| u32::from(f16::from_f32(pair[1]).to_bits()) << 16 | u32::from(f16::from_f32(pair[0]).to_bits()));
    (words.collect(), values)
}

#[test]
fn wmma_multiplies_tiles_of_any_layout() {
    // A of 16 by 16 with rows of 16, B of 16 by 16 column after column, C and D in f32 with rows of 20.
    let registers = |name: &str, count: usize| (0..count).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ");
    let (a, b, c) = (registers("a", 8), registers("b", 8), registers("c", 8));
    let (words, values) = small_halves(512, 5);
    for (layout_a, layout_b) in [("row", "col"), ("col", "row"), ("row", "row")] {
        let body = format!(
            ".reg .b32 a<8>; .reg .b32 b<8>; .reg .f32 c<8>; mov.b32 %r20, 20; add.u64 %rd5, %rd3, 512;
             wmma.load.a.sync.aligned.{layout_a}.m16n16k16.global.f16 {{{a}}}, [%rd3], 16;
             wmma.load.b.sync.aligned.{layout_b}.m16n16k16.global.f16 {{{b}}}, [%rd5];
             wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {{{c}}}, [%rd4], %r20;
             wmma.mma.sync.aligned.{layout_a}.{layout_b}.m16n16k16.f32.f32 {{{c}}}, {{{a}}}, {{{b}}}, {{{c}}};
             wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd4], {{{c}}}, %r20;"
        );
        let got = run_with("", &body, &words, 320);
        let at = |matrix: &[f32], layout: &str, i: usize, j: usize| {
            matrix[if layout == "row" { 16 * i + j } else { 16 * j + i }]
        };
        for i in 0..16 {
            for j in 0..16 {
                let term = |k| at(&values, layout_a, i, k) * at(&values[256..], layout_b, k, j);
                assert_eq!(f32::from_bits(got[20 * i + j]), (0..16).map(term).sum::<f32>(), "{layout_a} {i} {j}");
            }
        }
    }
}

#[test]
fn wmma_of_wide_and_high_tiles_has_eight_registers_of_halves() {
    let registers = |name: &str| (0..8).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ");
    let (a, b, c) = (registers("a"), registers("b"), registers("c"));
    let (words, values) = small_halves(640, 7);
    for (shape, m, n) in [("m32n8k16", 32, 8), ("m8n32k16", 8, 32)] {
        let body = format!(
            ".reg .b32 a<8>; .reg .b32 b<8>; .reg .f32 c<8>; mov.b32 %r20, {n}; add.u64 %rd5, %rd3, {};
             wmma.load.a.sync.aligned.row.{shape}.global.f16 {{{a}}}, [%rd3], 16;
             wmma.load.b.sync.aligned.row.{shape}.global.f16 {{{b}}}, [%rd5], {n};
             wmma.load.c.sync.aligned.row.{shape}.global.f32 {{{c}}}, [%rd4], %r20;
             wmma.mma.sync.aligned.row.row.{shape}.f32.f32 {{{c}}}, {{{a}}}, {{{b}}}, {{{c}}};
             wmma.store.d.sync.aligned.row.{shape}.global.f32 [%rd4], {{{c}}}, %r20;",
            2 * 16 * m
        );
        let got = run_with("", &body, &words, m * n);
        for (index, word) in got.iter().enumerate() {
            let (i, j) = (index / n, index % n);
            let wanted: f32 = (0..16).map(|k| values[16 * i + k] * values[16 * m + n * k + j]).sum();
            assert_eq!(f32::from_bits(*word), wanted, "{shape} {i} {j}");
        }
    }
}

#[test]
fn wmma_of_bytes_and_doubles() {
    let input = words(6, 128);
    let bytes = |at: usize| (input[at / 4] >> (8 * (at % 4))) as u8;
    let body = ".reg .b32 a<2>; .reg .b32 b<2>; .reg .b32 c<8>; add.u64 %rd5, %rd3, 256;
        wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {a0, a1}, [%rd3];
        wmma.load.b.sync.aligned.col.m16n16k16.global.u8 {b0, b1}, [%rd5];
        wmma.load.c.sync.aligned.row.m16n16k16.global.s32 {c0, c1, c2, c3, c4, c5, c6, c7}, [%rd4];
        wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32 {c0, c1, c2, c3, c4, c5, c6, c7}, {a0, a1}, {b0, b1}, {c0, c1, c2, c3, c4, c5, c6, c7};
        wmma.store.d.sync.aligned.row.m16n16k16.global.s32 [%rd4], {c0, c1, c2, c3, c4, c5, c6, c7};";
    let got = run_with("", body, &input, 256);
    for (at, got) in got.iter().enumerate() {
        let (i, j) = (at / 16, at % 16);
        let sum: i32 = (0..16).map(|k| i32::from(bytes(16 * i + k) as i8) * i32::from(bytes(256 + 16 * j + k))).sum();
        assert_eq!(*got as i32, sum);
    }
    let doubles: Vec<f64> = words(7, 64).iter().map(|word| f64::from(*word as i32) / 1024.0).collect();
    let input: Vec<u32> = doubles.iter().flat_map(|x| [x.to_bits() as u32, (x.to_bits() >> 32) as u32]).collect();
    let body = "add.u64 %rd5, %rd3, 256;
        wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%d0}, [%rd3];
        wmma.load.b.sync.aligned.row.m8n8k4.global.f64 {%d1}, [%rd5];
        wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%d2, %d3}, [%rd4];
        wmma.mma.sync.aligned.row.row.m8n8k4.rn.f64.f64.f64.f64 {%d2, %d3}, {%d0}, {%d1}, {%d2, %d3};
        wmma.store.d.sync.aligned.col.m8n8k4.global.f64 [%rd4], {%d2, %d3};";
    let got = run_with("", body, &input, 128);
    for at in 0..64 {
        let (i, j) = (at % 8, at / 8);
        let sum = (0..4).fold(0.0, |sum, k| f64::mul_add(doubles[4 * i + k], doubles[32 + 8 * k + j], sum));
        assert_eq!(u64::from(got[2 * at + 1]) << 32 | u64::from(got[2 * at]), sum.to_bits());
    }
}

#[test]
fn quad_pairs_multiply_four_tiles() {
    // Each lane loads its row of A and its column of B, four halves each, of its own quad pair.
    let (words, values) = small_halves(4 * 64, 8);
    let body = ".reg .f32 c<8>; shr.u32 %r5, %r1, 2; and.b32 %r5, %r5, 3; shr.u32 %r6, %r1, 4; shl.b32 %r6, %r6, 2;
        and.b32 %r7, %r1, 3; add.u32 %r7, %r7, %r6; mul.lo.u32 %r8, %r5, 128; mad.lo.u32 %r9, %r7, 8, %r8;
        cvt.u64.u32 %rd5, %r9; add.u64 %rd5, %rd5, %rd3; ld.global.v2.b32 {%r10, %r11}, [%rd5];
        ld.global.v2.b32 {%r12, %r13}, [%rd5+64];
        mov.f32 c0, 0f00000000; mov.f32 c1, c0; mov.f32 c2, c0; mov.f32 c3, c0; mov.f32 c4, c0; mov.f32 c5, c0; mov.f32 c6, c0; mov.f32 c7, c0;
        mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {c0, c1, c2, c3, c4, c5, c6, c7}, {%r10, %r11}, {%r12, %r13}, {c0, c1, c2, c3, c4, c5, c6, c7};
        mad.wide.u32 %rd6, %r1, 32, %rd4; st.global.v4.f32 [%rd6], {c0, c1, c2, c3}; st.global.v4.f32 [%rd6+16], {c4, c5, c6, c7};";
    let got = run_with("", body, &words, 256);
    for (at, got) in got.iter().enumerate() {
        let (lane, i) = (at / 8, at % 8);
        let tile = &values[lane % 16 / 4 * 64..];
        let row = (lane & 1) + (i & 2) + lane / 16 * 4;
        let column = (i & 4) + (lane & 2) + (i & 1);
        let sum: f32 = (0..4).map(|k| tile[4 * row + k] * tile[32 + 4 * column + k]).sum();
        assert_eq!(f32::from_bits(*got), sum, "lane {lane}, register {i}");
    }
}

/// What an H200 gives for the kernel below in lanes 0 to 3: eight sums of the first product, two comparisons and two conversions in the
/// order of the kernel, and four sums of the second.
const MEASURED: [u32; 64] = [
    0xbeb00000, 0xbef00000, 0xbf880000, 0xbf400000, 0xbec00000, 0xbf280000, 0x3e400000, 0x3e400000, 0xffffffff,
    0xc0b1ffc8, 0x3c003c00, 0x7fff8000, 0xbef00000, 0xbe800000, 0x3f640000, 0x3f600000, 0x3fc00000, 0x3fb00000,
    0x3f440000, 0x3f700000, 0x3f000000, 0x3f880000, 0x3f1c0000, 0x3f400000, 0x0000ffff, 0xfade00c8, 0x00003c00,
    0x80008000, 0xbf400000, 0x3ec00000, 0x3f340000, 0xbe900000, 0xbe800000, 0x3dc00000, 0xbf880000, 0x3dc00000,
    0xbea00000, 0x00000000, 0xbd800000, 0x3f700000, 0xffffffff, 0x350bffc8, 0x3c003c00, 0x7fff8000, 0xbe600000,
    0xbf100000, 0x3f080000, 0x3f200000, 0x3f900000, 0xbf000000, 0x3f780000, 0x3ec00000, 0x3f100000, 0xbf500000,
    0x3f080000, 0xbe100000, 0x00000000, 0x6f3800c8, 0x00000000, 0x80008000, 0xbe200000, 0x3ea00000, 0x3f000000,
    0xbe800000,
];

#[test]
fn products_of_quad_pairs_and_pairs_agree_with_an_h200() {
    let zeros = "mov.f32 c0, 0f00000000; mov.f32 c1, c0; mov.f32 c2, c0; mov.f32 c3, c0; mov.f32 c4, c0; mov.f32 c5, c0; mov.f32 c6, c0; mov.f32 c7, c0;";
    let product = |layout: &str| {
        format!(
            "{zeros} mma.sync.aligned.m8n8k4.{layout}.f32.f16.f16.f32 {{c0,c1,c2,c3,c4,c5,c6,c7}}, {{%r11, %r12}}, {{%r13, %r14}}, {{c0,c1,c2,c3,c4,c5,c6,c7}};"
        )
    };
    // Halves of both signs and four exponents.
    let halves = |i: u32| format!("and.b32 %r{i}, %r{i}, 0x8c008c00; or.b32 %r{i}, %r{i}, 0x30003000;");
    let body = format!(
        ".reg .f32 c<8>; mad.wide.u32 %rd5, %r1, 64, %rd4;
         mad.lo.u32 %r11, %r1, 0x9E3779B1, 0x1234567; mad.lo.u32 %r12, %r11, 0x85EBCA6B, %r1;
         mad.lo.u32 %r13, %r12, 0xC2B2AE35, %r1; mad.lo.u32 %r14, %r13, 0x27D4EB2F, %r1;
         set.gtu.u32.f16x2 %r15, %r11, %r13; set.gt.f16x2.f16x2 %r17, %r11, %r13;
         cvt.pack.sat.u8.s32.b32 %r16, %r11, 200, %r13; cvt.pack.sat.s16.s32 %r18, %r11, %r13;
         st.global.v4.b32 [%rd5+32], {{%r15, %r16, %r17, %r18}};
         {} {} {} {} {} st.global.v4.f32 [%rd5], {{c0, c1, c2, c3}}; st.global.v4.f32 [%rd5+16], {{c4, c5, c6, c7}};
         {} st.global.v4.f32 [%rd5+48], {{c1, c3, c4, c6}};",
        halves(11),
        halves(12),
        halves(13),
        halves(14),
        product("row.col"),
        product("col.row"),
    );
    assert_eq!(run_with("", &body, &[0], 512)[..64], MEASURED);
}

/// Fibonacci numbers of the lane's number, by two calls of itself.
const FIBONACCI: &str = ".func (.param .b32 r) fibonacci(.param .b32 n);
    .func (.param .b32 r) fibonacci(.param .b32 n)
    { .reg .b32 %x<8>; .reg .pred %q; ld.param.b32 %x0, [n]; setp.gt.s32 %q, %x0, 1; mov.b32 %x3, %x0;
      @!%q bra DONE; sub.s32 %x1, %x0, 1;
      { .param .b32 a; .param .b32 b; st.param.b32 [a], %x1; call (b), fibonacci, (a); ld.param.b32 %x2, [b]; }
      sub.s32 %x1, %x0, 2;
      { .param .b32 a; .param .b32 b; st.param.b32 [a], %x1; call (b), fibonacci, (a); ld.param.b32 %x3, [b]; }
      add.s32 %x3, %x3, %x2;
      DONE: st.param.b32 [r], %x3; ret; }";

#[test]
fn functions_call_themselves() {
    let body = "rem.u32 %r5, %r1, 12; mov.u32 %r7, 7; setp.ne.u32 %p1, %r1, 3;
        { .param .b32 a; .param .b32 b; st.param.b32 [a], %r5; @%p1 call (b), fibonacci, (a); @%p1 ld.param.b32 %r7, [b]; }
        st.global.b32 [%rd2], %r7;";
    let mut numbers = vec![0u32, 1];
    (2..12).for_each(|i| numbers.push(numbers[i - 1] + numbers[i - 2]));
    for (lane, got) in run_with(FIBONACCI, body, &[0], 32).iter().enumerate() {
        assert_eq!(*got, if lane == 3 { 7 } else { numbers[lane % 12] }, "lane {lane}");
    }
    // Two that call each other, with registers, under a guard: how often a number can be halved, in steps of both.
    let functions = ".func (.reg .b32 r) odd(.reg .b32 n, .reg .b32 count);
        .func (.reg .b32 r) even(.reg .b32 n, .reg .b32 count)
        { .reg .pred %q; .reg .b32 %h, %c; setp.gt.u32 %q, n, 1; shr.u32 %h, n, 1; add.u32 %c, count, 1; mov.b32 r, count;
          @%q call (r), odd, (%h, %c); ret; }
        .func (.reg .b32 r) odd(.reg .b32 n, .reg .b32 count)
        { .reg .pred %q; .reg .b32 %h, %c, %own; mov.b32 %own, n; setp.gt.u32 %q, n, 1; shr.u32 %h, n, 1; add.u32 %c, count, 1;
          mov.b32 r, count; @%q call (r), even, (%h, %c); xor.b32 %own, %own, n; add.u32 r, r, %own; ret; }";
    let body = "ld.global.b32 %r5, [%rd1]; call (%r6), even, (%r5, 0); st.global.b32 [%rd2], %r6;";
    let input = words(9, 32);
    for (got, x) in run_with(functions, body, &input, 32).iter().zip(&input) {
        assert_eq!(*got, x.checked_ilog2().unwrap_or(0));
    }
}

#[test]
fn recursion_without_an_end_and_with_variables() {
    let fails = |functions: &str| {
        let text = format!(
            ".version 8.7\n.target sm_90a\n.address_size 64\n{functions}\n.visible .entry k()\n{{ .param .b32 a; .param .b32 b;
             .reg .b32 %r; mov.b32 %r, 5; st.param.b32 [a], %r; call (b), fibonacci, (a); ret; }}\n"
        );
        Device::new().run(&text, "k", [1, 1, 1], 32, 0, &[]).map(|_| ()).unwrap_err()
    };
    let error = fails(&FIBONACCI.replace("setp.gt.s32 %q, %x0, 1;", "setp.eq.s32 %q, %x0, %x0;"));
    assert_eq!(error.code, tk_diag::RUN_LIMIT, "{}", error.message);
    let error = fails(&FIBONACCI.replace("{ .reg .b32 %x<8>;", "{ .local .b32 own[4]; .reg .b32 %x<8>;"));
    assert!(error.message.contains("`.local` variables"), "{}", error.message);
}

#[test]
fn clusters_of_several_dimensions() {
    // Each CTA says where its cluster is, where it is in it, and what the CTA of the last rank has in shared memory.
    let text = ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out) .reqnctapercluster 2, 3, 1
        { .reg .b32 %r<24>; .reg .b64 %rd<4>; .shared .b32 word; ld.param.u64 %rd1, [out];
          mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mad.lo.u32 %r3, %r2, 4, %r1; mov.u32 %r20, %ctaid.z; mad.lo.u32 %r3, %r20, 24, %r3;
          mov.u32 %r4, %clusterid.x; mov.u32 %r5, %clusterid.y; mov.u32 %r6, %cluster_ctaid.x; mov.u32 %r7, %cluster_ctaid.y;
          mov.u32 %r8, %cluster_ctarank; mov.u32 %r9, %cluster_nctarank; mov.u32 %r10, %nclusterid.y; mov.u32 %r11, %cluster_nctaid.y;
          mov.u32 %r12, word; sub.u32 %r13, %r9, 1; st.shared.b32 [word], %r3;
          barrier.cluster.arrive; barrier.cluster.wait; mapa.shared::cluster.u32 %r14, %r12, %r13;
          ld.shared::cluster.b32 %r15, [%r14]; getctarank.shared::cluster.u32 %r16, %r14; barrier.cluster.arrive; barrier.cluster.wait;
          mad.wide.u32 %rd2, %r3, 48, %rd1; st.global.v4.b32 [%rd2], {%r4, %r5, %r6, %r7};
          st.global.v4.b32 [%rd2+16], {%r8, %r9, %r10, %r11}; st.global.v4.b32 [%rd2+32], {%r15, %r16, %r15, %r16}; ret; }";
    let mut device = Device::new();
    let out = device.upload(u32s(&[0; 12 * 48]));
    if let Err(error) = device.run(text, "k", [4, 6, 2], 1, 0, &[out.into()]) {
        panic!("{}", render(&error, Style::Plain));
    }
    let got = device.words(out);
    for (cta, got) in (0..48).zip(got.chunks(12)) {
        let (x, y, z) = (cta % 4, cta / 4 % 6, cta / 24);
        let last = (x / 2 * 2 + 1) + 4 * (y / 3 * 3 + 2) + 24 * z;
        assert_eq!(got[..10], [x / 2, y / 3, x % 2, y % 3, y % 3 * 2 + x % 2, 6, 2, 3, last, 5], "CTA {cta}");
    }
}

/// Whatever a modifier means that the simulator does not know, it must not be left out in silence.
#[test]
fn modifiers_that_are_not_known_are_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let mut seen = std::collections::BTreeSet::new();
    for path in std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
        if path.extension().is_none_or(|extension| extension != "ptx") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let module = tk_ptx::parse(&tk_diag::SourceFile::new("k.ptx", text.clone())).unwrap();
        let entry = module.entries().next().unwrap();
        for instruction in entry.instructions() {
            let opcode = instruction.opcode.as_str();
            if !seen.insert(opcode.to_string()) {
                continue;
            }
            let at = instruction.place.0.start as usize + opcode.len();
            let damaged = format!("{}.wrong{}", &text[..at], &text[at..]);
            let module = tk_ptx::parse(&tk_diag::SourceFile::new("k.ptx", damaged)).unwrap();
            let error = tk_sim::Program::compile(&module, &entry.name).map(|_| ()).unwrap_err();
            assert!(
                error.message.contains(&format!("does not know `.wrong` of `{opcode}.wrong`")),
                "{}",
                error.message
            );
        }
    }
    assert!(seen.len() > 200, "{} opcodes", seen.len());
}

#[test]
fn the_reserved_kilobyte_is_where_its_registers_say() {
    let body = "mov.u32 %r2, %reserved_smem_offset_begin; mov.u32 %r3, %reserved_smem_offset_end; mov.u32 %r4, %reserved_smem_offset_cap;
        mov.u32 %r5, %reserved_smem_offset_0; mov.u32 %r6, %reserved_smem_offset_1; ld.global.u32 %r7, [%rd1];
        sub.u32 %r8, %r3, %r2; xor.b32 %r9, %r8, %r4; or.b32 %r9, %r9, %r5; sub.u32 %r10, %r3, %r6; setp.lt.u32 %p1, %r10, 288;
        @%p1 add.u32 %r9, %r9, 1; mad.lo.u32 %r11, %r1, 4, %r6; mad.lo.u32 %r12, %r1, 4, tile;
        st.shared.u32 [%r11], %r7; st.shared.u32 [%r12], %r9; ld.shared.u32 %r13, [%r11]; ld.shared.u32 %r14, [%r12];
        add.u32 %r13, %r13, %r8; add.u32 %r13, %r13, %r14; st.global.u32 [%rd2], %r13;";
    let input = words(3, 32);
    for (got, x) in run(body, &input).iter().zip(&input) {
        assert_eq!(*got, x.wrapping_add(1024));
    }
}

#[test]
#[should_panic(expected = "outside shared memory")]
fn the_reserved_kilobyte_is_out_of_reach_of_others() {
    run("st.shared.u32 [512], %r1;", &[0; 32]);
}
