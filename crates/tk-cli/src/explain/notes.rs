//! Sentences about lines: why they are slow, what tk warned of, what stands in shared memory.

use super::Explained;
use super::facts::{Level, Note};
use super::places::Places;
use tk_diag::Diagnostic;
use tk_why::{Finding, Measured, Place, Weight};

/// What is known of single lines and why, in the order of lines. Whoever finds out more about a line adds it here.
pub(super) fn notes(places: &Places, kernel: &Explained, warnings: &[Diagnostic]) -> Vec<Note> {
    let mut notes: Vec<Note> = warnings.iter().map(|warning| warning_note(places, warning)).collect();
    if let Some(image) = &kernel.image {
        let measured = kernel.record.as_ref().map_or_else(Measured::default, |record| record.measured());
        notes.extend(image.resources.why.findings(&measured).into_iter().map(|finding| reason_note(places, finding)));
        let dots = image.resources.scalar_dots.iter();
        notes.extend(dots.map(|dot| note_in_words("dot", Level::Bad, format!("not on tensor cores: {dot}"))));
        for (name, offset, bytes) in &image.resources.shared_buffers {
            notes.push(note_in_words("shared memory", Level::Plain, format!("{bytes} bytes at {offset}: {name}")));
        }
    }
    notes.sort_by_key(|note| note.line.unwrap_or(u32::MAX));
    notes
}

/// Why the kernel is as fast as it is, at one line.
fn reason_note(places: &Places, finding: Finding) -> Note {
    let Finding { place, topic, weight, text, because } = finding;
    let is_here = |place: &Place| place.is_known() && places.is_here(&place.file);
    let level = match weight {
        Weight::Slow => Level::Bad,
        Weight::Note => Level::Plain,
    };
    // A text about another file means lines of that one.
    let named = because.iter().filter(|other| is_here(&place) && is_here(other));
    Note {
        line: places.line_of(&place.file, place.line),
        place: (place.is_known() && !is_here(&place)).then(|| place.to_string()),
        about: topic.name().to_string(),
        level,
        text,
        because_of: named.map(|other| other.line).collect(),
    }
}

/// A note whose text says its line.
fn note_in_words(about: &str, level: Level, text: String) -> Note {
    let line = line_in_words(&text);
    Note { line, place: None, about: about.to_string(), level, text, because_of: Vec::new() }
}

fn warning_note(places: &Places, warning: &Diagnostic) -> Note {
    let here = warning.labels.first().and_then(|label| {
        let source = label.file.as_ref()?;
        let part = source.part_at(label.span.start);
        places.line_of(part.name(), part.line_column(label.span.start).line)
    });
    let help = warning.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    let text = format!("{}{help} [{}]", warning.message, warning.code.slug);
    Note { line: here, place: None, about: "warning".to_string(), level: Level::Bad, text, because_of: Vec::new() }
}

/// `… (line 12)` → 12. Places in other files, `(line 12 of …)`, have none.
fn line_in_words(text: &str) -> Option<u32> {
    let (_, rest) = text.rsplit_once(" (line ")?;
    rest.strip_suffix(')')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tk_why::Topic;

    fn place(file: &str, line: u32) -> Place {
        Place { file: file.to_string(), line, column: 1 }
    }

    #[test]
    fn reasons_lead_to_lines_of_this_file_only() {
        let finding = |file: &str| Finding {
            place: place(file, 9),
            topic: Topic::Access,
            weight: Weight::Slow,
            text: "the mask of line 7, ops.tk:3".to_string(),
            because: vec![place(file, 7), place("ops.tk", 3)],
        };
        let note = reason_note(&Places::of("k.tk", None), finding("/folder/k.tk"));
        assert_eq!((note.line, note.place, note.because_of), (Some(9), None, vec![7]));
        let note = reason_note(&Places::of("k.tk", None), finding("other.tk"));
        assert_eq!((note.line, note.place, note.because_of), (None, Some("other.tk:9".to_string()), vec![]));
    }

    #[test]
    fn words_say_lines_of_this_file_only() {
        assert_eq!(line_in_words("49152 bytes at 0: buffer (line 101)"), Some(101));
        assert_eq!(line_in_words("buffer (ops.tk:3)"), None);
        assert_eq!(line_in_words("buffer"), None);
    }
}
