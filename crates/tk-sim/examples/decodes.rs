//! Says which kernels of PTX files the simulator knows: `cargo run -p tk-sim --example decodes -- FILE.ptx…`.
//!
//! Prints one line for each kernel that it refuses, with the reason, and a count at the end.

use std::process::ExitCode;
use tk_diag::SourceFile;
use tk_sim::Program;

/// What became of the kernels.
#[derive(Default)]
struct Counts {
    known: u32,
    refused: u32,
    unreadable: u32,
}

fn look(path: &str, counts: &mut Counts) {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            counts.unreadable += 1;
            return println!("{path}: {error}");
        }
    };
    let module = match tk_ptx::parse(&SourceFile::new(path, text)) {
        Ok(module) => module,
        Err(error) => {
            counts.unreadable += 1;
            return println!("{path}: {}", error.message);
        }
    };
    for entry in module.entries() {
        match Program::compile(&module, &entry.name) {
            Ok(_) => counts.known += 1,
            Err(error) => {
                counts.refused += 1;
                println!("{path}, {}: {}", entry.name, error.message);
            }
        }
    }
}

fn main() -> ExitCode {
    let mut counts = Counts::default();
    std::env::args().skip(1).for_each(|path| look(&path, &mut counts));
    let Counts { known, refused, unreadable } = counts;
    println!("{known} kernels decode, {refused} are refused; {unreadable} files cannot be read");
    if refused + unreadable == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
