//! Lets the extension module carry what it links, as the command line does.

#[path = "../crates/tk-cli/build/libraries.rs"]
mod libraries;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../crates/tk-cli/build/libraries.rs");
    if let Some(folder) = libraries::static_libraries() {
        println!("cargo:rustc-link-arg-cdylib=-L{}", folder.display());
    }
    // What must stay shared is looked for beside the module first; scripts/python/wheel puts it there.
    println!("cargo:rustc-link-arg-cdylib=-Wl,-rpath,$ORIGIN/libs");
}
