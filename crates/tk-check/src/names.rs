//! What names outside functions are bound to, as far as the text says it: nothing is evaluated here.

use crate::value::ModuleKind;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_grammar::ast::{ClassDef, Expr, ExprKind, FunctionDef, ImportAlias, Stmt};
use tk_grammar::bindings::{Binding, Bound, Condition, each_binding};
use tk_grammar::imports::{Imports, Link};

/// What a module-level name is, before it is evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Global<'a> {
    Function(&'a FunctionDef),
    Class(&'a ClassDef),
    Module(ModuleKind),
    /// `from module import name` of a module of the language.
    Member(ModuleKind, &'a str),
    /// `from module import name` of a file: the number of its part.
    Imported(usize, &'a ImportAlias),
    /// `from module import name` of a module that is not there.
    Absent(&'a str, &'a ImportAlias),
    /// Assigned; the whole value, and which part of it after unpacking.
    Assigned(&'a Expr, Option<usize>),
}

/// One definition of a name, and the `if` it stands under: the test, and the truth that the definition needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definition<'a> {
    pub(crate) global: Global<'a>,
    pub(crate) condition: Option<Condition<'a>>,
}

/// The module-level names of a file.
#[derive(Debug, Default)]
pub(crate) struct Globals<'a> {
    /// The definitions of each name, the one to prefer first.
    pub(crate) names: FxHashMap<&'a str, Vec<Definition<'a>>>,
    /// Star imports in order, each with its place among the bindings: one behind a definition takes the name over. Those that may
    /// not run have the place 0.
    pub(crate) stars: Vec<(usize, ModuleKind)>,
    /// The place of the last binding of each name.
    places: FxHashMap<&'a str, usize>,
    /// The names of `__all__`, which star imports of the file give; without it, those that begin with no `_`.
    exported: Option<FxHashSet<&'a str>>,
    /// How many bindings there are.
    count: usize,
}

impl<'a> Globals<'a> {
    pub(crate) fn of(body: &'a [Stmt], imports: &'a Imports) -> Self {
        let mut globals = Globals::default();
        each_binding(body, &mut |binding| globals.bind(binding, imports));
        globals
    }

    fn bind(&mut self, binding: Binding<'a>, imports: &Imports) {
        self.count += 1;
        let place = self.count;
        if let Bound::Star(module, alias) = binding.bound {
            let kind = match (ModuleKind::of_path(module), imports.link(alias)) {
                (ModuleKind::Foreign, Some(Link::Module(part) | Link::Member(part))) => ModuleKind::File(*part),
                (kind, _) => kind,
            };
            let is_certain = binding.wins && binding.condition.is_none();
            self.stars.push((if is_certain { place } else { 0 }, kind));
        }
        let Some(global) = bound(&binding, imports) else { return };
        if let (Global::Assigned(value, None), "__all__") = (global, binding.name) {
            self.exported = strings(value);
        }
        if binding.wins {
            self.places.insert(binding.name, place);
        }
        let definition = Definition { global, condition: binding.condition };
        let known = self.names.entry(binding.name).or_default();
        if binding.wins && definition.condition.is_none() {
            known.clear();
        }
        known.insert(if binding.wins { 0 } else { known.len() }, definition);
    }

    /// The modules whose names come before what the file itself calls by a name, and whether it has the name; the last first.
    pub(crate) fn stars_before(&self, name: &str) -> (impl DoubleEndedIterator<Item = ModuleKind>, bool) {
        let is_own = self.names.contains_key(name);
        let place = if is_own { self.places.get(name).copied().unwrap_or(0) } else { 0 };
        let stars = self.stars.iter().rev().filter(move |(at, _)| !is_own || *at > place);
        (stars.map(|(_, kind)| *kind), is_own)
    }

    /// Whether a star import of the file gives a name.
    pub(crate) fn exports(&self, name: &str) -> bool {
        self.exported.as_ref().map_or_else(|| !name.starts_with('_'), |names| names.contains(name))
    }

    /// A jit or host function that the file defines.
    pub(crate) fn function(&self, name: &str) -> Option<&'a FunctionDef> {
        self.names.get(name)?.iter().find_map(|definition| match definition.global {
            Global::Function(function) => Some(function),
            _ => None,
        })
    }
}

/// What a binding gives its name; nothing for a star import, which has no name of its own.
pub(crate) fn bound<'a>(binding: &Binding<'a>, imports: &Imports) -> Option<Global<'a>> {
    Some(match binding.bound {
        Bound::Function(function) => Global::Function(function),
        Bound::Class(class) => Global::Class(class),
        Bound::Value(value, part) => Global::Assigned(value, part),
        Bound::Module(alias) => Global::Module(imported_module(binding.name, alias, imports)),
        Bound::Member(module, alias) => imported_member(module, alias, imports),
        Bound::Star(..) => return None,
    })
}

/// The strings of a list or tuple; nothing where it has something else.
fn strings(value: &Expr) -> Option<FxHashSet<&str>> {
    let (ExprKind::List(items) | ExprKind::Tuple(items)) = &value.kind else { return None };
    let text = |item| match item {
        &Expr { kind: ExprKind::Str(ref text), .. } => Some(text.as_str()),
        _ => None,
    };
    items.iter().map(text).collect()
}

fn imported_module(name: &str, alias: &ImportAlias, imports: &Imports) -> ModuleKind {
    let path = if alias.alias.is_some() { alias.name.as_str() } else { name };
    match (ModuleKind::of_path(path), imports.link(alias)) {
        (ModuleKind::Foreign, Some(Link::Module(part) | Link::Member(part))) => ModuleKind::File(*part),
        (ModuleKind::Foreign, _) => ModuleKind::Absent(alias.span),
        (known, _) => known,
    }
}

fn imported_member<'a>(module: &'a str, alias: &'a ImportAlias, imports: &Imports) -> Global<'a> {
    match ModuleKind::of_path(&format!("{module}.{}", alias.name)) {
        ModuleKind::Foreign => {}
        known => return Global::Module(known),
    }
    match (ModuleKind::of_path(module), imports.link(alias)) {
        (ModuleKind::Foreign, Some(Link::Module(part))) => Global::Module(ModuleKind::File(*part)),
        (ModuleKind::Foreign, Some(Link::Member(part))) => Global::Imported(*part, alias),
        (ModuleKind::Foreign, _) => Global::Absent(module, alias),
        (known, _) => Global::Member(known, &alias.name),
    }
}
