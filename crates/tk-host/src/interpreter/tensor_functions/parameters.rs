//! The parameters of functions that take their arguments by position: names are put in their places, and unknown ones are errors.

use crate::exception::{Exception, Result};
use crate::interpreter::{Args, suggestion};
use crate::value::Value;

/// The parameters after the tensor, in order. Functions with a binding of their own are not here.
const PARAMETERS: &[(&str, &[&str])] = &[
    ("stride", &["dim"]),
    ("size", &["dim"]),
    ("numel", &[]),
    ("dim", &[]),
    ("element_size", &[]),
    ("is_contiguous", &[]),
    ("contiguous", &[]),
    ("clone", &[]),
    ("detach", &[]),
    ("t", &[]),
    ("transpose", &["dim0", "dim1"]),
    ("swapaxes", &["dim0", "dim1"]),
    ("unsqueeze", &["dim"]),
    ("squeeze", &["dim"]),
    ("expand_as", &["other"]),
    ("view_as", &["other"]),
    ("reshape_as", &["other"]),
    ("type_as", &["other"]),
    ("flatten", &["start_dim", "end_dim"]),
    ("ravel", &[]),
    ("narrow", &["dim", "start", "length"]),
    ("select", &["dim", "index"]),
    ("unbind", &["dim"]),
    ("item", &[]),
    ("tolist", &[]),
    ("zero_", &[]),
    ("fill_", &["value"]),
    ("copy_", &["src"]),
    ("add_", &["other"]),
    ("sub_", &["other"]),
    ("mul_", &["other"]),
    ("div_", &["other"]),
    ("masked_fill_", &["mask", "value"]),
    ("scatter_add_", &["dim", "index", "src"]),
];

/// The same arguments, all by position.
pub(super) fn in_place<'a>(name: &str, mut args: Args<'a>) -> Result<Args<'a>> {
    let Some((_, parameters)) = PARAMETERS.iter().find(|(known, _)| *known == name) else { return Ok(args) };
    // `size` of a view, `shape` of a reshape and the like are taken by name elsewhere.
    for (given, value) in std::mem::take(&mut args.named) {
        let Some(at) = parameters.iter().position(|known| *known == &*given) else {
            let exception = Exception::argument(format!("`{name}` has no argument `{given}` here"));
            return Err(match suggestion(&given, parameters.iter().copied()) {
                Some(help) => exception.help(help),
                None => exception,
            });
        };
        if at < args.positional.len() && !matches!(args.positional[at], Value::Ellipsis) {
            return Err(Exception::argument(format!("`{name}` gets `{given}` twice")));
        }
        while args.positional.len() <= at {
            args.positional.push(Value::Ellipsis);
        }
        args.positional[at] = value;
    }
    // What nobody gave has the first dimension as its default, where it has one.
    for value in &mut args.positional {
        if matches!(value, Value::Ellipsis) {
            *value = Value::Int(0);
        }
    }
    Ok(args)
}
