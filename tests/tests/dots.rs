//! Dots go to tensor cores, whatever their shape: the instructions of every combination of type, size and warps, counted.

use crate::counts;
use tk_tests::{root, run_tk};

/// A type of operands that tensor cores multiply.
struct Operands {
    /// Of both operands.
    operand: &'static str,
    result: &'static str,
    precision: &'static str,
    /// Elements along K of one `mma.sync` on sm_90a.
    depth: usize,
    /// What `mma.sync` is told that the operands are.
    name: &'static str,
    /// `mma.sync` instructions in place of one dot of the operands.
    parts: usize,
}

const fn operands(operand: &'static str, result: &'static str, depth: usize, name: &'static str) -> Operands {
    Operands { operand, result, precision: "tf32", depth, name, parts: 1 }
}

const OPERANDS: &[Operands] = &[
    operands("fp16", "fp32", 16, ".f16.f16"),
    operands("fp16", "fp16", 16, ".f16.f16"),
    operands("bf16", "fp32", 16, ".bf16.bf16"),
    operands("fp32", "fp32", 8, ".tf32.tf32"),
    operands("fp64", "fp64", 8, ".f64.f64"),
    operands("i8", "i32", 32, ".s8.s8"),
    // Tensor cores of sm_90 multiply 8-bit floats by `wgmma` alone.
    operands("fp8e4nv", "fp32", 16, ".f16.f16"),
    operands("fp8e5", "fp32", 16, ".f16.f16"),
    operands("fp8e5", "fp16", 16, ".f16.f16"),
    Operands { precision: "tf32x3", parts: 3, ..operands("fp32", "fp32", 8, ".tf32.tf32") },
    Operands { precision: "bf16x3", parts: 3, ..operands("fp32", "fp32", 16, ".bf16.bf16") },
];

/// PTX, and the resources behind it as JSON in one line.
fn compile(kernel: &str, pointers: &str, constants: &str, warps: usize, target: &str) -> String {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let args = format!(
        "compile tests/programs/dots.tk --kernel {kernel} --signature {pointers} --constexpr {constants} \
         --num-warps {warps} --target {target} --json --allow silent-tf32"
    );
    let outcome = run_tk(&args.split(' ').filter(|arg| !arg.is_empty()).map(str::to_string).collect::<Vec<_>>());
    assert_eq!(outcome.exit, 0, "{args}\n{}", outcome.text);
    let mut image: serde_json::Value = serde_json::from_str(&outcome.text).expect("one document");
    let ptx = image["text"].take();
    format!("{}\n{image}\n", ptx.as_str().expect("PTX"))
}

fn dot_of(types: &Operands, [m, n, k]: [usize; 3], warps: usize, target: &str) -> String {
    let pointers = format!("*{0}:16,*{0}:16,*{1}:16", types.operand, types.result);
    compile("dot_kernel", &pointers, &format!("M={m},N={n},K={k},PRECISION={}", types.precision), warps, target)
}

/// Instructions of a warp: tiles of 16 by 8, dealt out to warps as long as there are any.
fn instructions(types: &Operands, [m, n, k]: [usize; 3], warps: usize) -> usize {
    let tiles = m.div_ceil(16) * n.div_ceil(8);
    tiles.div_ceil(warps) * k.div_ceil(types.depth) * types.parts
}

/// Tensor cores ignore the lower bits of a word of f32. The parts of more exact products are rounded.
#[test]
fn words_of_f32_are_multiplied_as_they_are() {
    for types in OPERANDS.iter().filter(|types| types.name == ".tf32.tf32") {
        let ptx = dot_of(types, [32, 64, 32], 4, "sm_90a");
        let rounds = types.parts > 1;
        assert_eq!(ptx.contains("cvt.rna.tf32"), rounds, "{}\n{ptx}", types.precision);
    }
}

#[test]
fn every_shape_of_every_type_is_multiplied_by_tensor_cores() {
    let sizes = [1, 2, 4, 8, 16, 32];
    for (turn, types) in OPERANDS.iter().enumerate() {
        for (row, m) in sizes.into_iter().enumerate() {
            for (column, n) in sizes.into_iter().enumerate() {
                let (k, warps) = (32 << ((row + column + turn) % 2), 1 << ((row + 2 * column + turn) % 4));
                let about = format!("{} {} {m}x{n}x{k}, {warps} warps", types.operand, types.precision);
                let text = dot_of(types, [m, n, k], warps, "sm_90a");
                let found = text.lines().filter(|line| line.contains("mma.sync") && line.contains(types.name)).count();
                assert_eq!(found, instructions(types, [m, n, k], warps), "{about}");
                assert!(text.contains("\"scalar_dots\":[]"), "{about}");
            }
        }
    }
}

#[test]
fn a_dot_that_is_not_on_tensor_cores_says_why() {
    let text = dot_of(&Operands { precision: "ieee", ..operands("fp32", "fp32", 8, "") }, [16, 16, 16], 1, "sm_90a");
    assert!(text.contains(r#""scalar_dots":["the dot is asked for in full f32 (line 12)"]"#), "{text}");
}

#[test]
fn eight_bit_floats_are_multiplied_as_such_where_tensor_cores_do() {
    let types = operands("fp8e4nv", "fp32", 32, ".e4m3.e4m3");
    let count = |target: &str| {
        let text = dot_of(&types, [16, 64, 64], 4, target);
        text.lines().filter(|line| line.contains("mma.sync") && line.contains(types.name)).count()
    };
    assert_eq!([count("sm_80"), count("sm_89"), count("sm_90"), count("sm_120")], [0, 4, 0, 4]);
}

#[test]
fn sums_of_8_bit_floats_are_added_up_outside_as_often_as_asked_for() {
    let (m, n, warps) = (64, 32, 4);
    for (block, terms) in [(64, 32), (64, 64), (128, 32), (128, 64), (128, 128)] {
        let constants = format!("M={m},N={n},K=512,BLOCK={block},TERMS={terms}");
        let text = compile("bounded_kernel", "*fp8e5:16,*fp8e5:16,*fp32:16", &constants, warps, "sm_90a");
        let sums = text.lines().filter(|line| line.trim_start().starts_with("add.f32")).count();
        assert_eq!(sums % (m * n / 32 / warps * (block / terms)), 0, "{constants}");
        assert!(sums > 0, "{constants}");
    }
}

#[test]
fn operands_widened_after_their_load_are_read_by_words() {
    let text = compile("widened_kernel", "*bf16:16,*i8:16,*fp32:16", "M=16,N=64,K=64", 4, "sm_90a");
    let narrow = text.lines().filter(|line| line.contains("ld.shared.b8") || line.contains("ld.shared.b16")).count();
    assert_eq!(narrow, 0, "{text}");
}

/// A left operand of bytes that the product before computes takes one selection before its shuffles and one `prmt` behind them for each word: where
/// words change places and then parts of them, the selection is made among the selectors.
#[test]
fn computed_operands_of_bytes_are_put_together_once() {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let command = "compile tests/programs/computed_operands_of_bytes.tk --kernel chain_kernel --signature *fp8e5:16,*fp8e5:16,*fp8e5:16,*fp32:16 \
                   --constexpr M=128,K=64,N=64,L=64 --num-warps 4 --target sm_90a";
    let outcome = run_tk(&command.split_whitespace().map(str::to_string).collect::<Vec<_>>());
    assert_eq!(outcome.exit, 0, "{}", outcome.text);
    let count = |what: &str| outcome.text.matches(what).count();
    let words = 128 * 64 / 128 / 4;
    assert_eq!(count("shfl.sync.idx.b32"), words, "{}", outcome.text);
    // Two more choose the selectors, and one more `prmt` is not theirs.
    assert!(count("selp.b32") <= words + 2, "{}", outcome.text);
    assert!(count("prmt.b32") <= words + 1, "{}", outcome.text);
}

/// A left operand that is computed from a block of the loop is computed where the product reads it: the block lies in shared memory for the copy ahead,
/// and nothing is converted in the loop. Where the layout of a small product holds the block four times and each element takes many instructions, the
/// block is computed once and converted.
#[test]
fn left_operands_are_computed_where_products_read_them() {
    let conversions = |kind: &str, block: &str, warps: &str| {
        let constants = format!("KIND='{kind}',{block}");
        let more = ["--constexpr", &constants, "--num-warps", warps, "--num-stages", "3", "--emit", "ttg"];
        const SIGNATURE: &str = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp32:16,*fp32:16,i32:16,i32:16,i32:16";
        let text = counts::compile("tests/programs/computed_operands.tk", "computed_kernel", SIGNATURE, &more);
        let is_end = |line: &&str| line.trim_start().starts_with("scf.yield");
        let body = text.lines().skip_while(|line| !line.contains("scf.for")).take_while(|line| !is_end(line));
        body.filter(|line| line.contains("ttg.convert_layout") || line.contains("ttg.local_store")).count()
    };
    for kind in ["columns", "rows", "shift", "gate", "lower"] {
        assert_eq!(conversions(kind, "M=64,N=128,K=64", "4"), 0, "{kind}");
        assert_eq!(conversions(kind, "M=128,N=128,K=64", "8"), 0, "{kind}");
    }
    assert_eq!(conversions("columns", "M=32,N=128,K=32", "4"), 0);
    assert_eq!(conversions("columns", "M=32,N=128,K=128", "8"), 1);
}

/// What several rows or columns of warps need of an operand is computed once and converted where that takes less: weights of four bits that wait in registers,
/// and levels, although the block that is rounded to them lies in shared memory. Casts, and all that one warp needs, are computed where the product reads.
#[test]
fn operands_that_warps_share_are_computed_once() {
    let converted = |kernel: &str, signature: &str, constants: &str, warps: &str| {
        let more = ["--constexpr", constants, "--num-warps", warps, "--num-stages", "3", "--emit", "ttg"];
        let text = counts::compile("tests/programs/repeated_operands.tk", kernel, signature, &more);
        let is_end = |line: &&str| line.trim_start().starts_with("scf.yield");
        let body = text.lines().skip_while(|line| !line.contains("scf.for")).take_while(|line| !is_end(line));
        let all: Vec<&str> = body.filter(|line| line.contains("ttg.convert_layout")).collect();
        ["i8", "f16", "f32"].map(|ty| all.iter().filter(|line| line.contains(&format!("tensor<32x32x{ty},"))).count())
    };
    let signature = "*fp16:16,*u8:16,*fp32:16,*fp32:16,i32,i32:16,i32:16";
    let nibbles = |warps: &str| converted("nibbles_kernel", signature, "M=32,N=32,K=32", warps);
    assert_eq!([nibbles("4"), nibbles("1")], [[0, 1, 0], [1, 0, 0]]);
    let signature = "*fp16:16,*fp16:16,*fp32:16,i32:16,i32:16,i32:16,fp32";
    let levels = |kind: &str, warps: &str| {
        converted("levels_kernel", signature, &format!("KIND='{kind}',M=32,N=128,K=32"), warps)
    };
    assert_eq!([levels("levels", "4"), levels("levels", "1"), levels("casts", "4")], [[0, 0, 1], [0; 3], [0; 3]]);
}

/// A row that each iteration makes is converted in the place of the block that it scales, if that is a copy in shared memory. A thread computes one root of
/// it then; what else the loop keeps of the row stays in the layout of the block.
#[test]
fn rows_of_iterations_are_converted_instead_of_blocks() {
    const SIGNATURE: &str = "*bf16:16,*bf16:16,*bf16:16,*fp32:16,*fp32:16,i32:16";
    let compile = |kind: &str, stages: u32, form: &str| {
        let constants = format!("KIND='{kind}',M=16,N=128,D=64,STAGES={stages}");
        let more = ["--constexpr", &constants, "--num-warps", "4", "--emit", form];
        counts::compile("tests/programs/rows_of_iterations.tk", "scores_kernel", SIGNATURE, &more)
    };
    let conversions = |kind: &str, stages: u32| {
        let text = compile(kind, stages, "ttg");
        let is_end = |line: &&str| line.trim_start().starts_with("scf.yield");
        let body = text.lines().skip_while(|line| !line.contains("scf.for")).take_while(|line| !is_end(line));
        let all: Vec<&str> = body.filter(|line| line.contains("ttg.convert_layout")).collect();
        ["tensor<64x128xf32", "tensor<128xf32"].map(|ty| all.iter().filter(|line| line.contains(ty)).count())
    };
    let roots = |kind: &str, stages: u32| counts::count(&compile(kind, stages, "ptx"), "sqrt.rn.f32");
    assert_eq!([conversions("roots", 2), conversions("carried", 2), conversions("roots", 1)], [[0, 1], [0, 1], [1, 0]]);
    assert_eq!([roots("roots", 2), roots("carried", 2), roots("roots", 1)], [1, 8, 8]);
}

/// Attention whose scores go through a branch has one distribution of warps, computes no maximum and no sum twice, and adds a block to its scores
/// without a way through shared memory.
#[test]
fn attention_with_a_branch_has_one_layout() {
    const SIGNATURE: &str = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp32:16,i32:16,i32,fp32";
    for (constants, warps) in [("D=64,M=32,N=32,BIAS=False", "4"), ("D=32,M=16,N=32,BIAS=True", "1")] {
        let more = ["--constexpr", constants, "--num-warps", warps, "--num-stages", "2", "--emit", "ttg"];
        let text = counts::compile("tests/programs/branched_attention.tk", "attention_kernel", SIGNATURE, &more);
        assert_eq!(text.lines().filter(|line| line.starts_with("#mma")).count(), 1, "{text}");
        assert_eq!(counts::count(&text, "\"tt.reduce\""), 2, "{text}");
        let is_end = |line: &&str| line.trim_start().starts_with("scf.yield") && line.contains("async.token");
        let body = text.lines().skip_while(|line| !line.contains("scf.for")).take_while(|line| !is_end(line));
        let moved = body.filter(|line| line.contains("ttg.convert_layout") && !line.contains("ttg.dot_op"));
        assert_eq!(moved.count(), 0, "{text}");
    }
}

/// The columns of all `wgmma` of a text, in order.
fn columns_of_instructions(ptx: &str) -> Vec<usize> {
    let instructions = ptx.split("wgmma.mma_async.sync.aligned.m64n").skip(1);
    instructions.filter_map(|rest| rest.split('k').next()?.parse().ok()).collect()
}

/// Whatever its width: one instruction for each step along K and tile of 256 columns, none for what pads a block to a power of two.
#[test]
fn wgmma_multiplies_the_columns_that_a_block_has() {
    let file = "tests/programs/blocks_of_any_width.tk";
    for width in [48, 56, 100, 112, 176, 192, 224, 240, 320] {
        let signature = "*fp16:16,*fp16:16,*fp32:16,i32:16,i32:16,i32:16,i32=1,i32:16";
        let constants = format!("BM=64,BN={width},BK=32,SUM=fp32");
        let ptx = counts::compile(file, "by_pointers", signature, &["--constexpr", &constants]);
        let mut expected = vec![256; width / 256 * 2];
        expected.extend([(width % 256).next_multiple_of(8); 2]);
        assert_eq!(columns_of_instructions(&ptx), expected, "{width}\n{ptx}");
    }
    // Of integers 16 columns at a time. Two groups of warps, of which the first has all its columns, take them all.
    let bytes = |warps, width: usize| {
        let signature = format!("tensordesc<i8[64,64]>,tensordesc<i8[{width},64]>,tensordesc<i32[64,{width}]>,i32:16");
        let constants = format!("BM=64,BN={width},BK=64,ALONG_N=False,SUM=int32");
        let more = ["--constexpr", constants.as_str(), "--num-warps", warps];
        columns_of_instructions(&counts::compile(file, "by_descriptors", &signature, &more))
    };
    assert_eq!(bytes("4", 176), [176; 2]);
    assert_eq!(bytes("4", 104), [112; 2]);
    assert_eq!(bytes("8", 176), [128; 2]);
}

/// Copies go no further ahead than their loop has iterations, however many stages are asked for. Where all of them stand before the loop, it has none, and
/// no ring has more buffers than there are iterations.
#[test]
fn rings_have_no_more_buffers_than_iterations() {
    for (constants, rings, copies) in [
        ("KNOWN=True,STEPS=2,M=64,N=64,SCALED=False", ["2x64x64", "2x64x64"], 4),
        ("KNOWN=False,STEPS=2,M=64,N=64,SCALED=False", ["2x64x64", "2x64x64"], 4),
        ("KNOWN=True,STEPS=2,M=16,N=32,SCALED=False", ["2x16x64", "2x64x32"], 4),
        ("KNOWN=False,STEPS=3,M=16,N=32,SCALED=False", ["3x16x64", "3x64x32"], 6),
        ("KNOWN=True,STEPS=9,M=16,N=32,SCALED=False", ["4x16x64", "4x64x32"], 10),
    ] {
        let constants = format!("{constants},BLOCK_K=64");
        let more = ["--constexpr", &constants, "--num-warps", "4", "--num-stages", "5", "--emit", "ttg"];
        let ttg = counts::compile(
            "tests/programs/few_iterations.tk",
            "product_kernel",
            "*fp16:16,*fp16:16,*fp32:16,i32",
            &more,
        );
        for ring in rings {
            assert!(ttg.contains(&format!("() -> !ttg.memdesc<{ring}xf16")), "{constants}\n{ttg}");
        }
        assert_eq!(counts::count(&ttg, "ttg.async_copy_global_to_local"), copies, "{constants}\n{ttg}");
    }
}

/// A row that is loaded before a loop and scales its operand is loaded in the operand's layout, as many rows as there are threads, too.
#[test]
fn rows_before_loops_are_loaded_in_the_layout_of_the_operand() {
    for rows in ["64", "128"] {
        let constants = format!("M={rows},D=256,BLOCK=64,AGAIN=False");
        let signature = "*bf16:16,*fp32:16,*fp32:16,i32:16,i32=1";
        let more = ["--constexpr", &constants, "--num-warps", "4", "--emit", "ttg"];
        let ttg = counts::compile("tests/programs/rows_before_loops.tk", "scaled_kernel", signature, &more);
        let is_of_row =
            |line: &&str| line.contains("ttg.convert_layout") && line.contains(&format!("tensor<{rows}xf32"));
        assert_eq!(ttg.lines().filter(is_of_row).count(), 0, "{rows}\n{ttg}");
    }
}

/// Bytes that `mma.sync` reads across K in rows of 16 or 32 are copied 16 at a time, and not as two halves of 8, also where the block is transposed.
#[test]
fn short_rows_of_bytes_across_k_are_copied_whole() {
    let copies = |types: [&str; 3], constants: &str, warps: &str| {
        let [bytes, result, sum] = types;
        let signature = format!("*{bytes}:16,*{bytes}:16,*{result}:16,i32:16");
        let constants = format!("{constants},ACC={sum}");
        let more = ["--constexpr", &constants, "--num-warps", warps, "--num-stages", "3"];
        let ptx = counts::compile("tests/programs/bytes_across.tk", "product_kernel", &signature, &more);
        ["cp.async.ca", "cp.async.cg"].map(|what| counts::count(&ptx, what))
    };
    let (floats, integers) = (["fp8e4nv", "fp32", "float32"], ["i8", "i32", "int32"]);
    let shape = |n: u32, k: u32| format!("m=64,n={n},BLOCK_M=32,BLOCK_N={n},BLOCK_K={k}");
    let rows = |n: u32, k: u32| format!("{},A_ACROSS=False,TURNED=False", shape(n, k));
    // Two iterations before the loop, and one in it.
    assert_eq!(copies(floats, &rows(32, 32), "1"), [0, 3 * (2 + 2)]);
    assert_eq!(copies(floats, &rows(16, 32), "1"), [0, 3 * (2 + 1)]);
    assert_eq!(copies(integers, &rows(16, 64), "1"), [0, 3 * (4 + 2)]);
    let turned = format!("{},A_ACROSS=False,TURNED=True", shape(32, 64));
    assert_eq!(copies(integers, &turned, "2"), [0, 3 * (2 + 2)]);
}

/// Blocks of a chain of products outside of loops are copied one product early: the wait for the second one leaves the third one under way.
#[test]
fn blocks_of_chains_are_copied_one_product_early() {
    let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32";
    let copies = |kernel: &str, signature: &str, constants: &str| {
        let more = ["--constexpr", constants, "--num-warps", "4", "--num-stages", "3"];
        let ptx = counts::compile("tests/programs/filters.tk", kernel, signature, &more);
        let waits = ["cp.async.wait_group 1;", "cp.async.wait_group 0;"].map(|wait| counts::count(&ptx, wait));
        (counts::count(&ptx, "cp.async.cg"), waits)
    };
    assert_eq!(copies("filter_kernel", signature, "POWER=2,N=64"), (16, [1, 1]));
    let of_five = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16";
    assert_eq!(copies("written_kernel", of_five, "N=64"), (0, [0, 0]), "the last block is written before it is loaded");
}

/// Attention with 64 rows has the four warps of one group where a multiprocessor has one program at most, and otherwise the eight that were asked for: so it
/// has where rows are too long for half of a thread's registers.
#[test]
fn attention_with_the_rows_of_one_group_has_its_warps() {
    let threads = |columns: &str, grid: &str| {
        let constants = format!("BLOCK_M=64,{columns},KIND='chosen'");
        let bounds = ["--bound", grid, "--bound", "grid.1=1", "--bound", "grid.2=1"];
        let more = [&["--constexpr", &constants, "--num-warps", "8", "--num-stages", "2"][..], &bounds].concat();
        let signature = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp32:16,fp32,i32:16,i32";
        let ptx = counts::compile("tests/programs/attention_kinds.tk", "attention_kernel", signature, &more);
        ptx.lines().find_map(|line| line.strip_prefix(".reqntid ")).map(str::to_string)
    };
    let of = |threads: u32| Some(threads.to_string());
    assert_eq!(threads("BLOCK_N=64,DIM=64", "grid.0=8"), of(128));
    assert_eq!(threads("BLOCK_N=64,DIM=64", "grid.0=512"), of(256));
    assert_eq!(threads("BLOCK_N=128,DIM=64", "grid.0=8"), of(256));
}

/// What threads load for two products of an iteration, of which the last reads both, they load before the first one, and numbers of columns for later products
/// with it. They write each block where its product comes, and meet for each.
#[test]
fn blocks_of_an_iteration_are_loaded_together() {
    let pointers = "*fp16:16,*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,fp32,i32:16";
    let more = ["--constexpr", "DIM=64,BLOCK=64", "--num-warps", "4", "--num-stages", "1"];
    let ptx = counts::compile("tests/programs/blocks_together.tk", "gradients_kernel", pointers, &more);
    assert_eq!(["fence.proxy", "bar.sync"].map(|word| counts::count(&ptx, word)), [2, 6], "{ptx}");
    let behind = ptx.split_once("wgmma.wait_group").map(|(_, behind)| counts::count(behind, "ld.global"));
    assert_eq!(behind, Some(0), "{ptx}");
}
