//! Refuses text nested deeper than MLIR's recursive parser and printer can go without overflowing the stack.
//!
//! MLIR has no limit of its own, so the text is scanned once before it is parsed: brackets outside strings and comments,
//! runs of prefix minus (affine expressions recurse on them), and chains of attribute aliases, which nest without brackets.

use rustc_hash::FxHashMap;
use tk_diag::{Diagnostic, NESTING_TOO_DEEP, Result, SourceFile, Span};

/// Deepest nesting that is read. Real IR stays below 40.
pub const MAX_NESTING: usize = 200;

/// Checks a whole file.
///
/// # Errors
/// The place where it is nested too deeply.
pub fn check_nesting(source: &SourceFile) -> Result<()> {
    let Some(at) = first_too_deep(source.text()) else { return Ok(()) };
    Err(Diagnostic::error(NESTING_TOO_DEEP, format!("the text is nested more than {MAX_NESTING} levels deep"))
        .at(source, Span::new(at, at + 1), "this is too deep")
        .help("split the expression or name its parts with aliases")
        .boxed())
}

/// Checks a piece of text that has no file.
pub(crate) fn nesting_is_fine(text: &str) -> bool {
    first_too_deep(text).is_none()
}

fn first_too_deep(text: &str) -> Option<usize> {
    deep_brackets(text.as_bytes()).or_else(|| deep_aliases(text))
}

/// The first byte where brackets or prefix minuses nest too deep.
fn deep_brackets(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut angles, mut minuses, mut at) = (0usize, 0usize, 0usize, 0);
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = end_of_line(bytes, at),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'<' => angles += 1,
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' => angles = angles.saturating_sub(1),
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            minuses = if byte == b'-' { minuses + 1 } else { 0 };
        }
        if depth + angles > MAX_NESTING || minuses > MAX_NESTING {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// The closing quote of the string that opens at `start`, or the end of its line.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

fn end_of_line(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |length| start + length)
}

/// The first alias definition (`#a = …`, `!t = …`) that nests too deep through the aliases it names.
///
/// Locations may name aliases that are defined later, so depths are found over the finished list of definitions.
fn deep_aliases(text: &str) -> Option<usize> {
    let mut definitions: FxHashMap<&str, (usize, &str)> = FxHashMap::default();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(['#', '!'])
            && let Some((name, body)) = line.split_once('=')
        {
            definitions.insert(name.trim_end(), (offset, body));
        }
        offset += line.len();
    }
    let mut depths: FxHashMap<&str, usize> = FxHashMap::default();
    for &name in definitions.keys() {
        if alias_depth(name, &definitions, &mut depths) > MAX_NESTING {
            return definitions.get(name).map(|(offset, _)| *offset);
        }
    }
    None
}

/// How deep an alias nests; found without recursion because the chain may be long. Cycles count as depth 0: MLIR refuses them.
fn alias_depth<'t>(
    name: &'t str,
    definitions: &FxHashMap<&'t str, (usize, &'t str)>,
    depths: &mut FxHashMap<&'t str, usize>,
) -> usize {
    let mut stack = vec![(name, false)];
    while let Some((name, children_done)) = stack.pop() {
        let Some((_, body)) = definitions.get(name) else { continue };
        if children_done {
            let depth = aliases_in(body).filter_map(|child| depths.get(child)).max().copied().unwrap_or(0);
            depths.insert(name, depth + 1);
        } else if !depths.contains_key(name) {
            depths.insert(name, 0);
            stack.push((name, true));
            stack.extend(aliases_in(body).filter(|child| !depths.contains_key(child)).map(|child| (child, false)));
        }
    }
    depths.get(name).copied().unwrap_or(0)
}

/// The alias names that a definition's body mentions.
fn aliases_in(body: &str) -> impl Iterator<Item = &str> {
    body.match_indices(['#', '!']).map(|(start, _)| {
        let rest = &body[start + 1..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_$.-".contains(c))).unwrap_or(rest.len());
        &body[start..start + 1 + end]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_counts_brackets_outside_strings_and_comments() {
        let deep = "(".repeat(MAX_NESTING + 1);
        assert_eq!(first_too_deep(&deep), Some(MAX_NESTING));
        assert_eq!(first_too_deep(&format!("// {deep}\n\"{deep}\"")), None);
        assert_eq!(first_too_deep(&"() -> ".repeat(10_000)), None);
        assert!(first_too_deep(&"!tt.ptr<".repeat(1000)).is_some());
        assert!(first_too_deep(&"- ".repeat(1000)).is_some());
        assert_eq!(first_too_deep(&"-1, ".repeat(1000)), None);
    }

    #[test]
    fn chains_of_aliases_count() {
        let chain = |length: usize| -> String {
            (1..length).map(|i| format!("#a{i} = #ttg.slice<{{dim = 0, parent = #a{}}}>\n", i - 1)).collect()
        };
        assert_eq!(first_too_deep(&chain(MAX_NESTING)), None);
        assert!(first_too_deep(&chain(100_000)).is_some());
        assert_eq!(first_too_deep("#a = loc(#b)\n#b = loc(#a)\n"), None);
    }
}
