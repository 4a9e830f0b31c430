//! A file that is open in the editor.

use crate::analysis::Analysis;
use crate::resolve::{Known, View};
use crate::shift::Shift;
use crate::text::Text;
use lsp_types::Url;
use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;
use tk_diag::SourceFile;
use tk_grammar::ast::Module;

/// The largest text that is looked at, in bytes.
pub(crate) const MAX_BYTES: usize = 4 << 20;
/// The longest line of a text that is looked at, in bytes: reading and placing what stands in a line takes time with its square.
pub(crate) const MAX_LINE: usize = 32 << 10;

/// A file that is open.
pub(crate) struct Document {
    /// What the editor calls this state of the text.
    pub(crate) version: i32,
    pub(crate) text: Text,
    /// Where it is on the disk, as the editor says it.
    pub(crate) path: Option<PathBuf>,
    /// The same without links.
    pub(crate) real: Option<PathBuf>,
    /// What is known of the last version that could be read whole.
    pub(crate) known: Option<Arc<Analysis>>,
    /// What can be read of the text, once somebody asks.
    tree: OnceCell<Module>,
}

impl Document {
    pub(crate) fn open(uri: &Url, version: i32, text: String) -> Self {
        let path = uri.to_file_path().ok();
        let real = path.as_ref().and_then(|path| std::fs::canonicalize(path).ok());
        Self { version, text: Text::new(text), path, real, known: None, tree: OnceCell::new() }
    }

    pub(crate) fn change(&mut self, version: i32, text: Text) {
        self.version = version;
        self.text = text;
        self.tree = OnceCell::new();
    }

    pub(crate) fn is_too_large(&self) -> bool {
        self.text.text().len() > MAX_BYTES || self.text.longest_line() > MAX_LINE
    }

    /// What messages call it.
    pub(crate) fn name(&self, uri: &Url) -> String {
        self.path.as_ref().map_or_else(|| uri.to_string(), |path| path.display().to_string())
    }

    /// The text as it is now with what is known of it.
    pub(crate) fn view(&self) -> View<'_> {
        let tree = self.tree.get_or_init(|| {
            let text = if self.is_too_large() { "" } else { self.text.text() };
            tk_grammar::parse_partially(&SourceFile::new("", text)).module
        });
        let known = self
            .known
            .as_ref()
            .map(|analysis| Known { analysis, shift: Shift::between(&analysis.text, self.text.text()) });
        View { text: &self.text, tree, known }
    }
}
