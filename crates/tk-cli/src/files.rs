//! Reading inputs and writing results: whole files, or nothing.

use crate::arguments::ImportArgs;
use crate::failure::Failure;
use std::path::Path;
use tk::Roots;
use tk_diag::{Diagnostic, FILE, SourceFile};
use tk_driver::Form;
use tk_grammar::ast;

/// The largest input that is read.
const MAX_BYTES: u64 = 256 << 20;

fn file_error(path: &Path, what: impl std::fmt::Display) -> Failure {
    Failure(vec![Diagnostic::error(FILE, format!("{}: {what}", path.display()))])
}

/// Reads a text file.
pub(crate) fn read(path: &Path) -> Result<SourceFile, Failure> {
    let text = String::from_utf8(read_bytes(path)?)
        .map_err(|e| file_error(path, format!("byte {} is not UTF-8 text", e.utf8_error().valid_up_to())))?;
    Ok(SourceFile::new(path.display().to_string(), text))
}

/// Reads a file that is a form of a kernel; nothing for programs.
pub(crate) fn read_form(path: &Path) -> Result<Option<SourceFile>, Failure> {
    let is_program = path.extension().is_some_and(|extension| extension == "tk" || extension == "py");
    let is_form = path.extension().is_some_and(|extension| FORMS.iter().any(|form| extension == *form));
    if is_program {
        return Ok(None);
    }
    let source = read(path)?;
    Ok((is_form || Form::of(&source).is_some()).then_some(source))
}

/// The endings of forms. Of files with other endings the first line says what they are.
const FORMS: [&str; 7] = ["mlir", "ttir", "ttgir", "ll", "llir", "ptx", "ttg"];

/// Reads a file.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let size = std::fs::metadata(path).map_err(|e| file_error(path, reason(&e)))?;
    if size.is_dir() {
        return Err(file_error(path, "this is a folder"));
    }
    if size.len() > MAX_BYTES {
        return Err(file_error(path, format!("the file has {} bytes, more than tk reads ({MAX_BYTES})", size.len())));
    }
    std::fs::read(path).map_err(|e| file_error(path, reason(&e)))
}

/// Reads a bundle of `tk build`.
pub(crate) fn read_bundle(path: &Path) -> Result<tk::Bundle, Failure> {
    tk::Bundle::from_bytes(&read_bytes(path)?).map_err(|error| file_error(path, error))
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".into(),
        std::io::ErrorKind::PermissionDenied => "the file may not be read".into(),
        _ => error.to_string(),
    }
}

/// Reads and parses a `.tk` file, and what it imports.
pub(crate) fn parse(path: &Path, imports: &ImportArgs, roots: Roots) -> Result<ast::Module, Failure> {
    let module = tk_grammar::parse(&read(path)?)?;
    Ok(tk::read_imports(&module, path, imports.root.as_deref(), roots)?)
}

/// Writes through a temporary file in the same folder, so that no half-written file is ever seen. A device or a pipe, such
/// as `/dev/null`, is written to instead: a rename would replace it by a file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return std::fs::write(path, bytes).map_err(|e| file_error(path, format!("cannot be written: {e}")));
    }
    let mut name = path.file_name().map(std::ffi::OsStr::to_os_string).unwrap_or_default();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, path)).map_err(|e| {
        let _ = std::fs::remove_file(&part);
        file_error(path, format!("cannot be written: {e}"))
    })
}
