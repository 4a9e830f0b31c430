//! Random numbers: Philox-4x32 and -4x64 bit by bit, and the uniform and normal numbers made of their words.
//!
//! The generator is written here from the paper (Salmon and others, SC 2011).

use crate::file::{File, Kernel, Tolerance};
use crate::number::{Number, Type};
use crate::reduce::expect_value;
use crate::tensor::Tensor;

const COUNT: usize = 128;

/// One block of four 32-bit words.
fn philox_32(mut counter: [u32; 4], mut key: [u32; 2], rounds: u32) -> [u32; 4] {
    for _ in 0..rounds {
        let (a, b) = (u64::from(counter[0]) * 0xD251_1F53, u64::from(counter[2]) * 0xCD9E_8D57);
        counter = [(b >> 32) as u32 ^ counter[1] ^ key[0], b as u32, (a >> 32) as u32 ^ counter[3] ^ key[1], a as u32];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    counter
}

/// One block of four 64-bit words.
fn philox_64(mut counter: [u64; 4], mut key: [u64; 2], rounds: u32) -> [u64; 4] {
    for _ in 0..rounds {
        let a = u128::from(counter[0]) * 0xD2E7_470E_E14C_6C93;
        let b = u128::from(counter[2]) * 0xCA5A_8263_9512_1157;
        counter = [(b >> 64) as u64 ^ counter[1] ^ key[0], b as u64, (a >> 64) as u64 ^ counter[3] ^ key[1], a as u64];
        key = [key[0].wrapping_add(0x9E37_79B9_7F4A_7C15), key[1].wrapping_add(0xBB67_AE85_84CA_A73B)];
    }
    counter
}

/// The words of an offset, below 2^32, with a seed.
fn words(seed: u64, offset: u32, rounds: u32) -> [u32; 4] {
    philox_32([offset, 0, 0, 0], [seed as u32, (seed >> 32) as u32], rounds)
}

/// The uniform number of a word: its magnitude as a signed number, scaled below one in f32.
fn uniform(word: u32) -> f64 {
    let signed = word as i32;
    let magnitude = if signed < 0 { !signed } else { signed };
    f64::from(magnitude as f32 * 4.656_612_6e-10_f32)
}

/// The pair of normal numbers of a pair of uniform ones.
fn normal(u1: f64, u2: f64) -> [f64; 2] {
    let radius = (-2.0 * u1.max(1.0e-7).ln()).sqrt();
    // The angle is rounded to f32, as the kernel has it.
    let angle = Type::F32.rounded(Number::Float(f64::from(6.283_185_5_f32) * u2)).float();
    [radius * angle.cos(), radius * angle.sin()]
}

/// The file.
pub fn files() -> Vec<File> {
    let mut kernels = Vec::new();
    for (turn, seed) in [0u64, 1, 42, 0xffff_ffff, 0x1234_5678_9abc_def0].into_iter().enumerate() {
        kernels.push(numbers(turn, seed, 0));
        kernels.push(numbers(turn, seed, 1 << 20));
    }
    kernels.push(wide());
    vec![File { name: "random".into(), about: "Random numbers".into(), kernels, triton: true }]
}

fn tensor(of: impl Fn(u32) -> Number) -> Tensor {
    Tensor::of(&[COUNT], |index| of(index[0] as u32))
}

fn numbers(turn: usize, seed: u64, base: u32) -> Kernel {
    let mut kernel = Kernel::new(format!("random_{turn}_{base}"));
    kernel.warps = if turn.is_multiple_of(2) { 4 } else { 1 };
    // A seed beyond 32 bits comes as a 64-bit argument.
    kernel.scalars.push(("seed".into(), (seed as i64).to_string()));
    kernel.line(format!("offset = {base} + tl.arange(0, {COUNT})"));
    let about = format!("seed {seed:#x} from {base}");
    let k = &mut kernel;
    let word = |lane: usize, rounds: u32| tensor(move |i| Number::Int(i128::from(words(seed, base + i, rounds)[lane])));
    k.line("a, b, c, d = tl.randint4x(seed, offset)");
    for (lane, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        k.line(format!("w = {name}.to(tl.uint32, bitcast=True)"));
        expect_value(k, "w", &format!("word {lane} of randint4x"), Type::U32, &about, word(lane, 10));
    }
    k.line("w = tl.randint(seed, offset).to(tl.uint32, bitcast=True)");
    expect_value(k, "w", "randint", Type::U32, &about, word(0, 10));
    k.line("w = tl.randint(seed, offset, n_rounds=7).to(tl.uint32, bitcast=True)");
    expect_value(k, "w", "randint of 7 rounds", Type::U32, &about, word(0, 7));
    k.line("a, b, c, d = tl.philox(seed, offset, offset * 3, offset + 5, offset * 0 + 9)");
    for (lane, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        k.line(format!("w = {name}.to(tl.uint32, bitcast=True)"));
        let block = tensor(move |i| {
            let offset = base + i;
            let counter = [offset, offset.wrapping_mul(3), offset + 5, 9];
            Number::Int(i128::from(philox_32(counter, [seed as u32, (seed >> 32) as u32], 10)[lane]))
        });
        expect_value(k, "w", &format!("word {lane} of philox"), Type::U32, &about, block);
    }
    let lane = |lane: usize| move |i: u32| uniform(words(seed, base + i, 10)[lane]);
    k.line("u = tl.rand(seed, offset)");
    expect_value(k, "u", "rand", Type::F32, &about, tensor(|i| Number::Float(lane(0)(i))));
    k.line("a, b, c, d = tl.rand4x(seed, offset)");
    for (at, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        expect_value(
            k,
            name,
            &format!("number {at} of rand4x"),
            Type::F32,
            &about,
            tensor(|i| Number::Float(lane(at)(i))),
        );
    }
    k.line("u = tl.randn(seed, offset)");
    near(k, "u", "randn", &about, tensor(|i| Number::Float(normal(lane(0)(i), lane(1)(i))[0])));
    k.line("a, b, c, d = tl.randn4x(seed, offset)");
    for (at, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let pair = 2 * (at / 2);
        let expected = tensor(|i| Number::Float(normal(lane(pair)(i), lane(pair + 1)(i))[at % 2]));
        near(k, name, &format!("number {at} of randn4x"), &about, expected);
    }
    kernel
}

/// Normal numbers: a logarithm, a square root and a cosine, each with an error of at most 2 ulp; a cosine near zero has no
/// useful relative error.
fn near(kernel: &mut Kernel, name: &str, what: &str, about: &str, expected: Tensor) {
    let output = kernel.output(Type::F32);
    let out = output.name.clone();
    let tolerance = Tolerance { ulps: 6, absolute: 1e-6 };
    let start = output.expect(format!("{what} of {about}"), expected.data, tolerance);
    kernel.line(format!("tl.store({out} + {start} + tl.arange(0, {COUNT}), {name})"));
}

/// Philox with 64-bit words.
fn wide() -> Kernel {
    let mut kernel = Kernel::new("philox_64_bits");
    let seed = 77u64;
    kernel.scalars.push(("seed".into(), seed.to_string()));
    kernel.line(format!("offset = tl.arange(0, {COUNT}).to(tl.int64)"));
    kernel.line("a, b, c, d = tl.philox(seed, offset, offset * 3, offset + 5, offset * 0 + 9)");
    for (lane, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        kernel.line(format!("w = {name}.to(tl.uint64, bitcast=True)"));
        let block = tensor(move |i| {
            let offset = u64::from(i);
            let words = philox_64([offset, offset * 3, offset + 5, 9], [seed, 0], 10);
            Number::Int(i128::from(words[lane]))
        });
        expect_value(&mut kernel, "w", &format!("64-bit word {lane} of philox"), Type::U64, "seed 77", block);
    }
    kernel
}
