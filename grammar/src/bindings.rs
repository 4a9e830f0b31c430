//! What the names at the top of a file are bound to, before anything is evaluated: the one walk over `def`, `class`, `=`,
//! `import`, and the bodies of `if` and `try`, that everything which looks for names outside functions goes by.

use crate::ast::{ClassDef, Expr, ExprKind, FunctionDef, ImportAlias, Stmt, StmtKind};

/// What binds a name.
#[derive(Clone, Copy, Debug)]
pub enum Bound<'a> {
    /// `def`.
    Function(&'a FunctionDef),
    /// `class`.
    Class(&'a ClassDef),
    /// `=`: the whole value, and which part of it where the target is a tuple.
    Value(&'a Expr, Option<usize>),
    /// `import a.b as c`; without `as` the name is `a`.
    Module(&'a ImportAlias),
    /// `from module import name`; `module` keeps its leading dots.
    Member(&'a str, &'a ImportAlias),
    /// `from module import *`, which binds no name of its own.
    Star(&'a str, &'a ImportAlias),
}

/// What must hold for a statement under an `if` to run.
#[derive(Clone, Copy, Debug)]
pub struct Condition<'a> {
    /// The test of the `if`.
    pub test: &'a Expr,
    /// The truth that the test must have: false for what stands under `else`.
    pub holds: bool,
}

/// One way in which a name gets its meaning.
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    /// The name; `*` for a star import.
    pub name: &'a str,
    /// What binds it.
    pub bound: Bound<'a>,
    /// The innermost `if` that it stands under.
    pub condition: Option<Condition<'a>>,
    /// Whether it takes the place of earlier ones; those on a fallback path (`except`) only fill gaps.
    pub wins: bool,
}

/// Visits the bindings of statements in the order in which they win: of two that win, the later one is preferred.
pub fn each_binding<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(Binding<'a>)) {
    Walk { visit, condition: None }.list(body, true);
}

struct Walk<'a, 'v> {
    visit: &'v mut dyn FnMut(Binding<'a>),
    condition: Option<Condition<'a>>,
}

impl<'a> Walk<'a, '_> {
    fn list(&mut self, body: &'a [Stmt], wins: bool) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::FunctionDef(function) => self.bind(&function.name.text, Bound::Function(function), wins),
                StmtKind::ClassDef(class) => self.bind(&class.name.text, Bound::Class(class), wins),
                StmtKind::Assign { targets, value } => {
                    targets.iter().for_each(|target| self.assign(target, value, wins))
                }
                StmtKind::AnnAssign { target, value: Some(value), .. } => self.assign(target, value, wins),
                StmtKind::Import(names) => names.iter().for_each(|alias| self.import(alias, wins)),
                StmtKind::ImportFrom { module, names } => {
                    names.iter().for_each(|alias| self.import_from(module, alias, wins));
                }
                StmtKind::If { test, body, orelse } => {
                    let outer = self.condition.replace(Condition { test, holds: false });
                    self.list(orelse, wins);
                    self.condition = Some(Condition { test, holds: true });
                    self.list(body, wins);
                    self.condition = outer;
                }
                StmtKind::Try { body, handlers, orelse, finally } => {
                    self.list(body, wins);
                    handlers.iter().for_each(|handler| self.list(&handler.body, false));
                    self.list(orelse, wins);
                    self.list(finally, wins);
                }
                StmtKind::Unsupported(_)
                | StmtKind::Return(_)
                | StmtKind::AugAssign { .. }
                | StmtKind::AnnAssign { value: None, .. }
                | StmtKind::For { .. }
                | StmtKind::While { .. }
                | StmtKind::With { .. }
                | StmtKind::Assert { .. }
                | StmtKind::Raise(_)
                | StmtKind::Global(_)
                | StmtKind::Nonlocal(_)
                | StmtKind::Delete(_)
                | StmtKind::Expr(_)
                | StmtKind::Pass
                | StmtKind::Break
                | StmtKind::Continue => {}
            }
        }
    }

    fn bind(&mut self, name: &'a str, bound: Bound<'a>, wins: bool) {
        (self.visit)(Binding { name, bound, condition: self.condition, wins });
    }

    fn assign(&mut self, target: &'a Expr, value: &'a Expr, wins: bool) {
        match &target.kind {
            ExprKind::Name(name) => self.bind(name, Bound::Value(value, None), wins),
            ExprKind::Tuple(items) => {
                for (i, item) in items.iter().enumerate() {
                    if let ExprKind::Name(name) = &item.kind {
                        self.bind(name, Bound::Value(value, Some(i)), wins);
                    }
                }
            }
            _ => {}
        }
    }

    fn import(&mut self, alias: &'a ImportAlias, wins: bool) {
        let first = alias.name.split('.').next().unwrap_or(&alias.name);
        let name = alias.alias.as_ref().map_or(first, |name| name.text.as_str());
        self.bind(name, Bound::Module(alias), wins);
    }

    fn import_from(&mut self, module: &'a str, alias: &'a ImportAlias, wins: bool) {
        let bound = if alias.name == "*" { Bound::Star(module, alias) } else { Bound::Member(module, alias) };
        let name = alias.alias.as_ref().map_or(alias.name.as_str(), |name| name.text.as_str());
        self.bind(name, bound, wins);
    }
}
