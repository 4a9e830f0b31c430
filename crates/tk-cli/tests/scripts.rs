//! The scripts that surround tk, as far as they need no GPU. They are Python and bash, and a machine without those fails here instead of
//! passing over them: otherwise a broken script would be noticed only when it is needed on a GPU.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a command in the workspace with this build of tk and returns what it prints; panics with that if it fails.
fn printed(command: &mut Command) -> String {
    let output = command.current_dir(root()).env("TK", env!("CARGO_BIN_EXE_tk")).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?} cannot be started: {error}"));
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "{command:?}\n{text}");
    text
}

#[test]
fn the_gpu_benchmark_decides_and_reports_as_it_says() {
    let text = printed(Command::new("python3").args(["-m", "unittest", "discover", "benches", "-p", "test_*.py"]));
    assert!(text.contains("\nOK"), "{text}");
}

/// Runs `scripts/test-gpu` on the simulator; whether it says that all is well, and its words.
fn test_gpu(args: &[&str]) -> (bool, String) {
    let out = tempfile::tempdir().expect("a folder for logs");
    let mut command = Command::new(root().join("scripts/test-gpu"));
    command.args(["--device", "sim", "--tools", "", "--out"]).arg(out.path()).args(args);
    let output = command.current_dir(root()).env("TK", env!("CARGO_BIN_EXE_tk")).output().expect("python3 is there");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

/// Builds the program of random loops beside all tests, which are there already: it lies beside `tk` then, and is that of these sources. Alone it
/// would have other features of shared crates, and build them again.
fn build_random_loops() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--workspace", "--tests", "--bin", "random-loops"]).current_dir(root());
    let output = cargo.env("CARGO_NET_OFFLINE", "true").output().expect("cargo runs the tests");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// How many kinds of programs random-loops draws: the proof has a piece for each.
fn kinds_of_random_loops() -> usize {
    let program = Path::new(env!("CARGO_BIN_EXE_tk")).with_file_name("random-loops");
    printed(Command::new(program).arg("--list")).lines().count()
}

#[test]
fn the_gpu_proof_runs_its_pieces() {
    build_random_loops();
    let (is_well, text) = test_gpu(&["--random", "2", "--repeats", "2", "--loops", "3", "examples/vector_add.tk"]);
    let kinds = kinds_of_random_loops();
    let pieces = kinds + 3;
    assert!(is_well && text.contains(&format!("{pieces} of {pieces} pieces ok")), "{text}");
    assert_eq!(text.matches("3 of 3 programs agree with their references").count(), kinds, "{text}");
    assert!(text.contains("2 random cases of seed 1 agree") && text.contains("2 runs give the same bits"), "{text}");
}

#[test]
fn the_gpu_proof_tells_what_fails_and_what_had_no_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = folder.path().join("wrong.tk");
    std::fs::write(&wrong, "def test_wrong():\n    assert 1 == 2\n").expect("the folder can be written");
    let wrong = wrong.display().to_string();
    let (is_well, text) = test_gpu(&["--random", "0", "--repeats", "0", "--loops", "0", &wrong]);
    assert!(!is_well && text.contains("FAILED") && text.contains("0 of 1 pieces ok"), "{text}");
    let (is_well, text) = test_gpu(&["--random", "0", "--repeats", "0", "--loops", "0", "--seconds", "0", &wrong]);
    assert!(!is_well && text.contains("NOT STARTED"), "{text}");
}

#[test]
fn the_parts_of_the_gpu_proof_are_the_whole() {
    build_random_loops();
    let cases = tempfile::tempdir().expect("a folder");
    std::fs::write(cases.path().join("one.tk"), "").expect("the folder can be written");
    let folder = cases.path().display().to_string();
    let list = |part: &str| {
        let (is_well, text) =
            test_gpu(&["--tools", "memcheck racecheck", "--cases", &folder, "--list", "--part", part]);
        assert!(is_well, "{text}");
        text.lines().map(str::to_string).collect::<Vec<_>>()
    };
    let mut parts: Vec<String> = ["1/3", "2/3", "3/3"].iter().flat_map(|part| list(part)).collect();
    let mut whole = list("1/1");
    assert!(whole.len() > 60 && whole.iter().any(|line| line.starts_with("racecheck")), "{whole:?}");
    parts.sort();
    whole.sort();
    assert_eq!(parts, whole);
}
