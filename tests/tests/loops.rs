//! What becomes of loops: copies of their bodies, loads that run ahead, and what hints in them say.

use crate::counts::{FACTS, compile, count, last_loop};

/// What a hint or an assumption says of a value that a loop carries makes loads as wide as it would before the loop. The loop of `hinted_sum` has
/// four copies of its body, and one behind them.
#[test]
fn hints_in_loops_make_loads_wide() {
    let loads = |kernel: &str, how: &str| {
        let constants = format!("HOW='{how}',ROWS=16,COLS=64");
        let ptx = compile(FACTS, kernel, "*fp16:16,*fp32:16,i32,i32", &["--constexpr", &constants]);
        (count(&ptx, "ld.global.v4.b32"), count(&ptx, "ld.global.b16"))
    };
    for how in ["statement", "assigned", "computed", "carried_offset", "assume", "assume_mask", "assume_equal"] {
        assert_eq!(loads("hinted_sum", how), (7, 0), "{how}");
    }
    for how in ["outer", "inner", "while"] {
        assert_eq!(loads("hinted_nest", how).1, 0, "{how}");
    }
    for (kernel, copies) in [("hinted_sum", 7), ("hinted_nest", 2)] {
        assert_eq!(loads(kernel, "none"), (0, 8 * copies), "{kernel}");
    }
}

/// Loops that load a few bytes are copied, with branches or a loop for the rest; those whose addresses are what they loaded before are not.
#[test]
fn small_loops_load_for_several_iterations() {
    let loads = |kernel: &str, signature: &str, constants: &str| {
        count(&compile(FACTS, kernel, signature, &["--constexpr", constants]), "ld.global")
    };
    let rotated = |constants: &str| loads("rotated", "*fp32:16,*fp32:16,i32", constants);
    // One load before the loop; two in each copy, as many copies as there are iterations or four, and two in the loop for the rest, or in each copy of its
    // branches.
    assert_eq!(rotated("HALF=64,GROUP=4,BLOCK=64"), 1 + 2 * 4 + 2);
    assert_eq!(rotated("HALF=64,GROUP=3,BLOCK=64"), 1 + 2 * 3 + 2);
    assert_eq!(rotated("HALF=64,GROUP=64,BLOCK=64"), 1 + 2 * (4 + 2 + 1));
    // 16 bytes per thread and load are enough under way.
    assert_eq!(rotated("HALF=512,GROUP=4,BLOCK=512"), 1 + 2);
    let small = |constants: &str| loads("small_loops", "*fp32:16,*i32:16,*fp32:16,i32,i32,i32", constants);
    assert_eq!(small("CHAIN=0,BLOCK=64"), 16 + 8 + 4 + 2 + 1);
    assert_eq!(small("CHAIN=1,BLOCK=64"), 1);
}

/// Rows of a segment that are taken one by one are loaded sixteen at a time, those that are left in branches, and none with a mask: inside of the loop they
/// are inside of the segment.
#[test]
fn rows_of_segments_are_loaded_together() {
    let signature = "*i64:16,*i64:16,*fp16:16,*fp32:16,*fp32:16,i32:16,i32:16";
    let constants = ["--constexpr", "R=1,C=64,HOW='sum'", "--num-warps", "2"];
    let ptx = compile("tests/programs/segments.tk", "rows_kernel", signature, &constants);
    let masked = ptx.lines().filter(|line| line.contains("ld.global") && line.trim_start().starts_with('@')).count();
    // Two places of 64 bits are one access where sixteen rows begin at a multiple of as many.
    assert_eq!((count(&ptx, "ld.global"), masked), (1 + 8 + 16 + 2 * (8 + 4 + 2 + 1), 0), "{ptx}");
}

/// A row of weights that is the same in each iteration is loaded, and given to the threads that need it, before the loop. Then blocks of rows are loaded together:
/// sixteen where few programs run, behind which stands the loop of four that others have.
#[test]
fn rows_beside_weights_are_loaded_together() {
    let signature = "*fp16:16,*bf16:16,*fp32:16,i32,i32:16,i32:16";
    let of = |grid: &[&str]| {
        let more = [&["--constexpr", "R=2,C=128", "--num-warps", "4"], grid].concat();
        let ptx = compile("tests/programs/weights_of_columns.tk", "columns_kernel", signature, &more);
        // Threads meet once for the weights, and twice for each sum of columns.
        assert_eq!(count(&ptx, "bar.sync"), 1 + 2 * 2, "{ptx}");
        count(&ptx, "ld.global")
    };
    assert_eq!(of(&[]), 1 + 4 + 2 + 1);
    assert_eq!(of(&["--bound", "grid.0=1", "--bound", "grid.1=1", "--bound", "grid.2=1"]), 1 + 16 + 4 + 2 + 1);
}

/// A `while` loop over numbers of blocks copies them ahead, as a `for` loop does.
#[test]
fn counted_blocks_are_copied_ahead() {
    let more = ["--constexpr", "M=32,N=64,BLOCK=64", "--num-warps", "4", "--num-stages", "3"];
    let ptx = compile("tests/programs/counting_loops.tk", "blocks_kernel", "*fp16:16,*fp16:16,*fp32:16,i32:16", &more);
    assert!(count(&ptx, "cp.async.cg.shared.global") >= 12, "{ptx}");
}

/// ptxas copies no loop whose numbers would wrap around at the end of its copies.
#[test]
fn loops_of_long_steps_are_not_copied() {
    let ptx = compile("tests/programs/counting_loops.tk", "far_kernel", "*i32:16,i32,i32,i32", &[]);
    assert_eq!(count(&ptx, ".pragma \"nounroll\""), 1, "{ptx}");
}

/// A loop that turns halves of rows in place loads those of four rows before it stores the first one.
#[test]
fn loops_in_place_load_for_four_iterations() {
    let more = ["--constexpr", "WIDTH=128,HALF=64,BLOCK=64", "--num-warps", "2"];
    let signature = "*fp32:16,*fp32:16,*fp32:16,i32,i32";
    let ptx = compile("tests/programs/loops_in_place.tk", "turn_kernel", signature, &more);
    let before = ptx.split("st.global").next().unwrap_or_default();
    assert_eq!(count(before, "ld.global"), 2 + 8, "{ptx}");
}

/// Behind `if row < rows` the loads of eight rows come first, by masks, where rows become columns that lie apart, and all where they are stored in place. What is
/// divided by the number that the condition is about, what a loaded number chooses, and what has another side stay behind their branches.
#[test]
fn guarded_rows_load_for_eight_iterations() {
    let loads = |kernel: &str, signature: &str, constants: &str| {
        let more = ["--constexpr", constants, "--num-warps", "1"];
        let ptx = compile("tests/programs/guarded_rows.tk", kernel, signature, &more);
        let before = ptx.split("st.global").next().unwrap_or_default();
        [count(before, "ld.global"), count(&ptx, "ld.global")]
    };
    assert_eq!(loads("transpose_kernel", "*fp32:16,*fp32:16,i32,i32,i32,i32", "BLOCK=16")[0], 8);
    let doubled = |width| loads("double_kernel", "*fp32:16,i32,i32,i32", &format!("WIDTH={width},COLUMNS=32,ROWS=8"));
    assert_eq!((doubled(20), doubled(0)), ([8, 8], [1, 8]));
    let branches = |kind| loads("branches_kernel", "*i32:16,*i32:16,*i32:16,i32,i32", &format!("KIND='{kind}'"));
    assert_eq!(["quotient", "chosen", "other"].map(branches), [[1, 1], [2, 2], [1, 1]]);
}

/// Threads do not wait for each other for what only the first one loads and stores.
#[test]
fn running_sums_have_no_barriers() {
    for (rows, loads) in [("rows=16", 16), ("rows=17", 17)] {
        let more = ["--constexpr", rows, "--num-warps", "4"];
        let ptx = compile("tests/programs/loops_in_place.tk", "running_kernel", "*i32:16,i32", &more);
        assert_eq!(["bar.sync", "bra", "ld.global"].map(|what| count(&ptx, what)), [0, 0, loads], "{ptx}");
    }
    let more = ["--constexpr", "BLOCK=8"];
    let ptx = compile("tests/programs/loops_in_place.tk", "chain_kernel", "*i32:16,*i32:16,i32", &more);
    assert!(count(&ptx, "bar.sync") > 0, "{ptx}");
}

/// A loop of eight iterations is straight code, although each may store what the next one loads, and its conditions are known.
#[test]
fn short_loops_are_straight_code() {
    let compiled = |kernel, signature, constants| {
        compile("tests/programs/short_loops.tk", kernel, signature, &["--constexpr", constants, "--num-warps", "4"])
    };
    let ptx = compiled("rotate_kernel", "*fp32:16,*fp32:16", "WIDTH=8");
    assert_eq!([count(&ptx, "bra"), count(&ptx, "ld.global"), count(&ptx, "setp")], [0, 8, 1], "{ptx}");
    let ptx = compiled("table_kernel", "*fp32:16,*fp32:16", "ROWS=3,COLUMNS=4,BLOCK=128");
    assert_eq!([count(&ptx, "bra"), count(&ptx, "ld.global")], [0, 12], "{ptx}");
}

/// Rows that an earlier loop has read leave the caches where they are read for the last time, and what is stored beside them leaves the first one.
/// Weights, what is read once, and what an outer loop comes back to stay.
#[test]
fn what_is_used_for_the_last_time_leaves_the_caches() {
    let marks = |kernel: &str, signature: &str, constants: &str| {
        let ptx = compile("tests/programs/last_uses.tk", kernel, signature, &["--constexpr", constants]);
        let (loads, stores) = (count(&ptx, "ld.global.L1::evict_first"), count(&ptx, "st.global.L1::no_allocate"));
        (loads, count(&ptx, "ld.global") - loads, stores, count(&ptx, "st.global") - stores)
    };
    let norm = marks("norm_kernel", "*fp16:16,*fp16:16,*fp16:16,i32:16,i32:16,fp32", "BLOCK=1024");
    assert_eq!(
        norm,
        (1, 8, 1, 0),
        "rows in the second loop; four copies of the first one and three for its rest, and weights, stay"
    );
    assert_eq!(marks("vector_kernel", "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32:16", "ROWS=2,BLOCK=512").0, 0);
    assert_eq!(marks("rounds_kernel", "*fp32:16,*fp32:16,i32:16", "ROUNDS=2,BLOCK=512").0, 0);
}

/// Blocks from which a loop takes rows and columns are written to shared memory once, and threads meet in no iteration for what they take. Two barriers are
/// left in the loop, for a row that becomes a column.
#[test]
fn what_loops_gather_from_is_written_once() {
    let constants = ["--constexpr", "ROWS=16,COLUMNS=64"];
    let signature = "*fp16:16,*fp16:16,*i32:16,*fp32:16,i32,i32";
    let ptx = compile("tests/programs/gathers.tk", "rows_kernel", signature, &constants);
    let (_, inner) = ptx.split_once("$L__BB0_3:").expect("the inner loop");
    let (inner, _) = inner.split_once("$L__BB0_5:").expect("what is behind the loops");
    assert_eq!(count(inner, "bar.sync"), 2, "{ptx}");
    assert!(count(inner, "ld.shared") > 0, "{ptx}");
}

/// A block that wraps around is loaded in wide accesses where a `while` loop counts up from a number that is not negative by a step of which only
/// the run knows, and element by element where the loop may end while the number falls.
#[test]
fn whiles_that_count_up_load_wide() {
    let loads = |kernel: &str, signature: &str, constants: &str| {
        let ptx = compile("tests/programs/counting_whiles.tk", kernel, signature, &["--constexpr", constants]);
        (count(&ptx, "ld.global.v4.b32"), count(&ptx, "ld.global"))
    };
    for turned in ["False", "True"] {
        let constants = format!("BLOCK=512,TURNED={turned}");
        assert_eq!(loads("tiles_kernel", "*i32:16,*i32:16,i32,i32:16,i32", &constants), (1, 1), "{turned}");
    }
    for kernel in ["both_kernel", "breaking_kernel", "falling_kernel"] {
        assert_eq!(loads(kernel, "*i32:16,*i32:16,i32,i32,i32:16,i32", "BLOCK=512"), (0, 4), "{kernel}");
    }
}

/// A load goes before divisions that threads look at first, unless it waits for another load; a label is extended where it is needed; and the loads of
/// one mask share a branch.
#[test]
fn loads_are_issued_before_waits() {
    let program = |kernel: &str, signature: &str, constants: &str| {
        compile("tests/programs/loads_at_once.tk", kernel, signature, &["--constexpr", constants])
    };
    for (indirect, all) in [("False", 1), ("True", 2)] {
        let constants = format!("GROUP=2,INDIRECT={indirect}");
        let swizzle = program("swizzle_kernel", "*fp32:16,*i32:16,*fp32:16", &constants);
        let before = swizzle.split("bra").next().unwrap_or_default();
        assert_eq!((count(before, "ld.global"), count(&swizzle, "ld.global")), (1, all), "{swizzle}");
    }
    let label = program("label_kernel", "*fp32:16,*i32:16,*fp32:16,i32", "BLOCK=128");
    assert_eq!(count(&label, "ld.global.s32"), 0, "{label}");
    let bits = program("bits_kernel", "*i32:16,*i64:16,i32", "ROWS=27,BLOCK=256");
    let (_, behind) = bits.split_once("ld.global.v2").expect("wide loads");
    let (between, _) = behind.rsplit_once("ld.global.v2").expect("several of them");
    assert_eq!((count(&bits, "ld.global.v2"), count(between, "bra")), (14, 0), "{bits}");
}

/// The other axes of a grid, without which nobody knows how many programs it brings.
const ONE_ROW_OF_PROGRAMS: [&str; 4] = ["--bound", "grid.1=1", "--bound", "grid.2=1"];

/// Loads with another number than zero behind a mask that the loop does not change are copied as far ahead as its stages say, if that costs no CTA; with
/// other masks they stay loads, and so do operands of products. Scales beside copies go along where they are more than an iteration ahead.
#[test]
fn loads_with_other_numbers_are_copied_ahead() {
    let groups = |kernel: &str, signature: &str, constants: &str, [warps, stages, ctas]: [&str; 3]| {
        let bound = format!("grid.0={ctas}");
        let more = ["--constexpr", constants, "--num-warps", warps, "--num-stages", stages, "--bound", &bound];
        let more = [&more[..], &ONE_ROW_OF_PROGRAMS].concat();
        let ptx = compile("tests/programs/other_numbers.tk", kernel, signature, &more);
        count(&ptx, "cp.async.commit_group")
    };
    let rows = |mask: &str, block: &str, warps: &str, ctas: &str| {
        let constants = format!("WHERE='{mask}',OTHER=-1.5,BLOCK={block},STAGES=4");
        groups("rows_kernel", "*fp32:16,*fp32:16,i32,i32:16,fp32", &constants, [warps, "3", ctas])
    };
    assert_eq!(["fixed", "argument", "moving", "row"].map(|mask| rows(mask, "2048", "1", "132")), [4, 4, 0, 0]);
    assert_eq!(rows("fixed", "2048", "4", "132"), 0, "a row waits in registers");
    assert_eq!(["132", "4096"].map(|ctas| rows("fixed", "16384", "16", ctas)), [4, 0], "others compute meanwhile");
    assert_eq!(rows("fixed", "32768", "16", "132"), 2, "there is room for one row");
    let scaled = |own: &str, stages: &str| {
        let constants = format!("OWN={own},SCALE=1.0,BM=128,BN=64,BK=64");
        let signature = "*fp16:16,*i8:16,*fp16:16,*fp32:16,i32,i32:16,i32:16,i32:16";
        groups("scaled_kernel", signature, &constants, ["4", stages, "132"])
    };
    assert_eq!(scaled("0.0", "4"), 12, "operand, weights and scales");
    assert_eq!(scaled("0.0", "2"), 4, "scales wait in registers for an iteration");
    assert_eq!(scaled("2.0", "4"), 0, "a product reads its operand where it is copied, and nothing else is");
}

/// Values of attention in f32 that one program has the multiprocessor for are copied number by number: threads write for a product before the loop alone,
/// and weights stay in their lanes. Where a thread has more of them, another use needs them, or other programs multiply meanwhile, they are loaded.
#[test]
fn values_of_f32_are_copied_by_elements_where_a_program_is_alone() {
    let of = |kind: &str, columns: u32, ctas: u32| {
        let constants = format!("M=64,N=64,D=16,E={columns},KIND='{kind}',MASKED=False");
        let bound = format!("grid.0={ctas}");
        let more = ["--constexpr", &constants, "--num-warps", "4", "--num-stages", "3", "--bound", &bound];
        let more = [&more[..], &ONE_ROW_OF_PROGRAMS].concat();
        let signature = format!("{},i32,i32,i32=1", ["*fp32:16"; 6].join(","));
        let ptx = compile("tests/programs/turned_values.tk", "values_kernel", &signature, &more);
        (count(&ptx, "cp.async.ca") > 0, count(&ptx, "fence.proxy.async") > 1, count(&ptx, "shfl.sync"))
    };
    assert_eq!([16, 32].map(|columns| of("plain", columns, 100)), [(true, false, 0); 2]);
    assert!(of("stored", 16, 100).0);
    for (kind, columns, ctas) in [("plain", 64, 100), ("summed", 16, 100), ("computed", 16, 100), ("plain", 16, 4096)] {
        let (are_copied, are_written, _) = of(kind, columns, ctas);
        assert!(!are_copied && are_written, "{kind} {columns} {ctas}");
    }
}

/// Values of attention in f32 that threads turn are written in units of 16 bytes, computed from or not. Those that another use needs are written as that has them.
#[test]
fn what_threads_turn_is_written_in_wide_units() {
    let writes = |kind: &str| {
        let constants = format!("M=64,N=64,D=16,E=64,KIND='{kind}',MASKED=True");
        let more = ["--constexpr", &constants, "--num-warps", "4", "--num-stages", "3", "--bound", "grid.0=100"];
        let more = [&more[..], &ONE_ROW_OF_PROGRAMS].concat();
        let signature = format!("{},i32,i32,i32=1", ["*fp32:16"; 6].join(","));
        let ptx = compile("tests/programs/turned_values.tk", "values_kernel", &signature, &more);
        ["st.shared.b32", "st.shared.v4"].map(|what| count(&ptx, what))
    };
    assert_eq!(["plain", "computed"].map(writes), [[0, 18]; 2]);
    assert!(writes("summed")[0] >= 32);
}

/// A row of 128 numbers that scores of two groups of warps are scaled by is one copy of 16 bytes by one warp, before the loop twice and in it, wherever its
/// pointers come from; keys and values are one copy each. In the layout of the scores it was sixteen copies of 8 bytes. Rows of a number for each thread, and
/// those at loaded places, are copied as they are read.
#[test]
fn rows_are_copied_by_few_threads() {
    let copies = |kind: &str, masked: &str, [warps, rows]: [&str; 2]| {
        let constants = format!("M={rows},N=128,D=16,E=16,KIND='{kind}',MASKED={masked},SQUARE=False");
        let more = ["--constexpr", &constants, "--num-warps", warps];
        let ptx = compile(COPIED_ROWS, "rows_kernel", ROW_SIGNATURE, &more);
        ["cp.async.ca", "cp.async.cg"].map(|what| count(&ptx, what))
    };
    for kind in ["plain", "carried", "block"] {
        assert_eq!(copies(kind, "False", ["8", "128"]), [0, 9], "{kind}");
        assert_eq!(copies(kind, "True", ["8", "128"]), [0, 9], "{kind}");
    }
    assert_eq!(copies("plain", "False", ["4", "64"]), [3, 12]);
}

/// Weights that are computed from scores element by element are multiplied in steps where two groups of warps run: eight instructions start by themselves.
/// Behind the maximum of a row, and in one group, they start together.
#[test]
fn products_of_what_needs_no_reduction_start_in_steps() {
    let starts = |kind: &str, [warps, rows]: [&str; 2]| {
        let constants = format!("M={rows},N=128,D=16,E=16,KIND='{kind}',MASKED=False,SQUARE=True");
        let more = ["--constexpr", &constants, "--num-warps", warps];
        let ptx = compile(COPIED_ROWS, "rows_kernel", ROW_SIGNATURE, &more);
        count(&ptx, "wgmma.fence")
    };
    assert_eq!([starts("plain", ["8", "128"]), starts("carried", ["8", "128"])], [9, 9]);
    assert_eq!([starts("largest", ["8", "128"]), starts("plain", ["4", "64"])], [2, 2]);
}

const COPIED_ROWS: &str = "tests/programs/copied_rows.tk";
const ROW_SIGNATURE: &str = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,*i32:16,*fp32:16,i32:16";

/// Values that threads load themselves are asked for at the start of the iteration, before the first product: no load is left between the products. A loop
/// that writes to what may be the same memory keeps them.
#[test]
fn loads_without_copies_are_issued_together() {
    let behind_first_product = |writes: &str| {
        let constants = format!("DIM=64,BLOCK_M=128,BLOCK_N=32,WRITES={writes}");
        let more = ["--constexpr", &constants, "--num-warps", "4", "--num-stages", "1"];
        let signature = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,*i32:16,fp32,i32";
        let ptx = compile("tests/programs/loads_of_iterations.tk", "segments_kernel", signature, &more);
        let before: Vec<&str> = ptx.split("m64n64k16").next().unwrap_or_default().lines().collect();
        let is_between = |line: &&&str| !line.ends_with(':') && !line.contains("m64n32k16");
        before.iter().rev().take_while(is_between).filter(|line| line.contains("ld.global")).count()
    };
    assert_eq!([behind_first_product("False"), behind_first_product("True")], [0, 4]);
}

/// Loads of a recurrence that stores in each step run four steps ahead, where few warps run: four steps before the loop, four in it, one in the loop for
/// the rest, and one in the loop that runs where what is stored may be loaded later.
#[test]
fn recurrences_load_four_steps_ahead() {
    let loads = |ctas: &str| {
        let bound = format!("grid.0={ctas}");
        let more = ["--constexpr", "D=128,N=8", "--num-warps", "2", "--bound", &bound];
        let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32";
        let more = [&more[..], &ONE_ROW_OF_PROGRAMS].concat();
        count(&compile("tests/programs/recurrences.tk", "steps_kernel", signature, &more), "ld.global")
    };
    assert_eq!([loads("132"), loads("10000")], [2 * (4 + 4 + 1 + 1), 2]);
}

/// Loads of running sums along rows, which one warp has alone, run ahead as those of a recurrence do: nothing meets there, but no scan is copied.
#[test]
fn scans_of_one_warp_load_four_blocks_ahead() {
    let loads = |ctas: &str| {
        let bound = format!("grid.0={ctas}");
        let more = ["--constexpr", "R=4,C=32", "--num-warps", "1", "--bound", &bound];
        let more = [&more[..], &ONE_ROW_OF_PROGRAMS].concat();
        let signature = "*fp32:16,*fp32:16,i32:16,i32:16";
        count(&compile("tests/programs/scans_ahead.tk", "whole_sums_kernel", signature, &more), "ld.global")
    };
    assert_eq!([loads("132"), loads("10000")], [4 + 4 + 1 + 1, 1]);
}

/// A program with one stage may rely on the order of its loads and stores: blocks that a loop multiplies are not asked for before it stores its state.
#[test]
fn one_stage_keeps_loads_behind_stores() {
    let grid = ["grid.0=1", "grid.1=1", "grid.2=1"].map(|bound| ["--bound", bound]).concat();
    let warps = ["--constexpr", "CHUNK=64,SIZE=32", "--num-warps", "2", "--num-stages", "1"];
    let more = [grid, warps.to_vec()].concat();
    let signature = "*fp32:16,*fp32:16,*fp32:16,i32,i32";
    let ptx = compile("tests/programs/stored_states.tk", "states_kernel", signature, &more);
    let before = ptx.split("st.global").next().unwrap_or_default();
    assert_eq!(count(before, "ld.global"), 0, "{ptx}");
}

/// Warps meet for a part of a vector in each iteration. Where few of them run, the loads of four copies go before the first meeting, and two branches have two iterations
/// and one: seven times five loads.
#[test]
fn loops_whose_warps_meet_load_for_four_iterations() {
    let of = |ctas: &str| {
        let bound = format!("grid.0={ctas}");
        let more = ["--constexpr", "N=16,K=128,MASKED=False", "--num-warps", "4", "--bound", &bound];
        let signature = "*fp32:16,*fp32:16,*fp32:16,i32:16,i32:16";
        let more = [&more[..], &ONE_ROW_OF_PROGRAMS].concat();
        compile("tests/programs/warps_meet_in_loops.tk", "product_kernel", signature, &more)
    };
    let [few, many] = [of("132"), of("10000")];
    assert_eq!([count(&few, "ld.global"), count(&many, "ld.global")], [7 * 5, 5]);
    let first = few.split("bar.sync").next().unwrap_or_default();
    assert_eq!(count(first, "ld.global"), 4 * 5, "{few}");
}

/// Where most blocks of keys are whole, their masks stand behind a branch; a loop that starts on the diagonal has none.
#[test]
fn masks_of_whole_blocks_are_skipped() {
    let signature = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,i32,i32,i32";
    let branches = |mask: &str| {
        let constants = format!("MASK='{mask}',D=16,ROWS=64,KEYS=32");
        let more = ["--constexpr", &constants, "--num-warps", "4", "--num-stages", "3", "--bound", "grid.0=1024"];
        let ptx = compile("tests/programs/skipped_masks.tk", "weights_kernel", signature, &more);
        last_loop(&ptx).filter(|line| line.contains("bra")).count()
    };
    let without = branches("diagonal");
    // What is compared and chosen for every score stands in blocks of its own.
    assert!(["causal", "end", "window"].iter().all(|mask| branches(mask) > without));
}
