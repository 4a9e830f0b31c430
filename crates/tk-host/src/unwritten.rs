//! Which bytes of a buffer nothing has written yet, and the first such element that host code read.

use std::cell::RefCell;
use std::ops::Range;

/// Ranges of bytes, in order and apart from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unwritten(Vec<Range<usize>>);

impl Unwritten {
    pub(crate) fn new(ranges: Vec<Range<usize>>) -> Self {
        Self(ranges.into_iter().filter(|range| !range.is_empty()).collect())
    }

    pub(crate) fn ranges(&self) -> &[Range<usize>] {
        &self.0
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of these bytes is unwritten.
    pub(crate) fn touches(&self, bytes: &Range<usize>) -> bool {
        let at = self.0.partition_point(|range| range.end <= bytes.start);
        self.0.get(at).is_some_and(|range| range.start < bytes.end)
    }

    /// These bytes were written.
    pub(crate) fn write(&mut self, bytes: &Range<usize>) {
        let first = self.0.partition_point(|range| range.end <= bytes.start);
        let end = self.0.partition_point(|range| range.start < bytes.end);
        if first >= end {
            return;
        }
        let (before, after) = (self.0[first].start..bytes.start, bytes.end..self.0[end - 1].end);
        let left = [before, after].into_iter().filter(|range| range.start < range.end);
        self.0.splice(first..end, left);
    }

    /// More bytes are unwritten, which come after all others.
    pub(crate) fn push(&mut self, bytes: Range<usize>) {
        match self.0.last_mut() {
            Some(last) if last.end == bytes.start => last.end = bytes.end,
            _ => self.0.push(bytes),
        }
    }
}

/// What was read though nothing wrote it: coordinates of an element in a tensor of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnwrittenRead {
    pub(crate) element: Vec<usize>,
    pub(crate) shape: Vec<usize>,
}

thread_local! {
    /// Tensors are read in places that cannot fail; the interpreter asks afterwards.
    static READ: RefCell<Option<UnwrittenRead>> = const { RefCell::new(None) };
}

/// Notes a read, unless one is noted.
pub(crate) fn note(read: impl FnOnce() -> UnwrittenRead) {
    READ.with_borrow_mut(|noted| {
        noted.get_or_insert_with(read);
    });
}

/// The first read since the last call.
pub(crate) fn take() -> Option<UnwrittenRead> {
    READ.with_borrow_mut(Option::take)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_leaves_the_ranges() {
        let mut unwritten = Unwritten::new(vec![0..100, 100..100]);
        unwritten.write(&(10..20));
        unwritten.write(&(30..40));
        assert_eq!(unwritten.ranges(), [0..10, 20..30, 40..100]);
        assert!(unwritten.touches(&(9..12)) && !unwritten.touches(&(10..20)) && unwritten.touches(&(0..100)));
        unwritten.write(&(5..45));
        assert_eq!(unwritten.ranges(), [0..5, 45..100]);
        unwritten.write(&(5..45));
        unwritten.write(&(90..200));
        unwritten.write(&(0..5));
        assert_eq!(unwritten.ranges(), [Range { start: 45, end: 90 }]);
        unwritten.write(&(45..90));
        assert!(unwritten.is_empty() && !unwritten.touches(&(0..100)));
        unwritten.push(4..8);
        unwritten.push(8..12);
        unwritten.push(16..20);
        assert_eq!(unwritten.ranges(), [4..12, 16..20]);
    }
}
