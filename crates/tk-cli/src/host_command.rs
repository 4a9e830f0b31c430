//! `tk run`, `tk test`, `tk bench`: the host functions of a `.tk` file.

use crate::arguments::{BenchArgs, DeviceArg, ImportArgs, RunArgs, SafetyArgs, ShowArgs, TestArgs};
use crate::failure::Failure;
use crate::show::Show;
use crate::{Output, files};
use std::path::Path;
use std::time::Instant;
use tk::{DeviceChoice, Session, SessionWatcher};
use tk_diag::{Diagnostic, Severity, SourceFile, render};
use tk_grammar::literal::{Assignment, read_assignment};
use tk_host::{Arrays, HostArray, HostProgram, TestOutcome};
use tk_npy::NpyArray;
use tk_types::CompileOptions;

/// Bytes of a file that a program is given, at most.
const MOST_LOADED: u64 = 16 << 30;
/// Kernels whose memory report is printed in full by `tk run` without being asked for.
const SHOWN_KERNELS: usize = 4;

impl SessionWatcher for Show {
    fn begin(&mut self, kernel: &str) {
        self.enter(kernel);
    }

    fn is_looking(&self) -> bool {
        self.is_wanted()
    }
}

/// `tk run`.
pub(crate) fn run(args: &RunArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let definitions = definitions(&args.define)?;
    let arrays = Arrays { given: loaded(&args.load)?, wanted: args.save.len() };
    let (program, mut session) = open(&args.file, &args.imports, args.device, &args.show, &args.safety)?;
    crate::tune_command::use_tunings(args.tuned.as_deref(), &mut session)?;
    if let Some(path) = &args.bundle {
        session.use_bundle(std::sync::Arc::new(files::read_bundle(path)?));
    }
    if let Some(caches) = &args.l2 {
        session.device().set_sim_caches(caches.clone());
    }
    let names = crate::form_command::overrides(&args.overrides, &mut session)?;
    let start = Instant::now();
    let printed = output.program();
    let result = program.run_main_with(&definitions, &arrays, &mut session, &mut *printed);
    printed.flush()?;
    messages(&mut session, &args.safety, output)?;
    let records = session.take_records();
    if args.show.json {
        let rows: Vec<_> = records.iter().map(crate::show::record_json).collect();
        let mut document = serde_json::json!({ "launches": rows, "seconds": start.elapsed().as_secs_f64() });
        if let Err(error) = &result {
            document["error"] = crate::show::diagnostic_json(error);
        }
        writeln!(output.out, "{document}")?;
    }
    for (path, array) in args.save.iter().zip(result?) {
        let shape: Vec<u64> = array.shape.iter().map(|size| *size as u64).collect();
        tk_npy::write(path, array.ty, &shape, &array.bytes)?;
    }
    crate::form_command::check_overridden(&names, &records)?;
    if args.show.json {
        return Ok(());
    }
    report(&records, args.memory_report, output)?;
    if let Some(folder) = &args.show.dump_dir {
        writeln!(output.out, "IR after every pass: {}/", folder.display())?;
    }
    Ok(())
}

/// One line per kernel and signature, and the memory report of its first launch, which `all` says in full.
fn report(records: &[tk::LaunchRecord], all: bool, output: &mut Output<'_>) -> Result<(), Failure> {
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for record in records {
        let name = (record.kernel.as_str(), record.signature.as_str());
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        if seen.len() > SHOWN_KERNELS && !all {
            continue;
        }
        writeln!(output.out, "{}", record.resource_line())?;
        if let Some(simulation) = &record.report.simulation {
            write!(output.out, "{}", simulation.memory)?;
            if all {
                write!(output.out, "{}", simulation.memory.work)?;
            }
        }
        write!(output.out, "{}", record.why())?;
    }
    if seen.len() > SHOWN_KERNELS && !all {
        writeln!(output.out, "… and {} more kernels; --memory-report shows them", seen.len() - SHOWN_KERNELS)?;
    }
    Ok(())
}

/// `tk test`.
pub(crate) fn test(args: &TestArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let mut failure = None;
    let mut rows = Vec::new();
    for file in &args.files {
        let (program, mut session) = open(file, &args.imports, args.device, &args.show, &args.safety)?;
        for name in program.tests().iter().filter(|name| wanted(name, args)) {
            let start = Instant::now();
            let mut printed = Vec::new();
            let result = program.run_test(name, &mut session, &mut printed);
            messages(&mut session, &args.safety, output)?;
            session.take_records();
            let seconds = start.elapsed().as_secs_f64();
            let verdict = match &result {
                Ok(TestOutcome::Passed) => "ok",
                Ok(TestOutcome::Skipped) => "skipped",
                Err(_) => "FAILED",
            };
            if args.show.json {
                rows.push(serde_json::json!({ "file": file.display().to_string(), "test": name, "result": verdict, "seconds": seconds }));
            } else {
                writeln!(output.out, "{} {name}: {verdict} ({seconds:.2} s)", file.display())?;
            }
            match result {
                Ok(TestOutcome::Passed) => passed += 1,
                Ok(TestOutcome::Skipped) => skipped += 1,
                Err(error) => {
                    failed += 1;
                    let style = output.style;
                    let shown = output.program();
                    shown.write_all(&printed)?;
                    write!(shown, "{}", render(&error, style))?;
                    keep_worst(&mut failure, *error);
                }
            }
        }
    }
    if args.show.json {
        let counts = serde_json::json!({ "tests": rows, "passed": passed, "failed": failed, "skipped": skipped });
        writeln!(output.out, "{counts}")?;
    } else {
        writeln!(output.out, "{passed} passed, {failed} failed, {skipped} skipped")?;
    }
    if passed + failed + skipped == 0 {
        return Err(Failure::usage("no test_* function was found"));
    }
    match failure {
        None => Ok(()),
        // What failed was told beside its test; a bug is told with its reproducer.
        Some(error) if error.severity == Severity::Bug => Err(Failure(vec![error])),
        Some(_) => Err(Failure(Vec::new())),
    }
}

/// A bug of tk outweighs a failed test, for the exit code.
fn keep_worst(kept: &mut Option<Diagnostic>, error: Diagnostic) {
    let is_bug = error.severity == Severity::Bug;
    match kept {
        None => *kept = Some(error),
        Some(before) if is_bug && before.severity != Severity::Bug => *kept = Some(error),
        Some(_) => {}
    }
}

/// `tk bench`.
pub(crate) fn bench(args: &BenchArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let (requested, args) = (args.requests, &args.files);
    let mut rows = Vec::new();
    for file in &args.files {
        let (program, mut session) = open(file, &args.imports, args.device, &args.show, &args.safety)?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if requested {
            serve(&program, &mut session, &stem, output)?;
            continue;
        }
        for name in program.benches().iter().filter(|name| wanted(name, args)) {
            let outcome = program.run_bench(name, &mut session, output.program());
            messages(&mut session, &args.safety, output)?;
            if let (Err(error), true) = (&outcome, args.show.json) {
                let error = crate::show::diagnostic_json(error);
                writeln!(output.out, "{}", serde_json::json!({ "benchmarks": rows, "error": error }))?;
            }
            let outcome = outcome?;
            if args.show.json {
                let tables: Vec<String> = outcome.tables.iter().map(|table| table.to_text()).collect();
                rows.push(serde_json::json!({ "file": stem, "function": name, "result": result(&outcome.figures), "tables": tables }));
                continue;
            } else if !outcome.figures.is_empty() {
                let figures: Vec<String> = outcome.figures.iter().map(|figure| format!("{figure:.1}")).collect();
                writeln!(output.out, "{stem} {name}: {}", figures.join(" "))?;
            }
            for table in &outcome.tables {
                write!(output.out, "{}", table.to_text())?;
            }
        }
        if session.device().is_simulator() && !args.show.json {
            writeln!(output.err, "these are times of the simulation; they say nothing about a GPU")?;
        }
    }
    if args.show.json && !requested {
        writeln!(output.out, "{}", serde_json::json!({ "benchmarks": rows }))?;
    }
    Ok(())
}

/// One figure as a number, several as a list.
fn result(figures: &[f64]) -> serde_json::Value {
    match figures {
        [] => serde_json::Value::Null,
        [figure] => serde_json::json!(figure),
        figures => serde_json::json!(figures),
    }
}

/// Answers the requests of standard input, one line of JSON for each line `FUNCTION [NAME=VALUE…]`, until it ends.
/// The device and its kernels stay between requests, so that a script can run several programs by turns on one GPU.
fn serve(
    program: &HostProgram,
    session: &mut Session<Show>,
    stem: &str,
    output: &mut Output<'_>,
) -> Result<(), Failure> {
    for line in std::io::stdin().lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else { continue };
        let arguments = words.map(|word| definition("the request", word)).collect::<Result<Vec<_>, _>>()?;
        let outcome = program.run_bench_with(name, &arguments, session, &mut std::io::sink());
        let warnings: Vec<String> = session.take_warnings().iter().map(|warning| warning.message.clone()).collect();
        let tuned: Vec<String> = session.take_tunings().iter().map(ToString::to_string).collect();
        let mut row = serde_json::json!({ "file": stem, "function": name, "warnings": warnings, "tuned": tuned });
        match outcome {
            Ok(outcome) => row["result"] = result(&outcome.figures),
            Err(error) => row["error"] = render(&error, output.style).into(),
        }
        row["kernels"] = session.take_records().iter().map(crate::show::record_json).collect();
        writeln!(output.out, "{row}")?;
        output.out.flush()?;
    }
    Ok(())
}

fn wanted(name: &str, args: &TestArgs) -> bool {
    args.filter.as_ref().is_none_or(|filter| name.contains(filter.as_str()))
}

pub(crate) fn open(
    file: &Path,
    imports: &ImportArgs,
    device: DeviceArg,
    show: &ShowArgs,
    safety: &SafetyArgs,
) -> Result<(HostProgram, Session<Show>), Failure> {
    crate::safety::check_codes(&safety.allow)?;
    let module = files::parse(file, imports, tk::Roots::All)?;
    let choice = match device {
        DeviceArg::Auto => DeviceChoice::Auto,
        DeviceArg::Cuda => DeviceChoice::Cuda,
        DeviceArg::Sim => DeviceChoice::Sim,
    };
    let session = Session::open(choice, Show::new(show)?, &module.file)?;
    let options = crate::safety::options(safety, CompileOptions::default());
    Ok((HostProgram::new(module).with_options(options), session))
}

/// Prints what compilations left to say.
pub(crate) fn messages(
    session: &mut Session<Show>,
    safety: &SafetyArgs,
    output: &mut Output<'_>,
) -> Result<(), Failure> {
    for line in session.take_printed() {
        writeln!(output.program(), "{line}")?;
    }
    crate::safety::warn(&session.take_warnings(), &safety.allow, output)?;
    let tunings = session.take_tunings();
    if session.watcher.wants_tunings() {
        for tuning in &tunings {
            write!(output.program(), "{tuning}")?;
        }
    }
    let show = &mut session.watcher;
    write!(output.err, "{}{}", show.printed, show.time_table())?;
    show.printed.clear();
    show.times.clear();
    Ok(())
}

/// The arrays of the `--load` options.
fn loaded(texts: &[String]) -> Result<Vec<(String, HostArray)>, Failure> {
    let array = |text: &String| {
        let parts = text.split_once('=').filter(|(name, file)| !name.is_empty() && !file.is_empty());
        let Some((name, file)) = parts else {
            return Err(Failure::usage(format!("--load {text}: write NAME=FILE.npy, such as x=x.npy")));
        };
        let NpyArray { ty, shape, bytes } = tk_npy::read(Path::new(file), MOST_LOADED)?;
        let shape = shape.into_iter().map(|size| size as usize).collect();
        Ok((name.to_string(), HostArray { ty, shape, bytes }))
    };
    texts.iter().map(array).collect()
}

/// The `-D` options.
pub(crate) fn definitions(texts: &[String]) -> Result<Vec<Assignment>, Failure> {
    texts.iter().map(|text| definition("-D", text)).collect()
}

/// `n=4096`, given to an option or in a request.
fn definition(source: &str, text: &str) -> Result<Assignment, Failure> {
    Ok(read_assignment(&SourceFile::new(source, text))?)
}
