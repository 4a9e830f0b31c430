//! `Context`: owns MLIR's context, the loaded dialects, captured diagnostics and tk's caches.

use crate::location::innermost_file;
use crate::{OpKind, ffi};
use melior::dialect::DialectRegistry;
use melior::ir::Identifier;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;
use tk_diag::{BAD_IR, Diagnostic, LineColumn, SourceFile, Span};

/// MLIR's context with every dialect tk uses, single-threaded.
pub struct Context {
    melior: melior::Context,
    kinds: FxHashMap<usize, OpKind>,
    captured: Rc<RefCell<Vec<Captured>>>,
    pub(crate) caches: crate::encoding::Caches,
}

/// One diagnostic of MLIR, as it was reported.
struct Captured {
    message: String,
    place: Option<(String, u32, u32)>,
    notes: Vec<String>,
}

/// The dialects that a new context has, and with them those that they depend on. LLVM's two have hundreds of operations, few
/// modules have one of them, and loading them takes longer than all the others: the parser loads what it meets.
const LOADED: [&str; 10] = ["arith", "math", "scf", "cf", "ub", "gpu", "tt", "ttg", "ttng", "tk"];

impl Context {
    /// A context with all dialects loaded but LLVM's, which are loaded when an operation of theirs is met. Takes about a millisecond.
    pub fn new() -> Self {
        let registry = DialectRegistry::new();
        ffi::register_dialects(&registry);
        let melior = melior::Context::new_with_registry(&registry, false);
        for dialect in LOADED {
            melior.get_or_load_dialect(dialect);
        }
        let captured = Rc::new(RefCell::new(Vec::new()));
        let list = Rc::clone(&captured);
        melior.attach_diagnostic_handler(move |diagnostic| capture(&diagnostic, &list));
        let key = |kind: &OpKind| (identity(Identifier::new(&melior, kind.name())), *kind);
        let kinds = OpKind::ALL.iter().map(key).collect();
        Self { melior, kinds, captured, caches: Default::default() }
    }

    pub(crate) fn melior(&self) -> &melior::Context {
        &self.melior
    }

    pub(crate) fn kind_of(&self, name: Identifier<'_>) -> OpKind {
        self.kinds.get(&identity(name)).copied().unwrap_or(OpKind::Other)
    }

    /// Loads the dialect of operations with this name if it is one of LLVM's; the others are there.
    pub(crate) fn load_dialect_of(&self, name: &str) {
        for (prefix, dialect) in [("llvm.", "llvm"), ("nvvm.", "nvvm")] {
            if name.starts_with(prefix) {
                self.melior.get_or_load_dialect(dialect);
            }
        }
    }

    /// MLIR knows an operation of this name.
    pub fn is_registered(&self, name: &str) -> bool {
        self.load_dialect_of(name);
        self.melior.is_registered_operation(name)
    }

    /// Forgets what MLIR said so far, before a call whose diagnostics matter.
    pub(crate) fn start_capture(&self) {
        self.captured.borrow_mut().clear();
    }

    /// What MLIR said since [`Self::start_capture`], as an error in the text of `file`.
    pub(crate) fn captured_as_error(&self, file: &SourceFile) -> Box<Diagnostic> {
        let mut all = self.captured.take();
        if all.is_empty() {
            return Diagnostic::error(BAD_IR, "the text is not valid MLIR").at(file, Span::default(), "").boxed();
        }
        let first = all.remove(0);
        let (message, more) = split_message(&first.message);
        let mut diagnostic = Diagnostic::error(BAD_IR, message);
        diagnostic = match &first.place {
            Some((name, line, column)) if name == file.name() => {
                diagnostic.at(file, byte_span(file, *line, *column), "")
            }
            Some((name, line, column)) => diagnostic.note(format!("at {name}:{line}:{column}")),
            None => diagnostic.at(file, Span::default(), ""),
        };
        for note in more.into_iter().chain(first.notes).chain(all.into_iter().map(|d| d.message)).take(MAX_NOTES) {
            diagnostic = diagnostic.note(note);
        }
        diagnostic.help("tk reads MLIR as it and Triton print it; the place above is where reading stopped").boxed()
    }

    /// What MLIR said since [`Self::start_capture`], as a fault of tk's own.
    pub(crate) fn captured_as_bug(&self) -> Box<Diagnostic> {
        let mut diagnostic: Option<Diagnostic> = None;
        for Captured { message, place, notes } in self.captured.take().into_iter().take(MAX_NOTES) {
            let (message, more) = split_message(&message);
            let place = place.map(|(file, line, column)| format!(" ({file}:{line}:{column})")).unwrap_or_default();
            let text = format!("{message}{place}");
            let mut next = match diagnostic {
                None => Diagnostic::bug(text),
                Some(first) => first.note(text),
            };
            for note in more.into_iter().chain(notes).take(MAX_NOTES) {
                next = next.note(note);
            }
            diagnostic = Some(next);
        }
        diagnostic.unwrap_or_else(|| Diagnostic::bug("MLIR refused without a reason")).boxed()
    }
}

/// The character at a place that MLIR counted, whose columns are bytes.
pub(crate) fn byte_span(file: &SourceFile, line: u32, column: u32) -> Span {
    let text = file.text();
    let mut start = file.offset(LineColumn { line, column: 1 }) as usize + column.saturating_sub(1) as usize;
    start = start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let width = text[start..].chars().next().map_or(1, char::len_utf8);
    Span::new(start, start + width)
}

/// How many notes a diagnostic keeps; MLIR can say thousands.
const MAX_NOTES: usize = 8;

/// Longest message kept, in characters; MLIR can quote whole operations.
const MAX_MESSAGE: usize = 500;

/// A message in one line, and what followed its first line.
fn split_message(message: &str) -> (String, Option<String>) {
    let shorten = |text: &str| match text.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    };
    match message.split_once('\n') {
        Some((first, rest)) => (shorten(first.trim_end_matches('.')), Some(shorten(rest))),
        None => (shorten(message.trim_end_matches('.')), None),
    }
}

/// Keeps what MLIR reports. Text up to the first byte that is no UTF-8 is kept: messages quote names as they are.
fn capture(diagnostic: &melior::diagnostic::Diagnostic<'_>, list: &RefCell<Vec<Captured>>) -> bool {
    let text = |diagnostic: &melior::diagnostic::Diagnostic<'_>| {
        let mut text = String::new();
        let _ = write!(text, "{diagnostic}");
        text
    };
    let place = innermost_file(diagnostic.location()).map(|file| {
        let (line, column) = (file.file_line_col_range_start_line(), file.file_line_col_range_start_column());
        (ffi::identifier(file.file_line_col_range_filename()).to_string(), line as u32, column as u32)
    });
    let notes = (0..diagnostic.note_count())
        .filter_map(|index| diagnostic.note(index).ok())
        .map(|note| text(&note))
        .filter(|note| !note.starts_with("see current operation"))
        .collect();
    if let Ok(mut list) = list.try_borrow_mut() {
        list.push(Captured { message: text(diagnostic), place, notes });
    }
    true
}

/// An identifier lives once per context, so its address stands for the name.
fn identity(name: Identifier<'_>) -> usize {
    name.to_raw().ptr as usize
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Context({:#x})", self.melior.to_raw().ptr as usize)
    }
}
