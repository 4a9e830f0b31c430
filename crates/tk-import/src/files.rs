//! Which files there are to import: those of a folder of the disk, and of nowhere else.

use crate::MAX_FILE_BYTES;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use tk_diag::{Diagnostic, FILE, Result};

/// Names of files in a folder that are looked at for a suggestion, at most.
const MAX_NAMES: usize = 2000;
/// Folders that a package may be deep.
const MAX_DEPTH: usize = 32;

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// No file.
    Nothing,
    /// A file with this text.
    Text(String),
    /// A file that is not read, and why: the rest of a sentence about it.
    Refused(String),
}

/// Files under a root. Paths are names joined by `/`, and none is `.` or `..`.
pub trait Files {
    /// What is at a path.
    fn read(&self, path: &str) -> Found;

    /// Whether a file is at a path.
    fn exists(&self, path: &str) -> bool;

    /// What messages call a file, or the folder `""` of the root.
    fn shown(&self, path: &str) -> String;

    /// The names in a folder, in any order; not necessarily all of a large one.
    fn names(&self, folder: &str) -> Vec<String>;
}

/// The files of a folder of the disk.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Without links.
    root: PathBuf,
    /// How messages write it.
    shown: PathBuf,
}

impl Folder {
    /// The folder that imports of `file` are looked for in, and the path of the file in it: `root`, or else the folder around the
    /// file's package, or its own folder where it is in none. `packages` are names that it imports from. Nothing for what is no file of a folder, such as a pipe.
    ///
    /// # Errors
    /// The file is not in `root`.
    pub fn around(file: &Path, root: Option<&Path>, packages: &[&str]) -> Result<Option<(Self, String)>> {
        let real = std::fs::canonicalize(file).ok().filter(|real| real.is_file());
        let Some((real, own)) = real.as_deref().and_then(|real| Some((real, real.parent()?))) else { return Ok(None) };
        let root = match root {
            Some(root) => std::fs::canonicalize(root).map_err(|error| {
                Diagnostic::error(FILE, format!("the folder of --root, {}, cannot be read: {error}", root.display()))
                    .boxed()
            })?,
            None => around_package(own, packages).to_path_buf(),
        };
        let Ok(inside) = real.strip_prefix(&root) else {
            let message = format!("{} is not in the folder of --root, {}", file.display(), root.display());
            return Err(Diagnostic::error(FILE, message).help("Name a folder that holds the file.").boxed());
        };
        let shown = shown_root(file, inside, &root);
        Ok(joined(inside).map(|path| (Self { root, shown }, path)))
    }

    /// A file without links, which may lead out of the root. Most that are asked for are not there, which one look says.
    fn file(&self, path: &str) -> Option<PathBuf> {
        let given = self.root.join(path);
        given.is_file().then(|| std::fs::canonicalize(given).ok()).flatten()
    }
}

/// The folder that holds the outermost package around a folder, or the folder itself. A folder without an `__init__` between two
/// that have one, or around one, is part of the package where its name is one of `packages`.
fn around_package<'p>(own: &'p Path, packages: &[&str]) -> &'p Path {
    let is_package = |folder: &Path| ["__init__.py", "__init__.tk"].iter().any(|name| folder.join(name).is_file());
    let inside = own.ancestors().take(MAX_DEPTH);
    let outermost = inside.clone().find(|folder| !is_package(folder)).unwrap_or(own);
    let is_named =
        |folder: &Path| folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| packages.contains(&name));
    let mut has_init = false;
    for folder in inside {
        has_init |= is_package(folder);
        if has_init && is_named(folder) && outermost.starts_with(folder) {
            return folder.parent().unwrap_or(outermost);
        }
    }
    outermost
}

/// The root as the user would write it: what is left of the file's path as given, or from the current folder.
fn shown_root(given: &Path, inside: &Path, root: &Path) -> PathBuf {
    let count = inside.components().count();
    if given.ends_with(inside) && !given.components().any(|part| part == Component::ParentDir) {
        return given.ancestors().nth(count).unwrap_or(Path::new("")).to_path_buf();
    }
    let here = std::env::current_dir().and_then(std::fs::canonicalize).ok();
    here.and_then(|here| root.strip_prefix(here).ok()).map_or_else(|| root.to_path_buf(), Path::to_path_buf)
}

/// The names of a relative path with `/` between them; nothing where one is not text.
fn joined(path: &Path) -> Option<String> {
    let names: Option<Vec<&str>> = path.components().map(|part| part.as_os_str().to_str()).collect();
    names.map(|names| names.join("/"))
}

impl Files for Folder {
    fn read(&self, path: &str) -> Found {
        let Some(real) = self.file(path) else { return Found::Nothing };
        if !real.starts_with(&self.root) {
            return Found::Refused(format!("leads out of {}", self.root.display()));
        }
        let mut bytes = Vec::new();
        let read =
            std::fs::File::open(&real).and_then(|file| file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes));
        if let Err(error) = read {
            return Found::Refused(format!("cannot be read: {error}"));
        }
        if bytes.len() > MAX_FILE_BYTES {
            return Found::Refused(format!("is larger than {MAX_FILE_BYTES} bytes"));
        }
        String::from_utf8(bytes).map_or_else(|_| Found::Refused("is not UTF-8 text".to_string()), Found::Text)
    }

    fn exists(&self, path: &str) -> bool {
        self.file(path).is_some_and(|real| real.starts_with(&self.root))
    }

    fn shown(&self, path: &str) -> String {
        let shown = if path.is_empty() { self.shown.clone() } else { self.shown.join(path) };
        if shown.as_os_str().is_empty() { ".".to_string() } else { shown.display().to_string() }
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let folder = self.root.join(folder);
        let Ok(real) = folder.metadata().and_then(|_| std::fs::canonicalize(folder)) else { return Vec::new() };
        if !real.starts_with(&self.root) {
            return Vec::new();
        }
        let entries = std::fs::read_dir(real).into_iter().flatten().take(MAX_NAMES);
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
    }
}

/// The files of a folder, some of which have another text than on the disk.
pub(crate) struct Overlaid<'o> {
    pub(crate) folder: Folder,
    /// The text in place of that of a file.
    pub(crate) open: &'o dyn Fn(&Path) -> Option<String>,
}

impl Files for Overlaid<'_> {
    fn read(&self, path: &str) -> Found {
        let text = self
            .folder
            .file(path)
            .filter(|real| real.starts_with(&self.folder.root))
            .and_then(|real| (self.open)(&real));
        text.filter(|text| text.len() <= MAX_FILE_BYTES).map_or_else(|| self.folder.read(path), Found::Text)
    }

    fn exists(&self, path: &str) -> bool {
        self.folder.exists(path)
    }

    fn shown(&self, path: &str) -> String {
        self.folder.shown(path)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        self.folder.names(folder)
    }
}
