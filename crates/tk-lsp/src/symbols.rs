//! Where names lead, and what a file has.

use crate::cursor::Chain;
use crate::resolve::{Elsewhere, Target, View};
use crate::text::Text;
use crate::tree::{self, Binder};
use lsp_types::{DocumentSymbol, Location, Position, Range, SymbolKind, Url};
use rustc_hash::FxHashSet;
use std::path::Path;
use tk_diag::Span;
use tk_grammar::ast::FunctionDef;

/// Symbols of one answer.
const MAX_SYMBOLS: usize = 5000;

/// The definition of what is at a position. In files of Python, only names in kernels lead anywhere: the rest is another server's.
pub(crate) fn definition(view: &View<'_>, uri: &Url, position: Position) -> Option<Location> {
    let offset = view.text.offset(position);
    let function = view.function_at(offset);
    if uri.path().ends_with(".py") && !function.is_some_and(FunctionDef::is_jit) {
        return None;
    }
    let chain = Chain::at(view.text.text(), offset)?;
    match view.resolve(&chain, function)? {
        Target::Here(name) => Some(Location { uri: uri.clone(), range: view.text.range(name.span) }),
        Target::Elsewhere(elsewhere) => elsewhere.location(view, uri),
        Target::Library(_) | Target::Function(..) | Target::Value(_) | Target::Method(_) | Target::TensorMember(_) => {
            None
        }
    }
}

impl Elsewhere<'_> {
    fn location(&self, view: &View<'_>, uri: &Url) -> Option<Location> {
        let part = self.module.file.part_at(self.span.start);
        let base = part.span().start;
        if base == 0 {
            let span = view.known?.shift.to_new(self.span)?;
            return Some(Location { uri: uri.clone(), range: view.text.range(span) });
        }
        let uri = Url::from_file_path(Path::new(part.name())).ok()?;
        let inside = Span { start: self.span.start - base, end: self.span.end - base };
        Some(Location { uri, range: Text::new(part.text()).range(inside) })
    }
}

/// The functions, classes and constants of a file, kernels marked.
pub(crate) fn symbols(view: &View<'_>) -> Vec<DocumentSymbol> {
    let (mut symbols, mut seen) = (Vec::new(), FxHashSet::default());
    for name in tree::globals(&view.tree.body) {
        let symbol = match name.binder {
            Binder::Function(function) => {
                let kind = SymbolKind::FUNCTION;
                let detail = function.is_jit().then(|| "jit".to_string());
                symbol(view, name.text, kind, Places { whole: whole(function), name: name.span }, detail)
            }
            Binder::Class(_) => {
                symbol(view, name.text, SymbolKind::CLASS, Places { whole: name.span, name: name.span }, None)
            }
            Binder::Variable => {
                symbol(view, name.text, SymbolKind::VARIABLE, Places { whole: name.span, name: name.span }, None)
            }
            Binder::Parameter | Binder::Import(_) => continue,
        };
        if symbols.len() < MAX_SYMBOLS && seen.insert(name.text) {
            symbols.push(symbol);
        }
    }
    symbols
}

/// From the name of a function, or what is before it, to its end.
fn whole(function: &FunctionDef) -> Span {
    function.span.to(function.name.span)
}

struct Places {
    whole: Span,
    name: Span,
}

fn symbol(view: &View<'_>, name: &str, kind: SymbolKind, places: Places, detail: Option<String>) -> DocumentSymbol {
    let selection_range: Range = view.text.range(places.name);
    #[allow(deprecated, reason = "the field has to be given")]
    DocumentSymbol {
        name: name.to_string(),
        detail,
        kind,
        tags: None,
        deprecated: None,
        range: view.text.range(places.whole),
        selection_range,
        children: None,
    }
}
