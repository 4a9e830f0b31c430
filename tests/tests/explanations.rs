//! The examples in the explanations of diagnostic codes do what they say.
//!
//! A fence in `crates/tk-diag/src/explanations/CODE.md` says what its text is: `python wrong` is reported with the code by
//! `tk check`, `python right` is not reported at all, `python runs` fails with the code on the simulator, `python sanitized` does
//! under `--sanitize overflow`, `python warns` warns with it, and `python portable` is reported with
//! it by `tk check --portable`. Other fences are shown only.

use tk_tests::{root, run_tk};

const HEADER: &str = "import triton\nimport triton.language as tl\n\n\n";

/// The examples of an explanation: what the fence says, and the text in it.
fn examples(explanation: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut open: Option<(&str, String)> = None;
    for line in explanation.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(word), None) => open = Some((word, String::new())),
            (Some(_), Some(_)) => found.extend(open.take()),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

#[test]
fn every_example_of_an_explanation_does_what_it_says() {
    let folder = root().join("target").join("explanations");
    std::fs::create_dir_all(&folder).expect("target/ can be written");
    let mut failures = Vec::new();
    let mut count = 0;
    for (slug, explanation) in tk_cli::explanations() {
        for (index, (kind, text)) in examples(explanation).into_iter().enumerate() {
            let path = folder.join(format!("{slug}-{index}.tk"));
            std::fs::write(&path, format!("{HEADER}{text}")).expect("an example can be written");
            let file = path.display().to_string();
            let run = |args: &[&str]| {
                let args: Vec<String> = args.iter().map(|arg| arg.replace("$FILE", &file)).collect();
                run_tk(&args)
            };
            let simulated = ["run", "$FILE", "--device", "sim"];
            let (outcome, wanted) = match kind {
                "python wrong" => (run(&["check", "$FILE"]), Some(slug)),
                "python right" => (run(&["check", "$FILE", "--deny-warnings"]), None),
                "python portable" => (run(&["check", "$FILE", "--portable"]), Some(slug)),
                "python runs" => (run(&simulated), Some(slug)),
                "python sanitized" => (run(&[&simulated[..], &["--sanitize", "overflow"]].concat()), Some(slug)),
                "python warns" => (run(&simulated), Some(slug)),
                _ => continue,
            };
            count += 1;
            let told = wanted.map(|slug| outcome.text.contains(&format!("[{slug}]")));
            if told == Some(false) || told.is_none() && outcome.exit != 0 {
                failures.push(format!("{slug}, example {index} ({kind}):\n{}", outcome.text));
            }
        }
    }
    assert!(count > 40, "only {count} examples were run");
    assert!(failures.is_empty(), "{} of {count} failed\n{}", failures.len(), failures.join("\n"));
}
