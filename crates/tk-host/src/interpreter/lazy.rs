//! The top-level code of imported files and of classes: what a launch does not need fails when it is used, not before.
//!
//! A file that is imported for one kernel often does more: it asks for packages, tests itself, registers functions. A statement that
//! fails leaves its error in the names that it would have bound, and who asks for one of them gets the error. An assignment
//! of what a function of the program gives waits until a name of it is asked for, where nothing can tell the difference: all
//! names that it uses are bound once.

use super::Interpreter;
use crate::exception::Result;
use crate::value::{Lazy, Scope, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tk_diag::{TYPE_MISMATCH, UNKNOWN_NAME, UNSUPPORTED};
use tk_grammar::ast::{Expr, ExprKind, Module, Stmt, StmtKind};
use tk_grammar::bindings::{Bound, each_binding};

/// What the top level of a file binds a name to, as far as waiting goes.
#[derive(Clone, Copy, Default)]
struct Binder {
    times: usize,
    is_function: bool,
}

impl<'a> Interpreter<'a, '_> {
    /// Runs the statements of an imported file.
    pub(super) fn run_imported(&mut self, module: &'a Module, scope: &Rc<Scope<'a>>) -> Result<()> {
        let mut binders: FxHashMap<&str, Binder> = FxHashMap::default();
        each_binding(&module.body, &mut |binding| {
            let binder = binders.entry(binding.name).or_default();
            binder.times += 1;
            binder.is_function |= matches!(binding.bound, Bound::Function(_) | Bound::Member(..));
        });
        for stmt in module.body.iter() {
            let names = waiting(stmt, &binders);
            if names.is_empty() {
                self.run_deferred(stmt, scope)?;
            }
            let mut lazy = scope.lazy.borrow_mut();
            names.into_iter().for_each(|name| _ = lazy.insert(name, Lazy::Pending(stmt)));
        }
        Ok(())
    }

    /// Runs a statement; where it fails, the names that it binds have the error.
    pub(super) fn run_deferred(&mut self, stmt: &'a Stmt, scope: &Rc<Scope<'a>>) -> Result<()> {
        let depth = self.depth;
        let Err(exception) = self.run_block(std::slice::from_ref(stmt), scope) else { return Ok(()) };
        self.depth = depth;
        let mut names = Vec::new();
        each_binding(std::slice::from_ref(stmt), &mut |binding| names.push(binding.name));
        // What binds nothing is not needed where it asks for what is not here; an assertion that fails is.
        let asks = matches!(exception.code, UNSUPPORTED | UNKNOWN_NAME | TYPE_MISMATCH);
        let binds_nothing = matches!(stmt.kind, StmtKind::Expr(_) | StmtKind::Assert { .. } | StmtKind::Raise(_));
        if !exception.catchable || (binds_nothing && !asks) {
            return Err(exception);
        }
        let known = scope.names.borrow();
        let mut lazy = scope.lazy.borrow_mut();
        for name in names.into_iter().filter(|name| !known.contains_key(name)) {
            lazy.insert(name, Lazy::Failed(exception.clone()));
        }
        Ok(())
    }

    /// The value of a name that waits in a scope or one around it; nothing where none waits.
    pub(super) fn forced(&mut self, name: &str, scope: &Rc<Scope<'a>>) -> Result<Option<Value<'a>>> {
        let mut at = scope;
        loop {
            if at.lazy.borrow().contains_key(name) {
                break;
            }
            match &at.outer {
                Some(outer) => at = outer,
                None => return Ok(None),
            }
        }
        let home = at.clone();
        let lazy = home.lazy.borrow_mut().remove_entry(name);
        let Some((name, lazy)) = lazy else { return Ok(None) };
        let failed = match lazy {
            Lazy::Failed(exception) => exception,
            Lazy::Pending(stmt) => match self.run_block(std::slice::from_ref(stmt), &home) {
                Ok(_) => return Ok(home.names.borrow().get(name).cloned()),
                Err(exception) => exception,
            },
        };
        home.lazy.borrow_mut().insert(name, Lazy::Failed(failed.clone()));
        let file = self.module_at(failed.span.map_or(0, |span| span.start)).file.clone();
        let place = failed.span.map_or_else(String::new, |span| format!(" at {}", file.place(span.start)));
        Err(failed.note(format!("`{name}` has no value, since the statement{place} failed when its file was imported")))
    }
}

/// The names that a statement binds when one of them is asked for; none where it has to run in its turn.
fn waiting<'a>(stmt: &'a Stmt, binders: &FxHashMap<&str, Binder>) -> Vec<&'a str> {
    let StmtKind::Assign { targets, value } = &stmt.kind else { return Vec::new() };
    let binder = |name: &str| binders.get(name).copied().unwrap_or_default();
    let mut names = Vec::new();
    let is_plain = targets.iter().all(|target| names_of(target, &mut names));
    let is_once = |name: &&str| binder(name).times <= 1;
    let mut uses = Vec::new();
    used(value, &mut uses);
    match is_plain && calls_one(value, &binder) && names.iter().chain(&uses).all(is_once) {
        true => names,
        false => Vec::new(),
    }
}

/// Adds the names of a target; false where it has parts that are none.
fn names_of<'a>(target: &'a Expr, names: &mut Vec<&'a str>) -> bool {
    match &target.kind {
        ExprKind::Name(name) => {
            names.push(name);
            true
        }
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().all(|item| names_of(item, names)),
        _ => false,
    }
}

/// Whether a function of the program is called in an expression.
fn calls_one(expr: &Expr, binder: &dyn Fn(&str) -> Binder) -> bool {
    let is_one = match &expr.kind {
        ExprKind::Call { func, .. } => matches!(&func.kind, ExprKind::Name(name) if binder(name).is_function),
        ExprKind::Lambda { .. } => return false,
        _ => false,
    };
    let mut found = is_one;
    expr.each_child(&mut |child| found |= calls_one(child, binder));
    found
}

fn used<'a>(expr: &'a Expr, names: &mut Vec<&'a str>) {
    if let ExprKind::Name(name) = &expr.kind {
        names.push(name);
    }
    expr.each_child(&mut |child| used(child, names));
}
