//! Warnings that a program silences: `# tk: allow(CODE)` on the line, or on comment lines right above it, and
//! `# tk: allow-file(CODE)` anywhere in the file.

use crate::{Diagnostic, Severity, SourcePart};

/// Whether the text of the program silences this warning. Errors cannot be silenced.
pub fn is_allowed(diagnostic: &Diagnostic) -> bool {
    if diagnostic.severity != Severity::Warning {
        return false;
    }
    let slug = diagnostic.code.slug;
    // A warning inside a function that is called somewhere may be silenced at the call as well.
    let lines = diagnostic.labels.iter().filter_map(|label| Some((label.file.as_ref()?, label.span)));
    lines.into_iter().any(|(file, span)| {
        let part = file.part_at(span.start);
        let (first, last) = (part.line_column(span.start).line, part.line_column(span.end).line);
        (first..=last).any(|line| lists(part.line_text(line), "allow", slug))
            || above(part, first).any(|line| lists(line, "allow", slug))
            || part.text().lines().any(|line| lists(line, "allow-file", slug))
    })
}

/// The comment lines right above a line, nearest first.
fn above(part: SourcePart<'_>, line: u32) -> impl Iterator<Item = &str> {
    (1..line).rev().map(move |line| part.line_text(line)).take_while(|text| text.trim_start().starts_with('#'))
}

/// Whether a line has a comment `tk: WORD(…)` that lists the code.
fn lists(line: &str, word: &str, slug: &str) -> bool {
    let Some((_, comment)) = line.split_once('#') else { return false };
    let Some((_, rest)) = comment.split_once(&format!("tk: {word}(")) else { return false };
    let list = rest.split_once(')').map_or(rest, |(list, _)| list);
    list.split(',').any(|code| code.trim() == slug)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{INT32_OFFSET, SILENT_TF32, SourceFile, Span};

    #[test]
    fn comments_silence_their_line_and_nothing_else() {
        let warns = |text: &str| {
            let at = text.find("HERE").unwrap();
            let file = SourceFile::new("k.tk", text);
            !is_allowed(&Diagnostic::warning(INT32_OFFSET, "").at(&file, Span::new(at, at + 4), ""))
        };
        assert!(warns("x = HERE\n"));
        assert!(!warns("x = HERE  # tk: allow(int32-offset)\n"));
        assert!(!warns("x = HERE  # why not; tk: allow(silent-tf32, int32-offset)\n"));
        assert!(warns("x = HERE  # tk: allow(silent-tf32)\n"));
        assert!(!warns("# tk: allow(int32-offset)\n# because\nx = HERE\n"));
        assert!(warns("# tk: allow(int32-offset)\ny = 1\nx = HERE\n"));
        assert!(!warns("x = HERE\n# tk: allow-file(int32-offset)\n"));
        let file = SourceFile::new("k.tk", "x  # tk: allow(silent-tf32)\n");
        assert!(!is_allowed(&Diagnostic::error(SILENT_TF32, "").at(&file, Span::new(0, 1), "")));
    }
}
