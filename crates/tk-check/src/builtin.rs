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
    declared: &'static [&'static str],
    /// Whether it is also a method of tensors.
    pub(crate) method: bool,
    /// What it does.
    pub(crate) run: Run,
}

/// A parameter of a function of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) kind: ParameterKind,
}

/// How a parameter takes arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterKind {
    Required,
    Optional,
    /// All positional arguments from here on.
    Rest,
}

impl Parameter {
    fn of(declared: &'static str) -> Self {
        match (declared.strip_prefix('*'), declared.strip_suffix('?')) {
            (Some(name), _) => Self { name, kind: ParameterKind::Rest },
            (None, Some(name)) => Self { name, kind: ParameterKind::Optional },
            (None, None) => Self { name: declared, kind: ParameterKind::Required },
        }
    }
}

impl Builtin {
    /// Its parameters in order.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = Parameter> {
        self.declared.iter().copied().map(Parameter::of)
    }

    /// Its parameters for a message.
    fn parameter_list(&self) -> String {
        let names: Vec<String> = self.declared.iter().map(|p| format!("`{}`", p.trim_end_matches('?'))).collect();
        if names.is_empty() { "none".into() } else { names.join(", ") }
    }
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
pub(crate) const fn function(name: &'static str, declared: &'static [&'static str], run: Emit) -> Builtin {
    Builtin { name, declared, method: false, run: Run::Emits(run) }
}

/// A function of `tl` that is also a method of tensors.
pub(crate) const fn method(name: &'static str, declared: &'static [&'static str], run: Emit) -> Builtin {
    Builtin { name, declared, method: true, run: Run::Emits(run) }
}

/// A function of `tl` that calls functions of the program.
pub(crate) const fn calling(name: &'static str, declared: &'static [&'static str], run: Call) -> Builtin {
    Builtin { name, declared, method: false, run: Run::Calls(run) }
}

/// A function of `tl` that calls functions of the program and is also a method of tensors.
pub(crate) const fn calling_method(name: &'static str, declared: &'static [&'static str], run: Call) -> Builtin {
    Builtin { name, declared, method: true, run: Run::Calls(run) }
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
    /// Where a parameter is in the declaration. Every function reads parameters that it declares: a test calls them all.
    fn position(&self, name: &str) -> usize {
        let position = self.builtin.parameters().position(|parameter| parameter.name == name);
        position.unwrap_or_else(|| panic!("`{}` declares no parameter `{name}`", self.builtin.name))
    }

    fn at(&self, position: usize) -> Spanned<'a> {
        self.slots.get(position).cloned().flatten().unwrap_or(Spanned { val: Val::None, span: self.span })
    }

    /// A required argument; binding has checked that it is there.
    pub(crate) fn value(&self, name: &str) -> Spanned<'a> {
        self.at(self.position(name))
    }

    /// The first argument, under whatever name: what a method is called on.
    pub(crate) fn receiver(&self) -> Spanned<'a> {
        self.at(0)
    }

    /// All arguments of a function whose parameters are all required.
    pub(crate) fn all(&self) -> impl Iterator<Item = Spanned<'a>> {
        (0..self.slots.len()).map(|position| self.at(position))
    }

    /// An optional argument; `None` counts as not given.
    pub(crate) fn given(&self, name: &str) -> Option<&Spanned<'a>> {
        self.slots.get(self.position(name))?.as_ref().filter(|arg| !matches!(arg.val, Val::None))
    }

    /// An optional flag that is known at compile time.
    pub(crate) fn flag(&self, cx: &Context, name: &str, default: bool) -> R<bool> {
        self.given(name).map_or(Ok(default), |arg| cx.constant_bool(&format!("`{name}`"), arg))
    }

    /// An optional integer that is known at compile time.
    pub(crate) fn int(&self, cx: &Context, name: &str, default: i128) -> R<i128> {
        self.given(name).map_or(Ok(default), |arg| cx.constant_int(&format!("`{name}`"), arg))
    }
}

impl Context {
    /// The arguments of a call, each at its parameter.
    pub(crate) fn bind_arguments<'a>(&self, builtin: &'static Builtin, given: CallArgs<'a>, span: Span) -> R<Args<'a>> {
        let parameters: Vec<Parameter> = builtin.parameters().collect();
        let mut args = Args { builtin, span, slots: vec![None; parameters.len()], rest: Vec::new() };
        let variadic = parameters.iter().position(|parameter| parameter.kind == ParameterKind::Rest);
        for (i, arg) in given.positional.into_iter().enumerate() {
            match variadic {
                Some(at) if i >= at => args.rest.push(arg),
                _ if i < parameters.len() => args.slots[i] = Some(arg),
                _ => {
                    let message = format!("`{}` takes at most {}", builtin.name, arguments(parameters.len()));
                    return Err(self
                        .error(tk_diag::ARGUMENT_COUNT, arg.span, message, "one too many")
                        .help(format!("Its parameters are {}.", builtin.parameter_list()))
                        .into());
                }
            }
        }
        for (name, name_span, arg) in given.named {
            let Some(index) = parameters.iter().position(|parameter| parameter.name == name) else {
                return Err(self.unknown_parameter(builtin, name, name_span).into());
            };
            let is_rest = parameters[index].kind == ParameterKind::Rest;
            if is_rest && args.rest.is_empty() {
                args.rest.push(arg);
            } else if args.slots[index].is_none() && !is_rest {
                args.slots[index] = Some(arg);
            } else {
                let message = format!("`{}` is given `{name}` twice", builtin.name);
                return Err(self
                    .error(tk_diag::ARGUMENT_COUNT, name_span, message, "")
                    .help("Remove one of the two.")
                    .into());
            }
        }
        for (slot, parameter) in args.slots.iter().zip(&parameters) {
            if slot.is_none() && parameter.kind == ParameterKind::Required {
                let message = format!("`{}` needs `{}`", builtin.name, parameter.name);
                return Err(self
                    .error(tk_diag::ARGUMENT_COUNT, span, message, "an argument is missing")
                    .help(format!("Its parameters are {}.", builtin.parameter_list()))
                    .into());
            }
        }
        Ok(args)
    }

    fn unknown_parameter(&self, builtin: &Builtin, name: &str, span: Span) -> tk_diag::Diagnostic {
        let help = match nearest(name, builtin.parameters().map(|parameter| parameter.name)) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("Its parameters are {}.", builtin.parameter_list()),
        };
        self.error(tk_diag::BAD_ARGUMENT, span, format!("`{}` has no parameter `{name}`", builtin.name), "").help(help)
    }
}

/// `1 argument`, `2 arguments`.
pub(crate) fn arguments(count: usize) -> String {
    format!("{count} argument{}", if count == 1 { "" } else { "s" })
}
