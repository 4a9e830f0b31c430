//! The values of string literals: prefixes, escapes, joining of adjacent literals, and the parts of f-strings.

use crate::ast::{Expr, ExprKind, FStringPart};
use crate::tree::{Context, Node};
use tk_diag::{Diagnostic, Span, UNSUPPORTED};

/// F-strings inside f-strings, at most.
const MAX_FSTRING_DEPTH: u32 = 8;

/// A string literal taken apart: `rb"""…"""`.
struct Literal<'a> {
    raw: bool,
    bytes: bool,
    formatted: bool,
    body: &'a str,
    /// Where `body` starts in the file.
    start: usize,
}

impl<'a> Literal<'a> {
    fn new(text: &'a str, start: usize) -> Self {
        let prefix_length = text.find(['"', '\'']).unwrap_or(0);
        let (prefix, quoted) = text.split_at(prefix_length);
        let quote_length =
            if quoted.len() >= 6 && (quoted.starts_with("\"\"\"") || quoted.starts_with("'''")) { 3 } else { 1 };
        let body = quoted.get(quote_length..quoted.len().saturating_sub(quote_length)).unwrap_or("");
        let has = |letter: char| prefix.chars().any(|c| c.eq_ignore_ascii_case(&letter));
        Self { raw: has('r'), bytes: has('b'), formatted: has('f'), body, start: start + prefix_length + quote_length }
    }
}

/// The expression that one or more adjacent literals make; `parts` are their texts with their starts.
pub(crate) fn join(cx: &Context<'_>, parts: Vec<(u32, &str)>, span: Span) -> Result<Node, Box<Diagnostic>> {
    let literals: Vec<Literal<'_>> = parts.iter().map(|(start, text)| Literal::new(text, *start as usize)).collect();
    if literals.iter().any(|literal| literal.bytes) {
        return join_bytes(cx, &literals, span);
    }
    let mut reader = PartReader { cx, parts: Vec::new(), text: String::new(), height: 0 };
    for literal in &literals {
        match literal.formatted {
            true => reader.read_formatted(literal)?,
            false => unescape(cx, literal.body, literal.start, literal.raw, &mut reader.text)?,
        }
    }
    if !literals.iter().any(|literal| literal.formatted) {
        return Ok(Node::leaf(ExprKind::Str(reader.text), span));
    }
    reader.flush();
    Ok(Node { expr: Expr { kind: ExprKind::FString(reader.parts), span }, height: reader.height + 1 })
}

fn join_bytes(cx: &Context<'_>, literals: &[Literal<'_>], span: Span) -> Result<Node, Box<Diagnostic>> {
    let mut bytes = Vec::new();
    for literal in literals {
        let place = Span::new(literal.start, literal.start + literal.body.len());
        if !literal.bytes {
            return Err(cx.error(place, "a text string and a bytes string cannot be joined", "not bytes"));
        }
        if !literal.body.is_ascii() {
            return Err(cx.error(place, "a bytes string holds ASCII characters only", "not ASCII"));
        }
        let mut text = String::new();
        unescape(cx, literal.body, literal.start, literal.raw, &mut text)?;
        // Escapes up to \xff are one character each below U+0100, so the characters are the bytes.
        bytes.extend(text.chars().map(|c| c as u32 as u8));
    }
    Ok(Node::leaf(ExprKind::Bytes(bytes), span))
}

/// Appends `body` to `out` with its escapes resolved; `start` is where `body` is in the file.
fn unescape(cx: &Context<'_>, body: &str, start: usize, raw: bool, out: &mut String) -> Result<(), Box<Diagnostic>> {
    let mut rest = body;
    while let Some(stop) = rest.find(['\\', '\r']) {
        out.push_str(&rest[..stop]);
        let at = start + (body.len() - rest.len()) + stop;
        let from = &rest[stop..];
        if let Some(after) = from.strip_prefix("\r\n").or_else(|| from.strip_prefix('\r')) {
            out.push('\n');
            rest = after;
        } else if raw {
            out.push('\\');
            rest = &from[1..];
        } else {
            rest = &from[escape(cx, from, at, out)?..];
        }
    }
    out.push_str(rest);
    Ok(())
}

/// Resolves the escape at the start of `text` and returns its length in bytes.
fn escape(cx: &Context<'_>, text: &str, at: usize, out: &mut String) -> Result<usize, Box<Diagnostic>> {
    let Some(letter) = text[1..].chars().next() else {
        out.push('\\');
        return Ok(1);
    };
    let simple = match letter {
        '\n' => return Ok(2),
        '\r' => return Ok(if text[1..].starts_with("\r\n") { 3 } else { 2 }),
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0C',
        'v' => '\x0B',
        '\\' | '\'' | '"' => letter,
        '0'..='7' => {
            let digits = text[1..].bytes().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
            return push_code(cx, &text[1..1 + digits], 8, at, 1 + digits, out);
        }
        'x' => return coded_escape(cx, text, at, 2, out),
        'u' => return coded_escape(cx, text, at, 4, out),
        'U' => return coded_escape(cx, text, at, 8, out),
        'N' => {
            let place = Span::new(at, at + 2);
            return Err(cx.error(place, "character names (`\\N{…}`) are not supported", "write `\\u` and its code"));
        }
        other => {
            out.push('\\');
            out.push(other);
            return Ok(1 + other.len_utf8());
        }
    };
    out.push(simple);
    Ok(2)
}

fn coded_escape(
    cx: &Context<'_>,
    text: &str,
    at: usize,
    digits: usize,
    out: &mut String,
) -> Result<usize, Box<Diagnostic>> {
    let code = text.get(2..2 + digits).filter(|code| code.bytes().all(|b| b.is_ascii_hexdigit()));
    let Some(code) = code else {
        let message = format!("`{}` must be followed by {digits} hexadecimal digits", &text[..2]);
        return Err(cx.error(Span::new(at, at + 2), message, "escape"));
    };
    push_code(cx, code, 16, at, 2 + digits, out)
}

fn push_code(
    cx: &Context<'_>,
    digits: &str,
    radix: u32,
    at: usize,
    length: usize,
    out: &mut String,
) -> Result<usize, Box<Diagnostic>> {
    let character = u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    let Some(character) = character else {
        return Err(cx.error(Span::new(at, at + length), "this escape is not a Unicode character", "escape"));
    };
    out.push(character);
    Ok(length)
}

/// Collects the parts of an f-string.
struct PartReader<'c, 'a> {
    cx: &'c Context<'a>,
    parts: Vec<FStringPart>,
    text: String,
    height: u32,
}

impl PartReader<'_, '_> {
    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.parts.push(FStringPart::Text(std::mem::take(&mut self.text)));
        }
    }

    /// Reads the text and the fields of one f-string literal.
    fn read_formatted(&mut self, literal: &Literal<'_>) -> Result<(), Box<Diagnostic>> {
        if self.cx.fstring_depth >= MAX_FSTRING_DEPTH {
            let place = Span::new(literal.start, literal.start + literal.body.len());
            let diagnostic =
                self.cx.error(place, format!("f-strings are nested more than {MAX_FSTRING_DEPTH} deep"), "");
            return Err(Box::new(Diagnostic { code: tk_diag::NESTING_TOO_DEEP, ..*diagnostic }));
        }
        self.read_pieces(literal.body, literal.start, literal.raw, 0)
    }

    /// Reads text with fields; `level` is 1 inside a format, where text ends are not doubled braces.
    fn read_pieces(&mut self, body: &str, start: usize, raw: bool, level: u32) -> Result<(), Box<Diagnostic>> {
        let bytes = body.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let stop = literal_run(bytes, at);
            unescape(self.cx, &body[at..stop], start + at, raw, &mut self.text)?;
            at = stop;
            match bytes.get(at) {
                None => break,
                Some(brace) if level == 0 && bytes.get(at + 1) == Some(brace) => {
                    self.text.push(*brace as char);
                    at += 2;
                }
                Some(b'{') => at = self.read_field(body, start, at, level)?,
                Some(_) => {
                    let place = Span::new(start + at, start + at + 1);
                    return Err(self.cx.error(place, "a single `}` in an f-string", "write `}}` for the character"));
                }
            }
        }
        Ok(())
    }

    /// Reads `{value!r:format}` whose `{` is at `open`; returns the place behind its `}`.
    fn read_field(&mut self, body: &str, start: usize, open: usize, level: u32) -> Result<usize, Box<Diagnostic>> {
        let cx = self.cx;
        let place = |from: usize, to: usize| Span::new(start + from, start + to);
        let unclosed = || cx.error(place(open, open + 1), "this `{` of an f-string is not closed", "opened here");
        let bytes = body.as_bytes();
        let mut at = value_end(bytes, open + 1).ok_or_else(unclosed)?;
        let source = &body[open + 1..at];
        if source.trim().is_empty() {
            return Err(cx.error(place(open, at + 1), "an f-string field without a value", "write a value here"));
        }
        let value = cx.parse_field(source, start + open + 1)?;
        self.height = self.height.max(value.height);
        let mut conversion = None;
        if bytes[at] == b'=' {
            let echo = at + 1 + bytes[at + 1..].iter().take_while(|b| b.is_ascii_whitespace()).count();
            self.text.push_str(&body[open + 1..echo]);
            at = echo;
            conversion = Some('r');
        }
        if bytes.get(at) == Some(&b'!') {
            conversion = body[at + 1..].chars().next();
            if !matches!(conversion, Some('r' | 's' | 'a')) {
                return Err(cx.error(place(at, at + 2), "a conversion is `!r`, `!s` or `!a`", "not a conversion"));
            }
            at += 2;
        }
        self.flush();
        if bytes.get(at) == Some(&b':') {
            if conversion == Some('r') && bytes[..at].last() != Some(&b'r') {
                conversion = None;
            }
            let close = format_end(bytes, at + 1).ok_or_else(unclosed)?;
            self.push_formatted(value.expr, conversion, &body[at + 1..close], start + at + 1, level)?;
            return Ok(close + 1);
        }
        if bytes.get(at) != Some(&b'}') {
            return Err(unclosed());
        }
        self.parts.push(FStringPart::Value { value: value.expr, conversion, format: None });
        Ok(at + 1)
    }

    fn push_formatted(
        &mut self,
        value: Expr,
        conversion: Option<char>,
        format: &str,
        start: usize,
        level: u32,
    ) -> Result<(), Box<Diagnostic>> {
        if !format.contains('{') {
            self.parts.push(FStringPart::Value { value, conversion, format: Some(format.to_string()) });
            return Ok(());
        }
        if level > 0 {
            let place = Span::new(start, start + format.len());
            let message = "a format inside a format cannot have fields of its own";
            return Err(Diagnostic::error(UNSUPPORTED, message).at(self.cx.file, place, "too deep").boxed());
        }
        let mut inner = PartReader { cx: self.cx, parts: Vec::new(), text: String::new(), height: 0 };
        inner.read_pieces(format, start, true, level + 1)?;
        inner.flush();
        self.height = self.height.max(inner.height + 1);
        self.parts.push(FStringPart::Formatted { value, conversion, format: inner.parts });
        Ok(())
    }
}

/// The end of the text up to the next brace; the braces of `\N{…}` were rejected by then.
fn literal_run(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|b| matches!(b, b'{' | b'}')).map_or(bytes.len(), |offset| from + offset)
}

/// Where the expression of a field ends: at its `!`, `=`, `:` or `}`.
fn value_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut open = 0usize;
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' => open = open.saturating_sub(1),
            b'}' if open > 0 => open -= 1,
            b'}' | b':' if open == 0 => return Some(at),
            b'!' if open == 0 && bytes.get(at + 1) != Some(&b'=') => return Some(at),
            b'=' if open == 0 && is_echo(bytes, at) => return Some(at),
            b'"' | b'\'' => {
                at = skip_string(bytes, at)?;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether the `=` at `at` ends the field's expression (`{x=}`, `{x=!r}`, `{x=:3}`) and is no comparison.
fn is_echo(bytes: &[u8], at: usize) -> bool {
    let next = bytes[at + 1..].iter().find(|b| !b.is_ascii_whitespace());
    matches!(next, Some(b'}' | b'!' | b':')) && !matches!(bytes[at - 1], b'=' | b'!' | b'<' | b'>')
}

/// One past the string whose opening quote is at `at`; the lexer has checked that it is closed.
fn skip_string(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = bytes[at];
    let length = if bytes[at..].starts_with(&[quote; 3]) { 3 } else { 1 };
    let mut end = at + length;
    while end < bytes.len() {
        if bytes[end] == b'\\' {
            end += 2;
        } else if bytes[end..].starts_with(&[quote; 3][..length]) {
            return Some(end + length);
        } else {
            end += 1;
        }
    }
    None
}

/// Where the `}` of a field is whose format starts at `from`.
fn format_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut open = 0usize;
    for (offset, byte) in bytes[from..].iter().enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' if open == 0 => return Some(from + offset),
            b'}' => open -= 1,
            _ => {}
        }
    }
    None
}
