//! A text with positions as editors count them: lines from 0, columns in UTF-16 code units.
//!
//! tk counts bytes. Everything that crosses from one to the other goes through here.

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use std::sync::Arc;
use tk_diag::Span;

/// Bytes between two marks, so that long lines are not counted again and again.
const MARK: usize = 256;

/// A text and where its lines start.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    text: Arc<str>,
    /// Bytes from the start; the first is 0. Lines end with `\n`, `\r\n` or `\r`.
    line_starts: Vec<u32>,
    /// Code units of the characters that begin before each [`MARK`] bytes.
    marks: Vec<u32>,
}

/// Code units of the character that begins with a byte; none where none begins.
fn units_of(byte: u8) -> u32 {
    match byte {
        0x80..=0xBF => 0,
        0xF0..=0xFF => 2,
        _ => 1,
    }
}

impl Text {
    pub(crate) fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let bytes = text.as_bytes();
        let ends_line = |at: usize| bytes[at] == b'\n' || (bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
        let ends = (0..bytes.len()).filter(|at| ends_line(*at)).map(|at| at as u32 + 1);
        let line_starts = std::iter::once(0).chain(ends).collect();
        let mut units = 0;
        let chunks = bytes.chunks(MARK).map(|chunk| {
            units += chunk.iter().map(|byte| units_of(*byte)).sum::<u32>();
            units
        });
        let marks = std::iter::once(0).chain(chunks).collect();
        Self { text, line_starts, marks }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn shared(&self) -> Arc<str> {
        self.text.clone()
    }

    /// The number of the line, from 0, of an offset.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start as usize <= offset).max(1) - 1
    }

    /// Bytes of the longest line, its line break included.
    pub(crate) fn longest_line(&self) -> usize {
        let ends = self.line_starts.iter().skip(1).copied().chain([self.text.len() as u32]);
        self.line_starts.iter().zip(ends).map(|(start, end)| (end - start) as usize).max().unwrap_or_default()
    }

    /// Where a line starts and where its text ends, without its line break; an empty range behind the end.
    pub(crate) fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let Some(start) = self.line_starts.get(line).map(|start| *start as usize) else {
            return self.text.len()..self.text.len();
        };
        let end = self.line_starts.get(line + 1).map_or(self.text.len(), |end| *end as usize);
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// The text of a line without its line break.
    pub(crate) fn line_text(&self, line: usize) -> &str {
        &self.text[self.line_range(line)]
    }

    /// The byte that a position is before, clamped to its line; the start of a character that it is inside of.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let range = self.line_range(position.line as usize);
        let wanted = self.units(range.start).saturating_add(position.character);
        let mark = self.marks.partition_point(|units| *units <= wanted).max(1) - 1;
        let start = range.start.max(mark * MARK);
        let mut units = self.units(start.min(self.text.len()));
        for (at, byte) in self.text.as_bytes().iter().enumerate().take(range.end).skip(start) {
            let width = units_of(*byte);
            if width > 0 && units + width > wanted {
                return at;
            }
            units += width;
        }
        range.end
    }

    /// Code units in front of a byte.
    fn units(&self, offset: usize) -> u32 {
        let mark = offset / MARK;
        let rest = self.text.as_bytes()[mark * MARK..offset].iter().map(|byte| units_of(*byte));
        self.marks[mark] + rest.sum::<u32>()
    }

    /// The position of a byte, clamped to the text; of one inside a character, that of the character.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line(offset);
        let start = self.line_starts[line] as usize;
        Position { line: line as u32, character: self.units(offset) - self.units(start) }
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start as usize), end: self.position(span.end as usize) }
    }

    /// The text after a change of a part of it, or of the whole.
    pub(crate) fn changed(&self, change: &TextDocumentContentChangeEvent) -> Self {
        let Some(range) = change.range else { return Self::new(change.text.as_str()) };
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        let (start, end) = (start.min(end), start.max(end));
        let mut text = String::with_capacity(self.text.len() + change.text.len());
        text.push_str(&self.text[..start]);
        text.push_str(&change.text);
        text.push_str(&self.text[end..]);
        Self::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_utf_16_code_units() {
        let text = Text::new("a = 'é😀x'\r\nb\rc\n");
        let x = text.text().find('x').expect("it is there");
        assert_eq!(text.position(x), Position::new(0, 8));
        assert_eq!(text.offset(Position::new(0, 8)), x);
        // In the middle of the pair of surrogates.
        assert_eq!(text.offset(Position::new(0, 7)), x - '😀'.len_utf8());
        assert_eq!(text.position(x - 2), Position::new(0, 6));
        assert_eq!(text.offset(Position::new(0, 99)), text.text().find('\r').expect("it is there"));
        assert_eq!((text.line_text(1), text.line_text(2), text.line_text(3), text.line_text(9)), ("b", "c", "", ""));
        assert_eq!(text.offset(Position::new(99, 0)), text.text().len());
    }

    #[test]
    fn every_character_goes_there_and_back() {
        let text = Text::new("ĉ\n\n😀😀 = 1\r\n\tz\r");
        for (offset, _) in text.text().char_indices().filter(|(_, c)| !"\r\n".contains(*c)) {
            assert_eq!(text.offset(text.position(offset)), offset);
        }
    }

    #[test]
    fn long_lines_are_counted_as_short_ones() {
        let line: String = (0..700).map(|at| ['a', 'é', '😀', 'ĉ', '\u{800}'][at * at % 5]).collect();
        let text = Text::new(format!("{line}\n{line}\n"));
        let mut units = 0;
        for (at, character) in line.char_indices() {
            for (row, start) in [0, line.len() + 1].into_iter().enumerate() {
                let position = Position::new(row as u32, units);
                assert_eq!((text.position(start + at), text.offset(position)), (position, start + at));
                let inside = Position::new(row as u32, units + character.len_utf16() as u32 - 1);
                assert_eq!(text.offset(inside), start + at);
            }
            units += character.len_utf16() as u32;
        }
        assert_eq!(text.offset(Position::new(1, u32::MAX)), 2 * line.len() + 1);
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let change = |start: (u32, u32), end: (u32, u32), text: &str| TextDocumentContentChangeEvent {
            range: Some(Range::new(Position::new(start.0, start.1), Position::new(end.0, end.1))),
            range_length: None,
            text: text.to_string(),
        };
        let text = Text::new("x😀y\nz\n");
        let text = text.changed(&change((0, 1), (0, 3), "ab\nc"));
        assert_eq!(text.text(), "xab\ncy\nz\n");
        let text = text.changed(&change((1, 1), (2, 0), ""));
        assert_eq!(text.text(), "xab\ncz\n");
        // A range that is the wrong way round and out of the text does no harm.
        assert_eq!(text.changed(&change((9, 9), (0, 0), "!")).text(), "!");
        let whole = TextDocumentContentChangeEvent { range: None, range_length: None, text: "new".into() };
        assert_eq!(text.changed(&whole).text(), "new");
    }
}
