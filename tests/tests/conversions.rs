//! Counts of what changes layout through shared memory.

use crate::counts::{compile, count};

const ONE_PROGRAM: [&str; 6] = ["--bound", "grid.0=1", "--bound", "grid.1=1", "--bound", "grid.2=1"];

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

/// A loop over time that sums up the rows of a small block stores them from the threads that have them: no thread meets another one. Where the grid brings
/// many CTAs, one warp has the block of 256 numbers.
#[test]
fn sums_of_rows_are_stored_by_the_threads_that_have_them() {
    let of = |grid: &str| {
        let more = ["--constexpr", "P=16,N=16", "--num-warps", "4", "--bound", grid];
        let signature = "*fp32:16,*fp32:16,*fp32:16,*fp32:16,*fp32:16,i32,i32,i32";
        compile("tests/programs/small_states.tk", "scan_kernel", signature, &more)
    };
    for (grid, threads) in [("grid.0=132", ".reqntid 128"), ("grid.0=4096", ".reqntid 32")] {
        let ptx = of(grid);
        assert_eq!(["st.shared", "bar.sync"].map(|word| count(&ptx, word)), [0, 0], "{ptx}");
        assert_eq!(count(&ptx, threads), 1, "{ptx}");
    }
}

/// Blocks that are copied far ahead leave no room for the conversion of a product: it is stored as it lies, two words at once. Otherwise four are.
#[test]
fn products_are_stored_as_they_lie_where_memory_is_short() {
    let of = |stages: &str| {
        let grid = ["grid.0=1", "grid.1=1", "grid.2=1"].map(|bound| ["--bound", bound]).concat();
        let warps = ["--constexpr", "CHUNK=64,SIZE=32", "--num-warps", "2", "--num-stages", stages];
        let more = [grid, warps.to_vec()].concat();
        let signature = "*fp32:16,*fp32:16,*fp32:16,i32,i32";
        let ptx = compile("tests/programs/stored_states.tk", "states_kernel", signature, &more);
        ["st.global.v2", "st.global.v4"].map(|word| count(&ptx, word))
    };
    assert_eq!(of("15"), [8, 0]);
    assert_eq!(of("2"), [0, 4]);
}

/// The first and the last iteration of a loop store what they computed in another layout, and convert it there: no iteration computes 32 powers of a
/// thread twice.
#[test]
fn blocks_that_one_iteration_stores_are_converted_in_it() {
    for once in ["'last'", "'first'"] {
        let constants = format!("ONCE={once},ROWS=64,COLUMNS=64");
        let more = ["--constexpr", &constants, "--num-warps", "4"];
        let ptx =
            compile("tests/programs/last_states.tk", "powers_kernel", "*fp16:16,*fp16:16,*fp32:16,i32,i32", &more);
        assert_eq!(count(&ptx, "ex2.approx"), 32, "{ptx}");
    }
}

/// A store that turns a matrix has lanes along columns, where a block has whole rows, and where the programs of some rows exchange their elements: eight
/// numbers at once, or neighbours in a column. Rows of 48 numbers, of which blocks have no whole number, stay where programs are few.
#[test]
fn flat_blocks_of_turned_matrices_become_tiles() {
    let of = |constants: &str, grid: &str| {
        let more = ["--constexpr", constants, "--num-warps", "4", "--bound", grid];
        let signature = "*fp32:16,*fp32:16,*fp32:16,*fp16:16,i32:16";
        let ptx = compile("tests/programs/flat_blocks.tk", "turned_kernel", signature, &more);
        ["st.global.v4.b32", "bar.sync"].map(|word| count(&ptx, word))
    };
    let few = "grid.0=132";
    assert_eq!(of("ROWS=128,COLUMNS=64,USES=0,BLOCK=2048", few)[0], 2);
    assert_eq!(of("ROWS=128,COLUMNS=48,USES=2,BLOCK=2048", few)[0], 0);
    // The threads of a tile meet for what they store. As it was written, they do in the other branch.
    let [_, before] = of("ROWS=65536,COLUMNS=1536,USES=2,BLOCK=1024", few);
    let [wide, meetings] = of("ROWS=65536,COLUMNS=1536,USES=2,BLOCK=1024", "grid.0=98304");
    assert!(wide > 0 && meetings > before, "{wide} {meetings} {before}");
}

/// So has a store whose columns are as far apart as a launch says, and in grids that bring nine to a multiprocessor; with fewer programs, or with blocks that
/// have whole rows, no branch asks for that.
#[test]
fn flat_blocks_become_tiles_where_a_launch_says_how_far_columns_are_apart() {
    let stores_and_meetings = |constants: &str, grid: &str| {
        let more = [
            "--constexpr",
            constants,
            "--num-warps",
            "2",
            "--bound",
            grid,
            "--bound",
            "grid.1=1",
            "--bound",
            "grid.2=1",
        ];
        let signature = "*fp32:16,*fp16:16,i32:16,i32,i32";
        let ptx = compile("tests/programs/flat_blocks.tk", "turned_at_launch_kernel", signature, &more);
        ["st.global", "bar.sync"].map(|word| count(&ptx, word))
    };
    let [of_block, meetings] = stores_and_meetings("COLUMNS=128,BLOCK=512", "grid.0=132");
    for grid in ["grid.0=1188", "grid.0=2376"] {
        let [of_both, more_meetings] = stores_and_meetings("COLUMNS=128,BLOCK=512", grid);
        assert!(of_both > of_block && more_meetings > meetings, "{grid}: {of_both} {more_meetings}");
    }
    assert_eq!(stores_and_meetings("COLUMNS=32,BLOCK=512", "grid.0=132")[0], of_block);
}

/// The weights of four taps go through shared memory, since one warp has nobody to wait for: a word is written, and sixteen words are read four at once.
#[test]
fn one_warp_reads_weights_of_columns_from_shared_memory() {
    let more = ["--constexpr", "T=16,C=64,WIDTH=4", "--num-warps", "1"];
    let signature = "*fp16:16,*fp16:16,*fp32:16,i32,i32:16";
    let ptx = compile("tests/programs/added_taps.tk", "taps_kernel", signature, &more);
    assert_eq!(["shfl.sync", "st.shared", "ld.shared.v4"].map(|word| count(&ptx, word)), [0, 4, 16], "{ptx}");
}

/// Halves that are loaded with one row for a warp go through shared memory before they are floats, which are stored with two rows. Where functions of the
/// rows stand between, the floats do, and each thread computes the functions of its one row.
#[test]
fn functions_of_rows_are_computed_once() {
    let of = |constants: &str| {
        let more = ["--constexpr", constants, "--num-warps", "8"];
        let signature = "*bf16:16,*fp32:16,*fp32:16,i32:16";
        let ptx = compile("tests/programs/functions_of_rows.tk", "scaled_kernel", signature, &more);
        ["ex2.approx", "st.shared.v4.b32"].map(|word| count(&ptx, word))
    };
    assert_eq!(of("FUNCTIONS=False,R=4,C=512"), [0, 1]);
    assert_eq!(of("FUNCTIONS=True,R=4,C=512"), [6, 2]);
}

/// A row that a sum with zeros selects takes no shuffles: those that are left add up the product of the row and the block.
#[test]
fn selected_rows_are_handed_on_without_shuffles() {
    let more = ["--constexpr", "N=64", "--num-warps", "8"];
    let ptx = compile("tests/programs/selected_rows.tk", "inverse_kernel", "*fp32:16,*fp32:16", &more);
    assert_eq!(count(&ptx, "shfl.sync"), 4, "{ptx}");
}

/// A state that is stored and multiplied, and what a chunk adds to it, are written to shared memory once each, by `stmatrix`, with two barriers in an iteration
/// for both and two for the copies. Converted one by one they took 42 writes and three barriers more.
#[test]
fn states_that_are_stored_and_multiplied_are_written_once() {
    let more = ["--constexpr", "T=16,K=128,V=64,BACKWARDS=False", "--num-warps", "2", "--num-stages", "1"];
    let signature = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp16:16,*fp16:16,i32";
    let more = [&more[..], &ONE_PROGRAM].concat();
    let ptx = compile("tests/programs/multiplied_states.tk", "states_kernel", signature, &more);
    assert_eq!(["st.shared", "stmatrix", "bar.sync"].map(|word| count(&ptx, word)), [10, 18, 4], "{ptx}");
}
