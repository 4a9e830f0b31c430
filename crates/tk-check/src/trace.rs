//! What expressions and variables were found to be while a kernel was checked: what editors show.
//!
//! A place is looked at as often as the checker comes by: once for each call of an inlined function and for each unrolled iteration. A
//! few meanings of each place are kept, in the order in which they were found, so memory and time have a bound.

use crate::context::Context;
use crate::value::Val;
use rustc_hash::FxHashMap;
use tk_diag::Span;

/// Looks at one place that are kept; further ones are not looked at.
const MAX_LOOKS: u32 = 64;
/// Different meanings of one place.
const MAX_MEANINGS: usize = 4;
/// Looks at all places of a kernel.
const MAX_NOTES: usize = 1 << 18;

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// A variable or a parameter gets its value.
    Bound,
    /// An expression.
    Used,
}

/// A place of a checked kernel and what it was found to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where.
    pub span: Span,
    /// What stands there.
    pub role: Role,
    /// Its types with their shapes, or its constants, in words; more than one where the kernel comes by with different ones.
    pub meanings: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
struct Note {
    span: Span,
    role: Role,
    /// Its number among the texts.
    text: u32,
}

/// A trace that is being written.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    notes: Vec<Note>,
    texts: Vec<String>,
    numbers: FxHashMap<String, u32>,
    looks: FxHashMap<(Span, Role), u32>,
}

impl Trace {
    /// Notes what a place is.
    pub(crate) fn note(&mut self, cx: &Context, span: Span, role: Role, val: &Val<'_>) {
        if matches!(val, Val::Poison | Val::Absent(_) | Val::Ellipsis | Val::Slice(_)) || self.notes.len() >= MAX_NOTES
        {
            return;
        }
        let looks = self.looks.entry((span, role)).or_default();
        *looks += 1;
        if *looks > MAX_LOOKS {
            return;
        }
        let text = cx.describe(val);
        let number = match self.numbers.get(&text) {
            Some(number) => *number,
            None => {
                let number = self.texts.len() as u32;
                self.texts.push(text.clone());
                self.numbers.insert(text, number);
                number
            }
        };
        self.notes.push(Note { span, role, text: number });
    }

    /// How much is noted, to go back to.
    pub(crate) fn len(&self) -> usize {
        self.notes.len()
    }

    /// Forgets what was noted after `len`: a loop's body is looked at again.
    pub(crate) fn truncate(&mut self, len: usize) {
        for note in self.notes.drain(len.min(self.notes.len())..) {
            if let Some(looks) = self.looks.get_mut(&(note.span, note.role)) {
                *looks = looks.saturating_sub(1);
            }
        }
    }

    /// The places, sorted.
    pub(crate) fn places(self) -> Vec<Place> {
        let mut places: FxHashMap<(Span, Role), Vec<u32>> = FxHashMap::default();
        for note in &self.notes {
            let meanings = places.entry((note.span, note.role)).or_default();
            if meanings.len() < MAX_MEANINGS && !meanings.contains(&note.text) {
                meanings.push(note.text);
            }
        }
        let words = |numbers: Vec<u32>| numbers.into_iter().map(|text| self.texts[text as usize].clone()).collect();
        let mut places: Vec<Place> =
            places.into_iter().map(|((span, role), numbers)| Place { span, role, meanings: words(numbers) }).collect();
        places.sort_unstable_by_key(|place| (place.span, place.role));
        places
    }
}
