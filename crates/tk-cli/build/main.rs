//! Lets the binary carry what it links, so that it needs only glibc where it runs.

mod libraries;

fn main() {
    println!("cargo:rerun-if-changed=build");
    // At a fixed address nothing has to be relocated: of the 7 ms that the start of a process takes, 2 went into 145,000 pointers
    // in 450 pages.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
    let Some(folder) = libraries::static_libraries() else { return };
    println!("cargo:rustc-link-arg-bins=-L{}", folder.display());
    // What must stay shared is looked for beside the binary first; scripts/dist puts it there.
    println!("cargo:rustc-link-arg-bins=-Wl,-rpath,$ORIGIN/lib");
}
