//! What loops compute for the addresses of blocks whose rows have any length, counted in the PTX.

use crate::counts::{compile, last_loop};

/// Rows of any length: a loop adds the distance that all pointers of a block have moved to their common start, and the term of each, which one
/// instruction widens, to that. Blocks of 64x64 and 64x32 in four warps are 32 and 16 pointers of a thread.
#[test]
fn pointers_of_rows_of_any_length_are_moved_together() {
    let sums = |constants: &str, signature: &str| {
        let more = ["--constexpr", constants, "--num-stages", "2"];
        let ptx = compile("tests/programs/moved_rows.tk", "product_kernel", signature, &more);
        let is_wide = |line: &&str| line.contains("mul.wide.s32") || line.contains("mul.wide.u32");
        let results = ptx.lines().filter(is_wide).filter_map(|line| line.split_whitespace().nth(1));
        let wide: Vec<&str> = results.map(|register| register.trim_end_matches(',')).collect();
        let is_term = |line: &str, term: &str| [';', ','].iter().any(|end| line.contains(&format!("{term}{end}")));
        let is_sum = |line: &&str| line.contains("add.s64") && wide.iter().any(|term| is_term(line, term));
        last_loop(&ptx).filter(is_sum).count()
    };
    let loads = sums("BM=64,BN=32,BK=64", "*fp16:16,*fp16:16,*fp32:16,i32,i32,i32,i32,i32,i32");
    assert!((48..56).contains(&loads), "{loads}");
    // Copies beside `wgmma` have few pointers, and wait for them: 17 of such sums were slower.
    let copies = "*fp16:16,*fp16:16,*fp32:16,i32:16,i32:16,i32:16,i32:16,i32:16,i32:16";
    assert_eq!(sums("BM=64,BN=256,BK=64", copies), 1);
}

/// Blocks of rows of any length whose rows stay in a loop over columns: the loop adds the number of its columns to what the pointers have in common, and
/// the term of each row, which one instruction widens, to that. Of a block of 64x128 in four warps a thread has 16 rows.
#[test]
fn terms_that_stay_are_added_to_what_moves() {
    let signature = "*fp16:16,*fp16:16,*fp32:16,i32,i32,i32,i32";
    let constants = ["--constexpr", "ROWS=64,COLUMNS=128,ACROSS=False,STORED=False"];
    let ptx = compile("tests/programs/moved_rows.tk", "blocks_kernel", signature, &constants);
    let is_wide = |line: &&str| line.contains("mul.wide.s32") || line.contains("mul.wide.u32");
    let wide: Vec<&str> = ptx.lines().filter(is_wide).filter_map(|line| line.split_whitespace().nth(1)).collect();
    let sums: Vec<&str> = last_loop(&ptx).filter(|line| line.contains("add.s64")).collect();
    let is_term = |term: &&&str| {
        let end = format!(" {};", term.trim_end_matches(','));
        sums.iter().any(|sum| sum.ends_with(&end))
    };
    // One is the number of the columns.
    let terms = wide.iter().filter(is_term).count();
    assert!((16..=17).contains(&terms), "{terms}\n{ptx}");
}

/// Rows that a loop computes anew: one product of 64 bits for all rows of a thread, and each pointer from the one before. Blocks of 64x64 by block
/// pointers in four warps are four copies of a thread, with one row each.
#[test]
fn rows_of_block_pointers_have_one_product() {
    let signature = "*fp16:16,*fp16:16,*fp32:16,i32,i32,i32,i32:16,i32:16,i32";
    let constants = ["--constexpr", "BM=64,BN=64,BK=64,CHECKED=False"];
    let ptx = compile("tests/programs/moved_rows.tk", "block_product_kernel", signature, &constants);
    let in_loop = |what: &str| last_loop(&ptx).filter(|line| line.contains(what)).count();
    let products = in_loop("mul.lo.s64") + in_loop("mad.lo.s64");
    assert_eq!((products, in_loop("cp.async.cg")), (1, 8), "{ptx}");
}
