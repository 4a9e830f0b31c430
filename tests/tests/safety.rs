//! What keeps programs safe, end to end on the simulator: wide offsets, checks, and warnings of launches.

use tk_tests::{Outcome, root, run_tk};

fn tk(command: &str) -> Outcome {
    let args: Vec<String> = command.split_whitespace().map(str::to_string).collect();
    run_tk(&args)
}

/// A program in target/, and its path.
fn program(name: &str, text: &str) -> String {
    let folder = root().join("target").join("safety");
    std::fs::create_dir_all(&folder).expect("target/ can be written");
    let path = folder.join(name);
    let header = "import torch\nimport triton\nimport triton.language as tl\n\n\n";
    std::fs::write(&path, format!("{header}{text}")).expect("a program can be written");
    path.display().to_string()
}

#[track_caller]
fn assert_told(outcome: &Outcome, exit: i32, parts: &[&str]) {
    assert_eq!(outcome.exit, exit, "{}", outcome.text);
    for part in parts {
        assert!(outcome.text.contains(part), "{part} is missing in\n{}", outcome.text);
    }
}

#[test]
fn cross_entropy_past_two_to_the_31_is_warned_of_stopped_and_right_when_wide() {
    let file = root().join("tests/programs/far_cross_entropy.tk").display().to_string();
    let run = |options: &str| tk(&format!("run {file} --device sim {options}"));
    let place = "far_cross_entropy.tk:15:";
    assert_told(&run("-D first_row=16741"), 0, &["agrees"]);
    assert_told(&run(""), 1, &["error[out-of-bounds]"]);
    assert_told(
        &run("--sanitize overflow"),
        1,
        &["error[offset-overflow]", "`row * stride_row`", place, "program (1, 0, 0)"],
    );
    assert_told(&run("--sanitize bounds"), 1, &["error[out-of-bounds]", "`logits_ptr`", "program (1, 0, 0)"]);
    assert_told(&run("--index-width auto"), 0, &["agrees"]);
    assert_told(&run("--index-width 64"), 0, &["agrees"]);
    let check = |bounds: &str| tk(&format!("check {file} --deny-warnings {bounds}"));
    let large = "--bound grid=2 --bound first_row=16743 --bound stride_row=128256 --bound n_cols=128256";
    assert_told(&check(large), 1, &["warning[int32-offset]", place, "can reach 2147518464"]);
    assert_told(&check(&large.replace("16743", "16741")), 0, &["nothing to report"]);
}

/// A kernel that is compiled as written where it may be costs nothing.
#[test]
fn auto_changes_nothing_where_nothing_can_overflow() {
    let file = root().join("examples/softmax.tk").display().to_string();
    let signature = "--kernel softmax_kernel --signature *fp32,*fp32,i32,i32,i32,i32 --constexpr BLOCK_SIZE=1024";
    let bounds = "--bound grid=1024 --bound input_row_stride=4096 --bound output_row_stride=4096 --bound n_rows=1024 --bound n_cols=1000";
    let ptx = |options: &str| tk(&format!("compile {file} {signature} {options}"));
    let (written, auto, wide) = (ptx(""), ptx(&format!("--index-width auto {bounds}")), ptx("--index-width 64"));
    assert_eq!((written.exit, auto.exit, wide.exit), (0, 0, 0), "{}{}", written.text, auto.text);
    assert_eq!(written.text, auto.text);
    assert_ne!(written.text, wide.text);
    assert_ne!(written.text, ptx("--index-width auto").text);
}

/// The kernel of the table in docs/safety.md, compiled with these options.
fn cross_entropy(options: &str) -> String {
    let file = root().join("benches/gpu/cross_entropy_overflow.tk").display().to_string();
    let signature = "--kernel cross_entropy_kernel --signature *bf16:16,*i64:16,*fp32:16,i32:16,i32:16 --constexpr BLOCK=4096 --num-warps 8";
    let outcome = tk(&format!("compile {file} {signature} {options}"));
    assert_eq!(outcome.exit, 0, "{}", outcome.text);
    outcome.text
}

/// What sizes prove is not checked: with rows enough to stay below 2^31 the kernel is the one as written, and one more power of two
/// brings the check of the row back, outside the loop.
#[test]
fn what_sizes_prove_is_not_checked() {
    let bounds =
        |rows: u32| format!("--sanitize overflow --bound grid={rows} --bound stride_row=131072 --bound n_cols=128256");
    let checks = |text: &str| text.matches("red.global").count();
    assert_eq!(checks(&cross_entropy(&bounds(16383))), 0);
    let many = cross_entropy(&bounds(32768));
    // The product, and the two loads that use it.
    assert_eq!(checks(&many), 3 * 3);
    assert_eq!(checks(&cross_entropy("")), 0);
}

/// In a loop nothing branches before its loads are on their way: the checks of an iteration stand behind them, and report there.
#[test]
fn checks_of_a_loop_stand_behind_its_loads() {
    for (options, expected) in
        [("--sanitize overflow", 2), ("--sanitize bounds", 16), ("--sanitize bounds,overflow", 16)]
    {
        let text = cross_entropy(options);
        // A label or a branch ends a block; that of the loop loads most.
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let blocks = lines.split(|line| line.starts_with("$L__BB") || line.contains("bra"));
        let is_load = |line: &&&str| line.contains("ld.global");
        let block = blocks.max_by_key(|block| block.iter().filter(is_load).count()).expect("there are blocks");
        assert_eq!(block.iter().filter(is_load).count(), expected, "{options}\n{text}");
        let last = block.iter().rposition(|line| is_load(&line)).expect("it loads");
        let waits = |line: &&str| line.contains("red.") || line.contains("bar.");
        assert!(!block[..last].iter().any(waits), "{options}\n{text}");
    }
}

#[test]
fn examples_pass_with_wide_offsets_and_with_every_check() {
    for name in ["vector_add", "softmax", "atomics", "cross_entropy", "transpose", "matmul_naive"] {
        let file = root().join("examples").join(format!("{name}.tk")).display().to_string();
        for options in ["--sanitize bounds,overflow", "--index-width 64"] {
            assert_told(&tk(&format!("test {file} --device sim {options}")), 0, &[" 0 failed"]);
        }
    }
}

/// No kernel of an example needs a signature to be found and checked: neither pointers, nor descriptors, nor tables of pointers.
#[test]
fn kernels_of_examples_check_without_signatures() {
    let mut files = 0;
    for entry in std::fs::read_dir(root().join("examples")).expect("examples/ is there").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "tk") {
            let outcome = tk(&format!("check {}", path.display()));
            assert_eq!(outcome.exit, 0, "{}", outcome.text);
            assert!(!outcome.text.contains(": 0 kernels"), "{}", outcome.text);
            assert!(!outcome.text.contains("int32-offset"), "{}", outcome.text);
            files += 1;
        }
    }
    assert!(files > 20, "only {files} examples");
}

/// What a mask leaves out is not read, so its offset may be anything.
#[test]
fn offsets_that_a_mask_leaves_out_may_overflow() {
    let kernel = "@triton.jit\ndef k(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):\n    offs = tl.arange(0, BLOCK)\n    \
                  far = offs * stride\n    base = x_ptr - stride.to(tl.int64) * 2\n    \
                  tl.store(y_ptr + offs, tl.load(base + far, mask=(offs >= 2) & (offs < n), other=0.0))\n\n\n";
    let run = |n: u32| {
        let main = format!(
            "def main():\n    x = torch.ones(64)\n    y = torch.empty(64)\n    k[(1,)](x, y, {n}, 2**30, BLOCK=64)\n    print(y.sum().item())\n"
        );
        let file = program("masked.tk", &format!("{kernel}{main}"));
        tk(&format!("run {file} --device sim --sanitize overflow"))
    };
    assert_told(&run(2), 0, &["0.0"]);
    // Element 2 has the offset 2**31, which is the first element of the tensor.
    assert_told(
        &run(3),
        1,
        &["error[offset-overflow]", "`offs * stride`", "reads the wrong address", "program (0, 0, 0)"],
    );
}

#[test]
fn launches_warn_of_tensors_whose_strides_the_kernel_does_not_get() {
    let kernel = "@triton.jit\ndef k(x_ptr, y_ptr, n, stride, BLOCK: tl.constexpr):\n    offs = tl.arange(0, BLOCK)\n    \
                  tl.store(y_ptr + offs, tl.load(x_ptr + offs * STEP, mask=offs < n, other=0.0), mask=offs < n)\n\n\n";
    let main = |x: &str, stride: &str| {
        format!(
            "def main():\n    x = {x}\n    y = torch.zeros(64)\n    k[(1,)](x, y, 64, {stride}, BLOCK=64)\n    print('ran')\n"
        )
    };
    let warns = |step: &str, x: &str, stride: &str| {
        let text = kernel.replace("STEP", step) + &main(x, stride);
        let outcome = tk(&format!("run {} --device sim", program("strides.tk", &text)));
        assert_told(&outcome, 0, &["ran"]);
        outcome.text.contains("warning[not-contiguous]: `x_ptr`")
    };
    assert!(!warns("1", "torch.ones(64)", "1"));
    assert!(warns("1", "torch.ones(64, 2)[:, 0]", "1"));
    assert!(!warns("stride", "torch.ones(64, 2)[:, 0]", "x.stride(0)"));
    // The stride is passed and never read.
    assert!(warns("1", "torch.ones(64, 2)[:, 0]", "x.stride(0)"));
    assert!(!warns("1", "torch.ones(64, 2)[:, 0].contiguous()", "1"));
}
