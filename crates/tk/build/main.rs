//! Names this build of the compiler by what it is made from, so that machines with equal builds share what they compile.

mod fingerprint;

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build");
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&here).join("../..");
    let mut parts = vec![version_of_rustc()];
    // A crate from a registry stands alone. Its version says what it is made from.
    if let Some(places) = fingerprint::places(&root, "tk") {
        places.iter().for_each(|place| println!("cargo::rerun-if-changed={}", root.join(place).display()));
        parts.push(fingerprint::of_files(&root, &places));
    }
    let llvm = tk_find_llvm::prefix_or_exit("MLIR_SYS_220_PREFIX");
    parts.push(fingerprint::of_libraries(&llvm.join("lib")));
    println!("cargo::rustc-env=TK_BUILD={}", fingerprint::of_text(&parts.join("\n")));
}

/// What compiles the compiler.
fn version_of_rustc() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = Command::new(rustc).arg("-V").output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}
