//! From lines of forms back to lines of the source.
//!
//! MLIR writes places at the end of a line, `loc(#loc3)`, and says what they are at the end of the file; LLVM IR does the same with
//! `!dbg !3`. PTX writes `.loc FILE LINE COLUMN` before the instructions that come from there, and a disassembly a comment. Here all
//! become one number per line, and the clutter goes.

use super::facts::Lines;
use super::places::{Places, named_places, source_of};
use std::collections::HashMap;

/// Calls inside calls that are followed.
const MOST_CALLS: u32 = 16;

/// The lines of MLIR text without their places. A place in a file other than `file` counts as the call in `file` that led there.
pub(super) fn of_mlir(text: &str, file: &str) -> Lines {
    let named = named_places(text);
    let is_place = |line: &&str| line.starts_with("#loc") && line.contains("= loc(");
    let mut lines = Lines::default();
    for line in text.lines().filter(|line| !is_place(line)) {
        match line.rfind(" loc(") {
            Some(at) if is_one_place(&line[at + 1..]) => {
                lines.push(without_places(&line[..at]), source_of(&line[at + 1..], &named, file));
            }
            _ => lines.push(without_places(line), None),
        }
    }
    lines
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

/// The lines of PTX, each with the line of the `.loc` before it; the `.loc` lines themselves go.
pub(super) fn of_ptx(text: &str, places: &Places) -> Lines {
    let mut lines = Lines::default();
    for (line, source) in text.lines().zip(sources_of_ptx(text, places)) {
        if !line.trim_start().starts_with(".loc") {
            lines.push(line, source);
        }
    }
    lines
}

/// The line of the source that each line of PTX comes from.
pub(super) fn sources_of_ptx(text: &str, places: &Places) -> Vec<Option<u32>> {
    let files: HashMap<&str, &str> = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix(".file")?.trim().split_once(' '))
        .map(|(number, name)| (number, name.trim_matches(['"', ' '])))
        .collect();
    let mut source = None;
    let source_of = |line: &str| {
        let word = line.trim_start();
        if let Some(rest) = word.strip_prefix(".loc") {
            // The call that leads to a place is behind it, where LLVM says it.
            source = rest.split("inlined_at").find_map(|place| {
                let mut words = place.split_whitespace();
                let path = files.get(words.next()?)?;
                places.line_of(path, words.next()?.trim_end_matches(',').parse().ok()?)
            });
            return None;
        }
        let is_code = word.ends_with(';') && !word.starts_with('.');
        source.filter(|_| is_code)
    };
    text.lines().map(source_of).collect()
}

/// The lines of LLVM IR without their places and without what describes these.
pub(super) fn of_llvm(text: &str, places: &Places) -> Lines {
    let is_place = |line: &&str| line.starts_with('!') && line.contains("!DI");
    let described: HashMap<&str, &str> =
        text.lines().filter(is_place).filter_map(|line| line.split_once(" = ")).collect();
    let mut lines = Lines::default();
    for line in text.lines().filter(|line| !is_place(line)) {
        match line.rsplit_once(", !dbg ") {
            Some((code, place)) => lines.push(code, line_of_place(place, &described, places)),
            None => lines.push(line, None),
        }
    }
    lines
}

/// The line of a `!DILocation`, or that of the call that led there.
fn line_of_place(place: &str, described: &HashMap<&str, &str>, places: &Places) -> Option<u32> {
    let mut place = place.trim();
    for _ in 0..MOST_CALLS {
        let location = described.get(place)?;
        let path = file_of_scope(field(location, "scope: ")?, described)?;
        if let Some(line) = places.line_of(&path, field(location, "line: ")?.parse().ok()?) {
            return Some(line);
        }
        place = field(location, "inlinedAt: ")?;
    }
    None
}

/// The path of the file that a scope of LLVM's is in.
fn file_of_scope(scope: &str, described: &HashMap<&str, &str>) -> Option<String> {
    let described_file = described.get(field(described.get(scope)?, "file: ")?)?;
    let [folder, name] =
        ["directory: ", "filename: "].map(|key| field(described_file, key).unwrap_or("").trim_matches('"'));
    Some(if folder.is_empty() || name.starts_with('/') { name.to_string() } else { format!("{folder}/{name}") })
}

/// The value behind a key: `line: 81, …` → `81`.
fn field<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(key)?;
    rest.split([',', ')']).next()
}

/// The instructions and labels of a disassembly with line information. What comes before the first instruction, and its comments, go.
pub(super) fn of_sass(text: &str, places: &Places) -> Lines {
    let mut source = None;
    let mut lines = Lines::default();
    for line in text.lines() {
        let word = line.trim_start();
        if let Some(place) = word.strip_prefix("//## File ") {
            source = place.split("inlined at ").find_map(|place| {
                let (name, rest) = place.trim_start().strip_prefix('"')?.split_once("\", line ")?;
                let digits: &str = rest.split(|c: char| !c.is_ascii_digit()).next()?;
                places.line_of(name, digits.parse().ok()?)
            });
        } else if word.starts_with("/*") {
            lines.push(instruction(word), source);
        } else if word.ends_with(':') && !word.starts_with(".text") {
            lines.push(word, None);
        }
    }
    lines
}

/// `/*07a0*/   @!P0 BRA 0x10 ;` → `07a0  @!P0 BRA 0x10 ;`, with room for the predicate in every line.
fn instruction(word: &str) -> String {
    let Some((address, code)) = word.trim_start_matches("/*").split_once("*/") else { return word.to_string() };
    let (predicate, code) = match code.trim_start().split_once(' ') {
        Some((predicate, code)) if predicate.starts_with('@') => (predicate, code),
        _ => ("", code),
    };
    format!("{address}  {predicate:<5}{}", code.trim_start())
}

/// Lines that carry no places.
pub(super) fn plain(text: &str) -> Lines {
    let mut lines = Lines::default();
    text.lines().for_each(|line| lines.push(line, None));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_become_lines() {
        let text = "%0 = arith.addi %a, %b : i32 loc(#loc2)\nscf.yield loc(callsite(#loc1 at #loc2))\n  func(%a: i32 loc(\"a\"(#loc1)), %b: i32 loc(#loc))\n#loc = loc(unknown)\n#loc1 = loc(\"k.tk\":7:3)\n#loc2 = loc(\"name\"(#loc1))\n";
        let lines = of_mlir(text, "k.tk");
        assert_eq!((lines.text[0].as_str(), lines.sources[0]), ("%0 = arith.addi %a, %b : i32", 7));
        assert_eq!(lines.sources[1], 7);
        assert_eq!(lines.text[2], "  func(%a: i32, %b: i32)");
        assert_eq!(lines.text.len(), 3);
        let ptx = of_ptx(".file 1 \"/a/k.tk\"\n.loc 1 5 2\n\tadd.s32 %r1, %r2, 1;\n$L:\n", &Places::of("k.tk", None));
        assert_eq!(ptx.sources, [0, 5, 0]);
    }

    #[test]
    fn of_a_function_of_another_file_the_call_counts() {
        let text = "a loc(#loc3)\n#loc1 = loc(\"ops.tk\":7:3)\n#loc2 = loc(\"k.tk\":9:3)\n#loc3 = loc(callsite(#loc1 at #loc2))\n";
        assert_eq!(of_mlir(text, "k.tk").sources, [9]);
        let text = ".loc 2 5 2, function_name $L, inlined_at 1 9 3\nadd;\n.loc 2 6 2\nsub;\n.file 1 \"k.tk\"\n.file 2 \"ops.tk\"\n";
        assert_eq!(of_ptx(text, &Places::of("k.tk", None)).sources[..2], [9, 0]);
        let text = "  %1 = add i32 %0, 1, !dbg !5\n  ret void, !dbg !6\n  br label %3, !dbg !7\n!1 = !DIFile(filename: \"k.tk\", directory: \"examples\")\n\
                    !2 = !DIFile(filename: \"ops.tk\", directory: \"examples\")\n!3 = distinct !DISubprogram(name: \"k\", file: !1)\n!4 = distinct !DISubprogram(name: \"f\", file: !2)\n\
                    !5 = !DILocation(line: 81, column: 11, scope: !3)\n!6 = !DILocation(line: 7, scope: !4, inlinedAt: !5)\n!7 = !DILocation(line: 7, scope: !4)\n";
        let llvm = of_llvm(text, &Places::of("examples/k.tk", None));
        assert_eq!((llvm.text[0].as_str(), &llvm.sources[..]), ("  %1 = add i32 %0, 1", &[81, 81, 0][..]));
    }

    #[test]
    fn instructions_of_a_disassembly_have_lines() {
        let text = "\t.headerflags @\"x\"\n.text.k:\n\t//## File \"examples/k.tk\", line 125\n        /*0000*/  LDC R1, c[0x0][0x28] ;\n.L_x_1:\n\
                    \t//## File \"ops.tk\", line 3 inlined at \"examples/k.tk\", line 9\n        /*0010*/  @!P0 EXIT ;\n";
        let sass = of_sass(text, &Places::of("examples/k.tk", None));
        assert_eq!(sass.text, ["0000       LDC R1, c[0x0][0x28] ;", ".L_x_1:", "0010  @!P0 EXIT ;"]);
        assert_eq!(sass.sources, [125, 0, 9]);
    }
}
