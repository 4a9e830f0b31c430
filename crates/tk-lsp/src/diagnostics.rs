//! Diagnostics as editors take them: at a place of the file that is open, with the other places beside it.

use crate::text::Text;
use lsp_types::{
    Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range, Url,
};
use std::path::Path;
use tk_diag::{Diagnostic, Label, Severity, Span};

/// Diagnostics of one file that are shown.
const MAX_SHOWN: usize = 500;

/// A file whose diagnostics are shown.
pub(crate) struct Shower<'d> {
    pub(crate) uri: &'d Url,
    pub(crate) text: &'d Text,
}

impl Shower<'_> {
    pub(crate) fn all(&self, diagnostics: &[Diagnostic]) -> Vec<Shown> {
        diagnostics.iter().take(MAX_SHOWN).map(|diagnostic| self.one(diagnostic)).collect()
    }

    /// What stands in an imported file is shown at the call that leads there.
    fn one(&self, diagnostic: &Diagnostic) -> Shown {
        let here = diagnostic.labels.iter().position(|label| self.is_here(label));
        let mut message = diagnostic.message.clone();
        if let (Some(label), false) = (diagnostic.labels.first(), here == Some(0))
            && let Some(file) = &label.file
        {
            message = format!("{}: {message}", file.place(label.span.start));
        }
        let words = here.map(|at| diagnostic.labels[at].text.as_str()).filter(|words| !words.is_empty());
        let lines = words.into_iter().chain(diagnostic.notes.iter().map(String::as_str)).map(str::to_string);
        let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
        for line in lines.chain(help) {
            message.push('\n');
            message.push_str(&line);
        }
        let others = diagnostic.labels.iter().enumerate().filter(|(at, _)| Some(*at) != here);
        let related: Vec<DiagnosticRelatedInformation> = others.filter_map(|(_, label)| self.related(label)).collect();
        Shown {
            range: here.map_or_else(Range::default, |at| self.range(diagnostic.labels[at].span)),
            severity: Some(match diagnostic.severity {
                Severity::Warning => DiagnosticSeverity::WARNING,
                Severity::Error | Severity::Bug => DiagnosticSeverity::ERROR,
            }),
            code: Some(NumberOrString::String(diagnostic.code.slug.to_string())),
            code_description: None,
            source: Some("tk".to_string()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            tags: None,
            data: None,
        }
    }

    fn is_here(&self, label: &Label) -> bool {
        label.file.as_ref().is_some_and(|file| file.part_index(label.span.start) == 0)
    }

    fn range(&self, span: Span) -> Range {
        self.text.range(span)
    }

    fn related(&self, label: &Label) -> Option<DiagnosticRelatedInformation> {
        let location = match self.is_here(label) {
            true => Location { uri: self.uri.clone(), range: self.range(label.span) },
            false => {
                let part = label.file.as_ref()?.part_at(label.span.start);
                let base = part.span().start;
                let end = label.span.end.clamp(label.span.start, part.span().end);
                let span = Span { start: label.span.start - base, end: end - base };
                let uri = Url::from_file_path(Path::new(part.name())).ok()?;
                Location { uri, range: Text::new(part.text()).range(span) }
            }
        };
        let message = if label.text.is_empty() { "here".to_string() } else { label.text.clone() };
        Some(DiagnosticRelatedInformation { location, message })
    }
}
