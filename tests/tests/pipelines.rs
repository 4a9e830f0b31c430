//! Deterministic counts of what loops with products wait for: copies and how they are made, barriers, products in flight, sums that meet behind them.

use crate::counts::{FACTS, compile, count, last_loop};

/// Warps make the maps of a kernel's own descriptors at once, in shared memory, and all threads meet once before the first copy. The reference
/// compiler (Triton 3.9) has one warp make one map after the other and five barriers there.
#[test]
fn tensor_maps_are_made_at_once() {
    let blocks = "BLOCK_SIZE_M=128,BLOCK_SIZE_N=128,BLOCK_SIZE_K=64,GROUP_SIZE_M=8,HALVES=False,NUM_SMS=132";
    let more = ["--constexpr", blocks, "--num-stages", "4"];
    let signature = "*fp16:16,*fp16:16,*fp16:16,i32:16,i32:16,i32:16";
    let ptx = compile("examples/matmul_persistent.tk", "matmul_kernel_descriptor_persistent", signature, &more);
    let (maps, pipeline) = ptx.split_once("mbarrier.init").expect("a pipeline");
    let maps = maps.split_once("wait_group.read 0;\n$L").map_or(maps, |(maps, _)| maps);
    let maps = &maps[..maps.rfind("acquired:").expect("an acquired map")];
    for (what, times) in
        [("tensormap.cp_fenceproxy", 3), ("fence.proxy.tensormap::generic.acquire", 3), ("bar.sync", 0)]
    {
        assert_eq!(count(maps, what), times, "{what}\n{ptx}");
    }
    for memory in ["ld.global", "st.global", ".global.b1024"] {
        assert_eq!(count(maps, memory), 0, "fields are changed in shared memory\n{ptx}");
    }
    for warp in ["setp.lt.u32 \t%p3, %r1, 32;", "%r1, -32;", "%r1, -64;"] {
        assert_eq!(count(maps, warp), 1, "each map has its warp\n{ptx}");
    }
    let (before_copies, _) = pipeline.split_once("cp.async.bulk.tensor").expect("copies");
    assert_eq!(count(before_copies, "bar.sync"), 1, "{ptx}");
}

/// In a persistent product, threads meet once per step along K and twice per block of C, and the place of a block takes two divisions and two
/// remainders. The reference compiler (Triton 3.9): four times per step, twice per block, and as much arithmetic.
#[test]
fn persistent_products_meet_once_per_step() {
    let blocks = "BLOCK_SIZE_M=128,BLOCK_SIZE_N=256,BLOCK_SIZE_K=64,GROUP_SIZE_M=8,HALVES=False,NUM_SMS=132";
    let more = ["--constexpr", blocks, "--num-warps", "8", "--num-stages", "3"];
    let signature = "tensordesc<fp16[128,64]>,tensordesc<fp16[256,64]>,tensordesc<fp16[128,256]>,i32:16,i32:16,i32:16";
    let ptx = compile("examples/matmul_persistent.tk", "matmul_kernel_tma_persistent", signature, &more);
    let (_, rest) = ptx.split_once("mbarrier.try_wait").expect("a pipeline");
    // The loop that stores zeros where K is 0 stands behind.
    let (steps, _) = rest.split_once("cp.async.bulk.commit_group").expect("a store at the end of a block");
    for (what, times) in [("bar.sync", 3), ("div.s32", 2), ("rem.s32", 2), ("wgmma.commit_group", 1)] {
        assert_eq!(count(steps, what), times, "{what}\n{ptx}");
    }
}

/// Attention's row sums stay with the threads of a row until a loop is over: each of its two loops has the two shuffles per row for the
/// maximum only, and two behind it for the sum. The reference compiler (Triton 3.9) has four per row in each loop.
#[test]
fn row_sums_of_attention_meet_behind_the_loops() {
    let signature = format!("{},fp32,{}", ["*fp16:16"; 4].join(","), ["i32:16"; 9].join(","));
    for (warps, rows_of_thread) in [("4", 4), ("8", 2)] {
        let more = [
            "--constexpr",
            "HEAD_DIM=64,BLOCK_M=128,BLOCK_N=64,CAUSAL=False",
            "--num-warps",
            warps,
            "--num-stages",
            "3",
        ];
        let ptx = compile("benches/gpu/attention.tk", "attention_kernel", &signature, &more);
        let inner: Vec<&str> = ptx.split("\n$L__BB0_").filter(|block| block.contains("ex2.approx")).collect();
        assert_eq!(inner.len(), 2, "{ptx}");
        for block in inner {
            let (body, _) = block.split_once("bra").expect("a loop");
            assert_eq!(count(body, "shfl.sync.bfly"), 2 * rows_of_thread, "{body}");
        }
        assert_eq!(count(&ptx, "shfl.sync.bfly"), 8 * rows_of_thread, "{ptx}");
    }
}

/// Scores of bytes and values of 16 bits have layouts of two names for the same registers: the product of the values stays under way, and one wait in an
/// iteration is for both. The other one stands behind the loop.
#[test]
fn values_stay_under_way_beside_scores_of_bytes() {
    let signature = "*i8:16,*fp32:16,*i8:16,*fp32:16,*fp16:16,*fp32:16,i32:64";
    let more = ["--constexpr", "M=128,N=64,D=64", "--num-warps", "4", "--num-stages", "3"];
    let ptx = compile("tests/programs/attention_on_bytes.tk", "attention_kernel", signature, &more);
    let after_last = ptx.rsplit_once("wgmma.mma_async").map_or("", |(_, rest)| rest);
    let of_iteration = after_last.split_once("bra").map_or(after_last, |(iteration, _)| iteration);
    assert_eq!([count(&ptx, "wgmma.wait_group"), count(of_iteration, "wgmma.wait_group")], [2, 0], "{ptx}");
}

/// With four stages and heads of 64, threads of attention meet once per iteration: in front of the first product with one group of warps, while it runs with
/// two. Copies are issued while it runs, and each instruction of the second product starts when its own words are there. The reference compiler
/// (Triton 3.9) meets twice, before each product.
#[test]
fn attention_with_a_spare_buffer_meets_beside_the_first_product() {
    let signature = format!("{},fp32,{}", ["*fp16:16"; 4].join(","), ["i32:16"; 9].join(","));
    for (warps, instructions, expected) in [("4", 8, [1, 0, 0]), ("8", 4, [0, 1, 0])] {
        let more = [
            "--constexpr",
            "HEAD_DIM=64,BLOCK_M=128,BLOCK_N=64,CAUSAL=True",
            "--num-warps",
            warps,
            "--num-stages",
            "4",
        ];
        let ptx = compile("benches/gpu/attention.tk", "attention_kernel", &signature, &more);
        let bodies: Vec<&str> = ptx.split("\n$L__BB0_").filter(|block| block.contains("ex2.approx")).collect();
        assert_eq!(bodies.len(), 2, "{ptx}");
        for body in bodies {
            let (body, _) = body.split_once("bra").expect("a loop");
            let (first, rest) = body.split_once("wgmma.commit_group").expect("a product");
            let (meeting, second) = rest.split_once("wgmma.wait_group.sync.aligned 0").expect("a wait");
            let meetings = [first, meeting, second].map(|part| count(part, "bar.sync"));
            let copies = [first, meeting, second].map(|part| count(part, "cp.async.cg") > 0);
            assert_eq!((meetings, copies), (expected, [false, true, false]), "{body}");
            assert_eq!(count(second, "wgmma.fence"), instructions, "{body}");
        }
    }
}

/// Threads meet once in an iteration whose copies fill another buffer than those that are read. Where the second of two products runs on, that takes a buffer
/// to spare; where products are finished in their iteration, one more than iterations are under way.
#[test]
fn threads_meet_once_where_copies_fill_other_buffers() {
    let meetings = |kernel: &str, signature: &str, constants: &str, stages: &str| {
        let more = ["--constexpr", constants, "--num-warps", "4", "--num-stages", stages];
        let ptx = compile("tests/programs/rings.tk", kernel, signature, &more);
        let body = last_loop(&ptx).collect::<Vec<_>>().join("\n");
        assert_eq!(count(&body, "cp.async.commit_group"), 2, "{body}");
        count(&body, "bar.sync")
    };
    let signature = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,i32";
    let weights = |stages| meetings("weights_kernel", signature, "D=16,ROWS=64,KEYS=16", stages);
    assert_eq!(["3", "4", "5"].map(weights), [2, 1, 1]);
    let signature = "*fp16:16,*fp16:16,*fp32:16,*fp32:16,i32";
    let sums = |stages| meetings("sums_kernel", signature, "WIDTH=256,N=32,ROWS=64,K=16", stages);
    assert_eq!(["3", "4"].map(sums), [1, 1]);
    // With two products under way the barrier stays.
    let more = ["--constexpr", "WIDTH=256,N=128,ROWS=64,K=32", "--num-warps", "8", "--num-stages", "3"];
    let pair = compile("tests/programs/rings.tk", "pair_kernel", "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32", &more);
    let body = last_loop(&pair).collect::<Vec<_>>().join("\n");
    assert_eq!(["wgmma.commit_group", "bar.sync"].map(|what| count(&body, what)), [2, 2], "{body}");
}

/// In a product of one warp group the copies of an iteration are in one block, which a branch passes by in the last iterations; two groups mask them.
#[test]
fn one_branch_passes_by_the_copies_of_one_warp_group() {
    let signature =
        format!("{},{},i32=1,i32:16,i32=1,i32:16,i32=1", ["*fp16:16"; 3].join(","), ["i32:16"; 4].join(","));
    for (blocks, warps, stages, copies) in [("64,64,64", "4", "4", 8), ("128,256,64", "8", "3", 12)] {
        let sizes: Vec<&str> = blocks.split(',').collect();
        let (m, n, k) = (sizes[0], sizes[1], sizes[2]);
        let constants = format!("BLOCK_SIZE_M={m},BLOCK_SIZE_N={n},BLOCK_SIZE_K={k},GROUP_SIZE_M=8,INTEGERS=False");
        let more = ["--constexpr", &constants, "--num-warps", warps, "--num-stages", stages];
        let ptx = compile("benches/gpu/matmul.tk", "matmul_kernel", &signature, &more);
        let (_, body) = ptx.split_once("wgmma.wait_group.sync.aligned 1").expect("a loop");
        let (until, copied) = body.split_once("cp.async.cg").expect("copies");
        let block: Vec<&str> =
            copied.lines().take_while(|line| !line.starts_with("$L") && !line.contains("bra")).collect();
        assert_eq!(1 + count(&block.join("\n"), "cp.async.cg"), copies, "{ptx}");
        assert_eq!(until.contains("bra"), warps == "4", "{until}");
    }
}

/// Blocks of a product are copied by TMA where the signature says that they are whole, and by threads otherwise: each load by one
/// instruction in the prologue for either stage, and one in the loop.
#[test]
fn whole_blocks_of_products_go_by_tma() {
    const POINTERS: &str = "*fp16:16,*fp16:16,*fp32:16";
    let copies = |kernel: &str, pointers: &str, numbers: &str, blocks: &str, warps: &str| {
        let more = ["--constexpr", blocks, "--num-warps", warps];
        let file = "tests/programs/promoted_loads.tk";
        let ptx = compile(file, kernel, &format!("{pointers},{numbers}"), &more);
        (count(&ptx, "cp.async.bulk.tensor"), count(&ptx, "cp.async.c"))
    };
    let blocks = "BLOCK_M=128,BLOCK_N=128,BLOCK_K=64";
    let rows = "i32:128,i32:128,i32:64,i32:64,i32=1,i32:128,i32=1,i32:16,i32=1";
    let columns = "i32:128,i32:128,i32:64,i32:64,i32=1,i32=1,i32:64,i32:16,i32=1";
    for kernel in ["wrapped_kernel", "recomputed_kernel"] {
        assert_eq!(copies(kernel, POINTERS, rows, blocks, "8").1, 0, "{kernel}");
        // The mask says where K ends, so that it need not be whole blocks.
        assert_eq!(copies(kernel, POINTERS, &rows.replacen("i32:64", "i32", 1), blocks, "8").1, 0, "{kernel}");
        // A row of the swizzle has 64 elements, so rows of 128 are two copies.
        assert_eq!(copies(kernel, POINTERS, columns, blocks, "8"), (6, 0), "{kernel}");
    }
    // tf32 reads both operands along K, and not those that lie otherwise.
    let floats = POINTERS.replace("fp16", "fp32");
    assert_eq!(copies("wrapped_kernel", &floats, columns, &blocks.replace("K=64", "K=32"), "8"), (6, 0));
    assert_eq!(copies("wrapped_kernel", &floats, rows, &blocks.replace("K=64", "K=32"), "8").0, 0);
    let turned = "i32:128,i32:128,i32:64,i32=1,i32:128,i32=1,i32:64,i32:16,i32=1";
    assert_eq!(copies("turned_kernel", POINTERS, turned, blocks, "8").1, 0);
    let squared = "i32:64,i32:64,i32:16";
    assert_eq!(copies("squared_kernel", "*fp16:16,*fp32:16", squared, "BLOCK=128,BLOCK_K=64", "8"), (3, 0));

    let by_threads = |kernel, pointers, numbers: &str, blocks, warps| {
        let (by_tma, by_threads) = copies(kernel, pointers, numbers, blocks, warps);
        assert!(by_tma == 0 && by_threads > 0, "{kernel} {pointers} {numbers}: {by_tma} and {by_threads}");
    };
    // Too few rows, a stride that may be negative, a pointer between the units of a copy, one warp group.
    by_threads("wrapped_kernel", POINTERS, &rows.replacen("i32:128", "i32:64", 1), blocks, "8");
    by_threads("wrapped_kernel", POINTERS, &rows.replace("i32:64,i32=1,", "i32:16,i32=1,"), blocks, "8");
    by_threads("wrapped_kernel", "*fp16,*fp16:16,*fp32:16", rows, blocks, "8");
    by_threads("wrapped_kernel", POINTERS, rows, blocks, "4");
    by_threads("twice_kernel", "*fp16:16,*fp16:16", "i32:64,i32:64,i32:64", "BLOCK=128,BLOCK_K=64", "8");
}

/// So are blocks whose masks say where the matrix ends, in whatever way the program has its offsets, and such as a number moves; also for one warp
/// group, unless rows of both operands are shorter than a cache line. Only K may be no multiple of its block.
#[test]
fn masked_blocks_of_products_go_by_tma() {
    let copies = |kernel: &str, numbers: &str, columns: &str, depth: &str, warps: &str| {
        let constants = format!("COLUMNS={columns},M=64,N=64,K={depth}");
        let more = ["--constexpr", constants.as_str(), "--num-warps", warps];
        let signature = format!("*fp16:16,*fp16:16,*fp32:16,{numbers},i32:64,i32:64,i32:64");
        let ptx = compile("tests/programs/masked_blocks.tk", kernel, &signature, &more);
        (count(&ptx, "cp.async.bulk.tensor"), count(&ptx, "cp.async.c") > 0)
    };
    for (kernel, numbers) in [
        ("recomputed", "i32:64,i32:64,i32"),
        ("carried", "i32:64,i32:64,i32"),
        ("remaining", "i32:64,i32:64,i32"),
        ("moved", "i32,i32,i32"),
    ] {
        for columns in ["True", "False"] {
            for warps in ["4", "8"] {
                assert_eq!(copies(kernel, numbers, columns, "64", warps), (6, false), "{kernel} {columns} {warps}");
            }
        }
        assert_eq!(copies(kernel, "i32:64,i32:64,i32:64", "True", "32", "4"), (0, true), "{kernel}");
        if kernel != "moved" {
            assert_eq!(copies(kernel, "i32:32,i32:64,i32:64", "True", "64", "8"), (0, true), "{kernel}");
            assert_eq!(copies(kernel, "i32=1,i32:64,i32:64", "True", "64", "8"), (0, true), "{kernel}");
        }
    }
}

/// A block whose address is loaded is copied ahead with two stages, too, and its index is loaded before; unless the loop writes the index.
#[test]
fn blocks_whose_addresses_are_loaded_run_ahead() {
    let copies = |kernel: &str, pointers: &str, constants: &str, stages: &str| {
        let constants = format!("{constants}M=16,PAGE=32,D=64");
        let signature = format!("*fp16:16,*fp16:16,{pointers},*fp32:16,i32");
        let more = ["--constexpr", &constants, "--num-stages", stages];
        let ptx = compile(FACTS, kernel, &signature, &more);
        (count(&ptx, "cp.async.cg"), count(&ptx, "cp.async.wait_group"))
    };
    // Each thread copies twice: once per stage in the prologue, and in the loop. The waits are that of the loop and the one behind it.
    assert_eq!(copies("paged", "*i32:16", "", "2"), (4, 2));
    assert_eq!(copies("paged", "*i32:16", "", "3"), (6, 2));
    assert_eq!(copies("gathered", "*i32:16,*i32:16", "TWICE=0,", "2"), (4, 2));
    assert_eq!(copies("gathered", "*i32:16,*i32:16", "TWICE=1,", "2"), (4, 2));
    assert_eq!(copies("gathered", "*i32:16,*i32:16", "TWICE=1,", "1"), (0, 0));
    assert_eq!(copies("changing_table", "*i32:16", "", "2"), (0, 0));
}

/// A persistent product through pointers becomes one loop where its author asks for it, for sizes that are known to have steps.
#[test]
fn pointer_loops_are_flattened() {
    let loops = |how: u32, moving: u32| {
        let constants = format!("HOW={how},MOVING={moving},BM=128,BN=128,BK=64");
        let signature = "*fp16:16,*fp16:16,*fp32:16,i32,i32,i32=512,i32:16,i32:16,i32:16";
        let ir = compile(FACTS, "persistent", signature, &["--constexpr", &constants, "--emit", "ttg"]);
        assert!(ir.contains("ttg.async_copy_global_to_local"), "{ir}");
        count(&ir, "scf.for")
    };
    for moving in [0, 1] {
        assert_eq!([0, 1, 2].map(|how| loops(how, moving)), [2, 1, 1], "{moving}");
    }
}

/// Writes by a descriptor of sizes that are loaded go by TMA, with a branch through pointers; of sizes that are known, there is none.
#[test]
fn writes_of_loaded_sizes_go_by_tma() {
    let program = "tests/programs/ragged_descriptors.tk";
    let writes = |kernel: &str, signature: &str| {
        let ptx = compile(program, kernel, signature, &["--constexpr", "R=64,C=64"]);
        (count(&ptx, "cp.async.bulk.tensor.2d.global"), ptx.contains("st.global"))
    };
    assert_eq!(writes("group_kernel", "*i64:16,*i32:16,*i32:16,*fp16:16,i32,i32"), (1, true));
    assert_eq!(writes("made_store_kernel", "*fp16:16,*fp16:16,i32,i32,i32,i32,i32:16"), (1, true));
    assert_eq!(writes("made_store_kernel", "*fp16:16,*fp16:16,i32,i32,i32,i32:16,i32:16"), (1, false));
}

/// In gradients of attention, what the next iteration needs is under way before the sums leave through TMA, products run while others are
/// computed on, and the transposed operand is not read back into registers.
#[test]
fn gradients_of_attention_have_the_next_iteration_under_way() {
    let block = |rows: i64| format!("tensordesc<bf16[{rows},128]>");
    let (m, n) = (block(64), block(128));
    let signature = format!("{m},{n},{n},{m},tensordesc<fp32[64,128]>,{n},{n},*fp32:16,*fp32:16,fp32,i32:16");
    let constants = "GROUP=1,HEAD_DIM=128,BLOCK_M=64,BLOCK_N=128,CAUSAL=False,STAGES=2,ADDS_DQ=True";
    let more = ["--constexpr", constants, "--num-warps", "8"];
    let ptx = compile("examples/attention_backward.tk", "backward_kernel", &signature, &more);
    let (before, behind) = ptx.split_once("cp.reduce.async.bulk").expect("sums leave through TMA");
    let loads = ["cp.async.bulk.tensor.2d.shared", "ld.global"];
    assert!(loads.iter().all(|load| before.contains(load)), "{ptx}");
    assert!(loads.iter().all(|load| !behind.contains(load)), "{ptx}");
    assert_eq!(count(&ptx, "wgmma.wait_group.sync.aligned 1;"), 1, "{ptx}");
    assert_eq!(count(&ptx, "ldmatrix"), 0, "{ptx}");
}

/// Rows across K that one product reads come from a buffer by `ldmatrix`, which transposes them; nothing of them is read in pieces.
#[test]
fn operands_across_k_are_transposed_by_ldmatrix() {
    let signature = "*fp16:16,*fp16:16,*i32:16,*fp32:16,i32";
    let more = ["--constexpr", "M=32,N=32,ROWS=128"];
    let ptx = compile("tests/programs/transposed_operands.tk", "outer_kernel", signature, &more);
    let transposing = ptx.lines().filter(|line| line.contains("ldmatrix") && line.contains(".trans"));
    // Four warps share 32x32: each reads half of either operand, 8x8 numbers at a time, four of them by one instruction.
    assert_eq!(transposing.count(), 2 * (128 / 8) * (16 / 8) / 4, "{ptx}");
    // The numbers of a thread's eight rows are all that comes otherwise.
    assert_eq!(count(&ptx, "ld.shared.v4"), 2, "{ptx}");
}

/// Products of split operands that add to one another follow each other without a wait.
#[test]
fn products_of_split_operands_wait_together() {
    let signature = "*fp32:16,*fp32:16,*fp32:16,i32:16,i32:16,i32:16,i32:16,i32=1,i32:16,i32=1,i32:16,i32=1";
    let constants = "BLOCK_SIZE_M=64,BLOCK_SIZE_N=64,BLOCK_SIZE_K=32,PRECISION=tf32x3";
    let ptx = compile("examples/matmul_precisions.tk", "matmul_kernel", signature, &["--constexpr", constants]);
    assert_eq!(count(&ptx, "wgmma.commit_group"), 3, "{ptx}");
    assert_eq!(count(&ptx, "wgmma.wait_group"), 2, "{ptx}");
}

/// Numbers of rows that registers have no room for are copied ahead with the blocks, in words of their own; others wait in registers.
#[test]
fn rows_without_room_in_registers_are_copied() {
    let signature = "*fp16:16,*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,fp32,i32:16";
    for (rows, columns, width, copies) in [(128, 64, 128, 4), (128, 128, 64, 4), (64, 64, 64, 0)] {
        let constants = format!("ROWS={rows},COLUMNS={columns},WIDTH={width}");
        let more = ["--constexpr", constants.as_str(), "--num-stages", "2"];
        let ptx = compile("tests/programs/few_rows.tk", "gradients_kernel", signature, &more);
        // Two arrays, before the loop and in it.
        assert_eq!(count(&ptx, "cp.async.ca"), copies, "{constants}\n{ptx}");
        assert!(count(&ptx, "cp.async.cg") > 0, "{ptx}");
    }
}

/// Sums and maxima over the rows of products meet behind the loop: two exchanges of four lanes for each of two rows, and none in the loop.
#[test]
fn row_sums_of_products_meet_behind_the_loop() {
    let signature = "*fp16:16,*fp16:16,*fp32:16,*fp32:16,*fp32:16,i32";
    let more = ["--constexpr", "M=128,N=128,K=128", "--num-warps", "8", "--num-stages", "2"];
    let ptx = compile("tests/programs/row_sums_of_products.tk", "sums_kernel", signature, &more);
    assert_eq!(last_loop(&ptx).filter(|line| line.contains("shfl.sync.bfly")).count(), 0, "{ptx}");
    assert_eq!(count(&ptx, "shfl.sync.bfly"), 2 * 2 * 2, "{ptx}");
}

/// The gradient of keys with heads of 256 reads more of shared memory than the tensor cores can use: a block of values stays in registers over its loops,
/// and probabilities come from shared memory. Heads of 128 have wider products, and theirs stay in shared memory.
#[test]
fn gradients_of_wide_heads_hold_the_values() {
    for (width, keys, held) in [(256, 64, 16), (128, 128, 0)] {
        let block = |rows: u32, ty: &str| format!("tensordesc<{ty}[{rows},{width}]>");
        let (queries, keys_block) = (block(64, "bf16"), block(keys, "bf16"));
        let maps = [&queries, &keys_block, &keys_block, &queries, &block(64, "fp32"), &keys_block, &keys_block];
        let signature = format!("{},*fp32:16,*fp32:16,fp32,i32:16", maps.map(String::as_str).join(","));
        for causal in ["False", "True"] {
            let constants = format!(
                "HEAD_DIM={width},GROUP=1,BLOCK_M=64,BLOCK_N={keys},CAUSAL={causal},STAGES=2,ADDS_DQ={}",
                if width == 256 { "False" } else { "True" }
            );
            let more = ["--constexpr", &constants, "--num-warps", "8", "--num-stages", "2"];
            let ptx = compile("examples/attention_backward.tk", "backward_kernel", &signature, &more);
            let from_registers = last_loop(&ptx)
                .filter(|line| line.contains("mma_async") && line.contains("m64n32"))
                .filter(|line| line.contains("}, {"));
            assert_eq!(from_registers.count(), held, "{constants}\n{ptx}");
            assert_eq!(last_loop(&ptx).filter(|line| line.contains("ldmatrix")).count(), 0, "{ptx}");
            assert_eq!(count(&ptx, "ldmatrix"), held, "once, before the loops\n{ptx}");
        }
    }
}

/// In a loop over tiles, the copies that start a tile stand before the loop and behind the products of the tile before: one block and two of each that
/// the inner loop reads in attention, two of each in products. Not where tiles write what others copy.
#[test]
fn the_next_tile_starts_before_this_one_is_written() {
    let tiles = "tests/programs/next_tiles.tk";
    let copies_of = |ir: &str| count(ir, "ttng.async_tma_copy_global_to_local");
    for (kernel, signature, constants, before, in_tiles) in [
        (
            "attention_tiles",
            "tensordesc<fp16[128,64]>,tensordesc<fp16[64,64]>,tensordesc<fp16[64,64]>,tensordesc<fp16[128,64]>,fp32,i32:16,i32",
            "DIM=64,BLOCK_M=128,BLOCK_N=64,PROGRAMS=132,CAUSAL=True",
            5,
            7,
        ),
        (
            "product_tiles",
            "tensordesc<fp16[128,64]>,tensordesc<fp16[64,64]>,tensordesc<fp16[128,64]>,*fp16:16,i32,i32,i32",
            "BLOCK_M=128,BLOCK_N=64,BLOCK_K=64,PROGRAMS=132,BY_TMA=True,SKIPS=True",
            4,
            6,
        ),
        (
            "scaled_tiles",
            "tensordesc<fp16[256,64]>,tensordesc<fp16[128,64]>,tensordesc<fp16[256,128]>,*fp32:16,i32,i32,i32",
            "BLOCK_M=256,BLOCK_N=128,BLOCK_K=64,PROGRAMS=132",
            4,
            6,
        ),
        ("powers", "tensordesc<fp16[64,64]>,tensordesc<fp16[64,64]>,i32,i32", "N=64", 0, 6),
    ] {
        let more = ["--constexpr", constants, "--num-warps", "8", "--num-stages", "3", "--emit", "ttg"];
        let ir = compile(tiles, kernel, signature, &more);
        let (start, rest) = ir.split_once("scf.for").expect("a loop over tiles");
        assert_eq!((copies_of(start), copies_of(rest)), (before, in_tiles), "{kernel}\n{ir}");
        // A mask in a branch comes before the copies, so keys have no buffer to spare.
        let has_two = count(&ir, "ttg.memdesc<2x64x64xf16") > 0;
        assert!(has_two || kernel != "attention_tiles", "{kernel}\n{ir}");
    }
}

/// Numbers of a row that wait in a register for the next iteration of a loop without products are loaded at its start: behind its end, they would be
/// needed at once.
#[test]
fn numbers_of_rows_have_an_iteration_to_arrive() {
    let signature = "*bf16:16,*bf16:16,*bf16:16,*fp32:16,*fp32:16,*bf16:16,*fp32:16,*fp32:16,i32:16,i32:16,i32:16";
    for stages in [2, 3] {
        let constants = format!("CENTERED=True,BLOCK_SIZE=4096,STAGES={stages}");
        let more = ["--constexpr", &constants, "--num-warps", "8"];
        let ptx = compile("examples/norm_backward.tk", "rows_kernel", signature, &more);
        let is_load = |line: &&str| line.contains("ld.global.b32");
        let early = last_loop(&ptx).take_while(|line| !line.contains("bar.sync")).filter(is_load).count();
        assert_eq!((early, last_loop(&ptx).filter(is_load).count()), (2, 2), "{ptx}");
    }
}

/// A block of numbers whose rows are not aligned is copied by threads that have several columns each; copies of single numbers would leave gaps between
/// lanes. It is loaded, and operands, whose rows are aligned, are copied.
#[test]
fn narrow_copies_leave_no_gaps_between_lanes() {
    let copies = |length: &str| {
        let signature = format!("*bf16:16,*bf16:16,*bf16:16,*fp32:16,*fp32:16,{length},i32,fp32");
        let more = ["--constexpr", "D=32,M=32,N=32,BIAS=True", "--num-warps", "1", "--num-stages", "2"];
        let ptx = compile("tests/programs/branched_attention.tk", "attention_kernel", &signature, &more);
        ["cp.async.ca", "cp.async.cg"].map(|what| count(&ptx, what))
    };
    // Two blocks of 2 KiB, before the loop and in it.
    assert_eq!(copies("i32"), [0, 16]);
    // And one of 4 KiB.
    assert_eq!(copies("i32:16"), [0, 32]);
}

/// Numbers for the next iteration are loaded beside its copies where the grid brings warps that compute meanwhile, and before the products of this one
/// where it does not, or may not, or where the copies are waited for behind the products and so run for an iteration.
#[test]
fn numbers_for_the_next_iteration_stay_beside_its_copies() {
    const SIGNATURE: &str = "*fp16:16,*fp16:16,*fp16:16,*i8:16,*fp32:16,i32:16";
    let is_first = |stages: &str, bound: &[&str]| {
        let more = ["--constexpr", "M=64,N=32,D=64", "--num-warps", "4", "--num-stages", stages, "--emit", "ttg"];
        let text = compile("tests/programs/rows_for_later.tk", "masked_kernel", SIGNATURE, &[&more, bound].concat());
        let (_, body) = text.split_once("scf.for").expect("a loop");
        let (body, _) = body.split_once("scf.yield").expect("an end");
        let (before, _) = body.split_once("ttng.warp_group_dot ").expect("a product");
        assert_eq!(count(body, "tt.load"), 1, "{text}");
        count(before, "tt.load") == 1
    };
    assert!(is_first("2", &[]), "nobody knows the grid");
    assert!(is_first("2", &["--bound", "grid.0=100"]), "one CTA for each multiprocessor");
    assert!(!is_first("2", &["--bound", "grid.0=4096"]));
    assert!(is_first("3", &["--bound", "grid.0=4096"]), "copies run for an iteration");
}

/// A loop in which a branch may leave the product out carries the registers that the product adds to: nothing moves sums to others and back.
#[test]
fn products_in_branches_add_in_place() {
    let more = ["--constexpr", "M=64,N=64,K=64", "--num-warps", "4"];
    let signature = "*fp16:16,*fp16:16,*i32:16,*fp32:16,i32:16";
    let ptx = compile("tests/programs/waiting_loads.tk", "chosen_kernel", signature, &more);
    let is_move = |line: &&str| line.trim().starts_with("mov.b32 %r") && line.contains(", %r");
    assert_eq!(count(&ptx, "wgmma.mma_async"), 4, "{ptx}");
    assert_eq!(ptx.lines().skip_while(|line| !line.contains("mov.pred add")).filter(is_move).count(), 0, "{ptx}");
}

/// What waits in registers for three iterations is not moved from one register to another: the loop has three copies of its body, and one for the rest.
#[test]
fn loads_that_wait_for_iterations_are_not_moved() {
    let products = |copies: &str, bound: &[&str]| {
        let constants = format!("M=64,N=32,K=32,{copies}");
        let more = ["--constexpr", &constants, "--num-warps", "4", "--num-stages", "4"];
        let signature = "*fp32:16,*fp32:16,*fp32:16,i32:16,i32:16";
        let more = [&more, bound].concat();
        count(&compile("tests/programs/waiting_loads.tk", "product_kernel", signature, &more), "wgmma.mma_async")
    };
    assert_eq!(products("COPIES=None", &[]), 4, "nobody knows the grid, and a load is one iteration ahead");
    let few = ["--bound", "grid.0=2", "--bound", "grid.1=1", "--bound", "grid.2=1"];
    assert_eq!(products("COPIES=None", &few), 16);
    assert_eq!(products("COPIES=1", &few), 4, "the author's word stands");
}

/// Values of f32 that threads turn on their way to `wgmma` are loaded an iteration ahead where few warps run at a time: before the loop and in it.
#[test]
fn values_that_are_turned_are_loaded_ahead_where_few_warps_run() {
    let of = |bounds: &[&str]| {
        let blocks = ["--constexpr", "M=64,N=64,D=64", "--num-warps", "4"];
        let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32:16";
        let more = [&blocks[..], bounds].concat();
        count(&compile("tests/programs/cast_blocks.tk", "scores_kernel", signature, &more), "ld.global")
    };
    let few = of(&["--bound", "grid.0=2", "--bound", "grid.1=1", "--bound", "grid.2=1"]);
    assert_eq!([of(&[]), few], [16, 24]);
}

/// Rows that a product by multiply-add reads as columns are read where they were copied to: what threads write to shared memory is the result, whose
/// layout changes.
#[test]
fn turned_rows_are_read_where_they_were_copied() {
    let more = ["--constexpr", "M=64,N=64,K=64", "--num-warps", "4", "--num-stages", "2"];
    let signature = "*fp32:16,*fp32:16,*fp32:16,i32:16";
    let ptx = compile("tests/programs/multiply_add_dots.tk", "rows_kernel", signature, &more);
    assert_eq!(count(&ptx, "st.shared"), 8, "{ptx}");
}

/// Words that hold the weights of many rows are a block that has the same row several times. It is copied as wide as its columns allow: two copies of
/// 16 bytes, and not eight of 4.
#[test]
fn repeated_rows_are_copied_in_wide_pieces() {
    let more = ["--constexpr", "M=16,BN=32,BK=32", "--num-warps", "4", "--num-stages", "4"];
    let signature = "*fp16:16,*i32:16,*fp32:16,i32:16,i32:16,i32:16";
    let ptx = compile("tests/programs/packed_weights.tk", "packed_kernel", signature, &more);
    // Three iterations before the loop, and one in it.
    assert_eq!(["cp.async.ca", "cp.async.cg"].map(|what| count(&ptx, what)), [4, 8], "{ptx}");
}

/// A block that products by `wgmma` and by `mma.sync` read stands once in shared memory. Through registers into a second buffer it would take a fence in
const BOTH_PRODUCTS: &str = "tests/programs/both_products.tk";

/// each iteration.
#[test]
fn both_kinds_of_products_read_one_buffer() {
    let more = ["--constexpr", "BLOCK=128", "--num-warps", "4", "--num-stages", "3"];
    let ptx = compile(BOTH_PRODUCTS, "both_kernel", "*fp16:16,*fp16:16,*fp32:16,*fp32:16,i32", &more);
    let body: Vec<&str> = last_loop(&ptx).collect();
    let has = |what: &str| body.iter().any(|line| line.contains(what));
    assert!(has("wgmma.mma_async") && has("mma.sync.aligned"), "{ptx}");
    assert!(!has("fence.proxy.async"), "{ptx}");
}

/// The wait for the last copies and the load behind it need one barrier before shared memory is written again.
#[test]
fn a_wait_for_copies_and_a_load_need_one_barrier() {
    let more = ["--constexpr", "BLOCK=128", "--num-warps", "4", "--num-stages", "3"];
    let ptx = compile(BOTH_PRODUCTS, "both_kernel", "*fp16:16,*fp16:16,*fp32:16,*fp32:16,i32", &more);
    let (_, behind) = ptx.rsplit_once("cp.async.wait_group").expect("a wait for copies");
    let (before, _) = behind.split_once("st.shared").expect("results change their layout");
    assert_eq!((count(before, "ld.global"), count(before, "bar.sync")), (4, 1), "{ptx}");
}

/// Two groups of warps that read words of a tf32 operand from shared memory wait for them an iteration early, where copies run on behind the wait.
#[test]
fn two_groups_wait_early_for_words_that_they_read() {
    let waits_early = |warps: &str| {
        let tile = "INTEGERS=False,BLOCK_SIZE_M=256,BLOCK_SIZE_N=128,BLOCK_SIZE_K=32,GROUP_SIZE_M=8";
        let constants = format!("stride_ak=1,stride_bn=1,stride_cn=1,{tile}");
        let more = ["--constexpr", &constants, "--num-warps", warps, "--num-stages", "4"];
        let signature = "*fp32:16,*fp32:16,*fp32:16,i32:16,i32:16,i32:16,i32:16,i32:16,i32:16";
        let ptx = compile("benches/gpu/matmul.tk", "matmul_kernel", signature, &more);
        let (_, behind) = ptx.rsplit_once("wgmma.commit_group").expect("products");
        behind.contains("cp.async.wait_group 2")
    };
    assert!(waits_early("8"));
    assert!(!waits_early("4"));
}

/// A tile that is computed and read by `wgmma` and by `mma.sync` is written once: with scratch memory for the second reader there were ten barriers. One of
/// the eight is of a block that is converted behind the first copies of the loop.
#[test]
fn a_computed_tile_is_written_once_for_both_kinds_of_products() {
    let more = ["--constexpr", "M=32,N=64,D=64", "--num-warps", "4", "--num-stages", "2"];
    let signature = "*fp16:16,*fp16:16,*fp32:16,*fp32:16,i32";
    let ptx = compile("tests/programs/computed_tile.tk", "tile_kernel", signature, &more);
    assert!(ptx.contains("wgmma.mma_async") && ptx.contains("mma.sync.aligned"), "{ptx}");
    assert_eq!(count(&ptx, "bar.sync"), 8, "{ptx}");
}

/// With two stages the copies of the next block come while the products of this one run, also those of a block that no product reads: the loop
/// waits for products behind them. The grid brings one CTA to a multiprocessor: one buffer would not let another one in.
#[test]
fn copies_one_iteration_ahead_come_beside_the_products() {
    let signature = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,i32:16";
    let grid = ["grid.0=132", "grid.1=1", "grid.2=1"].map(|bound| ["--bound", bound]).concat();
    let more = ["--constexpr", "D=128,BLOCK=128", "--num-warps", "4", "--num-stages", "2"];
    let ptx = compile(BOTH_PRODUCTS, "biased_kernel", signature, &[&more[..], &grid].concat());
    let body = last_loop(&ptx).collect::<Vec<_>>().join("\n");
    // The wait for the product is where the text of the loop begins.
    let (_, behind) = body.split_once("wgmma.commit_group").expect("a product in the loop");
    assert_eq!((count(behind, "wgmma.wait_group"), count(behind, "mma.sync")), (0, 0), "{body}");
    assert!(count(behind, "cp.async.cg") > 0, "{body}");
}

/// A product by `wgmma` runs beside the next by `mma.sync`: the loop waits for it before the next product by `wgmma`.
#[test]
fn products_of_both_kinds_run_beside_each_other() {
    let signature = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp32:16,i32:16";
    let more = ["--constexpr", "BLOCK=16", "--num-warps", "4", "--num-stages", "3"];
    let ptx = compile(BOTH_PRODUCTS, "few_rows_kernel", signature, &more);
    let body = last_loop(&ptx).collect::<Vec<_>>().join("\n");
    let (_, behind) = body.split_once("wgmma.commit_group").expect("a product in the loop");
    let (meanwhile, _) = behind.split_once("wgmma.wait_group").expect("a wait");
    assert_eq!(count(meanwhile, "mma.sync"), 8, "{body}");
}

const UNCHANGED_OPERANDS: &str = "tests/programs/unchanged_operands.tk";

/// An operand that is the same in each iteration is loaded once, before the loop, so that the other one has all stages.
#[test]
fn operands_that_do_not_change_are_loaded_before_the_loop() {
    let more = ["--constexpr", "D=128,BLOCK=128", "--num-warps", "8", "--num-stages", "3"];
    let signature = "*fp16:16,*fp16:16,*fp32:16,i32,i32";
    let ptx = compile(UNCHANGED_OPERANDS, "unchanged_kernel", signature, &more);
    let body = last_loop(&ptx).collect::<Vec<_>>().join("\n");
    // 64x128 elements of 2 bytes, by 16 bytes and 256 threads; the rows of the other operand would be eight copies more.
    assert_eq!((count(&body, "cp.async.cg"), count(&body, "ld.global")), (4, 0), "{body}");
}

/// What a group of tiles leaves of a program's number is known not to be negative, so that columns that wrap around are read side by side.
#[test]
fn tiles_that_are_numbered_by_differences_are_copied_in_vectors() {
    let more = ["--constexpr", "COLUMNS=128,GROUP=8,BM=32,BN=64", "--num-warps", "4"];
    let ptx = compile(UNCHANGED_OPERANDS, "grouped_kernel", "*fp32:16,*fp32:16,*i32:16", &more);
    assert_eq!((count(&ptx, "ld.global.v4"), count(&ptx, "st.global.v4")), (4, 4), "{ptx}");
}

/// The third of four products of a gradient for keys needs nothing of the scores. With sixteen columns it starts right behind the first one, whose wait then
/// leaves it under way.
#[test]
fn small_products_start_before_the_scores_are_there() {
    let waits = |rows: u32| {
        let constants = format!("DIM=64,ROWS={rows},KEYS=64");
        let more = ["--constexpr", &constants, "--num-warps", "4", "--num-stages", "2"];
        let signature = "*fp16:16,*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,fp32,i32:16";
        let ptx = compile("tests/programs/small_products.tk", "keys_kernel", signature, &more);
        [0, 1].map(|left| count(&ptx, &format!("wgmma.wait_group.sync.aligned {left};")))
    };
    assert_eq!([16, 32].map(waits), [[2, 1], [3, 0]]);
}

/// With two buffers for each block of rows two CTAs have room, with one three. Registers have room for these, too.
#[test]
fn one_buffer_lets_another_cta_in() {
    let more = ["--constexpr", "DIM=64,ROWS=128,KEYS=32", "--num-warps", "4", "--num-stages", "2", "--emit", "ttg"];
    let signature = "*bf16:16,*bf16:16,*bf16:16,*bf16:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,fp32,i32:16";
    let ttg = compile("tests/programs/few_keys.tk", "few_keys_kernel", signature, &more);
    let rings = |buffers: u32| count(&ttg, &format!("-> !ttg.memdesc<{buffers}x128x64xbf16"));
    assert_eq!([1, 2].map(rings), [2, 0], "{ttg}");
}
