//! `tk explain`: the facts that it gathers. `crates/tk-cli/tests/explain.rs` looks at the page in a browser.

use serde_json::Value;
use tk_tests::root;

/// Runs tk in this process and reads the one document on standard output.
fn facts(words: &[&str]) -> Value {
    let words: Vec<String> = ["explain", "--json"].iter().chain(words).map(ToString::to_string).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = tk_cli::run(&words, &mut out, &mut err);
    assert_eq!(exit, 0, "{}", String::from_utf8_lossy(&err));
    serde_json::from_slice(&out).expect("standard output is one JSON document")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).expect("a list")
}

fn column<'f>(kernel: &'f Value, name: &str) -> &'f [Value] {
    let found = list(&kernel["columns"]).iter().find(|column| column["name"] == name);
    list(&found.unwrap_or_else(|| panic!("no column {name}"))["cells"])
}

/// Rows of the last form of a kind that come from a line of the source.
fn rows_of(kernel: &Value, kind: &str, line: usize) -> usize {
    let form = list(&kernel["forms"]).iter().rfind(|form| form["kind"] == kind).expect("a form of the kind");
    list(&form["lines"]["sources"]).iter().filter(|source| **source == line).count()
}

#[test]
fn the_facts_of_a_program_are_those_of_its_lines() {
    let file = root().join("examples/softmax.tk");
    let facts = facts(&[&file.display().to_string()]);
    assert_eq!(list(&facts["kernels"]).len(), 2);
    let kernel = &facts["kernels"][0];
    let names: Vec<&str> = list(&kernel["forms"]).iter().filter_map(|form| form["name"].as_str()).collect();
    for name in ["check", "lower", "convert-to-ttg", "vectorize-memory", "allocate-shared-memory", "emit-llvm", "ptx"] {
        assert!(names.contains(&name), "{name} is missing in {names:?}");
    }
    let source = std::fs::read_to_string(&file).expect("the example is there");
    let line = source.lines().position(|line| line.contains("tl.load(")).expect("a load") + 1;
    for kind in ["mlir", "llvm", "ptx"] {
        assert!(rows_of(kernel, kind, line) > 0, "line {line} has no {kind}");
    }
    assert!(column(kernel, "sect").iter().any(|cell| cell["line"] == line));
    let instructions = column(kernel, "PTX").iter().find(|cell| cell["line"] == line).expect("the load has PTX");
    assert_eq!(instructions["text"], rows_of(kernel, "ptx", line).to_string());
    let layouts = list(&kernel["layouts"]);
    assert!(layouts.iter().any(|layout| list(&layout["lines"]).contains(&line.into())), "the load has no layout");
    assert!(layouts.iter().all(|layout| layout["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg"))));
    assert!(list(&kernel["notes"]).iter().any(|note| note["about"] == "shared memory" && note["line"].is_u64()));
}

/// A line with strides has its figure, and a warning is a note of its line.
#[test]
fn slow_lines_stand_out() {
    let text = "import torch\nimport triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x, y, BLOCK: tl.constexpr):\n    at = tl.arange(0, BLOCK)\n    \
                tl.store(y + at, tl.load(x + at * 8))\n\ndef main():\n    x = torch.ones((2048,), device='cuda')\n    y = torch.empty((256,), device='cuda')\n    k[(1,)](x, y, BLOCK=256)\n";
    let folder = root().join("target").join("explain");
    std::fs::create_dir_all(&folder).expect("target/ can be written");
    let file = folder.join("strided.tk");
    std::fs::write(&file, text).expect("a program can be written");
    let facts = facts(&[&file.display().to_string()]);
    let cells = column(&facts["kernels"][0], "sect");
    assert_eq!(cells.len(), 1);
    assert_eq!((&cells[0]["line"], &cells[0]["level"], &cells[0]["text"]), (&8.into(), &"bad".into(), &"8.0".into()));
    let notes = list(&facts["kernels"][0]["notes"]);
    let slow: Vec<&Value> = notes.iter().filter(|note| note["level"] == "bad").collect();
    assert_eq!(slow.len(), 1, "{notes:?}");
    assert_eq!((&slow[0]["line"], &slow[0]["about"]), (&8.into(), &"access".into()));
    assert!(slow[0]["text"].as_str().is_some_and(|text| text.contains("neighbouring elements are 32 bytes apart")));
    assert_eq!(slow[0]["because_of"], serde_json::json!([]), "the line itself is no other line");
}

/// Two programs of four warps run a loop of five iterations, which no pass unrolls; one program runs the branch.
#[test]
fn lines_say_how_often_warps_ran_them() {
    let text = "import torch\nimport triton\nimport triton.language as tl\n\n@triton.jit\ndef k(x, y, n, BLOCK: tl.constexpr):\n    at = tl.arange(0, BLOCK)\n    \
                sum = tl.zeros((BLOCK,), tl.float32)\n    i = 1\n    while i < n:\n        sum += tl.load(x + i + at)\n        i = i * 2 + 1\n    \
                if tl.program_id(0) == 0:\n        tl.store(y + at, sum)\n\ndef main():\n    x = torch.ones((2048,), device='cuda')\n    \
                y = torch.empty((128,), device='cuda')\n    k[(2,)](x, y, 33, BLOCK=128, num_warps=4)\n";
    let folder = root().join("target").join("explain");
    std::fs::create_dir_all(&folder).expect("target/ can be written");
    let file = folder.join("often.tk");
    std::fs::write(&file, text).expect("a program can be written");
    let facts = facts(&[&file.display().to_string()]);
    let of_line = |name: &str, line: u32| {
        let cell = column(&facts["kernels"][0], name).iter().find(|cell| cell["line"] == line);
        cell.unwrap_or_else(|| panic!("no {name} of line {line}"))["text"].as_str().map(str::to_string)
    };
    assert_eq!(of_line("runs", 11).as_deref(), Some("40"));
    assert_eq!(of_line("runs", 14).as_deref(), Some("4"));
    let registers: u32 = of_line("regs", 11).and_then(|text| text.parse().ok()).expect("a number");
    assert!((4..40).contains(&registers), "{registers} registers live in a loop with one sum");
}

#[test]
fn a_signature_is_explained_without_a_launch() {
    let file = root().join("examples/softmax.tk").display().to_string();
    let words = ["--kernel", "softmax_kernel", "--signature", "*fp32:16,*fp32:16,i32:16,i32:16,i32,i32"];
    let facts = facts(&[&[file.as_str()][..], &words, &["--constexpr", "BLOCK_SIZE=1024"]].concat());
    let kernel = &facts["kernels"][0];
    assert!(list(&kernel["accesses"]).is_empty() && !column(kernel, "PTX").is_empty());
}

/// A short program beside the file of a kernel: the page is about the kernel.
#[test]
fn the_source_is_the_file_that_the_kernel_stands_in() {
    let folder = std::env::temp_dir().join(format!("tk-explain-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("the folder can be written");
        path.display().to_string()
    };
    let kernel = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef strided(x_ptr, BLOCK: tl.constexpr):\n    i = tl.arange(0, BLOCK)\n    tl.store(x_ptr + 2 * i, 1.0)\n";
    let ops = write("ops.py", kernel);
    let main = write(
        "main.py",
        "import torch\nfrom ops import strided\n\ndef main():\n    strided[(1,)](torch.zeros(2048, device='cuda'), BLOCK=1024)\n",
    );
    let facts = facts(&[&main]);
    assert_eq!(facts["file"], ops.as_str());
    assert_eq!(list(&facts["source"])[6], "    tl.store(x_ptr + 2 * i, 1.0)");
    let kernel = &facts["kernels"][0];
    assert!(rows_of(kernel, "ptx", 7) > 0 && column(kernel, "sect").iter().any(|cell| cell["line"] == 7));
    assert!(
        list(&kernel["notes"]).iter().any(|note| note["line"] == 7 && note["about"] == "access"),
        "{}",
        kernel["notes"]
    );
    std::fs::remove_dir_all(folder).expect("the folder is still there");
}
