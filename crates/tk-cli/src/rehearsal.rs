//! LLVM's code generator ends the process at some texts that its parser and its verifier accept, such as inline assembly with an
//! operand that is not there. LLVM IR from a file is therefore compiled in another process first.

use crate::failure::Failure;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use tk_diag::{BAD_IR, Diagnostic, SourceFile, Span};
use tk_driver::Form;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Set in the other process.
pub const REHEARSAL: &str = "TK_REHEARSAL";

/// Says which program takes the arguments of `tk`. Without one there are no rehearsals.
pub fn rehearse_with(program: PathBuf) {
    let _ = PROGRAM.set(program);
}

/// Compiles LLVM IR in another process, with these options of `tk compile`.
///
/// # Errors
/// The process does not end by itself. Errors that it tells are found again in this process.
pub(crate) fn rehearse(source: &SourceFile, path: &Path, options: &[String]) -> Result<(), Failure> {
    let Some(program) = PROGRAM.get().filter(|_| std::env::var_os(REHEARSAL).is_none()) else { return Ok(()) };
    if Form::of(source) != Some(Form::Llvm) {
        return Ok(());
    }
    let mut command = Command::new(program);
    command.arg("compile").arg(path).args(options).env(REHEARSAL, "1").stdin(Stdio::null());
    let Ok(done) = command.output() else { return Ok(()) };
    if done.status.code().is_some() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let reason = said.lines().find_map(|line| line.strip_prefix("LLVM ERROR: ")).unwrap_or("it says no reason");
    let error = Diagnostic::error(BAD_IR, format!("LLVM makes no code of this text: {reason}"));
    let help = "the text is well formed, but has something that the code generator for NVIDIA's GPUs cannot do";
    Err(error.at(source, Span::default(), "").help(help).boxed().into())
}
