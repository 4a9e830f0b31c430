//! One text of a file and the files of its package that it imports, so that helpers are found.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use tk_diag::{SourceFile, Span};
use tk_grammar::ast::{Stmt, StmtKind};

/// The texts of all imported files that can be found, then the file's own; resolved imports become assignments.
pub(crate) fn with_imports(file: &Path, text: &str) -> String {
    let mut merger = Merger { seen: HashSet::from([file.to_path_buf()]), out: String::new(), prefixes: Vec::new() };
    let own = merger.rewritten(file, text, 0).unwrap_or_else(|| text.to_string());
    merger.out.push_str(&own);
    merger.out
}

struct Merger {
    seen: HashSet<PathBuf>,
    out: String,
    /// Names of modules of the package in the file at hand: `ext.f` becomes `f`.
    prefixes: Vec<String>,
}

impl Merger {
    fn include(&mut self, file: &Path, depth: usize) {
        if depth > 6 || !self.seen.insert(file.to_path_buf()) {
            return;
        }
        let Ok(text) = std::fs::read_to_string(file) else { return };
        if let Some(text) = self.rewritten(file, &text, depth) {
            self.out.push_str(&text);
            self.out.push('\n');
        }
    }

    fn rewritten(&mut self, file: &Path, text: &str, depth: usize) -> Option<String> {
        let module = tk_grammar::parse(&SourceFile::new(file.display().to_string(), text)).ok()?;
        let mut edits = Vec::new();
        let outer = std::mem::take(&mut self.prefixes);
        self.imports(file, &module.body, depth, &mut edits);
        let prefixes = std::mem::replace(&mut self.prefixes, outer);
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for (span, replacement) in edits {
            out.push_str(&text[at..span.start as usize]);
            out.push_str(&replacement);
            at = span.end as usize;
        }
        out.push_str(&text[at..]);
        prefixes.iter().for_each(|prefix| out = without_prefix(&out, prefix));
        Some(out)
    }

    fn imports(&mut self, file: &Path, body: &[Stmt], depth: usize, edits: &mut Vec<(Span, String)>) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::ImportFrom { module, names } => {
                    let Some(found) = resolve(file, module) else { continue };
                    let mut text = String::from("pass");
                    for name in names {
                        let dot = if module.ends_with('.') { "" } else { "." };
                        if let Some(submodule) = resolve(file, &format!("{module}{dot}{}", name.name)) {
                            self.include(&submodule, depth + 1);
                            let known = name.alias.as_ref().map_or(name.name.as_str(), |alias| &alias.text);
                            self.prefixes.push(known.to_string());
                            continue;
                        }
                        self.include(&found, depth + 1);
                        if let Some(alias) = name.alias.as_ref().filter(|alias| alias.text != name.name) {
                            text.push_str(&format!("; {} = {}", alias.text, name.name));
                        }
                    }
                    edits.push((stmt.span, text));
                }
                StmtKind::If { body, orelse, .. } => {
                    self.imports(file, body, depth, edits);
                    self.imports(file, orelse, depth, edits);
                }
                StmtKind::Try { body, handlers, orelse, finally } => {
                    self.imports(file, body, depth, edits);
                    handlers.iter().for_each(|handler| self.imports(file, &handler.body, depth, edits));
                    self.imports(file, orelse, depth, edits);
                    self.imports(file, finally, depth, edits);
                }
                _ => {}
            }
        }
    }
}

/// The file of a module as a file of the package sees it.
fn resolve(file: &Path, module: &str) -> Option<PathBuf> {
    let dots = module.chars().take_while(|c| *c == '.').count();
    let parts: Vec<&str> = module[dots..].split('.').filter(|part| !part.is_empty()).collect();
    let folders: Vec<&Path> = match dots {
        0 => file.ancestors().skip(1).take(12).collect(),
        n => file.ancestors().nth(n).into_iter().collect(),
    };
    folders.into_iter().find_map(|folder| {
        let base = parts.iter().fold(folder.to_path_buf(), |path, part| path.join(part));
        [base.with_extension("py"), base.join("__init__.py")].into_iter().find(|path| path.is_file())
    })
}

/// The text with `prefix.` taken away where it stands alone.
fn without_prefix(text: &str, prefix: &str) -> String {
    let needle = format!("{prefix}.");
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(&needle) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let inside = out.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
        out.push_str(if inside { &needle } else { "" });
        rest = &after[needle.len()..];
    }
    out.push_str(rest);
    out
}
