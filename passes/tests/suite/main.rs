//! Tests of the passes on textual IR: blessed cases, the reference compiler's choices, and counts of what kernels keep.

mod cases;
mod coalesce_oracle;
mod masks_of_loops;
mod meaning;
mod overlap;
mod overlap_expressions;
mod overlap_machine;
mod reorder;

use tk_diag::SourceFile;
use tk_ir::{Context, Module, PrintOptions};
use tk_passes::{PassContext, Silent, Step, lookup, pipeline, run_pipeline};
use tk_types::{CompileOptions, Pairs, Residency};

/// Runs passes on text and gives the text after them; a diagnostic as its rendering.
fn run(name: &str, text: &str, passes: &str, target: &str, (num_warps, num_stages): (u32, u32)) -> String {
    let source = SourceFile::new(name, text);
    let context = Context::new();
    let result = Module::parse(&context, &source).and_then(|module| {
        let says = |setting: &str| text.lines().any(|line| line == setting);
        let grids = [
            ("// grid: few", Residency::AtMost(1)),
            ("// grid: eight", Residency::AtMost(8)),
            ("// grid: many", Residency::Many),
        ];
        let said = grids.into_iter().find(|(setting, _)| says(setting));
        let residency = said.map_or(Residency::Any, |(_, residency)| residency);
        let pairs = if says("// pairs: even") { Pairs::Even } else { Pairs::Unknown };
        let fp_fusion = !says("// fp_fusion: off");
        let options =
            CompileOptions { num_warps, num_stages, residency, pairs, fp_fusion, ..CompileOptions::default() };
        let target = tk_target::Target::parse(target).expect("a known target");
        let cx = PassContext { target, options, source: Some(source.clone()) };
        run_pipeline(&module, &steps(passes), &cx, &mut Silent)?;
        Ok(module.print(PrintOptions::default()))
    });
    result.unwrap_or_else(|error| tk_diag::render(&error, tk_diag::Style::Plain))
}

/// `tt`, `ttg` and `llvm` stand for the tables of the pipeline.
fn steps(passes: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for name in passes.split(',').map(str::trim) {
        match name {
            "tt" => steps.extend_from_slice(pipeline::TT),
            "ttg" => steps.extend_from_slice(pipeline::TTG),
            "llvm" => steps.extend_from_slice(pipeline::LLVM_PREPARATION),
            name => steps.push(lookup(name).unwrap_or_else(|| panic!("no pass `{name}`"))),
        }
    }
    steps
}

/// A folder beside this test.
fn folder(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// `tk opt --help` prints `ALL`, and readers take it for the order of the pipeline.
#[test]
fn all_passes_stand_in_the_order_in_which_the_pipeline_comes_to_them() {
    let steps = [pipeline::TT, pipeline::TTG, pipeline::LLVM_PREPARATION].concat();
    let mut met: Vec<&str> = Vec::new();
    for step in steps {
        if let Step::Tk(pass) = step
            && !met.contains(&pass.name)
        {
            met.push(pass.name);
        }
    }
    let listed: Vec<&str> =
        pipeline::ALL.iter().map(|pass| pass.name).filter(|name| !name.starts_with("test-")).collect();
    assert_eq!(met, listed);
}

#[test]
fn every_name_is_found_in_every_spelling() {
    for pass in pipeline::ALL {
        assert_eq!(lookup(pass.name).map(|step| step.name()), Some(pass.name));
        assert_eq!(lookup(&format!("tritongpu-{}", pass.name)).map(|step| step.name()), Some(pass.name));
    }
    assert_eq!(lookup("canonicalizer").map(|step| step.name()), Some("canonicalize"));
    assert_eq!(lookup("loop-invariant-code-motion").map(|step| step.name()), Some("loop-invariant-code-motion"));
    assert!(lookup("no-such-pass").is_none());
}
