//! Types behind the variables that are assigned and the parameters without annotation.

use crate::resolve::View;
use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, InlayHintTooltip, Range};
use tk_check::Role;
use tk_diag::Span;

/// Hints of one answer.
const MAX_HINTS: usize = 2000;

/// The hints in a range. Constants and functions show what they are in the text, so they have none.
pub(crate) fn hints(view: &View<'_>, range: Range) -> Vec<InlayHint> {
    let Some(known) = view.known else { return Vec::new() };
    let wanted = Span::new(view.text.offset(range.start), view.text.offset(range.end));
    let bound = known.analysis.facts.iter().filter(|fact| fact.role == Role::Bound);
    let mut hints = Vec::new();
    for fact in bound {
        let Some(span) = known.shift.to_new(fact.span) else { continue };
        if span.start < wanted.start || span.end > wanted.end || hints.len() >= MAX_HINTS {
            continue;
        }
        let [meaning] = fact.meanings.as_slice() else { continue };
        // A type begins with its element type; everything else is in words.
        if meaning.words.contains(' ') && !meaning.words.contains('[') || meaning.words == "None" {
            continue;
        }
        if meaning.words.starts_with("the ") || meaning.words.starts_with("a ") || is_annotated(view, span) {
            continue;
        }
        let launch = known.analysis.launches.get(meaning.launch);
        hints.push(InlayHint {
            position: view.text.position(span.end as usize),
            label: InlayHintLabel::String(format!(": {}", meaning.words)),
            kind: Some(InlayHintKind::TYPE),
            text_edits: None,
            tooltip: launch.map(|launch| InlayHintTooltip::String(format!("in {}", launch.described()))),
            padding_left: None,
            padding_right: None,
            data: None,
        });
    }
    hints
}

fn is_annotated(view: &View<'_>, span: Span) -> bool {
    let behind = view.text.text().get(span.end as usize..).unwrap_or_default();
    behind.trim_start_matches(' ').starts_with(':')
}
