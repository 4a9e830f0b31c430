//! What the names at the top of one file need: the names that their definitions use, and their imports.

use rustc_hash::FxHashMap;
use std::rc::Rc;
use tk_grammar::ast::{Expr, ExprKind, FunctionDef, ImportAlias, Stmt, StmtKind};
use tk_grammar::bindings::{Bound, each_binding};

/// A name with the attributes that are asked of it: `a.b.c`.
pub(crate) type Chain = Rc<[Rc<str>]>;

/// One import of one name.
#[derive(Debug)]
pub(crate) struct Import {
    /// The module of `from module import name`, with its leading dots.
    pub(crate) module: Option<String>,
    pub(crate) alias: ImportAlias,
}

/// One way in which a name gets its meaning.
#[derive(Clone, Debug)]
pub(crate) enum Definition {
    /// A function, a class or a value, which use these.
    Uses(Rc<[Chain]>),
    Import(Rc<Import>),
}

/// The module-level names of one file.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) definitions: FxHashMap<Rc<str>, Vec<Definition>>,
    pub(crate) stars: Vec<Rc<Import>>,
    /// What the jit functions use.
    pub(crate) by_kernels: Vec<Chain>,
}

impl Names {
    pub(crate) fn of(body: &[Stmt]) -> Self {
        let mut names = Names::default();
        let import = |module: Option<&str>, alias: &ImportAlias| {
            Rc::new(Import { module: module.map(str::to_string), alias: alias.clone() })
        };
        // Uses are gathered when all names are known, since others need not be kept.
        each_binding(body, &mut |binding| match binding.bound {
            Bound::Star(module, alias) => names.stars.push(import(Some(module), alias)),
            bound => {
                let known = names.definitions.entry(Rc::from(binding.name)).or_default();
                match bound {
                    Bound::Module(alias) => known.push(Definition::Import(import(None, alias))),
                    Bound::Member(module, alias) => known.push(Definition::Import(import(Some(module), alias))),
                    _ => {}
                }
            }
        });
        // What functions of the host import is theirs alone, but looking for it under its name does no harm.
        each_inner_import(body, &mut |module, alias| {
            let first = alias.name.split('.').next().unwrap_or(&alias.name);
            let bound = if module.is_some() { alias.name.as_str() } else { first };
            let name = alias.alias.as_ref().map_or(bound, |name| name.text.as_str());
            if name != "*" {
                let known = names.definitions.entry(Rc::from(name)).or_default();
                known.push(Definition::Import(import(module, alias)));
            }
        });
        let mut found: Vec<(&str, Definition)> = Vec::new();
        each_binding(body, &mut |binding| {
            let mut uses = Vec::new();
            match binding.bound {
                Bound::Function(function) => {
                    function.each_expression(&mut |expr| names.add_uses(expr, &mut uses));
                    if function.is_jit() {
                        names.by_kernels.extend(uses.iter().cloned());
                    }
                }
                Bound::Class(class) => {
                    class.decorators.iter().chain(&class.bases).for_each(|expr| names.add_uses(expr, &mut uses));
                    let mut add = |stmt: &Stmt| stmt.each_expression(&mut |expr| names.add_uses(expr, &mut uses));
                    class.body.iter().for_each(&mut add);
                }
                Bound::Value(value, _) => names.add_uses(value, &mut uses),
                Bound::Module(_) | Bound::Member(..) | Bound::Star(..) => return,
            }
            let inside: &[Stmt] = match binding.bound {
                Bound::Function(function) if !function.is_jit() => &function.body,
                Bound::Class(class) => &class.body,
                _ => &[],
            };
            let mut of_kernels = Vec::new();
            each_kernel(inside, &mut |kernel| {
                kernel.each_expression(&mut |expr| names.add_uses(expr, &mut of_kernels));
            });
            names.by_kernels.extend(of_kernels);
            if let Some(condition) = binding.condition {
                names.add_uses(condition.test, &mut uses);
            }
            found.push((binding.name, Definition::Uses(uses.into())));
        });
        for (name, definition) in found {
            names.definitions.entry(Rc::from(name)).or_default().push(definition);
        }
        names
    }

    /// What everything in the file uses, its own statements and functions.
    pub(crate) fn by_all(&self, body: &[Stmt]) -> Vec<Chain> {
        let mut uses = Vec::new();
        body.iter().for_each(|stmt| stmt.each_expression(&mut |expr| self.add_uses(expr, &mut uses)));
        uses
    }

    /// Adds the module-level names in an expression, each with its attributes. Variables of functions that have such a name are
    /// added, too, which does no harm.
    fn add_uses(&self, expr: &Expr, uses: &mut Vec<Chain>) {
        let mut attributes: Vec<&str> = Vec::new();
        let mut at = expr;
        while let ExprKind::Attribute { value, name } = &at.kind {
            attributes.push(&name.text);
            at = value;
        }
        let ExprKind::Name(name) = &at.kind else {
            return at.each_child(&mut |child| self.add_uses(child, uses));
        };
        if self.definitions.contains_key(name.as_str()) || !self.stars.is_empty() {
            attributes.push(name);
            uses.push(attributes.into_iter().rev().map(Rc::from).collect());
        }
    }
}

/// Visits the jit functions in these statements, at any depth.
fn each_kernel<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(&'a FunctionDef)) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::FunctionDef(function) if function.is_jit() => visit(function),
            StmtKind::FunctionDef(function) => each_kernel(&function.body, visit),
            StmtKind::ClassDef(class) => each_kernel(&class.body, visit),
            kind => kind.blocks().into_iter().for_each(|block| each_kernel(block, visit)),
        }
    }
}

/// Visits the imports inside of functions that are no kernels: the module of `from module import name`, and the name.
fn each_inner_import<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(Option<&'a str>, &'a ImportAlias)) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::FunctionDef(function) if function.is_jit() => {}
            StmtKind::FunctionDef(function) => {
                each_import(&function.body, visit);
                each_inner_import(&function.body, visit);
            }
            StmtKind::ClassDef(class) => each_inner_import(&class.body, visit),
            kind => kind.blocks().into_iter().for_each(|block| each_inner_import(block, visit)),
        }
    }
}

/// Visits the imports among the statements of one function.
fn each_import<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(Option<&'a str>, &'a ImportAlias)) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Import(names) => names.iter().for_each(|alias| visit(None, alias)),
            StmtKind::ImportFrom { module, names } => names.iter().for_each(|alias| visit(Some(module), alias)),
            kind => kind.blocks().into_iter().for_each(|block| each_import(block, visit)),
        }
    }
}
