//! What the documentation shows is what `tk` prints: every command of a `console` block of these pages is run, in the order of the page, and
//! compared. `TK_BLESS=1` rewrites the pages; the diff is the review.

use std::path::Path;
use tk_tests::{root, run_tk, without_ptx};

/// Pages whose commands are run.
const PAGES: [&str; 6] = [
    "docs/command-line.md",
    "docs/layouts.md",
    "docs/why.md",
    "docs/memory-report.md",
    "docs/tutorial.md",
    "docs/warp-groups.md",
];

/// Commands beside `tk` that pages use.
const OTHERS: [&str; 1] = ["sed"];

#[test]
fn commands_in_the_documentation_print_what_the_page_says() {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    // Where pages write to.
    let _ = std::fs::remove_dir_all("target/tutorial");
    std::fs::create_dir_all("target/tutorial").expect("the folder of builds can be written");
    for page in PAGES {
        let text = std::fs::read_to_string(page).expect("the page is there");
        let (fresh, commands) = with_fresh_output(&text);
        assert!(commands > 0, "{page} has no command");
        if fresh != text && std::env::var_os("TK_BLESS").is_some() {
            std::fs::write(Path::new(page), &fresh).expect("the page can be written");
        } else {
            let changed = fresh.lines().zip(text.lines()).find(|(fresh, shown)| fresh != shown);
            assert!(fresh == text, "{page} is out of date; run the test with TK_BLESS=1: {changed:#?}");
        }
    }
}

const COMMANDS: &str = "docs/command-line.md";

/// The page shows the help of every command, and of the commands of `tk cache`.
#[test]
fn the_page_about_the_command_line_has_every_command() {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let page = std::fs::read_to_string(COMMANDS).expect("the page is there");
    let help = run_tk(&words("--help")).text;
    let (_, rest) = help.split_once("Commands:\n").expect("a list of commands");
    let (list, _) = rest.split_once("\n\n").expect("the list ends");
    let commands: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 10, "{help}");
    for command in commands {
        assert!(page.contains(&format!("\n$ tk {command} --help\n")), "{COMMANDS} has no `tk {command} --help`");
    }
}

/// The page names every environment variable of tk, and no other.
#[test]
fn the_page_about_the_command_line_has_every_variable() {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let page = std::fs::read_to_string(COMMANDS).expect("the page is there");
    let (_, section) = page.split_once("\n## Environment\n").expect("a section");
    let named = variables(section);
    let mut used = std::collections::BTreeSet::new();
    for folder in ["benches", "crates", "passes", "python", "scripts", "tests"] {
        collect_variables(Path::new(folder), &mut used);
    }
    assert!(used.contains("TK_DEVICE") && used.len() > 15, "{used:?}");
    assert_eq!(named, used);
}

/// The variables that the code of a folder names.
fn collect_variables(folder: &Path, found: &mut std::collections::BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there").filter_map(Result::ok) {
        let path = entry.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_code = path.extension().is_none_or(|ending| ending == "rs" || ending == "py");
        if path.is_dir() && !name.starts_with('.') && !["target", "node_modules", "data"].contains(&name.as_str()) {
            collect_variables(&path, found);
        } else if path.is_file() && is_code {
            let text = String::from_utf8_lossy(&std::fs::read(&path).expect("the file is there")).into_owned();
            found.extend(variables(&text));
        }
    }
}

/// Words such as `TK_DEVICE`.
fn variables(text: &str) -> std::collections::BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let is_variable = |word: &&str| {
        word.strip_prefix("TK_").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
            && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
    };
    words.filter(is_variable).map(str::to_string).collect()
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
        for line in block.iter().filter(|line| line.starts_with("$ ")) {
            out.push_str(&format!("{line}\n{}", printed_without_spaces(&line[2..])));
            commands += 1;
        }
        out.push_str("```\n");
    }
    (out, commands)
}

/// What a command prints, without spaces at the ends of lines.
fn printed_without_spaces(command: &str) -> String {
    printed_by(command).lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// What a command prints, without what differs from run to run and without excerpts of PTX.
fn printed_by(command: &str) -> String {
    let (program, rest) = command.split_once(' ').expect("a command with arguments");
    if program == "tk" {
        let printed = aligned(&without_ptx(&run_tk(&words(rest)).text));
        return ["s)", "KiB)"].iter().fold(printed, |text, unit| without_number(&text, unit));
    }
    assert!(OTHERS.contains(&program), "{program} is not run by this test");
    let output = std::process::Command::new("sh").args(["-c", command]).output().expect("there is a shell");
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The margins of excerpts, from which [`without_ptx`] takes the spaces, as wide as the greatest line number.
fn aligned(text: &str) -> String {
    let number = |line: &str| line.split_once(" |").map(|(number, _)| number.to_string());
    let number = |line: &str| number(line).filter(|number| number.chars().all(|c| c.is_ascii_digit()));
    let width = text.lines().filter_map(number).map(|number| number.len()).max().unwrap_or(0);
    let line = |line: &str| match number(line) {
        Some(number) => format!("{}{line}\n", " ".repeat(width.saturating_sub(number.len()))),
        None if line.starts_with("--> ") => format!("{}{line}\n", " ".repeat(width)),
        None if line.starts_with('|') || line.starts_with("= ") => format!("{}{line}\n", " ".repeat(width + 1)),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// `… (0.62 s)` and `… 625 KiB)` at the ends of lines, without the numbers.
fn without_number(text: &str, unit: &str) -> String {
    let shortened = text.lines().map(|line| {
        let before = line.strip_suffix(unit).and_then(|line| line.strip_suffix(' '));
        let before = before.map(|before| before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'));
        before.map_or_else(|| format!("{line}\n"), |before| format!("{before}… {unit}\n"))
    });
    shortened.collect()
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
