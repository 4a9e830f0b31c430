//! The runner of tk's end-to-end suites: a command line in a file's first comment, its expected output beside the file.
//!
//! A case is a `.tk`, `.mlir` or `.ptx` file that begins with
//!
//! ```text
//! # run: tk compile $FILE --kernel k --signature '*fp32:16'
//! # exit: 1
//! ```
//!
//! (`//` comments in `.mlir` and `.ptx`). The runner executes the command inside the test process and compares everything
//! it prints with `NAME.out`. `TK_BLESS=1` rewrites the expectation; the diff is the review.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(Path::to_path_buf).unwrap_or_else(|| here.to_path_buf())
}

/// What a command printed and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Standard output followed by standard error.
    pub text: String,
    /// The exit code.
    pub exit: i32,
}

/// Runs `tk` with these arguments inside this process.
pub fn run_tk(args: &[String]) -> Outcome {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = tk_cli::run(args, &mut out, &mut err);
    out.extend_from_slice(&err);
    Outcome { text: String::from_utf8_lossy(&out).into_owned(), exit }
}

/// Tests files of kernels on the simulator, as many at once as there are processors; what was printed of each that failed, by name.
///
/// A test of hundreds of files would otherwise be the last to run, on one processor.
pub fn failures_of_files(files: &[String]) -> Vec<String> {
    let (next, failures) = (Mutex::new(files.iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(file) = next.lock().ok().and_then(|mut next| next.next()) {
                    let outcome = run_tk(&["test".into(), file.clone(), "--device".into(), "sim".into()]);
                    if let (true, Ok(mut failures)) = (outcome.exit != 0, failures.lock()) {
                        failures.push((file, outcome.text));
                    }
                }
            });
        }
    });
    // A thread that panics takes the test with it, so both can be read here.
    let mut failures = failures.into_inner().unwrap_or_default();
    failures.sort();
    failures.into_iter().map(|(_, text)| text).collect()
}

/// One file of a suite.
#[derive(Debug)]
pub struct Case {
    /// The file.
    pub path: PathBuf,
    /// Arguments after `tk`, with `$FILE` replaced by the path from the workspace root.
    pub args: Vec<String>,
    /// The expected exit code.
    pub exit: i32,
}

/// Reads the cases of a folder, sorted by name. A file without a `run:` line is an error, so that none is forgotten.
pub fn cases(folder: &Path) -> Result<Vec<Case>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "tk" || e == "mlir" || e == "ptx"));
    paths.sort();
    paths.iter().map(|path| read_case(path)).collect()
}

fn read_case(path: &Path) -> Result<Case, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).into_owned();
    let directive = |key: &str| {
        text.lines().take(4).find_map(|line| {
            let line = line.trim_start_matches(['#', '/', ' ']);
            line.strip_prefix(key).map(|rest| rest.trim().to_string())
        })
    };
    let command = directive("run: tk").ok_or_else(|| format!("{}: no `run: tk …` comment", path.display()))?;
    let file = path.strip_prefix(root()).unwrap_or(path).display().to_string();
    let args = split_words(&command).into_iter().map(|word| word.replace("$FILE", &file)).collect();
    let exit = directive("exit:").and_then(|code| code.parse().ok()).unwrap_or(0);
    Ok(Case { path: path.to_path_buf(), args, exit })
}

/// Splits at spaces; single quotes keep words together.
fn split_words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().map(|w| w.push(c)).unwrap_or_default(),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What a case's expectation holds: everything printed, without the excerpts of generated PTX.
fn stable(case: &Case, text: &str) -> String {
    if case.path.extension().is_some_and(|extension| extension == "ptx") { text.to_string() } else { without_ptx(text) }
}

/// What was printed, without the excerpts of generated PTX, which change with every improvement of code generation.
pub fn without_ptx(text: &str) -> String {
    // Where a block of source lines is from.
    let place = |line: &str| ["--> ", "::: "].into_iter().find_map(|mark| line.strip_prefix(mark).map(str::to_string));
    let is_ptx = |line: &str| place(line.trim_start()).is_some_and(|place| place.contains(".ptx:"));
    let has_ptx = text.lines().any(is_ptx);
    let mut kept = String::new();
    let mut in_ptx = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let is_margin =
            trimmed.starts_with(['|', '=', '-', ':', '.']) || trimmed.starts_with(|c: char| c.is_ascii_digit());
        if place(trimmed).is_some() {
            in_ptx = is_ptx(line);
        } else if trimmed.starts_with("= ") || !is_margin {
            in_ptx = false;
        }
        if !in_ptx {
            // Line numbers have a column as wide as the greatest, which may be one of the PTX.
            kept.push_str(if has_ptx && is_margin { trimmed } else { line });
            kept.push('\n');
        }
    }
    kept
}

/// Runs a case and compares or blesses its expectation. The error is what to show.
pub fn check_case(case: &Case) -> Result<(), String> {
    let mut outcome = run_tk(&case.args);
    outcome.text = stable(case, &outcome.text);
    let expected_path = case.path.with_extension("out");
    if std::env::var_os("TK_BLESS").is_some() {
        std::fs::write(&expected_path, &outcome.text).map_err(|e| e.to_string())?;
    }
    let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
    let name = case.path.display();
    if outcome.exit != case.exit {
        return Err(format!("{name}: exit code {} instead of {}\n{}", outcome.exit, case.exit, outcome.text));
    }
    if outcome.text != expected {
        return Err(format!(
            "{name}: output differs (TK_BLESS=1 accepts it)\n--- expected\n{expected}\n--- got\n{}",
            outcome.text
        ));
    }
    Ok(())
}
