//! What a kernel needs from elsewhere. The files that its file imports: found, read and put beside it, so that a kernel can use their functions, classes and constants.
//!
//! [`link`] begins at what the file's kernels name and follows the names through imports, so a package is read as far as a kernel
//! needs it and no further. Files are parsed and never run; [`Files`] says which there are, and never gives one outside its root.
//! An import that leads nowhere is no error here: the checker tells of it where a kernel needs it.
//!
//! [`link_program`] does the same for a function of a running program, which is asked for what names stand for.

mod files;
mod linker;
mod names;
mod program;

use files::Overlaid;
pub use files::{Files, Folder, Found};
pub use linker::{Roots, link};
pub use program::{Excerpt, Linked, Passed, PassedObject, Program, Referent, link_program};

use std::path::Path;
use tk_diag::Result;
use tk_grammar::ast::Module;
use tk_grammar::bindings::{Bound, each_binding};

/// Files read for one file, at most.
pub const MAX_FILES: usize = 256;
/// Bytes of one imported file, at most.
pub const MAX_FILE_BYTES: usize = 4 << 20;
/// Bytes of all imported files together, at most.
pub const MAX_BYTES: usize = 32 << 20;

/// The first names of the modules that a file imports by absolute names.
fn packages(module: &Module) -> Vec<&str> {
    let mut names = Vec::new();
    each_binding(&module.body, &mut |binding| {
        let path = match binding.bound {
            Bound::Module(alias) => alias.name.as_str(),
            Bound::Member(module, _) | Bound::Star(module, _) => module,
            _ => return,
        };
        if !linker::is_built_in(path) {
            names.extend(path.split('.').next().filter(|name| !name.is_empty()));
        }
    });
    names.sort_unstable();
    names.dedup();
    names
}

/// Adds to a module what the file at `path` imports: looked for up to `root`, or else in its folder and, where that belongs to a
/// package, in the folders around it up to that of the package. Folders without an `__init__` count as part of the package where
/// the file imports from a package of that name.
///
/// # Errors
/// `root` is given and does not hold the file.
pub fn read_imports(module: &Module, path: &Path, root: Option<&Path>, roots: Roots) -> Result<Module> {
    read_imports_over(module, path, root, roots, &|_| None)
}

/// Like [`read_imports`], where some files have another text than on the disk: those that are open in an editor. `open` is asked with
/// paths without links.
///
/// # Errors
/// `root` is given and does not hold the file.
pub fn read_imports_over(
    module: &Module,
    path: &Path,
    root: Option<&Path>,
    roots: Roots,
    open: &dyn Fn(&Path) -> Option<String>,
) -> Result<Module> {
    Ok(match Folder::around(path, root, &packages(module))? {
        Some((folder, inside)) => link(module, &inside, &Overlaid { folder, open }, roots),
        None => module.clone(),
    })
}
