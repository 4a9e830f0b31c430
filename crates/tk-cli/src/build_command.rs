//! `tk build FILE… -o DIR`: kernels ahead of time.

use crate::arguments::{AtRunTimeArg, BuildArgs};
use crate::failure::Failure;
use crate::show::diagnostic_json;
use crate::{Output, safety};
use tk_build::{KernelPlan, Plan, Settings};
use tk_image::AtRunTime;
use tk_target::Target;
use tk_types::CompileOptions;

pub(crate) fn build(args: &BuildArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    safety::check_codes(&args.allow)?;
    let mut plan = if args.signature.is_empty() { Plan::read(&args.files)? } else { one_kernel(args)? };
    if let Some(name) = &args.name {
        plan.name = name.clone();
    }
    if !args.target.is_empty() {
        plan.targets =
            args.target.iter().map(|name| Target::parse(name)).collect::<Result<_, _>>().map_err(Failure::usage)?;
    }
    match args.at_run_time {
        Some(AtRunTimeArg::Nothing) => plan.at_run_time = AtRunTime::Nothing,
        Some(AtRunTimeArg::DriverMayCompile) => plan.at_run_time = AtRunTime::DriverMayCompile,
        None => {}
    }
    let built = tk_build::compile(&plan, &Settings { cache: tk::open_cache(), jobs: args.jobs })?;
    safety::warn(&built.warnings, &args.allow, output)?;
    let paths = tk_build::write(&built.bundle, &args.output)?;
    if args.json {
        let entries = built.bundle.entries.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>();
        let found = serde_json::json!({
            "bundle": built.bundle.name,
            "kernels": entries,
            "targets": built.bundle.targets(),
            "compiled": built.compiled,
            "from_cache": built.reused,
            "files": paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
            "warnings": safety::heard(&built.warnings, &args.allow).map(diagnostic_json).collect::<Vec<_>>(),
        });
        writeln!(output.out, "{found}")?;
        return Ok(());
    }
    let (kernels, images) = (built.bundle.entries.len(), built.compiled + built.reused);
    writeln!(
        output.out,
        "{}: {kernels} {}, {images} compilations for {} ({} of them from the cache)",
        built.bundle.name,
        if kernels == 1 { "kernel" } else { "kernels" },
        built.bundle.targets().join(", "),
        built.reused
    )?;
    for path in paths {
        writeln!(output.out, "  {}", path.display())?;
    }
    Ok(())
}

/// The plan of the kernel that the command line describes.
fn one_kernel(args: &BuildArgs) -> Result<Plan, Failure> {
    let [file] = args.files.as_slice() else {
        return Err(Failure::usage("--signature describes one kernel; name the one file that it is in"));
    };
    let constants =
        args.constexpr.iter().map(|text| tk::read_constants("--constexpr", text)).collect::<tk::Result<Vec<_>>>()?;
    let options =
        CompileOptions { num_warps: args.num_warps, num_stages: args.num_stages, ..CompileOptions::default() };
    options.check().map_err(Failure::usage)?;
    let kernel = KernelPlan {
        file: file.clone(),
        kernel: args.kernel.clone(),
        name: None,
        signatures: args.signature.clone(),
        constants: constants.concat(),
        options,
        bounds: args.bound.clone(),
    };
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Ok(Plan {
        name: stem.unwrap_or_default(),
        targets: Vec::new(),
        at_run_time: AtRunTime::default(),
        tunings: Vec::new(),
        kernels: vec![kernel],
        files: vec![file.clone()],
    })
}
