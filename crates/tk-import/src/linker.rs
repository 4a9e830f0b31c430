//! Follows names from file to file.
//!
//! A list of needs, each a file and a name with attributes, is worked off: a definition needs the names that it uses, an import
//! leads into another file, which is then read. No need is looked at twice, so circles of imports end, and nothing recurses.

use crate::files::{Files, Found};
use crate::names::{Chain, Definition, Import, Names};
use crate::{MAX_BYTES, MAX_FILES};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;
use tk_diag::SourceFile;
use tk_grammar::ast::Module;
use tk_grammar::bindings::{Bound, each_binding};
use tk_grammar::imports::{Imports, Link, Missing, Part};

/// Needs that are looked at, at most.
const MAX_NEEDS: usize = 1 << 20;
/// Names of one dotted module name, at most.
const MAX_NAMES: usize = 32;

/// The module of torch that kernels written by torch.compile call, and what stands for it where no file does.
const INDUCTOR_HELPERS: &str = "torch/_inductor/runtime/triton_helpers";
const INDUCTOR_HELPERS_TEXT: &str = include_str!("inductor_helpers.py");

/// Whose imports are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roots {
    /// Those that jit functions need.
    Kernels,
    /// Those of host code, too.
    All,
}

/// Adds to a file what it imports: `path` is where it is among `files`. Without such imports it stays as it is.
pub fn link(module: &Module, path: &str, files: &dyn Files, roots: Roots) -> Module {
    let mut imports_files = false;
    each_binding(&module.body, &mut |binding| {
        imports_files |= match binding.bound {
            Bound::Module(alias) => !is_built_in(&alias.name),
            Bound::Member(module, _) | Bound::Star(module, _) => !is_built_in(module),
            _ => false,
        };
    });
    if !imports_files {
        return module.clone();
    }
    let names = Names::of(&module.body);
    let needs = match roots {
        Roots::Kernels => names.by_kernels.clone(),
        Roots::All => names.by_all(&module.body),
    };
    let mut linker = Linker::new(module, path, names, files);
    needs.into_iter().for_each(|chain| linker.need(0, chain));
    linker.work();
    module.with_imports(linker.source, linker.imports)
}

/// What the linker knows of a part besides its tree.
struct Loaded {
    names: Rc<Names>,
    /// The folder that its relative imports begin in.
    folder: Vec<String>,
}

/// A name that a part of the program uses, to be found.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Need {
    part: usize,
    chain: Chain,
}

/// Where to look for a module.
struct Search {
    /// In order.
    folders: Vec<Vec<String>>,
    /// The names of its path from there.
    names: Vec<String>,
}

struct Linker<'f> {
    files: &'f dyn Files,
    source: SourceFile,
    imports: Imports,
    loaded: Vec<Loaded>,
    /// The part of each module that was looked for, by its path without an ending.
    modules: FxHashMap<String, Option<usize>>,
    /// Whether a folder is a package, and the names in it.
    packages: FxHashMap<String, bool>,
    listings: FxHashMap<String, Rc<[String]>>,
    /// The ending that is tried first.
    endings: [&'static str; 2],
    open: Vec<Need>,
    seen: FxHashSet<Need>,
    /// Why files that are there were not taken, since the import in hand began.
    refused: Vec<String>,
    bytes: usize,
}

impl<'f> Linker<'f> {
    fn new(module: &Module, path: &str, names: Names, files: &'f dyn Files) -> Self {
        let (stem, ending) = path.rsplit_once('.').unwrap_or((path, "tk"));
        let mut folder: Vec<String> = stem.split('/').map(str::to_string).collect();
        let name = folder.pop().unwrap_or_default();
        let own = if name == "__init__" { folder.join("/") } else { stem.to_string() };
        let endings = if ending == "py" { ["py", "tk"] } else { ["tk", "py"] };
        Self {
            files,
            source: module.file.clone(),
            imports: Imports::new(vec![Part::of(module.body.clone())]),
            loaded: vec![Loaded { names: Rc::new(names), folder }],
            modules: FxHashMap::from_iter([(own, Some(0))]),
            packages: FxHashMap::default(),
            listings: FxHashMap::default(),
            endings,
            open: Vec::new(),
            seen: FxHashSet::default(),
            refused: Vec::new(),
            bytes: 0,
        }
    }

    fn need(&mut self, part: usize, chain: Chain) {
        let need = Need { part, chain };
        if self.seen.len() < MAX_NEEDS && self.seen.insert(need.clone()) {
            self.open.push(need);
        }
    }

    fn work(&mut self) {
        while let Some(Need { part, chain }) = self.open.pop() {
            self.follow(part, &chain);
        }
    }

    /// Finds what a name of a file needs, and what its attributes need where it is a module.
    fn follow(&mut self, part: usize, chain: &Chain) {
        let [head, rest @ ..] = &chain[..] else { return };
        let names = self.loaded[part].names.clone();
        // A star import may take over a name that the file defines as well.
        for star in &names.stars {
            if let Link::Module(other) | Link::Member(other) = self.link(part, star) {
                self.need(other, chain.clone());
            }
        }
        let Some(definitions) = names.definitions.get(head) else {
            if let Some(module) = self.imports.parts[part].submodules.get(&**head).copied() {
                self.need(module, rest.into());
            }
            return;
        };
        for definition in definitions {
            match definition {
                Definition::Uses(uses) => uses.iter().for_each(|chain| self.need(part, chain.clone())),
                Definition::Import(import) => match self.link(part, import) {
                    Link::Module(module) => self.need(module, rest.into()),
                    Link::Member(other) => {
                        let name = Rc::from(import.alias.name.as_str());
                        self.need(other, std::iter::once(name).chain(rest.iter().cloned()).collect());
                    }
                    Link::Missing(_) => {}
                },
            }
        }
    }

    /// Where an import leads; finds it out the first time.
    fn link(&mut self, part: usize, import: &Import) -> Link {
        if let Some(known) = self.imports.link(&import.alias) {
            return known.clone();
        }
        if is_built_in(import.module.as_deref().unwrap_or(&import.alias.name)) {
            return Link::Missing(Missing::default());
        }
        self.refused.clear();
        let link = match &import.module {
            None => self.link_module(part, import),
            Some(module) => self.link_member(part, module, &import.alias.name),
        };
        self.imports.set_link(&import.alias, link.clone());
        link
    }

    /// `import a.b as c` is the module `a.b`; `import a.b` is `a`, which then has `b`.
    fn link_module(&mut self, part: usize, import: &Import) -> Link {
        let Search { folders, names } = match self.search(part, &import.alias.name) {
            Ok(found) => found,
            Err(missing) => return Link::Missing(missing),
        };
        for folder in &folders {
            let Some(found) = self.module(&[folder, &names[..]].concat()) else { continue };
            if self.imports_its_own_name(found, &import.alias.name) {
                continue;
            }
            if import.alias.alias.is_some() || names.len() == 1 {
                return Link::Module(found);
            }
            return Link::Module(self.packages(folder, &names, found));
        }
        Link::Missing(self.missing(&folders, &names))
    }

    /// Whether a file imports a module of the name that it was found by: such a file is part of a package, and means another module.
    fn imports_its_own_name(&self, part: usize, module: &str) -> bool {
        let definitions = self.loaded[part].names.definitions.values().flatten();
        let mut imports = definitions.filter_map(|definition| match definition {
            Definition::Import(import) => Some(import),
            Definition::Uses(_) => None,
        });
        imports.any(|import| import.module.is_none() && import.alias.name == module)
    }

    /// The module of the first of the names, with those after it as modules inside.
    fn packages(&mut self, folder: &[String], names: &[String], last: usize) -> usize {
        let mut inner = last;
        for count in (1..names.len()).rev() {
            let outer = self.package(&[folder, &names[..count]].concat());
            self.imports.parts[outer].submodules.insert(names[count].clone(), inner);
            inner = outer;
        }
        inner
    }

    /// The module of a folder, which has no text where the folder has no `__init__`.
    fn package(&mut self, path: &[String]) -> usize {
        if let Some(found) = self.module(path) {
            return found;
        }
        let key = path.join("/");
        let part = self.add(&self.files.shown(&key), String::new(), path.to_vec());
        self.modules.insert(key, Some(part));
        part
    }

    /// `from module import name`: a name of the module, or a module in its folder.
    fn link_member(&mut self, part: usize, module: &str, name: &str) -> Link {
        let Search { folders, names } = match self.search(part, module) {
            Ok(found) => found,
            Err(missing) => return Link::Missing(missing),
        };
        for folder in &folders {
            let path = [folder, &names[..]].concat();
            let found = self.module(&path);
            let defines = found.filter(|found| *found != part).is_some_and(|found| self.defines(found, name));
            if !defines && name != "*" {
                let inner = [&path[..], &[name.to_string()]].concat();
                if let Some(inner) = self.module(&inner) {
                    return Link::Module(inner);
                }
            }
            if let Some(found) = found {
                return Link::Member(found);
            }
        }
        let mut missing = self.missing(&folders, &names);
        if names.is_empty() {
            missing = self.missing(&folders, &[name.to_string()]);
        }
        Link::Missing(missing)
    }

    fn defines(&self, part: usize, name: &str) -> bool {
        self.loaded[part].names.definitions.contains_key(name)
    }

    fn search(&mut self, part: usize, module: &str) -> Result<Search, Missing> {
        let own = &self.loaded[part].folder.clone();
        let path = module.trim_start_matches('.');
        let names: Vec<String> = path.split('.').filter(|name| !name.is_empty()).map(str::to_string).collect();
        let refuse = |reason: String| Err(Missing { reason: Some(reason), ..Missing::default() });
        if names.len() > MAX_NAMES {
            return refuse(format!("a module name has at most {MAX_NAMES} parts"));
        }
        let dots = module.len() - path.len();
        if dots > 0 {
            return match own.len().checked_sub(dots - 1) {
                Some(depth) => Ok(Search { folders: vec![own[..depth].to_vec()], names }),
                None => {
                    refuse(format!("`{module}` is above {}, the folder that imports may reach", self.files.shown("")))
                }
            };
        }
        let mut folders: Vec<Vec<String>> = (0..=own.len()).map(|depth| own[..depth].to_vec()).collect();
        // Python looks in the folder of a script first, and for the files of a package around the package.
        if !self.is_package(own) {
            folders.rotate_right(1);
        }
        Ok(Search { folders, names })
    }

    fn is_package(&mut self, folder: &[String]) -> bool {
        let path = [folder, &["__init__".to_string()]].concat().join("/");
        if let Some(known) = self.packages.get(&path) {
            return *known;
        }
        let is_there = self.endings.iter().any(|ending| self.files.exists(&format!("{path}.{ending}")));
        self.packages.insert(path, is_there);
        is_there
    }

    /// The names in a folder.
    fn listing(&mut self, folder: String) -> Rc<[String]> {
        let files = self.files;
        self.listings.entry(folder).or_insert_with_key(|folder| files.names(folder).into()).clone()
    }

    /// The part of a module, which is read the first time; nothing where no file of it is there.
    fn module(&mut self, path: &[String]) -> Option<usize> {
        let key = path.join("/");
        if let Some(known) = self.modules.get(&key) {
            return *known;
        }
        let found = self.read(&key, path);
        self.modules.insert(key, found);
        found
    }

    fn read(&mut self, key: &str, path: &[String]) -> Option<usize> {
        let inside = if key.is_empty() { "__init__".to_string() } else { format!("{key}/__init__") };
        let (own, above) = (path.to_vec(), path.split_last().map(|(_, above)| above.to_vec()));
        for (stem, folder) in [(inside.as_str(), Some(own)), (key, above)] {
            let Some(folder) = folder else { continue };
            for ending in self.endings {
                let file = format!("{stem}.{ending}");
                let text = match self.files.read(&file) {
                    Found::Nothing => continue,
                    Found::Text(text) => text,
                    Found::Refused(why) => {
                        self.refused.push(format!("{} {why}", self.files.shown(&file)));
                        continue;
                    }
                };
                if self.loaded.len() >= MAX_FILES || self.bytes + text.len() > MAX_BYTES {
                    let limit = format!("{MAX_FILES} files and {} MiB", MAX_BYTES >> 20);
                    self.refused.push(format!("{} is one too many: {limit} are read at most", self.files.shown(&file)));
                    return None;
                }
                return Some(self.add(&self.files.shown(&file), text, folder));
            }
        }
        let text = (key == INDUCTOR_HELPERS).then(|| INDUCTOR_HELPERS_TEXT.to_string())?;
        Some(self.add(&format!("{key}.py"), text, Vec::new()))
    }

    /// Parses a file and puts it beside the others.
    fn add(&mut self, name: &str, text: String, folder: Vec<String>) -> usize {
        self.bytes += text.len();
        self.source = self.source.with_part(name, text);
        let number = self.loaded.len();
        let (body, faults) = match tk_grammar::parse_part(&self.source, number) {
            Ok(body) => (body, Vec::new()),
            Err(faults) => (Vec::new(), faults),
        };
        self.loaded.push(Loaded { names: Rc::new(Names::of(&body)), folder });
        self.imports.parts.push(Part { faults, ..Part::of(Arc::from(body)) });
        number
    }

    /// What to tell of a module that none of the folders has.
    fn missing(&mut self, folders: &[Vec<String>], names: &[String]) -> Missing {
        let shown = |folder: &Vec<String>| self.files.shown(&[folder, names].concat().join("/"));
        let looked = folders.iter().map(shown).collect();
        let reason = (!self.refused.is_empty()).then(|| self.refused.join("; "));
        let near = names.split_last().and_then(|(last, before)| {
            let stem = |name: &'_ String| match name.rsplit_once('.') {
                Some((stem, "py" | "tk")) if stem != "__init__" => Some(stem.to_string()),
                Some(_) => None,
                None => Some(name.clone()),
            };
            folders.iter().find_map(|folder| {
                let there = self.listing([folder, before].concat().join("/"));
                let there: Vec<String> = there.iter().filter_map(stem).filter(|name| name != last).collect();
                let near = tk_diag::nearest(last, there.iter().map(String::as_str))?.to_string();
                Some([before, &[near]].concat().join("."))
            })
        });
        Missing { looked, reason, near }
    }
}

/// Modules that tk knows itself: no file stands for them.
pub(crate) fn is_built_in(path: &str) -> bool {
    let mut names = path.split('.');
    match (names.next(), names.next()) {
        (Some("torch"), Some("_inductor")) => false,
        (Some("torch" | "math"), _) | (Some("triton"), None) => true,
        (Some("triton"), Some(name)) => matches!(name, "language" | "runtime" | "testing" | "compiler" | "backends"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_no_file() {
        for path in ["triton", "triton.language", "triton.language.extra.libdevice", "torch.nn.functional", "math"] {
            assert!(is_built_in(path), "{path}");
        }
        for path in ["tritonic", "triton.tools.ragged_tma", "mathematics", ".math", "my.triton"] {
            assert!(!is_built_in(path), "{path}");
        }
    }
}
