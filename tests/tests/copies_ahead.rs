//! How far ahead loops copy, and what goes along, counted in the PTX: further than the stages say, numbers and rows beside blocks, loads before products, and
//! parts of products for all CTAs.

use crate::counts::{compile, count};

const IDLE_MEMORY: &str = "tests/programs/idle_memory.tk";

/// Where the grid brings few CTAs, copies of two blocks go as far ahead as these take to arrive, with six buffers, and twice those that were asked for, at
/// most: not past the iterations of a loop, and not where it says its stages. A scale of results is asked for before it is needed.
#[test]
fn copies_go_further_ahead_where_few_ctas_come() {
    let groups = |kernel: &str, constants: &str, [warps, stages, ctas]: [&str; 3]| {
        let signature = match kernel {
            "known_kernel" => "*fp16:16,*fp16:16,*fp32:16,i32:16",
            "product_kernel" => "*fp16:16,*fp16:16,*fp32:16,i32:16,i32:16",
            "scaled_kernel" => "*fp16:16,*fp16:16,*fp32:16,*fp32:16,i32:16,i32:16",
            "scores_kernel" => "*fp16:16,*fp16:16,*fp16:16,*fp32:16,i32",
            other => panic!("no signature of {other}"),
        };
        let columns = format!("grid.0={ctas}");
        let bounds = ["--bound", &columns, "--bound", "grid.1=1", "--bound", "grid.2=1"];
        let more = ["--constexpr", constants, "--num-warps", warps, "--num-stages", stages];
        count(&compile(IDLE_MEMORY, kernel, signature, &[&more[..], &bounds[..]].concat()), "cp.async.commit_group")
    };
    let product = |launch| groups("product_kernel", "M=32,N=32,K=32", launch);
    assert_eq!([product(["2", "3", "1"]), product(["2", "3", "132"]), product(["2", "3", "264"])], [12; 3]);
    assert_eq!(product(["2", "3", "100000"]), 6, "others compute while one waits");
    assert_eq!([product(["2", "2", "100"]), product(["2", "6", "100"]), product(["2", "1", "100"])], [8, 12, 0]);
    assert_eq!(groups("product_kernel", "M=64,N=64,K=32", ["4", "3", "100"]), 12, "by warp groups");
    assert_eq!(groups("product_kernel", "M=128,N=128,K=64", ["8", "3", "100"]), 6, "bytes take as long as a block");
    assert_eq!(groups("product_kernel", "M=64,N=64,K=32,OWN=3", ["4", "3", "100"]), 6, "the author's word stands");
    let known = |steps: &str| groups("known_kernel", &format!("M=32,N=32,K=32,STEPS={steps}"), ["2", "3", "100"]);
    assert_eq!(["3", "4", "32"].map(known), [6, 8, 12]);
    assert_eq!(groups("scaled_kernel", "M=64,N=64,K=32", ["4", "3", "100"]), 12, "a scale is there in time");
    assert_eq!(groups("scores_kernel", "M=64,N=32,D=32", ["4", "2", "100"]), 8, "a loop of two products");
    // With two stages, products by `wgmma` get a buffer more for each block where registers let no more CTAs in than that leaves.
    let many = |constants: &str| groups("product_kernel", constants, ["4", "2", "100000"]);
    assert_eq!(["M=128,N=128,K=32", "M=64,N=64,K=64"].map(many), [6, 4]);
}

/// Four CTAs of a grid have room at once if a product comes in two parts: each is scaled and added before the next one starts.
#[test]
fn products_come_in_parts_where_all_ctas_then_have_room() {
    let of = |ctas: &str| {
        let tile = "BLOCK_M=128,BLOCK_N=64,BLOCK_K=32,COLUMNS=False,MASKED=False";
        let columns = format!("grid.0={ctas}");
        let bounds = ["--bound", &columns, "--bound", "grid.1=1", "--bound", "grid.2=1"];
        let more = ["--constexpr", tile, "--num-warps", "4", "--num-stages", "3"];
        let signature = format!("*bf16:16,*bf16:16,{},{}", ["*fp32:16"; 3].join(","), ["i32:16"; 8].join(","));
        let program = "tests/programs/rows_beside_products.tk";
        let ptx = compile(program, "scaled_kernel", &signature, &[&more[..], &bounds[..]].concat());
        (count(&ptx, "wgmma.commit_group"), count(&ptx, ".minnctapersm 4"))
    };
    assert_eq!(["132", "512", "100000"].map(of), [(1, 0), (2, 1), (1, 0)]);
}

/// A number of each iteration is copied by one thread beside blocks that threads copy, and rows beside it are, too. Numbers of two bytes are loaded, and such
/// whose masked-out value is not zero.
#[test]
fn numbers_beside_copies_are_copied() {
    let loads = |how: &str, ty: &str| {
        let signature = format!("*fp16:16,*fp16:16,*{ty}:16,*fp32:16,*fp32:16,i32,i32");
        let constants = format!("T=32,K=32,V=64,HOW='{how}'");
        let more = ["--constexpr", &constants, "--num-warps", "4", "--num-stages", "3"];
        count(&compile("tests/programs/numbers_beside_copies.tk", "states_kernel", &signature, &more), "ld.global")
    };
    for (how, ty) in [("plain", "fp32"), ("plain", "fp64"), ("plain", "i32"), ("masked", "fp32"), ("rows", "fp32")] {
        assert_eq!(loads(how, ty), 0, "{how} {ty}");
    }
    for (how, ty) in [("plain", "fp16"), ("other", "fp32")] {
        assert!(loads(how, ty) > 0, "{how} {ty}");
    }
}

/// Scales of the rows of an operand, which are few numbers of a thread, are copied with the blocks where few warps run. Scales of two bytes are loaded, and so
/// are those that results are multiplied by.
#[test]
fn scales_of_operands_are_copied() {
    let loads = |how: &str, ty: &str, ctas: &str| {
        let signature = format!("*fp16:16,*fp16:16,*{ty}:16,*fp32:16,i32,i32:16,i32:16");
        let (constants, grid) = (format!("M=32,N=64,T=32,GROUP=64,HOW='{how}'"), format!("grid.0={ctas}"));
        let bounds = ["--bound", &grid, "--bound", "grid.1=1", "--bound", "grid.2=1"];
        let more = [&["--constexpr", &constants, "--num-warps", "4", "--num-stages", "3"][..], &bounds[..]].concat();
        count(&compile("tests/programs/scaled_operands.tk", "scaled_kernel", &signature, &more), "ld.global")
    };
    for how in ["rows", "terms"] {
        assert_eq!(loads(how, "fp32", "64"), 0, "{how}");
    }
    for (how, ty, ctas) in [("rows", "fp16", "64"), ("results", "fp32", "64"), ("rows", "fp32", "4096")] {
        assert!(loads(how, ty, ctas) > 0, "{how} {ty} {ctas}");
    }
}

/// A number of a group of columns and terms is a block with one address: it takes a register, and is asked for before the first of two products.
#[test]
fn scales_of_two_products_are_loaded_before_both() {
    let signature = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp32:16,*fp32:16,i32:16,i32";
    let more = ["--constexpr", "M=64,N=64,T=64,GROUP=64", "--num-warps", "4", "--num-stages", "3"];
    let ptx = compile("tests/programs/scales_of_two_products.tk", "halves_kernel", signature, &more);
    let (before, behind) = ptx.split_once("wgmma.mma_async").expect("a product");
    assert_eq!((count(before, "ld.global"), count(behind, "ld.global")), (2, 0), "{ptx}");
}

/// With two stages the copies for the next chunk start before the state is stored, as soon as those for this one have come, and threads do not meet for them at the
/// end of an iteration. With one stage there are none.
#[test]
fn copies_start_before_a_state_is_stored() {
    let of = |stages: &str| {
        let bounds = ["--bound", "grid.0=1", "--bound", "grid.1=1", "--bound", "grid.2=1"];
        let more = ["--constexpr", "T=64,K=64,V=32,BACKWARDS=False", "--num-warps", "4", "--num-stages", stages];
        let signature = "*fp16:16,*fp16:16,*fp16:16,*fp32:16,*fp16:16,*fp16:16,i32";
        let program = "tests/programs/multiplied_states.tk";
        compile(program, "states_kernel", signature, &[&more[..], &bounds[..]].concat())
    };
    let ptx = of("2");
    assert_eq!(["bar.sync", "cp.async.commit_group"].map(|word| count(&ptx, word)), [5, 6], "{ptx}");
    assert_eq!(count(&of("1"), "cp.async"), 0);
}
