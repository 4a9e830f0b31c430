//! Counts of what changes layout through shared memory.

use crate::counts::{compile, count};

/// Two numbers of rows that an inner loop gives change layout before they are repeated along the rows, though they are stored as well: 64 bytes by one
/// instruction each, where a block takes 4 KiB.
#[test]
fn numbers_of_rows_that_loops_give_are_converted_before_they_are_repeated() {
    let more = ["--constexpr", "BM=16,BD=64", "--num-warps", "4"];
    let signature = "*fp32:16,*fp32:16,*i32:16,*fp32:16,i32:16,i32,i32,i32:16";
    let ptx = compile("tests/programs/rows_from_loops.tk", "codes_kernel", signature, &more);
    assert_eq!((count(&ptx, "st.shared"), count(&ptx, "bar.sync")), (2, 2), "{ptx}");
}

/// The numbers of a codebook stay in the threads that loaded them, and so do numbers that say where these are. What goes through shared memory is
/// a vector and the results of rows: with the numbers of 64x128 entries it would be nineteen writes and six barriers.
#[test]
fn numbers_of_entries_stay_in_the_threads_that_load_them() {
    let of = |kernel, signature, constants| {
        let more = ["--constexpr", constants, "--num-warps", "4"];
        let ptx = compile("tests/programs/codebooks.tk", kernel, signature, &more);
        ["st.shared", "bar.sync"].map(|word| count(&ptx, word))
    };
    let signature = "*fp32:16,*i8:16,*fp32:16,*fp32:16,*i32:16,i32,i32:16";
    assert_eq!(of("scores_kernel", signature, "ROWS=64,COLUMNS=128"), [4, 3]);
    let signature = "*i8:16,*i32:16,*fp32:16,*fp32:16,i32,i32=1,i32:16";
    assert_eq!(of("chain_kernel", signature, "ROWS=32,COLUMNS=64"), [2, 2]);
}
