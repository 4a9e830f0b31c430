//! Products by `wgmma` with operands that `cp.async` brings, in a pipeline of one to four stages.

use crate::harness::Kernel;
use crate::hopper::numbers::Kind;
use tk_sim::DeviceMemory;

struct Case {
    text: &'static str,
    /// Operands, result.
    kinds: (Kind, Kind),
    /// Rows, columns and depth of a CTA's tiles.
    tile: [usize; 3],
    /// B is column-major.
    transposed: bool,
    /// The instruction and how many there are.
    instruction: (&'static str, usize),
}

impl Case {
    fn run(&self) {
        let kernel = Kernel::new(self.text);
        let (name, count) = self.instruction;
        assert_eq!(kernel.count(&format!("wgmma.mma_async.sync.aligned.{name}")), count);
        let [rows, columns, depth] = self.tile;
        // Whole tiles, fewer steps than stages, and a depth that leaves a rest.
        let sizes = [[2 * rows, columns, 4 * depth], [rows, 2 * columns, depth], [rows, columns, 3 * depth + 16]];
        for (seed, [m, n, k]) in sizes.into_iter().enumerate() {
            let (operand, result) = self.kinds;
            let whole = self.text.contains("xf16, #mma> * ") || self.text.contains("-> tensor<128x128xf16, #mma>");
            let a = operand.numbers(2 * seed as u64, m * k, whole);
            let b = operand.numbers(2 * seed as u64 + 1, k * n, whole);
            let mut memory = DeviceMemory::new();
            let (pa, pb) = (operand.upload(&mut memory, &a), operand.upload(&mut memory, &b));
            let pc = result.upload(&mut memory, &vec![7.0; m * n]);
            let stride = if self.transposed { k } else { n };
            let mut args = vec![pa.into(), pb.into(), pc.into()];
            args.extend([m, n, k, k, stride, n].map(|size| (size as i32).into()));
            let report = kernel.run(&mut memory, [(m / rows * (n / columns)) as u32, 1, 1], args);
            let at = |i: usize, j: usize| if self.transposed { b[j * k + i] } else { b[i * n + j] };
            let got = result.download(&memory, pc);
            for (index, got) in got.into_iter().enumerate() {
                let (row, column) = (index / n, index % n);
                let exact: f64 = (0..k).map(|i| a[row * k + i] * at(i, column)).sum();
                assert_eq!(got, result.round(exact), "{:?}: {row}, {column} of {m}x{n}x{k}", self.kinds);
            }
            // `wgmma` takes single-precision operands along K only, so copies of single elements turn row-major ones around.
            if self.transposed || operand != Kind::F32 {
                assert_eq!(report.memory.totals().bank_conflicts(), 0, "{:?}: {}", self.kinds, report.memory);
            }
        }
    }
}

macro_rules! cases {
    ($($name:ident: $file:literal, $operand:ident -> $result:ident, $tile:expr, $transposed:literal, $count:literal $instruction:literal;)*) => {$(
        #[test]
        fn $name() {
            Case {
                text: include_str!(concat!("kernels/", $file, ".ttgir")),
                kinds: (Kind::$operand, Kind::$result),
                tile: $tile,
                transposed: $transposed,
                instruction: ($instruction, $count),
            }
            .run();
        }
    )*};
}

cases! {
    half_with_rows_of_64_bytes: "f16_64x64x32", F16 -> F32, [64, 64, 32], true, 2 "m64n64k16.f32.f16.f16";
    half_in_two_tiles_of_rows: "f16_128x128x32", F16 -> F16, [128, 128, 32], true, 4 "m64n128k16.f32.f16.f16";
    half_with_warp_groups_along_columns: "f16_64x128x64_w8", F16 -> F32, [64, 128, 64], false, 4 "m64n64k16.f32.f16.f16";
    half_with_warp_groups_along_rows: "f16_128x64x128_w8", F16 -> F32, [128, 64, 128], true, 8 "m64n64k16.f32.f16.f16";
    half_without_a_swizzle: "f16_64x8x32", F16 -> F32, [64, 8, 32], false, 2 "m64n8k16.f32.f16.f16";
    half_without_a_pipeline: "f16_64x256x64_s1", F16 -> F16, [64, 256, 64], false, 4 "m64n256k16.f32.f16.f16";
    half_with_half_accumulators: "f16acc_128x128x64", F16 -> F16, [128, 128, 64], false, 8 "m64n128k16.f16.f16.f16";
    half_with_eight_warps: "f16_128x256x64", F16 -> F16, [128, 256, 64], false, 4 "m64n256k16.f32.f16.f16";
    bfloat_with_rows_of_32_bytes: "bf16_64x16x16", BF16 -> F32, [64, 16, 16], false, 1 "m64n16k16.f32.bf16.bf16";
    float8_with_rows_of_32_bytes: "fp8e5_128x64x32", E5M2 -> F32, [128, 64, 32], true, 2 "m64n64k32.f32.e5m2.e5m2";
    float8: "fp8_128x128x64", E4M3 -> F16, [128, 128, 64], true, 4 "m64n128k32.f32.e4m3.e4m3";
    single: "tf32_64x64x32", F32 -> F32, [64, 64, 32], true, 4 "m64n64k8.f32.tf32.tf32";
    single_with_row_major_operands: "tf32_128x64x32_row", F32 -> F32, [128, 64, 32], false, 8 "m64n64k8.f32.tf32.tf32";
    integers: "i8_64x128x64", I8 -> I32, [64, 128, 64], true, 2 "m64n128k32.s32.s8.s8";
}
