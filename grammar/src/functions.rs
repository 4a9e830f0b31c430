//! The functions of a file, and the names that command lines and lists of kernels have for them: `kernel`; where several functions have
//! this name `make.kernel`, or as Python says it `make.<locals>.kernel`; and `kernel:12` for the one that stands at a line.

use crate::ast::{FunctionDef, Module, Stmt, StmtKind};
use std::collections::HashMap;
use tk_diag::SourceFile;

/// What Python's qualified names have between a function and what stands in it.
const LOCALS: &str = "<locals>";

/// What a name means among the functions of a file.
#[derive(Clone, Debug)]
pub enum Named<'m> {
    /// A function.
    One(&'m FunctionDef),
    /// Several jit functions inside of others, in the order of the text: the name does not say which.
    Several(Vec<&'m FunctionDef>),
    /// No function.
    Nothing,
}

impl<'m> Named<'m> {
    /// The function; of several the last one, as if all were defined in one place.
    pub fn last(self) -> Option<&'m FunctionDef> {
        match self {
            Named::One(function) => Some(function),
            Named::Several(functions) => functions.last().copied(),
            Named::Nothing => None,
        }
    }
}

impl Module {
    /// What a name means among the functions of the file: see [`choose`].
    pub fn choose(&self, name: &str) -> Named<'_> {
        choose(&self.body, &self.file, name)
    }

    /// The function that a name means; of several that it may mean the last one.
    pub fn function(&self, name: &str) -> Option<&FunctionDef> {
        self.choose(name).last()
    }

    /// All functions outside of functions and classes, those under a module-level `if` or `try` included, and then the jit functions at any
    /// depth; where branches define one name, the first branch comes last.
    pub fn functions(&self) -> impl Iterator<Item = &FunctionDef> {
        located(&self.body).into_iter().map(|one| one.function)
    }
}

impl FunctionDef {
    /// The line of its first decorator, or of its `def`: where Python and Triton say that it begins.
    pub fn first_line(&self, file: &SourceFile) -> u32 {
        let start = self.decorators.first().map_or(self.span.start, |decorator| decorator.span.start);
        file.part_at(start).line(start)
    }

    fn has_line(&self, file: &SourceFile, line: u32) -> bool {
        let last = file.part_at(self.span.end).line(self.span.end);
        (self.first_line(file)..=last).contains(&line)
    }
}

/// What a name means among the functions of a text: the top-level function with this name, or else the jit functions inside of others or of
/// a class. Of top-level definitions the last one wins, as in Python. A name may stand behind those of what the function stands in, all of
/// them or the inner ones, and a line of the function may follow.
pub fn choose<'m>(body: &'m [Stmt], file: &SourceFile, name: &str) -> Named<'m> {
    let written = Written::of(name);
    if let ([own], None) = (written.path.as_slice(), written.line) {
        let mut outside = Vec::new();
        collect_functions(body, &mut outside);
        if let Some(function) = outside.into_iter().rfind(|function| function.name.text == *own) {
            return Named::One(function);
        }
    }
    let mut found: Vec<Located<'m>> = located(body);
    found.retain(|one| written.means(one, file));
    found.sort_by_key(|one| one.function.span.start);
    if written.line.is_some() {
        // A line of a function is a line of those around it, too; the innermost is meant.
        return found.pop().map_or(Named::Nothing, |one| Named::One(one.function));
    }
    // Those that stand exactly where the name says are meant before those further inside.
    let is_exact = |one: &Located<'_>| one.around.len() + 1 == written.path.len();
    if found.iter().any(is_exact) {
        found.retain(is_exact);
    }
    match found.as_slice() {
        [] => Named::Nothing,
        [one] => Named::One(one.function),
        several => Named::Several(several.iter().map(|one| one.function).collect()),
    }
}

/// The function's own name in a name that may have more: `kernel` of `make.kernel:12`.
pub fn own_name(name: &str) -> &str {
    Written::of(name).path.last().copied().unwrap_or(name)
}

/// A name as somebody has written it.
struct Written<'n> {
    /// The name of the function behind those of what it stands in.
    path: Vec<&'n str>,
    line: Option<u32>,
}

impl<'n> Written<'n> {
    fn of(name: &'n str) -> Self {
        let with_line = name.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse::<u32>().ok()?)));
        let (path, line) = with_line.map_or((name, None), |(path, line)| (path, Some(line)));
        Self { path: path.split('.').filter(|part| *part != LOCALS).collect(), line }
    }

    fn means(&self, located: &Located<'_>, file: &SourceFile) -> bool {
        let [around @ .., own] = self.path.as_slice() else { return false };
        located.function.name.text == *own
            && located.around.ends_with(around)
            && self.line.is_none_or(|line| located.function.has_line(file, line))
    }
}

/// A function and the names of the functions and classes that it stands in, the outermost first.
struct Located<'m> {
    function: &'m FunctionDef,
    around: Vec<&'m str>,
}

impl Located<'_> {
    fn path(&self) -> String {
        let names = self.around.iter().copied().chain([self.function.name.text.as_str()]);
        names.collect::<Vec<_>>().join(".")
    }
}

/// The functions outside of others, and then the jit functions inside.
fn located(body: &[Stmt]) -> Vec<Located<'_>> {
    let mut outside = Vec::new();
    collect_functions(body, &mut outside);
    let mut found: Vec<Located<'_>> =
        outside.into_iter().map(|function| Located { function, around: Vec::new() }).collect();
    nested_kernels(body, &mut Vec::new(), &mut found);
    found
}

/// Adds the jit functions inside of functions and classes.
fn nested_kernels<'m>(body: &'m [Stmt], around: &mut Vec<&'m str>, found: &mut Vec<Located<'m>>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::FunctionDef(function) => {
                around.push(&function.name.text);
                nested_kernels(&function.body, around, found);
                around.pop();
                if !around.is_empty() && function.is_jit() {
                    found.push(Located { function, around: around.clone() });
                }
            }
            StmtKind::ClassDef(class) => {
                around.push(&class.name.text);
                nested_kernels(&class.body, around, found);
                around.pop();
            }
            kind => kind.blocks().into_iter().for_each(|block| nested_kernels(block, around, found)),
        }
    }
}

/// Adds the functions that running the statements could define; nesting is as deep as the parser allows.
fn collect_functions<'a>(body: &'a [Stmt], found: &mut Vec<&'a FunctionDef>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::FunctionDef(function) => found.push(function),
            StmtKind::If { body, orelse, .. } => {
                collect_functions(orelse, found);
                collect_functions(body, found);
            }
            StmtKind::Try { body, handlers, orelse, finally } => {
                handlers.iter().for_each(|handler| collect_functions(&handler.body, found));
                [orelse, finally, body].into_iter().for_each(|part| collect_functions(part, found));
            }
            StmtKind::Unsupported(_)
            | StmtKind::ClassDef(_)
            | StmtKind::Return(_)
            | StmtKind::Assign { .. }
            | StmtKind::AugAssign { .. }
            | StmtKind::AnnAssign { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::With { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Import(_)
            | StmtKind::ImportFrom { .. }
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

/// Gives the functions whose name alone means another function, or several, the names that [`FunctionDef::known_as`] tells.
pub(crate) fn qualify(body: &mut [Stmt], file: &SourceFile) {
    let known = qualified_names(body, file);
    if !known.is_empty() {
        set_names(body, &known);
    }
}

/// By the places of the functions' names.
fn qualified_names(body: &[Stmt], file: &SourceFile) -> HashMap<u32, Box<str>> {
    let all = located(body);
    // Of those outside the last one has the name.
    let mut outside: HashMap<&str, u32> = HashMap::new();
    let mut same_name: HashMap<&str, usize> = HashMap::new();
    let mut same_path: HashMap<String, usize> = HashMap::new();
    for one in &all {
        let name = one.function.name.text.as_str();
        *same_name.entry(name).or_default() += 1;
        *same_path.entry(one.path()).or_default() += 1;
        if one.around.is_empty() {
            outside.insert(name, one.function.name.span.start);
        }
    }
    let mut known = HashMap::new();
    for one in &all {
        let (name, place) = (one.function.name.text.as_str(), one.function.name.span.start);
        let is_meant = match outside.get(name) {
            Some(winner) => *winner == place,
            None => same_name.get(name) == Some(&1),
        };
        if is_meant {
            continue;
        }
        let path = one.path();
        let is_alone = !one.around.is_empty() && same_path.get(&path) == Some(&1);
        let name = if is_alone { path } else { format!("{path}:{}", one.function.first_line(file)) };
        known.insert(place, name.into_boxed_str());
    }
    known
}

fn set_names(body: &mut [Stmt], known: &HashMap<u32, Box<str>>) {
    for stmt in body {
        match &mut stmt.kind {
            StmtKind::FunctionDef(function) => {
                function.qualified = known.get(&function.name.span.start).cloned();
                set_names(&mut function.body, known);
            }
            StmtKind::ClassDef(class) => set_names(&mut class.body, known),
            kind => kind.blocks_mut().into_iter().for_each(|block| set_names(block, known)),
        }
    }
}
