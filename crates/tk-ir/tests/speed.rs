//! A context, a dump and the upstream passes fit into the time a cold compilation has.

use std::time::{Duration, Instant};
use tk_diag::SourceFile;
use tk_ir::{Context, Module};

/// The best of a few tries, so that a busy machine does not fail the test.
fn best(mut run: impl FnMut()) -> Duration {
    let once = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..5).map(|_| once(&mut run)).min().unwrap_or_default()
}

#[test]
fn contexts_and_parsing_are_quick() {
    let text = include_str!("data/triton-3.6/matmul_kernel.ttgir");
    let source = SourceFile::new("matmul.ttgir", text);
    let context_time = best(|| drop(Context::new()));
    let context = Context::new();
    let parse_time = best(|| drop(Module::parse(&context, &source).unwrap()));
    let module = Module::parse(&context, &source).unwrap();
    let print_time = best(|| drop(module.print(Default::default())));
    let verify_time = best(|| module.verify().unwrap());
    let pass_time = best(|| module.clone_module().run_mlir_passes("canonicalize,cse").unwrap());
    let times = [context_time, parse_time, print_time, verify_time, pass_time];
    println!("context, parse, print, verify, canonicalize and cse: {times:?}");
    assert!(context_time < Duration::from_millis(30), "{times:?}");
    assert!(times[1..].iter().all(|time| *time < Duration::from_millis(30)), "{times:?}");
}
