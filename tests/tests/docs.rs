//! The drawings in the documentation are what `tk` prints: every `console` block of these pages that begins with `$ tk` is run
//! and compared. `TK_BLESS=1` rewrites the pages; the diff is the review.

use std::path::Path;
use tk_tests::{root, run_tk};

/// Pages whose commands are run.
const PAGES: [&str; 2] = ["docs/layouts.md", "docs/why.md"];

#[test]
fn commands_in_the_documentation_print_what_the_page_says() {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    for page in PAGES {
        let text = std::fs::read_to_string(page).expect("the page is there");
        let (fresh, commands) = with_fresh_output(&text);
        assert!(commands > 0, "{page} has no command");
        if fresh != text && std::env::var_os("TK_BLESS").is_some() {
            std::fs::write(Path::new(page), &fresh).expect("the page can be written");
        } else {
            assert_eq!(fresh, text, "{page} is out of date; run the test with TK_BLESS=1");
        }
    }
}

/// `tk opt --help` lists the passes; these pages name every one of them.
#[test]
fn the_pages_about_passes_name_every_pass() {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let outcome = run_tk(&words("opt --help"));
    let list = outcome.text.split_once("Passes:\n").map(|(_, list)| list).unwrap_or_default();
    let passes: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(passes.len() > 30, "{}", outcome.text);
    for page in ["docs/ARCHITECTURE.md", "passes/README.md"] {
        let text = std::fs::read_to_string(page).expect("the page is there");
        let is_missing = |name: &&&str| !name.starts_with("test-") && !text.contains(&format!("`{name}`"));
        let missing: Vec<&&str> = passes.iter().filter(is_missing).collect();
        assert!(missing.is_empty(), "{page} does not name {missing:?}");
    }
}

/// The page with the output of each command as it is now, and how many commands there are.
fn with_fresh_output(text: &str) -> (String, usize) {
    let (mut out, mut commands) = (String::new(), 0);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if line != "```console" {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        for line in &block {
            let Some(command) = line.strip_prefix("$ tk ") else { continue };
            let outcome = run_tk(&words(command));
            let printed: Vec<&str> = outcome.text.lines().map(str::trim_end).collect();
            out.push_str(&format!("{line}\n{}\n", printed.join("\n")));
            commands += 1;
        }
        out.push_str("```\n");
    }
    (out, commands)
}

/// The words of a command line; single quotes keep words together.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    let split = |(at, part): (usize, &str)| match at % 2 {
        1 => vec![part.to_string()],
        _ => part.split_whitespace().map(str::to_string).collect(),
    };
    parts.flat_map(split).collect()
}
