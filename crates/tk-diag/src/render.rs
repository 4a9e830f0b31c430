//! The one place that knows what a diagnostic looks like. annotate-snippets lays it out; here is what it is given.
//!
//! Labels of one file that stand near each other are one block of source lines. A label marks one line: of a span over several
//! lines, the first. What is shown has a bound whatever the file holds: a long line is cut around its label, and of what a label
//! marks at most [`MAX_COLUMNS`] characters are kept. No terminal is asked for its width, so that output is the same everywhere.

use crate::{Diagnostic, Label, LineColumn, Severity, SourcePart};
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Renderer, Snippet, normalize_untrusted_str,
};
use std::ops::Range;

/// With or without terminal colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// ANSI colors.
    Color,
}

/// Columns of a source line that are shown; longer lines are cut around the label.
const MAX_COLUMNS: usize = 160;

/// Lines between labels of one block, at most; those without labels are left out.
const MAX_BLOCK_LINES: u32 = 500;

/// `file:line:col: error[code]: message`, the concise form.
pub fn render_short(diagnostic: &Diagnostic) -> String {
    let place = diagnostic.labels.first().and_then(place_of).map(|p| format!("{p}: ")).unwrap_or_default();
    let text = format!("{place}{}[{}]: {}", word(diagnostic.severity), diagnostic.code.slug, diagnostic.message);
    normalize_untrusted_str(&text)
}

/// The full form: message, source lines with carets, notes and help. It ends with a line break.
pub fn render(diagnostic: &Diagnostic, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Color => Renderer::styled().hyperlink(false),
    };
    let message = |level: Level<'static>, text: &str| Element::from(level.message(normalize_untrusted_str(text)));
    let group: Group<'_> = level(diagnostic.severity)
        .primary_title(&diagnostic.message)
        .id(diagnostic.code.slug)
        .elements(blocks(&diagnostic.labels).into_iter().map(Block::snippet))
        .elements(diagnostic.notes.iter().map(|note| message(Level::NOTE, note)))
        .elements(diagnostic.help.iter().map(|help| message(Level::HELP, help)));
    renderer.term_width(MAX_COLUMNS).render(&[group]) + "\n"
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
        Severity::Bug => "bug in tk",
    }
}

fn level(severity: Severity) -> Level<'static> {
    let level = match severity {
        Severity::Warning => Level::WARNING,
        Severity::Error | Severity::Bug => Level::ERROR,
    };
    level.with_name(word(severity))
}

fn place_of(label: &Label) -> Option<String> {
    let file = label.file.as_ref()?;
    Some(file.place(label.span.start))
}

/// A label in its line: what it marks, in bytes of the text of its part.
struct Mark<'d> {
    kind: AnnotationKind,
    text: &'d str,
    line: u32,
    range: Range<usize>,
}

/// Labels that are shown with one piece of source.
struct Block<'d> {
    part: SourcePart<'d>,
    marks: Vec<Mark<'d>>,
    /// The first and the last line with a mark.
    lines: (u32, u32),
    /// Whether its one line is too long to be shown whole.
    is_long: bool,
}

/// Puts labels into blocks, in their order. The first label is the primary one.
fn blocks(labels: &[Label]) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for (index, label) in labels.iter().enumerate() {
        let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let Some(file) = &label.file else { continue };
        let part = file.part_at(label.span.start);
        let mark = Mark::of(label, part, kind);
        let is_long = part.line_text(mark.line).len() > MAX_COLUMNS;
        match blocks.iter_mut().find(|block| !is_long && block.takes(part, mark.line)) {
            Some(block) => {
                block.lines = (block.lines.0.min(mark.line), block.lines.1.max(mark.line));
                block.marks.push(mark);
            }
            None => blocks.push(Block { part, lines: (mark.line, mark.line), marks: vec![mark], is_long }),
        }
    }
    blocks
}

impl<'d> Mark<'d> {
    fn of(label: &'d Label, part: SourcePart<'d>, kind: AnnotationKind) -> Self {
        let position = part.line_column(label.span.start);
        let text = part.text();
        // Offsets that are in no character of the line become its end.
        let line = line_range(part, position.line);
        let within = |offset: u32| (offset.saturating_sub(part.span().start) as usize).clamp(line.start, line.end);
        let start = text.floor_char_boundary(within(label.span.start));
        let end = within(label.span.end).clamp(start, start + MAX_COLUMNS / 2);
        Self { kind, text: &label.text, line: position.line, range: start..text.floor_char_boundary(end) }
    }
}

/// The bytes of a line, without its line break, in the text of its part.
fn line_range(part: SourcePart<'_>, line: u32) -> Range<usize> {
    let start = (part.offset(LineColumn { line, column: 1 }) - part.span().start) as usize;
    start..start + part.line_text(line).len()
}

impl<'d> Block<'d> {
    /// Whether a mark in this line can be shown with these.
    fn takes(&self, part: SourcePart<'_>, line: u32) -> bool {
        let (first, last) = (self.lines.0.min(line), self.lines.1.max(line));
        part.span() == self.part.span()
            && part.name() == self.part.name()
            && !self.is_long
            && last - first <= MAX_BLOCK_LINES
    }

    fn snippet(self) -> Snippet<'d, Annotation<'d>> {
        let (first, last) = (line_range(self.part, self.lines.0), line_range(self.part, self.lines.1));
        let text = self.part.text();
        // Of a long line, nothing far behind the mark can be shown; what is before it counts for the column.
        let end = match self.marks.as_slice() {
            [mark] if self.is_long => text.floor_char_boundary(last.end.min(mark.range.end + 2 * MAX_COLUMNS)),
            _ => last.end,
        };
        let annotations = self.marks.into_iter().map(|mark| {
            let annotation = mark.kind.span(mark.range.start - first.start..mark.range.end - first.start);
            annotation.label(Some(one_line(mark.text)).filter(|text| !text.is_empty()))
        });
        Snippet::source(&text[first.start..end])
            .line_start(self.lines.0 as usize)
            .path(one_line(self.part.name()))
            .annotations(annotations)
    }
}

/// A text without control characters and line breaks.
fn one_line(text: &str) -> String {
    normalize_untrusted_str(text).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use crate::*;

    #[test]
    fn caret_stands_under_the_span_and_long_lines_are_cut() {
        let file = SourceFile::new("k.tk", "x = 1\ny = wrong + 1\n");
        let d = Diagnostic::error(UNKNOWN_NAME, "`wrong` is not defined").at(&file, Span::new(10, 15), "here");
        let text = render(&d, Style::Plain);
        assert!(text.contains("k.tk:2:5"), "{text}");
        assert!(text.contains("2 | y = wrong + 1\n  |     ^^^^^ here"), "{text}");
        let long = SourceFile::new("k.tk", "a".repeat(10_000_000));
        for (start, end) in [(5_000_000, 5_000_001), (0, 10_000_000), (3, 9_000_000), (10_000_000, 10_000_000)] {
            let d = Diagnostic::error(SYNTAX, "too long").at(&long, Span::new(start, end), "here");
            let text = render(&d, Style::Plain);
            assert!(text.len() < 1000 && text.contains("^ here"), "{text}");
            assert!(text.contains(&format!("k.tk:1:{}\n", start + 1)), "{text}");
        }
    }

    #[test]
    fn labels_of_a_file_are_one_block_and_of_another_a_second() {
        let file =
            SourceFile::new("k.tk", "a = 1\nb = f(a)\nc = 2\nd = g(b)\n").with_part("f.py", "def f(x):\n    pass\n");
        let at = |words: &str| {
            let start = file.parts().find_map(|part| Some(part.text().find(words)? + part.span().start as usize));
            let start = start.expect("the words are in a part");
            Span::new(start, start + words.len())
        };
        let d = Diagnostic::error(TYPE_MISMATCH, "`f` takes a tensor")
            .at(&file, at("f(a)"), "given a number")
            .at(&file, at("f(x)"), "")
            .at(&file, at("a = 1"), "it is from here")
            .note("tensors have a shape")
            .help("write `tl.full`");
        let wanted = r#"error[type-mismatch]: `f` takes a tensor
 --> k.tk:2:5
  |
1 | a = 1
  | ----- it is from here
2 | b = f(a)
  |     ^^^^ given a number
  |
 ::: f.py:1:5
  |
1 | def f(x):
  |     ----
  |
  = note: tensors have a shape
  = help: write `tl.full`
"#;
        assert_eq!(render(&d, Style::Plain), wanted);
        assert_eq!(strip(&render(&d, Style::Color)), wanted);
    }

    /// Without terminal escapes.
    fn strip(text: &str) -> String {
        let mut parts = text.split('\x1b');
        let first = parts.next().unwrap_or_default().to_string();
        parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
    }

    /// The carets are under what the span marks, as a terminal shows it: wide characters take two columns, combining marks none, tabs
    /// four, and a control character is shown as its picture.
    #[test]
    fn carets_stand_under_characters_of_any_width() {
        let cases = [
            ("s = \"語言\" + x", "k.tk:1:12\n  |\n1 | s = \"語言\" + x\n  |              ^\n"),
            ("\tif x:", "k.tk:1:5\n  |\n1 |     if x:\n  |        ^\n"),
            ("e\u{301}\u{323} = x", "k.tk:1:7\n  |\n1 | e\u{301}\u{323} = x\n  |     ^\n"),
            ("\"\x1b[1m\" + x", "k.tk:1:10\n  |\n1 | \"␛[1m\" + x\n  |          ^\n"),
            ("\"\u{202e}\" + x", "k.tk:1:7\n  |\n1 | \"�\" + x\n  |       ^\n"),
        ];
        for (text, wanted) in cases {
            let file = SourceFile::new("k.tk", format!("{text}\n"));
            let at = text.find('x').expect("every case has one");
            let shown = render(&Diagnostic::error(SYNTAX, "`x`").at(&file, Span::new(at, at + 1), ""), Style::Plain);
            assert!(shown.contains(wanted), "{shown}\n{wanted}");
        }
    }

    #[test]
    fn no_span_and_no_text_breaks_it() {
        let texts =
            ["", "\n", "\0\x1b[31m\r\n\u{202e}é\r", "é語", "a\n\n\nb\n", &"x\n".repeat(3000), &"語".repeat(3000)];
        for text in texts {
            let file = SourceFile::new("k\n\x1b.tk", text).with_part("empty", "").with_part("second", text);
            let length = text.len();
            let places = [0, 1, 2, 3, 4, 5, 6, 299, length / 2, length, length + 1, 2 * length + 3, u32::MAX as usize];
            for start in places {
                for end in places {
                    let span = Span { start: start as u32, end: end as u32 };
                    let d = Diagnostic::bug("a\0b\x1b").at(&file, span, "one\x1b\n").at(
                        &file,
                        Span::new(end, start),
                        "two",
                    );
                    let d = d.note("n\x1b");
                    for text in [render(&d, Style::Plain), render_short(&d)] {
                        assert!(text.len() < 5000 && !text.contains(['\0', '\x1b']), "{text:?}");
                    }
                }
            }
        }
    }
}
