//! The command line of tk as a library, so that tests run it inside their own process.
//!
//! Exit codes: 0 done, 1 the input is wrong (with a located message), 2 tk is wrong (with a reproducer).

pub mod arguments;
mod build_command;
mod cache_command;
mod capacity;
mod check_command;
mod compile_command;
mod doctor_command;
mod explain;
mod failure;
mod files;
mod form_command;
mod host_command;
mod json;
mod layout_command;
mod lsp_command;
mod opt_command;
mod rehearsal;
mod safety;
mod show;
mod sim_command;
mod tune_command;

use arguments::{Arguments, Command};
use clap::Parser;
use failure::Failure;
use json::Document;
pub use rehearsal::{REHEARSAL, rehearse_with};
use std::io::Write;

/// Stack of the thread that does the work. Nesting in the input is bounded, so this is never used up.
const STACK_BYTES: usize = 512 << 20;

/// Where a command writes: results to `out`, messages to `err`.
pub(crate) struct Output<'w> {
    pub(crate) out: &'w mut (dyn Write + Send),
    pub(crate) err: &'w mut (dyn Write + Send),
    pub(crate) style: tk_diag::Style,
    /// `out` is for one document that programs read.
    pub(crate) has_document: bool,
}

impl Output<'_> {
    /// Where goes what a program prints, and what is told of it for people.
    pub(crate) fn program(&mut self) -> &mut (dyn Write + Send) {
        if self.has_document { &mut *self.err } else { &mut *self.out }
    }
}

/// Runs `tk` with these arguments (without the program's name), in plain text. Returns the exit code.
pub fn run(args: &[String], out: &mut (dyn Write + Send), err: &mut (dyn Write + Send)) -> i32 {
    run_styled(args, out, err, tk_diag::Style::Plain)
}

/// Like [`run`], with a choice of colors.
pub fn run_styled(
    args: &[String],
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
    style: tk_diag::Style,
) -> i32 {
    let mut document = Document::new(out);
    let mut output = Output { out: &mut document, err, style, has_document: false };
    let arguments = match Arguments::try_parse_from(std::iter::once("tk".to_string()).chain(args.iter().cloned())) {
        Ok(arguments) => arguments,
        Err(error) => return failure::report_usage(&error, &mut output),
    };
    output.has_document = arguments.command.has_json();
    let worker = |output: &mut Output<'_>| {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| dispatch(&arguments.command, output)));
        let failure = match result {
            Ok(Ok(())) => return Ended { code: 0, document: None },
            Ok(Err(failure)) => failure,
            Err(panic) => Failure::from_panic(&*panic),
        };
        let document = output.has_document.then(|| json::of_failure(&failure));
        Ended { code: failure.report(args, output), document }
    };
    let lost = Ended { code: 2, document: None };
    let ended = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("tk".into()).stack_size(STACK_BYTES);
        match thread.spawn_scoped(scope, || worker(&mut output)) {
            Ok(handle) => handle.join().unwrap_or(lost),
            Err(_) => lost,
        }
    });
    if let Some(errors) = ended.document.filter(|_| !document.is_begun) {
        // A closed pipe is not worth a message.
        let _ = writeln!(document, "{errors}");
    }
    ended.code
}

/// How a command ended.
struct Ended {
    /// The exit code.
    code: i32,
    /// What a reader of documents is told of a failure, if there is no other document.
    document: Option<serde_json::Value>,
}

/// Every diagnostic code with its explanation, as `tk explain-error` shows it.
pub fn explanations() -> impl Iterator<Item = (&'static str, &'static str)> {
    tk_diag::all_codes().iter().map(|code| (code.slug, code.explanation))
}

fn dispatch(command: &Command, output: &mut Output<'_>) -> Result<(), Failure> {
    match command {
        Command::Run(args) => host_command::run(args, output),
        Command::Test(args) => host_command::test(args, output),
        Command::Bench(args) => host_command::bench(args, output),
        Command::Build(args) => build_command::build(args, output),
        Command::Tune(args) => tune_command::tune(args, output),
        Command::Cache(args) => cache_command::cache(args, output),
        Command::Check(args) => check_command::check(args, output),
        Command::Compile(args) => compile_command::compile(args, output),
        Command::Explain(args) => explain::explain(args, output),
        Command::Opt(args) => opt_command::optimize(args, output),
        Command::Layout(args) => layout_command::draw(args, output),
        Command::Sim(args) => sim_command::simulate(args, output),
        Command::Lsp(args) => lsp_command::serve(args),
        Command::Doctor(args) => doctor_command::report(args, output),
        Command::ExplainError(args) => failure::explain(args, output),
    }
}
