//! Changes of inputs: of words and lines of PTX, and of bytes.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// Numbers and names that are put where they do not belong.
const STRANGE: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "16",
    "31",
    "32",
    "33",
    "64",
    "128",
    "255",
    "256",
    "1024",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "0x7fffffff",
    "0F7F800000",
    "0F80000000",
    "0f7FC00000",
    "0d7FF0000000000000",
    "%r1",
    "%r7",
    "%r9",
    "%r20",
    "%rd1",
    "%rd3",
    "%rd7",
    "%rd20",
    "%p1",
    "%p5",
    "%f1",
    "%rs1",
    "%tid.x",
    "%ctaid.x",
    "%laneid",
    "%clusterid.x",
    "%clock64",
    "%lanemask_lt",
    "_",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ";",
    ":",
    ",",
    "@",
    "!",
    "|",
    "+",
    "-",
    ".",
    "//",
    "/*",
    "\"",
];

/// Words of modifiers.
const MODIFIERS: &[&str] = &[
    ".b8",
    ".b16",
    ".b32",
    ".b64",
    ".b128",
    ".u8",
    ".s8",
    ".u16",
    ".s16",
    ".u32",
    ".s32",
    ".u64",
    ".s64",
    ".f16",
    ".f16x2",
    ".bf16",
    ".bf16x2",
    ".f32",
    ".f64",
    ".pred",
    ".v2",
    ".v4",
    ".shared",
    ".global",
    ".local",
    ".param",
    ".const",
    ".shared::cta",
    ".shared::cluster",
    ".sync",
    ".aligned",
    ".relaxed",
    ".acquire",
    ".release",
    ".acq_rel",
    ".gpu",
    ".cta",
    ".cluster",
    ".sys",
    ".volatile",
    ".nc",
    ".add",
    ".min",
    ".max",
    ".and",
    ".or",
    ".xor",
    ".cas",
    ".exch",
    ".inc",
    ".dec",
    ".rn",
    ".rz",
    ".rm",
    ".rp",
    ".ftz",
    ".sat",
    ".wide",
    ".lo",
    ".hi",
    ".cc",
    ".x1",
    ".x2",
    ".x4",
    ".trans",
    ".m8n8",
    ".m16n8k16",
    ".m64n8k16",
    ".m64n256k16",
    ".row",
    ".col",
    ".tile",
    ".1d",
    ".2d",
    ".3d",
    ".bulk",
    ".tensor",
    ".multicast::cluster",
    ".bulk_group",
    ".read",
    ".parity",
    ".expect_tx",
    ".align 1",
    ".align 1024",
];

/// Some changes of a text; `other` gives lines.
pub(crate) fn text(text: &[u8], other: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut lines: Vec<String> = String::from_utf8_lossy(text).lines().map(str::to_string).collect();
    let others = String::from_utf8_lossy(other);
    let others: Vec<&str> = others.lines().collect();
    for _ in 0..1 << random.random_range(0..4) {
        if lines.is_empty() {
            lines.push(String::new());
        }
        let at = random.random_range(0..lines.len());
        match random.random_range(0..16) {
            0..8 => lines[at] = changed(&lines[at], random),
            8 => {
                lines.remove(at);
            }
            9 => {
                let copy = lines[at].clone();
                lines.insert(random.random_range(0..=lines.len()), copy);
            }
            10 => {
                let to = random.random_range(0..lines.len());
                lines.swap(at, to);
            }
            11..15 => {
                let first = random.random_range(0..others.len().max(1)).min(others.len());
                let count = random.random_range(1..5).min(others.len() - first);
                lines.splice(at..at, others[first..first + count].iter().map(|line| line.to_string()));
            }
            _ => {
                let raw = bytes(lines[at].as_bytes(), random);
                lines[at] = String::from_utf8_lossy(&raw).into_owned();
            }
        }
    }
    (lines.join("\n") + "\n").into_bytes()
}

/// Replaces, removes, doubles or exchanges a word of a line.
fn changed(line: &str, random: &mut ChaCha8Rng) -> String {
    let mut words = split(line);
    let places: Vec<usize> = (0..words.len()).filter(|at| !words[*at].trim().is_empty()).collect();
    let (Some(&at), Some(&from)) = (places.choose(random), places.choose(random)) else { return line.to_string() };
    let pick = |list: &[&str], random: &mut ChaCha8Rng| list.choose(random).copied().unwrap_or_default().to_string();
    match random.random_range(0..8) {
        0 => words[at].clear(),
        1 => words[at] = words[at].repeat(2),
        2 => words[at] = words[from].clone(),
        3 => words.swap(at, from),
        4 | 5 if words[at].starts_with('.') => words[at] = pick(MODIFIERS, random),
        6 => words[at].push_str(&pick(MODIFIERS, random)),
        _ => words[at] = pick(STRANGE, random),
    }
    words.concat()
}

/// Words of one kind of characters; a dot or a percent sign begins one.
fn split(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        match words.last_mut() {
            Some(word) if open && is_word(c) => word.push(c),
            _ => words.push(c.to_string()),
        }
        open = is_word(c) || c == '.' || c == '%';
    }
    words
}

/// Some changes of bytes.
pub(crate) fn bytes(input: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..1 << random.random_range(0..3) {
        if bytes.is_empty() {
            bytes.push(random.random());
        }
        let at = random.random_range(0..bytes.len());
        let end = (at + random.random_range(0..16)).min(bytes.len());
        match random.random_range(0..6) {
            0 => bytes[at] = random.random(),
            1 => bytes[at] ^= 1 << random.random_range(0..8),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let part = bytes[at..end].repeat(random.random_range(1..8));
                bytes.splice(at..at, part);
            }
            4 => bytes[at] = *b"0123456789(),'<>{}:".choose(random).unwrap_or(&b'0'),
            _ => bytes.truncate(end),
        }
    }
    bytes
}
