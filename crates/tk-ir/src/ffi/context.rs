//! `Context`: owns MLIR's context, the loaded dialects, captured diagnostics and tk's caches.

use super::*;
use crate::OpKind;
use mlir_sys::{MlirContext, MlirDiagnostic, MlirIdentifier, MlirLogicalResult};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use tk_diag::{BAD_IR, Diagnostic, LineColumn, SourceFile, Span};

/// MLIR's context with every dialect tk uses, single-threaded.
pub struct Context {
    raw: MlirContext,
    kinds: FxHashMap<usize, OpKind>,
    captured: Box<RefCell<Vec<Captured>>>,
    pub(crate) caches: crate::encoding::Caches,
}

/// One diagnostic of MLIR, as it was reported.
struct Captured {
    message: String,
    place: Option<(String, u32, u32)>,
    notes: Vec<String>,
}

impl Context {
    /// A context with all dialects loaded but LLVM's, which are loaded when an operation of theirs is met. Takes about a millisecond.
    pub fn new() -> Self {
        let raw = mlir!(mlirContextCreateWithThreading(false));
        tk_dialect::load_dialects(raw);
        let captured = Box::new(RefCell::new(Vec::new()));
        let data = (&raw const *captured).cast_mut().cast();
        mlir!(mlirContextAttachDiagnosticHandler(raw, Some(capture), data, None));
        let mut kinds = FxHashMap::default();
        for &kind in OpKind::ALL {
            let name = mlir!(mlirIdentifierGet(raw, string_ref(kind.name())));
            kinds.insert(mlir!(mlirIdentifierStr(name)).data as usize, kind);
        }
        Self { raw, kinds, captured, caches: Default::default() }
    }

    pub(crate) fn raw(&self) -> MlirContext {
        self.raw
    }

    /// An identifier's characters live once per context, so their address stands for the name.
    pub(super) fn kind_of(&self, name: MlirIdentifier) -> OpKind {
        let key = mlir!(mlirIdentifierStr(name)).data as usize;
        self.kinds.get(&key).copied().unwrap_or(OpKind::Other)
    }

    /// Loads the dialect of operations with this name if it is one of LLVM's; the others are there.
    pub(super) fn load_dialect_of(&self, name: &str) {
        if let Some((dialect @ ("llvm" | "nvvm"), _)) = name.split_once('.') {
            mlir!(mlirContextGetOrLoadDialect(self.raw, string_ref(dialect)));
        }
    }

    /// MLIR knows an operation of this name.
    pub fn is_registered(&self, name: &str) -> bool {
        self.load_dialect_of(name);
        mlir!(mlirContextIsRegisteredOperation(self.raw, string_ref(name)))
    }

    /// Forgets what MLIR said so far, before a call whose diagnostics matter.
    pub(super) fn start_capture(&self) {
        self.captured.borrow_mut().clear();
    }

    /// What MLIR said since [`Self::start_capture`], as an error in the text of `file`.
    pub(super) fn captured_as_error(&self, file: &SourceFile) -> Box<Diagnostic> {
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
        diagnostic.help("`tk opt` reads Triton's textual IR; the place above is where reading stopped").boxed()
    }

    /// What MLIR said since [`Self::start_capture`], as a fault of tk's own.
    pub(super) fn captured_as_bug(&self) -> Box<Diagnostic> {
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
pub(super) fn byte_span(file: &SourceFile, line: u32, column: u32) -> Span {
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

unsafe extern "C" fn capture(diagnostic: MlirDiagnostic, data: *mut c_void) -> MlirLogicalResult {
    // SAFETY: `data` is the context's boxed list, which lives as long as the handler is attached.
    let captured = unsafe { &*data.cast::<RefCell<Vec<Captured>>>() };
    let text = |diagnostic| printed(|callback, out| mlir!(mlirDiagnosticPrint(diagnostic, callback, out)));
    let place = place_of(mlir!(mlirDiagnosticGetLocation(diagnostic)));
    let notes = (0..mlir!(mlirDiagnosticGetNumNotes(diagnostic)))
        .map(|index| text(mlir!(mlirDiagnosticGetNote(diagnostic, index))))
        .filter(|note| !note.starts_with("see current operation"))
        .collect();
    if let Ok(mut list) = captured.try_borrow_mut() {
        list.push(Captured { message: text(diagnostic), place, notes });
    }
    MlirLogicalResult { value: 1 }
}

/// Like [`Location::file_line_col`], without a `Context` at hand.
fn place_of(location: mlir_sys::MlirLocation) -> Option<(String, u32, u32)> {
    let mut location = location;
    loop {
        if mlir!(mlirLocationIsAFileLineColRange(location)) {
            let name = as_str(mlir!(mlirIdentifierStr(mlir!(mlirLocationFileLineColRangeGetFilename(location)))));
            let line = mlir!(mlirLocationFileLineColRangeGetStartLine(location));
            let column = mlir!(mlirLocationFileLineColRangeGetStartColumn(location));
            return Some((name.to_string(), line as u32, column as u32));
        } else if mlir!(mlirLocationIsAName(location)) {
            location = mlir!(mlirLocationNameGetChildLoc(location));
        } else if mlir!(mlirLocationIsACallSite(location)) {
            location = mlir!(mlirLocationCallSiteGetCallee(location));
        } else {
            return None;
        }
    }
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        mlir!(mlirContextDestroy(self.raw))
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Context({:#x})", self.raw.ptr as usize)
    }
}
