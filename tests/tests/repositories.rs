//! Files as public repositories have them: a main of ten lines runs beside files whose top-level code asks for much that is not there.

use tk_tests::{Outcome, root, run_tk};

fn tk(command: &str, file: &str) -> Outcome {
    let path = root().join("tests/programs/untouched").join(file).display().to_string();
    run_tk(&command.replace("FILE", &path).split_whitespace().map(str::to_string).collect::<Vec<_>>())
}

#[test]
fn a_main_runs_beside_untouched_files() {
    let outcome = tk("run FILE --device sim", "main.py");
    assert_eq!(outcome.exit, 0, "{}", outcome.text);
    assert!(outcome.text.starts_with("as they are\n"), "{}", outcome.text);
    for kernel in ["scale_kernel", "add_kernel", "shift", "power_kernel"] {
        assert!(outcome.text.contains(&format!("\n{kernel}: grid")), "{}", outcome.text);
    }
}

#[test]
fn every_kernel_of_them_is_seen() {
    let outcome = tk("check FILE", "ops/scale.py");
    assert_eq!(outcome.exit, 0, "{}", outcome.text);
    assert!(outcome.text.contains("4 kernels, nothing to report"), "{}", outcome.text);
}
