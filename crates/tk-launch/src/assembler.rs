//! A `ptxas` that is started before its text is there.
//!
//! `ptxas` needs some milliseconds to prepare itself, whatever it assembles: as long as tk needs for the passes of a small kernel. So it is
//! started first, prepares itself beside them, and reads the text from a pipe. (docs/measurements.md, "ptxas prepares itself while tk compiles".)

use crate::assembly::{Assembly, AssemblyLog, ptx_diagnostic, serialised};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use tempfile::TempDir;
use tk_diag::{DEVICE, Diagnostic, FILE, Result};
use tk_types::{CompileOptions, Lines};

/// How long one run of `ptxas` may take once it has its text.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Most bytes of a log that are read; the rest is dropped.
const MAX_LOG_BYTES: u64 = 1 << 20;

/// What glibc's `malloc` is told in `ptxas`, which asks the kernel for its memory by single pages otherwise: large pages where the system lends
/// them, grown by 64 MB at a time and not given back. Other systems do not read it.
const MEMORY: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864:glibc.malloc.trim_threshold=1073741824:glibc.malloc.mmap_threshold=33554432",
);

/// A `ptxas` for kernels of one target and one set of options, which may have been started already.
#[derive(Debug)]
pub struct Assembler {
    ptxas: PathBuf,
    target: String,
    options: CompileOptions,
    ahead: Option<Running>,
    /// Those that have a text nobody has asked for so far.
    begun: Vec<Begun>,
}

/// A `ptxas` that works on a text.
#[derive(Debug)]
struct Begun {
    ptx: String,
    running: Running,
}

/// How many texts are begun with at most. Each is a process.
const MOST_BEGUN: usize = 4;

impl Assembler {
    /// Nothing is started before there is a text.
    pub fn new(ptxas: &Path, target: &str, options: &CompileOptions) -> Self {
        let (ptxas, target, options) = (ptxas.to_path_buf(), target.to_string(), options.clone());
        Self { ptxas, target, options, ahead: None, begun: Vec::new() }
    }

    /// One `ptxas` is started now, for the first text. Where that fails, the first text says why.
    pub fn ahead(ptxas: &Path, target: &str, options: &CompileOptions) -> Self {
        let ahead = PIPES.then(|| Running::start(ptxas, target, options, Input::Piped).ok()).flatten();
        Self { ahead, ..Self::new(ptxas, target, options) }
    }

    /// The program.
    pub fn ptxas(&self) -> &Path {
        &self.ptxas
    }

    /// Begins with a text that may be asked for. One that is not is stopped with the assembler. Nothing is begun where another process would take
    /// the only core.
    pub fn begin(&mut self, ptx: &str) {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        if cores > 1 && self.begun.len() < MOST_BEGUN && !self.begun.iter().any(|begun| begun.ptx == ptx) {
            // Where it does not start, the text is asked for once more, and says why.
            if let Ok(running) = self.started(ptx) {
                self.begun.push(Begun { ptx: ptx.to_string(), running });
            }
        }
    }

    /// Assembles a text. Leaves no file behind.
    ///
    /// # Errors
    /// A fault in the text is a [`BAD_PTX`](tk_diag::BAD_PTX) with the line of the PTX; a missing or hanging program is a [`DEVICE`].
    pub fn assemble(&mut self, ptx: &str) -> Result<Assembly> {
        let running = match self.begun.iter().position(|begun| begun.ptx == ptx) {
            Some(at) => self.begun.swap_remove(at).running,
            None => self.started(ptx)?,
        };
        running.finish(&self.ptxas, ptx)
    }

    /// A `ptxas` that has the text.
    fn started(&mut self, ptx: &str) -> Result<Running> {
        let mut running = match self.ahead.take() {
            Some(running) => running,
            None => {
                let input = if PIPES { Input::Piped } else { Input::File(ptx) };
                Running::start(&self.ptxas, &self.target, &self.options, input)?
            }
        };
        running.input.take().into_iter().for_each(|input| write_text(input, ptx));
        Ok(running)
    }
}

/// Whether a program finds what is written to its standard input under the name of a file.
const PIPES: bool = cfg!(unix);

/// Where `ptxas` finds its text.
enum Input<'t> {
    /// It comes through a pipe, later.
    Piped,
    /// In a file that is written now.
    File(&'t str),
}

/// A `ptxas` that runs. One that is not finished is stopped.
#[derive(Debug)]
struct Running {
    child: Child,
    /// Where the text goes.
    input: Option<ChildStdin>,
    /// What it says on its way to the end.
    log: mpsc::Receiver<String>,
    /// Where it writes.
    folder: TempDir,
}

impl Running {
    fn start(ptxas: &Path, target: &str, options: &CompileOptions, input: Input<'_>) -> Result<Self> {
        let folder = tempfile::tempdir().map_err(|error| {
            Diagnostic::error(FILE, format!("cannot make a temporary folder: {error}")).help("check TMPDIR").boxed()
        })?;
        let (path, stdin) = match input {
            Input::Piped => (PathBuf::from("/dev/stdin"), Stdio::piped()),
            Input::File(ptx) => {
                let path = folder.path().join("kernel.ptx");
                std::fs::write(&path, ptx).map_err(|error| file_error("write", &path, &error))?;
                (path, Stdio::null())
            }
        };
        let mut command = command(ptxas, target, options);
        command.arg(path).arg("-o").arg(folder.path().join(CUBIN));
        let mut child =
            command.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().map_err(|error| {
                Diagnostic::error(DEVICE, format!("cannot run {}: {error}", ptxas.display())).boxed()
            })?;
        Ok(Self { input: child.stdin.take(), log: read_log(&mut child), child, folder })
    }

    fn finish(mut self, ptxas: &Path, ptx: &str) -> Result<Assembly> {
        let (succeeded, log) = self.end(ptxas, TIME_LIMIT)?;
        if !succeeded {
            return Err(ptx_diagnostic("ptxas refused the PTX", &log, ptx));
        }
        let output = self.folder.path().join(CUBIN);
        let cubin = std::fs::read(&output).map_err(|error| file_error("read", &output, &error))?;
        let AssemblyLog { registers, spill_bytes } = AssemblyLog::parse(&log);
        Ok(Assembly { cubin, registers, spill_bytes, serialised: serialised(&log) })
    }

    /// Waits for the end or for the limit; returns whether it succeeded and what it wrote to stderr.
    fn end(&mut self, program: &Path, limit: Duration) -> Result<(bool, String)> {
        let name = program.display();
        let Ok(log) = self.log.recv_timeout(limit) else {
            let message = format!("{name} did not finish within {} s", limit.as_secs());
            let help = "make the kernel smaller, or unset TK_PTXAS and leave the work to the driver";
            return Err(Diagnostic::error(DEVICE, message).help(help).boxed());
        };
        let status =
            self.child.wait().map_err(|error| Diagnostic::error(DEVICE, format!("lost {name}: {error}")).boxed())?;
        let log = if status.success() || !log.trim().is_empty() { log } else { format!("{name} ended with {status}") };
        Ok((status.success(), log))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended where it was waited for; then neither does anything.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The machine code, in the folder of a run.
const CUBIN: &str = "kernel.cubin";

/// The program with its options, without the text.
fn command(ptxas: &Path, target: &str, options: &CompileOptions) -> Command {
    let mut command = Command::new(ptxas);
    command.arg("-v").arg(format!("--gpu-name={target}"));
    if options.lines == Lines::Kept {
        command.arg("-lineinfo");
    }
    if let Some(registers) = options.maxnreg {
        command.arg(format!("--maxrregcount={registers}"));
    }
    if !options.fp_fusion {
        command.arg("--fmad=false");
    }
    let (name, value) = MEMORY;
    if std::env::var_os(name).is_none() {
        command.env(name, value);
    }
    command
}

/// Writes the text from a thread of its own: a program that ends early, or says much before it reads, keeps nobody.
fn write_text(mut input: ChildStdin, ptx: &str) {
    let text = ptx.as_bytes().to_vec();
    std::thread::spawn(move || {
        // Where it does not read to the end, its log says why.
        let _ = input.write_all(&text);
    });
}

/// The child's stderr, once it closes.
fn read_log(child: &mut Child) -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel();
    if let Some(mut stderr) = child.stderr.take() {
        std::thread::spawn(move || {
            let mut log = Vec::new();
            let _ = stderr.by_ref().take(MAX_LOG_BYTES).read_to_end(&mut log);
            let _ = std::io::copy(&mut stderr, &mut std::io::sink());
            let _ = send.send(String::from_utf8_lossy(&log).into_owned());
        });
    }
    receive
}

fn file_error(verb: &str, path: &Path, error: &std::io::Error) -> Box<Diagnostic> {
    Diagnostic::error(FILE, format!("cannot {verb} {}: {error}", path.display())).boxed()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    //! A shell script in place of ptxas: what matters here is how tk runs a program, not what the program does.

    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::time::Instant;

    fn script(folder: &Path, body: &str) -> PathBuf {
        let path = folder.join("ptxas");
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn usual(ptxas: &Path) -> Assembler {
        Assembler::new(ptxas, "sm_90a", &CompileOptions::default())
    }

    /// Writes its arguments and its text as machine code, and says figures.
    const ECHO: &str = "for last; do :; done; { echo \"$@\"; cat /dev/stdin; } > \"$last\"\n\
                        echo '0 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads' >&2\n\
                        echo 'ptxas info : Used 17 registers' >&2";

    #[test]
    fn the_cubin_and_the_figures_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let ptxas = script(folder.path(), ECHO);
        let options = CompileOptions { maxnreg: Some(64), fp_fusion: false, ..CompileOptions::default() };
        // Longer than a pipe holds.
        let long = "text ".repeat(100_000);
        for mut assembler in [Assembler::new(&ptxas, "sm_90a", &options), Assembler::ahead(&ptxas, "sm_90a", &options)]
        {
            for text in [long.as_str(), "once more"] {
                let assembly = assembler.assemble(text).unwrap();
                assert_eq!((assembly.registers, assembly.spill_bytes), (Some(17), Some(8)));
                let cubin = String::from_utf8(assembly.cubin).unwrap();
                let (arguments, read) = cubin.split_once('\n').unwrap();
                for expected in ["--gpu-name=sm_90a", "--maxrregcount=64", "--fmad=false"] {
                    assert!(arguments.contains(expected), "{arguments}");
                }
                assert_eq!(read, text);
                let output = arguments.split_whitespace().last().unwrap();
                assert!(!Path::new(output).exists(), "the temporary file is gone");
            }
        }
    }

    #[test]
    fn what_was_begun_is_what_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let runs = folder.path().join("runs");
        let ptxas = script(folder.path(), &format!("echo >> {}\n{ECHO}", runs.display()));
        let mut assembler = Assembler::ahead(&ptxas, "sm_90a", &CompileOptions::default());
        ["first", "second", "second", "never asked for"].iter().for_each(|text| assembler.begin(text));
        for text in ["second", "first", "third"] {
            let cubin = String::from_utf8(assembler.assemble(text).unwrap().cubin).unwrap();
            assert_eq!(cubin.split_once('\n').unwrap().1, text);
        }
        drop(assembler);
        assert!((3..=4).contains(&std::fs::read_to_string(&runs).unwrap().lines().count()), "each text once");
    }

    #[test]
    fn one_that_is_not_needed_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let ptxas = script(folder.path(), "exec sleep 30");
        let start = Instant::now();
        drop(Assembler::ahead(&ptxas, "sm_90a", &CompileOptions::default()));
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_failure_carries_what_was_said() {
        let folder = tempfile::tempdir().unwrap();
        let ptxas = script(folder.path(), "echo 'ptxas k.ptx, line 1; error : no such thing' >&2; exit 255");
        let error = usual(&ptxas).assemble("first line").unwrap_err();
        assert!(error.message.contains("no such thing"));
        let silent = script(folder.path(), "exit 3");
        let error = usual(&silent).assemble("").unwrap_err();
        assert!(error.message.contains("exit status: 3"), "{}", error.message);
    }

    #[test]
    fn a_program_that_hangs_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let ptxas = script(folder.path(), "exec sleep 30");
        let start = Instant::now();
        let mut running = Running::start(&ptxas, "sm_90a", &CompileOptions::default(), Input::Piped).unwrap();
        let error = running.end(&ptxas, Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.code.slug, "device");
        drop(running);
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_missing_program_is_said_kindly() {
        for mut assembler in [usual, |ptxas: &Path| Assembler::ahead(ptxas, "sm_90a", &CompileOptions::default())]
            .map(|make| make(Path::new("/no/such/ptxas")))
        {
            let error = assembler.assemble("").unwrap_err();
            assert!(error.message.contains("/no/such/ptxas"));
        }
    }
}
