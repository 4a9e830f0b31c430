//! All that is known as one list of lines with sentences, for the report, the page and JSON.

use crate::{Measured, Place, Why};
use serde::Serialize;
use std::fmt::Write;

/// One thing about one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The line.
    pub place: Place,
    /// What it is about.
    pub topic: Topic,
    /// How much it says.
    pub weight: Weight,
    /// The sentence.
    pub text: String,
    /// Other places that the sentence names, in its order.
    pub because: Vec<Place>,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// A narrow access to global memory.
    Access,
    /// A conversion between layouts.
    Conversion,
    /// Bank conflicts.
    Conflict,
    /// Where most registers are live.
    Registers,
    /// Spills.
    Spill,
}

impl Topic {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Access => "access",
            Topic::Conversion => "layout",
            Topic::Conflict => "conflict",
            Topic::Registers => "registers",
            Topic::Spill => "spill",
        }
    }
}

/// How much a finding says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// It makes the kernel slower.
    Slow,
    /// It says what the kernel takes.
    Note,
}

impl Weight {
    fn of(is_slow: bool) -> Self {
        if is_slow { Weight::Slow } else { Weight::Note }
    }
}

impl Why {
    /// Everything by line, together with what was measured. What makes the kernel slower is marked.
    pub fn findings(&self, measured: &Measured) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut add = |place: &Place, topic, is_slow, text, named: Vec<&Place>| {
            let mut because: Vec<Place> = Vec::new();
            for other in named {
                let is_new = |known: &Place| (&known.file, known.line) != (&other.file, other.line);
                if other.is_known() && is_new(place) && because.iter().all(is_new) {
                    because.push(other.clone());
                }
            }
            found.push(Finding { place: place.clone(), topic, weight: Weight::of(is_slow), text, because });
        };
        for access in &self.accesses {
            add(&access.place, Topic::Access, access.is_slow(), access.text(), access.named());
        }
        for conversion in &self.conversions {
            add(&conversion.place, Topic::Conversion, conversion.is_slow(), conversion.text(), conversion.named());
        }
        for conflict in &measured.conflicts {
            add(&conflict.place, Topic::Conflict, true, conflict.text(&self.shared), Vec::new());
        }
        if let Some(registers) = &self.registers {
            add(&registers.place, Topic::Registers, registers.is_slow(), registers.text(), registers.named());
        }
        for spill in &self.spills {
            add(&spill.place, Topic::Spill, true, spill.text(), Vec::new());
        }
        found.sort_by(|a, b| (&a.place, a.topic, &a.text).cmp(&(&b.place, b.topic, &b.text)));
        // A function that is called from two places, or a loop that is copied, says the same twice.
        found.dedup_by(|a, b| (a.place.line, a.topic, &a.text) == (b.place.line, b.topic, &b.text));
        found
    }

    /// The findings as the lines of a report; nothing where there are none.
    pub fn report(&self, measured: &Measured) -> String {
        let findings = self.findings(measured);
        if findings.is_empty() {
            return String::new();
        }
        let mut text = String::from("why                 about      what\n");
        for Finding { place, topic, weight, text: sentence, because: _ } in &findings {
            let mark = match weight {
                Weight::Slow => "!",
                Weight::Note => " ",
            };
            let _ = writeln!(text, "{:<18} {mark}{:<10} {sentence}", place.to_string(), topic.name());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AccessKind, Conflict, Loss, NarrowAccess, Reason, SharedUse, SharedWork, Subject};

    fn place(line: u32) -> Place {
        Place { file: "folder/k.tk".into(), line, column: 1 }
    }

    #[test]
    fn a_report_names_lines_and_reasons_in_their_order() {
        let reason = Reason::UnknownMultiple { name: "n".into(), of: 4 };
        let loss = Loss { subject: Subject::Mask, bits: 32, reason, place: place(7) };
        let access =
            NarrowAccess { place: place(9), kind: AccessKind::Load, bits: 32, possible_bits: 128, losses: vec![loss] };
        let shared = SharedUse { place: place(8), work: SharedWork::Gather, tensor: "64xf32".into() };
        let why = Why { accesses: vec![access], shared: vec![shared], ..Why::default() };
        let conflict = Conflict { place: place(8), kind: "load".into(), wavefronts: 9, least_wavefronts: 2 };
        let report = why.report(&Measured { conflicts: vec![conflict] });
        let lines: Vec<&str> = report.lines().collect();
        assert_eq!(lines.len(), 3, "{report}");
        assert!(lines[1].starts_with("k.tk:8") && lines[1].contains("7 bank conflicts of shared loads"), "{report}");
        assert!(lines[1].contains("places that the kernel computes (64xf32)"), "{report}");
        assert!(lines[2].contains("load of 32 of 128 bits: the mask of line 7 changes per element"), "{report}");
        assert!(lines[2].ends_with("`n` is not known to be a multiple of 4"), "{report}");
        let findings = why.findings(&Measured::default());
        assert_eq!(findings[0].because, [place(7)], "the line that lost the width");
        assert_eq!(Why::default().report(&Measured::default()), "");
    }
}
