//! The order of programs, counted in the PTX: how often they divide for their numbers, and how many ways there are.

use crate::counts::{compile, count};

/// Programs that share lines along the second axis divide once for their numbers and have one warp; where lines are whole they do not divide.
#[test]
fn programs_run_along_rows() {
    let compiled = |constants| {
        let more = ["--constexpr", constants, "--num-warps", "4", "--bound", "grid.0=64", "--bound", "grid.1=64"];
        compile("tests/programs/programs_along_rows.tk", "columns_kernel", "*fp32:16,*fp32:16,*fp32:16,i32", &more)
    };
    let ptx = compiled("AXES=2,ROWS=16,COLUMNS=8,PITCH=4096");
    assert_eq!([count(&ptx, "div.u32"), count(&ptx, "rem.u32"), count(&ptx, ".reqntid 32")], [1, 1, 1], "{ptx}");
    let ptx = compiled("AXES=2,ROWS=4,COLUMNS=32,PITCH=4096");
    assert_eq!([count(&ptx, "div.u32"), count(&ptx, "rem.u32")], [0, 0], "{ptx}");
}

/// Eight programs with a column each run as one where the grid brings many: both ways are there, and the joined one stores whole sectors.
#[test]
fn programs_with_a_column_each_run_together() {
    let compiled = |programs| {
        let more = ["--constexpr", "MASKED=1,R=32", "--num-warps", "1", "--bound", programs];
        compile("tests/programs/columns_together.tk", "columns_kernel", "*bf16:16,*fp32:16,*fp32:16,i32:16,i32", &more)
    };
    assert_eq!(count(&compiled("grid.0=4000"), "%nctaid.x"), 1);
    assert_eq!(count(&compiled("grid.0=400"), "%nctaid.x"), 0);
}

/// Programs that load a part of a column in each iteration, or of two beside each other, run as one where the grid brings many.
#[test]
fn programs_with_columns_in_loops_run_together() {
    let compiled = |constants, programs| {
        let more = ["--constexpr", constants, "--num-warps", "1", "--bound", programs, "--bound", "grid.1=1"];
        let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32,i32";
        count(&compile("tests/programs/columns_in_loops.tk", "columns_kernel", signature, &more), "%nctaid.x")
    };
    for constants in ["INSIDE=0,N=1,K=64", "INSIDE=1,N=1,K=64", "INSIDE=1,N=2,K=64"] {
        assert!(compiled(constants, "grid.0=4000") > 0, "{constants}");
        assert_eq!(compiled(constants, "grid.0=400"), 0, "{constants}");
    }
}

/// Programs that read the same weights run one after the other where the grid brings many: they divide once for their numbers.
#[test]
fn programs_that_share_blocks_are_renumbered() {
    let compiled = |programs| {
        let more = ["--constexpr", "N=2,K=16", "--num-warps", "1", "--bound", programs, "--bound", "grid.1=4"];
        compile("tests/programs/share_blocks.tk", "vectors_kernel", "*fp32:16,*fp32:16,*fp32:16,i32,i32", &more)
    };
    let divisions = |ptx: &str| [count(ptx, "div.u32"), count(ptx, "rem.u32")];
    assert_eq!(divisions(&compiled("grid.0=1000")), [1, 1]);
    assert_eq!(divisions(&compiled("grid.0=100")), [0, 0]);
}
