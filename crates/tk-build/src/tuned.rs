//! Configurations that autotuning chose: each becomes a kernel of the plan, and the bundle says which one is for which key and GPU.

use crate::plan::{KernelPlan, Plan, read};
use std::path::Path;
use tk_diag::{Diagnostic, Result, USAGE};
use tk_grammar::functions::own_name;
use tk_image::BundledTuning;
use tk_launch::TuneReport;
use tk_types::NamedConstant;

/// The names and values of a configuration.
type Settings = [(String, String)];

/// Adds a kernel with every configuration that a file of results has for it; each name gets a number.
///
/// # Errors
/// A file that cannot be read or has no result for the kernel, and configurations that the kernel does not have.
pub(crate) fn add(plan: &mut Plan, kernel: &KernelPlan, file: &Path) -> Result<()> {
    let wrong = |message: String| {
        let help = "`tk tune FILE --out RESULTS.json` writes results";
        Diagnostic::error(USAGE, format!("{}: {message}", file.display())).help(help).boxed()
    };
    let Some(function) = &kernel.kernel else {
        return Err(wrong("a `[[kernel]]` with `tuned` needs `kernel = \"…\"`".into()));
    };
    let called = kernel.name.as_deref().unwrap_or_else(|| own_name(function));
    let reports = tk::read_tunings(&file.display().to_string(), read(file)?.text())?;
    let mut known: Vec<&Settings> = Vec::new();
    for report in reports.iter().filter(|report| report.kernel == *function) {
        let Some((trial, _)) = report.chosen() else { continue };
        let number = match known.iter().position(|settings| *settings == trial.settings) {
            Some(number) => number,
            None => {
                known.push(&trial.settings);
                let configured = configured(kernel, &trial.settings).map_err(&wrong)?;
                plan.kernels.push(KernelPlan { name: Some(entry_name(called, known.len() - 1)), ..configured });
                known.len() - 1
            }
        };
        plan.tunings.push(BundledTuning {
            kernel: called.to_string(),
            key: report.key.clone(),
            gpu: gpu_of(report).to_string(),
            entry: entry_name(called, number),
        });
    }
    if known.is_empty() {
        return Err(wrong(format!("it has no result for `{function}`")));
    }
    plan.files.push(file.to_path_buf());
    Ok(())
}

fn entry_name(called: &str, number: usize) -> String {
    format!("{called}_{number}")
}

/// The name of the GPU, without the target behind it: `NVIDIA H200 (sm_90a)`.
fn gpu_of(report: &TuneReport) -> &str {
    report.device.rsplit_once(" (").map_or(report.device.as_str(), |(name, _)| name)
}

/// The kernel with a configuration.
fn configured(kernel: &KernelPlan, settings: &Settings) -> Result<KernelPlan, String> {
    let mut kernel = kernel.clone();
    for (name, value) in settings {
        let number = || value.parse::<u32>().map_err(|_| format!("`{name} = {value}` is no number of a configuration"));
        match name.as_str() {
            "num_warps" => kernel.options.num_warps = number()?,
            "num_stages" => kernel.options.num_stages = number()?,
            "num_ctas" => kernel.options.num_ctas = number()?,
            "maxnreg" if value == "None" => kernel.options.maxnreg = None,
            "maxnreg" => kernel.options.maxnreg = Some(number()?),
            _ => {
                let constant = tk::read_constant(value).map_err(|error| error.message)?;
                kernel.constants.retain(|known| known.name != *name);
                kernel.constants.push(NamedConstant::new(name.clone(), constant));
            }
        }
    }
    kernel.options.check()?;
    Ok(kernel)
}
