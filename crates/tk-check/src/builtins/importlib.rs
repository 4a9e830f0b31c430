//! Python's `importlib`, with which files look for a module under one of several names: those of the language are always there, and no other is looked
//! for at compile time.

use crate::builtin::{Args, Builtin, function};
use crate::context::Context;
use crate::error::R;
use crate::value::{ModuleKind, Val};

pub(crate) const TABLE: &[Builtin] = &[function("import_module", &["name", "package?"], import_module)];

pub(crate) const UTIL: &[Builtin] = &[
    function("find_spec", &["name", "package?"], find_spec),
    function("module_from_spec", &["spec"], module_from_spec),
];

/// What the loader of a module does: the module is there already.
pub(crate) const LOADER: &[Builtin] = &[function("exec_module", &["module"], |_, _| Ok(Val::None))];

fn import_module<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let name = cx.constant_str("the name of the module", &args.value("name"))?;
    match ModuleKind::of_path(&name) {
        ModuleKind::Foreign => {
            let message = format!("`importlib.import_module` of `{name}` is not looked for at compile time");
            let error = cx.error(tk_diag::UNKNOWN_IMPORT, args.span, message, "");
            Err(error.help("Write `import` or `from … import` for modules that are files.").into())
        }
        known => Ok(Val::Module(known)),
    }
}

fn find_spec<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let name = cx.constant_str("the name of the module", &args.value("name"))?;
    Ok(ModuleKind::of_path(&name).spec().map_or(Val::None, Val::Module))
}

fn module_from_spec<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let spec = args.value("spec");
    match spec.val {
        Val::Module(ModuleKind::Spec(module)) => Ok(Val::Module(*module)),
        ref other => {
            let message = format!("`module_from_spec` takes what `find_spec` found, not {}", cx.describe(other));
            let error = cx.error(tk_diag::TYPE_MISMATCH, spec.span, message, "");
            Err(error.help("Pass it the result of `importlib.util.find_spec`.").into())
        }
    }
}
