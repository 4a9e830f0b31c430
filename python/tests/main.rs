//! The tests of the Python package: `tests/test_*.py` under a Python with numpy, without torch and without a GPU.

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

#[test]
fn the_package_does_what_its_tests_ask() {
    let staged = Command::new(root().join("scripts/python/stage")).arg(extension()).output().expect("bash is there");
    assert!(staged.status.success(), "{}", String::from_utf8_lossy(&staged.stderr));
    let folder = String::from_utf8_lossy(&staged.stdout).trim().to_string();
    let tests = root().join("python/tests");
    let found = Command::new(root().join("scripts/python/python")).output().expect("bash is there");
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    let output = Command::new(String::from_utf8_lossy(&found.stdout).trim())
        .args(["-W", "error::ResourceWarning", "-m", "unittest", "discover", "-s", "."])
        .current_dir(&tests)
        .env("PYTHONPATH", folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("TK_DEVICE", "sim")
        .output()
        .expect("python3 is there: scripts/setup installs it");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}{text}", String::from_utf8_lossy(&output.stdout));
    assert!(text.contains("OK") && !text.contains("Ran 0 tests"), "{text}");
}
