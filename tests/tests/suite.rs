//! Runs every suite under tests/suite and every example on the simulator.

use tk_tests::{cases, check_case, root, run_tk};

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
fn descriptors_reach_where_the_hardware_does_not() {
    run_program("ragged_descriptors");
}

#[test]
fn products_of_descriptor_loads_are_right_whichever_way_operands_lie() {
    run_program("descriptor_operands");
}

#[test]
fn loads_of_whole_blocks_are_those_of_any() {
    run_program("promoted_loads");
}

#[test]
fn long_products_are_exact() {
    run_program("long_products");
}

#[test]
fn what_is_known_in_loops_is_true() {
    run_program("loop_facts");
}

/// Runs the tests of one program of `tests/programs`.
fn run_program(name: &str) {
    let file = root().join(format!("tests/programs/{name}.tk")).display().to_string();
    let outcome = run_tk(&["test".into(), file, "--device".into(), "sim".into()]);
    assert_eq!(outcome.exit, 0, "{}", outcome.text);
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
    let mut failures = Vec::new();
    for file in &files {
        let outcome = run_tk(&["test".into(), file.clone(), "--device".into(), "sim".into()]);
        if outcome.exit != 0 {
            failures.push(outcome.text);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
