//! The policy of stages: how many a loop has where shared memory cannot hold those that were asked for.
//!
//! A pipelined loop keeps a buffer of every block that it loads for each of its stages. Where these do not fit, the kernel is compiled again
//! with the most stages that do, and a warning says so. Other compilers refuse such kernels, or keep a buffer less for some of them, so
//! programs ask for stages that only fit there. Text whose loops overlap already gets fewer buffers ([`shorten_pipelines`]).

use crate::back_end::{Job, Made, Start, back_end as back_end_once};
use crate::watch::Recorder;
use tk_diag::{Diagnostic, FEWER_STAGES, TOO_MUCH_SHARED_MEMORY};
use tk_ir::Module;
use tk_passes::allocate_shared_memory::stages_too_many;
use tk_passes::shorten_pipelines::{deepest, shorten_pipelines};
use tk_passes::{PassContext, Position, attributes};
use tk_types::{CompileOptions, Residency};

/// How many stages the loops of a compilation have at most.
#[derive(Debug)]
pub(crate) struct Stages {
    /// The limit; `None` is as many as loops ask for.
    most: Option<u32>,
    /// Those that the loop with the most of them has.
    deepest: u32,
    /// Loops have no more buffers than they ask for, whatever the grid: what a small one leaves room for did not fit.
    are_as_asked: bool,
}

impl Stages {
    /// Limits the stages of the launch's options and of loops that ask for their own.
    pub(crate) fn limit(&mut self, module: &Module<'_>, options: &mut CompileOptions) {
        if self.are_as_asked {
            options.residency = Residency::Any;
        }
        let most = self.most.unwrap_or(u32::MAX);
        options.num_stages = options.num_stages.min(most);
        self.deepest = options.num_stages;
        if let Some(buffers) = deepest(module) {
            shorten_pipelines(module, most);
            self.deepest = self.deepest.max(buffers.min(most));
        }
        for op in module.functions().into_iter().flat_map(|function| function.descendants()) {
            let Some(own) = op.int_attr(attributes::NUM_STAGES).and_then(|stages| u32::try_from(stages).ok()) else {
                continue;
            };
            if own > most {
                op.set_attr(attributes::NUM_STAGES, module.context().i32_attr(most as i32));
            }
            self.deepest = self.deepest.max(own.min(most));
        }
    }

    /// After an error: the limit becomes the number of stages with which the kernel would fit. Where no buffer less is enough, iterations do not
    /// overlap: then blocks need not be in shared memory at all.
    pub(crate) fn lower(&mut self, error: &Diagnostic, module: &Module<'_>, passes: &PassContext) {
        if error.code != TOO_MUCH_SHARED_MEMORY {
            return;
        }
        let fewer = stages_too_many(module, passes).ok().flatten();
        let stages = fewer.and_then(|fewer| self.deepest.checked_sub(fewer)).filter(|stages| *stages > 0);
        self.most = Some(stages.unwrap_or(1));
    }
}

/// The back end, with as many stages as fit.
///
/// # Errors
/// Those of the back end. Where no number of stages fits, the error is that of the number that was asked for.
pub(crate) fn back_end(job: &Job<'_>, recorder: &mut Recorder<'_>) -> tk_diag::Result<Made> {
    let mut stages = Stages { most: None, deepest: 0, are_as_asked: false };
    let mut first = match back_end_once(job, &mut stages, recorder) {
        Ok(made) => return Ok(made),
        Err(error) => error,
    };
    // Copies go further ahead than stages say where the grid brings few CTAs.
    if first.code == TOO_MUCH_SHARED_MEMORY && job.options.residency.at_most().is_some() {
        stages = Stages { most: None, deepest: 0, are_as_asked: true };
        first = match back_end_once(job, &mut stages, recorder) {
            Ok(made) => return Ok(made),
            Err(error) => error,
        };
    }
    let asked = stages.deepest;
    let mut tried = asked;
    while let Some(most) = stages.most.filter(|most| *most < tried) {
        tried = most;
        match back_end_once(job, &mut stages, recorder) {
            Ok(made) => return Ok(Made { warning: Some(fewer_stages(*first, most, job)), ..made }),
            Err(error) if error.code == TOO_MUCH_SHARED_MEMORY => {}
            Err(error) => return Err(error),
        }
    }
    Err(first)
}

/// The error as a warning, now that fewer stages were taken.
fn fewer_stages(error: Diagnostic, stages: u32, job: &Job<'_>) -> Diagnostic {
    let message = format!("the loops have {stages} stages, since with more of them {}", error.message);
    let warning = Diagnostic { labels: error.labels, notes: error.notes, ..Diagnostic::warning(FEWER_STAGES, message) };
    // The loops of ttg IR may overlap already, and then no option says how much.
    let is_overlapped = matches!(job.start, Start::Text(_, position) if position > Position::TT);
    let same = if is_overlapped { String::new() } else { format!("num_stages={stages} says the same; ") };
    warning.help(format!("{same}smaller blocks leave room for more"))
}
