//! Reads the sources and the documentation of the repository for the rules in `tests/tidy.rs`: files, functions with their lengths, and
//! the names of files that a page mentions. What git ignores is not looked at. Needs neither LLVM nor the crates that it reads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
#[must_use]
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// A file of the repository.
#[derive(Debug)]
pub struct SourceFile {
    /// Its path, relative to the root.
    pub path: String,
    /// What it holds.
    pub text: String,
}

impl SourceFile {
    /// Whether the file holds tests.
    #[must_use]
    pub fn is_test(&self) -> bool {
        self.path.starts_with("tests/") || self.path.contains("/tests/") || self.path.ends_with("/tests.rs")
    }
}

/// All Rust files of the workspace.
#[must_use]
pub fn rust_files() -> Vec<SourceFile> {
    files_that_end_with(".rs")
}

/// All files of the repository with this ending.
#[must_use]
pub fn files_that_end_with(ending: &str) -> Vec<SourceFile> {
    let paths = repository_paths().into_iter().filter(|path| path.ends_with(ending));
    let read =
        |path: String| SourceFile { text: std::fs::read_to_string(root().join(&path)).unwrap_or_default(), path };
    paths.map(read).collect()
}

/// All files and folders of the repository, relative to its root, without what git ignores.
#[must_use]
pub fn repository_paths() -> BTreeSet<String> {
    let root = root();
    let mut walk = ignore::WalkBuilder::new(&root);
    walk.hidden(false).filter_entry(|entry| entry.file_name() != ".git");
    let relative =
        |entry: ignore::DirEntry| entry.path().strip_prefix(&root).ok().map(|path| path.display().to_string());
    walk.build().flatten().filter_map(relative).filter(|path| !path.is_empty()).collect()
}

/// The names of a text: letters, digits and `_`, with single hyphens between them, and a letter in front.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'));
    words
        .flat_map(|word| {
            let whole = word.trim_matches('-');
            let parts = whole.split('-').filter(move |part| *part != whole);
            std::iter::once(whole).chain(parts)
        })
        .filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !name.contains("--"))
}

/// The names between single backticks of a page, without blocks of code and numbers with units (`16x64xf16`).
#[must_use]
pub fn quoted_names(page: &str) -> BTreeSet<&str> {
    let prose = page.split("```").step_by(2);
    let quoted = prose.flat_map(|text| text.lines()).flat_map(|line| line.split('`').skip(1).step_by(2));
    let words = quoted.flat_map(|quoted| quoted.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')));
    let named = words.map(|word| word.trim_matches('-'));
    named.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')).collect()
}

/// Where a function stands and how long it is.
#[derive(Debug, PartialEq, Eq)]
pub struct Function<'t> {
    /// Its name.
    pub name: &'t str,
    /// The line of its `fn`, from one.
    pub line: usize,
    /// Its lines, from that of `fn` to that of its last brace.
    pub lines: usize,
}

/// The functions of a file that rustfmt has written: each ends at the first line that closes a brace where the function begins.
#[must_use]
pub fn functions(text: &str) -> Vec<Function<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut functions = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = name_of_function(line.trim_start()) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let at_indent = |line: &&str| line.strip_prefix(indent).is_some_and(|rest| !rest.starts_with(' '));
        let is_end = |line: &&str| at_indent(line) && (line.trim_start().starts_with('}') || line.ends_with(';'));
        if line.ends_with(['}', ';']) {
            continue;
        }
        if let Some(more) = lines[at + 1..].iter().position(is_end) {
            functions.push(Function { name, line: at + 1, lines: more + 2 });
        }
    }
    functions
}

/// The name that a line declares a function by.
fn name_of_function(line: &str) -> Option<&str> {
    let (qualifiers, rest) = line.split_once("fn ")?;
    let is_qualifier =
        |word: &str| matches!(word, "const" | "async" | "unsafe" | "extern" | "\"C\"") || word.starts_with("pub");
    let name = rest.split(['(', '<']).next().unwrap_or_default();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (qualifiers.split_whitespace().all(is_qualifier) && is_name).then_some(name)
}

/// What stands in backticks outside of code blocks and looks like a file or a folder of this repository. Names with `my_` or `my-` in
/// them are placeholders of recipes.
#[must_use]
pub fn names_of_files(page: &str) -> Vec<&str> {
    let names = lines_of_text(page).flat_map(|line| line.split('`').skip(1).step_by(2));
    names.filter(|name| is_name_of_file(name)).collect()
}

/// Endings of the files that documentation names.
const ENDINGS: [&str; 11] = [".rs", ".td", ".cpp", ".py", ".sh", ".md", ".mlir", ".table", ".tsv", ".toml", ".lalrpop"];

/// The folders at the root of the repository.
const FOLDERS: [&str; 8] = ["crates", "passes", "grammar", "tests", "benches", "scripts", "docs", "examples"];

fn is_name_of_file(name: &str) -> bool {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
    let is_placeholder = name.contains("my_") || name.contains("my-");
    let is_path = name.split_once('/').is_some_and(|(first, _)| FOLDERS.contains(&first));
    let has_ending = ENDINGS.iter().any(|ending| name.ends_with(ending) && name.len() > ending.len());
    is_plain && !is_placeholder && (is_path || has_ending)
}

/// The targets of the links of a page that lead to this repository, outside of code: `path`, `path#heading` or `#heading`.
#[must_use]
pub fn links(page: &str) -> Vec<String> {
    let mut links = Vec::new();
    for line in lines_of_text(page) {
        let text: String = line.split('`').step_by(2).collect();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        links.extend(targets.filter(|target| !target.contains("://")).map(str::to_string));
    }
    links
}

/// The anchors of the headings of a page, as GitHub makes them.
#[must_use]
pub fn anchors(page: &str) -> BTreeSet<String> {
    let headings = lines_of_text(page).filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        words.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c)).collect::<String>().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

/// The lines of a page that are in no code block.
fn lines_of_text(page: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// The lines of a source file, counted from 1, whose code names a GPU (`sm_90`) or compares compute capabilities: what only tk-target
/// does. Comments, documentation and the module of tests at the end of a file may.
#[must_use]
pub fn lines_about_one_gpu(text: &str) -> Vec<usize> {
    let code = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).enumerate();
    let names_one = |code: &str| code.match_indices("sm_").any(|(at, _)| starts_with_digit(&code[at + 3..]));
    let compares = |code: &str| {
        let words = || code.split(|c: char| !c.is_alphanumeric() && c != '_');
        let operators = [" < ", " <= ", " > ", " >= ", " == ", " != "];
        words().any(|word| matches!(word, "sm" | "target_sm" | "compute_capability"))
            && operators.iter().any(|operator| code.contains(operator))
    };
    let is_about_one = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        names_one(code) || compares(code)
    };
    code.filter(|(_, line)| is_about_one(line)).map(|(index, _)| index + 1).collect()
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_as_long_as_from_its_name_to_its_last_brace() {
        let text = "\
impl A {
    pub(crate) fn one(
        &self,
    ) -> u32 {
        let x = 1;
        x
    }

    fn none() {}
}

trait B {
    fn declared(&self);
    fn declared_at_length(
        &self,
    ) -> u32;
}

fn two<T>() {
    if a {
    }
}
";
        let found: Vec<(&str, usize, usize)> = functions(text).iter().map(|f| (f.name, f.line, f.lines)).collect();
        assert_eq!(found, [("one", 2, 6), ("declared_at_length", 14, 3), ("two", 19, 4)]);
    }

    #[test]
    fn paths_and_names_with_endings_are_files() {
        let page = "`crates/tk-ir/`, `lib.rs`, `scf.for`, `tk run FILE`, `passes/src/my_pass.rs`, `.tk`\n```\n`a.rs`\n```\n`b.td`";
        assert_eq!(names_of_files(page), ["crates/tk-ir/", "lib.rs", "b.td"]);
    }

    #[test]
    fn code_about_one_gpu_is_found() {
        let text = "\
//! For sm_90 and later.
let target = parse(\"sm_90a\"); // sm_90
let is_small = target.sm < 90;
if device.compute_capability() >= HOPPER {}
let info: Option<ComputeCapability> = device.compute_capability();
#[cfg(test)]
let target = parse(\"sm_80\");
";
        assert_eq!(lines_about_one_gpu(text), [2, 3, 4]);
    }

    #[test]
    fn links_lead_to_headings() {
        let page = "# One: `two`, three-four\n[a](b.md#c) and [d](#one-two-three-four), [e](https://f), `[g](h)`\n```\n# [g](h)\n```\n";
        assert_eq!(links(page), ["b.md#c", "#one-two-three-four"]);
        assert_eq!(anchors(page).into_iter().collect::<Vec<_>>(), ["one-two-three-four"]);
    }
}
