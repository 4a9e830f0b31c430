//! Which loops have two warp groups that multiply in turns (`split-barriers`): how often a group takes and gives its turn.

use crate::counts::{compile, count, last_loop};

/// With heads of 128, the two warp groups of attention multiply in turns, in both loops: each takes a turn before its second product and gives
/// it away behind its first; before a loop the second group gives the first turn, behind it the first group the last. With two buffers the groups
/// would wait for each other's copies, so they take none, nor with heads of 64, where another CTA is there.
#[test]
fn warp_groups_of_attention_multiply_in_turns() {
    let signature = format!("{},fp32,{}", ["*fp16:16"; 4].join(","), ["i32:16"; 9].join(","));
    for (head, block, stages, turns) in
        [("64", 64, "3", 0), ("128", 64, "3", 2), ("128", 128, "3", 2), ("128", 128, "2", 0)]
    {
        let blocks = format!("HEAD_DIM={head},BLOCK_M=128,BLOCK_N={block},CAUSAL=True");
        let more = ["--constexpr", &blocks, "--num-warps", "8", "--num-stages", stages];
        let ptx = compile("benches/gpu/attention.tk", "attention_kernel", &signature, &more);
        assert_eq!((takes(&ptx), count(&ptx, "bar.arrive")), (2 * turns, 3 * turns), "{ptx}");
    }
}

/// A take is behind the words that its product reads from registers, which the number of its barrier depends on. Beside a mask that is added, whose
/// block is computed early, groups keep their barrier unless products of 512 cycles go over the end of an iteration; not beside one that chooses, nor
/// beside what is loaded.
#[test]
fn warp_groups_drift_apart_where_products_cover_masks() {
    let signature = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp32:16,fp32,i32:16,i32:16";
    for (kind, block, drift, behind_words) in [
        ("plain", 64, true, 1),
        ("chosen", 64, true, 1),
        ("gates", 64, true, 1),
        ("apart", 64, true, 1),
        ("added before", 64, false, 0),
        ("added behind", 64, false, 0),
        ("added before", 128, true, 1),
        ("added behind", 128, true, 1),
    ] {
        let constants = format!("BLOCK_M=128,BLOCK_N={block},DIM=128,KIND='{kind}'");
        let more = ["--constexpr", &constants, "--num-warps", "8", "--num-stages", "3"];
        let ptx = compile("tests/programs/attention_kinds.tk", "attention_kernel", signature, &more);
        let has_barriers = count(&ptx, "cp.async.mbarrier.arrive") > 0;
        assert_eq!((has_barriers, count(&ptx, "bar.sync barrier, 256")), (drift, behind_words), "{constants}\n{ptx}");
    }
}

/// So they do where TMA copies, and where blocks are scaled and added: a turn for each of several products of an iteration, and the first given before
/// the loop. A turn over the end of an iteration needs copies two iterations ahead.
#[test]
fn warp_groups_take_turns_with_copies_by_tma() {
    let signature = attention_signature(128, 64);
    let attention = ["--constexpr", "HEAD_DIM=128,BLOCK_M=128,BLOCK_N=64,CAUSAL=False", "--num-warps", "8"];
    for (stages, turns) in [("2", 0), ("3", 2)] {
        let more = [&attention[..], &["--num-stages", stages]].concat();
        let ptx = compile("examples/attention_descriptors.tk", "attention_kernel_host", &signature, &more);
        assert_eq!((takes(&ptx), count(&ptx, "bar.arrive")), (2 * turns, 3 * turns), "{ptx}");
    }
    let signature = "tensordesc<fp16[128,64]>,tensordesc<fp16[64,64]>,*fp32:16,*fp32:16,i32";
    for (warps, turns, gives) in [("4", 0, 0), ("8", 2, 3)] {
        let more = ["--constexpr", "n=64,k=64", "--num-warps", warps, "--num-stages", "3"];
        let ptx = compile("tests/programs/turns.tk", "two_sums", signature, &more);
        assert_eq!((takes(&ptx), count(&ptx, "bar.arrive")), (turns, gives), "{ptx}");
    }
}

/// One turn per iteration is taken where tensor cores work long for each result: scores of attention with heads of 128 and 256, and not of 64,
/// whatever the block and whether row sums stand before the second product or behind it; products that are scaled, of 256 terms and not of 64.
#[test]
fn one_turn_per_iteration_has_to_pay() {
    let examples = ("examples/attention_descriptors.tk", "attention_kernel_host", "");
    let sums_behind = ("benches/gpu/descriptors.tk", "attention_kernel", ",SHARED_BY=1");
    for (head, block, (file, kernel, own), turns) in [
        (64, 128, examples, 0),
        (64, 64, examples, 0),
        (256, 32, examples, 2),
        (64, 128, sums_behind, 0),
        (128, 64, sums_behind, 1),
        (128, 128, sums_behind, 1),
        (256, 64, sums_behind, 1),
    ] {
        let constants = format!("HEAD_DIM={head},BLOCK_M=128,BLOCK_N={block},CAUSAL=False{own}");
        let more = ["--constexpr", &constants, "--num-warps", "8", "--num-stages", "3"];
        let ptx = compile(file, kernel, &attention_signature(head, block), &more);
        assert_eq!((takes(&ptx), count(&ptx, "bar.arrive")), (2 * turns, 3 * turns), "{file} {constants}\n{ptx}");
    }
    for (depth, turns, gives) in [(64, 0, 0), (256, 3, 5)] {
        let signature = format!(
            "tensordesc<fp16[128,{depth}]>,tensordesc<fp16[64,{depth}]>,tensordesc<fp16[64,64]>,*fp32:16,i32,i32"
        );
        let constants = format!("k={depth}");
        let more = ["--constexpr", &constants, "--num-warps", "8", "--num-stages", "3"];
        let ptx = compile("tests/programs/turns.tk", "two_loops", &signature, &more);
        assert_eq!((takes(&ptx), count(&ptx, "bar.arrive")), (turns, gives), "{constants}\n{ptx}");
    }
}

/// With operands of 8 bits a turn pays sooner, and the left operand passes it in words: its bytes are put together once. Values are waited for behind the
/// largest scores, so that exponentials, exchange and scaling stand in one block. Weights that the program puts in the order of words need no exchange,
/// also for two products.
#[test]
fn attention_of_bytes_takes_turns() {
    let [exchanged, in_order] =
        [("tests/programs/attention_of_bytes.tk", ""), ("examples/attention_fp8.tk", ",SHARED_BY=1,CAUSAL=False")];
    for (head, turns, (file, more), exchange) in
        [(64, 0, exchanged, 16), (128, 2, exchanged, 16), (64, 0, in_order, 0), (128, 2, in_order, 0)]
    {
        let signature = format!(
            "tensordesc<fp8e4nv[128,{head}]>,tensordesc<fp8e4nv[128,{head}]>,tensordesc<fp8e4nv[{head},128]>,tensordesc<bf16[128,{head}]>,fp32,i32:16"
        );
        let constants = format!("HEAD_DIM={head},BLOCK_M=128,BLOCK_N=128{more}");
        let more = ["--constexpr", &constants, "--num-warps", "8", "--num-stages", "3"];
        let ptx = compile(file, "attention_kernel", &signature, &more);
        assert_eq!((takes(&ptx), count(&ptx, "bar.arrive")), (turns, turns / 2 * 3), "{constants}\n{ptx}");
        assert_eq!(count(&ptx, "prmt"), exchange, "{constants}\n{ptx}");
        let (_, softmax) = ptx.split_once("ex2.approx").expect("exponentials");
        let (softmax, _) = softmax.split_once("wgmma.mma_async").expect("the second product");
        assert_eq!(count(softmax, "mbarrier.try_wait"), 0, "{constants}\n{ptx}");
    }
}

/// A product of 256 rows that is scaled and added comes in two parts, each of which is a turn, also where the loop goes over tiles. It stays whole
/// where registers have room for it, and one warp group has no turns.
#[test]
fn parts_of_a_product_are_turns() {
    let blocks = "benches/gpu/matmul_fp8_blocks.tk";
    for (rows, warps, tiles, products, waits, turns) in [
        ("256", "8", false, 8, 3, 2),
        ("256", "8", true, 8, 3, 2),
        ("128", "8", false, 8, 4, 0),
        ("128", "4", false, 8, 2, 0),
    ] {
        let descriptors = format!("tensordesc<fp8e4nv[{rows},128]>,tensordesc<fp8e4nv[128,128]>");
        let kernel = if tiles { "matmul_fp8_blocks_persistent" } else { "matmul_fp8_blocks_kernel" };
        let (out, more, own) = match tiles {
            true => (format!("tensordesc<bf16[{rows},128]>"), "i32,i32,i32,i32:16,i32", ",PROGRAMS=132"),
            false => ("*bf16:16".to_string(), "i32,i32,i32,i32:16,i32:16,i32", ""),
        };
        let signature = format!("{descriptors},{out},*fp32:16,*fp32:16,{more}");
        let constants = format!("BLOCK_M={rows},BLOCK_N=128,BLOCK_K=128,GROUP_M=8{own}");
        let more = ["--constexpr", &constants, "--num-warps", warps, "--num-stages", "3"];
        let ptx = compile(blocks, kernel, &signature, &more);
        let found = (count(&ptx, "wgmma.mma_async"), count(&ptx, "wgmma.wait_group"), takes(&ptx));
        assert_eq!(found, (products, waits, turns), "{rows} rows, {warps} warps\n{ptx}");
        // Of the choice at the end of a tile nothing is left, and each element takes one instruction.
        assert_eq!((count(&ptx, "selp.f32"), count(&ptx, "fma.rn.f32") % 64), (0, 0), "{ptx}");
    }
}

/// Where an iteration has several turns, the blocks of the next one are waited for beside its last product, and not between its last sum and the next
/// turn; before the loop threads wait for the first. Rings have a buffer to spare, so that no group waits at its end for the other's last product.
#[test]
fn next_blocks_are_waited_for_beside_the_last_product() {
    let descriptors = "tensordesc<fp8e4nv[256,128]>,tensordesc<fp8e4nv[128,128]>";
    let signature = format!("{descriptors},*bf16:16,*fp32:16,*fp32:16,i32,i32,i32,i32:16,i32:16,i32");
    for (stages, mbarriers) in [("3", 4), ("4", 5)] {
        let constants = "BLOCK_M=256,BLOCK_N=128,BLOCK_K=128,GROUP_M=8";
        let more = ["--constexpr", constants, "--num-warps", "8", "--num-stages", stages];
        let ptx = compile("benches/gpu/matmul_fp8_blocks.tk", "matmul_fp8_blocks_kernel", &signature, &more);
        let body = last_loop(&ptx).collect::<Vec<&str>>().join("\n");
        // A sum passes through a wait of its own.
        let parts: Vec<&str> = body.split("wgmma.wait_group").collect();
        let [first, sum, second, rest] = parts[..] else { panic!("two products\n{ptx}") };
        let second = &[sum, second].concat();
        let (between, beside_last) = second.split_once("bar.arrive").expect("the last turn is given");
        // The last wait is for the buffer that is filled.
        let waits = [first, between, beside_last, rest].map(|part| count(part, "mbarrier.try_wait"));
        assert_eq!(waits, [0, 0, 1, 1], "{ptx}");
        assert_eq!((count(&ptx, "mbarrier.try_wait"), count(&ptx, "mbarrier.init")), (3, mbarriers), "{ptx}");
        // Behind the first product, and not behind the last one that the other group has to finish.
        assert_eq!([second, rest].map(|part| count(part, "mbarrier.arrive.shared")), [1, 0], "{ptx}");
    }
}

/// Numbers of rows, which each step along K has others of, are copied beside the blocks. Then the copies stand behind the first product, and one thread
/// of each warp arrives behind the last. The number of a block stays a load, behind the last turn.
#[test]
fn numbers_of_rows_are_copied_behind_the_first_product() {
    let descriptors = "tensordesc<fp8e4nv[256,128]>,tensordesc<fp8e4nv[128,128]>";
    let sizes = "i32:256,i32:256,i32:256,i32:256,i32:256,i32:16";
    let signature = format!("{descriptors},*bf16:16,*fp32:16,*fp32:16,{sizes}");
    let constants = "BLOCK_M=256,BLOCK_N=128,BLOCK_K=128,GROUP_M=8";
    let more = ["--constexpr", constants, "--num-warps", "8", "--num-stages", "4"];
    let ptx = compile("benches/gpu/matmul_fp8_blocks.tk", "matmul_fp8_blocks_kernel", &signature, &more);
    // The start of an iteration stands last.
    let parts: Vec<&str> = ptx.split("wgmma.wait_group").collect();
    let [_, sum, second, rest] = parts[..] else { panic!("two products\n{ptx}") };
    let (end, start) = rest.split_once("wgmma.fence").expect("the first product");
    let (first, behind_turn) = start.split_once("bar.arrive").expect("the first turn is given");
    for (what, times) in [
        ("cp.async.bulk.tensor", [0, 3, 0, 0, 0]),
        ("mbarrier.try_wait", [0, 1, 0, 1, 0]),
        ("mbarrier.arrive.shared", [0, 0, 0, 0, 1]),
        ("ld.global", [0, 0, 0, 1, 0]),
    ] {
        assert_eq!([first, behind_turn, sum, second, end].map(|part| count(part, what)), times, "{what}\n{ptx}");
    }
    assert_eq!(
        (count(&ptx, "mbarrier.init"), count(&ptx, "elect.sync leader|go, -1;\n\t@go mbarrier.arrive")),
        (5, 1),
        "{ptx}"
    );
}

/// Three stages of 64 columns of heads of 256 fit, since the ring of keys has no buffer to spare. All mbarriers begin behind one branch before the first
/// copy, with one meeting, and end with the kernel. In the loop, copies come behind the first product and what gives the turn away.
#[test]
fn copies_of_attention_come_behind_the_turn() {
    let constants = "HEAD_DIM=256,BLOCK_M=128,BLOCK_N=64,CAUSAL=False,SHARED_BY=1";
    let more = ["--constexpr", constants, "--num-warps", "8", "--num-stages", "3"];
    let ptx = compile("benches/gpu/descriptors.tk", "attention_kernel", &attention_signature(256, 64), &more);
    let (start, _) = ptx.split_once("cp.async.bulk.tensor").expect("copies");
    for (what, times) in [("mbarrier.init", 7), ("initialized:", 1), ("bar.sync", 1)] {
        assert_eq!(count(start, what), times, "{what}\n{ptx}");
    }
    assert_eq!((count(&ptx, "mbarrier.init"), count(&ptx, "mbarrier.inval")), (7, 0), "{ptx}");
    let (_, behind) = ptx.split_once("wgmma.commit_group").expect("products");
    let (under_way, rest) = behind.split_once("wgmma.wait_group").expect("a wait for the first product");
    let places = ["bar.arrive", "mbarrier.try_wait", "cp.async.bulk.tensor"].map(|what| under_way.find(what));
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{ptx}");
    assert_eq!(count(rest, "cp.async.bulk.tensor.2d.shared"), 0, "{ptx}");
}

/// Groups without turns issue copies behind the first product whose buffers are free: in gradients of keys the second of four, in those of queries the
/// last of three.
#[test]
fn copies_of_gradients_come_behind_a_product() {
    let block = |rows: u32, ty: &str| format!("tensordesc<{ty}[{rows},256]>");
    let [m, n, sums, wide] =
        [(64, "bf16"), (64, "bf16"), (64, "fp32"), (128, "bf16")].map(|(rows, ty)| block(rows, ty));
    let rest = "*fp32:16,*fp32:16,fp32,i32:16";
    // The first copies of the kernel of keys stand behind the last product of that of queries.
    for (kernel, signature, constants, copies) in [
        (
            "backward_kernel",
            format!("{m},{n},{n},{m},{sums},{n},{n},{rest}"),
            "GROUP=1,HEAD_DIM=256,BLOCK_M=64,BLOCK_N=64,CAUSAL=False,STAGES=2,ADDS_DQ=False",
            [0, 2, 0, 0].as_slice(),
        ),
        (
            "both_kernel",
            format!("{wide},{n},{n},{wide},{wide},{m},{m},{n},{n},{rest}"),
            "GROUP=1,CAUSAL=False,STAGES=2",
            [0, 0, 6, 0, 2, 0, 0].as_slice(),
        ),
    ] {
        let more = ["--constexpr", constants, "--num-warps", "8"];
        let ptx = compile("examples/attention_backward.tk", kernel, &signature, &more);
        let behind: Vec<&str> = ptx.split("wgmma.commit_group").skip(1).collect();
        let found: Vec<usize> = behind.iter().map(|text| count(text, "cp.async.bulk.tensor.2d.shared")).collect();
        assert_eq!(found, copies, "{kernel}\n{ptx}");
    }
}

/// The arguments of attention by descriptors with blocks of 128 rows.
fn attention_signature(head: usize, block: usize) -> String {
    let keys = format!("tensordesc<bf16[{block},{head}]>");
    let rows = format!("tensordesc<bf16[128,{head}]>");
    format!("{rows},{keys},{keys},{rows},fp32,i32:16")
}

/// How often a warp group waits for its turn.
fn takes(ptx: &str) -> usize {
    ptx.lines().filter(|line| line.contains("bar.sync") && line.contains("256")).count()
}

/// Programs of causal attention run from the last to the first along the axis of their rows, with copies by threads and by TMA; those of full attention,
/// and products in groups of rows, as they are numbered.
#[test]
fn programs_that_run_longest_start_first() {
    let pointers = format!("{},fp32,{}", ["*fp16:16"; 4].join(","), ["i32:16"; 9].join(","));
    let descriptors = attention_signature(128, 64);
    for (file, kernel, signature, own) in [
        ("benches/gpu/attention.tk", "attention_kernel", &pointers, ""),
        ("examples/attention.tk", "attention_kernel", &pointers, ""),
        ("benches/gpu/descriptors.tk", "attention_kernel", &descriptors, ",SHARED_BY=1"),
        ("examples/attention_descriptors.tk", "attention_kernel_host", &descriptors, ""),
    ] {
        for (causal, turned) in [("True", 1), ("False", 0)] {
            let constants = format!("HEAD_DIM=128,BLOCK_M=128,BLOCK_N=64,CAUSAL={causal}{own}");
            let more = ["--constexpr", &constants, "--num-warps", "8", "--num-stages", "3"];
            let ptx = compile(file, kernel, signature, &more);
            assert_eq!([count(&ptx, "%nctaid.x"), count(&ptx, "%nctaid.y")], [turned, 0], "{file} {causal}\n{ptx}");
        }
    }
    let turned = |kernel: &str, signature: &str, constants: &str| {
        let ptx = compile("tests/programs/longest_first.tk", kernel, signature, &["--constexpr", constants]);
        ["x", "y", "z"].map(|axis| count(&ptx, &format!("%nctaid.{axis}")))
    };
    for axis in 0..3 {
        let constants = format!("AXIS={axis},BLOCK_M=32,BLOCK_K=16,N=16");
        // The number of a batch is computed from the size of one of the other axes.
        let wanted = [[1, 0, 1], [1, 1, 0], [0, 1, 1]][axis];
        assert_eq!(turned("axis_kernel", "*fp16:16,*fp16:16,*fp32:16,i32", &constants), wanted, "{axis}");
    }
    assert_eq!(turned("both_kernel", "*fp32:16", "STEP=2,OTHER=3,BLOCK=16"), [1, 1, 0]);
    assert_eq!(turned("added_kernel", "*fp32:16", "BLOCK=16"), [0, 0, 0]);
}

/// Where an iteration finishes its product, the wait for the buffer that the iteration before has read, and the copies, stand behind the issue of the
/// product; warps arrive behind its result.
#[test]
fn copies_stand_behind_products_that_are_finished() {
    let constants = "GROUP=64,BLOCK_M=64,BLOCK_N=64,BLOCK_K=128";
    let more = ["--constexpr", constants, "--num-warps", "8", "--num-stages", "6"];
    let signature = "*fp8e4nv:16,*fp8e4nv:16,*fp32:16,*fp32:16,*fp32:16,i32:16,i32:16,i32:16";
    let ptx = compile("tests/programs/block_scales.tk", "scaled_product_kernel", signature, &more);
    let (_, behind) = ptx.split_once("wgmma.commit_group").expect("a product");
    let (meanwhile, behind) = behind.split_once("wgmma.wait_group").expect("a wait for its result");
    let words = ["mbarrier.try_wait", "cp.async.cg", "cp.async.mbarrier.arrive", "mbarrier.arrive.shared"];
    assert_eq!(words.map(|word| count(meanwhile, word)), [1, 4, 1, 0], "{ptx}");
    assert_eq!(["cp.async.cg", "mbarrier.arrive.shared"].map(|word| count(behind, word)), [0, 1], "{ptx}");
}
