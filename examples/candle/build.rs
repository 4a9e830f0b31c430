//! Compiles the kernel with the program `tk` (or the one that the variable `TK` names).

use std::process::Command;

fn main() {
    let files = ["kernels.toml", "../softmax.tk"];
    files.iter().for_each(|file| println!("cargo::rerun-if-changed={file}"));
    println!("cargo::rerun-if-env-changed=TK");
    let tk = std::env::var("TK").unwrap_or_else(|_| "tk".to_string());
    if tk.contains('/') {
        // Another tk may write another form of bundles.
        println!("cargo::rerun-if-changed={tk}");
    }
    let out = std::env::var("OUT_DIR").expect("cargo says where to write");
    let status = Command::new(&tk).args(["build", files[0], "-o", &out]).status();
    let status = status.unwrap_or_else(|error| panic!("cannot run {tk}: {error}; set TK to the program"));
    assert!(status.success(), "the kernel was not compiled");
}
