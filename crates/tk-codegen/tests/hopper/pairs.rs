//! Products whose programs share the copies of an operand as clusters of two, on the simulator: pairs that share, pairs that do not since they have
//! different blocks, and launches in which nobody shares.

use crate::harness::{Kernel, download, upload};
use crate::hopper::descriptors::{described, tensor_maps};
use crate::hopper::numbers::Kind;
use half::f16;
use tk_sim::{Arg, Buffer, DeviceMemory};
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

/// Matrices of whole blocks, and their exact product.
struct Product {
    a: Vec<f64>,
    b: Vec<f64>,
    exact: Vec<f16>,
    sizes: [usize; 3],
    programs: u32,
}

/// Where a launch writes to, and what it is launched with.
struct Launch {
    result: Buffer,
    grid_and_args: ([u32; 3], Vec<Arg>),
}

impl Product {
    fn of(shape: Shape, [rows, columns, depth]: [usize; 3]) -> Self {
        let [m, n, k] = [rows * shape.block[0], columns * shape.block[1], depth * shape.block[2]];
        let (a, b) = (Kind::F16.numbers(1, m * k.max(1), false), Kind::F16.numbers(2, n * k.max(1), false));
        let exact = (0..m * n)
            .map(|index| f16::from_f64((0..k).map(|i| a[index / n * k + i] * b[index % n * k + i]).sum()))
            .collect();
        Self { a, b, exact, sizes: [m, n, k], programs: (rows * columns) as u32 }
    }

    fn launch(&self, kernel: &Kernel, memory: &mut DeviceMemory) -> Launch {
        let [m, n, k] = self.sizes;
        let (pa, pb) = (Kind::F16.upload(memory, &self.a), Kind::F16.upload(memory, &self.b));
        let result = upload(memory, &vec![f16::NAN; m * n]);
        let maps = tensor_maps(kernel);
        let mut args = described(pa, [m, k], maps[0].1);
        args.extend(described(pb, [n, k], maps[1].1));
        args.extend(described(result, [m, n], maps[2].1));
        args.extend([m, n, k].map(|size| Arg::from(size as i32)));
        Launch { result, grid_and_args: ([self.programs, 1, 1], args) }
    }

    /// Whether other PTX in the kernel's place gives the exact product.
    fn is_exact_with(&self, kernel: &Kernel, ptx: &str, seed: u64) -> tk_diag::Result<bool> {
        let mut memory = DeviceMemory::new();
        let Launch { result, grid_and_args } = self.launch(kernel, &mut memory);
        kernel.run_changed(ptx, &mut memory, grid_and_args, seed)?;
        Ok(download::<f16>(&memory, result) == self.exact)
    }
}

/// Multiplies matrices of whole blocks and compares with exact results. Gives the bytes of global memory that were asked for.
fn multiply(kernel: &Kernel, shape: Shape, [rows, columns, depth]: [usize; 3]) -> u64 {
    let product = Product::of(shape, [rows, columns, depth]);
    let mut bytes = 0;
    for seed in SEEDS {
        let mut memory = DeviceMemory::new();
        let Launch { result, grid_and_args: (grid, args) } = product.launch(kernel, &mut memory);
        let report = kernel.run_seeded(&mut memory, grid, args, seed);
        bytes = report.memory.totals().bytes;
        let got = download::<f16>(&memory, result);
        assert!(got == product.exact, "{rows}x{columns} blocks, {depth} iterations, seed {seed}\n{}", kernel.text);
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
    let copies = inside.matches("cp.async.bulk.tensor").count();
    assert_eq!(copies, 4, "two copies of an iteration, of which one has two forms, and the result\n{ptx}");
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

/// Pairs that share copy by multicast only, and the others by plain copies only: each form is left out where the other one is to be used.
#[test]
fn copies_for_one_are_plain() {
    let kernel = eager(USUAL);
    let lines: Vec<&str> = kernel.generated.image.ptx.lines().collect();
    let is_multicast = |at: usize| lines.get(at).is_some_and(|line| line.contains(".multicast::cluster"));
    // The plain form stands right before the other one.
    let is_plain = |at: usize| is_multicast(at + 1);
    let places = |lines: &[&str], at: usize| {
        let (_, places) = lines[at].split_once(" [ ")?;
        Some(places.trim_end_matches(';').to_owned())
    };
    for at in (0..lines.len()).filter(|at| is_plain(*at)) {
        let (plain, multicast) = (places(&lines, at).expect("a copy"), places(&lines, at + 1).expect("a copy"));
        assert!(multicast.starts_with(&format!("{plain}, ")), "{plain}\n{multicast}");
    }
    let without = |is_left_out: &dyn Fn(usize) -> bool| {
        (0..lines.len()).filter(|at| !is_left_out(*at)).map(|at| lines[at]).collect::<Vec<_>>().join("\n")
    };
    let (plain, multicast) = (without(&is_multicast), without(&is_plain));
    for (grid, is_shared) in [([2, 2], true), ([1, 4], true), ([4, 1], false)] {
        let product = Product::of(USUAL, [grid[0], grid[1], 5]);
        let (used, unused) = if is_shared { (&multicast, &plain) } else { (&plain, &multicast) };
        for seed in SEEDS {
            let is_exact = product.is_exact_with(&kernel, used, seed);
            assert!(matches!(is_exact, Ok(true)), "{grid:?}, seed {seed}, {:?}\n{used}", is_exact.err());
        }
        let is_exact = product.is_exact_with(&kernel, unused, 0);
        assert!(!matches!(is_exact, Ok(true)), "{grid:?} blocks never come\n{unused}");
    }
}

/// Where the flag or the order is wrong, the simulator says so.
#[test]
fn what_is_left_out_is_found() {
    let kernel = eager(USUAL);
    let product = Product::of(USUAL, [2, 2, 8]);
    let ptx = kernel.generated.image.ptx.clone();
    let without_barrier: String = {
        let (before, inside) = ptx.split_once("mbarrier.try_wait").expect("a loop");
        let inside = inside.replacen("barrier.cluster.arrive.relaxed.aligned;", "bar.sync 0;", 1);
        format!("{before}mbarrier.try_wait{}", remove_line(&inside, "barrier.cluster.wait.aligned;"))
    };
    let found = SEEDS.into_iter().any(|seed| product.is_exact_with(&kernel, &without_barrier, seed).is_err());
    assert!(found, "{without_barrier}");
}

/// The text without the first line that ends with these words.
fn remove_line(text: &str, words: &str) -> String {
    let mut is_there = true;
    let keeps = |line: &&str| !(line.trim_end().ends_with(words) && std::mem::take(&mut is_there));
    text.lines().filter(keeps).collect::<Vec<_>>().join("\n")
}
