//! Words, numbers, strings and punctuation of PTX.
//!
//! One word holds a whole opcode (`ld.global.L1::evict_last.b32`) or a special register (`%tid.x`): PTX has no spaces
//! inside them and the parser splits them where it needs to.

use tk_diag::Span;

/// A token; text lies in the source under its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name, directive or opcode.
    Word,
    /// Starts with a digit.
    Number,
    /// In quotes.
    Text,
    /// One character.
    Mark(u8),
    /// A character PTX does not have, or a string without an end.
    Bad,
    /// No more text.
    End,
}

/// Reads tokens from a text, one at a time.
pub(crate) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0 }
    }

    /// The next token and where it lies.
    pub(crate) fn next(&mut self) -> (Token, Span) {
        self.skip_blanks();
        let start = self.at;
        let token = match self.peek(0) {
            None => Token::End,
            Some(b'"') => self.text(),
            Some(b'0'..=b'9') => self.number(),
            Some(b) if is_word(b) => self.word(),
            Some(b) if b.is_ascii_graphic() => {
                self.at += 1;
                Token::Mark(b)
            }
            Some(_) => {
                // Step over one whole character, so that spans never split one.
                self.at += 1;
                while self.peek(0).is_some_and(|b| b & 0xC0 == 0x80) {
                    self.at += 1;
                }
                Token::Bad
            }
        };
        (token, Span::new(start, self.at))
    }

    /// Reads on from a place that it has passed.
    pub(crate) fn go_back(&mut self, at: usize) {
        self.at = at;
    }

    /// Skips to the end of the line.
    pub(crate) fn skip_line(&mut self) {
        while self.peek(0).is_some_and(|b| b != b'\n') {
            self.at += 1;
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn skip_blanks(&mut self) {
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(b' ' | b'\t' | b'\r' | b'\n'), _) => self.at += 1,
                (Some(b'/'), Some(b'/')) => self.skip_line(),
                (Some(b'/'), Some(b'*')) => {
                    let rest = &self.bytes[self.at + 2..];
                    let end = rest.windows(2).position(|pair| pair == b"*/");
                    self.at = end.map_or(self.bytes.len(), |end| self.at + 2 + end + 2);
                }
                _ => return,
            }
        }
    }

    fn text(&mut self) -> Token {
        self.at += 1;
        while let Some(b) = self.peek(0) {
            self.at += 1;
            match b {
                b'"' => return Token::Text,
                b'\n' => return Token::Bad,
                b'\\' => self.at = (self.at + 1).min(self.bytes.len()),
                _ => {}
            }
        }
        Token::Bad
    }

    fn number(&mut self) -> Token {
        while self.peek(0).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'.') {
            let exponent = matches!(self.peek(0), Some(b'e' | b'E'))
                && matches!(self.peek(1), Some(b'+' | b'-'))
                && !matches!(self.bytes.get(self.at.saturating_sub(1)), Some(b'x' | b'f' | b'd'));
            self.at += if exponent && self.is_decimal() { 2 } else { 1 };
        }
        Token::Number
    }

    /// The digits read so far belong to a decimal literal, so `e-5` continues it.
    fn is_decimal(&self) -> bool {
        self.bytes[..self.at]
            .iter()
            .rev()
            .take(64)
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'.')
            .all(|b| b.is_ascii_digit() || *b == b'.')
    }

    fn word(&mut self) -> Token {
        loop {
            match (self.peek(0), self.peek(1), self.peek(2)) {
                (Some(b), _, _) if is_word(b) || b.is_ascii_digit() => self.at += 1,
                (Some(b':'), Some(b':'), Some(next)) if is_word(next) || next.is_ascii_digit() => self.at += 2,
                _ => return Token::Word,
            }
        }
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphabetic() || matches!(b, b'_' | b'$' | b'%' | b'.')
}
