//! Reading inputs and writing results: whole files, or nothing.

use crate::arguments::ImportArgs;
use crate::failure::Failure;
use std::path::Path;
use tk::Roots;
use tk_diag::{Diagnostic, FILE, SourceFile, USAGE};
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
    if is_program(path) {
        return Ok(None);
    }
    let source = read(path)?;
    Ok(form(path, &source).is_some().then_some(source))
}

/// Reads a file for a command that takes one kind of form: `wanted` says which, `program` what is done with programs.
pub(crate) fn read_in(path: &Path, form_of: Form, wanted: &str, program: &str) -> Result<SourceFile, Failure> {
    let source = read(path)?;
    let (is, help) = match form(path, &source) {
        _ if is_program(path) => ("a program", program),
        None => return Ok(source),
        Some(found) if found == form_of => return Ok(source),
        Some(found) => (found.language(), "`tk compile FILE` goes on from it"),
    };
    let error = Diagnostic::error(USAGE, format!("{} is {is}, and {wanted}", path.display()));
    Err(error.help(help).boxed().into())
}

fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "tk" || extension == "py")
}

/// What a file is a form in; nothing for programs.
pub(crate) fn form(path: &Path, source: &SourceFile) -> Option<Form> {
    if is_program(path) { None } else { Form::of(source).or_else(|| Form::by_ending(source.name())) }
}

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

/// Why a file cannot be read.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".into(),
        std::io::ErrorKind::PermissionDenied => "the file may not be read".into(),
        _ => error.to_string(),
    }
}

/// Reads and parses a `.tk` file, and what it imports.
pub(crate) fn parse(path: &Path, imports: &ImportArgs, roots: Roots) -> Result<ast::Module, Failure> {
    let source = read(path)?;
    if let Some(form) = form(path, &source) {
        let error = Diagnostic::error(USAGE, format!("{} is {}, and no program", path.display(), form.language()));
        let runs = if form == Form::Ptx { "`tk sim FILE` runs it" } else { "`tk compile FILE` goes on from it" };
        return Err(error
            .help(format!("{runs}, and `tk run PROGRAM --override KERNEL=FILE` launches it"))
            .boxed()
            .into());
    }
    let module = tk_grammar::parse(&source)?;
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
