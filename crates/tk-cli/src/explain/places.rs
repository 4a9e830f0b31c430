//! Places in files: which lines of the page's source code belongs to, that of functions in other files included.
//!
//! LLVM and PTX say of an operation in a function of another file where it is written, and not who called. The IR of MLIR says both; so
//! [`Places`] reads there which call leads to a line of another file, and answers for the other forms. Of a line that several calls lead to,
//! it says nothing.

use std::collections::HashMap;

/// Places inside places that are followed.
const MOST_LINKS: u32 = 16;

/// Names of places in MLIR text, `#loc7`, and what they stand for.
pub(super) type Named<'t> = HashMap<&'t str, &'t str>;

pub(super) fn named_places(text: &str) -> Named<'_> {
    text.lines().filter(|line| line.starts_with("#loc")).filter_map(|line| line.split_once(" = ")).collect()
}

/// `"file.tk":12:3`.
struct FilePlace<'t> {
    path: &'t str,
    line: u32,
}

impl<'t> FilePlace<'t> {
    fn read(text: &'t str) -> Option<Self> {
        let (path, rest) = text.strip_prefix('"')?.split_once("\":")?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        Some(FilePlace { path, line: digits.parse().ok()? })
    }
}

/// The first line number in the file that a place leads to.
pub(super) fn source_of(place: &str, named: &Named<'_>, file: &str) -> Option<u32> {
    first_place(place, named, MOST_LINKS, &|place| (place.path == file).then_some(place.line))
}

/// The first answer that a place or one behind it gives: where it is a call, what was called comes before who called.
fn first_place<T>(place: &str, named: &Named<'_>, links: u32, ask: &impl Fn(FilePlace<'_>) -> Option<T>) -> Option<T> {
    let links = links.checked_sub(1)?;
    let inner = place.trim().strip_prefix("loc(")?.strip_suffix(')')?;
    if let Some(found) = FilePlace::read(inner).and_then(ask) {
        return Some(found);
    }
    inner.match_indices("#loc").find_map(|(at, _)| {
        let name: &str = &inner[at..];
        let end = name.find(|c: char| !(c.is_alphanumeric() || c == '#')).unwrap_or(name.len());
        first_place(named.get(&name[..end])?, named, links, ask)
    })
}

/// The file that the kernel of MLIR text stands in.
pub(super) fn home(text: &str) -> Option<String> {
    let named = named_places(text);
    let (_, function) = text.split_once("tt.func public ")?;
    let end = function.lines().find_map(|line| line.strip_prefix("  } "))?;
    first_place(end, &named, MOST_LINKS, &|place| Some(place.path.to_string()))
}

/// What a line of another file belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    /// This line calls, and no other.
    Line(u32),
    Several,
}

/// Lines of the page's source, and the lines of other files that they call.
pub(super) struct Places {
    file: String,
    /// By line of another file: its path, and who calls.
    callers: HashMap<u32, Vec<(String, Caller)>>,
}

impl Places {
    /// Those of a file, with the calls that MLIR text names.
    pub(super) fn of(file: &str, mlir: Option<&str>) -> Self {
        let mut places = Self { file: file.to_string(), callers: HashMap::new() };
        let named = mlir.map(named_places).unwrap_or_default();
        for place in named.values() {
            let called = |called: FilePlace<'_>| Some((called.path.to_string(), called.line));
            if let Some((path, line)) = first_place(place, &named, MOST_LINKS, &called)
                && path != file
                && let Some(caller) = source_of(place, &named, file)
            {
                places.add(path, line, caller);
            }
        }
        places
    }

    fn add(&mut self, path: String, line: u32, caller: u32) {
        let known = self.callers.entry(line).or_default();
        match known.iter_mut().find(|(other, _)| *other == path) {
            Some((_, before)) if *before == Caller::Line(caller) => {}
            Some((_, before)) => *before = Caller::Several,
            None => known.push((path, Caller::Line(caller))),
        }
    }

    /// Whether a path is that of the page's source.
    pub(super) fn is_here(&self, path: &str) -> bool {
        is_path(path, &self.file)
    }

    /// The line of the page's source for a line of a file: itself, or the one that calls it.
    pub(super) fn line_of(&self, path: &str, line: u32) -> Option<u32> {
        if self.is_here(path) {
            return (line > 0).then_some(line);
        }
        self.callers.get(&line)?.iter().find(|(other, _)| is_path(path, other)).and_then(|(_, caller)| match caller {
            Caller::Line(line) => Some(*line),
            Caller::Several => None,
        })
    }
}

/// Whether a path of a form, which begins at the root or the current folder, is that of the file.
fn is_path(path: &str, file: &str) -> bool {
    path == file || path.strip_suffix(file).is_some_and(|folder| folder.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_other_files_belong_to_their_only_call() {
        let text = "#loc1 = loc(\"lib/ops.tk\":7:3)\n#loc2 = loc(\"k.tk\":9:3)\n#loc3 = loc(\"k.tk\":11:3)\n#loc4 = loc(\"lib/ops.tk\":8:3)\n\
                    #loc5 = loc(callsite(#loc1 at #loc2))\n#loc6 = loc(callsite(#loc4 at #loc2))\n#loc7 = loc(callsite(#loc4 at #loc3))\n";
        let places = Places::of("k.tk", Some(text));
        assert_eq!(places.line_of("/folder/lib/ops.tk", 7), Some(9));
        assert_eq!(places.line_of("lib/ops.tk", 8), None, "two lines call it");
        assert_eq!(places.line_of("other/ops.tk", 7), None);
        assert_eq!((places.line_of("/a/k.tk", 4), places.line_of("k.tk", 0)), (Some(4), None));
    }
}
