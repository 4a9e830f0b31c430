//! What loops compute for the addresses of blocks whose rows have any length, and which loads have addresses in common, counted in the PTX.

use crate::counts::{compile, count, last_loop};

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

/// A window that moves along a row is a load of the block for each of its places. A thread has eight halves, or twice four words, of a row of 128: what the
/// aligned place brings is not loaded again, and the others bring one or two elements more on either side.
#[test]
fn windows_load_their_elements_once() {
    let loads = |constants: &str, ty: &str| {
        let signature = format!("{ty},*fp32:16");
        let ptx = compile("tests/programs/loads_once.tk", "windows_kernel", &signature, &["--constexpr", constants]);
        (count(&ptx, "ld.global"), count(&ptx, "mul.hi"), ptx)
    };
    const POWERS: &str = "HEIGHT=128,WIDE=128,WIDTH=4,BLOCK=1024";
    assert_eq!(loads(POWERS, "*fp16:16").0, 4 * 3);
    assert_eq!(loads(POWERS, "*fp32:16").0, 4 * 2 * 3);
    // Rows of 224 = 32 * 7: elements of a thread have one quotient, and so one address and masks in common.
    const OTHERS: &str = "HEIGHT=224,WIDE=224,WIDTH=3,BLOCK=1024";
    for (ty, runs) in [("*fp16:16", 1), ("*fp32:16", 2)] {
        let (loads, quotients, ptx) = loads(OTHERS, ty);
        assert!(quotients == runs && loads <= 30, "{loads} loads, {quotients} quotients\n{ptx}");
    }
}

/// Numbers of pages that a thread has in its registers one after the other lie beside each other in the table: four are one access, under one mask.
#[test]
fn numbers_of_pages_are_loaded_four_at_a_time() {
    let constants = ["--constexpr", "PAGES=2048,PAGE=16,ROWS=512,WIDE=64", "--num-warps", "4"];
    let ptx = compile("tests/programs/loads_once.tk", "pages_kernel", "*i32:16,*i32:16,*i32:16", &constants);
    // 64 rows of a thread lie in 32 pages, two in each.
    assert_eq!((count(&ptx, "ld.global"), count(&ptx, "ld.global.b32")), (64 + 32 / 4, 0), "{ptx}");
}

/// The loads of a convolution begin anywhere, so that each moves an element, and the store behind the loop is aligned: lanes have one element each in both.
#[test]
fn loads_that_begin_anywhere_have_neighbouring_lanes() {
    let constants = ["--constexpr", "OUTS=4096,BLOCK=512", "--num-warps", "4"];
    let ptx = compile("tests/programs/loads_once.tk", "taps_kernel", "*fp32:16,*fp32:16,*fp32:16,i32", &constants);
    assert_eq!(["st.global.v4", "ld.global.v4"].map(|word| count(&ptx, word)), [0, 0], "{ptx}");
}
