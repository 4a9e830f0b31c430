//! A source file and positions in it.

use std::sync::Arc;

/// A half-open range of bytes in one source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`; offsets past 4 GiB are clamped.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(end) }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A position as people count: line and column from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A named text with its line starts; cheap to clone.
#[derive(Clone, Debug)]
pub struct SourceFile(Arc<SourceData>);

#[derive(Debug)]
struct SourceData {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// Indexes `text`; `name` is what diagnostics print before the line.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        Self(Arc::new(SourceData { name: name.into(), text, line_starts }))
    }

    /// The name given at construction, usually a path.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The text of a span; empty when the span is outside the file or splits a character.
    pub fn slice(&self, span: Span) -> &str {
        self.0.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of a byte offset.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.0.line_starts.partition_point(|start| *start <= offset).max(1) - 1;
        let start = self.0.line_starts.get(line).copied().unwrap_or(0);
        let before = self.slice(Span { start, end: offset });
        let column = before.chars().count() as u32 + 1;
        LineColumn { line: line as u32 + 1, column }
    }

    /// The text of a line (from 1), without its line break; empty past the end.
    pub fn line_text(&self, line: u32) -> &str {
        let index = line.saturating_sub(1) as usize;
        let Some(start) = self.0.line_starts.get(index).copied() else { return "" };
        let end = self.0.line_starts.get(index + 1).copied().unwrap_or(self.0.text.len() as u32);
        self.slice(Span { start, end }).trim_end_matches(['\n', '\r'])
    }

    /// The byte offset of a line and column (both from 1), clamped to the file.
    pub fn offset(&self, position: LineColumn) -> u32 {
        let index = position.line.saturating_sub(1) as usize;
        let Some(start) = self.0.line_starts.get(index).copied() else { return self.0.text.len() as u32 };
        let line = self.line_text(position.line);
        let column = position.column.saturating_sub(1) as usize;
        let bytes: usize = line.chars().take(column).map(char::len_utf8).sum();
        start + bytes as u32
    }
}
