//! The rules of the house, checked: dependency edges, who may name what, where `unsafe` lives, file lengths, module docs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or_else(|| here.to_path_buf(), Path::to_path_buf)
}

/// Which crate may depend on which crate of the workspace. A new edge is a deliberate change of this table.
const EDGES: &[(&str, &[&str])] = &[
    ("tk-diag", &[]),
    ("tk-types", &[]),
    ("tk-target", &[]),
    ("tk-layout", &[]),
    ("tk-grammar", &["tk-diag"]),
    ("tk-import", &["tk-diag", "tk-grammar"]),
    ("tk-check", &["tk-diag", "tk-types", "tk-grammar"]),
    ("tk-dialect", &[]),
    ("tk-ir", &["tk-diag", "tk-types", "tk-layout", "tk-dialect"]),
    ("tk-guard", &["tk-diag", "tk-types", "tk-check"]),
    ("tk-guess", &["tk-diag", "tk-types", "tk-grammar", "tk-check"]),
    ("tk-lower", &["tk-diag", "tk-types", "tk-check", "tk-ir"]),
    ("tk-passes", &["tk-diag", "tk-types", "tk-target", "tk-layout", "tk-ir"]),
    ("tk-codegen", &["tk-diag", "tk-types", "tk-target", "tk-layout", "tk-ir", "tk-ptx"]),
    ("tk-ptx", &["tk-diag", "tk-types"]),
    ("tk-sim", &["tk-diag", "tk-types", "tk-target", "tk-ptx"]),
    ("tk-launch", &["tk-diag", "tk-types", "tk-target", "tk-ptx", "tk-sim"]),
    ("tk-host", &["tk-diag", "tk-types", "tk-grammar"]),
    (
        "tk-driver",
        &[
            "tk-diag",
            "tk-types",
            "tk-target",
            "tk-grammar",
            "tk-check",
            "tk-guard",
            "tk-lower",
            "tk-ir",
            "tk-passes",
            "tk-codegen",
            "tk-ptx",
        ],
    ),
    (
        "tk",
        &[
            "tk-diag",
            "tk-types",
            "tk-target",
            "tk-grammar",
            "tk-import",
            "tk-check",
            "tk-driver",
            "tk-launch",
            "tk-host",
        ],
    ),
    (
        "tk-cli",
        &[
            "tk",
            "tk-diag",
            "tk-types",
            "tk-target",
            "tk-grammar",
            "tk-guess",
            "tk-layout",
            "tk-driver",
            "tk-launch",
            "tk-host",
            "tk-sim",
            "tk-ptx",
        ],
    ),
    ("tk-cases", &[]),
    ("tk-fuzz", &["tk-cases", "tk-cli"]),
    ("tk-tests", &["tk-cli"]),
];

/// A foreign name and the only places that may contain it.
const WALLS: &[(&str, &[&str])] = &[
    ("melior::", &["crates/tk-ir/"]),
    ("mlir_sys::", &["crates/tk-ir/", "crates/tk-dialect/"]),
    ("inkwell::", &["crates/tk-codegen/"]),
    ("cudarc::", &["crates/tk-launch/src/cuda.rs"]),
    ("ndarray::", &["crates/tk-host/"]),
];

/// The longest a source file may be, in lines.
const MAX_FILE_LINES: usize = 700;

fn rust_files() -> Vec<PathBuf> {
    fn visit(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir()
                && !name.to_string_lossy().starts_with(['.', 't'])
                    | (name == "tests" || name.to_string_lossy().starts_with("tk"))
            {
                visit(&path, files);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    for folder in ["grammar", "passes", "crates", "tests"] {
        visit(&root().join(folder), &mut files);
    }
    assert!(files.len() > 50, "only {} source files found", files.len());
    files
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn assert_none(problems: Vec<String>) {
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn dependencies_follow_the_edge_table() {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let names: BTreeSet<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    let mut problems = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = EDGES.iter().find(|(from, _)| *from == name) else {
            problems.push(format!("{name} is not in the edge table"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let to = dependency["name"].as_str().unwrap_or_default();
            if dependency["kind"].is_null() && names.contains(to) && !allowed.contains(&to) {
                problems.push(format!("{name} may not depend on {to}"));
            }
        }
    }
    assert_none(problems);
}

#[test]
fn foreign_names_stay_behind_their_walls() {
    let mut problems = Vec::new();
    for path in rust_files() {
        let file = relative(&path);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for (name, places) in WALLS {
            let outside = !places.iter().any(|place| file.starts_with(place)) && file != "tests/tests/tidy.rs";
            if outside && text.contains(name) {
                problems.push(format!("{file} names {name}, which belongs in {places:?}"));
            }
        }
    }
    assert_none(problems);
}

#[test]
fn unsafe_lives_in_files_that_are_named_for_it() {
    let mut problems = Vec::new();
    for path in rust_files() {
        let file = relative(&path);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let uses = code
            .clone()
            .any(|line| line.contains("unsafe {") || line.contains("unsafe impl") || line.contains("unsafe fn"));
        let named = ["ffi", "unsafe", "cuda.rs", "tk-dialect/src/raw.rs"].iter().any(|part| file.contains(part));
        if uses && !named && file != "tests/tests/tidy.rs" {
            problems.push(format!("{file} uses unsafe but is not named for it"));
        }
    }
    assert_none(problems);
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut problems = Vec::new();
    for path in rust_files() {
        let file = relative(&path);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let lines = text.lines().count();
        if lines > MAX_FILE_LINES {
            problems.push(format!("{file} has {lines} lines, more than {MAX_FILE_LINES}"));
        }
        if !text.starts_with("//!") {
            problems.push(format!("{file} does not open with what it is"));
        }
    }
    assert_none(problems);
}

#[test]
fn nothing_is_left_to_do() {
    let marks = [concat!("to", "do!("), concat!("unimple", "mented!("), concat!("#[ig", "nore")];
    let mut problems = Vec::new();
    for path in rust_files() {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        problems.extend(
            marks.iter().filter(|mark| text.contains(**mark)).map(|mark| format!("{}: {mark}", relative(&path))),
        );
    }
    assert_none(problems);
}

/// Crates with one test program list its files in `tests/main.rs`; a file that is not there would never run.
#[test]
fn every_test_file_is_part_of_a_program() {
    let mut problems = Vec::new();
    for main in rust_files().into_iter().filter(|path| path.ends_with("tests/main.rs")) {
        let text = std::fs::read_to_string(&main).expect("a source file is text");
        let folder = main.parent().expect("a file lies in a folder");
        for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
            let path = entry.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let is_module = path.extension().is_some_and(|extension| extension == "rs") || path.join("mod.rs").exists();
            // The rules of the house are a program of their own.
            if is_module && !matches!(stem, "main" | "tidy") && !text.contains(&format!("mod {stem};")) {
                problems.push(format!("{} is no module of {}", relative(&path), relative(&main)));
            }
        }
    }
    assert_none(problems);
}
