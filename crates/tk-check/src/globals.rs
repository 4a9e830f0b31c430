//! Names outside functions: what a file calls by a name, whether it defines or imports it.
//!
//! A name means what it means in the file where it is written, and the place of the name says which file that is. So a function
//! of an imported file finds its own helpers and constants, whatever the importer calls by these names.

use crate::builtins;
use crate::check::{Checker, Evaluated, Frame};
use crate::error::{R, Stop};
use crate::modules::member_of_path;
use crate::modules::{module_member, python_class, usual_module};
use crate::names::{Definition, Global, Globals};
use crate::syntax::assigned_names;
use crate::value::ModuleKind;
use crate::value::RecordClass;
use crate::value::Val;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use tk_diag::{Diagnostic, Span, nearest};
use tk_grammar::ast::{Expr, FunctionDef, Module, Stmt, StmtKind};
use tk_grammar::bindings::Condition;
use tk_grammar::functions::choose;
use tk_grammar::imports::Link;
use tk_types::ConstValue;

/// The file that defines a name, or the module of the language.
enum Home {
    Part(usize),
    Known(ModuleKind),
}

/// The module-level names with assigned values that the kernels of a file may read, sorted: a kernel depends on the values
/// that the host has given them.
pub fn constants_read(module: &Module) -> Vec<String> {
    let globals = Globals::of(&module.body, &module.imports);
    let around = names_around(&module.body);
    let is_assigned = |name: &&str| {
        let definitions = globals.names.get(*name).map_or(&[][..], Vec::as_slice);
        let is_global = definitions.iter().any(|definition| matches!(definition.global, Global::Assigned(..)));
        is_global || around.contains(name)
    };
    let mut names: Vec<String> = Vec::new();
    for function in module.functions().filter(|function| function.is_jit()) {
        let own: FxHashSet<&str> = assigned_names(&function.body)
            .into_iter()
            .chain(function.params.iter().map(|param| param.name.text.as_str()))
            .chain([function.name.text.as_str()])
            .collect();
        // The words of the function's text are all names in it, and a few more that do no harm.
        let words = module.file.slice(function.span).split(|c: char| !c.is_alphanumeric() && c != '_');
        names.extend(words.filter(|word| !own.contains(word)).filter(is_assigned).map(str::to_string));
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// The variables and functions of functions that have jit functions inside: those may read them.
fn names_around(body: &[Stmt]) -> FxHashSet<&str> {
    fn of<'a>(stmts: &'a [Stmt], mut outer: Vec<&'a FunctionDef>, found: &mut FxHashSet<&'a str>) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::FunctionDef(function) if function.is_jit() => {
                    for function in &outer {
                        found.extend(assigned_names(&function.body));
                        defined_names(&function.body, found);
                        found.extend(function.params.iter().map(|param| param.name.text.as_str()));
                    }
                    outer.clear();
                }
                StmtKind::FunctionDef(function) => {
                    of(&function.body, outer.iter().copied().chain([function]).collect(), found);
                }
                StmtKind::ClassDef(class) => of(&class.body, outer.clone(), found),
                kind => kind.blocks().into_iter().for_each(|block| of(block, outer.clone(), found)),
            }
        }
    }
    let mut found = FxHashSet::default();
    of(body, Vec::new(), &mut found);
    found
}

/// The names of the functions that statements define.
fn defined_names<'a>(body: &'a [Stmt], found: &mut FxHashSet<&'a str>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::FunctionDef(function) => _ = found.insert(&function.name.text),
            kind => kind.blocks().into_iter().for_each(|block| defined_names(block, found)),
        }
    }
}

impl<'a> Checker<'a> {
    /// What a name means outside the function in hand: what functions around it bind, the names of the file that it stands in, then the
    /// language's, then Python's.
    pub(crate) fn global(&mut self, name: &'a str, span: Span) -> R<Val<'a>> {
        let part = self.cx.file.part_index(span.start);
        if let Some(meaning) = self.environment(part).and_then(|environment| environment.names.get(name)) {
            return self.program_meaning(name, meaning, span);
        }
        if let Some(found) = self.bound_around(part, name, span) {
            return found;
        }
        if let Some(home) = self.home(part, name) {
            return self.at_home(home, name, span);
        }
        if let Some(builtin) = builtins::python_builtin(name) {
            return Ok(Val::Builtin(builtin));
        }
        if let Some(class) = python_class(name) {
            return Ok(Val::Class(class));
        }
        if let Some(val) = self.set_by_functions(part, name, span) {
            return Ok(val);
        }
        if let Some(module) = usual_module(name) {
            return Ok(Val::Module(module));
        }
        match self.module.function(name).filter(|function| part == self.module.part() && function.is_jit()) {
            // A jit function inside of another function, beside the kernel.
            Some(function) => Ok(Val::Function(function)),
            None => Err(self.unknown_name(name, span).into()),
        }
    }

    /// The names of a part of the text.
    fn globals(&mut self, part: usize) -> Rc<Globals<'a>> {
        let (module, known) = (self.module, &mut self.globals);
        let make = || match module.imports.parts.get(part) {
            Some(found) => Rc::new(Globals::of(&found.body, &module.imports)),
            None => Rc::default(),
        };
        known.entry(part).or_insert_with(make).clone()
    }

    /// A function that a launch passes by its name: `name@1` is that of the second file; otherwise it is one of the kernel's file,
    /// imported by it, of any other, or inside of a function of the kernel's file.
    pub(crate) fn function_named(&mut self, name: &str) -> Option<&'a FunctionDef> {
        let own = self.module.part();
        if let Some((name, part)) = name.split_once('@') {
            let part = part.parse().ok()?;
            return self.globals(part).function(name).or_else(|| self.inner_function(part, name));
        }
        if let Some(function) = self.globals(own).function(name) {
            return Some(function);
        }
        let imported = self.globals(own).names.get_key_value(name).map(|(name, _)| *name);
        if let Some(Ok(Val::Function(function))) = imported.map(|name| self.global_of(own, name, Span::default())) {
            return Some(function);
        }
        let found = (0..self.module.imports.parts.len()).find_map(|part| self.globals(part).function(name));
        found.or_else(|| self.inner_function(own, name))
    }

    /// A function that stands inside of another one, or that branches define as well.
    fn inner_function(&self, part: usize, name: &str) -> Option<&'a FunctionDef> {
        let module = self.module;
        choose(&module.imports.parts.get(part)?.body, &module.file, name).last()
    }

    /// Where a name of a file comes from: the file itself, or the first of its star imports that has it.
    fn home(&mut self, part: usize, name: &str) -> Option<Home> {
        if self.given(part, name).is_some() {
            return Some(Home::Part(part));
        }
        let globals = self.globals(part);
        if globals.stars.is_empty() {
            return globals.names.contains_key(name).then_some(Home::Part(part));
        }
        self.home_by_stars(part, name)
    }

    /// [`Self::home`] where there are star imports: each of the file's own that comes after its definition, with the star imports
    /// of those files in turn, and then the file itself.
    fn home_by_stars(&mut self, part: usize, name: &str) -> Option<Home> {
        enum Next {
            /// A module that a star import names.
            Star(ModuleKind),
            /// A file that has the name itself.
            Own(usize),
        }
        let mut seen = FxHashSet::default();
        let mut open = Vec::new();
        let mut add = |this: &mut Self, part: usize, open: &mut Vec<Next>| {
            if seen.insert(part) {
                let globals = this.globals(part);
                let (stars, is_own) = globals.stars_before(name);
                // What is added last is looked at first.
                open.extend(is_own.then_some(Next::Own(part)));
                open.extend(stars.rev().map(Next::Star));
            }
        };
        add(self, part, &mut open);
        while let Some(next) = open.pop() {
            match next {
                Next::Own(part) => return Some(Home::Part(part)),
                Next::Star(ModuleKind::File(part)) if self.globals(part).exports(name) => add(self, part, &mut open),
                Next::Star(ModuleKind::File(_)) => {}
                Next::Star(known) if module_member(known, name).is_some() => return Some(Home::Known(known)),
                Next::Star(_) => {}
            }
        }
        None
    }

    fn at_home(&mut self, home: Home, name: &'a str, span: Span) -> R<Val<'a>> {
        match home {
            Home::Part(part) => self.global_of(part, name, span),
            Home::Known(kind) => module_member(kind, name).ok_or_else(|| self.unknown_name(name, span).into()),
        }
    }

    /// What a file itself defines under a name.
    fn global_of(&mut self, part: usize, name: &'a str, span: Span) -> R<Val<'a>> {
        if let Some(value) = self.given(part, name) {
            return Ok(self.constant_value(&value));
        }
        let globals = self.globals(part);
        let definitions = globals.names.get(name).map_or(&[][..], Vec::as_slice);
        if let [Definition { global: global @ (Global::Function(_) | Global::Module(_)), condition: None }] =
            definitions
        {
            return self.evaluate_global(name, *global, span);
        }
        let evaluated = Evaluated { part, function: None, name };
        if self.evaluating.contains(&evaluated) {
            let message = format!("`{name}` is defined in terms of itself, through imports or assignments");
            let help = "One of the files has to define it without the others.";
            return Err(self.cx.error(tk_diag::UNKNOWN_NAME, span, message, "needed here").help(help).into());
        }
        self.enter(span)?;
        self.evaluating.push(evaluated);
        let result = self.evaluate_definitions(name, definitions, span);
        self.evaluating.pop();
        self.leave();
        match result {
            // What is nothing until a function has run is what that function makes of it.
            Ok(Val::None) => Ok(self.set_by_functions(part, name, span).unwrap_or(Val::None)),
            result => result,
        }
    }

    /// A value from a launch, whose functions and objects have names.
    pub(crate) fn constant_value(&mut self, value: &ConstValue) -> Val<'a> {
        match value {
            ConstValue::None => Val::None,
            ConstValue::Bool(b) => Val::Bool(*b),
            ConstValue::Int(i) => Val::Int(*i),
            ConstValue::Float(f) => Val::Float(*f),
            ConstValue::Str(s) => Val::str(s),
            ConstValue::Dtype(scalar) => Val::scalar_type(*scalar),
            ConstValue::Tuple(items) => {
                Val::tuple(items.iter().map(|item| self.constant_value(item)).collect::<Vec<_>>())
            }
            ConstValue::Function(name) => match self.function_named(name) {
                Some(function) => Val::Function(function),
                None => self.passed_object(name).or_else(|| member_of_path(name)).unwrap_or(Val::None),
            },
        }
    }

    /// The first definition whose condition may hold and that has a meaning here; the first error when there is none.
    fn evaluate_definitions(&mut self, name: &'a str, definitions: &[Definition<'a>], span: Span) -> R<Val<'a>> {
        if let [Definition { global, condition: None }] = definitions {
            return self.evaluate_global(name, *global, span);
        }
        let mut first = None;
        for definition in definitions {
            if let Some(Condition { test, holds }) = definition.condition
                && self.host_condition(test, span)?.is_some_and(|truth| truth != holds)
            {
                continue;
            }
            match self.evaluate_global(name, definition.global, span) {
                Ok(val) => return Ok(val),
                Err(stop) => first = first.or(Some(stop)),
            }
        }
        Err(first.unwrap_or_else(|| self.unknown_name(name, span).into()))
    }

    /// The truth of a condition outside of kernels; nothing when it depends on the host.
    pub(crate) fn host_condition(&mut self, test: &'a Expr, span: Span) -> R<Option<bool>> {
        self.enter(span)?;
        self.step(span)?;
        let result = self.aside(|this| {
            this.push_frame(Frame { interpreted: true, ..Frame::default() });
            let result = this.eval(test);
            this.pop_frame();
            result
        });
        self.leave();
        Ok(result.ok().and_then(|val| val.truth()))
    }

    /// Evaluates what belongs to the host: nothing that it emits or reports reaches the kernel.
    pub(crate) fn aside<T>(&mut self, run: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        let (errors, failed) = (self.diagnostics.len(), self.failed);
        self.cx.builder.open_block();
        let result = run(self);
        self.cx.builder.close_block();
        self.diagnostics.truncate(errors);
        self.failed = failed;
        result
    }

    pub(crate) fn evaluate_global(&mut self, name: &'a str, global: Global<'a>, span: Span) -> R<Val<'a>> {
        match global {
            Global::Function(function) => Ok(Val::Function(function)),
            Global::Module(kind) => Ok(Val::Module(kind)),
            Global::Member(kind, member) => {
                module_member(kind, member).ok_or_else(|| self.unknown_member(kind, member, span).into())
            }
            Global::Imported(part, alias) => {
                self.step(span).and_then(|()| self.imported(part, &alias.name, span)).map_err(|stop| match stop {
                    Stop::Error(error) => self.imported_here(*error, alias.span, span).into(),
                    poisoned => poisoned,
                })
            }
            Global::Absent(module, alias) => match builtins::python::imported(&alias.name) {
                Some(builtin) => Ok(Val::Builtin(builtin)),
                None => Err(self.missing(&format!("`{name}`"), module, alias.span, span).into()),
            },
            Global::Class(class) => Ok(Val::RecordClass(Rc::new(RecordClass::of(class, self.module)))),
            Global::Assigned(value, part) => self.assigned_global(name, value, part, span),
        }
    }

    fn assigned_global(&mut self, name: &str, value: &'a Expr, part: Option<usize>, span: Span) -> R<Val<'a>> {
        let is_imported = self.cx.file.part_index(value.span.start) != self.cx.file.part_index(span.start);
        let val = self.evaluate_constant(value, span).map_err(|stop| match stop {
            Stop::Error(error) if is_imported => error.at(&self.cx.file, span, "needed here").into(),
            stop => stop,
        });
        let val = match val? {
            Val::Value(_) => {
                let error = self.cx.error(tk_diag::NOT_CONSTEXPR, span, format!("`{name}` is not a constant"), "");
                return Err(error.help("Compute it inside the kernel.").into());
            }
            val => val,
        };
        let part_of = |i: usize| val.items().and_then(|items| items.get(i).cloned());
        match part.map(part_of) {
            None => Ok(val),
            Some(Some(part)) => Ok(part),
            Some(None) => {
                let error = self.cx.error(tk_diag::TYPE_MISMATCH, span, format!("`{name}` cannot be unpacked"), "");
                Err(error.help("Assign it alone.").into())
            }
        }
    }

    /// `name` of an imported file: what it defines or imports, or a module in it.
    pub(crate) fn imported(&mut self, part: usize, name: &str, span: Span) -> R<Val<'a>> {
        if let Some(fault) = self.module.imports.parts.get(part).and_then(|part| part.faults.first()) {
            return Err(fault.clone().into());
        }
        if let Some(home) = self.home(part, name) {
            let own = match home {
                Home::Part(part) => self.globals(part).names.get_key_value(name).map(|(own, _)| *own),
                Home::Known(kind) => {
                    return module_member(kind, name).ok_or_else(|| self.unknown_member(kind, name, span).into());
                }
            };
            if let Some(own) = own {
                return self.at_home(home, own, span);
            }
            if let Some(value) = self.given(part, name) {
                return Ok(self.constant_value(&value));
            }
        }
        match self.module.imports.parts.get(part).and_then(|found| found.submodules.get(name)) {
            Some(module) => Ok(Val::Module(ModuleKind::File(*module))),
            None => Err(self.not_in_file(part, name, span).into()),
        }
    }

    /// The module that a name of a file itself means.
    pub(crate) fn module_of_file(&mut self, part: usize, name: &'a str, span: Span) -> Option<ModuleKind> {
        let home = self.home(part, name)?;
        match self.at_home(home, name, span) {
            Ok(Val::Module(module)) => Some(module),
            _ => None,
        }
    }

    /// Whether an imported file has a name.
    pub(crate) fn file_has_name(&mut self, part: usize, name: &str) -> bool {
        self.home(part, name).is_some()
            || self.module.imports.parts.get(part).is_some_and(|found| found.submodules.contains_key(name))
    }

    /// An error in an imported file says where it is imported, unless it does.
    fn imported_here(&self, error: Diagnostic, import: Span, span: Span) -> Diagnostic {
        let shows = |place: Span| error.labels.iter().any(|label| label.span == place);
        if shows(import) || !shows(span) && !error.labels.is_empty() && error.code != tk_diag::SYNTAX {
            return error;
        }
        error.at(&self.cx.file, import, "imported here")
    }

    fn not_in_file(&mut self, part: usize, name: &str, span: Span) -> Diagnostic {
        let globals = self.globals(part);
        let file = self.cx.file.parts().nth(part).map_or("", |part| part.name());
        let error = self.cx.error(tk_diag::UNKNOWN_NAME, span, format!("`{file}` has no `{name}`"), "");
        match nearest(name, globals.names.keys().copied()) {
            Some(near) => error.help(format!("Did you mean `{near}`?")),
            None => error.help("It has to define it, or import it from a file that does."),
        }
    }

    /// The error for something of a module that is not there.
    pub(crate) fn missing(&self, what: &str, module: &str, import: Span, span: Span) -> Diagnostic {
        let missing = match self.module.imports.link_at(import) {
            Some(Link::Missing(missing)) => Some(missing),
            _ => None,
        };
        let Some(missing) = missing else {
            let message = format!("{what} comes from a module that tk does not read");
            // Other compilers add modules to Triton's; what another package has is no part of any kernel language.
            let is_triton = module == "triton" || module.starts_with("triton.");
            let code = if is_triton { tk_diag::FOREIGN_OPERATION } else { tk_diag::UNSUPPORTED };
            let error = self.cx.error(code, span, message, "");
            return error.at(&self.cx.file, import, "imported here").help("Define what the kernel needs in this file.");
        };
        let message = format!("{what} comes from `{module}`, which is not there");
        let mut error =
            self.cx.error(tk_diag::UNKNOWN_IMPORT, span, message, "").at(&self.cx.file, import, "imported here");
        if !missing.looked.is_empty() {
            error =
                error.note(format!("looked for {}: a .tk file, a .py file or a package", missing.looked.join(", ")));
        }
        if let Some(reason) = &missing.reason {
            error = error.note(reason.clone());
        }
        match &missing.near {
            Some(near) => error.help(format!("Did you mean `{near}`?")),
            None => error
                .help("Define what the kernel needs in this file, or put the file there; `--root` widens the search."),
        }
    }

    fn unknown_name(&mut self, name: &str, span: Span) -> Diagnostic {
        let part = self.cx.file.part_index(span.start);
        let globals = self.globals(part);
        if name == tk_grammar::COMPLEX {
            let error = self.cx.error(tk_diag::UNSUPPORTED, span, "a kernel cannot compute with complex numbers", "");
            return error.help(
                "Pass real and imaginary parts as two tensors (`torch.view_as_real` in the launching program) and write the arithmetic out.",
            );
        }
        let error = self.cx.error(tk_diag::UNKNOWN_NAME, span, format!("`{name}` is not defined"), "");
        let mut known: Vec<&str> = self.frame().scope.keys().copied().collect();
        known.extend(globals.names.keys().copied());
        known.extend(self.environment(part).into_iter().flat_map(|found| found.names.keys().map(String::as_str)));
        for name in builtins::python_names().chain(["tl", "triton"]) {
            known.push(name);
        }
        if builtins::language(name).is_some() {
            return error.help(format!("Did you mean `tl.{name}`?"));
        }
        match nearest(name, known) {
            Some(near) => error.help(format!("Did you mean `{near}`?")),
            None => error.help("Assign it before, make it a parameter, or define it at the top of the file."),
        }
    }
}
