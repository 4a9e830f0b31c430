//! The tokens of a `.tk` file, as logos finds them, and the words for them in messages.
//!
//! Literals stay slices of the source; [`crate::number`] and [`crate::strings`] give them their values, where a bad one can be reported.

use logos::{Lexer, Logos};

/// What the lexer could not make a token of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// A character that starts no token.
    #[default]
    Character,
    /// A string without its closing quote.
    UnclosedString,
}

/// A token with its text where the text matters.
#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(error = Unreadable)]
#[logos(skip r"[ \t\x0C]+")]
#[logos(skip(r"#[^\r\n]*", allow_greedy = true))]
pub(crate) enum Token<'a> {
    #[regex(r"\r\n|\n|\r")]
    LineBreak,
    #[regex(r"\\(\r\n|\n|\r)", logos::skip)]
    #[token("\\")]
    Backslash,
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
    Name(&'a str),
    /// Digits with whatever follows them closely, so that `12ab` is one bad number and not two tokens.
    #[regex(r"[0-9][0-9A-Za-z_]*")]
    Int(&'a str),
    #[regex(r"[0-9][0-9_]*\.[0-9_]*([eE][+-]?[0-9_]+)?[A-Za-z]*")]
    #[regex(r"\.[0-9][0-9_]*([eE][+-]?[0-9_]+)?[A-Za-z]*")]
    #[regex(r"[0-9][0-9_]*[eE][+-][0-9_]+[A-Za-z]*")]
    Float(&'a str),
    #[regex(r#"([rR]|[uU]|[bB]|[bB][rR]|[rR][bB])?("|')"#, crate::quotes::scan_plain)]
    #[regex(r#"([fF]|[fF][rR]|[rR][fF])("|')"#, crate::quotes::scan_formatted)]
    Str(&'a str),
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(".")]
    Dot,
    #[token("...")]
    Ellipsis,
    #[token("->")]
    Arrow,
    #[token(":=")]
    Walrus,
    #[token("=")]
    Assign,
    #[token("@")]
    At,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("//")]
    SlashSlash,
    #[token("%")]
    Percent,
    #[token("**")]
    StarStar,
    #[token("&")]
    Ampersand,
    #[token("|")]
    Bar,
    #[token("^")]
    Caret,
    #[token("~")]
    Tilde,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("*=")]
    StarAssign,
    #[token("/=")]
    SlashAssign,
    #[token("//=")]
    SlashSlashAssign,
    #[token("%=")]
    PercentAssign,
    #[token("**=")]
    StarStarAssign,
    #[token("@=")]
    AtAssign,
    #[token("&=")]
    AmpersandAssign,
    #[token("|=")]
    BarAssign,
    #[token("^=")]
    CaretAssign,
    #[token("<<=")]
    ShiftLeftAssign,
    #[token(">>=")]
    ShiftRightAssign,
    #[token("and")]
    And,
    #[token("as")]
    As,
    #[token("assert")]
    Assert,
    #[token("async")]
    Async,
    #[token("await")]
    Await,
    #[token("break")]
    Break,
    #[token("class")]
    Class,
    #[token("continue")]
    Continue,
    #[token("def")]
    Def,
    #[token("del")]
    Del,
    #[token("elif")]
    Elif,
    #[token("else")]
    Else,
    #[token("except")]
    Except,
    #[token("False")]
    False,
    #[token("finally")]
    Finally,
    #[token("for")]
    For,
    #[token("from")]
    From,
    #[token("global")]
    Global,
    #[token("if")]
    If,
    #[token("import")]
    Import,
    #[token("in")]
    In,
    #[token("is")]
    Is,
    #[token("lambda")]
    Lambda,
    #[token("None")]
    None,
    #[token("nonlocal")]
    Nonlocal,
    #[token("not")]
    Not,
    #[token("or")]
    Or,
    #[token("pass")]
    Pass,
    #[token("raise")]
    Raise,
    #[token("return")]
    Return,
    #[token("True")]
    True,
    #[token("try")]
    Try,
    #[token("while")]
    While,
    #[token("with")]
    With,
    #[token("yield")]
    Yield,
}

impl Token<'_> {
    /// Whether it is a word that only a statement can start with, so that it cannot stand inside brackets.
    pub(crate) fn starts_only_statements(self) -> bool {
        matches!(
            self,
            Token::Assert
                | Token::Break
                | Token::Class
                | Token::Continue
                | Token::Def
                | Token::Del
                | Token::Elif
                | Token::Except
                | Token::Finally
                | Token::Global
                | Token::Import
                | Token::Nonlocal
                | Token::Pass
                | Token::Raise
                | Token::Return
                | Token::Try
                | Token::While
                | Token::With
        )
    }

    /// The word that opens a block which must have a `:` (`if`, `def`, …), if it is one.
    pub(crate) fn block_word(self) -> Option<&'static str> {
        Some(match self {
            Token::Class => "class",
            Token::Def => "def",
            Token::Elif => "elif",
            Token::Else => "else",
            Token::Except => "except",
            Token::Finally => "finally",
            Token::For => "for",
            Token::If => "if",
            Token::Try => "try",
            Token::While => "while",
            Token::With => "with",
            _ => return None,
        })
    }
}

/// The text between the quotes begins after the prefix and the quotes; the lexer stands behind the first quote.
pub(crate) type StringLexer<'a> = Lexer<'a, Token<'a>>;
