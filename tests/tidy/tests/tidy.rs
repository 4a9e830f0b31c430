//! The rules that all crates follow, checked: dependency edges, who may name what, where `unsafe` stands, lengths of files and functions,
//! module documentation, package metadata, and that documentation names files that exist.

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, TargetKind};
use std::collections::BTreeSet;
use std::path::Path;
use tk_tidy::{
    Function, SourceFile, anchors, files_that_end_with, functions, lines_about_one_gpu, links, names_of_files,
    repository_paths, root, rust_files,
};

/// The file of these rules, which names what it forbids.
const THIS_FILE: &str = "tests/tidy/tests/tidy.rs";

/// Which crate may depend on which crate of the workspace. A new edge is a deliberate change of this table.
const EDGES: &[(&str, &[&str])] = &[
    ("tk-diag", &[]),
    ("tk-types", &[]),
    ("tk-target", &[]),
    ("tk-layout", &[]),
    ("tk-why", &[]),
    ("tk-grammar", &["tk-diag", "tk-types"]),
    ("tk-import", &["tk-diag", "tk-types", "tk-grammar"]),
    ("tk-check", &["tk-diag", "tk-types", "tk-target", "tk-grammar"]),
    ("tk-dialect", &[]),
    ("tk-ir", &["tk-diag", "tk-types", "tk-layout", "tk-dialect"]),
    ("tk-guard", &["tk-diag", "tk-types", "tk-check"]),
    ("tk-guess", &["tk-diag", "tk-types", "tk-grammar", "tk-check"]),
    ("tk-inspect", &["tk-diag", "tk-types", "tk-target", "tk-grammar", "tk-check", "tk-guard", "tk-guess"]),
    ("tk-lsp", &["tk-diag", "tk-types", "tk-target", "tk-grammar", "tk-import", "tk-check", "tk-guard", "tk-inspect"]),
    ("tk-lower", &["tk-diag", "tk-types", "tk-check", "tk-ir"]),
    ("tk-passes", &["tk-diag", "tk-types", "tk-target", "tk-layout", "tk-why", "tk-ir"]),
    ("tk-image", &["tk-types", "tk-why"]),
    ("tk-runtime", &["tk-types", "tk-target", "tk-image"]),
    ("tk-codegen", &["tk-diag", "tk-types", "tk-image", "tk-target", "tk-layout", "tk-ir", "tk-ptx"]),
    ("tk-ptx", &["tk-diag", "tk-types"]),
    ("tk-npy", &["tk-diag", "tk-types"]),
    ("tk-sim", &["tk-diag", "tk-types", "tk-target", "tk-ptx"]),
    ("tk-launch", &["tk-diag", "tk-types", "tk-why", "tk-image", "tk-runtime", "tk-target", "tk-ptx", "tk-sim"]),
    ("tk-remote", &["tk-launch"]),
    ("tk-host", &["tk-diag", "tk-types", "tk-target", "tk-grammar"]),
    (
        "tk-driver",
        &[
            "tk-diag",
            "tk-types",
            "tk-why",
            "tk-target",
            "tk-grammar",
            "tk-check",
            "tk-guard",
            "tk-lower",
            "tk-ir",
            "tk-passes",
            "tk-codegen",
            "tk-image",
            "tk-ptx",
        ],
    ),
    (
        "tk",
        &[
            "tk-diag",
            "tk-types",
            "tk-why",
            "tk-target",
            "tk-grammar",
            "tk-import",
            "tk-check",
            "tk-driver",
            "tk-image",
            "tk-runtime",
            "tk-launch",
            "tk-remote",
            "tk-host",
        ],
    ),
    ("tk-build", &["tk", "tk-diag", "tk-types", "tk-image", "tk-target", "tk-grammar", "tk-driver", "tk-launch"]),
    (
        "tk-cli",
        &[
            "tk",
            "tk-build",
            "tk-image",
            "tk-diag",
            "tk-types",
            "tk-why",
            "tk-target",
            "tk-grammar",
            "tk-inspect",
            "tk-layout",
            "tk-lsp",
            "tk-driver",
            "tk-launch",
            "tk-host",
            "tk-sim",
            "tk-ptx",
            "tk-npy",
        ],
    ),
    ("tk-python", &["tk", "tk-diag", "tk-types", "tk-grammar", "tk-import", "tk-check", "tk-driver", "tk-launch"]),
    ("tk-cases", &[]),
    ("tk-fuzz", &["tk-cases", "tk-cli", "tk-image", "tk-types"]),
    ("tk-random-loops", &["tk-cases"]),
    ("tk-guided-fuzz", &["tk-diag", "tk-npy", "tk-ptx", "tk-sim"]),
    ("tk-random-ptx", &["tk-diag", "tk-ptx", "tk-sim"]),
    ("tk-tests", &["tk-cli"]),
    ("tk-tidy", &[]),
    ("tk-find-llvm", &[]),
];

/// Libraries of one purpose, and the only crates that may depend on them.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("melior", &["tk-ir"]),
    ("mlir-sys", &["tk-dialect", "tk-ir"]),
    ("inkwell", &["tk-codegen"]),
    ("cudarc", &["tk-runtime"]),
    ("opendal", &["tk-remote"]),
    ("tokio", &["tk-remote"]),
    ("postcard", &["tk-image"]),
    ("toml", &["tk-build"]),
    ("ndarray", &["tk-host"]),
    ("logos", &["tk-grammar"]),
    ("lalrpop", &["tk-grammar"]),
    ("clap", &["tk-cli", "tk-random-loops", "tk-random-ptx"]),
    ("annotate-snippets", &["tk-diag"]),
    ("strsim", &["tk-diag"]),
    ("lsp-server", &["tk-lsp"]),
    ("lsp-types", &["tk-lsp"]),
    ("pyo3", &["tk-python"]),
];

/// A foreign name and the only places that may contain it.
const WALLS: &[(&str, &[&str])] = &[
    ("melior::", &["crates/tk-ir/"]),
    ("mlir_sys::", &["crates/tk-ir/src/ffi.rs", "crates/tk-dialect/src/raw.rs"]),
    ("inkwell::", &["crates/tk-codegen/"]),
    ("cudarc::", &["crates/tk-runtime/src/cuda.rs"]),
    ("opendal::", &["crates/tk-remote/"]),
    ("pyo3::", &["python/"]),
    ("ndarray::", &["crates/tk-host/"]),
];

/// The longest that a source file may be, in lines.
const MAX_FILE_LINES: usize = 600;

/// The longest that a file of tests may be, in lines.
const MAX_TEST_FILE_LINES: usize = 700;

/// The longest that a function may be, in lines, those of its signature and its last brace included.
const MAX_FUNCTION_LINES: usize = 80;

/// Files that pages name and commands write.
const WRITTEN_FILES: [&str; 2] = ["gpu-results/gpu.md", "shared_ops.py"];

fn assert_none(problems: Vec<String>) {
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What cargo says of the packages of the workspace.
fn metadata() -> Metadata {
    let offline = ["--offline".to_string()];
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .other_options(offline)
        .exec()
        .expect("cargo prints the metadata of the workspace")
}

#[test]
fn dependencies_follow_the_edge_table() {
    let metadata = metadata();
    let names: BTreeSet<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let name = package.name.as_str();
        let Some((_, allowed)) = EDGES.iter().find(|(from, _)| *from == name) else {
            problems.push(format!("{name} is not in the edge table"));
            continue;
        };
        for dependency in &package.dependencies {
            let to = dependency.name.as_str();
            if dependency.kind == DependencyKind::Normal && names.contains(to) && !allowed.contains(&to) {
                problems.push(format!("{name} may not depend on {to}"));
            }
        }
    }
    for package in &metadata.packages {
        for dependency in &package.dependencies {
            let allowed = LIBRARIES.iter().find(|(library, _)| *library == dependency.name);
            if allowed.is_some_and(|(_, crates)| !crates.contains(&package.name.as_str())) {
                problems.push(format!("{} may not depend on {}", package.name, dependency.name));
            }
        }
    }
    let gone = EDGES.iter().filter(|(from, _)| !names.contains(from));
    problems.extend(gone.map(|(from, _)| format!("the edge table names {from}, which is no crate")));
    assert_none(problems);
}

#[test]
fn packages_say_what_they_are() {
    let mut problems = Vec::new();
    for package in metadata().packages {
        let name = &package.name;
        match &package.description {
            None => problems.push(format!("{name} has no description")),
            Some(text) if !text.ends_with('.') => problems.push(format!("the description of {name} is no sentence")),
            Some(_) => {}
        }
        if package.license.as_deref() != Some("MIT") {
            problems.push(format!("{name} is not under the license of the workspace"));
        }
    }
    if !root().join("LICENSE").is_file() {
        problems.push("the text of the license is missing".to_string());
    }
    assert_none(problems);
}

#[test]
fn foreign_names_stay_where_they_belong() {
    let mut problems = Vec::new();
    for SourceFile { path, text } in rust_files() {
        for (name, places) in WALLS {
            let is_outside = !places.iter().any(|place| path.starts_with(place)) && path != THIS_FILE;
            if is_outside && text.contains(name) {
                problems.push(format!("{path} names {name}, which belongs in {places:?}"));
            }
        }
    }
    assert_none(problems);
}

/// What a GPU can do is asked of tk-target, so that a new one is a row there.
#[test]
fn only_tk_target_knows_gpus_apart() {
    let mut problems = Vec::new();
    let is_elsewhere = |file: &SourceFile| !file.is_test() && !file.path.starts_with("crates/tk-target/");
    for SourceFile { path, text } in rust_files().into_iter().filter(is_elsewhere) {
        let lines = lines_about_one_gpu(&text);
        problems.extend(lines.into_iter().map(|line| format!("{path}:{line} asks which GPU it is; ask tk-target")));
    }
    assert_none(problems);
}

#[test]
fn unsafe_stands_in_files_that_are_named_for_it() {
    let mut problems = Vec::new();
    for SourceFile { path, text } in rust_files() {
        let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let is_unsafe = |line: &str| ["unsafe {", "unsafe impl", "unsafe fn"].iter().any(|word| line.contains(word));
        let is_named = ["ffi", "unsafe", "cuda.rs", "tk-dialect/src/raw.rs"].iter().any(|part| path.contains(part));
        if code.any(is_unsafe) && !is_named && path != THIS_FILE {
            problems.push(format!("{path} uses unsafe but is not named for it"));
        }
    }
    assert_none(problems);
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut problems = Vec::new();
    for file in rust_files() {
        let limit = if file.is_test() { MAX_TEST_FILE_LINES } else { MAX_FILE_LINES };
        let lines = file.text.lines().count();
        if lines > limit {
            problems.push(format!("{} has {lines} lines, more than {limit}", file.path));
        }
        if !file.text.starts_with("//!") {
            problems.push(format!("{} does not begin with what it is", file.path));
        }
    }
    assert_none(problems);
}

#[test]
fn functions_are_short() {
    let mut problems = Vec::new();
    for SourceFile { path, text } in rust_files() {
        for Function { name, line, lines } in functions(&text) {
            if lines > MAX_FUNCTION_LINES {
                problems.push(format!("{path}:{line}: {name} has {lines} lines, more than {MAX_FUNCTION_LINES}"));
            }
        }
    }
    assert_none(problems);
}

#[test]
fn nothing_is_left_to_do() {
    let marks = [concat!("to", "do!("), concat!("unimple", "mented!("), concat!("#[ig", "nore")];
    let mut problems = Vec::new();
    for SourceFile { path, text } in rust_files() {
        let found = marks.iter().filter(|mark| text.contains(**mark));
        problems.extend(found.map(|mark| format!("{path}: {mark}")));
    }
    assert_none(problems);
}

/// Crates with one test program list its files in `tests/main.rs`; a file that is not there would never run.
#[test]
fn every_test_file_is_part_of_a_program() {
    let mut problems = Vec::new();
    let files = rust_files();
    for SourceFile { path: main, text } in files.iter().filter(|file| file.path.ends_with("tests/main.rs")) {
        let folder = main.trim_end_matches("main.rs");
        for SourceFile { path, .. } in &files {
            let Some(name) = path.strip_prefix(folder) else { continue };
            let module = name.strip_suffix("/mod.rs").or(name.strip_suffix(".rs")).unwrap_or(name);
            if !module.contains('/') && module != "main" && !text.contains(&format!("mod {module};")) {
                problems.push(format!("{path} is no module of {main}"));
            }
        }
    }
    assert_none(problems);
}

/// Tests inside of a library run where cargo makes a test program of it; a crate without one has its tests in `tests/`.
#[test]
fn tests_inside_of_libraries_run() {
    let mut problems = Vec::new();
    let files = rust_files();
    for package in metadata().packages {
        let library = package.targets.iter().find(|target| target.kind.contains(&TargetKind::Lib));
        let Some(library) = library.filter(|library| !library.test) else { continue };
        let folder = library.src_path.parent().and_then(|folder| folder.strip_prefix(root()).ok());
        let inside = files.iter().filter(|file| folder.is_some_and(|folder| Path::new(&file.path).starts_with(folder)));
        let with_tests = inside.filter(|file| file.text.contains("#[cfg(test)]"));
        problems.extend(with_tests.map(|file| format!("the tests of {} never run", file.path)));
    }
    assert_none(problems);
}

/// Documentation names files and folders in backticks; each of them exists, as a path of the repository or as the end of one.
#[test]
fn documentation_names_files_that_exist() {
    let paths = repository_paths();
    let mut pages = files_that_end_with(".md");
    // What has changed may be about files that are gone.
    pages.retain(|page| page.path != "CHANGELOG.md");
    assert!(pages.len() > 10, "only {} pages found", pages.len());
    let mut problems = Vec::new();
    for SourceFile { path: page, text } in &pages {
        for name in names_of_files(text) {
            let wanted = name.trim_end_matches('/');
            let is_it =
                |path: &String| path.strip_suffix(wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
            if !paths.iter().any(is_it) && !WRITTEN_FILES.contains(&name) {
                problems.push(format!("{page} names {name}, which does not exist"));
            }
        }
    }
    assert_none(problems);
}

#[test]
fn comments_name_headings_that_exist() {
    let mut problems = Vec::new();
    for SourceFile { path, text } in rust_files().into_iter().filter(|file| !file.path.starts_with("tests/tidy/")) {
        for word in text.split(|c: char| c.is_whitespace() || "()`,;".contains(c)) {
            let Some((page, heading)) = word.split_once(".md#") else { continue };
            let page = root().join(format!("{}.md", page.trim_start_matches("../")));
            let heading = heading.trim_end_matches('.');
            if !std::fs::read_to_string(page).is_ok_and(|page| anchors(&page).contains(heading)) {
                problems.push(format!("{path} names {word}, which does not exist"));
            }
        }
    }
    assert_none(problems);
}

#[test]
fn links_lead_to_pages_and_headings_that_exist() {
    let mut problems = Vec::new();
    for SourceFile { path: page, text } in files_that_end_with(".md") {
        for link in links(&text) {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let folder = root().join(&page).parent().expect("a page lies in a folder").to_path_buf();
            let target = if file.is_empty() { root().join(&page) } else { folder.join(file) };
            let has_heading =
                |heading: &str| std::fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(heading));
            if !target.exists() || !heading.is_empty() && !has_heading(heading) {
                problems.push(format!("{page} links to {link}, which does not exist"));
            }
        }
    }
    assert_none(problems);
}
