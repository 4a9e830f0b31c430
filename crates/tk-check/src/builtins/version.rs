//! Versions of packages, which files compare where they define names: `packaging.version`, and what came before it.
//!
//! A version is its numbers. What is before or behind a release is not looked at (`3.0.0rc1` is `3.0.0`): tk has one version of each package that it
//! stands for, and that is a release.

use crate::builtin::{Args, Builtin, function};
use crate::context::Context;
use crate::error::R;
use crate::value::Val;

/// The release of Triton whose language tk follows.
pub(crate) const TRITON: &str = "3.6.0";
/// The release of torch that tk stands for, as in programs of the command line.
pub(crate) const TORCH: &str = "2.9.0+tk";

const PARSE: Builtin = function("parse", &["version"], parse);

/// What modules of versions have under a name.
pub(crate) fn member<'a>(name: &str) -> Option<Val<'a>> {
    match name {
        "parse" | "Version" | "parse_version" | "LooseVersion" | "StrictVersion" => Some(Val::Builtin(&PARSE)),
        _ => None,
    }
}

/// What a version has under a name.
pub(crate) const PARTS: &[&str] = &["major", "minor", "micro", "release"];

/// `major`, `minor` and `micro` of a version, 0 where it has fewer numbers; `release` is all of them, at least three.
pub(crate) fn part<'a>(version: &[i128], name: &str) -> Option<Val<'a>> {
    let number = |place: usize| Val::Int(version.get(place).copied().unwrap_or(0));
    match PARTS.iter().position(|known| *known == name)? {
        3 => Some(Val::tuple((0..version.len().max(3)).map(number).collect::<Vec<_>>())),
        place => Some(number(place)),
    }
}

fn parse<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let version = args.value("version");
    if let Val::Version(_) = version.val {
        return Ok(version.val.clone());
    }
    let text = cx.constant_str("the version", &version)?;
    match numbers(&text) {
        Some(numbers) => Ok(Val::Version(numbers.into())),
        None => {
            let error = cx.error(tk_diag::BAD_ARGUMENT, version.span, format!("`{text}` is no version"), "");
            Err(error.help("A version begins with numbers and points: `3.6.0`.").into())
        }
    }
}

/// The numbers of a release, without zeros at the end: `2.5` and `2.5.0` are one version.
pub(crate) fn numbers(text: &str) -> Option<Vec<i128>> {
    let text = text.trim().trim_start_matches(['v', 'V']);
    let release = text.split(['+', '-']).next().unwrap_or(text);
    let digits = |part: &str| part.chars().take_while(char::is_ascii_digit).collect::<String>();
    let mut numbers = Vec::new();
    for part in release.split('.') {
        let digits = digits(part);
        let Ok(number) = digits.parse::<i128>() else { break };
        numbers.push(number);
        if digits.len() < part.len() {
            // `0rc1`: what follows is behind the release.
            break;
        }
    }
    if numbers.is_empty() {
        return None;
    }
    while numbers.len() > 1 && numbers.last() == Some(&0) {
        numbers.pop();
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn versions_are_their_numbers_without_zeros_at_the_end() {
        assert_eq!(numbers("3.6.0"), Some(vec![3, 6]));
        assert_eq!(numbers("v2.5.1+cu124"), Some(vec![2, 5, 1]));
        assert_eq!(numbers("3.0.0rc1"), Some(vec![3]));
        assert_eq!(numbers("2.10.dev20260101"), Some(vec![2, 10]));
        assert_eq!(numbers("0.0.0"), Some(vec![0]));
        assert_eq!(numbers("main"), None);
    }
}
