//! Atomic updates: every element once, whatever copies the layout has, and old values for all who want them.

use crate::harness::*;
use crate::operations::text::Block;
use half::{bf16, f16};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Debug;
use tk_sim::DeviceMemory;

/// A kernel that updates element `%index` of `p` with `%value` where the offset is below `limit`, and stores old values if `old`.
fn update_kernel(block: &Block, op: &str, ty: &str, order: &str, old: bool) -> [Kernel; 2] {
    let (indices, bools, values) = (block.tensor("i32"), block.tensor("i1"), block.tensor(ty));
    let pointers = block.tensor(&format!("!tt.ptr<{ty}>"));
    let body = format!(
        "{}{}{}
         %l = tt.splat %limit : i32 -> {indices}
         %m = arith.cmpi slt, %o, %l : {indices}
         %old = tt.atomic_rmw {op}, {order}, %q, %v, %m : ({pointers}, {values}, {bools}) -> {values}
         {}",
        block.load("index", "indices", "i32"),
        block.load("v", "values", ty),
        block.pointers("q", "p", "index", ty),
        if old { block.store("old", "out", ty) } else { String::new() },
    );
    let pointer = format!("!tt.ptr<{ty}>");
    let parameters = [
        ("p", pointer.as_str()),
        ("indices", "!tt.ptr<i32>"),
        ("values", &pointer),
        ("out", &pointer),
        ("limit", "i32"),
    ];
    block.kernels(&parameters, &body)
}

/// Random updates of `cells` cells: with collisions the final cells are compared, without them the old values too.
fn check_updates<T: Element + PartialEq + Debug>(
    seed: u64,
    op: &str,
    ty: &str,
    value: impl Fn(&mut ChaCha8Rng) -> T,
    combine: impl Fn(T, T) -> T,
) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for round in 0..4 {
        let block = Block::random(&mut rng, 9);
        let (count, collide) = (block.count(), round % 2 == 0);
        let order = ["relaxed, gpu", "acq_rel, gpu", "release, sys", "acquire, cta"][rng.random_range(0..4)];
        let cells = if collide { 7 } else { count };
        let start: Vec<T> = (0..cells).map(|_| value(&mut rng)).collect();
        let values: Vec<T> = (0..count).map(|_| value(&mut rng)).collect();
        let mut indices: Vec<i32> = (0..count as i32).collect();
        if collide {
            indices = indices.iter().map(|_| rng.random_range(0..7)).collect();
        } else {
            indices.reverse();
        }
        let limit = rng.random_range(0..=count);
        let mut expected = start.clone();
        for at in 0..limit {
            let cell = indices[at] as usize;
            expected[cell] = combine(expected[cell], values[at]);
        }
        for kernel in update_kernel(&block, op, ty, order, !collide) {
            let mut memory = DeviceMemory::new();
            let (p, i, v) = (upload(&mut memory, &start), upload(&mut memory, &indices), upload(&mut memory, &values));
            let out = upload(&mut memory, &values);
            kernel.run(&mut memory, [1, 1, 1], vec![p.into(), i.into(), v.into(), out.into(), (limit as i32).into()]);
            assert_eq!(download::<T>(&memory, p), expected, "{op} {ty} {order} {block:?}");
            let old = download::<T>(&memory, out);
            for at in (0..limit).filter(|_| !collide) {
                assert_eq!(old[at], start[indices[at] as usize], "old value {at}, {op} {ty} {order} {block:?}");
            }
        }
    }
}

#[test]
fn integers() {
    let int = |rng: &mut ChaCha8Rng| rng.random::<i32>();
    check_updates(1, "add", "i32", int, i32::wrapping_add);
    check_updates(2, "and", "i32", int, |a, b| a & b);
    check_updates(3, "or", "i32", int, |a, b| a | b);
    check_updates(4, "xor", "i32", int, |a, b| a ^ b);
    check_updates(5, "max", "i32", int, i32::max);
    check_updates(6, "min", "i32", int, i32::min);
    check_updates(7, "umax", "i32", int, |a, b| (a as u32).max(b as u32) as i32);
    check_updates(8, "umin", "i32", int, |a, b| (a as u32).min(b as u32) as i32);
}

#[test]
fn long_integers() {
    let long = |rng: &mut ChaCha8Rng| rng.random::<i64>();
    check_updates(1, "add", "i64", long, i64::wrapping_add);
    check_updates(2, "and", "i64", long, |a, b| a & b);
    check_updates(3, "xor", "i64", long, |a, b| a ^ b);
    check_updates(4, "max", "i64", long, i64::max);
    check_updates(5, "umin", "i64", long, |a, b| (a as u64).min(b as u64) as i64);
}

/// Small whole numbers, whose sums are exact in any order.
#[test]
fn float_sums() {
    let whole = |rng: &mut ChaCha8Rng| rng.random_range(-2i8..=2);
    check_updates(1, "fadd", "f32", |rng| f32::from(whole(rng)), |a, b| a + b);
    check_updates(2, "fadd", "f64", |rng| f64::from(whole(rng)), |a, b| a + b);
    // Beyond 256 bfloat16 has no odd numbers; 512 updates of at most 1/4 stay below 2^8 quarters.
    let small = |rng: &mut ChaCha8Rng| f32::from(rng.random_range(0i8..=1)) * 0.25;
    check_updates(
        3,
        "fadd",
        "f16",
        |rng| f16::from_f32(whole(rng).into()),
        |a, b| f16::from_f32(a.to_f32() + b.to_f32()),
    );
    check_updates(4, "fadd", "bf16", |rng| bf16::from_f32(small(rng)), |a, b| bf16::from_f32(a.to_f32() + b.to_f32()));
}

#[test]
fn exchanges() {
    // Without collisions, so that it is known who comes last.
    let block = Block::row(256, 2, 2);
    for (kernel, ty) in update_kernel(&block, "exch", "f32", "relaxed, gpu", true).iter().zip(["sm_90a", "sm_80"]) {
        let (start, values) = (random(1, 256), random(2, 256));
        let indices: Vec<i32> = (0..256).map(|at| at ^ 85).collect();
        let mut memory = DeviceMemory::new();
        let (p, i, v) = (upload(&mut memory, &start), upload(&mut memory, &indices), upload(&mut memory, &values));
        let out = upload(&mut memory, &start);
        kernel.run(&mut memory, [1, 1, 1], vec![p.into(), i.into(), v.into(), out.into(), 256.into()]);
        let (cells, old) = (download::<f32>(&memory, p), download::<f32>(&memory, out));
        assert!((0..256).all(|at| cells[at ^ 85] == values[at] && old[at] == start[at ^ 85]), "{ty}");
    }
}

/// Neighbours in memory are added by one instruction.
#[test]
fn packed_sums() {
    for (ty, run, on_90, on_80) in [
        ("f16", 8, "red.global.gpu.relaxed.add.noftz.v4.f16x2", "red.global.gpu.relaxed.add.noftz.f16x2"),
        ("bf16", 8, "red.global.gpu.relaxed.add.noftz.v4.bf16x2", "atom.global.gpu.relaxed.cas.b16"),
        ("f32", 4, "red.global.gpu.relaxed.add.v4.f32", "red.global.gpu.relaxed.add.f32"),
    ] {
        let block = Block::row(512, run, 2);
        let (pointers, values) = (block.tensor(&format!("!tt.ptr<{ty}>")), block.tensor(ty));
        let body = format!(
            "{}{}
             %old = tt.atomic_rmw fadd, relaxed, gpu, %q, %v : ({pointers}, {values}) -> {values}",
            block.load("v", "values", ty),
            block.pointers("q", "p", "o", ty),
        );
        let pointer = format!("!tt.ptr<{ty}>");
        for (kernel, expected) in
            block.kernels(&[("p", &pointer), ("values", &pointer)], &body).iter().zip([on_90, on_80])
        {
            assert!(kernel.count(expected) > 0, "{expected} is not in {}", kernel.generated.image.ptx);
            let numbers: Vec<f32> = (0..512).map(|at| (at % 16) as f32).collect();
            let sums: Vec<f32> = numbers.iter().map(|number| 2.0 * number).collect();
            let halves = |values: &[f32]| values.iter().map(|value| f16::from_f32(*value)).collect::<Vec<_>>();
            let brains = |values: &[f32]| values.iter().map(|value| bf16::from_f32(*value)).collect::<Vec<_>>();
            let mut memory = DeviceMemory::new();
            let two = |memory: &mut DeviceMemory| match ty {
                "f16" => (upload(memory, &halves(&numbers)), upload(memory, &halves(&numbers))),
                "bf16" => (upload(memory, &brains(&numbers)), upload(memory, &brains(&numbers))),
                _ => (upload(memory, &numbers), upload(memory, &numbers)),
            };
            let (p, v) = two(&mut memory);
            kernel.run(&mut memory, [1, 1, 1], vec![p.into(), v.into()]);
            match ty {
                "f16" => assert_eq!(download::<f16>(&memory, p), halves(&sums)),
                "bf16" => assert_eq!(download::<bf16>(&memory, p), brains(&sums)),
                _ => assert_eq!(download::<f32>(&memory, p), sums),
            }
        }
    }
}

/// Compare-and-swap on cells of which every second holds what is expected.
#[test]
fn compare_and_swap() {
    fn check<T: Element + PartialEq + Debug>(ty: &str, number: impl Fn(usize) -> T) {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for _ in 0..4 {
            let block = Block::random(&mut rng, 9);
            let (pointers, values) = (block.tensor(&format!("!tt.ptr<{ty}>")), block.tensor(ty));
            let body = format!(
                "{}{}{}
                 %old = tt.atomic_cas acq_rel, gpu, %q, %c, %v : ({pointers}, {values}, {values}) -> {values}
                 {}",
                block.load("c", "compare", ty),
                block.load("v", "values", ty),
                block.pointers("q", "p", "o", ty),
                block.store("old", "out", ty),
            );
            let pointer = format!("!tt.ptr<{ty}>");
            let parameters = ["p", "compare", "values", "out"].map(|name| (name, pointer.as_str()));
            for kernel in block.kernels(&parameters, &body) {
                let count = block.count();
                let start: Vec<T> = (0..count).map(&number).collect();
                let compare: Vec<T> = (0..count).map(|at| number(at ^ (at >> 1 & 1))).collect();
                let values: Vec<T> = (0..count).map(|at| number(at + 1000)).collect();
                let mut memory = DeviceMemory::new();
                let [p, c, v, out] = [&start, &compare, &values, &values].map(|data| upload(&mut memory, data));
                kernel.run(&mut memory, [1, 1, 1], vec![p.into(), c.into(), v.into(), out.into()]);
                let expected: Vec<T> =
                    (0..count).map(|at| if at >> 1 & 1 == 0 { values[at] } else { start[at] }).collect();
                assert_eq!(download::<T>(&memory, p), expected, "{ty} {block:?}");
                assert_eq!(download::<T>(&memory, out), start, "{ty} {block:?}");
            }
        }
    }
    check("i32", |at| at as i32);
    check("i64", |at| (at as i64) << 33);
    check("i16", |at| at as i16);
    check("f32", |at| at as f32);
}

/// Thread 0 updates a scalar, every thread has the old value, and programs see each other's updates.
#[test]
fn scalars() {
    let block = Block::row(128, 1, 4);
    let ints = block.tensor("i32");
    let body = format!(
        "%one = arith.constant 1 : i32
         %yes = arith.constant true
         %old = tt.atomic_rmw add, acq_rel, gpu, %p, %one, %yes : (!tt.ptr<i32>, i32, i1) -> i32
         %zero = arith.constant 0 : i32
         %odd = arith.andi %old, %one : i32
         %is = arith.cmpi eq, %odd, %one : i32
         %second = tt.addptr %p, %one : !tt.ptr<i32>, i32
         %unused = tt.atomic_rmw add, relaxed, gpu, %second, %old, %is : (!tt.ptr<i32>, i32, i1) -> i32
         %two = arith.constant 2 : i32
         %third = tt.addptr %p, %two : !tt.ptr<i32>, i32
         %seen = tt.atomic_cas acq_rel, gpu, %third, %zero, %two : (!tt.ptr<i32>, i32, i32) -> i32
         %w2 = arith.constant 128 : i32
         %row = arith.muli %old, %w2 : i32
         %rp = tt.addptr %out, %row : !tt.ptr<i32>, i32
         %sum = arith.addi %old, %seen : i32
         %s = tt.splat %sum : i32 -> {ints}
         {}",
        block.store("s", "rp", "i32"),
    );
    for kernel in block.kernels(&[("p", "!tt.ptr<i32>"), ("out", "!tt.ptr<i32>")], &body) {
        // Order and scope stand as Triton writes them, and one of a scalar gives its value whoever wants it.
        for written in
            ["atom.global.gpu.acq_rel.add.u32", "atom.global.gpu.relaxed.add.u32", "atom.global.acq_rel.gpu.cas.b32"]
        {
            assert_eq!(kernel.count(written), 1, "{written}");
        }
        assert_eq!(kernel.count("red.global"), 0);
        let mut memory = DeviceMemory::new();
        let (p, out) = (upload(&mut memory, &[0i32; 3]), upload(&mut memory, &[-1i32; 10 * 128]));
        kernel.run(&mut memory, [10, 1, 1], vec![p.into(), out.into()]);
        assert_eq!(download::<i32>(&memory, p), [10, 25, 2]);
        let rows = download::<i32>(&memory, out);
        let offset: Vec<i32> = (0..10).map(|row| rows[row * 128] - row as i32).collect();
        assert!(offset.iter().all(|seen| [0, 2].contains(seen)));
        assert_eq!(offset.iter().filter(|seen| **seen == 0).count(), 1, "one swap succeeds");
        assert!((0..1280).all(|at| rows[at] == rows[at / 128 * 128]), "all threads have the same old value");
    }
}
