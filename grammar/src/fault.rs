//! Syntax errors in the words of a person: what was expected, and the usual slips by name.

use crate::lines::Lines;
use crate::token::Token;
use crate::tree::Fault;
use lalrpop_util::ParseError;
use tk_diag::{Diagnostic, SYNTAX, SourceFile, Span, UNSUPPORTED};

/// The diagnostic for what the grammar could not read.
pub(crate) fn explain(error: ParseError<u32, Token<'_>, Fault>, lines: &Lines<'_>, file: &SourceFile) -> Fault {
    match error {
        ParseError::User { error } => match_statement(lines, file).unwrap_or(error),
        ParseError::InvalidToken { location } => Diagnostic::error(SYNTAX, "this cannot be read")
            .at(file, Span { start: location, end: location + 1 }, "")
            .boxed(),
        ParseError::UnrecognizedEof { expected, location } => at_end(lines, file, location, &expected),
        ParseError::UnrecognizedToken { token: (start, token, end), expected } => {
            at_token(lines, file, token, Span { start, end }, &expected)
        }
        ParseError::ExtraToken { token: (start, token, end) } => at_token(lines, file, token, Span { start, end }, &[]),
    }
}

/// The error for a line that ends too early.
fn at_end(lines: &Lines<'_>, file: &SourceFile, location: u32, expected: &[String]) -> Fault {
    let end = lines.last.map_or(location, |(_, span)| span.end);
    let place = Span { start: end, end: end + 1 };
    if let Some(fault) = match_statement(lines, file) {
        return fault;
    }
    if let Some(word) = missing_colon(lines, expected) {
        return error(format!("a `:` is missing after `{word} …`"), file, place, "expected `:`");
    }
    let last = lines.last.map(|(_, span)| shown(file, span)).unwrap_or_default();
    if has(expected, "name") {
        let what = if has(expected, "int") { "value" } else { "name" };
        return error(format!("a {what} is missing after `{last}`"), file, place, "the line ends here");
    }
    let message = format!("the line ends too early: expected {}", in_words(expected));
    error(message, file, place, "the line ends here")
}

/// The error for a token that cannot stand where it does.
fn at_token(lines: &Lines<'_>, file: &SourceFile, token: Token<'_>, span: Span, expected: &[String]) -> Fault {
    let text = shown(file, span);
    let first = lines.first.map(|(token, _)| token);
    if let Some(fault) = known_slip(lines, file, (token, span), expected) {
        return fault;
    }
    let mut fault = if starts_value(token) && !has(expected, "name") {
        let message = match missing_colon(lines, expected) {
            Some(word) => format!("unexpected `{text}`: a `:` ends the `{word}`, an operator joins two values"),
            None if lines.open_bracket().is_some() => format!("a comma or an operator is missing before `{text}`"),
            None => format!("unexpected `{text}`: expected an operator or the end of the line"),
        };
        Diagnostic::error(SYNTAX, message).at(file, span, "not expected here")
    } else {
        let message = format!("unexpected `{text}`: expected {}", in_words(expected));
        Diagnostic::error(SYNTAX, message).at(file, span, "not expected here")
    };
    if let Some((bracket, opened)) = lines.open_bracket().filter(|(_, opened)| opened.end != span.end) {
        let start = file.line_column(opened.start).line;
        if start != file.line_column(span.start).line {
            fault = fault.at(file, opened, format!("inside this `{bracket}`; is it closed?"));
        }
    }
    match (first, token) {
        (_, Token::Bar) => fault.help("write `or` for a logical or").boxed(),
        (_, Token::Ampersand) => fault.help("write `and` for a logical and").boxed(),
        _ => fault.boxed(),
    }
}

/// Slips that have a name of their own.
fn known_slip(
    lines: &Lines<'_>,
    file: &SourceFile,
    (token, span): (Token<'_>, Span),
    expected: &[String],
) -> Option<Fault> {
    let first = lines.first.map(|(token, _)| token);
    match (first, token) {
        (_, Token::Async | Token::Await | Token::Yield) => {
            let message = format!("`{}` is not supported", shown(file, span));
            let fault = Diagnostic::error(UNSUPPORTED, message).at(file, span, "");
            Some(fault.help("write a plain function; kernels and their host code run in order").boxed())
        }
        (Some(Token::Else), Token::If) => {
            let fault = Diagnostic::error(SYNTAX, "`else if` is written `elif`").at(file, span, "");
            Some(fault.boxed())
        }
        (Some(Token::For), _) if starts_value(token) && lines.open_bracket().is_none() && has(expected, "in") => {
            Some(error(format!("`in` is missing before `{}`", shown(file, span)), file, span, "expected `in`"))
        }
        (Some(Token::If | Token::Elif | Token::While | Token::Assert), Token::Assign)
            if lines.open_bracket().is_none() =>
        {
            let fault = Diagnostic::error(SYNTAX, "`=` assigns and cannot stand in a condition").at(file, span, "");
            Some(fault.help("write `==` to compare").boxed())
        }
        (_, Token::Assign) if lines.open_bracket().is_some() => {
            let fault = Diagnostic::error(SYNTAX, "`=` cannot stand here").at(file, span, "not expected here");
            Some(fault.help("write `==` to compare; only a name can be a keyword argument").boxed())
        }
        (Some(Token::Name(name @ ("print" | "exec"))), _) if starts_value(token) && !has(expected, "name") => {
            let fault = Diagnostic::error(SYNTAX, format!("`{name}` is a function")).at(file, span, "");
            Some(fault.help(format!("write `{name}(…)`")).boxed())
        }
        (Some(Token::Name("match" | "case")), _) => match_statement(lines, file),
        _ if has(expected, "name") && !has(expected, "int") && is_keyword(file, span, token) => {
            let message = format!("`{}` is a keyword and cannot be a name", shown(file, span));
            Some(error(message, file, span, "keyword"))
        }
        _ => None,
    }
}

/// The error for `match x:`, whose words are plain names to the grammar.
fn match_statement(lines: &Lines<'_>, file: &SourceFile) -> Option<Fault> {
    let (Token::Name("match" | "case"), span) = lines.first? else { return None };
    let part = file.part_at(span.start);
    let line = part.line_text(part.line_column(span.start).line);
    let (_, subject) = line.split_once(file.slice(span))?;
    // `match = 1` and `match.x` are about a name.
    let is_subject =
        !subject.trim_start().starts_with(['=', '.', ',', ';', ':', '+', '/', '%', '&', '|', '^', '<', '>', '@', '!']);
    let is_open = line.trim_end().ends_with(['(', '[', '{', ',', '|']);
    (is_subject && (is_open || subject.contains(':'))).then(|| {
        let fault = Diagnostic::error(UNSUPPORTED, "the `match` statement is not supported").at(file, span, "");
        fault.help("write `if` and `elif`").boxed()
    })
}

/// The word that opens the block when only its `:` is missing.
fn missing_colon(lines: &Lines<'_>, expected: &[String]) -> Option<&'static str> {
    let word = lines.first?.0.block_word()?;
    (lines.open_bracket().is_none() && has(expected, ":")).then_some(word)
}

fn error(message: impl Into<String>, file: &SourceFile, span: Span, label: &str) -> Fault {
    Diagnostic::error(SYNTAX, message).at(file, span, label).boxed()
}

/// The text of a token, cut to what fits a message.
fn shown(file: &SourceFile, span: Span) -> String {
    let text = file.slice(span);
    let line = text.split(['\n', '\r']).next().unwrap_or_default();
    match line.char_indices().nth(40) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line.to_string(),
    }
}

fn starts_value(token: Token<'_>) -> bool {
    use Token::*;
    matches!(token, Name(_) | Int(_) | Float(_) | Str(_) | True | False | None | Lambda | Ellipsis)
}

fn is_keyword(file: &SourceFile, span: Span, token: Token<'_>) -> bool {
    !matches!(token, Token::Name(_)) && file.slice(span).bytes().all(|b| b.is_ascii_alphabetic())
}

/// Whether the grammar would take this terminal; LALRPOP lists terminals in quotes.
fn has(expected: &[String], terminal: &str) -> bool {
    expected.iter().any(|entry| entry.trim_matches('"') == terminal)
}

/// A list of terminals as a person would say it.
fn in_words(expected: &[String]) -> String {
    let mut words = Vec::new();
    match (has(expected, "name"), has(expected, "int")) {
        (true, true) => words.push("a value".to_string()),
        (true, false) => words.push("a name".to_string()),
        _ => {}
    }
    if has(expected, "==") {
        words.push("an operator".to_string());
    }
    let marks = [")", "]", "}", ",", ":", "(", "in", "import", "as", "else", "for"];
    words.extend(
        marks.iter().filter(|mark| has(expected, mark) && words_needed(expected, mark)).map(|m| format!("`{m}`")),
    );
    if words.is_empty() {
        words.extend(expected.iter().take(4).map(|entry| format!("`{}`", entry.trim_matches('"'))));
    }
    match words.pop() {
        None => "the end of the line".to_string(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} or {last}", words.join(", ")),
    }
}

/// Marks that only repeat what `a value` or `an operator` says already are left out.
fn words_needed(expected: &[String], mark: &str) -> bool {
    match mark {
        "(" => !has(expected, "int"),
        "in" | "else" | "for" => !has(expected, "=="),
        _ => true,
    }
}
