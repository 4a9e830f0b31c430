//! Files that import each other in a circle cannot be read or changed one by one: no crate has a circle of more than
//! [`MOST`] files.
//!
//! A file imports another where a path that begins with `crate`, `super`, `self` or the name of a module of its own leads there.
//! What only tests import does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Most files of one circle.
const MOST: usize = 15;
/// Crates with larger circles, and how large: these numbers only go down.
const LARGER: &[(&str, usize)] = &[("tk-ir", 25), ("tk-sim", 31)];

type Module = Vec<String>;
type Edges = BTreeMap<Module, BTreeSet<Module>>;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The path of a file's module: `src/a/b.rs` and `src/a/b/mod.rs` are `a::b`.
fn module(root: &Path, file: &Path) -> Module {
    let relative = file.strip_prefix(root).unwrap_or(file).with_extension("");
    let mut parts: Module = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        parts.pop();
    }
    parts
}

/// The text without comments and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Every path of a `use` tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expand(tree: &str) -> Vec<String> {
    let Some((before, rest)) = tree.split_once('{') else { return vec![tree.to_string()] };
    let (mut depth, mut start, mut paths) = (1, 0, Vec::new());
    for (i, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && c == ',' {
            paths.extend(expand(rest[start..i].trim()).iter().map(|path| format!("{before}{path}")));
            start = i + 1;
        }
        if depth == 0 {
            break;
        }
    }
    paths
}

/// The paths that code names, as their parts.
fn paths(code: &str) -> Vec<Vec<String>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(is_name) {
        let end = rest[start..].find(|c| !is_name(c)).map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        let tree = if word == "use" { rest[end..].split(';').next().unwrap_or_default() } else { word };
        for path in expand(tree) {
            let compact: String = path.split(" as ").next().unwrap_or_default().split_whitespace().collect();
            found.push(compact.split("::").map(str::to_string).collect());
        }
        rest = &rest[if word == "use" { end + tree.len() } else { end }..];
    }
    found
}

/// The file that a path in a module leads to.
fn target(from: &Module, path: &[String], modules: &BTreeSet<Module>) -> Option<Module> {
    // `pub(crate)` and `mod name;` name no one.
    let mut parts = Some(path).filter(|path| path.len() > 1)?.iter().map(String::as_str).peekable();
    let mut at = from.clone();
    match parts.peek().copied()? {
        "crate" => {
            at.clear();
            parts.next();
        }
        "super" | "self" => {
            while let Some(word) = parts.next_if(|word| ["super", "self"].contains(word)) {
                if word == "super" {
                    at.pop();
                }
            }
        }
        child => {
            let inner: Module = from.iter().cloned().chain([child.to_string()]).collect();
            modules.contains(&inner).then_some(())?;
        }
    }
    for part in parts {
        at.push(part.to_string());
        if !modules.contains(&at) {
            at.pop();
            break;
        }
    }
    modules.contains(&at).then_some(at).filter(|target| target != from)
}

fn edges(root: &Path) -> Edges {
    let mut files = Vec::new();
    sources(root, &mut files);
    let modules: BTreeSet<Module> = files.iter().map(|file| module(root, file)).collect();
    let of = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let from = module(root, file);
        let targets = paths(&code(&text)).iter().filter_map(|path| target(&from, path, &modules)).collect();
        (from, targets)
    };
    files.iter().map(of).collect()
}

fn reachable(edges: &Edges, from: &Module) -> BTreeSet<Module> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
    while let Some(module) = open.pop() {
        for next in edges.get(&module).into_iter().flatten() {
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    seen
}

/// The files of the largest circle.
fn largest_circle(edges: &Edges) -> Vec<String> {
    let reach: BTreeMap<&Module, BTreeSet<Module>> =
        edges.keys().map(|module| (module, reachable(edges, module))).collect();
    let circle = |module: &Module| -> Vec<String> {
        let back = |other: &&Module| reach.get(other).is_some_and(|reached| reached.contains(module));
        reach[module].iter().filter(back).map(|other| other.join("/")).collect()
    };
    edges.keys().map(circle).max_by_key(Vec::len).unwrap_or_default()
}

#[test]
fn circles_of_files_are_small() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut crates = vec![workspace.join("passes"), workspace.join("grammar")];
    crates.extend(std::fs::read_dir(workspace.join("crates")).expect("crates/ is there").flatten().map(|e| e.path()));
    for folder in crates {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let most = LARGER.iter().find(|(larger, _)| *larger == name).map_or(MOST, |(_, most)| *most);
        let circle = largest_circle(&edges(&folder.join("src")));
        assert!(circle.len() <= most, "{} files of {name} import each other in a circle: {circle:?}", circle.len());
    }
}

#[test]
fn circle_is_found_through_grouped_and_relative_paths() {
    let named = |parts: &[&str]| parts.iter().map(|part| part.to_string()).collect::<Module>();
    let modules: BTreeSet<Module> = [named(&[]), named(&["a"]), named(&["a", "b"]), named(&["c"])].into();
    let all = paths("use crate::{a::{b::X, Y}, c};\nfn f() { super::c::g(); b::h() }");
    let from_a: Vec<Module> = all.iter().filter_map(|path| target(&named(&["a"]), path, &modules)).collect();
    assert_eq!(from_a, [named(&["a", "b"]), named(&["c"]), named(&["c"]), named(&["a", "b"])]);
}
