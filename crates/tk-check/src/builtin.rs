//! A function of the language: its name, its parameters, and how arguments reach them.

use crate::context::Context;
use crate::error::R;
use crate::interpreter::Interpreter;
use crate::value::{CallArgs, Spanned, Val};
use tk_diag::{Span, nearest};

/// A function of the language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Builtin {
    /// As users write it after `tl.`.
    pub(crate) name: &'static str,
    /// Parameters in order: `name`, `name?` when optional, `*name` for the rest of the positional ones.
    pub(crate) params: &'static [&'static str],
    /// Whether it is also a method of tensors.
    pub(crate) method: bool,
    /// What it does.
    pub(crate) run: Run,
}

/// The code of a function that needs values and options only.
pub(crate) type Emit = for<'a> fn(&mut Context, &Args<'a>) -> R<Val<'a>>;

/// The code of a function that calls functions of the program.
pub(crate) type Call = for<'a> fn(&mut dyn Interpreter<'a>, &Args<'a>) -> R<Val<'a>>;

/// The code of a function of the language, by what it needs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Run {
    Emits(Emit),
    Calls(Call),
}

/// A function of `tl` only.
pub(crate) const fn function(name: &'static str, params: &'static [&'static str], run: Emit) -> Builtin {
    Builtin { name, params, method: false, run: Run::Emits(run) }
}

/// A function of `tl` that is also a method of tensors.
pub(crate) const fn method(name: &'static str, params: &'static [&'static str], run: Emit) -> Builtin {
    Builtin { name, params, method: true, run: Run::Emits(run) }
}

/// A function of `tl` that calls functions of the program.
pub(crate) const fn calling(name: &'static str, params: &'static [&'static str], run: Call) -> Builtin {
    Builtin { name, params, method: false, run: Run::Calls(run) }
}

/// A function of `tl` that calls functions of the program and is also a method of tensors.
pub(crate) const fn calling_method(name: &'static str, params: &'static [&'static str], run: Call) -> Builtin {
    Builtin { name, params, method: true, run: Run::Calls(run) }
}

/// The arguments of one call, in the order of the parameters.
pub(crate) struct Args<'a> {
    pub(crate) builtin: &'static Builtin,
    /// The whole call.
    pub(crate) span: Span,
    pub(crate) slots: Vec<Option<Spanned<'a>>>,
    pub(crate) rest: Vec<Spanned<'a>>,
}

impl<'a> Args<'a> {
    /// A required argument; binding has checked that it is there.
    pub(crate) fn at(&self, index: usize) -> Spanned<'a> {
        self.slots.get(index).cloned().flatten().unwrap_or(Spanned { val: Val::None, span: self.span })
    }

    /// An optional argument; `None` counts as not given.
    pub(crate) fn get(&self, index: usize) -> Option<&Spanned<'a>> {
        self.slots.get(index)?.as_ref().filter(|arg| !matches!(arg.val, Val::None))
    }
}

impl Context {
    /// The arguments of a call, each at its parameter.
    pub(crate) fn bind_arguments<'a>(&self, builtin: &'static Builtin, given: CallArgs<'a>, span: Span) -> R<Args<'a>> {
        let params = builtin.params;
        let mut args = Args { builtin, span, slots: vec![None; params.len()], rest: Vec::new() };
        let variadic = params.iter().position(|p| p.starts_with('*'));
        for (i, arg) in given.positional.into_iter().enumerate() {
            match variadic {
                Some(at) if i >= at => args.rest.push(arg),
                _ if i < params.len() => args.slots[i] = Some(arg),
                _ => {
                    let message = format!("`{}` takes at most {}", builtin.name, arguments(params.len()));
                    return Err(self
                        .error(tk_diag::ARGUMENT_COUNT, arg.span, message, "one too many")
                        .help(format!("Its parameters are {}.", parameter_list(builtin)))
                        .into());
                }
            }
        }
        for (name, name_span, arg) in given.named {
            let Some(index) = params.iter().position(|p| p.trim_start_matches('*').trim_end_matches('?') == name)
            else {
                return Err(self.unknown_parameter(builtin, name, name_span).into());
            };
            if params[index].starts_with('*') && args.rest.is_empty() {
                args.rest.push(arg);
            } else if args.slots[index].is_none() && !params[index].starts_with('*') {
                args.slots[index] = Some(arg);
            } else {
                let message = format!("`{}` is given `{name}` twice", builtin.name);
                return Err(self
                    .error(tk_diag::ARGUMENT_COUNT, name_span, message, "")
                    .help("Remove one of the two.")
                    .into());
            }
        }
        for (i, param) in params.iter().enumerate() {
            if args.slots[i].is_none() && !param.ends_with('?') && !param.starts_with('*') {
                let message = format!("`{}` needs `{param}`", builtin.name);
                return Err(self
                    .error(tk_diag::ARGUMENT_COUNT, span, message, "an argument is missing")
                    .help(format!("Its parameters are {}.", parameter_list(builtin)))
                    .into());
            }
        }
        Ok(args)
    }

    fn unknown_parameter(&self, builtin: &Builtin, name: &str, span: Span) -> tk_diag::Diagnostic {
        let known = builtin.params.iter().map(|p| p.trim_start_matches('*').trim_end_matches('?'));
        let help = match nearest(name, known) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("Its parameters are {}.", parameter_list(builtin)),
        };
        self.error(tk_diag::BAD_ARGUMENT, span, format!("`{}` has no parameter `{name}`", builtin.name), "").help(help)
    }
}

fn parameter_list(builtin: &Builtin) -> String {
    let names: Vec<String> = builtin.params.iter().map(|p| format!("`{}`", p.trim_end_matches('?'))).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// `1 argument`, `2 arguments`.
pub(crate) fn arguments(count: usize) -> String {
    format!("{count} argument{}", if count == 1 { "" } else { "s" })
}
