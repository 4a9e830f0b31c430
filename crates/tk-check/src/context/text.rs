//! Methods of strings, as functions that run at compile time use them to write inline assembly: `format`, `join`, `split` and the
//! like, by Python's rules.

use crate::builtin::{Builtin, function};
use crate::constant::MAX_ITEMS;
use crate::context::Context;
use crate::error::R;
use crate::value::CallArgs;
use crate::value::{Spanned, Val};
use tk_diag::{BAD_ARGUMENT, Span, TOO_LARGE, UNSUPPORTED};

/// The methods; they are called through [`Checker::string_method`], since `format` takes any names.
static METHODS: [Builtin; 12] = [
    method("format"),
    method("join"),
    method("split"),
    method("replace"),
    method("strip"),
    method("lstrip"),
    method("rstrip"),
    method("upper"),
    method("lower"),
    method("startswith"),
    method("endswith"),
    method("count"),
];

const fn method(name: &'static str) -> Builtin {
    function(name, &["*args"], |cx, args| {
        let span = args.rest.first().map_or(cx.builder.loc().span, |arg| arg.span);
        Err(cx.error(UNSUPPORTED, span, "this method belongs to strings", "").help("Call it on a string.").into())
    })
}

/// The method of strings with this name.
pub(crate) fn find(name: &str) -> Option<&'static Builtin> {
    METHODS.iter().find(|method| method.name == name)
}

impl Context {
    /// `text.name(args)`.
    pub(crate) fn string_method<'a>(&mut self, text: &str, name: &str, args: CallArgs<'a>, span: Span) -> R<Val<'a>> {
        if name == "format" {
            return self.formatted(text, &args, span).and_then(|text| self.bounded(text, span));
        }
        let words = self.words(name, &args, span)?;
        let words: Vec<&str> = words.iter().map(|word| &**word).collect();
        let strip = |c: char| words.first().map_or(c.is_whitespace(), |set| set.contains(c));
        let result = match (name, words.as_slice()) {
            ("join", parts) => parts.join(text),
            ("replace", [from, to]) if !from.is_empty() => {
                let longest = text.len() + text.matches(from).count().saturating_mul(to.len());
                if longest > MAX_ITEMS { " ".repeat(MAX_ITEMS + 1) } else { text.replace(from, to) }
            }
            ("strip", [] | [_]) => text.trim_matches(strip).to_string(),
            ("lstrip", [] | [_]) => text.trim_start_matches(strip).to_string(),
            ("rstrip", [] | [_]) => text.trim_end_matches(strip).to_string(),
            ("upper", []) => text.to_uppercase(),
            ("lower", []) => text.to_lowercase(),
            ("startswith", [start]) => return Ok(Val::Bool(text.starts_with(start))),
            ("endswith", [end]) => return Ok(Val::Bool(text.ends_with(end))),
            ("count", [part]) if !part.is_empty() => return Ok(Val::Int(text.matches(part).count() as i128)),
            ("split", []) => return Ok(Val::tuple(text.split_whitespace().map(Val::str).collect::<Vec<_>>())),
            ("split", [separator]) if !separator.is_empty() => {
                return Ok(Val::tuple(text.split(separator).map(Val::str).collect::<Vec<_>>()));
            }
            _ => {
                let message = format!("`{name}` does not take these arguments");
                return Err(self
                    .error(BAD_ARGUMENT, span, message, "")
                    .help("Pass what Python's method takes.")
                    .into());
            }
        };
        self.bounded(result, span)
    }

    /// The string arguments; those of `join` are the items of its one.
    fn words<'a>(&mut self, name: &str, args: &CallArgs<'a>, span: Span) -> R<Vec<std::rc::Rc<str>>> {
        if let Some((_, at, _)) = args.named.first() {
            let message = format!("`{name}` of a string takes no names");
            return Err(self.error(BAD_ARGUMENT, *at, message, "").help("Pass arguments by position.").into());
        }
        let what = format!("an argument of `{name}`");
        match (name, args.positional.as_slice()) {
            ("join", [list]) => {
                let items = self.static_items(list)?;
                items
                    .iter()
                    .map(|val| self.constant_str(&what, &Spanned { val: val.clone(), span: list.span }))
                    .collect()
            }
            ("join", _) => {
                let message = "`join` takes one list of strings";
                Err(self.error(BAD_ARGUMENT, span, message, "").help("Write `separator.join(items)`.").into())
            }
            (_, args) => args.iter().map(|arg| self.constant_str(&what, arg)).collect(),
        }
    }

    fn bounded<'a>(&self, text: String, span: Span) -> R<Val<'a>> {
        if text.len() > MAX_ITEMS {
            let error = self.error(TOO_LARGE, span, format!("this string is longer than {MAX_ITEMS} bytes"), "");
            return Err(error.help("Make it of shorter parts.").into());
        }
        Ok(Val::str(&text))
    }

    /// `text.format(…)`: fields are empty, numbers or names, without a format of their own.
    fn formatted<'a>(&self, text: &str, args: &CallArgs<'a>, span: Span) -> R<String> {
        let (mut out, mut rest, mut next) = (String::new(), text, 0);
        while let Some(at) = rest.find(['{', '}']) {
            out.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if rest.starts_with(brace) {
                out.push_str(brace);
                rest = &rest[1..];
                continue;
            }
            let field = rest.split_once('}').filter(|_| brace == "{");
            let Some((field, behind)) = field else {
                let error = self.error(BAD_ARGUMENT, span, format!("a `{brace}` of this format has no partner"), "");
                return Err(error.help("Double a brace that stands for itself.").into());
            };
            rest = behind;
            let number = if field.is_empty() { Some(next) } else { field.parse().ok() };
            next += usize::from(field.is_empty());
            let arg = match number {
                Some(number) => args.positional.get(number),
                None => args.named.iter().find(|(name, ..)| *name == field).map(|(.., arg)| arg),
            };
            let Some(arg) = arg.filter(|arg| !matches!(arg.val, Val::Value(_))) else {
                let message = format!("the field `{{{field}}}` of this format has no constant");
                let help = "Pass it to `format`; formats such as `{x:02d}` are not supported.";
                return Err(self.error(BAD_ARGUMENT, span, message, "").help(help).into());
            };
            out.push_str(&self.python_str(&arg.val));
            if out.len() > MAX_ITEMS {
                return Ok(out);
            }
        }
        out.push_str(rest);
        Ok(out)
    }
}
