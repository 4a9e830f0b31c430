//! Names of functions that belong to a running program: what [`tk_grammar::environment`] says of them, as meanings.

use crate::builtins;
use crate::check::Checker;
use crate::error::R;
use crate::value::{ModuleKind, RecordClass, Spanned, Val};
use std::rc::Rc;
use tk_diag::{Diagnostic, Span, nearest};
use tk_grammar::ast::{Ident, StmtKind};
use tk_grammar::environment::{Environment, Meaning, Object};

impl<'a> Checker<'a> {
    /// The environment of a part; nothing for a file that stands for itself.
    pub(crate) fn environment(&self, part: usize) -> Option<&'a Environment> {
        self.module.imports.parts.get(part)?.environment.as_ref()
    }

    /// What a meaning of the program is here.
    pub(crate) fn program_meaning(&mut self, name: &str, meaning: &'a Meaning, span: Span) -> R<Val<'a>> {
        match meaning {
            Meaning::Constant(value) => Ok(self.constant_value(value)),
            Meaning::Tuple(items) => {
                let items: R<Vec<_>> = items.iter().map(|item| self.program_meaning(name, item, span)).collect();
                Ok(Val::tuple(items?))
            }
            Meaning::Known(path) => self.known(path, span),
            Meaning::Part(part) => self.function_or_class(*part, span),
            Meaning::Object(object) => Ok(Val::Object(object)),
            Meaning::Opaque(description) => Err(self.opaque(name, description, span).into()),
            Meaning::Refused(message) => {
                let error = self.cx.error(tk_diag::NOT_PORTABLE, span, message, "");
                Err(error.help(format!("Write `{name} = tl.constexpr(…)`, or make it a parameter.")).into())
            }
        }
    }

    /// An object that a launch passes, by its name among those of the kernel.
    pub(crate) fn passed_object(&self, name: &str) -> Option<Val<'a>> {
        match self.environment(self.module.part())?.names.get(name)? {
            Meaning::Object(object) => Some(Val::Object(object)),
            _ => None,
        }
    }

    /// What tk has under a dotted path.
    fn known(&mut self, path: &'a str, span: Span) -> R<Val<'a>> {
        let (root, rest) = path.split_once('.').unwrap_or((path, ""));
        let mut val = match root {
            "triton" => Val::Module(ModuleKind::Triton),
            "torch" => Val::Module(ModuleKind::Torch),
            "math" => Val::Module(ModuleKind::Math),
            _ => {
                let builtin = builtins::python_builtin(rest).filter(|_| root == "builtins");
                return builtin.map(Val::Builtin).ok_or_else(|| self.opaque(path, path, span).into());
            }
        };
        for name in rest.split('.').filter(|name| !name.is_empty()) {
            let Val::Module(module) = val else { return Err(self.opaque(path, path, span).into()) };
            val = self.module_attribute(module, name, span)?;
        }
        Ok(val)
    }

    fn function_or_class(&mut self, part: usize, span: Span) -> R<Val<'a>> {
        let module = self.module;
        let Some(found) = module.imports.parts.get(part) else { return Ok(Val::None) };
        if let Some(fault) = found.faults.first() {
            return Err(fault.clone().at(&self.cx.file, span, "needed here").into());
        }
        match found.body.first().map(|stmt| &stmt.kind) {
            Some(StmtKind::FunctionDef(function)) => Ok(Val::Function(function)),
            Some(StmtKind::ClassDef(class)) => Ok(Val::RecordClass(Rc::new(RecordClass::of(class, module)))),
            _ => {
                let error = self.cx.error(tk_diag::UNSUPPORTED, span, "this is no function and no class", "");
                Err(error.help("Define it with `def` or `class`.").into())
            }
        }
    }

    /// `object.name` of something of the program.
    pub(crate) fn object_attribute(&mut self, object: &'a Object, base: &Spanned<'a>, name: &Ident) -> R<Val<'a>> {
        if let Some(meaning) = object.attributes.get(&name.text) {
            return self.program_meaning(&name.text, meaning, name.span);
        }
        let message = format!("{} has no `{}`", self.cx.describe(&base.val), name.text);
        let error = self.cx.error(tk_diag::UNKNOWN_NAME, name.span, message, "");
        Err(match nearest(&name.text, object.attributes.keys().map(String::as_str)) {
            Some(near) => error.help(format!("Did you mean `{near}`?")),
            None => error.help("Kernels see what the object has when they are compiled for the first time."),
        }
        .into())
    }

    fn opaque(&self, name: &str, description: &str, span: Span) -> Diagnostic {
        let message = format!("`{name}` is {description}, which has no meaning in a kernel");
        let error = self.cx.error(tk_diag::UNSUPPORTED, span, message, "");
        error.help("Pass it as an argument, or make it a number, a string, a type or a jit function.")
    }
}
