//! A source text and positions in it. A text may have several parts, each with a name and lines of its own: the file that was
//! given first, and the files that it imports. A byte offset says the part, so a [`Span`] is a place in all of them.

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

/// A text of one or several named parts with their line starts; cheap to clone.
#[derive(Clone, Debug)]
pub struct SourceFile(Arc<[Arc<PartData>]>);

#[derive(Debug)]
struct PartData {
    name: String,
    text: String,
    /// Where the part is in the whole: behind the part before it and one byte for the end of that.
    span: Span,
    /// The number of its first line in the file: 1, unless it is an excerpt.
    first_line: u32,
    /// Where its lines start in its text.
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// Indexes `text`; `name` is what diagnostics print before the line.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self(Arc::from([PartData::of(name.into(), text.into(), 0, 1)]))
    }

    /// The text of some lines of a file, of which the first has this number (from 1).
    pub fn excerpt(name: impl Into<String>, text: impl Into<String>, first_line: u32) -> Self {
        Self(Arc::from([PartData::of(name.into(), text.into(), 0, first_line.max(1))]))
    }

    /// This text with one more part behind it. Spans of this text mean the same in the new one.
    pub fn with_part(&self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.with_excerpt(name, text, 1)
    }

    /// This text with some lines of a file behind it, of which the first has this number (from 1).
    pub fn with_excerpt(&self, name: impl Into<String>, text: impl Into<String>, first_line: u32) -> Self {
        let start = self.0.last().map_or(0, |part| part.span.end as usize + 1);
        let part = PartData::of(name.into(), text.into(), start, first_line.max(1));
        Self(self.0.iter().cloned().chain([part]).collect())
    }

    /// The name of the first part, usually a path.
    pub fn name(&self) -> &str {
        &self.0[0].name
    }

    /// The text of the first part.
    pub fn text(&self) -> &str {
        &self.0[0].text
    }

    /// The parts in order; there is at least one.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = SourcePart<'_>> {
        self.0.iter().map(|part| SourcePart(part))
    }

    /// The names, first lines, lengths and texts of all parts: what a digest of the whole is made of.
    pub fn whole(&self) -> String {
        let mut whole = String::with_capacity(self.0.iter().map(|part| part.text.len() + part.name.len() + 16).sum());
        for part in self.0.iter() {
            whole.push_str(&format!("{} {} {}\n", part.text.len(), part.first_line, part.name));
            whole.push_str(&part.text);
        }
        whole
    }

    /// The number of the part that an offset is in; the last one for an offset past the end.
    pub fn part_index(&self, offset: u32) -> usize {
        self.0.partition_point(|part| part.span.start <= offset).max(1) - 1
    }

    /// The part that an offset is in.
    pub fn part_at(&self, offset: u32) -> SourcePart<'_> {
        SourcePart(&self.0[self.part_index(offset)])
    }

    /// The first part with this name.
    pub fn part_named(&self, name: &str) -> Option<SourcePart<'_>> {
        self.parts().find(|part| part.name() == name)
    }

    /// The part with a line (from 1) of the file of this name: the first one that holds the line, else the first one of the file.
    pub fn part_with_line(&self, name: &str, line: u32) -> Option<SourcePart<'_>> {
        self.parts().find(|part| part.name() == name && part.has_line(line)).or_else(|| self.part_named(name))
    }

    /// The text of a span; empty when the span is outside the file, in two parts or splits a character.
    pub fn slice(&self, span: Span) -> &str {
        self.part_at(span.start).slice(span)
    }

    /// Line and column, in its part, of a byte offset.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        self.part_at(offset).line_column(offset)
    }

    /// `name:line:column` of a byte offset.
    pub fn place(&self, offset: u32) -> String {
        let part = self.part_at(offset);
        let LineColumn { line, column } = part.line_column(offset);
        format!("{}:{line}:{column}", part.name())
    }

    /// The text of a line (from 1) of the first part, without its line break; empty past the end.
    pub fn line_text(&self, line: u32) -> &str {
        self.part_at(0).line_text(line)
    }

    /// The byte offset of a line and column (both from 1) of the first part, clamped to it.
    pub fn offset(&self, position: LineColumn) -> u32 {
        self.part_at(0).offset(position)
    }
}

impl PartData {
    /// Indexes the lines of a part that begins at `start`.
    fn of(name: String, text: String, start: usize, first_line: u32) -> Arc<Self> {
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        Arc::new(Self { name, span: Span::new(start, start + text.len()), text, first_line, line_starts })
    }
}

/// One part of a text: what was one file.
#[derive(Clone, Copy, Debug)]
pub struct SourcePart<'a>(&'a PartData);

impl<'a> SourcePart<'a> {
    /// The name of the file.
    pub fn name(self) -> &'a str {
        &self.0.name
    }

    /// Where it is in the whole text.
    pub fn span(self) -> Span {
        self.0.span
    }

    /// The text of the file, or of the lines that this is.
    pub fn text(self) -> &'a str {
        &self.0.text
    }

    /// The number (from 1) of its first line in the file.
    pub fn first_line(self) -> u32 {
        self.0.first_line
    }

    /// Whether it holds a line (from 1) of the file.
    pub fn has_line(self, line: u32) -> bool {
        line.checked_sub(self.0.first_line).is_some_and(|index| (index as usize) < self.0.line_starts.len())
    }

    /// The text of a span of the whole; empty when the span is not in this part or splits a character.
    pub fn slice(self, span: Span) -> &'a str {
        let base = self.0.span.start;
        let range = span.start.checked_sub(base).zip(span.end.checked_sub(base));
        range.and_then(|(start, end)| self.0.text.get(start as usize..end as usize)).unwrap_or("")
    }

    /// Line and column of an offset into the whole.
    pub fn line_column(self, offset: u32) -> LineColumn {
        let base = self.0.span.start;
        let line = self.0.line_starts.partition_point(|start| *start <= offset.saturating_sub(base)).max(1) - 1;
        let start = base + self.0.line_starts.get(line).copied().unwrap_or(0);
        let column = self.slice(Span { start, end: offset }).chars().count() as u32 + 1;
        LineColumn { line: line as u32 + self.0.first_line, column }
    }

    /// The line (from 1) of an offset; quick for lines of any length.
    pub fn line(self, offset: u32) -> u32 {
        let base = self.0.span.start;
        let line = self.0.line_starts.partition_point(|start| *start <= offset.saturating_sub(base)).max(1) - 1;
        line as u32 + self.0.first_line
    }

    /// The text of a line (from 1), without its line break; empty past the end.
    pub fn line_text(self, line: u32) -> &'a str {
        let Some(index) = line.checked_sub(self.0.first_line).map(|index| index as usize) else { return "" };
        let Some(start) = self.0.line_starts.get(index).copied() else { return "" };
        let end = self.0.line_starts.get(index + 1).copied().unwrap_or(self.0.text.len() as u32);
        self.0.text.get(start as usize..end as usize).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// The offset, into the whole, of a line and column (both from 1), clamped to the part.
    pub fn offset(self, position: LineColumn) -> u32 {
        let index = position.line.saturating_sub(self.0.first_line) as usize;
        let Some(start) = self.0.line_starts.get(index).copied() else { return self.0.span.end };
        let line = self.line_text(position.line);
        let column = position.column.saturating_sub(1) as usize;
        let bytes: usize = line.chars().take(column).map(char::len_utf8).sum();
        self.0.span.start + start + bytes as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every offset of a text of several parts has the line and column that it has in its own file.
    #[test]
    fn parts_count_their_own_lines() {
        let texts = ["a = 1\nb = 2", "", "\n\nĉ = 3\n", "def f():\n    return 4\n"];
        let first = SourceFile::new("0", texts[0]);
        let file = (1..texts.len()).fold(first.clone(), |file, i| file.with_part(i.to_string(), texts[i]));
        assert_eq!(file.parts().map(|part| part.text()).collect::<Vec<_>>(), texts);
        for (index, text) in texts.iter().enumerate() {
            let (alone, part) = (SourceFile::new("", *text), file.part_named(&index.to_string()).unwrap());
            for at in (0..=text.len() as u32).filter(|at| text.is_char_boundary(*at as usize)) {
                let offset = part.span().start + at;
                let position = alone.line_column(at);
                assert_eq!(file.part_index(offset), index);
                assert_eq!(file.line_column(offset), position);
                assert_eq!(part.offset(position), part.span().start + alone.offset(position));
                assert_eq!(part.line_text(position.line), alone.line_text(position.line));
            }
        }
        assert_eq!(file.slice(Span::new(0, 5)), first.slice(Span::new(0, 5)));
    }

    #[test]
    fn excerpts_have_the_lines_of_their_file() {
        let file =
            SourceFile::excerpt("m.py", "def f():\n    pass\n", 10).with_excerpt("m.py", "    def g(): pass\n", 3);
        assert_eq!(file.place(4), "m.py:10:5");
        assert_eq!(file.line_text(11), "    pass");
        assert_eq!((file.line_text(9), file.line_text(1)), ("", ""));
        assert_eq!(file.offset(LineColumn { line: 11, column: 5 }), 13);
        let part = file.part_with_line("m.py", 3).unwrap();
        assert_eq!((part.first_line(), part.line_text(3)), (3, "    def g(): pass"));
        assert_eq!(file.part_with_line("m.py", 11).unwrap().first_line(), 10);
        assert_eq!(file.part_with_line("m.py", 99).unwrap().first_line(), 10);
        assert_eq!(file.place(part.span().start + 8), "m.py:3:9");
    }
}
