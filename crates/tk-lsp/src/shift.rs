//! Where the places of one version of a text are in another: what was found in a text stays useful while it is edited.
//!
//! Two versions differ in one stretch between what they have in common at the front and at the end. Places in front of it stay,
//! places behind it move, and nothing is known of those in it.

use tk_diag::Span;

/// How an older text became a newer one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    /// Bytes at the front that are the same.
    front: usize,
    /// Bytes at the end that are the same.
    end: usize,
    old: usize,
    new: usize,
}

impl Shift {
    pub(crate) fn between(old: &str, new: &str) -> Self {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let end = old[front..].iter().rev().zip(new[front..].iter().rev()).take_while(|(a, b)| a == b).count();
        Self { front, end, old: old.len(), new: new.len() }
    }

    /// Where a span of the older text is in the newer one.
    pub(crate) fn to_new(self, span: Span) -> Option<Span> {
        moved(span, self.front, self.end, self.old, self.new)
    }

    /// Where a span of the newer text was in the older one.
    pub(crate) fn to_old(self, span: Span) -> Option<Span> {
        moved(span, self.front, self.end, self.new, self.old)
    }
}

fn moved(span: Span, front: usize, end: usize, from: usize, to: usize) -> Option<Span> {
    if span.end as usize <= front {
        return Some(span);
    }
    let place = |at: u32| (at as usize + to).checked_sub(from);
    (span.start as usize >= from - end).then(|| Some(Span::new(place(span.start)?, place(span.end)?))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_around_a_change_keep_their_text() {
        let cases = [("a = b\nc = d", "a = bb\nc = d"), ("aaaa", "aa"), ("", "x"), ("one two", "one two"), ("xyz", "")];
        for (old, new) in cases {
            let shift = Shift::between(old, new);
            assert!(old != new || shift.to_new(Span::new(0, old.len())).is_some());
            for start in 0..=old.len() {
                for end in start..=old.len() {
                    let span = Span::new(start, end);
                    let Some(now) = shift.to_new(span) else { continue };
                    assert_eq!(&old[start..end], &new[now.start as usize..now.end as usize]);
                    if start < end {
                        assert_eq!(shift.to_old(now), Some(span));
                    }
                }
            }
        }
    }
}
