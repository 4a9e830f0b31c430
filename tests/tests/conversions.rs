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
