//! Overlapping the iterations of a loop must not change what it computes, for any number of iterations and stages.
//!
//! Kernels run twice, before and after the pipeline, on an interpreter that knows scalars as numbers and tensors as hashes of the
//! expressions that made them. Shared memory is real: buffers hold what was written, copies and products of `wgmma` are only there when they
//! are waited for, the asynchronous proxy only sees what was fenced, and accesses of different threads need a barrier between them. Whatever
//! is used too early is a value that no kernel computes, or an error.

use crate::cases::{case_files, setting};
use crate::overlap_machine::Machine;
use crate::steps;
use tk_ir::{Context, Module};
use tk_passes::shorten_pipelines::{deepest, shorten_pipelines};
use tk_passes::{PassContext, Silent, run_pipeline};

/// Whether it is so with at most this many buffers in each ring, too; false where no ring has more.
fn check(name: &str, text: &str, stages: u32, target: &str, most: u32) -> bool {
    let source = tk_diag::SourceFile::new(name, text);
    let context = Context::new();
    let module = Module::parse(&context, &source).unwrap_or_else(|error| panic!("{name}: {error}"));
    let warps = setting(text, "warps").map_or(4, |warps| warps.parse().expect("a number"));
    let options = tk_types::CompileOptions { num_warps: warps, num_stages: stages, ..Default::default() };
    // Whether many stages fit is another question.
    let target = tk_target::Target::parse(target).expect("a known target").with_shared_bytes_per_cta(1 << 24);
    let cx = PassContext { target, options, source: None };
    let run = |passes: &str| {
        let mut steps = steps(passes);
        // These compute the same by other expressions, which programs show: sums in parts (`run/partial_sums.rs` of tk-codegen), and blocks without the
        // masks that change nothing of them (tests/programs/skipped_masks.tk).
        let others = [tk_passes::carry_partial_sums::PASS.name, tk_passes::skip_masks::PASS.name];
        steps.retain(|step| !others.contains(&step.name()));
        run_pipeline(&module, &steps, &cx, &mut Silent).unwrap_or_else(|error| panic!("{name}: {error}"));
    };
    run("tt");
    let varied = setting(text, "trips").and_then(|text| text.split_once(' ')).expect("which number varies");
    let varied = || (varied.0.to_string(), varied.1.parse().expect("a number"));
    let trips = 0..=7;
    let before: Vec<Vec<u64>> = trips.clone().map(|n| Machine::run(&module, n, varied(), false)).collect();
    assert!(before.windows(2).all(|pair| pair[0] != pair[1] && !pair[0].is_empty()), "{name}: the trips do not matter");
    run("ttg");
    let buffers = deepest(&module);
    shorten_pipelines(&module, most);
    let is_shortened = buffers.is_some_and(|buffers| buffers > most);
    assert!(!is_shortened || deepest(&module) < buffers, "{name}: still {buffers:?} buffers");
    module.verify().unwrap_or_else(|error| panic!("{name}: {error}"));
    run("llvm");
    for (n, before) in trips.zip(before) {
        // Shown when the test fails.
        println!("{name}: {n} iterations of {stages} stages for {target}:\n{}", module.print(Default::default()));
        let after = Machine::run(&module, n, varied(), true);
        assert_eq!(
            before, after,
            "{name}: {n} iterations of {stages} stages for {target} compute something else:\n{module:?}"
        );
    }
    is_shortened
}

/// The input of each case of the pipeliner.
fn pipelined_cases() -> Vec<(String, String)> {
    let is_own = |path: &std::path::PathBuf| path.parent().is_some_and(|folder| folder.ends_with("pipeline"));
    let read = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a readable case");
        let input = text.split("// ----- expect").next().unwrap_or_default();
        (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), input.to_string())
    };
    case_files().into_iter().filter(is_own).map(read).collect()
}

#[test]
fn overlapped_loops_compute_the_same() {
    let cases = pipelined_cases();
    for (name, input) in &cases {
        for target in ["sm_90a", "sm_80"] {
            for stages in 1..=5 {
                check(name, input, stages, target, u32::MAX);
            }
        }
    }
    assert!(cases.len() > 5);
}

/// Rings of text that overlaps its iterations already can have fewer buffers.
#[test]
fn overlapped_loops_with_fewer_buffers_compute_the_same() {
    let mut shortened = 0;
    for (name, input) in pipelined_cases() {
        for target in ["sm_90a", "sm_80"] {
            for (stages, most) in [(4, 2), (4, 3), (5, 2), (5, 3)] {
                shortened += usize::from(check(&name, &input, stages, target, most));
            }
        }
    }
    assert!(shortened >= 8, "only {shortened} were shortened");
}
