//! `--json` of every command: one document on standard output, whatever the program prints and however the command ends.

use clap::CommandFactory;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program with everything that commands look for, which prints, also while it compiles.
const PROGRAM: &str = "
import torch
import triton
import triton.language as tl

@triton.autotune(configs=[triton.Config({'BLOCK': block}) for block in (32, 64)], key=['n'])
@triton.jit
def twice(x, y, n, BLOCK: tl.constexpr):
    tl.static_print('compiling', BLOCK)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    if tl.program_id(0) == 0:
        tl.device_print('from the kernel', n)
    tl.store(y + at, value + value, mask=at < n)

def main(n=100):
    print('from main')
    x = torch.ones((n,), device='cuda')
    y = torch.empty_like(x)
    twice[lambda meta: (triton.cdiv(n, meta['BLOCK']),)](x, y, n)
    return y

def test_twice():
    print('from a test')
    assert main(64).sum() == 128

def bench_twice():
    print('from a benchmark')
    main(64)
    return 1.0
";

/// What stops every command that runs or compiles it.
const WRONG: &str = "
import triton
import triton.language as tl

@triton.jit
def wrong(x):
    tl.store(x, tl.nothing(1))

def main():
    print('before')
    raise ValueError('no')

def bench_wrong():
    raise ValueError('no')

def test_wrong():
    raise ValueError('no')
";

const PTX: &str = "
.version 8.7
.target sm_90a
.address_size 64
.visible .entry nothing(.param .u64 x)
{
    ret;
}
";

const MLIR: &str = "module { tt.func public @k() { tt.return } }\n";

/// How a command is run to a good end and to a bad one.
struct Sample {
    command: &'static str,
    good: &'static str,
    /// Nothing where the command always ends well.
    bad: Option<&'static str>,
}

const fn sample(command: &'static str, good: &'static str, bad: &'static str) -> Sample {
    Sample { command, good, bad: Some(bad) }
}

const SIGNATURE: &str = "--signature *fp32,*fp32,i32 --constexpr BLOCK=64";

/// One for every command that has `--json`.
fn samples() -> Vec<Sample> {
    vec![
        sample("run", "program.tk --device sim --autotune-report", "wrong.tk --device sim"),
        sample("test", "program.tk --device sim", "wrong.tk --device sim"),
        sample("bench", "program.tk --device sim", "wrong.tk --device sim"),
        sample("tune", "program.tk --device sim", "wrong.tk --device sim"),
        sample("check", "program.tk", "wrong.tk"),
        sample("compile", "program.tk SIGNATURE", "wrong.tk --signature *fp32"),
        sample("build", "program.tk SIGNATURE -o built", "wrong.tk --signature *fp32 -o built"),
        sample("cache list", "", "NO_CACHE"),
        sample("cache verify", "", "NO_CACHE"),
        sample("cache clear", "", "NO_CACHE"),
        sample("explain", "program.tk", "wrong.tk"),
        sample("opt", "form.mlir --to coalesce", "program.tk"),
        sample(
            "layout",
            "#ttg.blocked<{sizePerThread=[1],threadsPerWarp=[32],warpsPerCTA=[4],order=[0]}> --shape 256",
            "x --shape 8",
        ),
        sample("sim", "file.ptx --arg i64=0 --threads 32", "file.ptx --entry other"),
        Sample { command: "doctor", good: "", bad: None },
        sample("explain-error", "shape-mismatch", "no-such-code"),
    ]
}

/// The commands that do something, by the words of the command line.
fn leaves(command: &clap::Command, path: &str, found: &mut Vec<(String, bool)>) {
    let mut inner = command.get_subcommands().peekable();
    if inner.peek().is_none() {
        found.push((path.to_string(), command.get_arguments().any(|argument| argument.get_long() == Some("json"))));
    }
    for command in inner {
        leaves(command, format!("{path} {}", command.get_name()).trim(), found);
    }
}

fn commands() -> Vec<(String, bool)> {
    let mut found = Vec::new();
    leaves(&tk_cli::arguments::Arguments::command(), "", &mut found);
    assert!(found.len() > 15, "{found:?}");
    found
}

/// The commands of which docs/command-line.md says why they have no `--json`: rows of the table of its section.
fn excused() -> BTreeSet<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/command-line.md");
    let text = std::fs::read_to_string(page).expect("the page is there");
    let (_, section) = text.split_once("\n## JSON\n").expect("a section about JSON");
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let row = |line: &str| {
        let (command, reason) = line.strip_prefix("| `tk ")?.split_once("` | ")?;
        assert!(reason.len() > 20, "{command} has no reason: {reason}");
        Some(command.to_string())
    };
    section.lines().filter_map(row).collect()
}

#[test]
fn every_command_has_json_or_a_reason_against_it() {
    let without: BTreeSet<String> =
        commands().into_iter().filter(|(_, has_json)| !has_json).map(|(name, _)| name).collect();
    assert_eq!(without, excused(), "the table in the section JSON of docs/command-line.md");
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let files = [("program.tk", PROGRAM), ("wrong.tk", WRONG), ("file.ptx", PTX), ("form.mlir", MLIR)];
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        Self(folder)
    }

    /// Runs a command with `--json`: whether it ended well, the document and what is beside it.
    fn document(&self, command: &str, words: &str) -> (bool, serde_json::Value, String) {
        let has_cache = words != "NO_CACHE";
        let words = words.replace("NO_CACHE", "").replace("SIGNATURE", SIGNATURE);
        let cache: PathBuf = self.0.path().join("cache");
        let mut process = Command::new(env!("CARGO_BIN_EXE_tk"));
        process.args(command.split_whitespace()).args(words.split_whitespace()).arg("--json");
        process
            .current_dir(self.0.path())
            .env("TK_CACHE_DIR", cache)
            .env("TK_CACHE", if has_cache { "1" } else { "0" });
        let output = process.output().expect("tk runs");
        let beside = String::from_utf8_lossy(&output.stderr).into_owned();
        let document = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("tk {command} {words}: {error}\n{}\n{beside}", String::from_utf8_lossy(&output.stdout))
        });
        (output.status.success(), document, beside)
    }
}

#[test]
fn every_document_is_alone_on_standard_output() {
    let folder = Folder::new();
    let with: BTreeSet<String> =
        commands().into_iter().filter(|(_, has_json)| *has_json).map(|(name, _)| name).collect();
    let samples = samples();
    assert_eq!(with, samples.iter().map(|sample| sample.command.to_string()).collect(), "commands with a sample");
    for sample in &samples {
        let (is_good, document, beside) = folder.document(sample.command, sample.good);
        assert!(is_good && document.is_object(), "{}: {document}\n{beside}", sample.command);
        assert!(document.get("errors").is_none() && document.get("error").is_none(), "{}: {document}", sample.command);
        let Some(bad) = sample.bad else { continue };
        let (is_good, document, beside) = folder.document(sample.command, bad);
        assert!(!is_good && document.is_object(), "{}: {document}\n{beside}", sample.command);
    }
}

#[test]
fn what_a_program_prints_is_beside_the_document() {
    let folder = Folder::new();
    for (command, said) in [("run", "from main"), ("bench", "from a benchmark"), ("explain", "from main")] {
        let words = if command == "explain" { "program.tk" } else { "program.tk --device sim" };
        let (_, _, beside) = folder.document(command, words);
        assert!(beside.contains(said), "{command}: {beside}");
    }
    let (_, document, beside) = folder.document("run", "program.tk --device sim --autotune-report");
    assert!(beside.contains("compiling 32") && beside.contains("from the kernel"), "{beside}");
    assert!(beside.contains("1 configuration, not timed"), "the report of autotuning: {beside}");
    assert_eq!(document["launches"].as_array().map(Vec::len), Some(1), "{document}");
}

#[test]
fn documents_of_failures_say_what_failed() {
    let folder = Folder::new();
    let message = |command: &str, words: &str| {
        let (_, document, beside) = folder.document(command, words);
        let first = document["errors"][0]["message"].as_str().or_else(|| document["error"]["message"].as_str());
        let first = first.unwrap_or_else(|| panic!("{command}: {document}")).to_string();
        // People read it too, once.
        assert_eq!(beside.matches(&first).count(), 1, "{command}: {beside}");
        first
    };
    assert!(message("run", "wrong.tk --device sim").contains("ValueError"));
    assert!(message("bench", "wrong.tk --device sim").contains("ValueError"));
    assert!(message("compile", "wrong.tk --signature *fp32").contains("nothing"));
    assert!(message("compile", "missing.tk").contains("missing.tk"));
    assert!(message("layout", "#ttg.nothing<{}> --shape 3").contains("nothing"));
    assert!(message("explain-error", "no-such-code").contains("no-such-code"));
    assert!(message("cache list", "NO_CACHE").contains("TK_CACHE"));
}

#[test]
fn documents_have_the_result_or_the_file_with_it() {
    let folder = Folder::new();
    let (_, compiled, _) = folder.document("compile", "program.tk SIGNATURE");
    assert!(compiled["text"].as_str().is_some_and(|text| text.contains(".entry twice")), "{compiled}");
    assert_eq!((compiled["form"].as_str(), compiled["kernel"].as_str()), (Some("ptx"), Some("twice")));
    let (_, compiled, _) = folder.document("compile", "program.tk SIGNATURE --emit tt -o twice.mlir");
    assert_eq!((compiled["file"].as_str(), compiled.get("text")), (Some("twice.mlir"), None), "{compiled}");
    let (_, changed, _) = folder.document("opt", "twice.mlir --to coalesce");
    assert!(changed["text"].as_str().is_some_and(|text| text.contains("#ttg.blocked")), "{changed}");
    assert!(changed["steps"].as_array().is_some_and(|steps| steps.iter().any(|step| step["step"] == "coalesce")));
    let (_, built, _) = folder.document("build", "program.tk SIGNATURE -o built");
    assert_eq!(built["kernels"], serde_json::json!(["twice"]), "{built}");
    assert!(built["files"].as_array().is_some_and(|files| !files.is_empty()), "{built}");
    let (_, listed, _) = folder.document("cache list", "");
    assert!(
        listed["entries"].as_array().is_some_and(|rows| rows.iter().any(|row| row["kernel"] == "twice")),
        "{listed}"
    );
    let (_, cleared, _) = folder.document("cache clear", "");
    assert!(cleared["removed"].as_u64().is_some_and(|count| count > 0), "{cleared}");
    let (_, drawn, _) = folder.document(
        "layout",
        "#ttg.blocked<{sizePerThread=[1],threadsPerWarp=[32],warpsPerCTA=[4],order=[0]}> --shape 256",
    );
    assert_eq!(drawn["shape"], serde_json::json!([256]), "{drawn}");
    let (_, listed, _) = folder.document("explain-error", "");
    assert!(listed["codes"].as_array().is_some_and(|codes| codes.len() > 20), "{listed}");
}

/// `tk run` gives `main` arrays of files, and writes what it returns.
#[test]
fn programs_take_and_give_files_of_numpy() {
    let folder = Folder::new();
    let path = |name: &str| folder.0.path().join(name);
    let array = |shape: &str, values: &[f32]| {
        let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
        let bytes = values.iter().flat_map(|value| value.to_le_bytes());
        let start = [b"\x93NUMPY\x01\x00", &118u16.to_le_bytes()[..], format!("{header:<117}\n").as_bytes()].concat();
        start.into_iter().chain(bytes).collect::<Vec<u8>>()
    };
    std::fs::write(path("x.npy"), array("(2, 2)", &[1.0, 2.0, 3.0, 4.0])).expect("a file");
    std::fs::write(
        path("loads.tk"),
        "import torch\ndef main(x, by=1):\n    return x.t() * by, x.sum(), torch.empty(3)\n",
    )
    .expect("a file");
    let (is_good, document, beside) =
        folder.document("run", "loads.tk --device sim --load x=x.npy -D by=10 --save y.npy --save z.npy");
    assert!(is_good, "{document} {beside}");
    let values = |name: &str, count: usize| -> Vec<f32> {
        let bytes = std::fs::read(path(name)).expect("the file was written");
        let data = &bytes[bytes.len() - 4 * count..];
        data.chunks(4).map(|part| f32::from_le_bytes(part.try_into().expect("4 bytes"))).collect()
    };
    assert_eq!((values("y.npy", 4), values("z.npy", 1)), (vec![10.0, 30.0, 20.0, 40.0], vec![10.0]));
    for (words, message) in [
        ("--load x", "write NAME=FILE.npy"),
        ("--load x=none.npy", "none.npy"),
        ("--load x=loads.tk", "loads.tk"),
        ("--load y=x.npy", "`main` has no parameter"),
        ("--load x=x.npy --save 1.npy --save 2.npy --save 3.npy", "elements that nothing has written"),
        (
            "--load x=x.npy --save 1.npy --save 2.npy --save 3.npy --save 4.npy",
            "returns 3 tensors, and 4 are to be saved",
        ),
    ] {
        let (is_good, document, beside) = folder.document("run", &format!("loads.tk --device sim {words}"));
        assert!(!is_good && beside.contains(message), "{words}: {document} {beside}");
    }
}
