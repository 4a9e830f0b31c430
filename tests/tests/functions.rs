//! Deterministic counts of the code of sines, cosines and logarithms: no long way where none is needed, and loads before the branches that there are.

use crate::counts::{SHARED_LOADS, compile, count};

/// Angles that are never large, as far as types and operations say it, have no branch to the long way. Others have one.
#[test]
fn small_angles_have_no_long_way() {
    const FILE: &str = "tests/programs/small_angles.tk";
    let of = |kernel: &str, signature: &str, constants: &str| {
        let ptx = compile(FILE, kernel, signature, &["--constexpr", constants, "--num-warps", "4"]);
        count(&ptx, "bra")
    };
    assert_eq!(of("small_kernel", "*fp16:16,*i16:16,*fp32:16,*fp32:16", "SIZE=128"), 0);
    assert_eq!(of("sums_kernel", "*fp32:16,*fp32:16", "ROWS=4,COLUMNS=512"), 0);
    for how in 0..5 {
        let constants = format!("HOW={how},SIZE=128");
        assert_eq!(of("large_kernel", "*fp16:16,*fp32:16,*bf16:16,*fp32:16", &constants), 1, "{constants}");
    }
}

/// All blocks are loaded before the branch for large angles, which waits for one of them. The functions of one angle share the branch, and the loop
/// behind it.
#[test]
fn loads_stay_before_the_branch_for_large_angles() {
    const FILE: &str = "tests/programs/large_angles.tk";
    let more = ["--constexpr", "R=32,C=16", "--num-warps", "1"];
    let ptx = compile(FILE, "columns_kernel", "*fp32:16,*fp32:16,*fp32:16,i32", &more);
    let loads = count(&ptx, "ld.global");
    let has_all = |block: &str| block.contains("0f47C35000") && count(block, "ld.global") == loads;
    assert!(ptx.split("\n$L__BB").any(has_all), "{ptx}");
    let more = ["--constexpr", "SIZE=256", "--num-warps", "1"];
    // So does one that the program has behind the sines.
    let ptx = compile(FILE, "behind_kernel", "*fp32:16,*fp32:16,*fp32:16,i32", &more);
    let loads = count(&ptx, "ld.global");
    let has_all = |block: &str| block.contains("0f47C35000") && count(block, "ld.global") == loads;
    assert!(ptx.split("\n$L__BB").next().is_some_and(has_all), "{ptx}");
    let ptx = compile(FILE, "functions_kernel", "*fp32:16,*fp32:16", &more);
    // Of the angles of the block and of those that their sines make: a test, and a loop that tests each of them.
    assert_eq!(count(&ptx, "0f47C35000"), 2 * 2, "{ptx}");
}

/// Logarithms of halves are of no denormal numbers: one branch for what has no finite logarithm. Those of f32 have another one.
#[test]
fn logarithms_of_halves_have_no_long_way() {
    let branches = |ty: &str| {
        let (signature, more) = (format!("*{ty}:16,*fp32:16"), ["--constexpr", "SIZE=128", "--num-warps", "1"]);
        let ptx = compile("tests/programs/logarithms_of_zeros.tk", "cast_kernel", &signature, &more);
        ptx.lines().filter(|line| line.contains("bra") && line.trim_start().starts_with('@')).count()
    };
    assert_eq!(["fp16", "fp8e5", "bf16", "fp32"].map(branches), [1, 1, 2, 2]);
}

/// Logarithms of numbers that are not near zero test nothing, and are no slow instructions of the hardware.
#[test]
fn logarithms_of_what_is_not_near_zero_test_nothing() {
    let constants = ["--constexpr", "SIZE=128"];
    let tests = |kernel: &str| {
        let ptx = compile("tests/programs/logarithms.tk", kernel, "*fp32:16,*fp32:16", &constants);
        (count(&ptx, "setp"), count(&ptx, "lg2."))
    };
    assert_eq!(tests("sums_kernel"), (0, 0));
    assert_eq!(tests("others_kernel"), (19, 0));
    // One comparison for each selection.
    assert_eq!(tests("kept_kernel"), (3, 0));
}

/// Logarithms of f64 divide by a reciprocal of the hardware, which both kinds share, and nothing branches. Those of f32 have neither.
#[test]
fn logarithms_of_doubles_have_no_divisions() {
    let of = |signature: &str| {
        let constants = ["--constexpr", "SIZE=32", "--num-warps", "1"];
        let ptx = compile("tests/programs/doubles.tk", "functions_kernel", signature, &constants);
        ["div.", "bra", "rcp.approx.ftz.f64"].map(|word| count(&ptx, word))
    };
    assert_eq!([of("*fp64:16,*fp64:16"), of("*fp32:16,*fp32:16")], [[0, 0, 1], [0, 0, 0]]);
}

/// What has no finite logarithm takes one slow instruction for each element, where a thread has several and not too many; others keep the short way.
#[test]
fn logarithms_of_zeros_are_replaced() {
    let slow = |size: &str| {
        let constants = ["--constexpr", size, "--num-warps", "1"];
        let ptx =
            compile("tests/programs/logarithms_of_zeros.tk", "logarithms_kernel", "*fp32:16,*fp32:16", &constants);
        count(&ptx, "lg2.approx.ftz.f32")
    };
    assert_eq!(["SIZE=32", "SIZE=128", "SIZE=512", "SIZE=1024"].map(slow), [0, 2 * 4, 2 * 16, 0]);
}

/// An angle is loaded once, whatever masks it has, and its sine is computed once; a mask with another number for what is not loaded is a selection, whose
/// sine is of its own.
#[test]
fn angles_of_a_rotation_are_loaded_once() {
    let of = |other: &str| {
        let constants = format!("ROWS=8,WIDTH=64,OTHER={other}");
        let more = ["--constexpr", constants.as_str(), "--num-warps", "2"];
        let ptx = compile(SHARED_LOADS, "rotated_kernel", "*fp32:16,*fp32:16,*fp32:16,i32", &more);
        ["ld.global.b32", "ld.global.v4.b32", "fma."].map(|word| count(&ptx, word))
    };
    // A thread has eight angles; the three blocks that are rotated have four elements in each load.
    let [angles, blocks, fused] = of("0.0");
    assert_eq!([angles, blocks], [8, 6]);
    let [angles, blocks, of_three] = of("1.0");
    assert_eq!([angles, blocks], [8, 6]);
    assert!(4 * fused < 3 * of_three, "{fused} {of_three}");
}
