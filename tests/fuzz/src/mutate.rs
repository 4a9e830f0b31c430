//! Mutations: of bytes, of words and of lines.

use rand::Rng;
use rand::seq::IndexedRandom;
use tk_cases::draw::Random;

/// Words that are put where they do not belong.
const STRANGE: &[&str] = &[
    "0",
    "-1",
    "1",
    "3",
    "2147483648",
    "18446744073709551616",
    "1e400",
    "0.0",
    "None",
    "True",
    "()",
    "(1,)",
    "[]",
    "''",
    "tl",
    "x",
    "x_ptr",
    "tl.float32",
    "tl.int1",
    "tl.float8e5",
    "tl.constexpr",
    ":",
    ",",
    ")",
    "(",
    "]",
    "[",
    "not",
    "for",
    "if",
    "while",
    "return",
    "lambda",
    "**",
    "//",
    "%",
    "<<",
    "==",
    "=",
    ".T",
    ".shape",
    "[None]",
    "[:, None]",
    "é",
    "\t",
    "tensor<4xf32>",
    "i1",
    "!tt.ptr<f32>",
    "#blocked",
    "%0",
    "%arg0",
    "^bb0",
    "0x7fffffffffffffff",
    "%r1",
    "%p1",
    ".pred",
    "bra",
    "@%p1",
    ".u64",
    ";",
];

/// One to four mutations of a text; `other` gives lines to splice in.
pub(crate) fn mutate(text: &str, other: &str, words_only: bool, random: &mut Random) -> String {
    let mut result = text.to_string();
    for _ in 0..random.random_range(1..=4) {
        result = match random.random_range(0..if words_only { 6 } else { 9 }) {
            0..3 => word(&result, random),
            3 => lines(&result, random, |lines, at, _| {
                lines.remove(at);
            }),
            4 => lines(&result, random, |lines, at, random| {
                let copy = lines[at].clone();
                lines.insert(random.random_range(0..lines.len()), copy);
            }),
            5 => {
                let pieces: Vec<&str> = other.lines().collect();
                let piece = pieces.choose(random).copied().unwrap_or_default().to_string();
                lines(&result, random, move |lines, at, _| lines.insert(at, piece.clone()))
            }
            6 => bytes(&result, random, |bytes, at, random| bytes[at] = random.random()),
            7 => bytes(&result, random, |bytes, at, random| {
                let end = (at + random.random_range(0..40)).min(bytes.len());
                bytes.drain(at..end);
            }),
            _ => bytes(&result, random, |bytes, at, random| {
                let end = (at + random.random_range(0..40)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                let part = part.repeat(random.random_range(1..=50));
                bytes.splice(at..at, part);
            }),
        };
    }
    result
}

fn bytes(text: &str, random: &mut Random, change: impl Fn(&mut Vec<u8>, usize, &mut Random)) -> String {
    let mut bytes = text.as_bytes().to_vec();
    if !bytes.is_empty() {
        let at = random.random_range(0..bytes.len());
        change(&mut bytes, at, random);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn lines(text: &str, random: &mut Random, change: impl Fn(&mut Vec<String>, usize, &mut Random)) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    if !lines.is_empty() {
        let at = random.random_range(0..lines.len());
        change(&mut lines, at, random);
    }
    lines.join("\n") + "\n"
}

/// Replaces, removes, doubles or exchanges a word.
fn word(text: &str, random: &mut Random) -> String {
    let mut words = split(text);
    let places: Vec<usize> = (0..words.len()).filter(|at| !words[*at].trim().is_empty()).collect();
    if places.is_empty() {
        return text.to_string();
    }
    let at = places[random.random_range(0..places.len())];
    let from = places[random.random_range(0..places.len())];
    match random.random_range(0..6) {
        0 => words[at].clear(),
        1 => words[at] = words[at].repeat(2),
        2 | 3 => words[at] = words[from].clone(),
        4 => words[at] = STRANGE.choose(random).copied().unwrap_or_default().to_string(),
        _ => words.swap(at, from),
    }
    words.concat()
}

/// Names and numbers, runs of spaces, and single other characters.
fn split(text: &str) -> Vec<String> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 1,
        ' ' => 2,
        _ => 0,
    };
    let mut words: Vec<String> = Vec::new();
    let mut last = 0;
    for c in text.chars() {
        let this = class(c);
        match words.last_mut() {
            Some(word) if this != 0 && this == last => word.push(c),
            _ => words.push(c.to_string()),
        }
        last = this;
    }
    words
}
