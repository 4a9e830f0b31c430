//! Descriptors that a loop makes: several tensor maps are used cyclically, and none is written while copies by it are in flight.

use crate::harness::{Kernel, upload};
use crate::hopper::descriptor_passes::{compile, kernel};
use crate::hopper::numbers::Kind;
use half::f16;
use tk_sim::DeviceMemory;
use tk_types::CompileOptions;

/// Orders of landing that every kernel is run with.
const SEEDS: std::ops::Range<u64> = 0..6;
/// Rows, columns and depth of a block.
const BLOCK: usize = 64;

/// The sum of `A[i] B[i]^T` over `count` products of one block each, whose descriptors each iteration makes.
pub(crate) fn sum_of_products() -> String {
    let (block, sum) = ("tensor<64x64xf16>", "tensor<64x64xf32>");
    kernel(
        "%pa: !tt.ptr<f16>, %pb: !tt.ptr<f16>, %pc: !tt.ptr<f16>, %count: i32",
        &format!(
            "integers %step = 1 : i32, %size = {BLOCK} : i32, %elements = 4096 : i32, %row = 64 : i64
             %none = arith.constant dense<0.0> : {sum}
             %sum = scf.for %i = %zero to %count step %step iter_args(%acc = %none) -> ({sum}) : i32 {{
               %at = arith.muli %i, %elements : i32
               %ia = tt.addptr %pa, %at : !tt.ptr<f16>, i32
               %ib = tt.addptr %pb, %at : !tt.ptr<f16>, i32
               %da = tt.make_tensor_descriptor %ia, [%size, %size], [%row, %one] : !tt.ptr<f16>, !tt.tensordesc<{block}>
               %db = tt.make_tensor_descriptor %ib, [%size, %size], [%row, %one] : !tt.ptr<f16>, !tt.tensordesc<{block}>
               %a = tt.descriptor_load %da[%zero, %zero] : !tt.tensordesc<{block}> -> {block}
               %b = tt.descriptor_load %db[%zero, %zero] : !tt.tensordesc<{block}> -> {block}
               %bt = tt.trans %b {{order = array<i32: 1, 0>}} : {block} -> {block}
               %next = tt.dot %a, %bt, %acc, inputPrecision = tf32 : {block} * {block} -> {sum}
               scf.yield %next : {sum}
             }}
             %dc = tt.make_tensor_descriptor %pc, [%size, %size], [%row, %one] : !tt.ptr<f16>, !tt.tensordesc<{block}>
             %narrow = arith.truncf %sum : {sum} to {block}
             tt.descriptor_store %dc[%zero, %zero], %narrow : !tt.tensordesc<{block}>, {block}"
        ),
    )
}

/// Blocks are copied to the other end of a tensor, each by two descriptors of its own.
fn copies_in_turn() -> String {
    let block = "tensor<64x64xf16>";
    kernel(
        "%pa: !tt.ptr<f16>, %pc: !tt.ptr<f16>, %count: i32",
        &format!(
            "integers %step = 1 : i32, %size = {BLOCK} : i32, %elements = 4096 : i32, %row = 64 : i64
             %last = arith.subi %count, %step : i32
             scf.for %i = %zero to %count step %step : i32 {{
               %from = arith.muli %i, %elements : i32
               %behind = arith.subi %last, %i : i32
               %to = arith.muli %behind, %elements : i32
               %ia = tt.addptr %pa, %from : !tt.ptr<f16>, i32
               %ic = tt.addptr %pc, %to : !tt.ptr<f16>, i32
               %da = tt.make_tensor_descriptor %ia, [%size, %size], [%row, %one] : !tt.ptr<f16>, !tt.tensordesc<{block}>
               %dc = tt.make_tensor_descriptor %ic, [%size, %size], [%row, %one] : !tt.ptr<f16>, !tt.tensordesc<{block}>
               %a = tt.descriptor_load %da[%zero, %zero] : !tt.tensordesc<{block}> -> {block}
               tt.descriptor_store %dc[%zero, %zero], %a : !tt.tensordesc<{block}>, {block}
             }} {{tt.num_stages = 3 : i32}}"
        ),
    )
}

#[test]
fn a_sum_of_products_with_descriptors_of_their_own() {
    for (num_warps, num_stages) in [(4, 1), (4, 2), (4, 3), (8, 3), (4, 5)] {
        let kernel = compile(&sum_of_products(), num_warps, num_stages);
        let loads = kernel.generated.image.ptx.matches("cp.async.bulk.tensor.2d.shared::cluster").count();
        assert_eq!(loads, 2 * num_stages as usize, "every stage but the last loads before the loop\n{}", kernel.text);
        check_sum(&kernel);
    }
}

/// Without TMA, pointers take their place, whose loads run ahead as well.
#[test]
fn a_sum_of_products_without_tma() {
    let options = CompileOptions { num_warps: 4, num_stages: 3, ..CompileOptions::default() };
    let kernel = Kernel::from_tt(&sum_of_products(), "sm_80", options);
    assert!(kernel.count("cp.async.cg") > 0, "{}", kernel.generated.image.ptx);
    assert_eq!(kernel.generated.image.global_scratch_bytes, 0);
    check_sum(&kernel);
}

/// Runs the sum of several numbers of products and compares it with an exact one.
fn check_sum(kernel: &Kernel) {
    for count in [0, 1, 2, 7] {
        let numbers = [1, 2].map(|seed| Kind::F16.numbers(seed, count.max(1) * BLOCK * BLOCK, true));
        let at =
            |which: usize, product: usize, row: usize, i: usize| numbers[which][(product * BLOCK + row) * BLOCK + i];
        let sum = |row, column| {
            let products = (0..count).flat_map(|product| (0..BLOCK).map(move |i| (product, i)));
            products.map(|(product, i)| at(0, product, row, i) * at(1, product, column, i)).sum::<f64>()
        };
        let exact: Vec<f64> =
            (0..BLOCK * BLOCK).map(|index| f16::from_f64(sum(index / BLOCK, index % BLOCK)).to_f64()).collect();
        for seed in SEEDS {
            let mut memory = DeviceMemory::new();
            let [a, b] = [0, 1].map(|which| Kind::F16.upload(&mut memory, &numbers[which]));
            let c = upload(&mut memory, &vec![f16::NAN; BLOCK * BLOCK]);
            let args = vec![a.into(), b.into(), c.into(), (count as i32).into()];
            kernel.run_seeded(&mut memory, [1, 1, 1], args, seed);
            assert!(Kind::F16.download(&memory, c) == exact, "{count} products, seed {seed}\n{}", kernel.text);
        }
    }
}

/// A map that stores go by is written again only when they have all been waited for.
#[test]
fn blocks_stored_by_descriptors_of_their_own() {
    for num_warps in [1, 4, 8] {
        let kernel = compile(&copies_in_turn(), num_warps, 3);
        for count in [1, 2, 5] {
            let numbers = Kind::F16.numbers(4, count * BLOCK * BLOCK, true);
            let turned: Vec<f64> = numbers.chunks(BLOCK * BLOCK).rev().flatten().copied().collect();
            for seed in SEEDS {
                let mut memory = DeviceMemory::new();
                let a = Kind::F16.upload(&mut memory, &numbers);
                let c = upload(&mut memory, &vec![f16::NAN; count * BLOCK * BLOCK]);
                kernel.run_seeded(&mut memory, [1, 1, 1], vec![a.into(), c.into(), (count as i32).into()], seed);
                assert!(Kind::F16.download(&memory, c) == turned, "{count} blocks, seed {seed}\n{}", kernel.text);
            }
        }
    }
}
