//! How far a body has been checked when something in it is found.

use tk_grammar::ast::{Module, Stmt, StmtKind};

/// The end of the simple statement at this place, or of what stands before the body of one with a body; the place itself outside of
/// functions. All that a statement says belongs together: its parts are not checked in the order of the text.
pub fn statement_end(module: &Module, place: u32) -> u32 {
    let mut functions = module.functions().filter(|function| function.is_jit());
    functions.find_map(|function| end_in(&function.body, place)).unwrap_or(place)
}

fn end_in(body: &[Stmt], place: u32) -> Option<u32> {
    let stmt = body.iter().find(|stmt| stmt.span.start <= place && place < stmt.span.end)?;
    let inner = blocks(&stmt.kind);
    let end = match inner.iter().filter_map(|block| block.first()).map(|first| first.span.start).min() {
        Some(first) => first - 1,
        None => stmt.span.end,
    };
    Some(inner.into_iter().find_map(|block| end_in(block, place)).unwrap_or(end))
}

/// The bodies of a statement, that of a function included.
pub(crate) fn blocks(kind: &StmtKind) -> Vec<&[Stmt]> {
    match kind {
        StmtKind::FunctionDef(function) => vec![&function.body],
        kind => kind.blocks(),
    }
}
