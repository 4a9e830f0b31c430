//! Python's `importlib`, with which files look for a module under one of several names: those of the language are always there, and no other is looked
//! for at compile time.

use crate::builtin::{Args, Builtin, function};
use crate::context::Context;
use crate::error::R;
use crate::value::{ModuleKind, Val};

const IMPORT_MODULE: Builtin = function("import_module", &["name", "package?"], import_module);
const FIND_SPEC: Builtin = function("find_spec", &["name", "package?"], find_spec);
const MODULE_FROM_SPEC: Builtin = function("module_from_spec", &["spec"], module_from_spec);
/// The module is there already.
const EXEC_MODULE: Builtin = function("exec_module", &["module"], |_, _| Ok(Val::None));

/// What these modules, a spec and its loader have under a name.
pub(crate) fn member<'a>(module: ModuleKind, name: &str) -> Option<Val<'a>> {
    Some(match (module, name) {
        (ModuleKind::Importlib, "util") => Val::Module(ModuleKind::ImportlibUtil),
        (ModuleKind::Importlib, "import_module") => Val::Builtin(&IMPORT_MODULE),
        (ModuleKind::ImportlibUtil, "find_spec") => Val::Builtin(&FIND_SPEC),
        (ModuleKind::ImportlibUtil, "module_from_spec") => Val::Builtin(&MODULE_FROM_SPEC),
        (ModuleKind::Spec(_), "loader") => Val::Module(ModuleKind::Loader),
        (ModuleKind::Loader, "exec_module") => Val::Builtin(&EXEC_MODULE),
        _ => return None,
    })
}

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
