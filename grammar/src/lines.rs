//! Logical lines: the tokens of one statement, however many lines of text it spans, and how far it is indented.
//!
//! [`Lines`] walks the file. At the start of a line it measures the indentation; then it is the iterator of tokens that
//! the grammar reads, and ends at the line break outside brackets. A line is never collected, so a 10 MB line costs its tree only.

use crate::block::Line;
use crate::fault;
use crate::python::{FieldParser, LineParser};
use crate::token::{Token, Unreadable};
use crate::tree::{Context, Fault, Node};
use logos::Logos;
use tk_diag::{Diagnostic, NESTING_TOO_DEEP, SYNTAX, SourcePart, Span};

/// Brackets inside brackets, at most.
const MAX_BRACKETS: usize = 200;

/// How far a line is indented, measured twice: tabs reach the next multiple of 8, and tabs count 1.
/// Python calls two lines comparable only when both measures agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Indent {
    pub(crate) wide: u32,
    pub(crate) narrow: u32,
}

impl Indent {
    /// How two lines compare; nothing when it depends on the width of a tab.
    pub(crate) fn compare(self, other: Indent) -> Option<std::cmp::Ordering> {
        let wide = self.wide.cmp(&other.wide);
        (wide == self.narrow.cmp(&other.narrow)).then_some(wide)
    }
}

/// A line before its tokens are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineStart {
    pub(crate) indent: Indent,
    /// The white space in front.
    pub(crate) margin: Span,
}

/// A token with its place, as the grammar reads it.
type Triple<'a> = (u32, Token<'a>, u32);

/// An open bracket.
#[derive(Clone, Copy)]
struct Bracket<'a> {
    token: Token<'a>,
    at: u32,
}

/// Walks the logical lines of a text.
pub(crate) struct Lines<'a> {
    cx: &'a Context<'a>,
    lexer: logos::Lexer<'a, Token<'a>>,
    /// Where the text starts in the file: not 0 for later parts and for the field of an f-string.
    base: u32,
    brackets: Vec<Bracket<'a>>,
    /// Brackets open beyond the limit, which are counted only.
    too_deep: usize,
    /// A token that belongs to the next line: the word behind brackets that were never closed.
    pushed_back: Option<usize>,
    /// The current line has ended.
    ended: bool,
    /// The first and the last token of the line, for messages.
    pub(crate) first: Option<(Token<'a>, Span)>,
    pub(crate) last: Option<(Token<'a>, Span)>,
    /// Line breaks are white space: in a field of an f-string.
    free: bool,
    /// Between the parentheses around the items of `with (a as b, c as d):`, which the grammar does not see.
    is_in_items: bool,
    /// The token before was the name of `type X[T] = …`.
    is_behind_type: bool,
}

impl<'a> Lines<'a> {
    /// The lines of one part of the file.
    pub(crate) fn new(cx: &'a Context<'a>, part: SourcePart<'a>) -> Self {
        let mut lines = Self::over(cx, part.text(), part.span().start);
        if part.text().starts_with('\u{FEFF}') {
            lines.lexer.bump('\u{FEFF}'.len_utf8());
        }
        lines
    }

    fn over(cx: &'a Context<'a>, text: &'a str, base: u32) -> Self {
        Self {
            cx,
            lexer: Token::lexer(text),
            base,
            brackets: Vec::new(),
            too_deep: 0,
            pushed_back: None,
            ended: false,
            first: None,
            last: None,
            free: false,
            is_in_items: false,
            is_behind_type: false,
        }
    }

    /// Goes to the next line that has tokens; nothing at the end of the text.
    pub(crate) fn next_line(&mut self) -> Option<LineStart> {
        let text = self.lexer.source();
        if let Some(at) = self.pushed_back.take() {
            self.restart(at);
        }
        let mut at = self.lexer.span().end;
        loop {
            let (indent, width) = measure(&text[at..]);
            let start = at + width;
            match text.as_bytes().get(start) {
                None => return None,
                Some(b'#') => at = text[start..].find(['\n', '\r']).map_or(text.len(), |end| start + end),
                Some(b'\n' | b'\r') => at = start + 1,
                Some(_) => {
                    self.restart(start);
                    (self.first, self.last, self.ended) = (None, None, false);
                    (self.is_in_items, self.is_behind_type) = (false, false);
                    self.brackets.clear();
                    self.too_deep = 0;
                    let base = self.base as usize;
                    return Some(LineStart { indent, margin: Span::new(base + at, base + start) });
                }
            }
        }
    }

    /// Puts the lexer at a byte of its text.
    fn restart(&mut self, at: usize) {
        let end = self.lexer.span().end;
        if at >= end {
            self.lexer.bump(at - end);
        } else {
            self.lexer = Token::lexer(self.lexer.source());
            self.lexer.bump(at);
        }
    }

    /// Reads the line with the grammar; on an error goes on behind the line.
    pub(crate) fn parse_line(&mut self) -> Result<Line, Fault> {
        let cx = self.cx;
        let result = LineParser::new().parse(cx, &mut *self);
        let result = result.map_err(|error| fault::explain(error, self, cx.file));
        self.finish();
        result
    }

    /// Skips what is left of the line.
    fn finish(&mut self) {
        while !self.ended {
            if self.next_token().is_none() {
                self.ended = true;
            }
        }
    }

    fn span(&self) -> Span {
        let span = self.lexer.span();
        Span::new(self.base as usize + span.start, self.base as usize + span.end)
    }

    /// The innermost open bracket: its text and its place.
    pub(crate) fn open_bracket(&self) -> Option<(&'static str, Span)> {
        let bracket = self.brackets.last()?;
        Some((bracket_text(bracket.token), Span { start: bracket.at, end: bracket.at + 1 }))
    }

    /// The next token of this line, an error, or nothing at its end.
    fn next_token(&mut self) -> Option<Result<(Token<'a>, Span), Fault>> {
        let mut line_break = false;
        loop {
            if self.ended {
                return None;
            }
            let Some(token) = self.lexer.next() else {
                self.ended = true;
                return (!self.free && !self.brackets.is_empty()).then(|| Err(self.unclosed()));
            };
            let span = self.span();
            let token = match token {
                Ok(Token::LineBreak) if self.free || !self.brackets.is_empty() => {
                    line_break = true;
                    continue;
                }
                Ok(Token::LineBreak) => {
                    self.ended = true;
                    return None;
                }
                Ok(Token::Backslash) => return Some(Err(self.stray_backslash(span))),
                Ok(token) => token,
                Err(unreadable) => return Some(Err(self.unreadable(unreadable, span))),
            };
            if line_break && token.starts_only_statements() && !self.free {
                let fault = self.unclosed();
                self.pushed_back = Some(line_start(self.lexer.source(), self.lexer.span().start));
                self.ended = true;
                return Some(Err(fault));
            }
            if let Err(fault) = self.count_bracket(token, span) {
                return Some(Err(fault));
            }
            return Some(Ok((token, span)));
        }
    }

    /// Whether the word `type` at the start of a line defines a name (`type X = int`), which then comes without it.
    fn defines_type(&self) -> bool {
        let mut ahead = self.lexer.clone();
        let is_name = matches!(ahead.next(), Some(Ok(Token::Name(_))));
        is_name && matches!(ahead.next(), Some(Ok(Token::Assign | Token::OpenBracket)))
    }

    /// Goes past the parameters behind the name that `type X[T] = …` defines.
    fn skip_type_params(&mut self) -> Option<Result<(Token<'a>, Span), Fault>> {
        let mut item = self.next_token()?;
        while !self.brackets.is_empty() && item.is_ok() {
            item = self.next_token()?;
        }
        if item.is_ok() { self.next_token() } else { Some(item) }
    }

    /// Whether the bracket behind `with` is around its items: one of them has a name, and the `:` follows.
    fn opens_items(&self) -> bool {
        let (mut depth, mut has_name) = (1usize, false);
        let mut ahead = self.lexer.clone();
        while let Some(Ok(token)) = ahead.next() {
            match token {
                Token::OpenParen | Token::OpenBracket | Token::OpenBrace => depth += 1,
                Token::CloseParen | Token::CloseBracket | Token::CloseBrace => depth -= 1,
                Token::As if depth == 1 => has_name = true,
                _ if token.starts_only_statements() => return false,
                _ => {}
            }
            if depth == 0 {
                return has_name && matches!(ahead.next(), Some(Ok(Token::Colon)));
            }
        }
        false
    }

    fn count_bracket(&mut self, token: Token<'a>, span: Span) -> Result<(), Fault> {
        match token {
            Token::OpenParen | Token::OpenBracket | Token::OpenBrace => {
                if self.brackets.len() >= MAX_BRACKETS {
                    self.too_deep += 1;
                    let message = format!("brackets are nested more than {MAX_BRACKETS} deep");
                    let fault = Diagnostic::error(NESTING_TOO_DEEP, message).at(self.cx.file, span, "one too many");
                    return Err(fault.help("name a part of it and use the name").boxed());
                }
                self.brackets.push(Bracket { token, at: span.start });
                Ok(())
            }
            Token::CloseParen | Token::CloseBracket | Token::CloseBrace => self.close_bracket(token, span),
            _ => Ok(()),
        }
    }

    fn close_bracket(&mut self, token: Token<'a>, span: Span) -> Result<(), Fault> {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return Ok(());
        }
        let closed = bracket_text(token);
        let Some(open) = self.brackets.pop() else {
            return Err(self.cx.error(span, format!("`{closed}` closes nothing"), "no bracket is open here"));
        };
        let expected = closing(open.token);
        if expected == closed {
            return Ok(());
        }
        let opened = Span { start: open.at, end: open.at + 1 };
        let message = format!("`{closed}` cannot close `{}`", bracket_text(open.token));
        Err(Diagnostic::error(SYNTAX, message)
            .at(self.cx.file, span, format!("`{expected}` is needed here"))
            .at(self.cx.file, opened, "opened here")
            .boxed())
    }

    fn unclosed(&self) -> Fault {
        let (text, span) = self.open_bracket().unwrap_or(("(", self.span()));
        Diagnostic::error(SYNTAX, format!("`{text}` is never closed")).at(self.cx.file, span, "opened here").boxed()
    }

    fn stray_backslash(&self, span: Span) -> Fault {
        let fault = Diagnostic::error(SYNTAX, "a `\\` that continues a line must be its last character");
        fault.at(self.cx.file, span, "").help("remove what follows it, white space too").boxed()
    }

    fn unreadable(&self, unreadable: Unreadable, span: Span) -> Fault {
        let text = self.cx.file.slice(span);
        match unreadable {
            Unreadable::UnclosedString => {
                let end = text.find(['\n', '\r']).map_or(span.end, |length| span.start + length as u32);
                let kind =
                    if text.contains("\"\"\"") || text.contains("'''") { "triple-quoted string" } else { "string" };
                self.cx.error(Span { start: span.start, end }, format!("this {kind} is not closed"), "starts here")
            }
            Unreadable::Character => {
                let character = text.chars().next().unwrap_or(' ');
                let message = match character {
                    c if c.is_whitespace() || c == '\u{FEFF}' => {
                        format!("the invisible character U+{:04X} is not allowed here", c as u32)
                    }
                    c if c.is_control() => format!("the control character U+{:04X} is not allowed here", c as u32),
                    c => format!("`{c}` is not part of the language"),
                };
                let fault = Diagnostic::error(SYNTAX, message).at(self.cx.file, span, "");
                match character {
                    '!' => fault.help("write `not`").boxed(),
                    c if c.is_whitespace() => fault.help("replace it by a plain space").boxed(),
                    '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}' => fault.help("write straight quotes").boxed(),
                    _ => fault.boxed(),
                }
            }
        }
    }
}

impl<'a> Iterator for &mut Lines<'a> {
    type Item = Result<Triple<'a>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let is_second = matches!(self.first, Some((Token::With, _))) && self.first == self.last;
        let mut item = self.next_token()?;
        if self.first.is_none() && matches!(item, Ok((Token::Name("type"), _))) && self.defines_type() {
            item = self.next_token()?;
            self.is_behind_type = true;
        } else if std::mem::take(&mut self.is_behind_type) && matches!(item, Ok((Token::OpenBracket, _))) {
            item = self.skip_type_params()?;
        }
        if is_second && matches!(item, Ok((Token::OpenParen, _))) && self.opens_items() {
            self.is_in_items = true;
            item = self.next_token()?;
        }
        if self.is_in_items && self.brackets.is_empty() && matches!(item, Ok((Token::CloseParen, _))) {
            self.is_in_items = false;
            item = self.next_token()?;
        }
        Some(item.map(|(token, span)| {
            self.first.get_or_insert((token, span));
            self.last = Some((token, span));
            (span.start, token, span.end)
        }))
    }
}

/// Reads the expression in a field of an f-string; `start` is where `source` is in the file.
pub(crate) fn parse_field(cx: &Context<'_>, source: &str, start: usize) -> Result<Node, Fault> {
    let base = u32::try_from(start).unwrap_or(u32::MAX);
    let mut lines = Lines { free: true, ..Lines::over(cx, source, base) };
    FieldParser::new().parse(cx, &mut lines).map_err(|error| fault::explain(error, &lines, cx.file))
}

/// The indentation at the start of `text` and its length in bytes. A form feed starts the count again.
fn measure(text: &str) -> (Indent, usize) {
    let mut indent = Indent::default();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b' ' => indent = Indent { wide: indent.wide + 1, narrow: indent.narrow + 1 },
            b'\t' => indent = Indent { wide: indent.wide / 8 * 8 + 8, narrow: indent.narrow + 1 },
            0x0C => indent = Indent::default(),
            _ => return (indent, at),
        }
    }
    (indent, text.len())
}

/// The start of the line of text that `at` is in.
fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

fn bracket_text(token: Token<'_>) -> &'static str {
    match token {
        Token::OpenParen => "(",
        Token::OpenBracket => "[",
        Token::OpenBrace => "{",
        Token::CloseParen => ")",
        Token::CloseBracket => "]",
        _ => "}",
    }
}

fn closing(open: Token<'_>) -> &'static str {
    match open {
        Token::OpenParen => ")",
        Token::OpenBracket => "]",
        _ => "}",
    }
}
