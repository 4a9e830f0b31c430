//! The static forms of the C++ run time and of the compression libraries that LLVM wants, for build scripts: what links them needs only
//! glibc where it runs.
//!
//! The linker prefers a shared library to a static one of the same folder, but takes the first folder that has either. So a folder with
//! nothing but the static ones is put in front.

use std::path::PathBuf;
use std::process::Command;

const LIBRARIES: [&str; 4] = ["libstdc++.a", "libz.a", "libzstd.a", "libffi.a"];

/// A folder of the build script's output with links to the static libraries that the compiler finds; what it cannot find stays shared.
pub(crate) fn static_libraries() -> Option<PathBuf> {
    let folder = std::env::var_os("OUT_DIR").map(|out| PathBuf::from(out).join("static"))?;
    std::fs::create_dir_all(&folder).ok()?;
    for library in LIBRARIES {
        let found = Command::new("cc").arg(format!("-print-file-name={library}")).output();
        let path = found.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
        let path = PathBuf::from(path.trim());
        let link = folder.join(library);
        if path.is_absolute() && !link.exists() {
            let _ = std::os::unix::fs::symlink(path, link);
        }
    }
    Some(folder)
}
