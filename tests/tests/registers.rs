//! Registers that the kernels of the benchmark tables need at the same time, counted on their PTX, and what tk tells ptxas of their occupancy.
//!
//! `benches/spills.py` asks ptxas itself, for every configuration. This test needs none: a kernel whose values grow beyond a bound here
//! is one that will spill, or lose a CTA per multiprocessor.

use crate::why::image;
use tk_ptx::{Function, Module};
use tk_tests::{root, run_tk};

/// Programs whose steps are computed together.
const STEPS: &str = "tests/programs/steps_together.tk";
const ROW: &str = "i32:16,i32:16,i32:16,i32:16,i32=1,i32:16,i32=1,i32:16,i32=1";
const COLUMN: &str = "i32:16,i32:16,i32:16,i32:16,i32=1,i32=1,i32:16,i32:16,i32=1";

/// A configuration of a matrix product of `benches/gpu/matmul.tk`.
struct Product {
    /// Types of A and B, and of C.
    types: [&'static str; 2],
    strides: &'static str,
    /// Rows, columns and depth of a block.
    block: [u32; 3],
    warps: u32,
    stages: u32,
    /// What is live at most.
    bound: u32,
}

fn compiled(file: &str, kernel: &str, signature: &str, constants: &str, warps: u32, stages: u32) -> Module {
    let text = ptx_of(file, kernel, signature, constants, warps, stages);
    tk_ptx::parse(&tk_diag::SourceFile::new("kernel.ptx", text)).unwrap_or_else(|error| panic!("{}", error.message))
}

fn ptx_of(file: &str, kernel: &str, signature: &str, constants: &str, warps: u32, stages: u32) -> String {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let (warps, stages) = (warps.to_string(), stages.to_string());
    let args = [
        "compile",
        file,
        "--kernel",
        kernel,
        "--signature",
        signature,
        "--constexpr",
        constants,
        "--num-warps",
        &warps,
        "--num-stages",
        &stages,
        "--target",
        "sm_90a",
        "--allow",
        "silent-tf32",
    ];
    let outcome = run_tk(&args.map(str::to_string));
    assert_eq!(outcome.exit, 0, "{}", outcome.text);
    outcome.text
}

fn product(case: &Product) -> Module {
    let Product { types: [operand, result], strides, block: [m, n, k], warps, stages, .. } = case;
    let signature = format!("*{operand}:16,*{operand}:16,*{result}:16,{strides}");
    let integers = if *operand == "i8" { "True" } else { "False" };
    let constants = format!("INTEGERS={integers},BLOCK_SIZE_M={m},BLOCK_SIZE_N={n},BLOCK_SIZE_K={k},GROUP_SIZE_M=8");
    compiled("benches/gpu/matmul.tk", "matmul_kernel", &signature, &constants, *warps, *stages)
}

fn peak(module: &Module) -> u32 {
    module.entries().map(Function::peak_registers).max().expect("a kernel")
}

#[test]
fn products_keep_within_their_registers() {
    let row = |types, block, warps, stages, bound| Product { types, strides: ROW, block, warps, stages, bound };
    let column = |types, block, warps, stages, bound| Product { types, strides: COLUMN, block, warps, stages, bound };
    const F16: [&str; 2] = ["fp16", "fp16"];
    const TF32: [&str; 2] = ["fp32", "fp32"];
    const FP8: [&str; 2] = ["fp8e5", "fp16"];
    // Copies behind a branch (`gather-copies`) have all their addresses at its start here, where LLVM puts them. ptxas computes each where it is needed: 188
    // registers for 64x256x32, 166 for 128x128x32, 128 for 64x128x64 and 128x64x64, 72 for 64x64x64, 196 for the block of fp8; no more than without the branch.
    let cases = [
        row(F16, [128, 256, 64], 8, 3, 200),
        row(F16, [64, 256, 32], 4, 4, 208),
        row(F16, [128, 128, 32], 4, 4, 200),
        row(F16, [64, 128, 64], 4, 4, 152),
        row(F16, [128, 64, 64], 4, 4, 160),
        // ptxas adds the terms of the pointers to B as it needs them: 118 registers.
        row(F16, [16, 128, 128], 4, 4, 200),
        row(F16, [16, 64, 128], 4, 5, 144),
        row(F16, [64, 64, 64], 4, 4, 104),
        column(F16, [128, 256, 64], 8, 3, 192),
        column(F16, [64, 128, 64], 4, 4, 144),
        column(F16, [32, 64, 128], 4, 5, 176),
        row(TF32, [256, 128, 32], 8, 4, 208),
        row(TF32, [128, 64, 64], 4, 4, 200),
        column(TF32, [128, 256, 32], 8, 3, 192),
        column(FP8, [128, 256, 128], 8, 3, 192),
        column(FP8, [64, 256, 128], 4, 4, 240),
        column(["i8", "i32"], [128, 256, 128], 8, 3, 192),
    ];
    let mut wrong = Vec::new();
    for case in &cases {
        let live = peak(&product(case));
        if live > case.bound {
            let Product { types, block, warps, stages, bound, .. } = case;
            wrong.push(format!(
                "{} {block:?}, {warps} warps, {stages} stages: {live} live, more than {bound}",
                types[0]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn attention_and_memory_bound_kernels_keep_within_their_registers() {
    let pointers =
        "*fp16:16,*fp16:16,*fp16:16,*fp16:16,fp32,i32:16,i32:16,i32:16,i32:16,i32:16,i32:16,i32:16,i32:16,i32:16";
    let softmax = "*fp32:16,*fp32:16,i32:16,i32:16,i32:16,i32:16";
    let norm = "*fp16:16,*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp32:16,i32:16,i32:16,fp32";
    // Nobody needs the row sums of attention before the loop ends, so they stand behind the second product; ptxas adds the exponentials up as they
    // come (116, 188 and 255 registers, no spills).
    let cases = [
        ("attention", "attention_kernel", pointers, "HEAD_DIM=64,BLOCK_M=128,BLOCK_N=64,CAUSAL=False", 8, 3, 192),
        ("attention", "attention_kernel", pointers, "HEAD_DIM=128,BLOCK_M=128,BLOCK_N=64,CAUSAL=False", 8, 3, 264),
        ("attention", "attention_kernel", pointers, "HEAD_DIM=128,BLOCK_M=128,BLOCK_N=128,CAUSAL=True", 8, 3, 408),
        ("memory", "softmax_kernel", softmax, "BLOCK_SIZE=16384,PER_SM=2,STAGES=4", 8, 3, 104),
        ("memory", "layer_norm_kernel", norm, "BLOCK_SIZE=8192", 8, 3, 72),
    ];
    let mut wrong = Vec::new();
    for (file, kernel, signature, constants, warps, stages, bound) in cases {
        let live = peak(&compiled(&format!("benches/gpu/{file}.tk"), kernel, signature, constants, warps, stages));
        if live > bound {
            wrong.push(format!("{kernel} {constants}: {live} live, more than {bound}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Gradients of 128x128 in four warps come in parts of 64 rows: where most registers are needed, about as many as with 64 rows, and not 130 more.
#[test]
fn operands_in_parts_keep_within_their_registers() {
    let signature = format!("{},{},i32,i32", ["*fp16:16"; 4].join(","), ["*fp32:16"; 5].join(","));
    let estimate = |rows: u32| {
        let constants = ["--constexpr".to_string(), format!("M={rows},N=128,D=32,FORM='masked',DQ=False")];
        let said = image("tests/programs/operands_in_parts.tk", "keys_kernel", &signature, &constants);
        said["why"]["registers"]["estimate"].as_u64().expect("a number")
    };
    let [whole, half] = [128, 64].map(estimate);
    assert!(whole <= half + 16, "{whole} live with 128 rows, {half} with 64");
}

#[test]
fn ptxas_hears_how_many_ctas_shared_memory_allows() {
    let resident = |block, warps, stages| {
        let case = Product { types: ["fp16", "fp16"], strides: ROW, block, warps, stages, bound: 0 };
        let module = product(&case);
        let entry = module.entries().next().expect("a kernel");
        entry.directive("minnctapersm").map(|numbers| numbers[0])
    };
    // 144 KiB of 227 KiB; 108 KiB.
    assert_eq!(resident([128, 256, 64], 8, 3), Some(1));
    assert_eq!(resident([16, 128, 128], 4, 4), Some(2));
    // Three would fit beside each other, but not with every register that a thread can have: ptxas weighs that itself.
    assert_eq!(resident([128, 128, 32], 4, 4), None);
    // Nothing is copied ahead.
    let add =
        compiled("benches/gpu/memory.tk", "add_kernel", "*fp32:16,*fp32:16,*fp32:16,i32:16", "BLOCK_SIZE=1024", 4, 3);
    assert_eq!(add.entries().next().expect("a kernel").directive("minnctapersm"), None);
}

/// Bytes that a loop loads for its next iteration are eight registers in two words, not registers of 16 bits that the loop moves one by one.
#[test]
fn rows_of_bytes_wait_in_words() {
    let (file, signature) = ("tests/programs/overlapping_loops.tk", "*fp16:16,*i8:16,*fp16:16,*fp32:16,i32:16");
    let ptx = ptx_of(file, "scaled_by_bytes_kernel", signature, "M=32,N=64,K=128", 8, 3);
    assert!(ptx.contains("ld.global.v2.b32"), "{ptx}");
    assert!(!ptx.contains("mov.b16"), "{ptx}");
}

/// The address of a tensor map is one number for all copies, which ptxas keeps in uniform registers, and not the sum of where parameters begin
/// and a constant, which it adds up anew for each; a program id is divided as numbers without a sign are, for the same reason.
#[test]
fn addresses_of_tensor_maps_are_rounded_and_program_ids_have_no_sign() {
    let descriptors = "tensordesc<fp8e4nv[128,128]>,tensordesc<fp8e4nv[64,128]>,tensordesc<fp8e4nv[128,64]>";
    let signature = format!("{descriptors},tensordesc<bf16[128,128]>,fp32,i32:16");
    let constants = "HEAD_DIM=128,SHARED_BY=1,BLOCK_M=128,BLOCK_N=64,CAUSAL=True";
    let attention = ptx_of("examples/attention_fp8.tk", "attention_kernel", &signature, constants, 4, 3);
    let is_rounded = |line: &&str| line.contains("and.b64") && line.ends_with(", -64;");
    assert_eq!(attention.lines().filter(is_rounded).count(), 4, "{attention}");
    let signature = format!("*fp16:16,*fp16:16,*fp16:16,{ROW}");
    let constants = "INTEGERS=False,BLOCK_SIZE_M=128,BLOCK_SIZE_N=128,BLOCK_SIZE_K=64,GROUP_SIZE_M=8";
    let product = ptx_of("benches/gpu/matmul.tk", "matmul_kernel", &signature, constants, 4, 4);
    assert!(product.contains("div.u32"), "{product}");
}

/// ptxas writes no loop of products out whose iterations the code says, but for the shortest.
#[test]
fn loops_of_products_stay_loops() {
    let loops = |depth: u32| {
        let constants = format!("M=64,N=32,K={depth},BLOCK=64,TERMS=0");
        let ptx = ptx_of("tests/programs/dots.tk", "bounded_kernel", "*fp16:16,*fp16:16,*fp32:16", &constants, 4, 2);
        ptx.matches(".pragma \"nounroll\"").count()
    };
    assert_eq!([128, 256, 1024].map(loops), [0, 1, 1]);
}

/// The lines that have `what`.
fn lines_with(ptx: &str, what: &str) -> Vec<usize> {
    ptx.lines().enumerate().filter(|(_, line)| line.contains(what)).map(|(at, _)| at).collect()
}

/// Elements of an operand that take many instructions each are computed eight at a time: a first multiplication of all eight, then a second one.
#[test]
fn long_elements_of_operands_are_computed_together() {
    let signature = "*fp16:16,*fp32:16,i32,i32:16";
    let ptx = ptx_of(STEPS, "hashed_product_kernel", signature, "ROWS=64,COLUMNS=64,TERMS=32", 4, 3);
    let (first, second) = (lines_with(&ptx, ", 2146121005;"), lines_with(&ptx, ", -2073254261;"));
    assert_eq!((first.len(), second.len()), (16, 16), "{ptx}");
    for part in [0..8, 8..16] {
        assert!(first[part.end - 1] < second[part.start], "{ptx}");
    }
}

/// What takes long and is written behind a barrier is computed before it.
#[test]
fn long_elements_are_computed_before_threads_meet() {
    let signature = "*fp16:16,*fp32:16,i32,i32:16";
    let ptx = ptx_of(STEPS, "hashed_product_kernel", signature, "ROWS=64,COLUMNS=64,TERMS=32", 4, 2);
    let (computed, stored) = (lines_with(&ptx, ", -2073254261;"), lines_with(&ptx, "st.shared.b16"));
    let between = |line: &&usize| computed[15] < **line && **line < stored[0];
    assert_eq!((computed.len(), stored.len()), (16, 16), "{ptx}");
    assert_eq!(lines_with(&ptx, "bar.sync").iter().filter(between).count(), 1, "{ptx}");
}

/// Segments among which each element of a store is searched are used up one after the other.
#[test]
fn numbers_that_elements_share_are_used_up() {
    let ptx = ptx_of(STEPS, "segments_kernel", "*i64:16,*i64:16", "SEGMENTS=64,SIZE=1024", 4, 3);
    let (comparisons, choices) = (lines_with(&ptx, "setp."), lines_with(&ptx, "selp"));
    // All comparisons stood before the first choice, in a predicate each.
    let before = comparisons.iter().filter(|at| **at < choices[0]).count();
    assert!(choices.len() >= 8 * 62 && before <= 32, "{before} of {}", comparisons.len());
}

/// Loops of a known number of steps that store nothing have more than four copies of their body, and none for the rest.
#[test]
fn recurrences_of_known_length_wait_for_few_loads() {
    for (steps, ctas, loads) in [(24, "grid.0=100000", 24), (64, "grid.0=100000", 16), (64, "grid.0=4", 64)] {
        let constants = format!("STEPS={steps},COLUMNS=128");
        let bounds = ["--bound", ctas, "--bound", "grid.1=1", "--bound", "grid.2=1"];
        let more: Vec<&str> = ["--constexpr", constants.as_str()].into_iter().chain(bounds).collect();
        let ptx = crate::counts::compile(STEPS, "recurrence_kernel", "*fp32:16,*fp32:16", &more);
        assert_eq!(lines_with(&ptx, "ld.global").len(), loads, "{ptx}");
    }
}

/// Totals of many warps are combined while others are loaded: no more than four of each operand wait, of 32 that are loaded.
#[test]
fn totals_of_scans_are_combined_while_they_are_loaded() {
    let constants = "ROWS=8,COLUMNS=2048,AXIS=1,REVERSE=False";
    let ptx = ptx_of("tests/programs/scans.tk", "maps_kernel", "*fp32:16,*fp32:16", constants, 16, 3);
    let mut waiting = 0;
    for line in ptx.lines() {
        waiting = if line.contains("fma.") { 0 } else { waiting + usize::from(line.contains("ld.shared")) };
        assert!(waiting <= 8, "{ptx}");
    }
    assert!(lines_with(&ptx, "ld.shared").len() >= 32, "{ptx}");
}

/// Four bytes of a block come from one piece of assembly, which gives their register. ptxas 12.8 lost pairs that are used alone as well as in registers.
#[test]
fn bytes_of_a_register_are_converted_together() {
    let signature = "*bf16:16,*fp8e4nv:16,*fp8e4nv:16,*fp32:16,i32:16,i32:16";
    let file = "tests/programs/bytes_both_ways.tk";
    let ptx = ptx_of(file, "bytes_both_ways_kernel", signature, "ROWS=128,COLUMNS=128", 4, 3);
    assert_eq!(ptx.matches("cvt.rn.satfinite.e4m3x2.f32").count(), 64, "{ptx}");
    assert_eq!(ptx.matches("cvt.rn.satfinite.e4m3x2.f32 %rs").count(), 0, "{ptx}");
}

/// What a convolution adds up is computed tap by tap, and so needs less than all that is loaded: ptxas is not told that one CTA takes every register.
#[test]
fn taps_are_added_up_as_they_are_loaded() {
    let (file, signature) = ("tests/programs/added_taps.tk", "*fp16:16,*fp16:16,*bf16:16,i32,i32:16");
    let module = compiled(file, "taps_kernel", signature, "T=16,C=64,WIDTH=4", 1, 3);
    assert!(peak(&module) <= 220, "{}", peak(&module));
    let entry = module.entries().next().expect("a kernel");
    assert_eq!(entry.directive("minnctapersm"), None);
}
