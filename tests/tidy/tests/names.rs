//! Documentation quotes names of the code: functions, attributes, passes, options, PTX instructions. Each of them is in some file that
//! is no documentation, so that a name that was changed is changed on the pages, too.

use std::collections::BTreeSet;
use tk_tidy::{files_that_end_with, quoted_names, repository_paths, root};

/// Names that pages quote and that the code does not have: of other programs, of examples, and of what a recipe's trial added and
/// removed.
const OTHERS: &[(&str, &[&str])] = &[
    ("CONTRIBUTING.md", &["CRATE"]),
    ("crates/tk-diag/src/explanations/unknown-import.md", &["my_ops"]),
    ("crates/tk-sim/tests/data/README.md", &["f16a16"]),
    ("docs/decisions/0001-llvm-ir-directly.md", &["llvm-dialect", "IRBuilder"]),
    ("docs/decisions/0007-copies-without-a-proxy-fence.md", &["sm90_mma_multistage_gmma_ss"]),
    ("docs/decisions/0013-passes-left-out-per-module.md", &["opt-disable"]),
    ("docs/language.md", &["SHARPNESS"]),
    ("docs/measurements.md", &["PREFER_SHARED", "libTreeLauncherTargetInjection"]),
    ("docs/recipes.md", &["sm_121"]),
];

/// Endings of files that are no text.
const NO_TEXT: &[&str] = &["png", "svg"];

#[test]
fn documentation_quotes_names_that_the_code_has() {
    let ending = |path: &String| path.rsplit('.').next().unwrap_or_default().to_string();
    let is_code = |path: &String| !NO_TEXT.contains(&ending(path).as_str()) && ending(path) != "md";
    let mut known: BTreeSet<String> = BTreeSet::new();
    // This file would make every name in its list a known one.
    for path in repository_paths().into_iter().filter(is_code).filter(|path| path != "tests/tidy/tests/names.rs") {
        known.extend(quoted_names(&format!("`{path}`")).into_iter().map(str::to_string));
        let text = std::fs::read_to_string(root().join(&path)).unwrap_or_default();
        known.extend(tk_tidy::names(&text).map(str::to_string));
    }
    let mut pages = files_that_end_with(".md");
    // What has changed may be about names that are gone.
    pages.retain(|page| page.path != "CHANGELOG.md");
    let mut problems = Vec::new();
    let mut wrong = BTreeSet::new();
    for page in &pages {
        for name in quoted_names(&page.text) {
            // An option of the command line is a field with another spelling.
            if !known.contains(name) && !known.contains(&name.replace('-', "_")) {
                wrong.insert((page.path.as_str(), name));
            }
        }
    }
    for (page, name) in &wrong {
        if !OTHERS.iter().any(|(known, names)| known == page && names.contains(name)) {
            problems.push(format!("{page} quotes `{name}`, which is in no other file"));
        }
    }
    for (page, names) in OTHERS {
        let gone = names.iter().filter(|name| !wrong.contains(&(*page, **name)));
        problems
            .extend(gone.map(|name| format!("{page} does not quote `{name}`, or the code has it: OTHERS is too long")));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
