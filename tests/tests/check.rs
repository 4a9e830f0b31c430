//! `tk check` without a signature: no false error in any file of the repository, with and without the launches that stand in it, and every
//! mistake that is planted in one is found on its line.

use std::path::{Path, PathBuf};
use tk_tests::{Outcome, root, run_tk};

fn check(path: &Path) -> Outcome {
    run_tk(&["check".to_string(), path.display().to_string()])
}

fn programs(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("the folder is there").flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "tk"));
    paths.sort();
    paths
}

/// A file in target/.
fn written(name: &str, text: &str) -> PathBuf {
    let folder = root().join("target").join("check");
    std::fs::create_dir_all(&folder).expect("target/ can be written");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a program can be written");
    path
}

const FOLDERS: [&str; 5] = ["tests/language", "tests/programs", "examples", "benches", "benches/gpu"];

#[test]
fn no_file_has_a_false_error() {
    let mut files = 0;
    for path in FOLDERS.iter().flat_map(|folder| programs(folder)) {
        let outcome = check(&path);
        assert_eq!(outcome.exit, 0, "{}", outcome.text);
        assert!(!outcome.text.contains("not checked"), "{}", outcome.text);
        files += 1;
    }
    assert!(files >= 45, "only {files} files");
}

/// Without tests and benchmarks nothing says what kernels are launched with: everything is guessed.
#[test]
fn no_kernel_has_a_false_error_where_nothing_launches_it() {
    let mut files = 0;
    for path in FOLDERS.iter().flat_map(|folder| programs(folder)) {
        let text = std::fs::read_to_string(&path).expect("it reads");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name == "imports.tk" {
            // The files that it imports are found beside it alone.
            continue;
        }
        if name == "inductor_helpers.tk" {
            // What functions of other files do with parameters is not looked into, so a pointer that is only passed on is not known as one.
            continue;
        }
        let outcome = check(&written(&format!("alone_{name}"), &without_launches(&text)));
        assert_eq!(outcome.exit, 0, "{}", outcome.text);
        files += 1;
    }
    assert!(files >= 45, "only {files} files");
}

/// A file without its top-level functions that launch something, which are those with `](`.
fn without_launches(text: &str) -> String {
    let mut blocks: Vec<String> = Vec::new();
    for line in text.lines() {
        // What is indented, and the brackets that close a signature, go on with what is before them.
        let goes_on = line.starts_with([' ', ')', ']', '}']) || line.is_empty();
        let decorated =
            blocks.last().is_some_and(|block| block.lines().last().is_some_and(|last| last.starts_with('@')));
        match blocks.last_mut() {
            Some(block) if goes_on || decorated => {
                block.push('\n');
                block.push_str(line);
            }
            _ => blocks.push(line.to_string()),
        }
    }
    let launches = |block: &String| block.starts_with("def ") && block.contains("](");
    blocks.retain(|block| !launches(block));
    blocks.join("\n") + "\n"
}

/// A mistake that is planted in a file of the repository.
struct Mistake {
    file: &'static str,
    /// What stands there once.
    right: &'static str,
    wrong: &'static str,
    /// How it is reported on its line.
    report: &'static str,
    /// Whether it is one without the launches of the file: some arguments are right for it, or no guess goes that way.
    alone: bool,
}

const fn mistake(file: &'static str, right: &'static str, wrong: &'static str, report: &'static str) -> Mistake {
    Mistake { file, right, wrong, report, alone: true }
}

const fn launched(file: &'static str, right: &'static str, wrong: &'static str, report: &'static str) -> Mistake {
    Mistake { file, right, wrong, report, alone: false }
}

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    mistake("examples/vector_add.tk", "tl.program_id(axis=0)", "tl.program_idx(axis=0)", "error[unknown-name]"),
    mistake("examples/vector_add.tk", "y = tl.load(y_ptr + offsets, mask=mask)", "y = tl.load(y_ptr + offset, mask=mask)", "error[unknown-name]"),
    mistake("examples/softmax.tk", "numerator = tl.exp(row_minus_max)", "numerator = math.exp(row_minus_max)", "error[unknown-name]"),
    mistake("examples/softmax.tk", "denominator = tl.sum(numerator, axis=0)", "denominator = tl.sum(numerator, axis=1)", "error[bad-argument]"),
    mistake("examples/layer_norm.tk", "w = tl.load(W + cols, mask=mask)", "w = tl.load(W + cols, mask=cols)", "error[type-mismatch]"),
    mistake("examples/layer_norm.tk", "rstd = 1 / tl.sqrt(var + eps)", "rstd = 1 / tl.sqrt(var + epsilon)", "error[unknown-name]"),
    mistake("examples/layer_norm.tk", "tl.store(Mean + row, mean)", "tl.store(Mean + row, _mean)", "error[mask-without-tensor]"),
    mistake("examples/attention.tk", "row_sum = tl.zeros((BLOCK_M,), dtype=tl.float32)", "row_sum = tl.zeros((BLOCK_M,), dtype=float32)", "error[unknown-name]"),
    mistake("examples/histogram.tk", "tl.atomic_add(bins_ptr + x, 1, mask=counted)", "tl.atomic_add(bins_ptr + x, 1, mask=counted, sem='strict')", "error[bad-argument]"),
    mistake("examples/atomics.tk", "while tl.atomic_cas(lock_ptr, 0, 1) == 1:", "while tl.atomic_cas(lock_ptr, 0) == 1:", "error[argument-count]"),
    mistake("examples/reductions.tk", "tl.reduce(x, 0, larger_magnitude)", "tl.reduce(x, larger_magnitude, 0)", "error[bad-argument]"),
    mistake("examples/matmul_tma.tk", "a = a_desc.load([offs_am, offs_k])", "a = a_desc.load([offs_am])", "error[shape-mismatch]"),
    mistake("examples/matmul_tma.tk", "accumulator = tl.dot(a, b.T, accumulator)", "accumulator = tl.dot(a, b.T, accumulator, precision='ieee')", "error[bad-argument]"),
    mistake("examples/grouped_gemm.tk", "accumulator += tl.dot(a, b)", "accumulator += tl.dot(b, a)", "error[shape-mismatch]"),
    mistake("examples/cross_entropy.tk", "tl.arange(0, BLOCK", "tl.arange(BLOCK", "error[argument-count]"),
    mistake("tests/language/descriptors.tk", "block = d.load([row, column])", "block = d.load([row, column], mask=row < H)", "error[bad-argument]"),
    mistake("tests/language/descriptors.tk", "padding_option=PADDING)", "padding=PADDING)", "error[bad-argument]"),
    mistake("tests/language/descriptors.tk", "tl.store(out + 6, d.block_shape[0]", "tl.store(out + 6, d.block_shapes[0]", "error[unknown-name]"),
    mistake("tests/language/functions.tk", "tl.store(out + i, fn(doubled(i, 3), i))", "tl.store(out + i, fn(doubled(i), i))", "error[argument-count]"),
    mistake("tests/language/functions.tk", "return doubled(x * 2, n - 1)", "return doubled(x * 2, n - 1", "error[syntax]"),
    mistake("tests/language/libdevice.tk", "tl.load(x + i, mask=i < n, other=0.5))", "tl.load(x + i, mask=i < n, others=0.5))", "error[bad-argument]"),
    mistake("tests/language/mapping.tk", "kind, value = tl.map_elementwise(classify, v, limit)", "kind, value, more = tl.map_elementwise(classify, v, limit)", "error[type-mismatch]"),
    mistake("tests/language/mapping.tk", "ready = tl.atomic_poll(flag, 1)", "ready = tl.atomic_poll(flag + 0.5, 1)", "error[type-mismatch]"),
    mistake("tests/language/noinline.tk", "c, d = both(a, b, 3)", "c, d = both(a, b, 3, 4)", "error[argument-count]"),
    mistake("tests/language/noinline.tk", "n = collatz(n)", "n = collats(n)", "error[unknown-name]"),
    mistake("tests/language/loops.tk", "everything += tl.sum(flat)", "everything += flat", "error[type-mismatch]"),
    mistake("tests/language/records.tk", "p = Pair(p.a + 1, p.b)", "p = Pair(p.a + 1, p.c)", "error[unknown-name]"),
    mistake("benches/gpu/memory.tk", "row_minus_max = row - tl.max(row, axis=0)", "row_minus_max = row - tl.max(row, dim=0)", "error[bad-argument]"),
    mistake("benches/gpu/cross_entropy_overflow.tk", "label = tl.load(labels_ptr + row)", "label = tl.load(labels_ptr, row)", "error[type-mismatch]"),
    // Shapes that go together where two sizes are the same.
    mistake("examples/matmul.tk", "b_ptrs = b_ptr + (offs_k[:, None]", "b_ptrs = b_ptr + (offs_k[None, :]", "warning[shape-mismatch]"),
    mistake("examples/attention.tk", "acc = acc / row_sum[:, None]", "acc = acc / row_sum[None, :]", "warning[shape-mismatch]"),
    launched("examples/reductions.tk", "best_row = tl.where(block_best > best, block_row, best_row)", "best_row = tl.where(block_best > best, rows, best_row)", "error[shape-mismatch]"),
    launched("tests/language/functions.tk", "x, (y, scale) = pointers", "x, y, scale = pointers", "error[type-mismatch]"),
    launched("tests/language/functions.tk", "elif KIND in (\"twice\", \"double\"):", "elif KIND in twice:", "error[unknown-name]"),
    launched("tests/language/libdevice.tk", "libdevice.ldexp(v, k)", "libdevice.ldexp(k, v)", "error[type-mismatch]"),
];

/// Each mistake is an error of its kind on its line, and the file has no other errors than those that follow from it.
#[test]
fn planted_mistakes_are_found() {
    let mut missed = String::new();
    for (number, Mistake { file, right, wrong, report, alone }) in MISTAKES.iter().enumerate() {
        let text = std::fs::read_to_string(root().join(file)).expect("the file is there");
        if !text.contains(right) {
            missed += &format!("{file} has no `{right}`\n");
            continue;
        }
        let texts = [("launched", text.clone()), ("alone", without_launches(&text))];
        for (kind, text) in texts.into_iter().filter(|(kind, _)| *alone || *kind == "launched") {
            let planted = text.replacen(right, wrong, 1);
            let line = line_of(&planted, wrong);
            let path = written(&format!("planted_{number}_{kind}.tk"), &planted);
            let outcome = check(&path);
            let place = format!("{}:{line}:", path.file_name().expect("a name").to_string_lossy());
            let exit = i32::from(report.starts_with("error"));
            // The place of the error, or a label of it on that line.
            let is_named = outcome.text.contains(&place) || outcome.text.contains(&format!("\n{line} | "));
            if outcome.exit != exit || !outcome.text.contains(report) || !is_named {
                missed += &format!("{file}, {kind}: `{wrong}` should be {report} at {place}\n{}\n", outcome.text);
            }
        }
    }
    assert!(missed.is_empty(), "{missed}");
}

/// The line of a text that stands once.
fn line_of(text: &str, part: &str) -> usize {
    let at = text.find(part).expect("it was written");
    text[..at].matches('\n').count() + 1
}

/// The wrong type of a parameter, a branch that constants do not take and a file that is not there are no errors of a kernel.
#[test]
fn what_was_guessed_is_not_the_fault_of_the_file() {
    let head = "import triton\nimport triton.language as tl\n\n";
    let files = [
        (
            "near_type.py",
            "@triton.jit\ndef k(out, rate):\n    i = tl.arange(0, 16)\n    tl.store(out + i, tl.exp2(rate) + i)\n",
        ),
        (
            "near_assert.py",
            "@triton.jit\ndef k(out, MODE: tl.constexpr):\n    tl.static_assert(MODE == 77)\n    tl.store(out, 1)\n",
        ),
        (
            "near_branch.py",
            "@triton.jit\ndef k(out, MODE: tl.constexpr):\n    if MODE == 77:\n        a = 1\n    tl.store(out, a)\n",
        ),
        ("near_import.py", "from not_here import f\n\n@triton.jit\ndef k(out):\n    tl.store(out, f(1))\n"),
    ];
    for (name, text) in files {
        let outcome = check(&written(name, &format!("{head}{text}")));
        assert_eq!(outcome.exit, 0, "{name}: {}", outcome.text);
        assert!(outcome.text.contains("1 kernel"), "{name}: {}", outcome.text);
    }
}

/// Functions that other files call are seen, and a name that is nowhere is an error in them.
#[test]
fn functions_that_nothing_calls_are_seen() {
    let text =
        "import triton\nimport triton.language as tl\n\n@triton.jit\ndef f(x):\n    return tl.exp(x.to(tl.float32))\n";
    let right = check(&written("seen_right.py", text));
    assert_eq!(right.exit, 0, "{}", right.text);
    assert!(right.text.contains("0 kernels, 1 function that nothing here calls"), "{}", right.text);
    let wrong = check(&written("seen_wrong.py", &text.replace("tl.exp(", "tl.expp(")));
    assert_eq!(wrong.exit, 1, "{}", wrong.text);
    assert!(wrong.text.contains("seen_wrong.py:6:"), "{}", wrong.text);
}

/// `torch.finfo`, `torch.iinfo` and the numbers of `torch` are constants in kernels and in the globals that kernels read.
#[test]
fn limits_of_types_are_constants() {
    let text = "import torch\nimport triton\nimport triton.language as tl\n\nLEAST = tl.constexpr(torch.iinfo(torch.int8).min)\n\n\n@triton.jit\ndef k(out):\n    most: tl.constexpr = torch.finfo(torch.float16).max\n    tl.static_assert(most == 65504.0 and LEAST == -128 and 3.14 < float(torch.pi) < 3.15 and torch.e < torch.inf)\n    tl.store(out, most)\n";
    let right = check(&written("limits.py", text));
    assert_eq!(right.exit, 0, "{}", right.text);
    assert!(!right.text.contains("not checked"), "{}", right.text);
    let wrong = check(&written("limits_wrong.py", &text.replace("torch.float16", "torch.int16")));
    assert_eq!(wrong.exit, 1, "{}", wrong.text);
    assert!(wrong.text.contains("limits_wrong.py:10:"), "{}", wrong.text);
}
