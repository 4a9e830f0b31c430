//! Scans along both axes, both ways, in random layouts, against the loop they stand for.

use crate::harness::*;
use crate::operations::text::Block;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Debug;
use tk_sim::DeviceMemory;

/// Scans rows of `width` values: `at(line, position)` is the offset of an element.
fn lines(block: &Block, axis: usize, reverse: bool) -> Vec<Vec<usize>> {
    let [m, n] = block.shape;
    let (count, length) = if axis == 0 { (n, m) } else { (m, n) };
    let at = |line: usize, position: usize| if axis == 0 { position * n + line } else { line * n + position };
    let position = |step: usize| if reverse { length - 1 - step } else { step };
    (0..count).map(|line| (0..length).map(|step| at(line, position(step))).collect()).collect()
}

fn check_one<T: Element + PartialEq + Debug>(
    seed: u64,
    ty: &str,
    op: &str,
    value: impl Fn(&mut ChaCha8Rng) -> T,
    combine: impl Fn(T, T) -> T,
) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..4 {
        let block = Block::random(&mut rng, 10);
        let (axis, reverse) = (rng.random_range(0..2), rng.random());
        let tensor = block.tensor(ty);
        let body = format!(
            "{}
             %s = \"tt.scan\"(%v) <{{axis = {axis} : i32, reverse = {reverse}}}> ({{
             ^bb0(%l: {ty}, %r: {ty}):
               %c = {op} %l, %r : {ty}
               tt.scan.return %c : {ty}
             }}) : ({tensor}) -> {tensor}
             {}",
            block.load("v", "x", ty),
            block.store("s", "y", ty),
        );
        let pointer = format!("!tt.ptr<{ty}>");
        let values: Vec<T> = (0..block.count()).map(|_| value(&mut rng)).collect();
        let mut expected = values.clone();
        for line in lines(&block, axis, reverse) {
            for pair in line.windows(2) {
                expected[pair[1]] = combine(expected[pair[0]], expected[pair[1]]);
            }
        }
        for kernel in block.kernels(&[("x", &pointer), ("y", &pointer)], &body) {
            let mut memory = DeviceMemory::new();
            let (x, y) = (upload(&mut memory, &values), upload(&mut memory, &values));
            kernel.run(&mut memory, [1, 1, 1], vec![x.into(), y.into()]);
            assert_eq!(download::<T>(&memory, y), expected, "{op} {ty} axis {axis} reverse {reverse} {block:?}");
        }
    }
}

#[test]
fn one_operand() {
    check_one(1, "i32", "arith.addi", |rng| rng.random::<i32>(), i32::wrapping_add);
    check_one(2, "i64", "arith.maxsi", |rng| rng.random::<i64>(), i64::max);
    check_one(3, "i8", "arith.xori", |rng| rng.random::<i8>(), |a, b| a ^ b);
    check_one(4, "i16", "arith.muli", |rng| rng.random::<i16>() | 1, i16::wrapping_mul);
    // Sums of whole numbers, which are exact in any order.
    check_one(5, "f32", "arith.addf", |rng| f32::from(rng.random_range(-9i8..9)), |a, b| a + b);
    check_one(6, "f64", "arith.addf", |rng| f64::from(rng.random_range(-9i8..9)), |a, b| a + b);
}

/// Compositions of `x -> a x + b`: associative, not commutative, and of two operands of different width.
#[test]
fn two_operands_in_order() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for _ in 0..10 {
        let block = Block::random(&mut rng, 10);
        let (axis, reverse) = (rng.random_range(0..2), rng.random());
        let (narrow, wide) = (block.tensor("i32"), block.tensor("i64"));
        let body = format!(
            "{}{}
             %s:2 = \"tt.scan\"(%va, %vb) <{{axis = {axis} : i32, reverse = {reverse}}}> ({{
             ^bb0(%la: i32, %lb: i64, %ra: i32, %rb: i64):
               %factor = arith.muli %la, %ra : i32
               %wide = arith.extsi %ra : i32 to i64
               %moved = arith.muli %lb, %wide : i64
               %term = arith.addi %moved, %rb : i64
               tt.scan.return %factor, %term : i32, i64
             }}) : ({narrow}, {wide}) -> ({narrow}, {wide})
             %sa = arith.addi %s#0, %zero : {narrow}
             %sb = arith.addi %s#1, %zerol : {wide}
             {}{}",
            block.load("va", "a", "i32"),
            block.load("vb", "b", "i64"),
            block.store("sa", "c", "i32"),
            block.store("sb", "d", "i64"),
        );
        let zeros = format!("%zero = arith.constant dense<0> : {narrow}\n%zerol = arith.constant dense<0> : {wide}\n");
        let parameters = [("a", "!tt.ptr<i32>"), ("b", "!tt.ptr<i64>"), ("c", "!tt.ptr<i32>"), ("d", "!tt.ptr<i64>")];
        // Factors of 1 and -1 are the same number in 32 and 64 bits, whatever they are multiplied by.
        let factors: Vec<i32> = (0..block.count()).map(|_| if rng.random() { 1 } else { -1 }).collect();
        let terms: Vec<i64> = (0..block.count()).map(|_| rng.random()).collect();
        let (mut expected_a, mut expected_b) = (factors.clone(), terms.clone());
        for line in lines(&block, axis, reverse) {
            for pair in line.windows(2) {
                let (before, own) = (pair[0], pair[1]);
                let moved = expected_b[before].wrapping_mul(factors[own].into());
                expected_b[own] = moved.wrapping_add(terms[own]);
                expected_a[own] = expected_a[before].wrapping_mul(factors[own]);
            }
        }
        for kernel in block.kernels(&parameters, &format!("{zeros}{body}")) {
            let mut memory = DeviceMemory::new();
            let (a, b) = (upload(&mut memory, &factors), upload(&mut memory, &terms));
            let (c, d) = (upload(&mut memory, &factors), upload(&mut memory, &terms));
            kernel.run(&mut memory, [1, 1, 1], vec![a.into(), b.into(), c.into(), d.into()]);
            assert_eq!(download::<i32>(&memory, c), expected_a, "axis {axis} reverse {reverse} {block:?}");
            assert_eq!(download::<i64>(&memory, d), expected_b, "axis {axis} reverse {reverse} {block:?}");
        }
    }
}
