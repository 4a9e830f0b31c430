//! What a launch on the simulator takes for memory that nothing has written.
//!
//! The memory of arguments belongs to others, who write it without telling. So what is to count as unwritten is filled with a word that is
//! drawn when it is asked for the first time (`tk/_unwritten.py` does that to the results of `torch.empty`), and the words that still
//! have it at a launch are unwritten. A program writes that very word once in four billion times.

use pyo3::prelude::*;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;
use std::sync::OnceLock;

/// Bytes of the word.
const BYTES: usize = 4;

static WORD: OnceLock<[u8; BYTES]> = OnceLock::new();

/// The word, at addresses that are multiples of its size.
#[pyfunction]
pub(crate) fn unwritten_word() -> [u8; BYTES] {
    let draw = || {
        let [a, b, c, d, ..] = RandomState::new().build_hasher().finish().to_le_bytes();
        // No byte is like another, as in numbers that programs write.
        [a, b ^ if a == b { 0x55 } else { 0 }, c, d | 1]
    };
    *WORD.get_or_init(draw)
}

/// The parts of memory at an address that have the word, in order.
pub(crate) fn ranges(address: usize, bytes: &[u8]) -> Vec<Range<usize>> {
    let Some(word) = WORD.get() else { return Vec::new() };
    words_of(word, address, bytes)
}

fn words_of(word: &[u8; BYTES], address: usize, bytes: &[u8]) -> Vec<Range<usize>> {
    let first = address.next_multiple_of(BYTES) - address;
    let mut found: Vec<Range<usize>> = Vec::new();
    for (number, part) in bytes.get(first..).unwrap_or_default().chunks_exact(BYTES).enumerate() {
        if part != word {
            continue;
        }
        let at = first + number * BYTES;
        match found.last_mut() {
            Some(last) if last.end == at => last.end += BYTES,
            _ => found.push(at..at + BYTES),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_at_their_places_are_found() {
        let word = [1, 2, 3, 4];
        let bytes: Vec<u8> = [0, 0].into_iter().chain(word).chain(word).chain([1, 2, 9, 4]).chain(word).collect();
        assert_eq!(words_of(&word, 0x1002, &bytes), [2..10, 14..18]);
        assert_eq!(words_of(&word, 0x1000, &bytes), []);
        assert_eq!(words_of(&word, 0x1003, &[0; 2]), []);
        assert_eq!(unwritten_word(), unwritten_word());
    }
}
