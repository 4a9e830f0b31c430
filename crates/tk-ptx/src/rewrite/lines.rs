//! The lines of a text, and where they begin in it.

use std::ops::Range;

/// The lines of a text.
pub(super) struct Lines<'t> {
    lines: Vec<&'t str>,
    /// The offset at which each begins.
    starts: Vec<u32>,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let ends = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        Self { lines, starts: std::iter::once(0).chain(ends).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The line of an offset.
    pub(super) fn at(&self, offset: u32) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// A line without the spaces around it.
    pub(super) fn trimmed(&self, line: usize) -> &'t str {
        self.line(line).trim()
    }

    /// A line as it is, without its end.
    pub(super) fn line(&self, line: usize) -> &'t str {
        self.lines.get(line).copied().unwrap_or_default()
    }

    /// Lines as they are, each with its end.
    pub(super) fn raw(&self, lines: Range<usize>) -> String {
        self.lines[lines].iter().flat_map(|line| [line, "\n"]).collect()
    }

    /// The line says which line of the program the next ones come from.
    pub(super) fn is_location(&self, line: usize) -> bool {
        self.trimmed(line).starts_with(".loc")
    }

    /// A label that only debuggers look at.
    pub(super) fn is_debug_label(&self, line: usize) -> bool {
        let text = self.trimmed(line);
        text.starts_with("$L__tmp") && text.ends_with(':')
    }

    /// A comment, or nothing.
    pub(super) fn is_blank(&self, line: usize) -> bool {
        let text = self.trimmed(line);
        text.is_empty() || text.starts_with("//")
    }

    /// A passage of inline assembly begins here.
    pub(super) fn starts_inline(&self, line: usize) -> bool {
        self.trimmed(line) == "// begin inline asm"
    }

    pub(super) fn ends_inline(&self, line: usize) -> bool {
        self.trimmed(line) == "// end inline asm"
    }
}
