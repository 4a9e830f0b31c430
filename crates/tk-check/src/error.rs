//! How checking stops: an error to report, or silence because the value in hand already failed.

use crate::check::Checker;
use tk_diag::{Code, Diagnostic, Span};

/// Why an expression has no value.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Something is wrong here; the diagnostic says what.
    Error(Box<Diagnostic>),
    /// A value that an earlier, reported error left without meaning.
    Poisoned,
}

/// A result of checking.
pub(crate) type R<T> = Result<T, Stop>;

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Self {
        Stop::Error(Box::new(diagnostic))
    }
}

/// Most errors kept of one kernel; more would not be read.
pub(crate) const MAX_ERRORS: usize = 40;

impl Checker<'_> {
    /// A new error at a place, with words for its caret.
    pub(crate) fn error(
        &self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        under: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::error(code, message).at(&self.file, span, under)
    }

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
        let mut call = self.frame().call;
        let mut shown = 0;
        while let Some(index) = call {
            let site = self.call_sites[index as usize];
            if shown < 8 {
                let text = if shown == 0 { "in this call" } else { "which is called here" };
                *diagnostic = diagnostic.at(&self.file, site.span, text);
            }
            shown += 1;
            call = site.call;
        }
        if shown > 8 {
            *diagnostic = diagnostic.note(format!("{} more calls lead here", shown - 8));
        }
        self.diagnostics.push(*diagnostic);
    }

    /// Records a warning once per place.
    pub(crate) fn warn(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        let repeated = self.warnings.iter().any(|w| w.labels.first().map(|l| l.span) == Some(span));
        if !repeated && self.warnings.len() < MAX_ERRORS {
            self.warnings.push(Diagnostic::warning(code, message).at(&self.file, span, "").help(help));
        }
    }
}

/// The known name nearest to a wrong one, when it is near enough to be a slip of the hand.
pub(crate) fn nearest<'n>(wrong: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if wrong.len() > 40 {
        return None;
    }
    let limit = if wrong.chars().count() <= 3 { 1 } else { 2 };
    known
        .into_iter()
        .filter(|name| name.len().abs_diff(wrong.len()) <= limit)
        .map(|name| (edit_distance(wrong, name), name))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, name)| name)
}

/// Levenshtein distance, one row at a time.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        assert_eq!(nearest("laod", ["load", "store"]), Some("load"));
        assert_eq!(nearest("arrange", ["arange", "range"]), Some("arange"));
        assert_eq!(nearest("quux", ["load", "store"]), None);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }
}
