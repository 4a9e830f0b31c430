//! The arguments of a call to a builtin, and their binding to its parameters.

use super::suggestion;
use crate::exception::{Exception, Result};
use crate::value::Value;
use std::rc::Rc;
use tk_diag::Span;

/// Arguments after evaluation.
#[derive(Clone, Default)]
pub(crate) struct Args<'a> {
    pub(crate) positional: Vec<Value<'a>>,
    pub(crate) named: Vec<(Rc<str>, Value<'a>)>,
    pub(crate) span: Span,
}

impl<'a> Args<'a> {
    pub(crate) fn of(positional: Vec<Value<'a>>, span: Span) -> Self {
        Self { positional, named: Vec::new(), span }
    }

    /// Removes and returns a named argument.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value<'a>> {
        let at = self.named.iter().position(|(given, _)| &**given == name)?;
        Some(self.named.remove(at).1)
    }

    /// Removes named arguments that say nothing here.
    pub(crate) fn ignore(&mut self, names: &[&str]) {
        self.named.retain(|(given, _)| !names.contains(&&**given));
    }

    /// Refuses named arguments but these: what nobody takes would be without effect.
    pub(crate) fn only(&self, function: &str, names: &[&str]) -> Result<()> {
        let Some((name, _)) = self.named.iter().find(|(name, _)| !names.contains(&&**name)) else { return Ok(()) };
        let exception = Exception::argument(format!("`{function}` has no argument `{name}` here"));
        Err(match suggestion(name, names.iter().copied()) {
            Some(help) => exception.help(help),
            None => exception,
        })
    }

    /// One value per parameter, in order; every parameter may be missing.
    pub(crate) fn bind<const N: usize>(self, function: &str, names: [&str; N]) -> Result<[Option<Value<'a>>; N]> {
        let mut bound = [const { None }; N];
        let count = self.positional.len();
        if count > N {
            let message = format!("`{function}` takes at most {N} arguments by position, not {count}");
            return Err(Exception::new("TypeError", tk_diag::ARGUMENT_COUNT, message));
        }
        for (slot, value) in bound.iter_mut().zip(self.positional) {
            *slot = Some(value);
        }
        for (name, value) in self.named {
            let Some(at) = names.iter().position(|known| *known == &*name) else {
                let exception = Exception::argument(format!("`{function}` has no argument `{name}` here"));
                return Err(match suggestion(&name, names) {
                    Some(help) => exception.help(help),
                    None => exception,
                });
            };
            if bound[at].is_some() {
                return Err(Exception::argument(format!("`{function}` gets `{name}` twice")));
            }
            bound[at] = Some(value);
        }
        Ok(bound)
    }

    /// The only argument.
    pub(crate) fn one(self, function: &str) -> Result<Value<'a>> {
        let [value] = self.bind(function, ["x"])?;
        need(value, function, "an argument")
    }
}

/// The value of a parameter that has no default.
pub(crate) fn need<'a>(value: Option<Value<'a>>, function: &str, name: &str) -> Result<Value<'a>> {
    value.ok_or_else(|| {
        let message = format!("`{function}` needs `{name}`").replace("`an argument`", "an argument");
        Exception::new("TypeError", tk_diag::ARGUMENT_COUNT, message)
    })
}
