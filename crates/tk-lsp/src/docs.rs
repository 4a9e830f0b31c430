//! What is written of the functions of the language: their sentences stand in tk-check, their examples in docs/language.md.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use tk_check::{Function, Library, Parameter};

/// The page about the language, whose examples are tests.
const PAGE: &str = include_str!("../../../docs/language.md");
/// Examples of one function that are shown.
const MAX_EXAMPLES: usize = 3;

/// An example of the page.
#[derive(Clone, Copy, Debug)]
struct Example {
    /// The heading that it stands under.
    section: &'static str,
    line: &'static str,
    /// Whether the line begins with the call, so that it is about it.
    is_about: bool,
}

/// The examples of each function, by `tl.name`, `libdevice.name`, or `.name` of methods.
static EXAMPLES: LazyLock<FxHashMap<String, Vec<Example>>> = LazyLock::new(|| {
    let mut examples: FxHashMap<String, Vec<Example>> = FxHashMap::default();
    let (mut section, mut is_example) = ("", false);
    for line in PAGE.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading;
        } else if line.starts_with("```") {
            is_example = line == "```tk values";
        } else if is_example {
            for name in called(line) {
                let is_about = line.starts_with(&format!("{name}("));
                examples.entry(name).or_default().push(Example { section, line, is_about });
            }
        }
    }
    examples.values_mut().for_each(choose);
    examples
});

/// Leaves a few examples of the section that has most of them.
fn choose(examples: &mut Vec<Example>) {
    if examples.iter().any(|example| example.is_about) {
        examples.retain(|example| example.is_about);
    }
    let count = |section: &str| examples.iter().filter(|example| example.section == section).count();
    // Of several sections with as many, the first.
    let best = examples.iter().rev().max_by_key(|example| count(example.section)).map(|example| example.section);
    examples.retain(|example| Some(example.section) == best);
    examples.truncate(MAX_EXAMPLES);
}

/// The functions that a line of code calls, with the word before the dot where it is a library.
fn called(line: &str) -> Vec<String> {
    let code = line.split("  #").next().unwrap_or_default();
    let mut found = Vec::new();
    for (at, _) in code.match_indices('(') {
        let before = &code[..at];
        let start = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).map_or(0, |at| at + 1);
        let Some((qualifier, name)) = before[start..].rsplit_once('.') else { continue };
        found.push(match qualifier {
            "tl" | "libdevice" | "tl.extra.cuda" => format!("{qualifier}.{name}"),
            _ => format!(".{name}"),
        });
    }
    found
}

/// How a function is called: `tl.load(pointer, mask=…)`.
pub(crate) fn signature(library: Library, function: &Function) -> String {
    let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
    let name = match library.name() {
        "" => function.name.to_string(),
        library => format!("{library}.{}", function.name),
    };
    format!("{name}({})", parameters.join(", "))
}

pub(crate) fn parameter(parameter: &Parameter) -> String {
    match parameter {
        Parameter { takes_rest: true, name, .. } => format!("*{name}"),
        Parameter { is_required: true, name, .. } => (*name).to_string(),
        Parameter { name, .. } => format!("{name}=…"),
    }
}

/// What is written of a function, as Markdown; its signature is not among it.
pub(crate) fn documentation(library: Library, function: &Function) -> String {
    let mut text = String::new();
    match (function.summary, library) {
        (Some(summary), _) => text.push_str(summary),
        (None, Library::Libdevice | Library::Math) => text.push_str("A function of libdevice."),
        (None, _) => {}
    }
    let is_language = matches!(library, Library::Language | Library::Math);
    let keys: &[&str] = match library {
        Library::Libdevice => &["libdevice"],
        Library::Extra => &["tl.extra.cuda"],
        _ if is_language => &["tl", "", "libdevice"],
        _ => &[],
    };
    let examples = keys.iter().find_map(|key| EXAMPLES.get(&format!("{key}.{}", function.name)));
    if let Some((first, examples)) = examples.and_then(|examples| Some((examples.first()?, examples))) {
        let lines: Vec<&str> = examples.iter().map(|example| example.line).collect();
        let code = lines.join("\n");
        text.push_str(&format!("\n\n```python\n{code}\n```\n\ndocs/language.md, {}", first.section));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tk_check::functions;

    #[test]
    fn most_functions_have_an_example_of_the_page() {
        let functions = functions(Library::Language);
        let of = |name: &str| functions.iter().find(|function| function.name == name).expect("it is there");
        let load = documentation(Library::Language, of("load"));
        assert!(load.starts_with("Reads memory") && load.contains("tl.load(p + x, mask=x < 2, other=-1)"), "{load}");
        assert!(load.ends_with("docs/language.md, Memory"), "{load}");
        assert!(signature(Library::Language, of("load")).starts_with("tl.load(pointer, mask=…, other=…"));
        assert_eq!(
            signature(Library::Language, of("reshape")),
            "tl.reshape(input, *shape, can_reorder=…, allow_reorder=…)"
        );
        let with = functions.iter().filter(|one| documentation(Library::Language, one).contains("```"));
        assert!(with.count() * 10 > functions.len() * 8, "the page has examples of most functions");
    }
}
