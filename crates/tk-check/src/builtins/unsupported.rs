//! Functions that the language has and tk does not compile yet, with what to do instead.

use crate::value::ModuleKind;

const LANGUAGE: &[(&str, &str)] = &[("slice", "Write the slice in a subscript."), ("void", "Return nothing.")];

/// Modules that other compilers add to `tl.extra`: those for the GPUs of others, and TLX.
pub(crate) const OTHER_COMPILERS: [&str; 9] = ["hip", "intel", "ascend", "cann", "mlu", "xpu", "maca", "musa", "tlx"];

/// What to do instead of a function that exists upstream; `None` for names that nobody knows.
pub(crate) fn reason(module: ModuleKind, name: &str) -> Option<&'static str> {
    match module {
        ModuleKind::Language => LANGUAGE.iter().find(|(known, _)| *known == name).map(|(_, help)| *help),
        ModuleKind::Functions => reason(ModuleKind::Language, name),
        ModuleKind::Triton => match name {
            "jit" | "autotune" | "Config" | "heuristics" | "testing" | "runtime" => Some("It belongs to host code."),
            _ => None,
        },
        _ => None,
    }
}
