//! Lets the binary carry the C++ run time and the compression libraries LLVM wants, so that it needs only glibc where it runs.
//!
//! The linker prefers a shared library to a static one of the same folder, but takes the first folder that has either. So a
//! folder with nothing but the static ones is put in front.

use std::path::PathBuf;
use std::process::Command;

const LIBRARIES: [&str; 4] = ["libstdc++.a", "libz.a", "libzstd.a", "libffi.a"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let Some(folder) = std::env::var_os("OUT_DIR").map(|out| PathBuf::from(out).join("static")) else { return };
    if std::fs::create_dir_all(&folder).is_err() {
        return;
    }
    for library in LIBRARIES {
        // What the compiler cannot find stays shared.
        let found = Command::new("cc").arg(format!("-print-file-name={library}")).output();
        let path = found.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
        let path = PathBuf::from(path.trim());
        let link = folder.join(library);
        if path.is_absolute() && !link.exists() {
            let _ = std::os::unix::fs::symlink(path, link);
        }
    }
    println!("cargo:rustc-link-arg-bins=-L{}", folder.display());
    // What must stay shared is looked for beside the binary first; scripts/dist puts it there.
    println!("cargo:rustc-link-arg-bins=-Wl,-rpath,$ORIGIN/lib");
}
