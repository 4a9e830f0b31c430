//! Writes a bundle and what programs need to use it.

use crate::generate;
use std::path::{Path, PathBuf};
use tk_diag::{Diagnostic, FILE, Result};
use tk_image::Bundle;

/// Writes `NAME.tkb`, `NAME.rs`, `NAME.h` and `NAME.c` into a folder, which is made. A file that would not change is not touched, so that
/// nothing is built again for it. Gives the paths.
///
/// # Errors
/// A folder or a file that cannot be written.
pub fn write(bundle: &Bundle, folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |path: &Path, error: std::io::Error| {
        Diagnostic::error(FILE, format!("{}: cannot be written: {error}", path.display())).boxed()
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let files = [
        ("tkb", bundle.to_bytes()),
        ("rs", generate::rust_module(bundle).into_bytes()),
        ("h", generate::c_header(bundle).into_bytes()),
        ("c", generate::c_source(bundle).into_bytes()),
    ];
    let mut paths = Vec::new();
    for (extension, bytes) in files {
        let path = folder.join(format!("{}.{extension}", bundle.name));
        if std::fs::read(&path).ok().as_deref() != Some(&bytes) {
            replace(&path, &bytes).map_err(|error| failed(&path, error))?;
        }
        paths.push(path);
    }
    Ok(paths)
}

/// Writes a file beside its place and renames it, so that nobody reads half of one.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let part = path.with_extension(format!("{}.part", std::process::id()));
    std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, path)).inspect_err(|_| {
        let _ = std::fs::remove_file(&part);
    })
}
