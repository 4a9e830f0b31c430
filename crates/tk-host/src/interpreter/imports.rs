//! Imports of host code: files that were read beside the first one, and everything else, which is a path.
//!
//! The first import of a file runs its statements here, as those of the first file run; host code reaches no files and no network,
//! whoever wrote it. Files that nothing imports by a name that is used were not read, and stay paths.

use super::args::need;
use super::packages::is_known;
use super::{Args, Interpreter, convert};
use crate::exception::{Exception, Result};
use crate::value::{HostModule, Scope, Value};
use std::rc::Rc;
use tk_diag::{UNKNOWN_IMPORT, UNKNOWN_NAME};
use tk_grammar::ast::{ImportAlias, Module};
use tk_grammar::imports::Link;

/// `__import__(name)` gives the package, `importlib.import_module(name)` what the name says. Files are found by statements alone, which are
/// read before anything runs.
pub(super) fn by_name<'a>(function: &str, args: Args<'a>) -> Result<Value<'a>> {
    let [name, _, _, from, level] = args.bind(function, ["name", "globals", "locals", "fromlist", "level"])?;
    let name = convert::string(&need(name, function, "name")?, "name")?;
    let has_names = from.is_some_and(|from| from.truth().unwrap_or(false));
    if name.is_empty() || !is_known(&name) || level.is_some_and(|level| level.truth().unwrap_or(true)) {
        let message = format!("`{function}` finds no file `{name}`: host code imports files by statements");
        let help = "write `import NAME` or `from NAME import …`";
        return Err(Exception::new("ImportError", UNKNOWN_IMPORT, message).help(help));
    }
    let package = name.split('.').next().unwrap_or(&name);
    let is_whole = function != "__import__" || has_names;
    Ok(Value::Path(if is_whole { name } else { package.into() }))
}

/// Names that a star import takes from one file, at most.
const MAX_STAR: usize = 10_000;

impl<'a> Interpreter<'a, '_> {
    /// `import a.b as c, d`.
    pub(super) fn run_import(&mut self, names: &'a [ImportAlias], scope: &Rc<Scope<'a>>) -> Result<()> {
        for alias in names {
            let (name, path) = match &alias.alias {
                Some(name) => (name.text.as_str(), alias.name.as_str()),
                None => {
                    let first = alias.name.split('.').next().unwrap_or(&alias.name);
                    (first, first)
                }
            };
            let value = match self.module.imports.link(alias) {
                Some(Link::Module(part) | Link::Member(part)) => self.module_value(*part, alias)?,
                _ => {
                    self.check_package(&alias.name, alias)?;
                    Value::Path(path.into())
                }
            };
            self.store(name, value, scope);
        }
        Ok(())
    }

    /// `from module import a as b, c`.
    pub(super) fn run_import_from(
        &mut self,
        module: &'a str,
        names: &'a [ImportAlias],
        scope: &Rc<Scope<'a>>,
    ) -> Result<()> {
        for alias in names {
            let name = alias.alias.as_ref().map_or(alias.name.as_str(), |name| name.text.as_str());
            let value = match self.module.imports.link(alias) {
                Some(Link::Member(part)) if alias.name == "*" => {
                    self.store_all(*part, alias, scope)?;
                    continue;
                }
                Some(Link::Member(part)) => self.member(*part, alias)?,
                Some(Link::Module(part)) => self.module_value(*part, alias)?,
                _ if self.check_package(module, alias).is_err() => return self.check_package(module, alias),
                _ if alias.name == "*" => continue,
                _ => self
                    .path_member(module, &alias.name)
                    .unwrap_or_else(|_| Value::Path(format!("{module}.{}", alias.name).into())),
            };
            self.store(name, value, scope);
        }
        Ok(())
    }

    /// The file that holds a place of the text.
    pub(crate) fn module_at(&self, start: u32) -> &'a Module {
        self.modules.get(self.module.file.part_index(start)).unwrap_or(self.module)
    }

    /// An attribute of an imported file.
    pub(super) fn module_attribute(&mut self, module: &HostModule<'a>, name: &str) -> Result<Value<'a>> {
        if let Some(value) = module.scope.names.borrow().get(name).cloned() {
            return Ok(value);
        }
        if let Some(value) = self.forced(name, &module.scope)? {
            return Ok(value);
        }
        match self.module.imports.parts.get(module.part).and_then(|part| part.submodules.get(name)) {
            Some(part) => self.module_of(*part).map(Value::Module),
            None => Err(self.not_in_module(module, name, "AttributeError")),
        }
    }

    /// A package that is nowhere is an `ImportError` where something catches it; elsewhere it is told of where it is used.
    fn check_package(&self, module: &str, alias: &ImportAlias) -> Result<()> {
        // A file of the program that nothing needs was not read; that does not mean that it is not there.
        let first = format!("/{}/", module.split('.').next().unwrap_or(module));
        let is_own = |name: &str| format!("/{name}").contains(&first);
        if !self.catches_imports || is_known(module) || self.module.file.parts().any(|part| is_own(part.name())) {
            return Ok(());
        }
        let message = format!("there is no package `{module}` here");
        Err(Exception::new("ImportError", UNKNOWN_IMPORT, message).at(alias.span))
    }

    fn module_value(&mut self, part: usize, alias: &ImportAlias) -> Result<Value<'a>> {
        self.module_of(part).map(Value::Module).map_err(|exception| exception.at(alias.span))
    }

    fn member(&mut self, part: usize, alias: &ImportAlias) -> Result<Value<'a>> {
        let module = self.module_of(part).map_err(|exception| exception.at(alias.span))?;
        let known = module.scope.names.borrow().get(alias.name.as_str()).cloned();
        let value = match known {
            None => self.forced(&alias.name, &module.scope).map_err(|exception| exception.at(alias.span))?,
            known => known,
        };
        value.ok_or_else(|| self.not_in_module(&module, &alias.name, "ImportError").at(alias.span))
    }

    fn store_all(&mut self, part: usize, alias: &ImportAlias, scope: &Rc<Scope<'a>>) -> Result<()> {
        let module = self.module_of(part).map_err(|exception| exception.at(alias.span))?;
        let exported: Option<Vec<String>> = match module.scope.names.borrow().get("__all__").cloned() {
            Some(list @ (Value::List(_) | Value::Tuple(_))) => {
                Some(self.collect(&list)?.iter().map(Value::display).collect())
            }
            _ => None,
        };
        let is_public = |name: &str| match &exported {
            Some(names) => names.iter().any(|exported| exported == name),
            None => !name.starts_with('_'),
        };
        let names = module.scope.names.borrow();
        let public = names.iter().filter(|(name, _)| is_public(name)).take(MAX_STAR);
        let public: Vec<(&'a str, Value<'a>)> = public.map(|(name, value)| (*name, value.clone())).collect();
        drop(names);
        public.into_iter().for_each(|(name, value)| self.store(name, value, scope));
        Ok(())
    }

    /// A file, whose statements run when it is asked for the first time. In a circle of imports it is seen half done, as in Python.
    fn module_of(&mut self, part: usize) -> Result<Rc<HostModule<'a>>> {
        if part == 0 {
            return Ok(Rc::new(HostModule { part, scope: self.globals.clone() }));
        }
        if let Some(known) = self.imported.get(&part) {
            return Ok(known.clone());
        }
        if let Some(fault) = self.module.imports.parts.get(part).and_then(|part| part.faults.first()) {
            return Err(Exception::from_diagnostic(fault.clone().boxed()));
        }
        let module = Rc::new(HostModule { part, scope: Scope::new(None, false) });
        self.imported.insert(part, module.clone());
        if self.depth >= self.limits.depth {
            return Err(Exception::limit("imports are nested too deep"));
        }
        self.depth += 1;
        let name = self.file_name(part);
        let stem = name.rsplit('/').next().unwrap_or(name).split('.').next().unwrap_or_default();
        let result = match self.modules.get(part) {
            Some(file) => {
                let mut names = module.scope.names.borrow_mut();
                names.insert("__name__", Value::str(stem));
                names.insert("__file__", Value::str(name));
                drop(names);
                self.run_imported(file, &module.scope)
            }
            None => Ok(()),
        };
        self.depth -= 1;
        result.map(|()| module)
    }

    fn file_name(&self, part: usize) -> &'a str {
        self.module.file.parts().nth(part).map_or("", |part| part.name())
    }

    fn not_in_module(&self, module: &HostModule<'a>, name: &str, class: &str) -> Box<Exception> {
        let file = self.file_name(module.part);
        let exception = Exception::new(class, UNKNOWN_NAME, format!("`{file}` has no `{name}`"));
        match super::suggestion(name, module.scope.visible()) {
            Some(help) => exception.help(help),
            None => exception,
        }
    }
}
