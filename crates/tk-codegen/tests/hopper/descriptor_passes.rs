//! Kernels with tensor descriptors from tt text: every pass, code generation, the simulator with several orders in which copies land.

use crate::harness::{Kernel, download, upload};
use crate::hopper::numbers::Kind;
use half::f16;
use tk_sim::DeviceMemory;
use tk_types::CompileOptions;

/// Orders of landing that every kernel is run with.
const SEEDS: std::ops::Range<u64> = 0..5;

pub(crate) fn compile(text: &str, num_warps: u32, num_stages: u32) -> Kernel {
    Kernel::from_tt(text, "sm_90a", CompileOptions { num_warps, num_stages, ..CompileOptions::default() })
}

/// A module with one kernel whose parameters are pointers and sizes. `%zero` is an `i32`, `%one` an `i64`, and the body's lines
/// `integers %a = 2 : i32, %b = 3 : i64` are constants too.
pub(crate) fn kernel(parameters: &str, body: &str) -> String {
    let mut text = format!("module {{\ntt.func public @kernel({parameters}) {{\n");
    text.push_str("%zero = arith.constant 0 : i32\n%one = arith.constant 1 : i64\n");
    for line in body.lines() {
        match line.trim_start().strip_prefix("integers ") {
            Some(integers) => integers.split(", ").for_each(|integer| {
                text.push_str(&integer.replace(" = ", " = arith.constant "));
                text.push('\n');
            }),
            None => text.extend([line, "\n"]),
        }
    }
    text + "tt.return\n}\n}\n"
}

/// `b = 2 a` in blocks that the kernel's own descriptors describe.
fn doubled(element: &str, [rows, columns]: [usize; 2], padding: u32) -> String {
    let two = if element.starts_with('f') || element == "bf16" { "2.0" } else { "2" };
    let multiply = if two == "2" { "arith.muli" } else { "arith.mulf" };
    let ty = format!("tensor<{rows}x{columns}x{element}>");
    kernel(
        &format!("%a: !tt.ptr<{element}> {{tt.divisibility = 16 : i32}}, %b: !tt.ptr<{element}>, %m: i32, %n: i32"),
        &format!(
            "integers %rows = {rows} : i32, %columns = {columns} : i32
             %two = arith.constant dense<{two}> : {ty}
             %stride = arith.extsi %n : i32 to i64
             %from = tt.make_tensor_descriptor %a, [%m, %n], [%stride, %one] {{padding = {padding} : i32}} : !tt.ptr<{element}>, !tt.tensordesc<{ty}>
             %to = tt.make_tensor_descriptor %b, [%m, %n], [%stride, %one] : !tt.ptr<{element}>, !tt.tensordesc<{ty}>
             %x = tt.get_program_id x : i32
             %y = tt.get_program_id y : i32
             %row = arith.muli %x, %rows : i32
             %column = arith.muli %y, %columns : i32
             %loaded = tt.descriptor_load %from[%row, %column] : !tt.tensordesc<{ty}> -> {ty}
             %product = {multiply} %loaded, %two : {ty}
             tt.descriptor_store %to[%row, %column], %product : !tt.tensordesc<{ty}>, {ty}"
        ),
    )
}

#[test]
fn blocks_are_loaded_and_stored() {
    for (kind, element, block) in [
        (Kind::F16, "f16", [64, 64]),
        (Kind::F32, "f32", [32, 64]),
        (Kind::I32, "i32", [16, 8]),
        (Kind::F16, "f16", [4, 128]),
        (Kind::F32, "f32", [128, 256]),
        (Kind::BF16, "bf16", [16, 512]),
    ] {
        let kernel = compile(&doubled(element, block, 1), 4, 3);
        assert!(kernel.generated.image.ptx.contains("cp.async.bulk.tensor.2d.shared"), "{}", kernel.text);
        check_doubled(&kernel, kind, block);
    }
}

fn check_doubled(kernel: &Kernel, kind: Kind, block: [usize; 2]) {
    for [m, n] in [block, [block[0] + 3, block[1] + 8], [1, 8]] {
        let numbers = kind.numbers(m as u64, m * n, true);
        for seed in SEEDS {
            let mut memory = DeviceMemory::new();
            let (a, b) = (kind.upload(&mut memory, &numbers), kind.upload(&mut memory, &vec![9.0; m * n]));
            let grid = [m.div_ceil(block[0]) as u32, n.div_ceil(block[1]) as u32, 1];
            let args = vec![a.into(), b.into(), (m as i32).into(), (n as i32).into()];
            let report = kernel.run_seeded(&mut memory, grid, args, seed);
            let doubled: Vec<f64> = numbers.iter().map(|number| 2.0 * number).collect();
            assert_eq!(kind.download(&memory, b), doubled, "{m}x{n} in blocks of {block:?}");
            assert_eq!(report.memory.totals().bank_conflicts(), 0, "{}", report.memory);
        }
    }
}

/// Elements outside the tensor are zero or NaN; their sum over a column says which.
#[test]
fn padding_is_what_the_descriptor_says() {
    for (padding, outside) in [(1, 0.0), (2, f64::NAN)] {
        let text = kernel(
            "%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %m: i32, %n: i32",
            &format!(
                "integers %size = 16 : i32, %sixteen = 16 : i64
                 %stride = arith.extsi %n : i32 to i64
                 %from = tt.make_tensor_descriptor %a, [%m, %n], [%stride, %one] {{padding = {padding} : i32}} : !tt.ptr<f16>, !tt.tensordesc<tensor<16x16xf16>>
                 %to = tt.make_tensor_descriptor %b, [%size, %size], [%sixteen, %one] : !tt.ptr<f16>, !tt.tensordesc<tensor<16x16xf16>>
                 %loaded = tt.descriptor_load %from[%zero, %zero] : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x16xf16>
                 tt.descriptor_store %to[%zero, %zero], %loaded : !tt.tensordesc<tensor<16x16xf16>>, tensor<16x16xf16>"
            ),
        );
        let kernel = compile(&text, 4, 3);
        let (m, n) = (5, 8);
        let numbers = Kind::F16.numbers(3, m * n, true);
        let mut memory = DeviceMemory::new();
        let (a, b) = (Kind::F16.upload(&mut memory, &numbers), upload(&mut memory, &vec![f16::ONE; 256]));
        kernel.run(&mut memory, [1, 1, 1], vec![a.into(), b.into(), (m as i32).into(), (n as i32).into()]);
        for (index, got) in download::<f16>(&memory, b).into_iter().enumerate() {
            let (row, column) = (index / 16, index % 16);
            let expected = if row < m && column < n { numbers[row * n + column] } else { outside };
            assert!(got.to_f64() == expected || got.is_nan() && expected.is_nan(), "{row}, {column}: {got}");
        }
    }
}

/// `c += a` in blocks that several CTAs add to at once.
#[test]
fn blocks_are_added_in_memory() {
    let ty = "tensor<32x64xf32>";
    let text = kernel(
        "%a: !tt.ptr<f32>, %c: !tt.ptr<f32>, %m: i32, %n: i32",
        &format!(
            "%stride = arith.extsi %n : i32 to i64
             %from = tt.make_tensor_descriptor %a, [%m, %n], [%stride, %one] : !tt.ptr<f32>, !tt.tensordesc<{ty}>
             %to = tt.make_tensor_descriptor %c, [%m, %n], [%stride, %one] : !tt.ptr<f32>, !tt.tensordesc<{ty}>
             %loaded = tt.descriptor_load %from[%zero, %zero] : !tt.tensordesc<{ty}> -> {ty}
             tt.descriptor_reduce add, %to[%zero, %zero], %loaded : !tt.tensordesc<{ty}>, {ty}"
        ),
    );
    let kernel = compile(&text, 4, 3);
    let (m, n) = (30, 60);
    let numbers = Kind::F32.numbers(3, m * n, true);
    for seed in SEEDS {
        let mut memory = DeviceMemory::new();
        let (a, c) = (Kind::F32.upload(&mut memory, &numbers), Kind::F32.upload(&mut memory, &vec![1.0; m * n]));
        kernel.run_seeded(&mut memory, [3, 1, 1], vec![a.into(), c.into(), (m as i32).into(), (n as i32).into()], seed);
        let expected: Vec<f64> = numbers.iter().map(|number| 1.0 + 3.0 * number).collect();
        assert_eq!(Kind::F32.download(&memory, c), expected);
    }
}

/// How a product is written: blocks of A (MxK), B (NxK, read transposed, or KxN) and C.
pub(crate) struct Product {
    pub(crate) tile: [usize; 3],
    pub(crate) transposed: bool,
    pub(crate) num_warps: u32,
    pub(crate) num_stages: u32,
}

impl Product {
    pub(crate) fn text(&self) -> String {
        let [m, n, k] = self.tile;
        let (b_block, b_shape, b_at) = if self.transposed {
            (format!("tensor<{n}x{k}xf16>"), "%n, %k", "%column, %at")
        } else {
            (format!("tensor<{k}x{n}xf16>"), "%k, %n", "%at, %column")
        };
        let (b_stride, b_operand) = if self.transposed { ("%k", "%bt") } else { ("%n", "%b") };
        let trans = if self.transposed {
            format!("%bt = tt.trans %b {{order = array<i32: 1, 0>}} : {b_block} -> tensor<{k}x{n}xf16>")
        } else {
            String::new()
        };
        let (a, c, sum) =
            (format!("tensor<{m}x{k}xf16>"), format!("tensor<{m}x{n}xf16>"), format!("tensor<{m}x{n}xf32>"));
        kernel(
            "%pa: !tt.ptr<f16>, %pb: !tt.ptr<f16>, %pc: !tt.ptr<f16>, %m: i32, %n: i32, %k: i32",
            &format!(
                "integers %step = 1 : i32, %tm = {m} : i32, %tn = {n} : i32, %tk = {k} : i32
                 %none = arith.constant dense<0.0> : {sum}
                 %km = arith.extsi %k : i32 to i64
                 %nm = arith.extsi %n : i32 to i64
                 %bs = arith.extsi {b_stride} : i32 to i64
                 %da = tt.make_tensor_descriptor %pa, [%m, %k], [%km, %one] : !tt.ptr<f16>, !tt.tensordesc<{a}>
                 %db = tt.make_tensor_descriptor %pb, [{b_shape}], [%bs, %one] : !tt.ptr<f16>, !tt.tensordesc<{b_block}>
                 %dc = tt.make_tensor_descriptor %pc, [%m, %n], [%nm, %one] : !tt.ptr<f16>, !tt.tensordesc<{c}>
                 %x = tt.get_program_id x : i32
                 %y = tt.get_program_id y : i32
                 %row = arith.muli %x, %tm : i32
                 %column = arith.muli %y, %tn : i32
                 %tiles = arith.ceildivsi %k, %tk : i32
                 %sum = scf.for %i = %zero to %tiles step %step iter_args(%acc = %none) -> ({sum}) : i32 {{
                   %at = arith.muli %i, %tk : i32
                   %a = tt.descriptor_load %da[%row, %at] : !tt.tensordesc<{a}> -> {a}
                   %b = tt.descriptor_load %db[{b_at}] : !tt.tensordesc<{b_block}> -> {b_block}
                   {trans}
                   %next = tt.dot %a, {b_operand}, %acc, inputPrecision = tf32 : {a} * tensor<{k}x{n}xf16> -> {sum}
                   scf.yield %next : {sum}
                 }}
                 %narrow = arith.truncf %sum : {sum} to {c}
                 tt.descriptor_store %dc[%row, %column], %narrow : !tt.tensordesc<{c}>, {c}"
            ),
        )
    }

    /// Compiles the kernel and compares it with exact sums for several sizes and orders.
    fn check(&self) -> Kernel {
        self.check_on("sm_90a")
    }

    fn check_on(&self, target: &str) -> Kernel {
        let options =
            CompileOptions { num_warps: self.num_warps, num_stages: self.num_stages, ..CompileOptions::default() };
        let kernel = Kernel::from_tt(&self.text(), target, options);
        let [tm, tn, tk] = self.tile;
        for [m, n, k] in [[tm, tn, 4 * tk], [tm + 8, tn + 8, tk], [40, 24, 5 * tk + 8], [16, 8, 8]] {
            let (a, b) = (Kind::F16.numbers(1, m * k, true), Kind::F16.numbers(2, n * k, true));
            let b_at = |i: usize, column: usize| if self.transposed { b[column * k + i] } else { b[i * n + column] };
            let exact: Vec<f64> = (0..m * n)
                .map(|index| (0..k).map(|i| a[index / n * k + i] * b_at(i, index % n)).sum())
                .map(|sum: f64| f16::from_f64(sum).to_f64())
                .collect();
            for seed in SEEDS {
                let mut memory = DeviceMemory::new();
                let (pa, pb) = (Kind::F16.upload(&mut memory, &a), Kind::F16.upload(&mut memory, &b));
                let pc = upload(&mut memory, &vec![f16::NAN; m * n]);
                let sizes = [m, n, k].map(|size| (size as i32).into());
                let args = [vec![pa.into(), pb.into(), pc.into()], sizes.to_vec()].concat();
                let grid = [m.div_ceil(tm) as u32, n.div_ceil(tn) as u32, 1];
                let report = kernel.run_seeded(&mut memory, grid, args, seed);
                assert!(Kind::F16.download(&memory, pc) == exact, "{m}x{n}x{k}, seed {seed}\n{}", kernel.text);
                assert_eq!(report.memory.totals().bank_conflicts(), 0, "{}", report.memory);
            }
        }
        kernel
    }
}

#[test]
fn products_of_described_blocks() {
    for (transposed, num_stages) in [(true, 1), (true, 3), (false, 3), (true, 4), (false, 2)] {
        let product = Product { tile: [64, 64, 64], transposed, num_warps: 4, num_stages };
        let kernel = product.check();
        assert!(kernel.count("wgmma.mma_async") > 0);
    }
}

#[test]
fn products_of_small_described_blocks() {
    // Too small for `wgmma`: `mma.sync` reads the buffers through registers.
    let product = Product { tile: [16, 16, 32], transposed: true, num_warps: 1, num_stages: 3 };
    assert_eq!(product.check().count("wgmma.mma_async"), 0);
}

/// A kernel whose CTAs take tiles of the product `A B^T` in turn, in one loop or two; a tile is stored whole or in halves.
fn persistent([m, n, k]: [usize; 3], flatten: bool, halves: bool) -> String {
    let half = n / 2;
    let stored = format!("tensor<{m}x{}xf16>", if halves { half } else { n });
    let (a, b, c, sum) = (
        format!("tensor<{m}x{k}xf16>"),
        format!("tensor<{n}x{k}xf16>"),
        format!("tensor<{m}x{n}xf16>"),
        format!("tensor<{m}x{n}xf32>"),
    );
    let attribute = if flatten { "{tt.flatten}" } else { "" };
    let store = match halves {
        false => format!("tt.descriptor_store %dc[%rowc, %columnc], %narrow : !tt.tensordesc<{stored}>, {stored}"),
        true => format!(
            "%split = tt.reshape %narrow : {c} -> tensor<{m}x2x{half}xf16>
             %turned = tt.trans %split {{order = array<i32: 0, 2, 1>}} : tensor<{m}x2x{half}xf16> -> tensor<{m}x{half}x2xf16>
             %left, %right = tt.split %turned : tensor<{m}x{half}x2xf16> -> {stored}
             tt.descriptor_store %dc[%rowc, %columnc], %left : !tt.tensordesc<{stored}>, {stored}
             %half = arith.constant {half} : i32
             %columnr = arith.addi %columnc, %half : i32
             tt.descriptor_store %dc[%rowc, %columnr], %right : !tt.tensordesc<{stored}>, {stored}"
        ),
    };
    // Without it, rows might end within 16 bytes, and the store would go through pointers.
    let whole = if halves { "{tt.divisibility = 16 : i32}" } else { "" };
    kernel(
        &format!("%pa: !tt.ptr<f16>, %pb: !tt.ptr<f16>, %pc: !tt.ptr<f16>, %m: i32, %n: i32 {whole}, %k: i32"),
        &format!(
            "integers %step = 1 : i32, %tm = {m} : i32, %tn = {n} : i32, %tk = {k} : i32
             %none = arith.constant dense<0.0> : {sum}
             %kl = arith.extsi %k : i32 to i64
             %nl = arith.extsi %n : i32 to i64
             %da = tt.make_tensor_descriptor %pa, [%m, %k], [%kl, %one] : !tt.ptr<f16>, !tt.tensordesc<{a}>
             %db = tt.make_tensor_descriptor %pb, [%n, %k], [%kl, %one] : !tt.ptr<f16>, !tt.tensordesc<{b}>
             %dc = tt.make_tensor_descriptor %pc, [%m, %n], [%nl, %one] : !tt.ptr<f16>, !tt.tensordesc<{stored}>
             %cta = tt.get_program_id x : i32
             %ctas = tt.get_num_programs x : i32
             %rows = arith.ceildivsi %m, %tm : i32
             %columns = arith.ceildivsi %n, %tn : i32
             %tiles = arith.muli %rows, %columns : i32
             %depth = arith.ceildivsi %k, %tk : i32
             %before = arith.subi %cta, %ctas : i32
             %last = scf.for %tile = %cta to %tiles step %ctas iter_args(%stored = %before) -> (i32) : i32 {{
               %x = arith.divsi %tile, %columns : i32
               %y = arith.remsi %tile, %columns : i32
               %row = arith.muli %x, %tm : i32
               %column = arith.muli %y, %tn : i32
               %sum = scf.for %i = %zero to %depth step %step iter_args(%acc = %none) -> ({sum}) : i32 {{
                 %at = arith.muli %i, %tk : i32
                 %a = tt.descriptor_load %da[%row, %at] : !tt.tensordesc<{a}> -> {a}
                 %b = tt.descriptor_load %db[%column, %at] : !tt.tensordesc<{b}> -> {b}
                 %bt = tt.trans %b {{order = array<i32: 1, 0>}} : {b} -> tensor<{k}x{n}xf16>
                 %next = tt.dot %a, %bt, %acc, inputPrecision = tf32 : {a} * tensor<{k}x{n}xf16> -> {sum}
                 scf.yield %next : {sum}
               }}
               %own = arith.addi %stored, %ctas : i32
               %xc = arith.divsi %own, %columns : i32
               %yc = arith.remsi %own, %columns : i32
               %rowc = arith.muli %xc, %tm : i32
               %columnc = arith.muli %yc, %tn : i32
               %narrow = arith.truncf %sum : {sum} to {c}
               {store}
               scf.yield %own : i32
             }} {attribute}"
        ),
    )
}

/// Runs a persistent kernel on a few CTAs; rows of A and B are `k` long.
fn check_persistent(kernel: &Kernel, [m, n, k]: [usize; 3], ctas: u32) {
    let (a, b) = (Kind::F16.numbers(1, m * k, true), Kind::F16.numbers(2, n * k, true));
    let exact: Vec<f64> = (0..m * n)
        .map(|index| (0..k).map(|i| a[index / n * k + i] * b[index % n * k + i]).sum())
        .map(|sum: f64| f16::from_f64(sum).to_f64())
        .collect();
    for seed in SEEDS {
        let mut memory = DeviceMemory::new();
        let (pa, pb) = (Kind::F16.upload(&mut memory, &a), Kind::F16.upload(&mut memory, &b));
        let pc = upload(&mut memory, &vec![f16::NAN; m * n]);
        let sizes = [m, n, k].map(|size| (size as i32).into());
        let args = [vec![pa.into(), pb.into(), pc.into()], sizes.to_vec()].concat();
        let report = kernel.run_seeded(&mut memory, [ctas, 1, 1], args, seed);
        assert!(Kind::F16.download(&memory, pc) == exact, "{m}x{n}x{k}, {ctas} CTAs, seed {seed}\n{}", kernel.text);
        assert_eq!(report.memory.totals().bank_conflicts(), 0, "{}", report.memory);
    }
}

#[test]
fn persistent_kernels_in_one_loop_and_in_two() {
    for (flatten, num_stages) in [(true, 3), (false, 3), (true, 1), (true, 4)] {
        let kernel = compile(&persistent([64, 64, 64], flatten, false), 4, num_stages);
        for (size, ctas) in [([128, 192, 256], 2), ([72, 136, 72], 4), ([200, 64, 64], 1), ([64, 64, 64], 3)] {
            check_persistent(&kernel, size, ctas);
        }
    }
}

/// The second half of a tile has a buffer of its own where as many CTAs as before share a multiprocessor: with four stages three do either way,
/// with three stages it would be three instead of four.
#[test]
fn halves_of_a_tile_do_not_wait_for_each_other() {
    for (flatten, num_stages, buffers) in [(true, 4, 2), (false, 4, 2), (true, 3, 1), (false, 3, 1)] {
        let kernel = compile(&persistent([64, 64, 64], flatten, true), 4, num_stages);
        // One behind the loop, and one before each write of a buffer in it; the loop for products of no terms has room for two buffers.
        let without_terms = if flatten { 2 } else { 0 };
        let waits = kernel.text.matches("ttng.async_tma_store_wait").count();
        assert_eq!(waits, without_terms + 4 - buffers, "{}", kernel.text);
        for (size, ctas) in [([128, 192, 256], 2), ([72, 144, 72], 4), ([200, 64, 64], 1), ([64, 64, 64], 3)] {
            check_persistent(&kernel, size, ctas);
        }
    }
}

/// Without TMA, pointers take the place of descriptors.
#[test]
fn descriptors_are_pointers_before_sm_90() {
    let options = CompileOptions::default();
    for (kind, element, block) in
        [(Kind::F16, "f16", [64, 64]), (Kind::I32, "i32", [16, 8]), (Kind::F32, "f32", [8, 2])]
    {
        let kernel = Kernel::from_tt(&doubled(element, block, 1), "sm_80", options.clone());
        assert!(!kernel.generated.image.ptx.contains("cp.async.bulk"), "{}", kernel.text);
        check_doubled(&kernel, kind, block);
    }
    let product = Product { tile: [32, 32, 32], transposed: true, num_warps: 4, num_stages: 3 };
    product.check_on("sm_80");
}

/// Runs `b = f(a)` for two matrices of these sizes on both kinds of targets.
fn check_map(text: &str, [m, n]: [usize; 2], [rows, columns]: [usize; 2], f: impl Fn(&[f64]) -> Vec<f64>) {
    let numbers = Kind::F16.numbers(5, m * n, true);
    for target in ["sm_90a", "sm_80"] {
        let kernel = Kernel::from_tt(text, target, CompileOptions::default());
        for seed in SEEDS {
            let mut memory = DeviceMemory::new();
            let a = Kind::F16.upload(&mut memory, &numbers);
            let b = Kind::F16.upload(&mut memory, &vec![7.0; rows * columns]);
            kernel.run_seeded(&mut memory, [1, 1, 1], vec![a.into(), b.into()], seed);
            assert_eq!(Kind::F16.download(&memory, b), f(&numbers), "{target}\n{}", kernel.text);
        }
    }
}

/// Rows 3, 5, 7, … of a matrix of 30 rows, put to rows 0, 3, 6, … of one of 40; rows that are not there read as zero and are left out.
#[test]
fn rows_are_gathered_and_scattered() {
    let text = kernel(
        "%a: !tt.ptr<f16>, %b: !tt.ptr<f16>",
        "integers %stride = 24 : i64, %m = 30 : i32, %rows = 40 : i32, %n = 24 : i32, %eight = 8 : i32
         %two = arith.constant dense<2> : tensor<16xi32>
         %three = arith.constant dense<3> : tensor<16xi32>
         %from = tt.make_tensor_descriptor %a, [%m, %n], [%stride, %one] : !tt.ptr<f16>, !tt.tensordesc<tensor<1x16xf16>>
         %to = tt.make_tensor_descriptor %b, [%rows, %n], [%stride, %one] : !tt.ptr<f16>, !tt.tensordesc<tensor<1x16xf16>>
         %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
         %odd = arith.muli %i, %two : tensor<16xi32>
         %read = arith.addi %odd, %three : tensor<16xi32>
         %write = arith.muli %i, %three : tensor<16xi32>
         %x = tt.descriptor_gather %from[%read, %eight] : (!tt.tensordesc<tensor<1x16xf16>>, tensor<16xi32>, i32) -> tensor<16x16xf16>
         tt.descriptor_scatter %to[%write, %eight], %x : !tt.tensordesc<tensor<1x16xf16>>, tensor<16xi32>, i32, tensor<16x16xf16>",
    );
    check_map(&text, [30, 24], [40, 24], |a| {
        let mut b = vec![7.0; 40 * 24];
        for i in (0..16).filter(|i| 3 * i < 40) {
            for column in 8..24 {
                let row = 3 + 2 * i;
                b[3 * i * 24 + column] = if row < 30 { a[row * 24 + column] } else { 0.0 };
            }
        }
        b
    });
}

/// A block of one axis, and one of three of which the first is reshaped away.
#[test]
fn blocks_of_one_and_of_three_axes() {
    let text = kernel(
        "%a: !tt.ptr<f16>, %b: !tt.ptr<f16>",
        "integers %second = 1 : i32, %size = 50 : i32, %count = 3 : i32, %ten = 10 : i32
         integers %sixteen = 16 : i32, %row = 16 : i64, %plane = 160 : i64
         %line = tt.make_tensor_descriptor %b, [%size], [%one] : !tt.ptr<f16>, !tt.tensordesc<tensor<32xf16>>
         %cube = tt.make_tensor_descriptor %a, [%count, %ten, %sixteen], [%plane, %row, %one] : !tt.ptr<f16>, !tt.tensordesc<tensor<1x2x16xf16>>
         %x = tt.descriptor_load %cube[%second, %zero, %zero] : !tt.tensordesc<tensor<1x2x16xf16>> -> tensor<1x2x16xf16>
         %flat = tt.reshape %x : tensor<1x2x16xf16> -> tensor<2x16xf16>
         %y = tt.reshape %flat : tensor<2x16xf16> -> tensor<32xf16>
         %half = arith.constant 8 : i32
         tt.descriptor_store %line[%half], %y : !tt.tensordesc<tensor<32xf16>>, tensor<32xf16>",
    );
    check_map(&text, [30, 16], [1, 50], |a| {
        let mut b = vec![7.0; 50];
        b[8..40].copy_from_slice(&a[160..192]);
        b
    });
}

/// A descriptor that a branch chooses and a loop passes on.
#[test]
fn descriptors_flow_through_loops_and_branches() {
    let desc = "!tt.tensordesc<tensor<8x16xf16>>";
    let text = kernel(
        "%a: !tt.ptr<f16>, %b: !tt.ptr<f16>",
        &format!(
            "integers %step = 1 : i32, %row = 16 : i64, %m = 8 : i32, %less = 5 : i32, %n = 16 : i32
             integers %steps = 3 : i32
             %all = tt.make_tensor_descriptor %a, [%m, %n], [%row, %one] : !tt.ptr<f16>, {desc}
             %some = tt.make_tensor_descriptor %a, [%less, %n], [%row, %one] : !tt.ptr<f16>, {desc}
             %to = tt.make_tensor_descriptor %b, [%m, %n], [%row, %one] : !tt.ptr<f16>, {desc}
             %none = arith.constant dense<0.0> : tensor<8x16xf16>
             %x = tt.get_program_id x : i32
             %first = arith.cmpi eq, %x, %zero : i32
             %chosen = scf.if %first -> ({desc}) {{
               scf.yield %some : {desc}
             }} else {{
               scf.yield %all : {desc}
             }}
             %r:3 = scf.for %i = %zero to %steps step %step iter_args(%sum = %none, %p = %chosen, %q = %all) -> (tensor<8x16xf16>, {desc}, {desc}) : i32 {{
               %v = tt.descriptor_load %p[%zero, %zero] : {desc} -> tensor<8x16xf16>
               %next = arith.addf %sum, %v : tensor<8x16xf16>
               scf.yield %next, %q, %p : tensor<8x16xf16>, {desc}, {desc}
             }}
             tt.descriptor_store %to[%zero, %zero], %r#0 : {desc}, tensor<8x16xf16>"
        ),
    );
    check_map(&text, [8, 16], [8, 16], |a| {
        (0..128).map(|index| if index / 16 < 5 { 3.0 * a[index] } else { a[index] }).collect()
    });
}

/// Descriptors that pad with zero and with NaN take turns, also where a selection chooses between them.
#[test]
fn descriptors_of_both_paddings_meet() {
    let desc = "!tt.tensordesc<tensor<8x16xf16>>";
    let text = kernel(
        "%a: !tt.ptr<f16>, %b: !tt.ptr<f16>",
        &format!(
            "integers %step = 1 : i32, %row = 16 : i64, %m = 5 : i32, %rows = 24 : i32, %n = 16 : i32, %steps = 3 : i32
             integers %height = 8 : i32
             %z = tt.make_tensor_descriptor %a, [%m, %n], [%row, %one] : !tt.ptr<f16>, {desc}
             %x = tt.make_tensor_descriptor %a, [%m, %n], [%row, %one] {{padding = 2 : i32}} : !tt.ptr<f16>, {desc}
             %to = tt.make_tensor_descriptor %b, [%rows, %n], [%row, %one] : !tt.ptr<f16>, {desc}
             %id = tt.get_program_id x : i32
             %first = arith.cmpi eq, %id, %zero : i32
             %chosen = arith.select %first, %x, %z : {desc}
             %r:2 = scf.for %i = %zero to %steps step %step iter_args(%p = %chosen, %q = %z) -> ({desc}, {desc}) : i32 {{
               %v = tt.descriptor_load %p[%zero, %zero] : {desc} -> tensor<8x16xf16>
               %at = arith.muli %i, %height : i32
               tt.descriptor_store %to[%at, %zero], %v : {desc}, tensor<8x16xf16>
               scf.yield %q, %p : {desc}, {desc}
             }}"
        ),
    );
    for target in ["sm_90a", "sm_80"] {
        let kernel = Kernel::from_tt(&text, target, CompileOptions::default());
        let mut memory = DeviceMemory::new();
        let numbers = Kind::F16.numbers(5, 5 * 16, true);
        let a = Kind::F16.upload(&mut memory, &numbers);
        let b = Kind::F16.upload(&mut memory, &vec![7.0; 24 * 16]);
        kernel.run_seeded(&mut memory, [1, 1, 1], vec![a.into(), b.into()], 1);
        for (index, value) in Kind::F16.download(&memory, b).into_iter().enumerate() {
            let (block, place) = (index / 128, index % 128);
            match numbers.get(place) {
                Some(expected) => assert_eq!(value, *expected, "{target}: {index}"),
                None if block % 2 == 0 => assert!(value.is_nan(), "{target}: {index} is {value}"),
                None => assert_eq!(value, 0.0, "{target}: {index}"),
            }
        }
    }
}

/// Loads that no product needs run ahead where the loop says so, through registers.
#[test]
fn every_described_load_runs_ahead_where_the_loop_says_so() {
    let ty = "tensor<16x64xf16>";
    let text = kernel(
        "%a: !tt.ptr<f16>, %b: !tt.ptr<f16>",
        &format!(
            "integers %step = 16 : i32, %row = 64 : i64, %m = 72 : i32, %few = 16 : i32, %n = 64 : i32
             %from = tt.make_tensor_descriptor %a, [%m, %n], [%row, %one] : !tt.ptr<f16>, !tt.tensordesc<{ty}>
             %to = tt.make_tensor_descriptor %b, [%few, %n], [%row, %one] : !tt.ptr<f16>, !tt.tensordesc<{ty}>
             %none = arith.constant dense<0.0> : {ty}
             %sum = scf.for %i = %zero to %m step %step iter_args(%acc = %none) -> ({ty}) : i32 {{
               %v = tt.descriptor_load %from[%i, %zero] : !tt.tensordesc<{ty}> -> {ty}
               %next = arith.addf %acc, %v : {ty}
               scf.yield %next : {ty}
             }} {{tt.num_stages = 3 : i32}}
             tt.descriptor_store %to[%zero, %zero], %sum : !tt.tensordesc<{ty}>, {ty}"
        ),
    );
    check_map(&text, [72, 64], [16, 64], |a| {
        let sum = |index: usize| (0..72).filter(|row| row % 16 == index / 64).map(|row| a[row * 64 + index % 64]).sum();
        (0..16 * 64).map(sum).collect()
    });
    let kernel = compile(&text, 4, 3);
    assert_eq!(kernel.text.matches("ttng.wait_barrier").count(), 1, "{}", kernel.text);
    assert!(kernel.text.contains("memdesc<2x16x64xf16"), "{}", kernel.text);
}
