//! Histograms and gathers.

use crate::harness::*;
use crate::operations::text::Block;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Debug;
use tk_sim::DeviceMemory;

/// Counts in slices of random layouts, which hold elements several times; with values beyond the bins, and a mask.
#[test]
fn histograms() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..10 {
        let block = Block::random(&mut rng, 12);
        let [bins, count] = block.shape;
        let (source, result) = ("#ttg.slice<{dim = 0, parent = #a}>", "#ttg.slice<{dim = 1, parent = #a}>");
        let masked = rng.random::<bool>();
        let body = format!(
            "%xb = tt.splat %x : !tt.ptr<i32> -> tensor<{count}x!tt.ptr<i32>, {source}>
             %xp = tt.addptr %xb, %j : tensor<{count}x!tt.ptr<i32>, {source}>, tensor<{count}xi32, {source}>
             %v = tt.load %xp : tensor<{count}x!tt.ptr<i32>, {source}>
             %l = tt.splat %limit : i32 -> tensor<{count}xi32, {source}>
             %m = arith.cmpi slt, %j, %l : tensor<{count}xi32, {source}>
             %h = tt.histogram %v{} : tensor<{count}xi32, {source}> -> tensor<{bins}xi32, {result}>
             %yb = tt.splat %y : !tt.ptr<i32> -> tensor<{bins}x!tt.ptr<i32>, {result}>
             %yp = tt.addptr %yb, %i : tensor<{bins}x!tt.ptr<i32>, {result}>, tensor<{bins}xi32, {result}>
             tt.store %yp, %h : tensor<{bins}x!tt.ptr<i32>, {result}>",
            if masked { ", %m" } else { "" }
        );
        let limit = rng.random_range(0..=count);
        let most = bins as i32 + rng.random_range(0..3);
        let values: Vec<i32> = (0..count).map(|_| rng.random_range(-1..most)).collect();
        let mut expected = vec![0i32; bins];
        for value in &values[..if masked { limit } else { count }] {
            if let Some(counter) = expected.get_mut(*value as usize) {
                *counter += 1;
            }
        }
        for kernel in block.kernels(&[("x", "!tt.ptr<i32>"), ("y", "!tt.ptr<i32>"), ("limit", "i32")], &body) {
            let mut memory = DeviceMemory::new();
            let (x, y) = (upload(&mut memory, &values), upload(&mut memory, &vec![-7i32; bins]));
            kernel.run(&mut memory, [1, 1, 1], vec![x.into(), y.into(), (limit as i32).into()]);
            assert_eq!(download::<i32>(&memory, y), expected, "masked {masked} {block:?}");
        }
    }
}

fn check_gather<T: Element + PartialEq + Debug>(seed: u64, ty: &str, value: impl Fn(&mut ChaCha8Rng) -> T) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..6 {
        let source = Block::random(&mut rng, 9);
        let axis = rng.random_range(0..2);
        let mut result = Block { prefix: "to_", ..source.clone() };
        result.shape[axis] = 1 << rng.random_range(0..6);
        let index_ty = if rng.random() { "i32" } else { "i64" };
        let body = format!(
            "{}{}{}
             %g = tt.gather %v[%at] {{axis = {axis} : i32}} : ({}, {}) -> {}
             {}",
            result.offsets(),
            source.load("v", "x", ty),
            result.load("at", "indices", index_ty),
            source.tensor(ty),
            result.tensor(index_ty),
            result.tensor(ty),
            result.store("g", "y", ty),
        );
        let (pointer, indices) = (format!("!tt.ptr<{ty}>"), format!("!tt.ptr<{index_ty}>"));
        let values: Vec<T> = (0..source.count()).map(|_| value(&mut rng)).collect();
        let at: Vec<i64> = (0..result.count()).map(|_| rng.random_range(0..source.shape[axis]) as i64).collect();
        let expected: Vec<T> = (0..result.count())
            .map(|offset| {
                let mut place = [offset / result.shape[1], offset % result.shape[1]];
                place[axis] = at[offset] as usize;
                values[place[0] * source.shape[1] + place[1]]
            })
            .collect();
        for kernel in source.kernels(&[("x", &pointer), ("indices", &indices), ("y", &pointer)], &body) {
            let mut memory = DeviceMemory::new();
            let narrow: Vec<i32> = at.iter().map(|index| *index as i32).collect();
            let x = upload(&mut memory, &values);
            let i = if index_ty == "i32" { upload(&mut memory, &narrow) } else { upload(&mut memory, &at) };
            let y = upload(&mut memory, &vec![values[0]; result.count()]);
            kernel.run(&mut memory, [1, 1, 1], vec![x.into(), i.into(), y.into()]);
            assert_eq!(download::<T>(&memory, y), expected, "{ty} axis {axis} {source:?} {:?}", result.shape);
        }
    }
}

#[test]
fn gathers() {
    check_gather(1, "i32", |rng| rng.random::<i32>());
    check_gather(2, "f64", |rng| f64::from(rng.random::<i32>()));
    check_gather(3, "i8", |rng| rng.random::<i8>());
    check_gather(4, "f16", |rng| half::f16::from_f32(f32::from(rng.random_range(-99i8..99))));
}
