//! Products whose programs share the copies of an operand as clusters of two, on the simulator: pairs that share, pairs that do not since they have
//! different blocks, and launches in which nobody shares.

use crate::harness::{Kernel, download, upload};
use crate::hopper::descriptors::{described, tensor_maps};
use crate::hopper::numbers::Kind;
use half::f16;
use tk_sim::{Arg, DeviceMemory};
use tk_types::{CompileOptions, Pairs, Residency};

/// Orders of warps, programs and landing that every kernel is run with.
const SEEDS: std::ops::Range<u64> = 0..6;

/// What a kernel is compiled for.
#[derive(Clone, Copy)]
struct Shape {
    /// Rows, columns and depth of a block.
    block: [usize; 3],
    num_warps: u32,
    num_stages: u32,
}

const USUAL: Shape = Shape { block: [64, 64, 32], num_warps: 4, num_stages: 3 };

/// `C = A B^T` with one block for each program, the programs row by row of C. `more` stands before the loop.
fn text(shape: Shape, more: &str) -> String {
    let [m, n, k] = shape.block;
    let (a, b, sum) = (format!("tensor<{m}x{k}xf16>"), format!("tensor<{n}x{k}xf16>"), format!("tensor<{m}x{n}xf32>"));
    let of = |name: &str, ty: &str| {
        format!("%{name}: !tt.tensordesc<{ty}>, %{name}_0: i32, %{name}_1: i32, %{name}_2: i64, %{name}_3: i64")
    };
    let c = format!("tensor<{m}x{n}xf16>");
    format!(
        "module {{
         tt.func public @kernel({}, {}, {}, %m: i32, %n: i32, %k: i32) {{
           %zero = arith.constant 0 : i32
           %rows = arith.constant {m} : i32
           %columns = arith.constant {n} : i32
           %depth = arith.constant {k} : i32
           %before = arith.constant {} : i32
           %none = arith.constant dense<0.0> : {sum}
           %id = tt.get_program_id x : i32
           %padded = arith.addi %n, %before : i32
           %across = arith.divsi %padded, %columns : i32
           %x = arith.divsi %id, %across : i32
           %y = arith.remsi %id, %across : i32
           {more}
           %row = arith.muli %x, %rows : i32
           %column = arith.muli %y, %columns : i32
           %sum = scf.for %at = %zero to %k step %depth iter_args(%acc = %none) -> ({sum}) : i32 {{
             %x0 = tt.descriptor_load %a[%row, %at] : !tt.tensordesc<{a}> -> {a}
             %y0 = tt.descriptor_load %b[%column, %at] : !tt.tensordesc<{b}> -> {b}
             %yt = tt.trans %y0 {{order = array<i32: 1, 0>}} : {b} -> tensor<{k}x{n}xf16>
             %next = tt.dot %x0, %yt, %acc, inputPrecision = tf32 : {a} * tensor<{k}x{n}xf16> -> {sum}
             scf.yield %next : {sum}
           }}
           %narrow = arith.truncf %sum : {sum} to {c}
           tt.descriptor_store %c[%row, %column], %narrow : !tt.tensordesc<{c}>, {c}
           tt.return
         }}
         }}",
        of("a", &a),
        of("b", &b),
        of("c", &c),
        n - 1,
    )
}

fn compiled(shape: Shape, pairs: Pairs, residency: Residency, more: &str) -> Kernel {
    let Shape { num_warps, num_stages, .. } = shape;
    let options = CompileOptions { num_warps, num_stages, pairs, residency, ..CompileOptions::default() };
    Kernel::from_tt(&text(shape, more), "sm_90a", options)
}

fn eager(shape: Shape) -> Kernel {
    compiled(shape, Pairs::Eager, Residency::Any, "")
}

/// Copies to both CTAs, and barriers of both.
fn shared(kernel: &Kernel) -> [usize; 3] {
    let ptx = &kernel.generated.image.ptx;
    let count = |word: &str| ptx.matches(word).count();
    [count(".multicast::cluster"), count("barrier.cluster.wait"), count(".reqnctapercluster 2, 1, 1")]
}

/// Multiplies matrices of whole blocks and compares with exact results. Gives the bytes of global memory that were asked for.
fn multiply(kernel: &Kernel, shape: Shape, [rows, columns, depth]: [usize; 3]) -> u64 {
    let [m, n, k] = [rows * shape.block[0], columns * shape.block[1], depth * shape.block[2]];
    let (a, b) = (Kind::F16.numbers(1, m * k.max(1), false), Kind::F16.numbers(2, n * k.max(1), false));
    let exact: Vec<f16> = (0..m * n)
        .map(|index| f16::from_f64((0..k).map(|i| a[index / n * k + i] * b[index % n * k + i]).sum()))
        .collect();
    let mut bytes = 0;
    for seed in SEEDS {
        let mut memory = DeviceMemory::new();
        let (pa, pb) = (Kind::F16.upload(&mut memory, &a), Kind::F16.upload(&mut memory, &b));
        let pc = upload(&mut memory, &vec![f16::NAN; m * n]);
        let maps = tensor_maps(kernel);
        let mut args = described(pa, [m, k], maps[0].1);
        args.extend(described(pb, [n, k], maps[1].1));
        args.extend(described(pc, [m, n], maps[2].1));
        args.extend([m, n, k].map(|size| Arg::from(size as i32)));
        let report = kernel.run_seeded(&mut memory, [(rows * columns) as u32, 1, 1], args, seed);
        bytes = report.memory.totals().bytes;
        let got = download::<f16>(&memory, pc);
        assert!(got == exact, "{rows}x{columns} blocks, {depth} iterations, seed {seed}\n{}", kernel.text);
    }
    bytes
}

#[test]
fn pairs_share_the_blocks_that_both_have() {
    let wide = Shape { block: [128, 64, 64], num_warps: 8, num_stages: 4 };
    for shape in [USUAL, Shape { num_stages: 2, ..USUAL }, wide, Shape { num_stages: 5, ..USUAL }] {
        let kernel = eager(shape);
        // One before the loop for each stage but the last, and one in it.
        let copies = shape.num_stages as usize;
        assert_eq!(shared(&kernel), [copies, 2, 1], "{}", kernel.generated.image.ptx);
        assert!(kernel.generated.image.ptx.contains("fence.mbarrier_init.release.cluster"));
        assert_eq!(kernel.generated.image.num_ctas, 1, "the grid is that of the programs");
        // Rows of an even number of blocks, and rows of an odd number, between which a pair has blocks of two rows.
        for grid in [[2, 2], [2, 3], [4, 1], [1, 4]] {
            for depth in [1, 2, 5, 8] {
                multiply(&kernel, shape, [grid[0], grid[1], depth]);
            }
        }
    }
}

/// Blocks that both programs of a pair have come once, and those of pairs with different ones twice.
#[test]
fn nobody_copies_twice() {
    let (kernel, alone) = (eager(USUAL), compiled(USUAL, Pairs::Unknown, Residency::Any, ""));
    let ptx = &kernel.generated.image.ptx;
    let (_, inside) = ptx.split_once("mbarrier.try_wait").expect("a loop");
    assert_eq!(inside.matches("barrier.cluster.arrive.relaxed").count(), 1, "{ptx}");
    assert_eq!(inside.matches("cp.async.bulk.tensor").count(), 3, "two copies of an iteration, and the result\n{ptx}");
    let of_program = |depth: usize| (2 * USUAL.block[0] * USUAL.block[2] * depth) as u64;
    for (rows, columns, sharing) in [(2, 2, 2), (2, 3, 2), (4, 1, 0), (1, 4, 2)] {
        let bytes = |kernel: &Kernel| multiply(kernel, USUAL, [rows, columns, 5]);
        let saved = bytes(&alone) - bytes(&kernel);
        assert_eq!(saved, sharing * of_program(5), "{rows}x{columns} blocks, of which {sharing} pairs share");
    }
}

#[test]
fn others_do_not_share() {
    let none = |kernel: Kernel, why: &str| assert_eq!(shared(&kernel), [0, 0, 0], "{why}\n{}", kernel.text);
    let many = |shape, pairs| compiled(shape, pairs, Residency::Many, "");
    none(many(USUAL, Pairs::Unknown), "the grid is odd");
    none(compiled(USUAL, Pairs::Even, Residency::Any, ""), "there are few programs");
    let large = Shape { block: [128, 256, 64], num_warps: 8, num_stages: 3 };
    none(many(large, Pairs::Even), "a multiprocessor has room for one");
    // A is what neighbours share, and the smaller operand.
    let wide = Shape { block: [64, 128, 64], num_warps: 4, num_stages: 3 };
    none(many(wide, Pairs::Even), "the smaller operand is shared");
    assert_eq!(shared(&many(USUAL, Pairs::Even))[2], 1, "all is as it should be");
    // The place of a block comes from memory.
    let loaded = "%where = tt.int_to_ptr %a_2 : i64 -> !tt.ptr<i32>
        %moved = tt.load %where : !tt.ptr<i32>
        %rows_2 = arith.addi %rows, %moved : i32";
    let text = text(USUAL, loaded).replace("arith.muli %x, %rows :", "arith.muli %x, %rows_2 :");
    let options = CompileOptions { pairs: Pairs::Eager, ..CompileOptions::default() };
    none(Kernel::from_tt(&text, "sm_90a", options), "nobody knows the other's place");
}

/// Where the flag or the order is wrong, the simulator says so.
#[test]
fn what_is_left_out_is_found() {
    let kernel = eager(USUAL);
    let shape = USUAL;
    let [rows, columns, depth] = [2, 2, 8];
    let [m, n, k] = [rows * shape.block[0], columns * shape.block[1], depth * shape.block[2]];
    let ptx = kernel.generated.image.ptx.clone();
    let without_barrier: String = {
        let (before, inside) = ptx.split_once("mbarrier.try_wait").expect("a loop");
        let inside = inside.replacen("barrier.cluster.arrive.relaxed.aligned;", "bar.sync 0;", 1);
        format!("{before}mbarrier.try_wait{}", remove_line(&inside, "barrier.cluster.wait.aligned;"))
    };
    let found = SEEDS.into_iter().any(|seed| {
        let mut memory = DeviceMemory::new();
        let [a, b] = [m * k, n * k].map(|size| Kind::F16.numbers(1, size, false));
        let (pa, pb) = (Kind::F16.upload(&mut memory, &a), Kind::F16.upload(&mut memory, &b));
        let pc = upload(&mut memory, &vec![f16::NAN; m * n]);
        let maps = tensor_maps(&kernel);
        let mut args = described(pa, [m, k], maps[0].1);
        args.extend(described(pb, [n, k], maps[1].1));
        args.extend(described(pc, [m, n], maps[2].1));
        args.extend([m, n, k].map(|size| Arg::from(size as i32)));
        let launch = ([(rows * columns) as u32, 1, 1], args);
        kernel.run_changed(&without_barrier, &mut memory, launch, seed).is_err()
    });
    assert!(found, "{without_barrier}");
}

/// The text without the first line that ends with these words.
fn remove_line(text: &str, words: &str) -> String {
    let mut is_there = true;
    let keeps = |line: &&str| !(line.trim_end().ends_with(words) && std::mem::take(&mut is_there));
    text.lines().filter(keeps).collect::<Vec<_>>().join("\n")
}
