//! The functions of the language: one table per family, and how arguments reach their parameters.

pub(crate) mod angles;
pub(crate) mod atomic;
pub(crate) mod bessel;
pub(crate) mod block_pointer;
pub(crate) mod create;
pub(crate) mod debug;
pub(crate) mod descriptor;
pub(crate) mod dot;
pub(crate) mod error_function;
pub(crate) mod extra;
pub(crate) mod gamma;
pub(crate) mod instruction;
pub(crate) mod libdevice;
mod linked;
pub(crate) mod map;
pub(crate) mod math;
pub(crate) mod memory;
mod polynomials;
pub(crate) mod python;
pub(crate) mod random;
pub(crate) mod reduce;
pub(crate) mod representation;
pub(crate) mod scaled;
pub(crate) mod shape;
pub(crate) mod sort;
pub(crate) mod special;
pub(crate) mod unsupported;

use crate::check::Checker;
use crate::error::R;
use crate::value::{Spanned, Val};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use tk_diag::{Span, nearest};

/// A function of the language.
#[derive(Debug)]
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

/// The code of a function of the language.
pub(crate) type Run = for<'a> fn(&mut Checker<'a>, &Args<'a>) -> R<Val<'a>>;

/// A function of `tl` only.
pub(crate) const fn function(name: &'static str, params: &'static [&'static str], run: Run) -> Builtin {
    Builtin { name, params, method: false, run }
}

/// A function of `tl` that is also a method of tensors.
pub(crate) const fn method(name: &'static str, params: &'static [&'static str], run: Run) -> Builtin {
    Builtin { name, params, method: true, run }
}

type Table = FxHashMap<&'static str, &'static Builtin>;

static LANGUAGE: LazyLock<Table> = LazyLock::new(|| {
    let families: [&'static [Builtin]; 14] = [
        create::TABLE,
        shape::TABLE,
        memory::TABLE,
        math::TABLE,
        reduce::TABLE,
        dot::TABLE,
        atomic::TABLE,
        debug::TABLE,
        block_pointer::TABLE,
        sort::TABLE,
        random::TABLE,
        descriptor::TABLE,
        scaled::TABLE,
        map::TABLE,
    ];
    table(&families)
});

static PYTHON: LazyLock<Table> = LazyLock::new(|| table(&[python::TABLE]));
static LIBDEVICE: LazyLock<Table> = LazyLock::new(|| {
    let [one, two, three] = instruction::TABLES;
    let composed: [&'static [Builtin]; 7] = [
        libdevice::TABLE,
        special::TABLE,
        angles::TABLE,
        error_function::TABLE,
        gamma::TABLE,
        bessel::TABLE,
        representation::TABLE,
    ];
    let mut all = table(&composed);
    all.extend(table(&[one, two, three]));
    all
});
static EXTRA: LazyLock<Table> = LazyLock::new(|| table(&[extra::EXTRA]));
static TARGET: LazyLock<Table> = LazyLock::new(|| table(&[extra::TARGET]));
static HOST: LazyLock<Table> = LazyLock::new(|| table(&[python::HOST]));

fn table(families: &[&'static [Builtin]]) -> Table {
    families.iter().flat_map(|family| family.iter()).map(|builtin| (builtin.name, builtin)).collect()
}

/// A function of `triton.language`.
pub(crate) fn language(name: &str) -> Option<&'static Builtin> {
    LANGUAGE.get(name).copied()
}

/// A builtin function of Python.
pub(crate) fn python_builtin(name: &str) -> Option<&'static Builtin> {
    PYTHON.get(name).copied()
}

/// A function of libdevice.
pub(crate) fn libdevice_function(name: &str) -> Option<&'static Builtin> {
    LIBDEVICE.get(name).copied()
}

/// A function of the `triton` package itself: `triton.cdiv`, `triton.next_power_of_2`.
pub(crate) fn host(name: &str) -> Option<&'static Builtin> {
    HOST.get(name).copied()
}

/// A function of `tl.extra.cuda`.
pub(crate) fn extra(name: &str) -> Option<&'static Builtin> {
    EXTRA.get(name).copied()
}

/// A function of `tl.target_info`.
pub(crate) fn target(name: &str) -> Option<&'static Builtin> {
    TARGET.get(name).copied()
}

/// Every name of `triton.language` that works.
pub(crate) fn language_names() -> impl Iterator<Item = &'static str> {
    LANGUAGE.keys().copied()
}

/// Every function of libdevice that works.
pub(crate) fn libdevice_names() -> impl Iterator<Item = &'static str> {
    LIBDEVICE.keys().copied()
}

/// Every builtin function of Python that works.
pub(crate) fn python_names() -> impl Iterator<Item = &'static str> {
    PYTHON.keys().copied()
}

/// Every method of tensors.
pub(crate) fn method_names() -> impl Iterator<Item = &'static str> {
    LANGUAGE.values().filter(|builtin| builtin.method).map(|builtin| builtin.name)
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

impl<'a> Checker<'a> {
    /// Calls a function of the language.
    pub(crate) fn call_builtin(
        &mut self,
        builtin: &'static Builtin,
        positional: Vec<Spanned<'a>>,
        named: Vec<(&'a str, Span, Spanned<'a>)>,
        span: Span,
    ) -> R<Val<'a>> {
        let args = self.bind_arguments(builtin, positional, named, span)?;
        let saved = std::mem::replace(&mut self.span, span);
        let result = match linked::symbol(self, builtin) {
            Some(symbol) => linked::call(self, &args, symbol),
            None => (builtin.run)(self, &args),
        };
        self.span = saved;
        result
    }

    fn bind_arguments(
        &self,
        builtin: &'static Builtin,
        positional: Vec<Spanned<'a>>,
        named: Vec<(&'a str, Span, Spanned<'a>)>,
        span: Span,
    ) -> R<Args<'a>> {
        let params = builtin.params;
        let mut args = Args { builtin, span, slots: vec![None; params.len()], rest: Vec::new() };
        let variadic = params.iter().position(|p| p.starts_with('*'));
        for (i, arg) in positional.into_iter().enumerate() {
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
        for (name, name_span, arg) in named {
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
