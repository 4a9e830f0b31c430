//! The binary `tk`.

use std::io::{BufWriter, IsTerminal, Write};

/// Kernels are compiled on threads of their own, for which glibc's `malloc` asks the kernel for memory by single pages. LLVM and MLIR
/// allocate by this one, too (`override`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let args: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    if let Ok(program) = std::env::current_exe() {
        tk_cli::rehearse_with(program);
    }
    let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let style = if color { tk_diag::Style::Color } else { tk_diag::Style::Plain };
    let mut out = BufWriter::new(std::io::stdout());
    let mut err = std::io::stderr();
    let code = tk_cli::run_styled(&args, &mut out, &mut err, style);
    // A closed pipe is not worth a message.
    let _ = out.flush();
    // Nothing is left to do, so the destructors of large arenas are not waited for.
    std::process::exit(code);
}
