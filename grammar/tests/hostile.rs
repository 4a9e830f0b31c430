//! Text that is made to break a reader: nesting, size, noise. Nothing here may panic, run out of stack or take long.

use proptest::prelude::*;
use std::time::{Duration, Instant};
use tk_diag::{Diagnostic, SourceFile};

fn parse(text: &str) -> Result<tk_grammar::ast::Module, Vec<Diagnostic>> {
    tk_grammar::parse(&SourceFile::new("k.tk", text))
}

/// Reads `text` on a stack of 1 MiB, so that recursion that follows the text cannot hide, and drops what came out.
fn slug(text: String) -> String {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(move || match parse(&text) {
        Ok(module) => {
            drop(module.clone());
            drop(module);
            "read".to_string()
        }
        Err(faults) => faults[0].code.slug.to_string(),
    });
    thread.unwrap().join().unwrap()
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    let n = 100_000;
    for text in [
        format!("x = {}1{}\n", "(".repeat(n), ")".repeat(n)),
        format!("x = {}", "[".repeat(n)),
        format!("x = {}", "{1:".repeat(n)),
        format!("x = f{}", "(a[".repeat(n)),
        format!("x = {}y", "not ".repeat(n)),
        format!("x = {}y", "-".repeat(n)),
        format!("x = {}y", "~+".repeat(n)),
        format!("x = {}y", "lambda: ".repeat(n)),
        format!("x = {}y", "a if b else ".repeat(n)),
        format!("x = {}y", "a ** ".repeat(n)),
        format!("x = a{}", ".a".repeat(n)),
        format!("x = a{}", "()".repeat(n)),
        format!("x = a{}", "[0]".repeat(n)),
        format!("x = a{}", " + a".repeat(n)),
        format!("x = a{}", " | a * a".repeat(n)),
        format!("if a:\n  pass\n{}", "elif b:\n  pass\n".repeat(n)),
        (0..3000).map(|i| format!("{}if a:\n", " ".repeat(i))).collect(),
        (0..400).map(|i| format!("{}if a:\n{0} pass\n{0}elif b:\n", " ".repeat(i))).collect(),
    ] {
        assert_eq!(slug(text.clone()), "nesting-too-deep", "{}", &text[..60]);
    }
}

#[test]
fn nesting_up_to_the_limit_is_read() {
    for text in [
        format!("x = {}1{}\n", "(".repeat(200), ")".repeat(200)),
        format!("x = {}1{}\n", "f(".repeat(200), ")".repeat(200)),
        format!("x = {}y\n", "-".repeat(190)),
        format!("x = a{}\n", ".a".repeat(990)),
        format!("x = a{}\n", " + a".repeat(990)),
        format!("if a:\n  pass\n{}", "elif b:\n  pass\n".repeat(200)),
        (0..200).map(|i| format!("{}if a:\n", " ".repeat(i))).chain([format!("{}pass", " ".repeat(200))]).collect(),
    ] {
        assert_eq!(slug(text.clone()), "read", "{}", &text[..60]);
    }
}

#[test]
fn wide_text_is_no_nesting() {
    let n = 20_000;
    for text in [
        format!("x = [{}]\n", "1, ".repeat(n)),
        format!("x = a{}\n", " and a".repeat(n)),
        format!("x = a{}\n", " < a".repeat(n)),
        format!("x = {}\n", "'a' ".repeat(n)),
        format!("f({})\n", "a, ".repeat(n)),
        format!("{}\n", "a = ".repeat(n) + "1"),
        format!("{}\n", "a; ".repeat(n)),
        format!("def f({}): pass\n", (0..n).map(|i| format!("a{i}, ")).collect::<String>()),
        "if a: pass\n".repeat(n),
        format!("x = (\\\n{}1)\n", "\\\n".repeat(n)),
        format!("f'{}'\n", "{a}".repeat(n)),
    ] {
        assert_eq!(slug(text.clone()), "read", "{}", &text[..40]);
    }
}

fn timed(text: String) -> Duration {
    let start = Instant::now();
    let _ = std::hint::black_box(parse(&text));
    start.elapsed()
}

#[test]
fn time_is_linear_in_the_text() {
    let kernel = include_str!("data/matmul.tk");
    // The least of several runs: another process on the machine makes a run longer, never shorter.
    let best = |copies: usize| (0..7).map(|_| timed(kernel.repeat(copies))).min().unwrap();
    let (small, large) = (best(50), best(500));
    assert!(large < small * 30 + Duration::from_millis(100), "{small:?} for 50 copies, {large:?} for 500");
    let limit = Duration::from_secs(20);
    for text in [
        "x = [",
        "((((",
        "a = 'x",
        "\\",
        "f'{",
        "\"\"\"",
        "f('{",
        "  ",
        "#",
        "\u{feff}",
        "1e",
        "a(\ndef f\n",
        "(\ndef\n",
    ] {
        let text = text.repeat(10_000_000 / text.len() / 4);
        let start: String = text.chars().take(12).collect();
        let took = timed(text);
        assert!(took < limit, "{start:?}: {took:?}");
    }
}

/// Pieces that random files are made of: every token, openings without ends, and odd characters.
const PIECES: &[&str] = &[
    "def ",
    "f",
    "(",
    ")",
    ":",
    "\n",
    "  ",
    "    ",
    "\t",
    "if ",
    "else",
    "elif ",
    "for ",
    "in ",
    "while ",
    "x",
    "=",
    "==",
    "1",
    "0x",
    "1e",
    "1.5",
    "'a'",
    "\"",
    "'",
    "\"\"\"",
    "f'{",
    "}",
    "{",
    "[",
    "]",
    ",",
    ";",
    "@",
    "\\",
    "\\\n",
    "#c",
    "*",
    "**",
    "-",
    "not ",
    "lambda ",
    "class ",
    "try",
    "except ",
    "finally",
    "return ",
    "import ",
    "from ",
    ".",
    "...",
    ":=",
    "->",
    "async ",
    "yield ",
    "match ",
    "print ",
    "\r",
    "\r\n",
    "\u{feff}",
    "é",
    "\u{a0}",
    "\0",
    "!",
    "$",
    "!r",
    "rb'",
    "\\N{",
    "with ",
    "as ",
    "global ",
    "del ",
    "assert ",
    "raise ",
    "pass",
    "break",
    "continue",
    "and ",
    "or ",
    "is ",
    "None",
    "True",
    "?",
    "\x0c",
    "{{",
    "}}",
    "\\x4",
    "\u{1F600}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn token_soup_never_panics_and_spans_stay_in_the_file(picks in prop::collection::vec(0..PIECES.len(), 0..60)) {
        let text: String = picks.iter().map(|pick| PIECES[*pick]).collect();
        if let Err(faults) = parse(&text) {
            prop_assert!(!faults.is_empty() && faults.len() <= 20);
            for fault in &faults {
                prop_assert!(!fault.labels.is_empty(), "{}", fault.message);
                prop_assert!(fault.severity == tk_diag::Severity::Error);
                for label in &fault.labels {
                    prop_assert!(label.span.start as usize <= text.len() && label.span.start <= label.span.end);
                }
                tk_diag::render(fault, tk_diag::Style::Plain);
            }
        }
    }

    #[test]
    fn a_real_file_with_a_hole_never_panics(from in 0usize..3000, length in 0usize..40) {
        let text = include_str!("data/matmul.tk");
        let (from, to) = (from.min(text.len()), (from + length).min(text.len()));
        let _ = parse(&format!("{}{}", &text[..from], &text[to..]));
    }

    #[test]
    fn bytes_of_any_kind_never_panic(text in "\\PC{0,80}") {
        let _ = parse(&text);
        let _ = parse(&format!("x = f'{text}'"));
        let _ = parse(&format!("x = f'{{{text}}}'"));
    }
}
