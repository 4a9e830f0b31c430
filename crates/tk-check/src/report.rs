//! How errors are kept: with the calls that lead to them, and where the values in them come from.

use crate::check::Checker;
use crate::error::{CALL_LABELS, Stop};
use tk_diag::{Diagnostic, Span};

/// Most errors kept of one kernel; more would not be read.
pub(crate) const MAX_ERRORS: usize = 40;
/// Most calls shown of the chain that leads to an error.
const MAX_CALLS_SHOWN: usize = 6;

impl Checker<'_> {
    /// Records an error with the chain of inlined calls around it. The same error in another copy of a helper is dropped.
    pub(crate) fn report(&mut self, stop: Stop) {
        let Stop::Error(mut diagnostic) = stop else {
            self.failed = true;
            return;
        };
        self.failed = true;
        let repeated = self.diagnostics.iter().any(|seen: &Diagnostic| {
            seen.message == diagnostic.message
                && seen.labels.first().map(|l| l.span) == diagnostic.labels.first().map(|l| l.span)
        });
        if repeated || self.diagnostics.len() >= MAX_ERRORS {
            return;
        }
        for (span, name) in self.assignments_behind(&diagnostic) {
            *diagnostic = diagnostic.at(&self.cx.file, span, format!("`{name}` comes from here"));
        }
        let mut call = self.frame().call;
        let (mut shown, mut hidden, mut last) = (0, 0, None);
        while let Some(index) = call {
            let site = self.call_sites[index as usize];
            call = site.call;
            if last == Some(site.span) || shown >= MAX_CALLS_SHOWN {
                hidden += 1;
                continue;
            }
            let text = CALL_LABELS[usize::from(shown > 0)];
            *diagnostic = diagnostic.at(&self.cx.file, site.span, text);
            last = Some(site.span);
            shown += 1;
        }
        if hidden > 0 {
            *diagnostic = diagnostic.note(format!("{hidden} more calls lead here"));
        }
        self.diagnostics.push(*diagnostic);
    }

    /// Where the variables under the carets of a mismatch got their values, when that is on another line: the mistake is
    /// often there.
    fn assignments_behind(&self, diagnostic: &Diagnostic) -> Vec<(Span, String)> {
        if ![tk_diag::TYPE_MISMATCH, tk_diag::SHAPE_MISMATCH].contains(&diagnostic.code) {
            return Vec::new();
        }
        let line = |span: Span| (self.cx.file.part_index(span.start), self.cx.file.line_column(span.start).line);
        let mut found: Vec<(Span, String)> = Vec::new();
        for label in diagnostic.labels.iter().take(2) {
            let name = self.cx.file.slice(label.span);
            let Some(binding) = self.frame().scope.get(name) else { continue };
            let is_shown = diagnostic.labels.iter().any(|other| line(other.span) == line(binding.span))
                || found.iter().any(|(span, _)| *span == binding.span);
            if !is_shown {
                found.push((binding.span, name.to_string()));
            }
        }
        found
    }
}
