//! PTX to machine code: finds NVIDIA's `ptxas`, runs it, and reads its report.
//!
//! `ptxas` is optional. Where there is none, the driver's JIT does the same work at load time and writes the same kind of
//! log, so the reader of that log lives here too.

use crate::assembler::Assembler;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tk_diag::{BAD_PTX, Diagnostic, LineColumn, Result, SourceFile, Span};
use tk_types::CompileOptions;

/// What came out of one assembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembly {
    /// The machine code, an ELF file.
    pub cubin: Vec<u8>,
    /// Registers per thread, the most of any entry point in the text.
    pub registers: Option<u32>,
    /// Bytes of spill stores per thread, the most of any entry point in the text.
    pub spill_bytes: Option<u32>,
    /// Why `ptxas` makes every asynchronous matrix product wait for the one before it, where it does. The code is right, and slower.
    pub serialised: Option<String>,
}

/// The `ptxas` to use: `TK_PTXAS`, the first one on PATH, in CUDA_HOME, or in /usr/local/cuda.
pub fn find_ptxas() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("TK_PTXAS") {
        return Some(PathBuf::from(path)).filter(|path| path.is_file());
    }
    let on_path = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let homes = ["CUDA_HOME", "CUDA_PATH"].iter().filter_map(std::env::var_os).map(|home| Path::new(&home).join("bin"));
    let candidates = on_path.into_iter().flatten().chain(homes).chain([PathBuf::from("/usr/local/cuda/bin")]);
    candidates.map(|folder| folder.join(format!("ptxas{}", std::env::consts::EXE_SUFFIX))).find(|path| path.is_file())
}

/// The first line of `ptxas --version` that names a release, for `tk doctor`.
pub fn ptxas_version(ptxas: &Path) -> Option<String> {
    let output = Command::new(ptxas).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find(|line| line.contains("release")).map(|line| line.trim().to_string())
}

/// What tells a `ptxas` from others, on every machine alike: its length, and a hash of how the file begins and ends, where the tables of an
/// executable are. It is not run and not read as a whole: a hit of the cache must not wait for that.
pub fn ptxas_identity(ptxas: &Path) -> String {
    const PART: u64 = 16 << 10;
    let read = || -> std::io::Result<String> {
        let mut file = std::fs::File::open(ptxas)?;
        let length = file.metadata()?.len();
        let mut bytes = Vec::new();
        file.by_ref().take(PART).read_to_end(&mut bytes)?;
        file.seek(SeekFrom::Start(length.saturating_sub(PART)))?;
        file.take(PART).read_to_end(&mut bytes)?;
        Ok(format!("{length} {:032x}", tk_image::checksum(&bytes)))
    };
    read().unwrap_or_else(|_| ptxas.display().to_string())
}

/// Assembles PTX text for `target` (`sm_90a`) with this `ptxas`. Leaves no file behind.
///
/// # Errors
/// Those of [`Assembler::assemble`].
pub fn assemble(ptxas: &Path, ptx: &str, target: &str, options: &CompileOptions) -> Result<Assembly> {
    Assembler::new(ptxas, target, options).assemble(ptx)
}

/// The figures in the log of `ptxas -v` or of the driver's JIT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AssemblyLog {
    pub(crate) registers: Option<u32>,
    pub(crate) spill_bytes: Option<u32>,
}

impl AssemblyLog {
    /// Reads `Used 32 registers` and `8 bytes spill stores`, the most of each.
    pub(crate) fn parse(log: &str) -> Self {
        let words: Vec<&str> = log.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).collect();
        let figures = |pattern: &[&str], number: usize| {
            let matching = words.windows(pattern.len()).filter(|window| {
                pattern.iter().zip(*window).enumerate().all(|(i, (want, have))| i == number || want == have)
            });
            matching.filter_map(|window| window[number].parse().ok()).max()
        };
        Self {
            registers: figures(&["Used", "#", "registers"], 1),
            spill_bytes: figures(&["#", "bytes", "spill", "stores"], 0),
        }
    }
}

/// Why the assembler makes every asynchronous matrix product wait for the one before it.
pub(crate) fn serialised(log: &str) -> Option<String> {
    let (_, reason) = log.split_once("wgmma.mma_async instructions are serialized due to ")?;
    let line = reason.lines().next().unwrap_or_default();
    Some(line.split(" in the function").next().unwrap_or_default().trim().to_string())
}

/// A diagnostic from an assembler's log, with the first faulty line of the PTX under its caret.
pub(crate) fn ptx_diagnostic(message: &str, log: &str, ptx: &str) -> Box<Diagnostic> {
    let fault = log.lines().find_map(parse_fault);
    let reason = match &fault {
        Some((_, reason)) => reason.as_str(),
        None => log.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it did not say why"),
    };
    let mut diagnostic = Diagnostic::error(BAD_PTX, format!("{message}: {}", reason.trim_end_matches('.')));
    if let Some((line, _)) = fault {
        let file = SourceFile::new("kernel.ptx", ptx);
        let start = file.offset(LineColumn { line, column: 1 });
        let text = file.line_text(line);
        let indent = text.len() - text.trim_start().len();
        let start = start as usize + indent;
        diagnostic = diagnostic.at(&file, Span::new(start, start + text.trim().len()), "");
    }
    for line in log.lines().map(str::trim).filter(|line| parse_fault(line).is_some()).skip(1).take(4) {
        diagnostic = diagnostic.note(line);
    }
    if reason.contains("Unsupported .version") || reason.contains("PTX .version") {
        return diagnostic.help("this assembler is older than the PTX; update the driver or the CUDA toolkit").boxed();
    }
    if log.contains("too much shared data") {
        return diagnostic.help("use a smaller block or fewer stages").boxed();
    }
    diagnostic.boxed()
}

/// `ptxas FILE, line 12; error   : Unknown symbol 'x'` → (12, "Unknown symbol 'x'").
fn parse_fault(line: &str) -> Option<(u32, String)> {
    let (place, rest) = line.split_once(';')?;
    let (kind, reason) = rest.split_once(':')?;
    matches!(kind.trim(), "error" | "fatal").then_some(())?;
    let number = place.rsplit_once("line ")?.1.trim().parse().ok()?;
    Some((number, reason.trim().to_string()))
}

/// Disassembles machine code with the `nvdisasm` that stands beside `ptxas`.
///
/// # Errors
/// A device error when there is no `nvdisasm` or when it refuses the code.
pub fn disassemble(ptxas: &Path, cubin: &[u8]) -> Result<String> {
    run_nvdisasm(ptxas, cubin, &[])
}

/// [`disassemble`]s the code alone, with comments that say which line of the source each instruction comes from.
///
/// # Errors
/// Those of [`disassemble`].
pub fn disassemble_with_lines(ptxas: &Path, cubin: &[u8]) -> Result<String> {
    run_nvdisasm(ptxas, cubin, &["-c", "-g"])
}

fn run_nvdisasm(ptxas: &Path, cubin: &[u8], options: &[&str]) -> Result<String> {
    let tool = ptxas.with_file_name("nvdisasm");
    let refused = |why: String| Diagnostic::error(tk_diag::DEVICE, format!("{}: {why}", tool.display())).boxed();
    let file = tempfile::Builder::new().suffix(".cubin").tempfile().map_err(|e| refused(e.to_string()))?;
    std::fs::write(file.path(), cubin).map_err(|e| refused(e.to_string()))?;
    let mut command = Command::new(&tool);
    let output = command.args(options).arg(file.path()).output().map_err(|e| refused(e.to_string()))?;
    if !output.status.success() {
        return Err(refused(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_says_why_products_are_serialised() {
        let log = |reason: &str| {
            format!(
                "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to \
                 {reason} in the function 'k'\nptxas info    : Used 255 registers, used 1 barriers\n"
            )
        };
        let few = "insufficient register resources for the wgmma pipeline";
        assert_eq!(serialised(&log(few)).as_deref(), Some(few));
        assert_eq!(serialised(LOG), None);
    }

    const LOG: &str = "ptxas info    : 0 bytes gmem\n\
        ptxas info    : Compiling entry function 'a' for 'sm_90a'\n\
        ptxas info    : Function properties for a\n    \
        24 bytes stack frame, 16 bytes spill stores, 28 bytes spill loads\n\
        ptxas info    : Used 255 registers, used 1 barriers, 24 bytes cumulative stack size\n\
        ptxas info    : Used 30 registers, used 0 barriers\n";

    #[test]
    fn the_log_yields_the_most_registers_and_spills() {
        assert_eq!(AssemblyLog::parse(LOG), AssemblyLog { registers: Some(255), spill_bytes: Some(16) });
        assert_eq!(AssemblyLog::parse("nothing"), AssemblyLog::default());
    }

    #[test]
    fn a_fault_points_at_its_line() {
        let ptx = ".version 8.0\n.target sm_90\n  bogus.b32 %r1;\n";
        let log = "ptxas /tmp/x/kernel.ptx, line 3; error   : Not a name of any known instruction: 'bogus'\n\
                   ptxas fatal   : Ptx assembly aborted due to errors\n";
        let diagnostic = ptx_diagnostic("ptxas refused the PTX", log, ptx);
        assert_eq!(diagnostic.code.slug, "bad-ptx");
        assert!(diagnostic.message.contains("bogus"), "{}", diagnostic.message);
        let label = &diagnostic.labels[0];
        assert_eq!(label.file.as_ref().map(|file| file.slice(label.span)), Some("bogus.b32 %r1;"));
    }

    #[test]
    fn a_log_without_a_line_still_says_why() {
        let diagnostic = ptx_diagnostic("x", "\nptxas fatal : Value 'sm_1' is not defined\n", "");
        assert!(diagnostic.message.contains("sm_1"));
        assert!(diagnostic.labels.is_empty());
    }
}
