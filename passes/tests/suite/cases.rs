//! Blessed cases: `cases/<pass>/<name>.mlir` holds `// passes: …`, perhaps `// warps: n`, `// stages: n`, `// target: sm_80`, `// grid: few`,
//! `// grid: eight` or `// grid: many`, `// pairs: even` and `// fp_fusion: off`, perhaps
//! `// counts: ttg.convert_layout 0, …` (how often words occur in the result), the input, a line `// ----- expect`, and what comes out. `TK_BLESS=1` rewrites what is below that line; the diff is the review.

use crate::{folder, run};
use std::fs;
use std::path::{Path, PathBuf};

const SEPARATOR: &str = "// ----- expect\n";

pub(crate) fn case_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder("cases")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of cases").flatten() {
            if entry.path().is_dir() { folders.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files.sort();
    files
}

pub(crate) fn setting<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(name)?.strip_prefix(": ")).map(str::trim)
}

fn outcome(path: &Path, input: &str) -> String {
    let passes = setting(input, "passes").unwrap_or_else(|| panic!("{path:?} names no passes"));
    let number = |name, default| setting(input, name).map_or(default, |text| text.parse().expect("a number"));
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    run(name, input, passes, setting(input, "target").unwrap_or("sm_90a"), (number("warps", 4), number("stages", 3)))
}

#[test]
fn cases_come_out_as_blessed() {
    let files = case_files();
    assert!(files.len() > 10, "the cases are not where they should be");
    let bless = std::env::var_os("TK_BLESS").is_some();
    let mut wrong = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("a readable case");
        let (input, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let actual = outcome(&path, input);
        if bless {
            fs::write(&path, format!("{}\n{SEPARATOR}{actual}", input.trim_end())).expect("a writable case");
        } else if actual.trim() != expected.trim() {
            wrong.push(format!("{path:?} gives\n{actual}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the passes leave is read back as it was written.
#[test]
fn results_parse_and_print_the_same() {
    for path in case_files() {
        let text = fs::read_to_string(&path).expect("a readable case");
        let Some((_, expected)) = text.split_once(SEPARATOR) else { continue };
        if expected.starts_with("error") {
            continue;
        }
        let context = tk_ir::Context::new();
        let source = tk_diag::SourceFile::new("again.mlir", expected);
        let module = tk_ir::Module::parse(&context, &source).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert_eq!(module.print(tk_ir::PrintOptions::default()).trim(), expected.trim(), "{path:?}");
    }
}

/// Kernels keep no more layout conversions than in the reference, where the case says how many those are. Kernels with matrix products are
/// compared whole, in `tests/tests/counts.rs`: these passes leave their operands to later ones.
#[test]
fn kernels_keep_no_more_conversions_than_in_the_reference() {
    let mut compared = 0;
    for path in case_files() {
        let text = fs::read_to_string(&path).expect("a readable case");
        let input = text.split(SEPARATOR).next().unwrap_or_default();
        let Some(reference) = setting(input, "conversions") else { continue };
        let reference: usize = reference.split(' ').next().and_then(|count| count.parse().ok()).expect("a number");
        let kept = outcome(&path, input).matches("ttg.convert_layout").count();
        assert!(kept <= reference, "{path:?} keeps {kept} conversions instead of {reference}");
        compared += 1;
    }
    assert!(compared >= 10);
}

/// The result has as many waits, barriers and copies as its case says, whatever else it looks like.
#[test]
fn results_have_the_counts_that_their_cases_say() {
    let mut counted = 0;
    for path in case_files() {
        let text = fs::read_to_string(&path).expect("a readable case");
        let input = text.split(SEPARATOR).next().unwrap_or_default();
        let Some(counts) = setting(input, "counts") else { continue };
        let result = outcome(&path, input);
        for count in counts.split(", ") {
            let (word, expected) = count.rsplit_once(' ').expect("a word and a number");
            let found = result.split_whitespace().filter(|found| *found == word).count();
            assert_eq!(found, expected.parse().expect("a number"), "{word} in {path:?}");
        }
        counted += 1;
    }
    assert!(counted >= 3);
}
