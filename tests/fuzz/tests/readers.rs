//! Ten seconds of mutated input for every reader of tk, as a test: it runs the program that `cargo test --workspace` has built anyway.

use std::process::Command;

#[test]
fn mutated_input_is_refused_without_a_fault() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tk-fuzz")).args(["--seconds", "10"]).output().expect("tk-fuzz starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    println!("{text}");
}
