//! Whole matrix products: tt text, layouts by the passes, a loop over k, masks at all borders.

use crate::assembler::assemble;
use crate::dot::number::{Number, product};
use crate::harness::Kernel;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tk_diag::SourceFile;
use tk_ir::{Context, Module};
use tk_passes::{PassContext, pipeline, run_pipeline};
use tk_sim::{DeviceMemory, Report};
use tk_target::Target;
use tk_types::CompileOptions;

/// `c += a * b` in blocks; matrices are row-major and dense, `m`, `n` and `k` are arguments.
pub(crate) struct Matmul {
    pub(crate) types: [Number; 2],
    pub(crate) result: Number,
    /// Block size along m, n and k.
    pub(crate) block: [usize; 3],
    pub(crate) warps: u32,
    pub(crate) precision: &'static str,
}

impl Matmul {
    fn text(&self) -> String {
        let [bm, bn, bk] = self.block;
        let [ta, tb, tc] = [self.types[0].name(), self.types[1].name(), self.result.name()];
        let zero = |ty: &str| if ty.starts_with('i') { "0" } else { "0.000000e+00" };
        let mut text = format!(
            "tt.func public @matmul(%a: !tt.ptr<{ta}> {{tt.divisibility = 16 : i32}}, %b: !tt.ptr<{tb}> {{tt.divisibility = 16 : i32}}, %c: !tt.ptr<{tc}> {{tt.divisibility = 16 : i32}}, %m: i32, %n: i32 {{tt.divisibility = 16 : i32}}, %k: i32 {{tt.divisibility = 16 : i32}}) {{
             %zero = arith.constant 0 : i32
             %bk = arith.constant {bk} : i32
             %za = arith.constant dense<{}> : tensor<{bm}x{bk}x{ta}>
             %zb = arith.constant dense<{}> : tensor<{bk}x{bn}x{tb}>
             %zc = arith.constant dense<{}> : tensor<{bm}x{bn}x{tc}>\n",
            zero(ta),
            zero(tb),
            zero(tc)
        );
        for (axis, id, size) in [("m", "x", bm), ("n", "y", bn)] {
            text += &format!(
                "%id{axis} = tt.get_program_id {id} : i32
                 %size{axis} = arith.constant {size} : i32
                 %first{axis} = arith.muli %id{axis}, %size{axis} : i32
                 %range{axis} = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>
                 %splat{axis} = tt.splat %first{axis} : i32 -> tensor<{size}xi32>
                 %at{axis} = arith.addi %splat{axis}, %range{axis} : tensor<{size}xi32>\n"
            );
        }
        text += &format!("%atk = tt.make_range {{end = {bk} : i32, start = 0 : i32}} : tensor<{bk}xi32>\n");
        text += &pointers("a", ta, ("m", "atm", bm), ("k", "atk", bk));
        text += &pointers("b", tb, ("k", "atk", bk), ("n", "atn", bn));
        text += &pointers("c", tc, ("m", "atm", bm), ("n", "atn", bn));
        text += &format!(
            "%stepb = arith.muli %n, %bk : i32
             %stepas = tt.splat %bk : i32 -> tensor<{bm}x{bk}xi32>
             %stepbs = tt.splat %stepb : i32 -> tensor<{bk}x{bn}xi32>
             %start = tt.load %cp, %cin, %zc : tensor<{bm}x{bn}x!tt.ptr<{tc}>>
             %sum:3 = scf.for %i = %zero to %k step %bk iter_args(%acc = %start, %pa = %ap, %pb = %bp) -> (tensor<{bm}x{bn}x{tc}>, tensor<{bm}x{bk}x!tt.ptr<{ta}>>, tensor<{bk}x{bn}x!tt.ptr<{tb}>>) : i32 {{
               %left = arith.subi %k, %i : i32
               %lefta = tt.splat %left : i32 -> tensor<1x{bk}xi32>
               %leftb = tt.splat %left : i32 -> tensor<{bk}x1xi32>
               %ka = arith.cmpi slt, %acol, %lefta : tensor<1x{bk}xi32>
               %kb = arith.cmpi slt, %brow, %leftb : tensor<{bk}x1xi32>
               %kab = tt.broadcast %ka : tensor<1x{bk}xi1> -> tensor<{bm}x{bk}xi1>
               %kbb = tt.broadcast %kb : tensor<{bk}x1xi1> -> tensor<{bk}x{bn}xi1>
               %rows = tt.broadcast %arowin : tensor<{bm}x1xi1> -> tensor<{bm}x{bk}xi1>
               %cols = tt.broadcast %bcolin : tensor<1x{bn}xi1> -> tensor<{bk}x{bn}xi1>
               %ma = arith.andi %kab, %rows : tensor<{bm}x{bk}xi1>
               %mb = arith.andi %kbb, %cols : tensor<{bk}x{bn}xi1>
               %va = tt.load %pa, %ma, %za : tensor<{bm}x{bk}x!tt.ptr<{ta}>>
               %vb = tt.load %pb, %mb, %zb : tensor<{bk}x{bn}x!tt.ptr<{tb}>>
               %next = tt.dot %va, %vb, %acc, inputPrecision = {} : tensor<{bm}x{bk}x{ta}> * tensor<{bk}x{bn}x{tb}> -> tensor<{bm}x{bn}x{tc}>
               %na = tt.addptr %pa, %stepas : tensor<{bm}x{bk}x!tt.ptr<{ta}>>, tensor<{bm}x{bk}xi32>
               %nb = tt.addptr %pb, %stepbs : tensor<{bk}x{bn}x!tt.ptr<{tb}>>, tensor<{bk}x{bn}xi32>
               scf.yield %next, %na, %nb : tensor<{bm}x{bn}x{tc}>, tensor<{bm}x{bk}x!tt.ptr<{ta}>>, tensor<{bk}x{bn}x!tt.ptr<{tb}>>
             }}
             tt.store %cp, %sum#0, %cin : tensor<{bm}x{bn}x!tt.ptr<{tc}>>
             tt.return\n}}\n",
            self.precision
        );
        format!("module {{\n{text}}}\n")
    }

    /// Compiles it; the text after the passes and the kernel.
    pub(crate) fn kernel(&self, target: &str) -> (String, Kernel) {
        let ttg = with_layouts(&self.text(), target, self.warps);
        let kernel = Kernel::for_target(&ttg, target);
        (ttg, kernel)
    }

    /// Runs a kernel of it on matrices of this size.
    pub(crate) fn run(&self, kernel: &Kernel, size: [usize; 3], [a, b, c]: [&[f64]; 3]) -> (Vec<f64>, Report) {
        let [m, n, k] = size;
        let mut memory = DeviceMemory::new();
        let mut upload = |number: Number, values: &[f64]| {
            let bytes: Vec<u8> = values.iter().flat_map(|value| number.encode(*value)).collect();
            let buffer = memory.allocate(bytes.len() as u64);
            memory.write(buffer, &bytes).unwrap();
            buffer
        };
        let buffers = [upload(self.types[0], a), upload(self.types[1], b), upload(self.result, c)];
        let mut args: Vec<tk_sim::Arg> = buffers.map(Into::into).to_vec();
        args.extend([m, n, k].map(|size| tk_sim::Arg::from(size as i32)));
        let grid = [m.div_ceil(self.block[0]) as u32, n.div_ceil(self.block[1]) as u32, 1];
        let report = kernel.run(&mut memory, grid, args);
        let bytes = memory.read(buffers[2]).unwrap();
        (bytes.chunks(self.result.bytes()).map(|bytes| self.result.decode(bytes)).collect(), report)
    }

    /// Runs it on whole numbers and compares all elements.
    fn check(&self, kernel: &Kernel, size: [usize; 3]) {
        let [m, n, k] = size;
        let mut rng = ChaCha8Rng::seed_from_u64((m * n * k) as u64);
        let a = self.types[0].randoms(&mut rng, m * k);
        let b = self.types[1].randoms(&mut rng, k * n);
        let c = self.result.randoms(&mut rng, m * n);
        let (got, _) = self.run(kernel, size, [&a, &b, &c]);
        let wanted = product(&a, &b, &c, size);
        let wrong = (0..m * n).find(|at| got[*at] != wanted[*at]);
        if let Some(at) = wrong {
            let (row, column) = (at / n, at % n);
            panic!("{:?} {size:?}: {} at row {row}, column {column}, not {}", self.block, got[at], wanted[at]);
        }
    }
}

/// Pointers to a block, and where it lies inside the matrix.
fn pointers(name: &str, ty: &str, rows: (&str, &str, usize), columns: (&str, &str, usize)) -> String {
    let ((row_limit, row, r), (column_limit, column, c)) = (rows, columns);
    format!(
        "%{name}row = tt.expand_dims %{row} {{axis = 1 : i32}} : tensor<{r}xi32> -> tensor<{r}x1xi32>
         %{name}col = tt.expand_dims %{column} {{axis = 0 : i32}} : tensor<{c}xi32> -> tensor<1x{c}xi32>
         %{name}stride = tt.splat %{column_limit} : i32 -> tensor<{r}x1xi32>
         %{name}offset = arith.muli %{name}row, %{name}stride : tensor<{r}x1xi32>
         %{name}rows = tt.broadcast %{name}offset : tensor<{r}x1xi32> -> tensor<{r}x{c}xi32>
         %{name}cols = tt.broadcast %{name}col : tensor<1x{c}xi32> -> tensor<{r}x{c}xi32>
         %{name}at = arith.addi %{name}rows, %{name}cols : tensor<{r}x{c}xi32>
         %{name}base = tt.splat %{name} : !tt.ptr<{ty}> -> tensor<{r}x{c}x!tt.ptr<{ty}>>
         %{name}p = tt.addptr %{name}base, %{name}at : tensor<{r}x{c}x!tt.ptr<{ty}>>, tensor<{r}x{c}xi32>
         %{name}rowlimit = tt.splat %{row_limit} : i32 -> tensor<{r}x1xi32>
         %{name}collimit = tt.splat %{column_limit} : i32 -> tensor<1x{c}xi32>
         %{name}rowin = arith.cmpi slt, %{name}row, %{name}rowlimit : tensor<{r}x1xi32>
         %{name}colin = arith.cmpi slt, %{name}col, %{name}collimit : tensor<1x{c}xi32>
         %{name}rowsin = tt.broadcast %{name}rowin : tensor<{r}x1xi1> -> tensor<{r}x{c}xi1>
         %{name}colsin = tt.broadcast %{name}colin : tensor<1x{c}xi1> -> tensor<{r}x{c}xi1>
         %{name}in = arith.andi %{name}rowsin, %{name}colsin : tensor<{r}x{c}xi1>\n"
    )
}

/// Text of the module once every tensor has its layout.
fn with_layouts(text: &str, target: &str, num_warps: u32) -> String {
    let source = SourceFile::new("matmul.ttir", text);
    let context = Context::new();
    let module = Module::parse(&context, &source).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let options = CompileOptions { num_warps, ..CompileOptions::default() };
    let passes = PassContext { target: Target::parse(target).unwrap(), options, source: None };
    run_pipeline(&module, pipeline::TT, &passes, &mut tk_passes::Silent).unwrap_or_else(|error| panic!("{error}"));
    run_pipeline(&module, pipeline::TTG, &passes, &mut tk_passes::Silent).unwrap_or_else(|error| panic!("{error}"));
    module.print(tk_ir::PrintOptions::default())
}

/// Sizes below, at and above a block, with rests along every axis.
fn sizes([bm, bn, bk]: [usize; 3]) -> [[usize; 3]; 3] {
    [[bm, bn, bk], [bm + 3, bn + 16, 2 * bk + 16], [bm - 5, 16, 16]]
}

fn check_blocks(types: [Number; 2], result: Number, precision: &'static str, blocks: &[([usize; 3], u32)], has: &str) {
    for (number, &(block, warps)) in blocks.iter().enumerate() {
        let matmul = Matmul { types, result, block, warps, precision };
        let target = ["sm_90a", "sm_80"][number % 2];
        let (_, kernel) = matmul.kernel(target);
        let ptx = &kernel.generated.image.ptx;
        // On Hopper a warpgroup's product is a wgmma, and what has no wgmma is the instruction of older targets.
        let is_wgmma = target == "sm_90a" && warps >= 4 && ptx.contains("wgmma.mma_async");
        assert!(is_wgmma || ptx.contains(has), "neither {has} nor wgmma in\n{ptx}");
        assemble(ptx, target);
        for size in sizes(block) {
            matmul.check(&kernel, size);
        }
    }
}

const BLOCKS: [([usize; 3], u32); 6] = [
    ([16, 16, 32], 1),
    ([32, 64, 32], 4),
    ([64, 32, 64], 4),
    ([64, 64, 32], 8),
    ([128, 64, 32], 8),
    ([128, 128, 32], 8),
];

#[test]
fn f16() {
    check_blocks([Number::F16; 2], Number::F32, "tf32", &BLOCKS, "mma.sync.aligned.m16n8k16");
    check_blocks([Number::F16; 2], Number::F32, "tf32", &[([16, 16, 16], 1), ([16, 16, 16], 4)], "mma.sync");
}

#[test]
fn f16_sums() {
    check_blocks([Number::F16; 2], Number::F16, "tf32", &BLOCKS[..4], "f16.f16.f16.f16");
}

#[test]
fn bf16() {
    check_blocks([Number::BF16; 2], Number::F32, "tf32", &BLOCKS[..4], "mma.sync.aligned.m16n8k16");
}

#[test]
fn tf32() {
    check_blocks([Number::F32; 2], Number::F32, "tf32", &BLOCKS[..5], "mma.sync.aligned.m16n8k8");
}

/// Row-major f32 operands reach `wgmma` as Bᵀ from registers and Aᵀ from shared memory: by whole copies, without bank conflicts.
#[test]
fn tf32_along_n() {
    for (block, warps, instruction) in [
        ([64, 64, 32], 4, "m64n64k8"),
        ([16, 64, 32], 4, "m64n16k8"),
        ([32, 128, 64], 8, "m64n32k8"),
        ([128, 64, 16], 4, "m64n128k8"),
        ([128, 128, 32], 8, "m64n128k8"),
        ([256, 128, 32], 8, "m64n256k8"),
    ] {
        let matmul = Matmul { types: [Number::F32; 2], result: Number::F32, block, warps, precision: "tf32" };
        let (ttg, kernel) = matmul.kernel("sm_90a");
        let products = format!("wgmma.mma_async.sync.aligned.{instruction}.f32.tf32.tf32");
        assert!(kernel.count(&products) > 0, "no {products} in\n{ttg}");
        assert_eq!(kernel.count("cp.async.ca"), 0, "a copy of single elements in\n{ttg}");
        assemble(&kernel.generated.image.ptx, "sm_90a");
        for size in sizes(block) {
            matmul.check(&kernel, size);
        }
        let [m, n, k] = block.map(|size| 2 * size);
        let zeros = [vec![0.0; m * k], vec![0.0; k * n], vec![0.0; m * n]];
        let (_, report) = matmul.run(&kernel, [m, n, k], [&zeros[0], &zeros[1], &zeros[2]]);
        // Rows of 64 bytes cannot be spread over all banks.
        let is_free = block[2] * 4 >= 128;
        assert!(!is_free || report.memory.totals().bank_conflicts() == 0, "{block:?}: {}", report.memory);
    }
}

#[test]
fn ieee() {
    check_blocks([Number::F32; 2], Number::F32, "ieee", &BLOCKS[..4], "fma.rn.f32");
}

#[test]
fn int8() {
    check_blocks([Number::I8; 2], Number::I32, "tf32", &BLOCKS[..4], "mma.sync.aligned.m16n8k32");
}

#[test]
fn f64() {
    check_blocks([Number::F64; 2], Number::F64, "ieee", &[([16, 16, 16], 4), ([32, 32, 16], 4)], ".f64");
}

#[test]
fn each_product_is_computed_once() {
    let types = [Number::F16; 2];
    let matmul = Matmul { types, result: Number::F32, block: [128, 128, 32], warps: 8, precision: "tf32" };
    let (ttg, kernel) = matmul.kernel("sm_80");
    // 16 by 8 by 16 elements each, shared by 8 warps.
    assert_eq!(kernel.count("mma.sync"), 128 * 128 * 32 / (16 * 8 * 16) / 8, "{ttg}");
}
