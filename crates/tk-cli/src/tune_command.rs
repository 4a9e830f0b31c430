//! `tk tune`: runs a program, tries the configurations of its autotuned kernels, and says which are best: a table, JSON, a plot, and a file
//! that can go with the program.

mod plot;
mod shares;

use crate::Output;
use crate::arguments::{ShowArgs, TuneArgs};
use crate::failure::Failure;
use crate::{files, host_command};
use shares::Plan;
use std::path::Path;
use tk::{Session, SessionWatcher, TuneReport};

pub(crate) fn tune(args: &TuneArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let definitions = host_command::definitions(&args.define)?;
    let show = ShowArgs::default();
    let (program, mut session) = host_command::open(&args.file, &args.imports, args.device, &show, &args.safety)?;
    session.count_configurations();
    let is_simulator = session.device().is_simulator();
    let own_share = shares::own();
    output.has_document |= own_share.is_some();
    let reports = match shares::plan(is_simulator, args.processes.map(|count| count as usize)) {
        Plan::Shared(processes) => {
            drop(session);
            processes.run(output)?
        }
        Plan::Here => {
            if let Some(share) = own_share {
                session.tune_share(share);
            }
            let printed = output.program();
            let result = program.run_main(&definitions, &mut session, &mut *printed);
            printed.flush()?;
            let reports = session.take_tunings();
            host_command::messages(&mut session, &args.safety, output)?;
            result?;
            reports
        }
    };
    if own_share.is_some() {
        write!(output.out, "{}", tk::write_tunings(&reports))?;
        return Ok(());
    }
    if reports.is_empty() {
        let message = format!("main() of {} launches no kernel with several configurations", args.file.display());
        return Err(Failure::usage(message));
    }
    if args.json {
        write!(output.out, "{}", tk::write_tunings(&reports))?;
    } else {
        for report in &reports {
            writeln!(output.out, "{report}")?;
        }
    }
    if is_simulator && !args.json {
        writeln!(output.out, "the simulator ranks by what it counts; tune on the GPU that the program is for")?;
    }
    if let Some(path) = &args.out {
        files::write(path, tk::write_tunings(&reports).as_bytes())?;
    }
    if let Some(path) = &args.plot {
        files::write(path, plot::svg(&reports).as_bytes())?;
    }
    Ok(())
}

/// Gives a session the results of a file that `--out` wrote.
pub(crate) fn use_tunings<W: SessionWatcher>(path: Option<&Path>, session: &mut Session<W>) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let reports: Vec<TuneReport> = tk::read_tunings(&path.display().to_string(), files::read(path)?.text())?;
    session.use_tunings(reports);
    Ok(())
}
