//! What a name at a place means, from the tree of the text as it is now and from the files that the last checked version imports.

use crate::analysis::Analysis;
use crate::cursor::Chain;
use crate::shift::Shift;
use crate::text::Text;
use crate::tree::{self, Binder, Name};
use tk_check::{Function, Library, Member, functions, members_of_tensors, values_of_language};
use tk_diag::Span;
use tk_grammar::ast::{FunctionDef, ImportAlias, Module, Stmt, StmtKind};
use tk_grammar::bindings::{Bound, each_binding};
use tk_grammar::imports::Link;

/// Files that are followed from one to the next.
const MAX_FILES: usize = 32;

/// A file as it is now, and what is known of an earlier version.
#[derive(Clone, Copy)]
pub(crate) struct View<'d> {
    pub(crate) text: &'d Text,
    /// What can be read of it.
    pub(crate) tree: &'d Module,
    /// The last version that could be read whole.
    pub(crate) known: Option<Known<'d>>,
}

/// An earlier version of a text.
#[derive(Clone, Copy)]
pub(crate) struct Known<'d> {
    pub(crate) analysis: &'d Analysis,
    /// How it became the text of now.
    pub(crate) shift: Shift,
}

/// What a name means.
pub(crate) enum Target<'d> {
    /// A module of the language.
    Library(Library),
    /// A function of the language.
    Function(Library, Function),
    /// A type or a class of the language.
    Value(Member),
    /// A method of tensors.
    Method(Function),
    /// What else a tensor has.
    TensorMember(Member),
    /// Something of this file.
    Here(Name<'d>),
    /// Something of a file that is imported.
    Elsewhere(Elsewhere<'d>),
}

/// A definition in a file that was read for its imports.
pub(crate) struct Elsewhere<'d> {
    pub(crate) module: &'d Module,
    /// A place of the linked text.
    pub(crate) span: Span,
    pub(crate) function: Option<&'d FunctionDef>,
}

impl<'d> View<'d> {
    /// The function that a place is in.
    pub(crate) fn function_at(&self, offset: usize) -> Option<&'d FunctionDef> {
        tree::function_at(self.tree, self.text, offset)
    }

    /// The jit function that a place is in.
    pub(crate) fn kernel_at(&self, offset: usize) -> Option<&'d FunctionDef> {
        self.function_at(offset).filter(|function| function.is_jit())
    }

    /// What a chain of names means in a function, or outside of functions.
    pub(crate) fn resolve(&self, chain: &Chain<'_>, function: Option<&'d FunctionDef>) -> Option<Target<'d>> {
        let last = chain.last();
        if chain.has_receiver {
            return member_of_tensor(last);
        }
        let head = chain.names.first()?;
        let local = function.and_then(|one| tree::binding(&tree::locals(one), head, chain.start));
        if let Some(local) = local {
            return if chain.is_plain() { Some(Target::Here(local)) } else { member_of_tensor(last) };
        }
        if chain.is_plain() {
            return self.global(last, chain.start);
        }
        if let Some(library) = self.library(chain.qualifier()) {
            return member_of_library(library, last);
        }
        let known = self.known?;
        let module = known.analysis.module.as_ref()?;
        let mut part = 0;
        for name in chain.qualifier() {
            part = module_in(module, part, name)?;
        }
        find(module, part, last).map(Target::Elsewhere)
    }

    /// What a name means outside of functions.
    fn global(&self, name: &str, offset: u32) -> Option<Target<'d>> {
        let globals = tree::globals(&self.tree.body);
        let here = tree::binding(&globals, name, offset);
        if let Some(here) = here {
            let Binder::Import(_) = here.binder else { return Some(Target::Here(here)) };
            if let Some(target) = self.imported(name) {
                return Some(target);
            }
            let known = self.known.and_then(|known| known.analysis.module.as_ref());
            let elsewhere = known.and_then(|module| find(module, 0, name)).filter(|found| found.is_imported());
            return Some(elsewhere.map_or(Target::Here(here), Target::Elsewhere));
        }
        if let Some(library) = self.library(&[name]) {
            return Some(Target::Library(library));
        }
        let known = self.known.and_then(|known| known.analysis.module.as_ref());
        let elsewhere = known.and_then(|module| find(module, 0, name)).filter(|found| found.is_imported());
        if let Some(elsewhere) = elsewhere {
            return Some(Target::Elsewhere(elsewhere));
        }
        function(Library::Python, name).map(|function| Target::Function(Library::Python, function))
    }

    /// What an import of the language binds a name to.
    fn imported(&self, name: &str) -> Option<Target<'d>> {
        if let Some(library) = self.library(&[name]) {
            return Some(Target::Library(library));
        }
        let mut found = None;
        each_binding(&self.tree.body, &mut |binding| {
            if let (true, Bound::Member(module, ImportAlias { name, .. })) = (binding.name == name, binding.bound)
                && let Some(library) = Library::of_path(module)
            {
                found = member_of_library(library, name);
            }
        });
        found
    }

    /// The library that a dotted name is: `tl`, `tl.math`.
    pub(crate) fn library(&self, names: &[&str]) -> Option<Library> {
        let (head, rest) = names.split_first()?;
        let mut bound = None;
        each_binding(&self.tree.body, &mut |binding| {
            if binding.name == *head && (binding.wins || bound.is_none()) {
                bound = Some(match binding.bound {
                    Bound::Module(alias) => Library::of_path(if alias.alias.is_some() { &alias.name } else { head }),
                    Bound::Member(module, alias) => Library::of_path(&format!("{module}.{}", alias.name)),
                    Bound::Function(_) | Bound::Class(_) | Bound::Value(..) | Bound::Star(..) => None,
                });
            }
        });
        let first = bound.unwrap_or(match *head {
            "tl" => Some(Library::Language),
            "triton" => Some(Library::Triton),
            "libdevice" => Some(Library::Libdevice),
            _ => None,
        });
        rest.iter().try_fold(first?, |library, name| library.member(name))
    }

    /// What a file that the chain names has: the names of an imported module.
    pub(crate) fn names_of_module(&self, chain: &[&str]) -> Vec<Name<'d>> {
        let Some(module) = self.known.and_then(|known| known.analysis.module.as_ref()) else { return Vec::new() };
        let part = chain.iter().try_fold(0, |part, name| module_in(module, part, name));
        let body = part.filter(|part| *part > 0).and_then(|part| module.imports.parts.get(part)).map(|part| &part.body);
        body.map(|body| tree::globals(body)).unwrap_or_default()
    }

    /// The facts of the checked version at a place of now.
    pub(crate) fn old_span(&self, span: Span) -> Option<Span> {
        self.known.and_then(|known| known.shift.to_old(span))
    }
}

impl Elsewhere<'_> {
    fn is_imported(&self) -> bool {
        self.module.file.part_index(self.span.start) > 0
    }
}

/// The function of a library with this name.
pub(crate) fn function(library: Library, name: &str) -> Option<Function> {
    functions(library).into_iter().find(|function| function.name == name)
}

fn member_of_library<'d>(library: Library, name: &str) -> Option<Target<'d>> {
    if let Some(found) = function(library, name) {
        return Some(Target::Function(library, found));
    }
    if let Some(inner) = library.member(name) {
        return Some(Target::Library(inner));
    }
    let has_values = matches!(library, Library::Language | Library::Math);
    values_of_language().into_iter().find(|member| has_values && member.name == name).map(Target::Value)
}

fn member_of_tensor<'d>(name: &str) -> Option<Target<'d>> {
    let method = function(Library::Language, name).filter(|function| function.is_method).map(Target::Method);
    method.or_else(|| members_of_tensors().into_iter().find(|one| one.name == name).map(Target::TensorMember))
}

/// Where the import of a name in a part leads.
fn link<'m>(module: &'m Module, part: usize, name: &str) -> Option<&'m Link> {
    let mut found = None;
    each_binding(&module.imports.parts.get(part)?.body, &mut |binding| {
        if let (true, Bound::Module(alias) | Bound::Member(_, alias)) = (binding.name == name, binding.bound) {
            found = module.imports.link(alias).or(found);
        }
    });
    found
}

/// The part that a name of a part stands for, where it is a module.
fn module_in(module: &Module, part: usize, name: &str) -> Option<usize> {
    if let Some(inner) = module.imports.parts.get(part)?.submodules.get(name) {
        return Some(*inner);
    }
    match link(module, part, name)? {
        Link::Module(part) => Some(*part),
        Link::Member(_) | Link::Missing(_) => None,
    }
}

/// Where a part, or what it imports, defines a name.
fn find<'m>(module: &'m Module, part: usize, name: &str) -> Option<Elsewhere<'m>> {
    let (mut part, mut name) = (part, name.to_string());
    for _ in 0..MAX_FILES {
        let body = &module.imports.parts.get(part)?.body;
        let names = tree::globals(body);
        match names.iter().rfind(|one| one.text == name) {
            Some(Name { binder: Binder::Import(alias), .. }) => match link(module, part, &name)? {
                Link::Module(leads) => return Some(whole_file(module, *leads)),
                Link::Member(leads) => (part, name) = (*leads, alias.name.clone()),
                Link::Missing(_) => return None,
            },
            Some(found) => {
                let function = match found.binder {
                    Binder::Function(function) => Some(function),
                    Binder::Parameter | Binder::Variable | Binder::Class(_) | Binder::Import(_) => None,
                };
                return Some(Elsewhere { module, span: found.span, function });
            }
            None => part = star_of(module, body, &name)?,
        }
    }
    None
}

fn whole_file(module: &Module, part: usize) -> Elsewhere<'_> {
    let start = module.file.parts().nth(part).map(|part| part.span().start).unwrap_or_default();
    Elsewhere { module, span: Span { start, end: start }, function: None }
}

/// The part of a star import that has a name.
fn star_of(module: &Module, body: &[Stmt], name: &str) -> Option<usize> {
    let stars = body.iter().rev().filter_map(|stmt| match &stmt.kind {
        StmtKind::ImportFrom { names, .. } => names.iter().find(|alias| alias.name == "*"),
        _ => None,
    });
    let parts = stars.filter_map(|alias| match module.imports.link(alias) {
        Some(Link::Module(part) | Link::Member(part)) => Some(*part),
        Some(Link::Missing(_)) | None => None,
    });
    let has_it = |part: &usize| {
        let body = module.imports.parts.get(*part).map(|part| &part.body);
        body.is_some_and(|body| tree::globals(body).iter().any(|one| one.text == name))
    };
    parts.into_iter().find(has_it)
}
