//! From lines of IR and PTX back to lines of the source.
//!
//! MLIR writes places at the end of a line, `loc(#loc3)`, and says what they are at the end of the file; PTX writes `.loc FILE
//! LINE COLUMN` before the instructions that come from there. Here both become one number per line, and the clutter goes.

use std::collections::HashMap;

/// A line of a form with the source line that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) source: Option<u32>,
}

/// Places inside places that are followed.
const MAX_LINKS: u32 = 16;

/// The lines of MLIR text without their places. A place in a file other than `file` counts as the call in `file` that led there.
pub(super) fn of_mlir(text: &str, file: &str) -> Vec<Line> {
    let named: HashMap<&str, &str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("#loc").map(|_| line))
        .filter_map(|line| line.split_once(" = "))
        .collect();
    let is_place = |line: &&str| line.starts_with("#loc") && line.contains("= loc(");
    text.lines()
        .filter(|line| !is_place(line))
        .map(|line| match line.rfind(" loc(") {
            Some(at) if is_one_place(&line[at + 1..]) => {
                Line { text: without_places(&line[..at]), source: source_of(&line[at + 1..], &named, file, MAX_LINKS) }
            }
            _ => Line { text: without_places(line), source: None },
        })
        .collect()
}

/// Whether the text is one `loc(…)` and nothing behind it, such as the bracket of a list of arguments.
fn is_one_place(text: &str) -> bool {
    let mut depth = 0;
    let closes = text.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0 && *c == ')'
    });
    closes.is_some_and(|(at, _)| at + 1 == text.len())
}

/// A line without the places of block arguments.
fn without_places(line: &str) -> String {
    let mut rest = line;
    let mut out = String::with_capacity(line.len());
    while let Some(at) = rest.find(" loc(") {
        out.push_str(&rest[..at]);
        let inside = &rest[at + 5..];
        let mut depth = 1;
        let end = inside.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0
        });
        rest = end.map_or("", |(at, _)| &inside[at + 1..]);
    }
    out.push_str(rest);
    out
}

/// The first line number in the file that a place leads to.
fn source_of(place: &str, named: &HashMap<&str, &str>, file: &str, links: u32) -> Option<u32> {
    let links = links.checked_sub(1)?;
    let inner = place.trim().strip_prefix("loc(")?.strip_suffix(')')?;
    if let Some(number) = line_number(inner, file) {
        return Some(number);
    }
    inner.match_indices("#loc").find_map(|(at, _)| {
        let name: &str = &inner[at..];
        let end = name.find(|c: char| !(c.is_alphanumeric() || c == '#')).unwrap_or(name.len());
        source_of(named.get(&name[..end])?, named, file, links)
    })
}

/// `"file.tk":12:3` → 12.
fn line_number(place: &str, file: &str) -> Option<u32> {
    let at = place.find("\":")?;
    if place[..at].strip_prefix('"') != Some(file) {
        return None;
    }
    let digits: String = place[at + 2..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The lines of PTX, each with the line of the `.loc` before it; the `.loc` lines themselves go. Of a place in another file, that of
/// the call in `file` is taken, where the `.loc` says it.
pub(super) fn of_ptx(text: &str, file: &str) -> Vec<Line> {
    let numbers: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix(".file")?.trim().split_once(' '))
        .filter(|(_, name)| is_path(name.trim_matches(['"', ' ']), file))
        .map(|(number, _)| number)
        .collect();
    let mut source = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        let word = line.trim_start();
        if let Some(rest) = word.strip_prefix(".loc") {
            source = rest.split("inlined_at").find_map(|place| {
                let mut words = place.split_whitespace();
                let is_here = words.next().is_some_and(|number| numbers.is_empty() || numbers.contains(&number));
                words.next()?.trim_end_matches(',').parse().ok().filter(|line| is_here && *line > 0)
            });
            continue;
        }
        let is_code = word.ends_with(';') && !word.starts_with('.');
        lines.push(Line { text: line.to_string(), source: source.filter(|_| is_code) });
    }
    lines
}

/// Whether a path of PTX, which begins at the root or the current folder, is that of the file.
fn is_path(path: &str, file: &str) -> bool {
    path == file || path.strip_suffix(file).is_some_and(|folder| folder.ends_with('/'))
}

/// Lines that carry no places.
pub(super) fn plain(text: &str) -> Vec<Line> {
    text.lines().map(|line| Line { text: line.to_string(), source: None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_become_lines() {
        let text = "%0 = arith.addi %a, %b : i32 loc(#loc2)\nscf.yield loc(callsite(#loc1 at #loc2))\n  func(%a: i32 loc(\"a\"(#loc1)), %b: i32 loc(#loc))\n#loc = loc(unknown)\n#loc1 = loc(\"k.tk\":7:3)\n#loc2 = loc(\"name\"(#loc1))\n";
        let lines = of_mlir(text, "k.tk");
        assert_eq!(lines[0], Line { text: "%0 = arith.addi %a, %b : i32".into(), source: Some(7) });
        assert_eq!(lines[1].source, Some(7));
        assert_eq!(lines[2].text, "  func(%a: i32, %b: i32)");
        assert_eq!(lines.len(), 3);
        let ptx = of_ptx(".file 1 \"/a/k.tk\"\n.loc 1 5 2\n\tadd.s32 %r1, %r2, 1;\n$L:\n", "k.tk");
        assert_eq!((ptx.len(), ptx[1].source, ptx[2].source), (3, Some(5), None));
        // Of a function of another file, the call counts.
        let text = "a loc(#loc3)\n#loc1 = loc(\"ops.tk\":7:3)\n#loc2 = loc(\"k.tk\":9:3)\n#loc3 = loc(callsite(#loc1 at #loc2))\n";
        assert_eq!(of_mlir(text, "k.tk")[0].source, Some(9));
        let text = ".loc 2 5 2, function_name $L, inlined_at 1 9 3\nadd;\n.loc 2 6 2\nsub;\n.file 1 \"k.tk\"\n.file 2 \"ops.tk\"\n";
        let ptx = of_ptx(text, "k.tk");
        assert_eq!((ptx[0].source, ptx[1].source), (Some(9), None));
    }
}
