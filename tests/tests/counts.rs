//! Deterministic counts of what the compiler makes: instructions, layout conversions, sectors, bank conflicts.

use tk_tests::{root, run_tk};

/// `tk compile` of a kernel of an example.
fn compile(file: &str, kernel: &str, signature: &str, more: &[&str]) -> String {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let mut args: Vec<String> = ["compile", file, "--kernel", kernel, "--signature", signature, "--target", "sm_90a"]
        .iter()
        .map(|arg| (*arg).to_string())
        .collect();
    args.extend(more.iter().map(|arg| (*arg).to_string()));
    let outcome = run_tk(&args);
    assert_eq!(outcome.exit, 0, "{}", outcome.text);
    outcome.text
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

/// The last line of a memory report on the simulator, for `main` of an example.
fn totals(file: &str) -> String {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let outcome = run_tk(&["run".into(), file.into(), "--device".into(), "sim".into()]);
    assert_eq!(outcome.exit, 0, "{}", outcome.text);
    let line = outcome.text.lines().find(|line| line.starts_with("total:"));
    line.unwrap_or_else(|| panic!("no totals in\n{}", outcome.text)).to_string()
}

const ADD: [&str; 3] = ["examples/vector_add.tk", "add_kernel", "*fp32:16,*fp32:16,*fp32:16,i32:16"];
const SOFTMAX: [&str; 3] = ["examples/softmax.tk", "softmax_kernel", "*fp32:16,*fp32:16,i32:16,i32:16,i32,i32"];
const LAYER_NORM: [&str; 3] = [
    "examples/layer_norm.tk",
    "layer_norm_kernel",
    "*fp16:16,*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp32:16,i32:16,i32:16,fp32",
];
const TRANSPOSE: [&str; 3] = ["examples/transpose.tk", "transpose_tile_kernel", "*fp32:16,i32:16,*fp32:16,i32:16"];

#[test]
fn vector_add_moves_128_bits_at_a_time() {
    let ptx = compile(ADD[0], ADD[1], ADD[2], &["--constexpr", "BLOCK_SIZE=1024"]);
    assert_eq!(count(&ptx, "ld.global.v4.b32"), 4, "{ptx}");
    assert_eq!(count(&ptx, "st.global.v4.b32"), 2, "{ptx}");
    assert_eq!(count(&ptx, "ld.global"), 4, "{ptx}");
}

#[test]
fn without_known_alignment_accesses_are_narrow() {
    let ptx = compile(ADD[0], ADD[1], "*fp32,*fp32,*fp32,i32", &["--constexpr", "BLOCK_SIZE=1024"]);
    assert_eq!(count(&ptx, "ld.global.v4.b32"), 0, "{ptx}");
}

#[test]
fn vector_add_has_full_sector_efficiency() {
    let line = totals("examples/vector_add.tk");
    assert!(line.contains("100.0 % sector efficiency"), "{line}");
}

#[test]
fn the_transpose_is_coalesced_on_both_sides_without_bank_conflicts() {
    let line = totals("examples/transpose.tk");
    assert!(line.contains("100.0 % sector efficiency") && line.contains(" 0 bank conflicts"), "{line}");
}

#[test]
fn products_and_attention_have_no_bank_conflicts() {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    for (name, launches) in [
        ("matmul", 1),
        ("matmul_leaky_relu", 1),
        ("matmul_fp8", 1),
        ("matmul_int8", 1),
        ("matmul_precisions", 4),
        ("matmul_split_k", 2),
        ("matmul_tma", 1),
        ("matmul_persistent", 3),
        ("batched_matmul", 1),
        ("grouped_gemm", 1),
        ("attention", 1),
        ("attention_descriptors", 1),
    ] {
        let file = format!("examples/{name}.tk");
        let outcome = run_tk(&["run".into(), file, "--device".into(), "sim".into(), "--json".into()]);
        assert_eq!(outcome.exit, 0, "{}", outcome.text);
        assert!(count(&outcome.text, "\"bank_conflicts\":") >= launches, "{name}: {}", outcome.text);
        let free = count(&outcome.text, "\"bank_conflicts\":0,");
        assert_eq!(count(&outcome.text, "\"bank_conflicts\":"), free, "{name}: {}", outcome.text);
    }
}

/// The reference compiler keeps the same number of conversions: 0, 0 and 1 (Triton 3.9, sm_90).
#[test]
fn layout_conversions_are_as_few_as_in_the_reference_compiler() {
    let ttg = ["--emit", "ttg"];
    let softmax =
        compile(SOFTMAX[0], SOFTMAX[1], SOFTMAX[2], &[&["--constexpr", "BLOCK_SIZE=4096"][..], &ttg].concat());
    assert_eq!(count(&softmax, "ttg.convert_layout"), 0, "{softmax}");
    let norm =
        compile(LAYER_NORM[0], LAYER_NORM[1], LAYER_NORM[2], &[&["--constexpr", "BLOCK_SIZE=1024"][..], &ttg].concat());
    assert_eq!(count(&norm, "ttg.convert_layout"), 0, "{norm}");
    let blocks = ["--constexpr", "BLOCK_M=64,BLOCK_N=64"];
    let transpose = compile(TRANSPOSE[0], TRANSPOSE[1], TRANSPOSE[2], &[&blocks[..], &ttg].concat());
    assert_eq!(count(&transpose, "ttg.convert_layout"), 1, "{transpose}");
}

/// ptxas drops optimisation when the target line asks for debugging.
#[test]
fn ptx_never_asks_for_debugging() {
    let ptx = compile(ADD[0], ADD[1], ADD[2], &["--constexpr", "BLOCK_SIZE=1024"]);
    assert!(ptx.contains(".target sm_90a\n"), "{ptx}");
}
