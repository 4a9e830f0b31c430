//! Reductions of integers, which a whole warp computes in one instruction where its lanes lie along the axis, in random layouts.

use super::layouts::{random_shape, reduce_kernel};
use crate::harness::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Debug;
use tk_sim::DeviceMemory;

/// What combines two numbers.
type Combine<T> = (&'static str, fn(T, T) -> T);

fn check<T: Element + PartialEq + Debug>(
    seed: u64,
    ty: &str,
    random: impl Fn(&mut ChaCha8Rng) -> T,
    combines: &[Combine<T>],
) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut at_once = 0;
    for (name, combine) in combines {
        for round in 0..4 {
            let warps = 1 << rng.random_range(0..3);
            let axis = rng.random_range(0..2);
            // In every second layout all lanes of a warp lie along the axis, and there is one result.
            let whole = format!(
                "#ttg.blocked<{{sizePerThread = [1, 1], threadsPerWarp = [{}], warpsPerCTA = [{}], order = [1, 0]}}>",
                if axis == 0 { "32, 1" } else { "1, 32" },
                if rng.random() { format!("{warps}, 1") } else { format!("1, {warps}") }
            );
            let layout = if round % 2 == 0 { whole } else { random_blocked(&mut rng, warps) };
            let mut shape = random_shape(&mut rng, 8);
            if round % 2 == 0 {
                shape = [1; 2];
                shape[axis] = (32 * warps as usize) << rng.random_range(0..3);
            }
            let kernel = reduce_kernel(&layout, warps, shape, axis, ty, name);
            at_once += usize::from(kernel.generated.image.ptx.contains("redux.sync"));
            assert!(
                round % 2 == 1 || !kernel.generated.image.ptx.contains("shfl.sync.bfly"),
                "{}",
                kernel.generated.image.ptx
            );
            let values: Vec<T> = (0..shape[0] * shape[1]).map(|_| random(&mut rng)).collect();
            let expected: Vec<T> = (0..shape[1 - axis])
                .map(|kept| {
                    let at = |along: usize| {
                        values[if axis == 0 { along * shape[1] + kept } else { kept * shape[1] + along }]
                    };
                    (0..shape[axis]).map(at).reduce(combine).expect("the axis is not empty")
                })
                .collect();
            let mut memory = DeviceMemory::new();
            let (x, y) = (
                upload(&mut memory, &values),
                upload(&mut memory, &expected.iter().map(|_| values[0]).collect::<Vec<T>>()),
            );
            kernel.run(&mut memory, [1, 1, 1], vec![x.into(), y.into()]);
            assert_eq!(download::<T>(&memory, y), expected, "{name} of {ty} {shape:?} along {axis} of {layout}");
        }
    }
    assert!(at_once >= 2 * combines.len());
}

#[test]
fn words() {
    check(
        1,
        "i32",
        |rng| rng.random::<i32>(),
        &[
            ("arith.addi", i32::wrapping_add),
            ("arith.minsi", |a, b| a.min(b)),
            ("arith.maxsi", |a, b| a.max(b)),
            ("arith.minui", |a, b| (a as u32).min(b as u32) as i32),
            ("arith.maxui", |a, b| (a as u32).max(b as u32) as i32),
            ("arith.andi", |a, b| a & b),
            ("arith.ori", |a, b| a | b),
            ("arith.xori", |a, b| a ^ b),
        ],
    );
}

#[test]
fn halves_of_words() {
    check(
        2,
        "i16",
        |rng| rng.random::<i16>(),
        &[
            ("arith.addi", i16::wrapping_add),
            ("arith.minsi", |a, b| a.min(b)),
            ("arith.maxsi", |a, b| a.max(b)),
            ("arith.minui", |a, b| (a as u16).min(b as u16) as i16),
            ("arith.maxui", |a, b| (a as u16).max(b as u16) as i16),
            ("arith.andi", |a, b| a & b),
        ],
    );
}

#[test]
fn bytes() {
    check(
        3,
        "i8",
        |rng| rng.random::<u8>(),
        &[
            ("arith.addi", u8::wrapping_add),
            ("arith.minsi", |a, b| (a as i8).min(b as i8) as u8),
            ("arith.maxsi", |a, b| (a as i8).max(b as i8) as u8),
            ("arith.minui", |a, b| a.min(b)),
            ("arith.maxui", |a, b| a.max(b)),
            ("arith.ori", |a, b| a | b),
            ("arith.xori", |a, b| a ^ b),
        ],
    );
}
