//! Runs every suite under tests/suite and every example on the simulator.

use tk_tests::{cases, check_case, failures_of_files, root};

fn run_suite(name: &str, at_least: usize) {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let cases = cases(&root().join("tests/suite").join(name)).unwrap_or_else(|e| panic!("{e}"));
    assert!(cases.len() >= at_least, "suite {name} has {} cases, fewer than {at_least}", cases.len());
    let failures: Vec<String> = cases.iter().filter_map(|case| check_case(case).err()).collect();
    assert!(failures.is_empty(), "{} of {} failed\n{}", failures.len(), cases.len(), failures.join("\n"));
}

#[test]
fn bad_input_gives_located_errors() {
    run_suite("errors", 150);
}

#[test]
fn passes_rewrite_textual_ir() {
    run_suite("opt", 1);
}

#[test]
fn every_example_passes_its_tests_on_the_simulator() {
    run_files("examples", 11);
}

#[test]
fn every_benchmark_passes_its_tests_on_the_simulator() {
    run_files("benches", 1);
    run_files("benches/gpu", 3);
}

#[test]
fn every_feature_of_the_language_passes_its_tests_on_the_simulator() {
    run_files("tests/language", 4);
}

#[test]
fn every_program_passes_its_tests_on_the_simulator() {
    run_files("tests/programs", 15);
}

/// What they read of the functions around them only a run knows, so that they are not among the files that are checked without one.
#[test]
fn kernels_within_functions_pass_their_tests_on_the_simulator() {
    run_files("tests/programs/within", 1);
}

/// Runs the tests of every `.tk` file of a folder.
fn run_files(folder: &str, at_least: usize) {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .filter_map(|entry| entry.ok()?.path().to_str().map(str::to_string))
        .filter(|path| path.ends_with(".tk"))
        .collect();
    files.sort();
    assert!(files.len() >= at_least, "files are missing: {files:?}");
    let failures = failures_of_files(&files);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
