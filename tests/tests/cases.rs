//! Runs the generated cases on the simulator.

use tk_cases::write;
use tk_tests::{failures_of_files, run_tk};

#[test]
fn the_whole_language_agrees_with_its_references() {
    let folder = std::env::temp_dir().join(format!("tk-cases-{}", std::process::id()));
    let written = write(&folder).unwrap_or_else(|error| panic!("{error}"));
    let cases: usize = written.iter().map(|file| file.cases).sum();
    let files: Vec<String> = written.iter().map(|file| file.path.display().to_string()).collect();
    let failures = failures_of_files(&files);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(cases >= 3000, "only {cases} cases were generated");
    std::fs::remove_dir_all(&folder).expect("the folder is still there");
}

#[test]
fn operands_without_a_common_type_are_refused() {
    let kernels = tk_cases::refusals().unwrap_or_else(|error| panic!("{error}"));
    assert!(kernels.len() > 500, "only {} refusals", kernels.len());
    let path = std::env::temp_dir().join(format!("tk-refusal-{}.tk", std::process::id()));
    let mut accepted = Vec::new();
    for (name, kernel) in kernels {
        std::fs::write(&path, &kernel).expect("the temporary folder can be written");
        let file = path.display().to_string();
        let outcome = run_tk(&["compile".into(), file, "--kernel".into(), "k".into(), "--signature=*i8".into()]);
        if outcome.exit != 1 || !outcome.text.starts_with("error[") {
            accepted.push(format!("{name}: {}", outcome.text.lines().next().unwrap_or_default()));
        }
    }
    std::fs::remove_file(&path).expect("the kernel is still there");
    assert!(accepted.is_empty(), "{} are not refused\n{}", accepted.len(), accepted.join("\n"));
}

/// The first programs of the generator that `make fuzz` runs for longer (`tk-fuzz --target programs`).
#[test]
fn random_programs_compute_what_an_interpreter_says() {
    let path = std::env::temp_dir().join(format!("tk-program-{}.tk", std::process::id()));
    for turn in 0..40 {
        let program = tk_cases::programs::program(&mut tk_cases::draw::seeded(&format!("program {turn}")));
        std::fs::write(&path, &program).expect("the temporary folder can be written");
        let outcome = run_tk(&["test".into(), path.display().to_string(), "--device".into(), "sim".into()]);
        assert_eq!(outcome.exit, 0, "program {turn}:\n{program}\n{}", outcome.text);
    }
    std::fs::remove_file(&path).expect("the program is still there");
}
