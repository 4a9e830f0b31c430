//! The tests of the Python package: `tests/test_*.py` under a Python with numpy, without torch and without a GPU, and some of them with the
//! wheel in a fresh environment.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where cargo put the extension module: beside this program.
fn extension() -> PathBuf {
    let program = std::env::current_exe().expect("a program knows where it is");
    let folder = program.parent().expect("a program is in a folder");
    let places = [folder.join("libtk_python.so"), folder.join("../libtk_python.so")];
    places.into_iter().find(|place| place.is_file()).expect("cargo has built libtk_python.so")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What a script prints; its errors are those of the test.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("scripts/setup installs what the scripts need");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}{text}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

/// The wheel of what cargo has built, which is larger than that of a release and keeps its limit of size all the same.
#[test]
fn the_wheel_works_in_a_fresh_environment() {
    let scripts = root().join("scripts/python");
    let python = run(&mut Command::new(scripts.join("python")));
    let folder = root().join("target/wheel");
    let wheel = run(Command::new(&python).arg(scripts.join("wheel")).arg(extension()).arg(folder));
    let tried = run(Command::new(scripts.join("try-wheel")).arg(&wheel).arg("test_aggregates").env("PYTHON", python));
    assert!(tried.contains("import time"), "{tried}");
}

#[test]
fn the_package_does_what_its_tests_ask() {
    let folder = run(Command::new(root().join("scripts/python/stage")).arg(extension()));
    let tests = root().join("python/tests");
    let output = Command::new(run(&mut Command::new(root().join("scripts/python/python"))))
        .args(["-W", "error::ResourceWarning", "-m", "unittest", "discover", "-s", "."])
        .current_dir(&tests)
        .env("PYTHONPATH", folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("TK_DEVICE", "sim")
        .output()
        .expect("scripts/python/python has found it");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}{text}", String::from_utf8_lossy(&output.stdout));
    assert!(text.contains("OK") && !text.contains("Ran 0 tests"), "{text}");
}
