//! The functions of the language: one table per family.

pub(crate) mod atomic;
pub(crate) mod block_pointer;
pub(crate) mod create;
pub(crate) mod debug;
pub(crate) mod descriptor;
pub(crate) mod dot;
pub(crate) mod extra;
mod floats;
pub(crate) mod importlib;
pub(crate) mod instruction;
pub(crate) mod libdevice;
pub(crate) mod limits;
pub(crate) mod map;
pub(crate) mod math;
pub(crate) mod memory;
pub(crate) mod python;
pub(crate) mod random;
pub(crate) mod reduce;
pub(crate) mod scaled;
pub(crate) mod shape;
pub(crate) mod sort;
pub(crate) mod unsupported;
pub(crate) mod version;

use crate::builtin::Run;
use crate::builtin::{Args, Builtin, Emit};
use crate::context::Context;
use crate::error::R;
use crate::value::CallArgs;
use crate::value::Val;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use tk_diag::Span;

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
static LIBDEVICE: LazyLock<FxHashMap<&'static str, Builtin>> = LazyLock::new(|| {
    let written = [libdevice::TABLE, floats::TABLE].into_iter().flatten().copied();
    let instructions = instruction::TABLES.into_iter().flatten().copied();
    written.chain(floats::computed()).chain(instructions).map(|builtin| (builtin.name, builtin)).collect()
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
    LIBDEVICE.get(name)
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

/// The functions of the `triton` package itself.
pub(crate) fn host_functions() -> impl Iterator<Item = &'static Builtin> {
    HOST.values().copied()
}

/// The functions of `tl.extra.cuda`.
pub(crate) fn extra_functions() -> impl Iterator<Item = &'static Builtin> {
    EXTRA.values().copied()
}

/// The functions of `tl.target_info`.
pub(crate) fn target_functions() -> impl Iterator<Item = &'static Builtin> {
    TARGET.values().copied()
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

/// Calls a function that only emits with values at hand.
pub(crate) fn call<'a>(cx: &mut Context, builtin: &'static Builtin, given: CallArgs<'a>, span: Span) -> R<Val<'a>> {
    let args = cx.bind_arguments(builtin, given, span)?;
    let saved = cx.builder.set_span(span);
    let result = match builtin.run {
        Run::Emits(run) => emit(cx, run, &args),
        Run::Calls(_) => Ok(Val::None),
    };
    cx.builder.set_span(saved);
    result
}

/// Runs a function that only emits, which may come from a file of libdevice.
pub(crate) fn emit<'a>(cx: &mut Context, run: Emit, args: &Args<'a>) -> R<Val<'a>> {
    floats::from_file(cx, args).unwrap_or_else(|| run(cx, args))
}

#[cfg(test)]
mod tests;
