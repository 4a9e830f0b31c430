//! The page of `tk explain` in Chromium, driven through WebDriver: `tests/page/test_page.py`. A machine without a browser fails here instead
//! of passing over it.

use std::path::Path;
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

#[test]
fn the_page_does_what_its_tests_ask_in_a_browser() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page");
    let mut command = Command::new(python());
    command.args(["-m", "unittest", "discover", "-s", "."]).current_dir(&tests);
    command.env("TK", env!("CARGO_BIN_EXE_tk")).env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.output().expect("Python starts");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}");
    assert!(text.contains("\nOK") && !text.contains("Ran 0 tests"), "{text}");
    println!("{text}");
}
