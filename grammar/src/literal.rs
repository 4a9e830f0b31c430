//! Literals that come from outside a file: the values of `--constexpr` and `-D`, and those in signatures.
//!
//! A value is read as the language reads it. Text that starts like no literal (`relu`, `leaky-relu`, `/tmp/x`) stands for itself, so that
//! command lines need no quotes inside quotes; text that starts like one (a digit, a sign, a quote, a bracket) has to be one.

use crate::ast::{Argument, Expr, ExprKind, UnaryOp};
use crate::lines::parse_field;
use crate::token::{Token, Unreadable};
use crate::tree::{Context, Fault};
use logos::Logos;
use std::ops::Range;
use tk_diag::{Diagnostic, Result, SYNTAX, SourceFile, Span, USAGE};

/// What a literal says.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// `-3`, `0x10`, `1_000`.
    Int(i128),
    /// `1e-5`, `-inf`.
    Float(f64),
    /// A string between quotes, or text that starts like no literal.
    Str(String),
    /// A name, with dots or without: `tl.float16`, `relu`. What it stands for, its reader has to know.
    Name(String),
    /// `(1, 2)` or `[1, 2]`.
    Tuple(Vec<Literal>),
}

/// `NAME=VALUE` of a command line.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The name.
    pub name: String,
    /// The value.
    pub value: Literal,
}

/// Reads `A=1,S="x,y"`: assignments between commas. `file` is the text with the name of the option that it was given to.
///
/// # Errors
/// What is no assignment or no literal, with its place.
pub fn read_assignments(file: &SourceFile) -> Result<Vec<Assignment>> {
    let reader = Reader { file };
    let (mut at, mut found) = (0, Vec::new());
    while at < file.text().len() {
        let end = reader.end(at)?;
        if !file.text()[at..end].trim().is_empty() {
            found.push(reader.assignment(at..end)?);
        }
        at = end + 1;
    }
    Ok(found)
}

/// Reads `n=4096`, where the value is all that follows the `=`.
///
/// # Errors
/// What is no assignment or no literal, with its place.
pub fn read_assignment(file: &SourceFile) -> Result<Assignment> {
    Reader { file }.assignment(0..file.text().len())
}

/// Reads the literal that the text is.
///
/// # Errors
/// What is no literal, with its place.
pub fn read_literal(file: &SourceFile) -> Result<Literal> {
    Reader { file }.value(0..file.text().len())
}

/// Reads the literal at the front of a text, which a comma or the end of the text follows; returns its length, too.
///
/// # Errors
/// What is no literal, with its place.
pub fn read_front(file: &SourceFile) -> Result<(Literal, usize)> {
    let reader = Reader { file };
    let end = reader.end(0)?;
    Ok((reader.value(0..end)?, end))
}

/// Reads from the text of a command line.
struct Reader<'f> {
    file: &'f SourceFile,
}

impl Reader<'_> {
    /// Where the part that begins here ends: at a comma outside brackets and strings, or with the text.
    fn end(&self, start: usize) -> Result<usize> {
        let mut lexer = Token::lexer(&self.file.text()[start..]);
        let mut depth = 0u32;
        while let Some(token) = lexer.next() {
            let span = Span::new(start + lexer.span().start, start + lexer.span().end);
            match token {
                Ok(Token::OpenParen | Token::OpenBracket | Token::OpenBrace) => depth += 1,
                Ok(Token::CloseParen | Token::CloseBracket | Token::CloseBrace) => depth = depth.saturating_sub(1),
                Ok(Token::Comma) if depth == 0 => return Ok(span.start as usize),
                Err(Unreadable::UnclosedString) => {
                    let fault = Diagnostic::error(SYNTAX, "this string is not closed");
                    return Err(fault.at(self.file, span, "starts here").boxed());
                }
                Ok(_) | Err(Unreadable::Character) => {}
            }
        }
        Ok(self.file.text().len())
    }

    fn assignment(&self, part: Range<usize>) -> Result<Assignment> {
        let text = &self.file.text()[part.clone()];
        let Some((name, _)) = text.split_once('=').filter(|(name, _)| is_name(name.trim())) else {
            let fault = Diagnostic::error(USAGE, format!("`{}` is not NAME=VALUE", text.trim()));
            let help = "write a name, `=` and a value, such as n=4096; a string with a comma needs quotes";
            return Err(fault.at(self.file, Span::new(part.start, part.end), "").help(help).boxed());
        };
        let value = self.value(part.start + name.len() + 1..part.end)?;
        Ok(Assignment { name: name.trim().to_string(), value })
    }

    /// The literal that this part of the text is.
    fn value(&self, part: Range<usize>) -> Result<Literal> {
        let text = &self.file.text()[part.clone()];
        let cx = Context { file: self.file, fstring_depth: 0 };
        let parsed = || parse_field(&cx, text, part.start).map(|node| node.expr);
        let bare = || Literal::Str(text.trim().to_string());
        match Token::lexer(text).next() {
            Some(Ok(token)) if starts_literal(token) => self.literal(&parsed()?),
            Some(Ok(Token::Name(_))) => Ok(parsed().ok().and_then(|expr| named(&expr)).unwrap_or_else(bare)),
            Some(Err(Unreadable::UnclosedString)) => Err(parsed().err().unwrap_or_else(|| self.no_literal(part))),
            Some(Ok(_) | Err(Unreadable::Character)) | None => Ok(bare()),
        }
    }

    fn literal(&self, expr: &Expr) -> std::result::Result<Literal, Fault> {
        let no_literal = || self.no_literal(expr.span.start as usize..expr.span.end as usize);
        Ok(match &expr.kind {
            ExprKind::None => Literal::None,
            ExprKind::Bool(value) => Literal::Bool(*value),
            ExprKind::Int(value) => Literal::Int(*value),
            ExprKind::Float(value) => Literal::Float(*value),
            ExprKind::Str(text) => Literal::Str(text.clone()),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                Literal::Tuple(items.iter().map(|item| self.literal(item)).collect::<std::result::Result<_, _>>()?)
            }
            ExprKind::Unary { op, operand } => signed(*op, self.literal(operand)?).ok_or_else(no_literal)?,
            _ => named(expr).ok_or_else(no_literal)?,
        })
    }

    fn no_literal(&self, part: Range<usize>) -> Fault {
        let text = self.file.text()[part.clone()].trim();
        let fault = Diagnostic::error(SYNTAX, format!("`{text}` is not a literal"));
        let help = "write a number, True, False, None, a type, a string between quotes, or a tuple of these";
        fault.at(self.file, Span::new(part.start, part.end), "").help(help).boxed()
    }
}

/// A name, or what Python calls a number that no literal writes: `float("inf")`, `float('-nan')`.
fn named(expr: &Expr) -> Option<Literal> {
    let ExprKind::Call { func, args } = &expr.kind else {
        return expr.dotted_name().map(Literal::Name);
    };
    match (func.dotted_name()?.as_str(), args.as_slice()) {
        ("float", [Argument::Positional(Expr { kind: ExprKind::Str(text), .. })]) => {
            text.trim().parse().ok().map(Literal::Float)
        }
        _ => None,
    }
}

/// A number with its sign.
fn signed(op: UnaryOp, value: Literal) -> Option<Literal> {
    let value = match value {
        Literal::Name(name) if name == "inf" => Literal::Float(f64::INFINITY),
        Literal::Name(name) if name == "nan" => Literal::Float(f64::NAN),
        value => value,
    };
    match (op, value) {
        (UnaryOp::Neg, Literal::Int(value)) => value.checked_neg().map(Literal::Int),
        (UnaryOp::Neg, Literal::Float(value)) => Some(Literal::Float(-value)),
        (UnaryOp::Pos, value @ (Literal::Int(_) | Literal::Float(_))) => Some(value),
        _ => None,
    }
}

/// Whether only a literal starts so.
fn starts_literal(token: Token<'_>) -> bool {
    matches!(
        token,
        Token::Int(_)
            | Token::Float(_)
            | Token::Str(_)
            | Token::OpenParen
            | Token::OpenBracket
            | Token::OpenBrace
            | Token::Plus
            | Token::Minus
            | Token::None
            | Token::True
            | Token::False
    )
}

fn is_name(text: &str) -> bool {
    let mut lexer = Token::lexer(text);
    matches!(lexer.next(), Some(Ok(Token::Name(name))) if name == text)
}
