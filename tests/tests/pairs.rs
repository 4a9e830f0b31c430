//! Counts of copies that two programs share: where the launch has many programs, in pairs, and where not.

use crate::counts::{compile, count};

/// Copies to both CTAs of a cluster, and the barriers at which both meet, of a grouped product.
fn shared(block: &str, warps: &str, depth: &str, grid: &[&str]) -> [usize; 2] {
    let constants = format!("{block},GROUP_SIZE_M=8");
    let signature =
        format!("*fp16:16,*fp16:16,*fp32:16,i32:256,i32:256,{depth},i32:64,i32=1,i32:256,i32=1,i32:256,i32=1");
    let mut more = vec!["--constexpr", &constants, "--num-warps", warps, "--num-stages", "3"];
    more.extend(grid.iter().flat_map(|bound| ["--bound", *bound]));
    let ptx = compile("examples/matmul.tk", "matmul_kernel_grouped", &signature, &more);
    [count(&ptx, ".multicast::cluster"), count(&ptx, "barrier.cluster.arrive.relaxed")]
}

#[test]
fn programs_of_large_even_grids_share_blocks() {
    let many = ["grid.0=8192", "grid.1=1", "grid.2=1"];
    let square = "BLOCK_SIZE_M=128,BLOCK_SIZE_N=128,BLOCK_SIZE_K=64";
    let of = |block: &str, warps: &str, grid: &[&str]| shared(block, warps, "i32:64", grid);
    assert_eq!(of(square, "8", &many), [3, 2], "two copies before the loop and one in it");
    assert_eq!(of("BLOCK_SIZE_M=64,BLOCK_SIZE_N=256,BLOCK_SIZE_K=32", "4", &many), [3, 2]);
    for (grid, why) in [
        (["grid.0=8191", "grid.1=1", "grid.2=1"], "the number is odd"),
        (["grid.0=4000..8192", "grid.1=1", "grid.2=1"], "nobody knows the number"),
        (["grid.0=2048", "grid.1=1", "grid.2=1"], "there are 16 for each multiprocessor"),
    ] {
        assert_eq!(of(square, "8", &grid), [0, 0], "{why}");
    }
    assert_eq!(of(square, "8", &[]), [0, 0], "nothing is known of the grid");
    let large = "BLOCK_SIZE_M=128,BLOCK_SIZE_N=256,BLOCK_SIZE_K=64";
    assert_eq!(of(large, "8", &many), [0, 0], "a multiprocessor has room for one");
    let high = "BLOCK_SIZE_M=128,BLOCK_SIZE_N=64,BLOCK_SIZE_K=64";
    assert_eq!(of(high, "8", &many), [0, 0], "neighbors share the columns, which are the smaller operand");
    assert_eq!(shared(square, "8", "i32=2048", &many), [0, 0], "there are 32 iterations");
    assert_eq!(shared(square, "8", "i32=4096", &many), [3, 2], "there are 64");
}
