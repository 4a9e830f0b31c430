//! Deterministic counts of what the compiler makes of loads, stores and moves between threads: instructions, layout conversions, sectors, bank
//! conflicts. Instructions that compute are counted in `instructions.rs`.

use tk_tests::{root, run_tk};

/// `tk compile` of a kernel of an example, for sm_90a.
pub(crate) fn compile(file: &str, kernel: &str, signature: &str, more: &[&str]) -> String {
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

/// Kernels whose loads are taken together, or ahead.
const SEARCHED_SCALES: &str = "tests/programs/searched_scales.tk";
pub(crate) const SHARED_LOADS: &str = "tests/programs/shared_loads.tk";

/// How often a text has another.
pub(crate) fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

/// The memory reports of the launches of `main` of a file on the simulator.
fn memory_reports(file: &str) -> String {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let outcome = run_tk(&["run".into(), file.into(), "--device".into(), "sim".into()]);
    assert_eq!(outcome.exit, 0, "{}", outcome.text);
    outcome.text
}

/// The last line of the first of these reports.
fn totals(file: &str) -> String {
    let reports = memory_reports(file);
    let line = reports.lines().find(|line| line.starts_with("total:"));
    line.unwrap_or_else(|| panic!("no totals in\n{reports}")).to_string()
}

pub(crate) const ADD: [&str; 3] = ["examples/vector_add.tk", "add_kernel", "*fp32:16,*fp32:16,*fp32:16,i32:16"];

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

/// A stride that 16 divides is not 1; where this is known of one of two axes, neighboring threads get the other.
#[test]
fn axes_that_may_be_contiguous_are_coalesced() {
    let reports = memory_reports("tests/programs/strides_of_the_host.tk");
    let totals: Vec<&str> = reports.lines().filter(|line| line.starts_with("total:")).collect();
    assert_eq!(totals.len(), 2, "{reports}");
    assert!(totals.iter().all(|line| line.contains("100.0 % sector efficiency")), "{reports}");
}

/// A loop of at most one iteration has one branch past it; numbers of a row are loaded before a branch, not behind it; a state that a loop
/// carries is computed in one layout; and blocks that are turned are as far ahead as copies.
#[test]
fn memory_is_waited_for_once() {
    let program = |kernel, signature, more: &[&str]| compile("tests/programs/waits.tk", kernel, signature, more);
    let once = "*fp32:16,*fp32:16,*i32:16,*i32:16,*fp32:16,i32";
    let once = program("scores_kernel", once, &["--constexpr", "HEAD=64,BLOCK=32"]);
    assert_eq!(count(&once, "bra"), 1, "{once}");
    let rows = program("rows_kernel", "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32:16", &["--constexpr", "BLOCK=256"]);
    let before = rows.split("bra").next().unwrap_or_default();
    assert_eq!(count(before, "ld.global"), 2, "{rows}");
    let state = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32";
    let state = program("recurrence_kernel", state, &["--constexpr", "D=64,E=32", "--num-warps", "32"]);
    assert_eq!(count(&state, "ld.global"), 5, "{state}");
    let few = ["--num-stages", "4", "--bound", "grid.0=2", "--bound", "grid.1=8", "--bound", "grid.2=1"];
    let turned = [&["--constexpr", "BM=128,BN=32,BK=32"], few.as_slice()].concat();
    let turned = program("product_kernel", "*fp32:16,*fp32:16,*fp32:16,i32:16,i32:16,i32:16", &turned);
    // Two blocks, three iterations ahead: six before the loop, six in its three copies, and two in the loop of what is left.
    assert_eq!(count(&turned, "ld.global"), 14, "{turned}");
}

/// All loads come before a root that ptxas writes with a branch, and before the branch of a logarithm. In a loop whose blocks are whole nothing is masked.
#[test]
fn loads_are_held_and_whole_blocks_are_not_masked() {
    let program = |kernel, signature, constants| {
        compile("tests/programs/held_loads.tk", kernel, signature, &["--constexpr", constants])
    };
    let root = program("root_kernel", "*fp32:16,*fp32:16", "N=1024");
    let before = root.split("sqrt.rn").next().unwrap_or_default();
    assert_eq!(count(before, "ld.global"), 3, "{root}");
    let log = program("log_kernel", "*fp32:16,*fp32:16,*fp32:16", "N=512");
    let before = log.split("bra").next().unwrap_or_default();
    assert_eq!(count(before, "ld.global"), 2, "{log}");
    let sum = |size| program("sum_kernel", "*fp32:16,*fp32:16", size);
    let whole = sum("SIZE=4096,N=1024");
    assert_eq!((count(&whole, "ld.global"), count(&whole, " ld.global")), (8, 0), "{whole}");
    let rest = sum("SIZE=4000,N=1024");
    assert_eq!((count(&rest, "ld.global"), count(&rest, " ld.global")), (8, 1), "{rest}");
}

/// A load is issued before the branch of a division that it does not need, whatever other divisions stand between.
#[test]
fn loads_are_issued_before_divisions_with_a_branch() {
    let before = |kind: &str| {
        let constants = format!("KIND='{kind}',BLOCK=64");
        let signature = "*fp32:16,*fp32:16,i32,i32,i32";
        let file = "tests/programs/loads_before_quotients.tk";
        let ptx = compile(file, "places_kernel", signature, &["--constexpr", &constants]);
        ptx.split_once("bra").map(|(before, _)| count(before, "ld.global"))
    };
    assert_eq!(before("behind"), Some(1));
    assert_eq!(before("address"), Some(0));
    assert_eq!(before("alone"), None, "a division without a branch");
}

/// A mask that a thread has 32 answers of is compared in the loop that selects by it; one of four stays before it.
#[test]
fn masks_before_loops_are_compared_in_them() {
    let signature = "*fp32:16,*fp32:16,i32,i32,i32";
    let loop_of = |constants: &str, warps: &str| {
        let more = ["--constexpr", constants, "--num-warps", warps];
        let ptx = compile("tests/programs/kept_masks.tk", "masked_sums_kernel", signature, &more);
        let (_, behind) = ptx.split_once("$L__BB0_2:").unwrap_or_default();
        let (body, _) = behind.split_once("bra").unwrap_or_default();
        count(body, "setp.")
    };
    // LLVM moves as many before the loop as fit into registers; one ends the loop.
    let compared = loop_of("ROWS=32,COLUMNS=32,TEST=1,USE=0", "1");
    assert!((33 - 7..=33).contains(&compared), "{compared}");
    assert_eq!(loop_of("ROWS=32,COLUMNS=32,TEST=1,USE=0", "8"), 1);
}

/// What goes from one of many reductions to the next is computed behind each of them; with few reductions it is computed where it is stored.
#[test]
fn what_reductions_hand_on_is_computed_behind_them() {
    let before_the_last = |steps: usize| {
        let constants = format!("STEPS={steps},ROWS=16,COLUMNS=16,KIND=0");
        let more = ["--constexpr", constants.as_str()];
        let ptx = compile(SEARCHED_SCALES, "search_kernel", "*fp32:16,*fp32:16,*fp32:16,*i32:16", &more);
        ptx.rsplit_once("shfl.sync").map(|(before, _)| count(before, "setp.lt"))
    };
    assert_eq!(before_the_last(15), Some(0));
    assert!((14..=16).contains(&before_the_last(16).unwrap_or_default()));
    assert!((38..=40).contains(&before_the_last(40).unwrap_or_default()));
}

/// Two tables that lie the other way round are converted once each, not what they are multiplied by, and both results once for their stores.
#[test]
fn tables_are_converted_and_not_what_they_turn() {
    let signature = "*bf16:16,*bf16:16,*bf16:16,*fp32:16,*fp32:16";
    let ptx = compile(SEARCHED_SCALES, "turned_kernel", signature, &["--constexpr", "ROWS=32,COLUMNS=32"]);
    assert_eq!((count(&ptx, "bar.sync"), count(&ptx, "st.shared")), (4, 6), "{ptx}");
}

/// Loads that a thread has several of are issued before the block is written to shared memory, and ptxas is told by one barrier of the warp.
#[test]
fn loads_stay_before_the_writes_to_shared_memory() {
    let transposed = |rows: u32| {
        let blocks = format!("BLOCK_M={rows},BLOCK_N={rows}");
        // Whole blocks have no branch of their own, which the loads would stand in.
        let signature = "*fp32:16,i32:16,*fp32:16,i32:16,i32:16,i32:16";
        compile("examples/transpose.tk", "transpose_kernel", signature, &["--constexpr", &blocks])
    };
    let large = transposed(64);
    assert_eq!(count(&large, "bar.warp.sync"), 1, "{large}");
    let [last_load, barrier, first_write] =
        [large.rfind("ld.global"), large.find("bar.warp.sync"), large.find("st.shared")];
    assert!(last_load.is_some() && last_load < barrier && barrier < first_write, "{large}");
    let small = transposed(16);
    assert!(count(&small, "st.shared") > 0 && count(&small, "bar.warp.sync") == 0, "{small}");
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

/// `tests/counts/conversions.tsv` without its head: how many conversions the reference compiler keeps (Triton 3.9, sm_90; for
/// `attention_fp8.tk` and `both_kernel` 3.6), then the file, kernel, warps, stages, signature and constants; `tests/counts/conversions.py` writes the first column.
fn rows_of_the_reference() -> Vec<Vec<String>> {
    let table = std::fs::read_to_string(root().join("tests/counts/conversions.tsv")).expect("the table is there");
    table.lines().skip(1).map(|line| line.split('\t').map(str::to_string).collect()).collect()
}

#[test]
fn layout_conversions_are_as_few_as_in_the_reference_compiler() {
    let mut more = Vec::new();
    for row in rows_of_the_reference() {
        let [reference, file, kernel, warps, stages, signature, constants] =
            row.try_into().expect("a row of seven columns");
        let options = ["--constexpr", &constants, "--num-warps", &warps, "--num-stages", &stages, "--emit", "ttg"];
        let kept = count(&compile(&format!("examples/{file}"), &kernel, &signature, &options), "ttg.convert_layout");
        if kept > reference.parse().expect("a number") {
            more.push(format!("{kept} instead of {reference}: {file} {kernel} {signature} {constants}"));
        }
    }
    assert!(more.is_empty(), "{}", more.join("\n"));
}

#[test]
fn every_example_is_compared_with_the_reference_compiler() {
    let compared: Vec<String> = rows_of_the_reference().into_iter().map(|row| row[1].clone()).collect();
    let entries = std::fs::read_dir(root().join("examples")).expect("the examples are there");
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let missing: Vec<String> = names.filter(|name| name.ends_with(".tk") && !compared.contains(name)).collect();
    assert!(missing.is_empty(), "no row in tests/counts/conversions.tsv for {}", missing.join(", "));
}

pub(crate) const FACTS: &str = "tests/programs/loop_facts.tk";

/// A tile whose neighbors are apart, but within a line, has one element per thread where it is loaded, and is converted to the layout of the
/// tile of consecutive elements beside it. The reference compiler (Triton 3.6) does so, too.
#[test]
fn tiles_with_small_strides_touch_each_line_once() {
    let conversions = |stride: u32| {
        let constants = format!("STRIDE={stride},SHIFT=0,ROWS=2,COLUMNS=512");
        let signature = "*fp32:16,*fp32:16,*fp32:16,i32,i32:16";
        let more = ["--constexpr", &constants, "--emit", "ttg"];
        let ttg = compile("tests/programs/strided_loads.tk", "biased_softmax_kernel", signature, &more);
        (count(&ttg, "ttg.convert_layout"), count(&ttg, "sizePerThread = [1, 1]"))
    };
    let (unmoved, _) = conversions(1);
    for stride in [2, 3, 4, 16, 31] {
        assert_eq!(conversions(stride), (unmoved + 1, 2), "{stride}");
    }
    for stride in [32, 64] {
        assert_eq!(conversions(stride), (unmoved, 1), "{stride}");
    }
}

/// Of the moments of four columns a thread keeps one: 3 values in 2 + 1 + 1 shuffles that combine and 1 + 2 that tell the others, and loads of what
/// 4 warps have of it. Where lanes kept all, there were 36 shuffles and 48 loads. Four iterations become no loop.
#[test]
fn lanes_share_out_the_results_of_a_reduction() {
    let signature = "*bf16:16,*fp32:16,*fp32:16,i32:16";
    let of = |rows: u32| {
        let constants = format!("ROWS={rows},BLOCK=32,COLUMNS=16");
        compile("tests/programs/columns_of_lanes.tk", "moments_kernel", signature, &["--constexpr", &constants])
    };
    let ptx = of(100);
    assert_eq!(["shfl.", "ld.global", "bra"].map(|word| count(&ptx, word)), [21, 4, 0]);
    // Two loads more are of the conversions of the results.
    assert_eq!(count(&ptx, "ld.shared"), 12 + 2);
    assert!(count(&of(1000), "bra") > 0, "more iterations than that stay a loop");
}

/// What is constant over a block of columns has one address and is loaded once, whatever the tile. The reference compiler (Triton 3.9) loads
/// it for every column that a thread holds where the block has fewer columns than threads, and passes it through shared memory elsewhere.
#[test]
fn scales_of_a_block_are_loaded_once() {
    let signature = "*fp8e4nv:16,*fp8e4nv:16,*fp32:16,*fp32:16,*fp32:16,i32:16,i32:16,i32:16";
    // Rows, columns and warps of a block; what is loaded: a scale per row that a thread holds, and one. Where there are registers, those of rows are
    // loaded one iteration ahead: before the loop, too.
    for (m, n, warps, loads, registers) in
        [(64, 64, "4", 5, 136), (64, 128, "4", 3, 220), (128, 128, "8", 3, 232), (16, 128, "4", 3, 168)]
    {
        let constants = format!("GROUP=128,BLOCK_M={m},BLOCK_N={n},BLOCK_K=128");
        let more = ["--constexpr", &constants, "--num-warps", warps, "--num-stages", "3"];
        let ptx = compile("tests/programs/block_scales.tk", "scaled_product_kernel", signature, &more);
        assert_eq!(count(&ptx, "ld.global"), loads, "{m}x{n}, {warps} warps");
        let module = tk_ptx::parse(&tk_diag::SourceFile::new("kernel.ptx", ptx)).expect("the simulator reads it");
        let peak = module.entries().map(tk_ptx::Function::peak_registers).max().expect("a kernel");
        assert!(peak <= registers, "{m}x{n}, {warps} warps: {peak} registers");
    }
}

/// A sum that is compared with one loaded element keeps its columns spread over the threads: each has four of 2048 in every iteration.
#[test]
fn no_thread_has_all_columns_of_a_sum() {
    let constants = ["--constexpr", "COLUMNS=8192,ROWS=1,BLOCK=2048", "--num-warps", "16"];
    let ptx = compile("tests/programs/few_loads.tk", "hits_kernel", "*i64:16,*fp32:16,*fp32:16,i32", &constants);
    assert!(count(&ptx, "selp") <= 32, "{}", count(&ptx, "selp"));
}

/// A scan of four warps: one exchange of totals, one shuffle for each bit of the lane and one for what comes before the lane.
#[test]
fn scans_meet_once_whatever_the_number_of_warps_and_runs() {
    let sums = |columns: u32, warps: u32| {
        let constants = format!("ROWS=1,COLUMNS={columns},AXIS=1,REVERSE=False");
        let warps = warps.to_string();
        let more = ["--constexpr", constants.as_str(), "--num-warps", warps.as_str()];
        compile("tests/programs/scans.tk", "sums_kernel", "*fp32:16,*fp32:16,i32:16,i32=1", &more)
    };
    for (columns, warps, runs) in [(512, 4, 1), (1024, 8, 1), (2048, 4, 4)] {
        let ptx = sums(columns, warps);
        assert_eq!(count(&ptx, "bar.sync"), 1, "{ptx}");
        assert_eq!(count(&ptx, "shfl.sync"), 6 * runs, "{ptx}");
        assert_eq!(count(&ptx, "ld.shared"), runs * warps as usize / 4, "{ptx}");
    }
}

/// Down its columns, a block of 64 rows and 32 warps takes seven additions within a thread, the totals of eight warps and one addition for each row,
/// and not the totals of 64 rows in four columns.
#[test]
fn columns_are_scanned_in_few_steps() {
    let more = ["--constexpr", "ROWS=64,COLUMNS=128,AXIS=0,REVERSE=False", "--num-warps", "32"];
    let ptx = compile("tests/programs/scans.tk", "sums_kernel", "*fp32:16,*fp32:16,i32:16,i32=1", &more);
    assert_eq!(["bar.sync", "shfl.sync"].map(|word| count(&ptx, word)), [1, 0], "{ptx}");
    assert!(count(&ptx, "ld.shared") <= 8 && count(&ptx, "add.f32") + count(&ptx, "add.rn.f32") <= 7 + 8 + 8, "{ptx}");
}

/// A thread has the address of one row of four, and reaches the four lines of each by constants. With eight rows of its own that are moved once, it has all of
/// them where the grid brings many CTAs.
#[test]
fn gathered_rows_are_read_by_lines() {
    let many = ["--bound", "grid.0=65536", "--bound", "grid.1=1", "--bound", "grid.2=1"];
    // Two or four rows of each tensor, and the place of the numbers in each layout; eight rows, of which those that follow each other are constants apart.
    for (rows, bounds, accesses, addresses) in
        [("64", &[][..], 16, 6), ("64", &many[..], 16, 6), ("32", &[][..], 8, 4), ("32", &many[..], 8, 10)]
    {
        let constants = format!("ROWS={rows},COLUMNS=128");
        let more = [&["--constexpr", &constants, "--num-warps", "4"], bounds].concat();
        let ptx = compile("tests/programs/gathered_rows.tk", "copy_kernel", "*fp32:16,*i32:16,*fp32:16,i32", &more);
        assert_eq!([count(&ptx, "ld.global.v4"), count(&ptx, "st.global.v4")], [accesses; 2], "{ptx}");
        assert_eq!(count(&ptx, "mul.wide") + count(&ptx, "mad.wide"), addresses, "{ptx}");
    }
}

/// Each warp has rows of its own where a loop looks for their largest numbers; threads meet before the numbers of all rows are stored, and behind that.
#[test]
fn repeated_reductions_stay_within_warps() {
    let more = ["--constexpr", "ROWS=8,COLUMNS=128", "--num-warps", "4"];
    let signature = "*fp32:16,*fp32:16,*i32:16,i32";
    let ptx = compile("tests/programs/repeated_reductions.tk", "largest_kernel", signature, &more);
    assert_eq!([count(&ptx, "bar.sync"), count(&ptx, "shfl.sync")], [2, 8], "{ptx}");
}

/// Many numbers are stored behind a comparison of the thread's bits, of which ptxas makes no branches.
#[test]
fn many_numbers_are_stored_without_branches() {
    let compiled = |constants| {
        let more = ["--constexpr", constants, "--num-warps", "4"];
        compile("tests/programs/short_loops.tk", "starts_kernel", "*i64:16,*i64:16,*i64:16,*i64:16", &more)
    };
    assert_eq!(count(&compiled("GROUPS=2"), "and.b32"), 0);
    assert_eq!(count(&compiled("GROUPS=7"), "and.b32"), 1);
}

/// Lanes hand each other the entries of a table that every warp has.
#[test]
fn tables_are_read_by_shuffles() {
    let compiled = |constants| {
        let more = ["--constexpr", constants, "--num-warps", "4"];
        compile("tests/programs/gathers.tk", "look_up_kernel", "*fp32:16,*i32:16,*fp32:16", &more)
    };
    let ptx = compiled("ENTRIES=16,BLOCK=128");
    assert_eq!([count(&ptx, "bar.sync"), count(&ptx, "shfl.sync")], [0, 1], "{ptx}");
    // Four warps have 32 entries each.
    let ptx = compiled("ENTRIES=128,BLOCK=128");
    assert_eq!([count(&ptx, "bar.sync"), count(&ptx, "shfl.sync")], [1, 0], "{ptx}");
}

/// A Walsh-Hadamard transform moves elements once between its steps: within warps for the five lowest bits, through shared memory for two more and back.
#[test]
fn halves_are_exchanged_once_per_step() {
    let more = ["--constexpr", "SIZE=128,STEPS=7", "--num-warps", "4"];
    let ptx = compile("tests/programs/halves.tk", "transform_kernel", "*fp32:16,*fp32:16,*fp32:16", &more);
    assert_eq!([count(&ptx, "bar.sync"), count(&ptx, "shfl.sync")], [3, 5], "{ptx}");
}

/// What a quotient that is wanted, too, leaves of a number is its remainder: only the heads divide once more.
#[test]
fn remainders_follow_from_quotients() {
    let more = ["--constexpr", "BLOCK=512", "--num-warps", "4"];
    let ptx = compile("tests/programs/quotients_and_remainders.tk", "places_kernel", "*i32:16,i32,i32", &more);
    assert_eq!([count(&ptx, "div.s32"), count(&ptx, "rem.s32")], [8, 4], "{ptx}");
}

/// Indices that only addresses need are not divided, and windows around them have the address of the index and numbers.
#[test]
fn flat_indices_are_not_divided() {
    let file = "tests/programs/flat_indices.tk";
    let signature = "*i32:16,*i32:16,*i32:16,i32,i32";
    let ptx = compile(file, "axes_kernel", signature, &["--constexpr", "DEPTH=3,WIDE=7,BLOCK=64"]);
    assert_eq!([count(&ptx, "mul.hi"), count(&ptx, "div.s32")], [0, 1], "{ptx}");
    let ptx = compile(file, "window_kernel", "*i32:16,*i32:16", &["--constexpr", "HEIGHT=6,WIDE=33,REACH=1,BLOCK=128"]);
    // Of the program, of the index, and of what is stored.
    assert_eq!(count(&ptx, "ld.global"), 9, "{ptx}");
    assert!(count(&ptx, "mul.wide") + count(&ptx, "mad.wide") <= 4, "{ptx}");
}

/// Bytes of a block go by words where it is stored transposed.
#[test]
fn bytes_are_transposed_by_words() {
    let more = ["--constexpr", "ROWS=128,COLUMNS=128", "--num-warps", "4"];
    let signature = "*bf16:16,*fp32:16,*i8:16,*i8:16,i32:16,i32:16";
    let ptx = compile("tests/programs/transposed_bytes.tk", "quantise_kernel", signature, &more);
    // Threads wait for what they read, so it is read in wide units, and written in narrow ones.
    let words = ["st.shared.b8", "st.shared.b32", "ld.shared.b32"];
    assert_eq!(words.map(|word| count(&ptx, word)), [0, 32, 0], "{ptx}");
}

/// Numbers of two bytes that are multiplied as tf32 are copied 16 bytes at a time.
#[test]
fn cast_rows_are_copied_in_whole_units() {
    let more = ["--constexpr", "M=64,N=64,K=32", "--num-warps", "4"];
    let ptx = compile("tests/programs/cast_blocks.tk", "linear_kernel", "*fp16:16,*fp16:16,*fp32:16,i32:16", &more);
    let copies: Vec<&str> = ptx.lines().filter(|line| line.contains("shared.global")).collect();
    assert!(!copies.is_empty() && copies.iter().all(|line| line.contains("cp.async.cg")), "{copies:?}");
}

/// What a product of f32 gives is the left operand of the next one as it lies: rows of the right one are written in another order.
#[test]
fn weights_of_f32_stay_in_their_lanes() {
    let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32:16";
    let more = ["--constexpr", "M=64,N=64,D=64"];
    let ptx = compile("tests/programs/cast_blocks.tk", "scores_kernel", signature, &more);
    assert_eq!(["wgmma.mma_async", "shfl.sync"].map(|word| count(&ptx, word)), [16, 0], "{ptx}");
}

/// The loads of four iterations stand before the first store of a loop whose addresses are compared before it.
#[test]
fn loops_that_store_load_for_four_iterations() {
    let signature = "*fp32:16,*fp32:16,*fp32:16,i32,i32,i32,i32";
    let ptx = compile("tests/programs/stores_apart.tk", "recurrence_kernel", signature, &[]);
    let before = ptx.split("st.global").next().unwrap_or_default();
    assert_eq!([count(before, "ld.global"), count(&ptx, "ld.global"), count(&ptx, "st.global")], [8, 10, 5], "{ptx}");
}

/// What is stored is converted once, and scanned in the layout of the store, within a warp.
#[test]
fn what_is_stored_and_scanned_is_converted_once() {
    let constants = ["--constexpr", "ROWS=32,COLUMNS=64", "--num-warps", "4"];
    let signature = "*fp32:16,*fp32:16,*fp32:16,i32:16,i32:16";
    let ptx = compile("tests/programs/scans.tk", "stored_kernel", signature, &constants);
    assert_eq!(count(&ptx, "bar.sync"), 1, "{ptx}");
}

/// Where a launch has few CTAs, a loop that reduces has the loads of its next iteration in front of the first barrier, and those of the first before it.
#[test]
fn blocks_are_loaded_before_the_reductions_of_the_iteration_before() {
    let of = |more: &[&str]| {
        let constants = ["--constexpr", "BLOCK=4096", "--num-warps", "4"];
        compile(SHARED_LOADS, "greatest_kernel", "*fp32:16,*fp32:16,i32:16", &[constants.as_slice(), more].concat())
    };
    assert_eq!(count(&of(&[]), "ld.global"), 8);
    let few = of(&["--bound", "grid.0=2", "--bound", "grid.1=1", "--bound", "grid.2=1"]);
    let before = few.split("bar.sync").next().unwrap_or_default();
    assert_eq!(count(before, "ld.global"), 2 * 8, "{few}");
}

/// What is read from a table meets a block without a conversion.
#[test]
fn tables_have_the_order_of_what_their_values_meet() {
    let of = |kernel, signature, constants| {
        let more = ["--constexpr", constants, "--num-warps", "1"];
        let ptx = compile("tests/programs/tables.tk", kernel, signature, &more);
        ["st.shared", "stmatrix", "bar.sync"].map(|word| count(&ptx, word))
    };
    assert_eq!(of("codes_kernel", "*fp16:16,*fp32:16,*i8:16,*fp16:16", "GROUPS=512,BOOKS=2,SIZE=256"), [0, 0, 0]);
    assert_eq!(
        of("bias_kernel", "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32", "PERIOD=2000,ROWS=8,COLUMNS=128"),
        [0, 0, 0]
    );
}

/// Eight limits of 1024 numbers: each thread compares its eight numbers with all of them, and only the maximum of a row is exchanged. The divisors of its
/// two rows are prepared once.
#[test]
fn short_axes_of_broadcasts_stay_in_threads() {
    let constants = ["--constexpr", "ROWS=32,COLUMNS=32,LIMITS=8"];
    let ptx = compile("tests/programs/broadcast_sums.tk", "count_kernel", "*fp32:16,*fp32:16,*i32:16", &constants);
    assert_eq!(count(&ptx, "setp.gt.f32"), 64 + 2, "{ptx}");
    assert_eq!(count(&ptx, "shfl.sync"), 6, "{ptx}");
    assert_eq!((count(&ptx, "div.full"), count(&ptx, "rcp.approx")), (0, 2), "{ptx}");
}

/// What is loaded beside a block of one row lies where the row does: nothing but the sum passes between threads.
#[test]
fn numbers_beside_one_row_stay_in_their_threads() {
    for columns in ["False", "True"] {
        let constants = format!("BLOCK=4096,ROWS=1,COLUMNS={columns}");
        let more = ["--constexpr", constants.as_str()];
        let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32:16";
        let ptx = compile("tests/programs/one_row.tk", "scale_kernel", signature, &more);
        assert_eq!(count(&ptx, "ld.global.v4"), 24, "{ptx}");
        assert_eq!(count(&ptx, "bar.sync"), 1, "{ptx}");
    }
}

/// Values and scores of 128x128 have no room in the registers of a thread at once: the loads of the values stand behind the reduction of the scores,
/// unless something is written between, and their mask is compared again.
#[test]
fn loads_without_room_stand_behind_the_reduction() {
    let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,*i32:16,i32,i32";
    for (between, behind) in [(0, 32), (1, 0), (2, 0), (3, 0)] {
        let constants = format!("ROWS=128,COLUMNS=128,BETWEEN={between}");
        let ptx = compile("tests/programs/sunk_loads.tk", "weighted_kernel", signature, &["--constexpr", &constants]);
        let (before, after) = ptx.rsplit_once("max.f32").expect("the scores have a maximum");
        let loads = |text: &str| count(text, "ld.global.v4.b32");
        assert_eq!((loads(before), loads(after)), (64 - behind, behind), "{constants}\n{ptx}");
        let again = after.rsplit_once("ld.global").map_or(after, |(loads, _)| loads);
        assert_eq!(count(again, "setp.lt.s32") >= 31, behind > 0, "{ptx}");
    }
}

/// A branch with products in a loop: words of the operand that does not change are made before the loop, and not in the branch.
#[test]
fn operands_leave_branches_with_products() {
    let signature = "*fp16:16,*fp16:16,*i32:16,*fp32:16,i32,fp32";
    let constants = ["--constexpr", "M=16,N=32,D=64,NESTED=1,OTHERWISE=False"];
    let ptx = compile("tests/programs/products_in_branches.tk", "selected_kernel", signature, &constants);
    let in_loop = |what: &str| last_loop(&ptx).filter(|line| line.contains(what)).count();
    assert_eq!((in_loop("mma.sync"), in_loop("{%rs")), (4, 0), "{ptx}");
}

/// Products of a batch read one left operand for all of them, and blocks of three axes with rows for columns, by `ldmatrix` from where copies wrote them.
/// What else needs such a block has it in registers, and the operand goes through scratch memory.
#[test]
fn products_of_batches_read_the_buffers_of_copies() {
    let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32:64,i32:64,i32:64,i32:64,i32:64,i32=1";
    let body = |kind: &str| {
        let constants = format!("KIND='{kind}',BATCH=4,M=64,N=64,K=32");
        let more = ["--constexpr", &constants, "--num-warps", "4", "--num-stages", "3"];
        let ptx = compile("tests/programs/products_of_batches.tk", "left_kernel", signature, &more);
        last_loop(&ptx).collect::<Vec<_>>().join("\n")
    };
    let turned = body("turned");
    // Each warp has one product: 64x32 words of either operand, 8x4 at a time, four of them by one instruction.
    assert_eq!(count(&turned, "ldmatrix"), 2 * (64 / 8) * (32 / 4) / 4, "{turned}");
    assert_eq!((count(&turned, "ld.shared"), count(&turned, "st.shared")), (0, 0), "{turned}");
    let summed = body("summed");
    assert!(count(&summed, "st.shared") > 0, "{summed}");
}

/// The lines from the last label that a branch below it goes back to.
pub(crate) fn last_loop(ptx: &str) -> impl Iterator<Item = &str> {
    let lines: Vec<&str> = ptx.lines().collect();
    let start_of = |end: usize| {
        let label = lines[end].split_once("bra")?.1.split_whitespace().next_back()?.trim_end_matches(';');
        lines[..end].iter().position(|line| line.strip_suffix(':') == Some(label))
    };
    let ends = (0..lines.len()).rev().find_map(|end| Some((start_of(end)?, end)));
    let (start, end) = ends.expect("there is a loop");
    lines.into_iter().skip(start).take(end - start)
}

/// A convolution's loop is there twice where the grid brings many CTAs, once with masks and once without.
#[test]
fn masks_of_the_first_iteration_are_tested_once() {
    let more = ["--constexpr", "R=16,C=32", "--num-warps", "1", "--bound", "grid.0=64", "--bound", "grid.1=64"];
    let signature = "*i32:16,*i32:16,*i32:16,i32,i32,i32,i32";
    let ptx = compile("tests/programs/moving_masks.tk", "images_kernel", signature, &more);
    assert_eq!(count(&ptx, "ld.global"), 2 * 17);
}
