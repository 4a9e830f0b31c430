//! Ten seconds of mutated input for every reader of tk, as a test: it runs the program that `cargo test --workspace` has built anyway.

use std::process::Command;

/// Two processes of five seconds, of which each has inputs of its own: no other test runs beside this one.
#[test]
fn mutated_input_is_refused_without_a_fault() {
    std::thread::scope(|scope| {
        let runs = [1, 1001].map(|seed: u32| scope.spawn(move || try_readers(seed)));
        runs.into_iter().for_each(|run| run.join().expect("the other process finds no fault, either"));
    });
}

fn try_readers(seed: u32) {
    let keep = std::env::temp_dir().join(format!("tk-fuzz-{seed}"));
    let mut program = Command::new(env!("CARGO_BIN_EXE_tk-fuzz"));
    program.args(["--seconds", "5", "--seed", &seed.to_string(), "--keep"]).arg(keep);
    let output = program.output().expect("tk-fuzz starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    println!("{text}");
}
