//! The page of `tk explain` in Chromium, driven through WebDriver: `tests/page/test_page.py`. A machine without a browser fails here instead
//! of passing over it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A Python that has Selenium: Debian's package belongs to Debian's Python, which need not be the first one.
fn python() -> &'static str {
    let has_selenium = |python: &&str| {
        Command::new(python).args(["-c", "import selenium"]).output().is_ok_and(|output| output.status.success())
    };
    let found = ["python3", "/usr/bin/python3"].into_iter().find(has_selenium);
    found.expect(
        "the page is tested in a browser: scripts/setup installs chromium, chromium-driver and python3-selenium",
    )
}

/// The classes of tests of the page.
fn classes() -> Vec<String> {
    let text = std::fs::read_to_string(folder().join("test_page.py")).expect("the tests of the page are there");
    let names = text.lines().filter(|line| line.contains("unittest.TestCase)"));
    names.filter_map(|line| Some(line.strip_prefix("class ")?.split('(').next()?.to_string())).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page")
}

/// Runs every third class in a browser of its own, from this one on: most of the time is waiting for the browser.
fn run_every_third(first: usize) {
    let classes = classes();
    assert!(classes.len() > 6, "{classes:?}");
    let mut command = Command::new(python());
    command.args(["-m", "unittest"]).current_dir(folder());
    command.args(classes.iter().skip(first).step_by(3).map(|class| format!("test_page.{class}")));
    command.env("TK", env!("CARGO_BIN_EXE_tk")).env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.output().expect("Python starts");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}");
    assert!(text.contains("\nOK") && !text.contains("Ran 0 tests"), "{text}");
    println!("{text}");
}

#[test]
fn the_page_does_what_its_tests_ask_in_a_browser() {
    run_every_third(0);
}

#[test]
fn the_page_does_what_more_tests_ask_in_a_browser() {
    run_every_third(1);
}

#[test]
fn the_page_does_what_the_last_tests_ask_in_a_browser() {
    run_every_third(2);
}
