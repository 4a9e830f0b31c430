//! Names of the functions around a function: what a kernel that is defined within a function sees of it.
//!
//! Such a kernel reads variables whose values only a program that runs knows. Known here are those that a launch gives, definitions and
//! imports, and what is assigned once, outside of loops, and can be computed. Any other value is an error, but for modules: a name that the
//! file imports one by, or that everybody calls one, is this module wherever it comes from.

use crate::check::{Checker, Evaluated};
use crate::error::{R, Stop};
use crate::modules::usual_module;
use crate::names::{Definition, Global, bound};
use crate::syntax::walrus_names;
use crate::value::{ModuleKind, Val};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tk_diag::{Diagnostic, Span};
use tk_grammar::ast::{Expr, ExprKind, FunctionDef, Module, Param, Stmt, StmtKind};
use tk_grammar::bindings::{Binding, Condition, each_binding};
use tk_grammar::imports::Imports;
use tk_types::ConstValue;

/// Definitions of one name that are compared, at most.
const MAX_DEFINITIONS: usize = 16;

/// Methods that change what they are called on.
const CHANGING: [&str; 13] = [
    "append",
    "extend",
    "insert",
    "pop",
    "remove",
    "clear",
    "update",
    "add",
    "discard",
    "setdefault",
    "popitem",
    "sort",
    "reverse",
];

/// What a function that others stand in, or that gives names of the file values, binds.
struct Scope<'a> {
    function: &'a FunctionDef,
    /// The definitions of each name, those that `global` gives to the file included.
    names: FxHashMap<&'a str, Vec<Definition<'a>>>,
    /// Names of fallback paths (`except`), which count where there are no others.
    fallbacks: FxHashMap<&'a str, Vec<Definition<'a>>>,
    /// Names that `global` gives to the file.
    globals: FxHashSet<&'a str>,
    /// Names that `nonlocal` gives to the function around.
    outer: FxHashSet<&'a str>,
    /// Names that change in ways that are not followed: in loops, under `with`, by operators, methods and inner functions.
    open: FxHashSet<&'a str>,
}

/// The functions of a part that others stand in, each before those within, and the modules that the part imports anywhere.
#[derive(Default)]
pub(crate) struct Scopes<'a> {
    list: Vec<Scope<'a>>,
    /// By name; nothing for a name of two modules.
    modules: FxHashMap<&'a str, Option<ModuleKind>>,
}

/// How often statements of a function run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    /// Once, and [`each_binding`] comes to them.
    Plainly,
    /// Once, under `with`, where it does not.
    Within,
    /// Any number of times.
    Repeatedly,
}

/// Why a name of a function has no value.
enum Unknown {
    /// It is a parameter.
    Parameter,
    /// It has several values, or changes in ways that are not followed.
    Changing,
    /// Its value cannot be computed.
    Failed(Box<Diagnostic>),
}

impl<'a> Scopes<'a> {
    fn of(body: &'a [Stmt], imports: &'a Imports) -> Self {
        let mut scopes = Scopes::default();
        scopes.add_modules(body, imports);
        scopes.add(body, imports);
        scopes
    }

    fn add(&mut self, body: &'a [Stmt], imports: &'a Imports) {
        for stmt in body {
            match &stmt.kind {
                // The variables of a jit function are those of its call.
                StmtKind::FunctionDef(function) if function.is_jit() => {}
                StmtKind::FunctionDef(function) => {
                    self.add_modules(&function.body, imports);
                    if is_around(&function.body) {
                        self.list.push(Scope::of(function, imports));
                    }
                    self.add(&function.body, imports);
                }
                StmtKind::ClassDef(class) => {
                    self.add_modules(&class.body, imports);
                    self.add(&class.body, imports);
                }
                kind => kind.blocks().into_iter().for_each(|block| self.add(block, imports)),
            }
        }
    }

    fn add_modules(&mut self, body: &'a [Stmt], imports: &'a Imports) {
        each_binding(body, &mut |binding| {
            let Some(Global::Module(module)) = bound(&binding, imports) else { return };
            if module.is_known() {
                let known = self.modules.entry(binding.name).or_insert(Some(module));
                *known = known.filter(|known| *known == module);
            }
        });
    }

    /// The innermost function around a place that binds a name; nothing where that function gives the name to the file.
    fn around(&self, name: &str, place: u32, is_left_out: impl Fn(&Scope<'a>) -> bool) -> Option<&Scope<'a>> {
        for scope in self.list.iter().rev() {
            let is_known = scope.binds(name) || scope.globals.contains(name);
            if is_known && scope.holds(place) && !is_left_out(scope) {
                return scope.binds(name).then_some(scope);
            }
        }
        None
    }
}

/// Whether statements of a function define functions, or give names of the file values.
fn is_around(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::FunctionDef(_) | StmtKind::Global(_) => true,
        StmtKind::ClassDef(class) => is_around(&class.body),
        kind => kind.blocks().into_iter().any(is_around),
    })
}

impl<'a> Scope<'a> {
    fn of(function: &'a FunctionDef, imports: &'a Imports) -> Self {
        let mut scope = Self {
            function,
            names: FxHashMap::default(),
            fallbacks: FxHashMap::default(),
            globals: FxHashSet::default(),
            outer: FxHashSet::default(),
            open: FxHashSet::default(),
        };
        each_binding(&function.body, &mut |binding| scope.add(&binding, imports));
        scope.look_at(&function.body, Runs::Plainly, imports);
        scope
    }

    fn add(&mut self, binding: &Binding<'a>, imports: &Imports) {
        let Some(global) = bound(binding, imports) else { return };
        let known = if binding.wins { &mut self.names } else { &mut self.fallbacks };
        known.entry(binding.name).or_default().push(Definition { global, condition: binding.condition });
    }

    fn evaluated(&self, part: usize, name: &'a str) -> Evaluated<'a> {
        Evaluated { part, function: Some(self.function.name.span.start), name }
    }

    fn param(&self, name: &str) -> Option<&'a Param> {
        self.function.params.iter().find(|param| param.name.text == name)
    }

    /// Whether a name is a variable of the function.
    fn binds(&self, name: &str) -> bool {
        let is_own = !self.globals.contains(name) && !self.outer.contains(name);
        is_own && (self.param(name).is_some() || self.assigns(name))
    }

    /// Whether the function gives a name a value.
    fn assigns(&self, name: &str) -> bool {
        self.names.contains_key(name) || self.fallbacks.contains_key(name) || self.open.contains(name)
    }

    /// Whether a variable may have other values before the one that it has in the end.
    fn changes_value(&self, name: &str) -> bool {
        let definitions = self.names.get(name).map_or(0, Vec::len) + self.fallbacks.get(name).map_or(0, Vec::len);
        self.open.contains(name) || definitions + usize::from(self.param(name).is_some()) > 1
    }

    /// Whether a place is in its statements. Its header belongs to what is around it.
    fn holds(&self, place: u32) -> bool {
        self.function.body.first().is_some_and(|first| {
            let decorators = match &first.kind {
                StmtKind::FunctionDef(function) => &function.decorators,
                StmtKind::ClassDef(class) => &class.decorators,
                _ => return (first.span.start..self.function.span.end).contains(&place),
            };
            let start = decorators.first().map_or(first.span.start, |decorator| decorator.span.start);
            (start..self.function.span.end).contains(&place)
        })
    }

    /// Finds what changes in ways that are not followed, and definitions under `with` and in loops.
    fn look_at(&mut self, body: &'a [Stmt], runs: Runs, imports: &'a Imports) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Global(names) => self.globals.extend(names.iter().map(|name| name.text.as_str())),
                StmtKind::Nonlocal(names) => self.outer.extend(names.iter().map(|name| name.text.as_str())),
                StmtKind::Assign { targets, .. } => targets.iter().for_each(|target| self.target(target, runs)),
                StmtKind::AnnAssign { target, value: Some(_), .. } => self.target(target, runs),
                StmtKind::AugAssign { target, .. } => self.changes(target),
                StmtKind::Delete(targets) => targets.iter().for_each(|target| self.changes(target)),
                StmtKind::For { target, body, orelse, .. } => {
                    self.changes(target);
                    [body, orelse].into_iter().for_each(|block| self.look_at(block, Runs::Repeatedly, imports));
                }
                StmtKind::While { body, orelse, .. } => {
                    [body, orelse].into_iter().for_each(|block| self.look_at(block, Runs::Repeatedly, imports));
                }
                StmtKind::With { items, body } => {
                    items.iter().filter_map(|item| item.target.as_ref()).for_each(|target| self.changes(target));
                    self.look_at(body, if runs == Runs::Plainly { Runs::Within } else { runs }, imports);
                }
                StmtKind::Try { body, handlers, orelse, finally } => {
                    let names = handlers.iter().filter_map(|handler| handler.name.as_ref());
                    self.open.extend(names.map(|name| name.text.as_str()));
                    handlers.iter().for_each(|handler| self.look_at(&handler.body, runs, imports));
                    [body, orelse, finally].into_iter().for_each(|block| self.look_at(block, runs, imports));
                }
                StmtKind::If { body, orelse, .. } => {
                    [body, orelse].into_iter().for_each(|block| self.look_at(block, runs, imports));
                }
                StmtKind::Expr(value) => self.method(value),
                StmtKind::FunctionDef(function) => self.inner(&function.body),
                StmtKind::ClassDef(class) => self.inner(&class.body),
                StmtKind::Import(_) | StmtKind::ImportFrom { .. } => {}
                StmtKind::AnnAssign { value: None, .. } | StmtKind::Unsupported(_) | StmtKind::Assert { .. } => {}
                StmtKind::Return(_) | StmtKind::Raise(_) => {}
                StmtKind::Pass | StmtKind::Break | StmtKind::Continue => {}
            }
            if runs != Runs::Plainly && stmt.kind.blocks().is_empty() {
                each_binding(std::slice::from_ref(stmt), &mut |binding| self.add(&binding, imports));
            }
            self.walrus(stmt);
        }
    }

    /// A target of `=`, of which [`each_binding`] knows names and tuples of names.
    fn target(&mut self, target: &'a Expr, runs: Runs) {
        let is_name = |expr: &Expr| matches!(expr.kind, ExprKind::Name(_));
        let is_known = match &target.kind {
            ExprKind::Tuple(items) => items.iter().all(is_name),
            _ => is_name(target),
        };
        if runs == Runs::Repeatedly || !is_known {
            self.changes(target);
        }
    }

    /// What a target names changes.
    fn changes(&mut self, target: &'a Expr) {
        match &target.kind {
            ExprKind::Name(name) => {
                self.open.insert(name);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| self.changes(item)),
            ExprKind::Starred(value) | ExprKind::Subscript { value, .. } | ExprKind::Attribute { value, .. } => {
                self.changes(value);
            }
            _ => {}
        }
    }

    /// `items.append(x)`, as a statement.
    fn method(&mut self, value: &'a Expr) {
        if let ExprKind::Call { func, .. } = &value.kind
            && let ExprKind::Attribute { value: receiver, name } = &func.kind
            && CHANGING.contains(&name.text.as_str())
        {
            self.changes(receiver);
        }
    }

    /// Names that functions inside give values.
    fn inner(&mut self, body: &'a [Stmt]) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Nonlocal(names) => self.open.extend(names.iter().map(|name| name.text.as_str())),
                StmtKind::FunctionDef(function) => self.inner(&function.body),
                StmtKind::ClassDef(class) => self.inner(&class.body),
                kind => kind.blocks().into_iter().for_each(|block| self.inner(block)),
            }
        }
    }

    /// Names that an expression of a statement assigns. Blocks inside are statements of their own; what functions inside assign is theirs.
    fn walrus(&mut self, stmt: &'a Stmt) {
        let is_block = !stmt.kind.blocks().is_empty();
        if !is_block && !matches!(stmt.kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_)) {
            stmt.each_expression(&mut |expr| self.open.extend(walrus_names(expr)));
        }
        match &stmt.kind {
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => self.open.extend(walrus_names(test)),
            StmtKind::For { iter, .. } => self.open.extend(walrus_names(iter)),
            StmtKind::With { items, .. } => {
                items.iter().for_each(|item| self.open.extend(walrus_names(&item.context)));
            }
            _ => {}
        }
    }
}

/// Whether a function around another one binds a name.
pub(crate) fn is_bound_around(module: &Module, function: &FunctionDef, name: &str) -> bool {
    Scopes::of(&module.body, &module.imports).around(name, function.name.span.start, |_| false).is_some()
}

impl<'a> Checker<'a> {
    /// What a name means that a function around the place binds; nothing where none does.
    pub(crate) fn bound_around(&mut self, part: usize, name: &'a str, span: Span) -> Option<R<Val<'a>>> {
        // A program that runs has said what names mean.
        if self.environment(part).is_some() {
            return None;
        }
        let scopes = self.scopes(part);
        let scope = scopes.around(name, span.start, |scope| self.runs(scope))?;
        if let Some(value) = self.given_around(part, scope, name) {
            return Some(Ok(self.constant_value(&value)));
        }
        Some(self.local_value(part, scope, name, span).or_else(|unknown| match self.module_called(part, name, span) {
            Some(module) => {
                self.around.insert(scope.evaluated(part, name), Val::Module(module));
                Ok(Val::Module(module))
            }
            None => Err(self.without_value(scope, name, span, unknown).into()),
        }))
    }

    /// The value that a launch gives a module-level name of the kernel's file. A value of a name that a function around the kernel binds is
    /// the one in that function.
    pub(crate) fn given(&mut self, part: usize, name: &str) -> Option<ConstValue> {
        if part != self.module.part() || !self.constants.contains_key(name) {
            return None;
        }
        let scopes = self.scopes(part);
        let is_bound = self.kernel.is_some_and(|place| scopes.around(name, place, |_| false).is_some());
        self.constants.get(name).filter(|_| !is_bound).cloned()
    }

    /// The value that a launch gives a name of a function around the kernel.
    fn given_around(&mut self, part: usize, scope: &Scope<'a>, name: &str) -> Option<ConstValue> {
        if part != self.module.part() || !self.constants.contains_key(name) {
            return None;
        }
        // What the function computes from a variable before it changes is computed from another value than the kernel sees.
        if scope.changes_value(name) && self.evaluating.iter().any(|one| one.function.is_some()) {
            return None;
        }
        let scopes = self.scopes(part);
        let own = scopes.around(name, self.kernel?, |_| false)?;
        self.constants.get(name).filter(|_| std::ptr::eq(own.function, scope.function)).cloned()
    }

    /// What functions give a module-level name by `global`: a module or a function, the same in all of them.
    pub(crate) fn set_by_functions(&mut self, part: usize, name: &'a str, span: Span) -> Option<Val<'a>> {
        let scopes = self.scopes(part);
        let mut found: Option<Val<'a>> = None;
        for scope in scopes.list.iter().filter(|scope| scope.globals.contains(name) && scope.assigns(name)) {
            let val = self.local_value(part, scope, name, span).ok()?;
            let is_same = found.as_ref().is_none_or(|known| known.same(&val));
            match val {
                Val::None => {}
                Val::Module(_) | Val::Function(_) | Val::Builtin(_) if is_same => found = Some(val),
                _ => return None,
            }
        }
        found
    }

    fn scopes(&mut self, part: usize) -> Rc<Scopes<'a>> {
        let (module, known) = (self.module, &mut self.scopes);
        let make = || match module.imports.parts.get(part) {
            Some(found) => Rc::new(Scopes::of(&found.body, &module.imports)),
            None => Rc::default(),
        };
        known.entry(part).or_insert_with(make).clone()
    }

    /// Whether the function in hand is run with its variables, or stands in one that is.
    fn runs(&self, scope: &Scope<'a>) -> bool {
        let (frame, span) = (self.frame(), scope.function.span);
        frame.function.is_some_and(|own| std::ptr::eq(own, scope.function))
            || frame.closure.as_ref().is_some_and(|closure| {
                let outer = closure.outer.span;
                outer.start <= span.start && span.end <= outer.end
            })
    }

    /// What the text of a function says of one of its names.
    fn local_value(&mut self, part: usize, scope: &Scope<'a>, name: &'a str, span: Span) -> Result<Val<'a>, Unknown> {
        let evaluated = scope.evaluated(part, name);
        if let Some(known) = self.around.get(&evaluated) {
            return Ok(known.clone());
        }
        if scope.param(name).is_some() {
            return Err(Unknown::Parameter);
        }
        let is_open = scope.open.contains(name) || self.evaluating.contains(&evaluated);
        if is_open || self.step(span).is_err() || self.enter(span).is_err() {
            return Err(Unknown::Changing);
        }
        self.evaluating.push(evaluated);
        let value = self.only_value(scope, name, span);
        self.evaluating.pop();
        self.leave();
        if let Ok(val) = &value {
            self.around.insert(evaluated, val.clone());
        }
        value
    }

    /// The value that all definitions of a name have that may be the one that is run.
    fn only_value(&mut self, scope: &Scope<'a>, name: &'a str, span: Span) -> Result<Val<'a>, Unknown> {
        let all = scope.names.get(name).or_else(|| scope.fallbacks.get(name)).map_or(&[][..], Vec::as_slice);
        if all.len() > MAX_DEFINITIONS {
            return Err(Unknown::Changing);
        }
        let mut found: Option<Val<'a>> = None;
        for Definition { global, condition } in all {
            if !self.may_hold(*condition, span) {
                continue;
            }
            let val = match self.aside(|this| this.evaluate_global(name, *global, span)) {
                Ok(val) if val.is_constant() => val,
                Err(Stop::Error(error)) => return Err(Unknown::Failed(error)),
                Ok(_) | Err(Stop::Poisoned) => return Err(Unknown::Changing),
            };
            if found.as_ref().is_some_and(|known| !known.same(&val)) {
                return Err(Unknown::Changing);
            }
            found = Some(val);
        }
        found.ok_or(Unknown::Changing)
    }

    fn may_hold(&mut self, condition: Option<Condition<'a>>, span: Span) -> bool {
        let Some(Condition { test, holds }) = condition else { return true };
        !matches!(self.host_condition(test, span), Ok(Some(truth)) if truth != holds)
    }

    /// The module that a name without a known value stands for.
    fn module_called(&mut self, part: usize, name: &'a str, span: Span) -> Option<ModuleKind> {
        if let Some(known) = self.scopes(part).modules.get(name) {
            return *known;
        }
        self.module_of_file(part, name, span).filter(|module| module.is_known()).or_else(|| usual_module(name))
    }

    fn without_value(&self, scope: &Scope<'a>, name: &str, span: Span, unknown: Unknown) -> Diagnostic {
        let function = &scope.function.name.text;
        let error = |message: String| self.cx.error(tk_diag::UNKNOWN_NAME, span, message, "");
        let error = match unknown {
            Unknown::Parameter => {
                let message = format!("`{name}` is a parameter of `{function}` and has no value here");
                match scope.param(name) {
                    Some(param) => error(message).at(&self.cx.file, param.name.span, "the parameter"),
                    None => error(message),
                }
            }
            Unknown::Changing => error(format!("`{name}` of `{function}` has no one value here"))
                .note("variables are known that are assigned once, outside of loops"),
            Unknown::Failed(why) => error(format!("`{name}` of `{function}` has no value here")).note(why.message),
        };
        error.help(format!("Give it a value with `--constexpr {name}=…`, or make it a global of the file."))
    }
}
