//! The values of numbers.

use crate::ast::{Argument, Expr, ExprKind};
use crate::tree::{Context, Fault};
use tk_diag::{Diagnostic, SYNTAX, Span};

/// The function that a number such as `3j` calls: `complex(0, 3)`.
pub const COMPLEX: &str = "complex";

/// The value of a token that starts with a digit and has no decimal point or signed exponent.
pub(crate) fn int(cx: &Context<'_>, text: &str, span: Span) -> Result<ExprKind, Fault> {
    if let Some(value) = complex(cx, text, span) {
        return value;
    }
    let lower = text.to_ascii_lowercase();
    let (digits, radix, name) = match lower.get(..2) {
        Some("0x") => (&lower[2..], 16, "hexadecimal"),
        Some("0o") => (&lower[2..], 8, "octal"),
        Some("0b") => (&lower[2..], 2, "binary"),
        _ if lower.contains('e') => return float(cx, text, span),
        _ => (&lower[..], 10, "decimal"),
    };
    // Python allows one underscore between digits and one behind the prefix.
    let grouped = digits.contains("__") || digits.ends_with('_') || (radix == 10 && digits.starts_with('_'));
    if digits.is_empty() || grouped || !digits.chars().all(|c| c == '_' || c.is_digit(radix)) {
        return Err(cx.error(span, format!("`{text}` is not a {name} number"), "not a number"));
    }
    let plain: String = digits.chars().filter(|c| *c != '_').collect();
    if radix == 10 && plain.len() > 1 && plain.starts_with('0') && plain.bytes().any(|b| b != b'0') {
        let fault = Diagnostic::error(SYNTAX, "a decimal number may not start with 0").at(cx.file, span, "");
        return Err(fault.help(format!("write `0o{}` for an octal number", plain.trim_start_matches('0'))).boxed());
    }
    match i128::from_str_radix(&plain, radix) {
        Ok(value) => Ok(ExprKind::Int(value)),
        Err(_) => Err(Diagnostic::error(tk_diag::TOO_LARGE, "this number does not fit 128 bits")
            .at(cx.file, span, "")
            .boxed()),
    }
}

/// The value of a token with a decimal point or an exponent.
pub(crate) fn float(cx: &Context<'_>, text: &str, span: Span) -> Result<ExprKind, Fault> {
    if let Some(value) = complex(cx, text, span) {
        return value;
    }
    let bad_group = text.contains("__") || text.ends_with('_') || text.contains("_.") || text.contains("._");
    let plain: String = text.chars().filter(|c| *c != '_').collect();
    match plain.parse::<f64>() {
        Ok(value) if !bad_group => Ok(ExprKind::Float(value)),
        _ => Err(cx.error(span, format!("`{text}` is not a number"), "not a number")),
    }
}

/// `3j` is `complex(0, 3)`: a file may have it, and what uses it is told that there are no complex numbers.
fn complex(cx: &Context<'_>, text: &str, span: Span) -> Option<Result<ExprKind, Fault>> {
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let digits = text.strip_suffix(['j', 'J']).filter(|_| !hexadecimal)?;
    if !digits.chars().all(|c| matches!(c, '0'..='9' | '.' | '_' | 'e' | 'E' | '+' | '-')) {
        return None;
    }
    let argument = |kind| Argument::Positional(Expr { kind, span });
    let func = Box::new(Expr { kind: ExprKind::Name(COMPLEX.to_string()), span });
    let value = float(cx, digits, span);
    Some(value.map(|value| ExprKind::Call { func, args: vec![argument(ExprKind::Float(0.0)), argument(value)] }))
}
