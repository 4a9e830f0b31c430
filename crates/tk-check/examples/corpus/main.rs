//! Checks every kernel of folders of Python files and prints which compile: `corpus [-v] DIR…`.
//!
//! Signatures are not in the files, so they are guessed from how parameters are used, and several guesses are tried. A failure is
//! therefore a hint to look at, not a verdict. `-v` prints one line per kernel.

mod merge;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use tk_check::{CheckRequest, bind_signature, check, guess, kernels};
use tk_diag::{Diagnostic, SourceFile};
use tk_grammar::ast::Module;
use tk_types::CompileOptions;

/// Guesses tried for one kernel.
const ATTEMPTS: u64 = 40;

/// What became of one kernel.
enum Outcome {
    Compiles,
    /// It needs a name from a file that is not here.
    NeedsFile(String),
    Fails {
        code: String,
        message: String,
        line: String,
    },
}

#[derive(Default)]
struct Tally {
    kernels: usize,
    compile: usize,
    need_file: usize,
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let verbose = args.iter().position(|arg| arg == "-v").map(|at| args.remove(at)).is_some();
    std::panic::set_hook(Box::new(|_| {}));
    let mut rows: BTreeMap<String, Tally> = BTreeMap::new();
    let mut histogram: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut syntax: Vec<String> = Vec::new();
    for root in &args {
        let mut files = Vec::new();
        python_files(Path::new(root), &mut files);
        let tally = rows.entry(root.clone()).or_default();
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            if !text.contains("jit") || !text.contains("triton") {
                continue;
            }
            let name = file.display().to_string();
            let alone = match tk_grammar::parse(&SourceFile::new(name.as_str(), text.as_str())) {
                Ok(module) => module,
                Err(errors) => {
                    syntax.extend(errors.first().map(|error| format!("{name}{}", describe_place(error))));
                    continue;
                }
            };
            let merged = merge::with_imports(&file, &text);
            let module = tk_grammar::parse(&SourceFile::new(name.as_str(), merged)).unwrap_or_else(|_| alone.clone());
            for function in kernels(&alone) {
                if !guess::is_kernel(&alone, function) {
                    continue;
                }
                tally.kernels += 1;
                let outcome = try_kernel(&module, &function.name.text);
                let word = match &outcome {
                    Outcome::Compiles => {
                        tally.compile += 1;
                        "ok".to_string()
                    }
                    Outcome::NeedsFile(message) => {
                        tally.need_file += 1;
                        format!("needs other file: {message}")
                    }
                    Outcome::Fails { code, message, line } => {
                        let at = format!("{name}:{}", function.name.text);
                        let entry = histogram.entry(format!("{code}: {}", shape_of(message))).or_insert((0, at));
                        entry.0 += 1;
                        format!("{code}: {message} | {line}")
                    }
                };
                if verbose {
                    println!("{name}:{}\t{word}", function.name.text);
                }
            }
        }
    }
    print_table(&rows);
    print_histogram(histogram);
    println!("\n{} files with syntax errors", syntax.len());
    syntax.iter().for_each(|line| println!("  {line}"));
}

fn describe_place(error: &Diagnostic) -> String {
    let line = error.labels.first().and_then(|label| Some((label.file.as_ref()?, label.span)));
    match line {
        Some((file, span)) => format!(":{}: {}", file.line_column(span.start).line, error.message),
        None => format!(": {}", error.message),
    }
}

fn print_table(rows: &BTreeMap<String, Tally>) {
    println!("\n{:48} {:>7} {:>9} {:>10} {:>6}", "folder", "kernels", "compile", "need file", "%");
    for (root, tally) in rows {
        let share = 100.0 * tally.compile as f64 / (tally.kernels - tally.need_file).max(1) as f64;
        println!("{root:48} {:7} {:9} {:10} {share:6.1}", tally.kernels, tally.compile, tally.need_file);
    }
    let sum = |f: fn(&Tally) -> usize| rows.values().map(f).sum::<usize>();
    let (kernels, compile, need) = (sum(|t| t.kernels), sum(|t| t.compile), sum(|t| t.need_file));
    let share = 100.0 * compile as f64 / (kernels - need).max(1) as f64;
    println!("{:48} {kernels:7} {compile:9} {need:10} {share:6.1}", "all");
}

fn print_histogram(histogram: BTreeMap<String, (usize, String)>) {
    let mut lines: Vec<(String, (usize, String))> = histogram.into_iter().collect();
    lines.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    println!();
    for (message, (count, example)) in lines.iter().take(120) {
        println!("{count:5}  {message}   [{example}]");
    }
}

fn python_files(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        if folder.extension().is_some_and(|e| e == "py") {
            out.push(folder.to_path_buf());
        }
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            python_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "py") {
            out.push(path);
        }
    }
}

fn try_kernel(module: &Module, kernel: &str) -> Outcome {
    let Some(function) = module.function(kernel) else { return Outcome::NeedsFile("nothing".into()) };
    let mut best: Option<(u32, Diagnostic)> = None;
    for attempt in 0..ATTEMPTS {
        let (specs, constexprs) = guess::launch(module, function, attempt);
        let result = catch_unwind(AssertUnwindSafe(|| {
            let bound = bind_signature(module, kernel, Some(&specs), &constexprs)?;
            let options = CompileOptions::default();
            check(&CheckRequest { module, kernel, args: &bound, options, target_sm: 90 }).map(|_| ())
        }));
        let errors = match result {
            Ok(Ok(())) => return Outcome::Compiles,
            Ok(Err(errors)) => errors,
            Err(_) => vec![Diagnostic::bug("a panic")],
        };
        let Some(first) = errors.into_iter().next() else { continue };
        if first.message.contains("does not read") || first.message.contains("imported module") {
            return Outcome::NeedsFile(first.message);
        }
        let inside = |start: u32| start >= function.span.start && start < function.span.end;
        let reached = first.labels.iter().map(|label| label.span.start).filter(|at| inside(*at)).max().unwrap_or(0);
        if best.as_ref().is_none_or(|(far, _)| reached > *far) {
            best = Some((reached, first));
        }
    }
    let Some((_, error)) = best else { return Outcome::NeedsFile("nothing".into()) };
    let label = error.labels.first();
    let line = label.and_then(|label| {
        let file = label.file.as_ref()?;
        let line = file.line_column(label.span.start).line as usize;
        file.text().lines().nth(line.checked_sub(1)?).map(|text| text.trim().to_string())
    });
    Outcome::Fails { code: error.code.slug.to_string(), message: error.message, line: line.unwrap_or_default() }
}

/// The message without its names and numbers, so that equal failures count together. Names of language functions stay.
fn shape_of(message: &str) -> String {
    let mut out = String::new();
    for (i, part) in message.split('`').enumerate() {
        if i % 2 == 0 {
            let plain: String = part.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
            out.push_str(&plain);
        } else if part.contains('.') || part.len() <= 2 || tk_check::supported_functions().contains(&part) {
            out.push_str(&format!("`{part}`"));
        } else {
            out.push_str("`…`");
        }
    }
    while out.contains("##") {
        out = out.replace("##", "#");
    }
    out
}
