//! The files that a file imports, as [`crate::ast::Module`] carries them: their statements, and where each import leads.
//!
//! Reading them is `tk-import`'s; here is only what the readers of the tree have to know.

use crate::ast::{ImportAlias, Stmt};
use crate::environment::Environment;
use std::collections::HashMap;
use std::sync::Arc;
use tk_diag::{Diagnostic, Span};

/// Files that belong together, in the order of their parts of the text.
#[derive(Debug)]
pub struct Imports {
    /// The files; the first is the one that was given.
    pub parts: Vec<Part>,
    /// Where an import leads, by the place of its [`ImportAlias`].
    links: HashMap<u32, Link>,
}

/// One file, or a folder that only holds files.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its statements; none where it could not be read.
    pub body: Arc<[Stmt]>,
    /// What is wrong with its text.
    pub faults: Vec<Diagnostic>,
    /// The modules in it that an import names: `b` of `import a.b`.
    pub submodules: HashMap<String, usize>,
    /// What a running program says that names mean in it; nothing for a file that stands for itself.
    pub environment: Option<Environment>,
}

impl Part {
    /// A file that was read.
    pub fn of(body: Arc<[Stmt]>) -> Self {
        Self { body, faults: Vec::new(), submodules: HashMap::new(), environment: None }
    }
}

/// What the name of an import statement is.
#[derive(Clone, Debug)]
pub enum Link {
    /// The module of a part.
    Module(usize),
    /// What a part calls by the name in the statement; all its names for a star.
    Member(usize),
    /// Nothing that was found.
    Missing(Missing),
}

/// An import that leads nowhere.
#[derive(Clone, Debug, Default)]
pub struct Missing {
    /// The files that were looked for.
    pub looked: Vec<String>,
    /// Why no file was taken, where there was more to it than that none was there.
    pub reason: Option<String>,
    /// A module that is there and has a name like the one that was asked for.
    pub near: Option<String>,
}

impl Imports {
    /// Files whose imports lead nowhere yet.
    pub fn new(parts: Vec<Part>) -> Self {
        Self { parts, links: HashMap::new() }
    }

    /// Says where an import leads.
    pub fn set_link(&mut self, alias: &ImportAlias, link: Link) {
        self.links.insert(alias.span.start, link);
    }

    /// Where an import leads; nothing for one that nobody has asked for.
    pub fn link(&self, alias: &ImportAlias) -> Option<&Link> {
        self.link_at(alias.span)
    }

    /// Where the import at a place leads.
    pub fn link_at(&self, alias: Span) -> Option<&Link> {
        self.links.get(&alias.start)
    }
}
