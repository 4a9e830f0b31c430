//! Finds where a string literal ends; called by the lexer with the first quote already read.
//!
//! A plain string ends at its quote. An f-string can hold expressions that hold strings with the same quote,
//! so its end needs a stack of what is open; the stack is a vector, because text decides how deep it gets.

use crate::token::{StringLexer, Unreadable};

/// Strings inside fields inside strings, at most; deeper text is reported as unclosed.
const MAX_OPEN: usize = 64;

/// The quote that opened a string.
#[derive(Clone, Copy)]
struct Quote {
    byte: u8,
    triple: bool,
}

impl Quote {
    /// Reads the rest of an opening quote; `at` stands behind its first byte.
    fn open(text: &[u8], at: usize) -> (Self, usize) {
        let byte = text[at - 1];
        let triple = text[at..].starts_with(&[byte, byte]);
        (Self { byte, triple }, if triple { at + 2 } else { at })
    }

    /// The bytes of the closing quote when it stands at `at`.
    fn closes(self, text: &[u8], at: usize) -> Option<usize> {
        let closing = [self.byte; 3];
        let length = if self.triple { 3 } else { 1 };
        text[at..].starts_with(&closing[..length]).then_some(length)
    }
}

/// Lexer callback for strings without fields.
pub(crate) fn scan_plain<'a>(lexer: &mut StringLexer<'a>) -> Result<&'a str, Unreadable> {
    let text = lexer.source().as_bytes();
    let (quote, body) = Quote::open(text, lexer.span().end);
    let end = plain_end(text, body, quote);
    finish(lexer, body, quote, end)
}

/// Lexer callback for f-strings.
pub(crate) fn scan_formatted<'a>(lexer: &mut StringLexer<'a>) -> Result<&'a str, Unreadable> {
    let text = lexer.source().as_bytes();
    let (quote, body) = Quote::open(text, lexer.span().end);
    let end = formatted_end(text, body, quote);
    finish(lexer, body, quote, end)
}

/// Moves the lexer behind the string, or behind the line (the file for triple quotes) that it wrongly swallows.
fn finish<'a>(
    lexer: &mut StringLexer<'a>,
    body: usize,
    quote: Quote,
    end: Option<usize>,
) -> Result<&'a str, Unreadable> {
    let at = lexer.span().end;
    match end {
        Some(end) => {
            lexer.bump(end - at);
            Ok(lexer.slice())
        }
        None => {
            let text = lexer.source().as_bytes();
            let rest = &text[body..];
            let line = if quote.triple { None } else { rest.iter().position(|b| matches!(b, b'\n' | b'\r')) };
            lexer.bump(line.map_or(text.len(), |line| body + line) - at);
            Err(Unreadable::UnclosedString)
        }
    }
}

/// One past the closing quote.
fn plain_end(text: &[u8], mut at: usize, quote: Quote) -> Option<usize> {
    while at < text.len() {
        match text[at] {
            b'\\' => at += escape_length(text, at),
            b'\n' | b'\r' if !quote.triple => return None,
            byte if byte == quote.byte => match quote.closes(text, at) {
                Some(length) => return Some(at + length),
                None => at += 1,
            },
            _ => at += 1,
        }
    }
    None
}

/// Bytes of a backslash and the one thing it escapes; a line break of two bytes is one thing.
fn escape_length(text: &[u8], at: usize) -> usize {
    if text[at + 1..].starts_with(b"\r\n") { 3 } else { 2 }
}

/// What is open while the end of an f-string is looked for.
#[derive(Clone, Copy)]
enum Open {
    /// The literal part of an f-string.
    Literal(Quote),
    /// An expression in `{…}` with this many brackets open.
    Field(usize),
    /// The format after the `:` of a field.
    Format,
}

/// One past the closing quote of an f-string.
fn formatted_end(text: &[u8], mut at: usize, outer: Quote) -> Option<usize> {
    let mut open = vec![Open::Literal(outer)];
    while at < text.len() {
        let byte = text[at];
        // An expression may go over several lines, whatever the quotes around it (PEP 701).
        let is_in_field = matches!(open.last(), Some(Open::Field(_)));
        if matches!(byte, b'\n' | b'\r') && !outer.triple && !is_in_field {
            return None;
        }
        if open.len() > MAX_OPEN {
            return None;
        }
        match *open.last()? {
            Open::Literal(quote) => at = literal_step(text, at, quote, &mut open)?,
            Open::Field(brackets) => at = field_step(text, at, brackets, &mut open)?,
            Open::Format => match byte {
                b'{' => {
                    open.push(Open::Field(0));
                    at += 1;
                }
                b'}' => {
                    open.pop();
                    at += 1;
                }
                // A quote here ends the string with its field unclosed; reading the field reports that.
                b'"' | b'\'' => {
                    open.pop();
                }
                _ => at += 1,
            },
        }
        if open.is_empty() {
            return Some(at);
        }
    }
    None
}

/// Steps over one thing in the literal part of an f-string; removes it from `open` at its closing quote.
fn literal_step(text: &[u8], at: usize, quote: Quote, open: &mut Vec<Open>) -> Option<usize> {
    match text[at] {
        b'\\' if text[at + 1..].starts_with(b"N{") => {
            let length = text[at..].iter().take(100).position(|b| *b == b'}')?;
            Some(at + length + 1)
        }
        b'\\' if matches!(text.get(at + 1), Some(b'{' | b'}')) => Some(at + 1),
        b'\\' => Some(at + escape_length(text, at)),
        b'{' if text.get(at + 1) == Some(&b'{') => Some(at + 2),
        b'{' => {
            open.push(Open::Field(0));
            Some(at + 1)
        }
        byte if byte == quote.byte => match quote.closes(text, at) {
            Some(length) => {
                open.pop();
                Some(at + length)
            }
            None => Some(at + 1),
        },
        _ => Some(at + 1),
    }
}

/// Steps over one thing in the expression of a field.
fn field_step(text: &[u8], at: usize, brackets: usize, open: &mut Vec<Open>) -> Option<usize> {
    let top = open.last_mut()?;
    match text[at] {
        b'(' | b'[' | b'{' => *top = Open::Field(brackets + 1),
        b')' | b']' => *top = Open::Field(brackets.saturating_sub(1)),
        b'}' if brackets > 0 => *top = Open::Field(brackets - 1),
        b'}' => {
            open.pop();
        }
        b':' if brackets == 0 => *top = Open::Format,
        b'"' | b'\'' => {
            let (quote, body) = Quote::open(text, at + 1);
            if !is_formatted(text, at) {
                return plain_end(text, body, quote);
            }
            open.push(Open::Literal(quote));
            return Some(body);
        }
        _ => {}
    }
    Some(at + 1)
}

/// Whether the quote at `at` has a prefix with an `f`.
fn is_formatted(text: &[u8], at: usize) -> bool {
    let prefix = &text[at.saturating_sub(2)..at];
    prefix.iter().rev().take_while(|b| matches!(b, b'f' | b'F' | b'r' | b'R')).any(|b| matches!(b, b'f' | b'F'))
}
