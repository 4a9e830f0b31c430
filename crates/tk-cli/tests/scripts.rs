//! The scripts that surround tk, as far as they need no GPU. They are Python and bash, and a machine without those fails here instead of
//! passing over them: nobody would hear that a script is broken before it is needed on a GPU.

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
