//! What becomes of loops: copies of their bodies, loads that run ahead, and what hints in them say.

use crate::counts::{FACTS, compile, count};

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
