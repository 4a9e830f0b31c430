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

/// What is on standard output and what is beside it.
fn json(command: &str) -> (serde_json::Value, String) {
    let args: Vec<String> = command.split_whitespace().map(str::to_string).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    std::env::set_current_dir(root()).expect("the workspace root is there");
    tk_cli::run(&args, &mut out, &mut err);
    let document = serde_json::from_slice(&out).unwrap_or_else(|error| panic!("{command}: {error}"));
    (document, String::from_utf8_lossy(&err).into_owned())
}

#[test]
fn json_is_one_document_and_what_programs_print_is_beside_it() {
    let (run, beside) = json("run tests/programs/untouched/main.py --device sim --json");
    assert_eq!(run["launches"].as_array().map(Vec::len), Some(5));
    assert!(beside.contains("as they are\n"), "{beside}");
    let (checked, beside) = json("check examples/vector_add.tk tests/programs/untouched/ops/scale.py --json");
    assert_eq!((checked["files"][0]["kernels"].as_u64(), checked["files"][1]["kernels"].as_u64()), (Some(1), Some(4)));
    assert!(beside.is_empty(), "{beside}");
    let (tested, _) = json("test examples/vector_add.tk --device sim --json");
    assert_eq!(
        (tested["failed"].as_u64(), tested["passed"].as_u64()),
        (Some(0), tested["tests"].as_array().map(|all| all.len() as u64))
    );
    let (failed, _) = json("run tests/programs/untouched/ops/tools.py --device sim --json");
    assert!(failed["error"]["message"].is_string(), "{failed}");
}
