//! Hostile input: huge lines, endless nesting, noise. Each must end with a message and exit code 1, in bounded time.

use rand::Rng;
use std::path::PathBuf;
use tk_cases::draw::seeded;
use tk_tests::{Outcome, run_tk};

/// Writes an input to the temporary folder and gives it to a command.
fn feed(name: &str, text: &str, command: &[&str]) -> Outcome {
    let path: PathBuf = std::env::temp_dir().join(format!("tk-hostile-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("the temporary folder can be written");
    let file = path.display().to_string();
    let args: Vec<String> = command.iter().map(|word| word.replace("$FILE", &file)).collect();
    let outcome = run_tk(&args);
    std::fs::remove_file(&path).expect("the input is still there");
    outcome
}

fn is_refused(outcome: &Outcome) {
    let head: String = outcome.text.chars().take(2000).collect();
    assert_eq!(outcome.exit, 1, "{head}");
    assert!(outcome.text.starts_with("error["), "{head}");
    assert!(outcome.text.contains("-->"), "{head}");
    assert!(outcome.text.len() < 100_000, "the message has {} bytes", outcome.text.len());
}

const COMPILE: [&str; 5] = ["compile", "$FILE", "--kernel", "k", "--signature=*fp32"];
const OPT: [&str; 4] = ["opt", "$FILE", "--passes", "cse"];
const SIM: [&str; 2] = ["sim", "$FILE"];

fn kernel(expression: &str) -> String {
    format!("import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x_ptr):\n    a = {expression}\n")
}

#[test]
fn nested_parentheses() {
    let text = kernel(&format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)));
    is_refused(&feed("parentheses.tk", &text, &COMPILE));
}

#[test]
fn unclosed_parentheses() {
    is_refused(&feed("unclosed.tk", &kernel(&"(".repeat(100_000)), &COMPILE));
}

#[test]
fn a_line_of_ten_megabytes() {
    let text = kernel(&format!("1{}", " + 1".repeat(2_500_000)));
    is_refused(&feed("long-line.tk", &text, &COMPILE));
}

#[test]
fn chains_of_operators_attributes_and_calls() {
    for (name, text) in [
        ("not", format!("{}x_ptr", "not ".repeat(100_000))),
        ("minus", format!("{}1", "-".repeat(100_000))),
        ("attribute", format!("x_ptr{}", ".a".repeat(100_000))),
        ("call", format!("x_ptr{}", "()".repeat(100_000))),
        ("else", format!("{}1", "1 if 1 else ".repeat(100_000))),
    ] {
        is_refused(&feed(&format!("{name}.tk"), &kernel(&text), &COMPILE));
    }
}

#[test]
fn deep_blocks() {
    let mut text = String::from("import triton\n@triton.jit\ndef k(x_ptr):\n");
    for depth in 1..5_000 {
        text.push_str(&format!("{}if 1:\n", " ".repeat(depth)));
    }
    is_refused(&feed("blocks.tk", &text, &COMPILE));
}

#[test]
fn nested_ir() {
    for (name, open) in [("braces", "{"), ("angles", "<"), ("parens", "("), ("brackets", "[")] {
        let text = format!("module {{\n  {}\n", open.repeat(100_000));
        is_refused(&feed(&format!("{name}.mlir"), &text, &OPT));
    }
    let nested = format!("{}i32{}", "tuple<".repeat(100_000), ">".repeat(100_000));
    is_refused(&feed("types.mlir", &format!("func.func private @f() -> {nested}\n"), &OPT));
}

#[test]
fn a_line_of_ten_megabytes_in_ir_and_in_ptx() {
    is_refused(&feed("long.mlir", &format!("module {{ {} \n", "a".repeat(10_000_000)), &OPT));
    is_refused(&feed("long.ptx", &format!(".version 8.0 {}\n", "a".repeat(10_000_000)), &SIM));
}

#[test]
fn nested_ptx() {
    let text = format!(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {}\n", "{".repeat(100_000));
    is_refused(&feed("braces.ptx", &text, &SIM));
}

#[test]
fn noise_is_refused_everywhere() {
    let mut random = seeded("noise");
    for round in 0..50 {
        let mut text = String::new();
        for _ in 0..200 {
            let words = [
                "(", ")", "{", "}", "def", "if", ":", "\n", " ", "tt.load", "%x", "=", "module", ".reg", "1e9", "'",
                "\"", "#", "->", "é",
            ];
            text.push_str(words[random.random_range(0..words.len())]);
        }
        for (extension, command) in [("tk", &COMPILE[..]), ("mlir", &OPT), ("ptx", &SIM)] {
            let outcome = feed(&format!("noise-{round}.{extension}"), &text, command);
            assert_eq!(outcome.exit, 1, "{text}\n{}", outcome.text);
        }
    }
}
