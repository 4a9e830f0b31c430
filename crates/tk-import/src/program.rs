//! Functions of a running program: a kernel with the functions, classes and constants that its names stand for.
//!
//! A program that embeds tk, such as a Python process, has the objects that names stand for, so nothing is looked for in files:
//! [`link_program`] begins at one function and asks a [`Program`] for each name that its text uses, and so on for every function and
//! class that it finds. Each becomes a part of one text, an excerpt of its file, with an environment of its own: two functions of the
//! same text, made by one function that was called twice, are two parts. Afterwards nothing refers to the program any more, so a
//! compilation needs no lock of it.

use crate::{MAX_BYTES, MAX_FILES};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tk_diag::{Diagnostic, SourceFile};
use tk_grammar::ast::{Expr, ExprKind, Module, Stmt, StmtKind};
use tk_grammar::environment::{Environment, Meaning, Object, Role};
use tk_grammar::imports::{Imports, Part};
use tk_types::ConstValue;

/// What knows the objects that names stand for.
pub trait Program {
    /// A handle to an object.
    type Object: Clone;

    /// What a name stands for in a function or class; nothing where it is not defined there.
    fn name(&mut self, owner: &Self::Object, name: &str) -> Option<Referent<Self::Object>>;

    /// What an attribute of an object stands for; nothing where it has none of that name.
    fn attribute(&mut self, object: &Self::Object, name: &str) -> Option<Referent<Self::Object>>;

    /// Whether two objects are equal.
    fn is_equal(&mut self, one: &Self::Object, other: &Self::Object) -> bool;
}

/// What a name stands for, as a program tells it.
#[derive(Clone, Debug)]
pub enum Referent<O> {
    /// A constant.
    Constant(ConstValue),
    /// A tuple or a list.
    Tuple(Vec<Referent<O>>),
    /// Something that tk knows, by its dotted path: see [`Meaning::Known`].
    Known(String),
    /// A function or a class that has a text.
    Text(Excerpt, O),
    /// Something with attributes, and what it is in words.
    Object(O, String),
    /// Nothing that a kernel can use, in words.
    Opaque(String),
    /// See [`Meaning::Refused`].
    Refused(String),
}

/// The text of one function or class.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// Two texts with one identity are the same function or class.
    pub identity: u64,
    /// The name of its file, as messages write it.
    pub file: String,
    /// The number (from 1) of its first line there.
    pub first_line: u32,
    /// Whole lines, as they are in the file, from `def`, `class` or a decorator to its end.
    pub text: String,
    /// What the program does with it; nothing for a class.
    pub role: Option<Role>,
    /// See [`Environment::path`].
    pub path: Option<String>,
    /// See [`Environment::must_use`].
    pub must_use: Option<String>,
}

/// What a launch passes to a kernel besides memory and constants that have a text.
#[derive(Clone, Debug)]
pub struct Passed<O> {
    /// Functions, which become parts.
    pub functions: Vec<(Excerpt, O)>,
    /// Objects with attributes.
    pub objects: Vec<PassedObject<O>>,
}

impl<O> Default for Passed<O> {
    fn default() -> Self {
        Self { functions: Vec::new(), objects: Vec::new() }
    }
}

/// An object that a launch passes.
#[derive(Clone, Debug)]
pub struct PassedObject<O> {
    /// Its name among those of the kernel's part, which no text has: [`ConstValue::Function`] of it is the object.
    pub name: String,
    /// The object.
    pub object: O,
    /// What it is, in words.
    pub description: String,
}

/// How deep attributes of attributes of a passed object are asked for.
const PASSED_DEPTH: usize = 3;

/// What a program says of a part besides its text.
struct Words {
    path: Option<String>,
    must_use: Option<String>,
}

/// A kernel with everything that it needs of its program.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The kernel's part.
    pub module: Module,
    /// The part of each function and class, by its identity.
    pub parts: FxHashMap<u64, usize>,
}

/// Links a kernel, with the functions and the objects that a launch passes to it.
///
/// # Errors
/// The text of the kernel cannot be read; the faults.
pub fn link_program<P: Program>(
    program: &mut P,
    kernel: (Excerpt, P::Object),
    passed: Passed<P::Object>,
) -> Result<Linked, Vec<Diagnostic>> {
    let (excerpt, owner) = kernel;
    let source = SourceFile::excerpt(&excerpt.file, &excerpt.text, excerpt.first_line);
    let body = read(&source, 0, excerpt.role)?;
    let identity = excerpt.identity;
    let words = vec![Words { path: excerpt.path, must_use: excerpt.must_use }];
    let (open, known, objects) = (Vec::new(), FxHashMap::default(), Vec::new());
    let mut linker = Linker { program, source, parts: Vec::new(), words, open, known, objects, bytes: 0 };
    linker.known.insert(identity, 0);
    linker.add_body(body, Vec::new(), owner);
    for (excerpt, owner) in passed.functions {
        linker.part_of(excerpt, owner);
    }
    linker.work();
    linker.add_objects(&passed.objects);
    let Linker { source, parts, known, .. } = linker;
    Ok(Linked { module: Module::linked(source, Imports::new(parts)), parts: known })
}

struct Linker<'p, P: Program> {
    program: &'p mut P,
    source: SourceFile,
    parts: Vec<Part>,
    /// Of each part.
    words: Vec<Words>,
    /// Parts whose names have not been asked for yet.
    open: Vec<(usize, P::Object)>,
    known: FxHashMap<u64, usize>,
    /// Objects with attributes, by their numbers. They are kept, so that none takes the place of another.
    objects: Vec<P::Object>,
    bytes: usize,
}

impl<P: Program> Linker<'_, P> {
    fn work(&mut self) {
        while let Some((part, owner)) = self.open.pop() {
            let uses = Uses::of(&self.parts[part].body);
            let mut names = BTreeMap::new();
            for (name, attributes) in &uses.0 {
                if let Some(found) = self.program.name(&owner, name) {
                    names.insert(name.clone(), self.meaning(found, attributes));
                }
            }
            let Words { path, must_use } = &self.words[part];
            let (path, must_use) = (path.clone(), must_use.clone());
            self.parts[part].environment = Some(Environment { names, path, must_use });
        }
    }

    /// Adds passed objects to the names of the kernel. Which functions get them is not known before they are checked, so they have every
    /// attribute that some text asks of something. An attribute may be a function, whose text asks for more.
    fn add_objects(&mut self, objects: &[PassedObject<P::Object>]) {
        if objects.is_empty() {
            return;
        }
        loop {
            let (count, mut asked) = (self.parts.len(), BTreeSet::new());
            for stmt in self.parts.iter().flat_map(|part| part.body.iter()) {
                stmt.each_expression(&mut |expr| add_attributes(expr, &mut asked));
            }
            let mut found = BTreeMap::new();
            for PassedObject { name, object, description } in objects {
                let whole = self.whole(object, description.clone(), &asked, PASSED_DEPTH);
                let mut own = whole.clone();
                // As for every constant of a kernel, `.value` is the object itself; its own is behind that.
                own.attributes.insert("value".into(), Meaning::Object(whole));
                found.insert(name.clone(), Meaning::Object(own));
            }
            if self.parts.len() == count || count >= MAX_FILES {
                let environment = self.parts[0].environment.get_or_insert_default();
                environment.names.extend(found);
                return;
            }
            self.work();
        }
    }

    /// An object with all attributes of these names.
    fn whole(&mut self, object: &P::Object, description: String, asked: &BTreeSet<String>, depth: usize) -> Object {
        let mut attributes = BTreeMap::new();
        for name in asked.iter().filter(|_| depth > 0) {
            let meaning = match self.program.attribute(object, name) {
                None => continue,
                Some(Referent::Object(inner, words)) => Meaning::Object(self.whole(&inner, words, asked, depth - 1)),
                Some(found) => self.meaning(found, &Uses::default()),
            };
            attributes.insert(name.clone(), meaning);
        }
        Object { number: self.number_of(object.clone()), description, attributes }
    }

    fn meaning(&mut self, found: Referent<P::Object>, attributes: &Uses) -> Meaning {
        match found {
            Referent::Constant(value) => Meaning::Constant(value),
            Referent::Tuple(items) => {
                Meaning::Tuple(items.into_iter().map(|item| self.meaning(item, &Uses::default())).collect())
            }
            Referent::Known(path) => Meaning::Known(path),
            Referent::Text(excerpt, owner) => Meaning::Part(self.part_of(excerpt, owner)),
            Referent::Object(object, description) => {
                let mut found = BTreeMap::new();
                for (name, inner) in &attributes.0 {
                    if let Some(attribute) = self.program.attribute(&object, name) {
                        found.insert(name.clone(), self.meaning(attribute, inner));
                    }
                }
                Meaning::Object(Object { number: self.number_of(object), description, attributes: found })
            }
            Referent::Opaque(description) => Meaning::Opaque(description),
            Referent::Refused(message) => Meaning::Refused(message),
        }
    }

    /// The number of the first object that is equal to this one.
    fn number_of(&mut self, object: P::Object) -> usize {
        let Self { objects, program, .. } = self;
        objects.iter().position(|known| program.is_equal(known, &object)).unwrap_or_else(|| {
            objects.push(object);
            objects.len() - 1
        })
    }

    /// The part of a function or class, whose text is read the first time.
    fn part_of(&mut self, excerpt: Excerpt, owner: P::Object) -> usize {
        if let Some(part) = self.known.get(&excerpt.identity) {
            return *part;
        }
        let part = self.parts.len();
        self.known.insert(excerpt.identity, part);
        self.bytes += excerpt.text.len();
        self.source = self.source.with_excerpt(&excerpt.file, &excerpt.text, excerpt.first_line);
        let is_one_too_many = part >= MAX_FILES || self.bytes > MAX_BYTES;
        let (body, faults) = match read(&self.source, part, excerpt.role) {
            _ if is_one_too_many => (Vec::new(), vec![self.too_many(part)]),
            Ok(body) => (body, Vec::new()),
            Err(faults) => (Vec::new(), faults),
        };
        self.words.push(Words { path: excerpt.path, must_use: excerpt.must_use });
        self.add_body(body, faults, owner);
        part
    }

    fn too_many(&self, part: usize) -> Diagnostic {
        let limit = format!("{MAX_FILES} functions and {} MiB of text", MAX_BYTES >> 20);
        let start = self.source.parts().nth(part).map(|part| part.span()).unwrap_or_default();
        Diagnostic::error(tk_diag::TOO_LARGE, format!("a kernel has {limit} at most, with all that it calls")).at(
            &self.source,
            start,
            "one too many",
        )
    }

    fn add_body(&mut self, body: Vec<Stmt>, faults: Vec<Diagnostic>, owner: P::Object) {
        self.open.push((self.parts.len(), owner));
        self.parts.push(Part { faults, environment: Some(Environment::default()), ..Part::of(Arc::from(body)) });
    }
}

/// Reads a part of a text, whose function has a role.
fn read(source: &SourceFile, part: usize, role: Option<Role>) -> Result<Vec<Stmt>, Vec<Diagnostic>> {
    let mut body = tk_grammar::parse_excerpt(source, part)?;
    if let Some(StmtKind::FunctionDef(function)) = body.first_mut().map(|stmt| &mut stmt.kind) {
        function.role = role;
    }
    Ok(body)
}

/// The names of all attributes in an expression.
fn add_attributes(expr: &Expr, names: &mut BTreeSet<String>) {
    if let ExprKind::Attribute { name, .. } = &expr.kind {
        names.insert(name.text.clone());
    }
    expr.each_child(&mut |child| add_attributes(child, names));
}

/// Names with the attributes that are asked of each, and so on.
#[derive(Debug, Default)]
struct Uses(BTreeMap<String, Uses>);

impl Uses {
    /// The names of a text. Variables of functions are among them, which does no harm: what a function assigns comes first.
    fn of(body: &[Stmt]) -> Self {
        let mut uses = Uses::default();
        body.iter().for_each(|stmt| stmt.each_expression(&mut |expr| uses.add(expr)));
        uses
    }

    fn add(&mut self, expr: &Expr) {
        let mut attributes: Vec<&str> = Vec::new();
        let mut at = expr;
        while let ExprKind::Attribute { value, name } = &at.kind {
            attributes.push(&name.text);
            at = value;
        }
        let ExprKind::Name(name) = &at.kind else { return at.each_child(&mut |child| self.add(child)) };
        let mut uses = self.0.entry(name.clone()).or_default();
        for attribute in attributes.into_iter().rev() {
            uses = uses.0.entry(attribute.to_string()).or_default();
        }
    }
}
