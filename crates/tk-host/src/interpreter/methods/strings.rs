//! Methods of strings.

use crate::exception::{Exception, Result};
use crate::interpreter::args::need;
use crate::interpreter::operators::check_length;
use crate::interpreter::{Args, Interpreter, convert};
use crate::value::Value;
use std::rc::Rc;

impl<'a> Interpreter<'a, '_> {
    pub(super) fn string_method(&mut self, text: &Rc<str>, name: &str, args: Args<'a>) -> Result<Value<'a>> {
        if name == "format" {
            return self.format_method(text, args);
        }
        let [first, second] = args.bind(name, ["first", "second"])?;
        let string =
            |value: &Option<Value<'a>>| convert::string(value.as_ref().unwrap_or(&Value::None), "the argument");
        Ok(match name {
            "join" => {
                let items = self.collect(&need(first, name, "iterable")?)?;
                let parts = items.iter().map(|item| convert::string(item, "an item")).collect::<Result<Vec<_>>>()?;
                let length = |part: &Rc<str>| part.len().saturating_add(text.len());
                check_length(parts.iter().map(length).fold(0, usize::saturating_add))?;
                Value::str(parts.join(text))
            }
            "split" => {
                let parts: Vec<&str> = match &first {
                    None | Some(Value::None) => text.split_whitespace().collect(),
                    Some(_) => text.split(&*string(&first)?).collect(),
                };
                Value::list(parts.into_iter().map(Value::str).collect())
            }
            "splitlines" => Value::list(text.lines().map(Value::str).collect()),
            "upper" => Value::str(text.to_uppercase()),
            "lower" => Value::str(text.to_lowercase()),
            "title" | "capitalize" => {
                let mut chars = text.chars();
                let head: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
                Value::str(head + &chars.as_str().to_lowercase())
            }
            "strip" => Value::str(strip(text, &first, (true, true))),
            "lstrip" => Value::str(strip(text, &first, (true, false))),
            "rstrip" => Value::str(strip(text, &first, (false, true))),
            "startswith" | "endswith" => {
                let test = |part: &Value<'a>| match part {
                    Value::Str(part) if name == "startswith" => text.starts_with(&**part),
                    Value::Str(part) => text.ends_with(&**part),
                    _ => false,
                };
                Value::Bool(match &first {
                    Some(Value::Tuple(parts)) => parts.iter().any(test),
                    Some(part) => test(part),
                    None => false,
                })
            }
            "removeprefix" => Value::str(text.strip_prefix(&*string(&first)?).unwrap_or(text)),
            "removesuffix" => Value::str(text.strip_suffix(&*string(&first)?).unwrap_or(text)),
            "replace" => {
                let (old, new) = (string(&first)?, string(&second)?);
                let matches = text.matches(&*old).count();
                check_length(text.len().saturating_add(matches.saturating_mul(new.len())))?;
                Value::str(text.replace(&*old, &new))
            }
            "find" => {
                let found = text.find(&*string(&first)?);
                Value::Int(found.map_or(-1, |at| text[..at].chars().count() as i128))
            }
            "count" => Value::Int(text.matches(&*string(&first)?).count() as i128),
            "isdigit" => Value::Bool(!text.is_empty() && text.chars().all(|c| c.is_ascii_digit())),
            "ljust" => Value::str(pad(text, &first, &second, (false, true))?),
            "rjust" => Value::str(pad(text, &first, &second, (true, false))?),
            "center" => Value::str(pad(text, &first, &second, (true, true))?),
            _ => {
                let width = width(&first)?;
                Value::str(format!("{text:0>width$}"))
            }
        })
    }

    /// `"{} {name:.2f}".format(…)`.
    fn format_method(&mut self, text: &str, args: Args<'a>) -> Result<Value<'a>> {
        let mut out = String::new();
        let mut next = 0;
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            out.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                out.push_str(brace);
                rest = after;
                continue;
            }
            let end = rest
                .find('}')
                .filter(|_| brace == "{")
                .ok_or_else(|| Exception::value("a single brace in a format"))?;
            let (field, spec) = rest[..end].split_once(':').unwrap_or((&rest[..end], ""));
            let value = match field.parse::<usize>() {
                _ if field.is_empty() => {
                    next += 1;
                    args.positional.get(next - 1)
                }
                Ok(place) => args.positional.get(place),
                Err(_) => args.named.iter().find(|(name, _)| &**name == field).map(|(_, value)| value),
            };
            let value = value.ok_or_else(|| Exception::index(format!("no value for the field `{{{field}}}`")))?;
            out.push_str(&crate::format::apply(value, spec)?);
            rest = &rest[end + 1..];
        }
        Ok(Value::str(out + rest))
    }
}

/// The width of a padded text, within bounds.
fn width(value: &Option<Value<'_>>) -> Result<usize> {
    Ok(convert::size(value.as_ref().unwrap_or(&Value::None), "the width")?.min(10_000))
}

/// Fills up on the left, on the right, or on both sides.
fn pad<'a>(
    text: &str,
    wanted: &Option<Value<'a>>,
    fill: &Option<Value<'a>>,
    (left, right): (bool, bool),
) -> Result<String> {
    let fill = fill.as_ref().map_or(" ".to_string(), Value::display);
    let missing = width(wanted)?.saturating_sub(text.chars().count());
    let before = match (left, right) {
        (true, true) => missing / 2,
        (true, false) => missing,
        _ => 0,
    };
    Ok(format!("{}{text}{}", fill.repeat(before), fill.repeat(missing - before)))
}

/// Takes characters (white space when none are given) off the start, off the end, or off both.
fn strip<'t>(text: &'t str, chars: &Option<Value<'_>>, (start, end): (bool, bool)) -> &'t str {
    let chars: Option<Vec<char>> = chars.as_ref().map(|chars| chars.display().chars().collect());
    let cut = |c: char| chars.as_ref().map_or(c.is_whitespace(), |chars| chars.contains(&c));
    let from = if start { text.trim_start_matches(cut) } else { text };
    if end { from.trim_end_matches(cut) } else { from }
}
