//! Lets the binary carry what it links, so that it needs only glibc where it runs.

mod libraries;

fn main() {
    println!("cargo:rerun-if-changed=build");
    let Some(folder) = libraries::static_libraries() else { return };
    println!("cargo:rustc-link-arg-bins=-L{}", folder.display());
    // What must stay shared is looked for beside the binary first; scripts/dist puts it there.
    println!("cargo:rustc-link-arg-bins=-Wl,-rpath,$ORIGIN/lib");
}
