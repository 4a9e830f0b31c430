//! Numbers and strings as text, as Python writes them: `repr`, format specifications, `%`.

use crate::exception::{Exception, Result};
use crate::value::Value;

/// The widest field and the most decimals a format may ask for.
const MAX_WIDTH: usize = 10_000;

/// `repr` of a float: the shortest text that reads back, with an exponent where Python has one.
pub(crate) fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_string();
    }
    let exponent = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    if (-5..=16).contains(&exponent) && (value == 0.0 || (1e-4..1e16).contains(&value.abs())) {
        return format!("{value:?}");
    }
    let text = format!("{value:e}");
    match text.split_once('e') {
        Some((digits, exponent)) => format!("{digits}e{}", signed_exponent(exponent)),
        None => text,
    }
}

/// `e-7` as Python has it: a sign and two digits at least.
fn signed_exponent(exponent: &str) -> String {
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{sign}{digits:0>2}")
}

/// `1.2346e+05`.
pub(crate) fn scientific(value: f64, precision: usize, letter: char) -> String {
    let text = format!("{value:.precision$e}");
    match text.split_once('e') {
        Some((digits, exponent)) => format!("{digits}{letter}{}", signed_exponent(exponent)),
        None => text,
    }
}

/// A string in quotes with its escapes.
pub(crate) fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// A format specification: `[[fill]align][sign][#][0][width][,][.precision][type]`.
#[derive(Clone, Debug)]
struct Spec {
    fill: char,
    align: Option<char>,
    sign: char,
    alternate: bool,
    width: usize,
    group: Option<char>,
    precision: Option<usize>,
    kind: Option<char>,
}

impl Spec {
    fn parse(text: &str) -> Result<Self> {
        let bad = || Exception::value(format!("`{text}` is not a format that tk knows"));
        let chars: Vec<char> = text.chars().collect();
        let mut spec = Spec {
            fill: ' ',
            align: None,
            sign: '-',
            alternate: false,
            width: 0,
            group: None,
            precision: None,
            kind: None,
        };
        let is_align = |c: Option<&char>| c.filter(|c| matches!(c, '<' | '>' | '^' | '=')).copied();
        let mut at = 0;
        if let Some(align) = is_align(chars.get(1)) {
            (spec.fill, spec.align, at) = (chars[0], Some(align), 2);
        } else if let Some(align) = is_align(chars.first()) {
            (spec.align, at) = (Some(align), 1);
        }
        if let Some(sign) = chars.get(at).filter(|c| matches!(c, '+' | '-' | ' ')) {
            spec.sign = *sign;
            at += 1;
        }
        if chars.get(at) == Some(&'#') {
            spec.alternate = true;
            at += 1;
        }
        if chars.get(at) == Some(&'0') && spec.align.is_none() {
            (spec.fill, spec.align) = ('0', Some('='));
            at += 1;
        }
        spec.width = number(&chars, &mut at).unwrap_or(0);
        if let Some(group) = chars.get(at).filter(|c| matches!(c, ',' | '_')) {
            spec.group = Some(*group);
            at += 1;
        }
        if chars.get(at) == Some(&'.') {
            at += 1;
            spec.precision = Some(number(&chars, &mut at).ok_or_else(bad)?);
        }
        if let Some(kind) = chars.get(at) {
            spec.kind = Some(*kind);
            at += 1;
        }
        if at != chars.len() || spec.width > MAX_WIDTH || spec.precision.is_some_and(|p| p > MAX_WIDTH) {
            return Err(bad());
        }
        Ok(spec)
    }

    /// Fills to the width; `sign` stays in front of zeros.
    fn pad(&self, sign: &str, body: &str, default_align: char) -> String {
        let length = sign.chars().count() + body.chars().count();
        let missing = self.width.saturating_sub(length);
        let fill = |count: usize| self.fill.to_string().repeat(count);
        match self.align.unwrap_or(default_align) {
            '<' => format!("{sign}{body}{}", fill(missing)),
            '^' => format!("{}{sign}{body}{}", fill(missing / 2), fill(missing - missing / 2)),
            '=' => format!("{sign}{}{body}", fill(missing)),
            _ => format!("{}{sign}{body}", fill(missing)),
        }
    }

    fn sign_of(&self, negative: bool) -> &'static str {
        match (negative, self.sign) {
            (true, _) => "-",
            (false, '+') => "+",
            (false, ' ') => " ",
            _ => "",
        }
    }
}

fn number(chars: &[char], at: &mut usize) -> Option<usize> {
    let start = *at;
    while chars.get(*at).is_some_and(char::is_ascii_digit) {
        *at += 1;
    }
    chars[start..*at].iter().collect::<String>().parse().ok()
}

/// `format(value, spec)`.
pub(crate) fn apply(value: &Value<'_>, text: &str) -> Result<String> {
    if text.is_empty() {
        return Ok(value.display());
    }
    let spec = Spec::parse(text)?;
    match value {
        Value::Int(int) if !matches!(spec.kind, Some('f' | 'F' | 'e' | 'E' | 'g' | 'G' | '%')) => {
            format_int(*int, &spec)
        }
        Value::Bool(flag) if spec.kind == Some('d') => format_int(i128::from(*flag), &spec),
        Value::Int(int) => format_float(*int as f64, &spec),
        Value::Float(float) => format_float(*float, &spec),
        Value::Tensor(tensor) if tensor.count() == 1 && tensor.rank() == 0 => match tensor.dtype.is_float() {
            true => format_float(tensor.floats().iter().next().copied().unwrap_or(0.0), &spec),
            false => format_int(i128::from(tensor.ints().iter().next().copied().unwrap_or(0)), &spec),
        },
        Value::Str(_) | Value::Bool(_) | Value::None | Value::Dtype(_) | Value::Tuple(_) | Value::List(_) => {
            if !matches!(spec.kind, None | Some('s')) {
                return Err(Exception::value(format!("`{text}` does not format a {}", value.class())));
            }
            let full = value.display();
            let cut: String = full.chars().take(spec.precision.unwrap_or(usize::MAX)).collect();
            Ok(spec.pad("", &cut, '<'))
        }
        other => Err(Exception::ty(format!("a {} has no format `{text}`", other.class()))),
    }
}

fn format_int(value: i128, spec: &Spec) -> Result<String> {
    let size = value.unsigned_abs();
    let (prefix, digits) = match spec.kind {
        None | Some('d' | 'n') => ("", size.to_string()),
        Some('x') => ("0x", format!("{size:x}")),
        Some('X') => ("0X", format!("{size:X}")),
        Some('o') => ("0o", format!("{size:o}")),
        Some('b') => ("0b", format!("{size:b}")),
        Some('c') => {
            let character = u32::try_from(value).ok().and_then(char::from_u32);
            return Ok(spec.pad("", &character.ok_or_else(|| Exception::value("not a character"))?.to_string(), '<'));
        }
        Some(kind) => return Err(Exception::value(format!("`{kind}` does not format an int"))),
    };
    let every = if prefix.is_empty() { 3 } else { 4 };
    let digits = group(&digits, spec.group, every);
    let sign = format!("{}{}", spec.sign_of(value < 0), if spec.alternate { prefix } else { "" });
    Ok(spec.pad(&sign, &digits, '>'))
}

fn format_float(value: f64, spec: &Spec) -> Result<String> {
    let size = value.abs();
    let sign = spec.sign_of(value.is_sign_negative() && !value.is_nan());
    if !value.is_finite() {
        return Ok(spec.pad(sign, if value.is_nan() { "nan" } else { "inf" }, '>'));
    }
    let precision = spec.precision.unwrap_or(6);
    let body = match spec.kind {
        Some('f' | 'F') => format!("{size:.precision$}"),
        Some(letter @ ('e' | 'E')) => scientific(size, precision, letter),
        Some('%') => format!("{:.precision$}%", size * 100.0),
        Some(letter @ ('g' | 'G')) => general(size, precision.max(1), if letter == 'g' { 'e' } else { 'E' }),
        None if spec.precision.is_some() => general(size, precision.max(1), 'e'),
        None => float(size),
        Some(kind) => return Err(Exception::value(format!("`{kind}` does not format a float"))),
    };
    let body = match body.split_once('.') {
        Some((whole, rest)) => format!("{}.{rest}", group(whole, spec.group, 3)),
        None => group(&body, spec.group, 3),
    };
    Ok(spec.pad(sign, &body, '>'))
}

/// `%g`: `precision` significant digits, without zeros at the end.
fn general(size: f64, precision: usize, letter: char) -> String {
    let text = scientific(size, precision - 1, letter);
    let exponent: i32 = text.split_once(letter).and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let trim = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    if exponent < -4 || exponent >= precision as i32 {
        return match text.split_once(letter) {
            Some((digits, exponent)) => format!("{}{letter}{exponent}", trim(digits)),
            None => text,
        };
    }
    let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
    trim(&format!("{size:.decimals$}"))
}

fn group(digits: &str, separator: Option<char>, every: usize) -> String {
    let Some(separator) = separator.filter(|_| digits.bytes().all(|b| b.is_ascii_alphanumeric())) else {
        return digits.to_string();
    };
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(every) {
            out.push(separator);
        }
        out.push(digit);
    }
    out
}

/// `text % values`: `%d`, `%s`, `%r`, `%f`, `%e`, `%g`, `%x` with flags, width and precision.
pub(crate) fn percent(text: &str, values: &[Value<'_>]) -> Result<String> {
    let mut out = String::new();
    let mut values = values.iter();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.find(|c: char| c.is_ascii_alphabetic() || c == '%');
        let end = end.ok_or_else(|| Exception::value("a `%` at the end of a format"))?;
        let (flags, kind) = (&rest[..end], rest.as_bytes()[end] as char);
        rest = &rest[end + 1..];
        if kind == '%' {
            out.push('%');
            continue;
        }
        let value = values.next().ok_or_else(|| Exception::ty("too few values for the format"))?;
        let (align, flags) = match flags.strip_prefix('-') {
            Some(flags) => ("<", flags),
            None => (if kind == 's' || kind == 'r' { ">" } else { "" }, flags),
        };
        match kind {
            's' | 'r' => {
                let text = if kind == 'r' { value.repr() } else { value.display() };
                out.push_str(&apply(&Value::str(text), &format!("{align}{flags}s"))?);
            }
            'd' | 'i' | 'u' => {
                let whole = if let Value::Float(value) = value { Value::Int(*value as i128) } else { value.clone() };
                out.push_str(&apply(&whole, &format!("{align}{flags}d"))?);
            }
            kind => out.push_str(&apply(value, &format!("{align}{flags}{kind}"))?),
        }
    }
    match values.next() {
        Some(_) => Err(Exception::ty("too many values for the format")),
        None => Ok(out + rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_pythons() {
        let float = |value: f64, spec: &str| apply(&Value::Float(value), spec).unwrap();
        assert_eq!(float(2.34567, ".2f"), "2.35");
        assert_eq!(float(1234567.891, ",.1f"), "1,234,567.9");
        assert_eq!(float(0.00001234, ".3g"), "1.23e-05");
        assert_eq!(float(0.5, "8.1%"), "   50.0%");
        assert_eq!(float(-1.5, "08.2f"), "-0001.50");
        assert_eq!(float(1e20, ""), "1e+20");
        let int = |value: i128, spec: &str| apply(&Value::Int(value), spec).unwrap();
        assert_eq!(int(255, "#x"), "0xff");
        assert_eq!(int(5, "03d"), "005");
        assert_eq!(int(1234567, ","), "1,234,567");
        assert_eq!(int(3, "^5"), "  3  ");
        assert_eq!(int(3, "+"), "+3");
        assert_eq!(int(3, ".1f"), "3.0");
        assert_eq!(apply(&Value::str("ab"), "*>5").unwrap(), "***ab");
        assert_eq!(
            percent("%5.1f|%-4d|%s%%", &[Value::Float(2.25), Value::Int(7), Value::str("x")]).unwrap(),
            "  2.2|7   |x%"
        );
        assert!(apply(&Value::Int(1), "99999999999").is_err() && apply(&Value::Int(1), "zz").is_err());
    }

    #[test]
    fn floats_print_as_python_prints_them() {
        for (value, text) in [
            (0.1, "0.1"),
            (1e-5, "1e-05"),
            (1e16, "1e+16"),
            (123456789.0, "123456789.0"),
            (1.5e300, "1.5e+300"),
            (0.0001, "0.0001"),
            (-0.0, "-0.0"),
            (9999999999999998.0, "9999999999999998.0"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(float(value), text);
        }
    }
}
