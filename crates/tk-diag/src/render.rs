//! The one place that knows what a diagnostic looks like.

use crate::{Diagnostic, Label, Severity};
use std::fmt::Write;

/// With or without terminal colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// ANSI colors.
    Color,
}

/// Longest piece of a source line that is shown; longer lines are cut around the caret.
const MAX_LINE_CHARS: usize = 160;

/// `file:line:col: error[code]: message`, the concise form.
pub fn render_short(diagnostic: &Diagnostic) -> String {
    let place = diagnostic.labels.first().and_then(place_of).map(|p| format!("{p}: ")).unwrap_or_default();
    format!("{place}{}[{}]: {}", word(diagnostic.severity), diagnostic.code.slug, diagnostic.message)
}

/// The full form: message, source lines with carets, notes and help.
pub fn render(diagnostic: &Diagnostic, style: Style) -> String {
    let paint = |code: &str, text: &str| match style {
        Style::Plain => text.to_string(),
        Style::Color => format!("\x1b[{code}m{text}\x1b[0m"),
    };
    let color = if diagnostic.severity == Severity::Warning { "1;33" } else { "1;31" };
    let head = format!("{}[{}]", word(diagnostic.severity), diagnostic.code.slug);
    let mut out = format!("{}: {}\n", paint(color, &head), paint("1", &diagnostic.message));
    for label in &diagnostic.labels {
        render_label(&mut out, label, &paint, color);
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "  {} {note}", paint("1;34", "note:"));
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(out, "  {} {help}", paint("1;32", "help:"));
    }
    out
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
        Severity::Bug => "bug in tk",
    }
}

fn place_of(label: &Label) -> Option<String> {
    let file = label.file.as_ref()?;
    Some(file.place(label.span.start))
}

fn render_label(out: &mut String, label: &Label, paint: &dyn Fn(&str, &str) -> String, color: &str) {
    let Some(file) = &label.file else { return };
    let part = file.part_at(label.span.start);
    let start = part.line_column(label.span.start);
    let number = start.line.to_string();
    let gutter = " ".repeat(number.len());
    let _ = writeln!(out, "{gutter}{} {}:{}:{}", paint("1;34", "-->"), part.name(), start.line, start.column);
    let (text, before) = visible(part.line_text(start.line), start.column as usize - 1);
    let end = part.line_column(label.span.end);
    let width =
        if end.line == start.line { end.column.saturating_sub(start.column) as usize } else { text.chars().count() };
    let width = width.clamp(1, text.chars().count().saturating_sub(before).max(1));
    let bar = paint("1;34", "|");
    let _ = writeln!(out, "{gutter} {bar}");
    let _ = writeln!(out, "{} {bar} {text}", paint("1;34", &number));
    let carets = paint(color, &"^".repeat(width));
    let _ = writeln!(out, "{gutter} {bar} {}{carets} {}", " ".repeat(before), paint(color, &label.text));
    while out.ends_with(" \n") {
        out.truncate(out.len() - 2);
        out.push('\n');
    }
}

/// The part of a line around a column, with tabs as spaces, and where the column is in it.
fn visible(line: &str, column: usize) -> (String, usize) {
    let chars: Vec<char> = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if chars.len() <= MAX_LINE_CHARS {
        return (chars.into_iter().collect(), column);
    }
    let first = column.saturating_sub(MAX_LINE_CHARS / 2).min(chars.len() - MAX_LINE_CHARS);
    let cut = chars[first..first + MAX_LINE_CHARS].iter().collect();
    (cut, column - first)
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
        let d = Diagnostic::error(SYNTAX, "too long").at(&long, Span::new(5_000_000, 5_000_001), "");
        assert!(render(&d, Style::Plain).len() < 1000);
    }
}
