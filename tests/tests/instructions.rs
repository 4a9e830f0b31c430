//! Deterministic counts of the instructions that compute.

use crate::counts::{ADD, compile, count, last_loop};

/// A whole warp counts in one instruction, where a butterfly takes five shuffles that wait for each other: once in the loop and once behind it. What
/// is left are the least and the greatest float.
#[test]
fn a_warp_adds_integers_at_once() {
    let constants = ["--constexpr", "WANTED=4,STEPS=32,SIZE=32", "--num-warps", "1"];
    let ptx = compile("tests/programs/whole_warps.tk", "threshold_kernel", "*fp32:16,*i32:16", &constants);
    assert_eq!(["redux.sync.add", "shfl."].map(|word| count(&ptx, word)), [2, 10], "{ptx}");
}

/// A whole exponent is products, as the reference compiler (Triton 3.6) has them of integers, and no logarithm.
#[test]
fn whole_exponents_are_products() {
    let ptx =
        compile("tests/programs/whole_warps.tk", "powers_kernel", "*fp32:16,*fp32:16", &["--constexpr", "SIZE=128"]);
    assert_eq!(
        ["ex2.", "lg2.", "bra", "mul.f32", "fma.", "rcp.rn.f32"].map(|word| count(&ptx, word)),
        [0, 0, 0, 2, 1, 1],
        "{ptx}"
    );
}

/// Selections by two conditions are one, and exponentials select nothing: an iteration of the online sum has five selections (the greater number,
/// one factor for each exponential where nothing is there yet, one mask for each sum), in four copies of the body and three in branches for the rest.
#[test]
fn two_conditions_select_once() {
    const FILE: &str = "tests/programs/selections.tk";
    let counted = |kernel: &str, signature: &str, constants: &str| {
        let ptx = compile(FILE, kernel, signature, &["--constexpr", constants]);
        ["ex2.", "setp", "selp", "or.pred"].map(|word| count(&ptx, word))
    };
    let signature = "*fp32:16,*fp32:16,*fp32:16,i32";
    assert_eq!(counted("exponentials_kernel", signature, "SIZE=128"), [2, 1, 0, 0]);
    let [exponentials, _, selections, joined] = counted("online_kernel", signature, "COLUMNS=128");
    assert_eq!([exponentials, selections, joined], [2 * 7, 5 * 7, 7]);
    let [_, _, selections, joined] =
        counted("extremes_kernel", "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32", "ROWS=1,COLUMNS=128");
    assert_eq!([selections, joined], [5 * 15, 2 * 15], "eight copies, and seven in branches");
}

/// Exponentials of many elements have no predicate each: roots that are never subnormal are squared.
#[test]
fn exponentials_of_many_elements_test_nothing() {
    let of = |size: &str| {
        let ptx =
            compile("tests/programs/selections.tk", "natural_kernel", "*fp32:16,*fp32:16", &["--constexpr", size]);
        ["ex2.approx.f32", "ex2.approx.ftz.f32"].map(|word| count(&ptx, word))
    };
    assert_eq!([of("SIZE=1024"), of("SIZE=2048")], [[8, 0], [0, 16]]);
}

/// Products of few rows are computed the other way round where that is how the next product reads them, unless something needs their rows.
#[test]
fn products_of_few_rows_are_turned() {
    let of = |kind: &str, rows: u32| {
        let signature = "*fp16:16,*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32";
        let constants = format!("L={rows},F=64,D=32,KIND={kind}");
        let options = ["--constexpr", &constants, "--num-warps", "4"];
        let ptx = compile("tests/programs/turned_products.tk", "gradients_kernel", signature, &options);
        count(&ptx, "mma.sync.aligned") > 0
    };
    assert_eq!([of("plain", 32), of("plain", 16), of("select", 32)], [false; 3]);
    assert_eq!([of("stored", 32), of("bias", 32)], [true; 2]);
}

/// Of words from shared memory the upper pair is converted where it stands; of those that a mask may leave zero it is shifted.
#[test]
fn upper_pairs_of_bytes_need_no_shift() {
    let pairs = |kernel: &str, signature: &str, constants: &str| {
        let constants = ["--constexpr", constants, "--num-warps", "2"];
        let ptx = compile("tests/programs/halves_of_words.tk", kernel, signature, &constants);
        ["{_, pair}", "cvt.u16.u32 pair"].map(|word| count(&ptx, word))
    };
    let signature = "*fp8e4nv:16,*fp8e4nv:16,*fp32:16,i32:16";
    assert_eq!(pairs("product_kernel", signature, "N=64,BM=32,BK=32"), [16, 16]);
    assert_eq!(pairs("masked_kernel", "*fp8e4nv:16,*fp32:16,i32:16", "SIZE=256"), [0, 2]);
}

/// To round is one instruction.
#[test]
fn integers_nearby_are_one_conversion() {
    let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32";
    let ptx = compile("tests/programs/selections.tk", "rounded_kernel", signature, &["--constexpr", "SIZE=128"]);
    assert_eq!(["cvt.rni", "cvt.rzi", "setp", "selp"].map(|word| count(&ptx, word)), [2, 1, 1, 0], "{ptx}");
}

/// ptxas drops optimisation when the target line asks for debugging.
#[test]
fn ptx_never_asks_for_debugging() {
    let ptx = compile(ADD[0], ADD[1], ADD[2], &["--constexpr", "BLOCK_SIZE=1024"]);
    assert!(ptx.contains(".target sm_90a\n"), "{ptx}");
}

/// Indices of 64 bits are compared with constants where the rest is one number for the block, and divided in 32 bits where these hold them.
#[test]
fn wide_indices_are_compared_with_constants_and_divided_in_32_bits() {
    const FILE: &str = "tests/programs/wide_indices.tk";
    let constants = ["--constexpr", "ROWS=32,COLUMNS=64", "--num-warps", "1"];
    let ptx = compile(FILE, "copy_kernel", "*fp32:16,*fp32:16,i32,i32", &constants);
    // The 32 rows of a thread are compared with constants; its two columns are not, since clamping costs as much.
    let is_of_registers =
        |line: &&str| line.contains("setp.") && line.contains(".s64") && line.matches("%rd").count() > 1;
    let wide_orders = ptx.lines().filter(is_of_registers).count();
    assert!(wide_orders <= 2, "{wide_orders} comparisons of two numbers in 64 bits");
    let ptx = compile(FILE, "quotients_kernel", "*i64:16,i64,i32", &["--constexpr", "BLOCK=128", "--num-warps", "1"]);
    // Four elements of which one quotient fits in 32 bits, and another may not: it is divided in either way. Neither number is negative. Remainders are
    // what the quotients leave.
    for (division, times) in [("div.u32", 8), ("rem.u32", 0), ("div.s64", 4), ("rem.s64", 0)] {
        assert_eq!(count(&ptx, division), times, "{division}");
    }
}

/// Columns are compared with a label of 64 bits in 32, and what is taken off there is selected before the column is loaded.
#[test]
fn labels_are_compared_in_32_bits_and_select_what_is_taken_off() {
    let more = ["--constexpr", "BLOCK=256", "--num-warps", "1"];
    let signature = "*fp32:16,*i64:16,*fp32:16,*fp32:16,i32,i32";
    let ptx = compile("tests/programs/labels.tk", "gradient_kernel", signature, &more);
    // A thread has eight columns in the loop, and eight in the last iteration, whose loads are masked and for which the selection matters. The other
    // comparisons in 32 bits are of the label, and of the number of the thread.
    let counted = ["setp.eq.b32", "setp.eq.b64", "setp.eq.s64", "0fBF800000, 0f80000000"].map(|word| count(&ptx, word));
    assert_eq!(counted, [2 * 8 + 2, 0, 0, 8], "{ptx}");
}

/// Between a number and its negative, a clamp is one instruction.
#[test]
fn symmetric_clamps_are_one_instruction() {
    let of = |constants: &str| {
        let ptx = compile(
            "tests/programs/selections.tk",
            "clamped_kernel",
            "*fp32:16,*fp32:16,i32",
            &["--constexpr", constants],
        );
        ["min.xorsign.abs.f32", "min.NaN.xorsign.abs.f32", "max.f32"].map(|word| count(&ptx, word))
    };
    assert_eq!(of("SIZE=128,USE=0"), [1, 0, 0]);
    assert_eq!(of("SIZE=128,USE=1"), [0, 1, 0]);
    assert_eq!(of("SIZE=128,USE=2"), [0, 0, 1]);
}

/// A triangle in a block of 64: of the 64 elements of a thread, 24 lie above the diagonal in every warp, and are never computed.
#[test]
fn what_lies_above_the_diagonal_in_every_thread_is_not_computed() {
    for wide in ["False", "True"] {
        let constants = format!("START=0,STEP=64,BLOCK=64,WIDE={wide}");
        let more = ["--constexpr", constants.as_str(), "--num-warps", "2"];
        let ptx = compile("tests/programs/triangles.tk", "triangle_kernel", "*fp16:16,*fp32:16,i32", &more);
        assert_eq!(count(&ptx, "ex2.approx"), 40, "{ptx}");
    }
}

/// Four sums of four products are a multiplication and three multiplications and additions each, where a tree has two of either and an addition. Sums of
/// half precision stay trees, in which two are one instruction, as do two sums, and sums of products that are stored, too.
#[test]
fn sums_of_products_are_chains() {
    let of = |element: &str, constants: &str| {
        let signature = format!("*{element}:16,*{element}:16,*fp32:16,*{element}:16,i32,i32");
        let more = ["--constexpr", constants, "--num-warps", "1"];
        let ptx = compile("tests/programs/chains_of_products.tk", "dots_kernel", &signature, &more);
        let name = if element == "fp32" { "f32" } else { "f16" };
        ["mul", "fma.rn", "add"].map(|word| count(&ptx, &format!("{word}.{name}")))
    };
    // The additions are those to what the loop carries.
    assert_eq!(of("fp32", "USES=0,R=128,C=4"), [4, 12, 4]);
    assert_eq!(of("fp16", "USES=0,R=128,C=8"), [16, 16, 12]);
    assert_eq!(of("fp32", "USES=0,R=64,C=4"), [4, 4, 2 + 2]);
    assert_eq!(of("fp32", "USES=1,R=128,C=4"), [16, 8, 4 + 4]);
}

/// Rows of a loop are widened, scaled and added to pointers that have the number of the program already; where offsets are compared, too, that number is
/// added to them.
#[test]
fn rows_are_added_to_pointers_of_the_program() {
    let of = |uses: &str| {
        let constants = format!("USES={uses},R=64,C=64");
        let more = ["--constexpr", constants.as_str(), "--num-warps", "4"];
        let signature = "*fp32:16,*fp32:16,*i32:16,*fp32:16,i32,i32:16,i32:16,i32:16,i32:16";
        let ptx = compile("tests/programs/bases_of_rows.tk", "rows_kernel", signature, &more);
        ["mul.wide.s32", "cvt.s64.s32"].map(|word| count(&ptx, word))
    };
    // A thread has four rows, whose products are those of both pointers.
    assert_eq!(of("0"), [4, 0]);
    assert_eq!(of("1"), [0, 4]);
    assert_eq!(of("3"), [0, 4], "the number changes as the rows do");
}

/// Rows, or columns, that a loop computes are added to pointers that have the other axis already: one instruction for each of eight that a thread has. Two
/// numbers that change for each row are added before they are repeated, and what is loaded by pointers of rows has these.
#[test]
fn pointers_of_pairs_begin_with_what_stays() {
    let of = |kind: &str| {
        let constants = format!("KIND='{kind}',R=64,C=64");
        let more = ["--constexpr", constants.as_str(), "--num-warps", "4"];
        let signature = "*fp32:16,*fp32:16,i32,i32:16,i32";
        let ptx = compile("tests/programs/replicated_pointers.tk", "sums_kernel", signature, &more);
        let body = last_loop(&ptx).collect::<Vec<_>>().join("\n");
        ["mad.wide.s32", "add.s64"].map(|word| count(&body, word))
    };
    for kind in ["rows", "columns", "expanded", "batch"] {
        assert_eq!(of(kind), [8, 0], "{kind}");
    }
    assert_eq!(of("two"), [16, 8]);
    assert_eq!(of("used"), [0, 16]);
}

/// A divisor of several elements of a thread is prepared once; where each element has its own, the hardware's division does it.
#[test]
fn a_divisor_is_prepared_once() {
    let constants = ["--constexpr", "ROWS=128,COLUMNS=64"];
    let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16";
    let ptx = compile("tests/language/floats.tk", "divided_kernel", signature, &constants);
    // A thread has 64 elements, in runs of four of a row.
    assert_eq!((count(&ptx, "rcp.approx.ftz.f32"), count(&ptx, "div.full.f32")), (16, 64), "{ptx}");
}

/// `1 + x` of what is not negative divides without tests: `1 / (1 + e^-x)` and `y / (1 + e^-x)` have one reciprocal, three other such sums one each, and what
/// may be near zero or negative is divided by the hardware's division.
#[test]
fn sums_that_are_at_least_one_divide_without_tests() {
    let constants = ["--constexpr", "SIZE=32", "--num-warps", "1"];
    let ptx = compile("tests/programs/divisors.tk", "divisors_kernel", "*fp32:16,*fp32:16,*fp32:16", &constants);
    assert_eq!((count(&ptx, "rcp.approx.ftz.f32"), count(&ptx, "div.full.f32")), (5, 2), "{ptx}");
}

/// The greatest number of a row and a constant, by another constant, is not near zero: what it divides needs no tests, but where the constant is so large that
/// the quotient may be subnormal, and where nobody knows the first one.
#[test]
fn scales_divide_without_tests() {
    let of = |by: &str, known: &str| {
        let constants = format!("ROWS=1,COLUMNS=128,BY={by},KNOWN={known}");
        let more = ["--constexpr", constants.as_str(), "--num-warps", "1"];
        let ptx = compile("tests/programs/divisors.tk", "scales_kernel", "*fp32:16,*fp32:16,fp32", &more);
        ["setp.gt.f32", "setp.lt.f32"].map(|word| count(&ptx, word))
    };
    assert_eq!(of("127.0", "True"), [0, 0]);
    assert_eq!(of("3e38", "True"), [1, 1]);
    assert_eq!(of("127.0", "False"), [1, 1]);
}

/// What was an integer or of half precision divides without tests. A sum with an integer may be near zero, and so may what was of bf16.
#[test]
fn integers_and_halves_divide_without_tests() {
    let of = |kernel: &str, signature: &str, constants: &str| {
        let constants = ["--constexpr", constants, "--num-warps", "1"];
        let ptx = compile("tests/programs/normal_divisors.tk", kernel, signature, &constants);
        ["rcp.approx.ftz.f32", "div.full.f32", "setp"].map(|word| count(&ptx, word))
    };
    assert_eq!(of("quotients_kernel", "*fp32:16,*i32:16,*fp16:16,*fp32:16,i32", "SIZE=32"), [3, 2, 0]);
    assert_eq!(of("narrow_kernel", "*fp16:16,*fp16:16,*i32:16,*fp16:16", "SIZE=32"), [2, 0, 0]);
    assert_eq!(of("narrow_kernel", "*bf16:16,*bf16:16,*i32:16,*bf16:16", "SIZE=32"), [1, 1, 0]);
    assert_eq!(of("rows_kernel", "*fp32:16,*fp32:16", "ROWS=4,COLUMNS=32"), [1, 0, 0]);
}

/// Four bytes of a word become two words of halves; bytes that are loaded one by one are converted so, and those without a sign to bf16.
#[test]
fn bytes_of_a_word_become_halves_together() {
    let of = |signature: &str, words: [&str; 3]| {
        let constants = ["--constexpr", "SIZE=128", "--num-warps", "1"];
        let ptx = compile("tests/programs/packed_casts.tk", "bytes_kernel", signature, &constants);
        words.map(|word| count(&ptx, word))
    };
    let halves = ["0x64646464", "xor.b32", "cvt.rn.f16"];
    assert_eq!(of("*i8:16,*fp16:16,i32:16", halves), [2, 1, 0]);
    assert_eq!(of("*u8:16,*fp16:16,i32:16", halves), [2, 0, 0]);
    assert_eq!(of("*i8:16,*fp16:16,i32", halves), [0, 0, 4]);
    let brains = ["0x43434343", "sub.bf16x2", "cvt.rn.bf16"];
    assert_eq!(of("*i8:16,*bf16:16,i32:16", brains), [2, 2, 0]);
    assert_eq!(of("*u8:16,*bf16:16,i32:16", brains), [0, 0, 4]);
    assert_eq!(of("*i8:16,*bf16:16,i32", brains), [0, 0, 4]);
}

/// Four rows of 128 numbers are in two warps of eight where the grid brings many programs, and a row of 64 in one.
#[test]
fn short_rows_are_in_few_warps() {
    let of = |constants: &str, grid: &str| {
        let more = ["--constexpr", constants, "--num-warps", "8", "--bound", grid];
        let signature = "*fp32:16,*fp32:16,*i64:16";
        let ptx = compile("tests/programs/short_rows.tk", "greatest_kernel", signature, &more);
        [".reqntid 32", ".reqntid 64", ".reqntid 256"].map(|word| count(&ptx, word))
    };
    assert_eq!(of("R=4,C=128,K=2", "grid=8192"), [0, 1, 0]);
    assert_eq!(of("R=4,C=64,K=2", "grid=8192"), [1, 0, 0]);
    assert_eq!(of("R=4,C=128,K=2", "grid=100"), [0, 0, 1]);
}

/// Sums over the rows of segments, of which each program loads how many there are, are in two warps of eight where the grid brings many programs, or in as many
/// as have 16 numbers in each thread.
#[test]
fn programs_of_loaded_lengths_are_in_few_warps() {
    let of = |block: &str, grid: &str| {
        let constants = format!("{block},HOW='sum'");
        let grid = [grid, "grid.1=1", "grid.2=1"].map(|bound| ["--bound", bound]).concat();
        let more = ["--constexpr", &constants, "--num-warps", "8"];
        let more = [&more[..], &grid].concat();
        let signature = "*i64:16,*i64:16,*fp32:16,*fp32:16,*fp32:16,i32:16,i32";
        let ptx = compile("tests/programs/segments.tk", "rows_kernel", signature, &more);
        [".reqntid 64", ".reqntid 128", ".reqntid 256"].map(|word| count(&ptx, word))
    };
    assert_eq!(of("R=8,C=32", "grid.0=8192"), [1, 0, 0]);
    assert_eq!(of("R=32,C=32", "grid.0=8192"), [1, 0, 0]);
    assert_eq!(of("R=64,C=32", "grid.0=8192"), [0, 1, 0]);
    assert_eq!(of("R=8,C=32", "grid.0=2100"), [0, 1, 0]);
    assert_eq!(of("R=8,C=32", "grid.0=100"), [0, 0, 1]);
}

/// `low | high << 4` of the bytes of two words takes none of them out.
#[test]
fn bytes_of_words_are_put_together_as_words() {
    let of = |size: &str| {
        let constants = ["--constexpr", size, "--num-warps", "1"];
        let ptx = compile("tests/programs/packed_bytes.tk", "pairs_kernel", "*u8:16,*u8:16,*u8:16", &constants);
        ["prmt.b32", "or.b16", "or.b32"].map(|word| count(&ptx, word))
    };
    assert_eq!(of("SIZE=128"), [0, 0, 1]);
    assert_eq!(of("SIZE=32"), [0, 1, 0]);
}

/// Eight numbers that are rounded and added to are four conversions, and so are eight that are widened again, if not from bf16. Squares of halves are
/// none, and a row is converted before it changes layout.
#[test]
fn neighbours_are_rounded_together() {
    let of = |ty: &str, name: &str| {
        let constants = ["--constexpr", "ROWS=4,SIZE=64", "--num-warps", "1"];
        let signature = format!("*fp32:16,*{ty}:16,*{ty}:16,*fp32:16,i32:16");
        let ptx = compile("tests/programs/packed_casts.tk", "rounded_kernel", &signature, &constants);
        [format!("cvt.rn.{name}x2.f32"), format!("cvt.rn.{name}.f32")].map(|word| count(&ptx, &word))
    };
    assert_eq!(of("fp16", "f16"), [4 + 4 + 1, 0]);
    assert_eq!(of("bf16", "bf16"), [4 + 1, 8]);
}

/// Blocks of 32 numbers, or none, are one warp's, however many are asked for; 64 numbers are two warps'.
#[test]
fn warps_without_elements_do_not_run() {
    let threads = |kernel: &str, signature: &str, constants: &[&str]| {
        let ptx = compile("tests/programs/idle_warps.tk", kernel, signature, constants);
        ptx.lines().find_map(|line| line.strip_prefix(".reqntid ")).map(str::to_string)
    };
    let rows = |size: &str, warps: &str| {
        let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,*i32:16,i32";
        threads("rows_kernel", signature, &["--constexpr", size, "--num-warps", warps])
    };
    let of = |threads: u32| Some(threads.to_string());
    assert_eq!([rows("N=16", "4"), rows("N=32", "8"), rows("N=64", "4")], [of(32), of(32), of(64)]);
    assert_eq!([rows("N=128", "4"), rows("N=512", "4"), rows("N=32", "1")], [of(128), of(128), of(32)]);
    let recurrence = threads("recurrence_kernel", "*fp32:16,*fp32:16,i32,fp32", &["--num-warps", "8"]);
    assert_eq!(recurrence, of(32));
}

/// Each sum takes its product before the next one starts, so that no thread holds what several products of 128x128 gave.
#[test]
fn products_are_added_where_they_stand() {
    let constants = ["--constexpr", "K=256,M=128,N=128,BK=64"];
    let signature = "*i8:16,*i8:16,*fp32:16,*fp32:16,*fp32:16";
    let ptx = compile("tests/programs/scaled_products.tk", "scaled_kernel", signature, &constants);
    let parts: Vec<&str> = ptx.split("wgmma.wait_group").collect();
    let conversions: Vec<usize> = parts.iter().map(|part| count(part, "cvt.rn.f32.s32")).collect();
    assert_eq!(conversions, [0, 128, 128, 128, 128], "{ptx}");
}

/// A step of a sort across lanes is a shuffle, a comparison, and a selection, of floats as of integers; what says who is on the right is a predicate, or compared
/// with as bits where a key has two words.
#[test]
fn sorts_do_not_select_who_is_left() {
    let constants = ["--constexpr", "N=32,K=32", "--num-warps", "1"];
    let kinds = [("i32", [15, 15, 30]), ("fp32", [15, 15, 30]), ("i64", [30, 25, 30])];
    for (kind, counts) in kinds {
        let types = format!("*{kind}:16,*{kind}:16");
        let ptx = compile("tests/programs/long_sorts.tk", "largest_kernel", &types, &constants);
        assert_eq!(["shfl.", "selp", "setp"].map(|word| count(&ptx, word)), counts, "{kind}: {ptx}");
    }
}

/// Both halves of a product of random numbers are one instruction: Philox multiplies twice in each of its ten rounds.
#[test]
fn halves_of_a_product_are_multiplied_once() {
    let constants = ["--constexpr", "N=128", "--num-warps", "4"];
    let ptx = compile("tests/language/random.tk", "integers_kernel", "*i32:16,i32,i32", &constants);
    // One half is not asked for.
    assert_eq!(["mul.wide.u32", "mul.hi", "mul.lo"].map(|word| count(&ptx, word)), [19, 1, 0], "{ptx}");
}

/// Divisors that a loop carries from one iteration to the next, and that are sums of what is not negative, are not tested.
#[test]
fn sums_that_loops_carry_divide_without_tests() {
    let constants = ["--constexpr", "B=64,N=4,M=4", "--num-warps", "4"];
    let ptx = compile("tests/programs/repeated_results.tk", "balance_kernel", "*fp32:16,*fp32:16,i32", &constants);
    assert_eq!(count(&ptx, "div.full.f32"), 0, "{ptx}");
    let falling = ["--constexpr", "N=64", "--num-warps", "1"];
    let ptx = compile("tests/programs/repeated_results.tk", "falling_kernel", "*fp32:16,*fp32:16,i32,fp32", &falling);
    assert_eq!(count(&ptx, "rcp.approx"), 0, "{ptx}");
}

/// Each row's sum is compared in one lane, not in the eight that added it up.
#[test]
fn results_that_lanes_repeat_are_compared_once() {
    let constants = ["--constexpr", "K=4,N=512,D=8", "--num-warps", "4"];
    let ptx = compile("tests/programs/repeated_results.tk", "largest_kernel", "*fp32:16,*i32:16,i32,i32", &constants);
    assert_eq!(count(&ptx, "setp.eq.f32"), 4 * 512 / 128, "{ptx}");
}

/// The four fields of a record are loaded and stored at once, under one mask.
#[test]
fn fields_of_a_record_are_one_access() {
    let constants = ["--constexpr", "FIELDS=4,MASKED=1,B=128", "--num-warps", "4"];
    let program = "tests/programs/neighbouring_accesses.tk";
    let ptx = compile(program, "turned_kernel", "*fp32:16,*fp32:16,i32", &constants);
    let accesses = ["ld.global", "ld.global.v4.b32", "st.global", "st.global.v4.b32"];
    assert_eq!(accesses.map(|word| count(&ptx, word)), [1, 1, 1, 1], "{ptx}");
}

/// Eight fields of records whose strides nobody knows are two accesses of 16 bytes where a test says that the strides are multiples of four, and eight
/// where it does not. Of lanes that are neighbours a test would say something else in each.
#[test]
fn fields_of_unknown_alignment_are_joined_behind_a_test() {
    let accesses = |kernel: &str, signature: &str, constants: &str| {
        let more = ["--constexpr", constants, "--num-warps", "2"];
        let ptx = compile("tests/programs/unknown_alignments.tk", kernel, signature, &more);
        ["ld.global.v4.b32", "ld.global.b32", "st.global.v4.b32", "st.global.b32"].map(|word| count(&ptx, word))
    };
    let records = |index: &str, block: u32| {
        let constants = format!("INDEX={index},EVERY=1,B={block}");
        accesses("records_kernel", "*fp32:16,*fp32:16,i32,i32,i32,i32", &constants)
    };
    assert_eq!(["tl.int32", "tl.int64"].map(|index| records(index, 64)), [[0, 8, 2, 8]; 2]);
    // Four records of a thread share a branch.
    assert_eq!(records("tl.int32", 256), [0, 32, 8, 32]);
    let rows = |step: &str| accesses("rows_kernel", "*fp32:16,*i64:16,*i64:16,*fp32:16", step);
    assert_eq!([rows("STEP=4,B=64"), rows("STEP=1,B=64")], [[0, 4, 1, 4], [0, 4, 0, 4]]);
}

/// Four steps of a neuron are loaded at once and stored at once, to each of two tensors that lie apart, and threads do not meet for what is loaded before
/// the loop. The loop for tensors that overlap stands beside it.
#[test]
fn steps_of_time_are_one_access() {
    let signature = "*fp16:16,*fp16:16,*fp16:16,*fp16:16,*fp16:16,i32:16";
    let of = |block: &str| {
        let constants = ["--constexpr", "T=4", "--constexpr", block, "--num-warps", "4"];
        let ptx = compile("tests/programs/time_steps.tk", "neurons_kernel", signature, &constants);
        ["ld.global.v2.b32", "st.global.v2.b32", "bar.sync"].map(|word| count(&ptx, word))
    };
    assert_eq!(of("B=128"), [1, 2, 0]);
    assert_eq!(of("B=1024"), [8, 16, 0], "eight elements of a thread");
}

/// Behind the comparison of two numbers a block is accessed by 16 bytes; the block at the end is accessed by elements.
#[test]
fn whole_blocks_are_accessed_without_masks() {
    let constants = ["--constexpr", "B=1024", "--num-warps", "4"];
    let ptx = compile("tests/programs/masks_of_whole_blocks.tk", "copy_kernel", "*fp32:16,*fp32:16,i32", &constants);
    let accesses = ["ld.global.v4.b32", "ld.global.b32", "st.global.v4.b32", "st.global.b32"];
    assert_eq!(accesses.map(|word| count(&ptx, word)), [2, 8, 2, 8], "{ptx}");
}

/// What ends an iteration acquires on the way to the next one: a fence before each tensor of sums, and one for all of them on the way back. Where something
/// is loaded behind them, in the body or behind the loop, or where another loop is around it, they acquire where they are.
#[test]
fn sums_acquire_for_the_next_iteration() {
    let words = |how: &str| {
        let constants = ["--constexpr", how, "--num-warps", "4"];
        let signature = "*fp32:16,*fp32:16,*fp32:16,*i32:16,i32:16";
        let ptx = compile("tests/programs/atomic_loops.tk", "gradients_kernel", signature, &constants);
        ["fence.acq_rel.gpu", "red.global.gpu.relaxed", "atom.global.gpu.acq_rel"].map(|word| count(&ptx, word))
    };
    let of = |how: u32| words(&format!("SEM=acq_rel,SCOPE=gpu,HOW={how},B=1024"));
    assert_eq!([0, 1].map(of), [[2, 2, 0], [3, 10, 0]]);
    assert_eq!([2, 3, 4].map(of), [[0, 0, 2]; 3]);
}

/// Lanes that differ by the numbers they have loaded combine what they update together: for each element of a thread a vote whether there is something to
/// combine, five shuffles of each word, and two updates, of which a warp runs one. Halves, blocks of fewer elements than lanes and rows of a table stay.
#[test]
fn lanes_combine_updates_of_one_element() {
    let of = |kernel: &str, signature: &str, constants: &str| {
        let constants = ["--constexpr", constants, "--num-warps", "4"];
        let ptx = compile("tests/programs/combined_updates.tk", kernel, signature, &constants);
        ["vote.sync.all", "shfl.sync.down", "red.global.gpu.relaxed"].map(|word| count(&ptx, word))
    };
    let update =
        |ty: &str, constants: &str| of("update_kernel", &format!("*{ty}:16,*i64:16,*{ty}:16,i32,i32"), constants);
    assert_eq!(["fp32", "i32"].map(|ty| update(ty, "HOW=0,SIZE=128")), [[1, 5, 2]; 2]);
    assert_eq!(["fp64", "i64"].map(|ty| update(ty, "HOW=0,SIZE=128")), [[1, 10, 2]; 2]);
    assert_eq!(update("i32", "HOW=1,SIZE=256"), [2, 10, 4]);
    assert_eq!([update("fp16", "HOW=0,SIZE=128"), update("fp32", "HOW=0,SIZE=16")], [[0, 0, 1]; 2]);
    assert_eq!(of("rows_kernel", "*fp32:16,*i64:16,*fp32:16", "ROWS=16,COLUMNS=32"), [0, 0, 1]);
}

/// What is added to single elements of 16 bits is added to their words, of which the GPU has an instruction. Neighbours in one word are added together.
#[test]
fn halves_are_added_to_words() {
    let of = |ty: &str, step: u32| {
        let constants = format!("STEP={step},SEM=relaxed,B=128");
        let signature = format!("*{ty}:16,*i32:16,*{ty}:16,i32");
        let constants = ["--constexpr", &constants, "--num-warps", "4"];
        let ptx = compile("tests/programs/added_halves.tk", "add_kernel", &signature, &constants);
        ["add.noftz.f16x2 [", "add.noftz.bf16x2 [", "add.noftz.f16 ", "add.noftz.bf16 "].map(|word| count(&ptx, word))
    };
    assert_eq!([of("fp16", 2), of("bf16", 3)], [[1, 0, 0, 0], [0, 1, 0, 0]]);
}

/// One fence stands for the order of all elements that a kernel updates at its end.
#[test]
fn one_fence_orders_all_updates() {
    let constants = ["--constexpr", "OP=1,SEM=acq_rel,SCOPE=gpu,MASKED=1,B=1024", "--num-warps", "4"];
    let ptx = compile("tests/programs/atomic_orders.tk", "reduce_kernel", "*i32:16,*i32:16,i32", &constants);
    let words = ["fence.acq_rel.gpu", "red.global.gpu.relaxed.max.s32", "atom."];
    assert_eq!(words.map(|word| count(&ptx, word)), [1, 8, 0], "{ptx}");
}

/// A table of sixteen numbers that selections search is one load of each element, and its sixteen entries are not loaded.
#[test]
fn searched_tables_are_looked_up() {
    let constants = ["--constexpr", "LEVELS=16,B=128", "--num-warps", "4"];
    let of = |kernel: &str| {
        let ptx = compile("tests/programs/tables_by_selections.tk", kernel, "*fp32:16,*i32:16,*fp32:16", &constants);
        (count(&ptx, "ld.global"), count(&ptx, "setp.eq") + count(&ptx, "setp.ne"))
    };
    assert_eq!(of("plain_kernel"), (2, 0));
    assert!(of("written_kernel").1 >= 16, "the table is written between");
}

/// Of a loop over places that are apart only the last iteration asks whether they are inside: 32 elements of a thread.
#[test]
fn whole_iterations_load_without_masks() {
    let constants = ["--constexpr", "HOW=1,STRIDE=3,B=1024", "--num-warps", "1"];
    let ptx = compile("tests/programs/ragged_loops.tk", "sum_kernel", "*i32:16,*i32:16,i32,i32", &constants);
    let masked = ptx.lines().filter(|line| line.contains("ld.global") && line.contains("@%p")).count();
    assert_eq!((count(&ptx, "ld.global") - masked, masked), (32, 32));
}

/// Threads beyond a row leave, and those that stay need no masks. Not where each thread has elements of the first half of the block, nor where a
/// multiprocessor has few warps.
#[test]
fn threads_without_elements_leave() {
    let masked = |constants: &str, more: &[&str]| {
        let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32:16,i32,i32";
        let more = [&["--constexpr", constants], more].concat();
        let ptx = compile("tests/programs/leaving_threads.tk", "rotate_kernel", signature, &more);
        ptx.lines().filter(|line| line.contains("@%p") && line.contains(".global")).count()
    };
    let few = ["--bound", "grid.0=64", "--bound", "grid.1=1", "--bound", "grid.2=1"];
    assert_eq!([masked("BLOCK=128", &[]), masked("BLOCK=512", &[])], [0, 0]);
    // Four loads and two stores, of eight elements in two accesses.
    assert_eq!([masked("BLOCK=128", &few), masked("BLOCK=1024", &[])], [6, 12]);
}

/// Branches in a row multiply by one block times a number: it is multiplied once before three of them, and in each of two.
#[test]
fn branches_in_a_row_share_an_operand() {
    let signature = "*fp16:16,*fp16:16,*fp32:16,i32,i32,fp32";
    let body = |window: &str| {
        let constants = format!("M=64,N=32,D=64,WINDOW={window},FIXED=4.0,OWN=False");
        let ptx =
            compile("tests/programs/branches_in_a_row.tk", "window_kernel", signature, &["--constexpr", &constants]);
        (count(&ptx, "wgmma.mma_async"), count(&ptx, "ldmatrix"))
    };
    assert_eq!([body("5"), body("2")], [(20, 0), (8, 8)]);
}

/// Columns of outer products are scanned by lanes of one warp, eight rows in each thread: three exchanges of two numbers and one for what comes
/// before, and no totals of warps. Where one row of the result is stored, and where a mask leaves one row of what is loaded.
#[test]
fn columns_of_outer_products_are_scanned_within_warps() {
    let of = |kernel: &str, arguments: usize, constants: &str| {
        let signature = vec!["*fp32:16"; arguments].join(",");
        let more = ["--constexpr", constants, "--num-warps", "4"];
        compile("tests/programs/carried_states.tk", kernel, &signature, &more)
    };
    for ptx in [of("stored_kernel", 4, "ROW=63,ROWS=64,SIZE=4"), of("read_kernel", 6, "BLOCKS=64,ROWS=64,SIZE=4")] {
        assert_eq!(count(&ptx, "shfl.sync"), 8, "{ptx}");
        assert!(count(&ptx, "fma.rn.f32") + count(&ptx, "mul.f32") + count(&ptx, "mul.rn.f32") <= 60, "{ptx}");
    }
}

/// Numbers of four bits are looked up in tables, those of two bytes at a time, and multiplied as bf16 by one factor, which is NaN itself where the scale is:
/// 32 numbers of a thread.
#[test]
fn four_bit_floats_are_looked_up() {
    let constants = "FORMAT=\"e2m1\",PACK=2,ALONG=True,LEFT=True,OTHER=\"bf16\",FAST=False,ROWS=128";
    let ptx = compile(
        "tests/programs/four_bit_floats.tk",
        "product_kernel",
        "*u8:16,*u8:16,*fp32:16",
        &["--constexpr", constants, "--num-warps", "4"],
    );
    let words = ["0xc0804000", "mul.bf16", "mul.f32", "cvt.rn.bf16"];
    assert_eq!(words.map(|word| count(&ptx, word)), [8, 32, 0, 0], "{ptx}");
}

/// Where many warps take turns, exponentials of f64 sum one term after the other: two powers of the argument fewer in each. Blocks of more elements in a thread keep
/// warps away.
#[test]
fn exponentials_of_many_warps_have_fewer_products() {
    let of = |grid: &str, size: &str| {
        let bounds = ["--bound", grid, "--bound", "grid.1=1", "--bound", "grid.2=1", "--num-warps", "4"];
        let more = [&["--constexpr", size][..], &bounds].concat();
        let signature = "*fp64:16,*fp64:16,*fp64:16";
        count(&compile("tests/programs/doubles.tk", "exponentials_kernel", signature, &more), "mul.rn.f64")
    };
    let (many, few) = (of("grid.0=1024", "SIZE=256"), of("grid.0=512", "SIZE=256"));
    assert_eq!([many, few], [10, 18], "two elements of a thread, two functions");
    assert_eq!(of("grid.0=1024", "SIZE=512"), 36);
}

/// Where rows have a known length and a known number, offsets of 32 bits cannot wrap around: the copies of a thread's rows in the loop have one address, and
/// constants. One product of the counter for each operand.
#[test]
fn rows_of_known_length_have_one_address() {
    let constants = ["--constexpr", "N=384,STEPS=16,BM=64,BN=128,BK=32", "--num-warps", "4", "--num-stages", "3"];
    let signature = "*fp16:16,*fp16:16,*fp32:16";
    let ptx = compile("tests/programs/known_rows.tk", "product_kernel", signature, &constants);
    let copies = ptx.split("\n$L__BB0_").filter(|block| block.contains("cp.async.cg")).last().unwrap_or_default();
    assert_eq!((count(copies, "cp.async.cg"), count(copies, "mul.wide")), (6, 2), "{ptx}");
}

/// Indices of eight bits come before rows, and a barrier of the warp between: eight entries wait for one load of a thread, with four there is none.
#[test]
fn indices_are_loaded_before_rows() {
    let of = |block: &str| {
        let signature = "*fp32:16,*fp32:16,*u8:16,*fp32:16,*fp32:16,i32:16";
        let more = ["--constexpr", block, "--num-warps", "4"];
        count(&compile("tests/programs/entries_of_tables.tk", "update_kernel", signature, &more), "bar.warp.sync")
    };
    assert_eq!([of("BLOCK=512"), of("BLOCK=1024")], [0, 2], "one stands before the conversion of what is stored");
}
