//! What stands around a place of a text, by its characters alone: names with dots, open calls, strings and comments.
//!
//! A line that is being written has no syntax tree, so what the user asks while writing is answered from here.

use tk_diag::Span;

/// Open brackets that are remembered; text that nests deeper has no calls that are answered.
const MAX_OPEN: usize = 256;

/// Names joined by dots, up to the one under the cursor: `tl.math.exp`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chain<'t> {
    pub(crate) names: Vec<&'t str>,
    /// The last name; empty where none is begun yet.
    pub(crate) last: Span,
    /// Where the first name begins.
    pub(crate) start: u32,
    /// Whether it belongs to an expression that is no name: `f(x).shape`.
    pub(crate) has_receiver: bool,
}

impl<'t> Chain<'t> {
    /// The chain that the name at a place ends, whole.
    pub(crate) fn at(text: &'t str, offset: usize) -> Option<Self> {
        let rest = text.get(offset..)?;
        let end = offset + rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let chain = Self::before(text, end)?;
        (!chain.last().is_empty()).then_some(chain)
    }

    /// The chain that ends at a place, where its last name may be half written or not begun.
    pub(crate) fn before(text: &'t str, end: usize) -> Option<Self> {
        let mut start = name_start(text, end)?;
        let last = Span::new(start, end);
        let mut names = vec![text.get(start..end)?];
        if names[0].starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let mut has_receiver = false;
        while text[..start].ends_with('.') {
            let dot = start - 1;
            let from = name_start(text, dot)?;
            let name = &text[from..dot];
            if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
                has_receiver = true;
                break;
            }
            names.push(name);
            start = from;
        }
        names.reverse();
        Some(Self { names, last, start: start as u32, has_receiver })
    }

    /// The name under the cursor.
    pub(crate) fn last(&self) -> &'t str {
        self.names.last().copied().unwrap_or_default()
    }

    /// The names before it.
    pub(crate) fn qualifier(&self) -> &[&'t str] {
        &self.names[..self.names.len() - 1]
    }

    /// Whether it is a name alone.
    pub(crate) fn is_plain(&self) -> bool {
        self.names.len() == 1 && !self.has_receiver
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where the name that ends at `end` begins.
fn name_start(text: &str, end: usize) -> Option<usize> {
    let before = text.get(..end)?;
    Some(before.char_indices().rev().take_while(|(_, c)| is_name(*c)).last().map_or(end, |(at, _)| at))
}

/// What a place is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    Code,
    String,
    Comment,
}

/// A bracket that is open at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    /// Where it is.
    pub(crate) at: usize,
    /// Whether it is a round one.
    pub(crate) is_round: bool,
    /// Where the arguments behind it begin: behind it and behind each comma.
    pub(crate) arguments: Vec<usize>,
}

/// What was found on the way to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scan {
    pub(crate) inside: Inside,
    /// Brackets that are open there, the innermost last.
    pub(crate) open: Vec<Open>,
}

impl Scan {
    /// Reads the text from the start of a function to a place.
    pub(crate) fn of(text: &str, from: usize, to: usize) -> Self {
        let bytes = text.as_bytes().get(from..to).unwrap_or_default();
        let mut scan = Scan { inside: Inside::Code, open: Vec::new() };
        let mut at = 0;
        while at < bytes.len() {
            at = scan.step(bytes, at, from);
        }
        scan
    }

    /// Reads one character, string or comment; where the next begins.
    fn step(&mut self, bytes: &[u8], at: usize, from: usize) -> usize {
        match bytes[at] {
            b'#' => {
                let length = bytes[at..].iter().position(|b| *b == b'\n');
                self.inside = if length.is_none() { Inside::Comment } else { Inside::Code };
                return length.map_or(bytes.len(), |length| at + length);
            }
            quote @ (b'"' | b'\'') => {
                let end = string_end(bytes, at, quote);
                self.inside = if end.is_none() { Inside::String } else { Inside::Code };
                return end.unwrap_or(bytes.len());
            }
            bracket @ (b'(' | b'[' | b'{') if self.open.len() < MAX_OPEN => {
                let at = from + at;
                self.open.push(Open { at, is_round: bracket == b'(', arguments: vec![at + 1] });
            }
            b')' | b']' | b'}' => drop(self.open.pop()),
            b',' => {
                if let Some(open) = self.open.last_mut() {
                    open.arguments.push(from + at + 1);
                }
            }
            _ => {}
        }
        at + 1
    }
}

/// Where a string ends that begins at `at`; nothing where it is open at the end. A string of one line ends with it.
fn string_end(bytes: &[u8], at: usize, quote: u8) -> Option<usize> {
    let is_long = bytes[at..].starts_with(&[quote; 3]);
    let mut next = at + if is_long { 3 } else { 1 };
    while next < bytes.len() {
        match bytes[next] {
            b'\\' => next += 1,
            b'\n' if !is_long => return Some(next),
            b if b == quote && !is_long => return Some(next + 1),
            _ if is_long && bytes[next..].starts_with(&[quote; 3]) => return Some(next + 3),
            _ => {}
        }
        next += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_names_with_dots() {
        let text = "y = tl.math.exp(x).to(tl.fl) + 1.5";
        let at = |needle: &str| Chain::at(text, text.find(needle).expect("it is there"));
        let chain = at("exp").expect("a chain");
        assert_eq!((chain.names.as_slice(), chain.is_plain()), (&["tl", "math", "exp"][..], false));
        assert_eq!(text[chain.start as usize..].get(..2), Some("tl"));
        assert_eq!(at("math").expect("a chain").names, ["tl", "math"]);
        assert!(at("to(").expect("a chain").has_receiver);
        assert!(at("x)").expect("a chain").is_plain());
        assert_eq!(at("5"), None);
        let before = Chain::before("a = tl.", 7).expect("a chain");
        assert_eq!((before.names.as_slice(), before.last()), (&["tl", ""][..], ""));
        assert_eq!(Chain::before("é.x", 2).map(|chain| chain.names), Some(vec!["é"]));
        assert_eq!(Chain::at("é", 1), None);
    }

    #[test]
    fn open_calls_know_their_arguments() {
        let text = "tl.load(p + f(1, 2)[0, 1], mask=(a, '),(', # )\n  b), other=";
        let scan = Scan::of(text, 0, text.len());
        assert_eq!((scan.inside, scan.open.len(), scan.open[0].at), (Inside::Code, 1, 7));
        assert_eq!(scan.open[0].arguments.len(), 3);
        let inside = |text: &str| Scan::of(text, 0, text.len()).inside;
        assert_eq!(
            (inside("x = 'a"), inside("x = 'a'"), inside("x = 'a\nb")),
            (Inside::String, Inside::Code, Inside::Code)
        );
        assert_eq!(
            (inside("'''a\n\"'"), inside("# a"), inside("# a\n")),
            (Inside::String, Inside::Comment, Inside::Code)
        );
        assert_eq!(inside("'\\"), Inside::String);
        assert_eq!(Scan::of("abc", 2, 1), Scan { inside: Inside::Code, open: Vec::new() });
    }
}
